//! Describes states and steps in words: where threads are, what a step changed, and which thread waits for
//! which.

mod captured;
mod collections;
pub mod heap;
pub mod names;
mod operations;
mod reads;
pub mod waits;

use crate::class::descriptor::Kind;
use crate::class::{Class, Loader, Method, flags};
use crate::deadlock::Stuck;
use crate::rules;
use crate::vm::heap::{Data, Object, Ref};
use crate::vm::machine::Machine;
use crate::vm::step::Event;
use crate::vm::strings;
use crate::vm::thread::{Frame, Thread, Wait};
use allways_model::{Change, Fact, Location, Move, Process, Read, Variable, Violation};
use names::{Called, Names};
use std::sync::Arc;
pub(crate) use waits::waits_for_requests;

/// The name of a live thread, or of one that has just ended.
#[must_use]
pub fn thread_name(machine: &Machine<'_>, id: u32) -> String {
    match machine.thread_by_id(id) {
        Some(idx) => name_of(machine, &machine.process.threads[idx]),
        None if id == 0 => "main".into(),
        None => format!("#{id}"),
    }
}

fn name_of(machine: &Machine<'_>, thread: &Thread<'_>) -> String {
    match machine.process.heap.slot(thread.object, machine.vm.known().thread_name) as Ref {
        0 => format!("#{}", thread.id),
        name => machine.text(name),
    }
}

/// The innermost frame of the program's code, or the innermost of all.
fn own_frame<'a, 'vm>(machine: &Machine<'vm>, thread: &'a Thread<'vm>) -> Option<&'a Frame<'vm>> {
    thread.frames.iter().rev().find(|frame| is_own(machine, frame)).or(thread.frames.last())
}

/// The location of a thread in the program's code; otherwise that of its innermost frame.
pub(crate) fn place_of(machine: &Machine<'_>, thread: &Thread<'_>) -> Option<Location> {
    let frame = own_frame(machine, thread)?;
    let place = machine.place(frame.method, frame.pc);
    place.map(|(file, line)| crate::model::location(&file, line))
}

/// The location of a thread in the program's code; `None` if it has no frame there.
pub(crate) fn own_place(machine: &Machine<'_>, thread: &Thread<'_>) -> Option<Location> {
    thread.frames.iter().any(|frame| is_own(machine, frame)).then(|| place_of(machine, thread)).flatten()
}

/// Whether a frame is of the program's own code.
fn is_own(machine: &Machine<'_>, frame: &Frame<'_>) -> bool {
    machine.vm.class(frame.method.class).loader == Loader::App && !frame.method.is_made()
}

/// The method of the class library that the program's code in `own` has called.
fn on_behalf(machine: &Machine<'_>, thread: &Thread<'_>, own: &Frame<'_>) -> Option<String> {
    let top = thread.frames.last().filter(|_| is_own(machine, own))?;
    if is_own(machine, top) || top.method.is_made() {
        return None;
    }
    let class = names::simple(machine, machine.vm.class(top.method.class));
    Some(format!("{class}.{}", machine.vm.classes.symbols.text(top.method.name)))
}

/// The source line of a frame, or the method it is in.
fn text_of(machine: &Machine<'_>, frame: &Frame<'_>) -> String {
    text_at(machine, frame.method, frame.pc)
}

/// The source line of an operation of a method, or the method.
fn text_at(machine: &Machine<'_>, method: &Method, pc: u32) -> String {
    let classes = &machine.vm.classes;
    let place = machine.place(method, pc);
    place
        .and_then(|(file, line)| machine.vm.text.line(classes.package(method.class), &file, line))
        .unwrap_or_else(|| {
            format!(
                "{}.{}",
                names::simple(machine, machine.vm.class(method.class)),
                classes.symbols.text(method.name)
            )
        })
}

/// The name of the object on which a thread is parked. It is mostly a part of an object that users know: the
/// `sync` of a lock, the condition of a queue.
fn blocker_name(machine: &Machine<'_>, names: &Names, blocker: Ref) -> String {
    if names.has(blocker) {
        return names.of(machine, blocker);
    }
    let found = wholes(machine, names, blocker).into_iter().next();
    found.and_then(|whole| whole.name(names)).unwrap_or_else(|| names.of(machine, blocker))
}

