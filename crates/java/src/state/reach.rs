//! Which objects a state has: those that can be reached, numbered in the order in which they are, and whether by more than one
//! thread.

use super::form::{Collect, Form};
use crate::class::Method;
use crate::class::code::Code;
use crate::class::maps::{Maps, Slot, find_maps};
use crate::vm::Vm;
use crate::vm::heap::{Heap, Layout, OVERLAY, Ref};
use crate::vm::machine::{Exec, Machine, Trap};
use crate::vm::thread::{Frame, Thread, Wait};

/// Reached from statics, or by two threads.
const SHARED: u32 = u32::MAX;

/// The reached objects; kept from state to state for its memory.
#[derive(Default)]
pub struct Reach {
    /// One more than the number of each object of the heap; zero for garbage.
    number: Vec<u32>,
    /// Who reaches it: one more than the place of a thread, or [`SHARED`].
    owner: Vec<u32>,
    /// The reached objects, in order.
    order: Vec<u32>,
    flood: Vec<u32>,
    scanned: usize,
    /// The roots that were the first to lead to an object: the objects, thread by thread.
    leaders: Vec<u32>,
    /// For each thread, and for what would come after the last, how many objects and leaders were found before its own.
    before: Vec<(u32, usize)>,
}

impl Reach {
    /// Finds what can be reached from changed objects of the base image (`dirty`, in order) and from the threads.
    ///
    /// # Errors
    /// If a frame's code is no good.
    pub fn find(&mut self, machine: &Machine<'_>, dirty: &[u32]) -> Exec<()> {
        let n_objects = machine.heap.overlay().len();
        self.number.clear();
        self.number.resize(n_objects, 0);
        self.owner.clear();
        self.owner.resize(n_objects, 0);
        self.order.clear();
        self.leaders.clear();
        self.before.clear();
        self.scanned = 0;
        let (vm, heap) = (machine.vm, &machine.heap);
        for &idx in dirty {
            let (reference, object) = &heap.dirty()[idx as usize];
            vm.references(*reference, object, &mut |found| self.visit(found, SHARED));
        }
        self.scan(vm, heap);
        for (idx, thread) in machine.threads.iter().enumerate() {
            let tag = idx as u32 + 1;
            self.before.push((self.order.len() as u32, self.leaders.len()));
            each_root(machine, thread, &mut |found| {
                let n_found = self.order.len();
                self.visit(found, tag);
                if self.order.len() > n_found {
                    self.leaders.push(n_found as u32);
                }
                self.scan(vm, heap);
            })?;
        }
        self.before.push((self.order.len() as u32, self.leaders.len()));
        let form = machine.options.form;
        if form != Form::default() {
            self.add_garbage(machine, dirty)?;
        }
        if !form.symmetry {
            self.order.sort_unstable();
            for (number, &idx) in self.order.iter().enumerate() {
                self.number[idx as usize] = number as u32 + 1;
            }
        }
        Ok(())
    }

    /// Adds the garbage that would not be found.
    fn add_garbage(&mut self, machine: &Machine<'_>, dirty: &[u32]) -> Exec<()> {
        let counted;
        let is_found: &dyn Fn(u32) -> bool = match machine.options.form.collect {
            Collect::Sweep => return Ok(()),
            Collect::Nothing => &|_| false,
            Collect::Count => {
                counted = counted_out(machine, dirty)?;
                &|idx| counted[idx as usize]
            }
        };
        for idx in 0..self.number.len() as u32 {
            if self.number[idx as usize] == 0 && !is_found(idx) {
                self.order.push(idx);
                self.number[idx as usize] = self.order.len() as u32;
            }
        }
        Ok(())
    }

    #[inline]
    fn visit(&mut self, reference: Ref, tag: u32) {
        if reference < OVERLAY {
            return;
        }
        let idx = (reference - OVERLAY) as usize;
        if self.number[idx] == 0 {
            self.order.push(idx as u32);
            self.number[idx] = self.order.len() as u32;
            self.owner[idx] = tag;
        } else if self.owner[idx] != tag && self.owner[idx] != SHARED {
            self.owner[idx] = SHARED;
            self.flood.push(idx as u32);
        }
    }

