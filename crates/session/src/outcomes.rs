//! Every possible end of a Java program, over all interleavings of its threads.
//!
//! The search is breadth first, so each end comes with a shortest schedule. Output is part of a state here,
//! so two runs that print the same lines in another order have different ends.

use crate::session::{Session, Subject};
use crate::{Error, Plan, Watch, java};
use allways_java::Program;
use allways_java::end::{End as ProgramEnd, end_of, ends_of, is_last_resort};
use allways_model::{Batch, Halt, Lesson, Lessons, Model, Path, Refined, StepKey, ViolationKind};
use allways_report::{Ending, Outcomes, ProcessEnding, Verdict};
use allways_search::{Config, End, Expanded, Observer, StateRef, Steps, StoreKind, Strategy};
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// What a data race means for a list of outcomes.
const BEYOND: &str =
    "the outcomes are those of sequentially consistent runs, and a real machine may have others";

impl Session {
    /// Lists every possible end of a Java program. The request must have asked to [keep
    /// output](crate::Request::keep_output). Gives warnings on what was not explored, too.
    ///
    /// # Errors
    /// If the model is not a Java program, or the store may lose states.
    pub fn outcomes(&self, plan: &Plan, watch: &Watch<'_>) -> Result<(Outcomes, Vec<String>), Error> {
        let Subject::Java(program) = &self.parts.subject else {
            return Err(Error::Input("outcomes are listed for Java programs; for Promela use check".into()));
        };
        let store = self.store(plan);
        if !store.keeps_states() {
            return Err(Error::Input(format!(
                "--store {} does not keep every state, and outcomes need them; use exact, tree or collapse",
                store.name()
            )));
        }
        let outcomes = search(self, plan, store, program, watch)?;
        let races = program.races();
        let race = races.first().map(|race| {
            let more =
                if races.len() > 1 { format!(" (and {} more)", races.len() - 1) } else { String::new() };
            format!("{}{more}: {BEYOND}", race.summary())
        });
        Ok((outcomes, race.into_iter().chain(java::warnings_of_inputs(program)).collect()))
    }
}

/// Who was reached from where, and who leads nowhere.
#[derive(Default)]
struct Tracks {
    parents: HashMap<StateRef, (StateRef, StepKey)>,
    /// States that are being expanded, without a step so far, and how a run that ends there ends.
    opened: HashMap<StateRef, Vec<ProgramEnd>>,
    /// States that were expanded and lead nowhere.
    ends: BTreeMap<Outline, Vec<StateRef>>,
}

