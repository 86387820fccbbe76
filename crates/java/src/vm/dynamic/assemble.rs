//! Methods and classes made by the machine, written as operations.
//!
//! Such code has no pool: its operations name classes, methods and slots directly, and need no access checks.

use crate::class::code::{Code, Handler, Op};
use crate::class::descriptor::{Kind, Signature, class_name};
use crate::class::registry::Classes;
use crate::class::{
    Class, ClassId, Field, Finals, Form, Loader, MADE, Method, MethodId, Outline, Traits, flags,
};
use crate::gap::Gap;
use crate::numbered::Name;
use crate::vm::machine::Exec;
use std::sync::OnceLock;

/// Writes operations one after the other and keeps count of the stack.
pub struct Assembler<'a> {
    /// The classes.
    pub classes: &'a Classes,
    ops: Vec<Op>,
    handlers: Vec<Handler>,
    depth: u16,
    max_depth: u16,
    n_locals: u16,
}

impl<'a> Assembler<'a> {
    /// No operations yet.
    #[must_use]
    pub fn new(classes: &'a Classes) -> Self {
        Self { classes, ops: Vec::new(), handlers: Vec::new(), depth: 0, max_depth: 0, n_locals: 0 }
    }

    fn grow(&mut self, popped: u16, pushed: u16) {
        self.depth = self.depth.saturating_sub(popped) + pushed;
        self.max_depth = self.max_depth.max(self.depth);
    }

    /// Adds an operation.
    pub fn op(&mut self, op: Op) -> &mut Self {
        let (popped, pushed) = self.effect(op);
        self.ops.push(op);
        self.grow(popped, pushed);
        self
    }

    /// Adds operations.
    pub fn ops(&mut self, ops: &[Op]) -> &mut Self {
        for &op in ops {
            self.op(op);
        }
        self
    }

    fn effect(&self, op: Op) -> (u16, u16) {
        match op {
            Op::Const(..) | Op::Load(_) | Op::ConstRef(_) | Op::NewOf(_) => (0, 1),
            Op::Long(_) | Op::Double(_) | Op::Load2(_) => (0, 2),
            Op::Store(_) | Op::Pop | Op::If(..) | Op::IfNull(..) | Op::Throw => (1, 0),
            Op::MonitorEnter | Op::MonitorExit => (1, 0),
            Op::Store2(_) | Op::Pop2 | Op::IfInt(..) | Op::IfRef(..) => (2, 0),
            Op::Dup => (1, 2),
            Op::DupX1 => (2, 3),
            Op::DupX2 => (3, 4),
            Op::Dup2 => (2, 4),
            Op::Dup2X1 => (3, 5),
            Op::Dup2X2 => (4, 6),
            Op::Int(_) | Op::Float(_) | Op::CompareFloat(_) => (2, 1),
            Op::CompareLong | Op::CompareDouble(_) => (4, 1),
            Op::Convert(from, to) => (from.n_slots(), to.n_slots()),
            Op::ArrayLoad(kind) => (2, kind.n_slots()),
            Op::ArrayStore(kind) => (2 + kind.n_slots(), 0),
            Op::GetSlot(_, kind) => (1, kind.n_slots()),
            Op::PutSlot(_, kind) => (1 + kind.n_slots(), 0),
            Op::Call(id, _) => {
                let method = self.classes.method(id);
                (method.n_args, method.signature.result.map_or(0, Kind::n_slots))
            }
            _ => (0, 0),
        }
    }

    /// Loads a local variable.
    pub fn load(&mut self, kind: Kind, local: u16) -> &mut Self {
        self.op(if kind.is_wide() { Op::Load2(local) } else { Op::Load(local) })
    }

    /// Stores into a local variable.
    pub fn store(&mut self, kind: Kind, local: u16) -> &mut Self {
        self.n_locals = self.n_locals.max(local + kind.n_slots());
        self.op(if kind.is_wide() { Op::Store2(local) } else { Op::Store(local) })
    }

    /// Pushes `null`.
    pub fn null(&mut self) -> &mut Self {
        self.op(Op::Const(0, true))
    }

    /// Calls a method of the class library by its names.
    ///
    /// # Errors
    /// If the class library lacks it.
    pub fn call(&mut self, class: &str, name: &str, descriptor: &str, is_virtual: bool) -> Exec<&mut Self> {
        let id = find(self.classes, class, name, descriptor)?;
        Ok(self.op(Op::Call(id, is_virtual)))
    }

