//! The objects of a state as boxes: the program's static fields, its threads, and the objects reachable from
//! them.
//!
//! Objects of the class library are omitted unless they are reachable from the program. Strings and boxed
//! numbers are shown as values, not objects. If something is cut off, the picture says so.

use super::captured::Capturing;
use super::names::{self, Names};
use crate::class::descriptor::Kind;
use crate::class::maps::Slot;
use crate::class::{Class, Loader, flags};
use crate::program::Program;
use crate::state::decode::decode;
use crate::state::reach::each_slot;
use crate::vm::heap::{Data, OVERLAY, Ref};
use crate::vm::machine::Machine;
use allways_model::{Heap, HeapChange, HeapKind, HeapLine, HeapNode};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

/// The most objects that are drawn.
const MOST: usize = 200;
/// The most elements of an array that are drawn.
const MOST_ELEMENTS: usize = 16;

impl Program {
    /// The objects of a state.
    ///
    /// # Panics
    /// If `state` is not a state of this program.
    #[must_use]
    pub(crate) fn heap_of(&self, state: &[u8]) -> Heap {
        let mut machine = self.machine(allways_model::Lessons::none());
        decode(&mut machine, state);
        picture(&machine)
    }
}

/// The picture of a machine's state.
fn picture(machine: &Machine<'_>) -> Heap {
    let mut picture = Picture {
        machine,
        names: Names::find(machine),
        nodes: Vec::new(),
        places: HashMap::new(),
        work: VecDeque::new(),
        is_cut: false,
    };
    picture.draw_statics();
    picture.draw_threads();
    while let Some(object) = picture.work.pop_front() {
        picture.draw_object(object);
    }
    let omitted = if picture.is_cut { format!("only {MOST} objects are shown") } else { String::new() };
    // Lines refer to objects by number; their positions among the nodes are known only now.
    let places = picture.places;
    let mut nodes = picture.nodes;
    for line in nodes.iter_mut().flat_map(|node| &mut node.lines) {
        line.to = line.to.and_then(|object| places.get(&(object as Ref)).copied());
    }
    Heap { nodes, omitted }
}

struct Picture<'a, 'vm> {
    machine: &'a Machine<'vm>,
    names: Names,
    nodes: Vec<HeapNode>,
    /// The positions of objects among the nodes, once they are drawn.
    places: HashMap<Ref, usize>,
    work: VecDeque<Ref>,
    is_cut: bool,
}

impl Picture<'_, '_> {
    fn draw_statics(&mut self) {
        let machine = self.machine;
        for class in names::own_classes(machine) {
            let mirror = machine.vm.mirror(class.id);
            let mut lines = Vec::new();
            let notes: Vec<String> = self.lock_of(mirror).into_iter().collect();
            let is_shown = |bits: u16| bits & flags::STATIC != 0 && bits & flags::SYNTHETIC == 0;
            for field in class.fields.iter().filter(|field| is_shown(field.flags)) {
                let name = machine.vm.classes.symbols.text(field.name);
                let value = machine.process.heap.slot(mirror, machine.vm.static_slot(field.slot));
                self.part(name, field.kind, value, &mut lines);
            }
            if !lines.is_empty() || !notes.is_empty() {
                self.node(
                    HeapKind::Globals,
                    format!("class {}", names::simple(machine, class)),
                    notes,
                    lines,
                );
            }
        }
    }

    fn draw_threads(&mut self) {
        let machine = self.machine;
        for thread in &machine.process.threads {
            let place = super::place_of(machine, thread).map(|at| format!("{}:{}", at.file, at.line));
            let mut lines = vec![self.edge(thread.object, "")];
            for frame in thread.frames.iter().filter(|frame| super::is_own(machine, frame)) {
                let mut held = Vec::new();
                // A frame with invalid code holds nothing that could be drawn.
                let _ = each_slot(machine.vm, frame, |slot, at| {
                    if slot == Slot::Ref {
                        held.push(thread.slots[at] as Ref);
                    }
                });
                let method = machine.vm.classes.symbols.text(frame.method.name);
                held.retain(|&object| object != thread.object && self.is_drawn(object));
                held.dedup();
                lines.extend(held.into_iter().map(|object| self.edge(object, method)));
            }
            if let Some(wanted) = names::wanted_monitor(machine, thread).filter(|&object| object != 0) {
                let line = self.edge(wanted, "wants the monitor");
                lines.push(HeapLine { awaited: true, ..line });
            }
            let name = format!("thread {}", super::name_of(machine, thread));
            self.node(HeapKind::Process, name, place.into_iter().collect(), lines);
        }
    }

