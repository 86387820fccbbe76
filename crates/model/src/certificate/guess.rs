//! Guesses for the targets of a block: concurrent steps commute.
//!
//! Say that state `s` leads to `u` by the step at position `j`, and was the first that did, and to `t` by the
//! step at position `k`. If the two steps are of different processes, then `u` probably has the other step
//! still to take, at a position near `k`, and `t` the first one, near `j`, and both lead to the same state.
//! So the step at position `k` of `u` is guessed to lead where the step at position `j` of `t` leads; and if
//! it does not, one of the neighbours of both positions is tried.
//!
//! Where nothing of that helps, a target is written as the difference to the last target at the same
//! position.
//!
//! Guesses need the block alone: of a state that is new in another block nothing is known. So a block decodes
//! alone, and larger blocks are guessed better. They are never trusted: the certifier compares every target.

use super::script::{unzigzag, zigzag};

/// The code of a new state.
pub(super) const NEW: u64 = 0;
/// How far a position may be from the guessed one, likely distances first.
const SIBLINGS: [usize; 3] = [0, 1, usize::MAX];
const STEPS: [usize; 3] = [0, usize::MAX, 1];
/// The first code of a difference.
const DIFFERENCE: u64 = 1 + (SIBLINGS.len() * STEPS.len()) as u64;

/// What is known of a block so far. Numbers are kept modulo 2^32: they are guesses.
#[derive(Clone, Debug, Default)]
pub(super) struct Guesses {
    /// The number of the first state that is expanded in the block, and the newest number before it.
    first: u64,
    newest: u64,
    /// Where the targets of each state begin, and the targets.
    starts: Vec<u32>,
    targets: Vec<u32>,
    /// For each state that is new in the block, which of the targets it was.
    arrivals: Vec<u32>,
    /// The state that led to the one whose targets are coded now, as a position in `starts`.
    parent: usize,
    /// That state's targets, and at which position of them the state was; empty if they are not known.
    siblings: (usize, usize),
    arrival: usize,
    /// The last target at each position.
    by_slot: Vec<u64>,
}

impl Guesses {
    /// Forgets everything: a block begins.
    pub(super) fn begin(&mut self, first: u64, newest: u64) {
        (self.first, self.newest, self.parent, self.siblings, self.arrival) = (first, newest, 0, (0, 0), 0);
        [&mut self.starts, &mut self.targets, &mut self.arrivals].into_iter().for_each(Vec::clear);
        self.by_slot.clear();
    }

    /// Makes room for this many states and steps: tables that grow step by step are copied again and again.
    pub(super) fn reserve(&mut self, n_states: usize, n_steps: usize) {
        self.starts.reserve(n_states);
        self.arrivals.reserve(n_states);
        self.targets.reserve(n_steps);
    }

    /// The targets of the next state follow.
    #[inline]
    pub(super) fn state(&mut self) {
        let number = self.first.wrapping_add(self.starts.len() as u64);
        self.starts.push(self.targets.len() as u32);
        self.siblings = (0, 0);
        let idx = number.wrapping_sub(self.newest).wrapping_sub(1);
        let Some(&at) = usize::try_from(idx).ok().and_then(|idx| self.arrivals.get(idx)) else { return };
        // States are new in the order of their numbers, so parents come in order.
        while self.starts.get(self.parent + 1).is_some_and(|start| *start <= at) {
            self.parent += 1;
        }
        let (from, to) = (self.start(self.parent), self.start(self.parent + 1));
        self.siblings = (from, to);
        self.arrival = (at as usize).saturating_sub(from);
    }

    /// Where the targets of a state begin, or where those before it end.
    #[inline]
    fn start(&self, state: usize) -> usize {
        self.starts.get(state).map_or(self.targets.len(), |start| *start as usize)
    }

    /// The targets of a sibling at a distance from a position, if it was expanded in this block.
    #[inline]
    fn sibling(&self, slot: usize, distance: usize) -> Option<&[u32]> {
        let (from, to) = self.siblings;
        let sibling = *self.targets.get(from..to)?.get(slot.wrapping_add(distance))?;
        let idx = sibling.wrapping_sub(self.first as u32) as usize;
        // Not the state itself, nor those that come after it.
        let (from, to) = (*self.starts.get(idx)?, *self.starts.get(idx + 1)?);
        self.targets.get(from as usize..to as usize)
    }

