//! What the objects of a Java program are called: by static fields, through collections, by captured
//! variables; in warnings, deadlocks, races and pictures.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::java::{assert_has, jdk};
use crate::{Run, Sandbox};
use serde_json::Value;

/// Two threads take two things in opposite orders, at the same time or one after the other.
const KEPT: &str = "import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
public class Kept {
    enum Side { LEFT, RIGHT }
    static class Box {
        final Map<Side, List<Object>> all = new TreeMap<>();
    }
    static final List<Lock> locks = new ArrayList<>();
    static final List<Object> fixed = List.of(new Object(), new Object(), new Object());
    static final List<Object> guarded = Collections.synchronizedList(new ArrayList<>());
    static final LinkedList<Object> linked = new LinkedList<>();
    static final Deque<Object> deque = new ArrayDeque<>();
    static final Map<String, Object> accounts = new HashMap<>();
    static final Map<Integer, Object> byId = new ConcurrentHashMap<>();
    static final Map<String, Object> constant = Map.of(\"x\", new Object(), \"y\", new Object());
    static final AtomicReference<Object> current = new AtomicReference<>(new Object());
    static final Optional<Object> maybe = Optional.of(new Object());
    static final Set<Object> set = new LinkedHashSet<>();
    static final Box box = new Box();
    static int n;

    static synchronized void tick() {
        n++;
    }

    static void both(Object first, Object second) {
        if (first instanceof Lock a && second instanceof Lock b) {
            a.lock();
            b.lock();
            b.unlock();
            a.unlock();
            return;
        }
        synchronized (first) {
            synchronized (second) { }
        }
    }

    static Object[] kept(String mode) {
        for (int i = 0; i < 2; i++) {
            locks.add(new ReentrantLock());
            guarded.add(new Object());
            linked.add(new Object());
            set.add(new Object());
        }
        deque.add(new Object());
        deque.addFirst(new Object());
        for (String name : new String[] {\"alice\", \"bob\"}) accounts.put(name, new Object());
        for (int id : new int[] {7, 8}) byId.put(id, new Object());
        for (Side side : Side.values()) box.all.put(side, new ArrayList<>(List.of(new Object())));
        return switch (mode) {
            case \"list\" -> new Object[] {locks.get(0), locks.get(1)};
            case \"fixed\" -> new Object[] {fixed.get(0), fixed.get(2)};
            case \"guarded\" -> guarded.toArray();
            case \"linked\" -> linked.toArray();
            case \"deque\" -> deque.toArray();
            case \"map\" -> new Object[] {accounts.get(\"alice\"), accounts.get(\"bob\")};
            case \"numbers\" -> new Object[] {byId.get(7), byId.get(8)};
            case \"constant\" -> new Object[] {constant.get(\"x\"), constant.get(\"y\")};
            case \"one\" -> new Object[] {current.get(), maybe.get()};
            case \"deep\" -> new Object[] {box.all.get(Side.LEFT).get(0), box.all.get(Side.RIGHT).get(0)};
            case \"set\" -> set.toArray();
            default -> new Object[] {new Object(), new Object()};
        };
    }

    public static void main(String[] args) throws Exception {
        Object[] two = kept(args[0]);
        Object p = two[0], q = two[1];
        // Somebody else knows of them too, and comes to an end early or late.
        Thread s = new Thread(() -> { tick(); p.hashCode(); q.hashCode(); }, \"s\");
        Thread t = new Thread(() -> both(p, q), \"t\");
        Thread u = new Thread(() -> both(q, p), \"u\");
        if (args[1].equals(\"apart\")) {
            t.start();
            t.join();
        } else {
            s.start();
            t.start();
        }
        u.start();
        tick();
    }
}
";

/// Philosophers whose forks nobody has but they, with lambdas, inner classes or tasks of a class; all at
/// once, or one after the other.
const LOOP: &str = "public class Loop {
    static class Task implements Runnable {
        final Object first, second;
        Task(Object first, Object second) { this.first = first; this.second = second; }
        public void run() { both(first, second); }
    }

    static void both(Object first, Object second) {
        synchronized (first) {
            synchronized (second) { }
        }
    }

    public static void main(String[] args) throws Exception {
        Object[] forks = {new Object(), new Object()};
        for (int i = 0; i < 2; i++) {
            Object left = forks[i], right = forks[1 - i];
            Thread t = switch (args[0]) {
                case \"lambda\" -> new Thread(() -> both(left, right), \"p\" + i);
                case \"inner\" -> new Thread(\"p\" + i) {
                    public void run() { both(left, right); }
                };
                default -> new Thread(new Task(left, right), \"p\" + i);
            };
            t.start();
        }
    }
}
";

/// Elements of a set, which have no names; and a thread that makes other objects, or has made them.
const HIDDEN: &str = "import java.util.*;
public class Hidden {
    static final Set<Object> set = new LinkedHashSet<>(List.of(new Object(), new Object()));
    static Object made;

    static synchronized void make() {
        made = new int[] {1};
    }

    static void both(int first) {
        Object[] two = set.toArray();
        synchronized (two[first]) {
            synchronized (two[1 - first]) { }
        }
    }

    public static void main(String[] args) {
        new Thread(() -> { make(); make(); }, \"s\").start();
        new Thread(() -> both(0), \"t\").start();
        new Thread(() -> both(1), \"u\").start();
        make();
    }
}
";

/// The locks of a data race and the objects in question.
const PAID: &str = "import java.util.*;
import java.util.concurrent.locks.*;
public class Paid {
    static class Account {
        final ReentrantLock lock = new ReentrantLock();
        final int[] log = new int[2];
    }
    static final Map<String, Account> accounts = new HashMap<>();

    public static void main(String[] args) throws Exception {
        Account account = new Account();
        accounts.put(\"alice\", account);
        Thread t = new Thread(() -> {
            account.lock.lock();
            account.log[1]++;
            account.lock.unlock();
        }, \"t\");
        t.start();
        account.log[1]++;
        t.join();
    }
}
";

/// Compiles a program, with the names of its variables or without them.
fn compile(sandbox: &Sandbox, name: &str, text: &str, option: &str) {
    sandbox.write(&format!("{name}.java"), text);
    let file = sandbox.0.join(format!("{name}.java"));
    jdk("javac", |command| command.arg(option).arg("-d").arg(&sandbox.0).arg(file));
}

fn check(sandbox: &Sandbox, args: &[&str]) -> Run {
    sandbox.run(&[&["check", "-cp", "."], args].concat())
}

/// What is told of the order of locks, without the places.
fn orders(sandbox: &Sandbox, args: &[&str]) -> String {
    let run = check(sandbox, args);
    assert_eq!(run.code, 0, "{run:?}");
    let told = run.out.lines().filter_map(|line| line.strip_prefix("lock order: "));
    let told: Vec<String> = told
        .map(|line| {
            let parts = line.split(" (Kept.java:").enumerate();
            parts.map(|(idx, part)| if idx == 0 { part } else { part.split_once(')').unwrap().1 }).collect()
        })
        .collect();
    told.join("; ")
}

#[test]
fn what_collections_hold_is_named_by_how_to_get_it() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "Kept", KEPT, "-g:source,lines");
    for (mode, first, second) in [
        ("list", "Kept.locks[0]", "Kept.locks[1]"),
        ("fixed", "Kept.fixed[0]", "Kept.fixed[2]"),
        ("guarded", "Kept.guarded[0]", "Kept.guarded[1]"),
        ("linked", "Kept.linked[0]", "Kept.linked[1]"),
        ("deque", "Kept.deque[0]", "Kept.deque[1]"),
        ("map", "Kept.accounts[\"alice\"]", "Kept.accounts[\"bob\"]"),
        ("numbers", "Kept.byId[7]", "Kept.byId[8]"),
        ("constant", "Kept.constant[\"x\"]", "Kept.constant[\"y\"]"),
        ("one", "Kept.current.get()", "Kept.maybe.get()"),
        ("deep", "Kept.box.all[LEFT][0]", "Kept.box.all[RIGHT][0]"),
    ] {
        let told = orders(&sandbox, &["Kept", "--", mode, "apart"]);
        let expected = format!("t enters {first} and then {second}, u enters {second} and then {first}");
        assert_eq!(told, expected, "{mode}");
    }
    let told = check(&sandbox, &["Kept", "--", "list", "together"]);
    assert_eq!(told.code, 1, "{told:?}");
    assert_has(
        &told.out,
        &[
            "deadlock: t is parked, waiting for Kept.locks[1], held by u (Kept.java:31)",
            "u is parked, waiting for Kept.locks[0], held by t (Kept.java:31)",
        ],
    );
    assert!(!told.out.contains("elementData"), "{told:?}");
}

#[test]
fn captured_variables_are_named_as_in_the_source() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "Kept", KEPT, "-g");
    let told = orders(&sandbox, &["Kept", "--", "own", "apart"]);
    assert_eq!(
        told,
        "t enters p of Kept.main and then q of Kept.main, u enters q of Kept.main and then p of Kept.main"
    );
    // The same in the steps that lead to a deadlock and at their end, whoever has captured them.
    let run = check(&sandbox, &["Kept", "--", "own", "together"]);
    assert_has(
        &run.out,
        &[
            "monitor of q of Kept.main: free -> held by u",
            "monitor of p of Kept.main: free -> held by t",
            "deadlock: t waits for the monitor of q of Kept.main, held by u (Kept.java:37); \
             u waits for the monitor of p of Kept.main, held by t (Kept.java:37)",
        ],
    );
    assert!(!run.out.contains("captured by"), "{run:?}");
    compile(&sandbox, "Kept", KEPT, "-g:source,lines");
    let run = check(&sandbox, &["-q", "Kept", "--", "own", "together"]);
    assert_has(&run.out, &["monitor of variable 2 captured by t at Kept.java:74, held by u"]);
}

/// Who else has captured a lock makes no other deadlock of it, and neither does the number that an object
/// without a name happens to have.
#[test]
fn names_of_a_deadlock_do_not_depend_on_others() {
    let sandbox = Sandbox::new();
    for (program, text, option, name) in [
        ("Kept", KEPT, "-g", "q of Kept.main"),
        ("Kept", KEPT, "-g:source,lines", "variable 2 captured by t at Kept.java:74"),
        ("Hidden", HIDDEN, "-g", "an unnamed Object"),
    ] {
        compile(&sandbox, program, text, option);
        let run = check(&sandbox, &[program, "--json", "--all-errors", "--", "own", "together"]);
        let json: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
        let errors = json["errors"].as_array().unwrap();
        assert_eq!(errors.len(), 1, "{json:#}");
        assert!(errors[0]["n_states"].as_u64().unwrap() > 1, "{json:#}");
        let part = format!("deadlock: t waits for the monitor of {name}, held by u");
        assert_has(errors[0]["message"].as_str().unwrap(), &[&part]);
    }
}

#[test]
fn variables_of_a_loop_are_told_apart_by_their_threads() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "Loop", LOOP, "-g");
    for (mode, right, left) in [
        ("lambda", "right captured by p0 at Loop.java:19", "left captured by p0 at Loop.java:19"),
        ("inner", "right captured by p0 at Loop.java:21", "left captured by p0 at Loop.java:21"),
        ("task", "p0.second", "p0.first"),
    ] {
        let run = check(&sandbox, &["-q", "Loop", "--", mode]);
        let told = format!(
            "deadlock: p0 waits for the monitor of {right}, held by p1 (Loop.java:10); \
             p1 waits for the monitor of {left}, held by p0 (Loop.java:10)"
        );
        assert_has(&run.out, &[&told]);
    }
}

#[test]
fn races_and_pictures_have_these_names_too() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "Paid", PAID, "-g");
    let run = check(&sandbox, &["Paid", "--races"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_has(
        &run.out,
        &["data race on Paid.accounts[\"alice\"].log[1]", "holding Paid.accounts[\"alice\"].lock"],
    );
    compile(&sandbox, "Loop", LOOP, "-g");
    assert_eq!(check(&sandbox, &["-q", "Loop", "--", "inner"]).code, 1);
    let picture = sandbox.run(&["replay", "Loop.trace", "--heap=dot"]);
    assert_has(&picture.out, &["[label=\"left\"]", "[label=\"right\"]"]);
}

/// A thread does all of its work in one step, on arrays of several kinds.
const ARRAYS: &str = "public class Arrays {
    enum Side { LEFT, RIGHT }
    static final int[] a = new int[12];
    static final boolean[][] grid = new boolean[2][3];
    static final String[] names = {\"x\", \"y\"};
    static final double[] large = new double[5_000];
    static int n;
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            a[1] = 7;
            n++;
        });
        t.start();
        a[11] = 3; a[2] = n; names[1] = \"z\"; grid[1][2] = Side.values().length == 2; large[4_000] = 2.5;
        t.join();
        if (a[2] == 1) throw new AssertionError();
    }
}";

#[test]
fn elements_of_arrays_are_part_of_a_state() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "Arrays", ARRAYS, "-g");
    let run = check(&sandbox, &["Arrays"]);
    assert_has(
        &run.out,
        &[
            "Arrays.a: null -> new int[12]",
            "Arrays.grid: null -> new boolean[2][]",
            "  Arrays.a[0] = 0\n  Arrays.a[1] = 7\n  Arrays.a[2] = 1\n",
            "  Arrays.a[3..10] = 0\n  Arrays.a[11] = 3\n",
            "  Arrays.grid[0][0..2] = false\n  Arrays.grid[1][0] = false\n  Arrays.grid[1][1] = false\n  \
             Arrays.grid[1][2] = true\n",
            // Of a long array what is not zero.
            "  Arrays.large[4000] = 2.5\n",
            "  Arrays.names[0] = \"x\"\n  Arrays.names[1] = \"z\"\n",
            // The thread is known by its first line, though it has ended when the step has.
            "Arrays.java:10  a[1] = 7;",
        ],
    );
    assert!(!run.out.contains("$VALUES") && !run.out.contains("the thread ends"), "{run:?}");
}

