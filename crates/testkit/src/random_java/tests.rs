//! What the litmus programs promise: classic programs have the outcomes that everybody knows, equal seeds
//! give equal programs of a useful size, and a real JVM does nothing that the reference does not allow.

use std::collections::{BTreeMap, BTreeSet};

use super::generate::store_buffering;
use super::{
    AtomicCall, Cmp, Feature, Form, Guard, Kind, MAX_STATES, Main, Monitor, Outcome, Place, Program, Stmt,
    Subject, Test, Thread, Value, generate, jvm, reference, shrink,
};

/// The seeds to run on a real JVM: `ALLWAYS_SEEDS=100..200`, or a hundred.
fn seeds() -> std::ops::Range<u64> {
    let text = std::env::var("ALLWAYS_SEEDS").unwrap_or_default();
    let bounds = text.split_once("..").and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    bounds.map_or(0..100, |(from, to)| from..to)
}

/// How often each is run there: `ALLWAYS_RUNS=100`, or a few times.
fn runs() -> u32 {
    std::env::var("ALLWAYS_RUNS").ok().and_then(|text| text.parse().ok()).unwrap_or(5)
}

fn thread(n_locals: usize, body: Vec<Stmt>) -> Thread {
    Thread { form: Form::Lambda, n_locals, body }
}

fn write(to: usize, value: i32) -> Stmt {
    Stmt::Write { to, value: Value::constant(value) }
}

fn read(to: usize, from: usize) -> Stmt {
    Stmt::Read { to, from }
}

fn shared(place: usize, cmp: Cmp, value: i32) -> Test {
    Test { subject: Subject::Shared(place), cmp, value }
}

fn sync(monitor: usize, body: Vec<Stmt>) -> Stmt {
    Stmt::Sync { monitor, body }
}

/// Holds the outcomes against `kind: output` lines; a deadlock of these programs prints nothing.
fn check(program: &Program, expected: &[&str]) {
    let found: BTreeSet<String> = program
        .outcomes()
        .expect("a small program")
        .into_iter()
        .map(|outcome| format!("{}: {}", outcome.kind.name(), outcome.output.trim_end().replace('\n', "|")))
        .collect();
    let expected: BTreeSet<String> = expected.iter().map(|text| (*text).to_string()).collect();
    assert_eq!(found, expected, "{}", program.java("Litmus"));
}

/// Programs with known outcomes.
fn classics() -> Vec<(Program, Vec<&'static str>)> {
    let two = |places: usize, first: Thread, second: Thread| Program {
        places: vec![Place::Volatile; places],
        threads: vec![first, second],
        ..Program::default()
    };
    let monitors = |n: usize, program: Program| Program { monitors: vec![Monitor::Plain; n], ..program };
    let bump = || thread(0, vec![Stmt::Increment(0)]);
    let dekker = |own, other| {
        let enter =
            Stmt::If { test: shared(other, Cmp::Eq, 0), then: vec![Stmt::Increment(2)], otherwise: vec![] };
        thread(0, vec![write(own, 1), enter])
    };
    let nested = |outer, inner| thread(0, vec![sync(outer, vec![sync(inner, vec![Stmt::Increment(0)])])]);
    let waiting = |guard| thread(0, vec![sync(0, vec![Stmt::Wait { monitor: 0, guard }])]);
    let notifying = |all| thread(0, vec![sync(0, vec![write(0, 1), Stmt::Notify { monitor: 0, all }])]);
    let unset = shared(0, Cmp::Eq, 0);
    let mut three = monitors(1, two(1, waiting(Guard::While(unset)), waiting(Guard::While(unset))));
    three.threads.push(notifying(false));
    let mut all = three.clone();
    all.threads[2] = notifying(true);
    vec![
        (
            store_buffering(),
            vec![
                "exit: end s0=1 s1=1 t0r0=0 t1r0=1",
                "exit: end s0=1 s1=1 t0r0=1 t1r0=0",
                "exit: end s0=1 s1=1 t0r0=1 t1r0=1",
            ],
        ),
        // Message passing: who sees the flag sees the data.
        (
            two(2, thread(0, vec![write(0, 1), write(1, 1)]), thread(2, vec![read(0, 1), read(1, 0)])),
            vec![
                "exit: end v0=1 v1=1 t1r0=0 t1r1=0",
                "exit: end v0=1 v1=1 t1r0=0 t1r1=1",
                "exit: end v0=1 v1=1 t1r0=1 t1r1=1",
            ],
        ),
        // A lost update, and none under a monitor.
        (two(1, bump(), bump()), vec!["exit: end v0=1", "exit: end v0=2"]),
        (
            monitors(
                1,
                two(
                    1,
                    thread(0, vec![sync(0, vec![Stmt::Increment(0)])]),
                    thread(0, vec![sync(0, vec![Stmt::Increment(0)])]),
                ),
            ),
            vec!["exit: end v0=2"],
        ),
        // Dekker: never both inside.
        (two(3, dekker(0, 1), dekker(1, 0)), vec!["exit: end v0=1 v1=1 v2=0", "exit: end v0=1 v1=1 v2=1"]),
        // Two locks in both orders, and in one.
        (monitors(2, two(1, nested(0, 1), nested(1, 0))), vec!["deadlock: ", "exit: end v0=2"]),
        (monitors(2, two(1, nested(0, 1), nested(0, 1))), vec!["exit: end v0=2"]),
        // A notification that comes before the wait is lost, unless a test guards the wait.
        (monitors(1, two(1, waiting(Guard::Naked), notifying(false))), vec!["deadlock: ", "exit: end v0=1"]),
        (monitors(1, two(1, waiting(Guard::While(unset)), notifying(false))), vec!["exit: end v0=1"]),
        // One notification, two waiters: one of them may stay.
        (three, vec!["deadlock: ", "exit: end v0=1"]),
        (all, vec!["exit: end v0=1"]),
    ]
}

