//! Believing nothing that does not replay: findings of searches and runs of traces.

use crate::{Error, Session};
use allways_model::{Model, Violation, ViolationId};
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
    /// Follows the run of a trace to its end, and gives the violation that it promises, as it was met.
    ///
    /// # Errors
    /// If the steps are not possible, or lead to something else.
    pub fn verify(&self, trace: &TraceFile, file: &Path) -> Result<Option<Violation>, Error> {
        self.with_model(|model| self.verify_in(model, trace, file))
    }

    /// The identity of a violation, with the model called as in its specification.
    fn named(&self, mut id: ViolationId) -> ViolationId {
        let file = self.request.model.file_name().map(|name| name.to_string_lossy().into_owned());
        let own = id.facts.iter_mut().filter(|(name, value)| name == "file" && file.as_ref() == Some(value));
        own.for_each(|(_, value)| *value = self.request.model_name());
        id
    }

    fn verify_in(
        &self,
        model: &dyn Model,
        trace: &TraceFile,
        file: &Path,
    ) -> Result<Option<Violation>, Error> {
        let corrupt =
            |what: &dyn std::fmt::Display| Error::Input(format!("{}: corrupt trace, {what}", file.display()));
        if let Some(cycle) = trace.cycle {
            let violation = self.violation_by_cycle();
            if let Some(id) = trace.violation.as_ref().filter(|id| **id != violation.id()) {
                return Err(corrupt(&format!(
                    "its steps end in '{}', and not in the {} it promises",
                    violation.message(),
                    id.kind.name()
                )));
            }
            return allways_search::replay_lasso(model, &trace.path, cycle)
                .map(|_| Some(violation))
                .map_err(|error| corrupt(&error));
        }
        let met = allways_search::walk(model, &trace.path, &mut |_| {}).map_err(|error| corrupt(&error))?;
        let Some(id) = &trace.violation else { return Ok(met.into_iter().next()) };
        let kind = id.kind.name();
        let promised = met.into_iter().find(|violation| self.named(violation.id()) == *id).map(|mut met| {
            met.background = model.background(&trace.path.steps, &met);
            met
        });
        promised.map(Some).ok_or_else(|| corrupt(&format!("its steps do not end in the {kind} it promises")))
    }
}
