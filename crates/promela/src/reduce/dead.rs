//! Resets dead variables to zero, so that states which differ only in them become one.
//!
//! This is the classical analysis of live variables, backwards over the control graph of a process type. A
//! part of the record is *live* in a control state if some path from there reads it before it is written. A
//! transition clears what is dead in its target. Escapes are transitions of every control state that they
//! guard, and the middle of an atomic sequence has control states of its own, so the graph has every path
//! that control can take.
//!
//! The parts result from cutting the record at both ends of everything that any statement touches. A write to
//! an array under an index that is not a constant writes the array, but does not end its life. Parts that
//! others read are always live: remote references (an observer's too), `provided` clauses, channels under an
//! `xr` or `xs` claim. A cleared part stays clear until it is written. So each transition lists only the
//! parts that may be non-zero (written by it, or live before it), and new processes start with the dead parts
//! of their start state cleared.
//!
//! Every state of the reduced graph is the image of states of the full graph under "dead parts become zero",
//! and no statement reads a dead part. So both graphs have the same steps and the same violations, except for
//! what is printed about variables that are not read any more. Follows Holzmann, *The engineering of a model
//! checker* (SPIN 1999).
//!
//! In models with dynamic features the same is done to the frames of functions. Their control graphs are
//! closed like those of processes: control enters a frame at the start of its body, and leaves it once and
//! finally. In addition:
//! - A caller rests at its call while the function runs. What was live where the call was tried stays live
//!   there, so nothing dies at a call; what dies with it is cleared when control continues after the call.
//!   Escapes of the caller are transitions of the control state in which it rests, so what they read is live
//!   meanwhile.
//! - A variable whose address is taken lives in an object, to which the record has a reference. These
//!   references, the marks of open scopes, and the headers are always live; so the object is cleared only by
//!   the end of its scope.
//! - The transition that leaves a scope makes its variables zero, so they are dead before it unless it reads
//!   them. The transition that enters a scope may read what its initial values read. It sets the variables
//!   only if the scope is not open yet, so entering does not end their lives before it.
//! - **Pointers** (and functions, and channels of objects) die like numbers. No statement reads a dead
//!   pointer, so clearing one can change only what is reachable. No step of any run from here can use,
//!   compare, delete or pass on an object that only dead pointers lead to, so it makes no difference to any
//!   run whether that object is part of the state. The same holds for tombstones. Normal forms are taken
//!   after clearing, so states that differ only in such objects become one. Three options do examine objects
//!   without reading a pointer: `--leaks` (an object that is lost), `--reuse-addresses` (`new` gives
//!   tombstones that are still referred to), and `--collect` or `--without symmetry` (garbage and numbers are
//!   meant to be visible). With these, pointers are always live. The fourth is `--max-objects`, which limits
//!   the paths that are explored and is not a property of the model: with fewer objects, less is cut off.

use super::access::{self, Access, Output};
use crate::ir::{Action, Base, DNode, DStep, Expr, Proctype, Scalar, ScalarPlace, Setup, Transition};
use crate::lower::{Dynamic, FRAME_HEADER_SIZE, Lowered, PROCESS_HEADER_SIZE, TOP_FRAME};
use crate::options::Collect;

/// A set of parts of a record.
type Parts = Vec<u64>;

/// What is dead in each control state of a process type: ranges of the record, as start and length.
pub(super) type DeadRanges = Vec<Vec<(u32, u32)>>;

/// Makes every transition of the model clear what is dead after it. Returns what that is, for each process
/// type and then for each function.
pub(super) fn reset(lowered: &mut Lowered) -> Vec<DeadRanges> {
    let remote = remote_ranges(lowered);
    let always: Vec<Vec<(u32, u32)>> = (0..lowered.n_bodies())
        .map(|code| {
            let of_others = remote.iter().filter(|(ty, ..)| *ty == code).map(|&(_, start, end)| (start, end));
            of_others.chain(kept_in(lowered, code)).collect()
        })
        .collect();
    let bodies = lowered.bodies_mut().zip(always);
    bodies.map(|(body, always)| reset_proctype(body, &always)).collect()
}

