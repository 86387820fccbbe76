//! From a file to a model: the language is told by the name, what is wrong with the text is shown, and what a file
//! cannot be (missing, a directory, empty, binary) is said before a parser gets lost in it.

use crate::automaton;
use crate::cli::{Language, ModelArgs};
use crate::failure::Failure;
use crate::java;
use crate::property::Property;
use crate::terminal::Terminal;
use allways_ltl::Named;
use allways_model::{Claim, Digest, Location, Model};
use allways_product::{Fair, Product};
use allways_promela::syntax::source::render_all;
use allways_promela::{
    Diagnostic, FileInput, PreprocessOptions, Program, Reductions, Severity, SourceMap, Watch, Watched,
};
use allways_report::{ExitCode, Unsupported, plural};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The endings under which Promela is found in the wild.
const PROMELA: [&str; 7] = ["pml", "promela", "prom", "prm", "pm", "pr", "spin"];

/// What is run.
pub(crate) enum Subject {
    Promela(Box<Program>),
    Java(Box<allways_java::Program>),
}

/// A model ready to run.
pub(crate) struct Loaded {
    pub(crate) subject: Subject,
    /// Who looks on, if the property is about runs that never end; and whether only fair runs count then.
    pub(crate) claim: Option<Arc<Claim>>,
    pub(crate) fair: bool,
    /// The reductions that have an effect.
    pub(crate) reductions: Reductions,
    /// Never claims and formulas, by name.
    pub(crate) claims: Vec<String>,
    /// The warnings that were shown.
    pub(crate) warnings: Vec<String>,
}

impl Loaded {
    /// Shows the model that is to be searched: the program, or the program with who looks on.
    pub(crate) fn with_model<T>(&self, show: impl FnOnce(&dyn Model) -> T) -> T {
        let program: &dyn Model = match &self.subject {
            Subject::Promela(program) => &**program,
            Subject::Java(program) => &**program,
        };
        self.with_model_of(program, show)
    }

    /// As [`Self::with_model`], with another program in the place of this one.
    pub(crate) fn with_model_of<T>(&self, program: &dyn Model, show: impl FnOnce(&dyn Model) -> T) -> T {
        with_model(program, self.claim.as_ref(), self.fair, show)
    }

    /// What the threads of a Java program are known to access in conflict.
    pub(crate) fn racy(&self) -> Vec<String> {
        match &self.subject {
            Subject::Promela(_) => Vec::new(),
            Subject::Java(program) => program.racy(),
        }
    }

    /// The name of what is left out of the search.
    pub(crate) fn reduction(&self) -> String {
        match &self.subject {
            Subject::Promela(_) => self.reductions.name(),
            Subject::Java(program) => {
                let options = program.options();
                let simple = options.simple_locks.then_some("simple-locks");
                let left_out = match (options.every_access, options.until_conflict) {
                    (true, _) if simple.is_some() => None,
                    (true, _) => Some("none"),
                    (false, true) => Some("conflicts"),
                    (false, false) => Some("local"),
                };
                left_out.into_iter().chain(simple).collect::<Vec<_>>().join("+")
            }
        }
    }
}

fn with_model<T>(
    program: &dyn Model,
    claim: Option<&Arc<Claim>>,
    fair: bool,
    show: impl FnOnce(&dyn Model) -> T,
) -> T {
    let Some(claim) = claim else { return show(program) };
    let product = Product::new(program, claim.clone());
    if fair { show(&Fair::new(&product)) } else { show(&product) }
}

/// What became of a file.
pub(crate) enum Load {
    Ready(Loaded),
    /// It uses something that the tool does not know.
    Unsupported(Vec<Unsupported>),
}

/// Reads a model and shows what is wrong with it; the caller says what is unsupported, in its own form.
pub(crate) fn load(file: &Path, options: &ModelArgs, terminal: &mut Terminal) -> Result<Load, Failure> {
    match language(file, options)? {
        Language::Promela => load_promela(file, options, terminal),
        Language::Java => java::load(file, options, terminal),
    }
}

