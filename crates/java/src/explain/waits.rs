//! Why threads cannot continue: what each waits for, which thread holds it, and where that thread acquired
//! it.
//!
//! The machine does not record where a monitor was entered; this is derived from the stack of the thread that
//! holds it. The owner of a lock of `java.util.concurrent` is known only if the lock records it.

use super::{blocker_name, is_own, name_of, names, own_frame, text_of, thread_name};
use crate::class::Class;
use crate::class::code::Op;
use crate::native::effect::SOCKET;
use crate::rules::Awaited;
use crate::vm::INITIALIZING;
use crate::vm::heap::{Data, Ref};
use crate::vm::machine::Machine;
use crate::vm::thread::{Frame, Thread, Wait};
use allways_model::{Blocked, Fact, Location};
use names::Names;

/// The reason why a thread cannot continue.
struct Reason {
    /// What it waits for.
    awaited: Awaited,
    /// The thread that holds it, or whose end is waited for.
    holder: Option<String>,
    /// Where the holder acquired it.
    taken: Option<Location>,
}

impl Reason {
    fn new(awaited: Awaited) -> Self {
        Self { awaited, holder: None, taken: None }
    }
}

/// A description of why a thread cannot continue; `None` if it can.
pub(super) fn in_words(machine: &Machine<'_>, names: &Names, idx: usize) -> Option<String> {
    let Reason { awaited, holder, .. } = reason(machine, names, idx)?;
    // If the thread waits for the end of another one, the text names that thread already.
    let holder = holder.filter(|_| !matches!(awaited, Awaited::End(_)));
    let held = holder.map_or_else(String::new, |holder| format!(", held by {holder}"));
    Some(awaited.words() + &held)
}

/// The facts of a deadlock that concern one thread: what it waits for and which thread holds that.
pub(super) fn facts(machine: &Machine<'_>, names: &Names, idx: usize) -> Option<Vec<Fact>> {
    let Reason { awaited, holder, .. } = reason(machine, names, idx)?;
    let holder = holder.filter(|_| !matches!(awaited, Awaited::End(_)));
    let (waits_for, object) = awaited.fact();
    let mut facts = vec![Fact::new("waits-for", waits_for), Fact::new("object", object)];
    facts.extend(holder.map(|holder| Fact::new("held-by", holder)));
    Some(facts)
}

/// The threads of a state that cannot continue, with what each waits for.
#[must_use]
pub fn blocked(machine: &Machine<'_>, stuck: impl Fn(usize) -> bool) -> Vec<Blocked> {
    let names = Names::find(machine);
    (0..machine.process.threads.len())
        .filter(|&idx| stuck(idx))
        .filter_map(|idx| {
            let thread = &machine.process.threads[idx];
            let Reason { awaited, holder, taken } = reason(machine, &names, idx)?;
            let frame = own_frame(machine, thread);
            let place = frame.and_then(|frame| machine.place(frame.method, frame.pc));
            Some(Blocked {
                name: name_of(machine, thread),
                location: place.map(|(file, line)| crate::model::location(&file, line)),
                text: frame.map_or_else(String::new, |frame| text_of(machine, frame)),
                waits: awaited.words(),
                resource: awaited.resource(),
                holder,
                taken,
            })
        })
        .collect()
}

fn reason(machine: &Machine<'_>, names: &Names, idx: usize) -> Option<Reason> {
    let thread = &machine.process.threads[idx];
    match thread.wait {
        Wait::Waiting { object, .. } => {
            return Some(Reason::new(Awaited::Notification(names.of(machine, object))));
        }
        Wait::Woken { object, .. } => return Some(monitor(machine, names, object)),
        Wait::No => {}
    }
    if let Some(awaited) = on_network(machine, thread) {
        return Some(Reason::new(awaited));
    }
    if let Some(joined) = joined(machine, thread) {
        let name = thread_name(machine, joined);
        return Some(Reason { holder: Some(name.clone()), ..Reason::new(Awaited::End(name)) });
    }
    if let Some(object) = names::wanted_monitor(machine, thread) {
        return Some(monitor(machine, names, object));
    }
    if thread.frames.is_empty() {
        return None;
    }
    // The remaining reason is the initialisation of a class, which reading a static field may need as well as
    // a call.
    Some(if is_idle_in_pool(machine, thread) {
        Reason::new(Awaited::Blocker("a task".into()))
    } else if is_parked(machine, thread) {
        parked(machine, names, thread)
    } else {
        initialisation(machine, thread)
    })
}

