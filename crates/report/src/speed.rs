//! Where time and memory went (`check --explain-speed`): the figures of one search, shares of them, and hints
//! in plain words about what to try.
//!
//! [`Speed`] holds what was counted and measured; shares and hints are derived here, for text and JSON alike.
//! Times of parts are estimates from samples, summed over all workers.

use crate::check::{Check, Figures};
use crate::figures::{bytes, count, duration, plural, rate};
use crate::json::rounded;
use crate::paint::Paint;
use crate::steps::pad;
use serde::Serialize;
use std::io::{self, Write};
use std::time::Duration;

/// Fewer samples than this say nothing about times.
const ENOUGH_SAMPLES: u64 = 200;

/// Where the time and the memory of one check went.
#[derive(Clone, Debug, Default)]
pub struct Speed {
    /// Reading, parsing and compiling the model.
    pub loading: Duration,
    /// Computing successors, by all workers together.
    pub expanding: Duration,
    /// Putting states into the store and getting them back, by all workers together.
    pub storing: Duration,
    /// How many calls were timed for this.
    pub n_samples: u64,
    /// How many states were expanded.
    pub n_expanded: u64,
    /// How many of them not as a whole, because a reduction found that enough.
    pub n_partial: u64,
    /// The most successors of one state.
    pub most_successors: u64,
    /// How often successors were stored, and how many at most at a time.
    pub n_batches: u64,
    /// The largest batch.
    pub largest_batch: u64,
    /// The bytes of the shortest vector, of all vectors together, and of the longest.
    pub vectors: (u64, u64, u64),
    /// The memory of the store, by what it is for.
    pub store: Vec<MemoryPart>,
    /// Stacks, queues and side tables at their largest.
    pub beside_bytes: u64,
    /// What the model counted itself, such as how its states were expanded.
    pub counters: Vec<(String, u64)>,
    /// How many cores the machine has.
    pub cores: usize,
    /// What else is worth knowing, such as why something was not done.
    pub notes: Vec<String>,
}

/// A part of a store's memory.
#[derive(Clone, Debug, Serialize)]
pub struct MemoryPart {
    /// What it is.
    pub name: String,
    /// How large it is.
    pub bytes: u64,
    /// How full it is, from zero to one, if it is a table.
    pub fill: Option<f64>,
}

/// The object `speed` of `check --json`.
#[derive(Serialize)]
pub(crate) struct SpeedJson<'a> {
    loading_s: f64,
    search_s: f64,
    expanding_s: f64,
    storing_s: f64,
    other_s: f64,
    n_samples: u64,
    transitions_per_s: f64,
    successors_per_state: f64,
    most_successors: u64,
    matched_per_transition: f64,
    n_batches: u64,
    largest_batch: u64,
    vector: VectorJson,
    n_expanded: u64,
    n_partial: u64,
    store: &'a [MemoryPart],
    beside_bytes: u64,
    counters: Vec<CounterJson<'a>>,
    hints: Vec<String>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct CounterJson<'a> {
    name: &'a str,
    count: u64,
}

#[derive(Serialize)]
struct VectorJson {
    shortest: u64,
    bytes_per_state: f64,
    longest: u64,
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

fn percent(part: f64, whole: f64) -> String {
    format!("{:.0} %", 100.0 * share(part, whole))
}

impl Speed {
    /// The time that all workers had together.
    fn worked(&self, check: &Check) -> Duration {
        check.figures.elapsed * u32::try_from(check.setup.workers).unwrap_or(u32::MAX)
    }

    /// What was neither expanding nor storing: bookkeeping of the search, and waiting.
    fn other(&self, check: &Check) -> Duration {
        self.worked(check).saturating_sub(self.expanding + self.storing)
    }

    fn successors_per_state(&self, figures: &Figures) -> f64 {
        share(figures.transitions as f64 - 1.0, figures.states as f64).max(0.0)
    }

    fn mean_vector(&self) -> f64 {
        share(self.vectors.1 as f64, self.n_expanded as f64)
    }

