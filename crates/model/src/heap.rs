//! The heap of one state as plain data for display: objects, references, and what the last step changed.

/// The objects of a state, and the variables and processes that refer to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heap {
    /// Variables, processes and objects. Where possible, a node comes before those to which it refers.
    pub nodes: Vec<HeapNode>,
    /// What is not shown, in words; empty if everything is shown.
    pub omitted: String,
}

/// One box of a picture of a heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapNode {
    /// The kind of the box.
    pub kind: HeapKind,
    /// Its name, or the path by which it is reached.
    pub name: String,
    /// Further lines: its type, the location of a process, the place where an object was made.
    pub notes: Vec<String>,
    /// Its variables, fields or elements.
    pub lines: Vec<HeapLine>,
    /// The effect of the last step on it.
    pub change: HeapChange,
}

/// The kind of thing that a box represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeapKind {
    /// Global variables or static fields.
    Globals,
    /// A process or a thread.
    Process,
    /// An object.
    Object,
    /// An object that was deleted and is still referred to.
    Gone,
    /// An object that nothing refers to.
    Lost,
}

/// The effect of the last step on an object as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeapChange {
    /// No effect.
    None,
    /// The step created the object.
    Made,
    /// The step ended the object or lost the last reference to it.
    Ended,
}

/// A variable, field or element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapLine {
    /// Its name, with its value unless it refers to a node.
    pub text: String,
    /// The node that it refers to.
    pub to: Option<usize>,
    /// Whether the holder of the reference waits for its target.
    pub awaited: bool,
    /// Whether the last step changed it.
    pub changed: bool,
}

impl HeapLine {
    /// A line with a value.
    #[must_use]
    pub fn value(text: String) -> Self {
        Self { text, to: None, awaited: false, changed: false }
    }

    /// A line that refers to a node.
    #[must_use]
    pub fn reference(text: String, to: usize) -> Self {
        Self { text, to: Some(to), awaited: false, changed: false }
    }
}
