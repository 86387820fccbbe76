//! The interpreter: executes operations of one thread until its step ends.
//!
//! A step is one operation that other threads can see, and what follows it up to the next such operation. An
//! operation that may have to wait, or before which the step may end, says so before it changes anything.

use super::arithmetic;
use super::heap::{Data, Ref};
use super::machine::{Exec, Machine, Trap, exception, read_element, write_element};
use super::process::Ended;
use super::step::FUEL;
use super::thread::{Role, SUSPENDED, Seen, Thread, Wait};
use super::view::{Mode, Place, Resource};
use crate::class::code::{Arithmetic, Op};
use crate::class::descriptor::Kind;
use crate::class::pool::FieldRef;
use crate::class::{ClassId, flags};
use crate::gap::Gap;

/// How a step ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Stepped {
    /// The thread did something.
    Done,
    /// The thread cannot do anything now.
    Blocked,
    /// This is no run of the program.
    Rejected,
    /// The machine cannot go on.
    Unsupported(Box<Gap>),
}

fn int(value: u64) -> i32 {
    value as u32 as i32
}

fn word(value: i32) -> u64 {
    u64::from(value as u32)
}

impl<'vm> Machine<'vm> {
    /// Lets the thread at `idx` take a step.
    pub fn step(&mut self, idx: usize) -> Stepped {
        let stepped = self.take_step(idx);
        self.end_section(stepped)
    }

    fn take_step(&mut self, idx: usize) -> Stepped {
        self.process.threads[idx].seen = Seen::No;
        self.process.threads[idx].atomic &= !SUSPENDED;
        let id = self.process.threads[idx].id;
        self.step.begin(idx, if self.booting { u32::MAX } else { FUEL });
        loop {
            let Err(trap) = self.execute() else { continue };
            let thrown = match trap {
                Trap::Again => {
                    self.step.progress = true;
                    continue;
                }
                // The first visible operation of a step is always executed; two in one would never be.
                Trap::Stop if !self.step.progress => {
                    return Stepped::Unsupported("an operation that other threads can see twice".into());
                }
                Trap::Stop => return Stepped::Done,
                Trap::Yield => {
                    if self.process.threads.get(idx).is_some_and(|thread| thread.wait != Wait::No) {
                        self.suspend_section(id);
                    }
                    return Stepped::Done;
                }
                Trap::Blocked if self.step.progress => {
                    self.suspend_section(id);
                    return Stepped::Done;
                }
                Trap::Blocked => return Stepped::Blocked,
                Trap::Rejected => return Stepped::Rejected,
                Trap::Apart(..) => {
                    return Stepped::Unsupported("an array that is read element by element".into());
                }
                Trap::Exit(status) => {
                    self.note_exit(status);
                    self.process.ended = Ended::Exit(status);
                    self.process.threads.clear();
                    self.end_sockets();
                    return Stepped::Done;
                }
                Trap::Unsupported(what) => return Stepped::Unsupported(what),
                Trap::Throw(thrown) => Ok(thrown),
                Trap::Exception(class, message) => self.make_exception(class, message.as_deref()),
            };
            self.step.progress = true;
            match thrown.and_then(|thrown| self.throw(thrown)) {
                // A handler that throws into itself is a loop too.
                Ok(()) | Err(Trap::Again) => {
                    if self.burn().is_err() {
                        return Stepped::Done;
                    }
                }
                Err(Trap::Yield) => return Stepped::Done,
                Err(Trap::Unsupported(what)) => return Stepped::Unsupported(what),
                Err(trap) => return Stepped::Unsupported(Box::new(Gap::Throwing(trap.to_string()))),
            }
        }
    }

    #[inline]
    fn next(&mut self) {
        self.thread_mut().top_mut().pc += 1;
    }

    #[inline]
    fn jump(&mut self, target: u32) -> Exec<()> {
        let frame = self.thread_mut().top_mut();
        let is_back = target <= frame.pc;
        frame.pc = target;
        if is_back { self.burn() } else { Ok(()) }
    }

    fn null_pointer(&self) -> Trap {
        Trap::Exception("java/lang/NullPointerException", self.explain_null())
    }

