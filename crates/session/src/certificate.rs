//! Writing certificates: what a breadth-first search by one worker saw, as a file that others can check.
//!
//! A [`Recorder`] observes the search and appends blocks of a script to a scratch file; a search that begins
//! again empties it. [`Session::certificate`] then reads the blocks backwards to mark the last mention of each
//! state, and writes them compressed. It keeps up to eight bytes a state and a bit a step in memory, and the
//! uncompressed script on disk.
//!
//! What a certificate means, and why the certifier needs to trust none of this, is in `allways-certify`.

use crate::session::Subject;
use crate::{Checked, Error, Plan, Property, Session};
use allways_model::certificate::script::{Block, BlockWriter, Target, put_varint};
use allways_model::certificate::{END_MAGIC, Frame, Header, Kind, streams, trailer};
use allways_model::{Acceptance, Lesson, Path, Sha256, StepKey, Violation};
use allways_search::{Expanded, Observer, StateRef, Steps, Strategy};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow::{self, Continue};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How hard blocks are compressed: level 6 takes twice as long for 1 to 5 % less.
const LEVEL: u32 = 4;
/// A block is cut when its content is this long.
const BLOCK: usize = 128 << 10;

/// Records the script of a search as it goes.
pub struct Recorder {
    script: Mutex<Script>,
    /// Whether the search goes through the states once each, in an order that is a script.
    watches: bool,
}

/// A script in the making.
struct Script {
    scratch: File,
    blocks: Vec<Frame>,
    writer: BlockWriter,
    /// The numbers of states, by their places in the store; zero for those without.
    numbers: Vec<u32>,
    /// The number of the state that is expanded next.
    next: u64,
    /// The state that is being expanded, what it led to so far, and in how many parts.
    at: Option<StateRef>,
    targets: Vec<Target>,
    rounds: u32,
    /// The keys of those of its steps that lead to new states, if they are recorded.
    keys: Vec<StepKey>,
    with_keys: bool,
    /// Whether states may be expanded in part.
    in_parts: bool,
    n_steps: u64,
    /// Why there can be no script; nothing is recorded any more.
    flaw: Option<String>,
}

/// A certificate that was written.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// Whether it is one of a run that violates the property, and not of the graph.
    pub is_violation: bool,
    /// Its states that are numbered and not expanded.
    pub n_open: u64,
    /// Its states.
    pub n_states: u64,
    /// Its steps.
    pub n_steps: u64,
    /// Its bytes.
    pub n_bytes: u64,
}

impl Recorder {
    /// A recorder for a session, which keeps what it sees in `scratch`, a file that can be read and written.
    #[must_use]
    pub fn new(session: &Session, scratch: File) -> Self {
        let in_parts = match &session.parts.subject {
            Subject::Promela(program) => program.reductions().order,
            Subject::Java(_) => false,
        };
        let watches = session.with_model(|model| model.acceptance()) == Acceptance::Nowhere;
        let script = Mutex::new(Script {
            scratch,
            blocks: Vec::new(),
            writer: BlockWriter::new(),
            numbers: Vec::new(),
            next: 1,
            at: None,
            targets: Vec::new(),
            rounds: 0,
            keys: Vec::new(),
            with_keys: false,
            in_parts,
            n_steps: 0,
            flaw: None,
        });
        Self { script, watches }
    }

    /// The same, that also records the keys of steps to new states: they let such a step be taken without the
    /// others.
    #[must_use]
    pub fn with_keys(self) -> Self {
        {
            let mut script = self.lock();
            (script.with_keys, script.writer) = (true, BlockWriter::with_keys());
        }
        self
    }

