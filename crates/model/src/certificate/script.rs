//! The content of a block: for each expanded state its steps, and for each step *new* or the number of an
//! older state.
//!
//! States are numbered from 1 on, in the order in which they are first reached, and expanded in the order of
//! their numbers. So *new* always means the next number, and a number says everything about an old state.
//!
//! ```text
//! length of counts, of rounds, of targets, of ranks, and of keys if there are keys: varints; then the streams
//! counts   a varint a state: how many steps it has
//! rounds   a varint a state, if there are rounds
//! targets  a varint a step: 0 is new, else 1 + zigzag(number - guess)
//! ranks    a varint a state, if there are ranks
//! keys     two varints a step to a new state, if there are keys: the upper and the lower half of its key
//! marks    a bit a step, lowest first, if there are marks; the last byte is filled with zeros
//! ```
//!
//! The guess of a step is the number in which the step at the same position among the steps of an earlier
//! state of this block ended last; at first it is the newest number before the block. Nothing is carried from
//! block to block.
//!
//! In the script of a *tree* only steps to new states are there, with their keys. A count is then 0 for a state
//! without any step, and else 1 more than the number of its steps that are there; there are no targets.

use super::{Flaw, Frame, MAX_BLOCK, MAX_STEPS, malformed, streams};
use crate::StepKey;

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// To a state that no step before led to.
    New,
    /// To the state with this number.
    Old(u64),
}

/// Appends a number, seven bits a byte, lowest first; every byte but the last has its highest bit set.
pub fn put_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number off the front of some bytes; `None` if there is none.
#[inline]
pub fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    // Without a branch for its length, which nothing predicts: up to eight bytes at once.
    if let Some(chunk) = bytes.first_chunk::<8>() {
        let word = u64::from_le_bytes(*chunk);
        let ends = !word & 0x8080_8080_8080_8080;
        if ends != 0 {
            *bytes = &bytes[ends.trailing_zeros() as usize / 8 + 1..];
            // All bits up to the end of the first byte that has no successor.
            return Some(join_sevens(word & (ends ^ (ends - 1))));
        }
    }
    take_long_varint(bytes)
}

/// Joins the seven lower bits of each byte to one number.
fn join_sevens(word: u64) -> u64 {
    let pairs = (word & 0x007f_007f_007f_007f) | (word & 0x7f00_7f00_7f00_7f00) >> 1;
    let quads = (pairs & 0x0000_3fff_0000_3fff) | (pairs & 0x3fff_0000_3fff_0000) >> 2;
    (quads & 0x0fff_ffff) | (quads & 0x0fff_ffff_0000_0000) >> 4
}

/// A number near the end of the bytes, or of more than eight.
fn take_long_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let part = u64::from(byte & 0x7f);
        if shift == 63 && part > 1 {
            return None;
        }
        number |= part << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

fn zigzag(delta: i64) -> u64 {
    ((delta << 1) ^ (delta >> 63)) as u64
}

fn unzigzag(code: u64) -> i64 {
    (code >> 1) as i64 ^ -((code & 1) as i64)
}

/// The guesses for the targets of a block.
#[derive(Clone, Debug, Default)]
struct Guesses {
    by_slot: Vec<u64>,
    first: u64,
}

impl Guesses {
    fn begin(&mut self, newest: u64) {
        self.by_slot.clear();
        self.first = newest;
    }

    fn at(&mut self, slot: usize) -> &mut u64 {
        if slot >= self.by_slot.len() {
            self.by_slot.resize(slot + 1, self.first);
        }
        &mut self.by_slot[slot]
    }
}

/// Makes blocks.
#[derive(Debug, Default)]
pub struct BlockWriter {
    frame: Frame,
    /// The highest number so far.
    newest: u64,
    counts: Vec<u8>,
    rounds: Vec<u8>,
    targets: Vec<u8>,
    /// Whether there are keys.
    has_keys: bool,
    keys: Vec<u8>,
    guesses: Guesses,
}

impl BlockWriter {
    /// A writer at the beginning of a script with keys: state 1 is there.
    #[must_use]
    pub fn with_keys() -> Self {
        Self { has_keys: true, ..Self::new() }
    }

