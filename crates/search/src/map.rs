//! Finds cycles through accepting states by *maximal accepting predecessors*, with one worker or several.
//!
//! The algorithm is that of L. Brim, I. Černá, P. Moravec and J. Šimša, "Accepting predecessors are better
//! than back edges in distributed LTL model-checking" (FMCAD 2004); S. Vijzelaar and others describe another
//! implementation in "Distributed MAP in the SpinJa model checker" (PDMC 2011). States are ordered by their
//! numbers in the store. Each state propagates to its successors the greatest accepting state that leads to
//! it, or itself if it is accepting and greater. A state that receives a greater value propagates again. A
//! state that receives itself is on a cycle. The order of propagation does not matter, so the search needs no
//! stack and is easy to distribute. To repeat little work, new states are handled first, and then those with
//! the greatest value to propagate, so that most states receive their final value at once.
//!
//! Correctness. A state that receives itself leads to itself. Conversely, assume that an iteration ends and
//! no state has received itself. An accepting state that is greater than all accepting states that lead to it
//! is not among them, so it is on no cycle: from then on it does not count as accepting. The greatest
//! accepting state is one of these, so each iteration removes at least one state, until none is left. The
//! other accepting states may be on cycles, hidden by a greater state that leads to them; the next iteration
//! starts from these. The states of one cycle lead to each other, so all of them received the same greatest
//! value. Hence an iteration may ignore edges between states that received different values in the previous
//! one.
//!
//! The first iteration stores the states, breadth first. The numbers then grow with the distance, so states
//! in front of a cycle seldom hide it, and one iteration is nearly always enough. Only this iteration counts
//! states and calls observers, for the first expansion of each state. The counterexample is the path on which
//! the state was first reached, and a shortest cycle back to it through states that have received it.
//!
//! With [`Config::reduce`], every cycle of the reduced graph must have a state that is expanded as a whole. A
//! state is expanded in part only if each of its reduced successors is whole or is not yet *begun*. A state
//! is marked as begun before the marks of its successors are read, with a fence in between. So if a state
//! expanded in part has a successor that is not whole, the fence of the successor is later. On a cycle
//! without a whole state every fence would be later than the previous one, which is impossible. How much of a
//! state is expanded is decided once; a worker that reaches the state before the decision defers it.
//!
//! After it has found an accepting cycle, a search that continues after errors does not search for another
//! one, as in `ndfs`.

use crate::bfs::bfs;
use crate::charge::Charge;
use crate::control::{Control, Counts, Reason, Stop};
use crate::lasso::{Seeker, StatePath, acceptance_cycle, found};
use crate::ledger::Ledger;
use crate::map_owner::{ACCEPTING, BEGUN, DECIDED, LAST, Message, QUEUED, Received, Round, WHOLE};
use crate::ndfs::expand_as_before;
use crate::observer::{At, Expanded, Steps, ended};
use crate::outcome::{WorkerResult, finish};
use crate::pool::Pool;
use crate::rally::Rally;
use crate::subject::Subject;
use crate::{Config, Observer, Outcome, trail};
use allways_model::{Acceptance, Batch, Cursor, Halt, Model};
use allways_store::marks::{Flags, Links};
use allways_store::{Recall, Seen, StateRef, Writer};
use std::collections::{BinaryHeap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed, Ordering::SeqCst, fence};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

/// A batch is inserted when it has this many entries, or this many states were expanded into it.
const MAX_ENTRIES: usize = 64;
const MAX_SOURCES: usize = 16;

/// While there are new states, one batch in this many is for states with a greater value to propagate.
const RAISED_EVERY: u32 = 4;

/// A state to be expanded, and its distance from the initial state along the path by which it was found.
type Item = (StateRef, u32);

/// Visits all states of `model` breadth first, and finds a cycle through an accepting state if there is one.
/// If the model has no accepting states, it runs [`bfs`](crate::bfs()) instead.
pub fn map<S: Recall, O: Observer>(
    model: &dyn Model,
    store: &S,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    if model.acceptance() == Acceptance::Nowhere {
        return bfs(model, store, observer, config);
    }
    let shared = MapShared::new(model, store, observer, config);
    let mut worker_results = shared.control.run(config, |idx| {
        let mut worker = MapWorker::new(&shared, idx);
        // The reason to stop is in `control`.
        let (Ok(()) | Err(Stop)) = match idx {
            0 => lead(&mut worker),
            _ => follow(&mut worker),
        };
        if idx == 0 {
            shared.rally.dismiss();
        }
        worker.publish(0);
        WorkerResult::new(worker.counts, &mut *worker.cursor)
    });
    WorkerResult::match_edges(&mut worker_results);
    shared.finish(&worker_results)
}

