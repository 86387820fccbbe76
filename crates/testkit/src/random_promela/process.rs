//! Processes: which there are, how they start, what they are given, and their bodies.
//!
//! All processes are planned before any body is written, so that a body can name the others: their process
//! numbers (SPIN counts active processes and init in the order of the text), one label and one variable for
//! remote references. A process that is referred to never dies, because SPIN reads freed memory otherwise.

use super::feature::Feature as F;
use super::generator::{At, Gen, Label, Lines, Proc, braces, can_be_target, labelled};
use super::profile::Size;
use super::scope::{ChanName, MemberKind, Place, Seg, Ty};

/// A parameter of a proctype.
#[derive(Clone, Copy, Debug)]
pub(super) enum Param {
    Scalar(Ty, u32),
    Chan(usize),
    Struct(usize),
}

/// What a process offers to remote references.
#[derive(Clone, Debug)]
pub(super) struct Remote {
    pub label: String,
    pub var: String,
}

/// One proctype or init, before its body is written.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub name: String,
    pub is_init: bool,
    /// Instances that start by themselves.
    pub active: u32,
    pub params: Vec<(String, Param)>,
    /// The number of its first instance, if it starts by itself.
    pub first_pid: u32,
    pub remote: Option<Remote>,
    pub priority: Option<u32>,
}

impl Gen {
    /// Draws the processes.
    pub(super) fn plan_processes(&mut self) {
        let n = match self.profile.size {
            Size::Tiny => self.rng.range(1, 2),
            Size::Small => 2,
            Size::Medium => self.rng.range(2, 3),
            Size::Large => 3,
        };
        let mut plans = Vec::new();
        for idx in 0..n {
            let runs =
                self.profile.init && self.chance(60) || self.profile.dynamic && idx > 0 && self.chance(40);
            let active = if runs { 0 } else { self.rng.weighted(&[(8, 1), (if n < 3 { 3 } else { 1 }, 2)]) };
            let mut plan = Plan {
                name: format!("P{idx}"),
                is_init: false,
                active,
                params: Vec::new(),
                first_pid: 0,
                remote: None,
                priority: (self.profile.priorities && self.chance(60)).then(|| self.rng.range(1, 4)),
            };
            if active == 0 || self.chance(10) {
                self.draw_params(&mut plan);
            }
            plans.push(plan);
        }
        if plans.iter().all(|p| p.active == 0) {
            self.profile.init = true;
        }
        if self.profile.init {
            let at = self.rng.below(plans.len() as u32 + 1) as usize;
            let priority = (self.profile.priorities && self.chance(30)).then(|| self.rng.range(1, 4));
            let init = Plan {
                name: "init".into(),
                is_init: true,
                active: 1,
                params: Vec::new(),
                first_pid: 0,
                remote: None,
                priority,
            };
            plans.insert(at, init);
        }
        let mut pid = 0;
        for plan in &mut plans {
            plan.first_pid = pid;
            pid += plan.active;
            if self.profile.remote && plan.active == 1 && !plan.is_init {
                let label = format!("here{}", plan.name);
                plan.remote = Some(Remote { label, var: format!("own{}", plan.name) });
            }
        }
        self.plans = plans;
    }

    /// A channel of which one process has the sending end and another the receiving end.
    pub(super) fn exclusive_channel(&mut self) -> Option<String> {
        let single: Vec<usize> = (0..self.plans.len()).filter(|&i| self.plans[i].active == 1).collect();
        if !self.profile.exclusive || single.len() < 2 {
            return None;
        }
        self.exclusive = Some((single[0], single[1]));
        self.profile.polls = false;
        Some("chan only = [1] of { byte };".to_string())
    }

