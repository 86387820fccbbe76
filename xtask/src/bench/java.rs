//! Java programs: against Java PathFinder's recorded figures, with and without what makes states few, pools
//! and locks, and at sizes that take a while.

mod examples;
mod pathfinder;
mod pools;
mod run;
mod states;

pub(crate) use examples::run as run_examples;
pub(crate) use pathfinder::run as run_pathfinder;
pub(crate) use pools::run as run_pools;
pub(crate) use run::Classes;
pub(crate) use states::run as run_states;
