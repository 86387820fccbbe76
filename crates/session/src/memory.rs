//! How much memory the process has, and how much a search may take by default.
//!
//! A search that takes everything is ended by the system, and then all it found is lost. So the limit is by
//! default nine tenths of what this process can still get, from the machine and from its control group; where
//! that cannot be learnt, there is no limit.

use std::fs;
use std::sync::OnceLock;

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

/// How many bytes the process occupies; zero where the system does not say.
#[must_use]
pub fn resident() -> u64 {
    let text = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0).saturating_mul(page_size())
}

/// The size of a page of memory, as the system has told the process.
fn page_size() -> u64 {
    static SIZE: OnceLock<u64> = OnceLock::new();
    *SIZE.get_or_init(|| page_size_in(&fs::read("/proc/self/auxv").unwrap_or_default()).unwrap_or(4096))
}

/// The size of a page in a list of pairs of words: the number of a fact, and its value.
fn page_size_in(facts: &[u8]) -> Option<u64> {
    const PAGE_SIZE: usize = 6;
    let word = |bytes: &[u8]| bytes.try_into().ok().map(usize::from_ne_bytes);
    let mut pairs = facts.chunks_exact(2 * size_of::<usize>()).map(|pair| pair.split_at(size_of::<usize>()));
    pairs
        .find(|(fact, _)| word(fact) == Some(PAGE_SIZE))
        .and_then(|(_, size)| word(size))
        .map(|size| size as u64)
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

    #[test]
    fn the_memory_of_the_process_is_known() {
        let facts: Vec<u8> =
            [3, 64, 6, 1 << 14, 0, 0].iter().flat_map(|word: &usize| word.to_ne_bytes()).collect();
        assert_eq!(page_size_in(&facts), Some(1 << 14));
        assert_eq!(page_size_in(&facts[..facts.len() / 3]), None);
        assert!(resident() > 0 || !std::path::Path::new("/proc/self/statm").exists());
    }
}
