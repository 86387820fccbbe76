//! Places and values as plain expressions.

use super::super::ast::{Expr, Function, PlaceExpr, Pointee, Pointer, Root, Scalar, Select, Type, Value};
use super::super::print::sign;
use super::{N_CELLS, Translation};

/// Where a variable lies.
pub(super) enum Storage {
    /// In a variable of its own.
    Named(String),
    /// In `mem`: an expression for its cell. The flag says that the cell is known to be alive.
    Cell(String, bool),
}

impl Storage {
    /// As something to read and to write.
    pub(super) fn text(&self) -> String {
        match self {
            Storage::Named(name) => name.clone(),
            Storage::Cell(cell, _) => format!("mem[{cell}]"),
        }
    }
}

impl Translation<'_> {
    /// The name of a variable of an instance.
    pub(super) fn named(&self, instance: usize, var: usize) -> String {
        format!("v{instance}_{var}")
    }

    /// Where a place lies, without following it if it is a pointer; and its type.
    pub(super) fn storage(&self, instance: Option<usize>, place: &PlaceExpr) -> (Storage, Type) {
        let (mut at, mut ty) = match place.root {
            Root::Global(idx) => {
                let var = &self.model.globals[idx];
                let storage = match self.global_cells[idx] {
                    Some(cell) => Storage::Cell(cell.to_string(), true),
                    None => Storage::Named(var.name.clone()),
                };
                (storage, var.ty.clone())
            }
            Root::Local(idx) => {
                let instance = instance.expect("only bodies have local variables");
                let name = self.named(instance, idx);
                // What lies in memory has a variable for its cell.
                let storage = if self.is_in_memory(instance, idx) {
                    Storage::Cell(name, true)
                } else {
                    Storage::Named(name)
                };
                (storage, self.body(instance).vars[idx].ty.clone())
            }
        };
        for select in &place.path {
            (at, ty) = match (select, ty) {
                (Select::Field(field), Type::Record(record)) => {
                    let Storage::Cell(cell, known) = at else { panic!("records lie in memory") };
                    self.field(&cell, known, record, *field)
                }
                (Select::Field(field), Type::Pointer(Pointee::Record(record))) => {
                    let cell = followed(&at.text());
                    self.field(&cell, false, record, *field)
                }
                (Select::Index(index), Type::Array(element, len)) => {
                    let Storage::Cell(cell, known) = at else { panic!("arrays lie in memory") };
                    let index = self.expr(instance, index);
                    let size = self.model.size(&element);
                    let offset =
                        format!("((({index}) >= 0 && ({index}) < {len}) -> ({index}) * {size} : {N_CELLS})");
                    let is_in = |number| usize::try_from(number).is_ok_and(|number: usize| number < len);
                    let is_known =
                        known && matches!(select, Select::Index(Expr::Const(number)) if is_in(*number));
                    (Storage::Cell(format!("{cell} + {offset}"), is_known), *element)
                }
                (Select::Index(index), Type::Pointer(pointee)) => {
                    let index = self.expr(instance, index);
                    let element: Type = pointee.into();
                    let (size, pointer) = (self.model.size(&element), at.text());
                    let offset = format!(
                        "((({index}) >= 0 && ({index}) <= ({pointer} & 3)) -> ({index}) * {size} : {N_CELLS})"
                    );
                    (Storage::Cell(format!("{} + {offset}", followed(&pointer)), false), element)
                }
                (select, ty) => panic!("{ty:?} has no {select:?}"),
            };
        }
        (at, ty)
    }

    fn field(&self, cell: &str, known: bool, record: usize, field: usize) -> (Storage, Type) {
        let offset = self.model.field_offset(record, field);
        (
            Storage::Cell(format!("{cell} + {offset}"), known),
            self.model.records[record].fields[field].ty.clone(),
        )
    }

    /// Where a number is read or written: through the pointer, if the place is one.
    pub(super) fn right(&self, instance: Option<usize>, place: &PlaceExpr) -> (Storage, Type) {
        match self.storage(instance, place) {
            (at, Type::Pointer(pointee)) => (Storage::Cell(followed(&at.text()), false), pointee.into()),
            found => found,
        }
    }

    pub(super) fn expr(&self, instance: Option<usize>, expr: &Expr) -> String {
        match expr {
            Expr::Const(number) => number.to_string(),
            Expr::Read(place) => self.right(instance, place).0.text(),
            Expr::Binary(op, left, right) => {
                format!("({} {} {})", self.expr(instance, left), sign(*op), self.expr(instance, right))
            }
            Expr::Same(equal, left, right) => {
                let sign = if *equal { "==" } else { "!=" };
                format!("({} {sign} {})", self.pointer(instance, left), self.pointer(instance, right))
            }
            Expr::SameFunction(equal, left, right) => {
                let sign = if *equal { "==" } else { "!=" };
                format!("({} {sign} {})", self.function(instance, left), self.function(instance, right))
            }
        }
    }

    pub(super) fn pointer(&self, instance: Option<usize>, pointer: &Pointer) -> String {
        match pointer {
            Pointer::Null => "0".into(),
            Pointer::Left(place) => self.storage(instance, place).0.text(),
            Pointer::Address(place) => {
                let (at, ty) = self.storage(instance, place);
                let Storage::Cell(cell, known) = at else { panic!("what has an address lies in memory") };
                let cell = if known { format!("({cell})") } else { format!("ok[{cell}]") };
                let len = if let Type::Array(_, len) = ty { len } else { 1 };
                format!("({cell} * 4 + {})", len - 1)
            }
        }
    }

    pub(super) fn function(&self, instance: Option<usize>, function: &Function) -> String {
        match function {
            Function::Null => "0".into(),
            Function::Named(function) => (function + 1).to_string(),
            Function::Held(place) => self.storage(instance, place).0.text(),
        }
    }

    /// A value as a variable of a type keeps it.
    pub(super) fn kept(&self, ty: &Type, instance: Option<usize>, value: &Value) -> String {
        match value {
            Value::Number(expr) => truncated(ty, &self.expr(instance, expr)),
            Value::Pointer(pointer) => self.pointer(instance, pointer),
            Value::Function(function) => self.function(instance, function),
        }
    }

    /// Sets what the fields of new records begin with, and gives channels to them. Cells are zero before.
    pub(super) fn initialise(&self, ty: &Type, cell: &str, code: &mut Vec<String>) {
        match ty {
            Type::Array(element, len) => {
                for idx in 0..*len {
                    let offset = idx * self.model.size(element);
                    self.initialise(element, &format!("{cell} + {offset}"), code);
                }
            }
            Type::Record(record) => {
                for (idx, field) in self.model.records[*record].fields.iter().enumerate() {
                    let cell = format!("{cell} + {}", self.model.field_offset(*record, idx));
                    if let Some(init) = &field.init {
                        code.push(format!("mem[{cell}] = {}", self.kept(&field.ty, None, init)));
                    }
                    self.initialise(&field.ty, &cell, code);
                }
            }
            Type::Channel(..) => {
                code.push(format!("mem[{cell}] = n_chans"));
                code.push("n_chans = n_chans + 1".into());
            }
            _ => {}
        }
    }

    /// How many channels a type has.
    pub(super) fn n_channels(&self, ty: &Type) -> usize {
        match ty {
            Type::Channel(..) => 1,
            Type::Array(element, len) => len * self.n_channels(element),
            Type::Record(record) => {
                self.model.records[*record].fields.iter().map(|field| self.n_channels(&field.ty)).sum()
            }
            _ => 0,
        }
    }
}

/// The first cell of what a pointer refers to, if that is alive.
pub(super) fn followed(pointer: &str) -> String {
    format!("ok[{pointer} / 4]")
}

/// A number as a variable of a type keeps it.
pub(super) fn truncated(ty: &Type, number: &str) -> String {
    match ty {
        Type::Scalar(Scalar::Byte) => format!("({number} & 255)"),
        _ => number.into(),
    }
}
