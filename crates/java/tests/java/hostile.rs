//! Class files that nobody should have: cut off, or with bytes changed. Whatever they are, there is an
//! answer: no panic, no hang.
//!
//! All of them are loaded by one machine, under names of their own, since starting the class library takes
//! longer than everything else. `SEEDS=0..10000 cargo test ... damaged_class_files_by_the_thousand --
//! --ignored` tries more.

use crate::assemble::Assembler;
use crate::compile;
use allways_java::{ClassPath, Options, Program, Setup};
use allways_model::Lessons;
use allways_search::{Config, Limits, StoreKind, Strategy, refine};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The programs that are damaged. Each is one class file, and its name is as long as the names that it gets.
const PROGRAMS: [(&str, &str); 4] = [
    (
        "Fuzz00000",
        r#"public class Fuzz00000 extends Thread implements Runnable, Comparable<Object> {
    static int total; static volatile long seen; final int[] cells = {1, 2, 3}; String name = "n"; double weight = 1.5;
    static final Object lock = new Object();
    Fuzz00000(String name) { super(name); this.name = name + "!"; }
    public int compareTo(Object other) { return name.compareTo(String.valueOf(other)); }
    public void run() {
        synchronized (lock) { total += cells[1]; lock.notifyAll(); }
        try { cells[total & 3]++; } catch (ArrayIndexOutOfBoundsException e) { seen++; } finally { seen += 2; }
    }
    public static void main(String[] args) throws Exception {
        Fuzz00000 a = new Fuzz00000("a"), b = new Fuzz00000("b");
        a.start(); b.start();
        synchronized (lock) { while (total == 0) lock.wait(); }
        a.join(); b.join();
        System.out.println(a.compareTo(b) + " " + total + " " + seen + " " + a.weight);
    }
}"#,
    ),
    (
        "Fuzz00001",
        r#"import java.util.*; import java.util.function.*;
public class Fuzz00001 {
    static long fold(IntBinaryOperator op, int... xs) { int r = 0; for (int x : xs) r = op.applyAsInt(r, x); return r; }
    static String kind(Object o) { return o instanceof String s ? "s" + s.length() : o instanceof Integer i ? "i" + (i + 1) : "?"; }
    static int pick(String s) { switch (s) { case "one": return 1; case "two": return 2; default: return s.length(); } }
    static int table(int n) { switch (n) { case 0: return 5; case 1: return 7; case 2: return 9; default: return -1; } }
    public static void main(String[] args) {
        Map<String, List<Integer>> map = new TreeMap<>();
        for (int i = 0; i < 6; i++) map.computeIfAbsent("k" + i % 3, k -> new ArrayList<>()).add(i);
        System.out.println(map + " " + fold((a, b) -> a * 2 + b, 1, 2, 3) + kind("abc") + kind(4) + kind(2.0));
        Supplier<Object> maker = Object::new; Function<Object, String> show = String::valueOf;
        System.out.println(maker.get() != null ? show.apply(pick("two") + table(1) + table(9)) : "never");
        long[][] grid = new long[2][3]; grid[1][2] = 1L << 40; float f = grid[1][2]; double d = f / 3;
        System.out.println((int) d + " " + (char) ('a' + grid[0].length) + (byte) 300 + (short) 70000 + (f > d ? 1 : 0));
    }
}"#,
    ),
    (
        "Fuzz00002",
        r#"import java.util.concurrent.atomic.*; import java.util.concurrent.locks.*;
public class Fuzz00002 {
    static final ReentrantLock lock = new ReentrantLock(); static final AtomicInteger n = new AtomicInteger(); int plain;
    void add() { lock.lock(); try { plain++; n.incrementAndGet(); } finally { lock.unlock(); } }
    public static void main(String[] args) throws Exception {
        Fuzz00002 it = new Fuzz00002();
        Thread t = new Thread(it::add); t.start(); it.add(); t.join();
        assert it.plain == 2 && n.get() == 2;
        try { throw new IllegalStateException("x" + it.plain); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
    }
}"#,
    ),
    ("Fuzz00003", ""),
];