#[test]
fn monitors_that_the_class_library_keeps_for_itself_are_left_out() {
    let sandbox = Sandbox::new();
    let text = "public class Leaves {
    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        synchronized (lock) {
            Thread t = new Thread(() -> { synchronized (lock) { System.exit(3); } });
            t.start();
        }
    }
}";
    compile(&sandbox, "Leaves", text, "-g");
    let run = check(&sandbox, &["Leaves"]);
    assert_has(&run.out, &["exit status 3", "monitor of lock of Leaves.main: free -> held by Thread-0"]);
    assert!(!run.out.contains("monitor of Shutdown"), "{run:?}");
}

/// Classes are called by their simple names, and by their full names where two have the same simple name.
#[test]
fn packages_are_shown_where_two_classes_are_alike() {
    let sandbox = Sandbox::new();
    let source = |package: &str, main: &str| {
        format!("package {package};\npublic class Gate {{\n    public static int open;\n{main}}}\n")
    };
    let main = "    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> open++);
        t.start();
        open++;
        t.join();
        if (open != 2) throw new AssertionError();
    }
";
    sandbox.write("org/example/project/Gate.java", source("org.example.project", main));
    sandbox.write("org/example/other/Gate.java", source("org.example.other", ""));
    let compile = |directory: &str, files: &[&str]| {
        jdk("javac", |command| command.current_dir(&sandbox.0).arg("-d").arg(directory).args(files));
    };
    compile("one", &["org/example/project/Gate.java"]);
    compile("two", &["org/example/project/Gate.java", "org/example/other/Gate.java"]);
    let out = |path: &str| sandbox.run(&["check", "-cp", path, "org.example.project.Gate"]).out;
    let (one, two) = (out("one"), out("two"));
    assert_has(&one, &["  Gate.open: 0 -> 1", "\ndata race on Gate.open: "]);
    assert!(!one.contains("project.Gate.open"), "{one}");
    assert_has(
        &two,
        &["org.example.project.Gate.open: 0 -> 1", "\ndata race on org.example.project.Gate.open: "],
    );
}
