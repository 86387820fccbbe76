//! A worker's machine: the loaded state, and one step after the other from it.

use super::Vm;
use super::caches::Caches;
use super::heap::{Data, Object, Ref};
use super::knowledge::Knowledge;
use super::process::Process;
use super::step::{Event, Step};
use super::thread::Thread;
use crate::class::ClassId;
use crate::class::descriptor::Kind;
use crate::class::registry::{JDK_ERROR, LoadError, VERIFY_ERROR};
use crate::gap::Gap;
use crate::native::apart::Order;
use crate::network::Network;
use std::fmt;

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
    /// A native method reads this array, whose elements other threads must see read one by one: it begins
    /// again with a copy of the array, made in this order.
    Apart(Ref, Order),
    /// Frames were pushed; the operation runs again when they are done.
    Again,
    /// The step ends here, in the middle of an operation that goes on in another step, or because it took
    /// long.
    Yield,
    /// The process ended with this status.
    Exit(i32),
    /// This run is no run of the program: an assumption does not hold.
    Rejected,
    /// The machine cannot do this.
    Unsupported(Box<Gap>),
}

/// The result of an operation.
pub type Exec<T> = Result<T, Trap>;

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Throw(_) => f.write_str("an exception"),
            Self::Exception(class, None) => f.write_str(&class.replace('/', ".")),
            Self::Exception(class, Some(message)) => write!(f, "{}: {message}", class.replace('/', ".")),
            Self::Apart(..) => f.write_str("an array that is read element by element"),
            Self::Blocked => f.write_str("a thread that cannot go on"),
            Self::Stop | Self::Again | Self::Yield => f.write_str("an operation that is not done yet"),
            Self::Exit(status) => write!(f, "the end of the process with status {status}"),
            Self::Rejected => f.write_str("an assumption that does not hold"),
            Self::Unsupported(gap) => gap.fmt(f),
        }
    }
}

impl From<Gap> for Trap {
    fn from(gap: Gap) -> Self {
        Self::Unsupported(Box::new(gap))
    }
}

impl From<LoadError> for Trap {
    fn from(error: LoadError) -> Self {
        // What this machine refuses is not always what `java` refuses, nor at the same time: no program may
        // act on it.
        if error.class == VERIFY_ERROR {
            return Gap::Unverified(error.message).into();
        }
        if error.class == JDK_ERROR {
            return Gap::Jdk(error.message).into();
        }
        Self::Exception(error.class, Some(error.message))
    }
}

/// An exception with a message.
#[must_use]
pub fn exception(class: &'static str, message: impl Into<String>) -> Trap {
    Trap::Exception(class, Some(message.into()))
}

/// A worker's machine: a process, and what it takes to execute steps of its threads.
///
/// The parts are split by how long they live. A [`Process`] is what a state keeps. A [`Step`] lives for one
/// step. [`Knowledge`] is the same for a whole search, and [`Caches`] are of no consequence. The code that
/// executes a step knows its own process only.
pub struct Machine<'vm> {
    /// What all workers share.
    pub vm: &'vm Vm,
    /// How the program is run.
    pub options: super::Options,
    /// Whether the machine boots: no other thread runs, nothing is visible.
    pub booting: bool,
    /// Whether time stands still: a thread that waits for it is blocked.
    pub timeless: bool,
    /// Whether a step of the only thread goes on for long.
    pub has_long_steps: bool,
    /// What the state keeps.
    pub process: Process<'vm>,
    /// The step under way, or the last one.
    pub step: Step,
    /// What is known of the program, and watched for.
    pub knowledge: Knowledge<'vm>,
    /// What was found before.
    pub caches: Caches,
    /// The network, as this process sees it during a step.
    pub(crate) net: Network,
    /// Which process this is.
    pub(crate) member: Member,
}

/// A process among others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Member {
    /// Its number.
    pub(crate) number: u32,
    /// Its number in its group.
    pub(crate) index: u32,
    /// The processes that others wait for, a bit each.
    pub(crate) awaited: u64,
    /// Whether its local steps are taken first.
    pub(crate) is_ordered: bool,
}

impl<'vm> Machine<'vm> {
    /// A machine with the base image and no threads.
    #[must_use]
    pub fn new(vm: &'vm Vm) -> Self {
        Self {
            vm,
            options: vm.options,
            booting: false,
            timeless: false,
            has_long_steps: false,
            process: Process::new(vm),
            step: Step::default(),
            knowledge: Knowledge::default(),
            caches: Caches::default(),
            net: Network::default(),
            member: Member::default(),
        }
    }

