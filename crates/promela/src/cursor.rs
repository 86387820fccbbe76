//! A worker's position in a compiled model: native code where it is ready and knows how, the interpreter elsewhere.

use crate::explain;
use crate::machine::{Machine, actor};
use crate::native::{Expanded, Runtime};
use crate::program::Program;
use allways_model::{Batch, Cursor, Halt, Lesson, Move, Snapshot, StepKey, Violation};

/// A model of which so many states were expanded is worth compiling.
const STATES_BEFORE_COMPILING: u32 = 500;

pub(crate) struct ProgramCursor<'p> {
    program: &'p Program,
    machine: Machine<'p>,
    native: Option<Box<Runtime>>,
    /// Which of the two has the loaded state.
    in_native: bool,
    in_machine: bool,
    /// States expanded so far, as long as that matters.
    n_expanded: u32,
    /// States expanded by the interpreter for want of code.
    n_early: u64,
}

impl<'p> ProgramCursor<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let native = program.native_runtime();
        Self {
            program,
            machine: Machine::new(program),
            native,
            in_native: false,
            in_machine: false,
            n_expanded: 0,
            n_early: 0,
        }
    }

    /// Gives the machine the loaded state.
    fn bring_machine(&mut self) {
        if let Some(native) = self.native.as_ref().filter(|_| !self.in_machine) {
            self.machine.load(native.loaded());
            self.in_machine = true;
        }
    }

    /// Starts to compile a model that is not tiny, and begins to use the code when it is there.
    fn think_of_compiling(&mut self) {
        self.n_early += 1;
        self.n_expanded = self.n_expanded.wrapping_add(1);
        if self.n_expanded == STATES_BEFORE_COMPILING {
            self.program.request_native();
        }
        if self.n_expanded.is_multiple_of(64) && self.n_expanded >= STATES_BEFORE_COMPILING {
            self.native = self.program.native_runtime();
        }
    }
}

impl Cursor for ProgramCursor<'_> {
    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        Ok(self.machine.initial(out)?)
    }

    fn load(&mut self, state: &[u8]) {
        if let Some(native) = &mut self.native {
            native.load(state);
        } else {
            self.machine.load(state);
        }
        self.in_native = self.native.is_some();
        self.in_machine = !self.in_native;
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        if let Some(native) = self.native.as_mut().filter(|_| self.in_native) {
            let expanded = native.expand(u64::MAX, out);
            if expanded == Expanded::Done {
                return Ok(());
            }
            self.bring_machine();
            match (expanded, &mut self.native) {
                (Expanded::Nothing, _) => return Ok(self.machine.expand_idle(out)?),
                (Expanded::Left(left), Some(native)) => {
                    return Ok(self.machine.expand_left(native, left, out)?);
                }
                _ => {}
            }
        } else {
            self.think_of_compiling();
        }
        Ok(self.machine.expand(out)?)
    }

    fn expand_some(&mut self, out: &mut Batch) -> Result<bool, Halt> {
        if !self.machine.has_choice() {
            return self.expand(out).map(|()| true);
        }
        if !self.in_native {
            self.think_of_compiling();
        }
        // The machine chooses processes, and so must know the state.
        self.bring_machine();
        let native = self.native.as_deref_mut().filter(|_| self.in_native);
        Ok(self.machine.expand_some(native, out)?)
    }

    fn explain(&mut self, key: StepKey) -> Option<Vec<Move>> {
        self.bring_machine();
        let explained = self.machine.explain(key)?;
        let layouts = &self.machine.layouts;
        Some(explained.moves.iter().map(|raw| explain::explain_move(self.program, layouts, raw)).collect())
    }

    fn failing_state(&mut self, key: StepKey) -> Option<Snapshot> {
        self.bring_machine();
        let failing = self.machine.explain(key)?.failing?;
        Some(explain::snapshot(self.program, &self.machine.layouts, &failing))
    }

    fn accepting(&mut self) -> bool {
        match self.native.as_ref().filter(|_| self.in_native) {
            Some(native) => native.observe().is_accepting(),
            None => self.machine.accepting(),
        }
    }

    fn holds(&mut self, proposition: u32) -> Result<bool, Violation> {
        if let Some(native) = self.native.as_ref().filter(|_| self.in_native)
            && !self.program.asks_for_timeout(proposition)
        {
            let holds = native.observe().holds(&self.program.lowered().propositions[proposition as usize]);
            if native.trouble.is_empty() {
                return Ok(holds);
            }
            // What went wrong, the machine will say.
            native.trouble.take();
        }
        self.bring_machine();
        self.machine.holds(proposition)
    }

    fn actor(&self, key: StepKey) -> Option<u32> {
        Some(actor(key))
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("expansions by native code", self.native.as_ref().map_or(0, |native| native.n_expanded)),
            ("expansions by the interpreter before there was native code", self.n_early),
            (
                "expansions that native code left to the interpreter",
                self.native.as_ref().map_or(0, |native| native.n_given_up),
            ),
        ]
    }

    fn lesson(&self) -> Lesson {
        Lesson::new()
    }

    fn reached(&self) -> Vec<u64> {
        let mut reached = self.machine.reached().to_vec();
        let visited = self.native.as_deref().map_or(&[][..], Runtime::visited);
        for (state, _) in visited.iter().enumerate().filter(|&(_, visited)| *visited != 0) {
            for &point in self.program.points_of(state) {
                reached[point as usize / 64] |= 1 << (point % 64);
            }
        }
        reached
    }
}
