//! Types as they are written in the source, and the layout of references.

use super::Lowerer;
use super::decl::element_scalar;
use crate::ir::{Formal, LeftKind, Notation, Scalar, ScalarPlace, Type};
use crate::syntax::ast::{self, TypeName};

impl Lowerer {
    /// A type as it is written in the source.
    pub(super) fn type_name(&self, ty: &Type) -> String {
        match ty {
            Type::Scalar(scalar, notation) => self.formal_name(&(*scalar, notation.clone())),
            Type::Record(record) => self
                .records
                .get(*record as usize)
                .map_or_else(|| "?".into(), |record| record.name.to_string()),
        }
    }

    /// The type of a parameter or field, as it is written in the source.
    pub(super) fn formal_name(&self, (scalar, notation): &Formal) -> String {
        match (scalar, notation) {
            (_, Notation::Pointer(pointee)) => format!("{} &", self.type_name(pointee)),
            (_, Notation::Function) => "ftype".into(),
            (_, Notation::Chan) => "chan".into(),
            (_, Notation::Mtype(set)) if set.is_empty() => "mtype".into(),
            (_, Notation::Mtype(set)) => format!("mtype:{set}"),
            (_, Notation::Bool) => "bool".into(),
            (Scalar::Bit, _) => "bit".into(),
            (Scalar::Byte, _) => "byte".into(),
            (Scalar::Short, _) => "short".into(),
            (Scalar::Int | Scalar::Pointer, _) => "int".into(),
            (Scalar::Unsigned(bits), _) => format!("unsigned : {bits}"),
        }
    }

    pub(super) fn kind_name(&self, kind: &LeftKind) -> String {
        match kind {
            LeftKind::Null => "null".into(),
            LeftKind::Typed(notation) => self.formal_name(&(Scalar::Pointer, notation.clone())),
        }
    }

    /// The scalar that holds a channel's identity.
    pub(super) fn chan_scalar(&self) -> Scalar {
        if self.uses.object_channels { Scalar::Pointer } else { Scalar::Byte }
    }

    /// The type of pointers to `pointee`, if such pointers are allowed.
    pub(super) fn pointer_to(&mut self, pointee: Type, span: ast::Span) -> Option<Type> {
        if let Type::Scalar(_, Notation::Pointer(_) | Notation::Function) = pointee {
            let what =
                if matches!(pointee, Type::Scalar(_, Notation::Function)) { "an ftype" } else { "a pointer" };
            self.error(span, format!("there are no pointers to {what}"));
            return None;
        }
        Some(Type::Scalar(Scalar::Pointer, Notation::Pointer(pointee.into())))
    }

    /// The type that a pointer to `name` refers to, which may be declared later.
    pub(super) fn pointee(&mut self, name: &ast::Ident) -> Option<Type> {
        let found = self.forward_records.get(&name.name).copied().map(Type::Record);
        if found.is_none() {
            self.error(name.span, format!("there is no type '{}'", name.name));
        }
        found
    }

    /// The type with a name, as the type of a result or a message field; a typedef is not allowed there.
    pub(super) fn formal_of(&mut self, ty: &TypeName, span: ast::Span) -> Option<Formal> {
        Some(match ty {
            TypeName::Bit => (Scalar::Bit, Notation::Number),
            TypeName::Bool => (Scalar::Bit, Notation::Bool),
            TypeName::Byte | TypeName::Pid => (Scalar::Byte, Notation::Number),
            TypeName::Short => (Scalar::Short, Notation::Number),
            TypeName::Int => (Scalar::Int, Notation::Number),
            TypeName::Chan => (self.chan_scalar(), Notation::Chan),
            TypeName::Mtype(set) => {
                let set = set.as_ref().map_or_else(|| "".into(), |name| name.name.clone());
                (Scalar::Byte, Notation::Mtype(set))
            }
            TypeName::Ftype => (Scalar::Unsigned(16), Notation::Function),
            TypeName::Unsigned => {
                self.error_hint(span, "unsigned needs a width here", "use byte, short or int");
                return None;
            }
            TypeName::Named(name) => {
                let message = format!("'{}' has no value as a whole", name.name);
                self.error_hint(name.span, message, format!("use a pointer: `{} &`", name.name));
                return None;
            }
            TypeName::Pointer(inner) => {
                let pointee = match &**inner {
                    TypeName::Named(name) => self.pointee(name)?,
                    other => {
                        let (scalar, notation) = self.formal_of(other, span)?;
                        Type::Scalar(scalar, notation)
                    }
                };
                match self.pointer_to(pointee, span)? {
                    Type::Scalar(scalar, notation) => (scalar, notation),
                    Type::Record(_) => return None,
                }
            }
        })
    }

    /// Appends every scalar of a variable to `out`, with what it holds.
    pub(super) fn typed_scalars(
        &self,
        place: &ScalarPlace,
        ty: &Type,
        array: Option<u32>,
        out: &mut Vec<(ScalarPlace, Notation)>,
    ) {
        for element in 0..array.unwrap_or(1) {
            let mut at = place.clone();
            at.offset += element * self.type_size(ty);
            match ty {
                Type::Scalar(scalar, notation) => {
                    at.scalar = element_scalar(*scalar, array);
                    out.push((at, notation.clone()));
                }
                Type::Record(record) => {
                    for field in &self.records[*record as usize].fields {
                        let mut inside = at.clone();
                        inside.offset += field.offset;
                        self.typed_scalars(&inside, &field.ty, field.array, out);
                    }
                }
            }
        }
    }

    /// The offsets of references in a variable that starts at `offset`.
    pub(super) fn references_in(&self, offset: u32, ty: &Type, array: Option<u32>) -> Vec<u32> {
        let start =
            ScalarPlace { base: crate::ir::Base::Global, offset, scalar: Scalar::Byte, indices: Vec::new() };
        let mut scalars = Vec::new();
        self.typed_scalars(&start, ty, array, &mut scalars);
        scalars
            .into_iter()
            .filter(|(place, _)| place.scalar == Scalar::Pointer)
            .map(|(place, _)| place.offset)
            .collect()
    }
}
