//! Lowers declarations: symbolic constants, record types, variables, channels, parameters, and their layout.

use super::Lowerer;
use super::names::Declared;
use crate::flow::Node;
use crate::ir::{
    Action, Base, ChannelType, ChannelTypeId, Expr, Notation, Record, Scalar, ScalarPlace, Setup, Target,
    Type, Variable,
};
use crate::syntax::ast::{self, ExprKind, Initializer, TypeName};
use crate::syntax::source::Diagnostic;
use std::sync::Arc;

/// The initial value of a record's field, in every variable of that type.
#[derive(Clone, Debug)]
pub(super) enum FieldSetup {
    /// Zero.
    Zero,
    /// A value.
    Value(Expr),
    /// One value for each element; the last one is repeated.
    List(Vec<Expr>),
    /// A new channel.
    Channel(ChannelTypeId),
}

/// The largest variable, in bytes; all variables together may take a few times as much.
const MAX_VARIABLE_SIZE: u64 = 1 << 20;

/// The set of symbolic constants declared with plain `mtype`.
const UNNAMED: &str = "";

impl Lowerer {
    /// SPIN numbers the names of one declaration from the last to the first, and continues with the next
    /// declaration.
    pub(super) fn declare_mtype(&mut self, mtype: &ast::MtypeDecl) {
        let set: Arc<str> = mtype.subtype.as_ref().map_or_else(|| UNNAMED.into(), |name| name.name.clone());
        for name in mtype.names.iter().rev() {
            let names = self.mtypes.entry(set.clone()).or_default();
            names.push(name.name.clone());
            let value = names.len() as i32;
            if value > 255 {
                self.error(name.span, "there are more than 255 symbolic constants");
            }
            if self.mtype_values.insert(name.name.clone(), (value, set.clone())).is_some() {
                self.error(name.span, format!("the symbolic constant '{}' is declared twice", name.name));
            }
        }
    }

    pub(super) fn declare_record(&mut self, typedef: &ast::Typedef) {
        let mut fields: Vec<Variable> = Vec::new();
        let mut setups = Vec::new();
        let mut size = 0;
        for decl in &typedef.fields {
            for var in &decl.vars {
                let Some((ty, array)) = self.declared_type(&decl.ty, var) else { continue };
                let span = var.name.span;
                if fields.iter().any(|field| field.name == var.name.name) {
                    self.error(span, format!("the field '{}' is declared twice", var.name.name));
                }
                let setup = self.field_setup(var, &ty);
                let field =
                    Variable { name: var.name.name.clone(), base: Base::Global, offset: size, ty, array };
                size += self.type_size(&field.ty) * array.unwrap_or(1);
                fields.push(field);
                setups.push(setup);
                if u64::from(size) > MAX_VARIABLE_SIZE {
                    let message =
                        format!("a variable of type '{}' would take {size} bytes", typedef.name.name);
                    self.error(span, message);
                    return;
                }
            }
        }
        let idx = self.records.len() as u32;
        self.records.push(Record { name: typedef.name.name.clone(), size, fields });
        self.record_setups.push(setups);
        if self.record_names.insert(typedef.name.name.clone(), idx).is_some() {
            self.error(typedef.name.span, format!("type '{}' is declared twice", typedef.name.name));
        }
    }

    fn field_setup(&mut self, var: &ast::VarDecl, ty: &Type) -> FieldSetup {
        match &var.init {
            None => FieldSetup::Zero,
            Some(Initializer::Expr(e)) if self.holds_reference(ty) => {
                FieldSetup::Value(self.reference_value(e, ty))
            }
            Some(Initializer::Expr(e)) => FieldSetup::Value(self.expr(e)),
            Some(Initializer::List(list)) => FieldSetup::List(list.iter().map(|e| self.expr(e)).collect()),
            Some(Initializer::Channel(init)) => FieldSetup::Channel(self.channel_type(init)),
        }
    }

