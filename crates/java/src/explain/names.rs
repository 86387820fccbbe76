//! Names of objects for display: the paths to them from the program's static fields and threads.
//!
//! Paths lead through fields of the program's classes, arrays, collections of the class library
//! (`collections`) and captured variables. A path from a static field comes first, because it is the same in
//! all states. Then come fields of the objects that threads run, and last the variables that their lambdas
//! have captured, named by the method that declares the variable if that is unambiguous, otherwise by the
//! thread and the location of the lambda. Which threads exist depends on the state: those that wait for each
//! other in a cycle come first, because other threads do not affect the cycle. All paths from threads are
//! kept, for comparing names in different states.

use super::captured::Capturing;
use super::collections::contents;
use super::waits;
use crate::class::code::Op;
use crate::class::descriptor::Kind;
use crate::class::pool::Resolved;
use crate::class::{Class, Loader, MethodId, flags};
use crate::numbered::LATE;
use crate::vm::Vm;
use crate::vm::heap::{Data, Ref};
use crate::vm::machine::Machine;
use crate::vm::strings;
use crate::vm::thread::{Frame, Thread};
use crate::vm::throw::shown_type;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

/// The most objects that are named by paths from static fields.
const MAX_NAMED: usize = 2_000;
/// The most objects that are visited from a thread.
const MAX_OF_THREAD: usize = 500;
/// The greatest length of a path.
const MAX_LEN: usize = 60;

/// Names of the objects of a state.
#[derive(Default)]
pub struct Names {
    /// The paths to each object; the first one is its name.
    ways: HashMap<Ref, Vec<Way>>,
    /// The object at the end of each path from a captured variable; `None` if there are several.
    variables: HashMap<String, Option<Ref>>,
    /// The paths that lead to several objects.
    unclear: BTreeSet<String>,
    /// Whether nameless objects have no numbers.
    is_plain: bool,
}

/// A path to an object.
#[derive(Clone, Debug)]
struct Way {
    /// The text of the path, from a static field, a thread or a captured variable on.
    path: String,
    /// The start of the path.
    start: Start,
}

/// The start of a path.
#[derive(Clone, Debug)]
enum Start {
    /// A static field, or another start that every state has.
    Static,
    /// The thread with this name, which is in the path.
    Thread(Arc<str>),
    /// A captured variable.
    Captured(Arc<Capture>),
}

/// The capture of a variable.
#[derive(Debug)]
struct Capture {
    /// The thread that runs the lambda.
    thread: Arc<str>,
    /// The location of the lambda.
    place: Option<String>,
    /// The method that declares the variable, if the path begins with its name.
    method: Option<String>,
}

/// The names of an object, or of a part of it.
pub(crate) struct Called {
    /// The name; it contains the thread if the path begins at one.
    pub(crate) name: String,
    /// If the path begins at a captured variable with a name: the name by that variable and its method,
    /// without the thread.
    pub(crate) variable: Option<String>,
}

impl Way {
    fn from(path: String, start: Start) -> Self {
        Self { path, start }
    }

    /// The names, followed by a field or `[element]`.
    fn called(&self, part: Option<&str>) -> Called {
        let path = part.map_or_else(|| self.path.clone(), |part| with_part(&self.path, part));
        let Start::Captured(capture) = &self.start else { return Called { name: path, variable: None } };
        let at = capture.place.as_ref().map_or_else(String::new, |place| format!(" at {place}"));
        Called {
            name: format!("{path} captured by {}{at}", capture.thread),
            variable: capture.method.as_ref().map(|method| format!("{path} of {method}")),
        }
    }

    /// The path extended by `more`.
    fn then(&self, more: &str) -> Self {
        let prefix = self.path.strip_prefix("thread ").unwrap_or(&self.path);
        Self::from(format!("{prefix}{more}"), self.start.clone())
    }

    /// The path to the value of a field.
    fn field(&self, field: &str, capturing: Option<&Capturing>) -> Self {
        let variable = capturing.and_then(|capturing| Some((capturing, capturing.variable(field)?)));
        let Some((capturing, variable)) = variable else { return self.then(&format!(".{field}")) };
        let thread = match &self.start {
            Start::Static => return self.then(&format!(".{}", variable.name)),
            Start::Thread(name) => name,
            Start::Captured(capture) => &capture.thread,
        };
        let capture = Capture {
            thread: thread.clone(),
            place: capturing.place.clone(),
            method: capturing.method.clone().filter(|_| variable.is_local),
        };
        Self::from(variable.name, Start::Captured(Arc::new(capture)))
    }

