//! `--symmetry`: a search that does not tell interchangeable processes apart, told in terms of the program.
//!
//! What the search finds are paths of the symmetric model; each is turned into a run of the program before anybody sees
//! it, so that everything behind (replay, traces, charts) knows nothing of symmetry.

use crate::failure::Failure;
use allways_model::Model;
use allways_promela::{Program, Symmetric};
use allways_search::{End, Finding, Outcome};

/// Searches the symmetric model with `search`, and gives the outcome with runs of the program, and notes on what is
/// symmetric and what is not.
///
/// # Errors
/// An internal error if a path of the symmetric model stands for no run.
pub(crate) fn search(
    program: &Program,
    search: impl FnOnce(&dyn Model) -> Outcome,
) -> Result<(Outcome, Vec<String>), Failure> {
    let symmetric = Symmetric::new(program);
    let mut outcome = search(&symmetric);
    let internal = |why: String| Failure::Internal(format!("symmetry: {why}"));
    for finding in &mut outcome.findings {
        let (path, violation) =
            symmetric.concrete(&finding.path, Some(&finding.violation)).map_err(internal)?;
        let violation = violation.unwrap_or_else(|| finding.violation.clone());
        *finding = Finding { violation, path };
    }
    if let End::Faulted(_, path) = &mut outcome.end {
        *path = symmetric.concrete(path, None).map_err(internal)?.0;
    }
    Ok((outcome, notes(&symmetric)))
}

/// What is symmetric, and why other process types are not.
pub(crate) fn notes(symmetric: &Symmetric<'_>) -> Vec<String> {
    let types = symmetric.types();
    let mut notes = Vec::new();
    if !types.is_empty() {
        let names: Vec<&str> = types.iter().map(|name| name.trim_matches(':')).collect();
        notes.push(format!("processes of one type are interchangeable: {}", names.join(", ")));
    }
    for (name, reason) in symmetric.reasons() {
        notes.push(format!("processes of type {} are not: {reason}", name.trim_matches(':')));
    }
    notes
}
