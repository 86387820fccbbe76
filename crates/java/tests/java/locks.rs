//! The class that takes the place of `AbstractQueuedSynchronizer`: what programs on it can do is what they
//! can do on the class library's own. Random programs with locks of all kinds have the same outcomes on both
//! (`litmus` compares more), and programs for the contracts of `java.util.concurrent` keep them on both.

use crate::litmus::{Searched, outcomes};
use crate::{compile, concurrent, contracts};
use allways_java::{ClassPath, Options, Program, Setup, simple};
use allways_search::{StoreKind, Strategy};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn on_jdk_locks() -> Options {
    Options { jdk_locks: true, ..Options::default() }
}

#[test]
fn contracts_are_kept_on_the_jdks_locks() {
    contracts::check("", 60_000, on_jdk_locks());
}

#[test]
fn verdicts_and_outputs_are_the_same_on_the_jdks_locks() {
    concurrent::check(on_jdk_locks());
}

/// `cargo test --release -p allways-java --test java -- --ignored large_contracts --nocapture`
#[test]
#[ignore = "takes minutes; smaller programs for each class are searched always"]
fn large_contracts_are_kept_on_the_jdks_locks() {
    contracts::check("large", 5_000_000, on_jdk_locks());
    contracts::check("endless", 100_000, on_jdk_locks());
}

/// Pseudo-random numbers.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % n
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

/// The programs of this seed and later ones wait with time limits.
const FIRST_TIMED: u64 = 1_000_000;

/// What a thread may do with a lock, a semaphore, a latch or another thread. `T` stands for the number of the
/// thread, `O` for another one's.
const STATEMENTS: &[&str] = &[
    "l.lock(); log(T); l.unlock();",
    "l.lock(); log(T); l.unlock();",
    "l.lock(); l.lock(); l.unlock(); log(T); l.unlock();",
    "if (l.tryLock()) { log(T); l.unlock(); } else { say(T, 'n'); }",
    "try { l.lockInterruptibly(); log(T); l.unlock(); } catch (InterruptedException e) { say(T, 'i'); }",
    "try { if (l.tryLock(1, TimeUnit.SECONDS)) { log(T); l.unlock(); } else { say(T, 'l'); } } catch (InterruptedException e) { say(T, 'i'); }",
    "l.lock(); ready = true; c.signal(); log(T); l.unlock();",
    "l.lock(); ready = true; c.signalAll(); l.unlock();",
    "l.lock(); try { if (!ready) { c.await(); } say(T, 'w'); } catch (InterruptedException e) { say(T, 'i'); } log(T); l.unlock();",
    "l.lock(); try { c.await(); say(T, 'w'); } catch (InterruptedException e) { say(T, 'i'); } l.unlock();",
    "l.lock(); try { say(T, c.await(1, TimeUnit.SECONDS) ? 'w' : 'l'); } catch (InterruptedException e) { say(T, 'i'); } log(T); l.unlock();",
    "l.lock(); c.awaitUninterruptibly(); log(T); l.unlock();",
    "s.acquireUninterruptibly(); log(T); s.release();",
    "try { s.acquire(); log(T); s.release(); } catch (InterruptedException e) { say(T, 'i'); }",
    "if (s.tryAcquire()) { log(T); s.release(); } else { say(T, 'n'); }",
    "s.release(); log(T);",
    "s.acquireUninterruptibly(2); log(T); s.release(2);",
    "w.writeLock().lock(); log(T); w.writeLock().unlock();",
    "w.readLock().lock(); say(T, (char) ('0' + x)); w.readLock().unlock();",
    "d.countDown(); log(T);",
    "try { d.await(); log(T); } catch (InterruptedException e) { say(T, 'i'); }",
    "t[O].interrupt();",
    "t[O].interrupt();",
    "if (Thread.interrupted()) { say(T, 'f'); }",
    "log(T);",
];

