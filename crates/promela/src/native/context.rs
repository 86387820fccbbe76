//! What compiled code and the program around it share: plain structures at fixed offsets.
//!
//! Compiled code works on raw memory: the vector it expands, a stack of frames for the unstored states inside
//! a step, and the batch's memory, where it builds successors one after the other. Every buffer ends in
//! [`PADDING`] bytes that may be read and overwritten, so that vectors are copied in blocks.
#![allow(unsafe_code, reason = "buffers are seen as bytes")]

use super::runtime::Runtime;
use crate::machine::LayoutId;
use std::mem::offset_of;

/// Vectors are copied in blocks of this many bytes.
pub(crate) const PADDING: usize = 16;
/// The size of a frame; vectors that may not fit are left to the interpreter.
pub(crate) const FRAME_BYTES: usize = 16 << 10;
/// The number of unstored states that may be nested in one step.
pub(crate) const N_FRAMES: usize = 48;
/// The most bytes by which a vector may grow between two checks for room.
pub(crate) const GROWTH: usize = 4 << 10;
/// The offset in a buffer of its vector's [`ObjectTable`], in a model with objects.
pub(crate) const TABLE_AT: usize = 12 << 10;
/// Vectors with more objects are left to the interpreter.
pub(crate) const MAX_OBJECTS: usize = 1000;
/// Steps with more calls than this without a statement in between are left to the interpreter.
pub(crate) const MAX_CHAINED: usize = 32;
/// Messages with more fields than this are left to the interpreter.
pub(crate) const MAX_FIELDS: usize = 32;

/// The result of a compiled function.
pub(crate) type Status = u32;
/// No statement was executable.
pub(crate) const BLOCKED: Status = 0;
/// A statement was executed.
pub(crate) const MOVED: Status = 1;
/// An unusual case: the interpreter must execute this process, from the start.
pub(crate) const INTERPRET: Status = 2;
/// The batch has no room left: enlarge it and start again.
pub(crate) const NO_ROOM: Status = 3;

/// A compiled function: the steps in `vector` of the process with this number, whose record starts at `base`.
pub(crate) type Step = unsafe extern "C" fn(
    context: *mut Context,
    vector: *const u8,
    layout: *const NativeLayout,
    base: u64,
    pid: u64,
) -> Status;

/// The location of a channel.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct NativeChannel {
    pub(crate) offset: u32,
    pub(crate) ty: u16,
    pub(crate) capacity: u16,
}

/// The location of a process.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct NativeProcess {
    pub(crate) offset: u32,
    /// The index of the first control state of its type, among those of all types.
    pub(crate) first_state: u32,
    pub(crate) ty: u8,
}

/// The layout of a vector.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct NativeLayout {
    pub(crate) size: u32,
    pub(crate) n_channels: u32,
    pub(crate) channels: *const NativeChannel,
    pub(crate) processes: Box<[NativeProcess]>,
    pub(crate) id: LayoutId,
    /// Whether the vector has objects.
    pub(crate) has_objects: bool,
    /// The memory that `channels` points to.
    pub(crate) owned_channels: Box<[NativeChannel]>,
}

/// The objects of a vector.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct ObjectTable {
    /// The size of the vector in bytes.
    pub(crate) size: u32,
    pub(crate) n_objects: u32,
    /// Not zero if an object was made or ended, or a reference was stored, since the vector was in normal
    /// form.
    pub(crate) moved: u32,
    /// The offsets of the objects.
    pub(crate) starts: [u32; MAX_OBJECTS],
}

/// The unit of a [`Buffer`], which aligns the tables in it.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug)]
struct Block([u8; 16]);

/// Bytes for vectors and their tables.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    blocks: Vec<Block>,
}

impl Buffer {
    pub(crate) fn new(n_bytes: usize) -> Self {
        Self { blocks: vec![Block([0; 16]); n_bytes.div_ceil(16)] }
    }

    /// Grows to at least this many bytes.
    pub(crate) fn grow(&mut self, n_bytes: usize) {
        self.blocks.resize(n_bytes.div_ceil(16), Block([0; 16]));
    }

    pub(crate) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.blocks.as_mut_ptr().cast()
    }
}

impl std::ops::Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: a block consists of 16 bytes, and blocks are contiguous.
        unsafe { std::slice::from_raw_parts(self.blocks.as_ptr().cast(), 16 * self.blocks.len()) }
    }
}

impl std::ops::DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: a block consists of 16 bytes, and blocks are contiguous.
        unsafe { std::slice::from_raw_parts_mut(self.blocks.as_mut_ptr().cast(), 16 * self.blocks.len()) }
    }
}

const _: () = assert!(TABLE_AT + size_of::<ObjectTable>() + PADDING <= FRAME_BYTES);