    /// The rank of the path; better paths have lower ranks.
    fn rank(&self) -> u8 {
        match self.start {
            Start::Static => 0,
            Start::Thread(_) => 1,
            Start::Captured(_) => 2,
        }
    }
}

/// The classes of the program that were loaded.
fn loaded<'vm>(machine: &Machine<'vm>) -> impl Iterator<Item = &'vm Class> {
    let vm = machine.vm;
    vm.classes.loaded().filter(|class| class.loader == Loader::App && class.file.is_some())
}

/// The classes of the program that exist in a state. Which other classes are loaded depends on what was
/// searched before.
pub fn own_classes<'vm>(machine: &Machine<'vm>) -> impl Iterator<Item = &'vm Class> {
    let is_here = |class: &&Class| class.id.0 < LATE && class.space == 0 || machine.class_status(class) != 0;
    loaded(machine).filter(is_here)
}

/// The name of a class without its package, unless another class of the class path has the same simple name.
/// Arrays are written as in the language.
#[must_use]
pub fn simple(machine: &Machine<'_>, class: &Class) -> String {
    simple_in(machine.vm, class)
}

/// As [`simple`], without a state.
pub(crate) fn simple_in(vm: &Vm, class: &Class) -> String {
    let name = vm.classes.plain_name(class.id);
    if class.is_array() {
        let shown = shown_type(name);
        return shown.rsplit('.').next().unwrap_or(&shown).to_owned();
    }
    let simple = name.rsplit('/').next().unwrap_or(name);
    if class.loader == Loader::App && vm.classes.sources.path.is_alike(simple) {
        return vm.classes.java_name(class.id);
    }
    simple.to_owned()
}

impl Names {
    /// Finds the names of the objects of a state.
    #[must_use]
    pub fn find(machine: &Machine<'_>) -> Self {
        Self::find_from(machine, |thread| super::name_of(machine, thread))
    }

    /// As [`Names::find`], with the numbers of threads whose names need not be their own.
    #[must_use]
    pub fn find_numbered(machine: &Machine<'_>) -> Self {
        Self::find_from(machine, |thread| {
            let name = super::name_of(machine, thread);
            if name.starts_with("Thread-") { name } else { format!("{name}({})", thread.id) }
        })
    }

