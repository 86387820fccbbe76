//! Where the objects of a state were made, and where those that have ended were deleted.
//!
//! No state holds this. So a run is executed again, step by step: within a step, objects keep their numbers,
//! and between two steps the normal form gives the new number of each.

use super::Scene;
use crate::ir::ObjectKind;
use crate::machine::{Driver, Failing, Layouts, Memory, OBJECTS_FROM, RawMove, Troubles, kept, normalise};
use crate::program::Program;
use allways_model::{Batch, Fact, Location, StepKey, Violation};

/// For a longer run than this, the past is not computed.
const MOST_STEPS: usize = 200_000;

/// The making or the end of an object.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) step: usize,
    pub(super) location: Location,
}

impl Event {
    /// Its text for users: file, line and step.
    pub(super) fn text(&self) -> String {
        let file = self.location.file.rsplit(['/', '\\']).next().unwrap_or_default();
        format!("{file}:{} (step {})", self.location.line, self.step)
    }
}

/// The life of an object.
#[derive(Clone, Debug, Default)]
pub(super) struct Life {
    /// The type of an allocated object.
    pub(super) allocated: Option<String>,
    /// The variables of a frame or scope.
    pub(super) variables: Vec<String>,
    pub(super) made: Option<Event>,
    pub(super) ended: Option<Event>,
}

/// The last state of a run, with the lives of its objects.
pub(super) struct Past<'p> {
    program: &'p Program,
    driver: Driver<'p>,
    lives: Vec<Life>,
    /// The lives of the objects of the current state, in the order of their numbers.
    current: Vec<usize>,
    state: Vec<u8>,
    /// The first state.
    first: Memory,
    /// The moves of the last step.
    pub(super) moves: Vec<RawMove>,
    /// Where the run fails.
    pub(super) failing: Option<Failing>,
}

impl<'p> Past<'p> {
    /// Executes a run to its end.
    pub(super) fn follow(program: &'p Program, steps: &[StepKey]) -> Option<Self> {
        if !program.is_dynamic() || steps.len() > MOST_STEPS {
            return None;
        }
        let mut driver = Driver::new(program);
        let mut first = Batch::new();
        driver.interpreter.initial(&mut first).ok()?;
        let state = first.vector(0).to_vec();
        let (mut lives, mut current) = (Vec::new(), Vec::new());
        let (layouts, memory) = program.memory(&state);
        for number in 0..memory.objects.len() as u32 {
            current.push(lives.len());
            lives.push(life(program, &layouts, &memory, number + OBJECTS_FROM, None));
        }
        let layout = driver.interpreter.layouts.of(&state, program.lowered());
        let first = Memory { layout, ..memory };
        let (moves, failing) = (Vec::new(), None);
        let mut past = Self { program, driver, lives, current, state, first, moves, failing };
        for (idx, &key) in steps.iter().enumerate() {
            past.step(key, idx + 1)?;
        }
        Some(past)
    }

    fn step(&mut self, key: StepKey, step: usize) -> Option<()> {
        let (program, lowered) = (self.program, self.program.lowered());
        if let Some(last) = self.moves.pop() {
            let layouts = &self.driver.interpreter.layouts;
            normalise(lowered, layouts, &last.after, &mut self.state);
            self.current = renumbered(program, layouts, &last.after, &self.current);
        }
        self.driver.load(&self.state);
        let explained = self.driver.explain(key)?;
        (self.moves, self.failing) = (explained.moves, explained.failing);
        let layouts = &self.driver.interpreter.layouts;
        let mut before: Option<&Memory> = None;
        for raw in &self.moves {
            // A very long step is brought into normal form from time to time.
            if let Some(last) = before.filter(|last| last.bytes != raw.before.bytes) {
                normalise(lowered, layouts, last, &mut self.state);
                if self.state == raw.before.bytes {
                    self.current = renumbered(program, layouts, last, &self.current);
                }
            }
            let statement = &lowered.body(raw.code).statements[raw.statement as usize];
            let event = Event { step, location: program.location(statement.span) };
            note(program, layouts, raw, &event, &mut self.lives, &mut self.current);
            before = Some(&raw.after);
        }
        Some(())
    }