/// The object by which users know a lock of `java.util.concurrent` that has an owner, if a path from the
/// program leads to the lock or to an object that contains it.
pub(crate) fn lock_whole(machine: &Machine<'_>, names: &Names, lock: Ref) -> Option<Whole> {
    if names.has(lock) {
        return Some(Whole { object: lock, field: None });
    }
    // Only the write lock has an owner; the read lock shares the same `sync`.
    const SHARED: &str = "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock";
    let is_shared =
        |whole: &Whole| machine.vm.classes.name(machine.process.heap.get(whole.object).class) == SHARED;
    wholes(machine, names, lock).into_iter().find(|whole| !is_shared(whole))
}

/// A named object that something is a part of.
pub(crate) struct Whole {
    object: Ref,
    /// The field that holds the part, unless the part represents the whole object.
    field: Option<Arc<str>>,
}

impl Whole {
    /// The name of the part.
    pub(crate) fn name(&self, names: &Names) -> Option<String> {
        names.name(self.object, self.field.as_deref())
    }

    /// The names of the part: see [`Names::called`].
    pub(crate) fn called(&self, names: &Names) -> Vec<Called> {
        names.called(self.object, self.field.as_deref())
    }
}

/// The named objects that something is a part of, that with the shortest name for it first. The `sync` of a
/// lock is the lock.
fn wholes(machine: &Machine<'_>, names: &Names, part: Ref) -> Vec<Whole> {
    let mut found = Vec::new();
    for object in names.objects() {
        let this = machine.process.heap.get(object);
        let (Data::Slots(slots), false) = (&this.data, this.class == machine.vm.known().class) else {
            continue;
        };
        for slot in (0..slots.len() as u32).filter(|&slot| slots[slot as usize] == u64::from(part)) {
            match field_name(machine, machine.vm.class(this.class), slot, false) {
                Some((field, Kind::Ref)) if &*field == "sync" => found.push(Whole { object, field: None }),
                // The message says already that the thread waits for it.
                Some((field, Kind::Ref)) if &*field == "parkBlocker" => {}
                Some((field, Kind::Ref)) => found.push(Whole { object, field: Some(field) }),
                _ => {}
            }
        }
    }
    found.sort_by_cached_key(|whole| {
        let name = whole.name(names);
        (name.as_ref().map(String::len), name)
    });
    found
}

/// The deadlocks of a state: the threads of each cycle with what they wait for, and threads that wait for a
/// lock that no thread can release any more. Without any of these, all threads, if none can continue
/// (`is_over`).
///
/// The facts identify a deadlock, so they say nothing about other threads, which may be anywhere.
#[must_use]
pub(crate) fn deadlocks(machine: &Machine<'_>, stuck: &Stuck, is_over: bool) -> Vec<Violation> {
    let mut parties = stuck.cycles(machine, is_over);
    parties.extend(Some(stuck.forsaken(machine)).filter(|party| !party.is_empty()));
    if parties.is_empty() && is_over {
        parties.push((0..machine.process.threads.len()).collect());
    }
    // Finding names takes long, and most states have no deadlock.
    if parties.is_empty() {
        return Vec::new();
    }
    let names = Names::find(machine).plain();
    let violation = |party: &Vec<usize>| {
        let facts = party.iter().flat_map(|&idx| facts_of_waiting(machine, &names, idx)).collect();
        Violation { facts, ..Violation::new(&rules::THREADS_STUCK) }
    };
    parties.iter().map(violation).collect()
}

/// What each thread of a process waits for, and where, as facts of a deadlock.
pub(crate) fn waiting_at(machine: &Machine<'_>, idx: usize) -> Vec<Fact> {
    facts_of_waiting(machine, &Names::find(machine).plain(), idx)
}

/// What each thread waits for.
pub(crate) fn waiting(machine: &Machine<'_>) -> Vec<Fact> {
    let names = Names::find(machine).plain();
    (0..machine.process.threads.len()).flat_map(|idx| facts_of_waiting(machine, &names, idx)).collect()
}

/// What a thread waits for, and where; empty if it does not wait.
fn facts_of_waiting(machine: &Machine<'_>, names: &Names, idx: usize) -> Vec<Fact> {
    let thread = &machine.process.threads[idx];
    let Some(waits) = waits::facts(machine, names, idx) else { return Vec::new() };
    let place = own_frame(machine, thread)
        .filter(|frame| is_own(machine, frame))
        .and_then(|frame| machine.place(frame.method, frame.pc))
        .map(|(file, line)| Fact::new("at", format_args!("{file}:{line}")));
    [Fact::new("thread", name_of(machine, thread))].into_iter().chain(waits).chain(place).collect()
}

