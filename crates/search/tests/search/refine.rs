//! Searches of a model that must be refined: a door hides the states after it until a search has reached it.

use crate::toys::{bytes, violation, words};
use allways_model::{
    Batch, Cursor, Digest, Fault, Halt, Lesson, Lessons, Model, Move, Point, Process, Refined, StepKey,
    Variable, ViolationKind,
};
use allways_search::{
    Bits, Config, End, Limit, Limits, Outcome, StoreKind, Strategy, learn, refine, replay, search,
};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// A corridor for each branch: rooms of `LENGTH` states, and a door at the end of each but the last, where a
/// violation is.
struct Doors {
    n_branches: u32,
    n_rooms: u32,
    /// A cursor asks for a repetition after it has expanded this many states since it learnt something.
    patience: u32,
    /// Whether there is a violation at the end of the first branch.
    has_error: bool,
}

const LENGTH: u32 = 3;

impl Doors {
    fn n_states(&self) -> u64 {
        u64::from(1 + self.n_branches * self.n_rooms * LENGTH)
    }
}

struct DoorCursor<'m> {
    doors: &'m Doors,
    known: Lessons,
    at: Vec<u32>,
    lesson: Lesson,
    n_expanded: u32,
}

impl Model for Doors {
    fn digest(&self) -> Digest {
        Digest([7; 16])
    }

    fn cursor(&self, lessons: &Lessons) -> Box<dyn Cursor + '_> {
        let known = lessons.clone();
        Box::new(DoorCursor { doors: self, known, at: Vec::new(), lesson: Lesson::new(), n_expanded: 0 })
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

impl Cursor for DoorCursor<'_> {
    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        out.push(StepKey(0), &bytes(&[0, 0]));
        Ok(())
    }

    fn load(&mut self, state: &[u8]) {
        self.at = words(state);
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        let (branch, at, doors) = (self.at[0], self.at[1], self.doors);
        let last = doors.n_rooms * LENGTH;
        if branch == 0 {
            (1..=doors.n_branches).for_each(|to| out.push(StepKey(to.into()), &bytes(&[to, 1])));
        } else if at == last {
            if doors.has_error && branch == 1 {
                out.report(violation(ViolationKind::Assertion, None, "the end", 1));
            }
        } else if at % LENGTH == 0 && !self.known.contains(u64::from(branch) << 32 | u64::from(at)) {
            self.lesson.add(u64::from(branch) << 32 | u64::from(at));
        } else {
            out.push(StepKey(0), &bytes(&[branch, at + 1]));
        }
        self.n_expanded += u32::from(!self.lesson.is_empty());
        if self.n_expanded > doors.patience {
            return Err(Halt::Refine(self.lesson.clone()));
        }
        Ok(())
    }

    fn explain(&mut self, _: StepKey) -> Option<Vec<Move>> {
        Some(Vec::new())
    }

    fn lesson(&self) -> Lesson {
        self.lesson.clone()
    }

    fn reached(&self) -> Vec<u64> {
        Vec::new()
    }
}

fn refined(doors: &Doors, strategy: Strategy, config: &Config<'_>) -> (Outcome, Lessons, u32) {
    let (mut lessons, mut n_rounds) = (Lessons::new(), 0);
    let outcome = refine(config, Instant::now(), &mut lessons, &(), |config| {
        n_rounds += 1;
        search(doors, strategy, &(), config)
    });
    (outcome, lessons, n_rounds)
}

#[test]
fn every_search_learns_until_it_has_seen_everything() {
    let exhaustive = Strategy::ALL.into_iter().filter(|strategy| strategy.draw(1).is_none());
    for strategy in exhaustive {
        for (workers, patience) in [(1, 0), (1, 1000), (2, 0), (2, 2), (2, 1000)] {
            let doors = Doors { n_branches: 3, n_rooms: 4, patience, has_error: false };
            let config = Config::new(workers);
            let (outcome, lessons, n_rounds) = refined(&doors, strategy, &config);
            let what = format!("{strategy:?}, {workers} workers, patience {patience}");
            assert!(matches!(outcome.end, End::Exhausted), "{what}: {:?}", outcome.end);
            assert_eq!(outcome.stats.states, doors.n_states(), "{what}");
            assert_eq!(lessons.len(), 9, "{what}");
            assert!(outcome.lesson.is_empty(), "{what}");
            // A patient search reaches all doors in one round; the lessons of its workers are merged.
            assert!(if patience == 1000 { n_rounds == 4 } else { n_rounds >= 4 }, "{what}: {n_rounds}");
        }
    }
}

