//! Against Java PathFinder, as the corpus has its figures: the verdict, the number of states and new states a
//! second.

use super::run::{Classes, Found, How};
use crate::bench::table::{Table, geometric_mean, held, least, widest};
use crate::bench::{Options, Part};
use std::path::Path;

const SOURCES: &str = "../shared/corpus/java/bench";
const FIGURES: &str = "../shared/corpus/java/jpf-figures.md";
/// For each run, in seconds.
const TIME: u64 = 10;
/// What our new states a second should be of theirs, on programs that both search as a whole.
const FASTER: f64 = 20.0;
/// What a state should take at most, on average.
const BYTES: f64 = 200.0;
/// Runs with fewer states of ours are over too soon to tell their speed.
const ENOUGH: u64 = 200;
/// And runs of theirs that are slower spend their time on starting.
const STEADY: f64 = 1_000.0;
/// With fewer states than this, what there is once weighs more than what there is for each state.
const MANY: u64 = 5_000;

const COLUMNS: [&str; 11] =
    ["run", "verdict", "states", "JPF", "of JPF's", "states/s", "JPF/s", "x", "B/st", "2w", "total s"];
/// What a line with the JDK's own locks is called.
const JDK: &str = "  on the JDK's locks";

/// A run of theirs.
struct Theirs {
    line: String,
    states: u64,
    rate: f64,
    /// What it found, or that it came to no end.
    result: String,
}

impl Theirs {
    /// Whether it saw all states and was right.
    fn is_whole(&self) -> bool {
        self.result == "none"
    }

    /// Programs with `java.util.concurrent.locks`, of which Java PathFinder leaves interleavings out.
    fn is_trusted(&self) -> bool {
        !["LockPhil", "CondBuf"].iter().any(|name| self.line.starts_with(name))
    }

    /// Programs that `--jdk-locks` makes a difference to.
    fn has_locks(&self) -> bool {
        ["LockPhil", "CondBuf", "SemBuf"].iter().any(|name| self.line.starts_with(name))
    }
}

/// The runs of a table that name a program of the bench.
fn read(text: &str, is_program: impl Fn(&str) -> bool) -> Vec<Theirs> {
    let runs = text.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, run, states, .., rate, result, _] = cells[..] else { return None };
        let words: Vec<&str> = run.split(' ').collect();
        // What follows a slash are settings of its own.
        if !is_program(words.first()?) || words.contains(&"/") {
            return None;
        }
        let words = words.iter().filter(|word| !["round", "rounds"].contains(word));
        let args: Vec<&str> = words.map(|&word| if word == "forever" { "0" } else { word }).collect();
        Some(Theirs {
            line: args.join(" "),
            states: states.parse().ok()?,
            rate: rate.parse().ok()?,
            result: result.to_owned(),
        })
    });
    runs.collect()
}

