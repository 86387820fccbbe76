//! The operations of a step one by one: what holds descriptions of steps against the program without
//! reductions.
//!
//! A step of a reduced program is a sequence of steps of the same program without reductions, all by one
//! thread. Here these are taken in one machine that is never written down on the way, so that objects keep
//! their identity, and each is described with the names that the whole step gives to objects. What differs then
//! between the description of the step and those of its operations is not a matter of names.

use super::JavaCursor;
use crate::explain::names::Names;
use crate::explain::{Before, reads};
use crate::program::Program;
use crate::vm::execute::Stepped;
use crate::vm::heap::{OVERLAY, Ref};
use crate::vm::machine::Ended;
use allways_model::{Lessons, Move, StepKey};

impl Program {
    /// Takes the steps `keys` from `state` on, one after the other, and describes each with the names that
    /// objects have in `state`, or else in the last state. Objects that are not in `state` are left out of
    /// what was read and changed, as in the description of one step from there. The keys are those of cursors
    /// that know `lessons`.
    ///
    /// `None` if there are no such steps.
    #[must_use]
    pub fn operations(&self, lessons: &Lessons, state: &[u8], keys: &[StepKey]) -> Option<Vec<Move>> {
        let mut cursor = JavaCursor::new(self, lessons);
        cursor.begin(state);
        let names = Names::find(&cursor.machine);
        for &key in keys {
            cursor.go(key)?;
        }
        let names = names.joined(Names::find(&cursor.machine));
        cursor.begin(state);
        let first_new = OVERLAY + cursor.n_objects as Ref;
        let has_others = cursor.machine.next_thread > 1;
        let (mut moves, mut read) = (Vec::new(), Vec::new());
        for &key in keys {
            let before = cursor.go(key)?;
            let machine = &cursor.machine;
            let named = if has_others {
                reads::named(machine, &names, |object| object >= first_new)
            } else {
                Vec::new()
            };
            read.push(named);
            moves.push(before.move_with(machine, &names, Vec::new(), |object| object < first_new));
            cursor.settle();
        }
        // A step is described when it is over: who can reach what is a matter of that state.
        for (step, read) in moves.iter_mut().zip(read) {
            let shared =
                read.into_iter().filter(|(read, _)| reads::is_shared(&cursor.machine, &names, read.object));
            step.reads = shared.map(|(_, shown)| shown).collect();
        }
        Some(moves)
    }
}

impl JavaCursor<'_> {
    /// Loads a state also if the machine has left it.
    fn begin(&mut self, state: &[u8]) {
        self.loaded.clear();
        super::Cursor::load(self, state);
    }

    /// Takes the step `key` and stays there; gives what was before. The next step needs
    /// [`JavaCursor::settle`] before it.
    fn go(&mut self, key: StepKey) -> Option<Before> {
        self.settle();
        self.loaded.clear();
        let idx = self.threads.iter().position(|thread| u64::from(thread.id) == key.0 >> 32)?;
        self.machine.script.clear();
        let mut choice = 0;
        while self.machine.ended == Ended::No {
            self.machine.script.rewind();
            let before = Before::of(&self.machine, idx);
            self.machine.reads = Some(Vec::new());
            let stepped = self.step(idx);
            if choice == key.0 & 0xffff_ffff {
                self.machine.touched_threads.clear();
                return (stepped == Stepped::Done).then_some(before);
            }
            self.back(idx);
            choice += 1;
            if !self.machine.script.advance() {
                return None;
            }
        }
        None
    }
}
