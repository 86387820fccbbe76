//! Portions of a script: expanded and fingerprinted by any worker, compared by one in the order of numbers.
//!
//! What takes time is to expand states and to hash their successors, and neither needs to know what the
//! others do. A worker is given some states with their tokens, and gives back what it found. All decisions
//! are made in `graph`, which takes results in the order in which the portions were cut, so that they do not
//! depend on the number of workers.

use crate::also::Also;
use crate::kept::Vectors;
use crate::print::Prints;
use crate::veracity::{Deviation, VeracityError};
use allways_model::certificate::script::{Expansion, Mention, Target};
use allways_model::certificate::streams;
use allways_model::{Batch, Cursor, Fault, Halt, Violation};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

/// What a worker found in a state.
pub(crate) struct Found {
    /// Whether it was expanded as a whole.
    pub(crate) expanded: Result<bool, Deviation>,
    /// What a limit of the model's own has cut off in it.
    pub(crate) cut: Option<Box<Fault>>,
    /// How many steps it has.
    pub(crate) n_steps: usize,
    /// Whether it is accepting, if the script has ranks.
    pub(crate) is_accepting: bool,
    pub(crate) violations: Vec<Violation>,
    /// The bytes of the longest vector that a step leads to.
    pub(crate) longest: usize,
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
    /// The prints of the states that the steps lead to, where one is needed.
    pub(crate) prints: Vec<T>,
    /// The vectors of those that are new.
    pub(crate) new: Vectors,
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
        }
    }
}

impl<T> Portion<T> {
    /// An empty portion from this state on, in the memory of another one.
    pub(crate) fn begin(mut self, first: u64, block: u64) -> Self {
        (self.first, self.block, self.flaw) = (first, block, None);
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
    /// Whether every state needs a print.
    counts: bool,
    /// A condition that is evaluated besides.
    also: Option<&'a Also>,
    batch: Batch,
}

impl<'a, P: Prints> Worker<'a, P> {
    pub(crate) fn new(cursor: Box<dyn Cursor + 'a>, prints: &'a P, streams: u16, counts: bool) -> Self {
        Self { cursor, prints, streams, counts, also: None, batch: Batch::new() }
    }

