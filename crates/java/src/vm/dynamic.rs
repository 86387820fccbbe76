//! `invokedynamic` (JVMS 6.5) and computed constants.
//!
//! A call site becomes a static method made by the machine, the same one whoever links it: linking is no
//! event of the program and no part of a state. What the bootstrap methods of the class library would compute
//! by method handles is written here as operations: lambdas, string concatenation, the methods of records,
//! pattern switches.

pub mod adapt;
pub mod assemble;
mod concat;
mod lambda;
mod record;
mod switch;

use super::heap::Ref;
use super::machine::{Exec, Machine, Trap, exception};
use super::thread::Role;
use crate::class::file::{Attribute, Text};
use crate::class::pool::{Constant, FieldRef, MethodRef, Resolved};
use crate::class::symbol::Symbol;
use crate::class::{Class, ClassId, MethodId, flags};
use crate::gap::Gap;
use allways_model::Digest;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};

/// What the machine made for all workers, by what it is for.
#[derive(Default)]
pub struct Made {
    /// Held by the worker that makes classes or links a call site.
    pub linking: Mutex<()>,
    methods: RwLock<HashMap<String, MethodId>>,
    objects: Mutex<HashMap<String, Ref>>,
}

impl Made {
    /// The method for `key`, made if there is none yet.
    ///
    /// # Errors
    /// If it cannot be made.
    ///
    /// # Panics
    /// If another thread panicked while it added one.
    pub fn method(&self, key: String, make: impl FnOnce(&str) -> Exec<MethodId>) -> Exec<MethodId> {
        if let Some(&known) = self.methods.read().expect("nobody panics while holding it").get(&key) {
            return Ok(known);
        }
        // Two workers may make it at the same time: the key is its name, so both get the same number.
        let made = make(&key)?;
        Ok(*self.methods.write().expect("nobody panics while holding it").entry(key).or_insert(made))
    }
}

impl Made {
    /// The object of the base image for `purpose`, made if there is none yet.
    ///
    /// # Errors
    /// If it cannot be made.
    ///
    /// # Panics
    /// If another thread panicked while it made one.
    pub fn object(&self, purpose: &str, make: impl FnOnce() -> Exec<Ref>) -> Exec<Ref> {
        let mut objects = self.objects.lock().expect("nobody panics while holding it");
        if let Some(&known) = objects.get(purpose) {
            return Ok(known);
        }
        let made = make()?;
        objects.insert(purpose.to_owned(), made);
        Ok(made)
    }
}

/// A call site or computed constant that is to be linked.
pub(crate) struct Site<'vm> {
    /// The class it is in.
    pub class: &'vm Class,
    /// Its index in the pool.
    pub idx: u16,
    /// The name it asks for.
    pub name: Arc<str>,
    /// The type it asks for.
    pub descriptor: Arc<str>,
    /// Class and name of the bootstrap method.
    pub bootstrap: String,
    /// The pool indices of the bootstrap method's arguments.
    pub args: &'vm [u16],
    /// What tells it apart from itself where its names mean something else; empty outside of loaders of the
    /// program.
    pub meaning: String,
}

/// What a method handle constant leads to.
#[derive(Clone, Copy)]
pub(crate) enum Member {
    /// A method, by a way of calling it (JVMS 5.4.3.5).
    Method(MethodId),
    /// A field, by a way of using it.
    Field(FieldRef),
}

/// A method handle constant.
#[derive(Clone, Copy)]
pub(crate) struct Handle {
    /// Its kind (JVMS 5.4.3.5).
    pub kind: u8,
    /// The class it names.
    pub owner: ClassId,
    /// What it leads to.
    pub member: Member,
}

impl<'vm> Site<'vm> {
    fn bad(&self) -> Trap {
        exception("java/lang/BootstrapMethodError", format!("bad arguments of {}", self.bootstrap))
    }

    /// What a method that is made for it is for.
    fn purpose(&self, vm: &super::Vm) -> String {
        format!("the call site {}{} of {}", self.idx, self.meaning, vm.classes.name(self.class.id))
    }

    /// The constant that is the argument at `at`.
    fn arg(&self, at: usize) -> Exec<(u16, Constant)> {
        let idx = *self.args.get(at).ok_or_else(|| self.bad())?;
        Ok((idx, self.class.pool.get(idx)))
    }
}

impl<'vm> Machine<'vm> {
    /// The method that a call site of the running method's class was linked to.
    ///
    /// # Errors
    /// If it cannot be linked.
    #[inline]
    pub fn call_site(&mut self, idx: u16) -> Exec<MethodRef> {
        let class = self.here();
        if let Some(Resolved::Method(method)) = class.pool.resolved(idx) {
            return Ok(*method);
        }
        self.link(class, idx)
    }

