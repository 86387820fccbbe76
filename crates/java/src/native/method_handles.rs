//! `MethodHandle`s, simple ones: direct handles to methods, constructors and fields, bound receivers, `asType`.
//!
//! A handle is an object of a class made by the machine. A call goes through a static method made for the kind of handle, its
//! type and the type of the call site; it converts the arguments, calls, and converts the result. Combinators are not here:
//! the search stops at them, by name.

use super::handles::{may_use, unboxed};
use super::reflect::objects::reflected;
use super::{Answer, Entry, Table};
use crate::class::code::Op;
use crate::class::descriptor::{Kind, class_name, of_class, split};
use crate::class::pool::FieldRef;
use crate::class::{ClassId, Loader, MethodId, flags};
use crate::vm::Vm;
use crate::vm::arithmetic::convert;
use crate::vm::dynamic::adapt::{boxed, computed, primitive, widens};
use crate::vm::dynamic::assemble::{Assembler, ClassDraft, Draft};
use crate::vm::dynamic::{Handle, Member};
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Machine, Trap, exception};
use crate::vm::thread::Role;

/// The name of the class of these objects.
const CLASS: &str = "java/lang/invoke/MethodHandle$Machine";
const HANDLE: &str = "Ljava/lang/invoke/MethodHandle;";
const OBJECT: &str = "Ljava/lang/Object;";

/// Kinds of handles beyond those of JVMS 5.4.3.5: with the first argument given, and with another type.
const BOUND: u8 = 20;
const AS_TYPE: u8 = 21;

/// The fields of a handle, behind those of `MethodHandle`.
const FIELDS: [(&str, &str); 5] =
    [("kind", "I"), ("member", "I"), ("holder", "Ljava/lang/Class;"), ("inner", HANDLE), ("bound", OBJECT)];

/// The class of handles.
fn handle_class(vm: &Vm) -> Exec<ClassId> {
    let classes = &vm.classes;
    let symbol = classes.symbols.intern(CLASS);
    if let Some(known) = classes.known(symbol) {
        return Ok(known?);
    }
    let parent = classes.load("java/lang/invoke/MethodHandle")?;
    let _guard = vm.made.linking.lock().expect("nobody panics while linking");
    if let Some(known) = classes.known(symbol) {
        return Ok(known?);
    }
    let draft = ClassDraft {
        name: CLASS,
        flags: flags::FINAL | flags::SYNTHETIC | flags::SUPER,
        super_class: parent,
        interfaces: Vec::new(),
        fields: FIELDS.iter().map(|&(name, descriptor)| (name.into(), descriptor.into())).collect(),
        methods: Vec::new(),
        loader: Loader::Boot,
    };
    Ok(draft.add(classes))
}

/// The first slot of a handle's own fields.
fn first_slot(vm: &Vm) -> Exec<u32> {
    let class = handle_class(vm)?;
    Ok(vm.class(class).instance.len() as u32 - FIELDS.len() as u32)
}

fn type_slot(vm: &Vm) -> Exec<u32> {
    let slot = vm.classes.slot("java/lang/invoke/MethodHandle", "type");
    slot.ok_or_else(|| Trap::Unsupported("a class library with other MethodHandles".into()))
}

/// Makes a handle: kind, member and holder, or an inner handle and what is bound.
fn make(m: &mut Machine<'_>, words: [u64; 5], type_object: Ref) -> Exec<Ref> {
    let class = handle_class(m.vm)?;
    let (first, at) = (first_slot(m.vm)?, type_slot(m.vm)?);
    let object = m.new_object(class);
    for (n, (&word, field)) in words.iter().zip(FIELDS).enumerate() {
        if field.1 == "I" {
            m.heap.set_slot(object, first + n as u32, word);
        } else {
            m.set_ref(object, first + n as u32, word as Ref);
        }
    }
    m.set_ref(object, at, type_object);
    Ok(object)
}

