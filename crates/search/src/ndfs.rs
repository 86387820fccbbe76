//! Nested depth-first search for a cycle through an accepting state, by one worker.
//!
//! The algorithm is that of S. Schwoon and J. Esparza, "A note on on-the-fly verification algorithms" (TACAS 2005). An *outer*
//! search goes through all states as `dfs` does, in the same order and with the same counts. A state is white, then cyan
//! while it is on the outer stack, and at last blue or red. When the outer search leaves an accepting state, an *inner* search goes
//! from there through blue states and makes them red; if it meets a cyan state it has closed a cycle, because from every cyan
//! state the stack leads to the accepting one. Two short cuts: an edge from the outer search's state back into the stack is seen
//! when that state is expanded, and is a cycle at once if one of its ends is accepting; and a state with red
//! successors only becomes red without an inner search.
//!
//! Why it is right. A reported cycle is one, made of the two stacks. Conversely, as long as nothing is reported:
//! - A state is left only when its successors are opened, so a blue state leads to no white one, and an accepting state is
//!   never blue: it becomes red when it is left.
//! - No state of an accepting cycle becomes red. Take the first that does. Not by having red successors only: the next on the
//!   cycle would have been red before it. So by an inner search, which then goes around the whole cycle, of which
//!   nothing was red when it began. If a state of the cycle is cyan, that is reported. If none is, all are blue; but one is
//!   accepting.
//!
//! At the end all accepting states are red, so none of them is on a cycle.
//!
//! With [`Acceptance::Weak`] the inner search is not needed: a cycle is as a whole accepting or not, and in every set of
//! states that lead to each other some edge leads back into the stack and closes a cycle inside the set.
//!
//! With [`Config::reduce`], both searches must see the same graph (Holzmann, Peled and Yannakakis, "On nested depth
//! first search", 1996), so a flag says which states were expanded as a whole; the others were expanded by the first
//! round of [`Cursor::expand_some`] that gave a successor. For a property without a next operator the reduced graph is as
//! good as the whole one if each of its *cycles* has a state that is expanded as a whole (Peled, "Combining partial
//! order reductions with on-the-fly model-checking", 1996). What `dfs` asks for, that one step leads out of the stack, is too
//! little here: a process that can go round for ever, or come to its end, would be let do both before anybody else
//! moves, and the run in which another moves first and it goes round afterwards would be lost. So a state is expanded as
//! a whole if one of its reduced successors is on the stack and is not expanded as a whole itself. That suffices: take a
//! cycle of the reduced graph, its state `t` that is opened first, and the state `s` before `t` on the cycle. When `t` is
//! opened all others are white, so `s` is opened while `t` is on the stack, and one of the two is whole. What
//! is left to the model is that its sets are persistent and that the property does not see their steps.
//!
//! After an accepting cycle was found, a search that goes on after errors looks for no other, because nobody can say how many
//! there are: it counts the rest of the graph and the violations of other kinds. The depth limit cuts the outer search; the
//! inner one goes only where the outer one was.

use crate::charge::Charge;
use crate::control::{Control, Counts, Reason, Stop};
use crate::dfs::dfs;
use crate::lasso::{Way, acceptance_cycle, found};
use crate::ledger::Ledger;
use crate::observer::{At, Expanded, Steps, ended, insert_again};
use crate::outcome::{Remains, finish};
use crate::subject::Subject;
use crate::{Config, Observer, Outcome};
use allways_model::{Acceptance, Batch, Cursor, Halt, Model, Violation};
use allways_store::marks::Flags;
use allways_store::{Recall, Seen, StateRef, Writer};

/// The colours; white is none of them.
const COLOUR: u8 = 3;
const CYAN: u8 = 1;
const BLUE: u8 = 2;
const RED: u8 = 3;
/// The state is accepting.
const ACCEPTING: u8 = 4;
/// Nothing was left out when the state was expanded.
const WHOLE: u8 = 8;