/// The state from which the path to a violation is computed.
enum MapTrace {
    State(StateRef),
    /// A state that received itself.
    Cycle(StateRef),
}

/// An iteration with its remaining work.
#[derive(Clone)]
struct Iteration {
    number: u32,
    round: Arc<Round>,
    pool: Arc<Pool<Item>>,
}

impl Iteration {
    fn new(round: Round, number: u32, n_workers: usize) -> Self {
        Self { number, round: Arc::new(round), pool: Arc::new(Pool::new(n_workers)) }
    }
}

/// The state that all workers share.
struct MapShared<'a, S, O> {
    subject: Subject<'a>,
    store: &'a S,
    observer: &'a O,
    control: Control,
    ledger: Ledger<MapTrace>,
    flags: Flags,
    parents: Links,
    all_errors: bool,
    reduce: bool,
    max_depth: u64,
    /// Whether a path was cut off at the depth limit.
    cut: AtomicBool,
    /// Whether a cycle was found.
    caught: AtomicBool,
    rally: Rally,
    iteration: Mutex<Iteration>,
    /// The accepting states that workers found in the first iteration, and later those that are left.
    accepting: Mutex<Vec<StateRef>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl<'a, S: Recall, O: Observer> MapShared<'a, S, O> {
    fn new(model: &'a dyn Model, store: &'a S, observer: &'a O, config: &Config<'a>) -> Self {
        Self {
            subject: Subject::new(model, config.lessons),
            store,
            observer,
            control: Control::new(config, store.budget()),
            ledger: Ledger::new(config.all_errors, config.max_findings),
            flags: Flags::new(store.budget()),
            parents: Links::new(store.budget()),
            all_errors: config.all_errors,
            reduce: config.reduce,
            max_depth: config.limits.depth.unwrap_or(u64::MAX),
            cut: AtomicBool::new(false),
            caught: AtomicBool::new(false),
            rally: Rally::new(config.workers),
            iteration: Mutex::new(Iteration::new(Round::first(store.budget()), 0, config.workers)),
            accepting: Mutex::default(),
        }
    }

    fn hunting(&self) -> bool {
        !self.caught.load(Relaxed)
    }

    fn finish(self, worker_results: &[WorkerResult]) -> Outcome {
        let Self { subject, store, observer, control, ledger, parents, cut, iteration, .. } = self;
        let round = iteration.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).round;
        let way = |trace| match trace {
            MapTrace::State(state) => StatePath::straight(trail::way_to(&parents, state)),
            MapTrace::Cycle(state) => {
                let mut states = trail::way_to(&parents, state);
                let inside = |to| round.may_be_with(to, state);
                let cycle = Seeker::new(subject, store).seek(state, inside, |to| to == state);
                let cycle = cycle.ok().flatten().expect("a state that was told of itself leads to itself");
                states.extend_from_slice(&cycle[1..]);
                StatePath::closed(states)
            }
        };
        let entries = ledger.into_entries();
        let entries = entries.map(way);
        let found = found(subject, store, entries, cut.into_inner());
        ended(observer, finish(&control, store, worker_results, found))
    }
}

/// The first worker: starts the iterations and takes part in them.
fn lead<S: Recall, O: Observer>(worker: &mut MapWorker<'_, S, O>) -> Result<(), Stop> {
    let shared = worker.shared;
    let n_workers = shared.control.n_workers();
    let budget = &shared.control.budget;
    let initial = worker.begin()?;
    worker.queue.push_back((initial, 0));
    for number in 1.. {
        shared.rally.call();
        worker.work()?;
        shared.rally.gather(&shared.control)?;
        if !shared.hunting() {
            return Ok(());
        }
        let round = lock(&shared.iteration).round.clone();
        let mut accepting = std::mem::take(&mut *lock(&shared.accepting));
        accepting.retain(|&state| {
            let survives = round.survives(state);
            if !survives {
                shared.flags.remove(state, ACCEPTING);
            }
            survives
        });
        if accepting.is_empty() {
            return Ok(());
        }
        for &state in &accepting {
            shared.control.afford(shared.flags.add(state, QUEUED))?;
            worker.queue.push_back((state, 0));
        }
        *lock(&shared.accepting) = accepting;
        *lock(&shared.iteration) = Iteration::new(round.next(budget), number, n_workers);
    }
    Ok(())
}

