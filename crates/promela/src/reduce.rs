//! Reductions: fewer states, the same verdict.
//!
//! - **dead**: variables that nobody will read again become zero (`dead`).
//! - **merge**: steps that nobody else can see are merged with the step before them (`merge`).
//! - **order**: of steps in different processes that cannot interfere, only one order is tried (`footprint` says what each
//!   control state can touch, now and ever after; `choose` finds a sufficient set of processes in a state).
//!
//! The first two change the program once, before it runs: transitions get more to clear, or go on where they would stop. So
//! they change states and step keys, and a program with them has another digest. The last one changes only which
//! steps [`Cursor::expand_some`](allways_model::Cursor::expand_some) gives first: states and keys are those of the program
//! without it, and the search sees to it that nothing is put off for ever.

mod access;
mod choose;
mod dead;
mod footprint;
mod identity;
mod merge;
mod resources;
mod shared;

pub(crate) use choose::{Chooser, Order};

use crate::lower::Lowered;

/// Which reductions to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

    /// What a digest differs in from that of the program without reductions.
    pub(crate) fn digest_mask(self) -> u8 {
        u8::from(self.dead) | u8::from(self.merge) << 1
    }
}

/// Changes the program as the reductions ask, and gives what the choice of steps needs at run time. Nothing if the model
/// cannot be reduced by order, or need not.
pub(crate) fn apply(lowered: &mut Lowered, reductions: Reductions) -> Option<Order> {
    let shared = shared::Shared::new(lowered);
    if reductions.dead {
        dead::reset(lowered);
    }
    // Footprints come before merging: what is merged touches nothing that counts.
    let reducible = shared.irreducible.is_none();
    let order = if reductions.order && reducible { footprint::analyse(lowered, &shared) } else { None };
    if reductions.merge && reducible {
        merge::merge(lowered, &shared, false);
    }
    order
}