/// As [`load`], for commands that have nothing to say about what is unsupported.
pub(crate) fn load_supported(
    file: &Path,
    options: &ModelArgs,
    terminal: &mut Terminal,
) -> Result<Loaded, Failure> {
    match load(file, options, terminal)? {
        Load::Ready(loaded) => Ok(loaded),
        Load::Unsupported(what) => {
            for what in what {
                let at = what.location.map_or(String::new(), |at| format!(" at {at}"));
                terminal.err_text(&format!("unsupported: {}{at}\n", what.message));
            }
            Err(Failure::Reported(ExitCode::Unsupported))
        }
    }
}

fn load_promela(file: &Path, args: &ModelArgs, terminal: &mut Terminal) -> Result<Load, Failure> {
    let java = [
        (args.races, "--races"),
        (args.random, "--random"),
        (args.simple_locks, "--simple-locks"),
        (args.processors.is_some(), "--processors"),
        (!args.invariant.is_empty(), "--invariant"),
        (!args.without.is_empty(), "--without"),
        (args.collect.is_some(), "--collect"),
    ];
    for (is_given, option) in java {
        if is_given {
            return Err(Failure::Input(format!("{option} is for Java programs")));
        }
    }
    // A name that is both defined and undefined is undefined, as `-U` says.
    let none = PreprocessOptions { include_dirs: args.include.clone(), ..PreprocessOptions::default() };
    let defined = args.define.iter().fold(none, PreprocessOptions::define);
    let mut options = args.undefine.iter().fold(defined, PreprocessOptions::undefine);
    let automaton = match &args.property {
        Property::Automaton(file) => Some(automaton::read(Path::new(file))?),
        _ => None,
    };
    match (&args.property, &automaton) {
        (Property::Formula(formula), _) => options = options.formula(formula),
        (Property::Automaton(file), Some(automaton)) => {
            let place = format!("propositions of {file}");
            options = options.formula_of(&place, &automaton::meanings(automaton));
        }
        _ => {}
    }
    let loaded = allways_promela::load(&FileInput::Path(file.into()), &options);
    let of = |severity| loaded.diagnostics.iter().filter(move |d| d.severity == severity);
    let shown: Vec<_> = loaded
        .diagnostics
        .iter()
        .filter(|d| !terminal.quiet || d.severity != Severity::Warning)
        .cloned()
        .collect();
    terminal.err_text(&render_all(&shown, &loaded.sources, terminal.err_colour));
    let n_errors = of(Severity::Error).count() as u64;
    if n_errors > 0 {
        return Err(Failure::Input(format!("{} has {}", file.display(), plural(n_errors, "error"))));
    }
    let unsupported: Vec<Unsupported> =
        of(Severity::Unsupported).map(|d| unsupported(d, &loaded.sources)).collect();
    if !unsupported.is_empty() {
        return Ok(Load::Unsupported(unsupported));
    }
    let warnings =
        of(Severity::Warning).map(|d| format!("{}: {}", loaded.sources.place(d.span), d.message)).collect();
    match loaded.program {
        Some(program) => watch(program, args, automaton.as_ref(), warnings, &loaded.sources, terminal),
        None => Err(Failure::Internal(format!("{} gave no model and no error", file.display()))),
    }
}

fn unsupported(diagnostic: &Diagnostic, sources: &SourceMap) -> Unsupported {
    let (line, column) = sources.line_column(diagnostic.span);
    let file = sources.name(diagnostic.span.file).into();
    Unsupported { message: diagnostic.message.clone(), location: Some(Location { file, line, column }) }
}

