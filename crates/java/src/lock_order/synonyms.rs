//! Names of monitors and locks that mean the same.
//!
//! What only threads lead to is called by the thread that leads to it, and which threads there are differs
//! from state to state. Two names that one object had in one state are synonyms. So are those that differ
//! only in who has captured a variable, unless several objects were called by it in one state: then a loop,
//! say, has made a variable anew for each thread.

use std::collections::{BTreeMap, BTreeSet};

/// What is known of names.
#[derive(Debug, Default)]
pub(super) struct Synonyms {
    /// Pairs of names of one object.
    same: BTreeSet<(String, String)>,
    /// The variables that names begin with.
    variables: BTreeMap<String, String>,
    /// Variables that are several objects.
    unclear: BTreeSet<String>,
}

impl Synonyms {
    pub(super) fn note_same(&mut self, name: &str, other: String) {
        if name != other {
            self.same.insert((name.to_owned(), other));
        }
    }

    pub(super) fn note_variable(&mut self, name: &str, variable: String) {
        self.variables.insert(name.to_owned(), variable);
    }

    pub(super) fn note_unclear(&mut self, mut variables: BTreeSet<String>) {
        self.unclear.append(&mut variables);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.same.is_empty() && self.variables.is_empty() && self.unclear.is_empty()
    }

    pub(super) fn absorb(&mut self, other: &mut Self) {
        self.same.append(&mut other.same);
        self.variables.append(&mut other.variables);
        self.unclear.append(&mut other.unclear);
    }

    /// For each name with synonyms the one to be used: that of a variable if there is one, and the least of
    /// those.
    pub(super) fn names(&self) -> BTreeMap<String, String> {
        let clear = self.variables.iter().filter(|(_, variable)| !self.unclear.contains(*variable));
        let variables: BTreeSet<&String> = clear.clone().map(|(_, variable)| variable).collect();
        let pairs = self.same.iter().map(|(name, other)| (name, other)).chain(clear);
        let mut neighbours: BTreeMap<&String, Vec<&String>> = BTreeMap::new();
        for (name, other) in pairs {
            neighbours.entry(name).or_default().push(other);
            neighbours.entry(other).or_default().push(name);
        }
        let mut names = BTreeMap::new();
        for &start in neighbours.keys() {
            if names.contains_key(start) {
                continue;
            }
            let mut group = BTreeSet::from([start]);
            let mut open = vec![start];
            while let Some(name) = open.pop() {
                open.extend(neighbours[name].iter().copied().filter(|&next| group.insert(next)));
            }
            let least = group.iter().min_by_key(|&&name| (!variables.contains(name), name.len(), name));
            let least = least.map_or(start, |&least| least).clone();
            names.extend(group.into_iter().map(|name| (name.clone(), least.clone())));
        }
        names
    }
}