#[test]
fn classic_programs_have_their_known_outcomes() {
    for (program, expected) in classics() {
        check(&program, &expected);
    }
}

/// Programs in which threads die.
#[test]
fn exceptions_release_what_is_held_and_name_the_run() {
    let base = Program {
        places: vec![Place::Static],
        monitors: vec![Monitor::Plain],
        locks: vec![false],
        ..Program::default()
    };
    let dies = |stmt: Stmt| thread(1, vec![sync(0, vec![Stmt::Locked { lock: 0, body: vec![stmt] }])]);
    let works = || thread(0, vec![sync(0, vec![Stmt::Locked { lock: 0, body: vec![write(0, 1)] }])]);
    let throws = Program { threads: vec![dies(Stmt::Throw { call: false }), works()], ..base.clone() };
    check(&throws, &["exception: end s0=1 t0r0=-1"]);
    let asserts =
        Program { threads: vec![dies(Stmt::Assert(shared(0, Cmp::Eq, 1))), works()], ..base.clone() };
    check(&asserts, &["assertion: end s0=1 t0r0=-1", "exit: end s0=1 t0r0=0"]);
    // Both die: the first counts. The order of the deaths is not that of the blocks.
    let both = Program {
        threads: vec![dies(Stmt::Throw { call: true }), dies(Stmt::Assert(shared(0, Cmp::Eq, 1)))],
        ..base.clone()
    };
    check(&both, &["assertion: end s0=0 t0r0=-1 t1r0=-1", "exception: end s0=0 t0r0=-1 t1r0=-1"]);
    // An exception and then a deadlock: the exception has the name. Without the monitor, wait throws.
    let wait = Stmt::Wait { monitor: 0, guard: Guard::Naked };
    let stuck = Program {
        threads: vec![dies(Stmt::Divide { to: 0, by: 0 }), thread(0, vec![sync(0, vec![wait.clone()])])],
        ..base.clone()
    };
    check(&stuck, &["exception: "]);
    let stranger = Program { threads: vec![thread(0, vec![wait])], ..base.clone() };
    check(&stranger, &["exception: end s0=0"]);
    // A catch of RuntimeException lets an AssertionError through; the loop around it starts afresh.
    let failing = |all| Stmt::Repeat {
        times: 2,
        body: vec![Stmt::Try {
            body: vec![Stmt::Repeat {
                times: 2,
                body: vec![Stmt::Increment(0), Stmt::Assert(shared(0, Cmp::Eq, 9))],
            }],
            all,
            handler: vec![Stmt::Set { to: 0, value: Value::local(0, 10) }],
        }],
    };
    let caught = Program { threads: vec![thread(1, vec![failing(true), Stmt::Print(0)])], ..base.clone() };
    check(&caught, &["exit: t0 20|end s0=2 t0r0=20"]);
    let missed = Program { threads: vec![thread(1, vec![failing(false)])], ..base.clone() };
    check(&missed, &["assertion: end s0=1 t0r0=-1"]);
    // Main dies and prints nothing; a thread that it has joined died before it.
    let main = Main { n_locals: 0, beside: vec![], after: vec![Stmt::Assert(shared(0, Cmp::Eq, 9))] };
    let alone = Program { threads: vec![works()], main, ..base };
    check(&alone, &["assertion: "]);
    check(&Program { threads: vec![dies(Stmt::Throw { call: true })], ..alone }, &["exception: "]);
}

