//! Detects states from which on priorities do not matter.
//!
//! A process waits while one of higher priority can move. If all processes have the same priority, and so do
//! all that will ever be started, then no process waits any more, and the model continues like one without
//! priorities. Processes that can do nothing but die do not count if all of them are older than the others. A
//! process dies only when it is the youngest, so none of them moves while there is a process that it could
//! keep waiting.

use crate::ir::Action;
use crate::lower::Lowered;

impl Lowered {
    /// Whether a process may have to wait for another's priority, in this state or in a later one.
    /// `processes` gives the numbers of their types and the offsets of their records, the oldest first.
    pub(crate) fn ranks_matter(&self, mut processes: impl Iterator<Item = (u8, u32)>, vector: &[u8]) -> bool {
        if !self.features.priority {
            return false;
        }
        if self.features.changes_priority {
            return true;
        }
        let rank = |at: u32| vector[at as usize + 1];
        let first = processes.find(|&(ty, at)| {
            let pc = u16::from_le_bytes([vector[at as usize + 2], vector[at as usize + 3]]);
            !self.only_dies(ty, pc)
        });
        let Some((_, first)) = first else { return false };
        let common = rank(first);
        self.features.started.is_some_and(|started| started != (common, common))
            || processes.any(|(_, at)| rank(at) != common)
    }

    /// Whether a process in this control state can do nothing but die.
    fn only_dies(&self, ty: u8, pc: u16) -> bool {
        let proctype = &self.proctypes[usize::from(ty)];
        match proctype.transitions[usize::from(pc)].as_slice() {
            [only] => matches!(proctype.statements[only.statement as usize].action, Action::End),
            _ => false,
        }
    }
}
