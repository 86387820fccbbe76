//! The objects of a state in order. The header of the crate defines the order and proves that it is a normal
//! form.

use crate::{Collect, Form, Graph, Roots};
use std::ops::Range;

/// The owner of objects that shared roots or two holders reach.
const SHARED: u32 = u32::MAX;

/// Marks an unreached object that stays, until it has a number.
const STAYS: u32 = u32::MAX;

/// The objects of a state; reused from state to state to keep its memory.
#[derive(Default)]
pub struct Order {
    /// One more than the number of each object of the heap; zero for garbage.
    number: Vec<u32>,
    /// What reaches each object: one more than a holder, [`SHARED`], or zero for unreached ones.
    owner: Vec<u32>,
    /// The objects that have numbers, in order.
    order: Vec<u32>,
    /// Objects whose references are still to be followed, apart from the trace.
    work: Vec<u32>,
    /// The number of references to each object, while they are counted.
    counts: Vec<u32>,
    /// The number of objects, in order, that have been traced.
    scanned: usize,
    /// The objects that a root was the first to lead to: their numbers, holder by holder.
    leaders: Vec<u32>,
    /// For each holder, and for the position after the last, the number of objects and of leaders found
    /// before its own.
    before: Vec<(u32, usize)>,
}

impl Order {
    /// Finds the objects of a state.
    ///
    /// # Errors
    /// Those of the graph.
    #[inline]
    pub fn find<G: Graph>(&mut self, graph: &G, form: Form) -> Result<(), G::Error> {
        let n_objects = graph.n_objects();
        self.number.clear();
        self.number.resize(n_objects, 0);
        self.owner.clear();
        self.owner.resize(n_objects, 0);
        self.order.clear();
        self.leaders.clear();
        self.before.clear();
        self.scanned = 0;
        graph.shared_roots(&mut Tracer { order: self, graph, tag: SHARED })?;
        self.scan(graph);
        for holder in 0..graph.n_holders() {
            let tag = holder as u32 + 1;
            self.before.push((self.order.len() as u32, self.leaders.len()));
            graph.roots(holder, &mut Tracer { order: self, graph, tag })?;
            self.scan(graph);
        }
        self.before.push((self.order.len() as u32, self.leaders.len()));
        if form != Form::default() {
            self.apply(graph, form)?;
        }
        Ok(())
    }

    #[inline]
    fn visit(&mut self, object: u32, tag: u32) {
        let idx = object as usize;
        if self.number[idx] == 0 {
            self.order.push(object);
            self.number[idx] = self.order.len() as u32;
            self.owner[idx] = tag;
        } else if self.owner[idx] != tag && self.owner[idx] != SHARED {
            self.owner[idx] = SHARED;
            self.work.push(object);
        }
    }

    #[inline]
    fn scan<G: Graph>(&mut self, graph: &G) {
        while self.scanned < self.order.len() {
            let object = self.order[self.scanned];
            self.scanned += 1;
            let tag = self.owner[object as usize];
            graph.references(object, &mut |found| self.visit(found, tag));
        }
        // What a shared object leads to is shared too, even if it was reached before.
        while let Some(object) = self.work.pop() {
            graph.references(object, &mut |found| {
                let owner = &mut self.owner[found as usize];
                if *owner != SHARED {
                    *owner = SHARED;
                    self.work.push(found);
                }
            });
        }
    }

    /// Adds the garbage that is not collected, and orders objects by allocation if that is asked for.
    #[cold]
    fn apply<G: Graph>(&mut self, graph: &G, form: Form) -> Result<(), G::Error> {
        match form.collect {
            Collect::Sweep => {}
            Collect::Count => self.mark_counted(graph)?,
            Collect::Nothing => self.mark_outliving(graph),
        }
        for object in 0..self.number.len() {
            if self.number[object] == STAYS {
                self.order.push(object as u32);
                self.number[object] = self.order.len() as u32;
            }
        }
        if !form.symmetry {
            self.order.sort_unstable();
            for (number, &object) in self.order.iter().enumerate() {
                self.number[object as usize] = number as u32 + 1;
            }
        }
        Ok(())
    }

