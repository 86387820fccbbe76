//! The certifier: holds a certificate against a copy of the program, and trusts neither the producer nor the
//! search that wrote it.
//!
//! [`certify`] reads the whole file ([`Sealed`]), loads the certifier's own program and compares what it is
//! with what the certificate claims to be about, draws a secret key, and then expands every numbered state
//! itself. Each deviation is a named [`VeracityError`] with its place. `docs/certificates.md` has the file
//! format; the header of [`graph`] has the argument why an accepted script describes the whole graph, and the
//! one of [`print`](mod@print) the bound on the probability of being deceived.
//!
//! This crate joins front ends and products, as `session` does, and uses neither stores nor searches nor
//! sessions: what is certified here was not checked by the code that is to be doubted. Trusted are this
//! crate, the format in `allways_model::certificate`, products, and the front ends with their reductions
//! ([`Report::trusted`] lists them).

mod also;
pub mod attest;
mod cut;
pub mod file;
mod frontier;
pub mod graph;
mod java;
mod kept;
mod merge;
mod next;
mod noted;
mod own;
mod partition;
mod place;
mod portion;
pub mod print;
mod promela;
mod rank;
mod result;
mod run;
mod secret;
mod shared;
pub mod sign;
mod task;
pub mod tree;
pub mod veracity;
pub mod words;

pub use cut::Cut;
pub use file::Sealed;
pub use frontier::Walks;
pub use graph::{Certified, Claims, Work};
pub use merge::Merged;
pub use noted::Noted;
pub use own::Question;
pub use partition::{Load, Plan};
pub use result::{RESULT_MAGIC, Summary};
pub use secret::Secret;
pub use shared::{Shared, partition};
pub use tree::Walked;
pub use veracity::{Deviation, Error, VeracityError};

use allways_model::certificate::{Header, Kind, streams};
use allways_model::{Acceptance, Lessons, Model, Sha256, Violation, ViolationId, ViolationKind};
use allways_report::CoverageReport;
use also::Also;
use attest::Found;
use own::Own;
use print::{Exact, Keyed, Prints};
use sign::Verifier;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What trustful certification rests on.
const TRUSTED_PRODUCER: &str =
    "the producer: the script leaves out no state, and no step beside its tree goes wrong";

/// How to certify.
#[derive(Clone, Copy, Debug, Default)]
pub struct How {
    /// Keep whole states instead of fingerprints.
    pub exact: bool,
    /// Accept no state with two numbers.
    pub counts: bool,
    /// How many threads expand states; zero is one.
    pub workers: usize,
    /// Run a Promela model by the interpreter alone.
    pub reference: bool,
    /// Walk through the tree of the script, and trust that it leaves nothing out.
    pub trustful: bool,
}

/// What was certified.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The whole graph was seen.
    Graph {
        /// What the script describes.
        certified: Certified,
        /// A certificate that does not describe the whole graph would have been accepted with at most this
        /// probability, as a power of two; `None` if states were compared as a whole.
        error: Option<i32>,
    },
    /// The tree of a script was walked through, and trusted to leave nothing out.
    Tree(Walked),
    /// A run violates the property.
    Violation {
        /// What is wrong at its end, as the certifier met it.
        message: String,
        /// The number of its steps.
        n_steps: u64,
    },
}

/// An accepted certificate.
#[derive(Clone, Debug)]
pub struct Report {
    /// What it claims; all of it was found to be true.
    pub header: Header,
    /// The SHA-256 of the file.
    pub file: Sha256,
    /// The bytes of the file.
    pub n_bytes: u64,
    /// What was certified.
    pub answer: Answer,
    /// Conditions that were certified, and that the producer did not check.
    pub asked: Vec<String>,
    /// What the answer rests on besides the certifier.
    pub trusted: Vec<String>,
    /// What the certifier's own walks say about how much of the graph a partial certificate describes, for
    /// the words of the report. That is an estimate, and left to those who ask for it.
    pub coverage: Option<CoverageReport>,
}

