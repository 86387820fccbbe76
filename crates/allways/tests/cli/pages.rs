//! The README and the pages of `docs/` show what their commands print.
//!
//! Each page is followed from top to bottom in a directory of its own, with the examples in it:
//! - a `console` block is run by a shell and compared with what the commands print, messages before results.
//!   `...` stands for any lines. Commands that show no output are run, and their output is not compared;
//! - a block with a file name after its language is that file, or, with `:FROM-TO`, replaces these lines of
//!   it;
//! - `<!-- sh: COMMAND -->` does what the text around it asks the reader to do.
//!
//! One worker searches, so that a page is right or wrong on every machine. Depth, times, memory, what is said
//! of workers, and line numbers within the JDK differ from machine to machine, and are not compared.

use super::Sandbox;
use super::java::{EXAMPLES, jdk};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a block of a page is.
enum Block {
    /// Commands, each with the lines that the page shows below it.
    Console(Vec<(String, Vec<String>)>),
    /// A file, or the lines of it that the block replaces.
    File { name: String, lines: Option<(usize, usize)>, text: String },
    /// What the reader is asked to do.
    Shell(String),
}

/// The blocks of a page, in order.
fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(command) = line.strip_prefix("<!-- sh: ").and_then(|rest| rest.strip_suffix(" -->")) {
            blocks.push(Block::Shell(command.into()));
        }
        let Some(info) = line.strip_prefix("```") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
        match info.split_once(' ') {
            _ if info == "console" => blocks.push(Block::Console(commands(&body))),
            Some((_, file)) => blocks.push(file_block(file, &body)),
            None => {}
        }
    }
    blocks
}

fn commands(body: &[&str]) -> Vec<(String, Vec<String>)> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for line in body {
        match (line.strip_prefix("$ "), all.last_mut()) {
            (Some(command), _) => all.push((command.into(), Vec::new())),
            (None, Some((_, output))) => output.push(comparable(line)),
            (None, None) => panic!("output before the first command: {line}"),
        }
    }
    all
}

fn file_block(info: &str, body: &[&str]) -> Block {
    let text = body.iter().map(|line| format!("{line}\n")).collect();
    let (name, range) = info.split_once(':').map_or((info, None), |(name, range)| (name, Some(range)));
    let number = |text: &str| text.parse().expect("a line number");
    let lines = range.map(|range| {
        let (from, to) = range.split_once('-').expect("two line numbers");
        (number(from), number(to))
    });
    Block::File { name: name.into(), lines, text }
}

/// A line without what differs from run to run, and from machine to machine.
fn comparable(line: &str) -> String {
    for label in ["  depth ", "  time ", "  memory "] {
        if line.starts_with(label) {
            return label.into();
        }
    }
    let begins = |label| line.starts_with(label);
    let end = match () {
        () if begins("  search ") => line.rfind(", "),
        () if begins("  transitions ") => line.find("  (counts may differ"),
        () if begins("    at java.base/") => line.rfind(':'),
        () => line.find(" states in "),
    };
    line[..end.unwrap_or(line.len())].trim_end().into()
}

/// Whether what is printed is what the page shows.
fn agrees(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line == "..." => (0..=printed.len()).any(|n| agrees(rest, &printed[n..])),
        Some((line, rest)) => printed.first() == Some(line) && agrees(rest, &printed[1..]),
    }
}

/// A directory in which pages are followed.
struct Desktop {
    sandbox: Sandbox,
    /// Where the shell is.
    here: PathBuf,
    /// How the last command ended.
    status: i32,
}

