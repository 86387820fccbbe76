//! `MethodHandle`s: direct handles to methods, constructors and fields, and handles made of others.
//!
//! A handle is an object of a class made by the machine. A call goes through a static method made for the
//! kind of handle, its type and the type of the call site; it converts the arguments, calls, and converts the
//! result. What is not here stops the search, by name.

pub mod call;
pub mod combine;
mod write;

use super::Effect::{Own, Shared};
use super::effect::{Fixed, Fresh, OwnView, PureView, SharedView};
use super::handles::may_use;
use super::reflect::objects::reflected;
use super::{Answer, Effect, Table};
use crate::class::code::Op;
use crate::class::descriptor::{Kind as ValueKind, class_name, of_class, split};
use crate::class::pool::FieldRef;
use crate::class::{ClassId, Loader, MethodId, flags};
use crate::gap::Gap;
use crate::numbered::Name;
use crate::vm::Vm;
use crate::vm::dynamic::assemble::{Assembler, ClassDraft, Draft};
use crate::vm::dynamic::{Handle, Member};
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Machine, Trap, exception};
use crate::vm::thread::Role;

/// The name of the class of these objects.
const CLASS: &str = "java/lang/invoke/MethodHandle$Machine";
const HANDLE: &str = "Ljava/lang/invoke/MethodHandle;";
const OBJECT: &str = "Ljava/lang/Object;";

/// What a handle does: its field `kind`. The first ones are numbered as in JVMS 5.4.3.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Reads a field.
    GetField = 1,
    /// Reads a static field.
    GetStatic,
    /// Writes a field.
    PutField,
    /// Writes a static field.
    PutStatic,
    /// Calls the method that the receiver's class selects.
    Virtual,
    /// Calls a static method.
    Static,
    /// Calls exactly this method.
    Special,
    /// Makes an object.
    Constructor,
    /// Calls the method that the receiver's class selects for an interface's.
    Interface,
    /// Gives the first argument.
    Bound,
    /// Has another type.
    AsType,
    /// Takes any number of arguments.
    Varargs,
    /// Gives arguments at a place.
    Insert,
    /// Passes arguments through other handles.
    FilterArguments,
    /// Passes the result through another handle.
    FilterReturn,
    /// Calls one of two handles.
    Guard,
    /// Calls another handle when one throws.
    Catch,
    /// Drops arguments.
    Drop,
    /// Puts arguments into an array.
    Collect,
    /// Takes arguments out of an array.
    Spread,
    /// Gives always the same.
    Constant,
    /// Gives its argument.
    Identity,
    /// Computes a first argument from the others.
    Fold,
    /// Passes arguments in another order.
    Permute,
    /// Computes one argument from several.
    CollectArguments,
    /// Reads an element of an array.
    ElementGet,
    /// Writes one.
    ElementSet,
    /// Does nothing, and gives zero.
    Empty,
}

impl Kind {
    const ALL: [Self; 28] = [
        Self::GetField,
        Self::GetStatic,
        Self::PutField,
        Self::PutStatic,
        Self::Virtual,
        Self::Static,
        Self::Special,
        Self::Constructor,
        Self::Interface,
        Self::Bound,
        Self::AsType,
        Self::Varargs,
        Self::Insert,
        Self::FilterArguments,
        Self::FilterReturn,
        Self::Guard,
        Self::Catch,
        Self::Drop,
        Self::Collect,
        Self::Spread,
        Self::Constant,
        Self::Identity,
        Self::Fold,
        Self::Permute,
        Self::CollectArguments,
        Self::ElementGet,
        Self::ElementSet,
        Self::Empty,
    ];

    fn of(word: u64) -> Exec<Self> {
        let found = Self::ALL.into_iter().find(|&kind| kind as u64 == word);
        found.ok_or_else(|| Trap::Unsupported("a method handle of an unknown kind".into()))
    }
}

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
        space: 0,
    };
    Ok(draft.define(classes))
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
fn make(m: &mut OwnView<'_, '_>, words: [u64; 5], type_object: Ref) -> Exec<Fresh> {
    let class = handle_class(m.vm)?;
    let (first, at) = (first_slot(m.vm)?, type_slot(m.vm)?);
    let object = m.new_object(class);
    for (n, (&word, field)) in words.iter().zip(FIELDS).enumerate() {
        if field.1 == "I" {
            m.set(object, first + n as u32, word);
        } else {
            m.set_ref(object, first + n as u32, word as Ref);
        }
    }
    m.set_ref(object, at, type_object);
    Ok(object)
}

