//! A search for cycles through accepting states by strongly connected components, by one worker.
//!
//! Depth first, as `dfs`, in the same order and with the same counts, each state expanded once. The algorithm is the one that goes back to E. W. Dijkstra and
//! H. N. Gabow ("Path-based depth-first search for strong and biconnected components", 2000), used for this purpose by J.-M. Couvreur
//! ("On-the-fly verification of linear temporal logic", FM 1999). A state is *active* from when it is opened until the
//! component that it belongs to is complete. The active states, in the order in which they were opened, fall into components that the edges seen so far
//! connect: each begins with its *root*, and the next one begins where it ends. An edge to an active state connects all components from
//! that state's on; if an accepting state is in what becomes of them, there is a cycle through it, and the search ends as soon as the edges for it are there.
//! When a root is left its component is complete, and what is complete is never looked at again.
//!
//! Why it is right. The roots are on the stack in order, each leads to the next, and every active state leads to the root after which it comes; so the edge
//! from the top of the stack to an active state closes a cycle through all the roots that it passes. Conversely every cycle lies in one component, whose
//! states are connected by edges that have all been seen when its root is left; by then they are one, and that was noticed when the last of them
//! came together.
//!
//! Compared with `ndfs` it needs four bytes a state instead of one, no second search, and sees a cycle no later.
//! It does not need to know whether acceptance is weak.
//!
//! With [`Config::reduce`] it is as in `ndfs`: a state is expanded as a whole if a reduced successor is on the stack and is not whole itself, so every cycle has a
//! state that is.
//!
//! After an accepting cycle was found, a search that goes on after errors looks for no other.

use crate::charge::Charge;
use crate::control::{Control, Counts, Reason, Stop};
use crate::dfs::dfs;
use crate::lasso::{Seeker, Way, acceptance_cycle, found};
use crate::ledger::{Entries, Ledger};
use crate::observer::{At, Expanded, Steps, ended, insert_again};
use crate::outcome::{Remains, finish};
use crate::subject::Subject;
use crate::{Config, Observer, Outcome};
use allways_model::{Acceptance, Batch, Cursor, Halt, Model, Violation};
use allways_store::marks::{Bits, Flags, Numbers};
use allways_store::{Budget, Recall, Seen, StateRef, Writer};

/// The number of a state whose component is complete. That of an active one is its place among the active ones, from one on.
const COMPLETE: u32 = u32::MAX;

/// The state is on the stack; kept only if steps are left out.
const ON_STACK: u8 = 1;
/// The state is expanded as a whole.
const WHOLE: u8 = 2;

/// Visits all states of `model`, deepest first, and finds a cycle through an accepting state if there is one. There is one
/// worker, whatever the configuration says, unless there are no accepting states: then it is [`dfs`](crate::dfs()).
pub fn scc<S: Recall, O: Observer>(
    model: &dyn Model,
    store: &S,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    if model.acceptance() == Acceptance::Nowhere {
        return dfs(model, store, observer, config);
    }
    let config = &Config { workers: 1, ..*config };
    let subject = Subject::new(model, config.lessons);
    let control = Control::new(config, store.budget());
    let ledger = Ledger::new(config.all_errors, config.max_findings);
    let (all_errors, reduce) = (config.all_errors, config.reduce);
    let max_depth = config.limits.depth.unwrap_or(u64::MAX);
    let mut results = control.run(config, |_| {
        let mut search = Scc {
            store,
            observer,
            control: &control,
            ledger: &ledger,
            all_errors,
            reduce,
            max_depth,
            hunting: true,
            cursor: subject.cursor(),
            writer: store.writer(),
            batch: Batch::new(),
            seen: Vec::new(),
            numbers: Numbers::new(store.budget()),
            flags: Flags::new(store.budget()),
            active: Vec::new(),
            roots: Vec::new(),
            frames: Vec::new(),
            pending: Vec::new(),
            violations: Vec::new(),
            counts: Counts::default(),
            charge: Charge::new(store.budget()),
            cut: false,
        };
        // Whatever the reason to stop, the control knows it.
        let (Ok(()) | Err(Stop)) = search.run();
        (Remains::new(search.counts, &*search.cursor), search.cut)
    });
    let (remains, cut) = results.pop().expect("there is one worker");
    let entries = ledger.into_entries();
    let way = |spot: Spot| spot.way(subject, store);
    let entries = Entries {
        findings: entries.findings.into_iter().map(|(v, spot, len)| (v, way(spot), len)).collect(),
        fault: entries.fault.map(|(fault, spot)| (fault, spot.map(way))),
        lesson: entries.lesson,
        n_errors: entries.n_errors,
    };
    let found = found(subject, store, entries, cut);
    ended(observer, finish(&control, store, &[remains], found))
}

