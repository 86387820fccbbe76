//! The jar file of `allways.Choose`, made from its source: the same bytes whenever the same JDK makes it.

use std::path::Path;
use std::process::Command;

const SOURCE: &str = "crates/java/api/src/allways/Choose.java";
const JAR: &str = "crates/java/api/allways-choose.jar";
const CLASSES: &str = "target/java-api";

/// Compiles the source and packs the classes.
pub(crate) fn run() -> bool {
    let _ = std::fs::remove_dir_all(CLASSES);
    let done = |command: &mut Command| match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("cannot run {command:?}: {error} (a JDK is needed)");
            false
        }
    };
    if !done(Command::new("javac").args(["--release", "17", "-g", "-d", CLASSES, SOURCE])) {
        return false;
    }
    let mut classes: Vec<String> = match std::fs::read_dir(Path::new(CLASSES).join("allways")) {
        Ok(entries) => entries
            .flatten()
            .map(|entry| format!("allways/{}", entry.file_name().to_string_lossy()))
            .collect(),
        Err(error) => {
            eprintln!("cannot read {CLASSES}: {error}");
            return false;
        }
    };
    classes.sort();
    // Without a manifest and with a fixed date nothing tells when and by what it was made.
    let mut jar = Command::new("jar");
    jar.args(["--create", "--no-manifest", "--date=2024-01-01T00:00:00Z", "--file", JAR]);
    for class in &classes {
        jar.args(["-C", CLASSES, class]);
    }
    done(&mut jar)
}
