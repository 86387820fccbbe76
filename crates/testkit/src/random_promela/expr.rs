//! Expressions: every operator, kept clear of what C leaves undefined.
//!
//! Divisors are constants or one more than something that is never negative, shift distances are at most 4,
//! and an index is a constant or a remainder of something that is never negative. Parentheses are often left
//! out, so that precedence matters; they stay wherever regrouping could break one of the rules above.

use super::feature::Feature as F;
use super::generator::Gen;
use super::scope::{Place, Seg, Ty};

impl Gen {
    /// A path such as `t.r[g1 % 2].a`, with indices drawn anew.
    pub(super) fn path(&mut self, segs: &[Seg]) -> String {
        self.path_with(segs, false)
    }

    /// A path whose indices are constants.
    pub(super) fn const_path(&mut self, segs: &[Seg]) -> String {
        self.path_with(segs, true)
    }

    fn path_with(&mut self, segs: &[Seg], constant: bool) -> String {
        let mut out = Vec::new();
        for seg in segs {
            out.push(match seg.len {
                None => seg.name.clone(),
                Some(len) => {
                    let index = if constant { self.rng.below(len).to_string() } else { self.index(len) };
                    format!("{}[{index}]", seg.name)
                }
            });
        }
        out.join(".")
    }

    /// An index below `len`.
    fn index(&mut self, len: u32) -> String {
        let unsigned: Vec<Place> = self
            .scope
            .places()
            .into_iter()
            .filter(|p| p.is_plain() && p.ty.is_unsigned() && !matches!(p.ty, Ty::Mtype(_)))
            .collect();
        let place = self.rng.pick_any(&unsigned).cloned();
        match place {
            Some(place) if self.chance(40) => {
                self.mark(F::OpDiv);
                format!("{} % {len}", place.segs[0].name)
            }
            _ if self.chance(8) => {
                self.mark(F::VarPid);
                format!("_pid % {len}")
            }
            _ => self.rng.below(len).to_string(),
        }
    }

    /// Numeric places that an expression may read.
    pub(super) fn readable(&self) -> Vec<Place> {
        self.scope.places().into_iter().filter(|p| !matches!(p.ty, Ty::Mtype(_))).collect()
    }

    /// An atom: a constant, a variable, or one of the predefined names.
    fn atom(&mut self) -> String {
        let places = self.readable();
        if (self.profile.remote || self.profile.priorities || self.profile.enabled)
            && self.chance(15)
            && let Some(text) = self.process_value()
        {
            return text;
        }
        for _ in 0..4 {
            match self.rng.below(24) {
                0..=11 => {
                    if let Some(place) = self.rng.pick_any(&places).cloned() {
                        return self.path(&place.segs);
                    }
                }
                12..=15 => return self.rng.below(4).to_string(),
                16 => return if self.chance(50) { "true".into() } else { "false".into() },
                17 => {
                    self.mark(F::VarPid);
                    return "_pid".into();
                }
                18 => {
                    self.mark(F::VarNrPr);
                    return "_nr_pr".into();
                }
                19 if self.profile.last => {
                    self.mark(F::VarLast);
                    return "_last".into();
                }
                20 => {
                    if let Some(text) = self.len_of_channel() {
                        return text;
                    }
                }
                21 => {
                    if let Some(text) = self.macro_value() {
                        return text;
                    }
                }
                _ => {
                    let constants = ["5", "7", "(-1)", "(-2)", "255", "256", "300", "32767"];
                    return self.rng.pick(&constants).to_string();
                }
            }
        }
        self.rng.below(3).to_string()
    }

    /// An expression of any value.
    pub(super) fn expr(&mut self, depth: u32) -> String {
        if depth == 0 || self.chance(35) {
            return self.atom();
        }
        match self.rng.below(16) {
            0..=4 => {
                self.mark(F::OpArith);
                let op = *self.rng.pick(&["+", "-", "*"]);
                self.binary(op, depth)
            }
            5..=6 => {
                self.mark(F::OpDiv);
                let left = self.operand(depth);
                let op = *self.rng.pick(&["/", "%"]);
                let right = self.divisor();
                format!("{left} {op} {right}")
            }
            7..=8 => {
                self.mark(F::OpBits);
                let op = *self.rng.pick(&["&", "|", "^"]);
                self.binary(op, depth)
            }
            9 => {
                self.mark(F::OpBits);
                format!("~({})", self.expr(depth - 1))
            }
            10 => {
                self.mark(F::OpShift);
                let left = self.operand(depth);
                let op = *self.rng.pick(&["<<", ">>"]);
                let by = if self.chance(50) {
                    self.rng.below(4).to_string()
                } else {
                    format!("({} & 3)", self.atom())
                };
                format!("({left} {op} {by})")
            }
            11 => {
                self.mark(F::OpMinus);
                format!("(-({}))", self.expr(depth - 1))
            }
            12 => {
                self.mark(F::OpCond);
                let (a, b, c) = (self.cond(depth - 1), self.expr(depth - 1), self.expr(depth - 1));
                format!("({a} -> {b} : {c})")
            }
            _ => format!("({})", self.cond(depth - 1)),
        }
    }

