//! Evidence: what certificates cost, against checking in the same run, by the command line that people use.
//!
//! Times are processor time, of the user and of the system together, of whole processes with start-up and
//! decompression, the least of several runs. They come from the operating system in ticks of 10 ms.

use super::table::{Table, geometric_mean, held, least, widest};
use super::{Options, Part};
use crate::cases::{corpus, examples};

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

/// Promela models of 150,000 to 2.3 million states.
const MODELS: [&str; 10] = [
    "iprotocol_i3",
    "msi_cache",
    "beem_firewire_link.2",
    "beem_hanoi.2",
    "beem_sokoban.2",
    "Demo",
    "beem_lamport.5",
    "beem_szymanski.3",
    "rtems_event_mgr",
    "beem_brp.3",
];
/// Fewer states than this are not worth measuring.
const LEAST: u64 = 100_000;
/// Java programs of tens of thousands of states.
const PROGRAMS: [&str; 9] = [
    "Philosophers ok 8 1",
    "BoundedBuffer ok 2 2 2 4",
    "Pipeline ok 5 2",
    "ListenerPipeline ok 5 2 2",
    "NestedMonitor ok 2 2 2 3",
    "ReadersWriters ok 5 2 1",
    "ReplicatedWorkers ok 4 3",
    "SleepingBarber ok 2 3 2",
    "Elevator ok 2 4 2",
];
/// The tasks of a shared certification that is timed.
const TASKS: u16 = 10;
/// The numbers of tasks of which the largest is compared with the mean.
const CUTS: [u16; 4] = [2, 10, 50, 100];

/// What was measured of one program.
#[derive(Default)]
struct Figures {
    states: f64,
    steps: f64,
    bytes: f64,
    /// The most fingerprints kept at once, of all states.
    kept: f64,
    /// The largest task over the mean, for each of [`CUTS`].
    largest: [f64; 4],
    /// The time of one certifier over that of the largest task with cutting and merging.
    task: f64,
    /// Processor time: of checking breadth and depth first, of writing a certificate, of certifying.
    bfs: f64,
    dfs: f64,
    write: f64,
    certify: f64,
    trustful: f64,
    /// Wall time of one worker over that of two.
    two: f64,
}

/// What a call printed, and its processor and wall time.
type Call = (String, f64, f64);

/// The command line, and a directory for its files.
struct Tool {
    binary: PathBuf,
    directory: PathBuf,
    runs: usize,
}

