//! The content of a block: for each expanded state its steps, and for each step *new* or the number of an
//! older state.
//!
//! States are numbered from 1 on, in the order in which they are first reached, and expanded in the order of
//! their numbers. So *new* always means the next number, and a number says everything about an old state.
//!
//! ```text
//! length of counts, of rounds, of targets, of ranks: varints; if there are keys or detours, their lengths, too;
//! then the streams themselves
//! counts   a varint a state: how many steps it has; if some states are open: 1 + that, or 0 for an open one
//! rounds   a varint a state, if there are rounds
//! targets  a varint a step: 0 is new, 1 to 9 a guess that is right, else 10 + zigzag(number - last)
//! ranks    a varint a new state, if there are ranks: zigzag(rank - the rank before it in this block)
//! keys     two varints a step to a new state, if there are keys: the upper and the lower half of its key
//! detours  the same as ranks for detours, if there are any
//! marks    a bit a step, lowest first, if there are marks; the last byte is filled with zeros
//! ```
//!
//! The first block begins its ranks and detours with those of state 1, which no step makes new.
//!
//! The last number of a step is the one in which the step at the same position among the steps of an earlier
//! state of this block ended last; at first it is the newest number before the block. Guesses are made in
//! `guess`. Nothing is carried from block to block.
//!
//! In the script of a *tree* only steps to new states are there, with their keys. A count is then 0 for a
//! state without any step, and else 1 more than the number of its steps that are there; there are no targets.

use super::guess::{Guesses, NEW};
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

/// Maps 0, -1, 1, -2 and so on to 0, 1, 2, 3.
#[must_use]
pub fn zigzag(delta: i64) -> u64 {
    ((delta << 1) ^ (delta >> 63)) as u64
}

/// Undoes [`zigzag`].
#[must_use]
pub fn unzigzag(code: u64) -> i64 {
    (code >> 1) as i64 ^ -((code & 1) as i64)
}

/// Numbers that are written as differences to the one before.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    bytes: Vec<u8>,
    last: u32,
}

impl Differences {
    /// Appends a number.
    pub fn push(&mut self, number: u32) {
        put_varint(&mut self.bytes, zigzag(i64::from(number) - i64::from(self.last)));
        self.last = number;
    }

    /// The numbers so far, which are gone then.
    pub fn take(&mut self) -> Vec<u8> {
        self.last = 0;
        std::mem::take(&mut self.bytes)
    }
}

/// Numbers that were written by [`Differences`].
#[derive(Debug)]
struct Sums<'a> {
    bytes: &'a [u8],
    last: u32,
}

impl Sums<'_> {
    fn next(&mut self) -> Result<u32, Flaw> {
        let code =
            take_varint(&mut self.bytes).ok_or_else(|| malformed("a block lacks the rank of a state"))?;
        let next = i64::from(self.last).checked_add(unzigzag(code)).and_then(|next| u32::try_from(next).ok());
        self.last = next.ok_or_else(|| malformed("a rank is too large, or negative"))?;
        Ok(self.last)
    }
}

/// Makes blocks.
#[derive(Debug, Default)]
pub struct BlockWriter {
    /// Whether states may be open.
    has_open: bool,
    frame: Frame,
    /// The highest number so far.
    newest: u64,
    counts: Vec<u8>,
    rounds: Vec<u8>,
    targets: Vec<u8>,
    ranks: Differences,
    has_keys: bool,
    keys: Vec<u8>,
    guesses: Guesses,
}

impl BlockWriter {
    /// A writer at the beginning of a script with these streams: state 1 is there.
    #[must_use]
    pub fn new(streams: u16) -> Self {
        let has = |stream| streams & stream != 0;
        let mut writer =
            Self { has_open: has(streams::OPEN), has_keys: has(streams::KEYS), ..Self::default() };
        writer.frame.first = 1;
        writer.frame.newest = 1;
        writer.newest = 1;
        writer.guesses.begin(1, 1);
        writer
    }

