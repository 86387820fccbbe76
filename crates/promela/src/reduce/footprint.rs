//! Footprints: what a process can touch from each control state, with its next step and ever after.
//!
//! *Now* is everything that the step which begins in a control state may touch, through to the end of the
//! atomic sequence or `d_step` that it may begin. It includes steps whose guards are false, because what a
//! disabled step reads is what could enable it. *Ever* is everything that the process may touch from there
//! on, including everything that the processes which it starts may touch. Both are computed once. What
//! depends on the process (its channels, elements of arrays under its own number) is kept as expressions
//! whose values never change while the process lives, and is looked up in a state.
//!
//! The files:
//! - `steps` collects what the statements of a step touch; `channels` names channels and adds uses of them;
//!   `started` adds the start of a process; `deaths` adds where a process may die.
//! - `visible` computes what an observer reads.
//! - `futures` computes *ever* from the single steps.
//! - `chains` and `direct` follow calls and pointers in models with dynamic features.
//!
//! How sends and receives of one channel depend on each other:
//! - A send that is the first statement of a step and finds the channel full waits for a receive, so it reads
//!   the head if the channel is full. In the same way a receive reads the tail if there is nothing to
//!   receive.
//! - Both ends are always read where *not* being able to send or receive matters: beside an `else`, under an
//!   escape, inside a `d_step`, inside an atomic sequence (which ends there), and in a `D_proctype`.
//! - `len` and the other queries, and polls, read both ends.
//! - A sorted send may place its message before others, so it writes both ends.
//! - A channel that the analysis cannot identify may be any channel.
//!
//! A send on a rendezvous beside an `else` (or wherever else its failure matters) depends on which processes
//! are *ready* to receive. So a step into a control state that is ready uses the channel, and so does
//! starting a process that is ready at once.
//!
//! `timeout` does not count as an access: it is true only where no other step is possible, and there no step
//! is omitted.

mod chains;
mod channels;
mod deaths;
mod direct;
mod futures;
mod started;
mod steps;
mod visible;

pub(super) use chains::InCalls;
pub(super) use channels::channel_bit;
pub(super) use direct::{Direct, DirectChannel, DirectPart, ends_touched};

use super::access::{self, Access, Output, bodies};
use super::choose::StepOrder;
use super::points_to::PointsTo;
use super::resources::{Resources, Set, channel};
use super::shared::SharedFacts;
use crate::ir::{Expr, ScalarPlace, Setup};
use crate::lower::Lowered;
use std::collections::BTreeMap;

/// The most expressions that are kept for a process type; further ones count as unknown.
const MAX_EXPRESSIONS: usize = 48;
/// Larger expressions than this are not expressed in terms of the process's starter.
const MAX_NODES: usize = 12;

/// A channel, as precisely as the analysis can identify it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    /// The channel with this identity.
    Id(u8),
    /// The value of an expression of the process type.
    Expr(u16),
    /// Any channel.
    Any,
}

/// The condition under which a use of a channel counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum When {
    Always,
    IfFull,
    IfEmpty,
}

/// What is touched: the part known in advance, and the part to look up in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Footprint {
    pub(super) set: Set,
    pub(super) channels: BTreeMap<(Name, When), u8>,
    /// Places of globals with indices that the process does not change, and whether they are written.
    pub(super) places: BTreeMap<u16, bool>,
    /// Parts of sites that several processes may know, each with the type of the objects, and whether they
    /// are written.
    pub(super) parts: BTreeMap<(u16, u16), bool>,
    /// Whether the function may return within the step.
    pub(super) returns: bool,
    /// Whether the process may die within the step, after another statement.
    pub(super) ends: bool,
}

impl Footprint {
    fn new(n_words: usize) -> Self {
        Self {
            set: Set::new(n_words),
            channels: BTreeMap::new(),
            places: BTreeMap::new(),
            parts: BTreeMap::new(),
            returns: false,
            ends: false,
        }
    }

    /// Adds a part of a site.
    fn add_part(&mut self, object: u16, bit: u16, write: bool) {
        *self.parts.entry((object, bit)).or_default() |= write;
    }

    fn extend(&mut self, other: &Self) -> bool {
        let mut changed = self.set.extend(&other.set);
        for (&name, &how) in &other.channels {
            let all = self.channels.entry(name).or_insert_with(|| {
                changed = true;
                0
            });
            changed |= how & !*all != 0;
            *all |= how;
        }
        for (&place, &write) in &other.places {
            let all = self.places.entry(place).or_insert_with(|| {
                changed = true;
                false
            });
            changed |= write && !*all;
            *all |= write;
        }
        for (&part, &write) in &other.parts {
            let all = self.parts.entry(part).or_insert_with(|| {
                changed = true;
                false
            });
            changed |= write && !*all;
            *all |= write;
        }
        changed |= other.returns && !self.returns || other.ends && !self.ends;
        self.returns |= other.returns;
        self.ends |= other.ends;
        changed
    }

    pub(super) fn is_empty(&self) -> bool {
        self.set.0.iter().all(|&word| word == 0)
            && self.channels.is_empty()
            && self.places.is_empty()
            && self.parts.is_empty()
            && !self.returns
            && !self.ends
    }
}

/// For each body and control state, whether another process may test that a process is ready there.
pub(super) fn ready_states(
    lowered: &Lowered,
    shared: &SharedFacts,
    points: Option<&PointsTo<'_>>,
) -> Vec<Vec<bool>> {
    let mut analysis = Analysis::new(lowered, shared, points);
    let n = bodies(lowered).count();
    (0..n)
        .map(|ty| {
            let n = lowered.body(ty).transitions.len();
            (0..n).map(|pc| !analysis.ready(ty, pc).is_empty()).collect()
        })
        .collect()
}

