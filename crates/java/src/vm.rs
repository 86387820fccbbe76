//! The virtual machine: what all workers share. Classes, the base image of objects, literals.

pub mod arithmetic;
pub mod caches;
mod call;
pub mod clock;
mod constraints;
mod dropped;
pub mod dynamic;
pub mod execute;
mod fast;
pub mod heap;
pub mod initialize;
pub mod invoke;
pub mod knowledge;
pub mod known;
pub mod left;
pub mod loaders;
pub mod machine;
pub mod monitor;
pub mod null;
pub mod pending;
pub mod process;
pub mod reads;
pub mod resolve;
pub mod section;
pub mod spurious;
pub mod step;
pub mod strings;
pub mod thread;
pub mod throw;
mod unsupported;
pub mod view;

use crate::class::descriptor::Kind;
use crate::class::file::Text;
use crate::class::pool::Constant;
use crate::class::registry::{Classes, LoadError};
use crate::class::{Class, ClassId, flags};
use crate::error::Error;
use crate::native::Natives;
use crate::numbered::{Name, Numbered};
use crate::state::form::Form;
use heap::{Data, Layout, Object, Ref};
use known::Known;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

/// How a program is to be run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Threads can be interleaved at every access, also to what only one of them can reach.
    pub every_access: bool,
    /// Plain accesses to what several threads can reach are no reason to interleave, until two of them are
    /// seen to conflict.
    pub until_conflict: bool,
    /// What was printed is part of a state.
    pub keep_output: bool,
    /// `java.util.Random` gives every possible value where there are few.
    pub random_choices: bool,
    /// Locks of `java.util.concurrent` are made of the class library's own class, and not of those of
    /// [`crate::simple`].
    pub jdk_locks: bool,
    /// How many processors the imaginary computer has.
    pub processors: u32,
    /// Up to this many waits of a run end spuriously.
    pub spurious: u32,
    /// Exit statuses beside zero that are no violation.
    pub allowed_exits: Statuses,
    /// Methods, as `java/util/Arrays.fill`, whose own code runs although the machine could do without, to
    /// compare.
    pub own_code: &'static [&'static str],
    /// Waits end by time only when no thread can go on otherwise.
    pub idle_timeouts: bool,
    /// The process ends when `main` has ended, whatever other threads do.
    pub end_with_main: bool,
    /// A data race is a violation.
    pub races: bool,
    /// Whether assertions are on, in the classes of the program.
    pub assertions: bool,
    /// A write to a socket waits while this many bytes have arrived and are not read.
    pub socket_buffer: u32,
    /// What may fail.
    pub failures: crate::network::failures::Failures,
    /// How its states are written down.
    pub form: Form,
}

impl Options {
    /// Whether the steps of one process may be taken before those of others (see `processes::cursor`). Where
    /// a process can be killed and ends are told apart, it matters that it may be killed before it ends by
    /// itself.
    #[must_use]
    pub fn is_ordered(&self) -> bool {
        let is_killed = self.failures.most > 0 && self.failures.has(crate::network::failures::Kind::Crash);
        self.form.order && !(self.keep_output && is_killed)
    }
}

/// A set of exit statuses from 0 to 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Statuses([u64; 4]);

impl Statuses {
    /// Adds one.
    pub fn add(&mut self, status: u8) {
        self.0[usize::from(status) / 64] |= 1 << (status % 64);
    }

    /// Whether a status is one of them.
    #[must_use]
    pub fn has(&self, status: i32) -> bool {
        u8::try_from(status).is_ok_and(|status| self.0[usize::from(status) / 64] >> (status % 64) & 1 == 1)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            every_access: false,
            until_conflict: true,
            keep_output: false,
            random_choices: false,
            jdk_locks: false,
            processors: 2,
            spurious: 0,
            allowed_exits: Statuses::default(),
            own_code: &[],
            idle_timeouts: false,
            end_with_main: false,
            races: false,
            assertions: true,
            socket_buffer: 65_536,
            failures: crate::network::failures::Failures::default(),
            form: Form::default(),
        }
    }
}

/// What all workers share.
pub struct Vm {
    /// The classes.
    pub classes: Classes,
    /// The frozen objects.
    pub base: Numbered<Object>,
    /// How programs are run unless they say otherwise.
    pub options: Options,
    /// What the machine does itself.
    pub natives: Natives,
    /// The program's source text, for people.
    pub text: crate::source::text::SourceText,
    known: OnceLock<Known>,
    literals: Mutex<HashMap<Box<[u16]>, Ref>>,
    /// Methods and classes that the machine made.
    pub made: dynamic::Made,
    boot_module: OnceLock<Ref>,
}

