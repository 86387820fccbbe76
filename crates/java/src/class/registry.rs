//! The registry of all loaded classes and methods, shared by all workers, and lookup by name.
//!
//! Loading is a function of the class path alone, not an event of the program: a class has the same fields,
//! methods and number (see [`crate::numbered`]) whichever thread or worker loads it first. So loaded classes
//! are not part of states. What a program can observe (initialisation, errors) is.

use super::link::link;
use super::symbol::{Symbol, Symbols};
use super::{Class, ClassId, Finals, Form, Loader, Method, MethodId, Outline, Traits, flags};
use crate::class::descriptor::Kind;
use crate::numbered::{Name, Numbered};
use crate::source::Sources;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, OnceLock, RwLock};

/// The class of the error for code that fails verification.
pub const VERIFY_ERROR: &str = "java/lang/VerifyError";

/// Marks a malformed class of the JDK. Not a Java exception, because the program must not be able to catch
/// it.
pub const JDK_ERROR: &str = "a damaged JDK";

/// The class of the error for a class that is its own superclass.
const CIRCULARITY_ERROR: &str = "java/lang/ClassCircularityError";

/// The reason why a class could not be loaded, as a Java error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// The class of the error, with slashes.
    pub class: &'static str,
    /// Its message.
    pub message: String,
}

impl LoadError {
    /// The error for a class that does not exist.
    #[must_use]
    pub fn missing(name: &str) -> Self {
        Self { class: "java/lang/NoClassDefFoundError", message: name.into() }
    }

    /// Whether there is no such class, or none that it needs.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        self.class == "java/lang/NoClassDefFoundError"
    }

    /// The error for an invalid class file.
    #[must_use]
    pub fn format(name: &str, problem: impl fmt::Display) -> Self {
        Self { class: "java/lang/ClassFormatError", message: format!("{problem} in class file {name}") }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.class == JDK_ERROR {
            return f.write_str(&self.message);
        }
        write!(f, "{}: {}", self.class.replace('/', "."), self.message)
    }
}

/// The registry of classes and methods.
pub struct Classes {
    /// The names of classes and all other names.
    pub symbols: Symbols,
    /// Where class files come from.
    pub sources: Sources,
    list: Numbered<Class>,
    methods: Numbered<Method>,
    by_name: RwLock<HashMap<Symbol, Result<ClassId, LoadError>>>,
    loading: Mutex<()>,
}

impl Classes {
    /// A registry without classes.
    #[must_use]
    pub fn new(sources: Sources) -> Self {
        Self {
            symbols: Symbols::default(),
            sources,
            list: Numbered::default(),
            methods: Numbered::default(),
            by_name: RwLock::default(),
            loading: Mutex::default(),
        }
    }

    /// A class.
    #[inline]
    pub fn get(&self, id: ClassId) -> &Class {
        self.list.get(id.0)
    }

    /// A method.
    #[inline]
    pub fn method(&self, id: MethodId) -> &Method {
        self.methods.get(id.0)
    }

    /// The classes that are loaded now, in the order of their numbers.
    pub fn loaded(&self) -> impl Iterator<Item = &Class> {
        self.list.all()
    }

    /// Ends numbering in order: from now on the numbers of classes and methods do not depend on the order in
    /// which they are added.
    pub fn seal(&mut self) {
        self.list.seal();
        self.methods.seal();
    }

    /// The names of two classes or methods that collide on one number, if there are such.
    #[inline]
    pub fn clash(&self) -> Option<&str> {
        self.list.clash().or_else(|| self.methods.clash())
    }

    /// The name of a class, with slashes.
    pub fn name(&self, id: ClassId) -> &str {
        self.symbols.text(self.get(id).name)
    }

    /// The name of a class as Java prints it, with dots.
    pub fn java_name(&self, id: ClassId) -> String {
        self.plain_name(id).replace('/', ".")
    }

    /// The class of this name, loaded if it is not yet.
    ///
    /// # Errors
    /// The Java error, if there is no such class or it is invalid.
    pub fn load(&self, name: &str) -> Result<ClassId, LoadError> {
        self.load_symbol(self.symbols.intern(name))
    }

    /// As [`Classes::load`].
    ///
    /// # Errors
    /// As [`Classes::load`].
    ///
    /// # Panics
    /// If another thread panicked while it loaded a class.
    pub fn load_symbol(&self, name: Symbol) -> Result<ClassId, LoadError> {
        if let Some(known) = self.known(name) {
            return known;
        }
        let _guard = self.lock();
        self.load_locked(name, &mut Vec::new())
    }

    /// The result of loading this name, if it was requested before.
    ///
    /// # Panics
    /// If another thread panicked while it loaded a class.
    pub fn known(&self, name: Symbol) -> Option<Result<ClassId, LoadError>> {
        self.by_name.read().expect("nobody panics while holding the class table").get(&name).cloned()
    }