    /// A writer at the beginning of a script: state 1 is there.
    #[must_use]
    pub fn new() -> Self {
        let mut writer = Self::default();
        writer.frame.first = 1;
        writer.frame.newest = 1;
        writer.newest = 1;
        writer.guesses.begin(1);
        writer
    }

    /// Appends a state with its steps. `rounds` is zero in a script without rounds.
    ///
    /// # Errors
    /// If it has more steps than a certificate can describe.
    pub fn push(&mut self, rounds: u32, targets: &[Target]) -> Result<(), Flaw> {
        if targets.len() > MAX_STEPS {
            return Err(malformed(format!(
                "a state has {} steps, and at most {MAX_STEPS} fit",
                targets.len()
            )));
        }
        put_varint(&mut self.counts, targets.len() as u64);
        if rounds > 0 {
            put_varint(&mut self.rounds, u64::from(rounds));
        }
        for (slot, target) in targets.iter().enumerate() {
            let guess = self.guesses.at(slot);
            match target {
                Target::New => {
                    self.newest += 1;
                    self.targets.push(0);
                    *guess = self.newest;
                }
                Target::Old(number) => {
                    put_varint(&mut self.targets, 1 + zigzag(*number as i64 - *guess as i64));
                    *guess = *number;
                }
            }
        }
        self.frame.n_states += 1;
        self.frame.n_tokens += targets.len() as u32;
        Ok(())
    }

    /// Appends the key of a step to a new state, in a script with keys.
    pub fn push_key(&mut self, key: StepKey) {
        put_varint(&mut self.keys, key.0 >> 32);
        put_varint(&mut self.keys, key.0 & 0xffff_ffff);
    }

    /// Appends a state of a tree, with the keys of its steps that are there; `None` if it has no step at all.
    ///
    /// # Errors
    /// If it has more steps than a certificate can describe.
    pub fn push_branches(&mut self, keys: Option<&[StepKey]>) -> Result<(), Flaw> {
        let n_steps = keys.map_or(0, <[_]>::len);
        if n_steps > MAX_STEPS {
            return Err(malformed(format!("a state has {n_steps} steps, and at most {MAX_STEPS} fit")));
        }
        put_varint(&mut self.counts, keys.map_or(0, |keys| 1 + keys.len() as u64));
        keys.into_iter().flatten().for_each(|key| self.push_key(*key));
        self.newest += n_steps as u64;
        self.frame.n_states += 1;
        self.frame.n_tokens += n_steps as u32;
        Ok(())
    }

    /// The length of the block so far, about.
    #[must_use]
    pub fn len(&self) -> usize {
        self.counts.len() + self.rounds.len() + self.targets.len() + self.keys.len()
    }

    /// Whether the block has no state.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.frame.n_states == 0
    }

    /// The highest number so far.
    #[must_use]
    pub fn newest(&self) -> u64 {
        self.newest
    }

    /// Ends the block and begins the next: its frame, of which only the length and the check of the
    /// compressed content are missing, and its content without marks.
    pub fn finish(&mut self) -> (Frame, Vec<u8>) {
        let mut raw = Vec::with_capacity(self.len() + 16);
        for stream in [&self.counts, &self.rounds, &self.targets] {
            put_varint(&mut raw, stream.len() as u64);
        }
        put_varint(&mut raw, 0);
        if self.has_keys {
            put_varint(&mut raw, self.keys.len() as u64);
        }
        for stream in [&mut self.counts, &mut self.rounds, &mut self.targets, &mut self.keys] {
            raw.append(stream);
        }
        let next = Frame {
            first: self.frame.first + u64::from(self.frame.n_states),
            newest: self.newest,
            ..Frame::default()
        };
        let frame = Frame { raw_len: raw.len() as u32, ..std::mem::replace(&mut self.frame, next) };
        self.guesses.begin(self.newest);
        (frame, raw)
    }
}

/// A block that is read state by state: [`Block::next_state`], then [`Block::next_target`] for each step.
#[derive(Debug)]
pub struct Block<'a> {
    frame: Frame,
    streams: u16,
    counts: &'a [u8],
    rounds: &'a [u8],
    targets: &'a [u8],
    ranks: &'a [u8],
    keys: &'a [u8],
    marks: &'a [u8],
    /// The key of the step that was read last, if it leads to a new state and there are keys.
    key: Option<StepKey>,
    n_states: u32,
    n_tokens: u32,
    newest: u64,
    guesses: Guesses,
}