    fn lock(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Script {
    fn number(&mut self, state: StateRef) -> &mut u32 {
        let idx = state.index();
        if idx >= self.numbers.len() {
            self.numbers.resize((idx + 1).max(2 * self.numbers.len()), 0);
        }
        &mut self.numbers[idx]
    }

    /// Everything seen so far is void.
    fn restart(&mut self) -> io::Result<()> {
        self.scratch.set_len(0)?;
        self.scratch.seek(SeekFrom::Start(0))?;
        self.blocks.clear();
        self.writer = if self.with_keys { BlockWriter::with_keys() } else { BlockWriter::new() };
        self.numbers.clear();
        (self.next, self.at, self.rounds, self.n_steps) = (1, None, 0, 0);
        self.targets.clear();
        self.flaw = None;
        Ok(())
    }

    /// Ends a block.
    fn cut(&mut self) -> io::Result<()> {
        let (frame, raw) = self.writer.finish();
        self.scratch.write_all(&raw)?;
        self.blocks.push(frame);
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        let rounds = if self.in_parts { self.rounds } else { 0 };
        self.keys.drain(..).for_each(|key| self.writer.push_key(key));
        self.writer.push(rounds, &self.targets).map_err(|flaw| flaw.to_string())?;
        self.n_steps += self.targets.len() as u64;
        self.next += 1;
        self.at = None;
        if self.writer.len() >= BLOCK {
            self.cut().map_err(|error| format!("the scratch file cannot be written: {error}"))?;
        }
        Ok(())
    }

    /// Notes that there can be no script. The search goes on: its verdict does not depend on who observes it.
    fn note(&mut self, result: Result<(), String>) {
        if let Err(flaw) = result {
            self.flaw.get_or_insert(flaw);
        }
    }

    /// The content of a block in the scratch file, whose blocks before take `start` bytes.
    fn read_block(&mut self, start: u64, frame: &Frame) -> io::Result<Vec<u8>> {
        let mut raw = vec![0; frame.raw_len as usize];
        self.scratch.seek(SeekFrom::Start(start))?;
        self.scratch.read_exact(&mut raw)?;
        Ok(raw)
    }

    /// The streams of its blocks before there are marks.
    fn streams(&self) -> u16 {
        let (rounds, keys) = (u16::from(self.in_parts), u16::from(self.with_keys));
        rounds * streams::ROUNDS | keys * streams::KEYS
    }

    /// For each block, in order, which of its mentions are the last of a state.
    fn marks(&mut self) -> Result<Vec<Vec<u8>>, Error> {
        let mut mentioned = vec![0_u64; self.writer.newest() as usize / 64 + 1];
        let mut end: u64 = self.blocks.iter().map(|frame| u64::from(frame.raw_len)).sum();
        let (mut all, mut numbers) = (Vec::new(), Vec::new());
        for idx in (0..self.blocks.len()).rev() {
            let frame = self.blocks[idx];
            end -= u64::from(frame.raw_len);
            let raw = self.read_block(end, &frame).map_err(|error| unreadable(&error))?;
            let mut block = Block::new(&frame, self.streams(), &raw).map_err(|flaw| own_flaw(&flaw))?;
            numbers.clear();
            while let Some(state) = block.next_state().map_err(|flaw| own_flaw(&flaw))? {
                for slot in 0..state.n_steps {
                    numbers.push(block.next_target(slot).map_err(|flaw| own_flaw(&flaw))?.number as usize);
                }
            }
            let mut marks = vec![0; numbers.len().div_ceil(8)];
            for (at, number) in numbers.iter().enumerate().rev() {
                let (word, bit) = (&mut mentioned[number / 64], 1 << (number % 64));
                if *word & bit == 0 {
                    *word |= bit;
                    marks[at / 8] |= 1 << (at % 8);
                }
            }
            all.push(marks);
        }
        all.reverse();
        Ok(all)
    }
}

fn unreadable(error: &io::Error) -> Error {
    Error::Input(format!("the scratch file of the certificate cannot be read: {error}"))
}

fn own_flaw(flaw: &dyn std::fmt::Display) -> Error {
    Error::Internal(format!("the script of the search does not read back: {flaw}"))
}

impl Observer for Recorder {
    fn watches(&self) -> bool {
        self.watches
    }

    fn state(&self, at: StateRef, _vector: &[u8]) -> ControlFlow<()> {
        let mut script = self.lock();
        if script.flaw.is_some() {
            return Continue(());
        }
        let next = script.next as u32;
        let number = script.number(at);
        if *number == 0 && next == 1 {
            *number = 1;
        }
        let result = match *number == next {
            true => Ok(()),
            false => Err("the search did not expand states in the order of their numbers".into()),
        };
        (script.at, script.rounds) = (Some(at), 0);
        script.targets.clear();
        script.keys.clear();
        script.note(result);
        Continue(())
    }

    fn steps(&self, from: StateRef, steps: &Steps<'_>, how: Expanded) -> ControlFlow<()> {
        let mut script = self.lock();
        if script.flaw.is_some() {
            return Continue(());
        }
        script.rounds += 1;
        let mut newest = script.writer.newest()
            + script.targets.iter().filter(|target| **target == Target::New).count() as u64;
        for step in steps.iter() {
            let number = script.number(step.to);
            let target = match *number {
                0 => {
                    newest += 1;
                    *number = newest as u32;
                    if script.with_keys {
                        script.keys.push(step.key);
                    }
                    Target::New
                }
                old => Target::Old(u64::from(old)),
            };
            script.targets.push(target);
        }
        let result = if how == Expanded::Cut {
            Err("the search was cut off".into())
        } else if steps.asleep() > 0 || script.at != Some(from) {
            Err("the search did not show all steps of a state together".into())
        } else {
            Ok(())
        };
        script.note(result);
        Continue(())
    }

    fn close(&self, _at: StateRef) -> ControlFlow<()> {
        let mut script = self.lock();
        if script.flaw.is_some() {
            return Continue(());
        }
        let result = script.close();
        script.note(result);
        Continue(())
    }

    fn round(&self, _lesson: &Lesson) {
        let mut script = self.lock();
        if let Err(error) = script.restart() {
            script.flaw = Some(format!("the scratch file cannot be written: {error}"));
        }
    }
}

/// Writes parts of a certificate and counts and hashes them.
struct Sink<'a> {
    out: &'a mut dyn Write,
    hasher: sha2::Sha256,
    n_bytes: u64,
}

impl Sink<'_> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        sha2::Digest::update(&mut self.hasher, bytes);
        self.n_bytes += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn block(&mut self, frame: Frame, raw: &[u8]) -> io::Result<()> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(LEVEL));
        encoder.write_all(raw)?;
        let bytes = encoder.finish()?;
        let check = Frame::check_of(&bytes);
        let frame = Frame { raw_len: raw.len() as u32, len: bytes.len() as u32, check, ..frame };
        self.put(&frame.to_bytes())?;
        self.put(&bytes)
    }

    fn end(mut self, n_states: u64, n_steps: u64) -> io::Result<u64> {
        self.put(&trailer(n_states, n_steps))?;
        let hash: [u8; 32] = sha2::Digest::finalize(self.hasher.clone()).into();
        self.put(&Sha256(hash).0)?;
        self.put(END_MAGIC)?;
        self.out.flush()?;
        Ok(self.n_bytes)
    }
}

