//! Nested depth-first search for a cycle through an accepting state, by one worker.
//!
//! The algorithm is that of S. Schwoon and J. Esparza, "A note on on-the-fly verification algorithms" (TACAS
//! 2005). An *outer* search visits all states as `dfs` does, in the same order and with the same counts. A
//! state is white at first, cyan while it is on the outer stack, and finally blue or red. When the outer
//! search leaves an accepting state, an *inner* search starts there, follows edges to blue states and makes
//! these red. If it meets a cyan state it has closed a cycle, because from every cyan state the stack leads
//! to the accepting one. There are two short cuts. An edge from the top of the outer stack back into the
//! stack is seen when the top is expanded, and is reported at once if one of its ends is accepting. And a
//! state all of whose successors are red becomes red without an inner search.
//!
//! Correctness. A reported cycle exists: it consists of parts of the two stacks. Conversely, as long as no
//! cycle is reported:
//! - A state is left only after its successors have been opened, so a blue state has no white successor. An
//!   accepting state is never blue: it becomes red when it is left.
//! - No state of an accepting cycle becomes red. Assume the contrary, and take the first state of the cycle
//!   that does. It does not become red because all its successors are red: then the next state of the cycle
//!   would have been red before it. So an inner search makes it red. No state of the cycle was red when this
//!   inner search began, so it follows the cycle from this state on, through blue states. If a state of the
//!   cycle is cyan, it meets one and reports a cycle, a contradiction. If none is cyan, none is white either,
//!   because the states follow blue ones, so all are blue; but one of them is accepting, and accepting states
//!   are never blue.
//!
//! At the end all accepting states are red, so none of them is on a cycle.
//!
//! With [`Acceptance::Weak`] the inner search is not needed. The states of a cycle are all accepting or all
//! not accepting, and in every strongly connected set with a cycle, some edge leads back into the stack and
//! closes a cycle inside the set. The first short cut reports it.
//!
//! With [`Config::reduce`], both searches must see the same graph (Holzmann, Peled and Yannakakis, "On nested
//! depth first search", 1996). So a flag records which states were expanded as a whole; the others were
//! expanded by the first round of [`Cursor::expand_some`] that gave a successor. For a property without a
//! next operator, the reduced graph has an accepting cycle if the whole graph has one, provided that each
//! *cycle* of the reduced graph has a state that is expanded as a whole (Peled, "Combining partial order
//! reductions with on-the-fly model-checking", 1996). The proviso of `dfs`, that at least one step leads out
//! of the stack, is too weak here. Consider a process that can either loop infinitely or terminate. Both of
//! its steps could be taken before any other process moves, and one of them leads out of the stack; then the
//! run in which another process moves first, and this one loops afterwards, would be lost. So a state is
//! expanded as a whole if one of its reduced successors is on the stack and is not expanded as a whole
//! itself. This suffices: take a cycle of the reduced graph, its state `t` that is opened first, and the
//! state `s` before `t` on the cycle. When `t` is opened, all other states of the cycle are white, so `s` is
//! opened while `t` is on the stack. When `s` is expanded, it sees `t` on the stack, so `t` is expanded as a
//! whole or `s` is. The model must guarantee the rest: that its sets are persistent and that the property
//! does not observe their steps.
//!
//! After it has found an accepting cycle, a search that continues after errors does not search for another
//! one, because a count of cycles would be meaningless; it only counts the rest of the graph and other
//! violations. The depth limit cuts the outer search. The inner search visits only states that the outer one
//! has visited.

use crate::control::Stop;
use crate::depth_first::{DepthFirst, DepthFirstResult, SearchOrder, depth_first};
use crate::dfs::dfs;
use crate::lasso::{StatePath, found};
use crate::observer::ended;
use crate::outcome::finish;
use crate::subject::Subject;
use crate::{Config, Observer, Outcome};
use allways_model::{Acceptance, Batch, Cursor, Halt, Model};
use allways_store::marks::Flags;
use allways_store::{Full, Recall, Seen, StateRef, Writer};

