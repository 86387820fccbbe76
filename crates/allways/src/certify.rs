//! `allways certify`: a certificate is held against the user's own copy of the program, at once or in tasks for
//! several machines.

use crate::cli::CertifyArgs;
use crate::failure::Failure;
use crate::files;
use crate::signature;
use crate::terminal::Terminal;
use allways_certify::attest::{Attested, Found, Role};
use allways_certify::sign::{Signer, Verifier};
use allways_certify::{
    Answer, Certified, Error, How, Merged, Noted, Plan, Question, RESULT_MAGIC, Report, Secret, Shared,
    Walked,
};
use allways_model::certificate::{Header, MAGIC};
use allways_model::{Sha256, Spec};
use allways_report::{ExitCode, bytes, count};
use allways_session::Property;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

const HOLDS: &str = "accepted: the property holds";
const TRUSTING: &str = "accepted: nothing is wrong in these states; that there are no others is trusted";
const VIOLATED: &str = "accepted: the property is violated";

/// Runs the command.
pub(crate) fn run(args: &CertifyArgs, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    terminal.quiet = args.quiet;
    let property = args.property.wanted().unwrap_or_default();
    let question = Question {
        model: args.model.clone(),
        settings: args.options.settings.clone(),
        arguments: args.options.arguments.clone(),
        fair: args.property.fair && property != Property::Safety,
        property: property.to_string(),
        trust_claims: args.no_reduce,
    };
    let how = How {
        exact: args.exact,
        counts: args.counts,
        workers: args.workers.get(),
        reference: args.reference,
        trustful: args.trustful,
    };
    let code = match (&args.cut, &args.secret) {
        (Some(to), _) => cut(args, to, &question, terminal),
        (None, Some(secret)) => shared(args, secret, &question, terminal),
        (None, None) => certify(args, &question, &how, terminal),
    };
    code.or_else(|error| match error {
        Stop::Failure(failure) => Err(failure),
        Stop::Certifier(error) => not_certified(error, terminal),
    })
}

/// Why there is no verdict.
enum Stop {
    Failure(Failure),
    Certifier(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Certifier(error)
    }
}

impl<E: Into<Failure>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failure(error.into())
    }
}

fn certify(
    args: &CertifyArgs,
    question: &Question,
    how: &How,
    terminal: &mut Terminal,
) -> Result<ExitCode, Stop> {
    let keys = Keys::read(args)?;
    let report = allways_certify::certify_signed(&args.certificate, question, how, keys.key.as_ref())?;
    if !args.quiet {
        show(&report, terminal)?;
        for condition in &report.asked {
            writeln!(terminal.out, "  also asked in every state or step: {condition}")?;
        }
    }
    let (verdict, code, found) = if report.holds() {
        (HOLDS, ExitCode::Success, Found::Holds)
    } else if report.is_trusting() {
        (TRUSTING, ExitCode::Success, Found::Trusting)
    } else if report.is_partial() {
        ("accepted: partial, nothing is wrong in what was expanded", ExitCode::Bounded, Found::Partial)
    } else {
        (VIOLATED, ExitCode::Violated, Found::Violated)
    };
    if let Some(key) = &keys.key {
        writeln!(terminal.out, "signed by key {}", key.id())?;
    }
    writeln!(terminal.out, "{}", terminal.paint.bold(verdict))?;
    keys.attest(args, &report.header.spec, report.file, found, &report.trusted, terminal)?;
    Ok(code)
}

/// The keys of a certification.
struct Keys {
    /// The one that must have signed the certificate.
    key: Option<Verifier>,
    /// The one that signs what was found.
    signer: Option<Signer>,
}

impl Keys {
    fn read(args: &CertifyArgs) -> Result<Self, Failure> {
        args.attest.as_deref().map_or(Ok(()), signature::check_place)?;
        Ok(Self {
            key: args.key.as_deref().map(signature::verifier).transpose()?,
            signer: args.sign.as_deref().map(signature::signer).transpose()?,
        })
    }