/// The descriptor of a `MethodType` object.
fn descriptor_of(m: &Machine<'_>, type_object: Ref) -> Exec<String> {
    if type_object == 0 {
        return Err(Trap::Exception("java/lang/NullPointerException", None));
    }
    let slot = |name: &str| {
        let slot = m.vm.classes.slot("java/lang/invoke/MethodType", name);
        slot.ok_or_else(|| Trap::Unsupported("a class library with other MethodTypes".into()))
    };
    let name = |mirror: Ref| of_class(m.vm.classes.name(m.class_of_mirror(mirror)));
    let parameters = m.heap.slot(type_object, slot("ptypes")?) as Ref;
    let result = m.heap.slot(type_object, slot("rtype")?) as Ref;
    let mut text = String::from("(");
    for at in 0..m.array_len(parameters) {
        text.push_str(&name(m.element(parameters, Kind::Ref, at) as Ref));
    }
    text.push(')');
    text.push_str(&name(result));
    Ok(text)
}

fn malformed(descriptor: &str) -> Trap {
    Trap::Unsupported(format!("the method type {descriptor}"))
}

/// Pushes the `MethodType` object of a descriptor.
fn push_type(asm: &mut Assembler<'_>, vm: &Vm, descriptor: &str) -> Exec<()> {
    let (parameters, result) = split(descriptor).ok_or_else(|| malformed(descriptor))?;
    let mirror = |descriptor: &str| -> Exec<Op> {
        Ok(Op::ConstRef(vm.mirror(vm.classes.load(class_name(descriptor))?)))
    };
    asm.op(mirror(result)?);
    asm.op(Op::Const(parameters.len() as i32, false)).op(Op::NewArrayOf(vm.known().class));
    for (at, parameter) in parameters.iter().enumerate() {
        asm.op(Op::Dup).op(Op::Const(at as i32, false)).op(mirror(parameter)?);
        asm.op(Op::ArrayStore(Kind::Ref));
    }
    asm.call(
        "java/lang/invoke/MethodType",
        "methodType",
        "(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;",
        false,
    )?;
    Ok(())
}

/// A static method that the machine itself carries out.
fn native(vm: &Vm, name: &str, descriptor: &str, entry: Entry) -> Exec<MethodId> {
    vm.made.method(format!("{name} {descriptor}"), || {
        let object = vm.known().object;
        let draft = Draft::native(name, descriptor, flags::STATIC | flags::SYNTHETIC, entry);
        Ok(vm.classes.add_method(|id| draft.method(&vm.classes, object, id)))
    })
}

/// The method that gives the `MethodType` object of a descriptor.
fn type_maker(vm: &Vm, descriptor: &str) -> Exec<MethodId> {
    vm.made.method(format!("type {descriptor}"), || {
        let mut asm = Assembler::new(&vm.classes);
        push_type(&mut asm, vm, descriptor)?;
        asm.leave(Some(Kind::Ref));
        Ok(asm.add(vm.known().object, "<type>", "()Ljava/lang/invoke/MethodType;"))
    })
}

