//! Where output goes, and whether it may be coloured.
//!
//! Results go to standard output, everything about the run itself (progress, notes, complaints) to standard
//! error, so that a pipe gets the result and nothing else. Colour is for terminals; `NO_COLOR` and `--color`
//! decide otherwise.

use crate::cli::Colour;
use crate::failure::Failure;
use allways_report::Paint;
use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};

/// Standard output and standard error.
pub(crate) struct Terminal {
    /// Results.
    pub(crate) out: Output,
    /// The colours of standard output.
    pub(crate) paint: Paint,
    /// The colours of standard error.
    pub(crate) err_paint: Paint,
    /// Whether standard error may be coloured.
    pub(crate) err_colour: bool,
    /// Whether the user wants to hear only what matters.
    pub(crate) quiet: bool,
    /// The warnings so far: each is said once, however often a model is opened.
    said: HashSet<String>,
}

impl Terminal {
    pub(crate) fn new(colour: Colour) -> Self {
        let allowed = |is_terminal: bool| match colour {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                is_terminal && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
            }
        };
        let err_colour = allowed(io::stderr().is_terminal());
        Self {
            out: Output { to: io::stdout(), closed: false },
            paint: Paint::new(allowed(io::stdout().is_terminal())),
            err_paint: Paint::new(err_colour),
            err_colour,
            quiet: false,
            said: HashSet::new(),
        }
    }

    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// Writes a message about the run to standard error. Ignores errors, because they could not be reported
    /// either.
    pub(crate) fn note(&mut self, text: &str) {
        if self.quiet {
            return;
        }
        let _ = self.out.flush();
        let _ = writeln!(io::stderr(), "{} {text}", self.err_paint.bold("note:"));
    }

    /// Says that something is wrong but not fatal.
    pub(crate) fn warn(&mut self, text: &str) {
        if !self.is_new(text) {
            return;
        }
        let _ = self.out.flush();
        let _ = writeln!(io::stderr(), "{} {text}", self.err_paint.warn("warning:"));
    }

    /// Whether a warning was not said before. From now on it was.
    pub(crate) fn is_new(&mut self, text: &str) -> bool {
        self.said.insert(text.to_owned())
    }

    /// Writes lines that are already as they should be to standard error.
    pub(crate) fn err_text(&mut self, text: &str) {
        let _ = self.out.flush();
        let _ = io::stderr().write_all(text.as_bytes());
    }
}

/// Standard output for results: written out line by line, so that they stay when the process has to end. A
/// reader that goes away (a closed pipe) is no failure: the command goes on to its exit code.
pub(crate) struct Output {
    to: io::Stdout,
    closed: bool,
}

impl Output {
    /// Standard output for what may be written without end: it fails when its reader goes away.
    pub(crate) fn endless(&mut self) -> &mut io::Stdout {
        &mut self.to
    }

    /// Whether something was written; nothing if the reader has gone.
    fn heed<T>(&mut self, written: io::Result<T>, instead: T) -> io::Result<T> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(instead)
            }
            written => written,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let written = self.to.write(bytes);
        self.heed(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let flushed = self.to.flush();
        self.heed(flushed, ())
    }
}

/// Says why a command failed.
pub(crate) fn complain(paint: Paint, failure: &Failure) {
    let text = failure.to_string();
    if !text.is_empty() {
        let _ = writeln!(io::stderr(), "{} {text}", paint.bad("error:"));
    }
}

/// Whether an environment variable is set to something.
fn set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}
