//! Describes the operations of a step one by one, to compare it with the program without reductions.
//!
//! A step of a reduced program is a sequence of steps of the same program without reductions, all by one
//! thread. Here these are taken in one machine, without encoding states in between, so objects keep their
//! identity. Each is described with the names that the whole step gives to objects. So names cannot cause
//! differences between the description of the step and those of its operations.

use super::names::Names;
use super::{Before, reads};
use crate::program::Program;
use crate::vm::execute::Stepped;
use crate::vm::heap::{OVERLAY, Ref};
use crate::vm::process::Ended;
use crate::world::{MAIN, Running, World};
use allways_model::{Lessons, Move, StepKey};

impl Program {
    /// Takes the steps `keys` from `state` on, one after the other, and describes each with the names that
    /// objects have in `state`, or else in the last state. Objects that are not in `state` are omitted from
    /// the reads and changes, as in the description of one step from there. The keys are those of cursors
    /// that know `lessons`.
    ///
    /// `None` if there are no such steps, or if steps of the program are not taken back in place (see
    /// [`Form`](crate::Form)).
    #[must_use]
    pub fn operations(&self, lessons: &Lessons, state: &[u8], keys: &[StepKey]) -> Option<Vec<Move>> {
        let mut world = World::of(self.machine(lessons));
        if !world.processes[MAIN].machine.options.form.undo {
            return None;
        }
        world.load(state);
        let names = Names::find(&world.processes[MAIN].machine);
        for &key in keys {
            go(&mut world.processes[MAIN], key)?;
        }
        let names = names.joined(Names::find(&world.processes[MAIN].machine));
        world.load(state);
        let [main] = &mut world.processes;
        let first_new = OVERLAY + main.loaded.n_objects as Ref;
        let has_others = main.machine.process.next_thread > 1;
        let (mut moves, mut read) = (Vec::new(), Vec::new());
        for &key in keys {
            let before = go(main, key)?;
            let machine = &main.machine;
            let named = if has_others {
                reads::named(machine, &names, |object| object >= first_new)
            } else {
                Vec::new()
            };
            read.push(named);
            moves.push(before.move_with(machine, &names, Vec::new(), |object| object < first_new));
        }
        // A step is described in the state after it, which determines which threads can reach which objects.
        for (step, read) in moves.iter_mut().zip(read) {
            let is_shared = |object| reads::is_shared(&main.machine, &names, object);
            let shared = read.into_iter().filter(|(read, _)| is_shared(read.object));
            step.reads = shared.map(|(_, shown)| shown).collect();
        }
        Some(moves)
    }
}

/// Takes the step `key` without going back. Returns the data about the state before it.
fn go(main: &mut Running<'_>, key: StepKey) -> Option<Before> {
    main.settle();
    let idx = main.loaded.threads.iter().position(|thread| u64::from(thread.id) == key.0 >> 32)?;
    main.machine.step.script.clear();
    let mut choice = 0;
    while main.machine.process.ended == Ended::No {
        main.machine.step.script.rewind();
        main.machine.step.events.clear();
        let before = Before::of(&main.machine, idx);
        main.machine.step.reads = Some(Vec::new());
        let stepped = main.step(idx);
        if choice == key.0 & 0xffff_ffff {
            main.machine.step.touched_threads.clear();
            return (stepped == Stepped::Done).then_some(before);
        }
        main.back(idx, &[]);
        choice += 1;
        if !main.machine.step.script.advance() {
            return None;
        }
    }
    None
}
