//! Variables that native methods use by name or by offset: a field, an element, or a number in an array of
//! bytes. Each use is one atomic operation, which says itself what it accesses.

use super::SharedView;
use crate::class::descriptor::Kind;
use crate::vm::heap::{Data, Ref};
use crate::vm::machine::{Exec, Machine, Trap, read_element, write_element};
use crate::vm::view::{Mode, Place, Resource};

/// Where a variable is.
#[derive(Clone, Copy, Debug)]
pub enum Variable {
    /// The field in a slot of an object, or of the class whose mirror it is.
    Slot(Ref, u32),
    /// An element of an array.
    Element(Ref, usize),
    /// A number in an array of bytes, at a byte; most significant byte first if the flag is set.
    Bytes(Ref, usize, bool),
}

/// How a variable is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableMode {
    /// As a variable that is neither `volatile` nor atomic.
    Plain,
    /// As a `volatile` or atomic one.
    Atomic,
}

fn astray() -> Trap {
    Trap::Unsupported("an Unsafe access outside of its object".into())
}

impl Variable {
    /// The object it is in.
    #[must_use]
    pub fn object(self) -> Ref {
        match self {
            Self::Slot(object, _) | Self::Element(object, _) | Self::Bytes(object, ..) => object,
        }
    }

    /// What of the object it is.
    fn place(self, m: &Machine<'_>) -> Place {
        match self {
            Self::Slot(object, slot) => m.place_of(object, slot),
            Self::Element(array, idx) => Place::array(m.process.heap.get(array).class, idx as u32),
            // A number may lie across several bytes.
            Self::Bytes(array, ..) => Place::array(m.process.heap.get(array).class, Place::ALL),
        }
    }

    fn peek(self, m: &Machine<'_>, kind: Kind) -> Exec<u64> {
        let value = match (self, &m.process.heap.get(self.object()).data) {
            (Self::Slot(_, slot), Data::Slots(slots)) => *slots.get(slot as usize).ok_or_else(astray)?,
            (Self::Element(_, idx), Data::Refs(refs)) => u64::from(*refs.get(idx).ok_or_else(astray)?),
            (Self::Element(_, idx), Data::Bytes(bytes)) => {
                if (idx + 1) * kind.n_bytes() > bytes.len() {
                    return Err(astray());
                }
                read_element(bytes, kind, idx)
            }
            (Self::Bytes(_, at, is_big), Data::Bytes(bytes)) => {
                let end = at.wrapping_add(kind.n_bytes());
                let bytes = bytes.get(at..end).ok_or_else(astray)?;
                let shift = |value, &byte: &u8| value << 8 | u64::from(byte);
                if is_big { bytes.iter().fold(0, shift) } else { bytes.iter().rev().fold(0, shift) }
            }
            _ => return Err(astray()),
        };
        Ok(kind.narrow(value))
    }

    fn poke(self, m: &mut Machine<'_>, kind: Kind, value: u64) -> Exec<()> {
        let object = self.object();
        let value = kind.narrow(value);
        if kind == Kind::Ref {
            m.publish(object, value as Ref);
        }
        match (self, &mut m.process.heap.get_mut(object).data) {
            (Self::Slot(_, slot), Data::Slots(slots)) => {
                *slots.get_mut(slot as usize).ok_or_else(astray)? = value;
            }
            (Self::Element(_, idx), Data::Refs(refs)) => {
                *refs.get_mut(idx).ok_or_else(astray)? = value as Ref;
            }
            (Self::Element(_, idx), Data::Bytes(bytes)) => {
                if (idx + 1) * kind.n_bytes() > bytes.len() {
                    return Err(astray());
                }
                write_element(bytes, kind, idx, value);
            }
            (Self::Bytes(_, at, is_big), Data::Bytes(bytes)) => {
                let n = kind.n_bytes();
                let bytes = bytes.get_mut(at..at.wrapping_add(n)).ok_or_else(astray)?;
                bytes.copy_from_slice(&value.to_le_bytes()[..n]);
                if is_big {
                    bytes.reverse();
                }
            }
            _ => return Err(astray()),
        }
        Ok(())
    }

