//! Resolves names: SPIN's scopes are the braces, and a name is known from its declaration on.

use super::decl::element_scalar;
use super::{LAST_OFFSET, Lowerer};
use crate::flow::ScopePath;
use crate::ir::{Base, Expr, Index, Notation, Scalar, ScalarPlace, Through, Type, Variable};
use crate::syntax::ast;
use crate::syntax::source::Diagnostic;
use std::collections::HashMap;
use std::sync::Arc;

/// A declared variable.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) variable: Variable,
    /// Its initial value, if that is a constant: SPIN lets such a variable give the size of an array.
    pub(super) initial: Option<i32>,
    /// For a channel made by its declaration: its capacity and, if its messages are one record, that record.
    pub(super) channel: Option<(u16, Option<u32>)>,
    /// A hidden variable that nothing reads: what is assigned to it is dropped.
    pub(super) discarded: bool,
    /// A hidden variable whose value matters only inside the `d_step` that sets it.
    pub(super) scratch: bool,
    /// A hidden variable, which no pointer may refer to.
    pub(super) hidden: bool,
}

/// The scopes open at some point of the model: the globals and, inside a process, its blocks.
#[derive(Debug)]
pub(super) struct Scopes {
    global: HashMap<Arc<str>, Declared>,
    local: Vec<(ScopePath, HashMap<Arc<str>, Declared>)>,
    n_blocks: u32,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Self { global: HashMap::new(), local: Vec::new(), n_blocks: 0 }
    }

    pub(super) fn enter_process(&mut self) {
        self.local = vec![(Arc::from([]), HashMap::new())];
        self.n_blocks = 0;
    }

    pub(super) fn leave_process(&mut self) {
        self.local.clear();
    }

    pub(super) fn open(&mut self) {
        self.n_blocks += 1;
        let mut path: Vec<u32> = self.path().to_vec();
        path.push(self.n_blocks);
        self.local.push((path.into(), HashMap::new()));
    }

    pub(super) fn close(&mut self) {
        self.local.pop();
    }

    /// The path of the innermost scope.
    pub(super) fn path(&self) -> ScopePath {
        self.local.last().map_or_else(|| Arc::from([]), |(path, _)| path.clone())
    }

    /// Whether a name is that of a variable of the current process.
    pub(super) fn is_local(&self, name: &str) -> bool {
        self.local.iter().any(|(_, scope)| scope.contains_key(name))
    }

    pub(super) fn find(&self, name: &str) -> Option<&Declared> {
        self.local.iter().rev().find_map(|(_, scope)| scope.get(name)).or_else(|| self.global.get(name))
    }

    /// Every visible name.
    fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.local.iter().flat_map(|(_, scope)| scope.keys()).chain(self.global.keys())
    }

    /// Declares a name in the innermost scope. Returns false if that scope already has the name.
    pub(super) fn declare(&mut self, declared: Declared) -> bool {
        let scope = self.local.last_mut().map_or(&mut self.global, |(_, scope)| scope);
        scope.insert(declared.variable.name.clone(), declared).is_none()
    }
}

/// The result of following a reference.
#[derive(Clone, Debug)]
pub(super) struct Designated {
    pub(super) place: ScalarPlace,
    pub(super) ty: Type,
    /// The number of elements, if it is an array, or was one before an index was applied.
    pub(super) array: Option<u32>,
    /// Its source text, for messages.
    pub(super) name: Arc<str>,
}

/// The meaning of a reference.
#[derive(Clone, Debug)]
pub(super) enum Resolved {
    /// A scalar variable.
    Scalar(ScalarPlace),
    /// A record, to be used field by field.
    Record(ScalarPlace, u32),
    /// A pointer, with the type of what it refers to and its name.
    Pointer(ScalarPlace, Arc<Type>, Arc<str>),
    /// A variable that refers to a function.
    FunctionRef(ScalarPlace),
    /// A function.
    Function(u16),
    /// `null`
    Null,
    /// A symbolic constant.
    Const(i32),
    /// `_pid`
    Pid,
    /// `_nr_pr`
    NrPr,
    /// `_priority`
    Priority,
    /// `_`
    Anonymous,
}

