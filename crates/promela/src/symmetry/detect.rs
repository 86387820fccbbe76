//! Finds the process types with interchangeable processes, in the intermediate form.
//!
//! Processes of one type are interchangeable if they differ only by their records and by what refers to them
//! by number. Numbers of processes are a *scalar set* (Ip and Dill, "Better verification through symmetry",
//! 1996): they may be copied, compared for equality, sent, and used as an index, and nothing else. Where a
//! process number can occur is inferred: a variable, a message field or an index holds one if a number can
//! flow into it or is compared with it. A type whose numbers are used in any other way is not symmetric, and
//! the reason is kept; its numbers are then ordinary constants, and the search for symmetric types begins
//! again without it.
//!
//! These features make all symmetry impossible: `_last`, priorities, event traces, `enabled` and similar
//! predicates.

use crate::ir::{Action, Base, Expr, Field, Index, Scalar, ScalarPlace, Setup, Target};
use crate::lower::Lowered;
use crate::syntax::ast::BinaryOp;
use std::collections::{BTreeMap, HashMap};

/// A set of process types; a model with more types than it has bits has no symmetry.
type Types = u64;

/// Larger arrays are not analysed: types that use one by number are not symmetric.
const MAX_CELLS: u64 = 1 << 16;

/// The record that a place belongs to: a process type, or the globals.
type Owner = Option<u8>;

/// Scalars of the vector: one, or an array of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cells {
    pub(super) offset: u32,
    pub(super) scalar: Scalar,
    /// For each index, outermost first, its bound and the bytes from one element to the next.
    pub(super) dims: Vec<(u32, u32)>,
    /// The index that is a process number.
    pub(super) by_pid: Option<usize>,
    /// Whether the values are process numbers.
    pub(super) holds_pid: bool,
}

/// The symmetry of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Detected {
    /// For each process type, whether its processes are interchangeable.
    pub(super) symmetric: Vec<bool>,
    /// For each process type, whether its processes never end.
    pub(super) endless: Vec<bool>,
    /// Globals that hold process numbers or are indexed by them.
    pub(super) globals: Vec<Cells>,
    /// The same for each process type's record.
    pub(super) locals: Vec<Vec<Cells>>,
    /// The fields of messages, on all channels, that are process numbers.
    pub(super) fields: Vec<usize>,
    /// Processes with this number or a greater one keep their numbers.
    pub(super) first_fixed: usize,
    /// Why a process type is not symmetric.
    pub(super) reasons: BTreeMap<u8, String>,
}

/// The sort of value that an expression has.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sort {
    Data,
    Const(i32),
    /// The number of a process that never moves.
    Fixed,
    /// The number of a process, from a type of this set or found beside such a number.
    Pid(Types),
}

/// The analysis result for one place.
#[derive(Clone, Debug)]
struct KnownPlace {
    scalar: Scalar,
    dims: Vec<(u32, u32)>,
    pid: Types,
    by_pid: Option<(usize, Types)>,
}

struct Inference<'p> {
    lowered: &'p Lowered,
    symmetric: Types,
    endless: &'p [bool],
    /// Types that `run` starts.
    run: Types,
    places: HashMap<(Owner, u32), KnownPlace>,
    fields: Vec<Types>,
    changed: bool,
    /// Types that turned out not to be symmetric, each with the reason.
    blames: Vec<(Types, String)>,
}

