//! The variables of a state, each with its value in Promela's notation.
//!
//! A pointer's value is the name of what it refers to. Where that name comes from the pointer itself, its
//! value is the type of the object: `top = Node`, and then `top.next = null`.

use super::names::{Cell, Named, Names, Space, each_scalar, whole};
use super::{Scene, show};
use crate::ir::{Notation, ObjectKind, Scalar, Type, Variable as Declared, same_pointee};
use crate::machine::{OBJECTS_FROM, WHOLE_ARRAY};
use crate::program::Program;
use allways_model::Variable;

/// A variable and its location.
pub(super) struct Listed {
    pub(super) cell: Cell,
    pub(super) variable: Variable,
    /// Its value as stored.
    pub(super) raw: i32,
    pub(super) kind: ValueKind,
}

/// The kind of value that a variable holds, as far as listings distinguish it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    Value,
    Pointer,
    Channel,
}

/// The variables of one space.
struct View<'a> {
    scene: &'a Scene<'a>,
    names: &'a Names,
    process: Option<u32>,
    space: Space,
    /// The process whose variables are named without it in the values of globals.
    viewer: Option<u32>,
}

/// Every variable of a state: globals, each process with its frames and scopes, and reachable objects. In the
/// values of globals, the variables of `viewer` are named without the process.
pub(super) fn list_all(scene: &Scene<'_>, names: &Names, viewer: Option<u32>) -> Vec<Listed> {
    let mut out = Vec::new();
    let view = View { scene, names, process: None, space: Space::Globals, viewer };
    view.list(&scene.program.lowered().globals, "", &mut out);
    for pid in 0..scene.layout.processes.len() as u32 {
        list_process(scene, names, pid, &mut out);
    }
    let Some(_) = &scene.program.lowered().dynamic else { return out };
    for number in crate::machine::reachable(scene.program.lowered(), scene.layout, scene.memory) {
        list_object(scene, names, number, viewer, &mut out);
    }
    out
}

/// The variables of a process.
pub(super) fn list_process(scene: &Scene<'_>, names: &Names, pid: u32, out: &mut Vec<Listed>) {
    for frame in scene.frames(pid as usize) {
        let (body, base) = scene.body(pid as usize, frame);
        let space = if frame == 0 { Space::Process(pid) } else { Space::Object(frame) };
        let prefix = if frame == 0 { "" } else { names.prefix(frame) };
        View { scene, names, process: Some(pid), space, viewer: None }.list(&body.variables, prefix, out);
        for scope in body.scopes.iter() {
            let Some(object) = scene.scope_object(scope, base) else { continue };
            let Some(ty) = scene.object_type(object) else { continue };
            let view = View { scene, names, process: Some(pid), space: Space::Object(object), viewer: None };
            view.list(&ty.variables, prefix, out);
        }
    }
}

/// The fields or elements of an allocated object.
pub(super) fn list_object(
    scene: &Scene<'_>,
    names: &Names,
    number: u32,
    viewer: Option<u32>,
    out: &mut Vec<Listed>,
) {
    let (Some((_, length)), Some(ty)) = (scene.memory.live(number), scene.object_type(number)) else {
        return;
    };
    let ObjectKind::Data(element) = &ty.kind else { return };
    let Some(Named { process, path, .. }) = names.of.get(&number) else { return };
    let is_value = length == 1 && matches!(element, Type::Scalar(..));
    let name = if is_value { format!("value of {path}") } else { path.clone() };
    let view = View { scene, names, process: *process, space: Space::Object(number), viewer };
    view.list(std::slice::from_ref(&whole(name.into(), element, length)), "", out);
}

impl View<'_> {
    fn list(&self, variables: &[Declared], prefix: &str, out: &mut Vec<Listed>) {
        let scene = self.scene;
        for declared in variables {
            each_scalar(scene.program, declared, prefix, 0, &mut |name, at, scalar, notation| {
                let cell = (self.space, at);
                let raw = scene.scalar(cell, scalar);
                let (kind, value) = self.value(raw, scalar, notation, cell);
                out.push(Listed {
                    cell,
                    variable: Variable { process: self.process, name, value },
                    raw,
                    kind,
                });
            });
        }
    }

    fn value(&self, raw: i32, scalar: Scalar, notation: &Notation, cell: Cell) -> (ValueKind, String) {
        let (scene, names) = (self.scene, self.names);
        let context = self.process.or(self.viewer);
        match notation {
            Notation::Chan => (ValueKind::Channel, scene.channel_text(names, raw, scalar, cell, context)),
            Notation::Pointer(pointee) => {
                let text = scene.reference(names, raw as u32, Some(pointee), context, Some(cell));
                (ValueKind::Pointer, text)
            }
            _ => (ValueKind::Value, show(scene.program, raw, notation)),
        }
    }
}

