//! The graph that an observer rebuilds from the calls of a search is that of the reference explorer.

use crate::cycles::graphs::Graph as CycleGraph;
use crate::cycles::systems::{Forbidden, System};
use crate::matrix::WORKERS;
use crate::toys::{self, bytes, words};
use allways_model::{
    Asleep, Batch, Cursor, Digest, Halt, Lesson, Lessons, Model, Move, Point, Process, StepKey, Variable,
    Violation,
};
use allways_search::{
    At, Bits, Config, End, Expanded, Limit, Limits, Observer, Outcome, Steps, StoreKind, Strategy, search,
};
use allways_store::StateRef;
use allways_testkit::reference;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::sync::Mutex;

/// Every search that keeps states.
const SEARCHES: [Strategy; 9] = [
    Strategy::Dfs,
    Strategy::Bfs,
    Strategy::Switches,
    Strategy::Preemptions,
    Strategy::Survey,
    Strategy::Ndfs,
    Strategy::Scc,
    Strategy::Cndfs,
    Strategy::Map,
];

/// What the observer has recorded for a state.
#[derive(Default)]
struct Vertex {
    vector: Vec<u8>,
    steps: BTreeMap<StepKey, Vec<u8>>,
    how: Option<Expanded>,
    n_asleep: u64,
    n_violations: u64,
    closed: bool,
}

#[derive(Default)]
struct Log {
    vertices: HashMap<StateRef, Vertex>,
    n_new: u64,
    n_passing: u64,
    end: Option<String>,
}

/// Rebuilds the graph, and checks the order of calls.
#[derive(Default)]
pub(crate) struct Recorder {
    log: Mutex<Log>,
    max_states: Option<usize>,
}

impl Recorder {
    /// The number of states at which it ends the search.
    pub(crate) fn until(max_states: usize) -> Self {
        Self { max_states: Some(max_states), ..Self::default() }
    }
}

