//! Why a command ends without an answer.
//!
//! A failure is never a verdict: bad input, output errors and bugs of this tool have separate exit codes.

use allways_report::ExitCode;
use allways_session::Error;
use std::{fmt, io};

/// What went wrong.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The user's input is wrong; one or more lines for people.
    Input(String),
    /// The input is wrong, and that has been said already.
    Reported(ExitCode),
    /// A certificate could not be judged or signed.
    Certifier(allways_certify::Error),
    /// The output could not be written.
    Output(io::Error),
    /// The tool contradicted itself.
    Internal(String),
}

impl Failure {
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Input(_) | Self::Certifier(_) => ExitCode::BadInput,
            Self::Reported(code) => *code,
            Self::Output(_) if self.is_closed_pipe() => ExitCode::Success,
            Self::Output(_) => ExitCode::Output,
            Self::Internal(_) => ExitCode::Internal,
        }
    }

    /// Whether the reader of the output has gone.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(message) => f.write_str(message),
            Self::Certifier(error) => error.fmt(f),
            Self::Reported(_) => Ok(()),
            Self::Output(error) => match error.to_string() {
                // It says already what could not be written.
                named if named.starts_with("cannot write ") => f.write_str(&named),
                what => write!(f, "cannot write the output: {what}"),
            },
            Self::Internal(message) => {
                write!(
                    f,
                    "internal error: {message}\nThis is a bug of allways, and no verdict about the model."
                )
            }
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Internal(message) => Self::Internal(message),
            Error::Unsupported(..) => Self::Input(error.to_string()),
            Error::Input(message) | Error::Text(message, _) => Self::Input(message),
        }
    }
}

impl From<allways_certify::Error> for Failure {
    fn from(error: allways_certify::Error) -> Self {
        Self::Certifier(error)
    }
}

/// Everything that is only written goes to an output; reading maps its errors by hand.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
