//! Workers that wait for each other.

use super::*;
use allways_model::{Digest, Halt, Lesson, Lessons, Move, Point, Process, StepKey, Variable};
use allways_store::{Budget, Exact};
use std::sync::Barrier;
use std::time::Duration;

/// A first state, which is accepting, leads to two others, and both of them to a last one.
struct Fork;

struct ForkCursor(u8);

impl Model for Fork {
    fn digest(&self) -> Digest {
        Digest([0; 16])
    }

    fn cursor(&self, _lessons: &Lessons) -> Box<dyn Cursor + '_> {
        Box::new(ForkCursor(0))
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

impl Cursor for ForkCursor {
    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        out.push(StepKey(0), &[0; 4]);
        Ok(())
    }

    fn load(&mut self, state: &[u8]) {
        self.0 = state[0];
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        let targets: &[u8] = if self.0 == 0 { &[1, 2] } else { &[3] };
        for &target in targets.iter().filter(|_| self.0 < 3) {
            out.push(StepKey(u64::from(target)), &[target, 0, 0, 0]);
        }
        Ok(())
    }

    fn explain(&mut self, _: StepKey) -> Option<Vec<Move>> {
        None
    }

    fn accepting(&mut self) -> bool {
        self.0 == 0
    }

    fn lesson(&self) -> Lesson {
        Lesson::new()
    }

    fn reached(&self) -> Vec<u64> {
        Vec::new()
    }
}

/// Each of two workers has begun with a state and finds the other's in its queue, where it may get if the
/// other is held up between taking it from a queue and beginning with it. Both must go on with what they have
/// begun before they wait.
#[test]
fn workers_do_not_wait_for_each_other() {
    let mut config = Config::new(2);
    config.limits.time = Some(Duration::from_secs(10));
    let store = Exact::new(&Budget::new(None), 2);
    let shared = MapShared::new(&Fork, &store, &(), &config);
    let (ready, begun) = (Barrier::new(2), Barrier::new(2));
    let both = Mutex::new(Vec::new());
    let ended = shared.control.run(&config, |idx| {
        let mut worker = MapWorker::new(&shared, idx);
        let round = lock(&shared.iteration).round.clone();
        if idx == 0 {
            let initial = worker.begin()?;
            worker.visit(&round, initial, 0, 0)?;
            worker.flush(&round)?;
            lock(&both).extend(worker.queue.drain(..));
        }
        ready.wait();
        let [own, other] = [idx, 1 - idx].map(|idx| lock(&both)[idx]);
        assert!(worker.visit(&round, own.0, own.1, 0)?, "nobody else has it");
        begun.wait();
        worker.enqueue(other.0, other.1)?;
        worker.work()?;
        Ok(worker.counts.states)
    });
    let states: Result<u64, Stop> = ended.into_iter().sum();
    assert_eq!(states.expect("nobody waits for ever"), 4);
}
