//! `java.lang.Thread` and `ThreadGroup`. The live threads of the machine are the truth: groups do not keep lists of them.

use super::{Answer, Table, give_bool, give_int, give_long, give_ref, int, nothing, required};
use crate::class::code::Op;
use crate::vm::heap::{Data, Ref};
use crate::vm::machine::{Exec, Machine, Trap, exception};
use crate::vm::thread::{Role, Seen, Wait};
use crate::vm::view::{Mode, Resource};

/// Threads that the class library starts for itself and that have nothing to do here.
const SERVANTS: &[&str] = &[
    "java/lang/ref/Reference$ReferenceHandler",
    "java/lang/ref/Finalizer$FinalizerThread",
    "jdk/internal/misc/InnocuousThread",
];

/// The entries.
pub const TABLE: Table = &[
    ("java/lang/Thread.currentThread()Ljava/lang/Thread;", |m, _| give_ref(m.thread().object)),
    ("java/lang/Thread.currentCarrierThread()Ljava/lang/Thread;", |m, _| give_ref(m.thread().object)),
    ("java/lang/Thread.yield()V", nothing),
    ("java/lang/Thread.yield0()V", nothing),
    ("java/lang/Thread.onSpinWait()V", nothing),
    ("java/lang/Thread.sleep(J)V", sleep),
    ("java/lang/Thread.sleepNanos0(J)V", |m, args| {
        m.access(Resource::Unlisted, Mode::Write)?;
        if m.take_interrupt() {
            return Err(exception("java/lang/InterruptedException", "sleep interrupted"));
        }
        m.pass_time()?;
        m.advance_clock(args[0]);
        Ok(Answer::Void)
    }),
    ("java/lang/Thread.scopedValueCache()[Ljava/lang/Object;", super::zero),
    ("java/lang/Thread.setScopedValueCache([Ljava/lang/Object;)V", |_, _| {
        Err(Trap::Unsupported("java.lang.ScopedValue".into()))
    }),
    ("java/lang/Thread.ensureMaterializedForStackWalk(Ljava/lang/Object;)V", nothing),
    // Where the class library keeps the address of a counter, the counter itself is kept.
    ("java/lang/Thread.getNextThreadIdOffset()J", |_, _| give_long(3)),
    ("java/lang/Thread$ThreadIdentifiers.next()J", |m, _| {
        m.access(Resource::Unlisted, Mode::Write)?;
        let class = "java/lang/Thread$ThreadIdentifiers";
        let n = m.static_value(class, "NEXT_TID_OFFSET").unwrap_or(0);
        m.set_static(class, "NEXT_TID_OFFSET", n + 1);
        give_long(n as i64)
    }),
    ("jdk/internal/vm/ContinuationSupport.isSupported0()Z", super::zero),
    ("java/lang/Thread.join(J)V", join),
    ("java/lang/Thread.start()V", start),
    ("java/lang/Thread.start0()V", |m, args| {
        m.start_thread(args[0] as Ref)?;
        Ok(Answer::Void)
    }),
    ("java/lang/Thread.exit()V", nothing),
    ("java/lang/Thread.holdsLock(Ljava/lang/Object;)Z", |m, args| {
        let object = required(args[0])?;
        give_bool(m.holds_monitor(object))
    }),
    ("java/lang/Thread.setPriority0(I)V", nothing),
    ("java/lang/Thread.setNativeName(Ljava/lang/String;)V", nothing),
    ("java/lang/Thread.interrupt0()V", |m, args| {
        m.unpark(args[0] as Ref)?;
        Ok(Answer::Void)
    }),
    ("java/lang/Thread.clearInterruptEvent()V", nothing),
    ("java/lang/Thread.interrupt()V", interrupt),
    ("java/lang/Thread.interrupted()Z", interrupted),
    ("java/lang/Thread.getState()Ljava/lang/Thread$State;", state),
    ("java/lang/Thread.getThreads()[Ljava/lang/Thread;", |m, _| {
        m.access(Resource::Unlisted, Mode::Write)?;
        m.observe_threads();
        let threads: Vec<Ref> = m.process.threads.iter().map(|thread| thread.object).collect();
        let class = m.vm.known().thread;
        give_ref(m.new_refs(class, &threads)?)
    }),
    ("java/lang/Thread.nextThreadNum()I", |m, _| {
        m.access(Resource::Static(m.vm.known().thread_number), Mode::Write)?;
        let n = m.known_static(m.vm.known().thread_number);
        m.set_known_static(m.vm.known().thread_number, n + 1);
        give_int(int(n))
    }),
    ("java/lang/Thread.nextThreadID()J", |m, _| {
        m.access(Resource::Static(m.vm.known().thread_identifier), Mode::Write)?;
        let n = m.known_static(m.vm.known().thread_identifier) + 1;
        m.set_known_static(m.vm.known().thread_identifier, n);
        give_long(n as i64)
    }),
    (
        "java/util/concurrent/locks/LockSupport.setBlocker(Ljava/lang/Thread;Ljava/lang/Object;)V",
        |m, args| set_quietly(m, args, m.vm.known().park_blocker),
    ),
    (
        "java/util/concurrent/locks/AbstractOwnableSynchronizer.setExclusiveOwnerThread(Ljava/lang/Thread;)V",
        set_owner,
    ),
    (
        "java/util/concurrent/locks/AbstractOwnableSynchronizer.getExclusiveOwnerThread()Ljava/lang/Thread;",
        |m, args| {
            if m.options.every_access {
                return Ok(Answer::Bytecode);
            }
            Ok(Answer::Word(m.process.heap.slot(args[0] as Ref, m.vm.known().lock_owner)))
        },
    ),
    ("java/lang/ThreadGroup.add(Ljava/lang/Thread;)V", nothing),
    ("java/lang/ThreadGroup.addUnstarted()V", nothing),
    ("java/lang/ThreadGroup.remove(Ljava/lang/Thread;)V", nothing),
    ("java/lang/ThreadGroup.threadTerminated(Ljava/lang/Thread;)V", nothing),
    ("java/lang/ThreadGroup.threadStartFailed(Ljava/lang/Thread;)V", nothing),
    ("java/lang/ThreadGroup.activeCount()I", |m, args| {
        m.access(Resource::Unlisted, Mode::Write)?;
        m.observe_threads();
        give_int(members(m, args[0] as Ref, true).len() as i32)
    }),
    ("java/lang/ThreadGroup.enumerate([Ljava/lang/Thread;IZ)I", enumerate),
    ("java/lang/ThreadGroup.uncaughtException(Ljava/lang/Thread;Ljava/lang/Throwable;)V", uncaught),
];

