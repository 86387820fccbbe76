//! Classes that can take the place of the class library's own: the same contract, in fewer steps.
//!
//! The locks, semaphores and latches of `java.util.concurrent` are made of one class, `AbstractQueuedSynchronizer`, which does without
//! locks itself: an acquire is some ten operations that others can get between, and most of a search goes into telling
//! their orders apart. `crates/java/library` has that class anew, with sections that are one operation each (`vm::section`). Its header says
//! why programs have the same outcomes on it. With `--jdk-locks` the original is used, and where a program has
//! locks of its own that extend it.
//!
//! The class files are made from the source by `cargo xtask java-api`, and the tests hold the two together.

/// The class files, by name.
pub const CLASSES: [(&str, &[u8]); 3] = [
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer",
        include_bytes!("../library/AbstractQueuedSynchronizer.class"),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject",
        include_bytes!("../library/AbstractQueuedSynchronizer$ConditionObject.class"),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer$Node",
        include_bytes!("../library/AbstractQueuedSynchronizer$Node.class"),
    ),
];

/// The class files of the network (see `network`), by name. They take the place of the library's, or are beside it.
pub const NETWORK: [(&str, &[u8]); 5] = [
    ("sun/nio/ch/NioSocketImpl", include_bytes!("../library/NioSocketImpl.class")),
    ("sun/nio/ch/NioSocketImpl$Input", include_bytes!("../library/NioSocketImpl$Input.class")),
    ("sun/nio/ch/NioSocketImpl$Output", include_bytes!("../library/NioSocketImpl$Output.class")),
    ("java/net/Names", include_bytes!("../library/Names.class")),
    ("java/net/Names$Ender", include_bytes!("../library/Names$Ender.class")),
];

/// The class files that begin the runners of JUnit 4 and 5 (see `test_class::runner`), by name. They are classes of the program.
pub const RUNNERS: [(&str, &[u8]); 4] = [
    ("allways/junit/NewRun", include_bytes!("../library/NewRun.class")),
    ("allways/junit/OldRun", include_bytes!("../library/OldRun.class")),
    ("allways/junit/OldRun$First", include_bytes!("../library/OldRun$First.class")),
    ("allways/junit/OldRun$Only", include_bytes!("../library/OldRun$Only.class")),
];

/// The bytes of a class that begins a runner.
#[must_use]
pub fn runner_class(name: &str) -> Option<&'static [u8]> {
    RUNNERS.iter().find(|&&(known, _)| known == name).map(|&(_, bytes)| bytes)
}

/// The bytes of a class of the network.
#[must_use]
pub fn network_class(name: &str) -> Option<&'static [u8]> {
    NETWORK.iter().find(|&&(known, _)| known == name).map(|&(_, bytes)| bytes)
}

/// Whether a method of a class is left out, so that the one it inherits is called: `ReentrantLock` tries to take a lock before it
/// asks `AbstractQueuedSynchronizer` for it, and both attempts are one operation in ours.
#[must_use]
pub fn is_left_out(class: &str, method: &str) -> bool {
    class == "java/util/concurrent/locks/ReentrantLock$Sync" && matches!(method, "lock" | "lockInterruptibly")
}

/// The bytes of a class that takes the place of another one.
#[must_use]
pub fn class(name: &str) -> Option<&'static [u8]> {
    CLASSES.iter().find(|&&(known, _)| known == name).map(|&(_, bytes)| bytes)
}
