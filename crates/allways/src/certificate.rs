//! `allways check --certificate`: the evidence of a check, as a file.
//!
//! The file is there complete or not at all. If there can be no certificate, that is said before the search,
//! by name; if the search comes to no answer that can be certified, after it, and the verdict stands.

use crate::cli::CheckArgs;
use crate::failure::Failure;
use crate::files;
use crate::signature;
use crate::terminal::Terminal;
use allways_certify::attest::{Attested, Found, Role};
use allways_certify::envelope_of;
use allways_certify::sign::Signer;
use allways_model::Acceptance;
use allways_model::certificate::MAGIC;
use allways_report::{Verdict, bytes};
use allways_search::{Observer, StoreKind, Strategy};
use allways_session::{Checked, Plan, Recorder, Session, Written};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// The plan of a check whose certificate is wanted, where the arguments leave that open: breadth first with
/// one worker, unless the property is about cycles.
pub(crate) fn plan(args: &CheckArgs, plan: &Plan, session: &Session) -> Plan {
    let is_about_states = session.with_model(|model| model.acceptance()) == Acceptance::Nowhere;
    // A cache is for depth-first search.
    let is_cache = matches!(plan.store, Some(StoreKind::Cache(_)));
    if args.certificate.is_none() || !is_about_states || is_cache {
        return *plan;
    }
    Plan {
        search: plan.search.or(Some(Strategy::Bfs)),
        workers: args.workers.map_or(1, usize::from),
        ..*plan
    }
}

/// A certificate in the making.
pub(crate) struct Certificate {
    file: PathBuf,
    signer: Option<Signer>,
    recorder: Recorder,
    scratch: Vec<Temporary>,
}

/// A file that is removed in the end.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

impl Certificate {
    /// Makes ready to record a search.
    ///
    /// # Errors
    /// If there can be no certificate, or no file.
    pub(crate) fn begin(
        file: &Path,
        key: Option<&Path>,
        session: &Session,
        plan: &Plan,
    ) -> Result<Self, Failure> {
        session.may_certify(plan)?;
        let signer = key.map(Signer::read).transpose()?;
        if signer.is_some() {
            signature::check_place(&envelope_of(file))?;
        }
        let cannot = |error: io::Error| cannot_write(file, &error);
        if files::is_other_file(file, MAGIC) {
            let name = file.display();
            let why = "it exists and is not a certificate, so it was left alone";
            return Err(Failure::Input(format!("cannot write the certificate {name}: {why}")));
        }
        let mut scratch = Vec::new();
        let mut make = |ending: &str| -> Result<File, Failure> {
            let mut name = files::unfinished(file).map_err(cannot)?.into_os_string();
            name.push(ending);
            let name = Temporary(name.into());
            let made = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&name.0);
            // Where an open file can lose its name, nothing stays behind, however the process ends.
            #[cfg(unix)]
            let _ = fs::remove_file(&name.0);
            scratch.push(name);
            made.map_err(cannot)
        };
        let made = [make(".log")?, make(".script")?];
        Ok(Self { file: file.into(), signer, recorder: Recorder::new(session, plan, made), scratch })
    }

    /// What observes the search.
    pub(crate) fn observer(&self) -> &dyn Observer {
        &self.recorder
    }

    /// Writes the certificate, or says why there is none.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write(
        self,
        session: &Session,
        checked: &Checked,
        terminal: &mut Terminal,
    ) -> Result<(), Failure> {
        let Self { file, signer, recorder, scratch } = self;
        let cannot = |error: io::Error| cannot_write(&file, &error);
        let unfinished = Temporary(files::unfinished(&file).map_err(cannot)?);
        let mut out = BufWriter::new(File::create(&unfinished.0).map_err(cannot)?);
        let written = session.certificate(recorder, checked, &mut out)?;
        let out = out.into_inner().map_err(|error| cannot(error.into_error()))?;
        drop(scratch);
        match written {
            Err(why) => terminal.warn(&format!("no certificate was written: {why}")),
            Ok(written) => {
                out.sync_all().map_err(cannot)?;
                files::finish(&unfinished.0, &file).map_err(cannot)?;
                let (name, size) = (file.display(), bytes(written.n_bytes));
                let what = written.subject();
                terminal.note(&format!("certificate of {what} written to {name} ({size})"));
                if let Some(signer) = &signer {
                    sign(&file, &written, signer, checked)?;
                    terminal.note(&format!("signed in {}", envelope_of(&file).display()));
                }
            }
        }
        Ok(())
    }
}

/// Signs a certificate that was written.
fn sign(file: &Path, written: &Written, signer: &Signer, checked: &Checked) -> Result<(), Failure> {
    let found = match checked.check.verdict {
        Verdict::Violated => Found::Violated,
        _ if written.n_open > 0 => Found::Partial,
        _ => Found::Holds,
    };
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let attested = Attested {
        spec: &written.spec,
        certificate: (&name, written.hash),
        role: Role::Producer,
        found,
        tool: env!("CARGO_PKG_VERSION"),
        trusted: &[],
    };
    signature::write(&attested, signer, &envelope_of(file))
}

fn cannot_write(file: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot write the certificate {}: {error}", file.display());
    Failure::Output(io::Error::new(error.kind(), message))
}
