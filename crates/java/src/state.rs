//! States as byte vectors: how a machine is written down and set up again.
//!
//! A vector is a list of words: a header, the threads, the objects of the base image that differ from it, and
//! the objects of the state's own. Each thread and object begins with the number of its words. Objects are
//! numbered in the order in which they are first reached from there, so two states that differ only in the
//! order of allocation are one, and what cannot be reached is no part of a state. What nobody will read (dead
//! local variables) is left out.

pub mod decode;
pub mod encode;
pub mod form;
mod incremental;
pub(crate) mod net;
pub mod parts;
pub mod reach;

use crate::error::Error;
use crate::vm::machine::Machine;

/// A machine that runs on and on leaves its garbage behind when it has this much in memory.
const MUCH: usize = 64 << 20;

/// Writes a machine down and sets it up again, if it may have much garbage: nothing else changes.
///
/// # Errors
/// If a frame's code is no good.
pub fn leave_garbage(machine: &mut Machine<'_>, encoder: &mut encode::Encoder) -> Result<(), Error> {
    if machine.process.heap.n_bytes() < MUCH {
        return Ok(());
    }
    let words = encoder.encode(machine)?;
    let vector: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    decode::decode(machine, &vector);
    Ok(())
}

/// Places in the header.
pub(crate) mod header {
    pub(crate) const N_THREADS: usize = 0;
    pub(crate) const N_DIRTY: usize = 1;
    pub(crate) const N_OBJECTS: usize = 2;
    pub(crate) const NEXT_THREAD: usize = 3;
    pub(crate) const NEXT_HASH: usize = 4;
    pub(crate) const CLOCK: usize = 5;
    /// Bit 0: whether it ended. Above: how many waits ended spuriously. [`NETWORK`]: the network follows the
    /// objects.
    pub(crate) const ENDED: usize = 7;
    pub(crate) const NETWORK: u32 = 1 << 31;
    pub(crate) const STATUS: usize = 8;
    pub(crate) const DIED: usize = 9;
    /// Bytes of output, which follow the header, filled up to whole words.
    pub(crate) const OUTPUT: usize = 10;
    /// Whether the clock was read since it moved.
    pub(crate) const READINGS: usize = 11;
    pub(crate) const LEN: usize = 12;
}

/// Places in a thread's part; its frames follow.
pub(crate) mod thread {
    pub(crate) const ID: usize = 0;
    pub(crate) const OBJECT: usize = 1;
    /// Bit 0: permit. Bits 1 and 2: where it is in `wait`. Bit 3: timed or interrupted. Above: whether it
    /// was seen to wait.
    pub(crate) const FLAGS: usize = 2;
    pub(crate) const SEEN: u32 = 4;
    pub(crate) const WAIT_OBJECT: usize = 3;
    pub(crate) const WAIT_COUNT: usize = 4;
    pub(crate) const ATOMIC: usize = 5;
    pub(crate) const N_FRAMES: usize = 6;
    pub(crate) const LEN: usize = 7;
}

/// Places in a frame; its live slots follow.
pub(crate) mod frame {
    pub(crate) const METHOD: usize = 0;
    /// The operation in the low 24 bits, the role above.
    pub(crate) const PC: usize = 1;
    pub(crate) const DEPTH: usize = 2;
    pub(crate) const LOCK: usize = 3;
    pub(crate) const LEN: usize = 4;
}

/// Bits below the class in an object's first word.
pub(crate) mod object {
    pub(crate) const LOCKED: u32 = 1;
    pub(crate) const HASHED: u32 = 2;
    pub(crate) const SHARED: u32 = 4;
    pub(crate) const SHIFT: u32 = 3;
}