/// A class of the old kind, with subroutines.
fn assembled(name: &str) -> Vec<u8> {
    let mut assembler = Assembler::new(name);
    let text = "iconst_3 istore_1 again: jsr sub iload_1 ifgt again ldc string:done astore_2 \
        getstatic java/lang/System.out:Ljava/io/PrintStream; aload_2 invokevirtual java/io/PrintStream.println:(Ljava/lang/String;)V \
        iconst_2 iconst_3 multianewarray [[I 2 iconst_1 aaload iconst_2 iconst_5 iastore lconst_1 dup2 ladd l2i \
        tableswitch out 2 1 out two two: nop out: return sub: astore_0 iinc 1 -1 ret 0";
    assembler.method("main", "([Ljava/lang/String;)V", 0x9, text, &[]);
    assembler.finish()
}

/// The class files, by the names of their classes.
fn originals(directory: &Path) -> Vec<(&'static str, Vec<u8>)> {
    let mut files = Vec::new();
    for (name, text) in PROGRAMS.iter().filter(|program| !program.1.is_empty()) {
        let file = directory.join(format!("{name}.java"));
        std::fs::write(&file, text).expect("the directory is writable");
        files.push(file);
    }
    compile::javac(&files, directory);
    PROGRAMS
        .iter()
        .map(|(name, text)| {
            let bytes = if text.is_empty() {
                assembled(name)
            } else {
                std::fs::read(directory.join(format!("{name}.class"))).expect("javac wrote it")
            };
            (*name, bytes)
        })
        .collect()
}

/// The same class under another name of the same length.
fn renamed(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let places: Vec<usize> =
        bytes.windows(from.len()).enumerate().filter(|w| w.1 == from.as_bytes()).map(|w| w.0).collect();
    for at in places {
        bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
    }
    bytes
}

/// A small generator of numbers, the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below
    }
}

/// Where the constants of a class file end.
fn end_of_constants(bytes: &[u8]) -> usize {
    let short = |at: usize| usize::from(bytes[at]) << 8 | usize::from(bytes[at + 1]);
    let (mut at, mut idx) = (10, 1);
    while idx < short(8) {
        idx += if matches!(bytes[at], 5 | 6) { 2 } else { 1 };
        at += match bytes[at] {
            1 => 3 + short(at + 1),
            5 | 6 => 9,
            7 | 8 | 16 | 19 | 20 => 3,
            15 => 4,
            _ => 5,
        };
    }
    at
}

/// Where the code of the methods is.
fn places_of_code(bytes: &[u8]) -> Vec<usize> {
    let short = |at: usize| usize::from(bytes[at]) << 8 | usize::from(bytes[at + 1]);
    let long = |at: usize| short(at) << 16 | short(at + 2);
    let mut places = Vec::new();
    let mut at = end_of_constants(bytes) + 6;
    at += 2 + 2 * short(at);
    for _ in 0..2 {
        let n_members = short(at);
        at += 2;
        for _ in 0..n_members {
            let n_attributes = short(at + 6);
            at += 8;
            for _ in 0..n_attributes {
                let len = long(at + 2);
                // Of a method's attributes only `Code` is as long as the code that it says it has, and more.
                if len > 12 && long(at + 10) + 12 <= len {
                    places.extend(at + 14..at + 14 + long(at + 10));
                }
                at += 6 + len;
            }
        }
    }
    places
}

/// Changes a few bytes: to anything, to a neighbour, to one that the file has elsewhere; or exchanges two.
/// Mostly one of the code, or some behind the constants: where these are damaged there is seldom anything
/// left.
fn damage(bytes: &mut [u8], seed: u64) {
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let (places, most): (Vec<usize>, _) = match numbers.next(8) {
        0 => ((10..bytes.len()).collect(), 4),
        1 | 2 => ((end_of_constants(bytes)..bytes.len()).collect(), 4),
        _ => (places_of_code(bytes), 1),
    };
    for _ in 0..=numbers.next(most) {
        let at = places[numbers.next(places.len())];
        match numbers.next(6) {
            0 => bytes[at] = numbers.next(256) as u8,
            1 => bytes[at] = bytes[at].wrapping_add(1),
            2 => bytes[at] = bytes[at].wrapping_sub(1),
            3 => bytes[at] ^= 1 << numbers.next(8),
            4 => bytes[at] = bytes[numbers.next(bytes.len())],
            _ => {
                let other = places[numbers.next(places.len())];
                bytes.swap(at, other);
            }
        }
    }
}

struct Machine {
    directory: PathBuf,
    base: Program,
}

