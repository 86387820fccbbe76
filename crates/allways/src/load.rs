//! From a file to a model: the language is told by the name, what is wrong with the text is shown, and what a file
//! cannot be (missing, a directory, empty, binary) is said before a parser gets lost in it.

use crate::cli::{Language, ModelArgs};
use crate::failure::Failure;
use crate::terminal::Terminal;
use allways_model::Location;
use allways_promela::syntax::source::render_all;
use allways_promela::{FileInput, PreprocessOptions, Program, Reductions, Severity};
use allways_report::{ExitCode, Unsupported, plural};
use std::fs;
use std::path::Path;

/// The endings under which Promela is found in the wild.
const PROMELA: [&str; 7] = ["pml", "promela", "prom", "prm", "pm", "pr", "spin"];

/// A model ready to run.
pub(crate) struct Loaded {
    pub(crate) model: Box<Program>,
    /// The reductions that have an effect.
    pub(crate) reductions: Reductions,
    /// Never claims and formulas, by name.
    pub(crate) claims: Vec<String>,
    /// The warnings that were shown.
    pub(crate) warnings: Vec<String>,
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

fn load_promela(file: &Path, options: &ModelArgs, terminal: &mut Terminal) -> Result<Load, Failure> {
    // A name that is both defined and undefined is undefined, as `-U` says.
    let none = PreprocessOptions { include_dirs: options.include.clone(), ..PreprocessOptions::default() };
    let (given, digest) = ((options.trust_claims, options.reductions), options.digest);
    let defined = options.define.iter().fold(none, PreprocessOptions::define);
    let options = options.undefine.iter().fold(defined, PreprocessOptions::undefine);
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
    let unsupported: Vec<Unsupported> = of(Severity::Unsupported)
        .map(|d| {
            let (line, column) = loaded.sources.line_column(d.span);
            let file = loaded.sources.name(d.span.file).into();
            Unsupported { message: d.message.clone(), location: Some(Location { file, line, column }) }
        })
        .collect();
    if !unsupported.is_empty() {
        return Ok(Load::Unsupported(unsupported));
    }
    let warnings =
        of(Severity::Warning).map(|d| format!("{}: {}", loaded.sources.place(d.span), d.message)).collect();
    match loaded.program {
        Some(program) => {
            let variant = digest.and_then(|digest| program.variant_of(digest));
            let (trust_claims, reductions) = variant.unwrap_or(given);
            let program = if trust_claims { program.without_exclusive_checks() } else { program };
            let program = program.with_reductions(reductions);
            if let Some(why) = program.irreducible() {
                terminal.note(&format!("the order of steps cannot be reduced in this model: {why}"));
            }
            let reductions = program.reductions();
            let claims = program.claims().to_vec();
            Ok(Load::Ready(Loaded { model: Box::new(program), reductions, claims, warnings }))
        }
        None => Err(Failure::Internal(format!("{} gave no model and no error", file.display()))),
    }
}

/// The language of a file that can be a model at all.
fn language(file: &Path, options: &ModelArgs) -> Result<Language, Failure> {
    let name = file.display();
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
    let ending = file.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    match (options.language, ending) {
        (Some(language), _) => Ok(language),
        (None, Some(ending)) if PROMELA.contains(&ending.as_str()) => Ok(Language::Promela),
        (None, _) => input(format!(
            "the language of {name} is not known; Promela models end in .pml, or say --language promela"
        )),
    }
}
