//! The source files of a model, and diagnostics about them.
//!
//! A [`Span`] has a meaning only together with the [`SourceMap`] that issued its file number. Files keep the
//! name the user wrote (or the path of an `#include`), so that a message can be clicked. Lines and columns
//! are counted from 1, columns in characters.

use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::ast::Span;

/// All files that took part in a parse.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

/// One file: its name, its text and where its lines start.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: std::sync::Arc<str>,
    line_starts: Vec<u32>,
}

impl SourceMap {
    /// Adds a file and returns its number.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<std::sync::Arc<str>>) -> u32 {
        let text = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        self.files.push(SourceFile { name: name.into(), text, line_starts });
        self.files.len() as u32 - 1
    }

    /// The file's name as the user wrote it; empty for an unknown file.
    pub fn name(&self, file: u32) -> &str {
        self.files.get(file as usize).map_or("", |f| &f.name)
    }

    /// The file's text; empty for an unknown file.
    pub fn text(&self, file: u32) -> &str {
        self.files.get(file as usize).map_or("", |f| &f.text)
    }

    /// The file's text, shared.
    pub(crate) fn shared_text(&self, file: u32) -> std::sync::Arc<str> {
        self.files.get(file as usize).map_or_else(|| "".into(), |f| f.text.clone())
    }

    /// The line on which the span starts, from 1.
    pub fn line(&self, span: Span) -> u32 {
        self.line_column(span).0
    }

    /// The line and the column at which the span starts, both from 1.
    pub fn line_column(&self, span: Span) -> (u32, u32) {
        let Some(file) = self.files.get(span.file as usize) else { return (0, 0) };
        let line = file.line_starts.partition_point(|start| *start <= span.start).max(1);
        let start = file.line_starts[line - 1] as usize;
        let before = file.text.get(start..span.start as usize).map_or(0, |t| t.chars().count());
        (line as u32, before as u32 + 1)
    }

    /// The text a span covers; empty if it does not fall on characters of a known file.
    pub fn snippet(&self, span: Span) -> &str {
        self.text(span.file).get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// `file:line`, as messages and traces name a location.
    pub fn place(&self, span: Span) -> String {
        format!("{}:{}", self.name(span.file), self.line(span))
    }

    /// The number of files.
    pub fn n_files(&self) -> usize {
        self.files.len()
    }
}

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The model is not Promela.
    Error,
    /// The model is Promela, but probably not what was meant.
    Warning,
    /// The model is Promela of a kind that this tool does not check (embedded C).
    Unsupported,
}

/// A message about the model's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its severity.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// The location.
    pub span: Span,
    /// What to do about it.
    pub hint: Option<String>,
    /// Remarks on other locations.
    pub notes: Vec<Note>,
}

/// A remark of a diagnostic on another location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The remark.
    pub message: String,
    /// The location, if it has one.
    pub span: Option<Span>,
}

impl Diagnostic {
    /// A new diagnostic without hint or notes.
    pub fn new(severity: Severity, message: impl Into<String>, span: Span) -> Self {
        Self { severity, message: message.into(), span, hint: None, notes: Vec::new() }
    }

    /// A new error.
    pub fn error(message: impl Into<String>, span: Span) -> Self {
        Self::new(Severity::Error, message, span)
    }

    /// A new warning.
    pub fn warning(message: impl Into<String>, span: Span) -> Self {
        Self::new(Severity::Warning, message, span)
    }

    /// A feature that this tool does not support.
    pub fn unsupported(message: impl Into<String>, span: Span) -> Self {
        Self::new(Severity::Unsupported, message, span)
    }

    /// Adds advice.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds a remark on another location.
    #[must_use]
    pub fn with_note(mut self, message: impl Into<String>, span: Option<Span>) -> Self {
        self.notes.push(Note { message: message.into(), span });
        self
    }

    /// Whether the model cannot be used.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The diagnostic as text: message, source line, caret, hint. Colours only if asked for.
    pub fn render(&self, sources: &SourceMap, colour: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Unsupported => Level::ERROR.with_name("unsupported"),
        };
        let mut group = level.primary_title(self.message.as_str()).element(snippet(
            sources,
            self.span,
            AnnotationKind::Primary,
        ));
        for note in &self.notes {
            group = group.element(Level::NOTE.message(note.message.as_str()));
            if let Some(span) = note.span {
                group = group.element(snippet(sources, span, AnnotationKind::Context));
            }
        }
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let report: &[Group<'_>] = &[group];
        renderer.render(report)
    }
}

/// The lines around a span. Only these are given to the renderer, so a message costs the same in a large
/// file.
fn snippet(
    sources: &SourceMap,
    span: Span,
    kind: AnnotationKind,
) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
    let text = sources.text(span.file);
    let start = floor_char(text, span.start as usize);
    let end = floor_char(text, span.end as usize).max(start);
    let first = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    // A statement may extend over many lines; its first line is enough.
    let end = end.min(line_end);
    Snippet::source(&text[first..line_end])
        .line_start(sources.line(span).max(1) as usize)
        .path(sources.name(span.file))
        .annotation(kind.span(start - first..end - first))
}

fn floor_char(text: &str, mut index: usize) -> usize {
    index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

/// All diagnostics, one after the other, each followed by an empty line.
pub fn render_all(diagnostics: &[Diagnostic], sources: &SourceMap, colour: bool) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let _ = writeln!(out, "{}\n", diagnostic.render(sources, colour));
    }
    out
}

/// Whether messages on standard error may use colour: a terminal, and no `NO_COLOR`.
pub fn stderr_takes_colour() -> bool {
    use std::io::IsTerminal as _;
    std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) && std::io::stderr().is_terminal()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_from_one() {
        let mut map = SourceMap::default();
        let file = map.add("m.pml", "ab\ncdé f\n");
        assert_eq!(map.line_column(Span { file, start: 0, end: 1 }), (1, 1));
        assert_eq!(map.line_column(Span { file, start: 3, end: 4 }), (2, 1));
        assert_eq!(map.line_column(Span { file, start: 8, end: 9 }), (2, 5));
        assert_eq!(map.snippet(Span { file, start: 8, end: 9 }), "f");
        assert_eq!(map.place(Span { file, start: 8, end: 9 }), "m.pml:2");
    }

    #[test]
    fn unknown_places_do_no_harm() {
        let map = SourceMap::default();
        let nowhere = Span { file: 3, start: 5, end: 9 };
        assert_eq!(map.line_column(nowhere), (0, 0));
        assert!(Diagnostic::error("lost", nowhere).render(&map, false).contains("lost"));
    }
}
