//! Class loaders. The classes of the class library and of the class path are found by the machine itself: the
//! loaders of the class library are only objects that a program can ask for. Loaders of the program run as
//! its other code does, and what they define are classes of their own (see `vm::loaders`). Modules are
//! `java.base` and the unnamed ones of the loaders (see `native::modules`).

use super::Effect::{Own, Pure, Shared};
use super::effect::{Fixed, OwnView, PureView, SharedView};
use super::{Answer, NOTHING, Table, YES, ZERO, give_bool, give_new, give_ref, int, required};
use crate::class::code::Op;
use crate::class::descriptor::Kind;
use crate::class::link::Home;
use crate::class::space::{APP, Definition};
use crate::class::{ClassId, Form, Loader, flags};
use crate::gap::Gap;
use crate::vm::Vm;
use crate::vm::dynamic::assemble::Assembler;
use crate::vm::heap::{Data, Ref};
use crate::vm::loaders::Reason;
use crate::vm::machine::{Exec, Trap, exception};
use crate::vm::thread::Role;

/// The entries.
pub const TABLE: Table = &[
    (
        "java/lang/Class.forName0(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;",
        Own(for_name),
    ),
    (
        "java/lang/ClassLoader.findBootstrapClass(Ljava/lang/String;)Ljava/lang/Class;",
        Pure(|m, args| find_class(m, args[0], Some(Loader::Boot))),
    ),
    (
        "java/lang/ClassLoader.defineClass1(Ljava/lang/ClassLoader;Ljava/lang/String;[BIILjava/security/ProtectionDomain;Ljava/lang/String;)Ljava/lang/Class;",
        Shared(define_class),
    ),
    (
        "java/lang/ClassLoader.defineClass0(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[BIILjava/security/ProtectionDomain;ZILjava/lang/Object;)Ljava/lang/Class;",
        Shared(|m, args| {
            if int(args[8]) & HIDDEN != 0 {
                return Err(Gap::Feature("hidden classes").into());
            }
            define_class(m, &[args[0], args[2], args[3], args[4], args[5], args[6]])
        }),
    ),
    (
        "jdk/internal/misc/Unsafe.defineClass0(Ljava/lang/String;[BIILjava/lang/ClassLoader;Ljava/security/ProtectionDomain;)Ljava/lang/Class;",
        Shared(|m, args| define_class(m, &[args[5], args[1], args[2], args[3], args[4], args[6]])),
    ),
    ("java/lang/ClassLoader.findLoadedClass0(Ljava/lang/String;)Ljava/lang/Class;", Shared(find_loaded)),
    (
        "jdk/internal/loader/BuiltinClassLoader.loadClassOrNull(Ljava/lang/String;Z)Ljava/lang/Class;",
        Own(|m, args| match find_class(m, args[1], None)? {
            Answer::Word(0) => find_defined(m, args[0] as Ref, args[1]),
            found => Ok(found),
        }),
    ),
    (
        "jdk/internal/loader/BootLoader.loadClassOrNull(Ljava/lang/String;)Ljava/lang/Class;",
        Pure(|m, args| find_class(m, args[0], Some(Loader::Boot))),
    ),
    (
        "jdk/internal/loader/BootLoader.loadClass(Ljava/lang/Module;Ljava/lang/String;)Ljava/lang/Class;",
        Pure(|m, args| find_class(m, args[1], Some(Loader::Boot))),
    ),
    // Counters for tools that look into a Java machine from outside.
    (
        "jdk/internal/perf/PerfCounter.newPerfCounter(Ljava/lang/String;)Ljdk/internal/perf/PerfCounter;",
        Own(|m, _| {
            let class = m.vm.load("jdk/internal/perf/PerfCounter")?;
            give_new(m.new_object(class))
        }),
    ),
    ("jdk/internal/perf/PerfCounter.add(J)V", NOTHING),
    ("jdk/internal/loader/URLClassPath.<init>(Ljava/lang/String;Z)V", NOTHING),
    ("jdk/internal/loader/ArchivedClassLoaders.get()Ljdk/internal/loader/ArchivedClassLoaders;", ZERO),
    ("jdk/internal/loader/BuiltinClassLoader.hasClassPath()Z", ZERO),
    ("jdk/internal/module/ModuleBootstrap.boot()Ljava/lang/ModuleLayer;", ZERO),
    ("java/lang/SecurityManager.addNonExportedPackages(Ljava/lang/ModuleLayer;)V", NOTHING),
    ("java/lang/Module.canRead(Ljava/lang/Module;)Z", YES),
    ("java/lang/Module.canUse(Ljava/lang/Class;)Z", YES),
    ("java/lang/Module.addReads0(Ljava/lang/Module;Ljava/lang/Module;)V", NOTHING),
    ("java/lang/Module.addExports0(Ljava/lang/Module;Ljava/lang/String;Ljava/lang/Module;)V", NOTHING),
    ("java/lang/Module.addExportsToAll0(Ljava/lang/Module;Ljava/lang/String;)V", NOTHING),
    ("java/lang/Module.addExportsToAllUnnamed0(Ljava/lang/Module;Ljava/lang/String;)V", NOTHING),
    (
        "java/lang/Module.defineModule0(Ljava/lang/Module;ZLjava/lang/String;Ljava/lang/String;[Ljava/lang/Object;)V",
        NOTHING,
    ),
    ("java/lang/Module.implAddReads(Ljava/lang/Module;)V", NOTHING),
    ("java/lang/Module.implAddUses(Ljava/lang/Class;)V", NOTHING),
    ("jdk/internal/loader/BootLoader.setBootLoaderUnnamedModule0(Ljava/lang/Module;)V", NOTHING),
    (
        "jdk/internal/loader/BootLoader.getSystemPackageNames()[Ljava/lang/String;",
        Own(|m, _| give_new(super::string::string_array(m, &[])?)),
    ),
    ("jdk/internal/loader/BootLoader.getSystemPackageLocation(Ljava/lang/String;)Ljava/lang/String;", ZERO),
    ("java/lang/Package.getSystemPackage0(Ljava/lang/String;)Ljava/lang/String;", ZERO),
    (
        "java/lang/ClassLoader.desiredAssertionStatus(Ljava/lang/String;)Z",
        Pure(|m, _| give_bool(m.vm.options.assertions)),
    ),
];

