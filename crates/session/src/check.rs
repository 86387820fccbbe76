//! Checking a property: choose a search, run it, replay what it found, and sum up.
//!
//! The verdict is decided in one function, [`verdict`]: `violated` if anything was found (and replayed),
//! `holds` only if every state was visited, `bounded` for everything in between.

use crate::remarks;
use crate::rounds::Rounds;
use crate::session::{Session, Subject};
use crate::sightings::Sightings;
use crate::symmetry::Symmetry;
use crate::{Error, Language, Plan, Property, Request, Watch, stores, symmetry, verify};
use allways_java::Program;
use allways_model::{Acceptance, Fault, Lesson, Lessons, Model, Point, Refined};
use allways_report::{
    Chance, Check, CoverageReport, ErrorReport, Figures, Limit, PhasesReport, Remarks, Setup, Unsupported,
    Verdict, WalkReport,
};
use allways_search::{
    Config, Coverage, End, Finding, Observer, Outcome, Profile, Sample, Source, StoreKind, Strategy, WalkPlan,
};
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// What a check gives.
pub struct Checked {
    /// The result as data.
    pub check: Check,
    /// The violations with their runs, as many as [`Check::errors`], in their order. All were replayed.
    pub findings: Vec<Finding>,
    /// What the search has learnt: runs are replayed with it.
    pub lessons: Lessons,
    /// What else was seen.
    pub remarks: Vec<Remarks>,
    /// Warnings that concern this search; they are among those of the check too.
    pub warnings: Vec<String>,
    /// Whether the states that were seen are normal forms, which do not tell interchangeable processes apart.
    pub is_symmetric: bool,
}

impl Session {
    /// Checks the property.
    ///
    /// # Errors
    /// If the plan does not fit the property, or the tool contradicts itself.
    pub fn check(&self, plan: &Plan, watch: &Watch<'_>) -> Result<Checked, Error> {
        let checker = Checker { session: self, plan, store: self.store(plan) };
        self.with_model(|model| checker.run(model, watch))
    }

    /// The store that a plan asks for, or the one that suits the language.
    pub(crate) fn store(&self, plan: &Plan) -> StoreKind {
        store(plan, self.language == Language::Java)
    }

    /// A check of which nothing is known yet.
    #[must_use]
    pub fn empty_check(&self, plan: &Plan, verdict: Verdict) -> Check {
        let mut check = empty_check(&self.request, plan, verdict);
        (check.warnings, check.setup.reduction) = (self.parts.warnings.clone(), self.reduction());
        check
    }
}

/// Vectors of Java programs are long, and have many parts in common.
fn store(plan: &Plan, is_java: bool) -> StoreKind {
    plan.store.unwrap_or(if is_java { StoreKind::Collapse } else { StoreKind::Exact })
}