/// Puts a program under the eyes of whoever looks on, and reduces it.
fn watch(
    program: Program,
    args: &ModelArgs,
    automaton: Option<&Named>,
    warnings: Vec<String>,
    sources: &SourceMap,
    terminal: &mut Terminal,
) -> Result<Load, Failure> {
    let mut claims: Vec<String> = program.claims().map(ToString::to_string).collect();
    let property = match &args.property {
        Property::Safety => None,
        Property::Acceptance => Some(allways_promela::Property::Acceptance),
        Property::Progress => Some(allways_promela::Property::NonProgress),
        Property::Formula(_) | Property::Automaton(_) => {
            // It stands behind all others.
            claims.pop();
            Some(allways_promela::Property::Claim(claims.len()))
        }
        Property::Claim(name) => match claims.iter().position(|one| one == name) {
            Some(idx) => Some(allways_promela::Property::Claim(idx)),
            None => {
                let known = if claims.is_empty() { "none".into() } else { claims.join(", ") };
                return Err(Failure::Input(format!("the model has no claim '{name}'; it has: {known}")));
            }
        },
    };
    let mut reductions = args.reductions;
    let (program, claim) = match property {
        None => (program, None),
        Some(property) => {
            let Watched { program, watch, propositions } = match program.watched(&property, args.fair) {
                Ok(watched) => watched,
                Err(what) => return Ok(Load::Unsupported(vec![unsupported(&what, sources)])),
            };
            let claim = match watch {
                Watch::Claim(claim) => claim,
                Watch::Formula(formula, name) => {
                    let claim = match (automaton, &args.property) {
                        (Some(named), Property::Automaton(file)) => {
                            automaton::claim(named, &formula, file, &propositions)?
                        }
                        _ => allways_ltl::violations(&formula, &name, &propositions)
                            .map_err(|error| Failure::Input(format!("the formula {name}: {error}")))?,
                    };
                    // Whether an automaton from elsewhere minds how long a state lasts is not known.
                    if formula.has_next() && (reductions.merge || reductions.order) {
                        terminal.note("how many steps something takes may matter to the property: none is left out or merged");
                        (reductions.merge, reductions.order) = (false, false);
                    }
                    claim
                }
            };
            (program, Some(Arc::new(claim)))
        }
    };
    let fair = args.fair && claim.is_some();
    let wanted = args.digest.map(|digest| {
        let of_model = with_model(&program, claim.as_ref(), fair, |model| model.digest());
        let of_program = program.digest();
        let mut bytes = digest.0;
        bytes.iter_mut().enumerate().for_each(|(idx, byte)| *byte ^= of_model.0[idx] ^ of_program.0[idx]);
        Digest(bytes)
    });
    let variant = wanted.and_then(|digest| program.variant_of(digest));
    let (trust_claims, reductions) = variant.unwrap_or((args.trust_claims, reductions));
    let program = if trust_claims { program.without_exclusive_checks() } else { program };
    let program = program.with_reductions(reductions);
    if let Some(why) = program.irreducible() {
        terminal.note(&format!("the order of steps cannot be reduced in this model: {why}"));
    }
    let reductions = program.reductions();
    let subject = Subject::Promela(Box::new(program));
    Ok(Load::Ready(Loaded { subject, claim, fair, reductions, claims, warnings }))
}

/// The language of a file that can be a model at all.
fn language(file: &Path, options: &ModelArgs) -> Result<Language, Failure> {
    let name = file.display();
    let ending = file.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    if java::is_java(file, options) {
        return Ok(Language::Java);
    }
    let input = |message: String| Err(Failure::Input(message));
    let meta = match fs::metadata(file) {
        Ok(meta) => meta,
        Err(error) => return input(format!("cannot read {name}: {error}")),
    };
    if meta.is_dir() {
        return input(format!("{name} is a directory; name a model file in it"));
    }
    // A pipe can be read only once, so the front end reads it, and only plain files are looked at here.
    if meta.is_file() {
        let text = match fs::read(file) {
            Ok(text) => text,
            Err(error) => return input(format!("cannot read {name}: {error}")),
        };
        if text.iter().all(u8::is_ascii_whitespace) {
            return input(format!("{name} is empty"));
        }
        if text.contains(&0) {
            return input(format!("{name} is not a text file"));
        }
    }
    match (options.language, ending) {
        (Some(language), _) => Ok(language),
        (None, Some(ending)) if PROMELA.contains(&ending.as_str()) => Ok(Language::Promela),
        (None, Some(ending)) if ending == "java" => input(format!(
            "{name} is Java source: compile it, and name the class file (or -cp DIR and the main class)"
        )),
        (None, _) => input(format!(
            "the language of {name} is not known; Promela models end in .pml, or say --language promela; \
             for Java name a .class or .jar file, or -cp DIR and the main class"
        )),
    }
}
