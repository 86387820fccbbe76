//! Random changes of true certificates: none is accepted unless it still describes the whole graph.

use crate::forged::{Forged, certificate, certify, certify_with, has, opened, written};
use crate::oracle;
use allways_certify::print::{Exact, Keyed};
use allways_certify::{Certified, Error, Work};
use allways_model::Model;
use allways_model::certificate::script::Target;
use allways_model::certificate::streams;
use allways_session::Session;
use allways_testkit::random_promela::Rng;
use std::collections::HashSet;

const DYNAMIC: &str = "typedef T { byte v; T &next }; T &top; byte n;
proctype p() { T &t; t = new T; t.v = n; n++; t.next = top; top = t }
init { atomic { run p(); run p() } }";
const PLAIN: &str = "byte x, y; bool turn;
active [2] proctype p() { byte i; do :: i < 2 -> atomic { turn -> turn = 0; x++ }; i++ :: i < 2 -> y++; turn = 1; i++ :: i == 2 -> break od }";
const LOCAL: &str = "byte done; chan c = [2] of { byte };
proctype p() { byte a; a = 1; a = 2; a = 3; c ! a; done++ }
active proctype q() { byte b; do :: c ? b :: done == 2 -> break od }
init { run p(); run p() }";

fn below(rng: &mut Rng, n: usize) -> usize {
    rng.below(n as u32) as usize
}

/// Changes something, and gives what.
pub(crate) fn change(rng: &mut Rng, script: &mut Forged) -> &'static str {
    let n = script.states.len();
    let idx = below(rng, n);
    let n_steps = script.states[idx].targets.len();
    let slot = below(rng, n_steps.max(1));
    let old = Target::Old(1 + below(rng, n) as u64);
    match below(rng, 16) {
        0 | 1 if n_steps > 0 => {
            script.states[idx].targets[slot] = old;
            "a target"
        }
        2 if n_steps > 0 => {
            script.states[idx].targets[slot] = Target::New;
            "a new state"
        }
        3 => {
            script.states.remove(idx);
            "a state less"
        }
        4 => {
            let state = script.states[idx].clone();
            script.states.insert(idx, state);
            "a state twice"
        }
        5 => {
            script.states.swap(idx, below(rng, n));
            "two states in another order"
        }
        6 if n_steps > 0 => {
            script.states[idx].targets.remove(slot);
            script.states[idx].marks.remove(slot);
            "a step less"
        }
        7 => {
            script.states[idx].targets.insert(slot, old);
            script.states[idx].marks.insert(slot, false);
            "a step more"
        }
        8 if n_steps > 1 => {
            script.states[idx].targets.swap(0, slot);
            "two steps in another order"
        }
        9 => {
            script.states.truncate(idx);
            "the rest is missing"
        }
        10 if n_steps > 0 => {
            let mark = &mut script.states[idx].marks[slot];
            *mark = !*mark;
            "a mark"
        }
        11 => {
            script.states[idx].rounds = below(rng, 4) as u32;
            "rounds"
        }
        12 => {
            let all = [streams::ROUNDS, streams::MARKS, streams::RANKS, streams::DETOURS, streams::OPEN];
            script.header.streams ^= all[below(rng, all.len())];
            "streams"
        }
        13 if has(script, streams::RANKS) => {
            let rank = &mut script.standings[idx].rank;
            *rank = [rank.saturating_sub(1), *rank + 1, 0, 7][below(rng, 4)];
            "a rank"
        }
        14 if has(script, streams::ROUNDS) => {
            script.header.streams |= streams::DETOURS;
            script.standings[idx].detour = below(rng, 3) as u32;
            "a detour"
        }
        _ => {
            // Everything that follows a state is cut off: no step leads further.
            script.states.truncate(idx + 1);
            let n = script.states.len() as u64;
            for target in script.states.iter_mut().flat_map(|state| &mut state.targets) {
                if *target == Target::New && below(rng, 2) == 0 {
                    *target = Target::Old(1 + below(rng, n as usize) as u64);
                }
            }
            "a smaller graph"
        }
    }
}

