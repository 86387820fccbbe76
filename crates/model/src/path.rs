//! How a run of a model is written down: the model's digest and a list of step keys.

use std::fmt;
use std::str::FromStr;

/// Names one step out of a state: a state and a key give exactly one next state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepKey(pub u64);

/// Names a model: equal digests mean equal states and equal keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 16]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Digest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("'{text}' is not a model digest (32 hexadecimal digits)");
        if text.len() != 32 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(bad());
        }
        let mut bytes = [0; 16];
        for (idx, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * idx..2 * idx + 2], 16).map_err(|_| bad())?;
        }
        Ok(Self(bytes))
    }
}

/// A run from the initial state: the same thing in a trace file, a certificate and a bug report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The model that the keys belong to.
    pub model: Digest,
    /// The steps, in order, from the initial state.
    pub steps: Vec<StepKey>,
}
