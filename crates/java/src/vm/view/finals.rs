//! Final fields, and what becomes known to other threads.
//!
//! Reading a final field is not an operation that others can tell the time of, because constructors write
//! final fields before any other thread knows the object. Two things break that, and are noticed here: a
//! write to a final field by anything but the constructor of an object that is not shared yet, and a
//! constructor that makes its object known before it is done. Either observes [`FINALS`], and from then on
//! reading a final field is an operation like others.

use super::{FINALS, Place};
use crate::class::ClassId;
use crate::vm::heap::{OVERLAY, Ref};
use crate::vm::machine::Machine;
use crate::vm::thread::Frame;

impl Machine<'_> {
    /// Whether a place is a final field.
    pub fn is_final(&self, object: Ref, place: Place) -> bool {
        let vm = self.vm;
        match place.key & 3 {
            0 => vm
                .class(self.process.heap.get(object).class)
                .finals
                .instance
                .get(place.slot as usize)
                .copied(),
            1 => {
                let declaring = vm.class(ClassId((place.key >> 32) as u32));
                let slot = place.slot.checked_sub(vm.static_slot(0));
                slot.and_then(|slot| declaring.finals.statics.get(slot as usize).copied())
            }
            _ => None,
        }
        .unwrap_or(false)
    }

    /// A final field is about to be written. If that is not done by the constructor of an object of which
    /// no other thread knows, others may have read it before.
    pub fn write_final(&mut self, object: Ref) {
        let (thread, frame) = (self.thread(), self.thread().top());
        // Where `this` is not needed any more it is not kept.
        let this = thread.slots[frame.base as usize] as Ref;
        let is_constructed = self.is_constructor(frame) && (this == object || this == 0);
        if self.has_others() && !is_constructed && !self.process.heap.is_fresh(object) {
            self.observe(FINALS);
        }
    }

    /// From now on more than one thread may reach an object, and with it everything that can be reached from
    /// it.
    pub fn share(&mut self, object: Ref) {
        if object == 0 || self.process.heap.is_shared(object) {
            return;
        }
        self.process.heap.share(object, self.vm);
        let thread = self.thread();
        let gets_out = thread.frames.iter().filter(|frame| self.is_constructor(frame)).any(|frame| {
            // What is constructed is in one of the slots as long as it matters; what looks like it does no
            // harm.
            let slots = &thread.slots[frame.base as usize..frame.sp as usize];
            slots.iter().any(|&slot| self.is_unfinished(slot as Ref, frame.method.class))
        });
        if gets_out {
            self.observe(FINALS);
        }
    }

    /// Whether others can reach an object that may be under construction by a constructor of a class, and
    /// has final fields.
    fn is_unfinished(&self, object: Ref, class: ClassId) -> bool {
        let found = object.checked_sub(OVERLAY).and_then(|idx| self.process.heap.overlay().get(idx as usize));
        found.is_some_and(|found| {
            let own = self.vm.class(found.class);
            found.shared && own.is_below(class) && own.finals.instance.contains(&true)
        })
    }

    fn is_constructor(&self, frame: &Frame<'_>) -> bool {
        &**self.vm.classes.symbols.text(frame.method.name) == "<init>"
    }
}
