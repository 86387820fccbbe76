//! What a native method can do to what other threads can reach. Each of these says itself what it accesses,
//! so a native method cannot forget to.

use super::{OwnView, PureView, Range};
use crate::class::MethodId;
use crate::class::descriptor::Kind;
use crate::inputs::Input;
use crate::native::apart::Order;
use crate::vm::heap::{Data, Ref};
use crate::vm::known::StaticField;
use crate::vm::machine::{Exec, Machine, Trap};
use crate::vm::section::{Expiry, Sort};
use crate::vm::view::{Mode, Resource};
use std::ops::{Deref, DerefMut};

/// A view of everything, in which each use of what other threads can reach is an access.
pub struct SharedView<'a, 'vm> {
    pub(super) own: OwnView<'a, 'vm>,
}

impl<'a, 'vm> Deref for SharedView<'a, 'vm> {
    type Target = OwnView<'a, 'vm>;

    #[inline]
    fn deref(&self) -> &OwnView<'a, 'vm> {
        &self.own
    }
}

impl DerefMut for SharedView<'_, '_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.own
    }
}

/// A value for a field.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// Not a reference.
    Word(u64),
    /// A reference.
    Ref(Ref),
}

/// A value for the field in a slot of an object.
pub type FieldValue = (Ref, u32, Value);

/// Where a stack trace comes from.
#[derive(Clone, Copy, Debug)]
pub enum Trace {
    /// From an exception.
    Of(Ref),
    /// From an array of places that the machine has made of one.
    Noted(Ref),
}

impl<'a, 'vm> SharedView<'a, 'vm> {
    pub(super) fn new(m: &'a mut Machine<'vm>) -> Self {
        Self { own: OwnView::new(m) }
    }

