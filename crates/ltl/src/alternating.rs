//! A formula as a very weak alternating automaton (Gastin and Oddoux 2001).
//!
//! The states are subformulas. A [`Move`] of a state means: read a letter that satisfies `guard`, and
//! continue in all formulas of `next` at once. An until that is deferred makes a *promise*; a run is accepted
//! if no promise is made in every state from some point on. The moves of a conjunction are the combinations
//! of the moves of its parts.
//!
//! [`Simulation`] finds formulas whose moves another formula can always match with a weaker demand, promises
//! included. Such a formula need not be kept next to the other one: it can match whatever the other does.

use crate::bdd::{Bdd, Bdds, FALSE as NEVER, TRUE as ALWAYS};
use crate::error::Error;
use crate::pool::{Id, Node, Pool};
use std::collections::HashMap;
use std::rc::Rc;

/// The most moves of a formula.
const MAX_MOVES: usize = 4_000;

/// One move of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) guard: Bdd,
    /// Sorted.
    pub(crate) next: Vec<Id>,
    /// A bit for each until that is deferred.
    pub(crate) promises: u64,
}

/// The moves of the formulas of a pool, computed on demand.
pub(crate) struct Alternating<'a> {
    pub(crate) pool: &'a mut Pool,
    pub(crate) bdds: &'a mut Bdds,
    known: HashMap<Id, Rc<[Move]>>,
    promises: HashMap<Id, u32>,
}

impl<'a> Alternating<'a> {
    pub(crate) fn new(pool: &'a mut Pool, bdds: &'a mut Bdds) -> Alternating<'a> {
        Alternating { pool, bdds, known: HashMap::new(), promises: HashMap::new() }
    }

    /// The number of promises.
    pub(crate) fn n_promises(&self) -> u32 {
        self.promises.len() as u32
    }

    /// The moves of a formula. Recurses over it, so its depth must be limited.
    pub(crate) fn moves(&mut self, id: Id) -> Result<Rc<[Move]>, Error> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let result = match self.pool.node(id) {
            Node::False => Vec::new(),
            Node::True => vec![Move { guard: ALWAYS, next: Vec::new(), promises: 0 }],
            Node::Literal { atom, negated } => {
                vec![Move { guard: self.bdds.literal(atom, negated), next: Vec::new(), promises: 0 }]
            }
            Node::And(list) => self.all_of(&list)?,
            Node::Or(list) => {
                let mut moves = Vec::new();
                for &part in list.iter() {
                    moves.extend_from_slice(&self.moves(part)?);
                }
                self.tidy(moves)?
            }
            Node::Next(a) => {
                vec![Move { guard: ALWAYS, next: self.pool.conjuncts(a), promises: 0 }]
            }
            Node::Until(a, b) => {
                let promise = self.promise(id)?;
                let mut moves = self.moves(b)?.to_vec();
                for mut wait in self.moves(a)?.iter().cloned() {
                    insert(&mut wait.next, id);
                    wait.promises |= 1 << promise;
                    moves.push(wait);
                }
                self.tidy(moves)?
            }
            Node::Release(a, b) => {
                let mut free = self.moves(a)?.to_vec();
                free.push(Move { guard: ALWAYS, next: vec![id], promises: 0 });
                let hold = self.moves(b)?;
                self.product(&hold, &free)?
            }
        };
        let result: Rc<[Move]> = result.into();
        self.known.insert(id, result.clone());
        Ok(result)
    }

    fn promise(&mut self, until: Id) -> Result<u32, Error> {
        let n_promises = self.promises.len() as u32;
        let number = *self.promises.entry(until).or_insert(n_promises);
        if number < 64 { Ok(number) } else { Err(Error::TooManyPromises) }
    }

    /// The moves of a conjunction.
    pub(crate) fn all_of(&mut self, list: &[Id]) -> Result<Vec<Move>, Error> {
        let mut moves = vec![Move { guard: ALWAYS, next: Vec::new(), promises: 0 }];
        for &part in list {
            let more = self.moves(part)?;
            moves = self.product(&moves, &more)?;
        }
        Ok(moves)
    }

    fn product(&mut self, left: &[Move], right: &[Move]) -> Result<Vec<Move>, Error> {
        if left.len() * right.len() > 20 * MAX_MOVES {
            return Err(Error::TooLarge { what: "moves of a formula", limit: MAX_MOVES });
        }
        let mut moves = Vec::with_capacity(left.len() * right.len());
        for a in left {
            for b in right {
                let guard = self.bdds.and(a.guard, b.guard);
                if guard != NEVER {
                    let mut next = a.next.clone();
                    b.next.iter().for_each(|&id| insert(&mut next, id));
                    moves.push(Move { guard, next, promises: a.promises | b.promises });
                }
            }
        }
        self.tidy(moves)
    }

    /// Joins moves with equal successors, and drops those that demand more than others with the same letters.
    fn tidy(&mut self, moves: Vec<Move>) -> Result<Vec<Move>, Error> {
        let mut joined: Vec<Move> = Vec::new();
        let mut places: HashMap<(Vec<Id>, u64), usize> = HashMap::new();
        for m in moves {
            let place = *places.entry((m.next.clone(), m.promises)).or_insert(joined.len());
            match joined.get_mut(place) {
                Some(same) => same.guard = self.bdds.or(same.guard, m.guard),
                None => joined.push(m),
            }
        }
        if joined.len() > MAX_MOVES {
            return Err(Error::TooLarge { what: "moves of a formula", limit: MAX_MOVES });
        }
        let mut kept = Vec::with_capacity(joined.len());
        for (i, a) in joined.iter().enumerate() {
            let mut weaker = NEVER;
            for (j, b) in joined.iter().enumerate() {
                if i != j
                    && b.promises & !a.promises == 0
                    && b.next.len() <= a.next.len()
                    && b.next.iter().all(|id| a.next.binary_search(id).is_ok())
                {
                    weaker = self.bdds.or(weaker, b.guard);
                }
            }
            if !self.bdds.implies(a.guard, weaker) {
                kept.push(a.clone());
            }
        }
        self.bdds.check()?;
        Ok(kept)
    }
}

