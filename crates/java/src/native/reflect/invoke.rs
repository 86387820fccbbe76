//! Calls through `Method` and `Constructor` objects.
//!
//! Arguments are checked and taken out of their boxes here; a static method made for the called one boxes the
//! result and wraps what is thrown.

use super::super::Effect::{Own, Pure, Shared};
use super::super::apart::Order;
use super::super::effect::{Fixed, OwnView, PureView, SharedView};
use super::super::{Answer, Table};
use super::objects::{Maker, reflected};
use crate::class::code::Op;
use crate::class::descriptor::{Kind, class_name, of_class, split};
use crate::class::{Method, MethodId, flags};
use crate::numbered::Name;
use crate::vm::arithmetic::convert;
use crate::vm::dynamic::adapt::{computed, primitive, widens};
use crate::vm::dynamic::assemble::{Assembler, ClassDraft};
use crate::vm::heap::{Data, Object, Ref};
use crate::vm::machine::{Exec, Trap, exception};
use crate::vm::thread::Role;

fn mismatch(message: &str) -> Trap {
    exception("java/lang/IllegalArgumentException", message)
}

/// Whether the class library is one that calls by method handles, and words its messages anew: from JDK 18
/// on.
fn is_new(m: &PureView<'_, '_>) -> bool {
    m.vm.load("jdk/internal/reflect/MethodHandleAccessorFactory").is_ok()
}

/// The arguments in an array of objects as slots of a method's parameters.
fn arguments(m: &mut SharedView<'_, '_>, method: &Method, array: Ref, slots: &mut Vec<u64>) -> Exec<()> {
    let descriptor = m.vm.classes.symbols.text(method.descriptor).clone();
    let (parameters, _) = split(&descriptor).ok_or_else(|| mismatch("a bad descriptor"))?;
    let given = if array == 0 { 0 } else { m.array_len(array) };
    if given != parameters.len() {
        let shown = format!("wrong number of arguments: {given} expected: {}", parameters.len());
        return Err(mismatch(if is_new(m) { &shown } else { "wrong number of arguments" }));
    }
    let objects = if array == 0 { Vec::new() } else { m.references(array, Order::Ascending)? };
    for (&object, parameter) in objects.iter().zip(&parameters) {
        match primitive(parameter) {
            None => {
                let own = m.vm.class(method.class);
                let class = m.named_in(own, class_name(parameter))?;
                if object != 0 && !m.is_instance(object, class) {
                    return Err(mismatch("argument type mismatch"));
                }
                slots.push(u64::from(object));
            }
            Some(kind) => {
                let value = match m.unboxed(object) {
                    Some((from, value)) if widens(from, kind) => {
                        let (from, to) = (computed(from), computed(kind));
                        if from == to { value } else { convert(from, to, value) }
                    }
                    _ => return Err(mismatch("argument type mismatch")),
                };
                slots.push(value);
                if kind.is_wide() {
                    slots.push(0);
                }
            }
        }
    }
    Ok(())
}

/// The method that calls another one for reflection.
fn adapter(m: &mut OwnView<'_, '_>, id: MethodId) -> Exec<MethodId> {
    let vm = m.vm;
    vm.made.method(format!("reflect {}", id.0), |key| {
        let classes = &vm.classes;
        let method = classes.method(id);
        let descriptor = classes.symbols.text(method.descriptor).clone();
        let (parameters, result) = split(&descriptor).ok_or_else(|| mismatch("a bad descriptor"))?;
        let is_constructor = &**classes.symbols.text(method.name) == "<init>";
        let receiver = of_class(classes.name(method.class));
        let mut taken: Vec<&str> = Vec::new();
        if !method.is_static() && !is_constructor {
            taken.push(&receiver);
        }
        taken.extend(&parameters);
        let mut asm = Assembler::new(classes);
        let start = asm.here();
        if is_constructor {
            asm.op(Op::NewOf(method.class)).op(Op::Dup);
        }
        let mut local = 0;
        for descriptor in &taken {
            let kind = Kind::of(descriptor).unwrap_or(Kind::Ref);
            asm.load(kind, local);
            local += kind.n_slots();
        }
        asm.op(Op::Call(id, method.flags & flags::PRIVATE == 0 && !is_constructor));
        let end = asm.here();
        match primitive(result) {
            Some(kind) => {
                asm.box_value(kind)?;
            }
            None if result == "V" && !is_constructor => {
                asm.null();
            }
            None => {}
        }
        asm.leave(Some(Kind::Ref));
        wrap(&mut asm, start, end)?;
        Ok(asm.add(
            key,
            classes.load("java/lang/Object")?,
            "<reflect>",
            &format!("({})Ljava/lang/Object;", taken.concat()),
        ))
    })
}

