//! A worker's machine: the loaded state, and one step after the other from it.

use super::Vm;
use super::heap::{Data, Heap, Object, Ref};
use super::thread::Thread;
use super::view::Access;
use crate::class::descriptor::Kind;
use crate::class::registry::{JDK_ERROR, LoadError, VERIFY_ERROR};
use crate::class::{ClassId, MethodId};
use crate::inputs::Inputs;
use crate::lock_order::LockOrder;
use crate::property::Observed;
use crate::race::Sighting;
use rapidhash::{RapidHashMap, RapidHashSet};
use std::fmt;
use std::sync::Arc;

/// Why an operation did not run to its end.
#[derive(Debug, Clone)]
pub enum Trap {
    /// A Java exception.
    Throw(Ref),
    /// A Java exception that is still to be made: its class (with slashes) and message.
    Exception(&'static str, Option<String>),
    /// The thread cannot go on until another one does something.
    Blocked,
    /// Another thread may run first: the step ends before this operation.
    Stop,
    /// Frames were pushed; the operation runs again when they are done.
    Again,
    /// The step ends here, in the middle of an operation that goes on in another step, or because it took
    /// long.
    Yield,
    /// The process ended with this status.
    Exit(i32),
    /// This run is no run of the program: an assumption does not hold.
    Rejected,
    /// The machine cannot do this: what, in words for people.
    Unsupported(String),
}

/// The result of an operation.
pub type Exec<T> = Result<T, Trap>;

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Throw(_) => f.write_str("an exception"),
            Self::Exception(class, None) => f.write_str(&class.replace('/', ".")),
            Self::Exception(class, Some(message)) => write!(f, "{}: {message}", class.replace('/', ".")),
            Self::Blocked => f.write_str("a thread that cannot go on"),
            Self::Stop | Self::Again | Self::Yield => f.write_str("an operation that is not done yet"),
            Self::Exit(status) => write!(f, "the end of the process with status {status}"),
            Self::Rejected => f.write_str("an assumption that does not hold"),
            Self::Unsupported(what) => f.write_str(what),
        }
    }
}

impl From<LoadError> for Trap {
    fn from(error: LoadError) -> Self {
        // What this machine refuses is not always what `java` refuses, nor at the same time: no program may
        // act on it.
        if error.class == VERIFY_ERROR {
            return Self::Unsupported(format!("code that cannot be verified: {}", error.message));
        }
        if error.class == JDK_ERROR {
            return Self::Unsupported(error.message);
        }
        Self::Exception(error.class, Some(error.message))
    }
}

/// An exception with a message.
#[must_use]
pub fn exception(class: &'static str, message: impl Into<String>) -> Trap {
    Trap::Exception(class, Some(message.into()))
}

/// Choices within a step: what was chosen, and among how many.
#[derive(Clone, Debug, Default)]
pub struct Script {
    taken: Vec<(u32, u32)>,
    at: usize,
}

impl Script {
    /// Begins again from the first choice.
    pub fn rewind(&mut self) {
        self.at = 0;
    }

    /// Whether there was anything to choose.
    #[must_use]
    pub fn has_choices(&self) -> bool {
        !self.taken.is_empty()
    }

    /// Whether something has been chosen since the first choice was next.
    #[must_use]
    pub fn is_used(&self) -> bool {
        self.at > 0
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.taken.clear();
        self.at = 0;
    }

    /// A choice among `n`.
    fn choose(&mut self, n: u32) -> u32 {
        if self.at == self.taken.len() {
            self.taken.push((0, n));
        }
        let (chosen, _) = self.taken[self.at];
        self.at += 1;
        chosen.min(n - 1)
    }

    /// Goes on to the next combination of choices; `false` if there is none.
    pub fn advance(&mut self) -> bool {
        self.taken.truncate(self.at);
        while let Some((chosen, n)) = self.taken.pop() {
            if chosen + 1 < n {
                self.taken.push((chosen + 1, n));
                self.at = 0;
                return true;
            }
        }
        self.at = 0;
        false
    }
}