    /// A type by its name, and the number of elements.
    pub(super) fn declared_type(&mut self, ty: &TypeName, var: &ast::VarDecl) -> Option<(Type, Option<u32>)> {
        let span = var.name.span;
        let array = match &var.array {
            None => None,
            Some(ast::ArrayBound::Count(n)) => Some(*n),
            Some(ast::ArrayBound::Named(name)) => Some(self.named_bound(name)),
        };
        let array = match array {
            None => None,
            Some(n) => match u32::try_from(n) {
                Ok(n) if n > 0 && n <= 1 << 20 => Some(n),
                _ => {
                    self.error(span, format!("an array cannot have {n} elements"));
                    Some(1)
                }
            },
        };
        if var.width.is_some() && *ty != TypeName::Unsigned {
            self.error(span, "only an unsigned variable has a width");
        }
        let ty = match ty {
            TypeName::Named(name) if var.pointer => self.pointee(name)?,
            TypeName::Ftype => Type::Scalar(Scalar::Unsigned(16), Notation::Function),
            TypeName::Pointer(_) => return None,
            TypeName::Bit => Type::Scalar(Scalar::Bit, Notation::Number),
            TypeName::Bool => Type::Scalar(Scalar::Bit, Notation::Bool),
            TypeName::Byte | TypeName::Pid => Type::Scalar(Scalar::Byte, Notation::Number),
            TypeName::Short => Type::Scalar(Scalar::Short, Notation::Number),
            TypeName::Int => Type::Scalar(Scalar::Int, Notation::Number),
            TypeName::Chan => Type::Scalar(self.chan_scalar(), Notation::Chan),
            TypeName::Mtype(set) => {
                let set = set.as_ref().map_or_else(|| UNNAMED.into(), |name| name.name.clone());
                Type::Scalar(Scalar::Byte, Notation::Mtype(set))
            }
            TypeName::Unsigned => {
                let width = var.width.unwrap_or(0);
                match u8::try_from(width) {
                    Ok(bits @ 1..=31) => Type::Scalar(Scalar::Unsigned(bits), Notation::Number),
                    _ => {
                        self.error_hint(
                            span,
                            "an unsigned variable needs a width of 1 to 31 bits",
                            format!("for example `unsigned {} : 5`", var.name.name),
                        );
                        Type::Scalar(Scalar::Unsigned(16), Notation::Number)
                    }
                }
            }
            TypeName::Named(name) => {
                if let Some(&idx) = self.record_names.get(&name.name) {
                    Type::Record(idx)
                } else {
                    self.error(name.span, format!("there is no type '{}'", name.name));
                    return None;
                }
            }
        };
        let ty = if var.pointer { self.pointer_to(ty, span)? } else { ty };
        let bytes = u64::from(self.type_size(&ty)) * u64::from(array.unwrap_or(1));
        if bytes > MAX_VARIABLE_SIZE {
            self.error(span, format!("'{}' would take {bytes} bytes of every state", var.name.name));
            return None;
        }
        Some((ty, array))
    }

    /// The index of a channel type; equal types share one.
    pub(super) fn channel_type(&mut self, init: &ast::ChannelInit) -> ChannelTypeId {
        let mut fields = Vec::new();
        for field in &init.fields {
            match field {
                TypeName::Bit => fields.push((Scalar::Bit, Notation::Number)),
                TypeName::Bool => fields.push((Scalar::Bit, Notation::Bool)),
                TypeName::Byte | TypeName::Pid => fields.push((Scalar::Byte, Notation::Number)),
                TypeName::Short => fields.push((Scalar::Short, Notation::Number)),
                TypeName::Int => fields.push((Scalar::Int, Notation::Number)),
                TypeName::Chan => fields.push((self.chan_scalar(), Notation::Chan)),
                TypeName::Ftype | TypeName::Pointer(_) => fields.extend(self.formal_of(field, init.span)),
                TypeName::Mtype(set) => {
                    let set = set.as_ref().map_or_else(|| UNNAMED.into(), |name| name.name.clone());
                    fields.push((Scalar::Byte, Notation::Mtype(set)));
                }
                TypeName::Unsigned => self.error_hint(
                    init.span,
                    "unsigned cannot be the type of a message's field",
                    "use byte, short or int",
                ),
                TypeName::Named(name) => match self.record_names.get(&name.name) {
                    Some(&idx) => self.record_fields(idx, &mut fields),
                    None => self.error(name.span, format!("there is no type '{}'", name.name)),
                },
            }
        }
        // SPIN keeps the only field of a message in a whole byte, and does not truncate it to one bit.
        if let [(scalar @ Scalar::Bit, _)] = fields.as_mut_slice() {
            *scalar = Scalar::Byte;
        }
        let capacity = u16::try_from(init.capacity).unwrap_or_else(|_| {
            let message = format!("a channel cannot hold {} messages (0 to 65535 can be)", init.capacity);
            self.error(init.span, message);
            1
        });
        let ty = ChannelType::new(capacity, fields);
        if u64::from(ty.size()) > MAX_VARIABLE_SIZE {
            self.error(init.span, format!("the channel would take {} bytes of every state", ty.size()));
        }
        let idx = self.channel_types.iter().position(|other| *other == ty).unwrap_or_else(|| {
            self.channel_types.push(ty);
            self.channel_types.len() - 1
        });
        ChannelTypeId(idx as u16)
    }

