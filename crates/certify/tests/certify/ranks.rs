//! Certificates that no run goes wrong without end: formulas that hold, with weak fairness and without.

use crate::forged::{Forged, certificate_by, certify, has, temporary, written};
use crate::oracle;
use crate::shared;
use crate::tampering::tamper_with;
use allways_certify::print::Exact;
use allways_certify::{Answer, Deviation, Error, How, Question};
use allways_model::certificate::script::Standing;
use allways_model::certificate::{Kind, streams};
use allways_promela::load_text;
use allways_session::{Limits, Plan, Property, Request, Session, Strategy, parse_reductions};
use allways_testkit::random_promela::{Rng, formula, generate, propositions};
use std::path::Path;

const SEARCHES: [(Strategy, usize); 5] =
    [(Strategy::Scc, 1), (Strategy::Ndfs, 1), (Strategy::Map, 1), (Strategy::Map, 3), (Strategy::Cndfs, 2)];

fn opened(file: &Path, property: &Property, fair: bool, reduce: &str) -> (Session, Question) {
    let reductions = parse_reductions(reduce).unwrap();
    let request = Request { property: property.clone(), fair, reductions, ..Request::new(file) };
    let question =
        Question { model: file.into(), property: property.to_string(), fair, ..Question::default() };
    (Session::open(request).unwrap(), question)
}

fn plan((search, workers): (Strategy, usize)) -> Plan {
    let limits = Limits { states: Some(10_000), ..Limits::NONE };
    Plan { search: Some(search), workers, limits, ..Plan::default() }
}

/// What a seed showed.
#[derive(Default)]
struct Tally {
    n_accepted: usize,
    n_fair: usize,
    /// How many have states that are expanded in part, and how many of these need detours.
    n_parts: usize,
    n_detours: usize,
    n_refused: usize,
    n_still_valid: usize,
}

impl Tally {
    /// A random formula, if it holds: its certificate is accepted. With one rank changed it is accepted if,
    /// and only if, the ranks are still as they should.
    fn seed(&mut self, seed: u64) {
        let model = generate(seed);
        let rng = &mut Rng::new(seed ^ 0x72_616e);
        let Some(program) = load_text("model.pml", &model.source).program else { return };
        let list = propositions(rng, &program, true);
        let text = format!("{}\nltl property {{ {} }}\n", model.source, formula(rng, &list, 3));
        let file = written("formula.pml", &text);
        let fair = rng.chance(40);
        let reduce = if rng.chance(60) { "all" } else { "none" };
        let (session, question) = opened(&file, &Property::Claim("property".into()), fair, reduce);
        let search = SEARCHES[rng.below(SEARCHES.len() as u32) as usize];
        let bytes = certificate_by(&session, &plan(search));
        let bytes = match bytes {
            Ok(bytes) => bytes,
            // Violated, and ended by the limit before that was noticed.
            Err(why) if why.contains("a cycle through accepting states") => {
                return std::fs::remove_file(file).unwrap();
            }
            Err(why) => panic!("seed {seed}, {search:?}: {why}"),
        };
        let script = match crate::forged::blocks(&bytes).unwrap().0.kind {
            Kind::Graph => Forged::of(&bytes),
            // Too large, or violated.
            Kind::Bounded | Kind::Tree | Kind::Violation { .. } => {
                return std::fs::remove_file(file).unwrap();
            }
        };
        let name = temporary("formula.cert");
        std::fs::write(&name, &bytes).unwrap();
        let report = allways_certify::certify(&name, &question, &How::default());
        let report = report.unwrap_or_else(|error| panic!("seed {seed}, {search:?}, {reduce}: {error}"));
        assert!(report.holds() && matches!(report.answer, Answer::Graph { .. }));
        std::fs::remove_file(name).unwrap();
        let n_tasks = 1 + (seed % 4) as u16;
        let merged = shared::merged(&bytes, &question, n_tasks);
        let merged = merged.unwrap_or_else(|error| panic!("seed {seed}, {n_tasks} tasks: {error}"));
        assert_eq!((merged.n_states, merged.n_violations), (script.totals.0, 0));
        self.n_accepted += 1;
        self.n_fair += usize::from(fair);
        self.n_parts += usize::from(has(&script, streams::ROUNDS));
        self.n_detours += usize::from(has(&script, streams::DETOURS));
        session.with_model(|model| {
            for _ in 0..4 {
                let mut other = script.clone();
                let Standing { rank, .. } =
                    &mut other.standings[rng.below(script.standings.len() as u32) as usize];
                *rank = [*rank + 1, rank.saturating_sub(1), *rank + 2][rng.below(3) as usize];
                let is_valid = oracle::numbered(model, &other).is_some();
                let in_tasks = shared::merged(&other.to_bytes(), &question, n_tasks);
                assert_eq!(in_tasks.is_ok(), is_valid, "seed {seed}, {n_tasks} tasks: {:?}", in_tasks.err());
                match certify(model, &other.to_bytes(), &Exact) {
                    Ok(_) if is_valid => self.n_still_valid += 1,
                    Err(Error::Veracity(error)) if !is_valid => {
                        assert!(matches!(error.deviation, Deviation::Rank { .. }), "{error}");
                        self.n_refused += 1;
                    }
                    other => panic!("seed {seed}: {is_valid}, {other:?}"),
                }
            }
        });
        std::fs::remove_file(file).unwrap();
    }
}

