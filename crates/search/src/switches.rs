//! Fewest switches first: states in the order of how often the processes on the way to them take turns, by
//! one worker.
//!
//! A *switch* is a step whose actor is not that of the step before it; a *preemption* is one where the actor
//! of the step before could have gone on. Errors that are in a program at all mostly need few of them, and a
//! counterexample with few is easy to read. Bounding their number step by step is Musuvathi and Qadeer,
//! "Iterative context bounding for systematic testing of multithreaded programs" (PLDI 2007); here the order
//! is that of a search with 0-1 costs, so nothing is visited twice and the search ends when everything was
//! visited.
//!
//! What the next step costs depends on the last actor, so costs belong to *arrivals*: a state with the actor
//! that led to it. But an arrival that costs more than another at the same state is of no use: to go on with
//! any actor costs at most one more from the cheaper one, which is no more than from the dearer. So each
//! state has arrivals of one cost only, its lowest, one for each actor. Levels are states of equal cost;
//! within a level arrivals are seen to in the order in which they were found. A state is expanded once, at
//! its first arrival; its edges are kept until the level is over, and then those that cost one more lead to
//! the next.
//!
//! Without a reduction the first counterexample has the fewest switches, or preemptions, of all. With
//! [`Config::reduce`] that is so among the runs which are left. A state is then expanded until one of its
//! successors is not yet expanded, as by breadth-first search, or everything is there.

use crate::charge::Charge;
use crate::control::{Control, Counts, Reason, Stop};
use crate::ledger::Ledger;
use crate::observer::{At, Expanded, Steps, ended};
use crate::outcome::{Remains, finish};
use crate::subject::Subject;
use crate::{Config, Observer, Outcome, trail};
use allways_model::{Batch, Cursor, Halt, Model, StepKey, Violation};
use allways_store::marks::Numbers;
use allways_store::{Full, Recall, Seen, StateRef, Writer};
use std::collections::{HashMap, VecDeque};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// Every step whose actor is not that of the step before.
    Switches,
    /// Those where the actor of the step before could have taken this step too.
    Preemptions,
}

/// Who takes a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Actor(u32);

impl Actor {
    /// Before the first step: whoever goes on, nobody is interrupted.
    const NOT_BEGUN: Self = Self(u32::MAX);
    /// A step of no process at all.
    const NOBODY: Self = Self(u32::MAX - 1);

    fn of(cursor: &dyn Cursor, key: StepKey) -> Self {
        cursor.actor(key).map_or(Self::NOBODY, Self)
    }
}

/// Names an arrival; they are numbered in the order of their costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ArrivalId(u32);

/// A state, reached with the last step taken by `actor`.
#[derive(Clone, Copy)]
struct Arrival {
    state: StateRef,
    actor: Actor,
    /// The arrival before; the first is its own.
    parent: ArrivalId,
    /// Another arrival at the same state.
    sibling: Option<ArrivalId>,
}

/// A way to arrive somewhere, not yet looked at.
#[derive(Clone, Copy)]
struct Way {
    state: StateRef,
    actor: Actor,
    parent: ArrivalId,
    depth: u32,
}

/// What is kept about an arrival while its level is under way.
#[derive(Clone, Copy)]
struct Place {
    /// The edges of its state.
    first_edge: usize,
    end_edge: usize,
    depth: u32,
    /// Whether it is the first at its state.
    is_first: bool,
}

/// Something that can happen in a state.
#[derive(Clone, Copy)]
struct Edge {
    /// Where it leads to; nowhere if it is a violation.
    to: Option<StateRef>,
    by: Actor,
}

