//! What each local variable and each stack slot holds before each operation, found by data flow.
//!
//! A state is encoded without types. These maps say which slots are references (to follow and renumber),
//! which are values, and which are never read again. Two data flows compute them. Kinds flow forward from the
//! method's parameters; where two paths join with different kinds, the variable is dead, because verified
//! code does not read it. Liveness flows backward. During a call, the caller's variables are as before the
//! call, and its stack is a prefix of the stack before the call.

use super::code::{Arithmetic, Code, Op};
use super::decode::target;
use super::descriptor::{Kind, split};
use super::flaw::{Flaw, Rule};
use super::pool::Constant;
use super::registry::Classes;
use super::{Class, Method};

/// What a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Nothing that will be read.
    Dead,
    /// A value of 32 bits.
    Word,
    /// A value of 64 bits; the next slot is dead.
    Wide,
    /// A reference.
    Ref,
}

/// The maps of one method.
#[derive(Debug)]
pub struct Maps {
    max_locals: usize,
    /// For each operation, the range of its slots in `slots`, local variables first.
    ranges: Box<[(u32, u32)]>,
    slots: Box<[Slot]>,
}

impl Maps {
    /// The local variables and the operand stack before an operation; `None` if it cannot be reached.
    #[inline]
    #[must_use]
    pub fn before(&self, pc: u32) -> Option<(&[Slot], &[Slot])> {
        let (start, end) = *self.ranges.get(pc as usize)?;
        if start == end && self.max_locals > 0 || start == u32::MAX {
            return None;
        }
        Some(self.slots[start as usize..end as usize].split_at(self.max_locals))
    }
}

/// Computes the maps of a method.
///
/// # Errors
/// If the code is invalid: its stack underflows, or differs in depth where paths join.
pub fn maps(classes: &Classes, class: &Class, method: &Method, code: &Code) -> Result<Maps, Flaw> {
    find_maps(classes, class, method, code, false)
}

/// As [`maps`]. With `keep_dead`, treats all local variables as live.
///
/// # Errors
/// As [`maps`].
pub fn find_maps(
    classes: &Classes,
    class: &Class,
    method: &Method,
    code: &Code,
    keep_dead: bool,
) -> Result<Maps, Flaw> {
    let kinds = Kinds { classes, class, method, code, before: vec![None; code.ops.len()], work: Vec::new() }
        .find()?;
    let live = Liveness::find(method, code);
    let max_locals = usize::from(method.max_locals);
    let mut ranges = Vec::with_capacity(code.ops.len());
    let mut slots: Vec<Slot> = Vec::new();
    for (pc, frame) in kinds.iter().enumerate() {
        let Some(frame) = frame else {
            ranges.push((u32::MAX, u32::MAX));
            continue;
        };
        let start = slots.len() as u32;
        for (local, &slot) in frame[..max_locals].iter().enumerate() {
            slots.push(if keep_dead || live.is_live(pc, local) { slot } else { Slot::Dead });
        }
        slots.extend_from_slice(&frame[max_locals..]);
        // Most operations do not change the map, so equal neighbours share one.
        let end = slots.len() as u32;
        match ranges.last() {
            Some(&(a, b))
                if a != u32::MAX && slots[a as usize..b as usize] == slots[start as usize..end as usize] =>
            {
                slots.truncate(start as usize);
                ranges.push((a, b));
            }
            _ => ranges.push((start, end)),
        }
    }
    Ok(Maps { max_locals, ranges: ranges.into(), slots: slots.into() })
}

/// The operations that may follow an operation, except by exceptions.
pub(crate) fn successors(code: &Code, pc: usize, mut to: impl FnMut(usize)) {
    match code.ops[pc] {
        Op::Switch(idx) => code.switches[idx as usize].targets().for_each(|target| to(target as usize)),
        Op::Return(_) | Op::Throw | Op::Ret(_) => {}
        op => {
            if let Some(target) = target(op) {
                to(target as usize);
            }
            if !matches!(op, Op::Goto(_) | Op::Jsr(_)) {
                to(pc + 1);
            }
        }
    }
}

/// The forward data flow. A frame is the local variables followed by the stack.
struct Kinds<'a> {
    classes: &'a Classes,
    class: &'a Class,
    method: &'a Method,
    code: &'a Code,
    before: Vec<Option<Vec<Slot>>>,
    work: Vec<usize>,
}

