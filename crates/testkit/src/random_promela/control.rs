//! Control flow: choices, loops, jumps, blocks and escapes.
//!
//! Loops inside an atomic sequence are counted: SPIN stores no states there, so a loop without an end would
//! never be noticed as a cycle. Jumps out of an atomic sequence go forwards, or back to a label where a state
//! is stored.

use super::feature::Feature as F;
use super::generator::{
    At, Gen, Label, Lines, begins_with_else, braces, can_be_target, indent, labelled, looks_at_channel,
};
use super::scope::{Place, Ty};

#[derive(Clone, Copy, PartialEq, Eq)]
enum ControlKind {
    Simple,
    If,
    Do,
    For,
    Select,
    Goto,
    Break,
    Atomic,
    DStep,
    Unless,
    Block,
    Timeout,
}

impl Gen {
    /// A statement of any kind.
    pub(super) fn statement(&mut self, at: At) -> Lines {
        self.proc.started = true;
        let profile = self.profile.clone();
        let open = at.depth < 4 && self.proc.budget > 2;
        let when = |on: bool, weight: u32| if on { weight } else { 0 };
        let kind = self.rng.weighted(&[
            (30, ControlKind::Simple),
            (when(open, profile.w_if), ControlKind::If),
            (when(open, profile.w_do), ControlKind::Do),
            (when(open, profile.w_for), ControlKind::For),
            (when(profile.w_for > 0, 1), ControlKind::Select),
            (profile.w_goto / 2, ControlKind::Goto),
            (when(at.loops, 4), ControlKind::Break),
            (when(open, profile.w_atomic), ControlKind::Atomic),
            (profile.w_dstep, ControlKind::DStep),
            (when(open, profile.w_unless), ControlKind::Unless),
            (when(open, 1), ControlKind::Block),
            (when(profile.timeout, 1), ControlKind::Timeout),
        ]);
        let lines = match kind {
            ControlKind::Simple => None,
            ControlKind::If => Some(self.choice(at)),
            ControlKind::Do => Some(self.repetition(at)),
            ControlKind::For => self.for_loop(at),
            ControlKind::Select => self.select(),
            ControlKind::Goto => self.goto(at),
            ControlKind::Break => {
                self.mark(F::Break);
                Some(vec!["break".to_string()])
            }
            ControlKind::Atomic => Some(self.atomic(at)),
            ControlKind::DStep => Some(self.d_step(at)),
            ControlKind::Unless => Some(self.unless(at)),
            ControlKind::Block => {
                self.mark(F::Block);
                let body = self.block_body(at.deeper(), 2);
                Some(braces("", body))
            }
            ControlKind::Timeout => {
                self.mark(F::Timeout);
                Some(vec!["timeout".to_string()])
            }
        };
        let lines = match lines {
            Some(lines) => {
                self.proc.budget -= 1;
                lines
            }
            None => self.simple(at),
        };
        self.decorate(lines, at)
    }

    /// Up to `most` statements in a scope of their own.
    pub(super) fn block_body(&mut self, at: At, most: u32) -> Lines {
        let n = self.rng.range(1, most.max(1));
        self.in_block(|this| {
            let mut out = Vec::new();
            for idx in 0..n {
                let often = if this.profile.reused_names { 60 } else { 25 };
                if this.profile.inner_decls && this.chance(if idx == 0 { often } else { 8 }) {
                    out.push(this.inner_declaration());
                }
                out.push(this.statement(At { first: idx == 0, ..at }));
            }
            this.seq(out)
        })
    }

    /// Sometimes puts a label in front.
    fn decorate(&mut self, lines: Lines, at: At) -> Lines {
        if !self.profile.labels || at.first || !can_be_target(&lines) {
            return lines;
        }
        let head = match self.rng.below(40) {
            0 => {
                self.mark(F::EndLabel);
                self.fresh("end_")
            }
            1 => {
                self.mark(F::ProgressLabel);
                self.fresh("progress_")
            }
            2 => {
                self.mark(F::AcceptLabel);
                self.fresh("accept_")
            }
            3..=5 if at.depth > 0 && !at.atomic => match self.proc.labels.iter_mut().find(|l| !l.placed) {
                Some(label) => {
                    label.placed = true;
                    let name = label.name.clone();
                    self.mark(F::NestedLabel);
                    name
                }
                None => return lines,
            },
            _ => return lines,
        };
        labelled(&head, lines)
    }

