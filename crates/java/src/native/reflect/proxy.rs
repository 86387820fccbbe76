//! `java.lang.reflect.Proxy`: classes made by the machine whose methods call an invocation handler.

use super::super::Effect::{Pure, Shared};
use super::super::apart::Order;
use super::super::effect::{OwnView, PureView, SharedView};
use super::super::loader::{is_built_in, number, shown_loader};
use super::super::{Answer, Table};
use super::objects::{Maker, declared_exceptions};
use crate::class::code::Op;
use crate::class::descriptor::{Kind, split};
use crate::class::space::{APP, full, loader_of};
use crate::class::{ClassId, Loader, MethodId, flags};
use crate::vm::dynamic::adapt::primitive;
use crate::vm::dynamic::assemble::{Assembler, ClassDraft, Draft, find};
use crate::vm::heap::Ref;
use crate::vm::loaders::Reason;
use crate::vm::machine::{Exec, Trap, exception};
use allways_model::Digest;

const PROXY: &str = "java/lang/reflect/Proxy";
const PREFIX: &str = "jdk/proxy1/$Proxy";

/// The interfaces in an array of classes.
fn interfaces(m: &mut SharedView<'_, '_>, array: Ref) -> Exec<Vec<ClassId>> {
    if array == 0 {
        return Err(Trap::Exception("java/lang/NullPointerException", None));
    }
    let mut found = Vec::new();
    for mirror in m.references(array, Order::Any)? {
        if mirror == 0 {
            return Err(Trap::Exception("java/lang/NullPointerException", None));
        }
        let class = m.class_of_mirror(mirror);
        let name = m.vm.classes.java_name(class);
        if !m.vm.class(class).is_interface() {
            return Err(exception(
                "java/lang/IllegalArgumentException",
                format!("{name} is not an interface"),
            ));
        }
        if found.contains(&class) {
            return Err(exception(
                "java/lang/IllegalArgumentException",
                format!("repeated interface: {name}"),
            ));
        }
        found.push(class);
    }
    Ok(found)
}

/// What tells proxies of a loader of the program, or for its interfaces, apart from others: which loader it
/// is, and what the names mean in the methods of the interfaces. Empty for all others.
fn meaning(m: &mut OwnView<'_, '_>, space: u32, interfaces: &[ClassId]) -> Exec<String> {
    let vm = m.vm;
    let all: Vec<ClassId> =
        interfaces.iter().flat_map(|&id| vm.class(id).supertypes.iter().copied()).collect();
    if space == 0 && all.iter().all(|&id| vm.class(id).space == 0) {
        return Ok(String::new());
    }
    let mut names = Vec::new();
    for class in all.into_iter().map(|id| vm.class(id)) {
        names.push(vm.classes.name(class.id).to_owned());
        for &method in class.methods.iter().filter(|_| class.space != 0) {
            let method = vm.classes.method(method);
            names.push(m.descriptor_in(class, vm.classes.symbols.text(method.descriptor))?);
            for thrown in declared_exceptions(class, method) {
                let thrown = m.named_in(class, &thrown)?;
                names.push(vm.classes.name(thrown).to_owned());
            }
        }
    }
    Ok(format!("{space:x}.{}", Digest::of(&names)))
}

/// The number of the loader that is to define proxies: zero for those of the class library. All interfaces
/// must be visible to it.
fn space_for(m: &mut OwnView<'_, '_>, loader: Ref, interfaces: &[ClassId]) -> Exec<Result<u32, Answer>> {
    let is_built_in = is_built_in(m, loader);
    for &id in interfaces {
        let class = m.vm.class(id);
        let is_visible = match is_built_in {
            true => loader_of(class.space) == 0,
            false => m.class_of_loader(loader, class.plain, Reason::Proxy)? == id,
        };
        if !is_visible {
            let name = m.vm.classes.java_name(id);
            let shown = shown_loader(m, loader);
            let message =
                format!("{name} referenced from a method is not visible from class loader: {shown}");
            return Err(exception("java/lang/IllegalArgumentException", message));
        }
    }
    if is_built_in {
        // Beside an interface that the loader of the class path has defined.
        let is_defined = interfaces.iter().any(|&id| m.vm.class(id).space == APP);
        return Ok(Ok(if is_defined { APP } else { 0 }));
    }
    match m.known_space(loader) {
        Some(space) => Ok(Ok(space)),
        None => number(m.vm, loader).map(Err),
    }
}

