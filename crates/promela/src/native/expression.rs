//! Code for expressions. Errors and rare cases are left to the interpreter.

use super::context::at;
use super::generator::{Generator, View};
use crate::ir::{Base, Expr, Scalar};
use crate::syntax::ast::{BinaryOp, ChanQuery, UnaryOp};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

/// The comparison that an operator makes, if it compares.
fn comparison(op: BinaryOp) -> Option<IntCC> {
    Some(match op {
        BinaryOp::Lt => IntCC::SignedLessThan,
        BinaryOp::Le => IntCC::SignedLessThanOrEqual,
        BinaryOp::Gt => IntCC::SignedGreaterThan,
        BinaryOp::Ge => IntCC::SignedGreaterThanOrEqual,
        BinaryOp::Eq => IntCC::Equal,
        BinaryOp::Ne => IntCC::NotEqual,
        _ => return None,
    })
}

impl Generator<'_, '_> {
    /// The value of an expression, an `int`.
    pub(crate) fn value(&mut self, view: View, e: &Expr) -> Value {
        match e {
            Expr::Address(address) => self.reference(view, address),
            Expr::Either(either) => self.value(view, either.right.as_ref().unwrap_or(&either.left)),
            Expr::LoadByte(Base::Object(_), _) => self.int(0),
            Expr::Const(value) => self.int(*value),
            Expr::Load(place) => {
                let (address, offset) = self.address(view, place);
                let value = self.read(address, offset, place.scalar);
                // Behind a pointer, an element of an array may have a whole byte.
                match (&place.base, place.scalar) {
                    (Base::Object(_), Scalar::Bit) => self.truncate(value, Scalar::Bit),
                    _ => value,
                }
            }
            Expr::LoadByte(Base::Global, offset) => self.read(view.vector, *offset as i32, Scalar::Byte),
            Expr::LoadByte(Base::Local, offset) => self.read(view.record, *offset as i32, Scalar::Byte),
            Expr::WithConst(op, a, b) => {
                let a = self.value(view, a);
                let b = self.int(*b);
                self.binary(*op, a, b)
            }
            Expr::Pid => {
                let pid = self.pid;
                self.build.ins().ireduce(types::I32, pid)
            }
            Expr::NrPr => self.read(view.vector, 0, Scalar::Byte),
            Expr::Unary(op, a) => {
                let a = self.value(view, a);
                match op {
                    UnaryOp::Neg => self.build.ins().ineg(a),
                    UnaryOp::BitNot => self.build.ins().bnot(a),
                    UnaryOp::Not => {
                        let is_zero = self.compare_const(IntCC::Equal, a, 0);
                        self.build.ins().uextend(types::I32, is_zero)
                    }
                }
            }
            Expr::Binary(op, a, b, _) => {
                let (a, b) = (self.value(view, a), self.value(view, b));
                if op.divides() {
                    let sound = self.compare_const(IntCC::NotEqual, b, 0);
                    let interpret = self.interpret;
                    self.require(sound, interpret);
                }
                self.binary(*op, a, b)
            }
            Expr::And(..) | Expr::Or(..) => {
                let (yes, no, done) = (self.block(), self.block(), self.block());
                self.build.append_block_param(done, types::I32);
                self.test(view, e, yes, no);
                for (block, value) in [(yes, 1), (no, 0)] {
                    self.enter(block);
                    let value = self.int(value);
                    self.jump_with(done, value);
                }
                self.enter(done);
                self.build.block_params(done)[0]
            }
            Expr::Cond(condition, a, b) => {
                let (yes, no, done) = (self.block(), self.block(), self.block());
                self.build.append_block_param(done, types::I32);
                self.test(view, condition, yes, no);
                for (block, value) in [(yes, a), (no, b)] {
                    self.enter(block);
                    let value = self.value(view, value);
                    self.jump_with(done, value);
                }
                self.enter(done);
                self.build.block_params(done)[0]
            }
            Expr::Chan(query, channel, _) => self.query(view, *query, channel),
            // Compiled code runs before any timeout; if no step is possible, the interpreter evaluates it
            // again.
            Expr::Timeout => self.int(0),
            Expr::Poll(_)
            | Expr::NonProgress
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::Priority(_)
            | Expr::RemoteLabel { .. }
            | Expr::RemoteVar { .. }
            | Expr::Run(_) => self.ask_interpreter(view, e),
        }
    }

