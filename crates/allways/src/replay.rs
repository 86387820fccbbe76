//! `allways replay`: a trace file, shown again after its model was built again.
//!
//! A trace belongs to one model: the digests must agree, or a step key could mean something else today.

use crate::choices::Walker;
use crate::cli::{Language, ModelArgs, Msc, ReplayArgs};
use crate::counterexample;
use crate::failure::Failure;
use crate::files;
use crate::load::{self, Loaded, Subject};
use crate::property::Property;
use crate::terminal::Terminal;
use crate::view::{self, Cycle, View};
use allways_model::{Model, Violation, ViolationKind};
use allways_promela::Reductions;
use allways_report::{ExitCode, Paint, Shown, TraceFile, Waits};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Runs the command.
pub(crate) fn run(args: &ReplayArgs, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    let trace = read(&args.trace)?;
    let (file, loaded) = model_of(&trace, &args.trace, args.model.as_deref(), terminal)?;
    if args.heap {
        return draw_heap(args, &trace, &file, &loaded, terminal);
    }
    loaded.with_model(|model| show(args, &trace, &file, model, terminal))
}

fn show(
    args: &ReplayArgs,
    trace: &TraceFile,
    file: &Path,
    model: &dyn Model,
    terminal: &mut Terminal,
) -> Result<ExitCode, Failure> {
    verify(model, trace, &args.trace)?;
    let name = file.to_string_lossy();
    let property = property_of(trace, &args.trace)?;
    let cycle = trace.cycle.map(|start| Cycle { start, violation: property.violation_by_cycle(trace.fair) });
    let met = |violation: &Violation| is_shown(trace, violation);
    if let Some(form) = args.waits {
        let picture = waits(model, trace, &name, args.chart.named(form))?;
        write_chart(&picture, args.chart.output.as_deref(), terminal)?;
        return Ok(ExitCode::Success);
    }
    if let Some(form) = args.chart.form() {
        let start = Walker::new(model).map_err(|fault| Failure::Internal(fault.message))?;
        let mut view = View::chart(model, &name, start.state(), form, args.full);
        let mut chart = Vec::new();
        view.follow(&mut chart, &trace.path, cycle.as_ref(), met)?;
        write_chart(&chart, args.chart.output.as_deref(), terminal)?;
        return Ok(ExitCode::Success);
    }
    let (out, paint) = (&mut terminal.out, terminal.paint);
    if args.json {
        View::json(model, &name).follow(out, &trace.path, cycle.as_ref(), met)?;
        return Ok(ExitCode::Success);
    }
    let what = trace.violation.as_ref().map_or("a run".into(), |shown| {
        let at = shown.location.as_ref().map_or(String::new(), |at| format!(" at {at}"));
        format!("{}{at}", shown.message)
    });
    let n_steps = counterexample::length(trace.path.steps.len() as u64, trace.cycle);
    writeln!(out, "{} {what}, {n_steps}", paint.bold(&format!("{name}:")))?;
    View::steps(model, paint, None).follow(out, &trace.path, cycle.as_ref(), met)?;
    Ok(ExitCode::Success)
}

/// Draws the objects of the last state of a trace.
fn draw_heap(
    args: &ReplayArgs,
    trace: &TraceFile,
    file: &Path,
    loaded: &Loaded,
    terminal: &mut Terminal,
) -> Result<ExitCode, Failure> {
    let Subject::Java(program) = &loaded.subject else {
        return Err(Failure::Input("--heap is for Java programs".into()));
    };
    if loaded.claim.is_some() {
        return Err(Failure::Input("--heap is for runs without a formula or an automaton".into()));
    }
    loaded.with_model(|model| verify(model, trace, &args.trace))?;
    let state = last_state(&**program, trace)?;
    let picture = program.heap_picture(&state, &file.to_string_lossy());
    write_chart(picture.as_bytes(), args.chart.output.as_deref(), terminal)?;
    Ok(ExitCode::Success)
}

/// The state that a trace leads to.
fn last_state(model: &dyn Model, trace: &TraceFile) -> Result<Vec<u8>, Failure> {
    let mut walker = Walker::new(model).map_err(|fault| Failure::Internal(fault.message))?;
    for &key in &trace.path.steps {
        walker.take(key).ok_or_else(|| Failure::Internal("a replayed path cannot be followed".into()))?;
    }
    Ok(walker.state().to_vec())
}

