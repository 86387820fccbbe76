//! Files on the class path: in a directory and in a jar file, a program finds what it finds under `java`.

use crate::compile;
use crate::programs::{by_java, by_machine};
use allways_java::{ClassPath, Options, Program, Setup};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Classes and resources in a directory, and in a jar file.
fn places() -> [PathBuf; 2] {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/resources");
    let directory = compile::directory("resources");
    let classes = directory.join("with space");
    std::fs::create_dir_all(&classes).expect("the directory is writable");
    compile::javac(&[sources.join("Bundled.java")], &classes);
    copy(&sources.join("files"), &classes);
    let jar = directory.join("bundled.jar");
    let made = Command::new("jar").arg("cf").arg(&jar).arg("-C").arg(&classes).arg(".").status();
    assert!(made.expect("a JDK has jar").success());
    [classes, jar]
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the directory is writable");
    for entry in std::fs::read_dir(from).expect("the files are there") {
        let file = entry.expect("it can be read").path();
        let target = to.join(file.file_name().expect("it has a name"));
        if file.is_dir() {
            copy(&file, &target);
        } else {
            std::fs::copy(&file, &target).expect("the directory is writable");
        }
    }
}

#[test]
fn resources_are_found_as_java_finds_them() {
    for place in places() {
        let mut path = ClassPath::default();
        path.push(&place).expect("it is there");
        let setup =
            Setup { jdk: None, main: "Bundled", args: &[], options: Options::default(), sources: Vec::new() };
        let base = Program::new(&setup, path).expect("the program loads");
        let (expected, found) = (by_java(&place, "Bundled"), by_machine(&base, "Bundled"));
        // Where a file is missing, a jar file is said to lack it in other words; the program only says that
        // it is.
        assert_eq!(found.as_ref(), Ok(&expected), "{}", place.display());
        assert_eq!(expected.status, 0, "{}", expected.error);
    }
}