fn slot_of(kind: Kind) -> Slot {
    match kind {
        Kind::Ref => Slot::Ref,
        Kind::Long | Kind::Double => Slot::Wide,
        _ => Slot::Word,
    }
}

fn push(frame: &mut Vec<Slot>, slot: Slot) {
    frame.push(slot);
    if slot == Slot::Wide {
        frame.push(Slot::Dead);
    }
}

impl Kinds<'_> {
    fn find(mut self) -> Result<Vec<Option<Vec<Slot>>>, Flaw> {
        let mut first = Vec::new();
        if !self.method.is_static() {
            first.push(Slot::Ref);
        }
        for &kind in &self.method.signature.parameters {
            push(&mut first, slot_of(kind));
        }
        first.resize(usize::from(self.method.max_locals), Slot::Dead);
        self.meet(0, &first)?;
        while let Some(pc) = self.work.pop() {
            let frame = self.before[pc].clone().expect("only operations with a frame are worked on");
            let locals = usize::from(self.method.max_locals);
            for handler in &self.code.handlers {
                if (handler.start as usize..handler.end as usize).contains(&pc) {
                    let mut caught = frame[..locals].to_vec();
                    caught.push(Slot::Ref);
                    self.meet(handler.target as usize, &caught)?;
                }
            }
            let mut frame = frame;
            self.run(pc, &mut frame)?;
            let mut targets = Vec::new();
            successors(self.code, pc, |to| targets.push(to));
            for to in targets {
                if to >= self.code.ops.len() {
                    return Err(Rule::EndReached.into());
                }
                self.meet(to, &frame)?;
            }
        }
        Ok(self.before)
    }

    fn meet(&mut self, pc: usize, frame: &[Slot]) -> Result<(), Flaw> {
        match &mut self.before[pc] {
            None => {
                self.before[pc] = Some(frame.to_vec());
                self.work.push(pc);
            }
            Some(known) => {
                if known.len() != frame.len() {
                    return Err(Rule::StackDepths.into());
                }
                let mut changed = false;
                for (known, &new) in known.iter_mut().zip(frame) {
                    if *known != new && *known != Slot::Dead {
                        *known = Slot::Dead;
                        changed = true;
                    }
                }
                if changed {
                    self.work.push(pc);
                }
            }
        }
        Ok(())
    }

    fn text(&self, idx: u16) -> Result<&str, Flaw> {
        match self.class.pool.get(idx) {
            Constant::Member(_, _, descriptor)
            | Constant::CallSite(_, _, descriptor)
            | Constant::Dynamic(_, _, descriptor) => Ok(self.classes.symbols.text(descriptor)),
            _ => Err(Rule::ConstantKind.into()),
        }
    }

    fn call(&self, frame: &mut Vec<Slot>, descriptor: &str, has_receiver: bool) -> Result<(), Flaw> {
        let (parameters, result) = split(descriptor).ok_or(Rule::Descriptor)?;
        let n_slots: usize =
            parameters.iter().filter_map(|p| Kind::of(p)).map(|kind| usize::from(kind.n_slots())).sum();
        self.pop(frame, n_slots + usize::from(has_receiver))?;
        if let Some(kind) = Kind::of(result) {
            push(frame, slot_of(kind));
        }
        Ok(())
    }

    fn pop(&self, frame: &mut Vec<Slot>, n: usize) -> Result<(), Flaw> {
        let rest = frame.len().checked_sub(n).filter(|&rest| rest >= usize::from(self.method.max_locals));
        frame.truncate(rest.ok_or(Rule::EmptyStack)?);
        Ok(())
    }

    /// Copies the top `n` slots below the `below` slots under them.
    fn dup(&self, frame: &mut Vec<Slot>, n: usize, below: usize) -> Result<(), Flaw> {
        let stack = frame.len() - usize::from(self.method.max_locals);
        if stack < n + below {
            return Err(Rule::EmptyStack.into());
        }
        let copied: Vec<Slot> = frame[frame.len() - n..].to_vec();
        let at = frame.len() - n - below;
        frame.splice(at..at, copied);
        Ok(())
    }

    fn local(&self, n: u16) -> Result<usize, Flaw> {
        if n < self.method.max_locals { Ok(usize::from(n)) } else { Err(Rule::NoLocal.into()) }
    }

    /// Pops `n` slots and pushes a value.
    fn replace(&self, frame: &mut Vec<Slot>, n: usize, pushed: Slot) -> Result<(), Flaw> {
        self.pop(frame, n)?;
        push(frame, pushed);
        Ok(())
    }

    /// The kind of a field or computed constant.
    fn kind(&self, idx: u16) -> Result<Kind, Flaw> {
        Kind::of(self.text(idx)?).ok_or_else(|| Rule::Descriptor.into())
    }

    /// The slot that `ldc` fills with this constant.
    fn constant(&self, idx: u16) -> Result<Slot, Flaw> {
        Ok(match self.class.pool.get(idx) {
            Constant::Int(_) | Constant::Float(_) => Slot::Word,
            Constant::Dynamic(..) => slot_of(self.kind(idx)?),
            _ => Slot::Ref,
        })
    }

    /// Applies the operation at `pc` to the frame before it.
    fn run(&self, pc: usize, frame: &mut Vec<Slot>) -> Result<(), Flaw> {
        match self.code.ops[pc] {
            Op::Nop | Op::Goto(_) | Op::Ret(_) | Op::Return(_) | Op::Inc(..) | Op::Neg(_) => {}
            Op::Const(_, is_null) => frame.push(if is_null { Slot::Ref } else { Slot::Word }),
            Op::Long(_) | Op::Double(_) | Op::Ldc2(_) => push(frame, Slot::Wide),
            Op::Ldc(idx) => push(frame, self.constant(idx)?),
            Op::Load(n) => self.load(frame, n)?,
            Op::Load2(n) => self.load_wide(frame, n)?,
            Op::Store(n) => self.store_top(frame, n)?,
            Op::Store2(n) => self.store_wide(frame, n)?,
            Op::ArrayLoad(kind) => self.replace(frame, 2, slot_of(kind))?,
            Op::ArrayStore(kind) => self.pop(frame, 2 + usize::from(kind.n_slots()))?,
            Op::Pop
            | Op::MonitorEnter
            | Op::MonitorExit
            | Op::Throw
            | Op::Switch(_)
            | Op::If(..)
            | Op::IfNull(..) => self.pop(frame, 1)?,
            Op::Pop2 | Op::IfInt(..) | Op::IfRef(..) => self.pop(frame, 2)?,
            Op::Dup => self.dup(frame, 1, 0)?,
            Op::DupX1 => self.dup(frame, 1, 1)?,
            Op::DupX2 => self.dup(frame, 1, 2)?,
            Op::Dup2 => self.dup(frame, 2, 0)?,
            Op::Dup2X1 => self.dup(frame, 2, 1)?,
            Op::Dup2X2 => self.dup(frame, 2, 2)?,
            Op::Swap => {
                self.dup(frame, 1, 1)?;
                self.pop(frame, 1)?;
            }
            // The result takes the slot of the first operand, which is of the same kind.
            Op::Int(_) | Op::Float(_) | Op::CompareFloat(_) => self.pop(frame, 1)?,
            Op::LongOp(Arithmetic::Shl | Arithmetic::Shr | Arithmetic::Ushr) => self.pop(frame, 1)?,
            Op::LongOp(_) | Op::DoubleOp(_) => self.pop(frame, 2)?,
            Op::Convert(from, to) => self.replace(frame, usize::from(from.n_slots()), slot_of(to))?,
            Op::CompareLong | Op::CompareDouble(_) => self.replace(frame, 4, Slot::Word)?,
            Op::Jsr(_) => frame.push(Slot::Word),
            Op::GetStatic(idx) => push(frame, slot_of(self.kind(idx)?)),
            Op::PutStatic(idx) => self.pop(frame, usize::from(self.kind(idx)?.n_slots()))?,
            Op::GetField(idx) => self.replace(frame, 1, slot_of(self.kind(idx)?))?,
            Op::PutField(idx) => self.pop(frame, 1 + usize::from(self.kind(idx)?.n_slots()))?,
            Op::InvokeVirtual(idx) | Op::InvokeSpecial(idx) | Op::InvokeInterface(idx) => {
                self.call(frame, self.text(idx)?, true)?;
            }
            Op::InvokeStatic(idx) | Op::InvokeDynamic(idx) => self.call(frame, self.text(idx)?, false)?,
            Op::New(_) | Op::ConstRef(_) | Op::NewOf(_) => frame.push(Slot::Ref),
            Op::NewArray(_) | Op::NewRefArray(_) | Op::NewArrayOf(_) | Op::CheckCast(_) | Op::CastTo(_) => {
                self.replace(frame, 1, Slot::Ref)?
            }
            Op::NewMultiArray(_, dims) => self.replace(frame, usize::from(dims), Slot::Ref)?,
            Op::ArrayLength | Op::InstanceOf(_) | Op::IsA(_) => self.replace(frame, 1, Slot::Word)?,
            Op::GetSlot(_, kind) => self.replace(frame, 1, slot_of(kind))?,
            Op::PutSlot(_, kind) => self.pop(frame, 1 + usize::from(kind.n_slots()))?,
            Op::Call(id, _) => {
                let method = self.classes.method(id);
                self.call(frame, self.classes.symbols.text(method.descriptor), !method.is_static())?;
            }
        }
        Ok(())
    }

    fn load(&self, frame: &mut Vec<Slot>, n: u16) -> Result<(), Flaw> {
        let slot = frame[self.local(n)?];
        if slot == Slot::Dead {
            return Err(Flaw::Local { n, holds: "is read and holds nothing" });
        }
        frame.push(slot);
        Ok(())
    }

    fn load_wide(&self, frame: &mut Vec<Slot>, n: u16) -> Result<(), Flaw> {
        self.local(n.saturating_add(1))?;
        push(frame, Slot::Wide);
        Ok(())
    }

    fn store_top(&self, frame: &mut Vec<Slot>, n: u16) -> Result<(), Flaw> {
        let slot = *frame.last().ok_or(Rule::EmptyStack)?;
        self.pop(frame, 1)?;
        self.store(frame, n, slot)
    }

    fn store_wide(&self, frame: &mut Vec<Slot>, n: u16) -> Result<(), Flaw> {
        self.pop(frame, 2)?;
        self.local(n.saturating_add(1))?;
        self.store(frame, n, Slot::Wide)?;
        frame[usize::from(n) + 1] = Slot::Dead;
        Ok(())
    }

    fn store(&self, frame: &mut [Slot], n: u16, slot: Slot) -> Result<(), Flaw> {
        let n = self.local(n)?;
        // If the second half of a wide value is overwritten, the first half is dead.
        if n > 0 && frame[n - 1] == Slot::Wide {
            frame[n - 1] = Slot::Dead;
        }
        frame[n] = slot;
        Ok(())
    }
}

