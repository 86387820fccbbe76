//! Lowers scopes: blocks with variables, which are set up at entry and zero outside.
//!
//! A body is the outermost scope and lives as long as its process or frame. Variables of which the address is
//! taken are in an object of their scope, so that a use of a pointer to them after the scope has ended is
//! detected.

use super::pointer::local;
use super::{Lowerer, Process};
use crate::ir::{
    Base, Expr, Notation, ObjectKind, ObjectType, Scalar, Scope, Setup, Through, Type, Variable,
};
use crate::syntax::ast::{self, Step};

/// A scope of the body being lowered.
#[derive(Debug, Default)]
pub(super) struct ScopeBuild {
    flag: Option<u32>,
    object: Option<ObjectBuild>,
    setup: Vec<Setup>,
    bytes: Vec<(u32, u32)>,
}

/// The object with the variables of a scope that pointers may refer to.
#[derive(Debug)]
struct ObjectBuild {
    slot: u32,
    size: u32,
    references: Vec<u32>,
    variables: Vec<Variable>,
}

impl Process {
    /// The innermost scope, unless it is the body.
    fn nested_scope(&mut self) -> Option<&mut ScopeBuild> {
        let innermost = *self.open_scopes.last()?;
        if innermost == 0 { None } else { self.scopes.get_mut(usize::from(innermost)) }
    }

    /// Records that a variable of this many bytes is about to be laid out.
    pub(super) fn note_bytes(&mut self, size: u32) {
        let start = self.size;
        if let Some(scope) = self.nested_scope() {
            scope.bytes.push((start, size));
        }
    }

    /// Adds a step to the setup of the innermost scope.
    pub(super) fn push_setup(&mut self, setup: Setup) {
        match self.nested_scope() {
            Some(scope) => scope.setup.push(setup),
            None => self.setup.push(setup),
        }
    }

    /// Whether channels can be made at declarations here, which is possible only once for each process.
    pub(super) fn can_have_channels(&self) -> bool {
        self.function.is_none() && self.open_scopes.last().is_none_or(|&scope| scope == 0)
    }
}

impl Lowerer {
    /// Opens a block: its names, and its variables if it has any. Returns whether it has.
    pub(super) fn open_block(&mut self, steps: &[Step]) -> bool {
        self.scopes.open();
        if !self.uses.anything {
            return false;
        }
        let Some(process) = &mut self.process else { return false };
        // A `d_step` cannot be left in the middle: its blocks belong to the scope around it.
        process.starts.push(!process.in_d_step);
        if process.in_d_step || !super::dynamic::declares(steps) {
            return false;
        }
        let flag = process.size;
        process.size += 1;
        process.open_scopes.push(process.scopes.len() as u16);
        process.scopes.push(ScopeBuild { flag: Some(flag), bytes: vec![(flag, 1)], ..ScopeBuild::default() });
        process.flow.scope = process.open_scopes[1..].into();
        true
    }

    /// Closes a block; `has_variables` is the result of `open_block`.
    pub(super) fn close_block(&mut self, has_variables: bool) {
        self.scopes.close();
        if let Some(process) = &mut self.process {
            process.starts.pop();
            if has_variables {
                process.open_scopes.pop();
                process.flow.scope = process.open_scopes[1..].into();
            }
        }
    }

    /// Records that later declarations are not set up at entry to the innermost block.
    pub(super) fn end_start(&mut self) {
        if let Some(start) = self.process.as_mut().and_then(|process| process.starts.last_mut()) {
            *start = false;
        }
    }

    /// Lays out a variable that pointers may refer to.
    pub(super) fn allocate_in_object(
        &mut self,
        var: &ast::VarDecl,
        ty: Type,
        array: Option<u32>,
        references: &[u32],
    ) -> Variable {
        let size = self.type_size(&ty) * array.unwrap_or(1);
        if self.process.as_ref().is_some_and(|process| process.in_d_step) {
            // Blocks of a `d_step` do not end separately, so a pointer could outlive the variable unnoticed.
            let name = &var.name;
            self.error_hint(
                name.span,
                format!("no pointer can refer to '{}', which is declared in a d_step", name.name),
                "declare it before the d_step, or use atomic",
            );
        }
        let process = self.process.as_mut().expect("a process is being lowered");
        let scope = usize::from(process.open_scopes.last().copied().unwrap_or(0));
        if process.scopes[scope].object.is_none() {
            let slot = process.size;
            process.note_bytes(4);
            process.size += 4;
            process.references.push(slot);
            process.scopes[scope].object =
                Some(ObjectBuild { slot, size: 0, references: Vec::new(), variables: Vec::new() });
        }
        let name = var.name.name.clone();
        let object = process.scopes[scope].object.as_mut().expect("it was just made");
        let offset = object.size;
        object.size += size;
        object.references.extend(references.iter().map(|at| offset + at));
        object.variables.push(Variable {
            name: name.clone(),
            base: Base::Global,
            offset,
            ty: ty.clone(),
            array,
        });
        let too_large = object.size > 0x7fff;
        let through = Through {
            pointer: Expr::Load(local(object.slot, Scalar::Pointer)),
            index: None,
            pointee: Type::Scalar(Scalar::Byte, Notation::Number),
            size: 0,
            name: name.clone(),
            span: var.name.span,
        };
        if too_large {
            self.error(var.name.span, format!("pointers to '{name}' would have to reach too far"));
        }
        Variable { name, base: Base::Object(Box::new(through)), offset, ty, array }
    }

    /// The scopes of a completed body, and whether the body itself has an object.
    pub(super) fn finish_scopes(&mut self, owner: &str, built: Vec<ScopeBuild>) -> Vec<Scope> {
        built
            .into_iter()
            .map(|scope| {
                let object = scope.object.map(|object| {
                    let ty = self.object_type(ObjectType {
                        kind: ObjectKind::Scope,
                        name: format!("variables of {owner}").into(),
                        size: object.size,
                        references: object.references,
                        channels: Vec::new(),
                        channel_offsets: Vec::new(),
                        channel_bytes: 0,
                        init: Vec::new(),
                        variables: object.variables,
                    });
                    (object.slot, ty)
                });
                Scope { flag: scope.flag, object, setup: scope.setup, bytes: scope.bytes }
            })
            .collect()
    }
}
