//! Native methods of effect *shared* that access several things in one operation, each with the reason why
//! that is what the class library does. All others access one thing at a time; builds with assertions check
//! that.
//!
//! Methods on ranges of arrays are not here: they, and methods that read an array among their arguments, go
//! element by element where another thread can notice (see `native::apart`).

#[cfg(debug_assertions)]
use crate::vm::view::{Access, Place};

/// Methods, by how their names begin, and why their accesses are one operation.
pub const SEVERAL: &[(&str, &str)] = &[
    (
        "java/io/File",
        "a file's position is the operating system's and moves when the file is read; nothing else can be seen of it",
    ),
    (
        "java/io/PrintStream.",
        "text is printed under the lock of the stream, or by one call of the operating system",
    ),
    ("java/lang/Object.notify", "the monitor is held, so no other thread sees who waits in between"),
    (
        "java/lang/Object.wait",
        "entering the wait set and leaving the monitor are one operation by definition",
    ),
    ("java/lang/Shutdown.", "the process ends: no thread sees anything after that"),
    (
        "jdk/internal/misc/Unsafe.freeMemory0",
        "the operating system's allocator gives memory back at once; using it meanwhile is an error",
    ),
    ("jdk/internal/misc/Unsafe.reallocateMemory0", "likewise"),
    ("java/lang/StackFrameInfo.", "the object is new, and known to the running thread only"),
    ("java/lang/StackStreamFactory$", "the frames go into a buffer that belongs to the running thread"),
    ("java/lang/StackTraceElement.", "the elements are new, and known to the running thread only"),
    (
        "java/lang/Thread.",
        "what the virtual machine keeps of a thread changes at once; other threads ask for it by one method at a time",
    ),
    ("java/lang/ThreadGroup.", "the lock of the group is held, or the threads are those of one moment"),
    (
        "java/lang/Throwable.fillInStackTrace",
        "the lock of the exception is held, and those who read it take it too",
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer.",
        "a section of the simple class is one operation",
    ),
    ("java/util/concurrent/SimplePool.", "a section of the simple class is one operation"),
    ("sun/nio/ch/NioSocketImpl.", "an operation on a socket is the operating system's, and one operation"),
    ("java/util/zip/Inflater.", "the lock of the inflater is held"),
    (
        "jdk/internal/misc/Unsafe.park",
        "the permit is taken and the interrupt flag read while the thread runs on, or it waits",
    ),
    ("jdk/internal/misc/Unsafe.unpark", "the permit is the virtual machine's"),
];

/// Why a method that is named like this accesses several things in one operation; `None` if it must not.
#[must_use]
pub fn reason(name: &str) -> Option<&'static str> {
    SEVERAL.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|&(_, why)| why)
}

/// Checks that a method with this name has made one access, or may make several; see [`SEVERAL`].
#[cfg(debug_assertions)]
pub(super) fn check(accesses: &[Access], name: impl FnOnce() -> String) {
    // Notes that something must be in view are no accesses.
    let mut real = accesses.iter().filter(|access| access.place != Place::OBSERVATION);
    let Some(first) = real.next() else { return };
    if real.any(|other| (other.object, other.place.slot) != (first.object, first.place.slot)) {
        let name = name();
        let is_declared = reason(&name).is_some();
        assert!(is_declared, "{name} accesses several things at once, and does not say why: {accesses:?}");
    }
}
