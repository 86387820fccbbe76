//! The model in which runs are shown.
//!
//! A Promela model may be searched with variables reset where they are not read again. People must see the
//! values that the program really has, so its runs are shown in a program that keeps them. The keys of its
//! steps are the same. That both programs take the same steps is checked for every run before it is shown; if
//! they do not, it is an internal error.

use crate::Error;
use crate::session::{Session, Subject};
use crate::walker::Walker;
use allways_model::{Lessons, Model, Path, Violation};
use allways_promela::Program;

impl Session {
    /// Calls `show` with the model in which runs of this one are shown; `path` is the one that will be shown,
    /// if it is known.
    ///
    /// # Errors
    /// An internal error if `path` is not the same run in both.
    pub fn with_shown<T>(&self, path: Option<&Path>, show: impl FnOnce(&dyn Model) -> T) -> Result<T, Error> {
        self.with_shown_refined(path, Lessons::none(), show)
    }

    /// As [`Session::with_shown`], for a run that was found with `lessons`.
    ///
    /// # Errors
    /// As [`Session::with_shown`].
    pub fn with_shown_refined<T>(
        &self,
        path: Option<&Path>,
        lessons: &Lessons,
        show: impl FnOnce(&dyn Model) -> T,
    ) -> Result<T, Error> {
        let own = self.parts.subject.model();
        let Subject::Promela(program) = &self.parts.subject else {
            return Ok(self.with_model_of(own, lessons, show));
        };
        let Some(real) = program.with_real_values() else {
            return Ok(self.with_model_of(own, lessons, show));
        };
        self.with_model_of(&real, lessons, |shown| {
            if let Some(path) = path {
                let differs = |step| {
                    Error::Internal(format!(
                        "step {step} is another one in the program that keeps all values"
                    ))
                };
                self.with_model_of(own, lessons, |searched| compare(program, searched, shown, path))
                    .map_err(differs)?;
            }
            Ok(show(shown))
        })
    }
}

/// Follows `path` in both models; the number of the first step after which they are not in the same state.
fn compare(program: &Program, searched: &dyn Model, shown: &dyn Model, path: &Path) -> Result<(), usize> {
    let start = |model| Walker::new(model).map_err(|_| 0_usize);
    let (mut a, mut b) = (start(searched)?, start(shown)?);
    let same_state = |a: &Walker<'_>, b: &Walker<'_>| {
        let mut state = b.state().to_vec();
        // The states of a product begin with the program's.
        program.forget(&mut state);
        state == a.state()
    };
    for (idx, &key) in path.steps.iter().enumerate() {
        let (Some(ours), Some(theirs)) = (a.take(key), b.take(key)) else { return Err(idx + 1) };
        let is_same = ours.moved == theirs.moved && alike(&ours.wrong, &theirs.wrong) && same_state(&a, &b);
        if !is_same {
            return Err(idx + 1);
        }
    }
    let is_same = same_state(&a, &b) && alike(&a.look().wrong, &b.look().wrong);
    if is_same { Ok(()) } else { Err(path.steps.len()) }
}

fn alike(a: &[Violation], b: &[Violation]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same(b))
}
