//! What a process can touch from each control state: with its next step, and ever after.
//!
//! *Now* is everything that the step which begins in a control state may touch, to the end of the atomic sequence or
//! `d_step` that it may begin, whether or not its guards let it: what a step that cannot be taken reads is
//! what could make it possible. *Ever* is everything that the process may touch from there on, with
//! everything that the processes may touch which it starts. Both are computed once; what depends on the
//! process (its channels, elements of arrays under its own number) is kept as expressions that never change
//! their value while the process lives, and looked up in a state.
//!
//! Where a channel's ends meet:
//! - A send that comes first in a step and finds the channel full waits for a receive: it reads the head, if it is full. In
//!   the same way a receive reads the tail, if there is nothing to receive.
//! - Where *not* being able to send or receive matters (beside an `else`, under an escape, inside a `d_step`, inside an
//!   atomic sequence, which ends there, in a `D_proctype`), both ends are read in any case.
//! - `len` and its kin and polls read both ends.
//! - A sorted send may put its message before others: it writes both ends.
//! - A channel that cannot be told may be any.
//!
//! A send on a rendezvous beside an `else` (or wherever else it matters that it may fail) depends on who is
//! *ready* to receive. So a step into a control state that is ready uses the channel, and so does starting a
//! process that is ready at once.
//!
//! `timeout` is no access: it is true only where nothing else can happen, and there nothing is left out.

mod chains;
mod direct;
mod futures;

pub(super) use chains::InCalls;
pub(super) use direct::{Direct, DirectChannel, DirectPart, ends_touched};

use super::access::{self, Access, Output, Use, bodies};
use super::choose::{Order, OrderState, OrderType};
use super::points_to::PointsTo;
use super::resources::{Resources, Set, channel};
use super::shared::Shared;
use crate::ir::{Action, Base, Expr, Pc, Place, Proctype, Run, Setup, Transition};
use crate::lower::Lowered;
use std::collections::BTreeMap;

/// A process type has at most so many expressions of its own; more, and they count as unknown.
const MAX_EXPRESSIONS: usize = 48;
/// Larger expressions are not followed into processes that are started.
const MAX_NODES: usize = 12;

/// A channel, as far as it can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    /// The one with this identity.
    Id(u8),
    /// What an expression of the process type gives.
    Expr(u16),
    /// Any.
    Any,
}

/// When a use of a channel counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum When {
    Always,
    IfFull,
    IfEmpty,
}

/// What is touched: what is known now, and what is looked up in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Footprint {
    pub(super) set: Set,
    pub(super) channels: BTreeMap<(Name, When), u8>,
    /// Places of globals with an index that the process does not change, and whether they are written.
    pub(super) places: BTreeMap<u16, bool>,
    /// Parts of sites that several processes may know, each with the type of the objects, and whether they are written.
    pub(super) parts: BTreeMap<(u16, u16), bool>,
    /// Whether the function may return within the step.
    pub(super) returns: bool,
    /// Whether the process may die within the step, after something else.
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

/// For each body and control state, whether somebody may test that a process is ready there.
pub(super) fn ready_states(
    lowered: &Lowered,
    shared: &Shared,
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

/// Analyses a model; nothing if claims are made on channels that change.
pub(super) fn analyse(lowered: &Lowered, shared: &Shared, points: Option<&PointsTo<'_>>) -> Option<Order> {
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
    // What a process starts belongs to its future, and what that starts in turn: until nothing is new.
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
    let mut order = Order::new(&analysis.resources, analysis.n_words, analysis.traced, observed, types);
    if let Some(in_calls) = in_calls {
        order.set_dynamic(in_calls, remote);
    }
    Some(order)
}

struct Analysis<'a> {
    lowered: &'a Lowered,
    shared: &'a Shared,
    /// What pointers refer to, in a model with dynamic features.
    points: Option<&'a PointsTo<'a>>,
    resources: Resources,
    n_words: usize,
    /// Ranges of the globals, and of each process type's record, that some statement writes.
    written_globals: Vec<(u32, u32)>,
    written_locals: Vec<Vec<(u32, u32)>>,
    /// Where the globals hold which channel at the start.
    channel_ids: Vec<(u32, u8)>,
    traced: Traced,
    /// Rendezvous channels on which a send is tested: its failure matters.
    tested: u64,
    exprs: Vec<Vec<Expr>>,
    places: Vec<Vec<Place>>,
}

