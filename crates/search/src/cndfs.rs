//! Nested depth-first search for a cycle through an accepting state, by several workers.
//!
//! The algorithm is CNDFS, of S. Evangelista, A. Laarman, L. Petrucci and J. van de Pol, "Improved multi-core
//! nested depth-first search" (ATVA 2012). Every worker searches depth first from the initial state, in its
//! own order. The states on its stack are *cyan* to this worker only. A state that a worker leaves becomes
//! *blue* for all workers, and no worker enters it again. The worker that makes an accepting state blue then
//! starts an inner search there, through all states that are not *red*. If it meets a state of its own stack,
//! it has closed a cycle. At the end of an inner search all states that it saw become red for all workers;
//! but the worker first waits until all other accepting states among them are red. Those are on the stacks of
//! other workers.
//!
//! Correctness. A reported cycle exists: it consists of parts of a worker's two stacks. Conversely, as long
//! as no cycle is reported:
//! - No state of an accepting cycle becomes red. Assume the contrary, and take the first state of the cycle
//!   that does. It does not become red because all its successors are red: then the next state of the cycle
//!   would have been red before it. So an inner search makes it red. That inner search saw the whole cycle,
//!   because no state of the cycle was red. Its seed is not on the cycle: the seed is cyan to this worker, so
//!   the search would have met it and reported a cycle. So it waited for an accepting state of the cycle,
//!   which was therefore red before.
//! - No worker waits indefinitely. Assume that all workers that have not finished wait, one of them with the
//!   seed `s` for the state `a`. On the path from `s` to `a` that it saw, there is a state on the stack of
//!   another worker. If all states of the path are blue, that state is `a` itself, because the worker that
//!   made `a` blue keeps it on its stack until it is red. Otherwise it is the first state of the path that is
//!   not blue. When the state before it became blue, all successors of that state were blue or on the stack
//!   of the worker that made it blue. This successor was not blue, so it was on that stack, and it is still
//!   there. In both cases the stack is not that of the first worker, whose inner search would have met the
//!   state there and reported a cycle. The other worker waits too, with a seed to which its stack leads; and
//!   so on, until a worker occurs twice. So there is a cycle through seeds, no state of which is red, and the
//!   inner searches of these workers have seen all of it. They would have met states of their own stacks, and
//!   reported a cycle.
//!
//! At the end every state is blue and every accepting state is red, so no accepting state is on a cycle. With
//! [`Acceptance::Weak`] inner searches are not needed. Take an accepting cycle and the first of its states
//! that becomes blue. The next state of the cycle is not blue at that time, so it is on the stack of the same
//! worker, and it was already there when this worker expanded the state, which reports the cycle.
//!
//! With [`Config::reduce`], all workers and both searches must see the same graph, so it is decided once for
//! each state whether it is expanded as a whole (compare A. Laarman and A. Wijs, "Partial-order reduction for
//! multi-core LTL model checking", HVC 2014). A worker decides for *whole* if a reduced successor is on its
//! own stack and is not whole. An inner search decides for *whole* for each undecided state that it meets. A
//! state that becomes blue without a decision is thereby decided not to be whole; one atomic operation tests
//! and sets this. If another worker has meanwhile decided for *whole*, a worker that has expanded only a part
//! of the state expands the rest. Every cycle of the reduced graph has a whole state. Assume that one has
//! none, and take any of its states and the worker that made it blue. The next state of the cycle was not on
//! that worker's stack, or one of the two would be whole; so it became blue earlier. This cannot hold all
//! around a cycle.
//!
//! The worker that opens a state first counts it and reports it to the observer. After it has found an
//! accepting cycle, a search that continues after errors does not search for another one, as in `ndfs`. An
//! inner search that exceeds the depth limit is cut off at states that are not blue, as the outer search is.

use crate::charge::Charge;
use crate::control::{Control, Counts, Reason, Stop};
use crate::dfs::dfs;
use crate::lasso::{StatePath, acceptance_cycle, found};
use crate::ledger::Ledger;
use crate::observer::{At, Expanded, Steps, ended};
use crate::outcome::{WorkerResult, finish};
use crate::subject::Subject;
use crate::{Config, Observer, Outcome};
use allways_model::{Acceptance, Batch, Cursor, Halt, Model};
use allways_store::marks::Flags;
use allways_store::{Recall, Seen, StateRef, Writer};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// CndfsShared flag of a state: some worker has left it.
pub(crate) const BLUE: u8 = 1;
/// CndfsShared flag: the state is on no accepting cycle.
pub(crate) const RED: u8 = 2;
/// CndfsShared flag: the state is expanded as a whole. Does not change once the state is blue.
pub(crate) const WHOLE: u8 = 4;
/// CndfsShared flag: some worker has opened the state.
const OPENED: u8 = 8;

