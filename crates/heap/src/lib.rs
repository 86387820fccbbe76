//! The normal form of a heap: which objects a state has, their order in its vector, and who can reach each.
//!
//! A front end whose programs allocate describes its heap as a [`Graph`] and numbers objects with an
//! [`Order`]. Then two states that differ only in the order of allocation, in addresses or in garbage have
//! the same vector. This crate knows objects only by index, and uses no other crate of the workspace: models,
//! stores and searches work on vectors, and need nothing from it.
//!
//! ## The numbering
//!
//! Roots come in groups: first those that belong to no single holder, then those of each holder (process,
//! thread), in order. The objects that the roots of a group refer to are numbered first, then all further new
//! objects reachable from them, breadth first: each object when the first reference to it is found,
//! references in the order in which the graph lists them. Then the next group follows.
//!
//! ## Why it is a normal form
//!
//! An *isomorphism* between two heaps is a one-to-one map of the reached objects that keeps the contents of
//! objects other than references, maps the k-th root of each group to the k-th root of the same group, and
//! maps the k-th reference of an object to the k-th reference of its image. A vector lists the roots and the
//! objects in order, with each reference replaced by a number.
//!
//! *Isomorphic heaps give equal vectors.* Run the numbering on both side by side. Both begin with no object
//! numbered. Suppose that so far the object numbered `i` in one is the image of the object numbered `i` in
//! the other, for all `i`, and that the next root or reference is the same one in both: the same root, or the
//! same reference of objects with the same number. Its target in one heap is then the image of its target in
//! the other. Either both targets have a number, and it is the same one, because the map is one to one; or
//! neither has, and both get the next number. So the claim holds after each reference, and at the end: roots,
//! references and contents are written in the same way, in the same order.
//!
//! *Equal vectors come from isomorphic heaps.* The map that takes the object numbered `i` in one heap to the
//! one numbered `i` in the other keeps roots, references and contents, because those are what the vectors
//! list.
//!
//! Both directions require that the groups of roots and the lists of references depend on the state alone,
//! not on indices. The same argument covers the owners: whether one holder or several reach an object is a
//! property of the graph up to isomorphism.
//!
//! ## Owners
//!
//! An object that only one holder reaches has that holder as its owner. Any other reached object is shared: a
//! shared root leads to it, or two holders reach it. The trace of a holder stops at objects that have a
//! number. So when a second holder meets one, the object becomes shared, and so does everything that it leads
//! to (`flood`). All objects numbered before a flood have been traced, so each object that a shared one leads
//! to has a number by then. An object becomes shared at most once, so all floods together cost as much as one
//! trace.
//!
//! ## Collection
//!
//! - [`Collect::Sweep`]: unreached objects are not part of the state.
//! - [`Collect::Count`]: objects without references are not part of it, and their own references do not
//!   count; unreached cycles stay.
//! - [`Collect::Nothing`]: every object stays that [`Graph::outlives`] its last reference, with what it leads
//!   to.
//!
//! Unreached objects that stay follow the reached ones in the order of their allocation, which is then part
//! of the state: the form is normal only with respect to the reached objects. They have no owner and are not
//! shared.
//!
//! No function here recurses, and none allocates once the lists have grown to the size of the largest heap.

mod order;

pub use order::Order;

/// A heap. Its objects are `0..n_objects`, in the order of their allocation; some may be garbage.
///
/// References to anything else (null, objects that every state has) are not listed.
pub trait Graph {
    /// The error that prevents finding the roots of a state.
    type Error;

    /// The number of objects, garbage included.
    fn n_objects(&self) -> usize;

    /// The number of holders of roots: processes or threads.
    fn n_holders(&self) -> usize;

    /// Passes the roots outside all holders to `roots`, in an order that depends on the state alone.
    ///
    /// # Errors
    /// Those of the front end.
    fn shared_roots(&self, roots: &mut impl Roots) -> Result<(), Self::Error>;

    /// Passes the roots of a holder to `roots`, in an order that depends on the state alone.
    ///
    /// # Errors
    /// Those of the front end.
    fn roots(&self, holder: usize, roots: &mut impl Roots) -> Result<(), Self::Error>;

    /// Calls `found` with each object that `object` refers to, in the order of its fields.
    fn references(&self, object: u32, found: &mut impl FnMut(u32));

    /// Whether an object stays without references if nothing is collected. One that the program has deleted
    /// does not: only references to it remain.
    fn outlives(&self, _object: u32) -> bool {
        true
    }
}

/// Receives the roots of a state.
pub trait Roots {
    /// Adds a root of the current group, which refers to an object.
    fn root(&mut self, object: u32);

    /// Ends the current group; the last group need not be ended.
    fn end_group(&mut self);
}

/// How garbage is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collect {
    /// By marking what can be reached.
    Sweep,
    /// By counting references: objects in a cycle of references stay.
    Count,
    /// Not at all.
    Nothing,
}

/// The settings of the numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Whether objects are numbered in the order in which they are reached, instead of the order of their
    /// allocation.
    pub symmetry: bool,
    /// Which objects are garbage.
    pub collect: Collect,
}

impl Default for Form {
    fn default() -> Self {
        Self { symmetry: true, collect: Collect::Sweep }
    }
}
