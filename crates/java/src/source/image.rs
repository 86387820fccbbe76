//! Reads the file of a JDK's class library, `lib/modules`.
//!
//! A class missing from a truncated file would look like one that never existed: the program would see a
//! `NoClassDefFoundError` that no JDK throws. Therefore opening the file checks the whole index: every entry
//! lies within the file, and a lookup of its name finds it. Contents have no checksums; a damaged class of
//! the library is reported when it is loaded. Compressed contents are not supported.
//!
//! The layout: a header of seven words; then the redirect table and the table of offsets, a word for each
//! entry; the attributes of entries; strings; the contents. An attribute is a byte (kind in the upper five
//! bits, length less one in the others) and a number, most significant byte first. Kinds: 1 module, 2 parent,
//! 3 base, 4 extension (each a place among the strings), 5 place of the contents, 6 their size if compressed,
//! 7 their size.

use crate::error::{Damage, Error};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

const HEADER: usize = 28;
const HASH_MULTIPLIER: u32 = 0x0100_0193;

/// An open image file. Its index is in memory; contents are read on demand.
pub(super) struct Image {
    file: Mutex<File>,
    is_big: bool,
    n_entries: usize,
    /// Where contents begin in the file.
    contents: u64,
    /// Both tables, the attributes and the strings.
    index: Vec<u8>,
    n_attributes: usize,
}

/// An entry of an image.
pub(super) struct Entry<'a> {
    pub(super) module: &'a str,
    pub(super) parent: &'a str,
    base: &'a str,
    pub(super) extension: &'a str,
    /// The start of its contents, relative to the start of all contents.
    place: u64,
    compressed: u64,
    size: u64,
}

impl Entry<'_> {
    /// Its name within its module, with slashes.
    pub(super) fn name(&self) -> String {
        let mut name = String::with_capacity(self.parent.len() + self.base.len() + self.extension.len() + 2);
        if !self.parent.is_empty() {
            name.extend([self.parent, "/"]);
        }
        name.push_str(self.base);
        if !self.extension.is_empty() {
            name.extend([".", self.extension]);
        }
        name
    }

    fn full_name(&self) -> String {
        if self.module.is_empty() { self.name() } else { format!("/{}/{}", self.module, self.name()) }
    }
}

impl Image {
    /// Opens an image file and checks its index.
    ///
    /// # Errors
    /// The damage to the file.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let broken = |damage| Error::Damaged(path.to_path_buf(), damage);
        let unreadable = Error::unreadable(path);
        let mut file = File::open(path).map_err(&unreadable)?;
        let len = file.metadata().map_err(&unreadable)?.len();
        let mut header = [0; HEADER];
        file.read_exact(&mut header).map_err(|_| broken(Damage::Header))?;
        let is_big = match header[..4] {
            [0xca, 0xfe, 0xda, 0xda] => true,
            [0xda, 0xda, 0xfe, 0xca] => false,
            _ => return Err(Error::NotALibrary(path.to_path_buf())),
        };
        let in_header = |at: usize| word(is_big, &header, at) as usize;
        let [n_entries, n_attributes, n_strings] = [in_header(4), in_header(5), in_header(6)];
        let n_index = 8 * n_entries as u64 + n_attributes as u64 + n_strings as u64;
        if n_entries == 0 || HEADER as u64 + n_index > len {
            return Err(broken(Damage::Index));
        }
        let mut index = vec![0; n_index as usize];
        file.read_exact(&mut index).map_err(unreadable)?;
        let contents = HEADER as u64 + n_index;
        let image = Self { file: Mutex::new(file), is_big, n_entries, contents, index, n_attributes };
        for at in 0..n_entries {
            let found = image.entry(at).ok_or_else(|| broken(Damage::Entry))?;
            let name = found.full_name();
            if found.compressed != 0 {
                return Err(Error::Compressed(path.to_path_buf(), name));
            }
            if found.place.checked_add(found.size).is_none_or(|end| end > len - contents) {
                return Err(broken(Damage::Contents(name)));
            }
            if image.place_of(&name) != at {
                return Err(broken(Damage::Lost(name)));
            }
        }
        Ok(image)
    }

    /// All entries, in the order of the index.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        (0..self.n_entries).filter_map(|at| self.entry(at))
    }

    /// The entry of a name, which begins with a slash and the module.
    pub(super) fn find(&self, name: &str) -> Option<Entry<'_>> {
        self.entry(self.place_of(name)).filter(|entry| entry.full_name() == name)
    }

    /// The contents of an entry; `None` if they cannot be read.
    pub(super) fn contents(&self, entry: &Entry<'_>) -> Option<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(entry.size).ok()?];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.contents + entry.place)).ok()?;
        file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    /// A word of the two tables.
    fn word(&self, at: usize) -> u32 {
        word(self.is_big, &self.index, at)
    }

    /// The position of the entry of a name, if there is one. For names with the same hash, the redirect table
    /// has another seed, or the position itself.
    fn place_of(&self, name: &str) -> usize {
        let first = hash(name, HASH_MULTIPLIER) as usize % self.n_entries;
        match self.word(first) as i32 {
            redirect if redirect < 0 => (-1 - redirect) as usize,
            0 => first,
            seed => hash(name, seed as u32) as usize % self.n_entries,
        }
    }

    /// The entry at a position; `None` if it is malformed.
    fn entry(&self, at: usize) -> Option<Entry<'_>> {
        if at >= self.n_entries {
            return None;
        }
        let (attributes, strings) = self.index[8 * self.n_entries..].split_at(self.n_attributes);
        let mut values = [0_u64; 8];
        let mut at = self.word(self.n_entries + at) as usize;
        loop {
            let head = *attributes.get(at)?;
            if head >> 3 == 0 {
                break;
            }
            let end = at + 2 + usize::from(head & 7);
            let bytes = attributes.get(at + 1..end)?;
            let value = bytes.iter().fold(0, |value, &byte| value << 8 | u64::from(byte));
            *values.get_mut(usize::from(head >> 3))? = value;
            at = end;
        }
        let [_, module, parent, base, extension, place, compressed, size] = values;
        let string = |at| string(strings, at);
        Some(Entry {
            module: string(module)?,
            parent: string(parent)?,
            base: string(base)?,
            extension: string(extension)?,
            place,
            compressed,
            size,
        })
    }
}

fn word(is_big: bool, bytes: &[u8], at: usize) -> u32 {
    let bytes = [bytes[4 * at], bytes[4 * at + 1], bytes[4 * at + 2], bytes[4 * at + 3]];
    if is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
}

fn hash(name: &str, seed: u32) -> u32 {
    let hash = name.bytes().fold(seed, |hash, byte| hash.wrapping_mul(HASH_MULTIPLIER) ^ u32::from(byte));
    hash & 0x7fff_ffff
}

fn string(strings: &[u8], at: u64) -> Option<&str> {
    let bytes = strings.get(usize::try_from(at).ok()?..)?;
    let end = bytes.iter().position(|&byte| byte == 0)?;
    std::str::from_utf8(&bytes[..end]).ok()
}
