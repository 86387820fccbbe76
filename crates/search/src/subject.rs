//! What is searched: a model, and what is known about it.

use crate::control::Control;
use allways_model::{Cursor, Digest, Lessons, Model};

/// A model and the lessons that its cursors are given.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) model: &'a dyn Model,
    lessons: &'a Lessons,
}

impl<'a> Subject<'a> {
    pub(crate) fn new(model: &'a dyn Model, lessons: &'a Lessons) -> Self {
        Self { model, lessons }
    }

    /// A model of which nothing was learnt, or which knows it.
    pub(crate) fn plain(model: &'a dyn Model) -> Self {
        Self { model, lessons: Lessons::none() }
    }

    pub(crate) fn cursor(self) -> Box<dyn Cursor + 'a> {
        self.model.cursor(self.lessons)
    }

    /// A cursor whose expansions end when the search stops.
    pub(crate) fn limited_cursor(self, control: &Control) -> Box<dyn Cursor + 'a> {
        let mut cursor = self.cursor();
        cursor.limit(&control.limiter);
        cursor
    }

    pub(crate) fn digest(self) -> Digest {
        self.model.digest()
    }
}
