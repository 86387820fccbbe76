//! Observers of a search: they see every state, step and violation.
//!
//! Which calls a search makes:
//!
//! - `dfs`, `bfs`, `switches`, `ndfs`, `scc`, `cndfs`, `map`: all calls. For every visited state there is one
//!   call of [`state`](Observer::state), then the calls for its violations and its
//!   [`steps`](Observer::steps), then one of [`close`](Observer::close), unless the search ends in between.
//!   All calls for one state come from one worker. Between `state` and `steps` that worker makes no call for
//!   another state, but other workers may. If a reduction expands a state in several rounds, there are
//!   several calls of `steps`: each step is in exactly one of them, and the last one says [how](Expanded) the
//!   state was expanded. If no observer needs the calls [state by state](Observer::state_by_state), `bfs` and
//!   `dfs` with many workers may make those of several states together, each kind in the order of the states.
//!   The inner searches of `ndfs` and `cndfs`, and the iterations of `map` after the first, visit no new
//!   states and are not observed.
//! - In a depth-first search with one worker (`dfs`, `ndfs`, `scc`), everything reachable from a state has
//!   been visited when the state is closed. The other searches close a state as soon as it is expanded.
//! - Searches over a lossy store and random walks keep no states. They report only violations and the end. A
//!   search with a cache forgets states; it reports each [`visit`](Observer::visit) with the vectors.
//!
//! The states of `steps` calls are the vertices of the graph. The transitions are the steps, the steps of
//! sleepers, and the arrival at the initial state. Violations are reported when the search meets them. A
//! depth-first search that ends at the first violation meets a violation during a step only when it reaches
//! that step, which may be after calls for other states.

use crate::{End, Outcome};
use allways_model::{Batch, Lesson, StepKey, Violation};
use allways_store::{Full, Seen, StateRef, Writer};
use std::ops::ControlFlow::{self, Continue};
use std::ops::Range;

/// The extent to which a state was expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expanded {
    /// All steps.
    Whole,
    /// A sufficient part: a reduction omits some steps.
    Part,
    /// Too little: the depth limit, or the violation that the search ends with, cuts off some or all steps.
    Cut,
}

/// The state in which a search meets a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At<'a> {
    /// A state that the search keeps.
    Stored(StateRef),
    /// The vector of a state, for a search that keeps no states.
    Passing(&'a [u8]),
}

/// Some or all steps from one state.
#[derive(Clone, Copy)]
pub struct Steps<'a> {
    batch: &'a Batch,
    seen: &'a [Seen],
    start: usize,
    end: usize,
    asleep: u64,
    rounds: u32,
    accepting: bool,
}

/// One step.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Its key.
    pub key: StepKey,
    /// Its target state.
    pub to: StateRef,
    /// The vector of the target.
    pub vector: &'a [u8],
    /// Whether the target was not known to the search before. Each state but the initial one is new in
    /// exactly one step. In `cndfs` it is new in at most one, because its workers store states for each
    /// other.
    pub new: bool,
}

impl<'a> Steps<'a> {
    /// The steps at `entries` of a batch that was stored as `seen`, and a number of steps of sleepers.
    pub(crate) fn new(batch: &'a Batch, seen: &'a [Seen], entries: Range<usize>, asleep: u64) -> Self {
        let (start, end) = (entries.start, entries.end);
        Self { batch, seen, start, end, asleep, rounds: 1, accepting: false }
    }

    /// Sets the number of rounds in which the steps were computed.
    pub(crate) fn after(self, rounds: u32) -> Self {
        Self { rounds, ..self }
    }

    /// Sets whether the source state is accepting.
    pub(crate) fn from(self, accepting: bool) -> Self {
        Self { accepting, ..self }
    }

    /// The steps in the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = Step<'a>> + '_ {
        let Self { batch, seen, .. } = *self;
        (self.start..self.end).map(move |idx| Step {
            key: batch.entries()[idx].key,
            to: seen[idx].state,
            vector: batch.vector(idx),
            new: seen[idx].new,
        })
    }

    /// The number of steps, excluding those of sleepers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether there are no steps.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// The number of steps of sleepers. The search reaches their targets by other steps too.
    #[must_use]
    pub fn asleep(&self) -> u64 {
        self.asleep
    }

    /// The number of rounds of expansion since the previous call for this state, if a reduction expands
    /// states in part ([`Cursor::expand_some`](allways_model::Cursor::expand_some)).
    #[must_use]
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Whether the source state is accepting. Only meaningful in searches for cycles, until they have found
    /// one; the other searches do not ask.
    #[must_use]
    pub fn from_accepting(&self) -> bool {
        self.accepting
    }
}