/// Set for a class that no other class can name.
const HIDDEN: i32 = 2;

/// The loader object of a class: `null` for the class library.
pub fn loader_of(m: &PureView<'_, '_>, class: ClassId) -> Ref {
    let class = m.vm.class(class);
    match class.loader {
        Loader::Boot => 0,
        Loader::App if class.space != 0 => m.loader_in(class.space),
        Loader::App => m.system_loader(),
    }
}

/// Whether a loader is one of the class library's own, whose classes the machine finds.
pub(super) fn is_built_in(m: &PureView<'_, '_>, loader: Ref) -> bool {
    loader == 0 || m.vm.classes.name(m.class_of(loader)).starts_with("jdk/internal/loader/")
}

/// The class of a name with dots, if there is one and a loader may give it.
fn find(m: &PureView<'_, '_>, name: &str, from: Option<Loader>) -> Exec<Option<ClassId>> {
    if name.contains('/') || name.is_empty() {
        return Ok(None);
    }
    let slashed = name.replace('.', "/");
    match m.vm.classes.load(&slashed) {
        Ok(id) if m.vm.class(id).is_primitive() => Ok(None),
        Ok(id) => Ok(from.is_none_or(|loader| m.vm.class(id).loader == loader).then_some(id)),
        Err(error) if error.class == "java/lang/NoClassDefFoundError" => {
            // Another class that it needs may be missing, or the element class of an array.
            let is_itself = error.message == slashed || slashed.starts_with('[');
            if is_itself { Ok(None) } else { Err(error.into()) }
        }
        Err(error) => Err(error.into()),
    }
}

fn find_class(m: &mut PureView<'_, '_>, name: u64, from: Option<Loader>) -> Exec<Answer> {
    let name = m.text(required(name)?);
    if name.starts_with('[') {
        return give_ref(0);
    }
    let found = find(m, &name, from)?;
    give_ref(found.map_or(0, |id| m.vm.mirror(id)))
}

/// A class of which a loader is an initiating loader already.
fn find_loaded(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let loader = args[0] as Ref;
    if is_built_in(m, loader) {
        return match find_class(m, args[1], None)? {
            Answer::Word(0) => find_defined(m, loader, args[1]),
            found => Ok(found),
        };
    }
    let name = m.text(required(args[1])?);
    if name.contains('/') || name.starts_with('[') {
        return give_ref(0);
    }
    let name = m.vm.classes.symbols.intern(&name.replace('.', "/"));
    let found = m.recorded(loader, name)?;
    give_ref(found.map_or(0, |id| m.vm.mirror(id)))
}

/// The class of a name with dots that the loader of the class path was given to define.
fn defined(m: &mut OwnView<'_, '_>, loader: Ref, name: &str) -> Exec<Option<ClassId>> {
    let system = m.system_loader();
    let is_library = loader == 0;
    if system == 0 || name.contains('/') || m.known_space(system).is_none() || !is_library && loader != system
    {
        return Ok(None);
    }
    let name = m.vm.classes.symbols.intern(&name.replace('.', "/"));
    match m.class_of_loader(system, name, Reason::Find) {
        Ok(id) => Ok((!is_library || m.vm.class(id).loader == Loader::Boot).then_some(id)),
        Err(Trap::Exception("java/lang/ClassNotFoundException", _)) => Ok(None),
        Err(trap) => Err(trap),
    }
}

