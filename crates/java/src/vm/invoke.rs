//! Calls and returns.

use super::heap::Ref;
use super::machine::{Exec, Machine, Trap, exception};
use super::thread::{Frame, Role};
use super::view::{Mode, Resource};
use crate::class::symbol::Symbol;
use crate::class::{ClassId, Method, MethodId};
use crate::native::{Answer, Effect};

/// A thread with more frames than this gets a `StackOverflowError`.
const MAX_FRAMES: usize = 12_000;

impl<'vm> Machine<'vm> {
    /// Pushes a frame for a method with code.
    ///
    /// # Errors
    /// `StackOverflowError`, or if the code is no good.
    pub fn push_frame(&mut self, method: &'vm Method, args: &[u64], role: Role) -> Exec<()> {
        let code = self.vm.classes.code(method)?;
        let thread = self.thread_mut();
        if thread.frames.len() >= MAX_FRAMES {
            return Err(Trap::Exception("java/lang/StackOverflowError", None));
        }
        let base = thread.frames.last().map_or(0, |frame| frame.sp);
        let sp = base + u32::from(method.max_locals);
        let end = (sp + u32::from(method.max_stack)) as usize;
        if thread.slots.len() < end {
            thread.slots.resize(end, 0);
        }
        let locals = &mut thread.slots[base as usize..sp as usize];
        locals[..args.len()].copy_from_slice(args);
        locals[args.len()..].fill(0);
        thread.frames.push(Frame { method, code, pc: 0, base, sp, lock: 0, role });
        Ok(())
    }