/// The channels whose sends and receives an event trace watches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Traced {
    sends: u64,
    receives: u64,
}

impl Traced {
    /// Whether the trace moves when one of these channels is used.
    #[inline]
    pub(super) fn watches(self, channels: u64, how: u8) -> bool {
        how & channel::WRITE_TAIL != 0 && self.sends & channels != 0
            || how & channel::WRITE_HEAD != 0 && self.receives & channels != 0
    }
}

impl<'a> Analysis<'a> {
    fn new(lowered: &'a Lowered, shared: &'a Shared, points: Option<&'a PointsTo<'a>>) -> Self {
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
            // The variables of a nested scope are set when it is entered, and zero outside.
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

    /// Finds the rendezvous channels on which a send is tested.
    fn find_tested(&mut self) {
        let lowered = self.lowered;
        if lowered.channel_types.iter().all(|ty| ty.capacity > 0) {
            return;
        }
        for (ty, proctype) in bodies(lowered).enumerate() {
            let n = proctype.transitions.len();
            // After a call or a return everything is tested.
            let mut inside = vec![self.points.is_some(); n];
            for pc in 0..n {
                atomic_targets(proctype, pc).for_each(|target| inside[target] = true);
            }
            for pc in (0..n).filter(|&pc| inside[pc] || is_tested(proctype, pc)) {
                for transition in &proctype.transitions[pc] {
                    if let Action::Send(send) = &proctype.statements[transition.statement as usize].action {
                        let names = self.static_names(ty, &send.channel);
                        self.tested |=
                            names.iter().map(|name| self.meeting_bits(*name)).fold(0, |a, b| a | b);
                    }
                }
            }
        }
    }

    /// The rendezvous channels that a name may mean.
    fn meeting_bits(&self, name: Name) -> u64 {
        match name {
            Name::Id(id) if self.is_meeting(id) => channel_bit(usize::from(id)),
            Name::Id(_) => 0,
            Name::Expr(_) | Name::Any => u64::MAX,
        }
    }

    /// The tested channels on which a process in a control state may be ready to receive.
    fn ready(&mut self, ty: usize, pc: usize) -> Vec<Name> {
        let lowered = self.lowered;
        let proctype = lowered.body(ty);
        let mut channels = Vec::new();
        if self.tested != 0 {
            for transition in &proctype.transitions[pc] {
                let note = &mut |access: Access<'a>| {
                    if let Access::Channel(e, Use::Receive(_)) = access {
                        channels.push(e);
                    }
                };
                access::statement(proctype, transition.statement, note, Output::DoesNotCount);
            }
        }
        let mut names: Vec<Name> = channels.iter().flat_map(|e| self.static_names(ty, e)).collect();
        names.retain(|&name| self.meeting_bits(name) & self.tested != 0);
        names
    }

    /// What an observer reads, and so what a visible step writes.
    fn observed(&mut self) -> Set {
        let lowered = self.lowered;
        let mut set = Set::new(self.n_words);
        let mut accesses = Vec::new();
        lowered.propositions.iter().for_each(|e| access::expr(e, &mut |access| accesses.push(access)));
        if lowered.fair {
            // Who dies and who is started decides who can die.
            set.add(self.resources.processes, false);
        }
        set.add(self.resources.labels, false);
        for access in accesses {
            match access {
                Access::Global { start, end, .. } => {
                    self.resources.globals(start, end, |bit| set.add(bit, false));
                }
                Access::Channel(e, _) => {
                    use channel::{READ_HEAD, READ_RECEIVER, READ_SENDER, READ_TAIL};
                    let all = READ_TAIL | READ_HEAD | READ_SENDER | READ_RECEIVER;
                    let channels = self.points.map(|points| points.channels(0, e));
                    if channels.as_ref().is_none_or(|channels| channels.may_be_static) {
                        let mask = self.known_channels(e);
                        set.add_channels(self.resources.n_plain_words, mask, all);
                    }
                    for (site, ordinal) in channels.unwrap_or_default().parts {
                        let bits = self.resources.site_channel(site, ordinal);
                        bits.iter()
                            .flat_map(|&(tail, head)| [tail, head])
                            .for_each(|bit| set.add(bit, false));
                    }
                }
                Access::Object { place, through, .. } => {
                    let touched = self.points.map(|points| points.touched(0, place, through));
                    let touched = touched.unwrap_or_default();
                    for (start, end) in touched.globals {
                        self.resources.globals(start, end, |bit| set.add(bit, false));
                    }
                    for (site, start, end) in touched.parts {
                        self.resources.part(site, start, end, |bit| set.add(bit, false));
                    }
                }
                Access::Remote { proctype, start, end } => {
                    self.resources.remote(usize::from(proctype.0), start, end, |bit| set.add(bit, false));
                }
                Access::RemotePc { proctype, state } => {
                    self.resources.watched(usize::from(proctype.0), state, |bit| set.add(bit, false));
                }
                Access::Processes => set.add(self.resources.processes, false),
                // The rest makes every step visible: then there is nothing to choose.
                _ => {}
            }
        }
        set
    }

