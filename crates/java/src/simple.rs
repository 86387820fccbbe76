//! Classes that can take the place of the class library's own: the same contract, in fewer steps.
//!
//! The locks, semaphores and latches of `java.util.concurrent` are made of one class,
//! `AbstractQueuedSynchronizer`, which does without locks itself: an acquire is some ten operations that
//! others can get between, and most of a search goes into telling their orders apart. `crates/java/library`
//! has that class anew, with sections that are one operation each (`vm::section`). Its header says why
//! programs have the same outcomes on it. With `--jdk-locks` the original is used, and where a program has
//! locks of its own that extend it.
//!
//! Pools that `Executors` makes are of a class of ours in the same way, which extends `ThreadPoolExecutor`
//! and leaves to it what is rare.
//!
//! The class files are made from the source by `cargo xtask java-api`, and the tests hold the two together.

/// The class of the pools that `FACTORY` makes, in place of `ORIGINAL_POOL`.
pub const POOL: &str = "java/util/concurrent/SimplePool";
const FACTORY: &str = "java/util/concurrent/Executors";
const ORIGINAL_POOL: &str = "java/util/concurrent/ThreadPoolExecutor";

/// The class files, by name.
pub const CLASSES: [(&str, &[u8]); 6] = [
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
    (POOL, include_bytes!("../library/SimplePool.class")),
    ("java/util/concurrent/SimplePool$Task", include_bytes!("../library/SimplePool$Task.class")),
    ("java/util/concurrent/SimplePool$Worker", include_bytes!("../library/SimplePool$Worker.class")),
];

/// The class files of the network (see `network`), by name. They take the place of the library's, or are
/// beside it.
pub const NETWORK: [(&str, &[u8]); 5] = [
    ("sun/nio/ch/NioSocketImpl", include_bytes!("../library/NioSocketImpl.class")),
    ("sun/nio/ch/NioSocketImpl$Input", include_bytes!("../library/NioSocketImpl$Input.class")),
    ("sun/nio/ch/NioSocketImpl$Output", include_bytes!("../library/NioSocketImpl$Output.class")),
    ("java/net/Names", include_bytes!("../library/Names.class")),
    ("java/net/Names$Ender", include_bytes!("../library/Names$Ender.class")),
];

/// The class files that begin the runners of JUnit 4 and 5 (see `test_class::runner`), by name. They are
/// classes of the program.
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

/// Whether a method of a class is left out, so that the one it inherits is called: `ReentrantLock` tries to
/// take a lock before it asks `AbstractQueuedSynchronizer` for it, and both attempts are one operation in
/// ours.
#[must_use]
pub fn is_left_out(class: &str, method: &str) -> bool {
    class == "java/util/concurrent/locks/ReentrantLock$Sync" && matches!(method, "lock" | "lockInterruptibly")
}

/// The bytes of a class that takes the place of another one.
#[must_use]
pub fn class(name: &str) -> Option<&'static [u8]> {
    CLASSES.iter().find(|&&(known, _)| known == name).map(|&(_, bytes)| bytes)
}

/// The bytes of a class of the class library, where the classes above are used: the factory of pools makes
/// ours. It names the original once, where it makes one.
#[must_use]
pub fn adapted(name: &str, bytes: Vec<u8>) -> Vec<u8> {
    if name != FACTORY {
        return bytes;
    }
    let constant = |text: &str| [&[1][..], &(text.len() as u16).to_be_bytes(), text.as_bytes()].concat();
    let (original, ours) = (constant(ORIGINAL_POOL), constant(POOL));
    match bytes.windows(original.len()).position(|window| window == original) {
        Some(at) => [&bytes[..at], &ours, &bytes[at + original.len()..]].concat(),
        None => bytes,
    }
}
