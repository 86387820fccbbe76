//! Describes messages: what was sent or received, and through which channel.
//!
//! A channel is named by the variable in which it was found, with the values of its indices: `toP[0]`. If it
//! was declared under another name, as for parameters, that name follows: `out=toP[0]`, or
//! `reply=client(2):box` for a channel that another process declared.

use super::{Names as Objects, Scene};
use crate::ir::{Action, Base, Expr, ScalarPlace, Setup, Statement, Type, Variable};
use crate::machine::{Eval, Layout, Layouts, RawMove, Troubles};
use crate::program::Program;
use allways_model::{Message, MessageDirection};

/// What a move sent or received.
pub(super) fn of_move(
    program: &Program,
    layouts: &Layouts,
    raw: &RawMove,
    statement: &Statement,
) -> Option<Message> {
    let trouble = Troubles::default();
    let eval = Eval::new(program.lowered(), layouts, &raw.before, raw.pid, &trouble);
    let (direction, channel) = match &statement.action {
        Action::Send(send) => (MessageDirection::Send, &send.channel),
        Action::Receive(receive) if !receive.peek => (MessageDirection::Receive, &receive.channel),
        _ => return None,
    };
    let id = eval.eval(channel);
    let slot = eval.channel(id, statement.span)?;
    let ty = &program.lowered().channel_types[usize::from(slot.ty.0)];
    let values: Vec<i32> = match &statement.action {
        Action::Send(send) => send.args.iter().map(|arg| eval.eval(arg)).collect(),
        Action::Receive(_) if ty.capacity == 0 => raw.message.clone(),
        Action::Receive(receive) => {
            let position = eval.matching_message(receive, slot, statement.span)?;
            (0..ty.fields.len()).map(|field| eval.field(slot, position, field)).collect()
        }
        _ => Vec::new(),
    };
    let scene = Scene::new(program, layouts, &raw.before, &trouble);
    let objects =
        Objects::find(&Scene::new(program, layouts, &raw.after, &trouble)).after(&Objects::find(&scene));
    let own = Some(raw.pid as u32);
    let fields = values
        .iter()
        .zip(&ty.fields)
        .map(|(&value, (scalar, notation))| scene.field(&objects, scalar.truncate(value), notation, own))
        .collect();
    let names = ChannelNames { program, layout: layouts.get(raw.before.layout), eval: &eval, pid: raw.pid };
    Some(Message {
        direction,
        channel: names.channel(channel, id).unwrap_or_else(|| written_name(&statement.text)),
        channel_id: id as u32,
        rendezvous: ty.capacity == 0,
        fields,
        n_bytes: None,
    })
}

/// ChannelNames the channels of a state.
struct ChannelNames<'a> {
    program: &'a Program,
    layout: &'a Layout,
    eval: &'a Eval<'a>,
    /// The process that uses the channel.
    pid: usize,
}

/// A scalar variable: the process that owns it, unless it is global, and its offset in that process or among
/// the globals.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cell {
    owner: Option<usize>,
    at: u32,
}

impl ChannelNames<'_> {
    /// The name of channel `id`, which is the value of `channel`; `None` if that is not a variable.
    fn channel(&self, channel: &Expr, id: i32) -> Option<String> {
        let used = self.used(channel)?;
        let name = self.name(used)?;
        let declared = self.declared(id).filter(|declared| *declared != used);
        match declared.and_then(|declared| self.name(declared)) {
            Some(declared) => Some(format!("{name}={declared}")),
            None => Some(name),
        }
    }

    /// The variable that an expression reads.
    fn used(&self, channel: &Expr) -> Option<Cell> {
        let (base, at) = match channel {
            Expr::LoadByte(base, offset) => (base, *offset),
            Expr::Load(place) => {
                let start = if place.base == Base::Local { self.eval.base } else { 0 };
                if matches!(place.base, Base::Object(_)) {
                    return None;
                }
                (&place.base, (self.eval.offset(place) - start) as u32)
            }
            _ => return None,
        };
        // The variables of a function are not those of the process.
        let is_in_function = self.eval.base != self.eval.record;
        let is_local = *base == Base::Local;
        (!(is_local && is_in_function)).then_some(Cell { owner: is_local.then_some(self.pid), at })
    }

    /// The variable whose declaration made a channel.
    fn declared(&self, id: i32) -> Option<Cell> {
        let lowered = self.program.lowered();
        let of_processes = self.layout.processes.iter().enumerate();
        let setups = of_processes.map(|(pid, slot)| (Some(pid), &self.program.proctype(slot.ty).setup));
        let mut channels = [(None, &lowered.setup)].into_iter().chain(setups).flat_map(|(owner, setup)| {
            setup.iter().filter_map(move |step| match step {
                Setup::Channel(place, _) => Some(Cell { owner, at: constant_offset(place)? }),
                Setup::Assign(..) => None,
            })
        });
        channels.nth(usize::try_from(id).ok()?.checked_sub(1)?)
    }

    /// The name of a variable in the process that uses the channel.
    fn name(&self, cell: Cell) -> Option<String> {
        let Some(owner) = cell.owner else { return self.find(&self.program.lowered().globals, cell.at) };
        let proctype = self.program.proctype(self.layout.processes[owner].ty);
        let name = self.find(&proctype.variables, cell.at)?;
        Some(if owner == self.pid {
            name
        } else {
            format!("{}({owner}):{name}", proctype.name.trim_matches(':'))
        })
    }

    /// The full name of the scalar at an offset.
    fn find(&self, variables: &[Variable], at: u32) -> Option<String> {
        let records = &self.program.lowered().records;
        let size = |variable: &Variable| match &variable.ty {
            Type::Scalar(scalar, _) => scalar.size(),
            Type::Record(record) => records[*record as usize].size,
        };
        let has = |variable: &&Variable| {
            let end = variable.offset + variable.array.unwrap_or(1) * size(variable);
            (variable.offset..end).contains(&at)
        };
        let variable = variables.iter().find(has)?;
        let (element, rest) =
            ((at - variable.offset) / size(variable), (at - variable.offset) % size(variable));
        let index = variable.array.map_or(String::new(), |_| format!("[{element}]"));
        let name = format!("{}{index}", variable.name);
        match &variable.ty {
            Type::Scalar(..) => Some(name),
            Type::Record(record) => {
                let field = self.find(&records[*record as usize].fields, rest)?;
                Some(format!("{name}.{field}"))
            }
        }
    }
}

/// The offset of a place from its base, if its indices are constants.
fn constant_offset(place: &ScalarPlace) -> Option<u32> {
    place.indices.iter().try_fold(place.offset, |at, index| match index.value {
        Expr::Const(value) => Some(at + u32::try_from(value).ok()? * index.stride),
        _ => None,
    })
}

/// The channel in the text of a send or a receive.
fn written_name(text: &str) -> String {
    text.split(['!', '?']).next().unwrap_or(text).trim().into()
}
