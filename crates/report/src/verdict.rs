//! The verdict of a run, and the exit codes of the command line.
//!
//! A verdict is one of four words and nothing in between: `holds` is only for an exhausted, lossless search.
//! Results that are not verdicts (bad input, an internal error, a full disk) have separate codes, so that a
//! script never mistakes trouble for an answer.

use std::fmt;

/// What a check says about the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every way the program can run was tried, and nothing is wrong.
    Holds,
    /// Something is wrong, and there is a run that shows it.
    Violated,
    /// Nothing wrong was found before a limit ended the search.
    Bounded,
    /// The model uses something that the tool does not know.
    Unsupported,
}

impl Verdict {
    /// The word used in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Violated => "violated",
            Self::Bounded => "bounded",
            Self::Unsupported => "unsupported",
        }
    }

    /// The exit code that says the same.
    #[must_use]
    pub fn exit_code(self) -> ExitCode {
        match self {
            Self::Holds => ExitCode::Success,
            Self::Violated => ExitCode::Violated,
            Self::Bounded => ExitCode::Bounded,
            Self::Unsupported => ExitCode::Unsupported,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How the process ends. The numbers are part of the command line's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitCode {
    /// The property holds, or the command did what it was asked to.
    Success = 0,
    /// A violation was found.
    Violated = 1,
    /// The input or the command line is wrong.
    BadInput = 2,
    /// The model uses something that the tool does not know.
    Unsupported = 3,
    /// A limit ended the search before it was complete.
    Bounded = 4,
    /// A certificate is not accepted.
    NotAccepted = 5,
    /// The tool contradicted itself: a bug of ours (`EX_SOFTWARE` of sysexits).
    Internal = 70,
    /// The output could not be written (`EX_IOERR` of sysexits).
    Output = 74,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_the_documented_ones() {
        let codes = [Verdict::Holds, Verdict::Violated, Verdict::Unsupported, Verdict::Bounded]
            .map(|verdict| verdict.exit_code() as u8);
        assert_eq!(codes, [0, 1, 3, 4]);
    }
}
