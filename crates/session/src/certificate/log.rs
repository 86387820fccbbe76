//! Edge logs: what a search of any kind saw, with any number of workers, in any order.
//!
//! A record says where some steps of a state lead. The calls of one state come from one worker; each worker
//! fills a buffer of its own, and buffers go to the end of one file. Afterwards records are found by their
//! places, so the order in which they were written does not matter, and workers need not agree on one.
//!
//! ```text
//! source   varint: the state, by its place in the store
//! how      varint: 1 if it was expanded as a whole, + 2 if it is accepting, + 4 * rounds
//! n        varint: how many steps follow
//! targets  n varints: zigzag(target - target before), at first of the source
//! ```
//!
//! Mostly there is one record for a state. A search that is made to expand a state further after it went on
//! to others writes the rest of its steps as another one.

use allways_model::certificate::script::{put_varint, take_varint, unzigzag, zigzag};
use allways_search::{Expanded, StateRef, Steps};
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A buffer goes to the file when it is this long.
const BUFFER: usize = 64 << 10;
/// Workers beyond this many share buffers.
const N_BUFFERS: usize = 64;
/// A record is read with this many bytes at first, and mostly that is enough.
const WINDOW: usize = 1 << 10;

/// The steps of a state, or some of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// The place of the state in the store.
    pub(super) source: u32,
    pub(super) is_whole: bool,
    pub(super) is_accepting: bool,
    pub(super) rounds: u32,
    pub(super) targets: Vec<u32>,
}

impl Record {
    fn write(&self, out: &mut Vec<u8>) {
        put_varint(out, u64::from(self.source));
        let how = u64::from(self.is_whole) | u64::from(self.is_accepting) << 1 | u64::from(self.rounds) << 2;
        put_varint(out, how);
        put_varint(out, self.targets.len() as u64);
        let mut last = self.source;
        for &target in &self.targets {
            put_varint(out, zigzag(i64::from(target) - i64::from(last)));
            last = target;
        }
    }

    /// Reads a record off the front of some bytes; `None` if there is no whole one.
    fn read(&mut self, bytes: &mut &[u8]) -> Option<()> {
        let small = |number: u64| u32::try_from(number).ok();
        self.source = small(take_varint(bytes)?)?;
        let how = take_varint(bytes)?;
        (self.is_whole, self.is_accepting) = (how & 1 != 0, how & 2 != 0);
        self.rounds = small(how >> 2)?;
        let n = take_varint(bytes)?;
        self.targets.clear();
        let mut last = i64::from(self.source);
        for _ in 0..n {
            last += unzigzag(take_varint(bytes)?);
            self.targets.push(u32::try_from(last).ok()?);
        }
        Some(())
    }
}

/// What a worker has not written yet.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    /// The state whose steps came last, if they may be followed by more of them.
    current: Option<Record>,
    /// Memory for another.
    spare: Vec<u32>,
    /// The greatest place of a state.
    greatest: u32,
}

impl Buffer {
    /// What is known of the current state is all that comes of it for now.
    fn close(&mut self) {
        if let Some(mut record) = self.current.take() {
            record.write(&mut self.bytes);
            record.targets.clear();
            self.spare = record.targets;
        }
    }
}

/// A log in the making, by all workers of a search at once.
pub(super) struct Log {
    file: Mutex<File>,
    buffers: Vec<Mutex<Buffer>>,
    /// The place of the initial state, once it was visited.
    initial: AtomicU32,
    /// Why there can be no script.
    flaw: Mutex<Option<String>>,
    is_flawed: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The place of this thread among the buffers.
fn slot() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local!(static SLOT: Cell<usize> = Cell::new(NEXT.fetch_add(1, Relaxed) % N_BUFFERS));
    SLOT.with(Cell::get)
}

impl Log {
    pub(super) fn new(file: File) -> Self {
        Self {
            file: Mutex::new(file),
            buffers: (0..N_BUFFERS).map(|_| Mutex::default()).collect(),
            initial: AtomicU32::new(0),
            flaw: Mutex::new(None),
            is_flawed: AtomicBool::new(false),
        }
    }

    /// The search begins in this state.
    pub(super) fn begin(&self, initial: StateRef) {
        self.begin_at(place(initial));
    }

    /// The search begins in the state at this place.
    pub(super) fn begin_at(&self, initial: u32) {
        self.initial.store(initial, Relaxed);
    }

    /// Everything about a state, known from elsewhere.
    pub(super) fn push(&self, record: &Record) {
        let mut buffer = lock(&self.buffers[0]);
        let greatest = record.targets.iter().copied().fold(record.source, u32::max);
        buffer.greatest = buffer.greatest.max(greatest);
        record.write(&mut buffer.bytes);
        if buffer.bytes.len() >= BUFFER {
            self.empty(&mut buffer);
        }
    }

