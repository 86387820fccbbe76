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

use crate::control::Stop;
use crate::depth_first::{DepthFirst, Left, Order, depth_first};
use crate::dfs::dfs;
use crate::lasso::{Way, found};
use crate::observer::ended;
use crate::outcome::finish;
use crate::subject::Subject;
use crate::{Config, Observer, Outcome};
use allways_model::{Acceptance, Batch, Cursor, Halt, Model};
use allways_store::marks::Flags;
use allways_store::{Full, Recall, Seen, StateRef, Writer};

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
    let order = || Colours {
        weak: acceptance == Acceptance::Weak,
        hunting: true,
        flags: Flags::new(store.budget()),
        accepting: 0,
        closing: None,
        inner: Vec::new(),
        inner_pending: Vec::new(),
    };
    let Left { control, entries, remains, cut, .. } = depth_first(model, store, observer, config, order);
    let found = found(Subject::new(model, config.lessons), store, entries, cut);
    ended(observer, finish(&control, store, &[remains], found))
}

/// A state on the inner stack.
struct InnerFrame {
    state: StateRef,
    /// How many entries of `inner_pending` are its own.
    n_pending: u32,
}

/// The colours of states, and the inner search.
struct Colours {
    weak: bool,
    /// Whether no cycle was found yet.
    hunting: bool,
    flags: Flags,
    /// Whether the top of the outer stack is accepting.
    accepting: u8,
    /// A state on the outer stack to which its top leads, with an accepting state on the cycle.
    closing: Option<StateRef>,
    inner: Vec<InnerFrame>,
    inner_pending: Vec<StateRef>,
}

impl Order for Colours {
    /// Whether all successors seen so far are red.
    type Mark = bool;
    type Spot = Way;
    const SLEEPS: bool = false;

    fn spot(stack: Vec<StateRef>) -> Way {
        Way::straight(stack)
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

    /// Gives a state its last colour but one.
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
    /// The inner search: makes red what `seed` leads to, unless that is a cycle.
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

    /// Puts a state on the inner stack; gives a successor that is on the outer one, if there is one.
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

    /// Goes on to the next state that is to be made red.
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

    /// The step after both stacks leads back to `cyan`, on the outer one.
    #[cold]
    fn report_cycle(&mut self, cyan: StateRef) -> Result<(), Stop> {
        let mut states = self.way();
        states.push(cyan);
        let length = states.len() as u64 - 1;
        self.order.hunting = false;
        self.note_cycle(cyan, length, Way::closed(states))
    }
}

/// Expands the loaded state once more: as a whole, or by the first round that gives a successor. Gives the number of
/// rounds, and whether that is everything.
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
