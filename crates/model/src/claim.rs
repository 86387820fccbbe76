//! An automaton that looks on while a program runs, and says which runs are wrong.
//!
//! A never claim, a formula of temporal logic and the question for cycles without progress all become one. It reads the states
//! of a run, from the first on: in each state it takes one of the moves whose condition holds there, before the program takes
//! its step. A run on which it has no move left is none of its business. A run is wrong if the automaton gets to a move that
//! says so, or is in accepting states again and again.

use crate::{Fact, Location, Rule};
use std::sync::Arc;

/// The automaton.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Claim {
    /// What it is called.
    pub name: Arc<str>,
    /// Where it starts.
    pub initial: u32,
    /// Its states.
    pub states: Vec<ClaimState>,
    /// The propositions of the model that it may ask for, by number, as people read them.
    pub propositions: Vec<Arc<str>>,
    /// Whether a run that has come to its end counts as one that rests in its last state for ever.
    pub rests: bool,
}

/// A state of a [`Claim`].
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub struct ClaimState {
    /// What it is called.
    pub name: Arc<str>,
    /// Whether it is accepting.
    pub accepting: bool,
    /// Its moves, tried in this order.
    pub moves: Vec<ClaimMove>,
}

/// A move of a [`Claim`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct ClaimMove {
    /// When it can be taken.
    pub condition: Condition,
    /// What it leads to.
    pub then: Then,
    /// How people read it.
    pub text: Arc<str>,
    /// Where it stands in the source.
    pub location: Option<Location>,
}

/// What a [`ClaimMove`] leads to.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum Then {
    /// Another state of the claim.
    Goto(u32),
    /// The run is wrong, whatever follows. The place is that of the move.
    Violate(&'static Rule, Vec<Fact>),
}

/// A condition over the propositions of a model.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum Condition {
    /// Always.
    True,
    /// A proposition of the model: see [`Cursor::holds`](crate::Cursor::holds).
    Holds(u32),
    /// Not that.
    Not(Box<Condition>),
    /// All of these.
    All(Vec<Condition>),
    /// Any of these.
    Any(Vec<Condition>),
}

impl Condition {
    /// Whether it holds, given the propositions. They are asked from left to right, and none that does not matter.
    ///
    /// # Errors
    /// The first that `holds` gives.
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

    /// This and that.
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
    /// A claim that minds nothing: for runs that are wrong by the program's own accepting states.
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

    /// A claim that a run goes on for ever and stays where `proposition` holds, from some state on.
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

    /// Whether, of the states on one cycle, either all are accepting or none is.
    #[must_use]
    pub fn is_weak(&self) -> bool {
        let n = self.states.len();
        let reach: Vec<Vec<bool>> = (0..n).map(|from| self.reachable(from)).collect();
        (0..n).all(|a| {
            let alike = |b: usize| self.states[a].accepting == self.states[b].accepting;
            (0..n).all(|b| !(reach[a][b] && reach[b][a]) || alike(b))
        })
    }

    /// Where one move or more lead from a state.
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