    fn goto(&mut self, at: At) -> Option<Lines> {
        let labels: Vec<Label> =
            self.proc.labels.iter().filter(|l| !l.placed || !at.atomic || l.safe_back).cloned().collect();
        let label = self.rng.pick_any(&labels)?.clone();
        self.mark(if label.placed { F::GotoBack } else { F::Goto });
        if at.atomic {
            self.mark(F::AtomicGoto);
        }
        if let Some(found) = self.proc.labels.iter_mut().find(|l| l.name == label.name) {
            found.used = true;
        }
        Some(vec![format!("goto {}", label.name)])
    }

    /// The first statement of an option or an escape.
    fn option_guard(&mut self, at: At) -> Lines {
        let io = if self.profile.channels() { self.profile.w_io / 2 } else { 0 };
        let timeout = if self.profile.timeout { 2 } else { 0 };
        let leave = if at.loops { 1 } else { 0 };
        let compound = if at.depth < 4 && self.proc.budget > 3 { 1 } else { 0 };
        let kinds = [
            (24, 0),
            (io, 1),
            (io, 2),
            (4, 3),
            (3, 4),
            (2, 5),
            (timeout, 6),
            (leave, 7),
            (compound, 8),
            (2, 9),
            (compound, 10),
        ];
        match self.rng.weighted(&kinds) {
            1 => self.receive(at, false).map(|text| vec![text]),
            2 => self.send(at, false).map(|text| vec![text]),
            3 => self.assign().map(|text| vec![text]),
            4 if self.profile.w_atomic > 0 && self.proc.budget > 2 && at.depth < 4 => Some(self.atomic(at)),
            4 if self.profile.w_dstep > 0 => Some(self.d_step(at)),
            // More than a skip, for SPIN refuses an option that leads back to itself unconditionally.
            5 => {
                let then = self.assign().unwrap_or_else(|| "assert(true)".to_string());
                Some(vec![format!("{};", self.rng.pick(&["true", "skip", "1"])), then])
            }
            6 => {
                self.mark(F::Timeout);
                Some(vec!["timeout".to_string()])
            }
            7 => {
                self.mark(F::Break);
                Some(vec!["break".to_string()])
            }
            8 => {
                let mut out = vec!["if".to_string()];
                out.extend(self.options(at.deeper(), false, false));
                out.push("fi".to_string());
                Some(out)
            }
            9 => Some(self.simple(at)).filter(|lines| can_be_target(lines) && lines[0] != "skip"),
            10 => {
                self.mark(F::Block);
                let body = self.block_body(at.deeper(), 2);
                Some(braces("", body)).filter(|lines| !lines.iter().any(|line| line.contains(" unless {")))
            }
            _ => None,
        }
        .filter(|lines| !begins_with_else(lines))
        .unwrap_or_else(|| vec![self.guard(2)])
    }

    /// The options of an `if` or `do`.
    fn options(&mut self, at: At, leave: bool, may_else: bool) -> Lines {
        let n = self.rng.weighted(&[(2, 1), (6, 2), (4, 3), (1, 4)]);
        let with_else = may_else && self.chance(35);
        let mut out = Lines::new();
        let mut io_guard = false;
        for idx in 0..n {
            let lines = self.in_frame(|this| {
                let mut parts = vec![this.option_guard(at)];
                io_guard |= looks_at_channel(&parts[0]);
                let more = this.rng.weighted(&[(3, 0), (6, 1), (3, 2), (1, 3)]);
                for _ in 0..more {
                    if this.proc.budget <= 0 {
                        break;
                    }
                    if this.profile.inner_decls && this.chance(6) {
                        parts.push(this.inner_declaration());
                    }
                    parts.push(this.statement(at));
                }
                if leave && idx == 0 {
                    this.mark(F::Break);
                    parts.push(vec!["break".to_string()]);
                }
                this.seq(parts)
            });
            push_option(&mut out, lines);
        }
        // SPIN refuses an else beside channel guards where there are exclusive channels.
        if with_else && !(io_guard && (self.exclusive.is_some() || self.chance(70))) {
            self.mark(F::Else);
            if io_guard {
                self.mark(F::ElseWithIo);
            }
            let then = match self.rng.below(4) {
                0 => vec!["skip".to_string()],
                1 if leave => vec!["break".to_string()],
                _ => self.statement(at),
            };
            let lines = self.seq(vec![vec!["else".to_string()], then]);
            push_option(&mut out, lines);
        }
        out
    }

