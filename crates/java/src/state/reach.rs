//! A machine's heap as a graph: what roots and objects refer to. `allways_heap` numbers the objects of a
//! state, and says which of them several threads can reach.

use crate::class::Method;
use crate::class::code::Code;
use crate::class::maps::{Maps, Slot, find_maps};
use crate::gap::Gap;
use crate::vm::Vm;
use crate::vm::heap::{Layout, OVERLAY, Ref};
use crate::vm::machine::{Exec, Machine, Trap};
use crate::vm::thread::{Frame, Thread, Wait};
use allways_heap::{Graph, Order, Roots};

/// The reached objects; kept from state to state for its memory.
#[derive(Default)]
pub struct Reach {
    order: Order,
}

/// What a machine refers to: roots are the changed objects of the base image (`dirty`, in order), which all
/// threads share, and the threads; objects are those of the overlay.
struct Live<'m, 'vm> {
    machine: &'m Machine<'vm>,
    dirty: &'m [u32],
}

impl Graph for Live<'_, '_> {
    type Error = Trap;

    #[inline]
    fn n_objects(&self) -> usize {
        self.machine.process.heap.overlay().len()
    }

    #[inline]
    fn n_holders(&self) -> usize {
        self.machine.process.threads.len()
    }

    #[inline]
    fn shared_roots(&self, roots: &mut impl Roots) -> Exec<()> {
        for &idx in self.dirty {
            let (reference, object) = &self.machine.process.heap.dirty()[idx as usize];
            let mut found = |object| roots.root(object);
            self.machine
                .vm
                .references(*reference, object, &mut |reference| in_overlay(reference, &mut found));
        }
        Ok(())
    }

    #[inline]
    fn roots(&self, holder: usize, roots: &mut impl Roots) -> Exec<()> {
        let mut found = |object| {
            roots.root(object);
            roots.end_group();
        };
        let thread = &self.machine.process.threads[holder];
        each_root(self.machine, thread, &mut |reference| in_overlay(reference, &mut found))
    }

    #[inline]
    fn references(&self, object: u32, found: &mut impl FnMut(u32)) {
        let holder = &self.machine.process.heap.overlay()[object as usize];
        self.machine.vm.references(OVERLAY + object, holder, &mut |reference| in_overlay(reference, found));
    }
}

/// Calls `found` with the place of an object of the overlay.
#[inline]
fn in_overlay(reference: Ref, found: &mut impl FnMut(u32)) {
    if reference >= OVERLAY {
        found(reference - OVERLAY);
    }
}

impl Reach {
    /// Finds what can be reached from changed objects of the base image (`dirty`, in order) and from the
    /// threads.
    ///
    /// # Errors
    /// If a frame's code is no good.
    pub fn find(&mut self, machine: &Machine<'_>, dirty: &[u32]) -> Exec<()> {
        let form = machine.options.form;
        let form = allways_heap::Form { symmetry: form.symmetry, collect: form.collect };
        self.order.find(&Live { machine, dirty }, form)
    }

    /// The reference by which a vector names an object.
    #[inline]
    #[must_use]
    pub fn name(&self, reference: Ref) -> Ref {
        if reference < OVERLAY {
            return reference;
        }
        OVERLAY + self.order.number(reference - OVERLAY)
    }

    /// Whether every object has the number that it has in the heap.
    #[must_use]
    pub fn is_as_numbered(&self) -> bool {
        self.order.is_identity()
    }

    /// The numbers of the objects that a thread was the first to lead to.
    #[must_use]
    pub fn segment(&self, thread: usize) -> std::ops::Range<u32> {
        self.order.segment(thread)
    }

    /// The numbers of those of them that a root of the thread leads to and no root before it did.
    #[must_use]
    pub fn leaders(&self, thread: usize) -> &[u32] {
        self.order.leaders(thread)
    }

    /// The places of the reached objects, in order.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        self.order.objects()
    }

    /// The place of the only thread that can reach an object, if there is one.
    #[must_use]
    pub fn owner(&self, idx: usize) -> Option<usize> {
        self.order.owner(idx as u32)
    }

    /// Whether an object can be reached by more than one thread.
    #[must_use]
    pub fn is_shared(&self, idx: u32) -> bool {
        self.order.is_shared(idx)
    }
}

/// The maps of a frame's method.
///
/// # Errors
/// `VerifyError` as something the machine cannot go on from, if the code is no good.
#[inline]
pub fn maps_of<'vm>(vm: &'vm Vm, frame: &Frame<'vm>) -> Exec<&'vm Maps> {
    maps_of_code(vm, frame.method, frame.code)
}

/// The maps of a method's code.
///
/// # Errors
/// As [`maps_of`].
pub fn maps_of_code<'vm>(vm: &'vm Vm, method: &'vm Method, code: &'vm Code) -> Exec<&'vm Maps> {
    let found = code.maps.get_or_init(|| {
        let keep_dead = !vm.options.form.dead_locals;
        find_maps(&vm.classes, vm.class(method.class), method, code, keep_dead)
    });
    found.as_ref().map_err(|problem| {
        Gap::Unverified(format!(
            "{}.{}: {problem}",
            vm.classes.java_name(method.class),
            vm.classes.symbols.text(method.name)
        ))
        .into()
    })
}

/// Calls `found` with each live slot of a frame: what it holds and its place among the thread's slots.
///
/// # Errors
/// As [`maps_of`].
pub fn each_slot<'vm>(vm: &'vm Vm, frame: &Frame<'vm>, mut found: impl FnMut(Slot, usize)) -> Exec<()> {
    let maps = maps_of(vm, frame)?;
    let Some((locals, stack)) = maps.before(frame.pc) else {
        return Err(Gap::Unverified(format!(
            "{}.{} was left at a place that its code does not reach",
            vm.classes.java_name(frame.method.class),
            vm.classes.symbols.text(frame.method.name)
        ))
        .into());
    };
    let base = frame.base as usize;
    let depth = frame.sp as usize - base - locals.len();
    for (at, &slot) in locals.iter().chain(&stack[..depth.min(stack.len())]).enumerate() {
        if slot != Slot::Dead {
            found(slot, base + at);
        }
    }
    Ok(())
}

/// Calls `found` with each reference that a thread holds.
pub fn each_root(machine: &Machine<'_>, thread: &Thread<'_>, found: &mut dyn FnMut(Ref)) -> Exec<()> {
    found(thread.object);
    match thread.wait {
        Wait::No => {}
        Wait::Waiting { object, .. } | Wait::Woken { object, .. } => found(object),
    }
    for frame in &thread.frames {
        found(frame.lock);
        each_slot(machine.vm, frame, |slot, at| {
            if slot == Slot::Ref {
                found(thread.slots[at] as Ref);
            }
        })?;
    }
    Ok(())
}
