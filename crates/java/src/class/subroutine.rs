//! Replaces subroutines (`jsr` and `ret`, which compilers used for `finally` before Java 6) by a copy for
//! each call.
//!
//! A variable that a subroutine does not use may hold different kinds of values in its callers, so its kind
//! inside the subroutine depends on the caller. With a copy for each call every operation has one caller, and
//! [`super::maps`] and [`super::verify`] need not handle subroutines. `jsr` remains as an operation that
//! pushes a value that is never read, and jumps to the copy. `ret` becomes a jump to the operation after the
//! call.
//!
//! Code that is reachable without entering a subroutine belongs to the method itself and is not copied. Code
//! that belongs to the callers of a subroutine is not copied with it either: this is code to which a
//! subroutine leaves other than by `ret`, and handlers of exceptions that leave it.

use super::code::{Handler, Op, Switch};
use super::decode::target;
use super::flaw::{Flaw, Rule};

/// The most operations to which code may grow. Nested subroutines could otherwise make very many copies.
const MAX_OPS: usize = 1 << 18;
/// The greatest depth of nested subroutine calls.
const MAX_DEPTH: usize = 64;
/// The most entries in the position tables of all copies, each of which is as long as the code.
const MAX_PLACES: usize = 1 << 24;

/// A method's code without `ret`.
pub(super) struct Inlined {
    pub(super) ops: Vec<Op>,
    pub(super) switches: Vec<Switch>,
    pub(super) handlers: Vec<Handler>,
    /// For each operation the one that it is a copy of.
    pub(super) origins: Vec<u32>,
}

/// A call of a subroutine, or the method itself.
struct Instance {
    parent: Option<usize>,
    /// Where the subroutine begins.
    start: usize,
    /// The operation after the call, in the parent's copy.
    back: u32,
    /// For each operation of the method the place of its copy, if it belongs to this instance.
    places: Vec<Option<u32>>,
}

/// The code with copies of its subroutines.
///
/// # Errors
/// If subroutines call each other recursively, or `ret` occurs outside a subroutine.
pub(super) fn inline(ops: &[Op], switches: Vec<Switch>, handlers: &[Handler]) -> Result<Inlined, Flaw> {
    let mut method = Inliner {
        code: ops,
        table: switches.clone(),
        handlers,
        instances: Vec::new(),
        out: Inlined { ops: ops.to_vec(), switches, handlers: handlers.to_vec(), origins: Vec::new() },
    };
    method.out.origins = (0..ops.len() as u32).collect();
    let own = method.reachable(0, &vec![false; ops.len()]);
    let places = own.iter().enumerate().map(|(pc, is_own)| is_own.then_some(pc as u32)).collect();
    method.instances.push(Instance { parent: None, start: 0, back: 0, places });
    for pc in (0..ops.len()).filter(|&pc| own[pc]) {
        match ops[pc] {
            Op::Jsr(start) => {
                let copy = method.copy(0, start as usize, pc as u32 + 1)?;
                method.out.ops[pc] = Op::Jsr(copy);
            }
            Op::Ret(_) => return Err(Rule::StrayRet.into()),
            _ => {}
        }
    }
    Ok(method.out)
}

struct Inliner<'a> {
    code: &'a [Op],
    table: Vec<Switch>,
    handlers: &'a [Handler],
    instances: Vec<Instance>,
    out: Inlined,
}