/// What a thread waits for if its next operation is on a socket.
fn on_network(machine: &Machine<'_>, thread: &Thread<'_>) -> Option<Awaited> {
    let frame = thread.frames.last()?;
    let classes = &machine.vm.classes;
    let method = classes.method(names::called_method(machine, frame)?);
    if classes.name(method.class) != SOCKET || !method.is_native() {
        return None;
    }
    let start = (frame.sp as usize).checked_sub(usize::from(method.n_args))?;
    let argument = |at: usize| thread.slots[start + at];
    let id = machine.process.heap.slot(argument(0) as Ref, classes.slot(SOCKET, "socket")?) as u32;
    let peer = || match machine.net.other_process(id) {
        Some(process) => process_name(machine, process),
        None => "the other end".into(),
    };
    Some(match &**classes.symbols.text(method.name) {
        "accept0" => Awaited::Network("accept", machine.net.local_port(id).to_string()),
        "read0" => Awaited::Network("data", peer()),
        "write0" => Awaited::Network("room", peer()),
        "connect0" => Awaited::Network("queue", format!("port {}", argument(1) as u16)),
        _ => return None,
    })
}

/// The threads that could enable a blocked thread.
pub(crate) enum Helpers {
    /// Only this thread of the same process.
    Thread(u32),
    /// The threads of its process, and of this other process.
    Processes(Option<u32>),
    /// Any thread of any process.
    Anyone,
}

/// The threads that could enable the blocked thread at `idx`.
pub(crate) fn helpers(machine: &Machine<'_>, idx: usize) -> Helpers {
    let thread = &machine.process.threads[idx];
    match thread.wait {
        Wait::Waiting { .. } => return Helpers::Processes(None),
        Wait::Woken { .. } => {}
        Wait::No => match on_network(machine, thread) {
            Some(Awaited::Network("data" | "room", _)) => {
                return Helpers::Processes(other_end(machine, thread));
            }
            Some(_) => return Helpers::Anyone,
            None => {}
        },
    }
    // Only the owner can leave a monitor.
    let wanted = match thread.wait {
        Wait::Woken { object, .. } => Some(object),
        _ => names::wanted_monitor(machine, thread),
    };
    let owner = wanted.and_then(|object| machine.process.heap.get(object).owner.checked_sub(1));
    owner.map_or(Helpers::Processes(None), Helpers::Thread)
}

/// The process at the other end of the connection that a thread is about to read from or write to.
fn other_end(machine: &Machine<'_>, thread: &Thread<'_>) -> Option<u32> {
    let frame = thread.frames.last()?;
    let classes = &machine.vm.classes;
    let method = classes.method(names::called_method(machine, frame)?);
    let start = (frame.sp as usize).checked_sub(usize::from(method.n_args))?;
    let id = machine.process.heap.slot(thread.slots[start] as Ref, classes.slot(SOCKET, "socket")?) as u32;
    machine.net.helper_of(id)
}

/// The name of a process; if it is the only one, "this process".
fn process_name(machine: &Machine<'_>, process: u32) -> String {
    let name = machine.knowledge.processes.get(process as usize);
    name.map_or_else(|| "this process".into(), Clone::clone)
}

/// Whether every thread of a process waits for something that may never come to a service: a connection, a
/// task, a notification; and one of them for a connection.
pub(crate) fn waits_for_requests(machine: &Machine<'_>) -> bool {
    let names = Names::find(machine);
    let mut accepts = false;
    let mut rests = |idx: usize| match reason(machine, &names, idx).map(|reason| reason.awaited) {
        Some(Awaited::Network("accept", _)) => {
            accepts = true;
            true
        }
        Some(Awaited::Unpark | Awaited::Blocker(_) | Awaited::Notification(_)) => true,
        _ => false,
    };
    (0..machine.process.threads.len()).all(&mut rests) && accepts
}

