//! What a pointer refers to in a state.

use super::eval::Eval;
use super::layout::ChannelSlot;
use super::object::{DEAD, FIRST, GLOBALS, OBJECT_HEADER, WHOLE, array_length, read16, read32};
use super::{Trouble, rules};
use crate::ir::{
    Address, Base, Expr, LeftKind, Notation, ObjectKind, Scalar, ScalarPlace, Through, Type, same_pointee,
    takes_reference,
};
use crate::lower::TOP_FRAME;
use crate::syntax::ast::Span;

/// A cell: the object that contains it (the globals are one, 0 is the record or frame of the process), and
/// the offset where that object starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Located {
    pub(crate) object: u32,
    pub(crate) start: usize,
    pub(crate) at: usize,
}

impl Eval<'_> {
    /// The top frame of a process; zero if it is not in a function.
    pub(crate) fn top_frame(&self, record: usize) -> u32 {
        match &self.program.dynamic {
            Some(dynamic) if dynamic.calls => read32(self.bytes, record + TOP_FRAME as usize) >> 16,
            _ => 0,
        }
    }

    /// Evaluates local variables in a frame, or in the process's record.
    pub(crate) fn set_frame(&mut self, frame: u32) {
        self.base = match frame {
            0 => self.record,
            frame => self.objects[(frame - FIRST) as usize] as usize + OBJECT_HEADER,
        };
    }

    /// The type of a field, a parameter or a reference, as it is written in the source.
    pub(crate) fn kind_name(&self, notation: &Notation) -> String {
        let Notation::Pointer(pointee) = notation else {
            return match notation {
                Notation::Function => "an ftype".into(),
                Notation::Chan => "a chan".into(),
                _ => "a value".into(),
            };
        };
        let name = match &**pointee {
            Type::Record(record) => &*self.program.records[*record as usize].name,
            Type::Scalar(_, Notation::Bool) => "bool",
            Type::Scalar(_, Notation::Mtype(_)) => "mtype",
            Type::Scalar(_, Notation::Chan) => "chan",
            Type::Scalar(Scalar::Bit, _) => "bit",
            Type::Scalar(Scalar::Byte, _) => "byte",
            Type::Scalar(Scalar::Short, _) => "short",
            Type::Scalar(Scalar::Unsigned(_), _) => "unsigned",
            Type::Scalar(..) => "int",
        };
        format!("the pointer type {name} &")
    }

    fn object_name(&self, pointee: &Type) -> String {
        match pointee {
            Type::Record(record) => self.program.records[*record as usize].name.to_string(),
            Type::Scalar(..) => "value".into(),
        }
    }

    /// The header of an object, if it is alive.
    #[inline]
    fn live_header(&self, object: u32) -> Option<usize> {
        let at = self.objects[(object - FIRST) as usize] as usize;
        let ty = read16(self.bytes, at);
        (ty != 0 && ty & DEAD == 0).then_some(at)
    }

    #[cold]
    fn raise_dangling(&self, object: u32, name: &str, what: &str, span: Span) {
        let trouble = Trouble::fatal(span, &rules::DANGLING).with("pointer", name);
        self.raise(trouble.with("what", what).about(object));
    }

    /// Follows a pointer. After an error, which is recorded, the result is the start of the vector.
    pub(crate) fn through(&self, through: &Through) -> Located {
        let nowhere = Located { object: GLOBALS, start: 0, at: 0 };
        let pointer = self.eval(&through.pointer) as u32;
        // After an error the value is not a pointer.
        if self.trouble.is_fatal() {
            return nowhere;
        }
        let (object, offset) = (pointer >> 16, (pointer & (WHOLE - 1)) as usize);
        let start = match object {
            0 => {
                self.raise(Trouble::fatal(through.span, &rules::NULL).with("pointer", &through.name));
                return nowhere;
            }
            GLOBALS => 0,
            object => match self.live_header(object) {
                Some(at) => at + OBJECT_HEADER,
                None => {
                    let what = format!("the {} that it refers to", self.object_name(&through.pointee));
                    self.raise_dangling(object, &through.name, &what, through.span);
                    return nowhere;
                }
            },
        };
        let mut at = start + offset;
        if let Some(index) = &through.index {
            let value = self.eval(index);
            let bound = self.bound(pointer, &through.pointee);
            if value < 0 || value as u32 >= bound {
                let trouble = Trouble::fatal(through.span, &rules::INDEX);
                self.raise(trouble.with("index", value).with("last", bound - 1));
                return nowhere;
            }
            at += value as usize * through.size as usize;
        }
        Located { object, start, at }
    }

    /// The number of elements with which a pointer to a live object can be indexed.
    pub(crate) fn bound(&self, pointer: u32, pointee: &Type) -> u32 {
        match pointer & WHOLE {
            0 => 1,
            _ => self.length_at(pointer >> 16, pointer & (WHOLE - 1), pointee),
        }
    }

    /// The frame of the function that the process is in; zero if it is not in one.
    pub(crate) fn running_frame(&self) -> u32 {
        self.top_frame(self.record)
    }

    /// The number of elements of the array that a pointer refers to as a whole.
    fn length_at(&self, object: u32, offset: u32, pointee: &Type) -> u32 {
        if object == GLOBALS {
            return array_length(self.program, &self.program.globals, offset, pointee).unwrap_or(1);
        }
        let at = self.objects[(object - FIRST) as usize] as usize;
        let Some(dynamic) = &self.program.dynamic else { return 1 };
        let ty = dynamic.object(read16(self.bytes, at));
        match &ty.kind {
            ObjectKind::Data(element) if offset == 0 && same_pointee(element, pointee) => {
                u32::from(read16(self.bytes, at + 2))
            }
            ObjectKind::Data(Type::Record(record)) => {
                let fields = &self.program.records[*record as usize].fields;
                array_length(self.program, fields, offset % ty.size, pointee).unwrap_or(1)
            }
            ObjectKind::Data(Type::Scalar(..)) | ObjectKind::Frame(_) => 1,
            ObjectKind::Scope => array_length(self.program, &ty.variables, offset, pointee).unwrap_or(1),
        }
    }

    /// The location of a place, and the object that contains it.
    pub(crate) fn locate(&self, place: &ScalarPlace) -> Located {
        let from = match &place.base {
            Base::Global => Located { object: GLOBALS, start: 0, at: 0 },
            Base::Local => Located { object: 0, start: self.base, at: self.base },
            Base::Object(through) => self.through(through),
        };
        Located { at: self.offset_from(from.at, place), ..from }
    }

    /// `&x`
    pub(crate) fn address(&self, address: &Address) -> i32 {
        let found = self.locate(&address.place);
        let offset = (found.at - found.start) as u32;
        if offset >= WHOLE {
            self.raise(Trouble::limit(address.span, &rules::FAR_POINTER));
            return 0;
        }
        let whole = if address.length > 1 { WHOLE } else { 0 };
        (found.object << 16 | whole | offset) as i32
    }

    /// The channel of an object.
    pub(crate) fn object_channel(&self, id: u32, span: Span) -> Option<ChannelSlot> {
        let dynamic = self.program.dynamic.as_ref().filter(|_| !self.trouble.is_fatal())?;
        let at = match self.live_header(id >> 16) {
            Some(at) => at,
            None => {
                self.raise_dangling(id >> 16, "a channel", "the object that it belongs to", span);
                return None;
            }
        };
        let ty = dynamic.object(read16(self.bytes, at));
        let (channel, start) = ty.channel(read16(self.bytes, at + 2), (id & 0xffff) as usize)?;
        Some(ChannelSlot { offset: (at + OBJECT_HEADER + start) as u32, ty: channel })
    }

    /// The value of an expression as a holder of this kind takes it.
    #[inline]
    pub(crate) fn eval_for(&self, e: &Expr, formal: &crate::ir::Formal, what: &str, span: Span) -> i32 {
        match e {
            Expr::Either(_) => self.eval_reference(e, formal, what, span),
            _ if takes_reference(formal) => self.eval_reference(e, formal, what, span),
            _ => self.eval(e),
        }
    }

    /// Like [`Self::eval_for`], for expressions that involve references.
    fn eval_reference(&self, e: &Expr, formal: &crate::ir::Formal, what: &str, span: Span) -> i32 {
        match e.for_formal(formal) {
            Some(e) => self.eval(e),
            None => {
                let is = match e {
                    Expr::Either(either) => match &either.kind {
                        LeftKind::Null => "null".to_owned(),
                        LeftKind::Typed(notation) => self.kind_name(notation),
                    },
                    _ => "a value".into(),
                };
                let trouble = Trouble::fatal(span, &rules::KIND).with("what", what).with("is", is);
                self.raise(trouble.with("wanted", self.kind_name(&formal.1)));
                0
            }
        }
    }
}
