//! Dead variables become zero, so that states which differ only in them are one.
//!
//! The classical analysis of live variables, backwards over the control graph of a process type: a part of the record is
//! *live* in a control state if some way from there reads it before it is written. A transition clears what is dead where
//! it leads. Escapes are transitions of every control state that they guard, and the middle of an atomic sequence has
//! control states of its own, so the graph has every way that control can take.
//!
//! The parts are what remains of the record when it is cut at both ends of everything that any statement touches; a
//! write to an array under an index that is not a constant writes it, but does not end its life. Always live is what
//! others read: remote references (an observer's too), `provided` clauses, channels under an `xr` or `xs` claim. A clear part stays clear
//! until it is written: so each transition lists only what may be anything else (written by it, or live before it), and
//! new processes start with what is dead at their start cleared.
//!
//! Every state of the reduced graph is the image of states of the full one under "dead parts become zero", and no
//! statement reads a dead part, so both graphs have the same steps and the same violations, but for what is printed
//! about variables that nobody reads any more. Follows Holzmann, *The engineering of a model checker* (SPIN 1999).

use super::access::{self, Access, Output};
use crate::ir::{Action, Base, DNode, DStep, Expr, Place, Proctype, Scalar, Setup};
use crate::lower::{Lowered, PROCESS_HEADER_SIZE};

/// A set of parts of a record.
type Parts = Vec<u64>;

/// What is dead in each control state of a process type: ranges of the record, as start and length.
pub(super) type DeadRanges = Vec<Vec<(u32, u32)>>;

/// Makes every transition of the model clear what is dead after it; gives what that is, for each process
/// type.
pub(super) fn reset(lowered: &mut Lowered) -> Vec<DeadRanges> {
    let remote = remote_ranges(lowered);
    let reset_one = |(idx, proctype): (usize, &mut Proctype)| {
        let always: Vec<(u32, u32)> =
            remote.iter().filter(|(ty, ..)| *ty == idx).map(|&(_, start, end)| (start, end)).collect();
        reset_proctype(proctype, &always)
    };
    lowered.proctypes.iter_mut().enumerate().map(reset_one).collect()
}

/// The parts of records that other processes, or an observer, read.
fn remote_ranges(lowered: &Lowered) -> Vec<(usize, u32, u32)> {
    let mut ranges = Vec::new();
    let mut note = |access: Access<'_>| {
        if let Access::Remote { proctype, start, end } = access {
            ranges.push((usize::from(proctype.0), start, end));
        }
    };
    for proctype in &lowered.proctypes {
        for idx in 0..proctype.statements.len() {
            access::statement(proctype, idx as u32, &mut note, Output::Counts);
        }
        proctype.provided.iter().for_each(|e| access::expr(e, &mut note));
    }
    lowered.propositions.iter().for_each(|e| access::expr(e, &mut note));
    ranges
}

/// How the record of a process type is cut into parts.
struct Cuts {
    /// The start of each part, and the end of the last.
    starts: Vec<u32>,
}

impl Cuts {
    fn new(proctype: &Proctype, always: &[(u32, u32)]) -> Self {
        let mut starts = vec![PROCESS_HEADER_SIZE, proctype.size];
        let mut note = |access: Access<'_>| {
            if let Access::Local { start, end, .. } = access {
                starts.extend([start, end]);
            }
        };
        for idx in 0..proctype.statements.len() {
            access::statement(proctype, idx as u32, &mut note, Output::Counts);
        }
        proctype.provided.iter().for_each(|e| access::expr(e, &mut note));
        proctype.exclusive.iter().for_each(|claim| access::expr(&claim.channel, &mut note));
        starts.extend(always.iter().flat_map(|&(start, end)| [start, end]));
        starts.sort_unstable();
        starts.dedup();
        Self { starts }
    }

    fn n_parts(&self) -> usize {
        self.starts.len() - 1
    }

    fn empty(&self) -> Parts {
        vec![0; self.n_parts().div_ceil(64)]
    }

    /// Adds the parts that make up a range.
    fn add(&self, parts: &mut Parts, start: u32, end: u32) {
        let first = self.starts.partition_point(|&cut| cut < start);
        for part in first..self.n_parts() {
            if self.starts[part] >= end {
                break;
            }
            parts[part / 64] |= 1 << (part % 64);
        }
    }
}

fn contains(parts: &Parts, part: usize) -> bool {
    parts[part / 64] >> (part % 64) & 1 == 1
}

/// What an action reads and surely writes.
struct Effect {
    reads: Parts,
    kills: Parts,
    /// Everything that it may write.
    writes: Parts,
}

impl Effect {
    fn of(action: &Action, cuts: &Cuts) -> Self {
        let mut effect = Self { reads: cuts.empty(), kills: cuts.empty(), writes: cuts.empty() };
        let mut note = |access: Access<'_>| {
            let Access::Local { start, end, write, exact } = access else { return };
            if !write {
                cuts.add(&mut effect.reads, start, end);
                return;
            }
            cuts.add(&mut effect.writes, start, end);
            if exact {
                cuts.add(&mut effect.kills, start, end);
            }
        };
        access::action(action, &mut note, Output::Counts);
        effect
    }

    /// What is live before it, if `after` is live after it.
    fn before(&self, after: &Parts) -> Parts {
        after
            .iter()
            .zip(&self.kills)
            .zip(&self.reads)
            .map(|((after, kills), reads)| after & !kills | reads)
            .collect()
    }
}