/// What a block says about a state, apart from its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// How many steps it has.
    pub n_steps: usize,
    /// How often it is asked for steps; zero if it is expanded at once.
    pub rounds: u64,
    /// Its rank; zero if there are none.
    pub rank: u64,
    /// Whether it has no step at all; in a tree there may be others than those that are there.
    pub is_end: bool,
}

/// What a block says about a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Where it leads.
    pub target: Target,
    /// The number of the state that it leads to.
    pub number: u64,
    /// Whether no later step leads there.
    pub is_last: bool,
}

impl<'a> Block<'a> {
    /// A block with some content.
    ///
    /// # Errors
    /// If the content is not cut into streams as it should be.
    pub fn new(frame: &Frame, streams: u16, mut raw: &'a [u8]) -> Result<Self, Flaw> {
        if raw.len() != frame.raw_len as usize || raw.len() > MAX_BLOCK {
            return Err(malformed("the content does not have the length that the block claims"));
        }
        let bad = || malformed("the content is not cut into streams");
        let has = |stream| streams & stream != 0;
        let mut lens = [0; 5];
        for len in lens.iter_mut().take(if has(streams::KEYS) { 5 } else { 4 }) {
            *len = take_varint(&mut raw).and_then(|len| usize::try_from(len).ok()).ok_or_else(bad)?;
        }
        let mut take = |len| {
            let (stream, rest) = raw.split_at_checked(len)?;
            raw = rest;
            Some(stream)
        };
        let mut parts = [&[][..]; 5];
        for (part, len) in parts.iter_mut().zip(lens) {
            *part = take(len).ok_or_else(bad)?;
        }
        let [counts, rounds, targets, ranks, keys] = parts;
        let n_mark_bytes = if has(streams::MARKS) { frame.n_tokens.div_ceil(8) as usize } else { 0 };
        if raw.len() != n_mark_bytes {
            return Err(bad());
        }
        let mut guesses = Guesses::default();
        guesses.begin(frame.newest);
        Ok(Self {
            frame: *frame,
            streams,
            counts,
            rounds,
            targets,
            ranks,
            keys,
            marks: raw,
            key: None,
            n_states: 0,
            n_tokens: 0,
            newest: frame.newest,
            guesses,
        })
    }

    /// The highest number so far.
    #[must_use]
    pub fn newest(&self) -> u64 {
        self.newest
    }