/// What a thread waits for that needs a class which another thread initialises. Names the class if only one
/// initialisation is in progress.
fn initialisation(machine: &Machine<'_>, thread: &Thread<'_>) -> Reason {
    let under_way = |class: &&Class| {
        let status = machine.class_status(class);
        status >= INITIALIZING && status != INITIALIZING + u64::from(thread.id)
    };
    let mut classes = names::own_classes(machine).filter(under_way);
    match (classes.next(), classes.next()) {
        (Some(class), None) => {
            let class_name = names::simple(machine, class).to_string();
            let holder = thread_name(machine, (machine.class_status(class) - INITIALIZING) as u32);
            Reason { holder: Some(holder), ..Reason::new(Awaited::Initialisation(class_name)) }
        }
        _ => Reason::new(Awaited::SomeInitialisation),
    }
}

/// The number of the thread whose end a thread waits for in `Thread.join`.
fn joined(machine: &Machine<'_>, thread: &Thread<'_>) -> Option<u32> {
    let frame = thread.frames.last()?;
    let classes = &machine.vm.classes;
    let method = classes.method(names::called_method(machine, frame)?);
    if classes.name(method.class) != "java/lang/Thread" || &**classes.symbols.text(method.name) != "join" {
        return None;
    }
    let receiver = thread.slots[(frame.sp as usize).checked_sub(usize::from(method.n_args))?] as Ref;
    machine.thread_of(receiver).map(|idx| machine.process.threads[idx].id)
}

fn monitor(machine: &Machine<'_>, names: &Names, object: Ref) -> Reason {
    let owner = machine.process.heap.get(object).owner.checked_sub(1);
    let taken = owner
        .and_then(|id| machine.thread_by_id(id))
        .and_then(|idx| entered_at(machine, &machine.process.threads[idx], object));
    Reason {
        awaited: Awaited::Monitor(names.of(machine, object)),
        holder: owner.map(|id| thread_name(machine, id)),
        taken,
    }
}

/// Where a thread entered a monitor that it holds: in the outermost of its methods that did, if it has a
/// frame of the program's code there.
fn entered_at(machine: &Machine<'_>, thread: &Thread<'_>, object: Ref) -> Option<Location> {
    held_monitors(machine, thread).into_iter().find(|(held, _)| *held == object)?.1
}

/// The monitors that a thread holds, in the order in which it entered them, and where it did.
pub(crate) fn held_monitors(machine: &Machine<'_>, thread: &Thread<'_>) -> Vec<(Ref, Option<Location>)> {
    let frames = &thread.frames;
    let mut held: Vec<(Ref, Option<Location>)> = Vec::new();
    for (idx, frame) in frames.iter().enumerate() {
        for (object, pc) in entries(thread, frame) {
            if machine.process.heap.get(object).owner != thread.id + 1
                || held.iter().any(|(known, _)| *known == object)
            {
                continue;
            }
            // A monitor that the class library enters is attributed to the code that called it.
            let own = frames[..=idx].iter().rposition(|frame| is_own(machine, frame));
            let place = own.and_then(|own| {
                let pc = if own == idx { pc } else { frames[own].pc };
                machine.place(frames[own].method, pc)
            });
            held.push((object, place.map(|(file, line)| crate::model::location(&file, line))));
        }
    }
    held
}

/// The monitors that an active method has entered and not left yet, with the operations that entered them.
/// Compilers keep the object of a `synchronized` block in a variable, and leave the monitor in a handler
/// after the block.
fn entries<'a>(thread: &'a Thread<'_>, frame: &'a Frame<'_>) -> impl Iterator<Item = (Ref, u32)> + 'a {
    let ops = &frame.code.ops;
    let of_method = (frame.lock != 0).then_some((frame.lock, 0));
    let of_blocks = (1..frame.pc as usize).filter_map(move |pc| {
        let (Op::Store(variable), Op::MonitorEnter) = (ops[pc - 1], ops[pc]) else { return None };
        let object = thread.slots[frame.base as usize + usize::from(variable)] as Ref;
        let start = pc as u32 + 1;
        let is_within = frame.code.handlers.iter().any(|handler| {
            handler.class == 0 && handler.start == start && (start..handler.target).contains(&frame.pc)
        });
        (object != 0 && is_within).then_some((object, pc as u32))
    });
    of_method.into_iter().chain(of_blocks)
}