impl Report {
    /// What was found.
    #[must_use]
    pub fn found(&self) -> Found {
        match () {
            () if self.holds() => Found::Holds,
            () if self.is_trusting() => Found::Trusting,
            () if self.is_partial() => Found::Partial,
            () => Found::Violated,
        }
    }

    /// Whether the property holds: the whole graph was seen, and nothing in it is wrong.
    #[must_use]
    pub fn holds(&self) -> bool {
        matches!(&self.answer, Answer::Graph { certified, .. } if certified.noted.n == 0)
            && !self.is_partial()
    }

    /// Whether nothing is wrong in a tree, that is trusted to leave nothing out.
    #[must_use]
    pub fn is_trusting(&self) -> bool {
        matches!(&self.answer, Answer::Tree(walked) if walked.noted.n == 0) && !self.is_partial()
    }

    /// What walks of the certifier's own met beyond a partial certificate.
    #[must_use]
    pub fn walks(&self) -> Option<Walks> {
        match &self.answer {
            Answer::Graph { certified, .. } => certified.walks,
            Answer::Tree(_) | Answer::Violation { .. } => None,
        }
    }

    /// Whether nothing is wrong in the states that were expanded, and others were not.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        match &self.answer {
            Answer::Graph { certified, .. } => certified.noted.n == 0 && certified.n_open > 0,
            Answer::Tree(walked) => walked.noted.n == 0 && walked.n_open > 0,
            Answer::Violation { .. } => false,
        }
    }
}

/// Certifies what a file claims, with the program that a question names.
///
/// # Errors
/// A veracity error if the certificate is not accepted; another one if the certifier's own program cannot be
/// loaded.
pub fn certify(file: &Path, question: &Question, how: &How) -> Result<Report, Error> {
    certify_signed(file, question, how, None)
}

/// The same, of a certificate that a key must have signed.
///
/// # Errors
/// As [`certify`], and if the key did not sign it.
pub fn certify_signed(
    file: &Path,
    question: &Question,
    how: &How,
    key: Option<&Verifier>,
) -> Result<Report, Error> {
    let sealed = Sealed::read(file)?;
    key.map_or(Ok(()), |key| require_signature(file, sealed.hash, key))?;
    let header = &sealed.header;
    let (question, more) = &question.split(&header.spec)?;
    let mut own = own::load(question, &header.spec)?;
    if how.reference {
        own = own.interpreted()?;
    }
    let differences = own::differences(&header.spec, &own.spec);
    if !differences.is_empty() && !own::only_files_differ(&header.spec, &own.spec) {
        return Err(Deviation::OtherSpec(differences).into());
    }
    let mut trusted = own.trusted(&header.lessons);
    if how.trustful {
        trusted.push(TRUSTED_PRODUCER.into());
    }
    let asked = if more.is_empty() { None } else { Some(Also::load(question, more, &header.spec)?) };
    let asked = match asked {
        Some((own, also)) if how.reference => Some((own.interpreted()?, also)),
        asked => asked,
    };
    let judge = |model: &dyn Model, also: Option<&Also>| match &header.kind {
        Kind::Violation { .. } if also.is_some() => Err(Error::Input(
            "--invariant: the certificate is one of a run, and shows no other states".into(),
        )),
        Kind::Graph | Kind::Bounded | Kind::Tree if how.trustful => walk_tree(&sealed, model, also),
        Kind::Tree => Err(Error::Input(
            "the certificate is that of a tree, which shows no other steps; --trustful walks through it"
                .into(),
        )),
        Kind::Graph | Kind::Bounded => certify_graph(&sealed, &own, model, how, also),
        Kind::Violation { id, cycle } => certify_run(&sealed, &own, model, question, id, *cycle),
    };
    let answer = own.with_model(|model| {
        if differences.is_empty() && model.digest() != header.digest {
            return Err(Deviation::OtherVersion(header.tool.clone()).into());
        }
        match &asked {
            None => judge(model, None),
            Some((own, also)) => own.with_model(|model| judge(model, Some(also))),
        }
    });
    let ran = asked.as_ref().map_or(&own, |(own, _)| own);
    let mut differences = differences;
    differences.extend(ran.other_reads(&header.reads));
    trusted.extend(ran.inputs());
    match answer {
        Ok(answer) if differences.is_empty() => Ok(Report {
            header: sealed.header,
            file: sealed.hash,
            n_bytes: sealed.n_bytes,
            answer,
            asked: more.clone(),
            trusted,
            coverage: None,
        }),
        Ok(_) => Err(Deviation::OtherSpec(differences).into()),
        Err(Error::Veracity(error)) if !differences.is_empty() => {
            let at = if error.block.is_some() || error.state.is_some() { " at" } else { ":" };
            differences.push(format!("it no longer fits{at} {error}"));
            Err(Deviation::OtherSpec(differences).into())
        }
        Err(error) => Err(error),
    }
}

