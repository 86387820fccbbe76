//! The values that a step has read from fields and elements which other threads can change.
//!
//! In a lost update two threads read the same value; without the reads a counterexample shows only its
//! effect. Only values from the beginning of the step are listed: reading a value that the same step has
//! written is not informative.

use super::names::{self, Names};
use super::{field_name, is_named_by, is_of_thread, shown_value};
use crate::class::descriptor::Kind;
use crate::class::{Class, Loader};
use crate::vm::heap::{Data, Object, Ref};
use crate::vm::machine::{Machine, read_element};
use crate::vm::reads::Read;
use std::collections::{HashMap, HashSet};

/// Classes of the class library whose objects are listed: counters and references that are made to be shared.
const ATOMICS: &str = "java/util/concurrent/atomic/";

/// The reads of the step that a machine has just taken, each location once: first those that are known to be
/// in conflict with writes of other threads, then the rest, both in the order of reading.
pub(super) fn of_step(machine: &Machine<'_>, names: &Names) -> Vec<allways_model::Read> {
    let is_new = |object| machine.process.heap.is_fresh(object);
    let (mut contended, mut others) = (Vec::new(), Vec::new());
    for (read, shown) in named(machine, names, is_new) {
        if is_shared(machine, names, read.object) {
            if is_contended(machine, &read) { contended.push(shown) } else { others.push(shown) }
        }
    }
    contended.append(&mut others);
    contended
}

/// The reads of the step that a machine has just taken from named objects that existed when it began, each
/// location once.
pub(super) fn named(
    machine: &Machine<'_>,
    names: &Names,
    is_new: impl Fn(Ref) -> bool,
) -> Vec<(Read, allways_model::Read)> {
    let mut before: HashMap<Ref, &Object> = HashMap::new();
    for (object, old) in machine.process.heap.changes() {
        before.entry(object).or_insert(old);
    }
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for read in machine.step.reads.iter().flatten() {
        if is_new(read.object) || !seen.insert((read.object, read.part)) {
            continue;
        }
        let then = before.get(&read.object).copied().unwrap_or_else(|| machine.process.heap.get(read.object));
        if value_of(then, read) != Some(read.value) {
            continue;
        }
        let Some(name) = name_of(machine, names, read) else { continue };
        let value = shown_value(machine, names, read.kind, read.value);
        // A field whose value is named by the field itself is not informative.
        if read.kind != Kind::Ref || !is_named_by(&value, &name) {
            found.push((*read, allways_model::Read { name, value }));
        }
    }
    found
}

/// Whether the read is known to be in conflict with an operation of another thread.
fn is_contended(machine: &Machine<'_>, read: &Read) -> bool {
    let mut accesses = machine.step.accesses.iter();
    accesses.any(|one| one.in_view && one.object == read.object && one.place.slot == read.part)
}

/// Whether other threads can reach an object. For threads that have ended, only the names of objects that
/// they could reach are known.
pub(super) fn is_shared(machine: &Machine<'_>, names: &Names, object: Ref) -> bool {
    machine.process.heap.is_shared(object) || machine.process.threads.len() < 2 && names.has(object)
}

/// The value of an object at the location of a read.
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

/// The name of the location that was read; `None` if users do not know it, or if it never changes.
fn name_of(machine: &Machine<'_>, names: &Names, read: &Read) -> Option<String> {
    let vm = machine.vm;
    let object = machine.process.heap.get(read.object);
    if !matches!(object.data, Data::Slots(_)) {
        return names.name(read.object, Some(&format!("[{}]", read.part)));
    }
    let is_mirror = object.class == vm.known().class;
    let class = if is_mirror { vm.class(vm.mirrored(object)) } else { vm.class(object.class) };
    if !is_known(machine, class, is_mirror)
        || is_of_thread(machine, read.object, read.part)
        || machine.is_final(read.object, machine.place_of(read.object, read.part))
    {
        return None;
    }
    let (field, _) = field_name(machine, class, read.part, is_mirror)?;
    // Fields made by the compiler are not listed.
    if field.contains('$') {
        return None;
    }
    if is_mirror {
        return Some(format!("{}.{field}", names::simple(machine, class)));
    }
    names.name(read.object, Some(&field))
}

/// Whether users know the fields of a class: classes of the program, and counters and references of the class
/// library.
fn is_known(machine: &Machine<'_>, class: &Class, is_static: bool) -> bool {
    class.loader == Loader::App || !is_static && machine.vm.classes.name(class.id).starts_with(ATOMICS)
}
