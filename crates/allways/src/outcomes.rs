//! `allways outcomes`: every possible end of a Java program.

use crate::cli::OutcomesArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::terminal::Terminal;
use allways_report::{ExitCode, Verdict, outcomes_json, outcomes_text};
use allways_session::{Error, Interleaving, Limits, Plan, Request, Sample, Session, Watch};
use std::io::Write;

/// Runs the command.
pub(crate) fn run(args: &OutcomesArgs, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    terminal.quiet = args.quiet;
    let interrupt = Interrupt::watch();
    if args.options.settings.value("invariant").is_some() {
        return Err(Failure::Input(
            "--invariant is for check and simulate: it is no part of an outcome".into(),
        ));
    }
    let request = Request {
        interleaving: if args.no_reduce { Interleaving::EveryAccess } else { Interleaving::Conflicts },
        keep_output: true,
        ..args.options.request(&args.model)?
    };
    let session = Session::open(request).map_err(|error| match error {
        Error::Unsupported(what, _) => {
            Failure::Input(what.into_iter().map(|one| one.message).collect::<Vec<_>>().join("; "))
        }
        error => crate::open::failure(error, terminal),
    })?;
    crate::open::say(&session, terminal);
    let defaults = Plan::default();
    let plan = Plan {
        store: Some(args.store),
        workers: args.workers.map_or(defaults.workers, usize::from),
        limits: Limits {
            time: args.time,
            memory: args.memory.or(defaults.limits.memory),
            depth: None,
            states: args.states,
        },
        ..defaults
    };
    let progress = Progress::new(args.quiet, args.every);
    let show = |sample: &Sample| {
        if let Some(progress) = &progress {
            progress.show(sample);
        }
    };
    let watch =
        Watch { stop: Some(interrupt.flag()), progress: Some(&show), overrun: None, ..Watch::default() };
    let (outcomes, warnings) = session.outcomes(&plan, &watch)?;
    drop(progress);
    warnings.iter().for_each(|message| terminal.warn(message));
    let text = if args.json { outcomes_json(&outcomes) } else { outcomes_text(&outcomes, terminal.paint) };
    terminal.out.write_all(text.as_bytes())?;
    Ok(match outcomes.verdict {
        Verdict::Holds | Verdict::Violated => ExitCode::Success,
        verdict => verdict.exit_code(),
    })
}
