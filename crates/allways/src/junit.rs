//! `check --junit`: the result for build servers, as a file.
//!
//! Whatever ends a check, the file is about this check: an older one must not pass for it.

use crate::cli::CheckArgs;
use crate::failure::Failure;
use crate::files;
use crate::open;
use crate::terminal::Terminal;
use allways_report::{Check, ExitCode, junit_problem, junit_xml};
use allways_session::{Error, Language, Request, TestMethod, test_methods};
use std::io;
use std::path::{Path, PathBuf};

/// The tests of `check --junit-class`: those to run, and those that are disabled, as models.
fn listed(args: &CheckArgs) -> Result<(Vec<PathBuf>, Vec<String>), Error> {
    let settings = args.options.settings.clone();
    let request = Request { settings, language: Some(Language::Java), ..Request::new(&args.model) };
    let name = args.model.to_string_lossy();
    let class = name.split('#').next().unwrap_or_default();
    let (skipped, run): (Vec<_>, Vec<_>) =
        test_methods(&request)?.into_iter().partition(|method| method.is_skipped);
    let named = |method: TestMethod| format!("{class}{}#{}", method.nested, method.name);
    let run = run.into_iter().map(|method| PathBuf::from(named(method))).collect();
    Ok((run, skipped.into_iter().map(named).collect()))
}

/// The tests of `check --junit-class`, as models. Tests that are disabled are reported.
///
/// # Errors
/// If there are none, or they cannot be run.
pub(crate) fn tests(args: &CheckArgs, terminal: &mut Terminal) -> Result<Vec<PathBuf>, Failure> {
    let (run, skipped) = listed(args).map_err(|error| open::failure(error, terminal))?;
    for test in skipped {
        terminal.warn(&format!("{test} is disabled, and was not run"));
    }
    if run.len() > 1 && (args.certificate.is_some() || args.trace.is_some()) {
        let message = "--certificate and --trace are for one test: name it, as Class#method";
        return Err(Failure::Input(message.into()));
    }
    if run.is_empty() {
        return Err(Failure::Input(format!("all tests of {} are disabled", args.model.display())));
    }
    Ok(run)
}

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
        Ok(checks) => {
            let skipped = if args.junit_class {
                listed(args).map_or_else(|_| Vec::new(), |all| all.1)
            } else {
                Vec::new()
            };
            junit_xml(&suite, checks, &skipped)
        }
        Err(failure) => {
            let kind = match failure.exit_code() {
                ExitCode::BadInput => "input",
                ExitCode::Internal => "internal",
                ExitCode::Unsupported => "unsupported",
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
