//! The changes that a move made.
//!
//! A variable is identified by its location, so an object that gets another name has not changed. Objects
//! that exist before and after keep the name that they had. A new object is shown by the pointer to it, ended
//! frames and scopes by the return.

use super::Scene;
use super::listing::{Listed, ValueKind, list_all};
use super::names::{Cell, Names, Space};
use crate::ir::ObjectKind;
use crate::machine::reachable;
use allways_model::{Change, Variable};
use std::collections::{HashMap, HashSet};

/// The changes by a move of a process from one state to another, in which objects have the same numbers.
pub(super) fn changes(before: &Scene<'_>, after: &Scene<'_>, pid: u32) -> Vec<Change> {
    let old_names = Names::find(before);
    let new_names = Names::find(after).after(&old_names);
    let (old, new) = (list_all(before, &old_names, Some(pid)), list_all(after, &new_names, Some(pid)));
    let old_cells: HashMap<Cell, &Listed> = old.iter().map(|one| (one.cell, one)).collect();
    let new_cells: HashSet<Cell> = new.iter().map(|one| one.cell).collect();
    let mut out = Vec::new();
    for one in &new {
        let from = match old_cells.get(&one.cell) {
            Some(old) if is_same(old, one) => continue,
            Some(old) => Some(old.variable.value.clone()),
            None if is_worth_telling(after, one) => None,
            None => continue,
        };
        out.push(Change {
            name: name(&new_names, &one.variable),
            from,
            to: Some(one.variable.value.clone()),
        });
    }
    for one in old.iter().filter(|one| !new_cells.contains(&one.cell)) {
        if matches!(one.cell.0, Space::Globals | Space::Process(_)) {
            let from = Some(one.variable.value.clone());
            out.push(Change { name: name(&old_names, &one.variable), from, to: None });
        }
    }
    out.extend(ended(before, after, &old_names, pid));
    out
}

/// Whether a variable has the same value as before; for a pointer, the same target, even if that has ended.
fn is_same(old: &Listed, new: &Listed) -> bool {
    match new.kind {
        ValueKind::Channel => old.variable.value == new.variable.value,
        ValueKind::Value | ValueKind::Pointer => old.raw == new.raw,
    }
}

/// Whether the value of a new variable is worth showing: those of processes, arguments, and what is not zero.
fn is_worth_telling(after: &Scene<'_>, new: &Listed) -> bool {
    let Space::Object(number) = new.cell.0 else { return true };
    let dynamic = after.program.lowered().dynamic.as_ref();
    let function = match (dynamic, after.object_type(number).map(|ty| &ty.kind)) {
        (Some(dynamic), Some(ObjectKind::Frame(id))) => Some(&dynamic.functions[usize::from(*id)]),
        _ => None,
    };
    let is_argument =
        function.is_some_and(|function| function.body.params.iter().any(|param| param.offset == new.cell.1));
    is_argument || (new.raw != 0 && new.kind != ValueKind::Channel)
}

/// The objects that were deleted, lost or revived.
fn ended(before: &Scene<'_>, after: &Scene<'_>, names: &Names, pid: u32) -> Vec<Change> {
    let lowered = before.program.lowered();
    let reached: HashSet<u32> = reachable(lowered, after.layout, after.memory).into_iter().collect();
    let mut out = Vec::new();
    for number in reachable(lowered, before.layout, before.memory) {
        let (was, is) = (before.memory.live(number), after.memory.live(number));
        let ty = before.object_type(number).or_else(|| after.object_type(number));
        let Some(ty) = ty.filter(|ty| matches!(ty.kind, ObjectKind::Data(_))) else { continue };
        let ty = ty.name.to_string();
        let (from, to) = match (was.is_some(), is.is_some()) {
            (true, false) => (ty, "deleted".to_owned()),
            (true, true) if !reached.contains(&number) => (ty, "unreachable".into()),
            (false, true) => ("deleted".into(), format!("{ty} at the old address")),
            _ => continue,
        };
        let name = format!("object {}", names.label(number, Some(pid)));
        out.push(Change { name, from: Some(from), to: Some(to) });
    }
    out
}

/// The full name of a variable.
fn name(names: &Names, variable: &Variable) -> String {
    match variable.process {
        None => variable.name.clone(),
        Some(pid) => format!("{}({pid}):{}", names.type_of(pid), variable.name),
    }
}
