//! Digests, which identify a model and its inputs.
//!
//! Both kinds are SHA-256. [`Sha256`] is the whole hash, for the bytes of files and of a
//! [`Spec`](crate::Spec); evidence relies on it. [`Digest`] is 128 bits of the hash of a model's structure:
//! it identifies a state space, and is small.

use sha2::Digest as _;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::io::{self, Read};
use std::str::FromStr;

/// The digest of a model. Equal digests mean equal states and equal keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 16]);

impl Digest {
    /// The digest of a value, through its [`Hash`] implementation. Everything that shapes states or keys must
    /// be part of it; names of Rust fields and types are not.
    ///
    /// ```
    /// use allways_model::Digest;
    ///
    /// let one = Digest::of(&("grid", 3_u32, [1_u8, 2]));
    /// assert_eq!(one, Digest::of(&("grid", 3_u32, [1_u8, 2])));
    /// assert_ne!(one, Digest::of(&("grid", 4_u32, [1_u8, 2])));
    /// ```
    #[must_use]
    pub fn of(value: &impl Hash) -> Self {
        let mut hasher = Structure(sha2::Sha256::new());
        value.hash(&mut hasher);
        let hash: [u8; 32] = hasher.0.finalize().into();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash[..16]);
        Self(bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        hexadecimal(text).map(Self).ok_or_else(|| NotADigest { text: text.into(), n_digits: 32 })
    }
}

/// The error for a text that is not a digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotADigest {
    text: String,
    n_digits: usize,
}

impl fmt::Display for NotADigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short: String = self.text.chars().take(80).collect();
        write!(f, "'{short}' is not a digest ({} hexadecimal digits)", self.n_digits)
    }
}

impl std::error::Error for NotADigest {}

/// A SHA-256 hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256(pub [u8; 32]);

impl Sha256 {
    /// The hash of `bytes`.
    ///
    /// ```
    /// let empty = allways_model::Sha256::of(b"");
    /// assert!(empty.to_string().starts_with("e3b0c44298fc1c14"));
    /// assert_eq!(empty.to_string().parse(), Ok(empty));
    /// ```
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// The hash of all bytes of a reader.
    ///
    /// # Errors
    /// The error of the reader.
    pub fn of_reader(mut reader: impl Read) -> io::Result<Self> {
        let mut hasher = sha2::Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return Ok(Self(hasher.finalize().into())),
                Ok(n) => hasher.update(&buffer[..n]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Sha256 {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        hexadecimal(text).map(Self).ok_or_else(|| NotADigest { text: text.into(), n_digits: 64 })
    }
}

fn hexadecimal<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != 2 * N || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; N];
    for (idx, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * idx..2 * idx + 2], 16).ok()?;
    }
    Some(bytes)
}

/// Feeds the structure of a value to SHA-256, in the same bytes on every machine.
struct Structure(sha2::Sha256);

impl Hasher for Structure {
    fn finish(&self) -> u64 {
        let hash: [u8; 32] = self.0.clone().finalize().into();
        u64::from_le_bytes([hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7]])
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn write_u16(&mut self, i: u16) {
        self.write(&i.to_le_bytes());
    }

    fn write_u32(&mut self, i: u32) {
        self.write(&i.to_le_bytes());
    }

    fn write_u64(&mut self, i: u64) {
        self.write(&i.to_le_bytes());
    }

    fn write_u128(&mut self, i: u128) {
        self.write(&i.to_le_bytes());
    }

    fn write_usize(&mut self, i: usize) {
        self.write(&(i as u64).to_le_bytes());
    }

    fn write_i16(&mut self, i: i16) {
        self.write_u16(i as u16);
    }

    fn write_i32(&mut self, i: i32) {
        self.write_u32(i as u32);
    }

    fn write_i64(&mut self, i: i64) {
        self.write_u64(i as u64);
    }

    fn write_i128(&mut self, i: i128) {
        self.write_u128(i as u128);
    }

    fn write_isize(&mut self, i: isize) {
        self.write_u64(i as i64 as u64);
    }
}