    /// Steps of a state.
    pub(super) fn add(&self, from: StateRef, steps: &Steps<'_>, how: Expanded) {
        if self.is_flawed.load(Relaxed) {
            return;
        }
        let mut buffer = lock(&self.buffers[slot()]);
        let buffer = &mut *buffer;
        let source = place(from);
        if how == Expanded::Cut {
            // The state was not expanded: a script leaves it open.
            buffer.current.take_if(|current| current.source == source);
            return;
        }
        if steps.asleep() > 0 {
            return self.note("the search did not follow all steps of a state".into());
        }
        if buffer.current.as_ref().is_none_or(|current| current.source != source) {
            buffer.close();
            let targets = std::mem::take(&mut buffer.spare);
            buffer.current = Some(Record { source, targets, ..Record::default() });
            buffer.greatest = buffer.greatest.max(source);
        }
        let Some(current) = &mut buffer.current else { return };
        current.is_whole = how == Expanded::Whole;
        current.is_accepting |= steps.from_accepting();
        current.rounds = current.rounds.saturating_add(steps.rounds());
        for step in steps.iter() {
            let target = place(step.to);
            current.targets.push(target);
            buffer.greatest = buffer.greatest.max(target);
        }
        if buffer.bytes.len() >= BUFFER {
            self.empty(buffer);
        }
    }

    fn empty(&self, buffer: &mut Buffer) {
        if let Err(error) = lock(&self.file).write_all(&buffer.bytes) {
            self.note(format!("the scratch file cannot be written: {error}"));
        }
        buffer.bytes.clear();
    }

    /// Notes that there can be no script. The search goes on: its verdict does not depend on who observes it.
    fn note(&self, flaw: String) {
        self.is_flawed.store(true, Relaxed);
        lock(&self.flaw).get_or_insert(flaw);
    }

    /// Everything seen so far is void.
    pub(super) fn restart(&self) {
        for buffer in &self.buffers {
            *lock(buffer) = Buffer::default();
        }
        self.initial.store(0, Relaxed);
        self.is_flawed.store(false, Relaxed);
        *lock(&self.flaw) = None;
        let mut file = lock(&self.file);
        if let Err(error) = file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0))) {
            self.note(format!("the scratch file cannot be written: {error}"));
        }
    }

    /// Everything that was seen, to be read.
    ///
    /// # Errors
    /// Why there can be no script.
    pub(super) fn into_edges(self) -> Result<Edges, String> {
        let mut greatest = 0;
        for buffer in &self.buffers {
            let mut buffer = lock(buffer);
            buffer.close();
            self.empty(&mut buffer);
            greatest = greatest.max(buffer.greatest);
        }
        if let Some(flaw) = self.flaw.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(flaw);
        }
        let mut file = self.file.into_inner().unwrap_or_else(PoisonError::into_inner);
        let len = file.stream_position().map_err(|error| format!("the scratch file is lost: {error}"))?;
        let initial = self.initial.into_inner();
        let greatest = greatest.max(initial);
        Ok(Edges { file, len, initial, greatest, window: Vec::new(), start: 0, spilled: 0 })
    }
}

fn place(state: StateRef) -> u32 {
    u32::try_from(state.index()).expect("a state is named by 32 bits")
}

/// A log that is read. What follows it in the file is a queue of numbers.
pub(super) struct Edges {
    file: File,
    /// The bytes of the log.
    len: u64,
    /// The place of the initial state; zero if no state was visited.
    pub(super) initial: u32,
    /// The greatest place of a state.
    pub(super) greatest: u32,
    /// A part of the file, from `start` on.
    window: Vec<u8>,
    start: u64,
    /// How many bytes follow the log.
    spilled: u64,
}

impl Edges {
    /// Calls `take` with each record and where it is, in the order of the file.
    pub(super) fn scan(&mut self, mut take: impl FnMut(u64, &Record)) -> io::Result<()> {
        let (mut record, mut at) = (Record::default(), 0);
        while at < self.len {
            at += {
                let start = at;
                let n = self.read_with(start, &mut record, BUFFER)?;
                take(start, &record);
                n
            };
        }
        Ok(())
    }

    /// Reads the record at a place.
    pub(super) fn read(&mut self, at: u64, record: &mut Record) -> io::Result<()> {
        self.read_with(at, record, WINDOW).map(|_| ())
    }

