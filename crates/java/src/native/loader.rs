//! Class loaders. Classes are found by the machine itself: the loaders of the class library are only
//! objects that a program can ask for, and there are two modules, `java.base` and the unnamed one of the program (see `native::modules`).

use super::Effect::{Own, Pure, Shared};
use super::effect::{OwnView, PureView, SharedView};
use super::{Answer, NOTHING, Table, YES, ZERO, give_bool, give_new, give_ref, required};
use crate::class::{ClassId, Form, Loader};
use crate::gap::Gap;
use crate::vm::heap::Ref;
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
        "java/lang/ClassLoader.findLoadedClass0(Ljava/lang/String;)Ljava/lang/Class;",
        Pure(
            |m, args| {
                if is_built_in(m, args[0] as Ref) { find_class(m, args[1], None) } else { give_ref(0) }
            },
        ),
    ),
    (
        "jdk/internal/loader/BuiltinClassLoader.loadClassOrNull(Ljava/lang/String;Z)Ljava/lang/Class;",
        Pure(|m, args| find_class(m, args[1], None)),
    ),
    (
        "jdk/internal/loader/BootLoader.loadClassOrNull(Ljava/lang/String;)Ljava/lang/Class;",
        Pure(|m, args| find_class(m, args[0], Some(Loader::Boot))),
    ),
    (
        "jdk/internal/loader/BootLoader.loadClass(Ljava/lang/Module;Ljava/lang/String;)Ljava/lang/Class;",
        Pure(|m, args| find_class(m, args[1], Some(Loader::Boot))),
    ),
    ("jdk/internal/loader/URLClassPath.<init>(Ljava/lang/String;Z)V", NOTHING),
    ("jdk/internal/loader/ArchivedClassLoaders.get()Ljdk/internal/loader/ArchivedClassLoaders;", ZERO),
    ("jdk/internal/loader/BuiltinClassLoader.hasClassPath()Z", ZERO),
    ("jdk/internal/module/ModuleBootstrap.boot()Ljava/lang/ModuleLayer;", ZERO),
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

/// The loader object of a class: `null` for the class library.
pub fn loader_of(m: &PureView<'_, '_>, class: ClassId) -> Ref {
    match m.vm.class(class).loader {
        Loader::Boot => 0,
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

fn for_name(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let name = m.text(required(args[0])?);
    let loader = args[2] as Ref;
    let found = find(m, &name, if loader == 0 { Some(Loader::Boot) } else { None })?;
    if !is_built_in(m, loader) && found.is_none_or(|id| m.vm.class(id).loader != Loader::Boot) {
        let load = m.vm.classes.find_method(
            "java/lang/ClassLoader",
            "loadClass",
            "(Ljava/lang/String;)Ljava/lang/Class;",
        );
        let load = load.ok_or_else(|| Trap::Unsupported("a ClassLoader without loadClass".into()))?;
        let class = m.class_of(loader);
        let method = m.select(class, load)?.id;
        return Ok(Answer::Call(method, vec![u64::from(loader), args[0]], Role::Plain));
    }
    let Some(id) = found else { return Err(exception("java/lang/ClassNotFoundException", name)) };
    if args[1] != 0 && m.vm.class(id).form == Form::Instance {
        m.ensure_initialized(id)?;
    }
    give_ref(m.vm.mirror(id))
}

/// The class library makes classes for reflection; loaders of the program would need name spaces of their own.
fn define_class(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let name = if args[1] == 0 { String::new() } else { m.text(args[1] as Ref) };
    if !name.replace('.', "/").starts_with("jdk/internal/reflect/Generated") {
        return Err(Gap::Named("a class loader of the program, which defines", name).into());
    }
    let bytes = m.bytes(required(args[2])?)?;
    let (from, len) = (super::int(args[3]).max(0) as usize, super::int(args[4]).max(0) as usize);
    let bytes = bytes.get(from..from + len).unwrap_or_default().to_vec();
    let id = m.vm.classes.define_generated(&bytes)?;
    give_ref(m.vm.mirror(id))
}
