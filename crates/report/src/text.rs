//! The result of a check for people: what was not reached, the figures, and the verdict as the last line.
//!
//! The verdict comes last because that is where the eye is when a command ends, and it is one line that says
//! enough by itself (`--quiet` prints nothing else).

use crate::cache::CacheReport;
use crate::check::{Check, ErrorReport};
use crate::figures::{bytes, count, duration, plural, rate};
use crate::paint::{Paint, visible};
use crate::steps::{pad, place_text, width};
use crate::verdict::Verdict;
use crate::verdict_line;
use allways_model::Point;
use std::io::{self, Write};

/// More unreached statements than this are elided unless everything is asked for.
const MOST_UNREACHED: usize = 40;
/// More errors than this are elided unless everything is asked for.
const MOST_ERRORS: usize = 10;

/// A check to be shown.
pub struct CheckText<'a> {
    /// The check.
    pub check: &'a Check,
    /// Whether to show everything, however long.
    pub full: bool,
    /// The colours.
    pub paint: Paint,
}

impl CheckText<'_> {
    /// Writes the whole result; the caller, which can replay counterexamples, writes them before it.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_errors(out)?;
        self.write_unreached(out)?;
        if let Some(speed) = &self.check.speed {
            speed.write(self.check, self.paint, out)?;
        }
        self.write_figures(out)?;
        self.write_verdict(out)
    }

    /// Writes the last line alone.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn write_verdict(&self, out: &mut dyn Write) -> io::Result<()> {
        verdict_line::write(self.check, self.paint, out)
    }

    fn write_errors(&self, out: &mut dyn Write) -> io::Result<()> {
        // The counterexample of a single error has reported it already.
        if self.check.errors.len() < 2 {
            return Ok(());
        }
        writeln!(out, "{}", self.paint.bold("errors"))?;
        let most = if self.full { usize::MAX } else { MOST_ERRORS };
        for (idx, error) in self.check.errors.iter().take(most).enumerate() {
            writeln!(out, "  {:>3}  {}", idx + 1, error_text(error))?;
        }
        if let Some(rest) = self.check.errors.len().checked_sub(most).filter(|n| *n > 0) {
            let note = format!("... and {}, --full shows them", plural(rest as u64, "more error"));
            writeln!(out, "       {}", self.paint.dim(&note))?;
        }
        writeln!(out)
    }

    fn write_unreached(&self, out: &mut dyn Write) -> io::Result<()> {
        let points = self.check.unreached.as_deref().unwrap_or_default();
        if points.is_empty() {
            return Ok(());
        }
        let shown = if self.full { points } else { &points[..points.len().min(MOST_UNREACHED)] };
        let places: Vec<String> = shown.iter().map(place_of).collect();
        let widest = places.iter().map(|place| width(place)).max().unwrap_or(0);
        let mut owner = None;
        for (point, place) in shown.iter().zip(&places) {
            if owner != Some(&point.owner) {
                writeln!(out, "{} {}", self.paint.bold("unreached in"), self.paint.process(&point.owner))?;
                owner = Some(&point.owner);
            }
            let state = format!("state {:<3}", point.state);
            writeln!(out, "  {}  {}  {}", pad(place, widest), self.paint.dim(&state), visible(&point.text))?;
        }
        if points.len() > shown.len() {
            let rest = plural((points.len() - shown.len()) as u64, "more statement");
            writeln!(out, "  {}", self.paint.dim(&format!("... and {rest}, --full shows them")))?;
        }
        writeln!(out)
    }

    fn write_figures(&self, out: &mut dyn Write) -> io::Result<()> {
        let check = self.check;
        let figures = &check.figures;
        if figures.states == 0 && check.verdict == Verdict::Unsupported {
            return Ok(());
        }
        let mut line = |name: &str, value: String, more: String| {
            let more = if more.is_empty() { more } else { format!("  ({more})") };
            writeln!(out, "  {}  {value}{}", self.paint.dim(&pad(name, 11)), self.paint.dim(&more))
        };
        line("states", count(figures.states), format!("{} matched", count(figures.matched)))?;
        let varies = figures.varies.as_ref();
        let varies = varies.map_or(String::new(), |why| format!("counts may differ from run to run: {why}"));
        line("transitions", count(figures.transitions), varies)?;
        line("depth", count(figures.depth), String::new())?;
        for (name, value, more) in check.cache.iter().flat_map(CacheReport::lines) {
            line(name, value, more)?;
        }
        if let Some(coverage) = &check.coverage {
            let (value, more) = coverage.line();
            line("seen", value, more)?;
        }
        let was_stopped = check.verdict == Verdict::Violated && check.limits.is_empty();
        for (name, value, more) in check.walks.iter().flat_map(|walks| walks.lines(was_stopped)) {
            line(name, value, more)?;
        }
        line("errors", count(check.n_errors), self.errors_note())?;
        let per_second = format!("{} states/s", rate(figures.states_per_second()));
        line("time", duration(figures.elapsed), per_second)?;
        let per_state = match figures.bytes_per_state() {
            size if size < 1000.0 => format!("{size:.1} bytes a state"),
            size => format!("{} bytes a state", count(size as u64)),
        };
        line("memory", bytes(figures.memory_bytes), per_state)?;
        let setup = &check.setup;
        let reduction = match setup.reduction.as_str() {
            "none" => "no reduction".to_string(),
            name => format!("{name} reduction"),
        };
        let workers = plural(setup.workers as u64, "worker");
        line(
            "search",
            format!("{}, {} store, {reduction}, {workers}", setup.search, setup.store),
            String::new(),
        )?;
        writeln!(out)
    }

    fn errors_note(&self) -> String {
        let check = self.check;
        if check.verdict == Verdict::Violated && !check.exhausted && check.limits.is_empty() {
            "the search stopped at the first one; --all-errors goes on".into()
        } else if check.errors.iter().any(|error| error.n_states.is_some()) {
            // A violation that is met in many states is reported once.
            format!("{} told", plural(check.errors.len() as u64, "different one"))
        } else {
            String::new()
        }
    }
}

