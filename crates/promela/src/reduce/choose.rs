//! Chooses sets of processes whose steps are sufficient in a state.
//!
//! A set of processes is *closed* in a state if no process outside it, nor any process that such a process
//! may start, can ever touch from now on what a step of a process inside touches now. Then the steps of the
//! processes inside are a persistent set (Godefroid, *Partial-StepOrder Methods for the Verification of
//! Concurrent Systems*, 1996): whatever the other processes do, these steps stay unchanged, those that are
//! disabled stay disabled, and each commutes with every step of the others. It is therefore sufficient to
//! explore these steps, provided that at least one is enabled, and that the search does not stay with such
//! sets all around a cycle (the searches ensure this). Unions of closed sets are closed.
//!
//! For "touch" to be enough, the following must hold of each step:
//! - Steps that do not conflict, by what `footprint` lists, commute and keep each other enabled. A disabled
//!   step becomes enabled only through something that it reads. A step that fails reads what it fails on, so
//!   it fails in the same way in every order.
//! - A rendezvous belongs to two processes. Both write both ends of the channel, so a set that contains one
//!   of them contains every process that may ever use the channel.
//! - A process dies only if it is the youngest. While a process inside the set does not move, older processes
//!   cannot die. So only deaths of younger processes matter, and only to processes that start others, read
//!   which processes exist, use channels of the dead, or wait to die themselves.
//! - A set with a step that may be visible to an observer is not sufficient (`observed`).
//! - `timeout` is true only where no process can do anything else. A closed set with an enabled step keeps
//!   that step enabled, so `timeout` stays false whatever the others do. Where no step is enabled, no step is
//!   omitted.
//! - Where a process may have to wait for the priority of another, now or later, all processes are expanded
//!   (`machine::rank`).
//!
//! In models with dynamic features (`stacks`, `owners`, `points_to`):
//! - A cell that steps of two processes touch is either a variable that both can name, or a part of an
//!   object. For an object, both have a reference. So its site is shared, and the bit of the part is in both
//!   footprints, also if one of the two ends the object. Each process reaches only what it has a reference
//!   to, and a reference changes only by a write to the cell that holds it, which is listed too.
//! - An object that only processes of the set can reach now is not touched by any other process until one of
//!   them moves.
//! - Two steps that make objects lead to the same state in both orders: objects are numbered only by the
//!   order in which they are reached, and lost objects are not part of the state. (Where that does not hold,
//!   no set is chosen: `shared::dynamic`.)
//!
//! The choice is a function of the vector alone, so it is the same for every worker and every target.

mod stacks;

use super::footprint::{Footprint, Name, Traced, When, channel_bit};
use super::owners::Owners;
use super::resources::{self, NONE, Resources, Set, channel};
use crate::ir::{Exclusive, Expr, ScalarPlace};
use crate::lower::Lowered;
use crate::machine::{Eval, Layouts, Memory, Troubles};
use stacks::{DynamicOrder, InState};

/// States with more processes than this are always expanded in full.
const MAX_PROCESSES: usize = 64;

/// What is known about a model before it runs.
#[derive(Debug)]
pub(crate) struct StepOrder {
    bit_of: Vec<u16>,
    processes: u16,
    trace: u16,
    traced: Traced,
    n_words: usize,
    first_channel_word: usize,
    /// What an observer reads: a step that writes any of it is visible.
    observed: Vec<u64>,
    /// By code: the process types, followed by the functions.
    types: Vec<OrderType>,
    /// In a model with dynamic features, what must be looked up in addition.
    dynamic: Option<DynamicOrder>,
}

/// What is known about a process type.
#[derive(Debug)]
pub(super) struct OrderType {
    /// Expressions that give channels and never change during the life of a process.
    pub(super) exprs: Vec<Expr>,
    /// Places of globals whose indices never change during the life of a process.
    pub(super) places: Vec<ScalarPlace>,
    /// The number of channels that a process makes.
    pub(super) n_channels: usize,
    /// The claims that it makes, if they are checked.
    pub(super) claims: Vec<Exclusive>,
    pub(super) states: Vec<OrderState>,
}