/// Visits all states of `model`, deepest first, and finds a cycle through an accepting state if there is one. There is one
/// worker, whatever the configuration says, unless there are no accepting states: then it is [`dfs`](crate::dfs()).
pub fn ndfs<S: Recall, O: Observer>(
    model: &dyn Model,
    store: &S,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    let acceptance = model.acceptance();
    if acceptance == Acceptance::Nowhere {
        return dfs(model, store, observer, config);
    }
    let config = &Config { workers: 1, ..*config };
    let subject = Subject::new(model, config.lessons);
    let control = Control::new(config, store.budget());
    let ledger = Ledger::new(config.all_errors, config.max_findings);
    let (all_errors, reduce) = (config.all_errors, config.reduce);
    let max_depth = config.limits.depth.unwrap_or(u64::MAX);
    let mut results = control.run(config, |_| {
        let mut search = Ndfs {
            store,
            observer,
            control: &control,
            ledger: &ledger,
            all_errors,
            reduce,
            weak: acceptance == Acceptance::Weak,
            max_depth,
            hunting: true,
            cursor: subject.cursor(),
            writer: store.writer(),
            batch: Batch::new(),
            seen: Vec::new(),
            flags: Flags::new(store.budget()),
            frames: Vec::new(),
            pending: Vec::new(),
            violations: Vec::new(),
            inner: Vec::new(),
            inner_pending: Vec::new(),
            counts: Counts::default(),
            charge: Charge::new(store.budget()),
            cut: false,
        };
        // Whatever the reason to stop, the control knows it.
        let (Ok(()) | Err(Stop)) = search.run();
        (Remains::new(search.counts, &*search.cursor), search.cut)
    });
    let (remains, cut) = results.pop().expect("there is one worker");
    let found = found(subject, store, ledger.into_entries(), cut);
    ended(observer, finish(&control, store, &[remains], found))
}

/// A state on the outer stack.
struct Frame {
    state: StateRef,
    /// How many entries of `pending` are its own.
    n_pending: u32,
    /// How many of its successors, after the last that is pending, were open when it was expanded.
    n_matched: u32,
    /// Whether all successors seen so far are red.
    all_red: bool,
}

/// What the outer search will come to, when everything above it on the stack is done.
struct Pending {
    /// A successor; none for a violation during the step, the last of `violations`.
    state: Option<StateRef>,
    /// How many successors before it, and after the one pending before, were open when the state was expanded.
    n_matched: u32,
}

/// A state on the inner stack.
struct InnerFrame {
    state: StateRef,
    /// How many entries of `inner_pending` are its own.
    n_pending: u32,
}

struct Ndfs<'a, S: Recall + 'a, O> {
    store: &'a S,
    observer: &'a O,
    control: &'a Control,
    ledger: &'a Ledger<Way>,
    all_errors: bool,
    reduce: bool,
    weak: bool,
    max_depth: u64,
    /// Whether no cycle was found yet.
    hunting: bool,
    cursor: Box<dyn Cursor + 'a>,
    writer: S::Writer<'a>,
    batch: Batch,
    seen: Vec<Seen>,
    flags: Flags,
    frames: Vec<Frame>,
    pending: Vec<Pending>,
    violations: Vec<Violation>,
    inner: Vec<InnerFrame>,
    inner_pending: Vec<StateRef>,
    counts: Counts,
    charge: Charge,
    /// Whether a path was cut off at the depth limit.
    cut: bool,
}