/// Calls a method on an object with arguments in an array.
fn invoke(m: &mut SharedView<'_, '_>, executable: Ref, receiver: Ref, array: Ref) -> Exec<Answer> {
    let id = reflected(m, executable)?;
    let method = m.vm.classes.method(id);
    let mut slots = Vec::new();
    if method.is_static() {
        m.ensure_initialized(method.class)?;
    } else {
        if receiver == 0 {
            return Err(Trap::Exception("java/lang/NullPointerException", None));
        }
        if !m.is_instance(receiver, method.class) {
            let (object, class) = (m.class_of(receiver), method.class);
            let [object, class] = [object, class].map(|id| m.vm.classes.java_name(id));
            let shown = format!("object of type {object} is not an instance of {class}");
            let old = "object is not an instance of declaring class";
            return Err(mismatch(if is_new(m) { &shown } else { old }));
        }
        slots.push(u64::from(receiver));
    }
    arguments(m, method, array, &mut slots)?;
    let adapter = adapter(m, id)?;
    Ok(Answer::Call(adapter, slots, Role::Plain))
}

/// Makes an object by a constructor.
fn construct(m: &mut SharedView<'_, '_>, executable: Ref, array: Ref) -> Exec<Answer> {
    let id = reflected(m, executable)?;
    let method = m.vm.classes.method(id);
    let class = m.vm.class(method.class);
    if class.flags & (flags::ABSTRACT | flags::INTERFACE) != 0 {
        let name = m.vm.classes.java_name(class.id);
        return Err(exception("java/lang/InstantiationException", name));
    }
    m.ensure_initialized(method.class)?;
    let mut slots = Vec::new();
    arguments(m, method, array, &mut slots)?;
    let adapter = adapter(m, id)?;
    Ok(Answer::Call(adapter, slots, Role::Plain))
}

/// The object that makes objects for deserialisation: of one class, by a constructor without arguments of a
/// superclass.
fn serialization_accessor(m: &mut OwnView<'_, '_>, made: u64, owner: u64, parent: &str) -> Exec<Answer> {
    let [made, owner] = [made, owner].map(|mirror| m.class_of_mirror(mirror as Ref));
    let vm = m.vm;
    let classes = &vm.classes;
    let name = format!("jdk/internal/reflect/SerializationAccessor${}${}", made.0, owner.0);
    let symbol = classes.symbols.intern(&name);
    let class = match classes.known(symbol) {
        Some(known) => known?,
        None => {
            let mut asm = Assembler::new(classes);
            let start = asm.here();
            asm.op(Op::NewOf(made)).op(Op::Dup);
            asm.call(classes.name(owner), "<init>", "()V", false)?;
            let end = asm.here();
            asm.leave(Some(Kind::Ref));
            wrap(&mut asm, start, end)?;
            let method = asm.finish(
                "newInstance",
                "([Ljava/lang/Object;)Ljava/lang/Object;",
                flags::PUBLIC | flags::SYNTHETIC,
            );
            let draft = ClassDraft {
                name: &name,
                flags: flags::FINAL | flags::SYNTHETIC | flags::SUPER,
                super_class: classes.load(parent)?,
                interfaces: Vec::new(),
                fields: Vec::new(),
                methods: vec![method],
                loader: crate::class::Loader::Boot,
                space: 0,
            };
            let _guard = vm.made.linking.lock().expect("nobody panics while linking");
            match classes.known(symbol) {
                Some(known) => known?,
                None => draft.define(classes),
            }
        }
    };
    m.ensure_initialized(class)?;
    Ok(Answer::Word(u64::from(m.new_object(class).give())))
}