/// What is known about a control state.
#[derive(Debug)]
pub(super) struct OrderState {
    pub(super) now: Footprint,
    pub(super) ever: Footprint,
    /// Whether the next step touches nothing that another process or an observer can depend on.
    pub(super) silent: bool,
    /// Whether the process may die with its next step, or later.
    pub(super) dies: bool,
    pub(super) may_die: bool,
}

impl StepOrder {
    pub(super) fn new(
        resources: &Resources,
        n_words: usize,
        traced: Traced,
        observed: Set,
        types: Vec<OrderType>,
    ) -> Self {
        Self {
            bit_of: resources.bit_of.clone(),
            processes: resources.processes,
            trace: resources.trace,
            traced,
            n_words,
            first_channel_word: resources.n_plain_words,
            observed: observed.0,
            types,
            dynamic: None,
        }
    }
}

/// A set of processes, by number.
pub(crate) type Processes = u64;

/// Finds sufficient sets of processes in a state; used for one state after another.
#[derive(Debug)]
pub(crate) struct Chooser<'p> {
    order: &'p StepOrder,
    /// For each process, the set of what it touches now, followed by the set of what it may ever touch.
    now: Vec<u64>,
    ever: Vec<u64>,
    /// Identities of channels, by expression of the current process.
    ids: Vec<usize>,
    /// For each process, the channels that it has made, and those whose ends it has claimed.
    made: Vec<u64>,
    claimed: Vec<u64>,
    conflicts: Vec<Processes>,
    /// The processes whose next step may be visible, and those that may die with it.
    visible: Processes,
    dying: Processes,
    /// Which processes can reach which objects.
    owners: Owners,
    /// The closed sets that have not been given yet, the best one last.
    closed: Vec<Processes>,
    stage: Stage,
    trouble: Troubles,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Silent processes, each sufficient by itself; the number of the next process to check.
    Silent(usize),
    /// Closed sets.
    Closed,
    /// All sets have been given: only the full expansion remains.
    Rest,
}

impl<'p> Chooser<'p> {
    pub(crate) fn new(order: &'p StepOrder) -> Self {
        Self {
            order,
            now: Vec::new(),
            ever: Vec::new(),
            ids: Vec::new(),
            made: Vec::new(),
            claimed: Vec::new(),
            conflicts: Vec::new(),
            visible: 0,
            dying: 0,
            owners: Owners::default(),
            closed: Vec::new(),
            stage: Stage::Rest,
            trouble: Troubles::default(),
        }
    }

    /// Begins a new state. No set is chosen where priorities matter.
    pub(crate) fn begin(&mut self, memory: &Memory, ranks_matter: bool) {
        let n = usize::from(memory.bytes[0]);
        let may_choose = (2..=MAX_PROCESSES).contains(&n) && !ranks_matter;
        self.stage = if may_choose { Stage::Silent(n) } else { Stage::Rest };
    }

    /// The next sufficient set of processes of the state, in the order in which they should be tried; `None`
    /// if only the full expansion is left.
    pub(crate) fn next(
        &mut self,
        lowered: &Lowered,
        layouts: &Layouts,
        memory: &Memory,
    ) -> Option<Processes> {
        if let Stage::Silent(n) = self.stage {
            let layout = layouts.get(memory.layout);
            for pid in (0..n).rev() {
                let silent = match self.order.dynamic {
                    None => self.state(layout.processes[pid], memory).silent,
                    Some(_) => self.is_silent(lowered, layouts, memory, pid),
                };
                if silent {
                    self.stage = Stage::Silent(pid);
                    return Some(1 << pid);
                }
            }
            self.stage = Stage::Closed;
            self.find_closed(lowered, layouts, memory);
        }
        if self.stage == Stage::Closed {
            if let Some(set) = self.closed.pop() {
                return Some(set);
            }
            self.stage = Stage::Rest;
        }
        None
    }

    /// Whether the process is silent, judged by the frames of the functions it is in.
    #[inline(never)]
    fn is_silent(&self, lowered: &Lowered, layouts: &Layouts, memory: &Memory, pid: usize) -> bool {
        let eval = Eval::new(lowered, layouts, memory, pid, &self.trouble);
        stacks::is_silent(self.order, &eval)
    }

