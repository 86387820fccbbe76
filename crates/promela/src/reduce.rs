//! Reductions: fewer states, the same verdict.
//!
//! - **dead**: variables that nobody will read again become zero (`dead`), and globals that nobody reads are not written
//!   (`faint`).
//! - **merge**: steps that nobody else can see are merged with the step before them (`merge`).
//! - **order**: of steps in different processes that cannot interfere, only one order is tried (`footprint` says what each
//!   control state can touch, now and ever after; `choose` finds a sufficient set of processes in a state).
//!
//! If somebody looks at the states of a run (`Lowered::propositions` and labels), they see the same with
//! reductions, repetitions aside: `observed` says why.
//!
//! The first two change the program once, before it runs: transitions get more to clear, or go on where they
//! would stop. So they change states and step keys, and a program with them has another digest. The last one
//! changes only which steps [`Cursor::expand_some`](allways_model::Cursor::expand_some) gives first: states
//! and keys are those of the program without it, and the search sees to it that nothing is put off for ever.

mod access;
mod bound;
mod choose;
mod dead;
mod faint;
mod footprint;
mod forgotten;
mod identity;
mod merge;
mod observed;
mod owners;
mod points_to;
mod resources;
mod shared;
#[cfg(test)]
mod tests;

pub(crate) use choose::{Chooser, Order};
pub(crate) use forgotten::Forgotten;
pub(crate) use observed::{Read, unobserved};

use crate::lower::Lowered;

/// Which reductions to apply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reductions {
    /// Variables that nobody will read again become zero.
    pub dead: bool,
    /// Steps that nobody else can see are merged with the step before them.
    pub merge: bool,
    /// Of steps that cannot interfere, only one order is tried.
    pub order: bool,
}

impl Reductions {
    /// All of them.
    pub const ALL: Self = Self { dead: true, merge: true, order: true };
    /// None: the graph of the plain semantics.
    pub const NONE: Self = Self { dead: false, merge: false, order: false };

    /// The names of those that are on, joined by `+`; `none` if there is none.
    #[must_use]
    pub fn name(self) -> String {
        let names = [(self.dead, "dead"), (self.merge, "merge"), (self.order, "order")];
        let on: Vec<&str> = names.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect();
        if on.is_empty() { "none".into() } else { on.join("+") }
    }
}

/// What became of the reductions that were asked for.
#[derive(Debug)]
pub(crate) struct Applied {
    /// What the choice of steps needs at run time, if there is a choice.
    pub(crate) order: Option<Order>,
    /// Those that have an effect.
    pub(crate) effective: Reductions,
    /// Why others have none.
    pub(crate) why: Option<&'static str>,
    /// What is reset, if anything is.
    pub(crate) forgotten: Option<Forgotten>,
}

/// Changes the program as the reductions ask.
pub(crate) fn apply(lowered: &mut Lowered, asked: Reductions) -> Applied {
    let mut forgotten = asked.dead.then(|| Forgotten::by_reducing(lowered, faint::forget));
    let shared = shared::Shared::new(lowered);
    if let Some(forgotten) = &mut forgotten {
        forgotten.set_dead(dead::reset(lowered));
    }
    // Footprints come before merging: what is merged touches nothing that counts.
    // Priorities that never change are looked at state by state.
    let reducible = shared.irreducible.is_none() || shared.fixed_priorities && !lowered.fair;
    let mut why = shared.irreducible.filter(|_| (asked.order || asked.merge) && !reducible);
    let order = if asked.order && reducible {
        let points = points_to::PointsTo::new(lowered);
        footprint::analyse(lowered, &shared, points.as_ref())
    } else {
        None
    };
    if asked.order && reducible && order.is_none() {
        why = Some("it claims channels that it changes");
    }
    let mergeable = reducible && !lowered.fair;
    if asked.merge && mergeable {
        merge::merge(lowered, &shared);
    }
    let effective = Reductions { merge: asked.merge && mergeable, order: order.is_some(), ..asked };
    Applied { order, effective, why, forgotten }
}
