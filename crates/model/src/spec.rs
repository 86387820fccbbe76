//! Specifications: a [`Spec`] identifies a model and a property completely.
//!
//! It is an ordered list of keys and values, with a text form:
//!
//! ```text
//! allways spec 1
//! language promela
//! model peterson.pml
//! file peterson.pml 5a0f...   every file that was read, with the SHA-256 of its bytes
//! define N=3
//! reduce dead,merge,order
//! property claim p1
//! ```
//!
//! The digest of a Spec is the SHA-256 of that text. The same check with the same version of the tool has the
//! same Spec, wherever the files are: names are relative to the model, never absolute. How the model is
//! searched (order, store, workers, limits) is not part of it. The front end that declares an option defines
//! its meaning.

use crate::Sha256;
use std::fmt;

const HEADER: &str = "allways spec 1";

/// The specification of a check.
///
/// ```
/// use allways_model::{Sha256, Spec};
///
/// let mut spec = Spec::new("promela");
/// spec.set("model", "m.pml");
/// spec.add_file("m.pml", Sha256::of(b"init { skip }"));
/// spec.set("define", "N=3");
/// let text = spec.to_text();
/// assert!(text.starts_with("allways spec 1\nlanguage promela\nmodel m.pml\nfile m.pml "));
/// assert_eq!(Spec::parse(&text).as_ref(), Ok(&spec));
///
/// let mut changed = spec.clone();
/// changed.set("define", "M=4");
/// assert_eq!(spec.differences(&changed)[0].to_string(), "define M=4 is new");
/// assert_ne!(spec.digest(), changed.digest());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    entries: Vec<(String, String)>,
}

impl Spec {
    /// A Spec that contains only a language.
    #[must_use]
    pub fn new(language: &str) -> Self {
        Self { entries: vec![("language".into(), language.into())] }
    }

    /// The language.
    #[must_use]
    pub fn language(&self) -> &str {
        &self.entries[0].1
    }

    /// Adds an entry after all others. A key may have several values.
    pub fn set(&mut self, key: &str, value: impl Into<String>) {
        self.entries.push((key.into(), value.into()));
    }

    /// Adds a file that the model is read from.
    pub fn add_file(&mut self, name: &str, content: Sha256) {
        self.set("file", format!("{name} {content}"));
    }

    /// The values of a key, in order.
    pub fn values<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.entries.iter().filter(move |(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The first value of a key.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&str> {
        self.entries.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// Whether a key has the value `yes`.
    #[must_use]
    pub fn is(&self, key: &str) -> bool {
        self.value(key) == Some("yes")
    }

    /// All keys and values, in order; the language first.
    #[must_use]
    pub fn entries(&self) -> &[(String, String)] {
        &self.entries
    }

    /// The text, with one entry a line. A backslash escapes itself and line ends in values.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::from(HEADER);
        for (key, value) in &self.entries {
            text.push('\n');
            text.push_str(key);
            text.push(' ');
            text.push_str(&escape(value));
        }
        text.push('\n');
        text
    }

    /// The SHA-256 of [`Spec::to_text`].
    #[must_use]
    pub fn digest(&self) -> Sha256 {
        Sha256::of(self.to_text().as_bytes())
    }

    /// Reads what [`Spec::to_text`] writes.
    ///
    /// # Errors
    /// If `text` is not the text of a Spec.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let mut lines = text.lines();
        match lines.next() {
            Some(HEADER) => {}
            Some(line) if line.starts_with("allways spec ") => {
                return Err(SpecError::Version(line["allways spec ".len()..].chars().take(20).collect()));
            }
            _ => return Err(SpecError::NotASpec),
        }
        let entry = |line: &str| {
            let (key, value) = line.split_once(' ')?;
            Some((key.to_owned(), unescape(value)?)).filter(|(key, _)| !key.is_empty())
        };
        let bad = |line: &str| SpecError::Line(line.chars().take(60).collect());
        let entries: Vec<_> =
            lines.map(|line| entry(line).ok_or_else(|| bad(line))).collect::<Result<_, _>>()?;
        match entries.first() {
            Some((key, _)) if key == "language" => Ok(Self { entries }),
            _ => Err(SpecError::Line("the first entry is not a language".into())),
        }
    }

    /// The differences from this Spec to `other`; empty if the two are equal.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let lacks = |list: &[(String, String)], one: &(String, String)| !list.contains(one);
        let gone: Vec<_> = self.entries.iter().filter(|one| lacks(&other.entries, one)).collect();
        let new: Vec<_> = other.entries.iter().filter(|one| lacks(&self.entries, one)).collect();
        let same_file = |a: &(String, String), b: &(String, String)| {
            is_file(a) && a.0 == b.0 && file_name(&a.1) == file_name(&b.1)
        };
        let mut differences = Vec::new();
        for one in &gone {
            differences.push(match new.iter().find(|other| same_file(one, other)) {
                Some(_) => Difference::Changed(file_name(&one.1).into()),
                None => Difference::Gone(one.0.clone(), one.1.clone()),
            });
        }
        for one in new.iter().filter(|one| !gone.iter().any(|other| same_file(one, other))) {
            differences.push(Difference::New(one.0.clone(), one.1.clone()));
        }
        if differences.is_empty() && self.entries != other.entries {
            differences.push(Difference::Order);
        }
        differences
    }
}