/// Writes a field that others only compare with themselves or show to people: who owns a lock, which only the owner writes, and
/// what a thread is parked on. The write belongs to the operation before it.
fn set_quietly(m: &mut Machine<'_>, args: &[u64], slot: u32) -> Exec<Answer> {
    if args[0] == 0 || m.options.every_access {
        return Ok(Answer::Bytecode);
    }
    m.set_ref(args[0] as Ref, slot, args[1] as Ref);
    Ok(Answer::Void)
}

/// A lock is told who owns it, as soon as somebody has got it and before it is released.
fn set_owner(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let slot = m.vm.known().lock_owner;
    let (lock, owner) = (args[0] as Ref, args[1] as Ref);
    if m.knowledge.lock_order.is_some()
        && lock != 0
        && owner == m.thread().object
        && m.process.heap.slot(lock, slot) == 0
    {
        m.note_lock_order(lock);
    }
    set_quietly(m, args, slot)
}

fn sleep(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let millis = args[0] as i64;
    if millis < 0 {
        return Err(exception("java/lang/IllegalArgumentException", "timeout value is negative"));
    }
    m.access(Resource::Unlisted, Mode::Write)?;
    if m.take_interrupt() {
        return Err(exception("java/lang/InterruptedException", "sleep interrupted"));
    }
    m.pass_time()?;
    m.advance_clock((millis as u64).saturating_mul(1_000_000));
    Ok(Answer::Void)
}

/// `Thread.join` without a limit: what its loop of waiting in the thread's monitor comes to, as one operation.
fn join(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let object = args[0] as Ref;
    let is_virtual = m.vm.known().base_virtual_thread.is_some_and(|id| m.is_instance(object, id));
    // Whoever is in the monitor already leaves it while waiting.
    if args[1] != 0 || m.holds_monitor(object) || is_virtual {
        return Ok(Answer::Bytecode);
    }
    if m.is_interrupted(m.thread().object) {
        // Then it makes a difference whether the other one has ended.
        m.observe_life();
    }
    let is_free = m.process.heap.get(object).owner == 0;
    if is_free && m.thread_of(object).is_none() {
        // Once it has ended nobody can change that: only the use of its monitor can be in conflict with anything.
        m.access(Resource::Monitor(object), Mode::Write)?;
        return Ok(Answer::Void);
    }
    m.access(Resource::Monitor(object), Mode::Await)?;
    if !is_free {
        return Err(Trap::Blocked);
    }
    if m.take_interrupt() {
        return Err(Trap::Exception("java/lang/InterruptedException", None));
    }
    Err(Trap::Blocked)
}

