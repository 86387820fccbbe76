//! What only `javac` 25 makes of a program, kept as class files: tests run on older JDKs too.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{assert_has, jdk};

/// Written by `javac` 25 from `Areas.java` beside them.
const AREAS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/java25");

/// What `java` prints.
const SHOWN: &str = "exit 0, after 1 step
  | large
  | none
  | circle 3
  | wide
  | narrow
  | box 2 2.5
  | x false
  | on
  | off
  | null
  | other
";

#[test]
fn switches_over_primitive_components_of_records() {
    let sandbox = Sandbox::new();
    // JDKs before 21 do not have this one; code with pattern switches names it.
    let text = "package java.lang;
public final class MatchException extends RuntimeException {
    public MatchException(String message, Throwable cause) { super(message, cause); }
}
";
    sandbox.write("src/java/lang/MatchException.java", text);
    let (source, out) = (sandbox.0.join("src"), sandbox.0.join("out"));
    jdk("javac", |command| {
        let patch = format!("java.base={}", source.display());
        command.arg("--patch-module").arg(patch).arg("-d").arg(&out);
        command.arg(source.join("java/lang/MatchException.java"))
    });
    let path = std::env::join_paths([AREAS.into(), out]).unwrap();
    let run = sandbox.run(&["outcomes", "-cp", path.to_str().unwrap(), "Areas"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_has(&run.out, &[SHOWN]);
}
