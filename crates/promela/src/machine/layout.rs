//! The layout of vectors: a tree of layouts, one edge for each process that is started.

use super::shape::{Roots, Shapes};
use crate::ir::{ChannelType, ChannelTypeId, ProctypeId, Setup};
use crate::lower::Lowered;

/// Index of a [`Layout`] in its [`Layouts`]. Layouts are numbered in the order of their first use, so an
/// index is never part of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct LayoutId(u32);

impl LayoutId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The location of a channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChannelSlot {
    pub(crate) offset: u32,
    pub(crate) ty: ChannelTypeId,
}

/// The location of a process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcessSlot {
    pub(crate) offset: u32,
    pub(crate) ty: ProctypeId,
}

/// The layout for one sequence of process types.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) processes: Vec<ProcessSlot>,
    pub(crate) channels: Vec<ChannelSlot>,
    pub(crate) size: u32,
    /// The references in the part before the objects.
    pub(super) roots: Roots,
    parent: LayoutId,
    children: Vec<Option<LayoutId>>,
}

/// All layouts used so far by one cursor.
#[derive(Debug)]
pub(crate) struct Layouts {
    nodes: Vec<Layout>,
    channel_sizes: Vec<u32>,
    n_proctypes: usize,
    /// The shapes of objects, in a model with objects.
    shapes: Option<Box<Shapes>>,
}

impl Layouts {
    pub(crate) fn new(program: &Lowered) -> Self {
        let channel_sizes = program.channel_types.iter().map(ChannelType::size).collect();
        let shapes = Shapes::new(program).map(Box::new);
        let roots = shapes.as_ref().map(|shapes| Roots::new(program, shapes, program.globals_size));
        let n_proctypes = program.proctypes.len();
        let mut layouts = Self { nodes: Vec::new(), channel_sizes, n_proctypes, shapes };
        let mut root = Layout {
            processes: Vec::new(),
            channels: Vec::new(),
            size: program.globals_size,
            roots: roots.unwrap_or_default(),
            parent: LayoutId(0),
            children: vec![None; layouts.n_proctypes],
        };
        layouts.add_channels(&mut root, &program.setup);
        layouts.nodes.push(root);
        layouts
    }

    fn add_channels(&self, layout: &mut Layout, setup: &[Setup]) {
        for step in setup {
            if let Setup::Channel(_, ty) = step {
                layout.channels.push(ChannelSlot { offset: layout.size, ty: *ty });
                layout.size += self.channel_sizes[usize::from(ty.0)];
            }
        }
    }

    #[inline]
    pub(crate) fn get(&self, id: LayoutId) -> &Layout {
        &self.nodes[id.0 as usize]
    }

    /// What the normal form needs to know of types, in a model with objects.
    #[inline]
    pub(crate) fn shapes(&self) -> Option<&Shapes> {
        self.shapes.as_deref()
    }

    /// The layout before any process.
    pub(crate) fn root() -> LayoutId {
        LayoutId(0)
    }

    /// The layout with one more process.
    pub(crate) fn push(&mut self, id: LayoutId, ty: ProctypeId, program: &Lowered) -> LayoutId {
        if let Some(child) = self.get(id).children[usize::from(ty.0)] {
            return child;
        }
        let proctype = &program.proctypes[usize::from(ty.0)];
        let mut layout = self.get(id).clone();
        layout.parent = id;
        layout.children = vec![None; self.n_proctypes];
        layout.processes.push(ProcessSlot { offset: layout.size, ty });
        if let Some(shapes) = &self.shapes {
            layout.roots.add(program, shapes, usize::from(ty.0), layout.size);
        }
        layout.size += proctype.size;
        self.add_channels(&mut layout, &proctype.setup);
        let child = LayoutId(self.nodes.len() as u32);
        self.nodes.push(layout);
        self.nodes[id.0 as usize].children[usize::from(ty.0)] = Some(child);
        child
    }

    /// The layout without the youngest process.
    pub(crate) fn pop(&self, id: LayoutId) -> LayoutId {
        self.get(id).parent
    }

    /// The layout of a vector.
    #[inline]
    pub(crate) fn of(&mut self, bytes: &[u8], program: &Lowered) -> LayoutId {
        let mut id = Self::root();
        for _ in 0..bytes[0] {
            let layout = self.get(id);
            let ty = ProctypeId(bytes[layout.size as usize]);
            id = match layout.children[usize::from(ty.0)] {
                Some(child) => child,
                None => self.push(id, ty, program),
            };
        }
        id
    }
}