    /// The same, that also evaluates a condition.
    pub(crate) fn asking(self, also: Option<&'a Also>) -> Self {
        Self { also, ..self }
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

    /// Expands the states of a portion, up to the first that does not have the steps that the script says.
    pub(crate) fn expand(&mut self, portion: &mut Portion<P::Print>) {
        let (mut first, mut prints) = (0, Vec::new());
        for (idx, state) in portion.states.iter().enumerate() {
            let mentions = &portion.mentions[first..first + state.n_steps];
            let vector = portion.vectors.get(idx).unwrap_or_default();
            let found = self.expand_one(vector, state, mentions, &mut prints);
            let is_as_said = found.expanded.is_ok() && found.n_steps == state.n_steps;
            portion.prints.append(&mut prints);
            for (slot, _) in mentions.iter().enumerate().filter(|(_, mention)| mention.target == Target::New)
            {
                if slot < found.n_steps {
                    portion.new.push(self.batch.vector(slot));
                }
            }
            first += state.n_steps;
            portion.found.push(found);
            if !is_as_said {
                break;
            }
        }
    }

    /// Expands a state, and fingerprints the states that its steps lead to, as far as the script has them.
    #[inline]
    pub(crate) fn expand_one(
        &mut self,
        vector: &[u8],
        state: &Expansion,
        mentions: &[Mention],
        prints: &mut Vec<P::Print>,
    ) -> Found {
        let is_accepting = self.streams & streams::RANKS != 0 && self.is_accepting(vector);
        let expanded = if state.is_open {
            self.batch.clear();
            Ok(true)
        } else {
            self.expand_rounds(vector, state.rounds)
        };
        let expanded = expanded
            .and_then(|is_whole| if self.knows_all() { Ok(is_whole) } else { Err(Deviation::Lesson) });
        prints.clear();
        let mut longest = 0;
        for (slot, mention) in mentions.iter().take(self.batch.len()).enumerate() {
            let vector = self.batch.vector(slot);
            longest = longest.max(vector.len());
            let is_compared = mention.target != Target::New || !mention.is_last || self.counts;
            prints.push(if is_compared { self.prints.of(vector) } else { P::Print::default() });
        }
        let mut violations = match self.batch.violations() {
            [] => Vec::new(),
            some => some.to_vec(),
        };
        let cut = self.cursor.take_cut().map(Box::new);
        if let Some(also) = self.also.filter(|_| expanded.is_ok()) {
            self.cursor.load(vector);
            violations.extend(also.look(&mut *self.cursor));
            violations.extend(also.look_at_steps(&mut *self.cursor, vector, &self.batch));
        }
        Found { expanded, cut, n_steps: self.batch.len(), is_accepting, violations, longest }
    }

    /// Whether a state is accepting.
    pub(crate) fn is_accepting(&mut self, vector: &[u8]) -> bool {
        self.cursor.load(vector);
        self.cursor.accepting()
    }

    /// What a limit of the model's own has cut off in the state that was expanded last.
    pub(crate) fn take_cut(&mut self) -> Option<Fault> {
        self.cursor.take_cut()
    }

    /// What was expanded last.
    pub(crate) fn batch(&self) -> &Batch {
        &self.batch
    }

    /// The vector that a step of the state leads to which was expanded last.
    pub(crate) fn vector(&self, slot: usize) -> &[u8] {
        self.batch.vector(slot)
    }

    /// Expands a state, as a whole or in some parts; gives whether that is everything.
    #[inline]
    pub(crate) fn expand_rounds(&mut self, vector: &[u8], rounds: u64) -> Result<bool, Deviation> {
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

    /// Expands a state as a whole, or enough of it where the script says that states may be expanded in part.
    pub(crate) fn expand_some(&mut self, vector: &[u8]) -> Result<(), Deviation> {
        self.cursor.load(vector);
        self.batch.clear();
        let expanded = match self.streams & streams::ROUNDS {
            0 => self.cursor.expand(&mut self.batch),
            _ => self.cursor.expand_some(&mut self.batch).map(|_| ()),
        };
        expanded.map_err(halted)
    }

    /// What happens in a step of a state, in words, and the vector of the state that it leads to.
    pub(crate) fn step(&mut self, vector: &[u8], rounds: u64, slot: usize) -> Option<(String, Vec<u8>)> {
        self.expand_rounds(vector, rounds).ok()?;
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
pub(crate) fn halted(halt: Halt) -> Deviation {
    match halt {
        Halt::Refine(_) => Deviation::Lesson,
        Halt::Unsupported(fault) => Deviation::Fault(fault),
        Halt::Stopped | Halt::Full | Halt::Enough => Deviation::Fault(Fault {
            message: "the successors of a state need more memory than there is".into(),
            ..Fault::default()
        }),
    }
}

/// A result with its place in the order; `None` from a worker that panicked.
type Message<T> = Option<(u64, Portion<T>)>;

/// Several threads with a worker each, and what they have not given back.
pub(crate) struct Team<'scope, T> {
    jobs: Sender<(u64, Portion<T>)>,
    results: Receiver<Message<T>>,
    handles: Vec<ScopedJoinHandle<'scope, bool>>,
    /// Results that came before their turn.
    early: BTreeMap<u64, Portion<T>>,
    n_sent: u64,
    n_received: u64,
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

impl<'scope, T: Default + Send + 'scope> Team<'scope, T> {
    /// As many threads as there are workers.
    pub(crate) fn start<'a: 'scope, 'env, P: Prints<Print = T>>(
        workers: Vec<Worker<'a, P>>,
        scope: &'scope Scope<'scope, 'env>,
    ) -> Self {
        let (jobs, todo) = channel::<(u64, Portion<T>)>();
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
        Self { jobs, results, handles, early: BTreeMap::new(), n_sent: 0, n_received: 0 }
    }

    /// How many portions may be under way before a result is taken.
    pub(crate) fn most(&self) -> u64 {
        3 * self.handles.len() as u64
    }

    /// How many portions are under way.
    pub(crate) fn n_under_way(&self) -> u64 {
        self.n_sent - self.n_received
    }

    /// Has a portion expanded.
    pub(crate) fn send(&mut self, portion: Portion<T>) {
        // A worker that is gone has said so, which `receive` hears.
        let _ = self.jobs.send((self.n_sent, portion));
        self.n_sent += 1;
    }

    /// The result of the portion that was sent first of those under way; `None` if there is none.
    ///
    /// # Panics
    /// If a worker panicked.
    pub(crate) fn receive(&mut self) -> Option<Portion<T>> {
        if self.n_under_way() == 0 {
            return None;
        }
        let done = loop {
            if let Some(done) = self.early.remove(&self.n_received) {
                break done;
            }
            let message = self.results.recv().ok().flatten();
            let (turn, done) = message.expect("no worker panics");
            self.early.insert(turn, done);
        };
        self.n_received += 1;
        Some(done)
    }

    /// Ends the workers, and gives whether none of them has learnt anything.
    pub(crate) fn dismiss(self) -> bool {
        drop(self.jobs);
        let knows_all = |handle: ScopedJoinHandle<'_, bool>| handle.join().expect("no worker panics");
        self.handles.into_iter().all(knows_all)
    }
}
