//! Why a session cannot do what it is asked to.

use allways_promela::syntax::source::render_all;
use allways_promela::{Diagnostic, Severity, SourceMap};
use allways_report::Unsupported;
use std::fmt;

/// What went wrong. None of these is a verdict.
#[derive(Debug)]
pub enum Error {
    /// The input is wrong: a file, an option, a trace.
    Input(String),
    /// The model's text is wrong, in places that the diagnostics name.
    Text(String, Diagnostics),
    /// The model uses something that the tool does not know.
    Unsupported(Vec<Unsupported>, Diagnostics),
    /// The tool contradicts itself.
    Internal(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(message) | Self::Text(message, _) | Self::Internal(message) => f.write_str(message),
            Self::Unsupported(list, _) => {
                let texts: Vec<String> = list.iter().map(ToString::to_string).collect();
                write!(f, "unsupported: {}", texts.join("; "))
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<allways_java::Error> for Error {
    fn from(error: allways_java::Error) -> Self {
        match error {
            allways_java::Error::Unsupported(gap) => Self::Unsupported(
                vec![Unsupported { message: gap.to_string(), location: None }],
                Diagnostics::default(),
            ),
            error => Self::Input(error.to_string()),
        }
    }
}

/// What the front end says about the text of a model.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    pub(crate) list: Vec<Diagnostic>,
    pub(crate) sources: SourceMap,
}

impl Diagnostics {
    /// All of them as text, with the source lines; warnings only if they are wanted.
    #[must_use]
    pub fn render(&self, with_warnings: bool, colour: bool) -> String {
        let shown: Vec<Diagnostic> = self
            .list
            .iter()
            .filter(|one| with_warnings || one.severity != Severity::Warning)
            .cloned()
            .collect();
        render_all(&shown, &self.sources, colour)
    }

    pub(crate) fn of(&self, severity: Severity) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter().filter(move |one| one.severity == severity)
    }
}
