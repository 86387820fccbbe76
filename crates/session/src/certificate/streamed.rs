//! The script of a breadth-first search by one worker: it expands states in the order of their numbers, so what
//! it sees is the script.
//!
//! A store that one worker fills mostly names states in the order in which it stored them, which is that of their
//! numbers. As long as that is so no table is needed.

use super::blocks::{Blocks, Trouble};
use allways_model::certificate::script::Target;
use allways_search::{Expanded, StateRef, Steps};

/// The numbers of states.
#[derive(Default)]
struct Numbers {
    /// The place of the initial state in the store.
    first: usize,
    /// By the places of states; zero for those without. `None` as long as the places say all.
    table: Option<Vec<u32>>,
}

impl Numbers {
    /// Where a step to a place leads, if the numbers so far end with `newest`.
    #[inline]
    fn target(&mut self, place: usize, is_new: bool, newest: u64) -> Target {
        if self.table.is_none() {
            let number = (place as u64 + 1).wrapping_sub(self.first as u64);
            if is_new && number == newest + 1 {
                return Target::New;
            }
            if !is_new && (1..=newest).contains(&number) {
                return Target::Old(number);
            }
        }
        self.look_up(place, newest)
    }

    #[cold]
    fn look_up(&mut self, place: usize, newest: u64) -> Target {
        let first = self.first;
        let table = self.table.get_or_insert_with(|| {
            let mut table = vec![0; first + newest as usize];
            (1..=newest as u32).zip(&mut table[first..]).for_each(|(number, entry)| *entry = number);
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

    /// The number of the state at a place; zero if it has none.
    fn of(&self, place: usize) -> u64 {
        match &self.table {
            None => (place as u64 + 1).saturating_sub(self.first as u64),
            Some(table) => table.get(place).copied().map_or(0, u64::from),
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
    rounds: u32,
    is_whole: bool,
    /// Why there can be no script; nothing is recorded any more.
    flaw: Option<String>,
}

impl Streamed {
    pub(super) fn new(blocks: Blocks) -> Self {
        Self {
            in_parts: blocks.streams != 0,
            blocks,
            numbers: Numbers::default(),
            newest: 1,
            at: None,
            targets: Vec::new(),
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
        self.numbers.first = initial.index();
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