    /// The life of an object by its number in the last state.
    pub(super) fn life(&self, number: u32) -> Option<&Life> {
        let idx = self.current.get(number.checked_sub(OBJECTS_FROM)? as usize)?;
        self.lives.get(*idx)
    }

    /// The last state, or the one in which the last step fails, followed by the one before that step. Objects
    /// have the same numbers in both.
    pub(super) fn ends(&self) -> (&Layouts, &Memory, Option<&Memory>) {
        let before = self.moves.first().map(|raw| &raw.before);
        let after = match (&self.failing, self.moves.last()) {
            (Some(failing), _) => &failing.memory,
            (None, Some(last)) => &last.after,
            (None, None) => &self.first,
        };
        let same = before.filter(|before| before.objects.len() <= after.objects.len());
        (&self.driver.interpreter.layouts, after, same)
    }
}

/// The lives of objects, by the numbers that the normal form gives them.
fn renumbered(program: &Program, layouts: &Layouts, memory: &Memory, current: &[usize]) -> Vec<usize> {
    let order = kept(program.lowered(), layouts.get(memory.layout), memory);
    order.iter().map(|number| current[(number - OBJECTS_FROM) as usize]).collect()
}

/// Begins a life.
fn life(program: &Program, layouts: &Layouts, memory: &Memory, number: u32, made: Option<&Event>) -> Life {
    let trouble = Troubles::default();
    let scene = Scene::new(program, layouts, memory, &trouble);
    let mut life = Life { made: made.cloned(), ..Life::default() };
    let Some(ty) = scene.object_type(number) else { return life };
    match &ty.kind {
        ObjectKind::Data(_) => life.allocated = Some(ty.name.to_string()),
        ObjectKind::Scope => life.variables = ty.variables.iter().map(|one| one.name.to_string()).collect(),
        ObjectKind::Frame(_) => {}
    }
    life
}

/// Records which objects a move made, and which it ended.
fn note(
    program: &Program,
    layouts: &Layouts,
    raw: &RawMove,
    event: &Event,
    lives: &mut Vec<Life>,
    current: &mut Vec<usize>,
) {
    let known = raw.before.objects.len() as u32;
    for idx in 0..raw.after.objects.len() as u32 {
        let number = idx + OBJECTS_FROM;
        let was = idx < known && raw.before.live(number).is_some();
        let is = raw.after.live(number).is_some();
        if idx >= current.len() as u32 || (is && !was) {
            let new = lives.len();
            lives.push(life(program, layouts, &raw.after, number, Some(event)));
            match current.get_mut(idx as usize) {
                Some(slot) => *slot = new,
                None => current.push(new),
            }
        }
        if !is && (was || idx >= known) {
            lives[current[idx as usize]].ended = Some(event.clone());
        }
    }
}

/// What the run to a violation shows about the object concerned.
pub(crate) fn background(program: &Program, steps: &[StepKey], violation: &Violation) -> Vec<Fact> {
    const ABOUT_OBJECTS: [&str; 6] = [
        "dangling-pointer",
        "deleted-twice",
        "delete-of-variable",
        "delete-of-part",
        "leaked-object",
        "dangling-result",
    ];
    if !ABOUT_OBJECTS.contains(&violation.rule.name) {
        return Vec::new();
    }
    let Some(past) = Past::follow(program, steps) else { return Vec::new() };
    let object = past.failing.as_ref().and_then(|failing| failing.object);
    let Some(life) = object.and_then(|number| past.life(number)) else { return Vec::new() };
    let mut facts = Vec::new();
    facts.extend(life.allocated.as_ref().map(|ty| Fact::new("allocated", ty)));
    if !life.variables.is_empty() {
        let names: Vec<String> = life.variables.iter().map(|name| format!("`{name}`")).collect();
        facts.push(Fact::new("variables", names.join(" or ")));
    }
    facts.extend(life.made.as_ref().map(|made| Fact::new("made", made.text())));
    facts.extend(life.ended.as_ref().map(|ended| Fact::new("ended", ended.text())));
    facts
}
