//! How much memory a search may take when nobody says.
//!
//! A search that takes everything is ended by the system, and then all it found is lost. So the limit is by default
//! nine tenths of what this process can still get, from the machine and from its control group; where that cannot be
//! learnt, there is no limit.

use std::fs;

/// The default limit in bytes.
pub(crate) fn default_limit() -> Option<u64> {
    let read = |path: &str| fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| available(&text));
    let group = read("/sys/fs/cgroup/memory.max").zip(read("/sys/fs/cgroup/memory.current"));
    let group = group.and_then(|(max, current)| headroom(&max, &current));
    let free = machine.into_iter().chain(group).min()?;
    Some(free / 10 * 9)
}

/// The available memory in `/proc/meminfo`.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// What a control group has left; `None` without a limit.
fn headroom(max: &str, current: &str) -> Option<u64> {
    let max: u64 = max.trim().parse().ok()?;
    Some(max.saturating_sub(current.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_understood() {
        let text = "MemTotal:       16384 kB\nMemFree:  12 kB\nMemAvailable:    8192 kB\n";
        assert_eq!(available(text), Some(8192 * 1024));
        assert_eq!(available("MemTotal: 1 kB\n"), None);
        assert_eq!(headroom("max\n", "5\n"), None);
        assert_eq!(headroom("100\n", "30\n"), Some(70));
        assert_eq!(headroom("100\n", "130\n"), Some(0));
    }
}
