//! Writing certificates: what a search saw, as a file that others can check.
//!
//! A [`Recorder`] observes the search. A breadth-first search by one worker goes through states in the order
//! of their numbers, so blocks of the script are written as it goes ([`streamed`]). Any other search, and any
//! number of workers, writes a log of edges ([`log`]), which [`renumber`] makes a script of afterwards. A
//! search with a cache writes its visits ([`visits`]), of which a log of edges is made afterwards. Either way
//! the blocks are in a scratch file then ([`blocks`]), and [`Session::certificate`] reads them backwards to
//! mark the last mention of each state, and writes them compressed.
//!
//! Memory: up to eight bytes a state and a bit a step (four and a bit where blocks are written as the search
//! goes, if the store names states in units, see [`streamed`]); for properties of runs that never end,
//! sixteen bytes a state and the path of a depth-first search; four more where a reduction expands states in
//! part.
//!
//! What a certificate means, and why the certifier needs to trust none of this, is in `allways-certify`.

mod blocks;
mod log;
mod renumber;
mod streamed;
mod visits;

use crate::session::Subject;
use crate::{Checked, Error, Plan, Property, Session};
use allways_model::certificate::script::put_varint;
use allways_model::certificate::{END_MAGIC, Frame, Header, Kind, streams, trailer};
use allways_model::{Acceptance, Batch, Digest, Lesson, Model, Path, Sha256, Spec, Violation};
use allways_promela::Symmetric;
use allways_report::{CoverageReport, count};
use allways_search::{Expanded, Observer, StateRef, Steps, StoreKind, Strategy};
use blocks::{Blocks, Trouble};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use log::Log;
use renumber::Index;
use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow::{self, Continue};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use streamed::Streamed;
use visits::Visits;

/// How hard blocks are compressed: level 6 takes twice as long for a few percent less.
const LEVEL: u32 = 5;
/// A block is cut when its content is this long.
const BLOCK: usize = 4 << 20;
/// How a specification names symmetry among the reductions.
const SYMMETRY: &str = "symmetry";

/// Records the script of a search as it goes.
pub struct Recorder {
    record: Record,
    /// Whether the initial state was visited.
    is_begun: AtomicBool,
    /// Whether states may be expanded in part.
    in_parts: bool,
}

/// How a script is recorded.
enum Record {
    Streamed(Box<Mutex<Streamed>>),
    Logged { log: Log, blocks: File },
    Visited { visits: Box<Mutex<Visits>>, edges: File },
}

/// A certificate that was written.
#[derive(Clone, Debug)]
pub struct Written {
    /// What it is about.
    pub spec: Spec,
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
    /// The SHA-256 of the whole file.
    pub hash: Sha256,
}

impl Written {
    /// What it is a certificate of, in words.
    #[must_use]
    pub fn subject(&self) -> String {
        let (states, steps, open) = (count(self.n_states), count(self.n_steps), count(self.n_open));
        if self.is_violation {
            format!("a run of {steps} steps")
        } else if self.n_open > 0 {
            format!("a part of the graph, {states} states of which {open} are not expanded,")
        } else {
            format!("{states} states and {steps} steps")
        }
    }
}

impl Recorder {
    /// How many scratch files a recorder needs.
    pub const N_SCRATCH: usize = 2;

