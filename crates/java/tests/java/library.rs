//! Racing calls of the class library, in random programs: what the machine does itself, reduced, has the
//! outcomes of the library's own bytecode, interleaved at every access.
//!
//! Each program has two threads that use a few shared arrays, buffers, builders and collections. It is
//! searched twice: as usual, and with every method that has code of its own running that code, without
//! reduction. Native methods are held against element-by-element loops in `apart`.

use crate::compile;
use crate::litmus::{Searched, outcomes, seeds};
use allways_java::{ClassPath, Options, Program, Setup};
use allways_search::{StoreKind, Strategy};
use allways_testkit::random_java::Kind;
use std::collections::BTreeSet;

/// The replaced methods with code of their own that read or write what several threads can reach, or lead to
/// it.
const OWN_CODE: &[&str] = &[
    "java/io/PrintStream.write",
    "java/io/PrintStream.writeln",
    "java/io/PrintStream.newLine",
    "java/lang/Integer.toString",
    "java/lang/Long.toString",
    "java/lang/String.charAt",
    "java/lang/String.coder",
    "java/lang/String.compareTo",
    "java/lang/String.concat",
    "java/lang/String.equals",
    "java/lang/String.indexOf",
    "java/lang/String.isEmpty",
    "java/lang/String.isLatin1",
    "java/lang/String.length",
    "java/lang/String.startsWith",
    "java/lang/StringCoding.countPositives",
    "java/lang/StringCoding.hasNegatives",
    "java/lang/StringLatin1.equals",
    "java/lang/StringLatin1.hashCode",
    "java/lang/StringUTF16.equals",
    "java/util/Arrays.copyOf",
    "java/util/Arrays.copyOfRange",
    "java/util/Arrays.equals",
    "java/util/Arrays.fill",
    "jdk/internal/misc/Unsafe.getCharUnaligned",
    "jdk/internal/misc/Unsafe.getIntUnaligned",
    "jdk/internal/misc/Unsafe.getLongUnaligned",
    "jdk/internal/misc/Unsafe.getShortUnaligned",
    "jdk/internal/misc/Unsafe.putCharUnaligned",
    "jdk/internal/misc/Unsafe.putIntUnaligned",
    "jdk/internal/misc/Unsafe.putLongUnaligned",
    "jdk/internal/misc/Unsafe.putShortUnaligned",
];

/// Statements of random programs, by what they use: `@` stands for a number up to the digit that follows, `#`
/// for the variable that keeps what was read.
const STATEMENTS: [&[&str]; 5] = [
    &[
        "a[@2] = @9;",
        "# += a[@2];",
        "Arrays.fill(a, @9);",
        "Arrays.fill(a, 0, 2, @9);",
        "{ int[] k = Arrays.copyOf(a, 2); # += k[0] + \"\" + k[1]; }",
        "{ int[] k = Arrays.copyOfRange(a, 1, 3); # += k[0] + \"\" + k[1]; }",
        "{ int[] k = a.clone(); # += k[0] + \"\" + k[2]; }",
        "System.arraycopy(a, 0, b, 1, 2);",
        "System.arraycopy(a, 1, a, 0, 2);",
        "# += Arrays.equals(a, b);",
        "# += Arrays.hashCode(a);",
    ],
    &[
        "y[@5] = @9;",
        "# += y[@5];",
        "Arrays.fill(y, (byte) @9);",
        "# += Arrays.equals(y, z);",
        "# += ByteBuffer.wrap(y).getShort(@4);",
        "ByteBuffer.wrap(y).putShort(@4, (short) 0x010@9);",
        "# += ByteBuffer.wrap(y).getChar(@4) + 0;",
        "# += ByteBuffer.wrap(y).getInt(@2);",
        "ByteBuffer.wrap(y).putInt(@2, 0x0102030@9);",
        "ByteBuffer.wrap(y).order(ByteOrder.LITTLE_ENDIAN).putInt(@2, 0x0102030@9);",
        "{ byte[] k = new byte[2]; ByteBuffer.wrap(y).position(1).get(k); # += k[0] + \"\" + k[1]; }",
        "# += new String(y, 0, 2, java.nio.charset.StandardCharsets.ISO_8859_1).length();",
    ],
    &[
        "c[@2] = '@9';",
        "c[@2] = '\\u123@9';",
        "Arrays.fill(c, '@9');",
        "# += String.valueOf(c);",
        "# += new String(c, 1, 2);",
        "{ char[] k = Arrays.copyOf(c, 2); # += k[0] + \"\" + k[1]; }",
        "System.out.println(c);",
    ],
    &[
        "s.append('@9');",
        "s.append(\"xy\");",
        "s.setLength(@2);",
        "s.setCharAt(@2, 'z');",
        "s.deleteCharAt(0);",
        "# += s.length();",
        "# += s;",
        "# += s.charAt(@2);",
        "# += s.indexOf(\"t\");",
    ],
    &[
        "l.add(@9);",
        "# += l.get(@2);",
        "# += l.size();",
        "l.set(@2, @9);",
        "l.remove(0);",
        "l.clear();",
        "{ Object[] k = l.toArray(); # += k.length + \"\" + k[0]; }",
        "# += l.contains(@9);",
        "d.addLast(@9);",
        "# += d.pollFirst();",
        "# += d.size();",
    ],
];

