//! The class of the pools that `Executors` makes: what programs on it can do is what they can do on the class
//! library's own. Random programs with pools have the same outcomes on both.

use crate::compile;
use crate::litmus::{Searched, outcomes};
use allways_java::{ClassPath, Options, Program, Setup};
use allways_search::{StoreKind, Strategy};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

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

/// The kinds of pools, by how they are made.
const POOLS: &[&str] = &[
    "Executors.newFixedThreadPool(1)",
    "Executors.newFixedThreadPool(1)",
    "Executors.newFixedThreadPool(2)",
    "Executors.newSingleThreadExecutor()",
    "Executors.newCachedThreadPool()",
    "Executors.newCachedThreadPool()",
    "Executors.newFixedThreadPool(1, r -> { say('f'); return new Thread(r); })",
    "Executors.newFixedThreadPool(1, r -> new Thread(() -> { say('<'); r.run(); say('>'); }))",
    "Executors.newCachedThreadPool(r -> { say('f'); return new Thread(r); })",
    "Executors.newFixedThreadPool(1, r -> null)",
    "Executors.newFixedThreadPool(2, r -> { if (made++ > 0) throw new IllegalStateException(); return new Thread(r); })",
];

/// What `main` and another thread do with a pool, and what tasks do. `C` stands for a letter of the
/// statement's own.
const STATEMENTS: &[&str] = &[
    "p.execute(() -> say('C'));",
    "p.execute(() -> say('C'));",
    "p.execute(() -> { if (Thread.interrupted()) { say('I'); } say('C'); });",
    "p.execute(() -> { try { Thread.sleep(1); say('C'); } catch (InterruptedException e) { say('i'); } });",
    "p.execute(() -> { try { gate.await(); say('C'); } catch (InterruptedException e) { say('i'); } });",
    "p.execute(() -> { first.interrupt(); say('C'); });",
    "p.execute(() -> p.execute(() -> say('C')));",
    "p.execute(() -> { p.shutdown(); say('C'); });",
    "say((char) ('0' + p.submit(() -> 1).get()));",
    "p.submit(() -> { say('C'); return 1; });",
    "p.submit(() -> { throw new IllegalStateException(); });",
    "{ Future<?> f = p.submit(() -> say('C')); say(f.cancel(true) ? 'c' : 'd'); }",
    "gate.countDown();",
    "p.shutdown();",
    "say((char) ('0' + p.shutdownNow().size()));",
    "say(p.isShutdown() ? 's' : 'r');",
    "say(p.isTerminated() ? 't' : 'u');",
    "say(p.isTerminated() ? 't' : p.isShutdown() ? 's' : 'r');",
    "say(p.awaitTermination(1, TimeUnit.SECONDS) ? 'w' : 'l');",
    "say(p.awaitTermination(0, TimeUnit.SECONDS) ? 'w' : 'l');",
    "if (Thread.interrupted()) { say('I'); }",
];

/// What only the class library's own pool can do: the search begins again with that.
const RARE: &[&str] = &[
    "if (p instanceof ThreadPoolExecutor) { say((char) ('0' + ((ThreadPoolExecutor) p).getPoolSize())); }",
    "if (p instanceof ThreadPoolExecutor) { say((char) ('0' + ((ThreadPoolExecutor) p).getQueue().size())); }",
    "p.execute(() -> { throw new IllegalStateException(); });",
    "if (p instanceof ThreadPoolExecutor) { ((ThreadPoolExecutor) p).setCorePoolSize(2); }",
    "say(p.toString().contains(\"Running\") ? 'R' : 'S');",
];

