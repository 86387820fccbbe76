//! What a native method can do that no other thread can notice: make objects, and use what is the running
//! thread's.

use super::PureView;
use crate::class::{ClassId, MethodId};
use crate::vm::heap::{Data, Object, Ref};
use crate::vm::machine::{Exec, Machine, Trap};
use std::ops::{Deref, DerefMut};

/// A view of what is the running thread's own.
pub struct OwnView<'a, 'vm> {
    pub(super) pure: PureView<'a, 'vm>,
}

impl<'a, 'vm> Deref for OwnView<'a, 'vm> {
    type Target = PureView<'a, 'vm>;

    #[inline]
    fn deref(&self) -> &PureView<'a, 'vm> {
        &self.pure
    }
}

impl DerefMut for OwnView<'_, '_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.pure
    }
}

/// An object that the native method has just made: no other thread can know it before the method gives it
/// away.
#[derive(Clone, Copy, Debug)]
pub struct Fresh(Ref);

impl Fresh {
    /// The object, to be given away.
    #[must_use]
    pub fn give(self) -> Ref {
        self.0
    }
}

impl<'a, 'vm> OwnView<'a, 'vm> {
    pub(super) fn new(m: &'a mut Machine<'vm>) -> Self {
        Self { pure: PureView::new(m) }
    }

    /// A new object of a class, its fields zero.
    pub fn new_object(&mut self, class: ClassId) -> Fresh {
        Fresh(self.m.new_object(class))
    }

    /// A copy of an object of a class that the machine made, whose fields are never written again (see
    /// [`PureView::made_fields`]).
    pub fn copy_made(&mut self, object: Ref) -> Option<Fresh> {
        let class = self.class_of(object);
        let is_made = self.vm.class(class).fields.iter().all(|field| field.index == crate::class::MADE);
        let data = is_made.then(|| self.m.process.heap.get(object).data.clone());
        data.map(|data| self.push(Object::new(class, data)))
    }

    /// A new object with these contents.
    pub fn push(&mut self, object: Object) -> Fresh {
        Fresh(self.m.process.heap.push(object))
    }

    /// Writes a field of a new object that is not a reference.
    pub fn set(&mut self, object: Fresh, slot: u32, value: u64) {
        self.m.process.heap.set_slot(object.0, slot, value);
    }

    /// Writes a reference into a field of a new object.
    pub fn set_ref(&mut self, object: Fresh, slot: u32, value: Ref) {
        self.m.set_ref(object.0, slot, value);
    }

    /// The contents of a new object, to be written. References to be stored go through [`OwnView::set_ref`].
    pub fn bytes_mut(&mut self, array: Fresh) -> &mut [u8] {
        match &mut self.m.process.heap.get_mut(array.0).data {
            Data::Bytes(bytes) => bytes,
            _ => &mut [],
        }
    }

    /// A new array of an array class.
    ///
    /// # Errors
    /// As [`Machine::new_array`].
    pub fn new_array(&mut self, class: ClassId, len: i32) -> Exec<Fresh> {
        self.m.new_array(class, len).map(Fresh)
    }

    /// An array of arrays.
    ///
    /// # Errors
    /// If one of them cannot be made.
    pub fn make_arrays(&mut self, class: ClassId, lens: &[i32]) -> Exec<Fresh> {
        self.m.make_arrays(class, lens).map(Fresh)
    }

    /// A new array of bytes.
    pub fn new_bytes(&mut self, bytes: &[u8]) -> Fresh {
        Fresh(self.m.new_bytes(bytes))
    }

    /// A new array of references.
    ///
    /// # Errors
    /// If there is no class of such arrays.
    pub fn new_refs(&mut self, element: ClassId, refs: &[Ref]) -> Exec<Fresh> {
        self.m.new_refs(element, refs).map(Fresh)
    }

    /// A new string.
    pub fn new_string(&mut self, text: &str) -> Ref {
        self.m.new_string(text)
    }

    /// A new string of these units.
    pub fn new_string_units(&mut self, units: &[u16]) -> Ref {
        self.m.new_string_units(units)
    }

    /// To be called before an operation that needs an initialised class. Initialisation says itself what it
    /// accesses.
    ///
    /// # Errors
    /// As [`Machine::ensure_initialized`].
    pub fn ensure_initialized(&mut self, class: ClassId) -> Exec<()> {
        self.m.ensure_initialized(class)
    }

    /// To be called before a choice of the program: a step with many of them ends.
    ///
    /// # Errors
    /// [`Trap::Stop`] then.
    pub fn begin_choice(&mut self) -> Exec<()> {
        if self.m.step.script.is_large() { Err(Trap::Stop) } else { Ok(()) }
    }

    /// A choice among `n` ways, all of which a search takes.
    pub fn choose(&mut self, n: u32) -> u32 {
        self.m.choose(n)
    }

    /// Keeps the hash of a string in its field `hash`, where states keep such caches (`Form::caches`). No
    /// method reads the field: `String.hashCode` is computed anew each time.
    pub fn keep_hash(&mut self, string: Ref, hash: i32) {
        if !self.m.options.form.caches
            && !self.m.booting
            && let Some(slot) = self.vm.classes.slot("java/lang/String", "hash")
        {
            self.m.process.heap.set_slot(string, slot, u64::from(hash as u32));
        }
    }

    /// Whether a frame is one that programs are shown.
    #[must_use]
    pub fn is_walked(&self, method: MethodId) -> bool {
        self.m.is_walked(self.vm.classes.method(method))
    }
}
