//! `allways certify`: a certificate is held against the user's own copy of the program, at once or in tasks
//! for several machines.

use crate::cli::CertifyArgs;
use crate::failure::Failure;
use crate::files;
use crate::signature;
use crate::terminal::Terminal;
use allways_certify::attest::{Attested, Found, Role};
use allways_certify::sign::{Signer, Verifier};
use allways_certify::{Error, How, Question, RESULT_MAGIC, Secret, Shared, words};
use allways_model::certificate::MAGIC;
use allways_model::{Sha256, Spec};
use allways_report::{ExitCode, bytes, count};
use allways_session::{Property, coverage_of_walks};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

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
    code.or_else(|failure| match failure {
        Failure::Certifier(error) => not_certified(error, terminal),
        failure => Err(failure),
    })
}

fn certify(
    args: &CertifyArgs,
    question: &Question,
    how: &How,
    terminal: &mut Terminal,
) -> Result<ExitCode, Failure> {
    let keys = Keys::read(args)?;
    let mut report = allways_certify::certify_signed(&args.certificate, question, how, keys.key.as_ref())?;
    report.coverage = report.walks().map(|met| coverage_of_walks(met.numbers()));
    if !args.quiet {
        words::report(&report, terminal.paint, &mut terminal.out)?;
    }
    keys.conclude(args, &report.header.spec, report.file, report.found(), &report.trusted, terminal)
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
            key: args.key.as_deref().map(Verifier::read).transpose()?,
            signer: args.sign.as_deref().map(Signer::read).transpose()?,
        })
    }

    /// Shows the verdict, and writes the attestation of what was found if one is wanted.
    fn conclude(
        &self,
        args: &CertifyArgs,
        spec: &Spec,
        hash: Sha256,
        found: Found,
        trusted: &[String],
        terminal: &mut Terminal,
    ) -> Result<ExitCode, Failure> {
        if let Some(key) = &self.key {
            writeln!(terminal.out, "signed by key {}", key.id())?;
        }
        writeln!(terminal.out, "{}", terminal.paint.bold(words::verdict(found)))?;
        let code = match found {
            Found::Holds | Found::Trusting => ExitCode::Success,
            Found::Partial => ExitCode::Bounded,
            Found::Violated => ExitCode::Violated,
        };
        let (Some(signer), Some(to)) = (&self.signer, &args.attest) else { return Ok(code) };
        let name = args.certificate.file_name().unwrap_or_default().to_string_lossy();
        let (certificate, role, tool) = ((&*name, hash), Role::Certifier, env!("CARGO_PKG_VERSION"));
        signature::write(&Attested { spec, certificate, role, found, tool, trusted }, signer, to)?;
        terminal.note(&format!("attestation written to {}", to.display()));
        Ok(code)
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
) -> Result<ExitCode, Failure> {
    let cut = write_to(to, MAGIC, |out| allways_certify::cut(&args.certificate, question, out))?;
    let how = if cut.is_expanded { "; states were expanded for the keys of steps" } else { "" };
    let (states, size, name) = (count(cut.n_states), bytes(cut.n_bytes), to.display());
    terminal.note(&format!("tree of {states} states written to {name} ({size}){how}; nothing was certified"));
    Ok(ExitCode::Success)
}

/// Writes a file atomically, and replaces only a file of the same kind.
fn write_to<T>(
    to: &Path,
    magic: &[u8; 8],
    write: impl FnOnce(&mut BufWriter<File>) -> Result<T, Error>,
) -> Result<T, Failure> {
    let cannot = |error: io::Error| {
        let message = format!("cannot write {}: {error}", to.display());
        Failure::Output(io::Error::new(error.kind(), message))
    };
    if files::is_other_file(to, magic) {
        let message = format!("cannot write {}: it exists and is another file", to.display());
        return Err(Failure::Input(message));
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
) -> Result<ExitCode, Failure> {
    let keys = Keys::read(args)?;
    if let Some(n_tasks) = args.partition {
        let (plan, drawn) =
            allways_certify::partition(&args.certificate, n_tasks, args.trustful, keys.key.as_ref())?;
        drawn.keep(secret)?;
        if !args.quiet {
            words::plan(&plan, &mut terminal.out)?;
        }
        let (name, states) = (secret.display(), count(plan.n_states));
        terminal.note(&format!("{n_tasks} tasks for {states} states; their secret was written to {name}"));
        return Ok(ExitCode::Success);
    }
    let cannot = |error| Failure::Input(format!("cannot read {}: {error}", secret.display()));
    let read = Secret::parse(&fs::read_to_string(secret).map_err(cannot)?)?;
    let n_tasks = read.n_tasks();
    let shared = Shared::open(&args.certificate, question, read, args.trustful, args.reference)?;
    if let Some(key) = &keys.key {
        allways_certify::require_signature(&args.certificate, shared.sealed().hash, key)?;
    }
    if let (Some((task, n)), Some(to)) = (args.task, &args.result) {
        if n != n_tasks {
            return Err(Failure::Input(format!("the secret is that of {n_tasks} tasks, not of {n}")));
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
        let header = &shared.sealed().header;
        words::merged(&merged, header, &trusted, terminal.paint, &mut terminal.out)?;
    }
    let sealed = shared.sealed();
    keys.conclude(args, &sealed.header.spec, sealed.hash, merged.found(), &trusted, terminal)
}