/// Certifies a changed script in several ways, which must agree; accepted, it describes the whole graph.
fn judge(model: &dyn Model, script: &Forged, all: &HashSet<Vec<u8>>, what: &str) -> bool {
    let bytes = script.to_bytes();
    let keyed = certify(model, &bytes, &Keyed::draw().unwrap()).is_ok();
    let exact = certify(model, &bytes, &Exact);
    assert_eq!(exact.is_ok(), keyed, "{what}");
    let words = |result: Result<Certified, Error>| {
        result.map(|one| (one.n_states, one.n_steps)).map_err(|error| error.to_string())
    };
    let shared = certify_with(model, &bytes, &Exact, Work { counts: false, workers: 2 });
    assert_eq!(words(shared), words(exact), "two workers: {what}");
    let is_reduced = script.header.streams & streams::ROUNDS != 0;
    if keyed {
        let numbered = oracle::numbered(model, script).unwrap_or_else(|| panic!("accepted: {what}"));
        assert!(is_reduced || numbered == *all, "accepted, and not everything: {what}");
    }
    keyed
}

fn tamper(text: &str, name: &str, reduce: &str, n_times: usize) {
    let file = written(name, text);
    let (session, _) = opened(&file, reduce);
    let bytes = certificate(&session, true).unwrap();
    tamper_with(&session, &bytes, n_times);
    std::fs::remove_file(file).unwrap();
}

/// Changes the certificate of a session again and again.
pub(crate) fn tamper_with(session: &Session, bytes: &[u8], n_times: usize) {
    session.with_model(|model| tamper_with_model(model, bytes, n_times));
}

/// The same, of a certificate that is about this model.
pub(crate) fn tamper_with_model(model: &dyn Model, bytes: &[u8], n_times: usize) {
    let original = Forged { block: 7, ..Forged::of(bytes) };
    let all = oracle::numbered(model, &original).unwrap();
    assert!(judge(model, &original, &all, "nothing"));
    let (unchanged, mut n_changed, mut n_accepted) = (original.to_bytes(), 0, 0);
    let mut kinds = HashSet::new();
    let mut rng = Rng::new(n_times as u64);
    for _ in 0..n_times {
        let mut script = original.clone();
        let what = change(&mut rng, &mut script);
        kinds.insert(what);
        if below(&mut rng, 2) == 0 {
            script.count();
        }
        if below(&mut rng, 2) == 0 {
            script.mark();
        }
        if script.to_bytes() != unchanged {
            n_changed += 1;
            n_accepted += usize::from(judge(model, &script, &all, what));
        }
    }
    assert!(kinds.len() >= 10 && n_changed > n_times / 2, "{n_changed} of {n_times} changed");
    assert!(n_accepted < n_changed / 3, "{n_accepted} of {n_changed} accepted");
}

/// Bits that are flipped in the file itself.
fn flip(text: &str, name: &str, n_times: usize) {
    let file = written(name, text);
    let (session, _) = opened(&file, "all");
    let bytes = certificate(&session, true).unwrap();
    session.with_model(|model| {
        let mut rng = Rng::new(1);
        for _ in 0..n_times {
            let mut other = bytes.clone();
            let at = below(&mut rng, other.len());
            other[at] ^= 1 << below(&mut rng, 8);
            assert!(certify(model, &other, &Exact).is_err(), "bit of byte {at}");
            assert!(certify(model, &bytes[..at], &Exact).is_err(), "truncated at {at}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(certify(model, &longer, &Exact).is_err());
    });
    std::fs::remove_file(file).unwrap();
}

#[test]
fn changed_scripts_are_refused() {
    for reduce in ["none", "all"] {
        tamper(PLAIN, "plain.pml", reduce, 300);
        tamper(LOCAL, "local.pml", reduce, 300);
        tamper(DYNAMIC, "dynamic.dpml", reduce, 300);
    }
}

#[test]
fn changed_bytes_are_refused() {
    flip(PLAIN, "plain.pml", 300);
    flip(DYNAMIC, "dynamic.dpml", 300);
}

#[test]
#[ignore = "takes minutes"]
fn ten_thousand_changes_are_refused() {
    for reduce in ["none", "all"] {
        tamper(PLAIN, "plain.pml", reduce, 2_000);
        tamper(LOCAL, "local.pml", reduce, 2_000);
        tamper(DYNAMIC, "dynamic.dpml", reduce, 2_000);
    }
    flip(PLAIN, "plain.pml", 2_000);
}