/// The other workers: take part in each iteration.
fn follow<S: Recall, O: Observer>(worker: &mut MapWorker<'_, S, O>) -> Result<(), Stop> {
    for n_calls in 0.. {
        if !worker.shared.rally.attend(n_calls, &worker.shared.control) {
            break;
        }
        worker.work()?;
        worker.shared.rally.report();
    }
    Ok(())
}

/// A state that was expanded into the current batch.
#[derive(Clone, Copy)]
struct MapSource {
    state: StateRef,
    depth: u32,
    /// Whether it is expanded for the first time.
    first: bool,
    message: Option<Message>,
    /// The end of its successors in the batch. They begin at the end of the previous source's.
    end: usize,
    /// The numbers of successors counted and of violations noted in earlier rounds.
    n_counted: usize,
    n_noted: usize,
    /// The number of rounds of its expansion, and how many of them the observer was shown.
    n_rounds: u32,
    n_shown: u32,
    accepting: bool,
    how: Expanded,
}

/// One worker.
struct MapWorker<'a, S: Recall + 'a, O> {
    shared: &'a MapShared<'a, S, O>,
    idx: usize,
    cursor: Box<dyn Cursor + 'a>,
    writer: S::Writer<'a>,
    batch: Batch,
    seen: Vec<Seen>,
    sources: Vec<MapSource>,
    /// Sources that must be expanded as a whole.
    again: Vec<MapSource>,
    /// States that are new, or that another worker gave away.
    queue: VecDeque<Item>,
    /// States with a greater value to propagate than before, the greatest value first.
    raised: BinaryHeap<(StateRef, Item)>,
    n_batches: u32,
    /// The accepting states that this worker was the first to expand.
    accepting: Vec<StateRef>,
    /// The counts of this worker; `matched` holds the number of all edges.
    counts: Counts,
    charge: Charge,
}

impl<'a, S: Recall, O: Observer> MapWorker<'a, S, O> {
    fn new(shared: &'a MapShared<'a, S, O>, idx: usize) -> Self {
        Self {
            shared,
            idx,
            cursor: shared.subject.limited_cursor(&shared.control),
            writer: shared.store.writer(),
            batch: Batch::new(),
            seen: Vec::new(),
            sources: Vec::new(),
            again: Vec::new(),
            queue: VecDeque::new(),
            raised: BinaryHeap::new(),
            n_batches: 0,
            accepting: Vec::new(),
            counts: Counts::default(),
            charge: Charge::new(&shared.control.budget),
        }
    }

    /// Stores the initial state.
    fn begin(&mut self) -> Result<StateRef, Stop> {
        let control = &self.shared.control;
        let halt = self.cursor.initial(&mut self.batch).err();
        let stored = self.writer.insert(&mut self.batch, &mut self.seen);
        control.afford(stored)?;
        if let Some(halt) = halt {
            return Err(self.fail(halt, None));
        }
        let initial = self.seen.first().expect("a model has an initial state").state;
        control.afford(self.shared.flags.add(initial, QUEUED))?;
        self.counts.states += 1;
        self.note_violations(initial, 0, 0)?;
        self.batch.clear();
        control.check_states(self.idx, self.counts.states, 0)?;
        Ok(initial)
    }

    /// Takes part in an iteration until it is over.
    fn work(&mut self) -> Result<(), Stop> {
        let shared = self.shared;
        let Iteration { number, round, pool } = lock(&shared.iteration).clone();
        loop {
            if self.queue.is_empty() && self.raised.is_empty() && !pool.wait(&mut self.queue, &shared.control)
            {
                break;
            }
            self.n_batches = self.n_batches.wrapping_add(1);
            let prefers_raised = self.n_batches.is_multiple_of(RAISED_EVERY);
            while let Some((state, depth)) = self.take(prefers_raised) {
                // A worker that waits for others must not make others wait, so it first flushes and thereby
                // decides its own expansions.
                let put_off = !self.visit(&round, state, depth, number)?;
                let n_sources = self.sources.len();
                let is_full = self.batch.len() >= MAX_ENTRIES || n_sources >= MAX_SOURCES;
                // An observer sees one state at a time.
                if put_off || is_full || shared.observer.watches() {
                    break;
                }
            }
            self.flush(&round)?;
            if pool.is_hungry() && self.queue.len() < self.raised.len() {
                self.queue.extend(self.raised.drain().map(|(_, item)| item));
            }
            pool.share(&mut self.queue);
            self.publish(self.queue.len() + self.raised.len());
            let n_states = 2 * self.queue.capacity() + 3 * self.raised.capacity() + self.accepting.capacity();
            shared.control.afford(self.charge.cover((n_states * size_of::<StateRef>()) as u64))?;
        }
        lock(&shared.accepting).append(&mut self.accepting);
        if shared.control.stopped() { Err(Stop) } else { Ok(()) }
    }

