//! The rules that a Java program can break, with their words for people.

use allways_model::ViolationKind::{Assertion, Deadlock, Exception, Exit, Invariant, Race, RuntimeError};
use allways_model::{Fact, Rule};

pub(crate) static UNCAUGHT_EXCEPTION: Rule =
    Rule::new(Exception, "uncaught-exception", "uncaught in thread {thread}: {exception}");
pub(crate) static FAILED_ASSERTION: Rule =
    Rule::new(Assertion, "uncaught-assertion-error", "uncaught in thread {thread}: {exception}");
pub(crate) static EXIT_STATUS: Rule =
    Rule::new(Exit, "exit-status", "thread {thread} ends the process with exit status {status}");
pub(crate) static DATA_RACE: Rule = Rule::composed(Race, "data-race", data_race);
pub(crate) static THREADS_STUCK: Rule = Rule::composed(Deadlock, "threads-stuck", threads_stuck);
pub(crate) static INVARIANT_FAILS: Rule = Rule::composed(Invariant, "invariant-fails", invariant_fails);
pub(crate) static INVARIANT_UNDEFINED: Rule =
    Rule::new(RuntimeError, "invariant-undefined", "the invariant {condition} has no value: {problem}");
pub(crate) static PROPOSITION_UNDEFINED: Rule =
    Rule::new(RuntimeError, "proposition-undefined", "the proposition {condition} has no value: {problem}");

/// What a blocked thread waits for. The name of a variant is a fact of a deadlock.
#[derive(Clone, Debug)]
pub(crate) enum Awaited {
    /// To be notified on an object.
    Notification(String),
    /// To enter the monitor of an object.
    Monitor(String),
    /// The end of a thread.
    End(String),
    /// The initialisation of a class by another thread.
    Initialisation(String),
    /// The initialisation of one of several classes.
    SomeInitialisation,
    /// Something on the network: what it is, in a word of a violation, and where.
    Network(&'static str, String),
    /// `unpark`, with no blocker named.
    Unpark,
    /// `unpark`, by the object that the thread named as its blocker.
    Blocker(String),
}

impl Awaited {
    /// The name and object that are facts of a violation.
    pub(crate) fn fact(&self) -> (&'static str, &str) {
        match self {
            Self::Notification(object) => ("notification", object),
            Self::Monitor(object) => ("monitor", object),
            Self::End(thread) => ("end", thread),
            Self::Initialisation(class) => ("initialisation", class),
            Self::SomeInitialisation => ("some-initialisation", ""),
            Self::Unpark => ("unpark", ""),
            Self::Blocker(object) => ("blocker", object),
            Self::Network(what, place) => (what, place),
        }
    }

    /// What the thread is doing, as the end of a sentence about it.
    pub(crate) fn words(&self) -> String {
        let (name, object) = self.fact();
        words_for(name, object)
    }

    /// The thing waited for; `None` if that is the end of a thread.
    pub(crate) fn resource(&self) -> Option<String> {
        Some(match self {
            Self::Notification(object) => format!("notification on {object}"),
            Self::Monitor(object) => format!("monitor of {object}"),
            Self::End(_) => return None,
            Self::Initialisation(class) => format!("initialisation of class {class}"),
            Self::SomeInitialisation => "a class that another thread initialises".into(),
            Self::Unpark => "unpark".into(),
            Self::Blocker(object) => object.clone(),
            Self::Network(what, place) => format!("{what} {place}"),
        })
    }
}

fn words_for(name: &str, object: &str) -> String {
    match name {
        "notification" => format!("waits to be notified on {object}"),
        "monitor" => format!("waits for the monitor of {object}"),
        "end" => format!("waits for {object} to end"),
        "initialisation" => format!("waits for the initialisation of class {object}"),
        "some-initialisation" => "waits for a class that another thread initialises".into(),
        "accept" => format!("waits for a connection on port {object}"),
        "data" => format!("waits for data from {object}"),
        "room" => format!("waits for room to write to {object}"),
        "queue" => format!("waits to be connected to {object}"),
        "start" => format!("waits for {object} to listen"),
        "blocker" => format!("is parked, waiting for {object}"),
        _ => "is parked".into(),
    }
}

/// `facts` are, for each thread: `thread`, `waits-for`, `object`, and if they are known `held-by` and `at`.
fn threads_stuck(facts: &[Fact]) -> String {
    let mut threads: Vec<String> = Vec::new();
    let mut waits_for = "";
    for Fact { name, value } in facts {
        match (*name, threads.last_mut()) {
            ("thread", _) => threads.push(value.clone()),
            ("waits-for", _) => waits_for = value,
            ("object", Some(text)) => *text += &format!(" {}", words_for(waits_for, value)),
            ("held-by", Some(text)) => *text += &format!(", held by {value}"),
            ("at", Some(text)) => *text += &format!(" ({value})"),
            _ => {}
        }
    }
    format!("deadlock: {}", threads.join("; "))
}

/// `facts` are `location` and, for each thread, `thread`, `access` and if it is known `at`.
fn data_race(facts: &[Fact]) -> String {
    let mut sides: Vec<String> = Vec::new();
    let mut what = "";
    for Fact { name, value } in facts {
        match (*name, sides.last_mut()) {
            ("location", _) => what = value,
            ("thread", _) => sides.push(value.clone()),
            ("access", Some(side)) => *side += &format!(" {value}s"),
            ("at", Some(side)) => *side += &format!(" at {value}"),
            _ => {}
        }
    }
    format!("data race on {what}: {}", sides.join(", "))
}

/// `facts` are `condition` and the values that it read, each as `reading`.
fn invariant_fails(facts: &[Fact]) -> String {
    let of = |name| facts.iter().filter(move |fact| fact.name == name).map(|fact| fact.value.as_str());
    let condition: String = of("condition").collect();
    let readings: Vec<&str> = of("reading").collect();
    let values = if readings.is_empty() { String::new() } else { format!(": {}", readings.join(", ")) };
    format!("the invariant {condition} does not hold{values}")
}