    fn link(&mut self, class: &'vm Class, idx: u16) -> Exec<MethodRef> {
        let vm = self.vm;
        if class.space != 0 {
            return self.link_in_space(class, idx);
        }
        let _guard = vm.made.linking.lock().expect("nobody panics while linking");
        if let Some(Resolved::Method(method)) = class.pool.resolved(idx) {
            return Ok(*method);
        }
        let Constant::CallSite(bootstrap, name, descriptor) = class.pool.get(idx) else {
            return Err(exception("java/lang/ClassFormatError", "a call site that is none"));
        };
        let site = self.site(class, idx, bootstrap, name, descriptor)?;
        let method = self.link_site(&site)?;
        let n_args = vm.classes.method(method).n_args;
        match class.pool.resolve(idx, Resolved::Method(MethodRef { method, n_args, is_static: true })) {
            Resolved::Method(method) => Ok(method),
            _ => Err(site.bad()),
        }
    }

    /// Links a call site in a class of a loader of the program. What its names mean may differ from state to
    /// state: then it is linked to different methods.
    fn link_in_space(&mut self, class: &'vm Class, idx: u16) -> Exec<MethodRef> {
        let vm = self.vm;
        let Constant::CallSite(bootstrap, name, descriptor) = class.pool.get(idx) else {
            return Err(exception("java/lang/ClassFormatError", "a call site that is none"));
        };
        let mut site = self.site(class, idx, bootstrap, name, descriptor)?;
        site.meaning = self.meaning(&site)?;
        let method = vm.made.method(site.purpose(vm), |_| {
            let _guard = vm.made.linking.lock().expect("nobody panics while linking");
            self.link_site(&site)
        })?;
        Ok(MethodRef { method, n_args: vm.classes.method(method).n_args, is_static: true })
    }

    /// What the names in a call site mean: full names, in a digest.
    fn meaning(&mut self, site: &Site<'vm>) -> Exec<String> {
        let mut names = vec![self.descriptor_in(site.class, &site.descriptor)?];
        for &idx in site.args {
            match site.class.pool.get(idx) {
                Constant::MethodType(descriptor) => {
                    let text = self.vm.classes.symbols.text(descriptor).clone();
                    names.push(self.descriptor_in(site.class, &text)?);
                }
                Constant::MethodHandle(..) => {
                    let handle = self.handle_constant(site.class, idx)?;
                    names.push(match handle.member {
                        Member::Method(id) => {
                            let method = self.vm.classes.method(id);
                            let own = self.vm.class(method.class);
                            let text = self.vm.classes.symbols.text(method.descriptor).clone();
                            format!("{} {} {}", handle.owner.0, id.0, self.descriptor_in(own, &text)?)
                        }
                        Member::Field(field) => format!("{} {}", field.class.0, field.slot),
                    });
                }
                Constant::Dynamic(..) => {
                    return Err(Gap::Named(
                        "in a class of the program's own loader",
                        "a computed constant of a call site".into(),
                    )
                    .into());
                }
                Constant::Class(_) => names.push(self.class_constant_of(site.class, idx)?.0.to_string()),
                _ => {}
            }
        }
        Ok(format!("-{}", Digest::of(&names)))
    }

    /// Makes the method for a call site.
    fn link_site(&mut self, site: &Site<'vm>) -> Exec<MethodId> {
        Ok(match site.bootstrap.as_str() {
            "java/lang/invoke/LambdaMetafactory.metafactory" => self.link_lambda(site, false)?,
            "java/lang/invoke/LambdaMetafactory.altMetafactory" => self.link_lambda(site, true)?,
            "java/lang/invoke/StringConcatFactory.makeConcatWithConstants" => self.link_concat(site, true)?,
            "java/lang/invoke/StringConcatFactory.makeConcat" => self.link_concat(site, false)?,
            "java/lang/runtime/ObjectMethods.bootstrap" => self.link_record(site)?,
            "java/lang/runtime/SwitchBootstraps.typeSwitch" => self.link_switch(site, false)?,
            "java/lang/runtime/SwitchBootstraps.enumSwitch" => self.link_switch(site, true)?,
            other => {
                return Err(Gap::Named("the bootstrap method", other.replace('/', ".")).into());
            }
        })
    }

