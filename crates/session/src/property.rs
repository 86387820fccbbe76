//! Which property is checked.
//!
//! A check is about one property at a time: safety, or what a claim, a formula or the labels of the model say
//! about runs that never end.

use allways_model::ViolationKind::AcceptanceCycle;
use allways_model::{Rule, Violation};
use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A property, as the command line or a specification names it.
///
/// ```
/// use allways_session::Property;
///
/// assert_eq!("claim p1".parse(), Ok(Property::Claim("p1".into())));
/// assert_eq!(Property::Formula("[] p".into()).to_string(), "ltl [] p");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Property {
    /// Assertions, end states, event traces, run-time errors.
    #[default]
    Safety,
    /// No run passes labels that begin with `accept` again and again.
    Acceptance,
    /// Every run that never ends passes labels that begin with `progress` again and again.
    Progress,
    /// A never claim or formula of the model, by name.
    Claim(String),
    /// A formula from the command line.
    Formula(String),
    /// No run is one that the automaton in this file accepts.
    Automaton(String),
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Safety => f.write_str("safety"),
            Self::Acceptance => f.write_str("acceptance"),
            Self::Progress => f.write_str("progress"),
            Self::Claim(name) => write!(f, "claim {name}"),
            Self::Formula(text) => write!(f, "ltl {text}"),
            Self::Automaton(file) => write!(f, "automaton {file}"),
        }
    }
}

impl FromStr for Property {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.split_once(' ')) {
            ("safety", _) => Ok(Self::Safety),
            ("acceptance", _) => Ok(Self::Acceptance),
            ("progress", _) => Ok(Self::Progress),
            (_, Some(("claim", name))) => Ok(Self::Claim(name.into())),
            (_, Some(("ltl", formula))) => Ok(Self::Formula(formula.into())),
            (_, Some(("automaton", file))) => Ok(Self::Automaton(file.into())),
            _ => Err(format!("'{text}' is not a property")),
        }
    }
}

/// A file's own name. What is checked must not depend on the directory that a file was named from.
pub(crate) fn own_name(file: &str) -> &str {
    Path::new(file).file_name().and_then(OsStr::to_str).unwrap_or(file)
}

static NO_PROGRESS: Rule = Rule::new(
    AcceptanceCycle,
    "cycle-without-progress",
    "a {fair}run goes on without end and without progress",
);
static ACCEPT_LABELS: Rule = Rule::new(
    AcceptanceCycle,
    "cycle-through-accept-labels",
    "a {fair}run passes accept labels again and again",
);
static PROPERTY: Rule = Rule::new(
    AcceptanceCycle,
    "cycle-violates-property",
    "{property} is violated by a {fair}run that never ends",
);
static AUTOMATON: Rule = Rule::new(
    AcceptanceCycle,
    "cycle-accepted-by-automaton",
    "a {fair}run that never ends is accepted by {automaton}",
);

impl Property {
    /// The property as a specification names it: files by their own names.
    #[must_use]
    pub(crate) fn in_spec(&self) -> String {
        match self {
            Self::Automaton(file) => Self::Automaton(own_name(file).into()).to_string(),
            property => property.to_string(),
        }
    }

    /// What a run that visits accepting states infinitely often does wrong.
    #[must_use]
    pub fn violation_by_cycle(&self, fair: bool) -> Violation {
        let violation = match self {
            Self::Progress => Violation::new(&NO_PROGRESS),
            Self::Safety | Self::Acceptance => Violation::new(&ACCEPT_LABELS),
            Self::Claim(name) => Violation::new(&PROPERTY).with("property", name),
            Self::Formula(formula) => Violation::new(&PROPERTY).with("property", formula),
            Self::Automaton(file) => Violation::new(&AUTOMATON).with("automaton", own_name(file)),
        };
        if fair { violation.with("fair", "fair ") } else { violation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_trace_says_is_read_back() {
        let all = [
            Property::Safety,
            Property::Acceptance,
            Property::Progress,
            Property::Claim("p1".into()),
            Property::Formula("[] (a -> <> b)".into()),
            Property::Automaton("a b.hoa".into()),
        ];
        for property in all {
            assert_eq!(property.to_string().parse(), Ok(property));
        }
        assert!("liveness".parse::<Property>().is_err());
    }
}
