//! A picture of a state's objects: the globals, the processes with their functions, and what they refer to.

use super::listing::{Listed, ValueKind, list_all, list_object, list_process};
use super::names::{Cell, Names, Space};
use super::past::Past;
use super::{Scene, processes_in, snapshot};
use crate::ir::ObjectKind;
use crate::machine::{OBJECTS_FROM, Troubles, reachable};
use crate::program::Program;
use allways_model::{Heap, HeapChange, HeapKind, HeapLine, HeapNode, StepKey};
use std::collections::{HashMap, HashSet};

/// At most this many objects are drawn.
const MOST: usize = 200;
/// At most this many values of a box are drawn, in addition to its references.
const MOST_VALUES: usize = 24;

/// The heap at the end of a run; `None` in a model without dynamic features, or if the run is too long.
pub(crate) fn heap(program: &Program, steps: &[StepKey]) -> Option<Heap> {
    let past = Past::follow(program, steps)?;
    let trouble = Troubles::default();
    let (layouts, memory, before) = past.ends();
    let scene = Scene::new(program, layouts, memory, &trouble);
    let before = before.map(|memory| Scene::new(program, layouts, memory, &trouble));
    let reached = reachable(program.lowered(), scene.layout, memory);
    let old = before.map(|before| {
        let names = Names::find(&before);
        let cells = list_all(&before, &names, None).into_iter().map(|one| (one.cell, one)).collect();
        Before {
            names,
            cells,
            reached: reachable(program.lowered(), before.layout, before.memory),
            scene: before,
        }
    });
    let mut painter = Painter {
        scene,
        names: Names::find(&scene),
        past: &past,
        old,
        nodes: HashMap::new(),
        heap: Heap::default(),
    };
    painter.plan(&reached);
    painter.globals();
    painter.processes();
    painter.objects(&reached);
    painter.lost(&reached);
    Some(painter.heap)
}

/// The state before the last step.
struct Before<'a> {
    scene: Scene<'a>,
    names: Names,
    cells: HashMap<Cell, Listed>,
    reached: Vec<u32>,
}

struct Painter<'a> {
    scene: Scene<'a>,
    names: Names,
    past: &'a Past<'a>,
    old: Option<Before<'a>>,
    /// The index of the node of each object.
    nodes: HashMap<u32, usize>,
    heap: Heap,
}

