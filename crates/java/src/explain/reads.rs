//! The values that a step has read, as far as they matter to people: those of fields and elements that other
//! threads can change.
//!
//! A lost update is two threads that read the same value; without what they read a counterexample shows only
//! the end of it. What is listed was there when the step began: a thread that reads what it has just written
//! itself learns nothing.

use super::names::{self, Names};
use super::{field_name, is_named_by, shown_value};
use crate::class::descriptor::Kind;
use crate::class::{Class, Loader};
use crate::vm::heap::{Data, Object, Ref};
use crate::vm::machine::{Machine, read_element};
use crate::vm::reads::Read;
use std::collections::{HashMap, HashSet};

/// Objects of the class library whose fields people know: counters and references that are made to be shared.
const ATOMICS: &str = "java/util/concurrent/atomic/";

/// What the step that a machine has just taken read, each place once: first what others are known to write at
/// the same time, then the rest, both in the order of reading.
pub(super) fn of_step(machine: &Machine<'_>, names: &Names) -> Vec<allways_model::Read> {
    let mut before: HashMap<Ref, &Object> = HashMap::new();
    for (object, old) in machine.process.heap.changes() {
        before.entry(object).or_insert(old);
    }
    let mut seen = HashSet::new();
    let (mut contended, mut others) = (Vec::new(), Vec::new());
    for read in machine.step.reads.iter().flatten() {
        if machine.process.heap.is_fresh(read.object) || !seen.insert((read.object, read.part)) {
            continue;
        }
        let then = before.get(&read.object).copied().unwrap_or_else(|| machine.process.heap.get(read.object));
        if value_of(then, read) != Some(read.value) || !is_shared(machine, names, read.object) {
            continue;
        }
        let Some(name) = name_of(machine, names, read) else { continue };
        let value = shown_value(machine, names, read.kind, read.value);
        // That a field leads to what is named by it says nothing.
        if read.kind == Kind::Ref && is_named_by(&value, &name) {
            continue;
        }
        let shown = allways_model::Read { name, value };
        if is_contended(machine, read) { contended.push(shown) } else { others.push(shown) }
    }
    contended.append(&mut others);
    contended
}

/// Whether the read is known to be in conflict with what another thread does.
fn is_contended(machine: &Machine<'_>, read: &Read) -> bool {
    let mut accesses = machine.step.accesses.iter();
    accesses.any(|one| one.in_view && one.object == read.object && one.place.slot == read.part)
}

/// Whether other threads can reach an object. Of those that have ended, only the names of what they could
/// reach are left.
fn is_shared(machine: &Machine<'_>, names: &Names, object: Ref) -> bool {
    machine.process.heap.is_shared(object) || machine.process.threads.len() < 2 && names.has(object)
}

/// What an object had in the place of a read.
fn value_of(object: &Object, read: &Read) -> Option<u64> {
    let part = read.part as usize;
    match &object.data {
        Data::Slots(slots) => slots.get(part).copied(),
        Data::Refs(refs) => refs.get(part).map(|&element| u64::from(element)),
        Data::Bytes(bytes) if part < bytes.len() / read.kind.n_bytes() => {
            Some(read_element(bytes, read.kind, part))
        }
        Data::Bytes(_) => None,
    }
}

/// The name of what was read; `None` if people do not know it, or if it never changes.
fn name_of(machine: &Machine<'_>, names: &Names, read: &Read) -> Option<String> {
    let vm = machine.vm;
    let object = machine.process.heap.get(read.object);
    if !matches!(object.data, Data::Slots(_)) {
        return names.has(read.object).then(|| format!("{}[{}]", names.of(machine, read.object), read.part));
    }
    let is_mirror = object.class == vm.known().class;
    let class = if is_mirror { vm.class(vm.mirrored(object)) } else { vm.class(object.class) };
    if !is_known(machine, class, is_mirror)
        || machine.is_final(read.object, machine.place_of(read.object, read.part))
    {
        return None;
    }
    let (field, _) = field_name(machine, class, read.part, is_mirror)?;
    // Those that the compiler makes are not the program's.
    if field.contains('$') {
        return None;
    }
    let owner = if is_mirror {
        names::simple(machine, class)
    } else if names.has(read.object) {
        names.of(machine, read.object)
    } else {
        return None;
    };
    Some(format!("{owner}.{field}"))
}

/// Whether people know the fields of a class: those of the program, and counters and references of the class
/// library.
fn is_known(machine: &Machine<'_>, class: &Class, is_static: bool) -> bool {
    class.loader == Loader::App || !is_static && machine.vm.classes.name(class.id).starts_with(ATOMICS)
}
