//! The state of one generation, and the small tools that all parts of it share.
//!
//! Text is built as lines, one statement to a line, so that a minimiser can drop statements by dropping
//! lines. A statement is a list of lines without a separator at its end; [`Gen::seq`] puts the separators.

use std::collections::BTreeSet;

use super::feature::Feature;
use super::inline::{Inline, Macro};
use super::process::Plan;
use super::profile::Profile;
use super::rng::Rng;
use super::scope::{Scope, ScopeFrame, Sig, TypeDef};

/// The lines of a statement or of a whole section.
pub(super) type Lines = Vec<String>;

/// A set of mtype names.
#[derive(Clone, Debug)]
pub(super) struct MtypeSet {
    pub name: Option<String>,
    pub members: Vec<String>,
}

/// A label of the process being written.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub name: String,
    pub placed: bool,
    /// It stands before a simple statement outside atomic sequences, so jumping back to it always stores a
    /// state: no loop without stored states can come of it.
    pub safe_back: bool,
    pub used: bool,
}

/// The process being written.
#[derive(Clone, Debug, Default)]
pub(super) struct Proc {
    pub plan: usize,
    /// How many statements may still be written.
    pub budget: i32,
    pub labels: Vec<Label>,
    /// A statement was written, so a channel can no longer be declared.
    pub started: bool,
    /// Names of blocks that are closed: free to be used again.
    pub retired: Vec<String>,
    /// How many locals have a name; each process counts for itself, so processes share names.
    pub n_locals: u32,
    /// The text is that of an inline, whose names must not meet those of a process.
    pub is_inline: bool,
    /// Which signatures it sends on and receives on.
    pub sends: Vec<usize>,
    pub receives: Vec<usize>,
}

/// Where a statement stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub depth: u32,
    pub atomic: bool,
    pub loops: bool,
    pub unless: bool,
    /// It is the first statement of a block, where SPIN takes no label.
    pub first: bool,
}

impl At {
    /// The level of a process.
    pub(super) const TOP: At = At { depth: 0, atomic: false, loops: false, unless: false, first: false };

    pub(super) fn deeper(self) -> At {
        At { depth: self.depth + 1, first: false, ..self }
    }
}

/// One generation under way.
pub(super) struct Gen {
    pub rng: Rng,
    pub used: BTreeSet<Feature>,
    pub profile: Profile,
    pub mtypes: Vec<MtypeSet>,
    pub defs: Vec<TypeDef>,
    pub sigs: Vec<Sig>,
    pub scope: Scope,
    pub macros: Vec<Macro>,
    pub inlines: Vec<Inline>,
    pub plans: Vec<Plan>,
    pub proc: Proc,
    pub hidden: Vec<String>,
    /// The processes at the two ends of the channel with `xs` and `xr` claims.
    pub exclusive: Option<(usize, usize)>,
    /// The value of the macro `N`.
    pub n_value: Option<u32>,
    pub n_names: u32,
    /// Inside a d_step, or in text that may be used in one.
    pub in_dstep: bool,
}

impl Gen {
    pub(super) fn new(rng: Rng, profile: Profile) -> Self {
        Gen {
            rng,
            used: BTreeSet::new(),
            profile,
            mtypes: Vec::new(),
            defs: Vec::new(),
            sigs: Vec::new(),
            scope: Scope { frames: vec![ScopeFrame::default()], blocks: Vec::new() },
            macros: Vec::new(),
            inlines: Vec::new(),
            plans: Vec::new(),
            proc: Proc::default(),
            hidden: Vec::new(),
            exclusive: None,
            n_value: None,
            n_names: 0,
            in_dstep: false,
        }
    }

    /// Records that the model uses a feature.
    pub(super) fn mark(&mut self, feature: Feature) {
        self.used.insert(feature);
    }

