//! Objects: the frozen base image, what a state changed of it, and what a state added to it.
//!
//! A reference is a number. Zero is `null`; numbers below [`OVERLAY`] name objects of the base image, which
//! all workers share and nobody changes; from there on they name objects of the loaded state. The first write
//! to an object of the base image makes a copy that belongs to the state.
//!
//! Every first write in a step is noted with what was there before, so that a step can be taken back.
//!
//! An object that is not `shared` can be reached by one thread only. The flag is exact when a state is loaded
//! and errs only on the side of `shared` while a step runs: objects are made unshared, and become shared,
//! with everything that can be reached from them, when a reference to them is stored in a shared object.

use crate::class::ClassId;
use crate::numbered::{LATE, Numbered};
use rapidhash::RapidHashMap;

/// A reference: `null`, or an object.
pub type Ref = u32;

/// The first number of objects that belong to a state.
pub const OVERLAY: u32 = 1 << 31;

/// What an object consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// Fields, one slot each.
    Slots(Box<[u64]>),
    /// The elements of an array of primitive values, little-endian.
    Bytes(Box<[u8]>),
    /// The elements of an array of references.
    Refs(Box<[Ref]>),
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its class.
    pub class: ClassId,
    /// The thread that holds its monitor, plus one; zero if nobody does.
    pub owner: u32,
    /// How often that thread entered it.
    pub count: u32,
    /// Its identity hash; zero if nobody asked for it.
    pub hash: u32,
    /// Whether more than one thread may reach it.
    pub shared: bool,
    /// The step that wrote it last.
    stamp: u32,
    /// Its contents.
    pub data: Data,
}

impl Object {
    /// A new object that nobody else knows.
    #[must_use]
    pub fn new(class: ClassId, data: Data) -> Self {
        Self { class, owner: 0, count: 0, hash: 0, shared: false, stamp: 0, data }
    }

    /// What it takes in memory.
    #[inline]
    fn n_bytes(&self) -> usize {
        let data = match &self.data {
            Data::Slots(slots) => size_of_val(&**slots),
            Data::Bytes(bytes) => bytes.len(),
            Data::Refs(refs) => size_of_val(&**refs),
        };
        size_of::<Self>() + data
    }
}

/// The objects that a worker sees.
pub struct Heap<'vm> {
    base: &'vm Numbered<Object>,
    /// For each early object of the base image one more than its place in `dirty`; zero if it is as it was.
    dirty_at: Vec<u32>,
    /// The places in `dirty` of late objects.
    late_dirty: RapidHashMap<Ref, u32>,
    /// Objects of the base image that the state changed.
    dirty: Vec<(Ref, Object)>,
    /// Objects of the state.
    overlay: Vec<Object>,
    /// What to put back when the step is taken back.
    undo: Vec<(Ref, Option<Object>)>,
    /// The current step.
    step: u32,
    /// Objects of the state when the step began.
    n_before: usize,
    /// What the objects of the state take, garbage included; and what they took when the step began.
    n_bytes: usize,
    n_bytes_before: usize,
    /// Work list of the flood that shares objects.
    flood: Vec<Ref>,
}

impl<'vm> Heap<'vm> {
    /// The base image alone.
    #[must_use]
    pub fn new(base: &'vm Numbered<Object>) -> Self {
        Self {
            base,
            dirty_at: Vec::new(),
            late_dirty: RapidHashMap::default(),
            dirty: Vec::new(),
            overlay: Vec::new(),
            undo: Vec::new(),
            step: 1,
            n_before: 0,
            n_bytes: 0,
            n_bytes_before: 0,
            flood: Vec::new(),
        }
    }

    /// An object.
    ///
    /// # Panics
    /// If the reference is `null` or no reference.
    #[inline]
    #[must_use]
    pub fn get(&self, object: Ref) -> &Object {
        if object >= OVERLAY {
            return &self.overlay[(object - OVERLAY) as usize];
        }
        match self.dirty_at.get(object as usize) {
            Some(&at) if at != 0 => &self.dirty[at as usize - 1].1,
            _ if object < LATE => self.base.get(object),
            _ => self.get_late(object),
        }
    }

