//! What pointers may refer to, and which objects are shared between processes.
//!
//! A *site* stands for all objects that one `new` makes, or for all objects with the variables of one scope.
//! For each variable, field of a site, message and result that can hold a reference, the analysis computes
//! the set of its possible targets: parts of sites (by offset in an element; the elements of an array are
//! one), parts of the globals, channels of sites. The sets are the least ones that every statement of the
//! model respects, whatever the order in which statements run (Andersen, *Program analysis and specialization
//! for the C programming language*, 1994). This is right for every interleaving, because the analysis assumes
//! no order between steps. All messages are one cell: what was sent anywhere may be received anywhere, where
//! the types agree. A call through `ftype` may be a call of each function that the arguments fit; any other
//! call through it is an error and touches nothing.
//!
//! A site is *shared* if a reference to it may be in a global, in a message, among the arguments of a `run`,
//! in a variable that is read from outside its process, or in a shared site. References pass from one process
//! to another only in these ways. So each object of a site that is not shared is known to at most one process
//! at a time, from its creation to its end.

use super::access::{self, Access, Output, Use, bodies};
use crate::ir::{
    Action, Base, Call, Callee, Delete, Expr, Field, Init, ObjectKind, Returned, Scalar, ScalarPlace, Setup,
    Target, Through, Type, Variable,
};
use crate::lower::{Dynamic, Lowered};
use std::collections::{BTreeMap, BTreeSet};

/// Something that can hold a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    /// A variable of a body, by its code.
    Local(usize, u32),
    Global(u32),
    /// A part of a site's elements.
    Part(u16, u32),
    /// Any field of any message.
    Message,
    /// The value that a function returns.
    Result(u16),
}

/// The target of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ref {
    Part(u16, u32),
    Global(u32),
    /// A channel of a site's elements, by its ordinal in an element.
    Channel(u16, u16),
    /// A channel outside all objects.
    StaticChannel,
}

/// What an access through a pointer may touch.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// Parts of the globals.
    pub(super) globals: Vec<(u32, u32)>,
    /// Parts of the elements of sites.
    pub(super) parts: Vec<(u16, u32, u32)>,
}

/// The channels that an expression may give.
#[derive(Debug, Default)]
pub(super) struct Channels {
    /// Channels of sites, by their ordinals in an element.
    pub(super) parts: Vec<(u16, u16)>,
    /// Whether one of them may be a channel outside all objects.
    pub(super) may_be_static: bool,
}

/// A site.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    /// The type of its objects.
    pub(super) object: u16,
    /// Whether several processes may reach one of its objects.
    pub(super) shared: bool,
}

/// The solution for one model.
#[derive(Debug)]
pub(super) struct PointsTo<'a> {
    lowered: &'a Lowered,
    dynamic: &'a Dynamic,
    pub(super) sites: Vec<Site>,
    /// The site of each statement that makes an object, by code and statement.
    made_at: BTreeMap<(usize, usize), u16>,
    /// The site of each type of scope objects.
    scope_sites: BTreeMap<u16, u16>,
    cells: BTreeMap<Cell, BTreeSet<Ref>>,
    changed: bool,
}

impl<'a> PointsTo<'a> {
    /// Solves a model; `None` if it uses no dynamic features.
    pub(super) fn new(lowered: &'a Lowered) -> Option<Self> {
        let dynamic = lowered.dynamic.as_ref()?;
        let mut points = Self {
            lowered,
            dynamic,
            sites: Vec::new(),
            made_at: BTreeMap::new(),
            scope_sites: BTreeMap::new(),
            cells: BTreeMap::new(),
            changed: true,
        };
        for (code, body) in bodies(lowered).enumerate() {
            for (idx, statement) in body.statements.iter().enumerate() {
                if let Action::New(new) = &statement.action {
                    points.made_at.insert((code, idx), points.sites.len() as u16);
                    points.sites.push(Site { object: new.object, shared: false });
                }
            }
            for (_, object) in body.scopes.iter().filter_map(|scope| scope.object) {
                points.scope_sites.insert(object, points.sites.len() as u16);
                points.sites.push(Site { object, shared: false });
            }
        }
        while std::mem::take(&mut points.changed) {
            points.round();
        }
        points.find_shared();
        Some(points)
    }