/// Which local variables will be read before they are written: one bit each, for each operation.
struct Liveness {
    words: usize,
    bits: Vec<u64>,
}

impl Liveness {
    fn find(method: &Method, code: &Code) -> Self {
        let words = usize::from(method.max_locals).div_ceil(64).max(1);
        let mut this = Self { words, bits: vec![0; words * code.ops.len()] };
        // Backward until nothing changes; loops need a few rounds.
        loop {
            let mut changed = false;
            for pc in (0..code.ops.len()).rev() {
                changed |= this.update(code, pc);
            }
            if !changed {
                return this;
            }
        }
    }

    fn is_live(&self, pc: usize, local: usize) -> bool {
        self.bits[pc * self.words + local / 64] >> (local % 64) & 1 != 0
    }

    fn update(&mut self, code: &Code, pc: usize) -> bool {
        let mut live = vec![0_u64; self.words];
        let mut add = |bits: &[u64], from: usize| {
            for (word, live) in live.iter_mut().enumerate() {
                *live |= bits[from * self.words + word];
            }
        };
        successors(code, pc, |to| {
            if to < code.ops.len() {
                add(&self.bits, to);
            }
        });
        // Unreachable code may name variables that do not exist.
        let word = |local: u16| Some(usize::from(local) / 64).filter(|&word| word < self.words);
        if let Op::Store(n) | Op::Store2(n) = code.ops[pc]
            && let Some(word) = word(n)
        {
            live[word] &= !(1 << (n % 64));
        }
        if let Op::Load(n) | Op::Load2(n) | Op::Inc(n, _) = code.ops[pc]
            && let Some(word) = word(n)
        {
            live[word] |= 1 << (n % 64);
        }
        for handler in &code.handlers {
            if (handler.start as usize..handler.end as usize).contains(&pc) {
                for (word, live) in live.iter_mut().enumerate() {
                    *live |= self.bits[handler.target as usize * self.words + word];
                }
            }
        }
        let known = &mut self.bits[pc * self.words..(pc + 1) * self.words];
        let changed = known != live;
        known.copy_from_slice(&live);
        changed
    }
}