/// Analyses a model.
pub(crate) fn detect(lowered: &Lowered) -> Detected {
    let n_types = lowered.proctypes.len();
    let endless: Vec<bool> = (0..n_types).map(|ty| is_endless(lowered, ty)).collect();
    let mut detected = Detected { endless: endless.clone(), ..Detected::default() };
    if let Some(reason) = hopeless(lowered) {
        detected.symmetric = vec![false; n_types];
        detected.reasons = (0..n_types.min(255)).map(|ty| (ty as u8, reason.to_owned())).collect();
        return detected;
    }
    let mut symmetric = (1..n_types).fold(1, |set: Types, _| set << 1 | 1);
    loop {
        let mut inference = Inference::new(lowered, symmetric, &endless);
        inference.run_to_the_end();
        let blamed = inference.blames.iter().fold(0, |all, (types, _)| all | types) & symmetric;
        if blamed == 0 {
            inference.tell(&mut detected);
            return detected;
        }
        for (types, reason) in &inference.blames {
            for ty in (0..n_types as u8).filter(|ty| types & symmetric & 1 << ty != 0) {
                detected.reasons.entry(ty).or_insert_with(|| reason.clone());
            }
        }
        symmetric &= !blamed;
    }
}

/// The feature that rules out all symmetry, if there is one.
fn hopeless(lowered: &Lowered) -> Option<&'static str> {
    if lowered.proctypes.len() > Types::BITS as usize {
        Some("the model has too many process types")
    } else if lowered.features.last {
        Some("the model uses _last")
    } else if lowered.features.priority {
        Some("the model uses priorities")
    } else if lowered.trace.is_some() {
        Some("the model has an event trace")
    } else if !lowered.propositions.is_empty() || lowered.fair {
        Some("what is checked may tell processes apart")
    } else {
        None
    }
}

/// Whether no process of a type can ever end.
fn is_endless(lowered: &Lowered, ty: usize) -> bool {
    let proctype = &lowered.proctypes[ty];
    let mut seen = vec![false; proctype.transitions.len()];
    let mut todo = vec![usize::from(proctype.start.0)];
    while let Some(pc) = todo.pop() {
        if std::mem::replace(&mut seen[pc], true) {
            continue;
        }
        for transition in &proctype.transitions[pc] {
            let action = &proctype.statements[transition.statement as usize].action;
            match transition.target {
                Some(target) if *action != Action::End => todo.push(usize::from(target.0)),
                _ => return false,
            }
        }
    }
    true
}

impl<'p> Inference<'p> {
    fn new(lowered: &'p Lowered, symmetric: Types, endless: &'p [bool]) -> Self {
        let mut run = 0;
        for proctype in &lowered.proctypes {
            for statement in &proctype.statements {
                statement.action.clone().walk_mut(&mut |e| {
                    if let Expr::Run(started) = e {
                        run |= 1 << started.proctype.0;
                    }
                });
            }
        }
        let n_fields = lowered.channel_types.iter().map(|ty| ty.fields.len()).max().unwrap_or(0);
        Self {
            lowered,
            symmetric,
            endless,
            run,
            places: HashMap::new(),
            fields: vec![0; n_fields],
            changed: false,
            blames: Vec::new(),
        }
    }

    /// Passes over the model until a pass adds nothing; the blames of the last pass count.
    fn run_to_the_end(&mut self) {
        loop {
            self.changed = false;
            self.blames.clear();
            self.pass();
            if !self.changed {
                break;
            }
        }
        self.check_places();
    }

    fn blame(&mut self, types: Types, reason: impl Into<String>) {
        self.blames.push((types, reason.into()));
    }

    fn pass(&mut self) {
        let lowered = self.lowered;
        for (ty, proctype) in lowered.proctypes.iter().enumerate() {
            let (ty, own) = (ty as u8, 1 << ty);
            // What happens when the system starts is not a step: it may give each process a different value.
            let started = self.run & own != 0;
            for setup in &proctype.setup {
                match setup {
                    Setup::Channel(..) => self.blame(own, "it has channels of its own"),
                    Setup::Assign(place, value) if started => {
                        let sort = self.sort(ty, value);
                        self.assign(ty, place, sort, Some(value));
                    }
                    Setup::Assign(..) => {}
                }
            }
            if lowered.check_exclusive && !proctype.exclusive.is_empty() {
                self.blame(own, "it claims a channel for itself (xr or xs)");
            }
            if let Some(provided) = &proctype.provided {
                self.test(ty, provided);
            }
            for statement in &proctype.statements {
                self.action(ty, &statement.action);
            }
        }
    }

