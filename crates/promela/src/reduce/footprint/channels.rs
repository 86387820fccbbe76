//! Channels in footprints: which channels an expression may give, and what a use of one touches.
//!
//! A channel that is the same in every state is named by its identity. One that depends on the process is
//! named by an expression that never changes while the process lives. Any other channel may be all channels.

use super::super::access::{self, Access, Output, Use, bodies};
use super::super::resources::channel;
use super::steps::atomic_targets;
use super::{Analysis, Footprint, MAX_EXPRESSIONS, Name, When};
use crate::ir::{Action, Base, Expr, Proctype, Setup, Transition};

impl<'a> Analysis<'a> {
    /// Finds the rendezvous channels on which a send is tested.
    pub(super) fn find_tested(&mut self) {
        let lowered = self.lowered;
        if lowered.channel_types.iter().all(|ty| ty.capacity > 0) {
            return;
        }
        for (ty, proctype) in bodies(lowered).enumerate() {
            let n = proctype.transitions.len();
            // After a call or a return, every statement counts as tested.
            let mut inside = vec![self.points.is_some(); n];
            for pc in 0..n {
                atomic_targets(proctype, pc).for_each(|target| inside[target] = true);
            }
            for pc in (0..n).filter(|&pc| inside[pc] || is_tested(proctype, pc)) {
                for transition in &proctype.transitions[pc] {
                    if let Action::Send(send) = &proctype.statements[transition.statement as usize].action {
                        let names = self.static_names(ty, &send.channel);
                        self.tested |=
                            names.iter().map(|name| self.meeting_bits(*name)).fold(0, |a, b| a | b);
                    }
                }
            }
        }
    }

    /// The rendezvous channels that a name may mean.
    pub(super) fn meeting_bits(&self, name: Name) -> u64 {
        match name {
            Name::Id(id) if self.is_meeting(id) => channel_bit(usize::from(id)),
            Name::Id(_) => 0,
            Name::Expr(_) | Name::Any => u64::MAX,
        }
    }

    /// The tested channels on which a process in a control state may be ready to receive.
    pub(super) fn ready(&mut self, ty: usize, pc: usize) -> Vec<Name> {
        let lowered = self.lowered;
        let proctype = lowered.body(ty);
        let mut channels = Vec::new();
        if self.tested != 0 {
            for transition in &proctype.transitions[pc] {
                let note = &mut |access: Access<'a>| {
                    if let Access::Channel(e, Use::Receive(_)) = access {
                        channels.push(e);
                    }
                };
                access::statement(proctype, transition.statement, note, Output::DoesNotCount);
            }
        }
        let mut names: Vec<Name> = channels.iter().flat_map(|e| self.static_names(ty, e)).collect();
        names.retain(|&name| self.meeting_bits(name) & self.tested != 0);
        names
    }

    /// The channels that an expression over globals may give, in any process.
    pub(super) fn known_channels(&mut self, e: &Expr) -> u64 {
        let bit = |name: &Name| match name {
            Name::Id(id) => channel_bit(usize::from(*id)),
            Name::Expr(_) | Name::Any => u64::MAX,
        };
        self.names(0, e).iter().map(bit).fold(0, |a, b| a | b)
    }

    /// Whether an expression has the same value in every state of a process's life.
    pub(super) fn is_stable(&self, ty: usize, e: &Expr) -> bool {
        let is_fixed = |base: &Base, start: u32, end: u32| {
            let written = match base {
                Base::Global => &self.written_globals,
                Base::Local => &self.written_locals[ty],
                Base::Object(_) => return false,
            };
            !written.iter().any(|&(from, to)| from < end && start < to)
        };
        match e {
            Expr::Const(_) | Expr::Pid => true,
            Expr::LoadByte(base, offset) => is_fixed(base, *offset, offset + 1),
            Expr::Load(place) => {
                let (start, end, _) = access::range(place);
                is_fixed(&place.base, start, end)
                    && place.indices.iter().all(|index| self.is_stable(ty, &index.value))
            }
            Expr::Unary(_, a) | Expr::WithConst(_, a, _) => self.is_stable(ty, a),
            Expr::Binary(_, a, b, _) | Expr::And(a, b) | Expr::Or(a, b) => {
                self.is_stable(ty, a) && self.is_stable(ty, b)
            }
            Expr::Cond(c, a, b) => self.is_stable(ty, c) && self.is_stable(ty, a) && self.is_stable(ty, b),
            _ => false,
        }
    }

    /// The channels that an expression may give.
    pub(super) fn names(&mut self, ty: usize, e: &Expr) -> Vec<Name> {
        let place = match e {
            Expr::LoadByte(Base::Global, offset) => Some((*offset, offset + 1, true)),
            Expr::Load(place) if place.base == Base::Global => Some(access::range(place)),
            _ => None,
        };
        let ids = place.and_then(|(start, end, exact)| {
            let fixed = !self.written_globals.iter().any(|&(from, to)| from < end && start < to);
            let inside = self.channel_ids.iter().filter(|(at, _)| (start..end).contains(at));
            let ids: Vec<Name> = inside.map(|&(_, id)| Name::Id(id)).collect();
            // Another value may be put there at the start: then the channel is known only in a state.
            let assigned = self.lowered.setup.iter().any(|step| match step {
                Setup::Assign(place, _) => {
                    let (from, to, _) = access::range(place);
                    from < end && start < to
                }
                Setup::Channel(..) => false,
            });
            (fixed && !assigned && (!exact || ids.len() == 1)).then_some((ids, exact))
        });
        match ids {
            Some((ids, true)) => ids,
            Some((ids, false)) if !self.is_stable(ty, e) => ids,
            // A function's variables are only in its frame, which may not exist yet.
            _ if ty < self.lowered.proctypes.len() && self.is_stable(ty, e) => {
                match intern(&mut self.exprs[ty], e) {
                    Some(idx) => vec![Name::Expr(idx)],
                    None => vec![Name::Any],
                }
            }
            _ => vec![Name::Any],
        }
    }

    /// The channels outside all objects that an expression may give.
    pub(super) fn static_names(&mut self, ty: usize, e: &Expr) -> Vec<Name> {
        let in_objects = self.points.is_some_and(|points| !points.channels(ty, e).may_be_static);
        if in_objects { Vec::new() } else { self.names(ty, e) }
    }

    /// Adds a use of the channels that an expression may give.
    pub(super) fn use_channel(&mut self, ty: usize, to: &mut Footprint, e: &Expr, how: u8, when: When) {
        for name in self.names(ty, e) {
            self.use_name(to, name, how, when);
        }
    }

    pub(super) fn use_name(&self, to: &mut Footprint, name: Name, how: u8, when: When) {
        match (name, when) {
            (Name::Id(id), When::Always) => {
                let how = if self.is_meeting(id) { how | channel::MEETING } else { how };
                let bit = channel_bit(usize::from(id));
                to.set.add_channels(self.resources.n_plain_words, bit, how);
                if self.traced.watches(bit, how) {
                    to.set.add(self.resources.trace, true);
                }
            }
            _ => *to.channels.entry((name, when)).or_default() |= how,
        }
    }

    /// Whether a channel that exists from the start is a rendezvous.
    pub(super) fn is_meeting(&self, id: u8) -> bool {
        let channels = self.lowered.setup.iter().filter_map(|step| match step {
            Setup::Channel(_, ty) => Some(ty),
            Setup::Assign(..) => None,
        });
        let ty = channels.clone().nth(usize::from(id) - 1);
        ty.is_none_or(|ty| self.lowered.channel_types[usize::from(ty.0)].capacity == 0)
    }

    pub(super) fn add_channel(
        &mut self,
        ty: usize,
        to: &mut Footprint,
        e: &Expr,
        how: Use<'_>,
        first: bool,
        tested: bool,
    ) {
        let (uses, waits, when) = ends_used(how);
        self.use_channel(ty, to, e, uses, When::Always);
        if tested {
            self.use_channel(ty, to, e, waits, When::Always);
        } else if first && waits != 0 {
            self.use_channel(ty, to, e, waits, when);
        }
    }
}

