//! The result of one check, as data.
//!
//! [`Check`] holds what the search counted and found and nothing derived from it: rates and sizes per state
//! are computed where they are shown, so that text and JSON cannot disagree.

use crate::{CacheReport, CoverageReport, Speed, Verdict, WalkReport};
use allways_model::{Digest, Location, Point, Sha256, Violation};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Everything that one check says.
#[derive(Clone, Debug)]
pub struct Check {
    /// The model as the user named it.
    pub model: String,
    /// The model's digest; `None` if it could not be built.
    pub digest: Option<Digest>,
    /// The digest of the specification of what was checked, if it is wanted.
    pub spec_digest: Option<Sha256>,
    /// What was checked.
    pub property: String,
    /// The answer.
    pub verdict: Verdict,
    /// What was counted.
    pub figures: Figures,
    /// How it was searched.
    pub setup: Setup,
    /// Whether every reachable state was seen.
    pub exhausted: bool,
    /// What random walks have seen, if the search was made of them.
    pub walks: Option<WalkReport>,
    /// What the search forgot and did again, if its store was a cache.
    pub cache: Option<CacheReport>,
    /// How much of the graph was seen, if a limit ended the search and that is known.
    pub coverage: Option<CoverageReport>,
    /// The number of violations met; [`Check::errors`] may list fewer.
    pub n_errors: u64,
    /// The violations that are shown.
    pub errors: Vec<ErrorReport>,
    /// The limits that were hit.
    pub limits: Vec<Limit>,
    /// The statements that no run reaches; `None` if the search was not exhausted.
    pub unreached: Option<Vec<Point>>,
    /// What the tool does not know, if that ended the run.
    pub unsupported: Vec<Unsupported>,
    /// The claims of the model that this run did not check.
    pub ignored_claims: Vec<String>,
    /// Anything else the user should know.
    pub warnings: Vec<String>,
    /// Where time and memory went, if that was asked for.
    pub speed: Option<Speed>,
    /// The first counterexample as text, if a report wants it; else empty.
    pub story: String,
}

/// What a search counts.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Distinct states stored.
    pub states: u64,
    /// Successors that were stored already.
    pub matched: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// The longest path searched.
    pub depth: u64,
    /// Wall time.
    pub elapsed: Duration,
    /// Memory of the store and the search.
    pub memory_bytes: u64,
    /// What makes the counts of another run of the same search different, if something may.
    pub varies: Option<String>,
}

impl Figures {
    /// Memory divided by states; zero without states.
    #[must_use]
    pub fn bytes_per_state(&self) -> f64 {
        if self.states == 0 { 0.0 } else { self.memory_bytes as f64 / self.states as f64 }
    }

    /// States stored in a second; zero if the clock did not move.
    #[must_use]
    pub fn states_per_second(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.states as f64 / seconds } else { 0.0 }
    }
}

/// How a model was searched.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The search by its name in the literature.
    pub search: String,
    /// The store.
    pub store: String,
    /// The reduction; `none` without one.
    pub reduction: String,
    /// The number of threads.
    pub workers: usize,
}

/// A violation, and where its counterexample is.
#[derive(Clone, Debug)]
pub struct ErrorReport {
    /// The kind by its name in JSON.
    pub kind: String,
    /// One line for people.
    pub message: String,
    /// Where in the source.
    pub location: Option<Location>,
    /// The trace file, if one was written.
    pub trace: Option<PathBuf>,
    /// The length of the counterexample; `None` if none was kept.
    pub steps: Option<u64>,
    /// If it is a run that never ends: after how many steps it begins to repeat the rest of them.
    pub cycle: Option<u64>,
    /// How many states have it, if that was counted.
    pub n_states: Option<u64>,
}

impl ErrorReport {
    /// A violation at the end of a run of `steps` steps.
    #[must_use]
    pub fn of(violation: &Violation, steps: Option<u64>) -> Self {
        Self {
            kind: violation.kind().name().into(),
            message: violation.message(),
            location: violation.location.clone(),
            trace: None,
            steps,
            cycle: None,
            n_states: None,
        }
    }
}

/// A limit that ended the search or cut a part of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Limit {
    /// The time the user gave.
    Time(Duration),
    /// The memory the user gave, in bytes.
    Memory(u64),
    /// The depth the user gave: longer paths were not followed.
    Depth(u64),
    /// The number of states the user gave.
    States(u64),
    /// The number of random walks.
    Walks(u64),
    /// The stack of the search fills the memory: how much of it.
    Stack(String),
    /// A search in bounded memory visited states too often: how often.
    Redundancy(String),
    /// Ctrl-C.
    Interrupt,
    /// A limit on what the model makes: its name, and what met it.
    OfModel(&'static str, String),
    /// The search came to its end, but its store may have taken new states for known ones: how likely that
    /// is.
    Lossy(String),
}

impl Limit {
    /// The name used in JSON.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Time(_) => "time",
            Self::Memory(_) => "memory",
            Self::Depth(_) => "depth",
            Self::States(_) => "states",
            Self::Walks(_) => "walks",
            Self::Stack(_) => "stack",
            Self::Redundancy(_) => "redundancy",
            Self::Interrupt => "interrupt",
            Self::OfModel(name, _) => name,
            Self::Lossy(_) => "lossy",
        }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.location.as_ref().map_or(Ok(()), |at| write!(f, " at {at}"))
    }
}

/// Something the tool does not know.
#[derive(Clone, Debug)]
pub struct Unsupported {
    /// What it is.
    pub message: String,
    /// Where in the source.
    pub location: Option<Location>,
}