impl Painter<'_> {
    /// Whether an object has a box of its own: frames and scopes do not.
    fn is_drawn(&self, number: u32) -> bool {
        self.scene.object_type(number).is_none_or(|ty| matches!(ty.kind, ObjectKind::Data(_)))
    }

    /// Gives every object its index among the nodes.
    fn plan(&mut self, reached: &[u32]) {
        let scene = self.scene;
        let n_processes = scene.layout.processes.len();
        for pid in 0..n_processes {
            for frame in scene.frames(pid) {
                let (body, base) = scene.body(pid, frame);
                for scope in body.scopes.iter() {
                    self.nodes.extend(scene.scope_object(scope, base).map(|object| (object, pid + 1)));
                }
            }
        }
        let drawn: Vec<u32> = reached.iter().copied().filter(|&number| self.is_drawn(number)).collect();
        for (idx, &number) in drawn.iter().take(MOST).enumerate() {
            self.nodes.insert(number, 1 + n_processes + idx);
        }
        if drawn.len() > MOST {
            self.heap.omitted = format!("{} more objects are not shown", drawn.len() - MOST);
        }
    }

    fn globals(&mut self) {
        let all = list_all(&self.scene, &self.names, None);
        let own: Vec<&Listed> = all.iter().filter(|one| one.cell.0 == Space::Globals).collect();
        let lines = self.lines(own.into_iter(), "");
        self.node(HeapKind::Globals, "globals".into(), Vec::new(), lines, HeapChange::None);
    }

    fn processes(&mut self) {
        let scene = self.scene;
        let n_before = self.old.as_ref().map_or(usize::MAX, |old| old.scene.layout.processes.len());
        let processes = match &self.past.failing {
            Some(failing) => snapshot(scene.program, scene.layouts, failing).processes,
            None => processes_in(scene.program, scene.layouts, scene.memory),
        };
        for process in processes {
            let mut notes = Vec::new();
            if let Some(at) = &process.location {
                notes.push(format!("{}  {}", place(at), process.at));
            }
            for call in &process.stack {
                let at =
                    call.called_at.as_ref().map_or(String::new(), |at| format!(", called at {}", place(at)));
                notes.push(format!("in {}{at}", call.function));
            }
            let mut listed = Vec::new();
            list_process(&scene, &self.names, process.id, &mut listed);
            let lines = self.lines(listed.iter(), "");
            let is_new = process.id as usize >= n_before;
            let change = if is_new { HeapChange::Made } else { HeapChange::None };
            self.node(HeapKind::Process, self.names.process(process.id), notes, lines, change);
        }
    }

    fn objects(&mut self, reached: &[u32]) {
        let has_box = |number: &u32| self.nodes.contains_key(number) && self.is_drawn(*number);
        let drawn: Vec<u32> = reached.iter().copied().filter(has_box).collect();
        for number in drawn {
            self.object(number);
        }
    }

    fn object(&mut self, number: u32) {
        let scene = self.scene;
        let life = self.past.life(number);
        let made = life.and_then(|life| life.made.as_ref()).map(|at| format!("new at {}", at.text()));
        let was_live = self.old.as_ref().map(|old| {
            (number - OBJECTS_FROM) < old.scene.memory.objects.len() as u32
                && old.scene.memory.live(number).is_some()
        });
        let name = self.names.label(number, None);
        let Some((_, length)) = scene.memory.live(number) else {
            let ty = life.and_then(|life| life.allocated.clone());
            let ended = life.and_then(|life| life.ended.as_ref());
            let word = if ty.is_some() { "deleted" } else { "ended" };
            let mut notes: Vec<String> = ty.into_iter().chain(made).collect();
            if let Some(life) = life.filter(|life| !life.variables.is_empty()) {
                notes.insert(0, life.variables.join(", "));
            }
            notes.push(ended.map_or(word.to_owned(), |at| format!("{word} at {}", at.text())));
            let change = if was_live == Some(true) { HeapChange::Ended } else { HeapChange::None };
            self.node(HeapKind::Gone, name, notes, Vec::new(), change);
            return;
        };
        let ty = scene.object_type(number).map_or(String::new(), |ty| ty.name.to_string());
        let ty = if length > 1 { format!("{ty}[{length}]") } else { ty };
        let mut listed = Vec::new();
        list_object(&scene, &self.names, number, None, &mut listed);
        let prefix = &self.names.of[&number].path.clone();
        let mut lines = self.lines(listed.iter(), prefix);
        let change = if was_live == Some(false) { HeapChange::Made } else { HeapChange::None };
        if change == HeapChange::Made {
            lines.iter_mut().for_each(|line| line.changed = false);
        }
        self.node(HeapKind::Object, name, [ty].into_iter().chain(made).collect(), lines, change);
    }

    /// Adds the objects that the last step made unreachable.
    fn lost(&mut self, reached: &[u32]) {
        let Some(old) = &self.old else { return };
        let known: HashSet<u32> = reached.iter().copied().collect();
        let is_lost = |number: &u32| !known.contains(number) && self.scene.memory.live(*number).is_some();
        let lost: Vec<u32> = old.reached.iter().copied().filter(is_lost).collect();
        for number in lost {
            let Some(ty) = self.scene.object_type(number).filter(|ty| matches!(ty.kind, ObjectKind::Data(_)))
            else {
                continue;
            };
            let name = self.old.as_ref().map_or(String::new(), |old| old.names.label(number, None));
            let made = self.past.life(number).and_then(|life| life.made.as_ref());
            let mut notes = vec![ty.name.to_string()];
            notes.extend(made.map(|at| format!("new at {}", at.text())));
            notes.push("nothing refers to it any more".into());
            self.node(HeapKind::Lost, format!("was {name}"), notes, Vec::new(), HeapChange::Ended);
        }
    }

    fn node(
        &mut self,
        kind: HeapKind,
        name: String,
        notes: Vec<String>,
        lines: Vec<HeapLine>,
        change: HeapChange,
    ) {
        self.heap.nodes.push(HeapNode { kind, name, notes, lines, change });
    }

    /// The lines of a box; names are without `prefix`, which is that of the box.
    fn lines<'l>(&self, listed: impl Iterator<Item = &'l Listed>, prefix: &str) -> Vec<HeapLine> {
        let mut lines = Vec::new();
        let (mut n_values, mut n_omitted) = (0, 0);
        for one in listed {
            let name = one.variable.name.strip_prefix(prefix).unwrap_or(&one.variable.name);
            let name = name.strip_prefix('.').unwrap_or(name);
            let name = if name.starts_with("value of ") { "value" } else { name };
            let changed = self.old.as_ref().is_some_and(|old| {
                old.cells.get(&one.cell).is_none_or(|old| match one.kind {
                    ValueKind::Channel => contents(&old.variable.value) != contents(&one.variable.value),
                    ValueKind::Value | ValueKind::Pointer => old.raw != one.raw,
                })
            });
            let to =
                (one.kind == ValueKind::Pointer).then(|| self.nodes.get(&(one.raw as u32 >> 16))).flatten();
            if let Some(&to) = to {
                let is_whole = !one.variable.value.starts_with('&');
                let text =
                    if is_whole { name.to_owned() } else { format!("{name} = {}", one.variable.value) };
                lines.push(HeapLine { to: Some(to), text, awaited: false, changed });
                continue;
            }
            if n_values == MOST_VALUES && !changed {
                n_omitted += 1;
                continue;
            }
            n_values += 1;
            let text = format!("{name} = {}", one.variable.value);
            lines.push(HeapLine { text, to: None, awaited: false, changed });
            if one.kind == ValueKind::Channel {
                self.messages(one, changed, &mut lines);
            }
        }
        if n_omitted > 0 {
            lines.push(HeapLine::value(format!("and {n_omitted} more values")));
        }
        lines
    }

    /// What the messages of a channel refer to.
    fn messages(&self, channel: &Listed, changed: bool, lines: &mut Vec<HeapLine>) {
        let scene = self.scene;
        let Some(slot) = scene.channel(channel.raw) else { return };
        let ty = &scene.program.lowered().channel_types[usize::from(slot.ty.0)];
        let is_pointer = |notation: &crate::ir::Notation| matches!(notation, crate::ir::Notation::Pointer(_));
        if ty.capacity == 0 || !ty.fields.iter().any(|(_, notation)| is_pointer(notation)) {
            return;
        }
        let eval = scene.eval(0);
        for message in 0..usize::from(eval.length(slot)) {
            for (field, (_, notation)) in ty.fields.iter().enumerate() {
                let object = eval.field(slot, message, field) as u32 >> 16;
                if let Some(&to) = self.nodes.get(&object).filter(|_| is_pointer(notation)) {
                    let text = format!("message {}", message + 1);
                    lines.push(HeapLine { text, to: Some(to), awaited: false, changed });
                }
            }
        }
    }
}

/// The messages of a channel, without its name.
fn contents(value: &str) -> &str {
    value.find('[').map_or(value, |at| &value[at..])
}

fn place(at: &allways_model::Location) -> String {
    let file = at.file.rsplit(['/', '\\']).next().unwrap_or_default();
    format!("{file}:{}", at.line)
}
