//! Finds cycles through accepting states by strongly connected components, with one worker.
//!
//! The search is depth first, in the same order and with the same counts as `dfs`, and expands each state
//! once. The algorithm goes back to E. W. Dijkstra and H. N. Gabow ("Path-based depth-first search for strong
//! and biconnected components", 2000), used for this purpose by J.-M. Couvreur ("On-the-fly verification of
//! linear temporal logic", FM 1999). A state is *active* from the time when it is opened until its component
//! is complete. The active states, in the order in which they were opened, are partitioned into components
//! that are strongly connected by the edges seen so far. Each component is a contiguous range that begins
//! with its *root*. An edge to an active state merges all components from that state's on. If the merged
//! component contains an accepting state, there is a cycle through it, so the search ends as soon as it has
//! seen the edges of a cycle. When the search leaves a root, its component is complete, and the states of
//! complete components are ignored from then on.
//!
//! Correctness. The roots are on the stack in order, and each leads to the next; every active state leads to
//! the root of its component. So an edge from the top of the stack to an active state closes a cycle through
//! the roots of all components from that state's on, and merging them is right. Conversely, every cycle lies
//! within one strongly connected component of the graph. All edges of that component have been seen when its
//! root is left, so its states have been merged into one component by then, and the accepting state was
//! noticed at the last merge.
//!
//! Compared with `ndfs` it needs four bytes for each state instead of one but no second search, and it sees a
//! cycle no later. It does not depend on whether acceptance is weak.
//!
//! With [`Config::reduce`], the proviso is that of `ndfs`: a state is expanded as a whole if one of its
//! reduced successors is on the stack and is not expanded as a whole itself. So every cycle of the reduced
//! graph has a state that is expanded as a whole.
//!
//! After it has found an accepting cycle, a search that continues after errors does not search for another
//! one.

use crate::control::Stop;
use crate::depth_first::{DepthFirst, DepthFirstResult, SearchOrder, depth_first};
use crate::dfs::dfs;
use crate::lasso::{Seeker, StatePath, found};
use crate::observer::ended;
use crate::outcome::finish;
use crate::subject::Subject;
use crate::{Config, Observer, Outcome};
use allways_model::{Acceptance, Cursor, Model};
use allways_store::marks::{Bits, Flags, Numbers};
use allways_store::{Budget, Full, Recall, Seen, StateRef};

/// The number of a state whose component is complete. The number of an active state is its position among the
/// active states, counted from one.
const COMPLETE: u32 = u32::MAX;

/// The state is on the stack. Recorded only if steps may be omitted.
const ON_STACK: u8 = 1;
/// The state is expanded as a whole.
const WHOLE: u8 = 2;

/// Visits all states of `model` depth first, and finds a cycle through an accepting state if there is one.
/// Runs with one worker, whatever the configuration says. If the model has no accepting states, it runs
/// [`dfs`](crate::dfs()) instead.
pub fn scc<S: Recall, O: Observer>(
    model: &dyn Model,
    store: &S,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    if model.acceptance() == Acceptance::Nowhere {
        return dfs(model, store, observer, config);
    }
    let order = || Components {
        hunting: true,
        numbers: Numbers::new(store.budget()),
        flags: Flags::new(store.budget()),
        active: Vec::new(),
        roots: Vec::new(),
        foremost: COMPLETE,
    };
    let DepthFirstResult { control, entries, worker_result, cut, .. } =
        depth_first(model, store, observer, config, order);
    let subject = Subject::new(model, config.lessons);
    let entries = entries.map(|trace: SccTrace| trace.way(subject, store));
    ended(observer, finish(&control, store, &[worker_result], found(subject, store, entries, cut)))
}

/// The states from which the path to a violation is computed.
struct SccTrace {
    /// The stack; for a cycle, up to the root of its component.
    stack: Vec<StateRef>,
    /// For a cycle: an accepting state, and the states of its component so far, the root first.
    cycle: Option<(StateRef, Vec<StateRef>)>,
}

impl SccTrace {
    fn way<S: Recall>(self, subject: Subject<'_>, store: &S) -> StatePath {
        let Some((accepting, component)) = self.cycle else { return StatePath::straight(self.stack) };
        let members = Bits::new(&Budget::new(None));
        for &state in &component {
            members.insert(state).expect("there is no limit");
        }
        let mut states = self.stack;
        let mut seeker = Seeker::new(subject, store);
        let mut go_on = |from| {
            let way = seeker.seek(from, |state| members.contains(state), |state| state == accepting);
            let way = way.ok().flatten().expect("the states of a component lead to each other");
            states.extend_from_slice(&way[1..]);
        };
        if component[0] != accepting {
            go_on(component[0]);
        }
        go_on(accepting);
        StatePath::closed(states)
    }
}

