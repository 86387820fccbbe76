//! `allways check`: search, replay what was found, and say so.
//!
//! The verdict is decided in one function, [`verdict`]: `violated` if anything was found (and replayed), `holds` only
//! if every state was seen, `bounded` for everything in between.

use crate::cli::{CheckArgs, ModelArgs, Search, Store};
use crate::counterexample;
use crate::failure::Failure;
use crate::files;
use crate::interrupt::Interrupt;
use crate::java;
use crate::java_notes::Notes;
use crate::junit;
use crate::load::{self, Load, Loaded, Subject};
use crate::memory;
use crate::progress::Progress;
use crate::property::Property;
use crate::rounds::Rounds;
use crate::sightings::Sightings;
use crate::speed;
use crate::stores;
use crate::symmetry;
use crate::terminal::Terminal;
use crate::view::error_report;
use crate::walks;
use allways_model::{Acceptance, Lesson, Lessons, Model, Point, Refined};
use allways_promela::Reductions;
use allways_report::{
    Check, CheckText, ErrorReport, ExitCode, Figures, Limit, Paint, Setup, Unsupported, Verdict, check_json,
};
use allways_search::{
    Config, End, Limits, Observer, Outcome, Profile, Sample, StoreKind, Strategy, WalkPlan,
};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Runs the command.
pub(crate) fn run(args: &CheckArgs, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    terminal.quiet = args.quiet;
    let result = check_all(args, terminal);
    let written = args.junit.as_ref().map_or(Ok(()), |file| junit::write(file, args, &result));
    let code = finish(args, &result?, terminal)?;
    written.map(|()| code)
}

/// Checks what was asked for, or everything that the model has.
fn check_all(args: &CheckArgs, terminal: &mut Terminal) -> Result<Vec<Check>, Failure> {
    let store = stores::kind(args)?;
    let plan = walks::plan(args)?;
    // Claims are looked at with all states or not at all.
    let wanted = Property::wanted(args).or(walks::is_walk(args).then_some(Property::Safety));
    let mut todo = VecDeque::from([wanted.clone().unwrap_or_default()]);
    let mut checks: Vec<Check> = Vec::new();
    while let Some(property) = todo.pop_front() {
        let job = Job { args, store, plan, property, is_wanted: wanted.is_some() };
        let (check, claims) = job.run(&checks, terminal)?;
        let is_over = check.verdict == Verdict::Violated && !args.all_errors;
        if wanted.is_none() && checks.is_empty() && !is_over {
            todo.extend(claims.into_iter().map(Property::Claim));
        }
        checks.push(check);
        if is_over {
            break;
        }
    }
    Ok(checks)
}

/// Prints what remains to be printed, and gives the exit code: that of the worst verdict, the first of its kind.
fn finish(args: &CheckArgs, checks: &[Check], terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    let verdicts = [Verdict::Violated, Verdict::Unsupported, Verdict::Bounded, Verdict::Holds];
    let first = |verdict| checks.iter().find(|check| check.verdict == verdict);
    let decisive = verdicts.into_iter().find_map(first).expect("something was checked");
    let code = decisive.verdict.exit_code();
    let printed = if args.json {
        terminal.out.write_all(check_json(decisive, checks).as_bytes()).map_err(Failure::from)
    } else {
        Ok(())
    };
    // If whoever reads the answer goes away, the exit code still says it.
    match printed.and_then(|()| terminal.flush()) {
        Err(failure) if failure.is_closed_pipe() => Err(Failure::Reported(code)),
        result => result.map(|()| code),
    }
}

/// The check of one property.
struct Job<'a> {
    args: &'a CheckArgs,
    store: StoreKind,
    plan: WalkPlan,
    property: Property,
    /// Whether it was asked for by name, and not only because it is there.
    is_wanted: bool,
}

