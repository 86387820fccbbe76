//! How a state of the script is reached, in words: for people who want to know where a certificate deviates.
//!
//! The script is read again up to the state, which finds its ancestors; everything that precedes a deviation
//! was found to be true, so the path is a run of the certifier's program.

use crate::portion::Worker;
use crate::print::Exact;
use crate::veracity::Error;
use allways_model::certificate::Frame;
use allways_model::certificate::script::{Block, Target};
use allways_model::{Lessons, Model};

/// The steps from the initial state to the state with a number; `None` if the script does not lead there.
pub(crate) fn steps_to(
    model: &dyn Model,
    lessons: &Lessons,
    streams: u16,
    blocks: impl Iterator<Item = Result<(Frame, Vec<u8>), Error>>,
    number: u64,
) -> Option<Vec<String>> {
    // For each number from 2 on the state and the position of the step that is new; for each expanded state
    // its rounds.
    let (mut arrivals, mut rounds): (Vec<(u64, usize)>, Vec<u64>) = (Vec::new(), Vec::new());
    'script: for block in blocks {
        let (frame, raw) = block.ok()?;
        let mut block = Block::new(&frame, streams, &raw).ok()?;
        while let Some(state) = block.next_state().ok()? {
            rounds.push(state.rounds);
            for slot in 0..state.n_steps {
                if block.next_target(slot).ok()?.target == Target::New {
                    arrivals.push((rounds.len() as u64, slot));
                }
            }
            if arrivals.len() as u64 + 1 >= number {
                break 'script;
            }
        }
    }
    let mut path = Vec::new();
    let mut at = number;
    while at > 1 {
        let (from, slot) = *arrivals.get(usize::try_from(at - 2).ok()?)?;
        path.push((*rounds.get(usize::try_from(from - 1).ok()?)?, slot));
        at = from;
    }
    let mut worker = Worker::new(model.cursor(lessons), &Exact, streams, false);
    let (mut vector, _) = worker.initial().ok()?;
    let mut steps = Vec::new();
    for (rounds, slot) in path.into_iter().rev() {
        let (words, next) = worker.step(&vector, rounds, slot)?;
        steps.push(words);
        vector = next;
    }
    Some(steps)
}