/// What is thrown between `start` and `end` is thrown again in an `InvocationTargetException`.
fn wrap(asm: &mut Assembler<'_>, start: u32, end: u32) -> Exec<()> {
    let classes = asm.classes;
    asm.catch(start, end, classes.load("java/lang/Throwable")?);
    let wrapper = "java/lang/reflect/InvocationTargetException";
    asm.ops(&[Op::NewOf(classes.load(wrapper)?), Op::DupX1, Op::Swap]);
    asm.call(wrapper, "<init>", "(Ljava/lang/Throwable;)V", false)?.op(Op::Throw);
    Ok(())
}

/// The accessor of a method or constructor: one object of the base image, so that getting it is no event of
/// the program.
fn accessor(m: &mut OwnView<'_, '_>, executable: Ref, names: &[(&str, &str)]) -> Exec<Answer> {
    let id = reflected(m, executable)?;
    let vm = m.vm;
    let found = names.iter().find_map(|&(class, field)| {
        let id = vm.load(class).ok()?;
        Some((id, vm.classes.slot(class, field)?))
    });
    let Some((class, slot)) = found else { return Ok(Answer::Bytecode) };
    let mut purpose = format!("the accessor of method {}", id.0);
    let (method, own) = (vm.classes.method(id), vm.class(vm.classes.method(id).class));
    if own.space != 0 {
        let types = m.descriptor_in(own, vm.classes.symbols.text(method.descriptor))?;
        let mut names = vec![types];
        for thrown in super::objects::declared_exceptions(own, method) {
            let thrown = m.named_in(own, &thrown)?;
            names.push(vm.classes.name(thrown).to_owned());
        }
        purpose.push_str(&format!(" {}", allways_model::Digest::of(&names)));
    }
    let object = vm.made.object(&purpose, || {
        let described = Maker::for_base(m, &purpose).executable(id)?;
        let mut slots = vec![0; vm.class(class).instance.len()];
        slots[slot as usize] = u64::from(described);
        let mut object = Object::new(class, Data::Slots(slots.into()));
        object.shared = true;
        Ok(vm.base.add(|| Name::object(&purpose), |_| object))
    })?;
    Ok(Answer::Word(u64::from(object)))
}

/// Classes of accessors of methods, of this and later JDKs, and their fields.
const METHOD_ACCESSORS: &[(&str, &str)] = &[
    ("jdk/internal/reflect/NativeMethodAccessorImpl", "method"),
    ("jdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor", "method"),
];
/// Those of constructors.
const CONSTRUCTOR_ACCESSORS: &[(&str, &str)] = &[
    ("jdk/internal/reflect/NativeConstructorAccessorImpl", "c"),
    ("jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor", "ctor"),
];

