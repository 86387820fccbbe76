//! Event traces and claims: what is said about a model beside its processes.
//!
//! A trace is deterministic by construction, since SPIN ends the search where two events match at once.

use super::feature::Feature as F;
use super::generator::{Gen, Lines, braces};
use super::scope::{ChanName, Field};

impl Gen {
    /// A trace or notrace over one or two global channels.
    pub(super) fn trace(&mut self) -> Lines {
        if !self.profile.trace {
            return Lines::new();
        }
        let plain: Vec<ChanName> = self.scope.frames[0]
            .chans
            .iter()
            .filter(|c| c.segs.len() == 1 && c.segs[0].len.is_none())
            // SPIN counts an error for a rendezvous that is offered and never happens.
            .filter(|c| !self.sigs[c.sig].rendezvous)
            .filter(|c| !self.sigs[c.sig].fields.iter().any(|f| matches!(f, Field::Struct(_))))
            .cloned()
            .collect();
        let Some(chan) = self.rng.pick_any(&plain).cloned() else { return Lines::new() };
        let negated = self.chance(40);
        self.mark(if negated { F::Notrace } else { F::Trace });
        let body = match self.rng.below(if negated { 2 } else { 5 }) {
            0 => {
                let (first, second) = (self.event(&chan, "!", true), self.event(&chan, "?", true));
                vec![format!("{first};"), second]
            }
            1 => {
                let (first, second) = (self.event(&chan, "!", true), self.event(&chan, "!", false));
                vec![format!("{first};"), second]
            }
            2 => {
                let (first, second) = (self.event(&chan, "!", false), self.event(&chan, "?", false));
                vec!["do".into(), format!(":: {first}"), format!(":: {second}"), "od".into()]
            }
            3 => {
                let (first, second) = (self.event(&chan, "!", false), self.event(&chan, "?", false));
                vec!["do".into(), format!(":: {first};"), format!("   {second}"), "od".into()]
            }
            _ => {
                let first = self.event(&chan, "!", false);
                let again = self.event(&chan, "!", false);
                let second = self.event(&chan, "?", false);
                vec![
                    format!("{first};"),
                    "do".into(),
                    format!(":: {second}"),
                    format!(":: {again}"),
                    "od".into(),
                ]
            }
        };
        braces(if negated { "notrace" } else { "trace" }, body)
    }

    fn event(&mut self, chan: &ChanName, op: &str, definite: bool) -> String {
        let mut args = Vec::new();
        for field in self.sigs[chan.sig].fields.clone() {
            args.push(match field {
                Field::Scalar(ty) if definite && self.chance(60) => self.constant_of(ty),
                _ => "_".to_string(),
            });
        }
        format!("{}{op}{}", chan.segs[0].name, args.join(","))
    }

    /// A claim, which a safety check leaves aside.
    pub(super) fn claim(&mut self) -> Lines {
        if !self.profile.claim {
            return Lines::new();
        }
        let Some(place) = self.scope.frames[0].places.iter().find(|p| p.is_plain()).cloned() else {
            return Lines::new();
        };
        let name = &place.segs[0].name;
        if self.chance(50) {
            self.mark(F::Ltl);
            return vec![format!("ltl p0 {{ [] (<> ({name} == 0) || {name} < 3) }}")];
        }
        self.mark(F::Never);
        let body = vec![
            "do".into(),
            format!(":: {name} > 0 -> break"),
            ":: true".into(),
            "od;".into(),
            "accept_all: skip".into(),
        ];
        braces("never", body)
    }
}
