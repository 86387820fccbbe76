//! Reading a certificate twice: first as bytes, then as a script.
//!
//! [`Sealed::read`] reads all of the file once, checks its hashes and looks at no claim. Only then a key is
//! drawn. [`Blocks`] reads it again, block by block, and fails if it is another file by now. A reader holds
//! the header (at most 16 MiB) and one block (at most 16 MiB compressed and 16 MiB not), each allocated as
//! its bytes come.

use crate::veracity::{Deviation, Error, VeracityError};
use allways_model::Sha256;
use allways_model::certificate::{self, Flaw, Frame, Header, PRELUDE};
use flate2::read::DeflateDecoder;
use sha2::Digest as _;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// Reads parts of a file and hashes them.
struct Hashed<R> {
    reader: R,
    hasher: sha2::Sha256,
    n_bytes: u64,
}

impl<R: Read> Hashed<R> {
    fn new(reader: R) -> Self {
        Self { reader, hasher: sha2::Sha256::new(), n_bytes: 0 }
    }

    /// The next `len` bytes, allocated as they come.
    fn take(&mut self, len: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        (&mut self.reader).take(len as u64).read_to_end(&mut bytes).map_err(|error| cannot_read(&error))?;
        if bytes.len() < len {
            return Err(Deviation::Damaged(Flaw::Truncated.to_string()).into());
        }
        self.hasher.update(&bytes);
        self.n_bytes += len as u64;
        Ok(bytes)
    }

    fn take_array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut array = [0; N];
        array.copy_from_slice(&self.take(N)?);
        Ok(array)
    }

    fn hash(&self) -> Sha256 {
        Sha256(self.hasher.clone().finalize().into())
    }
}

fn cannot_read(error: &io::Error) -> Error {
    Error::Input(format!("cannot read the certificate: {error}"))
}

fn damaged(flaw: &Flaw) -> Error {
    Deviation::Damaged(flaw.to_string()).into()
}

/// The parts of a certificate, in order.
pub struct Parts<R> {
    input: Hashed<R>,
    /// How many blocks were read.
    n_blocks: u64,
    /// What the trailer counts, once it was read.
    totals: Option<(u64, u64)>,
}

impl<R: Read> Parts<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn begin(reader: R) -> Result<(Self, Header), Error> {
        let mut input = Hashed::new(reader);
        let mut bytes = input.take(PRELUDE)?;
        let prelude: [u8; PRELUDE] = bytes.as_slice().try_into().expect("that many were read");
        let len = Header::text_len(&prelude).map_err(|flaw| damaged(&flaw))?;
        bytes.extend(input.take(len + 32)?);
        let header = Header::parse(&bytes).map_err(|flaw| damaged(&flaw))?;
        Ok((Self { input, n_blocks: 0, totals: None }, header))
    }

    /// The next block, compressed; `None` after the last, when the trailer was read and is that of this file.
    ///
    /// # Errors
    /// If a block or the trailer is damaged.
    pub fn next_block(&mut self) -> Result<Option<(Frame, Vec<u8>)>, Error> {
        let [tag] = self.input.take_array::<1>()?;
        if tag == Frame::END_TAG {
            return self.end().map(|()| None);
        }
        self.n_blocks += 1;
        let in_block = |error: Error| match error {
            Error::Veracity(error) => error.in_block(self.n_blocks).into(),
            other => other,
        };
        if tag != Frame::TAG {
            return Err(in_block(damaged(&Flaw::Malformed("a block does not begin as one".into()))));
        }
        let head = self.input.take_array().map_err(in_block)?;
        let frame = Frame::parse(&head).map_err(|flaw| in_block(damaged(&flaw)))?;
        let bytes = self.input.take(frame.len as usize).map_err(in_block)?;
        if Frame::check_of(&bytes) != frame.check {
            return Err(in_block(damaged(&Flaw::Malformed("the content does not have its hash".into()))));
        }
        Ok(Some((frame, bytes)))
    }

    fn end(&mut self) -> Result<(), Error> {
        let bytes: [u8; 16] = self.input.take_array()?;
        let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        self.totals = Some((number(0), number(8)));
        let hash = self.input.hash();
        if self.input.take_array::<32>()? != hash.0 {
            return Err(damaged(&Flaw::Malformed("the file does not have the hash at its end".into())));
        }
        if &self.input.take_array::<8>()? != certificate::END_MAGIC {
            return Err(damaged(&Flaw::Malformed("it does not end as a certificate does".into())));
        }
        let mut one = [0; 1];
        match self.input.reader.read(&mut one) {
            Ok(0) => Ok(()),
            Ok(_) => Err(damaged(&Flaw::Malformed("something follows its end".into()))),
            Err(error) => Err(cannot_read(&error)),
        }
    }
}