    /// The object on the stack, `depth` slots below the end.
    #[inline]
    pub(super) fn receiver(&self, depth: u32) -> Exec<Ref> {
        match self.thread().peek(depth) as Ref {
            0 => Err(self.null_pointer()),
            object => Ok(object),
        }
    }

    fn execute(&mut self) -> Exec<()> {
        if self.thread().top().role == Role::FreshInitializer {
            self.begin_initializer()?;
        }
        if self.step.reads.is_some() {
            return self.execute_recorded();
        }
        loop {
            self.run_frame();
            let frame = self.thread().top();
            let op = frame.code.ops[frame.pc as usize];
            self.execute_one(op)?;
            self.step.progress = true;
        }
    }

    /// Executes an operation that [`Machine::run_frame`] left. Both callers run that first, so most
    /// operations on the frame alone never come here, and of the others only some cases do: divisions by
    /// zero, shifts of `long`s, and backward jumps that use the last fuel.
    #[inline(always)]
    pub(super) fn execute_one(&mut self, op: Op) -> Exec<()> {
        match op {
            Op::Ldc(idx) | Op::Ldc2(idx) => self.load_constant(idx),
            Op::ConstRef(object) => {
                self.push_kind(Kind::Ref, u64::from(object));
                Ok(())
            }
            Op::ArrayLoad(kind) => self.array_load(kind),
            Op::ArrayStore(kind) => self.array_store(kind),
            Op::DupX1 | Op::DupX2 | Op::Dup2 | Op::Dup2X1 | Op::Dup2X2 | Op::Swap => {
                self.rearrange(op);
                Ok(())
            }
            Op::Int(Arithmetic::Div | Arithmetic::Rem) | Op::LongOp(Arithmetic::Div | Arithmetic::Rem) => {
                arithmetic::by_zero()
            }
            Op::LongOp(Arithmetic::Shl | Arithmetic::Shr | Arithmetic::Ushr)
            | Op::Float(_)
            | Op::Neg(_)
            | Op::CompareFloat(_)
            | Op::CompareDouble(_) => self.compute(op),
            Op::If(_, target) | Op::IfNull(_, target) => self.jump_back(1, target),
            Op::IfInt(_, target) | Op::IfRef(_, target) => self.jump_back(2, target),
            Op::Goto(target) => self.jump_back(0, target),
            Op::Jsr(target) => {
                self.thread_mut().push(0);
                self.jump(target)
            }
            Op::Ret(_) => Err(Trap::Unsupported("the end of a subroutine that was not begun".into())),
            Op::Switch(idx) => {
                let value = int(self.thread_mut().pop());
                let target = self.thread().top().code.switches[idx as usize].target(value);
                self.jump(target)
            }
            Op::Return(n_slots) => self.leave_method(u32::from(n_slots)),
            Op::GetStatic(_)
            | Op::PutStatic(_)
            | Op::GetField(_)
            | Op::PutField(_)
            | Op::GetSlot(..)
            | Op::PutSlot(..) => self.access_field(op),
            Op::InvokeVirtual(idx) => self.invoke_virtual(idx, false),
            Op::InvokeInterface(idx) => self.invoke_virtual(idx, true),
            Op::InvokeSpecial(idx) => self.invoke_special(idx),
            Op::InvokeStatic(idx) => self.invoke_static(idx),
            Op::InvokeDynamic(idx) => self.invoke_dynamic(idx),
            Op::Call(id, is_virtual) => self.invoke_resolved(id, is_virtual),
            Op::New(_)
            | Op::NewOf(_)
            | Op::NewArray(_)
            | Op::NewRefArray(_)
            | Op::NewArrayOf(_)
            | Op::NewMultiArray(..) => self.create(op),
            Op::ArrayLength => {
                let array = self.receiver(0)?;
                let len = self.array_len(array);
                self.replace_top(len as u64);
                Ok(())
            }
            Op::Throw => Err(Trap::Throw(self.receiver(0)?)),
            Op::CheckCast(_) | Op::CastTo(_) | Op::InstanceOf(_) | Op::IsA(_) => self.examine(op),
            Op::MonitorEnter => {
                let object = self.receiver(0)?;
                self.enter_monitor(object)?;
                self.drop_top();
                Ok(())
            }
            Op::MonitorExit => {
                let object = self.receiver(0)?;
                self.exit_monitor(object)?;
                self.drop_top();
                Ok(())
            }
            Op::Nop
            | Op::Const(..)
            | Op::Long(_)
            | Op::Double(_)
            | Op::Load(_)
            | Op::Load2(_)
            | Op::Store(_)
            | Op::Store2(_)
            | Op::Pop
            | Op::Pop2
            | Op::Dup
            | Op::Inc(..)
            | Op::Int(_)
            | Op::LongOp(_)
            | Op::DoubleOp(_)
            | Op::Convert(..)
            | Op::CompareLong => unreachable!("`run_frame` executes every {op:?}"),
        }
    }

