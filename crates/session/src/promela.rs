//! From a Promela file to a program with its property and reductions.

use crate::places::name_from;
use crate::property::own_name;
use crate::session::{Parts, Subject};
use crate::{Diagnostics, Error, Property, Request, automaton};
use allways_ltl::Named;
use allways_model::{Location, Sha256};
use allways_promela::options::{DYNAMIC, Dynamics, OBSERVE};
use allways_promela::syntax::{DiskLoader, Loader};
use allways_promela::{
    Diagnostic, FileInput, PreprocessOptions, Program, Severity, SourceMap, Watch, Watched,
};
use allways_report::{Unsupported, plural};
use std::cell::RefCell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads files from the disk and notes what it read.
#[derive(Default)]
struct Recorder {
    read: RefCell<Vec<(PathBuf, Sha256)>>,
    /// A text that is in no file, under the name that it goes by.
    text: Option<(PathBuf, Arc<[u8]>)>,
}

impl Loader for Recorder {
    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        let bytes = match &self.text {
            Some((name, text)) if name == path => text.to_vec(),
            _ => DiskLoader.load(path)?,
        };
        let mut read = self.read.borrow_mut();
        if !read.iter().any(|(known, _)| known == path) {
            read.push((path.to_path_buf(), Sha256::of(&bytes)));
        }
        Ok(bytes)
    }
}

/// Loads a model and attaches the property.
pub(crate) fn load(request: &Request) -> Result<Parts, Error> {
    let file = &request.model;
    match &request.text {
        Some(text) => refuse_other_texts(&file.display().to_string(), text)?,
        None => refuse_other_files(file)?,
    }
    let settings = &request.settings;
    // A name that is both defined and undefined is undefined, as `-U` says.
    let include_dirs = settings.values("include").map(PathBuf::from).collect();
    let none = PreprocessOptions { include_dirs, ..PreprocessOptions::default() };
    let defined = settings.values("define").fold(none, |options, one| options.define(one));
    let mut options = settings.values("undefine").fold(defined, |options, one| options.undefine(one));
    options.dynamic = settings.is_on(DYNAMIC);
    let text = request.text.as_ref().map(|text| (file.clone(), text.clone()));
    let recorder = Recorder { text, ..Recorder::default() };
    let automaton = match &request.property {
        Property::Automaton(name) => {
            let bytes = recorder.load(Path::new(name));
            let bytes = bytes.map_err(|error| Error::Input(format!("{name}: {error}")))?;
            Some(automaton::read(Path::new(name), &bytes)?)
        }
        _ => None,
    };
    match (&request.property, &automaton) {
        (Property::Formula(formula), _) => options = options.formula(formula),
        (Property::Automaton(name), Some(automaton)) => {
            let place = format!("propositions of {name}");
            options = options.formula_of(&place, &automaton::meanings(automaton));
        }
        _ => {}
    }
    let loaded = allways_promela::load_with(&FileInput::Path(file.clone()), &options, &recorder);
    let diagnostics = Diagnostics { list: loaded.diagnostics, sources: loaded.sources };
    let n_errors = diagnostics.of(Severity::Error).count() as u64;
    if n_errors > 0 {
        let message = format!("{} has {}", file.display(), plural(n_errors, "error"));
        return Err(Error::Text(message, diagnostics));
    }
    let unknown: Vec<Unsupported> =
        diagnostics.of(Severity::Unsupported).map(|one| unsupported(one, &diagnostics.sources)).collect();
    if !unknown.is_empty() {
        return Err(Error::Unsupported(unknown, diagnostics));
    }
    let program = loaded
        .program
        .ok_or_else(|| Error::Internal(format!("{} gave no model and no error", file.display())))?;
    let base = file.parent().unwrap_or(Path::new("")).to_path_buf();
    let files = recorder.read.into_inner();
    let mut parts = attach(program, request, automaton.as_ref(), diagnostics)?;
    let name = |path: &Path| match path == request.model {
        true => request.model_name(),
        false => name_from(&base, path),
    };
    parts.files = files.into_iter().map(|(path, hash)| (name(&path), hash)).collect();
    Ok(parts)
}

/// Says what a file cannot be before a parser gets lost in it: missing, a directory, empty, binary.
fn refuse_other_files(file: &Path) -> Result<(), Error> {
    let name = file.display();
    let input = |message: String| Err(Error::Input(message));
    let meta = match fs::metadata(file) {
        Ok(meta) => meta,
        Err(error) => return input(format!("cannot read {name}: {error}")),
    };
    if meta.is_dir() {
        return input(format!("{name} is a directory; name a model file in it"));
    }
    // A pipe can be read only once, so the front end reads it, and only plain files are read here.
    if meta.is_file() {
        let text = match fs::read(file) {
            Ok(text) => text,
            Err(error) => return input(format!("cannot read {name}: {error}")),
        };
        refuse_other_texts(&name.to_string(), &text)?;
    }
    Ok(())
}

