//! Attestations to files: `--sign`, `--attest`.

use crate::failure::Failure;
use crate::files;
use allways_certify::attest::Attested;
use allways_certify::sign::Signer;
use std::io;
use std::path::Path;

/// How an envelope that was written here begins.
const ENVELOPE: &[u8] = b"{\n  \"payload\": \"";

/// Fails if an attestation would replace another file.
///
/// # Errors
/// The name of that file.
pub(crate) fn check_place(to: &Path) -> Result<(), Failure> {
    if files::is_other_file(to, ENVELOPE) {
        let why = "it exists and is not an attestation, so it was left alone";
        return Err(Failure::Input(format!("cannot write {}: {why}", to.display())));
    }
    Ok(())
}

/// Signs a statement and writes it.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write(attested: &Attested<'_>, signer: &Signer, to: &Path) -> Result<(), Failure> {
    check_place(to)?;
    let written = files::write(to, signer.envelope(&attested.statement()).as_bytes());
    written.map_err(|error| {
        Failure::Output(io::Error::new(error.kind(), format!("cannot write {}: {error}", to.display())))
    })
}