    /// Puts a value in the place of the slot on top and goes on.
    #[inline]
    fn replace_top(&mut self, value: u64) {
        let thread = self.thread_mut();
        thread.pop();
        thread.push(value);
        self.next();
    }

    /// Drops the slot on top and goes on.
    #[inline]
    fn drop_top(&mut self) {
        self.thread_mut().drop_slots(1);
        self.next();
    }

    #[inline]
    fn load_constant(&mut self, idx: u16) -> Exec<()> {
        let (value, wide) = self.loadable(idx)?;
        self.push_kind(if wide { Kind::Long } else { Kind::Int }, value);
        Ok(())
    }

    /// A taken jump backward that uses the last fuel: the only one that `run_frame` leaves.
    fn jump_back(&mut self, n_operands: u32, target: u32) -> Exec<()> {
        debug_assert!(
            target <= self.thread().top().pc && self.step.fuel <= 1,
            "`run_frame` executes this jump"
        );
        self.thread_mut().drop_slots(n_operands);
        self.jump(target)
    }

    /// Changes the order of slots on the stack, or copies some.
    #[inline]
    fn rearrange(&mut self, op: Op) {
        match op {
            Op::DupX1 => self.duplicate(1, 1),
            Op::DupX2 => self.duplicate(1, 2),
            Op::Dup2 => self.duplicate(2, 0),
            Op::Dup2X1 => self.duplicate(2, 1),
            Op::Dup2X2 => self.duplicate(2, 2),
            _ => {
                let thread = self.thread_mut();
                let sp = thread.top().sp as usize;
                thread.slots.swap(sp - 1, sp - 2);
                self.next();
            }
        }
    }

    /// Arithmetic and comparisons that `run_frame` does not know.
    #[inline]
    fn compute(&mut self, op: Op) -> Exec<()> {
        let thread = self.thread_mut();
        let pop_float = |thread: &mut Thread<'_>| f32::from_bits(thread.pop() as u32);
        let pop_double = |thread: &mut Thread<'_>| f64::from_bits(thread.pop2());
        match op {
            // A shift: the number of bits is an `int`.
            Op::LongOp(operation) => {
                let bits = i64::from(int(thread.pop()));
                let value = thread.pop2() as i64;
                thread.push2(arithmetic::long(operation, value, bits)? as u64);
            }
            Op::Float(operation) => {
                let (b, a) = (pop_float(thread), pop_float(thread));
                thread.push(u64::from(arithmetic::float(operation, a, b).to_bits()));
            }
            Op::Neg(kind) if kind.is_wide() => {
                let value = thread.pop2();
                thread.push2(arithmetic::negate(kind, value));
            }
            Op::Neg(kind) => {
                let value = thread.pop();
                thread.push(arithmetic::negate(kind, value));
            }
            Op::CompareFloat(nan) => {
                let (b, a) = (pop_float(thread), pop_float(thread));
                thread.push(word(arithmetic::compare(a, b, i32::from(nan))));
            }
            Op::CompareDouble(nan) => {
                let (b, a) = (pop_double(thread), pop_double(thread));
                thread.push(word(arithmetic::compare(a, b, i32::from(nan))));
            }
            _ => unreachable!("{op:?} computes nothing"),
        }
        self.next();
        Ok(())
    }

