//! Expands states: decides which processes are tried, by which target, and what it means if none can move.
//!
//! The driver does what is the same for every [`StepTarget`]: it chooses the persistent set of a reduced
//! search, lets the interpreter execute what another target leaves to it, and handles timeouts and deadlocks.
//! Native code is used once it is compiled; the compilation is started when a model turns out not to be tiny.

use super::eval::Eval;
use super::expand::Interpreter;
use super::moves::Explained;
use super::rules;
use super::target::{ALL, Explored, StepTarget};
use crate::native::Runtime;
use crate::program::Program;
use crate::reduce::Chooser;
use allways_model::{Batch, Fact, Halt, StepKey, Violation};

/// A model is compiled when this many of its states were expanded.
const STATES_BEFORE_COMPILING: u32 = 500;

/// Sets of processes contain only processes with smaller numbers than this.
const MAX_NAMED: u8 = 64;

/// A worker's position in a program.
pub(crate) struct Driver<'p> {
    program: &'p Program,
    pub(crate) interpreter: Interpreter<'p>,
    /// The error before the first step, if there is one.
    failing_start: Option<Violation>,
    native: Option<Box<Runtime>>,
    /// Whether native code, and not the interpreter, has the loaded state.
    in_native: bool,
    in_interpreter: bool,
    /// Chooses sufficient sets of processes, if the model is reduced; then the processes tried so far in the
    /// loaded state, and whether any of them could move. `None` if none was tried yet.
    chooser: Option<Chooser<'p>>,
    tried: Option<u64>,
    moved: bool,
    /// The steps of a process of which only one step is taken; kept to reuse its memory.
    alone: Batch,
    /// The number of states expanded so far, counted as long as it matters.
    n_expanded: u32,
    /// The number of states that the interpreter expanded before native code was ready.
    n_early: u64,
}

