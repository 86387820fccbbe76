//! Declarations: mtypes, typedefs, global variables and channels, and the locals of processes and blocks.

use super::feature::Feature as F;
use super::generator::{Gen, Lines, MtypeSet};
use super::profile::Size;
use super::scope::{ChanName, Field, MemberKind, Place, Seg, Sig, StructMember, Ty, TypeDef};

impl Gen {
    /// Everything global, in the order of the text.
    pub(super) fn globals(&mut self) -> Lines {
        let mut out = Lines::new();
        out.extend(self.constants());
        if self.profile.mtypes {
            out.extend(self.mtype_sets());
        }
        if self.profile.channels() {
            self.signatures();
        }
        if self.profile.typedefs {
            out.extend(self.type_definitions());
            self.struct_fields();
        }
        out.extend(self.global_variables());
        if self.profile.channels() {
            out.extend(self.global_channels());
        }
        out
    }

    fn mtype_sets(&mut self) -> Lines {
        let mut out = Lines::new();
        let n = if self.chance(40) { 2 } else { 1 };
        for idx in 0..n {
            let name = (idx == 1).then(|| "kind".to_string());
            let members: Vec<String> =
                (0..self.rng.range(2, 3)).map(|k| format!("{}{k}", ["red", "tag"][idx])).collect();
            let head = match &name {
                Some(name) => {
                    self.mark(F::NamedMtype);
                    format!("mtype:{name}")
                }
                None => "mtype".to_string(),
            };
            let sign = if name.is_some() || self.chance(70) { "= " } else { "" };
            out.push(format!("{head} {sign}{{ {} }};", members.join(", ")));
            self.mtypes.push(MtypeSet { name, members });
        }
        out
    }

    /// A basic type.
    pub(super) fn some_type(&mut self) -> Ty {
        let wide = if self.profile.wide_types { 3 } else { 0 };
        let mtype = if self.mtypes.is_empty() { 0 } else { 4 };
        let bits = self.rng.range(1, 5);
        let set = self.rng.below(self.mtypes.len() as u32) as usize;
        self.rng.weighted(&[
            (4, Ty::Bit),
            (4, Ty::Bool),
            (9, Ty::Byte),
            (wide, Ty::Short),
            (wide + 1, Ty::Int),
            (2, Ty::Unsigned(bits)),
            (1, Ty::Pid),
            (mtype, Ty::Mtype(set)),
        ])
    }

    fn some_domain(&mut self, ty: Ty) -> u32 {
        match ty {
            Ty::Bit | Ty::Bool | Ty::Unsigned(1) => 2,
            Ty::Pid => 3,
            _ => self.rng.weighted(&[(3, 2), (4, 3), (2, 4)]),
        }
    }

    pub(super) fn type_word(&mut self, ty: Ty) -> String {
        self.mark(ty.feature());
        match ty {
            Ty::Bit => "bit".into(),
            Ty::Bool => "bool".into(),
            Ty::Byte => "byte".into(),
            Ty::Short => "short".into(),
            Ty::Int => "int".into(),
            Ty::Unsigned(_) => "unsigned".into(),
            Ty::Pid => "pid".into(),
            Ty::Mtype(set) => match &self.mtypes[set].name {
                Some(name) => format!("mtype:{name}"),
                None => "mtype".into(),
            },
        }
    }

    /// `byte x = 3`, `bit f[2]`, ... of a place with one segment.
    fn declaration(&mut self, place: &Place, initialiser: bool) -> String {
        let word = self.type_word(place.ty);
        let declarator = self.declarator(place, initialiser);
        format!("{word} {declarator}")
    }

