//! The end of a process by a failure: it is killed, without shutdown hooks, and its sockets are closed.
//!
//! Nothing is left of it, not even what it printed, so that runs in which it was killed sooner or later are
//! the same to all others.

use crate::native::effect::failure_in_words;
use crate::network::Network;
use crate::network::failures::Kind;
use crate::program::Program;
use crate::state::encode::Encoder;
use crate::vm::machine::{Exec, Machine};
use crate::vm::process::{Ended, KILLED};
use allways_model::Lessons;

/// The exit status of a process that was killed (128 and the number of SIGKILL).
const STATUS: i32 = 137;

/// Whether a process may be killed in a state with this network.
pub(super) fn is_possible(program: &Program, network: &Network) -> bool {
    let failures = program.options().failures;
    let most = failures.most.min(program.most_failures());
    failures.has(Kind::Crash) && network.n_failures < most
}

/// The unit vector of a process after it was killed.
///
/// # Errors
/// As [`Encoder::encode`].
pub(super) fn after(program: &Program, alive: &Machine<'_>) -> Exec<Vec<u8>> {
    let mut machine = program.machine(Lessons::none());
    machine.process.ended = Ended::Exit(STATUS);
    machine.process.died = KILLED;
    machine.net.clone_from(&alive.net);
    machine.net.n_failures += 1;
    machine.end_sockets();
    let mut encoder = Encoder::default();
    let words = encoder.encode(&machine)?;
    Ok(words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

/// That a process was killed, and which of how many failures that is.
pub(super) fn in_words(name: &str, number: u32, most: u32) -> String {
    failure_in_words(&format!("{name} is killed"), number, most)
}