impl Observer for Recorder {
    fn state(&self, at: StateRef, vector: &[u8]) -> ControlFlow<()> {
        let mut log = self.log.lock().unwrap();
        let vertex = Vertex { vector: vector.to_vec(), ..Vertex::default() };
        // The initial state may have had a violation before it was visited.
        let before = log.vertices.insert(at, vertex);
        if let Some(before) = before {
            assert!(before.vector.is_empty(), "a state is visited twice");
            log.vertices.get_mut(&at).unwrap().n_violations = before.n_violations;
        }
        if self.max_states == Some(log.vertices.len()) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn steps(&self, from: StateRef, steps: &Steps<'_>, how: Expanded) -> ControlFlow<()> {
        let mut log = self.log.lock().unwrap();
        log.n_new += steps.iter().filter(|step| step.new).count() as u64;
        assert_eq!(steps.iter().count(), steps.len());
        let vertex = log.vertices.get_mut(&from).expect("a state comes before its steps");
        assert!(!vertex.closed, "steps of a closed state");
        assert!(matches!(vertex.how, None | Some(Expanded::Part)), "no steps are missing");
        vertex.how = Some(how);
        vertex.n_asleep += steps.asleep();
        for step in steps.iter() {
            assert!(vertex.steps.insert(step.key, step.vector.to_vec()).is_none(), "a step is seen twice");
        }
        ControlFlow::Continue(())
    }

    fn violation(&self, at: At<'_>, _: &Violation) {
        let mut log = self.log.lock().unwrap();
        match at {
            At::Stored(at) => log.vertices.entry(at).or_default().n_violations += 1,
            At::Passing(vector) => {
                assert!(!vector.is_empty());
                log.n_passing += 1;
            }
        }
    }

    fn close(&self, at: StateRef) -> ControlFlow<()> {
        let mut log = self.log.lock().unwrap();
        let vertex = log.vertices.get_mut(&at).expect("a state is visited before it is closed");
        assert!(vertex.how.is_some() && !vertex.closed, "a state is expanded and then closed");
        vertex.closed = true;
        ControlFlow::Continue(())
    }

    fn end(&self, end: &End) {
        let before = self.log.lock().unwrap().end.replace(format!("{end:?}"));
        assert!(before.is_none(), "a search ends twice");
    }
}

/// Searches a model and compares what the observer saw with what the search counted and with the reference
/// graph.
pub(crate) fn check(model: &dyn Model, strategy: Strategy, config: &Config<'_>) -> Outcome {
    let recorder = Recorder::default();
    let outcome = search(model, strategy, &recorder, config);
    let what = format!("{strategy:?}, {} workers, reduce {}", config.workers, config.reduce);
    let log = recorder.log.into_inner().unwrap();
    assert_eq!(log.end.as_deref(), Some(&*format!("{:?}", outcome.end)), "{what}");
    let stats = &outcome.stats;
    let sum = |count: fn(&Vertex) -> u64| log.vertices.values().map(count).sum::<u64>();
    assert_eq!(log.vertices.len() as u64, stats.states, "{what}");
    assert_eq!(1 + sum(|v| v.steps.len() as u64) + sum(|v| v.n_asleep), stats.transitions, "{what}");
    // The workers of `cndfs` store states for each other.
    assert!(log.n_new < stats.states, "{what}");
    assert!(strategy == Strategy::Cndfs || 1 + log.n_new == stats.states, "{what}");
    if config.all_errors {
        assert_eq!(sum(|v| v.n_violations), stats.errors, "{what}");
    }
    let graph = reference::graph(model).unwrap();
    for vertex in log.vertices.values() {
        let expected = &graph[&vertex.vector];
        assert!(vertex.closed, "{what}");
        match vertex.how.expect("it was expanded") {
            Expanded::Whole => {
                assert!(vertex.steps.iter().all(|(key, to)| expected.get(key) == Some(to)), "{what}");
                assert_eq!(vertex.steps.len() as u64 + vertex.n_asleep, expected.len() as u64, "{what}");
            }
            Expanded::Part => {
                assert!(config.reduce && !vertex.steps.is_empty(), "{what}");
                assert!(vertex.steps.iter().all(|(key, to)| expected.get(key) == Some(to)), "{what}");
            }
            Expanded::Cut => {
                assert!(vertex.steps.is_empty() && config.limits.depth.is_some(), "{what}");
                assert!(!expected.is_empty(), "{what}");
            }
        }
    }
    if !config.reduce && config.limits == Limits::NONE {
        assert_eq!(log.vertices.len(), graph.len(), "{what}");
        assert!(log.vertices.values().all(|vertex| vertex.how == Some(Expanded::Whole)), "{what}");
    }
    outcome
}

fn all(mut check: impl FnMut(Strategy, usize)) {
    SEARCHES.into_iter().for_each(|strategy| WORKERS.into_iter().for_each(|n| check(strategy, n)));
}

#[test]
fn the_graph_is_that_of_the_reference() {
    for seed in 0..6 {
        let toy = toys::random_graph(seed, 200, 4).with_actors(3);
        let cycles = CycleGraph::random(seed, 150, 4, 3);
        all(|strategy, workers| {
            let config = Config { all_errors: true, ..Config::new(workers) };
            check(&toy, strategy, &config);
            check(&cycles, strategy, &config);
            let limits = Limits { depth: Some(3), ..Limits::NONE };
            check(&toy, strategy, &Config { limits, ..config });
        });
    }
}

#[test]
fn what_a_reduction_omits_is_in_the_calls() {
    let mut n_part = 0;
    for seed in 0..10 {
        let system = System::random(seed, 1, Forbidden::Never);
        all(|strategy, workers| {
            let config = Config { all_errors: true, reduce: true, ..Config::new(workers) };
            let reduced = check(&system, strategy, &config).stats;
            let whole = check(&system, strategy, &Config { reduce: false, ..config }).stats;
            n_part += u32::from(reduced.transitions < whole.transitions);
        });
    }
    assert!(n_part > 100, "only {n_part} searches omit something");
}

/// Counters that each count from zero to their own limit; all steps commute.
struct Sleepy(Vec<u32>);

struct SleepyCursor<'m> {
    tops: &'m [u32],
    at: Vec<u32>,
}

