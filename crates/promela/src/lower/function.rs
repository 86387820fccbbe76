//! Lowers functions, calls, `return`, `new` and `delete`.

use super::names::Resolved;
use super::pointer::article;
use super::{FRAME_HEADER_SIZE, Lowerer};
use crate::ir::{
    Action, Call, Callee, Delete, Expr, Formal, Function, Init, New, Notation, ObjectKind, ObjectType,
    Returned, Scalar, Target, Type,
};
use crate::syntax::ast::{self, ReturnValue, Span, StmtKind, TypeName, VarRef};
use crate::syntax::source::Diagnostic;
use std::sync::Arc;

/// What is known of a function before its body is lowered.
#[derive(Clone, Debug)]
pub(super) struct FunctionSignature {
    pub(super) name: Arc<str>,
    pub(super) formals: Vec<Formal>,
    pub(super) result: Option<Formal>,
}

impl Lowerer {
    /// Records the names of functions, which may be called before they are declared.
    pub(super) fn declare_function(&mut self, function: &ast::Function) {
        let name = &function.name;
        let id = self.function_signatures.len() as u16;
        if self.function_names.insert(name.name.clone(), id).is_some() {
            self.error(name.span, format!("function '{}' is declared twice", name.name));
        }
        if self.signatures.contains_key(&name.name) {
            self.error(name.span, format!("'{}' is the name of a proctype and of a function", name.name));
        }
        if &*name.name == "null" || &*name.name == "delete" {
            self.error(name.span, format!("a function cannot be named '{}'", name.name));
        }
        self.function_signatures.push(FunctionSignature {
            name: name.name.clone(),
            formals: Vec::new(),
            result: None,
        });
        self.functions.push(None);
        self.function_flows.push(None);
    }

    /// Records the types of a function's parameters and result.
    pub(super) fn declare_function_types(&mut self, id: usize, function: &ast::Function) {
        let formals = self.formals_of(&function.params);
        let result = function.result.as_ref().and_then(|ty| self.formal_of(ty, function.name.span));
        let signature = &mut self.function_signatures[id];
        (signature.formals, signature.result) = (formals, result);
    }

    /// The types of parameters; a record becomes one parameter for each of its scalars.
    pub(super) fn formals_of(&mut self, params: &[ast::Decl]) -> Vec<Formal> {
        let mut formals = Vec::new();
        for decl in params {
            for var in &decl.vars {
                let Some((ty, _)) = self.declared_type(&decl.ty, var) else { continue };
                let start = super::pointer::local(0, Scalar::Byte);
                let mut scalars = Vec::new();
                self.typed_scalars(&start, &ty, None, &mut scalars);
                formals.extend(scalars.into_iter().map(|(place, notation)| (place.scalar, notation)));
            }
        }
        formals
    }

    pub(super) fn lower_function(&mut self, function: &ast::Function, id: usize) {
        self.begin_process(function.name.span, false);
        let addressed = super::dynamic::addressed(&function.body);
        if let Some(process) = &mut self.process {
            process.size = FRAME_HEADER_SIZE;
            process.function = Some(id as u16);
            process.addressed = addressed;
        }
        let mut params = Vec::new();
        for decl in &function.params {
            self.declare_params(decl, &mut params);
        }
        self.lower_body(&function.body, Action::Return(Box::new(Returned::End)));
        let (name, span) = (function.name.name.clone(), function.name.span);
        let Some((body, flow)) = self.end_body(name.clone(), span, params, None) else { return };
        let size = body.size;
        if size > u32::from(u16::MAX) {
            self.error(span, format!("a frame of '{name}' would take {size} bytes"));
        }
        // The caller and the location of the result.
        let mut references = vec![4, 8];
        references.extend_from_slice(&body.references);
        let object = self.object_type(ObjectType {
            kind: ObjectKind::Frame(id as u16),
            name,
            size,
            references,
            channels: Vec::new(),
            channel_offsets: Vec::new(),
            channel_bytes: 0,
            init: Vec::new(),
            variables: Vec::new(),
        });
        let FunctionSignature { formals, result, .. } = self.function_signatures[id].clone();
        let signature = self.signature_text(id);
        self.functions[id] = Some(Function { body, formals, result, object, signature });
        self.function_flows[id] = Some(flow);
    }

