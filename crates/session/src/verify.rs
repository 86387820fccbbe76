//! Believing nothing that does not replay: findings of searches and runs of traces.

use crate::{Error, Session};
use allways_model::{Model, ViolationKind};
use allways_report::{TraceFile, plural};
use allways_search::Finding;
use std::path::Path;

/// Follows the path of a finding from the beginning with a new cursor, and meets its violation again.
///
/// # Errors
/// An internal error: the search and the model disagree, and neither is to be believed.
pub(crate) fn finding(model: &dyn Model, finding: &Finding) -> Result<(), Error> {
    let wrong = |reason: String| {
        Error::Internal(format!(
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

impl Session {
    /// Follows the run of a trace to its end, and meets the violation that it promises.
    ///
    /// # Errors
    /// If the steps are not possible, or lead to something else.
    pub fn verify(&self, trace: &TraceFile, file: &Path) -> Result<(), Error> {
        self.with_model(|model| self.verify_in(model, trace, file))
    }

    fn verify_in(&self, model: &dyn Model, trace: &TraceFile, file: &Path) -> Result<(), Error> {
        let corrupt = |what: &dyn std::fmt::Display| {
            Error::Input(format!("{}: corrupt trace, {what}", file.display()))
        };
        if let Some(cycle) = trace.cycle {
            if let Some(id) = trace.violation.as_ref().filter(|id| **id != self.violation_by_cycle().id()) {
                return Err(corrupt(&format!(
                    "a cycle of this property shows {}, not {}",
                    ViolationKind::AcceptanceCycle.name(),
                    id.kind.name()
                )));
            }
            return allways_search::replay_lasso(model, &trace.path, cycle)
                .map(|_| ())
                .map_err(|error| corrupt(&error));
        }
        let met =
            allways_search::walk(model, &trace.path, &mut |_| {}).map_err(|error| corrupt(&error))?;
        match &trace.violation {
            Some(id) if !met.iter().any(|violation| violation.id() == *id) => {
                Err(corrupt(&format!("its steps do not end in the {} it promises", id.kind.name())))
            }
            _ => Ok(()),
        }
    }
}
