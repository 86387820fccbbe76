//! Reads jar files, which are ZIP files (PKWARE's APPNOTE.TXT): the directory when a file is opened, contents
//! on demand.
//!
//! Contents may be stored or deflated, and must have the size and the checksum that the directory says.
//! Encrypted entries and other compression methods are not supported and count as missing. Names are UTF-8,
//! as `java` takes them.

use flate2::Crc;
use flate2::read::DeflateDecoder;
use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// The record at the end of a file, without its comment.
const END: usize = 22;
/// The size of the record that locates the 64-bit record of large files.
const LOCATOR: usize = 20;
/// The size of the 64-bit record.
const END_64: usize = 56;
/// A directory's record of an entry, without its name.
const HEADER: usize = 46;
/// The record before an entry's contents, without its name.
const LOCAL: usize = 30;

/// The reason why a file is not a jar file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAJar {
    /// The system cannot read it; the system's message.
    Unreadable(String),
    /// There is no directory at its end.
    NoDirectory,
    /// Its directory is malformed.
    DamagedDirectory,
}

impl fmt::Display for NotAJar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreadable(problem) => problem,
            Self::NoDirectory => "it has no directory",
            Self::DamagedDirectory => "its directory is damaged",
        })
    }
}

/// An open jar file.
pub(super) struct Jar {
    file: File,
    entries: HashMap<String, Entry>,
}

struct Entry {
    /// Where the record before its contents is.
    at: u64,
    is_encrypted: bool,
    method: u16,
    checksum: u32,
    compressed: u64,
    size: u64,
}

impl Jar {
    /// Opens a jar file and reads its directory.
    ///
    /// # Errors
    /// The reason why it is not a jar file.
    pub(super) fn open(mut file: File) -> Result<Self, NotAJar> {
        let entries = entries(&mut file)?;
        Ok(Self { file, entries })
    }

    /// The names of its files.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// The contents of a file; `None` if there is none of this name, or it is damaged.
    pub(super) fn read(&mut self, name: &str) -> Option<Vec<u8>> {
        let entry = self.entries.get(name)?;
        let mut local = [0; LOCAL];
        self.file.seek(SeekFrom::Start(entry.at)).ok()?;
        self.file.read_exact(&mut local).ok()?;
        if !local.starts_with(b"PK\x03\x04") || entry.is_encrypted {
            return None;
        }
        let skipped = i64::from(half(&local, 26)?) + i64::from(half(&local, 28)?);
        self.file.seek(SeekFrom::Current(skipped)).ok()?;
        let compressed = (&self.file).take(entry.compressed);
        let mut bytes = Vec::new();
        // One byte more than expected shows that there are too many.
        match entry.method {
            0 => compressed.take(entry.size + 1).read_to_end(&mut bytes).ok()?,
            8 => DeflateDecoder::new(compressed).take(entry.size + 1).read_to_end(&mut bytes).ok()?,
            _ => return None,
        };
        let mut checksum = Crc::new();
        checksum.update(&bytes);
        (bytes.len() as u64 == entry.size && checksum.sum() == entry.checksum).then_some(bytes)
    }
}

/// The entries of a file's directory.
fn entries(file: &mut File) -> Result<HashMap<String, Entry>, NotAJar> {
    let no_directory = || NotAJar::NoDirectory;
    let unreadable = |error: std::io::Error| NotAJar::Unreadable(error.to_string());
    let len = file.seek(SeekFrom::End(0)).map_err(unreadable)?;
    // A comment may follow the record.
    let tail_len = len.min((END + LOCATOR + usize::from(u16::MAX)) as u64);
    let tail = read_at(file, len - tail_len, tail_len).ok_or_else(no_directory)?;
    let end = (0..(tail.len() + 1).saturating_sub(END)).rev().find(|&at| {
        let comment = half(&tail, at + 20).map(usize::from);
        tail[at..].starts_with(b"PK\x05\x06")
            && comment.is_some_and(|comment| at + END + comment <= tail.len())
    });
    let end = end.ok_or_else(no_directory)?;
    let (mut n_entries, mut size, mut start) = (
        half(&tail, end + 10).map(u64::from).ok_or_else(no_directory)?,
        word(&tail, end + 12).ok_or_else(no_directory)?,
        word(&tail, end + 16).ok_or_else(no_directory)?,
    );
    let mut end_of_directory = len - tail_len + end as u64;
    let locator = end.checked_sub(LOCATOR).filter(|&at| tail[at..].starts_with(b"PK\x06\x07"));
    if let Some(locator) = locator {
        let at = long(&tail, locator + 8).ok_or_else(no_directory)?;
        let record = read_at(file, at, END_64 as u64).ok_or_else(no_directory)?;
        if !record.starts_with(b"PK\x06\x06") {
            return Err(no_directory());
        }
        let number = |at| long(&record, at).ok_or_else(no_directory);
        (n_entries, size, start) = (number(32)?, number(40)?, number(48)?);
        end_of_directory = at;
    }
    // Bytes before the first entry, such as a script, shift all offsets.
    let moved = end_of_directory.checked_sub(size).and_then(|begin| begin.checked_sub(start));
    let moved = moved.ok_or_else(no_directory)?;
    let directory = read_at(file, start + moved, size).ok_or_else(no_directory)?;
    let mut entries = HashMap::new();
    let mut at = 0;
    for _ in 0..n_entries {
        let (name, entry, after) = entry(&directory, at, moved).ok_or(NotAJar::DamagedDirectory)?;
        entries.insert(name, entry);
        at = after;
    }
    Ok(entries)
}

/// The name and the record of the entry at a place of the directory, and where the next one is.
fn entry(directory: &[u8], at: usize, moved: u64) -> Option<(String, Entry, usize)> {
    let header = directory.get(at..at + HEADER)?;
    if !header.starts_with(b"PK\x01\x02") {
        return None;
    }
    let [name_len, extra_len, comment_len] =
        [half(header, 28)?, half(header, 30)?, half(header, 32)?].map(usize::from);
    let name = directory.get(at + HEADER..at + HEADER + name_len)?;
    let extra_at = at + HEADER + name_len;
    let mut extra = directory.get(extra_at..extra_at + extra_len)?;
    let [mut size, mut compressed, mut place] = [word(header, 24)?, word(header, 20)?, word(header, 42)?];
    while let (Some(kind), Some(len)) = (half(extra, 0), half(extra, 2)) {
        let (field, rest) = extra.get(4..)?.split_at_checked(usize::from(len))?;
        if kind == 1 {
            // Numbers of 64 bits for those that do not fit, in this order.
            let mut field_at = 0;
            for number in [&mut size, &mut compressed, &mut place] {
                if *number == u64::from(u32::MAX) {
                    *number = long(field, field_at)?;
                    field_at += 8;
                }
            }
        }
        extra = rest;
    }
    let entry = Entry {
        at: place.checked_add(moved)?,
        is_encrypted: half(header, 8)? & 1 != 0,
        method: half(header, 10)?,
        checksum: word(header, 16)? as u32,
        compressed,
        size: (size < u64::MAX).then_some(size)?,
    };
    Some((String::from_utf8_lossy(name).into_owned(), entry, extra_at + extra_len + comment_len))
}

/// Bytes of a file; `None` if it is shorter.
fn read_at(file: &mut File, at: u64, len: u64) -> Option<Vec<u8>> {
    file.seek(SeekFrom::Start(at)).ok()?;
    let mut bytes = Vec::new();
    let n_read = file.take(len).read_to_end(&mut bytes).ok()?;
    (n_read as u64 == len).then_some(bytes)
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?)))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests;