#[test]
fn a_search_that_has_something_to_learn_is_not_exhausted() {
    let doors = Doors { n_branches: 1, n_rooms: 2, patience: 1000, has_error: false };
    for strategy in Strategy::ALL {
        let mut config = Config::new(1);
        config.walks.most = Some(3);
        let outcome = search(&doors, strategy, &(), &config);
        assert!(matches!(outcome.end, End::Refine), "{strategy:?}: {:?}", outcome.end);
        assert_eq!(outcome.lesson.iter().collect::<Vec<_>>(), [1 << 32 | u64::from(LENGTH)]);
    }
    let store = StoreKind::Bitstate(Bits { n_bits: Some(1 << 12), n_hashes: 2 });
    let outcome = search(&doors, Strategy::Dfs, &(), &Config { store, ..Config::new(1) });
    assert!(matches!(outcome.end, End::Bounded(Limit::Lossy)) && outcome.lesson.len() == 1);
}

#[test]
fn walks_begin_again_too() {
    let doors = Doors { n_branches: 2, n_rooms: 3, patience: 50, has_error: true };
    let mut config = Config::new(1);
    config.walks.most = Some(100);
    let (outcome, lessons, _) = refined(&doors, Strategy::Walk, &config);
    assert!(matches!(outcome.end, End::Violated) && outcome.findings.len() == 1);
    assert!(lessons.contains(1 << 32 | u64::from(LENGTH)));
}

#[test]
fn what_was_found_stands_and_is_replayed_with_what_was_known() {
    let doors = Doors { n_branches: 2, n_rooms: 3, patience: 1, has_error: true };
    for (all_errors, n_lessons) in [(false, 4), (true, 4)] {
        let config = Config { all_errors, ..Config::new(1) };
        let (outcome, lessons, _) = refined(&doors, Strategy::Bfs, &config);
        assert!(lessons.len() <= n_lessons);
        let finding = &outcome.findings[0];
        assert!(replay(&doors, &finding.path).is_err(), "the doors are closed");
        let run = replay(&Refined::new(&doors, &lessons), &finding.path).unwrap();
        assert_eq!(run.violations.len(), 1);
    }
}

#[test]
fn a_violation_ends_the_search_though_there_is_more_to_learn() {
    // Depth first, the last branch is searched last.
    let doors = Doors { n_branches: 2, n_rooms: 1, patience: 0, has_error: true };
    let (outcome, lessons, n_rounds) = refined(&doors, Strategy::Dfs, &Config::new(1));
    assert!(matches!(outcome.end, End::Violated) && lessons.is_empty() && n_rounds == 1);
}

#[test]
fn limits_hold_for_all_rounds_together() {
    let doors = Doors { n_branches: 1, n_rooms: 5, patience: 0, has_error: false };
    let limits = Limits { states: Some(8), ..Limits::NONE };
    let (outcome, lessons, _) = refined(&doors, Strategy::Dfs, &Config { limits, ..Config::new(1) });
    assert!(matches!(outcome.end, End::Bounded(Limit::States)), "{:?}", outcome.end);
    assert_eq!(lessons.len(), 2, "what the last search was given");
    let limits = Limits { time: Some(Duration::from_millis(30)), ..Limits::NONE };
    let config = Config { limits, ..Config::new(1) };
    let slow = refine(&config, Instant::now(), &mut Lessons::new(), &(), |config| {
        std::thread::sleep(Duration::from_millis(20));
        search(&doors, Strategy::Dfs, &(), config)
    });
    assert!(matches!(slow.end, End::Bounded(Limit::Time)), "{:?}", slow.end);
}

#[test]
#[should_panic(expected = "learnt something new")]
fn learning_nothing_new_does_not_go_on_without_end() {
    let mut lesson = Lesson::new();
    lesson.add(1);
    learn::<()>(&mut Lessons::new(), |_| ControlFlow::Continue(lesson.clone()));
}

#[test]
fn a_fault_is_no_lesson() {
    let halt: Halt = Fault { message: "cannot".into(), ..Fault::default() }.into();
    assert_eq!(halt.into_fault().map(|fault| fault.message).as_deref(), Some("cannot"));
    assert!(Halt::Refine(Lesson::new()).into_fault().is_none());
}
