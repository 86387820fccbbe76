//! Shares the work of a certification between tasks that need not talk to each other.
//!
//! The steps to new states make the states a tree. It is cut into *units*: the largest subtrees of at most
//! one eighth of a task's share are a unit each, and what is above them is cut into more of that size. The
//! units are packed into tasks, the largest first, each into the task that has least so far. So no task has
//! more than the mean and one unit (unless a single state has more steps than that). A task expands the
//! states of its units; to come there it takes the steps of the tree from the initial state on (the states on
//! these *paths* are expanded by more than one task).
//!
//! A partial certificate has states that are not expanded. They are in the plan like all others: each belongs
//! to a task, which meets them and does not expand them.
//!
//! A plan follows from the certificate and the number of tasks alone. Every task and the merge make it again,
//! so no table has to be trusted, and the file has none.

use crate::graph::read_state;
use crate::veracity::{Deviation, Error, VeracityError};
use allways_model::certificate::script::{Block, Target};
use allways_model::certificate::{Flaw, Frame, streams};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Units are at most this part of a task.
const UNITS_IN_A_TASK: u64 = 8;

/// What a task has to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// The states that it expands.
    pub n_states: u64,
    /// Their steps; in a tree those to new states.
    pub n_steps: u64,
    /// The states on its way to them, which another task expands too.
    pub n_path: u64,
}

/// Who expands which states.
#[derive(Clone, Debug)]
pub struct Plan {
    /// All states and steps.
    pub n_states: u64,
    /// All steps; in a tree those to new states.
    pub n_steps: u64,
    /// All steps of the script.
    pub(crate) n_all_steps: u64,
    /// The states that the script expands, or says not to expand; the others of a partial certificate come
    /// after them.
    pub(crate) n_read: u64,
    /// The number of units.
    pub n_units: usize,
    /// What the tasks have to do.
    pub loads: Vec<Load>,
    /// For each number from 1 on its task.
    owners: Vec<u16>,
    /// For each number from 2 on the state whose step leads there.
    parents: Vec<u32>,
    /// The states to which there must be a path: the first of each subtree that is a unit, and all above
    /// them.
    roots: Vec<u32>,
}

/// What a task does with a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It expands it, and answers for it.
    Own,
    /// It passes through it.
    Path,
    /// It does not come there.
    Skip,
}

fn malformed(flaw: Flaw) -> Deviation {
    Deviation::Malformed(flaw.to_string())
}

/// The tree of a script: for each number from 2 on its parent, and for each from 1 on how many steps it has.
struct Tree {
    parents: Vec<u32>,
    n_steps: Vec<u32>,
    n_all_steps: u64,
}

impl Tree {
    fn read(
        streams: u16,
        (trustful, is_partial): (bool, bool),
        blocks: impl Iterator<Item = Result<(Frame, Vec<u8>), Error>>,
    ) -> Result<Self, Error> {
        let mut tree = Self { parents: Vec::new(), n_steps: Vec::new(), n_all_steps: 0 };
        let mut mentions = Vec::new();
        for (number, block) in (1..).zip(blocks) {
            let (frame, raw) = block?;
            let wrong = |deviation: Deviation| VeracityError::new(deviation).in_block(number);
            let expected = (tree.n_steps.len() as u64 + 1, tree.parents.len() as u64 + 1);
            let claimed = (frame.first, frame.newest);
            if expected != claimed {
                return Err(wrong(Deviation::Order { expected, claimed }).into());
            }
            let mut block = Block::new(&frame, streams, &raw).map_err(|flaw| wrong(malformed(flaw)))?;
            loop {
                mentions.clear();
                let read = read_state(&mut block, &mut mentions);
                let Some(state) = read.map_err(|(_, flaw)| wrong(malformed(flaw)))? else { break };
                let at = tree.n_steps.len() as u32 + 1;
                if tree.parents.len() as u32 + 1 < at {
                    return Err(wrong(Deviation::NothingPromised).at(u64::from(at)).into());
                }
                let new = mentions.iter().filter(|mention| mention.target == Target::New).count();
                tree.parents.resize(tree.parents.len() + new, at);
                tree.n_all_steps += state.n_steps as u64;
                tree.n_steps.push(if trustful { new } else { state.n_steps } as u32);
                if tree.parents.len() >= u32::MAX as usize {
                    return Err(Error::Unsupported("more than four billion states in tasks".into()));
                }
            }
        }
        match tree.parents.len() + 1 - tree.n_steps.len() {
            0 => Ok(tree),
            _ if is_partial => Ok(tree),
            n => Err(Deviation::OpenPromises { n: n as u64 }.into()),
        }
    }
}