    /// Writes the attestation of what was found, if one is wanted.
    fn attest(
        &self,
        args: &CertifyArgs,
        spec: &Spec,
        hash: Sha256,
        found: Found,
        trusted: &[String],
        terminal: &mut Terminal,
    ) -> Result<(), Failure> {
        let (Some(signer), Some(to)) = (&self.signer, &args.attest) else { return Ok(()) };
        let name = args.certificate.file_name().unwrap_or_default().to_string_lossy();
        let (certificate, role, tool) = ((&*name, hash), Role::Certifier, env!("CARGO_PKG_VERSION"));
        signature::write(&Attested { spec, certificate, role, found, tool, trusted }, signer, to)?;
        terminal.note(&format!("attestation written to {}", to.display()));
        Ok(())
    }
}

/// Says why a certificate is not accepted, or cannot be judged.
fn not_certified(error: Error, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    match error {
        Error::Veracity(error) => {
            writeln!(terminal.out, "{} {error}", terminal.paint.bold("not accepted:"))?;
            Ok(ExitCode::NotAccepted)
        }
        Error::Input(message) => Err(Failure::Input(message)),
        Error::Output(error) => Err(Failure::Output(error)),
        Error::Unsupported(what) => {
            terminal.err_text(&format!("unsupported: {what}\n"));
            Err(Failure::Reported(ExitCode::Unsupported))
        }
    }
}

/// Cuts the script of a tree out of the certificate.
fn cut(
    args: &CertifyArgs,
    to: &Path,
    question: &Question,
    terminal: &mut Terminal,
) -> Result<ExitCode, Stop> {
    let cut = write_to(to, MAGIC, |out| allways_certify::cut(&args.certificate, question, out))?;
    let how = if cut.is_expanded { "; states were expanded for the keys of steps" } else { "" };
    let (states, size, name) = (count(cut.n_states), bytes(cut.n_bytes), to.display());
    terminal.note(&format!("tree of {states} states written to {name} ({size}){how}; nothing was certified"));
    Ok(ExitCode::Success)
}