fn insert(set: &mut Vec<Id>, id: Id) {
    if let Err(place) = set.binary_search(&id) {
        set.insert(place, id);
    }
}

/// More formulas than this are not compared with each other.
const MAX_COMPARED: usize = 120;

/// The formulas that can match all moves of other formulas.
pub(crate) struct Simulation {
    places: HashMap<Id, usize>,
    matched: Vec<Vec<bool>>,
}

impl Simulation {
    /// The greatest such relation on all formulas reachable from `roots`.
    pub(crate) fn new(automaton: &mut Alternating<'_>, roots: &[Id]) -> Result<Simulation, Error> {
        let mut places = HashMap::new();
        let mut moves: Vec<Rc<[Move]>> = Vec::new();
        let mut stack = roots.to_vec();
        while let Some(id) = stack.pop() {
            if places.contains_key(&id) {
                continue;
            }
            if places.len() == MAX_COMPARED {
                return Ok(Simulation { places: HashMap::new(), matched: Vec::new() });
            }
            places.insert(id, places.len());
            moves.push(automaton.moves(id)?);
            let found = moves.last().expect("just pushed");
            stack.extend(found.iter().flat_map(|m| &m.next));
        }
        let n = moves.len();
        let mut simulation = Simulation { places, matched: vec![vec![true; n]; n] };
        loop {
            let mut changed = false;
            for a in 0..n {
                for b in 0..n {
                    if simulation.matched[a][b]
                        && a != b
                        && !simulation.holds(automaton.bdds, &moves[a], &moves[b])
                    {
                        simulation.matched[a][b] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return Ok(simulation);
            }
        }
    }

    fn holds(&self, bdds: &mut Bdds, of: &[Move], by: &[Move]) -> bool {
        of.iter().all(|m| {
            let mut letters = NEVER;
            for other in by {
                if other.promises & !m.promises == 0
                    && other.next.iter().all(|&id| m.next.iter().any(|&have| self.is_matched(have, id)))
                {
                    letters = bdds.or(letters, other.guard);
                }
            }
            bdds.implies(m.guard, letters)
        })
    }

    /// Whether every move of `a` can be matched by `b`.
    fn is_matched(&self, a: Id, b: Id) -> bool {
        match (self.places.get(&a), self.places.get(&b)) {
            (Some(&a), Some(&b)) => self.matched[a][b],
            _ => a == b,
        }
    }

    /// The set without formulas that others in it make redundant.
    pub(crate) fn reduce(&self, set: &[Id]) -> Vec<Id> {
        let mut kept = set.to_vec();
        let mut i = 0;
        while i < kept.len() {
            let id = kept[i];
            if kept.iter().any(|&other| other != id && self.is_matched(other, id)) {
                kept.remove(i);
            } else {
                i += 1;
            }
        }
        kept
    }
}