    /// The channels that an expression over globals may give, whoever evaluates it.
    fn known_channels(&mut self, e: &Expr) -> u64 {
        let bit = |name: &Name| match name {
            Name::Id(id) => channel_bit(usize::from(*id)),
            Name::Expr(_) | Name::Any => u64::MAX,
        };
        self.names(0, e).iter().map(bit).fold(0, |a, b| a | b)
    }

    /// Whether an expression has the same value in every state of a process's life.
    fn is_stable(&self, ty: usize, e: &Expr) -> bool {
        let is_fixed = |base: &Base, start: u32, end: u32| {
            let written = match base {
                Base::Global => &self.written_globals,
                Base::Local => &self.written_locals[ty],
                Base::Object(_) => return false,
            };
            !written.iter().any(|&(from, to)| from < end && start < to)
        };
        match e {
            Expr::Const(_) | Expr::Pid => true,
            Expr::LoadByte(base, offset) => is_fixed(base, *offset, offset + 1),
            Expr::Load(place) => {
                let (start, end, _) = access::range(place);
                is_fixed(&place.base, start, end)
                    && place.indices.iter().all(|index| self.is_stable(ty, &index.value))
            }
            Expr::Unary(_, a) | Expr::WithConst(_, a, _) => self.is_stable(ty, a),
            Expr::Binary(_, a, b, _) | Expr::And(a, b) | Expr::Or(a, b) => {
                self.is_stable(ty, a) && self.is_stable(ty, b)
            }
            Expr::Cond(c, a, b) => self.is_stable(ty, c) && self.is_stable(ty, a) && self.is_stable(ty, b),
            _ => false,
        }
    }

    /// The channels that an expression may give.
    fn names(&mut self, ty: usize, e: &Expr) -> Vec<Name> {
        let place = match e {
            Expr::LoadByte(Base::Global, offset) => Some((*offset, offset + 1, true)),
            Expr::Load(place) if place.base == Base::Global => Some(access::range(place)),
            _ => None,
        };
        let ids = place.and_then(|(start, end, exact)| {
            let fixed = !self.written_globals.iter().any(|&(from, to)| from < end && start < to);
            let inside = self.channel_ids.iter().filter(|(at, _)| (start..end).contains(at));
            let ids: Vec<Name> = inside.map(|&(_, id)| Name::Id(id)).collect();
            // Something else may have been put there at the start: then it is known only in a state.
            let assigned = self.lowered.setup.iter().any(|step| match step {
                Setup::Assign(place, _) => {
                    let (from, to, _) = access::range(place);
                    from < end && start < to
                }
                Setup::Channel(..) => false,
            });
            (fixed && !assigned && (!exact || ids.len() == 1)).then_some((ids, exact))
        });
        match ids {
            Some((ids, true)) => ids,
            Some((ids, false)) if !self.is_stable(ty, e) => ids,
            // A function's variables are found in its frame only, which may not be there yet.
            _ if ty < self.lowered.proctypes.len() && self.is_stable(ty, e) => {
                match intern(&mut self.exprs[ty], e) {
                    Some(idx) => vec![Name::Expr(idx)],
                    None => vec![Name::Any],
                }
            }
            _ => vec![Name::Any],
        }
    }

    /// The channels that are in no object and that an expression may give.
    fn static_names(&mut self, ty: usize, e: &Expr) -> Vec<Name> {
        let in_objects = self.points.is_some_and(|points| !points.channels(ty, e).may_be_static);
        if in_objects { Vec::new() } else { self.names(ty, e) }
    }