/// What a parked thread waits for: the blocker that it named, and the owner of that.
fn parked(machine: &Machine<'_>, names: &Names, thread: &Thread<'_>) -> Reason {
    let blocker = blocker_of(machine, thread);
    if blocker == 0 {
        return Reason::new(Awaited::Unpark);
    }
    let owner = owner_of(machine, blocker);
    let holder = match (owner, machine.thread_of(owner)) {
        (0, _) => None,
        (_, Some(idx)) => Some(name_of(machine, &machine.process.threads[idx])),
        (owner, None) => {
            let name = machine.process.heap.slot(owner, machine.vm.known().thread_name) as Ref;
            let name = if name == 0 { "a thread".into() } else { machine.text(name) };
            Some(format!("{name}, which has ended"))
        }
    };
    Reason { holder, ..Reason::new(Awaited::Blocker(blocker_name(machine, names, blocker))) }
}

/// The blocker on which a thread says it is parked, or `null`.
fn blocker_of(machine: &Machine<'_>, thread: &Thread<'_>) -> Ref {
    if let Some(lock) = wanted_in_section(machine, thread) {
        return lock;
    }
    let slot = machine.vm.classes.slot("java/lang/Thread", "parkBlocker");
    slot.map_or(0, |slot| machine.process.heap.slot(thread.object, slot) as Ref)
}

/// The thread that owns a lock of `java.util.concurrent`, or `null`.
pub(crate) fn owner_of(machine: &Machine<'_>, lock: Ref) -> Ref {
    let known = machine.vm.known();
    let is_owned = known.lock.is_some_and(|owned| machine.is_instance(lock, owned));
    if is_owned { machine.process.heap.slot(lock, known.lock_owner) as Ref } else { 0 }
}

/// The locks of `java.util.concurrent` that a thread owns.
pub(crate) fn held_locks(machine: &Machine<'_>, thread: &Thread<'_>) -> Vec<Ref> {
    let owner_slot = machine.vm.known().lock_owner as usize;
    // Most objects have another value there, so check the class last.
    let has_owner = |object: &Ref| match &machine.process.heap.get(*object).data {
        Data::Slots(slots) => slots.get(owner_slot) == Some(&u64::from(thread.object)),
        _ => false,
    };
    let candidates = machine.process.heap.changed_or_new().filter(has_owner);
    candidates.filter(|&lock| owner_of(machine, lock) == thread.object).collect()
}

/// The number of the thread that holds what a thread waits for, or whose end it waits for.
pub(crate) fn awaited(machine: &Machine<'_>, thread: &Thread<'_>) -> Option<u32> {
    let holder =
        |object: Ref| machine.process.heap.get(object).owner.checked_sub(1).filter(|&id| id != thread.id);
    match thread.wait {
        Wait::Waiting { .. } => return None,
        Wait::Woken { object, .. } => return holder(object),
        Wait::No => {}
    }
    if let Some(object) = names::wanted_monitor(machine, thread) {
        return holder(object);
    }
    joined(machine, thread).or_else(|| {
        let blocker = if is_parked(machine, thread) { blocker_of(machine, thread) } else { 0 };
        let owner = if blocker == 0 { 0 } else { owner_of(machine, blocker) };
        machine.thread_of(owner).filter(|_| owner != 0).map(|idx| machine.process.threads[idx].id)
    })
}

/// The indices of the threads that wait for each other in cycles, as far as their next operations show.
pub(super) fn circles(machine: &Machine<'_>) -> Vec<usize> {
    let next = |&idx: &usize| machine.thread_by_id(awaited(machine, &machine.process.threads[idx])?);
    let all = 0..machine.process.threads.len();
    let returns = |&idx: &usize| {
        std::iter::successors(next(&idx), next).take(machine.process.threads.len()).any(|at| at == idx)
    };
    all.filter(returns).collect()
}

