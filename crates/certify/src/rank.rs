//! What a script says about whole graphs at once: that no run passes accepting states infinitely often, and
//! that a reduction omits no step without end.
//!
//! **Ranks.** A property of runs that never end is violated by a cycle through an accepting state. The script
//! gives each state a rank, a natural number, when the state is new. Along no step may it rise, and along a
//! step out of an accepting state it must fall. Then no accepting state is on a cycle: all around a cycle
//! ranks are equal, and they would have to fall where the accepting state is left. Conversely, where no
//! cycle passes an accepting state, such ranks exist: the largest number of accepting states on a path from
//! the state.
//!
//! With weak fairness the graph is that of `allways_product::Fair`, whose accepting cycles are the fair ones,
//! and the argument is the same.
//!
//! **Detours.** A reduction may expand states in part. For a property of single states it is enough that from
//! each such state a path leads to one that is expanded as a whole: until then an omitted step stays
//! possible. For a property of runs, each *cycle* must have a state that is expanded as a whole. The script
//! gives each state a detour, zero if there is no such stream. A step *leads on* if the detour falls along
//! it, or stays and the number of the state grows. Steps that lead on cannot go on without end: the detour
//! falls finitely often, and numbers grow finitely often while it stays. So
//!
//! - for a property of states, a state that is expanded in part needs a step that leads on. Following these
//!   steps ends, and it ends in a state that is expanded as a whole.
//! - for a property of runs, each step out of a state that is expanded in part must lead on, or lead to a
//!   state that was seen to be expanded as a whole. A cycle of states that are all expanded in part would be
//!   one of steps that all lead on.
//!
//! A state that a partial certificate does not expand counts as a whole one: nothing is claimed of what
//! follows it.
//!
//! None of this depends on how the producer found the numbers.

use crate::kept::Table;
use crate::veracity::Deviation;
use allways_model::certificate::script::{Mention, Standing, Target};
use allways_model::certificate::streams;
use allways_model::{Acceptance, Fault};

/// What is known about a numbered state.
#[derive(Clone, Copy, Default, PartialEq)]
struct Known {
    standing: Standing,
    is_expanded: bool,
    is_whole: bool,
    /// Whether it is not mentioned again.
    is_past: bool,
}

/// The ranks and detours of states that are mentioned again or not expanded yet.
pub(crate) struct Ranks {
    /// Whether the property is about runs that never end.
    is_cyclic: bool,
    /// Whether anything must be known about states; if not, the table is empty.
    is_used: bool,
    table: Table<Known>,
}

/// A state whose steps are being compared.
pub(crate) struct Source {
    number: u64,
    standing: Standing,
    is_accepting: bool,
    is_whole: bool,
    leads_on: bool,
}

impl Ranks {
    /// For a graph with this acceptance, described by a script with these streams.
    pub(crate) fn new(acceptance: Acceptance, streams: u16) -> Result<Self, Deviation> {
        let is_cyclic = acceptance != Acceptance::Nowhere;
        let has = |stream| streams & stream != 0;
        let bad = |what: &str| Err(Deviation::Malformed(what.into()));
        if is_cyclic && !has(streams::RANKS) {
            return bad("the property is about runs that never end, and states have no ranks");
        }
        if !is_cyclic && has(streams::RANKS) {
            return bad("states have ranks, and this property needs none");
        }
        if has(streams::DETOURS) && !has(streams::ROUNDS) {
            return bad("states have detours, and none is expanded in part");
        }
        Ok(Self { is_cyclic, is_used: is_cyclic || has(streams::DETOURS), table: Table::starting_at(1) })
    }

    /// A state is new: the next number.
    pub(crate) fn number(&mut self, standing: Standing) -> Result<(), Deviation> {
        if !self.is_used || self.table.put(Some(Known { standing, ..Known::default() })) {
            return Ok(());
        }
        let message = "more than four billion ranks would have to be kept at once".into();
        Err(Deviation::Fault(Fault { message, ..Fault::default() }))
    }

    /// The state with this number was expanded (or left open, which counts as whole), and its steps follow.
    pub(crate) fn leave(&mut self, number: u64, is_accepting: bool, is_whole: bool) -> Source {
        let mut standing = Standing::default();
        if let Some(known) = self.table.get_mut(number) {
            (known.is_expanded, known.is_whole) = (true, is_whole);
            standing = known.standing;
            if known.is_past {
                self.table.forget(number);
            }
        }
        Source { number, standing, is_accepting, is_whole, leads_on: is_whole }
    }

    /// A step leads from a state to the one that is mentioned, which was compared.
    #[inline]
    pub(crate) fn step(&mut self, source: &mut Source, mention: &Mention) -> Result<(), Deviation> {
        let to = mention.number;
        if !self.is_used {
            source.leads_on |= to > source.number;
            return Ok(());
        }
        if mention.target == Target::New {
            self.number(mention.standing)?;
        }
        let Some(known) = self.table.get_mut(to) else { return Err(Deviation::Forgotten { number: to }) };
        let Known { standing, is_whole, is_expanded, .. } = *known;
        known.is_past |= mention.is_last;
        if known.is_past && is_expanded {
            self.table.forget(to);
        }
        let (own, other) = (source.standing, standing);
        if self.is_cyclic && (other.rank > own.rank || source.is_accepting && other.rank == own.rank) {
            let is_accepting = source.is_accepting;
            return Err(Deviation::Rank { number: to, from: own.rank, to: other.rank, is_accepting });
        }
        let leads_on = other.detour < own.detour
            || (other.detour == own.detour && to > source.number)
            || self.is_cyclic && is_whole;
        if self.is_cyclic && !source.is_whole && !leads_on {
            return Err(Deviation::Cycling { number: to });
        }
        source.leads_on |= leads_on;
        Ok(())
    }

    /// Drops what is not needed any more. Called now and then.
    pub(crate) fn trim(&mut self) {
        self.table.trim();
    }

    /// All steps of a state were compared.
    pub(crate) fn close(source: &Source) -> Result<(), Deviation> {
        if source.leads_on { Ok(()) } else { Err(Deviation::Ignoring) }
    }
}
