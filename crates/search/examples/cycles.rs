//! Measures searches for accepting cycles on programs with a property that holds: `cargo run --release -p
//! allways-search --example cycles -- [philosophers|conveyor] SIZE [STORE [ROUNDS [SEARCH WORKERS]]]`.
//!
//! The property's automaton guesses a moment, accepts once, and then only observes: so there are accepting
//! states, all of them lead to cycles, and none is on one. Philosophers form one large component, in which a
//! depth-first stack holds nearly all states; a conveyor has many small components. The program checks that
//! every search has the same counts.

use allways_model::{
    Acceptance, Batch, Cursor, Digest, Halt, Lesson, Lessons, Model, Move, Point, Process, StepKey, Variable,
};
use allways_search::{Config, End, StoreKind, Strategy, search};

/// A program of `n` processes, a byte each. The last byte of a vector is the automaton.
struct Product {
    is_conveyor: bool,
    n: usize,
    len: usize,
}

/// On a conveyor, the number of positions of a process. `CIRCLE` is the length of the cycle of the last
/// process.
const TOP: u8 = 9;
const CIRCLE: u8 = 4;

/// A philosopher: 0 thinks, 1 has the left fork, 2 has both.
fn dine(state: &[u8], idx: usize) -> Option<u8> {
    let n = state.len();
    let right = if idx + 1 == n { 0 } else { idx + 1 };
    let left = if idx == 0 { n - 1 } else { idx - 1 };
    match state[idx] {
        0 if state[left] != 2 => Some(1),
        1 if state[right] == 0 => Some(2),
        2 => Some(0),
        _ => None,
    }
}

/// A process on a conveyor.
fn go_on(state: &[u8], idx: usize) -> Option<u8> {
    if idx + 1 == state.len() {
        return Some((state[idx] + 1) % CIRCLE);
    }
    Some(state[idx] + 1).filter(|&next| next <= TOP)
}

struct At<'m> {
    model: &'m Product,
    state: Vec<u8>,
}

impl Model for Product {
    fn digest(&self) -> Digest {
        Digest([self.n as u8; 16])
    }

    fn cursor(&self, _lessons: &Lessons) -> Box<dyn Cursor + '_> {
        Box::new(At { model: self, state: vec![0; self.len] })
    }

    fn processes(&self, _: &[u8]) -> Vec<Process> {
        Vec::new()
    }

    fn variables(&self, _: &[u8]) -> Vec<Variable> {
        Vec::new()
    }

    fn points(&self) -> &[Point] {
        &[]
    }

    fn acceptance(&self) -> Acceptance {
        Acceptance::Anywhere
    }
}

impl Cursor for At<'_> {
    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        out.push(StepKey(0), &vec![0; self.model.len]);
        Ok(())
    }

    fn load(&mut self, state: &[u8]) {
        self.state.copy_from_slice(state);
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        let (n, last) = (self.model.n, self.model.len - 1);
        let state = &mut self.state[..];
        let memory = state[last];
        let memories: &[u8] = match (memory, state[0]) {
            (0, 2) => &[0, 1],
            (0, _) => &[0],
            _ => &[2],
        };
        for idx in 0..n {
            let before = state[idx];
            let after = if self.model.is_conveyor { go_on(&state[..n], idx) } else { dine(&state[..n], idx) };
            let Some(after) = after else { continue };
            state[idx] = after;
            for &next in memories {
                state[last] = next;
                out.push(StepKey((4 * idx) as u64 + u64::from(next)), state);
            }
            (state[idx], state[last]) = (before, memory);
        }
        Ok(())
    }

    fn explain(&mut self, _: StepKey) -> Option<Vec<Move>> {
        None
    }

    fn accepting(&mut self) -> bool {
        self.state[self.model.len - 1] == 1
    }

    fn lesson(&self) -> Lesson {
        Lesson::new()
    }

    fn reached(&self) -> Vec<u64> {
        Vec::new()
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |idx: usize, default: usize| {
        arguments.get(idx).map_or(default, |text| text.parse().expect("numbers are expected"))
    };
    let n = number(1, 13);
    let is_conveyor = arguments.first().is_some_and(|name| name == "conveyor");
    let model = Product { is_conveyor, n, len: (n + 1).next_multiple_of(4) };
    let store = match arguments.get(2).map(String::as_str) {
        Some("tree") => StoreKind::Tree,
        Some("collapse") => StoreKind::Collapse,
        _ => StoreKind::Exact,
    };
    let all = [
        (Strategy::Dfs, 1),
        (Strategy::Ndfs, 1),
        (Strategy::Scc, 1),
        (Strategy::Cndfs, 1),
        (Strategy::Cndfs, 2),
        (Strategy::Bfs, 1),
        (Strategy::Bfs, 2),
        (Strategy::Map, 1),
        (Strategy::Map, 2),
    ];
    let named = arguments.get(4).map(|name| {
        let found = Strategy::ALL.into_iter().find(|strategy| strategy.name() == name);
        [(found.expect("a search is named"), number(5, 1))]
    });
    let runs: &[_] = named.as_ref().map_or(&all, |one| one);
    let mut known = None;
    for round in 0..number(3, 1) {
        println!("round {}", round + 1);
        for &(strategy, workers) in runs {
            let outcome = search(&model, strategy, &(), &Config { store, ..Config::new(workers) });
            assert!(matches!(outcome.end, End::Exhausted), "the property holds");
            let stats = outcome.stats;
            let counts = (stats.states, stats.transitions);
            assert_eq!(*known.get_or_insert(counts), counts, "every search counts the same");
            let seconds = stats.elapsed.as_secs_f64();
            println!(
                "  {:5} {workers} workers: {} states, {seconds:.3} s, {:.2} M states/s, {:.1} bytes a state with everything",
                strategy.name(),
                stats.states,
                stats.states as f64 / seconds / 1e6,
                stats.total_bytes as f64 / stats.states as f64,
            );
        }
    }
}
