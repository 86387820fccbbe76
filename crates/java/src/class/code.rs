//! Operations: what the machine executes. Bytecode is decoded to them once, when a method is first run.
//!
//! They are close to JVMS chapter 6 but fewer: instructions that differ only in the type of a value they copy
//! are one operation. A `long` or `double` takes two slots of the operand stack, its value in the first, as
//! the specification counts them; so an operation that moves values does not depend on their types. Positions
//! in code are indices of operations.

use super::flaw::Flaw;
use super::{ClassId, MethodId, descriptor::Kind};
use std::sync::OnceLock;

/// A comparison of two numbers, or of one with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Greater or equal.
    Ge,
    /// Greater.
    Gt,
    /// Less or equal.
    Le,
}

impl Comparison {
    /// Whether the comparison holds for `a` and `b`.
    #[inline]
    #[must_use]
    pub fn holds(self, a: i32, b: i32) -> bool {
        match self {
            Self::Eq => a == b,
            Self::Ne => a != b,
            Self::Lt => a < b,
            Self::Ge => a >= b,
            Self::Gt => a > b,
            Self::Le => a <= b,
        }
    }
}

/// An arithmetic operation on two values of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `<<`; the number of bits is an `int`.
    Shl,
    /// `>>`
    Shr,
    /// `>>>`
    Ushr,
}

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// Does nothing.
    Nop,
    /// Pushes an `int`, a `float`'s bits or `null`; the flag marks `null`.
    Const(i32, bool),
    /// Pushes a `long`.
    Long(i32),
    /// Pushes a `double` that a `float` can hold.
    Double(f32),
    /// Pushes a constant of the pool.
    Ldc(u16),
    /// Pushes a `long` or `double` of the pool.
    Ldc2(u16),
    /// Pushes a local variable.
    Load(u16),
    /// Pushes a local variable of two slots.
    Load2(u16),
    /// Pops into a local variable.
    Store(u16),
    /// Pops into a local variable of two slots.
    Store2(u16),
    /// Pushes an array element.
    ArrayLoad(Kind),
    /// Pops into an array element.
    ArrayStore(Kind),
    /// Drops one slot.
    Pop,
    /// Drops two.
    Pop2,
    /// See the specification.
    Dup,
    /// See the specification.
    DupX1,
    /// See the specification.
    DupX2,
    /// See the specification.
    Dup2,
    /// See the specification.
    Dup2X1,
    /// See the specification.
    Dup2X2,
    /// See the specification.
    Swap,
    /// On two `int`s.
    Int(Arithmetic),
    /// On two `long`s.
    LongOp(Arithmetic),
    /// On two `float`s.
    Float(Arithmetic),
    /// On two `double`s.
    DoubleOp(Arithmetic),
    /// Changes the sign.
    Neg(Kind),
    /// Adds to a local variable.
    Inc(u16, i16),
    /// From one kind to another.
    Convert(Kind, Kind),
    /// Compares two `long`s.
    CompareLong,
    /// Compares two `float`s; the value for "not a number".
    CompareFloat(i8),
    /// Compares two `double`s; the value for "not a number".
    CompareDouble(i8),
    /// Jumps if the comparison of an `int` with zero holds.
    If(Comparison, u32),
    /// Jumps if the comparison of two `int`s holds.
    IfInt(Comparison, u32),
    /// Jumps if two references are equal, or are not.
    IfRef(bool, u32),
    /// Jumps if a reference is `null`, or is not.
    IfNull(bool, u32),
    /// Jumps.
    Goto(u32),
    /// Pushes a value that is never read, and jumps to the copy of a subroutine.
    Jsr(u32),
    /// Leaves a subroutine. Code that is run does not contain it, because each copy ends with a jump to its
    /// caller.
    Ret(u16),
    /// Jumps by a table: an index of [`Code::switches`].
    Switch(u32),
    /// Leaves the method with nothing, or a value of one or two slots.
    Return(u8),
    /// Reads a static field.
    GetStatic(u16),
    /// Writes a static field.
    PutStatic(u16),
    /// Reads a field.
    GetField(u16),
    /// Writes a field.
    PutField(u16),
    /// Calls the method the receiver's class selects.
    InvokeVirtual(u16),
    /// Calls exactly this method.
    InvokeSpecial(u16),
    /// Calls a static method.
    InvokeStatic(u16),
    /// Calls the method the receiver's class selects for an interface's.
    InvokeInterface(u16),
    /// Calls the target of a call site.
    InvokeDynamic(u16),
    /// Makes an object.
    New(u16),
    /// Makes an array of a primitive kind.
    NewArray(Kind),
    /// Makes an array of references.
    NewRefArray(u16),
    /// Makes an array of arrays: the array's class and the number of lengths on the stack.
    NewMultiArray(u16, u8),
    /// The length of an array.
    ArrayLength,
    /// Throws.
    Throw,
    /// Throws if a reference is not of a class.
    CheckCast(u16),
    /// Whether a reference is of a class.
    InstanceOf(u16),
    /// Enters a monitor.
    MonitorEnter,
    /// Leaves it.
    MonitorExit,

    // The following operations occur only in code made by the machine. Their constants are already resolved.
    /// Pushes a reference into the base image.
    ConstRef(u32),
    /// Makes an object of an initialised class.
    NewOf(ClassId),
    /// Makes an array with elements of this class.
    NewArrayOf(ClassId),
    /// Throws if a reference is not of this class.
    CastTo(ClassId),
    /// Whether a reference is of this class.
    IsA(ClassId),
    /// Reads a field of the object on the stack: its slot and kind.
    GetSlot(u32, Kind),
    /// Writes a field of the object below the value: its slot and kind.
    PutSlot(u32, Kind),
    /// Calls a method; whether the receiver's class selects it.
    Call(MethodId, bool),
}