/// Who waits for whom at the end of a trace.
fn waits(model: &dyn Model, trace: &TraceFile, name: &str, form: Msc) -> Result<Vec<u8>, Failure> {
    let is_deadlock =
        trace.violation.as_ref().is_some_and(|shown| shown.kind == ViolationKind::Deadlock.name());
    if !is_deadlock {
        return Err(Failure::Input("this run does not end in a deadlock, so nobody waits for ever".into()));
    }
    let state = last_state(model, trace)?;
    let blocked = model.blocked(&state);
    if blocked.is_empty() {
        return Err(Failure::Input("who waits for whom is known of Java programs only".into()));
    }
    let waits = Waits::new(name, &blocked).beside(view::others(model, &state, &blocked));
    if form == Msc::Svg {
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

/// Builds the model of a trace: the given file, or the one that the trace names, seen from here or from the trace.
pub(crate) fn model_of(
    trace: &TraceFile,
    trace_file: &Path,
    given: Option<&Path>,
    terminal: &mut Terminal,
) -> Result<(PathBuf, Loaded), Failure> {
    let named = PathBuf::from(&trace.model);
    let file = given.map_or_else(|| seen_from(trace_file, &named), Path::to_path_buf);
    if given.is_none() && !file.exists() && trace.java.is_none() {
        let name = named.display();
        let message = format!("the model {name} of this trace is not there; say where it is with --model");
        return Err(Failure::Input(message));
    }
    let options = options_of(trace, trace_file)?;
    let loaded = load::load_supported(&file, &options, terminal)?;
    let digest = loaded.with_model(|model| model.digest());
    if digest != trace.path.model {
        return Err(Failure::Input(format!(
            "{} is not the model of this trace: it has changed since, or another version of allways wrote the trace\n  \
             model: {digest}\n  trace: {}",
            file.display(),
            trace.path.model
        )));
    }
    Ok((file, loaded))
}

/// The property that a trace is about.
fn property_of(trace: &TraceFile, trace_file: &Path) -> Result<Property, Failure> {
    let property = trace.property.as_deref().map_or(Ok(Property::Safety), str::parse);
    property.map_err(|what| Failure::Input(format!("{}: corrupt trace, {what}", trace_file.display())))
}

/// How the model of a trace was read.
pub(crate) fn options_of(trace: &TraceFile, trace_file: &Path) -> Result<ModelArgs, Failure> {
    let property = property_of(trace, trace_file)?;
    let corrupt = |what: String| Failure::Input(format!("{}: corrupt trace, {what}", trace_file.display()));
    let java = trace.java.as_ref();
    let class_path = match java.map(|java| {
        let entries = std::env::split_paths(&java.class_path).filter(|entry| !entry.as_os_str().is_empty());
        std::env::join_paths(entries.map(|entry| seen_from(trace_file, &entry)))
    }) {
        Some(path) => {
            Some(path.map_err(|_| corrupt("its class path".into()))?.to_string_lossy().into_owned())
        }
        None => None,
    };
    Ok(ModelArgs {
        property,
        fair: trace.fair,
        define: trace.defines.clone(),
        undefine: trace.undefines.clone(),
        include: trace.includes.iter().map(|dir| seen_from(trace_file, Path::new(dir))).collect(),
        // The model has been read before, whatever its name.
        language: Some(if java.is_some() { Language::Java } else { Language::Promela }),
        class_path,
        args: java.map_or(Vec::new(), |java| java.args.clone()),
        every_access: java.is_some_and(|java| java.every_access),
        until_conflict: java.is_some_and(|java| java.until_conflict),
        racy: java.map_or(Vec::new(), |java| java.racy.clone()),
        random: java.is_some_and(|java| java.random),
        simple_locks: java.is_some_and(|java| java.simple_locks),
        processors: java.and_then(|java| java.processors),
        races: java.is_some_and(|java| java.races),
        // How states were kept makes no difference to a run.
        without: Vec::new(),
        collect: None,
        invariant: java.map_or(Vec::new(), |java| java.invariants.clone()),
        jdk: java.and_then(|java| java.jdk.as_ref()).map(PathBuf::from),
        source: java.map_or(Vec::new(), |java| {
            java.sources.iter().map(|dir| seen_from(trace_file, Path::new(dir))).collect()
        }),
        keep_output: false,
        trust_claims: false,
        reductions: Reductions::NONE,
        // A search with reductions has steps of its own.
        digest: Some(trace.path.model),
    })
}

/// What a trace names, as seen from here, or else from the directory of the trace.
fn seen_from(trace_file: &Path, name: &Path) -> PathBuf {
    match trace_file.parent() {
        Some(dir) if !name.exists() && dir.join(name).exists() => dir.join(name),
        _ => name.to_path_buf(),
    }
}

/// Follows a trace to its end, and meets what it promises.
pub(crate) fn verify(model: &dyn Model, trace: &TraceFile, file: &Path) -> Result<(), Failure> {
    let file = file.display();
    if let Some(cycle) = trace.cycle {
        let promised = trace.violation.as_ref().map(|shown| shown.kind.as_str());
        if promised.is_some_and(|kind| kind != ViolationKind::AcceptanceCycle.name()) {
            let kind = promised.unwrap_or_default();
            return Err(Failure::Input(format!("{file}: corrupt trace, a cycle shows no {kind}")));
        }
        return match allways_search::replay_lasso(model, &trace.path, cycle) {
            Ok(_) => Ok(()),
            Err(error) => Err(Failure::Input(format!("{file}: corrupt trace, {error}"))),
        };
    }
    let met = allways_search::walk(model, &trace.path, &mut |_| {})
        .map_err(|error| Failure::Input(format!("{file}: corrupt trace, {error}")))?;
    match &trace.violation {
        Some(shown) if !met.iter().any(|violation| is_shown(trace, violation)) => Err(Failure::Input(
            format!("{file}: corrupt trace, its steps do not end in the {} it promises", shown.kind),
        )),
        _ => Ok(()),
    }
}

/// Whether a violation is the one that the trace shows.
pub(crate) fn is_shown(trace: &TraceFile, violation: &Violation) -> bool {
    // A run that was saved before it ended in anything shows whatever is wrong at its end.
    let same = |shown: &Shown| shown.kind == violation.kind().name() && shown.message == violation.message();
    trace.violation.as_ref().is_none_or(same)
}
