//! `invokedynamic` (JVMS 6.5): call sites become methods made by the machine.

use super::machine::{Exec, Machine, Trap};
use crate::class::Class;
use crate::class::pool::{MethodRef, Resolved};
use crate::class::symbol::Symbol;

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
        Err(Trap::Unsupported("invokedynamic".into()))
    }

    /// A computed constant.
    ///
    /// # Errors
    /// If it cannot be computed.
    pub fn dynamic_constant(
        &mut self,
        _class: &'vm Class,
        _bootstrap: u16,
        name: Symbol,
        _descriptor: Symbol,
    ) -> Exec<(u64, bool)> {
        Err(Trap::Unsupported(format!("the computed constant {}", self.vm.classes.symbols.text(name))))
    }
}
