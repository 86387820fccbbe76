//! What random walks have seen of a model, and what they have not.
//!
//! States are told apart by 64 bits of hash, in two sets: those that some walk has met, and those that a
//! second one has met too. The rest, states of *one* walk, says how much is still to be seen: walks are
//! independent of each other and all alike, so the next one is expected to meet as many new states as each so
//! far has met that no other did. That is the estimate of Good and Turing (Good, "The population frequencies
//! of species and the estimation of population parameters", 1953), for samples that are walks and not single
//! states: the states of one walk are anything but independent. How often a walk comes to the same state does
//! not count.

use allways_model::{Batch, StepKey};
use allways_store::{Budget, Filter, Full, HashCompact};
use std::collections::HashSet;

/// The states that all workers have met.
pub(crate) struct Survey {
    met: HashCompact,
    met_twice: HashCompact,
}

/// What is known about a state that a walk comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Met {
    /// No walk was here before.
    First,
    /// Another walk was.
    Before,
    /// This walk was.
    Again,
}

/// How many states one worker's walks have met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sightings {
    /// Those that no walk had met, of any worker.
    pub(crate) first: u64,
    /// Those that one walk had met, of any worker.
    pub(crate) second: u64,
    /// The states of each walk, added up.
    pub(crate) all: u64,
}

/// One worker's part in a survey.
pub(crate) struct Surveyor<'a> {
    survey: &'a Survey,
    filter_locals: [<HashCompact as Filter>::Local; 2],
    of_this_walk: HashSet<u64>,
    one: Batch,
    is_new: Vec<bool>,
    pub(crate) sightings: Sightings,
}

impl Survey {
    pub(crate) fn new(budget: &Budget) -> Self {
        Self { met: HashCompact::new(budget), met_twice: HashCompact::new(budget) }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.met.bytes() + self.met_twice.bytes()
    }

    pub(crate) fn surveyor(&self) -> Surveyor<'_> {
        Surveyor {
            survey: self,
            filter_locals: [self.met.local(), self.met_twice.local()],
            of_this_walk: HashSet::new(),
            one: Batch::new(),
            is_new: Vec::new(),
            sightings: Sightings::default(),
        }
    }
}

impl Surveyor<'_> {
    /// Another walk begins.
    pub(crate) fn begin(&mut self) {
        self.of_this_walk.clear();
    }

    /// The bytes that it takes to know the states of a walk again, about.
    pub(crate) fn bytes(&self) -> u64 {
        (self.of_this_walk.capacity() * (size_of::<u64>() + 1)) as u64
    }

    /// The walk comes to a state.
    pub(crate) fn meet(&mut self, state: &[u8]) -> Result<Met, Full> {
        let Survey { met, met_twice } = self.survey;
        self.one.clear();
        self.one.push(StepKey(0), state);
        self.is_new.clear();
        met.insert(&mut self.filter_locals[0], &mut self.one, 0, &mut self.is_new)?;
        if !self.of_this_walk.insert(self.one.entries()[0].hash) {
            return Ok(Met::Again);
        }
        self.sightings.all += 1;
        if self.is_new[0] {
            self.sightings.first += 1;
            return Ok(Met::First);
        }
        met_twice.insert(&mut self.filter_locals[1], &mut self.one, 0, &mut self.is_new)?;
        self.sightings.second += u64::from(self.is_new[1]);
        Ok(Met::Before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_of_one_walk_are_told_from_those_of_two() {
        let survey = Survey::new(&Budget::new(None));
        let mut surveyors = [survey.surveyor(), survey.surveyor()];
        let mut walk = |who: usize, states: &[u8]| {
            surveyors[who].begin();
            let meet = |&state: &u8| surveyors[who].meet(&[state; 4]).unwrap();
            states.iter().map(meet).collect::<Vec<_>>()
        };
        assert_eq!(walk(0, &[1, 2, 1, 3]), [Met::First, Met::First, Met::Again, Met::First]);
        assert_eq!(walk(1, &[1, 4, 1]), [Met::Before, Met::First, Met::Again]);
        assert_eq!(walk(0, &[1, 2]), [Met::Before, Met::Before]);
        let sum = |count: fn(&Sightings) -> u64| surveyors.iter().map(|s| count(&s.sightings)).sum::<u64>();
        // One, two, three and four were met; one and two by several walks.
        assert_eq!((sum(|s| s.first), sum(|s| s.second), sum(|s| s.all)), (4, 2, 7));
    }
}
