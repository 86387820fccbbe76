//! The vocabulary that front ends and searches share.
//!
//! A *model* is a transition system over byte vectors. A *cursor* is one worker's position in it: it loads a
//! state and writes everything that can happen next into a reused [`Batch`]. Searches, stores, reports and
//! front ends meet only here; this crate depends on no other of the workspace.
//!
//! Laws that every model keeps, and that `allways-testkit` checks:
//! - **Canonical**: two states are equal if and only if their bytes are; no pointer, no address, no hash order.
//! - **Deterministic**: a state gives the same successors, with the same keys, in the same order, on every
//!   machine, whatever the cursor held before.
//! - **Aligned**: the length of a vector is a multiple of four, and may differ from state to state.

pub mod asleep;
mod batch;
pub mod certificate;
mod claim;
mod digest;
mod halt;
mod heap;
mod lesson;
mod limiter;
pub mod options;
mod path;
mod quote;
mod refined;
mod report;
pub mod spec;
mod violation;

pub use asleep::Asleep;
pub use batch::{Batch, Entry};
pub use claim::{Claim, ClaimMove, ClaimState, Condition, Then};
pub use digest::{Digest, NotADigest, Sha256};
pub use halt::Halt;
pub use heap::{Heap, HeapChange, HeapKind, HeapLine, HeapNode};
pub use lesson::{Lesson, Lessons, NotAFact};
pub use limiter::Limiter;
pub use path::{Path, StepKey};
pub use quote::{escape, escape_unit, quoted, quoted_char};
pub use refined::Refined;
pub use report::{
    Blocked, Call, Change, Location, Message, MessageDirection, Move, Point, Process, Read, Snapshot,
    Variable,
};
pub use spec::Spec;
pub use violation::{Fact, Fault, NotAViolation, Rule, Violation, ViolationId, ViolationKind};

/// A transition system: the program under check, ready to run.
pub trait Model: Send + Sync {
    /// Names the model in traces and certificates: equal digests mean equal states and equal step keys.
    fn digest(&self) -> Digest;

    /// A new position in the model, for a worker that knows `lessons`; every worker has its own. The same
    /// lessons give the same steps, whatever other cursors did before.
    fn cursor(&self, lessons: &Lessons) -> Box<dyn Cursor + '_>;

    /// The processes alive in `state`, for people.
    fn processes(&self, state: &[u8]) -> Vec<Process>;

    /// The variables of `state`, globals first, for people.
    fn variables(&self, state: &[u8]) -> Vec<Variable>;

    /// What keeps each process of `state` from going on, in a state in which none can, for people; empty if
    /// that is not known. The lessons are those of the search that came to the state.
    fn blocked(&self, _state: &[u8], _lessons: &Lessons) -> Vec<Blocked> {
        Vec::new()
    }

    /// What the run of these steps says about the violation at its end: facts that its rule has words for and
    /// that are not part of a state, such as where an object was made.
    fn background(&self, _steps: &[StepKey], _violation: &Violation) -> Vec<Fact> {
        Vec::new()
    }

    /// The objects of `state`, to which `steps` lead, for people; of the state in which the last of them goes
    /// wrong, if it does. `None` if the model has no objects.
    fn heap(&self, _state: &[u8], _steps: &[StepKey]) -> Option<Heap> {
        None
    }

    /// Tells where vectors have their seams; every worker has its own.
    fn partition(&self) -> Partition<'_> {
        uniform_partition(16)
    }

    /// The places of the program that a complete search is expected to reach, indexed as [`Cursor::reached`].
    fn points(&self) -> &[Point];

    /// Whether [`Cursor::expand_awake`] ever lets a process sleep.
    fn has_sleepers(&self) -> bool {
        false
    }

    /// What is odd about the program without being wrong, as far as cursors have met it: warnings for people.
    fn noticed(&self) -> Vec<String> {
        Vec::new()
    }

    /// Which states [`Cursor::accepting`] is true of, as far as is known beforehand.
    fn acceptance(&self) -> Acceptance {
        Acceptance::Nowhere
    }
}

/// What is known about the accepting states of a [`Model`]. A run that is in accepting states again and
/// again, for ever, is a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// There are none: every violation is seen at a state or at a step.
    Nowhere,
    /// Of the states on one cycle, either all are accepting or none is.
    Weak,
    /// Anywhere.
    Anywhere,
}

/// Cuts a vector into its parts, such as processes and channels: appends where each part ends, the last at
/// the vector's own end, and all at multiples of four. The same vector is always cut in the same way. A store
/// may keep equal parts once.
pub type Partition<'m> = Box<dyn FnMut(&[u8], &mut Vec<usize>) + Send + 'm>;

/// Parts of `len` bytes each, a multiple of four, but for the last.
#[must_use]
pub fn uniform_partition(len: usize) -> Partition<'static> {
    Box::new(move |vector, ends| {
        ends.extend((len..vector.len()).step_by(len));
        ends.push(vector.len());
    })
}

