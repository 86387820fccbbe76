//! From an edge log to a script: states are numbered breadth first.
//!
//! The order in which a search went through the graph is gone after that, so the script is the same whatever
//! search saw it, as long as it saw the same graph. The memory is eight bytes a state: at first where its
//! record is, and from when it has a number on that number. Where the records of states are that have numbers
//! and wait to be expanded is in a queue, which goes to the disk. Ranks take eight bytes more, and a path.

use super::blocks::{Blocks, Trouble};
use super::log::{Edges, Queue, Record};
use allways_model::certificate::script::Target;
use std::collections::HashMap;

/// Where records are, and which numbers states have.
pub(super) struct Index {
    /// By the place of a state in the store: zero; or 2 * the place of its record + 2; or 2 * its number + 1.
    entries: Vec<u64>,
    /// Where more records of a state are, if it has more than one.
    more: HashMap<u32, Vec<u64>>,
}

/// In the queue: a state that was not expanded.
const OPEN: u64 = u64::MAX;

impl Index {
    pub(super) fn of(edges: &mut Edges) -> Result<Self, Trouble> {
        let mut entries = vec![0; edges.greatest as usize + 1];
        let mut more: HashMap<u32, Vec<u64>> = HashMap::new();
        edges.scan(|at, record| {
            let entry = &mut entries[record.source as usize];
            if *entry == 0 {
                *entry = 2 * at + 2;
            } else {
                more.entry(record.source).or_default().push(at);
            }
        })?;
        Ok(Self { entries, more })
    }

    /// Reads everything about a state; `None` if it was not expanded. It has no number yet.
    fn read(&self, edges: &mut Edges, state: u32, record: &mut Record) -> Result<Option<()>, Trouble> {
        match self.entries[state as usize] {
            0 => Ok(None),
            entry => self.read_at(edges, entry / 2 - 1, record).map(Some),
        }
    }

    /// Reads everything about the state whose first record is here.
    fn read_at(&self, edges: &mut Edges, at: u64, record: &mut Record) -> Result<(), Trouble> {
        edges.read(at, record)?;
        let mut rest = Record::default();
        for &at in self.more.get(&record.source).into_iter().flatten() {
            edges.read(at, &mut rest)?;
            record.is_whole = rest.is_whole;
            record.rounds = record.rounds.saturating_add(rest.rounds);
            record.targets.append(&mut rest.targets);
        }
        Ok(())
    }
}

/// Writes the script of a log. `ranks` are those of states by their places, if there are any.
pub(super) fn renumber(
    edges: &mut Edges,
    mut index: Index,
    ranks: Option<&[u32]>,
    blocks: &mut Blocks,
) -> Result<(), Trouble> {
    let (mut queue, mut record, mut targets) = (Queue::default(), Record::default(), Vec::new());
    let mut newest = 1;
    let initial = edges.initial;
    let entry = std::mem::replace(&mut index.entries[initial as usize], 2 * newest + 1);
    queue.push(edges, (entry / 2).wrapping_sub(1))?;
    let rank_of = |state: u32| ranks.map(|ranks| ranks[state as usize]);
    rank_of(initial).into_iter().for_each(|rank| blocks.push_rank(rank));
    while let Some(at) = queue.pop(edges)? {
        if at == OPEN {
            blocks.push_open()?;
            continue;
        }
        index.read_at(edges, at, &mut record)?;
        targets.clear();
        for &target in &record.targets {
            let entry = &mut index.entries[target as usize];
            if *entry % 2 == 1 {
                targets.push(Target::Old(*entry / 2));
            } else {
                newest += 1;
                // A state without a record is open: 0 / 2 - 1.
                let at = (std::mem::replace(entry, 2 * newest + 1) / 2).wrapping_sub(1);
                queue.push(edges, at)?;
                rank_of(target).into_iter().for_each(|rank| blocks.push_rank(rank));
                targets.push(Target::New);
            }
        }
        blocks.push(record.rounds, record.is_whole, &targets)?;
    }
    Ok(())
}