/// The parts of a record or frame that are always live in a model with dynamic features: control states, the
/// flags of open scopes and the references to their objects, and in some cases all references.
fn kept_in(lowered: &Lowered, code: usize) -> Vec<(u32, u32)> {
    let Some(dynamic) = &lowered.dynamic else { return Vec::new() };
    let body = lowered.body(code);
    let header = if code >= lowered.proctypes.len() {
        FRAME_HEADER_SIZE
    } else if dynamic.calls {
        TOP_FRAME + Scalar::Pointer.size()
    } else {
        PROCESS_HEADER_SIZE
    };
    let word = |at: u32| (at, at + Scalar::Pointer.size());
    let mut kept = vec![(0, header)];
    kept.extend(body.scopes.iter().filter_map(|scope| scope.flag).map(|flag| (flag, flag + 1)));
    kept.extend(body.scopes.iter().filter_map(|scope| scope.object).map(|(slot, _)| word(slot)));
    if keeps_pointers(dynamic) {
        kept.extend(body.references.iter().map(|&at| word(at)));
    }
    kept
}

/// Whether anything depends on references that are not read any more.
fn keeps_pointers(dynamic: &Dynamic) -> bool {
    let options = dynamic.options;
    options.leaks || options.reuse_addresses || !options.symmetry || options.collect != Collect::Sweep
}

/// The parts of records that other processes, or an observer, read.
fn remote_ranges(lowered: &Lowered) -> Vec<(usize, u32, u32)> {
    let mut ranges = Vec::new();
    let mut note = |access: Access<'_>| {
        if let Access::Remote { proctype, start, end } = access {
            ranges.push((usize::from(proctype.0), start, end));
        }
    };
    for body in access::bodies(lowered) {
        for idx in 0..body.statements.len() {
            access::statement(body, idx as u32, &mut note, Output::Counts);
        }
        body.provided.iter().for_each(|e| access::expr(e, &mut note));
        access::setup(&body.setup, &mut note);
        body.scopes.iter().for_each(|scope| access::setup(&scope.setup, &mut note));
    }
    lowered.propositions.iter().for_each(|e| access::expr(e, &mut note));
    ranges
}

/// The parts into which the record of a process type is cut.
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
        proctype.scopes.iter().for_each(|scope| access::setup(&scope.setup, &mut note));
        starts.extend(proctype.scopes.iter().flat_map(|scope| ends(&scope.bytes)));
        starts.extend(always.iter().flat_map(|&(start, end)| [start, end]));
        starts.retain(|start| *start >= PROCESS_HEADER_SIZE);
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

    /// Adds the parts that a range consists of.
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

/// Both ends of ranges that are given as start and length.
fn ends(ranges: &[(u32, u32)]) -> impl Iterator<Item = u32> + '_ {
    ranges.iter().flat_map(|&(start, len)| [start, start + len])
}

fn contains(parts: &Parts, part: usize) -> bool {
    parts[part / 64] >> (part % 64) & 1 == 1
}

/// What an action reads, and what it certainly writes.
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

    /// What is live before the action, if `after` is live after it.
    fn before(&self, after: &Parts) -> Parts {
        let live = after.iter().zip(&self.kills).zip(&self.reads);
        live.map(|((after, kills), reads)| after & !kills | reads).collect()
    }
}

/// The statements of a body and the scopes around them, in parts of its record.
struct BodyEffects<'a> {
    proctype: &'a Proctype,
    cuts: &'a Cuts,
    effects: &'a [Effect],
}