impl Inliner<'_> {
    /// The operations reachable from `start` without entering subroutines or operations that are `taken`.
    fn reachable(&self, start: usize, taken: &[bool]) -> Vec<bool> {
        let mut seen = vec![false; self.code.len()];
        let mut work = vec![start];
        while let Some(pc) = work.pop() {
            if pc >= seen.len() || taken[pc] || std::mem::replace(&mut seen[pc], true) {
                continue;
            }
            match self.code[pc] {
                Op::Ret(_) | Op::Return(_) | Op::Throw => {}
                Op::Jsr(_) => work.push(pc + 1),
                Op::Goto(to) => work.push(to as usize),
                Op::Switch(idx) => work.extend(self.table[idx as usize].targets().map(|to| to as usize)),
                op => work.extend(target(op).map(|to| to as usize).into_iter().chain([pc + 1])),
            }
            let around = self.handlers.iter().filter(|h| (h.start as usize..h.end as usize).contains(&pc));
            work.extend(around.map(|handler| handler.target as usize));
        }
        seen
    }

    /// Copies the subroutine at `start` for a call in an instance. Returns where the copy begins.
    fn copy(&mut self, parent: usize, start: usize, back: u32) -> Result<u32, Flaw> {
        let too_many = || Err(Rule::ManySubroutines.into());
        if self.instances.len() * self.code.len() > MAX_PLACES {
            return too_many();
        }
        let mut taken = vec![false; self.code.len()];
        let mut at = Some(parent);
        let mut depth = 0;
        while let Some(instance) = at.map(|idx| &self.instances[idx]) {
            if instance.parent.is_some() && instance.start == start {
                return Err(Rule::RecursiveSubroutine.into());
            }
            for (taken, place) in taken.iter_mut().zip(&instance.places) {
                *taken |= place.is_some();
            }
            at = instance.parent;
            depth += 1;
        }
        if depth > MAX_DEPTH {
            return too_many();
        }
        let own = self.reachable(start, &taken);
        let mut places = vec![None; self.code.len()];
        let mut next = self.out.ops.len();
        for pc in (0..self.code.len()).filter(|&pc| own[pc]) {
            places[pc] = Some(next as u32);
            // Control that would leave the copy by falling through to the next operation jumps there.
            next += if own.get(pc + 1) == Some(&true) { 1 } else { 2 };
        }
        if next > MAX_OPS {
            return too_many();
        }
        let first = self.out.ops.len() as u32;
        let this = self.instances.len();
        self.instances.push(Instance { parent: Some(parent), start, back, places });
        let mut calls = Vec::new();
        for pc in (0..self.code.len()).filter(|&pc| own[pc]) {
            let op = match self.code[pc] {
                Op::Jsr(target) => {
                    calls.push((self.out.ops.len(), target as usize, pc + 1));
                    Op::Nop
                }
                Op::Ret(_) => Op::Goto(self.instances[this].back),
                op => self.moved(this, op)?,
            };
            self.out.ops.push(op);
            self.out.origins.push(pc as u32);
            if own.get(pc + 1) != Some(&true) {
                let is_end = matches!(op, Op::Goto(_) | Op::Return(_) | Op::Throw | Op::Switch(_));
                let on = if is_end { Op::Nop } else { Op::Goto(self.place(this, pc + 1)?) };
                self.out.ops.push(on);
                self.out.origins.push(pc as u32);
            }
        }
        self.copy_handlers(this, &own)?;
        for (call, target, behind) in calls {
            let back = self.place(this, behind)?;
            let copy = self.copy(this, target, back)?;
            self.out.ops[call] = Op::Jsr(copy);
        }
        // If the subroutine begins in code of its callers, that code is called instead of a copy.
        Ok(self.instances[this].places[start].map_or_else(|| self.place(this, start), Ok).unwrap_or(first))
    }

    fn copy_handlers(&mut self, this: usize, own: &[bool]) -> Result<(), Flaw> {
        for handler in self.handlers {
            let range = handler.start as usize..(handler.end as usize).min(own.len());
            for pc in range.filter(|&pc| own[pc]) {
                let target = self.place(this, handler.target as usize)?;
                let start = self.place(this, pc)?;
                self.out.handlers.push(Handler { start, end: start + 1, target, ..*handler });
            }
        }
        Ok(())
    }

    /// The position of the operation at `pc` for an instance: in its copy, or in that of one of its callers.
    fn place(&self, this: usize, pc: usize) -> Result<u32, Flaw> {
        let mut at = Some(this);
        while let Some(instance) = at.map(|idx| &self.instances[idx]) {
            if let Some(place) = instance.places.get(pc).copied().flatten() {
                return Ok(place);
            }
            at = instance.parent;
        }
        Err(Rule::EndReached.into())
    }

    /// An operation with its jumps redirected to the positions of an instance.
    fn moved(&mut self, this: usize, op: Op) -> Result<Op, Flaw> {
        let to = |target: u32| self.place(this, target as usize);
        Ok(match op {
            Op::If(comparison, target) => Op::If(comparison, to(target)?),
            Op::IfInt(comparison, target) => Op::IfInt(comparison, to(target)?),
            Op::IfRef(equal, target) => Op::IfRef(equal, to(target)?),
            Op::IfNull(null, target) => Op::IfNull(null, to(target)?),
            Op::Goto(target) => Op::Goto(to(target)?),
            Op::Switch(idx) => {
                let mut switch = self.table[idx as usize].clone();
                let (targets, default): (Vec<&mut u32>, _) = match &mut switch {
                    Switch::Table { targets, default, .. } => (targets.iter_mut().collect(), default),
                    Switch::Lookup { pairs, default } => {
                        (pairs.iter_mut().map(|pair| &mut pair.1).collect(), default)
                    }
                };
                for target in targets.into_iter().chain([default]) {
                    *target = to(*target)?;
                }
                self.out.switches.push(switch);
                Op::Switch(self.out.switches.len() as u32 - 1)
            }
            op => op,
        })
    }
}
