//! What a native method can read without saying so: what never changes once its object is known to others,
//! and what belongs to the running thread alone.

use super::{Fixed, Range};
use crate::class::descriptor::Kind;
use crate::class::symbol::Symbol;
use crate::class::{ClassId, Form, Method, MethodId, flags};
use crate::inputs::Input;
use crate::vm::heap::{Data, Ref};
use crate::vm::machine::{Exec, Machine};
use crate::vm::thread::Frame;
use crate::vm::{Options, Vm};

/// A view of what never changes.
pub struct PureView<'a, 'vm> {
    /// What all workers share: classes, literals, the base image.
    pub vm: &'vm Vm,
    pub(super) m: &'a mut Machine<'vm>,
}

impl<'a, 'vm> PureView<'a, 'vm> {
    pub(super) fn new(m: &'a mut Machine<'vm>) -> Self {
        Self { vm: m.vm, m }
    }

    /// How the program is run.
    #[must_use]
    pub fn options(&self) -> Options {
        self.m.options
    }

    /// Which of several processes this is; zero for a program that is run alone.
    #[must_use]
    pub fn process_number(&self) -> u32 {
        self.m.member.number
    }

    /// Which of the equal processes of its group this is.
    #[must_use]
    pub fn process_index(&self) -> u32 {
        self.m.member.index
    }

    /// Whether the class library is being started: no other thread runs.
    #[must_use]
    pub fn is_booting(&self) -> bool {
        self.m.booting
    }

    /// The descriptor of the call that is answered.
    #[must_use]
    pub fn site(&self) -> Symbol {
        self.m.step.site
    }

    /// The class of an object, which never changes.
    #[inline]
    #[must_use]
    pub fn class_of(&self, object: Ref) -> ClassId {
        self.m.process.heap.get(object).class
    }

    /// Whether an object is an instance of a class. The class of an object never changes.
    #[must_use]
    pub fn is_instance(&self, object: Ref, class: ClassId) -> bool {
        self.m.is_instance(object, class)
    }

    /// Whether an object is an array.
    #[must_use]
    pub fn is_array(&self, object: Ref) -> bool {
        self.vm.class(self.class_of(object)).is_array()
    }

    /// The length of an array, which never changes.
    #[must_use]
    pub fn array_len(&self, array: Ref) -> usize {
        self.m.array_len(array)
    }

    /// All elements of an array, as a range; of an object that is not an array its slots.
    #[must_use]
    pub fn all_of(&self, array: Ref) -> Range {
        let len = match &self.m.process.heap.get(array).data {
            Data::Slots(slots) => slots.len(),
            _ => self.m.array_len(array),
        };
        Range { array, from: 0, len }
    }

    /// The class of an array's elements, if it is one.
    #[must_use]
    pub fn element_class(&self, array: Ref) -> Option<ClassId> {
        match self.vm.class(self.class_of(array)).form {
            Form::Array(element) => Some(element),
            _ => None,
        }
    }

    /// The kind of an array's elements, if it is one.
    #[must_use]
    pub fn element_kind(&self, array: Ref) -> Option<Kind> {
        self.vm.classes.element_kind(self.class_of(array))
    }

    /// The class that a `java.lang.Class` object stands for, which never changes.
    #[must_use]
    pub fn class_of_mirror(&self, mirror: Ref) -> ClassId {
        self.m.class_of_mirror(mirror)
    }

    /// The class object for a descriptor.
    ///
    /// # Errors
    /// If the class is missing.
    pub fn type_mirror(&mut self, descriptor: &str) -> Exec<Ref> {
        self.m.type_mirror(descriptor)
    }

    /// The UTF-16 units of a string. `String.value` and `coder` are final, and the array is never written
    /// once a string has it.
    #[must_use]
    pub fn units(&self, string: Ref) -> Vec<u16> {
        self.m.units(string)
    }

    /// The text of a string; what is not text becomes a replacement character. See [`PureView::units`].
    #[must_use]
    pub fn text(&self, string: Ref) -> String {
        self.m.text(string)
    }

    /// The bytes of a string and its coder: 0 for Latin-1, 1 for UTF-16. See [`PureView::units`].
    #[must_use]
    pub fn content(&self, string: Ref) -> (&[u8], u8) {
        let (known, heap) = (self.vm.known(), &self.m.process.heap);
        let value = heap.slot(string, known.string_value) as Ref;
        let coder = heap.slot(string, known.string_coder) as u8;
        // A string whose constructor has not come that far yet is empty.
        match (value != 0).then(|| &heap.get(value).data) {
            Some(Data::Bytes(bytes)) => (bytes, coder & 1),
            _ => (&[], coder & 1 & u8::from(value != 0)),
        }
    }

    /// The value in a box, and its kind: the field `value` of `Integer` and its like is final.
    #[must_use]
    pub fn unboxed(&self, object: Ref) -> Option<(Kind, u64)> {
        if object == 0 {
            return None;
        }
        let name = self.vm.classes.name(self.class_of(object));
        let kind = Kind::PRIMITIVE.into_iter().find(|kind| kind.box_class() == name)?;
        let slot = self.vm.classes.slot(name, "value")?;
        Some((kind, self.m.process.heap.slot(object, slot)))
    }