/// Something that happened in a step, for people.
#[derive(Clone, Debug)]
pub enum Event {
    /// Text was printed: to standard error if the flag is set.
    Output(bool, String),
    /// A thread died of an exception that nobody caught.
    Uncaught {
        /// The thread.
        thread: u32,
        /// Its name.
        name: String,
        /// The class of the exception, with dots.
        class: String,
        /// Whether it is an `AssertionError`.
        assertion: bool,
        /// What the exception says, its class first.
        text: String,
        /// Where it was thrown: class, method, file and line, the innermost first.
        stack: Vec<String>,
        /// The file and line of the innermost frame.
        place: Option<(String, u32)>,
    },
    /// A thread was started.
    Started(u32),
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It runs.
    No,
    /// By itself or by `System.exit`, with this status.
    Exit(i32),
}

/// A worker's machine.
pub struct Machine<'vm> {
    /// What all workers share.
    pub vm: &'vm Vm,
    /// How the program is run.
    pub options: super::Options,
    /// The objects.
    pub heap: Heap<'vm>,
    /// The live threads, in the order in which they were started.
    pub threads: Vec<Thread<'vm>>,
    /// The place of the running thread in `threads`.
    pub current: usize,
    /// The number that the next thread gets.
    pub next_thread: u32,
    /// The virtual clock.
    pub clock: super::clock::Clock,
    /// The number that the next identity hash is made from.
    pub next_hash: u32,
    /// How the process ended.
    pub ended: Ended,
    /// What was printed, if that is part of the state.
    pub output: Vec<u8>,
    /// The first uncaught exception of the run, if ends are told apart by it: 1 for an assertion, 2 for
    /// another; and [`MAIN_DIED`] if the first thread had one.
    pub died: u32,
    /// Choices within the step.
    pub script: Script,
    /// What happened in the step.
    pub events: Vec<Event>,
    /// The thread that holds what the running one cannot go on without, if only that one can give it up.
    pub blocked_by: Option<u32>,
    /// Whether the step ends before the next operation on what others can reach: see `view`.
    pub closed: bool,
    /// Whether the step has done something that others can notice, or be noticed by, and that is not among
    /// its accesses.
    pub unlisted: bool,
    /// Whether the operation under way is an addition whose result nobody looks at.
    pub is_addition: bool,
    /// Whether this step has entered a monitor in view.
    pub has_entered: bool,
    /// The section that the running thread is in.
    pub section: Option<super::section::Section>,
    /// Whether the machine boots: no other thread runs, nothing is visible.
    pub booting: bool,
    /// Backward jumps and calls left before the step ends by itself.
    pub fuel: u32,
    /// Whether something was executed in this step.
    pub progress: bool,
    /// The descriptor of the call that a native method answers.
    pub site: crate::class::symbol::Symbol,
    /// What other threads were like before this step changed them.
    pub touched_threads: Vec<(u32, super::thread::Wait, bool, super::thread::Seen)>,
    /// What this step did to what several threads can reach.
    pub accesses: Vec<Access>,
    /// Contexts of operations that are known to be in conflict.
    pub racy: RapidHashSet<u64>,
    /// The order in which monitors and locks are taken, if that is looked at.
    pub(crate) lock_order: Option<Box<LockOrder>>,
    /// What the program is seen to ask its surroundings for, if anybody wants to know.
    pub(crate) inputs: Option<&'vm Inputs>,
    /// What properties read: writes to it end steps.
    pub(crate) observed: Arc<[Observed]>,
    /// The context of an access that is looked for, and where it was made.
    pub watched: Option<u64>,
    /// See `watched`.
    pub sighting: Option<Sighting>,
    /// The values that this step has read; `None` unless the step is explained.
    pub reads: Option<Vec<super::reads::Read>>,
    /// Whether time stands still: who waits for it is blocked.
    pub timeless: bool,
    /// Methods that classes select, by class and method.
    pub selected: RapidHashMap<(ClassId, MethodId), MethodId>,
    /// The last of them, each at a place that class and method lead to.
    pub recent: Box<[(ClassId, MethodId, MethodId)]>,
}

/// How many selected methods are kept at hand: a power of two.
pub const N_RECENT: usize = 1 << 10;

/// A bit of [`Machine::died`]: the exit status of the process will be 1.
pub const MAIN_DIED: u32 = 1 << 8;

/// A step ends by itself after so many backward jumps and calls, so that a loop without visible operations is
/// seen as a cycle.
pub const FUEL: u32 = 5_000;

