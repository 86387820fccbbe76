//! Names of objects: the path by which an object is reached, such as `top.next`.
//!
//! Names begin at the globals if that is possible, otherwise at the oldest process; the shortest of several
//! paths is used. So an object that is published keeps its name while local pointers come and go. The
//! variables of functions are named by function and variable, `insert.at`; a second activation is
//! `insert(2).at`.
//!
//! A pointer to a part of an object names the object only if no other path leads to it: `(Node around q)`,
//! since the object's fields are not parts of what `q` refers to.

use super::Scene;
use crate::ir::{Notation, ObjectKind, Scalar, Type, Variable as Declared, same_pointee};
use crate::machine::{OBJECTS_FROM, WHOLE_ARRAY, read32};
use crate::program::Program;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// What contains a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Space {
    /// The globals.
    Globals,
    /// The record of a process.
    Process(u32),
    /// An object: allocated, a frame or a scope.
    Object(u32),
}

/// A scalar of a state: what contains it, and its offset there.
pub(super) type Cell = (Space, u32);

/// The name of an object.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// The process at whose variables the name begins.
    pub(super) process: Option<u32>,
    /// The path from there. For a frame or scope, the prefix of its variables' names.
    pub(super) path: String,
    /// The pointer that gives it its name, if that refers to all of it.
    pub(super) cell: Option<Cell>,
    /// Whether only a message refers to it.
    pub(super) in_message: bool,
}

/// The names of the objects of a state, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub(super) of: HashMap<u32, Named>,
    /// The names of the processes.
    processes: Vec<Arc<str>>,
}

impl Names {
    /// Finds the names in a state.
    pub(super) fn find(scene: &Scene<'_>) -> Self {
        let processes =
            scene.layout.processes.iter().map(|slot| scene.program.proctype(slot.ty).name.clone());
        let names = Self { of: HashMap::new(), processes: processes.collect() };
        if !scene.program.is_dynamic() {
            return names;
        }
        let mut finder = Finder { scene: *scene, names, queue: VecDeque::new(), parts: VecDeque::new() };
        finder.frames_and_scopes();
        finder.scan(&scene.program.lowered().globals, Space::Globals, None, "");
        finder.drain();
        for pid in 0..scene.layout.processes.len() as u32 {
            finder.process(pid);
            finder.drain();
        }
        while let Some(part) = finder.parts.pop_front() {
            finder.take_around(part);
            finder.drain();
        }
        finder.others();
        finder.names
    }

    /// Keeps the names of objects known from before; `self` gives names for new objects and for those that
    /// were in a message.
    pub(super) fn after(self, before: &Self) -> Self {
        let mut names = self;
        let known =
            before.of.iter().filter(|(number, named)| !named.in_message || !names.of.contains_key(number));
        let known: Vec<_> = known.map(|(number, named)| (*number, named.clone())).collect();
        names.of.extend(known);
        names
    }

    /// The name of an object among the variables of a process, or elsewhere.
    pub(super) fn label(&self, number: u32, context: Option<u32>) -> String {
        match self.of.get(&number) {
            None => format!("object {number}"),
            Some(Named { process: Some(pid), path, .. }) if Some(*pid) != context => {
                format!("{}:{path}", self.process(*pid))
            }
            Some(named) => named.path.clone(),
        }
    }

    /// A process's name and number.
    pub(super) fn process(&self, pid: u32) -> String {
        format!("{}({pid})", self.type_of(pid).trim_matches(':'))
    }

    /// The type of a process.
    pub(super) fn type_of(&self, pid: u32) -> &str {
        self.processes.get(pid as usize).map_or("?", |name| name)
    }

    /// The prefix of the names of a frame's or scope's variables.
    pub(super) fn prefix(&self, number: u32) -> &str {
        self.of.get(&number).map_or("", |named| &named.path)
    }
}