    /// A function's type, as it is written in the source.
    fn signature_text(&self, id: usize) -> Arc<str> {
        let FunctionSignature { name, formals, result } = &self.function_signatures[id];
        let params: Vec<String> = formals.iter().map(|formal| self.formal_name(formal)).collect();
        let result =
            result.as_ref().map_or_else(String::new, |result| format!(" : {}", self.formal_name(result)));
        format!("{name}({}){result}", params.join("; ")).into()
    }

    /// Numbers a type of objects, from one.
    pub(super) fn object_type(&mut self, mut ty: ObjectType) -> u16 {
        for channel in &ty.channels {
            ty.channel_offsets.push(ty.channel_bytes);
            ty.channel_bytes += self.channel_types[usize::from(channel.0)].size();
        }
        self.object_types.push(ty);
        self.object_types.len() as u16
    }

    /// The type of objects that hold values of a type; objects that consist of channels of type `channel` if
    /// that is given.
    fn data_object(&mut self, ty: &Type, channel: Option<crate::ir::ChannelTypeId>) -> u16 {
        let known = self.object_types.iter().position(|known| {
            known.kind == ObjectKind::Data(ty.clone())
                && channel.is_none_or(|channel| known.channels == [channel])
                && (channel.is_some() || !matches!(ty, Type::Scalar(..)) || known.channels.is_empty())
        });
        if let Some(known) = known {
            return known as u16 + 1;
        }
        let mut object = ObjectType {
            kind: ObjectKind::Data(ty.clone()),
            name: self.type_name(ty).into(),
            size: self.type_size(ty),
            references: self.references_in(0, ty, None),
            channels: Vec::new(),
            channel_offsets: Vec::new(),
            channel_bytes: 0,
            init: Vec::new(),
            variables: Vec::new(),
        };
        match ty {
            Type::Record(record) => self.record_init(*record, 0, &mut object),
            Type::Scalar(..) => {
                if let Some(channel) = channel {
                    object.channels.push(channel);
                    object.init.push(Init::Channel(0));
                }
            }
        }
        self.object_type(object)
    }

    /// Adds the initial values of a record's fields to a type of objects.
    fn record_init(&self, record: u32, start: u32, object: &mut ObjectType) {
        let setups = &self.record_setups[record as usize];
        for (field, setup) in self.records[record as usize].fields.iter().zip(setups) {
            for element in 0..field.array.unwrap_or(1) {
                let at = start + field.offset + element * self.type_size(&field.ty);
                let Type::Scalar(scalar, _) = &field.ty else {
                    if let Type::Record(inner) = field.ty {
                        self.record_init(inner, at, object);
                    }
                    continue;
                };
                let scalar = super::decl::element_scalar(*scalar, field.array);
                match setup {
                    super::decl::FieldSetup::Zero => {}
                    super::decl::FieldSetup::Value(value) => {
                        object.init.push(Init::Value(at, scalar, value.clone()))
                    }
                    super::decl::FieldSetup::List(values) => {
                        if let Some(value) = values.get(element as usize).or(values.last()) {
                            object.init.push(Init::Value(at, scalar, value.clone()));
                        }
                    }
                    super::decl::FieldSetup::Channel(ty) => {
                        object.channels.push(*ty);
                        object.init.push(Init::Channel(at));
                    }
                }
            }
        }
    }

    /// Lowers a statement of the extension.
    pub(super) fn dynamic_statement(&mut self, kind: &StmtKind, span: Span) -> Action {
        let action = match kind {
            StmtKind::New { target, ty, count } => self.new_object(target, ty, count.as_ref(), span),
            StmtKind::NewChannel { target, init } => self.new_channel(target, init, span),
            StmtKind::Delete(reference) => self.pointer(reference).map(|(place, pointee, name)| {
                let pointee = (*pointee).clone();
                Action::Delete(Box::new(Delete { pointer: Expr::Load(place), pointee, name }))
            }),
            StmtKind::Call { result, call } => {
                self.refuse_in_d_step("a call", "the executability of a function is not known before", span);
                self.call(result.as_ref(), call, span).map(|call| Action::Call(Box::new(call)))
            }
            StmtKind::Return(value) => {
                self.refuse_in_d_step("a return", "let the d_step end first", span);
                self.return_value(value, span).map(|value| Action::Return(Box::new(value)))
            }
            _ => None,
        };
        action.unwrap_or(Action::Skip)
    }