    /// Adds a use of channels.
    fn use_channel(&mut self, ty: usize, to: &mut Footprint, e: &Expr, how: u8, when: When) {
        for name in self.names(ty, e) {
            self.use_name(to, name, how, when);
        }
    }

    fn use_name(&self, to: &mut Footprint, name: Name, how: u8, when: When) {
        match (name, when) {
            (Name::Id(id), When::Always) => {
                let how = if self.is_meeting(id) { how | channel::MEETING } else { how };
                let bit = channel_bit(usize::from(id));
                to.set.add_channels(self.resources.n_plain_words, bit, how);
                if self.traced.watches(bit, how) {
                    to.set.add(self.resources.trace, true);
                }
            }
            _ => *to.channels.entry((name, when)).or_default() |= how,
        }
    }

    /// Whether a channel that exists from the start is a rendezvous.
    fn is_meeting(&self, id: u8) -> bool {
        let channels = self.lowered.setup.iter().filter_map(|step| match step {
            Setup::Channel(_, ty) => Some(ty),
            Setup::Assign(..) => None,
        });
        let ty = channels.clone().nth(usize::from(id) - 1);
        ty.is_none_or(|ty| self.lowered.channel_types[usize::from(ty.0)].capacity == 0)
    }

    /// Adds one access. `first` if it belongs to the first statement of a step; `tested` if it matters that
    /// it may fail.
    fn add(&mut self, ty: usize, to: &mut Footprint, access: Access<'_>, first: bool, tested: bool) {
        match access {
            Access::Local { start, end, write, .. } => {
                self.resources.remote(ty, start, end, |bit| to.set.add(bit, write));
            }
            Access::Global { start, end, write, place } => {
                if self.shared.is_scratch(start, end) {
                    return;
                }
                let is_process = ty < self.lowered.proctypes.len();
                let stable = place.filter(|place| {
                    is_process && place.indices.iter().all(|index| self.is_stable(ty, &index.value))
                });
                match stable.and_then(|place| intern(&mut self.places[ty], place)) {
                    Some(idx) => *to.places.entry(idx).or_default() |= write,
                    None => self.resources.globals(start, end, |bit| to.set.add(bit, write)),
                }
            }
            Access::Channel(e, how) => {
                let channels = self.points.map(|points| points.channels(ty, e));
                if channels.as_ref().is_none_or(|channels| channels.may_be_static) {
                    self.add_channel(ty, to, e, how, first, tested);
                }
                for (site, ordinal) in channels.unwrap_or_default().parts {
                    self.add_site_channel(to, site, ordinal, how, first || tested);
                }
            }
            Access::Object { place, through, write } => self.add_object(ty, to, place, through, write),
            Access::Delete(delete) => {
                let sites = self.points.map(|points| points.deleted(ty, delete));
                sites.into_iter().flatten().for_each(|site| self.add_site(to, site));
            }
            Access::Remote { proctype, start, end } => {
                self.resources.remote(usize::from(proctype.0), start, end, |bit| to.set.add(bit, false));
            }
            Access::RemotePc { proctype, state } => {
                self.resources.watched(usize::from(proctype.0), state, |bit| to.set.add(bit, false));
            }
            Access::Processes => to.set.add(self.resources.processes, false),
            Access::Run(run) => self.add_run(ty, to, run),
            // Other deaths depend on each other in one way only, which is seen to where sets are chosen.
            Access::End => to.ends |= self.points.is_some() && !first,
            Access::Timeout | Access::NonProgress | Access::Beyond => {}
        }
    }

    fn add_channel(
        &mut self,
        ty: usize,
        to: &mut Footprint,
        e: &Expr,
        how: Use<'_>,
        first: bool,
        tested: bool,
    ) {
        let (uses, waits, when) = ends_used(how);
        self.use_channel(ty, to, e, uses, When::Always);
        if tested {
            self.use_channel(ty, to, e, waits, When::Always);
        } else if first && waits != 0 {
            self.use_channel(ty, to, e, waits, when);
        }
    }

