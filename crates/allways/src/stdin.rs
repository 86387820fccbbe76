//! A model on standard input: `-` in the place of its file.
//!
//! It is read once, because a command may open a model several times, once for each property.

use crate::failure::Failure;
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// What stands for standard input on the command line.
const DASH: &str = "-";

/// Whether a model is to be read from standard input.
pub(crate) fn is_meant(model: &Path) -> bool {
    model.as_os_str() == DASH
}

/// The text on standard input.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn text() -> Result<Arc<[u8]>, Failure> {
    static TEXT: OnceLock<Result<Arc<[u8]>, String>> = OnceLock::new();
    let read = || {
        let mut text = Vec::new();
        match std::io::stdin().lock().read_to_end(&mut text) {
            Ok(_) => Ok(text.into()),
            Err(error) => Err(format!("cannot read standard input: {error}")),
        }
    };
    TEXT.get_or_init(read).clone().map_err(Failure::Input)
}