    /// What a user may try, in plain words.
    #[must_use]
    pub fn hints(&self, check: &Check) -> Vec<String> {
        let mut hints = Vec::new();
        let (figures, setup) = (&check.figures, &check.setup);
        if self.n_samples < ENOUGH_SAMPLES {
            hints.push("the search was too short for its times to mean much".into());
        }
        if self.loading > figures.elapsed && self.n_samples >= ENOUGH_SAMPLES {
            hints.push("reading the model took longer than searching it".into());
        }
        let worked = self.worked(check).as_secs_f64();
        let memory = figures.memory_bytes as f64;
        let of_store = |names: &[&str]| {
            self.store
                .iter()
                .filter(|part| names.contains(&part.name.as_str()))
                .map(|part| part.bytes)
                .sum::<u64>()
        };
        let large = figures.memory_bytes > 64 << 20;
        if large && share(of_store(&["vectors"]) as f64, memory) > 0.5 {
            hints
                .push("most memory is in whole vectors: --store tree keeps what they share only once".into());
        }
        if large && share(self.beside_bytes as f64, memory) > 0.5 {
            let other = if setup.search == "dfs" { "bfs" } else { "dfs" };
            hints.push(format!(
                "most memory is beside the store, in stacks and side tables: try --search {other}"
            ));
        }
        let long = self.n_samples >= ENOUGH_SAMPLES && figures.elapsed > Duration::from_secs(1);
        if long && setup.store == "tree" && share(self.storing.as_secs_f64(), worked) > 0.6 {
            hints.push("most time goes into the store: --store exact takes more memory and less time".into());
        }
        if long && setup.reduction == "none" {
            hints.push("no reduction is on: without --no-reduce there may be far fewer states".into());
        }
        if long && setup.workers < self.cores {
            let cores = self.cores;
            hints.push(format!("{} of {cores} cores worked: --workers {cores} uses all", setup.workers));
        }
        if long && setup.workers > 1 && share(self.other(check).as_secs_f64(), worked) > 0.5 {
            hints.push("the workers waited for each other much of the time: fewer may be as fast".into());
        }
        hints
    }

    /// Writes the figures and the hints.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub(crate) fn write(&self, check: &Check, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", paint.bold("speed"))?;
        for (name, value, more) in self.lines(check) {
            let more = if more.is_empty() { more } else { format!("  ({more})") };
            writeln!(out, "  {}  {value}{}", paint.dim(&pad(name, 13)), paint.dim(&more))?;
        }
        for note in &self.notes {
            writeln!(out, "  {}  {note}", paint.dim(&pad("note", 13)))?;
        }
        for hint in self.hints(check) {
            writeln!(out, "  {}  {hint}", paint.dim(&pad("hint", 13)))?;
        }
        writeln!(out)
    }

    /// Name, value and remark of each line.
    fn lines(&self, check: &Check) -> Vec<(&str, String, String)> {
        let figures = &check.figures;
        let states = figures.states as f64;
        let mut lines = vec![("loading", duration(self.loading), String::new())];
        let workers = plural(check.setup.workers as u64, "worker");
        lines.push(("searching", duration(figures.elapsed), workers));
        let worked = self.worked(check).as_secs_f64();
        let per = |time: Duration, n: u64| share(time.as_nanos() as f64, n as f64);
        for (name, time, each) in [
            ("- expanding", self.expanding, format!("{:.0} ns a state", per(self.expanding, figures.states))),
            (
                "- storing",
                self.storing,
                format!("{:.0} ns a transition", per(self.storing, figures.transitions)),
            ),
            ("- the rest", self.other(check), String::new()),
        ] {
            lines.push((name, percent(time.as_secs_f64(), worked), each));
        }
        let per_second = share(figures.transitions as f64, figures.elapsed.as_secs_f64());
        let rates = format!("{} states/s", rate(figures.states_per_second()));
        lines.push(("rate", rates, format!("{} transitions/s", rate(per_second))));
        let known = percent(figures.matched as f64, figures.transitions as f64);
        let successors = format!("{:.2} a state", self.successors_per_state(figures));
        lines.push(("successors", successors, format!("at most {}, {known} known", self.most_successors)));
        let batch = share(figures.transitions as f64, self.n_batches as f64);
        let batches = format!("{batch:.1} on average, at most {}", self.largest_batch);
        lines.push(("batches", count(self.n_batches), batches));
        let (shortest, _, longest) = self.vectors;
        let lengths = if shortest == longest { String::new() } else { format!("{shortest} to {longest}") };
        lines.push(("vectors", format!("{:.1} bytes", self.mean_vector()), lengths));
        for (name, n) in &self.counters {
            lines.push(("count", count(*n), name.clone()));
        }
        if self.n_partial > 0 {
            let partial = percent(self.n_partial as f64, self.n_expanded as f64);
            lines.push(("reduced", format!("{partial} of the states"), "expanded in part".into()));
        }
        let size = |n: u64| format!("{:.1} bytes a state", share(n as f64, states));
        lines.push(("memory", bytes(figures.memory_bytes), size(figures.memory_bytes)));
        let mut part =
            |name: &str, n: u64, more: String| lines.push(("-", format!("{name} {}", bytes(n)), more));
        for held in &self.store {
            let full = held.fill.map_or(String::new(), |fill| format!(", {:.0} % full", 100.0 * fill));
            part(&held.name, held.bytes, size(held.bytes) + &full);
        }
        part("beside the store", self.beside_bytes, size(self.beside_bytes));
        lines
    }

