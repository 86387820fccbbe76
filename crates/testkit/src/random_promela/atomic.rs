//! Atomic sequences and d_steps.
//!
//! A d_step is written so that it cannot block after its first statement, cannot loop without end and is not
//! left by a jump: SPIN ends the whole search at the first of these, and would then have no counts to
//! compare.

use super::feature::Feature as F;
use super::generator::{At, Gen, Lines, braces};
use super::scope::{Place, Ty};

impl Gen {
    /// `atomic { .. }`, in which statements may block.
    pub(super) fn atomic(&mut self, at: At) -> Lines {
        self.mark(F::Atomic);
        if at.atomic {
            self.mark(F::NestedAtomic);
        }
        let inner = At { atomic: true, ..at.deeper() };
        let body = if self.chance(50) {
            self.in_block(|this| {
                let mut parts = vec![this.simple(inner)];
                for _ in 0..this.rng.range(1, 3) {
                    parts.push(this.statement(inner));
                }
                this.seq(parts)
            })
        } else {
            self.block_body(inner, 4)
        };
        braces("atomic", body)
    }

    /// `d_step { .. }`.
    pub(super) fn d_step(&mut self, at: At) -> Lines {
        self.mark(F::DStep);
        if at.atomic {
            self.mark(F::DStepInAtomic);
        }
        self.proc.budget -= 1;
        let n = self.rng.range(1, 4);
        let before = std::mem::replace(&mut self.in_dstep, true);
        let body = self.in_block(|this| {
            let mut parts = Vec::new();
            match this.rng.below(8) {
                0 => parts.push(vec![this.guard(2)]),
                1..=2 => {
                    let receive = this.chance(50);
                    let text = if receive { this.receive(at, true) } else { this.send(at, true) };
                    if let Some(text) = text {
                        this.mark(F::DStepIo);
                        parts.push(vec![text]);
                    }
                }
                3 if this.profile.inner_decls => {
                    parts.push(this.inner_declaration());
                }
                _ => {}
            }
            // SPIN lets a d_step that begins with an assertion or with output run between the halves of a
            // rendezvous.
            if parts.is_empty() && this.profile.rendezvous {
                parts.push(vec!["true".into()]);
            }
            for _ in 0..n {
                parts.push(this.certain(2));
            }
            this.seq(parts)
        });
        self.in_dstep = before;
        braces("d_step", body)
    }

    /// A statement that never blocks and always ends.
    pub(super) fn certain(&mut self, depth: u32) -> Lines {
        match self.rng.below(16) {
            0..=1 if depth > 0 => self.certain_choice(depth),
            2 if depth > 0 => self.certain_loop(depth),
            3 => vec![self.assertion()],
            4 => {
                self.mark(F::Skip);
                vec!["skip".to_string()]
            }
            5 if depth > 0 => self.certain_io().unwrap_or_else(|| vec!["skip".to_string()]),
            6 => self.call(true).unwrap_or_else(|| vec!["skip".to_string()]),
            7 => {
                self.mark(F::Printf);
                vec![format!("printf(\"%d\", {})", self.expr(1))]
            }
            _ => vec![self.assign().unwrap_or_else(|| "skip".to_string())],
        }
    }

    /// A choice with an else, or with two options of which one always holds.
    fn certain_choice(&mut self, depth: u32) -> Lines {
        self.mark(F::If);
        let mut out = vec!["if".to_string()];
        let many = self.chance(30);
        if many {
            self.mark(F::DStepChoice);
        }
        for _ in 0..if many { 2 } else { 1 } {
            let (guard, then) = (self.cond(2), self.certain(depth - 1));
            out.push(format!(":: {guard} ->"));
            out.extend(then.into_iter().map(|line| format!("   {line}")));
        }
        self.mark(F::Else);
        let then = self.certain(depth - 1);
        out.push(":: else ->".to_string());
        out.extend(then.into_iter().map(|line| format!("   {line}")));
        out.push("fi".to_string());
        out
    }

    fn certain_loop(&mut self, depth: u32) -> Lines {
        self.mark(F::DStepLoop);
        let name = self.fresh("k");
        let times = self.rng.range(1, 3);
        let body = self.in_block(|this| {
            let mut index = Place::scalar(&name, Ty::Byte, 3);
            index.writable = false;
            this.scope.top().places.push(index);
            this.certain(depth - 1)
        });
        // A loop at the end of a d_step or of an outer loop can make SPIN write C that does not compile.
        let body = if body.len() > 1 { self.seq(vec![body, vec!["skip".to_string()]]) } else { body };
        let mut out = vec![format!("byte {name};")];
        if self.chance(50) {
            self.mark(F::ForRange);
            out.extend(braces(&format!("for ({name} : 1 .. {times})"), body));
            out.push("skip".to_string());
            return out;
        }
        out.extend([format!("{name} = 0;"), "do".to_string(), format!(":: {name} < {times} ->")]);
        let lines = self.seq(vec![body, vec![format!("{name}++")]]);
        out.extend(lines.into_iter().map(|line| format!("   {line}")));
        out.extend([":: else -> break".to_string(), "od;".to_string(), "skip".to_string()]);
        self.mark(F::Do);
        out
    }

    /// A send or receive behind a question that makes sure of it.
    fn certain_io(&mut self) -> Option<Lines> {
        if self.exclusive.is_some() {
            return None;
        }
        let at = At { depth: 4, atomic: true, ..At::TOP };
        let text = self.send(at, true)?;
        let (chan, _) = text.split_once('!')?;
        self.mark(F::DStepIo);
        self.mark(F::NFull);
        self.mark(F::Else);
        Some(vec![
            "if".to_string(),
            format!(":: nfull({chan}) -> {text}"),
            ":: else -> skip".to_string(),
            "fi".to_string(),
        ])
    }
}
