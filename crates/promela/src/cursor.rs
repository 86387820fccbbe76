//! The engine's view of a worker's position: the driver, and explanations in words.

use crate::explain;
use crate::machine::{Driver, actor};
use crate::program::Program;
use allways_model::{Batch, Cursor, Fault, Halt, Lesson, Limiter, Move, Snapshot, StepKey, Violation};

pub(crate) struct ProgramCursor<'p> {
    program: &'p Program,
    driver: Driver<'p>,
}

impl<'p> ProgramCursor<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Self { program, driver: Driver::new(program) }
    }
}

impl Cursor for ProgramCursor<'_> {
    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        self.driver.interpreter.initial(out)
    }

    fn limit(&mut self, limiter: &Limiter) {
        self.driver.interpreter.limit(limiter);
    }

    fn load(&mut self, state: &[u8]) {
        self.driver.load(state);
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        self.driver.expand(out)
    }

    fn expand_some(&mut self, out: &mut Batch) -> Result<bool, Halt> {
        self.driver.expand_some(out)
    }

    fn take(&mut self, key: StepKey, out: &mut Batch) -> Result<(), Halt> {
        self.driver.take(key, out)
    }

    fn explain(&mut self, key: StepKey) -> Option<Vec<Move>> {
        let explained = self.driver.explain(key)?;
        let layouts = &self.driver.interpreter.layouts;
        Some(explained.moves.iter().map(|raw| explain::explain_move(self.program, layouts, raw)).collect())
    }

    fn failing_state(&mut self, key: StepKey) -> Option<Snapshot> {
        let failing = self.driver.explain(key)?.failing?;
        Some(explain::snapshot(self.program, &self.driver.interpreter.layouts, &failing))
    }

    fn accepting(&mut self) -> bool {
        match self.driver.native() {
            Some(native) => native.observe().is_accepting(),
            None => self.driver.interpreter.accepting(),
        }
    }

    fn holds(&mut self, proposition: u32) -> Result<bool, Violation> {
        if let Some(native) = self.driver.native()
            && !self.program.asks_for_timeout(proposition)
        {
            let holds = native.observe().holds(&self.program.lowered().propositions[proposition as usize]);
            if native.trouble.is_empty() {
                return Ok(holds);
            }
            // The interpreter reports what went wrong.
            native.trouble.take();
        }
        self.driver.interpreter().holds(proposition)
    }

    fn actor(&self, key: StepKey) -> Option<u32> {
        Some(actor(key))
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        self.driver.counters()
    }

    fn lesson(&self) -> Lesson {
        Lesson::new()
    }

    fn rests(&self) -> bool {
        !self.driver.interpreter.is_cut()
    }

    fn take_cut(&mut self) -> Option<Fault> {
        self.driver.interpreter.cut.take()
    }

    fn reached(&self) -> Vec<u64> {
        self.driver.reached()
    }
}
