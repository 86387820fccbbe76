//! Random places, numbers and references.

use super::super::ast::{Expr, Op, PlaceExpr, Pointee, Pointer, Root, Scalar, Type, Value};
use super::{BYTE, Draw, Reach};

/// How a place is going to be used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Read,
    Write,
    Address,
}

impl Draw {
    fn roots(&self, purpose: Use) -> Vec<Root> {
        let globals = (0..self.model.globals.len()).map(Root::Global);
        let locals = self.context.visible.iter().copied().filter(|idx| {
            let is_fixed = self.context.fixed.contains(idx);
            let lives_long = self.context.function.is_none()
                && self.context.body.as_ref().is_some_and(|body| body.vars[*idx].scope == 0);
            match purpose {
                Use::Read => true,
                Use::Write => !is_fixed,
                Use::Address => !(is_fixed || lives_long && self.reach == Reach::Translatable),
            }
        });
        globals.chain(locals.map(Root::Local)).collect()
    }

    fn is_good(&mut self, root: Root) -> bool {
        self.context.good.contains(&root) || self.rng.chance(4)
    }

    /// Places whose right value has a type; with [`Use::Address`], places of that type themselves.
    pub(super) fn places(&mut self, wanted: &Type, purpose: Use) -> Vec<PlaceExpr> {
        let mut found = Vec::new();
        // A pointer may be written to also where it lies in what another one refers to.
        let roots = self.roots(purpose);
        let long = self.roots(Use::Read);
        for root in long {
            let is_open = roots.contains(&root);
            let place = PlaceExpr::of(root);
            match self.type_of(&place) {
                ty if ty == *wanted && is_open => found.push(place),
                Type::Record(_) if is_open => self.fields(&place, wanted, &mut found),
                Type::Array(element, len) if *element == *wanted && is_open => {
                    let out = u32::from(self.rng.chance(4));
                    let idx = self.rng.below(len as u32 + out) as i32;
                    found.push(place.index(self.small_index(idx)));
                }
                Type::Pointer(pointee) if self.is_good(root) => {
                    if Type::from(pointee) == *wanted {
                        if purpose != Use::Address && matches!(pointee, Pointee::Scalar(_)) {
                            found.push(place.clone());
                        }
                        if matches!(pointee, Pointee::Scalar(_)) && self.rng.chance(40) {
                            let idx = i32::from(self.rng.chance(15));
                            found.push(place.clone().index(self.small_index(idx)));
                        }
                    }
                    if let Pointee::Record(record) = pointee {
                        self.fields(&place, wanted, &mut found);
                        if self.rng.chance(15) {
                            self.fields(&place.clone().index(Expr::Const(0)), wanted, &mut found);
                        }
                        let next = place.clone().field(1);
                        if record < self.model.records.len() && self.rng.chance(12) {
                            self.fields(&next, wanted, &mut found);
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn small_index(&mut self, idx: i32) -> Expr {
        if self.rng.chance(70) {
            return Expr::Const(idx);
        }
        let sum = Expr::Binary(Op::Add, Box::new(self.comparison()), Box::new(Expr::Const(idx)));
        Expr::Binary(Op::Mul, Box::new(sum), Box::new(Expr::Const(i32::from(idx > 0))))
    }

    fn fields(&mut self, of: &PlaceExpr, wanted: &Type, found: &mut Vec<PlaceExpr>) {
        let (Type::Record(record) | Type::Pointer(Pointee::Record(record))) = self.type_of(of) else {
            return;
        };
        for field in 0..self.model.records[record].fields.len() {
            let place = of.clone().field(field);
            match &self.model.records[record].fields[field].ty {
                ty if ty == wanted => found.push(place),
                Type::Array(element, len) if **element == *wanted => {
                    let idx = self.rng.below(*len as u32) as i32;
                    found.push(place.index(Expr::Const(idx)));
                }
                _ => {}
            }
        }
    }

    pub(super) fn place(&mut self, wanted: &Type, purpose: Use) -> Option<PlaceExpr> {
        let places = self.places(wanted, purpose);
        self.rng.pick_any(&places).cloned()
    }

    /// A number that reads one place or none. Bare pointers are hidden in a sum, since `p == q` compares
    /// references.
    fn atom(&mut self) -> Expr {
        if self.rng.chance(35) {
            return Expr::Const(self.rng.below(4) as i32);
        }
        let scalar = if self.rng.chance(80) { Scalar::Byte } else { Scalar::Int };
        match self.place(&Type::Scalar(scalar), Use::Read) {
            None => Expr::Const(1),
            Some(place) if matches!(self.type_of(&place), Type::Pointer(_)) => {
                Expr::Binary(Op::Add, Box::new(Expr::Read(place)), Box::new(Expr::Const(0)))
            }
            Some(place) => Expr::Read(place),
        }
    }

    pub(super) fn number(&mut self) -> Expr {
        let left = self.atom();
        match self.rng.below(10) {
            0..5 => left,
            5..9 => {
                let op = self.rng.weighted(&[(4, Op::Add), (2, Op::Sub), (1, Op::Mul)]);
                Expr::Binary(op, Box::new(left), Box::new(self.atom()))
            }
            _ => self.comparison(),
        }
    }

    /// A comparison of numbers.
    pub(super) fn comparison(&mut self) -> Expr {
        let op = self.rng.weighted(&[(3, Op::Equal), (2, Op::Differs), (2, Op::Less), (2, Op::AtLeast)]);
        let (left, right) = (self.atom(), self.rng.below(3) as i32);
        Expr::Binary(op, Box::new(left), Box::new(Expr::Const(right)))
    }

    /// A condition, also about references.
    pub(super) fn condition(&mut self) -> Expr {
        if self.rng.chance(55) {
            return self.comparison();
        }
        let pointee = self.pointee();
        let left = self.pointer(pointee);
        let right = if self.rng.chance(35) { Pointer::Null } else { self.pointer(pointee) };
        let same = Expr::Same(self.rng.chance(60), left, right);
        if self.rng.chance(20) {
            let op = if self.rng.chance(50) { Op::And } else { Op::Or };
            return Expr::Binary(op, Box::new(same), Box::new(self.comparison()));
        }
        same
    }

    pub(super) fn pointee(&mut self) -> Pointee {
        if self.rng.chance(70) { Pointee::Record(0) } else { Pointee::Scalar(Scalar::Byte) }
    }

    /// A reference to something of a type.
    pub(super) fn pointer(&mut self, pointee: Pointee) -> Pointer {
        if self.rng.chance(10) {
            return Pointer::Null;
        }
        let left = self.place(&Type::Pointer(pointee), Use::Read);
        let mut to = self.places(&pointee.into(), Use::Address);
        // Whole arrays.
        if pointee == Pointee::Scalar(Scalar::Byte) {
            for root in self.roots(Use::Address) {
                if matches!(self.type_of(&PlaceExpr::of(root)), Type::Array(element, _) if *element == BYTE) {
                    to.push(PlaceExpr::of(root));
                }
            }
        }
        let address = self.rng.pick_any(&to).cloned();
        match (left, address) {
            (Some(left), None) => Pointer::Left(left),
            (Some(left), Some(_)) if self.rng.chance(55) => Pointer::Left(left),
            (_, Some(place)) => Pointer::Address(place),
            (None, None) => Pointer::Null,
        }
    }

    /// A value for a parameter, field or result of a type.
    pub(super) fn value(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Pointer(pointee) => Value::Pointer(self.pointer(*pointee)),
            Type::Function => Value::Function(self.some_function()),
            _ => Value::Number(self.number()),
        }
    }
}
