//! References to labels and variables of other processes, resolved once every process type is known.

use super::Lowerer;
use crate::ir::{Base, Expr, Index, Pc, Proctype, ProctypeId, Scalar, ScalarPlace, Setup, Type};
use crate::syntax::ast::{self, Ident};

/// An unresolved `p@label`.
#[derive(Clone, Debug)]
pub(super) struct LabelRef {
    pub(super) proctype: ProctypeId,
    pub(super) label: Ident,
    pub(super) state: Option<Pc>,
}

/// An unresolved `p:variable`.
#[derive(Clone, Debug)]
pub(super) struct VarRef {
    proctype: ProctypeId,
    name: Ident,
    has_index: bool,
}

impl Lowerer {
    /// A place in another process's record; its offset is the index of the pending reference until it is
    /// resolved.
    pub(super) fn remote_place(
        &mut self,
        id: ProctypeId,
        var: &ast::VarPart,
        element: Option<Expr>,
    ) -> ScalarPlace {
        let pending = self.remote_vars.len() as u32;
        let has_index = element.is_some();
        let span = var.name.span;
        self.remote_vars.push(VarRef { proctype: id, name: var.name.clone(), has_index });
        let indices = element.map(|value| Index { value, bound: 0, stride: 0, span }).into_iter().collect();
        ScalarPlace { base: Base::Local, offset: pending, scalar: Scalar::Byte, indices }
    }

    /// Gives every label that is referred to from elsewhere a state of its own, and records the state.
    pub(super) fn pin_remote_labels(&mut self) {
        for idx in 0..self.remote_labels.len() {
            let LabelRef { proctype, label, .. } = self.remote_labels[idx].clone();
            let flow = self.flows.get_mut(usize::from(proctype.0)).and_then(Option::as_mut);
            let Some(flow) = flow else { continue };
            if let Some(found) = flow.find_label(&label.name, &[]) {
                flow.pin_label(found);
                let element = flow.labels[found].element;
                self.remote_labels[idx].state = Some(Pc(flow.element(element).number as u16));
            } else {
                let message = format!("there is no label '{}' in that process", label.name);
                self.error(label.span, message);
            }
        }
    }

    /// Replaces the placeholders in every expression of the model.
    pub(super) fn resolve_remote(&mut self) {
        if self.remote_labels.is_empty() && self.remote_vars.is_empty() {
            return;
        }
        let vars = std::mem::take(&mut self.remote_vars);
        let places: Vec<Option<(u32, Scalar, Option<u32>)>> =
            vars.iter().map(|var| self.find_remote_variable(var)).collect();
        let labels = std::mem::take(&mut self.remote_labels);
        let mut patch = |e: &mut Expr| match e {
            Expr::RemoteLabel { state, .. } => {
                *state = labels[usize::from(state.0)].state.unwrap_or(Pc(0));
            }
            Expr::RemoteVar { place, .. } => {
                if let Some((offset, scalar, bound)) = places[place.offset as usize] {
                    place.offset = offset;
                    place.scalar = scalar;
                    for index in &mut place.indices {
                        index.bound = bound.unwrap_or(1);
                        index.stride = scalar.size();
                    }
                }
            }
            _ => {}
        };
        for proctype in self.proctypes.iter_mut().flatten() {
            for statement in &mut proctype.statements {
                statement.action.walk_mut(&mut patch);
            }
            if let Some(provided) = &mut proctype.provided {
                provided.walk_mut(&mut patch);
            }
            walk_setups(proctype, &mut patch);
        }
        for function in self.functions.iter_mut().flatten() {
            for statement in &mut function.body.statements {
                statement.action.walk_mut(&mut patch);
            }
            walk_setups(&mut function.body, &mut patch);
        }
        self.walk_claims(&mut patch);
    }

    fn find_remote_variable(&mut self, var: &VarRef) -> Option<(u32, Scalar, Option<u32>)> {
        let proctype = self.proctypes.get(usize::from(var.proctype.0)).and_then(Option::as_ref)?;
        let found = proctype.variables.iter().find(|variable| variable.name == var.name.name);
        let Some(variable) = found else {
            let message = format!("proctype '{}' has no variable '{}'", proctype.name, var.name.name);
            self.error(var.name.span, message);
            return None;
        };
        let (offset, array) = (variable.offset, variable.array);
        let Type::Scalar(scalar, _) = variable.ty else {
            self.error(var.name.span, "a record of another process cannot be referred to");
            return None;
        };
        if array.is_some() != var.has_index {
            let what = if array.is_some() { "needs an index" } else { "is not an array" };
            self.error(var.name.span, format!("'{}' {what}", var.name.name));
            return None;
        }
        Some((offset, super::decl::element_scalar(scalar, array), array))
    }
}

/// Passes every initial value of a body's variables to `patch`.
fn walk_setups(body: &mut Proctype, patch: &mut impl FnMut(&mut Expr)) {
    let nested = body.scopes.0.iter_mut().flat_map(|scope| &mut scope.setup);
    for setup in body.setup.iter_mut().chain(nested) {
        if let Setup::Assign(_, value) = setup {
            value.walk_mut(patch);
        }
    }
}