/// The method that gives a direct handle.
fn handle_maker(vm: &Vm, handle: Handle) -> Exec<MethodId> {
    let classes = &vm.classes;
    let (member, descriptor) = match handle.member {
        Member::Method(id) => {
            let text = classes.symbols.text(classes.method(id).descriptor);
            let own = of_class(classes.name(handle.owner));
            let full = match handle.kind {
                6 => text.to_string(),
                8 => format!("{}{own}", text.strip_suffix('V').unwrap_or(text)),
                _ => format!("({own}{}", &text[1..]),
            };
            (id.0, full)
        }
        Member::Field(field) => {
            let found = vm.class(field.class).fields.iter();
            let is_static = handle.kind % 2 == 0;
            let mut found =
                found.filter(|f| f.slot == field.slot && (f.flags & flags::STATIC != 0) == is_static);
            let text = found.next().map(|f| classes.symbols.text(f.descriptor));
            let text = text.ok_or_else(|| Trap::Unsupported("a handle of an unknown field".into()))?;
            let own = of_class(classes.name(handle.owner));
            let full = match handle.kind {
                1 => format!("({own}){text}"),
                2 => format!("(){text}"),
                3 => format!("({own}{text})V"),
                _ => format!("({text})V"),
            };
            (field.slot, full)
        }
    };
    let holder = match handle.member {
        Member::Field(field) => field.class,
        Member::Method(_) => handle.owner,
    };
    vm.made.method(format!("handle {} {member} {} {descriptor}", handle.kind, holder.0), || {
        let make_entry = native(
            vm,
            "<handle>",
            &format!("(IILjava/lang/Class;Ljava/lang/invoke/MethodType;){HANDLE}"),
            |m, args| {
                let made = make(m, [args[0], args[1], args[2], 0, 0], args[3] as Ref)?;
                Ok(Answer::Word(u64::from(made)))
            },
        )?;
        let mut asm = Assembler::new(classes);
        asm.op(Op::Const(i32::from(handle.kind), false)).op(Op::Const(member as i32, false));
        asm.op(Op::ConstRef(vm.mirror(holder)));
        push_type(&mut asm, vm, &descriptor)?;
        asm.op(Op::Call(make_entry, false)).leave(Some(Kind::Ref));
        Ok(asm.add(vm.known().object, "<handle>", &format!("(){HANDLE}")))
    })
}

impl<'vm> Machine<'vm> {
    /// The `MethodType` object of a descriptor, given by the operation that asks for it.
    ///
    /// # Errors
    /// Always: [`Trap::Again`] if all is well.
    pub fn method_type(&mut self, descriptor: &str) -> Exec<Ref> {
        let maker = type_maker(self.vm, descriptor)?;
        self.divert(maker, &[])
    }

    /// The `MethodHandle` object of a constant, given by the operation that asks for it.
    pub(crate) fn method_handle(&mut self, handle: Handle) -> Exec<Ref> {
        let maker = handle_maker(self.vm, handle)?;
        self.divert(maker, &[])
    }
}

fn wrong_type(from: &str, to: &str) -> Trap {
    let message = format!("cannot convert {from} to {to}");
    exception("java/lang/invoke/WrongMethodTypeException", message)
}

/// Takes the value out of a box: what kind is wanted is in the descriptor of the call.
fn unbox(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let site = m.vm.classes.symbols.text(m.site);
    let to = split(site).and_then(|(_, result)| primitive(result)).unwrap_or(Kind::Int);
    let object = args[0] as Ref;
    if object == 0 {
        return Err(Trap::Exception("java/lang/NullPointerException", None));
    }
    match unboxed(m, object) {
        Some((from, value)) if widens(from, to) => {
            let (from, target) = (computed(from), computed(to));
            let value = if from == target { value } else { convert(from, target, value) };
            Ok(if to.is_wide() { Answer::Wide(value) } else { Answer::Word(value) })
        }
        _ => {
            let wrapper = m.vm.load(to.box_class())?;
            let message = m.cast_message(m.heap.get(object).class, wrapper);
            Err(exception("java/lang/ClassCastException", message))
        }
    }
}