/// Visits all states of `model`, those first that need the fewest turns.
pub fn switches<S: Recall, O: Observer>(
    model: &dyn Model,
    store: &S,
    observer: &O,
    config: &Config<'_>,
    turns: Turns,
) -> Outcome {
    // One worker, so that levels are whole.
    let config = &Config { workers: 1, ..*config };
    let subject = Subject::new(model, config.lessons);
    let control = Control::new(config, store.budget());
    let ledger = Ledger::new(config.all_errors, config.max_findings);
    let (all_errors, reduce) = (config.all_errors, config.reduce);
    let max_depth = config.limits.depth.unwrap_or(u64::MAX);
    let mut results = control.run(config, |_| {
        let mut search = Search::<S, O> {
            observer,
            control: &control,
            ledger: &ledger,
            turns,
            all_errors,
            reduce,
            max_depth,
            cursor: subject.limited_cursor(&control),
            writer: store.writer(),
            batch: Batch::new(),
            seen: Vec::new(),
            last_arrivals: Numbers::new(store.budget()),
            arrivals: Vec::new(),
            level: Level::default(),
            counts: Counts::default(),
            charge: Charge::new(store.budget()),
            cut: false,
        };
        // Whatever the reason to stop, the control knows it.
        let (Ok(()) | Err(Stop)) = search.run();
        let remains = Remains::new(search.counts, &mut *search.cursor);
        (remains, search.arrivals, search.cut)
    });
    let (remains, arrivals, cut) = results.pop().expect("there is one worker");
    let path = |at: Option<Option<ArrivalId>>, last| {
        let way = at.flatten().map_or(Vec::new(), |at| way_to(&arrivals, at));
        let states: Vec<StateRef> = way.iter().map(|arrival| arrival.state).collect();
        let fits = |cursor: &dyn Cursor, key, idx: usize| Actor::of(cursor, key) == way[idx].actor;
        trail::path_by(subject, store, &states, last, fits)
    };
    ended(observer, finish(&control, store, &[remains], ledger.into_found(cut, path)))
}

/// The arrivals from the first one to `at`.
fn way_to(arrivals: &[Arrival], mut at: ArrivalId) -> Vec<Arrival> {
    let mut way = vec![arrivals[at.0 as usize]];
    while at.0 != 0 {
        at = arrivals[at.0 as usize].parent;
        way.push(arrivals[at.0 as usize]);
    }
    way.reverse();
    way
}

/// The states of one cost.
#[derive(Default)]
struct Level {
    cost: u64,
    /// The first arrival of the level.
    start: usize,
    /// What is still to be looked at.
    ways: VecDeque<Way>,
    /// One for each arrival of the level.
    places: Vec<Place>,
    /// Where the states of the level lead to, and by whom.
    edges: Vec<Edge>,
    /// The violations during steps from states of the level, if the search is to end with one. They cost one
    /// more than the level, unless who takes the step comes to the state too.
    waiting: HashMap<(StateRef, Actor), Violation>,
}

impl Level {
    fn bytes(&self) -> u64 {
        let bytes = self.ways.capacity() * size_of::<Way>()
            + self.places.capacity() * size_of::<Place>()
            + self.edges.capacity() * size_of::<Edge>();
        bytes as u64
    }
}

struct Search<'a, S: Recall + 'a, O> {
    observer: &'a O,
    control: &'a Control,
    /// Where a violation was met; nowhere if the model's first state is wrong before it is one.
    ledger: &'a Ledger<Option<ArrivalId>>,
    turns: Turns,
    all_errors: bool,
    reduce: bool,
    max_depth: u64,
    cursor: Box<dyn Cursor + 'a>,
    writer: S::Writer<'a>,
    batch: Batch,
    seen: Vec<Seen>,
    /// The arrival at each state that was found last, counted from one.
    last_arrivals: Numbers,
    arrivals: Vec<Arrival>,
    level: Level,
    counts: Counts,
    /// For arrivals and level.
    charge: Charge,
    /// Whether a path was cut off at the depth limit.
    cut: bool,
}

