//! The depth-first search by one worker that `dfs`, `ndfs` and `scc` have in common.
//!
//! For speed, all successors of a state are stored at once, when the state is expanded. But a state counts as
//! visited only when the search, which takes successors in order, *opens* it. So order and counts, also at a
//! first violation, are those of a search that stores one successor at a time. A violation during a step is
//! met when the search reaches that step: after everything that earlier steps lead to, and before the step's
//! own successor.
//!
//! The stack is flat and holds only references to states and a few counts: twelve bytes for a state on the
//! path and eight for a successor that has not been opened yet. Successors that were already open when their
//! source was expanded are not on the stack: the next successor that was not open holds their number. The
//! stack is also the trace, so no table of predecessors is needed.
//!
//! With [`Config::reduce`], a state is expanded round by round until [`SearchOrder::suffices`] holds.

use crate::charge::Charge;
use crate::control::{Control, Counts, Reason, Stop};
use crate::frontier::MOST_DRAWN;
use crate::ledger::{Entries, Ledger};
use crate::observer::{At, Expanded, Steps, insert_again};
use crate::outcome::WorkerResult;
use crate::subject::Subject;
use crate::{Config, Observer};
use allways_model::{Asleep, Batch, Cursor, Halt, Model, Violation};
use allways_store::{Full, Recall, Seen, StateRef, Writer};

/// The part in which depth-first searches differ: what they record about states, and what they do besides
/// visiting them.
pub(crate) trait SearchOrder: Sized {
    /// The data kept with a state on the stack.
    type Mark: Copy;
    /// How the path to a violation is kept.
    type Trace: Send;
    /// Whether sleep sets may be used: not in a search for cycles.
    const SLEEPS: bool;

    /// The trace of a violation, from the states on the stack.
    fn trace(stack: Vec<StateRef>) -> Self::Trace;

    /// Called when a state is opened. `cursor` has loaded it. `reduced` says that it may be expanded in part.
    fn open(&mut self, state: StateRef, cursor: &mut dyn Cursor, reduced: bool) -> Result<Self::Mark, Full>;

    /// Whether `state`, a successor of the top of the stack, was opened before. `mark` is that of the top.
    fn meets(&mut self, mark: &mut Self::Mark, state: StateRef) -> bool;

    /// Whether a state was opened, if that is known independently of a source state.
    fn is_open(&self, _: StateRef) -> bool {
        false
    }

    /// Whether the successors in `seen` are enough of a state. `complete` says that they are all.
    fn suffices(&mut self, state: StateRef, seen: &[Seen], complete: bool) -> Result<bool, Full>;

    /// The bytes that this object occupies.
    fn bytes(&self) -> usize {
        0
    }

    /// Acts on what [`SearchOrder::meets`] has seen: all successors of the top of the stack after its
    /// expansion, or one that was pending.
    #[inline]
    fn act<S: Recall, O: Observer>(_search: &mut DepthFirst<'_, S, O, Self>) -> Result<(), Stop> {
        Ok(())
    }

    /// Called when the search has finished with the top of the stack, just before it is popped.
    fn leave<S: Recall, O: Observer>(
        search: &mut DepthFirst<'_, S, O, Self>,
        state: StateRef,
    ) -> Result<(), Stop>;

    /// The states that follow those on the stack, on the path to a violation.
    fn beyond(&self) -> Vec<StateRef> {
        Vec::new()
    }
}

/// A state on the stack.
pub(crate) struct StackEntry<M> {
    pub(crate) state: StateRef,
    /// The number of its entries in `pending`.
    n_pending: u32,
    /// The number of its successors, after the last pending one, that were open when it was expanded.
    n_matched: u32,
    pub(crate) mark: M,
}

/// A successor or violation that the search handles after everything above it on the stack.
struct Pending {
    /// The successor, or `None` for a violation during the step, which is the last of `violations`.
    state: Option<StateRef>,
    /// The number of successors between the previous pending one and this one that were open when the state
    /// was expanded.
    n_matched: u32,
}

