//! Depth-first search by one worker, in the order of the textbook and of SPIN.
//!
//! All successors of a state are stored at once, for speed, when the state is expanded; but a state counts as
//! visited only when the search, going depth first through successors in order, *opens* it, and a side table of
//! one bit per state says whether that has happened. So order and counts, also those at a first violation, are
//! those of a search that stores one successor at a time. A violation during a step is met when the search gets
//! to that step: after all that lies behind earlier steps, before the step's own successor.
//!
//! The stack is flat and holds nothing but references to states and a few counts: twelve bytes for a state on the
//! path and eight for a successor yet to be opened. Successors that were open already when their state was
//! expanded take no room at all: the next one that was not carries their number. The stack is also the trace, so
//! no table of predecessors is needed. With several workers, see `dfs_shared`.
//!
//! With [`Config::reduce`], a state is expanded only as far as its cursor says is enough, and further only if all that gives
//! leads back into the stack. So from every state that is not expanded as a whole, one step at least leads to a state that
//! is closed before it: no step can be put off for ever, by induction over the order in which states are closed. An open bit
//! without a closed bit means that a state is on the stack. Then the search ends at the first violation that it sees.

use crate::charge::Charge;
use crate::control::{Control, Counts, Reason, Stop};
use crate::dfs_shared::dfs_shared;
use crate::ledger::Ledger;
use crate::observer::{At, Expanded, Steps, ended, insert_again};
use crate::outcome::{Remains, finish};
use crate::subject::Subject;
use crate::{Config, Observer, Outcome, trail};
use allways_model::{Asleep, Batch, Cursor, Halt, Model, Violation};
use allways_store::marks::Bits;
use allways_store::{Recall, Seen, StateRef, Writer};

/// Visits all states of `model`, deepest first.
pub fn dfs<S: Recall, O: Observer>(
    model: &dyn Model,
    store: &S,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    if config.workers > 1 {
        return dfs_shared(model, store, observer, config);
    }
    let subject = Subject::new(model, config.lessons);
    let control = Control::new(config, store.budget());
    let ledger = Ledger::new(config.all_errors, config.max_findings);
    let max_depth = config.limits.depth.unwrap_or(u64::MAX);
    let (all_errors, reduce) = (config.all_errors, config.reduce);
    let sleep = config.lets_sleep(model);
    let mut results = control.run(config, |_| {
        let mut search = Dfs {
            store,
            observer,
            control: &control,
            ledger: &ledger,
            all_errors,
            reduce,
            sleep,
            max_depth,
            cursor: subject.cursor(),
            writer: store.writer(),
            batch: Batch::new(),
            seen: Vec::new(),
            opened: Bits::new(store.budget()),
            closed: Bits::new(store.budget()),
            frames: Vec::new(),
            pending: Vec::new(),
            asleep: Vec::new(),
            violations: Vec::new(),
            counts: Counts::default(),
            charge: Charge::new(store.budget()),
            cut: false,
        };
        // Whatever the reason to stop, the control knows it.
        let (Ok(()) | Err(Stop)) = search.run();
        (Remains::new(search.counts, &*search.cursor), search.cut)
    });
    let (remains, cut) = results.pop().expect("there is one worker");
    let path =
        |way: Option<Vec<StateRef>>, last| trail::path_along(subject, store, &way.unwrap_or_default(), last);
    let found = ledger.into_found(cut, path);
    ended(observer, finish(&control, store, &[remains], found))
}

/// A state on the stack.
struct Frame {
    state: StateRef,
    /// How many entries of `pending` are its own.
    n_pending: u32,
    /// How many of its successors, after the last that is pending, were open when it was expanded.
    n_matched: u32,
}

/// What the search will come to, when everything above it on the stack is done.
struct Pending {
    /// A successor; none for a violation during the step, the last of `violations`.
    state: Option<StateRef>,
    /// How many successors before it, and after the one pending before, were open when the state was expanded.
    n_matched: u32,
}

struct Dfs<'a, S: Recall + 'a, O> {
    store: &'a S,
    observer: &'a O,
    control: &'a Control,
    ledger: &'a Ledger<Vec<StateRef>>,
    all_errors: bool,
    reduce: bool,
    sleep: bool,
    max_depth: u64,
    cursor: Box<dyn Cursor + 'a>,
    writer: S::Writer<'a>,
    batch: Batch,
    seen: Vec<Seen>,
    opened: Bits,
    /// Kept only if steps are left out.
    closed: Bits,
    frames: Vec<Frame>,
    pending: Vec<Pending>,
    /// Who sleeps in each of those, if anybody ever does.
    asleep: Vec<Asleep>,
    violations: Vec<Violation>,
    counts: Counts,
    /// For the stack.
    charge: Charge,
    /// Whether a path was cut off at the depth limit.
    cut: bool,
}

