//! Every possible end of a program, for people and as JSON.

use crate::{Paint, Verdict, count, duration, plural, visible};
use serde::Serialize;
use std::fmt::Write as _;
use std::time::Duration;

/// All ends that were found.
#[derive(Clone, Debug)]
pub struct Outcomes {
    /// The program as the user named it.
    pub model: String,
    /// The ends, each once.
    pub endings: Vec<Ending>,
    /// Distinct states.
    pub states: u64,
    /// Transitions.
    pub transitions: u64,
    /// Wall time of the search.
    pub elapsed: Duration,
    /// `holds` if all ends are ordinary ones, `violated` if not; `bounded` and `unsupported` if there may be
    /// more ends.
    pub verdict: Verdict,
    /// A deadlock of some threads, if there is one and no run ends with one, because other threads continue
    /// indefinitely.
    pub endless: Option<String>,
    /// What the tool cannot run, if that ended the search.
    pub unsupported: Option<String>,
}

/// One end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ending {
    /// `exit`, `deadlock`, `exception` or `assertion`; of several processes the worst.
    pub kind: String,
    /// What was printed to standard output; by several processes, that of one after the other.
    pub output: String,
    /// The exit status, if the process ended; of several processes the first that is not zero.
    pub status: Option<i32>,
    /// A shortest schedule: threads by name, each with its number of steps in a row.
    pub schedule: String,
    /// The steps of that schedule.
    pub n_steps: u64,
    /// How each of several processes ended; none for a program that is run alone.
    pub processes: Vec<ProcessEnding>,
}

/// How one of several processes ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ProcessEnding {
    /// Its name.
    pub name: String,
    /// `exit`, `exception`, `assertion`, `killed` by a failure, or `waits`.
    pub kind: String,
    /// The exit status, if it ended.
    pub status: Option<i32>,
    /// What it printed to standard output.
    pub output: String,
}

#[derive(Serialize)]
struct OutcomesJson<'a> {
    schema: u32,
    tool: &'static str,
    model: &'a str,
    outcomes: &'a [Ending],
    states: u64,
    transitions: u64,
    elapsed_s: f64,
    verdict: &'static str,
    endless: Option<&'a str>,
    unsupported: Option<&'a str>,
}

/// One JSON object, documented in `docs/json.md`.
///
/// # Panics
/// Never: the object has no map that could fail.
#[must_use]
pub fn outcomes_json(outcomes: &Outcomes) -> String {
    let object = OutcomesJson {
        schema: crate::json::SCHEMA,
        tool: concat!("allways ", env!("CARGO_PKG_VERSION")),
        model: &outcomes.model,
        outcomes: &outcomes.endings,
        states: outcomes.states,
        transitions: outcomes.transitions,
        elapsed_s: outcomes.elapsed.as_secs_f64(),
        verdict: outcomes.verdict.name(),
        endless: outcomes.endless.as_deref(),
        unsupported: outcomes.unsupported.as_deref(),
    };
    let mut text = serde_json::to_string_pretty(&object).expect("plain data becomes JSON");
    text.push('\n');
    text
}

/// The ends as a list for people.
#[must_use]
pub fn outcomes_text(outcomes: &Outcomes, paint: Paint) -> String {
    let mut text = String::new();
    for (idx, ending) in outcomes.endings.iter().enumerate() {
        let status = ending.status.map_or(String::new(), |status| format!(" {status}"));
        let kind = format!("{}{status}", ending.kind);
        let kind = if ending.kind == "exit" { paint.good(&kind) } else { paint.bad(&kind) };
        let _ = writeln!(
            text,
            "{} {kind}, after {}",
            paint.bold(&format!("outcome {}:", idx + 1)),
            plural(ending.n_steps, "step")
        );
        for process in &ending.processes {
            let ProcessEnding { name, kind, status, output } = process;
            let status = status.map_or(String::new(), |status| format!(" {status}"));
            let _ = writeln!(text, "  {}: {kind}{status}", visible(name));
            for line in output.lines() {
                let _ = writeln!(text, "    | {}", visible(line));
            }
        }
        if ending.processes.is_empty() {
            for line in ending.output.lines() {
                let _ = writeln!(text, "  | {}", visible(line));
            }
        }
        if ending.output.is_empty() {
            let _ = writeln!(text, "  {}", paint.dim("(prints nothing)"));
        }
        let _ = writeln!(text, "  {}", paint.dim(&format!("schedule: {}", visible(&ending.schedule))));
    }
    if let Some(what) = &outcomes.endless {
        let _ = writeln!(text, "{} {}", paint.bad("without an end:"), visible(what));
    }
    if let Some(what) = &outcomes.unsupported {
        let _ = writeln!(text, "{} {}", paint.bad("unsupported:"), visible(what));
    }
    let complete = match outcomes.verdict {
        Verdict::Holds | Verdict::Violated => "there are no others",
        _ => "there may be others",
    };
    let _ = writeln!(
        text,
        "{}; {complete} ({} states in {})",
        plural(outcomes.endings.len() as u64, "outcome"),
        count(outcomes.states),
        duration(outcomes.elapsed)
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(verdict: Verdict) -> Outcomes {
        let ending = |kind: &str, output: &str| Ending {
            kind: kind.into(),
            output: output.into(),
            status: (kind == "exit").then_some(0),
            schedule: "main*3 Thread-0*2".into(),
            n_steps: 5,
            processes: Vec::new(),
        };
        Outcomes {
            model: "Main".into(),
            endings: vec![ending("exit", "x=1\n"), ending("deadlock", "")],
            states: 12,
            transitions: 14,
            elapsed: Duration::from_millis(2),
            verdict,
            endless: None,
            unsupported: None,
        }
    }

    #[test]
    fn people_see_what_was_printed() {
        let text = outcomes_text(&sample(Verdict::Violated), Paint::plain());
        assert!(
            text.contains("outcome 1: exit 0, after 5 steps\n  | x=1\n  schedule: main*3 Thread-0*2"),
            "{text}"
        );
        assert!(text.contains("outcome 2: deadlock"), "{text}");
        assert!(text.contains("2 outcomes; there are no others (12 states"), "{text}");
        assert!(outcomes_text(&sample(Verdict::Bounded), Paint::plain()).contains("there may be others"));
        let mut several = sample(Verdict::Violated);
        let process = |name: &str, kind: &str, status, output: &str| ProcessEnding {
            name: name.into(),
            kind: kind.into(),
            status,
            output: output.into(),
        };
        several.endings[0].processes =
            vec![process("server", "exit", Some(0), "x=1\n"), process("client 1", "killed", Some(137), "")];
        let text = outcomes_text(&several, Paint::plain());
        assert!(text.contains("  server: exit 0\n    | x=1\n  client 1: killed 137\n  schedule"), "{text}");
    }

    #[test]
    fn machines_get_every_field() {
        let json: serde_json::Value =
            serde_json::from_str(&outcomes_json(&sample(Verdict::Violated))).expect("JSON");
        assert_eq!(json["outcomes"][0]["kind"], "exit");
        assert_eq!(json["outcomes"][0]["output"], "x=1\n");
        assert_eq!(json["outcomes"][1]["status"], serde_json::Value::Null);
        assert_eq!(json["states"], 12);
        assert_eq!(json["verdict"], "violated");
    }
}
