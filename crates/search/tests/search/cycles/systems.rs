//! Small random concurrent programs, each with a property of the values of a variable.
//!
//! A process moves between control locations. An edge does nothing, writes a shared variable, or waits until
//! one has some value. From a *quiet* location all edges do nothing, so the steps of a process in such a
//! location are a sufficient set: they stay enabled whatever other processes do, commute with all steps, and
//! are not observed by the property. The property reads only the first variable, and does not depend on how
//! long it keeps a value.

use super::graphs::Dice;
use allways_model::{
    Acceptance, Batch, Cursor, Digest, Halt, Lesson, Lessons, Model, Move, Point, Process, StepKey, Variable,
};

#[derive(Clone, Copy)]
enum Action {
    Nothing,
    Write(usize, u8),
    Await(usize, u8),
}

/// A property: what a run must not do.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Forbidden {
    /// The variable is 1 infinitely often.
    Again,
    /// From some time on the variable is 1.
    Always,
    /// From some time on the variable is not 1.
    Never,
}

/// A program and a property.
pub(crate) struct System {
    pub(crate) name: String,
    forbidden: Forbidden,
    /// For each process and location, its edges.
    processes: Vec<Vec<Vec<(Action, u8)>>>,
}

const N_VARIABLES: usize = 2;

impl System {
    /// A random program with two to four processes, and `more` further ones.
    pub(crate) fn random(seed: u64, more: u64, forbidden: Forbidden) -> Self {
        let mut dice = Dice(seed.wrapping_mul(0x7777_3333_1111_9999));
        let n_processes = 2 + more + dice.roll(3);
        let busy = 2 + dice.roll(3);
        let mut process = || {
            let n_places = 2 + dice.roll(4);
            let mut place = || {
                // A process may terminate; then the order of the other processes matters.
                let (quiet, n_quiet, n_busy) = (dice.roll(busy) != 0, 1 + dice.roll(2), dice.roll(3));
                let mut edge = || {
                    let (variable, value) = (dice.roll(N_VARIABLES as u64) as usize, dice.roll(2) as u8);
                    let action = match dice.roll(3) {
                        _ if quiet => Action::Nothing,
                        0 => Action::Await(variable, value),
                        1 => Action::Nothing,
                        _ => Action::Write(variable, value),
                    };
                    (action, dice.roll(n_places) as u8)
                };
                let n_edges = if quiet { n_quiet } else { n_busy };
                (0..n_edges).map(|_| edge()).collect::<Vec<_>>()
            };
            (0..n_places).map(|_| place()).collect::<Vec<_>>()
        };
        let processes = (0..n_processes).map(|_| process()).collect();
        Self { name: format!("system {seed} {more} {forbidden:?}"), forbidden, processes }
    }

    fn is_quiet(&self, process: usize, place: u8) -> bool {
        let edges = &self.processes[process][place as usize];
        !edges.is_empty() && edges.iter().all(|(action, _)| matches!(action, Action::Nothing))
    }
}

struct SystemCursor<'m> {
    system: &'m System,
    /// The variables, the locations of the processes, and the state of the property.
    state: Vec<u8>,
    n_rounds: u32,
}

impl SystemCursor<'_> {
    /// The index of a process's location in the state.
    fn place(process: usize) -> usize {
        N_VARIABLES + process
    }

    /// The next states of the property.
    fn memories(&self) -> Vec<u8> {
        let (holds, memory) = (self.state[0] == 1, *self.state.last().unwrap());
        match (self.system.forbidden, memory) {
            (Forbidden::Again, _) => vec![u8::from(holds)],
            (Forbidden::Always, 0) => {
                if holds {
                    vec![0, 1]
                } else {
                    vec![0]
                }
            }
            (Forbidden::Always, _) => {
                if holds {
                    vec![1]
                } else {
                    vec![]
                }
            }
            (Forbidden::Never, 0) => {
                if holds {
                    vec![0]
                } else {
                    vec![0, 1]
                }
            }
            (Forbidden::Never, _) => {
                if holds {
                    vec![]
                } else {
                    vec![1]
                }
            }
        }
    }

    fn expand_process(&self, process: usize, out: &mut Batch) {
        let place = Self::place(process);
        for (idx, &(action, to)) in
            self.system.processes[process][self.state[place] as usize].iter().enumerate()
        {
            let mut next = self.state.clone();
            next[place] = to;
            match action {
                Action::Nothing => {}
                Action::Write(variable, value) => next[variable] = value,
                Action::Await(variable, value) if self.state[variable] == value => {}
                Action::Await(..) => continue,
            }
            for memory in self.memories() {
                *next.last_mut().unwrap() = memory;
                out.push(StepKey((process as u64 * 16 + idx as u64) * 2 + u64::from(memory)), &next);
            }
        }
    }

    /// The first process whose steps are a sufficient set.
    fn enough(&self) -> Option<usize> {
        let n = self.system.processes.len();
        (0..n).find(|&process| self.system.is_quiet(process, self.state[Self::place(process)]))
    }
}

impl Model for System {
    fn digest(&self) -> Digest {
        let mut digest = [0; 16];
        self.name.bytes().enumerate().for_each(|(idx, byte)| digest[idx % 16] ^= byte);
        Digest(digest)
    }

    fn cursor(&self, _lessons: &Lessons) -> Box<dyn Cursor + '_> {
        Box::new(SystemCursor { system: self, state: Vec::new(), n_rounds: 0 })
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
        match self.forbidden {
            Forbidden::Again => Acceptance::Anywhere,
            Forbidden::Always | Forbidden::Never => Acceptance::Weak,
        }
    }
}

impl Cursor for SystemCursor<'_> {
    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        // Bytes for the variables, the locations and the property's state, which comes last.
        let len = (N_VARIABLES + self.system.processes.len() + 1).next_multiple_of(4);
        out.push(StepKey(0), &vec![0; len]);
        Ok(())
    }

    fn load(&mut self, state: &[u8]) {
        self.state = state.to_vec();
        self.n_rounds = 0;
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        (0..self.system.processes.len()).for_each(|process| self.expand_process(process, out));
        Ok(())
    }

    fn expand_some(&mut self, out: &mut Batch) -> Result<bool, Halt> {
        self.n_rounds += 1;
        let enough = self.enough();
        match (self.n_rounds, enough) {
            (1, Some(process)) => {
                self.expand_process(process, out);
                Ok(self.system.processes.len() == 1)
            }
            (_, skipped) => {
                let others =
                    (0..self.system.processes.len()).filter(|&p| Some(p) != skipped || self.n_rounds == 1);
                others.for_each(|process| self.expand_process(process, out));
                Ok(true)
            }
        }
    }

    fn explain(&mut self, _: StepKey) -> Option<Vec<Move>> {
        None
    }

    fn accepting(&mut self) -> bool {
        *self.state.last().unwrap() == 1
    }

    fn lesson(&self) -> Lesson {
        Lesson::new()
    }

    fn reached(&self) -> Vec<u64> {
        Vec::new()
    }
}
