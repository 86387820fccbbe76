//! The C preprocessor, as SPIN uses it (`gcc -std=gnu99 -E -x c`).
//!
//! The result is a text again, with a map from its tokens to the source: SPIN reads the text that the
//! preprocessor wrote, and it reads it by its own rules (`0..N` is one token for C and three for Promela; `?
//! ?` may become `??`), so tokens of C must not be handed on as tokens of Promela. Line breaks are kept where
//! gcc keeps them, since SPIN takes some of them for semicolons: a token stands on a new line if the place it
//! came from does. All tokens of a macro's expansion come from the place of the macro's name.
//!
//! Not done: trigraphs, `_Pragma`, `__has_include`, and the predefined macros that describe a compiler or
//! machine.

mod condition;
mod directive;
mod expand;
mod macros;
mod output;
mod scan;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::FileInput;
use super::ast::Span;
use super::source::{Diagnostic, SourceMap};
use expand::Context;
use macros::Macro;
pub use output::Preprocessed;
use output::Writer;
use scan::{Scanner, Tok, TokKind};

/// The maximal depth of `#include` (gcc's own limit).
const MAX_INCLUDE_DEPTH: usize = 200;
/// The most tokens to process: a few macros can describe more text than fits in memory.
const MAX_TOKENS: usize = 4_000_000;

/// Options of the preprocessor.
#[derive(Clone, Debug, Default)]
pub struct PreprocessOptions {
    /// `-D` and `-U`, in the order given.
    pub macros: Vec<MacroOption>,
    /// `-I`, in the order given.
    pub include_dirs: Vec<PathBuf>,
    /// A text to read after the model, with the model's macros: its name and the text.
    pub trailer: Option<(String, String)>,
    /// Whether the dynamic extension is enabled, whatever the name of the model's file.
    pub dynamic: bool,
}

/// A `-D` or `-U` option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MacroOption {
    /// `NAME`, `NAME=VALUE` or `NAME(PARAMETERS)=VALUE`
    Define(String),
    /// `NAME`
    Undefine(String),
}

impl PreprocessOptions {
    /// Adds `-D definition`.
    #[must_use]
    pub fn define(mut self, definition: impl Into<String>) -> Self {
        self.macros.push(MacroOption::Define(definition.into()));
        self
    }

    /// Adds a formula, as if it were in an `ltl` block at the end of the model.
    #[must_use]
    pub fn formula(self, formula: &str) -> Self {
        self.formula_of("--ltl", formula)
    }

    /// Like [`Self::formula`], for a formula that messages locate at `place`.
    #[must_use]
    pub fn formula_of(mut self, place: &str, formula: &str) -> Self {
        self.trailer = Some((place.into(), format!("ltl {{ {formula} }}\n")));
        self
    }

    /// Adds `-U name`.
    #[must_use]
    pub fn undefine(mut self, name: impl Into<String>) -> Self {
        self.macros.push(MacroOption::Undefine(name.into()));
        self
    }

    /// Adds `-I dir`.
    #[must_use]
    pub fn include_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.include_dirs.push(dir.into());
        self
    }
}

/// Provides files.
pub trait Loader {
    /// The bytes of a file.
    ///
    /// # Errors
    /// If there is no such file or it cannot be read.
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>>;
}

/// Files on the disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskLoader;

impl Loader for DiskLoader {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }
}

/// Files in memory, by path.
#[derive(Clone, Debug, Default)]
pub struct MemoryLoader {
    /// The files.
    pub files: HashMap<PathBuf, String>,
}

impl Loader for MemoryLoader {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        let found = self.files.get(path).map(|text| text.clone().into_bytes());
        found.ok_or_else(|| std::io::Error::new(std::io::ErrorKind::NotFound, "no such file"))
    }
}

/// Preprocesses a model. Errors go to `diagnostics`; the text then contains what could be preprocessed.
pub fn preprocess(
    input: &FileInput,
    options: &PreprocessOptions,
    loader: &dyn Loader,
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) -> Preprocessed {
    let mut pp = Preprocessor {
        options,
        loader,
        sources,
        diagnostics,
        macros: HashMap::new(),
        files: Vec::new(),
        contexts: Vec::new(),
        pending_space: false,
        pending_edge: false,
        arg_depth: 0,
        n_tokens: 0,
        counter: 0,
        in_directive: false,
        once: Vec::new(),
    };
    pp.predefine();
    if let Some((name, text)) = &options.trailer {
        // Reading continues with it when the model's own file ends.
        pp.open(name.clone(), text, PathBuf::from(name));
    }
    pp.open_main(input);
    let mut writer = Writer::default();
    loop {
        let tok = pp.next_expanded();
        match tok.kind {
            TokKind::Eof => break,
            TokKind::Edge | TokKind::Newline => {}
            _ => writer.push(&tok),
        }
    }
    let dynamic = options.dynamic || input.is_dynamic();
    let mut text = writer.finish();
    text.dynamic = dynamic;
    text
}

/// A file being read, with the conditionals open in it.
struct FileState {
    scanner: Scanner,
    path: PathBuf,
    conditionals: Vec<Conditional>,
    at_line_start: bool,
}