    /// Reads a field.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn read(&mut self, object: Ref, slot: u32) -> Exec<u64> {
        self.m.access(Resource::Slot(object, slot), Mode::Read)?;
        Ok(self.m.process.heap.slot(object, slot))
    }

    /// Writes a field that is not a reference.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn write(&mut self, object: Ref, slot: u32, value: u64) -> Exec<()> {
        self.m.access(Resource::Slot(object, slot), Mode::WriteAny)?;
        self.m.process.heap.set_slot(object, slot, value);
        Ok(())
    }

    /// Lets a function change fields of an object that are not references: it gets their values.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that; what the function fails with.
    pub fn with_fields<const N: usize, T>(
        &mut self,
        object: Ref,
        slots: [u32; N],
        change: impl FnOnce(&mut Self, &mut [u64; N]) -> Exec<T>,
    ) -> Exec<T> {
        self.m.access(Resource::Whole(object), Mode::Write)?;
        let mut values = slots.map(|slot| self.m.process.heap.slot(object, slot));
        let result = change(self, &mut values)?;
        for (slot, value) in slots.into_iter().zip(values) {
            self.m.process.heap.set_slot(object, slot, value);
        }
        Ok(result)
    }

    /// Whether other threads must see these elements read and written one by one: two ranges of which the
    /// second is written.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn goes_apart(&mut self, source: Range, target: Range) -> Exec<bool> {
        let parts = [(source.array, source.len, Mode::Read), (target.array, target.len, Mode::Write)];
        let is_seen = self.m.is_seen_in_parts(parts.into_iter());
        if is_seen {
            self.m.begin_parts()?;
        }
        Ok(is_seen)
    }

    /// Reads a range of bytes, and writes what a function makes of it into another range and a number into a
    /// field: all in one operation, which [`SharedView::goes_apart`] has allowed.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that; what the function fails with.
    pub fn transform<T>(
        &mut self,
        source: Range,
        target: Range,
        (object, slot): (Ref, u32),
        make: impl FnOnce(&[u8]) -> Exec<(u64, Vec<u8>, T)>,
    ) -> Exec<T> {
        self.m.access_group(&[
            (Resource::Whole(source.array), Mode::Read),
            (Resource::Whole(target.array), Mode::Write),
            (Resource::Slot(object, slot), Mode::Write),
        ])?;
        let (number, bytes, result) = match &self.m.process.heap.get(source.array).data {
            Data::Bytes(bytes) => make(&bytes[source.from..source.from + source.len])?,
            _ => return Err(Trap::Unsupported("bytes of an array of another kind".into())),
        };
        self.m.process.heap.set_slot(object, slot, number);
        if let Data::Bytes(written) = &mut self.m.process.heap.get_mut(target.array).data {
            let len = bytes.len().min(target.len);
            written[target.from..target.from + len].copy_from_slice(&bytes[..len]);
        }
        Ok(result)
    }

    /// Reads fields of an object, in one operation.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn read_fields<const N: usize>(&mut self, object: Ref, slots: [u32; N]) -> Exec<[u64; N]> {
        self.m.access_group(&slots.map(|slot| (Resource::Slot(object, slot), Mode::Read)))?;
        Ok(slots.map(|slot| self.m.process.heap.slot(object, slot)))
    }

    /// Writes fields of several objects, in one operation.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn write_all(&mut self, fields: &[FieldValue]) -> Exec<()> {
        self.write_with(&mut Vec::new(), fields)
    }

    /// All elements of an array are about to be read: in one operation, unless another thread can notice.
    fn read_all(&mut self, array: Ref, order: Order) -> Exec<()> {
        let len = self.array_len(array);
        if self.m.is_seen_in_parts([(array, len, Mode::Read)].into_iter()) {
            self.m.begin_parts()?;
            return Err(Trap::Apart(array, order));
        }
        self.m.access(Resource::Whole(array), Mode::Read)
    }

    /// The elements of an array as slots, read in an order that is not known.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that; [`Trap::Apart`] if the method must begin again with a
    /// copy.
    pub fn elements(&mut self, array: Ref) -> Exec<Vec<u64>> {
        self.elements_in(array, Order::Any)
    }

    fn elements_in(&mut self, array: Ref, order: Order) -> Exec<Vec<u64>> {
        self.read_all(array, order)?;
        let kind = self.element_kind(array).unwrap_or(Kind::Ref);
        Ok((0..self.array_len(array)).map(|at| self.m.element(array, kind, at)).collect())
    }

    /// The references in an array.
    ///
    /// # Errors
    /// As [`SharedView::elements`].
    pub fn references(&mut self, array: Ref, order: Order) -> Exec<Vec<Ref>> {
        Ok(self.elements_in(array, order)?.into_iter().map(|element| element as Ref).collect())
    }

    /// The bytes of an array of bytes.
    ///
    /// # Errors
    /// As [`SharedView::elements`].
    pub fn bytes(&mut self, array: Ref) -> Exec<&[u8]> {
        self.read_all(array, Order::Any)?;
        match &self.m.process.heap.get(array).data {
            Data::Bytes(bytes) => Ok(bytes),
            _ => Ok(&[]),
        }
    }

    /// Writes references into an array that an operation in view has said it writes.
    pub(super) fn write_refs(&mut self, array: Ref, from: usize, written: &[Ref]) {
        if let Data::Refs(refs) = &mut self.m.process.heap.get_mut(array).data {
            refs[from..from + written.len()].copy_from_slice(written);
        }
    }

    /// Reads a static number that the machine knows, and counts it up; gives what it was.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn count(&mut self, field: Option<StaticField>) -> Exec<u64> {
        self.m.access(Resource::Static(field), Mode::Write)?;
        let n = self.m.known_static(field);
        self.m.set_known_static(field, n + 1);
        Ok(n)
    }

    /// As [`SharedView::count`], for a static field by name.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn count_named(&mut self, class: &str, field: &str) -> Exec<u64> {
        self.m.access(Resource::Unlisted, Mode::Write)?;
        let n = self.m.static_value(class, field).unwrap_or(0);
        self.m.set_static(class, field, n + 1);
        Ok(n)
    }

    /// Writes a static field of the class library that holds a reference and may be final.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn set_static_ref(&mut self, class: &str, field: &str, value: Ref) -> Exec<()> {
        self.m.access(Resource::Unlisted, Mode::Write)?;
        if let Some((id, slot)) = self.vm.classes.static_field(class, field) {
            let (mirror, slot) = (self.vm.mirror(id), self.vm.static_slot(slot));
            self.m.also(Resource::Slot(mirror, slot), Mode::WriteAny);
        }
        self.m.set_static(class, field, u64::from(value));
        Ok(())
    }

    /// The identity hash of an object, which gets one when it is first asked for, and keeps it.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn identity_hash(&mut self, object: Ref) -> Exec<i32> {
        let hash = self.m.process.heap.get(object).hash;
        if hash != 0 {
            return Ok(hash as i32);
        }
        self.m.access(Resource::Hashes, Mode::Write)?;
        self.m.process.next_hash += 1;
        // Spread out like real ones, and never zero: the factor is odd.
        let hash = (self.m.process.next_hash.wrapping_mul(0x9e37_79b1) >> 4) | 1;
        self.m.process.heap.get_mut(object).hash = hash;
        Ok(hash as i32)
    }

    /// Reads the clock, in nanoseconds.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn read_clock(&mut self) -> Exec<u64> {
        self.m.access(Resource::Unlisted, Mode::Read)?;
        self.m.read_clock()
    }

    /// Whether a class is initialised. That it is can be known at any time, since it stays so.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn is_initialized(&mut self, class: crate::class::ClassId) -> Exec<bool> {
        let class = self.vm.class(class);
        if self.m.class_status(class) == crate::vm::INITIALIZED {
            return Ok(true);
        }
        self.m.access(Resource::Unlisted, Mode::Read)?;
        Ok(false)
    }

    /// Ends the process.
    ///
    /// # Errors
    /// Always: [`Trap::Exit`] if the step does not end before that.
    pub fn exit<T>(&mut self, status: i32) -> Exec<T> {
        self.m.begin_end()?;
        self.m.access(Resource::Unlisted, Mode::Write)?;
        // What others print from now on is lost.
        self.m.also(Resource::Output, Mode::Write);
        Err(Trap::Exit(status))
    }

    /// This run is not one of the program.
    ///
    /// # Errors
    /// Always: [`Trap::Rejected`] if the step does not end before that.
    pub fn reject<T>(&mut self) -> Exec<T> {
        // What came before has happened: others may see it, and end the program or fail.
        self.m.access(Resource::Unlisted, Mode::Write)?;
        Err(Trap::Rejected)
    }

    /// Whether a print stream is one of the two consoles, and then whether it is standard error: a
    /// `PrintStream` on a `BufferedOutputStream` on a `FileOutputStream` to one of them, as `System` makes
    /// them. The fields that lead there are only changed when a console is closed, which
    /// [`SharedView::closes_console`] notices.
    #[must_use]
    pub fn console(&self, stream: Ref) -> Option<bool> {
        let (known, heap) = (self.vm.known(), &self.m.process.heap);
        let is = |object: Ref, class| object != 0 && self.class_of(object) == class;
        if !is(stream, known.print_stream) {
            return None;
        }
        let buffered = heap.slot(stream, known.filter_out) as Ref;
        if !is(buffered, known.buffered_output) {
            return None;
        }
        let file = heap.slot(buffered, known.filter_out) as Ref;
        if !is(file, known.file_output) && !is(file, known.system_output) {
            return None;
        }
        self.standard(heap.slot(file, known.file_output_fd) as Ref)
    }

    /// Whether a file descriptor is one of the two consoles, and then whether it is standard error; see
    /// [`SharedView::console`].
    #[must_use]
    pub fn standard(&self, descriptor: Ref) -> Option<bool> {
        match self.m.process.heap.slot(descriptor, self.vm.known().descriptor_fd) {
            1 => Some(false),
            2 => Some(true),
            _ => None,
        }
    }

    /// A console is about to be closed. Printing reads the fields that lead to a console without saying so,
    /// so from now on every operation is in view, in all runs.
    pub fn closes_console(&mut self) {
        self.m.observe_everything();
    }

    /// Prints text, which is made from arrays that are read in the same operation: through a stream whose
    /// monitor is entered and left for that, or directly.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that, [`Trap::Blocked`] while another thread holds the monitor;
    /// [`Trap::Apart`] if other threads must see the elements of the array read one by one.
    pub fn print(
        &mut self,
        stream: Option<Ref>,
        is_error: bool,
        read: Option<Ref>,
        text: impl FnOnce(&Self) -> Exec<String>,
    ) -> Exec<()> {
        let output = match stream {
            Some(stream) if self.vm.known().print_stream_lock.is_none() => Resource::Stream(stream),
            _ => Resource::Output,
        };
        match read {
            Some(array) => {
                let len = self.array_len(array);
                if self.m.is_seen_in_parts([(array, len, Mode::Read)].into_iter()) {
                    self.m.begin_parts()?;
                    return Err(Trap::Apart(array, Order::Any));
                }
                self.m.access_group(&[(output, Mode::Write), (Resource::Whole(array), Mode::Read)])?;
            }
            None => self.m.access(output, Mode::Write)?,
        }
        let text = text(self)?;
        self.m.print(is_error, &text);
        Ok(())
    }

    /// The bytes of an array that [`SharedView::print`] reads.
    #[must_use]
    pub fn printed_bytes(&self, array: Ref) -> &[u8] {
        match &self.m.process.heap.get(array).data {
            Data::Bytes(bytes) => bytes,
            _ => &[],
        }
    }

    /// Where an exception was made is written into it, with the frames of the running thread.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn fill_in_stack_trace(&mut self, throwable: Ref) -> Exec<()> {
        let known = self.vm.known();
        let slots = [known.throwable_backtrace, known.throwable_depth];
        self.m.access_group(&slots.map(|slot| (Resource::Slot(throwable, slot), Mode::Write)))?;
        self.m.fill_in_stack_trace(throwable);
        Ok(())
    }

    /// Fills an array of stack trace elements, which the library has just made, with the fields that a
    /// function gives for each element and place: all in one operation.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn fill_trace(
        &mut self,
        array: Ref,
        trace: Trace,
        fields: fn(&PureView<'_, '_>, Ref, MethodId, u32) -> Vec<FieldValue>,
    ) -> Exec<()> {
        let mut group = vec![(Resource::Whole(array), Mode::Read)];
        let places = match trace {
            Trace::Of(throwable) => {
                let slot = self.vm.known().throwable_backtrace;
                group.push((Resource::Slot(throwable, slot), Mode::Read));
                self.m.backtrace(throwable)
            }
            // The machine made it, and never writes it again.
            Trace::Noted(trace) => self.m.noted_trace(trace),
        };
        let elements = match &self.m.process.heap.get(array).data {
            Data::Refs(refs) => refs.to_vec(),
            _ => Vec::new(),
        };
        let pairs = elements.into_iter().zip(places);
        let written: Vec<_> =
            pairs.flat_map(|(element, (method, pc))| fields(self, element, method, pc)).collect();
        self.write_with(&mut group, &written)
    }

    /// Writes what stack frames are about into the objects of an array from an index on, or into the array
    /// itself where it has none or they have no place `to` for it; and another field: all in one operation.
    /// `false` if there is an object missing.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn fill_frames(
        &mut self,
        array: Ref,
        from: usize,
        to: Option<u32>,
        notes: &[Ref],
        field: Option<FieldValue>,
    ) -> Exec<bool> {
        let infos: Vec<Ref> = match &self.m.process.heap.get(array).data {
            Data::Refs(refs) => refs[from..from + notes.len()].to_vec(),
            _ => Vec::new(),
        };
        let mut fields: Vec<_> = field.into_iter().collect();
        for (&info, &note) in infos.iter().zip(notes) {
            fields.extend(to.filter(|_| info != 0).map(|slot| (info, slot, Value::Ref(note))));
        }
        self.write_with(&mut vec![(Resource::Whole(array), Mode::Write)], &fields)?;
        for (at, (&info, &note)) in infos.iter().zip(notes).enumerate() {
            if to.is_none() || info == 0 {
                self.m.publish(array, note);
                self.write_refs(array, from + at, &[note]);
            }
        }
        Ok(!infos.contains(&0))
    }

    /// Writes fields, in one operation with other accesses.
    fn write_with(&mut self, group: &mut Vec<(Resource, Mode)>, fields: &[FieldValue]) -> Exec<()> {
        let written = fields.iter().map(|&(object, slot, _)| (Resource::Slot(object, slot), Mode::WriteAny));
        group.extend(written);
        self.m.access_group(group)?;
        for &(object, slot, value) in fields {
            match value {
                Value::Word(value) => self.m.process.heap.set_slot(object, slot, value),
                Value::Ref(value) => self.m.set_ref(object, slot, value),
            }
        }
        Ok(())
    }

    /// Notes for people that an access to an object, which orders less than a volatile one, is made as a
    /// volatile one. Only where it can make a difference.
    pub fn note_weak(&mut self, object: Option<Ref>) {
        let is_shared = object.is_none_or(|object| object != 0 && self.m.process.heap.is_shared(object));
        if is_shared && self.m.process.threads.len() > 1 {
            self.note_input(Input::WeakOrder);
        }
    }

    /// Writes a field that others only compare with themselves or show to people: the owner of a lock, which
    /// only the owner writes, and what a thread is parked on. The write belongs to the operation before it.
    /// `false` if some thread reads such a field for what it says: then the field is written like any other.
    pub fn set_quietly(&mut self, object: Ref, slot: u32, value: Ref) -> bool {
        if object == 0 || self.m.options.every_access || self.m.reads_owners() {
            return false;
        }
        self.m.set_ref(object, slot, value);
        true
    }

    /// The owner of a lock, for a method that compares it with the running thread; `None` if it is to be read
    /// like any other field.
    #[must_use]
    pub fn compared_owner(&self, lock: Ref) -> Option<Ref> {
        if self.m.options.every_access || self.m.reads_owners() {
            return None;
        }
        Some(self.m.process.heap.slot(lock, self.vm.known().lock_owner) as Ref)
    }

    /// The running thread reads what [`SharedView::set_quietly`] writes for what it says.
    pub fn observe_owners(&mut self) {
        self.m.observe_owners();
    }

    /// A lock gets an owner: for the order in which locks are taken.
    pub fn note_owner(&mut self, lock: Ref, owner: Ref) {
        let slot = self.vm.known().lock_owner;
        let is_noted = self.m.knowledge.lock_order.is_some() && lock != 0 && owner == self.this_thread();
        if is_noted && self.m.process.heap.slot(lock, slot) == 0 {
            self.m.note_lock_order(lock);
        }
    }

    /// Begins an atomic section of the program.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn enter_atomic(&mut self) -> Exec<()> {
        self.m.access(Resource::Unlisted, Mode::Write)?;
        self.m.thread_mut().atomic += 1;
        Ok(())
    }

    /// Ends an atomic section of the program; `false` if the running thread is in none.
    pub fn leave_atomic(&mut self) -> bool {
        let thread = self.m.thread_mut();
        if thread.atomic == 0 {
            return false;
        }
        thread.atomic -= 1;
        // What others could not see came to pass at once.
        self.m.step.closed = true;
        self.m.step.unlisted = true;
        true
    }

    /// Begins a section of the class library that is one operation; see `vm::section`.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn enter_section(&mut self, sort: Sort) -> Exec<()> {
        self.m.enter_section(sort)
    }

    /// Ends one that has acquired; see [`Machine::leave_acquired`].
    pub fn leave_acquired(&mut self, excludes: bool) {
        self.m.leave_acquired(excludes);
    }

    /// A section has failed; see [`Machine::retry_section`].
    pub fn retry_section(&mut self) -> Trap {
        self.m.retry_section()
    }

    /// Time passes in a section; see [`Machine::expire_section`].
    ///
    /// # Errors
    /// [`Trap::Blocked`] if time stands still.
    pub fn expire_section(&mut self, expiry: Expiry) -> Exec<()> {
        self.m.expire_section(expiry)
    }

    /// Whether threads wait for a lock without a queue; see [`Machine::is_unordered`].
    ///
    /// # Errors
    /// If it is a lock of the program's own.
    pub fn is_unordered(&mut self, lock: Ref, shared: bool, n: i32) -> Exec<bool> {
        self.m.is_unordered(lock, shared, n)
    }

    /// Whether pools take few steps; see [`Machine::has_simple_pools`].
    #[must_use]
    pub fn has_simple_pools(&self) -> bool {
        self.m.has_simple_pools()
    }

    /// They do not from now on, and this run is not one of the program.
    ///
    /// # Errors
    /// As [`SharedView::reject`].
    pub fn give_up_simple_pools<T>(&mut self) -> Exec<T> {
        self.m.observe_pools();
        self.reject()
    }

    /// A thread asks who waits for a lock.
    pub fn observe_queue(&mut self, lock: Ref) {
        self.m.observe_queue(lock);
    }

    /// Ends one.
    pub fn leave_section(&mut self) {
        self.m.leave_section();
    }
}