impl Job<'_> {
    /// Searches, prints what was found unless that comes later, and gives it with the names of the model's claims. `before`
    /// are the checks of other properties.
    fn run(&self, before: &[Check], terminal: &mut Terminal) -> Result<(Check, Vec<String>), Failure> {
        let args = self.args;
        let start = Instant::now();
        let mut reductions = if args.no_reduce { Reductions::NONE } else { args.reduce };
        let every_access = reductions == Reductions::NONE;
        // A random walk has each interleaving before it.
        reductions.order &= !walks::is_walk(args);
        let options = ModelArgs {
            trust_claims: args.no_reduce,
            reductions,
            property: self.property.clone(),
            every_access,
            until_conflict: !every_access,
            fair: args.property.fair && self.property != Property::Safety,
            ..args.options.clone()
        };
        let loaded = match load::load(&args.model, &options, terminal)? {
            Load::Ready(loaded) => loaded,
            Load::Unsupported(what) => {
                let mut check = self.empty_check(Verdict::Unsupported);
                check.unsupported = what;
                self.print(terminal, &check, None)?;
                return Ok((check, Vec::new()));
            }
        };
        let limits = Limits {
            time: args.time,
            memory: args.memory.or_else(memory::default_limit),
            depth: args.depth,
            states: args.states,
        };
        let loading = start.elapsed();
        let check = loaded.with_model(|model| {
            let strategy = self.strategy(model.acceptance(), &loaded)?;
            let profile = args.explain_speed.then(Profile::new);
            let found_by = Cell::new(strategy);
            let sightings = Sightings::new(args.all_errors);
            let lessons = RefCell::new(Lessons::new());
            let config = Config {
                store: self.store,
                all_errors: args.all_errors,
                reduce: loaded.reductions.order,
                sleep: true,
                limits,
                walks: self.plan,
                profile: profile.as_ref(),
                ..Config::new(workers(args))
            };
            let run = |model: &dyn Model| {
                // An earlier run does not count.
                sightings.round(&Lesson::new());
                let one = |strategy, config: &Config<'_>| self.search(model, strategy, &sightings, config);
                let rounds = Rounds { config, observer: &sightings, search: &one };
                let may_walk = self.may_walk(&loaded, model);
                let (outcome, by) = rounds.run(strategy, may_walk, &mut lessons.borrow_mut());
                found_by.set(by);
                outcome
            };
            let symmetric = args.symmetry && self.property == Property::Safety;
            let (mut outcome, notes) = match symmetric {
                true => match &loaded.subject {
                    Subject::Promela(program) => symmetry::search(program, terminal, run),
                    Subject::Java(_) => {
                        return Err(Failure::Input("--symmetry is for Promela models".into()));
                    }
                },
                false => (run(model), Vec::new()),
            };
            let lessons = lessons.into_inner();
            let model = &Refined::new(model, &lessons);
            for finding in &mut outcome.findings {
                if args.shortest {
                    *finding = allways_search::shorten(model, finding, &limits);
                }
                counterexample::verify(model, finding)?;
                if finding.cycle.is_some() {
                    finding.violation = self.property.violation_by_cycle(args.property.fair);
                }
            }
            let mut check = self.summary(limits, &loaded, model, found_by.get(), &outcome);
            for (finding, error) in outcome.findings.iter().zip(&mut check.errors) {
                error.n_states = sightings.of(&finding.violation);
            }
            if let Subject::Java(program) = &loaded.subject {
                check.warnings.extend(Notes::of(program, &lessons, &check).warnings());
                if let Some(message) = java::warning_of_own_locks(program) {
                    terminal.warn(&message);
                    check.warnings.push(message);
                }
                // One error is an error, whatever else was not looked at.
                if check.exhausted || check.verdict == Verdict::Bounded {
                    for message in java::warnings_of_inputs(program) {
                        terminal.warn(&message);
                        check.warnings.push(message);
                    }
                }
                if check.exhausted {
                    for text in program.never_applied() {
                        let message = format!("the invariant {text} applied in no state");
                        terminal.warn(&message);
                        check.warnings.push(message);
                    }
                }
            }
            if symmetric {
                check.setup.reduction = match check.setup.reduction.as_str() {
                    "none" => "symmetry".into(),
                    others => format!("{others}+symmetry"),
                };
            }
            check.speed = profile.map(|profile| speed::explain(&profile.tally(), &outcome, loading, notes));
            let n_before: usize = before.iter().map(|check| check.errors.len()).sum();
            let racy = lessons.to_string().lines().map(str::to_owned).collect();
            let options = ModelArgs { racy, ..options.clone() };
            write_traces(args, &options, &outcome, &mut check.errors, n_before, terminal);
            if args.junit.is_some() {
                check.story = self.story(model, &loaded, &lessons, &check, &outcome)?;
            }
            self.print(terminal, &check, Some((model, &outcome)))?;
            if let Subject::Java(program) = &loaded.subject
                && !args.json
                && !args.quiet
            {
                Notes::of(program, &lessons, &check).write(&mut terminal.out, args.options.races)?;
            }
            Ok::<_, Failure>(check)
        })?;
        Ok((check, loaded.claims))
    }

    /// The search that was asked for, or the one that fits.
    fn strategy(&self, acceptance: Acceptance, loaded: &Loaded) -> Result<Strategy, Failure> {
        let is_java = matches!(loaded.subject, Subject::Java(_));
        let fitting = match acceptance {
            // All of them are looked for anyway: then the first run to each error can be a shortest one.
            Acceptance::Nowhere if is_java && self.args.all_errors && !self.store.is_lossy() => Strategy::Bfs,
            Acceptance::Nowhere => Strategy::Dfs,
            _ if workers(self.args) == 1 => Strategy::Scc,
            _ => Strategy::Map,
        };
        let given = self.args.search.map(|search| match search {
            Search::Dfs => Strategy::Dfs,
            Search::Bfs => Strategy::Bfs,
            Search::Switches => Strategy::Switches,
            Search::Preemptions => Strategy::Preemptions,
            Search::Walk => Strategy::Walk,
            Search::Pct => Strategy::Pct,
            Search::Ndfs => Strategy::Ndfs,
            Search::Cndfs => Strategy::Cndfs,
            Search::Map => Strategy::Map,
            Search::Scc => Strategy::Scc,
        });
        let strategy = match given {
            Some(given) if acceptance != Acceptance::Nowhere && !given.finds_cycles() => {
                if self.is_wanted {
                    return Err(Failure::Input(format!(
                        "--search {} finds no cycles, and {} is about them; use ndfs, cndfs, map or scc",
                        given.name(),
                        self.property
                    )));
                }
                fitting
            }
            Some(given) => given,
            None => fitting,
        };
        if self.args.symmetry && strategy.tells_actors_apart() {
            return Err(Failure::Input(format!(
                "--search {} tells processes apart, and --symmetry does not",
                strategy.name()
            )));
        }
        if self.store.is_lossy() && strategy.needs_recall() {
            return Err(Failure::Input(format!(
                "--store {} keeps no states, and a search for cycles needs them",
                stores::name(self.args.store())
            )));
        }
        Ok(strategy)
    }

    /// Whether random walks may come before the search: the program is in Java, and the command line neither names a search nor
    /// asks for more than the first error.
    fn may_walk(&self, loaded: &Loaded, model: &dyn Model) -> bool {
        let args = self.args;
        let is_java = matches!(loaded.subject, Subject::Java(_));
        let is_plain = is_java && args.search.is_none() && args.states.is_none() && args.depth.is_none();
        is_plain && !args.all_errors && !self.store.is_lossy() && model.acceptance() == Acceptance::Nowhere
    }

    fn search(
        &self,
        model: &dyn Model,
        strategy: Strategy,
        observer: &Sightings,
        config: &Config<'_>,
    ) -> Outcome {
        let interrupt = Interrupt::watch();
        let progress = Progress::new(self.args.quiet);
        let show = |sample: &Sample| {
            if let Some(progress) = &progress {
                progress.show(sample);
            }
        };
        let config = Config { stop: Some(interrupt.flag()), progress: Some(&show), ..*config };
        allways_search::search(model, strategy, observer, &config)
    }

    /// A check of which nothing is known yet.
    fn empty_check(&self, verdict: Verdict) -> Check {
        let args = self.args;
        let fair = args.property.fair && self.property != Property::Safety;
        Check {
            model: args.model.to_string_lossy().into_owned(),
            digest: None,
            property: format!("{}{}", self.property, if fair { " (fair)" } else { "" }),
            verdict,
            figures: Figures::default(),
            setup: Setup {
                search: "dfs".into(),
                store: stores::name(args.store()).into(),
                reduction: "none".into(),
                workers: workers(args),
            },
            exhausted: false,
            walks: None,
            n_errors: 0,
            errors: Vec::new(),
            limits: Vec::new(),
            unreached: None,
            unsupported: Vec::new(),
            ignored_claims: Vec::new(),
            warnings: Vec::new(),
            speed: None,
            story: String::new(),
        }
    }

    fn summary(
        &self,
        limits: Limits,
        loaded: &Loaded,
        model: &dyn Model,
        strategy: Strategy,
        outcome: &Outcome,
    ) -> Check {
        let stats = &outcome.stats;
        let exhausted = matches!(outcome.end, End::Exhausted);
        let error = |finding: &allways_search::Finding| ErrorReport {
            cycle: finding.cycle.map(|start| start as u64),
            ..error_report(&finding.violation, Some(finding.path.steps.len() as u64))
        };
        let mut empty = self.empty_check(verdict(outcome));
        empty.setup.reduction = loaded.reduction();
        empty.setup.search = strategy.name().into();
        if strategy.is_sequential() {
            empty.setup.workers = 1;
        }
        if outcome.walks.is_some() {
            // Not kept, but counted by their hashes.
            empty.setup.store = stores::name(Store::Hashcompact).into();
        }
        let is_safety = self.property == Property::Safety;
        Check {
            digest: Some(model.digest()),
            figures: Figures {
                states: stats.states,
                matched: stats.matched,
                transitions: stats.transitions,
                depth: stats.depth,
                elapsed: stats.elapsed,
                memory_bytes: stats.total_bytes,
            },
            exhausted,
            walks: walks::report(self.plan, outcome),
            n_errors: stats.errors,
            errors: outcome.findings.iter().map(error).collect(),
            limits: limits_hit(self.args, limits, outcome),
            // A claim looks at some runs only, so what they do not reach says nothing.
            unreached: (exhausted && is_safety).then(|| unreached(model.points(), &outcome.reached)),
            unsupported: match &outcome.end {
                End::Faulted(fault, _) => {
                    vec![Unsupported { message: fault.message.clone(), location: fault.location.clone() }]
                }
                End::Exhausted | End::Violated | End::Bounded(_) | End::Refine => Vec::new(),
            },
            ignored_claims: if is_safety && self.is_wanted { loaded.claims.clone() } else { Vec::new() },
            warnings: loaded.warnings.clone(),
            ..empty
        }
    }

    /// The first counterexample as plain text, as it is printed.
    fn story(
        &self,
        model: &dyn Model,
        loaded: &Loaded,
        lessons: &Lessons,
        check: &Check,
        outcome: &Outcome,
    ) -> Result<String, Failure> {
        let mut text = Vec::new();
        if let Some(finding) = outcome.findings.first() {
            counterexample::show(model, finding, &mut text, Paint::plain(), self.args.full)?;
            if let Subject::Java(program) = &loaded.subject
                && self.args.options.races
            {
                Notes::of(program, lessons, check).write_races(&mut text, true)?;
            }
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Prints what is known, unless it comes later as JSON.
    fn print(
        &self,
        terminal: &mut Terminal,
        check: &Check,
        found: Option<(&dyn Model, &Outcome)>,
    ) -> Result<(), Failure> {
        let args = self.args;
        if args.json {
            return Ok(());
        }
        let (out, paint) = (&mut terminal.out, terminal.paint);
        let text = CheckText { check, full: args.full, paint };
        if args.quiet {
            return Ok(text.write_verdict(out)?);
        }
        if let Some((model, outcome)) = found
            && let Some(finding) = outcome.findings.first()
        {
            counterexample::show(model, finding, out, paint, args.full)?;
            if let Some(trace) = check.errors.first().and_then(|error| error.trace.as_ref()) {
                let (name, word) = (trace.display(), shell_word(&trace.to_string_lossy()));
                writeln!(out, "written to {name}; see it again with: allways replay {word}\n")?;
            }
        }
        Ok(text.write(out)?)
    }
}

pub(crate) fn workers(args: &CheckArgs) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    args.workers.map_or_else(all, usize::from)
}