    /// The fields of a record as fields of a message: SPIN makes every `bit` of it one bit, also in arrays.
    fn record_fields(&self, record: u32, out: &mut Vec<(Scalar, Notation)>) {
        for field in &self.records[record as usize].fields {
            for _ in 0..field.array.unwrap_or(1) {
                match &field.ty {
                    Type::Scalar(scalar, notation) => {
                        out.push((*scalar, notation.clone()));
                    }
                    Type::Record(inner) => self.record_fields(*inner, out),
                }
            }
        }
    }

    pub(super) fn declare_globals(&mut self, decl: &ast::Decl) {
        for var in &decl.vars {
            self.declare_variable(decl, var);
        }
    }

    /// Declares a variable of the current process, or a global one, with its initial value.
    pub(super) fn declare_variable(&mut self, decl: &ast::Decl, var: &ast::VarDecl) {
        let Some((ty, array)) = self.declared_type(&decl.ty, var) else { return };
        let is_hidden = decl.visibility == ast::Visibility::Hidden;
        if is_hidden && !self.references_in(0, &ty, array).is_empty() && self.uses.anything {
            self.error(var.name.span, "a pointer cannot be hidden: it is part of the state");
        }
        let discarded = is_hidden && self.hidden.is_write_only(&var.name.name);
        let scratch = is_hidden
            && self.process.is_none()
            && array.is_none()
            && matches!(ty, Type::Scalar(..))
            && self.hidden.is_scratch(&var.name.name);
        let variable = self.allocate(var, ty, array);
        if (discarded || scratch) && self.process.is_none() && variable.base == Base::Global {
            // Between two steps it has no value that could be listed.
            self.globals.pop();
        }
        let place = ScalarPlace {
            base: variable.base.clone(),
            offset: variable.offset,
            scalar: Scalar::Byte,
            indices: Vec::new(),
        };
        let initial = match &var.init {
            None => Some(0),
            Some(Initializer::Expr(e)) => constant_value(e),
            _ => None,
        };
        let channel = match &var.init {
            Some(Initializer::Channel(init)) => {
                let record = match init.fields.as_slice() {
                    [TypeName::Named(name)] => self.record_names.get(&name.name).copied(),
                    _ => None,
                };
                u16::try_from(init.capacity).ok().map(|capacity| (capacity, record))
            }
            _ => None,
        };
        let declared =
            Declared { variable: variable.clone(), initial, channel, discarded, scratch, hidden: is_hidden };
        if !self.scopes.declare(declared) {
            self.error(var.name.span, format!("'{}' is declared twice in this scope", var.name.name));
        }
        if let (true, Type::Scalar(scalar, _)) = (scratch, &variable.ty) {
            self.scratch.push(ScalarPlace { scalar: *scalar, ..place });
            return;
        }
        let at_start = self.process.as_ref().is_none_or(|process| match process.starts.last() {
            Some(at_start) => *at_start,
            None => process.flow.at_start,
        });
        if at_start {
            self.set_up(place, &variable, var);
        } else {
            self.assign_in_place(place, &variable, var);
        }
    }

    fn allocate(&mut self, var: &ast::VarDecl, ty: Type, array: Option<u32>) -> Variable {
        let size = self.type_size(&ty) * array.unwrap_or(1);
        let name = var.name.name.clone();
        let references = if self.uses.anything { self.references_in(0, &ty, array) } else { Vec::new() };
        if self.is_addressed(&name, &ty) {
            return self.allocate_in_object(var, ty, array, &references);
        }
        match &mut self.process {
            Some(process) => {
                process.references.extend(references.iter().map(|at| process.size + at));
                process.note_bytes(size);
                let variable = Variable { name, base: Base::Local, offset: process.size, ty, array };
                process.size += size;
                process.variables.push(variable.clone());
                variable
            }
            None => {
                let variable = Variable { name, base: Base::Global, offset: self.globals_size, ty, array };
                self.globals_size += size;
                self.globals.push(variable.clone());
                variable
            }
        }
    }