/// The threads of a state.
#[must_use]
pub fn processes(machine: &Machine<'_>) -> Vec<Process> {
    let names = Names::find(machine);
    (0..machine.process.threads.len())
        .map(|idx| {
            let thread = &machine.process.threads[idx];
            let frame = own_frame(machine, thread);
            let place = frame.and_then(|frame| machine.place(frame.method, frame.pc));
            let mut at = frame.map_or_else(String::new, |frame| text_of(machine, frame));
            let blocked = match thread.wait {
                Wait::No => names::wanted_monitor(machine, thread).is_some_and(|object| {
                    let owner = machine.process.heap.get(object).owner;
                    owner != 0 && owner != thread.id + 1
                }),
                _ => true,
            };
            if blocked && let Some(waits) = waits::in_words(machine, &names, idx) {
                at = format!("{at} ({waits})");
            }
            Process {
                id: thread.id,
                name: name_of(machine, thread).into(),
                location: place.map(|(file, line)| crate::model::location(&file, line)),
                at,
                may_end: machine.is_daemon(thread.object),
                stack: Vec::new(),
            }
        })
        .collect()
}

/// A value in Java's own notation.
pub(crate) fn shown_value(machine: &Machine<'_>, names: &Names, kind: Kind, value: u64) -> String {
    match kind {
        Kind::Boolean => (value != 0).to_string(),
        Kind::Byte | Kind::Short | Kind::Int => (value as u32 as i32).to_string(),
        Kind::Char => strings::quoted_unit(value as u16),
        Kind::Long => (value as i64).to_string(),
        Kind::Float => f32::from_bits(value as u32).to_string(),
        Kind::Double => f64::from_bits(value).to_string(),
        Kind::Ref => names.value(machine, value as Ref),
    }
}

/// Of longer arrays only elements other than zero and null are listed, and at most this many.
const LONG_ARRAY: usize = 1_000;

/// The static fields of the program's classes, and the fields and elements of objects that can be named by
/// them.
#[must_use]
pub fn variables(machine: &Machine<'_>) -> Vec<Variable> {
    let names = Names::find(machine);
    let mut variables = Vec::new();
    // The classes of other processes are none of this one's.
    let is_one_of_several = !machine.knowledge.processes.is_empty();
    let is_shown = |class: &&Class| !is_one_of_several || machine.class_status(class) != 0;
    for class in names::own_classes(machine).filter(is_shown) {
        let mirror = machine.vm.mirror(class.id);
        for field in
            class.fields.iter().filter(|f| f.flags & flags::STATIC != 0 && f.flags & flags::SYNTHETIC == 0)
        {
            let value = machine.process.heap.slot(mirror, machine.vm.static_slot(field.slot));
            variables.push(Variable {
                process: None,
                name: format!(
                    "{}.{}",
                    names::simple(machine, class),
                    machine.vm.classes.symbols.text(field.name)
                ),
                value: shown_value(machine, &names, field.kind, value),
            });
        }
    }
    for object in names.objects() {
        let this = machine.process.heap.get(object);
        let class = machine.vm.class(this.class);
        if class.is_array() {
            elements(machine, &names, object, &mut variables);
        } else if class.loader == Loader::App {
            for (field, kind, value) in fields(machine, class, this) {
                variables.push(Variable {
                    process: None,
                    name: names.field(machine, object, &field, value),
                    value: shown_value(machine, &names, kind, value),
                });
            }
        }
    }
    // An object is named by the path to it, so a field whose value is named by the field itself is not
    // informative.
    variables.retain(|variable| !is_named_by(&variable.value, &variable.name));
    variables.sort_by_cached_key(|variable| sort_key(&variable.name));
    variables.dedup();
    variables
}

