//! `VarHandle`s: objects that name a variable, and the ways of using it, each of them one atomic operation.
//!
//! The class library makes them by generated classes and method handles. Here they are objects of one class
//! made by the machine; what kind of variable they name is in their fields.

pub mod access;
mod boxed;

use super::Effect::{Own, Pure};
use super::effect::{Fixed, Fresh, OwnView, PureView};
use super::{Answer, Table};
use crate::class::descriptor::Kind;
use crate::class::pool::FieldRef;
use crate::class::{ClassId, flags};
use crate::gap::Gap;
use crate::vm::dynamic::assemble::{ClassDraft, find};
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Trap, exception};

/// The name of the class of these objects.
const CLASS: &str = "java/lang/invoke/VarHandle$Machine";

/// What kind of variable a handle names: its field `kind`.
const FIELD: u64 = 0;
const STATIC: u64 = 1;
const ELEMENT: u64 = 2;
/// A number in an array of bytes, the least significant byte first or last.
const LITTLE: u64 = 3;
const BIG: u64 = 4;

/// The fields of a handle, behind those of `VarHandle`.
const FIELDS: [(&str, &str); 6] = [
    ("kind", "I"),
    ("holder", "Ljava/lang/Class;"),
    ("type", "Ljava/lang/Class;"),
    ("slot", "I"),
    ("flags", "I"),
    ("isExact", "Z"),
];

/// A handle, read.
struct Handle {
    kind: u64,
    holder: ClassId,
    class: ClassId,
    slot: u32,
    is_final: bool,
    /// Whether call sites must have the types of the variable.
    is_exact: bool,
    value: Kind,
}

impl Handle {
    /// How many arguments say which variable it is.
    fn n_coordinates(&self) -> usize {
        match self.kind {
            STATIC => 0,
            FIELD => 1,
            _ => 2,
        }
    }
}

/// The class of handles.
fn handle_class(m: &PureView<'_, '_>) -> Exec<ClassId> {
    let classes = &m.vm.classes;
    let symbol = classes.symbols.intern(CLASS);
    if let Some(known) = classes.known(symbol) {
        return Ok(known?);
    }
    let parent = classes.load("java/lang/invoke/VarHandle")?;
    let _guard = m.vm.made.linking.lock().expect("nobody panics while linking");
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
        loader: crate::class::Loader::Boot,
        space: 0,
    };
    Ok(draft.define(classes))
}

fn make(
    m: &mut OwnView<'_, '_>,
    kind: u64,
    holder: ClassId,
    class: ClassId,
    field: Option<FieldRef>,
) -> Exec<Fresh> {
    let own = handle_class(m)?;
    let first = m.vm.class(own).instance.len() as u32 - FIELDS.len() as u32;
    let object = m.new_object(own);
    let (holder, class) = (m.vm.mirror(holder), m.vm.mirror(class));
    m.set(object, first, kind);
    m.set_ref(object, first + 1, holder);
    m.set_ref(object, first + 2, class);
    m.set(object, first + 3, field.map_or(0, |field| u64::from(field.slot)));
    m.set(object, first + 4, field.map_or(0, |field| u64::from(field.flags)));
    Ok(object)
}

fn read(m: &PureView<'_, '_>, object: Ref) -> Exec<Handle> {
    let Some([kind, holder, class, slot, bits, is_exact]) = m.made_fields(object) else {
        let name = m.vm.classes.java_name(m.class_of(object));
        return Err(Gap::Named("a VarHandle of class", name).into());
    };
    let class = m.class_of_mirror(class as Ref);
    let value = match m.vm.class(class).form {
        crate::class::Form::Primitive(Some(kind)) => kind,
        _ => Kind::Ref,
    };
    Ok(Handle {
        kind,
        holder: m.class_of_mirror(holder as Ref),
        class,
        slot: slot as u32,
        is_final: bits as u16 & flags::FINAL != 0,
        is_exact: is_exact != 0,
        value,
    })
}

fn null() -> Trap {
    Trap::Exception("java/lang/NullPointerException", None)
}

