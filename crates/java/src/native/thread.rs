//! `java.lang.Thread` and `ThreadGroup`. The live threads of the machine are the truth: groups do not keep
//! lists of them.

use super::Effect::{Pure, Shared};
use super::apart::Order;
use super::effect::{SharedView, Value};
use super::lang::element_fields;
use super::{
    Answer, NOTHING, Table, ZERO, give_bool, give_int, give_long, give_new, give_ref, int, required,
};
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Trap, exception};
use crate::vm::thread::Role;

/// Threads that the class library starts for itself and that have nothing to do here.
const SERVANTS: &[&str] = &[
    "java/lang/ref/Reference$ReferenceHandler",
    "java/lang/ref/Finalizer$FinalizerThread",
    "jdk/internal/misc/InnocuousThread",
];

/// The entries.
pub const TABLE: Table = &[
    ("java/lang/Thread.currentThread()Ljava/lang/Thread;", Pure(|m, _| give_ref(m.this_thread()))),
    ("java/lang/Thread.currentCarrierThread()Ljava/lang/Thread;", Pure(|m, _| give_ref(m.this_thread()))),
    ("java/lang/Thread.yield()V", NOTHING),
    ("java/lang/Thread.yield0()V", NOTHING),
    ("java/lang/Thread.onSpinWait()V", NOTHING),
    ("java/lang/Thread.sleep(J)V", Shared(sleep)),
    (
        "java/lang/Thread.sleepNanos0(J)V",
        Shared(|m, args| {
            m.sleep(args[0])?;
            Ok(Answer::Void)
        }),
    ),
    ("java/lang/Thread.scopedValueCache()[Ljava/lang/Object;", ZERO),
    (
        "java/lang/Thread.setScopedValueCache([Ljava/lang/Object;)V",
        Pure(|_, _| Err(Trap::Unsupported("java.lang.ScopedValue".into()))),
    ),
    ("java/lang/Thread.ensureMaterializedForStackWalk(Ljava/lang/Object;)V", NOTHING),
    // Where the class library keeps the address of a counter, the counter itself is kept.
    ("java/lang/Thread.getNextThreadIdOffset()J", Pure(|_, _| give_long(3))),
    (
        "java/lang/Thread$ThreadIdentifiers.next()J",
        Shared(|m, _| {
            let n = m.count_named("java/lang/Thread$ThreadIdentifiers", "NEXT_TID_OFFSET")?;
            give_long(n as i64)
        }),
    ),
    ("jdk/internal/vm/ContinuationSupport.isSupported0()Z", ZERO),
    ("java/lang/Thread.join(J)V", Shared(join)),
    ("java/lang/Thread.start()V", Shared(start)),
    (
        "java/lang/Thread.start0()V",
        Shared(|m, args| {
            m.start_thread(args[0] as Ref)?;
            Ok(Answer::Void)
        }),
    ),
    ("java/lang/Thread.exit()V", NOTHING),
    (
        "java/lang/Thread.holdsLock(Ljava/lang/Object;)Z",
        Pure(|m, args| {
            let object = required(args[0])?;
            give_bool(m.holds_monitor(object))
        }),
    ),
    ("java/lang/Thread.setPriority0(I)V", NOTHING),
    ("java/lang/Thread.setNativeName(Ljava/lang/String;)V", NOTHING),
    (
        "java/lang/Thread.interrupt0()V",
        Shared(|m, args| {
            m.unpark(args[0] as Ref)?;
            Ok(Answer::Void)
        }),
    ),
    ("java/lang/Thread.clearInterruptEvent()V", NOTHING),
    (
        "java/lang/Thread.interrupt()V",
        // Of another thread the flag comes first and the permit to park later.
        Shared(|m, args| {
            Ok(if m.interrupt_quietly(args[0] as Ref)? { Answer::Void } else { Answer::Bytecode })
        }),
    ),
    (
        "java/lang/Thread.interrupted()Z",
        Shared(|m, _| {
            let was = m.clear_interrupt()?;
            give_bool(was)
        }),
    ),
    ("java/lang/Thread.getState()Ljava/lang/Thread$State;", Shared(state)),
    ("java/lang/Thread.dumpThreads([Ljava/lang/Thread;)[[Ljava/lang/StackTraceElement;", Shared(dump)),
    (
        "java/lang/Thread.getThreads()[Ljava/lang/Thread;",
        Shared(|m, _| {
            let threads = m.live_threads()?;
            let class = m.vm.known().thread;
            give_new(m.new_refs(class, &threads)?)
        }),
    ),
    (
        "java/lang/Thread.nextThreadNum()I",
        Shared(|m, _| {
            let n = m.count(m.vm.known().thread_number)?;
            give_int(int(n))
        }),
    ),
    (
        "java/lang/Thread.nextThreadID()J",
        Shared(|m, _| {
            let n = m.count(m.vm.known().thread_identifier)?;
            give_long(n as i64 + 1)
        }),
    ),
    (
        "java/util/concurrent/locks/LockSupport.setBlocker(Ljava/lang/Thread;Ljava/lang/Object;)V",
        Shared(|m, args| set_quietly(m, args, m.vm.known().park_blocker)),
    ),
    (
        "java/util/concurrent/locks/LockSupport.getBlocker(Ljava/lang/Thread;)Ljava/lang/Object;",
        Shared(|m, _| {
            m.observe_owners();
            Ok(Answer::Bytecode)
        }),
    ),
    (
        "java/util/concurrent/locks/AbstractOwnableSynchronizer.setExclusiveOwnerThread(Ljava/lang/Thread;)V",
        Shared(set_owner),
    ),
    (
        "java/util/concurrent/locks/AbstractOwnableSynchronizer.getExclusiveOwnerThread()Ljava/lang/Thread;",
        Shared(owner),
    ),
    ("java/lang/ThreadGroup.add(Ljava/lang/Thread;)V", NOTHING),
    ("java/lang/ThreadGroup.addUnstarted()V", NOTHING),
    ("java/lang/ThreadGroup.remove(Ljava/lang/Thread;)V", NOTHING),
    ("java/lang/ThreadGroup.threadTerminated(Ljava/lang/Thread;)V", NOTHING),
    ("java/lang/ThreadGroup.threadStartFailed(Ljava/lang/Thread;)V", NOTHING),
    (
        "java/lang/ThreadGroup.activeCount()I",
        Shared(|m, args| {
            let n = m.members(args[0] as Ref, true)?.len();
            give_int(n as i32)
        }),
    ),
    ("java/lang/ThreadGroup.enumerate([Ljava/lang/Thread;IZ)I", Shared(enumerate)),
    (
        "java/lang/ThreadGroup.uncaughtException(Ljava/lang/Thread;Ljava/lang/Throwable;)V",
        Shared(|m, args| {
            let is_done = m.report_uncaught(args[0] as Ref, args[1] as Ref, args[2] as Ref)?;
            Ok(if is_done { Answer::Void } else { Answer::Bytecode })
        }),
    ),
];