    /// The method that the class of an object selects for a call of `method`.
    ///
    /// # Errors
    /// If there is none.
    #[inline]
    pub fn select(&mut self, class: ClassId, method: MethodId) -> Exec<&'vm Method> {
        let place = (class.0.wrapping_mul(31) ^ method.0) as usize % super::caches::N_RECENT;
        let (of, named, selected) = self.caches.recent[place];
        if of == class && named == method {
            return Ok(self.vm.classes.method(selected));
        }
        if let Some(&selected) = self.caches.selected.get(&(class, method)) {
            self.caches.recent[place] = (class, method, selected);
            return Ok(self.vm.classes.method(selected));
        }
        let found = self.vm.classes.select(class, method).unwrap_or(method);
        self.caches.selected.insert((class, method), found);
        Ok(self.vm.classes.method(found))
    }

    /// Calls a method whose arguments are on the stack; `site` is the descriptor of the call.
    ///
    /// # Errors
    /// What the call throws at once, or why it does not happen now.
    pub fn invoke(&mut self, method: &'vm Method, n_args: u16, site: Symbol) -> Exec<()> {
        let native = method.native.get_or_init(|| self.vm.natives.find(&self.vm.classes, method));
        if let Some(native) = native {
            return self.invoke_native(method, *native, n_args, site);
        }
        self.invoke_code(method, n_args)
    }

    fn invoke_native(&mut self, method: &'vm Method, native: Effect, n_args: u16, site: Symbol) -> Exec<()> {
        let mut args = [0_u64; 16];
        let top = self.thread().top().sp as usize;
        let start = top - usize::from(n_args);
        self.step.site = site;
        let answer = if usize::from(n_args) <= args.len() {
            let args = &mut args[..usize::from(n_args)];
            args.copy_from_slice(&self.thread().slots[start..top]);
            native.execute(self, method, args)?
        } else {
            let args = self.thread().slots[start..top].to_vec();
            native.execute(self, method, &args)?
        };
        match answer {
            Answer::Bytecode => return self.invoke_code(method, n_args),
            Answer::Call(callee, args, role) => return self.call_instead(callee, &args, role, n_args),
            _ => {}
        }
        let thread = self.thread_mut();
        thread.drop_slots(u32::from(n_args));
        match answer {
            Answer::Word(value) => thread.push(value),
            Answer::Wide(value) => thread.push2(value),
            _ => {}
        }
        // A thread that ended itself has no frame to go on with.
        if let Some(frame) = thread.frames.last_mut() {
            frame.pc += 1;
        }
        Ok(())
    }

    /// Calls a method in place of a native one whose `n_args` arguments are on the stack. They stay there
    /// until the call has really happened: if it does not happen now, the native method is called again.
    fn call_instead(&mut self, callee: MethodId, args: &[u64], role: Role, n_args: u16) -> Exec<()> {
        let n_frames = self.thread().frames.len();
        let end = self.thread().top().sp;
        let callee = self.vm.classes.method(callee);
        let called = self.enter_method(callee, args, role);
        let thread = self.thread_mut();
        let has_entered = thread.frames.len() > n_frames;
        let caller = &mut thread.frames[n_frames - 1];
        match called {
            Ok(()) | Err(Trap::Yield) if has_entered => {
                // The arguments of an operation that is executed again are needed once more.
                caller.sp = if role == Role::Aside { end } else { end - u32::from(n_args) };
                thread.top_mut().role = role;
            }
            Ok(()) => {
                let n_results = if role == Role::Detached { 0 } else { caller.sp - end };
                let start = end - u32::from(n_args);
                caller.sp = start + n_results;
                thread.slots.copy_within(end as usize..(end + n_results) as usize, start as usize);
            }
            Err(_) => caller.sp = end,
        }
        called
    }

    /// Calls a method that is not on the stack: with code, or native and done at once.
    ///
    /// # Errors
    /// As [`Machine::invoke`].
    pub fn enter_method(&mut self, callee: &'vm Method, args: &[u64], role: Role) -> Exec<()> {
        let native = callee.native.get_or_init(|| self.vm.natives.find(&self.vm.classes, callee));
        if native.is_some() || callee.is_native() || callee.is_abstract() {
            // As if the running method called it: the arguments are pushed for it.
            let thread = self.thread_mut();
            let needed = thread.top().sp as usize + args.len();
            if thread.slots.len() < needed + 2 {
                thread.slots.resize(needed + 2, 0);
            }
            for &arg in args {
                thread.push(arg);
            }
            return self.invoke(callee, args.len() as u16, callee.descriptor);
        }
        let lock = if callee.is_synchronized() {
            let object = if callee.is_static() { self.vm.mirror(callee.class) } else { args[0] as Ref };
            self.enter_monitor(object)?;
            object
        } else {
            0
        };
        self.push_frame(callee, args, role)?;
        self.thread_mut().top_mut().lock = lock;
        Ok(())
    }

    fn invoke_code(&mut self, method: &'vm Method, n_args: u16) -> Exec<()> {
        if method.is_native() {
            return Err(self.unsupported_native(method));
        }
        if method.is_abstract() {
            let shown =
                super::throw::shown_method(&self.vm.classes, method.class, method.name, method.descriptor);
            return Err(exception("java/lang/AbstractMethodError", shown));
        }
        let code = self.vm.classes.code(method)?;
        if self.thread().frames.len() >= MAX_FRAMES {
            return Err(Trap::Exception("java/lang/StackOverflowError", None));
        }
        let n_args = u32::from(n_args);
        let mut lock = 0;
        if method.is_synchronized() {
            lock = if method.is_static() {
                self.vm.mirror(method.class)
            } else {
                let thread = self.thread();
                thread.slots[(thread.top().sp - n_args) as usize] as Ref
            };
            self.enter_monitor(lock)?;
        }
        let thread = self.thread_mut();
        let caller = thread.top_mut();
        caller.sp -= n_args;
        let base = caller.sp;
        let sp = base + u32::from(method.max_locals);
        let end = (sp + u32::from(method.max_stack)) as usize;
        if thread.slots.len() < end {
            thread.slots.resize(end, 0);
        }
        thread.slots[(base + n_args) as usize..sp as usize].fill(0);
        thread.frames.push(Frame { method, code, pc: 0, base, sp, lock, role: Role::Plain });
        self.burn()
    }

    /// Leaves the running method with the top `n_slots` of its stack.
    ///
    /// # Errors
    /// [`Trap::Stop`] if another thread may run before its monitor is left or the thread ends.
    pub fn leave_method(&mut self, n_slots: u32) -> Exec<()> {
        let frame = *self.thread().top();
        if frame.lock != 0 {
            self.access(Resource::Monitor(frame.lock), Mode::Leave)?;
            self.leave_monitor(frame.lock);
            self.thread_mut().top_mut().lock = 0;
            self.step.progress = true;
        }
        if self.thread().frames.len() == 1 && self.ends_with_this() {
            self.begin_end_of_process()?;
        } else if self.thread().frames.len() == 1 && !self.booting {
            // The end of a thread is told to those who wait for it under the monitor of its object.
            self.access(Resource::Life, Mode::End)?;
            let owner = self.process.heap.get(self.thread().object).owner;
            if owner != 0 && owner != self.thread().id + 1 {
                self.step.unlisted = true;
                return Err(self.blocked_by(owner - 1));
            }
        }
        if frame.role == Role::Initializer {
            // A thread that waits for it can go on, if there is one.
            self.step.closed |= self.booting || self.process.threads.len() > 1 || self.options.every_access;
            self.step.unlisted = true;
            self.end_initializer();
        }
        let thread = self.thread_mut();
        thread.frames.pop();
        let Some(caller) = thread.frames.last_mut() else {
            return self.end_thread();
        };
        match frame.role {
            Role::Plain => {
                let from = (frame.sp - n_slots) as usize;
                let to = caller.sp as usize;
                caller.sp += n_slots;
                caller.pc += 1;
                if thread.slots.len() < to + n_slots as usize {
                    thread.slots.resize(to + n_slots as usize, 0);
                }
                thread.slots.copy_within(from..from + n_slots as usize, to);
            }
            Role::Detached => caller.pc += 1,
            Role::Aside => {}
            // An initialiser that waited for its superclass's goes on with the next of them.
            Role::Initializer | Role::FreshInitializer if caller.role == Role::FreshInitializer => {
                return Err(Trap::Again);
            }
            Role::Initializer | Role::FreshInitializer => {}
        }
        Ok(())
    }

    /// A backward jump or a call: a step without end is cut into pieces.
    ///
    /// # Errors
    /// [`Trap::Yield`] if the step ends here.
    #[inline]
    pub fn burn(&mut self) -> Exec<()> {
        self.step.fuel -= 1;
        if self.step.fuel == 0 {
            if self.booting {
                self.step.fuel = u32::MAX;
                return Ok(());
            }
            return self.refuel();
        }
        Ok(())
    }

    #[cold]
    fn refuel(&mut self) -> Exec<()> {
        let is_alone = self.process.threads.len() == 1 && self.thread().atomic == 0;
        let may_go_on = self.has_long_steps
            && is_alone
            && !self.options.every_access
            && self.knowledge.observed.is_empty();
        if self.step.reserve == 0 || !may_go_on {
            return Err(Trap::Yield);
        }
        self.step.reserve -= 1;
        self.step.fuel = super::step::FUEL;
        Ok(())
    }
}