/// The check of a model that may not be there.
#[must_use]
pub fn empty_check(request: &Request, plan: &Plan, verdict: Verdict) -> Check {
    let store = store(plan, matches!(request.language(), Ok(Language::Java)));
    let fair = request.fair && request.property != Property::Safety;
    let left_out = [("no-assertions", " (no assertions)"), ("no-end-states", " (no end states)")];
    let mut property = request.property.to_string();
    for (_, words) in left_out.into_iter().filter(|(option, _)| request.settings.is_on(option)) {
        property += words;
    }
    if let Some(n) = request.settings.value("spurious").filter(|&n| n != "0") {
        property += &format!(" (up to {n} spurious {})", if n == "1" { "wake-up" } else { "wake-ups" });
    }
    if let Some(words) = crate::java::failures_in_words(request) {
        property += &format!(" ({words})");
    }
    match request.settings.value("timeouts") {
        Some("idle") => property += " (time-outs when idle)",
        Some("punctual") => property += " (punctual time-outs)",
        _ => {}
    }
    if fair {
        property += " (fair)";
    }
    Check {
        model: request.model.to_string_lossy().into_owned(),
        digest: None,
        spec_digest: None,
        property,
        verdict,
        figures: Figures::default(),
        setup: Setup {
            search: "dfs".into(),
            store: store.name().into(),
            reduction: "none".into(),
            workers: plan.workers,
        },
        exhausted: false,
        walks: None,
        cache: None,
        coverage: None,
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

/// Searches a program breadth first with one failure after the other allowed, so that each violation is shown
/// in a run with as few of them as it takes. Other searches are those of the whole budget.
fn fewest_failures(
    program: &Program,
    strategy: Strategy,
    plan: &Plan,
    search: impl Fn() -> Outcome,
) -> Outcome {
    let most = program.options().failures.most;
    if strategy != Strategy::Bfs || most == 0 {
        return search();
    }
    let mut found: Vec<Finding> = Vec::new();
    for n in 0.. {
        program.limit_failures(n);
        let mut outcome = search();
        let is_known =
            |finding: &Finding| found.iter().any(|known| known.violation.id() == finding.violation.id());
        let new: Vec<Finding> = outcome.findings.iter().filter(|one| !is_known(one)).cloned().collect();
        found.extend(new);
        let is_whole = matches!(outcome.end, End::Exhausted | End::Violated);
        if n == most || !is_whole || (!plan.all_errors && !found.is_empty()) {
            program.limit_failures(u32::MAX);
            outcome.findings = found;
            return outcome;
        }
    }
    unreachable!("the budget is reached")
}

/// The check of one property.
struct Checker<'a> {
    session: &'a Session,
    plan: &'a Plan,
    store: StoreKind,
}

/// The searches of one check.
struct Searched<'a> {
    outcome: Outcome,
    strategy: Strategy,
    lessons: Lessons,
    sightings: Sightings<'a>,
    symmetry: Symmetry,
}

