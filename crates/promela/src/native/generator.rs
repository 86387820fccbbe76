//! The basis of code generation: one function being built, and small pieces of code that all parts use.

use super::channels::KnownChannels;
use super::context::{INTERPRET, PADDING, TABLE_AT, at, table_at};
use super::helpers::ChainSites;
use super::objects::ObjectFacts;
use crate::ir::{Base, Expr, Proctype, Scalar, ScalarPlace};
use crate::lower::Lowered;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, FuncRef, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicU8;

/// A vector that code reads or writes.
#[derive(Clone, Copy)]
pub(crate) struct View {
    /// Its first byte.
    pub(crate) vector: Value,
    /// The running process's record, or the frame of the running function.
    pub(crate) record: Value,
    /// The table of its objects, if the model has any.
    pub(crate) table: Value,
    /// Its layout.
    pub(crate) layout: Value,
}

/// The helpers that compiled code calls, as references in this function.
#[derive(Clone, Copy)]
pub(crate) struct Helpers {
    pub(crate) evaluate: FuncRef,
    pub(crate) perform: FuncRef,
    pub(crate) offer: FuncRef,
    pub(crate) exclusive: FuncRef,
    pub(crate) remove: FuncRef,
    pub(crate) emit: FuncRef,
    pub(crate) chain: FuncRef,
    pub(crate) enter: FuncRef,
    pub(crate) leave: FuncRef,
    pub(crate) bound: FuncRef,
}

/// One function being built.
pub(crate) struct Generator<'a, 'f> {
    pub(crate) build: FunctionBuilder<'f>,
    pub(crate) program: &'a Lowered,
    pub(crate) known: &'a KnownChannels,
    pub(crate) facts: &'a ObjectFacts,
    /// The body: a process type or, for indices after all of them, a function.
    pub(crate) proctype_idx: usize,
    /// The index of its first control state, among those of all bodies.
    pub(crate) first_state: u32,
    pub(crate) helpers: Helpers,
    pub(crate) context: Value,
    pub(crate) pid: Value,
    /// The start of the process's record.
    pub(crate) base: Value,
    /// The start of the local variables: in the record, or in the frame of the running function.
    pub(crate) local: Value,
    /// The offset of the control state from the local variables.
    pub(crate) pc_at: i32,
    /// One more than the number of calls in the chain of this function; zero outside chains.
    pub(crate) chained: Value,
    /// Whether the control state is nearly always passed inside longer code, so that little code of its own
    /// is worthwhile.
    pub(crate) is_interior: bool,
    /// Whether something was executed.
    pub(crate) moved: Variable,
    /// The escape that was last executed; zero for none.
    pub(crate) escaped: Variable,
    /// For each place in the code where a value may be truncated: whether that has happened.
    pub(crate) noticed: &'a RefCell<Vec<Arc<AtomicU8>>>,
    /// The places of calls, returns and jumps after them.
    pub(crate) sites: &'a RefCell<ChainSites>,
    /// Returns that the interpreter must execute this process.
    pub(crate) interpret: Block,
    /// Returns the value that it is given.
    pub(crate) answer: Block,
}

/// Memory accesses may be unaligned and do not trap.
pub(crate) const FLAGS: MemFlagsData = MemFlagsData::new().with_notrap();

