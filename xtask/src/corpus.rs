//! Compares exact counts with SPIN's on the corpus, where it is present, and on the product's own examples.
//!
//! Raw figures: no reduction of any kind, the whole graph, errors counted and not stopped at. For claims and
//! non-progress the states of the product, against the installed SPIN.

use crate::cases::{Case, corpus, examples};
use crate::claims::{ClaimCase, claims};
use allways_product::Product;
use allways_promela::{FileInput, Program, load};
use allways_search::{Config, End, Strategy, search};
use allways_testkit::spin::{self, Compiler, Cycles, Options};
use std::time::{Duration, Instant};

/// Models for which SPIN's figures mean nothing; the right ones are tested in `crates/promela/tests`.
/// `arr_bound` writes behind the end of an array, and `pan` goes on with the memory it has spoilt.
const SPIN_IS_WRONG: [&str; 1] = ["micro/arr_bound.pml"];
/// The same for products: SPIN goes on after the claim of `ltl_example` has read a channel that is none, and
/// follows the atomic sequence in the claim of `salesman` round and round until its stack is full.
const SPIN_IS_WRONG_WITH_CLAIMS: [&str; 3] =
    ["spin/LTL/ltl_example.pml", "spin/LTL/salesman1.pml", "spin/LTL/salesman2.pml"];

pub(crate) fn run(args: &[String]) -> bool {
    let (mut max, mut max_product) = (u64::MAX, u64::MAX);
    let (mut filter, mut with_dynamic) = (None, false);
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "--max" => max = rest.next().and_then(|n| n.parse().ok()).unwrap_or(max),
            "--dynamic" => with_dynamic = true,
            "--max-product" => max_product = rest.next().and_then(|n| n.parse().ok()).unwrap_or(max_product),
            other => filter = Some(other.to_owned()),
        }
    }
    if with_dynamic {
        return crate::with_dynamic::run(max, filter.as_deref());
    }
    let mut cases = corpus();
    cases.extend(examples());
    cases.retain(|case| case.stored <= max);
    cases.sort_by_key(|case| case.stored);
    if let Some(filter) = &filter {
        cases.retain(|case| case.name.contains(filter));
    }
    let mut products = claims();
    products.retain(|case| {
        case.stored <= max.min(max_product)
            && filter.as_ref().is_none_or(|filter| case.name.contains(filter))
            && !SPIN_IS_WRONG_WITH_CLAIMS.contains(&case.name.as_str())
    });
    products.sort_by_key(|case| case.stored);
    if !spin::installed() {
        println!("spin or a C compiler is not installed: products are not compared");
        products.clear();
    }
    let (mut same, mut different, mut unsupported) = (0, 0, 0);
    let states = cases.iter().filter(|case| !SPIN_IS_WRONG.contains(&case.name.as_str())).map(check);
    for checked in states.chain(products.iter().map(check_claim)) {
        match checked {
            Ok(line) => {
                same += 1;
                println!("same       {line}");
            }
            Err(line) if line.contains("unsupported") => {
                unsupported += 1;
                println!("unsupported {line}");
            }
            Err(line) => {
                different += 1;
                println!("DIFFERENT  {line}");
            }
        }
    }
    println!("{same} same, {different} different, {unsupported} unsupported");
    different == 0 && same > 0
}

fn check(case: &Case) -> Result<String, String> {
    let loaded = load(&FileInput::Path(case.file.clone()), &case.options());
    let Some(program) = loaded.program.map(Program::without_exclusive_checks) else {
        let text: Vec<String> = loaded
            .diagnostics
            .iter()
            .filter(|d| d.severity != allways_promela::Severity::Warning)
            .take(3)
            .map(|d| format!("{:?} {} at {}", d.severity, d.message, loaded.sources.place(d.span)))
            .collect();
        return Err(format!("{}: {}", case.name, text.join("; ").replace("Unsupported", "unsupported")));
    };
    let mut config = Config::new(1);
    config.all_errors = true;
    config.limits.time = Some(Duration::from_secs(600));
    let start = Instant::now();
    let outcome = search(&program, Strategy::Dfs, &(), &config);
    let seconds = start.elapsed().as_secs_f64();
    let ours = (outcome.stats.states, outcome.stats.matched, outcome.stats.transitions, outcome.stats.errors);
    let theirs = (case.stored, case.matched, case.transitions, case.errors);
    let line = format!("{:50} {ours:?} in {seconds:.2} s", case.name);
    match outcome.end {
        End::Exhausted if ours == theirs => Ok(line),
        End::Exhausted => Err(format!("{line}, SPIN {theirs:?}")),
        end => Err(format!("{line}, SPIN {theirs:?}, {end:?}")),
    }
}

fn check_claim(case: &ClaimCase) -> Result<String, String> {
    let failed = |why: String| format!("{}: {why}", case.name);
    let text = case.text().map_err(failed)?;
    let (program, claim) = case.load(&text).map_err(failed)?;
    let product = Product::new(&program, claim);
    let mut config = Config::new(1);
    config.all_errors = true;
    config.limits.time = Some(Duration::from_secs(600));
    let start = Instant::now();
    let outcome = search(&product, Strategy::Ndfs, &(), &config);
    let seconds = start.elapsed().as_secs_f64();
    let ours = (outcome.stats.states, outcome.stats.errors > 0);
    let line = format!("{:50} {ours:?} in {seconds:.2} s", case.name);
    let options = Options {
        compiler: Compiler::GccO1,
        depth: 5_000_000,
        hash_bits: 22,
        timeout: Duration::from_secs(600),
        ..Options::cycles(case.cycles)
    };
    let mut answer = spin::check(&text, &options);
    let violated = answer.figures().is_some_and(|figures| figures.errors > 0);
    if violated && case.cycles == Cycles::Acceptance {
        answer = spin::check(&text, &Options { cycles: Some(Cycles::None), ..options });
    }
    let theirs = answer.complete().map(|figures| (figures.stored, violated));
    match outcome.end {
        End::Exhausted if Some(ours) == theirs => Ok(line),
        End::Exhausted => Err(format!("{line}, SPIN {theirs:?}")),
        end => Err(format!("{line}, SPIN {theirs:?}, {end:?}")),
    }
}