    fn action(&mut self, ty: u8, action: &Action) {
        match action {
            Action::Skip | Action::Else | Action::End | Action::DStep(_) | Action::Event(_) => {}
            // Models with dynamic features are rejected before.
            Action::New(_) | Action::Delete(_) | Action::Call(_) | Action::Return(_) => {}
            Action::Guard(Expr::Run(run)) => {
                self.sort(ty, &Expr::Run(run.clone()));
            }
            Action::Guard(e) | Action::Assert(e, _) => self.test(ty, e),
            Action::Assign(target, value) => {
                let sort = self.sort(ty, value);
                if let Target::Place(place) = target {
                    self.assign(ty, place, sort, Some(value));
                }
            }
            Action::Send(send) => {
                self.test(ty, &send.channel);
                for (idx, arg) in send.args.iter().enumerate() {
                    let sort = self.sort(ty, arg);
                    self.meet_field(ty, idx, sort, Some(arg));
                    let pid = self.fields.get(idx).copied().unwrap_or(0);
                    if send.sorted && pid != 0 {
                        self.blame(pid, "its number is sent in sorted order");
                    }
                }
            }
            Action::Receive(receive) => {
                self.test(ty, &receive.channel);
                for (idx, field) in receive.fields.iter().enumerate() {
                    match field {
                        Field::Match(e) => {
                            let sort = self.sort(ty, e);
                            self.meet_field(ty, idx, sort, Some(e));
                        }
                        Field::Store(Target::Place(place)) => {
                            let pid = self.place(ty, place);
                            self.meet_field(ty, idx, pid_or_data(pid), None);
                            let pid = self.fields.get(idx).copied().unwrap_or(0);
                            self.assign(ty, place, pid_or_data(pid), None);
                        }
                        Field::Store(_) => {}
                    }
                }
            }
            Action::Printf(_, args) => args.iter().for_each(|e| {
                self.sort(ty, e);
            }),
            Action::Printm(e, _) => {
                self.sort(ty, e);
            }
            Action::SetPriority(..) => self.blame(Types::MAX, "the model uses priorities"),
        }
    }

    /// An expression whose value must not be a process number.
    fn test(&mut self, ty: u8, e: &Expr) {
        if let Sort::Pid(types) = self.sort(ty, e) {
            self.blame(types, "its number is used as a number");
        }
    }

