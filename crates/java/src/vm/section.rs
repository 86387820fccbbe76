//! Sections of the class library that are one operation: what [`crate::simple`] has in place of algorithms without locks.
//!
//! A section is an operation like others: out of view until something in it is seen in conflict, and then in view as a whole, which is why
//! all that happens in it has one *context*, that of its beginning (see `view`). In view it is an atomic section as those of `allways.Choose`
//! are: nobody else runs before it is over. Out of view it is nothing but its operations, none of which is in conflict with anything. One that
//! cannot be finished in the same step comes into view for that.

use super::execute::Stepped;
use super::machine::{Exec, Machine, Trap};
use super::thread::SUSPENDED;

/// The section that the running thread is in, within a step.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Where it begins.
    pub context: u64,
    /// How many sections that have begun in it are not over.
    depth: u32,
}

impl Machine<'_> {
    /// To be called where a section begins.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends here.
    pub fn enter_section(&mut self) -> Exec<()> {
        if let Some(section) = &mut self.step.section {
            section.depth += 1;
        } else {
            let context = self.context();
            if self.is_concurrent() {
                if self.step.closed {
                    return Err(Trap::Stop);
                }
                if self.is_in_view(context) {
                    self.step.closed = true;
                    self.thread_mut().atomic += 1;
                    self.step.section = Some(Section { context, depth: 0 });
                    return Ok(());
                }
            }
            self.step.section = Some(Section { context, depth: 0 });
        }
        if self.thread().atomic > 0 {
            self.thread_mut().atomic += 1;
        }
        Ok(())
    }

    /// To be called where a section ends.
    pub fn leave_section(&mut self) {
        if let Some(section) = &mut self.step.section {
            if section.depth == 0 {
                self.step.section = None;
            } else {
                section.depth -= 1;
            }
        }
        let thread = self.thread_mut();
        if thread.atomic > 0 {
            thread.atomic -= 1;
            // What others could not see came to pass at once.
            self.step.closed = true;
        }
    }

    /// A thread that has taken a step and not ended has to wait. If it is in an atomic section, others run as usual until it goes on.
    pub(super) fn suspend_section(&mut self, id: u32) {
        let thread = self.process.threads.get_mut(self.step.current).filter(|thread| thread.id == id);
        if let Some(thread) = thread.filter(|thread| thread.atomic > 0) {
            thread.atomic |= SUSPENDED;
        }
    }

    /// A section that is not over at the end of a step must be in view. Until it is, there is no such step: others would see it half done.
    pub(super) fn end_section(&mut self, stepped: Stepped) -> Stepped {
        match self.step.section.take() {
            // Nobody sees it if the process has ended in it.
            Some(section) if !self.process.threads.is_empty() && self.is_concurrent() => {
                self.observe(section.context);
                if stepped == Stepped::Done { Stepped::Rejected } else { stepped }
            }
            _ => stepped,
        }
    }
}