impl Session {
    /// Says by name why no certificate can be written of a check by this plan, if that is so.
    ///
    /// # Errors
    /// The reason.
    pub fn may_certify(&self, plan: &Plan) -> Result<(), Error> {
        let no = |what: &str| Err(Error::Input(format!("--certificate: {what}")));
        if self.request.text.is_some() {
            return no("a model from standard input is in no file that a certificate could name");
        }
        if matches!(self.request.property, Property::Automaton(_)) {
            return no("automata from files are not supported");
        }
        if plan.symmetry {
            return no("--symmetry is not supported");
        }
        if self.store(plan).is_lossy() {
            return no(&format!("--store {} may lose states", self.store(plan).name()));
        }
        if plan.limits.depth.is_some() {
            return no("with --depth the search cuts states off in the middle");
        }
        let is_about_states = self.with_model(|model| model.acceptance()) == Acceptance::Nowhere;
        if is_about_states && (plan.search != Some(Strategy::Bfs) || plan.workers != 1) {
            return no("it is written by --search bfs with --workers 1");
        }
        if !plan.every_step {
            return Err(Error::Internal("a certificate needs a search that follows every step".into()));
        }
        Ok(())
    }

    /// Writes the certificate of a check that `recorder` observed: of the graph, if the search has seen all of
    /// it, else of the first violation, else of the part that it has seen; or says why there is none.
    ///
    /// # Errors
    /// If the certificate cannot be written, or a file of the model has changed.
    pub fn certificate(
        &self,
        recorder: Recorder,
        checked: &Checked,
        out: &mut dyn Write,
    ) -> Result<Result<Written, String>, Error> {
        let mut script = recorder.script.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_about_states = self.with_model(|model| model.acceptance()) == Acceptance::Nowhere;
        if checked.check.exhausted && is_about_states && script.flaw.is_none() {
            return self.graph_certificate(&mut script, checked, out).map(Ok);
        }
        if let Some(finding) = checked.findings.first() {
            return self
                .run_certificate(&finding.path, &finding.violation, finding.cycle, checked, out)
                .map(Ok);
        }
        // What a search has learnt and not yet used is missing in the states that it expanded.
        let may_learn = match &self.parts.subject {
            Subject::Java(program) => !program.options().every_access,
            Subject::Promela(_) => false,
        };
        let is_begun = is_about_states && script.next > 1 && script.flaw.is_none();
        if is_begun && !may_learn {
            return self.graph_certificate(&mut script, checked, out).map(Ok);
        }
        let why = match script.flaw {
            Some(flaw) => flaw,
            None if may_learn && is_begun => {
                "a search of a Java program that a limit ended may not know all conflicts; --no-reduce needs none".into()
            }
            None if !is_about_states => {
                "that no run goes wrong without end can be checked, and not yet be certified".into()
            }
            None => "the search did not see the whole graph".into(),
        };
        Ok(Err(why))
    }

