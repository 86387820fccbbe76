//! Which channel a channel expression gives, as far as that is known before the model runs.
//!
//! A channel variable that is initialised with a channel and never assigned again always holds the same
//! channel, or one of the same type. What is not known is looked up when the code runs.

use crate::ir::{Action, Base, DNode, Expr, Field, Proctype, ScalarPlace, Setup, Target};
use crate::lower::Lowered;
use std::collections::HashMap;

/// What is known of a channel expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct KnownChannel {
    /// The index of the channel among the global ones.
    pub(crate) global: Option<u32>,
    /// Its type.
    pub(crate) ty: Option<u16>,
}

/// What is known of channel variables.
#[derive(Debug, Default)]
pub(crate) struct KnownChannels {
    globals: HashMap<u32, KnownChannel>,
    /// By process type.
    locals: Vec<HashMap<u32, KnownChannel>>,
}

/// A range of bytes of the globals or of a record.
type Extent = (u32, u32);

fn extent(place: &ScalarPlace) -> Extent {
    let reach: u32 = place.indices.iter().map(|index| (index.bound - 1) * index.stride).sum();
    (place.offset, place.offset + reach + place.scalar.size())
}

#[derive(Default)]
struct Stores {
    globals: Vec<Extent>,
    locals: Vec<Extent>,
}

impl Stores {
    fn note(&mut self, place: &ScalarPlace) {
        match place.base {
            Base::Global => self.globals.push(extent(place)),
            Base::Local => self.locals.push(extent(place)),
            Base::Object(_) => {}
        }
    }

    fn note_target(&mut self, target: &Target) {
        match target {
            Target::Place(place) => self.note(place),
            Target::Either(either) => {
                self.note(&either.left);
                either.right.iter().for_each(|place| self.note(place));
            }
            Target::Discard | Target::Forgotten(_) | Target::Priority => {}
        }
    }

    fn note_proctype(&mut self, proctype: &Proctype) {
        for statement in &proctype.statements {
            match &statement.action {
                Action::Assign(target, _) => self.note_target(target),
                Action::Receive(receive) => receive.fields.iter().for_each(|field| {
                    if let Field::Store(target) = field {
                        self.note_target(target);
                    }
                }),
                Action::New(new) => self.note(&new.target),
                Action::Call(call) => call.result.iter().for_each(|target| self.note_target(target)),
                _ => {}
            }
        }
        proctype.params.iter().for_each(|place| self.note(place));
        self.note_setup(&proctype.setup);
        debug_assert!(proctype.d_steps.iter().flat_map(|d| &d.nodes).all(|node| match node {
            DNode::Do { statement, .. } => (*statement as usize) < proctype.statements.len(),
            _ => true,
        }));
    }

    fn note_setup(&mut self, setup: &[Setup]) {
        for step in setup {
            if let Setup::Assign(place, _) = step {
                self.note(place);
            }
        }
    }
}

fn overlaps(extents: &[Extent], offset: u32) -> bool {
    extents.iter().any(|&(start, end)| (start..end).contains(&offset))
}

/// The variables that keep the channels which a setup assigns to them.
fn keepers(setup: &[Setup], base: Base, assigned: &[Extent]) -> HashMap<u32, KnownChannel> {
    let mut known = HashMap::new();
    let mut n_channels = 0;
    for step in setup {
        if let Setup::Channel(place, ty) = step {
            let global = (base == Base::Global).then_some(n_channels);
            n_channels += 1;
            // A variable of which an address is taken is in an object.
            if place.base != base {
                continue;
            }
            let constant = place.indices.iter().try_fold(place.offset, |at, index| match index.value {
                Expr::Const(value) => Some(at + value as u32 * index.stride),
                _ => None,
            });
            if let Some(offset) = constant.filter(|&offset| !overlaps(assigned, offset)) {
                known.insert(offset, KnownChannel { global, ty: Some(ty.0) });
            }
        }
    }
    known
}

impl KnownChannels {
    pub(crate) fn new(program: &Lowered) -> Self {
        let mut stores = Stores::default();
        stores.note_setup(&program.setup);
        if program.dynamic.is_some() {
            return Self::of_dynamic(program, stores);
        }
        let mut locals = Vec::new();
        for proctype in &program.proctypes {
            stores.locals.clear();
            stores.note_proctype(proctype);
            locals.push(keepers(&proctype.setup, Base::Local, &stores.locals));
        }
        Self { globals: keepers(&program.setup, Base::Global, &stores.globals), locals }
    }

    /// For a model with objects: no pointer refers to a variable in the record of a process, and none to a
    /// global variable if no address of one is taken. The variables of functions are not analysed.
    fn of_dynamic(program: &Lowered, mut stores: Stores) -> Self {
        let mut locals = Vec::new();
        for code in 0..program.n_bodies() {
            let body = program.body(code);
            stores.locals.clear();
            stores.note_proctype(body);
            body.scopes.iter().for_each(|scope| stores.note_setup(&scope.setup));
            if code < program.proctypes.len() {
                locals.push(keepers(&body.setup, Base::Local, &stores.locals));
            }
        }
        if super::objects::ObjectFacts::new(program).points_to_globals {
            return Self { globals: HashMap::new(), locals };
        }
        Self { globals: keepers(&program.setup, Base::Global, &stores.globals), locals }
    }

    /// What is known of a channel expression of a process type.
    pub(crate) fn of(&self, proctype: usize, channel: &Expr) -> KnownChannel {
        let variables = |base: &Base| match base {
            Base::Global => Some(&self.globals),
            Base::Local => self.locals.get(proctype),
            Base::Object(_) => None,
        };
        match channel {
            Expr::LoadByte(base, offset) => {
                variables(base).and_then(|known| known.get(offset)).copied().unwrap_or_default()
            }
            Expr::Load(place) => {
                let Some(known) = variables(&place.base) else { return KnownChannel::default() };
                let all = elements(place);
                let Some(first) = all.first().and_then(|offset| known.get(offset)) else {
                    return KnownChannel::default();
                };
                match all.as_slice() {
                    [_] => *first,
                    all if all.iter().all(|offset| known.get(offset).is_some_and(|k| k.ty == first.ty)) => {
                        KnownChannel { global: None, ty: first.ty }
                    }
                    _ => KnownChannel::default(),
                }
            }
            _ => KnownChannel::default(),
        }
    }
}

/// The offsets that a place with indices can have.
fn elements(place: &ScalarPlace) -> Vec<u32> {
    let mut offsets = vec![place.offset];
    for index in &place.indices {
        let range = match index.value {
            Expr::Const(value) if value >= 0 && (value as u32) < index.bound => {
                value as u32..value as u32 + 1
            }
            _ => 0..index.bound,
        };
        offsets = offsets
            .iter()
            .flat_map(|offset| range.clone().map(move |element| offset + element * index.stride))
            .collect();
    }
    offsets
}
