//! Class loaders of the program (JVMS 5.3): which class a name means in a class that such a loader has
//! defined.
//!
//! A loader is an object of the state, and so is all that is known of it:
//!
//! - `ClassLoader.<space>`, an added field: its number, from when it first defines a class on. Numbers are
//!   given out by thread, the lowest that no loader has: so the order in which threads do that makes no
//!   difference to the state.
//! - `ClassLoader.<loaders>`, a static field: all loaders that have a number, in its order.
//! - `ClassLoader.<classes>`: the classes of which it is an initiating loader, its own included, in the order
//!   of their mirrors. An array in that field is never changed; a longer one takes its place.
//!
//! What a loader's own classes are like is decided by more than their names: see [`crate::class::space`]. So
//! the registry, which all states share, has every class that was defined in some state, and whether it is in
//! this one is for `<classes>` to say. All these are base objects and fields like others, so states have
//! them, and loaders that have defined a class are never garbage.
//!
//! To resolve a name in a class of a loader is to look into `<classes>`; where it is not there, `loadClass`
//! of the loader is called as a method of the program, in the middle of the operation, which is executed
//! again when it has returned. What that gives is recorded in `<classes>`. Loaders that are not capable of
//! loading in parallel are locked meanwhile, as HotSpot does it. Nothing that was resolved in such a class is
//! kept in its pool, which all states share.
//!
//! # Which accesses are seen
//!
//! Looking a name up in `<classes>` is an access only if the name is not there. An entry is never removed or
//! changed, so to find it commutes with everything that another thread can do from the same state: that
//! thread cannot be about to enter this name, since it is there. It only ends a step where not to find it
//! would have ended it, so that steps are cut in the same places in either order. Not to find it is a read of
//! the field, and to enter a name a write of it. Two threads that are about to load the same class are seen
//! in conflict by that, and by the monitors they enter. (Where an exception or a proxy needs the class, the
//! read is left to the first operation of the method that loads it.)
//!
//! # The loader of the class path
//!
//! What it finds on the class path is a function of the name, the same in all states, and the registry has
//! it. What it is given to define (`Lookup.defineClass`, `ClassLoader.defineClass` by reflection) is in the
//! space [`APP`], and recorded as for any loader. Such classes find both; so do `Class.forName` and
//! `loadClass`. Code of the class path that names one is unsupported, since what it names is resolved for all
//! states.
//!
//! # What is different
//!
//! `java` also loads classes in order to verify code, before the code runs. Here classes are loaded when they
//! are needed, so a loader that notes the order in which it is asked may note fewer names. What a class fails
//! to resolve is tried again the next time.

use super::dynamic::assemble::{Assembler, Draft};
use super::heap::{Data, Ref};
use super::machine::{Exec, Machine, Trap, exception};
use super::thread::Role;
use super::view::{Mode, Resource};
use crate::class::code::{Comparison, Op};
use crate::class::descriptor::{Kind, class_name};
use crate::class::registry::LoadError;
use crate::class::space::APP;
use crate::class::symbol::Symbol;
use crate::class::{Class, ClassId, Form, Loader, MethodId, flags};
use crate::gap::Gap;
use crate::native::Effect;
use crate::numbered::Name;

/// The names of the methods that call `loadClass`.
const LOAD: &str = "<load>";

/// Loaders that one thread can number.
const BLOCK: u32 = 1 << 12;

/// Why a class is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Code needs it: where there is no such class that is a `NoClassDefFoundError`.
    Link,
    /// The program has asked for it by name: then it is a `ClassNotFoundException`.
    Find,
    /// It is above a class of this name.
    Above(Symbol),
    /// An exception is caught by it, and thrown again when it is there.
    Catch(Ref),
    /// A proxy is to implement it. As [`Reason::Find`].
    Proxy,
}

impl<'vm> Machine<'vm> {
    /// The class that a name means in a class.
    ///
    /// # Errors
    /// If there is none; [`Trap::Again`] if the loader of the class is asked first.
    pub fn class_in(&mut self, from: &Class, name: Symbol) -> Exec<ClassId> {
        if from.space == 0 {
            return match self.vm.classes.load_symbol(name) {
                Err(error) if error.is_missing() => self.not_on_path(error, name),
                found => Ok(found?),
            };
        }
        self.class_of_loader(self.loader_in(from.space), name, Reason::Link)
    }

