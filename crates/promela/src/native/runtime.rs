//! A worker's side of compiled code: buffers, layouts, and the loop over the processes of a state.
#![allow(unsafe_code, reason = "compiled code works on raw memory")]

use super::code::Code;
use super::context::{
    Buffer, Context, FRAME_BYTES, GROWTH, MAX_CHAINED, MAX_FIELDS, MAX_OBJECTS, MOVED, N_FRAMES, NO_ROOM,
    NativeChannel, NativeLayout, NativeProcess, ObjectTable, PADDING, TABLE_AT,
};
use crate::lower::Lowered;
use crate::machine::{Eval, Explored, LayoutId, Layouts, Left, Memory, Normaliser, StepTarget, Troubles};
use allways_model::{Batch, Halt, StepKey};
use std::collections::HashSet;
use std::ptr;
use std::sync::Arc;

/// The initial size of a batch's memory.
const FIRST_ROOM: usize = 64 << 10;
/// Steps with more nested moves than this are left to the interpreter.
const MAX_MOVES: u64 = 20_000;
/// Steps whose `d_step`s loop more often than this are left to the interpreter, which checks the limits of
/// the search.
const MAX_ROUNDS: i64 = 200_000;

/// Sets of processes contain only processes with smaller numbers than this.
const MAX_NAMED: usize = 64;

/// Why code has stopped within a state. The steps of earlier processes are in the batch.
enum CodeStop {
    NoRoom,
    /// The interpreter must execute this process.
    Interpret(usize),
}

/// A worker's buffers and tables for compiled code.
pub(crate) struct Runtime {
    pub(crate) code: Arc<Code>,
    pub(crate) layouts: Layouts,
    native_layouts: Vec<Option<Box<NativeLayout>>>,
    pub(crate) scratch: Memory,
    pub(crate) unused: Memory,
    pub(crate) message: Vec<i32>,
    pub(crate) trouble: Troubles,
    /// Rare statements at which a value was truncated, which the interpreter has reported.
    pub(crate) noticed: HashSet<usize>,
    /// The size of the vector being expanded.
    pub(crate) base_size: usize,
    vector: Buffer,
    /// The offsets of its objects, in a model with objects.
    objects: Vec<u32>,
    pub(crate) normaliser: Normaliser,
    frames: Buffer,
    lens: Vec<u32>,
    visited: Vec<u8>,
    room: usize,
    layout: *const NativeLayout,
    context: Box<Context>,
    /// How often code expanded a state, or some processes of one, and how often it left that to the
    /// interpreter.
    pub(crate) n_expanded: u64,
    pub(crate) n_given_up: u64,
}

// SAFETY: the pointers point into buffers that this object owns.
unsafe impl Send for Runtime {}

impl Runtime {
    pub(crate) fn new(code: &Arc<Code>) -> Box<Self> {
        let context = Context {
            out: ptr::null_mut(),
            limit: ptr::null_mut(),
            lens: ptr::null_mut(),
            n_out: 0,
            frame: ptr::null_mut(),
            frame_limit: ptr::null_mut(),
            visited: ptr::null_mut(),
            moves_left: 0,
            rounds_left: 0,
            layout: ptr::null(),
            offer: 0,
            sender_pc: 0,
            sender_at: 0,
            message: [0; MAX_FIELDS],
            staged: [0; MAX_FIELDS],
            chained: 0,
            chain: [0; MAX_CHAINED],
            trouble: 0,
            runtime: ptr::null_mut(),
        };
        Box::new(Self {
            layouts: Layouts::new(code.program()),
            native_layouts: Vec::new(),
            scratch: Memory::default(),
            unused: Memory::default(),
            message: Vec::new(),
            trouble: Troubles::default(),
            noticed: HashSet::new(),
            base_size: 0,
            vector: Buffer::new(FRAME_BYTES),
            objects: Vec::new(),
            normaliser: Normaliser::default(),
            frames: Buffer::new((N_FRAMES + 1) * FRAME_BYTES),
            lens: Vec::new(),
            visited: vec![0; code.steps.len()],
            room: FIRST_ROOM,
            layout: ptr::null(),
            context: Box::new(context),
            n_expanded: 0,
            n_given_up: 0,
            code: Arc::clone(code),
        })
    }

    pub(crate) fn program(&self) -> &Lowered {
        self.code.program()
    }

