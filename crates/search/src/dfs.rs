//! Depth-first search by one worker, in the order of the textbook and of SPIN.
//!
//! `depth_first` has the search; here is what it remembers: a side table of one bit per state says whether
//! the state was opened. With several workers, see `dfs_shared`.
//!
//! With [`Config::reduce`], a state is expanded only as far as its cursor says is enough, and further only if
//! all that gives leads back into the stack. So from every state that is not expanded as a whole, one step at
//! least leads to a state that is closed before it: no step can be deferred indefinitely, by induction over
//! the order in which states are closed. An open bit without a closed bit means that a state is on the stack.
//! Then the search ends at the first violation that it sees.

use crate::control::Stop;
use crate::coverage::Source;
use crate::depth_first::{DepthFirst, Left, Order, depth_first};
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
    let Left { control, entries, remains, cut, frontier } =
        depth_first(model, store, observer, config, order);
    let subject = Subject::new(model, config.lessons);
    let path =
        |way: Option<Vec<StateRef>>, last| trail::path_along(subject, store, &way.unwrap_or_default(), last);
    let outcome = ended(observer, finish(&control, store, &[remains], entries.into_found(cut, path)));
    survey(subject, store, (Source::Stack, &frontier), config, reserve, outcome)
}

/// The states that were opened, and those of them that are no longer on the stack.
struct Opened {
    opened: Bits,
    /// Kept only if steps are omitted.
    closed: Bits,
}

impl Order for Opened {
    type Mark = ();
    type Spot = Vec<StateRef>;
    const SLEEPS: bool = true;

    fn spot(stack: Vec<StateRef>) -> Vec<StateRef> {
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
