//! Every certificate is accepted: those of the corpus, the examples and the Java examples, whatever search
//! wrote them, with every reduction and several threads, by the command line that people use.
//!
//! `MAX` bounds the states of a model without reductions (100,000 if it is not set; the whole corpus has up
//! to a million). Arguments are parts of names. What was compared is printed.

use crate::cases::{corpus, examples};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Java examples with arguments, small enough for every search.
const PROGRAMS: [&str; 16] = [
    "AccountTransfer",
    "AccountTransfer broken",
    "BoundedBuffer ok 2 2 1 2",
    "Deadlock",
    "Elevator ok 1 2 2",
    "Handoff",
    "ListenerPipeline ok 2 2 2",
    "LostUpdate",
    "NestedMonitor ok 1 1 1 2",
    "Philosophers ok 4 1",
    "Pipeline ok 3 1",
    "ReadersWriters ok 2 1 1",
    "ReplicatedWorkers ok 2 2",
    "SleepingBarber ok 1 2 1",
    "Turnstile",
    "WorkerPool",
];
/// Searches, threads, and options of the certifier.
const WAYS: [(&str, &str, &[&str]); 6] = [
    ("bfs", "1", &[]),
    ("bfs", "2", &["--workers", "2"]),
    ("dfs", "1", &["--counts"]),
    ("dfs", "3", &["--exact"]),
    ("switches", "1", &[]),
    ("scc", "1", &[]),
];

/// What was compared.
#[derive(Default)]
struct Tally {
    n_accepted: u64,
    n_violated: u64,
    n_refused: u64,
    wrong: Vec<String>,
}

/// A directory for certificates, gone with the value.
struct Directory(PathBuf);

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs the task.
pub(crate) fn run(args: &[String]) -> bool {
    let max = std::env::var("MAX").ok().and_then(|max| max.parse().ok()).unwrap_or(100_000);
    let built = Command::new(env!("CARGO")).args(["build", "--release", "-q", "-p", "allways"]).status();
    if !built.is_ok_and(|status| status.success()) {
        return false;
    }
    let directory = Directory(std::env::temp_dir().join(format!("allways-certs-{}", std::process::id())));
    if std::fs::create_dir_all(&directory.0).is_err() {
        return false;
    }
    let wants = |name: &str| args.is_empty() || args.iter().any(|part| name.contains(part));
    let mut tally = Tally::default();
    for case in corpus().into_iter().chain(examples()).filter(|one| one.stored <= max && wants(&one.name)) {
        let defines = case.defines.iter().map(|define| format!("-D{define}"));
        let model: Vec<String> = std::iter::once(case.file.display().to_string()).chain(defines).collect();
        tally.all(
            &directory.0,
            &case.name,
            &model,
            &[],
            &[&[], &["--reduce", "dead,merge"], &["--no-reduce"]],
        );
    }
    let classes = directory.0.join("classes");
    if PROGRAMS.iter().any(|program| wants(program)) && compile(&classes) {
        let classes = classes.display().to_string();
        for program in PROGRAMS.into_iter().filter(|program| wants(program)) {
            let mut words = program.split(' ').map(str::to_owned);
            let model: Vec<String> = words.by_ref().take(1).chain(["-cp".into(), classes.clone()]).collect();
            let arguments: Vec<String> = words.collect();
            tally.all(&directory.0, program, &model, &arguments, &[&[], &["--no-reduce"]]);
        }
    }
    tally.wrong.iter().for_each(|wrong| println!("{wrong}"));
    println!(
        "{} certificates accepted: the property holds; {} accepted: violated; {} not written, by name; {} wrong",
        tally.n_accepted,
        tally.n_violated,
        tally.n_refused,
        tally.wrong.len()
    );
    tally.wrong.is_empty() && tally.n_accepted > 0
}

fn compile(classes: &Path) -> bool {
    let sources =
        std::fs::read_dir("examples/java").into_iter().flatten().flatten().map(|entry| entry.path());
    let sources = sources.filter(|file| file.extension().is_some_and(|ending| ending == "java"));
    let status = Command::new("javac").arg("-d").arg(classes).args(sources).status();
    let is_done = status.is_ok_and(|status| status.success());
    if !is_done {
        println!("Java: not compared, for want of javac");
    }
    is_done
}

impl Tally {
    /// Writes and certifies the certificates of a program in all ways.
    fn all(&mut self, at: &Path, name: &str, model: &[String], arguments: &[String], reduce: &[&[&str]]) {
        let before = (self.n_accepted + self.n_violated, self.n_refused);
        for reduce in reduce {
            for (search, workers, how) in WAYS {
                let what = format!("{name} {reduce:?} {search} {workers}");
                self.one(at, &what, model, arguments, reduce, (search, workers), how);
            }
        }
        let (n_accepted, n_refused) =
            (self.n_accepted + self.n_violated - before.0, self.n_refused - before.1);
        println!("{name}: {n_accepted} accepted, {n_refused} not written");
    }

    #[expect(clippy::too_many_arguments, reason = "they are what varies")]
    fn one(
        &mut self,
        at: &Path,
        what: &str,
        model: &[String],
        arguments: &[String],
        reduce: &[&str],
        (search, workers): (&str, &str),
        how: &[&str],
    ) {
        let certificate = at.join("x.cert");
        let _ = std::fs::remove_file(&certificate);
        let call = |command: &[&str], options: &[&str]| {
            let mut run =
                Command::new(std::env::current_dir().unwrap_or_default().join("target/release/allways"));
            let model = model.iter().enumerate().map(|(idx, word)| match idx {
                0 if Path::new(word).is_file() => std::fs::canonicalize(word)
                    .map_or_else(|_| word.clone(), |file| file.display().to_string()),
                _ => word.clone(),
            });
            // The certifier takes the reductions from the certificate, unless there must be none.
            let is_said = |word: &&&str| command[0] == "check" || **word == "--no-reduce";
            run.current_dir(at).args(command).args(model);
            run.args(reduce.iter().filter(is_said)).args(options);
            if !arguments.is_empty() {
                run.arg("--").args(arguments);
            }
            run.output().map(|output| {
                let text =
                    [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
                (output.status.code().unwrap_or(-1), text.concat())
            })
        };
        let file = certificate.display().to_string();
        let options =
            ["-q", "--all-errors", "--search", search, "--workers", workers, "--certificate", &file];
        let checked = call(&["check"], &options);
        if !certificate.is_file() {
            match checked {
                // Unsupported by name, or no certificate, by name.
                Ok((2..=4, _)) => self.n_refused += 1,
                Ok((0 | 1, text)) if text.contains("no certificate was written") => self.n_refused += 1,
                other => self.wrong.push(format!("{what}: check gives {other:?}")),
            }
            return;
        }
        match (checked, call(&["certify", &file], &[&["-q"], how].concat())) {
            (Ok((0, _)), Ok((0, _))) => self.n_accepted += 1,
            (Ok((1, _)), Ok((1, _))) => self.n_violated += 1,
            (checked, certified) => {
                self.wrong.push(format!("{what}: check gives {checked:?}, certify {certified:?}"));
            }
        }
    }
}