    /// What is known of the control state of the process itself, even while it is in a function.
    #[inline]
    fn state(&self, slot: crate::machine::ProcessSlot, memory: &Memory) -> &'p OrderState {
        let at = slot.offset as usize;
        let pc = usize::from(u16::from_le_bytes([memory.bytes[at + 2], memory.bytes[at + 3]]));
        &self.order.types[usize::from(slot.ty.0)].states[pc]
    }

    /// Fills `closed`: the smallest sets last, and among equal sizes the set of the youngest process last.
    fn find_closed(&mut self, lowered: &Lowered, layouts: &Layouts, memory: &Memory) {
        let n = layouts.get(memory.layout).processes.len();
        self.look_up(lowered, layouts, memory);
        self.find_conflicts(layouts, memory);
        self.closed.clear();
        let all = if n == 64 { u64::MAX } else { (1 << n) - 1 };
        for pid in 0..n {
            let mut set: Processes = 1 << pid;
            let mut todo = set;
            while todo != 0 {
                let member = todo.trailing_zeros() as usize;
                todo &= todo - 1;
                let more = self.conflicts[member] & !set;
                set |= more;
                todo |= more;
            }
            if set != all && set & self.visible == 0 {
                self.closed.push(set);
            }
        }
        self.closed.sort_by_key(|set| std::cmp::Reverse(set.count_ones()));
        self.closed.dedup();
    }

    /// Looks up the footprints of every process.
    fn look_up(&mut self, lowered: &Lowered, layouts: &Layouts, memory: &Memory) {
        let layout = layouts.get(memory.layout);
        let size = 2 * self.order.n_words;
        let n = layout.processes.len();
        for list in [&mut self.now, &mut self.ever] {
            list.clear();
            list.resize(n * size, 0);
        }
        self.made.clear();
        self.claimed.clear();
        self.dying = 0;
        if let Some(dynamic) = &self.order.dynamic {
            self.owners.find(lowered, layouts, memory, &dynamic.remote);
        }
        let n_made: usize =
            layout.processes.iter().map(|slot| self.order.types[usize::from(slot.ty.0)].n_channels).sum();
        let mut next_channel = layout.channels.len() - n_made + 1;
        for (pid, &slot) in layout.processes.iter().enumerate() {
            let ty = &self.order.types[usize::from(slot.ty.0)];
            let state = self.state(slot, memory);
            let mut eval = Eval::new(lowered, layouts, memory, pid, &self.trouble);
            eval.base = eval.record;
            self.ids.clear();
            self.ids.extend(ty.exprs.iter().map(|e| usize::try_from(eval.eval(e)).unwrap_or(0)));
            let made = (next_channel..next_channel + ty.n_channels).map(channel_bit).fold(0, |a, b| a | b);
            next_channel += ty.n_channels;
            self.made.push(made);
            let mut claims = [0, 0];
            for claim in &ty.claims {
                let id = usize::try_from(eval.eval(&claim.channel)).unwrap_or(0);
                claims[usize::from(claim.receive)] |= if id == 0 { 0 } else { channel_bit(id) };
            }
            self.claimed.extend(claims);
            let look = Look { order: self.order, ty, eval: &eval, ids: &self.ids };
            let now = &mut self.now[pid * size..(pid + 1) * size];
            let ever = &mut self.ever[pid * size..(pid + 1) * size];
            let mut dies = state.dies;
            if let Some(dynamic) = &self.order.dynamic {
                let (owners, trouble) = (&self.owners, &self.trouble);
                let top = Eval::new(lowered, layouts, memory, pid, trouble);
                let in_state = InState { lowered, memory, pid, owners, trouble };
                if look.up_stack(dynamic, &top, &in_state, now, ever) {
                    resources::add(now, self.order.processes, false);
                    dies = true;
                }
            } else {
                look.up_plain(&state.now, now);
                look.up_plain(&state.ever, ever);
            }
            self.dying |= u64::from(dies) << pid;
            if dies && pid + 1 == n {
                // Its death removes its channels and claims, and changes which processes exist.
                resources::add(now, self.order.processes, true);
                let first = self.order.first_channel_word;
                resources::add_channels(now, first, made, channel::MEETING);
                resources::add_channels(now, first, claims[0], channel::WRITE_SENDER);
                resources::add_channels(now, first, claims[1], channel::WRITE_RECEIVER);
            }
        }
        if !self.trouble.is_empty() {
            // An expression that fails here will fail when the statement is tried, and then it touches
            // nothing.
            self.trouble.take();
        }
    }

    /// For each process, finds those that may ever touch what it touches now.
    fn find_conflicts(&mut self, layouts: &Layouts, memory: &Memory) {
        let layout = layouts.get(memory.layout);
        let n = layout.processes.len();
        let words = self.order.n_words;
        let size = 2 * words;
        let first = words + self.order.first_channel_word;
        self.conflicts.clear();
        self.visible = 0;
        for one in 0..n {
            let now = &self.now[one * size..(one + 1) * size];
            self.visible |= u64::from(resources::conflict(now, &self.order.observed)) << one;
            let waits_to_die = self.dying >> one & 1 == 1 && one + 1 < n;
            let at = words + usize::from(self.order.processes) / 64;
            let counts = now[at] >> (self.order.processes % 64) & 1 == 1;
            let mut set = 0;
            for other in (0..n).filter(|&other| other != one) {
                let mut meets = resources::conflict(now, &self.ever[other * size..(other + 1) * size]);
                if !meets && other > one && self.state(layout.processes[other], memory).may_die {
                    let touched = |end: usize| now[first + end];
                    meets = waits_to_die
                        || counts
                        || (touched(0) | touched(1)) & self.made[other] != 0
                        || touched(2) & self.claimed[2 * other] != 0
                        || touched(3) & self.claimed[2 * other + 1] != 0;
                }
                set |= u64::from(meets) << other;
            }
            self.conflicts.push(set);
        }
    }
}