    #[inline(never)]
    fn get_late(&self, object: Ref) -> &Object {
        match self.late_dirty.get(&object) {
            Some(&at) => &self.dirty[at as usize].1,
            None => self.base.get(object),
        }
    }

    /// The place in `dirty` of an object of the base image, if it is there.
    #[inline]
    fn place_in_dirty(&self, object: Ref) -> Option<usize> {
        if object >= LATE {
            return self.late_dirty.get(&object).map(|&at| at as usize);
        }
        self.dirty_at.get(object as usize).and_then(|&at| (at as usize).checked_sub(1))
    }

    /// Appends an object of the base image to `dirty`.
    fn push_dirty(&mut self, reference: Ref, object: Object) {
        let at = self.dirty.len() as u32;
        if reference >= LATE {
            self.late_dirty.insert(reference, at);
        } else {
            if self.dirty_at.len() <= reference as usize {
                self.dirty_at.resize(reference as usize + 1, 0);
            }
            self.dirty_at[reference as usize] = at + 1;
        }
        self.dirty.push((reference, object));
    }

    /// An object of the base image is as it was.
    fn forget_dirty(&mut self, reference: Ref) {
        if reference >= LATE {
            self.late_dirty.remove(&reference);
        } else {
            self.dirty_at[reference as usize] = 0;
        }
    }

    /// An object, to write to it.
    ///
    /// # Panics
    /// If the reference is `null` or no reference.
    #[inline]
    pub fn get_mut(&mut self, object: Ref) -> &mut Object {
        if object >= OVERLAY {
            let idx = (object - OVERLAY) as usize;
            let target = &mut self.overlay[idx];
            if target.stamp != self.step {
                if idx < self.n_before {
                    self.undo.push((object, Some(target.clone())));
                }
                target.stamp = self.step;
            }
            return target;
        }
        self.get_base_mut(object)
    }

    fn get_base_mut(&mut self, object: Ref) -> &mut Object {
        let Some(at) = self.place_in_dirty(object) else {
            let mut copy = self.base.get(object).clone();
            copy.shared = true;
            copy.stamp = self.step;
            self.undo.push((object, None));
            self.push_dirty(object, copy);
            return &mut self.dirty.last_mut().expect("it was just pushed").1;
        };
        let target = &mut self.dirty[at].1;
        if target.stamp != self.step {
            self.undo.push((object, Some(target.clone())));
            target.stamp = self.step;
        }
        target
    }

    /// Adds an object to the state.
    ///
    /// # Panics
    /// Beyond 2^31 objects.
    #[inline]
    pub fn push(&mut self, object: Object) -> Ref {
        let idx = u32::try_from(self.overlay.len()).expect("a state has fewer than 2^31 objects");
        self.n_bytes += object.n_bytes();
        self.overlay.push(object);
        OVERLAY + idx
    }

    /// What the objects of the state take, with those that the step made, garbage included.
    #[inline]
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// What the step has made.
    #[inline]
    #[must_use]
    pub fn n_bytes_of_step(&self) -> usize {
        self.n_bytes - self.n_bytes_before
    }

    /// Whether more than one thread may reach an object.
    #[inline]
    #[must_use]
    pub fn is_shared(&self, object: Ref) -> bool {
        object < OVERLAY || self.overlay[(object - OVERLAY) as usize].shared
    }

    /// From now on more than one thread may reach an object, and with it everything that can be reached from
    /// it.
    pub fn share(&mut self, object: Ref, layout: &dyn Layout) {
        if object == 0 || self.is_shared(object) {
            return;
        }
        self.flood.push(object);
        while let Some(object) = self.flood.pop() {
            if self.is_shared(object) {
                continue;
            }
            // Not a write that a program could see, but one to take back.
            self.get_mut(object).shared = true;
            let mut found = std::mem::take(&mut self.flood);
            let this = self.get(object);
            layout.references(object, this, &mut |reference| {
                if reference >= OVERLAY {
                    found.push(reference);
                }
            });
            self.flood = found;
        }
    }