/// What compiled code reads and writes in addition to vectors.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Context {
    /// The start of the next successor, and the last address where one may begin.
    pub(crate) out: *mut u8,
    pub(crate) limit: *mut u8,
    /// The lengths of the successors so far, and their number.
    pub(crate) lens: *mut u32,
    pub(crate) n_out: u64,
    /// The next free frame, and the end of all frames.
    pub(crate) frame: *mut u8,
    pub(crate) frame_limit: *mut u8,
    /// One byte for each control state: whether a process was in it.
    pub(crate) visited: *mut u8,
    /// The number of nested moves that this expansion may still make.
    pub(crate) moves_left: u64,
    /// The number of `d_step` loop rounds that this expansion may still make.
    pub(crate) rounds_left: i64,
    /// The layout after a helper changed it.
    pub(crate) layout: *const NativeLayout,
    /// While a message is on offer: its channel, its sender's record and the control state the sender will be
    /// in.
    pub(crate) offer: u32,
    pub(crate) sender_pc: u32,
    pub(crate) sender_at: u64,
    /// The message on offer, and the one about to be.
    pub(crate) message: [i32; MAX_FIELDS],
    pub(crate) staged: [i32; MAX_FIELDS],
    /// One more than the number of calls in the chain whose next statement is being tried; zero outside
    /// chains.
    pub(crate) chained: u64,
    /// The calls of that chain.
    pub(crate) chain: [u64; MAX_CHAINED],
    /// Not zero if an evaluation by a helper failed.
    pub(crate) trouble: u32,
    /// The state that helpers use.
    pub(crate) runtime: *mut Runtime,
}

/// Offsets of the fields of [`Context`] and related structures, for compiled code.
pub(crate) mod at {
    use super::{Context, NativeChannel, NativeLayout, offset_of};

    pub(crate) const OUT: i32 = offset_of!(Context, out) as i32;
    pub(crate) const LIMIT: i32 = offset_of!(Context, limit) as i32;
    pub(crate) const LENS: i32 = offset_of!(Context, lens) as i32;
    pub(crate) const N_OUT: i32 = offset_of!(Context, n_out) as i32;
    pub(crate) const FRAME: i32 = offset_of!(Context, frame) as i32;
    pub(crate) const FRAME_LIMIT: i32 = offset_of!(Context, frame_limit) as i32;
    pub(crate) const VISITED: i32 = offset_of!(Context, visited) as i32;
    pub(crate) const MOVES_LEFT: i32 = offset_of!(Context, moves_left) as i32;
    pub(crate) const ROUNDS_LEFT: i32 = offset_of!(Context, rounds_left) as i32;
    pub(crate) const LAYOUT: i32 = offset_of!(Context, layout) as i32;
    pub(crate) const OFFER: i32 = offset_of!(Context, offer) as i32;
    pub(crate) const SENDER_PC: i32 = offset_of!(Context, sender_pc) as i32;
    pub(crate) const SENDER_AT: i32 = offset_of!(Context, sender_at) as i32;
    pub(crate) const MESSAGE: i32 = offset_of!(Context, message) as i32;
    pub(crate) const STAGED: i32 = offset_of!(Context, staged) as i32;
    pub(crate) const CHAINED: i32 = offset_of!(Context, chained) as i32;
    pub(crate) const TROUBLE: i32 = offset_of!(Context, trouble) as i32;
    pub(crate) const LAYOUT_SIZE: i32 = offset_of!(NativeLayout, size) as i32;
    pub(crate) const LAYOUT_N_CHANNELS: i32 = offset_of!(NativeLayout, n_channels) as i32;
    pub(crate) const LAYOUT_CHANNELS: i32 = offset_of!(NativeLayout, channels) as i32;
    pub(crate) const CHANNEL_OFFSET: i32 = offset_of!(NativeChannel, offset) as i32;
    pub(crate) const CHANNEL_TYPE: i32 = offset_of!(NativeChannel, ty) as i32;
    pub(crate) const CHANNEL_CAPACITY: i32 = offset_of!(NativeChannel, capacity) as i32;
    pub(crate) const CHANNEL_LOG_SIZE: i64 = 3;
    const _: () = assert!(size_of::<NativeChannel>() == 1 << CHANNEL_LOG_SIZE);
}

/// Offsets of the fields of [`ObjectTable`].
pub(crate) mod table_at {
    use super::{ObjectTable, offset_of};

    pub(crate) const SIZE: i32 = offset_of!(ObjectTable, size) as i32;
    pub(crate) const N_OBJECTS: i32 = offset_of!(ObjectTable, n_objects) as i32;
    pub(crate) const MOVED: i32 = offset_of!(ObjectTable, moved) as i32;
    pub(crate) const STARTS: i32 = offset_of!(ObjectTable, starts) as i32;
}
