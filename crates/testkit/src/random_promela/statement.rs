//! Simple statements: assignments, counting, guards, assertions, output, and calls.

use super::feature::Feature as F;
use super::generator::{At, Gen, Lines};
use super::scope::{Place, Ty};

#[derive(Clone, Copy)]
enum Simple {
    Assign,
    Count,
    Guard,
    Assert,
    Print,
    Skip,
    Send,
    Receive,
    Call,
    Run,
    Process,
    Hidden,
    Discard,
    ChanAssign,
}

impl Gen {
    /// A simple statement.
    pub(super) fn simple(&mut self, at: At) -> Lines {
        self.proc.budget -= 1;
        if self.profile.hostile && self.chance(12) {
            return self.hostile();
        }
        let io = self.profile.w_io;
        for _ in 0..4 {
            let kind = self.rng.weighted(&[
                (16, Simple::Assign),
                (8, Simple::Count),
                (2, Simple::Guard),
                (4, Simple::Assert),
                (1, Simple::Print),
                (2, Simple::Skip),
                (io, Simple::Send),
                (io, Simple::Receive),
                (if self.profile.inlines || self.profile.macros { 8 } else { 0 }, Simple::Call),
                (if self.profile.dynamic { 3 } else { 0 }, Simple::Run),
                (if self.profile.priorities { 4 } else { 0 }, Simple::Process),
                (if self.profile.hidden { 4 } else { 0 }, Simple::Hidden),
                (1, Simple::Discard),
                (if self.profile.chan_of_chan { 3 } else { 0 }, Simple::ChanAssign),
            ]);
            if let Some(lines) = self.simple_of(kind, at) {
                return lines;
            }
        }
        vec!["skip".to_string()]
    }

    fn simple_of(&mut self, kind: Simple, at: At) -> Option<Lines> {
        Some(match kind {
            Simple::Assign => vec![self.assign()?],
            Simple::Count => self.count(at)?,
            Simple::Guard => {
                if at.atomic {
                    self.mark(F::AtomicBlocks);
                }
                vec![self.guard(2)]
            }
            Simple::Assert => vec![self.assertion()],
            Simple::Print => vec![self.print()],
            Simple::Skip => {
                self.mark(F::Skip);
                let comment = if self.chance(20) {
                    self.mark(F::Comment);
                    " /* nothing; really */"
                } else {
                    ""
                };
                vec![format!("skip{comment}")]
            }
            Simple::Send => vec![self.blocking(at, |this| this.send(at, false))?],
            Simple::Receive => vec![self.blocking(at, |this| this.receive(at, false))?],
            Simple::Call => self.call(false)?,
            Simple::Run => self.run_guarded(at)?,
            Simple::Process => vec![self.priority_statement()],
            Simple::Hidden => self.use_hidden()?,
            Simple::Discard => {
                self.mark(F::WriteOnly);
                vec![format!("_ = {}", self.expr(1))]
            }
            Simple::ChanAssign => vec![self.assign_channel()?],
        })
    }

    fn blocking(&mut self, at: At, make: impl FnOnce(&mut Self) -> Option<String>) -> Option<String> {
        let text = make(self)?;
        if at.atomic {
            self.mark(F::AtomicBlocks);
        }
        Some(text)
    }

    /// A place that can be assigned to.
    pub(super) fn target(&mut self) -> Option<Place> {
        let places: Vec<Place> = self.scope.places().into_iter().filter(|p| p.writable).collect();
        self.rng.pick_any(&places).cloned()
    }

    pub(super) fn assign(&mut self) -> Option<String> {
        let place = self.target()?;
        let value = self.value_for(&place);
        Some(format!("{} = {value}", self.path(&place.segs)))
    }

    /// `x++` or `x--`, kept within bounds where the type does not do it soon.
    fn count(&mut self, at: At) -> Option<Lines> {
        let place = self.target()?;
        if matches!(place.ty, Ty::Mtype(_) | Ty::Pid) {
            return None;
        }
        let path = self.const_path(&place.segs);
        let up = self.chance(65);
        self.mark(if up { F::Increment } else { F::Decrement });
        let op = if up { "++" } else { "--" };
        if place.ty.wraps_soon() && self.chance(60) {
            return Some(vec![format!("{path}{op}")]);
        }
        let limit = place.domain.max(2);
        let guard = if up { format!("{path} < {limit}") } else { format!("{path} > 0 && {path} <= {limit}") };
        if at.atomic || self.chance(35) {
            return Some(vec![format!("{guard};"), format!("{path}{op}")]);
        }
        self.mark(F::Atomic);
        Some(vec![format!("atomic {{ {guard} -> {path}{op} }}")])
    }

    pub(super) fn assertion(&mut self) -> String {
        self.mark(F::Assert);
        if self.profile.failing_asserts && self.chance(60) {
            self.mark(F::AssertMayFail);
            return format!("assert({})", self.cond(2));
        }
        let always = ["assert(true)", "assert(_pid >= 0)", "assert(_nr_pr > 0)", "assert(1 + 1 == 2)"];
        self.rng.pick(&always).to_string()
    }

    fn print(&mut self) -> String {
        let mtypes: Vec<Place> =
            self.scope.places().into_iter().filter(|p| matches!(p.ty, Ty::Mtype(_))).collect();
        if let Some(place) = self.rng.pick_any(&mtypes).cloned() {
            self.mark(F::Printm);
            return format!("printm({})", self.const_path(&place.segs));
        }
        self.mark(F::Printf);
        format!("printf(\"%d\\n\", {})", self.expr(1))
    }

    /// A hidden variable is not part of the state, so it is written before it is read, in one step.
    fn use_hidden(&mut self) -> Option<Lines> {
        let name = self.rng.pick_any(&self.hidden).cloned()?;
        let place = self.target()?;
        if matches!(place.ty, Ty::Mtype(_) | Ty::Pid) {
            return None;
        }
        self.mark(F::Hidden);
        self.mark(F::DStep);
        let (value, path) = (self.expr(1), self.const_path(&place.segs));
        Some(vec![format!("d_step {{ {name} = {value}; {path} = {name} % {} }}", place.domain.max(2))])
    }

    fn assign_channel(&mut self) -> Option<String> {
        let chans: Vec<_> = self.scope.chans().into_iter().filter(|c| c.variable).collect();
        let chan = self.rng.pick_any(&chans)?.clone();
        let value = self.global_channel_of(chan.sig)?;
        self.mark(F::TypeChan);
        Some(format!("{} = {value}", chan.segs[0].name))
    }
}
