//! Objects, pointers and frames in words.
//!
//! An object is named by its type and its number in the state: `Node#2`. A pointer to a part of it, or to a
//! global variable, is shown by the name of that part.

use super::{View, list};
use crate::ir::{ObjectKind, Type, Variable as Declared};
use crate::machine::{ChannelSlot, Eval, Layouts, Memory, OBJECTS_FROM, WHOLE_ARRAY};
use crate::program::Program;
use allways_model::{Change, Variable};
use std::collections::HashMap;

/// A function by its value.
pub(super) fn function(program: &Program, value: i32) -> String {
    let functions = program.lowered().dynamic.as_ref().map(|dynamic| &dynamic.functions);
    let idx = usize::try_from(value).ok().and_then(|value| value.checked_sub(1));
    match (functions, idx) {
        (Some(functions), Some(idx)) if idx < functions.len() => functions[idx].body.name.to_string(),
        _ => "null".into(),
    }
}

/// An object by its number.
fn object(program: &Program, memory: &Memory, number: u32) -> String {
    let Some(dynamic) = &program.lowered().dynamic else { return String::new() };
    match memory.live(number) {
        None => format!("deleted#{number}"),
        Some((ty, length)) => {
            let name = &dynamic.object(ty).name;
            if length > 1 { format!("{name}[{length}]#{number}") } else { format!("{name}#{number}") }
        }
    }
}

/// Any reference, for `%p`.
pub(super) fn reference(program: &Program, layouts: &Layouts, memory: &Memory, value: u32) -> String {
    match value >> 16 {
        0 => function(program, value as i32),
        _ => {
            let layout = layouts.get(memory.layout);
            View { program, layouts, layout, memory, process: None, base: 0 }.part(value, None)
        }
    }
}

impl View<'_> {
    /// A pointer's value.
    pub(super) fn pointer(&self, value: u32, pointee: &Type) -> String {
        if value >> 16 == 0 { "null".into() } else { self.part(value, Some(pointee)) }
    }

    fn part(&self, value: u32, pointee: Option<&Type>) -> String {
        let (number, offset) = (value >> 16, value & (WHOLE_ARRAY - 1));
        let lowered = self.program.lowered();
        let whole = value & WHOLE_ARRAY != 0;
        if number < OBJECTS_FROM {
            return format!("&{}", name_of(self.program, &lowered.globals, offset, pointee, whole));
        }
        let Some((ty, _)) = self.memory.live(number) else {
            return object(self.program, self.memory, number);
        };
        let Some(dynamic) = &lowered.dynamic else { return String::new() };
        let name = object(self.program, self.memory, number);
        let ty = dynamic.object(ty);
        match &ty.kind {
            ObjectKind::Scope => {
                format!("&{name}.{}", name_of(self.program, &ty.variables, offset, pointee, whole))
            }
            ObjectKind::Data(element) => {
                let is_all = offset == 0 && pointee.is_none_or(|p| crate::ir::same_pointee(p, element));
                match element {
                    _ if is_all => name,
                    Type::Record(record) => {
                        let fields = &lowered.records[*record as usize].fields;
                        let (at, rest) = (offset / ty.size, offset % ty.size);
                        let field = name_of(self.program, fields, rest, pointee, whole);
                        format!("&{name}[{at}].{field}")
                    }
                    Type::Scalar(..) => format!("&{name}[{}]", offset / ty.size),
                }
            }
            ObjectKind::Frame(_) => name,
        }
    }

    /// The channel of an object.
    pub(super) fn object_channel(&self, id: u32) -> Option<ChannelSlot> {
        let dynamic = self.program.lowered().dynamic.as_ref()?;
        let number = id >> 16;
        if number < OBJECTS_FROM {
            return None;
        }
        let (ty, length) = self.memory.live(number)?;
        let (ty, start) = dynamic.object(ty).channel(length, (id & 0xffff) as usize)?;
        Some(ChannelSlot { offset: (self.memory.contents(number) + start) as u32, ty })
    }

    /// What a channel is called.
    pub(super) fn channel_name(&self, id: u32) -> String {
        match id >> 16 {
            0 => id.to_string(),
            number => format!("{} of {}", id & 0xffff, object(self.program, self.memory, number)),
        }
    }
}

