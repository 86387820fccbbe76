//! Names of objects for people: by the way that leads to them from the program's static fields and its threads.
//!
//! Ways lead through fields of the program's own classes, arrays, collections of the class library (`collections`) and captured variables. What a static field leads to is called by that, since it
//! stays the same; then come fields of what threads run, and last the variables that their lambdas have captured: by the method whose variable it is, if that is clear, else by the thread and the
//! place of the lambda. Which threads there are depends on the state: those that wait for each other in a circle come first, for whoever else there may be has nothing to do with it. All ways from
//! threads are kept, for those who compare names of different states.

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

/// So many objects get a name by a way from static fields.
const MAX_NAMED: usize = 2_000;
/// So many objects are looked at from a thread.
const MAX_OF_THREAD: usize = 500;
/// Ways are at most so long.
const MAX_LEN: usize = 60;

/// Names of the objects of a state.
#[derive(Default)]
pub struct Names {
    /// The ways to each object, the one it is called by first.
    ways: HashMap<Ref, Vec<Way>>,
    /// What captured variables, with what comes behind them, lead to; `None` if that is not clear.
    variables: HashMap<String, Option<Ref>>,
    /// Those that lead to several objects.
    unclear: BTreeSet<String>,
    /// Whether nameless objects have no numbers.
    is_plain: bool,
}

/// A way that leads to an object.
#[derive(Clone, Debug)]
struct Way {
    /// From a static field, a thread or a captured variable on.
    path: String,
    /// Where it begins.
    start: Start,
}

/// Where a way begins.
#[derive(Clone, Debug)]
enum Start {
    /// Somewhere that is always there.
    Static,
    /// At the thread with this name, which is in the path.
    Thread(Arc<str>),
    /// At a captured variable.
    Captured(Arc<Capture>),
}

/// Who has captured a variable.
#[derive(Debug)]
struct Capture {
    /// The thread that runs the lambda.
    thread: Arc<str>,
    /// Where that is.
    place: Option<String>,
    /// The method whose variable it is, if the way begins with its name.
    method: Option<String>,
}

/// What an object, or a part of it, is called.
pub(crate) struct Called {
    /// By a thread, if the way begins at one.
    pub(crate) name: String,
    /// If the way begins at a captured variable that has a name: by that and its method, whoever has captured it.
    pub(crate) variable: Option<String>,
}

impl Way {
    fn from(path: String, start: Start) -> Self {
        Self { path, start }
    }

    /// In words, with a field or `[element]` behind it.
    fn called(&self, part: Option<&str>) -> Called {
        let path = part.map_or_else(|| self.path.clone(), |part| with_part(&self.path, part));
        let Start::Captured(capture) = &self.start else { return Called { name: path, variable: None } };
        let at = capture.place.as_ref().map_or_else(String::new, |place| format!(" at {place}"));
        Called {
            name: format!("{path} captured by {}{at}", capture.thread),
            variable: capture.method.as_ref().map(|method| format!("{path} of {method}")),
        }
    }

    /// A way that goes on from here. What threads lead to is not called by what they are.
    fn then(&self, more: &str) -> Self {
        let prefix = self.path.strip_prefix("thread ").unwrap_or(&self.path);
        Self::from(format!("{prefix}{more}"), self.start.clone())
    }

    /// The way to what is in a field.
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

    /// The better ones have the lower ranks.
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

/// The classes of the program that a state has: which others were loaded depends on what was searched before.
pub fn own_classes<'vm>(machine: &Machine<'vm>) -> impl Iterator<Item = &'vm Class> {
    let is_here = |class: &&Class| class.id.0 < LATE && class.space == 0 || machine.class_status(class) != 0;
    loaded(machine).filter(is_here)
}

/// The name of a class without its package, unless another one of the class path has the same; of arrays as the language
/// writes it.
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
    /// Finds them.
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

    /// Adds the ways that begin at a thread, and what its captured variables are. What has a better name is passed over.
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

    /// A variable of one of some threads leads to an object.
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

    /// Gives an object its first name; whether it has got it.
    fn add(&mut self, object: Ref, way: Way) -> bool {
        let is_new = object != 0 && way.path.len() <= MAX_LEN && !self.ways.contains_key(&object);
        if is_new {
            self.ways.insert(object, vec![way]);
        }
        is_new
    }

    /// What an object leads to that a way has led to, and how.
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
        // The inner life of the class library is of no interest here, but for what it holds.
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

    /// These names, but nameless objects are told by their classes alone. Their numbers depend on the whole state.
    #[must_use]
    pub fn plain(self) -> Self {
        Self { is_plain: true, ..self }
    }

    /// All named objects.
    pub(crate) fn objects(&self) -> BTreeSet<Ref> {
        self.ways.keys().copied().collect()
    }

    /// The name of an object, or of the part of it in a field, if something of the program's own leads to it.
    pub(crate) fn name(&self, object: Ref, part: Option<&str>) -> Option<String> {
        let way = self.ways.get(&object)?.first()?;
        Some(self.shown(way, object, part))
    }

    /// A way to an object in words, with a field behind it. A variable of a method is called by that if no other object is.
    fn shown(&self, way: &Way, object: Ref, part: Option<&str>) -> String {
        let is_clear = |variable: &String| self.variables.get(variable) == Some(&Some(object));
        let is_clear = way.called(None).variable.as_ref().is_some_and(is_clear);
        let called = way.called(part);
        called.variable.filter(|_| is_clear).unwrap_or(called.name)
    }

    /// What an object, or the part of it in a field, can be called, by each thread that leads to it if only threads do; the best first.
    pub(crate) fn called(&self, object: Ref, part: Option<&str>) -> Vec<Called> {
        let ways = self.ways.get(&object).map_or(&[][..], Vec::as_slice);
        ways.iter().map(|way| way.called(part)).collect()
    }

    /// Variables that lead to several objects, since several threads have captured theirs.
    pub(crate) fn unclear(&self) -> &BTreeSet<String> {
        &self.unclear
    }

    /// What the field of a named object is called that holds `value`.
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

    /// Whether something of the program's own leads to an object.
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

    /// A reference as a value: strings and boxes by what they hold.
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

/// The name of a field or `[element]` of what has a name.
fn with_part(name: &str, part: &str) -> String {
    if part.starts_with('[') { format!("{name}{part}") } else { format!("{name}.{part}") }
}

/// What a thread was told to run: a field of the class library's `Thread`, or of an object of its own from JDK 19 on.
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

/// What made an object: its class, of an array with the number of elements (`int[3]`, `int[3][]`).
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
            // Calls of handles take any arguments: their declaration does not tell where the receiver is.
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
