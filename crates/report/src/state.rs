//! One state for people: the global variables, and each process with its place and its own variables.
//!
//! After a deadlock the same view says who waits where for what, since that is the question.

use crate::paint::{Paint, visible};
use crate::steps::{pad, place_text, process_label, shortened, width};
use crate::variables::Variables;
use allways_model::{Process, Variable};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

/// A longer statement (a choice may have many branches) is cut unless everything is asked for.
const LONGEST_STATEMENT: usize = 100;

/// A state to be shown.
pub struct StateView<'a> {
    /// The processes alive.
    pub processes: &'a [Process],
    /// The variables, globals first.
    pub variables: &'a [Variable],
    /// The variables of the first state of the run; empty if that is not known.
    pub initial: &'a [Variable],
    /// What the last steps changed, as [`allways_model::Change::name`] has it.
    pub recent: &'a [String],
    /// Whether nothing can happen here: then the processes are said to wait.
    pub stuck: bool,
    /// Whether to show everything, however long.
    pub full: bool,
}

impl StateView<'_> {
    /// Writes the state, indented, without a heading.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn write(&self, out: &mut dyn Write, paint: Paint) -> io::Result<()> {
        self.write_variables(out, paint, None)?;
        let labels: Vec<String> = self.processes.iter().map(|p| process_label(&p.name, p.id)).collect();
        let places: Vec<String> =
            self.processes.iter().map(|p| p.location.as_ref().map_or("-".into(), place_text)).collect();
        let who = labels.iter().map(|label| width(label)).max().unwrap_or(0);
        let place = places.iter().map(|text| width(text)).max().unwrap_or(0);
        for (idx, process) in self.processes.iter().enumerate() {
            let label = pad(&labels[idx], who);
            let what = visible(&process.at);
            let what = if self.full { what.into_owned() } else { shortened(&what, LONGEST_STATEMENT) };
            let (word, note) = match (self.stuck, process.may_end) {
                (true, false) => (paint.bad("waits at"), ""),
                (true, true) => (paint.dim("rests at"), "  (may end here)"),
                (false, _) => (paint.dim("at"), ""),
            };
            writeln!(
                out,
                "  {}  {word} {}  {what}{}",
                paint.process(&label),
                pad(&places[idx], place),
                paint.dim(note)
            )?;
            for call in &process.stack {
                let at = call
                    .called_at
                    .as_ref()
                    .map_or(String::new(), |at| format!(", called at {}", place_text(at)));
                writeln!(out, "      {}", paint.dim(&visible(&format!("in {}{at}", call.function))))?;
            }
            self.write_variables(out, paint, Some(process))?;
        }
        if self.processes.is_empty() {
            writeln!(out, "  {}", paint.dim("no process is left"))?;
        }
        Ok(())
    }

    /// Writes the variables of a process, or the globals.
    fn write_variables(
        &self,
        out: &mut dyn Write,
        paint: Paint,
        process: Option<&Process>,
    ) -> io::Result<()> {
        let owner = process.map(|process| process.id);
        let prefix = process.map_or_else(String::new, |p| format!("{}({}):", p.name, p.id));
        let recent: HashSet<&str> =
            self.recent.iter().filter_map(|name| name.strip_prefix(prefix.as_str())).collect();
        // A process may be another one than that of the same number in the first state, so only globals are
        // compared.
        let initial: HashMap<&str, &str> = (self.initial.iter())
            .filter(|v| v.process.is_none() && owner.is_none())
            .map(|v| (v.name.as_str(), v.value.as_str()))
            .collect();
        let variables = Variables {
            all: self.variables.iter().filter(|v| v.process == owner).collect(),
            is_recent: &|v| recent.contains(v.name.as_str()),
            is_initial: &|v| initial.get(v.name.as_str()).is_some_and(|value| *value == v.value),
            full: self.full,
        };
        variables.write(out, paint, if owner.is_none() { "  " } else { "      " })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use allways_model::Location;

    fn process(id: u32, name: &str, line: u32, at: &str, may_end: bool) -> Process {
        let location = Some(Location { file: "x.pml".into(), line, column: 1 });
        Process { id, name: name.into(), location, at: at.into(), may_end, stack: Vec::new() }
    }

    fn variable(process: Option<u32>, name: &str, value: &str) -> Variable {
        Variable { process, name: name.into(), value: value.into() }
    }

    fn shown(view: &StateView<'_>) -> String {
        let mut out = Vec::new();
        view.write(&mut out, Paint::plain()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_deadlock_says_who_waits() {
        let view = StateView {
            processes: &[process(0, "P", 7, "ch?x", false), process(1, "server", 21, "req?y", true)],
            variables: &[variable(None, "turn", "1"), variable(Some(0), "x", "3")],
            initial: &[],
            recent: &[],
            stuck: true,
            full: false,
        };
        assert_eq!(
            shown(&view),
            "  turn = 1\n  \
             P(0)       waits at x.pml:7   ch?x\n      x = 3\n  \
             server(1)  rests at x.pml:21  req?y  (may end here)\n"
        );
    }

    /// What changed lately comes first, a local variable by the name of its process, and globals that are as
    /// in the first state last.
    #[test]
    fn a_long_state_begins_with_what_changed() {
        let initial: Vec<_> = (0..30).map(|k| variable(None, &format!("x{k}"), "0")).collect();
        let mut now = initial.clone();
        now[4].value = "1".into();
        now[7].value = "2".into();
        now.extend((0..30).map(|k| variable(Some(2), &format!("x{k}"), "0")));
        let mut view = StateView {
            processes: &[process(2, "P", 7, "skip", false)],
            variables: &now,
            initial: &initial,
            recent: &["P(2):x9".into(), "x7".into(), "P(3):x8".into()],
            stuck: false,
            full: false,
        };
        let text = shown(&view);
        assert!(
            text.starts_with(
                "  changed in the last steps:\n    x7 = 2\n  the others:\n    x4 = 1\n    \
                 and 28 more with their initial values; --full shows them\n  P(2)  at x.pml:7  skip\n      \
                 changed in the last steps:\n        x9 = 0\n      the others:\n        x0 = 0\n"
            ),
            "{text}"
        );
        assert!(text.ends_with("        x28 = 0\n        x29 = 0\n"), "{text}");
        view.full = true;
        assert_eq!(shown(&view).lines().count(), 65);
        // Without a first state nothing is known to be as it was.
        (view.full, view.initial) = (false, &[]);
        assert_eq!(shown(&view).lines().count(), 65);
    }
}
