//! Portions of a script: expanded and fingerprinted by any worker, compared by one in the order of numbers.
//!
//! What takes time is to expand states and to hash their successors, and neither needs to know what the others
//! do. A worker is given some states with their tokens, and gives back what it found. All decisions are made
//! in `graph`, which takes results in the order in which the portions were cut, so that they do not depend on
//! the number of workers.

use crate::kept::Vectors;
use crate::print::Prints;
use crate::veracity::{Deviation, VeracityError};
use allways_model::certificate::script::{Expansion, Mention, Target};
use allways_model::certificate::streams;
use allways_model::{Batch, Cursor, Halt, Violation};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

/// What a worker found in a state.
pub(crate) struct Found {
    /// Whether it was expanded as a whole.
    pub(crate) expanded: Result<bool, Deviation>,
    /// How many steps it has.
    pub(crate) n_steps: usize,
    /// Whether it is accepting, if the script has ranks.
    pub(crate) is_accepting: bool,
    pub(crate) violations: Vec<Violation>,
}

/// Some states that come one after the other, with what the script says about them, and what a worker found.
pub(crate) struct Portion<T> {
    /// The number of the first.
    pub(crate) first: u64,
    /// The block that they are in.
    pub(crate) block: u64,
    pub(crate) states: Vec<Expansion>,
    /// The steps of all of them.
    pub(crate) mentions: Vec<Mention>,
    pub(crate) vectors: Vectors,
    /// What is wrong with the script after them.
    pub(crate) flaw: Option<Box<VeracityError>>,
    /// What was found, up to the first state that does not have the steps that the script says.
    pub(crate) found: Vec<Found>,
    /// The prints of the states that the steps lead to.
    pub(crate) prints: Vec<T>,
    /// The vectors of those that are new.
    pub(crate) new: Vectors,
    pub(crate) longest: usize,
}

impl<T> Default for Portion<T> {
    fn default() -> Self {
        Self {
            first: 0,
            block: 0,
            states: Vec::new(),
            mentions: Vec::new(),
            vectors: Vectors::default(),
            flaw: None,
            found: Vec::new(),
            prints: Vec::new(),
            new: Vectors::default(),
            longest: 0,
        }
    }
}

impl<T> Portion<T> {
    /// An empty portion from this state on, in the memory of another one.
    pub(crate) fn begin(mut self, first: u64, block: u64) -> Self {
        (self.first, self.block, self.flaw, self.longest) = (first, block, None, 0);
        self.states.clear();
        self.mentions.clear();
        self.found.clear();
        self.prints.clear();
        [&mut self.vectors, &mut self.new].into_iter().for_each(Vectors::clear);
        self
    }
}

/// Expands states.
pub(crate) struct Worker<'a, P> {
    cursor: Box<dyn Cursor + 'a>,
    prints: &'a P,
    streams: u16,
    batch: Batch,
}

impl<'a, P: Prints> Worker<'a, P> {
    pub(crate) fn new(cursor: Box<dyn Cursor + 'a>, prints: &'a P, streams: u16) -> Self {
        Self { cursor, prints, streams, batch: Batch::new() }
    }

    /// The initial state, and what is wrong with it.
    pub(crate) fn initial(&mut self) -> Result<(Vec<u8>, Vec<Violation>), Deviation> {
        self.cursor.initial(&mut self.batch).map_err(halted)?;
        let [_] = self.batch.entries() else {
            return Err(Deviation::NothingPromised);
        };
        Ok((self.batch.vector(0).to_vec(), self.batch.violations().to_vec()))
    }

    /// Whether the cursor has learnt nothing that it was not given.
    pub(crate) fn knows_all(&self) -> bool {
        self.cursor.lesson().is_empty()
    }

    /// Expands the states of a portion.
    pub(crate) fn expand(&mut self, portion: &mut Portion<P::Print>) {
        let mut first = 0;
        for (idx, state) in portion.states.iter().enumerate() {
            let vector = portion.vectors.get(idx).unwrap_or_default();
            let is_accepting = self.streams & streams::RANKS != 0 && {
                self.cursor.load(vector);
                self.cursor.accepting()
            };
            let expanded = if state.is_open {
                self.batch.clear();
                Ok(true)
            } else {
                self.expand_one(vector, state.rounds)
            };
            let n_steps = self.batch.len();
            let is_as_said = expanded.is_ok() && n_steps == state.n_steps;
            let mentions = &portion.mentions[first..first + state.n_steps];
            for (slot, mention) in mentions.iter().take(n_steps).enumerate() {
                let vector = self.batch.vector(slot);
                portion.prints.push(self.prints.of(vector));
                portion.longest = portion.longest.max(vector.len());
                if mention.target == Target::New {
                    portion.new.push(vector);
                }
            }
            first += state.n_steps;
            let violations = self.batch.violations().to_vec();
            portion.found.push(Found { expanded, n_steps, is_accepting, violations });
            if !is_as_said {
                break;
            }
        }
    }

    /// Expands a state, as a whole or in some parts; gives whether that is everything.
    fn expand_one(&mut self, vector: &[u8], rounds: u64) -> Result<bool, Deviation> {
        self.cursor.load(vector);
        self.batch.clear();
        if self.streams & streams::ROUNDS == 0 {
            self.cursor.expand(&mut self.batch).map_err(halted)?;
            return Ok(true);
        }
        let mut is_whole = false;
        for _ in 0..rounds {
            if is_whole {
                return Err(Deviation::Rounds { claimed: rounds });
            }
            is_whole = self.cursor.expand_some(&mut self.batch).map_err(halted)?;
        }
        if rounds == 0 { Err(Deviation::Rounds { claimed: rounds }) } else { Ok(is_whole) }
    }

