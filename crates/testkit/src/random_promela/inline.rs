//! Macros and inlines: definitions, and their uses in expressions and as statements.
//!
//! Both are replaced as text, so what a definition writes must be safe with every argument that a use gives
//! it: arguments that become indices or divisors are variables of unsigned types.

use super::feature::Feature as F;
use super::generator::{At, Gen, Lines, Proc, begins_with_d_step, braces};
use super::scope::{ChanName, Place, Seg, Ty};

/// What a macro stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Value,
    Condition,
    Statement,
}

/// A macro that has been defined.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    name: String,
    n_params: usize,
    meaning: Meaning,
}

/// What an inline's parameter is used as.
#[derive(Clone, Copy, Debug)]
enum ParamKind {
    Variable,
    Value,
    Chan(usize),
}

/// An inline that has been defined.
#[derive(Clone, Debug)]
pub(super) struct Inline {
    name: String,
    params: Vec<ParamKind>,
    /// It never blocks, so a d_step may use it.
    certain: bool,
    returns: bool,
}

impl Gen {
    /// Constant macros and conditional text at the top of the model.
    pub(super) fn constants(&mut self) -> Lines {
        let mut out = Lines::new();
        if !self.profile.macros {
            return out;
        }
        self.mark(F::MacroConst);
        let value = self.rng.range(1, 3);
        self.n_value = Some(value);
        out.push(format!("#define N {value}"));
        self.macros.push(Macro { name: "N".into(), n_params: 0, meaning: Meaning::Value });
        if self.chance(40) {
            self.mark(F::Conditional);
            let test = self
                .rng
                .pick(&["#if N > 1", "#ifdef N", "#ifndef UNKNOWN", "#if defined(N) && N == 2"])
                .to_string();
            out.extend([
                test,
                "#define M 1".into(),
                "#else".into(),
                "#define M (N + 1)".into(),
                "#endif".into(),
            ]);
            self.macros.push(Macro { name: "M".into(), n_params: 0, meaning: Meaning::Value });
        }
        out
    }

    /// Macros over the global variables.
    pub(super) fn definitions(&mut self) -> Lines {
        let mut out = Lines::new();
        if !self.profile.macros {
            return out;
        }
        let add = |this: &mut Gen, name: &str, n_params, meaning| {
            this.macros.push(Macro { name: name.to_string(), n_params, meaning });
        };
        if self.chance(50) {
            self.mark(F::MacroArgs);
            out.push("#define MIX(a, b) a + b * 2".into());
            add(self, "MIX", 2, Meaning::Value);
        }
        if self.chance(50) {
            self.mark(F::MacroArgs);
            out.push("#define SMALL(x) ((x) < 2)".into());
            add(self, "SMALL", 1, Meaning::Condition);
        }
        if self.chance(50) {
            // Every process may use it, so it says nothing about processes.
            self.in_dstep = true;
            let test = self.cond(1);
            self.in_dstep = false;
            out.push(format!("#define BUSY ({test})"));
            add(self, "BUSY", 0, Meaning::Condition);
        }
        if self.chance(50) {
            self.mark(F::MacroArgs);
            out.push("#define STEP(x) x = (x + 1) % 3".into());
            add(self, "STEP", 1, Meaning::Statement);
        }
        if self.chance(40) {
            self.mark(F::MacroArgs);
            self.mark(F::MacroMultiLine);
            out.extend(["#define RESET(x, y) \\".into(), "  x = 0; \\".into(), "  y = 1".into()]);
            add(self, "RESET", 2, Meaning::Statement);
        }
        out
    }

    fn some_macro(&mut self, meaning: Meaning) -> Option<Macro> {
        let fits: Vec<Macro> = self.macros.iter().filter(|m| m.meaning == meaning).cloned().collect();
        self.rng.pick_any(&fits).cloned()
    }

    pub(super) fn macro_value(&mut self) -> Option<String> {
        let found = self.some_macro(Meaning::Value)?;
        self.use_value_macro(&found)
    }

    pub(super) fn macro_condition(&mut self) -> Option<String> {
        let found = self.some_macro(Meaning::Condition)?;
        self.use_value_macro(&found)
    }

    fn use_value_macro(&mut self, found: &Macro) -> Option<String> {
        if found.n_params == 0 {
            return Some(found.name.clone());
        }
        let args: Vec<String> = (0..found.n_params).map(|_| self.argument()).collect();
        Some(format!("{}({})", found.name, args.join(", ")))
    }

