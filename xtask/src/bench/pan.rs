//! `pan`, SPIN's own verifier: built for one model, run, and held to the counts that are known.

use super::Options;
use crate::cases::Case;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// What `pan` is built for.
pub(crate) struct Target<'c> {
    pub(crate) name: &'c str,
    pub(crate) file: &'c Path,
    pub(crate) defines: &'c [String],
    /// Switches of the compiler.
    pub(crate) switches: Vec<&'c str>,
    /// Arguments of `pan`.
    pub(crate) args: Vec<&'c str>,
    /// How many states there are, more or less: its table has room for them.
    pub(crate) stored: u64,
    /// The exact numbers of states and transitions, where they are known.
    pub(crate) known: Option<(u64, u64)>,
    /// The longest path, where it is known.
    pub(crate) depth: Option<u64>,
}

/// A verifier built for one model; its directory goes away with it.
pub(crate) struct Pan<'c> {
    target: Target<'c>,
    dir: PathBuf,
    /// The longest path it follows: SPIN sets its stack up in advance.
    depth: u64,
}

/// What one run of `pan` took.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    /// Wall time of the whole process.
    pub(crate) seconds: f64,
    /// The deepest path.
    depth: u64,
    /// States, as it counts them.
    pub(crate) stored: u64,
    pub(crate) errors: u64,
    /// `actual memory usage for states`, in bytes.
    pub(crate) states_bytes: f64,
    /// `memory used for hash table`, in bytes.
    pub(crate) table_bytes: f64,
}