    /// Reads the record at a place, with a window of at least this many bytes; gives its length.
    fn read_with(&mut self, at: u64, record: &mut Record, mut n_bytes: usize) -> io::Result<u64> {
        loop {
            let inside =
                at.checked_sub(self.start).and_then(|idx| self.window.get(usize::try_from(idx).ok()?..));
            if let Some(mut rest) = inside {
                let n_before = rest.len();
                if record.read(&mut rest).is_some() {
                    return Ok((n_before - rest.len()) as u64);
                }
            }
            let most = usize::try_from(self.len.saturating_sub(at)).unwrap_or(usize::MAX);
            if self.start == at && self.window.len() >= most {
                return Err(io::Error::other("a record of the log is damaged"));
            }
            self.window.resize(n_bytes.min(most), 0);
            self.start = at;
            self.file.seek(SeekFrom::Start(at))?;
            self.file.read_exact(&mut self.window)?;
            n_bytes = n_bytes.saturating_mul(16);
        }
    }
}

/// A queue of numbers that goes to the file behind a log when it is long.
#[derive(Default)]
pub(super) struct Queue {
    /// What comes next, the last one first.
    front: Vec<u64>,
    back: Vec<u64>,
    /// Where the first part that is in the file begins, in bytes after the log.
    begin: u64,
}

impl Queue {
    /// So many numbers are in memory at each end, at most.
    const PART: usize = 1 << 15;

    pub(super) fn push(&mut self, edges: &mut Edges, number: u64) -> io::Result<()> {
        self.back.push(number);
        if self.back.len() == Self::PART {
            let bytes: Vec<u8> = self.back.drain(..).flat_map(u64::to_le_bytes).collect();
            edges.file.seek(SeekFrom::Start(edges.len + edges.spilled))?;
            edges.file.write_all(&bytes)?;
            edges.spilled += bytes.len() as u64;
        }
        Ok(())
    }

    pub(super) fn pop(&mut self, edges: &mut Edges) -> io::Result<Option<u64>> {
        if self.front.is_empty() && self.begin < edges.spilled {
            let mut bytes = vec![0; Self::PART * 8];
            edges.file.seek(SeekFrom::Start(edges.len + self.begin))?;
            edges.file.read_exact(&mut bytes)?;
            self.begin += bytes.len() as u64;
            let (numbers, _) = bytes.as_chunks::<8>();
            self.front.extend(numbers.iter().rev().map(|one| u64::from_le_bytes(*one)));
        } else if self.front.is_empty() {
            self.front.extend(self.back.drain(..).rev());
        }
        Ok(self.front.pop())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> File {
        let path = std::env::temp_dir().join(format!("allways-log-{}-{name}", std::process::id()));
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&path).unwrap();
        let _ = std::fs::remove_file(path);
        file
    }

    #[test]
    fn a_queue_gives_what_it_was_given_in_order() {
        let mut edges = Log::new(scratch("queue")).into_edges().unwrap();
        let mut queue = Queue::default();
        let (mut given, mut taken) = (0, 0);
        for (n_in, n_out) in [(10, 5), (200_000, 3), (1, 150_000), (70_000, 120_003)] {
            for _ in 0..n_in {
                queue.push(&mut edges, given).unwrap();
                given += 1;
            }
            for _ in 0..n_out {
                assert_eq!(queue.pop(&mut edges).unwrap(), Some(taken));
                taken += 1;
            }
        }
        assert_eq!((given, taken), (270_011, 270_011));
        assert_eq!(queue.pop(&mut edges).unwrap(), None);
    }

    #[test]
    fn records_read_back_wherever_they_are() {
        let log = Log::new(scratch("records"));
        let many: Vec<Record> = (1..2000_u32)
            .map(|source| Record {
                source,
                is_whole: source % 3 > 0,
                is_accepting: source % 5 == 0,
                rounds: source % 7,
                targets: (0..source % 900).map(|idx| idx.wrapping_mul(77_777) % u32::MAX).collect(),
            })
            .collect();
        for record in &many {
            let mut buffer = lock(&log.buffers[0]);
            record.write(&mut buffer.bytes);
            if buffer.bytes.len() > BUFFER {
                log.empty(&mut buffer);
            }
        }
        let mut edges = log.into_edges().unwrap();
        let (mut places, mut idx) = (Vec::new(), 0);
        let same = |one: &Record, other: &Record| {
            let key = |it: &Record| (it.source, it.is_whole, it.is_accepting, it.rounds, it.targets.clone());
            key(one) == key(other)
        };
        let scanned = edges.scan(|at, record| {
            assert!(same(record, &many[idx]));
            places.push(at);
            idx += 1;
        });
        scanned.unwrap();
        assert_eq!(idx, many.len());
        let mut record = Record::default();
        for idx in (0..many.len()).rev().chain([5, 1500, 6, 1501]) {
            edges.read(places[idx], &mut record).unwrap();
            assert!(same(&record, &many[idx]), "{idx}");
        }
    }
}
