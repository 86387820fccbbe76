//! Infinite runs as *lassos*: a path to a state, and a cycle from there back to it.
//!
//! Searches keep states, so a lasso is first a list of states ([`StatePath`]); `trail` finds its steps.
//! [`shorten`] searches for a shorter lasso, because a search for cycles reports the first one that it finds.

use crate::charge::Charge;
use crate::ledger::Entries;
use crate::outcome::SearchFindings;
use crate::subject::Subject;
use crate::{Finding, Limits, trail};
use allways_model::{Batch, Cursor, Model, Rule, Violation, ViolationKind};
use allways_store::marks::{Bits, Links};
use allways_store::{Budget, Exact, Full, Recall, Seen, StateRef, Writer};

/// The states from the initial one to a violation.
pub(crate) struct StatePath {
    /// The states in order. For a lasso, the last one repeats the state in which the cycle begins.
    pub(crate) states: Vec<StateRef>,
    /// For a lasso: the number of steps before the cycle.
    pub(crate) cycle: Option<usize>,
}

impl StatePath {
    /// A finite path.
    pub(crate) fn straight(states: Vec<StateRef>) -> Self {
        Self { states, cycle: None }
    }

    /// A lasso: a path whose last state occurs in it before, where the cycle begins.
    ///
    /// # Panics
    /// If the last state does not occur before.
    pub(crate) fn closed(states: Vec<StateRef>) -> Self {
        let (last, before) = states.split_last().expect("a lasso has a state");
        let cycle = before.iter().position(|state| state == last);
        Self { cycle: Some(cycle.expect("the cycle is closed")), states }
    }
}

/// The rule "no infinite run visits accepting states infinitely often".
static ACCEPTANCE_CYCLE: Rule =
    Rule::new(ViolationKind::AcceptanceCycle, "acceptance-cycle", "acceptance cycle");

/// The violation that a lasso through an accepting state is.
pub(crate) fn acceptance_cycle() -> Violation {
    Violation::new(&ACCEPTANCE_CYCLE)
}

/// The findings of a search, with the steps of their paths.
pub(crate) fn found<S: Recall>(
    subject: Subject<'_>,
    store: &S,
    entries: Entries<StatePath>,
    cut: bool,
) -> SearchFindings {
    let path = |way: &[StateRef], last| trail::path_along(subject, store, way, last);
    let findings = entries.findings.into_iter().map(|(violation, way, _)| {
        let path = path(&way.states, violation.key);
        Finding { violation, path, cycle: way.cycle }
    });
    SearchFindings {
        findings: findings.collect(),
        n_errors: entries.n_errors,
        fault: entries.fault.map(|(fault, way)| (fault, path(&way.map_or(Vec::new(), |w| w.states), None))),
        lesson: entries.lesson,
        cut,
    }
}

/// Searches for states breadth first, within a set of states of a store. States are expanded as a whole.
pub(crate) struct Seeker<'a, S: Recall + 'a> {
    store: &'a S,
    budget: Budget,
    cursor: Box<dyn Cursor + 'a>,
    writer: S::Writer<'a>,
    batch: Batch,
    seen: Vec<Seen>,
    max_states: u64,
}

impl<'a, S: Recall> Seeker<'a, S> {
    /// A search without limits.
    pub(crate) fn new(subject: Subject<'a>, store: &'a S) -> Self {
        Self::within(subject, store, &Budget::new(None), None)
    }

    fn within(subject: Subject<'a>, store: &'a S, budget: &Budget, max_states: Option<u64>) -> Self {
        Self {
            store,
            budget: budget.clone(),
            cursor: subject.cursor(),
            writer: store.writer(),
            batch: Batch::new(),
            seen: Vec::new(),
            max_states: max_states.unwrap_or(u64::MAX),
        }
    }

    /// Stores a vector.
    fn intern(&mut self, vector: &[u8]) -> Result<StateRef, Full> {
        self.batch.clear();
        self.batch.push(allways_model::StepKey(0), vector);
        self.writer.insert(&mut self.batch, &mut self.seen)?;
        Ok(self.seen[0].state)
    }

    /// Whether a state is accepting.
    pub(crate) fn accepts(&mut self, state: StateRef) -> bool {
        let mut buffer = Vec::new();
        self.cursor.load(self.store.fetch(state, &mut buffer));
        self.cursor.accepting()
    }

