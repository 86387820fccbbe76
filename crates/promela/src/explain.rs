//! Words for people: variables, processes and moves, in Promela's own notation.

mod heap;
mod message;

use crate::ir::{Action, Notation, Type, Variable as Declared};
use crate::machine::{Eval, Failing, Layout, Layouts, Memory, RawMove, Troubles, read_scalar};
use crate::program::Program;
use allways_model::{Change, Move, Process, Snapshot, Variable};

/// Every variable of a state, globals first, then process by process; channels as lists of messages.
pub(crate) fn variables(program: &Program, layouts: &Layouts, memory: &Memory) -> Vec<Variable> {
    let layout = layouts.get(memory.layout);
    let mut out = Vec::new();
    for declared in &program.lowered().globals {
        list(&View { program, layouts, layout, memory, process: None, base: 0 }, declared, "", 0, &mut out);
    }
    for (pid, slot) in layout.processes.iter().enumerate() {
        let view =
            View { program, layouts, layout, memory, process: Some(pid as u32), base: slot.offset as usize };
        for declared in &program.proctype(slot.ty).variables {
            list(&view, declared, "", 0, &mut out);
        }
    }
    heap::objects(program, layouts, memory, &mut out);
    out
}

/// The variables of one process, or the globals.
struct View<'a> {
    program: &'a Program,
    layouts: &'a Layouts,
    layout: &'a Layout,
    memory: &'a Memory,
    process: Option<u32>,
    base: usize,
}

fn list(view: &View<'_>, declared: &Declared, prefix: &str, start: usize, out: &mut Vec<Variable>) {
    let size = match &declared.ty {
        Type::Scalar(scalar, _) => scalar.size(),
        Type::Record(record) => view.program.lowered().records[*record as usize].size,
    };
    for element in 0..declared.array.unwrap_or(1) {
        let index = declared.array.map_or(String::new(), |_| format!("[{element}]"));
        let name = format!("{prefix}{}{index}", declared.name);
        let at = start + declared.offset as usize + (element * size) as usize;
        match &declared.ty {
            Type::Scalar(scalar, notation) => {
                let value = read_scalar(&view.memory.bytes, view.base + at, *scalar);
                let value = match notation {
                    Notation::Chan => view.channel(value),
                    Notation::Pointer(pointee) => view.pointer(value as u32, pointee),
                    _ => show(view.program, value, notation),
                };
                out.push(Variable { process: view.process, name, value });
            }
            Type::Record(record) => {
                let prefix = format!("{name}.");
                for field in &view.program.lowered().records[*record as usize].fields {
                    list(view, field, &prefix, at, out);
                }
            }
        }
    }
}

impl View<'_> {
    /// A channel with its messages.
    fn channel(&self, id: i32) -> String {
        let slot = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        let own = slot.and_then(|idx| self.layout.channels.get(idx).copied());
        let Some(slot) = own.or_else(|| self.object_channel(id as u32)) else {
            return match id as u32 >> 16 {
                0 if id == 0 => "none".into(),
                0 => format!("gone ({id})"),
                object => format!("gone (of #{object})"),
            };
        };
        let id = self.channel_name(id as u32);
        let ty = &self.program.lowered().channel_types[usize::from(slot.ty.0)];
        if ty.capacity == 0 {
            return format!("rendezvous {id}");
        }
        let trouble = Troubles::default();
        let eval = Eval::new(self.program.lowered(), self.layouts, self.memory, 0, &trouble);
        let messages: Vec<String> = (0..usize::from(eval.length(slot)))
            .map(|message| {
                let fields: Vec<String> = ty
                    .fields
                    .iter()
                    .enumerate()
                    .map(|(idx, (_, notation))| match notation {
                        Notation::Pointer(pointee) => {
                            self.pointer(eval.field(slot, message, idx) as u32, pointee)
                        }
                        _ => show(self.program, eval.field(slot, message, idx), notation),
                    })
                    .collect();
                fields.join(",")
            })
            .collect();
        format!("channel {id} [{}]", messages.join("] ["))
    }
}

/// A value as people write it.
fn show(program: &Program, value: i32, notation: &Notation) -> String {
    match notation {
        Notation::Number | Notation::Chan => value.to_string(),
        Notation::Bool => match value {
            0 => "false".into(),
            1 => "true".into(),
            other => other.to_string(),
        },
        Notation::Mtype(set) => mtype_name(program, value, set).unwrap_or_else(|| value.to_string()),
        Notation::Function => heap::function(program, value),
        Notation::Pointer(_) => value.to_string(),
    }
}

fn mtype_name(program: &Program, value: i32, set: &str) -> Option<String> {
    let idx = usize::try_from(value).ok()?.checked_sub(1)?;
    Some(program.lowered().mtypes.get(set)?.get(idx)?.to_string())
}

/// Every process of a state and where it is.
pub(crate) fn processes(program: &Program, state: &[u8]) -> Vec<Process> {
    let (layouts, memory) = program.memory(state);
    processes_in(program, &layouts, &memory)
}

/// As [`processes`], in a state that need not be in normal form.
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
            at: at + &heap::callers(program, &eval),
            may_end: body.may_end[pc],
        });
    }
    out
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

/// A move in words.
pub(crate) fn explain_move(program: &Program, layouts: &Layouts, raw: &RawMove) -> Move {
    let slot = layouts.get(raw.before.layout).processes[raw.pid];
    let proctype = program.proctype(slot.ty);
    let statement = &program.lowered().body(raw.code).statements[raw.statement as usize];
    let before = variables(program, layouts, &raw.before);
    let after = variables(program, layouts, &raw.after);
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
        changes: changes(program, layouts, raw, &before, &after),
        started,
    }
}

fn changes(
    program: &Program,
    layouts: &Layouts,
    raw: &RawMove,
    before: &[Variable],
    after: &[Variable],
) -> Vec<Change> {
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
    if program.is_dynamic() {
        return heap::changes(before, after, name);
    }
    let mut out = Vec::new();
    // Variables come in the same order; a process that starts or dies adds or takes away at the end.
    for (old, new) in before.iter().zip(after) {
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
                |value| heap::reference(program, layouts, &raw.before, value as u32),
            )
        }
        Action::Printm(e, set) => {
            let value = eval.eval(e);
            mtype_name(program, value, set).unwrap_or_else(|| value.to_string())
        }
        _ => String::new(),
    }
}