/// The variable, element or field at an offset.
fn name_of(
    program: &Program,
    variables: &[Declared],
    offset: u32,
    pointee: Option<&Type>,
    whole: bool,
) -> String {
    let records = &program.lowered().records;
    for variable in variables {
        let size = match &variable.ty {
            Type::Scalar(scalar, _) => scalar.size(),
            Type::Record(record) => records[*record as usize].size,
        };
        let Some(rest) = offset.checked_sub(variable.offset) else { continue };
        if rest >= size * variable.array.unwrap_or(1) {
            continue;
        }
        let is_this = pointee.is_none_or(|pointee| crate::ir::same_pointee(pointee, &variable.ty));
        let index = match variable.array {
            Some(_) if !(whole && is_this) => format!("[{}]", rest / size),
            _ => String::new(),
        };
        return match &variable.ty {
            Type::Record(record) if !is_this || !rest.is_multiple_of(size) => {
                let field = name_of(program, &records[*record as usize].fields, rest % size, pointee, whole);
                format!("{}{index}.{field}", variable.name)
            }
            _ => format!("{}{index}", variable.name),
        };
    }
    "?".into()
}

/// Every variable of every object; frames by the function and the process.
pub(super) fn objects(program: &Program, layouts: &Layouts, memory: &Memory, out: &mut Vec<Variable>) {
    let lowered = program.lowered();
    let Some(dynamic) = &lowered.dynamic else { return };
    let layout = layouts.get(memory.layout);
    let reached = crate::machine::reachable(lowered, layout, memory);
    for number in reached {
        let Some((ty, length)) = memory.live(number) else { continue };
        let ty = dynamic.object(ty);
        let base = memory.contents(number);
        let view = View { program, layouts, layout, memory, process: None, base };
        let prefix = format!("{}.", object(program, memory, number));
        match &ty.kind {
            ObjectKind::Frame(function) => {
                for declared in &dynamic.functions[usize::from(*function)].body.variables {
                    list(&view, declared, &prefix, 0, out);
                }
            }
            ObjectKind::Scope => {
                for declared in &ty.variables {
                    list(&view, declared, &prefix, 0, out);
                }
            }
            ObjectKind::Data(element) => {
                let name = object(program, memory, number).into();
                let array = (length > 1).then_some(u32::from(length));
                let whole =
                    Declared { name, base: crate::ir::Base::Global, offset: 0, ty: element.clone(), array };
                list(&view, &whole, "", 0, out);
            }
        }
    }
}

/// What changed between two lists of variables that need not have the same order.
pub(super) fn changes(
    before: &[Variable],
    after: &[Variable],
    name: impl Fn(&Variable) -> String,
) -> Vec<Change> {
    let old: HashMap<(Option<u32>, &str), &Variable> =
        before.iter().map(|variable| ((variable.process, variable.name.as_str()), variable)).collect();
    let new: HashMap<(Option<u32>, &str), &Variable> =
        after.iter().map(|variable| ((variable.process, variable.name.as_str()), variable)).collect();
    let mut out = Vec::new();
    for variable in after {
        match old.get(&(variable.process, variable.name.as_str())) {
            Some(old) if old.value == variable.value => {}
            Some(old) => out.push(Change {
                name: name(variable),
                from: Some(old.value.clone()),
                to: Some(variable.value.clone()),
            }),
            None => out.push(Change { name: name(variable), from: None, to: Some(variable.value.clone()) }),
        }
    }
    for variable in before.iter().filter(|v| !new.contains_key(&(v.process, v.name.as_str()))) {
        out.push(Change { name: name(variable), from: Some(variable.value.clone()), to: None });
    }
    out
}

/// The functions that a process is in, with the places of their calls.
pub(super) fn callers(program: &Program, eval: &Eval<'_>) -> String {
    let frames: Vec<u32> = eval.frames().collect();
    let mut text = String::new();
    for pair in frames.windows(2) {
        let (callee, _) = eval.at_frame(pair[0]);
        let (code, pc) = eval.at_frame(pair[1]);
        let body = program.lowered().body(code);
        let call = body.at[pc].map(|idx| program.location(body.statements[idx as usize].span).line);
        text.push_str(&format!(" (in {}", program.lowered().body(callee).name));
        if let Some(line) = call {
            text.push_str(&format!(", called at line {line}"));
        }
        text.push(')');
    }
    text
}
