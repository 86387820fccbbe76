//! Violations: what can be wrong with a program under check.
//!
//! A violation is data: the [`Rule`] that was broken, the facts of this case, and the location in the source.
//! Two violations are the same if these agree, whichever run, worker or operating-system process met them.
//! The message is made from the data last, by [`Violation::message`], and code never compares messages.

use crate::{Location, StepKey};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// The kind of a violation, shared by all front ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ViolationKind {
    /// No process can continue, and some process is not at a valid end.
    Deadlock,
    /// A condition that the program itself asserts is false.
    Assertion,
    /// A condition that must hold in every state, and is not part of the program, is false.
    Invariant,
    /// The program did something that its language does not define: a bad index, a division by zero, ...
    RuntimeError,
    /// An uncaught exception ends a thread.
    Exception,
    /// Two threads access one location at once, one of them writes, and nothing orders them.
    Race,
    /// An event trace does not allow the events on the channels.
    EventTrace,
    /// A never claim reached its end: the run matches what it describes.
    Claim,
    /// An infinite run visits accepting states infinitely often.
    AcceptanceCycle,
    /// An object was lost without being deleted.
    Leak,
    /// The program ends with an exit status that means failure.
    Exit,
}

impl ViolationKind {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Deadlock,
        Self::Assertion,
        Self::Invariant,
        Self::RuntimeError,
        Self::Exception,
        Self::Race,
        Self::EventTrace,
        Self::Claim,
        Self::AcceptanceCycle,
        Self::Leak,
        Self::Exit,
    ];

    /// The name used in JSON and in trace files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Deadlock => "deadlock",
            Self::Assertion => "assertion",
            Self::Invariant => "invariant",
            Self::RuntimeError => "runtime-error",
            Self::Exception => "exception",
            Self::Race => "race",
            Self::EventTrace => "event-trace",
            Self::Claim => "claim",
            Self::AcceptanceCycle => "acceptance-cycle",
            Self::Leak => "leak",
            Self::Exit => "exit",
        }
    }
}

/// A rule that a program can break: the kind of violation, an identifier, and an English sentence.
///
/// Rules are constants of the front ends. The name is part of a violation's identity and never changes; the
/// sentence may.
pub struct Rule {
    /// The kind of violation.
    pub kind: ViolationKind,
    /// The name, in lower case with hyphens.
    pub name: &'static str,
    words: Words,
}

/// How a sentence is made from facts.
enum Words {
    /// A sentence in which `{name}` stands for the fact of that name.
    Template(&'static str),
    /// A function of the facts, for sentences that list them.
    Composed(fn(&[Fact]) -> String),
}

impl Rule {
    /// A rule whose sentence is `words` with each `{name}` replaced by the fact of that name.
    #[must_use]
    pub const fn new(kind: ViolationKind, name: &'static str, words: &'static str) -> Self {
        Self { kind, name, words: Words::Template(words) }
    }

    /// A rule whose sentence is a function of the facts.
    #[must_use]
    pub const fn composed(kind: ViolationKind, name: &'static str, words: fn(&[Fact]) -> String) -> Self {
        Self { kind, name, words: Words::Composed(words) }
    }

    /// The sentence for these facts.
    #[must_use]
    pub fn sentence(&self, facts: &[Fact]) -> String {
        match self.words {
            Words::Template(words) => fill(words, facts),
            Words::Composed(compose) => compose(facts),
        }
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.name == other.name
    }
}

impl Eq for Rule {}

impl Hash for Rule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.kind, self.name).hash(state);
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Replaces each `{name}` by the first fact of that name.
fn fill(words: &str, facts: &[Fact]) -> String {
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, behind)) = after.split_once('}') else {
            out.push('{');
            rest = after;
            continue;
        };
        out.push_str(facts.iter().find(|fact| fact.name == name).map_or("", |fact| &fact.value));
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// A fact of a violation: a value, with a name that its [`Rule`] defines.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fact {
    /// The name; several facts of one violation may share it.
    pub name: &'static str,
    /// The value, in the notation of the program's language.
    pub value: String,
}