    fn choice(&mut self, at: At) -> Lines {
        self.mark(F::If);
        let mut out = vec!["if".to_string()];
        out.extend(self.options(at.deeper(), false, true));
        out.push("fi".to_string());
        out
    }

    fn repetition(&mut self, at: At) -> Lines {
        if at.atomic {
            return self.counted_loop(at);
        }
        self.mark(F::Do);
        let leave = self.chance(65);
        let mut out = vec!["do".to_string()];
        out.extend(self.options(At { loops: true, ..at.deeper() }, leave, true));
        out.push("od".to_string());
        out
    }

    /// The loop of a process that answers to what happens: many options, some of them communication.
    pub(super) fn main_loop(&mut self) -> Lines {
        self.mark(F::Do);
        self.proc.started = true;
        self.proc.budget = self.proc.budget.max(3);
        let at = At { loops: true, ..At::TOP.deeper() };
        let leave = self.chance(40);
        let mut out = vec!["do".to_string()];
        let n = self.rng.range(1, 2);
        for idx in 0..n {
            out.extend(self.options(at, leave && idx == 0, idx + 1 == n));
        }
        out.push("od".to_string());
        if self.chance(50) {
            self.mark(F::EndLabel);
            let label = self.fresh("end_");
            out = labelled(&label, out);
        }
        out
    }

    /// A loop that ends after a few rounds, whatever its body does.
    fn counted_loop(&mut self, at: At) -> Lines {
        self.mark(F::Do);
        self.mark(F::AtomicLoop);
        let name = self.fresh("k");
        let body = self.statement(At { loops: true, ..at.deeper() });
        let times = self.rng.range(1, 3);
        let mut out = vec![format!("byte {name};"), format!("{name} = 0;"), "do".to_string()];
        let mut parts = vec![vec![format!("{name} < {times}")], vec![format!("{name}++")]];
        parts.push(body);
        let lines = self.seq(parts);
        push_option(&mut out, lines);
        let leave = if self.chance(50) { "else".to_string() } else { format!("{name} >= {times}") };
        push_option(&mut out, vec![format!("{leave} -> break")]);
        out.push("od".to_string());
        out
    }

    /// An index variable that the loop's body leaves alone.
    fn loop_variable(&mut self) -> (Lines, String) {
        let name = self.fresh("i");
        let ty = *self.rng.pick(&["byte", "int", "short"]);
        self.mark(F::InnerDecl);
        (vec![format!("{ty} {name};")], name)
    }

    fn for_loop(&mut self, at: At) -> Option<Lines> {
        if self.chance(50)
            && let Some(lines) = self.for_channel(at)
        {
            return Some(lines);
        }
        let kind = self.rng.below(3);
        let arrays: Vec<Place> = self
            .scope
            .places()
            .into_iter()
            .filter(|p| p.segs.len() == 1 && p.segs[0].len.is_some() && !matches!(p.ty, Ty::Mtype(_)))
            .collect();
        let array = self.rng.pick_any(&arrays).cloned();
        let (mut out, name) = self.loop_variable();
        let (head, element) = match array {
            Some(array) if kind == 2 => {
                self.mark(F::ForArray);
                let element = format!("{}[{name}]", array.segs[0].name);
                (format!("for ({name} in {})", array.segs[0].name), Some((element, array)))
            }
            _ => {
                self.mark(F::ForRange);
                let from = self.rng.below(2);
                let to = if self.chance(25) {
                    format!("({}) % 3", self.expr(1))
                } else {
                    (from + self.rng.below(3)).to_string()
                };
                (format!("for ({name} : {from} .. {to})"), None)
            }
        };
        let body = self.in_block(|this| {
            let mut index = Place::scalar(&name, Ty::Int, 3);
            index.writable = false;
            this.scope.top().places.push(index);
            let mut parts = Vec::new();
            if let Some((element, array)) = element {
                let value = this.value_for(&array);
                parts.push(vec![if this.chance(60) {
                    format!("{element} = {value}")
                } else {
                    format!("{element} < 9")
                }]);
            }
            parts.push(this.statement(At { loops: true, first: true, ..at.deeper() }));
            this.seq(parts)
        });
        out.extend(braces(&head, body));
        Some(out)
    }