/// `Thread.start`, which is synchronized: all of it is one step.
fn start(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let object = args[0] as Ref;
    let class = m.vm.classes.name(m.process.heap.get(object).class);
    if SERVANTS.contains(&class) {
        return Ok(Answer::Void);
    }
    if m.vm.known().thread_holder.is_some() {
        return Ok(Answer::Bytecode);
    }
    let owner = m.process.heap.get(object).owner;
    if owner != 0 && owner != m.thread().id + 1 {
        m.access(Resource::Monitor(object), Mode::Await)?;
        return Err(Trap::Blocked);
    }
    if m.process.heap.slot(object, m.vm.known().thread_status) != 0 {
        m.access(Resource::Unlisted, Mode::Write)?;
        return Err(Trap::Exception("java/lang/IllegalThreadStateException", None));
    }
    m.start_thread(object)?;
    m.also(Resource::Monitor(object), Mode::Write);
    Ok(Answer::Void)
}

fn interrupt(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let object = args[0] as Ref;
    let blocker = m.vm.known().thread_blocker;
    let is_other = object != m.thread().object && m.thread_of(object).is_some();
    if is_other || blocker.is_some_and(|slot| m.process.heap.slot(object, slot) != 0) {
        // The flag comes first and the permit to park later; or someone wants to be told.
        return Ok(Answer::Bytecode);
    }
    m.access(Resource::Unlisted, Mode::Write)?;
    // A thread that does not run yet, or no more, only has its flag set.
    m.note_interrupt(object, true);
    m.process.heap.set_slot(object, m.vm.known().thread_interrupted, 1);
    m.give_permit(object);
    Ok(Answer::Void)
}

fn interrupted(m: &mut Machine<'_>, _: &[u64]) -> Exec<Answer> {
    let (object, flag) = (m.thread().object, m.vm.known().thread_interrupted);
    let was = m.process.heap.slot(object, flag) != 0;
    m.access(Resource::Slot(object, flag), if was { Mode::Write } else { Mode::Read })?;
    if was {
        m.process.heap.set_slot(object, flag, 0);
    }
    give_bool(was)
}

/// What [`status`] gives for a thread that only waits for time to pass, or may stop waiting then.
pub const TIMED: u64 = 0x20;

const RUNNABLE: u64 = 0x5;
const WAITING: u64 = 0x10;
const BLOCKED: u64 = 0x400;

/// What `Thread.getState` shows of a thread that has begun to do what it is about to do, in the numbers of `threadStatus`.
#[must_use]
pub fn status(m: &Machine<'_>, object: Ref) -> u64 {
    let Some(idx) = m.thread_of(object) else {
        let known = m.vm.known();
        let holder = known.thread_holder.map_or(object, |slot| m.process.heap.slot(object, slot) as Ref);
        return m.process.heap.slot(holder, known.thread_status);
    };
    match (settled(m, idx), pending(m, idx)) {
        (Some(status), _) => status,
        (None, Some(Pending { status, must_wait: true, .. })) => status,
        _ => RUNNABLE,
    }
}

/// The status of a thread in `Object.wait`, about which there is no doubt.
fn settled(m: &Machine<'_>, idx: usize) -> Option<u64> {
    match m.process.threads[idx].wait {
        Wait::Waiting { timed: false, .. } => Some(WAITING),
        Wait::Waiting { timed: true, .. } => Some(TIMED),
        Wait::Woken { .. } => Some(BLOCKED),
        Wait::No => None,
    }
}

/// Something that a thread is about to do and may have to wait for.
struct Pending {
    /// Its status while it waits.
    status: u64,
    /// Whether it has to wait as things are.
    must_wait: bool,
    /// The monitor it is about to enter, or `null`.
    monitor: Ref,
}