    fn scan(&mut self, vm: &Vm, heap: &Heap<'_>) {
        while self.scanned < self.order.len() {
            let idx = self.order[self.scanned];
            self.scanned += 1;
            let tag = self.owner[idx as usize];
            vm.references(OVERLAY + idx, &heap.overlay()[idx as usize], &mut |found| self.visit(found, tag));
        }
        // What a shared object leads to is shared too, also if it was reached before.
        while let Some(idx) = self.flood.pop() {
            let mut newly = Vec::new();
            vm.references(OVERLAY + idx, &heap.overlay()[idx as usize], &mut |found| {
                if found >= OVERLAY {
                    let child = (found - OVERLAY) as usize;
                    if self.number[child] != 0 && self.owner[child] != SHARED {
                        self.owner[child] = SHARED;
                        newly.push(child as u32);
                    }
                }
            });
            self.flood.extend(newly);
        }
    }

    /// The reference by which a vector names an object.
    #[inline]
    #[must_use]
    pub fn name(&self, reference: Ref) -> Ref {
        if reference < OVERLAY {
            return reference;
        }
        OVERLAY + self.number[(reference - OVERLAY) as usize] - 1
    }

    /// Whether every object has the number that it has in the heap.
    #[must_use]
    pub fn is_as_numbered(&self) -> bool {
        self.order.len() == self.number.len()
            && self.order.iter().enumerate().all(|(at, &idx)| at as u32 == idx)
    }

    /// The numbers of the objects that a thread was the first to lead to.
    #[must_use]
    pub fn segment(&self, thread: usize) -> std::ops::Range<u32> {
        self.before[thread].0..self.before[thread + 1].0
    }

    /// The numbers of those of them that a root of the thread leads to and no root before it did.
    #[must_use]
    pub fn leaders(&self, thread: usize) -> &[u32] {
        &self.leaders[self.before[thread].1..self.before[thread + 1].1]
    }

    /// The places of the reached objects, in order.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The place of the only thread that can reach an object, if there is one.
    #[must_use]
    pub fn owner(&self, idx: usize) -> Option<usize> {
        match self.owner[idx] {
            0 | SHARED => None,
            tag => Some(tag as usize - 1),
        }
    }

    /// Whether an object can be reached by more than one thread.
    #[must_use]
    pub fn is_shared(&self, idx: u32) -> bool {
        self.owner[idx as usize] == SHARED
    }
}

/// Which objects counting references finds to be garbage: nobody refers to them but others of which that is true.
fn counted_out(machine: &Machine<'_>, dirty: &[u32]) -> Exec<Vec<bool>> {
    let (vm, heap) = (machine.vm, &machine.heap);
    let n_objects = heap.overlay().len();
    let mut counts = vec![0_u32; n_objects];
    let mut count = |found: Ref| {
        if found >= OVERLAY {
            counts[(found - OVERLAY) as usize] += 1;
        }
    };
    for &idx in dirty {
        let (reference, object) = &heap.dirty()[idx as usize];
        vm.references(*reference, object, &mut count);
    }
    for thread in &machine.threads {
        each_root(machine, thread, &mut count)?;
    }
    for (idx, object) in heap.overlay().iter().enumerate() {
        vm.references(OVERLAY + idx as u32, object, &mut count);
    }
    let mut is_out = vec![false; n_objects];
    let mut work: Vec<usize> = (0..n_objects).filter(|&idx| counts[idx] == 0).collect();
    while let Some(idx) = work.pop() {
        is_out[idx] = true;
        vm.references(OVERLAY + idx as u32, &heap.overlay()[idx], &mut |found| {
            if found >= OVERLAY {
                let child = (found - OVERLAY) as usize;
                counts[child] -= 1;
                if counts[child] == 0 {
                    work.push(child);
                }
            }
        });
    }
    Ok(is_out)
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
        Trap::Unsupported(format!(
            "the code of {}.{}: {problem}",
            vm.classes.java_name(method.class),
            vm.classes.symbols.text(method.name)
        ))
    })
}

/// Calls `found` with each live slot of a frame: what it holds and its place among the thread's slots.
///
/// # Errors
/// As [`maps_of`].
pub fn each_slot<'vm>(vm: &'vm Vm, frame: &Frame<'vm>, mut found: impl FnMut(Slot, usize)) -> Exec<()> {
    let maps = maps_of(vm, frame)?;
    let Some((locals, stack)) = maps.before(frame.pc) else {
        return Err(Trap::Unsupported(format!(
            "{}.{} was left at a place that its code does not reach",
            vm.classes.java_name(frame.method.class),
            vm.classes.symbols.text(frame.method.name)
        )));
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