/// From a value of one type to one of another, as `asType` does it.
fn adapt(asm: &mut Assembler<'_>, vm: &Vm, from: &str, to: &str) -> Exec<()> {
    if from == to {
        return Ok(());
    }
    match (Kind::of(from), Kind::of(to)) {
        (None, None) => {}
        (Some(kind), None) => {
            asm.op(if kind.is_wide() { Op::Pop2 } else { Op::Pop });
        }
        (None, Some(kind)) => {
            asm.op(match kind {
                Kind::Ref => Op::Const(0, true),
                Kind::Long => Op::Long(0),
                Kind::Double => Op::Double(0.0),
                _ => Op::Const(0, false),
            });
        }
        (Some(Kind::Ref), Some(Kind::Ref)) => {
            asm.cast(to)?;
        }
        (Some(Kind::Ref), Some(kind)) => {
            if boxed(from).is_some_and(|source| !widens(source, kind)) {
                return Err(wrong_type(from, to));
            }
            let method = native(vm, "<unbox>", &format!("({OBJECT}){}", kind.letter()), unbox)?;
            asm.op(Op::Call(method, false));
        }
        (Some(kind), Some(Kind::Ref)) => {
            let wrapper = vm.classes.load(kind.box_class())?;
            if !vm.classes.is_assignable(wrapper, vm.classes.load(class_name(to))?) {
                return Err(wrong_type(from, to));
            }
            asm.box_value(kind)?;
        }
        (Some(source), Some(target)) => {
            if !widens(source, target) {
                return Err(wrong_type(from, to));
            }
            asm.widen(source, target);
        }
    }
    Ok(())
}

/// The method that calls a handle of type `inner` exactly: the handle is its first argument.
fn invoker(vm: &Vm, inner: &str) -> Exec<MethodId> {
    native(vm, "<invoke>", &format!("({HANDLE}{}", &inner[1..]), |m, args| {
        let site = m.vm.classes.symbols.text(m.site);
        let site = format!("({}", &site[1 + HANDLE.len()..]);
        call(m, args, &site, true)
    })
}

/// The words in a handle.
fn words(m: &Machine<'_>, handle: Ref) -> Exec<[u64; 5]> {
    let class = handle_class(m.vm)?;
    if m.heap.get(handle).class != class {
        let name = m.vm.classes.java_name(m.heap.get(handle).class);
        return Err(Trap::Unsupported(format!("a MethodHandle of class {name}")));
    }
    let first = first_slot(m.vm)?;
    Ok(std::array::from_fn(|n| m.heap.slot(handle, first + n as u32)))
}

/// Calls a handle: its arguments are of the types of the call site, the handle itself comes first.
fn call(m: &mut Machine<'_>, args: &[u64], site: &str, is_exact: bool) -> Exec<Answer> {
    let handle = args[0] as Ref;
    if handle == 0 {
        return Err(Trap::Exception("java/lang/NullPointerException", None));
    }
    let words = words(m, handle)?;
    let own = descriptor_of(m, m.heap.slot(handle, type_slot(m.vm)?) as Ref)?;
    if is_exact && own != site {
        let message = format!("expected {own} but found {site}");
        return Err(exception("java/lang/invoke/WrongMethodTypeException", message));
    }
    if matches!(words[0], 2 | 4) {
        m.ensure_initialized(m.class_of_mirror(words[2] as Ref))?;
    }
    let adapter = adapter(m, words, &own, site)?;
    Ok(Answer::Call(adapter, args.to_vec(), Role::Plain))
}