    /// Applies every statement once.
    fn round(&mut self) {
        let lowered = self.lowered;
        self.setup(0, &lowered.setup);
        for (code, body) in bodies(lowered).enumerate() {
            for scope in body.scopes.iter() {
                if let Some((slot, ty)) = scope.object {
                    let site = self.scope_sites[&ty];
                    self.add(Cell::Local(code, slot), &BTreeSet::from([Ref::Part(site, 0)]));
                }
                self.setup(code, &scope.setup);
            }
            self.setup(code, &body.setup);
            for (idx, statement) in body.statements.iter().enumerate() {
                self.action(code, idx, &statement.action);
                if statement.has_run {
                    self.runs(code, idx);
                }
            }
        }
    }

    fn add(&mut self, cell: Cell, refs: &BTreeSet<Ref>) {
        if refs.is_empty() {
            return;
        }
        let all = self.cells.entry(cell).or_default();
        let before = all.len();
        all.extend(refs);
        self.changed |= all.len() > before;
    }

    fn setup(&mut self, code: usize, setup: &[Setup]) {
        for step in setup {
            match step {
                Setup::Assign(place, value) => {
                    let refs = self.refs(code, value);
                    self.assign(code, place, &refs);
                }
                Setup::Channel(place, _) => {
                    self.assign(code, place, &BTreeSet::from([Ref::StaticChannel]));
                }
            }
        }
    }

    fn assign(&mut self, code: usize, place: &ScalarPlace, refs: &BTreeSet<Ref>) {
        for cell in self.cells_of(code, place) {
            self.add(cell, refs);
        }
    }

    fn store(&mut self, code: usize, target: &Target, refs: &BTreeSet<Ref>) {
        match target {
            Target::Place(place) => self.assign(code, place, refs),
            Target::Either(either) => {
                self.assign(code, &either.left, refs);
                either.right.iter().for_each(|place| self.assign(code, place, refs));
            }
            Target::Discard | Target::Forgotten(_) | Target::Priority => {}
        }
    }

    fn action(&mut self, code: usize, statement: usize, action: &Action) {
        match action {
            Action::Assign(target, value) => {
                let refs = self.refs(code, value);
                self.store(code, target, &refs);
            }
            Action::Send(send) => {
                for arg in &send.args {
                    let refs = self.refs(code, arg);
                    self.add(Cell::Message, &refs);
                }
            }
            Action::Receive(receive) => {
                let refs = self.held(Cell::Message);
                for field in &receive.fields {
                    if let Field::Store(target) = field {
                        self.store(code, target, &refs);
                    }
                }
            }
            Action::New(new) => {
                let site = self.made_at[&(code, statement)];
                self.assign(code, &new.target, &BTreeSet::from([Ref::Part(site, 0)]));
                let mut ordinal = 0;
                for init in &self.dynamic.object(new.object).init {
                    let (at, refs) = match init {
                        Init::Value(at, _, value) => (*at, self.refs(code, value)),
                        Init::Channel(at) => {
                            ordinal += 1;
                            (*at, BTreeSet::from([Ref::Channel(site, ordinal - 1)]))
                        }
                    };
                    self.add(Cell::Part(site, at), &refs);
                }
            }
            Action::Call(call) => {
                for function in self.callees(call) {
                    self.pass(code, call, function);
                    let refs = self.held(Cell::Result(function as u16));
                    call.result.iter().for_each(|result| self.store(code, result, &refs));
                }
            }
            Action::Return(returned) => {
                let own = Cell::Result((code - self.lowered.proctypes.len()) as u16);
                match &**returned {
                    Returned::Value(value) => {
                        let refs = self.refs(code, value);
                        self.add(own, &refs);
                    }
                    Returned::Call(call) => {
                        for function in self.callees(call) {
                            self.pass(code, call, function);
                            let refs = self.held(Cell::Result(function as u16));
                            self.add(own, &refs);
                        }
                    }
                    Returned::End | Returned::Nothing => {}
                }
            }
            _ => {}
        }
    }