/// The entries. Accessors count their calls to replace themselves by generated classes; here they do neither.
pub const TABLE: Table = &[
    (
        "java/lang/reflect/Method.acquireMethodAccessor()Ljdk/internal/reflect/MethodAccessor;",
        Own(|m, args| accessor(m, args[0] as Ref, METHOD_ACCESSORS)),
    ),
    // The accessors of fields are made anew for each use: kept ones would be part of the state.
    ("java/lang/reflect/Field.setFieldAccessor", Pure(|_, _| Ok(Answer::Void))),
    ("java/lang/reflect/Field.setOverrideFieldAccessor", Pure(|_, _| Ok(Answer::Void))),
    (
        "java/lang/reflect/Constructor.acquireConstructorAccessor()Ljdk/internal/reflect/ConstructorAccessor;",
        Own(|m, args| {
            // An abstract class has an accessor that throws.
            let method = m.vm.classes.method(reflected(m, args[0] as Ref)?);
            let class = m.vm.class(method.class);
            if class.flags & flags::ABSTRACT != 0 || m.vm.classes.name(class.id) == "java/lang/Class" {
                return Ok(Answer::Bytecode);
            }
            accessor(m, args[0] as Ref, CONSTRUCTOR_ACCESSORS)
        }),
    ),
    (
        "jdk/internal/reflect/NativeMethodAccessorImpl.invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
        Shared(|m, args| {
            let method = m.fixed(args[0] as Ref, Fixed::AccessorMethod)? as Ref;
            invoke(m, method, args[1] as Ref, args[2] as Ref)
        }),
    ),
    (
        "jdk/internal/reflect/NativeConstructorAccessorImpl.newInstance([Ljava/lang/Object;)Ljava/lang/Object;",
        Shared(|m, args| {
            let constructor = m.fixed(args[0] as Ref, Fixed::AccessorConstructor)? as Ref;
            construct(m, constructor, args[1] as Ref)
        }),
    ),
    (
        "jdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor.invoke0(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
        Shared(|m, args| invoke(m, args[0] as Ref, args[1] as Ref, args[2] as Ref)),
    ),
    (
        "jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor.newInstance0(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;",
        Shared(|m, args| construct(m, args[0] as Ref, args[1] as Ref)),
    ),
    (
        "jdk/internal/reflect/MethodHandleAccessorFactory.useNativeAccessor(Ljava/lang/reflect/Executable;)Z",
        Pure(|_, _| Ok(Answer::Word(1))),
    ),
    (
        "jdk/internal/reflect/MethodAccessorGenerator.generateSerializationConstructor",
        Own(|m, args| {
            if m.array_len(args[2] as Ref) != 0 {
                return Err(Trap::Unsupported("deserialisation by a constructor with arguments".into()));
            }
            let parent = "jdk/internal/reflect/SerializationConstructorAccessorImpl";
            serialization_accessor(m, args[1], args[5], parent)
        }),
    ),
    (
        "jdk/internal/reflect/MethodHandleAccessorFactory.newSerializableConstructorAccessor",
        Own(|m, args| {
            let id = reflected(m, args[1] as Ref)?;
            if m.vm.classes.method(id).n_args != 1 {
                return Err(Trap::Unsupported("deserialisation by a constructor with arguments".into()));
            }
            let owner = m.vm.mirror(m.vm.classes.method(id).class);
            let parent = "jdk/internal/reflect/ConstructorAccessorImpl";
            serialization_accessor(m, args[0], u64::from(owner), parent)
        }),
    ),
    ("jdk/internal/misc/VM.isJavaLangInvokeInited()Z", Pure(|_, _| Ok(Answer::Word(1)))),
    ("java/io/ObjectStreamClass.initNative()V", Pure(|_, _| Ok(Answer::Void))),
    (
        "java/io/ObjectStreamClass.hasStaticInitializer(Ljava/lang/Class;)Z",
        Pure(|m, args| {
            let class = m.vm.class(m.class_of_mirror(args[0] as Ref));
            Ok(Answer::Word(u64::from(class.initializer.is_some())))
        }),
    ),
    ("jdk/internal/reflect/ReflectionFactory.useFieldHandleAccessor()Z", Pure(|_, _| Ok(Answer::Word(0)))),
    (
        "jdk/internal/reflect/ReflectionFactory.inflationThreshold()I",
        Pure(|_, _| Ok(Answer::Word(i32::MAX as u64))),
    ),
];