/// See [`SharedView::set_quietly`].
fn set_quietly(m: &mut SharedView<'_, '_>, args: &[u64], slot: u32) -> Exec<Answer> {
    let is_done = m.set_quietly(args[0] as Ref, slot, args[1] as Ref);
    Ok(if is_done { Answer::Void } else { Answer::Bytecode })
}

/// A lock gets an owner as soon as a thread has got it, and loses it before it is released.
fn set_owner(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    m.note_owner(args[0] as Ref, args[1] as Ref);
    set_quietly(m, args, m.vm.known().lock_owner)
}

/// The owner of a lock. The methods of a lock compare it with the running thread, which no other thread can
/// make equal or different; those whose name says that they give it, and methods of programs, may do anything
/// with it.
fn owner(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let classes = &m.vm.classes;
    let gives_it = m.frames().last().is_none_or(|frame| {
        let is_of_locks = classes.name(frame.method.class).starts_with("java/util/concurrent/");
        !is_of_locks || &**classes.symbols.text(frame.method.name) == "getOwner"
    });
    if gives_it {
        m.observe_owners();
    }
    Ok(m.compared_owner(args[0] as Ref).map_or(Answer::Bytecode, |owner| Answer::Word(u64::from(owner))))
}

fn sleep(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let millis = args[0] as i64;
    if millis < 0 {
        return Err(exception("java/lang/IllegalArgumentException", "timeout value is negative"));
    }
    m.sleep((millis as u64).saturating_mul(1_000_000))?;
    Ok(Answer::Void)
}

fn join(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let object = args[0] as Ref;
    let is_virtual = m.vm.known().base_virtual_thread.is_some_and(|id| m.is_instance(object, id));
    // A thread that is in the monitor already leaves it while waiting.
    if args[1] != 0 || m.holds_monitor(object) || is_virtual {
        return Ok(Answer::Bytecode);
    }
    m.join(object)?;
    Ok(Answer::Void)
}

fn start(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let object = args[0] as Ref;
    if SERVANTS.contains(&m.vm.classes.name(m.class_of(object))) {
        return Ok(Answer::Void);
    }
    if m.vm.known().thread_holder.is_some() {
        return Ok(Answer::Bytecode);
    }
    m.start_under_monitor(object)?;
    Ok(Answer::Void)
}

fn state(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let found =
        m.vm.classes.find_method("jdk/internal/misc/VM", "toThreadState", "(I)Ljava/lang/Thread$State;");
    let Some(method) = found else { return Ok(Answer::Bytecode) };
    let status = m.thread_state(args[0] as Ref)?;
    Ok(Answer::Call(method, vec![status], Role::Plain))
}

fn enumerate(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let list = required(args[1])?;
    let from = int(args[2]).max(0) as usize;
    let mut found = m.members(args[0] as Ref, args[3] != 0)?;
    found.truncate(m.array_len(list).saturating_sub(from));
    let class = m.vm.known().thread;
    let threads = m.new_refs(class, &found)?.give();
    let n = (from + found.len()) as i32;
    super::apart::deliver(m, threads, (list, from as u32), super::apart::Order::Ascending, n)
}

/// The stacks of threads, as arrays of elements; `null` for those that are not alive.
fn dump(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let threads = m.references(required(args[0])?, Order::Any)?;
    let stacks = m.stacks(&threads)?;
    let element = m.vm.load("java/lang/StackTraceElement")?;
    let mut dumped = Vec::with_capacity(stacks.len());
    for stack in stacks {
        let Some(places) = stack else {
            dumped.push(0);
            continue;
        };
        let mut elements = Vec::with_capacity(places.len());
        for (method, pc) in places {
            let made = m.new_object(element);
            for (_, slot, value) in element_fields(m, made.give(), method, pc) {
                match value {
                    Value::Word(value) => m.set(made, slot, value),
                    Value::Ref(value) => m.set_ref(made, slot, value),
                }
            }
            elements.push(made.give());
        }
        dumped.push(m.new_refs(element, &elements)?.give());
    }
    let class = m.vm.classes.array_of(element)?;
    give_new(m.new_refs(class, &dumped)?)
}