    fn find_from(machine: &Machine<'_>, name_of: impl Fn(&Thread<'_>) -> String) -> Self {
        let vm = machine.vm;
        let mut this = Self::default();
        for thread in &machine.process.threads {
            this.add(thread.object, Way::from(format!("thread {}", name_of(thread)), Start::Static));
        }
        for class in loaded(machine) {
            let mirror = vm.mirror(class.id);
            this.add(mirror, Way::from(format!("{}.class", simple(machine, class)), Start::Static));
        }
        let n_given = this.ways.len();
        let mut queue = VecDeque::new();
        for class in own_classes(machine) {
            let mirror = vm.mirror(class.id);
            for field in class.fields.iter().filter(|f| f.flags & flags::STATIC != 0 && f.kind == Kind::Ref) {
                let value = machine.process.heap.slot(mirror, vm.static_slot(field.slot)) as Ref;
                let path = format!("{}.{}", simple(machine, class), vm.classes.symbols.text(field.name));
                let way = Way::from(path, Start::Static);
                if this.add(value, way.clone()) {
                    queue.push_back((value, way));
                }
            }
        }
        while let Some((object, way)) = queue.pop_front() {
            for (part, way) in this.parts(machine, object, &way) {
                if this.ways.len() - n_given < MAX_NAMED && this.add(part, way.clone()) {
                    queue.push_back((part, way));
                }
            }
        }
        let circles = waits::circles(machine);
        let (first, last): (Vec<usize>, Vec<usize>) =
            (0..machine.process.threads.len()).partition(|idx| circles.contains(idx));
        for party in [first, last] {
            let mut variables = HashMap::new();
            for idx in party {
                let thread = &machine.process.threads[idx];
                this.add_of_thread(machine, thread.object, &name_of(thread), &mut variables);
            }
            for (variable, object) in variables {
                this.variables.entry(variable).or_insert(object);
            }
        }
        for ways in this.ways.values_mut() {
            ways.sort_by_key(Way::rank);
        }
        this
    }

    /// Adds the paths that begin at a thread, and its captured variables. Skips objects with a better name.
    fn add_of_thread(
        &mut self,
        machine: &Machine<'_>,
        thread: Ref,
        name: &str,
        variables: &mut HashMap<String, Option<Ref>>,
    ) {
        let mut seen = HashSet::from([thread]);
        let mut queue = VecDeque::from([(thread, Way::from(name.to_owned(), Start::Thread(name.into())))]);
        while let Some((object, way)) = queue.pop_front() {
            for (part, way) in self.parts(machine, object, &way) {
                if part == 0 || way.path.len() > MAX_LEN {
                    continue;
                }
                if let Some(variable) = way.called(None).variable {
                    self.note_variable(variable, part, variables);
                }
                let known = self.ways.get(&part).and_then(|ways| ways.first());
                let is_better = known.is_none_or(|known| known.rank() > 0);
                if is_better && seen.len() < MAX_OF_THREAD && seen.insert(part) {
                    self.ways.entry(part).or_default().push(way.clone());
                    queue.push_back((part, way));
                }
            }
        }
    }

    /// Records that a variable of one of some threads leads to an object.
    fn note_variable(&mut self, variable: String, object: Ref, of_these: &mut HashMap<String, Option<Ref>>) {
        let known = of_these.entry(variable.clone()).or_insert(Some(object));
        let of_others = self.variables.get(&variable).is_some_and(|other| *other != Some(object));
        if of_others || *known != Some(object) {
            self.unclear.insert(variable);
        }
        if *known != Some(object) {
            *known = None;
        }
    }

    /// Gives an object its first name. Returns false if it has one already.
    fn add(&mut self, object: Ref, way: Way) -> bool {
        let is_new = object != 0 && way.path.len() <= MAX_LEN && !self.ways.contains_key(&object);
        if is_new {
            self.ways.insert(object, vec![way]);
        }
        is_new
    }

    /// The objects to which an object refers, with the paths to them.
    fn parts(&self, machine: &Machine<'_>, object: Ref, way: &Way) -> Vec<(Ref, Way)> {
        let vm = machine.vm;
        let data = machine.process.heap.get(object);
        let class = vm.class(data.class);
        let slots = match &data.data {
            Data::Refs(refs) => {
                let elements = refs.iter().enumerate();
                return elements.map(|(idx, &element)| (element, way.then(&format!("[{idx}]")))).collect();
            }
            Data::Slots(slots) => slots,
            Data::Bytes(_) => return Vec::new(),
        };
        let mut parts = Vec::new();
        // Fields of the class library's objects are not followed, except for the contents of collections.
        let mut at = Some(class).filter(|class| class.loader == Loader::App);
        while let Some(class) = at {
            let capturing = Capturing::of(machine, class);
            for field in class.fields.iter().filter(|f| f.flags & flags::STATIC == 0 && f.kind == Kind::Ref) {
                let name = vm.classes.symbols.text(field.name);
                let way = way.field(name, capturing.as_ref());
                parts.push((slots[field.slot as usize] as Ref, way));
            }
            at = class.super_class.map(|id| vm.class(id)).filter(|class| class.loader == Loader::App);
        }
        if machine.is_instance(object, vm.known().thread) {
            parts.push((task_of(machine, object), way.then("")));
        } else {
            let held = contents(machine, class, object, |key| self.lasting(key));
            parts.extend(held.into_iter().map(|(how, part)| (part, way.then(&how))));
        }
        parts
    }

    /// The name of an object that does not depend on which threads there are.
    fn lasting(&self, object: Ref) -> Option<String> {
        let way = self.ways.get(&object)?.first()?;
        (way.rank() == 0).then(|| way.path.clone())
    }

    /// These names without numbers for nameless objects, which are named by their classes alone. The numbers
    /// depend on the whole state.
    #[must_use]
    pub fn plain(self) -> Self {
        Self { is_plain: true, ..self }
    }

    /// All named objects.
    pub(crate) fn objects(&self) -> BTreeSet<Ref> {
        self.ways.keys().copied().collect()
    }

    /// The name of an object, or of the part of it in a field, if a path from the program leads to it.
    pub(crate) fn name(&self, object: Ref, part: Option<&str>) -> Option<String> {
        let way = self.ways.get(&object)?.first()?;
        Some(self.shown(way, object, part))
    }

    /// The text of a path to an object, followed by a field. A variable of a method is named by the method
    /// only if that name is unique.
    fn shown(&self, way: &Way, object: Ref, part: Option<&str>) -> String {
        let is_clear = |variable: &String| self.variables.get(variable) == Some(&Some(object));
        let is_clear = way.called(None).variable.as_ref().is_some_and(is_clear);
        let called = way.called(part);
        called.variable.filter(|_| is_clear).unwrap_or(called.name)
    }

    /// All names of an object, or of the part of it in a field, the best first. If only paths from threads
    /// lead to it, there is one for each of these threads.
    pub(crate) fn called(&self, object: Ref, part: Option<&str>) -> Vec<Called> {
        let ways = self.ways.get(&object).map_or(&[][..], Vec::as_slice);
        ways.iter().map(|way| way.called(part)).collect()
    }

    /// Variables that lead to several objects, because several threads have captured different ones.
    pub(crate) fn unclear(&self) -> &BTreeSet<String> {
        &self.unclear
    }

    /// The name of the field of a named object that holds `value`.
    pub(crate) fn field(&self, machine: &Machine<'_>, object: Ref, field: &str, value: u64) -> String {
        let class = machine.vm.class(machine.process.heap.get(object).class);
        let Some(way) = self.ways.get(&object).and_then(|ways| ways.first()) else { return field.to_owned() };
        match Capturing::of(machine, class).filter(|capturing| capturing.variable(field).is_some()) {
            Some(capturing) => self.shown(&way.field(field, Some(&capturing)), value as Ref, None),
            None => self.shown(way, object, Some(field)),
        }
    }

    /// These names, and those of `other` for objects without one.
    #[must_use]
    pub fn joined(mut self, other: Self) -> Self {
        for (object, ways) in other.ways {
            self.ways.entry(object).or_insert(ways);
        }
        for (variable, object) in other.variables {
            let known = self.variables.entry(variable).or_insert(object);
            if *known != object {
                *known = None;
            }
        }
        self
    }

    /// The name of a field or `[element]` of an object.
    #[must_use]
    pub fn part(&self, machine: &Machine<'_>, object: Ref, part: &str) -> String {
        self.name(object, Some(part)).unwrap_or_else(|| with_part(&self.of(machine, object), part))
    }

    /// Whether a path from the program leads to an object.
    #[must_use]
    pub fn has(&self, object: Ref) -> bool {
        self.ways.contains_key(&object)
    }

    /// The name of an object.
    #[must_use]
    pub fn of(&self, machine: &Machine<'_>, object: Ref) -> String {
        if object == 0 {
            return "null".into();
        }
        if let Some(name) = self.name(object, None) {
            return name;
        }
        let class = machine.process.heap.get(object).class;
        if class == machine.vm.known().class {
            let mirrored = machine.class_of_mirror(object);
            return format!("{}.class", simple(machine, machine.vm.class(mirrored)));
        }
        let class = simple(machine, machine.vm.class(class));
        if self.is_plain {
            return format!("an unnamed {class}");
        }
        let number = object & !crate::vm::heap::OVERLAY;
        format!("{class}#{number}")
    }

    /// A reference as a value; strings and boxes by their contents.
    #[must_use]
    pub fn value(&self, machine: &Machine<'_>, object: Ref) -> String {
        if object == 0 {
            return "null".into();
        }
        let this = machine.process.heap.get(object);
        if this.class == machine.vm.known().string {
            return strings::quoted(&machine.units(object));
        }
        value_of_box(machine, object).unwrap_or_else(|| self.of(machine, object))
    }
}

