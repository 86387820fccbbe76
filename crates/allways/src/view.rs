//! Runs on the terminal: a path is walked again, and a view shows what is met.

use crate::failure::Failure;
use allways_model::{Model, Path, Violation};
use allways_report::{RunEnd, RunView};
use allways_session::Walker;
use std::io::Write;

/// A run that never ends.
pub(crate) struct Cycle {
    /// After how many steps it begins to repeat itself.
    pub(crate) start: usize,
    /// What is wrong with that.
    pub(crate) violation: Violation,
}

/// Shows `path` from its beginning to its end, and what is `wrong` there.
///
/// # Errors
/// If the path cannot be followed, which is a contradiction for one that was replayed before.
pub(crate) fn follow(
    model: &dyn Model,
    mut view: RunView<'_>,
    out: &mut dyn Write,
    path: &Path,
    cycle: Option<&Cycle>,
    wrong: impl Fn(&Violation) -> bool,
) -> Result<(), Failure> {
    let mut walker = start(model)?;
    view.recent().begin(walker.state());
    let (mut moved, mut failing, mut violations) = (true, None, Vec::new());
    for (idx, &key) in path.steps.iter().enumerate() {
        let number = idx as u64 + 1;
        if cycle.is_some_and(|cycle| cycle.start == idx) {
            view.remark(out, "for ever:")?;
        }
        let moves = if view.wants(number) { walker.explain(key) } else { Vec::new() };
        let taken = walker.take(key);
        let taken =
            taken.ok_or_else(|| Failure::Internal(format!("step {number} is possible only sometimes")))?;
        (moved, failing, violations) = (taken.moved, taken.failing, taken.wrong);
        view.step(out, number, key, moves, walker.state())?;
    }
    violations.extend(walker.look().wrong);
    let mut violation = violations.into_iter().find(|violation| wrong(violation));
    if let Some(violation) = &mut violation {
        violation.background = model.background(&path.steps, violation);
    }
    if let Some(Cycle { start, violation: endless }) = cycle {
        view.remark(out, &format!("and so on, from step {} again", start + 1))?;
        violation = Some(endless.clone());
    }
    let end = RunEnd {
        state: walker.state(),
        moved,
        failing: failing.as_ref(),
        violation: violation.as_ref(),
        cycle: cycle.map(|cycle| cycle.start),
    };
    Ok(view.end(out, &end)?)
}

/// A walker at the beginning of a model that was started before.
pub(crate) fn start(model: &dyn Model) -> Result<Walker<'_>, Failure> {
    let again = |what| Failure::Internal(format!("the model does not start twice: {what}"));
    Walker::new(model).map_err(|fault| again(fault.message))
}