/// What an outcome means.
fn verdict(outcome: &Outcome) -> Verdict {
    if outcome.stats.errors > 0 || !outcome.findings.is_empty() {
        return Verdict::Violated;
    }
    match &outcome.end {
        End::Exhausted => Verdict::Holds,
        End::Violated => Verdict::Violated,
        // A search that has something to learn has not seen everything.
        End::Bounded(_) | End::Refine => Verdict::Bounded,
        End::Faulted(..) => Verdict::Unsupported,
    }
}

fn limits_hit(args: &CheckArgs, limits: Limits, outcome: &Outcome) -> Vec<Limit> {
    let End::Bounded(limit) = &outcome.end else { return Vec::new() };
    vec![match limit {
        allways_search::Limit::Time => Limit::Time(limits.time.unwrap_or_default()),
        allways_search::Limit::Memory => Limit::Memory(limits.memory.unwrap_or_default()),
        allways_search::Limit::Depth => Limit::Depth(limits.depth.unwrap_or_default()),
        allways_search::Limit::States => Limit::States(limits.states.unwrap_or_default()),
        allways_search::Limit::Walks => Limit::Walks(outcome.walks.map_or(0, |walks| walks.n_walks)),
        allways_search::Limit::Lossy => Limit::Lossy(stores::estimate(args, limits, outcome)),
        allways_search::Limit::Interrupted | allways_search::Limit::Observer => Limit::Interrupt,
    }]
}

