//! Small programs with threads: the verdict, and every output that is possible.

use crate::compile;
use crate::litmus::{Searched, outcomes};
use allways_java::{ClassPath, Options, Program, Setup};
use allways_search::{StoreKind, Strategy};
use allways_testkit::random_java::Kind;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a program's first lines say about it.
struct Expected {
    class: String,
    verdict: String,
    outputs: Option<BTreeSet<String>>,
}

fn expectations() -> Vec<(PathBuf, Expected)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/concurrent");
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut found = Vec::new();
    let list = |directory: PathBuf| std::fs::read_dir(directory).expect("the programs are there");
    for entry in list(directory.clone()).chain(list(directory.join("choose"))) {
        let file = entry.expect("it can be read").path();
        if file.extension().is_none_or(|ending| ending != "java") || !file.to_string_lossy().contains(&only) {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("it can be read");
        let line = |key: &str| {
            text.lines().find_map(|line| line.strip_prefix(&format!("// {key}: ")).map(str::to_owned))
        };
        let expected = Expected {
            class: file.file_stem().expect("it has a name").to_string_lossy().into_owned(),
            verdict: line("expect").unwrap_or_else(|| panic!("{} expects nothing", file.display())),
            outputs: line("outcomes").map(|list| list.split('|').map(str::to_owned).collect()),
        };
        found.push((file, expected));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

/// What is wrong with what was found, if anything is; `None` for a program with too many states.
fn judge(program: &Program, expected: &Expected, most: u64) -> Option<Result<u64, String>> {
    let searched = match outcomes(program, Strategy::Bfs, StoreKind::Collapse, 2, most) {
        Searched::All(found, states) => (found, states),
        Searched::TooMany => return None,
        Searched::Unsupported(what) => return Some(Err(what)),
    };
    let (found, states) = searched;
    let kinds: BTreeSet<&str> =
        found.iter().filter(|o| o.kind != Kind::Exit).map(|o| o.kind.name()).collect();
    let wanted = match expected.verdict.split(' ').next() {
        Some("holds") => BTreeSet::new(),
        Some(kind) => BTreeSet::from([kind]),
        None => return Some(Err("no verdict is expected".into())),
    };
    if kinds != wanted {
        return Some(Err(format!("{kinds:?} instead of {}", expected.verdict)));
    }
    if let Some(outputs) = &expected.outputs {
        let printed: BTreeSet<String> =
            found.iter().map(|o| o.output.trim_end_matches('\n').to_owned()).collect();
        let missing: Vec<_> = outputs.difference(&printed).collect();
        let wrong: Vec<_> = printed.difference(outputs).collect();
        if !missing.is_empty() || !wrong.is_empty() {
            return Some(Err(format!("missing {missing:?}, wrong {wrong:?}")));
        }
    }
    Some(Ok(states))
}

/// Holds every program to what it says about itself.
pub(crate) fn check(options: Options) {
    let most: u64 = std::env::var("MAX").ok().and_then(|text| text.parse().ok()).unwrap_or(30_000);
    let programs = expectations();
    let directory = compile::directory(&format!("concurrent{}", options.jdk_locks));
    let mut files: Vec<PathBuf> = programs.iter().map(|program| program.0.clone()).collect();
    files.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("api/src/allways/Choose.java"));
    compile::javac(&files, &directory);
    let options = Options { keep_output: true, ..options };
    let load = |class: &str| {
        let mut path = ClassPath::default();
        path.push(&directory).expect("the directory is there");
        let setup = Setup { jdk: None, main: class, args: &[], options, sources: Vec::new() };
        Program::new(&setup, path).expect("the program loads")
    };
    let base = load(&programs[0].1.class);
    let mut wrong = Vec::new();
    let mut large = Vec::new();
    for (file, expected) in &programs {
        // Locks of a program's own run on the JDK's class, which is chosen when the class library is started.
        let text = std::fs::read_to_string(file).expect("it can be read");
        let program = if text.contains("extends AbstractQueuedSynchronizer") {
            load(&expected.class)
        } else {
            base.sibling(&expected.class, &[], options).expect("the program loads")
        };
        match judge(&program, expected, most) {
            None => large.push(expected.class.clone()),
            Some(Ok(_)) => {}
            Some(Err(how)) => wrong.push(format!("{}: {how}", expected.class)),
        }
    }
    println!("{} programs; more than {most} states: {}", programs.len(), large.join(", "));
    assert!(wrong.is_empty(), "{} of {} programs differ:\n{}", wrong.len(), programs.len(), wrong.join("\n"));
}

#[test]
fn verdicts_and_outputs_are_as_expected() {
    check(Options::default());
}
