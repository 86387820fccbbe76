//! Executes `new` and `delete`.

use super::attempt::{Attempt, Attempted};
use super::eval::write;
use super::normal::reached;
use super::object::{DEAD, Death, FIRST, GLOBALS, WHOLE, read16, write32};
use super::{Trouble, rules};
use crate::ir::{Delete, Init, New, ObjectKind, same_pointee};
use crate::options::MOST_OBJECTS;
use crate::syntax::ast::Span;

/// The maximal size of an object's contents, so that a pointer can refer to each of its parts.
const MAX_CONTENTS: usize = 32 << 10;

impl Attempt<'_> {
    /// Makes an object. With `--reuse-addresses`, each tombstone of its type is a further choice.
    pub(crate) fn new_object(&mut self, new: &New, span: Span, in_d_step: bool) -> Attempted {
        let Some(dynamic) = &self.program.dynamic else { return Attempted::Blocked };
        let ty = dynamic.object(new.object);
        let eval = self.eval(self.scratch);
        let count = new.count.as_ref().map_or(1, |count| eval.eval(count));
        let target = eval.offset(&new.target);
        if self.is_fatal() {
            return Attempted::Blocked;
        }
        let length = u16::try_from(count).ok().filter(|&n| n > 0 && ty.contents(n) <= MAX_CONTENTS);
        let Some(length) = length else {
            let trouble = Trouble::fatal(span, &rules::NUMBER_OF_OBJECTS).with("type", &ty.name);
            self.raise(trouble.with("count", count));
            return Attempted::Blocked;
        };
        let candidate = self.tombstone(new.object, length);
        if in_d_step && self.more {
            // A `d_step` has one outcome.
            let trouble = Trouble::limit(span, &rules::REUSE_IN_D_STEP);
            self.raise(trouble.with("object", &ty.name));
            return Attempted::Blocked;
        }
        let object = match candidate {
            Some(tombstone) => {
                self.scratch.revive(dynamic, tombstone);
                tombstone
            }
            None => {
                // A program that keeps what the reduced one resets may have more objects than the reduced
                // one.
                let keeps = self.program.keeps.is_some();
                let limit = if keeps { MOST_OBJECTS } else { dynamic.options.max_objects };
                if self.scratch.objects.len() >= limit as usize {
                    let trouble = Trouble::bound(span, &rules::TOO_MANY_OBJECTS, "objects");
                    self.raise(trouble.with("object", &ty.name).with("limit", limit));
                    return Attempted::Blocked;
                }
                self.scratch.allocate(dynamic, new.object, length)
            }
        };
        self.initialise(new.object, object, length);
        let whole = if length > 1 { WHOLE } else { 0 };
        write32(&mut self.scratch.bytes, target, object << 16 | whole);
        Attempted::Done
    }

    /// The tombstone that this choice revives; the first choice is a new object.
    fn tombstone(&mut self, ty: u16, length: u16) -> Option<u32> {
        let dynamic = self.program.dynamic.as_ref()?;
        if !dynamic.options.reuse_addresses {
            return None;
        }
        let layout = self.layouts.get(self.scratch.layout);
        let reached = reached(self.layouts.shapes()?, layout, self.scratch);
        let is_like = |number: &u32| {
            let at = self.scratch.header(*number);
            read16(&self.scratch.bytes, at) == ty | DEAD && read16(&self.scratch.bytes, at + 2) == length
        };
        let candidates: Vec<u32> = reached.into_iter().filter(is_like).collect();
        self.more = self.choice < candidates.len();
        self.choice.checked_sub(1).and_then(|idx| candidates.get(idx).copied())
    }

    fn initialise(&mut self, ty: u16, object: u32, length: u16) {
        let Some(dynamic) = &self.program.dynamic else { return };
        let ty = dynamic.object(ty);
        let mut ordinal = 0;
        for element in 0..u32::from(length) {
            for init in &ty.init {
                let (at, scalar, value) = match init {
                    Init::Value(at, scalar, value) => (*at, *scalar, self.eval(self.scratch).eval(value)),
                    Init::Channel(at) => {
                        let id = (object << 16 | ordinal) as i32;
                        ordinal += 1;
                        (*at, crate::ir::Scalar::Pointer, id)
                    }
                };
                let start = self.scratch.contents(object);
                write(&mut self.scratch.bytes, start + (element * ty.size + at) as usize, scalar, value);
            }
        }
    }

    /// Ends an object.
    pub(crate) fn delete(&mut self, delete: &Delete, span: Span) -> Attempted {
        let Some(dynamic) = &self.program.dynamic else { return Attempted::Blocked };
        let pointer = self.eval(self.scratch).eval(&delete.pointer) as u32;
        if self.is_fatal() {
            return Attempted::Blocked;
        }
        let (object, offset) = (pointer >> 16, pointer & (WHOLE - 1));
        let wrong = |rule| Trouble::fatal(span, rule).with("pointer", &delete.name);
        let trouble = match object {
            0 => Some(wrong(&rules::DELETE_NULL)),
            GLOBALS => Some(wrong(&rules::NOT_ALLOCATED)),
            object => match self.scratch.live(object) {
                None => Some(wrong(&rules::DELETED_TWICE)),
                Some((ty, length)) => match &dynamic.object(ty).kind {
                    ObjectKind::Data(element) => {
                        let is_whole = length == 1 || pointer & WHOLE != 0;
                        let fits = offset == 0 && is_whole && same_pointee(element, &delete.pointee);
                        (!fits).then(|| wrong(&rules::INTERIOR).with("object", &dynamic.object(ty).name))
                    }
                    ObjectKind::Frame(_) | ObjectKind::Scope => Some(wrong(&rules::NOT_ALLOCATED)),
                },
            },
        };
        if let Some(trouble) = trouble {
            self.raise(trouble.about(object));
            return Attempted::Blocked;
        }
        debug_assert!(object >= FIRST);
        self.scratch.kill(dynamic, object, Death::Deleted);
        Attempted::Done
    }
}
