//! `VarHandle`s: objects that name a variable, and the ways of using it, each of them one atomic operation.
//!
//! The class library makes them by generated classes and method handles. Here they are objects of one class made by the
//! machine; what kind of variable they name is in their fields.

pub mod access;

use super::{Answer, Table};
use crate::class::descriptor::Kind;
use crate::class::pool::FieldRef;
use crate::class::{ClassId, flags};
use crate::vm::dynamic::assemble::{ClassDraft, find};
use crate::vm::heap::{Data, Ref};
use crate::vm::machine::{Exec, Machine, Trap, exception};

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
fn handle_class(m: &Machine<'_>) -> Exec<ClassId> {
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
    };
    Ok(draft.define(classes))
}

fn make(
    m: &mut Machine<'_>,
    kind: u64,
    holder: ClassId,
    class: ClassId,
    field: Option<FieldRef>,
) -> Exec<Ref> {
    let own = handle_class(m)?;
    let first = m.vm.class(own).instance.len() as u32 - FIELDS.len() as u32;
    let object = m.new_object(own);
    let (holder, class) = (m.vm.mirror(holder), m.vm.mirror(class));
    m.process.heap.set_slot(object, first, kind);
    m.set_ref(object, first + 1, holder);
    m.set_ref(object, first + 2, class);
    m.process.heap.set_slot(object, first + 3, field.map_or(0, |field| u64::from(field.slot)));
    m.process.heap.set_slot(object, first + 4, field.map_or(0, |field| u64::from(field.flags)));
    Ok(object)
}