/// Computes the footprints of a model; `None` if claims are made on channels that change.
pub(super) fn analyse(
    lowered: &Lowered,
    shared: &SharedFacts,
    points: Option<&PointsTo<'_>>,
) -> Option<StepOrder> {
    let mut analysis = Analysis::new(lowered, shared, points);
    let n = lowered.proctypes.len();
    let fixed = |ty: usize| {
        lowered.proctypes[ty].exclusive.iter().all(|claim| analysis.is_stable(ty, &claim.channel))
    };
    if lowered.check_exclusive && !(0..n).all(fixed) {
        return None;
    }
    let mut now = Vec::new();
    let mut in_calls = None;
    let mut own = Vec::new();
    if points.is_some() {
        let (steps, inside) = analysis.next_steps_of_all();
        now = steps;
        in_calls = Some(inside);
        own.extend((0..bodies(lowered).count()).map(|code| analysis.single_steps(code)));
    } else {
        for ty in 0..n {
            now.push(analysis.next_steps(ty));
            own.push(analysis.single_steps(ty));
        }
    }
    // What a process starts belongs to its future, and so does what that process starts: iterate to a fixed
    // point.
    let mut ever: Vec<Vec<Footprint>> =
        own.iter().map(|list| vec![Footprint::new(analysis.n_words); list.len()]).collect();
    loop {
        let mut changed = false;
        for (ty, own) in own.iter().enumerate() {
            changed |= analysis.extend_futures(ty, own, &mut ever);
        }
        if !changed {
            break;
        }
    }
    let observed = analysis.observed();
    let types = now
        .into_iter()
        .zip(ever)
        .enumerate()
        .map(|(ty, (now, ever))| analysis.order_type(ty, now, ever))
        .collect();
    let remote = analysis.remote_references();
    let mut order = StepOrder::new(&analysis.resources, analysis.n_words, analysis.traced, observed, types);
    if let Some(in_calls) = in_calls {
        order.set_dynamic(in_calls, remote);
    }
    Some(order)
}

struct Analysis<'a> {
    lowered: &'a Lowered,
    shared: &'a SharedFacts,
    /// What pointers refer to, in a model with dynamic features.
    points: Option<&'a PointsTo<'a>>,
    resources: Resources,
    n_words: usize,
    /// Ranges of the globals, and of each process type's record, that some statement writes.
    written_globals: Vec<(u32, u32)>,
    written_locals: Vec<Vec<(u32, u32)>>,
    /// The global variables that hold a channel at the start: offset and identity.
    channel_ids: Vec<(u32, u8)>,
    traced: Traced,
    /// Rendezvous channels on which a send is tested, so that its failure matters.
    tested: u64,
    exprs: Vec<Vec<Expr>>,
    places: Vec<Vec<ScalarPlace>>,
}

/// The channels whose sends and receives an event trace watches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Traced {
    sends: u64,
    receives: u64,
}

impl Traced {
    /// Whether such a use of one of these channels moves the event trace.
    #[inline]
    pub(super) fn watches(self, channels: u64, how: u8) -> bool {
        how & channel::WRITE_TAIL != 0 && self.sends & channels != 0
            || how & channel::WRITE_HEAD != 0 && self.receives & channels != 0
    }
}

impl<'a> Analysis<'a> {
    fn new(lowered: &'a Lowered, shared: &'a SharedFacts, points: Option<&'a PointsTo<'a>>) -> Self {
        let resources = Resources::new(lowered, shared, points);
        let n_words = resources.n_plain_words + channel::N_WORDS;
        let mut written_globals = Vec::new();
        let mut written_locals = Vec::new();
        for (code, proctype) in bodies(lowered).enumerate() {
            let mut locals = Vec::new();
            let mut note = |access: Access<'_>| match access {
                Access::Global { start, end, write: true, .. } => written_globals.push((start, end)),
                Access::Local { start, end, write: true, .. } => locals.push((start, end)),
                Access::Object { place, through, write: true } => {
                    let touched = points.map(|points| points.touched(code, place, through));
                    written_globals.extend(touched.unwrap_or_default().globals);
                }
                _ => {}
            };
            for idx in 0..proctype.statements.len() {
                access::statement(proctype, idx as u32, &mut note, Output::DoesNotCount);
            }
            // The variables of a nested scope are set when it is entered, and zero outside it.
            let nested = || proctype.scopes.iter().filter(|scope| scope.flag.is_some());
            nested().for_each(|scope| access::setup(&scope.setup, &mut note));
            locals.extend(nested().flat_map(|scope| &scope.bytes).map(|&(start, len)| (start, start + len)));
            written_locals.push(locals);
        }
        let mut channel_ids = Vec::new();
        let mut next = 0;
        for step in &lowered.setup {
            if let Setup::Channel(place, _) = step {
                next += 1;
                if let (start, _, true) = access::range(place) {
                    channel_ids.push((start, next));
                }
            }
        }
        let n = written_locals.len();
        let mut analysis = Self {
            lowered,
            shared,
            points,
            resources,
            n_words,
            written_globals,
            written_locals,
            channel_ids,
            traced: Traced::default(),
            tested: 0,
            exprs: vec![Vec::new(); n],
            places: vec![Vec::new(); n],
        };
        if let Some(trace) = &lowered.trace {
            let mut mask =
                |list: &[Expr]| list.iter().map(|e| analysis.known_channels(e)).fold(0, |a, b| a | b);
            analysis.traced = Traced { sends: mask(&trace.sends), receives: mask(&trace.receives) };
        }
        analysis.find_tested();
        analysis
    }
}
