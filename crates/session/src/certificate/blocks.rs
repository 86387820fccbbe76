//! The blocks of a script in a scratch file, before the last mention of each state is known.
//!
//! Blocks are read backwards, as often as needed: once for the marks, and where a reduction expands states in
//! part, until their detours are known.

use super::BLOCK;
use allways_model::StepKey;
use allways_model::certificate::script::{Block, BlockWriter, Differences, Target};
use allways_model::certificate::{Flaw, Frame, streams};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Why blocks cannot be read or written.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The scratch file.
    Scratch(io::Error),
    /// A script cannot say what the search saw.
    Flaw(String),
    /// The search had not come to its end, or made a mistake.
    Unfinished(&'static str),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Scratch(error)
    }
}

impl From<Flaw> for Trouble {
    fn from(flaw: Flaw) -> Self {
        Self::Flaw(flaw.to_string())
    }
}

/// A script in the making.
pub(super) struct Blocks {
    scratch: File,
    /// The streams of the blocks before there are detours and marks.
    pub(super) streams: u16,
    frames: Vec<Frame>,
    writer: BlockWriter,
    n_expanded: u64,
    n_open: u64,
    n_steps: u64,
    /// The position of the last mention of each number so far among all steps, where that is kept as the
    /// script is written.
    last: Option<Vec<u32>>,
    /// Which numbers are of states that are expanded in part.
    parts: Vec<u64>,
    n_parts: u64,
}

/// A state of a script that is read backwards.
struct Seen<'a> {
    block: usize,
    /// The position of its first step among those of the block.
    first: usize,
    number: u64,
    targets: &'a [u32],
}

impl Blocks {
    /// No block yet, of a script with these streams.
    pub(super) fn new(scratch: File, streams: u16) -> Self {
        Self {
            scratch,
            streams,
            frames: Vec::new(),
            writer: BlockWriter::new(streams).with_room(BLOCK),
            n_expanded: 0,
            n_open: 0,
            n_steps: 0,
            last: None,
            parts: Vec::new(),
            n_parts: 0,
        }
    }

    /// The same, which notes last mentions as the script is written: four bytes a state more, and the blocks
    /// are not read for them.
    pub(super) fn eager(self) -> Self {
        Self { last: Some(Vec::new()), ..self }
    }

    /// The same, empty again.
    pub(super) fn restart(&mut self) -> io::Result<()> {
        self.scratch.set_len(0)?;
        self.scratch.seek(SeekFrom::Start(0))?;
        self.frames.clear();
        self.writer = BlockWriter::new(self.streams).with_room(BLOCK);
        (self.n_expanded, self.n_open, self.n_steps, self.n_parts) = (0, 0, 0, 0);
        self.parts.clear();
        self.last.iter_mut().for_each(Vec::clear);
        Ok(())
    }

    /// The highest number so far.
    pub(super) fn newest(&self) -> u64 {
        self.writer.newest()
    }

    /// The number of the state that comes next.
    pub(super) fn next(&self) -> u64 {
        self.n_expanded + self.n_open + 1
    }

    /// How many states are expanded.
    pub(super) fn n_expanded(&self) -> u64 {
        self.n_expanded
    }

    pub(super) fn n_steps(&self) -> u64 {
        self.n_steps
    }

    fn has(&self, stream: u16) -> bool {
        self.streams & stream != 0
    }

    /// Appends the next state, expanded in so many rounds, as a whole or not.
    pub(super) fn push(&mut self, rounds: u32, is_whole: bool, targets: &[Target]) -> Result<(), Trouble> {
        self.note_mentions(targets);
        if self.has(streams::ROUNDS) {
            self.writer.push(rounds, targets)?;
            if !is_whole {
                let number = self.next() as usize;
                self.parts.resize((number / 64 + 1).max(self.parts.len()), 0);
                self.parts[number / 64] |= 1 << (number % 64);
                self.n_parts += 1;
            }
        } else {
            self.writer.push(0, targets)?;
        }
        self.n_expanded += 1;
        self.n_steps += targets.len() as u64;
        self.cut_at(BLOCK)
    }

