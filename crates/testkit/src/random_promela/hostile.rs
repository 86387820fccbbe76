//! Statements on which SPIN's verifier crashes, hangs, or reads memory that is not its own.
//!
//! They are for robustness only: a checker must answer such a model with an error, and counts mean nothing.

use super::feature::Feature as F;
use super::generator::{Gen, Lines};

impl Gen {
    /// A statement with no defined count.
    pub(super) fn hostile(&mut self) -> Lines {
        self.mark(F::Hostile);
        let places = self.readable();
        let name =
            self.rng.pick_any(&places).cloned().map_or("_pid".to_string(), |p| self.const_path(&p.segs));
        let array =
            places.iter().find(|p| p.segs.len() == 1 && p.segs[0].len.is_some() && p.writable).cloned();
        match (self.rng.below(9), array) {
            (0, Some(array)) => vec![format!("{}[{name} + 2] = 1", array.segs[0].name)],
            (1, Some(array)) => vec![format!("{}[{name} - 1] == 0", array.segs[0].name)],
            (2, _) => vec![format!("_ = 7 / {name}")],
            (3, _) => vec![format!("_ = 7 % ({name} - 1)")],
            (4, _) => vec!["d_step { skip; false; skip }".into()],
            (5, _) => vec![format!("_ = 1 << ({name} * 40)")],
            (6, _) => vec!["chan nil;".into(), "nil!1".into()],
            (7, _) => vec![format!("_ = 1 << (-{name})")],
            _ => vec!["atomic { do :: true -> skip od }".into()],
        }
    }
}
