//! What a result was measured with: date, machine, and the versions of everything that took part.

use std::process::Command;

/// One paragraph for a report.
pub(crate) fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = field("/proc/meminfo", "MemTotal").and_then(|text| {
        let kib: f64 = text.split_whitespace().next()?.parse().ok()?;
        Some(format!("{:.0} GiB", kib / 1_048_576.0))
    });
    let unknown = || "unknown".to_owned();
    format!(
        "Machine: {cores} cores, {}, {} of memory; {}; {}; {}; {}; Allways {} at {}.",
        field("/proc/cpuinfo", "model name").unwrap_or_else(unknown),
        memory.unwrap_or_else(unknown),
        field("/etc/os-release", "PRETTY_NAME").unwrap_or_else(unknown).trim_matches('"'),
        first_line("gcc", &["--version"]),
        first_line("spin", &["-V"]),
        first_line("rustc", &["--version"]),
        env!("CARGO_PKG_VERSION"),
        first_line("git", &["describe", "--always", "--dirty"]),
    )
}

/// The date and time, as the system tells it.
pub(crate) fn date() -> String {
    first_line("date", &["+%Y-%m-%d %H:%M"])
}

/// The load of the machine: figures taken on a busy one are noise.
pub(crate) fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

/// The processor time that this process has taken so far, in seconds: what other work on the machine inflates
/// least. None where there is no `/proc`.
pub(crate) fn processor_time() -> Option<f64> {
    /// What the times of `/proc` are counted in, on every architecture.
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may have spaces.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = |idx: usize| fields.split_whitespace().nth(idx)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / TICKS_PER_SECOND)
}

fn field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_once([':', '=']).map(|(_, value)| value.trim().to_owned())
}

fn first_line(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().next().map_or_else(|| format!("no {program}"), |line| line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn processor_time_grows_with_work() {
        let before = processor_time().expect("Linux has /proc");
        let mut sum = 0_u64;
        while processor_time().expect("Linux has /proc") < before + 0.05 {
            sum = (0..100_000_u64).fold(sum, |sum, i| std::hint::black_box(sum ^ i));
        }
        assert!(processor_time().expect("Linux has /proc") < before + 20.0, "{sum}");
    }
}
