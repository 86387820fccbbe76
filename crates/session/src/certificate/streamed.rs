//! The script of a breadth-first search by one worker: it expands states in the order of their numbers, so
//! what it sees is the script.
//!
//! A store that one worker fills with vectors of one length names states in units, within which the names
//! grow as the numbers do. As long as that is so, the number of a state follows from the first one of its
//! unit, and no table with an entry for each state is needed.

use super::blocks::{Blocks, Trouble};
use allways_model::StepKey;
use allways_model::certificate::script::Target;
use allways_model::certificate::streams;
use allways_search::{Expanded, StateRef, Steps};

/// The names of a unit are those that differ in so many bits at most.
const LOG_UNIT: u32 = 8;
/// No name of the unit has a number.
const NONE: u64 = u64::MAX;

/// The numbers of states.
#[derive(Default)]
struct Numbers {
    /// For each unit, how much its numbers exceed the lower bits of the names, modulo 2^64.
    units: Vec<u64>,
    /// The first number of each unit that has one, and the unit. Its numbers end where the next ones begin.
    starts: Vec<(u64, usize)>,
    /// By the places of states; zero for those without. `None` as long as `units` says all.
    table: Option<Vec<u32>>,
}

impl Numbers {
    /// Gives the next number, which is `newest + 1`, to a state if it has none. Says where a step to it
    /// leads.
    #[inline]
    fn target(&mut self, place: usize, is_new: bool, newest: u64) -> Target {
        if self.table.is_none() {
            let (unit, low) = (place >> LOG_UNIT, place as u64 % (1 << LOG_UNIT));
            if unit >= self.units.len() {
                self.units.resize(unit + 1, NONE);
            }
            let base = &mut self.units[unit];
            if is_new && *base == NONE {
                *base = (newest + 1).wrapping_sub(low);
                self.starts.push((newest + 1, unit));
            }
            let number = base.wrapping_add(low);
            if is_new && number == newest + 1 {
                return Target::New;
            }
            if !is_new && *base != NONE && (1..=newest).contains(&number) {
                return Target::Old(number);
            }
        }
        self.look_up(place, newest)
    }

    #[cold]
    fn look_up(&mut self, place: usize, newest: u64) -> Target {
        let Self { units, starts, .. } = self;
        let table = self.table.get_or_insert_with(|| {
            let mut table = vec![0; units.len() << LOG_UNIT];
            let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([newest + 1]);
            for (&(start, unit), end) in starts.iter().zip(ends) {
                for number in start..end {
                    table[(unit << LOG_UNIT) + number.wrapping_sub(units[unit]) as usize] = number as u32;
                }
            }
            table
        });
        if place >= table.len() {
            table.resize((place + 1).max(2 * table.len()), 0);
        }
        match table[place] {
            0 => {
                table[place] = newest as u32 + 1;
                Target::New
            }
            number => Target::Old(u64::from(number)),
        }
    }

    /// The number of the state at a place, which has one.
    fn of(&self, place: usize) -> u64 {
        match &self.table {
            Some(table) => table.get(place).copied().map_or(0, u64::from),
            None => self
                .units
                .get(place >> LOG_UNIT)
                .map_or(0, |base| base.wrapping_add(place as u64 % (1 << LOG_UNIT))),
        }
    }
}

/// A script that is written as the search goes.
pub(super) struct Streamed {
    blocks: Blocks,
    numbers: Numbers,
    /// The highest number so far, that of new states of `targets` included.
    newest: u64,
    /// Whether states may be expanded in part, so that more steps of a state may follow.
    in_parts: bool,
    /// The state that is being expanded, what it led to so far, in how many parts, and whether as a whole.
    at: Option<StateRef>,
    targets: Vec<Target>,
    /// Whether the script has keys, and those of its steps to new states.
    has_keys: bool,
    keys: Vec<StepKey>,
    rounds: u32,
    is_whole: bool,
    /// Why there can be no script; nothing is recorded any more.
    flaw: Option<String>,
}

impl Streamed {
    pub(super) fn new(blocks: Blocks) -> Self {
        Self {
            in_parts: blocks.streams & streams::ROUNDS != 0,
            has_keys: blocks.streams & streams::KEYS != 0,
            blocks,
            numbers: Numbers::default(),
            newest: 1,
            at: None,
            targets: Vec::new(),
            keys: Vec::new(),
            rounds: 0,
            is_whole: true,
            flaw: None,
        }
    }