/// What only programs do that can tell whether another thread waits.
const OBSERVING: &[&str] = &[
    "if (l.hasQueuedThreads()) { say(T, 'q'); }",
    "say(T, (char) ('a' + l.getQueueLength()));",
    "LockSupport.park(); say(T, 'p');",
    "LockSupport.unpark(t[O]);",
    "if (t[O].isInterrupted()) { say(T, 'o'); }",
    "if (t[O].getState() == Thread.State.WAITING) { say(T, 's'); }",
    "try { if (f.tryLock(0, TimeUnit.SECONDS)) { log(T); f.unlock(); } else { say(T, 'n'); } } catch (InterruptedException e) { say(T, 'i'); }",
    "f.lock(); log(T); f.unlock();",
    "s.acquireUninterruptibly(2); s.release();",
    "try { if (w.readLock().tryLock(0, TimeUnit.SECONDS)) { w.readLock().unlock(); } else { say(T, 'n'); } } catch (InterruptedException e) { say(T, 'i'); }",
];

/// Waits with a time limit, what ends them early, and readings of the clock.
const TIMED: &[&str] = &[
    "try { say(T, l.tryLock(1, TimeUnit.SECONDS) ? 't' : 'l'); } catch (InterruptedException e) { say(T, 'i'); } if (l.isHeldByCurrentThread()) { log(T); l.unlock(); }",
    "l.lock(); try { say(T, c.await(1, TimeUnit.SECONDS) ? 'w' : 'l'); } catch (InterruptedException e) { say(T, 'i'); } log(T); l.unlock();",
    "l.lock(); try { say(T, c.awaitNanos(1_000_000_000L) > 0 ? 'w' : 'l'); } catch (InterruptedException e) { say(T, 'i'); } log(T); l.unlock();",
    "try { say(T, f.tryLock(1, TimeUnit.SECONDS) ? 't' : 'l'); } catch (InterruptedException e) { say(T, 'i'); } if (f.isHeldByCurrentThread()) { log(T); f.unlock(); }",
    "try { say(T, d.await(1, TimeUnit.SECONDS) ? 'd' : 'l'); } catch (InterruptedException e) { say(T, 'i'); }",
    "try { say(T, (char) ('0' + task.get(1, TimeUnit.SECONDS))); } catch (InterruptedException e) { say(T, 'i'); } catch (Exception e) { say(T, 'l'); }",
    "try { say(T, q.poll(1, TimeUnit.SECONDS) == null ? 'l' : 'q'); } catch (InterruptedException e) { say(T, 'i'); }",
    "try { say(T, q.offer(\"\", 1, TimeUnit.SECONDS) ? 'o' : 'l'); } catch (InterruptedException e) { say(T, 'i'); }",
    "say(T, q.offer(\"\") ? 'o' : 'n');",
    "task.run(); log(T);",
    "l.lock(); ready = true; c.signal(); log(T); l.unlock();",
    "f.lock(); log(T); f.unlock();",
    "d.countDown(); log(T);",
    "t[O].interrupt();",
    "LockSupport.unpark(t[O]);",
    "LockSupport.unpark(t[O]); log(T);",
    "LockSupport.parkNanos(1); log(T);",
    "say(T, System.nanoTime() - began < 500_000_000L ? 'y' : 'o');",
    "{ long before = System.nanoTime(); log(T); say(T, System.nanoTime() == before ? 's' : 'p'); }",
];

