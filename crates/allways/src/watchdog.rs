//! Ends the process when a limit has passed and what runs does not end by itself.
//!
//! Searches check their limits themselves. Reading a model, starting a class library, or a single huge step
//! do not, so a separate thread checks the clock, Ctrl-C and the memory of the process. When a limit has
//! passed, it waits for as long as the command may take to end by itself, then reports how far that has come,
//! and ends the process. It never does so after a violation was found: that would lose it.
//! [`Watchdog::disarm`] says that results are being reported; from then on the command ends by itself.

use crate::progress::Progress;
use allways_report::ExitCode;
use allways_search::{Limit, OVERRUN, Observer, Sample};
use allways_session::{Watch, resident};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The interval at which flags and memory are checked.
const TICK: Duration = Duration::from_millis(20);
/// What a process may occupy besides what a search counts: code, buffers, what the allocator keeps.
const BESIDES: u64 = 64 << 20;
/// What reading a model or starting a class library may take, on top of the limit.
const LOADING: u64 = 512 << 20;

/// The limits of a command, and what it does at the moment.
pub(crate) struct Watchdog<T> {
    begun: Instant,
    deadline: Option<Instant>,
    memory: Option<u64>,
    stop: &'static AtomicBool,
    /// Tells a search that the process occupies too much.
    full: AtomicBool,
    /// Set by a search that has met a violation.
    found: AtomicBool,
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    job: Option<Job<T>>,
    is_over: bool,
}

/// What is under way.
struct Job<T> {
    /// What is reported if it does not end.
    report: T,
    begun: Instant,
    sample: Option<Sample>,
    /// How long after a limit it may go on.
    patience: Duration,
    /// What the process may occupy.
    most_bytes: u64,
    /// A limit of the search's own, which ended it some time ago, but in vain.
    overrun: Option<Limit>,
}

/// How far a job came that has to be ended: the limit, and of a search its last figures.
pub(crate) struct Overdue<T> {
    pub(crate) report: T,
    pub(crate) limit: Limit,
    pub(crate) sample: Option<Sample>,
    pub(crate) elapsed: Duration,
}

impl<T: Send> Watchdog<T> {
    /// Watches over a command with these limits, which begins now.
    pub(crate) fn new(time: Option<Duration>, memory: Option<u64>, stop: &'static AtomicBool) -> Self {
        let begun = Instant::now();
        Self {
            begun,
            deadline: time.and_then(|time| begun.checked_add(time)),
            memory,
            stop,
            full: AtomicBool::new(false),
            found: AtomicBool::new(false),
            state: Mutex::new(State { job: None, is_over: false }),
            changed: Condvar::new(),
        }
    }