/// A worker's position in a [`Model`].
pub trait Cursor: Send {
    /// Appends the initial state to `out`.
    ///
    /// # Errors
    /// A [`Halt`] if the model cannot even start.
    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt>;

    /// Moves to `state`, restoring only what differs from what the cursor holds.
    fn load(&mut self, state: &[u8]);

    /// From now on, expansions ask `limiter` whether they may go on. A cursor whose expansions are all short
    /// need not.
    fn limit(&mut self, _limiter: &Limiter) {}

    /// Appends everything that can happen in the loaded state to `out`: its successors, and the violations
    /// met on the way to them or in the state itself. Leaves the loaded state as it was.
    ///
    /// # Errors
    /// A [`Halt`] if the model did something the tool cannot go on from, or if the search must begin again;
    /// what `out` holds until then is valid.
    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt>;

    /// Appends *enough* of what can happen in the loaded state to `out`: a set of steps that no step of the
    /// others can interfere with, so that a search may leave the others for later. Gives whether that is
    /// everything. Called again without a [`Cursor::load`] between, it appends more, until everything is
    /// there; so often a search must call it as it takes to keep any step from being put off for ever.
    ///
    /// # Errors
    /// As [`Cursor::expand`].
    fn expand_some(&mut self, out: &mut Batch) -> Result<bool, Halt> {
        self.expand(out).map(|()| true)
    }

    /// As [`Cursor::expand`], but successors by steps of processes that sleep in the loaded state are only
    /// counted; and each other successor is told who sleeps in it (see the module [`asleep`]). For searches
    /// that visit states and do not look for cycles.
    ///
    /// # Errors
    /// As [`Cursor::expand`].
    fn expand_awake(&mut self, _asleep: Asleep, out: &mut Batch) -> Result<(), Halt> {
        self.expand(out)
    }

    /// Appends the step `key` of the loaded state to `out` without the others, as [`Cursor::expand`] would: the
    /// successor that it leads to, and the violations met in it. Nothing if there is no such step.
    ///
    /// # Errors
    /// As [`Cursor::expand`]; but nothing is learnt from a single step.
    fn take(&mut self, key: StepKey, out: &mut Batch) -> Result<(), Halt> {
        let mut all = Batch::new();
        self.expand(&mut all)?;
        out.append_step(key, &all);
        Ok(())
    }

    /// Appends to `out` what is wrong in the loaded state itself, as far as that can be said without taking
    /// its steps: invariants that do not hold, not deadlocks.
    fn look(&mut self, _out: &mut Batch) {}

    /// What happens, move by move, in the step `key` from the loaded state, whether it ends in a successor or
    /// in a violation. `None` if there is no such step.
    fn explain(&mut self, key: StepKey) -> Option<Vec<Move>>;

    /// The state in which the step `key` from the loaded state goes wrong, if it ends in a violation: the one
    /// before the failing statement, which is not a stored state if that statement lies inside the step.
    /// `None` if it is not known.
    fn failing_state(&mut self, _key: StepKey) -> Option<Snapshot> {
        None
    }

    /// Whether the loaded state is accepting.
    fn accepting(&mut self) -> bool {
        false
    }

    /// Whether one of the model's propositions holds in the loaded state. Which there are, and their numbers,
    /// is between the model and those who made it.
    ///
    /// # Errors
    /// The violation, if finding out is an error in the model's own language.
    ///
    /// # Panics
    /// If there is no such proposition.
    fn holds(&mut self, proposition: u32) -> Result<bool, Violation> {
        panic!("this model has no proposition {proposition}")
    }

    /// Whether a run ends in the loaded state if it has just been expanded and nothing can happen in it. It
    /// does not if there were steps that are no part of any run, such as those that contradict an assumption
    /// of the program.
    fn rests(&self) -> bool {
        true
    }

    /// The process that takes the step `key` from the loaded state, as numbered by [`Model::processes`]; of
    /// several that take part the one that begins. `None` if it is no process's step.
    fn actor(&self, _key: StepKey) -> Option<u32> {
        None
    }

    /// One bit for each of [`Model::points`]: whether this cursor has been there since it was made.
    fn reached(&self) -> Vec<u64>;

    /// What this cursor has learnt that it was not given. It may go on for a while before it ends an
    /// expansion with [`Halt::Refine`], to learn more; so a search that ends for another reason asks every
    /// cursor. Until the lesson is empty the search has not seen everything.
    fn lesson(&self) -> Lesson;

    /// What a limit of the model's own has cut off in the expansions since this was last asked: the first of it. What
    /// such an expansion appended is valid, but steps are missing that lead beyond the limit. A search that has not
    /// stopped for another reason asks every cursor at its end: if anything was cut off, it has not seen everything.
    fn take_cut(&mut self) -> Option<Fault> {
        None
    }

    /// What this cursor counted of its own work, under names for people: how states were expanded, and the
    /// like.
    fn counters(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}