    /// Code of the class path needs a class that is not there. If the loader of the class path has defined
    /// one, that is what it means in this state; but what such code names is resolved for all states.
    fn not_on_path<T>(&mut self, error: LoadError, name: Symbol) -> Exec<T> {
        let loader = self.known_static(self.vm.known().system_loader) as Ref;
        if loader == 0 || self.space_of(loader) == 0 {
            return Err(error.into());
        }
        self.access(Resource::Slot(loader, self.vm.known().loader_classes), Mode::Read)?;
        match self.recorded(loader, name) {
            Some(id) => {
                let shown = self.vm.classes.java_name(id);
                Err(Gap::Named("code of the class path that names the class, which it has defined,", shown)
                    .into())
            }
            None => Err(error.into()),
        }
    }

    /// As [`Machine::class_in`], for a class that code names: it must be allowed to.
    ///
    /// # Errors
    /// As [`Machine::class_in`].
    pub fn linked_in(&mut self, from: &Class, name: Symbol) -> Exec<ClassId> {
        let found = self.class_in(from, name)?;
        if from.space != 0 {
            self.check_class_access(from, found)?;
        }
        Ok(found)
    }

    /// As [`Machine::class_in`], for a name as text.
    ///
    /// # Errors
    /// As [`Machine::class_in`].
    pub fn named_in(&mut self, from: &Class, name: &str) -> Exec<ClassId> {
        self.class_in(from, self.vm.classes.symbols.intern(name))
    }

    /// A descriptor of a class file with the full names of the classes in it.
    ///
    /// # Errors
    /// As [`Machine::class_in`].
    pub fn descriptor_in(&mut self, from: &Class, descriptor: &str) -> Exec<String> {
        if from.space == 0 {
            return Ok(descriptor.to_owned());
        }
        let mut full = String::new();
        let mut rest = descriptor;
        while let Some((before, after)) = rest.split_once('L') {
            let Some((name, behind)) = after.split_once(';') else { break };
            let id = self.named_in(from, name)?;
            full.push_str(before);
            full.push('L');
            full.push_str(self.vm.classes.name(id));
            full.push(';');
            rest = behind;
        }
        full.push_str(rest);
        Ok(full)
    }

    /// The class that a loader of the program gives for a name.
    ///
    /// # Errors
    /// As [`Machine::class_in`].
    pub fn class_of_loader(&mut self, loader: Ref, name: Symbol, reason: Reason) -> Exec<ClassId> {
        let classes = &self.vm.classes;
        if let Some(id) = self.recorded(loader, name) {
            if !matches!(reason, Reason::Catch(_) | Reason::Proxy) {
                self.begin_found(loader)?;
            }
            return Ok(id);
        }
        let text = classes.symbols.text(name).clone();
        if self.is_system_loader(loader) && !text.starts_with('[') {
            return match classes.load_symbol(name) {
                Err(error) if error.is_missing() => {
                    self.access(Resource::Slot(loader, self.vm.known().loader_classes), Mode::Read)?;
                    match reason {
                        Reason::Find | Reason::Proxy => {
                            Err(exception("java/lang/ClassNotFoundException", text.replace('/', ".")))
                        }
                        _ => Err(error.into()),
                    }
                }
                found => Ok(found?),
            };
        }
        if let Some(element) = text.strip_prefix('[') {
            if !element.starts_with(['L', '[']) {
                return Ok(classes.load_symbol(name)?);
            }
            let element =
                self.class_of_loader(loader, classes.symbols.intern(class_name(element)), reason)?;
            return Ok(classes.array_of(element)?);
        }
        if Kind::PRIMITIVE.into_iter().any(|kind| kind.name() == &*text) || &*text == "void" {
            return Ok(classes.load_symbol(name)?);
        }
        self.ask(loader, &text, reason)
    }

    /// The loader with a number.
    ///
    /// # Panics
    /// If there is none: a class of a space is known to no thread before its loader is.
    #[must_use]
    pub fn loader_in(&self, space: u32) -> Ref {
        let loaders = self.known_static(self.vm.known().loaders) as Ref;
        let found = self.refs_of(loaders).iter().copied().find(|&loader| self.space_of(loader) == space);
        found.expect("a loader that has defined a class has its number")
    }

    /// The number of a loader, or zero.
    #[must_use]
    pub fn space_of(&self, loader: Ref) -> u32 {
        self.process.heap.slot(loader, self.vm.known().loader_space) as u32
    }

    /// Whether a loader is that of the class path.
    #[must_use]
    pub fn is_system_loader(&self, loader: Ref) -> bool {
        loader != 0 && self.known_static(self.vm.known().system_loader) == u64::from(loader)
    }

    /// The class that the loader with a number is known to give for a name.
    pub(super) fn recorded_in(&self, space: u32, name: &str) -> Option<ClassId> {
        self.recorded(self.loader_in(space), self.vm.classes.symbols.intern(name))
    }