impl Fact {
    /// A fact.
    #[must_use]
    pub fn new(name: &'static str, value: impl fmt::Display) -> Self {
        Self { name, value: value.to_string() }
    }
}

/// Something wrong, found while expanding one state.
///
/// ```
/// use allways_model::{Rule, Violation, ViolationKind};
///
/// static OUT_OF_RANGE: Rule =
///     Rule::new(ViolationKind::RuntimeError, "index-out-of-range", "index {index} is not below {bound}");
///
/// let violation = Violation::new(&OUT_OF_RANGE).with("index", 7).with("bound", 4);
/// assert_eq!(violation.message(), "index 7 is not below 4");
/// assert_eq!(violation.id().to_string(), r#"runtime-error index-out-of-range index="7" bound="4""#);
/// ```
#[derive(Clone, Debug)]
pub struct Violation {
    /// The rule that was broken.
    pub rule: &'static Rule,
    /// The facts of this case, in the order that the rule gives them.
    pub facts: Vec<Fact>,
    /// The step during which it happened; `None` if the state itself is wrong.
    pub key: Option<StepKey>,
    /// The location in the source, if there is one.
    pub location: Option<Location>,
    /// Facts that the run to it adds for display, such as where an object was made: see
    /// [`Model::background`]. Not part of its identity.
    ///
    /// [`Model::background`]: crate::Model::background
    pub background: Vec<Fact>,
}

impl Violation {
    /// A violation of a state, without facts and location.
    #[must_use]
    pub fn new(rule: &'static Rule) -> Self {
        Self { rule, facts: Vec::new(), key: None, location: None, background: Vec::new() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.facts.push(Fact::new(name, value));
        self
    }

    /// Sets the location.
    #[must_use]
    pub fn at(mut self, location: Option<Location>) -> Self {
        self.location = location;
        self
    }

    /// The kind of violation.
    #[must_use]
    pub fn kind(&self) -> ViolationKind {
        self.rule.kind
    }

    /// The message, on one line.
    #[must_use]
    pub fn message(&self) -> String {
        if self.background.is_empty() {
            return self.rule.sentence(&self.facts);
        }
        self.rule.sentence(&[&self.facts[..], &self.background].concat())
    }

    /// Its identity, which does not depend on the step and the state in which it was met.
    #[must_use]
    pub fn id(&self) -> ViolationId {
        let mut facts: Vec<(String, String)> =
            self.facts.iter().map(|fact| (fact.name.to_owned(), fact.value.clone())).collect();
        if let Some(at) = &self.location {
            facts.push(("file".into(), file_name(&at.file).into()));
            facts.push(("line".into(), at.line.to_string()));
            facts.push(("column".into(), at.column.to_string()));
        }
        ViolationId { kind: self.rule.kind, rule: self.rule.name.into(), facts }
    }

    /// Whether both have the same [`ViolationId`].
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let place = |violation: &Self| {
            violation.location.as_ref().map(|at| (file_name(&at.file).to_owned(), at.line, at.column))
        };
        self.rule == other.rule
            && self.facts == other.facts
            && (self.location == other.location || place(self) == place(other))
    }
}

/// The last component of a path, so that a violation has the same identity whatever directory its file was
/// named from.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The identity of a violation: its kind, the name of the rule, and the facts, including the location.
///
/// It is the same in every run, with any number of workers, in every operating-system process; it contains no
/// sentence. Its text form reads back:
///
/// ```
/// use allways_model::{ViolationId, ViolationKind};
///
/// let text = r#"assertion assertion-failed condition="x == \"a\"" file="m.pml" line="4" column="1""#;
/// let id: ViolationId = text.parse().unwrap();
/// assert_eq!((id.kind, id.rule.as_str()), (ViolationKind::Assertion, "assertion-failed"));
/// assert_eq!(id.facts[0], ("condition".to_string(), "x == \"a\"".to_string()));
/// assert_eq!(id.to_string(), text);
/// assert!("assertion".parse::<ViolationId>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ViolationId {
    /// The kind of violation.
    pub kind: ViolationKind,
    /// The name of the rule.
    pub rule: String,
    /// Names and values of the facts.
    pub facts: Vec<(String, String)>,
}

