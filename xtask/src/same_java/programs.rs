//! The programs that are compared: compiled once, listed in a file that all processes read.

use allways_testkit::random_java::{generate, generate_wide};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where class files and the list are.
pub(super) const DIRECTORY: &str = "target/same-java";
const EXAMPLES: &str = "examples/java";
const CHOOSE: &str = "crates/java/api/src/allways/Choose.java";

/// Random programs of each kind.
const N_RANDOM: u64 = 100;

/// A program and its arguments.
pub(super) struct Run {
    pub(super) directory: String,
    pub(super) main: String,
    pub(super) args: Vec<String>,
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.directory, self.main)?;
        self.args.iter().try_for_each(|arg| write!(f, " {arg}"))
    }
}

/// The programs that [`prepare`] listed.
pub(super) fn prepared() -> Vec<Run> {
    let list = std::fs::read_to_string(format!("{DIRECTORY}/list")).unwrap_or_default();
    let run = |line: &str| {
        let mut words = line.split(' ').map(str::to_owned);
        Some(Run { directory: words.next()?, main: words.next()?, args: words.collect() })
    };
    list.lines().filter_map(run).collect()
}

/// Compiles the examples, random programs and the files in some directories, and lists them; `None` if that
/// is not possible.
pub(super) fn prepare(directories: &[String]) -> Option<Vec<Run>> {
    let _ = std::fs::remove_dir_all(DIRECTORY);
    let mut list = Vec::new();
    let examples = sources(Path::new(EXAMPLES));
    let classes = compile("examples", &examples)?;
    for file in &examples {
        let main = file.file_stem()?.to_string_lossy();
        list.extend(["ok", "broken"].map(|version| format!("{classes} {main} {version}")));
    }
    list.extend(random()?);
    for (idx, directory) in directories.iter().enumerate() {
        for file in sources(Path::new(directory)) {
            let main = file.file_stem()?.to_string_lossy().into_owned();
            match compile(&format!("{idx}/{main}"), &[file]) {
                Some(classes) => list.push(format!("{classes} {main}")),
                None => println!("{directory}/{main}.java is left out"),
            }
        }
    }
    std::fs::write(format!("{DIRECTORY}/list"), list.join("\n")).ok()?;
    Some(prepared())
}

/// Random programs, compiled.
fn random() -> Option<Vec<String>> {
    let source = Path::new(DIRECTORY).join("source");
    std::fs::create_dir_all(&source).ok()?;
    let mut files = vec![PathBuf::from(CHOOSE)];
    let mut names = Vec::new();
    for seed in 0..N_RANDOM {
        for (name, program) in
            [(format!("Litmus{seed}"), generate(seed)), (format!("Wide{seed}"), generate_wide(seed))]
        {
            let file = source.join(format!("{name}.java"));
            std::fs::write(&file, program.java(&name)).ok()?;
            files.push(file);
            names.push(name);
        }
    }
    let classes = compile("random", &files)?;
    Some(names.into_iter().map(|name| format!("{classes} {name}")).collect())
}

/// The Java files under a directory, sorted.
fn sources(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "java") {
            found.push(path);
        }
    }
    found.sort_unstable();
    found
}

/// Compiles files into a directory of their own, and gives its name.
fn compile(name: &str, files: &[PathBuf]) -> Option<String> {
    let directory = format!("{DIRECTORY}/{name}");
    let mut javac = Command::new("javac");
    javac.args(["-nowarn", "-d", &directory]).args(files);
    match javac.output() {
        Ok(output) if output.status.success() => Some(directory),
        Ok(output) => {
            eprintln!("javac: {}", String::from_utf8_lossy(&output.stderr));
            None
        }
        Err(error) => {
            eprintln!("cannot run javac: {error} (a JDK is needed)");
            None
        }
    }
}