/// Writes a file, which is there complete or not at all, and replaces only one of its own kind.
fn write_to<T>(
    to: &Path,
    magic: &[u8; 8],
    write: impl FnOnce(&mut BufWriter<File>) -> Result<T, Error>,
) -> Result<T, Stop> {
    let cannot = |error: io::Error| {
        let message = format!("cannot write {}: {error}", to.display());
        Stop::Failure(Failure::Output(io::Error::new(error.kind(), message)))
    };
    if files::is_other_file(to, magic) {
        let message = format!("cannot write {}: it exists and is another file", to.display());
        return Err(Stop::Failure(Failure::Input(message)));
    }
    let unfinished = files::unfinished(to).map_err(cannot)?;
    let written = File::create(&unfinished).map_err(cannot).and_then(|file| {
        let mut out = BufWriter::new(file);
        let written = write(&mut out)?;
        out.into_inner().map_err(|error| cannot(error.into_error()))?.sync_all().map_err(cannot)?;
        files::finish(&unfinished, to).map_err(cannot)?;
        Ok(written)
    });
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

/// Makes the plan of tasks and their secret, does one of them, or joins their results.
fn shared(
    args: &CertifyArgs,
    secret: &Path,
    question: &Question,
    terminal: &mut Terminal,
) -> Result<ExitCode, Stop> {
    if let Some(n_tasks) = args.partition {
        let (plan, drawn) = allways_certify::partition(&args.certificate, n_tasks, args.trustful)?;
        write_secret(secret, &drawn)?;
        if !args.quiet {
            show_plan(&plan, terminal)?;
        }
        let (name, states) = (secret.display(), count(plan.n_states));
        terminal.note(&format!("{n_tasks} tasks for {states} states; their secret was written to {name}"));
        return Ok(ExitCode::Success);
    }
    let cannot = |error| Failure::Input(format!("cannot read {}: {error}", secret.display()));
    let read = Secret::parse(&fs::read_to_string(secret).map_err(cannot)?)?;
    let n_tasks = read.n_tasks();
    let keys = Keys::read(args)?;
    let shared = Shared::open(&args.certificate, question, read, args.trustful, args.reference)?;
    if let Some(key) = &keys.key {
        allways_certify::require_signature(&args.certificate, shared.sealed().hash, key)?;
    }
    if let (Some((task, n)), Some(to)) = (args.task, &args.result) {
        if n != n_tasks {
            return Err(Failure::Input(format!("the secret is that of {n_tasks} tasks, not of {n}")).into());
        }
        let summary = write_to(to, RESULT_MAGIC, |out| shared.task(task, out))?;
        let (states, name) = (count(summary.n_states), to.display());
        terminal.note(&format!(
            "task {task} of {n}: {states} states, {} more on the way to them; result written to {name}",
            count(summary.n_path)
        ));
        return Ok(if summary.n_violations > 0 { ExitCode::Violated } else { ExitCode::Success });
    }
    let (merged, trusted) = shared.merge(&args.merge)?;
    if !args.quiet {
        show_header(&shared.sealed().header, &trusted, terminal)?;
        show_merged(&merged, terminal)?;
    }
    let (verdict, code, found) = match (merged.n_violations, merged.trustful) {
        (0, false) => (HOLDS, ExitCode::Success, Found::Holds),
        (0, true) => (TRUSTING, ExitCode::Success, Found::Trusting),
        _ => (VIOLATED, ExitCode::Violated, Found::Violated),
    };
    if let Some(key) = &keys.key {
        writeln!(terminal.out, "signed by key {}", key.id())?;
    }
    writeln!(terminal.out, "{}", terminal.paint.bold(verdict))?;
    let sealed = shared.sealed();
    keys.attest(args, &sealed.header.spec, sealed.hash, found, &trusted, terminal)?;
    Ok(code)
}

/// Writes a secret to a new file that nobody else can read.
fn write_secret(to: &Path, secret: &Secret) -> Result<(), Stop> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(to).and_then(|mut file| {
        file.write_all(secret.to_text().as_bytes())?;
        file.sync_all()
    });
    let cannot = |error: io::Error| {
        let message = format!("cannot write the secret {}: {error}", to.display());
        Stop::Failure(Failure::Output(io::Error::new(error.kind(), message)))
    };
    written.map_err(cannot)
}

fn show_plan(plan: &Plan, terminal: &mut Terminal) -> Result<(), Failure> {
    let out = &mut terminal.out;
    for (task, load) in (1..).zip(&plan.loads) {
        let (states, steps, path) = (count(load.n_states), count(load.n_steps), count(load.n_path));
        writeln!(out, "  task {task}: {states} states, {steps} steps; {path} states on the way")?;
    }
    let most = plan.loads.iter().map(|load| load.n_steps).max().unwrap_or_default();
    let mean = plan.n_steps as f64 / plan.loads.len() as f64;
    let ratio = if plan.n_steps == 0 { 1.0 } else { most as f64 / mean };
    writeln!(out, "  {} units; the largest task has {ratio:.2} times the mean", count(plan.n_units as u64))?;
    Ok(())
}

fn show_merged(merged: &Merged, terminal: &mut Terminal) -> Result<(), Failure> {
    let out = &mut terminal.out;
    writeln!(out, "{}", terminal.paint.bold("Found"))?;
    let (states, steps) = (count(merged.n_states), count(merged.n_steps));
    let whole = if merged.trustful { "steps to new ones" } else { "steps: the whole graph" };
    writeln!(out, "  {states} states and {steps} {whole}, by {} tasks", merged.n_tasks)?;
    if merged.n_part > 0 {
        writeln!(out, "  {} of the states are expanded in part", count(merged.n_part))?;
    }
    writeln!(out, "  {} states expanded once more, on the way to others", count(merged.n_path))?;
    if let Some(power) = merged.error {
        writeln!(out, "  {} fingerprints compared between tasks", count(merged.n_compared))?;
        writeln!(out, "  a false certificate would be accepted with a probability below 2^{power}")?;
    }
    for (state, message) in merged.violations.iter().take(16) {
        writeln!(out, "  state {}: {message}", count(*state))?;
    }
    let more = merged.n_violations - merged.violations.len().min(16) as u64;
    if more > 0 {
        writeln!(out, "  and {} more violations", count(more))?;
    }
    Ok(())
}

