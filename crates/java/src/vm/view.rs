//! Where a step ends: what of a thread's operations is in view of the others.
//!
//! An operation on what several threads can reach is *in view* if it was seen in conflict with an operation of another thread (see
//! `conflict`), or if it is of a kind that always is: starting and ending threads, waiting and waking, output. A step consists of
//!
//! 1. any number of operations out of view,
//! 2. entering one monitor in view, and any number of operations out of view,
//! 3. one other operation in view, which closes the step,
//! 4. leaving monitors, and what no other thread can reach.
//!
//! It ends early before an operation that must wait. So at most one operation of a step is of a kind that others could be told apart by
//! when it happens; what comes before can be put off until it happens, and what comes after can happen at once: operations out of view are in no conflict
//! with what others do, entering a monitor only hinders others, and leaving one only lets them go on. Only one monitor in view is
//! entered, because who holds one while it waits for another must be seen to do so: that is what deadlocks are made of.
//!
//! A write that a property can see (see `property`) is in view too, and closes its step also while nobody else runs.
//!
//! Whether any other operation is in view is told by its *context*: the place in the code that it is at, and those of the calls that led there. Which lock,
//! field or element it is about does not matter; so `tryRelease`, which reads a lock's state while nobody else can change it, is
//! not in view because `tryAcquire` is.

use super::heap::{OVERLAY, Ref};
use super::machine::{Exec, Machine, Trap};
use super::thread::Frame;
use crate::class::{ClassId, Method};
use rapidhash::v3::rapidhash_v3;

/// How many calls a context goes back.
const DEPTH: usize = 4;

/// The context of a thread that looks at what others are about to do: with it in the set of contexts everything is in view.
pub const OBSERVER: u64 = 1;

/// The context of a thread that looks whether another one is alive, joins it while interrupted, or uses its monitor: with it in the set of contexts the ends of threads are in view.
pub const LIFE_OBSERVER: u64 = 2;

/// The context of a thread that writes a final field otherwise than a constructor does, or makes known an object whose constructor still runs: with it in
/// the set of contexts reading final fields is an operation like others. Without it nobody can tell when they are read.
pub const FINALS: u64 = 3;

/// The context of an atomic section that may have to wait for another thread: with it in the set of contexts everything is in view. Whoever holds what the section waits for must be
/// seen to do so, also where it has nothing else to do meanwhile: then the section is half done, and not otherwise.
pub const WAITING_SECTION: u64 = 4;

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
    /// Which threads there are, as a part of the class `Object`: what number the next one gets, and whether only one is left that counts.
    const THREADS: u32 = u32::MAX - 7;
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
    fn part(self) -> Option<u32> {
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
    /// The place in the code: see [`Machine::context`].
    pub context: u64,
}

impl Access {
    /// Whether two operations of different threads do not commute.
    #[must_use]
    pub fn collides(&self, other: &Self) -> bool {
        self.object == other.object
            && (self.is_write || other.is_write)
            && !(self.is_addition && other.is_addition)
            && self.place.meets(other.place)
    }
}

impl Method {
    /// A number for the method that is the same whenever the program is run.
    fn number(&self, classes: &crate::class::registry::Classes) -> u64 {
        *self.site.get_or_init(|| {
            let text = |symbol| classes.symbols.text(symbol);
            let name = format!("{}.{}{}", classes.name(self.class), text(self.name), text(self.descriptor));
            rapidhash_v3(name.as_bytes())
        })
    }
}

