//! Values and places in a state.

use super::super::ast::{Body, Expr, Function, Op, PlaceExpr, Pointee, Pointer, Root, Select, Type, Value};
use super::super::state::{Cell, GLOBALS, Ref, State};
use super::{Machine, Wrong};

impl<'m> Machine<'m> {
    /// The body that a process executes.
    pub(super) fn body(&self, state: &State, process: usize) -> &'m Body {
        let frames = &state.processes[process];
        let body = frames[frames.len() - 1].body;
        if frames.len() == 1 { &self.model.processes[body] } else { &self.model.functions[body] }
    }

    /// Where a place is, without following it if it is a pointer, and its type.
    pub(super) fn locate(
        &self,
        state: &mut State,
        process: Option<usize>,
        place: &PlaceExpr,
    ) -> Result<(Ref, Type), Wrong> {
        let body = process.map(|process| self.body(state, process));
        let (mut at, mut ty) = match place.root {
            Root::Global(idx) => {
                let offset = self.model.offset(&self.model.globals, idx);
                (Ref { object: GLOBALS, offset, len: 1 }, self.model.globals[idx].ty.clone())
            }
            Root::Local(idx) => {
                let body = body.expect("only a process has local variables");
                let frame = state.processes[process.expect("a process")].last().expect("a frame");
                let scope = frame.scopes.iter().find(|scope| scope.0 == body.vars[idx].scope);
                let object = scope.expect("a visible variable is in an open scope").1;
                let offset = self.model.offset(&body.vars, idx);
                (Ref { object, offset, len: 1 }, body.vars[idx].ty.clone())
            }
        };
        for select in &place.path {
            (at, ty) = match (select, ty) {
                (Select::Field(field), Type::Record(record)) => self.field(at, record, *field),
                (Select::Field(field), Type::Pointer(Pointee::Record(record))) => {
                    let to = self.follow(state, at)?;
                    self.field(to, record, *field)
                }
                (Select::Index(index), Type::Array(element, len)) => {
                    let idx = self.number(state, process, index)?;
                    let to = Ref { len, ..at };
                    (self.element(to, &element, idx)?, *element)
                }
                (Select::Index(index), Type::Pointer(pointee)) => {
                    let idx = self.number(state, process, index)?;
                    let to = self.follow(state, at)?;
                    let element = pointee.into();
                    (self.element(to, &element, idx)?, element)
                }
                (select, ty) => panic!("{ty:?} has no {select:?}"),
            };
        }
        Ok((at, ty))
    }

    fn field(&self, of: Ref, record: usize, field: usize) -> (Ref, Type) {
        let offset = of.offset + self.model.field_offset(record, field);
        (Ref { offset, len: 1, ..of }, self.model.records[record].fields[field].ty.clone())
    }

    fn element(&self, of: Ref, element: &Type, idx: i32) -> Result<Ref, Wrong> {
        let idx = usize::try_from(idx).ok().filter(|&idx| idx < of.len).ok_or(Wrong)?;
        Ok(Ref { offset: of.offset + idx * self.model.size(element), len: 1, ..of })
    }

    /// Where the pointer at a place refers to: something alive.
    fn follow(&self, state: &mut State, at: Ref) -> Result<Ref, Wrong> {
        let Cell::Pointer(to) = state.cell(at).ok_or(Wrong)? else { panic!("no pointer at {at:?}") };
        let to = to.ok_or(Wrong)?;
        if state.objects[to.object].is_some() { Ok(to) } else { Err(Wrong) }
    }

    /// Where a number is read or written: through the pointer, if the place is one.
    pub(super) fn right(
        &self,
        state: &mut State,
        process: Option<usize>,
        place: &PlaceExpr,
    ) -> Result<(Ref, Type), Wrong> {
        match self.locate(state, process, place)? {
            (at, Type::Pointer(pointee)) => Ok((self.follow(state, at)?, pointee.into())),
            found => Ok(found),
        }
    }

    pub(super) fn number(
        &self,
        state: &mut State,
        process: Option<usize>,
        expr: &Expr,
    ) -> Result<i32, Wrong> {
        Ok(match expr {
            Expr::Const(number) => *number,
            Expr::Read(place) => {
                let (at, _) = self.right(state, process, place)?;
                match state.cell(at).ok_or(Wrong)? {
                    Cell::Number(number) => *number,
                    cell => panic!("{cell:?} is not a number"),
                }
            }
            Expr::Binary(op, left, right) => {
                let left = self.number(state, process, left)?;
                match op {
                    Op::And if left == 0 => return Ok(0),
                    Op::Or if left != 0 => return Ok(1),
                    _ => {}
                }
                let right = self.number(state, process, right)?;
                match op {
                    Op::Add => left.wrapping_add(right),
                    Op::Sub => left.wrapping_sub(right),
                    Op::Mul => left.wrapping_mul(right),
                    Op::Equal => i32::from(left == right),
                    Op::Differs => i32::from(left != right),
                    Op::Less => i32::from(left < right),
                    Op::AtLeast => i32::from(left >= right),
                    Op::And | Op::Or => i32::from(right != 0),
                }
            }
            Expr::Same(equal, left, right) => {
                let left = self.pointer(state, process, left)?;
                let right = self.pointer(state, process, right)?;
                i32::from((left == right) == *equal)
            }
            Expr::SameFunction(equal, left, right) => {
                let left = self.function(state, process, left)?;
                let right = self.function(state, process, right)?;
                i32::from((left == right) == *equal)
            }
        })
    }

    pub(super) fn pointer(
        &self,
        state: &mut State,
        process: Option<usize>,
        pointer: &Pointer,
    ) -> Result<Option<Ref>, Wrong> {
        match pointer {
            Pointer::Null => Ok(None),
            Pointer::Left(place) => {
                let (at, _) = self.locate(state, process, place)?;
                match state.cell(at).ok_or(Wrong)? {
                    Cell::Pointer(to) => Ok(*to),
                    cell => panic!("{cell:?} is not a pointer"),
                }
            }
            Pointer::Address(place) => Ok(Some(match self.locate(state, process, place)? {
                (at, Type::Array(_, len)) => Ref { len, ..at },
                (at, _) => at,
            })),
        }
    }

    pub(super) fn function(
        &self,
        state: &mut State,
        process: Option<usize>,
        function: &Function,
    ) -> Result<Option<usize>, Wrong> {
        match function {
            Function::Null => Ok(None),
            Function::Named(function) => Ok(Some(*function)),
            Function::Held(place) => {
                let (at, _) = self.locate(state, process, place)?;
                match state.cell(at).ok_or(Wrong)? {
                    Cell::Function(function) => Ok(*function),
                    cell => panic!("{cell:?} is not a function"),
                }
            }
        }
    }

    pub(super) fn value(
        &self,
        state: &mut State,
        process: Option<usize>,
        value: &Value,
    ) -> Result<Cell, Wrong> {
        Ok(match value {
            Value::Number(expr) => Cell::Number(self.number(state, process, expr)?),
            Value::Pointer(pointer) => Cell::Pointer(self.pointer(state, process, pointer)?),
            Value::Function(function) => Cell::Function(self.function(state, process, function)?),
        })
    }
}
