//! Test classes of JUnit and TestNG: `check --junit-class`; and `--end-with-main`.
//!
//! The annotations are our own, under the names that the libraries have. Needs a JDK with `javac`;
//! `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{assert_has, compiled, jdk};

/// Annotations, by class and elements.
const ANNOTATIONS: &[(&str, &str)] = &[
    (
        "org.junit.Test",
        "Class<? extends Throwable> expected() default None.class; class None extends Throwable {}",
    ),
    ("org.junit.Before", ""),
    ("org.junit.After", ""),
    ("org.junit.BeforeClass", ""),
    ("org.junit.AfterClass", ""),
    ("org.junit.Ignore", ""),
    ("org.junit.Rule", ""),
    ("org.junit.jupiter.api.Test", ""),
    ("org.junit.jupiter.api.BeforeEach", ""),
    ("org.junit.jupiter.api.AfterEach", ""),
    ("org.junit.jupiter.api.Disabled", "String value() default \"\";"),
    ("org.testng.annotations.Test", "boolean enabled() default true;"),
    ("org.testng.annotations.BeforeMethod", ""),
];

/// Compiles a test class beside the annotations; gives the class path.
fn tests(sandbox: &Sandbox, name: &str, text: &str) -> String {
    let mut files = vec![format!("{name}.java")];
    sandbox.write(&files[0], text);
    for (class, elements) in ANNOTATIONS {
        let (package, simple) = class.rsplit_once('.').unwrap();
        let file = format!("{}.java", class.replace('.', "/"));
        sandbox.write(
            &file,
            format!(
                "package {package};\nimport java.lang.annotation.*;\n@Retention(RetentionPolicy.RUNTIME)\n\
                 public @interface {simple} {{ {elements} }}\n"
            ),
        );
        files.push(file);
    }
    jdk("javac", |command| command.current_dir(&sandbox.0).arg("-g").arg("-d").arg("classes").args(&files));
    "classes".into()
}

const OLD: &str = "
import org.junit.*;
import java.util.concurrent.atomic.AtomicInteger;

