//! Only a real lasso can be replayed, and lassos can be shortened.

use super::graphs::{Graph, truth};
use super::matrix::SEARCHES;
use allways_model::StepKey;
use allways_search::{
    Config, Finding, Limits, ReplayError, Strategy, replay_finding, replay_lasso, search, shorten,
};
use std::collections::VecDeque;

/// Nodes in a row, the last of which leads back to node `back`. Each has a second step to itself if `lazy`.
fn ring(n_nodes: u32, back: u32, accepting: u32) -> Graph {
    let mut graph = Graph::random(0, u64::from(n_nodes), 1, 1);
    graph.name = format!("ring {n_nodes} {back} {accepting}");
    graph.edges = (0..n_nodes).map(|n| vec![if n + 1 == n_nodes { back } else { n + 1 }]).collect();
    graph.accepting = (0..n_nodes).map(|n| n == accepting).collect();
    graph
}

fn finding(graph: &Graph) -> Finding {
    search(graph, Strategy::Ndfs, &(), &Config::new(1)).findings.remove(0)
}

#[test]
fn only_lassos_replay() {
    let graph = ring(10, 4, 6);
    let found = finding(&graph);
    assert_eq!((found.path.steps.len(), found.cycle), (10, Some(4)));
    let replayed = replay_finding(&graph, &found).unwrap();
    assert_eq!((replayed.states.len(), replayed.violations.len()), (11, 1));
    assert_eq!(replayed.states[4], replayed.states[10]);
    for cycle in (0..12).filter(|&cycle| cycle != 4) {
        let error = replay_lasso(&graph, &found.path, cycle).unwrap_err();
        assert!(matches!(error, ReplayError::OpenCycle), "{cycle}: {error}");
    }
    let mut other = found.path.clone();
    other.steps[7] = StepKey(1);
    assert!(matches!(replay_lasso(&graph, &other, 4), Err(ReplayError::NoSuchStep(7))));
    let mut harmless = graph.clone();
    harmless.accepting.fill(false);
    harmless.accepting[3] = true;
    assert!(matches!(replay_lasso(&harmless, &found.path, 4), Err(ReplayError::NotAccepting)));
    let mut foreign = found.path;
    foreign.model.0[0] ^= 1;
    assert!(matches!(replay_lasso(&graph, &foreign, 4), Err(ReplayError::OtherModel)));
}

#[test]
fn a_cycle_of_one_step() {
    for strategy in SEARCHES {
        let mut graph = ring(1, 0, 0);
        let outcome = search(&graph, strategy, &(), &Config::new(1));
        assert_eq!((outcome.findings[0].path.steps.len(), outcome.findings[0].cycle), (1, Some(0)));
        replay_finding(&graph, &outcome.findings[0]).unwrap();
        graph.edges[0].clear();
        assert!(search(&graph, strategy, &(), &Config::new(1)).findings.is_empty());
    }
}

/// The smallest number of steps from the first of `from` to a goal node.
fn distance(graph: &Graph, from: u32, goal: impl Fn(u32) -> bool) -> Option<usize> {
    let mut known = vec![false; graph.edges.len()];
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((node, n)) = queue.pop_front() {
        for &to in &graph.edges[node as usize] {
            if goal(to) {
                return Some(n + 1);
            }
            if !std::mem::replace(&mut known[to as usize], true) {
                queue.push_back((to, n + 1));
            }
        }
    }
    None
}

#[test]
fn lassos_become_shorter() {
    let mut n_shortened = 0;
    for seed in 0..300 {
        let graph = Graph::random(seed, 40 + 10 * seed, 3, 20);
        if !truth(&graph).cycle {
            continue;
        }
        let found = finding(&graph);
        let shortened = shorten(&graph, &found, &Limits::NONE);
        let replayed = replay_finding(&graph, &shortened).unwrap();
        assert!(shortened.path.steps.len() <= found.path.steps.len());
        n_shortened += u32::from(shortened.path.steps.len() < found.path.steps.len());
        let nodes: Vec<u32> =
            replayed.states.iter().map(|s| u32::from_le_bytes(s[..4].try_into().unwrap())).collect();
        let cycle = shortened.cycle.unwrap();
        if shortened.path.steps.len() < found.path.steps.len() && cycle > 0 {
            assert_eq!(distance(&graph, 0, |node| nodes[cycle..].contains(&node)), Some(cycle));
        }
    }
    assert!(n_shortened > 50, "{n_shortened}");
}

#[test]
fn what_cannot_be_shortened_stays() {
    let graph = ring(50, 20, 30);
    let found = finding(&graph);
    let same = |other: Finding| assert_eq!((&other.path, other.cycle), (&found.path, found.cycle));
    same(shorten(&graph, &found, &Limits::NONE));
    same(shorten(&graph, &found, &Limits { memory: Some(1), ..Limits::NONE }));
    same(shorten(&graph, &found, &Limits { states: Some(3), ..Limits::NONE }));
    let straight = Finding { cycle: None, ..found.clone() };
    assert_eq!(shorten(&graph, &straight, &Limits::NONE).cycle, None);
}
