//! Whether the file of a JDK's class library is whole.
//!
//! The reader of such files says of a class only that it cannot be had, so that a class lost with the end of the file would look like one
//! that never was there: the program would see a `NoClassDefFoundError` that no JDK gives. Therefore the whole index is looked at once,
//! before anything is read: every entry lies within the file, and is where its own name leads. Contents have no checksums; a class of the
//! library that turns out to be no class is reported when it is loaded.
//!
//! The layout: a header of seven words; then the redirect table and the table of offsets, a word for each entry; the attributes of entries;
//! strings; the contents. An attribute is a byte (kind in the upper five bits, length less one in the others) and a number, most
//! significant byte first. Kinds: 1 module, 2 parent, 3 base, 4 extension (each a place among the strings), 5 place of the contents, 6
//! their size if compressed, 7 their size.

use crate::error::{Damage, Error};
use std::io::Read;
use std::path::Path;

const HEADER: usize = 28;
const HASH_MULTIPLIER: u32 = 0x0100_0193;

/// Looks at the index of an image file.
///
/// # Errors
/// What is wrong with it.
pub(super) fn check(file: &Path) -> Result<(), Error> {
    let broken = |damage| Error::Damaged(file.to_path_buf(), damage);
    let unreadable = Error::unreadable(file);
    let mut input = std::fs::File::open(file).map_err(&unreadable)?;
    let len = input.metadata().map_err(&unreadable)?.len();
    let mut header = [0; HEADER];
    input.read_exact(&mut header).map_err(|_| broken(Damage::Header))?;
    let is_big = match header[..4] {
        [0xca, 0xfe, 0xda, 0xda] => true,
        [0xda, 0xda, 0xfe, 0xca] => false,
        _ => return Err(Error::NotALibrary(file.to_path_buf())),
    };
    let word = |bytes: [u8; 4]| if is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
    let in_header = |at: usize| {
        word([header[4 * at], header[4 * at + 1], header[4 * at + 2], header[4 * at + 3]]) as usize
    };
    let [n_entries, n_attributes, n_strings] = [in_header(4), in_header(5), in_header(6)];
    let n_index = 8 * n_entries as u64 + n_attributes as u64 + n_strings as u64;
    if n_entries == 0 || HEADER as u64 + n_index > len {
        return Err(broken(Damage::Index));
    }
    let mut bytes = vec![0; n_index as usize];
    input.read_exact(&mut bytes).map_err(unreadable)?;
    let (tables, rest) = bytes.split_at(8 * n_entries);
    let (attributes, strings) = rest.split_at(n_attributes);
    let entry =
        |at: usize| word([tables[4 * at], tables[4 * at + 1], tables[4 * at + 2], tables[4 * at + 3]]);
    let index = Index { attributes, strings };
    let contents = len - HEADER as u64 - n_index;
    for at in 0..n_entries {
        let offset = entry(n_entries + at) as usize;
        let found = index.entry(offset).ok_or_else(|| broken(Damage::Entry))?;
        if found.is_compressed {
            return Err(Error::Compressed(file.to_path_buf(), found.name));
        }
        if found.end > contents {
            return Err(broken(Damage::Contents(found.name)));
        }
        // As many names have one hash, the redirect table has another seed for them, or the place itself.
        let place = match entry(hash(&found.name, HASH_MULTIPLIER) as usize % n_entries) as i32 {
            redirect if redirect < 0 => (-1 - redirect) as usize,
            0 => hash(&found.name, HASH_MULTIPLIER) as usize % n_entries,
            seed => hash(&found.name, seed as u32) as usize % n_entries,
        };
        if place != at {
            return Err(broken(Damage::Lost(found.name)));
        }
    }
    Ok(())
}

fn hash(name: &str, seed: u32) -> u32 {
    let hash = name.bytes().fold(seed, |hash, byte| hash.wrapping_mul(HASH_MULTIPLIER) ^ u32::from(byte));
    hash & 0x7fff_ffff
}

/// An entry of an index.
struct Entry {
    name: String,
    /// Where its contents end, from where contents begin.
    end: u64,
    is_compressed: bool,
}

struct Index<'a> {
    attributes: &'a [u8],
    strings: &'a [u8],
}

impl Index<'_> {
    /// The entry whose attributes begin here; `None` if that is no entry.
    fn entry(&self, mut at: usize) -> Option<Entry> {
        let mut values = [0_u64; 8];
        loop {
            let head = *self.attributes.get(at)?;
            if head >> 3 == 0 {
                break;
            }
            let end = at + 2 + usize::from(head & 7);
            let bytes = self.attributes.get(at + 1..end)?;
            let value = bytes.iter().fold(0, |value, &byte| value << 8 | u64::from(byte));
            *values.get_mut(usize::from(head >> 3))? = value;
            at = end;
        }
        let [_, module, parent, base, extension, place, compressed, size] = values;
        let mut name = String::new();
        let [module, parent] = [self.string(module)?, self.string(parent)?];
        if !module.is_empty() {
            name.extend(["/", module, "/"]);
        }
        if !parent.is_empty() {
            name.extend([parent, "/"]);
        }
        name.push_str(self.string(base)?);
        let extension = self.string(extension)?;
        if !extension.is_empty() {
            name.extend([".", extension]);
        }
        let taken = if compressed == 0 { size } else { compressed };
        Some(Entry { name, end: place.checked_add(taken)?, is_compressed: compressed != 0 })
    }

    fn string(&self, at: u64) -> Option<&str> {
        let bytes = self.strings.get(usize::try_from(at).ok()?..)?;
        let end = bytes.iter().position(|&byte| byte == 0)?;
        std::str::from_utf8(&bytes[..end]).ok()
    }
}
