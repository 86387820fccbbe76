//! Lists whose numbers are the same in every run, whichever worker adds what first.
//!
//! The numbers of classes, methods and objects of the base image are part of states. They mean the same in
//! every process and with any number of workers:
//! - *Early* things are added while the program starts. One thread does that, always in the same order, and
//!   they are numbered in that order.
//! - *Late* things are added by workers during a search, in any order, once the list is sealed. The number of
//!   a late thing is a function of its name: a hash, from [`LATE`] on. The numbers of mirrors and of lambda
//!   objects are computed from the number of the class instead and cannot clash.
//!
//! Two late things whose names have the same hash would need the same number. The probability is about `n * n
//! / 2^30` for `n` late things, and a clash never goes unnoticed: the second thing gets another number, the
//! list remembers the [`Numbered::clash`], and every expansion from then on ends with a fault that has both
//! names.

use crate::frozen::Frozen;
use rapidhash::v3::rapidhash_v3;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The first number of late things.
pub const LATE: u32 = 1 << 24;

/// Classes have numbers below this one: states keep three bits beside them.
const CLASSES_END: u32 = 1 << 29;
/// The methods of late classes have numbers below this one, other late methods from here on.
const METHODS_END: u32 = 1 << 31;
/// The methods of a late class begin at a multiple of this.
const BLOCK: u32 = 32;
/// Other objects of the base image have numbers below this one. Above are the mirrors, a number for each
/// class, then the objects of lambdas that capture nothing, a number for each class.
const OBJECTS_END: u32 = 1 << 30;
/// Numbers at the end of each range that are not hashes: room for things that clash.
const ROOM: u32 = 1 << 16;

/// What a late thing is called, and the number that it gets.
pub struct Name {
    number: u32,
    text: String,
}

impl Name {
    /// The name of a class.
    #[must_use]
    pub fn class(name: &str) -> Self {
        Self { number: LATE + within(name, CLASSES_END - LATE - ROOM), text: name.to_owned() }
    }

    /// The name of the method at `index` of a class.
    #[must_use]
    pub fn method(class: &str, index: usize) -> Self {
        let block = within(class, (METHODS_END - LATE - ROOM) / BLOCK);
        Self { number: LATE + block * BLOCK + index as u32, text: format!("method {index} of {class}") }
    }

    /// The name of a method that belongs to no list of methods: what it is for.
    #[must_use]
    pub fn made_method(purpose: &str) -> Self {
        let text = format!("the method for {purpose}");
        Self { number: METHODS_END + within(&text, METHODS_END - ROOM), text }
    }

    /// The name of an object of the base image: what it is for.
    #[must_use]
    pub fn object(purpose: &str) -> Self {
        // Even numbers: the next one is free for a part of the object.
        Self { number: LATE + 2 * within(purpose, (OBJECTS_END - LATE - ROOM) / 2), text: purpose.to_owned() }
    }

    /// The name of a part of an object that has this name.
    #[must_use]
    pub fn part(&self) -> Self {
        Self { number: self.number + 1, text: format!("the contents of {}", self.text) }
    }

    /// The name of the mirror of a class.
    #[must_use]
    pub fn mirror(class: u32) -> Self {
        Self { number: OBJECTS_END + class, text: format!("the mirror of class {class}") }
    }

    /// The name of an open file: its path.
    #[must_use]
    pub fn file(path: &str) -> Self {
        Self { number: LATE + within(path, OBJECTS_END - LATE - ROOM), text: format!("the file {path}") }
    }

    /// The name of the one object of a lambda's class.
    #[must_use]
    pub fn lambda(class: u32) -> Self {
        Self { number: OBJECTS_END + CLASSES_END + class, text: format!("the lambda of class {class}") }
    }
}

/// A number below `end` that is a function of a text.
fn within(text: &str, end: u32) -> u32 {
    (rapidhash_v3(text.as_bytes()) % u64::from(end)) as u32
}

/// The list.
pub struct Numbered<T> {
    early: Frozen<T>,
    late: Late<T>,
    is_sealed: bool,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { early: Frozen::default(), late: Late::default(), is_sealed: false }
    }
}

impl<T> Numbered<T> {
    /// Adds what `make` gives for the number it will have. If there is a late thing of that name already,
    /// `make` is not called, and the number of that thing is returned.
    ///
    /// # Panics
    /// If too many early things are added, or `make` panics.
    pub fn add(&self, name: impl FnOnce() -> Name, make: impl FnOnce(u32) -> T) -> u32 {
        if self.is_sealed {
            return self.late.add(name(), make);
        }
        let number = self.early.push_with(make);
        assert!(number < LATE, "there are fewer than 2^24 early things");
        number
    }

    /// From now on everything is late.
    pub fn seal(&mut self) {
        self.is_sealed = true;
    }