    fn sort(&mut self, ty: u8, e: &Expr) -> Sort {
        match e {
            // Models with pointers are rejected before.
            Expr::Address(_) | Expr::Either(_) => Sort::Data,
            Expr::Const(value) => Sort::Const(*value),
            Expr::Load(place) => pid_or_data(self.place(ty, place)),
            Expr::LoadByte(base, offset) => {
                let place = ScalarPlace {
                    base: base.clone(),
                    offset: *offset,
                    scalar: Scalar::Byte,
                    indices: Vec::new(),
                };
                pid_or_data(self.place(ty, &place))
            }
            Expr::Pid => self.number_of(ty),
            Expr::NrPr | Expr::Timeout | Expr::NonProgress => Sort::Data,
            Expr::WithConst(BinaryOp::Eq | BinaryOp::Ne, a, value) => {
                let sort = self.sort(ty, a);
                self.meet(ty, (sort, Some(a)), (Sort::Const(*value), None));
                Sort::Data
            }
            Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b, _) => {
                let (left, right) = (self.sort(ty, a), self.sort(ty, b));
                self.meet(ty, (left, Some(a)), (right, Some(b)));
                Sort::Data
            }
            Expr::WithConst(_, a, _) | Expr::Unary(_, a) | Expr::Chan(_, a, _) => {
                self.test(ty, a);
                Sort::Data
            }
            Expr::Binary(_, a, b, _) | Expr::And(a, b) | Expr::Or(a, b) => {
                self.test(ty, a);
                self.test(ty, b);
                Sort::Data
            }
            Expr::Cond(condition, a, b) => {
                self.test(ty, condition);
                let (left, right) = (self.sort(ty, a), self.sort(ty, b));
                match self.meet(ty, (left, Some(a)), (right, Some(b))) {
                    0 => Sort::Data,
                    types => Sort::Pid(types),
                }
            }
            Expr::Poll(poll) => {
                self.test(ty, &poll.channel);
                for (idx, field) in poll.fields.iter().enumerate() {
                    if let Some(e) = field {
                        let sort = self.sort(ty, e);
                        self.meet_field(ty, idx, sort, Some(e));
                    }
                }
                Sort::Data
            }
            Expr::Enabled(_) | Expr::PcValue(_) | Expr::Priority(_) => {
                self.blame(
                    Types::MAX,
                    "the model looks at processes by number (enabled, pc_value or priority)",
                );
                Sort::Data
            }
            Expr::RemoteLabel { proctype, process, .. } => {
                self.remote(ty, proctype.0, process.as_deref());
                Sort::Data
            }
            Expr::RemoteVar { proctype, process, place, .. } => {
                self.remote(ty, proctype.0, process.as_deref());
                pid_or_data(self.place(proctype.0, place))
            }
            Expr::Run(run) => {
                let params = &self.lowered.proctypes[usize::from(run.proctype.0)].params;
                for (param, arg) in params.iter().zip(&run.args) {
                    let sort = self.sort(ty, arg);
                    // The parameter belongs to the new process, the value to this one.
                    self.assign_from(run.proctype.0, param, sort, ty, Some(arg));
                }
                self.number_of(run.proctype.0)
            }
        }
    }

    fn remote(&mut self, ty: u8, of: u8, process: Option<&Expr>) {
        self.blame(1 << of, "another process looks into it (a remote reference)");
        if let Some(process) = process {
            self.test(ty, process);
        }
    }

    fn number_of(&self, ty: u8) -> Sort {
        if self.symmetric & 1 << ty != 0 { Sort::Pid(1 << ty) } else { Sort::Fixed }
    }

    /// Whether a constant, taken as a process number, is one that no symmetric process ever has.
    fn never_symmetric(&self, value: i32) -> bool {
        let Some(&(ty, _)) = usize::try_from(value).ok().and_then(|pid| self.lowered.active.get(pid)) else {
            return !(0..255).contains(&value) || self.run & self.symmetric == 0;
        };
        let stays = self.endless[usize::from(ty.0)] || self.run & self.symmetric == 0;
        self.symmetric & 1 << ty.0 == 0 && stays
    }

    /// Unifies two values that are compared, or may come from one expression: if one is a process number, so
    /// is the other. Returns the types of those processes, if they are process numbers.
    fn meet(&mut self, ty: u8, a: (Sort, Option<&Expr>), b: (Sort, Option<&Expr>)) -> Types {
        let of = |sort| if let Sort::Pid(types) = sort { types } else { 0 };
        let types = of(a.0) | of(b.0);
        if types != 0 {
            for (sort, e) in [a, b] {
                self.must_be_pid(ty, sort, e, types);
            }
        }
        types
    }

    /// Requires a value to be a process number, because it is used where one is.
    fn must_be_pid(&mut self, ty: u8, sort: Sort, e: Option<&Expr>, types: Types) {
        match sort {
            Sort::Pid(_) | Sort::Fixed => {}
            Sort::Const(value) if self.never_symmetric(value) => {}
            Sort::Const(value) => self.blame(types, format!("its number meets the constant {value}")),
            Sort::Data => match e {
                Some(Expr::Load(place)) => self.mark(ty, place, types),
                Some(Expr::LoadByte(base, offset)) => {
                    let place = ScalarPlace {
                        base: base.clone(),
                        offset: *offset,
                        scalar: Scalar::Byte,
                        indices: Vec::new(),
                    };
                    self.mark(ty, &place, types);
                }
                _ => self.blame(types, "its number meets a value that is calculated"),
            },
        }
    }

    fn meet_field(&mut self, ty: u8, idx: usize, sort: Sort, e: Option<&Expr>) {
        // A message with too many fields is a separate error.
        let Some(known) = self.fields.get(idx).copied() else { return };
        if let Sort::Pid(types) = sort
            && known | types != known
        {
            self.fields[idx] |= types;
            self.changed = true;
        }
        if known != 0 && (e.is_some() || sort != Sort::Data) {
            self.must_be_pid(ty, sort, e, known);
        }
    }

    fn assign(&mut self, ty: u8, place: &ScalarPlace, sort: Sort, value: Option<&Expr>) {
        self.assign_from(ty, place, sort, ty, value);
    }

    /// Assigns a value of process type `from` to a place of process type `ty`.
    fn assign_from(&mut self, ty: u8, place: &ScalarPlace, sort: Sort, from: u8, value: Option<&Expr>) {
        let known = self.place(ty, place);
        if let Sort::Pid(types) = sort {
            self.mark(ty, place, types);
        } else if known != 0 {
            self.must_be_pid(from, sort, value, known);
        }
    }

    fn key(ty: u8, place: &ScalarPlace) -> (Owner, u32) {
        let owner = if place.base == Base::Global { None } else { Some(ty) };
        (owner, place.offset)
    }

    /// Marks a place as holding process numbers.
    fn mark(&mut self, ty: u8, place: &ScalarPlace, types: Types) {
        self.place(ty, place);
        let known = self.places.get_mut(&Self::key(ty, place)).expect("it was just met");
        if known.pid | types != known.pid {
            known.pid |= types;
            self.changed = true;
        }
    }

    /// Analyses a place and its indices. Returns the types of the processes whose numbers it holds.
    fn place(&mut self, ty: u8, place: &ScalarPlace) -> Types {
        let key = Self::key(ty, place);
        let dims: Vec<(u32, u32)> = place.indices.iter().map(|index| (index.bound, index.stride)).collect();
        let known = self.places.entry(key).or_insert_with(|| KnownPlace {
            scalar: place.scalar,
            dims: dims.clone(),
            pid: 0,
            by_pid: None,
        });
        if known.dims != dims {
            self.blame(Types::MAX, "two variables of the model are in one place");
            return 0;
        }
        // Without indices, the type may be known only as one byte.
        if known.scalar == Scalar::Byte {
            known.scalar = place.scalar;
        }
        let pid = known.pid;
        for (dim, index) in place.indices.iter().enumerate() {
            self.index(ty, key, dim, index);
        }
        pid
    }

    fn index(&mut self, ty: u8, key: (Owner, u32), dim: usize, index: &Index) {
        let sort = self.sort(ty, &index.value);
        let known = self.places.get_mut(&key).expect("its place was met");
        match (sort, known.by_pid) {
            (Sort::Pid(types), Some((by, all))) if by == dim => {
                self.changed |= all | types != all;
                known.by_pid = Some((by, all | types));
            }
            (Sort::Pid(types), Some((_, all))) => {
                self.blame(all | types, "an array has two indices that are its number");
            }
            (Sort::Pid(types), None) => {
                known.by_pid = Some((dim, types));
                self.changed = true;
            }
            (sort, Some((by, all))) if by == dim => self.must_be_pid(ty, sort, Some(&index.value), all),
            _ => {}
        }
    }

    /// Checks what depends on several statements.
    fn check_places(&mut self) {
        let wide = |scalar| !matches!(scalar, Scalar::Bit | Scalar::Unsigned(0..=7));
        let mut blames = Vec::new();
        for (&(owner, offset), known) in &self.places {
            if known.pid != 0 && !wide(known.scalar) {
                blames.push((known.pid, "its number is kept in a variable that is too small for it"));
            }
            let Some(ty) = owner else { continue };
            let is_param = self.lowered.proctypes[usize::from(ty)].params.iter().any(|p| p.offset == offset);
            if known.pid != 0 && self.run & 1 << ty != 0 && !is_param && !self.never_symmetric(0) {
                blames.push((known.pid, "a variable for its number begins as 0, which is a process too"));
            }
        }
        for scratch in &self.lowered.scratch {
            let known = self.places.get(&Self::key(0, scratch)).map_or(0, |known| known.pid);
            if known != 0 {
                blames.push((known, "its number is kept in a hidden variable"));
            }
        }
        for channel in &self.lowered.channel_types {
            for (&(scalar, _), &pid) in channel.fields.iter().zip(&self.fields) {
                if pid != 0 && !wide(scalar) {
                    blames.push((pid, "its number is sent in a field that is too small for it"));
                }
            }
        }
        self.blames.extend(blames.into_iter().map(|(types, reason)| (types, reason.to_owned())));
        self.check_overlaps();
    }

    /// Rejects an element that is also named in another way, such as `a[2]` beside `a[_pid]`, because it
    /// would not move with its process.
    fn check_overlaps(&mut self) {
        let mut owners: HashMap<(Owner, u32), u32> = HashMap::new();
        let mut blames = Vec::new();
        let types_of = |known: &KnownPlace| known.pid | known.by_pid.map_or(0, |(_, types)| types);
        for (&(owner, offset), known) in &self.places {
            let n_cells: u64 = known.dims.iter().map(|&(bound, _)| u64::from(bound)).product();
            if n_cells > MAX_CELLS {
                blames.push(types_of(known));
                continue;
            }
            let mut cells = vec![offset];
            for &(bound, stride) in &known.dims {
                cells = cells.iter().flat_map(|at| (0..bound).map(move |idx| at + idx * stride)).collect();
            }
            for byte in cells.iter().flat_map(|at| *at..at + known.scalar.size()) {
                let other = *owners.entry((owner, byte)).or_insert(offset);
                if other != offset {
                    blames.push(types_of(known) | types_of(&self.places[&(owner, other)]));
                }
            }
        }
        for types in blames.into_iter().filter(|types| *types != 0) {
            self.blame(types, "an element that belongs to its number is also used by a constant index");
        }
    }

    /// Writes the results to `detected`.
    fn tell(&self, detected: &mut Detected) {
        let n_types = self.lowered.proctypes.len();
        detected.symmetric = (0..n_types).map(|ty| self.symmetric & 1 << ty != 0).collect();
        detected.locals = vec![Vec::new(); n_types];
        detected.first_fixed = usize::MAX;
        for (&(owner, offset), known) in &self.places {
            let by_pid = known.by_pid.map(|(dim, _)| dim);
            if known.pid == 0 && by_pid.is_none() {
                continue;
            }
            if let Some(dim) = by_pid {
                detected.first_fixed = detected.first_fixed.min(known.dims[dim].0 as usize);
            }
            let dims = known.dims.clone();
            let cells = Cells { offset, scalar: known.scalar, dims, by_pid, holds_pid: known.pid != 0 };
            match owner {
                None => detected.globals.push(cells),
                Some(ty) => detected.locals[usize::from(ty)].push(cells),
            }
        }
        // The result must not depend on the order of a hash map.
        detected.globals.sort_by_key(|cells| cells.offset);
        detected.locals.iter_mut().for_each(|list| list.sort_by_key(|cells| cells.offset));
        detected.fields = (0..self.fields.len()).filter(|&idx| self.fields[idx] != 0).collect();
    }
}

fn pid_or_data(types: Types) -> Sort {
    if types == 0 { Sort::Data } else { Sort::Pid(types) }
}
