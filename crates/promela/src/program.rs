//! A compiled model: the intermediate form with its sources, seen by the engine as a transition system.

use crate::cursor::ProgramCursor;
use crate::explain;
use crate::ir::{Action, Added, Expr, ProctypeId};
use crate::lower::{ClaimBody, Lowered};
use crate::machine::{Layouts, Memory};
use crate::native::{Native, Runtime};
use crate::options::Dynamics;
use crate::reduce::{self, Forgotten, Reductions, StepOrder};
use crate::syntax::ast::Span;
use crate::syntax::source::SourceMap;
use crate::truncation::Truncations;
use allways_model::{
    Acceptance, Cursor, Digest, Fact, Heap, Lessons, Location, Model, Partition, Point, Process, StepKey,
    Variable, Violation,
};
use std::sync::Arc;
use std::time::Duration;

/// A Promela model, ready to run.
#[derive(Debug)]
pub struct Program {
    /// Shared with the thread that compiles it to native code; not changed once a cursor was made.
    lowered: Arc<Lowered>,
    sources: SourceMap,
    files: Vec<Arc<str>>,
    /// The digest of the program as it was loaded: its control, its variables and their source locations.
    loaded: Digest,
    points: Vec<Point>,
    /// The index of each process type's first control state in the list of all of them.
    first_state: Vec<u32>,
    n_states: usize,
    /// The points that are reached when a process is in a control state.
    points_of: Vec<Vec<u32>>,
    native: Native,
    /// Whether transitions are compiled once a search turns out to be long.
    compiles: bool,
    reductions: Reductions,
    /// The reductions that were asked for and shape states and keys.
    shaping: Reductions,
    irreducible: Option<&'static str>,
    /// What the choice of steps needs, if the model can be reduced by it.
    order: Option<StepOrder>,
    /// Which propositions depend on whether any step is possible without a timeout.
    timeout_propositions: Vec<bool>,
    /// What reductions reset, if they reset anything.
    forgotten: Option<Arc<Forgotten>>,
    /// The values that any cursor truncated when they were stored.
    truncations: Arc<Truncations>,
}

impl Program {
    pub(crate) fn new(lowered: Lowered, sources: SourceMap) -> Self {
        let loaded = Digest::of(&(
            (&lowered.proctypes, &lowered.setup, &lowered.channel_types),
            (&lowered.active, &lowered.trace),
        ));
        let loaded = match &lowered.dynamic {
            None => loaded,
            Some(dynamic) => {
                Digest::of(&(loaded.to_string(), "dynamic", &dynamic.functions, &dynamic.objects))
            }
        };
        let files = (0..sources.n_files()).map(|file| sources.name(file as u32).into()).collect();
        let mut program = Self {
            lowered: Arc::new(lowered),
            sources,
            files,
            loaded,
            points: Vec::new(),
            first_state: Vec::new(),
            n_states: 0,
            points_of: Vec::new(),
            native: Native::default(),
            compiles: true,
            reductions: Reductions::NONE,
            shaping: Reductions::NONE,
            irreducible: None,
            order: None,
            timeout_propositions: Vec::new(),
            forgotten: None,
            truncations: Arc::default(),
        };
        program.index_points();
        program
    }

    fn index_points(&mut self) {
        let mut points = Vec::new();
        let mut points_of = Vec::new();
        let functions = self.lowered.dynamic.iter().flat_map(|dynamic| &dynamic.functions);
        for proctype in self.lowered.proctypes.iter().chain(functions.map(|function| &function.body)) {
            self.first_state.push(points_of.len() as u32);
            let mut point_of = vec![None; proctype.statements.len()];
            for (idx, statement) in proctype.statements.iter().enumerate() {
                if statement.reportable {
                    point_of[idx] = Some(points.len() as u32);
                    points.push(Point {
                        owner: proctype.name.clone(),
                        location: Some(self.location(statement.span)),
                        state: u32::from(statement.state.0),
                        text: statement.text.to_string(),
                    });
                }
            }
            for list in &proctype.transitions {
                points_of.push(list.iter().filter_map(|t| point_of[t.statement as usize]).collect());
            }
        }
        self.n_states = points_of.len();
        self.points = points;
        self.points_of = points_of;
    }

