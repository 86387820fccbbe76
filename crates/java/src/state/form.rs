//! How states are written down: what makes different states one, and how a step is taken back. Each can be
//! turned off, to see what it is worth; verdicts stay the same.

use allways_heap::Collect;

/// What a state consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Objects are numbered in the order in which they are reached, and not in the order in which they were
    /// made.
    pub symmetry: bool,
    /// Local variables that nobody will read are left out.
    pub dead_locals: bool,
    /// What only saves time to compute again (the hash of a string) is left out.
    pub caches: bool,
    /// Which objects are left out.
    pub collect: Collect,
    /// A step is taken back by what it changed, and not by setting up the whole state again.
    pub undo: bool,
    /// Of two orders of steps that lead to the same state one is followed (see `sleep`).
    pub sleep: bool,
    /// Loops that wait with a time limit read the clock in time (see `vm::clock`). Off unless it is asked
    /// for: outcomes that depend on how late a reading is may be lost.
    pub punctual: bool,
    /// Pools that `Executors` makes take few steps (see `simple`).
    pub pools: bool,
    /// What has arrived for good is taken from the network in the step that it belongs to (see
    /// `native::effect::net`).
    pub acquires: bool,
    /// Steps of one process that do not talk are taken first (see `processes::order`).
    pub order: bool,
}

impl Default for Form {
    fn default() -> Self {
        Self {
            symmetry: true,
            dead_locals: true,
            caches: true,
            collect: Collect::Sweep,
            undo: true,
            sleep: true,
            punctual: false,
            pools: true,
            acquires: true,
            order: true,
        }
    }
}

impl Form {
    /// Whether states are written down as usual, whatever is reduced.
    #[must_use]
    pub fn is_usual(self) -> bool {
        let Self { sleep, punctual, pools, acquires, order, .. } = self;
        self == Self { sleep, punctual, pools, acquires, order, ..Self::default() }
    }

    /// The parts that can be turned off, by name.
    pub const PARTS: [&'static str; 8] =
        ["symmetry", "dead-locals", "caches", "undo", "sleep", "pools", "acquires", "order"];

    /// Turns a part off; `false` if there is none of that name.
    pub fn turn_off(&mut self, part: &str) -> bool {
        match part {
            "symmetry" => self.symmetry = false,
            "dead-locals" => self.dead_locals = false,
            "caches" => self.caches = false,
            "undo" => self.undo = false,
            "sleep" => self.sleep = false,
            "pools" => self.pools = false,
            "acquires" => self.acquires = false,
            "order" => self.order = false,
            _ => return false,
        }
        true
    }
}