    /// A field that is never written once its object is known to other threads: each is named with the
    /// reason.
    ///
    /// # Errors
    /// If the class library has no such field.
    pub fn fixed(&self, object: Ref, field: Fixed) -> Exec<u64> {
        let slot = field.slot(self.vm, self.class_of(object))?;
        Ok(self.m.process.heap.slot(object, slot))
    }

    /// As [`PureView::fixed`], for all the fields that a class made by the machine adds to its superclass:
    /// they are written where the machine makes the object.
    #[must_use]
    pub fn made_fields<const N: usize>(&self, object: Ref) -> Option<[u64; N]> {
        let own = self.vm.class(self.class_of(object));
        let is_made =
            own.fields.len() == N && own.fields.iter().all(|field| field.index == crate::class::MADE);
        match &self.m.process.heap.get(object).data {
            Data::Slots(slots) if is_made => slots.last_chunk::<N>().copied(),
            _ => None,
        }
    }

    /// The contents of an array that the machine made and keeps in a field that [`PureView::fixed`] or
    /// [`PureView::made_fields`] reads: no program has a reference to it.
    #[must_use]
    pub fn made_array(&self, array: Ref) -> &Data {
        &self.m.process.heap.get(array).data
    }

    /// The elements of a `MethodType`'s array of parameters: it is written before the type is made, and never
    /// given to a program.
    #[must_use]
    pub fn parameter_mirrors(&self, array: Ref) -> Vec<Ref> {
        match &self.m.process.heap.get(array).data {
            Data::Refs(refs) => refs.to_vec(),
            _ => Vec::new(),
        }
    }

    /// A static final field of the class library, by name; only its initialiser writes it.
    #[must_use]
    pub fn static_constant(&self, class: &str, field: &str) -> Option<u64> {
        let id = self.vm.classes.load(class).ok()?;
        let name = self.vm.classes.symbols.find(field)?;
        let field = self.vm.class(id).fields.iter().find(|field| field.name == name)?;
        let is_constant = field.flags & flags::FINAL != 0;
        let (mirror, slot) = (self.vm.mirror(id), self.vm.static_slot(field.slot));
        is_constant.then(|| self.m.process.heap.slot(mirror, slot))
    }

    /// The loader of the program's classes, which is set while the class library is started.
    #[must_use]
    pub fn system_loader(&self) -> Ref {
        self.m.known_static(self.vm.known().system_loader) as Ref
    }

    /// The module of the program's classes, a field of their loader that its constructor writes.
    #[must_use]
    pub fn unnamed_module(&self) -> Option<Ref> {
        let slot = self.vm.classes.slot("java/lang/ClassLoader", "unnamedModule")?;
        let loader = self.system_loader();
        (loader != 0).then(|| self.m.process.heap.slot(loader, slot) as Ref)
    }

    /// Whether two classes are of the same nest.
    #[must_use]
    pub fn are_nest_mates(&self, a: ClassId, b: ClassId) -> bool {
        self.m.are_nest_mates(a, b)
    }

    /// The nest host of a class.
    #[must_use]
    pub fn nest_host(&self, class: ClassId) -> ClassId {
        self.m.nest_host(class)
    }

    /// Where a class comes from, as `java` says it. Names and parents of loaders are final.
    #[must_use]
    pub fn home_of(&self, class: ClassId, with_parent: bool) -> String {
        self.m.home_of(class, with_parent)
    }

    /// What `java` says about a cast that fails.
    #[must_use]
    pub fn cast_message(&self, from: ClassId, to: ClassId) -> String {
        self.m.cast_message(from, to)
    }

    /// The method that a class selects for another one.
    ///
    /// # Errors
    /// If there is none.
    pub fn select(&mut self, class: ClassId, method: MethodId) -> Exec<&'vm Method> {
        self.m.select(class, method)
    }

    /// The object that the calling method was called on, as long as that method needs it.
    #[must_use]
    pub fn receiver_of_caller(&self) -> u64 {
        let thread = self.m.thread();
        thread.frames.last().map_or(0, |frame| thread.slots[frame.base as usize])
    }

    /// The `java.lang.Thread` object of the running thread.
    #[must_use]
    pub fn this_thread(&self) -> Ref {
        self.m.thread().object
    }

    /// The methods under way in the running thread.
    #[must_use]
    pub fn frames(&self) -> &[Frame<'vm>] {
        &self.m.thread().frames
    }

    /// Whether the running thread holds the monitor of an object: only that thread changes it.
    #[must_use]
    pub fn holds_monitor(&self, object: Ref) -> bool {
        self.m.holds_monitor(object)
    }

    /// Whether the result of the call that is answered, of that many slots, is dropped.
    #[must_use]
    pub fn drops_result(&self, n_slots: u32) -> bool {
        self.m.drops_result(n_slots)
    }

    /// The file and line of a place in a method.
    #[must_use]
    pub fn place(&self, method: &Method, pc: u32) -> Option<(String, u32)> {
        self.m.place(method, pc)
    }

    /// Notes for people that the program asks its surroundings for something.
    pub fn note_input(&self, input: Input) {
        self.m.note_input(input);
    }
}