    /// Jumps to `yes` or to `no`.
    pub(crate) fn test(&mut self, view: View, e: &Expr, yes: Block, no: Block) {
        match e {
            Expr::And(a, b) => {
                let second = self.block();
                self.test(view, a, second, no);
                self.enter(second);
                self.test(view, b, yes, no);
            }
            Expr::Or(a, b) => {
                let second = self.block();
                self.test(view, a, yes, second);
                self.enter(second);
                self.test(view, b, yes, no);
            }
            Expr::Unary(UnaryOp::Not, a) => self.test(view, a, no, yes),
            Expr::Const(value) => self.jump(if *value != 0 { yes } else { no }),
            Expr::WithConst(op, a, b) if comparison(*op).is_some() => {
                let a = self.value(view, a);
                let how = comparison(*op).unwrap_or(IntCC::Equal);
                let holds = self.compare_const(how, a, i64::from(*b));
                self.branch(holds, yes, no);
            }
            Expr::Binary(op, a, b, _) if comparison(*op).is_some() => {
                let (a, b) = (self.value(view, a), self.value(view, b));
                let how = comparison(*op).unwrap_or(IntCC::Equal);
                let holds = self.compare(how, a, b);
                self.branch(holds, yes, no);
            }
            _ => {
                let value = self.value(view, e);
                self.branch(value, yes, no);
            }
        }
    }

    /// `a op b`, where a divisor is not zero.
    fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        if let Some(how) = comparison(op) {
            let holds = self.compare(how, a, b);
            return self.build.ins().uextend(types::I32, holds);
        }
        match op {
            BinaryOp::Add => self.build.ins().iadd(a, b),
            BinaryOp::Sub => self.build.ins().isub(a, b),
            BinaryOp::Mul => self.build.ins().imul(a, b),
            BinaryOp::Div | BinaryOp::Rem => {
                // In 64 bits, so that the least number divided by minus one does not overflow.
                let a = self.build.ins().sextend(types::I64, a);
                let b = self.build.ins().sextend(types::I64, b);
                let result = match op {
                    BinaryOp::Div => self.build.ins().sdiv(a, b),
                    _ => self.build.ins().srem(a, b),
                };
                self.build.ins().ireduce(types::I32, result)
            }
            BinaryOp::BitAnd => self.build.ins().band(a, b),
            BinaryOp::BitXor => self.build.ins().bxor(a, b),
            BinaryOp::BitOr => self.build.ins().bor(a, b),
            BinaryOp::Shl => self.build.ins().ishl(a, b),
            BinaryOp::Shr => self.build.ins().sshr(a, b),
            BinaryOp::And | BinaryOp::Or => {
                let a = self.compare_const(IntCC::NotEqual, a, 0);
                let b = self.compare_const(IntCC::NotEqual, b, 0);
                let both = match op {
                    BinaryOp::And => self.build.ins().band(a, b),
                    _ => self.build.ins().bor(a, b),
                };
                self.build.ins().uextend(types::I32, both)
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => {
                unreachable!("comparisons are done above")
            }
        }
    }

    /// `len(c)` and its kin.
    fn query(&mut self, view: View, query: ChanQuery, channel: &Expr) -> Value {
        let slot = self.slot(view, channel);
        if self.checks_exclusive() {
            let (receiving, sending) = match query {
                ChanQuery::Len | ChanQuery::Full | ChanQuery::Empty => (true, true),
                ChanQuery::NFull => (false, true),
                ChanQuery::NEmpty => (true, false),
            };
            self.check_exclusive(view, &slot, receiving, sending);
        }
        let (length, capacity) = self.length_and_capacity(view, &slot);
        let holds = match query {
            ChanQuery::Len => return length,
            ChanQuery::Empty => self.compare_const(IntCC::Equal, length, 0),
            ChanQuery::NEmpty => self.compare_const(IntCC::NotEqual, length, 0),
            ChanQuery::Full | ChanQuery::NFull => {
                // A rendezvous channel always counts as not full.
                let one = self.int(1);
                let capacity = self.build.ins().umax(capacity, one);
                let how = if query == ChanQuery::Full {
                    IntCC::UnsignedGreaterThanOrEqual
                } else {
                    IntCC::UnsignedLessThan
                };
                self.compare(how, length, capacity)
            }
        };
        self.build.ins().uextend(types::I32, holds)
    }

    /// Lets the interpreter evaluate an expression.
    fn ask_interpreter(&mut self, view: View, e: &Expr) -> Value {
        let address = self.long(std::ptr::from_ref(e).addr() as i64);
        let arguments = [self.context, view.vector, view.table, view.layout, self.pid, address];
        let helper = self.helpers.evaluate;
        let call = self.build.ins().call(helper, &arguments);
        let value = self.build.inst_results(call)[0];
        let trouble = self.context_load(types::I32, at::TROUBLE);
        let sound = self.compare_const(IntCC::Equal, trouble, 0);
        let interpret = self.interpret;
        self.require(sound, interpret);
        value
    }
}
