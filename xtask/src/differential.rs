//! Random models: our exact counts against SPIN's, and a smaller model whenever they differ.
//!
//! Each model is compared twice: by itself, and under the eyes of a random never claim, where the states of
//! the product and whether there is a violation are compared.

use allways_model::{Batch, Lessons, Model};
use allways_product::Product;
use allways_promela::{Program, Property, Watch, load_text};
use allways_search::{Config, End, Strategy, search};
use allways_testkit::random_promela::{Rng, generate, never, propositions, shrink};
use allways_testkit::spin::{self, Answer, Cycles, Figures, Options};
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// How many questions the minimiser may ask about one model, and how many models are made smaller.
const MAX_QUESTIONS: usize = 150;
const MAX_SHRUNK: u64 = 3;

/// A process that can always move and changes nothing.
const RESTLESS: &str = "active proctype Restless() { bit x; do :: x == 0 od }\n";

/// What became of one model.
enum Compared {
    /// Both agree on everything counted.
    Same,
    /// There is nothing to compare, and why.
    NotComparable(&'static str),
    /// They differ, but SPIN also differs from itself when it searches in another order: one of its known
    /// faults.
    SpinDiffersFromItself,
    /// They differ, in words.
    Different(String),
}

/// A question that both are asked.
struct Question {
    name: &'static str,
    source: fn(u64) -> Option<String>,
    options: fn() -> Options,
    compare: fn(&str, &Figures) -> Compared,
}

const QUESTIONS: [Question; 2] = [
    Question {
        name: "safety",
        source: |seed| Some(generate(seed).source),
        options: Options::raw,
        compare: compare_safety,
    },
    Question {
        name: "claims",
        source: watched,
        options: || Options::cycles(Cycles::Acceptance),
        compare: compare_claim,
    },
];

pub(crate) fn run(args: &[String]) -> bool {
    if !spin::installed() {
        println!("spin or a C compiler is not installed: nothing compared");
        return true;
    }
    let named = |arg: &String| QUESTIONS.iter().position(|question| question.name == *arg);
    let wanted = args.iter().find_map(named);
    let range = args.iter().find(|arg| named(arg).is_none());
    let seeds = parse_range(range.map_or("0..500", String::as_str));
    let questions =
        QUESTIONS.iter().enumerate().filter(|(idx, _)| wanted.is_none_or(|wanted| wanted == *idx));
    // All of them, also after one that differs.
    let results: Vec<bool> = questions.map(|(_, question)| question.ask(seeds.clone())).collect();
    results.into_iter().all(|same| same)
}

impl Question {
    fn ask(&self, seeds: Range<u64>) -> bool {
        let (mut same, mut inconsistent, mut different) = (0u64, 0u64, 0u64);
        let mut skipped: BTreeMap<&str, u64> = BTreeMap::new();
        let batch = 32;
        let mut seed = seeds.start;
        while seed < seeds.end {
            let end = (seed + batch).min(seeds.end);
            let (seeds, sources): (Vec<u64>, Vec<String>) =
                (seed..end).filter_map(|seed| Some((seed, (self.source)(seed)?))).unzip();
            let answers = spin::check_many(&sources, &self.options(), 2);
            for ((source, answer), seed) in sources.iter().zip(answers).zip(seeds) {
                match self.compare(source, &answer) {
                    Compared::Same => same += 1,
                    Compared::NotComparable(why) => *skipped.entry(why).or_insert(0) += 1,
                    Compared::SpinDiffersFromItself => {
                        inconsistent += 1;
                        println!("seed {seed}: SPIN's figures depend on its search order");
                    }
                    Compared::Different(why) => {
                        different += 1;
                        println!("seed {seed}: {why}");
                        if different <= MAX_SHRUNK {
                            self.report(source);
                        }
                    }
                }
            }
            seed = end;
        }
        println!(
            "{}: {same} same, {different} different, {inconsistent} where SPIN differs from itself, {} not comparable",
            self.name,
            skipped.values().sum::<u64>()
        );
        for (why, n) in skipped {
            println!("  {n} {why}");
        }
        different == 0 && same > 0
    }

    fn options(&self) -> Options {
        (self.options)().within(Duration::from_secs(20))
    }

    fn compare(&self, source: &str, answer: &Answer) -> Compared {
        let Some(figures) = answer.figures() else { return Compared::NotComparable("not accepted by SPIN") };
        if figures.truncated || !figures.complete {
            return Compared::NotComparable("not finished by SPIN");
        }
        let why = match (self.compare)(source, figures) {
            Compared::Different(why) => why,
            other => return other,
        };
        let mut reversed = self.options();
        reversed.cc_args.extend(["-DREVERSE".to_owned(), "-DT_REVERSE".to_owned()]);
        let again = spin::check(source, &reversed);
        let counts = |f: &Figures| (f.stored, f.matched, f.transitions, f.errors);
        match again.figures() {
            // Of a nested search only the states do not depend on the order.
            Some(again) if reversed.cycles.is_some() && again.stored == figures.stored => {
                Compared::Different(why)
            }
            Some(again) if counts(again) != counts(figures) => Compared::SpinDiffersFromItself,
            _ => Compared::Different(why),
        }
    }

