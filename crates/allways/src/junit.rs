//! `check --junit`: the result for build servers, as a file.
//!
//! Whatever ends a check, the file is about this check: an older one must not pass for it.

use crate::cli::CheckArgs;
use crate::failure::Failure;
use crate::files;
use allways_report::{Check, ExitCode, junit_problem, junit_xml};
use std::io;
use std::path::Path;

/// Writes what became of a check.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn write(
    file: &Path,
    args: &CheckArgs,
    result: &Result<Vec<Check>, Failure>,
) -> Result<(), Failure> {
    let suite = suite(args);
    let text = match result {
        Ok(checks) => junit_xml(&suite, checks),
        Err(failure) => {
            let kind = match failure.exit_code() {
                ExitCode::BadInput => "input",
                ExitCode::Internal => "internal",
                _ => "output",
            };
            junit_problem(&suite, &args.model.to_string_lossy(), kind, &failure.to_string())
        }
    };
    files::write_xml(file, &text).map_err(|error| {
        Failure::Output(io::Error::new(error.kind(), format!("{}: {error}", file.display())))
    })
}

/// The name of what is checked, with everything that makes it another one.
fn suite(args: &CheckArgs) -> String {
    let settings = &args.options.settings;
    let mut words = vec![args.model.to_string_lossy().into_owned()];
    words.extend(settings.values("define").map(|define| format!("-D {define}")));
    words.extend(settings.values("undefine").map(|name| format!("-U {name}")));
    words.extend(args.options.arguments.iter().cloned());
    words.join(" ")
}