/// Whether a thread's next operation is to park.
fn is_parked(machine: &Machine<'_>, thread: &Thread<'_>) -> bool {
    let classes = &machine.vm.classes;
    let called = thread.frames.last().and_then(|frame| names::called_method(machine, frame));
    called.is_some_and(|id| {
        let method = classes.method(id);
        classes.name(method.class) == "jdk/internal/misc/Unsafe"
            && &**classes.symbols.text(method.name) == "park"
    }) || wanted_in_section(machine, thread).is_some()
}

/// Whether a thread waits for a task in a section of [`crate::simple::POOL`].
fn is_idle_in_pool(machine: &Machine<'_>, thread: &Thread<'_>) -> bool {
    let classes = &machine.vm.classes;
    let called = thread.frames.last().and_then(|frame| names::called_method(machine, frame));
    called.is_some_and(|id| {
        let method = classes.method(id);
        classes.name(method.class) == crate::simple::POOL && method.is_native()
    })
}

/// The lock or condition that a thread waits for in a section of [`crate::simple`].
fn wanted_in_section(machine: &Machine<'_>, thread: &Thread<'_>) -> Option<Ref> {
    let classes = &machine.vm.classes;
    let frame = thread.frames.last()?;
    let method = classes.method(names::called_method(machine, frame)?);
    let lock_class = crate::simple::CLASSES[0].0;
    if classes.name(method.class) != lock_class
        || !matches!(&**classes.symbols.text(method.name), "enterAcquire" | "enterTimed")
    {
        return None;
    }
    let local = |n: u32| thread.slots[(frame.base + n) as usize] as Ref;
    if classes.name(frame.method.class) == lock_class {
        return Some(local(0));
    }
    // After a signal, a thread that waited for a condition waits for the lock.
    let value =
        |object: Ref, class, field| Some(machine.process.heap.slot(object, classes.slot(class, field)?));
    let [(condition, _), (node, _)] = [crate::simple::CLASSES[1], crate::simple::CLASSES[2]];
    if value(local(1), node, "queued")? == 0 {
        return Some(local(0));
    }
    Some(value(local(0), condition, "this$0")? as Ref)
}

/// The number of the thread that owns the lock that a parked thread wants by `ReentrantLock.lock`.
pub(crate) fn lock_owner(machine: &Machine<'_>, thread: &Thread<'_>) -> Option<u32> {
    let owner = machine.thread_of(owner_of_wanted_lock(machine, thread)?)?;
    Some(machine.process.threads[owner].id)
}

/// Whether the lock that a parked thread wants by `ReentrantLock.lock` is owned by a thread that has ended.
pub(crate) fn wants_abandoned_lock(machine: &Machine<'_>, thread: &Thread<'_>) -> bool {
    let owner = owner_of_wanted_lock(machine, thread);
    owner.is_some_and(|owner| machine.is_started(owner) && machine.thread_of(owner).is_none())
}

/// The thread that owns the lock that a parked thread wants by `ReentrantLock.lock`.
fn owner_of_wanted_lock(machine: &Machine<'_>, thread: &Thread<'_>) -> Option<Ref> {
    if !is_parked(machine, thread) {
        return None;
    }
    let classes = &machine.vm.classes;
    let name =
        |frame: &Frame<'_>| (classes.name(frame.method.class), &**classes.symbols.text(frame.method.name));
    let locks = |frame: &Frame<'_>| name(frame) == ("java/util/concurrent/locks/ReentrantLock", "lock");
    let blocker = blocker_of(machine, thread);
    let is_lock = blocker != 0
        && classes
            .load("java/util/concurrent/locks/ReentrantLock$Sync")
            .is_ok_and(|class| machine.is_instance(blocker, class));
    // The innermost call of the program must be `lock`, because other calls may park on other objects.
    let call = thread.frames.iter().rposition(|frame| !name(frame).0.starts_with("java/util/concurrent/"))?;
    let is_locking = thread.frames.get(call + 1).is_some_and(locks);
    if !(is_lock && is_locking) {
        return None;
    }
    Some(owner_of(machine, blocker)).filter(|&owner| owner != 0)
}
