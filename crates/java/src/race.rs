//! Data races: two accesses to one field or element that can be adjacent, one of them a write, and not both
//! `volatile` or atomic.
//!
//! They are found where conflicts are: adjacent accesses have nothing between them that could order them, so
//! whatever the Java memory model orders (monitors, volatile fields, starting and joining threads, park,
//! class initialisation) is never reported. A program with races can do more on a real machine than any
//! interleaving shows. Races with both sides inside `java.lang`, `java.util.concurrent` and the internals of
//! the JDK are meant to be there; but not those of classes such as `StringBuilder`, which are made for one
//! thread.

use crate::explain::lock_whole;
use crate::explain::names::Names;
use crate::explain::waits::owner_of;
use crate::model::JavaCursor;
use crate::rules;
use crate::vm::heap::Ref;
use crate::vm::machine::Machine;
use crate::vm::view::Access;
use allways_model::{Fact, Location};

/// A data race.
#[derive(Clone, Debug)]
pub struct Race {
    /// The field or element.
    pub what: String,
    /// Who accesses it.
    pub sides: [Side; 2],
}

/// One of the two threads of a race.
#[derive(Clone, Debug)]
pub struct Side {
    /// The thread.
    pub thread: String,
    /// Whether it writes.
    pub is_write: bool,
    /// Where it is, the innermost call first.
    pub stack: Vec<String>,
    /// The monitors and locks that it holds.
    pub locks: Vec<String>,
    /// The innermost place in the program's own code.
    pub location: Option<Location>,
}

impl Race {
    /// One line.
    #[must_use]
    pub fn summary(&self) -> String {
        rules::DATA_RACE.sentence(&self.facts())
    }

    /// The facts of the violation that it is.
    pub(crate) fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![Fact::new("location", &self.what)];
        for side in &self.sides {
            facts.push(Fact::new("thread", &side.thread));
            facts.push(Fact::new("access", if side.is_write { "write" } else { "read" }));
            facts.extend(side.location.as_ref().map(|at| Fact::new("at", at)));
        }
        facts
    }

    /// Both sides, with their stacks and locks, in lines.
    #[must_use]
    pub fn details(&self) -> String {
        let mut text = String::new();
        for side in &self.sides {
            let locks = if side.locks.is_empty() { "no lock".into() } else { side.locks.join(", ") };
            text += &format!("  {} {}, holding {locks}\n", side.thread, side.doing());
            for place in side.stack.iter().take(MAX_SHOWN) {
                text += &format!("    at {place}\n");
            }
        }
        text
    }
}

/// How many calls of a stack are shown.
const MAX_SHOWN: usize = 12;

impl Side {
    fn doing(&self) -> String {
        let at = self.location.as_ref().map_or(String::new(), |at| format!(" at {}:{}", at.file, at.line));
        format!("{}{at}", if self.is_write { "writes" } else { "reads" })
    }
}

/// What a step was doing when it came to the access that is looked for.
#[derive(Clone, Debug, Default)]
pub struct Sighting {
    /// The context of the access.
    pub context: u64,
    /// Methods and places, the innermost first.
    pub stack: Vec<(crate::class::MethodId, u32)>,
    /// The monitors and locks held.
    pub locks: Vec<Ref>,
}

impl Machine<'_> {
    /// Notes where the running thread is, for a report.
    pub(crate) fn sight(&self, context: u64) -> Sighting {
        let thread = self.thread();
        let stack = thread.frames.iter().rev().filter(|frame| !frame.method.is_made());
        let is_held = |&reference: &Ref| {
            self.process.heap.get(reference).owner == thread.id + 1
                || owner_of(self, reference) == thread.object
        };
        Sighting {
            context,
            stack: stack.map(|frame| (frame.method.id, frame.pc)).collect(),
            // What was made in this step keeps nobody out.
            locks: self
                .process
                .heap
                .changed_or_new()
                .filter(|lock| !self.process.heap.is_fresh(*lock))
                .filter(is_held)
                .collect(),
        }
    }
}

/// The race of two accesses that the threads at two places are about to make.
pub(crate) fn describe(cursor: &mut JavaCursor<'_>, accesses: [(usize, &Access); 2]) -> Option<Race> {
    let names = Names::find(cursor.machine());
    let mut sides = Vec::new();
    let mut n_meant = 0;
    for (idx, access) in accesses {
        // After a choice of the program it may not be found again.
        let sighting = cursor.look_for(idx, access.context).unwrap_or_default();
        let machine = cursor.machine();
        let class_of = |method| machine.vm.classes.method(method).class;
        let innermost =
            sighting.stack.first().map_or("", |&(method, _)| machine.vm.classes.name(class_of(method)));
        n_meant += usize::from(is_meant(innermost));
        let own = sighting
            .stack
            .iter()
            .find(|&&(method, _)| machine.vm.class(class_of(method)).loader == crate::class::Loader::App);
        let place = own.and_then(|&(method, pc)| machine.place(machine.vm.classes.method(method), pc));
        sides.push(Side {
            thread: crate::explain::thread_name(machine, machine.process.threads[idx].id),
            is_write: access.is_write,
            stack: sighting.stack.iter().map(|&(method, pc)| machine.shown_place(method, pc)).collect(),
            locks: sighting.locks.iter().map(|&lock| lock_name(machine, &names, lock)).collect(),
            location: place.map(|(file, line)| crate::model::location(&file, line)),
        });
    }
    if n_meant == sides.len() {
        return None;
    }
    let access = accesses[0].1;
    let what = if access.place.is_element() {
        match access.place.element() {
            Some(element) => format!("{}[{element}]", names.of(cursor.machine(), access.object)),
            None => format!("{}[]", names.of(cursor.machine(), access.object)),
        }
    } else {
        cursor.program().place_name(access.place.key)
    };
    Some(Race { what, sides: sides.try_into().ok()? })
}

/// The name of a monitor or lock.
fn lock_name(machine: &Machine<'_>, names: &Names, lock: Ref) -> String {
    let whole = lock_whole(machine, names, lock);
    whole.and_then(|whole| whole.name(names)).unwrap_or_else(|| names.of(machine, lock))
}

/// Where races are meant to be.
const MEANT: &[&str] = &["java/lang/", "java/util/concurrent/", "jdk/", "sun/"];

/// Classes there that are made for one thread.
const FOR_ONE_THREAD: &[&str] = &["java/lang/AbstractStringBuilder", "java/lang/StringBuilder"];

/// Whether races in a class are meant to be there.
fn is_meant(class: &str) -> bool {
    MEANT.iter().any(|package| class.starts_with(package)) && !FOR_ONE_THREAD.contains(&class)
}
