//! Exceptions: making them, and finding who catches them.

use super::heap::{Data, Object, Ref};
use super::loaders::Reason;
use super::machine::{Exec, Machine, Trap};
use super::process::MAIN_DIED;
use super::step::Event;
use super::thread::Role;
use super::view::{Mode, Resource};
use crate::class::descriptor::{class_name, split};
use crate::class::pool::Constant;
use crate::class::registry::Classes;
use crate::class::symbol::Symbol;
use crate::class::{Class, ClassId, Method, MethodId};
use crate::gap::Gap;

/// A method as messages show it: `void Main.run(int)`.
#[must_use]
pub fn shown_method(classes: &Classes, class: ClassId, name: Symbol, descriptor: Symbol) -> String {
    let descriptor = classes.symbols.text(descriptor);
    let (parameters, result) = split(descriptor).unwrap_or_default();
    let parameters: Vec<String> = parameters.iter().map(|p| shown_type(p)).collect();
    format!(
        "{} {}.{}({})",
        shown_type(result),
        classes.java_name(class),
        classes.symbols.text(name),
        parameters.join(", ")
    )
}

/// A type as Java writes it.
#[must_use]
pub fn shown_type(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let dims = descriptor.len() - element.len();
    format!("{}{}", class_name(element).replace('/', "."), "[]".repeat(dims))
}

impl<'vm> Machine<'vm> {
    /// Makes an exception of the class library without running its constructor.
    ///
    /// # Errors
    /// If the class library lacks the class.
    pub fn make_exception(&mut self, class: &str, message: Option<&str>) -> Exec<Ref> {
        let id = self.vm.load(class).map_err(|error| Gap::Jdk(error.message))?;
        let object = self.new_object(id);
        let known = self.vm.known();
        if let Some(message) = message {
            let message = self.new_string(message);
            self.set_ref(object, known.throwable_message, message);
        }
        self.set_ref(object, known.throwable_cause, object);
        let stack = self.known_static(known.unassigned_stack) as Ref;
        self.set_ref(object, known.throwable_stack, stack);
        let suppressed = self.known_static(known.suppressed_sentinel) as Ref;
        self.set_ref(object, known.throwable_suppressed, suppressed);
        self.fill_in_stack_trace(object);
        Ok(object)
    }

    /// Notes where an exception is made: an array of methods and places, the innermost first.
    pub fn fill_in_stack_trace(&mut self, throwable: Ref) {
        let known = self.vm.known();
        let mut bytes = Vec::new();
        let frames = &self.thread().frames;
        // The constructors of the exception itself are no part of the trace: as in HotSpot, those of its
        // class and of the superclasses.
        let class = self.process.heap.get(throwable).class;
        let mut own = true;
        for (at, frame) in frames.iter().enumerate().rev() {
            let name = self.vm.classes.symbols.text(frame.method.name);
            if own {
                let is_own = &**name == "fillInStackTrace"
                    || &**name == "<init>" && self.vm.classes.is_assignable(class, frame.method.class);
                if is_own {
                    continue;
                }
                own = false;
            }
            // What initialises the superclasses of its class first has not begun, nor has a `main` whose
            // class is not initialised.
            let is_waiting_main = at == 0
                && frame.pc == 0
                && self.class_status(self.vm.class(frame.method.class)) != super::INITIALIZED;
            if frame.role == Role::FreshInitializer || is_waiting_main {
                continue;
            }
            if frame.method.is_made() || frame.method.id == self.vm.natives.nothing(&self.vm.classes) {
                continue;
            }
            bytes.extend_from_slice(&frame.method.id.0.to_le_bytes());
            bytes.extend_from_slice(&frame.pc.to_le_bytes());
            if bytes.len() >= 8 * MAX_TRACE {
                break;
            }
        }
        let depth = bytes.len() / 8;
        let trace = self.process.heap.push(Object::new(known.int_array, Data::Bytes(bytes.into())));
        self.set_ref(throwable, known.throwable_backtrace, trace);
        self.process.heap.set_slot(throwable, known.throwable_depth, depth as u64);
    }

    /// Where an exception was made: methods and places, the innermost first.
    #[must_use]
    pub fn backtrace(&self, throwable: Ref) -> Vec<(MethodId, u32)> {
        self.noted_trace(self.process.heap.slot(throwable, self.vm.known().throwable_backtrace) as Ref)
    }