impl Machine<'_> {
    /// Whether there are other threads, and none of them is kept from running by an atomic section.
    #[inline]
    #[must_use]
    pub fn is_concurrent(&self) -> bool {
        self.has_others() && self.thread().atomic == 0
    }

    /// Whether there are other threads.
    #[inline]
    fn has_others(&self) -> bool {
        !self.booting && (self.process.threads.len() > 1 || self.options.every_access)
    }

    /// Whether another thread may reach an object.
    #[inline]
    fn is_reachable(&self, object: Ref) -> bool {
        self.has_others() && (self.options.every_access || self.process.heap.is_shared(object))
    }

    /// Where the running thread is: a number for the places in the code of the innermost calls.
    #[must_use]
    pub fn context(&self) -> u64 {
        if let Some(section) = &self.step.section {
            return section.context;
        }
        let frames = &self.thread().frames;
        let innermost = frames.iter().rev().take(DEPTH);
        innermost.fold(0, |hash: u64, frame| {
            let site = frame.method.number(&self.vm.classes).wrapping_add(u64::from(frame.pc));
            (hash.rotate_left(23) ^ site).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }

    /// Whether an operation in a context is in view.
    #[inline]
    pub(super) fn is_in_view(&self, context: u64) -> bool {
        self.sees_all() || self.knowledge.racy.contains(&context)
    }

    /// Whether everything is in view, one operation a step.
    pub fn sees_all(&self) -> bool {
        !self.options.until_conflict
            || self.knowledge.racy.contains(&OBSERVER)
            || self.knowledge.racy.contains(&WAITING_SECTION)
    }

    /// The running thread looks at what others are about to do.
    pub fn observe_threads(&mut self) {
        // Where everything is in view it still makes a difference: see `native::thread`.
        self.observe(OBSERVER);
    }

    /// The running thread looks whether another one is alive.
    pub fn observe_life(&mut self) {
        if !self.sees_all() {
            self.observe(LIFE_OBSERVER);
        }
    }

    /// The running thread is in an atomic section, and may have to wait.
    pub(super) fn observe_waiting(&mut self) {
        if !self.sees_all() {
            self.observe(WAITING_SECTION);
        }
    }

    /// Whether somebody looks at what others are about to do, as far as is known.
    #[must_use]
    pub fn are_threads_observed(&self) -> bool {
        self.knowledge.racy.contains(&OBSERVER)
    }

    /// From now on a context is in view, whether or not anything in it is in conflict.
    pub(super) fn observe(&mut self, context: u64) {
        if !self.booting && !self.knowledge.racy.contains(&context) {
            let object = self.process.threads.get(self.step.current).map_or(0, |thread| thread.object);
            let place = Place::OBSERVATION;
            let (is_write, is_addition, in_view) = (false, false, true);
            self.step.accesses.push(Access { object, place, is_write, is_addition, in_view, context });
        }
    }

    /// Whether a field tells whether a thread is alive.
    #[inline]
    fn is_life(&self, object: Ref, place: Place) -> bool {
        let known = self.vm.known();
        if (place.key >> 32) as u32 == known.thread.0 {
            // Its end does that, which is not near before its start.
            let is_cleared = || {
                known.thread_cleared.contains(&place.slot)
                    && object != self.thread().object
                    && self.is_started(object)
            };
            return place.slot == known.thread_eetop || place.slot == known.thread_status || is_cleared();
        }
        known.thread_holder.is_some()
            && place.slot == known.thread_status
            && self.vm.classes.name(self.process.heap.get(object).class) == "java/lang/Thread$FieldHolder"
    }

    fn record(&mut self, object: Ref, place: Place, is_write: bool, in_view: bool, context: u64) {
        if self.process.heap.is_fresh(object) {
            return;
        }
        // A section is one operation, and none of those that make races.
        let place = place.ordinary(place.is_ordinary && self.step.section.is_none());
        if self.knowledge.watched == Some(context) && self.step.sighting.is_none() {
            self.step.sighting = Some(self.sight(context));
        }
        let access = Access { object, place, is_write, is_addition: self.step.is_addition, in_view, context };
        let is_same = |known: &Access| {
            known.object == object
                && known.context == context
                && known.place.slot == place.slot
                && known.is_write == is_write
                && known.is_addition == access.is_addition
                && known.in_view == in_view
        };
        // A loop does the same again and again.
        if !self.step.accesses.iter().rev().take(8).any(is_same) {
            self.step.accesses.push(access);
        }
    }

    /// To be called before an access to a field or an element of `object`.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends here.
    #[inline]
    pub fn touch(&mut self, object: Ref, place: Place, is_write: bool) -> Exec<()> {
        // Also if nobody else is left: then it was alive before.
        if !is_write && self.is_life(object, place) {
            self.observe_life();
        }
        if is_write && !self.knowledge.observed.is_empty() && self.is_observed(object, place.part()) {
            return self.touch_observed(object, place);
        }
        if self.is_reachable(object) { self.touch_shared(object, place, is_write) } else { Ok(()) }
    }

    /// As [`Machine::touch`], for a write that a property can see (see `property`). It closes the step also where nobody else runs.
    fn touch_observed(&mut self, object: Ref, place: Place) -> Exec<()> {
        let is_reachable = self.is_reachable(object);
        let is_atomic = self.thread().atomic > 0;
        if self.step.closed && !is_atomic {
            return Err(Trap::Stop);
        }
        // Nothing that a property looks at leads to a new object before a write has closed the step.
        if is_atomic || self.process.heap.is_fresh(object) {
            return if is_reachable { self.touch_shared(object, place, true) } else { Ok(()) };
        }
        self.step.closed = true;
        if is_reachable {
            let context = self.context();
            self.record(object, place, true, true, context);
        }
        Ok(())
    }

    fn touch_shared(&mut self, object: Ref, place: Place, is_write: bool) -> Exec<()> {
        let is_static = place.key & 1 != 0;
        if !is_write
            && (is_static || !self.sees_all())
            && self.is_final(object, place)
            && !self.knowledge.racy.contains(&FINALS)
        {
            return Ok(());
        }
        let context = self.context();
        if self.thread().atomic > 0 {
            // Nobody runs between; but others may access the same thing, and must be in view then.
            self.record(object, place, is_write, true, context);
            return Ok(());
        }
        if self.step.closed {
            return Err(Trap::Stop);
        }
        if self.sees_all() || !self.process.heap.is_fresh(object) {
            self.step.closed = self.is_in_view(context);
            self.record(object, place, is_write, self.step.closed, context);
        }
        Ok(())
    }

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

    /// As [`Machine::touch`], for an access that may write final fields.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends here.
    pub fn touch_any(&mut self, object: Ref, place: Place, is_write: bool) -> Exec<()> {
        self.touch(object, place, is_write)?;
        if is_write && self.is_final(object, place) {
            self.write_final(object);
        }
        Ok(())
    }

    /// A final field is about to be written. If that is not done by the constructor of an object of which nobody else knows, others may have read it before.
    pub fn write_final(&mut self, object: Ref) {
        let (thread, frame) = (self.thread(), self.thread().top());
        // Where `this` is not needed any more it is not kept.
        let this = thread.slots[frame.base as usize] as Ref;
        let is_constructed = self.is_constructor(frame) && (this == object || this == 0);
        if self.has_others() && !is_constructed && !self.process.heap.is_fresh(object) {
            self.observe(FINALS);
        }
    }

    /// From now on more than one thread may reach an object, and with it everything that can be reached from it.
    pub fn share(&mut self, object: Ref) {
        if object == 0 || self.process.heap.is_shared(object) {
            return;
        }
        self.process.heap.share(object, self.vm);
        let thread = self.thread();
        let gets_out = thread.frames.iter().filter(|frame| self.is_constructor(frame)).any(|frame| {
            // What is constructed is in one of the slots as long as it matters; what looks like it does no harm.
            let slots = &thread.slots[frame.base as usize..frame.sp as usize];
            slots.iter().any(|&slot| self.is_unfinished(slot as Ref, frame.method.class))
        });
        if gets_out {
            self.observe(FINALS);
        }
    }

    /// Whether others can reach an object that may be under construction by a constructor of a class, and has final fields.
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

    /// To be called by an operation that is in view anyway, for what it accesses.
    pub fn note(&mut self, object: Ref, place: Place, is_write: bool) {
        if self.is_reachable(object) {
            let context = self.context();
            self.record(object, place, is_write, true, context);
        }
    }

    /// The field in a slot of an object, or of the class whose mirror it is.
    #[must_use]
    pub fn place_of(&self, object: Ref, slot: u32) -> Place {
        let vm = self.vm;
        let class = self.process.heap.get(object).class;
        if class == vm.known().class && slot >= vm.known().n_class_slots {
            return Place::field(self.class_of_mirror(object), slot, true);
        }
        // The fields of superclasses come first.
        let mut owner = vm.class(class);
        while let Some(parent) = owner.super_class.map(|id| vm.class(id))
            && (slot as usize) < parent.instance.len()
        {
            owner = parent;
        }
        Place::field(owner.id, slot, false)
    }

    /// To be called before an access to a slot of an object.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends here.
    pub fn touch_slot(&mut self, object: Ref, slot: u32, is_write: bool) -> Exec<()> {
        self.touch_any(object, self.place_of(object, slot), is_write)
    }

    /// To be called before an access to many elements of an array, or to all fields of an object.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends here.
    #[inline]
    pub fn touch_all(&mut self, object: Ref, is_write: bool) -> Exec<()> {
        let class = self.process.heap.get(object).class;
        self.touch(object, Place::array(class, Place::ALL).ordinary(true), is_write)
    }

    /// To be called before an operation that reads one array and reads or writes another.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends here.
    pub fn touch_arrays(&mut self, from: Ref, to: Ref, is_write: bool) -> Exec<()> {
        let was_closed = self.step.closed;
        self.touch_all(from, false)?;
        // Both are one operation.
        let is_closed = std::mem::replace(&mut self.step.closed, was_closed);
        self.touch_all(to, is_write)?;
        self.step.closed |= is_closed;
        Ok(())
    }

    /// To be called before the monitor of an object is entered.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends here.
    #[inline]
    pub fn entering(&mut self, object: Ref) -> Exec<()> {
        if self.is_thread(object) {
            self.observe_life();
        }
        if self.is_reachable(object) { self.entering_shared(object) } else { Ok(()) }
    }

    fn entering_shared(&mut self, object: Ref) -> Exec<()> {
        let context = self.context();
        let place = Place::monitor(self.process.heap.get(object).class);
        if self.thread().atomic > 0 {
            self.observe_waiting();
            self.record(object, place, true, true, context);
            return Ok(());
        }
        let in_view = self.is_in_view(context);
        if self.step.closed || in_view && self.step.has_entered {
            return Err(Trap::Stop);
        }
        self.record(object, place, true, in_view, context);
        self.record_life(object, in_view, context);
        if in_view {
            self.step.has_entered = true;
            self.step.closed = self.sees_all();
        }
        Ok(())
    }

    /// To be called before the monitor of an object is left.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends here.
    #[inline]
    pub fn leaving(&mut self, object: Ref) -> Exec<()> {
        if self.is_reachable(object) {
            if self.step.closed && self.thread().atomic == 0 && self.sees_all() {
                return Err(Trap::Stop);
            }
            let context = self.context();
            let in_view = self.thread().atomic > 0 || self.is_in_view(context);
            self.record(object, Place::monitor(self.process.heap.get(object).class), true, in_view, context);
            self.record_life(object, in_view, context);
            self.step.closed |= in_view;
        }
        Ok(())
    }

    /// Whoever uses the monitor of a thread may be told of its end.
    fn record_life(&mut self, object: Ref, in_view: bool, context: u64) {
        let class = self.process.heap.get(object).class;
        if self.is_thread(object) {
            self.record(
                object,
                Place { slot: Place::LIFE, ..Place::monitor(class) },
                false,
                in_view,
                context,
            );
        }
    }

    fn is_thread(&self, object: Ref) -> bool {
        !self.booting && self.vm.class(self.process.heap.get(object).class).is_below(self.vm.known().thread)
    }

    /// As [`Machine::note`], for the use of a monitor.
    pub fn note_life(&mut self, object: Ref) {
        if self.is_reachable(object) {
            let context = self.context();
            self.record_life(object, true, context);
        }
    }

    /// To be called before the running thread ends. Like leaving a monitor, that lets others go on, and hinders nobody; unless anybody looks whether
    /// a thread is alive, or waits in its monitor for it to end: then all ends are in view.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends here.
    pub fn ending(&mut self) -> Exec<()> {
        if !self.is_concurrent() {
            return Ok(());
        }
        let object = self.thread().object;
        let context = self.context();
        let in_view =
            self.is_last() || self.knowledge.racy.contains(&LIFE_OBSERVER) || self.is_in_view(context);
        if in_view {
            if self.step.closed || self.step.has_entered {
                return Err(Trap::Stop);
            }
            self.step.closed = true;
            self.note_end_of_process();
        }
        let life = Place { slot: Place::LIFE, ..Place::monitor(self.process.heap.get(object).class) };
        self.record(object, life, true, in_view, context);
        for (object, place) in self.places_of_life(object) {
            self.record(object, place, true, in_view, context);
        }
        if in_view {
            // Whoever reads them of another thread looks whether it is alive.
            for &slot in &self.vm.known().thread_cleared {
                self.record(object, self.place_of(object, slot), true, true, context);
            }
        }
        Ok(())
    }

    /// To be called before something is printed.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends here.
    pub fn touch_output(&mut self) -> Exec<()> {
        let (console, place) = self.common(Place::OUTPUT);
        self.touch(console, place, true)
    }

    /// As [`Machine::touch_output`], for a stream whose monitor is entered and left to print.
    ///
    /// # Errors
    /// [`Trap::Blocked`] while another thread holds the monitor, [`Trap::Stop`] if the step ends here.
    pub fn touch_output_of(&mut self, stream: Ref) -> Exec<()> {
        let owner = self.process.heap.get(stream).owner;
        if owner != 0 && owner != self.thread().id + 1 {
            self.sync_with(stream)?;
            return Err(Trap::Blocked);
        }
        self.touch_output()?;
        if self.is_reachable(stream) {
            let context = self.context();
            let in_view = self.thread().atomic > 0 || self.is_in_view(context);
            self.record(stream, Place::monitor(self.process.heap.get(stream).class), true, in_view, context);
        }
        Ok(())
    }

    /// What others print from now on is lost.
    pub fn note_end_of_process(&mut self) {
        let (console, place) = self.common(Place::OUTPUT);
        self.note(console, place, true);
    }

    /// To be called before an object gets an identity hash.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends here.
    pub fn touch_hashes(&mut self) -> Exec<()> {
        let (numbers, place) = self.common(Place::HASHES);
        self.touch(numbers, place, true)
    }

    /// To be called before a static field of the class library is read and written.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends here.
    pub fn touch_static(&mut self, field: Option<super::known::StaticField>) -> Exec<()> {
        match field {
            Some(field) => {
                self.touch_slot(self.vm.mirror(field.class), self.vm.static_slot(field.slot), true)
            }
            None => self.sync(),
        }
    }

    /// Something that belongs to no object: a part of the class `Object`.
    fn common(&self, slot: u32) -> (Ref, Place) {
        let class = self.vm.known().object;
        (self.vm.mirror(class), Place::array(class, slot))
    }

    /// To be called before an operation that is always in view.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends here.
    #[inline]
    pub fn sync(&mut self) -> Exec<()> {
        self.step.unlisted = true;
        self.sync_listed()
    }

    /// As [`Machine::sync`], for an operation all of which is noted: what of it others can notice, and what of others it can.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends here.
    #[inline]
    pub fn sync_listed(&mut self) -> Exec<()> {
        if self.is_concurrent() {
            if self.step.closed {
                return Err(Trap::Stop);
            }
            self.step.closed = true;
        }
        Ok(())
    }

    /// Notes a part of an object that is no field, for an operation that is in view anyway.
    pub(super) fn note_part(&mut self, object: Ref, slot: u32) {
        let place = Place { slot, ..Place::monitor(self.process.heap.get(object).class) };
        self.note(object, place, true);
    }

    /// An operation in view depends on which threads there are, or changes that.
    pub(super) fn note_threads(&mut self) {
        let (threads, place) = self.common(Place::THREADS);
        self.note(threads, place, true);
    }

    /// Whether the step has an access to something that belongs to no object.
    pub(crate) fn lists(&self, slot: u32) -> bool {
        self.step.accesses.iter().any(|access| access.place.slot == slot)
    }

    /// As [`Machine::sync`], for an operation that has to wait while another thread holds the monitor of `object`.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends here.
    pub fn sync_with(&mut self, object: Ref) -> Exec<()> {
        // Also if the step ends before it: without the need to wait the operation may be one that does not end it.
        self.step.unlisted = true;
        if self.is_concurrent() && self.step.has_entered {
            return Err(Trap::Stop);
        }
        self.sync()?;
        self.note(object, Place::monitor(self.process.heap.get(object).class), true);
        Ok(())
    }
}