/// What ends are told apart by, of each process: whether an exception or a failure ended it, the exit status,
/// and what was printed.
type Outline = Vec<(Option<&'static str>, bool, Option<i32>, String)>;

struct Tracker {
    tracks: Mutex<Tracks>,
    /// Whether states are those of several processes.
    is_system: bool,
}

/// How each process ends in a state.
fn ends(state: &[u8], is_system: bool) -> Vec<ProgramEnd> {
    if is_system { ends_of(state) } else { vec![end_of(state)] }
}

impl Observer for Tracker {
    fn state(&self, at: StateRef, vector: &[u8]) -> ControlFlow<()> {
        let ends = ends(vector, self.is_system);
        self.lock().opened.insert(at, ends);
        ControlFlow::Continue(())
    }

    fn steps(&self, from: StateRef, steps: &Steps<'_>, _: Expanded) -> ControlFlow<()> {
        let mut tracks = self.lock();
        if steps.iter().any(|step| !is_last_resort(step.key)) {
            tracks.opened.remove(&from);
        }
        let new = steps.iter().filter(|step| step.new);
        tracks.parents.extend(new.map(|step| (step.to, (from, step.key))));
        ControlFlow::Continue(())
    }

    fn close(&self, at: StateRef) -> ControlFlow<()> {
        let mut tracks = self.lock();
        if let Some(ends) = tracks.opened.remove(&at) {
            let outline = ends.into_iter().map(|ProgramEnd { ended, died, killed, output }| {
                (died.map(ViolationKind::name), killed, ended, output)
            });
            tracks.ends.entry(outline.collect()).or_default().push(at);
        }
        ControlFlow::Continue(())
    }

    fn round(&self, _: &Lesson) {
        *self.lock() = Tracks::default();
    }
}

impl Tracker {
    fn lock(&self) -> MutexGuard<'_, Tracks> {
        self.tracks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Searches for ends.
fn search(
    session: &Session,
    plan: &Plan,
    store: StoreKind,
    program: &Program,
    watch: &Watch<'_>,
) -> Result<Outcomes, Error> {
    let (model, names): (&dyn Model, _) = (program, program.process_names());
    let config = Config {
        store,
        all_errors: true,
        reduce: program.is_ordered(),
        limits: plan.limits,
        stop: watch.stop,
        full: watch.full,
        progress: watch.progress,
        overrun: watch.overrun,
        ..Config::new(plan.workers)
    };
    let mut lessons = Lessons::new();
    let tracker = Tracker { tracks: Mutex::default(), is_system: !names.is_empty() };
    let observer = (&tracker, watch.observers);
    let outcome = allways_search::refine(&config, Instant::now(), &mut lessons, &observer, |config| {
        allways_search::search(model, Strategy::Bfs, &observer, config)
    });
    let model = &Refined::new(model, &lessons);
    let tracks = tracker.tracks.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut endings: BTreeMap<EndingKey, Ending> = BTreeMap::new();
    for states in tracks.ends.values() {
        let mut paths: Vec<Vec<StepKey>> = states.iter().map(|&state| path_to(&tracks, state)).collect();
        paths.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        // If the search was cut off, a state that was not expanded to its end can look like one: then the
        // next may be one.
        for steps in paths.into_iter().take(MAX_TRIED) {
            if let Some(ending) = ending(model, names, steps)? {
                let key =
                    (ending.kind.clone(), ending.output.clone(), ending.status, ending.processes.clone());
                endings.entry(key).or_insert(ending);
                break;
            }
        }
    }
    let verdict = match outcome.end {
        End::Faulted(..) => Verdict::Unsupported,
        // A search that has something to learn has not seen everything.
        End::Bounded(_) | End::Cut(_) | End::Refine => Verdict::Bounded,
        End::Exhausted | End::Violated
            if outcome.findings.is_empty() && endings.keys().all(|(kind, ..)| kind == "exit") =>
        {
            Verdict::Holds
        }
        End::Exhausted | End::Violated => Verdict::Violated,
    };
    let is_deadlock = |kind: &str| kind == ViolationKind::Deadlock.name();
    let endless = outcome
        .findings
        .iter()
        .find(|found| is_deadlock(found.violation.kind().name()))
        .filter(|_| !endings.keys().any(|(kind, ..)| is_deadlock(kind)))
        .map(|found| format!("{}; for ever, whatever the others may do", found.violation.message()));
    Ok(Outcomes {
        model: session.request.model.to_string_lossy().into_owned(),
        endings: endings.into_values().collect(),
        states: outcome.stats.states,
        transitions: outcome.stats.transitions,
        elapsed: outcome.stats.elapsed,
        verdict,
        endless,
        unsupported: match outcome.end {
            End::Faulted(fault, _) => {
                let at = fault.location.map_or(String::new(), |at| format!(" at {at}"));
                Some(format!("{}{at}", fault.message))
            }
            _ => None,
        },
    })
}

/// What outcomes are told apart by: kind, output, status and processes.
type EndingKey = (String, String, Option<i32>, Vec<ProcessEnding>);

/// How many states that look like the end of a run are tried before none is taken to be one.
const MAX_TRIED: usize = 100;

fn path_to(tracks: &Tracks, mut state: StateRef) -> Vec<StepKey> {
    let mut steps = Vec::new();
    while let Some(&(from, step)) = tracks.parents.get(&state) {
        steps.push(step);
        state = from;
    }
    steps.reverse();
    steps
}

/// How the run along `steps` ends, if it does.
fn ending(model: &dyn Model, names: &[String], steps: Vec<StepKey>) -> Result<Option<Ending>, Error> {
    let wrong =
        |what: &dyn std::fmt::Display| Error::Internal(format!("a schedule cannot be replayed: {what}"));
    let mut cursor = model.cursor(Lessons::none());
    let mut batch = Batch::new();
    // That something is to be learnt on the way is for the search to say: the steps are there.
    let check = |result: Result<(), Halt>| match result.err().and_then(Halt::into_fault) {
        Some(fault) => Err(wrong(&fault.message)),
        None => Ok(()),
    };
    check(cursor.initial(&mut batch))?;
    let mut state = batch.vector(0).to_vec();
    let mut schedule: Vec<(String, u64)> = Vec::new();
    for &key in &steps {
        let actor = cursor.actor(key).unwrap_or(0);
        let name = model.processes(&state).into_iter().find(|process| process.id == actor);
        let otherwise = || if names.is_empty() { actor.to_string() } else { "failure".into() };
        let name = name.map_or_else(otherwise, |process| process.name.to_string());
        match schedule.last_mut() {
            Some((last, n)) if *last == name => *n += 1,
            _ => schedule.push((name, 1)),
        }
        cursor.load(&state);
        batch.clear();
        check(cursor.expand(&mut batch))?;
        let found = (0..batch.len()).find(|&idx| batch.entries()[idx].key == key);
        state = batch.vector(found.ok_or_else(|| wrong(&"a step is not possible"))?).to_vec();
    }
    cursor.load(&state);
    batch.clear();
    if matches!(cursor.expand(&mut batch), Err(Halt::Unsupported(_)))
        || batch.entries().iter().any(|entry| !is_last_resort(entry.key))
    {
        return Ok(None);
    }
    let is_stuck = batch.violations().iter().any(|violation| violation.kind() == ViolationKind::Deadlock);
    let ends = ends(&state, !names.is_empty());
    let died = ends.iter().find_map(|end| end.died);
    let kind = match died {
        Some(ViolationKind::Assertion) => "assertion",
        Some(_) => "exception",
        None if is_stuck => "deadlock",
        // A service may wait when all others have ended.
        None if ends.iter().any(|end| end.ended.is_some()) => "exit",
        None => return Ok(None),
    };
    let status = if ends.iter().all(|end| end.ended.is_some()) || !names.is_empty() {
        let statuses = || ends.iter().filter(|end| !end.killed).filter_map(|end| end.ended);
        statuses().find(|&status| status != 0).or_else(|| statuses().next())
    } else {
        None
    };
    let schedule: Vec<String> = schedule.into_iter().map(|(name, n)| format!("{name}*{n}")).collect();
    let path = Path { model: model.digest(), steps };
    Ok(Some(Ending {
        kind: kind.into(),
        output: ends.iter().map(|end| end.output.as_str()).collect(),
        status,
        schedule: schedule.join(" "),
        n_steps: path.steps.len() as u64,
        processes: names.iter().zip(ends).map(|(name, end)| process_ending(name, end)).collect(),
    }))
}

/// How one of several processes ended.
fn process_ending(name: &str, end: ProgramEnd) -> ProcessEnding {
    let kind = match (end.killed, end.died, end.ended) {
        (true, ..) => "killed",
        (_, Some(ViolationKind::Assertion), _) => "assertion",
        (_, Some(_), _) => "exception",
        (_, None, Some(_)) => "exit",
        (_, None, None) => "waits",
    };
    ProcessEnding { name: name.into(), kind: kind.into(), status: end.ended, output: end.output }
}