/// The targets of a jump by value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Switch {
    /// The target at the index of the value minus the lowest value.
    Table {
        /// The lowest value.
        low: i32,
        /// The places.
        targets: Box<[u32]>,
        /// The target of all other values.
        default: u32,
    },
    /// The target that is paired with the value.
    Lookup {
        /// Values in ascending order, with their targets.
        pairs: Box<[(i32, u32)]>,
        /// The target of all other values.
        default: u32,
    },
}

impl Switch {
    /// The target of `value`.
    #[must_use]
    pub fn target(&self, value: i32) -> u32 {
        match self {
            Self::Table { low, targets, default } => {
                let idx = i64::from(value) - i64::from(*low);
                usize::try_from(idx).ok().and_then(|idx| targets.get(idx)).copied().unwrap_or(*default)
            }
            Self::Lookup { pairs, default } => {
                pairs.binary_search_by_key(&value, |pair| pair.0).map_or(*default, |idx| pairs[idx].1)
            }
        }
    }

    /// All its targets.
    pub fn targets(&self) -> impl Iterator<Item = u32> + '_ {
        let (table, pairs, default) = match self {
            Self::Table { targets, default, .. } => (&targets[..], &[][..], *default),
            Self::Lookup { pairs, default } => (&[][..], &pairs[..], *default),
        };
        table.iter().copied().chain(pairs.iter().map(|pair| pair.1)).chain(std::iter::once(default))
    }
}

/// An exception handler for a range of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// The first operation covered.
    pub start: u32,
    /// The first operation after the range.
    pub end: u32,
    /// The first operation of the handler.
    pub target: u32,
    /// The pool index of the class it catches; zero for everything.
    pub class: u16,
    /// The class it catches, in code made by the machine.
    pub known: Option<ClassId>,
}

/// The code of a method.
#[derive(Debug)]
pub struct Code {
    /// The operations.
    pub ops: Box<[Op]>,
    /// Its jump tables.
    pub switches: Box<[Switch]>,
    /// Its exception handlers, in the order in which they are tried.
    pub handlers: Box<[Handler]>,
    /// First operations of source lines, ascending, and the lines.
    pub lines: Box<[(u32, u32)]>,
    /// What each local variable and stack slot holds before each operation. Computed when a frame of the
    /// method is first encoded.
    pub maps: OnceLock<Result<super::maps::Maps, Flaw>>,
    /// For each operation the instruction that it is a copy of; empty if there are no copies.
    pub origins: Box<[u32]>,
    /// Which operations have run, for tests.
    #[cfg(debug_assertions)]
    pub executed: Box<[std::sync::atomic::AtomicBool]>,
}

impl Code {
    /// Code made by the machine.
    #[must_use]
    pub fn made(ops: Vec<Op>, handlers: Vec<Handler>) -> Self {
        Self::new(ops, Vec::new(), handlers, Vec::new())
    }

    /// Code with these parts.
    #[must_use]
    pub fn new(ops: Vec<Op>, switches: Vec<Switch>, handlers: Vec<Handler>, lines: Vec<(u32, u32)>) -> Self {
        Self {
            #[cfg(debug_assertions)]
            executed: ops.iter().map(|_| std::sync::atomic::AtomicBool::new(false)).collect(),
            ops: ops.into(),
            switches: switches.into(),
            handlers: handlers.into(),
            lines: lines.into(),
            maps: OnceLock::new(),
            origins: Box::default(),
        }
    }

    /// The instruction that an operation comes from.
    #[must_use]
    pub fn origin(&self, pc: usize) -> usize {
        self.origins.get(pc).map_or(pc, |&origin| origin as usize)
    }

    /// Records that an operation runs. Does nothing in builds without assertions.
    #[inline]
    pub fn note(&self, _pc: usize) {
        #[cfg(debug_assertions)]
        self.executed[_pc].store(true, std::sync::atomic::Ordering::Relaxed);
    }

    /// The source line of an operation.
    #[must_use]
    pub fn line(&self, pc: u32) -> Option<u32> {
        let idx = self.lines.partition_point(|line| line.0 <= pc);
        idx.checked_sub(1).map(|idx| self.lines[idx].1)
    }
}
