//! What native methods can do with class loaders of the program: see `vm::loaders` for which of it is an
//! access.

use super::{OwnView, PureView, SharedView};
use crate::class::symbol::Symbol;
use crate::class::{Class, ClassId};
use crate::vm::dynamic::Handle;
use crate::vm::heap::Ref;
use crate::vm::loaders::Reason;
use crate::vm::machine::Exec;
use crate::vm::view::{Mode, Resource};
use std::sync::Arc;

impl PureView<'_, '_> {
    /// The loader of the program with this number.
    #[must_use]
    pub fn loader_in(&self, space: u32) -> Ref {
        self.m.loader_in(space)
    }
}

impl<'vm> OwnView<'_, 'vm> {
    /// The class that a name means in a class. Loading it says itself what it accesses.
    ///
    /// # Errors
    /// As `Machine::class_in`.
    pub fn named_in(&mut self, from: &Class, name: &str) -> Exec<ClassId> {
        self.m.named_in(from, name)
    }

    /// A descriptor of a class file with the full names of the classes in it.
    ///
    /// # Errors
    /// As `Machine::class_in`.
    pub fn descriptor_in(&mut self, from: &Class, descriptor: &str) -> Exec<String> {
        self.m.descriptor_in(from, descriptor)
    }

    /// The descriptor of the call that is answered, with full names.
    ///
    /// # Errors
    /// As `Machine::class_in`.
    pub fn site_types(&mut self) -> Exec<Arc<str>> {
        let vm = self.vm;
        let site = vm.classes.symbols.text(self.site()).clone();
        let caller = self.frames().last().map(|frame| frame.method).filter(|caller| !caller.is_made());
        match caller.map(|caller| vm.class(caller.class)) {
            Some(class) if class.space != 0 => Ok(self.m.descriptor_in(class, &site)?.into()),
            _ => Ok(site),
        }
    }

    /// The descriptor of a method or field that a handle is for, with full names.
    ///
    /// # Errors
    /// As `Machine::class_in`.
    pub(crate) fn member_type(&mut self, handle: &Handle) -> Exec<String> {
        self.m.member_type(handle)
    }

    /// The class that a loader of the program gives for a name.
    ///
    /// # Errors
    /// As `Machine::class_in`.
    pub fn class_of_loader(&mut self, loader: Ref, name: Symbol, reason: Reason) -> Exec<ClassId> {
        self.m.class_of_loader(loader, name, reason)
    }

    /// A class that is about to be defined in a space over another class must be able to name it.
    ///
    /// # Errors
    /// `IllegalAccessError` if not.
    pub fn check_above(&self, class: &str, space: u32, above: ClassId) -> Exec<()> {
        self.m.check_above(class, space, above)
    }

    /// The number of a loader, if it has one. That it has none is for [`SharedView::number_loader`] to find
    /// out.
    #[must_use]
    pub fn known_space(&self, loader: Ref) -> Option<u32> {
        Some(self.m.space_of(loader)).filter(|&space| space != 0)
    }

    /// The protection domain that a class was defined with, or `null`.
    #[must_use]
    pub fn domain(&self, class: ClassId) -> Ref {
        let slot = self.vm.classes.slot("java/lang/Class", "<domain>");
        slot.map_or(0, |slot| self.m.process.heap.slot(self.vm.mirror(class), slot) as Ref)
    }
}

impl SharedView<'_, '_> {
    /// The number of a loader, or zero.
    ///
    /// # Errors
    /// [`Trap::Stop`](crate::vm::machine::Trap::Stop) if the step ends before that.
    pub fn space(&mut self, loader: Ref) -> Exec<u32> {
        if self.m.space_of(loader) == 0 {
            let slot = self.vm.known().loader_space;
            self.m.access(Resource::Slot(loader, slot), Mode::Read)?;
            return Ok(0);
        }
        self.m.begin_found(loader)?;
        Ok(self.m.space_of(loader))
    }

    /// The class that a loader is known to give for a name.
    ///
    /// # Errors
    /// [`Trap::Stop`](crate::vm::machine::Trap::Stop) if the step ends before that.
    pub fn recorded(&mut self, loader: Ref, name: Symbol) -> Exec<Option<ClassId>> {
        if let Some(known) = self.m.recorded(loader, name) {
            self.m.begin_found(loader)?;
            return Ok(Some(known));
        }
        let slot = self.vm.known().loader_classes;
        self.m.access(Resource::Slot(loader, slot), Mode::Read)?;
        Ok(None)
    }

    /// Notes that a loader gives a class for its name, and the protection domain of one that it has just
    /// defined; unless it is known to give a class already: then that.
    ///
    /// # Errors
    /// [`Trap::Stop`](crate::vm::machine::Trap::Stop) if the step ends before that.
    pub fn record(&mut self, loader: Ref, class: ClassId, domain: Option<Ref>) -> Exec<Option<ClassId>> {
        let name = self.vm.class(class).plain;
        if let Some(known) = self.m.recorded(loader, name) {
            self.m.begin_found(loader)?;
            return Ok(Some(known));
        }
        if self.m.is_constrained(loader, class) {
            self.m.access(Resource::Unlisted, Mode::Write)?;
            self.m.check_constraints(loader, class)?;
        } else {
            let slot = self.vm.known().loader_classes;
            self.m.access(Resource::Slot(loader, slot), Mode::Write)?;
        }
        if let (Some(domain), Some(slot)) = (domain, self.vm.classes.slot("java/lang/Class", "<domain>")) {
            let mirror = self.vm.mirror(class);
            self.m.set_ref(mirror, slot, domain);
        }
        self.m.record_class(loader, class)?;
        Ok(None)
    }

    /// Gives a loader a number, if it has none.
    ///
    /// # Errors
    /// [`Trap::Stop`](crate::vm::machine::Trap::Stop) if the step ends before that.
    pub fn number_loader(&mut self, loader: Ref) -> Exec<()> {
        if self.m.space_of(loader) != 0 {
            return self.m.begin_found(loader);
        }
        let slot = self.vm.known().loader_space;
        self.m.access(Resource::Slot(loader, slot), Mode::Write)?;
        self.m.number_loader(loader)
    }
}