impl<'vm> Machine<'vm> {
    /// A machine with the base image and no threads.
    #[must_use]
    pub fn new(vm: &'vm Vm) -> Self {
        Self {
            vm,
            options: vm.options,
            heap: Heap::new(&vm.base),
            threads: Vec::new(),
            current: 0,
            next_thread: 0,
            clock: super::clock::Clock::default(),
            next_hash: 0,
            ended: Ended::No,
            output: Vec::new(),
            died: 0,
            script: Script::default(),
            events: Vec::new(),
            blocked_by: None,
            closed: false,
            has_entered: false,
            unlisted: false,
            is_addition: false,
            section: None,
            booting: false,
            fuel: FUEL,
            progress: false,
            accesses: Vec::new(),
            racy: RapidHashSet::default(),
            lock_order: None,
            inputs: None,
            observed: Arc::default(),
            watched: None,
            sighting: None,
            reads: None,
            timeless: false,
            touched_threads: Vec::new(),
            site: crate::class::symbol::Symbol(0),
            selected: RapidHashMap::default(),
            recent: vec![(ClassId(0), MethodId(u32::MAX), MethodId(0)); N_RECENT].into(),
        }
    }

    /// The running thread.
    #[inline]
    #[must_use]
    pub fn thread(&self) -> &Thread<'vm> {
        &self.threads[self.current]
    }

    /// The running thread.
    #[inline]
    pub fn thread_mut(&mut self) -> &mut Thread<'vm> {
        &mut self.threads[self.current]
    }

    /// The live thread with this number.
    #[must_use]
    pub fn thread_by_id(&self, id: u32) -> Option<usize> {
        self.threads.iter().position(|thread| thread.id == id)
    }

    /// The live thread of a `java.lang.Thread` object.
    #[must_use]
    pub fn thread_of(&self, object: Ref) -> Option<usize> {
        self.threads.iter().position(|thread| thread.object == object)
    }

    /// A choice among `n` ways, all of which a search takes.
    pub fn choose(&mut self, n: u32) -> u32 {
        if n <= 1 || self.booting { 0 } else { self.script.choose(n) }
    }

    /// The running thread cannot go on until another one gives up what it holds.
    pub fn blocked_by(&mut self, thread: u32) -> Trap {
        self.blocked_by = Some(thread);
        Trap::Blocked
    }

    /// Writes a reference into a slot of an object.
    #[inline]
    pub fn set_ref(&mut self, object: Ref, slot: u32, value: Ref) {
        self.publish(object, value);
        self.heap.set_slot(object, slot, u64::from(value));
    }

    /// A reference to `value` is about to be stored in `object`.
    #[inline]
    pub fn publish(&mut self, object: Ref, value: Ref) {
        if value >= super::heap::OVERLAY && self.heap.is_shared(object) {
            self.share(value);
        }
    }

    /// A new object of a class, its fields zero.
    pub fn new_object(&mut self, class: ClassId) -> Ref {
        let n_slots = self.vm.class(class).instance.len();
        self.heap.push(Object::new(class, Data::Slots(vec![0; n_slots].into())))
    }

    /// A new array of an array class.
    ///
    /// # Errors
    /// `NegativeArraySizeException`; one that no state should hold is unsupported, as is one for which there
    /// is no room.
    pub fn new_array(&mut self, class: ClassId, len: i32) -> Exec<Ref> {
        let len = usize::try_from(len)
            .map_err(|_| exception("java/lang/NegativeArraySizeException", len.to_string()))?;
        let kind = self.vm.classes.element_kind(class).unwrap_or(Kind::Ref);
        if len.saturating_mul(kind.n_bytes()) > MAX_ARRAY {
            return Err(Trap::Unsupported(format!("an array of {len} elements")));
        }
        self.check_room()?;
        let data = match kind {
            Kind::Ref => Data::Refs(vec![0; len].into()),
            kind => Data::Bytes(vec![0; len * kind.n_bytes()].into()),
        };
        Ok(self.heap.push(Object::new(class, data)))
    }

    /// To be called before something is made: a state must not hold too much, and a step that makes much ends
    /// soon, so that its garbage is left behind.
    ///
    /// # Errors
    /// [`Trap::Unsupported`] if there is no room.
    #[inline]
    pub fn check_room(&mut self) -> Exec<()> {
        if self.heap.n_bytes_of_step() > MAX_STEP_BYTES && !self.booting {
            self.fuel = 1;
            if self.heap.n_bytes() > MAX_HEAP {
                let mib = MAX_HEAP >> 20;
                return Err(Trap::Unsupported(format!("more than {mib} MiB of objects")));
            }
        }
        Ok(())
    }

    /// A new array of bytes.
    pub fn new_bytes(&mut self, bytes: &[u8]) -> Ref {
        self.heap.push(Object::new(self.vm.known().byte_array, Data::Bytes(bytes.into())))
    }

    /// A new array of references.
    ///
    /// # Errors
    /// If there is no class of such arrays.
    pub fn new_refs(&mut self, element: ClassId, refs: &[Ref]) -> Exec<Ref> {
        let class = self.vm.classes.array_of(element)?;
        Ok(self.heap.push(Object::new(class, Data::Refs(refs.into()))))
    }

    /// The length of an array.
    #[must_use]
    pub fn array_len(&self, array: Ref) -> usize {
        let object = self.heap.get(array);
        match &object.data {
            Data::Refs(refs) => refs.len(),
            Data::Bytes(bytes) => {
                bytes.len() / self.vm.classes.element_kind(object.class).map_or(1, Kind::n_bytes)
            }
            Data::Slots(_) => 0,
        }
    }

    /// An element of an array of primitive values, as a slot.
    #[must_use]
    pub fn element(&self, array: Ref, kind: Kind, idx: usize) -> u64 {
        match &self.heap.get(array).data {
            Data::Bytes(bytes) => read_element(bytes, kind, idx),
            Data::Refs(refs) => u64::from(refs[idx]),
            Data::Slots(_) => 0,
        }
    }

    /// Whether an object is an instance of a class.
    #[must_use]
    pub fn is_instance(&self, object: Ref, class: ClassId) -> bool {
        object != 0 && self.vm.classes.is_assignable(self.heap.get(object).class, class)
    }

    /// The class that a `java.lang.Class` object stands for.
    #[must_use]
    pub fn class_of_mirror(&self, mirror: Ref) -> ClassId {
        self.vm.mirrored(self.heap.get(mirror))
    }

    /// The value of a static field that the machine knows; zero if the class library has none.
    #[must_use]
    pub fn known_static(&self, field: Option<super::known::StaticField>) -> u64 {
        field.map_or(0, |field| self.heap.slot(self.vm.mirror(field.class), self.vm.static_slot(field.slot)))
    }

    /// Writes a static field that the machine knows and that is no reference.
    pub fn set_known_static(&mut self, field: Option<super::known::StaticField>, value: u64) {
        if let Some(field) = field {
            self.heap.set_slot(self.vm.mirror(field.class), self.vm.static_slot(field.slot), value);
        }
    }

    /// The value of a static field of the class library, by name.
    #[must_use]
    pub fn static_value(&self, class: &str, field: &str) -> Option<u64> {
        let id = self.vm.classes.load(class).ok()?;
        let name = self.vm.classes.symbols.find(field)?;
        let field = self.vm.class(id).fields.iter().find(|f| f.name == name)?;
        Some(self.heap.slot(self.vm.mirror(id), self.vm.static_slot(field.slot)))
    }

    /// Something was printed.
    pub fn print(&mut self, is_error: bool, text: &str) {
        if self.options.keep_output && !is_error {
            self.output.extend_from_slice(text.as_bytes());
        }
        self.events.push(Event::Output(is_error, text.to_owned()));
    }
}

