//! A state of a dynamic model: objects, and processes with their frames. Everything that can be referred to
//! is an object.

/// Object 0 holds the global variables.
pub(super) const GLOBALS: usize = 0;

/// A reference to a part of an object: where it begins, and how many elements it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ref {
    pub(super) object: usize,
    pub(super) offset: usize,
    pub(super) len: usize,
}

/// What a variable of a simple type holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cell {
    Number(i32),
    Pointer(Option<Ref>),
    Function(Option<usize>),
    /// The messages of a channel.
    Channel(Vec<Vec<Cell>>),
}

/// An object; a tombstone is the lack of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Object {
    pub(super) cells: Vec<Cell>,
    /// If `new` made it: its type (0 and 1 are numbers, records follow) and length.
    pub(super) allocated: Option<(usize, usize)>,
}

/// An activation of a body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct CallFrame {
    /// The place in the list of functions, or of processes for the frame at the bottom.
    pub(super) body: usize,
    pub(super) node: usize,
    /// The open scopes, outermost first, with the objects that hold their variables.
    pub(super) scopes: Vec<(usize, usize)>,
    /// Whether it was called inside an atomic sequence.
    pub(super) atomic: bool,
    /// Where the result goes, and the type of what is there.
    pub(super) target: Option<(Ref, Kept)>,
    /// The edge of the caller's node that the caller takes when this ends.
    pub(super) edge: usize,
}

/// What the target of a call keeps of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kept {
    Byte,
    All,
}

/// A process: its frames, the bottom one first. It is named by its place among the living.
pub(super) type Process = Vec<CallFrame>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) objects: Vec<Option<Object>>,
    pub(super) processes: Vec<Process>,
}

impl State {
    pub(super) fn add(&mut self, object: Object) -> usize {
        self.objects.push(Some(object));
        self.objects.len() - 1
    }

    /// The cells that a reference leads to, if its object is alive.
    pub(super) fn cell(&mut self, to: Ref) -> Option<&mut Cell> {
        self.objects[to.object].as_mut().map(|object| &mut object.cells[to.offset])
    }

    /// Ends the scopes of a frame from the `kept`-th on.
    pub(super) fn end_scopes(&mut self, process: usize, kept: usize) {
        let frame = self.processes[process].last_mut().expect("a process that moves has a frame");
        for (_, object) in frame.scopes.drain(kept..) {
            self.objects[object] = None;
        }
    }

    /// The same state with its objects in the order in which they are met on a walk: first those of the
    /// globals and the scopes of all frames, which are always there, then what references lead to. What the
    /// walk does not meet is dropped.
    pub(super) fn canonical(&self) -> State {
        let mut order = vec![GLOBALS];
        for frame in self.processes.iter().flatten() {
            order.extend(frame.scopes.iter().map(|scope| scope.1));
        }
        let targets = self.processes.iter().flatten().filter_map(|frame| frame.target);
        let mut met = order.clone();
        for (target, _) in targets {
            if !met.contains(&target.object) {
                met.push(target.object);
            }
        }
        let mut at = 0;
        while at < met.len() {
            if let Some(object) = &self.objects[met[at]] {
                each_reference(&object.cells, &mut |to| {
                    if !met.contains(&to.object) {
                        met.push(to.object);
                    }
                });
            }
            at += 1;
        }
        let mut number = vec![usize::MAX; self.objects.len()];
        for (idx, &object) in met.iter().enumerate() {
            number[object] = idx;
        }
        let mut result = State {
            objects: met.iter().map(|&object| self.objects[object].clone()).collect(),
            processes: self.processes.clone(),
        };
        for object in result.objects.iter_mut().flatten() {
            rename(&mut object.cells, &number);
        }
        for frame in result.processes.iter_mut().flatten() {
            frame.scopes.iter_mut().for_each(|scope| scope.1 = number[scope.1]);
            if let Some((target, _)) = &mut frame.target {
                target.object = number[target.object];
            }
        }
        result
    }
}

fn each_reference(cells: &[Cell], found: &mut dyn FnMut(Ref)) {
    for cell in cells {
        match cell {
            Cell::Pointer(Some(to)) => found(*to),
            Cell::Channel(messages) => messages.iter().for_each(|message| each_reference(message, found)),
            _ => {}
        }
    }
}

fn rename(cells: &mut [Cell], number: &[usize]) {
    for cell in cells {
        match cell {
            Cell::Pointer(Some(to)) => to.object = number[to.object],
            Cell::Channel(messages) => messages.iter_mut().for_each(|message| rename(message, number)),
            _ => {}
        }
    }
}
