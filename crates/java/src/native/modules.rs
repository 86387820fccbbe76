//! Modules: what of the class library a program may use, and the services in it.
//!
//! There are two modules, one for all of the class library and the unnamed one of the program. Between the
//! modules of a JDK nothing is refused; a program gets what the module of a package exports or opens to
//! everybody.

use super::Effect::Pure;
use super::effect::PureView;
use super::{Answer, Table, ZERO, give_bool, required};
use crate::class::descriptor::Kind;
use crate::vm::dynamic::assemble::Assembler;
use crate::vm::heap::Ref;
use crate::vm::machine::Exec;
use crate::vm::thread::Role;

/// The entries.
pub const TABLE: Table = &[
    (
        "java/lang/Module.isExported(Ljava/lang/String;)Z",
        Pure(|m, args| allows(m, args[0], args[1], None, false)),
    ),
    (
        "java/lang/Module.isExported(Ljava/lang/String;Ljava/lang/Module;)Z",
        Pure(|m, args| allows(m, args[0], args[1], Some(args[2]), false)),
    ),
    ("java/lang/Module.isOpen(Ljava/lang/String;)Z", Pure(|m, args| allows(m, args[0], args[1], None, true))),
    (
        "java/lang/Module.isOpen(Ljava/lang/String;Ljava/lang/Module;)Z",
        Pure(|m, args| allows(m, args[0], args[1], Some(args[2]), true)),
    ),
    (
        "java/lang/Module.isStaticallyExportedOrOpen(Ljava/lang/String;Ljava/lang/Module;Z)Z",
        Pure(|m, args| allows(m, args[0], args[1], Some(args[2]), args[3] != 0)),
    ),
    (
        "jdk/internal/reflect/Reflection.verifyModuleAccess(Ljava/lang/Module;Ljava/lang/Class;)Z",
        Pure(|m, args| {
            let class = m.class_of_mirror(required(args[1])?);
            let module = super::class::module_of(m, class);
            let package = m.vm.classes.package(class);
            give_bool(is_allowed(m, module, package, Some(args[0] as Ref), false))
        }),
    ),
    (
        "java/util/ServiceLoader.inExplicitModule(Ljava/lang/Class;)Z",
        Pure(|m, args| {
            let class = m.class_of_mirror(required(args[1])?);
            give_bool(super::class::module_of(m, class) == m.vm.boot_module())
        }),
    ),
    // All services are those of the loader of the class library; another loader would give them once more.
    (
        "jdk/internal/module/ServicesCatalog.getServicesCatalogOrNull(Ljava/lang/ClassLoader;)Ljdk/internal/module/ServicesCatalog;",
        ZERO,
    ),
    ("jdk/internal/module/ServicesCatalog.findServices(Ljava/lang/String;)Ljava/util/List;", Pure(services)),
];

/// Whether a module exports or opens a package, to another module or to all.
fn allows(m: &PureView<'_, '_>, module: u64, package: u64, to: Option<u64>, is_open: bool) -> Exec<Answer> {
    let package = m.text(required(package)?).replace('.', "/");
    let to = to.map(required).transpose()?;
    give_bool(is_allowed(m, module as Ref, &package, to, is_open))
}

fn is_allowed(m: &PureView<'_, '_>, module: Ref, package: &str, to: Option<Ref>, is_open: bool) -> bool {
    if module != m.vm.boot_module() || to == Some(module) {
        return true;
    }
    let declared = m.vm.classes.sources.jdk.declared();
    declared.is_open(package) || !is_open && declared.is_exported(package)
}

/// The providers of a service in the class library.
fn services(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let service = m.text(required(args[1])?);
    let vm = m.vm;
    let names = vm.classes.sources.jdk.declared().providers(&service);
    let mut slots = vec![u64::from(vm.boot_module())];
    slots.extend(names.iter().map(|name| u64::from(vm.literal_str(name))));
    let maker = vm.made.method(format!("services {}", names.len()), |key| {
        let mut asm = Assembler::new(&vm.classes);
        let provider = "jdk/internal/module/ServicesCatalog$ServiceProvider";
        asm.make("java/util/ArrayList")?;
        for at in 0..names.len() as u16 {
            asm.op(crate::class::code::Op::Dup);
            asm.op(crate::class::code::Op::NewOf(vm.classes.load(provider)?)).op(crate::class::code::Op::Dup);
            asm.load(Kind::Ref, 0).load(Kind::Ref, at + 1);
            asm.call(provider, "<init>", "(Ljava/lang/Module;Ljava/lang/String;)V", false)?;
            asm.call("java/util/ArrayList", "add", "(Ljava/lang/Object;)Z", true)?;
            asm.op(crate::class::code::Op::Pop);
        }
        asm.leave(Some(Kind::Ref));
        let strings = "Ljava/lang/String;".repeat(names.len());
        Ok(asm.add(
            key,
            vm.known().object,
            "<services>",
            &format!("(Ljava/lang/Module;{strings})Ljava/util/List;"),
        ))
    })?;
    Ok(Answer::Call(maker, slots, Role::Plain))
}