impl Vm {
    /// A machine without objects.
    #[must_use]
    pub fn new(classes: Classes, options: Options) -> Self {
        let base = Numbered::default();
        // Number zero is `null`.
        base.add(|| Name::object("null"), |_| Object::new(ClassId(0), Data::Slots(Box::default())));
        let natives = Natives::new(&classes.symbols, options.own_code);
        Self {
            classes,
            base,
            options,
            natives,
            text: Default::default(),
            known: OnceLock::new(),
            literals: Mutex::default(),
            made: Default::default(),
            boot_module: OnceLock::new(),
        }
    }

    /// Finds what the machine must know by name.
    ///
    /// # Errors
    /// If the class library lacks it.
    pub fn learn(&self) -> Result<(), Error> {
        let known = Known::find(&self.classes)?;
        assert!(self.known.set(known).is_ok(), "it is learnt once");
        Ok(())
    }

    /// Classes and slots that the machine knows by name.
    ///
    /// # Panics
    /// Before [`Vm::learn`].
    #[inline]
    #[must_use]
    pub fn known(&self) -> &Known {
        self.known.get().expect("the machine learns names before anything else")
    }

    /// A class.
    #[inline]
    #[must_use]
    pub fn class(&self, id: ClassId) -> &Class {
        self.classes.get(id)
    }

    /// The `java.lang.Class` object of a class; it holds the static fields too.
    #[must_use]
    pub fn mirror(&self, id: ClassId) -> Ref {
        let class = self.class(id);
        *class.mirror.get_or_init(|| {
            let known = self.known();
            let n_instance = self.class(known.class).instance.len();
            let mut slots = vec![0_u64; n_instance];
            slots.extend(class.statics.iter().map(|_| 0));
            for field in class.fields.iter().filter(|f| f.flags & flags::STATIC != 0 && f.constant != 0) {
                slots[n_instance + field.slot as usize] = self.constant_value(class, field.constant);
            }
            let has_nothing_to_do = class.is_primitive() || class.is_array() || class.traits.born_initialized;
            slots.push(if has_nothing_to_do { INITIALIZED } else { 0 });
            slots.push(u64::from(id.0));
            if let crate::class::Form::Array(element) = class.form {
                slots[known.class_component as usize] = u64::from(self.mirror(element));
            }
            if class.loader == crate::class::Loader::Boot {
                slots[known.class_module as usize] = u64::from(self.boot_module());
            }
            let mut object = Object::new(known.class, Data::Slots(slots.into()));
            object.shared = true;
            self.base.add(|| Name::mirror(id.0), |_| object)
        })
    }

    /// From now on the numbers of classes, methods and objects do not depend on the order in which they are
    /// added.
    pub(crate) fn seal(&mut self) {
        self.classes.seal();
        self.base.seal();
    }

    /// The names of two things that should have the same number, if there are such: then no state can be
    /// trusted.
    #[inline]
    pub(crate) fn clash(&self) -> Option<&str> {
        self.classes.clash().or_else(|| self.base.clash()).or_else(|| self.classes.sources.files.clash())
    }

    /// The `java.lang.Module` object that stands for all of the class library.
    ///
    /// # Panics
    /// If the class library has no such class.
    #[must_use]
    pub fn boot_module(&self) -> Ref {
        *self.boot_module.get_or_init(|| {
            let module = self.classes.load("java/lang/Module").expect("JDK 9 and later have modules");
            let mut slots = vec![0_u64; self.class(module).instance.len()];
            if let Some(slot) = self.classes.slot("java/lang/Module", "name") {
                slots[slot as usize] = u64::from(self.literal_str("java.base"));
            }
            let mut object = Object::new(module, Data::Slots(slots.into()));
            object.shared = true;
            self.base.add(|| Name::object("the module java.base"), |_| object)
        })
    }

    fn constant_value(&self, class: &Class, idx: u16) -> u64 {
        match class.pool.get(idx) {
            Constant::Int(value) => u64::from(value as u32),
            Constant::Float(value) => u64::from(value.to_bits()),
            Constant::Long(value) => value as u64,
            Constant::Double(value) => value.to_bits(),
            Constant::String(text) => u64::from(self.literal_constant(class, text)),
            _ => 0,
        }
    }

    /// The string that a class has as a constant.
    #[must_use]
    pub fn literal_constant(&self, class: &Class, text: u16) -> Ref {
        let file = class.file.as_ref().expect("a class with constants has a file");
        let units = file.constant_pool.try_get_utf8(text).map(Text::to_utf16).unwrap_or_default();
        self.literal(&units)
    }