    /// A process is started: who there is changes, claims are made, and first values are computed.
    fn add_run(&mut self, ty: usize, to: &mut Footprint, run: &Run) {
        if !self.shared.hidden_numbers {
            to.set.add(self.resources.processes, true);
        }
        let lowered = self.lowered;
        let child = &lowered.proctypes[usize::from(run.proctype.0)];
        let claims = child.exclusive.iter().filter(|_| lowered.check_exclusive);
        for claim in claims {
            let how = if claim.receive { channel::WRITE_RECEIVER } else { channel::WRITE_SENDER };
            match self.seen_from_starter(ty, child, run, &claim.channel) {
                Some(e) => self.use_channel(ty, to, &e, how, When::Always),
                None => self.use_name(to, Name::Any, how, When::Always),
            }
        }
        let (child_ty, start) = (usize::from(run.proctype.0), usize::from(child.start.0));
        self.resources.watched(child_ty, child.start, |bit| to.set.add(bit, true));
        for name in self.ready(child_ty, start) {
            self.use_name_of_child(ty, to, run, name, 0, When::Always);
        }
        for step in &child.setup {
            let Setup::Assign(_, e) = step else { continue };
            let mut accesses = Vec::new();
            access::expr(e, &mut |access| accesses.push(access));
            for access in accesses {
                match access {
                    Access::Object { place, through, .. } => {
                        self.add_object(child_ty, to, place, through, false);
                    }
                    Access::Global { start, end, .. } => {
                        self.resources.globals(start, end, |bit| to.set.add(bit, false));
                    }
                    Access::Channel(..) => {
                        let how = channel::READ_HEAD | channel::READ_TAIL;
                        self.use_name(to, Name::Any, how, When::Always);
                    }
                    Access::Processes => to.set.add(self.resources.processes, false),
                    _ => {}
                }
            }
        }
    }

    /// An expression of a process to be started, in terms of the process that starts it.
    fn seen_from_starter(&self, ty: usize, child: &Proctype, run: &Run, e: &Expr) -> Option<Expr> {
        let mut result = e.clone();
        let argument = |offset: u32| {
            let is_param = |place: &Place| place.base == Base::Local && place.offset == offset;
            let idx = child.params.iter().position(is_param)?;
            run.args.get(idx).filter(|arg| fits(arg, &child.params[idx])).cloned()
        };
        let known = substitute(&mut result, &argument);
        (known && n_nodes(&result) <= MAX_NODES && self.is_stable(ty, &result)).then_some(result)
    }

    /// What the step that begins in each control state may touch.
    fn next_steps(&mut self, ty: usize) -> Vec<Footprint> {
        let lowered = self.lowered;
        let proctype = &lowered.proctypes[ty];
        let n = proctype.transitions.len();
        // What follows inside an atomic sequence, in whatever order: until nothing is new.
        let inside: Vec<Footprint> = (0..n).map(|pc| self.of_state(ty, pc, false, true)).collect();
        let mut rest = inside;
        loop {
            let mut changed = false;
            for pc in (0..n).rev() {
                for target in atomic_targets(proctype, pc) {
                    let more = rest[target].clone();
                    changed |= rest[pc].extend(&more);
                }
            }
            if !changed {
                break;
            }
        }
        (0..n)
            .map(|pc| {
                let mut now = self.of_state(ty, pc, true, is_tested(proctype, pc));
                for target in atomic_targets(proctype, pc) {
                    now.extend(&rest[target]);
                }
                now
            })
            .collect()
    }

    /// What the transitions of each control state may touch when they come in their turn.
    fn single_steps(&mut self, ty: usize) -> Vec<Footprint> {
        let lowered = self.lowered;
        let proctype = lowered.body(ty);
        let n = proctype.transitions.len();
        let mut inside = vec![self.points.is_some(); n];
        for pc in 0..n {
            atomic_targets(proctype, pc).for_each(|target| inside[target] = true);
        }
        (0..n).map(|pc| self.of_state(ty, pc, false, inside[pc] || is_tested(proctype, pc))).collect()
    }

    /// What the transitions of one control state touch.
    fn of_state(&mut self, ty: usize, pc: usize, first: bool, tested: bool) -> Footprint {
        let lowered = self.lowered;
        let proctype = lowered.body(ty);
        let mut footprint = Footprint::new(self.n_words);
        let mut accesses = Vec::new();
        for transition in &proctype.transitions[pc] {
            let statement = &proctype.statements[transition.statement as usize];
            let tested = tested || matches!(statement.action, Action::DStep(_));
            accesses.extend(self.accesses(ty, transition).into_iter().map(|access| (access, tested)));
            self.of_transition(ty, pc, transition, &mut footprint);
        }
        accesses.extend(self.provided(ty, pc).into_iter().map(|access| (access, true)));
        for (access, tested) in accesses {
            self.add(ty, &mut footprint, access, first, tested);
        }
        footprint
    }

