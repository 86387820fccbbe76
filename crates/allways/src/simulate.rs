//! `allways simulate`: one run of a model, at random, along a trace, or by hand.
//!
//! A seed gives the same run on every machine: the choice depends only on the seed and on the steps enabled,
//! and these come in an order of their own.

use crate::cli::SimulateArgs;
use crate::failure::Failure;
use crate::files;
use crate::interactive;
use crate::open;
use crate::replay;
use crate::stdin;
use crate::terminal::Terminal;
use crate::view;
use allways_model::{Fault, Lessons, Model, StepKey, Violation};
use allways_report::{ExitCode, RunEnd, RunView, TraceFile, plural};
use allways_search::SplitMix64;
use allways_session::{Session, Taken, Walker};
use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

/// Runs the command.
pub(crate) fn run(args: &SimulateArgs, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    terminal.quiet = args.quiet;
    if args.interactive && args.model.as_deref().is_some_and(stdin::is_meant) {
        let message = "--interactive reads choices from standard input, so the model must be in a file";
        return Err(Failure::Input(message.into()));
    }
    let trace = args.trace.as_deref().map(replay::read).transpose()?;
    let session = match (&trace, &args.trace) {
        (Some(trace), Some(trace_file)) => {
            let session = replay::session_of(trace, trace_file, args.model.as_deref(), terminal)?;
            session.verify(trace, trace_file)?;
            session
        }
        _ => {
            let file = args.model.clone().unwrap_or_default();
            open::open(args.options.request(&file)?, terminal)?
        }
    };
    session.with_shown(trace.as_ref().map(|trace| &trace.path), |model| {
        let walker = match Walker::new(model) {
            Ok(walker) => walker,
            Err(fault) => return Ok(faulted(&fault, terminal)),
        };
        let job = Job { args, model, session: &session };
        if args.interactive {
            let keys = trace.as_ref().map_or(&[][..], |trace| &trace.path.steps);
            let (walker, violation) = interactive::run(model, walker.keeping(), keys, args.full, terminal)?;
            return job.after(&walker.path(), violation.as_ref(), terminal);
        }
        let code = job.walk(walker, trace.as_ref(), terminal);
        open::say_noticed(model, terminal);
        code
    })?
}

/// A run without interaction.
struct Job<'a> {
    args: &'a SimulateArgs,
    model: &'a dyn Model,
    session: &'a Session,
}

/// Why a run ended.
enum Stop {
    /// Nothing can happen, and that is as it should be.
    Terminated,
    /// As many steps as wanted.
    Enough,
    Violation(Violation),
    Fault(Fault),
}