    /// `x`, or `(x)` where it is more than an atom, but not always.
    fn operand(&mut self, depth: u32) -> String {
        let text = self.expr(depth - 1);
        let bare = text.chars().all(|c| c.is_alphanumeric() || "_.[]".contains(c));
        if bare || text.ends_with(')') && text.starts_with('(') && text.matches('(').count() == 1 {
            return text;
        }
        if self.chance(30) {
            self.mark(F::BarePrecedence);
            text
        } else {
            format!("({text})")
        }
    }

    fn binary(&mut self, op: &str, depth: u32) -> String {
        let (left, right) = (self.operand(depth), self.operand(depth));
        format!("{left} {op} {right}")
    }

    fn divisor(&mut self) -> String {
        let unsigned: Vec<Place> =
            self.readable().into_iter().filter(|p| p.is_plain() && p.ty.is_unsigned()).collect();
        match self.rng.pick_any(&unsigned).cloned() {
            Some(place) if self.chance(40) => format!("({} + 1)", place.segs[0].name),
            _ => self.rng.range(2, 5).to_string(),
        }
    }

    /// An expression for a condition: mostly a comparison that is neither always true nor always false.
    pub(super) fn cond(&mut self, depth: u32) -> String {
        let deep = depth > 0;
        if (self.profile.remote || self.profile.enabled)
            && self.chance(15)
            && let Some(text) = self.process_condition()
        {
            return text;
        }
        match self.rng.below(16) {
            0..=6 => self.small_comparison(),
            7..=8 if deep => {
                self.mark(F::OpCompare);
                let op = *self.rng.pick(&["==", "!=", "<", "<=", ">", ">="]);
                self.binary(op, depth)
            }
            9..=10 if deep => {
                self.mark(F::OpLogic);
                let op = *self.rng.pick(&["&&", "||"]);
                let (left, right) = (self.cond(depth - 1), self.cond(depth - 1));
                if self.chance(50) {
                    format!("({left}) {op} ({right})")
                } else {
                    self.mark(F::BarePrecedence);
                    format!("{left} {op} {right}")
                }
            }
            11 if deep => {
                self.mark(F::OpLogic);
                format!("!({})", self.cond(depth - 1))
            }
            12 => self.mtype_comparison().unwrap_or_else(|| self.small_comparison()),
            13 => self.poll().unwrap_or_else(|| self.small_comparison()),
            15 if deep => self.expr(depth - 1),
            _ => self.macro_condition().unwrap_or_else(|| self.small_comparison()),
        }
    }

    /// A condition that may also ask about a channel with `full` and its like, which cannot be negated.
    pub(super) fn guard(&mut self, depth: u32) -> String {
        if self.chance(12)
            && let Some(probe) = self.probe()
        {
            return match self.rng.below(3) {
                0 => format!("{probe} && ({})", self.cond(depth)),
                1 => format!("({}) || {probe}", self.cond(depth)),
                _ => probe,
            };
        }
        if self.profile.timeout && self.chance(4) {
            self.mark(F::TimeoutExpr);
            return format!("timeout && ({})", self.cond(depth));
        }
        let mut text = self.cond(depth);
        // SPIN refuses an option that leads back to itself unconditionally.
        if ["1", "true", "N", "M"].contains(&text.trim_matches(['(', ')'])) {
            text = self.small_comparison();
        }
        if self.chance(40) { format!("({text})") } else { text }
    }

    pub(super) fn small_comparison(&mut self) -> String {
        let places = self.readable();
        let Some(place) = self.rng.pick_any(&places).cloned() else {
            return self.rng.pick(&["true", "1", "_pid < 9"]).to_string();
        };
        self.mark(F::OpCompare);
        let domain = place.domain.max(2);
        let (op, bound) = match self.rng.below(12) {
            0..=2 => ("==", self.rng.below(domain)),
            3..=4 => ("!=", self.rng.below(domain)),
            5..=6 => ("<", self.rng.range(1, domain)),
            7..=8 => ("<=", self.rng.below(domain)),
            9 => (">", self.rng.below(domain - 1)),
            10 => (">=", self.rng.range(1, domain - 1)),
            _ => (*self.rng.pick(&["<", ">", "=="]), *self.rng.pick(&[0, domain, 255])),
        };
        let text = self.path(&place.segs);
        if matches!(place.ty, Ty::Bit | Ty::Bool) && self.chance(50) {
            return if self.chance(50) { text } else { format!("!({text})") };
        }
        format!("{text} {op} {bound}")
    }