    fn note_mentions(&mut self, targets: &[Target]) {
        let Some(last) = &mut self.last else { return };
        if self.n_steps + targets.len() as u64 > u64::from(u32::MAX) {
            // The blocks are read for them after all.
            self.last = None;
            return;
        }
        // State 1 is mentioned by no step so far, and nothing has number 0.
        last.resize(last.len().max(2), u32::MAX);
        for (at, target) in (self.n_steps as u32..).zip(targets) {
            match target {
                Target::New => last.push(at),
                Target::Old(number) => last[*number as usize] = at,
            }
        }
    }

    /// Appends a state that is not expanded.
    pub(super) fn push_open(&mut self) -> Result<(), Trouble> {
        self.writer.push_open(self.has(streams::ROUNDS));
        self.n_open += 1;
        self.cut_at(BLOCK)
    }

    /// Gives the keys of the steps to new states of the state that comes next, in a script with keys.
    pub(super) fn push_keys(&mut self, keys: &[StepKey]) {
        keys.iter().for_each(|key| self.writer.push_key(*key));
    }

    /// Gives the rank of the next new state.
    pub(super) fn push_rank(&mut self, rank: u32) {
        self.writer.push_rank(rank);
    }

    /// Ends the block if it is at least this long.
    fn cut_at(&mut self, len: usize) -> Result<(), Trouble> {
        if self.writer.len() >= len && !self.writer.is_empty() {
            let (frame, raw) = self.writer.finish();
            self.scratch.write_all(&raw)?;
            self.frames.push(frame);
        }
        Ok(())
    }

    /// Ends the last block.
    pub(super) fn end(&mut self) -> Result<(), Trouble> {
        self.cut_at(0)
    }

    /// The content of a block, whose predecessors take `start` bytes.
    fn read(&mut self, start: u64, frame: &Frame) -> io::Result<Vec<u8>> {
        let mut raw = vec![0; frame.raw_len as usize];
        self.scratch.seek(SeekFrom::Start(start))?;
        self.scratch.read_exact(&mut raw)?;
        Ok(raw)
    }

