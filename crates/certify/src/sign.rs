//! Signatures: who vouches for a file, by Ed25519 (RFC 8032) in a DSSE envelope.
//!
//! A signature adds nothing to the truth of a certificate, which is checked in any case. It says which key's
//! owner produced or certified it, so that a build pipeline can require that.
//!
//! Keys are those of `openssl genpkey -algorithm ed25519`: PEM files with PKCS #8 (RFC 8410) for the secret
//! key and SubjectPublicKeyInfo for the public one. Instead of PEM, 64 hexadecimal digits are read: the seed
//! of a secret key, or a public key. The envelope is version 1 of DSSE (Dead Simple Signing Envelope), as
//! in-toto and its tools use.

use crate::veracity::{Deviation, Error};
use allways_model::Sha256;
use ed25519_compact::{KeyPair, PublicKey, Seed, Signature};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// What precedes the seed in the PKCS #8 form of a secret key.
const SECRET_PREFIX: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
/// What precedes a public key in its SubjectPublicKeyInfo form.
const PUBLIC_PREFIX: [u8; 12] = [0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0];

/// The type of what is signed.
pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// A secret key, which signs.
pub struct Signer(KeyPair);

/// A public key, which verifies.
#[derive(Clone)]
pub struct Verifier(PublicKey);

impl Signer {
    /// Reads a key file.
    ///
    /// # Errors
    /// If it cannot be read, or is no secret key.
    pub fn read(file: &Path) -> Result<Self, Error> {
        read(file, Self::parse)
    }

    /// Reads the text of a key file.
    ///
    /// # Errors
    /// If it is no secret key.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let seed = key(text, "PRIVATE KEY", &SECRET_PREFIX).ok_or_else(|| {
            Error::Input(
                "it is no Ed25519 secret key: a PEM file of `openssl genpkey -algorithm ed25519`, or 64 \
                 hexadecimal digits"
                    .into(),
            )
        })?;
        Ok(Self(KeyPair::from_seed(Seed::new(seed))))
    }

    /// The key that verifies what this one signs.
    #[must_use]
    pub fn verifier(&self) -> Verifier {
        Verifier(self.0.pk)
    }

    /// The envelope of a payload, as JSON.
    #[must_use]
    pub fn envelope(&self, payload: &str) -> String {
        let signature = self.0.sk.sign(encoded(PAYLOAD_TYPE, payload.as_bytes()), None);
        let envelope = json!({
            "payloadType": PAYLOAD_TYPE,
            "payload": to_base64(payload.as_bytes()),
            "signatures": [{ "keyid": self.verifier().id(), "sig": to_base64(signature.as_ref()) }],
        });
        format!("{envelope:#}\n")
    }
}

/// Reads a key file.
fn read<K>(file: &Path, parse: impl Fn(&str) -> Result<K, Error>) -> Result<K, Error> {
    let name = file.display();
    let cannot = |error| Error::Input(format!("cannot read the key {name}: {error}"));
    let text = fs::read_to_string(file).map_err(cannot)?;
    parse(&text).map_err(|error| Error::Input(format!("{name}: {error}")))
}

impl Verifier {
    /// Reads a key file.
    ///
    /// # Errors
    /// If it cannot be read, or is no public key.
    pub fn read(file: &Path) -> Result<Self, Error> {
        read(file, Self::parse)
    }

    /// Reads the text of a key file.
    ///
    /// # Errors
    /// If it is no public key.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let bytes = key(text, "PUBLIC KEY", &PUBLIC_PREFIX);
        let bytes = bytes.filter(|bytes| PublicKey::from_slice(bytes).is_ok()).ok_or_else(|| {
            Error::Input(
                "it is no Ed25519 public key: a PEM file of `openssl pkey -pubout`, or 64 hexadecimal digits"
                    .into(),
            )
        })?;
        Ok(Self(PublicKey::new(bytes)))
    }

    /// The name of the key: the SHA-256 of its SubjectPublicKeyInfo form.
    #[must_use]
    pub fn id(&self) -> String {
        Sha256::of(&[PUBLIC_PREFIX.as_slice(), self.0.as_slice()].concat()).to_string()
    }

    /// The payload of an envelope that this key has signed.
    ///
    /// # Errors
    /// If it is no envelope, or no signature in it is that of the key.
    pub fn open(&self, envelope: &str) -> Result<Value, Deviation> {
        let no = |what: &str| Deviation::NotSigned(what.into());
        let envelope: Value = serde_json::from_str(envelope)
            .map_err(|error| no(&format!("the envelope is no JSON: {error}")))?;
        let payload = envelope["payload"].as_str().and_then(from_base64);
        let payload = payload.ok_or_else(|| no("the envelope has no payload"))?;
        if envelope["payloadType"] != PAYLOAD_TYPE {
            return Err(no("the payload of the envelope is of another type"));
        }
        let message = encoded(PAYLOAD_TYPE, &payload);
        let signatures = envelope["signatures"].as_array().map_or(&[][..], Vec::as_slice);
        let is_mine = |one: &Value| {
            let bytes = one["sig"].as_str().and_then(from_base64);
            let signature = bytes.and_then(|bytes| Signature::from_slice(&bytes).ok());
            signature.is_some_and(|signature| self.0.verify(&message, &signature).is_ok())
        };
        if !signatures.iter().any(is_mine) {
            return Err(no("no signature in the envelope is that of the key"));
        }
        serde_json::from_slice(&payload).map_err(|error| no(&format!("what is signed is no JSON: {error}")))
    }
}

