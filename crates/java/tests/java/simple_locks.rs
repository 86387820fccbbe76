//! The class that takes the place of `AbstractQueuedSynchronizer`: what programs on it can do is what they can do on the class library's own, and
//! what was too large there is not here. (`litmus` compares random programs with locks.)

use crate::{compile, concurrent, contracts};
use allways_java::{Options, simple};
use std::path::Path;
use std::process::Command;

fn on_simple_locks() -> Options {
    Options { simple_locks: true, ..Options::default() }
}

#[test]
fn contracts_are_kept_on_simple_locks() {
    contracts::check("", 60_000, on_simple_locks());
}

#[test]
fn verdicts_and_outputs_are_the_same_on_simple_locks() {
    concurrent::check(on_simple_locks());
}

/// `cargo test --release -p allways-java --test java -- --ignored large_contracts --nocapture`
#[test]
#[ignore = "takes minutes; smaller programs for each class are searched always"]
fn large_contracts_are_kept_on_simple_locks() {
    contracts::check("large", 5_000_000, on_simple_locks());
    contracts::check("endless", 1_000_000, on_simple_locks());
}

/// The class files are those of the source.
#[test]
fn the_classes_are_made_from_their_source() {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("library");
    let directory = compile::directory("simple-locks");
    let patch = format!("java.base={}", library.join("src").display());
    let source = library.join("src/java/util/concurrent/locks/AbstractQueuedSynchronizer.java");
    let compiled = Command::new("javac")
        .args(["-g", "--patch-module", &patch, "-d"])
        .arg(&directory)
        .arg(&source)
        .output()
        .expect("javac is installed");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let shown = |class: &Path| {
        let output = Command::new("javap").args(["-private", "-constants", "-c"]).arg(class).output();
        let output = output.expect("javap is installed");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for (name, bytes) in simple::CLASSES {
        let simple_name = name.rsplit('/').next().expect("it has a name");
        let kept = library.join(format!("{simple_name}.class"));
        assert_eq!(std::fs::read(&kept).expect("it is there"), bytes, "{name}");
        assert_eq!(shown(&kept), shown(&directory.join(format!("{name}.class"))), "{name}");
    }
    let n_made =
        std::fs::read_dir(directory.join("java/util/concurrent/locks")).expect("it is there").count();
    assert_eq!(n_made, simple::CLASSES.len());
}