    fn draw_object(&mut self, object: Ref) {
        let machine = self.machine;
        let this = machine.process.heap.get(object);
        let class = machine.vm.class(this.class);
        let mut lines = Vec::new();
        let mut notes: Vec<String> = self.lock_of(object).into_iter().collect();
        match &this.data {
            Data::Bytes(bytes) => {
                notes.push(format!("{} bytes", bytes.len()));
            }
            Data::Refs(refs) => {
                for (idx, &element) in refs.iter().enumerate().take(MOST_ELEMENTS) {
                    self.part(&format!("[{idx}]"), Kind::Ref, element.into(), &mut lines);
                }
                if refs.len() > MOST_ELEMENTS {
                    lines.push(HeapLine::value(format!("and {} more", refs.len() - MOST_ELEMENTS)));
                }
            }
            Data::Slots(_) => {
                let fields = if is_library_thread(machine, class) {
                    Vec::new()
                } else {
                    super::fields(machine, class, this)
                };
                let capturing = Capturing::of(machine, class);
                for (name, kind, value) in fields {
                    let variable = capturing.as_ref().and_then(|capturing| capturing.variable(&name));
                    let name = variable.map_or_else(|| name.to_string(), |variable| variable.name);
                    self.part(&name, kind, value, &mut lines);
                }
            }
        }
        self.places.insert(object, self.nodes.len());
        self.node(HeapKind::Object, names::class_name(machine, object), notes, lines);
    }

    /// A field or element: an arrow, or a line.
    fn part(&mut self, name: &str, kind: Kind, value: u64, lines: &mut Vec<HeapLine>) {
        if kind == Kind::Ref && self.is_drawn(value as Ref) {
            lines.push(self.edge(value as Ref, name));
        } else {
            let value = super::shown_value(self.machine, &self.names, kind, value);
            lines.push(HeapLine::value(format!("{name} = {value}")));
        }
    }

    /// The thread that holds an object's monitor.
    fn lock_of(&self, object: Ref) -> Option<String> {
        let this = self.machine.process.heap.get(object);
        (this.owner != 0).then(|| {
            let holder = super::thread_name(self.machine, this.owner - 1);
            format!(
                "monitor of {holder}{}",
                if this.count > 1 { format!(" ({} times)", this.count) } else { String::new() }
            )
        })
    }

    /// Whether an object has its own node. Objects unchanged since before the program began, strings and
    /// numbers do not.
    fn is_drawn(&mut self, object: Ref) -> bool {
        let is_changed = || self.machine.process.heap.dirty().iter().any(|(changed, _)| *changed == object);
        let is_object = (object >= OVERLAY || is_changed())
            && self.names.value(self.machine, object) == self.names.of(self.machine, object);
        let has_room = self.places.contains_key(&object) || self.places.len() < MOST;
        self.is_cut |= is_object && !has_room;
        is_object && has_room
    }

    /// A line that refers to an object, by its number until all are drawn.
    fn edge(&mut self, object: Ref, label: &str) -> HeapLine {
        if let Entry::Vacant(entry) = self.places.entry(object) {
            // Its position is known when it is drawn.
            entry.insert(usize::MAX);
            self.work.push_back(object);
        }
        HeapLine::reference(label.into(), object as usize)
    }

    fn node(&mut self, kind: HeapKind, name: String, notes: Vec<String>, lines: Vec<HeapLine>) {
        self.nodes.push(HeapNode { kind, name, notes, lines, change: HeapChange::None });
    }
}

/// Whether a class is `java.lang.Thread` or a subclass of it in the class library, whose fields are not
/// shown.
fn is_library_thread(machine: &Machine<'_>, class: &Class) -> bool {
    class.loader != Loader::App && class.is_below(machine.vm.known().thread)
}
