//! Observing a search: everything that it sees, one call a state.
//!
//! What an observer is given, by search:
//!
//! - `dfs`, `bfs`, `switches`, `ndfs`, `scc`, `cndfs`, `map`: all calls. Every visited state comes with one
//!   [`state`](Observer::state), then its violations and its [`steps`](Observer::steps), then one
//!   [`close`](Observer::close), unless the search ends between. All calls of one state come from one worker;
//!   between `state` and `steps` that worker makes no call for another state, but others do. Where a
//!   reduction expands a state further than it first did, the rest of its steps comes in more calls: each
//!   step is in one of them, and the last one says [how](Expanded) the state was expanded. If no observer
//!   needs the calls [state by state](Observer::state_by_state), `bfs` and `dfs` with many workers may make
//!   those of several states together, each kind in the order of the states. The inner searches
//!   of `ndfs` and `cndfs`, and the iterations of `map` after the first, visit nothing new and are not
//!   observed.
//! - Depth first with one worker (`dfs`, `ndfs`, `scc`), everything that can be reached from a state has been
//!   visited when it is closed. The other searches close a state as soon as it is expanded.
//! - Searches over a lossy store and random walks keep no states: they report violations and the end. One with a
//!   cache forgets states; it shows each [`visit`](Observer::visit) with the vectors.
//!
//! The states of `steps` calls are the vertices of the graph, and transitions are the steps, those of
//! sleepers, and the arrival at the initial state. Violations are reported when the search meets them, which
//! for a violation during a step of a depth-first search that ends with it is after other states.

use crate::{End, Outcome};
use allways_model::{Batch, Lesson, StepKey, Violation};
use allways_store::{Full, Seen, StateRef, Writer};
use std::ops::ControlFlow::{self, Continue};
use std::ops::Range;

/// How much of a state was expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expanded {
    /// Everything that can happen in it.
    Whole,
    /// Enough of it: a reduction omits some steps.
    Part,
    /// Too little: the depth limit, or the violation that the search ends with, cuts off some steps or all of
    /// them.
    Cut,
}

/// Where a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At<'a> {
    /// In a state that the search keeps.
    Stored(StateRef),
    /// In a state with this vector, of a search that keeps none.
    Passing(&'a [u8]),
}

/// Steps from one state.
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

/// One of them.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Its key.
    pub key: StepKey,
    /// The state that it leads to.
    pub to: StateRef,
    /// That state's vector.
    pub vector: &'a [u8],
    /// Whether the search did not know that state before. Each state but the initial one is new in one step;
    /// except that the workers of `cndfs` store states for each other, so that it is new in one step at most.
    pub new: bool,
}

impl<'a> Steps<'a> {
    /// Some `entries` of a batch that was stored as `seen`, and a number of steps of sleepers.
    pub(crate) fn new(batch: &'a Batch, seen: &'a [Seen], entries: Range<usize>, asleep: u64) -> Self {
        let (start, end) = (entries.start, entries.end);
        Self { batch, seen, start, end, asleep, rounds: 1, accepting: false }
    }

    /// The same, of a state that was asked for steps so many times.
    pub(crate) fn after(self, rounds: u32) -> Self {
        Self { rounds, ..self }
    }

    /// The same, of a state that may be accepting.
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

    /// The number of steps, without those of sleepers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether there is no step.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// The number of steps of sleepers: they lead to states that the search reaches by other steps too.
    #[must_use]
    pub fn asleep(&self) -> u64 {
        self.asleep
    }

    /// How many more times the state was asked for steps than in the calls before, where a reduction expands
    /// states in part ([`Cursor::expand_some`](allways_model::Cursor::expand_some)).
    #[must_use]
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Whether the state that the steps leave is accepting. Searches that find cycles know it until they have
    /// found one; the others do not ask.
    #[must_use]
    pub fn from_accepting(&self) -> bool {
        self.accepting
    }
}

/// Sees what a search does, from all its workers at once. `Break` ends the search as
/// [`Limit::Observer`](crate::Limit::Observer). The module says which search makes which calls.
///
/// Observers compose: a pair, a slice and a reference of observers are observers. The unit type observes
/// nothing and costs nothing.
pub trait Observer: Sync {
    /// Whether the observer wants to see states and steps. If not, `state`, `steps` and `close` may be left
    /// out, and the search is faster.
    #[inline(always)]
    fn watches(&self) -> bool {
        true
    }

    /// Whether all calls for a state must come before those for the next one of the same worker. The search is
    /// faster if not.
    #[inline(always)]
    fn state_by_state(&self) -> bool {
        true
    }

    /// A state is visited.
    #[inline(always)]
    fn state(&self, _at: StateRef, _vector: &[u8]) -> ControlFlow<()> {
        Continue(())
    }

    /// A state was expanded, and where its steps lead is stored.
    #[inline(always)]
    fn steps(&self, _from: StateRef, _steps: &Steps<'_>, _how: Expanded) -> ControlFlow<()> {
        Continue(())
    }

    /// Whether the observer wants to see the visits of a search that forgets states.
    fn wants_visits(&self) -> bool {
        false
    }

    /// A search that forgets states visited the one with this vector, which it may have visited before, and expanded it in
    /// this many rounds, to these states. The first visit is that of the initial state.
    fn visit(&self, _from: &[u8], _steps: &Batch, _rounds: u32, _how: Expanded) -> ControlFlow<()> {
        Continue(())
    }

    /// Something is wrong in a state, or during a step from it.
    fn violation(&self, _at: At<'_>, _violation: &Violation) {}

    /// The search is done with a state.
    #[inline(always)]
    fn close(&self, _at: StateRef) -> ControlFlow<()> {
        Continue(())
    }

    /// The search has learnt something and begins again: everything observed so far is void.
    fn round(&self, _lesson: &Lesson) {}

    /// A search has ended; another one may follow, after [`Observer::round`].
    fn end(&self, _end: &End) {}
}

impl Observer for () {
    #[inline(always)]
    fn watches(&self) -> bool {
        false
    }
}

/// Stores a batch of which a part may have been stored before, as `seen`: what was new then is new.
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

/// An observer that does not watch: the compiler knows it.
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
