//! From text to a syntax tree: preprocessor, lexer, parser, diagnostics.
//!
//! [`parse`] always returns a tree, built from as much of the text as could be parsed, together with
//! diagnostics. The tree may be used only if no diagnostic [is an error](Diagnostic::is_error). No C compiler
//! is needed: the built-in preprocessor does what `gcc -std=gnu99 -E` does, which is what SPIN runs.

pub mod ast;
pub mod display;
pub mod lexer;
pub mod parser;
pub mod preprocess;
pub mod source;

use std::path::PathBuf;

pub use ast::Ast;
pub use preprocess::{DiskLoader, Loader, MacroOption, MemoryLoader, PreprocessOptions};
pub use source::{Diagnostic, Severity, SourceMap};

/// The source of the model.
#[derive(Clone, Debug)]
pub enum FileInput {
    /// A file to be read.
    Path(PathBuf),
    /// A text in memory.
    Text {
        /// The name to use in messages.
        name: String,
        /// The text.
        text: String,
    },
}

impl FileInput {
    /// Whether the name says that the model may use the dynamic extension.
    pub(crate) fn is_dynamic(&self) -> bool {
        let ending = match self {
            Self::Path(path) => path.extension().and_then(|ending| ending.to_str()),
            Self::Text { name, .. } => name.rsplit_once('.').map(|(_, ending)| ending),
        };
        ending.is_some_and(|ending| ending.eq_ignore_ascii_case("dpml"))
    }
}

/// The outcome of a parse.
#[derive(Debug, Default)]
pub struct Parsed {
    /// The tree; incomplete if there are errors.
    pub ast: Ast,
    /// The files.
    pub sources: SourceMap,
    /// The diagnostics, mostly in source order.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// Whether the tree must not be used.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// All diagnostics as text.
    pub fn render(&self, colour: bool) -> String {
        source::render_all(&self.diagnostics, &self.sources, colour)
    }
}

/// Parses a model, reading files from the disk.
pub fn parse(input: &FileInput, options: &PreprocessOptions) -> Parsed {
    parse_with(input, options, &DiskLoader)
}

/// Parses a text that includes nothing, with no options.
pub fn parse_text(name: &str, text: &str) -> Parsed {
    let input = FileInput::Text { name: name.into(), text: text.into() };
    parse_with(&input, &PreprocessOptions::default(), &MemoryLoader::default())
}

/// Parses a model, reading its files (and what they include) through `loader`.
pub fn parse_with(input: &FileInput, options: &PreprocessOptions, loader: &dyn Loader) -> Parsed {
    let mut sources = SourceMap::default();
    let mut diagnostics = Vec::new();
    let text = preprocess::preprocess(input, options, loader, &mut sources, &mut diagnostics);
    let ast = parser::parse_tokens(&text, &mut diagnostics);
    Parsed { ast, sources, diagnostics }
}
