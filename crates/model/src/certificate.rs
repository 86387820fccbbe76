//! The file format of certificates, version 1: what the search writes and the certifier reads.
//!
//! A certificate is evidence that a search saw a whole graph (or one run that violates the property). The
//! file is, in little-endian numbers:
//!
//! ```text
//! "ALLWAYSC"  version u16  streams u16  length u32  header (text)  SHA-256 of everything before
//! block*      'B', see Frame, followed by its DEFLATE bytes
//! trailer     'E'  states u64  steps u64  SHA-256 of everything before  "CYAWLLA\0"
//! ```
//!
//! `docs/certificates.md` documents every byte. This module knows the parts of a file and no compression:
//! [`Header`] and [`Frame`] here, the content of a block in [`script`]. Every reader takes bytes and gives an
//! error instead of a panic, and allocates in proportion to the bytes that are there, never to a number that
//! the bytes claim.

mod guess;
pub mod script;

use crate::spec::{escape, unescape};
use crate::{Digest, Lessons, Sha256, Spec, ViolationId};
use std::fmt::{self, Write as _};

/// How a certificate begins.
pub const MAGIC: &[u8; 8] = b"ALLWAYSC";
/// How it ends.
pub const END_MAGIC: &[u8; 8] = b"CYAWLLA\0";
/// The version that this program reads and writes.
pub const VERSION: u16 = 1;
/// The bytes before the header's text.
pub const PRELUDE: usize = 16;
/// The bytes of a trailer.
pub const TRAILER: usize = 1 + 8 + 8 + 32 + 8;
/// No header is longer than this.
pub const MAX_HEADER: usize = 16 << 20;
/// No block is longer than this, compressed or not.
pub const MAX_BLOCK: usize = 16 << 20;
/// No state of a certified graph has more steps than this, so that its tokens fit into one block.
pub const MAX_STEPS: usize = 1 << 20;

/// The streams of a block that only some certificates have, as bits.
pub mod streams {
    /// How often each state was asked for more steps: a reduction expanded some states in part.
    pub const ROUNDS: u16 = 1;
    /// Which mention of a state is the last one.
    pub const MARKS: u16 = 2;
    /// The rank of each state: it never rises along a step, and falls where an accepting state is left.
    pub const RANKS: u16 = 4;
    /// The detour of each state, which bounds how long a reduction omits steps.
    pub const DETOURS: u16 = 8;
    /// Some numbered states are not expanded: counts are one more than the number of steps, or zero.
    pub const OPEN: u16 = 16;
    /// The key of each step to a new state, so that it can be taken without the others.
    pub const KEYS: u16 = 32;
    /// Only steps to new states: the script of a tree.
    pub const TREE: u16 = 64;
    /// All that version 1 knows.
    pub const ALL: u16 = ROUNDS | MARKS | RANKS | DETOURS | OPEN | KEYS | TREE;
}

/// Why bytes are not a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// They do not begin as one.
    NotACertificate,
    /// It is one of another version.
    Version(u16),
    /// They end too early.
    Truncated,
    /// A part is malformed: which one, and how.
    Malformed(String),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotACertificate => f.write_str("it does not begin as a certificate does"),
            Self::Version(version) => {
                write!(f, "it has version {version} of the format, and this program reads version {VERSION}")
            }
            Self::Truncated => f.write_str("it ends too early"),
            Self::Malformed(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Flaw {}

pub(crate) fn malformed(what: impl Into<String>) -> Flaw {
    Flaw::Malformed(what.into())
}

/// What a certificate is evidence of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A graph: its blocks are a search script.
    Graph,
    /// A part of a graph: its blocks are the beginning of a search script.
    Bounded,
    /// A tree that spans a graph: its blocks are a script with the steps to new states alone.
    Tree,
    /// A run that violates the property: its blocks are step keys.
    Violation {
        /// What the run shows.
        id: ViolationId,
        /// After how many steps the run repeats the rest of them, if it never ends.
        cycle: Option<u64>,
    },
}