    fn declarator(&mut self, place: &Place, initialiser: bool) -> String {
        let seg = &place.segs[0];
        let width = match place.ty {
            Ty::Unsigned(bits) => format!(" : {bits}"),
            _ => String::new(),
        };
        let array = match seg.len {
            Some(len) => {
                self.mark(F::Array);
                if self.n_value == Some(len) && self.chance(60) {
                    "[N]".to_string()
                } else {
                    format!("[{len}]")
                }
            }
            None => String::new(),
        };
        let init = if !initialiser {
            String::new()
        } else if let (Some(len), false, true) = (seg.len, matches!(place.ty, Ty::Mtype(_)), self.chance(50))
        {
            self.mark(F::ArrayInit);
            let values: Vec<String> = (0..len).map(|_| self.constant_of(place.ty)).collect();
            format!(" = {{ {} }}", values.join(", "))
        } else {
            self.mark(if seg.len.is_some() { F::ArrayFill } else { F::ScalarInit });
            format!(" = {}", self.constant_of(place.ty))
        };
        format!("{}{width}{array}{init}", seg.name)
    }

    fn type_definitions(&mut self) -> Lines {
        let mut out = Lines::new();
        for idx in 0..self.rng.range(1, 2) as usize {
            let mut members = Vec::new();
            let mut text = Vec::new();
            for _ in 0..self.rng.range(1, 2) {
                let ty = self.some_type();
                let domain = self.some_domain(ty);
                let len =
                    (self.profile.arrays && !matches!(ty, Ty::Unsigned(_)) && self.chance(25)).then_some(2);
                let name = self.fresh("f");
                let place = Place { segs: vec![Seg { name: name.clone(), len }], ty, domain, writable: true };
                text.push(self.declaration(&place, false));
                members.push(StructMember { name, len, kind: MemberKind::Scalar(ty, domain) });
            }
            if idx > 0 && self.chance(70) {
                self.mark(F::NestedTypedef);
                let (name, len) = (self.fresh("f"), self.chance(40).then_some(2));
                let array = len.map(|n: u32| format!("[{n}]")).unwrap_or_default();
                text.push(format!("{} {name}{array}", self.defs[0].name));
                members.push(StructMember { name, len, kind: MemberKind::Struct(0) });
            }
            if !self.sigs.is_empty() && self.chance(25) {
                self.mark(F::TypedefChan);
                let sig = self.rng.below(self.sigs.len() as u32) as usize;
                if !self.sigs[sig].fields.iter().any(|f| matches!(f, Field::Struct(_))) {
                    let name = self.fresh("f");
                    let init = self.channel_initialiser(sig);
                    text.push(format!("chan {name} = {init}"));
                    members.push(StructMember { name, len: None, kind: MemberKind::Chan(sig) });
                }
            }
            let name = format!("T{idx}");
            out.push(format!("typedef {name} {{ {} }};", text.join("; ")));
            self.mark(F::Typedef);
            self.defs.push(TypeDef { name, members });
        }
        out
    }

    fn signatures(&mut self) {
        for idx in 0..self.rng.range(1, 3) as usize {
            let mut fields = Vec::new();
            for _ in 0..self.rng.weighted(&[(6, 1), (4, 2), (1, 3)]) {
                let ty = self.some_type();
                let ty = if matches!(ty, Ty::Unsigned(_)) { Ty::Byte } else { ty };
                fields.push(Field::Scalar(ty));
            }
            if idx > 0 && self.profile.chan_of_chan {
                fields.push(Field::Chan(self.rng.below(idx as u32) as usize));
            }
            let rendezvous = self.profile.rendezvous && (!self.profile.buffered || self.chance(50));
            self.sigs.push(Sig { fields, rendezvous });
        }
    }

    /// Lets some messages carry structures. Typedefs that hold channels were made before, so a structure is
    /// only ever added to a signature that no typedef mentions.
    fn struct_fields(&mut self) {
        let held: Vec<usize> = self
            .defs
            .iter()
            .flat_map(|d| &d.members)
            .filter_map(|m| if let MemberKind::Chan(sig) = m.kind { Some(sig) } else { None })
            .collect();
        for idx in 0..self.sigs.len() {
            let often = if self.profile.w_for > 0 { 60 } else { 35 };
            if held.contains(&idx) || !self.chance(often) || !self.defs[0].is_plain_data() {
                continue;
            }
            if self.chance(50) && !self.sigs[idx].rendezvous {
                self.sigs[idx].fields = vec![Field::Struct(0)];
            } else {
                self.sigs[idx].fields.push(Field::Struct(0));
            }
        }
    }