    /// Whether the model uses pointers, objects, functions or other dynamic features.
    #[must_use]
    pub fn is_dynamic(&self) -> bool {
        self.lowered.dynamic.is_some()
    }

    /// The same model, with its dynamic features set by the options.
    #[must_use]
    pub fn with_dynamics(mut self, options: Dynamics) -> Self {
        let lowered = Arc::get_mut(&mut self.lowered).expect("no cursor was made yet");
        if let Some(dynamic) = &mut lowered.dynamic {
            dynamic.options = options;
        }
        self
    }

    /// The same model without the check of `xr` and `xs` claims. The claims matter to reductions, so a search
    /// without reductions need not enforce them. Traces of one are not traces of the other.
    #[must_use]
    pub fn without_exclusive_checks(mut self) -> Self {
        let lowered = Arc::get_mut(&mut self.lowered).expect("no cursor was made yet");
        lowered.check_exclusive = false;
        self
    }

    /// The same model, in which assertions are evaluated and may fail. Traces of one are not traces of the
    /// other: a failing assertion takes a key.
    #[must_use]
    pub fn without_assertions(mut self) -> Self {
        let lowered = Arc::get_mut(&mut self.lowered).expect("no cursor was made yet");
        let claims = lowered.claims.iter_mut().filter_map(|claim| match &mut claim.body {
            ClaimBody::Never(table) => Some(&mut table.statements),
            ClaimBody::Formula(..) => None,
        });
        let statements = lowered.proctypes.iter_mut().map(|proctype| &mut proctype.statements).chain(claims);
        for statement in statements.flatten() {
            if let Action::Assert(e, _) = &mut statement.action {
                // An error in the condition itself is still reported.
                let condition = std::mem::replace(e, Expr::Const(1));
                *e = Expr::Or(Box::new(condition), Box::new(Expr::Const(1)));
            }
        }
        self.loaded = Digest::of(&("without assertions", self.loaded));
        self
    }

    /// The same model, in which every process may end in any control state.
    #[must_use]
    pub fn without_end_states(mut self) -> Self {
        Arc::get_mut(&mut self.lowered).expect("no cursor was made yet").check_ends = false;
        self
    }

    /// The same model with reductions; to be called at most once. Dead variables and merging give it other
    /// states and other steps, so traces of one are not traces of the other. The choice of steps does not.
    #[must_use]
    pub fn with_reductions(mut self, reductions: Reductions) -> Self {
        debug_assert!(self.reductions == Reductions::NONE, "a program is reduced once");
        let lowered = Arc::get_mut(&mut self.lowered).expect("no cursor was made yet");
        let applied = reduce::apply(lowered, reductions);
        self.order = applied.order;
        self.reductions = applied.effective;
        self.irreducible = applied.why;
        self.forgotten = applied.forgotten.map(Arc::new);
        self.shaping = Reductions { order: false, ..reductions };
        self
    }

    /// The program in which runs of this one are shown. Its variables have their real values, including those
    /// that `dead` resets here. `None` if nothing is reset. Both have the same digest, because each path of
    /// one is a path of the other with the same keys; their states are related by [`Self::forget`].
    #[must_use]
    pub fn with_real_values(&self) -> Option<Self> {
        let forgotten = self.forgotten.as_ref()?;
        let mut lowered = Lowered::clone(&self.lowered);
        forgotten.restore(&mut lowered);
        lowered.keeps = Some(forgotten.clone());
        let mut program = Self::new(lowered, self.sources.clone());
        (program.loaded, program.shaping) = (self.loaded, self.shaping);
        program.timeout_propositions.clone_from(&self.timeout_propositions);
        program.reductions = self.reductions;
        program.truncations = self.truncations.clone();
        Some(program.interpreted())
    }