    /// The same, with room for blocks of this length.
    #[must_use]
    pub fn with_room(mut self, len: usize) -> Self {
        // A state and a step take a byte each.
        self.targets.reserve(len);
        self.counts.reserve(len / 2);
        self.guesses.reserve(len / 2, len);
        self
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
        put_varint(&mut self.counts, targets.len() as u64 + u64::from(self.has_open));
        if rounds > 0 {
            put_varint(&mut self.rounds, u64::from(rounds));
        }
        self.guesses.state();
        for (slot, target) in targets.iter().enumerate() {
            match *target {
                Target::New => {
                    self.newest += 1;
                    self.targets.push(NEW as u8);
                    self.guesses.note(slot, self.newest, true);
                }
                Target::Old(number) => {
                    put_varint(&mut self.targets, self.guesses.code(slot, number));
                    self.guesses.note(slot, number, false);
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

    /// Appends a state that is not expanded, in a script in which states may be open. `rounds` as for the
    /// others.
    pub fn push_open(&mut self, has_rounds: bool) {
        self.guesses.state();
        self.counts.push(0);
        if has_rounds {
            self.rounds.push(0);
        }
        self.frame.n_states += 1;
    }

    /// Gives the rank of the next new state, in their order; that of state 1 comes first.
    pub fn push_rank(&mut self, rank: u32) {
        self.ranks.push(rank);
    }

    /// The length of the block so far, about.
    #[must_use]
    pub fn len(&self) -> usize {
        let ranks = self.ranks.bytes.len();
        self.counts.len() + self.rounds.len() + self.targets.len() + ranks + self.keys.len()
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
    /// compressed content are missing, and its content without detours and marks (see [`complete`]).
    pub fn finish(&mut self) -> (Frame, Vec<u8>) {
        let mut raw = Vec::with_capacity(self.len() + 16);
        let mut ranks = self.ranks.take();
        let streams = [&mut self.counts, &mut self.rounds, &mut self.targets, &mut ranks, &mut self.keys];
        for stream in &streams[..4 + usize::from(self.has_keys)] {
            put_varint(&mut raw, stream.len() as u64);
        }
        for stream in streams {
            raw.append(stream);
        }
        let next = Frame {
            first: self.frame.first + u64::from(self.frame.n_states),
            newest: self.newest,
            ..Frame::default()
        };
        let frame = Frame { raw_len: raw.len() as u32, ..std::mem::replace(&mut self.frame, next) };
        self.guesses.begin(self.frame.first, self.newest);
        (frame, raw)
    }
}

/// The content of a block with some streams, as [`BlockWriter::finish`] gives it, with detours (if there are
/// any) and marks.
///
/// # Errors
/// If it is no such content.
pub fn complete(streams: u16, raw: &[u8], detours: Option<&[u8]>, marks: &[u8]) -> Result<Vec<u8>, Flaw> {
    let mut rest = raw;
    for _ in 0..if streams & streams::KEYS == 0 { 4 } else { 5 } {
        take_varint(&mut rest).ok_or_else(|| malformed("the content is not cut into streams"))?;
    }
    let mut all = raw[..raw.len() - rest.len()].to_vec();
    if let Some(detours) = detours {
        put_varint(&mut all, detours.len() as u64);
    }
    [rest, detours.unwrap_or_default(), marks].iter().for_each(|part| all.extend_from_slice(part));
    Ok(all)
}

/// A block that is read state by state: [`Block::next_state`], then [`Block::next_target`] for each step.
#[derive(Debug)]
pub struct Block<'a> {
    frame: Frame,
    streams: u16,
    counts: &'a [u8],
    rounds: &'a [u8],
    targets: &'a [u8],
    ranks: Sums<'a>,
    keys: &'a [u8],
    detours: Sums<'a>,
    marks: &'a [u8],
    /// The key of the step that was read last, if it leads to a new state and there are keys.
    key: Option<StepKey>,
    n_states: u32,
    n_tokens: u32,
    newest: u64,
    guesses: Guesses,
    initial: Option<Standing>,
}

/// What a script says about a state when it is new; zeros without such streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Its rank.
    pub rank: u32,
    /// Its detour.
    pub detour: u32,
}

/// What a block says about a state, apart from its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// How many steps it has.
    pub n_steps: usize,
    /// How often it is asked for steps; zero if it is expanded at once.
    pub rounds: u64,
    /// Whether it is not expanded.
    pub is_open: bool,
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
    /// What the script says about the state, if it is new.
    pub standing: Standing,
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
        let is_there = [true, true, true, true, has(streams::KEYS), has(streams::DETOURS)];
        let mut lens = [0; 6];
        for (len, _) in lens.iter_mut().zip(is_there).filter(|(_, is_there)| *is_there) {
            *len = take_varint(&mut raw).and_then(|len| usize::try_from(len).ok()).ok_or_else(bad)?;
        }
        let mut parts = [raw; 6];
        for (part, len) in parts.iter_mut().zip(lens) {
            (*part, raw) = raw.split_at_checked(len).ok_or_else(bad)?;
        }
        let [counts, rounds, targets, ranks, keys, detours] = parts;
        let n_mark_bytes = if has(streams::MARKS) { frame.n_tokens.div_ceil(8) as usize } else { 0 };
        if raw.len() != n_mark_bytes {
            return Err(bad());
        }
        let mut guesses = Guesses::default();
        guesses.begin(frame.first, frame.newest);
        // A state and a step take a byte at least.
        guesses
            .reserve(counts.len().min(frame.n_states as usize), targets.len().min(frame.n_tokens as usize));
        let mut block = Self {
            frame: *frame,
            streams,
            counts,
            rounds,
            targets,
            ranks: Sums { bytes: ranks, last: 0 },
            keys,
            detours: Sums { bytes: detours, last: 0 },
            marks: raw,
            key: None,
            n_states: 0,
            n_tokens: 0,
            newest: frame.newest,
            guesses,
            initial: None,
        };
        if frame.first == 1 {
            block.initial = Some(block.standing()?);
        }
        Ok(block)
    }

    /// What the script says about state 1, in the first block.
    #[must_use]
    pub fn initial(&self) -> Option<Standing> {
        self.initial
    }

    /// What the script says about the next new state.
    #[inline]
    fn standing(&mut self) -> Result<Standing, Flaw> {
        let rank = if self.streams & streams::RANKS == 0 { 0 } else { self.ranks.next()? };
        let detour = if self.streams & streams::DETOURS == 0 { 0 } else { self.detours.next()? };
        Ok(Standing { rank, detour })
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
        self.guesses.state();
        let bad = || malformed("a block ends in the middle of a state");
        let code = take_varint(&mut self.counts).ok_or_else(bad)?;
        let has_open = self.streams & streams::OPEN != 0;
        let is_open = has_open && code == 0;
        let is_tree = self.streams & streams::TREE != 0;
        let n_steps = code.saturating_sub(u64::from(has_open || is_tree));
        let is_end = if is_tree { code == 0 } else { n_steps == 0 && !is_open };
        let left = self.frame.n_tokens - self.n_tokens;
        if n_steps > u64::from(left) || n_steps > MAX_STEPS as u64 {
            return Err(malformed("a state has more steps than its block"));
        }
        let rounds = match self.streams & streams::ROUNDS {
            0 => 0,
            _ => take_varint(&mut self.rounds).ok_or_else(bad)?,
        };
        Ok(Some(Expansion { n_steps: n_steps as usize, rounds, is_open, is_end }))
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
        let is_tree = self.streams & streams::TREE != 0;
        let code = if is_tree { NEW } else { take_varint(&mut self.targets).ok_or_else(bad)? };
        let target = match code {
            NEW => Target::New,
            code => {
                let number = self.guesses.number(slot, code);
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
        if !is_tree {
            self.guesses.note(slot, number, target == Target::New);
        }
        self.key = None;
        if self.streams & streams::KEYS != 0 && target == Target::New {
            let mut half = || take_varint(&mut self.keys).filter(|half| half >> 32 == 0).ok_or_else(bad);
            self.key = Some(StepKey(half()? << 32 | half()?));
        }
        let at = self.n_tokens as usize;
        let is_last = self.marks.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
        self.n_tokens += 1;
        let is_ranked = self.streams & (streams::RANKS | streams::DETOURS) != 0;
        let standing =
            if is_ranked && target == Target::New { self.standing()? } else { Standing::default() };
        Ok(Mention { target, number, is_last, standing })
    }

    /// The key of the step that was read last, if it leads to a new state and there are keys.
    #[must_use]
    pub fn key(&self) -> Option<StepKey> {
        self.key
    }

    /// Fails if something is left over.
    fn finish(&self) -> Result<(), Flaw> {
        let rest = [self.counts, self.rounds, self.targets, self.ranks.bytes, self.keys, self.detours.bytes];
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
        let (mut writer, mut blocks) = (BlockWriter::new(0), Vec::new());
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
    fn ranks_detours_and_open_states_are_read() {
        let all = streams::RANKS | streams::DETOURS | streams::OPEN;
        let mut writer = BlockWriter::new(all);
        let (ranks, detours) = ([7, 9, 0, u32::MAX], [0, 3, 1, 1]);
        ranks.iter().for_each(|rank| writer.push_rank(*rank));
        writer.push(0, &[Target::New, Target::Old(1), Target::New]).unwrap();
        writer.push_open(false);
        writer.push(0, &[Target::New]).unwrap();
        let (mut frame, raw) = writer.finish();
        let mut differences = Differences::default();
        detours.iter().for_each(|detour| differences.push(*detour));
        let raw = complete(0, &raw, Some(&differences.take()), &[]).unwrap();
        frame.raw_len = raw.len() as u32;
        let initial = Block::new(&frame, all, &raw).unwrap().initial();
        assert_eq!(initial, Some(Standing { rank: 7, detour: 0 }));
        let states = read(&frame, all, &raw).unwrap();
        assert_eq!(states.iter().map(|(state, _)| state.is_open).collect::<Vec<_>>(), [false, true, false]);
        let new: Vec<Standing> = states
            .iter()
            .flat_map(|(_, mentions)| mentions)
            .filter(|mention| mention.target == Target::New)
            .map(|mention| mention.standing)
            .collect();
        let expected = (1..4).map(|idx| Standing { rank: ranks[idx], detour: detours[idx] });
        assert_eq!(new, expected.collect::<Vec<_>>());
        for idx in 0..raw.len() {
            for bit in 0..8 {
                let mut other = raw.clone();
                other[idx] ^= 1 << bit;
                let _ = read(&frame, all, &other);
            }
        }
        assert!(read(&frame, all & !streams::DETOURS, &raw).is_err());
    }

    #[test]
    fn keys_belong_to_steps_to_new_states() {
        let key = |n: u64| StepKey(n << 32 | n);
        let mut writer = BlockWriter::new(streams::KEYS);
        let mut tree = BlockWriter::new(streams::KEYS | streams::TREE);
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
        assert_eq!(keys(&tree, streams::KEYS | streams::TREE), (expected.clone(), ends.clone()));
        assert!(tree.1.len() < graph.1.len());
        assert!(read(&graph.0, 0, &graph.1).is_err());
        // Detours of zero: of the first state, and of each new one.
        let detours = vec![0; n_new as usize + 1];
        let raw = complete(streams::KEYS, &graph.1, Some(&detours), &[]).unwrap();
        let frame = Frame { raw_len: raw.len() as u32, ..graph.0 };
        assert_eq!(keys(&(frame, raw), streams::KEYS | streams::DETOURS), (expected, ends));
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
