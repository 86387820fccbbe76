//! `allways outcomes`: every possible end of a Java program.

use crate::cli::OutcomesArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::terminal::Terminal;
use crate::watchdog::{Overdue, Watchdog};
use allways_report::{ExitCode, Outcomes, Paint, Verdict, outcomes_json, outcomes_text};
use allways_session::{Error, Interleaving, Limits, Plan, Request, Session};
use std::io::Write;

/// Runs the command.
pub(crate) fn run(args: &OutcomesArgs, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    terminal.quiet = args.quiet;
    let interrupt = Interrupt::watch();
    let memory = args.memory.or(Plan::default().limits.memory);
    let watchdog = Watchdog::new(args.time, memory, interrupt.flag());
    watchdog.guard(|overdue| give_up(args, &overdue), || list(args, &watchdog, terminal))
}

fn list(args: &OutcomesArgs, watchdog: &Watchdog<()>, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
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
    watchdog.loads(());
    let session = Session::open(request);
    watchdog.disarm();
    let session = session.map_err(|error| match error {
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
            time: args.time.map(|time| time.saturating_sub(watchdog.begun().elapsed())),
            memory: args.memory.or(defaults.limits.memory),
            depth: None,
            states: args.states,
        },
        ..defaults
    };
    let progress = Progress::new(args.quiet, args.every);
    watchdog.searches_and_collects(());
    let (outcomes, warnings) = watchdog.supervise(progress, &[], |watch| session.outcomes(&plan, watch))?;
    watchdog.disarm();
    warnings.iter().for_each(|message| terminal.warn(message));
    let text = if args.json { outcomes_json(&outcomes) } else { outcomes_text(&outcomes, terminal.paint) };
    terminal.out.write_all(text.as_bytes())?;
    Ok(match outcomes.verdict {
        Verdict::Holds | Verdict::Violated => ExitCode::Success,
        verdict => verdict.exit_code(),
    })
}

/// Reports a search that a limit ends while it is inside something that it cannot leave. Which ends it has
/// seen is lost.
fn give_up(args: &OutcomesArgs, overdue: &Overdue<()>) -> ExitCode {
    let outcomes = Outcomes {
        model: args.model.to_string_lossy().into_owned(),
        endings: Vec::new(),
        states: overdue.sample.map_or(0, |sample| sample.states),
        transitions: overdue.sample.map_or(0, |sample| sample.transitions),
        elapsed: overdue.elapsed,
        verdict: Verdict::Bounded,
        endless: None,
        unsupported: None,
    };
    let text = if args.json { outcomes_json(&outcomes) } else { outcomes_text(&outcomes, Paint::plain()) };
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    outcomes.verdict.exit_code()
}