    /// Resets in a state of [`Self::with_real_values`] what this program does not keep, which gives this
    /// program's state.
    pub fn forget(&self, state: &mut Vec<u8>) {
        if let Some(forgotten) = &self.forgotten {
            forgotten.forget(state, &self.lowered, &mut Layouts::new(&self.lowered));
        }
    }

    /// The same model, changed by a test.
    #[cfg(test)]
    pub(crate) fn changed(mut self, change: impl FnOnce(&mut Lowered)) -> Self {
        change(Arc::get_mut(&mut self.lowered).expect("no cursor was made yet"));
        self
    }

    /// The reductions that have an effect.
    #[must_use]
    pub fn reductions(&self) -> Reductions {
        self.reductions
    }

    /// Why reductions that were asked for have no effect, if that applies to any.
    #[must_use]
    pub fn irreducible(&self) -> Option<&'static str> {
        self.irreducible
    }

    #[inline]
    pub(crate) fn asks_for_timeout(&self, proposition: u32) -> bool {
        self.timeout_propositions[proposition as usize]
    }

    pub(crate) fn truncations(&self) -> &Arc<Truncations> {
        &self.truncations
    }

    pub(crate) fn order(&self) -> Option<&StepOrder> {
        self.order.as_ref()
    }

    /// The same model, run by the interpreter alone.
    #[must_use]
    pub fn interpreted(mut self) -> Self {
        self.compiles = false;
        self
    }

    /// Compiles the transitions now, instead of when a search turns out to be long. Returns how long it took,
    /// if the model can be compiled on this machine.
    pub fn compile(&self) -> Option<Duration> {
        self.compiles.then(|| self.native.compile(&self.lowered)).flatten()
    }

    /// The names of never claims and formulas, in the order of the model.
    pub fn claims(&self) -> impl Iterator<Item = &Arc<str>> {
        self.lowered.claims.iter().map(|claim| &claim.name)
    }

    /// Sets what the property observes. It is part of the digest, because reductions depend on it.
    pub(crate) fn set_watched(&mut self, propositions: Vec<Expr>, accept_labels: bool, fair: bool) {
        let lowered = Arc::get_mut(&mut self.lowered).expect("no cursor was made yet");
        let progress = propositions.iter().any(|e| e.contains(&|e| matches!(e, Expr::NonProgress)));
        self.timeout_propositions =
            propositions.iter().map(|e| e.contains(&|e| matches!(e, Expr::Timeout))).collect();
        lowered.propositions = propositions;
        lowered.observes_accept_labels = accept_labels;
        lowered.observes_progress_labels = progress;
        lowered.fair = fair;
    }

    /// Removes the claim with this index.
    pub(crate) fn remove_claim(&mut self, idx: usize) {
        let lowered = Arc::get_mut(&mut self.lowered).expect("no cursor was made yet");
        lowered.claims.remove(idx);
    }

    /// Adds reads to what the property observes.
    pub(crate) fn observe(&mut self, reads: Vec<Expr>) {
        self.timeout_propositions.resize(self.timeout_propositions.len() + reads.len(), false);
        let lowered = Arc::get_mut(&mut self.lowered).expect("no cursor was made yet");
        lowered.propositions.extend(reads);
    }

    /// The sources, for diagnostics.
    #[must_use]
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// A worker's side of the compiled transitions, if they are ready.
    #[inline]
    pub(crate) fn native_runtime(&self) -> Option<Box<Runtime>> {
        if self.compiles { self.native.runtime() } else { None }
    }

    /// Starts to compile the transitions in parallel with the search.
    pub(crate) fn request_native(&self) {
        if self.compiles {
            self.native.request(&self.lowered);
        }
    }

    pub(crate) fn lowered(&self) -> &Lowered {
        &self.lowered
    }

    pub(crate) fn n_control_states(&self) -> usize {
        self.n_states
    }

    pub(crate) fn n_points(&self) -> usize {
        self.points.len()
    }

    #[inline]
    pub(crate) fn control_state_index(&self, code: usize, pc: usize) -> usize {
        self.first_state[code] as usize + pc
    }

    pub(crate) fn points_of(&self, control_state: usize) -> &[u32] {
        &self.points_of[control_state]
    }

    pub(crate) fn location(&self, span: Span) -> Location {
        let (line, column) = self.sources.line_column(span);
        let file = self.files.get(span.file as usize).cloned().unwrap_or_else(|| "?".into());
        Location { file, line, column }
    }

    pub(crate) fn proctype(&self, id: ProctypeId) -> &crate::ir::Proctype {
        &self.lowered.proctypes[usize::from(id.0)]
    }

    /// A vector with its layout.
    pub(crate) fn memory(&self, state: &[u8]) -> (Layouts, Memory) {
        let mut layouts = Layouts::new(&self.lowered);
        let layout = layouts.of(state, &self.lowered);
        let mut memory = Memory { bytes: state.to_vec(), layout, ..Memory::default() };
        if let Some(dynamic) = &self.lowered.dynamic {
            memory.find_objects(dynamic, layouts.get(layout).size as usize);
        }
        (layouts, memory)
    }
}

