//! How a run ended, read off its last state.

use crate::processes::vector::Layout;
use crate::state::header as h;
use crate::state::parts::Words;
use crate::vm::process::{KILLED, MAIN_DIED};
use allways_model::{StepKey, ViolationKind};

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The exit status; `None` if the process did not end.
    pub ended: Option<i32>,
    /// The kind of the first exception that nobody caught.
    pub died: Option<ViolationKind>,
    /// Whether a failure killed the process.
    pub killed: bool,
    /// What was printed to standard output.
    pub output: String,
}

/// A bit of the key of a step that is possible only because a wait may end spuriously: a run may end where no
/// other step is.
pub(crate) const LAST_RESORT: u64 = 1 << 31;

/// Whether a step is possible only because a wait may end spuriously: it need not come, so a run may end
/// before it.
#[must_use]
pub fn is_last_resort(key: StepKey) -> bool {
    key.0 & LAST_RESORT != 0
}

/// Reads a state of a program that keeps its output ([`crate::Options::keep_output`]).
#[must_use]
pub fn end_of(state: &[u8]) -> End {
    let mut words = Words::new(state);
    let header: [u32; h::LEN] = words.take();
    let output = words.take_bytes(header[h::OUTPUT] as usize);
    End {
        ended: (header[h::ENDED] & 1 != 0).then_some(header[h::STATUS] as i32),
        died: match header[h::DIED] & !(MAIN_DIED | KILLED) {
            0 => None,
            1 => Some(ViolationKind::Assertion),
            _ => Some(ViolationKind::Exception),
        },
        killed: header[h::DIED] & KILLED != 0,
        output: String::from_utf8_lossy(output).into_owned(),
    }
}

/// As [`end_of`], of each process of a system.
#[must_use]
pub fn ends_of(state: &[u8]) -> Vec<End> {
    Layout::of(state).processes.into_iter().map(|part| end_of(&state[part])).collect()
}