    fn header(&self, checked: &Checked, streams: u16, kind: Kind) -> Result<Header, Error> {
        let mut lessons = self.lessons.clone();
        lessons.merge_all(&checked.lessons);
        Ok(Header {
            streams,
            spec: self.spec()?,
            tool: env!("CARGO_PKG_VERSION").into(),
            digest: self.with_model(|model| model.digest()),
            kind,
            lessons,
        })
    }

    fn graph_certificate(
        &self,
        script: &mut Script,
        checked: &Checked,
        out: &mut dyn Write,
    ) -> Result<Written, Error> {
        if !script.writer.is_empty() {
            script.cut().map_err(|error| unwritable(&error))?;
        }
        let (n_states, n_steps) = (script.writer.newest(), script.n_steps);
        let is_whole = checked.check.exhausted;
        let n_open = n_states + 1 - script.next;
        if is_whole && (n_states != checked.check.figures.states || n_open > 0) {
            return Err(Error::Internal(format!(
                "the certificate has {n_states} states, and the search saw {}",
                checked.check.figures.states
            )));
        }
        let marks = script.marks()?;
        let kind = if is_whole { Kind::Graph } else { Kind::Bounded };
        let header = self.header(checked, script.streams() | streams::MARKS, kind)?;
        let mut sink = begin(out, &header)?;
        let mut start = 0;
        for (frame, marks) in std::mem::take(&mut script.blocks).into_iter().zip(marks) {
            let mut raw = script.read_block(start, &frame).map_err(|error| unreadable(&error))?;
            start += u64::from(frame.raw_len);
            raw.extend(marks);
            sink.block(frame, &raw).map_err(|error| unwritable(&error))?;
        }
        let n_bytes = sink.end(n_states, n_steps).map_err(|error| unwritable(&error))?;
        Ok(Written { is_violation: false, n_open, n_states, n_steps, n_bytes })
    }

    fn run_certificate(
        &self,
        path: &Path,
        violation: &Violation,
        cycle: Option<usize>,
        checked: &Checked,
        out: &mut dyn Write,
    ) -> Result<Written, Error> {
        let kind = Kind::Violation { id: violation.id(), cycle: cycle.map(|cycle| cycle as u64) };
        let mut sink = begin(out, &self.header(checked, 0, kind)?)?;
        for keys in path.steps.chunks(BLOCK / 8) {
            let mut raw = Vec::new();
            keys.iter().for_each(|key| put_varint(&mut raw, key.0));
            let frame = Frame { n_tokens: keys.len() as u32, ..Frame::default() };
            sink.block(frame, &raw).map_err(|error| unwritable(&error))?;
        }
        let n_steps = path.steps.len() as u64;
        let n_bytes = sink.end(0, n_steps).map_err(|error| unwritable(&error))?;
        Ok(Written { is_violation: true, n_open: 0, n_states: 0, n_steps, n_bytes })
    }
}

fn unwritable(error: &io::Error) -> Error {
    Error::Input(format!("the certificate cannot be written: {error}"))
}

fn begin<'a>(out: &'a mut dyn Write, header: &Header) -> Result<Sink<'a>, Error> {
    let mut sink = Sink { out, hasher: sha2::Digest::new(), n_bytes: 0 };
    sink.put(&header.to_bytes()).map_err(|error| unwritable(&error))?;
    Ok(sink)
}
