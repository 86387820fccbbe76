//! Tests of JUnit 4 and 5 and mocks of Mockito, by the libraries themselves: jar files where Debian's
//! packages put them (`junit4`, `junit5`, `libmockito-java`); and programs in Kotlin and Scala (`kotlin`,
//! `scala`). Where they are missing, the tests say so and do nothing.

use crate::Sandbox;
use crate::java::{assert_has, jdk};
use std::path::{Path, PathBuf};
use std::process::Command;

const JARS: &str = "/usr/share/java";
const OLD: [&str; 2] = ["junit4", "hamcrest-all"];
const NEW: [&str; 9] = [
    "junit-jupiter-api",
    "junit-jupiter-engine",
    "junit-jupiter-params",
    "junit-platform-commons",
    "junit-platform-engine",
    "junit-platform-launcher",
    "opentest4j",
    "apiguardian-api",
    "univocity-parsers",
];
const MOCKS: [&str; 6] =
    ["junit4", "hamcrest-all", "mockito-core", "byte-buddy", "byte-buddy-agent", "objenesis"];

/// The class path with these libraries, if they are there.
fn path_with(jars: &[&str]) -> Option<String> {
    let jars: Vec<PathBuf> = jars.iter().map(|jar| Path::new(JARS).join(format!("{jar}.jar"))).collect();
    if let Some(missing) = jars.iter().find(|jar| !jar.is_file()) {
        eprintln!("skipped: {} is not there", missing.display());
        return None;
    }
    let jars = jars.iter().map(|jar| jar.display().to_string());
    Some(std::iter::once("classes".to_owned()).chain(jars).collect::<Vec<_>>().join(":"))
}

/// Compiles a test class and checks its tests: those whose names begin with `fails` are violated, the others
/// hold.
fn check(class: &str, jars: &[&str], expected: &[&str]) {
    let Some(path) = path_with(jars) else { return };
    let sandbox = Sandbox::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/cli/frameworks/{class}.java"));
    jdk("javac", |command| {
        command.current_dir(&sandbox.0).args(["-g", "-d", "classes", "-cp", &path]).arg(&source)
    });
    let run = sandbox.run(&["check", "-q", "-cp", &path, "--junit-class", class]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_has(&run.out, expected);
    for line in run.out.lines() {
        let (_, name) = line.split_once('#').unwrap_or_else(|| panic!("{line} in {run:?}"));
        let verdict = if name.starts_with("fails") { "violated: " } else { "holds: " };
        assert!(line.starts_with(verdict), "{line} in {run:?}");
    }
}

#[test]
fn rules_of_junit_4() {
    check(
        "RuleTest",
        &OLD,
        &[
            "RuleTest#fails: safety, uncaught in thread main: java.lang.AssertionError: expected:<2> but was:<1>",
            "RuleTest#failsUnthrown: safety",
            "Expected test to throw an instance of java.lang.IllegalStateException",
            "RuleTest#holds: safety",
            "RuleTest#holdsInTime: safety",
            "RuleTest#holdsWhenThrown: safety",
        ],
    );
}

#[test]
fn parameters_of_junit_4() {
    check("SquareTest", &OLD, &["SquareTest#fails: safety", "SquareTest#holds: safety"]);
}

#[test]
fn junit_5() {
    check(
        "NewTest",
        &NEW,
        &[
            "NewTest#failsForOne: safety, uncaught in thread main: org.opentest4j.AssertionFailedError: expected: <8> but was: <9>",
            "NewTest#failsInARace: safety, uncaught in thread main: org.opentest4j.AssertionFailedError: expected: <2> but was: <1>",
            "NewTest#failsInOneMade: safety",
            "NewTest#failsNotGiven: safety, uncaught in thread main: org.junit.jupiter.api.extension.ParameterResolutionException",
            "NewTest#holds: safety",
            "NewTest#holdsAgain: safety",
            "NewTest#holdsForEach: safety",
            "NewTest#holdsForLetters: safety",
            "NewTest#holdsWhenGiven: safety",
            "NewTest$Inner#fails: safety",
            "NewTest$Inner#holds: safety",
        ],
    );
}

#[test]
fn mocks() {
    check(
        "MockTest",
        &MOCKS,
        &["MockTest#failsIfNotCalled: safety", "MockTest#holds: safety", "#holdsForAClass"],
    );
}

/// Compiles a program of another language and lists its outcomes; with an argument it takes a lock.
fn check_language(compiler: &str, file: &str, (main, library): (&str, &str), expected: [&str; 2]) {
    let library = Path::new(JARS).join(format!("{library}.jar"));
    if !library.is_file() {
        eprintln!("skipped: {} is not there", library.display());
        return;
    }
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.0.join("classes")).expect("the sandbox is writable");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/frameworks").join(file);
    let made = Command::new(compiler).current_dir(&sandbox.0).args(["-d", "classes"]).arg(source).output();
    let Ok(made) = made else {
        eprintln!("skipped: there is no {compiler}");
        return;
    };
    assert!(made.status.success(), "{made:?}");
    let path = format!("classes:{}", library.display());
    let [one, other] = expected;
    let run = sandbox.run(&["outcomes", "-cp", &path, main]);
    assert_has(&run.out, &[one, other, "2 outcomes; there are no others"]);
    let run = sandbox.run(&["outcomes", "-cp", &path, main, "--", "safely"]);
    assert_has(&run.out, &[other, "1 outcome; there are no others"]);
}

#[test]
fn kotlin() {
    let points = "[Point(x=3, y=8), Point(x=1, y=4)]";
    let expected = [1, 2].map(|n| format!("| {n} {points}"));
    let main = ("MainKt", "kotlin-stdlib");
    check_language("kotlinc", "Main.kt", main, [&expected[0], &expected[1]]);
}

#[test]
fn scala() {
    let expected = ["| 1 List(2, 4, 6)", "| 2 List(2, 4, 6)"];
    check_language("scalac", "Main.scala", ("Main", "scala-library"), expected);
}

#[test]
fn a_library_without_its_runner_is_named() {
    let Some(path) = path_with(&NEW) else { return };
    let sandbox = Sandbox::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/frameworks/NewTest.java");
    jdk("javac", |command| {
        command.current_dir(&sandbox.0).args(["-g", "-d", "classes", "-cp", &path]).arg(&source)
    });
    let bare: Vec<&str> = path.split(':').filter(|jar| !jar.ends_with("launcher.jar")).collect();
    let run = sandbox.run(&["check", "-q", "-cp", &bare.join(":"), "--junit-class", "NewTest#holds"]);
    assert_eq!(run.code, 3, "{run:?}");
    let what = "@NewTest$Prepared of NewTest without the library's runner: junit-platform-launcher is not on the class path";
    assert!(format!("{run:?}").contains(what), "{run:?}");
}
