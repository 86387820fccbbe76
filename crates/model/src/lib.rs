//! The vocabulary that front ends and searches share.
//!
//! A *model* is a transition system over byte vectors. A *cursor* is one worker's position in it: it loads a
//! state and appends all successors to a reused [`Batch`]. Searches, stores, reports and front ends depend on
//! each other only through this crate, which depends on no other crate of the workspace.
//!
//! Laws that every model keeps, and that `allways-testkit` checks:
//! - **Canonical**: two states are equal if and only if their bytes are; no pointer, no address, no hash
//!   order.
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
    /// The digest of the model, for traces and certificates. Equal digests mean equal states and equal step
    /// keys.
    fn digest(&self) -> Digest;

    /// Makes a cursor for one worker, which knows `lessons`. The same lessons give the same steps, whatever
    /// other cursors have done.
    fn cursor(&self, lessons: &Lessons) -> Box<dyn Cursor + '_>;

    /// The processes alive in `state`, for display.
    fn processes(&self, state: &[u8]) -> Vec<Process>;

    /// The variables of `state`, globals first, for display.
    fn variables(&self, state: &[u8]) -> Vec<Variable>;

    /// In a state in which no process can continue: what each process waits for, for display. Empty if it is
    /// not known. `lessons` are those of the search that reached the state.
    fn blocked(&self, _state: &[u8], _lessons: &Lessons) -> Vec<Blocked> {
        Vec::new()
    }

    /// The facts about a violation that only the run to it shows, such as where an object was made. The rule
    /// of the violation has words for them.
    fn background(&self, _steps: &[StepKey], _violation: &Violation) -> Vec<Fact> {
        Vec::new()
    }

    /// The objects of `state`, the state after `steps`, for display. If the last step ends in a violation,
    /// the objects of the state in which it fails. `None` if the model has no objects.
    fn heap(&self, _state: &[u8], _steps: &[StepKey]) -> Option<Heap> {
        None
    }

    /// Makes a function for one worker that cuts vectors into parts.
    fn partition(&self) -> Partition<'_> {
        uniform_partition(16)
    }

    /// The points of the program that a complete search is expected to reach, indexed as in
    /// [`Cursor::reached`].
    fn points(&self) -> &[Point];

    /// Whether [`Cursor::expand_awake`] ever puts a process to sleep.
    fn has_sleepers(&self) -> bool {
        false
    }

    /// Warnings about the program, as far as cursors have met the reasons for them.
    fn noticed(&self) -> Vec<String> {
        Vec::new()
    }

    /// What is known in advance about the states for which [`Cursor::accepting`] holds.
    fn acceptance(&self) -> Acceptance {
        Acceptance::Nowhere
    }
}

/// What is known about the accepting states of a [`Model`]. A run that visits accepting states infinitely
/// often is a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// There are no accepting states: every violation belongs to a state or a step.
    Nowhere,
    /// On each cycle, either all states are accepting or none is.
    Weak,
    /// Any states may be accepting.
    Anywhere,
}

/// A function that cuts a vector into parts, such as processes and channels, of which a store may keep equal
/// ones once. It appends the end of each part: multiples of four, the last one the vector's length. Equal
/// vectors are always cut in the same way.
pub type Partition<'m> = Box<dyn FnMut(&[u8], &mut Vec<usize>) + Send + 'm>;