fn reset_proctype(proctype: &mut Proctype, always: &[(u32, u32)]) -> DeadRanges {
    let cuts = Cuts::new(proctype, always);
    let mut kept = cuts.empty();
    always.iter().for_each(|&(start, end)| cuts.add(&mut kept, start, end));
    let mut note = |access: Access<'_>| {
        if let Access::Local { start, end, .. } = access {
            cuts.add(&mut kept, start, end);
        }
    };
    proctype.provided.iter().for_each(|e| access::expr(e, &mut note));
    proctype.exclusive.iter().for_each(|claim| access::expr(&claim.channel, &mut note));
    let effects: Vec<Effect> = proctype.statements.iter().map(|s| Effect::of(&s.action, &cuts)).collect();
    let live = live_parts(proctype, &cuts, &effects, &kept);
    for (pc, list) in proctype.transitions.iter_mut().enumerate() {
        for transition in list {
            let Some(target) = transition.target else { continue };
            let statement = &proctype.statements[transition.statement as usize];
            let mut touched = live[pc].clone();
            let mut add = |writes: &Parts| touched.iter_mut().zip(writes).for_each(|(a, b)| *a |= b);
            add(&effects[transition.statement as usize].writes);
            if let Action::DStep(idx) = statement.action {
                for node in &proctype.d_steps[idx as usize].nodes {
                    if let DNode::Do { statement, .. } = node {
                        add(&effects[*statement as usize].writes);
                    }
                }
            }
            let after = &live[usize::from(target.0)];
            let dead = |part: usize| contains(&touched, part) && !contains(after, part);
            transition.clears = ranges(&cuts, dead);
        }
    }
    let start = &live[usize::from(proctype.start.0)];
    clear_at_start(&mut proctype.setup, &proctype.params, ranges(&cuts, |part| !contains(start, part)));
    live.iter().map(|live| ranges(&cuts, |part| !contains(live, part))).collect()
}

/// The ranges (start and length) that the chosen parts make up.
fn ranges(cuts: &Cuts, chosen: impl Fn(usize) -> bool) -> Vec<(u32, u32)> {
    let mut list: Vec<(u32, u32)> = Vec::new();
    for part in (0..cuts.n_parts()).filter(|&part| chosen(part)) {
        let (start, end) = (cuts.starts[part], cuts.starts[part + 1]);
        match list.last_mut() {
            Some((first, len)) if *first + *len == start => *len = end - *first,
            _ => list.push((start, end - start)),
        }
    }
    list
}

/// What is live in each control state: the least solution, by rounds from the last control state to the first.
fn live_parts(proctype: &Proctype, cuts: &Cuts, effects: &[Effect], kept: &Parts) -> Vec<Parts> {
    let mut live: Vec<Parts> = vec![kept.clone(); proctype.transitions.len()];
    let nothing = cuts.empty();
    loop {
        let mut changed = false;
        for pc in (0..live.len()).rev() {
            for transition in &proctype.transitions[pc] {
                let after = transition.target.map_or(&nothing, |target| &live[usize::from(target.0)]);
                let before = match &proctype.statements[transition.statement as usize].action {
                    Action::DStep(idx) => before_d_step(&proctype.d_steps[*idx as usize], effects, after),
                    _ => effects[transition.statement as usize].before(after),
                };
                for (word, more) in live[pc].iter_mut().zip(before) {
                    changed |= more & !*word != 0;
                    *word |= more;
                }
            }
        }
        if !changed {
            return live;
        }
    }
}

/// What is live before a `d_step`.
fn before_d_step(d_step: &DStep, effects: &[Effect], after: &Parts) -> Parts {
    let mut live: Vec<Parts> = vec![vec![0; after.len()]; d_step.nodes.len()];
    loop {
        let mut changed = false;
        for node in (0..live.len()).rev() {
            let at = |next: &Option<u32>| next.map_or(after, |next| &live[next as usize]);
            let before = match &d_step.nodes[node] {
                DNode::Jump(next) => at(next).clone(),
                DNode::Do { statement, next } => effects[*statement as usize].before(at(next)),
                DNode::Select { options, .. } => {
                    let mut all = vec![0; after.len()];
                    for &option in options {
                        all.iter_mut().zip(&live[option as usize]).for_each(|(a, b): (&mut u64, _)| *a |= b);
                    }
                    all
                }
            };
            changed |= live[node] != before;
            live[node] = before;
        }
        if !changed {
            return live[d_step.entry as usize].clone();
        }
    }
}

/// Lets a new process begin with these ranges cleared, as far as anything is put there.
fn clear_at_start(setup: &mut Vec<Setup>, params: &[Place], dead: Vec<(u32, u32)>) {
    let mut touched: Vec<(u32, u32)> =
        params.iter().map(|place| (place.offset, place.scalar.size())).collect();
    for step in setup.iter() {
        let (Setup::Assign(place, _) | Setup::Channel(place, _)) = step;
        let (start, end, _) = access::range(place);
        touched.push((start, end - start));
    }
    for (start, len) in dead {
        for offset in start..start + len {
            if touched.iter().any(|&(first, len)| (first..first + len).contains(&offset)) {
                let place = Place { base: Base::Local, offset, scalar: Scalar::Byte, indices: Vec::new() };
                setup.push(Setup::Assign(place, Expr::Const(0)));
            }
        }
    }
}
