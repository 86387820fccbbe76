//! Cuts the script of a tree out of the script of a graph, for trustful certification.
//!
//! Nothing is certified here: what is cut out is as true as the script that it was cut out of. The keys of
//! steps are taken from the script if it has them (`check --keys`), else from the certifier's own program,
//! whose states are expanded for that.

use crate::kept::Queue;
use crate::portion::halted;
use crate::veracity::{Deviation, Error};
use allways_model::certificate::script::{Block, BlockWriter, Expansion, Target};
use allways_model::certificate::{END_MAGIC, Flaw, Frame, Header, Kind, streams, trailer};
use allways_model::{Batch, Cursor, Model, Sha256, StepKey};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use sha2::Digest as _;
use std::io::{self, Write};

/// A block is cut when its content is this long.
const BLOCK: usize = 128 << 10;
/// How hard blocks are compressed.
const LEVEL: u32 = 4;

/// A tree that was cut out.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// Its states.
    pub n_states: u64,
    /// The bytes of its file.
    pub n_bytes: u64,
    /// Whether states had to be expanded, for want of keys.
    pub is_expanded: bool,
}

/// Writes the file of the tree in a graph.
///
/// # Errors
/// If the script is malformed, or does not fit the model where that is needed for keys; or if the file cannot
/// be written.
pub(crate) fn cut(
    model: &dyn Model,
    header: &Header,
    blocks: impl Iterator<Item = Result<(Frame, Vec<u8>), Error>>,
    out: &mut dyn Write,
) -> Result<Cut, Error> {
    let has_keys = header.streams & streams::KEYS != 0;
    let mut finder = (!has_keys).then(|| Finder::new(model, header));
    let tree = Header { streams: streams::TREE | streams::KEYS, kind: Kind::Tree, ..header.clone() };
    let mut sink = Sink { out, hasher: sha2::Sha256::new(), n_bytes: 0 };
    sink.put(&tree.to_bytes())?;
    let malformed = |flaw: Flaw| Deviation::Malformed(flaw.to_string());
    let mut writer = BlockWriter::new(streams::KEYS | streams::TREE);
    let (mut keys, mut slots) = (Vec::new(), Vec::new());
    for block in blocks {
        let (frame, raw) = block?;
        let mut block = Block::new(&frame, header.streams, &raw).map_err(malformed)?;
        while let Some(state) = block.next_state().map_err(malformed)? {
            keys.clear();
            slots.clear();
            for slot in 0..state.n_steps {
                if block.next_target(slot).map_err(malformed)?.target == Target::New {
                    slots.push(slot);
                    keys.extend(block.key());
                }
            }
            if let Some(finder) = &mut finder {
                finder.keys(&state, &slots, &mut keys)?;
            }
            writer.push_branches((!state.is_end).then_some(&keys)).map_err(malformed)?;
            if writer.len() >= BLOCK {
                sink.block(&mut writer)?;
            }
        }
    }
    if !writer.is_empty() {
        sink.block(&mut writer)?;
    }
    let n_states = writer.newest();
    let n_bytes = sink.end(n_states)?;
    Ok(Cut { n_states, n_bytes, is_expanded: !has_keys })
}

/// Finds the keys of steps in the certifier's own program.
struct Finder<'a> {
    cursor: Box<dyn Cursor + 'a>,
    batch: Batch,
    queue: Queue,
    streams: u16,
    is_begun: bool,
}

impl<'a> Finder<'a> {
    fn new(model: &'a dyn Model, header: &Header) -> Self {
        Self {
            cursor: model.cursor(&header.lessons),
            batch: Batch::new(),
            queue: Queue::default(),
            streams: header.streams,
            is_begun: false,
        }
    }

    /// The keys of the steps of the next state that are at some positions, and lead to new states.
    fn keys(&mut self, state: &Expansion, slots: &[usize], keys: &mut Vec<StepKey>) -> Result<(), Error> {
        if !std::mem::replace(&mut self.is_begun, true) {
            self.cursor.initial(&mut self.batch).map_err(halted)?;
            self.batch.entries().first().ok_or(Deviation::NothingPromised)?;
            self.queue.push(self.batch.vector(0));
        }
        let vector = self.queue.pop().ok_or(Deviation::NothingPromised)?;
        self.cursor.load(vector);
        self.batch.clear();
        if self.streams & streams::ROUNDS == 0 {
            self.cursor.expand(&mut self.batch).map_err(halted)?;
        }
        for _ in 0..state.rounds {
            if self.cursor.expand_some(&mut self.batch).map_err(halted)? {
                break;
            }
        }
        let (claimed, own) = (state.n_steps, self.batch.len());
        if own != claimed {
            return Err(Deviation::Count { claimed, own }.into());
        }
        for &slot in slots {
            keys.push(self.batch.entries()[slot].key);
            self.queue.push(self.batch.vector(slot));
        }
        Ok(())
    }
}

/// Writes parts of a certificate, counts and hashes them.
struct Sink<'a> {
    out: &'a mut dyn Write,
    hasher: sha2::Sha256,
    n_bytes: u64,
}

impl Sink<'_> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.n_bytes += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn block(&mut self, writer: &mut BlockWriter) -> io::Result<()> {
        let (frame, raw) = writer.finish();
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(LEVEL));
        encoder.write_all(&raw)?;
        let bytes = encoder.finish()?;
        let frame = Frame { len: bytes.len() as u32, check: Frame::check_of(&bytes), ..frame };
        self.put(&frame.to_bytes())?;
        self.put(&bytes)
    }

    fn end(mut self, n_states: u64) -> io::Result<u64> {
        self.put(&trailer(n_states, n_states - 1))?;
        let hash: [u8; 32] = self.hasher.clone().finalize().into();
        self.put(&Sha256(hash).0)?;
        self.put(END_MAGIC)?;
        self.out.flush()?;
        Ok(self.n_bytes)
    }
}