    /// The code of a step to an old state.
    #[inline]
    pub(super) fn code(&self, slot: usize, number: u64) -> u64 {
        if self.siblings.1 > 0 {
            let mut code = 0;
            for distance in SIBLINGS {
                let targets = self.sibling(slot, distance).unwrap_or_default();
                for step in STEPS {
                    code += 1;
                    let guess = targets.get(self.arrival.wrapping_add(step));
                    if guess.is_some_and(|guess| u64::from(*guess) == number) {
                        return code;
                    }
                }
            }
        }
        DIFFERENCE.wrapping_add(zigzag((number as i64).wrapping_sub(self.last(slot) as i64)))
    }

    /// The number of the old state that a code stands for.
    #[inline]
    pub(super) fn number(&self, slot: usize, code: u64) -> Option<u64> {
        match code.checked_sub(DIFFERENCE) {
            Some(difference) => self.last(slot).checked_add_signed(unzigzag(difference)),
            None => {
                let idx = usize::try_from(code.checked_sub(1)?).ok()?;
                let targets = self.sibling(slot, SIBLINGS[idx / STEPS.len()])?;
                targets.get(self.arrival.wrapping_add(STEPS[idx % STEPS.len()])).copied().map(u64::from)
            }
        }
    }

    #[inline]
    fn last(&self, slot: usize) -> u64 {
        self.by_slot.get(slot).copied().unwrap_or(self.newest)
    }

    /// A step at a position leads to the state with this number.
    #[inline]
    pub(super) fn note(&mut self, slot: usize, number: u64, is_new: bool) {
        if slot >= self.by_slot.len() {
            self.by_slot.resize(slot + 1, self.newest);
        }
        self.by_slot[slot] = number;
        if is_new {
            self.arrivals.push(self.targets.len() as u32);
        }
        self.targets.push(number as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::script::{Block, BlockWriter, Target, take_varint};
    use std::collections::HashMap;

    /// Three counters that go up one at a time: all steps commute.
    fn counters(most: u32) -> Vec<Vec<Target>> {
        let mut numbers = HashMap::from([([0; 3], 1_u64)]);
        let mut states = vec![[0; 3]];
        let mut script = Vec::new();
        while let Some(&state) = states.get(script.len()) {
            let mut targets = Vec::new();
            for idx in 0..3 {
                let mut next: [u32; 3] = state;
                next[idx] += 1;
                if next[idx] > most {
                    continue;
                }
                let number = states.len() as u64 + 1;
                targets.push(match *numbers.entry(next).or_insert(number) {
                    known if known < number => Target::Old(known),
                    _ => {
                        states.push(next);
                        Target::New
                    }
                });
            }
            script.push(targets);
        }
        script
    }

    #[test]
    fn steps_that_commute_are_guessed_and_read_back() {
        let script = counters(9);
        for block in [usize::MAX, 100, 1] {
            let mut writer = BlockWriter::new(0);
            let (mut n_old, mut n_guessed, mut read) = (0, 0, Vec::new());
            for (idx, part) in script.chunks(block.min(script.len())).enumerate() {
                part.iter().for_each(|targets| writer.push(0, targets).unwrap());
                let (frame, raw) = writer.finish();
                assert_eq!(frame.first, 1 + (idx * block) as u64);
                let mut rest = raw.as_slice();
                let lens: Vec<u64> = (0..4).map(|_| take_varint(&mut rest).unwrap()).collect();
                let mut codes = &rest[lens[0] as usize..][..lens[2] as usize];
                while let Some(code) = take_varint(&mut codes) {
                    n_old += usize::from(code != NEW);
                    n_guessed += usize::from((1..DIFFERENCE).contains(&code));
                }
                let mut block = Block::new(&frame, 0, &raw).unwrap();
                while let Some(state) = block.next_state().unwrap() {
                    let targets = (0..state.n_steps).map(|slot| block.next_target(slot).unwrap().target);
                    read.push(targets.collect::<Vec<_>>());
                }
            }
            assert_eq!(read, script);
            match block {
                1 => assert_eq!(n_guessed, 0, "blocks decode alone"),
                100 => assert!(n_guessed > 0 && n_guessed < n_old),
                _ => assert!(n_guessed * 20 > n_old * 19, "{n_guessed} of {n_old}"),
            }
        }
    }

    #[test]
    fn codes_of_nothing_are_no_numbers() {
        let mut guesses = Guesses::default();
        guesses.begin(1, 1);
        guesses.state();
        for code in 1..DIFFERENCE {
            assert_eq!(guesses.number(0, code), None);
        }
        for number in [1, 2, 1 << 40] {
            assert_eq!(guesses.number(3, guesses.code(3, number)), Some(number));
        }
    }
}
