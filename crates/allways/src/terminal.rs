//! Where output goes, and whether it may be coloured.
//!
//! Results go to standard output, everything about the run itself (progress, notes, complaints) to standard
//! error, so that a pipe gets the result and nothing else. Colour is for terminals; `NO_COLOR` and `--color`
//! decide otherwise.

use crate::cli::Colour;
use crate::failure::Failure;
use allways_report::Paint;
use std::collections::HashSet;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError, TryLockError};

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

/// Standard output. What is written is kept until [`Terminal::flush`], or until the process panics.
pub(crate) struct Output(());

static BUFFER: LazyLock<Mutex<BufWriter<io::Stdout>>> =
    LazyLock::new(|| Mutex::new(BufWriter::new(io::stdout())));

impl Output {
    fn buffer() -> MutexGuard<'static, BufWriter<io::Stdout>> {
        BUFFER.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes out what is kept, unless a thread is writing at this moment.
    pub(crate) fn flush_if_free() {
        let buffer = match BUFFER.try_lock() {
            Ok(buffer) => Some(buffer),
            Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        };
        let _ = buffer.map(|mut buffer| buffer.flush());
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Self::buffer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Self::buffer().flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        let _ = self.flush();
    }
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
            out: Output(()),
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

    /// Says something about the run on standard error. If nobody can read that, nobody can be told so either.
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