impl<S: Recall, O: Observer> Dfs<'_, S, O> {
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
        self.control.afford(self.opened.insert_mut(initial))?;
        self.counts.states = 1;
        if let Some(violation) = self.batch.violations().first().filter(|_| !self.all_errors) {
            return Err(self.end_with(violation));
        }
        self.meet_violations()?;
        Ok(initial)
    }

    /// Puts a state that was just opened on the stack, with everything that can happen in it.
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
        self.frames.push(Frame { state, n_pending: 0, n_matched: 0 });
        self.cursor.load(vector);
        let reduced = self.reduce && depth < self.max_depth;
        let mut how = Expanded::Whole;
        let halt = if reduced {
            let (expanded, halt) = self.expand_enough(state)?;
            how = expanded;
            halt
        } else if self.sleep {
            self.cursor.expand_awake(asleep, &mut self.batch).err()
        } else {
            self.cursor.expand(&mut self.batch).err()
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
            self.counts.matched += self.batch.n_known();
            let stored = self.writer.insert(&mut self.batch, &mut self.seen);
            self.control.afford(stored)?;
        }
        self.schedule(how)?;
        self.charge_stack()
    }

    /// Expands as much of a state as it takes for one step at least to lead out of the stack, and stores what that gives.
    fn expand_enough(&mut self, state: StateRef) -> Result<(Expanded, Option<Halt>), Stop> {
        self.seen.clear();
        loop {
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
            let leads_out =
                |seen: &Seen| !self.opened.contains(seen.state) || self.closed.contains(seen.state);
            if complete || self.seen.iter().any(leads_out) {
                return Ok((if complete { Expanded::Whole } else { Expanded::Part }, halt));
            }
            self.writer.open(state, 0);
        }
    }

    /// Puts on the stack what is to be done for the state on its top, first things last.
    #[inline]
    fn schedule(&mut self, how: Expanded) -> Result<(), Stop> {
        let frame = self.frames.last_mut().expect("a state was just entered");
        let base = self.pending.len();
        let mut n_successors = self.seen.len();
        if !self.all_errors
            && let Some(violation) = self.batch.violations().first()
        {
            // The search will end there, and not get to what comes after.
            let key = violation.key.expect("a violation of the state itself has ended the search");
            n_successors = self.batch.entries().partition_point(|entry| entry.key < key);
            self.pending.push(Pending { state: None, n_matched: 0 });
            if self.sleep {
                self.asleep.push(Asleep::NONE);
            }
            self.violations.push(violation.clone());
        }
        if self.observer.watches() {
            let how = if n_successors < self.seen.len() { Expanded::Cut } else { how };
            let steps = Steps::new(&self.batch, &self.seen, 0..n_successors, self.batch.n_known());
            self.control.heed(self.observer.steps(frame.state, &steps, how))?;
        }
        let mut n_matched = 0;
        for idx in (0..n_successors).rev() {
            let Seen { state, new } = self.seen[idx];
            if !new && self.opened.contains(state) {
                n_matched += 1;
            } else {
                *count_before(&mut self.pending[base..], frame) = n_matched;
                n_matched = 0;
                self.pending.push(Pending { state: Some(state), n_matched: 0 });
                if self.sleep {
                    self.asleep.push(self.batch.asleep(idx));
                }
            }
        }
        *count_before(&mut self.pending[base..], frame) = n_matched;
        frame.n_pending = (self.pending.len() - base) as u32;
        Ok(())
    }

    /// Goes on to the next state that is to be opened; none if the search is exhausted.
    #[inline]
    fn advance(&mut self) -> Result<Option<(StateRef, Asleep)>, Stop> {
        while let Some(frame) = self.frames.last_mut() {
            if frame.n_pending == 0 {
                self.counts.matched += u64::from(frame.n_matched);
                self.control.heed(self.observer.close(frame.state))?;
                if self.reduce {
                    self.control.afford(self.closed.insert_mut(frame.state))?;
                }
                self.frames.pop();
                continue;
            }
            frame.n_pending -= 1;
            let Pending { state, n_matched } = self.pending.pop().expect("frames count their entries");
            let asleep = self.asleep.pop().unwrap_or_default();
            self.counts.matched += u64::from(n_matched);
            let Some(state) = state else {
                let violation = self.violations.pop().expect("it was put here with its entry");
                return Err(self.end_with(&violation));
            };
            if self.opened.contains(state) {
                self.counts.matched += 1;
                continue;
            }
            self.control.check_states(0, self.counts.states, 1)?;
            self.control.afford(self.opened.insert_mut(state))?;
            self.counts.states += 1;
            return Ok(Some((state, asleep)));
        }
        Ok(None)
    }

    /// Notes the violations in the batch, if the search goes on after errors; else ends it, unless they happen
    /// during steps that the search has yet to come to.
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

    #[cold]
    fn fail(&self, halt: Halt) -> Stop {
        self.control.stop(self.ledger.note_halt(halt, || Some(self.way())))
    }

    fn note(&self, violation: &Violation) {
        // Before there is a stack there is the initial state.
        let at = self.frames.last().map_or_else(|| self.seen[0].state, |frame| frame.state);
        self.observer.violation(At::Stored(at), violation);
        let length = self.frames.len() as u64;
        self.ledger.note(violation, length, || self.way());
    }

    /// The states on the stack.
    fn way(&self) -> Vec<StateRef> {
        self.frames.iter().map(|frame| frame.state).collect()
    }

    /// Charges the budget for the stack, which has grown or has not.
    #[inline]
    fn charge_stack(&mut self) -> Result<(), Stop> {
        let frame_bytes = self.frames.capacity() * size_of::<Frame>();
        let asleep_bytes = self.asleep.capacity() * size_of::<Asleep>();
        let bytes = (frame_bytes + asleep_bytes + self.pending.capacity() * size_of::<Pending>()) as u64;
        self.control.afford(self.charge.cover(bytes))
    }
}

/// Where the number of matched successors belongs that come before what was put on the stack last.
#[inline]
fn count_before<'a>(pending: &'a mut [Pending], frame: &'a mut Frame) -> &'a mut u32 {
    match pending.last_mut() {
        Some(later) => &mut later.n_matched,
        None => &mut frame.n_matched,
    }
}