    /// Which control states processes have been in.
    pub(crate) fn visited(&self) -> &[u8] {
        &self.visited
    }

    /// The loaded state.
    pub(crate) fn loaded(&self) -> &[u8] {
        &self.vector[..self.base_size]
    }

    /// The loaded state, for the evaluation of expressions by the interpreter.
    pub(crate) fn observe(&self) -> Eval<'_> {
        // SAFETY: a layout lives as long as `self`, at the same address, and is not changed.
        let id = unsafe { &*self.layout }.id;
        Eval {
            program: self.code.program(),
            layout: self.layouts.get(id),
            bytes: self.loaded(),
            pid: 0,
            base: 0,
            record: 0,
            objects: &self.objects,
            timeout: false,
            run_result: 0,
            trouble: &self.trouble,
            depth: 0,
        }
    }

    /// Finds the objects of the loaded state, and fills its table.
    #[inline]
    fn find_objects(&mut self) {
        if self.layouts.shapes().is_none() {
            return;
        }
        self.objects.clear();
        // SAFETY: a layout lives as long as `self`, at the same address, and is not changed.
        let start = unsafe { &*self.layout }.size as usize;
        if start == self.base_size && start <= TABLE_AT {
            // SAFETY: the vector has as many bytes as a frame, and ends before its table.
            unsafe {
                let table = self.vector.as_mut_ptr().add(TABLE_AT).cast::<ObjectTable>();
                (*table).size = start as u32;
                (*table).n_objects = 0;
                (*table).moved = 0;
            }
        } else {
            self.find_objects_from(start);
        }
    }

    /// Like [`Self::find_objects`], if there are objects.
    fn find_objects_from(&mut self, mut at: usize) {
        let Some(shapes) = self.layouts.shapes() else { return };
        while at < self.base_size {
            self.objects.push(at as u32);
            at += shapes.size_at(&self.vector, at);
        }
        if self.base_size > TABLE_AT || self.objects.len() > MAX_OBJECTS {
            return;
        }
        // SAFETY: the vector has as many bytes as a frame, and ends before its table.
        unsafe {
            let table = self.vector.as_mut_ptr().add(TABLE_AT).cast::<ObjectTable>();
            (*table).size = self.base_size as u32;
            (*table).n_objects = self.objects.len() as u32;
            (*table).moved = 0;
            (&mut (*table).starts)[..self.objects.len()].copy_from_slice(&self.objects);
        }
    }

    /// A layout in the form for compiled code.
    pub(crate) fn native_layout(&mut self, id: LayoutId) -> *const NativeLayout {
        let idx = id.index();
        if self.native_layouts.len() <= idx {
            self.native_layouts.resize_with(idx + 1, || None);
        }
        if self.native_layouts[idx].is_none() {
            let layout = self.layouts.get(id);
            let types = &self.code.program().channel_types;
            let channels: Box<[NativeChannel]> = layout
                .channels
                .iter()
                .map(|slot| NativeChannel {
                    offset: slot.offset,
                    ty: slot.ty.0,
                    capacity: types[usize::from(slot.ty.0)].capacity,
                })
                .collect();
            let processes = layout.processes.iter().map(|slot| NativeProcess {
                offset: slot.offset,
                first_state: self.code.first_state[usize::from(slot.ty.0)],
                ty: slot.ty.0,
            });
            self.native_layouts[idx] = Some(Box::new(NativeLayout {
                size: layout.size,
                n_channels: channels.len() as u32,
                channels: channels.as_ptr(),
                processes: processes.collect(),
                id,
                owned_channels: channels,
                has_objects: self.code.program().dynamic.is_some(),
            }));
        }
        ptr::from_ref(self.native_layouts[idx].as_deref().expect("it was just put there"))
    }

    /// Whether a process may have to wait for another's priority, which compiled code does not support.
    fn ranks_matter(&self) -> bool {
        // SAFETY: a layout lives as long as `self`, at the same address, and is not changed.
        let processes = unsafe { &*self.layout }.processes.iter();
        let program = self.code.program();
        program.ranks_matter(processes.map(|process| (process.ty, process.offset)), self.loaded())
    }

    fn try_to_explore(&mut self, set: u64, out: &mut Batch) -> Explored {
        let room = if self.program().dynamic.is_some() { TABLE_AT } else { FRAME_BYTES };
        let is_large = self.base_size + GROWTH + PADDING >= room || self.objects.len() > MAX_OBJECTS;
        if is_large || self.ranks_matter() {
            return Explored::Interpret;
        }
        let n_before = out.len();
        loop {
            match self.attempt(set, out) {
                Ok(()) if out.len() > n_before => return Explored::Done,
                Ok(()) => return Explored::Nothing,
                Err(CodeStop::NoRoom) => {
                    out.truncate(n_before);
                    self.room *= 2;
                }
                Err(CodeStop::Interpret(pid)) if usize::from(self.vector[0]) <= MAX_NAMED => {
                    return Explored::Left(Left { pid, moved: out.len() > n_before });
                }
                Err(CodeStop::Interpret(_)) => {
                    out.truncate(n_before);
                    return Explored::Interpret;
                }
            }
        }
    }

    fn attempt(&mut self, set: u64, out: &mut Batch) -> Result<(), CodeStop> {
        self.lens.resize(self.room / 4, 0);
        let room = out.room(self.room);
        let reserve = self.base_size + GROWTH + PADDING;
        self.room = self.room.max(2 * reserve);
        if room.len() < 2 * reserve {
            return Err(CodeStop::NoRoom);
        }
        let runtime = ptr::from_mut(self);
        let context = ptr::from_mut(&mut *self.context);
        let (vector, layout) = (self.vector.as_ptr(), self.layout);
        let n_room = room.len();
        let base = room.as_mut_ptr();
        let frames = self.frames.as_mut_ptr();
        // SAFETY: all pointers point to buffers of `self` and to the batch's memory, which nothing else uses
        // until the functions return; `commit` below neither moves nor writes the bytes of the batch.
        unsafe {
            (*context).out = base;
            (*context).limit = base.add(n_room - reserve);
            (*context).lens = (*runtime).lens.as_mut_ptr();
            (*context).n_out = 0;
            (*context).frame = frames;
            (*context).frame_limit = frames.add(N_FRAMES * FRAME_BYTES);
            (*context).visited = (*runtime).visited.as_mut_ptr();
            (*context).moves_left = MAX_MOVES;
            (*context).rounds_left = MAX_ROUNDS;
            (*context).trouble = 0;
            (*context).chained = 0;
            (*context).runtime = runtime;
            let code = ptr::from_ref(&*(*runtime).code);
            let mut n_done = 0;
            for (pid, process) in (*layout).processes.iter().enumerate().rev() {
                if pid < MAX_NAMED && set >> pid & 1 == 0 {
                    continue;
                }
                let step = (&(*code).steps)[(*code).state_of(vector, process)];
                let status = step(context, vector, layout, u64::from(process.offset), pid as u64);
                if status > MOVED {
                    return Err(if status == NO_ROOM { CodeStop::NoRoom } else { CodeStop::Interpret(pid) });
                }
                let n_out = (*context).n_out as usize;
                if n_out > n_done {
                    let initiator = 255 - pid as u64;
                    out.commit_all(StepKey(initiator << 32), &(&(*runtime).lens)[n_done..n_out]);
                    n_done = n_out;
                }
            }
            Ok(())
        }
    }
}