fn certify_graph(
    sealed: &Sealed,
    own: &Own,
    model: &dyn Model,
    how: &How,
    also: Option<&Also>,
) -> Result<Answer, Error> {
    let header = &sealed.header;
    if header.streams & streams::ROUNDS != 0 && !own.may_omit {
        let what = "states are expanded in part, and no reduction that the specification names does that";
        return Err(Deviation::Malformed(what.into()).into());
    }
    if how.exact {
        return with_prints(sealed, model, how, also, &Exact);
    }
    // The whole file was read by now: it cannot depend on the key.
    let keyed = Keyed::draw().map_err(|error| {
        Error::Input(format!("the operating system gives no random numbers ({error}); --exact needs none"))
    })?;
    with_prints(sealed, model, how, also, &keyed)
}

/// What a certificate claims besides its script.
fn claims(sealed: &Sealed) -> Claims<'_> {
    let Header { streams, lessons, kind, .. } = &sealed.header;
    Claims { lessons, streams: *streams, totals: sealed.totals, is_partial: *kind == Kind::Bounded }
}

fn with_prints<P: Prints>(
    sealed: &Sealed,
    model: &dyn Model,
    how: &How,
    also: Option<&Also>,
    prints: &P,
) -> Result<Answer, Error> {
    let claims = claims(sealed);
    let work = Work { counts: how.counts, workers: how.workers };
    let certified = graph::certify_and_ask(model, &claims, work, also, sealed.blocks()?, prints);
    let certified = with_place(certified, model, sealed)?;
    let error = P::bound(certified.longest);
    Ok(Answer::Graph { certified, error })
}

fn walk_tree(sealed: &Sealed, model: &dyn Model, also: Option<&Also>) -> Result<Answer, Error> {
    if model.acceptance() != Acceptance::Nowhere {
        return Err(Error::Unsupported("trustful certification of what no run does without end".into()));
    }
    if also.is_some_and(Also::has_next) {
        let what = "--invariant with X is about all steps, and --trustful takes those to new states alone";
        return Err(Error::Input(what.into()));
    }
    tree::walk_and_ask(model, &claims(sealed), also, sealed.blocks()?).map(Answer::Tree)
}

/// Cuts the script of a tree out of the certificate of a graph, with the program that a question names.
///
/// # Errors
/// If the certificate is no such one, or about something else; or if the file cannot be written.
pub fn cut(file: &Path, question: &Question, out: &mut dyn Write) -> Result<Cut, Error> {
    let sealed = Sealed::read(file)?;
    let header = &sealed.header;
    if header.kind != Kind::Graph {
        return Err(Error::Input("a tree is cut out of the certificate of a whole graph".into()));
    }
    let (question, more) = question.split(&header.spec)?;
    no_conditions(&more, "--cut")?;
    let own = own::load(&question, &header.spec)?;
    let differences = own::differences(&header.spec, &own.spec);
    if !differences.is_empty() {
        return Err(Deviation::OtherSpec(differences).into());
    }
    own.with_model(|model| {
        if model.digest() != header.digest {
            return Err(Deviation::OtherVersion(header.tool.clone()).into());
        }
        cut::cut(model, header, sealed.blocks()?, out)
    })
}

