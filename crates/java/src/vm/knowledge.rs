//! What a machine knows and watches for while it executes steps: what searches have learnt about the program,
//! what properties read, and what is noted for people.

use crate::inputs::Inputs;
use crate::lock_order::LockOrder;
use crate::property::Observed;
use crate::vm::left::LeftBehind;
use crate::vm::spurious::UnguardedWaits;
use rapidhash::RapidHashSet;
use std::sync::Arc;

/// What is known of a program, and watched for.
#[derive(Default)]
pub struct Knowledge<'vm> {
    /// Contexts of operations that are known to be in conflict.
    pub racy: RapidHashSet<u64>,
    /// What properties read: writes to it end steps.
    pub(crate) observed: Arc<[Observed]>,
    /// The names of all processes, if there are several.
    pub(crate) processes: Arc<[String]>,
    /// The context of an access that is watched for.
    pub watched: Option<u64>,
    /// The order in which monitors and locks are taken, if that is noted.
    pub(crate) lock_order: Option<Box<LockOrder>>,
    /// What the program is seen to ask its surroundings for, if that is noted.
    pub(crate) inputs: Option<&'vm Inputs>,
    /// Waits that are not in a loop, if they are noted.
    pub(crate) unguarded: Option<&'vm UnguardedWaits>,
    /// Threads that are left behind, if they are noted.
    pub(crate) left_behind: Option<&'vm LeftBehind>,
}