    /// What happens in a step of a state, in words, and the vector of the state that it leads to.
    pub(crate) fn step(&mut self, vector: &[u8], rounds: u64, slot: usize) -> Option<(String, Vec<u8>)> {
        self.expand_one(vector, rounds).ok()?;
        let key = self.batch.entries().get(slot)?.key;
        let moves = self.cursor.explain(key)?;
        let words = moves.iter().map(|one| match &one.location {
            Some(at) => format!("{} {at}: {}", one.process_name, one.text),
            None => format!("{}: {}", one.process_name, one.text),
        });
        Some((words.collect::<Vec<_>>().join("; "), self.batch.vector(slot).to_vec()))
    }
}

/// No end of an expansion but success is evidence.
fn halted(halt: Halt) -> Deviation {
    match halt {
        Halt::Refine(_) => Deviation::Lesson,
        Halt::Unsupported(fault) => Deviation::Fault(fault),
        Halt::Stopped | Halt::Full | Halt::Enough => Deviation::Fault(allways_model::Fault {
            message: "the successors of a state need more memory than there is".into(),
            ..allways_model::Fault::default()
        }),
    }
}

/// A result with its place in the order; `None` from a worker that panicked.
type Message<T> = Option<(u64, Portion<T>)>;

/// The workers, and what they have not given back.
pub(crate) enum Team<'a, 'scope, P: Prints> {
    /// One, on the thread that asks.
    Alone(Box<Worker<'a, P>>, Option<Portion<P::Print>>),
    /// Several threads.
    Threads {
        jobs: Sender<(u64, Portion<P::Print>)>,
        results: Receiver<Message<P::Print>>,
        handles: Vec<ScopedJoinHandle<'scope, bool>>,
        /// Results that came before their turn.
        early: BTreeMap<u64, Portion<P::Print>>,
        n_sent: u64,
        n_received: u64,
    },
}

/// Tells that a worker will not answer.
struct LastWords<T>(Sender<Message<T>>);

impl<T> Drop for LastWords<T> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(None);
        }
    }
}

impl<'a: 'scope, 'scope, P: Prints> Team<'a, 'scope, P> {
    /// As many threads as there are workers.
    pub(crate) fn start<'env>(workers: Vec<Worker<'a, P>>, scope: &'scope Scope<'scope, 'env>) -> Self {
        let (jobs, todo) = channel::<(u64, Portion<P::Print>)>();
        let (answers, results) = channel();
        let todo = Arc::new(Mutex::new(todo));
        let run = |mut worker: Worker<'a, P>| {
            let (todo, answers) = (todo.clone(), LastWords(answers.clone()));
            scope.spawn(move || {
                loop {
                    let job = todo.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((turn, mut portion)) = job else { return worker.knows_all() };
                    worker.expand(&mut portion);
                    // Results are not received any more once a deviation was found.
                    let _ = answers.0.send(Some((turn, portion)));
                }
            })
        };
        let handles = workers.into_iter().map(run).collect();
        Self::Threads { jobs, results, handles, early: BTreeMap::new(), n_sent: 0, n_received: 0 }
    }
}

impl<P: Prints> Team<'_, '_, P> {
    /// How many portions may be under way before a result is taken.
    pub(crate) fn most(&self) -> u64 {
        match self {
            Self::Alone(..) => 0,
            Self::Threads { handles, .. } => 3 * handles.len() as u64,
        }
    }

    /// How many portions are under way.
    pub(crate) fn n_under_way(&self) -> u64 {
        match self {
            Self::Alone(_, done) => u64::from(done.is_some()),
            Self::Threads { n_sent, n_received, .. } => n_sent - n_received,
        }
    }

    /// Has a portion expanded.
    pub(crate) fn send(&mut self, mut portion: Portion<P::Print>) {
        match self {
            Self::Alone(worker, done) => {
                worker.expand(&mut portion);
                *done = Some(portion);
            }
            Self::Threads { jobs, n_sent, .. } => {
                // A worker that is gone has said so, which `receive` hears.
                let _ = jobs.send((*n_sent, portion));
                *n_sent += 1;
            }
        }
    }

    /// The result of the portion that was sent first of those under way; `None` if there is none.
    ///
    /// # Panics
    /// If a worker panicked.
    pub(crate) fn receive(&mut self) -> Option<Portion<P::Print>> {
        match self {
            Self::Alone(_, done) => done.take(),
            Self::Threads { results, early, n_sent, n_received, .. } => {
                if n_sent == n_received {
                    return None;
                }
                let done = loop {
                    if let Some(done) = early.remove(n_received) {
                        break done;
                    }
                    let message = results.recv().ok().flatten();
                    let (turn, done) = message.expect("no worker panics");
                    early.insert(turn, done);
                };
                *n_received += 1;
                Some(done)
            }
        }
    }

    /// Ends the workers, and gives whether none of them has learnt anything.
    pub(crate) fn dismiss(self) -> bool {
        match self {
            Self::Alone(worker, _) => worker.knows_all(),
            Self::Threads { jobs, handles, .. } => {
                drop(jobs);
                let knows_all = |handle: ScopedJoinHandle<'_, bool>| handle.join().expect("no worker panics");
                handles.into_iter().all(knows_all)
            }
        }
    }
}