    /// A recorder of a check by this plan, which keeps what it sees in files that can be read and written.
    #[must_use]
    pub fn new(session: &Session, plan: &Plan, scratch: [File; Self::N_SCRATCH]) -> Self {
        let acceptance = session.with_model(|model| model.acceptance());
        let [first, second] = scratch;
        let is_streamed = plan.search == Some(Strategy::Bfs) && plan.workers == 1;
        let record = if matches!(session.store(plan), StoreKind::Cache(_)) {
            Record::Visited { visits: Box::new(Mutex::new(Visits::new(first))), edges: second }
        } else if is_streamed && acceptance == Acceptance::Nowhere {
            let keys = if plan.keys { streams::KEYS } else { 0 };
            let blocks = Blocks::new(first, session.rounds_stream() | keys).eager();
            Record::Streamed(Box::new(Mutex::new(Streamed::new(blocks))))
        } else {
            Record::Logged { log: Log::new(first), blocks: second }
        };
        Self { record, is_begun: AtomicBool::new(false), in_parts: session.rounds_stream() != 0 }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Observer for Recorder {
    fn state_by_state(&self) -> bool {
        false
    }

    fn state(&self, at: StateRef, _vector: &[u8]) -> ControlFlow<()> {
        // The first state of all is the initial one.
        if !self.is_begun.load(Relaxed) && !self.is_begun.swap(true, Relaxed) {
            match &self.record {
                Record::Streamed(streamed) => lock(streamed).begin(at),
                Record::Logged { log, .. } => log.begin(at),
                Record::Visited { .. } => {}
            }
        }
        Continue(())
    }

    fn steps(&self, from: StateRef, steps: &Steps<'_>, how: Expanded) -> ControlFlow<()> {
        match &self.record {
            Record::Streamed(streamed) => lock(streamed).steps(from, steps, how),
            Record::Logged { log, .. } => log.add(from, steps, how),
            Record::Visited { .. } => {}
        }
        Continue(())
    }

    fn wants_visits(&self) -> bool {
        matches!(self.record, Record::Visited { .. })
    }

    fn visit(&self, from: &[u8], steps: &Batch, rounds: u32, how: Expanded) -> ControlFlow<()> {
        // A state that was not expanded is one that the script leaves open.
        if let Record::Visited { visits, .. } = &self.record
            && how != Expanded::Cut
        {
            lock(visits).add(from, steps, rounds, how == Expanded::Whole);
        }
        Continue(())
    }

    fn close(&self, _at: StateRef) -> ControlFlow<()> {
        if let Record::Streamed(streamed) = &self.record
            && self.in_parts
        {
            lock(streamed).close();
        }
        Continue(())
    }

    fn round(&self, _lesson: &Lesson) {
        self.is_begun.store(false, Relaxed);
        match &self.record {
            Record::Streamed(streamed) => lock(streamed).restart(),
            Record::Logged { log, .. } => log.restart(),
            Record::Visited { visits, .. } => lock(visits).restart(),
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

    /// Ends the file; gives its length and its hash.
    fn end(mut self, n_states: u64, n_steps: u64) -> io::Result<(u64, Sha256)> {
        self.put(&trailer(n_states, n_steps))?;
        let hash: [u8; 32] = sha2::Digest::finalize(self.hasher.clone()).into();
        self.put(&Sha256(hash).0)?;
        self.put(END_MAGIC)?;
        self.out.flush()?;
        let hash: [u8; 32] = sha2::Digest::finalize(self.hasher).into();
        Ok((self.n_bytes, Sha256(hash)))
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
        if self.store(plan).is_lossy() {
            return no(&format!("--store {} may lose states", self.store(plan).name()));
        }
        if plan.limits.depth.is_some() {
            return no("with --depth the search cuts states off in the middle");
        }
        if plan.is_walk() {
            return no("random walks keep no states");
        }
        let is_about_states = self.with_model(|model| model.acceptance()) == Acceptance::Nowhere;
        if plan.keys && (plan.search != Some(Strategy::Bfs) || plan.workers != 1 || !is_about_states) {
            return no(
                "--keys is for safety, --search bfs and --workers 1; else `certify --cut` finds the keys",
            );
        }
        if !plan.every_step {
            return Err(Error::Internal("a certificate needs a search that follows every step".into()));
        }
        Ok(())
    }

    /// Writes the certificate of a check that `recorder` observed: of the graph, if the search has seen all
    /// of it, else of the first violation, else of the part that it has seen; or says why there is none.
    ///
    /// # Errors
    /// If the certificate cannot be written, or a file of the model has changed.
    pub fn certificate(
        &self,
        recorder: Recorder,
        checked: &Checked,
        out: &mut dyn Write,
    ) -> Result<Result<Written, String>, Error> {
        if let Subject::Java(program) = &self.parts.subject
            && program.n_processes().is_some()
        {
            return Ok(Err("certificates of several processes are unsupported".into()));
        }
        let is_about_states = self.with_model(|model| model.acceptance()) == Acceptance::Nowhere;
        let is_whole = checked.check.exhausted;
        // After a run that goes wrong without end was found, searches look for no other.
        if let Some(finding) = checked.findings.first().filter(|_| !is_whole || !is_about_states) {
            return self
                .run_certificate(&finding.path, &finding.violation, finding.cycle, checked, out)
                .map(Ok);
        }
        // What a search has learnt and not yet used is missing in the states that it expanded.
        let may_learn = match &self.parts.subject {
            Subject::Java(program) => !program.options().every_access,
            Subject::Promela(_) => false,
        };
        if may_learn && !is_whole {
            return Ok(Err(
                "a search of a Java program that a limit ended may not know all conflicts; --no-reduce needs none"
                    .into(),
            ));
        }
        let forgets = recorder.wants_visits();
        let blocks = match self.script(recorder, is_whole, !is_about_states) {
            Ok(blocks) => blocks,
            Err(trouble) => return settle(trouble, is_whole),
        };
        let n_states = blocks.newest();
        // A search with a cache counts visits.
        let n_seen = checked.check.figures.states;
        let is_count = if forgets { n_states <= n_seen } else { n_states == n_seen };
        if is_whole && (!is_count || blocks.n_expanded() != n_states) {
            return Err(Error::Internal(format!(
                "the certificate has {n_states} states, of which {} are expanded, and the search saw {n_seen}",
                blocks.n_expanded()
            )));
        }
        self.graph_certificate(blocks, is_whole, !is_about_states, checked, out)
    }

    /// The stream that tells how often states were asked for steps, if any may be expanded in part.
    fn rounds_stream(&self) -> u16 {
        match &self.parts.subject {
            Subject::Promela(program) if program.reductions().order => streams::ROUNDS,
            Subject::Promela(_) | Subject::Java(_) => 0,
        }
    }

    /// The script of what was recorded.
    fn script(&self, recorder: Recorder, is_whole: bool, is_cyclic: bool) -> Result<Blocks, Trouble> {
        let mut blocks = match recorder.record {
            Record::Streamed(streamed) => {
                let streamed = streamed.into_inner().unwrap_or_else(PoisonError::into_inner);
                streamed.into_blocks().map_err(Trouble::Flaw)?
            }
            Record::Logged { log, blocks } => self.renumbered(log, blocks, is_whole, is_cyclic)?,
            Record::Visited { visits, edges } => {
                let visits = visits.into_inner().unwrap_or_else(PoisonError::into_inner);
                let (log, blocks) = visits.into_log(edges).map_err(Trouble::Flaw)?;
                self.renumbered(log, blocks, is_whole, is_cyclic)?
            }
        };
        if blocks.n_expanded() == 0 {
            return Err(nothing_seen());
        }
        blocks.end()?;
        Ok(blocks)
    }

    /// The script of a log, in a file for its blocks.
    fn renumbered(&self, log: Log, blocks: File, is_whole: bool, is_cyclic: bool) -> Result<Blocks, Trouble> {
        let mut edges = log.into_edges().map_err(Trouble::Flaw)?;
        if edges.initial == 0 {
            return Err(nothing_seen());
        }
        let index = Index::of(&mut edges)?;
        let ranks = if is_cyclic { Some(renumber::ranks(&mut edges, &index)?) } else { None };
        let has_ranks = if is_cyclic { streams::RANKS } else { 0 };
        let has_open = if is_whole { 0 } else { streams::OPEN };
        let mut blocks = Blocks::new(blocks, self.rounds_stream() | has_ranks | has_open);
        renumber::renumber(&mut edges, index, ranks.as_deref(), &mut blocks)?;
        Ok(blocks)
    }

    /// What the certificate of a graph is about: the states of a search with symmetry are normal forms, which
    /// the specification does not say.
    fn spec_of_graph(&self, checked: &Checked) -> Result<Spec, Error> {
        let own = self.spec()?;
        if !checked.is_symmetric {
            return Ok(own);
        }
        let mut spec = Spec::new(own.language());
        for (key, value) in &own.entries()[1..] {
            match (key.as_str(), value.as_str()) {
                ("reduce", "none") => spec.set(key, SYMMETRY),
                ("reduce", others) => spec.set(key, format!("{others},{SYMMETRY}")),
                _ => spec.set(key, value),
            }
        }
        Ok(spec)
    }

    /// The state space that the certificate of a graph is about.
    fn digest_of_graph(&self, checked: &Checked) -> Digest {
        match &self.parts.subject {
            Subject::Promela(program) if checked.is_symmetric => Symmetric::new(program).digest(),
            _ => self.with_model(|model| model.digest()),
        }
    }

    fn header(&self, checked: &Checked, streams: u16, kind: Kind) -> Result<Header, Error> {
        let mut lessons = self.lessons.clone();
        lessons.merge_all(&checked.lessons);
        let is_run = matches!(kind, Kind::Violation { .. });
        let coverage = checked.check.coverage.as_ref().filter(|_| kind == Kind::Bounded);
        Ok(Header {
            streams,
            // A run is one of the program, whatever found it.
            spec: if is_run { self.spec()? } else { self.spec_of_graph(checked)? },
            tool: env!("CARGO_PKG_VERSION").into(),
            digest: if is_run {
                self.with_model(|model| model.digest())
            } else {
                self.digest_of_graph(checked)
            },
            kind,
            lessons,
            reads: match &self.parts.subject {
                Subject::Java(program) => program.files_read(),
                Subject::Promela(_) => Vec::new(),
            },
            coverage: coverage.and_then(CoverageReport::short),
        })
    }

    fn graph_certificate(
        &self,
        blocks: Blocks,
        is_whole: bool,
        is_cyclic: bool,
        checked: &Checked,
        out: &mut dyn Write,
    ) -> Result<Result<Written, String>, Error> {
        let (n_states, n_steps) = (blocks.newest(), blocks.n_steps());
        let n_open = n_states - blocks.n_expanded();
        let kind = if is_whole { Kind::Graph } else { Kind::Bounded };
        let sink = std::cell::RefCell::new(Sink { out, hasher: sha2::Digest::new(), n_bytes: 0 });
        let begin = |streams| {
            let header = self.header(checked, streams, kind)?;
            sink.borrow_mut().put(&header.to_bytes()).map_err(|error| Stop::Error(unwritable(&error)))
        };
        let block = |frame, raw: &[u8]| {
            sink.borrow_mut().block(frame, raw).map_err(|error| Stop::Error(unwritable(&error)))
        };
        match blocks.complete(is_cyclic, begin, block) {
            Ok(()) => {}
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::Trouble(trouble)) => return settle(trouble, is_whole),
        }
        let ended = sink.into_inner().end(n_states, n_steps);
        let (n_bytes, hash) = ended.map_err(|error| unwritable(&error))?;
        let spec = self.spec_of_graph(checked)?;
        Ok(Ok(Written { spec, is_violation: false, n_open, n_states, n_steps, n_bytes, hash }))
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
        let (n_bytes, hash) = sink.end(0, n_steps).map_err(|error| unwritable(&error))?;
        let spec = self.spec()?;
        Ok(Written { spec, is_violation: true, n_open: 0, n_states: 0, n_steps, n_bytes, hash })
    }
}

fn nothing_seen() -> Trouble {
    Trouble::Flaw("the search expanded no state".into())
}

/// Why there is no certificate of a search, which has seen the whole graph or not.
fn settle(trouble: Trouble, is_whole: bool) -> Result<Result<Written, String>, Error> {
    match trouble {
        Trouble::Scratch(error) => Err(unreadable(&error)),
        Trouble::Flaw(why) => Ok(Err(why)),
        Trouble::Unfinished(why) if is_whole => {
            Err(Error::Internal(format!("the search says that the property holds, but {why}")))
        }
        Trouble::Unfinished(why) => Ok(Err(why.into())),
    }
}

fn unreadable(error: &io::Error) -> Error {
    Error::Input(format!("the scratch file of the certificate cannot be read or written: {error}"))
}

fn unwritable(error: &io::Error) -> Error {
    Error::Input(format!("the certificate cannot be written: {error}"))
}

fn begin<'a>(out: &'a mut dyn Write, header: &Header) -> Result<Sink<'a>, Error> {
    let mut sink = Sink { out, hasher: sha2::Digest::new(), n_bytes: 0 };
    sink.put(&header.to_bytes()).map_err(|error| unwritable(&error))?;
    Ok(sink)
}

/// Why a certificate could not be completed.
enum Stop {
    Error(Error),
    Trouble(Trouble),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}