/// `withInvokeExactBehavior` and `withInvokeBehavior`.
fn with_exactness(m: &mut OwnView<'_, '_>, args: &[u64], is_exact: bool) -> Exec<Answer> {
    let handle = args[0] as Ref;
    if read(m, handle)?.is_exact == is_exact {
        return Ok(Answer::Word(args[0]));
    }
    let class = m.class_of(handle);
    let copy =
        m.copy_made(handle).ok_or_else(|| Trap::Unsupported("a copy of a foreign VarHandle".into()))?;
    let last = m.vm.class(class).instance.len() as u32 - 1;
    m.set(copy, last, u64::from(is_exact));
    if let Some(slot) = m.vm.classes.slot("java/lang/invoke/VarHandle", "exact") {
        m.set(copy, slot, u64::from(is_exact));
    }
    Ok(Answer::Word(u64::from(copy.give())))
}

fn type_of(m: &PureView<'_, '_>, mirror: u64) -> Exec<ClassId> {
    if mirror == 0 { Err(null()) } else { Ok(m.class_of_mirror(mirror as Ref)) }
}

/// Whether a lookup object may use a member.
pub(super) fn may_use(m: &PureView<'_, '_>, lookup: Ref, class: ClassId, member: u16) -> Exec<()> {
    if member & flags::PRIVATE == 0 {
        return Ok(());
    }
    if m.fixed(lookup, Fixed::LookupModes)? as u32 == u32::MAX {
        return Ok(());
    }
    let from = m.class_of_mirror(m.fixed(lookup, Fixed::LookupClass)? as Ref);
    if m.nest_host(from) == m.nest_host(class) {
        return Ok(());
    }
    let (class, from) = (m.vm.classes.java_name(class), m.vm.classes.java_name(from));
    Err(exception(
        "java/lang/IllegalAccessException",
        format!("member is private: {class}, from class {from}"),
    ))
}

/// `findVarHandle` and `findStaticVarHandle`.
fn find_field(m: &mut OwnView<'_, '_>, args: &[u64], is_static: bool) -> Exec<Answer> {
    let (owner, class) = (type_of(m, args[1])?, type_of(m, args[3])?);
    if args[2] == 0 {
        return Err(null());
    }
    let name = m.text(args[2] as Ref);
    let classes = &m.vm.classes;
    let descriptor = crate::class::descriptor::of_class(classes.name(class));
    let found = classes.field(owner, classes.symbols.intern(&name), classes.plain_symbol(&descriptor));
    let shown = format!("no such field: {}.{name}/{}", classes.java_name(owner), classes.java_name(class));
    let Some(field) = found else { return Err(exception("java/lang/NoSuchFieldException", shown)) };
    if (field.flags & flags::STATIC != 0) != is_static {
        return Err(exception("java/lang/IllegalAccessException", shown));
    }
    may_use(m, args[0] as Ref, field.class, field.flags)?;
    let (kind, holder) = if is_static { (STATIC, field.class) } else { (FIELD, owner) };
    Ok(Answer::Word(u64::from(make(m, kind, holder, class, Some(field))?.give())))
}

/// `unreflectVarHandle`.
fn unreflect(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let object = args[1] as Ref;
    if object == 0 {
        return Err(null());
    }
    let is_static = m.fixed(object, Fixed::FieldModifiers)? as u16 & flags::STATIC != 0;
    let owner = m.fixed(object, Fixed::MemberClass)?;
    let args = [args[0], owner, m.fixed(object, Fixed::FieldName)?, m.fixed(object, Fixed::FieldType)?];
    find_field(m, &args, is_static)
}

/// `arrayElementVarHandle`.
fn element(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let array = type_of(m, args[0])?;
    let crate::class::Form::Array(class) = m.vm.class(array).form else {
        let name = m.vm.classes.java_name(array);
        return Err(exception("java/lang/IllegalArgumentException", format!("not an array type: {name}")));
    };
    Ok(Answer::Word(u64::from(make(m, ELEMENT, array, class, None)?.give())))
}

