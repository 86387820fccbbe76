//! What an observer sees of the loaded state: labels and propositions.

use super::eval::Eval;
use super::expand::Interpreter;
use super::target::{ALL, Explored, StepTarget};
use allways_model::{Batch, Violation};

impl Interpreter<'_> {
    /// Whether any process is at a label that begins with `accept`.
    pub(crate) fn accepting(&self) -> bool {
        let memory = &self.frames[0].memory;
        Eval::new(self.program.lowered(), &self.layouts, memory, 0, &self.trouble).is_accepting()
    }

    /// Whether a proposition holds.
    ///
    /// # Errors
    /// The violation, if evaluating it is an error.
    pub(crate) fn holds(&mut self, proposition: u32) -> Result<bool, Violation> {
        let expr = &self.program.lowered().propositions[proposition as usize];
        let timeout = self.program.asks_for_timeout(proposition) && self.is_idle();
        let memory = &self.frames[0].memory;
        let eval =
            Eval { timeout, ..Eval::new(self.program.lowered(), &self.layouts, memory, 0, &self.trouble) };
        let holds = eval.holds(expr);
        if self.trouble.is_empty() {
            return Ok(holds);
        }
        let trouble = self.trouble.take().into_iter().next().expect("there is trouble");
        let location = self.program.location(trouble.span);
        Err(trouble.into_violation(location))
    }

    /// Whether no step is possible without a timeout.
    fn is_idle(&mut self) -> bool {
        self.begin();
        matches!(self.explore(ALL, &mut Batch::new()), Ok(explored) if explored != Explored::Done)
    }
}
