//! Links a class file to a class: loads superclasses, assigns slots to fields, and numbers methods.

use super::descriptor::{Kind, Signature};
use super::file::{Attribute, ClassFile, Malformed};
use super::flaw::Rule;
use super::pool::Pool;
use super::registry::{Classes, LoadError, VERIFY_ERROR};
use super::symbol::Symbol;
use super::{
    Class, ClassId, Field, Finals, Form, Loader, MADE, Method, MethodId, Outline, Traits, decode, flags,
};
use crate::numbered::Name;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

/// Links a class that the class library has generated, under a name that distinguishes it from classes that
/// got the same name in other runs.
pub(super) fn link_generated(
    classes: &Classes,
    bytes: &[u8],
    waiting: &mut Vec<Symbol>,
) -> Result<ClassId, LoadError> {
    let bad = |problem: Malformed| LoadError::format("of the class library", problem);
    let file = ClassFile::from_bytes(bytes).map_err(bad)?;
    let own_name = file.class_name().map_err(bad)?.to_str_lossy().into_owned();
    let name = format!("{own_name}+{:x}", rapidhash::v3::rapidhash_v3(bytes));
    let symbol = classes.symbols.intern(&name);
    if let Some(known) = classes.known(symbol) {
        return known;
    }
    let home = Home { loader: Loader::Boot, space: 0 };
    let id = link_file(classes, &name, file, home, Supers::Load(waiting))?;
    classes.enter(symbol, id);
    Ok(id)
}

/// Links a class while the loading lock is held.
pub(super) fn link(
    classes: &Classes,
    name: &str,
    bytes: &[u8],
    loader: Loader,
    waiting: &mut Vec<Symbol>,
) -> Result<ClassId, LoadError> {
    let bad = |problem: Malformed| LoadError::format(name, problem);
    let file = ClassFile::from_bytes(bytes).map_err(bad)?;
    let own_name = file.class_name().map_err(bad)?.to_str_lossy().into_owned();
    if own_name != name {
        return Err(LoadError {
            class: "java/lang/NoClassDefFoundError",
            message: format!("{name} (wrong name: {own_name})"),
        });
    }
    link_file(classes, name, file, Home { loader, space: 0 }, Supers::Load(waiting))
}

/// The loader of a class.
#[derive(Clone, Copy)]
pub struct Home {
    /// The loader that defines it.
    pub loader: Loader,
    /// The number of the loader if it belongs to the program, or zero.
    pub space: u32,
}

/// The supertypes of a class that is linked.
pub(super) enum Supers<'a> {
    /// Load them; these classes wait for that.
    Load(&'a mut Vec<Symbol>),
    /// They are known: the superclass and the superinterfaces.
    Given(Option<ClassId>, Vec<ClassId>),
}

/// Links a class file. `name` is its full name.
pub(super) fn link_file(
    classes: &Classes,
    name: &str,
    file: ClassFile,
    home: Home,
    supers: Supers<'_>,
) -> Result<ClassId, LoadError> {
    let symbols = &classes.symbols;
    let mut pool =
        Pool::read(&file.constant_pool, symbols).map_err(|problem| LoadError::format(name, problem))?;
    let sites = call_sites(&file, &mut pool);
    let (super_class, interfaces) = match supers {
        Supers::Load(waiting) => load_supers(classes, name, &file, waiting)?,
        Supers::Given(super_class, interfaces) => (super_class, interfaces),
    };
    check_supers(classes, name, super_class, &interfaces)?;
    let layout = Layout::of(classes, name, &file, super_class)?;
    let mut drafts = drafts(classes, name, &file)?;
    if !classes.sources.jdk_locks {
        drafts.retain(|draft| !crate::simple::is_left_out(name, classes.symbols.text(draft.name)));
    }
    let bits = file.access_flags;
    let traits = Traits {
        has_defaults: bits & flags::INTERFACE != 0
            && drafts
                .iter()
                .any(|method| method.flags & (flags::STATIC | flags::ABSTRACT | flags::PRIVATE) == 0),
        is_throwable: name == "java/lang/Throwable"
            || super_class.is_some_and(|id| classes.get(id).traits.is_throwable),
        born_initialized: false,
    };
    let source_file = source_file(&file);
    let plain = classes.plain_symbol(name);
    let file = Arc::new(file);
    Ok(classes.add(symbols.intern(name), |id| {
        let (methods, initializer) = number_methods(classes, name, id, drafts);
        Class {
            id,
            name: symbols.intern(name),
            plain,
            flags: bits,
            form: Form::Instance,
            super_class,
            supertypes: supertypes(classes, id, super_class, &interfaces),
            interfaces: interfaces.into(),
            loader: home.loader,
            space: home.space,
            fields: layout.fields.into(),
            methods,
            outline: Outline::of(&layout.instance),
            instance: layout.instance.into(),
            statics: layout.statics.into(),
            finals: layout.finals,
            pool,
            sites,
            file: Some(file),
            source_file,
            initializer,
            traits,
            mirror: OnceLock::new(),
            array: OnceLock::new(),
        }
    }))
}