/// The elements of an array. Arrays that the compiler keeps for itself, as of an enum's values, have none.
fn elements(machine: &Machine<'_>, names: &Names, array: Ref, variables: &mut Vec<Variable>) {
    if names.name(array, None).is_none_or(|name| name.rsplit('.').next().is_some_and(is_made)) {
        return;
    }
    let this = machine.process.heap.get(array);
    let (kind, values): (Kind, Box<dyn ExactSizeIterator<Item = u64>>) = match &this.data {
        Data::Refs(refs) => (Kind::Ref, Box::new(refs.iter().map(|&element| u64::from(element)))),
        Data::Bytes(bytes) => {
            let kind = machine.vm.classes.element_kind(this.class).unwrap_or(Kind::Byte);
            let read = move |idx| crate::vm::machine::read_element(bytes, kind, idx);
            (kind, Box::new((0..bytes.len() / kind.n_bytes()).map(read)))
        }
        Data::Slots(_) => return,
    };
    let is_long = values.len() > LONG_ARRAY;
    let listed = values.enumerate().filter(|(_, value)| !is_long || *value != 0).take(LONG_ARRAY);
    variables.extend(listed.map(|(idx, value)| Variable {
        process: None,
        name: names.part(machine, array, &format!("[{idx}]")),
        value: shown_value(machine, names, kind, value),
    }));
}

/// Whether a field is one that the compiler made for itself: `$VALUES` of an enum, `$assertionsDisabled`.
fn is_made(field: &str) -> bool {
    field.starts_with(['$', '<'])
}

/// Sorts names by their text, and numbers in them by value: `a[2]` before `a[10]`.
fn sort_key(name: &str) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let text = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (before, behind) = rest.split_at(text);
        let digits = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
        parts.push((before.to_owned(), behind[..digits].parse().unwrap_or(u64::MAX)));
        rest = &behind[digits..];
    }
    parts
}

/// Whether a value is an object whose name is the field that holds it.
fn is_named_by(value: &str, field: &str) -> bool {
    value == field.strip_prefix("thread ").unwrap_or(field)
}

/// The fields of an object: name, kind and value.
fn fields(machine: &Machine<'_>, class: &Class, object: &Object) -> Vec<(Arc<str>, Kind, u64)> {
    let Data::Slots(slots) = &object.data else { return Vec::new() };
    let mut found = Vec::new();
    let mut at = Some(class);
    while let Some(class) = at {
        for field in class.fields.iter().filter(|f| f.flags & flags::STATIC == 0) {
            found.push((
                machine.vm.classes.symbols.text(field.name).clone(),
                field.kind,
                slots[field.slot as usize],
            ));
        }
        at = class.super_class.map(|id| machine.vm.class(id)).filter(|class| class.loader == Loader::App);
    }
    found
}

/// The data about a state before a step that describing the step needs.
pub struct Before {
    names: Names,
    thread: u32,
    name: Arc<str>,
    place: Option<(String, u32)>,
    text: String,
    /// Whether the thread had no frame in the program's code.
    is_foreign: bool,
    /// Where the program's own code begins in a thread that has just been started, and the line there.
    begins: Option<(Option<(String, u32)>, String)>,
    waits: Vec<(u32, String, Wait)>,
    /// Whether any thread but the first one has been started.
    has_others: bool,
}

impl Before {
    /// Records the state from which the thread at `idx` will take a step.
    #[must_use]
    pub fn of(machine: &Machine<'_>, idx: usize) -> Self {
        let thread = &machine.process.threads[idx];
        let frame = own_frame(machine, thread);
        let is_new = matches!(thread.frames.as_slice(), [only] if only.pc == 0);
        let task = if is_new { captured::task(machine, thread.object) } else { None };
        Self {
            names: Names::find(machine),
            thread: thread.id,
            name: name_of(machine, thread).into(),
            place: frame.and_then(|frame| machine.place(frame.method, frame.pc)),
            text: frame.map_or_else(String::new, |frame| {
                let text = text_of(machine, frame);
                match on_behalf(machine, thread, frame) {
                    Some(called) => format!("{text}  (in {called})"),
                    None => text,
                }
            }),
            is_foreign: !thread.frames.iter().any(|frame| is_own(machine, frame)),
            begins: task.map(|method| (machine.place(method, 0), text_at(machine, method, 0))),
            waits: machine.process.threads.iter().map(|t| (t.id, name_of(machine, t), t.wait)).collect(),
            has_others: machine.process.next_thread > 1,
        }
    }

    /// Finds the program's code that a thread runs, by which users know it: the method that it has reached,
    /// if any. A thread begins and ends in the class library.
    fn find_own_code(&mut self, machine: &Machine<'_>) {
        if let Some((place, text)) = self.begins.take() {
            (self.place, self.text) = (place, text);
            return;
        }
        let Some(idx) = machine.thread_by_id(self.thread) else {
            self.text = "the thread ends".into();
            return;
        };
        let begun = machine.process.threads[idx].frames.iter().find(|frame| is_own(machine, frame));
        if let Some(&first) = begun {
            let first = Frame { pc: 0, ..first };
            self.place = machine.place(first.method, first.pc);
            self.text = text_of(machine, &first);
        }
    }

