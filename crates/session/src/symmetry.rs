//! `--symmetry`: a search that does not tell interchangeable processes apart, told in terms of the program.
//!
//! What the search finds are paths of the symmetric model; each is turned into a run of the program before
//! anybody sees it, so that everything behind (replay, traces, charts) knows nothing of symmetry.

use allways_model::Model;
use allways_promela::{Program, Symmetric};
use allways_search::{End, Finding, Outcome};

/// What came of `--symmetry`.
#[derive(Default)]
pub(crate) struct Symmetry {
    /// What is symmetric and what is not.
    pub(crate) notes: Vec<String>,
    /// Why it had no effect, if it had none.
    pub(crate) useless: Option<String>,
}

/// Searches the symmetric model with `search`, and gives the outcome with runs of the program, and what there
/// is to say about its symmetry. A normal form need not be the only one of its states, and then a path may
/// not be found again among the runs of the program: in that case the program itself is searched, and the
/// first note says so.
pub(crate) fn search(program: &Program, search: impl Fn(&dyn Model) -> Outcome) -> (Outcome, Symmetry) {
    let symmetric = Symmetric::new(program);
    if symmetric.types().is_empty() {
        let useless = Some(format!("--symmetry had no effect: {}", reasons(&symmetric)));
        return (search(program), Symmetry { notes: notes(&symmetric), useless });
    }
    let mut outcome = search(&symmetric);
    let mut symmetry = Symmetry { notes: Vec::new(), useless: None };
    if turn_into_runs(&symmetric, &mut outcome).is_err() {
        let again = "no run of the program matches what was found; it was searched again without symmetry";
        symmetry.useless = Some(format!("--symmetry had no effect: {again}"));
        symmetry.notes.push(again.into());
        outcome = search(program);
    } else if !symmetric.has_moved() {
        symmetry.useless = Some(
            "--symmetry had no effect: no two states differed only in which of several interchangeable \
             processes does what (a process that can end is interchanged only while one that cannot end was \
             started after it)"
                .into(),
        );
    }
    symmetry.notes.extend(notes(&symmetric));
    (outcome, symmetry)
}

/// Why no processes are interchangeable.
fn reasons(symmetric: &Symmetric<'_>) -> String {
    let reasons: Vec<String> = symmetric
        .reasons()
        .iter()
        .map(|(name, reason)| {
            format!("processes of type {} are not interchangeable: {reason}", name.trim_matches(':'))
        })
        .collect();
    match reasons.is_empty() {
        true => "the model has no two processes of one type".into(),
        false => reasons.join("; "),
    }
}

/// Turns all paths of an outcome into runs of the program.
fn turn_into_runs(symmetric: &Symmetric<'_>, outcome: &mut Outcome) -> Result<(), String> {
    for finding in &mut outcome.findings {
        let (path, violation) = symmetric.concrete(&finding.path, Some(&finding.violation))?;
        let violation = violation.unwrap_or_else(|| finding.violation.clone());
        *finding = Finding { violation, path, cycle: None };
    }
    if let End::Faulted(_, path) = &mut outcome.end {
        *path = symmetric.concrete(path, None)?.0;
    }
    Ok(())
}

/// What is symmetric, and why other process types are not.
fn notes(symmetric: &Symmetric<'_>) -> Vec<String> {
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