    /// Reads or writes a field.
    #[inline]
    fn access_field(&mut self, op: Op) -> Exec<()> {
        match op {
            Op::GetStatic(idx) => {
                let field = self.field_constant(idx, true)?;
                self.get_static(field)
            }
            Op::PutStatic(idx) => {
                let field = self.field_constant(idx, true)?;
                self.put_static(field)
            }
            Op::GetField(idx) => {
                let field = self.field_constant(idx, false)?;
                self.get_field(field)
            }
            Op::PutField(idx) => {
                let field = self.field_constant(idx, false)?;
                self.put_field(field)
            }
            Op::GetSlot(slot, kind) => {
                self.get_field(FieldRef { class: self.vm.known().object, slot, kind, flags: 0 })
            }
            Op::PutSlot(slot, kind) => {
                // Any field, final ones included.
                self.put_field(FieldRef { class: self.vm.known().object, slot, kind, flags: flags::FINAL })
            }
            _ => unreachable!("{op:?} accesses no field"),
        }
    }

    /// Makes an object or an array.
    #[inline]
    fn create(&mut self, op: Op) -> Exec<()> {
        match op {
            Op::New(idx) => {
                let class = self.class_constant(idx)?;
                self.instantiate(class)
            }
            Op::NewOf(class) => self.instantiate(class),
            Op::NewArray(kind) => self.make_array(self.vm.known().primitive_array(kind)),
            Op::NewRefArray(idx) => {
                let element = self.class_constant(idx)?;
                self.make_array(self.vm.classes.array_of(element)?)
            }
            Op::NewArrayOf(element) => self.make_array(self.vm.classes.array_of(element)?),
            Op::NewMultiArray(idx, dims) => {
                let class = self.class_constant(idx)?;
                let lens: Vec<i32> =
                    (0..dims).rev().map(|depth| int(self.thread().peek(u32::from(depth)))).collect();
                if let Some(&negative) = lens.iter().find(|&&len| len < 0) {
                    return Err(exception("java/lang/NegativeArraySizeException", negative.to_string()));
                }
                let array = self.make_arrays(class, &lens)?;
                let thread = self.thread_mut();
                thread.drop_slots(u32::from(dims));
                thread.push(u64::from(array));
                self.next();
                Ok(())
            }
            _ => unreachable!("{op:?} makes nothing"),
        }
    }

    /// Finds out whether the object on the stack is of a class.
    #[inline]
    fn examine(&mut self, op: Op) -> Exec<()> {
        let object = self.thread().peek(0) as Ref;
        match op {
            Op::CheckCast(_) | Op::CastTo(_) if object == 0 => self.next(),
            Op::CheckCast(idx) => {
                let class = self.class_constant(idx)?;
                self.check_cast(class)?;
                self.next();
            }
            Op::CastTo(class) => {
                self.check_cast(class)?;
                self.next();
            }
            Op::InstanceOf(_) if object == 0 => self.replace_top(0),
            Op::InstanceOf(idx) => {
                let class = self.class_constant(idx)?;
                self.replace_top(u64::from(self.is_instance(object, class)));
            }
            Op::IsA(class) => self.replace_top(u64::from(self.is_instance(object, class))),
            _ => unreachable!("{op:?} examines nothing"),
        }
        Ok(())
    }

    /// Copies the top `n` slots below the `below` slots under them.
    fn duplicate(&mut self, n: usize, below: usize) {
        let thread = self.thread_mut();
        let sp = thread.top().sp as usize;
        thread.slots.copy_within(sp - n - below..sp, sp - below);
        thread.slots.copy_within(sp..sp + n, sp - n - below);
        let frame = thread.top_mut();
        frame.sp += n as u32;
        frame.pc += 1;
    }

    #[inline]
    fn push_kind(&mut self, kind: Kind, value: u64) {
        let thread = self.thread_mut();
        if kind.is_wide() {
            thread.push2(value);
        } else {
            thread.push(value);
        }
        thread.top_mut().pc += 1;
    }

