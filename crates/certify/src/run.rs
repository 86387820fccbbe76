//! The certificate of a violation: a run, step by step, that the certifier follows in its own model.

use crate::veracity::{Deviation, Error};
use allways_model::certificate::Frame;
use allways_model::certificate::script::take_varint;
use allways_model::{Batch, Cursor, Halt, Lessons, Model, StepKey, Violation};

/// Reads the keys of a run.
///
/// # Errors
/// If a block does not hold as many keys as it claims.
pub(crate) fn keys(
    blocks: impl Iterator<Item = Result<(Frame, Vec<u8>), Error>>,
) -> Result<Vec<StepKey>, Error> {
    let mut keys = Vec::new();
    for block in blocks {
        let (frame, raw) = block?;
        let mut rest = raw.as_slice();
        for _ in 0..frame.n_tokens {
            let key = take_varint(&mut rest)
                .ok_or_else(|| Deviation::Malformed("a block has fewer steps than it claims".into()))?;
            keys.push(StepKey(key));
        }
        if !rest.is_empty() {
            return Err(Deviation::Malformed("something is left over at the end of a block".into()).into());
        }
    }
    Ok(keys)
}

/// Follows a run and gives what is wrong at its end: during its last step, or in the state that it leads to.
///
/// # Errors
/// If a step is not possible.
pub(crate) fn follow(
    model: &dyn Model,
    lessons: &Lessons,
    keys: &[StepKey],
) -> Result<Vec<Violation>, Error> {
    let mut run = Run::begin(model, lessons)?;
    for (idx, key) in keys.iter().enumerate() {
        run.take(*key, idx as u64 + 1, idx + 1 == keys.len())?;
    }
    run.look()
}

/// Follows a run that never ends, and gives whether its cycle passes an accepting state.
///
/// # Errors
/// If a step is not possible, or the run does not end in the state in which its cycle begins.
pub(crate) fn follow_cycle(
    model: &dyn Model,
    lessons: &Lessons,
    keys: &[StepKey],
    cycle: u64,
) -> Result<bool, Error> {
    let start = usize::try_from(cycle).ok().filter(|start| *start < keys.len());
    let start = start.ok_or_else(|| Deviation::NotViolated("the cycle of the run has no step".into()))?;
    let mut run = Run::begin(model, lessons)?;
    let (mut at_start, mut accepts) = (Vec::new(), false);
    for (idx, key) in keys.iter().enumerate() {
        if idx == start {
            at_start.clone_from(&run.state);
        }
        accepts |= idx >= start && run.is_accepting();
        run.take(*key, idx as u64 + 1, false)?;
    }
    if run.state != at_start {
        return Err(Deviation::NotViolated("the cycle of the run does not close".into()).into());
    }
    Ok(accepts)
}

/// A run under way.
struct Run<'a> {
    cursor: Box<dyn Cursor + 'a>,
    batch: Batch,
    state: Vec<u8>,
    met: Vec<Violation>,
    /// Whether the last step ended in a violation and in no state.
    is_over: bool,
}

impl<'a> Run<'a> {
    fn begin(model: &'a dyn Model, lessons: &Lessons) -> Result<Self, Error> {
        let (mut cursor, mut batch) = (model.cursor(lessons), Batch::new());
        settle(cursor.initial(&mut batch))?;
        let met = batch.violations().to_vec();
        let state = if batch.is_empty() { Vec::new() } else { batch.vector(0).to_vec() };
        Ok(Self { cursor, batch, state, met, is_over: false })
    }

    fn expand(&mut self) -> Result<(), Error> {
        self.cursor.load(&self.state);
        self.batch.clear();
        settle(self.cursor.expand(&mut self.batch))
    }

    /// Takes a step, from 1 on; the last one may end in a violation alone.
    fn take(&mut self, key: StepKey, step: u64, is_last: bool) -> Result<(), Error> {
        self.expand()?;
        self.met = self.batch.violations().iter().filter(|one| one.key == Some(key)).cloned().collect();
        match self.batch.entries().iter().position(|entry| entry.key == key) {
            Some(idx) => self.state = self.batch.vector(idx).to_vec(),
            None if is_last && !self.met.is_empty() => self.is_over = true,
            None => return Err(Deviation::NoStep { step }.into()),
        }
        Ok(())
    }

    fn is_accepting(&mut self) -> bool {
        self.cursor.load(&self.state);
        self.cursor.accepting()
    }

    /// What is wrong at the end.
    fn look(mut self) -> Result<Vec<Violation>, Error> {
        if !self.is_over {
            self.expand()?;
            self.met.extend(self.batch.violations().iter().filter(|one| one.key.is_none()).cloned());
        }
        Ok(self.met)
    }
}

/// A run is followed with what the search had learnt when it was found; what can be learnt beyond that does
/// not make a violation undone.
fn settle(expanded: Result<(), Halt>) -> Result<(), Error> {
    match expanded.map_err(Halt::into_fault) {
        Ok(()) | Err(None) => Ok(()),
        Err(Some(fault)) => Err(Deviation::Fault(fault).into()),
    }
}