impl Job<'_> {
    fn walk(
        &self,
        mut walker: Walker<'_>,
        trace: Option<&TraceFile>,
        terminal: &mut Terminal,
    ) -> Result<ExitCode, Failure> {
        let (args, name) = (self.args, self.session.request().model.to_string_lossy());
        let mut view = match args.chart.form() {
            Some(form) => RunView::chart(self.model, &name, walker.state(), form, args.full),
            None if args.json => RunView::json(self.model, &name),
            None if args.quiet => RunView::output(self.model),
            None => RunView::steps(self.model, terminal.paint, None).with_states(args.full),
        };
        view.recent().begin(walker.state());
        let seed = args.seed.unwrap_or_else(some_seed);
        let mut pick = match trace {
            Some(trace) => Pick::Along(trace.path.steps.iter()),
            None => Pick::Random(SplitMix64::new(seed)),
        };
        let mut chart = Vec::new();
        let charted = args.chart.form().is_some();
        let out: &mut dyn Write = if charted { &mut chart } else { terminal.out.endless() };
        let (mut stop, last) = self.steps(&mut walker, &mut pick, &mut view, out)?;
        if let Stop::Violation(violation) = &mut stop {
            violation.background = self.model.background(&walker.path().steps, violation);
        }
        let (moved, failing) = last.map_or((true, None), |taken| (taken.moved, taken.failing));
        let violation = match &stop {
            Stop::Violation(violation) => Some(violation),
            _ => None,
        };
        let ending =
            RunEnd { state: walker.state(), moved, failing: failing.as_ref(), violation, cycle: None };
        view.end(out, &ending)?;
        if charted {
            replay::write_chart(&chart, args.chart.output.as_deref(), terminal)?;
        }
        let code = self.say(&stop, walker.n_steps(), trace.is_none().then_some(seed), terminal)?;
        self.after(&walker.path(), violation, terminal)?;
        Ok(code)
    }

    /// Takes steps until the run ends; gives why it did, and the last step if that is why.
    fn steps(
        &self,
        walker: &mut Walker<'_>,
        pick: &mut Pick<'_>,
        view: &mut RunView<'_>,
        out: &mut dyn Write,
    ) -> Result<(Stop, Option<Taken>), Failure> {
        loop {
            let choices = walker.look();
            if let Some(violation) = choices.wrong.into_iter().next() {
                return Ok((Stop::Violation(violation), None));
            }
            if let Some(fault) = choices.fault {
                return Ok((Stop::Fault(fault), None));
            }
            if choices.keys.is_empty() {
                return Ok((Stop::Terminated, None));
            }
            let Some(key) = pick.next(&choices.keys, walker.n_steps(), self.args.steps) else {
                return Ok((Stop::Enough, None));
            };
            let moves = walker.explain(key);
            let taken = walker
                .take(key)
                .ok_or_else(|| Failure::Internal("a step that was enabled cannot be taken".into()))?;
            view.step(out, walker.n_steps(), key, moves, walker.state())?;
            if let Some(violation) = taken.wrong.first().cloned() {
                return Ok((Stop::Violation(violation), Some(taken)));
            }
        }
    }

    /// Says how the run ended.
    fn say(
        &self,
        stop: &Stop,
        n_steps: u64,
        seed: Option<u64>,
        terminal: &mut Terminal,
    ) -> Result<ExitCode, Failure> {
        let steps = plural(n_steps, "step");
        let (code, text) = match stop {
            Stop::Terminated => (ExitCode::Success, format!("terminated after {steps}")),
            Stop::Enough => (ExitCode::Success, format!("stopped after {steps}")),
            Stop::Violation(violation) => {
                let at = violation.location.as_ref().map_or(String::new(), |at| format!(" at {at}"));
                (ExitCode::Violated, format!("{} after {steps}{at}", violation.message()))
            }
            Stop::Fault(fault) => return Ok(faulted(fault, terminal)),
        };
        let seed = seed.map_or(String::new(), |seed| format!(" (--seed {seed})"));
        let violated = code == ExitCode::Violated;
        let plain = !self.args.quiet && !self.args.json && self.args.chart.form().is_none();
        if plain {
            let text = if violated { terminal.paint.bad(&text) } else { terminal.paint.bold(&text) };
            writeln!(terminal.out, "\n{text}{seed}")?;
        } else if violated {
            terminal.err_text(&format!("{text}{seed}\n"));
        }
        Ok(code)
    }

    /// Saves the run, and draws one that was made by hand.
    fn after(
        &self,
        path: &allways_model::Path,
        violation: Option<&Violation>,
        terminal: &mut Terminal,
    ) -> Result<ExitCode, Failure> {
        if let Some(file) = &self.args.save {
            let trace = self.session.trace(path.clone(), violation, None, Lessons::none())?;
            let cannot = |error| Failure::Input(format!("cannot write {}: {error}", file.display()));
            let message = violation.map(Violation::message);
            files::write_trace(file, &trace.to_text(message.as_deref())).map_err(cannot)?;
            terminal.note(&format!("run written to {}", file.display()));
        }
        if let Some(form) = self.args.chart.form().filter(|_| self.args.interactive) {
            let start = view::start(self.model)?;
            let name = self.session.request().model.to_string_lossy();
            let view = RunView::chart(self.model, &name, start.state(), form, self.args.full);
            let mut chart = Vec::new();
            view::follow(self.model, view, &mut chart, path, None, |_| true)?;
            replay::write_chart(&chart, self.args.chart.output.as_deref(), terminal)?;
        }
        Ok(ExitCode::Success)
    }
}

/// Who picks the next step.
enum Pick<'a> {
    Random(SplitMix64),
    Along(std::slice::Iter<'a, StepKey>),
}

impl Pick<'_> {
    fn next(&mut self, keys: &[StepKey], n_taken: u64, most: u64) -> Option<StepKey> {
        match self {
            Self::Random(random) => (n_taken < most).then(|| keys[random.below(keys.len())]),
            Self::Along(steps) => steps.next().copied(),
        }
    }
}

/// Ends a run that the tool cannot go on with: at a limit that the user can change, or at something unknown.
fn faulted(fault: &Fault, terminal: &mut Terminal) -> ExitCode {
    let at = fault.location.as_ref().map_or(String::new(), |at| format!(" at {at}"));
    let (word, code) = match fault.limit {
        Some(_) => ("bounded", ExitCode::Bounded),
        None => ("unsupported", ExitCode::Unsupported),
    };
    terminal.err_text(&format!("{word}: {}{at}\n", fault.message));
    code
}

/// A seed short enough to type again.
fn some_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    SplitMix64::new(now.as_nanos() as u64).below(1_000_000) as u64
}