/// Calls `visit` with every scalar of a variable: name, offset, type.
pub(super) fn each_scalar(
    program: &Program,
    declared: &Declared,
    prefix: &str,
    start: u32,
    visit: &mut dyn FnMut(String, u32, Scalar, &Notation),
) {
    let size = match &declared.ty {
        Type::Scalar(scalar, _) => scalar.size(),
        Type::Record(record) => program.lowered().records[*record as usize].size,
    };
    for element in 0..declared.array.unwrap_or(1) {
        let index = declared.array.map_or(String::new(), |_| format!("[{element}]"));
        let name = format!("{prefix}{}{index}", declared.name);
        let at = start + declared.offset + element * size;
        match &declared.ty {
            Type::Scalar(scalar, notation) => visit(name, at, *scalar, notation),
            Type::Record(record) => {
                let prefix = format!("{name}.");
                for field in &program.lowered().records[*record as usize].fields {
                    each_scalar(program, field, &prefix, at, visit);
                }
            }
        }
    }
}

struct Finder<'a> {
    scene: Scene<'a>,
    names: Names,
    queue: VecDeque<u32>,
    /// References to parts of objects.
    parts: VecDeque<PartOf>,
}

/// A reference to a part of an object.
struct PartOf {
    number: u32,
    /// The process at whose variables its name begins, and the name.
    process: Option<u32>,
    path: String,
}

