//! Explanations for users: variables, processes and moves, in Promela's own notation.

mod change;
mod listing;
mod message;
mod names;
mod past;
mod picture;

use crate::ir::{Action, Notation, ObjectType, Proctype, Scope};
use crate::machine::{
    ChannelSlot, Eval, Failing, Layout, Layouts, Memory, OBJECTS_FROM, RawMove, Troubles, frame_base, read32,
};
use crate::program::Program;
use allways_model::{Call, Change, Move, Process, Snapshot, Variable};
use listing::list_all;
use names::Names;

pub(crate) use past::background;
pub(crate) use picture::heap;

/// A state to be described; it need not be in normal form.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    program: &'a Program,
    layouts: &'a Layouts,
    layout: &'a Layout,
    memory: &'a Memory,
    trouble: &'a Troubles,
}

impl<'a> Scene<'a> {
    /// A state of a program. `trouble` collects the errors of expressions that are evaluated in it.
    pub(crate) fn new(
        program: &'a Program,
        layouts: &'a Layouts,
        memory: &'a Memory,
        trouble: &'a Troubles,
    ) -> Self {
        Self { program, layouts, layout: layouts.get(memory.layout), memory, trouble }
    }

    fn eval(&self, pid: usize) -> Eval<'a> {
        Eval::new(self.program.lowered(), self.layouts, self.memory, pid, self.trouble)
    }

    /// The frames of a process, the oldest first: 0 is the process itself.
    fn frames(&self, pid: usize) -> Vec<u32> {
        let mut frames: Vec<u32> = self.eval(pid).frames().collect();
        frames.reverse();
        frames
    }

    /// The code of a frame, and where its variables start.
    fn body(&self, pid: usize, frame: u32) -> (&'a Proctype, usize) {
        let (code, _) = self.eval(pid).at_frame(frame);
        (self.program.lowered().body(code), frame_base(self.memory, self.layouts, pid, frame))
    }

    /// The object with the variables of a scope that pointers may refer to, while the scope lasts.
    fn scope_object(&self, scope: &Scope, base: usize) -> Option<u32> {
        let (slot, _) = scope.object?;
        let number = read32(&self.memory.bytes, base + slot as usize) >> 16;
        (number >= OBJECTS_FROM && self.memory.live(number).is_some()).then_some(number)
    }

    /// The type of a live object.
    fn object_type(&self, number: u32) -> Option<&'a ObjectType> {
        let (ty, _) = self.memory.live(number)?;
        self.program.lowered().dynamic.as_ref().map(|dynamic| dynamic.object(ty))
    }

    /// The channel of an identity, if there is one.
    fn channel(&self, id: i32) -> Option<ChannelSlot> {
        let number = id as u32 >> 16;
        if number == 0 {
            let slot = usize::try_from(id).ok().and_then(|id| id.checked_sub(1))?;
            return self.layout.channels.get(slot).copied();
        }
        let index = number.checked_sub(OBJECTS_FROM)? as usize;
        if index >= self.memory.objects.len() {
            return None;
        }
        let (_, length) = self.memory.live(number)?;
        let (ty, start) = self.object_type(number)?.channel(length, (id as u32 & 0xffff) as usize)?;
        Some(ChannelSlot { offset: (self.memory.contents(number) + start) as u32, ty })
    }
}

/// Every variable of a state, globals first, then process by process; channels as lists of messages.
pub(crate) fn variables(program: &Program, layouts: &Layouts, memory: &Memory) -> Vec<Variable> {
    let trouble = Troubles::default();
    let scene = Scene::new(program, layouts, memory, &trouble);
    list_all(&scene, &Names::find(&scene), None).into_iter().map(|one| one.variable).collect()
}

/// A value in the notation of the source.
fn show(program: &Program, value: i32, notation: &Notation) -> String {
    match notation {
        Notation::Number | Notation::Chan => value.to_string(),
        Notation::Bool => match value {
            0 => "false".into(),
            1 => "true".into(),
            other => other.to_string(),
        },
        Notation::Mtype(set) => mtype_name(program, value, set).unwrap_or_else(|| value.to_string()),
        Notation::Function => function(program, value),
        Notation::Pointer(_) => value.to_string(),
    }
}

/// The name of a function, from its value.
fn function(program: &Program, value: i32) -> String {
    let functions = program.lowered().dynamic.as_ref().map(|dynamic| &dynamic.functions);
    let idx = usize::try_from(value).ok().and_then(|value| value.checked_sub(1));
    match (functions, idx) {
        (Some(functions), Some(idx)) if idx < functions.len() => functions[idx].body.name.to_string(),
        _ => "null".into(),
    }
}

fn mtype_name(program: &Program, value: i32, set: &str) -> Option<String> {
    let idx = usize::try_from(value).ok()?.checked_sub(1)?;
    Some(program.lowered().mtypes.get(set)?.get(idx)?.to_string())
}

/// Every process of a state, and where it is.
pub(crate) fn processes(program: &Program, state: &[u8]) -> Vec<Process> {
    let (layouts, memory) = program.memory(state);
    processes_in(program, &layouts, &memory)
}