    /// Marks the unreached objects that outlive their last reference, and what they lead to.
    fn mark_outliving<G: Graph>(&mut self, graph: &G) {
        for object in 0..self.number.len() as u32 {
            if self.number[object as usize] == 0 && graph.outlives(object) {
                self.number[object as usize] = STAYS;
                self.work.push(object);
            }
        }
        while let Some(object) = self.work.pop() {
            graph.references(object, &mut |found| {
                let number = &mut self.number[found as usize];
                if *number == 0 {
                    *number = STAYS;
                    self.work.push(found);
                }
            });
        }
    }

    /// Marks the unreached objects whose reference count does not reach zero.
    fn mark_counted<G: Graph>(&mut self, graph: &G) -> Result<(), G::Error> {
        let counts = &mut self.counts;
        counts.clear();
        counts.resize(self.number.len(), 0);
        graph.shared_roots(&mut Counter(counts))?;
        for holder in 0..graph.n_holders() {
            graph.roots(holder, &mut Counter(counts))?;
        }
        for object in 0..self.number.len() as u32 {
            graph.references(object, &mut |found| counts[found as usize] += 1);
        }
        // A reached object has a reference that is never removed.
        self.work.extend((0..counts.len() as u32).filter(|&object| counts[object as usize] == 0));
        while let Some(object) = self.work.pop() {
            graph.references(object, &mut |found| {
                let count = &mut counts[found as usize];
                *count -= 1;
                if *count == 0 {
                    self.work.push(found);
                }
            });
        }
        for (number, &count) in self.number.iter_mut().zip(counts.iter()) {
            if *number == 0 && count > 0 {
                *number = STAYS;
            }
        }
        Ok(())
    }

    /// The number of an object that has one, from 0.
    ///
    /// Not defined for garbage: no reference of a state leads there.
    #[inline]
    #[must_use]
    pub fn number(&self, object: u32) -> u32 {
        self.number[object as usize].wrapping_sub(1)
    }

    /// Whether an object is part of the state.
    #[inline]
    #[must_use]
    pub fn has(&self, object: u32) -> bool {
        self.number[object as usize] != 0
    }

    /// Whether a root leads to an object.
    #[inline]
    #[must_use]
    pub fn is_reached(&self, object: u32) -> bool {
        self.owner[object as usize] != 0
    }

    /// The objects that have numbers, in order.
    #[must_use]
    pub fn objects(&self) -> &[u32] {
        &self.order
    }

    /// Whether every object of the heap has its index as its number.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.order.len() == self.number.len()
            && self.order.iter().enumerate().all(|(number, &object)| number as u32 == object)
    }

    /// The only holder that can reach an object, if there is exactly one.
    #[inline]
    #[must_use]
    pub fn owner(&self, object: u32) -> Option<usize> {
        match self.owner[object as usize] {
            0 | SHARED => None,
            tag => Some(tag as usize - 1),
        }
    }

    /// Whether a shared root or more than one holder can reach an object.
    #[inline]
    #[must_use]
    pub fn is_shared(&self, object: u32) -> bool {
        self.owner[object as usize] == SHARED
    }

    /// The numbers of the objects that a holder was the first to lead to, if objects are numbered as they are
    /// reached. The objects before those of the first holder are the shared roots'.
    #[must_use]
    pub fn segment(&self, holder: usize) -> Range<u32> {
        self.before[holder].0..self.before[holder + 1].0
    }

    /// Of those objects, the numbers of the ones that a root of the holder leads to directly and no earlier
    /// root did.
    #[must_use]
    pub fn leaders(&self, holder: usize) -> &[u32] {
        &self.leaders[self.before[holder].1..self.before[holder + 1].1]
    }
}

/// Numbers the objects that the roots of one holder, or the shared ones, lead to.
struct Tracer<'a, G> {
    order: &'a mut Order,
    graph: &'a G,
    tag: u32,
}

impl<G: Graph> Roots for Tracer<'_, G> {
    #[inline]
    fn root(&mut self, object: u32) {
        let n_found = self.order.order.len();
        self.order.visit(object, self.tag);
        if self.tag != SHARED && self.order.order.len() > n_found {
            self.order.leaders.push(n_found as u32);
        }
    }

    #[inline]
    fn end_group(&mut self) {
        self.order.scan(self.graph);
    }
}

/// Counts the roots that refer to each object.
struct Counter<'a>(&'a mut [u32]);

impl Roots for Counter<'_> {
    #[inline]
    fn root(&mut self, object: u32) {
        self.0[object as usize] += 1;
    }

    #[inline]
    fn end_group(&mut self) {}
}

#[cfg(test)]
mod tests;