impl Drop for Tool {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

pub(crate) fn run(options: &Options) -> Part {
    let mut part = Part {
        title: "Evidence",
        how: format!(
            "Processor time of whole processes, without reductions for Promela, one thread unless said otherwise; the least of {} runs \
             each, in turn. B/st: bytes of the certificate a step. kept: most fingerprints at once. writing: `check --search bfs \
             --certificate` over `check --search bfs`. certify: over `check` with `bfs`, with `dfs`. trustful: `check --search bfs` over \
             it, on a tree. 2: wall time of one worker over that of two. largest: the largest of 2, 10, 50 and 100 tasks over the \
             mean. tasks: `certify` over the plan, the largest of {TASKS} tasks and the merge together.",
            options.runs
        ),
        table: String::new(),
        summary: Vec::new(),
        ok: true,
    };
    let tool = match Tool::new(options.runs) {
        Ok(tool) => tool,
        Err(why) => return part.not_measured(&why),
    };
    let columns = [
        "program", "states", "steps", "B/st", "kept", "writing", "/bfs", "/dfs", "trustful", "2", "largest",
        "tasks",
    ];
    let programs: Vec<&str> = PROGRAMS.into_iter().filter(|line| options.wants(line, 0)).collect();
    let names = MODELS.iter().copied().chain(programs.iter().copied());
    let mut table = Table::new(widest(names), &columns);
    let mut measure = |name: &str, args: &[String], reduce: &[&str]| match tool.measure(args, reduce) {
        Ok(figures) => {
            table.row(&figures.cells(name));
            Some(figures)
        }
        Err(why) => {
            table.line(&format!("{name}: {why}"));
            None
        }
    };
    let is_chosen =
        |file: &Path| MODELS.iter().any(|model| file.file_stem().is_some_and(|stem| stem == *model));
    let cases: Vec<_> = corpus()
        .into_iter()
        .chain(examples())
        .filter(|case| {
            is_chosen(&case.file) && case.stored >= LEAST && options.wants(&case.name, case.stored)
        })
        .collect();
    let mut models = Vec::new();
    for case in &cases {
        let defines = case.defines.iter().map(|define| format!("-D{define}"));
        let args: Vec<String> = std::iter::once(case.file.display().to_string()).chain(defines).collect();
        let name = case.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        models.extend(measure(&name, &args, &["--no-reduce"]));
    }
    let mut java = Vec::new();
    if !programs.is_empty()
        && let Err(why) = tool.compile()
    {
        part.summary.push(format!("Java: not measured: {why}"));
    } else {
        let classes = tool.directory.join("classes").display().to_string();
        for line in &programs {
            let mut words = line.split(' ').map(str::to_owned);
            let mut args: Vec<String> = words.by_ref().take(1).collect();
            args.extend(["-cp".into(), classes.clone(), "--".into()]);
            args.extend(words);
            java.extend(measure(line, &args, &[]));
        }
    }
    part.ok = models.len() == cases.len() && (java.len() == programs.len() || !part.summary.is_empty());
    summarize("Promela", &models, 0.95, 2.8, &mut part.summary);
    summarize("Java", &java, 1.1, 3.0, &mut part.summary);
    part.table = table.into_text();
    part
}

/// Geometric means against what was wanted.
fn summarize(language: &str, all: &[Figures], certify: f64, trustful: f64, summary: &mut Vec<String>) {
    if all.is_empty() {
        return;
    }
    let mean = |of: &dyn Fn(&Figures) -> f64| geometric_mean(&all.iter().map(of).collect::<Vec<_>>());
    let most = |of: &dyn Fn(&Figures) -> f64| -least(&all.iter().map(|one| -of(one)).collect::<Vec<_>>());
    let mut say = |what: &str, value: f64, wanted: f64, met: bool| {
        summary.push(format!("{language}: {what} {value:.2} (wanted {wanted}: {})", held(met)));
    };
    let (bfs, dfs) = (mean(&|one| one.certify / one.bfs), mean(&|one| one.certify / one.dfs));
    say("certify / check with bfs", bfs, certify, bfs <= certify);
    if language == "Promela" {
        say("certify / check with dfs", dfs, 0.8, dfs <= 0.8);
        let writing = mean(&|one| one.write / one.bfs);
        say("writing / check with bfs", writing, 1.25, writing <= 1.25);
    }
    let walk = mean(&|one| one.bfs / one.trustful);
    say("check with bfs / trustful", walk, trustful, walk >= trustful);
    let two = mean(&|one| one.two);
    say("one worker / two, wall time", two, 1.7, two >= 1.7);
    let (bytes, worst) = (mean(&|one| one.bytes / one.steps), most(&|one| one.bytes / one.steps));
    say("bytes a step", bytes, 0.6, bytes <= 0.6);
    say("bytes a step, most", worst, 1.2, worst <= 1.2);
    let (kept, worst) =
        (mean(&|one| 100.0 * one.kept / one.states), most(&|one| 100.0 * one.kept / one.states));
    say("% of fingerprints kept", kept, 10.0, kept <= 10.0);
    say("% of fingerprints kept, most", worst, 25.0, worst <= 25.0);
    let is_large = |one: &&Figures| one.states >= 1e6;
    for (idx, n) in CUTS.into_iter().enumerate().filter(|_| all.iter().any(|one| is_large(&one))) {
        let wanted = if n <= 10 { 1.05 } else { 1.1 };
        let largest = all.iter().filter(is_large).map(|one| one.largest[idx]).fold(0.0, f64::max);
        let what = format!("largest of {n} tasks / mean, most of graphs of a million states");
        say(&what, largest, wanted, largest <= wanted);
    }
    summary.push(format!(
        "{language}: certify / (plan, largest of 10 tasks, merge) {:.2}",
        mean(&|one| one.task)
    ));
}

impl Figures {
    fn cells(&self, name: &str) -> Vec<String> {
        let ratio = |a: f64, b: f64| format!("{:.2}", a / b);
        vec![
            name.to_owned(),
            format!("{}", self.states),
            format!("{}", self.steps),
            ratio(self.bytes, self.steps),
            format!("{:.0} %", 100.0 * self.kept / self.states),
            ratio(self.write, self.bfs),
            ratio(self.certify, self.bfs),
            ratio(self.certify, self.dfs),
            ratio(self.bfs, self.trustful),
            format!("{:.2}", self.two),
            self.largest.map(|ratio| format!("{ratio:.2}")).join("/"),
            format!("{:.1}", self.task),
        ]
    }
}

impl Tool {
    fn new(runs: usize) -> Result<Self, String> {
        let built = Command::new("cargo").args(["build", "--release", "-q", "-p", "allways"]).status();
        if !built.is_ok_and(|status| status.success()) {
            return Err("the release build failed".into());
        }
        let directory = std::env::temp_dir().join(format!("allways-evidence-{}", std::process::id()));
        std::fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
        Ok(Self { binary: Path::new("target/release/allways").into(), directory, runs })
    }

