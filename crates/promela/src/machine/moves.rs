//! The moves of one step, for explanations: the step is executed again, and each move is recorded.

use super::Memory;
use super::expand::{FrameKind, Interpreter};
use super::target::{ALL, Explored, StepTarget};
use allways_model::{Batch, Halt, StepKey};

/// One move of an explained step.
#[derive(Clone, Debug)]
pub(crate) struct RawMove {
    pub(crate) pid: usize,
    /// The body that contains the statement.
    pub(crate) code: usize,
    pub(crate) statement: u32,
    pub(crate) before: Memory,
    pub(crate) after: Memory,
    /// The message on offer that this move takes, if it takes one.
    pub(crate) message: Vec<i32>,
}

/// An explained step.
#[derive(Debug)]
pub(crate) struct Explained {
    pub(crate) moves: Vec<RawMove>,
    /// Where it fails, if it ends in a violation.
    pub(crate) failing: Option<Failing>,
}

/// The state before a failing statement.
#[derive(Debug)]
pub(crate) struct Failing {
    pub(crate) memory: Memory,
    /// The process that fails.
    pub(crate) pid: usize,
    /// The failing statement, if the process is at one of several.
    pub(crate) statement: Option<u32>,
    /// The body that contains the failing statement.
    pub(crate) code: usize,
    /// The object that the failure concerns.
    pub(crate) object: Option<u32>,
}

impl Interpreter<'_> {
    /// Explains the step `key` from the loaded state.
    pub(crate) fn explain(&mut self, key: StepKey) -> Option<Explained> {
        self.wanted = Some(key);
        self.explained = None;
        let mut out = Batch::new();
        self.begin();
        let result = self.explore_all(&mut out);
        self.wanted = None;
        result.ok()?;
        self.explained.take()
    }

    /// Records the moves up to a failing statement, and the state before it. For a `d_step`, the statement is
    /// `inner`, counted from one.
    #[cold]
    pub(super) fn explain_failure(&mut self, inner: usize, object: Option<u32>) {
        // An error in an offer belongs to the first statement of the process that takes it.
        let inner = inner.max(1);
        let frame = &self.frames[self.depth];
        let failing = match (frame.kind, self.inner.get(inner - 1)) {
            // A rendezvous fails at the statements with which both processes begin it.
            (FrameKind::Offer { sender, .. }, _) if inner == 1 => Failing {
                memory: self.frames[self.depth - 1].memory.clone(),
                pid: sender as usize,
                statement: self.frames[self.depth - 1].taken,
                code: self.frames[self.depth - 1].code,
                object,
            },
            (_, Some(step)) => Failing {
                memory: step.before.clone(),
                pid: frame.pid as usize,
                statement: Some(step.statement),
                code: frame.code,
                object,
            },
            (_, None) if self.inner.is_empty() => Failing {
                memory: frame.memory.clone(),
                pid: frame.pid as usize,
                statement: frame.taken,
                code: frame.code,
                object,
            },
            (_, None) => Failing {
                memory: self.scratch.clone(),
                pid: frame.pid as usize,
                statement: None,
                code: frame.code,
                object,
            },
        };
        self.explained = Some(Explained { moves: self.moves_here(inner), failing: Some(failing) });
    }

    /// The moves from the base frame to `scratch`; of the last `d_step`, only the first `most` statements.
    pub(super) fn moves_here(&self, most: usize) -> Vec<RawMove> {
        let mut moves = Vec::new();
        for depth in 0..=self.depth {
            let frame = &self.frames[depth];
            let (after, inner, most) = match depth == self.depth {
                true => (&self.scratch, &self.inner, most),
                false => (&self.frames[depth + 1].memory, &frame.inner, usize::MAX),
            };
            let message = match frame.kind {
                FrameKind::Offer { .. } => frame.message.clone(),
                _ => Vec::new(),
            };
            let (pid, code) = (frame.pid as usize, frame.code);
            let mut add = |statement, before: &Memory, after: &Memory, message| {
                moves.push(RawMove {
                    pid,
                    code,
                    statement,
                    before: before.clone(),
                    after: after.clone(),
                    message,
                });
            };
            if inner.is_empty() {
                if let Some(statement) = frame.taken {
                    add(statement, &frame.memory, after, message);
                }
                continue;
            }
            for (idx, step) in inner.iter().take(most).enumerate() {
                let after = inner.get(idx + 1).map_or(after, |next| &next.before);
                add(step.statement, &step.before, after, if idx == 0 { message.clone() } else { Vec::new() });
            }
        }
        moves
    }

    /// Explores every step of the loaded state, after a timeout if there is no other.
    fn explore_all(&mut self, out: &mut Batch) -> Result<(), Halt> {
        if self.explore(ALL, out)? == Explored::Nothing && self.program.lowered().features.timeout {
            self.explore_after_timeout(out)?;
        }
        Ok(())
    }
}