/// The name of a field or `[element]` of a named object.
fn with_part(name: &str, part: &str) -> String {
    if part.starts_with('[') { format!("{name}{part}") } else { format!("{name}.{part}") }
}

/// The task of a thread: a field of the class library's `Thread`, or of a separate object from JDK 19 on.
pub(super) fn task_of(machine: &Machine<'_>, thread: Ref) -> Ref {
    let classes = &machine.vm.classes;
    let read = |object: Ref, slot: u32| match &machine.process.heap.get(object).data {
        Data::Slots(slots) if object != 0 => slots.get(slot as usize).map_or(0, |&word| word as Ref),
        _ => 0,
    };
    match (classes.slot("java/lang/Thread", "target"), machine.vm.known().thread_holder) {
        (Some(target), _) => read(thread, target),
        (None, Some(holder)) => match read(thread, holder) {
            0 => 0,
            holder => {
                classes.slot("java/lang/Thread$FieldHolder", "task").map_or(0, |slot| read(holder, slot))
            }
        },
        (None, None) => 0,
    }
}

/// A boxed value as one would write it, if an object is one.
pub(super) fn value_of_box(machine: &Machine<'_>, object: Ref) -> Option<String> {
    let this = machine.process.heap.get(object);
    let name = machine.vm.classes.name(this.class);
    let kind = Kind::PRIMITIVE.into_iter().find(|kind| kind.box_class() == name)?;
    let Data::Slots(slots) = &this.data else { return None };
    Some(super::shown_value(machine, &Names::default(), kind, *slots.last()?))
}