impl<'c> Pan<'c> {
    /// Builds `pan` from `spin -o1 -o2 -o3` with `gcc -O2 -DSAFETY -DNOREDUCE` and these switches, and finds
    /// out how deep its stack must be.
    pub(crate) fn build(case: &'c Case, switches: &[&'c str]) -> Result<Self, String> {
        Self::build_for(Target {
            name: &case.name,
            file: &case.file,
            defines: &case.defines,
            switches: ["-DSAFETY", "-DNOCLAIM"].iter().chain(switches).copied().collect(),
            args: vec!["-c0"],
            stored: case.stored,
            known: Some((case.stored, case.transitions)),
            depth: case.depth,
        })
    }

    /// As [`Pan::build`], for something else than the safety of a model.
    pub(crate) fn build_for(target: Target<'c>) -> Result<Self, String> {
        let name: String = target.name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let dir = std::env::temp_dir().join(format!("allways-bench-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&dir).map_err(|e| e.to_string())?;
        let mut pan = Self { target, dir, depth: 0 };
        let target = &pan.target;
        let file = target.file.canonicalize().map_err(|e| format!("{}: {e}", target.file.display()))?;
        let mut spin = Command::new("spin");
        spin.args(["-o1", "-o2", "-o3"]).args(target.defines.iter().map(|d| format!("-D{d}")));
        run_quietly(spin.arg("-a").arg(&file).current_dir(&pan.dir))?;
        let mut gcc = Command::new("gcc");
        gcc.args(["-O2", "-w", "-DNOREDUCE", "-DVECTORSZ=16384"]).args(&target.switches);
        run_quietly(gcc.args(["-o", "pan", "pan.c"]).current_dir(&pan.dir))?;
        pan.depth = match target.depth {
            Some(depth) => depth + 100,
            None => pan.run_to(30_000_000)?.depth + 100,
        };
        Ok(pan)
    }

    /// Runs it once over the whole graph.
    pub(crate) fn run(&self) -> Result<Run, String> {
        self.run_to(self.depth)
    }

    fn run_to(&self, depth: u64) -> Result<Run, String> {
        let target = &self.target;
        let bits = (target.stored as f64).log2().ceil().max(16.0) as u32;
        let mut command = Command::new(self.dir.join("pan"));
        command.args(["-n", &format!("-m{depth}"), &format!("-w{bits}")]).args(&target.args);
        command.current_dir(&self.dir);
        let start = Instant::now();
        let output = command.output().map_err(|e| e.to_string())?;
        let seconds = start.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(&output.stdout);
        let number = |label: &str| number_before(&text, label);
        let stored = number("states, stored").ok_or("pan prints no figures")? as u64;
        let transitions = number("transitions (=").unwrap_or(0.0) as u64;
        // Large counts are printed with six digits.
        let same = |count: u64, known: u64| count.abs_diff(known) <= known / 100_000;
        if let Some(known) = target.known
            && !(same(stored, known.0) && same(transitions, known.1))
        {
            return Err(format!("pan counts {:?}, expected {known:?}", (stored, transitions)));
        }
        let errors = text.split("errors: ").nth(1).and_then(|rest| rest.lines().next());
        let reached = text.split("depth reached ").nth(1).and_then(|rest| rest.split(',').next());
        let mebibytes = |label: &str| number(label).map(|n| n * 1_048_576.0);
        let states_bytes = mebibytes("actual memory usage for states");
        Ok(Run {
            seconds,
            stored,
            errors: errors.and_then(|n| n.trim().parse().ok()).ok_or("pan prints no errors")?,
            depth: reached.and_then(|n| n.trim().parse().ok()).ok_or("pan prints no depth")?,
            // Without compression worth speaking of pan prints only what it would take.
            states_bytes: states_bytes
                .or_else(|| mebibytes("equivalent memory usage for states"))
                .unwrap_or(0.0),
            table_bytes: mebibytes("memory used for hash table").unwrap_or(0.0),
        })
    }
}

impl Drop for Pan<'_> {
    fn drop(&mut self) {
        // Nothing depends on the directory being gone.
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// How often each side runs before the other has its turn. A hypervisor takes back memory that has lain idle
/// for seconds, and gives it again page by page, which takes longer than many a run: a run finds memory that
/// was used just now if it follows one of the same kind.
pub(crate) const IN_A_ROW: usize = 2;

/// The best of several runs, some of `theirs` followed by as many of `ours`, again and again.
pub(crate) fn in_turn<T>(
    options: &Options,
    mut theirs: impl FnMut() -> Result<Run, String>,
    mut ours: impl FnMut() -> Result<T, String>,
    seconds: impl Fn(&T) -> f64,
) -> Result<(Run, T), String> {
    let (mut best_theirs, mut best_ours) = (None, None);
    for _ in 0..options.runs {
        run_in_a_row(&mut best_theirs, &mut theirs, |run| run.seconds)?;
        run_in_a_row(&mut best_ours, &mut ours, &seconds)?;
    }
    best_theirs.zip(best_ours).ok_or_else(|| "nothing was run".into())
}

/// Runs something [`IN_A_ROW`] times, and keeps the best run.
fn run_in_a_row<T>(
    best: &mut Option<T>,
    mut run: impl FnMut() -> Result<T, String>,
    seconds: impl Fn(&T) -> f64,
) -> Result<(), String> {
    for _ in 0..IN_A_ROW {
        let next = run()?;
        if best.as_ref().is_none_or(|best| seconds(&next) < seconds(best)) {
            *best = Some(next);
        }
    }
    Ok(())
}

/// The first word of the line that holds `label`, as a number.
fn number_before(text: &str, label: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.contains(label))?;
    line.split_whitespace().next()?.parse().ok()
}

fn run_quietly(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("{}: {e}", program(command)))?;
    if output.status.success() {
        return Ok(());
    }
    let text =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    Err(format!("{} fails: {}", program(command), text.lines().next().unwrap_or_default()))
}

fn program(command: &Command) -> String {
    Path::new(command.get_program()).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_stand_before_their_labels() {
        let text = "   116087 states, stored\n    5.659\tactual memory usage for states (compression: 53%)\n";
        assert_eq!(number_before(text, "states, stored"), Some(116_087.0));
        assert_eq!(number_before(text, "actual memory usage for states"), Some(5.659));
        assert_eq!(number_before(text, "hash table"), None);
    }
}
