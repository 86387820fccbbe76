//! Where a run began, and what its last steps changed: [`StateView`](crate::StateView) shows a long state in
//! an order that depends on both.

use allways_model::Move;
use std::collections::VecDeque;

/// Changes of this many steps are recent.
const N_STEPS: usize = 5;

/// The first state of a run and its last changes.
#[derive(Debug, Default)]
pub struct Recent {
    initial: Option<Vec<u8>>,
    steps: VecDeque<(u64, Vec<String>)>,
}

impl Recent {
    /// The run begins in `state`.
    pub fn begin(&mut self, state: &[u8]) {
        self.initial = Some(state.to_vec());
        self.steps.clear();
    }

    /// The first state, if it is known.
    #[must_use]
    pub fn initial(&self) -> Option<&[u8]> {
        self.initial.as_deref()
    }

    /// The step `number` was taken. After going back, a number comes again.
    pub fn note(&mut self, number: u64, moves: &[Move]) {
        self.back_to(number.saturating_sub(1));
        let changes = moves.iter().flat_map(|one| &one.changes);
        self.steps.push_back((number, changes.map(|change| change.name.clone()).collect()));
        if self.steps.len() > N_STEPS {
            self.steps.pop_front();
        }
    }

    /// The run is taken back to the state after the step `number`.
    pub fn back_to(&mut self, number: u64) {
        self.steps.retain(|(known, _)| *known <= number);
    }

    /// The names of what the last steps changed.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.steps.iter().flat_map(|(_, names)| names.iter().cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use allways_model::Change;

    fn changing(name: &str) -> Vec<Move> {
        let change = Change { name: name.into(), from: None, to: None };
        vec![Move {
            process: Some(0),
            process_name: "p".into(),
            location: None,
            text: String::new(),
            output: String::new(),
            message: None,
            reads: Vec::new(),
            changes: vec![change],
            started: None,
        }]
    }

    #[test]
    fn only_the_last_steps_count_and_those_taken_back_do_not() {
        let mut recent = Recent::default();
        for number in 1..=7 {
            recent.note(number, &changing(&format!("x{number}")));
        }
        assert_eq!(recent.names(), ["x3", "x4", "x5", "x6", "x7"]);
        recent.note(5, &changing("y"));
        assert_eq!(recent.names(), ["x3", "x4", "y"]);
        recent.back_to(3);
        assert_eq!(recent.names(), ["x3"]);
    }
}
