//! The vector of a system: `[processes, words of the network, words of each process] network process*`.
//!
//! The part of a process is its vector without a network (see `state::net`); with the network behind it, it
//! is the vector that the cursor of that process alone works on, its *unit* vector.

use super::topology::MAX_PROCESSES;
use crate::network::Network;
use crate::state::net::{clear_flag, join, split};
use std::ops::Range;

/// Where the parts of a vector are.
pub(crate) struct Layout {
    pub(crate) network: Range<usize>,
    pub(crate) processes: Vec<Range<usize>>,
}

fn word(vector: &[u8], at: usize) -> usize {
    u32::from_le_bytes(vector[4 * at..4 * at + 4].try_into().expect("four bytes")) as usize
}

impl Layout {
    /// The layout of a vector.
    pub(crate) fn of(vector: &[u8]) -> Self {
        let n = word(vector, 0);
        debug_assert!(n <= MAX_PROCESSES, "a system has at most MAX_PROCESSES processes");
        let mut at = 4 * (2 + n);
        let mut next = |n_words: usize| {
            let part = at..at + 4 * n_words;
            at = part.end;
            part
        };
        let network = next(word(vector, 1));
        let processes = (0..n).map(|process| next(word(vector, 2 + process))).collect();
        Self { network, processes }
    }

    /// Makes `out` the unit vector of a process.
    pub(crate) fn unit(&self, vector: &[u8], process: usize, out: &mut Vec<u8>) {
        out.clear();
        join(&vector[self.processes[process].clone()], &vector[self.network.clone()], out);
    }

    /// Makes `out` the vector after a step that leads from `vector` to a unit vector of a process.
    pub(crate) fn after(&self, vector: &[u8], process: usize, unit: &[u8], out: &mut Vec<u8>) {
        let (own, network) = split(unit);
        out.clear();
        out.extend_from_slice(&vector[..self.network.start]);
        let mut set = |at: usize, len: usize| {
            out[4 * at..4 * at + 4].copy_from_slice(&((len / 4) as u32).to_le_bytes());
        };
        set(1, network.len());
        set(2 + process, own.len());
        out.extend_from_slice(network);
        out.extend_from_slice(&vector[self.network.end..self.processes[process].start]);
        let start = out.len();
        out.extend_from_slice(own);
        clear_flag(&mut out[start..]);
        out.extend_from_slice(&vector[self.processes[process].end..]);
    }

    /// The network of a vector.
    pub(crate) fn network_of(&self, vector: &[u8]) -> Network {
        let mut network = Network::default();
        network.read_words(&vector[self.network.clone()]);
        network
    }
}

/// The vector of these parts, none of which has a network.
pub(crate) fn compose(network: &[u8], processes: &[&[u8]]) -> Vec<u8> {
    let len = |part: &[u8]| (part.len() / 4) as u32;
    let head =
        [processes.len() as u32, len(network)].into_iter().chain(processes.iter().map(|part| len(part)));
    let mut out: Vec<u8> = head.flat_map(u32::to_le_bytes).collect();
    out.extend_from_slice(network);
    processes.iter().for_each(|part| out.extend_from_slice(part));
    out
}

/// The processes that have listened or ended, of those that others wait for.
pub(crate) fn ready_bits(vector: &[u8]) -> u64 {
    if word(vector, 1) == 0 {
        return 0;
    }
    let start = 2 + word(vector, 0);
    word(vector, start) as u64 | (word(vector, start + 1) as u64) << 32
}