/// A running depth-first search.
pub(crate) struct DepthFirst<'a, S: Recall + 'a, O, R: SearchOrder> {
    store: &'a S,
    pub(crate) observer: &'a O,
    pub(crate) control: &'a Control,
    pub(crate) ledger: &'a Ledger<R::Trace>,
    pub(crate) order: R,
    pub(crate) all_errors: bool,
    pub(crate) reduce: bool,
    sleep: bool,
    max_depth: u64,
    pub(crate) cursor: Box<dyn Cursor + 'a>,
    pub(crate) writer: S::Writer<'a>,
    pub(crate) batch: Batch,
    pub(crate) seen: Vec<Seen>,
    pub(crate) frames: Vec<StackEntry<R::Mark>>,
    pending: Vec<Pending>,
    /// The sleep set of each pending entry, if sleep sets are used.
    asleep: Vec<Asleep>,
    violations: Vec<Violation>,
    counts: Counts,
    /// The memory charged for the stack.
    charge: Charge,
    /// Whether a path was cut off at the depth limit.
    cut: bool,
}

/// The result of a depth-first search.
pub(crate) struct DepthFirstResult<T> {
    pub(crate) control: Control,
    pub(crate) entries: Entries<T>,
    pub(crate) worker_result: WorkerResult,
    pub(crate) cut: bool,
    /// States that were stored but not opened, at most [`MOST_DRAWN`] of them.
    pub(crate) frontier: Vec<StateRef>,
}

/// Visits all states of `model` in the order of a depth-first search, with one worker.
pub(crate) fn depth_first<S: Recall, O: Observer, R: SearchOrder>(
    model: &dyn Model,
    store: &S,
    observer: &O,
    config: &Config<'_>,
    order: impl Fn() -> R + Sync,
) -> DepthFirstResult<R::Trace> {
    let config = &Config { workers: 1, ..*config };
    let subject = Subject::new(model, config.lessons);
    let control = Control::new(config, store.budget());
    let ledger = Ledger::new(config.all_errors, config.max_findings);
    let (all_errors, reduce) = (config.all_errors, config.reduce);
    let sleep = R::SLEEPS && config.lets_sleep(model);
    let max_depth = config.limits.depth.unwrap_or(u64::MAX);
    let mut results = control.run(config, |_| {
        let mut search = DepthFirst {
            store,
            observer,
            control: &control,
            ledger: &ledger,
            order: order(),
            all_errors,
            reduce,
            sleep,
            max_depth,
            cursor: subject.limited_cursor(&control),
            writer: store.writer(),
            batch: Batch::new(),
            seen: Vec::new(),
            frames: Vec::new(),
            pending: Vec::new(),
            asleep: Vec::new(),
            violations: Vec::new(),
            counts: Counts::default(),
            charge: Charge::new(store.budget()),
            cut: false,
        };
        // The reason to stop is in `control`.
        let (Ok(()) | Err(Stop)) = search.run();
        (WorkerResult::new(search.counts, &mut *search.cursor), search.cut, search.unopened())
    });
    let (worker_result, cut, frontier) = results.pop().expect("there is one worker");
    DepthFirstResult { entries: ledger.into_entries(), control, worker_result, cut, frontier }
}