    /// Makes an object by a constructor that takes no arguments.
    ///
    /// # Errors
    /// If the class library lacks it.
    pub fn make(&mut self, class: &str) -> Exec<&mut Self> {
        let id = self.classes.load(class)?;
        self.op(Op::NewOf(id)).op(Op::Dup);
        self.call(class, "<init>", "()V", false)
    }

    /// Throws unless the reference on the stack is of the class that a descriptor names.
    ///
    /// # Errors
    /// If there is no such class.
    pub fn cast(&mut self, descriptor: &str) -> Exec<&mut Self> {
        if descriptor == "Ljava/lang/Object;" {
            return Ok(self);
        }
        let class = self.classes.load(class_name(descriptor))?;
        Ok(self.op(Op::CastTo(class)))
    }

    /// Leaves the method.
    pub fn leave(&mut self, result: Option<Kind>) -> &mut Self {
        self.op(Op::Return(result.map_or(0, Kind::n_slots) as u8))
    }

    /// The place of the next operation.
    #[must_use]
    pub fn here(&self) -> u32 {
        self.ops.len() as u32
    }

    /// Adds a jump whose target is not known yet.
    pub fn jump(&mut self, op: Op) -> usize {
        self.op(op);
        self.ops.len() - 1
    }

    /// A jump leads to the next operation.
    pub fn land(&mut self, jump: usize) {
        let here = self.here();
        match &mut self.ops[jump] {
            Op::If(_, target)
            | Op::IfInt(_, target)
            | Op::IfRef(_, target)
            | Op::IfNull(_, target)
            | Op::Goto(target) => *target = here,
            op => unreachable!("{op:?} is no jump"),
        }
    }

    /// How deep the stack is.
    #[must_use]
    pub fn depth(&self) -> u16 {
        self.depth
    }

    /// From here on the stack has this depth: behind a jump that is always taken.
    pub fn set_depth(&mut self, depth: u16) {
        self.depth = depth;
        self.max_depth = self.max_depth.max(depth);
    }

    /// What is thrown from `start` up to `end` and is of a class is caught by what follows.
    pub fn catch(&mut self, start: u32, end: u32, class: ClassId) {
        let target = self.here();
        self.handlers.push(Handler { start, end, target, class: 0, known: Some(class) });
        self.set_depth(1);
    }

    /// The method.
    #[must_use]
    pub fn finish(self, name: &str, descriptor: &str, bits: u16) -> Draft {
        Draft {
            name: name.into(),
            descriptor: descriptor.into(),
            flags: bits,
            max_stack: self.max_depth + 2,
            n_locals: self.n_locals,
            code: Some(Code::made(self.ops, self.handlers)),
            native: None,
        }
    }

    /// Adds a static method of `class`. No other method has the same `purpose`.
    #[must_use]
    pub fn add(self, purpose: &str, class: ClassId, name: &str, descriptor: &str) -> MethodId {
        let classes = self.classes;
        let draft = self.finish(name, descriptor, flags::STATIC | flags::SYNTHETIC);
        let id = classes.add_method(|| Name::made_method(purpose), |id| draft.method(classes, class, id));
        debug_assert_eq!(problem(classes, id), None, "the machine writes good code");
        id
    }
}

/// What is wrong with the code of a method that the machine made.
fn problem(classes: &Classes, id: MethodId) -> Option<crate::class::flaw::Flaw> {
    let method = classes.method(id);
    let Some(Ok(code)) = method.code.get() else { return None };
    crate::class::maps::maps(classes, classes.get(method.class), method, code).err()
}

/// A method of the class library by its names.
///
/// # Errors
/// If the class library lacks it.
pub fn find(classes: &Classes, class: &str, name: &str, descriptor: &str) -> Exec<MethodId> {
    classes
        .find_method(class, name, descriptor)
        .ok_or_else(|| Gap::Library(format!("{class}.{name}{descriptor}")).into())
}

/// A method that has no number yet.
pub struct Draft {
    name: String,
    descriptor: String,
    flags: u16,
    max_stack: u16,
    n_locals: u16,
    code: Option<Code>,
    native: Option<crate::native::Effect>,
}

impl Draft {
    /// A method that the machine itself carries out.
    #[must_use]
    pub fn native(name: &str, descriptor: &str, bits: u16, entry: crate::native::Effect) -> Self {
        Self {
            name: name.into(),
            descriptor: descriptor.into(),
            flags: bits | flags::NATIVE,
            max_stack: 0,
            n_locals: 0,
            code: None,
            native: Some(entry),
        }
    }