    /// What the step did, now that it is taken.
    #[must_use]
    pub fn moves(mut self, machine: &Machine<'_>) -> Vec<Move> {
        let names = std::mem::take(&mut self.names).joined(Names::find(machine));
        // A value that no other thread can have changed follows from the program.
        let reads = if self.has_others { reads::of_step(machine, &names) } else { Vec::new() };
        let first = self.move_with(machine, &names, reads, |_| true);
        let messages = machine.step.events.iter().filter_map(|event| match event {
            Event::Message(message) => Some(message),
            _ => None,
        });
        let more = messages.skip(1).map(|message| Move {
            process: first.process,
            process_name: first.process_name.clone(),
            location: None,
            text: String::new(),
            output: String::new(),
            message: Some(message.clone()),
            reads: Vec::new(),
            changes: Vec::new(),
            started: None,
        });
        let more: Vec<Move> = more.collect();
        [first].into_iter().chain(more).collect()
    }

    /// What the step did, with given names and reads. Omits objects that existed before and are not `listed`.
    pub(crate) fn move_with(
        mut self,
        machine: &Machine<'_>,
        names: &Names,
        reads: Vec<Read>,
        listed: impl Fn(Ref) -> bool,
    ) -> Move {
        if self.is_foreign {
            self.find_own_code(machine);
        }
        let mut changes = Vec::new();
        // A thread that ends in the step has its name only before it.
        let holder = |id: u32| {
            let known = self.waits.iter().find(|(known, ..)| *known == id).map(|(_, name, _)| name.clone());
            format!("held by {}", known.unwrap_or_else(|| thread_name(machine, id)))
        };
        for (object, before) in machine.process.heap.changes().filter(|(object, _)| listed(*object)) {
            object_changes(machine, names, &holder, (object, before), &mut changes);
        }
        for (id, name, before) in &self.waits {
            let now = machine.thread_by_id(*id).map_or(Wait::No, |idx| machine.process.threads[idx].wait);
            if now != *before {
                changes.push(Change {
                    name: name.clone(),
                    from: Some(shown_wait(machine, names, *before)),
                    to: Some(shown_wait(machine, names, now)),
                });
            }
        }
        let mut output = String::new();
        let (mut started, mut message) = (None, None);
        for event in &machine.step.events {
            match event {
                Event::Output(_, text) => output.push_str(text),
                Event::Started(id) => started = Some((*id, thread_name(machine, *id).into())),
                Event::Spurious(place) => {
                    let is_here = |at: &&Location| {
                        self.place
                            .as_ref()
                            .is_none_or(|(file, line)| **at != crate::model::location(file, *line))
                    };
                    let at = place.as_ref().filter(is_here).map_or(String::new(), |at| format!(" at {at}"));
                    self.text.push_str(&format!("  (wakes up spuriously{at})"));
                }
                Event::Failed(what) | Event::Talked(what) => self.text.push_str(&format!("  ({what})")),
                // Each has a move of its own, but for the first.
                Event::Message(sent) => message = message.or_else(|| Some(sent.clone())),
                Event::Exited { .. } | Event::Uncaught { .. } => {}
            }
        }
        Move {
            process: Some(self.thread),
            process_name: self.name,
            location: self.place.map(|(file, line)| crate::model::location(&file, line)),
            text: self.text,
            output,
            message,
            reads,
            changes,
            started,
        }
    }
}

fn shown_wait(machine: &Machine<'_>, names: &Names, wait: Wait) -> String {
    match wait {
        Wait::No => "runs".into(),
        Wait::Waiting { object, .. } => format!("waits on {}", names.of(machine, object)),
        Wait::Woken { object, interrupted: true, .. } => {
            format!("interrupted, wants {}", names.of(machine, object))
        }
        Wait::Woken { object, .. } => format!("woken, wants {}", names.of(machine, object)),
    }
}