    fn global_variables(&mut self) -> Lines {
        let n = match self.profile.size {
            Size::Tiny => self.rng.range(1, 2),
            Size::Small => self.rng.range(1, 3),
            Size::Medium => self.rng.range(2, 4),
            Size::Large => self.rng.range(2, 5),
        };
        let mut out = Lines::new();
        for _ in 0..n {
            let ty = self.some_type();
            let domain = self.some_domain(ty);
            let len = (self.profile.arrays && self.chance(30) && !matches!(ty, Ty::Unsigned(_)))
                .then(|| self.rng.range(2, 3));
            let place = Place { segs: vec![Seg { name: self.fresh("g"), len }], ty, domain, writable: true };
            let initialiser = self.chance(35);
            let mut text = self.declaration(&place, initialiser);
            self.scope.top().places.push(place);
            // SPIN takes nothing behind a list of initial values.
            if self.chance(15) && !text.contains('{') {
                self.mark(F::MultiDecl);
                let second = Place::scalar(&self.fresh("g"), ty, domain);
                text = format!("{text}, {}", self.declarator(&second, initialiser));
                self.scope.top().places.push(second);
            }
            let prefix = match self.rng.below(14) {
                0 => {
                    self.mark(F::Show);
                    "show "
                }
                1 => {
                    self.mark(F::Local);
                    "local "
                }
                _ => "",
            };
            out.push(format!("{prefix}{text};"));
        }
        if self.profile.hidden {
            self.hidden.push("hid".to_string());
            self.mark(F::Hidden);
            out.push("hidden byte hid;".to_string());
        }
        for def in 0..self.defs.len() {
            let len = self.chance(25).then_some(2);
            let seg = Seg { name: self.fresh("s"), len };
            let array = len.map(|n: u32| format!("[{n}]")).unwrap_or_default();
            if len.is_some() {
                self.mark(F::StructArray);
            }
            out.push(format!("{} {}{array};", self.defs[def].name, seg.name));
            let defs = self.defs.clone();
            self.scope.top().add_struct(vec![seg], def, &defs);
        }
        out
    }

    /// `[2] of { byte, mtype }`.
    pub(super) fn channel_initialiser(&mut self, sig: usize) -> String {
        let Sig { fields, rendezvous } = self.sigs[sig].clone();
        let mut words = Vec::new();
        for field in fields {
            words.push(match field {
                Field::Scalar(ty) => self.type_word(ty),
                Field::Struct(def) => self.defs[def].name.clone(),
                Field::Chan(_) => {
                    self.mark(F::ChanOfChan);
                    "chan".to_string()
                }
            });
        }
        self.mark(if rendezvous { F::ChanRendezvous } else { F::ChanBuffered });
        let capacity = if rendezvous { 0 } else { self.rng.weighted(&[(5, 1), (4, 2), (1, 3)]) };
        format!("[{capacity}] of {{ {} }}", words.join(", "))
    }

    fn global_channels(&mut self) -> Lines {
        let mut out = Lines::new();
        for sig in 0..self.sigs.len() {
            let n = if self.chance(30) { 2 } else { 1 };
            for _ in 0..n {
                let len = (self.profile.chan_arrays && self.chance(40)).then_some(2);
                let seg = Seg { name: self.fresh("c"), len };
                let array = len.map(|n: u32| format!("[{n}]")).unwrap_or_default();
                if len.is_some() {
                    self.mark(F::ChanArray);
                }
                let init = self.channel_initialiser(sig);
                out.push(format!("chan {}{array} = {init};", seg.name));
                self.scope.top().chans.push(ChanName { segs: vec![seg], sig, variable: false });
            }
        }
        out
    }

