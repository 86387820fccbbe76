//! Counterexamples: believed only after a replay, then written to a trace file and shown.

use crate::cli::ModelArgs;
use crate::failure::Failure;
use crate::property::Property;
use crate::view::{Cycle, View};
use allways_model::{Model, Violation};
use allways_report::{Paint, Shown, TraceFile, plural};
use allways_search::Finding;
use std::io::Write;
use std::path::Path;

/// Follows the path of a finding from the beginning with a new cursor, and meets its violation again.
///
/// # Errors
/// An internal error: the search and the model disagree, and neither is to be believed.
pub(crate) fn verify(model: &dyn Model, finding: &Finding) -> Result<(), Failure> {
    let wrong = |reason: String| {
        Failure::Internal(format!(
            "the search reports '{}' after {}, but {reason}",
            finding.violation.message(),
            plural(finding.path.steps.len() as u64, "step")
        ))
    };
    if let Some(cycle) = finding.cycle {
        let replayed = allways_search::replay_lasso(model, &finding.path, cycle);
        return replayed.map(|_| ()).map_err(|error| wrong(format!("its cycle cannot be replayed: {error}")));
    }
    let met = allways_search::walk(model, &finding.path, &mut |_| {})
        .map_err(|error| wrong(format!("its path cannot be replayed: {error}")))?;
    if met.iter().any(|violation| violation.is_same(&finding.violation)) {
        Ok(())
    } else {
        Err(wrong("a replay of its path does not end in it".into()))
    }
}

/// The trace file of a run of `model_file`.
pub(crate) fn trace_file(
    model_file: &Path,
    options: &ModelArgs,
    violation: Option<&Violation>,
    path: allways_model::Path,
    cycle: Option<usize>,
) -> TraceFile {
    TraceFile {
        model: model_file.to_string_lossy().into_owned(),
        defines: options.define.clone(),
        undefines: options.undefine.clone(),
        includes: options.include.iter().map(|dir| dir.to_string_lossy().into_owned()).collect(),
        property: (options.property != Property::Safety).then(|| options.property.to_string()),
        fair: options.fair,
        java: crate::java::trace_part(model_file, options),
        cycle,
        violation: violation.map(|violation| Shown {
            kind: violation.kind().name().into(),
            message: violation.message(),
            location: violation.location.clone(),
        }),
        path,
    }
}

/// How long a run is.
pub(crate) fn length(n_steps: u64, cycle: Option<usize>) -> String {
    match cycle {
        None => plural(n_steps, "step"),
        Some(0) => format!("a cycle of {} for ever", plural(n_steps, "step")),
        Some(start) => {
            let cycle = plural(n_steps - start as u64, "step");
            format!("{} and then a cycle of {cycle} for ever", plural(start as u64, "step"))
        }
    }
}

/// Shows the steps of a finding and the state it ends in.
pub(crate) fn show(
    model: &dyn Model,
    finding: &Finding,
    out: &mut dyn Write,
    paint: Paint,
    full: bool,
) -> Result<(), Failure> {
    let n_steps = finding.path.steps.len() as u64;
    let violation = &finding.violation;
    let at = violation.location.as_ref().map_or(String::new(), |at| format!(" at {at}"));
    let title = format!("{}{at}", violation.message());
    writeln!(out, "{} {}, {}", paint.bad("counterexample:"), title, length(n_steps, finding.cycle))?;
    let mut view = View::steps(model, paint, (!full).then_some(n_steps));
    let cycle = finding.cycle.map(|start| Cycle { start, violation: violation.clone() });
    view.follow(out, &finding.path, cycle.as_ref(), |met| met.is_same(violation))?;
    writeln!(out)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::Toy;
    use allways_model::{Path, StepKey};

    fn finding(toy: &Toy, steps: &[u64]) -> Finding {
        let violation = Violation {
            key: steps.last().map(|key| StepKey(*key)),
            location: Some(allways_model::Location { file: "toy.pml".into(), line: 3, column: 1 }),
            ..Violation::new(&crate::toy::TOO_LARGE)
        };
        let steps = steps.iter().map(|key| StepKey(*key)).collect();
        Finding { violation, path: Path { model: toy.digest(), steps }, cycle: None }
    }

    #[test]
    fn a_true_counterexample_is_believed() {
        let toy = Toy::racing();
        assert!(verify(&toy, &finding(&toy, &[0, 1, 0, 0])).is_ok());
    }

    #[test]
    fn a_false_one_is_an_internal_error() {
        let toy = Toy::racing();
        let error = |steps: &[u64]| verify(&toy, &finding(&toy, steps)).unwrap_err().to_string();
        assert!(error(&[0, 1, 7]).contains("cannot be replayed: step 3 of the path is not possible"));
        assert!(error(&[0, 1]).contains("a replay of its path does not end in it"));
        let other = Toy::new(9, false);
        assert!(verify(&other, &finding(&toy, &[0, 1, 0, 0])).is_err());
    }
}
