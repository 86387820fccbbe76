//! `java.lang.StackWalker`. A walk is over the frames of the running thread; where it is now is a field of
//! the walker, the number of frames that are still to come plus one.

use super::Effect::{Pure, Shared};
use super::effect::{Fixed, Fresh, PureView, SharedView, Value};
use super::{Answer, Table, YES, give_bool, give_int, give_ref, int, required};
use crate::class::{Method, MethodId};
use crate::gap::Gap;
use crate::vm::heap::{Data, Object, Ref};
use crate::vm::machine::{Exec, Machine, Trap};
use crate::vm::thread::Role;

const WALKER: &str = "java/lang/StackStreamFactory$AbstractStackWalker";
const INFO: &str = "java/lang/StackFrameInfo";

/// The entries.
pub const TABLE: Table = &[
    ("java/lang/StackStreamFactory.checkStackWalkModes()Z", YES),
    (
        "java/lang/StackStreamFactory$AbstractStackWalker.callStackWalk(JIII[Ljava/lang/Object;)Ljava/lang/Object;",
        Shared(|m, args| walk(m, args, args[1], [args[3], args[4], args[5], args[6]])),
    ),
    (
        // Of JDK 21.
        "java/lang/StackStreamFactory$AbstractStackWalker.callStackWalk(JILjdk/internal/vm/ContinuationScope;Ljdk/internal/vm/Continuation;II[Ljava/lang/Object;)Ljava/lang/Object;",
        Shared(|m, args| walk(m, args, args[1], [args[3], args[6], args[7], args[8]])),
    ),
    (
        // Of JDK 25.
        "java/lang/StackStreamFactory$AbstractStackWalker.callStackWalk(IILjdk/internal/vm/ContinuationScope;Ljdk/internal/vm/Continuation;II[Ljava/lang/Object;)Ljava/lang/Object;",
        Shared(|m, args| walk(m, args, args[1], [args[2], args[5], args[6], args[7]])),
    ),
    (
        "java/lang/StackStreamFactory$AbstractStackWalker.fetchStackFrames(JJII[Ljava/lang/Object;)I",
        Shared(|m, args| fetch(m, args, args[3], [args[5], args[6], args[7]])),
    ),
    (
        "java/lang/StackStreamFactory$AbstractStackWalker.fetchStackFrames(JJIII[Ljava/lang/Object;)I",
        Shared(|m, args| fetch(m, args, args[3], [args[6], args[7], args[8]])),
    ),
    (
        "java/lang/StackStreamFactory$AbstractStackWalker.fetchStackFrames(IJIII[Ljava/lang/Object;)I",
        Shared(|m, args| fetch(m, args, args[2], [args[5], args[6], args[7]])),
    ),
    (
        "java/lang/StackFrameInfo.<init>(Ljava/lang/StackWalker;)V",
        Shared(|m, args| {
            // Since JDK 25 its superclass does that, in its own code.
            let Some(to) = m.vm.classes.slot(INFO, "retainClassRef") else { return Ok(Answer::Bytecode) };
            let value = m.fixed(required(args[1])?, Fixed::WalkerRetains)?;
            m.write(args[0] as Ref, to, value)?;
            Ok(Answer::Void)
        }),
    ),
    (
        "java/lang/StackFrameInfo.declaringClass()Ljava/lang/Class;",
        Pure(|m, args| {
            let class = noted(m, args[0] as Ref)?.0.class;
            give_ref(m.vm.mirror(class))
        }),
    ),
    (
        "java/lang/StackFrameInfo.getMethodName()Ljava/lang/String;",
        Pure(|m, args| {
            let name = noted(m, args[0] as Ref)?.0.name;
            give_ref(m.vm.literal_str(m.vm.classes.symbols.text(name)))
        }),
    ),
    (
        "java/lang/StackFrameInfo.getDescriptor()Ljava/lang/String;",
        Pure(|m, args| {
            let descriptor = noted(m, args[0] as Ref)?.0.descriptor;
            give_ref(m.vm.literal_str(m.vm.classes.symbols.text(descriptor)))
        }),
    ),
    (
        "java/lang/StackFrameInfo.getByteCodeIndex()I",
        Pure(|m, args| {
            let (method, pc) = noted(m, args[0] as Ref)?;
            give_int(if method.is_native() { -1 } else { pc as i32 })
        }),
    ),
    (
        "java/lang/StackFrameInfo.isNativeMethod()Z",
        Pure(|m, args| give_bool(noted(m, args[0] as Ref)?.0.is_native())),
    ),
    (
        "java/lang/StackTraceElement.initStackTraceElement(Ljava/lang/StackTraceElement;Ljava/lang/StackFrameInfo;)V",
        Shared(|m, args| {
            let (method, pc) = noted(m, required(args[1])?)?;
            let fields = super::lang::element_fields(m, args[0] as Ref, method.id, pc);
            m.write_all(&fields)?;
            Ok(Answer::Void)
        }),
    ),
];

fn slot(m: &PureView<'_, '_>, class: &str, field: &str) -> Exec<u32> {
    m.vm.classes.slot(class, field).ok_or_else(|| Gap::Library(format!("{class}.{field}")).into())
}

/// The field of a frame object that says what it is about.
fn note_slot(m: &PureView<'_, '_>) -> Exec<u32> {
    let slot_now = || slot(m, "java/lang/ClassFrameInfo", "classOrMemberName");
    m.vm.classes.slot(INFO, "memberName").map_or_else(slot_now, Ok)
}

