//! `allways replay`: a trace file, shown again after its model was built again.
//!
//! A trace carries the specification of what was checked. A replay reads it, refuses what has changed since,
//! and shows nothing that it did not meet itself.

use crate::cli::{HeapForm, ReplayArgs};
use crate::counterexample;
use crate::failure::Failure;
use crate::files;
use crate::open;
use crate::stdin;
use crate::terminal::Terminal;
use crate::view::{self, Cycle};
use allways_model::{Lessons, Model, Violation, ViolationKind};
use allways_report::{ExitCode, HeapPicture, Paint, Picture, RunView, TraceFile, Waits};
use allways_session::Session;
use std::io::Write;
use std::path::Path;

/// Runs the command.
pub(crate) fn run(args: &ReplayArgs, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    let trace = read(&args.trace)?;
    let session = session_of(&trace, &args.trace, args.model.as_deref(), terminal)?;
    let met = session.verify(&trace, &args.trace)?;
    if let Some(form) = args.heap {
        let picture =
            session.with_shown(Some(&trace.path), |model| heap(model, &session, &trace, form, args))??;
        write_chart(picture.as_bytes(), args.chart.output.as_deref(), terminal)?;
        return Ok(ExitCode::Success);
    }
    let replay = Replay { args, trace: &trace, session: &session, met: met.as_ref() };
    session.with_shown(Some(&trace.path), |shown| {
        let code = replay.show(shown, terminal);
        open::say_noticed(shown, terminal);
        code
    })?
}

/// A trace that was verified.
struct Replay<'a> {
    args: &'a ReplayArgs,
    trace: &'a TraceFile,
    session: &'a Session,
    /// The violation at its end.
    met: Option<&'a Violation>,
}

impl Replay<'_> {
    fn show(&self, model: &dyn Model, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
        let Self { args, trace, session, .. } = self;
        let name = session.request().model.to_string_lossy();
        let cycle = trace.cycle.map(|start| Cycle { start, violation: session.violation_by_cycle() });
        let met = |violation: &Violation| self.met.is_none_or(|met| met.is_same(violation));
        if let Some(form) = args.waits {
            let picture = waits(model, trace, self.met, &name, args.chart.named(form))?;
            write_chart(&picture, args.chart.output.as_deref(), terminal)?;
            return Ok(ExitCode::Success);
        }
        let follow =
            |view, out: &mut dyn Write| view::follow(model, view, out, &trace.path, cycle.as_ref(), met);
        if let Some(form) = args.chart.form() {
            let view = RunView::chart(model, &name, view::start(model)?.state(), form, args.full);
            let mut chart = Vec::new();
            follow(view, &mut chart)?;
            write_chart(&chart, args.chart.output.as_deref(), terminal)?;
            return Ok(ExitCode::Success);
        }
        let (out, paint) = (&mut terminal.out, terminal.paint);
        if args.json {
            follow(RunView::json(model, &name), out)?;
            return Ok(ExitCode::Success);
        }
        let what = self.met.map_or("a run".into(), |met| {
            let at = met.location.as_ref().map_or(String::new(), |at| format!(" at {at}"));
            format!("{}{at}", met.message())
        });
        let n_steps = counterexample::length(trace.path.steps.len() as u64, trace.cycle);
        writeln!(out, "{} {what}, {n_steps}", paint.bold(&format!("{name}:")))?;
        follow(RunView::steps(model, paint, None), out)?;
        Ok(ExitCode::Success)
    }
}

/// The objects at the end of a trace.
fn heap(
    model: &dyn Model,
    session: &Session,
    trace: &TraceFile,
    form: HeapForm,
    args: &ReplayArgs,
) -> Result<String, Failure> {
    let state = last_state(model, trace)?;
    let heap = model.heap(&state, &trace.path.steps).ok_or_else(|| {
        Failure::Input(
            "--heap is for Java programs and for models with pointers, and not for runs with --fair".into(),
        )
    })?;
    let name = session.request().model.to_string_lossy();
    let picture = HeapPicture::new(&name, &heap);
    let ends_with = |ending: &str| {
        let file = args.chart.output.as_ref().and_then(|file| file.extension());
        file.is_some_and(|own| own.eq_ignore_ascii_case(ending))
    };
    Ok(match form {
        HeapForm::Svg => picture.to_svg(),
        HeapForm::Dot => picture.to_dot(),
        HeapForm::Text => picture.to_text(),
        HeapForm::ByName if ends_with("svg") => picture.to_svg(),
        HeapForm::ByName if ends_with("dot") || ends_with("gv") => picture.to_dot(),
        HeapForm::ByName => picture.to_text(),
    })
}

/// The state that a trace leads to.
fn last_state(model: &dyn Model, trace: &TraceFile) -> Result<Vec<u8>, Failure> {
    let mut walker = view::start(model)?;
    for &key in &trace.path.steps {
        walker.take(key).ok_or_else(|| Failure::Internal("a replayed path cannot be followed".into()))?;
    }
    Ok(walker.state().to_vec())
}

/// Who waits for whom at the end of a trace.
fn waits(
    model: &dyn Model,
    trace: &TraceFile,
    met: Option<&Violation>,
    name: &str,
    form: Picture,
) -> Result<Vec<u8>, Failure> {
    if met.is_none_or(|met| met.kind() != ViolationKind::Deadlock) {
        return Err(Failure::Input("this run does not end in a deadlock, so no thread waits forever".into()));
    }
    let state = last_state(model, trace)?;
    let blocked = model.blocked(&state, Lessons::none());
    if blocked.is_empty() {
        return Err(Failure::Input("who waits for whom is known of Java programs only".into()));
    }
    let processes = model.processes(&state);
    let waits = Waits::new(name, &blocked).among(&processes);
    if form == Picture::Svg {
        return Ok(waits.to_svg().into_bytes());
    }
    let mut text = Vec::new();
    waits.write(&mut text, Paint::plain())?;
    Ok(text)
}

/// Writes a finished chart to a file or to standard output.
pub(crate) fn write_chart(chart: &[u8], file: Option<&Path>, terminal: &mut Terminal) -> Result<(), Failure> {
    match file {
        None => Ok(terminal.out.write_all(chart)?),
        Some(file) => {
            let cannot =
                |error| Failure::Input(format!("cannot write the chart to {}: {error}", file.display()));
            files::write(file, chart).map_err(cannot)?;
            terminal.note(&format!("chart written to {}", file.display()));
            Ok(())
        }
    }
}

/// Reads a trace file.
pub(crate) fn read(file: &Path) -> Result<TraceFile, Failure> {
    let cannot = |error: &dyn std::fmt::Display| Failure::Input(format!("{}: {error}", file.display()));
    let bytes = std::fs::read(file).map_err(|error| cannot(&error))?;
    TraceFile::parse(&bytes).map_err(|error| cannot(&error))
}

/// Opens the session of a trace.
pub(crate) fn session_of(
    trace: &TraceFile,
    trace_file: &Path,
    given: Option<&Path>,
    terminal: &mut Terminal,
) -> Result<Session, Failure> {
    let text = given.filter(|given| stdin::is_meant(given)).map(|_| stdin::text()).transpose()?;
    let session = Session::of_trace_with(trace, trace_file, given, text)
        .map_err(|error| open::failure(error, terminal))?;
    open::say(&session, terminal);
    Ok(session)
}
