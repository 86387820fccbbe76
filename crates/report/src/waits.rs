//! Who waits for whom at a deadlock: one line a process, or a picture.
//!
//! [`Waits`] finds an order of the processes in which each is followed by the one that it waits for;
//! `waits/svg.rs` draws them in that order.

mod svg;

use crate::paint::{Paint, visible};
use crate::steps::{pad, place_text, width};
use allways_model::{Blocked, Process};
use std::io::{self, Write};

/// The processes of a deadlock.
pub struct Waits<'a> {
    title: &'a str,
    /// In the order in which they wait for each other.
    blocked: Vec<&'a Blocked>,
    /// The names of those who can go on.
    others: Vec<String>,
}

impl<'a> Waits<'a> {
    /// Puts them in order; `title` names the program.
    #[must_use]
    pub fn new(title: &'a str, all: &'a [Blocked]) -> Self {
        let mut blocked: Vec<&Blocked> = Vec::new();
        let is_new =
            |blocked: &[&Blocked], one: &Blocked| !blocked.iter().any(|other| std::ptr::eq(*other, one));
        for first in all {
            let mut at = Some(first);
            while let Some(one) = at.filter(|one| is_new(&blocked, one)) {
                blocked.push(one);
                at = next(all, one);
            }
        }
        Self { title, blocked, others: Vec::new() }
    }

    /// With all processes of the state: those that are not blocked can go on, and the others wait for them in
    /// vain.
    #[must_use]
    pub fn among(self, processes: &[Process]) -> Self {
        let names = processes.iter().map(|process| process.name.to_string());
        let others = names.filter(|name| !self.blocked.iter().any(|one| one.name == *name)).collect();
        Self { others, ..self }
    }

    /// A circle of processes each of which waits for the next, if there is one.
    fn circle(&self) -> Vec<&'a Blocked> {
        for &first in &self.blocked {
            let mut way = vec![first];
            while let Some(&one) = way.last().and_then(|last| {
                self.blocked.iter().find(|one| last.holder.as_deref() == Some(one.name.as_str()))
            }) {
                if let Some(start) = way.iter().position(|other| std::ptr::eq(*other, one)) {
                    return way.split_off(start);
                }
                way.push(one);
            }
        }
        Vec::new()
    }

    /// Writes a line for each process, indented, and the circle if they wait in one.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn write(&self, out: &mut dyn Write, paint: Paint) -> io::Result<()> {
        let names: Vec<String> = self.blocked.iter().map(|one| visible(&one.name).into_owned()).collect();
        let places: Vec<String> = (self.blocked.iter())
            .map(|one| one.location.as_ref().map_or_else(|| "-".into(), place_text))
            .collect();
        let widest = |texts: &[String]| texts.iter().map(|text| width(text)).max().unwrap_or(0);
        let (name_width, place_width) = (widest(&names), widest(&places));
        for (idx, one) in self.blocked.iter().enumerate() {
            writeln!(
                out,
                "  {}  {}  {}{}: {}",
                paint.process(&pad(&names[idx], name_width)),
                pad(&places[idx], place_width),
                visible(&one.waits),
                visible(&held(one)),
                visible(&one.text)
            )?;
        }
        let mut circle =
            self.circle().into_iter().map(|one| visible(&one.name).into_owned()).collect::<Vec<_>>();
        if let Some(first) = circle.first().cloned() {
            circle.push(first);
            writeln!(out, "  {}", paint.bad(&format!("in a circle: {}", circle.join(" -> "))))?;
            if !self.others.is_empty() {
                let others = self.others.join(" and ");
                writeln!(out, "  for ever, whatever {} may do", visible(&others))?;
            }
        }
        Ok(())
    }
}

/// The process that one waits for.
fn next<'a>(all: &'a [Blocked], one: &Blocked) -> Option<&'a Blocked> {
    all.iter().find(|other| one.holder.as_deref() == Some(other.name.as_str()))
}

/// Who holds what a process waits for, and since where.
fn held(one: &Blocked) -> String {
    match (&one.resource, &one.holder) {
        (Some(_), Some(holder)) => {
            let since =
                one.taken.as_ref().map_or_else(String::new, |at| format!(" since {}", place_text(at)));
            format!(", held by {holder}{since}")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use allways_model::Location;

    pub(super) fn blocked(
        name: &str,
        resource: Option<&str>,
        holder: Option<&str>,
        taken: Option<u32>,
    ) -> Blocked {
        let location = |line| Location { file: "src/A.java".into(), line, column: 1 };
        Blocked {
            name: name.into(),
            location: Some(location(7)),
            text: "synchronized (b) {".into(),
            waits: match resource {
                Some(what) => format!("waits for the {what}"),
                None => format!("waits for {} to end", holder.unwrap_or("nobody")),
            },
            resource: resource.map(Into::into),
            holder: holder.map(Into::into),
            taken: taken.map(location),
        }
    }

    fn text(all: &[Blocked]) -> String {
        let mut out = Vec::new();
        Waits::new("A", all).write(&mut out, Paint::plain()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn each_is_followed_by_the_one_it_waits_for() {
        let all = [
            blocked("main", None, Some("worker"), None),
            blocked("b", Some("monitor of X"), Some("worker"), Some(5)),
            blocked("worker", Some("monitor of Y"), Some("b"), None),
        ];
        assert_eq!(
            text(&all),
            "  main    A.java:7  waits for worker to end: synchronized (b) {\n  \
             worker  A.java:7  waits for the monitor of Y, held by b: synchronized (b) {\n  \
             b       A.java:7  waits for the monitor of X, held by worker since A.java:5: synchronized (b) {\n  \
             in a circle: worker -> b -> worker\n"
        );
    }

    #[test]
    fn others_can_do_nothing_about_a_circle() {
        let all = [
            blocked("a", Some("monitor of X"), Some("b"), None),
            blocked("b", Some("monitor of Y"), Some("a"), None),
        ];
        let mut out = Vec::new();
        let process = |name: &str| Process {
            id: 0,
            name: name.into(),
            location: None,
            at: String::new(),
            may_end: false,
            stack: Vec::new(),
        };
        let waits = Waits::new("A", &all).among(&["main", "a", "b", "c"].map(process));
        waits.write(&mut out, Paint::plain()).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.ends_with("in a circle: a -> b -> a\n  for ever, whatever main and c may do\n"),
            "{text}"
        );
    }

    #[test]
    fn who_waits_for_nobody_is_in_no_circle() {
        let all = [blocked("a", Some("notification on X"), None, None)];
        assert_eq!(text(&all), "  a  A.java:7  waits for the notification on X: synchronized (b) {\n");
        let itself = [blocked("a", Some("monitor of X"), Some("a"), None)];
        assert!(text(&itself).ends_with("in a circle: a -> a\n"));
    }
}
