//! `java.lang.StackWalker`. A walk is over the frames of the running thread; where it is now is a field of the walker, the
//! number of frames that are still to come plus one.

use super::{Answer, Table, give_bool, give_int, give_ref, int, required, yes};
use crate::class::{Method, MethodId};
use crate::vm::heap::{Data, Object, Ref};
use crate::vm::machine::{Exec, Machine, Trap};
use crate::vm::thread::Role;

const WALKER: &str = "java/lang/StackStreamFactory$AbstractStackWalker";
const INFO: &str = "java/lang/StackFrameInfo";

/// The entries.
pub const TABLE: Table = &[
    ("java/lang/StackStreamFactory.checkStackWalkModes()Z", yes),
    (
        "java/lang/StackStreamFactory$AbstractStackWalker.callStackWalk(JIII[Ljava/lang/Object;)Ljava/lang/Object;",
        |m, args| walk(m, args, args[1], [args[3], args[4], args[5], args[6]]),
    ),
    (
        // Of JDK 21.
        "java/lang/StackStreamFactory$AbstractStackWalker.callStackWalk(JILjdk/internal/vm/ContinuationScope;Ljdk/internal/vm/Continuation;II[Ljava/lang/Object;)Ljava/lang/Object;",
        |m, args| walk(m, args, args[1], [args[3], args[6], args[7], args[8]]),
    ),
    (
        // Of JDK 25.
        "java/lang/StackStreamFactory$AbstractStackWalker.callStackWalk(IILjdk/internal/vm/ContinuationScope;Ljdk/internal/vm/Continuation;II[Ljava/lang/Object;)Ljava/lang/Object;",
        |m, args| walk(m, args, args[1], [args[2], args[5], args[6], args[7]]),
    ),
    (
        "java/lang/StackStreamFactory$AbstractStackWalker.fetchStackFrames(JJII[Ljava/lang/Object;)I",
        |m, args| fetch(m, args, args[3], [args[5], args[6], args[7]]),
    ),
    (
        "java/lang/StackStreamFactory$AbstractStackWalker.fetchStackFrames(JJIII[Ljava/lang/Object;)I",
        |m, args| fetch(m, args, args[3], [args[6], args[7], args[8]]),
    ),
    (
        "java/lang/StackStreamFactory$AbstractStackWalker.fetchStackFrames(IJIII[Ljava/lang/Object;)I",
        |m, args| fetch(m, args, args[2], [args[5], args[6], args[7]]),
    ),
    ("java/lang/StackFrameInfo.<init>(Ljava/lang/StackWalker;)V", |m, args| {
        // Since JDK 25 its superclass does that, in its own code.
        let Some(to) = m.vm.classes.slot(INFO, "retainClassRef") else { return Ok(Answer::Bytecode) };
        let retain = slot(m, "java/lang/StackWalker", "retainClassRef")?;
        let value = m.process.heap.slot(required(args[1])?, retain);
        m.process.heap.set_slot(args[0] as Ref, to, value);
        Ok(Answer::Void)
    }),
    ("java/lang/StackFrameInfo.declaringClass()Ljava/lang/Class;", |m, args| {
        let class = noted(m, args[0] as Ref)?.0.class;
        give_ref(m.vm.mirror(class))
    }),
    ("java/lang/StackFrameInfo.getMethodName()Ljava/lang/String;", |m, args| {
        let name = noted(m, args[0] as Ref)?.0.name;
        give_ref(m.vm.literal_str(m.vm.classes.symbols.text(name)))
    }),
    ("java/lang/StackFrameInfo.getDescriptor()Ljava/lang/String;", |m, args| {
        let descriptor = noted(m, args[0] as Ref)?.0.descriptor;
        give_ref(m.vm.literal_str(m.vm.classes.symbols.text(descriptor)))
    }),
    ("java/lang/StackFrameInfo.getByteCodeIndex()I", |m, args| {
        let (method, pc) = noted(m, args[0] as Ref)?;
        give_int(if method.is_native() { -1 } else { pc as i32 })
    }),
    ("java/lang/StackFrameInfo.isNativeMethod()Z", |m, args| {
        give_bool(noted(m, args[0] as Ref)?.0.is_native())
    }),
    (
        "java/lang/StackTraceElement.initStackTraceElement(Ljava/lang/StackTraceElement;Ljava/lang/StackFrameInfo;)V",
        |m, args| {
            let (method, pc) = noted(m, required(args[1])?)?;
            super::lang::fill_element(m, args[0] as Ref, method.id, pc);
            Ok(Answer::Void)
        },
    ),
];

fn slot(m: &Machine<'_>, class: &str, field: &str) -> Exec<u32> {
    m.vm.classes.slot(class, field).ok_or_else(|| Trap::Unsupported(format!("a {class} without {field}")))
}