    /// The declarations at the start of a process.
    pub(super) fn local_declarations(&mut self) -> Vec<Lines> {
        let mut out = Vec::new();
        for _ in 0..self.rng.weighted(&[(4, 0), (5, 1), (2, 2)]) {
            out.push(self.local_variable(true));
        }
        if self.profile.chan_of_chan || self.chance(10) {
            let sig = self.rng.below(self.sigs.len() as u32) as usize;
            if let Some(chan) = if self.sigs.is_empty() { None } else { self.global_channel_of(sig) } {
                self.mark(F::TypeChan);
                let name = self.fresh("v");
                out.push(vec![format!("chan {name} = {chan}")]);
                self.scope.top().chans.push(ChanName {
                    segs: vec![Seg { name, len: None }],
                    sig,
                    variable: true,
                });
            }
        }
        if self.profile.local_chans && !self.sigs.is_empty() && self.chance(50) {
            self.mark(F::ChanLocal);
            let sig = self.rng.below(self.sigs.len() as u32) as usize;
            let (name, init) = (self.fresh("d"), self.channel_initialiser(sig));
            out.push(vec![format!("chan {name} = {init}")]);
            self.scope.top().chans.push(ChanName {
                segs: vec![Seg { name, len: None }],
                sig,
                variable: false,
            });
        }
        if !self.defs.is_empty() && self.chance(20) {
            let def = self.rng.below(self.defs.len() as u32) as usize;
            if self.defs[def].is_plain_data() {
                let name = self.fresh("s");
                out.push(vec![format!("{} {name}", self.defs[def].name)]);
                let defs = self.defs.clone();
                self.scope.top().add_struct(vec![Seg { name, len: None }], def, &defs);
            }
        }
        out
    }

    /// A plain global channel of this signature: alive as long as the model.
    pub(super) fn global_channel_of(&mut self, sig: usize) -> Option<String> {
        let chans: Vec<ChanName> = self.scope.frames[0]
            .chans
            .iter()
            .filter(|c| c.sig == sig && c.segs.len() == 1)
            .cloned()
            .collect();
        let chan = self.rng.pick_any(&chans)?.clone();
        Some(self.const_path(&chan.segs))
    }

    /// A declaration inside a block.
    pub(super) fn inner_declaration(&mut self) -> Lines {
        self.mark(F::InnerDecl);
        self.local_variable(false)
    }

    /// A name for a local: new in this process, or that of a block that is closed.
    fn local_name(&mut self) -> String {
        if self.profile.reused_names && self.chance(85) {
            let free: Vec<String> =
                self.proc.retired.iter().filter(|name| !self.scope.is_declared(name)).cloned().collect();
            if let Some(name) = self.rng.pick_any(&free).cloned() {
                self.mark(F::ReusedName);
                return name;
            }
        }
        if self.proc.is_inline {
            return self.fresh("il");
        }
        self.proc.n_locals += 1;
        format!("l{}", self.proc.n_locals)
    }

    fn local_variable(&mut self, at_start: bool) -> Lines {
        let ty = self.some_type();
        let domain = self.some_domain(ty);
        let arrays = self.profile.arrays && at_start && !matches!(ty, Ty::Unsigned(_) | Ty::Mtype(_));
        let len = (arrays && self.chance(20)).then_some(2);
        let name = self.local_name();
        self.scope.note(&name);
        let place = Place { segs: vec![Seg { name, len }], ty, domain, writable: true };
        let initialiser = self.chance(50);
        let text = if initialiser && len.is_none() && !matches!(ty, Ty::Mtype(_)) && self.chance(50) {
            self.mark(F::ScalarInit);
            // SPIN evaluates the initialisers of a process before the others exist.
            let before = std::mem::replace(&mut self.in_dstep, true);
            let value = self.value_of(ty);
            self.in_dstep = before;
            let width = if let Ty::Unsigned(bits) = ty { format!(" : {bits}") } else { String::new() };
            format!("{} {}{width} = {value}", self.type_word(ty), place.segs[0].name)
        } else {
            self.declaration(&place, initialiser)
        };
        if !at_start {
            if text.contains('=') {
                self.mark(F::InnerInit);
            }
            if self.proc.started {
                self.mark(F::LateDecl);
            }
        }
        self.scope.top().places.push(place);
        vec![text]
    }
}