/// What a certificate claims, apart from the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The streams of its blocks.
    pub streams: u16,
    /// What was checked.
    pub spec: Spec,
    /// The version of the tool that wrote it.
    pub tool: String,
    /// The state space.
    pub digest: Digest,
    /// What it is evidence of.
    pub kind: Kind,
    /// What the search had learnt, on which the steps depend.
    pub lessons: Lessons,
    /// The files that the program itself read, with the hashes of what it found.
    pub reads: Vec<(String, Sha256)>,
    /// How much of the graph the producer believes to have seen, in words: a claim that no certifier checks.
    pub coverage: Option<String>,
}

impl Header {
    /// The file up to the first block.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut text = String::from(FIRST_LINE);
        let _ = write!(text, "\n{}run\n", self.spec.to_text());
        let mut field = |name: &str, value: &str| {
            let _ = writeln!(text, "{name} {}", escape(value));
        };
        field("tool", &self.tool);
        field("digest", &self.digest.to_string());
        self.lessons.iter().for_each(|fact| field("lesson", &format!("{fact:016x}")));
        self.reads.iter().for_each(|(name, hash)| field("read", &format!("{hash} {name}")));
        match &self.kind {
            Kind::Graph => field("kind", "graph"),
            Kind::Bounded => {
                field("kind", "bounded");
                self.coverage.iter().for_each(|claim| field("coverage", claim));
            }
            Kind::Tree => field("kind", "tree"),
            Kind::Violation { id, cycle } => {
                field("kind", "violation");
                field("violation", &id.to_string());
                if let Some(cycle) = cycle {
                    field("cycle", &cycle.to_string());
                }
            }
        }
        text.push_str("end\n");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.streams.to_le_bytes());
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        let hash = Sha256::of(&bytes);
        bytes.extend(hash.0);
        bytes
    }

    /// The length of the header's text, from the first [`PRELUDE`] bytes of a file.
    ///
    /// # Errors
    /// If they are not those of a certificate of this version.
    pub fn text_len(prelude: &[u8; PRELUDE]) -> Result<usize, Flaw> {
        if &prelude[..8] != MAGIC {
            return Err(Flaw::NotACertificate);
        }
        let version = u16::from_le_bytes([prelude[8], prelude[9]]);
        if version != VERSION {
            return Err(Flaw::Version(version));
        }
        match u32::from_le_bytes([prelude[12], prelude[13], prelude[14], prelude[15]]) as usize {
            len if len > MAX_HEADER => Err(malformed("the header is longer than 16 MiB")),
            len => Ok(len),
        }
    }

    /// Reads the bytes of a file up to the first block.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn parse(bytes: &[u8]) -> Result<Self, Flaw> {
        let prelude: &[u8; PRELUDE] = bytes.first_chunk().ok_or(Flaw::Truncated)?;
        let end = PRELUDE + Self::text_len(prelude)?;
        let (content, hash) = bytes.split_at_checked(end).ok_or(Flaw::Truncated)?;
        if hash != Sha256::of(content).0 {
            return Err(malformed("the header does not have the hash that follows it"));
        }
        let streams = u16::from_le_bytes([prelude[10], prelude[11]]);
        if streams & !streams::ALL != 0 {
            return Err(malformed("it has streams that version 1 of the format does not know"));
        }
        let text =
            std::str::from_utf8(&content[PRELUDE..]).map_err(|_| malformed("the header is not text"))?;
        let header = Self::parse_text(text, streams)?;
        let is_tree = header.kind == Kind::Tree;
        if is_tree != (streams & streams::TREE != 0) || is_tree && streams != streams::TREE | streams::KEYS {
            return Err(malformed("the streams are not those of such a certificate"));
        }
        Ok(header)
    }

    fn parse_text(text: &str, streams: u16) -> Result<Self, Flaw> {
        let rest = text.strip_prefix(FIRST_LINE).and_then(|rest| rest.strip_prefix('\n'));
        let rest = rest.ok_or_else(|| malformed("the header does not begin as one"))?;
        let (spec, rest) =
            rest.split_once("\nrun\n").ok_or_else(|| malformed("the specification does not end"))?;
        let spec = Spec::parse(spec).map_err(|error| malformed(error.to_string()))?;
        let fields = rest.strip_suffix("end\n").ok_or_else(|| malformed("the header does not end"))?;
        let (mut tool, mut digest, mut kind, mut violation, mut cycle) = (None, None, None, None, None);
        let mut coverage = None;
        let (mut lessons, mut reads) = (String::new(), Vec::new());
        for line in fields.lines() {
            let bad = || {
                malformed(format!("not an entry of a header: {}", line.chars().take(60).collect::<String>()))
            };
            let (name, value) = line.split_once(' ').ok_or_else(bad)?;
            let value = unescape(value).ok_or_else(bad)?;
            let is_first = match name {
                "tool" => tool.replace(value).is_none(),
                "digest" => digest.replace(value.parse::<Digest>().map_err(|_| bad())?).is_none(),
                "kind" => kind.replace(value).is_none(),
                "coverage" => coverage.replace(value).is_none(),
                "violation" => violation.replace(value.parse::<ViolationId>().map_err(|_| bad())?).is_none(),
                "cycle" => cycle.replace(value.parse::<u64>().map_err(|_| bad())?).is_none(),
                "read" => {
                    let (hash, name) = value.split_once(' ').ok_or_else(bad)?;
                    reads.push((name.to_owned(), hash.parse().map_err(|_| bad())?));
                    true
                }
                "lesson" => {
                    lessons += &value;
                    lessons.push('\n');
                    true
                }
                _ => false,
            };
            if !is_first {
                return Err(bad());
            }
        }
        let lacks = |name: &str| malformed(format!("the header has no {name}"));
        let kind = match (kind.as_deref(), violation) {
            (Some("graph"), None) if cycle.is_none() => Kind::Graph,
            (Some("bounded"), None) if cycle.is_none() => Kind::Bounded,
            (Some("tree"), None) if cycle.is_none() => Kind::Tree,
            (Some("violation"), Some(id)) => Kind::Violation { id, cycle },
            _ => return Err(malformed("the header does not say what the certificate is evidence of")),
        };
        if coverage.is_some() && kind != Kind::Bounded {
            return Err(malformed("only a partial certificate covers a part"));
        }
        Ok(Self {
            streams,
            spec,
            tool: tool.ok_or_else(|| lacks("tool"))?,
            digest: digest.ok_or_else(|| lacks("digest"))?,
            kind,
            lessons: lessons.parse().map_err(|_| malformed("a lesson is not one"))?,
            reads,
            coverage,
        })
    }
}

