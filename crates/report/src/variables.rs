//! The variables of a process, or the globals, as lines.
//!
//! A short list keeps the order of declaration. A long one is about what matters at the end of a run: first
//! what the last steps changed, then what differs from the beginning, then the rest, which is counted but not
//! listed unless everything is asked for.

use crate::elements::grouped;
use crate::figures::plural;
use crate::paint::{Paint, visible};
use crate::steps::shortened;
use allways_model::Variable;
use std::io::{self, Write};

/// A list of at most this many lines is short.
const SHORT: usize = 24;
/// More lines of one kind are elided unless everything is asked for.
const MOST_LINES: usize = 40;
/// Hiding fewer lines than this saves nothing.
const FEWEST_HIDDEN: usize = 4;
/// A longer value (the contents of a channel) is cut unless everything is asked for.
const LONGEST_VALUE: usize = 160;

/// A list of variables to be shown.
pub(crate) struct Variables<'a> {
    /// The variables of one process, or the globals.
    pub(crate) all: Vec<&'a Variable>,
    /// Whether the last steps changed a variable.
    pub(crate) is_recent: &'a dyn Fn(&Variable) -> bool,
    /// Whether a variable has the value that it had at the beginning of the run.
    pub(crate) is_initial: &'a dyn Fn(&Variable) -> bool,
    /// Whether to show everything, however long.
    pub(crate) full: bool,
}

impl Variables<'_> {
    /// Writes the list.
    pub(crate) fn write(&self, out: &mut dyn Write, paint: Paint, indent: &str) -> io::Result<()> {
        let lines = grouped(&self.all);
        if lines.len() <= SHORT {
            return self.lines(out, &lines, indent);
        }
        let (recent, others): (Vec<&Variable>, Vec<&Variable>) =
            self.all.iter().partition(|variable| (self.is_recent)(variable));
        let (initial, moved): (Vec<&Variable>, Vec<&Variable>) =
            others.iter().partition(|variable| (self.is_initial)(variable));
        if !recent.is_empty() {
            writeln!(out, "{indent}{}", paint.dim("changed in the last steps:"))?;
            self.some(out, paint, &recent, &format!("{indent}  "))?;
            writeln!(out, "{indent}{}", paint.dim("the others:"))?;
        }
        let indent = if recent.is_empty() { indent.to_owned() } else { format!("{indent}  ") };
        self.some(out, paint, &moved, &indent)?;
        let lines = grouped(&initial);
        if self.full || lines.len() < FEWEST_HIDDEN {
            return self.lines(out, &lines, &indent);
        }
        let rest = plural(initial.len() as u64, "variable");
        let note = if moved.is_empty() && recent.is_empty() {
            format!("{rest} with their initial values; --full shows them")
        } else {
            format!("and {} more with their initial values; --full shows them", initial.len())
        };
        writeln!(out, "{indent}{}", paint.dim(&note))
    }

    /// Writes the lines of some variables, the first of them if there are many.
    fn some(
        &self,
        out: &mut dyn Write,
        paint: Paint,
        variables: &[&Variable],
        indent: &str,
    ) -> io::Result<()> {
        let lines = grouped(variables);
        let n_shown = if self.full { lines.len() } else { lines.len().min(MOST_LINES) };
        self.lines(out, &lines[..n_shown], indent)?;
        if n_shown < lines.len() {
            let rest = plural((lines.len() - n_shown) as u64, "more line");
            writeln!(out, "{indent}{}", paint.dim(&format!("... and {rest}, --full shows them")))?;
        }
        Ok(())
    }

    fn lines(&self, out: &mut dyn Write, lines: &[(String, String)], indent: &str) -> io::Result<()> {
        for (name, value) in lines {
            let value = visible(value);
            let value = if self.full { value.into_owned() } else { shortened(&value, LONGEST_VALUE) };
            writeln!(out, "{indent}{} = {value}", visible(name))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(names: &[(String, &str)], full: bool) -> String {
        let variables: Vec<Variable> = (names.iter())
            .map(|(name, value)| Variable { process: None, name: name.clone(), value: (*value).into() })
            .collect();
        let list = Variables {
            all: variables.iter().collect(),
            is_recent: &|variable| variable.name.contains("late"),
            is_initial: &|variable| variable.value == "0",
            full,
        };
        let mut out = Vec::new();
        list.write(&mut out, Paint::plain(), "  ").unwrap();
        String::from_utf8(out).unwrap()
    }

    /// Variables that differ from each other by name.
    fn many(stem: &str, n: usize, value: &'static str) -> Vec<(String, &'static str)> {
        (0..n).map(|k| (format!("{stem}{k}"), value)).collect()
    }

    #[test]
    fn a_short_list_keeps_its_order() {
        let list = [("x".into(), "0"), ("late".into(), "1"), ("y".into(), "0"), ("z".into(), "1")];
        assert_eq!(shown(&list, false), "  x = 0\n  late = 1\n  y = 0\n  z = 1\n");
        // An array of equal elements is short, however large.
        let array: Vec<_> = (0..1000).map(|k| (format!("a[{k}]"), "0")).collect();
        assert_eq!(shown(&array, false), "  a[0..999] = 0\n");
    }

    #[test]
    fn a_long_list_begins_with_what_changed() {
        let mut list = many("x", 30, "0");
        list[3].1 = "7";
        list[20].0 = "late[5]".into();
        list.extend((0..50).map(|k| (format!("a[{k}]"), if k == 9 { "4" } else { "0" })));
        assert_eq!(
            shown(&list, false),
            "  changed in the last steps:\n    late[5] = 0\n  the others:\n    x3 = 7\n    a[9] = 4\n    \
             and 77 more with their initial values; --full shows them\n"
        );
        let full = shown(&list, true);
        assert!(full.contains("    x3 = 7\n    a[9] = 4\n    x0 = 0\n"), "{full}");
        assert!(full.ends_with("    a[0..8] = 0\n    a[10..49] = 0\n"), "{full}");
    }

    #[test]
    fn what_is_hidden_is_counted() {
        assert_eq!(
            shown(&many("x", 100, "0"), false),
            "  100 variables with their initial values; --full shows them\n"
        );
        let text = shown(&many("x", 100, "1"), false);
        assert!(text.ends_with("  x39 = 1\n  ... and 60 more lines, --full shows them\n"), "{text}");
        assert_eq!(shown(&many("x", 100, "1"), true).lines().count(), 100);
        // A line or two are not hidden.
        let text = shown(&[many("x", 30, "1"), many("y", 2, "0")].concat(), false);
        assert!(text.ends_with("  x29 = 1\n  y0 = 0\n  y1 = 0\n"), "{text}");
    }

    #[test]
    fn a_long_value_is_cut_unless_everything_is_wanted() {
        let long: &'static str = Box::leak("[1,2] ".repeat(50).into_boxed_str());
        let list = [("q".to_owned(), long)];
        assert!(shown(&list, false).ends_with("…\n"));
        assert_eq!(shown(&list, true), format!("  q = {long}\n"));
    }
}
