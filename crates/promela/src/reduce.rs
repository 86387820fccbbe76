//! Reductions: fewer states, the same verdict.
//!
//! - **dead**: variables that are not read again become zero (`dead`), and globals that are never read are
//!   not written (`faint`).
//! - **merge**: a step that is invisible to other processes is merged with the step before it (`merge`).
//! - **order**: of steps in different processes that cannot interfere, only one order is explored.
//!   `footprint` computes what each control state can touch, now and ever after; `choose` finds a sufficient
//!   set of processes in a state.
//!
//! With reductions, an observer of the states of a run (`Lowered::propositions` and labels) sees the same
//! sequence of states up to repetitions; `observed` has the argument.
//!
//! The first two change the program once, before it runs: transitions clear more variables, or continue where
//! they would stop. They therefore change states and step keys, and the reduced program has another digest.
//! The last one changes only which steps [`Cursor::expand_some`](allways_model::Cursor::expand_some) gives
//! first. States and keys are those of the program without it, and the search ensures that no step is
//! deferred indefinitely.

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

pub(crate) use choose::{Chooser, StepOrder};
pub(crate) use forgotten::Forgotten;
pub(crate) use observed::{Read, unobserved};

use crate::lower::Lowered;

/// Which reductions to apply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reductions {
    /// Resets variables that are not read again to zero.
    pub dead: bool,
    /// Merges steps that are invisible to other processes with the step before them.
    pub merge: bool,
    /// Explores only one order of steps that cannot interfere.
    pub order: bool,
}

impl Reductions {
    /// All reductions.
    pub const ALL: Self = Self { dead: true, merge: true, order: true };
    /// No reductions: the graph of the plain semantics.
    pub const NONE: Self = Self { dead: false, merge: false, order: false };

    /// The names of the reductions that are on, joined by `+`; `none` if all are off.
    #[must_use]
    pub fn name(self) -> String {
        let names = [(self.dead, "dead"), (self.merge, "merge"), (self.order, "order")];
        let on: Vec<&str> = names.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect();
        if on.is_empty() { "none".into() } else { on.join("+") }
    }
}

/// The outcome of the reductions that were asked for.
#[derive(Debug)]
pub(crate) struct Applied {
    /// What the choice of steps needs at run time, if steps are chosen at all.
    pub(crate) order: Option<StepOrder>,
    /// The reductions that have an effect.
    pub(crate) effective: Reductions,
    /// Why the others have no effect.
    pub(crate) why: Option<&'static str>,
    /// What is reset, if anything is.
    pub(crate) forgotten: Option<Forgotten>,
}

/// Applies the reductions that are asked for to the program.
pub(crate) fn apply(lowered: &mut Lowered, asked: Reductions) -> Applied {
    let mut forgotten = asked.dead.then(|| Forgotten::by_reducing(lowered, faint::forget));
    let shared = shared::SharedFacts::new(lowered);
    if let Some(forgotten) = &mut forgotten {
        forgotten.set_dead(dead::reset(lowered));
    }
    // Footprints are computed before merging, because merged steps touch nothing that counts. Priorities that
    // never change are compared in each state.
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
