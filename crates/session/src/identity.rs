//! The identity of what a session checks: its [`Spec`], made from the request and the bytes of all files.
//!
//! A Promela model is small, so its files are hashed when they are read. A Java program has a class path and
//! a JDK of a hundred megabytes: they are hashed when a Spec is asked for, after it was made sure that they
//! are the files that were loaded.

use crate::places::seen_from;
use crate::session::{Session, Subject};
use crate::{Error, Language, Request, java};
use allways_java::source::files::Found;
use allways_model::spec::Difference;
use allways_model::{Sha256, Spec};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The sizes and times of files when a model was loaded.
#[derive(Default)]
pub(crate) struct Stamps(Vec<(PathBuf, Option<Stamp>)>);

type Stamp = (u64, Option<SystemTime>);

fn stamp(file: &Path) -> Option<Stamp> {
    fs::metadata(file).ok().map(|meta| (meta.len(), meta.modified().ok()))
}

impl Stamps {
    /// The stamps of files as they are now.
    pub(crate) fn of(files: &[PathBuf]) -> Self {
        Self(files.iter().map(|file| (file.clone(), stamp(file))).collect())
    }

    /// Fails if a file has changed.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.0.iter().find(|(file, before)| stamp(file) != *before) {
            Some((file, _)) => {
                Err(Error::Input(format!("{} has changed while it was searched", file.display())))
            }
            None => Ok(()),
        }
    }
}

/// The Spec of a session.
pub(crate) fn spec(session: &Session) -> Result<Spec, Error> {
    let request = &session.request;
    let mut spec = Spec::new(session.language.name());
    match session.language {
        Language::Promela => {
            spec.set("model", request.model_name());
            session.parts.files.iter().for_each(|(name, hash)| spec.add_file(name, *hash));
        }
        Language::Java => {
            spec.set("model", java::main_class(request)?);
            java::add_files(request, &mut spec)?;
            session.parts.files.iter().for_each(|(name, hash)| spec.add_file(name, *hash));
        }
    }
    for (key, value) in request.declared(session.language) {
        spec.set(key, value);
    }
    request.arguments.iter().for_each(|argument| spec.set("argument", argument));
    match session.language {
        Language::Promela => {
            spec.set("reduce", request.reductions.name().replace('+', ","));
            if request.trust_claims {
                spec.set("trust-claims", "yes");
            }
        }
        Language::Java => {
            spec.set("interleave", request.interleaving.name());
            if request.keep_output {
                spec.set("keep-output", "yes");
            }
        }
    }
    spec.set("property", request.property.in_spec());
    if request.fair {
        spec.set("fair", "yes");
    }
    Ok(spec)
}

/// The files of a Spec that are not there any more as they were, as far as that can be said without loading
/// the model.
pub(crate) fn changed_files(spec: &Spec, request: &Request) -> Result<Vec<Difference>, Error> {
    if spec.language() == Language::Java.name() {
        let mut now = Spec::new(spec.language());
        java::add_files(request, &mut now)?;
        let is_file = |one: &Difference| matches!(one, Difference::Changed(_));
        return Ok(spec.differences(&now).into_iter().filter(is_file).collect());
    }
    let base = request.model.parent().unwrap_or(Path::new(""));
    let own = spec.value("model").unwrap_or_default();
    let mut changed = Vec::new();
    for (name, before) in spec.values("file").filter_map(|value| value.rsplit_once(' ')) {
        let file = if name == own { request.model.clone() } else { base.join(name) };
        if file.is_file() && hash_of(&file)?.to_string() != before {
            changed.push(Difference::Changed(name.into()));
        }
    }
    Ok(changed)
}

/// The SHA-256 of a file.
pub(crate) fn hash_of(file: &Path) -> Result<Sha256, Error> {
    let cannot = |error| Error::Input(format!("cannot read {}: {error}", file.display()));
    File::open(file).and_then(Sha256::of_reader).map_err(cannot)
}

/// The files that the program looked at while it was searched, as they were then. One that cannot be read
/// again is left to the replay to miss.
pub(crate) fn inputs(session: &Session) -> Vec<(String, Sha256)> {
    let Subject::Java(program) = &session.parts.subject else { return Vec::new() };
    let sources = &program.vm().classes.sources;
    let name = |file: &Path| file.to_string_lossy().into_owned();
    let resources = sources.path.files_read();
    let resources = resources.iter().filter_map(|file| Some((name(file), hash_of(file).ok()?)));
    let others = sources.files.seen().into_iter().filter_map(|(file, found)| {
        Some((
            name(&file),
            match found {
                Found::Missing => Sha256::of(MISSING),
                Found::Directory => Sha256::of(DIRECTORY),
                Found::File(bytes) => Sha256::of(&bytes),
                Found::Other(_) => return None,
            },
        ))
    });
    resources.chain(others).collect()
}

/// What stands for a file that is not there.
const MISSING: &[u8] = b"allways: no such file";
/// What stands for a directory.
const DIRECTORY: &[u8] = b"allways: a directory";

/// Fails if a file that a program looked at has changed since.
pub(crate) fn check_inputs(read: &[(String, Sha256)], trace_file: &Path) -> Result<(), Error> {
    for (name, before) in read {
        let file = seen_from(trace_file, Path::new(name));
        let now = match std::fs::metadata(&file) {
            Ok(found) if found.is_dir() => Sha256::of(DIRECTORY),
            Err(error) if error.kind() == ErrorKind::NotFound => Sha256::of(MISSING),
            _ => hash_of(&file)?,
        };
        if now != *before {
            return Err(Error::Input(format!(
                "{}: {name}, which the program reads, has changed",
                trace_file.display()
            )));
        }
    }
    Ok(())
}
