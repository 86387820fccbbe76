//! The benchmark: Allways against SPIN and against itself, each figure a ratio of two runs on the same
//! machine.
//!
//! A part a question: `speed` (transitions a second against `pan`), `memory` (bytes a state against
//! `pan -DCOLLAPSE`), `reduction` (states against SPIN's reduced run), `threads` (two workers against one),
//! `liveness` (accepting cycles, against `pan -a` and with two workers), `dynamic` (models with pointers,
//! beside the figures of the papers), `evidence` (what certificates cost beside checking), `cache` (what
//! forgetting states costs, by policy), `coverage` (how well a search that is not finished knows how much it
//! has seen). Every case has known counts: a run with other counts is an error, not a fast run. And for Java
//! programs: `java` (against Java PathFinder), `java-states` (what each thing is worth that makes states
//! few), `java-pools` (everyday code of `java.util.concurrent`), `java-examples` (large sizes, and two
//! workers).

mod cache;
mod coverage;
mod dynamic;
mod evidence;
mod fit;
mod graphs;
mod java;
mod liveness;
mod machine;
mod memory;
mod own;
mod pan;
mod reduction;
mod speed;
mod table;
mod threads;

use allways_search::Strategy;
use own::{How, STORES};
use std::fmt::Write;
use std::path::PathBuf;

const USAGE: &str = "usage: cargo xtask bench [PART] [FILTER] [OPTIONS]
  PART            speed, memory, reduction, threads, liveness, dynamic, evidence, cache, coverage,
                  java, java-states, java-pools, java-examples or all [default: speed]
  FILTER          only models whose names contain this
  --search NAME   dfs or bfs [default: dfs; liveness: all that find cycles]
  --store NAME    the store [default: exact; tree for memory]
  --runs N        the best of so many runs [default: 3]
  --min STATES    no smaller models (threads: also smaller ones than a million)
  --max STATES    no larger models
  --calibrate     coverage: print the constants of the fit
  --out FILE.md   write a report too";

/// A part, by its name and what it does.
type Task = (&'static str, fn(&Options) -> Part);

const PARTS: [Task; 13] = [
    ("speed", speed::run),
    ("memory", memory::run),
    ("reduction", reduction::run),
    ("threads", threads::run),
    ("liveness", liveness::run),
    ("dynamic", dynamic::run),
    ("evidence", evidence::run),
    ("cache", cache::run),
    ("coverage", coverage::run),
    ("java", java::run_pathfinder),
    ("java-states", java::run_states),
    ("java-pools", java::run_pools),
    ("java-examples", java::run_examples),
];

/// What was asked for.
pub(crate) struct Options {
    part: String,
    filter: Option<String>,
    strategy: Strategy,
    store: Option<String>,
    runs: usize,
    min: Option<u64>,
    max: Option<u64>,
    out: Option<PathBuf>,
    /// Whether to print what a fit gives.
    calibrate: bool,
}

/// What a part says.
pub(crate) struct Part {
    title: &'static str,
    /// What was measured, and how.
    how: String,
    table: String,
    /// The result, against the target.
    summary: Vec<String>,
    /// Whether all counts were right.
    ok: bool,
}

impl Part {
    /// The part without figures, for want of something.
    fn not_measured(mut self, why: &str) -> Self {
        self.summary.push(format!("not measured: {why}"));
        self
    }
}

impl Options {
    fn parse(args: &[String]) -> Result<Self, String> {
        let mut options = Self {
            part: "speed".into(),
            filter: None,
            strategy: Strategy::Dfs,
            store: None,
            runs: 3,
            min: None,
            max: None,
            out: None,
            calibrate: false,
        };
        let mut words = Vec::new();
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            let mut value = || rest.next().cloned().ok_or(format!("{arg} needs a value"));
            let number = |text: String| text.parse().map_err(|_| format!("'{text}' is not a number"));
            match arg.as_str() {
                "--search" => options.strategy = strategy(&value()?)?,
                "--store" => options.store = Some(store(value()?)?),
                "--runs" => options.runs = value()?.parse::<usize>().map_err(|e| e.to_string())?.max(1),
                "--min" => options.min = Some(number(value()?)?),
                "--max" => options.max = Some(number(value()?)?),
                "--out" => options.out = Some(value()?.into()),
                "--calibrate" => options.calibrate = true,
                "--help" => return Err("every figure is a ratio of two runs".into()),
                flag if flag.starts_with('-') => return Err(format!("there is no option {flag}")),
                word => words.push(word.to_owned()),
            }
        }
        let known = |word: &String| word == "all" || PARTS.iter().any(|(name, _)| name == word);
        let mut words = words.into_iter().peekable();
        if let Some(part) = words.next_if(known) {
            options.part = part;
        }
        options.filter = words.next();
        match words.next() {
            Some(word) => Err(format!("what is '{word}'?")),
            None => Ok(options),
        }
    }

    /// Whether a model is to be measured.
    fn wants(&self, name: &str, states: u64) -> bool {
        self.filter.as_ref().is_none_or(|filter| name.contains(filter.as_str()))
            && self.min.is_none_or(|min| states >= min)
            && self.max.is_none_or(|max| states <= max)
    }

    fn how(&self, workers: usize) -> How<'_> {
        How { strategy: self.strategy, store: self.store.as_deref().unwrap_or("exact"), workers }
    }

    fn describe(&self, workers: usize) -> String {
        let search = self.strategy.name();
        let store = self.store.as_deref().unwrap_or("exact");
        format!(
            "`{search}`, the `{store}` store and {}",
            if workers == 1 { "one worker" } else { "many workers" }
        )
    }
}

