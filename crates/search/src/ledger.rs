//! The violations that a search has met.
//!
//! All violations are counted. The first of each identity is kept, with the data from which the path to it is
//! found (`T`: the steps themselves, or the state to trace back from). A search that stops at the first
//! violation keeps one. The ledger also keeps the faults and lessons that ended expansions.

use crate::control::Reason;
use crate::outcome::SearchFindings;
use crate::{Finding, Limit};
use allways_model::{Fault, Halt, Lesson, Path, StepKey, Violation};
use std::sync::{Mutex, MutexGuard};

/// The violations met so far, and the faults and lessons that ended expansions.
pub(crate) struct Ledger<T> {
    all_errors: bool,
    max_findings: usize,
    entries: Mutex<Entries<T>>,
}

/// The contents of a ledger.
pub(crate) struct Entries<T> {
    /// The violations kept, each with the length of the path to it.
    pub(crate) findings: Vec<(Violation, T, u64)>,
    /// The fault of the model, and its trace unless it happened before the initial state.
    pub(crate) fault: Option<(Fault, Option<T>)>,
    /// The lesson because of which the search must be repeated.
    pub(crate) lesson: Lesson,
    pub(crate) n_errors: u64,
}

impl<T> Ledger<T> {
    pub(crate) fn new(all_errors: bool, max_findings: usize) -> Self {
        let entries = Entries { findings: Vec::new(), fault: None, lesson: Lesson::new(), n_errors: 0 };
        Self { all_errors, max_findings: max_findings.max(1), entries: Mutex::new(entries) }
    }

    /// Notes a violation at the end of a path of `length` steps.
    pub(crate) fn note(&self, violation: &Violation, length: u64, trace: impl FnOnce() -> T) {
        let mut entries = self.lock();
        let found = &mut entries.findings;
        if !self.all_errors {
            if found.first().is_none_or(|(_, _, shortest)| length < *shortest) {
                *found = vec![(violation.clone(), trace(), length)];
            }
            entries.n_errors = 1;
            return;
        }
        if found.len() < self.max_findings && !found.iter().any(|(known, _, _)| known.is_same(violation)) {
            found.push((violation.clone(), trace(), length));
        }
        entries.n_errors += 1;
    }

    /// Notes what ended an expansion, and returns the reason to stop the search.
    pub(crate) fn note_halt(&self, halt: Halt, trace: impl FnOnce() -> Option<T>) -> Reason {
        let mut entries = self.lock();
        match halt {
            Halt::Unsupported(fault) => {
                entries.fault.get_or_insert_with(|| (fault, trace()));
                Reason::Fault
            }
            Halt::Refine(lesson) => {
                entries.lesson.merge(&lesson);
                Reason::Refine
            }
            // There is an earlier reason, which is kept.
            Halt::Stopped => Reason::Limit(Limit::Interrupted),
            Halt::Full => Reason::Limit(Limit::Memory),
            Halt::Enough => Reason::Limit(Limit::States),
        }
    }

    /// Consumes the ledger and returns its contents.
    pub(crate) fn into_entries(self) -> Entries<T> {
        self.entries.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// As [`Entries::into_found`].
    pub(crate) fn into_found(
        self,
        cut: bool,
        path: impl Fn(Option<T>, Option<StepKey>) -> Path,
    ) -> SearchFindings {
        self.into_entries().into_found(cut, path)
    }

    fn lock(&self) -> MutexGuard<'_, Entries<T>> {
        self.entries.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl<T> Entries<T> {
    /// The findings of a search that checks single states and steps. `path` computes the path to a trace,
    /// with the last step if the violation happened during one.
    pub(crate) fn into_found(
        self,
        cut: bool,
        path: impl Fn(Option<T>, Option<StepKey>) -> Path,
    ) -> SearchFindings {
        let findings = self.findings.into_iter().map(|(violation, at, _)| {
            let path = path(Some(at), violation.key);
            Finding { violation, path, cycle: None }
        });
        SearchFindings {
            findings: findings.collect(),
            n_errors: self.n_errors,
            fault: self.fault.map(|(fault, at)| (fault, path(at, None))),
            lesson: self.lesson,
            cut,
        }
    }

    /// Converts every trace.
    pub(crate) fn map<U>(self, way: impl Fn(T) -> U) -> Entries<U> {
        Entries {
            findings: self
                .findings
                .into_iter()
                .map(|(what, trace, length)| (what, way(trace), length))
                .collect(),
            fault: self.fault.map(|(fault, trace)| (fault, trace.map(way))),
            lesson: self.lesson,
            n_errors: self.n_errors,
        }
    }
}