#[test]
fn wait_gives_up_one_monitor_and_any_waiter_is_told() {
    let wait = || Stmt::Wait { monitor: 0, guard: Guard::Naked };
    let notify = || sync(0, vec![Stmt::Notify { monitor: 0, all: false }]);
    let base = Program { monitors: vec![Monitor::Plain, Monitor::Class], ..Program::default() };
    // Two wait, one is told: the first or the second, whichever of the threads that was.
    let count = Stmt::Write { to: 0, value: Value::local(0, 1) };
    let waiter = || thread(1, vec![sync(0, vec![read(0, 0), count.clone(), wait(), Stmt::Print(0)])]);
    let told = Stmt::If { test: shared(0, Cmp::Eq, 2), then: vec![notify()], otherwise: vec![] };
    let one_of_two = Program {
        places: vec![Place::Volatile],
        threads: vec![waiter(), waiter(), thread(0, vec![told])],
        ..base.clone()
    };
    check(
        &one_of_two,
        &["deadlock: ", "deadlock: t0 0", "deadlock: t0 1", "deadlock: t1 0", "deadlock: t1 1"],
    );
    // Entered twice, left twice; had back twice, so that nobody comes between the two exits.
    let twice = Program {
        places: vec![Place::Static],
        threads: vec![
            thread(0, vec![sync(0, vec![sync(0, vec![wait()]), write(0, 1), write(0, 2)])]),
            thread(1, vec![notify(), sync(0, vec![read(0, 0)])]),
        ],
        ..base.clone()
    };
    check(&twice, &["deadlock: ", "exit: end s0=2 t1r0=0", "exit: end s0=2 t1r0=2"]);
    // The other monitor is kept, and whoever needs it to notify never comes so far.
    let kept = Program {
        threads: vec![
            thread(0, vec![sync(1, vec![sync(0, vec![wait()])])]),
            thread(0, vec![sync(1, vec![notify()])]),
        ],
        ..base
    };
    check(&kept, &["deadlock: "]);
}

#[test]
fn locks_and_atomics() {
    let try_lock = || {
        let (body, otherwise) =
            (vec![Stmt::Increment(0)], vec![Stmt::Set { to: 0, value: Value::constant(1) }]);
        thread(1, vec![Stmt::TryLocked { lock: 0, body, otherwise }])
    };
    let base =
        Program { places: vec![Place::Static], locks: vec![false], n_atomics: 1, ..Program::default() };
    check(
        &Program { threads: vec![try_lock(), try_lock()], ..base.clone() },
        &[
            "exit: end s0=2 atom0=0 t0r0=0 t1r0=0",
            "exit: end s0=1 atom0=0 t0r0=1 t1r0=0",
            "exit: end s0=1 atom0=0 t0r0=0 t1r0=1",
        ],
    );
    let again = thread(1, vec![Stmt::Locked { lock: 0, body: try_lock().body }]);
    check(&Program { threads: vec![again], ..base.clone() }, &["exit: end s0=1 atom0=0 t0r0=0"]);
    let take = || thread(1, vec![Stmt::Atomic { atomic: 0, call: AtomicCall::GetAndIncrement { to: 0 } }]);
    check(
        &Program { threads: vec![take(), take()], ..base.clone() },
        &["exit: end s0=0 atom0=2 t0r0=0 t1r0=1", "exit: end s0=0 atom0=2 t0r0=1 t1r0=0"],
    );
    let swap = |value| {
        let call =
            AtomicCall::CompareAndSet { to: 0, expect: Value::constant(0), value: Value::constant(value) };
        thread(1, vec![Stmt::Atomic { atomic: 0, call }])
    };
    check(
        &Program { threads: vec![swap(1), swap(2)], ..base },
        &["exit: end s0=0 atom0=1 t0r0=1 t1r0=0", "exit: end s0=0 atom0=2 t0r0=0 t1r0=1"],
    );
}