impl<'a> Generator<'a, '_> {
    pub(crate) fn proctype(&self) -> &'a Proctype {
        self.program.body(self.proctype_idx)
    }

    pub(crate) fn int(&mut self, value: i32) -> Value {
        self.build.ins().iconst(types::I32, i64::from(value as u32))
    }

    pub(crate) fn long(&mut self, value: i64) -> Value {
        self.build.ins().iconst(types::I64, value)
    }

    pub(crate) fn block(&mut self) -> Block {
        self.build.create_block()
    }

    pub(crate) fn enter(&mut self, block: Block) {
        self.build.switch_to_block(block);
    }

    pub(crate) fn jump(&mut self, block: Block) {
        self.build.ins().jump(block, &[]);
    }

    pub(crate) fn jump_with(&mut self, block: Block, value: Value) {
        self.build.ins().jump(block, &[BlockArg::Value(value)]);
    }

    pub(crate) fn branch(&mut self, condition: Value, then: Block, otherwise: Block) {
        self.build.ins().brif(condition, then, &[], otherwise, &[]);
    }

    /// Continues only if `condition` holds; otherwise jumps to `otherwise`.
    pub(crate) fn require(&mut self, condition: Value, otherwise: Block) {
        let go_on = self.block();
        self.branch(condition, go_on, otherwise);
        self.enter(go_on);
    }

    pub(crate) fn compare(&mut self, how: IntCC, a: Value, b: Value) -> Value {
        self.build.ins().icmp(how, a, b)
    }

    pub(crate) fn compare_const(&mut self, how: IntCC, a: Value, b: i64) -> Value {
        let ty = self.build.func.dfg.value_type(a);
        let b = self.build.ins().iconst(ty, if ty == types::I32 { i64::from(b as i32 as u32) } else { b });
        self.build.ins().icmp(how, a, b)
    }

    pub(crate) fn load(&mut self, ty: Type, from: Value, offset: i32) -> Value {
        self.build.ins().load(ty, FLAGS, from, offset)
    }

    pub(crate) fn store(&mut self, value: Value, to: Value, offset: i32) {
        self.build.ins().store(FLAGS, value, to, offset);
    }

    pub(crate) fn add(&mut self, a: Value, b: Value) -> Value {
        self.build.ins().iadd(a, b)
    }

    pub(crate) fn add_const(&mut self, a: Value, b: i64) -> Value {
        if b == 0 {
            return a;
        }
        let ty = self.build.func.dfg.value_type(a);
        let b = self.build.ins().iconst(ty, if ty == types::I32 { i64::from(b as i32 as u32) } else { b });
        self.build.ins().iadd(a, b)
    }

    pub(crate) fn widen(&mut self, value: Value) -> Value {
        self.build.ins().uextend(types::I64, value)
    }

    pub(crate) fn context_load(&mut self, ty: Type, offset: i32) -> Value {
        let context = self.context;
        self.load(ty, context, offset)
    }

    pub(crate) fn context_store(&mut self, value: Value, offset: i32) {
        let context = self.context;
        self.store(value, context, offset);
    }

    /// The view of the running process in another vector.
    pub(crate) fn view(&mut self, vector: Value, layout: Value) -> View {
        let local = self.local;
        let record = self.add(vector, local);
        let table = if self.is_dynamic() { self.add_const(vector, TABLE_AT as i64) } else { vector };
        View { vector, record, table, layout }
    }

    /// Reads a scalar as an `int`.
    pub(crate) fn read(&mut self, from: Value, offset: i32, scalar: Scalar) -> Value {
        let ins = self.build.ins();
        match scalar {
            Scalar::Bit | Scalar::Byte | Scalar::Unsigned(0..=8) => {
                ins.uload8(types::I32, FLAGS, from, offset)
            }
            Scalar::Short => ins.sload16(types::I32, FLAGS, from, offset),
            Scalar::Unsigned(9..=16) => ins.uload16(types::I32, FLAGS, from, offset),
            Scalar::Int | Scalar::Unsigned(_) | Scalar::Pointer => ins.load(types::I32, FLAGS, from, offset),
        }
    }

    /// An `int` as it is after being stored in a scalar.
    pub(crate) fn truncate(&mut self, value: Value, scalar: Scalar) -> Value {
        let mask = match scalar {
            Scalar::Bit => 1,
            Scalar::Byte => 0xff,
            Scalar::Int | Scalar::Pointer => return value,
            Scalar::Short => {
                let short = self.build.ins().ireduce(types::I16, value);
                return self.build.ins().sextend(types::I32, short);
            }
            Scalar::Unsigned(bits) => (1i64 << bits) - 1,
        };
        let mask = self.build.ins().iconst(types::I32, mask);
        self.build.ins().band(value, mask)
    }

    /// Leaves the first value of this range that does not fit to the interpreter, which reports it. A value
    /// that always fits costs nothing, any other one comparison.
    pub(crate) fn notice_cut(&mut self, value: Value, range: (i64, i64), scalar: Scalar) {
        if scalar.fits(range) {
            return;
        }
        let cell = Arc::new(AtomicU8::new(0));
        let address = std::ptr::from_ref(&*cell).addr() as i64;
        self.noticed.borrow_mut().push(cell);
        let stored = self.truncate(value, scalar);
        let is_same = self.compare(IntCC::Equal, stored, value);
        let (cut, first, go_on) = (self.block(), self.block(), self.block());
        self.build.set_cold_block(cut);
        self.build.set_cold_block(first);
        self.branch(is_same, go_on, cut);
        self.enter(cut);
        let address = self.long(address);
        let noticed = self.build.ins().uload8(types::I32, FLAGS, address, 0);
        self.branch(noticed, go_on, first);
        self.enter(first);
        let one = self.int(1);
        self.build.ins().istore8(FLAGS, one, address, 0);
        self.give_up();
        self.enter(go_on);
    }

    /// Writes an `int` to a scalar.
    pub(crate) fn write(&mut self, value: Value, to: Value, offset: i32, scalar: Scalar) {
        let value = match scalar {
            Scalar::Bit | Scalar::Unsigned(_) => self.truncate(value, scalar),
            Scalar::Byte | Scalar::Short | Scalar::Int | Scalar::Pointer => value,
        };
        let ins = self.build.ins();
        match scalar.size() {
            1 => ins.istore8(FLAGS, value, to, offset),
            2 => ins.istore16(FLAGS, value, to, offset),
            _ => ins.store(FLAGS, value, to, offset),
        };
    }

    /// The address of a place, before its constant offset. An index out of range is left to the interpreter.
    pub(crate) fn address(&mut self, view: View, place: &ScalarPlace) -> (Value, i32) {
        let start = match &place.base {
            Base::Global => view.vector,
            Base::Local => view.record,
            Base::Object(through) => self.address_through(view, through),
        };
        self.indexed(view, start, place)
    }

    /// Like [`Self::address`], relative to an address.
    pub(crate) fn indexed(&mut self, view: View, start: Value, place: &ScalarPlace) -> (Value, i32) {
        let mut address = start;
        let mut offset = place.offset as i32;
        for index in &place.indices {
            if let Expr::Const(value) = index.value
                && (0..i64::from(index.bound)).contains(&i64::from(value))
            {
                offset += value * index.stride as i32;
                continue;
            }
            let value = self.value(view, &index.value);
            let in_range = self.compare_const(IntCC::UnsignedLessThan, value, i64::from(index.bound));
            let interpret = self.interpret;
            self.require(in_range, interpret);
            let wide = self.widen(value);
            let scaled = match index.stride {
                1 => wide,
                stride => {
                    let stride = self.long(i64::from(stride));
                    self.build.ins().imul(wide, stride)
                }
            };
            address = self.add(address, scaled);
        }
        (address, offset)
    }

    /// The bytes of a vector.
    pub(crate) fn size_of(&mut self, view: View) -> Value {
        let size = if self.is_dynamic() {
            self.load(types::I32, view.table, table_at::SIZE)
        } else {
            self.load(types::I32, view.layout, at::LAYOUT_SIZE)
        };
        self.widen(size)
    }

    /// Copies `size` bytes, and up to [`PADDING`] more.
    pub(crate) fn copy(&mut self, from: Value, to: Value, size: Value) {
        let (body, done) = (self.block(), self.block());
        self.build.append_block_param(body, types::I64);
        let zero = self.long(0);
        self.jump_with(body, zero);
        self.enter(body);
        let position = self.build.block_params(body)[0];
        let (source, target) = (self.add(from, position), self.add(to, position));
        let bytes = self.load(types::I8X16, source, 0);
        self.store(bytes, target, 0);
        let next = self.add_const(position, PADDING as i64);
        let more = self.compare(IntCC::UnsignedLessThan, next, size);
        self.build.ins().brif(more, body, &[BlockArg::Value(next)], done, &[]);
        self.enter(done);
    }

    /// Ends the function and leaves the state to the interpreter.
    pub(crate) fn give_up(&mut self) {
        let interpret = self.interpret;
        self.jump(interpret);
    }

    /// Builds the blocks at the end of every function.
    pub(crate) fn finish_answers(&mut self) {
        let (interpret, answer) = (self.interpret, self.answer);
        self.enter(interpret);
        let status = self.int(INTERPRET as i32);
        self.build.ins().return_(&[status]);
        self.enter(answer);
        let status = self.build.block_params(answer)[0];
        self.build.ins().return_(&[status]);
    }
}