    /// Compiles the Java examples.
    fn compile(&self) -> Result<(), String> {
        let sources = std::fs::read_dir("examples/java").map_err(|error| error.to_string())?;
        let sources = sources.flatten().map(|entry| entry.path());
        let sources = sources.filter(|file| file.extension().is_some_and(|ending| ending == "java"));
        let status =
            Command::new("javac").arg("-d").arg(self.directory.join("classes")).args(sources).status();
        if status.is_ok_and(|status| status.success()) { Ok(()) } else { Err("no javac".into()) }
    }

    fn file(&self, name: &str) -> String {
        self.directory.join(name).display().to_string()
    }

    /// Runs the command line; what it printed, and its processor and wall time.
    fn call(&self, args: &[&str]) -> Result<Call, String> {
        let (before, start) = (children(), Instant::now());
        let Output { status, stdout, stderr } =
            Command::new(&self.binary).args(args).output().map_err(|error| error.to_string())?;
        let (after, wall) = (children(), start.elapsed().as_secs_f64());
        let text = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
        match (status.code(), before, after) {
            (Some(0 | 1), Some(before), Some(after)) => Ok((text, after - before, wall)),
            (code, Some(_), Some(_)) => {
                Err(format!("allways {} ended with {code:?}: {text}", args.join(" ")))
            }
            _ => Err("this system does not say how much processor time processes take".into()),
        }
    }

    fn measure(&self, program: &[String], reduce: &[&str]) -> Result<Figures, String> {
        let mut figures = Figures::default();
        let (cert, keyed, tree) = (self.file("a.cert"), self.file("k.cert"), self.file("a.tree"));
        // Options come before the arguments of the program.
        let with = |command: &[&str], options: &[&str]| -> Vec<String> {
            let (model, rest) =
                program.split_first().map_or(("", &[][..]), |(model, rest)| (model.as_str(), rest));
            let mut args: Vec<String> = command.iter().map(ToString::to_string).collect();
            args.push(model.into());
            args.extend(options.iter().chain(reduce).map(ToString::to_string));
            args.extend_from_slice(rest);
            args
        };
        let call = |args: Vec<String>| self.call(&args.iter().map(String::as_str).collect::<Vec<_>>());
        let check = |options: &[&str]| call(with(&["check"], options));
        let certify = |cert: &str, options: &[&str]| call(with(&["certify", cert], options));
        let search = ["--search", "bfs", "--workers", "1", "--all-errors", "-q"];
        check(&[&search[..], &["--certificate", &keyed, "--keys"]].concat())?;
        certify(&keyed, &["--cut", &tree])?;
        let (mut one, mut two) = (0.0, 0.0);
        for _ in 0..self.runs {
            lower(&mut figures.bfs, check(&search)?.1);
            lower(&mut figures.dfs, check(&["--search", "dfs", "--workers", "1", "--all-errors", "-q"])?.1);
            lower(&mut figures.write, check(&[&search[..], &["--certificate", &cert]].concat())?.1);
            let alone = certify(&cert, &["-q"])?;
            lower(&mut figures.certify, alone.1);
            lower(&mut one, alone.2);
            lower(&mut two, certify(&cert, &["-q", "--workers", "2"])?.2);
            lower(&mut figures.trustful, certify(&tree, &["-q", "--trustful"])?.1);
        }
        figures.two = one / two;
        let (text, ..) = certify(&cert, &[])?;
        let before =
            |words: &str| number_before(&text, words).ok_or_else(|| format!("no '{words}' in: {text}"));
        (figures.states, figures.steps, figures.kept) =
            (before(" states and ")?, before(" steps: ")?, before(" fingerprints kept")?);
        figures.bytes = std::fs::metadata(&cert).map_err(|error| error.to_string())?.len() as f64;
        self.tasks(&mut figures, certify, &cert)?;
        Ok(figures)
    }