const FIRST_LINE: &str = "allways certificate 1";

/// What precedes the bytes of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The number of the first state that is expanded in it.
    pub first: u64,
    /// The highest number before it.
    pub newest: u64,
    /// How many states are expanded in it.
    pub n_states: u32,
    /// How many steps they have; in the certificate of a violation, how many keys there are.
    pub n_tokens: u32,
    /// The length of the content.
    pub raw_len: u32,
    /// The length of the compressed content.
    pub len: u32,
    /// The first bytes of the SHA-256 of the compressed content, so that a damaged block can be named.
    pub check: [u8; 4],
}

impl Frame {
    /// How a block begins.
    pub const TAG: u8 = b'B';
    /// How the trailer begins.
    pub const END_TAG: u8 = b'E';
    /// The bytes of a frame, with its tag.
    pub const LEN: usize = 1 + 8 + 8 + 4 + 4 + 4 + 4 + 4;

    /// The check of compressed bytes.
    #[must_use]
    pub fn check_of(bytes: &[u8]) -> [u8; 4] {
        let hash = Sha256::of(bytes).0;
        [hash[0], hash[1], hash[2], hash[3]]
    }

    /// The bytes of the frame, with its tag.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::LEN] {
        let mut bytes = [Self::TAG; Self::LEN];
        bytes[1..9].copy_from_slice(&self.first.to_le_bytes());
        bytes[9..17].copy_from_slice(&self.newest.to_le_bytes());
        let words = [self.n_states, self.n_tokens, self.raw_len, self.len];
        for (idx, word) in words.into_iter().enumerate() {
            bytes[17 + 4 * idx..21 + 4 * idx].copy_from_slice(&word.to_le_bytes());
        }
        bytes[33..].copy_from_slice(&self.check);
        bytes
    }

    /// Reads the bytes behind the tag.
    ///
    /// # Errors
    /// If it claims a block that is too long.
    pub fn parse(bytes: &[u8; Self::LEN - 1]) -> Result<Self, Flaw> {
        let quad = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let long = |at: usize| u64::from(quad(at)) | u64::from(quad(at + 4)) << 32;
        let frame = Self {
            first: long(0),
            newest: long(8),
            n_states: quad(16),
            n_tokens: quad(20),
            raw_len: quad(24),
            len: quad(28),
            check: [bytes[32], bytes[33], bytes[34], bytes[35]],
        };
        if frame.raw_len as usize > MAX_BLOCK || frame.len as usize > MAX_BLOCK {
            return Err(malformed("a block is longer than 16 MiB"));
        }
        Ok(frame)
    }
}