fn place_of(point: &Point) -> String {
    point.location.as_ref().map_or_else(|| "-".to_string(), place_text)
}

fn error_text(error: &ErrorReport) -> String {
    let mut text = String::new();
    if let Some(at) = &error.location {
        text += &format!("{at}  ");
    }
    text += &visible(&error.message);
    if let Some(steps) = error.steps {
        text += &format!("  ({}", plural(steps, "step"));
        if let Some(trace) = &error.trace {
            text += &format!(", {}", trace.display());
        }
        if let Some(n) = error.n_states {
            text += &format!(", in {}", plural(n, "state"));
        }
        text.push(')');
    }
    text
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::check::{Figures, Limit, Setup, Unsupported};
    use allways_model::{Digest, Location};
    use std::time::Duration;

    /// A check with something of everything.
    pub(crate) fn sample(verdict: Verdict) -> Check {
        let location = Some(Location { file: "x.pml".into(), line: 3, column: 5 });
        Check {
            model: "x.pml".into(),
            digest: Some(Digest([0xab; 16])),
            spec_digest: Some(allways_model::Sha256([0xcd; 32])),
            property: "safety".into(),
            verdict,
            figures: Figures {
                states: 1000,
                matched: 234,
                transitions: 1234,
                depth: 17,
                elapsed: Duration::from_millis(500),
                memory_bytes: 24_000,
                varies: None,
            },
            setup: Setup {
                search: "dfs".into(),
                store: "exact".into(),
                reduction: "none".into(),
                workers: 2,
            },
            exhausted: verdict == Verdict::Holds,
            walks: None,
            cache: None,
            coverage: None,
            n_errors: u64::from(verdict == Verdict::Violated),
            errors: if verdict == Verdict::Violated {
                vec![ErrorReport {
                    kind: "assertion".into(),
                    message: "assertion violated: x == 1".into(),
                    location: location.clone(),
                    trace: Some("x.pml.trace".into()),
                    steps: Some(12),
                    cycle: None,
                    n_states: None,
                }]
            } else {
                Vec::new()
            },
            limits: if verdict == Verdict::Bounded {
                vec![Limit::Depth(17), Limit::Time(Duration::from_secs(10))]
            } else {
                Vec::new()
            },
            unreached: (verdict == Verdict::Holds).then(|| {
                let point = |owner: &str, state| Point {
                    owner: owner.into(),
                    location: location.clone(),
                    state,
                    text: "-end-".into(),
                };
                vec![point("P", 4), point("P", 5), point("Q", 1)]
            }),
            unsupported: if verdict == Verdict::Unsupported {
                vec![Unsupported { message: "embedded C".into(), location }]
            } else {
                Vec::new()
            },
            ignored_claims: vec!["p1".into()],
            warnings: vec!["something odd".into()],
            speed: None,
            story: String::new(),
        }
    }

    fn shown(check: &Check) -> String {
        let mut out = Vec::new();
        CheckText { check, full: false, paint: Paint::plain() }.write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    const FIGURES: &str = "  \
          states       1,000  (234 matched)\n  \
          transitions  1,234\n  \
          depth        17\n  \
          errors       0\n  \
          time         500 ms  (2.00 k states/s)\n  \
          memory       23.4 KiB  (24.0 bytes a state)\n  \
          search       dfs, exact store, no reduction, 2 workers\n\n";

    #[test]
    fn holds() {
        let expected = "unreached in P\n  x.pml:3  state 4    -end-\n  x.pml:3  state 5    -end-\n\
             unreached in Q\n  x.pml:3  state 1    -end-\n\n"
            .to_string()
            + FIGURES
            + "holds: x.pml: safety, no violation in any of its 1,000 states\n";
        assert_eq!(shown(&sample(Verdict::Holds)), expected);
    }

    #[test]
    fn bounded() {
        let expected = FIGURES.to_string()
            + "bounded: x.pml: safety, no violation found, but paths were cut at the depth limit of 17, \
               and the time limit of 10.0 s ended the search\n";
        assert_eq!(shown(&sample(Verdict::Bounded)), expected);
    }

    #[test]
    fn violated() {
        let text = shown(&sample(Verdict::Violated));
        assert!(text.ends_with("violated: x.pml:3: safety, assertion violated: x == 1\n"), "{text}");
        assert!(text.contains("errors       1  (the search stopped at the first one; --all-errors goes on)"));
        let mut many = sample(Verdict::Violated);
        many.errors = vec![many.errors[0].clone(); 30];
        many.n_errors = 300;
        many.exhausted = true;
        let text = shown(&many);
        assert!(
            text.starts_with("errors\n    1  x.pml:3  assertion violated: x == 1  (12 steps, x.pml.trace)\n")
        );
        assert!(text.contains("... and 20 more errors, --full shows them"), "{text}");
        assert!(text.ends_with("x == 1 (300 errors in all)\n"), "{text}");
    }

    #[test]
    fn what_many_states_have_is_told_once() {
        let mut check = sample(Verdict::Violated);
        check.exhausted = true;
        check.n_errors = 16;
        check.errors[0].n_states = Some(16);
        let text = shown(&check);
        assert!(text.contains("errors       16  (1 different one told)\n"), "{text}");
        assert!(
            text.ends_with("violated: x.pml:3: safety, assertion violated: x == 1 (in 16 states)\n"),
            "{text}"
        );
        let other = ErrorReport { n_states: Some(1), ..check.errors[0].clone() };
        check.errors.push(other);
        check.n_errors = 17;
        let text = shown(&check);
        assert!(text.contains("  (12 steps, x.pml.trace, in 16 states)\n"), "{text}");
        assert!(text.contains("  (12 steps, x.pml.trace, in 1 state)\n"), "{text}");
        assert!(text.contains("errors       17  (2 different ones told)\n"), "{text}");
        assert!(text.ends_with("x == 1 (17 errors in all)\n"), "{text}");
    }

    #[test]
    fn unsupported() {
        let mut check = sample(Verdict::Unsupported);
        check.figures = Figures::default();
        assert_eq!(shown(&check), "unsupported: x.pml: safety, embedded C at x.pml:3\n");
    }
}
