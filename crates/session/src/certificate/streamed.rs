//! The script of a breadth-first search by one worker: it expands states in the order of their numbers, so what
//! it sees is the script.

use super::blocks::{Blocks, Trouble};
use allways_model::certificate::script::Target;
use allways_search::{Expanded, StateRef, Steps};

/// A script that is written as the search goes.
pub(super) struct Streamed {
    blocks: Blocks,
    /// The numbers of states, by their places in the store; zero for those without.
    numbers: Vec<u32>,
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
        let (numbers, targets) = (Vec::new(), Vec::new());
        Self { blocks, numbers, at: None, targets, rounds: 0, is_whole: true, flaw: None }
    }

    fn number(&mut self, state: StateRef) -> &mut u32 {
        let idx = state.index();
        if idx >= self.numbers.len() {
            self.numbers.resize((idx + 1).max(2 * self.numbers.len()), 0);
        }
        &mut self.numbers[idx]
    }

    /// Notes that there can be no script. The search goes on: its verdict does not depend on who observes it.
    fn note(&mut self, flaw: impl Into<String>) {
        self.flaw.get_or_insert(flaw.into());
    }

    fn note_trouble(&mut self, trouble: Trouble) {
        self.note(match trouble {
            Trouble::Scratch(error) => format!("the scratch file cannot be written: {error}"),
            Trouble::Flaw(flaw) => flaw,
            Trouble::Unfinished(what) => what.into(),
        });
    }

    /// Everything seen so far is void.
    pub(super) fn restart(&mut self) {
        self.numbers.clear();
        self.targets.clear();
        (self.at, self.rounds, self.flaw) = (None, 0, None);
        if let Err(error) = self.blocks.restart() {
            self.note_trouble(error.into());
        }
    }

    pub(super) fn state(&mut self, at: StateRef) {
        if self.flaw.is_some() {
            return;
        }
        let next = self.blocks.next() as u32;
        let number = self.number(at);
        if *number == 0 && next == 1 {
            *number = 1;
        }
        let is_next = *number == next;
        (self.at, self.rounds) = (Some(at), 0);
        self.targets.clear();
        if !is_next {
            self.note("the search did not expand states in the order of their numbers");
        }
    }

    pub(super) fn steps(&mut self, from: StateRef, steps: &Steps<'_>, how: Expanded) {
        if self.flaw.is_some() {
            return;
        }
        self.rounds += steps.rounds();
        self.is_whole = how == Expanded::Whole;
        let is_new = |target: &&Target| **target == Target::New;
        let mut newest = self.blocks.newest() + self.targets.iter().filter(is_new).count() as u64;
        for step in steps.iter() {
            let number = self.number(step.to);
            let target = match *number {
                0 => {
                    newest += 1;
                    *number = newest as u32;
                    Target::New
                }
                old => Target::Old(u64::from(old)),
            };
            self.targets.push(target);
        }
        if how == Expanded::Cut {
            self.note("the search was cut off");
        } else if steps.asleep() > 0 || self.at != Some(from) {
            self.note("the search did not show all steps of a state together");
        }
    }

    pub(super) fn close(&mut self) {
        if self.flaw.is_some() {
            return;
        }
        self.at = None;
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