fn strategy(name: &str) -> Result<Strategy, String> {
    let named =
        Strategy::ALL.into_iter().find(|strategy| strategy.name() == name && !strategy.finds_cycles());
    named.ok_or_else(|| format!("there is no search '{name}'"))
}

fn store(name: String) -> Result<String, String> {
    let names: Vec<&str> = STORES.iter().map(|(name, _)| *name).collect();
    if names.contains(&name.as_str()) {
        Ok(name)
    } else {
        Err(format!("there is no store '{name}'; there are {}", names.join(", ")))
    }
}

pub(crate) fn run(args: &[String]) -> bool {
    let options = match Options::parse(args) {
        Ok(options) => options,
        Err(why) => {
            eprintln!("{why}\n{USAGE}");
            return false;
        }
    };
    let load = machine::load();
    if let Some(load) = load.filter(|load| *load > 0.5) {
        println!("the machine is busy (load {load:.1}): times will be noise");
    }
    let parts: Vec<Part> = PARTS
        .iter()
        .filter(|(name, _)| options.part == "all" || options.part == *name)
        .map(|(name, task)| {
            println!("==> {name}");
            let part = task(&options);
            for line in &part.summary {
                println!("{line}");
            }
            part
        })
        .collect();
    let ok = parts.iter().all(|part| part.ok);
    if let Some(file) = &options.out {
        if let Err(error) = std::fs::write(file, report(args, &parts, load)) {
            eprintln!("{}: {error}", file.display());
            return false;
        }
        println!("written to {}", file.display());
    }
    if !ok {
        println!("some counts are wrong: see above");
    }
    ok
}

/// A report in the style of `benches/runs`.
fn report(args: &[String], parts: &[Part], load: Option<f64>) -> String {
    let mut text = format!("# {}: `cargo xtask bench {}`\n\n", machine::date(), args.join(" "));
    // Writing to a string does not fail.
    let _ = writeln!(text, "{}", machine::describe());
    if let Some(load) = load {
        let _ = writeln!(text, "Load of the machine when the run began: {load:.2}.");
    }
    for part in parts {
        let _ = write!(text, "\n## {}\n\n", part.title);
        for line in &part.summary {
            let _ = writeln!(text, "- {line}");
        }
        let _ = write!(text, "\n{}\n\n```\n{}```\n", part.how, part.table);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Options, String> {
        Options::parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_part_may_be_left_out() {
        let options = parsed("hajek --runs 1").unwrap();
        assert_eq!(
            (options.part.as_str(), options.filter.as_deref(), options.runs),
            ("speed", Some("hajek"), 1)
        );
        let options = parsed("threads --search bfs --max 5").unwrap();
        assert_eq!((options.part.as_str(), options.filter.as_deref()), ("threads", None));
        assert!(options.wants("any", 5) && !options.wants("any", 6));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for bad in ["--search ndfs", "--store magic", "--fast", "speed hajek leader", "--runs"] {
            assert!(parsed(bad).is_err(), "{bad}");
        }
    }
}