/// Like [`processes`], for a state that need not be in normal form.
fn processes_in(program: &Program, layouts: &Layouts, memory: &Memory) -> Vec<Process> {
    let layout = layouts.get(memory.layout);
    let trouble = Troubles::default();
    let mut out = Vec::new();
    for (pid, slot) in layout.processes.iter().enumerate() {
        let proctype = program.proctype(slot.ty);
        let mut eval = Eval::new(program.lowered(), layouts, memory, pid, &trouble);
        let (body, pc) = eval.position();
        let list = &body.transitions[pc];
        let statements: Vec<_> = list.iter().map(|t| &body.statements[t.statement as usize]).collect();
        let at = match statements.as_slice() {
            [] => "nothing".to_owned(),
            [only] => only.text.to_string(),
            many => {
                let texts: Vec<&str> = many.iter().map(|statement| &*statement.text).collect();
                texts.join(" or ")
            }
        };
        out.push(Process {
            id: pid as u32,
            name: proctype.name.clone(),
            location: statements.first().map(|statement| program.location(statement.span)),
            at,
            may_end: body.may_end[pc],
            stack: callers(program, &eval),
        });
    }
    out
}

/// The functions that a process is in, the innermost first, with the locations of their calls.
fn callers(program: &Program, eval: &Eval<'_>) -> Vec<Call> {
    let frames: Vec<u32> = eval.frames().collect();
    let calls = frames.windows(2).map(|pair| {
        let (callee, _) = eval.at_frame(pair[0]);
        let (code, pc) = eval.at_frame(pair[1]);
        let body = program.lowered().body(code);
        let called_at = body.at[pc].map(|idx| program.location(body.statements[idx as usize].span));
        Call { function: program.lowered().body(callee).name.to_string(), called_at }
    });
    calls.collect()
}

/// The state before a failing statement; the process that fails is at that statement.
pub(crate) fn snapshot(program: &Program, layouts: &Layouts, failing: &Failing) -> Snapshot {
    let mut processes = processes_in(program, layouts, &failing.memory);
    let statements = &program.lowered().body(failing.code).statements;
    if let Some(statement) = failing.statement.map(|idx| &statements[idx as usize]) {
        let process = &mut processes[failing.pid];
        process.location = Some(program.location(statement.span));
        process.at = statement.text.to_string();
    }
    Snapshot { processes, variables: variables(program, layouts, &failing.memory) }
}

/// Describes a move in words.
pub(crate) fn explain_move(program: &Program, layouts: &Layouts, raw: &RawMove) -> Move {
    let slot = layouts.get(raw.before.layout).processes[raw.pid];
    let proctype = program.proctype(slot.ty);
    let statement = &program.lowered().body(raw.code).statements[raw.statement as usize];
    let (old, new) = (&layouts.get(raw.before.layout).processes, &layouts.get(raw.after.layout).processes);
    let started = (new.len() > old.len())
        .then(|| (new.len() as u32 - 1, program.proctype(new[new.len() - 1].ty).name.clone()));
    Move {
        process: Some(raw.pid as u32),
        process_name: proctype.name.clone(),
        location: Some(program.location(statement.span)),
        text: statement.text.to_string(),
        output: output(program, layouts, raw, &statement.action),
        message: message::of_move(program, layouts, raw, statement),
        reads: Vec::new(),
        changes: changes(program, layouts, raw),
        started,
    }
}

fn changes(program: &Program, layouts: &Layouts, raw: &RawMove) -> Vec<Change> {
    if program.is_dynamic() {
        let trouble = Troubles::default();
        let scene = |memory| Scene::new(program, layouts, memory, &trouble);
        return change::changes(&scene(&raw.before), &scene(&raw.after), raw.pid as u32);
    }
    let before = variables(program, layouts, &raw.before);
    let after = variables(program, layouts, &raw.after);
    let name = |variable: &Variable| match variable.process {
        None => variable.name.clone(),
        Some(pid) => {
            let memory = if (pid as usize) < layouts.get(raw.before.layout).processes.len() {
                &raw.before
            } else {
                &raw.after
            };
            let slot = layouts.get(memory.layout).processes[pid as usize];
            format!("{}({pid}):{}", program.proctype(slot.ty).name, variable.name)
        }
    };
    let mut out = Vec::new();
    // Variables come in the same order; a process that starts or dies adds or removes variables at the end.
    for (old, new) in before.iter().zip(&after) {
        if old.process == new.process && old.name == new.name && old.value != new.value {
            out.push(Change { name: name(old), from: Some(old.value.clone()), to: Some(new.value.clone()) });
        }
    }
    let n = before.len().min(after.len());
    for new in &after[n..] {
        out.push(Change { name: name(new), from: None, to: Some(new.value.clone()) });
    }
    for old in &before[n..] {
        out.push(Change { name: name(old), from: Some(old.value.clone()), to: None });
    }
    out
}

/// What a move printed.
fn output(program: &Program, layouts: &Layouts, raw: &RawMove, action: &Action) -> String {
    let trouble = Troubles::default();
    let eval = Eval::new(program.lowered(), layouts, &raw.before, raw.pid, &trouble);
    match action {
        Action::Printf(format, args) => {
            let values: Vec<i32> = args.iter().map(|e| eval.eval(e)).collect();
            crate::printf::format(
                format,
                &values,
                |value| mtype_name(program, value, "").unwrap_or_else(|| value.to_string()),
                |value| reference(program, layouts, &raw.before, value),
            )
        }
        Action::Printm(e, set) => {
            let value = eval.eval(e);
            mtype_name(program, value, set).unwrap_or_else(|| value.to_string())
        }
        _ => String::new(),
    }
}

/// A pointer's or a function's value, for `%p`.
fn reference(program: &Program, layouts: &Layouts, memory: &Memory, value: i32) -> String {
    if value as u32 >> 16 == 0 {
        return function(program, value);
    }
    let trouble = Troubles::default();
    let scene = Scene::new(program, layouts, memory, &trouble);
    scene.reference(&Names::find(&scene), value as u32, None, None, None)
}