    fn push_setup(&mut self, setup: Setup) {
        match &mut self.process {
            Some(process) => process.push_setup(setup),
            None => self.setup.push(setup),
        }
    }

    /// Adds the setup of a variable, which runs when its process, or the system, starts.
    fn set_up(&mut self, place: ScalarPlace, variable: &Variable, var: &ast::VarDecl) {
        match &variable.ty {
            Type::Record(record) => {
                if var.init.is_some() {
                    let message = "the initial value of a record is ignored, as SPIN does: its fields start as their type says";
                    self.diagnostics.push(Diagnostic::warning(message, var.name.span));
                }
                self.set_up_record(&place, *record, variable.array);
            }
            Type::Scalar(scalar, _) => {
                let place = ScalarPlace { scalar: element_scalar(*scalar, variable.array), ..place };
                let setup = self.field_setup(var, &variable.ty);
                if let (FieldSetup::Value(value), Some(Initializer::Expr(e))) = (&setup, &var.init)
                    && value.contains_run()
                {
                    self.error(e.span, "run cannot be used to initialise a variable");
                }
                self.check_initializer(variable, var);
                self.set_up_scalars(&place, variable.array, &setup);
            }
        }
    }

    fn check_initializer(&mut self, variable: &Variable, var: &ast::VarDecl) {
        let is_chan = matches!(variable.ty, Type::Scalar(_, Notation::Chan));
        match &var.init {
            Some(Initializer::Channel(init)) if !is_chan => {
                self.error(init.span, format!("'{}' is not a channel", var.name.name));
            }
            Some(Initializer::List(_)) if variable.array.is_none() => {
                self.error(var.name.span, format!("'{}' is not an array", var.name.name));
            }
            _ => {}
        }
    }

    fn set_up_scalars(&mut self, place: &ScalarPlace, array: Option<u32>, setup: &FieldSetup) {
        if let (FieldSetup::Channel(_), Some(process)) = (setup, &self.process)
            && !process.can_have_channels()
        {
            let span = process.flow.span();
            self.error_hint(
                span,
                "a channel cannot be declared in a function or a nested scope",
                "make it by `new chan [n] of { ... }`, or declare it outside",
            );
            return;
        }
        for element in 0..array.unwrap_or(1) {
            let mut at = place.clone();
            at.offset += element * place.scalar.size();
            match setup {
                FieldSetup::Zero => return,
                FieldSetup::Value(value) => self.push_setup(Setup::Assign(at, value.clone())),
                FieldSetup::List(values) => {
                    if let Some(value) = values.get(element as usize).or(values.last()) {
                        self.push_setup(Setup::Assign(at, value.clone()));
                    }
                }
                FieldSetup::Channel(ty) => self.push_setup(Setup::Channel(at, *ty)),
            }
        }
    }

    fn set_up_record(&mut self, place: &ScalarPlace, record: u32, array: Option<u32>) {
        for element in 0..array.unwrap_or(1) {
            let size = self.records[record as usize].size;
            let fields = self.records[record as usize].fields.clone();
            let setups = self.record_setups[record as usize].clone();
            for (field, setup) in fields.iter().zip(&setups) {
                let mut at = place.clone();
                at.offset += element * size + field.offset;
                match field.ty {
                    Type::Scalar(scalar, _) => {
                        at.scalar = element_scalar(scalar, field.array);
                        self.set_up_scalars(&at, field.array, setup);
                    }
                    Type::Record(inner) => self.set_up_record(&at, inner, field.array),
                }
            }
        }
    }

