//! The normal form of a heap: which objects a state has, the order in which a vector lists them, and who can
//! reach each.
//!
//! A front end whose programs allocate describes its heap as a [`Graph`] and numbers objects with an
//! [`Order`]. Then two states that differ only in the order of allocation, in addresses or in garbage have
//! the same vector. This crate knows objects by their index only, and uses no other crate of the workspace:
//! models, stores and searches see vectors, and need nothing of it.
//!
//! ## The numbering Roots come in groups: first those that no holder has alone, then those of each holder
//! (process, thread), in order. The objects of a group are numbered first, then all that is new behind them,
//! breadth first: each object when the first reference to it is found, references in the order in which the
//! graph lists them. Then the next group follows.
//!
//! ## Why it is a normal form An *isomorphism* between two heaps is a one-to-one map of the reached objects
//! that keeps the contents of objects other than references, takes the k-th root of each group to the k-th
//! root of the same group, and takes the k-th reference of an object to the k-th reference of its image. A
//! vector lists the roots and the objects in order, with each reference replaced by a number.
//!
//! *Isomorphic heaps give equal vectors.* Run the numbering on both side by side. Both begin with nothing
//! numbered. Say that so far the object numbered `i` in one is the image of the object numbered `i` in the
//! other, for all `i`, and that the same root or the same reference of the same number is next. What it leads
//! to in one heap is then the image of what it leads to in the other. Either both have a number, and it is
//! the same one, because the map is one to one; or neither has, and both get the next one. So the claim holds
//! after each reference, and at the end: roots, references and contents are written down alike, in the same
//! order.
//!
//! *Equal vectors come from isomorphic heaps.* The map that takes the object numbered `i` in one heap to the
//! one numbered `i` in the other keeps roots, references and contents, since those are what the vectors list.
//!
//! Both need that the groups of roots and the lists of references depend on the state alone, not on indices.
//! The owners keep to the same argument: whether one holder or several reach an object is a property of the
//! graph up to isomorphism.
//!
//! ## Owners An object that only one holder reaches has that holder as its owner. Any other reached object is
//! shared: one that a shared root leads to, or that two holders reach. The trace of a holder stops at objects
//! that have a number, so when a second holder meets one, the object becomes shared and so does everything
//! that it leads to (`flood`). All objects numbered before a flood have been traced, so each object that a
//! shared one leads to has a number by then. An object becomes shared at most once, so floods cost as much as
//! one trace in all.
//!
//! ## Collection
//! - [`Collect::Sweep`]: what is not reached is not part of the state.
//! - [`Collect::Count`]: what has no references is not, and its own references do not count; unreached cycles
//!   stay.
//! - [`Collect::Nothing`]: everything stays that [`Graph::outlives`] its last reference, with what it leads
//!   to.
//!
//! Unreached objects that stay follow the reached ones in the order of their allocation, which is then part
//! of the state: the form is normal only as far as the reached objects go. They have no owner and are not
//! shared.
//!
//! Nothing here recurses, and nothing allocates once the lists have grown to the size of the largest heap.

mod order;

pub use order::Order;

/// A heap. Its objects are `0..n_objects`, in the order of their allocation; some may be garbage.
///
/// References to anything else (null, objects that every state has) are not listed.
pub trait Graph {
    /// Why the roots of a state cannot be found.
    type Error;

    /// The number of objects, garbage included.
    fn n_objects(&self) -> usize;

    /// The number of holders of roots: processes or threads.
    fn n_holders(&self) -> usize;

    /// Tells of the roots outside all holders, in an order that depends on the state alone.
    ///
    /// # Errors
    /// As the front end says.
    fn shared_roots(&self, roots: &mut impl Roots) -> Result<(), Self::Error>;

    /// Tells of the roots of a holder, in an order that depends on the state alone.
    ///
    /// # Errors
    /// As the front end says.
    fn roots(&self, holder: usize, roots: &mut impl Roots) -> Result<(), Self::Error>;

    /// Calls `found` with each object that `object` refers to, in the order of its fields.
    fn references(&self, object: u32, found: &mut impl FnMut(u32));

    /// Whether an object stays although nothing refers to it, if nothing is collected. One that the program
    /// has deleted does not: only references to it remain.
    fn outlives(&self, _object: u32) -> bool {
        true
    }
}

/// What is told of the roots of a state.
pub trait Roots {
    /// A root of the current group refers to an object.
    fn root(&mut self, object: u32);

    /// The current group ends; the last one does so by itself.
    fn end_group(&mut self);
}

/// How garbage is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collect {
    /// By marking what can be reached.
    Sweep,
    /// By counting references: what refers to itself in a circle stays.
    Count,
    /// Not at all.
    Nothing,
}

/// What a state consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Objects are numbered in the order in which they are reached, and not in the order of their allocation.
    pub symmetry: bool,
    /// Which objects are garbage.
    pub collect: Collect,
}

impl Default for Form {
    fn default() -> Self {
        Self { symmetry: true, collect: Collect::Sweep }
    }
}