/// What the envelope of a certificate is called: it lies beside it.
#[must_use]
pub fn envelope_of(certificate: &Path) -> PathBuf {
    let mut name = certificate.as_os_str().to_owned();
    name.push(".intoto.json");
    name.into()
}

/// Requires that a key has signed the certificate with this hash.
///
/// # Errors
/// If it has not, or there is no envelope.
pub fn require_signature(certificate: &Path, hash: Sha256, key: &Verifier) -> Result<(), Error> {
    let file = envelope_of(certificate);
    let missing = |error| Deviation::NotSigned(format!("cannot read {}: {error}", file.display()));
    let envelope = std::fs::read_to_string(&file).map_err(missing)?;
    Ok(attest::is_about(&key.open(&envelope)?, hash)?)
}

/// Refuses conditions that the producer did not check.
fn no_conditions(more: &[String], with: &str) -> Result<(), Error> {
    match more.first() {
        None => Ok(()),
        Some(one) => Err(Error::Input(format!(
            "--invariant: the certificate is not about `{one}`, and {with} asks nothing that the producer did not check"
        ))),
    }
}

/// Adds to a deviation how its state is reached.
fn with_place<T>(result: Result<T, Error>, model: &dyn Model, sealed: &Sealed) -> Result<T, Error> {
    let Header { streams, lessons, .. } = &sealed.header;
    result.map_err(|error| match error {
        Error::Veracity(mut error) => {
            if let (Some(state), Ok(blocks)) = (error.state, sealed.blocks()) {
                error.path = place::steps_to(model, lessons, *streams, blocks, state).unwrap_or_default();
            }
            Error::Veracity(error)
        }
        other => other,
    })
}

fn certify_run(
    sealed: &Sealed,
    own: &Own,
    model: &dyn Model,
    question: &Question,
    id: &ViolationId,
    cycle: Option<u64>,
) -> Result<Answer, Error> {
    let lessons: &Lessons = &sealed.header.lessons;
    let keys = run::keys(sealed.blocks()?)?;
    let n_steps = keys.len() as u64;
    if let Some(cycle) = cycle {
        if id.kind != ViolationKind::AcceptanceCycle {
            let what = format!("a run that never ends shows no {}", id.kind.name());
            return Err(Deviation::NotViolated(what).into());
        }
        if own.claim.is_none() || !run::follow_cycle(model, lessons, &keys, cycle)? {
            return Err(
                Deviation::NotViolated("the cycle of the run passes no accepting state".into()).into()
            );
        }
        let message = format!("`{}` is violated by a run that never ends", question.property);
        return Ok(Answer::Violation { message, n_steps });
    }
    let met = run::follow(model, lessons, &keys)?;
    let same = |violation: &&Violation| named(violation.id(), question, &sealed.header) == *id;
    match met.iter().find(same) {
        Some(violation) => {
            let at = violation.location.as_ref().map_or(String::new(), |at| format!(" at {at}"));
            Ok(Answer::Violation { message: format!("{}{at}", violation.message()), n_steps })
        }
        None => {
            let what = format!("the run does not end in the {} that it promises", id.kind.name());
            Err(Deviation::NotViolated(what).into())
        }
    }
}

/// The identity of a violation, with the model called as in the certificate.
fn named(mut id: ViolationId, question: &Question, header: &Header) -> ViolationId {
    let file = question.model.file_name().map(|name| name.to_string_lossy().into_owned());
    let claimed = header.spec.value("model").unwrap_or_default();
    let own = id.facts.iter_mut().filter(|(name, value)| name == "file" && file.as_ref() == Some(value));
    own.for_each(|(_, value)| claimed.clone_into(value));
    id
}
