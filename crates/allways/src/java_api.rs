//! `allways java-api`: writes what Java programs may call, `allways.Choose`, as a jar file and as source.

use crate::cli::JavaApiArgs;
use crate::failure::Failure;
use crate::files;
use crate::terminal::Terminal;
use allways_report::ExitCode;
use std::io::Write as _;

/// Runs the command.
pub(crate) fn run(args: &JavaApiArgs, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    let source = args.directory.join("allways");
    let cannot =
        |what: &std::path::Path, error| Failure::Input(format!("cannot write {}: {error}", what.display()));
    std::fs::create_dir_all(&source).map_err(|error| cannot(&source, error))?;
    let (jar, source) = (args.directory.join("allways-choose.jar"), source.join("Choose.java"));
    files::write(&jar, allways_java::api::JAR).map_err(|error| cannot(&jar, error))?;
    files::write(&source, allways_java::api::SOURCE.as_bytes()).map_err(|error| cannot(&source, error))?;
    writeln!(terminal.out, "{}\n{}", jar.display(), source.display())?;
    Ok(ExitCode::Success)
}