    /// The running thread.
    #[inline]
    #[must_use]
    pub fn thread(&self) -> &Thread<'vm> {
        &self.process.threads[self.step.current]
    }

    /// The running thread.
    #[inline]
    pub fn thread_mut(&mut self) -> &mut Thread<'vm> {
        &mut self.process.threads[self.step.current]
    }

    /// The live thread with this number.
    #[must_use]
    pub fn thread_by_id(&self, id: u32) -> Option<usize> {
        self.process.threads.iter().position(|thread| thread.id == id)
    }

    /// The live thread of a `java.lang.Thread` object.
    #[must_use]
    pub fn thread_of(&self, object: Ref) -> Option<usize> {
        self.process.threads.iter().position(|thread| thread.object == object)
    }

    /// A choice among `n` ways, all of which a search takes.
    pub fn choose(&mut self, n: u32) -> u32 {
        if n <= 1 || self.booting { 0 } else { self.step.script.choose(n) }
    }

    /// The running thread cannot go on until another one gives up what it holds.
    pub fn blocked_by(&mut self, thread: u32) -> Trap {
        self.step.blocked_by = Some(thread);
        Trap::Blocked
    }

    /// Writes a reference into a slot of an object.
    #[inline]
    pub fn set_ref(&mut self, object: Ref, slot: u32, value: Ref) {
        self.publish(object, value);
        self.process.heap.set_slot(object, slot, u64::from(value));
    }

    /// A reference to `value` is about to be stored in `object`.
    #[inline]
    pub fn publish(&mut self, object: Ref, value: Ref) {
        if value >= super::heap::OVERLAY && self.process.heap.is_shared(object) {
            self.share(value);
        }
    }

    /// A new object of a class, its fields zero.
    pub fn new_object(&mut self, class: ClassId) -> Ref {
        let n_slots = self.vm.class(class).instance.len();
        self.process.heap.push(Object::new(class, Data::Slots(vec![0; n_slots].into())))
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
            return Err(Gap::Array(len as i64).into());
        }
        self.check_room()?;
        let data = match kind {
            Kind::Ref => Data::Refs(vec![0; len].into()),
            kind => Data::Bytes(vec![0; len * kind.n_bytes()].into()),
        };
        Ok(self.process.heap.push(Object::new(class, data)))
    }

    /// To be called before something is made: a state must not hold too much, and a step that makes much ends
    /// soon, so that its garbage is left behind.
    ///
    /// # Errors
    /// [`Trap::Unsupported`] if there is no room.
    #[inline]
    pub fn check_room(&mut self) -> Exec<()> {
        if self.process.heap.n_bytes_of_step() > MAX_STEP_BYTES && !self.booting {
            self.step.fuel = 1;
            self.step.reserve = 0;
            if self.process.heap.n_bytes() > MAX_HEAP {
                let mib = MAX_HEAP >> 20;
                return Err(Gap::Room(mib).into());
            }
        }
        Ok(())
    }

    /// A new array of bytes.
    pub fn new_bytes(&mut self, bytes: &[u8]) -> Ref {
        self.process.heap.push(Object::new(self.vm.known().byte_array, Data::Bytes(bytes.into())))
    }

    /// A new array of references.
    ///
    /// # Errors
    /// If there is no class of such arrays.
    pub fn new_refs(&mut self, element: ClassId, refs: &[Ref]) -> Exec<Ref> {
        let class = self.vm.classes.array_of(element)?;
        Ok(self.process.heap.push(Object::new(class, Data::Refs(refs.into()))))
    }

    /// The length of an array.
    #[must_use]
    pub fn array_len(&self, array: Ref) -> usize {
        let object = self.process.heap.get(array);
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
        match &self.process.heap.get(array).data {
            Data::Bytes(bytes) => read_element(bytes, kind, idx),
            Data::Refs(refs) => u64::from(refs[idx]),
            Data::Slots(_) => 0,
        }
    }

    /// Whether an object is an instance of a class.
    #[must_use]
    pub fn is_instance(&self, object: Ref, class: ClassId) -> bool {
        object != 0 && self.vm.classes.is_assignable(self.process.heap.get(object).class, class)
    }

    /// The class that a `java.lang.Class` object stands for.
    #[must_use]
    pub fn class_of_mirror(&self, mirror: Ref) -> ClassId {
        self.vm.mirrored(self.process.heap.get(mirror))
    }

    /// The value of a static field that the machine knows; zero if the class library has none.
    #[must_use]
    pub fn known_static(&self, field: Option<super::known::StaticField>) -> u64 {
        field.map_or(0, |field| {
            self.process.heap.slot(self.vm.mirror(field.class), self.vm.static_slot(field.slot))
        })
    }

    /// Writes a static field that the machine knows and that is no reference.
    pub fn set_known_static(&mut self, field: Option<super::known::StaticField>, value: u64) {
        if let Some(field) = field {
            self.process.heap.set_slot(self.vm.mirror(field.class), self.vm.static_slot(field.slot), value);
        }
    }

    /// The value of a static field of the class library, by name.
    #[must_use]
    pub fn static_value(&self, class: &str, field: &str) -> Option<u64> {
        let id = self.vm.classes.load(class).ok()?;
        let name = self.vm.classes.symbols.find(field)?;
        let field = self.vm.class(id).fields.iter().find(|f| f.name == name)?;
        Some(self.process.heap.slot(self.vm.mirror(id), self.vm.static_slot(field.slot)))
    }

    /// Writes a static field of the class library by name; `false` if there is none.
    pub fn set_static(&mut self, class: &str, field: &str, value: u64) -> bool {
        let Ok(id) = self.vm.classes.load(class) else { return false };
        let Some(name) = self.vm.classes.symbols.find(field) else { return false };
        let Some(field) = self.vm.class(id).fields.iter().find(|f| f.name == name) else { return false };
        let slot = self.vm.static_slot(field.slot);
        let mirror = self.vm.mirror(id);
        if field.kind == crate::class::descriptor::Kind::Ref {
            self.set_ref(mirror, slot, value as Ref);
        } else {
            self.process.heap.set_slot(mirror, slot, field.kind.narrow(value));
        }
        true
    }

    /// Something was printed.
    pub fn print(&mut self, is_error: bool, text: &str) {
        if self.options.keep_output && !is_error {
            self.process.output.extend_from_slice(text.as_bytes());
        }
        self.step.events.push(Event::Output(is_error, text.to_owned()));
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