    pub(crate) fn json(&self, check: &Check) -> SpeedJson<'_> {
        let figures = &check.figures;
        let seconds = |time: Duration| rounded(time.as_secs_f64(), 6);
        let per_second = share(figures.transitions as f64, figures.elapsed.as_secs_f64());
        SpeedJson {
            loading_s: seconds(self.loading),
            search_s: seconds(figures.elapsed),
            expanding_s: seconds(self.expanding),
            storing_s: seconds(self.storing),
            other_s: seconds(self.other(check)),
            n_samples: self.n_samples,
            transitions_per_s: rounded(per_second, 1),
            successors_per_state: rounded(self.successors_per_state(figures), 3),
            most_successors: self.most_successors,
            matched_per_transition: rounded(share(figures.matched as f64, figures.transitions as f64), 4),
            n_batches: self.n_batches,
            largest_batch: self.largest_batch,
            vector: VectorJson {
                shortest: self.vectors.0,
                bytes_per_state: rounded(self.mean_vector(), 2),
                longest: self.vectors.2,
            },
            n_expanded: self.n_expanded,
            n_partial: self.n_partial,
            store: &self.store,
            beside_bytes: self.beside_bytes,
            counters: self.counters.iter().map(|(name, count)| CounterJson { name, count: *count }).collect(),
            hints: self.hints(check),
            notes: &self.notes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;
    use crate::text::tests::sample;

    fn speed() -> Speed {
        Speed {
            loading: Duration::from_millis(3),
            expanding: Duration::from_millis(400),
            storing: Duration::from_millis(500),
            n_samples: 1000,
            n_expanded: 1000,
            n_partial: 250,
            most_successors: 7,
            n_batches: 100,
            largest_batch: 40,
            vectors: (12, 16_000, 24),
            store: vec![
                MemoryPart { name: "table".into(), bytes: 8000, fill: Some(0.5) },
                MemoryPart { name: "vectors".into(), bytes: 12_000, fill: None },
            ],
            beside_bytes: 4000,
            counters: vec![("states expanded by magic".into(), 990)],
            cores: 4,
            notes: vec!["P is not symmetric: it uses _pid".into()],
        }
    }

    #[test]
    fn the_text_has_shares_and_sizes() {
        let check = sample(Verdict::Holds);
        let mut out = Vec::new();
        speed().write(&check, Paint::plain(), &mut out).unwrap();
        let expected = "speed\n  \
            loading        3.00 ms\n  \
            searching      500 ms  (2 workers)\n  \
            - expanding    40 %  (400000 ns a state)\n  \
            - storing      50 %  (405186 ns a transition)\n  \
            - the rest     10 %\n  \
            rate           2.00 k states/s  (2.47 k transitions/s)\n  \
            successors     1.23 a state  (at most 7, 19 % known)\n  \
            batches        100  (12.3 on average, at most 40)\n  \
            vectors        16.0 bytes  (12 to 24)\n  \
            count          990  (states expanded by magic)\n  \
            reduced        25 % of the states  (expanded in part)\n  \
            memory         23.4 KiB  (24.0 bytes a state)\n  \
            -              table 7.81 KiB  (8.0 bytes a state, 50 % full)\n  \
            -              vectors 11.7 KiB  (12.0 bytes a state)\n  \
            -              beside the store 3.91 KiB  (4.0 bytes a state)\n  \
            note           P is not symmetric: it uses _pid\n\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn hints_follow_from_the_figures() {
        let mut check = sample(Verdict::Holds);
        assert_eq!(speed().hints(&check), Vec::<String>::new());
        let short = Speed { n_samples: 3, ..speed() };
        assert!(short.hints(&check)[0].contains("too short"));
        check.figures.elapsed = Duration::from_secs(2);
        check.figures.memory_bytes = 1 << 30;
        let mut large = speed();
        large.store[1].bytes = 900 << 20;
        let hints = large.hints(&check).join("\n");
        for word in ["--store tree", "--no-reduce", "2 of 4 cores", "waited"] {
            assert!(hints.contains(word), "{word} in {hints}");
        }
    }
}
