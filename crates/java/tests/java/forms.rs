//! States written down in other forms: verdicts stay the same, and each form is worth what it is meant for.

use crate::compile;
use crate::examples::verdict;
use allways_java::{ClassPath, Collect, Form, Options, Program, Setup};
use std::path::{Path, PathBuf};

/// One thing turned off at a time; the first is the usual form.
fn forms() -> Vec<(&'static str, Form)> {
    let usual = Form::default();
    let without = |part: &str| {
        let mut form = usual;
        assert!(form.turn_off(part), "{part} can be turned off");
        form
    };
    let mut forms = vec![("usual", usual)];
    forms.extend(Form::PARTS.map(|part| (part, without(part))));
    forms.push(("counted", Form { collect: Collect::Count, ..usual }));
    forms.push(("kept", Form { collect: Collect::Nothing, ..usual }));
    forms
}

/// The verdict and the number of states of a program, for each form.
fn judged(directory: &Path, main: &str, args: &[&str]) -> Vec<(&'static str, String, u64)> {
    let args: Vec<String> = args.iter().map(ToString::to_string).collect();
    let judge = |(name, form)| {
        let mut path = ClassPath::default();
        path.push(directory).expect("the directory is there");
        let options = Options { form, ..Options::default() };
        let setup = Setup { jdk: None, main, args: &args, options, sources: Vec::new() };
        let (verdict, states) = verdict(&Program::new(&setup, path).expect("the program loads"));
        (name, verdict, states)
    };
    forms().into_iter().map(judge).collect()
}

fn compiled(place: &str, name: &str) -> PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(place);
    let files: Vec<PathBuf> = std::fs::read_dir(sources)
        .expect("the programs are there")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|file| file.extension().is_some_and(|ending| ending == "java"))
        .collect();
    let directory = compile::directory(name);
    compile::javac(&files, &directory);
    directory
}

#[test]
fn verdicts_are_the_same_in_every_form() {
    let directory = compiled("examples/java", "forms-examples");
    for (main, args, expected) in [
        ("Deadlock", &[][..], "deadlock"),
        ("LostUpdate", &[], "assertion"),
        ("BoundedBuffer", &["ok", "1", "1", "1", "2"], "holds"),
        ("BoundedBuffer", &["broken", "1", "2", "1", "2"], "deadlock"),
    ] {
        for (form, verdict, _) in judged(&directory, main, args) {
            assert_eq!(verdict, expected, "{main} {args:?}, {form}");
        }
    }
}

#[test]
fn each_form_is_worth_something() {
    let directory = compiled("benches/java", "forms-benches");
    let states = |found: &[(&str, String, u64)], form: &str| {
        found.iter().find(|(name, ..)| *name == form).expect("it was judged").2
    };
    let garbage = judged(&directory, "TempObj", &["2", "3"]);
    assert!(states(&garbage, "kept") > states(&garbage, "usual"), "{garbage:?}");
    assert_eq!(states(&garbage, "counted"), states(&garbage, "usual"), "{garbage:?}");
    let symmetric = judged(&directory, "SymmetricBuffer", &["2", "2", "1", "2"]);
    assert!(states(&symmetric, "symmetry") > states(&symmetric, "usual"), "{symmetric:?}");
    for found in garbage.iter().chain(&symmetric) {
        assert_eq!(found.1, "holds", "{found:?}");
    }
    for found in [&garbage, &symmetric] {
        assert_eq!(states(found, "undo"), states(found, "usual"), "{found:?}");
    }
}