    /// What the `provided` clause of a process reads where it can do anything.
    fn provided(&self, ty: usize, pc: usize) -> Vec<Access<'a>> {
        let lowered = self.lowered;
        let body = lowered.body(ty);
        let mut accesses = Vec::new();
        if !body.transitions[pc].is_empty() {
            body.provided.iter().for_each(|e| access::expr(e, &mut |access| accesses.push(access)));
        }
        accesses
    }

    /// What the statement of a transition touches; of a call, before the function begins.
    fn accesses(&self, ty: usize, transition: &Transition) -> Vec<Access<'a>> {
        let lowered = self.lowered;
        let body = lowered.body(ty);
        let mut accesses = Vec::new();
        let note = &mut |access| accesses.push(access);
        match &body.statements[transition.statement as usize].action {
            Action::Call(call) => access::call_entry(call, note),
            _ => access::statement(body, transition.statement, note, Output::DoesNotCount),
        }
        accesses
    }

    /// What a transition touches beside what its statement does.
    fn of_transition(&mut self, ty: usize, pc: usize, transition: &'a Transition, to: &mut Footprint) {
        self.watch(ty, pc, transition, to);
        if let Some(target) = transition.target {
            for name in self.ready(ty, usize::from(target.0)) {
                // Only if it is a rendezvous does this count for anything.
                self.use_name(to, name, 0, When::Always);
            }
        }
        if self.points.is_some() {
            self.of_scopes_and_calls(ty, transition, to);
        }
    }

    /// Others may ask for the control states that a transition leads from and to.
    fn watch(&self, ty: usize, pc: usize, transition: &Transition, to: &mut Footprint) {
        for pc in transition.target.into_iter().chain([Pc(pc as u16)]) {
            self.resources.watched(ty, pc, |bit| to.set.add(bit, true));
        }
    }

    fn order_type(&self, ty: usize, now: Vec<Footprint>, ever: Vec<Footprint>) -> OrderType {
        let proctype = self.lowered.body(ty);
        // A death that nobody can tell is no more than any step of the process's own.
        let counts = self.shared.hidden_deaths.get(ty).is_some_and(|hidden| !hidden);
        let is_last = |list: &[Transition]| {
            counts
                && list
                    .iter()
                    .any(|t| matches!(proctype.statements[t.statement as usize].action, Action::End))
        };
        let may_die = if counts { self.may_die(proctype) } else { vec![false; now.len()] };
        let mut states = Vec::new();
        for (pc, (now, ever)) in now.into_iter().zip(ever).enumerate() {
            let dies = is_last(&proctype.transitions[pc]);
            states.push(OrderState {
                silent: now.is_empty() && !dies,
                now,
                ever,
                dies,
                may_die: may_die[pc],
            });
        }
        let own = proctype.setup.iter().filter(|step| matches!(step, Setup::Channel(..))).count();
        let claims = if self.lowered.check_exclusive { proctype.exclusive.clone() } else { Vec::new() };
        OrderType {
            exprs: self.exprs[ty].clone(),
            places: self.places[ty].clone(),
            n_channels: own,
            claims,
            states,
        }
    }

    /// Whether the process may come to its end from each control state.
    fn may_die(&self, proctype: &Proctype) -> Vec<bool> {
        let mut may: Vec<bool> = proctype
            .transitions
            .iter()
            .map(|list| {
                list.iter().any(|t| matches!(proctype.statements[t.statement as usize].action, Action::End))
            })
            .collect();
        loop {
            let mut changed = false;
            for pc in (0..may.len()).rev() {
                let leads = proctype.transitions[pc]
                    .iter()
                    .filter_map(|t| t.target)
                    .any(|target| may[usize::from(target.0)]);
                changed |= leads && !may[pc];
                may[pc] |= leads;
            }
            if !changed {
                return may;
            }
        }
    }
}