impl Checker<'_> {
    fn run(&self, model: &dyn Model, watch: &Watch<'_>) -> Result<Checked, Error> {
        let begun = Instant::now();
        let profile = self.plan.profile.then(Profile::new);
        let mut searched = self.search(model, watch, profile.as_ref())?;
        let refined = Refined::new(model, &searched.lessons);
        for finding in &mut searched.outcome.findings {
            if self.plan.shortest {
                *finding = allways_search::shorten(&refined, finding, &self.plan.limits_left(begun));
            }
            verify::finding(&refined, finding)?;
            finding.violation.background = refined.background(&finding.path.steps, &finding.violation);
            if finding.cycle.is_some() {
                finding.violation = self.session.violation_by_cycle();
            }
        }
        let mut check = self.summary(&refined, &searched);
        let Searched { outcome, lessons, sightings, symmetry: Symmetry { notes: symmetry, useless }, .. } =
            searched;
        let is_symmetric = self.plan.symmetry && useless.is_none();
        for (finding, error) in outcome.findings.iter().zip(&mut check.errors) {
            error.n_states = sightings.of(&finding.violation);
        }
        let (mut remarks, mut warnings) = (Vec::new(), Vec::new());
        if let Subject::Java(program) = &self.session.parts.subject {
            remarks = remarks::of(program, &lessons, &check);
            warnings = remarks::warnings(program, &check);
            let seen = remarks.iter().flat_map(|one| one.lines.iter().map(|(line, _)| line.clone()));
            check.warnings.extend(seen.chain(warnings.iter().cloned()));
        }
        let known = check.warnings.clone();
        let noticed: Vec<String> = model.noticed().into_iter().filter(|one| !known.contains(one)).collect();
        check.warnings.extend(noticed.iter().chain(&useless).cloned());
        warnings.extend(noticed);
        warnings.extend(useless);
        check.speed = profile.map(|profile| self.session.speed(&profile.tally(), &outcome, symmetry));
        Ok(Checked { check, findings: outcome.findings, lessons, remarks, warnings, is_symmetric })
    }

    /// Searches, again for as long as searches learn something.
    fn search<'w>(
        &self,
        model: &dyn Model,
        watch: &Watch<'w>,
        profile: Option<&Profile>,
    ) -> Result<Searched<'w>, Error> {
        let plan = self.plan;
        let strategy = self.strategy(model.acceptance())?;
        let (found_by, sightings) = (Cell::new(strategy), Sightings::new(plan.all_errors, watch.found));
        let lessons = RefCell::new(Lessons::new());
        let config = Config {
            store: self.store,
            all_errors: plan.all_errors,
            reduce: match &self.session.parts.subject {
                Subject::Promela(program) => program.reductions().order,
                Subject::Java(program) => program.is_ordered(),
            },
            sleep: !plan.every_step,
            limits: plan.limits_left(Instant::now()),
            share: plan.share(),
            walks: plan.walks,
            stop: watch.stop,
            full: watch.full,
            progress: watch.progress,
            overrun: watch.overrun,
            profile,
            ..Config::new(plan.workers)
        };
        let observer = (&sightings, watch.observers);
        let begun = Instant::now();
        let run = |model: &dyn Model| {
            // Searches with one budget of failures after the other share the time.
            let config = Config { limits: plan.limits_left(begun), ..config };
            // An earlier run does not count.
            observer.round(&Lesson::new());
            let one =
                |strategy, config: &Config<'_>| allways_search::search(model, strategy, &observer, config);
            let rounds = Rounds { config, observer: &observer, search: &one };
            let (outcome, by) = rounds.run(strategy, self.may_walk(model), &mut lessons.borrow_mut());
            found_by.set(by);
            outcome
        };
        let is_safety = self.session.request.property == Property::Safety;
        let (outcome, symmetry) = match &self.session.parts.subject {
            Subject::Promela(program) if plan.symmetry && program.is_dynamic() => {
                return Err(Error::Input(
                    "--symmetry cannot be used with pointers, objects or functions: their heaps are not exchanged"
                        .into(),
                ));
            }
            Subject::Promela(program) if plan.symmetry && is_safety => symmetry::search(program, run),
            Subject::Promela(_) if plan.symmetry => {
                let property = &self.session.request.property;
                let useless = format!("--symmetry had no effect: it is for safety, and not for {property}");
                (run(model), Symmetry { useless: Some(useless), ..Symmetry::default() })
            }
            Subject::Java(_) if plan.symmetry => {
                return Err(Error::Input("--symmetry is for Promela models".into()));
            }
            Subject::Java(program) => {
                (fewest_failures(program, strategy, plan, || run(model)), Symmetry::default())
            }
            _ => (run(model), Symmetry::default()),
        };
        Ok(Searched { outcome, strategy: found_by.get(), lessons: lessons.into_inner(), sightings, symmetry })
    }

    /// The search that was asked for, or the one that fits.
    fn strategy(&self, acceptance: Acceptance) -> Result<Strategy, Error> {
        let plan = self.plan;
        let is_java = self.session.language == Language::Java;
        let fitting = match acceptance {
            // All errors are wanted anyway: then the first run to each can be a shortest one.
            Acceptance::Nowhere if is_java && plan.all_errors && self.store.keeps_states() => Strategy::Bfs,
            Acceptance::Nowhere => Strategy::Dfs,
            _ if self.store.is_lossy() => Strategy::Ndfs,
            _ if plan.workers == 1 => Strategy::Scc,
            _ => Strategy::Map,
        };
        if matches!(self.store, StoreKind::Cache(_)) && acceptance != Acceptance::Nowhere {
            return Err(Error::Input(format!(
                "--store cache forgets states, and {} is about cycles of them; use exact, tree or collapse",
                self.session.request.property
            )));
        }
        let strategy = match plan.search {
            Some(given) if acceptance != Acceptance::Nowhere && !given.finds_cycles() => {
                if plan.is_wanted {
                    return Err(Error::Input(format!(
                        "--search {} finds no cycles, and {} is about them; use ndfs, cndfs, map or scc",
                        given.name(),
                        self.session.request.property
                    )));
                }
                fitting
            }
            Some(given) => given,
            None => fitting,
        };
        if plan.symmetry && strategy.tells_actors_apart() {
            return Err(Error::Input(format!(
                "--search {} tells processes apart, and --symmetry does not",
                strategy.name()
            )));
        }
        let is_cache = matches!(self.store, StoreKind::Cache(_));
        if is_cache && strategy != Strategy::Dfs && !plan.is_walk() {
            return Err(Error::Input(format!(
                "--store cache forgets states, and --search {} needs them; use --search dfs",
                strategy.name()
            )));
        }
        if self.store.is_lossy() && strategy.needs_recall() {
            return Err(Error::Input(format!(
                "--store {} keeps no states, and --search {} needs them; cycles can be searched for with ndfs",
                self.store.name(),
                strategy.name()
            )));
        }
        Ok(strategy)
    }

    /// Whether random walks may come before the search: the program is in Java, and the plan neither names a
    /// search nor asks for more than the first error.
    fn may_walk(&self, model: &dyn Model) -> bool {
        let (plan, limits) = (self.plan, self.plan.limits);
        let is_java = self.session.language == Language::Java;
        let is_plain = plan.search.is_none() && limits.states.is_none() && limits.depth.is_none();
        is_java
            && is_plain
            && !plan.all_errors
            && !self.store.is_lossy()
            && model.acceptance() == Acceptance::Nowhere
    }

    fn summary(&self, model: &dyn Model, searched: &Searched<'_>) -> Check {
        let (plan, session) = (self.plan, self.session);
        let Searched { outcome, strategy, .. } = searched;
        let stats = &outcome.stats;
        let exhausted = matches!(outcome.end, End::Exhausted);
        let error = |finding: &Finding| ErrorReport {
            cycle: finding.cycle.map(|start| start as u64),
            ..ErrorReport::of(&finding.violation, Some(finding.path.steps.len() as u64))
        };
        let empty = session.empty_check(plan, verdict(outcome));
        let is_safety = session.request.property == Property::Safety;
        let mut reduction = session.reduction();
        if plan.symmetry && searched.symmetry.useless.is_none() {
            reduction = match reduction.as_str() {
                "none" => "symmetry".into(),
                others => format!("{others}+symmetry"),
            };
        }
        // Random walks do not keep states, but count them by their hashes.
        let store = if outcome.walks.is_some() { StoreKind::HashCompact } else { self.store };
        Check {
            digest: Some(model.digest()),
            setup: Setup {
                search: strategy.name().into(),
                store: store.name().into(),
                reduction,
                workers: self.n_workers(*strategy),
            },
            figures: Figures {
                states: stats.states,
                matched: stats.matched,
                transitions: stats.transitions,
                depth: stats.depth,
                elapsed: stats.elapsed,
                memory_bytes: stats.total_bytes,
                varies: self.varies(searched),
            },
            exhausted,
            walks: walk_report(plan.walks, outcome),
            cache: outcome.cached.as_ref().map(stores::cache_report),
            coverage: outcome.coverage.filter(|_| verdict(outcome) == Verdict::Bounded).map(coverage_report),
            n_errors: stats.errors,
            errors: outcome.findings.iter().map(error).collect(),
            limits: self.limits_hit(outcome, *strategy),
            // A claim follows some runs only, so what they do not reach says nothing.
            unreached: (exhausted && is_safety).then(|| unreached(model.points(), &outcome.reached)),
            unsupported: match &outcome.end {
                End::Faulted(fault, _) => {
                    vec![Unsupported { message: fault.message.clone(), location: fault.location.clone() }]
                }
                End::Exhausted | End::Violated | End::Bounded(_) | End::Cut(_) | End::Refine => Vec::new(),
            },
            ignored_claims: if is_safety && plan.is_wanted {
                session.parts.claims.clone()
            } else {
                Vec::new()
            },
            ..empty
        }
    }

    /// Why another run of the same search may count differently, if it may: several workers visit states in
    /// another order each time.
    fn varies(&self, searched: &Searched<'_>) -> Option<String> {
        let Searched { strategy, outcome, .. } = searched;
        let n_workers = self.n_workers(*strategy);
        if n_workers == 1 {
            return None;
        }
        let what = match &self.session.parts.subject {
            _ if outcome.walks.is_some() => return None,
            // Which of two states is visited first decides which steps are omitted, but for the level proviso
            // of `bfs`, which depends on levels alone.
            Subject::Promela(program) if program.reductions().order && *strategy != Strategy::Bfs => {
                "order reduction"
            }
            Subject::Java(program) if program.is_ordered() && *strategy != Strategy::Bfs => "order reduction",
            // Which conflicts are seen before the search begins again decides what is interleaved.
            Subject::Java(_) if !searched.lessons.is_empty() => "conflicts reduction",
            _ if self.store.is_lossy() => "lossy store",
            _ => return None,
        };
        Some(format!("{what} with {n_workers} workers"))
    }

    /// How many workers a search has. Those of a swarm search alone, whatever they do.
    fn n_workers(&self, strategy: Strategy) -> usize {
        let is_swarm = matches!(self.store, StoreKind::Swarm(..)) && strategy == Strategy::Ndfs;
        let is_sequential = strategy.is_sequential()
            || matches!(self.store, StoreKind::Cache(_)) && strategy == Strategy::Dfs;
        if is_sequential && !is_swarm { 1 } else { self.plan.workers }
    }

    fn limits_hit(&self, outcome: &Outcome, strategy: Strategy) -> Vec<Limit> {
        use allways_search::Limit as Hit;
        let limit = match &outcome.end {
            End::Bounded(limit) => limit,
            End::Cut(Fault { limit: Some(name), message, location }) => {
                let place = location.as_ref().map_or_else(String::new, |at| format!(" at {at}"));
                return vec![Limit::OfModel(name, format!("{message}{place}"))];
            }
            _ => return Vec::new(),
        };
        let Plan { limits, workers, .. } = *self.plan;
        vec![match limit {
            Hit::Lossy => {
                let n_filters = if strategy == Strategy::Ndfs { 2 } else { 1 };
                Limit::Lossy(stores::estimate(self.store, workers, n_filters, limits, outcome))
            }
            Hit::Walks => Limit::Walks(outcome.walks.map_or(0, |walks| walks.n_walks)),
            Hit::Stack => stores::stack_limit(limits, outcome.cached.as_ref()),
            Hit::Redundancy => stores::redundancy_limit(outcome.cached.as_ref()),
            hit => given_limit(*hit, self.plan),
        }]
    }
}