    /// Whether all of its states were read.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.n_states == self.frame.n_states
    }

    /// The next state; `None` at the end of the block, where nothing may be left over.
    ///
    /// # Errors
    /// If the block is malformed.
    pub fn next_state(&mut self) -> Result<Option<Expansion>, Flaw> {
        if self.is_at_end() {
            return self.finish().map(|()| None);
        }
        self.n_states += 1;
        let bad = || malformed("a block ends in the middle of a state");
        let mut n_steps = take_varint(&mut self.counts).ok_or_else(bad)?;
        let is_end = n_steps == 0;
        if self.streams & streams::TREE != 0 {
            n_steps = n_steps.saturating_sub(1);
        }
        let left = self.frame.n_tokens - self.n_tokens;
        if n_steps > u64::from(left) || n_steps > MAX_STEPS as u64 {
            return Err(malformed("a state has more steps than its block"));
        }
        let optional = |stream, bytes: &mut &[u8]| match self.streams & stream {
            0 => Ok(0),
            _ => take_varint(bytes).ok_or_else(bad),
        };
        let rounds = optional(streams::ROUNDS, &mut self.rounds)?;
        let rank = optional(streams::RANKS, &mut self.ranks)?;
        Ok(Some(Expansion { n_steps: n_steps as usize, rounds, rank, is_end }))
    }

    /// Where the step at a position among the steps of the state leads. A number below 1 or above the newest
    /// one is an error.
    ///
    /// # Errors
    /// If the block is malformed.
    pub fn next_target(&mut self, slot: usize) -> Result<Mention, Flaw> {
        if self.n_tokens == self.frame.n_tokens {
            return Err(malformed("a block has fewer steps than its states"));
        }
        let bad = || malformed("a block ends in the middle of a state");
        let code = match self.streams & streams::TREE {
            0 => take_varint(&mut self.targets).ok_or_else(bad)?,
            _ => 0,
        };
        let guess = self.guesses.at(slot);
        let target = match code.checked_sub(1) {
            None => Target::New,
            Some(delta) => {
                let number = guess.checked_add_signed(unzigzag(delta));
                let known = number.filter(|number| (1..=self.newest).contains(number));
                Target::Old(known.ok_or_else(|| malformed("a step leads to a number that no state has yet"))?)
            }
        };
        let number = match target {
            Target::Old(number) => number,
            Target::New => {
                self.newest = self.newest.checked_add(1).ok_or_else(|| malformed("too many states"))?;
                self.newest
            }
        };
        *guess = number;
        self.key = None;
        if self.streams & streams::KEYS != 0 && target == Target::New {
            let mut half = || take_varint(&mut self.keys).filter(|half| half >> 32 == 0).ok_or_else(bad);
            self.key = Some(StepKey(half()? << 32 | half()?));
        }
        let at = self.n_tokens as usize;
        let is_last = self.marks.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
        self.n_tokens += 1;
        Ok(Mention { target, number, is_last })
    }

    /// The key of the step that was read last, if it leads to a new state and there are keys.
    #[must_use]
    pub fn key(&self) -> Option<StepKey> {
        self.key
    }

    /// Fails if something is left over.
    fn finish(&self) -> Result<(), Flaw> {
        let rest = [self.counts, self.rounds, self.targets, self.ranks, self.keys];
        if self.n_tokens != self.frame.n_tokens || rest.iter().any(|stream| !stream.is_empty()) {
            return Err(malformed("something is left over at the end of a block"));
        }
        let n_bits = self.frame.n_tokens as usize % 8;
        match self.marks.last() {
            Some(byte) if n_bits > 0 && byte >> n_bits != 0 => Err(malformed("marks are left over")),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: [&[Target]; 5] = [
        &[Target::New, Target::Old(1), Target::New],
        &[],
        &[Target::Old(3), Target::New],
        &[Target::Old(1), Target::Old(4), Target::Old(2), Target::New],
        &[Target::Old(5)],
    ];

    fn read(frame: &Frame, streams: u16, raw: &[u8]) -> Result<Vec<(Expansion, Vec<Mention>)>, Flaw> {
        let mut block = Block::new(frame, streams, raw)?;
        let mut states = Vec::new();
        while let Some(state) = block.next_state()? {
            let targets = (0..state.n_steps).map(|slot| block.next_target(slot)).collect::<Result<_, _>>()?;
            states.push((state, targets));
        }
        Ok(states)
    }

    fn write(rounds: u32, cut_after: usize) -> Vec<(Frame, Vec<u8>)> {
        let (mut writer, mut blocks) = (BlockWriter::new(), Vec::new());
        for (idx, targets) in SAMPLE.iter().enumerate() {
            writer.push(rounds, targets).unwrap();
            if idx + 1 == cut_after {
                blocks.push(writer.finish());
            }
        }
        blocks.push(writer.finish());
        blocks
    }

    #[test]
    fn blocks_read_back_each_alone() {
        for (rounds, streams) in [(0, 0), (2, streams::ROUNDS)] {
            for cut_after in 1..4 {
                let blocks = write(rounds, cut_after);
                let mut all = Vec::new();
                for (frame, raw) in blocks.iter().rev() {
                    let mut states = read(frame, streams, raw).unwrap();
                    states.append(&mut all);
                    all = states;
                }
                let targets: Vec<Vec<Target>> =
                    all.iter().map(|(_, targets)| targets.iter().map(|one| one.target).collect()).collect();
                assert_eq!(targets, SAMPLE);
                assert!(all.iter().all(|(state, _)| state.rounds == u64::from(rounds)));
                assert_eq!(blocks[1].0.first, cut_after as u64 + 1);
            }
        }
    }

    #[test]
    fn marks_are_read_bit_by_bit() {
        let (mut frame, mut raw) = write(0, 9).pop().unwrap();
        raw.extend([0b1000_0001, 0b10]);
        frame.raw_len += 2;
        let last: Vec<bool> = read(&frame, streams::MARKS, &raw)
            .unwrap()
            .into_iter()
            .flat_map(|(_, all)| all)
            .map(|one| one.is_last)
            .collect();
        let set: Vec<usize> = (0..10).filter(|idx| last[*idx]).collect();
        assert_eq!(set, [0, 7, 9]);
        *raw.last_mut().unwrap() = 0b100;
        assert!(read(&frame, streams::MARKS, &raw).is_err(), "a mark for no step");
    }

    #[test]
    fn keys_belong_to_steps_to_new_states() {
        let key = |n: u64| StepKey(n << 32 | n);
        let (mut writer, mut tree) = (BlockWriter::with_keys(), BlockWriter::with_keys());
        let mut n_new = 0;
        for targets in SAMPLE {
            let new: Vec<StepKey> = targets
                .iter()
                .filter(|target| **target == Target::New)
                .map(|_| {
                    n_new += 1;
                    key(n_new * 1000)
                })
                .collect();
            new.iter().for_each(|key| writer.push_key(*key));
            writer.push(0, targets).unwrap();
            tree.push_branches((!targets.is_empty()).then_some(&new)).unwrap();
        }
        let keys = |(frame, raw): &(Frame, Vec<u8>), streams| {
            let mut block = Block::new(frame, streams, raw).unwrap();
            let (mut keys, mut ends) = (Vec::new(), Vec::new());
            while let Some(state) = block.next_state().unwrap() {
                ends.push(state.is_end);
                for slot in 0..state.n_steps {
                    let mention = block.next_target(slot).unwrap();
                    assert_eq!(mention.target == Target::New, block.key().is_some());
                    keys.extend(block.key().map(|key| (mention.number, key)));
                }
            }
            (keys, ends)
        };
        let (graph, tree) = (writer.finish(), tree.finish());
        let expected: Vec<(u64, StepKey)> = (1..=n_new).map(|n| (n + 1, key(n * 1000))).collect();
        let ends = vec![false, true, false, false, false];
        assert_eq!(keys(&graph, streams::KEYS), (expected.clone(), ends.clone()));
        assert_eq!(keys(&tree, streams::KEYS | streams::TREE), (expected, ends));
        assert!(tree.1.len() < graph.1.len());
        assert!(Block::new(&graph.0, 0, &graph.1).is_err() || read(&graph.0, 0, &graph.1).is_err());
        for idx in 0..tree.1.len() {
            let mut other = tree.1.clone();
            other[idx] ^= 0x80;
            let _ = read(&tree.0, streams::KEYS | streams::TREE, &other);
        }
    }

    #[test]
    fn damaged_blocks_never_panic() {
        let (frame, raw) = write(2, 9).pop().unwrap();
        for idx in 0..raw.len() {
            for bit in 0..8 {
                let mut other = raw.clone();
                other[idx] ^= 1 << bit;
                let _ = read(&frame, streams::ROUNDS, &other);
            }
            assert!(read(&Frame { raw_len: idx as u32, ..frame }, streams::ROUNDS, &raw[..idx]).is_err());
        }
        let more = Frame { n_states: frame.n_states + 1, ..frame };
        assert!(read(&more, streams::ROUNDS, &raw).is_err());
        let fewer = Frame { n_tokens: frame.n_tokens - 1, ..frame };
        assert!(read(&fewer, streams::ROUNDS, &raw).is_err());
    }

    #[test]
    fn varints_read_back() {
        let powers = (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, 0x5a5a_a5a5_5a5a_a5a5 >> bit]);
        for number in powers.chain([300, u64::MAX]) {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, number);
            let len = bytes.len();
            // Near the end of the bytes, and with others behind it.
            for n_more in [0, 1, 8] {
                bytes.resize(len + n_more, 0xff);
                let mut rest = bytes.as_slice();
                assert_eq!(take_varint(&mut rest), Some(number));
                assert_eq!(rest.len(), n_more);
            }
        }
        assert_eq!(take_varint(&mut [0xff; 10].as_slice()), None);
        assert_eq!(take_varint(&mut [0x80].as_slice()), None);
        for delta in [0, 1, -1, i64::MAX, i64::MIN] {
            assert_eq!(unzigzag(zigzag(delta)), delta);
        }
    }
}