/// Where a violation was met.
struct Spot {
    /// The stack; if there is a cycle, up to the root of its component.
    stack: Vec<StateRef>,
    /// An accepting state, and the states of its component so far, the root first.
    cycle: Option<(StateRef, Vec<StateRef>)>,
}

impl Spot {
    fn way<S: Recall>(self, subject: Subject<'_>, store: &S) -> Way {
        let Some((accepting, component)) = self.cycle else { return Way::straight(self.stack) };
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
        Way::closed(states)
    }
}

/// A component of the active states.
struct Root {
    /// The number of its first state.
    number: u32,
    /// An accepting state in it.
    accepting: Option<StateRef>,
}

/// A state on the stack.
struct Frame {
    state: StateRef,
    /// How many entries of `pending` are its own.
    n_pending: u32,
    /// How many of its successors, after the last that is pending, were open when it was expanded.
    n_matched: u32,
}

/// What the search will come to, when everything above it on the stack is done.
struct Pending {
    /// A successor; none for a violation during the step, the last of `violations`.
    state: Option<StateRef>,
    /// How many successors before it, and after the one pending before, were open when the state was expanded.
    n_matched: u32,
}

struct Scc<'a, S: Recall + 'a, O> {
    store: &'a S,
    observer: &'a O,
    control: &'a Control,
    ledger: &'a Ledger<Spot>,
    all_errors: bool,
    reduce: bool,
    max_depth: u64,
    /// Whether no cycle was found yet.
    hunting: bool,
    cursor: Box<dyn Cursor + 'a>,
    writer: S::Writer<'a>,
    batch: Batch,
    seen: Vec<Seen>,
    numbers: Numbers,
    flags: Flags,
    active: Vec<StateRef>,
    roots: Vec<Root>,
    frames: Vec<Frame>,
    pending: Vec<Pending>,
    violations: Vec<Violation>,
    counts: Counts,
    charge: Charge,
    /// Whether a path was cut off at the depth limit.
    cut: bool,
}

