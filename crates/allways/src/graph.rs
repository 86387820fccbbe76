//! `allways graph`: the states and steps of a small model as a Graphviz picture.

use crate::cli::GraphArgs;
use crate::failure::Failure;
use crate::files;
use crate::open;
use crate::terminal::Terminal;
use allways_report::{ExitCode, plural};
use allways_session::{Interleaving, Request};
use std::io::Write as _;
use std::path::Path;

/// Runs the command.
pub(crate) fn run(args: &GraphArgs, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    let request = Request {
        interleaving: if args.no_reduce { Interleaving::EveryAccess } else { Interleaving::Conflicts },
        ..args.options.request(&args.model)?
    };
    let session = open::open(request, terminal)?;
    let graph = session.graph(args.states).map_err(|error| open::failure(error, terminal))?;
    let dot = graph.to_dot(&args.model.to_string_lossy());
    match &args.output {
        None => terminal.out.write_all(dot.as_bytes())?,
        Some(file) => {
            if is_same_file(file, &args.model) {
                return Err(Failure::Input(format!("{} is the model itself", file.display())));
            }
            let cannot = |error| Failure::Input(format!("cannot write {}: {error}", file.display()));
            files::write(file, dot.as_bytes()).map_err(cannot)?;
        }
    }
    if graph.is_complete() {
        return Ok(ExitCode::Success);
    }
    let most = plural(args.states as u64, "state");
    terminal.note(&format!("only the first {most} are expanded; --states N draws more"));
    Ok(ExitCode::Bounded)
}

/// Whether two names are of one file.
fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
