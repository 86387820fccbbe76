//! Traces that were edited by hand: a replay refuses them, or shows exactly what it shows of the original.
//!
//! A replay shows only what it meets itself. So an edit may make it impossible, or lead elsewhere than the
//! trace promises, or concern a line that a replay does not read; it never makes a value appear that the
//! model does not have. Three kinds of runs are edited: one that ends in a failed assertion, one that never
//! ends, and one of a Java program.

use crate::models::RACE;
use crate::{Sandbox, java};

const ENDLESS: &str = "byte x;
active proctype p() { do :: x < 2 -> x++ :: x > 0 -> x = 0 od }
ltl reached { <> (x == 5) }
";

/// A trace, by its parts.
#[derive(Clone)]
struct Lines {
    head: Vec<String>,
    keys: Vec<u64>,
    tail: Vec<String>,
}

impl Lines {
    fn of(text: &str) -> Self {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let steps = lines.iter().position(|line| line.starts_with("steps ")).expect("it has steps");
        let n: usize = lines[steps]["steps ".len()..].parse().expect("a number");
        let keys = lines[steps + 1..][..n].iter().map(|key| key.parse().expect("a number"));
        let tail = lines[steps + 1 + n..].to_vec();
        Self { keys: keys.collect(), tail, head: lines[..steps].to_vec() }
    }

    fn text(&self) -> String {
        let mut lines = self.head.clone();
        lines.push(format!("steps {}", self.keys.len()));
        lines.extend(self.keys.iter().map(u64::to_string));
        lines.extend(self.tail.iter().cloned());
        lines.join("\n") + "\n"
    }

    /// Changes the lines of the head that begin with a word.
    fn change(&mut self, word: &str, change: impl Fn(&str) -> String) {
        let begins = |line: &&mut String| line.split(' ').next() == Some(word);
        self.head.iter_mut().filter(begins).for_each(|line| *line = change(line));
    }
}

/// An edit, and its name.
type Edit = (&'static str, fn(&mut Lines));

/// Edits of what a replay reads: none of them may show anything.
const REFUSED: &[Edit] = &[
    ("the last step is gone", |lines| lines.keys.truncate(lines.keys.len() - 1)),
    ("the first step is gone", |lines| _ = lines.keys.remove(0)),
    ("another step", |lines| lines.keys[1] += 1),
    ("a step of no process", |lines| lines.keys[0] = 99_999_999_999),
    ("a step twice", |lines| lines.keys.insert(0, lines.keys[0])),
    ("a step more", |lines| lines.keys.push(lines.keys[0])),
    ("all steps are gone", |lines| lines.keys.clear()),
    ("a cycle more", |lines| lines.head.push("cycle 1".into())),
    ("another violation", |lines| lines.change("violation", |line| line.replacen("=\"", "=\"no ", 1))),
    ("another kind of violation", |lines| {
        lines.change("violation", |_| "violation deadlock invalid-end-state".into());
    }),
    ("another state space", |lines| lines.change("digest", |_| format!("digest {}", "0".repeat(32)))),
    ("another property", |lines| lines.change("property", |_| "property progress".into())),
    ("other reductions", |lines| {
        lines.change("reduce", |_| "reduce none".into());
        lines.change("interleave", |_| "interleave local".into());
    }),
    ("another file", |lines| {
        lines.change("file", |line| {
            let (name, hash) = line.rsplit_once(' ').expect("a name and a hash");
            format!("{name} {}", hash.chars().rev().collect::<String>())
        });
    }),
    ("another version", |lines| lines.head[0] = "allways trace 1".into()),
    ("another version of the specification", |lines| lines.head[1] = "allways spec 9".into()),
    ("a line that means nothing", |lines| lines.head.push("value x 7".into())),
    ("no end", |lines| lines.tail.clear()),
];

/// Edits of what a replay finds out itself.
const WITHOUT_EFFECT: &[Edit] = &[
    ("more after the end", |lines| lines.tail.push("value x 7".into())),
    ("another message", |lines| lines.change("message", |_| "message x is 7".into())),
    ("no promise", |lines| lines.head.retain(|line| !line.starts_with("violation "))),
    ("a lesson that nothing needs", |lines| lines.head.insert(lines.head.len() - 3, "lesson 00c3f1".into())),
];

fn edit(sandbox: &Sandbox, trace: &str) {
    let original = sandbox.read(trace);
    let shown = sandbox.run(&["replay", trace]);
    assert_eq!(shown.code, 0, "{shown:?}");
    let lines = Lines::of(&original);
    assert_eq!(lines.text(), original);
    for (list, is_refused) in [(REFUSED, true), (WITHOUT_EFFECT, false)] {
        for (name, edit) in list {
            let mut edited = lines.clone();
            edit(&mut edited);
            assert_ne!(edited.text(), original, "{trace}: {name}: nothing was edited");
            sandbox.write("edited.trace", edited.text());
            let run = sandbox.run(&["replay", "edited.trace"]);
            if is_refused {
                assert!(run.code != 0 && run.out.is_empty() && !run.err.is_empty(), "{name}: {run:?}");
            } else {
                assert_eq!((run.code, &run.out), (0, &shown.out), "{trace}: {name}");
            }
        }
    }
}

#[test]
fn no_edited_trace_shows_what_is_not_true() {
    for model in [RACE, ENDLESS] {
        let sandbox = Sandbox::with(model);
        assert_eq!(sandbox.run(&["check", "-q", "x.pml"]).code, 1);
        edit(&sandbox, "x.pml.trace");
    }
}

#[test]
fn no_edited_trace_of_a_java_program_shows_what_is_not_true() {
    let sandbox = Sandbox::new();
    assert_eq!(java::run(&sandbox, "check", "LostUpdate", &["-q"]).code, 1);
    edit(&sandbox, "LostUpdate.trace");
}