impl<S: Recall, O: Observer, R: SearchOrder> DepthFirst<'_, S, O, R> {
    fn run(&mut self) -> Result<(), Stop> {
        let mut next = Some((self.begin()?, Asleep::NONE));
        while let Some((state, asleep)) = next {
            self.enter(state, asleep)?;
            next = self.advance()?;
        }
        Ok(())
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
        if let Some(violation) = self.batch.violations().first().filter(|_| !self.all_errors) {
            return Err(self.end_with(violation));
        }
        self.meet_violations()?;
        Ok(initial)
    }

    /// Opens a new state: puts it on the stack and expands it.
    fn enter(&mut self, state: StateRef, asleep: Asleep) -> Result<(), Stop> {
        if self.control.stopped() {
            return Err(Stop);
        }
        let depth = self.frames.len() as u64;
        self.counts.depth = self.counts.depth.max(depth);
        self.counts.frontier = depth + 1;
        self.control.publish(0, &self.counts);
        if let Some(Pending { state: Some(next), .. }) = self.pending.last() {
            self.store.prefetch(*next);
        }
        self.batch.clear();
        let vector = self.writer.open(state, 0);
        self.control.heed(self.observer.state(state, vector))?;
        self.cursor.load(vector);
        let reduced = self.reduce && depth < self.max_depth;
        let accepting = self.observer.watches() && self.cursor.accepting();
        let mark = self.control.afford(self.order.open(state, &mut *self.cursor, reduced))?;
        self.frames.push(StackEntry { state, n_pending: 0, n_matched: 0, mark });
        let mut rounds = 1;
        let (mut how, halt) = if reduced {
            let (how, halt, n_rounds) = self.expand_enough(state)?;
            rounds = n_rounds;
            (how, halt)
        } else if R::SLEEPS && self.sleep {
            (Expanded::Whole, self.cursor.expand_awake(asleep, &mut self.batch).err())
        } else {
            (Expanded::Whole, self.cursor.expand(&mut self.batch).err())
        };
        if !self.batch.violations().is_empty() {
            self.meet_violations()?;
        }
        if let Some(halt) = halt {
            return Err(self.fail(halt));
        }
        if !reduced {
            if depth >= self.max_depth && (!self.batch.is_empty() || self.batch.n_known() > 0) {
                self.cut = true;
                how = Expanded::Cut;
                self.batch.truncate(0);
                self.batch.truncate_known(0);
            }
            if R::SLEEPS {
                self.counts.matched += self.batch.n_known();
            }
            let stored = self.writer.insert(&mut self.batch, &mut self.seen);
            self.control.afford(stored)?;
        }
        self.schedule(how, rounds, accepting)?;
        R::act(self)?;
        self.charge_stack()
    }

    /// Expands a state until [`SearchOrder::suffices`] holds, and stores the successors. Also returns the
    /// number of rounds.
    fn expand_enough(&mut self, state: StateRef) -> Result<(Expanded, Option<Halt>, u32), Stop> {
        self.seen.clear();
        for rounds in 1.. {
            let (complete, halt) = match self.cursor.expand_some(&mut self.batch) {
                Ok(complete) => (complete, None),
                Err(halt) => (true, Some(halt)),
            };
            let stored = if self.observer.watches() {
                insert_again(&mut self.writer, &mut self.batch, &mut self.seen)
            } else {
                self.writer.insert(&mut self.batch, &mut self.seen)
            };
            self.control.afford(stored)?;
            if self.control.afford(self.order.suffices(state, &self.seen, complete))? || complete {
                return Ok((if complete { Expanded::Whole } else { Expanded::Part }, halt, rounds));
            }
            self.writer.open(state, 0);
        }
        unreachable!("a state is expanded as a whole after finitely many rounds")
    }

    /// Pushes the pending entries of the state on top of the stack, in reverse order.
    #[inline]
    fn schedule(&mut self, how: Expanded, rounds: u32, accepting: bool) -> Result<(), Stop> {
        let frame = self.frames.last_mut().expect("a state was just entered");
        let base = self.pending.len();
        let mut n_successors = self.seen.len();
        let sleep = R::SLEEPS && self.sleep;
        if !self.all_errors
            && let Some(violation) = self.batch.violations().first()
        {
            // The search ends at this violation, so later entries are not needed.
            let key = violation.key.expect("a violation of the state itself has ended the search");
            n_successors = self.batch.entries().partition_point(|entry| entry.key < key);
            self.pending.push(Pending { state: None, n_matched: 0 });
            if sleep {
                self.asleep.push(Asleep::NONE);
            }
            self.violations.push(violation.clone());
        }
        if self.observer.watches() {
            let how = if n_successors < self.seen.len() { Expanded::Cut } else { how };
            let steps = Steps::new(&self.batch, &self.seen, 0..n_successors, self.batch.n_known());
            let steps = steps.after(rounds).from(accepting);
            self.control.heed(self.observer.steps(frame.state, &steps, how))?;
        }
        let mut n_matched = 0;
        for idx in (0..n_successors).rev() {
            let Seen { state, new } = self.seen[idx];
            if !new && self.order.meets(&mut frame.mark, state) {
                n_matched += 1;
            } else {
                *count_before(&mut self.pending[base..], frame) = n_matched;
                n_matched = 0;
                self.pending.push(Pending { state: Some(state), n_matched: 0 });
                if sleep {
                    self.asleep.push(self.batch.asleep(idx));
                }
            }
        }
        *count_before(&mut self.pending[base..], frame) = n_matched;
        frame.n_pending = (self.pending.len() - base) as u32;
        Ok(())
    }

    /// The next state to open, or `None` if the search is exhausted.
    #[inline]
    fn advance(&mut self) -> Result<Option<(StateRef, Asleep)>, Stop> {
        while let Some(frame) = self.frames.last_mut() {
            if frame.n_pending == 0 {
                self.counts.matched += u64::from(frame.n_matched);
                let state = frame.state;
                self.control.heed(self.observer.close(state))?;
                R::leave(self, state)?;
                self.frames.pop();
                continue;
            }
            frame.n_pending -= 1;
            let Pending { state, n_matched } = self.pending.pop().expect("frames count their entries");
            let asleep = if R::SLEEPS { self.asleep.pop().unwrap_or_default() } else { Asleep::NONE };
            self.counts.matched += u64::from(n_matched);
            let Some(state) = state else {
                let violation = self.violations.pop().expect("it was put here with its entry");
                return Err(self.end_with(&violation));
            };
            if self.order.meets(&mut frame.mark, state) {
                self.counts.matched += 1;
                R::act(self)?;
                continue;
            }
            self.control.check_states(0, self.counts.states, 1)?;
            self.counts.states += 1;
            return Ok(Some((state, asleep)));
        }
        Ok(None)
    }

    /// Notes the violations in the batch if the search goes on after errors. Otherwise ends the search,
    /// unless the violation happens during a step that the search has not reached yet.
    #[cold]
    fn meet_violations(&mut self) -> Result<(), Stop> {
        if self.all_errors {
            for violation in self.batch.violations() {
                self.note(violation);
            }
            return Ok(());
        }
        match self.batch.violations().iter().find(|violation| self.reduce || violation.key.is_none()) {
            Some(violation) => Err(self.end_with(violation)),
            None => Ok(()),
        }
    }

    #[cold]
    fn end_with(&self, violation: &Violation) -> Stop {
        self.note(violation);
        self.control.stop(Reason::Violation)
    }

    /// Stops the search because the expansion of the current state halted.
    #[cold]
    pub(crate) fn fail(&self, halt: Halt) -> Stop {
        self.control.stop(self.ledger.note_halt(halt, || Some(R::trace(self.way()))))
    }

    fn note(&self, violation: &Violation) {
        // While the stack is empty, the violation is in the initial state.
        let at = self.frames.last().map_or_else(|| self.seen[0].state, |frame| frame.state);
        self.observer.violation(At::Stored(at), violation);
        self.ledger.note(violation, self.frames.len() as u64, || R::trace(self.way()));
    }

    /// Notes a cycle that the search has closed at a state, and ends the search unless it goes on after
    /// errors.
    #[cold]
    pub(crate) fn note_cycle(&mut self, at: StateRef, length: u64, trace: R::Trace) -> Result<(), Stop> {
        let violation = crate::lasso::acceptance_cycle();
        self.observer.violation(At::Stored(at), &violation);
        self.ledger.note(&violation, length, || trace);
        if self.all_errors { Ok(()) } else { Err(self.control.stop(Reason::Violation)) }
    }

    /// The states that were not opened, of many a part.
    fn unopened(&self) -> Vec<StateRef> {
        let stride = self.pending.len().div_ceil(MOST_DRAWN).max(1);
        let some = self.pending.iter().step_by(stride).filter_map(|pending| pending.state);
        some.filter(|&state| !self.order.is_open(state)).collect()
    }

    /// The states on the stack, and those beyond.
    pub(crate) fn way(&self) -> Vec<StateRef> {
        self.frames.iter().map(|frame| frame.state).chain(self.order.beyond()).collect()
    }

    /// Charges the budget for the growth of the stack, if any.
    #[inline]
    pub(crate) fn charge_stack(&mut self) -> Result<(), Stop> {
        let frame_bytes = self.frames.capacity() * size_of::<StackEntry<R::Mark>>();
        let asleep_bytes = self.asleep.capacity() * size_of::<Asleep>();
        let pending_bytes = self.pending.capacity() * size_of::<Pending>();
        let bytes = frame_bytes + asleep_bytes + pending_bytes + self.order.bytes();
        self.control.afford(self.charge.cover(bytes as u64))
    }
}

/// The counter for matched successors that come before the entry pushed last.
#[inline]
fn count_before<'a, M>(pending: &'a mut [Pending], frame: &'a mut StackEntry<M>) -> &'a mut u32 {
    match pending.last_mut() {
        Some(later) => &mut later.n_matched,
        None => &mut frame.n_matched,
    }
}
