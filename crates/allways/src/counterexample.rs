//! Counterexamples as text.

use crate::failure::Failure;
use crate::view::{Cycle, follow};
use allways_model::Model;
use allways_report::{Paint, RunView, plural};
use allways_search::Finding;
use std::io::Write;

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
    let view = RunView::steps(model, paint, (!full).then_some(n_steps));
    let cycle = finding.cycle.map(|start| Cycle { start, violation: violation.clone() });
    follow(model, view, out, &finding.path, cycle.as_ref(), |met| met.is_same(violation))?;
    writeln!(out)?;
    Ok(())
}