    /// The class that a loader is known to give for a name.
    #[must_use]
    pub fn recorded(&self, loader: Ref, name: Symbol) -> Option<ClassId> {
        let list = self.process.heap.slot(loader, self.vm.known().loader_classes) as Ref;
        let mut found = self.refs_of(list).iter().map(|&mirror| self.class_of_mirror(mirror));
        found.find(|&id| self.vm.class(id).plain == name)
    }

    /// The references in an array, none if there is no array.
    pub(crate) fn refs_of(&self, list: Ref) -> &[Ref] {
        match (list != 0).then(|| &self.process.heap.get(list).data) {
            Some(Data::Refs(refs)) => refs,
            _ => &[],
        }
    }

    /// Notes that a loader gives a class for its name. The field is accessed by the caller.
    pub(crate) fn record_class(&mut self, loader: Ref, class: ClassId) -> Exec<()> {
        let known = self.vm.known();
        let mirror = self.vm.mirror(class);
        let mut list = self.refs_of(self.process.heap.slot(loader, known.loader_classes) as Ref).to_vec();
        if let Err(at) = list.binary_search(&mirror) {
            list.insert(at, mirror);
            let list = self.new_refs(known.class, &list)?;
            self.set_ref(loader, known.loader_classes, list);
        }
        Ok(())
    }

    /// Gives a loader a number. The field is accessed by the caller.
    pub(crate) fn number_loader(&mut self, loader: Ref) -> Exec<()> {
        let known = self.vm.known();
        let loaders = self.known_static(known.loaders) as Ref;
        let mut list = self.refs_of(loaders).to_vec();
        let first = self.thread().id.wrapping_mul(BLOCK) + 1;
        let is_taken = |space: u32| list.iter().any(|&other| self.space_of(other) == space);
        let free = || (first..first + BLOCK).find(|&space| !is_taken(space));
        let Some(space) = (if self.is_system_loader(loader) { Some(APP) } else { free() }) else {
            return Err(Trap::Unsupported("a thread with more than 4,096 class loaders".into()));
        };
        let at = list.partition_point(|&other| self.space_of(other) < space);
        list.insert(at, loader);
        self.process.heap.set_slot(loader, known.loader_space, u64::from(space));
        let class = self.vm.load("java/lang/ClassLoader")?;
        let list = self.new_refs(class, &list)?;
        self.set_static("java/lang/ClassLoader", "<loaders>", u64::from(list));
        Ok(())
    }

    /// Calls `loadClass` of a loader, after which the running operation is executed again.
    fn ask<T>(&mut self, loader: Ref, name: &str, reason: Reason) -> Exec<T> {
        let vm = self.vm;
        self.check_circle(loader, name)?;
        if !matches!(reason, Reason::Catch(_) | Reason::Proxy) {
            self.access(Resource::Slot(loader, vm.known().loader_classes), Mode::Read)?;
        }
        let is_link = !matches!(reason, Reason::Find | Reason::Proxy);
        let method = self.load_method(is_link, !self.is_parallel(loader))?;
        let dotted = vm.literal_str(&name.replace('/', "."));
        let slashed = vm.literal_str(name);
        let below = match reason {
            Reason::Above(class) => vm.literal_str(vm.classes.symbols.text(class)),
            _ => 0,
        };
        let thrown = if let Reason::Catch(thrown) = reason { thrown } else { 0 };
        let args = [loader, dotted, slashed, below, thrown].map(u64::from);
        self.push_frame(vm.classes.method(method), &args, Role::Aside)?;
        Err(Trap::Again)
    }

    /// Whether a loader can load several classes at a time.
    fn is_parallel(&self, loader: Ref) -> bool {
        let slot = self.vm.classes.slot("java/lang/ClassLoader", "parallelLockMap");
        slot.is_some_and(|slot| self.process.heap.slot(loader, slot) != 0)
    }

    /// A class that is being defined is not asked for again because it is above itself.
    fn check_circle(&self, loader: Ref, name: &str) -> Exec<()> {
        let below = u64::from(self.vm.literal_str(name));
        let thread = self.thread();
        let is_above = thread.frames.iter().any(|frame| {
            let locals = &thread.slots[frame.base as usize..];
            self.is_load(frame.method.id) && locals[0] == u64::from(loader) && locals[3] == below
        });
        match is_above {
            true => Err(exception("java/lang/ClassCircularityError", name)),
            false => Ok(()),
        }
    }

    fn is_load(&self, id: MethodId) -> bool {
        let method = self.vm.classes.method(id);
        method.is_made() && &**self.vm.classes.symbols.text(method.name) == LOAD
    }

