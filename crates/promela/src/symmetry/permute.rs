//! Brings a state into a normal form: interchangeable processes in a fixed order.
//!
//! Members of a group are sorted by a description of each that names no other member: its record without
//! process numbers, its element of every array indexed by process numbers, and which variables hold its
//! number. Then records change places, and everything that holds a process number or is indexed by one is
//! renamed accordingly. Any renaming gives a state with the same future, so this is sound whether or not two
//! states of one orbit always get the same normal form. They do if no variable of a process, message or array
//! element holds process numbers. Otherwise members with equal descriptions are tried in all orders, if there
//! are few orders.

use super::detect::{Cells, Detected};
use crate::lower::{Lowered, PROCESS_HEADER_SIZE};
use crate::machine::{Layout, LayoutId, Layouts, field_offset, read_scalar, write_scalar};

/// At most this many orders of members with equal descriptions are tried.
const MOST_ORDERS: usize = 120;

/// The members of each group, by layout; `None` where they were not computed yet.
type GroupsOf = Vec<Option<Vec<Vec<usize>>>>;

/// Brings states into normal form, for one worker.
pub(super) struct Normaliser<'p> {
    lowered: &'p Lowered,
    detected: &'p Detected,
    layouts: Layouts,
    groups: GroupsOf,
    keys: Vec<Vec<u8>>,
    before: Vec<u8>,
    best: Vec<u8>,
}

impl<'p> Normaliser<'p> {
    pub(super) fn new(lowered: &'p Lowered, detected: &'p Detected) -> Self {
        Self {
            lowered,
            detected,
            layouts: Layouts::new(lowered),
            groups: Vec::new(),
            keys: Vec::new(),
            before: Vec::new(),
            best: Vec::new(),
        }
    }

    /// Brings a vector into its normal form. Returns whether that changed it.
    pub(super) fn normalise(&mut self, vector: &mut [u8]) -> bool {
        let id = self.layouts.of(vector, self.lowered);
        self.find_groups(id);
        let Self { lowered, detected, layouts, groups, keys, before, best } = self;
        let layout = layouts.get(id);
        let groups = groups[id.index()].as_deref().unwrap_or_default();
        if groups.is_empty() {
            return false;
        }
        // The new number of each process.
        let mut to: [u8; 256] = std::array::from_fn(|pid| pid as u8);
        let (mut moved, mut ties) = (false, Vec::new());
        for group in groups {
            keys.resize_with(group.len().max(keys.len()), Vec::new);
            for (key, &pid) in keys.iter_mut().zip(group) {
                describe(detected, layout, vector, pid, key);
            }
            let mut order: Vec<usize> = (0..group.len()).collect();
            order.sort_by(|&a, &b| keys[a].cmp(&keys[b]));
            for (&member, &place) in order.iter().zip(group) {
                to[group[member]] = place as u8;
                moved |= group[member] != place;
            }
            for class in order.chunk_by(|&a, &b| keys[a] == keys[b]).filter(|class| class.len() > 1) {
                ties.push(class.iter().map(|&member| group[member]).collect::<Vec<usize>>());
            }
        }
        if moved {
            before.clear();
            before.extend_from_slice(vector);
            rename(lowered, detected, layout, groups, &to, before, vector);
        }
        if ties.is_empty() || detected.is_plain() {
            return moved;
        }
        // Members with the same description may still differ in the members that they refer to.
        let n_orders = ties.iter().try_fold(1_usize, |n, class| n.checked_mul(factorial(class.len())?));
        if n_orders.is_none_or(|n| n > MOST_ORDERS) {
            return moved;
        }
        before.clear();
        before.extend_from_slice(vector);
        best.clear();
        best.extend_from_slice(vector);
        // The classes, by the current numbers of their members.
        let classes: Vec<Vec<usize>> =
            ties.iter().map(|class| class.iter().map(|&pid| usize::from(to[pid])).collect()).collect();
        for_each_order(&classes, &mut |to| {
            rename(lowered, detected, layout, groups, to, before, vector);
            if *vector < best[..] {
                best.copy_from_slice(vector);
            }
        });
        vector.copy_from_slice(best);
        moved || *best != *before
    }