    /// Calls `see` with each state, the last one first.
    fn backward(&mut self, mut see: impl FnMut(&Seen<'_>)) -> Result<(), Trouble> {
        let mut end: u64 = self.frames.iter().map(|frame| u64::from(frame.raw_len)).sum();
        let (mut numbers, mut ends) = (Vec::new(), Vec::new());
        for idx in (0..self.frames.len()).rev() {
            let frame = self.frames[idx];
            end -= u64::from(frame.raw_len);
            let raw = self.read(end, &frame)?;
            let mut block = Block::new(&frame, self.streams, &raw)?;
            numbers.clear();
            ends.clear();
            while let Some(state) = block.next_state()? {
                for slot in 0..state.n_steps {
                    numbers.push(block.next_target(slot)?.number as u32);
                }
                ends.push(numbers.len());
            }
            for at in (0..ends.len()).rev() {
                let first = at.checked_sub(1).map_or(0, |before| ends[before]);
                let number = frame.first + at as u64;
                see(&Seen { block: idx, first, number, targets: &numbers[first..ends[at]] });
            }
        }
        Ok(())
    }

    /// For each block which of its mentions are the last of a state.
    fn marks(&mut self) -> Result<Vec<Vec<u8>>, Trouble> {
        let mut marks: Vec<Vec<u8>> =
            self.frames.iter().map(|frame| vec![0; frame.n_tokens.div_ceil(8) as usize]).collect();
        if let Some(last) = self.last.take() {
            let ends: Vec<u64> = self
                .frames
                .iter()
                .scan(0, |end, frame| {
                    *end += u64::from(frame.n_tokens);
                    Some(*end)
                })
                .collect();
            let mut idx = 0;
            for at in last.into_iter().filter(|at| *at != u32::MAX).map(u64::from) {
                // Most last mentions are near those of the number before.
                while at >= ends[idx] {
                    idx += 1;
                }
                while idx > 0 && at < ends[idx - 1] {
                    idx -= 1;
                }
                let at = (at - if idx == 0 { 0 } else { ends[idx - 1] }) as usize;
                marks[idx][at / 8] |= 1 << (at % 8);
            }
            return Ok(marks);
        }
        let mut mentioned = vec![0_u64; self.newest() as usize / 64 + 1];
        self.backward(|state| {
            for (idx, &number) in state.targets.iter().enumerate().rev() {
                let (word, bit) = (&mut mentioned[number as usize / 64], 1 << (number % 64));
                if *word & bit == 0 {
                    *word |= bit;
                    let at = state.first + idx;
                    marks[state.block][at / 8] |= 1 << (at % 8);
                }
            }
        })?;
        Ok(marks)
    }

    /// The detour of each number, if not all are zero: along a step to a number that is not larger it has to
    /// fall. `is_cyclic`: along each step between states that are expanded in part; else along one.
    fn detours(&mut self, is_cyclic: bool) -> Result<Option<Vec<u32>>, Trouble> {
        if self.n_parts == 0 {
            return Ok(None);
        }
        let parts = std::mem::take(&mut self.parts);
        let is_part =
            |number: u64| parts.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 == 1);
        let unknown = if is_cyclic { 0 } else { u32::MAX };
        let mut detours: Vec<u32> =
            (0..=self.newest()).map(|number| if is_part(number) { unknown } else { 0 }).collect();
        let most = u32::try_from(self.n_parts).unwrap_or(u32::MAX - 1);
        let (mut changes, mut endless) = (true, false);
        while changes && !endless {
            changes = false;
            self.backward(|state| {
                let number = state.number;
                if !is_part(number) {
                    return;
                }
                let beyond = |&to: &u32| {
                    let to = u64::from(to);
                    (!is_cyclic || is_part(to))
                        .then(|| detours[to as usize].saturating_add(u32::from(to <= number)))
                };
                let all = state.targets.iter().filter_map(beyond);
                let detour = if is_cyclic { all.max().unwrap_or(0) } else { all.min().unwrap_or(u32::MAX) };
                changes |= detour != detours[number as usize];
                endless |= is_cyclic && detour > most;
                detours[number as usize] = detour;
            })?;
        }
        self.parts = parts;
        if endless || detours.contains(&u32::MAX) {
            return Err(Trouble::Unfinished("steps are omitted without end in what the search saw"));
        }
        Ok(detours.iter().any(|detour| *detour > 0).then_some(detours))
    }

    /// Calls `begin` with all streams of the script, and then `take` with each block and its content.
    pub(super) fn complete<E: From<Trouble>>(
        mut self,
        is_cyclic: bool,
        begin: impl FnOnce(u16) -> Result<(), E>,
        mut take: impl FnMut(Frame, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let detours = self.detours(is_cyclic)?;
        let marks = self.marks()?;
        let stream = if detours.is_some() { streams::DETOURS } else { 0 };
        begin(self.streams | streams::MARKS | stream)?;
        let mut start = 0;
        let mut bytes = Differences::default();
        for (idx, marks) in marks.into_iter().enumerate() {
            let frame = self.frames[idx];
            let raw = self.read(start, &frame).map_err(Trouble::Scratch)?;
            start += u64::from(frame.raw_len);
            let newest = self.frames.get(idx + 1).map_or(self.newest(), |next| next.newest);
            let detours = detours.as_ref().map(|detours| {
                // State 1 is there before the first step.
                let first = if frame.first == 1 { 1 } else { frame.newest + 1 };
                (first..=newest).for_each(|number| bytes.push(detours[number as usize]));
                bytes.take()
            });
            let all =
                allways_model::certificate::script::complete(self.streams, &raw, detours.as_deref(), &marks);
            take(frame, &all.map_err(Trouble::from)?)?;
        }
        Ok(())
    }
}