/// The bits of the colour. White is zero.
const COLOUR: u8 = 3;
const CYAN: u8 = 1;
const BLUE: u8 = 2;
const RED: u8 = 3;
/// The state is accepting.
const ACCEPTING: u8 = 4;
/// The state was expanded as a whole.
const WHOLE: u8 = 8;

/// Visits all states of `model` depth first, and finds a cycle through an accepting state if there is one.
/// Runs with one worker, whatever the configuration says. If the model has no accepting states, it runs
/// [`dfs`](crate::dfs()) instead.
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
    let order = || Colours {
        weak: acceptance == Acceptance::Weak,
        hunting: true,
        flags: Flags::new(store.budget()),
        accepting: 0,
        closing: None,
        inner: Vec::new(),
        inner_pending: Vec::new(),
    };
    let DepthFirstResult { control, entries, worker_result, cut, .. } =
        depth_first(model, store, observer, config, order);
    let found = found(Subject::new(model, config.lessons), store, entries, cut);
    ended(observer, finish(&control, store, &[worker_result], found))
}

/// A state on the inner stack.
struct InnerFrame {
    state: StateRef,
    /// The number of its entries in `inner_pending`.
    n_pending: u32,
}

/// The colours of states, and the inner search.
struct Colours {
    weak: bool,
    /// Whether the search for a cycle continues, because none has been found yet.
    hunting: bool,
    flags: Flags,
    /// [`ACCEPTING`] if the top of the outer stack is accepting, otherwise zero.
    accepting: u8,
    /// A state on the outer stack to which the top leads, if one of the two is accepting.
    closing: Option<StateRef>,
    inner: Vec<InnerFrame>,
    inner_pending: Vec<StateRef>,
}

impl SearchOrder for Colours {
    /// Whether all successors seen so far are red.
    type Mark = bool;
    type Trace = StatePath;
    const SLEEPS: bool = false;

    fn trace(stack: Vec<StateRef>) -> StatePath {
        StatePath::straight(stack)
    }

    #[inline]
    fn open(&mut self, state: StateRef, cursor: &mut dyn Cursor, _: bool) -> Result<bool, Full> {
        self.accepting = if self.hunting && cursor.accepting() { ACCEPTING } else { 0 };
        self.flags.set_mut(state, CYAN | self.accepting)?;
        Ok(true)
    }

    #[inline]
    fn meets(&mut self, all_red: &mut bool, state: StateRef) -> bool {
        let flags = self.flags.get(state);
        if flags & COLOUR == 0 {
            return false;
        }
        *all_red &= flags & COLOUR == RED;
        if flags & COLOUR == CYAN && (flags | self.accepting) & ACCEPTING != 0 {
            self.closing = Some(state);
        }
        true
    }

    /// A state is expanded as a whole if a step leads to a state on the stack that is not expanded as a
    /// whole.
    fn suffices(&mut self, state: StateRef, seen: &[Seen], complete: bool) -> Result<bool, Full> {
        if complete {
            self.flags.set_mut(state, self.flags.get(state) | WHOLE)?;
            return Ok(true);
        }
        let closes = |seen: &Seen| self.flags.get(seen.state) & (COLOUR | WHOLE) == CYAN;
        Ok(!seen.is_empty() && !seen.iter().any(closes))
    }

    fn bytes(&self) -> usize {
        self.inner.capacity() * size_of::<InnerFrame>()
            + self.inner_pending.capacity() * size_of::<StateRef>()
    }

    #[inline]
    fn act<S: Recall, O: Observer>(search: &mut DepthFirst<'_, S, O, Self>) -> Result<(), Stop> {
        match search.order.closing.take().filter(|_| search.order.hunting) {
            Some(state) => search.report_cycle(state),
            None => Ok(()),
        }
    }

    /// Makes a state blue or red, after an inner search if one is needed.
    #[inline]
    fn leave<S: Recall, O: Observer>(
        search: &mut DepthFirst<'_, S, O, Self>,
        state: StateRef,
    ) -> Result<(), Stop> {
        let top = search.frames.len() - 1;
        let mut red = search.frames[top].mark;
        let flags = search.order.flags.get(state);
        if !red && flags & ACCEPTING != 0 && search.order.hunting && !search.order.weak {
            search.search_inside(state)?;
            red = true;
        }
        let set = search.order.flags.set_mut(state, flags & !COLOUR | if red { RED } else { BLUE });
        search.control.afford(set)?;
        if top > 0 {
            search.frames[top - 1].mark &= red;
        }
        Ok(())
    }

