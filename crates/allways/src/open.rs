//! Opening sessions on the terminal: what the front end says about a model is shown.

use crate::failure::Failure;
use crate::terminal::Terminal;
use allways_report::ExitCode;
use allways_session::{Error, Request, Session};

/// Opens a session and shows what is wrong with the model.
pub(crate) fn open(request: Request, terminal: &mut Terminal) -> Result<Session, Failure> {
    let session = Session::open(request).map_err(|error| failure(error, terminal))?;
    say(&session, terminal);
    Ok(session)
}

/// Shows warnings and notes on a model.
pub(crate) fn say(session: &Session, terminal: &mut Terminal) {
    terminal.err_text(&session.diagnostics().render(!terminal.quiet, terminal.err_colour));
    session.notes().iter().for_each(|note| terminal.note(note));
    // Those about its text were among the diagnostics.
    if session.language() == allways_session::Language::Java {
        session.warnings().iter().for_each(|warning| terminal.warn(warning));
    }
}

/// Shows what the front end says about a model that cannot be opened.
pub(crate) fn failure(error: Error, terminal: &mut Terminal) -> Failure {
    match error {
        Error::Text(message, diagnostics) => {
            terminal.err_text(&diagnostics.render(!terminal.quiet, terminal.err_colour));
            Failure::Input(message)
        }
        Error::Unsupported(what, diagnostics) => {
            terminal.err_text(&diagnostics.render(!terminal.quiet, terminal.err_colour));
            what.iter().for_each(|what| terminal.err_text(&format!("unsupported: {what}\n")));
            Failure::Reported(ExitCode::Unsupported)
        }
        error => error.into(),
    }
}