impl Lowerer {
    /// Resolves a reference. Reports what is wrong with it and returns `None`.
    pub(super) fn resolve(&mut self, reference: &ast::VarRef) -> Option<Resolved> {
        let [first, rest @ ..] = reference.parts.as_slice() else { return None };
        if rest.is_empty() && first.index.is_none() {
            match &*first.name.name {
                "_" => return Some(Resolved::Anonymous),
                "_pid" => return Some(Resolved::Pid),
                "_nr_pr" => return Some(Resolved::NrPr),
                "_priority" => {
                    self.features.priority = true;
                    return Some(Resolved::Priority);
                }
                "_last" => {
                    self.features.last = true;
                    let place = ScalarPlace {
                        base: Base::Global,
                        offset: LAST_OFFSET,
                        scalar: Scalar::Byte,
                        indices: Vec::new(),
                    };
                    return Some(Resolved::Scalar(place));
                }
                name => {
                    if let Some((value, _)) = self.mtype_values.get(name) {
                        return Some(Resolved::Const(*value));
                    }
                }
            }
        }
        let Some(declared) = self.scopes.find(&first.name.name).cloned() else {
            if rest.is_empty() && first.index.is_none() && self.uses.anything {
                if let Some(function) = self.function_names.get(&first.name.name) {
                    return Some(Resolved::Function(*function));
                }
                if &*first.name.name == "null" {
                    return Some(Resolved::Null);
                }
            }
            self.undeclared(&first.name);
            return None;
        };
        let in_d_step = self.process.as_ref().is_some_and(|process| process.in_d_step);
        if declared.discarded || (declared.scratch && !in_d_step) {
            return Some(Resolved::Anonymous);
        }
        let Designated { place, ty, array, name } = self.designate(reference, declared, false)?;
        match ty {
            Type::Scalar(_, Notation::Pointer(pointee)) => Some(Resolved::Pointer(place, pointee, name)),
            Type::Scalar(scalar, Notation::Function) => {
                Some(Resolved::FunctionRef(ScalarPlace { scalar, ..place }))
            }
            Type::Scalar(scalar, _) => {
                Some(Resolved::Scalar(ScalarPlace { scalar: element_scalar(scalar, array), ..place }))
            }
            Type::Record(record) => Some(Resolved::Record(place, record)),
        }
    }

    /// Follows the parts of a reference, beginning with a variable. The last part may be an array as a whole
    /// if `whole` is set; its place is then that of the first element.
    pub(super) fn designate(
        &mut self,
        reference: &ast::VarRef,
        declared: Declared,
        whole: bool,
    ) -> Option<Designated> {
        let [first, rest @ ..] = reference.parts.as_slice() else { return None };
        let Variable { base, offset, ty, array, .. } = declared.variable;
        let place = ScalarPlace { base, offset, scalar: Scalar::Byte, indices: Vec::new() };
        let mut at = Designated { place, ty, array, name: first.name.name.clone() };
        self.apply_part(&mut at, first, whole && rest.is_empty())?;
        for (idx, part) in rest.iter().enumerate() {
            if let Type::Scalar(_, Notation::Pointer(pointee)) = &at.ty {
                let pointee = pointee.clone();
                at = self.behind(at, &pointee, None, first.name.span);
            }
            let Type::Record(record) = at.ty else {
                self.error(
                    part.name.span,
                    format!("'{}' is not a record and has no fields", first.name.name),
                );
                return None;
            };
            let fields = &self.records[record as usize].fields;
            let Some(field) = fields.iter().find(|field| field.name == part.name.name).cloned() else {
                let message = format!(
                    "type '{}' has no field '{}'",
                    self.records[record as usize].name, part.name.name
                );
                self.error(part.name.span, message);
                return None;
            };
            at.place.offset += field.offset;
            (at.ty, at.array) = (field.ty, field.array);
            at.name = format!("{}.{}", at.name, part.name.name).into();
            self.apply_part(&mut at, part, whole && idx + 1 == rest.len())?;
        }
        Some(at)
    }