/// A program of two threads, and a third one now and then, with two or three statements each.
fn program(seed: u64) -> String {
    let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    draw.below(2);
    let n_threads = 2 + u64::from(draw.below(4) == 0);
    // A few kinds of statements a program, so that they meet.
    let mut kinds: Vec<&str> = (0..3).map(|_| draw.one_of(STATEMENTS)).collect();
    if seed >= FIRST_TIMED {
        kinds = (0..4).map(|_| draw.one_of(TIMED)).collect();
    } else if draw.below(3) == 0 {
        kinds[0] = draw.one_of(OBSERVING);
    }
    let mut text = format!(
        "import java.util.concurrent.*; import java.util.concurrent.locks.*;
public class Locks{seed} {{
    static final ReentrantLock l = new ReentrantLock(), f = new ReentrantLock(true);
    static final Condition c = l.newCondition();
    static final Semaphore s = new Semaphore({});
    static final ReentrantReadWriteLock w = new ReentrantReadWriteLock();
    static final CountDownLatch d = new CountDownLatch({});
    static final SynchronousQueue<String> q = new SynchronousQueue<>();
    static final FutureTask<Integer> task = new FutureTask<>(() -> 1);
    static final long began = System.nanoTime();
    static final Thread[] t = new Thread[{n_threads}];
    static final String[] said = new String[{n_threads}];
    static int x;
    static boolean ready;
    static void log(int who) {{ x = 3 * x + who + 1; if (x > 200) x -= 200; }}
    static void say(int who, char what) {{ said[who] += what; }}
    public static void main(String[] args) throws InterruptedException {{\n",
        1 + draw.below(2),
        1 + draw.below(2),
    );
    for thread in 0..n_threads {
        let _ = writeln!(text, "        said[{thread}] = \"\";\n        t[{thread}] = new Thread(() -> {{");
        for _ in 0..if n_threads > 2 { 1 } else { 1 + draw.below(2) } {
            let other = (thread + 1 + draw.below(n_threads - 1)) % n_threads;
            let statement = draw.one_of(&kinds);
            let statement =
                statement.replace("T)", &format!("{thread})")).replace("T,", &format!("{thread},"));
            let _ = writeln!(text, "            {}", statement.replace("[O]", &format!("[{other}]")));
        }
        let _ = writeln!(text, "        }});");
    }
    text.push_str(
        "        for (Thread one : t) one.start();
        for (int i = 0; i < t.length; i++) { t[i].join(); System.out.print(said[i] + \",\"); }
        System.out.print(x);
    }
}
",
    );
    text
}

/// Compares the outcomes of random programs on both classes; some are too large on the JDK's.
fn compare(seeds: std::ops::Range<u64>, most: u64, name: &str) {
    let theirs = on_jdk_locks();
    let n_compared = compare_with(seeds.clone(), most, name, [Options::default(), theirs]);
    let n_all = seeds.end - seeds.start;
    assert!(3 * n_compared > 2 * n_all, "only {n_compared} of {n_all} programs were small enough");
}

/// Compares outcomes in two ways to run programs, the second of which has more states; how many it could be
/// done for.
fn compare_with(seeds: std::ops::Range<u64>, most: u64, name: &str, ways: [Options; 2]) -> u64 {
    let [ours, theirs] = ways.map(|options| Options { keep_output: true, ..options });
    let directory = compile::directory(name);
    let mut files: Vec<PathBuf> = Vec::new();
    for seed in seeds.clone() {
        let file = directory.join(format!("Locks{seed}.java"));
        std::fs::write(&file, program(seed)).expect("it can be written");
        files.push(file);
    }
    compile::javac(&files, &directory);
    let first = format!("Locks{}", seeds.start);
    let load = |options: Options| {
        let mut path = ClassPath::default();
        path.push(&directory).expect("the directory is there");
        let setup = Setup { jdk: None, main: &first, args: &[], options, sources: Vec::new() };
        Program::new(&setup, path).expect("the program loads")
    };
    let bases = [load(ours), load(theirs)];
    let (mut n_compared, mut n_outcomes, mut n_states) = (0, 0, [0, 0]);
    let mut wrong = Vec::new();
    for seed in seeds.clone() {
        let class = format!("Locks{seed}");
        let search = |base: &Program, options| {
            let program = base.sibling(&class, &[], options).expect("the program loads");
            match outcomes(&program, Strategy::Bfs, StoreKind::Collapse, 1, most) {
                Searched::All(found, states) => Some((found, states)),
                Searched::TooMany => None,
                Searched::Unsupported(what) => panic!("{class}: {what}"),
            }
        };
        let Some((theirs, many)) = search(&bases[1], theirs) else { continue };
        let Some((ours, few)) = search(&bases[0], ours) else {
            wrong
                .push(format!("{class}: {many} states in the second way, and more than {most} in the first"));
            continue;
        };
        n_compared += 1;
        n_outcomes += ours.len();
        n_states = [n_states[0] + few, n_states[1] + many];
        if ours != theirs {
            let (only_ours, only_theirs) = (ours.difference(&theirs), theirs.difference(&ours));
            let (only_ours, only_theirs) = (only_ours.collect::<Vec<_>>(), only_theirs.collect::<Vec<_>>());
            wrong.push(format!(
                "{class}: only in the first way {only_ours:?}; only in the second {only_theirs:?}"
            ));
        }
    }
    let n_all = seeds.end - seeds.start;
    println!(
        "{n_compared} of {n_all} programs compared: {n_outcomes} outcomes, {n_states:?} states in the two ways"
    );
    assert!(wrong.is_empty(), "{} programs differ:\n{}", wrong.len(), wrong.join("\n"));
    n_compared
}

/// Where waits end by time only when no thread can go on, the reduction makes no difference either.
#[test]
fn random_programs_whose_time_passes_when_idle_have_the_outcomes_of_every_interleaving() {
    let reduced = Options { idle_timeouts: true, ..Options::default() };
    let every = Options { every_access: true, until_conflict: false, ..reduced };
    assert!(compare_with(200..240, 6_000, "locks-idle", [reduced, every]) > 10);
}

/// Loops of the class library that wait read the clock in time: no outcome is lost by that (see `vm::clock`).
fn compare_readings(n: u64, most: u64, name: &str) {
    let mut punctual = Options::default();
    punctual.form.punctual = true;
    let n_compared = compare_with(FIRST_TIMED..FIRST_TIMED + n, most, name, [punctual, Options::default()]);
    assert!(2 * n_compared > n, "only {n_compared} of {n} programs were small enough");
}

#[test]
fn random_programs_that_wait_with_time_limits_have_the_outcomes_of_late_readings() {
    compare_readings(40, 6_000, "locks-timed");
}

/// `cargo test -p allways-java --test java -- --ignored many_programs_that_wait --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_programs_that_wait_with_time_limits_have_the_outcomes_of_late_readings() {
    compare_readings(300, 20_000, "locks-timed-many");
}

#[test]
fn random_programs_with_locks_have_the_outcomes_of_the_jdks_class() {
    compare(0..48, 10_000, "locks");
}

/// `SEEDS=from-to cargo test -p allways-java --test java -- --ignored many_programs_with_locks --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_programs_with_locks_have_the_outcomes_of_the_jdks_class() {
    compare(crate::litmus::seeds(), 200_000, "locks-many");
}

/// The class files are those of the source.
#[test]
fn the_classes_are_made_from_their_source() {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("library");
    let directory = compile::directory("locks-source");
    let patch = format!("java.base={}", library.join("src").display());
    let sources = [
        "java/util/concurrent/locks/AbstractQueuedSynchronizer.java",
        "java/util/concurrent/SimplePool.java",
        "sun/nio/ch/NioSocketImpl.java",
        "java/net/Names.java",
    ]
    .map(|source| library.join("src").join(source));
    let compiled = Command::new("javac")
        .args(["-g", "--patch-module", &patch, "-d"])
        .arg(&directory)
        .args(&sources)
        .output()
        .expect("javac is installed");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let runners = ["OldRun", "NewRun"].map(|name| library.join(format!("src/allways/junit/{name}.java")));
    let runners = Command::new("javac")
        .args(["--release", "17", "-g", "-implicit:none", "-sourcepath"])
        .arg(library.join("stubs"))
        .arg("-d")
        .arg(&directory)
        .args(&runners)
        .output()
        .expect("javac is installed");
    assert!(runners.status.success(), "{}", String::from_utf8_lossy(&runners.stderr));
    let shown = |class: &Path| {
        let output = Command::new("javap").args(["-private", "-constants", "-c"]).arg(class).output();
        let output = output.expect("javap is installed");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for (name, bytes) in simple::CLASSES.into_iter().chain(simple::NETWORK).chain(simple::RUNNERS) {
        let simple_name = name.rsplit('/').next().expect("it has a name");
        let kept = library.join(format!("{simple_name}.class"));
        assert_eq!(std::fs::read(&kept).expect("it is there"), bytes, "{name}");
        assert_eq!(shown(&kept), shown(&directory.join(format!("{name}.class"))), "{name}");
    }
    let made_in = |package| {
        let entries = std::fs::read_dir(directory.join(package)).expect("it is there");
        entries.filter(|entry| entry.as_ref().is_ok_and(|entry| entry.path().is_file())).count()
    };
    let locks_and_pools = made_in("java/util/concurrent/locks") + made_in("java/util/concurrent");
    assert_eq!(locks_and_pools, simple::CLASSES.len());
    assert_eq!(made_in("allways/junit"), simple::RUNNERS.len());
    assert_eq!(made_in("sun/nio/ch") + made_in("java/net"), simple::NETWORK.len());
}
