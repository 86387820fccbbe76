//! Initialisation of classes (JVMS 5.5). Whether a class is initialised, and by whom it is being initialised,
//! is part of a state; a thread that needs a class which another one initialises waits, so deadlocks of
//! initialisers are found.

use super::heap::Ref;
use super::machine::{Exec, Machine, Trap};
use super::thread::Role;
use super::view::{Mode, Resource};
use super::{ERRONEOUS, INITIALIZED, INITIALIZING};
use crate::class::{Class, ClassId};

impl<'vm> Machine<'vm> {
    /// The status of a class.
    #[inline]
    #[must_use]
    pub fn class_status(&self, class: &Class) -> u64 {
        self.process.heap.slot(self.vm.mirror(class.id), self.vm.status_slot(class))
    }

    /// Sets the status of a class.
    pub fn set_class_status(&mut self, class: &Class, status: u64) {
        let slot = self.vm.status_slot(class);
        self.process.heap.set_slot(self.vm.mirror(class.id), slot, status);
    }

    /// To be called before an operation that needs an initialised class.
    ///
    /// # Errors
    /// [`Trap::Again`] if an initialiser was called, [`Trap::Blocked`] if another thread initialises it.
    #[inline]
    pub fn ensure_initialized(&mut self, id: ClassId) -> Exec<()> {
        let class = self.vm.class(id);
        if self.class_status(class) == INITIALIZED {
            return Ok(());
        }
        self.initialize(class)
    }

    fn initialize(&mut self, class: &'vm Class) -> Exec<()> {
        let mine = INITIALIZING + u64::from(self.thread().id);
        match self.class_status(class) {
            INITIALIZED => return Ok(()),
            ERRONEOUS => {
                let message = format!("Could not initialize class {}", self.vm.classes.java_name(class.id));
                let error = self.make_exception("java/lang/NoClassDefFoundError", Some(&message))?;
                if let Some(slot) = self.failure_slot() {
                    let failure = self.process.heap.slot(self.vm.mirror(class.id), slot) as Ref;
                    self.set_ref(error, self.vm.known().throwable_cause, failure);
                }
                return Err(Trap::Throw(error));
            }
            status if status == mine => return Ok(()),
            0 => {}
            status => {
                self.access(Resource::Unlisted, Mode::Write)?;
                return Err(self.blocked_by((status - INITIALIZING) as u32));
            }
        }
        if class.initializer.is_none() && self.next_to_initialize(class).is_none() {
            // Nothing of the program runs: nobody can see when it happens.
            self.set_class_status(class, INITIALIZED);
            self.caches.n_initialized += 1;
            return Ok(());
        }
        self.access(Resource::Unlisted, Mode::Write)?;
        self.set_class_status(class, mine);
        let method = match class.initializer {
            Some(id) => self.vm.classes.method(id),
            None => self.vm.classes.method(self.vm.natives.nothing(&self.vm.classes)),
        };
        self.push_frame(method, &[], Role::FreshInitializer)?;
        if class.initializer.is_none() {
            // The frame that stands for an initialiser without code must know its class.
            self.thread_mut().top_mut().lock = 0;
            let mirror = self.vm.mirror(class.id);
            let thread = self.thread_mut();
            let base = thread.top().base as usize;
            thread.slots[base] = u64::from(mirror);
        }
        Err(Trap::Again)
    }

    /// The class whose initialiser the running method is.
    pub(super) fn initialized_by_top(&self) -> &'vm Class {
        let frame = self.thread().top();
        if frame.method.id == self.vm.natives.nothing(&self.vm.classes) {
            let mirror = self.thread().slots[frame.base as usize] as Ref;
            return self.vm.class(self.class_of_mirror(mirror));
        }
        self.vm.class(frame.method.class)
    }

    /// The superclass, or superinterface with default methods, that is to be initialised before a class.
    fn next_to_initialize(&self, class: &'vm Class) -> Option<&'vm Class> {
        if class.is_interface() {
            return None;
        }
        let mine = INITIALIZING
            + self.process.threads.get(self.step.current).map_or(0, |thread| u64::from(thread.id));
        let is_open = |class: &Class| {
            let status = self.class_status(class);
            status != INITIALIZED && status != mine
        };
        let parent = class.super_class.map(|id| self.vm.class(id)).filter(|parent| is_open(parent));
        parent.or_else(|| {
            let interfaces = self.vm.classes.superinterfaces(class.id).into_iter();
            let mut interfaces = interfaces.map(|id| self.vm.class(id));
            interfaces.find(|other| other.traits.has_defaults && is_open(other))
        })
    }

    /// The first operation of an initialiser is about to run: its superclasses come first.
    ///
    /// # Errors
    /// As [`Machine::ensure_initialized`].
    pub fn begin_initializer(&mut self) -> Exec<()> {
        let class = self.initialized_by_top();
        while let Some(next) = self.next_to_initialize(class) {
            self.initialize(next)?;
        }
        self.thread_mut().top_mut().role = Role::Initializer;
        Ok(())
    }

    /// An initialiser came to its end.
    pub fn end_initializer(&mut self) {
        let class = self.initialized_by_top();
        self.set_class_status(class, INITIALIZED);
        self.caches.n_initialized += 1;
    }

    /// The initialiser of a class threw `thrown`, and is no method under way any more: what its caller sees.
    ///
    /// # Errors
    /// If the class library lacks the class of the error.
    pub fn fail_initializer(&mut self, class: &'vm Class, thrown: Ref) -> Exec<Ref> {
        self.set_class_status(class, ERRONEOUS);
        self.keep_failure(class, thrown)?;
        let error = self.vm.load("java/lang/Error")?;
        if self.is_instance(thrown, error) {
            return Ok(thrown);
        }
        let wrapper = self.make_exception("java/lang/ExceptionInInitializerError", None)?;
        if let Some(slot) = self.vm.classes.slot("java/lang/ExceptionInInitializerError", "exception") {
            self.set_ref(wrapper, slot, thrown);
        }
        self.set_ref(wrapper, self.vm.known().throwable_cause, thrown);
        Ok(wrapper)
    }

    /// Where a class object keeps what later users of a class are told of its failure: a field that only
    /// hidden classes use.
    fn failure_slot(&self) -> Option<u32> {
        self.vm.classes.slot("java/lang/Class", "classData")
    }

    /// Keeps an error that says what was thrown, where and in which thread, without keeping that itself.
    fn keep_failure(&mut self, class: &'vm Class, thrown: Ref) -> Exec<()> {
        let Some(slot) = self.failure_slot() else { return Ok(()) };
        let known = self.vm.known();
        let name = self.process.heap.slot(self.thread().object, known.thread_name) as Ref;
        let name = if name == 0 { String::new() } else { self.text(name) };
        let message = format!("Exception {} [in thread \"{name}\"]", self.shown_exception(thrown));
        let failure = self.make_exception("java/lang/ExceptionInInitializerError", Some(&message))?;
        self.set_ref(failure, known.throwable_cause, 0);
        let trace = self.process.heap.slot(thrown, known.throwable_backtrace) as Ref;
        self.set_ref(failure, known.throwable_backtrace, trace);
        let depth = self.process.heap.slot(thrown, known.throwable_depth);
        self.process.heap.set_slot(failure, known.throwable_depth, depth);
        self.set_ref(self.vm.mirror(class.id), slot, failure);
        Ok(())
    }
}