    /// Applies the indices of one part of a reference.
    fn apply_part(&mut self, at: &mut Designated, part: &ast::VarPart, whole: bool) -> Option<()> {
        let pointee = match &at.ty {
            Type::Scalar(_, Notation::Pointer(pointee)) => Some(pointee.clone()),
            _ => None,
        };
        let Some(pointee) = pointee else {
            if let Some(second) = &part.second {
                self.error(second.span, format!("'{}' has one dimension", part.name.name));
                return None;
            }
            if whole && part.index.is_none() {
                return Some(());
            }
            return self.apply_index(&mut at.place, part, &at.ty, at.array);
        };
        let through = match at.array {
            Some(_) => {
                let own = ast::VarPart { second: None, ..part.clone() };
                self.apply_index(&mut at.place, &own, &at.ty, at.array)?;
                if let Some(index) = &part.index {
                    at.name = format!("{}[{index}]", at.name).into();
                }
                &part.second
            }
            None if part.second.is_some() => {
                self.error(part.name.span, format!("'{}' is not an array of pointers", part.name.name));
                return None;
            }
            None => &part.index,
        };
        at.array = None;
        if let Some(index) = through {
            let name: Arc<str> = format!("{}[{index}]", at.name).into();
            let value = self.expr(index);
            let before =
                Designated { name: at.name.clone(), ty: at.ty.clone(), place: at.place.clone(), array: None };
            *at = Designated { name, ..self.behind(before, &pointee, Some(value), index.span) };
        }
        Some(())
    }

    /// What a pointer refers to.
    fn behind(&self, at: Designated, pointee: &Type, index: Option<Expr>, span: ast::Span) -> Designated {
        let place = self.through(at.place, pointee, index, &at.name, span);
        Designated { place, ty: pointee.clone(), array: None, name: at.name }
    }

    /// The place that a pointer refers to.
    pub(super) fn through(
        &self,
        pointer: ScalarPlace,
        pointee: &Type,
        index: Option<Expr>,
        name: &Arc<str>,
        span: ast::Span,
    ) -> ScalarPlace {
        let pointer = Expr::Load(ScalarPlace { scalar: Scalar::Pointer, ..pointer });
        let size = self.type_size(pointee);
        let scalar = match pointee {
            Type::Scalar(scalar, _) => *scalar,
            Type::Record(_) => Scalar::Byte,
        };
        let through = Through { pointer, index, pointee: pointee.clone(), size, name: name.clone(), span };
        ScalarPlace { base: Base::Object(Box::new(through)), offset: 0, scalar, indices: Vec::new() }
    }

    /// Whether a reference is declared as a channel; `None` if that is not known here.
    pub(super) fn is_channel(&self, reference: &ast::VarRef) -> Option<bool> {
        let (first, rest) = reference.parts.split_first()?;
        if self.mtype_values.contains_key(&first.name.name) {
            return Some(false);
        }
        let mut ty = &self.scopes.find(&first.name.name)?.variable.ty;
        for part in rest {
            if let Type::Scalar(_, Notation::Pointer(pointee)) = ty {
                ty = pointee;
            }
            let Type::Record(record) = ty else { return None };
            let fields = &self.records[*record as usize].fields;
            ty = &fields.iter().find(|field| field.name == part.name.name)?.ty;
        }
        if let Type::Scalar(_, Notation::Pointer(pointee)) = ty {
            ty = pointee;
        }
        Some(matches!(ty, Type::Scalar(_, Notation::Chan)))
    }