impl Machine {
    fn start(directory: &Path) -> Self {
        let mut path = ClassPath::default();
        path.push(directory).expect("the directory is there");
        let setup = Setup {
            jdk: None,
            main: "Fuzz00000",
            args: &[],
            options: Options::default(),
            sources: Vec::new(),
        };
        let base = Program::new(&setup, path).expect("the undamaged program loads");
        Self { directory: directory.to_path_buf(), base }
    }

    /// What comes of a class file: a word for the kind of answer.
    fn answer(&self, class: &str, bytes: &[u8]) -> &'static str {
        use allways_search::End;
        let file = self.directory.join(format!("{class}.class"));
        std::fs::write(&file, bytes).expect("the directory is writable");
        let program = self.base.sibling(class, &[], Options::default());
        let _ = std::fs::remove_file(&file);
        let program = match program {
            Ok(program) => program,
            Err(why) => {
                if std::env::var_os("WHY").is_some() {
                    println!("{class}: {why}");
                }
                return "no program";
            }
        };
        let limits = Limits { states: Some(400), time: Some(Duration::from_secs(5)), ..Limits::NONE };
        let config = Config { store: StoreKind::Exact, limits, ..Config::new(1) };
        let found = refine(&config, Instant::now(), &mut Lessons::new(), &(), |config| {
            allways_search::search(&program, Strategy::Bfs, &(), config)
        });
        match found.end {
            End::Exhausted => "holds",
            End::Violated => "violated",
            End::Bounded(_) | End::Cut(_) => "bounded",
            End::Faulted(..) => "unsupported",
            End::Refine => unreachable!("there is nothing more to learn"),
        }
    }
}

/// Where the last panic was.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Runs each class file and counts the answers; panics are collected and reported at the end.
fn try_all(name: &str, inputs: impl Iterator<Item = (String, u64, Vec<u8>)>, directory: &Path) {
    let mut machine = Machine::start(directory);
    let mut answers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (class, number, bytes) in inputs {
        let begun = Instant::now();
        match catch_unwind(AssertUnwindSafe(|| machine.answer(&class, &bytes))) {
            Ok(answer) => *answers.entry(answer).or_default() += 1,
            Err(_) => {
                let place = std::mem::take(&mut *PANIC.lock().unwrap_or_else(|e| e.into_inner()));
                wrong.push(format!("{number}: panic {place}"));
                // Its locks are poisoned.
                machine = Machine::start(directory);
            }
        }
        if begun.elapsed() > Duration::from_secs(30) {
            wrong.push(format!("{number}: took {:?}", begun.elapsed()));
        }
    }
    println!("{name}: {answers:?}");
    assert!(wrong.is_empty(), "{} inputs went wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(answers.len() >= 2, "damage changes something: {answers:?}");
}

fn fuzz(seeds: std::ops::Range<u64>, name: &str) {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let frames = std::backtrace::Backtrace::force_capture().to_string();
        let own: Vec<&str> =
            frames.lines().filter(|line| line.contains("crates/java/src")).map(str::trim).take(3).collect();
        *PANIC.lock().unwrap_or_else(|e| e.into_inner()) = format!("{info} {}", own.join(" < "));
        hook(info);
    }));
    let directory = compile::directory(name);
    let originals = originals(&directory);
    let inputs = seeds.map(|seed| {
        let (name, bytes) = &originals[seed as usize % originals.len()];
        let class = format!("F{:08}", seed % 100_000_000);
        let mut bytes = renamed(bytes, name, &class);
        damage(&mut bytes, seed);
        (class, seed, bytes)
    });
    try_all(name, inputs, &directory);
}

#[test]
fn damaged_class_files() {
    fuzz(0..400, "damaged");
}

#[test]
#[ignore = "minutes; SEEDS says which"]
fn damaged_class_files_by_the_thousand() {
    let text = std::env::var("SEEDS").unwrap_or_else(|_| "400..4000".into());
    let (from, to) = text.split_once("..").expect("SEEDS is a range");
    let number = |text: &str| text.parse().expect("SEEDS is a range of numbers");
    fuzz(number(from)..number(to), "damaged-many");
}

#[test]
fn every_beginning_of_a_class_file() {
    let directory = compile::directory("truncated");
    let originals = originals(&directory);
    let (name, bytes) = &originals[1];
    let inputs = (0..=bytes.len()).map(|len| {
        let class = format!("T{len:08}");
        (class.clone(), len as u64, renamed(bytes, name, &class)[..len].to_vec())
    });
    try_all("truncated", inputs, &directory);
}