/// A program with one pool and one or two threads that use it.
fn program(seed: u64) -> String {
    let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    draw.below(2);
    let pool = draw.one_of(POOLS);
    let is_refused = draw.below(3) > 0;
    let mut kinds: Vec<&str> = (0..4).map(|_| draw.one_of(STATEMENTS)).collect();
    if draw.below(6) == 0 {
        kinds[0] = draw.one_of(RARE);
    }
    let mut text = format!(
        "import java.util.concurrent.*;
public class Pools{seed} {{
    static int made;
    static final Thread first = Thread.currentThread();
    static final CountDownLatch gate = new CountDownLatch(1);
    static final ExecutorService p = {pool};
    static void say(char what) {{ System.out.print(what); }}\n"
    );
    let mut letter = b'A';
    let mut body = |draw: &mut Draw, n: u64, what: &str| {
        let _ = writeln!(text, "    static void {what}() throws Exception {{");
        for _ in 0..n {
            let statement = draw.one_of(&kinds).replace("'C'", &format!("'{}'", char::from(letter)));
            letter += 1;
            let _ = writeln!(
                text,
                "        try {{ {statement} }} catch (RejectedExecutionException e) {{ say('x'); }} catch (Exception e) {{ say(e instanceof InterruptedException ? 'e' : 'h'); }}"
            );
        }
        text.push_str("    }\n");
    };
    let is_alone = draw.below(2) == 0;
    let n = if is_alone { 2 + draw.below(2) } else { 1 + draw.below(2) };
    body(&mut draw, n, "one");
    body(&mut draw, u64::from(!is_alone), "two");
    text.push_str("    public static void main(String[] args) throws Exception {\n");
    if is_refused {
        text.push_str(
            "        if (p instanceof ThreadPoolExecutor) { ((ThreadPoolExecutor) p).setRejectedExecutionHandler((r, e) -> say('x')); }\n",
        );
    }
    if !is_alone {
        text.push_str(
            "        new Thread(() -> { try { two(); } catch (Exception e) { say('!'); } }).start();\n",
        );
    }
    text.push_str("        try { one(); } finally { p.shutdown(); }\n    }\n}\n");
    text
}

/// Compares the outcomes of random programs on both classes; some are too large on the class library's.
fn compare(seeds: std::ops::Range<u64>, most: u64, name: &str) {
    let ours = Options { keep_output: true, ..Options::default() };
    let mut theirs = ours;
    assert!(theirs.form.turn_off("pools"));
    let directory = compile::directory(name);
    let mut files: Vec<PathBuf> = Vec::new();
    for seed in seeds.clone() {
        let file = directory.join(format!("Pools{seed}.java"));
        std::fs::write(&file, program(seed)).expect("it can be written");
        files.push(file);
    }
    compile::javac(&files, &directory);
    let base = load(&directory, &format!("Pools{}", seeds.start), ours);
    let (mut n_compared, mut n_outcomes, mut n_states) = (0, 0, [0, 0]);
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    let mut wrong = Vec::new();
    for seed in seeds.clone() {
        let class = format!("Pools{seed}");
        let search = |options| {
            let program = base.sibling(&class, &[], options).expect("the program loads");
            match outcomes(&program, Strategy::Bfs, StoreKind::Collapse, 1, most) {
                Searched::All(found, states) => Some((found, states)),
                Searched::TooMany => None,
                Searched::Unsupported(what) => panic!("{class}: {what}"),
            }
        };
        let Some((theirs, many)) = search(theirs) else { continue };
        let Some((ours, few)) = search(ours) else {
            wrong
                .push(format!("{class}: {many} states on the library's class, and more than {most} on ours"));
            continue;
        };
        n_compared += 1;
        n_outcomes += ours.len();
        n_states = [n_states[0] + few, n_states[1] + many];
        let text = program(seed);
        let kind = text.lines().find_map(|line| line.split("p = Executors.").nth(1)).expect("it has a pool");
        *kinds.entry(kind.split('(').next().unwrap_or_default().to_owned()).or_default() += 1;
        if ours != theirs {
            let (only_ours, only_theirs) = (ours.difference(&theirs), theirs.difference(&ours));
            let (only_ours, only_theirs) = (only_ours.collect::<Vec<_>>(), only_theirs.collect::<Vec<_>>());
            wrong.push(format!(
                "{class}: only on ours {only_ours:?}; only on the library's {only_theirs:?}\n{text}"
            ));
        }
    }
    let n_all = seeds.end - seeds.start;
    println!(
        "{n_compared} of {n_all} programs compared ({kinds:?}): {n_outcomes} outcomes, {n_states:?} states"
    );
    assert!(wrong.is_empty(), "{} programs differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(3 * n_compared > n_all, "only {n_compared} of {n_all} programs were small enough");
    assert!(kinds.len() > 2, "pools of each kind are compared");
}

fn load(directory: &Path, main: &str, options: Options) -> Program {
    let mut path = ClassPath::default();
    path.push(directory).expect("the directory is there");
    let setup = Setup { jdk: None, main, args: &[], options, sources: Vec::new() };
    Program::new(&setup, path).expect("the program loads")
}

#[test]
fn random_programs_with_pools_have_the_outcomes_of_the_librarys_class() {
    compare(0..36, 8_000, "pools");
}

/// `SEEDS=from-to cargo test -p allways-java --test java -- --ignored many_programs_with_pools --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_programs_with_pools_have_the_outcomes_of_the_librarys_class() {
    compare(crate::litmus::seeds(), 20_000, "pools-many");
}
