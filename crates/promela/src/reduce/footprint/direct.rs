//! Accesses through pointers: what they may touch, and which of them can be looked up in a state.
//!
//! A step begins with one statement of one body. Nothing has changed when that statement is tried, so the
//! pointers in it have their values of the state, and the object that each refers to can be looked up. Those
//! accesses are *direct*. (The process whose step is analysed reads these pointers, so no process outside the
//! chosen set changes them before the step is taken.) Pointers read later in a step may have other values, so
//! those accesses are known only by site. A statement that enters a scope reads that scope's variables after
//! they are set, so its accesses are known only by site, too.

use super::super::access::{self, Access, Use};
use super::channels::{ends_used, is_tested};
use super::{Analysis, Footprint, Name, When, channel};
use crate::ir::{Action, Expr, Field, ScalarPlace, Through, Transition};

/// The accesses of one transition that can be looked up.
#[derive(Debug)]
pub(in crate::reduce) struct Direct {
    /// Flags of the record or frame which are set when all scopes around the statement are entered.
    pub(in crate::reduce) inside: Vec<u32>,
    pub(in crate::reduce) parts: Vec<DirectPart>,
    pub(in crate::reduce) channels: Vec<DirectChannel>,
    /// What the accesses may touch if one of the scopes is not entered.
    pub(in crate::reduce) otherwise: Footprint,
}

/// An access through a pointer.
#[derive(Debug)]
pub(in crate::reduce) struct DirectPart {
    pub(in crate::reduce) pointer: Expr,
    pub(in crate::reduce) write: bool,
    /// The parts touched if the pointer refers to an object of a type.
    pub(in crate::reduce) parts: Vec<(u16, u16)>,
    /// The globals touched if the pointer refers to one.
    pub(in crate::reduce) globals: Vec<u16>,
}

/// A use of a channel.
#[derive(Debug)]
pub(in crate::reduce) struct DirectChannel {
    pub(in crate::reduce) channel: Expr,
    pub(in crate::reduce) uses: u8,
    pub(in crate::reduce) waits: u8,
    pub(in crate::reduce) when: When,
    /// For a channel of an object: its type, the ordinal, and the bits of tail and head.
    pub(in crate::reduce) parts: Vec<(u16, u16, u16, u16)>,
}

impl Direct {
    pub(in crate::reduce) fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.channels.is_empty()
    }
}

impl<'a> Analysis<'a> {
    fn object_of(&self, site: u16) -> u16 {
        self.points.map_or(0, |points| points.sites[usize::from(site)].object)
    }

    /// Adds an access through a pointer.
    pub(super) fn add_object(
        &self,
        code: usize,
        to: &mut Footprint,
        place: &ScalarPlace,
        through: &Through,
        write: bool,
    ) {
        let Some(points) = self.points else { return };
        let touched = points.touched(code, place, through);
        for (start, end) in touched.globals {
            self.resources.globals(start, end, |bit| to.set.add(bit, write));
        }
        for (site, start, end) in touched.parts {
            let object = self.object_of(site);
            self.resources.part(site, start, end, |bit| to.add_part(object, bit, write));
        }
    }

    /// Adds a write that is not looked up in a state.
    pub(super) fn add_write(&self, code: usize, to: &mut Footprint, access: &Access<'_>) {
        match access {
            Access::Local { start, end, write, .. } => {
                self.resources.remote(code, *start, *end, |bit| to.set.add(bit, *write));
            }
            Access::Global { start, end, write, .. } if !self.shared.is_scratch(*start, *end) => {
                self.resources.globals(*start, *end, |bit| to.set.add(bit, *write));
            }
            Access::Object { place, through, write } => self.add_object(code, to, place, through, *write),
            _ => {}
        }
    }

    /// Adds the end of all objects of a site.
    pub(super) fn add_site(&self, to: &mut Footprint, site: u16) {
        let object = self.object_of(site);
        self.resources.whole_site(site, |bit| to.add_part(object, bit, true));
    }

    /// Adds a use of a channel of a site. `waits` if it may matter that the use is blocked.
    pub(super) fn add_site_channel(
        &self,
        to: &mut Footprint,
        site: u16,
        ordinal: u16,
        how: Use<'_>,
        waits: bool,
    ) {
        let Some((tail, head)) = self.resources.site_channel(site, ordinal) else { return };
        let (uses, other, _) = ends_used(how);
        let how = if waits { uses | other } else { uses };
        let object = self.object_of(site);
        for (bit, write) in ends_touched(how, tail, head) {
            to.add_part(object, bit, write);
        }
    }

    /// Adds what the scopes that a transition enters and leaves touch, and the start of a function that it
    /// calls.
    pub(super) fn of_scopes_and_calls(
        &mut self,
        code: usize,
        transition: &'a Transition,
        to: &mut Footprint,
    ) {
        let Some(points) = self.points else { return };
        let lowered = self.lowered;
        let body = lowered.body(code);
        let mut accesses = Vec::new();
        access::entered(body, transition, &mut |access| accesses.push((code, access)));
        for function in self.called(code, transition) {
            let function = lowered.proctypes.len() + function;
            let body = lowered.body(function);
            access::setup(&body.setup, &mut |access| accesses.push((function, access)));
            self.resources.watched(function, body.start, |bit| to.set.add(bit, true));
            for name in self.ready(function, usize::from(body.start.0)) {
                self.use_name(to, name, 0, When::Always);
            }
        }
        for (code, access) in accesses {
            self.add(code, to, access, false, true);
        }
        let statement = &body.statements[transition.statement as usize];
        if let Action::Call(_) = statement.action {
            // While the function runs, control rests at the call.
            self.resources.watched(code, statement.state, |bit| to.set.add(bit, true));
        }
        for object in access::ended(body, transition) {
            self.add_site(to, points.scope_site(object));
        }
    }

