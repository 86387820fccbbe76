//! Jar files of all forms that `jar` and other tools write, and damaged ones.

use super::*;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write;

/// How a file is written.
#[derive(Clone, Copy, Debug, Default)]
struct Form {
    deflated: bool,
    /// What comes before the first entry, and after the last record.
    before: &'static [u8],
    comment: &'static [u8],
    /// Places and sizes have 64 bits.
    is_long: bool,
}

fn push(bytes: &mut Vec<u8>, numbers: &[(u64, usize)]) {
    for &(number, len) in numbers {
        bytes.extend_from_slice(&number.to_le_bytes()[..len]);
    }
}

fn write(files: &[(&str, &[u8])], form: Form) -> Vec<u8> {
    let (mut bytes, mut directory) = (form.before.to_vec(), Vec::new());
    for (name, contents) in files {
        let mut checksum = Crc::new();
        checksum.update(contents);
        let stored = if form.deflated {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(contents).unwrap();
            encoder.finish().unwrap()
        } else {
            contents.to_vec()
        };
        let method = if form.deflated { 8 } else { 0 };
        let place = (bytes.len() - form.before.len()) as u64;
        let [size, compressed] = [contents.len() as u64, stored.len() as u64];
        let most = u64::from(u32::MAX);
        let short = |number| if form.is_long { most } else { number };
        let extra_len = if form.is_long { 28 } else { 0 };
        bytes.extend_from_slice(b"PK\x03\x04");
        push(&mut bytes, &[(20, 2), (0x800, 2), (method, 2), (0, 4), (u64::from(checksum.sum()), 4)]);
        push(&mut bytes, &[(compressed, 4), (size, 4), (name.len() as u64, 2), (3, 2)]);
        bytes.extend_from_slice(name.as_bytes());
        bytes.extend_from_slice(b"\0\0\0");
        bytes.extend_from_slice(&stored);
        directory.extend_from_slice(b"PK\x01\x02");
        push(&mut directory, &[(20, 2), (20, 2), (0x800, 2), (method, 2), (0, 4)]);
        push(&mut directory, &[(u64::from(checksum.sum()), 4), (short(compressed), 4), (short(size), 4)]);
        push(&mut directory, &[(name.len() as u64, 2), (extra_len, 2), (2, 2), (0, 8), (short(place), 4)]);
        directory.extend_from_slice(name.as_bytes());
        if form.is_long {
            push(&mut directory, &[(1, 2), (24, 2), (size, 8), (compressed, 8), (place, 8)]);
        }
        directory.extend_from_slice(b"ok");
    }
    let [n, size] = [files.len() as u64, directory.len() as u64];
    let start = (bytes.len() - form.before.len()) as u64;
    bytes.extend_from_slice(&directory);
    if form.is_long {
        let record = bytes.len() as u64;
        bytes.extend_from_slice(b"PK\x06\x06");
        push(&mut bytes, &[(44, 8), (45, 2), (45, 2), (0, 8), (n, 8), (n, 8), (size, 8), (start, 8)]);
        bytes.extend_from_slice(b"PK\x06\x07");
        push(&mut bytes, &[(0, 4), (record, 8), (1, 4)]);
    }
    bytes.extend_from_slice(b"PK\x05\x06");
    let short = |number, most| if form.is_long { most } else { number };
    push(&mut bytes, &[(0, 4), (short(n, 0xffff), 2), (short(n, 0xffff), 2)]);
    push(&mut bytes, &[(short(size, 0xffff_ffff), 4), (short(start, 0xffff_ffff), 4)]);
    push(&mut bytes, &[(form.comment.len() as u64, 2)]);
    bytes.extend_from_slice(form.comment);
    bytes
}

/// Opens a jar file of these bytes.
fn open(bytes: &[u8], name: &str) -> Result<Jar, NotAJar> {
    let path = std::env::temp_dir().join(format!("allways-jar-{}-{name}", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    let jar = Jar::open(File::open(&path).unwrap());
    let _ = std::fs::remove_file(path);
    jar
}

const FILES: &[(&str, &[u8])] = &[
    ("a/B.class", b"some bytes, some bytes, some bytes, some bytes"),
    ("empty", b""),
    ("\u{fc}.txt", b"text"),
];

#[test]
fn all_forms_are_read() {
    let script = b"#!/bin/sh\nexec java -jar $0\n";
    for form in [
        Form::default(),
        Form { deflated: true, ..Form::default() },
        Form { comment: b"a comment", ..Form::default() },
        Form { before: script, deflated: true, ..Form::default() },
        Form { is_long: true, deflated: true, ..Form::default() },
        Form { is_long: true, comment: b"another", ..Form::default() },
    ] {
        let mut jar = open(&write(FILES, form), "forms").unwrap();
        for (name, contents) in FILES {
            assert_eq!(jar.read(name).as_deref(), Some(*contents), "{name} {form:?}");
        }
        assert_eq!(jar.read("a/C.class"), None);
    }
    assert!(open(&write(&[], Form::default()), "none").is_ok());
}

#[test]
fn damaged_files_are_errors_or_lack_entries() {
    for form in [Form { deflated: true, ..Form::default() }, Form { is_long: true, ..Form::default() }] {
        let whole = write(FILES, form);
        for len in 0..whole.len() {
            assert!(open(&whole[..len], "cut").is_err(), "cut to {len} bytes: {form:?}");
        }
        for at in 0..whole.len() {
            let mut other = whole.clone();
            other[at] ^= 0x41;
            let Ok(mut jar) = open(&other, "changed") else { continue };
            for (name, contents) in FILES {
                let found = jar.read(name);
                assert!(found.is_none_or(|found| found == *contents), "byte {at} changed: {name} {form:?}");
            }
        }
    }
    assert!(open(b"", "empty").is_err());
    assert!(open(b"no jar file, but longer than the record at the end", "other").is_err());
}