    /// A comparison that holds at the start more often than not.
    pub(super) fn likely_comparison(&mut self) -> String {
        let places = self.readable();
        match self.rng.pick_any(&places).cloned() {
            Some(place) if self.chance(80) => {
                let (op, bound) = *self.rng.pick(&[("<", 2), ("!=", 1), ("<=", 1), ("==", 0), ("<", 3)]);
                format!("{} {op} {bound}", self.path(&place.segs))
            }
            _ => self.small_comparison(),
        }
    }

    fn mtype_comparison(&mut self) -> Option<String> {
        let places: Vec<Place> =
            self.scope.places().into_iter().filter(|p| matches!(p.ty, Ty::Mtype(_))).collect();
        let place = self.rng.pick_any(&places)?.clone();
        let Ty::Mtype(set) = place.ty else { return None };
        let member = self.rng.pick(&self.mtypes[set].members.clone()).clone();
        let op = *self.rng.pick(&["==", "!=", "<="]);
        Some(format!("{} {op} {member}", self.path(&place.segs)))
    }

    /// A value for a place, within its domain or cut off by its type.
    pub(super) fn value_for(&mut self, place: &Place) -> String {
        let domain = place.domain.max(2);
        match place.ty {
            Ty::Bit | Ty::Bool => match self.rng.below(5) {
                0 => if self.chance(50) { "true" } else { "false" }.to_string(),
                1 => self.rng.below(2).to_string(),
                2 => {
                    self.mark(F::Truncation);
                    self.expr(1)
                }
                _ => self.cond(2),
            },
            Ty::Mtype(set) => {
                let members = self.mtypes[set].members.clone();
                self.rng.pick(&members).clone()
            }
            Ty::Pid => {
                if self.chance(50) {
                    "_pid".to_string()
                } else {
                    self.rng.below(3).to_string()
                }
            }
            Ty::Byte | Ty::Short | Ty::Int | Ty::Unsigned(_) => self.number_for(place, domain),
        }
    }

    fn number_for(&mut self, place: &Place, domain: u32) -> String {
        match self.rng.below(12) {
            0..=2 => self.rng.below(domain).to_string(),
            3..=4 => {
                self.mark(F::OpDiv);
                format!("({}) % {domain}", self.expr(2))
            }
            5..=6 => {
                self.mark(F::OpArith);
                format!("({} + 1) % {domain}", self.path(&place.segs))
            }
            7 => self.cond(2),
            8 => {
                self.mark(F::OpCond);
                let (a, b, c) = (self.cond(1), self.rng.below(domain), self.rng.below(domain));
                format!("({a} -> {b} : {c})")
            }
            9 => {
                let others: Vec<Place> = self.readable().into_iter().filter(|p| p.domain <= 4).collect();
                match self.rng.pick_any(&others).cloned() {
                    Some(other) => self.path(&other.segs),
                    None => "1".to_string(),
                }
            }
            10 => {
                self.mark(F::OpBits);
                format!("({}) & 1", self.expr(2))
            }
            _ => self.truncated_value(place),
        }
    }

    /// A value that the type of the place cuts off, in a way that runs through few values.
    fn truncated_value(&mut self, place: &Place) -> String {
        self.mark(F::Truncation);
        let path = self.const_path(&place.segs);
        match place.ty {
            Ty::Byte => self.rng.pick(&["256", "257", "-1", "(-255)", "300"]).to_string(),
            Ty::Short => match self.rng.below(3) {
                0 => format!("{path} + 16384"),
                1 => "40000".to_string(),
                _ => "65537".to_string(),
            },
            Ty::Int => self.rng.pick(&["-1", "(1 << 20)", "65536"]).to_string(),
            Ty::Unsigned(bits) => format!("{path} + {}", 1 << (bits - 1)),
            _ => "2".to_string(),
        }
    }

    /// A value for a message field or parameter of this type.
    pub(super) fn value_of(&mut self, ty: Ty) -> String {
        if matches!(ty, Ty::Byte | Ty::Short | Ty::Int) && self.chance(45) {
            let small: Vec<Place> = self.readable().into_iter().filter(|p| p.domain <= 3).collect();
            if let Some(place) = self.rng.pick_any(&small).cloned() {
                return self.path(&place.segs);
            }
        }
        let place = Place { segs: vec![Seg { name: "0".into(), len: None }], ty, domain: 3, writable: false };
        match ty {
            Ty::Byte | Ty::Short | Ty::Int | Ty::Unsigned(_) => match self.rng.below(8) {
                0 => {
                    self.mark(F::OpDiv);
                    format!("({}) % 3", self.expr(1))
                }
                1 => {
                    self.mark(F::Truncation);
                    self.rng.pick(&["256", "-1", "257"]).to_string()
                }
                2 => format!("({})", self.cond(1)),
                _ => self.rng.below(3).to_string(),
            },
            _ => self.value_for(&place),
        }
    }
}