    fn get_static(&mut self, field: FieldRef) -> Exec<()> {
        self.ensure_initialized(field.class)?;
        let mirror = self.vm.mirror(field.class);
        let place = Place::field(field.class, self.vm.static_slot(field.slot), true);
        let place = place.ordinary(field.flags & flags::VOLATILE == 0);
        self.access(Resource::Part(mirror, place), Mode::Read)?;
        let value = self.process.heap.slot(mirror, self.vm.static_slot(field.slot));
        self.push_kind(field.kind, value);
        Ok(())
    }

    fn put_static(&mut self, field: FieldRef) -> Exec<()> {
        self.ensure_initialized(field.class)?;
        let mirror = self.vm.mirror(field.class);
        let place = Place::field(field.class, self.vm.static_slot(field.slot), true);
        // A final one is written by the initialiser only, which others wait for; but a property may look on.
        if field.flags & flags::FINAL == 0 || !self.knowledge.observed.is_empty() {
            let place = place.ordinary(field.flags & flags::VOLATILE == 0);
            self.access(Resource::Part(mirror, place), Mode::Write)?;
        }
        let thread = self.thread_mut();
        let value = if field.kind.is_wide() { thread.pop2() } else { thread.pop() };
        let slot = self.vm.static_slot(field.slot);
        if field.kind == Kind::Ref {
            self.set_ref(mirror, slot, value as Ref);
        } else {
            self.process.heap.set_slot(mirror, slot, field.kind.narrow(value));
        }
        self.next();
        Ok(())
    }

    #[inline]
    fn get_field(&mut self, field: FieldRef) -> Exec<()> {
        let object = self.receiver(0)?;
        let place = Place::field(field.class, field.slot, false);
        let place = place.ordinary(field.flags & flags::VOLATILE == 0);
        self.access(Resource::Part(object, place), Mode::Read)?;
        let value = self.process.heap.slot(object, field.slot);
        self.thread_mut().drop_slots(1);
        self.push_kind(field.kind, value);
        Ok(())
    }

    #[inline]
    fn put_field(&mut self, field: FieldRef) -> Exec<()> {
        let (slot, kind) = (field.slot, field.kind);
        let n_slots = u32::from(kind.n_slots());
        let object = self.receiver(n_slots)?;
        let place = Place::field(field.class, slot, false);
        let place = place.ordinary(field.flags & flags::VOLATILE == 0);
        let mode = if field.flags & flags::FINAL == 0 { Mode::Write } else { Mode::WriteAny };
        self.access(Resource::Part(object, place), mode)?;
        let value = self.thread().peek(n_slots - 1);
        if kind == Kind::Ref {
            self.set_ref(object, slot, value as Ref);
        } else {
            self.process.heap.set_slot(object, slot, kind.narrow(value));
        }
        let thread = self.thread_mut();
        thread.drop_slots(n_slots + 1);
        thread.top_mut().pc += 1;
        Ok(())
    }

    /// An index into an array whose elements an operation takes to be of this kind.
    #[inline]
    fn check_index(&self, array: Ref, kind: Kind, idx: i32) -> Exec<usize> {
        let len = match &self.process.heap.get(array).data {
            Data::Refs(refs) => refs.len(),
            Data::Bytes(bytes) => bytes.len() / kind.n_bytes(),
            Data::Slots(_) => 0,
        };
        match usize::try_from(idx) {
            Ok(idx) if idx < len => Ok(idx),
            _ => Err(exception(
                "java/lang/ArrayIndexOutOfBoundsException",
                format!("Index {idx} out of bounds for length {len}"),
            )),
        }
    }

    fn array_load(&mut self, kind: Kind) -> Exec<()> {
        let array = self.receiver(1)?;
        let idx = self.check_index(array, kind, int(self.thread().peek(0)))?;
        let class = self.process.heap.get(array).class;
        let place = Place::array(class, idx as u32).ordinary(true);
        self.access(Resource::Part(array, place), Mode::Read)?;
        let value = match &self.process.heap.get(array).data {
            Data::Refs(refs) => u64::from(refs[idx]),
            Data::Bytes(bytes) => read_element(bytes, kind, idx),
            Data::Slots(_) => return Err(Trap::Unsupported("an object used as an array".into())),
        };
        self.thread_mut().drop_slots(2);
        self.push_kind(kind, value);
        Ok(())
    }