/// What of an object changed.
fn object_changes(
    machine: &Machine<'_>,
    names: &Names,
    holder: &dyn Fn(u32) -> String,
    (reference, before): (Ref, &Object),
    changes: &mut Vec<Change>,
) {
    let vm = machine.vm;
    let now = machine.process.heap.get(reference);
    let holder = |owner: u32| if owner == 0 { "free".to_owned() } else { holder(owner - 1) };
    if before.owner != now.owner && !is_inner(machine, names, reference) {
        changes.push(Change {
            name: format!("monitor of {}", names.of(machine, reference)),
            from: Some(holder(before.owner)),
            to: Some(holder(now.owner)),
        });
    }
    let class = vm.class(now.class);
    match (&before.data, &now.data) {
        (Data::Slots(old), Data::Slots(new)) => {
            let is_mirror = now.class == vm.known().class;
            let owner = if is_mirror { vm.class(vm.mirrored(now)) } else { class };
            // Changes of the class library's own objects that have no name are not informative.
            if owner.loader == Loader::Boot && (is_mirror || !names.has(reference)) {
                return;
            }
            for (slot, (old, new)) in old.iter().zip(new.iter()).enumerate() {
                if old == new {
                    continue;
                }
                if let Some((field, kind)) = field_name(machine, owner, slot as u32, is_mirror)
                    && !is_of_thread(machine, reference, slot as u32)
                    && !is_made(&field)
                {
                    let name = if is_mirror {
                        format!("{}.{field}", names::simple(machine, owner))
                    } else {
                        names.part(machine, reference, &field)
                    };
                    let mut to = shown_value(machine, names, kind, *new);
                    if kind == Kind::Ref && is_named_by(&to, &name) {
                        to = format!("new {}", names::made(machine, *new as Ref));
                    }
                    let from = Some(shown_value(machine, names, kind, *old));
                    changes.push(Change { name, from, to: Some(to) });
                }
            }
        }
        (Data::Refs(old), Data::Refs(new)) => {
            for (idx, (&old, &new)) in
                old.iter().zip(new.iter()).enumerate().filter(|(_, (old, new))| old != new)
            {
                changes.push(Change {
                    name: names.part(machine, reference, &format!("[{idx}]")),
                    from: Some(names.value(machine, old)),
                    to: Some(names.value(machine, new)),
                });
            }
        }
        (Data::Bytes(old), Data::Bytes(new)) => {
            let kind = vm.classes.element_kind(now.class).unwrap_or(Kind::Byte);
            // The text of strings in the making.
            if kind == Kind::Byte && !names.has(reference) {
                return;
            }
            let read = crate::vm::machine::read_element;
            for idx in 0..old.len() / kind.n_bytes() {
                let (old, new) = (read(old, kind, idx), read(new, kind, idx));
                if old != new {
                    changes.push(Change {
                        name: names.part(machine, reference, &format!("[{idx}]")),
                        from: Some(shown_value(machine, names, kind, old)),
                        to: Some(shown_value(machine, names, kind, new)),
                    });
                }
            }
        }
        _ => {}
    }
}

/// Whether an object is internal to the class library: an instance of a library class, or such a class
/// itself, to which no path from the program leads. A plain `Object` does not count, because it may be a
/// nameless lock of the program.
fn is_inner(machine: &Machine<'_>, names: &Names, object: Ref) -> bool {
    let known = machine.vm.known();
    let class = machine.process.heap.get(object).class;
    let owner = if class == known.class { machine.class_of_mirror(object) } else { class };
    let owner = machine.vm.class(owner);
    owner.loader == Loader::Boot && !owner.is_array() && owner.super_class.is_some() && !names.has(object)
}

/// Whether a slot of an object is a field of the class library's `Thread`, whose contents are shown in other
/// ways.
fn is_of_thread(machine: &Machine<'_>, object: Ref, slot: u32) -> bool {
    let thread = machine.vm.known().thread;
    (machine.place_of(object, slot).key >> 32) as u32 == thread.0 && machine.is_instance(object, thread)
}

/// The name of the field in a slot of an object, or of a class's static field in a slot of its mirror.
fn field_name(machine: &Machine<'_>, class: &Class, slot: u32, is_static: bool) -> Option<(Arc<str>, Kind)> {
    let vm = machine.vm;
    let mut at = Some(class);
    while let Some(class) = at {
        let found = class.fields.iter().find(|field| {
            if is_static {
                field.flags & flags::STATIC != 0 && vm.static_slot(field.slot) == slot
            } else {
                field.flags & flags::STATIC == 0 && field.slot == slot
            }
        });
        if let Some(field) = found {
            return Some((vm.classes.symbols.text(field.name).clone(), field.kind));
        }
        at = if is_static { None } else { class.super_class.map(|id| vm.class(id)) };
    }
    None
}