    /// Loads a class while the loading lock is held. `waiting` lists the classes that wait for it.
    pub(super) fn load_locked(&self, name: Symbol, waiting: &mut Vec<Symbol>) -> Result<ClassId, LoadError> {
        if let Some(known) = self.known(name) {
            return known;
        }
        let text = self.symbols.text(name).clone();
        if waiting.contains(&name) {
            return Err(LoadError { class: CIRCULARITY_ERROR, message: text.to_string() });
        }
        waiting.push(name);
        let result = if text.starts_with('[') {
            self.array(&text, waiting)
        } else if let Some(form) = primitive(&text) {
            Ok(self.plain(name, form, None, Box::default()))
        } else {
            self.load_file(&text, waiting)
        };
        waiting.pop();
        // Which class of a cycle the error names depends on where loading began, so this error is not kept:
        // each class of the cycle gets an error with its own name.
        if !waiting.is_empty() && result.as_ref().is_err_and(|error| error.class == CIRCULARITY_ERROR) {
            return result;
        }
        self.by_name
            .write()
            .expect("nobody panics while holding the class table")
            .insert(name, result.clone());
        result
    }

    /// A class that the class library generated for itself.
    ///
    /// # Errors
    /// If it is invalid.
    ///
    /// # Panics
    /// If another thread panicked while it loaded a class.
    pub fn define_generated(&self, bytes: &[u8]) -> Result<ClassId, LoadError> {
        let _guard = self.lock();
        super::link::link_generated(self, bytes, &mut Vec::new())
    }

    fn load_file(&self, name: &str, waiting: &mut Vec<Symbol>) -> Result<ClassId, LoadError> {
        let Some((bytes, loader)) = self.sources.class(name) else { return Err(LoadError::missing(name)) };
        link(self, name, &bytes, loader, waiting).map_err(|error| match loader {
            Loader::Boot if !matches!(error.class, "java/lang/NoClassDefFoundError" | JDK_ERROR) => {
                self.damaged(name, &error.message)
            }
            _ => error,
        })
    }

    /// The error for an invalid class or method of the class library.
    pub(super) fn damaged(&self, name: &str, problem: &str) -> LoadError {
        let home = self.sources.jdk.home().display();
        LoadError { class: JDK_ERROR, message: format!("the JDK at {home} is damaged: {name}: {problem}") }
    }

    fn array(&self, text: &str, waiting: &mut Vec<Symbol>) -> Result<ClassId, LoadError> {
        let element = super::descriptor::class_name(&text[1..]);
        if element.is_empty() || text.len() > 255 + element.len() {
            return Err(LoadError::missing(text));
        }
        let element = self.load_locked(self.symbols.intern(element), waiting)?;
        if let Some(&id) = self.get(element).array.get() {
            return Ok(id);
        }
        let object = self.load_locked(self.symbols.intern("java/lang/Object"), waiting)?;
        let cloneable = self.load_locked(self.symbols.intern("java/lang/Cloneable"), waiting)?;
        let serializable = self.load_locked(self.symbols.intern("java/io/Serializable"), waiting)?;
        let id = self.plain(
            self.symbols.intern(text),
            Form::Array(element),
            Some(object),
            Box::new([cloneable, serializable]),
        );
        Ok(*self.get(element).array.get_or_init(|| id))
    }

    /// A class that declares no fields and methods.
    fn plain(
        &self,
        name: Symbol,
        form: Form,
        super_class: Option<ClassId>,
        interfaces: Box<[ClassId]>,
    ) -> ClassId {
        let loader = match form {
            Form::Array(element) => self.get(element).loader,
            _ => Loader::Boot,
        };
        let space = if let Form::Array(element) = form { self.get(element).space } else { 0 };
        let plain = self.plain_symbol(self.symbols.text(name));
        self.add(name, |id| {
            let mut supertypes: Vec<ClassId> =
                super_class.into_iter().chain(interfaces.iter().copied()).collect();
            supertypes.push(id);
            supertypes.sort_unstable();
            let visibility = match form {
                Form::Array(element) => self.get(element).flags & flags::PUBLIC,
                _ => flags::PUBLIC,
            };
            Class {
                id,
                name,
                plain,
                flags: visibility | flags::FINAL | flags::ABSTRACT,
                form,
                super_class,
                interfaces,
                supertypes: supertypes.into(),
                loader,
                space,
                fields: Box::default(),
                methods: Box::default(),
                instance: Box::default(),
                outline: Outline::default(),
                statics: Box::default(),
                finals: Finals::default(),
                pool: Default::default(),
                sites: Box::default(),
                file: None,
                source_file: None,
                initializer: None,
                traits: Traits::default(),
                mirror: OnceLock::new(),
                array: OnceLock::new(),
            }
        })
    }

