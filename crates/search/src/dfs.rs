//! Depth-first search by one worker, in the order of the textbook and of SPIN.
//!
//! The search is in `depth_first`. This file adds what it records: a side table with one bit per state, which
//! says whether the state was opened. The search by several workers is in `dfs_shared`.
//!
//! With [`Config::reduce`], a state is first expanded only as far as its cursor considers sufficient, and
//! further only while all resulting steps lead to states on the stack. So from every state that is expanded
//! in part, at least one step leads to a state that is closed before it. Hence no step is deferred
//! indefinitely, by induction over the order in which states are closed. A state is on the stack if its open
//! bit is set and its closed bit is not. A reduced search ends at the first violation that it sees, even if
//! depth-first order would reach another one first.

use crate::control::Stop;
use crate::coverage::Source;
use crate::depth_first::{DepthFirst, DepthFirstResult, SearchOrder, depth_first};
use crate::dfs_shared::dfs_shared;
use crate::frontier::survey;
use crate::observer::ended;
use crate::outcome::finish;
use crate::reserve::Reserve;
use crate::subject::Subject;
use crate::{Config, Observer, Outcome, trail};
use allways_model::{Cursor, Model};
use allways_store::marks::Bits;
use allways_store::{Full, Recall, Seen, StateRef};

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
    let order = || Opened { opened: Bits::new(store.budget()), closed: Bits::new(store.budget()) };
    let (ref config, reserve) = Reserve::of(config, store.budget(), u64::MAX);
    let DepthFirstResult { control, entries, worker_result, cut, frontier } =
        depth_first(model, store, observer, config, order);
    let subject = Subject::new(model, config.lessons);
    let path =
        |way: Option<Vec<StateRef>>, last| trail::path_along(subject, store, &way.unwrap_or_default(), last);
    let outcome = ended(observer, finish(&control, store, &[worker_result], entries.into_found(cut, path)));
    survey(subject, store, (Source::Stack, &frontier), config, reserve, outcome)
}

/// The states that were opened, and those among them that are no longer on the stack.
struct Opened {
    opened: Bits,
    /// Kept only if steps are omitted.
    closed: Bits,
}

impl SearchOrder for Opened {
    type Mark = ();
    type Trace = Vec<StateRef>;
    const SLEEPS: bool = true;

    fn trace(stack: Vec<StateRef>) -> Vec<StateRef> {
        stack
    }

    #[inline]
    fn open(&mut self, state: StateRef, _: &mut dyn Cursor, _: bool) -> Result<(), Full> {
        self.opened.insert_mut(state).map(|_| ())
    }

    #[inline]
    fn meets(&mut self, (): &mut (), state: StateRef) -> bool {
        self.opened.contains(state)
    }

    fn is_open(&self, state: StateRef) -> bool {
        self.opened.contains(state)
    }

    fn suffices(&mut self, _: StateRef, seen: &[Seen], complete: bool) -> Result<bool, Full> {
        let leads_out = |seen: &Seen| !self.opened.contains(seen.state) || self.closed.contains(seen.state);
        Ok(complete || seen.iter().any(leads_out))
    }

    #[inline]
    fn leave<S: Recall, O: Observer>(
        search: &mut DepthFirst<'_, S, O, Self>,
        state: StateRef,
    ) -> Result<(), Stop> {
        if search.reduce {
            search.control.afford(search.order.closed.insert_mut(state))?;
        }
        Ok(())
    }
}
