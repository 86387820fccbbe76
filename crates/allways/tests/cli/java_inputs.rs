//! What a program asks its surroundings for is told, where not every answer is looked at: a verdict is about what was.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{assert_has, compiled};
use serde_json::Value;

const ASKING: &str = "import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.random.*;
public class Asking {
    static long x;

    static void ask(String what) throws Exception {
        switch (what) {
            case \"nextInt3\" -> x = new Random().nextInt(3);
            case \"nextInt\" -> x = new Random().nextInt();
            case \"ints\" -> x = new Random().ints(3, 0, 5).sum();
            case \"seeded\" -> x = new Random(42).nextInt(3);
            case \"Math.random\" -> x = (long) Math.random();
            case \"ThreadLocalRandom\" -> x = ThreadLocalRandom.current().nextInt(5);
            case \"SplittableRandom\" -> x = new SplittableRandom().nextInt(3);
            case \"RandomGenerator\" -> x = RandomGenerator.getDefault().nextInt(3);
            case \"shuffle\" -> Collections.shuffle(new ArrayList<>(List.of(1, 2, 3)));
            case \"nanoTime\" -> x = System.nanoTime();
            case \"currentTimeMillis\" -> x = System.currentTimeMillis();
            case \"Instant\" -> x = Instant.now().getNano();
            case \"LocalDateTime\" -> x = LocalDateTime.now().getHour();
            case \"Clock\" -> x = Clock.systemUTC().millis();
            case \"Date\" -> x = new Date().getTime();
            case \"Calendar\" -> x = Calendar.getInstance().get(Calendar.HOUR);
            case \"lambda\" -> { LongSupplier time = System::nanoTime; x = time.getAsLong(); }
            case \"reflection\" -> x = (Long) System.class.getMethod(\"nanoTime\").invoke(null);
            case \"processors\" -> x = Runtime.getRuntime().availableProcessors();
            case \"memory\" -> x = Runtime.getRuntime().freeMemory();
            case \"sleep\" -> Thread.sleep(10);
            case \"join\" -> { Thread other = new Thread(() -> x++); other.start(); other.join(10); }
            case \"await\" -> new CountDownLatch(1).await(1, TimeUnit.SECONDS);
            case \"tryLock\" -> new ReentrantLock().tryLock(1, TimeUnit.SECONDS);
            case \"map\" -> new ConcurrentSkipListMap<Integer, Integer>().put(1, 2);
            case \"runAsync\" -> CompletableFuture.runAsync(() -> x++).join();
            case \"format\" -> x = String.format(\"%d %s\", 3, Set.of(1, 2)).length();
            default -> throw new IllegalArgumentException(what);
        }
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 1) {
            ask(args[0]);
        } else {
            Thread other = new Thread(() -> x++);
            other.start();
            x++;
            other.join();
            if (x == 1) ask(args[0]);
        }
    }
}
";

const RANDOM: &str = "the program uses random numbers";
const CLOCK: &str = "the program reads the clock";
const PROCESSORS: &str = "the program asks for the number of processors";
const MEMORY: &str = "the program asks how much memory there is";

#[test]
fn what_a_program_asks_for_is_told() {
    let sandbox = Sandbox::new();
    let path = compiled(&sandbox, "Asking", ASKING);
    let told = |what: &str, with: &[&str]| {
        let run = sandbox.run(&[&["check", "-q", "-cp", &path, "Asking"], with, &["--", what]].concat());
        assert_eq!(run.code, 0, "{what}: {run:?}");
        let n_warnings = run.err.matches("warning:").count();
        let all = [RANDOM, CLOCK, PROCESSORS, MEMORY];
        let told: Vec<&str> = all.into_iter().filter(|text| run.err.contains(text)).collect();
        assert_eq!(told.len(), n_warnings, "{what}: {run:?}");
        told
    };
    let cases: [(&str, &[&str]); 4] = [
        (
            RANDOM,
            &[
                "nextInt3",
                "nextInt",
                "ints",
                "Math.random",
                "ThreadLocalRandom",
                "SplittableRandom",
                "RandomGenerator",
                "shuffle",
            ],
        ),
        (
            CLOCK,
            &[
                "nanoTime",
                "currentTimeMillis",
                "Instant",
                "LocalDateTime",
                "Clock",
                "Date",
                "Calendar",
                "lambda",
                "reflection",
            ],
        ),
        (PROCESSORS, &["processors"]),
        (MEMORY, &["memory"]),
    ];
    for (expected, asked) in cases {
        for what in asked {
            assert_eq!(told(what, &[]), [expected], "{what}");
        }
    }
    // A seed makes the same numbers everywhere; and what the class library reads for itself is no matter of the program.
    for what in ["seeded", "sleep", "join", "await", "tryLock", "map", "runAsync", "format"] {
        assert_eq!(told(what, &[]), [""; 0], "{what}");
    }
    // With --random small ranges are tried out, and others are not.
    for what in ["nextInt3", "ThreadLocalRandom", "shuffle", "seeded"] {
        assert_eq!(told(what, &["--random"]), [""; 0], "{what}");
    }
    for what in ["nextInt", "ints", "Math.random", "SplittableRandom", "RandomGenerator"] {
        assert_eq!(told(what, &["--random"]), [RANDOM], "{what}");
    }
}

/// Only one interleaving of many asks, which a later one of several searches meets, in whichever worker.
#[test]
fn it_is_told_wherever_warnings_are() {
    let sandbox = Sandbox::new();
    let path = compiled(&sandbox, "Asking", ASKING);
    let message = "the program reads the clock: only some of the times that may pass were looked at";
    for workers in ["1", "4"] {
        let with = ["--json", "--junit", "x.xml", "--workers", workers, "--", "nanoTime", "racing"];
        let run = sandbox.run(&[&["check", "-cp", &path, "Asking"][..], &with].concat());
        let json: Value = serde_json::from_str(&run.out).unwrap();
        let warnings = json["warnings"].as_array().unwrap();
        assert_eq!(warnings.iter().filter(|warning| *warning == message).count(), 1, "{json}");
        assert_has(&sandbox.read("x.xml"), &[message]);
        assert_has(&run.err, &[message]);
        let run = sandbox.run(&["outcomes", "--json", "-cp", &path, "Asking", "--", "nanoTime", "racing"]);
        let json: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(json["warnings"], Value::from(vec![message]));
        assert_has(&run.err, &[message]);
    }
    // A counterexample is one, whatever else there may be.
    let run = sandbox.run(&["check", "-cp", &path, "Asking", "--races", "--", "nanoTime", "racing"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
}
