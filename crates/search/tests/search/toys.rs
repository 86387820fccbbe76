//! Small hand-written models, each a function from a state to its steps.

use allways_model::{
    Batch, Cursor, Digest, Halt, Lesson, Lessons, Location, Model, Move, Point, Process, Rule, StepKey,
    Variable, Violation, ViolationKind,
};

use std::sync::{Arc, Mutex};

type Expand = Box<dyn Fn(&[u8], &mut Batch) -> Result<(), Halt> + Send + Sync>;

/// A model given by its initial state and a function.
pub(crate) struct Toy {
    pub(crate) name: String,
    initial: Vec<u8>,
    expand: Expand,
    /// The number of actors, if it is not zero: a step's actor is its key modulo this.
    n_actors: u64,
}

struct ToyCursor<'m> {
    toy: &'m Toy,
    state: Vec<u8>,
}

impl Toy {
    pub(crate) fn new(
        name: impl Into<String>,
        initial: &[u8],
        expand: impl Fn(&[u8], &mut Batch) -> Result<(), Halt> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), initial: initial.to_vec(), expand: Box::new(expand), n_actors: 0 }
    }

    /// The same model, which records each state that is expanded.
    pub(crate) fn recorded(self) -> (Self, Arc<Mutex<Vec<Vec<u8>>>>) {
        let (log, expand) = (Arc::<Mutex<Vec<Vec<u8>>>>::default(), self.expand);
        let expanded = log.clone();
        let expand = move |state: &[u8], out: &mut Batch| {
            log.lock().expect("no holder panics").push(state.to_vec());
            expand(state, out)
        };
        (Self { expand: Box::new(expand), ..self }, expanded)
    }

    /// The same model, with the steps divided among actors.
    pub(crate) fn with_actors(self, n_actors: u64) -> Self {
        Self { n_actors, ..self }
    }
}

impl Model for Toy {
    fn digest(&self) -> Digest {
        let mut digest = [0; 16];
        self.name.bytes().enumerate().for_each(|(idx, byte)| digest[idx % 16] ^= byte);
        Digest(digest)
    }

    fn cursor(&self, _lessons: &Lessons) -> Box<dyn Cursor + '_> {
        Box::new(ToyCursor { toy: self, state: Vec::new() })
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

impl Cursor for ToyCursor<'_> {
    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        out.push(StepKey(0), &self.toy.initial);
        Ok(())
    }

    fn load(&mut self, state: &[u8]) {
        self.state.clear();
        self.state.extend_from_slice(state);
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        (self.toy.expand)(&self.state, out)
    }

    fn explain(&mut self, key: StepKey) -> Option<Vec<Move>> {
        let mut batch = Batch::new();
        let _ = self.expand(&mut batch);
        let steps = batch.entries().iter().map(|entry| entry.key);
        steps.chain(batch.violations().iter().filter_map(|v| v.key)).any(|k| k == key).then(Vec::new)
    }

    fn actor(&self, key: StepKey) -> Option<u32> {
        (self.toy.n_actors > 0).then(|| (key.0 % self.toy.n_actors) as u32)
    }

    fn lesson(&self) -> Lesson {
        Lesson::new()
    }

    fn reached(&self) -> Vec<u64> {
        Vec::new()
    }
}

