//! The file of a task's result: what the task did, and the fingerprints that other tasks must agree with.
//!
//! ```text
//! "ALLWAYSR"  version u16  length u32  header (text)
//! entry*      a varint: 1 + 4 (number - the number before) + (1 if the task expands the state) + (2 if that is as a
//!             whole, or must be), and 16 bytes
//! 0           one byte
//! MAC         32 bytes, of everything before
//! ```
//!
//! Entries are in the order of numbers, each number once. Nothing in a file is looked at before its MAC was
//! found to be that of the secret; it is compared again while the entries are read.

use crate::secret::{Mac, Secret};
use crate::veracity::{Deviation, Error};
use allways_model::certificate::script::{put_varint, take_varint};
use allways_model::spec::{escape, unescape};
use allways_model::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"ALLWAYSR";
const VERSION: u16 = 3;
/// No header is longer than this.
const MAX_HEADER: u32 = 1 << 20;

/// How a result file begins.
pub const RESULT_MAGIC: &[u8; 8] = MAGIC;

/// What a task did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The certificate, what it is about, and the state space of the certifier.
    pub(crate) file: Sha256,
    pub(crate) spec: Sha256,
    pub(crate) digest: Digest,
    /// The secret.
    pub(crate) key: Sha256,
    /// The number of the task, from 1 on, and how many there are.
    pub task: u16,
    /// How many tasks there are.
    pub n_tasks: u16,
    /// Whether it walked through a tree, and compared nothing.
    pub trustful: bool,
    /// The states that it expanded.
    pub n_states: u64,
    /// Their steps; in a tree those to new states.
    pub n_steps: u64,
    /// Those that were expanded in part.
    pub n_part: u64,
    /// In a tree, those without a step.
    pub n_ends: u64,
    /// Those that are not expanded, in a partial certificate.
    pub n_open: u64,
    /// The states that it passed through on the way.
    pub n_path: u64,
    /// The bytes of the longest vector.
    pub longest: u64,
    /// What the program asked its surroundings for, where not every answer was explored, in words.
    pub inputs: Vec<String>,
    /// What is wrong, in words, with the number of the state.
    pub violations: Vec<(u64, String)>,
    /// How many violations there are in all.
    pub n_violations: u64,
}

const FIRST_LINE: &str = "allways result 1";

impl Summary {
    fn to_text(&self) -> String {
        let mut text = format!("{FIRST_LINE}\n");
        let kind = if self.trustful { "trustful" } else { "tamper-proof" };
        let _ = write!(
            text,
            "file {}\nspec {}\ndigest {}\nkey {}\ntask {}\ntasks {}\nkind {kind}\n",
            self.file, self.spec, self.digest, self.key, self.task, self.n_tasks
        );
        for (name, number) in [
            ("states", self.n_states),
            ("steps", self.n_steps),
            ("part", self.n_part),
            ("ends", self.n_ends),
            ("open", self.n_open),
            ("path", self.n_path),
            ("longest", self.longest),
            ("violations", self.n_violations),
        ] {
            let _ = writeln!(text, "{name} {number}");
        }
        for input in &self.inputs {
            let _ = writeln!(text, "input {}", escape(input));
        }
        for (state, message) in &self.violations {
            let _ = writeln!(text, "violation {state} {}", escape(message));
        }
        text
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.strip_suffix('\n')?.split('\n');
        (lines.next() == Some(FIRST_LINE)).then_some(())?;
        let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let (file, spec) = (value("file")?.parse().ok()?, value("spec")?.parse().ok()?);
        let (digest, key) = (value("digest")?.parse().ok()?, value("key")?.parse().ok()?);
        let (task, n_tasks) = (value("task")?.parse().ok()?, value("tasks")?.parse().ok()?);
        let trustful = match value("kind")? {
            "trustful" => true,
            "tamper-proof" => false,
            _ => return None,
        };
        let mut number = |name: &str| value(name)?.parse::<u64>().ok();
        let summary = Self {
            file,
            spec,
            digest,
            key,
            task,
            n_tasks,
            trustful,
            n_states: number("states")?,
            n_steps: number("steps")?,
            n_part: number("part")?,
            n_ends: number("ends")?,
            n_open: number("open")?,
            n_path: number("path")?,
            longest: number("longest")?,
            n_violations: number("violations")?,
            inputs: Vec::new(),
            violations: Vec::new(),
        };
        let violation = |line: &str| {
            let (state, message) = line.strip_prefix("violation ")?.split_once(' ')?;
            Some((state.parse().ok()?, unescape(message)?))
        };
        let mut lines = lines.peekable();
        let mut inputs = Vec::new();
        while let Some(input) = lines.next_if(|line| line.starts_with("input ")) {
            inputs.push(unescape(&input["input ".len()..])?);
        }
        let violations = lines.map(violation).collect::<Option<_>>()?;
        Some(Self { inputs, violations, ..summary })
    }

    /// The file of a result with these entries, which are in the order of their numbers.
    pub(crate) fn write(
        &self,
        secret: &Secret,
        entries: impl Iterator<Item = Entry>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut mac = secret.mac();
        let mut put = |bytes: &[u8]| {
            mac.update(bytes);
            out.write_all(bytes)
        };
        let text = self.to_text();
        put(MAGIC)?;
        put(&VERSION.to_le_bytes())?;
        put(&(text.len() as u32).to_le_bytes())?;
        put(text.as_bytes())?;
        let (mut before, mut bytes) = (0, Vec::new());
        for entry in entries {
            bytes.clear();
            let flags = u64::from(entry.is_own) + 2 * u64::from(entry.whole);
            put_varint(&mut bytes, 1 + 4 * (entry.number - before) + flags);
            bytes.extend(entry.print.to_le_bytes());
            put(&bytes)?;
            before = entry.number;
        }
        put(&[0])?;
        out.write_all(&mac.finish())?;
        out.flush()
    }
}