#[test]
fn equal_seeds_give_equal_programs() {
    for seed in 0..50 {
        let (program, again) = (generate(seed), generate(seed));
        assert_eq!(program, again);
        assert_eq!(program.java("Litmus"), again.java("Litmus"));
    }
    assert_ne!(generate(1), generate(2));
}

#[test]
fn programs_are_of_a_useful_size() {
    let n_seeds = 2000;
    let (mut n_fallback, mut n_single, mut n_deadlock, mut n_failure) = (0, 0, 0, 0);
    let mut sizes = Vec::new();
    let mut counts = Vec::new();
    let mut features: BTreeMap<Feature, usize> = BTreeMap::new();
    for seed in 0..n_seeds {
        let program = generate(seed);
        let found = reference::explore(&program, MAX_STATES).expect("the generator keeps to the bound");
        n_fallback += usize::from(program == store_buffering());
        n_single += usize::from(found.outcomes.len() == 1);
        let has = |kind| found.outcomes.iter().any(|outcome| outcome.kind == kind);
        n_deadlock += usize::from(has(Kind::Deadlock));
        n_failure += usize::from(has(Kind::Assertion) || has(Kind::Exception));
        sizes.push(found.n_states);
        counts.push(found.outcomes.len());
        for feature in program.features() {
            *features.entry(feature).or_default() += 1;
        }
    }
    sizes.sort_unstable();
    counts.sort_unstable();
    let at = |sorted: &[usize], percent: usize| sorted[(sorted.len() - 1) * percent / 100];
    for percent in [0, 10, 50, 90, 100] {
        println!("{percent}%: {} states, {} outcomes", at(&sizes, percent), at(&counts, percent));
    }
    println!("{n_fallback} fallback, {n_single} single, {n_deadlock} deadlock, {n_failure} failure");
    println!("{features:?}");
    let n_seeds = n_seeds as usize;
    assert!(n_fallback * 100 < n_seeds, "{n_fallback} seeds gave no program of their own");
    assert!(n_single * 10 < n_seeds, "{n_single} programs end in one way");
    assert!((n_seeds * 15 / 100..n_seeds * 40 / 100).contains(&n_deadlock), "{n_deadlock} deadlock");
    let unused: Vec<_> = Feature::ALL.iter().filter(|feature| !features.contains_key(feature)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn shrinking_keeps_what_fails_and_drops_the_rest() {
    let deadlocks = |program: &Program| {
        program.outcomes().is_some_and(|found| found.iter().any(|outcome| outcome.kind == Kind::Deadlock))
    };
    let program = (0..).map(generate).find(|program| deadlocks(program)).expect("some seed");
    let small = shrink(&program, deadlocks);
    assert!(deadlocks(&small));
    assert_eq!(shrink(&small, deadlocks), small);
}

#[test]
fn a_real_jvm_does_only_what_the_reference_allows() {
    if !jvm::installed() {
        eprintln!("skipped: java and javac are not installed");
        return;
    }
    let mut programs: BTreeMap<String, Program> =
        seeds().map(|seed| (jvm::class_name(seed), generate(seed).strict())).collect();
    for (idx, (program, _)) in classics().into_iter().enumerate() {
        programs.insert(format!("Classic{idx}"), program.strict());
    }
    // Plain fields and arrays are compiled, but run only where memory is sequentially consistent.
    let plain = seeds().map(|seed| (format!("Plain{seed}"), generate(seed))).collect();
    let seen = jvm::run(&programs, &plain, runs()).expect("javac and java work");
    let (mut n_seen, mut n_allowed) = (0, 0);
    for (name, runs) in seen {
        let allowed = programs[&name].outcomes().expect("a generated program");
        let runs: BTreeSet<Outcome> = runs.into_iter().collect();
        for missing in allowed.difference(&runs) {
            println!("{name} never showed {missing:?}");
        }
        n_seen += runs.len();
        n_allowed += allowed.len();
        for outcome in runs {
            assert!(allowed.contains(&outcome), "{name}: {outcome:?}\n{}", programs[&name].java(&name));
        }
    }
    println!("{} programs showed {n_seen} of {n_allowed} outcomes", programs.len());
}
