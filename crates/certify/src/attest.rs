//! Attestations: what a producer or a certifier found, as an in-toto statement that a build pipeline can
//! require.
//!
//! The statement is version 1, its predicate that of test results (`test-result/v0.1`): the subjects are the
//! files of the program, the configuration is the certificate, and the one test is the property. What the
//! predicate does not provide for is in its field `allways`. A statement is worth what its signature is: see
//! `sign`.

use crate::veracity::Deviation;
use allways_model::{Sha256, Spec};
use serde_json::{Value, json};

const STATEMENT: &str = "https://in-toto.io/Statement/v1";
const PREDICATE: &str = "https://in-toto.io/attestation/test-result/v0.1";

/// On whose word a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The search wrote the certificate.
    Producer,
    /// The certificate was accepted.
    Certifier,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The property holds.
    Holds,
    /// It is violated.
    Violated,
    /// Nothing is wrong in a part of the graph.
    Partial,
    /// Nothing is wrong in the states of a tree, which is trusted to leave nothing out.
    Trusting,
}

/// What a statement is about.
#[derive(Clone, Debug)]
pub struct Attested<'a> {
    /// What was checked.
    pub spec: &'a Spec,
    /// The certificate: its name and the SHA-256 of the whole file.
    pub certificate: (&'a str, Sha256),
    /// Who speaks.
    pub role: Role,
    /// What was found.
    pub found: Found,
    /// The version of the tool.
    pub tool: &'a str,
    /// What the answer rests on, if it is a certifier's.
    pub trusted: &'a [String],
}

impl Attested<'_> {
    /// The statement, as JSON.
    #[must_use]
    pub fn statement(&self) -> String {
        let (property, fair) = (self.spec.value("property").unwrap_or_default(), self.spec.is("fair"));
        let test = if fair { format!("{property} (fair)") } else { property.to_owned() };
        let (result, tests, found) = match self.found {
            Found::Holds => ("PASSED", "passedTests", "holds"),
            Found::Violated => ("FAILED", "failedTests", "violated"),
            Found::Partial => ("WARNED", "warnedTests", "partial"),
            Found::Trusting => ("WARNED", "warnedTests", "trusting"),
        };
        let resource =
            |(name, hash): (&str, Sha256)| json!({ "name": name, "digest": { "sha256": hash.to_string() } });
        let subjects: Vec<Value> = files(self.spec).map(resource).collect();
        let (role, accepted) = match self.role {
            Role::Producer => ("producer", Value::Null),
            Role::Certifier => ("certifier", json!(self.trusted)),
        };
        let mut predicate = json!({
            "result": result,
            "configuration": [resource(self.certificate)],
            "allways": {
                "role": role,
                "found": found,
                "version": self.tool,
                "specification": self.spec.to_text(),
                "specificationDigest": { "sha256": self.spec.digest().to_string() },
                "trusted": accepted,
            },
        });
        predicate[tests] = json!([test]);
        json!({ "_type": STATEMENT, "subject": subjects, "predicateType": PREDICATE, "predicate": predicate })
            .to_string()
    }
}

/// The files of a Spec, with their hashes.
fn files(spec: &Spec) -> impl Iterator<Item = (&str, Sha256)> {
    let is_file = |key: &str| ["file", "class-path", "class-library"].contains(&key);
    let entries = spec.entries().iter().filter(move |(key, _)| is_file(key));
    entries.filter_map(|(_, value)| {
        let (name, hash) = value.rsplit_once(' ')?;
        Some((name, hash.parse().ok()?))
    })
}

/// Whether a statement is about the certificate with this hash.
///
/// # Errors
/// What it is instead.
pub fn is_about(statement: &Value, certificate: Sha256) -> Result<(), Deviation> {
    let no = |what: &str| Err(Deviation::NotSigned(what.into()));
    if statement["_type"] != STATEMENT || statement["predicateType"] != PREDICATE {
        return no("what is signed is no statement about a certificate");
    }
    let signed = statement["predicate"]["configuration"][0]["digest"]["sha256"].as_str();
    if signed != Some(&certificate.to_string()) {
        return no("what is signed is about another certificate");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_names_program_certificate_and_result() {
        let mut spec = Spec::new("promela");
        spec.add_file("m.pml", Sha256([1; 32]));
        spec.set("property", "safety");
        let attested = Attested {
            spec: &spec,
            certificate: ("m.cert", Sha256([2; 32])),
            role: Role::Certifier,
            found: Found::Holds,
            tool: "0.1.0",
            trusted: &["the semantics of the language".into()],
        };
        let statement: Value = serde_json::from_str(&attested.statement()).unwrap();
        assert_eq!(statement["subject"][0]["name"], "m.pml");
        assert_eq!(statement["subject"][0]["digest"]["sha256"], Sha256([1; 32]).to_string());
        assert_eq!(statement["predicate"]["result"], "PASSED");
        assert_eq!(statement["predicate"]["passedTests"], json!(["safety"]));
        assert!(is_about(&statement, Sha256([2; 32])).is_ok());
        assert!(
            is_about(&statement, Sha256([1; 32])).is_err() && is_about(&json!({}), Sha256([2; 32])).is_err()
        );
        for (found, word) in
            [(Found::Violated, "FAILED"), (Found::Partial, "WARNED"), (Found::Trusting, "WARNED")]
        {
            let other: Value =
                serde_json::from_str(&Attested { found, ..attested.clone() }.statement()).unwrap();
            assert_eq!(other["predicate"]["result"], word);
        }
    }
}