    /// The one string of these UTF-16 units that literals and `String.intern` give.
    ///
    /// # Panics
    /// If another thread panicked while it added a literal.
    #[must_use]
    pub fn literal(&self, units: &[u16]) -> Ref {
        let mut literals = self.literals.lock().expect("nobody panics while holding the literals");
        if let Some(&literal) = literals.get(units) {
            return literal;
        }
        let known = self.known();
        let name = || Name::object(&format!("the string \"{}\"", strings::escaped(units)));
        let (bytes, coder) = strings::encode(units);
        let mut value = Object::new(known.byte_array, Data::Bytes(bytes.into()));
        value.shared = true;
        let value = self.base.add(|| name().part(), |_| value);
        let mut slots = vec![0_u64; self.class(known.string).instance.len()];
        slots[known.string_value as usize] = u64::from(value);
        slots[known.string_coder as usize] = coder;
        let mut string = Object::new(known.string, Data::Slots(slots.into()));
        string.shared = true;
        let literal = self.base.add(name, |_| string);
        literals.insert(units.into(), literal);
        literal
    }

    /// The literal of a Rust string.
    #[must_use]
    pub fn literal_str(&self, text: &str) -> Ref {
        self.literal(&text.encode_utf16().collect::<Vec<_>>())
    }

    /// The kinds of the slots of an object that is no array.
    #[inline]
    pub fn kinds<'a>(&'a self, object: &'a Object) -> impl Iterator<Item = Kind> + 'a {
        let class = self.class(object.class);
        let mirrored = if object.class == self.known().class { Some(self.mirrored(object)) } else { None };
        let statics = mirrored.map_or(&[][..], |id| &self.class(id).statics);
        let tail: &[Kind] = if mirrored.is_some() { &[Kind::Int, Kind::Int] } else { &[] };
        class.instance.iter().chain(statics).chain(tail).copied()
    }

    /// The class whose mirror an object is.
    ///
    /// # Panics
    /// If it is no mirror.
    #[must_use]
    pub fn mirrored(&self, mirror: &Object) -> ClassId {
        match &mirror.data {
            Data::Slots(slots) => ClassId(*slots.last().expect("a mirror has slots") as u32),
            _ => panic!("an array is no mirror"),
        }
    }

    /// The slot of a mirror that holds a static field.
    #[inline]
    #[must_use]
    pub fn static_slot(&self, slot: u32) -> u32 {
        self.known().n_class_slots + slot
    }

    /// The slot of a mirror that says whether the class is initialised.
    #[must_use]
    pub fn status_slot(&self, class: &Class) -> u32 {
        self.known().n_class_slots + class.statics.len() as u32
    }

    /// A class by its name, which the class library must have.
    ///
    /// # Errors
    /// If it does not.
    pub fn load(&self, name: &str) -> Result<ClassId, LoadError> {
        self.classes.load(name)
    }
}

/// The status of a class that is initialised. Zero: not yet.
pub const INITIALIZED: u64 = 1;
/// The status of a class whose initialisation failed.
pub const ERRONEOUS: u64 = 2;
/// The status of a class that the first thread initialises; others follow.
pub const INITIALIZING: u64 = 3;

impl Vm {
    /// Whether an object leads to what it led to before it was changed.
    #[must_use]
    pub fn leads_alike(&self, before: &Object, now: &Object) -> bool {
        match (&before.data, &now.data) {
            (Data::Slots(before), Data::Slots(slots)) if now.class != self.known().class => {
                let mut references = self.class(now.class).outline.references.iter();
                references.all(|&slot| before[slot as usize] == slots[slot as usize])
            }
            (Data::Slots(before), Data::Slots(slots)) => {
                let mut pairs = self.kinds(now).zip(before.iter().zip(slots.iter()));
                pairs.all(|(kind, (before, now))| kind != Kind::Ref || before == now)
            }
            (Data::Refs(before), Data::Refs(now)) => before == now,
            _ => true,
        }
    }
}

impl Layout for Vm {
    fn references(&self, _reference: Ref, object: &Object, found: &mut dyn FnMut(Ref)) {
        match &object.data {
            Data::Bytes(_) => {}
            Data::Refs(refs) => refs.iter().for_each(|&reference| found(reference)),
            Data::Slots(slots) if object.class != self.known().class => {
                for &slot in &self.class(object.class).outline.references {
                    found(slots[slot as usize] as u32);
                }
            }
            Data::Slots(slots) => {
                for (kind, &slot) in self.kinds(object).zip(slots.iter()) {
                    if kind == Kind::Ref {
                        found(slot as u32);
                    }
                }
            }
        }
    }
}
