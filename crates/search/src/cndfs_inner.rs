//! The inner search of `cndfs`: from an accepting state that a worker has just made blue.

use crate::Observer;
use crate::cndfs::{BLUE, CYAN, CndfsShared, CndfsWorker, InnerFrame, PINK, RED, WHOLE};
use crate::control::Stop;
use crate::ndfs::expand_as_before;
use allways_store::{Recall, StateRef, Writer};
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Duration;

/// The number of checks with which a waiting worker begins, before it sleeps for `PAUSE` between checks.
const N_LOOKS: u32 = 200;
const PAUSE: Duration = Duration::from_micros(50);

impl<S: Recall, O: Observer> CndfsWorker<'_, S, O> {
    /// Runs the inner search from `seed`: makes the states that it sees red, or reports a cycle.
    pub(crate) fn search_inside(&mut self, seed: StateRef) -> Result<(), Stop> {
        self.pink.clear();
        self.awaited.clear();
        let mut next = Some(seed);
        while let Some(state) = next {
            let cyan = self.enter_inside(state, state == seed)?;
            if let Some(cyan) = cyan {
                self.report_cycle(cyan)?;
            }
            if cyan.is_some() || !self.shared.hunting() {
                self.inner.clear();
                self.inner_pending.clear();
                return Ok(());
            }
            next = self.advance_inside();
        }
        self.wait()?;
        for idx in 0..self.pink.len() {
            let state = self.pink[idx];
            self.shared.flag(state, RED)?;
            self.own.remove(state, PINK);
        }
        Ok(())
    }

    /// Puts a state on the inner stack. Returns a successor that is on this worker's outer stack, if there is
    /// one.
    fn enter_inside(&mut self, state: StateRef, is_seed: bool) -> Result<Option<StateRef>, Stop> {
        let CndfsShared { control, flags, max_depth, .. } = self.shared;
        if control.stopped() {
            return Err(Stop);
        }
        control.afford(self.own.add(state, PINK))?;
        self.pink.push(state);
        self.batch.clear();
        self.cursor.load(self.writer.open(state, 0));
        if !is_seed && self.cursor.accepting() {
            self.awaited.push(state);
        }
        let mut whole = true;
        if self.shared.reduce {
            let before = control.afford(flags.add_unless(state, WHOLE, BLUE))?;
            whole = before & (BLUE | WHOLE) != BLUE;
        }
        let expanded = expand_as_before(&mut *self.cursor, whole, &mut self.batch).1;
        let stored = self.writer.insert(&mut self.batch, &mut self.seen);
        control.afford(stored)?;
        let deep = (self.frames.len() + self.inner.len()) as u64 > *max_depth;
        let base = self.inner_pending.len();
        self.inner.push(InnerFrame { state, n_pending: 0 });
        for seen in self.seen.iter().rev() {
            let own = self.own.get(seen.state);
            if own & CYAN != 0 {
                return Ok(Some(seen.state));
            }
            let all = flags.get(seen.state);
            if own & PINK != 0 || all & RED != 0 {
                continue;
            }
            if deep && all & BLUE == 0 {
                self.shared.cut.store(true, Relaxed);
                continue;
            }
            self.inner_pending.push(seen.state);
        }
        let n_pending = (self.inner_pending.len() - base) as u32;
        self.inner.last_mut().expect("it was just put there").n_pending = n_pending;
        if let Err(halt) = expanded {
            return Err(self.fail(halt));
        }
        self.charge_stacks()?;
        Ok(None)
    }

    /// The next pending state that this inner search has not seen and that is not red.
    fn advance_inside(&mut self) -> Option<StateRef> {
        while let Some(frame) = self.inner.last_mut() {
            if frame.n_pending == 0 {
                self.inner.pop();
                continue;
            }
            frame.n_pending -= 1;
            let state = self.inner_pending.pop().expect("frames count their entries");
            if self.own.get(state) & PINK == 0 && self.shared.flags.get(state) & RED == 0 {
                return Some(state);
            }
        }
        None
    }

    /// Waits until the accepting states that the inner search has seen are red. Does not wait if paths were
    /// cut off, because some of these states may then never become red.
    fn wait(&mut self) -> Result<(), Stop> {
        let shared = self.shared;
        let mut n_looks = 0;
        while let Some(&state) = self.awaited.last() {
            if shared.flags.get(state) & RED != 0 || !shared.hunting() || shared.cut.load(Relaxed) {
                self.awaited.pop();
                continue;
            }
            if shared.control.stopped() {
                return Err(Stop);
            }
            n_looks += 1;
            if n_looks < N_LOOKS { thread::yield_now() } else { thread::sleep(PAUSE) }
        }
        Ok(())
    }
}