fn find_defined(m: &mut OwnView<'_, '_>, loader: Ref, name: u64) -> Exec<Answer> {
    let name = m.text(required(name)?);
    let found = defined(m, loader, &name)?;
    give_ref(found.map_or(0, |id| m.vm.mirror(id)))
}

fn for_name(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let name = m.text(required(args[0])?);
    let loader = args[2] as Ref;
    let not_found = || exception("java/lang/ClassNotFoundException", name.clone());
    let id = if is_built_in(m, loader) {
        match find(m, &name, if loader == 0 { Some(Loader::Boot) } else { None })? {
            Some(id) => id,
            None => defined(m, loader, &name)?.ok_or_else(not_found)?,
        }
    } else {
        if name.contains('/') || name.is_empty() || Kind::PRIMITIVE.iter().any(|kind| kind.name() == name) {
            return Err(not_found());
        }
        let name = m.vm.classes.symbols.intern(&name.replace('.', "/"));
        m.class_of_loader(loader, name, Reason::Find)?
    };
    if args[1] != 0 && m.vm.class(id).form == Form::Instance {
        m.ensure_initialized(id)?;
    }
    give_ref(m.vm.mirror(id))
}

/// A loader defines a class, of a copy of the bytes.
fn define_class(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let loader = args[0] as Ref;
    let name = if args[1] == 0 { String::new() } else { m.text(args[1] as Ref).replace('.', "/") };
    let bytes = m.bytes(required(args[2])?)?;
    let (from, len) = (int(args[3]).max(0) as usize, int(args[4]).max(0) as usize);
    let bytes = bytes.get(from..from + len).unwrap_or_default().to_vec();
    if name.starts_with("jdk/internal/reflect/Generated") {
        // The class library makes classes for reflection.
        let id = m.vm.classes.define_generated(&bytes)?;
        return give_ref(m.vm.mirror(id));
    }
    if is_built_in(m, loader) && loader != 0 && loader != m.system_loader() {
        return Err(Gap::Named("a class that is defined by a loader of the class library:", name).into());
    }
    let copy = m.new_bytes(&bytes).give();
    let vm = m.vm;
    let define = vm.made.method("define".into(), |key| {
        let descriptor =
            "(Ljava/lang/ClassLoader;Ljava/lang/String;[BLjava/security/ProtectionDomain;)Ljava/lang/Class;";
        let native = super::method_handles::native(vm, "<define>", descriptor, Shared(define_copy))?;
        let mut asm = Assembler::new(&vm.classes);
        asm.ops(&[Op::Load(0), Op::Load(1), Op::Load(2), Op::Load(3), Op::Call(native, false)]);
        asm.leave(Some(Kind::Ref));
        Ok(asm.add(key, vm.known().object, "<define>", descriptor))
    })?;
    let args = vec![args[0], args[1], u64::from(copy), args[5]];
    Ok(Answer::Call(define, args, Role::Plain))
}

/// A loader defines a class: its number and the classes above come first, then the class is entered. The
/// arguments: the loader, the name (or `null`), bytes that no other thread knows, and the protection domain.
fn define_copy(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    // What the class library's own loader defines is kept where the loader of the class path keeps its
    // classes.
    let is_library = args[0] == 0;
    let loader = if is_library { m.system_loader() } else { args[0] as Ref };
    let name = if args[1] == 0 { String::new() } else { m.text(args[1] as Ref).replace('.', "/") };
    let space = m.space(loader)?;
    if space == 0 {
        return number(m.vm, loader);
    }
    let bytes = match m.made_array(args[2] as Ref) {
        Data::Bytes(bytes) => bytes.to_vec(),
        _ => Vec::new(),
    };
    let shown = if name.is_empty() { "<Unknown>" } else { &name };
    let definition = Definition::read(bytes, shown)?;
    if space == APP && m.vm.classes.sources.class(&definition.name).is_some() {
        return Err(Gap::Named("another definition of the class", definition.name).into());
    }
    if !name.is_empty() && definition.name != name {
        let message = format!("{name} (wrong name: {})", definition.name);
        return Err(exception("java/lang/NoClassDefFoundError", message));
    }
    if let Some((package, _)) =
        definition.name.rsplit_once('/').filter(|_| !is_library && definition.name.starts_with("java/"))
    {
        let (shown, package) = (shown_loader(m, loader), package.replace('/', "."));
        let message =
            format!("Class loader (instance of): {shown} tried to load prohibited package name: {package}");
        return Err(exception("java/lang/SecurityException", message));
    }
    let symbols = &m.vm.classes.symbols;
    let below = Reason::Above(symbols.intern(&definition.name));
    let super_class = match &definition.super_class {
        Some(above) => Some(m.class_of_loader(loader, symbols.intern(above), below)?),
        None => None,
    };
    let mut interfaces = Vec::new();
    for above in &definition.interfaces {
        interfaces.push(m.class_of_loader(loader, symbols.intern(above), below)?);
    }
    for &above in super_class.iter().chain(&interfaces) {
        m.check_above(&definition.name, space, above)?;
    }
    let home = Home { loader: if is_library { Loader::Boot } else { Loader::App }, space };
    let id = m.vm.classes.define(definition, home, super_class, interfaces)?;
    let enter = enter_method(m.vm)?;
    let args = vec![u64::from(m.vm.mirror(id)), u64::from(loader), args[3]];
    Ok(Answer::Call(enter, args, Role::Plain))
}

