//! The states of the symmetric model are the orbits of the program's states, counted by brute force over what
//! people see.

use super::detection::{example, program};
use allways_model::{Batch, Lessons, Model};
use allways_promela::{Program, Symmetric};
use std::collections::{BTreeSet, HashSet};

/// What is interchangeable, said by hand.
struct Hand {
    groups: &'static [&'static [u32]],
    /// Variables that hold process numbers, and arrays that are indexed by them.
    holds: &'static [&'static str],
    indexed: &'static [&'static str],
    /// Whether every orbit must have one normal form.
    exact: bool,
}

const PLAIN: Hand = Hand { groups: &[], holds: &[], indexed: &[], exact: true };

fn states(model: &dyn Model) -> HashSet<Vec<u8>> {
    let mut cursor = model.cursor(Lessons::none());
    let mut batch = Batch::new();
    cursor.initial(&mut batch).unwrap();
    let mut todo = vec![batch.vector(0).to_vec()];
    let mut all: HashSet<Vec<u8>> = todo.iter().cloned().collect();
    while let Some(state) = todo.pop() {
        assert!(all.len() < 200_000, "the model is too large for brute force");
        batch.clear();
        cursor.load(&state);
        cursor.expand(&mut batch).unwrap();
        for idx in 0..batch.len() {
            if all.insert(batch.vector(idx).to_vec()) {
                todo.push(batch.vector(idx).to_vec());
            }
        }
    }
    all
}

/// All ways to exchange the members of each group.
fn renamings(groups: &[&[u32]]) -> Vec<Vec<u32>> {
    let mut all = vec![(0..256).collect::<Vec<u32>>()];
    for group in groups {
        for idx in 0..group.len() {
            let mut more = Vec::new();
            for renaming in &all {
                for other in idx..group.len() {
                    let mut next = renaming.clone();
                    next.swap(group[idx] as usize, group[other] as usize);
                    more.push(next);
                }
            }
            all = more;
        }
    }
    all
}

/// What people see of a state after a renaming.
fn seen(program: &Program, state: &[u8], hand: &Hand, to: &[u32]) -> BTreeSet<String> {
    let new = |id: u32| to[id as usize];
    let mut all = BTreeSet::new();
    for process in program.processes(state) {
        all.insert(format!("{} {} {:?} {}", new(process.id), process.name, process.location, process.at));
    }
    for variable in program.variables(state) {
        let (base, index) = variable.name.split_once('[').unwrap_or((&variable.name, ""));
        let mut index = index.to_owned();
        if hand.indexed.contains(&base) {
            let idx: u32 = index.trim_end_matches(']').parse().unwrap();
            index = new(idx).to_string();
        }
        let mut value = variable.value.clone();
        if hand.holds.contains(&base) {
            value = new(value.parse().unwrap()).to_string();
        }
        all.insert(format!("{:?} {base} {index} {value}", variable.process.map(new)));
    }
    all
}

/// States of the program, its orbits, and states of the symmetric model.
fn check(program: &Program, hand: &Hand) -> (usize, usize, usize) {
    let all = states(program);
    let renamings = renamings(hand.groups);
    let orbits: HashSet<BTreeSet<String>> = all
        .iter()
        .map(|state| renamings.iter().map(|to| seen(program, state, hand, to)).min().unwrap())
        .collect();
    let symmetric = Symmetric::new(program);
    let kept = states(&symmetric);
    assert!(kept.len() >= orbits.len(), "a state was lost: {} of {}", kept.len(), orbits.len());
    if hand.exact {
        assert_eq!(kept.len(), orbits.len());
    }
    let normal: HashSet<BTreeSet<String>> = kept
        .iter()
        .map(|state| renamings.iter().map(|to| seen(program, state, hand, to)).min().unwrap())
        .collect();
    assert!(normal == orbits, "the orbits are not the same");
    if let Some(sum) = kept.iter().map(|state| symmetric.stands_for(state)).sum::<Option<u64>>() {
        assert_eq!(sum, all.len() as u64, "the sizes of all orbits add up");
    }
    (all.len(), orbits.len(), kept.len())
}

#[test]
fn workers_without_names() {
    let text = "byte x; active [4] proctype P() { byte n; do :: atomic { x < 3 -> x++; n = x } :: atomic { x > 0 -> x--; n = 0 } od }";
    let hand = Hand { groups: &[&[0, 1, 2, 3]], ..PLAIN };
    let (all, orbits, _) = check(&program(text), &hand);
    assert!(all > 5 * orbits, "{all} states, {orbits} orbits");
}

#[test]
fn readers_and_writers() {
    let hand = Hand { groups: &[&[0, 1], &[2, 3]], indexed: &["waiting"], ..PLAIN };
    let (all, orbits, _) = check(&example("readers_writers.pml", &[]), &hand);
    assert!(all > 2 * orbits, "{all} states, {orbits} orbits");
}

#[test]
fn a_lock_with_an_owner() {
    let text = "byte owner = 255, in; active [3] proctype P() { do
         :: owner == 255; owner = _pid; if :: owner == _pid -> in++; assert(in < 4); in--; owner = 255 :: else fi od }";
    check(&program(text), &Hand { groups: &[&[0, 1, 2]], holds: &["owner"], ..PLAIN });
}

#[test]
fn numbers_in_messages() {
    let text = "chan c = [2] of { byte }; bool served[3]; active [3] proctype P() {
            do :: !served[_pid] -> c!_pid; served[_pid]; served[_pid] = false od }
         active proctype Q() { byte who; do :: c?who -> served[who] = true; who = 255 od }";
    let hand = Hand { groups: &[&[0, 1, 2]], holds: &["who"], indexed: &["served"], exact: false };
    // Messages are shown as a list: what matters is that no orbit is lost, and that some states meet.
    let all = states(&program(text)).len();
    let program = program(text);
    let kept = states(&Symmetric::new(&program)).len();
    assert!(3 * kept < all, "{kept} of {all}, {:?}", hand.groups);
}

#[test]
fn numbers_of_others_in_records() {
    let text = "byte token = 255; active [3] proctype P() { byte last = 255; do
         :: token == 255 -> token = _pid
         :: token != 255 && token != _pid -> last = token
         :: token == _pid -> token = 255 od }";
    let hand = Hand { groups: &[&[0, 1, 2]], holds: &["token", "last"], ..PLAIN };
    let (all, orbits, _) = check(&program(text), &hand);
    assert!(all > 3 * orbits, "{all} states, {orbits} orbits");
}

#[test]
fn processes_started_one_by_one() {
    let text = "byte x; proctype P() { do :: atomic { x < 2 -> x++ } :: atomic { x > 0 -> x-- } od }
         init { byte i; do :: i < 3 -> run P(); i++ :: else -> break od; do :: x == 2 -> x = 0 od }";
    check(&program(text), &Hand { groups: &[&[1, 2, 3]], exact: false, ..PLAIN });
}
