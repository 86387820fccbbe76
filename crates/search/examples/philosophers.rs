//! Measures searches on dining philosophers: `cargo run --release -p allways-search --example philosophers --
//! PHILOSOPHERS [BYTES [WORKERS [dfs|bfs]]]`.
//!
//! A step of the model costs next to nothing, so the engine is measured. The program checks the counts, which
//! are known.

use allways_model::{
    Batch, Cursor, Digest, Halt, Lesson, Lessons, Model, Move, Point, Process, StepKey, Variable,
};
use allways_search::{Config, Strategy, search};

/// `n` philosophers, a byte each: 0 thinks, 1 has the left fork, 2 has both.
struct Philosophers {
    n: usize,
    /// The length of a vector: at least `n`, rounded up to a multiple of four.
    len: usize,
}

struct At<'m> {
    model: &'m Philosophers,
    state: Vec<u8>,
}

impl Model for Philosophers {
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
        let n = self.model.n;
        let state = &mut self.state[..];
        for idx in 0..n {
            let right = if idx + 1 == n { 0 } else { idx + 1 };
            let left = if idx == 0 { n - 1 } else { idx - 1 };
            let before = state[idx];
            let after = match before {
                0 if state[left] != 2 => 1,
                1 if state[right] == 0 => 2,
                2 => 0,
                _ => continue,
            };
            state[idx] = after;
            out.push(StepKey(idx as u64), state);
            state[idx] = before;
        }
        Ok(())
    }

    fn explain(&mut self, _: StepKey) -> Option<Vec<Move>> {
        None
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
    let n = number(0, 13);
    let model = Philosophers { n, len: number(1, n).max(n).next_multiple_of(4) };
    let workers = number(2, 1);
    let mut known = None;
    for (name, strategy) in [("dfs", Strategy::Dfs), ("bfs", Strategy::Bfs)] {
        if arguments.get(3).is_some_and(|only| only != name) {
            continue;
        }
        let stats = search(&model, strategy, &(), &Config::new(workers)).stats;
        let counts = (stats.states, stats.transitions);
        assert_eq!(*known.get_or_insert(counts), counts, "every search counts the same");
        let seconds = stats.elapsed.as_secs_f64();
        println!("{name}, {workers} workers: {} states, {} transitions", stats.states, stats.transitions);
        println!(
            "    {seconds:.3} s, {:.1} M edges/s; {:.1} bytes a state, {:.1} with side tables and stacks",
            stats.transitions as f64 / seconds / 1e6,
            stats.store_bytes as f64 / stats.states as f64,
            stats.total_bytes as f64 / stats.states as f64,
        );
    }
}