/// Private flag of a worker: the state is on the worker's stack.
pub(crate) const CYAN: u8 = 1;
/// Private flag: the state is on the worker's stack, and accepting.
const ACCEPTING: u8 = 2;
/// Private flag: the worker's inner search has seen the state.
pub(crate) const PINK: u8 = 4;

/// Visits all states of `model` depth first with several workers, and finds a cycle through an accepting
/// state if there is one. If the model has no accepting states, it runs [`dfs`](crate::dfs()) instead.
pub fn cndfs<S: Recall, O: Observer>(
    model: &dyn Model,
    store: &S,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    let acceptance = model.acceptance();
    if acceptance == Acceptance::Nowhere {
        return dfs(model, store, observer, config);
    }
    let shared = CndfsShared {
        subject: Subject::new(model, config.lessons),
        store,
        observer,
        control: Control::new(config, store.budget()),
        ledger: Ledger::new(config.all_errors, config.max_findings),
        flags: Flags::new(store.budget()),
        all_errors: config.all_errors,
        reduce: config.reduce,
        weak: acceptance == Acceptance::Weak,
        max_depth: config.limits.depth.unwrap_or(u64::MAX),
        cut: AtomicBool::new(false),
        caught: AtomicBool::new(false),
    };
    let mut worker_results = shared.control.run(config, |idx| {
        let mut worker = CndfsWorker::new(&shared, idx);
        // The reason to stop is in `control`.
        let (Ok(()) | Err(Stop)) = worker.run();
        WorkerResult::new(worker.counts, &mut *worker.cursor)
    });
    WorkerResult::match_edges(&mut worker_results);
    let CndfsShared { subject, control, ledger, cut, .. } = shared;
    let found = found(subject, store, ledger.into_entries(), cut.into_inner());
    ended(observer, finish(&control, store, &worker_results, found))
}

/// The state that all workers share.
pub(crate) struct CndfsShared<'a, S, O> {
    subject: Subject<'a>,
    store: &'a S,
    observer: &'a O,
    pub(crate) control: Control,
    ledger: Ledger<StatePath>,
    pub(crate) flags: Flags,
    all_errors: bool,
    pub(crate) reduce: bool,
    weak: bool,
    pub(crate) max_depth: u64,
    /// Whether a path was cut off at the depth limit.
    pub(crate) cut: AtomicBool,
    /// Whether a cycle was found.
    caught: AtomicBool,
}

impl<S, O> CndfsShared<'_, S, O> {
    pub(crate) fn flag(&self, state: StateRef, flags: u8) -> Result<u8, Stop> {
        self.control.afford(self.flags.add(state, flags))
    }

    pub(crate) fn hunting(&self) -> bool {
        !self.caught.load(Relaxed)
    }
}

/// A state on a worker's stack.
pub(crate) struct CndfsFrame {
    state: StateRef,
    /// The number of its entries in `pending`.
    n_pending: u32,
    /// The numbers of its successors counted and of its violations noted.
    n_edges: u32,
    n_noted: u32,
    /// The number of rounds of its expansion, and how many of them the observer was shown.
    n_rounds: u32,
    n_shown: u32,
    /// Whether this worker is the first to open it.
    first: bool,
    accepting: bool,
    /// Whether this worker has expanded it as a whole.
    whole: bool,
    /// Whether all successors seen so far are red.
    all_red: bool,
}

/// A state on a worker's inner stack.
pub(crate) struct InnerFrame {
    pub(crate) state: StateRef,
    /// The number of its entries in `inner_pending`.
    pub(crate) n_pending: u32,
}

/// One worker.
pub(crate) struct CndfsWorker<'a, S: Recall + 'a, O> {
    pub(crate) shared: &'a CndfsShared<'a, S, O>,
    idx: usize,
    pub(crate) cursor: Box<dyn Cursor + 'a>,
    pub(crate) writer: S::Writer<'a>,
    pub(crate) batch: Batch,
    pub(crate) seen: Vec<Seen>,
    pub(crate) own: Flags,
    pub(crate) frames: Vec<CndfsFrame>,
    pending: Vec<StateRef>,
    pub(crate) inner: Vec<InnerFrame>,
    pub(crate) inner_pending: Vec<StateRef>,
    /// The states that the inner search has seen. `awaited` has the accepting ones among them, except the
    /// seed.
    pub(crate) pink: Vec<StateRef>,
    pub(crate) awaited: Vec<StateRef>,
    /// The counts of this worker; `matched` holds the number of all edges.
    counts: Counts,
    charge: Charge,
    /// The random state for this worker's own order of successors; zero keeps the model's order.
    random: u64,
}