impl<'p> Driver<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Self {
            program,
            failing_start: Interpreter::failing_start(program),
            interpreter: Interpreter::new(program),
            native: program.native_runtime(),
            in_native: false,
            in_interpreter: false,
            chooser: program.order().map(Chooser::new),
            tried: None,
            moved: false,
            alone: Batch::new(),
            n_expanded: 0,
            n_early: 0,
        }
    }

    pub(crate) fn load(&mut self, state: &[u8]) {
        if let Some(native) = &mut self.native {
            native.load(state);
        } else {
            self.interpreter.load(state);
        }
        self.in_native = self.native.is_some();
        self.in_interpreter = !self.in_native;
        self.tried = None;
    }

    /// Native code, if it has the loaded state.
    pub(crate) fn native(&self) -> Option<&Runtime> {
        self.native.as_deref().filter(|_| self.in_native)
    }

    /// The interpreter, with the loaded state.
    pub(crate) fn interpreter(&mut self) -> &mut Interpreter<'p> {
        if let Some(native) = self.native.as_ref().filter(|_| !self.in_interpreter) {
            self.interpreter.load(native.loaded());
            self.in_interpreter = true;
        }
        &mut self.interpreter
    }

    /// Starts to compile a model that is not tiny, and uses the code as soon as it is ready.
    fn think_of_compiling(&mut self) {
        self.n_early += 1;
        self.n_expanded = self.n_expanded.wrapping_add(1);
        if self.n_expanded == STATES_BEFORE_COMPILING {
            self.program.request_native();
        }
        if self.n_expanded.is_multiple_of(64) && self.n_expanded >= STATES_BEFORE_COMPILING {
            self.native = self.program.native_runtime();
        }
    }

    /// Expands the loaded state.
    pub(crate) fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        if let Some(violation) = &self.failing_start {
            out.report(violation.clone());
            return Ok(());
        }
        let explored = match self.native.as_mut().filter(|_| self.in_native) {
            Some(native) => native.explore(ALL, out)?,
            None => {
                self.think_of_compiling();
                Explored::Interpret
            }
        };
        if explored == Explored::Done {
            return Ok(());
        }
        self.interpreter().begin();
        if self.complete(explored, ALL, out)? { Ok(()) } else { self.after_nothing(out) }
    }

    /// Appends the step `key` of the loaded state, without computing those of other processes.
    ///
    /// The steps of a process do not depend on which other processes are tried, so only the process that
    /// begins the step is tried. If it cannot take the step (perhaps the step needs a timeout), or if sets of
    /// processes cannot contain it, the whole state is expanded.
    pub(crate) fn take(&mut self, key: StepKey, out: &mut Batch) -> Result<(), Halt> {
        let mut all = std::mem::take(&mut self.alone);
        all.clear();
        let mut result = self.try_alone(key, &mut all);
        if result.is_ok() && !all.has_step(key) {
            all.clear();
            result = self.expand(&mut all);
        }
        out.append_step(key, &all);
        self.alone = all;
        result
    }

    /// Appends the steps of the process that begins the step `key`, if a set of processes can contain it.
    fn try_alone(&mut self, key: StepKey, out: &mut Batch) -> Result<(), Halt> {
        let n_processes = match self.native() {
            Some(native) => native.loaded()[0],
            None => self.interpreter.memory().bytes[0],
        };
        let pid = 255_u64.checked_sub(key.0 >> 32);
        let pid = pid.filter(|pid| n_processes <= MAX_NAMED && *pid < u64::from(n_processes));
        let Some(pid) = pid.filter(|_| self.failing_start.is_none()) else { return Ok(()) };
        let set = 1 << pid;
        let explored = match self.native.as_mut().filter(|_| self.in_native) {
            Some(native) => native.explore(set, out)?,
            None => {
                self.think_of_compiling();
                Explored::Interpret
            }
        };
        if explored == Explored::Done {
            return Ok(());
        }
        self.interpreter().begin();
        self.complete(explored, set, out).map(|_| ())
    }

    /// Expands a sufficient part of the loaded state, or a further part. Returns whether the expansion is now
    /// complete.
    pub(crate) fn expand_some(&mut self, out: &mut Batch) -> Result<bool, Halt> {
        if self.chooser.is_none() || self.failing_start.is_some() {
            return self.expand(out).map(|()| true);
        }
        if !self.in_native {
            self.think_of_compiling();
        }
        // Processes are chosen by the vector in the interpreter's form.
        let n_processes = self.interpreter().memory().bytes[0];
        let mut tried = self.tried.unwrap_or_else(|| {
            self.begin_choice();
            0
        });
        while let Some(set) = self.choose() {
            let new = set & !tried;
            tried |= new;
            self.tried = Some(tried);
            // Where a step is cut off, the others are tried as well: this step leads to none of theirs.
            let goes_on = new != 0 && self.explore(new, out)?;
            self.moved |= goes_on;
            if goes_on && !self.interpreter.is_cut() {
                return Ok(tried.count_ones() == u32::from(n_processes));
            }
        }
        let rest = if tried == 0 { ALL } else { !tried };
        if !self.explore(rest, out)? && !self.moved {
            self.after_nothing(out)?;
        }
        Ok(true)
    }

    /// Begins to expand the loaded state in parts.
    fn begin_choice(&mut self) {
        self.interpreter.begin();
        self.moved = false;
        let memory = self.interpreter.memory();
        if let Some(chooser) = &mut self.chooser {
            let processes = self.interpreter.layouts.get(memory.layout).processes.iter();
            let processes = processes.map(|slot| (slot.ty.0, slot.offset));
            chooser.begin(memory, self.program.lowered().ranks_matter(processes, &memory.bytes));
        }
        self.interpreter.visit_all();
    }

    /// The next sufficient set of processes, if there is one.
    fn choose(&mut self) -> Option<u64> {
        let Interpreter { layouts, .. } = &self.interpreter;
        self.chooser.as_mut()?.next(self.program.lowered(), layouts, self.interpreter.memory())
    }

    /// Explores the steps that the processes of `set` begin. Returns whether there is any.
    fn explore(&mut self, set: u64, out: &mut Batch) -> Result<bool, Halt> {
        let explored = match self.native.as_mut().filter(|_| self.in_native) {
            Some(native) => native.explore(set, out)?,
            None => Explored::Interpret,
        };
        self.complete(explored, set, out)
    }

    /// Lets the interpreter execute what another target has left of `set`, and the other target what follows
    /// it. Returns whether any step is possible. The interpreter must have the loaded state.
    fn complete(&mut self, mut explored: Explored, mut set: u64, out: &mut Batch) -> Result<bool, Halt> {
        let mut any = false;
        loop {
            match (explored, &mut self.native) {
                (Explored::Done, _) => return Ok(true),
                (Explored::Nothing, _) => return Ok(any),
                (Explored::Left(left), Some(native)) => {
                    any |= left.moved;
                    any |= self.interpreter.explore(1 << left.pid, out)? == Explored::Done;
                    set &= (1 << left.pid) - 1;
                    explored = native.explore(set, out)?;
                }
                (Explored::Interpret | Explored::Left(_), _) => {
                    return Ok(self.interpreter.explore(set, out)? == Explored::Done || any);
                }
            }
        }
    }

    /// Handles a state without steps: a timeout may enable some; otherwise it is the end or a deadlock.
    fn after_nothing(&mut self, out: &mut Batch) -> Result<(), Halt> {
        // A step is possible, but it was cut off.
        if self.interpreter.is_cut() {
            return Ok(());
        }
        let mut any = false;
        if self.program.lowered().features.timeout {
            any = self.interpreter.explore_after_timeout(out)? == Explored::Done;
        }
        // A state in which a fatal error occurs is not reported as a deadlock as well.
        if !any && !self.interpreter.has_failed() {
            self.report_deadlock(out);
        }
        Ok(())
    }

    /// Reports the loaded state, which has no steps, unless every process is at a valid end state.
    #[cold]
    fn report_deadlock(&self, out: &mut Batch) {
        let memory = self.interpreter.memory();
        let lowered = self.program.lowered();
        if !lowered.check_ends {
            return;
        }
        let eval = Eval::new(lowered, &self.interpreter.layouts, memory, 0, &self.interpreter.trouble);
        let mut stuck = Vec::new();
        let mut location = None;
        for (pid, slot) in eval.layout.processes.iter().enumerate() {
            let proctype = &lowered.proctypes[usize::from(slot.ty.0)];
            let mut own =
                Eval::new(lowered, &self.interpreter.layouts, memory, pid, &self.interpreter.trouble);
            let (body, pc) = own.position();
            if body.may_end[pc] {
                continue;
            }
            let at = body.at[pc].map(|idx| body.statements[idx as usize].span);
            location = location.or_else(|| at.map(|span| self.program.location(span)));
            stuck.push(Fact::new("process", format_args!("{}({pid})", proctype.name.trim_matches(':'))));
        }
        let mut rule = &rules::INVALID_END_STATE;
        if stuck.is_empty() {
            let Some(trace) = lowered.trace.as_ref().filter(|_| memory.bytes[0] > 0) else { return };
            let at = super::eval::read(&memory.bytes, trace.place.offset as usize, trace.place.scalar);
            if trace.may_end[at as usize] {
                return;
            }
            rule = &rules::TRACE_NOT_COMPLETED;
            location = Some(self.program.location(trace.span));
        }
        out.report(Violation { facts: stuck, location, ..Violation::new(rule) });
    }

    /// The step `key` from the loaded state.
    pub(crate) fn explain(&mut self, key: StepKey) -> Option<Explained> {
        self.interpreter().explain(key)
    }

    /// Statistics, with names for users.
    pub(crate) fn counters(&self) -> Vec<(&'static str, u64)> {
        let native = self.native.as_deref();
        vec![
            ("expansions by native code", native.map_or(0, |native| native.n_expanded)),
            ("expansions by the interpreter before there was native code", self.n_early),
            (
                "expansions that native code left to the interpreter",
                native.map_or(0, |native| native.n_given_up),
            ),
        ]
    }

    /// One bit for each of the program's points: whether this worker has been there.
    pub(crate) fn reached(&self) -> Vec<u64> {
        let mut reached = self.interpreter.reached().to_vec();
        let visited = self.native.as_deref().map_or(&[][..], Runtime::visited);
        for (state, _) in visited.iter().enumerate().filter(|&(_, visited)| *visited != 0) {
            for &point in self.program.points_of(state) {
                reached[point as usize / 64] |= 1 << (point % 64);
            }
        }
        reached
    }
}