/// Gives a loader its number; then the method that needs it begins again.
pub(super) fn number(vm: &Vm, loader: Ref) -> Exec<Answer> {
    let body = |m: &mut SharedView<'_, '_>, args: &[u64]| {
        m.number_loader(args[0] as Ref)?;
        Ok(Answer::Void)
    };
    let native = super::method_handles::native(vm, "<number>", "(Ljava/lang/ClassLoader;)V", Shared(body))?;
    let method = vm.made.method("number".into(), |key| {
        let mut asm = Assembler::new(&vm.classes);
        asm.ops(&[Op::Load(0), Op::Call(native, false)]).leave(None);
        Ok(asm.add(key, vm.known().object, "<numbered>", "(Ljava/lang/ClassLoader;)V"))
    })?;
    Ok(Answer::Call(method, vec![u64::from(loader)], Role::Aside))
}

/// The method that enters a class that was defined, and gives it.
fn enter_method(vm: &Vm) -> Exec<crate::class::MethodId> {
    let descriptor =
        "(Ljava/lang/Class;Ljava/lang/ClassLoader;Ljava/security/ProtectionDomain;)Ljava/lang/Class;";
    super::method_handles::native(vm, "<enter>", descriptor, Shared(enter))
}

fn enter(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let (class, loader) = (m.class_of_mirror(args[0] as Ref), args[1] as Ref);
    if let Some(known) = m.record(loader, class, Some(args[2] as Ref))? {
        return Err(duplicate(m, loader, class, known));
    }
    give_ref(args[0] as Ref)
}

/// A loader must not give two classes for a name.
fn duplicate(m: &PureView<'_, '_>, loader: Ref, class: ClassId, known: ClassId) -> crate::vm::machine::Trap {
    let name = m.vm.classes.java_name(class);
    let form = if m.vm.class(class).flags & flags::INTERFACE == 0 { "class" } else { "interface" };
    let shown = shown_loader(m, loader);
    let place = m.home_of(known, true);
    let message =
        format!("loader {shown} attempted duplicate {form} definition for {name}. ({name} is {place})");
    exception("java/lang/LinkageError", message)
}

/// How messages name a loader.
pub(super) fn shown_loader(m: &PureView<'_, '_>, loader: Ref) -> String {
    let name = if loader == 0 { None } else { m.fixed(loader, Fixed::LoaderName).ok() };
    name.map_or_else(|| "null".into(), |text| m.text(text as Ref))
}

/// A loader of the program gives a class for a name, or `null`.
fn record(m: &mut SharedView<'_, '_>, args: &[u64], error: &'static str) -> Exec<Answer> {
    let (loader, name) = (args[1] as Ref, m.text(args[2] as Ref));
    let class = (args[0] != 0).then(|| m.class_of_mirror(args[0] as Ref));
    let Some(class) = class.filter(|&class| m.vm.classes.java_name(class) == name) else {
        let is_linked = error == "java/lang/NoClassDefFoundError";
        return Err(exception(error, if is_linked { name.replace('.', "/") } else { name }));
    };
    match m.record(loader, class, None)? {
        Some(known) if known != class => Err(duplicate(m, loader, class, known)),
        _ => Ok(Answer::Void),
    }
}

/// Records what `loadClass` gave for a name that code needs: class, loader and name with dots.
pub(crate) fn record_linked(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    record(m, args, "java/lang/NoClassDefFoundError")
}

/// Records what `loadClass` gave for a name that the program asked for.
pub(crate) fn record_found(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    record(m, args, "java/lang/ClassNotFoundException")
}

/// Whether a name with dots is recorded for a loader.
pub(crate) fn was_recorded(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let name = m.text(args[1] as Ref).replace('.', "/");
    let name = m.vm.classes.symbols.intern(&name);
    give_bool(m.recorded(args[0] as Ref, name)?.is_some())
}
