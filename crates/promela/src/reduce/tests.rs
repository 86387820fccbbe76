//! What an observer sees with reductions is what it sees without: tried on random models with random
//! propositions.
//!
//! Both graphs are built state by state, the reduced one depth first with the proviso that a set which leaves
//! others out has no successor on the stack. Then the sequences of values that the propositions can take
//! along runs are compared, repetitions aside: both graphs are made deterministic by sets of states, and
//! walked in step. Where a run can continue without end (or ends) without another value, it must be able to
//! do so in both.

use super::Reductions;
use crate::ir::{Expr, Notation, Pc, Poll, ProctypeId, ScalarPlace, Type, Variable};
use crate::lower::Lowered;
use crate::machine::{Eval, Troubles};
use crate::program::Program;
use crate::syntax::ast::{BinaryOp, ChanQuery, Span};
use allways_model::{Batch, Lessons, Model, StepKey, ViolationKind};
use allways_testkit::random_promela::{Rng, generate};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Larger models are left out.
const MAX_STATES: usize = 3_000;
/// Fair runs are looked for in smaller graphs.
const MAX_FAIR: usize = 300;
/// So many pairs of sets of states are compared at most.
const MAX_PAIRS: usize = 3_000;

type State = Vec<u8>;
/// What is observed in a state.
type Seen = Vec<i32>;

struct Graph {
    seen: Vec<Seen>,
    successors: Vec<Vec<usize>>,
    /// Who takes the step to each successor.
    actors: Vec<Vec<usize>>,
    /// Who could take a step, as a set, also where not all of them are tried.
    movers: Vec<u64>,
}

/// The process that begins a step.
fn actor(key: StepKey) -> usize {
    (key.0 >> 32) as usize
}

fn movers(batch: &Batch) -> u64 {
    batch.entries().iter().fold(0, |set, entry| set | 1 << actor(entry.key).min(63))
}

/// The values of the propositions and labels that are observed.
fn look(program: &Program, state: &[u8]) -> Seen {
    let lowered = program.lowered();
    let (layouts, memory) = program.memory(state);
    let trouble = Troubles::default();
    let eval = Eval::new(lowered, &layouts, &memory, usize::MAX, &trouble);
    let value = |e: &Expr| {
        let value = eval.eval(e);
        if trouble.is_empty() {
            return value;
        }
        trouble.take();
        i32::MIN
    };
    let mut seen: Seen = lowered.propositions.iter().map(value).collect();
    let processes = &layouts.get(memory.layout).processes;
    let is_at = |labels: &dyn Fn(usize) -> Vec<bool>| {
        let at = |(pid, ty): (usize, usize)| labels(ty)[eval.pc_of(pid as i32) as usize];
        processes.iter().enumerate().map(|(pid, slot)| (pid, usize::from(slot.ty.0))).any(at)
    };
    if lowered.observes_accept_labels {
        seen.push(i32::from(is_at(&|ty| lowered.proctypes[ty].accept.clone())));
    }
    if lowered.observes_progress_labels {
        seen.push(i32::from(is_at(&|ty| lowered.proctypes[ty].progress.clone())));
    }
    seen
}

/// Builds the graph of a program; nothing if it is too large, or a run goes wrong in it.
fn graph(program: &Program) -> Option<Graph> {
    let mut cursor = program.cursor(Lessons::none());
    let mut batch = Batch::new();
    cursor.initial(&mut batch).ok()?;
    let initial = batch.vector(0).to_vec();
    let mut numbers: HashMap<Vec<u8>, usize> = HashMap::from([(initial.clone(), 0)]);
    let mut edges = Vec::new();
    let mut on_stack: HashSet<Vec<u8>> = HashSet::new();
    // Each state with the successors that are still to be visited; without any, before it is expanded.
    let mut stack: Vec<(State, Option<Vec<State>>)> = vec![(initial, None)];
    while let Some((state, todo)) = stack.last_mut() {
        if let Some(todo) = todo {
            let Some(next) = todo.pop() else {
                on_stack.remove(state);
                stack.pop();
                continue;
            };
            let number = numbers.len();
            if *numbers.entry(next.clone()).or_insert(number) == number {
                stack.push((next, None));
            }
            continue;
        }
        on_stack.insert(state.clone());
        batch.clear();
        cursor.load(state);
        let complete = cursor.expand_some(&mut batch).ok()?;
        // A step that never ends has no successor.
        if !complete && (batch.is_empty() || (0..batch.len()).any(|idx| on_stack.contains(batch.vector(idx))))
        {
            batch.clear();
            cursor.load(state);
            cursor.expand(&mut batch).ok()?;
        }
        if batch.violations().iter().any(|v| v.kind() != ViolationKind::Deadlock)
            || numbers.len() > MAX_STATES
        {
            return None;
        }
        let next: Vec<Vec<u8>> = (0..batch.len()).map(|idx| batch.vector(idx).to_vec()).collect();
        let actors: Vec<usize> = batch.entries().iter().map(|entry| actor(entry.key)).collect();
        batch.clear();
        cursor.load(state);
        cursor.expand(&mut batch).ok()?;
        edges.push((numbers[state], next.clone(), actors, movers(&batch)));
        *todo = Some(next);
    }
    let n = numbers.len();
    let mut graph = Graph {
        seen: vec![Vec::new(); n],
        successors: vec![Vec::new(); n],
        actors: vec![Vec::new(); n],
        movers: vec![0; n],
    };
    for (from, next, actors, movers) in edges {
        graph.successors[from] = next.iter().map(|state| numbers[state]).collect();
        graph.actors[from] = actors;
        graph.movers[from] = movers;
    }
    for (state, &number) in &numbers {
        graph.seen[number] = look(program, state);
    }
    Some(graph)
}