pub(crate) fn words(state: &[u8]) -> Vec<u32> {
    state.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

pub(crate) fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

static DEADLOCK: Rule = Rule::new(ViolationKind::Deadlock, "stuck", "{what}");
static RUNTIME_ERROR: Rule = Rule::new(ViolationKind::RuntimeError, "meaningless", "{what}");
static ASSERTION: Rule = Rule::new(ViolationKind::Assertion, "failed", "{what}");

pub(crate) fn violation(
    kind: ViolationKind,
    key: Option<u64>,
    message: &'static str,
    line: u32,
) -> Violation {
    let location = Some(Location { file: "toy".into(), line, column: 1 });
    let rule = match kind {
        ViolationKind::Deadlock => &DEADLOCK,
        ViolationKind::Assertion => &ASSERTION,
        _ => &RUNTIME_ERROR,
    };
    let violation = Violation { key: key.map(StepKey), location, ..Violation::new(rule) };
    violation.with("what", message)
}

/// Counters that each go from zero to `top`.
pub(crate) fn grid(n_counters: usize, top: u32) -> Toy {
    Toy::new(format!("grid {n_counters} {top}"), &vec![0; 4 * n_counters], move |state, out| {
        let counters = words(state);
        for idx in 0..counters.len() {
            if counters[idx] < top {
                let mut next = counters.clone();
                next[idx] += 1;
                out.push(StepKey(idx as u64), &bytes(&next));
            }
        }
        Ok(())
    })
}

/// One long path.
pub(crate) fn chain(n_states: u32) -> Toy {
    Toy::new(format!("chain {n_states}"), &[0; 4], move |state, out| {
        let at = words(state)[0];
        if at + 1 < n_states {
            out.push(StepKey(7), &bytes(&[at + 1]));
        }
        Ok(())
    })
}

/// Philosophers that each take the left fork, then the right, then put both down; they can all starve.
pub(crate) fn philosophers(n: usize) -> Toy {
    // The state of philosopher i: 0 thinks, 1 has the left fork (number i), 2 has both.
    Toy::new(format!("philosophers {n}"), &vec![0; n.next_multiple_of(4)], move |state, out| {
        let fork_is_free = |fork: usize| state[fork] == 0 && state[(fork + n - 1) % n] != 2;
        let n_before = out.len();
        for idx in 0..n {
            let next = match state[idx] {
                0 if fork_is_free(idx) => 1,
                1 if fork_is_free((idx + 1) % n) => 2,
                2 => 0,
                _ => continue,
            };
            let mut vector = state.to_vec();
            vector[idx] = next;
            out.push(StepKey(idx as u64), &vector);
        }
        if out.len() == n_before {
            out.report(violation(ViolationKind::Deadlock, None, "invalid end state", 1));
        }
        Ok(())
    })
}

/// A stack of bits that grows and shrinks, so states differ in length.
pub(crate) fn stacks(max_height: usize) -> Toy {
    Toy::new(format!("stacks {max_height}"), &[], move |state, out| {
        let stack = words(state);
        if stack.len() < max_height {
            for symbol in 0..2 {
                let mut next = stack.clone();
                next.push(symbol);
                out.push(StepKey(u64::from(symbol)), &bytes(&next));
            }
        }
        if let Some((_, rest)) = stack.split_last() {
            out.push(StepKey(2), &bytes(rest));
        }
        Ok(())
    })
}

fn mix(parts: &[u64]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
    for &part in parts {
        hash = (hash ^ part).wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash ^= hash >> 32;
    }
    hash
}

/// A random graph, with violations during steps (with and without a successor) and in states.
pub(crate) fn random_graph(seed: u64, n_states: u64, violation_every: u64) -> Toy {
    Toy::new(format!("random {seed} {n_states} {violation_every}"), &[0; 8], move |state, out| {
        let at = u64::from(words(state)[0]);
        let n_steps = mix(&[seed, at, 1]) % 5;
        for step in 0..n_steps {
            let key = 10 * step + mix(&[seed, at, step, 2]) % 10;
            let draw = mix(&[seed, at, step, 3]);
            if draw.is_multiple_of(violation_every) {
                let line = (draw >> 32) as u32 % 3;
                out.report(violation(ViolationKind::Assertion, Some(key), "assertion violated", line));
                if draw & 1 << 40 == 0 {
                    continue;
                }
            }
            let target = mix(&[seed, at, step, 4]) % n_states;
            // Some states are longer than others.
            let mut vector = vec![target as u32, 0];
            vector.resize(2 + target as usize % 3, 7);
            out.push(StepKey(key), &bytes(&vector));
        }
        if mix(&[seed, at, 5]).is_multiple_of(violation_every * 2) {
            out.report(violation(ViolationKind::Deadlock, None, "stuck", 9));
        }
        Ok(())
    })
}