    fn undeclared(&mut self, name: &ast::Ident) {
        let message = format!("'{}' is not declared", name.name);
        if self.function_names.contains_key(&name.name) {
            self.error_hint(
                name.span,
                message,
                format!("'{}' is a function: call it as `{}(...)`", name.name, name.name),
            );
        } else if self.signatures.contains_key(&name.name) {
            self.error_hint(
                name.span,
                message,
                format!("to start the process, write `run {}(...)`", name.name),
            );
        } else if let Some(known) = self.similar_name(&name.name) {
            self.error_hint(name.span, message, format!("did you mean `{known}`?"));
        } else {
            self.error(name.span, message);
        }
    }

    /// A visible name that differs from the given one by a typing mistake.
    fn similar_name(&self, name: &str) -> Option<Arc<str>> {
        let allowed = if name.len() >= 4 { 2 } else { 1 };
        self.scopes
            .names()
            .chain(self.mtype_values.keys())
            .map(|known| (edit_distance(name, known), known))
            .filter(|(distance, _)| *distance <= allowed)
            .min()
            .map(|(_, known)| known.clone())
    }

    /// Adds the index of one part of a reference to its place.
    fn apply_index(
        &mut self,
        place: &mut ScalarPlace,
        part: &ast::VarPart,
        ty: &Type,
        array: Option<u32>,
    ) -> Option<()> {
        let name = &part.name;
        match (array, &part.index) {
            (None, None) => Some(()),
            (None, Some(index)) => {
                if matches!(index.kind, ast::ExprKind::Const(0)) {
                    return Some(());
                }
                self.error(name.span, format!("'{}' is not an array", name.name));
                None
            }
            (Some(_), None) => {
                self.error(name.span, format!("the array '{}' needs an index", name.name));
                None
            }
            (Some(bound), Some(index)) => {
                let stride = self.type_size(ty);
                let span = index.span;
                let value = self.expr(index);
                self.push_index(place, Index { value, bound, stride, span });
                Some(())
            }
        }
    }

    /// Adds an index to a place; a constant one that is in range becomes part of the offset.
    pub(super) fn push_index(&mut self, place: &mut ScalarPlace, index: Index) {
        if let Expr::Const(value) = index.value
            && let Ok(value) = u32::try_from(value)
            && value < index.bound
        {
            place.offset += value * index.stride;
        } else {
            place.indices.push(index);
        }
    }

    pub(super) fn type_size(&self, ty: &Type) -> u32 {
        match ty {
            Type::Scalar(scalar, _) => scalar.size(),
            Type::Record(record) => self.records[*record as usize].size,
        }
    }

    /// Every scalar of a record, in order.
    pub(super) fn flatten_record(&self, place: &ScalarPlace, record: u32, out: &mut Vec<ScalarPlace>) {
        for field in &self.records[record as usize].fields {
            for element in 0..field.array.unwrap_or(1) {
                let mut at = place.clone();
                at.offset += field.offset + element * self.type_size(&field.ty);
                match field.ty {
                    Type::Scalar(scalar, _) => {
                        at.scalar = element_scalar(scalar, field.array);
                        out.push(at);
                    }
                    Type::Record(inner) => self.flatten_record(&at, inner, out),
                }
            }
        }
    }

    /// The value of a variable as an array's bound: its first value, as in SPIN.
    pub(super) fn named_bound(&mut self, name: &ast::Ident) -> i32 {
        if self.scopes.find(&name.name).is_none() {
            self.undeclared(name);
            return 1;
        }
        let initial = self.scopes.find(&name.name).and_then(|declared| declared.initial);
        match initial {
            Some(value) if value > 0 => value,
            _ => {
                let message = format!(
                    "the array bound '{}' has no constant value: taken as 8, as SPIN does",
                    name.name
                );
                self.diagnostics.push(Diagnostic::warning(message, name.span));
                8
            }
        }
    }
}

/// The number of letters to change, add or remove to turn one name into the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::edit_distance;

    #[test]
    fn distances() {
        for (a, b, distance) in [("turn", "turn", 0), ("trun", "turn", 2), ("trn", "turn", 1), ("", "ab", 2)]
        {
            assert_eq!(edit_distance(a, b), distance, "{a} {b}");
            assert_eq!(edit_distance(b, a), distance, "{b} {a}");
        }
    }
}
