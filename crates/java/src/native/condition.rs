//! Waits for conditions of `java.util.concurrent` that end spuriously (see `vm::spurious`).
//!
//! The library's own code waits until there is a signal. A spurious return is what its contract allows beside
//! that: the lock is released and acquired again. Both classes of synchronizers have what that takes in
//! public.

use super::Effect::Shared;
use super::effect::{OwnView, SharedView};
use super::{Answer, Table};
use crate::class::MethodId;
use crate::class::code::{Comparison, Op};
use crate::class::descriptor::Kind;
use crate::gap::Gap;
use crate::vm::dynamic::assemble::Assembler;
use crate::vm::machine::Exec;
use crate::vm::thread::Role;

const INT: &str = "java/util/concurrent/locks/AbstractQueuedSynchronizer";
const LONG: &str = "java/util/concurrent/locks/AbstractQueuedLongSynchronizer";

/// The entries.
pub const TABLE: Table = &[
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject.await()V",
        Shared(|m, args| wait(m, args, INT, Form::Plain)),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject.awaitUninterruptibly()V",
        Shared(|m, args| wait(m, args, INT, Form::Uninterruptible)),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject.awaitNanos(J)J",
        Shared(|m, args| wait(m, args, INT, Form::Nanos)),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject.await(JLjava/util/concurrent/TimeUnit;)Z",
        Shared(|m, args| wait(m, args, INT, Form::Units)),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject.awaitUntil(Ljava/util/Date;)Z",
        Shared(|m, args| wait(m, args, INT, Form::Until)),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedLongSynchronizer$ConditionObject.await()V",
        Shared(|m, args| wait(m, args, LONG, Form::Plain)),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedLongSynchronizer$ConditionObject.awaitUninterruptibly()V",
        Shared(|m, args| wait(m, args, LONG, Form::Uninterruptible)),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedLongSynchronizer$ConditionObject.awaitNanos(J)J",
        Shared(|m, args| wait(m, args, LONG, Form::Nanos)),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedLongSynchronizer$ConditionObject.await(JLjava/util/concurrent/TimeUnit;)Z",
        Shared(|m, args| wait(m, args, LONG, Form::Units)),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedLongSynchronizer$ConditionObject.awaitUntil(Ljava/util/Date;)Z",
        Shared(|m, args| wait(m, args, LONG, Form::Until)),
    ),
];

/// The methods that wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `await()`
    Plain,
    /// `awaitUninterruptibly()`
    Uninterruptible,
    /// `awaitNanos(long)`
    Nanos,
    /// `await(long, TimeUnit)`
    Units,
    /// `awaitUntil(Date)`
    Until,
}

impl Form {
    /// The parameters of a method that takes the condition too, and its result.
    fn descriptor(self) -> &'static str {
        match self {
            Self::Plain | Self::Uninterruptible => "(Ljava/lang/Object;)V",
            Self::Nanos => "(Ljava/lang/Object;J)J",
            Self::Units => "(Ljava/lang/Object;JLjava/lang/Object;)Z",
            Self::Until => "(Ljava/lang/Object;Ljava/lang/Object;)Z",
        }
    }
}

fn wait(m: &mut SharedView<'_, '_>, args: &[u64], class: &str, form: Form) -> Exec<Answer> {
    // A limit that is over, or an argument that is missing, is for the method's own code.
    let may_wait = match form {
        Form::Plain | Form::Uninterruptible => {
            m.note_wait("Condition.await");
            true
        }
        Form::Nanos => args[1] as i64 > 0,
        Form::Units => args[1] as i64 > 0 && args[3] != 0,
        Form::Until => args[1] != 0,
    };
    if !may_wait || !m.ends_spuriously()? {
        return Ok(Answer::Bytecode);
    }
    let method = woken(m, class, form)?;
    Ok(Answer::Call(method, args.to_vec(), Role::Plain))
}

/// The method that releases the lock of a condition and acquires it again.
fn woken(m: &OwnView<'_, '_>, class: &str, form: Form) -> Exec<MethodId> {
    let vm = m.vm;
    let kind = if class == INT { Kind::Int } else { Kind::Long };
    let of = |name: &str| if kind == Kind::Int { name.to_owned() } else { name.replace('I', "J") };
    vm.made.method(format!("a spurious wake-up of {class}, {form:?}"), |key| {
        let mut asm = Assembler::new(&vm.classes);
        let condition = format!("{class}$ConditionObject");
        let lock = vm.classes.slot(&condition, "this$0");
        let lock = lock.ok_or_else(|| Gap::Library(format!("{condition}.this$0")))?;
        if form != Form::Uninterruptible {
            asm.call("java/lang/Thread", "interrupted", "()Z", false)?;
            let calm = asm.jump(Op::If(Comparison::Eq, 0));
            asm.make("java/lang/InterruptedException")?.op(Op::Throw);
            asm.land(calm);
            asm.set_depth(0);
        }
        // Behind the arguments.
        let (sync, state) = (4, 5);
        asm.op(Op::Load(0)).op(Op::GetSlot(lock, Kind::Ref)).store(Kind::Ref, sync);
        asm.op(Op::Load(sync)).call(class, "getState", &of("()I"), true)?.store(kind, state);
        asm.op(Op::Load(sync)).load(kind, state).call(class, "release", &of("(I)Z"), true)?.op(Op::Pop);
        asm.op(Op::Load(sync)).load(kind, state).call(class, "acquire", &of("(I)V"), true)?;
        match form {
            Form::Plain | Form::Uninterruptible => asm.leave(None),
            Form::Nanos => asm.op(Op::Load2(1)).leave(Some(Kind::Long)),
            Form::Units => asm.op(Op::Const(1, false)).leave(Some(Kind::Int)),
            Form::Until => {
                asm.call("java/lang/System", "currentTimeMillis", "()J", false)?;
                asm.op(Op::Load(1)).call("java/util/Date", "getTime", "()J", true)?.op(Op::CompareLong);
                let in_time = asm.jump(Op::If(Comparison::Lt, 0));
                asm.op(Op::Const(0, false)).leave(Some(Kind::Int));
                asm.land(in_time);
                asm.op(Op::Const(1, false)).leave(Some(Kind::Int))
            }
        };
        Ok(asm.add(key, vm.known().object, "<woken>", form.descriptor()))
    })
}