    /// The method.
    ///
    /// # Panics
    /// If the descriptor is no good.
    #[must_use]
    pub fn method(self, classes: &Classes, class: ClassId, id: MethodId) -> Method {
        let signature = Signature::parse(&self.descriptor).expect("the machine writes good descriptors");
        let n_args = signature.n_slots() + u16::from(self.flags & flags::STATIC == 0);
        Method {
            id,
            class,
            name: classes.symbols.intern(&self.name),
            descriptor: classes.symbols.intern(&self.descriptor),
            flags: self.flags,
            signature,
            n_args,
            max_locals: self.n_locals.max(n_args),
            max_stack: self.max_stack,
            index: MADE,
            site: OnceLock::new(),
            code: match self.code {
                Some(code) => OnceLock::from(Ok(code)),
                None => OnceLock::new(),
            },
            native: OnceLock::from(self.native),
        }
    }
}

/// A class that has no number yet.
pub struct ClassDraft<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its access flags.
    pub flags: u16,
    /// Its superclass.
    pub super_class: ClassId,
    /// Its superinterfaces.
    pub interfaces: Vec<ClassId>,
    /// Its instance fields: names and descriptors.
    pub fields: Vec<(String, String)>,
    /// Its methods.
    pub methods: Vec<Draft>,
    /// Whose class it is.
    pub loader: Loader,
    /// The number of the loader if it is one of the program, or zero.
    pub space: u32,
}

impl ClassDraft<'_> {
    /// Adds the class and enters it under its name.
    ///
    /// # Panics
    /// If a field's descriptor is no good.
    pub fn define(self, classes: &Classes) -> ClassId {
        let symbols = &classes.symbols;
        let name = symbols.intern(self.name);
        let parent = classes.get(self.super_class);
        let mut instance = parent.instance.to_vec();
        let mut finals = parent.finals.instance.clone();
        let mut fields = Vec::with_capacity(self.fields.len());
        for (field, descriptor) in &self.fields {
            let kind = Kind::of(descriptor).expect("the machine writes good descriptors");
            fields.push(Field {
                name: symbols.intern(field),
                descriptor: symbols.intern(descriptor),
                flags: flags::PRIVATE | flags::FINAL | flags::SYNTHETIC,
                kind,
                slot: instance.len() as u32,
                constant: 0,
                index: MADE,
            });
            instance.push(kind);
            finals.push(true);
        }
        let mut supertypes: Vec<ClassId> = std::iter::once(&self.super_class)
            .chain(&self.interfaces)
            .flat_map(|&parent| classes.get(parent).supertypes.iter().copied())
            .collect();
        supertypes.sort_unstable();
        supertypes.dedup();
        let object = classes.load("java/lang/Object").ok();
        let born_initialized = supertypes.iter().map(|&id| classes.get(id)).all(|class| {
            Some(class.id) == object
                || class.initializer.is_none()
                || class.is_interface() && !class.traits.has_defaults
        });
        let is_throwable = parent.traits.is_throwable;
        let plain = classes.plain_symbol(self.name);
        let id = classes.add(name, |id| {
            supertypes.push(id);
            supertypes.sort_unstable();
            let methods = self
                .methods
                .into_iter()
                .enumerate()
                .map(|(index, draft)| {
                    let name = || Name::method(self.name, index);
                    classes.add_method(name, |method| draft.method(classes, id, method))
                })
                .collect();
            Class {
                id,
                name,
                plain,
                flags: self.flags,
                form: Form::Instance,
                super_class: Some(self.super_class),
                interfaces: self.interfaces.into(),
                supertypes: supertypes.into(),
                loader: self.loader,
                space: self.space,
                fields: fields.into(),
                methods,
                outline: Outline::of(&instance),
                instance: instance.into(),
                statics: Box::default(),
                finals: Finals { instance: finals, statics: Vec::new() },
                pool: Default::default(),
                sites: Box::default(),
                file: None,
                source_file: None,
                initializer: None,
                traits: Traits { has_defaults: false, is_throwable, born_initialized },
                mirror: OnceLock::new(),
                array: OnceLock::new(),
            }
        });
        for &method in &classes.get(id).methods {
            debug_assert_eq!(problem(classes, method), None, "the machine writes good code");
        }
        classes.enter(name, id);
        id
    }
}
