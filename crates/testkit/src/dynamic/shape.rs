//! Sizes and types: how many cells a type takes, where its fields lie, and what a place designates.

use super::ast::{Body, Model, PlaceExpr, Pointee, Root, Select, Type, Variable};

impl From<Pointee> for Type {
    fn from(pointee: Pointee) -> Type {
        match pointee {
            Pointee::Scalar(scalar) => Type::Scalar(scalar),
            Pointee::Record(record) => Type::Record(record),
        }
    }
}

impl Model {
    /// The number of cells of a type.
    pub(super) fn size(&self, ty: &Type) -> usize {
        match ty {
            Type::Scalar(_) | Type::Pointer(_) | Type::Function | Type::Channel(..) => 1,
            Type::Record(record) => {
                self.records[*record].fields.iter().map(|field| self.size(&field.ty)).sum()
            }
            Type::Array(element, len) => len * self.size(element),
        }
    }

    /// Where a field begins in its record.
    pub(super) fn field_offset(&self, record: usize, field: usize) -> usize {
        self.records[record].fields[..field].iter().map(|field| self.size(&field.ty)).sum()
    }

    /// Where a variable begins among those of its scope.
    pub(super) fn offset(&self, vars: &[Variable], idx: usize) -> usize {
        let of_scope = vars[..idx].iter().filter(|var| var.scope == vars[idx].scope);
        of_scope.map(|var| self.size(&var.ty)).sum()
    }

    /// The type of what a place designates; of a pointer, the pointer's own.
    pub(super) fn type_of(&self, body: Option<&Body>, place: &PlaceExpr) -> Type {
        let mut ty = match place.root {
            Root::Global(idx) => self.globals[idx].ty.clone(),
            Root::Local(idx) => body.expect("only bodies have local variables").vars[idx].ty.clone(),
        };
        for select in &place.path {
            ty = match (select, ty) {
                (Select::Field(field), Type::Record(record) | Type::Pointer(Pointee::Record(record))) => {
                    self.records[record].fields[*field].ty.clone()
                }
                (Select::Index(_), Type::Array(element, _)) => *element,
                (Select::Index(_), Type::Pointer(pointee)) => pointee.into(),
                (select, ty) => panic!("{ty:?} has no {select:?}"),
            };
        }
        ty
    }
}