/// A partition into parts of `len` bytes, a multiple of four; the last part may be shorter.
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
    /// A [`Halt`] if the model cannot start.
    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt>;

    /// Loads `state`. Restores only what differs from the state loaded before.
    fn load(&mut self, state: &[u8]);

    /// Sets the limiter that further expansions must ask whether they may continue. A cursor whose expansions
    /// are all short may ignore it.
    fn limit(&mut self, _limiter: &Limiter) {}

    /// Appends all successors of the loaded state to `out`, and the violations met during its steps or in the
    /// state itself. Leaves the loaded state unchanged.
    ///
    /// # Errors
    /// A [`Halt`] if the tool cannot continue after something that the model did, or if the search must be
    /// repeated. The contents of `out` until then are valid.
    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt>;

    /// Appends a *sufficient* set of steps of the loaded state to `out`: a persistent set, with which no
    /// sequence of other steps can interfere, so that a search may defer the others. Returns whether the
    /// expansion is complete. Another call without a [`Cursor::load`] in between appends more steps, until
    /// the expansion is complete. A search must call it again until its cycle proviso holds; otherwise a step
    /// could be deferred indefinitely.
    ///
    /// # Errors
    /// As [`Cursor::expand`].
    fn expand_some(&mut self, out: &mut Batch) -> Result<bool, Halt> {
        self.expand(out).map(|()| true)
    }

    /// As [`Cursor::expand`], but only counts the steps of processes that sleep in the loaded state, and sets
    /// the sleep set of each successor (see the module [`asleep`]). For searches that visit states and do not
    /// search for cycles.
    ///
    /// # Errors
    /// As [`Cursor::expand`].
    fn expand_awake(&mut self, _asleep: Asleep, out: &mut Batch) -> Result<(), Halt> {
        self.expand(out)
    }

    /// Appends only the step `key` of the loaded state to `out`, as [`Cursor::expand`] would: its successor,
    /// and the violations met during it. Appends nothing if there is no such step.
    ///
    /// # Errors
    /// As [`Cursor::expand`], but a single step never gives a lesson.
    fn take(&mut self, key: StepKey, out: &mut Batch) -> Result<(), Halt> {
        let mut all = Batch::new();
        self.expand(&mut all)?;
        out.append_step(key, &all);
        Ok(())
    }

    /// Appends to `out` the violations of the loaded state that can be found without computing its steps:
    /// broken invariants, but not deadlocks.
    fn look(&mut self, _out: &mut Batch) {}

    /// The moves of the step `key` from the loaded state, whether it ends in a successor or in a violation.
    /// `None` if there is no such step.
    fn explain(&mut self, key: StepKey) -> Option<Vec<Move>>;

    /// The state in which the step `key` from the loaded state fails, if it ends in a violation: the state
    /// before the failing statement, which is not a stored state if that statement is inside the step. `None`
    /// if it is not known.
    fn failing_state(&mut self, _key: StepKey) -> Option<Snapshot> {
        None
    }

    /// Whether the loaded state is accepting.
    fn accepting(&mut self) -> bool {
        false
    }

    /// Whether a proposition of the model holds in the loaded state. The code that makes the model defines
    /// the propositions and their numbers.
    ///
    /// # Errors
    /// The violation, if evaluating the proposition is an error in the model's language.
    ///
    /// # Panics
    /// If there is no such proposition.
    fn holds(&mut self, proposition: u32) -> Result<bool, Violation> {
        panic!("this model has no proposition {proposition}")
    }

    /// Whether a run ends in the loaded state, which has just been expanded without successors. It does not
    /// if the state had steps that belong to no run, such as steps that contradict an assumption of the
    /// program.
    fn rests(&self) -> bool {
        true
    }

    /// The process that takes the step `key` from the loaded state, as numbered by [`Model::processes`]. If
    /// several processes take part, the one that begins. `None` if the step belongs to no process.
    fn actor(&self, _key: StepKey) -> Option<u32> {
        None
    }

    /// One bit for each of [`Model::points`]: whether this cursor has reached it.
    fn reached(&self) -> Vec<u64>;

    /// The new facts that this cursor has learnt. A cursor may continue for a while to learn more before it
    /// ends an expansion with [`Halt::Refine`], so a search that ends for another reason must ask every
    /// cursor. The search has seen everything only if all these lessons are empty.
    fn lesson(&self) -> Lesson;

    /// The first fault since the last call by which a limit inside the model cut off steps. The successors
    /// that such an expansion appended are valid, but steps beyond the limit are missing. A search that has
    /// not stopped for another reason asks every cursor at its end. If any step was cut off, it has not seen
    /// everything.
    fn take_cut(&mut self) -> Option<Fault> {
        None
    }

    /// Named counters of this cursor's work, for display, such as how states were expanded.
    fn counters(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}
