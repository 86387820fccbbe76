//! The values that steps are said to have read: they are those of the state before, and both sides of a race
//! can be seen.

use crate::compile;
use allways_java::{ClassPath, Options, Program, Setup};
use allways_model::{Batch, Lessons, Model, Move};
use allways_search::{Config, Outcome, Strategy, refine};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::time::Instant;

/// Two threads that read what the other one writes: fields of all kinds, elements, atomics.
const SHARING: &str = "
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
public class Sharing {
    static class Box { int n = 3; final int fixed = 9; String text = \"a\"; Box next; }
    static int count;
    static volatile long stamp = 5_000_000_000L;
    static boolean flag;
    static final int CONSTANT = Integer.parseInt(\"7\");
    static Box box = new Box();
    static int[] cells = {4, 5};
    static boolean[] bits = {true, false};
    static AtomicInteger atomic = new AtomicInteger(1);
    static AtomicIntegerArray atoms = new AtomicIntegerArray(2);
    static int sum;

    static void work(int me) {
        if (flag) { sum += CONSTANT; }
        count++;
        stamp = stamp + 1;
        flag = !flag;
        box.n = box.n + box.fixed;
        box.text = box.next == null ? \"b\" : \"c\";
        cells[me] = cells[1 - me] + 1;
        bits[me] = bits[1 - me];
        atomic.incrementAndGet();
        atomic.compareAndSet(1, 7);
        atoms.addAndGet(0, 2);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> work(1));
        other.start();
        work(0);
        other.join();
        sum = count;
    }
}
";

fn program(name: &str, main: &str, source: &str, options: Options) -> Program {
    let directory = compile::directory(name);
    let file = directory.join(format!("{main}.java"));
    std::fs::write(&file, source).expect("the build's directory is writable");
    compile::javac(&[file], &directory);
    let mut path = ClassPath::default();
    path.push(&directory).expect("the directory is there");
    let setup = Setup { jdk: None, main, args: &[], options, sources: Vec::new() };
    Program::new(&setup, path).expect("the program loads")
}

/// Searches until no conflict comes into view any more; gives what was found and what was learnt, with which
/// steps stay as they are.
fn settle(program: &Program) -> (Outcome, Lessons) {
    let mut lessons = Lessons::new();
    let found = refine(&Config::new(1), Instant::now(), &mut lessons, &(), |config| {
        allways_search::search(program, Strategy::Bfs, &(), config)
    });
    (found, lessons)
}

/// Calls `see` with up to `most` states, and each step from them in words.
fn walk(program: &Program, lessons: &Lessons, most: usize, mut see: impl FnMut(&[u8], &Move)) {
    let mut cursor = program.cursor(lessons);
    let mut batch = Batch::new();
    cursor.initial(&mut batch).expect("the program starts");
    let mut queue: VecDeque<Vec<u8>> = (0..batch.len()).map(|idx| batch.vector(idx).to_vec()).collect();
    let mut seen: HashSet<Vec<u8>> = queue.iter().cloned().collect();
    let mut n_states = 0;
    // Mostly the last ones, to come to the end of the program.
    while let Some(state) = if n_states % 8 == 0 { queue.pop_front() } else { queue.pop_back() } {
        n_states += 1;
        if n_states > most {
            return;
        }
        cursor.load(&state);
        batch.clear();
        cursor.expand(&mut batch).expect("nothing is unsupported");
        for idx in 0..batch.len() {
            let key = batch.entries()[idx].key;
            cursor.load(&state);
            let moves = cursor.explain(key).expect("a step is explained");
            moves.iter().for_each(|step| see(&state, step));
            let next = batch.vector(idx).to_vec();
            if seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
}

#[test]
fn what_was_read_is_what_was_there() {
    let every = Options { every_access: true, until_conflict: false, ..Options::default() };
    for (options, directory) in [(every, "reads-every"), (Options::default(), "reads-merged")] {
        let program = program(directory, "Sharing", SHARING, options);
        let lessons = if options.until_conflict { settle(&program).1 } else { Lessons::new() };
        let mut known: HashMap<Vec<u8>, HashMap<String, String>> = HashMap::new();
        let mut read = BTreeSet::new();
        let mut n_compared = 0;
        walk(&program, &lessons, 1_500, |state, step| {
            let variables = known.entry(state.to_vec()).or_insert_with(|| {
                program.variables(state).into_iter().map(|one| (one.name, one.value)).collect()
            });
            for one in &step.reads {
                read.insert(one.name.clone());
                if let Some(value) = variables.get(&one.name) {
                    assert_eq!(*value, one.value, "{} in {step:?}", one.name);
                    n_compared += 1;
                }
                // A step that writes what it has read shows the same value as the one before.
                for change in step.changes.iter().filter(|change| change.name == one.name) {
                    assert_eq!(change.from.as_ref(), Some(&one.value), "{step:?}");
                }
            }
        });
        assert!(n_compared > 100, "{n_compared} {read:?}");
        let expected = [
            "Sharing.atomic.value",
            "Sharing.bits[0]",
            "Sharing.bits[1]",
            "Sharing.box.n",
            "Sharing.box.next",
            "Sharing.cells[0]",
            "Sharing.cells[1]",
            "Sharing.count",
            "Sharing.flag",
            "Sharing.stamp",
            "Sharing.sum",
        ];
        let missing: Vec<_> = expected.iter().filter(|name| !read.contains(**name)).collect();
        assert!(missing.is_empty(), "{missing:?} of {read:?}");
        // What never changes is not worth a word, nor is that a field leads to what is named by it.
        let idle =
            ["Sharing.CONSTANT", "Sharing.box.fixed", "Sharing.box", "Sharing.cells", "Sharing.atomic"];
        assert!(idle.iter().all(|name| !read.contains(*name)), "{read:?}");
    }
}

const LOST: &str = "
public class Lost {
    static int counter;
    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> counter++);
        Thread b = new Thread(() -> counter++);
        a.start(); b.start(); a.join(); b.join();
        assert counter == 2;
    }
}
";

/// The counterexample of a lost update: both threads read the same value, and the assertion another one than
/// it wants.
#[test]
fn both_sides_of_a_lost_update_are_seen() {
    let program = program("reads-lost", "Lost", LOST, Options::default());
    let (found, lessons) = settle(&program);
    let finding = found.findings.first().expect("an update can be lost");
    let mut cursor = program.cursor(&lessons);
    let mut batch = Batch::new();
    cursor.initial(&mut batch).expect("the program starts");
    let mut state = batch.vector(0).to_vec();
    let mut reads = Vec::new();
    for &key in &finding.path.steps {
        cursor.load(&state);
        for step in cursor.explain(key).expect("a step is explained") {
            let name = step.process_name.to_string();
            reads
                .extend(step.reads.into_iter().map(|read| format!("{name}: {} = {}", read.name, read.value)));
        }
        batch.clear();
        cursor.expand(&mut batch).expect("nothing is unsupported");
        if let Some(idx) = batch.entries().iter().position(|entry| entry.key == key) {
            state = batch.vector(idx).to_vec();
        }
    }
    reads.sort();
    assert_eq!(reads, ["Thread-0: Lost.counter = 0", "Thread-1: Lost.counter = 0", "main: Lost.counter = 1"]);
}