    /// The number of states with this normal form, if all of them can be reached; `None` if it is not known.
    pub(super) fn orbit(&mut self, vector: &[u8]) -> Option<u64> {
        if !self.detected.is_plain() {
            return None;
        }
        let id = self.layouts.of(vector, self.lowered);
        self.find_groups(id);
        let layout = self.layouts.get(id);
        let mut size = 1_u64;
        for group in self.groups[id.index()].as_deref().unwrap_or_default() {
            let mut keys: Vec<Vec<u8>> = Vec::new();
            for &pid in group {
                let mut key = Vec::new();
                describe(self.detected, layout, vector, pid, &mut key);
                keys.push(key);
            }
            keys.sort();
            let mut orders = factorial(group.len())?;
            for class in keys.chunk_by(|a, b| a == b) {
                orders /= factorial(class.len())?;
            }
            size = size.checked_mul(orders as u64)?;
        }
        Some(size)
    }

    fn find_groups(&mut self, id: LayoutId) {
        if self.groups.len() <= id.index() {
            self.groups.resize(id.index() + 1, None);
        }
        if self.groups[id.index()].is_none() {
            self.groups[id.index()] = Some(self.detected.groups(self.layouts.get(id)));
        }
    }
}

impl Detected {
    /// The groups of interchangeable processes in a layout. A process that may end can be in a group only if
    /// some younger process never ends: otherwise its number decides whether it may die.
    pub(super) fn groups(&self, layout: &Layout) -> Vec<Vec<usize>> {
        let type_of = |pid: usize| usize::from(layout.processes[pid].ty.0);
        let n = layout.processes.len();
        let last_endless = (0..n).rev().find(|&pid| self.endless[type_of(pid)]);
        let member = |&pid: &usize| {
            pid < self.first_fixed
                && self.symmetric[type_of(pid)]
                && last_endless.is_some_and(|endless| pid <= endless)
        };
        let groups = (0..self.symmetric.len())
            .map(|ty| (0..n).filter(|&pid| type_of(pid) == ty).filter(member).collect::<Vec<usize>>());
        groups.filter(|group| group.len() > 1).collect()
    }

    /// Whether a description determines a process completely: only globals hold process numbers, and none of
    /// those is indexed by one.
    pub(super) fn is_plain(&self) -> bool {
        self.fields.is_empty()
            && self.locals.iter().all(Vec::is_empty)
            && self.globals.iter().all(|cells| cells.by_pid.is_none() || !cells.holds_pid)
    }
}

/// Describes one process without naming another.
fn describe(detected: &Detected, layout: &Layout, vector: &[u8], pid: usize, key: &mut Vec<u8>) {
    let slot = layout.processes[pid];
    let ty = usize::from(slot.ty.0);
    let start = slot.offset as usize;
    let end = end_of(layout, pid, vector.len());
    key.clear();
    key.extend_from_slice(&vector[start..end]);
    for cells in &detected.locals[ty] {
        cells.each(|at, idx| {
            if cells.holds_pid {
                let own = read_scalar(vector, start + at, cells.scalar) == pid as i32;
                clear(&mut key[at..at + cells.scalar.size() as usize]);
                key[at] = u8::from(own);
            } else if idx != Some(pid) {
                clear(&mut key[at..at + cells.scalar.size() as usize]);
            }
        });
    }
    for cells in &detected.globals {
        let size = cells.scalar.size() as usize;
        cells.each(|at, idx| match (cells.holds_pid, idx) {
            (true, _) => {
                let names = read_scalar(vector, at, cells.scalar) == pid as i32;
                key.push(u8::from(names) | u8::from(idx == Some(pid)) << 1);
            }
            (false, Some(idx)) if idx == pid => key.extend_from_slice(&vector[at..at + size]),
            (false, _) => {}
        });
    }
}

fn clear(bytes: &mut [u8]) {
    bytes.fill(0);
}

/// The end of a process's record. A symmetric process makes no channels of its own.
fn end_of(layout: &Layout, pid: usize, len: usize) -> usize {
    let next = layout.processes.get(pid + 1).map_or(len, |next| next.offset as usize);
    debug_assert!(next >= layout.processes[pid].offset as usize + PROCESS_HEADER_SIZE as usize);
    next
}