fn unreached(points: &[Point], reached: &[u64]) -> Vec<Point> {
    let is_reached = |idx: usize| reached.get(idx / 64).is_some_and(|word| word >> (idx % 64) & 1 == 1);
    points.iter().enumerate().filter(|(idx, _)| !is_reached(*idx)).map(|(_, point)| point.clone()).collect()
}

/// Writes a trace for every finding. A trace that cannot be written is a pity, but the answer stands.
/// They are numbered from the one after `n_before` on.
fn write_traces(
    args: &CheckArgs,
    options: &ModelArgs,
    outcome: &Outcome,
    errors: &mut [ErrorReport],
    n_before: usize,
    terminal: &mut Terminal,
) {
    let first = args.trace.clone().unwrap_or_else(|| {
        let mut name = args.model.file_name().unwrap_or_default().to_os_string();
        name.push(".trace");
        PathBuf::from(name)
    });
    for (idx, (finding, error)) in outcome.findings.iter().zip(errors).enumerate() {
        let file = files::numbered(&first, n_before + idx + 1);
        let path = finding.path.clone();
        let trace =
            counterexample::trace_file(&args.model, options, Some(&finding.violation), path, finding.cycle);
        match files::write_trace(&file, &trace.to_text()) {
            Ok(()) => error.trace = Some(file),
            Err(reason) => terminal.warn(&format!("cannot write the trace to {}: {reason}", file.display())),
        }
    }
}