impl<'a, S: Recall, O: Observer> CndfsWorker<'a, S, O> {
    fn new(shared: &'a CndfsShared<'a, S, O>, idx: usize) -> Self {
        Self {
            shared,
            idx,
            cursor: shared.subject.limited_cursor(&shared.control),
            writer: shared.store.writer(),
            batch: Batch::new(),
            seen: Vec::new(),
            own: Flags::new(&shared.control.budget),
            frames: Vec::new(),
            pending: Vec::new(),
            inner: Vec::new(),
            inner_pending: Vec::new(),
            pink: Vec::new(),
            awaited: Vec::new(),
            counts: Counts::default(),
            charge: Charge::new(&shared.control.budget),
            random: (idx as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        }
    }

    fn run(&mut self) -> Result<(), Stop> {
        let mut next = Some(self.begin()?);
        while let Some(state) = next {
            self.enter(state)?;
            next = self.advance()?;
        }
        self.counts.frontier = 0;
        self.publish();
        Ok(())
    }

    /// Stores the initial state.
    fn begin(&mut self) -> Result<StateRef, Stop> {
        let shared = self.shared;
        if let Err(halt) = self.cursor.initial(&mut self.batch) {
            return Err(shared.control.stop(shared.ledger.note_halt(halt, || None)));
        }
        let stored = self.writer.insert(&mut self.batch, &mut self.seen);
        shared.control.afford(stored)?;
        if self.idx == 0 && !self.batch.violations().is_empty() {
            self.note_violations(0)?;
        }
        Ok(self.seen.first().expect("a model has an initial state").state)
    }

    /// Puts a state on the stack and expands it.
    fn enter(&mut self, state: StateRef) -> Result<(), Stop> {
        let CndfsShared { control, observer, .. } = self.shared;
        if control.stopped() {
            return Err(Stop);
        }
        let depth = self.frames.len() as u64;
        self.counts.depth = self.counts.depth.max(depth);
        self.counts.frontier = depth + 1;
        let first = self.shared.flags.get(state) & OPENED == 0 && {
            control.check_states(self.idx, self.counts.states, 1)?;
            self.shared.flag(state, OPENED)? & OPENED == 0
        };
        self.counts.states += u64::from(first);
        self.publish();
        if let Some(&next) = self.pending.last() {
            self.shared.store.prefetch(next);
        }
        self.batch.clear();
        let vector = self.writer.open(state, 0);
        if first {
            control.heed(observer.state(state, vector))?;
        }
        self.cursor.load(vector);
        let accepting = self.shared.hunting() && self.cursor.accepting();
        let set = self.own.set_mut(state, if accepting { CYAN | ACCEPTING } else { CYAN });
        control.afford(set)?;
        let (n_edges, n_noted) = (0, 0);
        self.frames.push(CndfsFrame {
            state,
            n_pending: 0,
            n_edges,
            n_noted,
            n_rounds: 1,
            n_shown: 0,
            first,
            accepting,
            whole: true,
            all_red: true,
        });
        self.expand_top(self.shared.reduce && depth < self.shared.max_depth)
    }

    /// Expands the state on top of the stack, which the cursor has loaded, and schedules its successors.
    fn expand_top(&mut self, reduced: bool) -> Result<(), Stop> {
        let CndfsShared { control, max_depth, .. } = self.shared;
        let decided = if reduced { self.expand_enough()? } else { Some(self.cursor.expand(&mut self.batch)) };
        let n_noted = self.frames[self.frames.len() - 1].n_noted as usize;
        if self.batch.violations().len() > n_noted {
            self.note_violations(n_noted)?;
        }
        if let Some(Err(halt)) = decided {
            return Err(self.fail(halt));
        }
        let mut cut = false;
        if !reduced {
            if self.frames.len() as u64 > *max_depth && !self.batch.is_empty() {
                self.shared.cut.store(true, Relaxed);
                cut = true;
                self.batch.truncate(0);
            }
            let stored = self.writer.insert(&mut self.batch, &mut self.seen);
            control.afford(stored)?;
        }
        let frame = self.frames.last_mut().expect("the state is on the stack");
        if decided.is_none() {
            // Another worker has left the state without expanding more of it.
            frame.all_red = false;
            frame.whole = false;
        }
        self.schedule(decided.is_some(), cut)?;
        self.charge_stacks()
    }

    /// Expands the state on top of the stack, as a whole if that is decided or necessary, and stores its
    /// successors. Returns `None` if it is necessary but another worker has made the state blue with a
    /// partial expansion.
    fn expand_enough(&mut self) -> Result<Option<Result<(), Halt>>, Stop> {
        let shared = self.shared;
        let state = self.frames[self.frames.len() - 1].state;
        let mut whole = shared.flags.get(state) & WHOLE != 0;
        for rounds in 1.. {
            self.frames.last_mut().expect("the state is on the stack").n_rounds = rounds;
            let (complete, halt) = match self.cursor.expand_some(&mut self.batch) {
                Ok(complete) => (complete, Ok(())),
                Err(halt) => (true, Err(halt)),
            };
            let stored = self.writer.insert(&mut self.batch, &mut self.seen);
            shared.control.afford(stored)?;
            let closes = |seen: &Seen| {
                self.own.get(seen.state) & CYAN != 0 && shared.flags.get(seen.state) & WHOLE == 0
            };
            if !whole && (complete || self.seen.iter().any(closes)) {
                let before = shared.control.afford(shared.flags.add_unless(state, WHOLE, BLUE))?;
                whole = before & (BLUE | WHOLE) != BLUE;
                if !whole {
                    return Ok(None);
                }
            }
            if complete || (!whole && !self.seen.is_empty()) {
                self.frames.last_mut().expect("the state is on the stack").whole = whole;
                return Ok(Some(halt));
            }
            self.writer.open(state, 0);
        }
        unreachable!("a state is expanded as a whole after finitely many rounds")
    }

    /// Pushes the successors of the state on top of the stack, if `visit` says that they are to be visited.
    fn schedule(&mut self, visit: bool, cut: bool) -> Result<(), Stop> {
        let CndfsShared { control, observer, flags, .. } = self.shared;
        let frame = self.frames.last_mut().expect("the state is on the stack");
        if frame.first {
            if observer.watches() {
                let how = match frame.whole {
                    _ if cut => Expanded::Cut,
                    true => Expanded::Whole,
                    false => Expanded::Part,
                };
                let entries = frame.n_edges as usize..self.seen.len();
                let steps = Steps::new(&self.batch, &self.seen, entries, 0);
                let steps = steps.after(frame.n_rounds.saturating_sub(frame.n_shown)).from(frame.accepting);
                control.heed(observer.steps(frame.state, &steps, how))?;
                frame.n_shown = frame.n_rounds;
            }
            self.counts.matched += (self.seen.len() - frame.n_edges as usize) as u64;
        }
        frame.n_edges = self.seen.len() as u32;
        let (base, mut closing) = (self.pending.len(), None);
        let mut n_opened = 0;
        for seen in self.seen.iter().rev().filter(|_| visit) {
            let own = self.own.get(seen.state);
            let all = flags.get(seen.state);
            if own & CYAN != 0 {
                frame.all_red = false;
                if frame.accepting || own & ACCEPTING != 0 {
                    closing = Some(seen.state);
                }
            } else if all & BLUE != 0 {
                frame.all_red &= all & RED != 0;
            } else {
                self.pending.push(seen.state);
                // Visit states that other workers have opened last: they may be blue by then.
                if all & OPENED != 0 {
                    let (last, first) = (self.pending.len() - 1, base + n_opened);
                    self.pending[first..=last].rotate_right(1);
                    n_opened += 1;
                }
            }
        }
        frame.n_pending = (self.pending.len() - base) as u32;
        if self.random != 0 {
            shuffle(&mut self.pending[base + n_opened..], &mut self.random);
            shuffle(&mut self.pending[base..base + n_opened], &mut self.random);
        }
        match closing.filter(|_| self.shared.hunting()) {
            Some(state) => self.report_cycle(state),
            None => Ok(()),
        }
    }

    /// The next state to open, or `None` if this worker has finished.
    fn advance(&mut self) -> Result<Option<StateRef>, Stop> {
        while let Some(frame) = self.frames.last_mut() {
            if frame.n_pending == 0 {
                self.leave()?;
                continue;
            }
            frame.n_pending -= 1;
            let state = self.pending.pop().expect("frames count their entries");
            let all = self.shared.flags.get(state);
            if all & BLUE == 0 && self.own.get(state) & CYAN == 0 {
                return Ok(Some(state));
            }
            frame.all_red &= all & RED != 0;
        }
        Ok(None)
    }

    /// Leaves the state on top of the stack, unless more of it must be expanded.
    fn leave(&mut self) -> Result<(), Stop> {
        let shared = self.shared;
        let &CndfsFrame { state, first, accepting, whole, all_red, .. } =
            self.frames.last().expect("it is there");
        let unless = if whole { 0 } else { WHOLE };
        let before = shared.control.afford(shared.flags.add_unless(state, BLUE, unless))?;
        let overruled = before & unless != 0;
        if overruled && (first || before & BLUE == 0) {
            self.batch.clear();
            self.cursor.load(self.writer.open(state, 0));
            return self.expand_top(true);
        }
        if !overruled && shared.hunting() {
            if all_red {
                shared.flag(state, RED)?;
            } else if accepting && !shared.weak && before & BLUE == 0 {
                self.search_inside(state)?;
            }
        }
        if first {
            shared.control.heed(shared.observer.close(state))?;
        }
        let set = self.own.set_mut(state, 0);
        shared.control.afford(set)?;
        self.frames.pop();
        if let Some(parent) = self.frames.last_mut() {
            parent.all_red &= shared.flags.get(state) & RED != 0;
        }
        Ok(())
    }

    /// Reports the cycle that a step from the top of the inner stack, or of the outer one if that is empty,
    /// back to `cyan` closes.
    #[cold]
    pub(crate) fn report_cycle(&mut self, cyan: StateRef) -> Result<(), Stop> {
        if self.shared.caught.swap(true, Relaxed) {
            return if self.shared.all_errors { Ok(()) } else { Err(Stop) };
        }
        let mut states = self.way();
        states.push(cyan);
        let length = states.len() as u64 - 1;
        let violation = acceptance_cycle();
        self.shared.observer.violation(At::Stored(cyan), &violation);
        self.shared.ledger.note(&violation, length, || StatePath::closed(states));
        if self.shared.all_errors { Ok(()) } else { Err(self.shared.control.stop(Reason::Violation)) }
    }

    /// Notes the violations of the batch from index `first_idx` on, once for all workers.
    #[cold]
    fn note_violations(&mut self, first_idx: usize) -> Result<(), Stop> {
        let shared = self.shared;
        if !self.frames.last().is_none_or(|frame| frame.first) && shared.all_errors {
            return Ok(());
        }
        for violation in &self.batch.violations()[first_idx..] {
            let length = self.frames.len() as u64;
            let at = self.frames.last().map_or_else(|| self.seen[0].state, |frame| frame.state);
            shared.observer.violation(At::Stored(at), violation);
            shared.ledger.note(violation, length, || StatePath::straight(self.way()));
            if !shared.all_errors {
                return Err(shared.control.stop(Reason::Violation));
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.n_noted = self.batch.violations().len() as u32;
        }
        Ok(())
    }

    #[cold]
    pub(crate) fn fail(&self, halt: Halt) -> Stop {
        self.shared.control.stop(self.shared.ledger.note_halt(halt, || Some(StatePath::straight(self.way()))))
    }

    /// The states on both stacks; the inner one begins with the last state of the outer one.
    fn way(&self) -> Vec<StateRef> {
        let inner = self.inner.iter().skip(1).map(|frame| frame.state);
        self.frames.iter().map(|frame| frame.state).chain(inner).collect()
    }

    fn publish(&self) {
        let matched = self.counts.matched.saturating_sub(self.counts.states);
        self.shared.control.publish(self.idx, &Counts { matched, ..self.counts });
    }

    /// Charges the budget for the growth of the stacks, if any.
    pub(crate) fn charge_stacks(&mut self) -> Result<(), Stop> {
        let frames = self.frames.capacity() * size_of::<CndfsFrame>()
            + self.inner.capacity() * size_of::<InnerFrame>();
        let states = self.pending.capacity()
            + self.inner_pending.capacity()
            + self.pink.capacity()
            + self.awaited.capacity();
        self.shared.control.afford(self.charge.cover((frames + states * size_of::<StateRef>()) as u64))
    }
}

fn shuffle(states: &mut [StateRef], random: &mut u64) {
    for idx in (1..states.len()).rev() {
        // Marsaglia's xorshift; any sequence works.
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        states.swap(idx, (*random % (idx as u64 + 1)) as usize);
    }
}
