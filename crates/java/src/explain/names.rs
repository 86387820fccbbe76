//! Names of objects for people: by the way that leads to them from the program's static fields and its threads.

use crate::class::code::Op;
use crate::class::descriptor::Kind;
use crate::class::pool::Resolved;
use crate::class::{Class, ClassId, Loader, MethodId, flags};
use crate::vm::heap::{Data, Ref};
use crate::vm::machine::Machine;
use crate::vm::thread::{Frame, Thread};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// So many objects get a name by a way.
const MAX_NAMED: usize = 2_000;
/// Ways are at most so long.
const MAX_LEN: usize = 60;

/// Names of the objects of a state.
#[derive(Default)]
pub struct Names {
    names: HashMap<Ref, String>,
}

/// The classes of the program that were loaded.
pub fn own_classes<'vm>(machine: &Machine<'vm>) -> impl Iterator<Item = &'vm Class> {
    let vm = machine.vm;
    (0..vm.classes.n_loaded())
        .map(move |id| vm.class(ClassId(id)))
        .filter(|class| class.loader == Loader::App && class.file.is_some())
}

/// The name of a class without its package.
#[must_use]
pub fn simple(machine: &Machine<'_>, class: &Class) -> String {
    let name = machine.vm.classes.name(class.id);
    name.rsplit('/').next().unwrap_or(name).to_owned()
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
        let mut queue = VecDeque::new();
        let add = |this: &mut Self, queue: &mut VecDeque<Ref>, object: Ref, name: String| {
            if object != 0
                && this.names.len() < MAX_NAMED
                && name.len() <= MAX_LEN
                && !this.names.contains_key(&object)
            {
                this.names.insert(object, name);
                queue.push_back(object);
            }
        };
        for thread in &machine.threads {
            add(&mut this, &mut queue, thread.object, format!("thread {}", name_of(thread)));
        }
        let threads: Vec<Ref> = queue.drain(..).collect();
        for class in own_classes(machine) {
            let mirror = vm.mirror(class.id);
            add(&mut this, &mut queue, mirror, format!("{}.class", simple(machine, class)));
            queue.clear();
        }
        for class in own_classes(machine) {
            let mirror = vm.mirror(class.id);
            for field in class.fields.iter().filter(|f| f.flags & flags::STATIC != 0 && f.kind == Kind::Ref) {
                let value = machine.heap.slot(mirror, vm.static_slot(field.slot)) as Ref;
                add(
                    &mut this,
                    &mut queue,
                    value,
                    format!("{}.{}", simple(machine, class), vm.classes.symbols.text(field.name)),
                );
            }
        }
        queue.extend(threads);
        while let Some(object) = queue.pop_front() {
            let prefix =
                this.names[&object].strip_prefix("thread ").unwrap_or(&this.names[&object]).to_owned();
            let data = machine.heap.get(object);
            let class = vm.class(data.class);
            match &data.data {
                Data::Refs(refs) => {
                    for (idx, &element) in refs.iter().enumerate() {
                        add(&mut this, &mut queue, element, format!("{prefix}[{idx}]"));
                    }
                }
                // The inner life of the class library is of no interest here.
                Data::Slots(slots) if class.loader == Loader::App => {
                    let mut at = Some(class);
                    while let Some(class) = at {
                        for field in class
                            .fields
                            .iter()
                            .filter(|f| f.flags & flags::STATIC == 0 && f.kind == Kind::Ref)
                        {
                            let value = slots[field.slot as usize] as Ref;
                            let name = vm.classes.symbols.text(field.name);
                            // An inner class's way to its outer object or captured variable.
                            let name = name.strip_prefix("val$").unwrap_or(name);
                            add(&mut this, &mut queue, value, format!("{prefix}.{name}"));
                        }
                        at = class
                            .super_class
                            .map(|id| vm.class(id))
                            .filter(|class| class.loader == Loader::App);
                    }
                    // What a thread runs: a field of the class library's Thread.
                    if let Some(slot) = vm.classes.slot("java/lang/Thread", "target")
                        && machine.is_instance(object, vm.known().thread)
                    {
                        add(&mut this, &mut queue, slots[slot as usize] as Ref, prefix.clone());
                    }
                }
                Data::Slots(slots) if data.class == vm.known().thread => {
                    if let Some(slot) = vm.classes.slot("java/lang/Thread", "target") {
                        add(&mut this, &mut queue, slots[slot as usize] as Ref, prefix.clone());
                    }
                }
                _ => {}
            }
        }
        this
    }

    /// All named objects.
    #[must_use]
    pub fn all(&self) -> BTreeMap<&Ref, &String> {
        self.names.iter().collect()
    }

    /// These names, and those of `other` for objects without one.
    #[must_use]
    pub fn joined(mut self, other: Self) -> Self {
        for (object, name) in other.names {
            self.names.entry(object).or_insert(name);
        }
        self
    }

    /// Whether something of the program's own leads to an object.
    #[must_use]
    pub fn has(&self, object: Ref) -> bool {
        self.names.contains_key(&object)
    }

    /// The name of an object.
    #[must_use]
    pub fn of(&self, machine: &Machine<'_>, object: Ref) -> String {
        if object == 0 {
            return "null".into();
        }
        if let Some(name) = self.names.get(&object) {
            return name.clone();
        }
        let class = machine.heap.get(object).class;
        if class == machine.vm.known().class {
            let mirrored = machine.class_of_mirror(object);
            return format!("{}.class", simple(machine, machine.vm.class(mirrored)));
        }
        let number = object & !crate::vm::heap::OVERLAY;
        format!("{}#{number}", simple(machine, machine.vm.class(class)))
    }

    /// A reference as a value: strings and boxes by what they hold.
    #[must_use]
    pub fn value(&self, machine: &Machine<'_>, object: Ref) -> String {
        if object == 0 {
            return "null".into();
        }
        let this = machine.heap.get(object);
        if this.class == machine.vm.known().string {
            return format!("{:?}", machine.text(object));
        }
        let class = machine.vm.class(this.class);
        let name = machine.vm.classes.name(class.id);
        if let Some(kind) = Kind::PRIMITIVE.into_iter().find(|kind| kind.box_class() == name)
            && let Data::Slots(slots) = &this.data
            && let Some(&value) = slots.last()
        {
            return super::shown_value(machine, self, kind, value);
        }
        self.of(machine, object)
    }
}

/// The class of an object, in short.
#[must_use]
pub fn class_name(machine: &Machine<'_>, object: Ref) -> String {
    simple(machine, machine.vm.class(machine.heap.get(object).class))
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
            if let Some(selected) = machine.vm.classes.select(machine.heap.get(receiver).class, id) {
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