class Shared {
    static int order;
    int count;
    @Before public void first() { order = 1; }
    @After public void last() { if (order != 3) throw new IllegalStateException(\"order \" + order); }
}

public class CounterTest extends Shared {
    static boolean ready;
    @BeforeClass public static void open() { ready = true; }
    @Before public void second() { if (order == 1) order = 2; }
    @After public void third() { order = 3; }

    @Test public void loses() throws Exception {
        Thread other = new Thread(() -> count++);
        other.start();
        count++;
        other.join();
        if (count != 2) throw new AssertionError(\"lost\");
    }

    @Test public void keeps() throws Exception {
        if (!ready || order != 2) throw new AssertionError();
        AtomicInteger n = new AtomicInteger();
        Thread other = new Thread(n::incrementAndGet);
        other.start();
        n.incrementAndGet();
        other.join();
        if (n.get() != 2) throw new AssertionError(\"lost\");
    }

    @Test(expected = IllegalStateException.class) public void throwsAsItShould() {
        throw new IllegalStateException();
    }

    @Test(expected = IllegalStateException.class) public void doesNotThrow() {}

    @Ignore @Test public void later() { throw new AssertionError(); }

    @Test public void leavesOneBehind() {
        new Thread(() -> { synchronized (this) { try { wait(); } catch (InterruptedException e) { } } }, \"left\").start();
    }
}
";

#[test]
fn each_test_of_a_class_is_a_search() {
    let sandbox = Sandbox::new();
    let path = tests(&sandbox, "CounterTest", OLD);
    let all = sandbox.run(&["check", "-cp", &path, "--junit-class", "CounterTest", "--junit", "r.xml"]);
    assert_eq!(all.code, 1, "{all:?}");
    assert_has(
        &all.out,
        &[
            "holds: CounterTest#keeps: safety",
            "holds: CounterTest#throwsAsItShould: safety",
            "holds: CounterTest#leavesOneBehind: safety",
            "violated: CounterTest#loses: safety, uncaught in thread main: java.lang.AssertionError: lost",
            "violated: CounterTest#doesNotThrow: safety",
            "Expected exception: java.lang.IllegalStateException",
            "left is left behind, at CounterTest.java:",
        ],
    );
    assert!(all.err.contains("CounterTest#later is disabled") && !all.out.contains("#later"), "{all:?}");
    let xml = sandbox.read("r.xml");
    let cases = ["keeps", "loses", "doesNotThrow", "throwsAsItShould", "leavesOneBehind", "later"];
    for case in cases {
        assert!(
            xml.contains(&format!("<testcase name=\"{case}\" classname=\"CounterTest\"")),
            "{case}: {xml}"
        );
    }
    assert!(xml.contains("tests=\"6\" failures=\"2\" errors=\"0\" skipped=\"1\""), "{xml}");
    assert!(xml.contains("<failure type=\"assertion\" message=\"uncaught in thread main:"), "{xml}");
    let replay = sandbox.run(&["replay", "CounterTest#loses.trace"]);
    assert!(replay.code == 0 && replay.out.contains("lost"), "{replay:?}");
}

#[test]
fn one_test_can_be_named() {
    let sandbox = Sandbox::new();
    let path = tests(&sandbox, "CounterTest", OLD);
    let args = ["check", "-q", "-cp", &path, "--junit-class", "--certificate", "c", "CounterTest#keeps"];
    let one = sandbox.run(&args);
    assert_eq!((one.code, one.out.lines().count()), (0, 1), "{one:?}");
    let certified = sandbox.run(&["certify", "c", "-cp", &path, "CounterTest#keeps"]);
    assert_eq!(certified.code, 0, "{certified:?}");
    let none = sandbox.run(&["check", "-cp", &path, "--junit-class", "CounterTest#nothing"]);
    assert!(none.code == 2 && none.err.contains("class CounterTest has no test method nothing"), "{none:?}");
    let outcomes = sandbox.run(&["outcomes", "-cp", &path, "CounterTest#loses"]);
    assert_has(&outcomes.out, &["assertion", "exit 0"]);
    let json = sandbox.run(&["check", "--json", "-cp", &path, "--junit-class", "CounterTest"]);
    assert_has(&json.out, &["\"model\": \"CounterTest#keeps\"", "\"model\": \"CounterTest#loses\""]);
}

#[test]
fn newer_libraries_have_other_names() {
    let sandbox = Sandbox::new();
    let source = "
import org.junit.jupiter.api.*;

class NewTest {
    int state;
    @BeforeEach void prepare() { state = 1; }
    @AfterEach void check() { Assertions.same(2, state); }
    @Test void moves() { state++; }
    @Test void fails() { state = 5; }
    @Disabled(\"slow\") @Test void waits() { throw new AssertionError(); }
    static class Assertions {
        static void same(int a, int b) { if (a != b) throw new AssertionError(a + \" and \" + b); }
    }
}
";
    let path = tests(&sandbox, "NewTest", source);
    let run = sandbox.run(&["check", "-q", "-cp", &path, "--junit-class", "NewTest"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_has(&run.out, &["violated: NewTest#fails", "2 and 5", "holds: NewTest#moves"]);
    let sandbox = Sandbox::new();
    let source = "
import org.testng.annotations.*;

@Test
public class OtherTest {
    int state;
    @BeforeMethod public void prepare() { state = 1; }
    public void sees() { if (state != 1) throw new AssertionError(); }
    @Test(enabled = false) public void not() { throw new AssertionError(); }
}
";
    let path = tests(&sandbox, "OtherTest", source);
    let run = sandbox.run(&["check", "-q", "-cp", &path, "--junit-class", "OtherTest"]);
    assert!(run.code == 0 && run.out.contains("holds: OtherTest#sees"), "{run:?}");
    assert!(run.err.contains("OtherTest#not is disabled"), "{run:?}");
}

#[test]
fn what_only_a_runner_could_do_is_unsupported_by_name() {
    let sandbox = Sandbox::new();
    let source = "
import org.junit.*;

public class RuleTest {
    @Rule public Object rule;
    @Test public void works() {}
}
";
    let path = tests(&sandbox, "RuleTest", source);
    let run = sandbox.run(&["check", "-cp", &path, "--junit-class", "RuleTest", "--junit", "r.xml"]);
    assert_eq!(run.code, 3, "{run:?}");
    let what = "@org.junit.Rule of RuleTest without the library's runner: junit 4 is not on the class path";
    assert!(format!("{run:?}").contains(what), "{run:?}");
    let direct = sandbox.run(&["check", "-cp", &path, "RuleTest#works"]);
    assert_eq!(direct.code, 3, "{direct:?}");
    let sandbox = Sandbox::new();
    let path = compiled(&sandbox, "Plain", "public class Plain {}\n");
    let none = sandbox.run(&["check", "-cp", &path, "--junit-class", "Plain"]);
    assert!(none.code == 2 && none.err.contains("class Plain has no test methods"), "{none:?}");
}

const ENDING: &str = "public class Ending {
    static final Object LOCK = new Object();
    static volatile boolean seen;

    public static void main(String[] args) throws Exception {
        Thread left = new Thread(() -> {
            seen = true;
            synchronized (LOCK) {
                try { LOCK.wait(); } catch (InterruptedException e) { }
            }
        }, \"left\");
        left.start();
        if (args.length > 0) left.join();
        System.out.println(seen);
    }
}
";

#[test]
fn a_program_can_end_with_its_main() {
    let sandbox = Sandbox::new();
    let path = compiled(&sandbox, "Ending", ENDING);
    assert_eq!(sandbox.run(&["check", "-q", "-cp", &path, "Ending"]).code, 1);
    let ended = sandbox.run(&["check", "-cp", &path, "--end-with-main", "Ending"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_has(&ended.out, &["left is left behind, at Ending.java:"]);
    let outcomes = sandbox.run(&["outcomes", "-cp", &path, "--end-with-main", "Ending"]);
    assert_has(&outcomes.out, &["| false", "| true", "2 outcomes; there are no others"]);
    // Before the end of main a deadlock is one.
    let stuck = sandbox.run(&["check", "-q", "-cp", &path, "--end-with-main", "Ending", "--", "join"]);
    assert!(stuck.code == 1 && stuck.out.contains("deadlock"), "{stuck:?}");
}