/// A state on the path of [`ranks`].
struct Frame {
    state: u32,
    /// How many of the pending states are its own.
    n_pending: u32,
}

/// Some states that lead to each other, as far as is known.
struct Root {
    /// The first of them, by its place among the active states, from one on.
    number: u32,
    is_accepting: bool,
    has_cycle: bool,
}

/// The number of a state whose component is complete.
const COMPLETE: u32 = u32::MAX;

/// The components of a graph, found depth first as in `allways_search::scc`.
struct Components {
    numbers: Vec<u32>,
    ranks: Vec<u32>,
    active: Vec<u32>,
    roots: Vec<Root>,
    frames: Vec<Frame>,
    pending: Vec<u32>,
}

/// The largest number of accepting states on a path from each state, by the places of states in the store.
///
/// # Errors
/// If there is none, since an accepting state is on a cycle.
pub(super) fn ranks(edges: &mut Edges, index: &Index) -> Result<Vec<u32>, Trouble> {
    let n = index.entries.len();
    let mut all = Components {
        numbers: vec![0; n],
        ranks: vec![0; n],
        active: Vec::new(),
        roots: Vec::new(),
        frames: Vec::new(),
        pending: Vec::new(),
    };
    let mut record = Record::default();
    let mut next = Some(edges.initial);
    while let Some(state) = next {
        record.targets.clear();
        record.is_accepting = false;
        index.read(edges, state, &mut record)?;
        all.enter(state, &record);
        next = all.advance()?;
    }
    Ok(all.ranks)
}

impl Components {
    fn enter(&mut self, state: u32, record: &Record) {
        self.active.push(state);
        let number = self.active.len() as u32;
        self.numbers[state as usize] = number;
        self.roots.push(Root { number, is_accepting: record.is_accepting, has_cycle: false });
        self.frames.push(Frame { state, n_pending: record.targets.len() as u32 });
        self.pending.extend(&record.targets);
    }

    /// Goes on to the next state that is to be entered.
    fn advance(&mut self) -> Result<Option<u32>, Trouble> {
        while let Some(frame) = self.frames.last_mut() {
            let state = frame.state;
            if frame.n_pending == 0 {
                self.frames.pop();
                self.leave(state)?;
                if let Some(before) = self.frames.last() {
                    self.pass_on(before.state, state);
                }
                continue;
            }
            frame.n_pending -= 1;
            let Some(to) = self.pending.pop() else { break };
            match self.numbers[to as usize] {
                0 => return Ok(Some(to)),
                COMPLETE => self.pass_on(state, to),
                number => self.connect(number),
            }
        }
        Ok(None)
    }

    /// A state leads to another, which is complete: its rank is no lower.
    fn pass_on(&mut self, from: u32, to: u32) {
        if self.numbers[to as usize] == COMPLETE {
            let rank = self.ranks[to as usize];
            let own = &mut self.ranks[from as usize];
            *own = rank.max(*own);
        }
    }

    /// The end of the path leads to the active state of this number.
    fn connect(&mut self, number: u32) {
        let mut is_accepting = false;
        while let Some(root) = self.roots.last_mut() {
            if root.number <= number {
                root.is_accepting |= is_accepting;
                root.has_cycle = true;
                return;
            }
            is_accepting |= root.is_accepting;
            self.roots.pop();
        }
    }

    /// If the state is a root its component is complete.
    fn leave(&mut self, state: u32) -> Result<(), Trouble> {
        let number = self.numbers[state as usize];
        let Some(root) = self.roots.pop_if(|root| root.number == number) else { return Ok(()) };
        if root.is_accepting && root.has_cycle {
            return Err(Trouble::Unfinished(
                "there is a cycle through accepting states in what the search saw",
            ));
        }
        let members = self.active.drain(number as usize - 1..);
        let rank = members.as_slice().iter().map(|one| self.ranks[*one as usize]).max().unwrap_or(0);
        for member in members {
            self.numbers[member as usize] = COMPLETE;
            self.ranks[member as usize] = rank + u32::from(root.is_accepting);
        }
        Ok(())
    }
}