/// Loads the superclass, then the interfaces.
fn load_supers(
    classes: &Classes,
    name: &str,
    file: &ClassFile,
    waiting: &mut Vec<Symbol>,
) -> Result<(Option<ClassId>, Vec<ClassId>), LoadError> {
    let mut load = |idx: u16| {
        let text = file.constant_pool.try_get_class(idx);
        let text = text.map_err(|problem| LoadError::format(name, problem))?;
        classes.load_locked(classes.symbols.intern(&text.to_str_lossy()), waiting)
    };
    let super_class = match file.super_class {
        0 => None,
        idx => Some(load(idx)?),
    };
    let interfaces = file.interfaces.iter().map(|&idx| load(idx)).collect::<Result<_, _>>()?;
    Ok((super_class, interfaces))
}

/// The name or descriptor at an index of the constant pool.
fn text_at(classes: &Classes, class: &str, file: &ClassFile, idx: u16) -> Result<Symbol, LoadError> {
    let text = file.constant_pool.try_get_utf8(idx);
    let text = text.map_err(|problem| LoadError::format(class, problem))?;
    Ok(classes.symbols.intern(&text.to_str_lossy()))
}

/// Fields that the machine adds to classes of the class library. Programs do not see them. See `vm::loaders`
/// and `native::effect::blocks` for their contents.
const ADDED: &[(&str, &str, &str, u16)] = &[
    ("java/lang/ClassLoader", "<space>", "I", 0),
    ("java/lang/ClassLoader", "<classes>", "[Ljava/lang/Class;", 0),
    ("java/lang/ClassLoader", "<bound>", "[Ljava/lang/Object;", 0),
    ("java/lang/ClassLoader", "<loaders>", "[Ljava/lang/ClassLoader;", flags::STATIC),
    ("jdk/internal/misc/Unsafe", "<blocks>", "[[B", flags::STATIC),
    ("java/lang/Class", "<domain>", "Ljava/security/ProtectionDomain;", 0),
];

/// The fields that a class declares, and the slots of its objects and of its statics.
struct Layout {
    fields: Vec<Field>,
    instance: Vec<Kind>,
    statics: Vec<Kind>,
    finals: Finals,
}

impl Layout {
    /// Gives every field a slot: the superclass's instance fields come first.
    fn of(
        classes: &Classes,
        class: &str,
        file: &ClassFile,
        super_class: Option<ClassId>,
    ) -> Result<Self, LoadError> {
        let parent = super_class.map(|id| classes.get(id));
        let mut layout = Self {
            fields: Vec::with_capacity(file.fields.len()),
            instance: parent.map_or_else(Vec::new, |parent| parent.instance.to_vec()),
            statics: Vec::new(),
            finals: Finals {
                instance: parent.map_or_else(Vec::new, |parent| parent.finals.instance.clone()),
                statics: Vec::new(),
            },
        };
        for (index, field) in file.fields.iter().enumerate() {
            let descriptor = text_at(classes, class, file, field.descriptor_index)?;
            let kind = super::descriptor::kind_of_field(classes.symbols.text(descriptor))
                .ok_or_else(|| LoadError::format(class, "a bad field descriptor"))?;
            let bits = field.access_flags;
            let (slots, finals) = match bits & flags::STATIC != 0 {
                true => (&mut layout.statics, &mut layout.finals.statics),
                false => (&mut layout.instance, &mut layout.finals.instance),
            };
            let constant = field.attributes.iter().find_map(|attribute| match attribute {
                Attribute::ConstantValue(index) => Some(*index),
                _ => None,
            });
            layout.fields.push(Field {
                name: text_at(classes, class, file, field.name_index)?,
                descriptor,
                flags: bits,
                kind,
                slot: slots.len() as u32,
                constant: constant.unwrap_or(0),
                index: index as u16,
            });
            slots.push(kind);
            finals.push(bits & flags::FINAL != 0);
        }
        for &(_, name, descriptor, bits) in ADDED.iter().filter(|added| added.0 == class) {
            layout.add(classes, name, descriptor, bits);
        }
        Ok(layout)
    }