    fn refuse_in_d_step(&mut self, what: &str, hint: &str, span: Span) {
        let Some(process) = &self.process else { return };
        if process.in_d_step {
            let outer = process.d_step_span;
            let error = Diagnostic::error(format!("{what} cannot stand in a d_step"), span).with_hint(hint);
            self.diagnostics.push(error.with_note("this d_step", outer));
        } else if process.is_claim {
            self.error(span, format!("{what} cannot stand in a never claim"));
        }
    }

    fn new_object(
        &mut self,
        target: &VarRef,
        ty: &TypeName,
        count: Option<&ast::Expr>,
        span: Span,
    ) -> Option<Action> {
        let made = match ty {
            TypeName::Named(name) => match self.record_names.get(&name.name) {
                Some(record) => Type::Record(*record),
                None => {
                    self.error(name.span, format!("there is no type '{}'", name.name));
                    return None;
                }
            },
            other => {
                let (scalar, notation) = self.formal_of(other, span)?;
                Type::Scalar(scalar, notation)
            }
        };
        let (place, pointee, _) = self.pointer(target)?;
        self.check_new(&pointee, &made, target, span);
        let count = count.map(|count| self.expr(count));
        let object = self.data_object(&made, None);
        Some(Action::New(Box::new(New { target: place, object, count })))
    }

    fn new_channel(&mut self, target: &VarRef, init: &ast::ChannelInit, span: Span) -> Option<Action> {
        let channel = self.channel_type(init);
        let made = Type::Scalar(self.chan_scalar(), Notation::Chan);
        let (place, pointee, _) = self.pointer(target)?;
        self.check_new(&pointee, &made, target, span);
        let object = self.data_object(&made, Some(channel));
        Some(Action::New(Box::new(New { target: place, object, count: None })))
    }

    fn callee(&mut self, callee: &VarRef) -> Option<Callee> {
        let plain = callee.parts.len() == 1 && callee.parts[0].index.is_none();
        let name = &callee.parts.first()?.name;
        if plain && self.scopes.find(&name.name).is_none() && !self.function_names.contains_key(&name.name) {
            let error = Diagnostic::error(
                format!("'{}' is neither a function nor an inline", name.name),
                callee.span,
            );
            let hint = "an inline must be defined before it is used; a process is started by `run`";
            self.diagnostics.push(error.with_hint(hint));
            return None;
        }
        match self.resolve(callee)? {
            Resolved::Function(id) => Some(Callee::Direct(id)),
            Resolved::FunctionRef(place) => Some(Callee::Through(Expr::Load(place))),
            _ => {
                self.error_hint(
                    callee.span,
                    format!("'{callee}' is not a function"),
                    "a variable of type ftype refers to one",
                );
                None
            }
        }
    }

    fn call(&mut self, result: Option<&VarRef>, call: &ast::Call, span: Span) -> Option<Call> {
        let callee = self.callee(&call.callee);
        let mut args = self.typed_args(&call.args);
        let mut target =
            result.and_then(|result| self.target(result)).filter(|target| *target != Target::Discard);
        let callee = callee?;
        let name: Arc<str> = call.callee.to_string().into();
        if let Callee::Direct(id) = callee {
            let FunctionSignature { formals, result: given, .. } =
                self.function_signatures[usize::from(id)].clone();
            if formals.len() == args.len() {
                args = self.fit_args(&name, args, &formals, span);
            } else {
                let message = format!("'{}' gets {} here", self.signature_text(id.into()), count(args.len()));
                self.error(span, message);
            }
            if let (Some(taken), Some(reference)) = (&target, result) {
                target = self.fit_result(taken, given.as_ref(), reference, &name);
            }
        }
        if let Some(Target::Priority) = target {
            self.error_hint(span, "'_priority' cannot take a result", "assign it to a variable first");
        }
        Some(Call { callee, name, args, result: target, in_atomic: false })
    }