/// The descriptor of a `MethodType` object.
fn descriptor_of(m: &PureView<'_, '_>, type_object: Ref) -> Exec<String> {
    if type_object == 0 {
        return Err(Trap::Exception("java/lang/NullPointerException", None));
    }
    let name = |mirror: Ref| of_class(m.vm.classes.name(m.class_of_mirror(mirror)));
    let parameters = m.fixed(type_object, Fixed::TypeParameters)? as Ref;
    let result = m.fixed(type_object, Fixed::TypeResult)? as Ref;
    let mut text = String::from("(");
    for mirror in m.parameter_mirrors(parameters) {
        text.push_str(&name(mirror));
    }
    text.push(')');
    text.push_str(&name(result));
    Ok(text)
}

fn malformed(descriptor: &str) -> Trap {
    Gap::Named("the method type", descriptor.to_owned()).into()
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
        asm.op(Op::ArrayStore(ValueKind::Ref));
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
pub(super) fn native(vm: &Vm, name: &str, descriptor: &str, entry: Effect) -> Exec<MethodId> {
    vm.made.method(format!("{name} {descriptor}"), |key| {
        let object = vm.known().object;
        let draft = Draft::native(name, descriptor, flags::STATIC | flags::SYNTHETIC, entry);
        let purpose = || Name::made_method(key);
        Ok(vm.classes.add_method(purpose, |id| draft.method(&vm.classes, object, id)))
    })
}

/// The method that gives the `MethodType` object of a descriptor.
fn type_maker(vm: &Vm, descriptor: &str) -> Exec<MethodId> {
    vm.made.method(format!("type {descriptor}"), |key| {
        let mut asm = Assembler::new(&vm.classes);
        push_type(&mut asm, vm, descriptor)?;
        asm.leave(Some(ValueKind::Ref));
        Ok(asm.add(key, vm.known().object, "<type>", "()Ljava/lang/invoke/MethodType;"))
    })
}

/// The method that gives a direct handle.
fn handle_maker(vm: &Vm, handle: Handle, text: &str) -> Exec<MethodId> {
    let classes = &vm.classes;
    let (member, descriptor) = match handle.member {
        Member::Method(id) => {
            let own = of_class(classes.name(handle.owner));
            let full = match handle.kind {
                6 => text.to_string(),
                8 => format!("{}{own}", text.strip_suffix('V').unwrap_or(text)),
                _ => format!("({own}{}", &text[1..]),
            };
            (id.0, full)
        }
        Member::Field(field) => {
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
    vm.made.method(format!("handle {} {member} {} {descriptor}", handle.kind, holder.0), |key| {
        let make_entry = native(
            vm,
            "<handle>",
            &format!("(IILjava/lang/Class;Ljava/lang/invoke/MethodType;){HANDLE}"),
            Own(|m, args| {
                let made = make(m, [args[0], args[1], args[2], 0, 0], args[3] as Ref)?;
                Ok(Answer::Word(u64::from(made.give())))
            }),
        )?;
        let mut asm = Assembler::new(classes);
        asm.op(Op::Const(i32::from(handle.kind), false)).op(Op::Const(member as i32, false));
        asm.op(Op::ConstRef(vm.mirror(holder)));
        push_type(&mut asm, vm, &descriptor)?;
        asm.op(Op::Call(make_entry, false));
        let is_varargs = match handle.member {
            Member::Method(id) => classes.method(id).flags & flags::VARARGS != 0,
            Member::Field(_) => false,
        };
        if is_varargs {
            let body = Own(|m, args| {
                let own = m.fixed(args[0] as Ref, Fixed::HandleType)? as Ref;
                let made = make(m, [Kind::Varargs as u64, 0, 0, args[0], 0], own)?;
                Ok(Answer::Word(u64::from(made.give())))
            });
            let wrap = native(vm, "<varargs>", &format!("({HANDLE}){HANDLE}"), body)?;
            asm.op(Op::Call(wrap, false));
        }
        asm.leave(Some(ValueKind::Ref));
        Ok(asm.add(key, vm.known().object, "<handle>", &format!("(){HANDLE}")))
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
        let types = self.member_type(&handle)?;
        let maker = handle_maker(self.vm, handle, &types)?;
        self.divert(maker, &[])
    }

    /// The descriptor of the method or field that a handle leads to, with full names.
    pub(crate) fn member_type(&mut self, handle: &Handle) -> Exec<String> {
        let classes = &self.vm.classes;
        let (class, text) = match handle.member {
            Member::Method(id) => (classes.method(id).class, classes.method(id).descriptor),
            Member::Field(field) => {
                let is_static = handle.kind.is_multiple_of(2);
                let mut found = classes.get(field.class).fields.iter();
                let found = found
                    .find(|f| f.slot == field.slot && (f.flags & flags::STATIC != 0) == is_static)
                    .ok_or_else(|| Trap::Unsupported("a handle of an unknown field".into()))?;
                (field.class, found.descriptor)
            }
        };
        self.descriptor_in(classes.get(class), classes.symbols.text(text))
    }
}

/// A handle for a `Lookup` object, which must be allowed to use the member.
fn direct(m: &mut OwnView<'_, '_>, lookup: u64, handle: Handle) -> Exec<Answer> {
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
    let types = m.member_type(&handle)?;
    let maker = handle_maker(m.vm, handle, &types)?;
    Ok(Answer::Call(maker, Vec::new(), Role::Plain))
}

fn class_of(m: &PureView<'_, '_>, mirror: u64) -> Exec<ClassId> {
    match mirror {
        0 => Err(Trap::Exception("java/lang/NullPointerException", None)),
        mirror => Ok(m.class_of_mirror(mirror as Ref)),
    }
}

/// `findVirtual` and the like: lookup, class, name, type.
fn find_method(m: &mut OwnView<'_, '_>, args: &[u64], kind: u8) -> Exec<Answer> {
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
    let (symbol, wanted) = (classes.symbols.intern(&name), classes.plain_symbol(&descriptor));
    let found = if kind == 8 {
        classes.declared(owner, symbol, wanted)
    } else {
        classes.lookup(owner, symbol, wanted)
    };
    let way = match kind {
        6 => "invokeStatic",
        8 => "newInvokeSpecial",
        7 => "invokeSpecial",
        _ if classes.get(owner).is_interface() => "invokeInterface",
        _ => "invokeVirtual",
    };
    let shown = format!(
        "no such method: {}.{name}{}/{way}",
        classes.java_name(owner),
        super::method_types::shown(&descriptor)
    );
    let Some(id) = found else { return Err(exception("java/lang/NoSuchMethodException", shown)) };
    if classes.method(id).is_static() != (kind == 6) {
        return Err(exception("java/lang/IllegalAccessException", shown));
    }
    let is_private = classes.method(id).flags & flags::PRIVATE != 0;
    let kind = if kind == 5 && is_private { 7 } else { kind };
    direct(m, args[0], Handle { kind, owner, member: Member::Method(id) })
}

/// `findGetter` and the like: lookup, class, name, type.
fn find_field(m: &mut OwnView<'_, '_>, args: &[u64], kind: u8) -> Exec<Answer> {
    let (owner, class) = (class_of(m, args[1])?, class_of(m, args[3])?);
    if args[2] == 0 {
        return Err(Trap::Exception("java/lang/NullPointerException", None));
    }
    let name = m.text(args[2] as Ref);
    let classes = &m.vm.classes;
    let descriptor = of_class(classes.name(class));
    let found = classes.field(owner, classes.symbols.intern(&name), classes.plain_symbol(&descriptor));
    let shown = format!("no such field: {}.{name}/{}", classes.java_name(owner), classes.java_name(class));
    let Some(field) = found else { return Err(exception("java/lang/NoSuchFieldException", shown)) };
    use_field(m, args[0], owner, field, kind, shown)
}

fn use_field(
    m: &mut OwnView<'_, '_>,
    lookup: u64,
    owner: ClassId,
    field: FieldRef,
    kind: u8,
    shown: String,
) -> Exec<Answer> {
    let is_write = kind > 2;
    if (field.flags & flags::STATIC != 0) != kind.is_multiple_of(2)
        || is_write && field.flags & flags::FINAL != 0
    {
        return Err(exception("java/lang/IllegalAccessException", shown));
    }
    direct(m, lookup, Handle { kind, owner, member: Member::Field(field) })
}

/// `unreflect` and `unreflectConstructor`.
fn unreflect(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    if args[1] == 0 {
        return Err(Trap::Exception("java/lang/NullPointerException", None));
    }
    let id = reflected(m, args[1] as Ref)?;
    let method = m.vm.classes.method(id);
    let owner = method.class;
    let kind = if &**m.vm.classes.symbols.text(method.name) == "<init>" {
        8
    } else if method.is_static() {
        6
    } else if method.flags & flags::PRIVATE != 0 {
        7
    } else {
        5
    };
    let is_open = is_accessible(m, args[1] as Ref)?;
    direct(m, if is_open { 0 } else { args[0] }, Handle { kind, owner, member: Member::Method(id) })
}

/// Whether `setAccessible` was called on a member, which any thread may do at any time.
fn is_accessible(m: &mut SharedView<'_, '_>, member: Ref) -> Exec<bool> {
    match m.vm.classes.slot("java/lang/reflect/AccessibleObject", "override") {
        Some(slot) => Ok(m.read(member, slot)? != 0),
        None => Ok(false),
    }
}

/// `unreflectGetter` and `unreflectSetter`.
fn unreflect_field(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let object = args[1] as Ref;
    if object == 0 {
        return Err(Trap::Exception("java/lang/NullPointerException", None));
    }
    let owner = m.class_of_mirror(m.fixed(object, Fixed::MemberClass)? as Ref);
    let at = m.fixed(object, Fixed::MemberSlot)? as usize;
    // The class library's own lookup may do everything.
    let is_library = args[0] != 0 && m.fixed(args[0] as Ref, Fixed::LookupModes)? as i32 == -1;
    let is_open = is_library || is_accessible(m, object)?;
    let is_trusted = m.fixed(object, Fixed::FieldTrusted)? != 0;
    let field = m.vm.class(owner).fields[at];
    let found = FieldRef { class: owner, slot: field.slot, kind: field.kind, flags: field.flags };
    let is_static = field.flags & flags::STATIC != 0;
    let kind = 1 + u8::from(is_static) + if args[2] != 0 { 2 } else { 0 };
    if args[2] != 0 && field.flags & flags::FINAL != 0 && (!is_open || is_trusted) {
        let message = format!("final field has no write access: {}", m.vm.classes.symbols.text(field.name));
        return Err(exception("java/lang/IllegalAccessException", message));
    }
    direct(m, if is_open { 0 } else { args[0] }, Handle { kind, owner, member: Member::Field(found) })
}

macro_rules! refused {
    ($class:literal: $($name:literal)*) => {
        &[$((concat!($class, ".", $name), Effect::Pure(|_, _| {
            Err(Gap::Named("the method", concat!($class, ".", $name).replace('/', ".")).into())
        })),)*]
    };
}

/// Combinators that the machine does not have.
pub const COMBINATORS: Table = refused!["java/lang/invoke/MethodHandles":
    "dropArguments" "dropArgumentsToMatch" "dropReturn" "tryFinally" "loop"
    "whileLoop" "doWhileLoop" "countedLoop" "iteratedLoop" "spreadInvoker" "exactInvoker" "invoker"
    "explicitCastArguments" "throwException" "arrayConstructor" "arrayLength" "varHandleInvoker" "varHandleExactInvoker" "byteBufferViewVarHandle" "filterValue"
    "filterCoordinates" "insertCoordinates" "collectCoordinates" "permuteCoordinates" "dropCoordinates"
    "tableSwitch" "reflectAs"
];

/// What handles cannot do.
pub const REFUSED: Table = refused!["java/lang/invoke/MethodHandle":
    "asSpreader" "asCollector" "withVarargs" "invokeBasic" "linkToVirtual" "linkToStatic" "linkToSpecial"
    "linkToInterface" "linkToNative" "describeConstable"
];

/// What lookup objects cannot do.
pub const LOOKUP_REFUSED: Table = refused!["java/lang/invoke/MethodHandles$Lookup":
    "unreflectSpecial" "bind" "defineHiddenClass"
    "defineHiddenClassWithClassData" "revealDirect"
];

/// Default methods of proxies are called through a lookup object that the generated class gives away.
pub const PROXY_REFUSED: Table = refused!["java/lang/reflect/Proxy": "invokeDefault"];

/// The entries.
pub const TABLE: Table = &[
    (
        "java/lang/invoke/MethodHandle.invokeExact([Ljava/lang/Object;)Ljava/lang/Object;",
        Own(|m, args| {
            let site = m.site_types()?;
            call::call(m, args, &site, true)
        }),
    ),
    (
        "java/lang/invoke/MethodHandle.invoke([Ljava/lang/Object;)Ljava/lang/Object;",
        Own(|m, args| {
            let site = m.site_types()?;
            call::call(m, args, &site, false)
        }),
    ),
    ("java/lang/invoke/MethodHandles$Lookup.findVirtual", Own(|m, args| find_method(m, args, 5))),
    ("java/lang/invoke/MethodHandles$Lookup.findStatic", Own(|m, args| find_method(m, args, 6))),
    ("java/lang/invoke/MethodHandles$Lookup.findSpecial", Own(|m, args| find_method(m, args, 7))),
    ("java/lang/invoke/MethodHandles$Lookup.findConstructor", Own(|m, args| find_method(m, args, 8))),
    ("java/lang/invoke/MethodHandles$Lookup.findGetter", Own(|m, args| find_field(m, args, 1))),
    ("java/lang/invoke/MethodHandles$Lookup.findStaticGetter", Own(|m, args| find_field(m, args, 2))),
    ("java/lang/invoke/MethodHandles$Lookup.findSetter", Own(|m, args| find_field(m, args, 3))),
    ("java/lang/invoke/MethodHandles$Lookup.findStaticSetter", Own(|m, args| find_field(m, args, 4))),
    ("java/lang/invoke/MethodHandles$Lookup.unreflect", Shared(unreflect)),
    ("java/lang/invoke/MethodHandles$Lookup.unreflectConstructor", Shared(unreflect)),
    (
        "java/lang/invoke/MethodHandles$Lookup.unreflectField(Ljava/lang/reflect/Field;Z)Ljava/lang/invoke/MethodHandle;",
        Shared(unreflect_field),
    ),
];