    /// The functions that a call may invoke.
    pub(super) fn callees(&self, call: &Call) -> Vec<usize> {
        let functions = self.dynamic.functions.iter().enumerate();
        match &call.callee {
            Callee::Direct(id) => vec![usize::from(*id)],
            Callee::Through(_) => functions
                .filter(|(_, function)| {
                    let fits = |(arg, formal): (&Expr, _)| arg.for_formal(formal).is_some();
                    function.formals.len() == call.args.len()
                        && call.args.iter().zip(&function.formals).all(fits)
                })
                .map(|(id, _)| id)
                .collect(),
        }
    }

    /// Assigns the arguments of a call to the parameters.
    fn pass(&mut self, code: usize, call: &Call, function: usize) {
        let dynamic = self.dynamic;
        let callee = self.lowered.proctypes.len() + function;
        for (arg, param) in call.args.iter().zip(&dynamic.functions[function].body.params) {
            let refs = self.refs(code, arg);
            self.assign(callee, param, &refs);
        }
    }

    /// Passes arguments to the processes that a statement starts; each of them then holds the references too.
    fn runs(&mut self, code: usize, statement: usize) {
        let lowered = self.lowered;
        let mut runs = Vec::new();
        let note = &mut |access: Access<'a>| {
            if let Access::Run(run) = access {
                runs.push(run);
            }
        };
        access::statement(lowered.body(code), statement as u32, note, Output::Counts);
        for run in runs {
            let child = usize::from(run.proctype.0);
            for (arg, param) in run.args.iter().zip(&lowered.proctypes[child].params) {
                let refs = self.refs(code, arg);
                // Both processes have the reference, as if it had been sent in a message.
                self.add(Cell::Message, &refs);
                self.assign(child, param, &refs);
            }
        }
    }

    fn held(&self, cell: Cell) -> BTreeSet<Ref> {
        self.cells.get(&cell).cloned().unwrap_or_default()
    }

    /// What the value of an expression may refer to.
    fn refs(&self, code: usize, e: &Expr) -> BTreeSet<Ref> {
        match e {
            Expr::Load(place) => {
                self.cells_of(code, place).into_iter().flat_map(|cell| self.held(cell)).collect()
            }
            Expr::Address(address) => {
                let refs = self.spots(code, &address.place).into_iter();
                refs.filter_map(|cell| match cell {
                    Cell::Part(site, at) => Some(Ref::Part(site, at)),
                    Cell::Global(at) => Some(Ref::Global(at)),
                    _ => None,
                })
                .collect()
            }
            Expr::Either(either) => {
                let mut refs = self.refs(code, &either.left);
                either.right.iter().for_each(|right| refs.extend(self.refs(code, right)));
                refs
            }
            Expr::Cond(_, a, b) => {
                let mut refs = self.refs(code, a);
                refs.extend(self.refs(code, b));
                refs
            }
            _ => BTreeSet::new(),
        }
    }

    /// The cells that a place may mean, if it can hold a reference.
    fn cells_of(&self, code: usize, place: &ScalarPlace) -> Vec<Cell> {
        if place.scalar == Scalar::Pointer { self.spots(code, place) } else { Vec::new() }
    }

    /// The cells that a place may mean, with every value of each index.
    fn spots(&self, code: usize, place: &ScalarPlace) -> Vec<Cell> {
        let mut offsets = vec![place.offset];
        for index in &place.indices {
            offsets = match index.value {
                Expr::Const(value) if u32::try_from(value).is_ok_and(|value| value < index.bound) => {
                    offsets.iter().map(|at| at + value as u32 * index.stride).collect()
                }
                _ => {
                    let each = |at: &u32| {
                        let at = *at;
                        (0..index.bound.max(1)).map(move |k| at + k * index.stride)
                    };
                    offsets.iter().flat_map(each).collect()
                }
            };
        }
        match &place.base {
            Base::Local => offsets.into_iter().map(|at| Cell::Local(code, at)).collect(),
            Base::Global => offsets.into_iter().map(Cell::Global).collect(),
            Base::Object(through) => {
                let mut cells = Vec::new();
                for target in self.targets(code, through) {
                    let (limit, wraps) = self.extent(target);
                    let start = match target {
                        Ref::Part(_, at) | Ref::Global(at) => at,
                        Ref::Channel(..) | Ref::StaticChannel => continue,
                    };
                    let elements = self.elements(target, through);
                    for element in 0..elements {
                        for offset in &offsets {
                            let at = start + element * through.size + offset;
                            let at = if wraps { at % limit.max(1) } else { at };
                            cells.push(match target {
                                Ref::Part(site, _) => Cell::Part(site, at),
                                _ => Cell::Global(at),
                            });
                        }
                    }
                }
                cells
            }
        }
    }

    /// The number of elements that an index behind a pointer distinguishes; all elements of a whole object
    /// are one.
    fn elements(&self, target: Ref, through: &Through) -> u32 {
        let (limit, wraps) = self.extent(target);
        let start = match target {
            Ref::Part(_, at) | Ref::Global(at) => at,
            Ref::Channel(..) | Ref::StaticChannel => return 0,
        };
        if through.index.is_none() || wraps && start == 0 && through.size == limit {
            return 1;
        }
        ((limit - start.min(limit)) / through.size.max(1)).max(1)
    }

    /// The bytes in which a pointer into `target` stays, and whether they are an element of an array of
    /// objects.
    fn extent(&self, target: Ref) -> (u32, bool) {
        match target {
            Ref::Part(site, _) => {
                let object = self.dynamic.object(self.sites[usize::from(site)].object);
                (object.size, matches!(object.kind, ObjectKind::Data(_)))
            }
            _ => (self.lowered.globals_size, false),
        }
    }

    /// The possible targets of a pointer that is followed: those of its type.
    fn targets(&self, code: usize, through: &Through) -> Vec<Ref> {
        let refs = self.refs(code, &through.pointer).into_iter();
        refs.filter(|&target| self.fits(target, &through.pointee)).collect()
    }

    fn fits(&self, target: Ref, pointee: &Type) -> bool {
        let Type::Record(_) = pointee else { return true };
        match target {
            Ref::Part(site, at) => {
                let object = self.dynamic.object(self.sites[usize::from(site)].object);
                match &object.kind {
                    ObjectKind::Data(ty) => self.has_at(ty, at, pointee),
                    _ => self.variable_at(&object.variables, at, pointee),
                }
            }
            Ref::Global(at) => self.variable_at(&self.lowered.globals, at, pointee),
            Ref::Channel(..) | Ref::StaticChannel => false,
        }
    }

    /// Whether a value of a type has a record at an offset.
    fn has_at(&self, ty: &Type, at: u32, pointee: &Type) -> bool {
        at == 0 && ty == pointee
            || match ty {
                Type::Record(record) => {
                    let fields = &self.lowered.records[*record as usize].fields;
                    self.variable_at(fields, at, pointee)
                }
                Type::Scalar(..) => false,
            }
    }

    fn variable_at(&self, variables: &[Variable], at: u32, pointee: &Type) -> bool {
        variables.iter().any(|variable| {
            let size = match &variable.ty {
                Type::Scalar(scalar, _) => scalar.size(),
                Type::Record(record) => self.lowered.records[*record as usize].size,
            };
            let rest = at.checked_sub(variable.offset);
            rest.filter(|&rest| rest < size * variable.array.unwrap_or(1))
                .is_some_and(|rest| self.has_at(&variable.ty, rest % size.max(1), pointee))
        })
    }

    /// What an access through a pointer may touch.
    pub(super) fn touched(&self, code: usize, place: &ScalarPlace, through: &Through) -> Touched {
        let mut touched = Touched::default();
        let (from, to, _) = access::range(place);
        for target in self.targets(code, through) {
            let (limit, _) = self.extent(target);
            let spread = (self.elements(target, through).max(1) - 1) * through.size;
            match target {
                Ref::Part(site, at) => {
                    touched.parts.push((site, (at + from).min(limit), (at + to + spread).min(limit)));
                }
                Ref::Global(at) => {
                    touched.globals.push(((at + from).min(limit), (at + to + spread).min(limit)));
                }
                Ref::Channel(..) | Ref::StaticChannel => {}
            }
        }
        touched
    }

    /// The sites of the objects that `delete` may end.
    pub(super) fn deleted(&self, code: usize, delete: &Delete) -> Vec<u16> {
        let refs = self.refs(code, &delete.pointer).into_iter();
        let site = |target| match target {
            Ref::Part(site, 0) => Some(site),
            _ => None,
        };
        refs.filter(|&target| self.fits(target, &delete.pointee)).filter_map(site).collect()
    }

    /// The site of the scope objects of a type.
    pub(super) fn scope_site(&self, object: u16) -> u16 {
        self.scope_sites[&object]
    }

    /// The channels that an expression may give.
    pub(super) fn channels(&self, code: usize, e: &Expr) -> Channels {
        let has_bytes = match e {
            Expr::Load(place) => place.scalar != Scalar::Pointer,
            Expr::Either(_) => false,
            _ => true,
        };
        let mut channels = Channels { parts: Vec::new(), may_be_static: has_bytes };
        for target in self.refs(code, e) {
            match target {
                Ref::Channel(site, ordinal) => channels.parts.push((site, ordinal)),
                Ref::StaticChannel => channels.may_be_static = true,
                Ref::Part(..) | Ref::Global(_) => {}
            }
        }
        channels
    }

    fn find_shared(&mut self) {
        let mut todo: Vec<Ref> = Vec::new();
        for (cell, refs) in &self.cells {
            if matches!(cell, Cell::Global(_) | Cell::Message) {
                todo.extend(refs);
            }
        }
        let mut note = |access: Access<'_>| {
            if let Access::Remote { proctype, start, end } = access {
                let code = usize::from(proctype.0);
                let inside = self.cells.range(Cell::Local(code, start)..Cell::Local(code, end));
                todo.extend(inside.flat_map(|(_, refs)| refs));
            }
        };
        for body in bodies(self.lowered) {
            for idx in 0..body.statements.len() {
                access::statement(body, idx as u32, &mut note, Output::Counts);
            }
            body.provided.iter().for_each(|e| access::expr(e, &mut note));
        }
        self.lowered.propositions.iter().for_each(|e| access::expr(e, &mut note));
        while let Some(target) = todo.pop() {
            let (Ref::Part(site, _) | Ref::Channel(site, _)) = target else { continue };
            if !std::mem::replace(&mut self.sites[usize::from(site)].shared, true) {
                let inside = self.cells.range(Cell::Part(site, 0)..=Cell::Part(site, u32::MAX));
                todo.extend(inside.flat_map(|(_, refs)| refs));
            }
        }
    }

    /// Whether an access stays in objects that no other process ever knows.
    pub(super) fn is_private(&self, code: usize, access: &Access<'_>) -> bool {
        let shared = |site: u16| self.sites[usize::from(site)].shared;
        match access {
            Access::Object { place, through, .. } => {
                let touched = self.touched(code, place, through);
                touched.globals.is_empty() && !touched.parts.iter().any(|&(site, ..)| shared(site))
            }
            Access::Delete(delete) => !self.deleted(code, delete).into_iter().any(shared),
            Access::Channel(e, Use::Send { .. } | Use::Receive(_)) => {
                let channels = self.channels(code, e);
                !channels.may_be_static && !channels.parts.iter().any(|&(site, _)| shared(site))
            }
            _ => false,
        }
    }
}