    fn array_store(&mut self, kind: Kind) -> Exec<()> {
        let n_slots = u32::from(kind.n_slots());
        let array = self.receiver(n_slots + 1)?;
        let idx = self.check_index(array, kind, int(self.thread().peek(n_slots)))?;
        let value = self.thread().peek(n_slots - 1);
        if kind == Kind::Ref && value != 0 {
            let crate::class::Form::Array(element) = self.vm.class(self.process.heap.get(array).class).form
            else {
                return Err(Trap::Unsupported("an object used as an array".into()));
            };
            if !self.is_instance(value as Ref, element) {
                let class = self.vm.classes.java_name(self.process.heap.get(value as Ref).class);
                return Err(exception("java/lang/ArrayStoreException", class));
            }
        }
        let class = self.process.heap.get(array).class;
        let place = Place::array(class, idx as u32).ordinary(true);
        self.access(Resource::Part(array, place), Mode::Write)?;
        if kind == Kind::Ref {
            self.publish(array, value as Ref);
        }
        let object = self.process.heap.get_mut(array);
        // `bastore` stores into arrays of `boolean` too, where only the last bit counts.
        let element = if kind == Kind::Byte {
            self.vm.classes.element_kind(object.class).unwrap_or(kind)
        } else {
            kind
        };
        match &mut object.data {
            Data::Refs(refs) => refs[idx] = value as Ref,
            Data::Bytes(bytes) => write_element(bytes, element, idx, value),
            Data::Slots(_) => return Err(Trap::Unsupported("an object used as an array".into())),
        }
        let thread = self.thread_mut();
        thread.drop_slots(n_slots + 2);
        thread.top_mut().pc += 1;
        Ok(())
    }

    fn instantiate(&mut self, id: ClassId) -> Exec<()> {
        let class = self.vm.class(id);
        if class.flags & (flags::ABSTRACT | flags::INTERFACE) != 0 {
            return Err(exception("java/lang/InstantiationError", self.vm.classes.java_name(id)));
        }
        self.ensure_initialized(id)?;
        self.check_room()?;
        let object = self.new_object(id);
        self.thread_mut().push(u64::from(object));
        self.next();
        Ok(())
    }

    fn make_array(&mut self, class: ClassId) -> Exec<()> {
        let array = self.new_array(class, int(self.thread().peek(0)))?;
        let thread = self.thread_mut();
        thread.pop();
        thread.push(u64::from(array));
        self.next();
        Ok(())
    }

    /// An array of arrays.
    ///
    /// # Errors
    /// If one of them cannot be made.
    pub fn make_arrays(&mut self, class: ClassId, lens: &[i32]) -> Exec<Ref> {
        let array = self.new_array(class, lens[0])?;
        if lens.len() > 1 {
            let crate::class::Form::Array(element) = self.vm.class(class).form else { return Ok(array) };
            for idx in 0..lens[0] as usize {
                let inner = self.make_arrays(element, &lens[1..])?;
                if let Data::Refs(refs) = &mut self.process.heap.get_mut(array).data {
                    refs[idx] = inner;
                }
            }
        }
        Ok(array)
    }

    fn check_cast(&self, class: ClassId) -> Exec<()> {
        let object = self.thread().peek(0) as Ref;
        if self.is_instance(object, class) {
            return Ok(());
        }
        let from = self.process.heap.get(object).class;
        Err(exception("java/lang/ClassCastException", self.cast_message(from, class)))
    }

    /// What `java` says about a cast that fails.
    #[must_use]
    pub fn cast_message(&self, from: ClassId, to: ClassId) -> String {
        let classes = &self.vm.classes;
        let (a, b) = (classes.java_name(from), classes.java_name(to));
        format!("class {a} cannot be cast to class {b} ({})", self.shown_homes(from, to))
    }
}
