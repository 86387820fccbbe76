//! Exit statuses of Java programs: one that says that the program failed is a violation.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{assert_has, compiled};

/// A test as an old runner runs it: it catches what fails and ends with status 1.
const SOURCE: &str = "public class Runner {
    static int counter;

    static void test() throws Exception {
        Thread other = new Thread(() -> counter++);
        other.start();
        counter++;
        other.join();
        if (counter != 2) throw new AssertionError(\"lost\");
    }

    public static void main(String[] args) throws Exception {
        boolean passed = true;
        try {
            test();
        } catch (AssertionError e) {
            System.out.println(\"Failures: 1\");
            passed = false;
        }
        if (args[0].equals(\"halt\")) Runtime.getRuntime().halt(passed ? 0 : 3);
        System.exit(passed ? 0 : Integer.parseInt(args[0]));
    }
}
";

#[test]
fn a_status_other_than_zero_is_a_violation_with_its_run() {
    let sandbox = Sandbox::new();
    let path = compiled(&sandbox, "Runner", SOURCE);
    let args = ["check", "-cp", &path, "--junit", "r.xml", "Runner", "--", "1"];
    let found = sandbox.run(&args);
    assert_eq!(found.code, 1, "{found:?}");
    let words = "thread main ends the process with exit status 1";
    assert_has(&found.out, &[words, "Failures: 1", "violated: Runner", "Runner.java:21"]);
    let xml = sandbox.read("r.xml");
    assert!(xml.contains("type=\"exit\"") && xml.contains(words), "{xml}");
    let replay = sandbox.run(&["replay", "Runner.trace"]);
    assert!(replay.code == 0 && replay.out.contains(words), "{replay:?}");
    let json = sandbox.run(&["check", "-cp", &path, "--json", "Runner", "--", "halt"]);
    assert_has(&json.out, &["\"kind\": \"exit\"", "exit status 3"]);
}

#[test]
fn statuses_can_be_allowed() {
    let sandbox = Sandbox::new();
    let path = compiled(&sandbox, "Runner", SOURCE);
    let code = |list: &str, status: &str| {
        sandbox.run(&["check", "-cp", &path, "--allow-exit", list, "Runner", "--", status]).code
    };
    assert_eq!(code("1,2", "1"), 0);
    assert_eq!(code("1,2", "2"), 0);
    assert_eq!(code("1,2", "3"), 1);
    assert_eq!(code("3", "halt"), 0);
    assert_eq!(code("255", "-1"), 1);
    let outcomes = |list: &str| {
        let run =
            sandbox.run(&["outcomes", "-cp", &path, "--allow-exit", list, "--json", "Runner", "--", "2"]);
        run.out
    };
    let (failed, passed) = (outcomes("1"), outcomes("2"));
    assert_has(&failed, &["\"verdict\": \"violated\"", "\"status\": 0", "\"status\": 2"]);
    assert_has(&passed, &["\"verdict\": \"holds\"", "\"status\": 0", "\"status\": 2"]);
    let args = ["check", "-cp", &path, "--allow-exit", "0", "Runner", "--", "1"];
    let refused = sandbox.run(&args);
    assert!(refused.code == 2 && refused.err.contains("from 1 to 255"), "{refused:?}");
}