    /// The thing that has a number.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn get(&self, number: u32) -> &T {
        if number < LATE { self.early.get(number) } else { self.late.get(number) }
    }

    /// An early thing, to change it while no worker runs.
    ///
    /// # Panics
    /// If there is none.
    pub fn early_mut(&mut self, number: u32) -> &mut T {
        self.early.get_mut(number)
    }

    /// How many early things there are.
    pub fn n_early(&self) -> u32 {
        self.early.n_elements()
    }

    /// All things there are now, in the order of their numbers.
    pub fn all(&self) -> impl Iterator<Item = &T> {
        let late: Vec<u32> = self.late.names().keys().copied().collect();
        self.early.iter().chain(late.into_iter().map(|number| self.late.get(number)))
    }

    /// The names of two late things that should have the same number, if there are such.
    #[inline]
    pub fn clash(&self) -> Option<&str> {
        self.late.clash.get().map(String::as_str)
    }
}

/// The first table has two to this many slots, each later one eight times as many as the one before.
const FIRST_BITS: u32 = 8;
const N_TABLES: usize = 8;
/// A thing is in one of this many slots of a table.
const WINDOW: usize = 4;

type Table<T> = OnceLock<Box<[OnceLock<(u32, Box<T>)>]>>;

/// Late things by their numbers: any number of workers read without locks while one adds. Slots are filled in
/// the order in which they are read, and never emptied.
struct Late<T> {
    tables: [Table<T>; N_TABLES],
    names: Mutex<BTreeMap<u32, String>>,
    clash: OnceLock<String>,
}

impl<T> Default for Late<T> {
    fn default() -> Self {
        Self {
            tables: [const { OnceLock::new() }; N_TABLES],
            names: Mutex::default(),
            clash: OnceLock::new(),
        }
    }
}

/// The slots of a table in which a number may be.
#[inline]
fn window(number: u32, table: usize) -> std::ops::Range<usize> {
    let bits = FIRST_BITS + 3 * table as u32;
    let first = (number.wrapping_mul(0x9e37_79b1) >> (32 - bits)) as usize & !(WINDOW - 1);
    first..first + WINDOW
}

impl<T> Late<T> {
    fn names(&self) -> MutexGuard<'_, BTreeMap<u32, String>> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline(never)]
    fn get(&self, number: u32) -> &T {
        let tables = self.tables.iter().enumerate();
        let mut slots = tables.map_while(|(idx, table)| Some(&table.get()?[window(number, idx)])).flatten();
        let found = slots.find_map(|slot| slot.get().filter(|thing| thing.0 == number));
        &found.expect("the number was given by add").1
    }

    fn add(&self, name: Name, make: impl FnOnce(u32) -> T) -> u32 {
        let mut names = self.names();
        let mut number = name.number;
        while let Some(other) = names.get(&number) {
            if *other == name.text {
                return number;
            }
            // The first clash is the one to be reported.
            let _ = self.clash.set(format!("{} and {other}", name.text));
            number += 1;
        }
        self.put(number, Box::new(make(number)));
        names.insert(number, name.text);
        number
    }

    /// Puts a thing into the first free slot.
    fn put(&self, number: u32, thing: Box<T>) {
        for (idx, table) in self.tables.iter().enumerate() {
            let n_slots = 1_usize << (FIRST_BITS + 3 * idx as u32);
            let table = table.get_or_init(|| (0..n_slots).map(|_| OnceLock::new()).collect());
            if let Some(slot) = table[window(number, idx)].iter().find(|slot| slot.get().is_none()) {
                assert!(slot.set((number, thing)).is_ok(), "one worker adds at a time");
                return;
            }
        }
        panic!("too many classes, methods or objects were added during the search");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(names: &[&str]) -> Numbered<String> {
        let mut list = Numbered::default();
        list.add(|| Name::class("early"), |_| "early".to_owned());
        list.seal();
        for name in names {
            list.add(|| Name::class(name), |_| (*name).to_owned());
        }
        list
    }

    #[test]
    fn late_numbers_do_not_depend_on_the_order() {
        let names: Vec<String> = (0..20_000).map(|n| format!("Late{n}")).collect();
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        let forwards = sealed(&names);
        names.reverse();
        let backwards = sealed(&names);
        // With 20,000 names a clash is possible; then the order matters.
        let numbers = |list: &Numbered<String>| list.late.names().clone();
        let (forwards_numbers, backwards_numbers) = (numbers(&forwards), numbers(&backwards));
        assert_eq!(forwards_numbers.len(), names.len());
        if forwards.clash().is_none() {
            assert_eq!(forwards_numbers, backwards_numbers);
        }
        for (number, name) in &forwards_numbers {
            assert_eq!(forwards.get(*number), name);
        }
        assert_eq!(forwards.all().count(), names.len() + 1);
    }

    #[test]
    fn a_late_thing_is_added_once() {
        let list = sealed(&["a", "b"]);
        let again = list.add(|| Name::class("a"), |_| unreachable!("it is there"));
        assert_eq!((list.get(again).as_str(), list.all().count(), list.clash()), ("a", 3, None));
    }

    #[test]
    fn a_clash_has_both_names() {
        let list = sealed(&["a"]);
        let number = Name::class("a").number;
        let other = list.add(|| Name { number, text: "b".into() }, |_| "b".to_owned());
        assert_ne!(other, number);
        assert_eq!((list.get(number).as_str(), list.get(other).as_str()), ("a", "b"));
        assert_eq!(list.clash(), Some("b and a"));
    }
}