/// What a use of a channel does to its ends, which end it waits for, and when.
fn ends_used(how: Use<'_>) -> (u8, u8, When) {
    use channel::*;
    match how {
        Use::Send { sorted } => {
            let ends = if sorted { WRITE_TAIL | WRITE_HEAD } else { WRITE_TAIL };
            (ends | READ_SENDER, READ_HEAD, When::IfFull)
        }
        Use::Receive(receive) => {
            let ends = if receive.peek { READ_HEAD } else { WRITE_HEAD };
            let selective = receive.fields.iter().any(|field| matches!(field, crate::ir::Field::Match(_)));
            let when = if receive.random && selective { When::Always } else { When::IfEmpty };
            (ends | READ_RECEIVER, READ_TAIL, when)
        }
        Use::Look => (READ_TAIL | READ_HEAD | READ_SENDER | READ_RECEIVER, 0, When::Always),
        Use::LookForRoom => (READ_TAIL | READ_HEAD | READ_SENDER, 0, When::Always),
        Use::LookForMessage => (READ_TAIL | READ_HEAD | READ_RECEIVER, 0, When::Always),
    }
}

/// The bit of a channel by its identity.
#[inline]
pub(super) fn channel_bit(id: usize) -> u64 {
    1 << (id - 1).min(63)
}

/// The place of an element in a list of those told apart; nothing if there are too many.
fn intern<T: PartialEq + Clone>(list: &mut Vec<T>, item: &T) -> Option<u16> {
    let known = list.iter().position(|other| other == item);
    let idx = known.or_else(|| {
        (list.len() < MAX_EXPRESSIONS).then(|| {
            list.push(item.clone());
            list.len() - 1
        })
    });
    idx.map(|idx| idx as u16)
}

fn atomic_targets(proctype: &Proctype, pc: usize) -> impl Iterator<Item = usize> + '_ {
    let list = proctype.transitions[pc].iter().filter(|t| t.atomic);
    list.filter_map(|t| t.target).map(|target| usize::from(target.0))
}

/// Whether it matters in a control state that something cannot be done.
fn is_tested(proctype: &Proctype, pc: usize) -> bool {
    let list = &proctype.transitions[pc];
    let is_else = |t: &Transition| matches!(proctype.statements[t.statement as usize].action, Action::Else);
    proctype.deterministic || list.iter().any(|t| t.escape > 0 || is_else(t))
}

/// Whether an expression is a channel that the process has made itself.
fn is_own_channel(proctype: &Proctype, e: &Expr) -> bool {
    let offset = match e {
        Expr::LoadByte(Base::Local, offset) => *offset,
        Expr::Load(place) if place.base == Base::Local && place.indices.is_empty() => place.offset,
        _ => return false,
    };
    let mut makers = proctype.setup.iter().filter_map(|step| match step {
        Setup::Channel(place, _) => Some(place),
        Setup::Assign(..) => None,
    });
    makers.any(|place| access::range(place).0 == offset && access::range(place).2)
}

/// Whether a parameter holds an argument's value as it is: bytes are cut off otherwise.
fn fits(arg: &Expr, param: &Place) -> bool {
    match arg {
        Expr::LoadByte(..) => param.scalar.size() >= 1 && param.scalar != crate::ir::Scalar::Bit,
        Expr::Const(value) => param.scalar.truncate(*value) == *value,
        Expr::Load(place) => {
            place.scalar == param.scalar
                || (place.scalar == crate::ir::Scalar::Byte && param.scalar.size() > 1)
        }
        _ => false,
    }
}

/// Puts arguments in place of the variables of a process; false if that is not possible.
fn substitute(e: &mut Expr, argument: &impl Fn(u32) -> Option<Expr>) -> bool {
    let local = match e {
        Expr::LoadByte(Base::Local, offset) => Some(*offset),
        Expr::Load(place) if place.base == Base::Local && place.indices.is_empty() => Some(place.offset),
        _ => None,
    };
    if let Some(offset) = local {
        return argument(offset).map(|new| *e = new).is_some();
    }
    match e {
        Expr::Const(_) | Expr::LoadByte(..) => true,
        Expr::Load(place) if place.base == Base::Global => {
            place.indices.iter_mut().all(|index| substitute(&mut index.value, argument))
        }
        Expr::Unary(_, a) | Expr::WithConst(_, a, _) => substitute(a, argument),
        Expr::Binary(_, a, b, _) | Expr::And(a, b) | Expr::Or(a, b) => {
            substitute(a, argument) && substitute(b, argument)
        }
        _ => false,
    }
}

fn n_nodes(e: &Expr) -> usize {
    let mut n = 0;
    e.walk(&mut |_| n += 1);
    n
}