    /// Reads what is to be linked.
    fn site(
        &mut self,
        class: &'vm Class,
        idx: u16,
        bootstrap: u16,
        name: Symbol,
        descriptor: Symbol,
    ) -> Exec<Site<'vm>> {
        let symbols = &self.vm.classes.symbols;
        let methods = class.file.as_ref().and_then(|file| {
            file.attributes.iter().find_map(|attribute| match attribute {
                Attribute::BootstrapMethods(methods) => Some(methods),
                _ => None,
            })
        });
        let entry = methods
            .and_then(|methods| methods.get(usize::from(bootstrap)))
            .ok_or_else(|| exception("java/lang/ClassFormatError", "there is no such bootstrap method"))?;
        let Constant::MethodHandle(_, member) = class.pool.get(entry.bootstrap_method_ref) else {
            return Err(exception("java/lang/ClassFormatError", "a bootstrap method is no method handle"));
        };
        let Constant::Member(owner, method, _) = class.pool.get(member) else {
            return Err(exception("java/lang/ClassFormatError", "a bootstrap method is no method"));
        };
        Ok(Site {
            class,
            idx,
            name: symbols.text(name).clone(),
            descriptor: symbols.text(descriptor).clone(),
            bootstrap: format!("{}.{}", symbols.text(owner), symbols.text(method)),
            args: &entry.arguments,
            meaning: String::new(),
        })
    }

    /// What a method handle constant of a class leads to.
    pub(crate) fn handle_constant(&mut self, class: &'vm Class, idx: u16) -> Exec<Handle> {
        let bad = || exception("java/lang/ClassFormatError", "a method handle that is none");
        let Constant::MethodHandle(kind, member) = class.pool.get(idx) else { return Err(bad()) };
        let Constant::Member(owner, ..) = class.pool.get(member) else { return Err(bad()) };
        let owner = self.class_in(class, owner)?;
        let member = match kind {
            1..=4 => Member::Field(self.resolve_field(class, member, kind % 2 == 0)?),
            _ => Member::Method(self.resolve_method(class, member)?.method),
        };
        Ok(Handle { kind, owner, member })
    }

    /// The text that is an argument of a bootstrap method.
    fn text_argument(&self, site: &Site<'vm>, at: usize) -> Exec<Vec<u16>> {
        match site.arg(at)?.1 {
            Constant::String(text) => Ok(self.constant_units(site.class, text)),
            _ => Err(site.bad()),
        }
    }

    /// The UTF-16 units of a text in a class's pool.
    fn constant_units(&self, class: &Class, text: u16) -> Vec<u16> {
        let file = class.file.as_ref().expect("a class with constants has a file");
        file.constant_pool.try_get_utf8(text).map(Text::to_utf16).unwrap_or_default()
    }

    /// A computed constant: the value, and whether it takes two slots.
    ///
    /// # Errors
    /// If it cannot be computed, or [`Trap::Again`] if a class is initialised first.
    pub fn dynamic_constant(
        &mut self,
        class: &'vm Class,
        bootstrap: u16,
        name: Symbol,
        descriptor: Symbol,
    ) -> Exec<(u64, bool)> {
        let site = self.site(class, 0, bootstrap, name, descriptor)?;
        let classes = &self.vm.classes;
        let type_name = crate::class::descriptor::class_name(&site.descriptor).to_owned();
        match site.bootstrap.as_str() {
            "java/lang/invoke/ConstantBootstraps.nullConstant" => Ok((0, false)),
            "java/lang/invoke/ConstantBootstraps.primitiveClass" => {
                let class = classes.load(crate::class::descriptor::class_name(&site.name))?;
                Ok((u64::from(self.vm.mirror(class)), false))
            }
            "java/lang/invoke/ConstantBootstraps.enumConstant" => {
                let owner = self.named_in(class, &type_name)?;
                self.constant_field(owner, &site)
            }
            "java/lang/invoke/ConstantBootstraps.getStaticFinal" => {
                let owner = match site.args.first() {
                    Some(&idx) => self.class_constant_of(class, idx)?,
                    None => match crate::class::descriptor::Kind::of(&site.descriptor) {
                        Some(kind) if kind != crate::class::descriptor::Kind::Ref => {
                            classes.load(kind.box_class())?
                        }
                        _ => self.named_in(class, &type_name)?,
                    },
                };
                self.constant_field(owner, &site)
            }
            other => {
                Err(Gap::Constant { name: site.name.to_string(), bootstrap: other.replace('/', ".") }.into())
            }
        }
    }

    fn constant_field(&mut self, owner: ClassId, site: &Site<'vm>) -> Exec<(u64, bool)> {
        let classes = &self.vm.classes;
        let (name, descriptor) =
            (classes.symbols.intern(&site.name), classes.symbols.intern(&site.descriptor));
        let field = classes
            .field(owner, name, descriptor)
            .filter(|field| field.flags & flags::STATIC != 0)
            .ok_or_else(|| exception("java/lang/NoSuchFieldError", site.name.to_string()))?;
        self.ensure_initialized(field.class)?;
        let value = self.process.heap.slot(self.vm.mirror(field.class), self.vm.static_slot(field.slot));
        Ok((value, field.kind.is_wide()))
    }

    /// Calls a static method as if the running operation were the call: what it gives is what the operation
    /// gives.
    ///
    /// # Errors
    /// Always: [`Trap::Again`] if all is well.
    pub(crate) fn divert<T>(&mut self, method: MethodId, args: &[u64]) -> Exec<T> {
        let method = self.vm.classes.method(method);
        self.ensure_initialized(method.class)?;
        self.push_frame(method, args, Role::Plain)?;
        Err(Trap::Again)
    }

    /// The `java.lang.Class` object of a field descriptor, or of `V`.
    ///
    /// # Errors
    /// If there is no such class.
    pub(crate) fn type_mirror(&mut self, descriptor: &str) -> Exec<Ref> {
        let class = self.vm.classes.load(crate::class::descriptor::class_name(descriptor))?;
        Ok(self.vm.mirror(class))
    }
}
