//! Certificates taken apart and put together again, with any change, and with hashes that fit.

use allways_certify::file::{Parts, inflate};
use allways_certify::graph::{self, Certified};
use allways_certify::print::Prints;
use allways_certify::{Claims, Error, Question, VeracityError, Work};
use allways_model::certificate::script::{Block, BlockWriter, Differences, Standing, Target, complete};
use allways_model::certificate::{END_MAGIC, Frame, Header, Kind, streams, trailer};
use allways_model::{Model, Sha256};
use allways_session::{Limits, Plan, Recorder, Request, Session, Strategy, Watch, parse_reductions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The frames and contents of blocks.
pub(crate) type Contents = Vec<(Frame, Vec<u8>)>;

/// A state of a script: in how many parts it is expanded, and where its steps lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) rounds: u32,
    pub(crate) targets: Vec<Target>,
    pub(crate) marks: Vec<bool>,
    pub(crate) is_open: bool,
}

/// A certificate in parts.
#[derive(Clone, Debug)]
pub(crate) struct Forged {
    pub(crate) header: Header,
    pub(crate) states: Vec<State>,
    /// What it says about states when they are new, from state 1 on.
    pub(crate) standings: Vec<Standing>,
    pub(crate) totals: (u64, u64),
    /// After how many states blocks end.
    pub(crate) block: usize,
}

/// Whether a script has a stream.
pub(crate) fn has(script: &Forged, stream: u16) -> bool {
    script.header.streams & stream != 0
}

/// A file name that no other test has.
pub(crate) fn temporary(name: &str) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("allways-certify-{}-{number}-{name}", std::process::id()))
}

/// A model in a file of its own.
pub(crate) fn written(name: &str, text: &str) -> PathBuf {
    let file = temporary(name);
    std::fs::write(&file, text).unwrap();
    file
}

/// The session and the question of a model that is reduced in this way.
pub(crate) fn opened(file: &Path, reduce: &str) -> (Session, Question) {
    let request = Request { reductions: parse_reductions(reduce).unwrap(), ..Request::new(file) };
    let question = Question { model: file.into(), property: "safety".into(), ..Question::default() };
    (Session::open(request).unwrap(), question)
}

/// The bytes of the certificate of a session; `None` if the search did not see the whole graph, and found
/// nothing.
pub(crate) fn certificate(session: &Session, all_errors: bool) -> Option<Vec<u8>> {
    // Larger graphs give no certificate, and no test.
    certificate_within(session, all_errors, 6 << 20)
}

/// As [`certificate`], of a search that may take up to this many bytes.
pub(crate) fn certificate_within(session: &Session, all_errors: bool, memory: u64) -> Option<Vec<u8>> {
    recorded(session, all_errors, memory, false)
}

/// As [`certificate_within`], perhaps with the keys of steps to new states.
pub(crate) fn recorded(session: &Session, all_errors: bool, memory: u64, keys: bool) -> Option<Vec<u8>> {
    let limits = Limits { memory: Some(memory), ..Limits::NONE };
    let plan = Plan { search: Some(Strategy::Bfs), workers: 1, all_errors, limits, keys, ..Plan::default() };
    certificate_by(session, &plan).ok()
}

/// The bytes of the certificate of a check by a plan, or why there is none.
pub(crate) fn certificate_by(session: &Session, plan: &Plan) -> Result<Vec<u8>, String> {
    let plan = Plan { every_step: true, ..*plan };
    let scratch = [temporary("log"), temporary("script")];
    let open = |file: &PathBuf| {
        std::fs::OpenOptions::new().read(true).write(true).create_new(true).open(file).unwrap()
    };
    let recorder = Recorder::new(session, &plan, [open(&scratch[0]), open(&scratch[1])]);
    session.may_certify(&plan).map_err(|error| error.to_string())?;
    let watch = Watch { observers: &[&recorder], ..Watch::default() };
    let checked = session.check(&plan, &watch).unwrap();
    let mut bytes = Vec::new();
    let written = session.certificate(recorder, &checked, &mut bytes).unwrap();
    scratch.iter().for_each(|file| std::fs::remove_file(file).unwrap());
    written.map(|_| bytes)
}

/// All blocks of a certificate's bytes.
pub(crate) fn blocks(bytes: &[u8]) -> Result<(Header, Contents), Error> {
    let (mut parts, header) = Parts::begin(bytes)?;
    let mut blocks = Vec::new();
    while let Some((frame, compressed)) = parts.next_block()? {
        let raw = inflate(&frame, &compressed);
        let raw =
            raw.map_err(|flaw| VeracityError::new(allways_certify::Deviation::Malformed(flaw.to_string())))?;
        blocks.push((frame, raw));
    }
    Ok((header, blocks))
}

/// Certifies bytes that are in no file.
pub(crate) fn certify<P: Prints>(model: &dyn Model, bytes: &[u8], prints: &P) -> Result<Certified, Error> {
    certify_with(model, bytes, prints, Work { counts: false, workers: 1 })
}

/// As [`certify`], in another way.
pub(crate) fn certify_with<P: Prints>(
    model: &dyn Model,
    bytes: &[u8],
    prints: &P,
    work: Work,
) -> Result<Certified, Error> {
    let (header, blocks) = blocks(bytes)?;
    // The trailer precedes the hash and the last magic.
    let at = bytes.len() - 56;
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let blocks = blocks.into_iter().map(Ok);
    let claims = Claims {
        lessons: &header.lessons,
        streams: header.streams,
        totals: (number(at), number(at + 8)),
        is_partial: header.kind == Kind::Bounded,
    };
    graph::certify(model, &claims, work, blocks, prints)
}