impl Scene<'_> {
    /// A channel with its messages.
    fn channel_text(
        &self,
        names: &Names,
        id: i32,
        scalar: Scalar,
        cell: Cell,
        context: Option<u32>,
    ) -> String {
        let Some(slot) = self.channel(id) else {
            return match id as u32 >> 16 {
                0 if id == 0 => "none".into(),
                object if scalar == Scalar::Pointer && object != 0 => "dangling".into(),
                _ => format!("gone ({id})"),
            };
        };
        let name = self.channel_name(names, id as u32, cell, context);
        let ty = &self.program.lowered().channel_types[usize::from(slot.ty.0)];
        if ty.capacity == 0 {
            return format!("rendezvous {name}").trim_end().into();
        }
        let eval = self.eval(0);
        let messages: Vec<String> = (0..usize::from(eval.length(slot)))
            .map(|message| {
                let fields: Vec<String> = (ty.fields.iter().enumerate())
                    .map(|(idx, (_, notation))| {
                        self.field(names, eval.field(slot, message, idx), notation, context)
                    })
                    .collect();
                fields.join(",")
            })
            .collect();
        let name = if name.is_empty() { name } else { format!(" {name}") };
        format!("channel{name} [{}]", messages.join("] ["))
    }

    /// A field of a message.
    pub(super) fn field(
        &self,
        names: &Names,
        value: i32,
        notation: &Notation,
        context: Option<u32>,
    ) -> String {
        match notation {
            Notation::Pointer(pointee) => self.reference(names, value as u32, Some(pointee), context, None),
            Notation::Chan if value as u32 >> 16 >= OBJECTS_FROM => {
                self.object_channel_name(names, value as u32, context)
            }
            _ => show(self.program, value, notation),
        }
    }

    /// The name of a channel; empty for one that belongs to the object in which it is named.
    fn channel_name(&self, names: &Names, id: u32, cell: Cell, context: Option<u32>) -> String {
        match id >> 16 {
            0 => id.to_string(),
            object if cell.0 == Space::Object(object) => String::new(),
            _ => self.object_channel_name(names, id, context),
        }
    }

    /// The name of an object's channel, from the object and the field.
    fn object_channel_name(&self, names: &Names, id: u32, context: Option<u32>) -> String {
        let (object, ordinal) = (id >> 16, (id & 0xffff) as usize);
        let label = names.label(object, context);
        let (Some(ty), Some((_, length))) = (self.object_type(object), self.memory.live(object)) else {
            return label;
        };
        let ObjectKind::Data(Type::Record(record)) = &ty.kind else { return label };
        let mut own = Vec::new();
        for field in &self.program.lowered().records[*record as usize].fields {
            each_scalar(self.program, field, "", 0, &mut |name, at, _, _| own.push((at, name)));
        }
        let inits = ty.init.iter().filter_map(|init| match init {
            crate::ir::Init::Channel(at) => Some(*at),
            crate::ir::Init::Value(..) => None,
        });
        let which = ordinal.checked_rem(ty.channels.len()).unwrap_or(0);
        let at = inits.clone().nth(which);
        let field = own.into_iter().find(|(offset, _)| Some(*offset) == at).map(|(_, name)| name);
        let element = ordinal.checked_div(ty.channels.len()).unwrap_or(0);
        let index = if length > 1 { format!("[{element}]") } else { String::new() };
        field.map_or(label.clone(), |field| format!("{label}{index}.{field}"))
    }

    /// A pointer's value: the name of its target. `cell` is the location of the pointer.
    pub(super) fn reference(
        &self,
        names: &Names,
        value: u32,
        pointee: Option<&Type>,
        context: Option<u32>,
        cell: Option<Cell>,
    ) -> String {
        let (number, offset) = (value >> 16, value & (WHOLE_ARRAY - 1));
        let lowered = self.program.lowered();
        let is_whole = value & WHOLE_ARRAY != 0;
        if number == 0 {
            return "null".into();
        }
        if number < OBJECTS_FROM {
            return format!("&{}", name_of(self.program, &lowered.globals, offset, pointee, is_whole));
        }
        let named = names.of.get(&number);
        let is_named_here = named.is_none_or(|named| match cell {
            Some(_) => named.cell == cell,
            None => named.in_message,
        });
        let (Some((_, length)), Some(ty)) = (self.memory.live(number), self.object_type(number)) else {
            return match is_named_here || cell.is_none() {
                true => "dangling".into(),
                false => format!("dangling, as {}", names.label(number, context)),
            };
        };
        let element = match &ty.kind {
            ObjectKind::Scope => {
                let variable = name_of(self.program, &ty.variables, offset, pointee, is_whole);
                return format!("&{}{variable}", names.label(number, context));
            }
            ObjectKind::Frame(_) => return names.label(number, context),
            ObjectKind::Data(element) => element,
        };
        let name = match is_named_here {
            true if length > 1 => format!("{}[{length}]", ty.name),
            true => ty.name.to_string(),
            false => names.label(number, context),
        };
        let is_all = offset == 0
            && (is_whole || length == 1)
            && pointee.is_none_or(|pointee| same_pointee(pointee, element));
        if is_all {
            return name;
        }
        let index = if length > 1 { format!("[{}]", offset / ty.size) } else { String::new() };
        match element {
            Type::Record(record) if pointee.is_none_or(|pointee| !same_pointee(pointee, element)) => {
                let fields = &lowered.records[*record as usize].fields;
                let field = name_of(self.program, fields, offset % ty.size, pointee, is_whole);
                format!("&{name}{index}.{field}")
            }
            _ => format!("&{name}{index}"),
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
        let is_this = pointee.is_none_or(|pointee| same_pointee(pointee, &variable.ty));
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