impl Model for Sleepy {
    fn digest(&self) -> Digest {
        Digest([3; 16])
    }

    fn cursor(&self, _lessons: &Lessons) -> Box<dyn Cursor + '_> {
        Box::new(SleepyCursor { tops: &self.0, at: Vec::new() })
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

    fn has_sleepers(&self) -> bool {
        true
    }
}

impl Cursor for SleepyCursor<'_> {
    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        out.push(StepKey(0), &vec![0; 4 * self.tops.len()]);
        Ok(())
    }

    fn load(&mut self, state: &[u8]) {
        self.at = words(state);
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        self.expand_awake(Asleep::NONE, out)
    }

    fn expand_awake(&mut self, asleep: Asleep, out: &mut Batch) -> Result<(), Halt> {
        let mut earlier = Asleep::NONE;
        for idx in (0..self.at.len()).filter(|&idx| self.at[idx] < self.tops[idx]) {
            if asleep.has(idx) {
                out.count_known();
            } else {
                let mut next = self.at.clone();
                next[idx] += 1;
                out.push(StepKey(idx as u64), &bytes(&next));
                out.put_to_sleep(out.len() - 1, earlier);
            }
            earlier.add(idx);
        }
        Ok(())
    }

    fn explain(&mut self, _: StepKey) -> Option<Vec<Move>> {
        Some(Vec::new())
    }

    fn lesson(&self) -> Lesson {
        Lesson::new()
    }

    fn reached(&self) -> Vec<u64> {
        Vec::new()
    }
}

#[test]
fn the_steps_of_sleepers_are_counted() {
    let sleepy = Sleepy(vec![3, 4, 2, 3]);
    all(|strategy, workers| {
        let awake = check(&sleepy, strategy, &Config::new(workers)).stats;
        let config = Config { sleep: true, ..Config::new(workers) };
        let stats = check(&sleepy, strategy, &config).stats;
        assert_eq!((stats.states, stats.transitions), (awake.states, awake.transitions));
    });
}

#[test]
fn an_observer_can_end_a_search() {
    all(|strategy, workers| {
        let recorder = Recorder::until(50);
        let outcome = search(&toys::grid(3, 20), strategy, &recorder, &Config::new(workers));
        assert!(matches!(outcome.end, End::Bounded(Limit::Observer)));
    });
}

#[test]
fn observers_compose() {
    let toy = toys::philosophers(4);
    let (one, other) = (Recorder::default(), Recorder::default());
    search(&toy, Strategy::Bfs, &(&one, ((), &other)), &Config { all_errors: true, ..Config::new(1) });
    let n_states = |recorder: &Recorder| recorder.log.lock().unwrap().vertices.len();
    assert!(n_states(&one) > 10 && n_states(&one) == n_states(&other));
    let (one, other) = (Recorder::default(), Recorder::until(5));
    let both: &[&dyn Observer] = &[&one, &other];
    let outcome = search(&toy, Strategy::Dfs, &both, &Config::new(1));
    assert!(matches!(outcome.end, End::Bounded(Limit::Observer)) && n_states(&one) == 5);
    assert!(both.watches() && !((), ()).watches());
}

#[test]
fn searches_without_states_report_violations_and_the_end() {
    let toy = toys::philosophers(3);
    let bits = Bits { n_bits: Some(1 << 16), n_hashes: 3 };
    let stores = [StoreKind::HashCompact, StoreKind::Bitstate(bits), StoreKind::Swarm(bits, 1)];
    let lossy = stores.map(|store| (Strategy::Dfs, store));
    for (strategy, store) in lossy.into_iter().chain([(Strategy::Walk, StoreKind::Exact)]) {
        let recorder = Recorder::default();
        let mut config = Config { store, all_errors: true, ..Config::new(1) };
        config.walks.most = Some(50);
        let outcome = search(&toy, strategy, &recorder, &config);
        let log = recorder.log.into_inner().unwrap();
        assert!(log.vertices.is_empty() && log.end.is_some());
        assert!(log.n_passing == outcome.stats.errors && log.n_passing > 0, "{strategy:?} {store:?}");
    }
}