impl BodyEffects<'_> {
    /// What is live before a transition, if `after` is live in its target.
    fn before(&self, transition: &Transition, after: &Parts) -> Parts {
        let mut after = after.clone();
        remove(&mut after, &self.left(transition));
        let mut live = match &self.proctype.statements[transition.statement as usize].action {
            Action::DStep(idx) => before_d_step(&self.proctype.d_steps[*idx as usize], self.effects, &after),
            _ => self.effects[transition.statement as usize].before(&after),
        };
        add(&mut live, &self.first_values(transition, false));
        live
    }

    /// What a transition may write.
    fn writes(&self, transition: &Transition) -> Parts {
        let mut writes = self.first_values(transition, true);
        add(&mut writes, &self.effects[transition.statement as usize].writes);
        if let Action::DStep(idx) = self.proctype.statements[transition.statement as usize].action {
            for node in &self.proctype.d_steps[idx as usize].nodes {
                if let DNode::Do { statement, .. } = node {
                    add(&mut writes, &self.effects[*statement as usize].writes);
                }
            }
        }
        writes
    }

    /// What the initial values of the scopes that a transition may enter write, or read.
    fn first_values(&self, transition: &Transition, written: bool) -> Parts {
        let mut parts = self.cuts.empty();
        let mut note = |access: Access<'_>| {
            if let Access::Local { start, end, write, .. } = access
                && write == written
            {
                self.cuts.add(&mut parts, start, end);
            }
        };
        access::entered(self.proctype, transition, &mut note);
        parts
    }

    /// The variables of the scopes that are closed after a transition.
    fn left(&self, transition: &Transition) -> Parts {
        let after = transition.scopes.as_deref().map_or(&[][..], |moves| &moves.after);
        let mut parts = self.cuts.empty();
        for (idx, scope) in self.proctype.scopes.iter().enumerate() {
            if scope.flag.is_some() && !after.contains(&(idx as u16)) {
                scope.bytes.iter().for_each(|&(start, len)| self.cuts.add(&mut parts, start, start + len));
            }
        }
        parts
    }
}

/// Adds parts. Returns whether any of them is new.
fn add(parts: &mut Parts, more: &Parts) -> bool {
    let mut is_new = false;
    for (word, more) in parts.iter_mut().zip(more) {
        is_new |= more & !*word != 0;
        *word |= more;
    }
    is_new
}

fn remove(parts: &mut Parts, gone: &Parts) {
    parts.iter_mut().zip(gone).for_each(|(word, gone)| *word &= !gone);
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
    let body = BodyEffects { proctype, cuts: &cuts, effects: &effects };
    let live = live_parts(&body, &kept);
    let clears = |(pc, transition): (usize, &Transition)| {
        let Some(target) = transition.target else { return Vec::new() };
        let mut touched = live[pc].clone();
        add(&mut touched, &body.writes(transition));
        let after = &live[usize::from(target.0)];
        ranges(&cuts, |part| contains(&touched, part) && !contains(after, part))
    };
    let all =
        proctype.transitions.iter().enumerate().flat_map(|(pc, list)| list.iter().map(move |t| (pc, t)));
    let clears: Vec<_> = all.map(clears).collect();
    for (transition, clears) in proctype.transitions.iter_mut().flatten().zip(clears) {
        transition.clears = clears;
    }
    let start = &live[usize::from(proctype.start.0)];
    clear_at_start(&mut proctype.setup, &proctype.params, ranges(&cuts, |part| !contains(start, part)));
    live.iter().map(|live| ranges(&cuts, |part| !contains(live, part))).collect()
}

/// The ranges (start and length) that the chosen parts form.
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

/// What is live in each control state: the least solution, by rounds from the last control state to the
/// first.
fn live_parts(body: &BodyEffects<'_>, kept: &Parts) -> Vec<Parts> {
    let proctype = body.proctype;
    let mut live: Vec<Parts> = vec![kept.clone(); proctype.transitions.len()];
    let nothing = body.cuts.empty();
    loop {
        let mut changed = false;
        for pc in (0..live.len()).rev() {
            for transition in &proctype.transitions[pc] {
                let after = transition.target.map_or(&nothing, |target| &live[usize::from(target.0)]);
                let before = body.before(transition, after);
                changed |= add(&mut live[pc], &before);
                // The caller rests at the call itself, also if the call was one of several options.
                let statement = &proctype.statements[transition.statement as usize];
                if let Action::Call(_) = statement.action {
                    let here = live[pc].clone();
                    changed |= add(&mut live[usize::from(statement.state.0)], &here);
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

/// Makes a new process begin with these ranges cleared, where its setup or arguments fill them.
fn clear_at_start(setup: &mut Vec<Setup>, params: &[ScalarPlace], dead: Vec<(u32, u32)>) {
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
                let place =
                    ScalarPlace { base: Base::Local, offset, scalar: Scalar::Byte, indices: Vec::new() };
                setup.push(Setup::Assign(place, Expr::Const(0)));
            }
        }
    }
}