    /// Adds a field for use by the machine.
    fn add(&mut self, classes: &Classes, name: &str, descriptor: &str, bits: u16) {
        let kind = super::descriptor::kind_of_field(descriptor).expect("the table has good descriptors");
        let (slots, finals) = match bits & flags::STATIC != 0 {
            true => (&mut self.statics, &mut self.finals.statics),
            false => (&mut self.instance, &mut self.finals.instance),
        };
        self.fields.push(Field {
            name: classes.symbols.intern(name),
            descriptor: classes.symbols.intern(descriptor),
            flags: bits | flags::PRIVATE | flags::SYNTHETIC,
            kind,
            slot: slots.len() as u32,
            constant: 0,
            index: MADE,
        });
        slots.push(kind);
        finals.push(false);
    }
}

/// The methods that a class declares, without numbers.
fn drafts(classes: &Classes, class: &str, file: &ClassFile) -> Result<Vec<Method>, LoadError> {
    let methods = file.methods.iter().enumerate().map(|(index, method)| {
        let name = text_at(classes, class, file, method.name_index)?;
        let descriptor = text_at(classes, class, file, method.descriptor_index)?;
        draft(classes, class, file, index, (name, descriptor))
    });
    methods.collect()
}

/// Registers the methods of class `id`; the second result is its initialiser.
fn number_methods(
    classes: &Classes,
    class: &str,
    id: ClassId,
    drafts: Vec<Method>,
) -> (Box<[MethodId]>, Option<MethodId>) {
    let clinit = classes.symbols.intern("<clinit>");
    let mut initializer = None;
    let methods = drafts
        .into_iter()
        .enumerate()
        .map(|(index, draft)| {
            let is_initializer = draft.name == clinit && draft.flags & flags::STATIC != 0;
            let method = classes.add_method(
                || Name::method(class, index),
                |method| Method { id: method, class: id, ..draft },
            );
            if is_initializer {
                initializer = Some(method);
            }
            method
        })
        .collect();
    (methods, initializer)
}

/// The class itself and everything it can be assigned to, sorted.
fn supertypes(
    classes: &Classes,
    id: ClassId,
    super_class: Option<ClassId>,
    interfaces: &[ClassId],
) -> Box<[ClassId]> {
    let mut supertypes: Vec<ClassId> = super_class
        .iter()
        .chain(interfaces)
        .flat_map(|&parent| classes.get(parent).supertypes.iter().copied())
        .collect();
    supertypes.push(id);
    supertypes.sort_unstable();
    supertypes.dedup();
    supertypes.into()
}

/// The name of the source file, if the class file has it.
fn source_file(file: &ClassFile) -> Option<Arc<str>> {
    let index = file.attributes.iter().find_map(|attribute| match attribute {
        Attribute::SourceFile(index) => Some(*index),
        _ => None,
    })?;
    let text = file.constant_pool.try_get_utf8(index).ok()?;
    Some(Arc::from(&*text.to_str_lossy()))
}

/// Gives every call instruction its own constant. If several instructions share a constant, the second one
/// and later ones get a copy of it. Returns the index of the method, the position of the instruction and the
/// index of the copy.
fn call_sites(file: &ClassFile, pool: &mut Pool) -> Box<[(u16, u32, u16)]> {
    let mut seen = HashSet::new();
    let mut sites = Vec::new();
    for (method, raw) in file.methods.iter().enumerate() {
        let Some(body) = raw.body() else { continue };
        for pc in 0..body.n_instructions() {
            if let [0xba, high, low, ..] = *body.instruction(pc) {
                let idx = u16::from_be_bytes([high, low]);
                if !seen.insert(idx)
                    && let Some(copy) = pool.repeat(idx)
                {
                    sites.push((method as u16, pc as u32, copy));
                }
            }
        }
    }
    sites.into()
}

