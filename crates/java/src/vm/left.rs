//! The end of `main` as the end of the process: what a test runner does.
//!
//! With [`Options::end_with_main`](super::Options::end_with_main) the process ends as soon as the first
//! thread has ended. To other threads that is like `System.exit`: what they have not done by then, they never
//! do. Threads that are no daemons are noted, since a test should not leave them behind.

use super::machine::{Exec, Machine};
use super::process::{Ended, MAIN_DIED};
use super::view::{Mode, Resource};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The threads that were left behind, by their names, and a place where each was, as far as all workers have
/// seen.
#[derive(Debug, Default)]
pub struct LeftBehind(Mutex<BTreeMap<String, Option<String>>>);

impl LeftBehind {
    /// A line for each.
    pub(crate) fn seen(&self) -> Vec<String> {
        let left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = |place: &Option<String>| place.as_ref().map_or(String::new(), |at| format!(", at {at}"));
        left.iter().map(|(name, place)| format!("{name} is left behind{}", at(place))).collect()
    }

    /// Adds a thread; of several places the first one counts, whatever the order in which workers come to
    /// them.
    fn add(&self, name: String, place: Option<String>) {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = left.entry(name).or_default();
        if known.is_none()
            || place.as_ref().is_some_and(|place| known.as_ref().is_some_and(|known| place < known))
        {
            *known = place;
        }
    }
}

impl Machine<'_> {
    /// Whether the process ends with the running thread, whoever else is alive.
    pub(super) fn ends_with_this(&self) -> bool {
        self.options.end_with_main && self.thread().id == 0 && !self.booting
    }

    /// To be called before the running thread ends, and the process with it.
    ///
    /// # Errors
    /// [`Trap::Stop`](super::machine::Trap::Stop) if the step ends before that.
    pub(super) fn begin_end_of_process(&mut self) -> Exec<()> {
        self.begin_end()?;
        self.access(Resource::Unlisted, Mode::Write)?;
        // What others print from now on is lost.
        self.also(Resource::Output, Mode::Write);
        Ok(())
    }

    /// The running thread has ended, and the process with it.
    pub(super) fn end_process_with_main(&mut self) {
        if let Some(left) = self.knowledge.left_behind {
            let others = self.process.threads.iter().filter(|thread| thread.id != 0);
            for thread in others.filter(|thread| !self.is_daemon(thread.object)) {
                let name = crate::explain::thread_name(self, thread.id);
                left.add(name, crate::explain::own_place(self, thread).map(|at| at.to_string()));
            }
        }
        self.process.ended = Ended::Exit(i32::from(self.process.died & MAIN_DIED != 0));
        self.process.threads.clear();
        self.step.current = usize::MAX;
        self.end_sockets();
    }
}
