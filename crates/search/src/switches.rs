//! Fewest switches first: visits states in the order of the context switches on the path to them, with one
//! worker.
//!
//! A *switch* is a step whose actor is not that of the previous step. A *preemption* is a switch where the
//! actor of the previous step could have taken another step. Most concurrency errors need few of them, and a
//! counterexample with few is easy to read. Musuvathi and Qadeer bound their number and raise the bound step
//! by step ("Iterative context bounding for systematic testing of multithreaded programs", PLDI 2007). This
//! search instead visits states in the order of 0-1 costs, so it visits no state twice and ends when it has
//! visited all.
//!
//! The cost of the next step depends on the last actor, so costs belong to *arrivals*: a state with the actor
//! of the last step. An arrival that costs more than another at the same state can be ignored: from the
//! cheaper arrival, a step of any actor costs at most one, so the total is at most the cost of the more
//! expensive arrival before its next step. So each state has arrivals of one cost only, its lowest, one for
//! each actor. A level consists of the states of equal cost. Within a level, arrivals are handled in the
//! order in which they were found. A state is expanded once, at its first arrival. Its edges are kept until
//! the level is finished; then those that cost one more lead to the next level.
//!
//! Without a reduction, the first counterexample has the fewest switches, or preemptions, of all. With
//! [`Config::reduce`] it has the fewest among the remaining runs. A state is then expanded until one of its
//! successors is not yet expanded, as in breadth-first search, or the expansion is complete.

use crate::charge::Charge;
use crate::control::{Control, Counts, Reason, Stop};
use crate::ledger::Ledger;
use crate::observer::{At, Expanded, Steps, ended};
use crate::outcome::{WorkerResult, finish};
use crate::subject::Subject;
use crate::{Config, Observer, Outcome, trail};
use allways_model::{Batch, Cursor, Halt, Model, StepKey, Violation};
use allways_store::marks::Numbers;
use allways_store::{Full, Recall, Seen, StateRef, Writer};
use std::collections::{HashMap, VecDeque};

/// The cost that the search minimises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// Steps whose actor is not that of the previous step.
    Switches,
    /// Switches where the actor of the previous step had a step too.
    Preemptions,
}

/// The actor of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Actor(u32);

impl Actor {
    /// Before the first step. Any actor may start without a switch.
    const NOT_BEGUN: Self = Self(u32::MAX);
    /// A step that belongs to no process.
    const NOBODY: Self = Self(u32::MAX - 1);

    fn of(cursor: &dyn Cursor, key: StepKey) -> Self {
        cursor.actor(key).map_or(Self::NOBODY, Self)
    }
}

/// The number of an arrival. Arrivals are numbered in the order of their costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ArrivalId(u32);

/// A state, reached by a step of `actor`.
#[derive(Clone, Copy)]
struct Arrival {
    state: StateRef,
    actor: Actor,
    /// The previous arrival; the first arrival is its own parent.
    parent: ArrivalId,
    /// The previous arrival at the same state, if there is one.
    sibling: Option<ArrivalId>,
}

/// An arrival that has not been handled yet.
#[derive(Clone, Copy)]
struct PendingArrival {
    state: StateRef,
    actor: Actor,
    parent: ArrivalId,
    depth: u32,
}

/// The data of an arrival that is needed until its level is finished.
#[derive(Clone, Copy)]
struct ArrivalEdges {
    /// The range of its state's edges, up to `end_edge`.
    first_edge: usize,
    end_edge: usize,
    depth: u32,
    /// Whether it is the first arrival at its state.
    is_first: bool,
}

/// A step from a state, or a violation during one.
#[derive(Clone, Copy)]
struct Edge {
    /// The target; `None` for a violation.
    to: Option<StateRef>,
    by: Actor,
}

/// Visits all states of `model` in the order of their cost.
pub fn switches<S: Recall, O: Observer>(
    model: &dyn Model,
    store: &S,
    observer: &O,
    config: &Config<'_>,
    turns: Turns,
) -> Outcome {
    // One worker, so that a level is finished before the next begins.
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
        // The reason to stop is in `control`.
        let (Ok(()) | Err(Stop)) = search.run();
        let worker_result = WorkerResult::new(search.counts, &mut *search.cursor);
        (worker_result, search.arrivals, search.cut)
    });
    let (worker_result, arrivals, cut) = results.pop().expect("there is one worker");
    let path = |at: Option<Option<ArrivalId>>, last| {
        let way = at.flatten().map_or(Vec::new(), |at| way_to(&arrivals, at));
        let states: Vec<StateRef> = way.iter().map(|arrival| arrival.state).collect();
        let fits = |cursor: &dyn Cursor, key, idx: usize| Actor::of(cursor, key) == way[idx].actor;
        trail::path_by(subject, store, &states, last, fits)
    };
    ended(observer, finish(&control, store, &[worker_result], ledger.into_found(cut, path)))
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

/// The current level: the states of one cost.
#[derive(Default)]
struct Level {
    cost: u64,
    /// The first arrival of the level.
    start: usize,
    /// The arrivals that have not been handled yet.
    pending: VecDeque<PendingArrival>,
    /// The data of each arrival of the level.
    places: Vec<ArrivalEdges>,
    /// The edges of the states of the level, with their actors.
    edges: Vec<Edge>,
    /// The violations during steps from states of the level, if the search ends at the first violation. They
    /// cost one more than the level, unless there is also an arrival at the state by the actor of the step.
    waiting: HashMap<(StateRef, Actor), Violation>,
}