    /// The method that calls `loadClass` and records what it gives. Its arguments: the loader, the name with
    /// dots, the name with slashes, the class below (or `null`), and what is thrown at the end (or `null`).
    fn load_method(&self, is_link: bool, locks: bool) -> Exec<MethodId> {
        let vm = self.vm;
        vm.made.method(format!("load {is_link} {locks}"), |key| {
            use crate::native::loader::{record_found, record_linked, was_recorded};
            let descriptor = "(Ljava/lang/Class;Ljava/lang/ClassLoader;Ljava/lang/String;)V";
            let record: Effect = Effect::Shared(if is_link { record_linked } else { record_found });
            let record = self.native(&format!("<record {is_link}>"), descriptor, record)?;
            let known = self.native(
                "<recorded>",
                "(Ljava/lang/ClassLoader;Ljava/lang/String;)Z",
                Effect::Shared(was_recorded),
            )?;
            let mut asm = Assembler::new(&vm.classes);
            if locks {
                asm.ops(&[Op::Load(0), Op::MonitorEnter]);
            }
            let start = asm.here();
            asm.ops(&[Op::Load(0), Op::Load(1), Op::Call(known, false)]);
            let done = asm.jump(Op::If(Comparison::Ne, 0));
            asm.ops(&[Op::Load(0), Op::Load(1)]);
            let loader = "java/lang/ClassLoader";
            asm.call(loader, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;", true)?;
            asm.ops(&[Op::Load(0), Op::Load(1), Op::Call(record, false)]);
            let mut guarded = vec![(start, asm.here())];
            asm.land(done);
            // Read here, so that states keep it while the class is loaded: see `check_circle`.
            asm.ops(&[Op::Load(3), Op::Pop]);
            if locks {
                asm.ops(&[Op::Load(0), Op::MonitorExit]);
            }
            asm.op(Op::Load(4));
            let leave = asm.jump(Op::IfNull(true, 0));
            asm.ops(&[Op::Load(4), Op::Throw]);
            asm.land(leave);
            asm.leave(None);
            if is_link {
                let (error, from) = ("java/lang/NoClassDefFoundError", asm.here());
                asm.catch(start, guarded[0].1, vm.load("java/lang/ClassNotFoundException")?);
                asm.store(Kind::Ref, 5);
                asm.ops(&[Op::NewOf(vm.load(error)?), Op::Dup, Op::Load(2)]);
                asm.call(error, "<init>", "(Ljava/lang/String;)V", false)?.op(Op::Load(5));
                let cause = "(Ljava/lang/Throwable;)Ljava/lang/Throwable;";
                asm.call("java/lang/Throwable", "initCause", cause, true)?.op(Op::Throw);
                guarded.push((from, asm.here()));
            }
            if locks {
                for (from, to) in guarded {
                    asm.catch(from, to, vm.known().throwable);
                }
                asm.store(Kind::Ref, 5);
                asm.ops(&[Op::Load(0), Op::MonitorExit, Op::Load(5), Op::Throw]);
            }
            let descriptor =
                "(Ljava/lang/ClassLoader;Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Throwable;)V";
            Ok(asm.add(key, vm.known().object, LOAD, descriptor))
        })
    }

    fn native(&self, name: &str, descriptor: &str, effect: Effect) -> Exec<MethodId> {
        let vm = self.vm;
        vm.made.method(format!("{name} {descriptor}"), |key| {
            let draft = Draft::native(name, descriptor, flags::STATIC | flags::SYNTHETIC, effect);
            let purpose = || Name::made_method(key);
            Ok(vm.classes.add_method(purpose, |id| draft.method(&vm.classes, vm.known().object, id)))
        })
    }

    /// Where a class comes from, as `java` says it: its module and loader, and the parent of a loader of the
    /// program.
    #[must_use]
    pub fn home_of(&self, id: ClassId, with_parent: bool) -> String {
        let classes = &self.vm.classes;
        let mut element = id;
        while let Form::Array(inner) = classes.get(element).form {
            element = inner;
        }
        let class = classes.get(element);
        if class.loader == Loader::Boot {
            let module = classes.sources.jdk.module_of(classes.name(element)).unwrap_or("java.base");
            return format!("in module {module} of loader 'bootstrap'");
        }
        if class.space == 0 {
            return "in unnamed module of loader 'app'".into();
        }
        let field = |object: Ref, name: &str| {
            let slot = classes.slot("java/lang/ClassLoader", name);
            slot.map_or(0, |slot| self.process.heap.slot(object, slot) as Ref)
        };
        let shown = |loader: Ref| match field(loader, "nameAndId") {
            0 => "'app'".to_owned(),
            text => self.text(text),
        };
        let loader = self.loader_in(class.space);
        let parent = match field(loader, "parent") {
            _ if !with_parent => String::new(),
            0 => ", parent loader 'bootstrap'".into(),
            parent => format!(", parent loader {}", shown(parent)),
        };
        format!("in unnamed module of loader {}{parent}", shown(loader))
    }
}
