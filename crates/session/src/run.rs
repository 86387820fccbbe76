//! Runs of a model step by step, for replays, simulators and explorers.

use crate::walker::Walker;
use crate::{Error, Session};
use allways_model::{Fault, Move, Path, StepKey, Violation};

/// A step of a run.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its key.
    pub key: StepKey,
    /// What happened in it.
    pub moves: Vec<Move>,
    /// The state after it; the state before, if the step ended in a violation and in no state.
    pub state: Vec<u8>,
}

/// A run from the initial state.
#[derive(Clone, Debug)]
pub struct Run {
    /// The initial state.
    pub initial: Vec<u8>,
    /// The steps.
    pub steps: Vec<Step>,
    /// What is wrong at its end: met during the last step, or with the last state itself.
    pub violations: Vec<Violation>,
}

/// A step that is possible.
#[derive(Clone, Debug)]
pub struct Successor {
    /// Its key.
    pub key: StepKey,
    /// What would happen.
    pub moves: Vec<Move>,
}

impl Session {
    /// Follows a path from the initial state, with the values that the program really has.
    ///
    /// ```
    /// # use allways_session::{Request, Session};
    /// # use allways_model::{Digest, Path};
    /// let file = std::env::temp_dir().join("replay-doc.pml");
    /// std::fs::write(&file, "init { skip }").unwrap();
    /// let session = Session::open(Request::new(&file)).unwrap();
    /// let foreign = Path { model: Digest([0; 16]), steps: Vec::new() };
    /// assert!(session.replay(&foreign).is_err(), "its keys mean nothing here");
    /// ```
    ///
    /// # Errors
    /// If the path belongs to another model, or is not possible.
    pub fn replay(&self, path: &Path) -> Result<Run, Error> {
        self.refuse_foreign(path)?;
        self.with_shown(Some(path), |model| {
            let mut walker = Walker::new(model).map_err(cannot_start)?;
            let mut run = Run { initial: walker.state().to_vec(), steps: Vec::new(), violations: Vec::new() };
            for (idx, &key) in path.steps.iter().enumerate() {
                let moves = walker.explain(key);
                let taken = walker.take(key).ok_or_else(|| impossible(idx))?;
                run.violations = taken.wrong;
                run.steps.push(Step { key, moves, state: walker.state().to_vec() });
            }
            run.violations.extend(walker.look().wrong);
            for violation in &mut run.violations {
                violation.background = model.background(&path.steps, violation);
            }
            Ok(run)
        })?
    }

    /// The steps that are possible after a path: what an explorer or a simulator offers.
    ///
    /// ```
    /// # use allways_session::{Request, Session};
    /// # use allways_model::{Path, StepKey};
    /// let file = std::env::temp_dir().join("successors-doc.pml");
    /// std::fs::write(&file, "byte x; active proctype p() { if :: x = 1 :: x = 2 fi }").unwrap();
    /// let session = Session::open(Request::new(&file)).unwrap();
    /// let start = Path { model: session.with_model(|model| model.digest()), steps: Vec::new() };
    /// let successors = session.successors(&start).unwrap();
    /// assert_eq!(successors.len(), 2);
    /// assert_eq!(successors[1].moves[0].text, "x = 2");
    /// ```
    ///
    /// # Errors
    /// If the path belongs to another model, is not possible, or the tool does not support what comes after
    /// it.
    pub fn successors(&self, path: &Path) -> Result<Vec<Successor>, Error> {
        self.refuse_foreign(path)?;
        self.with_shown(Some(path), |model| {
            let mut walker = Walker::new(model).map_err(cannot_start)?;
            for (idx, &key) in path.steps.iter().enumerate() {
                walker.take(key).ok_or_else(|| impossible(idx))?;
            }
            let choices = walker.look();
            if let Some(fault) = choices.fault {
                return Err(cannot_start(fault));
            }
            Ok(choices.keys.into_iter().map(|key| Successor { key, moves: walker.explain(key) }).collect())
        })?
    }
}

impl Session {
    /// Keys mean something in one state space only.
    fn refuse_foreign(&self, path: &Path) -> Result<(), Error> {
        if path.model == self.with_model(|model| model.digest()) {
            return Ok(());
        }
        Err(Error::Input("the path belongs to another model, or to this one with another property".into()))
    }
}

fn impossible(idx: usize) -> Error {
    Error::Input(format!("step {} of the path is not possible", idx + 1))
}

fn cannot_start(fault: Fault) -> Error {
    let what = allways_report::Unsupported { message: fault.message, location: fault.location };
    Error::Unsupported(vec![what], crate::Diagnostics::default())
}