impl Plan {
    /// Shares the states of a script between tasks, for trustful certification or not, where a partial
    /// certificate may leave states that are not expanded.
    ///
    /// # Errors
    /// If the script is malformed, or ends before all of its states are expanded.
    pub fn new(
        streams: u16,
        (trustful, is_partial): (bool, bool),
        n_tasks: u16,
        blocks: impl Iterator<Item = Result<(Frame, Vec<u8>), Error>>,
    ) -> Result<Self, Error> {
        let trustful = trustful || streams & streams::TREE != 0;
        let Tree { parents, mut n_steps, n_all_steps } = Tree::read(streams, (trustful, is_partial), blocks)?;
        let n_read = n_steps.len() as u64;
        n_steps.resize(parents.len() + 1, 0);
        let n = n_steps.len();
        // What the subtree of each state weighs. A child has a larger number than its parent.
        let weight = |idx: usize| u64::from(n_steps[idx]).max(1);
        let mut below: Vec<u64> = (0..n).map(weight).collect();
        for idx in (1..n).rev() {
            below[parents[idx - 1] as usize - 1] += below[idx];
        }
        let limit = (below[0] / (UNITS_IN_A_TASK * u64::from(n_tasks))).max(1);
        let (mut units, mut is_above) = (vec![0_usize; n], vec![false; n]);
        let (mut roots, mut weights) = (Vec::new(), Vec::new());
        // The unit of the states above subtrees, as long as it has room.
        let mut above = None;
        for idx in 0..n {
            let parent = idx.checked_sub(1).map(|before| parents[before] as usize - 1);
            let unit = match parent {
                Some(parent) if !is_above[parent] => units[parent],
                Some(_) if below[idx] <= limit => weights.len(),
                _ => {
                    is_above[idx] = true;
                    let open = above.filter(|unit: &usize| weights[*unit] + weight(idx) <= limit);
                    *above.insert(open.unwrap_or(weights.len()))
                }
            };
            if is_above[idx] || unit == weights.len() {
                roots.push(idx as u32 + 1);
            }
            if unit == weights.len() {
                weights.push(0);
            }
            weights[unit] += weight(idx);
            units[idx] = unit;
        }
        let tasks = pack(&weights, n_tasks);
        let owners: Vec<u16> = units.iter().map(|unit| tasks[*unit]).collect();
        let mut loads = vec![Load::default(); usize::from(n_tasks)];
        for (owner, n_steps) in owners.iter().zip(&n_steps) {
            let load = &mut loads[usize::from(*owner)];
            load.n_states += 1;
            load.n_steps += u64::from(*n_steps);
        }
        let n_steps = loads.iter().map(|load| load.n_steps).sum();
        let n_units = weights.len();
        let mut plan =
            Self { n_states: n as u64, n_steps, n_all_steps, n_read, n_units, loads, owners, parents, roots };
        let mut seen = vec![u16::MAX; n];
        for task in 0..n_tasks {
            let mut n_path = 0;
            plan.climb(task, |idx| {
                let is_new = seen[idx] != task;
                seen[idx] = task;
                n_path += u64::from(is_new);
                is_new
            });
            plan.loads[usize::from(task)].n_path = n_path;
        }
        Ok(plan)
    }

    /// Calls `pass` for the states on the way to the units of a task, upwards, until it knows one.
    fn climb(&self, task: u16, mut pass: impl FnMut(usize) -> bool) {
        for &root in self.roots.iter().filter(|root| self.owners[**root as usize - 1] == task) {
            let mut at = root;
            while at > 1 {
                at = self.parents[at as usize - 2];
                let idx = at as usize - 1;
                if self.owners[idx] == task || !pass(idx) {
                    break;
                }
            }
        }
    }