impl Desktop {
    /// With the examples where the repository has them, and the models beside the reader too.
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let root = Path::new(EXAMPLES).parent().expect("it is in a directory");
        for language in ["java", "promela"] {
            for entry in fs::read_dir(root.join(language)).expect("there are examples") {
                let file = entry.expect("an entry").path();
                if file.is_file() {
                    let name = file.file_name().expect("it has a name").to_string_lossy().into_owned();
                    let bytes = fs::read(&file).expect("it is there");
                    if language == "promela" {
                        sandbox.write(&name, &bytes);
                    }
                    sandbox.write(&format!("examples/{language}/{name}"), bytes);
                }
            }
        }
        // `allways`, with one worker unless the page says otherwise.
        let program = env!("CARGO_BIN_EXE_allways");
        let script = format!(
            "#!/bin/sh\ncase \"$*\" in\n*--workers*) ;;\n\
             check\\ *|outcomes\\ *) command=$1; shift; set -- $command --workers=1 \"$@\" ;;\nesac\n\
             exec '{program}' \"$@\"\n"
        );
        sandbox.write(".bin/allways", script);
        let executable = Command::new("chmod").arg("+x").arg(sandbox.0.join(".bin/allways")).status();
        assert!(executable.is_ok_and(|status| status.success()));
        let here = sandbox.0.clone();
        Self { sandbox, here, status: 0 }
    }

    /// Runs a command where the last one has left the shell; what is printed, messages first.
    fn run(&mut self, command: &str) -> Vec<String> {
        let root = self.sandbox.0.to_string_lossy().into_owned();
        let command = command.replace("/tmp/classes", &format!("{root}/classes"));
        let status = self.status;
        let line = format!("(exit {status}); {command}\ns=$?; pwd > '{root}/.here'; exit $s");
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("sh")
            .args(["-c", &line])
            .current_dir(&self.here)
            .env("PATH", format!("{root}/.bin:{path}"))
            .output()
            .expect("there is a shell");
        self.here = self.sandbox.read(".here").trim_end().into();
        self.status = output.status.code().unwrap_or(-1);
        let text = [output.stderr, output.stdout].map(|bytes| String::from_utf8(bytes).expect("it is text"));
        text.iter().flat_map(|text| text.lines()).map(comparable).collect()
    }

    fn write(&self, name: &str, lines: Option<(usize, usize)>, text: &str) {
        let text = match lines {
            None => text.to_owned(),
            Some((from, to)) => {
                let old = fs::read_to_string(self.here.join(name)).expect("the page has made this file");
                let keep = |line: &str| format!("{line}\n");
                let before: String = old.lines().take(from - 1).map(keep).collect();
                let after: String = old.lines().skip(to).map(keep).collect();
                before + text + &after
            }
        };
        let path = self.here.join(name);
        fs::create_dir_all(path.parent().expect("it is in a directory")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }
}

/// Follows a page, and gives the number of lines that were compared.
fn follow(name: &str, page: &str) -> usize {
    let mut desktop = Desktop::new();
    let mut n_compared = 0;
    for block in blocks(page) {
        match block {
            Block::File { name, lines, text } => desktop.write(&name, lines, &text),
            Block::Shell(command) => {
                let printed = desktop.run(&command);
                assert_eq!(desktop.status, 0, "{name}: {command}: {}", printed.join("\n"));
            }
            // No Maven here, and no network for it.
            Block::Console(commands) if commands.iter().any(|(command, _)| command.starts_with("mvn")) => {}
            Block::Console(commands) => {
                for (command, mut shown) in commands {
                    let mut printed = desktop.run(&command);
                    for lines in [&mut shown, &mut printed] {
                        while lines.last().is_some_and(String::is_empty) {
                            lines.pop();
                        }
                    }
                    let (there, here) = (printed.join("\n"), shown.join("\n"));
                    let is_right = shown.is_empty() || agrees(&shown, &printed);
                    assert!(is_right, "{name}: $ {command}\n--- printed\n{there}\n--- shown\n{here}");
                    n_compared += shown.len();
                }
            }
        }
    }
    n_compared
}

macro_rules! pages {
    ($($test:ident: $file:literal, at least $least:literal lines;)*) => {
        $(#[test]
        fn $test() {
            jdk("javac", |javac| javac.arg("-version"));
            let n_compared = follow($file, include_str!(concat!("../../../../", $file)));
            assert!(n_compared + 1 > $least, "{} compares {n_compared} lines", $file);
        })*

        /// Pages with output that no test follows.
        #[test]
        fn no_page_is_forgotten() {
            let docs = Path::new(EXAMPLES).parent().and_then(Path::parent).expect("the root").join("docs");
            for entry in fs::read_dir(docs).expect("there are pages") {
                let path = entry.expect("an entry").path();
                let name = format!("docs/{}", path.file_name().expect("a name").to_string_lossy());
                let is_followed = [$($file),*].contains(&name.as_str());
                let shows = fs::read_to_string(&path).is_ok_and(|page| page.contains("```console"));
                assert!(is_followed || !shows, "{name} is not followed");
            }
        }
    };
}

pages! {
    the_readme: "README.md", at least 50 lines;
    certificates: "docs/certificates.md", at least 30 lines;
    models_with_pointers: "docs/dspin.md", at least 80 lines;
    java_programs: "docs/java.md", at least 50 lines;
    a_flaky_test: "docs/java-flaky-test.md", at least 80 lines;
    junit_files: "docs/junit.md", at least 1 lines;
    runs_without_end: "docs/liveness.md", at least 20 lines;
    bounded_memory: "docs/memory.md", at least 0 lines;
    searches: "docs/searches.md", at least 8 lines;
    traces: "docs/traces.md", at least 15 lines;
}

#[test]
fn dots_stand_for_any_lines() {
    let lines = |text: &str| text.lines().map(String::from).collect::<Vec<_>>();
    assert!(agrees(&lines("a\n...\nd"), &lines("a\nb\nc\nd")));
    assert!(agrees(&lines("...\na"), &lines("a")));
    assert!(!agrees(&lines("a\n...\nd"), &lines("a\nb\nc")));
    assert!(!agrees(&lines("a"), &lines("a\nb")));
}
