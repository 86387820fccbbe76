//! One state for people: the global variables, and each process with its place and its own variables.
//!
//! After a deadlock the same view says who waits where for what, since that is the question.

use crate::figures::plural;
use crate::paint::{Paint, visible};
use crate::steps::{pad, place_text, process_label, shortened, width};
use allways_model::{Process, Variable};
use std::io::{self, Write};

/// More variables than this in one group are elided unless everything is asked for.
const MOST_VARIABLES: usize = 40;
/// A longer statement (a choice may have many branches) is cut unless everything is asked for.
const LONGEST_STATEMENT: usize = 100;

/// A state to be shown.
pub struct StateView<'a> {
    /// The processes alive.
    pub processes: &'a [Process],
    /// The variables, globals first.
    pub variables: &'a [Variable],
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
        self.write_variables(out, paint, None, "  ")?;
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
            self.write_variables(out, paint, Some(process.id), "      ")?;
        }
        if self.processes.is_empty() {
            writeln!(out, "  {}", paint.dim("no process is left"))?;
        }
        Ok(())
    }

    fn write_variables(
        &self,
        out: &mut dyn Write,
        paint: Paint,
        owner: Option<u32>,
        indent: &str,
    ) -> io::Result<()> {
        let group: Vec<&Variable> = self.variables.iter().filter(|v| v.process == owner).collect();
        let most = if self.full { usize::MAX } else { MOST_VARIABLES };
        for variable in group.iter().take(most) {
            writeln!(out, "{indent}{} = {}", visible(&variable.name), visible(&variable.value))?;
        }
        if let Some(rest) = group.len().checked_sub(most).filter(|n| *n > 0) {
            let note = format!("... and {}, --full shows them", plural(rest as u64, "more variable"));
            writeln!(out, "{indent}{}", paint.dim(&note))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use allways_model::Location;

    fn process(id: u32, name: &str, line: u32, at: &str, may_end: bool) -> Process {
        let location = Some(Location { file: "x.pml".into(), line, column: 1 });
        Process { id, name: name.into(), location, at: at.into(), may_end }
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

    #[test]
    fn long_groups_are_elided() {
        let variables: Vec<_> = (0..100).map(|k| variable(None, &format!("a[{k}]"), "0")).collect();
        let mut view = StateView { processes: &[], variables: &variables, stuck: false, full: false };
        assert!(shown(&view).contains("... and 60 more variables, --full shows them"));
        view.full = true;
        assert_eq!(shown(&view).lines().count(), 101);
    }
}
