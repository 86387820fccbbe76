//! Each `console` block of the README shows what its commands print.
//!
//! One worker searches, so that a page is right or wrong on every machine. Depth, times, memory and what is said of
//! workers differ, and are not compared.

use super::java::{EXAMPLES, classes, jdk};
use super::{Run, Sandbox};
use std::fs;
use std::path::Path;

const README: &str = include_str!("../../../../README.md");

/// A command with the output that the page shows.
struct Shown {
    command: String,
    output: Vec<String>,
}

fn shown() -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    for block in README.split("```console\n").skip(1) {
        let (block, _) = block.split_once("```").expect("the block ends");
        for line in block.lines() {
            match (line.strip_prefix("$ "), all.last_mut()) {
                (Some(command), _) => all.push(Shown { command: command.into(), output: Vec::new() }),
                (None, Some(last)) => last.output.push(comparable(line)),
                (None, None) => panic!("output before the first command: {line}"),
            }
        }
    }
    all
}

/// A line without what differs from run to run, and from machine to machine.
fn comparable(line: &str) -> String {
    for label in ["  depth ", "  time ", "  memory "] {
        if line.starts_with(label) {
            return label.into();
        }
    }
    let is_figure = |label| line.starts_with(label);
    let end = match () {
        () if is_figure("  search ") => line.rfind(", "),
        () if is_figure("  transitions ") => line.find("  (counts may differ"),
        () => line.find(" states in "),
    };
    line[..end.unwrap_or(line.len())].into()
}

/// The examples, where a reader of the page has them.
fn copy_examples(sandbox: &Sandbox) {
    let root = Path::new(EXAMPLES).parent().expect("it is in a directory");
    for language in ["java", "promela"] {
        for entry in fs::read_dir(root.join(language)).expect("there are examples") {
            let file = entry.expect("an entry").path();
            if file.is_file() {
                let name = file.file_name().expect("it has a name").to_string_lossy().into_owned();
                sandbox.write(&format!("examples/{language}/{name}"), fs::read(&file).expect("it is there"));
            }
        }
    }
}

fn run(sandbox: &Sandbox, command: &str) -> Option<Run> {
    let words: Vec<&str> = command.split(' ').collect();
    match words[..] {
        // The examples are compiled once for all tests.
        ["javac", "-d", "/tmp/classes", "examples/java/*.java"] => {
            jdk("javac", |javac| javac.arg("-version"));
            None
        }
        ["allways", ref args @ ..] => {
            let here = |word: &&str| if *word == "/tmp/classes" { classes() } else { *word }.to_owned();
            let args: Vec<String> = args.iter().map(here).chain(["--workers=1".into()]).collect();
            Some(sandbox.run(&args.iter().map(String::as_str).collect::<Vec<_>>()))
        }
        _ => panic!("the test cannot run {command}"),
    }
}

#[test]
fn the_readme_shows_what_is_printed() {
    let sandbox = Sandbox::new();
    copy_examples(&sandbox);
    let mut n_lines = 0;
    for Shown { command, output } in shown() {
        let Some(run) = run(&sandbox, &command) else { continue };
        let printed: Vec<String> = run.err.lines().chain(run.out.lines()).map(comparable).collect();
        let trimmed = |lines: &[String]| lines.join("\n").trim_end().to_owned();
        assert_eq!(trimmed(&printed), trimmed(&output), "{command}\n{}\n{}", run.err, run.out);
        n_lines += output.len();
    }
    assert!(n_lines > 50, "the page shows output");
}