/// Shows what a certificate is about, and what its certification rests on.
fn show_header(header: &Header, trusted: &[String], terminal: &mut Terminal) -> Result<(), Failure> {
    let (out, paint, spec) = (&mut terminal.out, terminal.paint, &header.spec);
    writeln!(out, "{}", paint.bold("Certified"))?;
    for (key, value) in spec.entries() {
        writeln!(out, "  {key} {value}")?;
    }
    writeln!(out, "  (specification {})", spec.digest())?;
    header.reads.iter().try_for_each(|(name, hash)| writeln!(out, "  read by the program: {name} {hash}"))?;
    writeln!(out, "{}", paint.bold("Trusted"))?;
    trusted.iter().try_for_each(|one| writeln!(out, "  {one}"))?;
    Ok(())
}

/// Shows what was certified, and what that rests on.
fn show(report: &Report, terminal: &mut Terminal) -> Result<(), Failure> {
    show_header(&report.header, &report.trusted, terminal)?;
    let (out, paint) = (&mut terminal.out, terminal.paint);
    writeln!(out, "{}", paint.bold("Found"))?;
    match &report.answer {
        Answer::Graph { certified, error } => show_graph(certified, *error, out)?,
        Answer::Tree(walked) => show_tree(walked, out)?,
        Answer::Violation { message, n_steps } => {
            writeln!(out, "  {message}, after {} steps", count(*n_steps))?;
        }
    }
    writeln!(out, "  the certificate has {}, SHA-256 {}", bytes(report.n_bytes), report.file)?;
    Ok(())
}

fn show_graph(certified: &Certified, error: Option<i32>, out: &mut dyn Write) -> Result<(), Failure> {
    let Certified { n_states, n_steps, n_part, most_prints, most_waiting, .. } = certified;
    let (states, steps) = (count(*n_states), count(*n_steps));
    match certified.n_open {
        0 => writeln!(out, "  {states} states and {steps} steps: the whole graph")?,
        open => writeln!(
            out,
            "  {states} states and {steps} steps: {} of the states are not expanded",
            count(open)
        )?,
    }
    if certified.is_counted {
        writeln!(out, "  no two of the states are the same")?;
    }
    if *n_part > 0 {
        writeln!(out, "  {} of the states are expanded in part", count(*n_part))?;
    }
    let kept = if error.is_some() { "fingerprints" } else { "states" };
    writeln!(
        out,
        "  at most {} {kept} kept at once, and {} waiting",
        count(*most_prints),
        bytes(*most_waiting)
    )?;
    match error {
        Some(power) => {
            writeln!(out, "  a false certificate would be accepted with a probability below 2^{power}")?;
        }
        None => writeln!(out, "  states were compared as a whole: no probability of error")?,
    }
    show_noted(&certified.noted, out)
}

fn show_tree(walked: &Walked, out: &mut dyn Write) -> Result<(), Failure> {
    let states = count(walked.n_states);
    match walked.n_open {
        0 => writeln!(out, "  {states} states, each reached by a step of the program")?,
        open => writeln!(out, "  {states} states, of which {} are not gone through", count(open))?,
    }
    writeln!(out, "  {} of them without a step, which were expanded", count(walked.n_ends))?;
    let how =
        if walked.by_keys { "taken alone" } else { "found by expanding states: the script has no keys" };
    writeln!(out, "  steps were {how}; at most {} waiting", bytes(walked.most_waiting))?;
    show_noted(&walked.noted, out)
}

fn show_noted(noted: &Noted, out: &mut dyn Write) -> Result<(), Failure> {
    for (violation, state) in &noted.first {
        let at = violation.location.as_ref().map_or(String::new(), |at| format!(" at {at}"));
        writeln!(out, "  state {}: {}{at}", count(*state), violation.message())?;
    }
    let more = noted.n - noted.first.len() as u64;
    if more > 0 {
        writeln!(out, "  and {} more violations", count(more))?;
    }
    Ok(())
}