    fn draw_params(&mut self, plan: &mut Plan) {
        for _ in 0..self.rng.weighted(&[(3, 0), (4, 1), (2, 2)]) {
            let name = self.fresh("p");
            let flat = |this: &Gen, def: usize| {
                this.defs[def]
                    .members
                    .iter()
                    .all(|m| m.len.is_none() && matches!(m.kind, MemberKind::Scalar(..)))
            };
            let struct_ok = plan.active == 0 && !self.defs.is_empty() && flat(self, 0);
            let param = match self.rng.below(5) {
                0..=1 if plan.active == 0 && !self.sigs.is_empty() => {
                    self.mark(F::ParamChan);
                    Param::Chan(self.rng.below(self.sigs.len() as u32) as usize)
                }
                2 if struct_ok => {
                    self.mark(F::ParamStruct);
                    Param::Struct(0)
                }
                _ => {
                    self.mark(F::ParamScalar);
                    let ty = self.some_type();
                    // SPIN takes no width in a parameter list.
                    Param::Scalar(if matches!(ty, Ty::Unsigned(_)) { Ty::Byte } else { ty }, 3)
                }
            };
            if plan.active > 0 {
                self.mark(F::ActiveParam);
            }
            plan.params.push((name, param));
        }
    }

    /// All channels, for text that several processes use.
    pub(super) fn all_roles(&self) -> Proc {
        let all: Vec<usize> = (0..self.sigs.len()).collect();
        Proc { sends: all.clone(), receives: all, ..Proc::default() }
    }

    /// Which channels a process sends and receives on: for every channel some process does, so that models do
    /// not all stop at once.
    fn roles(&mut self, idx: usize) -> Proc {
        let n = self.plans.len();
        let mut roles = Proc::default();
        for sig in 0..self.sigs.len() {
            if idx == sig % n || self.rng.chance(40) {
                roles.sends.push(sig);
            }
            if idx == (sig + 1) % n || self.rng.chance(40) {
                roles.receives.push(sig);
            }
        }
        roles
    }

    /// The text of one process.
    pub(super) fn process(&mut self, idx: usize) -> Lines {
        let plan = self.plans[idx].clone();
        let budget = match self.profile.size {
            Size::Tiny => self.rng.range(3, 8),
            Size::Small => self.rng.range(4, 9),
            Size::Medium => self.rng.range(4, 10),
            Size::Large => self.rng.range(4, 11),
        };
        let n_labels = if self.profile.w_goto > 0 { self.rng.range(1, 2) } else { 0 };
        let labels = (0..n_labels)
            .map(|_| Label { name: self.fresh("L"), placed: false, safe_back: false, used: false })
            .collect();
        let roles = self.roles(idx);
        self.proc = Proc { plan: idx, budget: budget as i32, labels, started: false, ..roles };
        let head = self.process_head(&plan);
        let body = self.in_block(|this| {
            for (name, param) in &plan.params {
                this.add_param(name, *param);
            }
            let mut parts = this.local_declarations();
            if let Some(remote) = &plan.remote {
                parts.push(vec![format!("byte {}", remote.var)]);
                this.scope.top().places.push(Place::scalar(&remote.var, Ty::Byte, 3));
            }
            if plan.is_init || idx == 0 && !this.profile.init {
                parts.extend(this.starts());
            }
            parts.extend(this.exclusive_claim(idx));
            parts.extend(this.body_statements(&plan));
            this.seq(parts)
        });
        braces(&head, body)
    }

    fn process_head(&mut self, plan: &Plan) -> String {
        let mut head = String::new();
        if plan.is_init {
            self.mark(F::Init);
            head.push_str("init");
        } else {
            match plan.active {
                0 => self.mark(F::Proctype),
                1 => {
                    self.mark(F::Active);
                    head.push_str("active ");
                }
                n => {
                    self.mark(F::ActiveN);
                    head.push_str(&format!("active [{n}] "));
                }
            }
            let mut params = Vec::new();
            for (name, param) in &plan.params {
                params.push(match *param {
                    Param::Scalar(ty, _) => format!("{} {name}", self.type_word(ty)),
                    Param::Chan(_) => format!("chan {name}"),
                    Param::Struct(def) => format!("{} {name}", self.defs[def].name),
                });
            }
            // SPIN's count of the errors of a D_proctype that has choices depends on the order of the search.
            let word = if self.profile.without_choices() && self.chance(40) {
                self.mark(F::DProctype);
                "D_proctype"
            } else {
                "proctype"
            };
            head.push_str(&format!("{word} {}({})", plan.name, params.join("; ")));
        }
        if let Some(priority) = plan.priority {
            self.mark(F::Priority);
            head.push_str(&format!(" priority {priority}"));
        }
        if self.profile.provided && !plan.is_init && self.chance(50) {
            self.mark(F::Provided);
            let test = self.likely_comparison();
            let more =
                if self.chance(30) { format!(" || {}", self.small_comparison()) } else { String::new() };
            head.push_str(&format!(" provided ({test}{more})"));
        }
        head
    }