/// A component of active states.
struct Root {
    /// The number of its first state.
    number: u32,
    /// An accepting state in it, if there is one.
    accepting: Option<StateRef>,
}

/// The active states and their components.
struct Components {
    /// Whether the search for a cycle continues, because none has been found yet.
    hunting: bool,
    numbers: Numbers,
    flags: Flags,
    active: Vec<StateRef>,
    roots: Vec<Root>,
    /// The lowest number among the active states met since the last `act`.
    foremost: u32,
}

impl SearchOrder for Components {
    type Mark = ();
    type Trace = SccTrace;
    const SLEEPS: bool = false;

    fn trace(stack: Vec<StateRef>) -> SccTrace {
        SccTrace { stack, cycle: None }
    }

    /// Opens a state as a component by itself.
    #[inline]
    fn open(&mut self, state: StateRef, cursor: &mut dyn Cursor, reduced: bool) -> Result<(), Full> {
        let accepting = (self.hunting && cursor.accepting()).then_some(state);
        self.active.push(state);
        let number = self.active.len() as u32;
        self.roots.push(Root { number, accepting });
        self.numbers.set(state, number)?;
        if reduced {
            self.flags.set_mut(state, ON_STACK)?;
        }
        Ok(())
    }

    #[inline]
    fn meets(&mut self, (): &mut (), state: StateRef) -> bool {
        let number = self.numbers.get(state);
        if number == 0 {
            return false;
        }
        self.foremost = self.foremost.min(number);
        true
    }

    /// A state is expanded as a whole if a step leads to a state on the stack that is not expanded as a
    /// whole.
    fn suffices(&mut self, state: StateRef, seen: &[Seen], complete: bool) -> Result<bool, Full> {
        if complete {
            self.flags.set_mut(state, ON_STACK | WHOLE)?;
            return Ok(true);
        }
        let closes = |seen: &Seen| self.flags.get(seen.state) == ON_STACK;
        Ok(!seen.is_empty() && !seen.iter().any(closes))
    }

    fn bytes(&self) -> usize {
        self.active.capacity() * size_of::<StateRef>() + self.roots.capacity() * size_of::<Root>()
    }

    #[inline]
    fn act<S: Recall, O: Observer>(search: &mut DepthFirst<'_, S, O, Self>) -> Result<(), Stop> {
        let foremost = std::mem::replace(&mut search.order.foremost, COMPLETE);
        if foremost == COMPLETE {
            return Ok(());
        }
        match search.order.connect(foremost).filter(|_| search.order.hunting) {
            Some(state) => search.report_cycle(state),
            None => Ok(()),
        }
    }

    /// Completes the component of the top of the stack if the top is its root.
    #[inline]
    fn leave<S: Recall, O: Observer>(
        search: &mut DepthFirst<'_, S, O, Self>,
        state: StateRef,
    ) -> Result<(), Stop> {
        let order = &mut search.order;
        if search.reduce {
            order.flags.remove(state, ON_STACK);
        }
        let number = order.numbers.get(state);
        if order.roots.last().is_some_and(|root| root.number == number) {
            order.roots.pop();
            for member in order.active.drain(number as usize - 1..) {
                search.control.afford(order.numbers.set(member, COMPLETE))?;
            }
        }
        Ok(())
    }
}

impl Components {
    /// Merges all components from that of the active state `number` on, because the top of the stack leads to
    /// this state. Returns an accepting state in the merged component, if there is one.
    #[inline]
    fn connect(&mut self, number: u32) -> Option<StateRef> {
        let first = self.roots.iter().rposition(|root| root.number <= number);
        let first = first.expect("an active state is in a component");
        let accepting = self.roots[first..].iter().find_map(|root| root.accepting);
        self.roots.truncate(first + 1);
        self.roots[first].accepting = accepting;
        accepting
    }
}

impl<S: Recall, O: Observer> DepthFirst<'_, S, O, Components> {
    /// Reports a cycle through `accepting`, a state of the last component.
    #[cold]
    fn report_cycle(&mut self, accepting: StateRef) -> Result<(), Stop> {
        let root = self.order.roots.last().expect("there is a component");
        let component = self.order.active[root.number as usize - 1..].to_vec();
        let mut stack = self.way();
        let length = stack.len() as u64;
        let depth = stack.iter().position(|&state| state == component[0]).expect("a root is on the stack");
        stack.truncate(depth + 1);
        self.order.hunting = false;
        self.note_cycle(accepting, length, SccTrace { stack, cycle: Some((accepting, component)) })
    }
}
