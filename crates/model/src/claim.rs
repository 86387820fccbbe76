//! Claims: automata that observe the runs of a program and reject wrong ones.
//!
//! Never claims, formulas of temporal logic and the check for non-progress cycles all become claims. A claim
//! reads the states of a run from the first on. In each state it takes one of the moves whose condition holds
//! there, before the program takes its step. A run on which no move is possible is not rejected. A run is
//! wrong if the claim takes a move of the kind [`Then::Violate`], or is in accepting states infinitely often.

use crate::{Fact, Location, Rule};
use std::sync::Arc;

/// A claim: an automaton over the propositions of a model.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Claim {
    /// Its name.
    pub name: Arc<str>,
    /// Its initial state.
    pub initial: u32,
    /// Its states.
    pub states: Vec<ClaimState>,
    /// The texts of the model's propositions that its conditions may use, by number.
    pub propositions: Vec<Arc<str>>,
    /// Whether a finite run counts as the infinite run that repeats its last state.
    pub rests: bool,
}

/// A state of a [`Claim`].
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub struct ClaimState {
    /// Its name.
    pub name: Arc<str>,
    /// Whether it is accepting.
    pub accepting: bool,
    /// Its moves, tried in this order.
    pub moves: Vec<ClaimMove>,
}

/// A move of a [`Claim`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct ClaimMove {
    /// The condition under which it can be taken.
    pub condition: Condition,
    /// Its effect.
    pub then: Then,
    /// Its text for display.
    pub text: Arc<str>,
    /// Its location in the source.
    pub location: Option<Location>,
}

/// The effect of a [`ClaimMove`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum Then {
    /// The claim enters this state.
    Goto(u32),
    /// The run is wrong, whatever follows. The location of the violation is that of the move.
    Violate(&'static Rule, Vec<Fact>),
}

/// A condition over the propositions of a model.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum Condition {
    /// Always.
    True,
    /// A proposition of the model: see [`Cursor::holds`](crate::Cursor::holds).
    Holds(u32),
    /// The negation.
    Not(Box<Condition>),
    /// The conjunction.
    All(Vec<Condition>),
    /// The disjunction.
    Any(Vec<Condition>),
}

impl Condition {
    /// Evaluates the condition. Propositions are evaluated from left to right, and only as far as they
    /// matter.
    ///
    /// # Errors
    /// The first error of `holds`.
    pub fn eval<E>(&self, holds: &mut impl FnMut(u32) -> Result<bool, E>) -> Result<bool, E> {
        match self {
            Self::True => Ok(true),
            Self::Holds(proposition) => holds(*proposition),
            Self::Not(inner) => inner.eval(holds).map(|holds| !holds),
            Self::All(list) => {
                for one in list {
                    if !one.eval(holds)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Self::Any(list) => {
                for one in list {
                    if one.eval(holds)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// The conjunction of two conditions.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::True, one) | (one, Self::True) => one,
            (Self::All(mut list), Self::All(more)) => {
                list.extend(more);
                Self::All(list)
            }
            (Self::All(mut list), one) => {
                list.push(one);
                Self::All(list)
            }
            (one, other) => Self::All(vec![one, other]),
        }
    }
}

impl Claim {
    /// A claim that accepts every run, for programs that have their own accepting states.
    #[must_use]
    pub fn indifferent() -> Self {
        let stay = ClaimMove {
            condition: Condition::True,
            then: Then::Goto(0),
            text: "true".into(),
            location: None,
        };
        let state = ClaimState { name: "any".into(), accepting: false, moves: vec![stay] };
        Self {
            name: "acceptance".into(),
            initial: 0,
            states: vec![state],
            propositions: Vec::new(),
            rests: true,
        }
    }

    /// A claim for infinite runs in which `proposition` holds in all states from some state on.
    #[must_use]
    pub fn eventually_always(name: &str, proposition: u32, text: &str) -> Self {
        let to = |condition, text: &str, target| ClaimMove {
            condition,
            then: Then::Goto(target),
            text: text.into(),
            location: None,
        };
        let wait = ClaimState {
            name: "wait".into(),
            accepting: false,
            moves: vec![to(Condition::Holds(proposition), text, 1), to(Condition::True, "true", 0)],
        };
        let stay = ClaimState {
            name: "accept".into(),
            accepting: true,
            moves: vec![to(Condition::Holds(proposition), text, 1)],
        };
        let propositions = (0..proposition).map(|_| "".into()).chain([text.into()]).collect();
        Self { name: name.into(), initial: 0, states: vec![wait, stay], propositions, rests: false }
    }

    /// Whether any state is accepting.
    #[must_use]
    pub fn accepts(&self) -> bool {
        self.states.iter().any(|state| state.accepting)
    }

    /// Whether on each cycle either all states are accepting or none is.
    #[must_use]
    pub fn is_weak(&self) -> bool {
        let n = self.states.len();
        let reach: Vec<Vec<bool>> = (0..n).map(|from| self.reachable(from)).collect();
        (0..n).all(|a| {
            let alike = |b: usize| self.states[a].accepting == self.states[b].accepting;
            (0..n).all(|b| !(reach[a][b] && reach[b][a]) || alike(b))
        })
    }

    /// The states that are reachable from a state by at least one move.
    fn reachable(&self, from: usize) -> Vec<bool> {
        let mut reached = vec![false; self.states.len()];
        let mut todo = vec![from];
        while let Some(at) = todo.pop() {
            for one in &self.states[at].moves {
                if let Then::Goto(target) = one.then
                    && !std::mem::replace(&mut reached[target as usize], true)
                {
                    todo.push(target as usize);
                }
            }
        }
        reached
    }
}