    /// The variable that takes a result of a type.
    fn fit_result(
        &mut self,
        target: &Target,
        given: Option<&Formal>,
        reference: &VarRef,
        name: &str,
    ) -> Option<Target> {
        let Some(given) = given else {
            self.error_hint(
                reference.span,
                format!("'{name}' gives no result"),
                "call it as a statement of its own",
            );
            return None;
        };
        match target.for_formal(given) {
            Some(Some(place)) => Some(Target::Place(place.clone())),
            Some(None) => None,
            None => {
                let own = match target {
                    Target::Either(either) => self.formal_name(&(Scalar::Pointer, either.kind.clone())),
                    _ => "a variable of a plain type".into(),
                };
                let message = format!(
                    "'{reference}' is {}, and '{name}' gives {}",
                    article(&own),
                    article(&self.formal_name(given))
                );
                self.error(reference.span, message);
                None
            }
        }
    }

    fn return_value(&mut self, value: &ReturnValue, span: Span) -> Option<Returned> {
        let id = self.process.as_ref().and_then(|process| process.function)?;
        let FunctionSignature { name, result, .. } = self.function_signatures[usize::from(id)].clone();
        match (value, result) {
            (ReturnValue::Nothing, None) => Some(Returned::Nothing),
            (ReturnValue::Nothing, Some(result)) => {
                let wanted = article(&self.formal_name(&result));
                self.error(span, format!("'{name}' returns {wanted}: this return needs an expression"));
                None
            }
            (ReturnValue::Value(_) | ReturnValue::Call(_), None) => {
                let hint = "give the function a type: `function f() : int { ... }`";
                self.error_hint(
                    span,
                    format!("'{name}' returns nothing: this return has an expression"),
                    hint,
                );
                None
            }
            (ReturnValue::Value(e), Some(result)) => {
                let value = self.value_or_reference(e);
                let value = self.fitting(value, &result, &format!("'{e}'"), e.span);
                Some(Returned::Value(value))
            }
            (ReturnValue::Call(call), Some(result)) => {
                let lowered = self.call(None, call, span)?;
                if let Callee::Direct(callee) = lowered.callee {
                    let given = &self.function_signatures[usize::from(callee)].result;
                    let same = given.as_ref().is_some_and(|given| *given == result);
                    if !same {
                        let given = given
                            .as_ref()
                            .map_or_else(|| "nothing".into(), |g| article(&self.formal_name(g)));
                        let wanted = article(&self.formal_name(&result));
                        self.error(
                            span,
                            format!("'{}' gives {given}, and '{name}' returns {wanted}", lowered.name),
                        );
                    }
                }
                self.warn_of_own_addresses(call);
                Some(Returned::Call(lowered))
            }
        }
    }

    /// Warns where a tail call passes an address in its own frame, because the frame ends before the called
    /// function begins.
    fn warn_of_own_addresses(&mut self, call: &ast::Call) {
        for arg in &call.args {
            if let ast::ExprKind::Address(reference) = &arg.kind
                && let Some(first) = reference.parts.first()
                && self.process.as_ref().is_some_and(|process| process.addressed.contains(&first.name.name))
                && self.scopes.is_local(&first.name.name)
            {
                let message =
                    format!("'{reference}' has ended when the function begins that this return calls");
                self.diagnostics.push(Diagnostic::warning(message, arg.span));
            }
        }
    }

    /// Takes the lowered functions, once all types are complete.
    pub(super) fn take_functions(&mut self) -> Vec<Function> {
        std::mem::take(&mut self.functions).into_iter().flatten().collect()
    }
}

/// A count of arguments, in words.
fn count(n: usize) -> String {
    if n == 1 { "one argument".into() } else { format!("{n} arguments") }
}