fn seeds(seeds: std::ops::Range<u64>, least: usize) {
    let mut tally = Tally::default();
    seeds.for_each(|seed| tally.seed(seed));
    let Tally { n_accepted, n_fair, n_parts, n_detours, n_refused, n_still_valid } = tally;
    println!("{n_accepted} accepted, {n_fair} fair, {n_parts} reduced, {n_detours} with detours");
    println!("one rank changed: {n_refused} refused, {n_still_valid} still valid");
    assert!(n_accepted >= least && n_fair > least / 8 && n_parts > least / 8);
    assert!(n_refused > least && n_still_valid > 0);
}

#[test]
fn formulas_that_hold() {
    seeds(0..120, 30);
}

#[test]
#[ignore = "takes minutes"]
fn two_hundred_formulas_that_hold() {
    seeds(1000..1900, 200);
}

/// Two processes; one goes on without end, the other comes to an end.
const SPINS: &str = "byte y, n; active proctype p() { bit i; do :: i = 1 - i od }
active proctype q() { do :: n < 3 -> n++; y = 1; y = 0 :: n == 3 -> break od }";

fn script(property: &str, fair: bool, reduce: &str, search: (Strategy, usize)) -> (Session, Forged) {
    let file = written("spins.pml", SPINS);
    let (session, _) = opened(&file, &Property::Formula(property.into()), fair, reduce);
    let bytes = certificate_by(&session, &plan(search)).unwrap();
    std::fs::remove_file(file).unwrap();
    (session, Forged::of(&bytes))
}

fn error_of(session: &Session, script: &Forged) -> Deviation {
    match session.with_model(|model| certify(model, &script.to_bytes(), &Exact)) {
        Err(Error::Veracity(error)) => error.deviation,
        other => panic!("{other:?}"),
    }
}

#[test]
fn wrong_ranks_are_named() {
    let (session, good) = script("[] (y == 1 -> <> (y == 0))", true, "none", (Strategy::Scc, 1));
    assert!(session.with_model(|model| certify(model, &good.to_bytes(), &Exact)).is_ok());
    let most = good.standings.iter().map(|one| one.rank).max().unwrap();
    assert!(most > 0, "there is an accepting state");

    let mut flat = good.clone();
    flat.standings.iter_mut().for_each(|one| one.rank = 5);
    let stays = error_of(&session, &flat);
    assert!(matches!(stays, Deviation::Rank { from: 5, to: 5, is_accepting: true, .. }), "{stays}");

    let mut rises = good.clone();
    rises.standings[0].rank = 0;
    let rises = error_of(&session, &rises);
    assert!(matches!(rises, Deviation::Rank { from: 0, is_accepting: false, .. }), "{rises}");

    let mut none = good.clone();
    none.header.streams &= !streams::RANKS;
    assert!(error_of(&session, &none).to_string().contains("states have no ranks"));

    let mut other = good.clone();
    other.header.streams |= streams::DETOURS;
    assert!(error_of(&session, &other).to_string().contains("none is expanded in part"));
}

