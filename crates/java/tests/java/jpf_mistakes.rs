//! What Java PathFinder (its branch for Java 17) answers wrongly, or not at all, is answered rightly here.
//! Each program says what is right in its first lines.

use crate::compile;
use crate::contracts::{cases, differences};
use allways_java::Options;

/// The programs and what Java PathFinder makes of programs of their kind.
const MISTAKES: &[(&str, &str)] = &[
    ("MethodReference", "prints [B@43977 for Integer::parseInt of \"4\""),
    ("RecordPrinted", "prints nothing, and reports no error"),
    ("RecordChecked", "ends silently where the record is used, so it sees no error behind it"),
    ("QueueHandsOver", "IllegalMonitorStateException in ArrayBlockingQueue, where there is none"),
    ("ConditionWakes", "IllegalMonitorStateException in Condition, where there is none"),
    ("LockPhilosophers", "no error: its ReentrantLock is never preempted, so the deadlock is missed"),
    ("NotifyIsEnough", "a deadlock of two producers and two consumers with two places, which cannot be"),
    ("NotifyIsTooLittle", "the deadlock, rightly; it must not be lost with the false one"),
    ("MapOfObjects", "ends with a NullPointerException of its own"),
    ("FutureValue", "NoSuchMethodError: VarHandle.weakCompareAndSet in FutureTask"),
    ("StreamJoined", "NoSuchMethodError: System$2.join"),
    ("HandleOfField", "NoSuchMethodError: VarHandle.getVolatile"),
    ("AtomicLongs", "NoSuchMethodError: AtomicLong.addAndGet, getAndIncrement"),
    ("StringsOfLater", "NoSuchMethodError: String.strip"),
    ("LockFreeHandsOver", "NoSuchMethodError: VarHandle.setRelease in ConcurrentLinkedQueue"),
    ("PoolEnds", "NoSuchMethodException: Reference.reachabilityFence"),
    ("ThreadOwnRandom", "NoSuchMethodException: ThreadLocalRandom.getProbe"),
    ("LoggedLine", "NoSuchMethodException: a constructor of Thread"),
    ("OpensSocket", "NoSuchMethodError; with jpf-nas the connection is never accepted, as it has no backlog"),
    ("ReadsFile", "IllegalArgumentException: Null charset name, likewise"),
];

#[test]
fn what_java_pathfinder_gets_wrong_is_right_here() {
    let (cases, files) = cases("mistakes");
    let classes = compile::directory("mistakes");
    compile::javac(&files, &classes);
    for case in &cases {
        let known = MISTAKES.iter().any(|(class, _)| *class == case.class);
        assert!(known, "nothing is said about {}", case.class);
    }
    let wrong = differences(&cases, &classes, "", 60_000, Options::default());
    let told = wrong.iter().map(|difference| {
        let said = MISTAKES.iter().find(|(class, _)| difference.starts_with(&format!("{class}:")));
        format!("{difference}; Java PathFinder: {}", said.map_or("", |mistake| mistake.1))
    });
    assert!(wrong.is_empty(), "{}", told.collect::<Vec<_>>().join("\n"));
    assert_eq!(cases.len(), MISTAKES.len(), "a mistake is listed that has no program");
}