    /// The task of a state.
    pub(crate) fn owner(&self, number: u64) -> Option<u16> {
        self.owners.get(usize::try_from(number.checked_sub(1)?).ok()?).copied()
    }

    /// What a task does with each state, from number 1 on.
    pub(crate) fn roles(&self, task: u16) -> Vec<Role> {
        let role = |owner: &u16| if *owner == task { Role::Own } else { Role::Skip };
        let mut roles: Vec<Role> = self.owners.iter().map(role).collect();
        self.climb(task, |idx| std::mem::replace(&mut roles[idx], Role::Path) != Role::Path);
        roles
    }
}

/// The task of each unit: the largest first, into the task that has least.
fn pack(weights: &[u64], n_tasks: u16) -> Vec<u16> {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|unit| (Reverse(weights[*unit]), *unit));
    let mut heap: BinaryHeap<Reverse<(u64, u16)>> = (0..n_tasks).map(|task| Reverse((0, task))).collect();
    let mut tasks = vec![0; weights.len()];
    for unit in order {
        if let Some(Reverse((load, task))) = heap.pop() {
            tasks[unit] = task;
            heap.push(Reverse((load + weights[unit], task)));
        }
    }
    tasks
}

#[cfg(test)]
mod tests {
    use super::*;
    use allways_model::certificate::script::BlockWriter;

    /// A tree of `n` states in which each has up to three children, with two more steps each.
    fn blocks(n: u64) -> Vec<(Frame, Vec<u8>)> {
        let (mut writer, mut blocks) = (BlockWriter::new(0), Vec::new());
        for number in 1..=n {
            let n_new = (n - writer.newest()).min(if number == 1 { 1 } else { 1 + number % 3 });
            let mut targets = vec![Target::New; n_new as usize];
            targets.extend([Target::Old(1), Target::Old(number)]);
            writer.push(0, &targets).unwrap();
            if number % 1000 == 0 {
                blocks.push(writer.finish());
            }
        }
        blocks.push(writer.finish());
        blocks
    }

    #[test]
    fn tasks_are_about_equal_and_have_each_state_once() {
        for n_tasks in [1, 2, 3, 10, 50] {
            let plan = Plan::new(0, (false, false), n_tasks, blocks(20_000).into_iter().map(Ok)).unwrap();
            assert_eq!((plan.n_states, plan.n_steps), (20_000, 19_999 + 40_000));
            let most = plan.loads.iter().map(|load| load.n_steps).max().unwrap();
            let mean = plan.n_steps as f64 / f64::from(n_tasks);
            assert!(most as f64 / mean < 1.05, "{n_tasks}: {most} of {mean}");
            assert_eq!(plan.loads.iter().map(|load| load.n_states).sum::<u64>(), 20_000);
            for task in 0..n_tasks {
                let (roles, load) = (plan.roles(task), plan.loads[usize::from(task)]);
                let n = |role| roles.iter().filter(|one| **one == role).count() as u64;
                assert_eq!((n(Role::Own), n(Role::Path)), (load.n_states, load.n_path));
                for number in 2..=20_000_u64 {
                    let (own, parent) = (roles[number as usize - 1], plan.parents[number as usize - 2]);
                    let above = roles[parent as usize - 1];
                    assert!(own == Role::Skip || above != Role::Skip, "there is a path to state {number}");
                    assert_eq!(plan.owner(number) == Some(task), own == Role::Own);
                }
            }
        }
        let cut = || blocks(20_000).into_iter().take(3).map(Ok);
        assert!(Plan::new(0, (false, false), 3, cut()).is_err(), "open promises");
        let partial = Plan::new(0, (false, true), 3, cut()).unwrap();
        assert!(partial.n_read == 3000 && partial.n_states > 3000);
        assert_eq!(partial.loads.iter().map(|load| load.n_states).sum::<u64>(), partial.n_states);
    }

    #[test]
    fn there_may_be_more_tasks_than_states() {
        let plan = Plan::new(0, (false, false), 9, blocks(3).into_iter().map(Ok)).unwrap();
        assert_eq!(plan.loads.iter().map(|load| load.n_states).sum::<u64>(), 3);
        assert!(plan.loads.iter().filter(|load| **load == Load::default()).count() >= 6);
    }
}