/// A limit that a plan gives.
fn given_limit(hit: allways_search::Limit, plan: &Plan) -> Limit {
    use allways_search::Limit as Hit;
    let limits = plan.limits;
    match hit {
        Hit::Time => Limit::Time(limits.time.unwrap_or_default()),
        Hit::Memory => Limit::Memory(limits.memory.unwrap_or_default()),
        Hit::Depth => Limit::Depth(limits.depth.unwrap_or_default()),
        Hit::States => Limit::States(limits.states.unwrap_or_default()),
        Hit::Walks | Hit::Lossy | Hit::Stack | Hit::Redundancy | Hit::Interrupted | Hit::Observer => {
            Limit::Interrupt
        }
    }
}

/// A check that had to be given up at a limit, which its search could not keep: with what the search had
/// counted.
#[must_use]
pub fn given_up(
    check: Check,
    plan: &Plan,
    limit: allways_search::Limit,
    sample: Option<Sample>,
    elapsed: Duration,
) -> Check {
    // A search that has ended by itself has said why, and how far it came.
    if check.verdict != Verdict::Bounded || !check.limits.is_empty() {
        return check;
    }
    let figures = sample.map_or_else(Figures::default, |sample| Figures {
        states: sample.states,
        matched: sample.transitions.saturating_sub(sample.states),
        transitions: sample.transitions,
        depth: sample.depth,
        memory_bytes: sample.bytes,
        ..Figures::default()
    });
    let coverage = sample.and_then(|sample| sample.coverage).map(coverage_report);
    let limits = vec![given_limit(limit, plan)];
    Check { limits, coverage, figures: Figures { elapsed, ..figures }, ..check }
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
        End::Bounded(_) | End::Cut(_) | End::Refine => Verdict::Bounded,
        End::Faulted(..) => Verdict::Unsupported,
    }
}