/// The method that carries out calls of handles of one kind and type from call sites of one type.
fn adapter(m: &mut Machine<'_>, words: [u64; 5], own: &str, site: &str) -> Exec<MethodId> {
    let vm = m.vm;
    let [kind, member, holder, inner, _] = words;
    let inner = match inner as Ref {
        0 => String::new(),
        inner => descriptor_of(m, m.heap.slot(inner, type_slot(vm)?) as Ref)?,
    };
    let holder = if holder == 0 { vm.known().object } else { m.class_of_mirror(holder as Ref) };
    let kind = kind as u8;
    vm.made.method(format!("call {kind} {member} {} {own} {inner} {site}", holder.0), || {
        let classes = &vm.classes;
        let (given, wanted) = split(site).ok_or_else(|| malformed(site))?;
        let (taken, result) = split(own).ok_or_else(|| malformed(own))?;
        if given.len() != taken.len() {
            return Err(wrong_type(own, site));
        }
        let first = first_slot(vm)?;
        let mut asm = Assembler::new(classes);
        match kind {
            8 => {
                asm.op(Op::NewOf(holder)).op(Op::Dup);
            }
            2 | 4 => {
                asm.op(Op::ConstRef(vm.mirror(holder)));
            }
            BOUND | AS_TYPE => {
                asm.op(Op::Load(0)).op(Op::GetSlot(first + 3, Kind::Ref));
            }
            _ => {}
        }
        let inner_parts = split(&inner);
        let mut targets: Vec<&str> = taken.clone();
        if kind == BOUND {
            let (parameters, _) = inner_parts.as_ref().ok_or_else(|| malformed(&inner))?;
            asm.op(Op::Load(0)).op(Op::GetSlot(first + 4, Kind::Ref));
            adapt(&mut asm, vm, OBJECT, parameters[0])?;
        } else if kind == AS_TYPE {
            targets = inner_parts.as_ref().ok_or_else(|| malformed(&inner))?.0.clone();
            if targets.len() != taken.len() {
                return Err(wrong_type(&inner, own));
            }
        }
        let mut local = 1;
        for (at, parameter) in given.iter().enumerate() {
            let kind = Kind::of(parameter).ok_or_else(|| malformed(site))?;
            asm.load(kind, local);
            local += kind.n_slots();
            adapt(&mut asm, vm, parameter, taken[at])?;
            adapt(&mut asm, vm, taken[at], targets[at])?;
        }
        let slot = member as u32;
        let field_kind = |descriptor: &str| Kind::of(descriptor).unwrap_or(Kind::Ref);
        let mut produced = result;
        match kind {
            1 => {
                asm.op(Op::GetSlot(slot, field_kind(result)));
            }
            2 => {
                asm.op(Op::GetSlot(vm.static_slot(slot), field_kind(result)));
            }
            3 => {
                asm.op(Op::PutSlot(slot, field_kind(taken[1])));
            }
            4 => {
                asm.op(Op::PutSlot(vm.static_slot(slot), field_kind(taken[0])));
            }
            BOUND | AS_TYPE => {
                produced = inner_parts.as_ref().ok_or_else(|| malformed(&inner))?.1;
                asm.op(Op::Call(invoker(vm, &inner)?, false));
            }
            _ => {
                asm.op(Op::Call(MethodId(slot), matches!(kind, 5 | 9)));
            }
        }
        adapt(&mut asm, vm, produced, result)?;
        adapt(&mut asm, vm, result, wanted)?;
        asm.leave(Kind::of(wanted));
        let descriptor = format!("({HANDLE}{}", &site[1..]);
        Ok(asm.add(vm.known().object, "<call>", &descriptor))
    })
}

/// A handle for a `Lookup` object, which must be allowed to use the member.
fn direct(m: &mut Machine<'_>, lookup: u64, handle: Handle) -> Exec<Answer> {
    let (class, bits) = match handle.member {
        Member::Method(id) => {
            let method = m.vm.classes.method(id);
            (method.class, method.flags)
        }
        Member::Field(field) => (field.class, field.flags),
    };
    if lookup != 0 {
        may_use(m, lookup as Ref, class, bits)?;
    }
    if matches!(handle.kind, 2 | 4) {
        m.ensure_initialized(class)?;
    }
    let maker = handle_maker(m.vm, handle)?;
    Ok(Answer::Call(maker, Vec::new(), Role::Plain))
}

fn class_of(m: &Machine<'_>, mirror: u64) -> Exec<ClassId> {
    match mirror {
        0 => Err(Trap::Exception("java/lang/NullPointerException", None)),
        mirror => Ok(m.class_of_mirror(mirror as Ref)),
    }
}

