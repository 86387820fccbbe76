//! Whether a script describes the whole graph, decided another way: the graph is made first, then the script
//! is walked over it.

use crate::forged::Forged;
use allways_model::certificate::script::Target;
use allways_model::certificate::streams;
use allways_model::{Acceptance, Batch, Model};
use std::collections::{HashMap, HashSet, VecDeque};

/// The vectors that the script numbers, if each of its mentions is true, each number is expanded, and no step
/// is omitted without end: from each state that is expanded in part a whole one can be reached, and if the
/// property is about runs that never end, no cycle is one of such states alone. Ranks must be as they should.
pub(crate) fn numbered(model: &dyn Model, script: &Forged) -> Option<HashSet<Vec<u8>>> {
    let mut cursor = model.cursor(&script.header.lessons);
    let mut batch = Batch::new();
    cursor.initial(&mut batch).ok()?;
    let mut vectors = vec![batch.vector(0).to_vec()];
    let (mut edges, mut whole): (Vec<Vec<usize>>, Vec<bool>) = (Vec::new(), Vec::new());
    let mut accepting = Vec::new();
    for (idx, state) in script.states.iter().enumerate() {
        batch.clear();
        cursor.load(vectors.get(idx)?);
        accepting.push(cursor.accepting());
        if state.is_open {
            return None;
        }
        if script.header.streams & streams::ROUNDS == 0 {
            cursor.expand(&mut batch).ok()?;
            whole.push(true);
        } else {
            let mut is_whole = false;
            for _ in 0..state.rounds {
                is_whole = cursor.expand_some(&mut batch).ok()?;
            }
            whole.push(is_whole);
        }
        if batch.len() != state.targets.len() {
            return None;
        }
        let mut to = Vec::new();
        for (slot, target) in state.targets.iter().enumerate() {
            let number = match target {
                Target::New => {
                    vectors.push(batch.vector(slot).to_vec());
                    vectors.len()
                }
                Target::Old(number) => *number as usize,
            };
            if vectors.get(number - 1).map(Vec::as_slice) != Some(batch.vector(slot)) {
                return None;
            }
            to.push(number - 1);
        }
        edges.push(to);
    }
    if vectors.len() != script.states.len() || !cursor.lesson().is_empty() {
        return None;
    }
    let is_cyclic = model.acceptance() != Acceptance::Nowhere;
    let is_ranked = !is_cyclic || ranks_fit(script, &edges, &accepting);
    let follows = leads_to_whole(&edges, &whole) && (!is_cyclic || cycles_have_whole(&edges, &whole));
    (is_ranked && follows).then(|| vectors.into_iter().collect())
}

/// Whether no rank rises along an edge, or stays along one out of an accepting state.
fn ranks_fit(script: &Forged, edges: &[Vec<usize>], accepting: &[bool]) -> bool {
    let rank = |state: usize| script.standings.get(state).map_or(0, |one| one.rank);
    script.header.streams & streams::RANKS != 0
        && edges
            .iter()
            .enumerate()
            .all(|(from, to)| to.iter().all(|to| rank(from) >= rank(*to) + u32::from(accepting[from])))
}

/// Whether taking away states that lead to no other state in part leaves none that is expanded in part.
fn cycles_have_whole(edges: &[Vec<usize>], whole: &[bool]) -> bool {
    let mut left: Vec<bool> = whole.iter().map(|whole| !whole).collect();
    loop {
        let ends = |state: usize| left[state] && !edges[state].iter().any(|to| left[*to]);
        let gone: Vec<usize> = (0..left.len()).filter(|state| ends(*state)).collect();
        if gone.is_empty() {
            return !left.contains(&true);
        }
        gone.into_iter().for_each(|state| left[state] = false);
    }
}

fn leads_to_whole(edges: &[Vec<usize>], whole: &[bool]) -> bool {
    let mut back: HashMap<usize, Vec<usize>> = HashMap::new();
    for (from, to) in edges.iter().enumerate() {
        to.iter().for_each(|to| back.entry(*to).or_default().push(from));
    }
    let mut good: Vec<bool> = whole.to_vec();
    let mut todo: VecDeque<usize> = (0..whole.len()).filter(|idx| whole[*idx]).collect();
    while let Some(state) = todo.pop_front() {
        for from in back.get(&state).into_iter().flatten() {
            if !good[*from] {
                good[*from] = true;
                todo.push_back(*from);
            }
        }
    }
    good.into_iter().all(|good| good)
}
