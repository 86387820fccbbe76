//! The Promela front end: everything that SPIN 6 accepts, except embedded C.
//!
//! [`load`] turns the text of a model into a [`Program`], which the engine searches through the traits of
//! `allways-model`. The stages are the syntax tree (`syntax`), control flow numbered as SPIN numbers it
//! (`flow`), the intermediate form (`ir`, made by `lower`), and its interpreter (`machine`).

mod cursor;
mod explain;
mod flow;
mod fold;
mod ir;
mod lower;
mod machine;
mod native;
mod observe;
pub mod options;
mod printf;
mod program;
mod property;
mod reduce;
mod symmetry;
pub mod syntax;
mod truncation;
mod walk;

pub use observe::Unobserved;
pub use program::Program;
pub use property::{Property, Watch, Watched};
pub use reduce::Reductions;
pub use symmetry::Symmetric;
pub use syntax::{Diagnostic, FileInput, PreprocessOptions, Severity, SourceMap};

use syntax::{DiskLoader, Loader, MemoryLoader, Parsed, parse_with};

/// The outcome of loading a model.
#[derive(Debug)]
pub struct Loaded {
    /// The model; `None` if a diagnostic says that it cannot be run.
    pub program: Option<Program>,
    /// The source files, for showing diagnostics.
    pub sources: SourceMap,
    /// Errors, warnings and notes about the model.
    pub diagnostics: Vec<Diagnostic>,
}

/// Loads a model from a file or a text, with what it includes.
#[must_use]
pub fn load(input: &FileInput, options: &PreprocessOptions) -> Loaded {
    load_with(input, options, &DiskLoader)
}

/// Loads a model from a text that includes nothing.
#[must_use]
pub fn load_text(name: &str, text: &str) -> Loaded {
    let input = FileInput::Text { name: name.into(), text: text.into() };
    load_with(&input, &PreprocessOptions::default(), &MemoryLoader::default())
}

/// Loads a model, reading files through `loader`.
#[must_use]
pub fn load_with(input: &FileInput, options: &PreprocessOptions, loader: &dyn Loader) -> Loaded {
    let Parsed { ast, sources, mut diagnostics } = parse_with(input, options, loader);
    let stops = |list: &[Diagnostic]| list.iter().any(|d| d.severity != Severity::Warning);
    if stops(&diagnostics) {
        return Loaded { program: None, sources, diagnostics };
    }
    let (lowered, more) = lower::lower(&ast, start_of(input, &sources));
    diagnostics.extend(more);
    diagnostics.extend(truncation::constants(&lowered, &ast));
    let program = (!stops(&diagnostics)).then(|| Program::new(lowered, sources.clone()));
    Loaded { program, sources, diagnostics }
}

/// The beginning of the model's own file, for diagnostics that concern all of it.
fn start_of(input: &FileInput, sources: &SourceMap) -> syntax::ast::Span {
    let name = match input {
        FileInput::Path(path) => path.display().to_string(),
        FileInput::Text { name, .. } => name.clone(),
    };
    let file = (0..sources.n_files() as u32).find(|&file| sources.name(file) == name).unwrap_or(0);
    syntax::ast::Span { file, start: 0, end: 0 }
}