    /// An argument without commas: a constant, a variable, or a small sum without parentheses.
    fn argument(&mut self) -> String {
        let places = self.readable();
        let place = self.rng.pick_any(&places).cloned();
        match (place, self.rng.below(4)) {
            (Some(place), 0) => format!("{} + 1", self.const_path(&place.segs)),
            (Some(place), 1..=2) => self.const_path(&place.segs),
            _ => self.rng.below(3).to_string(),
        }
    }

    /// A variable to hand over: unsigned, numeric, writable.
    fn variable_argument(&mut self) -> Option<String> {
        let places: Vec<Place> = self
            .readable()
            .into_iter()
            .filter(|p| p.writable && p.ty.is_unsigned() && p.ty != Ty::Pid)
            .collect();
        let place = self.rng.pick_any(&places)?.clone();
        Some(self.const_path(&place.segs))
    }

    /// Inlines; their text goes before the processes.
    pub(super) fn inline_definitions(&mut self) -> Lines {
        let mut out = Lines::new();
        if !self.profile.inlines {
            return out;
        }
        for _ in 0..self.rng.range(1, 2) {
            let kind = self.rng.below(5);
            out.extend(self.inline_definition(kind < 2, kind == 4));
        }
        out
    }

    fn inline_definition(&mut self, certain: bool, returns: bool) -> Lines {
        let name = self.fresh("sub");
        let mut params = Vec::new();
        let mut names = Vec::new();
        let labels = std::mem::replace(&mut self.profile.labels, false);
        self.proc = Proc { budget: 4, started: true, is_inline: true, ..self.all_roles() };
        self.in_dstep = true;
        let body = self.in_block(|this| {
            for _ in 0..this.rng.below(3) {
                let formal = this.fresh("ip");
                this.mark(F::InlineParam);
                let kind = this.add_formal(&formal);
                params.push(kind);
                names.push(formal);
            }
            let mut parts = Vec::new();
            if this.chance(35) {
                this.mark(F::InlineLocal);
                parts.push(this.inner_declaration());
            }
            for _ in 0..this.rng.range(1, 3) {
                let at = At { depth: 2, atomic: true, first: true, ..At::TOP };
                let lines = if certain || returns { this.certain(1) } else { this.statement(at) };
                if parts.is_empty() && begins_with_d_step(&lines) {
                    parts.push(vec!["skip".to_string()]);
                }
                parts.push(lines);
            }
            if returns {
                this.mark(F::InlineReturn);
                parts.push(vec![format!("return ({}) % 3", this.expr(1))]);
            }
            this.seq(parts)
        });
        self.in_dstep = false;
        self.profile.labels = labels;
        self.mark(F::Inline);
        let head = format!("inline {name}({})", names.join(", "));
        self.inlines.push(Inline { name, params, certain: certain && !returns, returns });
        braces(&head, body)
    }

    fn add_formal(&mut self, formal: &str) -> ParamKind {
        let n_sigs = self.sigs.len() as u32;
        if n_sigs > 0 && self.chance(25) {
            let sig = self.rng.below(n_sigs) as usize;
            let segs = vec![Seg { name: formal.to_string(), len: None }];
            self.scope.top().chans.push(ChanName { segs, sig, variable: false });
            return ParamKind::Chan(sig);
        }
        let variable = self.chance(50);
        let mut place = Place::scalar(formal, if variable { Ty::Byte } else { Ty::Int }, 3);
        place.writable = variable;
        self.scope.top().places.push(place);
        if variable { ParamKind::Variable } else { ParamKind::Value }
    }

    /// A use of an inline or of a statement macro; `certain` asks for one that never blocks.
    pub(super) fn call(&mut self, certain: bool) -> Option<Lines> {
        if self.chance(40) {
            let found = self.some_macro(Meaning::Statement)?;
            let args: Option<Vec<String>> = (0..found.n_params).map(|_| self.variable_argument()).collect();
            return Some(vec![format!("{}({})", found.name, args?.join(", "))]);
        }
        let fits: Vec<Inline> = self.inlines.iter().filter(|i| i.certain || !certain).cloned().collect();
        let inline = self.rng.pick_any(&fits)?.clone();
        let mut args = Vec::new();
        for param in &inline.params {
            args.push(match *param {
                ParamKind::Variable => self.variable_argument()?,
                ParamKind::Value => self.argument(),
                ParamKind::Chan(sig) => {
                    let chans: Vec<ChanName> =
                        self.scope.chans().into_iter().filter(|c| c.sig == sig).collect();
                    let chan = self.rng.pick_any(&chans)?.clone();
                    self.const_path(&chan.segs)
                }
            });
        }
        let call = format!("{}({})", inline.name, args.join(", "));
        if !inline.returns {
            return Some(vec![call]);
        }
        let target = self.variable_argument()?;
        Some(vec![format!("{target} = {call}")])
    }
}