/// `coordinateTypes`.
fn coordinates(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let handle = read(m, args[0] as Ref)?;
    let mut mirrors = Vec::new();
    if handle.kind != STATIC {
        mirrors.push(m.vm.mirror(handle.holder));
    }
    if handle.kind >= ELEMENT {
        mirrors.push(m.type_mirror("I")?);
    }
    let array = m.new_refs(m.vm.known().object, &mirrors)?;
    let list = find(&m.vm.classes, "java/util/List", "of", "([Ljava/lang/Object;)Ljava/util/List;")?;
    Ok(Answer::Call(list, vec![u64::from(array.give())], crate::vm::thread::Role::Plain))
}

/// `byteArrayViewVarHandle`.
fn view(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let array = type_of(m, args[0])?;
    let order = args[1] as Ref;
    if order == 0 {
        return Err(null());
    }
    let class = match m.vm.class(array).form {
        crate::class::Form::Array(class) => class,
        _ => return Err(Trap::Unsupported("a view of a byte array as no array".into())),
    };
    let is_big = m.static_constant("java/nio/ByteOrder", "BIG_ENDIAN") == Some(u64::from(order));
    let bytes = m.vm.known().byte_array;
    Ok(Answer::Word(u64::from(make(m, if is_big { BIG } else { LITTLE }, bytes, class, None)?.give())))
}

/// How handles are made, and what they are asked.
pub const TABLE: Table = &[
    (
        "java/lang/invoke/MethodHandles$Lookup.findVarHandle(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        Own(|m, args| find_field(m, args, false)),
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup.findStaticVarHandle(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        Own(|m, args| find_field(m, args, true)),
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup.unreflectVarHandle(Ljava/lang/reflect/Field;)Ljava/lang/invoke/VarHandle;",
        Own(unreflect),
    ),
    (
        "java/lang/invoke/MethodHandles.arrayElementVarHandle(Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        Own(element),
    ),
    (
        "java/lang/invoke/MethodHandles.byteArrayViewVarHandle(Ljava/lang/Class;Ljava/nio/ByteOrder;)Ljava/lang/invoke/VarHandle;",
        Own(view),
    ),
    ("java/util/concurrent/atomic/AtomicLong.VMSupportsCS8()Z", Pure(|_, _| Ok(Answer::Word(1)))),
    (
        "java/lang/invoke/VarHandle.varType()Ljava/lang/Class;",
        Pure(|m, args| {
            let class = read(m, args[0] as Ref)?.class;
            Ok(Answer::Word(u64::from(m.vm.mirror(class))))
        }),
    ),
    ("java/lang/invoke/VarHandle.withInvokeBehavior", Own(|m, args| with_exactness(m, args, false))),
    ("java/lang/invoke/VarHandle.withInvokeExactBehavior", Own(|m, args| with_exactness(m, args, true))),
    ("java/lang/invoke/VarHandle.coordinateTypes()Ljava/util/List;", Own(coordinates)),
    (
        "java/lang/invoke/VarHandle.isAccessModeSupported",
        Pure(|_, _| Err(Trap::Unsupported("VarHandle.isAccessModeSupported".into()))),
    ),
    (
        "java/lang/invoke/VarHandle.accessModeType(Ljava/lang/invoke/VarHandle$AccessMode;)Ljava/lang/invoke/MethodType;",
        Pure(|_, _| Err(Trap::Unsupported("VarHandle.accessModeType".into()))),
    ),
    (
        "java/lang/invoke/VarHandle.toMethodHandle(Ljava/lang/invoke/VarHandle$AccessMode;)Ljava/lang/invoke/MethodHandle;",
        Pure(|_, _| Err(Trap::Unsupported("VarHandle.toMethodHandle".into()))),
    ),
    (
        "java/lang/invoke/VarHandle.describeConstable()Ljava/util/Optional;",
        Pure(|_, _| Err(Trap::Unsupported("VarHandle.describeConstable".into()))),
    ),
];