fn pending(m: &Machine<'_>, idx: usize) -> Option<Pending> {
    let thread = &m.process.threads[idx];
    let frame = thread.frames.last()?;
    let monitor = |lock: Ref| {
        let owner = if lock == 0 { 0 } else { m.process.heap.get(lock).owner };
        Some(Pending { status: BLOCKED, must_wait: owner != 0 && owner != thread.id + 1, monitor: lock })
    };
    let other = |status, must_wait| Some(Pending { status, must_wait, monitor: 0 });
    let op = frame.code.ops[frame.pc as usize];
    let class = m.vm.class(frame.method.class);
    match op {
        Op::MonitorEnter => monitor(thread.peek(0) as Ref),
        Op::InvokeVirtual(at) | Op::InvokeStatic(at) | Op::InvokeSpecial(at) | Op::InvokeInterface(at) => {
            let Some(crate::class::pool::Resolved::Method(found)) = class.pool.resolved(at) else {
                return None;
            };
            let method = m.vm.classes.method(found.method);
            match (m.vm.classes.name(method.class), &**m.vm.classes.symbols.text(method.name)) {
                ("jdk/internal/misc/Unsafe", "park") => {
                    other(if thread.peek(1) == 0 { WAITING } else { TIMED }, !thread.permit)
                }
                ("java/lang/Thread", "sleep" | "sleepNanos0") => other(TIMED, true),
                ("java/lang/Thread", "join") => other(WAITING, m.thread_of(thread.peek(2) as Ref).is_some()),
                _ if method.is_synchronized() && method.is_static() => monitor(m.vm.mirror(method.class)),
                _ if method.is_synchronized() => monitor(thread.peek(u32::from(found.n_args) - 1) as Ref),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A monitor becomes free: threads that are about to enter it may have tried in vain, and are blocked until they have it.
pub fn note_release(m: &mut Machine<'_>, monitor: Ref) {
    if m.booting || m.process.threads.len() == 1 || !m.are_threads_observed() {
        return;
    }
    for idx in 0..m.process.threads.len() {
        let is_new =
            idx != m.step.current && m.process.threads[idx].seen == Seen::No && settled(m, idx).is_none();
        if is_new && pending(m, idx).is_some_and(|pending| pending.monitor == monitor) {
            m.touch_thread(idx);
            m.process.threads[idx].seen = Seen::Maybe;
        }
    }
}

/// The status of another thread, as it may be. A thread that is about to do something it has to wait for may have begun to or not; once it
/// was seen to wait it has, and a thread that waited for a monitor goes on to do so until it has entered it.
fn observed(m: &mut Machine<'_>, idx: usize) -> u64 {
    if let Some(status) = settled(m, idx) {
        return status;
    }
    let Some(Pending { status, must_wait, .. }) = pending(m, idx) else { return RUNNABLE };
    let is_certain = m.process.threads[idx].seen == Seen::Yes && (must_wait || status == BLOCKED);
    if is_certain {
        return status;
    }
    let is_possible = must_wait || m.process.threads[idx].seen != Seen::No;
    if !is_possible || m.choose(2) == 1 {
        return RUNNABLE;
    }
    m.touch_thread(idx);
    m.process.threads[idx].seen = Seen::Yes;
    status
}

fn state(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let found =
        m.vm.classes.find_method("jdk/internal/misc/VM", "toThreadState", "(I)Ljava/lang/Thread$State;");
    let Some(method) = found else { return Ok(Answer::Bytecode) };
    m.access(Resource::Unlisted, Mode::Write)?;
    let status = match m.thread_of(args[0] as Ref) {
        Some(idx) if idx == m.step.current => RUNNABLE,
        Some(idx) => {
            m.observe_threads();
            observed(m, idx)
        }
        None => {
            m.observe_life();
            status(m, args[0] as Ref)
        }
    };
    Ok(Answer::Call(method, vec![status], Role::Plain))
}

/// The live threads of a group, and of groups in it.
fn members(m: &Machine<'_>, group: Ref, deep: bool) -> Vec<Ref> {
    let classes = &m.vm.classes;
    let Some(group_slot) = classes.slot("java/lang/Thread", "group") else { return Vec::new() };
    let parent_slot = classes.slot("java/lang/ThreadGroup", "parent");
    let is_inside = |thread: Ref| {
        let mut at = m.process.heap.slot(thread, group_slot) as Ref;
        while at != 0 && at != group && deep {
            at = parent_slot.map_or(0, |slot| m.process.heap.slot(at, slot) as Ref);
        }
        at == group
    };
    m.process.threads.iter().map(|thread| thread.object).filter(|&thread| is_inside(thread)).collect()
}

fn enumerate(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    m.access(Resource::Unlisted, Mode::Write)?;
    m.observe_threads();
    let list = required(args[1])?;
    let from = int(args[2]).max(0) as usize;
    let mut found = members(m, args[0] as Ref, args[3] != 0);
    found.truncate(m.array_len(list).saturating_sub(from));
    for &thread in &found {
        m.publish(list, thread);
    }
    if let Data::Refs(refs) = &mut m.process.heap.get_mut(list).data {
        refs[from..from + found.len()].copy_from_slice(&found);
    }
    give_int((from + found.len()) as i32)
}

/// Nobody catches an exception: a handler set by the program takes it, else it is reported.
fn uncaught(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    if m.known_static(m.vm.known().default_handler) != 0 {
        return Ok(Answer::Bytecode);
    }
    let prints_itself = m.prints_itself(args[2] as Ref);
    let parent = m.vm.classes.slot("java/lang/ThreadGroup", "parent");
    if prints_itself && parent.is_some_and(|slot| m.process.heap.slot(args[0] as Ref, slot) != 0) {
        // The outermost group prints.
        return Ok(Answer::Bytecode);
    }
    m.access(Resource::Unlisted, Mode::Write)?;
    m.report_uncaught(args[1] as Ref, args[2] as Ref);
    Ok(if prints_itself { Answer::Bytecode } else { Answer::Void })
}