/// A state with more objects than this is not supported.
const MAX_HEAP: usize = 256 << 20;

/// A step that has made more than this ends at the next backward jump or call.
const MAX_STEP_BYTES: usize = 8 << 20;

/// Larger arrays are not supported: no state should hold them.
const MAX_ARRAY: usize = 64 << 20;

/// An element of an array of primitive values, as a slot.
#[inline]
#[must_use]
pub fn read_element(bytes: &[u8], kind: Kind, idx: usize) -> u64 {
    match kind.n_bytes() {
        1 => kind.narrow(u64::from(bytes[idx])),
        2 => kind.narrow(u64::from(u16::from_le_bytes([bytes[2 * idx], bytes[2 * idx + 1]]))),
        4 => {
            let at = 4 * idx;
            u64::from(u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]))
        }
        _ => u64::from_le_bytes(bytes[8 * idx..8 * idx + 8].try_into().expect("eight bytes")),
    }
}

/// Writes an element of an array of primitive values.
#[inline]
pub fn write_element(bytes: &mut [u8], kind: Kind, idx: usize, value: u64) {
    let n = kind.n_bytes();
    let value = if kind == Kind::Boolean { value & 1 } else { value };
    bytes[n * idx..n * (idx + 1)].copy_from_slice(&value.to_le_bytes()[..n]);
}