    /// Prints a smaller model that still differs.
    fn report(&self, source: &str) {
        let compare = |text: &str| self.compare(text, &spin::check(text, &self.options()));
        let shrunk =
            shrink(source, MAX_QUESTIONS, |text: &str| matches!(compare(text), Compared::Different(_)));
        if let Compared::Different(why) = compare(&shrunk.source) {
            println!("--- {why}\n{}\n---", shrunk.source);
        }
    }
}

fn parse_range(text: &str) -> Range<u64> {
    match text.split_once("..") {
        Some((from, to)) => from.parse().unwrap_or(0)..to.parse().unwrap_or(0),
        None => 0..text.parse().unwrap_or(500),
    }
}

/// The program of a model that SPIN accepts.
fn accepted(source: &str) -> Result<Program, Compared> {
    let loaded = load_text("model.pml", source);
    loaded.program.map(Program::without_exclusive_checks).ok_or_else(|| {
        let text: Vec<String> = loaded.diagnostics.iter().map(|d| d.message.clone()).collect();
        Compared::Different(format!("SPIN accepts it, we say {}", text.join("; ")))
    })
}

fn config() -> Config<'static> {
    let mut config = Config::new(1);
    config.all_errors = true;
    config.limits.time = Some(Duration::from_secs(60));
    config
}

fn compare_safety(source: &str, figures: &Figures) -> Compared {
    let program = match accepted(source) {
        Ok(program) => program,
        Err(different) => return different,
    };
    let outcome = search(&program, Strategy::Dfs, &(), &config());
    let ours = (outcome.stats.states, outcome.stats.matched, outcome.stats.transitions, outcome.stats.errors);
    let theirs = (figures.stored, figures.matched, figures.transitions, figures.errors);
    match outcome.end {
        End::Exhausted if ours == theirs => Compared::Same,
        End::Exhausted => Compared::Different(format!("{ours:?}, SPIN {theirs:?}")),
        end => Compared::Different(format!("we end with {end:?}, SPIN {theirs:?}")),
    }
}

/// A random model with a random never claim in place of its own; in two of three with a process that can
/// always move.
fn watched(seed: u64) -> Option<String> {
    let mut source = generate(seed).source;
    if let Some(own) = source.find("\nnever {").or_else(|| source.find("\nltl ")) {
        source.truncate(own + 1);
    }
    let rng = &mut Rng::new(seed ^ 0x6e65_7665_7200);
    let program = load_text("model.pml", &source).program?;
    // SPIN counts the claim among the processes.
    let list = propositions(rng, &program, false);
    if list.is_empty() || source.contains("_nr_pr") {
        return None;
    }
    if rng.chance(66) {
        source.push_str(RESTLESS);
    }
    source.push_str(&never(rng, &list));
    Some(source)
}

/// Whether a program has a state in which nothing can happen, or one that it cannot go on from.
fn rests(program: &Program) -> bool {
    let mut cursor = program.cursor(Lessons::none());
    let mut batch = Batch::new();
    let mut known = HashSet::new();
    let mut todo = Vec::new();
    if cursor.initial(&mut batch).is_err() {
        return true;
    }
    loop {
        for idx in 0..batch.len() {
            if known.insert(batch.vector(idx).to_vec()) {
                todo.push(batch.vector(idx).to_vec());
            }
        }
        let Some(state) = todo.pop() else { return false };
        batch.clear();
        cursor.load(&state);
        if cursor.expand(&mut batch).is_err() || batch.is_empty() {
            return true;
        }
    }
}

fn compare_claim(source: &str, figures: &Figures) -> Compared {
    let program = match accepted(source) {
        Ok(program) => program,
        Err(different) => return different,
    };
    if program.claims().count() != 1 {
        return Compared::NotComparable("without one claim");
    }
    let watched = match program.watched(&Property::Claim(0), false) {
        Ok(watched) => watched,
        Err(why) => return Compared::Different(format!("SPIN accepts it, we say {}", why.message)),
    };
    let Watch::Claim(claim) = watched.watch else {
        return Compared::NotComparable("with a formula");
    };
    // Where a program rests, what SPIN stores depends on the order of its search.
    if rests(&watched.program) {
        return Compared::NotComparable("with a state in which nothing can happen");
    }
    let product = Product::new(&watched.program, Arc::new(claim));
    let outcome = search(&product, Strategy::Ndfs, &(), &config());
    let mut stored = Some(figures.stored);
    if figures.errors > 0 {
        let counted = spin::check(source, &Options::cycles(Cycles::None));
        stored = counted.complete().map(|figures| figures.stored);
    }
    let ours = (Some(outcome.stats.states), outcome.stats.errors > 0);
    let theirs = (stored, figures.errors > 0);
    match outcome.end {
        End::Exhausted if ours == theirs => Compared::Same,
        End::Exhausted => Compared::Different(format!("states and errors {ours:?}, SPIN {theirs:?}")),
        end => Compared::Different(format!("we end with {end:?}, SPIN {theirs:?}")),
    }
}
