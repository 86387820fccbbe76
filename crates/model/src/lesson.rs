//! Lessons: the facts about a model that searches learn, by which it is refined.
//!
//! A front end may omit steps under an assumption that the search itself checks. In Java, operations are
//! assumed to be invisible until two threads are found to be in conflict over them. A cursor that finds the
//! assumption to be wrong returns a [`Lesson`], and the search must be repeated with cursors that know it.
//! [`Lessons`] contains all facts learnt so far. It only grows, so the repetition ends. The same lessons
//! always give the same steps, in every run and in every operating-system process.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// The new facts that one search, or one of its workers, has learnt.
///
/// A fact is a number. Its meaning is defined by the front end, and is the same in every run and process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lesson(BTreeSet<u64>);

impl Lesson {
    /// The empty lesson.
    #[must_use]
    pub const fn new() -> Self {
        Self(BTreeSet::new())
    }

    /// Adds a fact.
    pub fn add(&mut self, fact: u64) {
        self.0.insert(fact);
    }

    /// Adds the facts of another lesson.
    pub fn merge(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }

    /// Whether the lesson has no facts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of facts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The facts in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().copied()
    }
}

/// The facts that all searches of a model have learnt so far.
///
/// ```
/// use allways_model::{Lesson, Lessons};
/// let mut lesson = Lesson::new();
/// lesson.add(0x2a);
/// let mut lessons = Lessons::new();
/// assert!(lessons.merge(&lesson), "it has grown");
/// assert!(!lessons.merge(&lesson), "nothing was new");
/// assert!(lessons.contains(0x2a) && lessons.len() == 1 && Lessons::none().is_empty());
/// ```
///
/// As text, lessons are lines of 16 hexadecimal digits in ascending order:
///
/// ```
/// use allways_model::Lessons;
/// let lessons: Lessons = "00000000000000ff\n000000000000002a\n".parse().unwrap();
/// assert_eq!(lessons.iter().collect::<Vec<_>>(), [0x2a, 0xff]);
/// assert_eq!(lessons.to_string(), "000000000000002a\n00000000000000ff\n");
/// assert_eq!(lessons.to_string().parse(), Ok(lessons));
/// assert!("Main.x".parse::<Lessons>().is_err());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lessons(BTreeSet<u64>);

impl Lessons {
    /// No lessons.
    #[must_use]
    pub const fn new() -> Self {
        Self(BTreeSet::new())
    }

    /// A shared empty value, for callers without lessons.
    #[must_use]
    pub fn none() -> &'static Self {
        static NONE: Lessons = Lessons::new();
        &NONE
    }

    /// Adds the facts of a lesson, and returns whether any of them is new.
    pub fn merge(&mut self, lesson: &Lesson) -> bool {
        let before = self.0.len();
        self.0.extend(&lesson.0);
        self.0.len() > before
    }

    /// Adds the facts that other searches have learnt.
    pub fn merge_all(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }

    /// Whether a fact is known.
    #[must_use]
    pub fn contains(&self, fact: u64) -> bool {
        self.0.contains(&fact)
    }

    /// The facts in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().copied()
    }

    /// Whether there are no facts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of facts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl fmt::Display for Lessons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|fact| writeln!(f, "{fact:016x}"))
    }
}

/// The error for a line that is not a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAFact(String);

impl fmt::Display for NotAFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" is no place in a program", self.0.escape_debug())
    }
}

impl std::error::Error for NotAFact {}

impl FromStr for Lessons {
    type Err = NotAFact;

    fn from_str(text: &str) -> Result<Self, NotAFact> {
        let read = |line: &str| u64::from_str_radix(line, 16).map_err(|_| NotAFact(line.to_owned()));
        text.lines().map(read).collect::<Result<_, _>>().map(Self)
    }
}