/// `findVirtual` and the like: lookup, class, name, type.
fn find_method(m: &mut Machine<'_>, args: &[u64], kind: u8) -> Exec<Answer> {
    let owner = class_of(m, args[1])?;
    let (name, type_object) = if kind == 8 {
        ("<init>".to_owned(), args[2])
    } else {
        if args[2] == 0 {
            return Err(Trap::Exception("java/lang/NullPointerException", None));
        }
        (m.text(args[2] as Ref), args[3])
    };
    let descriptor = descriptor_of(m, type_object as Ref)?;
    let classes = &m.vm.classes;
    let (symbol, wanted) = (classes.symbols.intern(&name), classes.symbols.intern(&descriptor));
    let found = if kind == 8 {
        classes.declared(owner, symbol, wanted)
    } else {
        classes.lookup(owner, symbol, wanted)
    };
    let shown = format!("no such method: {}.{name}{descriptor}", classes.java_name(owner));
    let Some(id) = found else { return Err(exception("java/lang/NoSuchMethodException", shown)) };
    if classes.method(id).is_static() != (kind == 6) {
        return Err(exception("java/lang/IllegalAccessException", shown));
    }
    let is_private = classes.method(id).flags & flags::PRIVATE != 0;
    let kind = if kind == 5 && is_private { 7 } else { kind };
    if classes.method(id).flags & flags::VARARGS != 0 {
        return Err(Trap::Unsupported(format!("a method handle of {name}, which takes any number of arguments")));
    }
    direct(m, args[0], Handle { kind, owner, member: Member::Method(id) })
}

/// `findGetter` and the like: lookup, class, name, type.
fn find_field(m: &mut Machine<'_>, args: &[u64], kind: u8) -> Exec<Answer> {
    let (owner, class) = (class_of(m, args[1])?, class_of(m, args[3])?);
    if args[2] == 0 {
        return Err(Trap::Exception("java/lang/NullPointerException", None));
    }
    let name = m.text(args[2] as Ref);
    let classes = &m.vm.classes;
    let descriptor = of_class(classes.name(class));
    let found = classes.field(owner, classes.symbols.intern(&name), classes.symbols.intern(&descriptor));
    let shown = format!("no such field: {}.{name}/{}", classes.java_name(owner), classes.java_name(class));
    let Some(field) = found else { return Err(exception("java/lang/NoSuchFieldException", shown)) };
    use_field(m, args[0], owner, field, kind, shown)
}

fn use_field(
    m: &mut Machine<'_>,
    lookup: u64,
    owner: ClassId,
    field: FieldRef,
    kind: u8,
    shown: String,
) -> Exec<Answer> {
    let is_write = kind > 2;
    if (field.flags & flags::STATIC != 0) != (kind % 2 == 0) || is_write && field.flags & flags::FINAL != 0 {
        return Err(exception("java/lang/IllegalAccessException", shown));
    }
    direct(m, lookup, Handle { kind, owner, member: Member::Field(field) })
}

/// `unreflect` and `unreflectConstructor`.
fn unreflect(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    if args[1] == 0 {
        return Err(Trap::Exception("java/lang/NullPointerException", None));
    }
    let id = reflected(m, args[1] as Ref)?;
    let method = m.vm.classes.method(id);
    let owner = method.class;
    if method.flags & flags::VARARGS != 0 {
        return Err(Trap::Unsupported("a method handle that takes any number of arguments".into()));
    }
    let kind = if &**m.vm.classes.symbols.text(method.name) == "<init>" {
        8
    } else if method.is_static() {
        6
    } else if method.flags & flags::PRIVATE != 0 {
        7
    } else {
        5
    };
    let slot = m.vm.classes.slot("java/lang/reflect/AccessibleObject", "override");
    let is_open = slot.is_some_and(|slot| m.heap.slot(args[1] as Ref, slot) != 0);
    direct(m, if is_open { 0 } else { args[0] }, Handle { kind, owner, member: Member::Method(id) })
}