#[test]
fn ranks_without_a_use_are_refused() {
    let file = written("ranked.pml", SPINS);
    let (session, _) = opened(&file, &Property::Safety, false, "none");
    let mut script = Forged::of(&certificate_by(&session, &plan((Strategy::Dfs, 1))).unwrap());
    script.header.streams |= streams::RANKS;
    assert!(error_of(&session, &script).to_string().contains("needs none"));
    std::fs::remove_file(file).unwrap();
}

/// A run of two states that keeps another process from its step: it closes a cycle of states in part.
#[test]
fn steps_that_are_omitted_on_a_cycle() {
    use allways_model::certificate::script::Target;
    let (session, good) = script("[] (y < 2)", false, "all", (Strategy::Scc, 1));
    assert!(has(&good, streams::ROUNDS));
    let mut lazy = good.clone();
    lazy.header.streams &= !(streams::DETOURS | streams::MARKS);
    lazy.states.truncate(2);
    for (state, target) in lazy.states.iter_mut().zip([Target::New, Target::Old(1)]) {
        (state.rounds, state.targets, state.marks) = (1, vec![target], vec![false]);
    }
    lazy.count();
    lazy.standings = vec![Standing::default(); 2];
    let error = error_of(&session, &lazy);
    assert!(matches!(error, Deviation::Cycling { number: 1 } | Deviation::Ignoring), "{error}");
    // No detours make it one that is not.
    lazy.header.streams |= streams::DETOURS;
    for (first, second) in [(0, 1), (1, 0), (9, 9)] {
        (lazy.standings[0].detour, lazy.standings[1].detour) = (first, second);
        assert!(matches!(error_of(&session, &lazy), Deviation::Cycling { .. } | Deviation::Ignoring));
    }
}

#[test]
fn changed_scripts_with_ranks_are_refused() {
    for (fair, reduce) in [(false, "none"), (true, "none"), (false, "all")] {
        let (session, script) = script("[] (y < 2)", fair, reduce, (Strategy::Scc, 1));
        tamper_with(&session, &script.to_bytes(), 300);
    }
    let (session, script) = script("[] (y == 1 -> <> (y == 0))", true, "all", (Strategy::Map, 2));
    tamper_with(&session, &script.to_bytes(), 300);
}

/// What a limit ended has ranks too, and says which states it did not expand.
#[test]
fn partial_certificates_have_ranks() {
    let file = written("partial.pml", SPINS);
    let formula = Property::Formula("[] (y == 1 -> <> (y == 0))".into());
    let (session, question) = opened(&file, &formula, true, "none");
    for search in SEARCHES {
        let limits = Limits { states: Some(20), ..Limits::NONE };
        let bytes = certificate_by(&session, &Plan { limits, ..plan(search) }).unwrap();
        assert_eq!(Forged::of(&bytes).header.kind, Kind::Bounded);
        let name = temporary("partial.cert");
        std::fs::write(&name, &bytes).unwrap();
        let report = allways_certify::certify(&name, &question, &How::default()).unwrap();
        assert!(report.is_partial());
        let Answer::Graph { certified, .. } = report.answer else { panic!("a graph") };
        let merged = shared::merged(&bytes, &question, 3).unwrap();
        assert_eq!((merged.n_states, merged.n_open), (certified.n_states, certified.n_open));
        std::fs::remove_file(name).unwrap();
    }
    std::fs::remove_file(file).unwrap();
}