impl<S: Recall, O: Observer> Ndfs<'_, S, O> {
    fn run(&mut self) -> Result<(), Stop> {
        let mut next = Some(self.begin()?);
        while let Some(state) = next {
            self.enter(state)?;
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

    /// Puts a white state on the outer stack, with everything that can happen in it.
    fn enter(&mut self, state: StateRef) -> Result<(), Stop> {
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
        self.frames.push(Frame { state, n_pending: 0, n_matched: 0, all_red: true });
        self.cursor.load(vector);
        let accepting = if self.hunting && self.cursor.accepting() { ACCEPTING } else { 0 };
        let set = self.flags.set_mut(state, CYAN | accepting);
        self.control.afford(set)?;
        let reduced = self.reduce && depth < self.max_depth;
        let mut how = Expanded::Whole;
        let halt = if reduced {
            let (expanded, halt) = self.expand_enough(state)?;
            how = expanded;
            halt
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
            if depth >= self.max_depth && !self.batch.is_empty() {
                self.cut = true;
                how = Expanded::Cut;
                self.batch.truncate(0);
            }
            let stored = self.writer.insert(&mut self.batch, &mut self.seen);
            self.control.afford(stored)?;
        }
        self.schedule(accepting, how)?;
        self.charge_stacks()
    }

    /// Expands a state, as a whole if a step leads to a state on the stack that is not expanded as a whole, and stores what that
    /// gives.
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
            if complete {
                let set = self.flags.set_mut(state, self.flags.get(state) | WHOLE);
                self.control.afford(set)?;
                return Ok((Expanded::Whole, halt));
            }
            let closes = |seen: &Seen| self.flags.get(seen.state) & (COLOUR | WHOLE) == CYAN;
            if !self.seen.is_empty() && !self.seen.iter().any(closes) {
                return Ok((Expanded::Part, None));
            }
            self.writer.open(state, 0);
        }
    }

    /// Puts on the outer stack what is to be done for the state on its top, first things last.
    #[inline]
    fn schedule(&mut self, accepting: u8, how: Expanded) -> Result<(), Stop> {
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
            self.violations.push(violation.clone());
        }
        if self.observer.watches() {
            let how = if n_successors < self.seen.len() { Expanded::Cut } else { how };
            let steps = Steps::new(&self.batch, &self.seen, 0..n_successors, self.batch.n_known());
            self.control.heed(self.observer.steps(frame.state, &steps, how))?;
        }
        let mut n_matched = 0;
        let mut closing = None;
        for idx in (0..n_successors).rev() {
            let Seen { state, new } = self.seen[idx];
            let flags = if new { 0 } else { self.flags.get(state) };
            if flags & COLOUR == 0 {
                *count_before(&mut self.pending[base..], frame) = n_matched;
                n_matched = 0;
                self.pending.push(Pending { state: Some(state), n_matched: 0 });
                continue;
            }
            n_matched += 1;
            frame.all_red &= flags & COLOUR == RED;
            if flags & COLOUR == CYAN && (flags | accepting) & ACCEPTING != 0 {
                closing = Some(state);
            }
        }
        *count_before(&mut self.pending[base..], frame) = n_matched;
        frame.n_pending = (self.pending.len() - base) as u32;
        match closing.filter(|_| self.hunting) {
            Some(state) => self.report_cycle(state),
            None => Ok(()),
        }
    }

    /// Goes on to the next state that is to be opened; none if the search is exhausted.
    #[inline]
    fn advance(&mut self) -> Result<Option<StateRef>, Stop> {
        while let Some(frame) = self.frames.last_mut() {
            if frame.n_pending == 0 {
                self.counts.matched += u64::from(frame.n_matched);
                self.leave()?;
                continue;
            }
            frame.n_pending -= 1;
            let Pending { state, n_matched } = self.pending.pop().expect("frames count their entries");
            self.counts.matched += u64::from(n_matched);
            let Some(state) = state else {
                let violation = self.violations.pop().expect("it was put here with its entry");
                return Err(self.end_with(&violation));
            };
            let colour = self.flags.get(state) & COLOUR;
            if colour != 0 {
                frame.all_red &= colour == RED;
                self.counts.matched += 1;
                continue;
            }
            self.control.check_states(0, self.counts.states, 1)?;
            self.counts.states += 1;
            return Ok(Some(state));
        }
        Ok(None)
    }

    /// Takes the state on top of the outer stack away, and gives it its last colour but one.
    #[inline]
    fn leave(&mut self) -> Result<(), Stop> {
        let &Frame { state, all_red, .. } = self.frames.last().expect("a state is left once");
        self.control.heed(self.observer.close(state))?;
        let flags = self.flags.get(state);
        let mut red = all_red;
        if !all_red && flags & ACCEPTING != 0 && self.hunting && !self.weak {
            self.search_inside(state)?;
            red = true;
        }
        let set = self.flags.set_mut(state, flags & !COLOUR | if red { RED } else { BLUE });
        self.control.afford(set)?;
        self.frames.pop();
        if let Some(parent) = self.frames.last_mut() {
            parent.all_red &= red;
        }
        Ok(())
    }

    /// The inner search: makes red what `seed` leads to, unless that is a cycle.
    fn search_inside(&mut self, seed: StateRef) -> Result<(), Stop> {
        let mut next = Some(seed);
        while let Some(state) = next {
            if let Some(cyan) = self.enter_inside(state)? {
                self.report_cycle(cyan)?;
                self.inner.clear();
                self.inner_pending.clear();
                return Ok(());
            }
            next = self.advance_inside()?;
        }
        Ok(())
    }

    /// Puts a state on the inner stack; gives a successor that is on the outer one, if there is one.
    fn enter_inside(&mut self, state: StateRef) -> Result<Option<StateRef>, Stop> {
        if self.control.stopped() {
            return Err(Stop);
        }
        self.batch.clear();
        self.cursor.load(self.writer.open(state, 0));
        let whole = !self.reduce || self.flags.get(state) & WHOLE != 0;
        let expanded = expand_as_before(&mut *self.cursor, whole, &mut self.batch);
        let stored = self.writer.insert(&mut self.batch, &mut self.seen);
        self.control.afford(stored)?;
        let base = self.inner_pending.len();
        for seen in self.seen.iter().rev() {
            match self.flags.get(seen.state) & COLOUR {
                CYAN => {
                    self.inner.push(InnerFrame { state, n_pending: 0 });
                    return Ok(Some(seen.state));
                }
                BLUE => self.inner_pending.push(seen.state),
                _ => {}
            }
        }
        self.inner.push(InnerFrame { state, n_pending: (self.inner_pending.len() - base) as u32 });
        if let Err(halt) = expanded {
            return Err(self.fail(halt));
        }
        self.charge_stacks()?;
        Ok(None)
    }

    /// Goes on to the next state that is to be made red.
    #[inline]
    fn advance_inside(&mut self) -> Result<Option<StateRef>, Stop> {
        while let Some(frame) = self.inner.last_mut() {
            if frame.n_pending == 0 {
                self.inner.pop();
                continue;
            }
            frame.n_pending -= 1;
            let state = self.inner_pending.pop().expect("frames count their entries");
            let flags = self.flags.get(state);
            if flags & COLOUR == BLUE {
                let set = self.flags.set_mut(state, flags | RED);
                self.control.afford(set)?;
                return Ok(Some(state));
            }
        }
        Ok(None)
    }

    /// The step after both stacks leads back to `cyan`, on the outer one.
    #[cold]
    fn report_cycle(&mut self, cyan: StateRef) -> Result<(), Stop> {
        let mut states = self.way();
        states.push(cyan);
        let length = states.len() as u64 - 1;
        let violation = acceptance_cycle();
        self.observer.violation(At::Stored(cyan), &violation);
        self.ledger.note(&violation, length, || Way::closed(states));
        self.hunting = false;
        if self.all_errors { Ok(()) } else { Err(self.control.stop(Reason::Violation)) }
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
        self.control.stop(self.ledger.note_halt(halt, || Some(Way::straight(self.way()))))
    }

    fn note(&self, violation: &Violation) {
        // Before there is a stack there is the initial state.
        let at = self.frames.last().map_or_else(|| self.seen[0].state, |frame| frame.state);
        self.observer.violation(At::Stored(at), violation);
        let length = self.frames.len() as u64;
        self.ledger.note(violation, length, || Way::straight(self.way()));
    }

    /// The states on both stacks; the inner one begins with the last state of the outer one.
    fn way(&self) -> Vec<StateRef> {
        let inner = self.inner.iter().skip(1).map(|frame| frame.state);
        self.frames.iter().map(|frame| frame.state).chain(inner).collect()
    }

    /// Charges the budget for the stacks, which have grown or have not.
    #[inline]
    fn charge_stacks(&mut self) -> Result<(), Stop> {
        let outer =
            self.frames.capacity() * size_of::<Frame>() + self.pending.capacity() * size_of::<Pending>();
        let inner = self.inner.capacity() * size_of::<InnerFrame>()
            + self.inner_pending.capacity() * size_of::<StateRef>();
        self.control.afford(self.charge.cover((outer + inner) as u64))
    }
}

/// Expands the loaded state once more: as a whole, or by the first round that gives a successor. Gives whether that is
/// everything.
pub(crate) fn expand_as_before(
    cursor: &mut dyn Cursor,
    whole: bool,
    batch: &mut Batch,
) -> Result<bool, Halt> {
    if whole {
        return cursor.expand(batch).map(|()| true);
    }
    let n_before = batch.len();
    loop {
        let complete = cursor.expand_some(batch)?;
        if complete || batch.len() > n_before {
            return Ok(complete);
        }
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