pub(crate) fn run(options: &Options) -> Part {
    let mut part = Part {
        title: "Java: against Java PathFinder",
        how: format!(
            "Depth first, `collapse` store, one worker, at most {TIME} s each; the best of {} runs. Their figures are from the corpus \
             (new states a second of CPU time); `x` is our rate over theirs, told where both saw all states, ours are at least {ENOUGH}, and theirs took long enough. B/st: \
             bytes of the store by state. 2w: two workers against one. Programs with locks or semaphores of `java.util.concurrent` have a second line, with `--jdk-locks`.",
            options.runs
        ),
        table: String::new(),
        summary: Vec::new(),
        ok: true,
    };
    let found = std::fs::read_to_string(FIGURES)
        .map_err(|error| format!("{FIGURES}: {error}"))
        .and_then(|text| Ok((text, Classes::compile(Path::new(SOURCES))?)));
    let (text, classes) = match found {
        Ok(found) => found,
        Err(why) => return part.not_measured(&why),
    };
    let is_program = |name: &str| Path::new(SOURCES).join(format!("{name}.java")).is_file();
    let runs: Vec<Theirs> = read(&text, is_program)
        .into_iter()
        .filter(|theirs| options.wants(&theirs.line, theirs.states))
        .collect();
    let first = widest(runs.iter().map(|theirs| theirs.line.as_str())).max(JDK.len());
    let mut table = Table::new(first, &COLUMNS);
    let (mut faster, mut bytes) = (Vec::new(), Vec::new());
    // With our locks, and with the JDK's.
    let mut more = [Vec::new(), Vec::new()];
    let mut undecided = [Vec::new(), Vec::new()];
    for theirs in &runs {
        for jdk_locks in [false, true] {
            if jdk_locks && !theirs.has_locks() {
                continue;
            }
            let name = if jdk_locks { JDK } else { &*theirs.line };
            let (one, two) = match measure(&classes, theirs, options.runs, jdk_locks) {
                Ok(found) => found,
                Err(why) => {
                    part.ok = false;
                    table.line(&format!("{name:first$} {why}"));
                    continue;
                }
            };
            let is_whole = one.verdict == "holds" && theirs.is_whole();
            let is_timed = is_whole && one.stats.states >= ENOUGH && theirs.rate >= STEADY;
            if is_timed && !jdk_locks {
                faster.push(one.rate() / theirs.rate);
            }
            if one.stats.states >= MANY && !jdk_locks {
                bytes.push(one.bytes_a_state());
            }
            if is_whole && theirs.is_trusted() && one.stats.states > theirs.states {
                more[usize::from(jdk_locks)].push(theirs.line.clone());
            }
            if one.verdict == "bounded" {
                undecided[usize::from(jdk_locks)].push(theirs.line.clone());
            }
            let when = |told: bool, text: String| if told { text } else { String::new() };
            table.row(&[
                name.to_owned(),
                one.verdict.to_owned(),
                one.stats.states.to_string(),
                theirs.states.to_string(),
                when(is_whole, format!("{:.3}", one.stats.states as f64 / theirs.states as f64)),
                format!("{:.0}", one.rate()),
                format!("{:.0}", theirs.rate),
                when(is_timed, format!("{:.1}", one.rate() / theirs.rate)),
                format!("{:.0}", one.bytes_a_state()),
                two.map_or(String::new(), |two| format!("{:.2}", one.stats.elapsed.as_secs_f64() / two)),
                format!("{:.2}", one.seconds),
            ]);
        }
    }
    if !faster.is_empty() {
        let mean = geometric_mean(&faster);
        part.summary.push(format!(
            "{} whole runs: {mean:.1} times its new states a second (geometric mean, least {:.1}; wanted {FASTER:.0}: {})",
            faster.len(),
            least(&faster),
            held(mean >= FASTER)
        ));
    }
    if !bytes.is_empty() {
        let mean = bytes.iter().sum::<f64>() / bytes.len() as f64;
        part.summary.push(format!(
            "{mean:.0} bytes a state on average, on the {} runs of at least {MANY} states (wanted {BYTES:.0}: {})",
            bytes.len(),
            held(mean <= BYTES)
        ));
    }
    let list = |names: &[String]| if names.is_empty() { "none".into() } else { names.join(", ") };
    let both =
        |names: &[Vec<String>; 2]| format!("{}; with the JDK's locks: {}", list(&names[0]), list(&names[1]));
    part.summary.push(format!("more states than Java PathFinder, where it is right: {}", both(&more)));
    part.summary.push(format!("not decided in {TIME} s: {}", both(&undecided)));
    part.table = table.into_text();
    part
}

/// The best run with one worker; and the seconds of the best with two, if it takes long enough to tell.
fn measure(
    classes: &Classes,
    theirs: &Theirs,
    runs: usize,
    jdk_locks: bool,
) -> Result<(Found, Option<f64>), String> {
    let how = How { jdk_locks, ..How::usual(TIME) };
    let mut best = classes.search(&theirs.line, how)?;
    if best.verdict == "bounded" {
        return Ok((best, None));
    }
    for _ in 1..runs {
        let again = classes.search(&theirs.line, how)?;
        if again.rate() > best.rate() {
            best = again;
        }
    }
    if best.verdict != "holds" || best.stats.states < 10_000 {
        return Ok((best, None));
    }
    let mut two = f64::INFINITY;
    for _ in 0..runs {
        let found = classes.search(&theirs.line, How { workers: 2, ..how })?;
        if found.stats.states != best.stats.states {
            return Err(format!(
                "{} states with two workers, {} with one",
                found.stats.states, best.stats.states
            ));
        }
        two = two.min(found.stats.elapsed.as_secs_f64());
    }
    Ok((best, Some(two)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read() {
        let text = "| run | new | visited | new/cpu s | result |\n\
            | Phil 3 ok forever | 538 | 1172 | 306 | none |\n\
            | Phil 4 ok 1 round | 2397 | 5283 | 824 | LIMIT |\n\
            | example Rand.jpf | 4 | 1 | 4 | none |\n\
            | Phil 9 ok | not run: too large ||||\n";
        let runs = read(text, |name| name == "Phil");
        let lines: Vec<&str> = runs.iter().map(|theirs| theirs.line.as_str()).collect();
        assert_eq!(lines, ["Phil 3 ok 0", "Phil 4 ok 1"]);
        assert!(runs[0].is_whole() && !runs[1].is_whole());
        assert_eq!((runs[0].states, runs[1].states), (538, 2397));
    }
}
