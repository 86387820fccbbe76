//! How long a step is, and when time passes: programs of one thread take few steps, choices end them, and
//! with `--timeouts idle` no wait ends by time while a thread can go on.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{API, assert_has, compiled, jdk};
use serde_json::Value;

const STEPS: &str = "import allways.Choose;
import java.text.SimpleDateFormat;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.*;
public class Steps {
    static volatile boolean done;
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case \"date\": {
                SimpleDateFormat format = new SimpleDateFormat(\"yyyy-MM-dd HH:mm:ss\");
                format.setTimeZone(TimeZone.getTimeZone(\"UTC\"));
                assert format.format(format.parse(\"2024-03-04 05:06:07\")).equals(\"2024-03-04 05:06:07\");
                break;
            }
            case \"coins\": {
                int heads = 0;
                for (int i = 0; i < 18; i++) if (Choose.bool()) heads++;
                assert heads < 18;
                break;
            }
            case \"sleep\": {
                new Thread(() -> done = true).start();
                Thread.sleep(1000);
                assert done;
                break;
            }
            case \"await\": {
                Lock lock = new ReentrantLock();
                Condition told = lock.newCondition();
                new Thread(() -> { lock.lock(); done = true; told.signal(); lock.unlock(); }).start();
                lock.lock();
                boolean late = !done && !told.await(1, TimeUnit.SECONDS);
                lock.unlock();
                assert !late;
                break;
            }
            default: {
                Object bell = new Object();
                synchronized (bell) { bell.wait(10); }
                Lock lock = new ReentrantLock();
                new Thread(() -> lock.lock()).start();
                Thread.sleep(5);
                assert !lock.tryLock(5, TimeUnit.MILLISECONDS);
            }
        }
    }
}
";

/// A sandbox with the program, and a search of it.
fn search(sandbox: &Sandbox, with: &[&str]) -> (i32, Value) {
    let file = sandbox.0.join("Steps.java");
    if !file.exists() {
        sandbox.write("Steps.java", STEPS);
        jdk("javac", |command| command.arg("-d").arg(&sandbox.0).arg(&file).arg(API));
    }
    let run = sandbox.run(&[&["check", "--json", "--workers", "1", "-cp", ".", "Steps"], with].concat());
    let json = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    (run.code, json)
}

#[test]
fn a_program_of_one_thread_takes_few_steps() {
    let sandbox = Sandbox::new();
    let (code, found) = search(&sandbox, &["--", "date"]);
    assert_eq!((code, &found["verdict"]), (0, &"holds".into()), "{found}");
    assert!(found["states"].as_u64() < Some(20), "{found}");
}

/// There are 2^18 ways to toss 18 coins, and 19 numbers of heads.
#[test]
fn many_choices_end_a_step() {
    let sandbox = Sandbox::new();
    let (code, found) = search(&sandbox, &["--search", "bfs", "--all-errors", "--", "coins"]);
    assert_eq!((code, found["errors"].as_array().map(Vec::len)), (1, Some(1)), "{found}");
    assert!(found["transitions"].as_u64() < Some(2_000), "{found}");
}

#[test]
fn time_passes_when_no_thread_can_go_on() {
    let sandbox = Sandbox::new();
    for case in ["sleep", "await"] {
        let (code, found) = search(&sandbox, &["--", case]);
        assert_eq!((code, &found["verdict"]), (1, &"violated".into()), "{case} {found}");
        for more in [&[][..], &["--no-reduce"]] {
            let with = [&["--timeouts", "idle"], more, &["--", case]].concat();
            let (code, found) = search(&sandbox, &with);
            assert_eq!((code, &found["verdict"]), (0, &"holds".into()), "{with:?} {found}");
        }
    }
    // What waits for nothing else does end by time.
    let (code, found) = search(&sandbox, &["--timeouts", "idle", "--", "alone"]);
    assert_eq!((code, &found["verdict"]), (0, &"holds".into()), "{found}");
    assert_eq!(found["property"], "safety (time-outs when idle)", "{found}");
}

#[test]
fn a_trace_remembers_when_time_passes() {
    let sandbox = Sandbox::new();
    let (code, found) = search(&sandbox, &["--timeouts", "any", "--", "sleep"]);
    assert_eq!(code, 1, "{found}");
    let replayed = sandbox.run(&["replay", "Steps.trace"]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    // A deadlock after everything that time can end: only the lock is left to wait for.
    sandbox.write(
        "Hangs.java",
        "public class Hangs {
    public static void main(String[] args) throws Exception {
        Object bell = new Object();
        new Thread(() -> { synchronized (bell) { try { bell.wait(); } catch (InterruptedException e) { } } }).start();
        Thread.sleep(1000);
        synchronized (bell) { bell.wait(1000); bell.wait(); }
    }
}
",
    );
    jdk("javac", |command| command.arg("-d").arg(&sandbox.0).arg(sandbox.0.join("Hangs.java")));
    let run = sandbox.run(&["check", "--timeouts", "idle", "-cp", ".", "Hangs"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_has(&run.out, &["deadlock: ", "(time-outs when idle)"]);
    assert_has(&sandbox.read("Hangs.trace"), &["timeouts idle"]);
    let replayed = sandbox.run(&["replay", "Hangs.trace"]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    let refused = sandbox.run(&["check", "--timeouts", "idle", "--spurious", "1", "-cp", ".", "Hangs"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    let refused = sandbox.run(&["check", "--timeouts", "never", "-cp", ".", "Hangs"]);
    assert_eq!(refused.code, 2, "{refused:?}");
}

const SHORT_POLL: &str = "import java.util.concurrent.*;
public class ShortPoll {
    public static void main(String[] args) throws Exception {
        var queue = new SynchronousQueue<String>();
        queue.poll(500, TimeUnit.NANOSECONDS);
        throw new IllegalStateException(\"reached\");
    }
}
";

const BUDGET: &str = "import java.util.concurrent.*;
public class Budget {
    public static void main(String[] args) throws Exception {
        var none = new Semaphore(0);
        long start = System.nanoTime();
        none.tryAcquire(1, TimeUnit.MILLISECONDS);
        none.tryAcquire(1, TimeUnit.MILLISECONDS);
        if (System.nanoTime() - start > 5_000_000) throw new IllegalStateException(\"late\");
    }
}
";

/// Waits may end later than their limit, and a wait of less than a microsecond, which spins, ends too.
#[test]
fn waits_end_late_and_short_ones_end() {
    let sandbox = Sandbox::new();
    let short = compiled(&sandbox, "ShortPoll", SHORT_POLL);
    for timeouts in ["any", "punctual"] {
        let args = ["check", "-q", "-cp", &short, "ShortPoll", "--timeouts", timeouts];
        let run = sandbox.run(&args);
        assert_eq!(run.code, 1, "{timeouts}: {run:?}");
    }
    let budget = compiled(&sandbox, "Budget", BUDGET);
    let run = sandbox.run(&["check", "-q", "-cp", &budget, "Budget"]);
    assert_eq!(run.code, 1, "{run:?}");
    let run = sandbox.run(&["check", "-q", "-cp", &budget, "Budget", "--timeouts", "punctual"]);
    assert!(run.code == 0 && run.out.contains("(punctual time-outs)"), "{run:?}");
}