/// Says what a text cannot be.
fn refuse_other_texts(name: &str, text: &[u8]) -> Result<(), Error> {
    if text.iter().all(u8::is_ascii_whitespace) {
        return Err(Error::Input(format!("{name} is empty")));
    }
    if text.contains(&0) {
        return Err(Error::Input(format!("{name} is not a text file")));
    }
    Ok(())
}

fn unsupported(diagnostic: &Diagnostic, sources: &SourceMap) -> Unsupported {
    let (line, column) = sources.line_column(diagnostic.span);
    let file = sources.name(diagnostic.span.file).into();
    Unsupported { message: diagnostic.message.clone(), location: Some(Location { file, line, column }) }
}

/// The program's own property that a request asks for, if it is not safety, and the names of all claims.
fn property_of(
    program: &Program,
    request: &Request,
) -> Result<(Option<allways_promela::Property>, Vec<String>), Error> {
    let mut claims: Vec<String> = program.claims().map(ToString::to_string).collect();
    let property = match &request.property {
        Property::Safety => None,
        Property::Acceptance => Some(allways_promela::Property::Acceptance),
        Property::Progress => Some(allways_promela::Property::NonProgress),
        Property::Formula(_) | Property::Automaton(_) => {
            // It follows all others.
            claims.pop();
            Some(allways_promela::Property::Claim(claims.len()))
        }
        Property::Claim(name) => match claims.iter().position(|one| one == name) {
            Some(idx) => Some(allways_promela::Property::Claim(idx)),
            None => {
                let known = if claims.is_empty() { "none".into() } else { claims.join(", ") };
                return Err(Error::Input(format!("the model has no claim '{name}'; it has: {known}")));
            }
        },
    };
    Ok((property, claims))
}

/// Attaches the property, then applies the reductions that it permits.
fn attach(
    program: Program,
    request: &Request,
    automaton: Option<&Named>,
    diagnostics: Diagnostics,
) -> Result<Parts, Error> {
    let program = match request.settings.is_on("no-assertions") {
        true => program.without_assertions(),
        false => program,
    };
    let program = match request.settings.is_on("no-end-states") {
        true => program.without_end_states(),
        false => program,
    };
    let (property, claims) = property_of(&program, request)?;
    let program = program.with_dynamics(Dynamics::of(&request.settings));
    let mut notes: Vec<String> = request.assumption().into_iter().collect();
    let mut reductions = request.reductions;
    let (program, claim) = match property {
        None => (program, None),
        Some(property) => {
            let Watched { program, watch, propositions } = match program.watched(&property, request.fair) {
                Ok(watched) => watched,
                Err(what) => {
                    let what = unsupported(&what, &diagnostics.sources);
                    return Err(Error::Unsupported(vec![what], diagnostics));
                }
            };
            let claim = match watch {
                Watch::Claim(claim) => claim,
                Watch::Formula(formula, name) => {
                    let claim = match (automaton, &request.property) {
                        (Some(named), Property::Automaton(file)) => {
                            automaton::claim(named, &formula, own_name(file), &propositions)?
                        }
                        _ => allways_ltl::violations(&formula, &name, &propositions)
                            .map_err(|error| Error::Input(format!("the formula {name}: {error}")))?,
                    };
                    // Whether an automaton from elsewhere counts steps is not known.
                    if formula.has_next() && (reductions.merge || reductions.order) {
                        let why = if automaton.is_some() { "is an automaton" } else { "uses X" };
                        notes.push(format!(
                            "the property {why} and may count steps, so `order` and `merge` reductions are off"
                        ));
                        (reductions.merge, reductions.order) = (false, false);
                    }
                    claim
                }
            };
            (program, Some(Arc::new(claim)))
        }
    };
    let fair = request.fair && claim.is_some();
    let program = if request.trust_claims { program.without_exclusive_checks() } else { program };
    let observing = program.observing(request.settings.values(OBSERVE));
    let program = observing.map_err(|why| Error::Input(format!("--observe: {why}")))?;
    let program = program.with_reductions(reductions);
    match program.irreducible() {
        Some(why) if program.is_dynamic() => {
            notes.push(format!("the reductions `order` and `merge` are off: {why}"));
        }
        Some(why) => notes.push(format!("the order of steps cannot be reduced in this model: {why}")),
        None => {}
    }
    let place = |one: &Diagnostic| format!("{}: {}", diagnostics.sources.place(one.span), one.message);
    let warnings = diagnostics.of(Severity::Warning).map(place).collect();
    Ok(Parts {
        subject: Subject::Promela(Box::new(program)),
        claim,
        fair,
        claims,
        notes,
        warnings,
        diagnostics,
        files: Vec::new(),
    })
}
