//! Where a model comes from: standard input, files whose names do not tell the language, class paths with
//! `*`; and what belongs to another language is refused by name.

use crate::java::{classes, compiled, jdk};
use crate::models::RACE;
use crate::{Run, Sandbox};

fn refused(run: &Run, says: &str) {
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{run:?}");
    assert!(run.err.contains(says), "{says}\n{}", run.err);
}

#[test]
fn a_file_without_an_ending_is_recognised_by_its_text() {
    let sandbox = Sandbox::new();
    sandbox.write("garp", RACE);
    let run = sandbox.run(&["check", "garp"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(
        run.err,
        "note: garp is taken for a Promela model because of `proctype` in line 3; --language says otherwise\n"
    );
    let replay = sandbox.run(&["replay", "garp.trace"]);
    assert_eq!((replay.code, replay.err.as_str()), (0, ""), "{replay:?}");
    assert_eq!(sandbox.run(&["check", "--language", "promela", "garp"]).err, "");
    for (name, text) in [("notes.txt", "once and never again"), ("prog.c", "int main(void) { return 0; }\n")]
    {
        sandbox.write(name, text);
        refused(&sandbox.run(&["check", name]), &format!("the language of {name} is not known"));
    }
    refused(&sandbox.run(&["check", "missing"]), "there is no file missing");
}

#[test]
fn a_dash_is_standard_input() {
    let sandbox = Sandbox::new();
    let run = sandbox.run_with(&["check", "-"], RACE);
    assert_eq!(run.code, 1, "{run:?}");
    let last = run.out.lines().last().unwrap();
    assert!(last.starts_with("violated: <stdin>:15: safety, assertion violated: n == 2"), "{last}");
    assert!(run.out.contains("written to stdin.trace"), "{}", run.out);
    // The text is in no file, so the trace has to be given it again.
    refused(&sandbox.run(&["replay", "stdin.trace"]), "came from standard input");
    let again = sandbox.run_with(&["replay", "stdin.trace", "--model", "-"], RACE);
    assert_eq!(again.code, 0, "{again:?}");
    sandbox.write("race.pml", RACE);
    let from_file = sandbox.run(&["replay", "stdin.trace", "--model", "race.pml"]);
    assert_eq!(from_file.code, 0, "{from_file:?}");
    let other = sandbox.run_with(&["replay", "stdin.trace", "--model", "-"], &RACE.replace("== 2", "== 1"));
    refused(&other, "what was checked is not what is there now");
    // Every property of the model sees all of it.
    let claims = "byte x; active proctype p() { x = 1 }\nltl a { [] (x < 2) }\nltl b { <> (x == 1) }\n";
    let run = sandbox.run_with(&["check", "-", "-q"], claims);
    assert_eq!((run.code, run.out.lines().count()), (0, 3), "{run:?}");
    let run = sandbox
        .run_with(&["simulate", "-", "--seed", "1", "-q"], "active proctype p() { printf(\"hi\\n\") }");
    assert_eq!((run.code, run.out.trim()), (0, "hi"), "{run:?}");
    refused(&sandbox.run_with(&["simulate", "-", "-i"], RACE), "the model must be in a file");
    refused(&sandbox.run_with(&["check", "-"], " \n"), "<stdin> is empty");
    refused(&sandbox.run_with(&["check", "-cp", ".", "-"], RACE), "can be a Promela model only");
}

#[test]
fn includes_of_standard_input_are_seen_from_here() {
    let sandbox = Sandbox::new();
    sandbox.write("all.h", RACE);
    let run = sandbox.run_with(&["check", "-"], "#include \"all.h\"\n");
    assert_eq!(run.code, 1, "{run:?}");
}

#[test]
fn what_is_for_another_language_is_refused() {
    let sandbox = Sandbox::with(RACE);
    for command in ["check", "simulate", "graph"] {
        let run = sandbox.run(&[command, "x.pml", "--", "3"]);
        refused(&run, "arguments after -- are for Java programs");
        refused(
            &sandbox.run(&[command, "-D", "N=3", "-cp", classes(), "Deadlock"]),
            "-D is for Promela models",
        );
        let run = sandbox.run(&[command, "--no-assertions", "-cp", classes(), "Deadlock"]);
        refused(&run, "--no-assertions is for Promela models");
        let run = sandbox.run(&[command, "--no-end-states", "-cp", classes(), "Deadlock"]);
        refused(&run, "--no-end-states is for Promela models");
    }
}

#[test]
fn a_star_on_the_class_path_means_all_jar_files() {
    let sandbox = Sandbox::new();
    let classes = compiled(
        &sandbox,
        "Main",
        "public class Main { public static void main(String[] a) { assert a.length == Helper.value(); } }
        class Helper { static int value() { return 1; } }",
    );
    for (jar, class) in [("a.jar", "Main.class"), ("b.JAR", "Helper.class")] {
        std::fs::create_dir_all(sandbox.0.join("dir/lib")).unwrap();
        let file = sandbox.0.join("dir/lib").join(jar);
        jdk("jar", |command| command.arg("cf").arg(&file).arg("-C").arg(&classes).arg(class));
    }
    sandbox.write("dir/lib/notes.txt", "no jar file");
    let run = sandbox.run(&["check", "-cp", "dir/lib/*", "Main"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(sandbox.run(&["check", "-q", "-cp", "dir/lib/*", "Main", "--", "x"]).code, 0);
    let replay = sandbox.run(&["replay", "Main.trace"]);
    assert_eq!(replay.code, 0, "{replay:?}");
    // The trace is of these jar files and no others.
    std::fs::copy(sandbox.0.join("dir/lib/a.jar"), sandbox.0.join("dir/lib/c.jar")).unwrap();
    refused(&sandbox.run(&["replay", "Main.trace"]), "c.jar");
    sandbox.write("none/notes.txt", "no jar file");
    let run = sandbox.run(&["check", "-q", "-cp", "dir/lib/*:none/*", "Main", "--", "x"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.contains("none/* on the class path names no jar file"), "{}", run.err);
}
