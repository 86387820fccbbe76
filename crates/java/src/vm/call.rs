//! The call instructions: which method is called, and the errors found before the call.

use super::machine::{Exec, Machine, exception};
use super::throw::shown_method;
use crate::class::pool::{Constant, MethodRef};
use crate::class::symbol::Symbol;
use crate::class::{ClassId, Method, MethodId, flags};

impl<'vm> Machine<'vm> {
    /// `invokevirtual` and `invokeinterface`: the receiver's class selects the method.
    #[inline]
    pub(super) fn invoke_virtual(&mut self, idx: u16, of_interface: bool) -> Exec<()> {
        let found = self.method_constant(idx)?;
        self.check_receiver(found)?;
        let receiver = self.receiver(u32::from(found.n_args) - 1)?;
        let class = self.process.heap.get(receiver).class;
        let method = self.select(class, found.method)?;
        if of_interface {
            self.check_interface(class, found.method)?;
        }
        let site = self.site_of(idx);
        self.invoke(method, found.n_args, site)
    }

    #[inline]
    pub(super) fn invoke_special(&mut self, idx: u16) -> Exec<()> {
        let found = self.method_constant(idx)?;
        self.check_receiver(found)?;
        self.receiver(u32::from(found.n_args) - 1)?;
        let method = self.special(found.method);
        let site = self.site_of(idx);
        self.invoke(method, found.n_args, site)
    }

    #[inline]
    pub(super) fn invoke_static(&mut self, idx: u16) -> Exec<()> {
        let found = self.method_constant(idx)?;
        let method = self.vm.classes.method(found.method);
        if !method.is_static() {
            let shown = shown_method(&self.vm.classes, method.class, method.name, method.descriptor);
            return Err(exception(
                "java/lang/IncompatibleClassChangeError",
                format!("Expected static method '{shown}'"),
            ));
        }
        self.ensure_initialized(method.class)?;
        let site = self.site_of(idx);
        self.invoke(method, found.n_args, site)
    }

    #[inline]
    pub(super) fn invoke_dynamic(&mut self, idx: u16) -> Exec<()> {
        let found = self.call_site(idx)?;
        let method = self.vm.classes.method(found.method);
        self.invoke(method, found.n_args, method.descriptor)
    }

    /// A call in code made by the machine, which names the method itself.
    #[inline]
    pub(super) fn invoke_resolved(&mut self, id: MethodId, is_virtual: bool) -> Exec<()> {
        let mut method = self.vm.classes.method(id);
        if !method.is_static() {
            let receiver = self.receiver(u32::from(method.n_args) - 1)?;
            if is_virtual {
                method = self.select(self.process.heap.get(receiver).class, id)?;
            }
        } else {
            self.ensure_initialized(method.class)?;
        }
        self.invoke(method, method.n_args, method.descriptor)
    }

    /// A static method has no receiver, and is not called on one.
    #[inline]
    fn check_receiver(&self, found: MethodRef) -> Exec<()> {
        if found.is_static {
            let method = self.vm.classes.method(found.method);
            let shown = shown_method(&self.vm.classes, method.class, method.name, method.descriptor);
            let message = format!("Expecting non-static method '{shown}'");
            return Err(exception("java/lang/IncompatibleClassChangeError", message));
        }
        Ok(())
    }

    fn site_of(&self, idx: u16) -> Symbol {
        match self.here().pool.get(idx) {
            Constant::Member(_, _, descriptor) => descriptor,
            _ => Symbol(0),
        }
    }

    /// `invokespecial` of a superclass's method finds the nearest one, not the one named (JVMS 6.5).
    fn special(&self, id: MethodId) -> &'vm Method {
        let classes = &self.vm.classes;
        let method = classes.method(id);
        let here = self.here();
        let named = classes.get(method.class);
        let is_super_call = here.flags & flags::SUPER != 0
            && !named.is_interface()
            && here.id != named.id
            && here.is_below(named.id)
            && &**classes.symbols.text(method.name) != "<init>";
        if is_super_call && let Some(parent) = here.super_class {
            return classes
                .lookup(parent, method.name, method.descriptor)
                .map_or(method, |id| classes.method(id));
        }
        method
    }

    fn check_interface(&self, class: ClassId, id: MethodId) -> Exec<()> {
        let interface = self.vm.classes.method(id).class;
        let named = self.vm.class(interface);
        if named.is_interface() && !self.vm.classes.is_assignable(class, interface) {
            return Err(exception(
                "java/lang/IncompatibleClassChangeError",
                format!(
                    "Class {} does not implement the requested interface {}",
                    self.vm.classes.java_name(class),
                    self.vm.classes.java_name(interface)
                ),
            ));
        }
        Ok(())
    }
}