impl Graph {
    /// The states that can be reached without another value, these included.
    fn closure(&self, mut states: BTreeSet<usize>) -> BTreeSet<usize> {
        let mut todo: Vec<usize> = states.iter().copied().collect();
        while let Some(state) = todo.pop() {
            for &next in &self.successors[state] {
                if self.seen[next] == self.seen[state] && states.insert(next) {
                    todo.push(next);
                }
            }
        }
        states
    }

    /// Whether a run can stay among some states without end, or end there.
    fn may_stay(&self, states: &BTreeSet<usize>) -> bool {
        let mut left = states.clone();
        loop {
            let stays = |state: &usize| {
                let next = &self.successors[*state];
                next.is_empty() || next.iter().any(|next| left.contains(next))
            };
            let fewer: BTreeSet<usize> = left.iter().copied().filter(stays).collect();
            if fewer == left {
                return !left.is_empty();
            }
            left = fewer;
        }
    }

    /// Whether a fair run can stay among some states without end: a strongly connected part of them in which
    /// everybody moves, or cannot move somewhere. A state at which runs end is such a part.
    fn has_fair_part(&self, inside: &dyn Fn(usize) -> bool, wanted: &dyn Fn(usize) -> bool) -> bool {
        let n = self.seen.len();
        let forward = |state: usize| self.successors[state].iter().copied().filter(|&next| inside(next));
        let reach = |from: usize| {
            let mut reached = BTreeSet::new();
            let mut todo = vec![from];
            while let Some(state) = todo.pop() {
                todo.extend(forward(state).filter(|&next| reached.insert(next)));
            }
            reached
        };
        let mut done = vec![false; n];
        for root in (0..n).filter(|&state| inside(state)) {
            if done[root] {
                continue;
            }
            if self.successors[root].is_empty() && wanted(root) {
                return true;
            }
            let reached = reach(root);
            let part: BTreeSet<usize> =
                reached.iter().copied().filter(|&state| reach(state).contains(&root)).collect();
            part.iter().for_each(|&state| done[state] = true);
            if !part.contains(&root) || !part.iter().any(|&state| wanted(state)) {
                continue;
            }
            let mut fair = 0;
            for &state in &part {
                fair |= !self.movers[state];
                for (next, &actor) in self.successors[state].iter().zip(&self.actors[state]) {
                    fair |= if part.contains(next) { 1 << actor.min(63) } else { 0 };
                }
            }
            if fair == u64::MAX {
                return true;
            }
        }
        false
    }

    /// The next values, and the states where they are first seen.
    fn changes(&self, states: &BTreeSet<usize>) -> BTreeMap<Seen, BTreeSet<usize>> {
        let mut changes: BTreeMap<Seen, BTreeSet<usize>> = BTreeMap::new();
        for &state in states {
            for &next in self.successors[state].iter().filter(|&&next| self.seen[next] != self.seen[state]) {
                changes.entry(self.seen[next].clone()).or_default().insert(next);
            }
        }
        changes
    }
}

/// Whether an observer cannot tell two graphs apart; else what it sees in one only.
fn compare(one: &Graph, other: &Graph) -> Result<(), String> {
    assert_eq!(one.seen[0], other.seen[0], "both begin in the same way");
    let start = (one.closure(BTreeSet::from([0])), other.closure(BTreeSet::from([0])));
    let mut known = HashSet::from([start.clone()]);
    let mut todo = vec![(start, vec![one.seen[0].clone()])];
    while let Some(((a, b), way)) = todo.pop() {
        if one.may_stay(&a) != other.may_stay(&b) {
            return Err(format!("after {way:?} only one can stay"));
        }
        let (from_a, mut from_b) = (one.changes(&a), other.changes(&b));
        if !from_a.keys().eq(from_b.keys()) {
            return Err(format!("after {way:?}: {:?} and {:?}", from_a.keys(), from_b.keys()));
        }
        for (seen, a) in from_a {
            let b = from_b.remove(&seen).expect("the keys are the same");
            let pair = (one.closure(a), other.closure(b));
            if known.len() < MAX_PAIRS && known.insert(pair.clone()) {
                let mut way = way.clone();
                way.push(seen);
                todo.push((pair, way));
            }
        }
    }
    Ok(())
}