    /// Shares a certification between tasks.
    fn tasks(
        &self,
        figures: &mut Figures,
        certify: impl Fn(&str, &[&str]) -> Result<Call, String>,
        cert: &str,
    ) -> Result<(), String> {
        let secret = self.file("a.secret");
        let plan = |n: u16| {
            let _ = std::fs::remove_file(&secret);
            let (plan, time, _) = certify(cert, &["--partition", &n.to_string(), "--secret", &secret])?;
            let largest = plan.split("the largest task has ").nth(1).and_then(|rest| rest.split(' ').next());
            let largest = largest.and_then(|ratio| ratio.parse::<f64>().ok());
            Ok::<_, String>((largest.ok_or_else(|| format!("no tasks in: {plan}"))?, time))
        };
        for (largest, n) in figures.largest.iter_mut().zip(CUTS) {
            *largest = plan(n)?.0;
        }
        let mut time = plan(TASKS)?.1;
        let results: Vec<String> = (1..=TASKS).map(|task| self.file(&format!("{task}.result"))).collect();
        let mut most: f64 = 0.0;
        for (task, result) in (1..).zip(&results) {
            let task = format!("{task}/{TASKS}");
            most = most.max(certify(cert, &["--task", &task, "--secret", &secret, "--result", result])?.1);
        }
        let mut args = vec!["-q", "--secret", &secret, "--merge"];
        args.extend(results.iter().map(String::as_str));
        time += most + certify(cert, &args)?.1;
        figures.task = figures.certify / time;
        Ok(())
    }
}

/// Keeps the lesser of two times; zero is none yet.
fn lower(least: &mut f64, time: f64) {
    if *least == 0.0 || time < *least {
        *least = time.max(0.01);
    }
}

/// The number in front of some words, which may have commas.
fn number_before(text: &str, words: &str) -> Option<f64> {
    let start = &text[..text.find(words)?];
    let digits = start.rsplit(|c: char| !c.is_ascii_digit() && c != ',').next()?;
    digits.replace(',', "").parse().ok()
}

/// The processor time in seconds of all children that have ended, in ticks of 10 ms.
fn children() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may have spaces.
    let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |idx: usize| fields.get(idx)?.parse::<f64>().ok();
    Some((ticks(13)? + ticks(14)?) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn numbers_are_found_in_reports() {
        let text = "  native code: it takes the same steps as the interpreter\n\
              1,066,800 states and 3,630,664 steps: the whole graph\n  at most 12 fingerprints kept at once";
        assert_eq!(number_before(text, " states and "), Some(1_066_800.0));
        assert_eq!(number_before(text, " steps: "), Some(3_630_664.0));
        assert_eq!(number_before(text, " fingerprints kept"), Some(12.0));
        assert_eq!(number_before(text, " violations"), None);
    }

    #[test]
    fn names_are_listed_once() {
        let all: HashSet<&str> = MODELS.into_iter().chain(PROGRAMS).collect();
        assert_eq!(all.len(), MODELS.len() + PROGRAMS.len());
    }
}