    /// The methods and places in an array of them; none if it is `null`.
    #[must_use]
    pub fn noted_trace(&self, trace: Ref) -> Vec<(MethodId, u32)> {
        if trace == 0 {
            return Vec::new();
        }
        match &self.process.heap.get(trace).data {
            Data::Bytes(bytes) => bytes
                .chunks_exact(8)
                .map(|pair| {
                    let word =
                        |at: usize| u32::from_le_bytes(pair[at..at + 4].try_into().expect("four bytes"));
                    (MethodId(word(0)), word(4))
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The file and line of a place in a method.
    #[must_use]
    pub fn place(&self, method: &Method, pc: u32) -> Option<(String, u32)> {
        let line = self.vm.classes.code(method).ok()?.line(pc)?;
        Some((self.vm.class(method.class).source_file.as_ref()?.to_string(), line))
    }

    /// A place as a stack trace shows it.
    #[must_use]
    pub fn shown_place(&self, method: MethodId, pc: u32) -> String {
        let method = self.vm.classes.method(method);
        let class = self.vm.class(method.class);
        let at = match self.place(method, pc) {
            Some((file, line)) => format!("{file}:{line}"),
            None if method.is_native() => "Native Method".into(),
            None => class.source_file.as_deref().unwrap_or("Unknown Source").to_owned(),
        };
        let module = match class.loader {
            crate::class::Loader::Boot => {
                match self.vm.classes.sources.jdk.module_of(self.vm.classes.name(class.id)) {
                    Some(module) => format!("{module}/"),
                    None => "java.base/".into(),
                }
            }
            crate::class::Loader::App => String::new(),
        };
        format!(
            "{module}{}.{}({at})",
            self.vm.classes.java_name(class.id),
            self.vm.classes.symbols.text(method.name)
        )
    }

    /// What an exception says: its class and its message.
    #[must_use]
    pub fn shown_exception(&self, thrown: Ref) -> String {
        let class = self.vm.classes.java_name(self.process.heap.get(thrown).class);
        let message = self.process.heap.slot(thrown, self.vm.known().throwable_message) as Ref;
        if message == 0 { class } else { format!("{class}: {}", self.text(message)) }
    }

    /// Throws in the running thread: goes on where it is caught.
    ///
    /// # Errors
    /// If the machine cannot go on.
    pub fn throw(&mut self, mut thrown: Ref) -> Exec<()> {
        while !self.thread().frames.is_empty() {
            if let Some(target) = self.find_handler(thrown)? {
                let thread = self.thread_mut();
                let frame = thread.top_mut();
                frame.pc = target;
                frame.sp = frame.base + u32::from(frame.method.max_locals);
                thread.push(u64::from(thrown));
                return Ok(());
            }
            let frame = *self.thread().top();
            if matches!(frame.role, Role::Initializer | Role::FreshInitializer) {
                self.step.closed = true;
                self.step.unlisted = true;
                let class = self.initialized_by_top();
                self.thread_mut().frames.pop();
                thrown = self.fail_initializer(class, thrown)?;
                continue;
            }
            if frame.lock != 0 {
                // The exception and what it does to monitors are one operation, even where each is looked at
                // by itself.
                self.step.closed &= !self.sees_all();
                self.access(Resource::Monitor(frame.lock), Mode::Leave)?;
                self.leave_monitor(frame.lock);
            }
            self.thread_mut().frames.pop();
            if self.thread().frames.is_empty() && frame.role == Role::Detached && !self.booting {
                // The handler for uncaught exceptions threw: nobody handles that.
                let name = self.process.heap.slot(self.thread().object, self.vm.known().thread_name) as Ref;
                let name = if name == 0 { String::new() } else { self.text(name) };
                let class = self.vm.classes.java_name(self.process.heap.get(thrown).class);
                let text = format!(
                    "\nException: {class} thrown from the UncaughtExceptionHandler in thread \"{name}\"\n"
                );
                self.print(true, &text);
                let nothing = self.vm.natives.nothing(&self.vm.classes);
                return self.push_frame(self.vm.classes.method(nothing), &[0], Role::Plain);
            }
        }
        self.die(thrown)
    }

    fn find_handler(&mut self, thrown: Ref) -> Exec<Option<u32>> {
        let frame = *self.thread().top();
        if frame.role == Role::FreshInitializer {
            return Ok(None);
        }
        let class = self.vm.class(frame.method.class);
        for handler in &frame.code.handlers {
            if !(handler.start..handler.end).contains(&frame.pc) {
                continue;
            }
            let caught = match handler.known {
                Some(id) => Some(id),
                None if handler.class == 0 => None,
                // A class that does not exist catches nothing that does.
                None => match self.catch_class(class, handler.class, thrown) {
                    Ok(id) => Some(id),
                    Err(Trap::Exception(..)) => continue,
                    Err(trap) => return Err(trap),
                },
            };
            if caught.is_none_or(|caught| self.is_instance(thrown, caught)) {
                return Ok(Some(handler.target));
            }
        }
        Ok(None)
    }

    /// The class that a handler catches. Where a loader of the program is asked for it first, `thrown` is
    /// thrown again after that.
    fn catch_class(&mut self, class: &'vm Class, idx: u16, thrown: Ref) -> Exec<ClassId> {
        match class.pool.get(idx) {
            Constant::Class(name) if class.space != 0 => {
                self.class_of_loader(self.loader_in(class.space), name, Reason::Catch(thrown))
            }
            _ => self.class_constant_of(class, idx),
        }
    }

    /// Nobody catches `thrown` in the running thread.
    fn die(&mut self, thrown: Ref) -> Exec<()> {
        let object = self.thread().object;
        if self.booting {
            let trace: Vec<String> = self
                .backtrace(thrown)
                .into_iter()
                .take(12)
                .map(|(method, pc)| self.shown_place(method, pc))
                .collect();
            let text = self.shown_exception(thrown);
            let cause = self.process.heap.slot(thrown, self.vm.known().throwable_cause) as Ref;
            let cause = if cause != 0 && cause != thrown {
                format!(
                    " (cause: {} at {})",
                    self.shown_exception(cause),
                    self.backtrace(cause)
                        .into_iter()
                        .take(6)
                        .map(|(method, pc)| self.shown_place(method, pc))
                        .collect::<Vec<_>>()
                        .join(" < ")
                )
            } else {
                String::new()
            };
            return Err(Gap::Start { exception: text + &cause, calls: trace }.into());
        }
        // The thread's own method finds the handler to call.
        let method = self.vm.classes.method(self.vm.known().dispatch_uncaught);
        self.push_frame(method, &[u64::from(object), u64::from(thrown)], Role::Detached)
    }

    /// Appends what `printStackTrace` prints: an exception, its frames but those it shares with the one
    /// around it, and those it suppressed or was caused by.
    fn show_trace(
        &self,
        printed: &mut String,
        thrown: Ref,
        around: &[String],
        indent: &str,
        seen: &mut Vec<Ref>,
    ) {
        let text = self.shown_exception(thrown);
        if seen.contains(&thrown) {
            printed.push_str(&format!("[CIRCULAR REFERENCE: {text}]\n"));
            return;
        }
        seen.push(thrown);
        printed.push_str(&format!("{text}\n"));
        let stack: Vec<String> = self
            .backtrace(thrown)
            .into_iter()
            .take(12)
            .map(|(method, pc)| self.shown_place(method, pc))
            .collect();
        let n_common = stack.iter().rev().zip(around.iter().rev()).take_while(|(a, b)| a == b).count();
        for line in &stack[..stack.len() - n_common] {
            printed.push_str(&format!("{indent}\tat {line}\n"));
        }
        if n_common > 0 {
            printed.push_str(&format!("{indent}\t... {n_common} more\n"));
        }
        for suppressed in self.suppressed(thrown) {
            printed.push_str(&format!("{indent}\tSuppressed: "));
            self.show_trace(printed, suppressed, &stack, &format!("{indent}\t"), seen);
        }
        let cause = self.process.heap.slot(thrown, self.vm.known().throwable_cause) as Ref;
        if cause != 0 && cause != thrown {
            printed.push_str(&format!("{indent}Caused by: "));
            self.show_trace(printed, cause, &stack, indent, seen);
        }
    }

    /// The exceptions that were added to one as suppressed.
    fn suppressed(&self, thrown: Ref) -> Vec<Ref> {
        let list = self.process.heap.slot(thrown, self.vm.known().throwable_suppressed) as Ref;
        let classes = &self.vm.classes;
        let slots = classes
            .slot("java/util/ArrayList", "elementData")
            .zip(classes.slot("java/util/ArrayList", "size"));
        let Some((elements, size)) = slots else { return Vec::new() };
        if list == 0 || classes.name(self.process.heap.get(list).class) != "java/util/ArrayList" {
            return Vec::new();
        }
        let (array, n) =
            (self.process.heap.slot(list, elements) as Ref, self.process.heap.slot(list, size) as usize);
        match &self.process.heap.get(array).data {
            Data::Refs(refs) => refs.iter().copied().take(n).filter(|&object| object != 0).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether a program or the class library has its own say in what is printed of an exception, its causes
    /// or those it suppressed.
    #[must_use]
    pub fn prints_itself(&self, thrown: Ref) -> bool {
        self.reported_with(thrown)
            .into_iter()
            .any(|thrown| self.overrides_printing(self.process.heap.get(thrown).class))
    }

    /// An exception with its causes and those that were added to any of them as suppressed.
    pub(crate) fn reported_with(&self, thrown: Ref) -> Vec<Ref> {
        let (mut found, mut at) = (vec![thrown], 0);
        while let Some(&thrown) = found.get(at) {
            at += 1;
            let cause = self.process.heap.slot(thrown, self.vm.known().throwable_cause) as Ref;
            for next in self.suppressed(thrown).into_iter().chain((cause != 0).then_some(cause)) {
                if !found.contains(&next) {
                    found.push(next);
                }
            }
        }
        found
    }

    fn overrides_printing(&self, class: ClassId) -> bool {
        let classes = &self.vm.classes;
        const METHODS: &[&str] = &[
            "toString",
            "getMessage",
            "getLocalizedMessage",
            "getCause",
            "getStackTrace",
            "printStackTrace",
        ];
        let mut at = Some(class);
        while let Some(id) = at.filter(|&id| classes.name(id) != "java/lang/Throwable") {
            let mut methods = classes.get(id).methods.iter().map(|&id| classes.method(id));
            if methods.any(|method| METHODS.contains(&&**classes.symbols.text(method.name))) {
                return true;
            }
            at = classes.get(id).super_class;
        }
        false
    }

    /// The running thread ends the process: notes that if the status says that it failed.
    pub(super) fn note_exit(&mut self, status: i32) {
        if status != 0 && !self.options.allowed_exits.has(status) && !self.is_terminated() {
            let name = crate::explain::thread_name(self, self.thread().id);
            let place = crate::explain::place_of(self, self.thread());
            self.step.events.push(Event::Exited { status, name, place });
        }
    }

    /// An exception that nobody catches and no handler takes: what the program ends with. It is printed
    /// unless it prints itself.
    pub fn report_uncaught(&mut self, thread: Ref, thrown: Ref) {
        let trace = self.backtrace(thrown);
        let text = self.shown_exception(thrown);
        let name = self.process.heap.slot(thread, self.vm.known().thread_name) as Ref;
        let name = if name == 0 { String::new() } else { self.text(name) };
        let stack: Vec<String> = trace.iter().map(|&(method, pc)| self.shown_place(method, pc)).collect();
        if !self.prints_itself(thrown) {
            let mut printed = format!("Exception in thread \"{name}\" ");
            self.show_trace(&mut printed, thrown, &[], "", &mut Vec::new());
            self.print(true, &printed);
        }
        let place = trace.iter().find_map(|&(method, pc)| {
            let method = self.vm.classes.method(method);
            (self.vm.class(method.class).loader == crate::class::Loader::App)
                .then(|| self.place(method, pc))
                .flatten()
        });
        let assertion = self.is_instance(thrown, self.vm.known().assertion_error);
        if self.options.keep_output && self.process.died & !MAIN_DIED == 0 {
            self.process.died |= if assertion { 1 } else { 2 };
        }
        let class = self.vm.classes.java_name(self.process.heap.get(thrown).class);
        let id = self.thread_of(thread).map_or(0, |idx| self.process.threads[idx].id);
        if id == 0 {
            self.process.died |= MAIN_DIED;
        }
        self.step.events.push(Event::Uncaught { thread: id, name, class, assertion, text, stack, place });
    }
}

/// Longer traces are cut, as `java` does.
const MAX_TRACE: usize = 1024;