/// For each value, whether a fair run can have it again and again, and whether one can have it alone from
/// some point on.
fn fair_values(graph: &Graph) -> BTreeMap<Seen, (bool, bool)> {
    let values: BTreeSet<&Seen> = graph.seen.iter().collect();
    let of = |value: &Seen| {
        let is = |state: usize| graph.seen[state] == *value;
        (value.clone(), (graph.has_fair_part(&|_| true, &is), graph.has_fair_part(&is, &is)))
    };
    values.into_iter().map(of).collect()
}

const NOWHERE: Span = Span { file: 0, start: 0, end: 0 };

/// One of the variables, if it is a scalar or an array of them; and whether it is a channel.
fn scalar(rng: &mut Rng, variables: &[Variable]) -> Option<(ScalarPlace, bool)> {
    let variable = rng.pick_any(variables)?;
    let Type::Scalar(scalar, notation) = &variable.ty else { return None };
    let offset = variable.offset + rng.below(variable.array.unwrap_or(1)) * scalar.size();
    let place = ScalarPlace { base: variable.base.clone(), offset, scalar: *scalar, indices: Vec::new() };
    Some((place, *notation == Notation::Chan))
}

/// A proposition about a model, if one of the kind that was drawn makes sense.
fn proposition(rng: &mut Rng, lowered: &Lowered) -> Option<Expr> {
    let ty = rng.below(lowered.proctypes.len() as u32) as usize;
    let proctype = &lowered.proctypes[ty];
    let id = ProctypeId(ty as u8);
    let process = rng.chance(50).then(|| Box::new(Expr::Const(rng.below(3) as i32)));
    match rng.below(10) {
        0..=3 => {
            let (place, is_channel) = scalar(rng, &lowered.globals)?;
            let load = Box::new(Expr::Load(place.clone()));
            if !is_channel {
                let op = *rng.pick(&[BinaryOp::Eq, BinaryOp::Gt]);
                return Some(Expr::WithConst(op, load, rng.below(3) as i32));
            }
            if rng.chance(30) {
                let poll = Poll {
                    channel: *load,
                    random: rng.chance(50),
                    fields: vec![Some(Expr::Const(1))],
                    span: NOWHERE,
                };
                return Some(Expr::Poll(Box::new(poll)));
            }
            let query = *rng.pick(&[ChanQuery::Len, ChanQuery::Full, ChanQuery::Empty, ChanQuery::NFull]);
            Some(Expr::Chan(query, load, NOWHERE))
        }
        4 | 5 => {
            let state = Pc(rng.below(proctype.transitions.len() as u32) as u16);
            Some(Expr::RemoteLabel { proctype: id, process, state })
        }
        6 | 7 => {
            let (place, _) = scalar(rng, &proctype.variables)?;
            Some(Expr::RemoteVar { proctype: id, process, place: Box::new(place), span: NOWHERE })
        }
        8 => Some(Expr::WithConst(BinaryOp::Gt, Box::new(Expr::NrPr), rng.below(4) as i32)),
        _ => Some(Expr::NonProgress),
    }
}

const ALL: [Reductions; 4] = [
    Reductions { dead: true, ..Reductions::NONE },
    Reductions { merge: true, ..Reductions::NONE },
    Reductions { order: true, ..Reductions::NONE },
    Reductions::ALL,
];

/// Compares one model under every reduction; how many states there are without and with all of them.
fn compare_all(name: &str, source: &str, observe: &dyn Fn(&mut Lowered)) -> Option<(usize, usize)> {
    let load = || crate::load_text("model.pml", source).program.map(|program| program.changed(observe));
    let plain = graph(&load()?)?;
    let mut last = 0;
    for reductions in ALL {
        let program = load()?.with_reductions(reductions);
        let reduced = graph(&program)?;
        last = reduced.seen.len();
        let what = || format!("{name} with {reductions:?}: {:?}\n{source}", program.lowered().propositions);
        if let Err(why) = compare(&plain, &reduced) {
            panic!("{why}: {}", what());
        }
        if program.lowered().fair && plain.seen.len() < MAX_FAIR {
            assert_eq!(fair_values(&plain), fair_values(&reduced), "{}", what());
        }
    }
    Some((plain.seen.len(), last))
}