    /// A shortest path of at least one step from `from` to a state for which `goal` holds. All states but the
    /// first must satisfy `inside`. The result includes both ends; `None` if there is no such path.
    ///
    /// # Errors
    /// [`Full`] if the limit on memory or states was reached before the search was complete.
    pub(crate) fn seek(
        &mut self,
        from: StateRef,
        inside: impl Fn(StateRef) -> bool,
        goal: impl Fn(StateRef) -> bool,
    ) -> Result<Option<Vec<StateRef>>, Full> {
        let budget = &self.budget;
        let (parents, known) = (Links::new(budget), Bits::new(budget));
        let mut charged = Charge::new(budget);
        let (mut level, mut next) = (vec![from], Vec::new());
        let mut n_states = 0;
        while !level.is_empty() {
            for &state in &level {
                self.batch.clear();
                self.cursor.load(self.writer.open(state, 0));
                // A fault has been reported before, or does not concern the path.
                let _ = self.cursor.expand(&mut self.batch);
                self.writer.insert(&mut self.batch, &mut self.seen)?;
                for seen in &self.seen {
                    let to = seen.state;
                    if !inside(to) {
                        continue;
                    }
                    if goal(to) {
                        let mut way = way_between(&parents, from, state);
                        way.push(to);
                        return Ok(Some(way));
                    }
                    if to != from && known.insert(to)? {
                        parents.set(to, state)?;
                        next.push(to);
                        n_states += 1;
                    }
                }
                if n_states > self.max_states {
                    return Err(Full);
                }
            }
            charged.cover(((level.capacity() + next.capacity()) * size_of::<StateRef>()) as u64)?;
            std::mem::swap(&mut level, &mut next);
            next.clear();
        }
        Ok(None)
    }
}

/// The states from `from` to `to` along `parents`.
fn way_between(parents: &Links, from: StateRef, to: StateRef) -> Vec<StateRef> {
    let mut way = vec![to];
    while *way.last().expect("there is one") != from {
        way.push(parents.get(way[way.len() - 1]).expect("it was reached from there"));
    }
    way.reverse();
    way
}

/// The number of accepting states of a lasso through which a shortest cycle is computed.
const MAX_TRIED: usize = 16;

/// Searches for a shorter lasso than that of `finding`: a shortest cycle through one of its accepting states,
/// and a shortest path to that cycle. Each of the searches may use `memory` and `states` of `limits`. If they
/// do not suffice, or no lasso is shorter, the result is the finding unchanged. Pass a model that was refined
/// as [`Refined`](allways_model::Refined).
#[must_use]
pub fn shorten(model: &dyn Model, finding: &Finding, limits: &Limits) -> Finding {
    match finding.cycle.map(|cycle| shorter(model, finding, cycle, limits)) {
        Some(Ok(Some(shorter))) => shorter,
        _ => finding.clone(),
    }
}

fn shorter(
    model: &dyn Model,
    finding: &Finding,
    cycle: usize,
    limits: &Limits,
) -> Result<Option<Finding>, Full> {
    let budget = Budget::new(limits.memory);
    let store = Exact::new(&budget, 1);
    let mut seeker = Seeker::within(Subject::plain(model), &store, &budget, limits.states);
    let mut states = Vec::new();
    let mut kept = Ok(());
    let followed = crate::walk(model, &finding.path, &mut |vector| match seeker.intern(vector) {
        Ok(state) => states.push(state),
        Err(Full) => kept = Err(Full),
    });
    kept?;
    if followed.is_err() || states.len() <= cycle {
        return Ok(None);
    }
    let mut round = states[cycle..].to_vec();
    let accepting: Vec<_> = round[1..].iter().copied().filter(|&state| seeker.accepts(state)).collect();
    for &state in accepting.iter().take(MAX_TRIED) {
        if let Some(other) = seeker.seek(state, |_| true, |to| to == state)?
            && other.len() < round.len()
        {
            round = other;
        }
    }
    // The cycle begins at the state that is nearest to the initial one.
    let on_cycle = Bits::new(&budget);
    round.iter().try_for_each(|&state| on_cycle.insert(state).map(|_| ()))?;
    let initial = states[0];
    let mut way = match on_cycle.contains(initial) {
        true => vec![initial],
        false => match seeker.seek(initial, |_| true, |state| on_cycle.contains(state))? {
            Some(way) => way,
            None => return Ok(None),
        },
    };
    let entry = *way.last().expect("a way has an end");
    let start = round.iter().position(|&state| state == entry).expect("the way leads to the cycle");
    let cycle = way.len() - 1;
    // The last state of the cycle is its first.
    way.extend_from_slice(&round[start + 1..]);
    way.extend_from_slice(&round[1..=start]);
    if way.len() >= states.len() {
        return Ok(None);
    }
    let path = trail::path_along(Subject::plain(model), &store, &way, None);
    Ok(Some(Finding { violation: finding.violation.clone(), path, cycle: Some(cycle) }))
}