/// The class of proxies for these interfaces.
fn proxy_class(m: &mut OwnView<'_, '_>, space: u32, interfaces: &[ClassId]) -> Exec<ClassId> {
    let vm = m.vm;
    let classes = &vm.classes;
    // Named by its interfaces, so that it has the same name in every run.
    let names: Vec<String> = interfaces.iter().map(|&id| classes.name(id).replace(['/', '$'], "_")).collect();
    let meaning = meaning(m, space, interfaces)?;
    let mut name = format!("{PREFIX}${}", names.join("$"));
    if !meaning.is_empty() {
        name = full(&name, &meaning);
    }
    let symbol = classes.symbols.intern(&name);
    if let Some(known) = classes.known(symbol) {
        return Ok(known?);
    }
    let _guard = vm.made.linking.lock().expect("nobody panics while linking");
    if let Some(known) = classes.known(symbol) {
        return Ok(known?);
    }
    let object = "java/lang/Object";
    let mut methods = vec![
        find(classes, object, "hashCode", "()I")?,
        find(classes, object, "equals", "(Ljava/lang/Object;)Z")?,
        find(classes, object, "toString", "()Ljava/lang/String;")?,
    ];
    for &interface in interfaces {
        let inherited = classes.superinterfaces(interface);
        for id in inherited.into_iter().chain([interface]) {
            for &method in &classes.get(id).methods {
                let candidate = classes.method(method);
                let is_known = methods.iter().any(|&other| {
                    let other = classes.method(other);
                    other.name == candidate.name && other.descriptor == candidate.descriptor
                });
                if candidate.flags & (flags::STATIC | flags::PRIVATE) == 0 && !is_known {
                    methods.push(method);
                }
            }
        }
    }
    let mut drafts = Vec::with_capacity(methods.len());
    for method in methods {
        drafts.push(proxy_method(m, &name, method)?);
    }
    let is_app = space != 0 || interfaces.iter().any(|&id| classes.get(id).loader == Loader::App);
    let draft = ClassDraft {
        name: &name,
        flags: flags::PUBLIC | flags::FINAL | flags::SUPER,
        super_class: classes.load(PROXY)?,
        interfaces: interfaces.to_vec(),
        fields: Vec::new(),
        methods: drafts,
        loader: if is_app { Loader::App } else { Loader::Boot },
        space,
    };
    Ok(draft.define(classes))
}