    /// A name that nothing else in the model has.
    pub(super) fn fresh(&mut self, prefix: &str) -> String {
        self.n_names += 1;
        format!("{prefix}{}", self.n_names)
    }

    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.rng.chance(percent)
    }

    /// Statements one after the other, with separators.
    pub(super) fn seq(&mut self, statements: Vec<Lines>) -> Lines {
        let n = statements.len();
        let mut out = Lines::new();
        let mut after_compound = false;
        for (idx, statement) in statements.into_iter().enumerate() {
            // SPIN takes the end of a loop before a d_step for a jump into the d_step.
            if after_compound && begins_with_d_step(&statement) {
                out.push("skip;".to_string());
            }
            let expands = |line: &String| line.contains("select (") || line.contains("sub");
            after_compound = statement.len() > 1 || statement.iter().any(expands);
            let Some((last, rest)) = statement.split_last() else { continue };
            out.extend(rest.iter().cloned());
            let closes = ["}", "fi", "od"].contains(&last.trim()) && !last.contains(' ');
            let end = if idx + 1 == n {
                if self.rng.chance(30) { ";" } else { "" }
            } else if closes && self.rng.chance(25) {
                self.mark(Feature::ImpliedSemicolon);
                ""
            } else if self.rng.chance(8) {
                self.mark(Feature::ArrowSeparator);
                " ->"
            } else {
                ";"
            };
            out.push(format!("{last}{end}"));
        }
        out
    }

    /// Runs `body` inside braces.
    pub(super) fn in_block<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        self.scope.blocks.push(Vec::new());
        let out = self.in_frame(body);
        self.proc.retired.extend(self.scope.blocks.pop().unwrap_or_default());
        out
    }

    /// Runs `body` with names of its own that are forgotten afterwards.
    pub(super) fn in_frame<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        self.scope.frames.push(ScopeFrame::default());
        let out = body(self);
        self.scope.frames.pop();
        out
    }
}

/// Whether a statement is a d_step or a block that starts with one.
pub(super) fn begins_with_d_step(statement: &[String]) -> bool {
    let mut heads = statement.iter().map(|line| line.rsplit(": ").next().unwrap_or(line).trim());
    heads.find(|line| !matches!(*line, "{" | "atomic {")).is_some_and(|line| line.starts_with("d_step"))
}

/// Puts a label before a statement. An `unless` needs braces for that.
pub(super) fn labelled(label: &str, mut lines: Lines) -> Lines {
    if lines.iter().any(|line| !line.starts_with(' ') && line.contains(" unless {")) {
        lines = braces("", lines);
    }
    if let Some(first) = lines.first_mut() {
        *first = format!("{label}: {first}");
    }
    lines
}

/// Whether a jump may lead to the statement. SPIN refuses jumps to declarations, to other jumps and to
/// d_steps.
pub(super) fn can_be_target(statement: &[String]) -> bool {
    let Some(line) = statement.first() else { return false };
    let refused =
        ["byte ", "int ", "short ", "bit ", "bool ", "unsigned ", "chan ", "mtype", "pid ", "goto ", "break"];
    !begins_with_d_step(statement)
        && !line.contains("sub")
        && !refused.iter().any(|word| line.starts_with(word))
}

/// Whether a statement starts with a choice that has an else.
pub(super) fn begins_with_else(statement: &[String]) -> bool {
    let mut heads = statement.iter().map(|line| line.trim());
    let opens = |line: &&str| !matches!(*line, "{" | "atomic {") && !line.ends_with(';');
    let choice = heads.find(opens).is_some_and(|line| line == "if" || line == "do" || line.contains("sub"));
    choice && statement.iter().any(|line| line.contains("else") || line.contains("sub"))
}

/// Whether a guard looks at a channel.
pub(super) fn looks_at_channel(guard: &[String]) -> bool {
    guard.iter().any(|line| {
        let sends = line.match_indices('!').any(|(at, _)| !line[at + 1..].starts_with(['=', '(']));
        sends
            || line.contains('?')
            || ["full(", "empty(", "len(", "sub"].iter().any(|word| line.contains(word))
    })
}

/// Lines set further in.
pub(super) fn indent(lines: Lines) -> Lines {
    lines.into_iter().map(|line| if line.starts_with('#') { line } else { format!("  {line}") }).collect()
}

/// `head {`, the lines, `}`.
pub(super) fn braces(head: &str, body: Lines) -> Lines {
    let mut out = vec![if head.is_empty() { "{".to_string() } else { format!("{head} {{") }];
    out.extend(indent(body));
    out.push("}".to_string());
    out
}
