//! A tiny model for tests of what is shown: two processes add to a counter, then an assertion about it fails,
//! or both processes are stuck.
//!
//! All its runs are known by heart, and it has everything that a report has to show: several processes, a
//! message, output, changes, a step that ends in a violation, and a deadlock.

use allways_model::{
    Batch, Change, Cursor, Digest, Halt, Lesson, Lessons, Location, Message, MessageDirection, Model, Move,
    Point, Process, Rule, StepKey, Variable, Violation, ViolationKind,
};

static STUCK: Rule = Rule::new(ViolationKind::Deadlock, "invalid-end-state", "invalid end state");
static TOO_LARGE: Rule = Rule::new(ViolationKind::Assertion, "assertion-failed", "assertion violated: x < 3");

/// The counter goes up to `top` by steps of process 0 or 1, and then the model fails, or it sticks.
pub struct Toy {
    top: u32,
    sticks: bool,
    points: Vec<Point>,
}

impl Toy {
    /// Fails an assertion after three steps.
    #[must_use]
    pub fn racing() -> Self {
        Self::new(3, false)
    }

    /// Deadlocks after three steps.
    #[must_use]
    pub fn sticking() -> Self {
        Self::new(3, true)
    }

    fn new(top: u32, sticks: bool) -> Self {
        let point =
            |state: u32| Point { owner: "add".into(), location: at(state), state, text: "-end-".into() };
        Self { top, sticks, points: vec![point(1), point(2)] }
    }
}

fn at(line: u32) -> Option<Location> {
    Some(Location { file: "toy.pml".into(), line, column: 1 })
}

fn counter(state: &[u8]) -> u32 {
    u32::from_le_bytes([state[0], state[1], state[2], state[3]])
}

impl Model for Toy {
    fn digest(&self) -> Digest {
        Digest([self.top as u8; 16])
    }

    fn cursor(&self, _lessons: &Lessons) -> Box<dyn Cursor + '_> {
        Box::new(ToyCursor { toy: self, counter: 0, reached: [1] })
    }

    fn processes(&self, state: &[u8]) -> Vec<Process> {
        let at_end = counter(state) == self.top;
        let process = |id| Process {
            id,
            name: "add".into(),
            location: at(2),
            at: if at_end { "x < 0".into() } else { "x = x + 1".into() },
            may_end: id == 1,
            stack: Vec::new(),
        };
        vec![process(0), process(1)]
    }

    fn variables(&self, state: &[u8]) -> Vec<Variable> {
        vec![Variable { process: None, name: "x".into(), value: counter(state).to_string() }]
    }

    fn points(&self) -> &[Point] {
        &self.points
    }
}

struct ToyCursor<'m> {
    toy: &'m Toy,
    counter: u32,
    reached: [u64; 1],
}

impl Cursor for ToyCursor<'_> {
    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        out.push(StepKey(0), &0_u32.to_le_bytes());
        Ok(())
    }

    fn load(&mut self, state: &[u8]) {
        self.counter = counter(state);
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        if self.counter < self.toy.top {
            for key in [0, 1] {
                out.push(StepKey(key), &(self.counter + 1).to_le_bytes());
            }
        } else {
            let (rule, key) = if self.toy.sticks { (&STUCK, None) } else { (&TOO_LARGE, Some(StepKey(0))) };
            out.report(Violation { key, location: at(3), ..Violation::new(rule) });
        }
        Ok(())
    }

    fn explain(&mut self, key: StepKey) -> Option<Vec<Move>> {
        let fails = self.counter == self.toy.top;
        let value = self.counter.to_string();
        let text = if fails { "assert(x < 3)" } else { "x = x + 1" };
        Some(vec![Move {
            process: Some(key.0 as u32),
            process_name: "add".into(),
            location: at(2 + u32::from(fails)),
            text: text.into(),
            output: format!("{value}\n"),
            message: (key.0 == 1).then(|| Message {
                direction: MessageDirection::Send,
                channel: "ch".into(),
                channel_id: 1,
                rendezvous: false,
                fields: vec![value.clone()],
                n_bytes: None,
            }),
            reads: Vec::new(),
            changes: if fails {
                Vec::new()
            } else {
                let to = Some((self.counter + 1).to_string());
                vec![Change { name: "x".into(), from: Some(value), to }]
            },
            started: None,
        }])
    }

    fn lesson(&self) -> Lesson {
        Lesson::new()
    }

    fn reached(&self) -> Vec<u64> {
        self.reached.to_vec()
    }
}
