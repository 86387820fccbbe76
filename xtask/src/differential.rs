//! Random models: our exact counts against SPIN's, and a smaller model whenever they differ.

use allways_promela::{Program, load_text};
use allways_search::{Config, End, Strategy, search};
use allways_testkit::random_promela::{generate, shrink};
use allways_testkit::spin::{self, Answer, Options};
use std::ops::Range;
use std::time::Duration;

/// How many questions the minimiser may ask about one model.
const MAX_QUESTIONS: usize = 400;

/// What became of one model.
enum Compared {
    /// Both agree on everything counted.
    Same,
    /// SPIN does not accept or does not finish it.
    NotComparable,
    /// They differ, but SPIN also differs from itself when it searches in another order: one of its known faults.
    SpinDiffersFromItself,
    /// They differ, in words.
    Different(String),
}

pub(crate) fn run(args: &[String]) -> bool {
    if !spin::installed() {
        println!("spin or a C compiler is not installed: nothing compared");
        return true;
    }
    let seeds = parse_range(args.first().map_or("0..500", String::as_str));
    let (mut same, mut skipped, mut inconsistent, mut different) = (0u64, 0u64, 0u64, 0u64);
    let batch = 32;
    let mut seed = seeds.start;
    while seed < seeds.end {
        let end = (seed + batch).min(seeds.end);
        let sources: Vec<String> = (seed..end).map(|seed| generate(seed).source).collect();
        let answers = spin::check_many(&sources, &options(), 2);
        for ((source, answer), seed) in sources.iter().zip(answers).zip(seed..end) {
            match compare(source, &answer) {
                Compared::Same => same += 1,
                Compared::NotComparable => skipped += 1,
                Compared::SpinDiffersFromItself => {
                    inconsistent += 1;
                    println!("seed {seed}: SPIN's figures depend on its search order");
                }
                Compared::Different(why) => {
                    different += 1;
                    println!("seed {seed}: {why}");
                    report(source);
                }
            }
        }
        seed = end;
    }
    println!(
        "{same} same, {different} different, {inconsistent} where SPIN differs from itself, {skipped} not comparable"
    );
    different == 0 && same > 0
}

fn options() -> Options {
    Options::raw().within(Duration::from_secs(20))
}

fn parse_range(text: &str) -> Range<u64> {
    match text.split_once("..") {
        Some((from, to)) => from.parse().unwrap_or(0)..to.parse().unwrap_or(0),
        None => 0..text.parse().unwrap_or(500),
    }
}

fn compare(source: &str, answer: &Answer) -> Compared {
    let Some(figures) = answer.figures().filter(|figures| figures.complete && !figures.truncated) else {
        return Compared::NotComparable;
    };
    let loaded = load_text("model.pml", source);
    let Some(program) = loaded.program.map(Program::without_exclusive_checks) else {
        let text: Vec<String> = loaded.diagnostics.iter().map(|d| d.message.clone()).collect();
        return Compared::Different(format!("SPIN accepts it, we say {}", text.join("; ")));
    };
    let mut config = Config::new(1);
    config.all_errors = true;
    config.limits.time = Some(Duration::from_secs(60));
    let outcome = search(&program, Strategy::Dfs, &(), &config);
    let ours = (outcome.stats.states, outcome.stats.matched, outcome.stats.transitions, outcome.stats.errors);
    let theirs = (figures.stored, figures.matched, figures.transitions, figures.errors);
    if !matches!(outcome.end, End::Exhausted) {
        return Compared::Different(format!("we end with {:?}, SPIN {theirs:?}", outcome.end));
    }
    if ours == theirs {
        return Compared::Same;
    }
    let mut reversed = options();
    reversed.cc_args.extend(["-DREVERSE".to_owned(), "-DT_REVERSE".to_owned()]);
    let again = spin::check(source, &reversed);
    let again = again.figures().map(|f| (f.stored, f.matched, f.transitions, f.errors));
    if again.is_some_and(|again| again != theirs) {
        return Compared::SpinDiffersFromItself;
    }
    Compared::Different(format!("{ours:?}, SPIN {theirs:?}"))
}

/// Prints a smaller model that still differs.
fn report(source: &str) {
    let shrunk = shrink(source, MAX_QUESTIONS, |text: &str| {
        matches!(compare(text, &spin::check(text, &options())), Compared::Different(_))
    });
    if let Compared::Different(why) = compare(&shrunk.source, &spin::check(&shrunk.source, &options())) {
        println!("--- {why}\n{}\n---", shrunk.source);
    }
}
