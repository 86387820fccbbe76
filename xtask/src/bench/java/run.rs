//! Compiling and searching Java programs, in process.

use allways_java::{ClassPath, Form, Options, Program, Setup};
use allways_model::Lessons;
use allways_search::{Config, End, Stats, StoreKind, Strategy, refine, search};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// How a program is searched.
#[derive(Clone, Copy)]
pub(crate) struct How {
    pub(crate) store: StoreKind,
    pub(crate) workers: usize,
    pub(crate) form: Form,
    pub(crate) jdk_locks: bool,
    /// For how long, all searches of it together.
    pub(crate) time: Duration,
}

impl How {
    /// As `allways check` does it, with one worker.
    pub(crate) fn usual(seconds: u64) -> Self {
        Self {
            store: StoreKind::Collapse,
            workers: 1,
            form: Form::default(),
            jdk_locks: false,
            time: Duration::from_secs(seconds),
        }
    }
}

/// What came of it.
pub(crate) struct Found {
    /// `holds`, the kind of the violation, or `bounded`.
    pub(crate) verdict: &'static str,
    /// Of the last search, which no conflict ended.
    pub(crate) stats: Stats,
    /// From the first search to the end of the last.
    pub(crate) seconds: f64,
}

impl Found {
    /// New states in a second of the last search.
    pub(crate) fn rate(&self) -> f64 {
        self.stats.states as f64 / self.stats.elapsed.as_secs_f64()
    }

    /// Everything that the search kept, by state.
    pub(crate) fn bytes_a_state(&self) -> f64 {
        self.stats.store_bytes as f64 / self.stats.states as f64
    }
}

/// A directory with the classes of some programs; gone with the value.
pub(crate) struct Classes(PathBuf);

impl Classes {
    /// Compiles all programs in a directory.
    pub(crate) fn compile(sources: &Path) -> Result<Self, String> {
        let mut files: Vec<PathBuf> = std::fs::read_dir(sources)
            .map_err(|error| format!("{}: {error}", sources.display()))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|file| file.extension().is_some_and(|ending| ending == "java"))
            .collect();
        files.sort();
        let name = sources.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>();
        let target =
            std::env::temp_dir().join(format!("allways-bench-{}{}", std::process::id(), name.join("-")));
        let output = Command::new("javac").arg("-d").arg(&target).args(&files).output();
        let output = output.map_err(|error| format!("javac: {error}"))?;
        if output.status.success() {
            Ok(Self(target))
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }

    /// A program: a class and its arguments.
    pub(crate) fn program(&self, line: &str, form: Form, jdk_locks: bool) -> Result<Program, String> {
        let mut words = line.split(' ').map(str::to_owned);
        let main = words.next().unwrap_or_default();
        let args: Vec<String> = words.collect();
        let mut path = ClassPath::default();
        path.push(&self.0).map_err(|error| error.to_string())?;
        let options = Options { form, jdk_locks, ..Options::default() };
        let setup = Setup { jdk: None, main: &main, args: &args, options, sources: Vec::new() };
        Program::new(&setup, path).map_err(|error| error.to_string())
    }

    /// Searches a program: a class and its arguments.
    pub(crate) fn search(&self, line: &str, how: How) -> Result<Found, String> {
        let program = self.program(line, how.form, how.jdk_locks)?;
        let begun = Instant::now();
        let mut config = Config { store: how.store, sleep: true, ..Config::new(how.workers) };
        config.limits.time = Some(how.time);
        let outcome = refine(&config, begun, &mut Lessons::new(), &(), |config| {
            search(&program, Strategy::Dfs, &(), config)
        });
        let verdict = match (&outcome.end, outcome.findings.first()) {
            (_, Some(finding)) => finding.violation.kind().name(),
            (End::Bounded(_) | End::Cut(_) | End::Refine, None) => "bounded",
            (End::Faulted(fault, _), None) => return Err(fault.message.clone()),
            (End::Exhausted | End::Violated, None) => "holds",
        };
        Ok(Found { verdict, stats: outcome.stats, seconds: begun.elapsed().as_secs_f64() })
    }
}

impl Drop for Classes {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
