//! Threads and their frames.

use super::heap::Ref;
use crate::class::Method;
use crate::class::code::Code;

/// A method under way.
#[derive(Clone, Copy)]
pub struct Frame<'vm> {
    /// The method.
    pub method: &'vm Method,
    /// Its code.
    pub code: &'vm Code,
    /// The operation to execute next; in a frame that called another the call itself.
    pub pc: u32,
    /// Where its local variables begin among the thread's slots; the operand stack follows them.
    pub base: u32,
    /// The end of its operand stack.
    pub sp: u32,
    /// The object whose monitor is left when it ends, or `null`.
    pub lock: Ref,
    /// What is special about it.
    pub role: Role,
}

/// What is special about a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing.
    Plain,
    /// An initialiser whose superclasses are to be initialised before it runs.
    FreshInitializer,
    /// An initialiser: the end of it is the end of its class's initialisation.
    Initializer,
    /// The caller has no use for the result.
    Detached,
    /// The operation of the caller that needed it is executed again.
    Aside,
}

/// Where a thread is in `Object.wait`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Not there.
    No,
    /// In the wait set of an object, having entered its monitor so many times; whether time can end it.
    Waiting {
        /// The object.
        object: Ref,
        /// How often it had entered the monitor.
        count: u32,
        /// Whether time can end it.
        timed: bool,
    },
    /// Out of the wait set, and about to enter the monitor again.
    Woken {
        /// The object.
        object: Ref,
        /// How often it had entered the monitor.
        count: u32,
        /// Whether an interrupt was the reason.
        interrupted: bool,
    },
}

/// What is known of a thread that is about to do something it may have to wait for: whether it has tried. It
/// only matters where somebody asks for its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It has not, as far as anybody knows.
    No,
    /// It had the time to: the monitor was somebody else's, and is free now.
    Maybe,
    /// It has: its state said so.
    Yes,
}

/// A thread.
#[derive(Clone)]
pub struct Thread<'vm> {
    /// Its number, in the order in which threads were started.
    pub id: u32,
    /// Its `java.lang.Thread` object.
    pub object: Ref,
    /// The methods under way, the running one last.
    pub frames: Vec<Frame<'vm>>,
    /// Local variables and operand stacks of all frames.
    pub slots: Vec<u64>,
    /// Where it is in `Object.wait`.
    pub wait: Wait,
    /// Whether `LockSupport.park` returns at once.
    pub permit: bool,
    /// Depth of sections in which no other thread runs; with [`SUSPENDED`] while the section waits for
    /// another thread.
    pub atomic: u32,
    /// Whether it was seen to wait for what it is about to do; see `native::thread`.
    pub seen: Seen,
}

/// A bit of [`Thread::atomic`]: the section had to wait, and until it goes on others run as usual.
pub const SUSPENDED: u32 = 1 << 31;

impl<'vm> Thread<'vm> {
    /// Whether nobody else runs if this thread can.
    #[must_use]
    pub fn is_in_section(&self) -> bool {
        self.atomic > 0 && self.atomic & SUSPENDED == 0
    }

    /// A thread that has not begun.
    #[must_use]
    pub fn new(id: u32, object: Ref) -> Self {
        Self {
            id,
            object,
            frames: Vec::new(),
            slots: Vec::new(),
            wait: Wait::No,
            permit: false,
            atomic: 0,
            seen: Seen::No,
        }
    }

    /// The running method.
    ///
    /// # Panics
    /// If the thread has ended.
    #[inline]
    #[must_use]
    pub fn top(&self) -> &Frame<'vm> {
        self.frames.last().expect("a live thread has a frame")
    }

    /// The running method.
    ///
    /// # Panics
    /// If the thread has ended.
    #[inline]
    pub fn top_mut(&mut self) -> &mut Frame<'vm> {
        self.frames.last_mut().expect("a live thread has a frame")
    }

    /// Pushes one slot.
    #[inline]
    pub fn push(&mut self, value: u64) {
        let frame = self.frames.last_mut().expect("a live thread has a frame");
        self.slots[frame.sp as usize] = value;
        frame.sp += 1;
    }

    /// Pushes a value of two slots.
    #[inline]
    pub fn push2(&mut self, value: u64) {
        self.push(value);
        self.push(0);
    }

    /// Pops one slot.
    #[inline]
    pub fn pop(&mut self) -> u64 {
        let frame = self.frames.last_mut().expect("a live thread has a frame");
        frame.sp -= 1;
        self.slots[frame.sp as usize]
    }

    /// Pops a value of two slots.
    #[inline]
    pub fn pop2(&mut self) -> u64 {
        self.pop();
        self.pop()
    }

    /// The slot `depth` below the end of the stack, the last one being zero.
    #[inline]
    #[must_use]
    pub fn peek(&self, depth: u32) -> u64 {
        self.slots[(self.top().sp - 1 - depth) as usize]
    }

    /// Drops slots.
    #[inline]
    pub fn drop_slots(&mut self, n: u32) {
        self.top_mut().sp -= n;
    }
}

impl<'vm> Thread<'vm> {
    /// Makes this thread as `other` is, in the memory it has.
    pub fn restore(&mut self, other: &Self) {
        self.id = other.id;
        self.object = other.object;
        self.frames.clone_from(&other.frames);
        self.slots.clone_from(&other.slots);
        self.wait = other.wait;
        self.permit = other.permit;
        self.atomic = other.atomic;
        self.seen = other.seen;
    }
}
