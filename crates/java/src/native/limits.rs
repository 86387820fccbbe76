//! Time limits of JUnit 4: a test that has one runs as if it had none, in its own thread.
//!
//! How long a test takes on a real machine is no matter of its interleavings. A deadlock is found as one.

use super::Effect::Pure;
use super::effect::PureView;
use super::{Answer, Table};
use crate::class::code::Op;
use crate::class::descriptor::Kind;
use crate::vm::dynamic::assemble::Assembler;
use crate::vm::heap::Ref;
use crate::vm::machine::Exec;
use crate::vm::thread::Role;

/// The entries.
pub const TABLE: Table =
    &[("org/junit/internal/runners/statements/FailOnTimeout.evaluate()V", Pure(evaluate))];

/// Runs the statement that has a limit.
fn evaluate(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let vm = m.vm;
    let class = vm.class(m.class_of(args[0] as Ref));
    let names = ["originalStatement", "fOriginalStatement", "statement", "next"]
        .map(|name| vm.classes.symbols.intern(name));
    let field = class.fields.iter().find(|field| field.kind == Kind::Ref && names.contains(&field.name));
    let Some(slot) = field.map(|field| field.slot) else { return Ok(Answer::Bytecode) };
    let method = vm.made.method(format!("the statement in slot {slot}"), |key| {
        let mut asm = Assembler::new(&vm.classes);
        asm.op(Op::Load(0)).op(Op::GetSlot(slot, Kind::Ref));
        asm.call("org/junit/runners/model/Statement", "evaluate", "()V", true)?.leave(None);
        Ok(asm.add(key, vm.known().object, "<unlimited>", "(Ljava/lang/Object;)V"))
    })?;
    Ok(Answer::Call(method, vec![args[0]], Role::Plain))
}