/// The method and place that a frame object is about.
fn noted<'vm>(m: &PureView<'_, 'vm>, info: Ref) -> Exec<(&'vm Method, u32)> {
    let note = m.fixed(info, Fixed::FrameNote)? as Ref;
    let Some(Data::Bytes(bytes)) = (note != 0).then(|| m.made_array(note)) else {
        return Err(Trap::Unsupported("a stack frame that no walk gave".into()));
    };
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    Ok((m.vm.classes.method(MethodId(word(0))), word(4)))
}

/// The walk's array, from where on it is filled, and with at most how many frames.
#[derive(Clone, Copy)]
struct Room {
    array: Ref,
    from: usize,
    len: usize,
}

/// Fills the array of a walker with the frames below the first `left`, and notes in the walker how many are
/// left if it has a place for that; how many frames were filled in, and how many are left then.
fn fill(
    m: &mut SharedView<'_, '_>,
    left: usize,
    mode: u64,
    room: Room,
    anchor: Option<(Ref, u32)>,
) -> Exec<(usize, usize)> {
    const CLASSES_ONLY: u64 = 2;
    let (mut left, mut found) = (left, Vec::new());
    while left > 0 && found.len() < room.len {
        left -= 1;
        let frame = m.frames()[left];
        if m.is_walked(frame.method.id) {
            found.push((frame.method, frame.pc));
        }
    }
    let is_classes = mode & CLASSES_ONLY != 0;
    let class_slot = m.vm.classes.slot("java/lang/ClassFrameInfo", "classOrMemberName");
    let to = if is_classes { class_slot } else { Some(note_slot(m)?) };
    let mut notes = Vec::with_capacity(found.len());
    for &(method, pc) in &found {
        notes.push(match is_classes {
            true => m.vm.mirror(method.class),
            false => note(m, method, pc).give(),
        });
    }
    let fields = anchor.map(|(walker, slot)| (walker, slot, Value::Word(left as u64 + 1)));
    let is_filled = m.fill_frames(room.array, room.from, to, &notes, fields)?;
    if !is_filled && !is_classes {
        return Err(Trap::Unsupported("a stack walk into empty frames".into()));
    }
    Ok((found.len(), left))
}

/// A place in a method as frame objects keep it.
fn note(m: &mut SharedView<'_, '_>, method: &Method, pc: u32) -> Fresh {
    let bytes: Vec<u8> = method.id.0.to_le_bytes().into_iter().chain(pc.to_le_bytes()).collect();
    let class = m.vm.known().int_array;
    m.push(Object::new(class, Data::Bytes(bytes.into())))
}

impl Machine<'_> {
    /// Whether a frame is one that programs are shown.
    pub(crate) fn is_walked(&self, method: &Method) -> bool {
        let name = self.vm.classes.name(method.class);
        let is_made =
            method.flags & crate::class::flags::SYNTHETIC != 0 && self.vm.class(method.class).file.is_none();
        let is_call =
            name == "java/lang/reflect/Method" && &**self.vm.classes.symbols.text(method.name) == "invoke";
        let is_hidden = is_made || is_call || name.starts_with("jdk/internal/reflect/");
        !is_hidden && !self.vm.natives.is_made(method.id)
    }
}

/// Begins a walk: how, and how many frames to skip, how many to give at a time, from which index on, in which
/// array.
fn walk(
    m: &mut SharedView<'_, '_>,
    args: &[u64],
    mode: u64,
    [skip, len, from, array]: [u64; 4],
) -> Exec<Answer> {
    let [skip, len, from] = [skip, len, from].map(|count| int(count).max(0) as usize);
    let array = required(array)?;
    let frames = m.frames();
    let mut left = frames.len();
    while left > 0 {
        let name = m.vm.classes.name(frames[left - 1].method.class);
        if name != "java/lang/StackWalker" && !name.starts_with("java/lang/StackStreamFactory") {
            break;
        }
        left -= 1;
    }
    let (n, left) = fill(m, left.saturating_sub(skip), mode, Room { array, from, len }, None)?;
    let walker = args[0] as Ref;
    let call = m.vm.classes.find_method(WALKER, "doStackWalk", "(JIIII)Ljava/lang/Object;");
    let call = call.ok_or_else(|| Trap::Unsupported("stack walks of this JDK".into()))?;
    let class = m.class_of(walker);
    let call = m.select(class, call)?.id;
    let anchor = left as u64 + 1;
    let passed = vec![u64::from(walker), anchor, 0, skip as u64, n as u64, from as u64, (from + n) as u64];
    Ok(Answer::Call(call, passed, Role::Plain))
}

/// Goes on with a walk, from where it is.
fn fetch(
    m: &mut SharedView<'_, '_>,
    args: &[u64],
    anchor: u64,
    [len, from, array]: [u64; 3],
) -> Exec<Answer> {
    let [len, from] = [len, from].map(|count| int(count).max(0) as usize);
    let room = Room { array: required(array)?, from, len };
    let to = slot(m, WALKER, "anchor")?;
    let (n, _) = fill(m, (anchor as usize).saturating_sub(1), args[1], room, Some((args[0] as Ref, to)))?;
    give_int((from + n) as i32)
}
