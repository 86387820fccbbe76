//! Where the classes of a Java program come from: a class file, a jar file, and the classes that come with
//! the binary.
//!
//! Needs a JDK with `javac`, `jar` and `javap`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{API, assert_has, classes, copy_class, jdk, refused};
use std::path::Path;
use std::process::Command;

#[test]
fn a_class_file_by_its_name() {
    let sandbox = Sandbox::new();
    copy_class(&sandbox, "Deadlock.class", "Deadlock.class");
    let run = sandbox.run(&["check", "Deadlock.class"]);
    assert_eq!(run.code, 1, "{run:?}");
    copy_class(&sandbox, "shop/Till.class", "out/shop/Till.class");
    let run = sandbox.run(&["check", "out/shop/Till.class"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_has(&run.out, &["Till.java:11", "shop.Till.main", "Till.total: "]);
    assert_eq!(sandbox.run(&["check", "-q", "-cp", "out", "shop/Till"]).code, 1);
    copy_class(&sandbox, "shop/Till.class", "Till.class");
    refused(&sandbox, &["check", "Till.class"], "holds class shop.Till, and is not where that belongs");
}

#[test]
fn a_jar_file() {
    let sandbox = Sandbox::new();
    let jar = |args: &[&str]| {
        jdk("jar", |command| {
            command.current_dir(&sandbox.0).args(args).args(["-C", classes(), "shop/Till.class"])
        });
    };
    jar(&["--create", "--file", "till.jar", "--main-class", "shop.Till"]);
    let run = sandbox.run(&["check", "till.jar"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_has(&run.out, &["Till.java:11", "written to till.jar.trace"]);
    assert_eq!(sandbox.run(&["replay", "till.jar.trace"]).code, 0);
    jar(&["--create", "--file", "plain.jar"]);
    refused(&sandbox, &["check", "plain.jar"], "names no main class; use -cp plain.jar and its name");
    assert_eq!(sandbox.run(&["check", "-q", "-cp", "plain.jar", "shop.Till"]).code, 1);
    sandbox.write("text.jar", "not a jar");
    refused(&sandbox, &["check", "text.jar"], "text.jar");
    refused(&sandbox, &["check", "missing.jar"], "missing.jar");
}

#[test]
fn the_api_comes_with_the_binary_and_runs_on_any_machine() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["java-api", "api"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_has(&run.out, &["allways-choose.jar", "Choose.java"]);
    let (jar, source) = (sandbox.0.join("api/allways-choose.jar"), sandbox.0.join("api/allways/Choose.java"));
    assert_eq!(
        std::fs::read_to_string(&source).expect("it was written"),
        std::fs::read_to_string(API).expect("it is there")
    );
    // The classes in the jar are those of the source.
    let compiled = sandbox.0.join("compiled");
    jdk("javac", |command| command.arg("-d").arg(&compiled).arg(&source));
    let shown = |path: &Path| {
        let output = Command::new("javap")
            .args(["-private", "-constants", "-c", "-cp"])
            .arg(path)
            .args(["allways.Choose", "allways.Choose$Plain", "allways.Choose$Rejected"])
            .output()
            .expect("javap is installed");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(shown(&jar), shown(&compiled));
    // A program runs with it, here and on a real machine.
    let program = sandbox.0.join("Coin.java");
    let text = "public class Coin { public static void main(String[] a) { System.out.println(allways.Choose.range(3, 4)); } }";
    std::fs::write(&program, text).expect("it can be written");
    jdk("javac", |command| command.arg("-cp").arg(&jar).arg("-d").arg(sandbox.0.join("coin")).arg(&program));
    let path = format!("{}:{}", sandbox.0.join("coin").display(), jar.display());
    let output = Command::new("java").args(["-cp", &path, "Coin"]).output().expect("java is installed");
    assert!(matches!(&*output.stdout, b"3\n" | b"4\n"), "{output:?}");
    let run = sandbox.run(&["outcomes", "-cp", &path, "Coin"]);
    assert_has(&run.out, &["| 3", "| 4", "2 outcomes; there are no others"]);
}