    /// `for (m in c)`: takes each message out and puts it back.
    fn for_channel(&mut self, at: At) -> Option<Lines> {
        let globals: Vec<_> =
            self.scope.chans().into_iter().filter(|c| c.segs.len() == 1 && !c.variable).collect();
        let fits: Vec<_> = globals
            .into_iter()
            .filter(|c| {
                let sig = &self.sigs[c.sig];
                !sig.rendezvous
                    && c.segs[0].len.is_none()
                    && matches!(sig.fields[..], [super::scope::Field::Struct(_)])
            })
            .collect();
        let chan = self.rng.pick_any(&fits)?.clone();
        let super::scope::Field::Struct(def) = self.sigs[chan.sig].fields[0] else { return None };
        let vars: Vec<_> = self
            .scope
            .structs()
            .into_iter()
            .filter(|s| s.def == def && s.segs.len() == 1 && s.segs[0].len.is_none())
            .collect();
        let var = self.rng.pick_any(&vars)?.clone();
        self.mark(F::ForChan);
        let body = self.simple(At { loops: true, ..at.deeper() });
        Some(braces(&format!("for ({} in {})", var.segs[0].name, chan.segs[0].name), body))
    }

    fn select(&mut self) -> Option<Lines> {
        let places: Vec<Place> = self
            .scope
            .places()
            .into_iter()
            .filter(|p| p.writable && p.is_plain() && matches!(p.ty, Ty::Byte | Ty::Int | Ty::Short))
            .collect();
        let place = self.rng.pick_any(&places)?.clone();
        self.mark(F::Select);
        let from = self.rng.below(2);
        Some(vec![format!("select ({} : {from} .. {})", place.segs[0].name, from + self.rng.range(1, 2))])
    }

    fn unless(&mut self, at: At) -> Lines {
        self.mark(F::Unless);
        if at.unless {
            self.mark(F::NestedUnless);
        }
        if at.atomic {
            self.mark(F::UnlessInAtomic);
        }
        let inner = At { unless: true, ..at.deeper() };
        let mut out = match self.rng.below(6) {
            0 if !at.atomic => {
                self.mark(F::UnlessLoop);
                self.repetition(inner)
            }
            1 => {
                self.mark(F::UnlessLoop);
                self.choice(inner)
            }
            2 => self.simple(inner),
            3 if self.profile.w_dstep > 0 => self.d_step(inner),
            4 if self.profile.w_atomic > 0 => self.atomic(inner),
            _ => {
                let body = self.block_body(inner, 3);
                braces("", body)
            }
        };
        // A statement of several lines that is not one block would leave its first lines outside.
        if out.len() > 1 && !matches!(out[0].as_str(), "if" | "do") && !out[0].ends_with('{') {
            out = braces("", out);
        }
        let escape = self.in_block(|this| this.escape(inner));
        let last = out.pop().unwrap_or_default();
        out.push(format!("{last} unless {{"));
        out.extend(indent(escape));
        out.push("}".to_string());
        out
    }

    fn escape(&mut self, at: At) -> Lines {
        if self.chance(30) && (self.profile.w_atomic > 0 || self.profile.w_dstep > 0) {
            self.mark(F::UnlessAtomic);
            return if self.profile.w_dstep > 0 && self.chance(50) {
                self.d_step(at)
            } else {
                self.atomic(at)
            };
        }
        let guard = match self.rng.below(6) {
            0 if self.profile.timeout => {
                self.mark(F::Timeout);
                vec!["timeout".to_string()]
            }
            1..=2 if self.profile.channels() => {
                self.mark(F::UnlessIo);
                let text = if self.chance(60) { self.receive(at, false) } else { self.send(at, false) };
                vec![text.unwrap_or_else(|| "false".to_string())]
            }
            _ => vec![self.guard(2)],
        };
        let mut parts = vec![guard];
        if self.chance(70) {
            parts.push(self.statement(at));
        }
        self.seq(parts)
    }
}

/// Adds `:: first` and the rest further in.
fn push_option(out: &mut Lines, lines: Lines) {
    for (idx, line) in lines.into_iter().enumerate() {
        out.push(if idx == 0 { format!(":: {line}") } else { format!("   {line}") });
    }
}