/// An entry of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) number: u64,
    /// Whether the task expands the state.
    pub(crate) is_own: bool,
    /// Of an own state whether it was expanded as a whole, of another one whether it must be.
    pub(crate) whole: bool,
    /// The fingerprint.
    pub(crate) print: u128,
}

/// A result whose MAC is right.
pub(crate) struct TaskResult {
    pub(crate) file: PathBuf,
    pub(crate) summary: Summary,
    reader: Hashed,
    before: u64,
}

/// Reads a file up to its MAC.
struct Hashed {
    reader: BufReader<File>,
    mac: Option<Mac>,
    /// The bytes before the MAC that were not read.
    left: u64,
}

impl Hashed {
    fn take<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.left = self.left.checked_sub(N as u64).ok_or(io::ErrorKind::UnexpectedEof)?;
        self.reader.read_exact(&mut bytes)?;
        self.mac.iter_mut().for_each(|mac| mac.update(&bytes));
        Ok(bytes)
    }

    /// Whether everything was read, and the MAC that follows is that of the secret.
    fn is_sealed(&mut self) -> io::Result<bool> {
        let mut end = [0; 32];
        self.reader.read_exact(&mut end)?;
        let own = self.mac.take().map(Mac::finish);
        // In a time that does not depend on where they differ.
        let differs = |own: [u8; 32]| own.iter().zip(&end).fold(0, |all, (a, b)| all | (a ^ b)) != 0;
        Ok(self.left == 0 && own.is_some_and(|own| !differs(own)))
    }
}

impl TaskResult {
    /// Opens a result.
    ///
    /// # Errors
    /// If it cannot be read, or was not made with this secret.
    pub(crate) fn open(file: &Path, secret: &Secret) -> Result<Self, Error> {
        let wrong = |what: &str| Error::from(bad(file, what));
        let damaged = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => wrong("it ends too early"),
            _ => cannot_read(file, &error),
        };
        let open = || {
            let reader = File::open(file).map_err(|error| cannot_read(file, &error))?;
            let len = reader.metadata().map_err(|error| cannot_read(file, &error))?.len();
            let left = len.checked_sub(32).ok_or_else(|| wrong("it ends too early"))?;
            Ok::<_, Error>(Hashed { reader: BufReader::new(reader), mac: Some(secret.mac()), left })
        };
        let mut whole = open()?;
        while whole.left >= 1 << 12 {
            whole.take::<4096>().map_err(damaged)?;
        }
        while whole.left > 0 {
            whole.take::<1>().map_err(damaged)?;
        }
        if !whole.is_sealed().map_err(damaged)? {
            return Err(wrong("it does not have the MAC that the secret gives it"));
        }
        let mut reader = open()?;
        let is_result = reader.take::<8>().map_err(damaged)? == *MAGIC
            && reader.take::<2>().map_err(damaged)? == VERSION.to_le_bytes();
        let len = u32::from_le_bytes(reader.take().map_err(damaged)?);
        if !is_result || len > MAX_HEADER {
            return Err(wrong("it is no result of this version"));
        }
        let mut text = Vec::new();
        for _ in 0..len {
            text.push(reader.take::<1>().map_err(damaged)?[0]);
        }
        let summary = std::str::from_utf8(&text).ok().and_then(Summary::parse);
        let summary = summary.ok_or_else(|| wrong("its header is malformed"))?;
        Ok(Self { file: file.into(), summary, reader, before: 0 })
    }

    /// The next entry; `None` after the last, where the MAC was compared again.
    pub(crate) fn next_entry(&mut self) -> Result<Option<Entry>, Error> {
        let file = self.file.clone();
        let wrong = |what: &str| Error::from(bad(&file, what));
        let damaged = |_| wrong("its entries are malformed");
        let mut bytes = Vec::new();
        while bytes.last().is_none_or(|byte| *byte >= 0x80) {
            bytes.push(self.reader.take::<1>().map_err(damaged)?[0]);
            if bytes.len() > 10 {
                return Err(wrong("its entries are malformed"));
            }
        }
        let code = take_varint(&mut bytes.as_slice()).ok_or_else(|| wrong("its entries are malformed"))?;
        let Some(code) = code.checked_sub(1) else {
            return match self.reader.is_sealed() {
                Ok(true) => Ok(None),
                _ => Err(wrong("it has changed while it was read")),
            };
        };
        let number = self.before.checked_add(code / 4).filter(|number| *number > self.before);
        let number = number.ok_or_else(|| wrong("its entries are in no order"))?;
        self.before = number;
        let print = u128::from_le_bytes(self.reader.take().map_err(damaged)?);
        Ok(Some(Entry { number, is_own: code & 1 != 0, whole: code & 2 != 0, print }))
    }
}

/// A deviation in the file of a result.
pub(crate) fn bad(file: &Path, what: impl Into<String>) -> Deviation {
    Deviation::BadResult { file: file.display().to_string(), what: what.into() }
}

fn cannot_read(file: &Path, error: &io::Error) -> Error {
    Error::Input(format!("cannot read {}: {error}", file.display()))
}