/// Observes a search. All workers may call it concurrently. `Break` ends the search as
/// [`Limit::Observer`](crate::Limit::Observer). The module documentation says which search makes which calls.
///
/// Observers compose: a pair, a slice and a reference of observers are observers. The unit type observes
/// nothing and costs nothing.
pub trait Observer: Sync {
    /// Whether the observer needs the calls `state`, `steps` and `close`. If not, the search may omit them,
    /// which is faster.
    #[inline(always)]
    fn watches(&self) -> bool {
        true
    }

    /// Whether a worker must make all calls for one state before those for its next one. If not, the search
    /// is faster.
    #[inline(always)]
    fn state_by_state(&self) -> bool {
        true
    }

    /// Called when a state is visited.
    #[inline(always)]
    fn state(&self, _at: StateRef, _vector: &[u8]) -> ControlFlow<()> {
        Continue(())
    }

    /// Called when a state has been expanded and the targets of its steps have been stored.
    #[inline(always)]
    fn steps(&self, _from: StateRef, _steps: &Steps<'_>, _how: Expanded) -> ControlFlow<()> {
        Continue(())
    }

    /// Whether the observer needs the calls `visit` of a search that forgets states.
    fn wants_visits(&self) -> bool {
        false
    }

    /// Called when a search that forgets states has visited the state with the vector `from`, possibly again,
    /// and has expanded it in `rounds` rounds to the entries of `steps`. The first visit is that of the
    /// initial state.
    fn visit(&self, _from: &[u8], _steps: &Batch, _rounds: u32, _how: Expanded) -> ControlFlow<()> {
        Continue(())
    }

    /// Something is wrong in a state, or during a step from it.
    fn violation(&self, _at: At<'_>, _violation: &Violation) {}

    /// Called when the search has finished with a state.
    #[inline(always)]
    fn close(&self, _at: StateRef) -> ControlFlow<()> {
        Continue(())
    }

    /// Called when the search has learnt a lesson and is repeated. Everything observed so far is void.
    fn round(&self, _lesson: &Lesson) {}

    /// Called when a search has ended. Another one may follow, after [`Observer::round`].
    fn end(&self, _end: &End) {}
}

impl Observer for () {
    #[inline(always)]
    fn watches(&self) -> bool {
        false
    }
}

/// Stores a batch whose first entries may have been stored before, as `seen`. Entries that were new then are
/// reported as new again.
pub(crate) fn insert_again<W: Writer>(
    writer: &mut W,
    batch: &mut Batch,
    seen: &mut Vec<Seen>,
) -> Result<(), Full> {
    let before = seen.clone();
    writer.insert(batch, seen)?;
    seen.iter_mut().zip(before).for_each(|(now, before)| now.new |= before.new);
    Ok(())
}

/// Reports the end of a search.
pub(crate) fn ended<O: Observer + ?Sized>(observer: &O, outcome: Outcome) -> Outcome {
    observer.end(&outcome.end);
    outcome
}

impl<A: Observer, B: Observer> Observer for (A, B) {
    fn watches(&self) -> bool {
        self.0.watches() || self.1.watches()
    }

    fn state_by_state(&self) -> bool {
        self.0.watches() && self.0.state_by_state() || self.1.watches() && self.1.state_by_state()
    }

    fn state(&self, at: StateRef, vector: &[u8]) -> ControlFlow<()> {
        self.0.state(at, vector)?;
        self.1.state(at, vector)
    }

    fn steps(&self, from: StateRef, steps: &Steps<'_>, how: Expanded) -> ControlFlow<()> {
        self.0.steps(from, steps, how)?;
        self.1.steps(from, steps, how)
    }

    fn wants_visits(&self) -> bool {
        self.0.wants_visits() || self.1.wants_visits()
    }