fn read(m: &Machine<'_>, object: Ref) -> Exec<Handle> {
    let this = m.process.heap.get(object);
    let own = m.vm.class(this.class);
    let Data::Slots(slots) = &this.data else {
        return Err(Trap::Unsupported("a VarHandle that is an array".into()));
    };
    if own.fields.len() != FIELDS.len() || !own.fields.iter().all(|field| field.index == crate::class::MADE) {
        let name = m.vm.classes.java_name(own.id);
        return Err(Trap::Unsupported(format!("a VarHandle of class {name}")));
    }
    let [kind, holder, class, slot, bits, is_exact] =
        *slots.last_chunk::<{ FIELDS.len() }>().expect("it has these fields");
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

/// The value in a box, and its kind.
pub(super) fn unboxed(m: &Machine<'_>, object: Ref) -> Option<(Kind, u64)> {
    if object == 0 {
        return None;
    }
    let class = m.process.heap.get(object).class;
    let name = m.vm.classes.name(class);
    let kind = Kind::PRIMITIVE.into_iter().find(|kind| kind.box_class() == name)?;
    let slot = m.vm.classes.slot(name, "value")?;
    Some((kind, m.process.heap.slot(object, slot)))
}

/// `withInvokeExactBehavior` and `withInvokeBehavior`.
fn with_exactness(m: &mut Machine<'_>, args: &[u64], is_exact: bool) -> Exec<Answer> {
    let handle = args[0] as Ref;
    if read(m, handle)?.is_exact == is_exact {
        return Ok(Answer::Word(args[0]));
    }
    let data = m.process.heap.get(handle).data.clone();
    let class = m.process.heap.get(handle).class;
    let copy = m.process.heap.push(crate::vm::heap::Object::new(class, data));
    let last = m.vm.class(class).instance.len() as u32 - 1;
    m.process.heap.set_slot(copy, last, u64::from(is_exact));
    if let Some(slot) = m.vm.classes.slot("java/lang/invoke/VarHandle", "exact") {
        m.process.heap.set_slot(copy, slot, u64::from(is_exact));
    }
    Ok(Answer::Word(u64::from(copy)))
}

fn type_of(m: &Machine<'_>, mirror: u64) -> Exec<ClassId> {
    if mirror == 0 { Err(null()) } else { Ok(m.class_of_mirror(mirror as Ref)) }
}

/// Whether a lookup object may use a member.
pub(super) fn may_use(m: &Machine<'_>, lookup: Ref, class: ClassId, member: u16) -> Exec<()> {
    if member & flags::PRIVATE == 0 {
        return Ok(());
    }
    let slot = |name: &str| m.vm.classes.slot("java/lang/invoke/MethodHandles$Lookup", name);
    let (Some(own), Some(modes)) = (slot("lookupClass"), slot("allowedModes")) else { return Ok(()) };
    if m.process.heap.slot(lookup, modes) as u32 == u32::MAX {
        return Ok(());
    }
    let from = m.class_of_mirror(m.process.heap.slot(lookup, own) as Ref);
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
fn find_field(m: &mut Machine<'_>, args: &[u64], is_static: bool) -> Exec<Answer> {
    let (owner, class) = (type_of(m, args[1])?, type_of(m, args[3])?);
    if args[2] == 0 {
        return Err(null());
    }
    let name = m.text(args[2] as Ref);
    let classes = &m.vm.classes;
    let descriptor = crate::class::descriptor::of_class(classes.name(class));
    let found = classes.field(owner, classes.symbols.intern(&name), classes.symbols.intern(&descriptor));
    let shown = format!("no such field: {}.{name}/{}", classes.java_name(owner), classes.java_name(class));
    let Some(field) = found else { return Err(exception("java/lang/NoSuchFieldException", shown)) };
    if (field.flags & flags::STATIC != 0) != is_static {
        return Err(exception("java/lang/IllegalAccessException", shown));
    }
    may_use(m, args[0] as Ref, field.class, field.flags)?;
    let (kind, holder) = if is_static { (STATIC, field.class) } else { (FIELD, owner) };
    Ok(Answer::Word(u64::from(make(m, kind, holder, class, Some(field))?)))
}

/// `unreflectVarHandle`.
fn unreflect(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let object = args[1] as Ref;
    if object == 0 {
        return Err(null());
    }
    let slot = |name: &str| {
        m.vm.classes
            .slot("java/lang/reflect/Field", name)
            .ok_or_else(|| Trap::Unsupported("a class library with other Field objects".into()))
    };
    let (owner, name, class) = (slot("clazz")?, slot("name")?, slot("type")?);
    let is_static = {
        let modifiers = slot("modifiers")?;
        m.process.heap.slot(object, modifiers) as u16 & flags::STATIC != 0
    };
    let args = [
        args[0],
        m.process.heap.slot(object, owner),
        m.process.heap.slot(object, name),
        m.process.heap.slot(object, class),
    ];
    find_field(m, &args, is_static)
}

/// `arrayElementVarHandle`.
fn element(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let array = type_of(m, args[0])?;
    let crate::class::Form::Array(class) = m.vm.class(array).form else {
        let name = m.vm.classes.java_name(array);
        return Err(exception("java/lang/IllegalArgumentException", format!("not an array type: {name}")));
    };
    Ok(Answer::Word(u64::from(make(m, ELEMENT, array, class, None)?)))
}

/// `coordinateTypes`.
fn coordinates(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
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
    Ok(Answer::Call(list, vec![u64::from(array)], crate::vm::thread::Role::Plain))
}

/// `byteArrayViewVarHandle`.
fn view(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let array = type_of(m, args[0])?;
    let order = args[1] as Ref;
    if order == 0 {
        return Err(null());
    }
    let class = match m.vm.class(array).form {
        crate::class::Form::Array(class) => class,
        _ => return Err(Trap::Unsupported("a view of a byte array as no array".into())),
    };
    let is_big = m.static_value("java/nio/ByteOrder", "BIG_ENDIAN") == Some(u64::from(order));
    let bytes = m.vm.known().byte_array;
    Ok(Answer::Word(u64::from(make(m, if is_big { BIG } else { LITTLE }, bytes, class, None)?)))
}

/// How handles are made, and what they are asked.
pub const TABLE: Table = &[
    (
        "java/lang/invoke/MethodHandles$Lookup.findVarHandle(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        |m, args| find_field(m, args, false),
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup.findStaticVarHandle(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        |m, args| find_field(m, args, true),
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup.unreflectVarHandle(Ljava/lang/reflect/Field;)Ljava/lang/invoke/VarHandle;",
        unreflect,
    ),
    (
        "java/lang/invoke/MethodHandles.arrayElementVarHandle(Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        element,
    ),
    (
        "java/lang/invoke/MethodHandles.byteArrayViewVarHandle(Ljava/lang/Class;Ljava/nio/ByteOrder;)Ljava/lang/invoke/VarHandle;",
        view,
    ),
    ("java/util/concurrent/atomic/AtomicLong.VMSupportsCS8()Z", |_, _| Ok(Answer::Word(1))),
    ("java/lang/invoke/VarHandle.varType()Ljava/lang/Class;", |m, args| {
        let class = read(m, args[0] as Ref)?.class;
        Ok(Answer::Word(u64::from(m.vm.mirror(class))))
    }),
    ("java/lang/invoke/VarHandle.withInvokeBehavior", |m, args| with_exactness(m, args, false)),
    ("java/lang/invoke/VarHandle.withInvokeExactBehavior", |m, args| with_exactness(m, args, true)),
    ("java/lang/invoke/VarHandle.coordinateTypes()Ljava/util/List;", coordinates),
    ("java/lang/invoke/VarHandle.isAccessModeSupported", |_, _| {
        Err(Trap::Unsupported("VarHandle.isAccessModeSupported".into()))
    }),
    (
        "java/lang/invoke/VarHandle.accessModeType(Ljava/lang/invoke/VarHandle$AccessMode;)Ljava/lang/invoke/MethodType;",
        |_, _| Err(Trap::Unsupported("VarHandle.accessModeType".into())),
    ),
    (
        "java/lang/invoke/VarHandle.toMethodHandle(Ljava/lang/invoke/VarHandle$AccessMode;)Ljava/lang/invoke/MethodHandle;",
        |_, _| Err(Trap::Unsupported("VarHandle.toMethodHandle".into())),
    ),
    ("java/lang/invoke/VarHandle.describeConstable()Ljava/util/Optional;", |_, _| {
        Err(Trap::Unsupported("VarHandle.describeConstable".into()))
    }),
];