fn unreached(points: &[Point], reached: &[u64]) -> Vec<Point> {
    let is_reached = |idx: usize| reached.get(idx / 64).is_some_and(|word| word >> (idx % 64) & 1 == 1);
    points.iter().enumerate().filter(|(idx, _)| !is_reached(*idx)).map(|(_, point)| point.clone()).collect()
}

/// How much of the graph an unfinished search has seen.
pub(crate) fn coverage_report(coverage: Coverage) -> CoverageReport {
    CoverageReport {
        phases: coverage.phases.map(|phases| PhasesReport {
            sampled: phases.sampled,
            left: phases.left,
            rates: phases.rates(),
        }),
        source: coverage.source.name(),
        is_rough: coverage.source.is_rough(),
        at_most: coverage.bound(),
        estimate: coverage.estimate(),
        walks: coverage.walks,
        steps: coverage.steps,
        new_states: coverage.distinct,
    }
}

/// What follows from walks from states that were not expanded, which somebody else made: the known states,
/// their depth, walks, their steps, those that came back, the distinct states met, those met once and twice.
#[must_use]
pub fn coverage_of_walks(numbers: [u64; 8]) -> CoverageReport {
    let [known, depth, walks, steps, returns, distinct, once, twice] = numbers;
    let source = Source::Frontier;
    coverage_report(Coverage {
        source,
        known,
        depth,
        walks,
        steps,
        returns,
        distinct,
        once,
        twice,
        sampling: 0,
        phases: None,
    })
}