/// Whether an entry ends in the hash of a file.
fn is_file((_, value): &(String, String)) -> bool {
    value.rsplit_once(' ').is_some_and(|(_, hash)| hash.parse::<Sha256>().is_ok())
}

/// The name in an entry for a file.
fn file_name(value: &str) -> &str {
    value.rsplit_once(' ').map_or(value, |(name, _)| name)
}

/// One difference between two Specs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The content of the file with this name differs.
    Changed(String),
    /// An entry that only the first Spec has.
    Gone(String, String),
    /// An entry that only the second Spec has.
    New(String, String),
    /// The order of entries differs.
    Order,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entry = |key: &str, value: &str| match is_file(&(key.into(), value.into())) {
            true => format!("{key} {}", file_name(value)),
            false => format!("{key} {value}"),
        };
        match self {
            Self::Changed(file) => write!(f, "{file} has changed"),
            Self::Gone(key, value) => write!(f, "{} is missing", entry(key, value)),
            Self::New(key, value) => write!(f, "{} is new", entry(key, value)),
            Self::Order => f.write_str("the entries are in another order"),
        }
    }
}

/// The reason why a text is not a Spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecError {
    /// Its first line is not that of a Spec.
    NotASpec,
    /// It is a Spec of another version.
    Version(String),
    /// This line is not an entry.
    Line(String),
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASpec => write!(f, "the first line is not '{HEADER}'"),
            Self::Version(version) => {
                write!(f, "the specification has version {version}, and this program reads version 1")
            }
            Self::Line(line) => write!(f, "not an entry of a specification: {line}"),
        }
    }
}

impl std::error::Error for SpecError {}

/// Escapes a value, so that it fits on one line.
#[must_use]
pub fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

/// Undoes [`escape`]; `None` for a backslash that escapes nothing.
#[must_use]
pub fn unescape(value: &str) -> Option<String> {
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        out.push(match c {
            '\\' => match chars.next()? {
                '\\' => '\\',
                'n' => '\n',
                'r' => '\r',
                _ => return None,
            },
            c => c,
        });
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Spec {
        let mut spec = Spec::new("java");
        spec.set("argument", "two\nlines \\ and one");
        spec.set("argument", "");
        spec.add_file("a dir/A.class", Sha256::of(b"a"));
        spec.add_file("B.class", Sha256::of(b"b"));
        spec
    }

    #[test]
    fn text_reads_back() {
        assert_eq!(Spec::parse(&sample().to_text()), Ok(sample()));
        assert_eq!(sample().values("argument").collect::<Vec<_>>(), ["two\nlines \\ and one", ""]);
    }

    #[test]
    fn other_texts_are_refused() {
        let text = sample().to_text();
        assert_eq!(Spec::parse(""), Err(SpecError::NotASpec));
        assert_eq!(Spec::parse(&text.replace("spec 1", "spec 2")), Err(SpecError::Version("2".into())));
        assert!(matches!(Spec::parse(&text.replace("\\\\", "\\x")), Err(SpecError::Line(_))));
        assert!(matches!(Spec::parse(&text.replace("language", "tongue")), Err(SpecError::Line(_))));
        assert!(matches!(Spec::parse(HEADER), Err(SpecError::Line(_))));
    }

    #[test]
    fn differences_name_files() {
        let mut other = Spec::new("java");
        other.set("argument", "");
        other.add_file("a dir/A.class", Sha256::of(b"A"));
        other.add_file("C.class", Sha256::of(b"c"));
        let words: Vec<String> = sample().differences(&other).iter().map(ToString::to_string).collect();
        assert_eq!(
            words,
            [
                "argument two\nlines \\ and one is missing",
                "a dir/A.class has changed",
                "file B.class is missing",
                "file C.class is new"
            ]
        );
        assert!(sample().differences(&sample()).is_empty());
    }
}