    /// Records what was read, while a step is explained.
    fn note(self, m: &mut Machine<'_>, kind: Kind, value: u64) {
        if m.step.reads.is_none() {
            return;
        }
        match self {
            Self::Slot(object, slot) => m.note_read(object, slot, kind, value),
            Self::Element(array, idx) => m.note_read(array, idx as u32, kind, value),
            Self::Bytes(array, at, _) => {
                let is_element = m.vm.classes.element_kind(m.process.heap.get(array).class) == Some(kind);
                if is_element && at.is_multiple_of(kind.n_bytes()) {
                    m.note_read(array, (at / kind.n_bytes()) as u32, kind, value);
                }
            }
        }
    }
}

impl SharedView<'_, '_> {
    fn use_variable(&mut self, variable: Variable, how: VariableMode, mode: Mode) -> Exec<()> {
        let place = variable.place(self.m).ordinary(how == VariableMode::Plain);
        self.m.access(Resource::Part(variable.object(), place), mode)
    }

    /// Reads a variable.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that; if the variable is outside of its object.
    pub fn get(&mut self, variable: Variable, kind: Kind, how: VariableMode) -> Exec<u64> {
        self.use_variable(variable, how, Mode::Read)?;
        let value = variable.peek(self.m, kind)?;
        variable.note(self.m, kind, value);
        Ok(value)
    }

    /// Writes a variable, which may be a final field.
    ///
    /// # Errors
    /// As [`SharedView::get`].
    pub fn put(&mut self, variable: Variable, kind: Kind, how: VariableMode, value: u64) -> Exec<()> {
        self.use_variable(variable, how, Mode::WriteAny)?;
        variable.poke(self.m, kind, value)
    }

    /// Reads a variable and writes what comes of its value; gives what it was.
    ///
    /// # Errors
    /// As [`SharedView::get`]; what `change` fails with, before anything is changed.
    pub fn update(&mut self, variable: Variable, kind: Kind, change: impl FnOnce(u64) -> u64) -> Exec<u64> {
        self.change(variable, kind, Mode::WriteAny, change)
    }

    /// As [`SharedView::update`], for an addition whose result may be dropped: `n_slots` says how large it
    /// is.
    ///
    /// # Errors
    /// As [`SharedView::get`].
    pub fn add(&mut self, variable: Variable, kind: Kind, change: impl FnOnce(u64) -> u64) -> Exec<u64> {
        // Numbers that lie across each other in an array carry in different ways.
        let is_field = matches!(variable, Variable::Slot(..));
        let is_dropped = is_field && self.drops_result(u32::from(kind.n_slots()));
        self.change(variable, kind, if is_dropped { Mode::Add } else { Mode::WriteAny }, change)
    }

    fn change(
        &mut self,
        variable: Variable,
        kind: Kind,
        mode: Mode,
        change: impl FnOnce(u64) -> u64,
    ) -> Exec<u64> {
        self.use_variable(variable, VariableMode::Atomic, mode)?;
        let old = variable.peek(self.m, kind)?;
        variable.note(self.m, kind, old);
        variable.poke(self.m, kind, change(old))?;
        Ok(old)
    }

    /// Writes a variable if it has an expected value; gives what it was, and whether that was the value. One
    /// that fails only reads.
    ///
    /// # Errors
    /// As [`SharedView::get`].
    pub fn compare_and_set(
        &mut self,
        variable: Variable,
        kind: Kind,
        expected: u64,
        new: u64,
    ) -> Exec<(u64, bool)> {
        // Looking before the access decides which access it is; nothing happens between the two.
        let is_equal = variable.peek(self.m, kind)? == kind.narrow(expected);
        let mode = if is_equal { Mode::WriteAny } else { Mode::Read };
        self.use_variable(variable, VariableMode::Atomic, mode)?;
        let old = variable.peek(self.m, kind)?;
        variable.note(self.m, kind, old);
        if is_equal {
            variable.poke(self.m, kind, new)?;
        }
        Ok((old, is_equal))
    }

    /// The variable at an offset of an object, as `Unsafe` names it; see `native::memory` for offsets.
    #[must_use]
    pub fn at_offset(&self, object: Ref, offset: u64) -> Variable {
        let at = offset.wrapping_sub(crate::native::memory::BASE) as usize;
        match &self.m.process.heap.get(object).data {
            Data::Slots(_) => Variable::Slot(object, (at / 8) as u32),
            Data::Refs(_) => Variable::Element(object, at / 4),
            Data::Bytes(_) => Variable::Bytes(object, at, false),
        }
    }
}