    /// Adds a class of this name.
    pub(crate) fn add(&self, name: Symbol, make: impl FnOnce(ClassId) -> Class) -> ClassId {
        ClassId(self.list.add(|| Name::class(self.symbols.text(name)), |id| make(ClassId(id))))
    }

    /// Adds a method.
    pub(crate) fn add_method(
        &self,
        name: impl FnOnce() -> Name,
        make: impl FnOnce(MethodId) -> Method,
    ) -> MethodId {
        MethodId(self.methods.add(name, |id| make(MethodId(id))))
    }

    /// Enters a class made by the machine under its name.
    ///
    /// # Panics
    /// If another thread panicked while it loaded a class.
    pub(crate) fn enter(&self, name: Symbol, id: ClassId) {
        self.enter_as(name, Ok(id));
    }

    /// As [`Classes::enter`], for the result of loading.
    pub(super) fn enter_as(&self, name: Symbol, loaded: Result<ClassId, LoadError>) {
        self.by_name.write().expect("nobody panics while holding the class table").insert(name, loaded);
    }

    /// The lock that is held while a class is loaded.
    pub(super) fn lock(&self) -> MutexGuard<'_, ()> {
        self.loading.lock().expect("nobody panics while loading")
    }

    /// The class of arrays of `element`.
    ///
    /// # Errors
    /// As [`Classes::load`].
    pub fn array_of(&self, element: ClassId) -> Result<ClassId, LoadError> {
        if let Some(&id) = self.get(element).array.get() {
            return Ok(id);
        }
        let name = format!("[{}", super::descriptor::of_class(self.name(element)));
        self.load(&name)
    }

    /// Whether an instance of `class` can be assigned to a variable of class `to` (JVMS 6.5, `instanceof`).
    #[inline]
    pub fn is_assignable(&self, class: ClassId, to: ClassId) -> bool {
        if class == to {
            return true;
        }
        let (class, to) = (self.get(class), self.get(to));
        if class.is_below(to.id) {
            return true;
        }
        match (class.form, to.form) {
            (Form::Array(from), Form::Array(to)) => {
                !self.get(from).is_primitive() && !self.get(to).is_primitive() && self.is_assignable(from, to)
            }
            _ => false,
        }
    }

    /// The kind of the elements of an array class.
    #[inline]
    pub fn element_kind(&self, class: ClassId) -> Option<Kind> {
        match self.get(class).form {
            Form::Array(element) => match self.get(element).form {
                Form::Primitive(kind) => kind,
                _ => Some(Kind::Ref),
            },
            _ => None,
        }
    }

    /// The method that `class` declares under this name and descriptor.
    pub fn declared(&self, class: ClassId, name: Symbol, descriptor: Symbol) -> Option<MethodId> {
        self.get(class).methods.iter().copied().find(|&id| {
            let method = self.method(id);
            method.name == name && method.descriptor == descriptor
        })
    }

    /// The name of a method with its class and descriptor, such as `java/lang/Object.hashCode()I`.
    #[must_use]
    pub fn method_name(&self, method: &Method) -> String {
        let text = |symbol| self.symbols.text(symbol);
        format!("{}.{}{}", self.name(method.class), text(method.name), text(method.descriptor))
    }

    /// A method of a class by its names.
    #[must_use]
    pub fn find_method(&self, class: &str, name: &str, descriptor: &str) -> Option<MethodId> {
        let class = self.load(class).ok()?;
        self.lookup(class, self.symbols.find(name)?, self.symbols.find(descriptor)?)
    }

    /// Method resolution (JVMS 5.4.3.3 and 5.4.3.4): the class and its superclasses, then interfaces.
    pub fn lookup(&self, class: ClassId, name: Symbol, descriptor: Symbol) -> Option<MethodId> {
        let mut at = Some(class);
        while let Some(id) = at {
            if let Some(found) = self.declared(id, name, descriptor) {
                return Some(found);
            }
            at = self.get(id).super_class;
        }
        self.lookup_interfaces(class, name, descriptor)
    }

    /// The maximally specific method among the superinterfaces: one with code if there is just one, else any.
    fn lookup_interfaces(&self, class: ClassId, name: Symbol, descriptor: Symbol) -> Option<MethodId> {
        let candidates: Vec<&Method> = self
            .get(class)
            .supertypes
            .iter()
            .filter(|&&id| self.get(id).is_interface())
            .filter_map(|&id| self.declared(id, name, descriptor))
            .map(|id| self.method(id))
            .filter(|method| method.flags & (flags::PRIVATE | flags::STATIC) == 0)
            .collect();
        let specific = |method: &&&Method| {
            !candidates
                .iter()
                .any(|other| other.class != method.class && self.get(other.class).is_below(method.class))
        };
        let mut best = candidates.iter().filter(specific);
        let first = best.clone().next()?;
        best.find(|method| !method.is_abstract()).or(Some(first)).map(|method| method.id)
    }

    /// Method selection (JVMS 5.4.6): what a call of `method` runs on an object of `class`.
    pub fn select(&self, class: ClassId, method: MethodId) -> Option<MethodId> {
        let named = self.method(method);
        if named.flags & flags::PRIVATE != 0 {
            return Some(method);
        }
        let mut at = Some(class);
        while let Some(id) = at {
            if let Some(found) = self.declared(id, named.name, named.descriptor) {
                let candidate = self.method(found);
                if candidate.flags & (flags::PRIVATE | flags::STATIC) == 0
                    && (found == method || self.overrides(candidate, named))
                {
                    return Some(found);
                }
            }
            at = self.get(id).super_class;
        }
        self.lookup_interfaces(class, named.name, named.descriptor)
    }

    /// Whether a method of a subclass overrides `named` (JVMS 5.4.5). A method that is visible only in its
    /// package can be overridden there, and then by methods that override the overriding one.
    fn overrides(&self, candidate: &Method, named: &Method) -> bool {
        if named.flags & (flags::PUBLIC | flags::PROTECTED) != 0 || self.get(named.class).is_interface() {
            return true;
        }
        if self.is_same_package(candidate.class, named.class) {
            return true;
        }
        let mut at = self.get(candidate.class).super_class;
        while let Some(id) = at.filter(|&id| id != named.class) {
            if let Some(between) = self.declared(id, named.name, named.descriptor).map(|id| self.method(id))
                && between.flags & (flags::PRIVATE | flags::STATIC) == 0
                && self.overrides(candidate, between)
                && self.overrides(between, named)
            {
                return true;
            }
            at = self.get(id).super_class;
        }
        false
    }

    /// The superinterfaces of a class in the order in which they are initialised (JVMS 5.5): those of an
    /// interface before the interface. Does not include those of superclasses.
    pub fn superinterfaces(&self, class: ClassId) -> Vec<ClassId> {
        let mut found = Vec::new();
        self.add_superinterfaces(class, &mut found);
        found
    }

    fn add_superinterfaces(&self, class: ClassId, found: &mut Vec<ClassId>) {
        for &interface in &self.get(class).interfaces {
            if !found.contains(&interface) {
                self.add_superinterfaces(interface, found);
                found.push(interface);
            }
        }
    }

    /// Whether two classes are in the same package of the same loader.
    pub(crate) fn is_same_package(&self, a: ClassId, b: ClassId) -> bool {
        let loader = |id| super::space::loader_of(self.get(id).space);
        self.package(a) == self.package(b) && loader(a) == loader(b)
    }

    /// The package of a class, with slashes.
    pub fn package(&self, class: ClassId) -> &str {
        let name = self.plain_name(class);
        name.rfind('/').map_or("", |end| &name[..end])
    }

    /// Field resolution (JVMS 5.4.3.2).
    pub fn field(&self, class: ClassId, name: Symbol, descriptor: Symbol) -> Option<super::pool::FieldRef> {
        let this = self.get(class);
        if let Some(field) = this.fields.iter().find(|f| f.name == name && f.descriptor == descriptor) {
            return Some(super::pool::FieldRef {
                class,
                slot: field.slot,
                kind: field.kind,
                flags: field.flags,
            });
        }
        this.interfaces
            .iter()
            .find_map(|&interface| self.field(interface, name, descriptor))
            .or_else(|| self.field(this.super_class?, name, descriptor))
    }

    /// A static field of a class of the class library.
    pub fn static_field(&self, class: &str, field: &str) -> Option<(ClassId, u32)> {
        let id = self.load(class).ok()?;
        let name = self.symbols.find(field)?;
        let found = self.get(id).fields.iter().find(|f| f.name == name && f.flags & flags::STATIC != 0)?;
        Some((id, found.slot))
    }

    /// The slot of an instance field of a class of the class library.
    pub fn slot(&self, class: &str, field: &str) -> Option<u32> {
        let class = self.load(class).ok()?;
        let name = self.symbols.find(field)?;
        self.get(class).fields.iter().find(|f| f.name == name && f.flags & flags::STATIC == 0).map(|f| f.slot)
    }
}

fn primitive(name: &str) -> Option<Form> {
    if name == "void" {
        return Some(Form::Primitive(None));
    }
    Kind::PRIMITIVE.into_iter().find(|kind| kind.name() == name).map(|kind| Form::Primitive(Some(kind)))
}