/// What is signed: the pre-authentication encoding of DSSE.
fn encoded(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len());
    [head.as_bytes(), payload].concat()
}

/// The 32 bytes of a key: in PEM with this label, after this prefix, or in hexadecimal digits.
fn key(text: &str, label: &str, prefix: &[u8]) -> Option<[u8; 32]> {
    let text = text.trim();
    if text.len() == 64 && text.is_ascii() {
        let digit = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
        return (0..32).map(|idx| digit(2 * idx)).collect::<Option<Vec<u8>>>()?.try_into().ok();
    }
    let body = text.strip_prefix(&format!("-----BEGIN {label}-----"))?;
    let body = body.strip_suffix(&format!("-----END {label}-----"))?;
    let body: String = body.split_whitespace().collect();
    from_base64(&body)?.strip_prefix(prefix)?.try_into().ok()
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Base64 with padding (RFC 4648).
fn to_base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits =
            three.iter().enumerate().fold(0, |bits, (idx, byte)| bits | u32::from(*byte) << (16 - 8 * idx));
        for idx in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * idx)) as usize % 64] as char;
            text.push(if idx <= three.len() { digit } else { '=' });
        }
    }
    text
}

/// Reads base64 with padding; `None` if it is not what [`to_base64`] writes.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for four in text.as_bytes().chunks(4) {
        let n_digits = four.iter().position(|digit| *digit == b'=').unwrap_or(4);
        if n_digits < 2 || four.len() < 4 {
            return None;
        }
        let mut bits = 0;
        for digit in &four[..n_digits] {
            bits = bits << 6 | DIGITS.iter().position(|one| one == digit)? as u32;
        }
        bits <<= 6 * (4 - n_digits);
        bytes.extend(&bits.to_be_bytes()[1..n_digits]);
    }
    (to_base64(&bytes) == text).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        let known = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in known {
            assert_eq!(to_base64(bytes.as_bytes()), text);
            assert_eq!(from_base64(text), Some(bytes.into()));
        }
        for wrong in ["Z", "Zg", "Zg=", "Zh==", "Zm9v\n", "Zm9=v", "====", "Zg==Zg=="] {
            assert_eq!(from_base64(wrong), None, "{wrong}");
        }
    }

    /// The first test of RFC 8032, and the same keys in the files of OpenSSL.
    #[test]
    fn keys_and_signatures_are_those_of_the_standard() {
        let seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
        let public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
        let signer = Signer::parse(seed).unwrap();
        assert_eq!(signer.verifier().0.as_slice(), Verifier::parse(public).unwrap().0.as_slice());
        let signature = signer.0.sk.sign([], None);
        assert!(to_base64(signature.as_ref()).starts_with("5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVf"));
        let pem = |label: &str, prefix: &[u8], hex: &str| {
            let bytes = [prefix, &key(hex, "", &[]).unwrap()].concat();
            format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", to_base64(&bytes))
        };
        let secret = pem("PRIVATE KEY", &SECRET_PREFIX, seed);
        let public = pem("PUBLIC KEY", &PUBLIC_PREFIX, public);
        assert_eq!(Signer::parse(&secret).unwrap().verifier().id(), Verifier::parse(&public).unwrap().id());
        for wrong in ["", "x", &seed[1..], &secret[1..], &public] {
            assert!(Signer::parse(wrong).is_err(), "{wrong}");
        }
        assert!(Verifier::parse(&secret).is_err());
    }

    #[test]
    fn an_envelope_opens_for_its_key_alone() {
        let signer = Signer::parse(&"07".repeat(32)).unwrap();
        let other = Signer::parse(&"08".repeat(32)).unwrap().verifier();
        let envelope = signer.envelope("{\"a\": 1}");
        assert_eq!(signer.verifier().open(&envelope).unwrap(), json!({ "a": 1 }));
        assert!(other.open(&envelope).is_err());
        let changed = envelope.replace(&to_base64(b"{\"a\": 1}"), &to_base64(b"{\"a\": 2}"));
        assert_ne!(changed, envelope);
        let wrong = ["", "{}", "[]", &changed, &envelope.replace("in-toto", "in_toto")];
        for wrong in wrong {
            assert!(signer.verifier().open(wrong).is_err(), "{wrong}");
        }
    }
}
