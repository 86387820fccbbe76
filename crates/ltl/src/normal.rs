//! Queries and transformations of a formula that need its negation normal form.

use crate::error::Error;
use crate::formula::Formula;
use crate::pool::{Pool, Traits};

impl Formula {
    /// An equivalent formula in which only atoms are negated, without other rewriting.
    pub fn normal_form(&self) -> Result<Formula, Error> {
        let mut pool = Pool::new(false);
        let id = pool.import(self, false)?;
        Ok(pool.export(id))
    }

    /// An equivalent formula that is simpler, in negation normal form.
    pub fn simplify(&self) -> Result<Formula, Error> {
        let mut pool = Pool::new(true);
        let id = pool.import(self, false)?;
        Ok(pool.export(id))
    }

    /// Whether the form of the formula shows that a run that violates it does so after finitely many states.
    pub fn is_syntactically_safe(&self) -> bool {
        self.traits().is_ok_and(|traits| traits.safe)
    }

    /// Whether the form of the formula shows that a run that satisfies it does so after finitely many states.
    pub fn is_syntactically_co_safe(&self) -> bool {
        self.traits().is_ok_and(|traits| traits.co_safe)
    }

    /// Whether the form of the formula shows that it holds in a state whenever it holds in a later one.
    pub fn is_purely_eventual(&self) -> bool {
        self.traits().is_ok_and(|traits| traits.eventual)
    }

    /// Whether the form of the formula shows that it continues to hold once it holds.
    pub fn is_purely_universal(&self) -> bool {
        self.traits().is_ok_and(|traits| traits.universal)
    }

    fn traits(&self) -> Result<Traits, Error> {
        let mut pool = Pool::new(true);
        let id = pool.import(self, false)?;
        Ok(pool.traits(id))
    }
}
