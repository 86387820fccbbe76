//! The log of a search with a cache: what it saw at each visit of a state, and from it a log of edges.
//!
//! Such a search forgets states and visits them again, so states have no places in a store: here they go by
//! hashes of 64 bits. A visit is a record in a file.
//!
//! ```text
//! source   u64: the hash of the state
//! how      u32: 1 if it was expanded as a whole, + 2 * rounds
//! n        u32: how many steps follow
//! targets  n u64
//! ```
//!
//! **One record a state is kept**, the first of those with the most rounds. Each target of a record was
//! visited itself, so each has a record, and the kept records describe a graph that is closed under steps.
//! Without a reduction all records of a state are equal. With one, a search leads from each *visit* by its
//! steps to a visit that expands its state as a whole (see `allways_search::cached`). More rounds only append
//! steps, so the kept record of each state on that path has the step of the visit, and that of the last state
//! is whole: no step is omitted without end. The certifier checks that, and every target.
//!
//! Two states with one hash would make the certificate false, and the certifier would refuse it: with a
//! million states, once in thirty million times.
//!
//! While the search goes on this takes no memory but a buffer. Afterwards it takes about forty bytes a state.

use super::log::{Log, Record};
use allways_model::Batch;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::fs::File;
use std::hash::Hasher;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

/// The bytes of buffers.
const BUFFER: usize = 64 << 10;

/// Visits that are being written down.
pub(super) struct Visits {
    out: BufWriter<File>,
    /// The hash of the first state that was visited.
    initial: Option<u64>,
    /// Why there can be no script.
    flaw: Option<String>,
}

fn hash_of(vector: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(vector);
    hasher.finish()
}

impl Visits {
    pub(super) fn new(file: File) -> Self {
        Self { out: BufWriter::with_capacity(BUFFER, file), initial: None, flaw: None }
    }

    /// A state was visited, and expanded in this many rounds.
    pub(super) fn add(&mut self, from: &[u8], steps: &Batch, rounds: u32, is_whole: bool) {
        if self.flaw.is_some() {
            return;
        }
        let source = hash_of(from);
        self.initial.get_or_insert(source);
        let mut bytes = Vec::with_capacity(16 + 8 * steps.len());
        bytes.extend(source.to_le_bytes());
        bytes.extend((u32::from(is_whole) | rounds << 1).to_le_bytes());
        bytes.extend((steps.len() as u32).to_le_bytes());
        (0..steps.len()).for_each(|idx| bytes.extend(hash_of(steps.vector(idx)).to_le_bytes()));
        if let Err(error) = self.out.write_all(&bytes) {
            self.flaw = Some(format!("the scratch file cannot be written: {error}"));
        }
    }

    /// Everything seen so far is void.
    pub(super) fn restart(&mut self) {
        (self.initial, self.flaw) = (None, None);
        let emptied = self.out.flush().and_then(|()| {
            self.out.get_mut().set_len(0)?;
            self.out.seek(SeekFrom::Start(0)).map(|_| ())
        });
        if let Err(error) = emptied {
            self.flaw = Some(format!("the scratch file cannot be written: {error}"));
        }
    }

    /// A log of edges in another file, with one record a state; and the file of the visits, empty.
    ///
    /// # Errors
    /// Why there can be no script.
    pub(super) fn into_log(self, edges: File) -> Result<(Log, File), String> {
        let Self { out, initial, flaw } = self;
        if let Some(flaw) = flaw {
            return Err(flaw);
        }
        let lost = |error: io::Error| format!("the scratch file is lost: {error}");
        let mut file = out.into_inner().map_err(|error| lost(error.into_error()))?;
        let log = Log::new(edges);
        if let Some(initial) = initial {
            merge(&mut file, initial, &log).map_err(lost)?;
        }
        file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0))).map_err(lost)?;
        Ok((log, file))
    }
}

/// A record of the file.
#[derive(Default)]
struct Visit {
    source: u64,
    how: u32,
    targets: Vec<u64>,
}

impl Visit {
    /// Reads the next one; gives whether there is one.
    fn read(&mut self, from: &mut impl Read) -> io::Result<bool> {
        let mut head = [0; 16];
        match from.read(&mut head[..1])? {
            0 => return Ok(false),
            _ => from.read_exact(&mut head[1..])?,
        }
        let [a, b, c, d, e, f, g, h, how @ .., i, j, k, l] = head;
        self.source = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
        self.how = u32::from_le_bytes(how);
        self.targets.clear();
        for _ in 0..u32::from_le_bytes([i, j, k, l]) {
            let mut target = [0; 8];
            from.read_exact(&mut target)?;
            self.targets.push(u64::from_le_bytes(target));
        }
        Ok(true)
    }

    fn rounds(&self) -> u32 {
        self.how >> 1
    }
}

/// Writes one record of each state to a log.
fn merge(file: &mut File, initial: u64, log: &Log) -> io::Result<()> {
    // Where the kept record of each state is, counted in records, and its rounds.
    let mut kept: HashMap<u64, (u64, u32)> = HashMap::new();
    let mut visit = Visit::default();
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::with_capacity(BUFFER, &*file);
    for at in 0.. {
        if !visit.read(&mut reader)? {
            break;
        }
        let one = kept.entry(visit.source).or_insert((at, visit.rounds()));
        if visit.rounds() > one.1 {
            *one = (at, visit.rounds());
        }
    }
    drop(reader);
    // From one on, in the order in which states are met.
    let mut places: HashMap<u64, u32> = HashMap::with_capacity(kept.len());
    let mut place_of = |hash: u64| {
        let next = places.len() as u32 + 1;
        *places.entry(hash).or_insert(next)
    };
    log.begin_at(place_of(initial));
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::with_capacity(BUFFER, &*file);
    let mut record = Record::default();
    for at in 0.. {
        if !visit.read(&mut reader)? {
            break;
        }
        if kept.get(&visit.source).is_none_or(|one| one.0 != at) {
            continue;
        }
        (record.source, record.is_whole) = (place_of(visit.source), visit.how & 1 == 1);
        record.rounds = visit.rounds();
        record.targets.clear();
        record.targets.extend(visit.targets.iter().map(|target| place_of(*target)));
        log.push(&record);
    }
    Ok(())
}
