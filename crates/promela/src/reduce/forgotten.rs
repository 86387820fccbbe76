//! What `dead` makes a program forget, so that a run can be shown with the real values of its variables.
//!
//! `dead` resets variables that are not read again, and `faint` drops assignments to globals that are never
//! read. No guard, index, message, property or order of steps depends on either. So the program that keeps
//! these values ([`Forgotten::restore`]) has the same steps with the same keys, and [`Forgotten::forget`]
//! maps each of its states to the state of the reduced program on the same path. Merging is not undone: which
//! steps are merged was decided without the dropped assignments, and the transitions stay unchanged.
//!
//! In models with objects, a pointer that is reset may be the last one to an object, which then is not part
//! of the reduced program's state. So the remaining state is brought into normal form, and this program may
//! have more objects than `--max-objects` lets the reduced one have.
//!
//! Two places of the machine compare whole states to detect a step that does not end. They ignore what is
//! forgotten. Otherwise a counter that is never read would keep such a step running in one of the two
//! programs only.

use super::access::bodies;
use super::dead::DeadRanges;
use super::faint::Extent;
use crate::ir::{Setup, Statement};
use crate::lower::Lowered;
use crate::machine::{Layouts, Memory, activations, initial_globals, normalise};

/// What the reduction resets, and the parts of the program that it changed.
#[derive(Debug)]
pub(crate) struct Forgotten {
    /// The statements and the setup of each process type and function before the reduction.
    before: Vec<(Vec<Statement>, Vec<Setup>)>,
    /// The dead ranges, by process type or function and control state.
    dead: Vec<DeadRanges>,
    /// Faint globals: the start and the initial value of each.
    faint: Vec<(usize, Vec<u8>)>,
}

impl Forgotten {
    /// Applies the reduction to `lowered`.
    pub(super) fn by_reducing(
        lowered: &mut Lowered,
        reduce: impl FnOnce(&mut Lowered) -> Vec<Extent>,
    ) -> Self {
        let before = bodies(lowered).map(|p| (p.statements.clone(), p.setup.clone())).collect();
        let faint = reduce(lowered);
        let globals = if faint.is_empty() { Vec::new() } else { initial_globals(lowered) };
        let first = |(start, end): Extent| {
            let (start, end) = (start as usize, end as usize);
            (start, globals[start..end].to_vec())
        };
        Self { before, dead: Vec::new(), faint: faint.into_iter().map(first).collect() }
    }

    /// Records the dead ranges.
    pub(super) fn set_dead(&mut self, dead: Vec<DeadRanges>) {
        self.dead = dead;
    }

    /// Undoes the reduction in a program that it was applied to.
    pub(crate) fn restore(&self, lowered: &mut Lowered) {
        for (proctype, (statements, setup)) in lowered.bodies_mut().zip(&self.before) {
            proctype.statements.clone_from(statements);
            proctype.setup.clone_from(setup);
            for transition in proctype.transitions.iter_mut().flatten() {
                transition.clears.clear();
            }
        }
    }

    /// Resets in `vector` what the reduced program does not keep. Other bytes may follow the state in it.
    pub(crate) fn forget(&self, vector: &mut Vec<u8>, program: &Lowered, layouts: &mut Layouts) {
        self.forget_globals(vector);
        let layout = layouts.of(vector, program);
        let (mut memory, rest) = Memory::split(vector, program, layouts, layout);
        for place in activations(&memory, program, layouts) {
            for &(start, len) in &self.dead[place.code][place.pc] {
                let start = place.base + start as usize;
                memory.bytes[start..start + len as usize].fill(0);
            }
        }
        normalise(program, layouts, &memory, vector);
        vector.extend(rest);
    }

    /// Like [`Self::forget`], for a state in the middle of a statement: dead ranges are known only between
    /// statements.
    pub(crate) fn forget_globals(&self, vector: &mut [u8]) {
        for (start, first) in &self.faint {
            vector[*start..start + first.len()].copy_from_slice(first);
        }
    }
}