    /// The inner stack begins with the last state of the outer one.
    fn beyond(&self) -> Vec<StateRef> {
        self.inner.iter().skip(1).map(|frame| frame.state).collect()
    }
}

impl<S: Recall, O: Observer> DepthFirst<'_, S, O, Colours> {
    /// Runs the inner search from `seed`: makes the blue states reachable from it red, or reports a cycle.
    fn search_inside(&mut self, seed: StateRef) -> Result<(), Stop> {
        let mut next = Some(seed);
        while let Some(state) = next {
            if let Some(cyan) = self.enter_inside(state)? {
                self.report_cycle(cyan)?;
                self.order.inner.clear();
                self.order.inner_pending.clear();
                return Ok(());
            }
            next = self.advance_inside()?;
        }
        Ok(())
    }

    /// Puts a state on the inner stack. Returns a successor that is on the outer stack, if there is one.
    fn enter_inside(&mut self, state: StateRef) -> Result<Option<StateRef>, Stop> {
        if self.control.stopped() {
            return Err(Stop);
        }
        self.batch.clear();
        self.cursor.load(self.writer.open(state, 0));
        let whole = !self.reduce || self.order.flags.get(state) & WHOLE != 0;
        let expanded = expand_as_before(&mut *self.cursor, whole, &mut self.batch).1;
        let stored = self.writer.insert(&mut self.batch, &mut self.seen);
        self.control.afford(stored)?;
        let base = self.order.inner_pending.len();
        for seen in self.seen.iter().rev() {
            match self.order.flags.get(seen.state) & COLOUR {
                CYAN => {
                    self.order.inner.push(InnerFrame { state, n_pending: 0 });
                    return Ok(Some(seen.state));
                }
                BLUE => self.order.inner_pending.push(seen.state),
                _ => {}
            }
        }
        self.order
            .inner
            .push(InnerFrame { state, n_pending: (self.order.inner_pending.len() - base) as u32 });
        if let Err(halt) = expanded {
            return Err(self.fail(halt));
        }
        self.charge_stack()?;
        Ok(None)
    }

    /// Makes the next pending state red and returns it; `None` if there is none.
    #[inline]
    fn advance_inside(&mut self) -> Result<Option<StateRef>, Stop> {
        while let Some(frame) = self.order.inner.last_mut() {
            if frame.n_pending == 0 {
                self.order.inner.pop();
                continue;
            }
            frame.n_pending -= 1;
            let state = self.order.inner_pending.pop().expect("frames count their entries");
            let flags = self.order.flags.get(state);
            if flags & COLOUR == BLUE {
                let set = self.order.flags.set_mut(state, flags | RED);
                self.control.afford(set)?;
                return Ok(Some(state));
            }
        }
        Ok(None)
    }

    /// Reports the cycle that a step from the top of the inner stack, or of the outer one if that is empty,
    /// back to `cyan` closes.
    #[cold]
    fn report_cycle(&mut self, cyan: StateRef) -> Result<(), Stop> {
        let mut states = self.way();
        states.push(cyan);
        let length = states.len() as u64 - 1;
        self.order.hunting = false;
        self.note_cycle(cyan, length, StatePath::closed(states))
    }
}

/// Repeats the expansion of the loaded state: as a whole, or by the first round that gives a successor.
/// Returns the number of rounds, and whether the expansion is complete.
pub(crate) fn expand_as_before(
    cursor: &mut dyn Cursor,
    whole: bool,
    batch: &mut Batch,
) -> (u32, Result<bool, Halt>) {
    if whole {
        return (1, cursor.expand(batch).map(|()| true));
    }
    let n_before = batch.len();
    let mut rounds = 1;
    loop {
        let expanded = cursor.expand_some(batch);
        if !matches!(expanded, Ok(false)) || batch.len() > n_before {
            return (rounds, expanded);
        }
        rounds += 1;
    }
}
