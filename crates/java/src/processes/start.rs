//! Runs of a whole system before the search, to see which classes of the class library its processes use.
//!
//! What such a run does is of no consequence: a class that it does not come to is initialised in the search.

use crate::program::{round, stroll};
use crate::vm::machine::Machine;
use crate::vm::process::Ended;
use std::mem::swap;

/// Machines that take turns on one network.
pub(crate) struct Turns<'vm> {
    pub(crate) machines: Vec<Machine<'vm>>,
    next: usize,
}

impl<'vm> Turns<'vm> {
    /// Machines about to begin, with the network in the first one.
    pub(crate) fn new(machines: Vec<Machine<'vm>>) -> Self {
        Self { machines, next: 0 }
    }

    /// Lets a machine take a step, the same one until it cannot go on, or a random one; gives how many jumps
    /// and calls that took. `None` if no machine can go on.
    pub(crate) fn turn(&mut self, random: Option<&mut u64>) -> Option<u64> {
        let n = self.machines.len();
        let mut random = random;
        if let Some(random) = &mut random {
            self.pass_to((**random >> 40) as usize % n);
        }
        for _ in 0..n {
            let machine = &mut self.machines[self.next];
            if machine.process.ended == Ended::No {
                let moved = match &mut random {
                    None => round(machine, 1),
                    Some(random) => stroll(machine, random),
                };
                if let Ok(true) = moved {
                    return Some(1 + u64::from(crate::vm::step::FUEL.saturating_sub(machine.step.fuel)));
                }
            }
            self.pass_to((self.next + 1) % n);
        }
        None
    }

    /// How many classes were initialised.
    pub(crate) fn n_initialized(&self) -> u64 {
        self.machines.iter().map(|machine| machine.caches.n_initialized).sum()
    }

    fn pass_to(&mut self, to: usize) {
        if to != self.next
            && let Ok([from, into]) = self.machines.get_disjoint_mut([self.next, to])
        {
            swap(&mut from.net, &mut into.net);
            self.next = to;
        }
    }
}