/// `bindTo`.
fn bind(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let handle = args[0] as Ref;
    words(m, handle)?;
    let own = descriptor_of(m, m.heap.slot(handle, type_slot(m.vm)?) as Ref)?;
    let (parameters, result) = split(&own).ok_or_else(|| malformed(&own))?;
    if !parameters.first().is_some_and(|first| primitive(first).is_none()) {
        return Err(exception("java/lang/IllegalArgumentException", "no leading reference parameter"));
    }
    let class = m.vm.load(class_name(parameters[0]))?;
    let bound = args[1] as Ref;
    if bound != 0 && !m.is_instance(bound, class) {
        let message = m.cast_message(m.heap.get(bound).class, class);
        return Err(exception("java/lang/ClassCastException", message));
    }
    let rest = format!("({}){result}", parameters[1..].concat());
    let vm = m.vm;
    let binder = vm.made.method(format!("bind {rest}"), || {
        let make_entry = native(
            vm,
            "<bind>",
            &format!("({HANDLE}{OBJECT}Ljava/lang/invoke/MethodType;){HANDLE}"),
            |m, args| {
                let made = make(m, [u64::from(BOUND), 0, 0, args[0], args[1]], args[2] as Ref)?;
                Ok(Answer::Word(u64::from(made)))
            },
        )?;
        let mut asm = Assembler::new(&vm.classes);
        asm.op(Op::Load(0)).op(Op::Load(1));
        push_type(&mut asm, vm, &rest)?;
        asm.op(Op::Call(make_entry, false)).leave(Some(Kind::Ref));
        Ok(asm.add(vm.known().object, "<bind>", &format!("({HANDLE}{OBJECT}){HANDLE}")))
    })?;
    Ok(Answer::Call(binder, args[..2].to_vec(), Role::Plain))
}

/// `asType`.
fn as_type(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let handle = args[0] as Ref;
    words(m, handle)?;
    let own = descriptor_of(m, m.heap.slot(handle, type_slot(m.vm)?) as Ref)?;
    let wanted = descriptor_of(m, args[1] as Ref)?;
    if own == wanted {
        return Ok(Answer::Word(args[0]));
    }
    let made = make(m, [u64::from(AS_TYPE), 0, 0, args[0], 0], args[1] as Ref)?;
    let words = words(m, made)?;
    // Whether it can be done at all shows here.
    adapter(m, words, &wanted, &wanted)?;
    Ok(Answer::Word(u64::from(made)))
}

/// `invokeWithArguments`: the arguments are objects in an array.
fn with_arguments(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let (handle, array) = (args[0] as Ref, args[1] as Ref);
    let own = descriptor_of(m, m.heap.slot(handle, type_slot(m.vm)?) as Ref)?;
    let (parameters, _) = split(&own).ok_or_else(|| malformed(&own))?;
    if array == 0 {
        return Err(Trap::Exception("java/lang/NullPointerException", None));
    }
    if m.array_len(array) != parameters.len() {
        return Err(wrong_type(&own, &format!("a call with {} arguments", m.array_len(array))));
    }
    m.plain_array(array, false)?;
    let mut slots = vec![u64::from(handle)];
    for at in 0..parameters.len() {
        slots.push(m.element(array, Kind::Ref, at));
    }
    let site = format!("({}){OBJECT}", OBJECT.repeat(parameters.len()));
    call(m, &slots, &site, false)
}

macro_rules! refused {
    ($class:literal: $($name:literal)*) => {
        &[$((concat!($class, ".", $name), |_, _| {
            Err(Trap::Unsupported(concat!($class, ".", $name).replace('/', ".")))
        }),)*]
    };
}

/// Combinators, which the machine does not have.
pub const COMBINATORS: Table = refused!["java/lang/invoke/MethodHandles":
    "filterArguments" "filterReturnValue" "collectArguments" "foldArguments" "insertArguments" "dropArguments"
    "dropArgumentsToMatch" "dropReturn" "permuteArguments" "guardWithTest" "catchException" "tryFinally" "loop"
    "whileLoop" "doWhileLoop" "countedLoop" "iteratedLoop" "identity" "constant" "zero" "empty" "spreadInvoker"
    "exactInvoker" "invoker" "explicitCastArguments" "throwException" "arrayConstructor" "arrayLength"
    "arrayElementGetter" "arrayElementSetter" "varHandleInvoker" "varHandleExactInvoker" "byteBufferViewVarHandle"
    "filterValue" "filterCoordinates" "insertCoordinates" "collectCoordinates" "permuteCoordinates"
    "dropCoordinates" "tableSwitch" "reflectAs"
];

