//! Resolution of constants (JVMS 5.4.3): from names in a class file to classes, fields, methods and objects.

use super::heap::Ref;
use super::machine::{Exec, Machine, Trap, exception};
use crate::class::code::Op;
use crate::class::pool::{Constant, FieldRef, MethodRef, Resolved};
use crate::class::space::APP;
use crate::class::{Class, ClassId, flags};
use crate::gap::Gap;

impl<'vm> Machine<'vm> {
    /// The class that the running method belongs to.
    #[inline]
    #[must_use]
    pub fn here(&self) -> &'vm Class {
        self.vm.classes.get(self.thread().top().method.class)
    }

    /// A class constant of the running method's class.
    ///
    /// # Errors
    /// If there is no such class.
    #[inline]
    pub fn class_constant(&mut self, idx: u16) -> Exec<ClassId> {
        self.class_constant_of(self.here(), idx)
    }

    /// A class constant of a class.
    ///
    /// # Errors
    /// If there is no such class.
    pub fn class_constant_of(&mut self, class: &'vm Class, idx: u16) -> Exec<ClassId> {
        if let Some(Resolved::Class(id)) = class.pool.resolved(idx) {
            return Ok(*id);
        }
        let Constant::Class(name) = class.pool.get(idx) else { return Err(bad_constant(self, class)) };
        let id = self.linked_in(class, name)?;
        keep(class, idx, Resolved::Class(id));
        Ok(id)
    }

    /// A field constant of the running method's class.
    ///
    /// # Errors
    /// If there is no such field.
    #[inline]
    pub fn field_constant(&mut self, idx: u16, is_static: bool) -> Exec<FieldRef> {
        let class = self.here();
        if let Some(Resolved::Field(field)) = class.pool.resolved(idx)
            && (field.flags & flags::STATIC != 0) == is_static
        {
            return Ok(*field);
        }
        let field = self.resolve_field(class, idx, is_static)?;
        if class.space != 0 && !is_static {
            let frame = self.thread().top();
            let is_write = matches!(frame.code.ops[frame.pc as usize], Op::PutField(_));
            let depth = if is_write { u32::from(field.kind.n_slots()) } else { 0 };
            self.check_object(self.thread().peek(depth) as Ref, field.class)?;
        }
        Ok(field)
    }

    /// Code of a class of the program's own loader uses an object as one of a class: see
    /// [`crate::class::verify`].
    fn check_object(&self, object: Ref, class: ClassId) -> Exec<()> {
        if object == 0 || self.vm.class(class).is_interface() || self.is_instance(object, class) {
            return Ok(());
        }
        let (found, needed) = (self.process.heap.get(object).class, class);
        let [found, needed] = [found, needed].map(|id| self.vm.classes.java_name(id));
        Err(Gap::Unverified(format!("an object of class {found} where one of {needed} is needed")).into())
    }

    /// A field constant of a class.
    ///
    /// # Errors
    /// If there is no such field.
    pub fn resolve_field(&mut self, class: &'vm Class, idx: u16, is_static: bool) -> Exec<FieldRef> {
        let Constant::Member(owner, name, descriptor) = class.pool.get(idx) else {
            return Err(bad_constant(self, class));
        };
        let owner = self.linked_in(class, owner)?;
        let text = self.vm.classes.symbols.text(name);
        let Some(field) = self.vm.classes.field(owner, name, descriptor) else {
            return Err(exception("java/lang/NoSuchFieldError", text.to_string()));
        };
        if (field.flags & flags::STATIC != 0) != is_static {
            let what = if is_static { "Expected static field" } else { "Expected non-static field" };
            let message = format!("{what} {}.{text}", self.vm.classes.java_name(field.class));
            return Err(exception("java/lang/IncompatibleClassChangeError", message));
        }
        if !self.can_access(class.id, field.class, field.flags) {
            let message = format!(
                "class {} tried to access private field {}.{text}",
                self.vm.classes.java_name(class.id),
                self.vm.classes.java_name(field.class)
            );
            return Err(exception("java/lang/IllegalAccessError", message));
        }
        if class.space != 0 {
            let shown = || format!("{}.{text}", self.vm.classes.java_name(field.class));
            if !self.may_access(class, field.class, field.flags) && field.flags & flags::PRIVATE == 0 {
                return Err(self.no_access(class.id, field.class, &format!("field {}", shown())));
            }
            let what = format!("field \"{}\"", shown());
            self.constrain(class, self.vm.class(field.class), descriptor, &what)?;
        }
        keep(class, idx, Resolved::Field(field));
        Ok(field)
    }

    /// A method constant of the running method's class.
    ///
    /// # Errors
    /// If there is no such method.
    #[inline]
    pub fn method_constant(&mut self, idx: u16) -> Exec<MethodRef> {
        let class = self.here();
        if let Some(Resolved::Method(method)) = class.pool.resolved(idx) {
            return Ok(*method);
        }
        let method = self.resolve_method(class, idx)?;
        if class.space != 0 && !method.is_static {
            let object = self.thread().peek(u32::from(method.n_args) - 1) as Ref;
            self.check_object(object, self.vm.classes.method(method.method).class)?;
        }
        Ok(method)
    }

    /// A method constant of a class.
    ///
    /// # Errors
    /// If there is no such method.
    pub fn resolve_method(&mut self, class: &'vm Class, idx: u16) -> Exec<MethodRef> {
        let Constant::Member(owner, name, descriptor) = class.pool.get(idx) else {
            return Err(bad_constant(self, class));
        };
        let owner = self.linked_in(class, owner)?;
        let classes = &self.vm.classes;
        let found = classes.lookup(owner, name, descriptor).or_else(|| self.polymorphic(owner, name));
        let Some(id) = found else {
            let shown = crate::vm::throw::shown_method(classes, owner, name, descriptor);
            return Err(exception("java/lang/NoSuchMethodError", format!("'{shown}'")));
        };
        let method = classes.method(id);
        if !self.can_access(class.id, method.class, method.flags) {
            let shown = crate::vm::throw::shown_method(classes, owner, name, descriptor);
            let message =
                format!("class {} tried to access private method '{shown}'", classes.java_name(class.id));
            return Err(exception("java/lang/IllegalAccessError", message));
        }
        if class.space != 0 {
            let shown = super::throw::shown_method(classes, method.class, name, descriptor);
            let shown = format!("method '{shown}'");
            if !self.may_access(class, method.class, method.flags) && method.flags & flags::PRIVATE == 0 {
                return Err(self.no_access(class.id, method.class, &shown));
            }
            self.constrain(class, self.vm.class(method.class), descriptor, &shown)?;
        }
        let classes = &self.vm.classes;
        let signature = crate::class::descriptor::Signature::parse(classes.symbols.text(descriptor))
            .ok_or_else(|| bad_constant(self, class))?;
        let n_args = signature.n_slots() + u16::from(!method.is_static());
        let resolved = MethodRef { method: id, n_args, is_static: method.is_static() };
        keep(class, idx, Resolved::Method(resolved));
        Ok(resolved)
    }

    fn no_access(&self, from: ClassId, of: ClassId, what: &str) -> Trap {
        let (name, homes) = (self.vm.classes.java_name(from), self.shown_homes(from, of));
        exception("java/lang/IllegalAccessError", format!("class {name} tried to access {what} ({homes})"))
    }

    /// The signature-polymorphic method of `MethodHandle` or `VarHandle` of this name.
    fn polymorphic(
        &self,
        owner: ClassId,
        name: crate::class::symbol::Symbol,
    ) -> Option<crate::class::MethodId> {
        let classes = &self.vm.classes;
        if !matches!(classes.name(owner), "java/lang/invoke/MethodHandle" | "java/lang/invoke/VarHandle") {
            return None;
        }
        let candidates = &classes.get(owner).methods;
        candidates.iter().copied().find(|&id| {
            let method = classes.method(id);
            method.name == name && method.is_native() && method.flags & flags::VARARGS != 0
        })
    }

    /// Whether code of `from` may use a private member of `of`: nest mates may.
    fn can_access(&self, from: ClassId, of: ClassId, member: u16) -> bool {
        member & flags::PRIVATE == 0 || from == of || self.are_nest_mates(from, of)
    }

    /// Whether two classes are of the same nest: all classes of a nest have the same loader.
    #[must_use]
    pub fn are_nest_mates(&self, a: ClassId, b: ClassId) -> bool {
        let space = self.vm.class(a).space;
        if space == 0 || space != self.vm.class(b).space {
            return self.nest_host(a) == self.nest_host(b);
        }
        let host = |id: ClassId| {
            let own = || self.vm.classes.plain_name(id).to_owned();
            nest_host_name(self.vm.class(id)).unwrap_or_else(own)
        };
        host(a) == host(b)
    }

    /// The class that stands for all classes of a nest.
    #[must_use]
    pub fn nest_host(&self, class: ClassId) -> ClassId {
        let this = self.vm.class(class);
        let host = nest_host_name(this).and_then(|name| match this.space {
            0 => self.vm.classes.load(&name).ok(),
            APP => self.vm.classes.load(&name).ok().or_else(|| self.recorded_in(APP, &name)),
            space => self.recorded_in(space, &name),
        });
        host.unwrap_or(class)
    }

    /// A constant to be loaded: the value, and whether it takes two slots.
    ///
    /// # Errors
    /// If it cannot be resolved.
    pub fn loadable(&mut self, idx: u16) -> Exec<(u64, bool)> {
        let class = self.here();
        if let Some(Resolved::Object(object)) = class.pool.resolved(idx) {
            return Ok((u64::from(*object), false));
        }
        Ok(match class.pool.get(idx) {
            Constant::Int(value) => (u64::from(value as u32), false),
            Constant::Float(value) => (u64::from(value.to_bits()), false),
            Constant::Long(value) => (value as u64, true),
            Constant::Double(value) => (value.to_bits(), true),
            Constant::String(text) => {
                let literal = self.vm.literal_constant(class, text);
                class.pool.resolve(idx, Resolved::Object(literal));
                (u64::from(literal), false)
            }
            Constant::Class(_) => {
                let id = self.class_constant(idx)?;
                (u64::from(self.vm.mirror(id)), false)
            }
            Constant::MethodType(descriptor) => {
                let text = self.vm.classes.symbols.text(descriptor).clone();
                let text = self.descriptor_in(class, &text)?;
                (u64::from(self.method_type(&text)?), false)
            }
            Constant::MethodHandle(..) => {
                let handle = self.handle_constant(class, idx)?;
                (u64::from(self.method_handle(handle)?), false)
            }
            Constant::Dynamic(bootstrap, name, descriptor) => {
                return self.dynamic_constant(class, bootstrap, name, descriptor);
            }
            _ => return Err(bad_constant(self, class)),
        })
    }
}

/// The name that a class gives for the host of its nest.
fn nest_host_name(class: &Class) -> Option<String> {
    use crate::class::file::Attribute;
    let file = class.file.as_ref()?;
    file.attributes.iter().find_map(|attribute| match attribute {
        Attribute::NestHost(host) => {
            file.constant_pool.try_get_class(*host).ok().map(|name| name.to_str_lossy().into_owned())
        }
        _ => None,
    })
}

/// Keeps what a constant was resolved to, for all states; in a class of a loader of the program it may be
/// something else in another state.
fn keep(class: &Class, idx: u16, resolved: Resolved) {
    if class.space == 0 {
        class.pool.resolve(idx, resolved);
    }
}

fn bad_constant(machine: &Machine<'_>, class: &Class) -> Trap {
    exception(
        "java/lang/ClassFormatError",
        format!("a constant of class {} is not what the code needs", machine.vm.classes.java_name(class.id)),
    )
}