impl Model for Program {
    fn digest(&self) -> Digest {
        let lowered = &*self.lowered;
        Digest::of(&(
            ("promela", 2_u8, self.loaded),
            (lowered.check_exclusive, self.shaping.dead, self.shaping.merge),
            (&lowered.propositions, lowered.observes_accept_labels),
            Added(lowered.dynamic.as_ref().map(|dynamic| dynamic.options)),
        ))
    }

    fn cursor(&self, _lessons: &Lessons) -> Box<dyn Cursor + '_> {
        Box::new(ProgramCursor::new(self))
    }

    fn processes(&self, state: &[u8]) -> Vec<Process> {
        explain::processes(self, state)
    }

    fn variables(&self, state: &[u8]) -> Vec<Variable> {
        let (layouts, memory) = self.memory(state);
        explain::variables(self, &layouts, &memory)
    }

    /// Globals, channels and processes.
    fn background(&self, steps: &[StepKey], violation: &Violation) -> Vec<Fact> {
        explain::background(self, steps, violation)
    }

    fn heap(&self, _state: &[u8], steps: &[StepKey]) -> Option<Heap> {
        explain::heap(self, steps)
    }

    fn partition(&self) -> Partition<'_> {
        let mut layouts = Layouts::new(&self.lowered);
        let mut memory = Memory::default();
        Box::new(move |vector, ends| {
            let layout = layouts.of(vector, &self.lowered);
            let layout = layouts.get(layout);
            let starts =
                layout.channels.iter().map(|c| c.offset).chain(layout.processes.iter().map(|p| p.offset));
            ends.extend(starts.map(|offset| (offset as usize).next_multiple_of(4)));
            if let Some(dynamic) = &self.lowered.dynamic {
                memory.bytes.clear();
                memory.bytes.extend_from_slice(vector);
                memory.find_objects(dynamic, layout.size as usize);
                ends.extend(memory.objects.iter().map(|&start| start as usize));
            }
            ends.push(vector.len());
            // A channel without room for messages takes no bytes.
            ends.sort_unstable();
            ends.dedup();
        })
    }

    fn points(&self) -> &[Point] {
        &self.points
    }

    fn noticed(&self) -> Vec<String> {
        let list = self.truncations.list().into_iter();
        list.map(|(span, words)| format!("{}: {words}", self.sources.place(span))).collect()
    }

    fn acceptance(&self) -> Acceptance {
        if self.lowered.observes_accept_labels { Acceptance::Anywhere } else { Acceptance::Nowhere }
    }
}
