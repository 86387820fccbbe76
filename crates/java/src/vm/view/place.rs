//! What an operation accesses: a place of an object, and the note that a step keeps of it.

use crate::class::ClassId;
use crate::vm::heap::Ref;

/// A field of a class, or the elements of a class of arrays; and which slot or element of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The field or class of arrays, for people.
    pub key: u64,
    /// The slot or element; [`Place::ALL`] or [`Place::MONITOR`].
    pub slot: u32,
    /// Whether it is accessed as what is neither `volatile` nor atomic.
    pub is_ordinary: bool,
}

impl Place {
    /// All fields or elements.
    pub const ALL: u32 = u32::MAX;
    /// The monitor.
    pub const MONITOR: u32 = u32::MAX - 1;
    /// What the monitor of a thread is used for at its end.
    const LIFE: u32 = u32::MAX - 2;
    /// What was printed, as a part of the class `Object`.
    pub(crate) const OUTPUT: u32 = u32::MAX - 3;
    /// The numbers that identity hashes are made from, as a part of the class `Object`.
    pub(crate) const HASHES: u32 = u32::MAX - 4;
    /// Who waits in the monitor.
    pub(super) const WAITERS: u32 = u32::MAX - 5;
    /// Whether a thread may go on that parks.
    pub(super) const PERMIT: u32 = u32::MAX - 6;
    /// Which threads there are, as a part of the class `Object`: what number the next one gets, and
    /// whether only one is left that counts.
    pub(super) const THREADS: u32 = u32::MAX - 7;
    /// The last slot or element that can be one.
    const LAST: u32 = u32::MAX - 8;

    /// Nothing of any object: where an access has this place, its context must be in view.
    pub const OBSERVATION: Self = Self { key: 0, slot: Self::ALL, is_ordinary: false };

    /// A field that `class` declares.
    #[inline]
    #[must_use]
    pub fn field(class: ClassId, slot: u32, is_static: bool) -> Self {
        let key = u64::from(class.0) << 32 | u64::from(slot) << 2 | u64::from(is_static);
        Self { key, slot, is_ordinary: false }
    }

    /// An element of an array.
    #[inline]
    #[must_use]
    pub fn array(class: ClassId, element: u32) -> Self {
        Self { key: u64::from(class.0) << 32 | 2, slot: element, is_ordinary: false }
    }

    /// The monitor of an object of a class.
    #[inline]
    #[must_use]
    pub fn monitor(class: ClassId) -> Self {
        Self { key: u64::from(class.0) << 32 | 3, slot: Self::MONITOR, is_ordinary: false }
    }

    /// The same place, in an access that is neither `volatile` nor atomic if the flag is set.
    #[inline]
    #[must_use]
    pub fn ordinary(self, is_ordinary: bool) -> Self {
        Self { is_ordinary, ..self }
    }

    /// What the monitor of a thread of a class is used for at its end.
    #[must_use]
    pub(super) fn life(class: ClassId) -> Self {
        Self { slot: Self::LIFE, ..Self::monitor(class) }
    }

    /// The class that declares the field, or of the array or monitor.
    #[inline]
    #[must_use]
    pub(super) fn class(self) -> ClassId {
        ClassId((self.key >> 32) as u32)
    }

    /// Whether it is a static field. (Monitors count too, which are not final.)
    #[inline]
    #[must_use]
    pub(super) fn is_static(self) -> bool {
        self.key & 1 != 0
    }

    /// Whether it is an element of an array, or all of them.
    #[must_use]
    pub fn is_element(self) -> bool {
        self.key & 3 == 2
    }

    /// Which element it is, if it is one.
    #[must_use]
    pub fn element(self) -> Option<u32> {
        (self.slot <= Self::LAST).then_some(self.slot)
    }

    /// Whether it is a monitor.
    #[must_use]
    pub fn is_monitor(self) -> bool {
        self.slot == Self::MONITOR
    }

    /// The slot or element of its object; `None` if it is all of them.
    pub(super) fn part(self) -> Option<u32> {
        (self.slot != Self::ALL).then_some(self.slot)
    }

    fn meets(self, other: Self) -> bool {
        let covers = |a: u32, b: u32| a == Self::ALL && b <= Self::LAST;
        self.slot == other.slot || covers(self.slot, other.slot) || covers(other.slot, self.slot)
    }
}

/// An operation of a step on something that several threads can reach.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The object.
    pub object: Ref,
    /// What of it.
    pub place: Place,
    /// Whether it was written.
    pub is_write: bool,
    /// Whether something was added to it, and nobody looks at the sum (see `dropped`).
    pub is_addition: bool,
    /// Whether it is in view.
    pub in_view: bool,
    /// Whether it is part of a section that acquires or releases a lock (see `vm::section`).
    pub is_mover: bool,
    /// Whether that section acquires, and no other thread can do the same before a release.
    pub excludes: bool,
    /// The place in the code: see [`Machine::context`](crate::vm::machine::Machine::context).
    pub context: u64,
}

impl Access {
    /// Whether it is out of view of another thread's operation: a section that acquires or releases is in
    /// view only of such sections.
    #[must_use]
    pub fn is_hidden_from(&self, other: &Self) -> bool {
        !self.in_view || self.is_mover && !other.is_mover
    }

    /// Whether, where two operations do not commute, what follows both in their steps cannot be adjacent.
    /// Otherwise both acquire or release, and none excludes the other.
    #[must_use]
    pub fn bars(&self, other: &Self) -> bool {
        self.collides(other) && !(self.is_mover && other.is_mover && !(self.excludes && other.excludes))
    }

    /// Whether two operations of different threads do not commute.
    #[must_use]
    pub fn collides(&self, other: &Self) -> bool {
        self.object == other.object
            && (self.is_write || other.is_write)
            && !(self.is_addition && other.is_addition)
            && self.place.meets(other.place)
    }
}