    fn add_param(&mut self, name: &str, param: Param) {
        let segs = vec![Seg { name: name.to_string(), len: None }];
        match param {
            Param::Scalar(ty, domain) => self.scope.top().places.push(Place::scalar(name, ty, domain)),
            Param::Chan(sig) => self.scope.top().chans.push(ChanName { segs, sig, variable: true }),
            Param::Struct(def) => {
                let defs = self.defs.clone();
                self.scope.top().add_struct(segs, def, &defs);
            }
        }
    }

    fn body_statements(&mut self, plan: &Plan) -> Vec<Lines> {
        let mut parts: Vec<Lines> = Vec::new();
        let at = At::TOP;
        let mut remote = plan.remote.as_ref().map(|r| r.label.clone());
        let reactive = !self.profile.without_choices() && self.chance(45);
        while self.proc.budget > 0 {
            if reactive && self.proc.budget < 10 && self.chance(60) {
                let mut lines = self.main_loop();
                if let Some(label) = remote.take() {
                    lines = labelled(&label, lines);
                }
                parts.push(lines);
                break;
            }
            if self.profile.inner_decls && self.chance(5) {
                self.mark(F::LateDecl);
                parts.push(self.inner_declaration());
            }
            if let Some(text) = self.exclusive_use() {
                parts.push(vec![text]);
            }
            let mut lines = self.statement(at);
            let target = can_be_target(&lines);
            if target && self.chance(40) {
                let simple = lines.len() == 1 && !lines[0].contains('{');
                if let Some(label) = self.proc.labels.iter_mut().find(|l| !l.placed) {
                    label.placed = true;
                    label.safe_back = simple;
                    lines = labelled(&label.name, lines);
                }
            }
            if let Some(label) = remote.take_if(|_| target) {
                lines = labelled(&label, lines);
            }
            parts.push(lines);
        }
        if let Some(label) = remote {
            parts.push(vec![format!("{label}: skip")]);
        }
        let open: Vec<String> =
            self.proc.labels.iter().filter(|l| l.used && !l.placed).map(|l| l.name.clone()).collect();
        parts.extend(open.into_iter().map(|name| vec![format!("{name}: skip")]));
        if plan.remote.is_some() {
            parts.push(vec![format!("end{}: false", plan.name)]);
        }
        parts
    }

    /// `run P(..)` of a process that does not start by itself.
    fn run_of(&mut self, idx: usize) -> Option<String> {
        let plan = self.plans[idx].clone();
        let mut args = Vec::new();
        for (_, param) in &plan.params {
            args.push(match *param {
                Param::Scalar(ty, _) => self.value_of(ty),
                Param::Chan(sig) => self.channel_of(sig)?,
                Param::Struct(def) => {
                    let vars: Vec<_> = self.scope.structs().into_iter().filter(|s| s.def == def).collect();
                    let var = self.rng.pick_any(&vars)?.clone();
                    self.const_path(&var.segs)
                }
            });
        }
        let mut text = format!("run {}({})", plan.name, args.join(", "));
        if self.profile.priorities && self.chance(40) {
            self.mark(F::RunPriority);
            text.push_str(&format!(" priority {}", self.rng.range(1, 4)));
        }
        Some(text)
    }

    /// The statements of init that start the other processes.
    fn starts(&mut self) -> Vec<Lines> {
        let waiting: Vec<usize> = (0..self.plans.len()).filter(|&i| self.plans[i].active == 0).collect();
        let mut parts: Vec<Lines> = Vec::new();
        let mut declared: Vec<Lines> = Vec::new();
        for idx in waiting {
            for _ in 0..self.rng.weighted(&[(5, 1), (1, 2)]) {
                let Some(run) = self.run_of(idx) else { continue };
                parts.push(match self.rng.below(5) {
                    0 => {
                        self.mark(F::RunExpr);
                        vec![format!("({run})")]
                    }
                    1 => {
                        self.mark(F::RunAssign);
                        let name = self.fresh("r");
                        self.scope.top().places.push(Place::scalar(&name, Ty::Pid, 4));
                        declared.push(vec![format!("pid {name}")]);
                        vec![format!("{name} = {run}")]
                    }
                    _ => vec![run],
                });
            }
        }
        if parts.len() > 1 && self.chance(40) {
            self.mark(F::Atomic);
            let body = self.seq(parts);
            parts = vec![braces("atomic", body)];
        }
        self.proc.started = !parts.is_empty();
        declared.extend(parts);
        declared
    }