    /// Reads a slot.
    ///
    /// # Panics
    /// If the object has no such slot.
    #[inline]
    #[must_use]
    pub fn slot(&self, object: Ref, slot: u32) -> u64 {
        match &self.get(object).data {
            Data::Slots(slots) => slots[slot as usize],
            _ => panic!("an array has no fields"),
        }
    }

    /// Writes a slot; see [`Heap::share`] for references.
    ///
    /// # Panics
    /// If the object has no such slot.
    #[inline]
    pub fn set_slot(&mut self, object: Ref, slot: u32, value: u64) {
        match &mut self.get_mut(object).data {
            Data::Slots(slots) => slots[slot as usize] = value,
            _ => panic!("an array has no fields"),
        }
    }

    /// Begins a step.
    pub fn begin(&mut self) {
        self.undo.clear();
        self.step = self.step.wrapping_add(1).max(1);
        self.n_before = self.overlay.len();
        self.n_bytes_before = self.n_bytes;
    }

    /// Whether an object was made in this step: no other thread can be about to access it.
    #[inline]
    #[must_use]
    pub fn is_fresh(&self, object: Ref) -> bool {
        object >= OVERLAY && (object - OVERLAY) as usize >= self.n_before
    }

    /// Takes the step back.
    pub fn rollback(&mut self) {
        self.overlay.truncate(self.n_before);
        self.n_bytes = self.n_bytes_before;
        while let Some((object, before)) = self.undo.pop() {
            match before {
                Some(before) if object >= OVERLAY => self.overlay[(object - OVERLAY) as usize] = before,
                Some(before) => {
                    let at = self.place_in_dirty(object).expect("it was changed");
                    self.dirty[at].1 = before;
                }
                None => {
                    // Copies of base objects are undone last made first, so this one is the last.
                    let (last, _) = self.dirty.pop().expect("it was pushed in this step");
                    debug_assert_eq!(last, object, "copies are undone in order");
                    self.forget_dirty(object);
                }
            }
        }
        self.step = self.step.wrapping_add(1).max(1);
    }

    /// The objects that the step changed, with what they were before.
    pub fn changes(&self) -> impl Iterator<Item = (Ref, &Object)> {
        self.undo
            .iter()
            .map(|(object, before)| (*object, before.as_ref().unwrap_or_else(|| self.base.get(*object))))
    }

    /// Forgets the state: the base image alone.
    pub fn clear(&mut self) {
        for at in 0..self.dirty.len() {
            self.forget_dirty(self.dirty[at].0);
        }
        self.dirty.clear();
        self.overlay.clear();
        self.undo.clear();
        self.n_before = 0;
        self.n_bytes = 0;
        self.n_bytes_before = 0;
    }

    /// The objects of the base image that the state changed.
    #[must_use]
    pub fn dirty(&self) -> &[(Ref, Object)] {
        &self.dirty
    }

    /// The objects that differ from those of the base image.
    pub fn changed_or_new(&self) -> impl Iterator<Item = Ref> {
        let new = (0..self.overlay.len()).map(|idx| OVERLAY + idx as u32);
        self.dirty.iter().map(|(reference, _)| *reference).chain(new)
    }

    /// How many they are.
    #[must_use]
    pub fn n_changed_or_new(&self) -> usize {
        self.dirty.len() + self.overlay.len()
    }

    /// The objects that belong to the state, garbage included.
    #[must_use]
    pub fn overlay(&self) -> &[Object] {
        &self.overlay
    }

    /// Puts a changed object of the base image in place, while a state is loaded.
    pub fn restore_dirty(&mut self, reference: Ref, mut object: Object) {
        object.shared = true;
        self.push_dirty(reference, object);
    }

    /// The objects that belong to the state, while it is loaded.
    pub fn overlay_mut(&mut self) -> &mut Vec<Object> {
        &mut self.overlay
    }

    /// Everything the state consists of: changed objects of the base image, and its own.
    #[must_use]
    pub fn into_parts(self) -> (Vec<(Ref, Object)>, Vec<Object>) {
        (self.dirty, self.overlay)
    }
}

/// Knows which slots of an object are references.
pub trait Layout {
    /// Calls `found` for each reference that `object` holds, `null` included.
    fn references(&self, reference: Ref, object: &Object, found: &mut dyn FnMut(Ref));
}