fn check_supers(
    classes: &Classes,
    name: &str,
    super_class: Option<ClassId>,
    interfaces: &[ClassId],
) -> Result<(), LoadError> {
    let change = |message: String| LoadError { class: "java/lang/IncompatibleClassChangeError", message };
    let shown = super::space::plain(name).replace('/', ".");
    match super_class.map(|id| classes.get(id)) {
        None if name != "java/lang/Object" => return Err(LoadError::format(name, "no superclass")),
        Some(parent) if parent.is_interface() => {
            return Err(change(format!(
                "class {shown} has interface {} as super class",
                classes.java_name(parent.id)
            )));
        }
        Some(parent) if parent.flags & flags::FINAL != 0 => {
            return Err(change(format!(
                "class {shown} cannot inherit from final class {}",
                classes.java_name(parent.id)
            )));
        }
        _ => {}
    }
    match interfaces.iter().find(|&&id| !classes.get(id).is_interface()) {
        Some(&id) => Err(change(format!(
            "class {shown} can not implement {}, because it is not an interface",
            classes.java_name(id)
        ))),
        None => Ok(()),
    }
}

/// A method before it has a number.
fn draft(
    classes: &Classes,
    class: &str,
    file: &ClassFile,
    index: usize,
    (name, descriptor): (Symbol, Symbol),
) -> Result<Method, LoadError> {
    let raw = &file.methods[index];
    let signature = Signature::parse(classes.symbols.text(descriptor))
        .ok_or_else(|| LoadError::format(class, "a bad method descriptor"))?;
    let bits = raw.access_flags;
    let (max_stack, max_locals) = raw.body().map_or((0, 0), |body| (body.max_stack, body.max_locals));
    let n_args = signature.n_slots() + u16::from(bits & flags::STATIC == 0);
    Ok(Method {
        id: MethodId(0),
        class: ClassId(0),
        name,
        descriptor,
        flags: bits,
        signature,
        n_args,
        max_locals: max_locals.max(n_args),
        max_stack,
        index: index as u16,
        site: OnceLock::new(),
        code: OnceLock::new(),
        native: OnceLock::new(),
    })
}

impl Classes {
    /// The code of a method.
    ///
    /// # Errors
    /// If it has none or its code is invalid.
    pub fn code(&self, method: &Method) -> Result<&super::code::Code, LoadError> {
        // Use the reference into the registry, which contains the method.
        let method = self.method(method.id);
        let class = self.get(method.class);
        let code = method.code.get_or_init(|| {
            let file = class.file.as_ref().ok_or(Rule::NoFile)?;
            let body = file.methods[usize::from(method.index)].body();
            let mut code = decode::decode(body.ok_or(Rule::NoCode)?)?;
            for &(_, pc, copy) in class.sites.iter().filter(|site| site.0 == method.index) {
                code.ops[pc as usize] = super::code::Op::InvokeDynamic(copy);
            }
            if class.loader == Loader::App {
                super::verify::verify(self, class, method, &code)?;
            }
            Ok(code)
        });
        code.as_ref().map_err(|problem| {
            let name = format!("{} ({})", self.java_name(method.class), self.symbols.text(method.name));
            match class.loader {
                Loader::App => LoadError { class: VERIFY_ERROR, message: format!("{problem} in {name}") },
                Loader::Boot => self.damaged(&name, &problem.to_string()),
            }
        })
    }

    /// The opcodes of the instructions of a class that have run; `None` if there is no such class, or in
    /// builds without assertions, which do not record them.
    #[must_use]
    pub fn executed(&self, class: &str) -> Option<Vec<u8>> {
        if !cfg!(debug_assertions) {
            return None;
        }
        let class = self.get(self.load(class).ok()?);
        let file = class.file.as_ref()?;
        let mut found = Vec::new();
        for method in class.methods.iter().map(|&id| self.method(id)) {
            let body = file.methods[usize::from(method.index)].body();
            let (Some(Ok(decoded)), Some(body)) = (method.code.get(), body) else { continue };
            for pc in 0..decoded.ops.len() {
                #[cfg(debug_assertions)]
                if !decoded.executed[pc].load(std::sync::atomic::Ordering::Relaxed) {
                    continue;
                }
                let bytes = body.instruction(decoded.origin(pc));
                // `wide` is an instruction that modifies the next one.
                found.extend_from_slice(&bytes[..if bytes[0] == 0xc4 { 2 } else { 1 }]);
            }
        }
        Some(found)
    }
}