    /// The next state to expand.
    fn take(&mut self, prefers_raised: bool) -> Option<Item> {
        let new = if prefers_raised && !self.raised.is_empty() { None } else { self.queue.pop_front() };
        new.or_else(|| self.raised.pop().map(|(_, item)| item))
    }

    /// Expands a state from a queue, if there is a reason to. Returns false if it was deferred.
    fn visit(&mut self, round: &Round, state: StateRef, depth: u32, number: u32) -> Result<bool, Stop> {
        let shared = self.shared;
        if shared.control.stopped() {
            return Err(Stop);
        }
        let flags = shared.flags.remove(state, QUEUED);
        let first = flags & BEGUN == 0 && {
            let before = shared.control.afford(shared.flags.add(state, BEGUN))?;
            before & BEGUN == 0
        };
        if !first && flags & LAST != 0 {
            return Ok(true);
        }
        if !first && flags & DECIDED == 0 && shared.flags.get(state) & DECIDED == 0 {
            // Another worker is about to decide how much of it is expanded.
            thread::yield_now();
            return self.enqueue(state, depth).map(|()| false);
        }
        debug_assert!(!first || number == 0, "all states are known after the first iteration");
        let source = MapSource {
            state,
            depth,
            first,
            message: None,
            end: 0,
            n_counted: 0,
            n_noted: 0,
            n_rounds: 0,
            n_shown: 0,
            accepting: false,
            how: Expanded::Part,
        };
        self.expand(round, source).map(|()| true)
    }

    fn enqueue(&mut self, state: StateRef, depth: u32) -> Result<(), Stop> {
        let before = self.shared.control.afford(self.shared.flags.add(state, QUEUED))?;
        if before & QUEUED == 0 {
            self.queue.push_back((state, depth));
        }
        Ok(())
    }

    fn enqueue_raised(&mut self, value: StateRef, state: StateRef, depth: u32) -> Result<(), Stop> {
        let before = self.shared.control.afford(self.shared.flags.add(state, QUEUED))?;
        if before & QUEUED == 0 {
            self.raised.push((value, (state, depth)));
        }
        Ok(())
    }

    /// Expands a state. The next `flush` stores the successors and sends them their messages.
    fn expand(&mut self, round: &Round, mut source: MapSource) -> Result<(), Stop> {
        let shared = self.shared;
        let control = &shared.control;
        let state = source.state;
        let vector = self.writer.open(state, self.batch.len());
        let (n_entries, n_violations) = (self.batch.len(), self.batch.violations().len());
        self.cursor.load(vector);
        let again = source.n_counted > 0;
        if source.first && !again {
            control.heed(shared.observer.state(state, vector))?;
            source.accepting = shared.hunting() && self.cursor.accepting();
            if source.accepting {
                self.accepting.push(state);
                control.afford(shared.flags.add(state, ACCEPTING))?;
            }
        }
        source.message = round.message(&shared.flags, state).filter(|_| shared.hunting());
        if !source.first && source.message.is_none() {
            return Ok(());
        }
        let whole = !shared.reduce || shared.flags.get(state) & WHOLE != 0;
        let (mut n_rounds, mut expanded) =
            expand_as_before(&mut *self.cursor, whole && !again, &mut self.batch);
        while again && matches!(expanded, Ok(false)) {
            expanded = self.cursor.expand_some(&mut self.batch);
            n_rounds += 1;
        }
        source.n_rounds = n_rounds;
        if source.first {
            let n_noted = n_violations + source.n_noted;
            source.n_noted = self.batch.violations().len() - n_violations;
            if self.batch.violations().len() > n_noted {
                self.note_violations(state, source.depth, n_noted)?;
            }
        }
        match expanded {
            Ok(true) => source.how = Expanded::Whole,
            Ok(false) => source.how = Expanded::Part,
            Err(halt) => return Err(self.fail(halt, Some(state))),
        }
        if u64::from(source.depth) >= shared.max_depth && source.first && self.batch.len() > n_entries {
            shared.cut.store(true, Relaxed);
            control.afford(shared.flags.add(state, LAST))?;
            self.batch.truncate(n_entries);
            source.how = Expanded::Cut;
        }
        source.end = self.batch.len();
        self.sources.push(source);
        Ok(())
    }

