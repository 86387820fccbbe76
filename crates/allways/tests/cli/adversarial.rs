//! Models and programs that are made to break limits: each ends within its time limit and half a second, with
//! exit code 4 or with its true answer, and none crashes. Their texts are made here, large ones by loops.
//!
//! The normal run takes every tenth; `cargo xtask soak adversarial` all of them, and prints how late each
//! was. On a busy machine a process gets the processor late, so the best of three runs counts.

use crate::{Run, Sandbox};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How late a command may be.
const LATE: f64 = 0.5;

/// A model: its name, text, arguments besides the limit, and the exit codes that are right.
type Model = (&'static str, String, &'static [&'static str], &'static [i32]);

fn repeat(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect()
}

fn active(body: &str) -> String {
    format!("int x, y; active proctype p() {{ {body} }}")
}

/// Models that do much within one step.
fn steps() -> Vec<Model> {
    let cube = "byte a[60]; active proctype p() { byte i; atomic { do :: i < 60 -> if :: a[i] = 0 :: a[i] = 1 fi; \
                i++ :: else -> break od }; assert(a[0] < 2) }";
    let long_d_steps =
        active("atomic { do :: d_step { x = 0; do :: x < 90000 -> x++ :: else -> break od }; y++ od }");
    vec![
        ("deep choices", cube.into(), &[], &[4]),
        ("deep choices, all errors", cube.into(), &["--all-errors"], &[4]),
        ("deep choices, few states", cube.into(), &["--states", "1000"], &[4]),
        ("endless d_step", active("d_step { do :: x = 1 - x od }"), &[], &[1]),
        ("d_step that counts", active("d_step { do :: x++ od }"), &[], &[1]),
        ("long d_steps in a sequence", long_d_steps, &["--search", "pct"], &[4]),
        ("endless sequence", active("atomic { do :: x++ od }; assert(x != 3)"), &[], &[3, 4]),
        ("sequence that comes back", active("atomic { do :: x = 1 - x od }"), &[], &[0, 1, 4]),
        ("select from all numbers", active("select (x : 0 .. 2000000000); assert(x != -1)"), &[], &[4]),
        (
            "select in a sequence",
            active("atomic { select (x : 0 .. 50000000); assert(x >= 0) }"),
            &[],
            &[3, 4],
        ),
        ("for in a d_step", active("d_step { for (x : 0 .. 2147483646) { y = x } }"), &[], &[3, 4]),
        ("bitstate in a sequence", cube.into(), &["--store", "bitstate"], &[4]),
    ]
}

/// Models that take long to read.
fn texts() -> Vec<Model> {
    let macros = |n: usize| {
        let each = |n: usize| format!("#define M{} M{n} + M{n}\n", n + 1);
        format!("#define M0 x\n{}{}", repeat(n, each), active(&format!("y = M{n}")))
    };
    let inlines = |n: usize| {
        let each = |n: usize| format!("inline f{}() {{ f{n}(); f{n}() }}\n", n + 1);
        format!("int x; inline f0() {{ x++ }}\n{}active proctype p() {{ f{n}() }}", repeat(n, each))
    };
    let nested = |n: usize, before: &str, middle: &str, after: &str| {
        active(&format!("{}{middle}{}", before.repeat(n), after.repeat(n)))
    };
    let until = |n: usize| {
        let flags = repeat(n, |n| format!("bool b{n}; "));
        let formula = repeat(n, |n| format!("([]<> b{n} -> <>[] b{}) && ", (n + 1) % n.max(2)));
        format!("{flags} active proctype p() {{ do :: b0 = !b0 :: b1 = !b1 od }} ltl f {{ {formula} true }}")
    };
    vec![
        ("macros that double", macros(40), &[], &[2, 4]),
        ("inline bodies that double", inlines(40), &[], &[2, 4]),
        ("nested brackets", active(&format!("x = {}x{}", "(".repeat(20_000), ")".repeat(20_000))), &[], &[2]),
        ("nested choices", nested(3_000, "if :: ", "x++", " fi"), &[], &[0, 2, 3, 4]),
        ("nested unless", nested(60, "{ ", "x++", "; x++ } unless { x > 99 }"), &[], &[0, 1, 2, 3, 4]),
        ("atomic without end", "active proctype p() { atomic { do :: skip".into(), &[], &[2]),
        (
            "many options",
            active(&format!("do {} od", repeat(5000, |n| format!(":: x = {n} ")))),
            &[],
            &[0, 4],
        ),
        ("many statements", active(&repeat(200_000, |_| "x++; ".into())), &[], &[0, 2, 3, 4]),
        ("a formula that explodes", until(12), &["--claim", "f"], &[0, 1, 4]),
        ("a file that includes itself", "#include \"x.pml\"\n".into(), &[], &[2]),
    ]
}

/// Models with many states, processes or messages.
fn storms() -> Vec<Model> {
    let counters =
        format!("int c[8]; {}", repeat(8, |n| format!("active proctype p{n}() {{ do :: c[{n}]++ od }} ")));
    let runs = "active proctype p() { do :: run q() od } proctype q() { int a[20]; a[_pid % 20] = 1; false }";
    let tower =
        "proctype q(int n) { if :: n < 240 -> run q(n + 1) :: else -> assert(n < 0) fi } init { run q(0) }";
    let array = "byte a[60000]; active proctype p() { int i; do :: a[i % 60000]++; i++ od }";
    let channel = "chan c = [200] of { int, int, int, int }; active [3] proctype p() { do :: c!_pid, 1, 2, 3 \
                   :: c?_, _, _, _ od }";
    let printing = active("do :: printf(\"%d\\n\", x); x++ od");
    let bits = "bool b[24]; active [24] proctype p() { do :: b[_pid] = !b[_pid] od }";
    vec![
        ("counters", counters.clone(), &["--no-reduce"], &[4]),
        ("counters, all errors", counters.clone(), &["--no-reduce", "--all-errors"], &[4]),
        ("counters, little memory", counters, &["--no-reduce", "--memory", "50M"], &[4]),
        ("processes without end", runs.into(), &[], &[1, 4]),
        ("a tower of processes", tower.into(), &[], &[1]),
        ("a huge array", array.into(), &["--no-reduce"], &[4]),
        ("a full channel", channel.into(), &["--no-reduce"], &[0, 4]),
        ("printing", printing, &[], &[0, 4]),
        ("cycles among many states", bits.into(), &["--no-reduce", "--ltl", "<>[] b[0]"], &[1, 4]),
        ("symmetry", bits.into(), &["--no-reduce", "--symmetry"], &[0, 4]),
    ]
}

/// A program: the name of its class, what its `main` does, other members, arguments, and the right exit
/// codes.
type Program = (&'static str, &'static str, &'static str, &'static [&'static str], &'static [i32]);

/// Programs of one thread.
const SEQUENTIAL: [Program; 14] = [
    (
        "Storm",
        "var list = new java.util.ArrayList<byte[]>(); while (true) list.add(new byte[1 << 20]);",
        "",
        &[],
        &[3, 4],
    ),
    (
        "SmallStorm",
        "var list = new java.util.ArrayList<Object>(); while (true) list.add(new Object());",
        "",
        &[],
        &[3, 4],
    ),
    ("HugeArray", "long[] a = new long[Integer.MAX_VALUE]; a[1] = 1;", "", &[], &[1, 3, 4]),
    ("HugeArrays", "long[][] a = new long[9000][9000]; a[1][1] = 1;", "", &[], &[1, 3, 4]),
    ("Deep", "System.exit(deep(0));", "static int deep(int n) { return deep(n + 1) + 1; }", &[], &[1, 3, 4]),
    (
        "Ackermann",
        "System.exit(f(4, 3));",
        "static int f(int m, int n) { return m == 0 ? n + 1 : n == 0 ? f(m - 1, 1) : f(m - 1, f(m, n - 1)); }",
        &[],
        &[0, 1, 3, 4],
    ),
    ("Doubling", "String s = \"ab\"; while (true) s += s;", "", &[], &[1, 3, 4]),
    ("Building", "var b = new StringBuilder(); while (true) b.append(b.length());", "", &[], &[3, 4]),
    (
        "Throwing",
        "while (true) try { throw new Exception(); } catch (Exception e) { n++; }",
        "static int n;",
        &[],
        &[4],
    ),
    ("Endless", "while (true) { }", "", &[], &[0, 4]),
    ("EndlessStart", "System.exit(n);", "static int n; static { while (n >= 0) n = 1 - n; }", &[], &[0, 4]),
    ("Printing", "for (int i = 0; ; i++) System.out.println(i);", "", &[], &[3, 4]),
    (
        "Sorting",
        "int[] a = new int[1 << 20]; for (int i = 0; i < a.length; i++) a[i] = i * 7919; \
     while (true) { java.util.Arrays.sort(a); a[0] = 1 << 30; }",
        "",
        &[],
        &[3, 4],
    ),
    (
        "Matching",
        "while (!java.util.regex.Pattern.matches(\"(a+)+b\", \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac\"));",
        "",
        &[],
        &[3, 4],
    ),
];

/// Programs of several threads.
const CONCURRENT: [Program; 13] = [
    (
        "Threads",
        "for (int i = 0; i < 300; i++) new Thread(() -> n++).start();",
        "static volatile int n;",
        &[],
        &[3, 4],
    ),
    ("EndlessThreads", "while (true) new Thread(() -> n++).start();", "static volatile int n;", &[], &[3, 4]),
    (
        "Counters",
        "for (int i = 0; i < 4; i++) new Thread(() -> { while (true) n++; }).start();",
        "static volatile int n;",
        &[],
        &[4],
    ),
    (
        "AllErrors",
        "for (int i = 0; i < 4; i++) new Thread(() -> { while (true) n++; }).start();",
        "static volatile int n;",
        &["--all-errors"],
        &[4],
    ),
    (
        "Unreduced",
        "for (int i = 0; i < 4; i++) new Thread(() -> { while (true) n++; }).start();",
        "static int n;",
        &["--no-reduce"],
        &[4],
    ),
    (
        "Monitors",
        "for (int i = 0; i < 4; i++) new Thread(() -> { while (true) synchronized (O) { n++; } }).start();",
        "static int n; static final Object O = new Object();",
        &[],
        &[4],
    ),
    (
        "HugeObjects",
        "byte[][] all = new byte[3][]; for (int i = 0; i < 3; i++) { int me = i; new Thread(() -> { while (true) { \
     all[me] = new byte[40 << 20]; n++; } }).start(); }",
        "static volatile int n;",
        &[],
        &[3, 4],
    ),
    (
        "HugeStates",
        "for (int i = 0; i < 3; i++) new Thread(() -> { while (true) { A[n % A.length]++; n++; } }).start();",
        "static final byte[] A = new byte[30 << 20]; static volatile int n;",
        &["--memory", "1G"],
        &[3, 4],
    ),
    (
        "HugeStatesInAll",
        "for (int i = 0; i < 3; i++) new Thread(() -> { while (true) { A[n % A.length]++; n++; } }).start();",
        "static final byte[] A = new byte[30 << 20]; static volatile int n;",
        &["--all-errors", "--memory", "1G"],
        &[3, 4],
    ),
    (
        "Lists",
        "for (int i = 0; i < 2; i++) new Thread(() -> { while (true) head = new Object[] { head }; }).start();",
        "static volatile Object[] head;",
        &[],
        &[4],
    ),
    (
        "Waiting",
        "for (int i = 0; i < 3; i++) new Thread(() -> { while (true) synchronized (O) { n++; O.notifyAll(); \
     try { O.wait(10); } catch (InterruptedException e) { } } }).start();",
        "static int n; static final Object O = new Object();",
        &[],
        &[4],
    ),
    (
        "Atomics",
        "var n = new java.util.concurrent.atomic.AtomicLong(); for (int i = 0; i < 4; i++) \
     new Thread(() -> { while (true) n.incrementAndGet(); }).start();",
        "",
        &[],
        &[4],
    ),
    (
        "Maps",
        "var m = new java.util.concurrent.ConcurrentHashMap<Integer, Integer>(); for (int i = 0; i < 3; i++) \
     new Thread(() -> { while (true) m.put(m.size(), 1); }).start();",
        "",
        &[],
        &[3, 4],
    ),
];

/// The directory with the classes of all programs, which are compiled at once.
fn classes() -> PathBuf {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    let compile = || {
        let directory = std::env::temp_dir().join(format!("allways-adversarial-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let mut text = String::new();
        for (name, main, members, ..) in SEQUENTIAL.iter().chain(&CONCURRENT) {
            let main = format!("public static void main(String[] args) {{ {main} }}");
            writeln!(text, "class {name} {{ {members} {main} }}").unwrap();
        }
        let file = directory.join("All.java");
        std::fs::write(&file, text).unwrap();
        let mut javac = Command::new("javac");
        let done = javac.args(["-g", "-d"]).arg(&directory).arg(&file).status().expect("a JDK is installed");
        assert!(done.success());
        directory
    };
    CLASSES.get_or_init(compile).clone()
}

/// Runs a command and gives by how many seconds it was late, the best of three.
///
/// # Errors
/// What is wrong with its answer.
fn late(seconds: f64, right: &[i32], run: impl Fn(&str) -> Run) -> Result<f64, String> {
    let mut best = f64::MAX;
    for _ in 0..3 {
        let begin = Instant::now();
        let run = run(&seconds.to_string());
        best = best.min((begin.elapsed().saturating_sub(Duration::from_secs_f64(seconds))).as_secs_f64());
        if !right.contains(&run.code) || run.err.contains("panicked") {
            return Err(format!("{run:?}"));
        }
        if best <= LATE {
            break;
        }
    }
    Ok(best)
}

/// Runs every `one_of`-th model and program; `most` is how late one may be.
fn check(seconds: f64, one_of: usize, most: f64) {
    let models: Vec<Model> = steps().into_iter().chain(texts()).chain(storms()).collect();
    let programs: Vec<&Program> = SEQUENTIAL.iter().chain(&CONCURRENT).collect();
    assert!(models.len() + programs.len() >= 50, "{} + {}", models.len(), programs.len());
    let mut wrong = Vec::new();
    let mut note = |name: &str, late: Result<f64, String>| match late {
        Ok(late) => {
            println!("{late:6.2} s late  {name}");
            if late > most {
                wrong.push(format!("{name}: {late:.2} s"));
            }
        }
        Err(answer) => wrong.push(format!("{name}: {answer}")),
    };
    for (name, text, args, right) in models.iter().step_by(one_of) {
        let sandbox = Sandbox::with(text);
        let run = |time: &str| sandbox.run(&[&["check", "x.pml", "-q", "--time", time], *args].concat());
        note(name, late(seconds, right, run));
    }
    for (name, _, _, args, right) in programs.iter().step_by(one_of) {
        let (sandbox, classes) = (Sandbox::new(), classes());
        let path = classes.to_str().unwrap();
        let run =
            |time: &str| sandbox.run(&[&["check", name, "-cp", path, "-q", "--time", time], *args].concat());
        note(name, late(seconds, right, run));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_few_adversaries_end_in_time() {
    // What is checked besides this takes the processor away: half a second is for `cargo xtask soak`.
    check(0.5, 10, 5.0);
}

#[test]
#[ignore = "takes minutes: part of `cargo xtask soak`"]
fn all_adversaries_end_in_time() {
    check(2.0, 1, LATE);
}