    /// Runs a command, and `give_up` if the command does not end in time; that gives the exit code.
    pub(crate) fn guard<R>(
        &self,
        give_up: impl Fn(Overdue<T>) -> ExitCode + Sync,
        command: impl FnOnce() -> R,
    ) -> R {
        /// Ends the watch also if the command panics.
        struct Ended<'a, T: Send>(&'a Watchdog<T>);
        impl<T: Send> Drop for Ended<'_, T> {
            fn drop(&mut self) {
                self.0.lock().is_over = true;
                self.0.changed.notify_all();
            }
        }
        thread::scope(|scope| {
            let watch = || self.watch(&give_up);
            let started = thread::Builder::new().name("watchdog".into()).spawn_scoped(scope, watch);
            // Without it, limits are kept a little less well.
            drop(started);
            let _ended = Ended(self);
            command()
        })
    }

    /// When the command began.
    pub(crate) fn begun(&self) -> Instant {
        self.begun
    }

    /// A model is being loaded.
    pub(crate) fn loads(&self, report: T) {
        let most_bytes = self.memory.map_or(u64::MAX, |limit| limit.saturating_add(LOADING));
        self.arm(report, OVERRUN, most_bytes);
    }

    /// A search begins, or its results are put together.
    pub(crate) fn searches(&self, report: T) {
        self.search(report, OVERRUN);
    }

    /// A search begins whose results take a while to put together: only the search itself says that it is
    /// late.
    pub(crate) fn searches_and_collects(&self, report: T) {
        self.search(report, Duration::from_secs(u64::from(u32::MAX)));
    }

    fn search(&self, report: T, patience: Duration) {
        self.found.store(false, Relaxed);
        let own = |limit: u64| limit.saturating_add(BESIDES.max(limit / 16));
        let most_bytes = self.memory.map_or(u64::MAX, |limit| own(limit).saturating_add(resident()));
        self.arm(report, patience, most_bytes);
    }

    /// The same goes on, with something else to report.
    pub(crate) fn reports(&self, report: T) {
        if let Some(job) = &mut self.lock().job {
            job.report = report;
        }
    }

    /// Runs a search that `progress` shows, and that ends at the limits and at Ctrl-C.
    pub(crate) fn supervise<R>(
        &self,
        progress: Option<Progress>,
        observers: &[&dyn Observer],
        search: impl FnOnce(&Watch<'_>) -> R,
    ) -> R {
        let begun = Instant::now();
        let show = |sample: &Sample| {
            // Searches that begin again count their own time.
            let sample = Sample { elapsed: begun.elapsed(), ..*sample };
            self.note(&sample);
            if let Some(progress) = &progress {
                progress.show(&sample);
            }
        };
        search(&Watch {
            stop: Some(self.stop),
            full: Some(&self.full),
            found: Some(&self.found),
            progress: Some(&show),
            overrun: Some(&|sample, limit| self.overrun(sample, limit)),
            observers,
        })
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// How far the search is.
    fn note(&self, sample: &Sample) {
        if let Some(job) = &mut self.lock().job {
            job.sample = Some(*sample);
        }
    }

    /// The search was to stop for a limit some time ago, and has not.
    fn overrun(&self, sample: &Sample, limit: Limit) {
        if let Some(job) = &mut self.lock().job {
            (job.sample, job.overrun) = (Some(*sample), Some(limit));
        }
        self.changed.notify_all();
    }

    /// The command ends by itself from now on: results are printed.
    pub(crate) fn disarm(&self) {
        self.lock().job = None;
    }

    fn arm(&self, report: T, patience: Duration, most_bytes: u64) {
        let begun = Instant::now();
        self.lock().job = Some(Job { report, begun, sample: None, patience, most_bytes, overrun: None });
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the command is over, or ends it. The state stays locked while the end is reported, so that
    /// the command cannot print at the same time.
    fn watch(&self, give_up: &impl Fn(Overdue<T>) -> ExitCode) {
        let mut passed: Option<(Limit, Instant)> = None;
        let mut state = self.lock();
        while !state.is_over {
            state = self.changed.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
            let now = Instant::now();
            let Some(job) = &state.job else { continue };
            if job.most_bytes != u64::MAX && resident() > job.most_bytes {
                self.full.store(true, Relaxed);
            }
            passed = passed.or_else(|| self.passed(now));
            let due = passed.filter(|(_, when)| now >= *when + job.patience).map(|(limit, _)| limit);
            let Some(limit) = job.overrun.or(due).filter(|_| !self.found.load(Relaxed)) else { continue };
            if let Some(Job { report, begun, sample, .. }) = state.job.take() {
                let code = give_up(Overdue { report, limit, sample, elapsed: begun.elapsed() });
                process::exit(code as i32);
            }
        }
    }

    /// The limit that has passed, and since when.
    fn passed(&self, now: Instant) -> Option<(Limit, Instant)> {
        if self.is_interrupted() {
            return Some((Limit::Interrupted, now));
        }
        if let Some(deadline) = self.deadline.filter(|deadline| now >= *deadline) {
            return Some((Limit::Time, deadline));
        }
        self.full.load(Relaxed).then_some((Limit::Memory, now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static NEVER: AtomicBool = AtomicBool::new(false);

    #[test]
    fn a_limit_passes_once_and_a_command_that_ends_is_left_alone() {
        let watchdog = Watchdog::new(Some(Duration::from_millis(1)), None, &NEVER);
        let deadline = watchdog.begun() + Duration::from_millis(1);
        assert_eq!(watchdog.passed(watchdog.begun()), None);
        let later = deadline + Duration::from_secs(1);
        assert_eq!(watchdog.passed(later), Some((Limit::Time, deadline)));
        // Nothing is under way, or a violation was found, or results are printed.
        let give_up = |_: Overdue<&str>| unreachable!("this command ends by itself");
        let answer = watchdog.guard(give_up, || {
            thread::sleep(3 * TICK);
            watchdog.searches("a search");
            watchdog.found.store(true, Relaxed);
            thread::sleep(OVERRUN + 3 * TICK);
            watchdog.disarm();
            7
        });
        assert_eq!(answer, 7);
    }
}