    /// Lowers a declaration among statements, which is a step that sets the variable each time control
    /// passes.
    fn assign_in_place(&mut self, place: ScalarPlace, variable: &Variable, var: &ast::VarDecl) {
        let span = var.name.span;
        let name = &var.name.name;
        let (value, text): (Expr, Arc<str>) = match &var.init {
            None => (Expr::Const(0), format!("{name} = 0").into()),
            Some(Initializer::Expr(e)) if self.holds_reference(&variable.ty) => {
                (self.reference_value(e, &variable.ty), format!("{name} = {e}").into())
            }
            Some(Initializer::Expr(e)) => (self.expr(e), format!("{name} = {e}").into()),
            Some(Initializer::List(list)) => {
                // SPIN warns and continues: the array has the values when the process starts, and its first
                // element is assigned again each time control passes.
                let values: Vec<Expr> = list.iter().map(|e| self.expr(e)).collect();
                if let Type::Scalar(scalar, _) = variable.ty {
                    let all = ScalarPlace { scalar: element_scalar(scalar, variable.array), ..place.clone() };
                    self.set_up_scalars(&all, variable.array, &FieldSetup::List(values.clone()));
                }
                let first = list.first().map_or_else(|| "0".to_owned(), ToString::to_string);
                (values.first().cloned().unwrap_or(Expr::Const(0)), format!("{name}[0] = {first}").into())
            }
            Some(Initializer::Channel(init)) => {
                self.error_hint(
                    init.span,
                    "a channel can be made only before the first statement of a process",
                    "declare the channel at the start of the process",
                );
                return;
            }
        };
        let action = match &variable.ty {
            Type::Record(record) => {
                self.set_up_record(&place, *record, variable.array);
                Action::Guard(Expr::Const(1))
            }
            Type::Scalar(scalar, _) => {
                let place = ScalarPlace { scalar: element_scalar(*scalar, variable.array), ..place };
                let discarded = self.scopes.find(name).is_some_and(|declared| declared.discarded);
                Action::Assign(if discarded { Target::Discard } else { Target::Place(place) }, value)
            }
        };
        self.flow().append(Node::basic(action, span, text));
    }

    /// Declares parameters; a record becomes one parameter for each of its scalars.
    pub(super) fn declare_params(&mut self, decl: &ast::Decl, params: &mut Vec<ScalarPlace>) {
        for var in &decl.vars {
            if var.init.is_some() {
                self.error(var.name.span, "a parameter cannot be initialised");
            }
            let Some((ty, array)) = self.declared_type(&decl.ty, var) else { continue };
            if array.is_some() {
                self.error(var.name.span, "an array cannot be a parameter");
                continue;
            }
            let variable = self.allocate(var, ty, None);
            let place = ScalarPlace {
                base: variable.base.clone(),
                offset: variable.offset,
                scalar: Scalar::Byte,
                indices: Vec::new(),
            };
            match &variable.ty {
                Type::Scalar(scalar, _) => params.push(ScalarPlace { scalar: *scalar, ..place }),
                Type::Record(record) => self.flatten_record(&place, *record, params),
            }
            let declared = Declared {
                variable,
                initial: None,
                channel: None,
                discarded: false,
                scratch: false,
                hidden: false,
            };
            if !self.scopes.declare(declared) {
                self.error(var.name.span, format!("the parameter '{}' is declared twice", var.name.name));
            }
        }
    }

    /// The number of scalars in the parameters.
    pub(super) fn count_params(&mut self, params: &[ast::Decl]) -> usize {
        let mut n = 0;
        for decl in params {
            let each = match &decl.ty {
                TypeName::Named(name) => match self.record_names.get(&name.name) {
                    Some(&record) => {
                        let mut fields = Vec::new();
                        self.record_fields(record, &mut fields);
                        fields.len()
                    }
                    None => 1,
                },
                _ => 1,
            };
            n += each * decl.vars.len();
        }
        n
    }

    /// Adds a variable that the source does not declare.
    pub(super) fn synthetic_local(&mut self, name: &str, scalar: Scalar) -> ScalarPlace {
        let process = self.process.as_mut().expect("a process is being lowered");
        let offset = process.size;
        process.size += scalar.size();
        process.variables.push(Variable {
            name: name.into(),
            base: Base::Local,
            offset,
            ty: Type::Scalar(scalar, Notation::Number),
            array: None,
        });
        ScalarPlace { base: Base::Local, offset, scalar, indices: Vec::new() }
    }
}

/// SPIN keeps the elements of a `bit` array in bytes and does not truncate them to one bit.
pub(super) fn element_scalar(scalar: Scalar, array: Option<u32>) -> Scalar {
    if array.is_some() && scalar == Scalar::Bit { Scalar::Byte } else { scalar }
}

/// The value of an initialiser that is a literal constant.
fn constant_value(e: &ast::Expr) -> Option<i32> {
    match &e.kind {
        ExprKind::Const(value) => Some(*value),
        ExprKind::Unary(ast::UnaryOp::Neg, inner) => constant_value(inner).map(i32::wrapping_neg),
        _ => None,
    }
}
