//! What a machine keeps because it was found before. No result depends on it.

use crate::class::{ClassId, MethodId};
use rapidhash::{RapidHashMap, RapidHashSet};

/// How many selected methods are kept at hand: a power of two.
pub const N_RECENT: usize = 1 << 10;

/// What was found before.
pub struct Caches {
    /// Methods that classes select, by class and method.
    pub selected: RapidHashMap<(ClassId, MethodId), MethodId>,
    /// The last of them, each at a place that class and method lead to.
    pub recent: Box<[(ClassId, MethodId, MethodId)]>,
    /// Contexts of waits that were examined (see `spurious`).
    pub known_waits: RapidHashSet<u64>,
    /// How many classes were initialised.
    pub n_initialized: u64,
}

impl Default for Caches {
    fn default() -> Self {
        Self {
            selected: RapidHashMap::default(),
            recent: vec![(ClassId(0), MethodId(u32::MAX), MethodId(0)); N_RECENT].into(),
            known_waits: RapidHashSet::default(),
            n_initialized: 0,
        }
    }
}