/// Looks up the footprints of one process.
struct Look<'a> {
    order: &'a StepOrder,
    ty: &'a OrderType,
    eval: &'a Eval<'a>,
    /// The channels that its expressions give.
    ids: &'a [usize],
}

impl Look<'_> {
    /// Looks up a footprint, including all its parts of objects.
    fn up(&self, footprint: &Footprint, set: &mut [u64]) {
        self.up_plain(footprint, set);
        for (&(_, bit), &write) in &footprint.parts {
            resources::add(set, bit, write);
        }
    }

    /// Looks up a footprint, without its parts of objects.
    fn up_plain(&self, footprint: &Footprint, set: &mut [u64]) {
        set.iter_mut().zip(&footprint.set.0).for_each(|(word, more)| *word |= more);
        for (&(name, when), &how) in &footprint.channels {
            match name {
                Name::Id(id) => self.channel(usize::from(id), how, when, set),
                // A channel of an object is known by its site.
                Name::Expr(idx) => match self.ids[usize::from(idx)] {
                    id if id <= usize::from(u16::MAX) => self.channel(id, how, when, set),
                    _ => {}
                },
                Name::Any => {
                    for id in 1..=self.eval.layout.channels.len() {
                        self.channel(id, how, when, set);
                    }
                    resources::add(set, self.order.processes, false);
                }
            }
        }
        for (&idx, &write) in &footprint.places {
            let place = &self.ty.places[usize::from(idx)];
            let at = self.eval.offset(place);
            let mut last = NONE;
            for &bit in &self.order.bit_of[at..at + place.scalar.size() as usize] {
                if bit != NONE && bit != last {
                    resources::add(set, bit, write);
                    last = bit;
                }
            }
        }
    }

    fn channel(&self, id: usize, how: u8, when: When, set: &mut [u64]) {
        if id == 0 {
            return; // No channel ever.
        }
        let Some(&slot) = self.eval.layout.channels.get(id - 1) else {
            // There is no such channel now, but one made later may get this identity.
            resources::add(set, self.order.processes, false);
            return;
        };
        let capacity = self.eval.capacity(slot);
        let how = if capacity == 0 { how | channel::MEETING } else { how };
        let counts = match when {
            When::Always => true,
            When::IfFull => capacity == 0 || self.eval.length(slot) >= capacity,
            When::IfEmpty => self.eval.length(slot) == 0,
        };
        if counts {
            let bit = channel_bit(id);
            resources::add_channels(set, self.order.first_channel_word, bit, how);
            if self.order.traced.watches(bit, how) {
                resources::add(set, self.order.trace, true);
            }
        }
    }
}