/// The class of an object, in short.
#[must_use]
pub fn class_name(machine: &Machine<'_>, object: Ref) -> String {
    simple(machine, machine.vm.class(machine.process.heap.get(object).class))
}

/// The class of an object as in an allocation; for arrays with the number of elements (`int[3]`, `int[3][]`).
#[must_use]
pub(super) fn made(machine: &Machine<'_>, object: Ref) -> String {
    let class = class_name(machine, object);
    let this = machine.process.heap.get(object);
    let n_elements = match &this.data {
        Data::Slots(_) => return class,
        Data::Refs(refs) => refs.len(),
        Data::Bytes(bytes) => {
            bytes.len() / machine.vm.classes.element_kind(this.class).map_or(1, |kind| kind.n_bytes())
        }
    };
    class.replacen("[]", &format!("[{n_elements}]"), 1)
}

/// The object whose monitor a thread's next operation enters.
#[must_use]
pub fn wanted_monitor(machine: &Machine<'_>, thread: &Thread<'_>) -> Option<Ref> {
    let frame = thread.frames.last()?;
    match frame.code.ops[frame.pc as usize] {
        Op::MonitorEnter => Some(thread.slots[frame.sp as usize - 1] as Ref).filter(|&object| object != 0),
        _ => {
            let id = called_method(machine, frame)?;
            let mut method = machine.vm.classes.method(id);
            // Calls of method handles take any arguments, so their declaration does not show where the
            // receiver is.
            let class = machine.vm.classes.name(method.class);
            if matches!(class, "java/lang/invoke/MethodHandle" | "java/lang/invoke/VarHandle") {
                return None;
            }
            if method.is_static() {
                return method.is_synchronized().then(|| machine.vm.mirror(method.class));
            }
            let receiver = thread.slots[(frame.sp as usize).checked_sub(usize::from(method.n_args))?] as Ref;
            if receiver == 0 {
                return None;
            }
            if let Some(selected) = machine.vm.classes.select(machine.process.heap.get(receiver).class, id) {
                method = machine.vm.classes.method(selected);
            }
            (method.is_synchronized() && !method.is_native()).then_some(receiver)
        }
    }
}

/// The method that a frame's next operation calls, as far as it was resolved.
#[must_use]
pub fn called_method(machine: &Machine<'_>, frame: &Frame<'_>) -> Option<MethodId> {
    match frame.code.ops[frame.pc as usize] {
        Op::InvokeVirtual(idx)
        | Op::InvokeSpecial(idx)
        | Op::InvokeStatic(idx)
        | Op::InvokeInterface(idx) => match machine.vm.class(frame.method.class).pool.resolved(idx) {
            Some(Resolved::Method(found)) => Some(found.method),
            _ => None,
        },
        Op::Call(id, _) => Some(id),
        _ => None,
    }
}
