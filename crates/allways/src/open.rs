//! Opening sessions on the terminal: what the front end says about a model is shown.

use crate::failure::Failure;
use crate::terminal::Terminal;
use allways_model::Model;
use allways_report::ExitCode;
use allways_session::{Error, Language, Request, Session};

/// Opens a session and shows what is wrong with the model.
pub(crate) fn open(request: Request, terminal: &mut Terminal) -> Result<Session, Failure> {
    let session = Session::open(request).map_err(|error| failure(error, terminal))?;
    say(&session, terminal);
    Ok(session)
}

/// Shows warnings and notes on a model.
pub(crate) fn say(session: &Session, terminal: &mut Terminal) {
    let diagnostics = session.diagnostics().render(!terminal.quiet, terminal.err_colour);
    if terminal.is_new(&diagnostics) {
        terminal.err_text(&diagnostics);
    }
    for note in session.notes() {
        if terminal.is_new(note) {
            terminal.note(note);
        }
    }
    for warning in session.warnings() {
        // Those about the text were among the diagnostics.
        if session.language() == Language::Java {
            terminal.warn(warning);
        } else {
            terminal.is_new(warning);
        }
    }
}

/// Shows what the program did that its author may not expect.
pub(crate) fn say_noticed(model: &dyn Model, terminal: &mut Terminal) {
    model.noticed().iter().for_each(|warning| terminal.warn(warning));
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