impl fmt::Display for ViolationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.name(), self.rule)?;
        for (name, value) in &self.facts {
            write!(f, " {name}=\"")?;
            for c in value.chars() {
                match c {
                    '"' | '\\' => write!(f, "\\{c}")?,
                    '\n' => f.write_str("\\n")?,
                    '\r' => f.write_str("\\r")?,
                    c => write!(f, "{c}")?,
                }
            }
            f.write_str("\"")?;
        }
        Ok(())
    }
}

/// The error for a text that is not the text form of a [`ViolationId`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAViolation;

impl fmt::Display for NotAViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a violation (KIND RULE NAME=\"VALUE\"...)")
    }
}

impl std::error::Error for NotAViolation {}

impl FromStr for ViolationId {
    type Err = NotAViolation;

    fn from_str(text: &str) -> Result<Self, NotAViolation> {
        let (kind, rest) = text.split_once(' ').ok_or(NotAViolation)?;
        let kind = ViolationKind::ALL.into_iter().find(|one| one.name() == kind).ok_or(NotAViolation)?;
        let (rule, mut rest) = rest.split_once(' ').unwrap_or((rest, ""));
        if rule.is_empty() {
            return Err(NotAViolation);
        }
        let mut facts = Vec::new();
        while !rest.is_empty() {
            let (name, after) = rest.split_once("=\"").ok_or(NotAViolation)?;
            let (value, behind) = quoted(after).ok_or(NotAViolation)?;
            facts.push((name.to_owned(), value));
            rest = match behind.strip_prefix(' ') {
                Some(more) if !more.is_empty() => more,
                None if behind.is_empty() => "",
                _ => return Err(NotAViolation),
            };
        }
        Ok(Self { kind, rule: rule.into(), facts })
    }
}

/// The value up to the closing quotation mark, and what follows that.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => value.push(match chars.next()?.1 {
                'n' => '\n',
                'r' => '\r',
                c @ ('"' | '\\') => c,
                _ => return None,
            }),
            c => value.push(c),
        }
    }
    None
}

/// Something that the model did and after which the tool cannot continue. It ends a run with the verdict
/// `unsupported`, or with `bounded` if the user can change the limit that was met.
#[derive(Clone, Debug, Default)]
pub struct Fault {
    /// The message, on one line: what is not supported.
    pub message: String,
    /// The location in the source.
    pub location: Option<Location>,
    /// The name of the limit that was met, if it is one that the user can change.
    pub limit: Option<&'static str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    static RULE: Rule = Rule::new(ViolationKind::RuntimeError, "odd", "{a}{b} and {a} {c} {");

    #[test]
    fn words_are_filled_with_facts() {
        let violation = Violation::new(&RULE).with("a", 1).with("b", "{a}").with("a", 2);
        assert_eq!(violation.message(), "1{a} and 1  {");
    }

    #[test]
    fn directories_do_not_matter_and_lines_do() {
        let at = |file: &str, line| Some(Location { file: file.into(), line, column: 1 });
        let violation = |file, line| Violation::new(&RULE).with("a", "x\n\"y\"\\").at(at(file, line));
        let one = violation("a/m.pml", 3);
        assert!(one.is_same(&violation("b\\m.pml", 3)));
        assert!(!one.is_same(&violation("a/m.pml", 4)));
        assert!(!one.is_same(&Violation::new(&RULE)));
        assert_eq!(one.id(), violation("m.pml", 3).id());
        assert_eq!(one.id().to_string().parse(), Ok(one.id()));
    }

    #[test]
    fn damaged_text_is_refused() {
        let text = Violation::new(&RULE).with("a", "x").with("b", "\\").id().to_string();
        assert!(text.parse::<ViolationId>().is_ok());
        for cut in [0, 5, 13, 14, 20, text.len() - 1] {
            assert_eq!(text[..cut].parse::<ViolationId>(), Err(NotAViolation), "{}", &text[..cut]);
        }
        assert!(text.replace("a=\"x\" ", "a=\"x\"").parse::<ViolationId>().is_err());
        assert!(format!("{text} ").parse::<ViolationId>().is_err());
    }
}