/// Random numbers: a linear congruential generator, of which the high bits are taken.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// A statement that keeps what it reads in a variable, and what it throws.
    fn statement(&mut self, group: &[&str], kept: &str) -> String {
        let mut text = String::new();
        let mut parts = group[self.below(group.len())].chars();
        while let Some(next) = parts.next() {
            match next {
                '#' => text.push_str(kept),
                '@' => {
                    let most = parts.next().and_then(|digit| digit.to_digit(10)).expect("a digit follows");
                    text.push_str(&self.below(most as usize + 1).to_string());
                }
                next => text.push(next),
            }
        }
        let caught = "catch (RuntimeException e) { # += e.getClass().getSimpleName(); }".replace('#', kept);
        format!("        try {{ {text} }} {caught}\n")
    }
}

/// A random program: one or two statements in each of two threads, on the same things.
fn program(class: &str, seed: u64) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d);
    let group = STATEMENTS[dice.below(STATEMENTS.len())];
    let other: String = (0..1 + dice.below(2)).map(|_| dice.statement(group, "p")).collect();
    let main: String = (0..1 + dice.below(2)).map(|_| dice.statement(group, "q")).collect();
    format!(
        "import java.nio.*;
import java.util.*;
public class {class} {{
    static final int[] a = {{1, 2, 3}}, b = {{1, 2, 3}};
    static final byte[] y = {{0, 0, 0, 0, 0, 0}}, z = {{65, 66, 67}};
    static final char[] c = {{'k', 'l', 'm'}};
    static final StringBuilder s = new StringBuilder(4).append(\"st\");
    static final ArrayList<Integer> l = new ArrayList<>(List.of(5, 6));
    static final ArrayDeque<Integer> d = new ArrayDeque<>(List.of(7));
    static String p = \"\", q = \"\";
    public static void main(String[] args) throws Exception {{
        Thread t = new Thread(() -> {{
{other}        }});
        t.start();
{main}        t.join();
        String end = p + \" \" + q + \" \" + Arrays.toString(a) + Arrays.toString(b) + Arrays.toString(y) + new String(c);
        try {{ end += s.length() + \" \" + s; }} catch (RuntimeException e) {{ end += e.getClass(); }}
        try {{ end += \" \" + Arrays.toString(l.toArray()) + d.size(); }} catch (RuntimeException e) {{ end += e.getClass(); }}
        System.out.println(end);
    }}
}}
"
    )
}

/// What a search of a program came to: each kind of end with what was printed, and the number of states.
fn ends(base: &Program, class: &str, options: Options, most: u64) -> Option<(BTreeSet<(Kind, String)>, u64)> {
    let sibling = base.sibling(class, &[], options).expect("the program loads");
    match outcomes(&sibling, Strategy::Bfs, StoreKind::Exact, 1, most) {
        Searched::All(found, states) => {
            Some((found.into_iter().map(|one| (one.kind, one.output)).collect(), states))
        }
        Searched::TooMany => None,
        Searched::Unsupported(what) => panic!("{class}: {what}"),
    }
}

/// Searches random programs both ways; those with more than so many states are left out.
fn compare(seeds: std::ops::Range<u64>, name: &str, most: u64) {
    let directory = compile::directory(name);
    let programs: Vec<(String, String)> = seeds
        .map(|seed| (format!("Library{seed}"), seed))
        .map(|(class, seed)| (class.clone(), program(&class, seed)))
        .collect();
    let files: Vec<_> = programs
        .iter()
        .map(|(class, text)| {
            let file = directory.join(format!("{class}.java"));
            std::fs::write(&file, text).expect("the build's directory is writable");
            file
        })
        .collect();
    compile::javac(&files, &directory);
    let usual = Options { keep_output: true, ..Options::default() };
    let own = Options { own_code: OWN_CODE, until_conflict: false, ..usual };
    let [usual_base, own_base] = [usual, own].map(|options| {
        let mut path = ClassPath::default();
        path.push(&directory).expect("the directory is there");
        let setup = Setup { jdk: None, main: &programs[0].0, args: &[], options, sources: Vec::new() };
        Program::new(&setup, path).expect("the program loads")
    });
    let (mut n_compared, mut n_outcomes, mut states) = (0, 0, [0, 0]);
    for (class, text) in &programs {
        let Some((found, n_usual)) = ends(&usual_base, class, usual, most) else { continue };
        let Some((expected, n_own)) = ends(&own_base, class, own, most) else { continue };
        assert!(
            found == expected,
            "{text}missing: {:?}\nwrong: {:?}",
            expected.difference(&found).collect::<Vec<_>>(),
            found.difference(&expected).collect::<Vec<_>>()
        );
        n_compared += 1;
        n_outcomes += found.len();
        states = [states[0] + n_usual, states[1] + n_own];
    }
    let n_all = programs.len();
    println!("{n_compared} of {n_all} programs compared, {n_outcomes} outcomes, {states:?} states");
    assert!(10 * n_compared >= 9 * n_all, "only {n_compared} of {n_all} programs are small enough");
}

#[test]
fn racing_calls_have_the_outcomes_of_the_librarys_own_code() {
    compare(0..40, "library", 20_000);
}

/// `SEEDS=from-to cargo test --release -p allways-java --test java -- --ignored many_racing_calls
/// --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_racing_calls_have_the_outcomes_of_the_librarys_own_code() {
    compare(seeds(), "library-many", 20_000);
}