    /// `run` where the number of processes bounds it.
    pub(super) fn run_guarded(&mut self, at: At) -> Option<Lines> {
        if self.in_dstep {
            return None;
        }
        let waiting: Vec<usize> = (0..self.plans.len()).filter(|&i| self.plans[i].active == 0).collect();
        let idx = *self.rng.pick_any(&waiting)?;
        let run = self.run_of(idx)?;
        let alive: u32 = self.plans.iter().map(|p| p.active).sum();
        let limit = alive + self.rng.range(1, 2);
        self.mark(F::RunByOther);
        self.mark(F::VarNrPr);
        if at.loops {
            self.mark(F::RunInLoop);
        }
        if at.atomic {
            return Some(vec![format!("_nr_pr < {limit};"), run]);
        }
        self.mark(F::Atomic);
        Some(vec![format!("atomic {{ _nr_pr < {limit} -> {run} }}")])
    }

    /// A statement about priorities.
    pub(super) fn priority_statement(&mut self) -> String {
        self.mark(F::SetPriority);
        format!("set_priority(_pid, {})", self.rng.range(1, 4))
    }

    /// Another process that can be referred to.
    fn remote_plan(&mut self) -> Option<Plan> {
        if self.in_dstep {
            return None;
        }
        // SPIN knows a proctype's name only from its declaration on, and takes no reference to the own one.
        let earlier = &self.plans[..self.proc.plan];
        let plans: Vec<Plan> = earlier.iter().filter(|p| p.remote.is_some()).cloned().collect();
        self.rng.pick_any(&plans).cloned()
    }

    /// A number about a process: a remote variable, a priority, a program counter.
    pub(super) fn process_value(&mut self) -> Option<String> {
        match self.rng.below(4) {
            0 if self.profile.priorities => {
                if self.chance(50) {
                    self.mark(F::VarPriority);
                    return Some("_priority".into());
                }
                self.mark(F::GetPriority);
                Some("get_priority(_pid)".into())
            }
            1 if self.profile.enabled => {
                let pid = self.remote_plan().map_or("_pid".to_string(), |plan| plan.first_pid.to_string());
                self.mark(F::PcValue);
                Some(format!("pc_value({pid})"))
            }
            _ => {
                let plan = self.remote_plan()?;
                let remote = plan.remote?;
                self.mark(F::RemoteVar);
                if self.chance(25) {
                    self.mark(F::RemoteShort);
                    return Some(format!("{}:{}", plan.name, remote.var));
                }
                Some(format!("{}[{}]:{}", plan.name, plan.first_pid, remote.var))
            }
        }
    }

    /// A condition about a process: where it is, or whether it can move.
    pub(super) fn process_condition(&mut self) -> Option<String> {
        if self.profile.enabled && self.chance(60) {
            return self.enabled();
        }
        let plan = self.remote_plan()?;
        let remote = plan.remote?;
        self.mark(F::RemoteLabel);
        if self.chance(25) {
            self.mark(F::RemoteShort);
            return Some(format!("{}@{}", plan.name, remote.label));
        }
        Some(format!("{}[{}]@{}", plan.name, plan.first_pid, remote.label))
    }

    /// `enabled(n)`: only in the first process and about later ones, for a process that asks about itself, or
    /// about one that asks back, ends SPIN's search.
    fn enabled(&mut self) -> Option<String> {
        if self.in_dstep
            || self.proc.is_inline
            || self.proc.plan != 0
            || self.plans.first()?.active != 1
            || self.plans.len() < 2
        {
            return None;
        }
        let others: Vec<u32> = self.plans[1..].iter().filter(|p| p.active > 0).map(|p| p.first_pid).collect();
        let pid = *self.rng.pick_any(&others)?;
        self.mark(F::Enabled);
        Some(format!("enabled({pid})"))
    }
}