impl Level {
    fn bytes(&self) -> u64 {
        let bytes = self.pending.capacity() * size_of::<PendingArrival>()
            + self.places.capacity() * size_of::<ArrivalEdges>()
            + self.edges.capacity() * size_of::<Edge>();
        bytes as u64
    }
}

struct Search<'a, S: Recall + 'a, O> {
    observer: &'a O,
    control: &'a Control,
    /// The ledger. The trace of a violation is the arrival at which it was met; `None` for the initial state.
    ledger: &'a Ledger<Option<ArrivalId>>,
    turns: Turns,
    all_errors: bool,
    reduce: bool,
    max_depth: u64,
    cursor: Box<dyn Cursor + 'a>,
    writer: S::Writer<'a>,
    batch: Batch,
    seen: Vec<Seen>,
    /// For each state, the number of its latest arrival plus one.
    last_arrivals: Numbers,
    arrivals: Vec<Arrival>,
    level: Level,
    counts: Counts,
    /// The memory charged for arrivals and level.
    charge: Charge,
    /// Whether a path was cut off at the depth limit.
    cut: bool,
}

impl<S: Recall, O: Observer> Search<'_, S, O> {
    fn run(&mut self) -> Result<(), Stop> {
        let initial = self.begin()?;
        let begin =
            PendingArrival { state: initial, actor: Actor::NOT_BEGUN, parent: ArrivalId(0), depth: 0 };
        self.level.pending.push_back(begin);
        loop {
            while let Some(way) = self.level.pending.pop_front() {
                self.arrive(way)?;
            }
            if !self.level.waiting.is_empty() {
                return Err(self.control.stop(Reason::Violation));
            }
            self.next_level();
            if self.level.pending.is_empty() {
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

    /// The latest arrival at `state`.
    fn last_arrival(&self, state: StateRef) -> Option<ArrivalId> {
        self.last_arrivals.get(state).checked_sub(1).map(ArrivalId)
    }

    /// Whether an arrival at `state` by `actor` can be ignored, because it is known or the state has a
    /// cheaper one.
    fn knows(&self, state: StateRef, actor: Actor) -> bool {
        let mut at = self.last_arrival(state);
        while let Some(id) = at {
            // An arrival of a lower cost makes all others unnecessary.
            let arrival = &self.arrivals[id.0 as usize];
            if (id.0 as usize) < self.level.start || arrival.actor == actor {
                return true;
            }
            at = arrival.sibling;
        }
        false
    }

    /// Adds an arrival unless it can be ignored, and queues the arrivals that it leads to at no cost.
    fn arrive(&mut self, way: PendingArrival) -> Result<(), Stop> {
        if self.control.stopped() {
            return Err(Stop);
        }
        let PendingArrival { state, actor, parent, depth } = way;
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
                ArrivalEdges { first_edge, end_edge: self.level.edges.len(), depth, is_first: true }
            }
            Some(sibling) => {
                let place = self.level.places[sibling.0 as usize - self.level.start];
                ArrivalEdges { depth, is_first: false, ..place }
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
                    self.level.pending.push_back(PendingArrival {
                        state: to,
                        actor: by,
                        parent: id,
                        depth: depth + 1,
                    });
                }
                Some(_) => {}
                None => self.come_to_violation(state, by, id)?,
            }
        }
        self.charge()
    }

    /// Whether a step of another actor than `actor` costs one here.
    fn interrupts(&self, actor: Actor, place: ArrivalEdges) -> bool {
        let edges = &self.level.edges[place.first_edge..place.end_edge];
        let can_go_on = || edges.iter().any(|edge| edge.by == actor);
        actor != Actor::NOT_BEGUN && (self.turns == Turns::Switches || can_go_on())
    }

    /// Ends the search with the violation during a step of `actor`, which costs no more than the level.
    #[cold]
    fn come_to_violation(&self, state: StateRef, actor: Actor, at: ArrivalId) -> Result<(), Stop> {
        let Some(violation) = self.level.waiting.get(&(state, actor)) else { return Ok(()) };
        self.ledger.note(violation, self.level.cost, || Some(at));
        Err(self.control.stop(Reason::Violation))
    }

    /// Expands a state at its first arrival, and stores its successors.
    fn expand(&mut self, id: ArrivalId, way: PendingArrival) -> Result<(), Stop> {
        let PendingArrival { state, depth, .. } = way;
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
        self.counts.frontier = self.level.pending.len() as u64;
        self.control.publish(0, &self.counts);
        Ok(())
    }

    /// Keeps the edges to the successors in the batch from index `first_idx` on, and counts them.
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

    /// Notes the violations in the batch from index `first_idx` on. A violation of the state itself ends the
    /// search. One during a step is held back, because a cheaper one may follow.
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

    /// Starts the next level, whose states cost one more.
    fn next_level(&mut self) {
        let start = self.level.start;
        for (idx, place) in self.level.places.iter().enumerate().filter(|(_, place)| place.is_first) {
            let parent = ArrivalId((start + idx) as u32);
            for &Edge { to, by } in &self.level.edges[place.first_edge..place.end_edge] {
                if let Some(state) = to.filter(|&to| self.last_arrival(to).is_none()) {
                    self.level.pending.push_back(PendingArrival {
                        state,
                        actor: by,
                        parent,
                        depth: place.depth + 1,
                    });
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

    /// Charges the budget for the growth of arrivals and level, if any.
    #[inline]
    fn charge(&mut self) -> Result<(), Stop> {
        let bytes = (self.arrivals.capacity() * size_of::<Arrival>()) as u64 + self.level.bytes();
        self.control.afford(self.charge.cover(bytes))
    }
}