impl Finder<'_> {
    /// Names frames and the objects of scopes by the functions that they belong to.
    fn frames_and_scopes(&mut self) {
        let scene = self.scene;
        for pid in 0..scene.layout.processes.len() {
            let mut activations: HashMap<Arc<str>, u32> = HashMap::new();
            for frame in scene.frames(pid) {
                let (body, base) = scene.body(pid, frame);
                let prefix = match frame {
                    0 => String::new(),
                    _ => {
                        let count = activations.entry(body.name.clone()).or_default();
                        *count += 1;
                        match *count {
                            1 => format!("{}.", body.name),
                            count => format!("{}({count}).", body.name),
                        }
                    }
                };
                let named = Named { process: Some(pid as u32), path: prefix, cell: None, in_message: false };
                if frame != 0 {
                    self.names.of.insert(frame, named.clone());
                }
                for scope in body.scopes.iter() {
                    if let Some(object) = scene.scope_object(scope, base) {
                        self.names.of.insert(object, named.clone());
                    }
                }
            }
        }
    }

    /// Names what the variables of a process, of its frames and of its scopes refer to.
    fn process(&mut self, pid: u32) {
        let scene = self.scene;
        for frame in scene.frames(pid as usize) {
            let (body, base) = scene.body(pid as usize, frame);
            let space = if frame == 0 { Space::Process(pid) } else { Space::Object(frame) };
            let prefix = if frame == 0 { String::new() } else { self.names.prefix(frame).to_owned() };
            self.scan(&body.variables, space, Some(pid), &prefix);
            for scope in body.scopes.iter() {
                if let Some(object) = scene.scope_object(scope, base) {
                    let variables = scene.object_type(object).map_or(&[][..], |ty| &ty.variables);
                    self.scan(variables, Space::Object(object), Some(pid), &prefix);
                }
            }
        }
    }

    /// Names what the given variables refer to.
    fn scan(&mut self, variables: &[Declared], space: Space, process: Option<u32>, prefix: &str) {
        let scene = self.scene;
        for declared in variables {
            each_scalar(scene.program, declared, prefix, 0, &mut |name, at, scalar, notation| {
                self.scalar(name, (space, at), process, scalar, notation);
            });
        }
    }

    fn scalar(
        &mut self,
        name: String,
        cell: Cell,
        process: Option<u32>,
        scalar: Scalar,
        notation: &Notation,
    ) {
        let scene = self.scene;
        match notation {
            Notation::Pointer(pointee) => self.refer(scene.word(cell), pointee, process, name, cell),
            Notation::Chan => {
                let id = scene.scalar(cell, scalar);
                let Some(slot) = scene.channel(id) else { return };
                let object = id as u32 >> 16;
                let is_own = cell.0 == Space::Object(object);
                if scalar == Scalar::Pointer && object >= OBJECTS_FROM && !is_own {
                    self.take(object, process, name.clone(), cell);
                }
                let eval = scene.eval(0);
                let ty = &scene.program.lowered().channel_types[usize::from(slot.ty.0)];
                if ty.capacity == 0 {
                    return;
                }
                for message in 0..usize::from(eval.length(slot)) {
                    for (field, (_, notation)) in ty.fields.iter().enumerate() {
                        if let Notation::Pointer(pointee) = notation {
                            let value = eval.field(slot, message, field) as u32;
                            let path = format!("(message {} of {name})", message + 1);
                            self.refer(value, pointee, process, path, cell);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Records a reference to an object, or to a part of one.
    fn refer(&mut self, value: u32, pointee: &Type, process: Option<u32>, path: String, cell: Cell) {
        let number = value >> 16;
        if number < OBJECTS_FROM || self.scene.refers_to_all(value, pointee) {
            self.take(number, process, path, cell);
        } else {
            self.parts.push_back(PartOf { number, process, path });
        }
    }

    /// Names an object by a pointer to a part of it.
    fn take_around(&mut self, PartOf { number, process, path }: PartOf) {
        if self.names.of.contains_key(&number) {
            return;
        }
        let ty = self.scene.object_type(number).map_or("object", |ty| &ty.name);
        let length = self.scene.memory.live(number).map_or(1, |(_, length)| length);
        let count = if length > 1 { format!("[{length}]") } else { String::new() };
        let path = format!("({ty}{count} around {path})");
        self.names.of.insert(number, Named { process, path, cell: None, in_message: false });
        self.queue.push_back(number);
    }

    fn take(&mut self, number: u32, process: Option<u32>, path: String, cell: Cell) {
        if number >= OBJECTS_FROM && !self.names.of.contains_key(&number) {
            let in_message = path.starts_with("(message");
            self.names.of.insert(number, Named { process, path, cell: Some(cell), in_message });
            self.queue.push_back(number);
        }
    }

    /// Continues with the objects found so far.
    fn drain(&mut self) {
        while let Some(number) = self.queue.pop_front() {
            let Some((_, length)) = self.scene.memory.live(number) else { continue };
            let Some(ty) = self.scene.object_type(number) else { continue };
            let ObjectKind::Data(element) = &ty.kind else { continue };
            let Named { process, path, .. } = self.names.of[&number].clone();
            let whole = whole(path.into(), element, length);
            self.scan(std::slice::from_ref(&whole), Space::Object(number), process, "");
        }
    }

    /// Names the remaining objects, which are not reachable.
    fn others(&mut self) {
        let mut counts: HashMap<&str, u32> = HashMap::new();
        for number in OBJECTS_FROM..OBJECTS_FROM + self.scene.memory.objects.len() as u32 {
            if self.names.of.contains_key(&number) {
                continue;
            }
            let name = self.scene.object_type(number).map_or("object", |ty| &ty.name);
            let count = counts.entry(name).or_default();
            *count += 1;
            let path = match *count {
                1 => format!("(lost {name})"),
                count => format!("(lost {name} {count})"),
            };
            self.names.of.insert(number, Named { process: None, path, cell: None, in_message: false });
        }
    }
}

/// An object as a variable with a name.
pub(super) fn whole(name: Arc<str>, element: &Type, length: u16) -> Declared {
    let array = (length > 1).then_some(u32::from(length));
    Declared { name, base: crate::ir::Base::Global, offset: 0, ty: element.clone(), array }
}

impl Scene<'_> {
    /// The offset at which the scalars of a space start.
    pub(super) fn start(&self, space: Space) -> usize {
        match space {
            Space::Globals => 0,
            Space::Process(pid) => self.layout.processes[pid as usize].offset as usize,
            Space::Object(number) => self.memory.contents(number),
        }
    }

    /// Whether a reference is to all of an object, or to one that has ended.
    fn refers_to_all(&self, value: u32, pointee: &Type) -> bool {
        let Some((_, length)) = self.memory.live(value >> 16) else { return true };
        let Some(ty) = self.object_type(value >> 16) else { return true };
        let ObjectKind::Data(element) = &ty.kind else { return true };
        value & (WHOLE_ARRAY - 1) == 0
            && (value & WHOLE_ARRAY != 0 || length == 1)
            && same_pointee(pointee, element)
    }

    fn word(&self, (space, at): Cell) -> u32 {
        read32(&self.memory.bytes, self.start(space) + at as usize)
    }

    /// The value of a scalar.
    pub(super) fn scalar(&self, (space, at): Cell, scalar: Scalar) -> i32 {
        crate::machine::read_scalar(&self.memory.bytes, self.start(space) + at as usize, scalar)
    }
}