impl NativeLayout {
    /// Whether a vector has this layout.
    fn is_of(&self, state: &[u8]) -> bool {
        let size = self.size as usize;
        (state.len() == size || self.has_objects && state.len() > size)
            && usize::from(state[0]) == self.processes.len()
            && self.processes.iter().all(|process| state[process.offset as usize] == process.ty)
    }
}

impl StepTarget for Runtime {
    fn load(&mut self, state: &[u8]) {
        if self.vector.len() < state.len() + PADDING {
            self.vector.grow(2 * state.len() + PADDING);
        }
        self.vector[..state.len()].copy_from_slice(state);
        self.base_size = state.len();
        // SAFETY: a layout lives as long as `self`, at the same address, and is not changed.
        let same = !self.layout.is_null() && unsafe { &*self.layout }.is_of(state);
        if !same {
            let code = Arc::clone(&self.code);
            let id = self.layouts.of(state, code.program());
            self.layout = self.native_layout(id);
        }
        self.find_objects();
    }

    fn explore(&mut self, set: u64, out: &mut Batch) -> Result<Explored, Halt> {
        let explored = self.try_to_explore(set, out);
        match explored {
            Explored::Done | Explored::Nothing => self.n_expanded += 1,
            Explored::Interpret | Explored::Left(_) => self.n_given_up += 1,
        }
        Ok(explored)
    }
}