/// The trailer's bytes up to the hash of the file.
#[must_use]
pub fn trailer(n_states: u64, n_steps: u64) -> [u8; 17] {
    let mut bytes = [Frame::END_TAG; 17];
    bytes[1..9].copy_from_slice(&n_states.to_le_bytes());
    bytes[9..].copy_from_slice(&n_steps.to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(kind: Kind) -> Header {
        let mut spec = Spec::new("promela");
        spec.add_file("m.pml", Sha256::of(b"m"));
        spec.set("define", "A=a\nrun\n\\");
        let lessons = "000000000000002a\n00000000000000ff\n".parse().unwrap();
        Header {
            streams: streams::ROUNDS,
            spec,
            tool: "0.1.0".into(),
            digest: Digest([7; 16]),
            kind,
            lessons,
            reads: vec![("input file.txt".into(), Sha256([4; 32]))],
            coverage: None,
        }
    }

    #[test]
    fn a_header_reads_back() {
        let id: ViolationId = "assertion failed condition=\"x\"".parse().unwrap();
        for kind in [Kind::Graph, Kind::Bounded, Kind::Violation { id, cycle: Some(3) }] {
            let header = sample(kind);
            assert_eq!(Header::parse(&header.to_bytes()), Ok(header));
        }
        let partial = Header { coverage: Some("at most 62 %\nabout".into()), ..sample(Kind::Bounded) };
        assert_eq!(Header::parse(&partial.to_bytes()), Ok(partial.clone()));
        let wrong = String::from_utf8_lossy(&partial.to_bytes()[PRELUDE..]).into_owned();
        let wrong = wrong[..wrong.find("end\n").unwrap() + 4].replace("kind bounded", "kind graph");
        assert!(Header::parse_text(&wrong, streams::ROUNDS).is_err(), "of a whole graph there is no part");
        let tree = Header { streams: streams::TREE | streams::KEYS, ..sample(Kind::Tree) };
        assert_eq!(Header::parse(&tree.to_bytes()), Ok(tree.clone()));
        for (streams, kind) in [(streams::KEYS, Kind::Tree), (tree.streams, Kind::Graph), (127, Kind::Tree)] {
            let header = Header { streams, ..sample(kind) };
            assert!(Header::parse(&header.to_bytes()).is_err(), "{header:?}");
        }
    }

    #[test]
    fn damaged_headers_are_refused() {
        let bytes = sample(Kind::Graph).to_bytes();
        for len in 0..bytes.len() {
            assert!(Header::parse(&bytes[..len]).is_err(), "{len}");
        }
        for idx in 0..bytes.len() {
            let mut other = bytes.clone();
            other[idx] ^= 1;
            assert!(Header::parse(&other).is_err(), "{idx}");
        }
    }

    #[test]
    fn a_frame_reads_back() {
        let frame = Frame {
            first: 1 << 40,
            newest: 5,
            n_states: 6,
            n_tokens: 7,
            raw_len: 8,
            len: 9,
            check: *b"abcd",
        };
        let bytes = frame.to_bytes();
        assert_eq!(bytes[0], Frame::TAG);
        assert_eq!(Frame::parse(bytes[1..].try_into().unwrap()), Ok(frame));
        let long = Frame { raw_len: u32::MAX, ..frame }.to_bytes();
        assert!(Frame::parse(long[1..].try_into().unwrap()).is_err());
    }
}
