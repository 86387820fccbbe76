//! Why threads cannot go on: what each waits for, who holds that, and since where.
//!
//! Where a monitor was entered is not kept by the machine; it is read off the stack of the thread that holds it. Who entered a lock of
//! `java.util.concurrent`, and where, is known as far as the lock itself knows.

use super::{blocker_name, is_own, name_of, names, own_frame, text_of, thread_name};
use crate::class::code::Op;
use crate::vm::heap::Ref;
use crate::vm::machine::Machine;
use crate::vm::thread::{Frame, Thread, Wait};
use allways_model::{Blocked, Location};
use names::Names;

/// What keeps a thread from going on.
struct Reason {
    /// In words: `waits for the monitor of LEFT`.
    words: String,
    /// What it waits for, if that is not a thread.
    resource: Option<String>,
    /// The thread that holds it, or whose end is waited for.
    holder: Option<String>,
    /// Where the holder got it.
    taken: Option<Location>,
}

impl Reason {
    fn new(words: String, resource: Option<String>) -> Self {
        Self { words, resource, holder: None, taken: None }
    }
}

/// What a thread is doing that keeps it from going on, if it cannot.
pub(super) fn in_words(machine: &Machine<'_>, names: &Names, idx: usize) -> Option<String> {
    let reason = reason(machine, names, idx)?;
    // Whoever waits for the end of a thread has named it already.
    let held = reason.holder.filter(|_| reason.resource.is_some());
    let held = held.map_or_else(String::new, |holder| format!(", held by {holder}"));
    Some(reason.words + &held)
}

/// Every thread of a state in which nobody can go on, with what it waits for.
#[must_use]
pub fn blocked(machine: &Machine<'_>) -> Vec<Blocked> {
    let names = Names::find(machine);
    (0..machine.threads.len())
        .filter_map(|idx| {
            let thread = &machine.threads[idx];
            let Reason { words, resource, holder, taken } = reason(machine, &names, idx)?;
            let frame = own_frame(machine, thread);
            let place = frame.and_then(|frame| machine.place(frame.method, frame.pc));
            Some(Blocked {
                name: name_of(machine, thread),
                location: place.map(|(file, line)| crate::model::location(&file, line)),
                text: frame.map_or_else(String::new, |frame| text_of(machine, frame)),
                waits: words,
                resource,
                holder,
                taken,
            })
        })
        .collect()
}

fn reason(machine: &Machine<'_>, names: &Names, idx: usize) -> Option<Reason> {
    let thread = &machine.threads[idx];
    match thread.wait {
        Wait::Waiting { object, .. } => {
            let what = names.of(machine, object);
            let words = format!("waits to be notified on {what}");
            return Some(Reason::new(words, Some(format!("notification on {what}"))));
        }
        Wait::Woken { object, .. } => return Some(monitor(machine, names, object)),
        Wait::No => {}
    }
    if let Some(joined) = joined(machine, thread) {
        let name = thread_name(machine, joined);
        let words = format!("waits for {name} to end");
        return Some(Reason { holder: Some(name), ..Reason::new(words, None) });
    }
    if let Some(object) = names::wanted_monitor(machine, thread) {
        return Some(monitor(machine, names, object));
    }
    let called = names::called_method(machine, thread.frames.last()?)?;
    let classes = &machine.vm.classes;
    let method = classes.method(called);
    match (classes.name(method.class), &**classes.symbols.text(method.name)) {
        ("jdk/internal/misc/Unsafe", "park") => Some(parked(machine, names, thread)),
        _ => {
            let what = "a class that another thread initialises";
            Some(Reason::new(format!("waits for {what}"), Some(what.into())))
        }
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
    machine.thread_of(receiver).map(|idx| machine.threads[idx].id)
}

fn monitor(machine: &Machine<'_>, names: &Names, object: Ref) -> Reason {
    let what = format!("monitor of {}", names.of(machine, object));
    let owner = machine.heap.get(object).owner.checked_sub(1);
    let taken = owner
        .and_then(|id| machine.thread_by_id(id))
        .and_then(|idx| entered_at(machine, &machine.threads[idx], object));
    Reason {
        words: format!("waits for the {what}"),
        resource: Some(what),
        holder: owner.map(|id| thread_name(machine, id)),
        taken,
    }
}

/// Where a thread entered a monitor that it holds: the outermost of its methods that did, as far as code of the program's own is under way there.
fn entered_at(machine: &Machine<'_>, thread: &Thread<'_>, object: Ref) -> Option<Location> {
    let frames = &thread.frames;
    let (idx, pc) =
        frames.iter().enumerate().find_map(|(idx, frame)| Some((idx, entry_of(thread, frame, object)?)))?;
    // What the class library enters is entered for the code that called it.
    let own = frames[..=idx].iter().rposition(|frame| is_own(machine, frame))?;
    let pc = if own == idx { pc } else { frames[own].pc };
    machine.place(frames[own].method, pc).map(|(file, line)| crate::model::location(&file, line))
}

/// The operation of a method under way by which it entered the monitor of `object` and has not left it yet. Compilers keep the object of a
/// `synchronized` block in a variable, and leave the monitor in a handler behind the block.
fn entry_of(thread: &Thread<'_>, frame: &Frame<'_>, object: Ref) -> Option<u32> {
    if frame.lock == object {
        return Some(0);
    }
    let ops = &frame.code.ops;
    (1..frame.pc as usize).find_map(|pc| {
        let (Op::Store(variable), Op::MonitorEnter) = (ops[pc - 1], ops[pc]) else { return None };
        let holds = thread.slots[frame.base as usize + usize::from(variable)] == u64::from(object);
        let start = pc as u32 + 1;
        let is_within = frame.code.handlers.iter().any(|handler| {
            handler.class == 0 && handler.start == start && (start..handler.target).contains(&frame.pc)
        });
        (holds && is_within).then_some(pc as u32)
    })
}

/// What a parked thread waits for: the blocker it named, and who owns that.
fn parked(machine: &Machine<'_>, names: &Names, thread: &Thread<'_>) -> Reason {
    let classes = &machine.vm.classes;
    let blocker = classes
        .slot("java/lang/Thread", "parkBlocker")
        .map_or(0, |slot| machine.heap.slot(thread.object, slot) as Ref);
    if blocker == 0 {
        return Reason::new("is parked".into(), Some("unpark".into()));
    }
    let owner = classes
        .slot("java/util/concurrent/locks/AbstractOwnableSynchronizer", "exclusiveOwnerThread")
        .filter(|_| {
            let owned = classes.load("java/util/concurrent/locks/AbstractOwnableSynchronizer");
            owned.is_ok_and(|owned| machine.is_instance(blocker, owned))
        })
        .map_or(0, |slot| machine.heap.slot(blocker, slot) as Ref);
    let holder = match (owner, machine.thread_of(owner)) {
        (0, _) => None,
        (_, Some(idx)) => Some(name_of(machine, &machine.threads[idx])),
        (owner, None) => {
            let name = machine.heap.slot(owner, machine.vm.known().thread_name) as Ref;
            let name = if name == 0 { "a thread".into() } else { machine.text(name) };
            Some(format!("{name}, which has ended"))
        }
    };
    let what = blocker_name(machine, names, blocker);
    let words = format!("is parked, waiting for {what}");
    Reason { holder, ..Reason::new(words, Some(what)) }
}