    /// Stores the successors of the states expanded since the last call, and sends them their messages.
    fn flush(&mut self, round: &Round) -> Result<(), Stop> {
        loop {
            self.pass_on(round)?;
            if self.again.is_empty() {
                return self.shared.control.check_states(self.idx, self.counts.states, 0);
            }
            for source in std::mem::take(&mut self.again) {
                self.expand(round, source)?;
            }
        }
    }

    fn pass_on(&mut self, round: &Round) -> Result<(), Stop> {
        let MapShared { control, observer, flags, parents, reduce, .. } = self.shared;
        let stored = self.writer.insert(&mut self.batch, &mut self.seen);
        control.afford(stored)?;
        if *reduce {
            fence(SeqCst);
        }
        let mut start = 0;
        for source_idx in 0..self.sources.len() {
            let source = self.sources[source_idx];
            for idx in start..source.end {
                let Seen { state, new } = self.seen[idx];
                if new {
                    control.afford(parents.set(state, source.state))?;
                    self.counts.states += 1;
                    self.counts.depth = self.counts.depth.max(u64::from(source.depth) + 1);
                    self.enqueue(state, source.depth + 1)?;
                }
                if source.first && idx >= start + source.n_counted {
                    self.counts.matched += 1;
                }
                let Some(message) = source.message else { continue };
                match control.afford(round.receive(state, message))? {
                    Received::Known => {}
                    Received::Raised => self.enqueue_raised(message.value, state, source.depth + 1)?,
                    Received::Cycle => self.report_cycle(state, source.depth)?,
                }
            }
            if source.first {
                if observer.watches() {
                    let entries = start + source.n_counted.min(source.end - start)..source.end;
                    let steps = Steps::new(&self.batch, &self.seen, entries, 0);
                    let steps = steps.after(source.n_rounds - source.n_shown).from(source.accepting);
                    control.heed(observer.steps(source.state, &steps, source.how))?;
                }
                let successors = &self.seen[start..source.end];
                let closes = |seen: &Seen| flags.get(seen.state) & (BEGUN | WHOLE) == BEGUN;
                let complete = source.how != Expanded::Part;
                if complete || !successors.iter().any(closes) {
                    let whole = if complete { WHOLE | DECIDED } else { DECIDED };
                    control.afford(flags.add(source.state, whole))?;
                    control.heed(observer.close(source.state))?;
                } else {
                    let (n_counted, n_shown) = (source.end - start, source.n_rounds);
                    self.again.push(MapSource { n_counted, n_shown, ..source });
                }
            }
            start = source.end;
        }
        self.batch.clear();
        self.sources.clear();
        Ok(())
    }

    /// Reports the cycle through `state`, which received itself.
    #[cold]
    fn report_cycle(&self, state: StateRef, depth: u32) -> Result<(), Stop> {
        let shared = self.shared;
        if shared.caught.swap(true, Relaxed) {
            return if shared.all_errors { Ok(()) } else { Err(Stop) };
        }
        let violation = acceptance_cycle();
        shared.observer.violation(At::Stored(state), &violation);
        shared.ledger.note(&violation, u64::from(depth), || MapTrace::Cycle(state));
        if shared.all_errors { Ok(()) } else { Err(shared.control.stop(Reason::Violation)) }
    }

    /// Notes the violations of the batch from index `first_idx` on, which were met in `state`.
    fn note_violations(&self, state: StateRef, depth: u32, first_idx: usize) -> Result<(), Stop> {
        let shared = self.shared;
        for violation in &self.batch.violations()[first_idx..] {
            let length = u64::from(depth) + u64::from(violation.key.is_some());
            shared.observer.violation(At::Stored(state), violation);
            shared.ledger.note(violation, length, || MapTrace::State(state));
            if !shared.all_errors {
                return Err(shared.control.stop(Reason::Violation));
            }
        }
        Ok(())
    }

    #[cold]
    fn fail(&self, halt: Halt, at: Option<StateRef>) -> Stop {
        self.shared.control.stop(self.shared.ledger.note_halt(halt, || at.map(MapTrace::State)))
    }

    fn publish(&mut self, frontier: usize) {
        self.counts.frontier = frontier as u64;
        let matched = self.counts.matched.saturating_sub(self.counts.states);
        self.shared.control.publish(self.idx, &Counts { matched, ..self.counts });
    }
}

#[cfg(test)]
mod tests;