impl<S: Recall, O: Observer> Search<'_, S, O> {
    fn run(&mut self) -> Result<(), Stop> {
        let initial = self.begin()?;
        let begin = Way { state: initial, actor: Actor::NOT_BEGUN, parent: ArrivalId(0), depth: 0 };
        self.level.ways.push_back(begin);
        loop {
            while let Some(way) = self.level.ways.pop_front() {
                self.arrive(way)?;
            }
            if !self.level.waiting.is_empty() {
                return Err(self.control.stop(Reason::Violation));
            }
            self.next_level();
            if self.level.ways.is_empty() {
                return Ok(());
            }
        }
    }

    /// Stores the initial state.
    fn begin(&mut self) -> Result<StateRef, Stop> {
        if let Err(halt) = self.cursor.initial(&mut self.batch) {
            return Err(self.control.stop(self.ledger.note_halt(halt, || None)));
        }
        let stored = self.writer.insert(&mut self.batch, &mut self.seen);
        self.control.afford(stored)?;
        let initial = self.seen.first().expect("a model has an initial state").state;
        self.control.check_states(0, 0, 1)?;
        self.counts.states = 1;
        for violation in self.batch.violations() {
            self.observer.violation(At::Stored(initial), violation);
            self.ledger.note(violation, 0, || None);
            if !self.all_errors {
                return Err(self.control.stop(Reason::Violation));
            }
        }
        Ok(initial)
    }

    /// The arrival at `state` that was found last.
    fn last_arrival(&self, state: StateRef) -> Option<ArrivalId> {
        self.last_arrivals.get(state).checked_sub(1).map(ArrivalId)
    }

    /// Whether nothing is gained by arriving at `state` with `actor`: that was done, or it was cheaper.
    fn knows(&self, state: StateRef, actor: Actor) -> bool {
        let mut at = self.last_arrival(state);
        while let Some(id) = at {
            // One of a lower cost stands for all.
            let arrival = &self.arrivals[id.0 as usize];
            if (id.0 as usize) < self.level.start || arrival.actor == actor {
                return true;
            }
            at = arrival.sibling;
        }
        false
    }

    /// Goes a way, unless that is of no use, and finds those that begin at its end and cost nothing.
    fn arrive(&mut self, way: Way) -> Result<(), Stop> {
        if self.control.stopped() {
            return Err(Stop);
        }
        let Way { state, actor, parent, depth } = way;
        if self.knows(state, actor) {
            return Ok(());
        }
        let sibling = self.last_arrival(state);
        let number = u32::try_from(self.arrivals.len() + 1).map_err(|_| Full);
        let number = self.control.afford(number)?;
        self.control.afford(self.last_arrivals.set(state, number))?;
        self.arrivals.push(Arrival { state, actor, parent, sibling });
        let id = ArrivalId(number - 1);
        let place = match sibling {
            None => {
                let first_edge = self.level.edges.len();
                self.expand(id, way)?;
                Place { first_edge, end_edge: self.level.edges.len(), depth, is_first: true }
            }
            Some(sibling) => {
                let place = self.level.places[sibling.0 as usize - self.level.start];
                Place { depth, is_first: false, ..place }
            }
        };
        self.level.places.push(place);
        let interrupts = self.interrupts(actor, place);
        for idx in place.first_edge..place.end_edge {
            let Edge { to, by } = self.level.edges[idx];
            if interrupts && by != actor {
                continue;
            }
            match to {
                Some(to) if !self.knows(to, by) => {
                    self.level.ways.push_back(Way { state: to, actor: by, parent: id, depth: depth + 1 });
                }
                Some(_) => {}
                None => self.come_to_violation(state, by, id)?,
            }
        }
        self.charge()
    }

    /// Whether it counts if another than `actor` goes on from here.
    fn interrupts(&self, actor: Actor, place: Place) -> bool {
        let edges = &self.level.edges[place.first_edge..place.end_edge];
        let can_go_on = || edges.iter().any(|edge| edge.by == actor);
        actor != Actor::NOT_BEGUN && (self.turns == Turns::Switches || can_go_on())
    }

    /// The violation during a step by `actor` costs no more than the level.
    #[cold]
    fn come_to_violation(&self, state: StateRef, actor: Actor, at: ArrivalId) -> Result<(), Stop> {
        let Some(violation) = self.level.waiting.get(&(state, actor)) else { return Ok(()) };
        self.ledger.note(violation, self.level.cost, || Some(at));
        Err(self.control.stop(Reason::Violation))
    }

    /// Expands a state that is arrived at for the first time, and stores its successors.
    fn expand(&mut self, id: ArrivalId, way: Way) -> Result<(), Stop> {
        let Way { state, depth, .. } = way;
        self.counts.depth = self.counts.depth.max(u64::from(depth));
        self.batch.clear();
        let vector = self.writer.open(state, 0);
        self.control.heed(self.observer.state(state, vector))?;
        self.cursor.load(vector);
        let (mut n_noted, mut n_counted) = (0, 0);
        loop {
            let expanded = match self.reduce {
                true => self.cursor.expand_some(&mut self.batch),
                false => self.cursor.expand(&mut self.batch).map(|()| true),
            };
            self.note_violations(id, n_noted)?;
            n_noted = self.batch.violations().len();
            let complete = expanded.map_err(|halt| self.fail(halt, id))?;
            let mut how = if complete { Expanded::Whole } else { Expanded::Part };
            if u64::from(depth) >= self.max_depth && !self.batch.is_empty() {
                (self.cut, how) = (true, Expanded::Cut);
                self.batch.truncate(0);
            }
            let stored = self.writer.insert(&mut self.batch, &mut self.seen);
            self.control.afford(stored)?;
            self.note_edges(state, n_counted, how)?;
            n_counted = self.seen.len();
            if how != Expanded::Part || self.seen.iter().any(|seen| self.last_arrival(seen.state).is_none()) {
                break;
            }
            self.writer.open(state, 0);
        }
        self.control.heed(self.observer.close(state))?;
        self.control.check_states(0, self.counts.states, 0)?;
        self.counts.frontier = self.level.ways.len() as u64;
        self.control.publish(0, &self.counts);
        Ok(())
    }

    /// Keeps where the successors in the batch from the one at `first_idx` on lead to, and counts them.
    fn note_edges(&mut self, state: StateRef, first_idx: usize, how: Expanded) -> Result<(), Stop> {
        for idx in first_idx..self.seen.len() {
            let (Seen { state: to, new }, key) = (self.seen[idx], self.batch.entries()[idx].key);
            *(if new { &mut self.counts.states } else { &mut self.counts.matched }) += 1;
            self.level.edges.push(Edge { to: Some(to), by: Actor::of(&*self.cursor, key) });
        }
        let first = first_idx.min(self.seen.len());
        let steps = Steps::new(&self.batch, &self.seen, first..self.seen.len(), 0);
        self.control.heed(self.observer.steps(state, &steps, how))
    }

    /// Notes the violations in the batch from the one at `first_idx` on. One of the state itself ends the
    /// search; one during a step may wait for a cheaper one.
    fn note_violations(&mut self, id: ArrivalId, first_idx: usize) -> Result<(), Stop> {
        for violation in &self.batch.violations()[first_idx..] {
            self.observer.violation(At::Stored(self.arrivals[id.0 as usize].state), violation);
            let by = violation.key.map(|key| Actor::of(&*self.cursor, key));
            self.ledger.note(violation, self.level.cost + u64::from(by.is_some()), || Some(id));
            if let Some(by) = by {
                self.level.edges.push(Edge { to: None, by });
            }
            match by {
                _ if self.all_errors => {}
                Some(by) => {
                    let state = self.arrivals[id.0 as usize].state;
                    self.level.waiting.entry((state, by)).or_insert_with(|| violation.clone());
                }
                None => return Err(self.control.stop(Reason::Violation)),
            }
        }
        Ok(())
    }

    /// Goes on to the states that cost one more.
    fn next_level(&mut self) {
        let start = self.level.start;
        for (idx, place) in self.level.places.iter().enumerate().filter(|(_, place)| place.is_first) {
            let parent = ArrivalId((start + idx) as u32);
            for &Edge { to, by } in &self.level.edges[place.first_edge..place.end_edge] {
                if let Some(state) = to.filter(|&to| self.last_arrival(to).is_none()) {
                    self.level.ways.push_back(Way { state, actor: by, parent, depth: place.depth + 1 });
                }
            }
        }
        self.level.cost += 1;
        self.level.start = self.arrivals.len();
        self.level.places.clear();
        self.level.edges.clear();
    }

    #[cold]
    fn fail(&self, halt: Halt, at: ArrivalId) -> Stop {
        self.control.stop(self.ledger.note_halt(halt, || Some(Some(at))))
    }

    /// Charges the budget for arrivals and level, which have grown or have not.
    #[inline]
    fn charge(&mut self) -> Result<(), Stop> {
        let bytes = (self.arrivals.capacity() * size_of::<Arrival>()) as u64 + self.level.bytes();
        self.control.afford(self.charge.cover(bytes))
    }
}
