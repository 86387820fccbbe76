//! The network as the last part of a vector, if there is anything in it: its words, and how many they are.
//!
//! A vector of a process without sockets has no such part, and is what it would be without this module.

use super::header as h;
use super::parts::process_ends;
use crate::vm::machine::Machine;

/// Whether a vector has a network.
pub(crate) fn has_network(vector: &[u8]) -> bool {
    // The flag is the highest bit of its word.
    vector[4 * h::ENDED + 3] & 0x80 != 0
}

/// The part of a process and the words of the network, of a vector.
pub(crate) fn split(vector: &[u8]) -> (&[u8], &[u8]) {
    if !has_network(vector) {
        return (vector, &[]);
    }
    let at = vector.len() - 4;
    let n_words = u32::from_le_bytes(vector[at..].try_into().expect("four bytes")) as usize;
    (&vector[..at - 4 * n_words], &vector[at - 4 * n_words..at])
}

/// The vector of a process and the words of a network, appended to `out`.
pub(crate) fn join(process: &[u8], network: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(process);
    clear_flag(&mut out[start..]);
    if !network.is_empty() {
        out[start + 4 * h::ENDED + 3] |= 0x80;
        out.extend_from_slice(network);
        out.extend_from_slice(&((network.len() / 4) as u32).to_le_bytes());
    }
}

/// Makes the part of a process one of a vector without a network.
pub(crate) fn clear_flag(process: &mut [u8]) {
    process[4 * h::ENDED + 3] &= 0x7f;
}

/// Whether the parts of a process in two vectors are the same, and only the networks may differ.
pub(crate) fn is_same_process(a: &[u8], b: &[u8]) -> bool {
    let at = 4 * h::ENDED + 3;
    let (a, b) = (split(a).0, split(b).0);
    a.len() == b.len() && a[..at] == b[..at] && a[at] & 0x7f == b[at] & 0x7f && a[at + 1..] == b[at + 1..]
}

/// Appends the network of a machine to the words of its process.
pub(super) fn encode_network(machine: &Machine<'_>, words: &mut Vec<u32>) {
    if machine.net.is_empty() {
        return;
    }
    let start = words.len();
    machine.net.write_words(words);
    words.push((words.len() - start) as u32);
}

/// Sets the network of a machine up as a vector says.
pub(crate) fn decode_network(machine: &mut Machine<'_>, vector: &[u8]) {
    let (_, network) = split(vector);
    debug_assert!({
        let mut ends = Vec::new();
        process_ends(vector, &mut ends);
        ends.last() == Some(&split(vector).0.len())
    });
    machine.net.read_words(network);
}
