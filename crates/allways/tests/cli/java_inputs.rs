//! What a program asks its surroundings for is told, where not every answer is looked at: a verdict is about
//! what was.
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
    // A seed makes the same numbers everywhere; and what the class library reads for itself is no matter of
    // the program.
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

/// What is asked for directly, and what the common pool makes of it: with one thread each task gets one of
/// its own, for which the process waits; threads of the pool end with the process. A trace knows the number.
#[test]
fn processors() {
    let sandbox = Sandbox::new();
    let text = "public class Cores {
    public static void main(String[] args) {
        int n = Runtime.getRuntime().availableProcessors();
        System.out.print(n);
        if (args.length > 0) {
            System.out.print(java.util.concurrent.ForkJoinPool.getCommonPoolParallelism());
        }
        assert n != 4;
    }
}
";
    let path = compiled(&sandbox, "Cores", text);
    let outcomes = |class: &str, with: &[&str], path: &str| {
        let run = sandbox.run(&[&["outcomes", "--json", "-cp", path, class], with].concat());
        let json: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
        let ends = json["outcomes"].as_array().unwrap().iter();
        let outputs: Vec<String> = ends.map(|end| end["output"].as_str().unwrap().to_owned()).collect();
        (outputs, run.err)
    };
    let (outputs, err) = outcomes("Cores", &["--", "pool"], &path);
    assert_eq!(outputs, ["21"]);
    assert_has(&err, &["the number of processors: 2 here (--processors)"]);
    let (outputs, err) = outcomes("Cores", &["--processors", "3", "--", "pool"], &path);
    assert_eq!(outputs, ["32"]);
    assert_has(&err, &["the number of processors: 3 here (--processors)"]);

    let check = |with: &[&str]| sandbox.run(&[&["check", "-cp", &path, "Cores"], with].concat());
    assert_eq!(check(&[]).code, 0);
    assert_eq!(check(&["--processors", "4"]).code, 1);
    assert_has(&sandbox.read("Cores.trace"), &["processors 4"]);
    let replayed = sandbox.run(&["replay", "Cores.trace"]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    assert_has(&replayed.out, &["AssertionError"]);
    assert_eq!(check(&["--processors", "0"]).code, 2);

    let text = "public class Async {
    public static void main(String[] args) {
        java.util.concurrent.CompletableFuture.runAsync(() -> System.out.print(\"a\"));
        System.out.print(\"m\");
    }
}
";
    let path = compiled(&sandbox, "Async", text);
    assert_eq!(outcomes("Async", &[], &path).0, ["am", "ma"]);
    assert_eq!(outcomes("Async", &["--processors", "4"], &path).0, ["am", "m", "ma"]);
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
        let run = sandbox.run(&["outcomes", "-cp", &path, "Asking", "--", "nanoTime", "racing"]);
        assert_has(&run.out, &["there are no others"]);
        assert_has(&run.err, &[message]);
    }
    // A counterexample is one, whatever else there may be.
    let run = sandbox.run(&["check", "-cp", &path, "Asking", "--races", "--", "nanoTime", "racing"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
}

const WEAK: &str = "import java.lang.invoke.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
public class Weak {
    static int x;
    static final VarHandle X;
    static final AtomicInteger N = new AtomicInteger();
    static final LongAdder SUM = new LongAdder();
    static final ReentrantLock LOCK = new ReentrantLock();
    static final ConcurrentHashMap<String, Integer> MAP = new ConcurrentHashMap<>();

    static {
        try {
            X = MethodHandles.lookup().findStaticVarHandle(Weak.class, \"x\", int.class);
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }

    static void access(String how) {
        switch (how) {
            case \"lazySet\" -> N.lazySet(1);
            case \"getPlain\" -> N.getPlain();
            case \"setOpaque\" -> X.setOpaque(1);
            case \"getAcquire\" -> { int seen = (int) X.getAcquire(); }
            case \"setRelease\" -> X.setRelease(1);
            case \"set\" -> N.set(1);
            case \"setVolatile\" -> X.setVolatile(1);
            case \"add\" -> SUM.add(1);
            case \"lock\" -> { LOCK.lock(); LOCK.unlock(); }
            case \"map\" -> MAP.put(\"a\", 1);
            case \"future\" -> new FutureTask<Integer>(() -> 1).run();
            default -> throw new IllegalArgumentException(how);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> access(args[0]));
        other.start();
        other.join();
    }
}
";

#[test]
fn accesses_that_order_less_than_volatile_ones_are_told() {
    let sandbox = Sandbox::new();
    let path = compiled(&sandbox, "Weak", WEAK);
    let is_told = |how: &str| {
        let run = sandbox.run(&["check", "-q", "-cp", &path, "Weak", "--", how]);
        assert_eq!(run.code, 0, "{how}: {run:?}");
        run.err.contains("order less than volatile ones")
    };
    for how in ["lazySet", "getPlain", "setOpaque", "getAcquire", "setRelease"] {
        assert!(is_told(how), "{how}");
    }
    for how in ["set", "setVolatile", "add", "lock", "map", "future"] {
        assert!(!is_told(how), "{how}");
    }
}