/// Undoes the compression of a block.
///
/// # Errors
/// If it has another length than it claims.
pub fn inflate(frame: &Frame, bytes: &[u8]) -> Result<Vec<u8>, Flaw> {
    let bad = || Flaw::Malformed("the compressed content is malformed".into());
    let mut decoder = DeflateDecoder::new(bytes);
    // DEFLATE makes at most 1032 bytes of one, so the room is in proportion to the bytes that are there.
    let mut raw = Vec::with_capacity((frame.raw_len as usize).min(1032 * bytes.len()) + 1);
    (&mut decoder).take(u64::from(frame.raw_len) + 1).read_to_end(&mut raw).map_err(|_| bad())?;
    if raw.len() != frame.raw_len as usize || decoder.total_in() != bytes.len() as u64 {
        return Err(bad());
    }
    Ok(raw)
}

/// A certificate whose bytes are whole. Nothing of what it says was compared with a program.
#[derive(Clone, Debug)]
pub struct Sealed {
    file: PathBuf,
    /// What it claims.
    pub header: Header,
    /// The SHA-256 of the whole file.
    pub hash: Sha256,
    /// The states and steps that its trailer counts.
    pub totals: (u64, u64),
    /// The bytes of the file.
    pub n_bytes: u64,
    /// The number of its blocks.
    pub n_blocks: u64,
}

impl Sealed {
    /// Reads a file to its end.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn read(file: &Path) -> Result<Self, Error> {
        let (mut parts, header) = Parts::begin(open(file)?)?;
        while parts.next_block()?.is_some() {}
        let totals = parts.totals.expect("the trailer was read");
        let Parts { input, n_blocks, .. } = parts;
        Ok(Self { file: file.into(), header, hash: input.hash(), totals, n_bytes: input.n_bytes, n_blocks })
    }

    /// Its blocks.
    ///
    /// # Errors
    /// If the file cannot be read again.
    pub fn blocks(&self) -> Result<Blocks<'_>, Error> {
        let (parts, header) = Parts::begin(open(&self.file)?)?;
        if header != self.header {
            return Err(Deviation::Damaged(CHANGED.into()).into());
        }
        Ok(Blocks { sealed: self, parts: Some(parts) })
    }
}

const CHANGED: &str = "it has changed while it was read";

fn open(file: &Path) -> Result<BufReader<File>, Error> {
    let cannot = |error| Error::Input(format!("cannot read {}: {error}", file.display()));
    Ok(BufReader::with_capacity(1 << 16, File::open(file).map_err(cannot)?))
}

/// The blocks of a file that is sealed, with their contents.
pub struct Blocks<'a> {
    sealed: &'a Sealed,
    parts: Option<Parts<BufReader<File>>>,
}

impl Iterator for Blocks<'_> {
    type Item = Result<(Frame, Vec<u8>), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut parts = self.parts.take()?;
        match parts.next_block() {
            Ok(Some((frame, bytes))) => {
                let block = parts.n_blocks;
                self.parts = Some(parts);
                let raw = inflate(&frame, &bytes);
                let wrong = |flaw: Flaw| {
                    VeracityError::new(Deviation::Malformed(flaw.to_string())).in_block(block).into()
                };
                Some(raw.map(|raw| (frame, raw)).map_err(wrong))
            }
            Ok(None) if parts.input.hash() == self.sealed.hash => None,
            Ok(None) => Some(Err(Deviation::Damaged(CHANGED.into()).into())),
            Err(error) => Some(Err(error)),
        }
    }
}