/// What random walks have seen, if the search was made of them.
fn walk_report(plan: WalkPlan, outcome: &Outcome) -> Option<WalkReport> {
    let walks = outcome.walks?;
    Some(WalkReport {
        seed: plan.seed,
        n_walks: walks.n_walks,
        n_steps: walks.n_steps,
        cut: (walks.n_cut > 0).then_some((walks.n_cut, walks.max_steps)),
        expected_new: walks.expected_new(),
        unseen: walks.unseen(),
        chance: walks.guarantee.map(|guarantee| Chance {
            bug_depth: guarantee.bug_depth,
            n_processes: guarantee.n_actors,
            n_steps: guarantee.n_steps,
            n_walks: guarantee.n_walks,
            of_one: guarantee.of_one(),
            of_all: guarantee.of_all(),
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use allways_search::Stats;

    fn outcome(end: End, errors: u64) -> Outcome {
        Outcome {
            end,
            stats: Stats { errors, ..Stats::default() },
            findings: Vec::new(),
            reached: Vec::new(),
            walks: None,
            cached: None,
            coverage: None,
            lesson: allways_model::Lesson::new(),
        }
    }

    #[test]
    fn only_an_exhausted_search_holds() {
        assert_eq!(verdict(&outcome(End::Exhausted, 0)), Verdict::Holds);
        assert_eq!(verdict(&outcome(End::Exhausted, 1)), Verdict::Violated);
        assert_eq!(verdict(&outcome(End::Refine, 0)), Verdict::Bounded);
        assert_eq!(verdict(&outcome(End::Bounded(allways_search::Limit::Time), 0)), Verdict::Bounded);
        assert_eq!(verdict(&outcome(End::Bounded(allways_search::Limit::Depth), 2)), Verdict::Violated);
    }

    #[test]
    fn unreached_points_are_those_without_a_bit() {
        let point = |state| Point { owner: "p".into(), location: None, state, text: String::new() };
        let points = [point(1), point(2)];
        let states =
            |reached: &[u64]| unreached(&points, reached).iter().map(|p| p.state).collect::<Vec<_>>();
        assert_eq!(states(&[0b01]), [2]);
        assert_eq!(states(&[]), [1, 2]);
    }
}