/// A small model in which much is local, so that much can be left out.
fn small(rng: &mut Rng) -> String {
    let mut text = String::from("byte g0, g1; chan c = [1] of { byte }; chan r = [0] of { byte };\n");
    for idx in 0..rng.range(2, 3) {
        let body: Vec<String> = (0..rng.range(1, 5)).map(|at| statement(rng, at, 2)).collect();
        let body = body.join("; ");
        let body = if rng.chance(40) { format!("do :: {body} od") } else { body };
        text.push_str(&format!("active proctype P{idx}() {{ byte x, y; {body} }}\n"));
    }
    let body: Vec<String> = (0..rng.range(1, 3)).map(|at| statement(rng, at, 0)).collect();
    text.push_str(&format!("proctype Q() {{ byte x, y; {} }}\n", body.join("; ")));
    text
}

fn statement(rng: &mut Rng, at: u32, depth: u32) -> String {
    let label = match rng.below(8) {
        0 => format!("progress{depth}{at}{}: ", rng.below(1000)),
        1 => format!("accept{depth}{at}{}: ", rng.below(1000)),
        _ => String::new(),
    };
    let (global, value) = (rng.below(2), rng.below(2));
    let text = match rng.below(if depth > 0 { 16 } else { 12 }) {
        0..=2 => format!("x = {value}"),
        3 => "x = 1 - x".into(),
        4 => "y = x".into(),
        5 => "skip".into(),
        6 | 7 => format!("g{global} = {value}"),
        8 => format!("g{global} == {value}"),
        9 => format!("x == {value}"),
        10 => (*rng.pick(&["c!1", "c?x", "c?_"])).into(),
        11 => (*rng.pick(&["r!1", "r?x"])).into(),
        12 => {
            let (one, two) = (statement(rng, 0, depth - 1), statement(rng, 1, depth - 1));
            format!("if :: x == {value} -> {one} :: else -> {two} fi")
        }
        13 => {
            let (one, two) = (statement(rng, 0, depth - 1), statement(rng, 1, depth - 1));
            format!("if :: {one} :: {two} fi")
        }
        14 => format!("atomic {{ {}; {} }}", statement(rng, 0, depth - 1), statement(rng, 1, depth - 1)),
        _ => "if :: _nr_pr < 5 -> run Q() :: else fi"
            .replace("_nr_pr < 5", if rng.chance(50) { "_nr_pr < 5" } else { "y == 0" }),
    };
    format!("{label}{text}")
}

fn run(seeds: std::ops::Range<u64>) {
    let (mut n_models, mut without, mut with) = (0, 0, 0);
    for seed in seeds {
        for round in 0..8 {
            let source = match round {
                0 | 1 => generate(seed).source,
                _ => small(&mut Rng::new(seed * 8 + round)),
            };
            let observe = |lowered: &mut Lowered| {
                let mut rng = Rng::new(seed * 8 + round);
                let list: Vec<Expr> = (0..8).filter_map(|_| proposition(&mut rng, lowered)).collect();
                lowered.propositions = list.into_iter().take(1 + rng.below(2) as usize).collect();
                lowered.observes_accept_labels = rng.chance(15);
                lowered.observes_progress_labels = rng.chance(15);
                lowered.fair = round % 4 == 1;
            };
            if let Some((plain, reduced)) = compare_all(&format!("seed {seed}, {round}"), &source, &observe) {
                n_models += 1;
                without += plain;
                with += reduced;
            }
        }
    }
    println!("{n_models} comparisons, {without} states without reductions, {with} with");
    assert!(n_models > 0);
}

/// A chain stops on every way round, also if the way leads through an atomic sequence, inside which nothing
/// stops.
#[test]
fn a_process_that_goes_round_for_ever_has_a_step() {
    let source = "active proctype p() { byte x; do :: atomic { if :: x == 1 -> x = 0 :: else -> x = 1 fi; x = 1 - x } od }";
    let program = crate::load_text("model.pml", source).program.expect("the model loads");
    let merged = graph(&program.with_reductions(Reductions::ALL)).expect("it is small");
    assert!(merged.successors.iter().all(|next| !next.is_empty()));
}

#[test]
fn an_observer_sees_the_same_with_reductions() {
    run(0..50);
}

/// `SEEDS=from-to cargo test --release -p allways-promela --lib -- --ignored many_observers --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_observers_see_the_same_with_reductions() {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| "0-1500".into());
    let (from, to) = seeds.split_once('-').expect("SEEDS=from-to");
    run(from.parse().expect("a number")..to.parse().expect("a number"));
}