impl Cells {
    /// Calls `visit` with the offset of each scalar, from the start of its record or of the vector, and its
    /// index that is a process number.
    fn each(&self, mut visit: impl FnMut(usize, Option<usize>)) {
        let n: u32 = self.dims.iter().map(|(bound, _)| bound).product();
        for mut rest in 0..n {
            let mut at = self.offset;
            let mut by_pid = None;
            for (dim, &(bound, stride)) in self.dims.iter().enumerate().rev() {
                let idx = rest % bound;
                rest /= bound;
                at += idx * stride;
                if self.by_pid == Some(dim) {
                    by_pid = Some(idx as usize);
                }
            }
            visit(at as usize, by_pid);
        }
    }
}

/// Writes to `after` the state `before`, with each process `pid` of a group renamed to `to[pid]`.
fn rename(
    lowered: &Lowered,
    detected: &Detected,
    layout: &Layout,
    groups: &[Vec<usize>],
    to: &[u8; 256],
    before: &[u8],
    after: &mut [u8],
) {
    after.copy_from_slice(before);
    for &pid in groups.iter().flatten() {
        let from = layout.processes[pid].offset as usize..end_of(layout, pid, before.len());
        let start = layout.processes[usize::from(to[pid])].offset as usize;
        after[start..start + from.len()].copy_from_slice(&before[from]);
    }
    let pid_of = |value: i32| u8::try_from(value).map_or(value, |pid| i32::from(to[usize::from(pid)]));
    let mut move_cells = |cells: &Cells, from: usize, start: usize| {
        cells.each(|at, idx| {
            let mut value = read_scalar(before, from + at, cells.scalar);
            if cells.holds_pid {
                value = pid_of(value);
            }
            let mut target = start + at;
            if let (Some(dim), Some(idx)) = (cells.by_pid, idx) {
                let moved = to.get(idx).map_or(idx, |&pid| usize::from(pid));
                target = target - idx * cells.dims[dim].1 as usize + moved * cells.dims[dim].1 as usize;
            }
            write_scalar(after, target, cells.scalar, value);
        });
    };
    detected.globals.iter().for_each(|cells| move_cells(cells, 0, 0));
    for (pid, slot) in layout.processes.iter().enumerate() {
        let start = layout.processes[usize::from(to[pid])].offset as usize;
        let cells = &detected.locals[usize::from(slot.ty.0)];
        cells.iter().for_each(|cells| move_cells(cells, slot.offset as usize, start));
    }
    for &slot in &layout.channels {
        let ty = &lowered.channel_types[usize::from(slot.ty.0)];
        if ty.capacity == 0 {
            continue;
        }
        let n = read_scalar(before, slot.offset as usize, ty.length_scalar());
        for message in 0..n as usize {
            for &field in detected.fields.iter().filter(|&&field| field < ty.fields.len()) {
                let at = field_offset(ty, slot, message, field);
                let value = pid_of(read_scalar(before, at, ty.fields[field].0));
                write_scalar(after, at, ty.fields[field].0, value);
            }
        }
    }
}

fn factorial(n: usize) -> Option<usize> {
    (1..=n).try_fold(1_usize, usize::checked_mul)
}

/// Calls `visit` with every permutation of the members within each class.
fn for_each_order(classes: &[Vec<usize>], visit: &mut impl FnMut(&[u8; 256])) {
    fn go(
        classes: &[Vec<usize>],
        at: (usize, usize),
        to: &mut [u8; 256],
        visit: &mut impl FnMut(&[u8; 256]),
    ) {
        let (class, member) = at;
        let Some(members) = classes.get(class) else { return visit(to) };
        if member == members.len() {
            return go(classes, (class + 1, 0), to, visit);
        }
        for other in member..members.len() {
            to.swap(members[member], members[other]);
            go(classes, (class, member + 1), to, visit);
            to.swap(members[member], members[other]);
        }
    }
    let mut to: [u8; 256] = std::array::from_fn(|pid| pid as u8);
    go(classes, (0, 0), &mut to, visit);
}
