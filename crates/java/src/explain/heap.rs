//! The objects of a state as a Graphviz picture: the program's static fields, its threads, and what they lead to.
//!
//! What the class library has of its own is left out unless the program leads to it; strings and boxed numbers are values, not objects. Long
//! ways are cut off, and say so.

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
use std::collections::{HashSet, VecDeque};
use std::fmt::Write as _;

/// More objects than this are not drawn.
const MOST: usize = 200;
/// Of an array, so many elements are drawn.
const MOST_ELEMENTS: usize = 16;

impl Program {
    /// The objects of a state as a Graphviz picture.
    ///
    /// # Panics
    /// If it is no state of this program.
    #[must_use]
    pub fn heap_picture(&self, state: &[u8], title: &str) -> String {
        let mut machine = self.machine(allways_model::Lessons::none());
        decode(&mut machine, state);
        picture(&machine, title)
    }
}

/// The picture of a machine's state, as DOT.
fn picture(machine: &Machine<'_>, title: &str) -> String {
    let mut picture = Picture {
        machine,
        names: Names::find(machine),
        out: format!(
            "digraph \"{}\" {{\n  rankdir=LR\n  node [shape=box, fontname=monospace, fontsize=10]\n  edge [fontname=monospace, fontsize=9]\n",
            quoted(title)
        ),
        seen: HashSet::new(),
        work: VecDeque::new(),
    };
    picture.draw_statics();
    picture.draw_threads();
    while let Some(object) = picture.work.pop_front() {
        picture.draw_object(object);
    }
    picture.out.push_str("}\n");
    picture.out
}

struct Picture<'a, 'vm> {
    machine: &'a Machine<'vm>,
    names: Names,
    out: String,
    seen: HashSet<Ref>,
    work: VecDeque<Ref>,
}

impl Picture<'_, '_> {
    fn draw_statics(&mut self) {
        let machine = self.machine;
        for class in names::own_classes(machine) {
            let mirror = machine.vm.mirror(class.id);
            let node = format!("class_{}", class.id.0);
            let mut lines = vec![format!("class {}", names::simple(machine, class))];
            lines.extend(self.lock_of(mirror));
            let is_shown = |bits: u16| bits & flags::STATIC != 0 && bits & flags::SYNTHETIC == 0;
            for field in class.fields.iter().filter(|field| is_shown(field.flags)) {
                let name = machine.vm.classes.symbols.text(field.name);
                let value = machine.process.heap.slot(mirror, machine.vm.static_slot(field.slot));
                if field.kind == Kind::Ref && self.is_drawn(value as Ref) {
                    self.edge(&node, value as Ref, name);
                } else {
                    lines.push(format!(
                        "{name} = {}",
                        super::shown_value(machine, &self.names, field.kind, value)
                    ));
                }
            }
            if lines.len() > 1 || self.out.contains(&format!("  {node} ->")) {
                self.node(&node, &lines, ", style=filled, fillcolor=lightyellow");
            }
        }
    }

    fn draw_threads(&mut self) {
        let machine = self.machine;
        for thread in &machine.process.threads {
            let node = format!("thread_{}", thread.id);
            let mut lines = vec![format!("thread {}", super::name_of(machine, thread))];
            lines.extend(super::place_of(machine, thread).map(|at| format!("{}:{}", at.file, at.line)));
            self.node(&node, &lines, ", shape=ellipse, style=filled, fillcolor=lightblue");
            self.edge(&node, thread.object, "");
            for frame in thread.frames.iter().filter(|frame| super::is_own(machine, frame)) {
                let mut held = Vec::new();
                // A frame whose code is no good holds nothing that could be drawn.
                let _ = each_slot(machine.vm, frame, |slot, at| {
                    if slot == Slot::Ref {
                        held.push(thread.slots[at] as Ref);
                    }
                });
                let method = machine.vm.classes.symbols.text(frame.method.name);
                held.retain(|&object| object != thread.object && self.is_drawn(object));
                held.dedup();
                for object in held {
                    self.edge(&node, object, method);
                }
            }
            if let Some(wanted) = names::wanted_monitor(machine, thread).filter(|&object| object != 0) {
                self.visit(wanted);
                let _ = writeln!(
                    self.out,
                    "  {node} -> o{wanted} [label=\"wants the monitor\", color=red, fontcolor=red]"
                );
            }
        }
    }

    fn draw_object(&mut self, object: Ref) {
        let machine = self.machine;
        let this = machine.process.heap.get(object);
        let class = machine.vm.class(this.class);
        let node = format!("o{object}");
        let mut lines = vec![names::class_name(machine, object)];
        lines.extend(self.lock_of(object));
        match &this.data {
            Data::Bytes(bytes) => {
                lines.push(format!("{} bytes", bytes.len()));
            }
            Data::Refs(refs) => {
                for (idx, &element) in refs.iter().enumerate().take(MOST_ELEMENTS) {
                    self.part(&node, &format!("[{idx}]"), Kind::Ref, element.into(), &mut lines);
                }
                if refs.len() > MOST_ELEMENTS {
                    lines.push(format!("and {} more", refs.len() - MOST_ELEMENTS));
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
                    self.part(&node, &name, kind, value, &mut lines);
                }
            }
        }
        self.node(&node, &lines, "");
    }

    /// A field or element: an arrow, or a line.
    fn part(&mut self, node: &str, name: &str, kind: Kind, value: u64, lines: &mut Vec<String>) {
        if kind == Kind::Ref && self.is_drawn(value as Ref) {
            self.edge(node, value as Ref, name);
        } else {
            lines.push(format!("{name} = {}", super::shown_value(self.machine, &self.names, kind, value)));
        }
    }

    /// Who holds an object's monitor.
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

    /// Whether an object has a node of its own: not what is as it was before the program began, and not strings and numbers.
    fn is_drawn(&self, object: Ref) -> bool {
        let is_changed = || self.machine.process.heap.dirty().iter().any(|(changed, _)| *changed == object);
        (object >= OVERLAY || is_changed())
            && self.names.value(self.machine, object) == self.names.of(self.machine, object)
            && (self.seen.contains(&object) || self.seen.len() < MOST)
    }

    fn visit(&mut self, object: Ref) {
        if self.seen.insert(object) {
            self.work.push_back(object);
        }
    }

    fn edge(&mut self, node: &str, object: Ref, label: &str) {
        self.visit(object);
        let _ = writeln!(self.out, "  {node} -> o{object} [label=\"{}\"]", quoted(label));
    }

    fn node(&mut self, node: &str, lines: &[String], look: &str) {
        let text: String = lines.iter().map(|line| quoted(line) + "\\l").collect();
        let _ = writeln!(self.out, "  {node} [label=\"{text}\"{look}]");
    }
}

/// Whether a class is `java.lang.Thread` itself or another one of the class library below it, of whose fields nothing is of interest.
fn is_library_thread(machine: &Machine<'_>, class: &Class) -> bool {
    class.loader != Loader::App && class.is_below(machine.vm.known().thread)
}

/// `text` inside a DOT string.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