/// What a use of a channel does to its ends, which end it waits for, and when it waits.
pub(super) fn ends_used(how: Use<'_>) -> (u8, u8, When) {
    use channel::*;
    match how {
        Use::Send { sorted } => {
            let ends = if sorted { WRITE_TAIL | WRITE_HEAD } else { WRITE_TAIL };
            (ends | READ_SENDER, READ_HEAD, When::IfFull)
        }
        Use::Receive(receive) => {
            let ends = if receive.peek { READ_HEAD } else { WRITE_HEAD };
            let selective = receive.fields.iter().any(|field| matches!(field, crate::ir::Field::Match(_)));
            let when = if receive.random && selective { When::Always } else { When::IfEmpty };
            (ends | READ_RECEIVER, READ_TAIL, when)
        }
        Use::Look => (READ_TAIL | READ_HEAD | READ_SENDER | READ_RECEIVER, 0, When::Always),
        Use::LookForRoom => (READ_TAIL | READ_HEAD | READ_SENDER, 0, When::Always),
        Use::LookForMessage => (READ_TAIL | READ_HEAD | READ_RECEIVER, 0, When::Always),
    }
}

/// The bit of a channel by its identity.
#[inline]
pub(in crate::reduce) fn channel_bit(id: usize) -> u64 {
    1 << (id - 1).min(63)
}

/// The index of an item in a list of distinct ones; `None` if there are too many.
pub(super) fn intern<T: PartialEq + Clone>(list: &mut Vec<T>, item: &T) -> Option<u16> {
    let known = list.iter().position(|other| other == item);
    let idx = known.or_else(|| {
        (list.len() < MAX_EXPRESSIONS).then(|| {
            list.push(item.clone());
            list.len() - 1
        })
    });
    idx.map(|idx| idx as u16)
}

/// Whether it matters in a control state that a statement is not executable.
pub(super) fn is_tested(proctype: &Proctype, pc: usize) -> bool {
    let list = &proctype.transitions[pc];
    let is_else = |t: &Transition| matches!(proctype.statements[t.statement as usize].action, Action::Else);
    proctype.deterministic || list.iter().any(|t| t.escape > 0 || is_else(t))
}

/// Whether an expression is a channel that the process made itself.
pub(super) fn is_own_channel(proctype: &Proctype, e: &Expr) -> bool {
    let offset = match e {
        Expr::LoadByte(Base::Local, offset) => *offset,
        Expr::Load(place) if place.base == Base::Local && place.indices.is_empty() => place.offset,
        _ => return false,
    };
    let mut makers = proctype.setup.iter().filter_map(|step| match step {
        Setup::Channel(place, _) => Some(place),
        Setup::Assign(..) => None,
    });
    makers.any(|place| access::range(place).0 == offset && access::range(place).2)
}