/// `text` as one word of a command line.
fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/+=@:,%".contains(c);
    if text.chars().all(plain) { text.into() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::Toy;
    use allways_search::Stats;

    fn outcome(end: End, errors: u64) -> Outcome {
        Outcome {
            end,
            stats: Stats { errors, ..Stats::default() },
            findings: Vec::new(),
            reached: Vec::new(),
            walks: None,
            lesson: Lesson::new(),
        }
    }

    #[test]
    fn only_an_exhausted_search_holds() {
        assert_eq!(verdict(&outcome(End::Exhausted, 0)), Verdict::Holds);
        assert_eq!(verdict(&outcome(End::Exhausted, 1)), Verdict::Violated);
        assert_eq!(verdict(&outcome(End::Bounded(allways_search::Limit::Time), 0)), Verdict::Bounded);
        assert_eq!(verdict(&outcome(End::Bounded(allways_search::Limit::Depth), 2)), Verdict::Violated);
    }

    #[test]
    fn a_file_name_is_one_word() {
        assert_eq!(shell_word("a/b-c.trace"), "a/b-c.trace");
        assert_eq!(shell_word("it's one"), "'it'\\''s one'");
    }

    #[test]
    fn unreached_points_are_those_without_a_bit() {
        let toy = Toy::racing();
        let names: Vec<u32> = unreached(toy.points(), &[0b01]).iter().map(|point| point.state).collect();
        assert_eq!(names, [2]);
        assert_eq!(unreached(toy.points(), &[]).len(), 2);
    }
}
