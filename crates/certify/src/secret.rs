//! The secret of a certification that is shared between machines: the key of fingerprints, and that of MACs.
//!
//! All tasks fingerprint states with one key, so it must be somewhere; but a producer who knows it can make
//! collisions (see [`print`](crate::print)). So it is drawn after the whole certificate was read, and bound
//! to the certificate's hash: a secret is refused with any other file. It stays on the certifier's machines.
//! The results of tasks carry a MAC (HMAC with SHA-256, RFC 2104), so that what lies between the machines
//! need not be trusted. The fingerprints in a result say something about the key, which is why results are
//! not for producers either.

use crate::print::{Keyed, SEED};
use crate::veracity::Error;
use allways_model::Sha256;
use sha2::Digest as _;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;

/// The secret of one certification.
pub struct Secret {
    /// The hash of the certificate.
    pub(crate) file: Sha256,
    /// How many tasks share the work.
    pub(crate) n_tasks: u16,
    seed: Vec<u8>,
    mac_key: [u8; 32],
}

const FIRST_LINE: &str = "allways secret 1";

impl Secret {
    /// A new secret for a certificate that was read to its end.
    ///
    /// # Errors
    /// If the operating system has no random numbers.
    pub(crate) fn draw(file: Sha256, n_tasks: u16) -> Result<Self, Error> {
        let no_random =
            |error| Error::Input(format!("the operating system gives no random numbers ({error})"));
        let mut secret = Self { file, n_tasks, seed: vec![0; SEED], mac_key: [0; 32] };
        getrandom::fill(&mut secret.mac_key).map_err(no_random)?;
        loop {
            getrandom::fill(&mut secret.seed).map_err(no_random)?;
            if Keyed::from_bytes(&secret.seed).is_some() {
                return Ok(secret);
            }
        }
    }

    /// How many tasks share the work.
    #[must_use]
    pub fn n_tasks(&self) -> u16 {
        self.n_tasks
    }

    /// Writes the secret to a new file that other users cannot read.
    ///
    /// # Errors
    /// If there is such a file, or it cannot be written.
    pub fn keep(&self, to: &Path) -> Result<(), Error> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let written = options.open(to).and_then(|mut file| {
            file.write_all(self.to_text().as_bytes())?;
            file.sync_all()
        });
        written.map_err(|error| {
            let message = format!("cannot write the secret {}: {error}", to.display());
            Error::Output(io::Error::new(error.kind(), message))
        })
    }

    /// The text of its file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("{FIRST_LINE}\nfile {}\ntasks {}\nmac ", self.file, self.n_tasks);
        let mut put = |bytes: &[u8]| bytes.iter().for_each(|byte| write!(text, "{byte:02x}").unwrap_or(()));
        put(&self.mac_key);
        text.push_str("\nkey ");
        let mut put = |bytes: &[u8]| bytes.iter().for_each(|byte| write!(text, "{byte:02x}").unwrap_or(()));
        put(&self.seed);
        text.push('\n');
        text
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// If it is none of a secret.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let parsed = || {
            let mut lines = text.strip_suffix('\n')?.split('\n');
            (lines.next() == Some(FIRST_LINE)).then_some(())?;
            let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
            let secret = Self {
                file: value("file")?.parse().ok()?,
                n_tasks: value("tasks")?.parse().ok().filter(|n| *n > 0)?,
                mac_key: bytes(value("mac")?)?.try_into().ok()?,
                seed: bytes(value("key")?)?,
            };
            let is_key = secret.seed.len() == SEED && Keyed::from_bytes(&secret.seed).is_some();
            (is_key && lines.next().is_none()).then_some(secret)
        };
        parsed().ok_or_else(|| Error::Input("the file of the secret is none of `certify --secret`".into()))
    }

    /// The fingerprints of all tasks.
    pub(crate) fn keyed(&self) -> Keyed {
        Keyed::from_bytes(&self.seed).expect("the seed was tried when it was drawn or read")
    }

    /// Names the secret, and gives nothing of it away.
    pub(crate) fn id(&self) -> Sha256 {
        Sha256::of(&[b"allways secret".as_slice(), &self.file.0, &self.mac_key, &self.seed].concat())
    }

    /// A MAC under way.
    pub(crate) fn mac(&self) -> Mac {
        Mac::new(&self.mac_key)
    }
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    let digit = |byte: u8| (byte as char).to_digit(16);
    let pair = |[a, b]: &[u8; 2]| Some((digit(*a)? << 4 | digit(*b)?) as u8);
    if rest.is_empty() { pairs.iter().map(pair).collect() } else { None }
}

/// HMAC with SHA-256.
pub(crate) struct Mac {
    inner: sha2::Sha256,
    outer: sha2::Sha256,
}

impl Mac {
    fn new(key: &[u8; 32]) -> Self {
        let padded = |pad: u8| {
            let mut block = [pad; 64];
            block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
            sha2::Sha256::new_with_prefix(block)
        };
        Self { inner: padded(0x36), outer: padded(0x5c) }
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.inner.update(bytes);
    }

    pub(crate) fn finish(mut self) -> [u8; 32] {
        self.outer.update(self.inner.finalize());
        self.outer.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test case 1 of RFC 4231, whose key is filled up with zeros as the standard does.
    #[test]
    fn a_mac_is_that_of_the_standard() {
        let mut key = [0; 32];
        key[..20].fill(0x0b);
        let mut mac = Mac::new(&key);
        mac.update(b"Hi ");
        mac.update(b"There");
        let expected = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7";
        assert_eq!(mac.finish().as_slice(), bytes(expected).unwrap());
    }

    #[test]
    fn a_secret_reads_back() {
        let secret = Secret::draw(Sha256([3; 32]), 10).unwrap();
        let again = Secret::parse(&secret.to_text()).unwrap();
        assert_eq!((again.file, again.n_tasks, again.id()), (secret.file, 10, secret.id()));
        assert_eq!(again.to_text(), secret.to_text());
        let other = Secret::draw(Sha256([3; 32]), 10).unwrap();
        assert!(other.id() != secret.id() && other.to_text() != secret.to_text());
        let text = secret.to_text();
        for (from, to) in
            [("secret 1", "secret 2"), ("tasks 10", "tasks 0"), ("\nkey ", "\nkey 00"), ("mac ", "mac x")]
        {
            assert!(Secret::parse(&text.replacen(from, to, 1)).is_err(), "{from}");
        }
        assert!(Secret::parse(&(text.clone() + "\n")).is_err() && Secret::parse(text.trim_end()).is_err());
    }
}