    fn visit(&self, from: &[u8], steps: &Batch, rounds: u32, how: Expanded) -> ControlFlow<()> {
        self.0.visit(from, steps, rounds, how)?;
        self.1.visit(from, steps, rounds, how)
    }

    fn violation(&self, at: At<'_>, violation: &Violation) {
        self.0.violation(at, violation);
        self.1.violation(at, violation);
    }

    fn close(&self, at: StateRef) -> ControlFlow<()> {
        self.0.close(at)?;
        self.1.close(at)
    }

    fn round(&self, lesson: &Lesson) {
        self.0.round(lesson);
        self.1.round(lesson);
    }

    fn end(&self, end: &End) {
        self.0.end(end);
        self.1.end(end);
    }
}

impl Observer for [&dyn Observer] {
    fn watches(&self) -> bool {
        self.iter().any(|one| one.watches())
    }

    fn state_by_state(&self) -> bool {
        self.iter().any(|one| one.watches() && one.state_by_state())
    }

    fn state(&self, at: StateRef, vector: &[u8]) -> ControlFlow<()> {
        self.iter().try_for_each(|one| one.state(at, vector))
    }

    fn steps(&self, from: StateRef, steps: &Steps<'_>, how: Expanded) -> ControlFlow<()> {
        self.iter().try_for_each(|one| one.steps(from, steps, how))
    }

    fn wants_visits(&self) -> bool {
        self.iter().any(|one| one.wants_visits())
    }

    fn visit(&self, from: &[u8], steps: &Batch, rounds: u32, how: Expanded) -> ControlFlow<()> {
        self.iter().try_for_each(|one| one.visit(from, steps, rounds, how))
    }

    fn violation(&self, at: At<'_>, violation: &Violation) {
        self.iter().for_each(|one| one.violation(at, violation));
    }

    fn close(&self, at: StateRef) -> ControlFlow<()> {
        self.iter().try_for_each(|one| one.close(at))
    }

    fn round(&self, lesson: &Lesson) {
        self.iter().for_each(|one| one.round(lesson));
    }

    fn end(&self, end: &End) {
        self.iter().for_each(|one| one.end(end));
    }
}

/// An observer whose `watches` is statically false.
pub(crate) struct Unwatched<'a>(pub(crate) &'a dyn Observer);

impl Observer for Unwatched<'_> {
    #[inline(always)]
    fn watches(&self) -> bool {
        false
    }

    fn wants_visits(&self) -> bool {
        self.0.wants_visits()
    }

    fn visit(&self, from: &[u8], steps: &Batch, rounds: u32, how: Expanded) -> ControlFlow<()> {
        self.0.visit(from, steps, rounds, how)
    }

    fn violation(&self, at: At<'_>, violation: &Violation) {
        self.0.violation(at, violation);
    }

    fn round(&self, lesson: &Lesson) {
        self.0.round(lesson);
    }

    fn end(&self, end: &End) {
        self.0.end(end);
    }
}

impl<T: Observer + ?Sized> Observer for &T {
    #[inline(always)]
    fn watches(&self) -> bool {
        (**self).watches()
    }

    #[inline(always)]
    fn state_by_state(&self) -> bool {
        (**self).state_by_state()
    }

    #[inline(always)]
    fn state(&self, at: StateRef, vector: &[u8]) -> ControlFlow<()> {
        (**self).state(at, vector)
    }

    #[inline(always)]
    fn steps(&self, from: StateRef, steps: &Steps<'_>, how: Expanded) -> ControlFlow<()> {
        (**self).steps(from, steps, how)
    }

    fn wants_visits(&self) -> bool {
        (**self).wants_visits()
    }

    fn visit(&self, from: &[u8], steps: &Batch, rounds: u32, how: Expanded) -> ControlFlow<()> {
        (**self).visit(from, steps, rounds, how)
    }

    fn violation(&self, at: At<'_>, violation: &Violation) {
        (**self).violation(at, violation);
    }

    #[inline(always)]
    fn close(&self, at: StateRef) -> ControlFlow<()> {
        (**self).close(at)
    }

    fn round(&self, lesson: &Lesson) {
        (**self).round(lesson);
    }

    fn end(&self, end: &End) {
        (**self).end(end);
    }
}
