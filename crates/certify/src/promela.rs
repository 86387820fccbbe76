//! Loading a Promela model for certification.

use crate::own::{self, OBSERVE, Own, Program, Property, Question, TRUST_CLAIMS};
use crate::veracity::{Deviation, Error};
use allways_model::{Sha256, Spec};
use allways_promela::options::{DYNAMIC, Dynamics, OPTIONS};
use allways_promela::syntax::source::render_all;
use allways_promela::syntax::{DiskLoader, Loader};
use allways_promela::{FileInput, PreprocessOptions, Reductions, Severity, Watch, Watched};
use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads files from the disk and notes what it read.
#[derive(Default)]
struct Recorder {
    read: RefCell<Vec<(PathBuf, Sha256)>>,
}

impl Loader for Recorder {
    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        let bytes = DiskLoader.load(path)?;
        let mut read = self.read.borrow_mut();
        let hash = Sha256::of(&bytes);
        match read.iter().find(|(known, _)| known == path) {
            None => read.push((path.to_path_buf(), hash)),
            Some((_, before)) if *before == hash => {}
            Some(_) => return Err(io::Error::other("it has changed while it was read")),
        }
        Ok(bytes)
    }
}

/// Loads a model, attaches the property, or conditions instead, and applies the claimed reductions.
pub(crate) fn load(question: &Question, more: &[String], claimed: &Spec) -> Result<Own, Error> {
    let (file, settings) = (&question.model, &question.settings);
    let property = own::property(&question.property)?;
    let include_dirs = settings.values("include").map(PathBuf::from).collect();
    let options = PreprocessOptions { include_dirs, ..PreprocessOptions::default() };
    let options = settings.values("define").fold(options, |options, one| options.define(one));
    let mut options = settings.values("undefine").fold(options, |options, one| options.undefine(one));
    options.dynamic = settings.is_on(DYNAMIC);
    if let Property::Formula(formula) = property {
        options = options.formula(formula);
    }
    if !more.is_empty() {
        options = options.formula(&own::always(more));
    }
    if !file.is_file() {
        return Err(Error::Input(format!("{} is not a file", file.display())));
    }
    let recorder = Recorder::default();
    let loaded = allways_promela::load_with(&FileInput::Path(file.clone()), &options, &recorder);
    let has = |severity| loaded.diagnostics.iter().any(|one| one.severity == severity);
    // The kind of an error is printed before the error.
    let shown = |kind: &str| {
        let text = render_all(&loaded.diagnostics, &loaded.sources, false);
        text.strip_prefix(kind).unwrap_or(&text).trim_end().to_owned()
    };
    let program = match loaded.program {
        _ if has(Severity::Error) => return Err(Error::Input(shown("error: "))),
        _ if has(Severity::Unsupported) => return Err(Error::Unsupported(shown("unsupported: "))),
        Some(program) => program,
        None => return Err(Error::Input(format!("{} holds no model", file.display()))),
    };
    let reduce = claimed.value("reduce").unwrap_or("none");
    let unknown = || Deviation::OtherSpec(vec![format!("there is no reduction `{reduce}`")]);
    let (claimed_reductions, symmetric) = reductions(reduce).ok_or_else(unknown)?;
    if symmetric && (program.is_dynamic() || !matches!(property, Property::Safety)) {
        let what = "`reduce` names symmetry, which is for safety and for models without pointers";
        return Err(Deviation::OtherSpec(vec![what.into()]).into());
    }
    let mut own = attach(program, question, &property, !more.is_empty(), claimed_reductions)?;
    own.symmetric = symmetric;
    let name = claimed.value("model").unwrap_or_default();
    let base = file.parent().unwrap_or(Path::new(""));
    own.spec.set("model", name);
    for (path, hash) in recorder.read.into_inner() {
        let name = if path == *file { name.to_owned() } else { own::name_from(base, &path) };
        own.spec.add_file(&name, hash);
    }
    own::add_options(&mut own.spec, question, OPTIONS);
    own.spec.set(
        "reduce",
        match (claimed_reductions.name().replace('+', ","), symmetric) {
            (names, false) => names,
            (names, true) if names == "none" => SYMMETRY.into(),
            (names, true) => format!("{names},{SYMMETRY}"),
        },
    );
    if question.trust_claims {
        own.spec.set(TRUST_CLAIMS, "yes");
    }
    own::add_property(&mut own.spec, question);
    Ok(own)
}

/// How a specification names symmetry among the reductions.
pub(crate) const SYMMETRY: &str = "symmetry";

/// Reads a list of reductions, and whether symmetry is one of them.
fn reductions(text: &str) -> Option<(Reductions, bool)> {
    let (mut reductions, mut symmetric) = (Reductions::NONE, false);
    for name in text.split(',') {
        match name {
            "none" => {}
            "dead" => reductions.dead = true,
            "merge" => reductions.merge = true,
            "order" => reductions.order = true,
            SYMMETRY => symmetric = true,
            _ => return None,
        }
    }
    Some((reductions, symmetric))
}

/// Attaches the property, then applies the reductions that it permits.
fn attach(
    mut program: allways_promela::Program,
    question: &Question,
    property: &Property<'_>,
    asks: bool,
    mut reductions: Reductions,
) -> Result<Own, Error> {
    let settings = &question.settings;
    if settings.is_on("no-assertions") {
        program = program.without_assertions();
    }
    if settings.is_on("no-end-states") {
        program = program.without_end_states();
    }
    let claims: Vec<String> = program.claims().map(ToString::to_string).collect();
    let watched = match property {
        Property::Safety => None,
        Property::Acceptance => Some(allways_promela::Property::Acceptance),
        Property::Progress => Some(allways_promela::Property::NonProgress),
        // The formula of the question follows the claims of the model.
        Property::Formula(_) => Some(allways_promela::Property::Claim(claims.len().saturating_sub(1))),
        Property::Claim(name) => {
            let idx = claims.iter().position(|one| one == name);
            let idx = idx.ok_or_else(|| Error::Input(format!("the model has no claim '{name}'")))?;
            Some(allways_promela::Property::Claim(idx))
        }
    };
    program = program.with_dynamics(Dynamics::of(settings));
    let (mut claim, mut asked) = (None, None);
    if let Some(property) = watched {
        let Watched { program: with_claim, watch, propositions } =
            program.watched(&property, question.fair).map_err(|what| Error::Unsupported(what.message))?;
        program = with_claim;
        claim = Some(Arc::new(match watch {
            Watch::Claim(claim) => claim,
            Watch::Formula(formula, name) => {
                if formula.has_next() {
                    (reductions.merge, reductions.order) = (false, false);
                }
                allways_ltl::violations(&formula, &name, &propositions)
                    .map_err(|error| Error::Input(format!("the formula {name}: {error}")))?
            }
        }));
    }
    if question.trust_claims {
        program = program.without_exclusive_checks();
    }
    let wrong = |what: &str, why: String| Error::Input(format!("--{what}: {why}"));
    let observed = || settings.values(OBSERVE);
    let program = if asks {
        let conditions = program.claims().count().saturating_sub(1);
        let asking = program.asked(conditions, observed()).map_err(|why| wrong("invariant", why))?;
        asked = Some((asking.1, asking.2));
        asking.0
    } else {
        program.observing(observed()).map_err(|why| wrong("observe", why))?
    };
    let program = program.with_reductions(reductions);
    Ok(Own {
        symmetric: false,
        may_omit: program.reductions().order,
        fair: question.fair && claim.is_some(),
        claim,
        asked,
        program: Program::Promela(Box::new(program)),
        spec: Spec::new("promela"),
        compiles: true,
    })
}