impl Forged {
    /// What a certificate is evidence of.
    pub(crate) fn kind(bytes: &[u8]) -> Kind {
        blocks(bytes).unwrap().0.kind
    }

    pub(crate) fn of(bytes: &[u8]) -> Self {
        let (header, blocks) = blocks(bytes).unwrap();
        let (mut states, mut standings, mut newest, mut n_steps) = (Vec::new(), Vec::new(), 1, 0);
        for (frame, raw) in &blocks {
            let mut block = Block::new(frame, header.streams, raw).unwrap();
            standings.extend(block.initial());
            while let Some(state) = block.next_state().unwrap() {
                let mentions: Vec<_> =
                    (0..state.n_steps).map(|slot| block.next_target(slot).unwrap()).collect();
                n_steps += mentions.len() as u64;
                let new = mentions.iter().filter(|one| one.target == Target::New);
                standings.extend(new.map(|one| one.standing));
                states.push(State {
                    rounds: state.rounds as u32,
                    targets: mentions.iter().map(|one| one.target).collect(),
                    marks: mentions.iter().map(|one| one.is_last).collect(),
                    is_open: state.is_open,
                });
            }
            newest = block.newest();
        }
        Self { header, states, standings, totals: (newest, n_steps), block: usize::MAX }
    }

    /// Counts again what the trailer counts.
    pub(crate) fn count(&mut self) {
        let all = || self.states.iter().flat_map(|state| &state.targets);
        let n_new = all().filter(|target| **target == Target::New).count() as u64;
        self.totals = (n_new + 1, all().count() as u64);
    }

    /// Marks again the last mention of each state.
    pub(crate) fn mark(&mut self) {
        let mut newest = 1;
        let mut last = std::collections::HashMap::new();
        for (idx, state) in self.states.iter().enumerate() {
            for (slot, target) in state.targets.iter().enumerate() {
                let number = match target {
                    Target::Old(number) => *number,
                    Target::New => {
                        newest += 1;
                        newest
                    }
                };
                last.insert(number, (idx, slot));
            }
        }
        for state in &mut self.states {
            state.marks = vec![false; state.targets.len()];
        }
        for (idx, slot) in last.into_values() {
            self.states[idx].marks[slot] = true;
        }
    }

    /// The contents of its blocks.
    pub(crate) fn contents(&self) -> Contents {
        let has = |stream| self.header.streams & stream != 0;
        let mut writer = BlockWriter::new(self.header.streams);
        let (mut contents, mut marks, mut detours) = (Vec::new(), Vec::new(), Differences::default());
        let mut cut = |writer: &mut BlockWriter, marks: &mut Vec<bool>, detours: &mut Differences| {
            let (frame, raw) = writer.finish();
            let bytes = marks
                .chunks(8)
                .map(|bits| bits.iter().enumerate().fold(0, |byte, (at, bit)| byte | u8::from(*bit) << at));
            let bytes: Vec<u8> = if has(streams::MARKS) { bytes.collect() } else { Vec::new() };
            let detours = detours.take();
            contents.push((
                frame,
                complete(self.header.streams, &raw, has(streams::DETOURS).then_some(&detours), &bytes)
                    .unwrap(),
            ));
            marks.clear();
        };
        let mut standings = self.standings.iter();
        let mut stand = |writer: &mut BlockWriter, detours: &mut Differences| {
            let Standing { rank, detour } = standings.next().copied().unwrap_or_default();
            if has(streams::RANKS) {
                writer.push_rank(rank);
            }
            detours.push(detour);
        };
        stand(&mut writer, &mut detours);
        for (idx, state) in self.states.iter().enumerate() {
            if state.is_open && has(streams::OPEN) {
                writer.push_open(has(streams::ROUNDS));
            } else {
                let rounds = if has(streams::ROUNDS) { state.rounds } else { 0 };
                writer.push(rounds, &state.targets).unwrap();
            }
            let new = state.targets.iter().filter(|target| **target == Target::New);
            new.for_each(|_| stand(&mut writer, &mut detours));
            marks.extend(&state.marks);
            if (idx + 1) % self.block == 0 {
                cut(&mut writer, &mut marks, &mut detours);
            }
        }
        if !writer.is_empty() {
            cut(&mut writer, &mut marks, &mut detours);
        }
        contents
    }

    /// A file with hashes that fit.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        sealed(&self.header, &self.contents(), self.totals)
    }
}

/// A file of some blocks.
pub(crate) fn sealed(header: &Header, blocks: &[(Frame, Vec<u8>)], totals: (u64, u64)) -> Vec<u8> {
    let mut bytes = header.to_bytes();
    for (frame, raw) in blocks {
        let compressed = stored(raw);
        let (len, check) = (compressed.len() as u32, Frame::check_of(&compressed));
        bytes.extend(Frame { raw_len: raw.len() as u32, len, check, ..*frame }.to_bytes());
        bytes.extend(compressed);
    }
    bytes.write_all(&trailer(totals.0, totals.1)).unwrap();
    let hash = Sha256::of(&bytes);
    bytes.extend(hash.0);
    bytes.extend(END_MAGIC);
    bytes
}

/// DEFLATE without compression.
fn stored(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut chunks = raw.chunks(0xffff).peekable();
    if raw.is_empty() {
        return vec![1, 0, 0, 0xff, 0xff];
    }
    while let Some(chunk) = chunks.next() {
        out.push(u8::from(chunks.peek().is_none()));
        out.extend((chunk.len() as u16).to_le_bytes());
        out.extend((!(chunk.len() as u16)).to_le_bytes());
        out.extend(chunk);
    }
    out
}