/// What handles cannot do.
pub const REFUSED: Table = refused!["java/lang/invoke/MethodHandle":
    "asSpreader" "asCollector" "asVarargsCollector" "withVarargs" "invokeBasic" "linkToVirtual" "linkToStatic"
    "linkToSpecial" "linkToInterface" "linkToNative" "describeConstable"
];

/// The entries.
pub const TABLE: Table = &[
    ("java/lang/invoke/MethodHandle.invokeExact([Ljava/lang/Object;)Ljava/lang/Object;", |m, args| {
        let site = m.vm.classes.symbols.text(m.site).clone();
        call(m, args, &site, true)
    }),
    ("java/lang/invoke/MethodHandle.invoke([Ljava/lang/Object;)Ljava/lang/Object;", |m, args| {
        let site = m.vm.classes.symbols.text(m.site).clone();
        call(m, args, &site, false)
    }),
    ("java/lang/invoke/MethodHandle.invokeWithArguments([Ljava/lang/Object;)Ljava/lang/Object;", with_arguments),
    ("java/lang/invoke/MethodHandle.bindTo(Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;", bind),
    (
        "java/lang/invoke/MethodHandle.asType(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
        as_type,
    ),
    ("java/lang/invoke/MethodHandle.asFixedArity()Ljava/lang/invoke/MethodHandle;", |_, args| {
        Ok(Answer::Word(args[0]))
    }),
    ("java/lang/invoke/MethodHandles$Lookup.findVirtual", |m, args| find_method(m, args, 5)),
    ("java/lang/invoke/MethodHandles$Lookup.findStatic", |m, args| find_method(m, args, 6)),
    ("java/lang/invoke/MethodHandles$Lookup.findSpecial", |m, args| find_method(m, args, 7)),
    ("java/lang/invoke/MethodHandles$Lookup.findConstructor", |m, args| find_method(m, args, 8)),
    ("java/lang/invoke/MethodHandles$Lookup.findGetter", |m, args| find_field(m, args, 1)),
    ("java/lang/invoke/MethodHandles$Lookup.findStaticGetter", |m, args| find_field(m, args, 2)),
    ("java/lang/invoke/MethodHandles$Lookup.findSetter", |m, args| find_field(m, args, 3)),
    ("java/lang/invoke/MethodHandles$Lookup.findStaticSetter", |m, args| find_field(m, args, 4)),
    ("java/lang/invoke/MethodHandles$Lookup.unreflect", unreflect),
    ("java/lang/invoke/MethodHandles$Lookup.unreflectConstructor", unreflect),
    ("java/lang/invoke/MethodHandles$Lookup.unreflectGetter", |_, _| {
        Err(Trap::Unsupported("MethodHandles.Lookup.unreflectGetter".into()))
    }),
    ("java/lang/invoke/MethodHandles$Lookup.unreflectSetter", |_, _| {
        Err(Trap::Unsupported("MethodHandles.Lookup.unreflectSetter".into()))
    }),
    ("java/lang/invoke/MethodHandles$Lookup.unreflectSpecial", |_, _| {
        Err(Trap::Unsupported("MethodHandles.Lookup.unreflectSpecial".into()))
    }),
    ("java/lang/invoke/MethodHandles$Lookup.bind", |_, _| {
        Err(Trap::Unsupported("MethodHandles.Lookup.bind".into()))
    }),
    ("java/lang/invoke/MethodHandles$Lookup.defineClass", |_, _| {
        Err(Trap::Unsupported("MethodHandles.Lookup.defineClass".into()))
    }),
    ("java/lang/invoke/MethodHandles$Lookup.defineHiddenClass", |_, _| {
        Err(Trap::Unsupported("MethodHandles.Lookup.defineHiddenClass".into()))
    }),
];