/// A method of a proxy: packs its arguments, calls the handler, unpacks the result.
fn proxy_method(m: &mut OwnView<'_, '_>, class: &str, id: MethodId) -> Exec<Draft> {
    let vm = m.vm;
    let classes = &vm.classes;
    let method = classes.method(id);
    let described = Maker::for_base(m, &format!("method {} of {class}", id.0)).executable(id)?;
    let declaring = classes.get(method.class);
    let descriptor = classes.symbols.text(method.descriptor).clone();
    let types = m.descriptor_in(declaring, &descriptor)?;
    let (parameters, result) =
        split(&types).ok_or_else(|| exception("java/lang/ClassFormatError", "a bad descriptor"))?;
    let handler = classes
        .slot(PROXY, "h")
        .ok_or_else(|| Trap::Unsupported("a class library with another Proxy".into()))?;
    let mut asm = Assembler::new(classes);
    let start = asm.here();
    asm.ops(&[Op::Load(0), Op::GetSlot(handler, Kind::Ref), Op::Load(0), Op::ConstRef(described)]);
    if parameters.is_empty() {
        asm.null();
    } else {
        asm.op(Op::Const(parameters.len() as i32, false)).op(Op::NewArrayOf(vm.known().object));
        let mut local = 1;
        for (at, parameter) in parameters.iter().enumerate() {
            let kind = Kind::of(parameter).unwrap_or(Kind::Ref);
            asm.op(Op::Dup).op(Op::Const(at as i32, false)).load(kind, local);
            local += kind.n_slots();
            if kind != Kind::Ref {
                asm.box_value(kind)?;
            }
            asm.op(Op::ArrayStore(Kind::Ref));
        }
    }
    asm.call(
        "java/lang/reflect/InvocationHandler",
        "invoke",
        "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;",
        true,
    )?;
    match primitive(result) {
        Some(kind) => {
            asm.cast(&format!("L{};", kind.box_class()))?.unbox_value(kind.box_class(), kind)?;
        }
        None if result == "V" => {
            asm.op(Op::Pop);
        }
        None => {
            asm.cast(result)?;
        }
    }
    asm.leave(Kind::of(result));
    let end = asm.here();
    let mut passed = vec!["java/lang/Error".to_owned(), "java/lang/RuntimeException".to_owned()];
    passed.extend(declared_exceptions(vm.class(method.class), method));
    for class in &passed {
        let class = m.named_in(declaring, class)?;
        asm.catch(start, end, class);
    }
    asm.op(Op::Throw);
    asm.catch(start, end, classes.load("java/lang/Throwable")?);
    let wrapper = "java/lang/reflect/UndeclaredThrowableException";
    asm.ops(&[Op::NewOf(classes.load(wrapper)?), Op::DupX1, Op::Swap]);
    asm.call(wrapper, "<init>", "(Ljava/lang/Throwable;)V", false)?.op(Op::Throw);
    let name = classes.symbols.text(method.name).clone();
    Ok(asm.finish(&name, &descriptor, flags::PUBLIC | flags::FINAL))
}

fn is_proxy(m: &PureView<'_, '_>, mirror: Ref) -> bool {
    let class = m.vm.class(m.class_of_mirror(mirror));
    class.file.is_none() && m.vm.classes.name(class.id).starts_with(PREFIX)
}

/// The entries.
pub const TABLE: Table = &[
    (
        "java/lang/reflect/Proxy.newProxyInstance(Ljava/lang/ClassLoader;[Ljava/lang/Class;Ljava/lang/reflect/InvocationHandler;)Ljava/lang/Object;",
        Shared(|m, args| {
            if args[2] == 0 {
                return Err(Trap::Exception("java/lang/NullPointerException", None));
            }
            let interfaces = interfaces(m, args[1] as Ref)?;
            let space = match space_for(m, args[0] as Ref, &interfaces)? {
                Ok(space) => space,
                Err(first) => return Ok(first),
            };
            let class = proxy_class(m, space, &interfaces)?;
            m.ensure_initialized(class)?;
            let slot = m.vm.classes.slot(PROXY, "h").unwrap_or(0);
            let proxy = m.new_object(class);
            m.set_ref(proxy, slot, args[2] as Ref);
            Ok(Answer::Word(u64::from(proxy.give())))
        }),
    ),
    (
        "java/lang/reflect/Proxy.getProxyClass(Ljava/lang/ClassLoader;[Ljava/lang/Class;)Ljava/lang/Class;",
        Shared(|m, args| {
            let interfaces = interfaces(m, args[1] as Ref)?;
            let space = match space_for(m, args[0] as Ref, &interfaces)? {
                Ok(space) => space,
                Err(first) => return Ok(first),
            };
            let class = proxy_class(m, space, &interfaces)?;
            Ok(Answer::Word(u64::from(m.vm.mirror(class))))
        }),
    ),
    (
        "java/lang/reflect/Proxy.isProxyClass(Ljava/lang/Class;)Z",
        Pure(|m, args| {
            if args[0] == 0 {
                return Err(Trap::Exception("java/lang/NullPointerException", None));
            }
            Ok(Answer::Word(u64::from(is_proxy(m, args[0] as Ref))))
        }),
    ),
];