    /// The functions that a transition may call.
    pub(super) fn called(&self, code: usize, transition: &Transition) -> Vec<usize> {
        let statement = &self.lowered.body(code).statements[transition.statement as usize];
        let call = match &statement.action {
            Action::Call(call) => call,
            Action::Return(returned) => match &**returned {
                crate::ir::Returned::Call(call) => call,
                _ => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        self.points.map_or_else(Vec::new, |points| points.callees(call))
    }

    /// What the transitions of a control state touch when they are the first of a step.
    pub(super) fn first_of_state(&mut self, code: usize, pc: usize) -> (Footprint, Vec<Direct>) {
        let lowered = self.lowered;
        let body = lowered.body(code);
        let mut footprint = Footprint::new(self.n_words);
        let mut all = Vec::new();
        let tested = is_tested(body, pc);
        for transition in &body.transitions[pc] {
            let statement = &body.statements[transition.statement as usize];
            let is_sequence = matches!(statement.action, Action::DStep(_));
            let tested = tested || is_sequence;
            self.of_transition(code, pc, transition, &mut footprint);
            let scopes = transition.scopes.as_deref().map_or(&[][..], |moves| &moves.inside);
            let flags = scopes.iter().filter_map(|&scope| body.scopes[usize::from(scope)].flag);
            let otherwise = Footprint::new(self.n_words);
            let mut direct =
                Direct { inside: flags.collect(), parts: Vec::new(), channels: Vec::new(), otherwise };
            let is_direct = !is_sequence && !statement.has_run;
            let keeps = keeps_pointers(&statement.action);
            for access in self.accesses(code, transition) {
                let known = match &access {
                    Access::Channel(e, how) if is_direct => {
                        self.direct_channel(code, e, *how, tested, &mut direct)
                    }
                    Access::Object { .. } | Access::Delete(_) if is_direct && keeps => {
                        self.direct_part(code, &access, &mut direct);
                        true
                    }
                    _ => false,
                };
                let to = if known { &mut direct.otherwise } else { &mut footprint };
                self.add(code, to, access, true, tested);
            }
            if !direct.is_empty() {
                all.push(direct);
            }
        }
        for access in self.provided(code, pc) {
            self.add(code, &mut footprint, access, true, true);
        }
        (footprint, all)
    }

    fn direct_part(&self, code: usize, access: &Access<'_>, direct: &mut Direct) {
        let mut to = Footprint::new(self.n_words);
        let (pointer, write) = match access {
            Access::Object { place, through, write } => {
                self.add_object(code, &mut to, place, through, *write);
                (through.pointer.clone(), *write)
            }
            Access::Delete(delete) => {
                let sites = self.points.map(|points| points.deleted(code, delete));
                sites.into_iter().flatten().for_each(|site| self.add_site(&mut to, site));
                (delete.pointer.clone(), true)
            }
            _ => return,
        };
        let half = to.set.0.len() / 2;
        let globals = (0..half as u16 * 64)
            .filter(|&bit| to.set.0[half + usize::from(bit) / 64] >> (bit % 64) & 1 == 1)
            .collect();
        let parts = to.parts.into_keys().collect();
        direct.parts.push(DirectPart { pointer, write, parts, globals });
    }

    /// The use of a channel as one to look up, if its static name is not precise enough.
    fn direct_channel(
        &mut self,
        code: usize,
        e: &Expr,
        how: Use<'_>,
        tested: bool,
        direct: &mut Direct,
    ) -> bool {
        let Some(points) = self.points else { return false };
        let channels = points.channels(code, e);
        if channels.parts.is_empty() && self.names(code, e).iter().all(|name| *name != Name::Any) {
            return false;
        }
        let (uses, waits, when) = ends_used(how);
        let bits = |(site, ordinal)| {
            let (tail, head) = self.resources.site_channel(site, ordinal)?;
            Some((self.object_of(site), ordinal, tail, head))
        };
        let parts = channels.parts.into_iter().filter_map(bits).collect();
        let when = if tested { When::Always } else { when };
        direct.channels.push(DirectChannel { channel: e.clone(), uses, waits, when, parts });
        true
    }
}

/// The bits of the ends of a channel of an object that a use touches, and whether it writes them.
pub(in crate::reduce) fn ends_touched(how: u8, tail: u16, head: u16) -> Vec<(u16, bool)> {
    let mut list = Vec::new();
    for (bit, write, read) in
        [(tail, channel::WRITE_TAIL, channel::READ_TAIL), (head, channel::WRITE_HEAD, channel::READ_HEAD)]
    {
        if how & (write | read) != 0 {
            list.push((bit, how & write != 0));
        }
    }
    list
}

/// Whether the pointers in a statement keep one value until the statement is complete. A receive may set one
/// and then write through it.
fn keeps_pointers(action: &Action) -> bool {
    match action {
        Action::Receive(receive) => {
            let stores = receive.fields.iter().filter(|field| matches!(field, Field::Store(_)));
            stores.count() <= 1
        }
        _ => true,
    }
}