    /// Notes that there can be no script. The search goes on: its verdict does not depend on who observes it.
    #[cold]
    fn note(&mut self, flaw: impl Into<String>) {
        self.flaw.get_or_insert(flaw.into());
    }

    #[cold]
    fn note_trouble(&mut self, trouble: Trouble) {
        self.note(match trouble {
            Trouble::Scratch(error) => format!("the scratch file cannot be written: {error}"),
            Trouble::Flaw(flaw) => flaw,
            Trouble::Unfinished(what) => what.into(),
        });
    }

    /// Everything seen so far is void.
    pub(super) fn restart(&mut self) {
        self.numbers = Numbers::default();
        self.targets.clear();
        (self.newest, self.at, self.rounds, self.flaw) = (1, None, 0, None);
        if let Err(error) = self.blocks.restart() {
            self.note_trouble(error.into());
        }
    }

    /// The search begins in this state.
    pub(super) fn begin(&mut self, initial: StateRef) {
        self.numbers.target(initial.index(), true, 0);
    }

    pub(super) fn steps(&mut self, from: StateRef, steps: &Steps<'_>, how: Expanded) {
        if self.flaw.is_some() {
            return;
        }
        if self.at != Some(from) {
            if self.at.is_some() {
                return self.note("the search did not show all steps of a state together");
            }
            if self.numbers.of(from.index()) != self.blocks.next() {
                return self.note("the search did not expand states in the order of their numbers");
            }
            (self.at, self.rounds) = (Some(from), 0);
            self.targets.clear();
            self.keys.clear();
        }
        if how == Expanded::Cut {
            return self.note("the search was cut off");
        }
        if steps.asleep() > 0 {
            return self.note("the search did not follow all steps of a state");
        }
        self.rounds += steps.rounds();
        self.is_whole = how == Expanded::Whole;
        for step in steps.iter() {
            let target = self.numbers.target(step.to.index(), step.new, self.newest);
            self.newest += u64::from(target == Target::New);
            if self.has_keys && target == Target::New {
                self.keys.push(step.key);
            }
            self.targets.push(target);
        }
        if !self.in_parts {
            self.close();
        }
    }

    /// All steps of the state were shown.
    pub(super) fn close(&mut self) {
        if self.flaw.is_some() || self.at.take().is_none() {
            return;
        }
        self.blocks.push_keys(&self.keys);
        if let Err(trouble) = self.blocks.push(self.rounds, self.is_whole, &self.targets) {
            self.note_trouble(trouble);
        }
    }

    /// The script.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn into_blocks(self) -> Result<Blocks, String> {
        self.flaw.map_or(Ok(self.blocks), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers states at these places as they are met, and compares with a map.
    fn check(places: impl Iterator<Item = usize>) -> bool {
        let (mut numbers, mut known, mut newest) = (Numbers::default(), std::collections::HashMap::new(), 0);
        for place in places {
            let expected = known.get(&place).map_or(Target::New, |number| Target::Old(*number));
            let is_new = expected == Target::New;
            assert_eq!(numbers.target(place, is_new, newest), expected, "{place}");
            if is_new {
                newest += 1;
                known.insert(place, newest);
            }
            assert_eq!(numbers.of(place), known[&place]);
        }
        numbers.table.is_none()
    }

    #[test]
    fn numbers_are_those_of_a_map() {
        let gaps = (0..5000).map(|idx| 256 + idx + idx / 700 * 256);
        let again = |idx: usize| [idx, 256 + idx.wrapping_mul(7919) % (idx - 255)];
        assert!(check(256..9000), "no table is needed");
        assert!(check((256..9000).flat_map(again)), "nor for old states");
        assert!(!check(gaps.clone().filter(|idx| idx % 9 > 0)), "where places are missing one is");
        // Two lengths of vectors that take turns, and places without any order.
        check((0..6000).map(|idx| if idx % 3 == 0 { 4096 + idx / 3 } else { 256 + idx - idx / 3 }));
        check((1..4000_usize).map(|idx| idx.wrapping_mul(2_654_435_761) % 10_007));
    }
}
