//! `--observe`: variables that the reductions keep for conditions that are asked about later.
//!
//! The reads of an observed variable are propositions of the observer (`reduce::observed`), after those of
//! the property in `Lowered::propositions`. No claim uses their numbers, and every reduction preserves their
//! values. So a condition over observed variables alone can be evaluated later, in the states of the reduced
//! graph.

use crate::ir::{Base, Expr, Notation, ScalarPlace, Type, Variable};
use crate::lower::{ClaimBody, Lowered, Proposition};
use crate::program::Program;
use crate::reduce::{Read, unobserved};
use crate::syntax::ast::{ChanQuery, Span};
use allways_ltl::Formula;

/// What a condition reads in addition to the observed variables.
pub type Unobserved = Vec<String>;

impl Program {
    /// The same program with these global variables observed, before its [reductions](Self::with_reductions)
    /// and after its [property](Self::watched).
    ///
    /// # Errors
    /// If the model has no global variable of such a name.
    pub fn observing<'n>(mut self, names: impl Iterator<Item = &'n str>) -> Result<Self, String> {
        let reads = observed(self.lowered(), names)?;
        if !reads.is_empty() {
            self.observe(reads);
        }
        Ok(self)
    }

    /// The program with the propositions of a formula that is checked on a graph which was reduced without
    /// it; to be called before its reductions. Also returns the formula with this index, and what its
    /// propositions read in addition to the observed variables. The formula is then not a claim of the
    /// program: reductions that models with claims do without stay on, as they were for the graph.
    ///
    /// # Errors
    /// If there is no such formula or no such variable.
    pub fn asked<'n>(
        mut self,
        idx: usize,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<(Self, Formula, Unobserved), String> {
        let (formula, propositions) = self.formula(idx).ok_or("it is not a formula")?;
        let propositions: Vec<Expr> = propositions.into_iter().map(|one| one.expr).collect();
        let reads = observed(self.lowered(), names)?;
        let mut missing = Unobserved::new();
        for read in unobserved(&propositions, &reads) {
            let name = self.shown(read);
            if !missing.contains(&name) {
                missing.push(name);
            }
        }
        self.set_watched(propositions, false, false);
        self.remove_claim(idx);
        if !reads.is_empty() {
            self.observe(reads);
        }
        Ok((self, formula, missing))
    }

    /// A formula of the model with its propositions.
    fn formula(&self, idx: usize) -> Option<(Formula, Vec<Proposition>)> {
        match &self.lowered().claims.get(idx)?.body {
            ClaimBody::Formula(formula, propositions) => Some((formula.clone(), propositions.clone())),
            ClaimBody::Never(_) => None,
        }
    }

    /// Describes what a proposition reads.
    fn shown(&self, read: Read) -> String {
        match read {
            Read::Global(offset) => {
                let may_be = |one: &&Variable| one.base == Base::Global && one.offset <= offset;
                let variable = self.lowered().globals.iter().filter(may_be).max_by_key(|one| one.offset);
                variable.map_or_else(|| "a global variable".into(), |one| format!("`{}`", one.name))
            }
            Read::Channel => "the messages of a channel".into(),
            Read::Other => "what processes do (their variables, labels or number)".into(),
        }
    }
}

/// Reads of all parts of global variables.
fn observed<'n>(lowered: &Lowered, names: impl Iterator<Item = &'n str>) -> Result<Vec<Expr>, String> {
    let mut reads = Vec::new();
    for name in names {
        let known = lowered.globals.iter().find(|one| &*one.name == name && one.base == Base::Global);
        let variable = known.ok_or_else(|| format!("the model has no global variable `{name}`"))?;
        parts(lowered, variable, 0, &mut reads);
    }
    Ok(reads)
}

/// Reads of the scalars of a variable, whose offset counts from `start`. For channels, also of their
/// contents.
fn parts(lowered: &Lowered, variable: &Variable, start: u32, reads: &mut Vec<Expr>) {
    let size = match &variable.ty {
        Type::Scalar(scalar, _) => scalar.size(),
        Type::Record(idx) => lowered.records[*idx as usize].size,
    };
    for idx in 0..variable.array.unwrap_or(1) {
        let offset = start + variable.offset + idx * size;
        match &variable.ty {
            Type::Record(record) => {
                let record = &lowered.records[*record as usize];
                record.fields.iter().for_each(|field| parts(lowered, field, offset, reads));
            }
            Type::Scalar(scalar, notation) => {
                let place = ScalarPlace { base: Base::Global, offset, scalar: *scalar, indices: Vec::new() };
                let mut read = Expr::Load(place);
                read.fold();
                if *notation == Notation::Chan {
                    let span = Span { file: 0, start: 0, end: 0 };
                    reads.push(Expr::Chan(ChanQuery::Len, Box::new(read.clone()), span));
                }
                reads.push(read);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{FileInput, PreprocessOptions, Program, Reductions};

    fn load(formula: Option<&str>) -> Program {
        let text = "typedef T { byte a; byte b[2] }; T t; byte x; byte y; chan q = [2] of { byte };
            active proctype p() { x = 1; y = 1; t.b[1] = 3; q!2; x = 0; y = 0 }";
        let options = PreprocessOptions::default();
        let options = match formula {
            Some(formula) => options.formula(formula),
            None => options,
        };
        let input = FileInput::Text { name: "m.pml".into(), text: text.into() };
        crate::load(&input, &options).program.expect("it is a model")
    }

    #[test]
    fn what_is_not_observed_is_named() {
        let check = |formula: &str, names: &[&str]| {
            load(Some(formula)).asked(0, names.iter().copied()).map(|(_, _, missing)| missing)
        };
        let none = Ok(Vec::<String>::new());
        assert_eq!(check("[] (x < 2)", &["x"]), none);
        assert_eq!(check("[] (x < 2)", &["y", "x"]), none);
        assert_eq!(check("[] (x < y)", &["x"]), Ok(vec!["`y`".into()]));
        assert_eq!(check("[] (t.b[1] < 9)", &["t"]), none);
        assert_eq!(check("[] (t.b[x] < 9)", &["t", "x"]), none);
        assert_eq!(check("[] (t.b[x] < 9)", &["x"]), Ok(vec!["`t`".into()]));
        assert_eq!(check("[] (len(q) < 9)", &["q"]), none);
        assert_eq!(check("[] (nempty(q))", &["x"]).map(|missing| missing.is_empty()), Ok(false));
        assert_eq!(check("[] (_nr_pr < 3)", &["x"]).map(|missing| missing.len()), Ok(1));
        assert!(check("[] (x < 2)", &["z"]).unwrap_err().contains("no global variable `z`"));
    }

    #[test]
    fn observing_changes_the_state_space_and_its_digest() {
        use allways_model::Model;
        let plain = load(None).with_reductions(Reductions::ALL);
        let observed = load(None).observing(["x"].into_iter()).unwrap().with_reductions(Reductions::ALL);
        assert_ne!(plain.digest(), observed.digest());
        let nothing = load(None).observing([].into_iter()).unwrap().with_reductions(Reductions::ALL);
        assert_eq!(plain.digest(), nothing.digest());
    }
}
