//! Names whose declaration changes how later text is read.
//!
//! SPIN numbers symbolic constants from the end of each declaration (`{ a, b, c }` makes c 1, b 2, a 3) and
//! goes on counting in later declarations of the same kind. Constant expressions need the values already
//! while parsing.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::InlineDef;

/// The names declared so far.
#[derive(Default)]
pub struct Names {
    /// Names of typedefs.
    pub typedefs: HashSet<Arc<str>>,
    /// Names of process types.
    pub proctypes: HashSet<Arc<str>>,
    /// Inlines.
    pub inlines: HashMap<Arc<str>, Rc<InlineDef>>,
    mtypes: HashMap<Arc<str>, i32>,
    mtype_counts: HashMap<Arc<str>, i32>,
}

impl Names {
    /// The value of a symbolic constant.
    pub fn mtype(&self, name: &str) -> Option<i32> {
        self.mtypes.get(name).copied()
    }

    /// Declares symbolic constants of one kind (`""` for plain `mtype`). Returns the number of constants that
    /// the kind now has.
    pub fn declare_mtypes(&mut self, kind: &Arc<str>, names: &[Arc<str>]) -> i32 {
        let count = self.mtype_counts.entry(kind.clone()).or_insert(0);
        for name in names.iter().rev() {
            *count += 1;
            self.mtypes.entry(name.clone()).or_insert(*count);
        }
        *count
    }
}
