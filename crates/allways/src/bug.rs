//! Handles panics, which are bugs of this tool: ends the process with a message and a separate exit code.
//!
//! It must not look like an answer, whatever code the runtime would choose, and whatever thread panics. No
//! code relies on unwinding, and release builds have none, which makes them smaller and quicker to build.
//! What was printed before the panic stays.

use crate::failure::Failure;
use crate::terminal::{Terminal, complain};
use std::{panic, process};

/// From now on, a panic of any thread ends the process, after the message that Rust prints.
pub(crate) fn end_process_on_panic(terminal: &Terminal) {
    let paint = terminal.err_paint;
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        print(info);
        let failure = Failure::Internal("allways panicked, see above".into());
        complain(paint, &failure);
        process::exit(failure.exit_code() as i32);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Colour;
    use std::{env, io::Write, process::Command, thread};

    /// Names the thread that is to panic, in a process made for that.
    const WHERE: &str = "ALLWAYS_TEST_PANICS_IN";

    #[test]
    #[ignore = "ends the process; another test runs it in a process of its own"]
    fn panics_in_this_process() {
        let Ok(place) = env::var(WHERE) else { return };
        let mut terminal = Terminal::new(Colour::Never);
        end_process_on_panic(&terminal);
        terminal.out.write_all(b"found before").expect("it can be written");
        assert_ne!(place, "main", "the command is wrong");
        thread::scope(|scope| scope.spawn(|| panic!("a worker is wrong")).join().is_ok());
        unreachable!("the process has ended");
    }

    #[test]
    fn a_panic_of_any_thread_is_an_internal_error() {
        for (place, message) in [("main", "the command is wrong"), ("worker", "a worker is wrong")] {
            let mut command = Command::new(env::current_exe().expect("it is known"));
            command.args(["--ignored", "--exact", "--nocapture", "bug::tests::panics_in_this_process"]);
            let output = command.env(WHERE, place).output().expect("it can be run");
            let text = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(70), "{text}");
            for part in [message, "error: internal error: allways panicked, see above", "a bug of allways"] {
                assert!(text.contains(part), "{part}: {text}");
            }
            assert!(!text.contains("has ended"), "{text}");
            assert!(String::from_utf8_lossy(&output.stdout).contains("found before"), "{output:?}");
        }
    }
}
