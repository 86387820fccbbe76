//! The objects of one state as plain data for people: what there is, who refers to what, what is new.

/// The objects of a state, and what holds them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heap {
    /// Variables, processes and objects; what holds others comes before them where that is possible.
    pub nodes: Vec<HeapNode>,
    /// What is not shown, in words; empty if everything is.
    pub omitted: String,
}

/// One box of a picture of a heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapNode {
    /// What it is.
    pub kind: HeapKind,
    /// Its name: how it is reached, or what it is called.
    pub name: String,
    /// More about it: its type, where a process is, where an object was made.
    pub notes: Vec<String>,
    /// Its variables, fields or elements.
    pub lines: Vec<HeapLine>,
    /// What the last step did to it.
    pub change: HeapChange,
}

/// What a box stands for.
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

/// What the last step did to an object as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeapChange {
    /// Nothing.
    None,
    /// It made it.
    Made,
    /// It ended or lost it.
    Ended,
}

/// A variable, field or element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapLine {
    /// Its name, with its value unless it refers to a node.
    pub text: String,
    /// The node that it refers to.
    pub to: Option<usize>,
    /// Whether the reference is something that its holder waits for.
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