/// The field of a frame object that says what it is about.
fn note_slot(m: &Machine<'_>) -> Exec<u32> {
    let slot_now = || slot(m, "java/lang/ClassFrameInfo", "classOrMemberName");
    m.vm.classes.slot(INFO, "memberName").map_or_else(slot_now, Ok)
}

/// The method and place that a frame object is about.
fn noted<'vm>(m: &Machine<'vm>, info: Ref) -> Exec<(&'vm Method, u32)> {
    let note = m.process.heap.slot(info, note_slot(m)?) as Ref;
    let Some(Data::Bytes(bytes)) = (note != 0).then(|| &m.process.heap.get(note).data) else {
        return Err(Trap::Unsupported("a stack frame that no walk gave".into()));
    };
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    Ok((m.vm.classes.method(MethodId(word(0))), word(4)))
}

/// Fills the array of a walker with the frames below the first `left`; how many, and how many frames are left then.
fn fill(
    m: &mut Machine<'_>,
    left: usize,
    mode: u64,
    len: usize,
    array: Ref,
    from: usize,
) -> Exec<(usize, usize)> {
    const CLASSES_ONLY: u64 = 2;
    let mut found = Vec::new();
    let mut left = left;
    while left > 0 && found.len() < len {
        left -= 1;
        let frame = m.thread().frames[left];
        if m.is_walked(frame.method) {
            found.push((frame.method, frame.pc));
        }
    }
    for (idx, &(method, pc)) in found.iter().enumerate() {
        let info = match &m.process.heap.get(array).data {
            Data::Refs(refs) => refs[from + idx],
            _ => 0,
        };
        if mode & CLASSES_ONLY != 0 {
            let mirror = m.vm.mirror(method.class);
            match m.vm.classes.slot("java/lang/ClassFrameInfo", "classOrMemberName") {
                Some(to) if info != 0 => m.set_ref(info, to, mirror),
                _ => {
                    if let Data::Refs(refs) = &mut m.process.heap.get_mut(array).data {
                        refs[from + idx] = mirror;
                    }
                }
            }
            continue;
        }
        if info == 0 {
            return Err(Trap::Unsupported("a stack walk into empty frames".into()));
        }
        let bytes: Vec<u8> = method.id.0.to_le_bytes().into_iter().chain(pc.to_le_bytes()).collect();
        let class = m.vm.known().int_array;
        let note = m.process.heap.push(Object::new(class, Data::Bytes(bytes.into())));
        let to = note_slot(m)?;
        m.set_ref(info, to, note);
    }
    Ok((found.len(), left))
}

impl Machine<'_> {
    /// Whether a frame is one that programs are shown.
    fn is_walked(&self, method: &Method) -> bool {
        let name = self.vm.classes.name(method.class);
        let is_made =
            method.flags & crate::class::flags::SYNTHETIC != 0 && self.vm.class(method.class).file.is_none();
        let is_call =
            name == "java/lang/reflect/Method" && &**self.vm.classes.symbols.text(method.name) == "invoke";
        let is_hidden = is_made || is_call || name.starts_with("jdk/internal/reflect/");
        !is_hidden && !self.vm.natives.is_made(method.id)
    }
}

/// Begins a walk: how, and how many frames to skip, how many to give at a time, from which index on, in which array.
fn walk(m: &mut Machine<'_>, args: &[u64], mode: u64, [skip, len, from, array]: [u64; 4]) -> Exec<Answer> {
    let [skip, len, from] = [skip, len, from].map(|count| int(count).max(0) as usize);
    let array = required(array)?;
    let frames = &m.thread().frames;
    let mut left = frames.len();
    while left > 0 {
        let name = m.vm.classes.name(frames[left - 1].method.class);
        if name != "java/lang/StackWalker" && !name.starts_with("java/lang/StackStreamFactory") {
            break;
        }
        left -= 1;
    }
    let (n, left) = fill(m, left.saturating_sub(skip), mode, len, array, from)?;
    let walker = args[0] as Ref;
    let call = m.vm.classes.find_method(WALKER, "doStackWalk", "(JIIII)Ljava/lang/Object;");
    let call = call.ok_or_else(|| Trap::Unsupported("stack walks of this JDK".into()))?;
    let call = m.select(m.process.heap.get(walker).class, call)?.id;
    let anchor = left as u64 + 1;
    let passed = vec![u64::from(walker), anchor, 0, skip as u64, n as u64, from as u64, (from + n) as u64];
    Ok(Answer::Call(call, passed, Role::Plain))
}

/// Goes on with a walk, from where it is.
fn fetch(m: &mut Machine<'_>, args: &[u64], anchor: u64, [len, from, array]: [u64; 3]) -> Exec<Answer> {
    let [len, from] = [len, from].map(|count| int(count).max(0) as usize);
    let (n, left) = fill(m, (anchor as usize).saturating_sub(1), args[1], len, required(array)?, from)?;
    let to = slot(m, WALKER, "anchor")?;
    m.process.heap.set_slot(args[0] as Ref, to, left as u64 + 1);
    give_int((from + n) as i32)
}
