//! Java classes that come with the checker, made from their source: the jar file of `allways.Choose` and the
//! classes that take the place of the class library's own. The same bytes whenever the same JDK (17) makes
//! them.

use std::path::Path;
use std::process::Command;

const SOURCE: &str = "crates/java/api/src/allways/Choose.java";
const JAR: &str = "crates/java/api/allways-choose.jar";
const CLASSES: &str = "target/java-api";
const LIBRARY: &str = "crates/java/library";
const PACKAGES: [&str; 5] =
    ["java/util/concurrent/locks", "java/util/concurrent", "sun/nio/ch", "java/net", "allways/junit"];
/// What begins the runners of JUnit, which is compiled against stubs of them.
const RUNNERS: [&str; 2] = ["allways/junit/OldRun.java", "allways/junit/NewRun.java"];
const SOURCES: [&str; 4] = [
    "java/util/concurrent/locks/AbstractQueuedSynchronizer.java",
    "java/util/concurrent/SimplePool.java",
    "sun/nio/ch/NioSocketImpl.java",
    "java/net/Names.java",
];

/// Compiles the sources, packs the classes of the one and copies those of the other.
pub(crate) fn run() -> bool {
    let _ = std::fs::remove_dir_all(CLASSES);
    pack_choose() && copy_library()
}

fn done(command: &mut Command) -> bool {
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("cannot run {command:?}: {error} (a JDK is needed)");
            false
        }
    }
}

fn copy_library() -> bool {
    let patch = format!("java.base={LIBRARY}/src");
    let sources = SOURCES.map(|source| format!("{LIBRARY}/src/{source}"));
    if !done(Command::new("javac").args(["-g", "--patch-module", &patch, "-d", CLASSES]).args(sources)) {
        return false;
    }
    let runners = RUNNERS.map(|source| format!("{LIBRARY}/src/{source}"));
    let mut command = Command::new("javac");
    command.args(["--release", "17", "-g", "-implicit:none", "-sourcepath"]);
    command.arg(format!("{LIBRARY}/stubs")).args(["-d", CLASSES]).args(runners);
    if !done(&mut command) {
        return false;
    }
    let copy = || -> std::io::Result<()> {
        for package in PACKAGES {
            for entry in std::fs::read_dir(Path::new(CLASSES).join(package))? {
                let entry = entry?;
                if entry.file_type()?.is_file() {
                    std::fs::copy(entry.path(), Path::new(LIBRARY).join(entry.file_name()))?;
                }
            }
        }
        Ok(())
    };
    copy().inspect_err(|error| eprintln!("cannot copy classes to {LIBRARY}: {error}")).is_ok()
}

fn pack_choose() -> bool {
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