/// An open `#if`.
struct Conditional {
    /// Its location in the source.
    span: Span,
    /// Whether the text now read counts.
    active: bool,
    /// Whether some branch already counted (or none ever can, because an outer one does not).
    taken: bool,
    /// Whether `#else` was seen.
    in_else: bool,
}

struct Preprocessor<'a> {
    options: &'a PreprocessOptions,
    loader: &'a dyn Loader,
    sources: &'a mut SourceMap,
    diagnostics: &'a mut Vec<Diagnostic>,
    macros: HashMap<Rc<str>, Rc<Macro>>,
    files: Vec<FileState>,
    contexts: Vec<Context>,
    /// White space preceded a macro that expanded to nothing.
    pending_space: bool,
    /// A macro ended just before the next token.
    pending_edge: bool,
    /// The number of argument lists that are being collected or expanded.
    arg_depth: usize,
    n_tokens: usize,
    counter: u64,
    in_directive: bool,
    once: Vec<PathBuf>,
}

impl Preprocessor<'_> {
    fn error(&mut self, message: impl Into<String>, span: Span) {
        self.diagnostics.push(Diagnostic::error(message, span));
    }

    fn open_main(&mut self, input: &FileInput) {
        match input {
            FileInput::Text { name, text } => self.open(name.clone(), text.as_str(), PathBuf::from(name)),
            FileInput::Path(path) => {
                let name = path.display().to_string();
                match self.loader.load(path) {
                    Ok(bytes) => self.open(name, &decode(bytes), path.clone()),
                    Err(error) => {
                        let file = self.sources.add(name.clone(), "");
                        self.error(format!("cannot read {name}: {error}"), Span { file, start: 0, end: 0 });
                    }
                }
            }
        }
    }

    fn open(&mut self, name: String, text: &str, path: PathBuf) {
        let file = self.sources.add(name, text);
        let scanner = Scanner::new(self.sources.shared_text(file), file);
        self.files.push(FileState { scanner, path, conditionals: Vec::new(), at_line_start: true });
    }

    /// The macros of the language standard, then those of the command line.
    fn predefine(&mut self) {
        for definition in ["__STDC__=1", "__STDC_VERSION__=199901L", "__STDC_HOSTED__=1"] {
            self.define_option(definition);
        }
        let options = self.options;
        for option in &options.macros {
            match option {
                MacroOption::Define(text) => self.define_option(text),
                MacroOption::Undefine(name) => {
                    self.macros.remove(name.as_str());
                }
            }
        }
    }

    /// `NAME=VALUE` is read as the directive `#define NAME VALUE`, `NAME` as `#define NAME 1`.
    fn define_option(&mut self, definition: &str) {
        let line = match definition.split_once('=') {
            Some((name, value)) => format!("{name} {value}\n"),
            None => format!("{definition} 1\n"),
        };
        let file = self.sources.add(format!("-D{definition}"), line);
        let mut scanner = Scanner::new(self.sources.shared_text(file), file);
        let tokens = scanner.rest_of_line();
        self.define(&tokens, Span { file, start: 0, end: 0 });
    }

    /// The next token of the files, without directives and without what conditionals exclude.
    fn next_from_file(&mut self) -> Tok {
        loop {
            self.n_tokens += 1;
            if self.n_tokens > MAX_TOKENS {
                return self.give_up();
            }
            let Some(file) = self.files.last_mut() else { return Tok::eof() };
            let tok = file.scanner.next();
            match tok.kind {
                TokKind::Newline if self.in_directive => return tok,
                TokKind::Newline => file.at_line_start = true,
                TokKind::Eof => {
                    if self.in_directive || (self.arg_depth > 0 && self.files.len() > 1) {
                        return tok;
                    }
                    self.close_file();
                    if self.files.is_empty() {
                        return tok;
                    }
                }
                _ => {
                    let starts_line = std::mem::replace(&mut file.at_line_start, false);
                    if starts_line && (tok.is("#") || tok.is("%:")) && !self.in_directive {
                        self.directive(tok.span);
                    } else if file.conditionals.last().is_none_or(|c| c.active) {
                        return tok;
                    } else {
                        file.scanner.skip_line();
                    }
                }
            }
        }
    }

    fn close_file(&mut self) {
        let Some(file) = self.files.pop() else { return };
        if let Some(opening) = file.scanner.unfinished_comment {
            let span = Span { end: opening.start + 2, ..opening };
            let hint = "close it with `*/`";
            self.diagnostics.push(Diagnostic::error("this comment does not end", span).with_hint(hint));
        }
        for open in file.conditionals {
            let error = Diagnostic::error("this conditional has no `#endif`", open.span);
            self.diagnostics.push(error.with_hint("add `#endif` where the conditional text ends"));
        }
    }

    /// Ends the run, because the text is unreasonably large.
    fn give_up(&mut self) -> Tok {
        if let Some(file) = self.files.first() {
            let span = file.scanner.here();
            self.diagnostics.push(Diagnostic::error("the preprocessed text is too large", span));
        }
        self.files.clear();
        self.contexts.clear();
        Tok::eof()
    }
}

/// The byte order mark that some editors put before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Decodes a text as UTF-8, or else as Latin 1, which accepts every sequence of bytes.
fn decode(mut bytes: Vec<u8>) -> String {
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    String::from_utf8(bytes).unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

#[cfg(test)]
mod tests;