impl<S: Recall, O: Observer> Scc<'_, S, O> {
    fn run(&mut self) -> Result<(), Stop> {
        let mut next = Some(self.begin()?);
        while let Some(state) = next {
            self.enter(state)?;
            next = self.advance()?;
        }
        Ok(())
    }

    /// Stores the initial state.
    fn begin(&mut self) -> Result<StateRef, Stop> {
        if let Err(halt) = self.cursor.initial(&mut self.batch) {
            return Err(self.control.stop(self.ledger.note_halt(halt, || None)));
        }
        let stored = self.writer.insert(&mut self.batch, &mut self.seen);
        self.control.afford(stored)?;
        let initial = self.seen.first().expect("a model has an initial state").state;
        self.control.check_states(0, 0, 1)?;
        self.counts.states = 1;
        if let Some(violation) = self.batch.violations().first().filter(|_| !self.all_errors) {
            return Err(self.end_with(violation));
        }
        self.meet_violations()?;
        Ok(initial)
    }

    /// Puts a new state on the stack, as a component of its own, with everything that can happen in it.
    fn enter(&mut self, state: StateRef) -> Result<(), Stop> {
        if self.control.stopped() {
            return Err(Stop);
        }
        let depth = self.frames.len() as u64;
        self.counts.depth = self.counts.depth.max(depth);
        self.counts.frontier = depth + 1;
        self.control.publish(0, &self.counts);
        if let Some(Pending { state: Some(next), .. }) = self.pending.last() {
            self.store.prefetch(*next);
        }
        self.batch.clear();
        let vector = self.writer.open(state, 0);
        self.control.heed(self.observer.state(state, vector))?;
        self.frames.push(Frame { state, n_pending: 0, n_matched: 0 });
        self.cursor.load(vector);
        let accepting = (self.hunting && self.cursor.accepting()).then_some(state);
        self.active.push(state);
        let number = self.active.len() as u32;
        self.roots.push(Root { number, accepting });
        self.control.afford(self.numbers.set(state, number))?;
        let reduced = self.reduce && depth < self.max_depth;
        let mut how = Expanded::Whole;
        let halt = if reduced {
            let (expanded, halt) = self.expand_enough(state)?;
            how = expanded;
            halt
        } else {
            self.cursor.expand(&mut self.batch).err()
        };
        if !self.batch.violations().is_empty() {
            self.meet_violations()?;
        }
        if let Some(halt) = halt {
            return Err(self.fail(halt));
        }
        if !reduced {
            if depth >= self.max_depth && !self.batch.is_empty() {
                self.cut = true;
                how = Expanded::Cut;
                self.batch.truncate(0);
            }
            let stored = self.writer.insert(&mut self.batch, &mut self.seen);
            self.control.afford(stored)?;
        }
        self.schedule(how)?;
        self.charge_stacks()
    }

    /// Expands a state, as a whole if a step leads to a state on the stack that is not expanded as a whole, and stores what that
    /// gives.
    fn expand_enough(&mut self, state: StateRef) -> Result<(Expanded, Option<Halt>), Stop> {
        self.seen.clear();
        let set = self.flags.set_mut(state, ON_STACK);
        self.control.afford(set)?;
        loop {
            let (complete, halt) = match self.cursor.expand_some(&mut self.batch) {
                Ok(complete) => (complete, None),
                Err(halt) => (true, Some(halt)),
            };
            let stored = if self.observer.watches() {
                insert_again(&mut self.writer, &mut self.batch, &mut self.seen)
            } else {
                self.writer.insert(&mut self.batch, &mut self.seen)
            };
            self.control.afford(stored)?;
            if complete {
                let set = self.flags.set_mut(state, ON_STACK | WHOLE);
                self.control.afford(set)?;
                return Ok((Expanded::Whole, halt));
            }
            let closes = |seen: &Seen| self.flags.get(seen.state) == ON_STACK;
            if !self.seen.is_empty() && !self.seen.iter().any(closes) {
                return Ok((Expanded::Part, None));
            }
            self.writer.open(state, 0);
        }
    }

    /// Puts on the stack what is to be done for the state on its top, first things last.
    #[inline]
    fn schedule(&mut self, how: Expanded) -> Result<(), Stop> {
        let frame = self.frames.last_mut().expect("a state was just entered");
        let base = self.pending.len();
        let mut n_successors = self.seen.len();
        if !self.all_errors
            && let Some(violation) = self.batch.violations().first()
        {
            // The search will end there, and not get to what comes after.
            let key = violation.key.expect("a violation of the state itself has ended the search");
            n_successors = self.batch.entries().partition_point(|entry| entry.key < key);
            self.pending.push(Pending { state: None, n_matched: 0 });
            self.violations.push(violation.clone());
        }
        if self.observer.watches() {
            let how = if n_successors < self.seen.len() { Expanded::Cut } else { how };
            let steps = Steps::new(&self.batch, &self.seen, 0..n_successors, self.batch.n_known());
            self.control.heed(self.observer.steps(frame.state, &steps, how))?;
        }
        let mut n_matched = 0;
        // The active successor that is most in front.
        let mut foremost = COMPLETE;
        for idx in (0..n_successors).rev() {
            let Seen { state, new } = self.seen[idx];
            let number = if new { 0 } else { self.numbers.get(state) };
            if number == 0 {
                *count_before(&mut self.pending[base..], frame) = n_matched;
                n_matched = 0;
                self.pending.push(Pending { state: Some(state), n_matched: 0 });
            } else {
                n_matched += 1;
                foremost = foremost.min(number);
            }
        }
        *count_before(&mut self.pending[base..], frame) = n_matched;
        frame.n_pending = (self.pending.len() - base) as u32;
        if foremost == COMPLETE { Ok(()) } else { self.connect(foremost) }
    }

    /// The top of the stack leads to the active state of this number: all components from that one's on are one.
    #[inline]
    fn connect(&mut self, number: u32) -> Result<(), Stop> {
        let last = self.roots.len() - 1;
        let first = self.roots[..=last].iter().rposition(|root| root.number <= number);
        let first = first.expect("an active state is in a component");
        let accepting = self.roots[first..].iter().find_map(|root| root.accepting);
        self.roots.truncate(first + 1);
        self.roots[first].accepting = accepting;
        match accepting {
            Some(state) if self.hunting => self.report_cycle(state),
            _ => Ok(()),
        }
    }

    /// Goes on to the next state that is to be opened; none if the search is exhausted.
    #[inline]
    fn advance(&mut self) -> Result<Option<StateRef>, Stop> {
        while let Some(frame) = self.frames.last_mut() {
            if frame.n_pending == 0 {
                self.counts.matched += u64::from(frame.n_matched);
                self.leave()?;
                continue;
            }
            frame.n_pending -= 1;
            let Pending { state, n_matched } = self.pending.pop().expect("frames count their entries");
            self.counts.matched += u64::from(n_matched);
            let Some(state) = state else {
                let violation = self.violations.pop().expect("it was put here with its entry");
                return Err(self.end_with(&violation));
            };
            match self.numbers.get(state) {
                0 => {
                    self.control.check_states(0, self.counts.states, 1)?;
                    self.counts.states += 1;
                    return Ok(Some(state));
                }
                COMPLETE => self.counts.matched += 1,
                number => {
                    self.counts.matched += 1;
                    self.connect(number)?;
                }
            }
        }
        Ok(None)
    }

    /// Takes the state on top of the stack away; if it is a root its component is complete.
    #[inline]
    fn leave(&mut self) -> Result<(), Stop> {
        let state = self.frames.pop().expect("a state is left once").state;
        self.control.heed(self.observer.close(state))?;
        if self.reduce {
            self.flags.remove(state, ON_STACK);
        }
        let number = self.numbers.get(state);
        if self.roots.last().is_some_and(|root| root.number == number) {
            self.roots.pop();
            for member in self.active.drain(number as usize - 1..) {
                self.control.afford(self.numbers.set(member, COMPLETE))?;
            }
        }
        Ok(())
    }

    /// There is a cycle through `accepting`, in the last component.
    #[cold]
    fn report_cycle(&mut self, accepting: StateRef) -> Result<(), Stop> {
        let root = self.roots.last().expect("there is a component");
        let component = &self.active[root.number as usize - 1..];
        let stack = self.way();
        let depth = stack.iter().position(|&state| state == component[0]).expect("a root is on the stack");
        let violation = acceptance_cycle();
        self.observer.violation(At::Stored(accepting), &violation);
        self.ledger.note(&violation, stack.len() as u64, || Spot {
            stack: stack[..=depth].to_vec(),
            cycle: Some((accepting, component.to_vec())),
        });
        self.hunting = false;
        if self.all_errors { Ok(()) } else { Err(self.control.stop(Reason::Violation)) }
    }

    /// Notes the violations in the batch, if the search goes on after errors; else ends it, unless they happen
    /// during steps that the search has yet to come to.
    #[cold]
    fn meet_violations(&mut self) -> Result<(), Stop> {
        if self.all_errors {
            for violation in self.batch.violations() {
                self.note(violation);
            }
            return Ok(());
        }
        match self.batch.violations().iter().find(|violation| self.reduce || violation.key.is_none()) {
            Some(violation) => Err(self.end_with(violation)),
            None => Ok(()),
        }
    }

    #[cold]
    fn end_with(&self, violation: &Violation) -> Stop {
        self.note(violation);
        self.control.stop(Reason::Violation)
    }

    #[cold]
    fn fail(&self, halt: Halt) -> Stop {
        self.control.stop(self.ledger.note_halt(halt, || Some(Spot { stack: self.way(), cycle: None })))
    }

    fn note(&self, violation: &Violation) {
        // Before there is a stack there is the initial state.
        let at = self.frames.last().map_or_else(|| self.seen[0].state, |frame| frame.state);
        self.observer.violation(At::Stored(at), violation);
        let length = self.frames.len() as u64;
        self.ledger.note(violation, length, || Spot { stack: self.way(), cycle: None });
    }

    /// The states on the stack.
    fn way(&self) -> Vec<StateRef> {
        self.frames.iter().map(|frame| frame.state).collect()
    }

    /// Charges the budget for the stacks, which have grown or have not.
    #[inline]
    fn charge_stacks(&mut self) -> Result<(), Stop> {
        let bytes = self.frames.capacity() * size_of::<Frame>()
            + self.pending.capacity() * size_of::<Pending>()
            + self.active.capacity() * size_of::<StateRef>()
            + self.roots.capacity() * size_of::<Root>();
        self.control.afford(self.charge.cover(bytes as u64))
    }
}

/// Where the number of matched successors belongs that come before what was put on the stack last.
#[inline]
fn count_before<'a>(pending: &'a mut [Pending], frame: &'a mut Frame) -> &'a mut u32 {
    match pending.last_mut() {
        Some(later) => &mut later.n_matched,
        None => &mut frame.n_matched,
    }
}
