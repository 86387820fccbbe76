//! Channel operations: sends, receives in all their forms, polls, and questions about fullness.
//!
//! Arguments always fit the channel's signature. A receive never stores into the same variable twice, and
//! rendezvous channels are never polled, because SPIN treats both as errors rather than as behaviour.

use super::feature::Feature as F;
use super::generator::{At, Gen};
use super::scope::{ChanName, Field, Place, Sig, Ty};

/// How a receive takes its message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Take {
    Head,
    Any,
    CopyHead,
    CopyAny,
}

impl Gen {
    /// A visible channel that `wanted` accepts.
    pub(super) fn channel(&mut self, wanted: impl Fn(&Sig) -> bool) -> Option<ChanName> {
        let chans: Vec<ChanName> =
            self.scope.chans().into_iter().filter(|c| wanted(&self.sigs[c.sig])).collect();
        self.rng.pick_any(&chans).cloned()
    }

    fn channel_in(&mut self, sigs: &[usize], buffered_only: bool) -> Option<ChanName> {
        let all = self.scope.chans().into_iter().filter(|c| !(buffered_only && self.sigs[c.sig].rendezvous));
        let (mine, others): (Vec<_>, Vec<_>) = all.partition(|c| sigs.contains(&c.sig));
        if mine.is_empty() || self.chance(8) {
            return self.rng.pick_any(&others).cloned();
        }
        self.rng.pick_any(&mine).cloned()
    }

    /// A visible channel of this signature, as text.
    pub(super) fn channel_of(&mut self, sig: usize) -> Option<String> {
        let chans: Vec<ChanName> = self.scope.chans().into_iter().filter(|c| c.sig == sig).collect();
        let chan = self.rng.pick_any(&chans)?.clone();
        Some(self.path(&chan.segs))
    }

    pub(super) fn len_of_channel(&mut self) -> Option<String> {
        let chan = self.channel(|sig| !sig.rendezvous)?;
        self.mark(F::Len);
        Some(format!("len({})", self.path(&chan.segs)))
    }

    /// `full(c)` and its like.
    pub(super) fn probe(&mut self) -> Option<String> {
        let chan = self.channel(|sig| !sig.rendezvous)?;
        let (name, feature) = *self.rng.pick(&[
            ("full", F::Full),
            ("nfull", F::NFull),
            ("empty", F::Empty),
            ("nempty", F::NEmpty),
        ]);
        self.mark(feature);
        Some(format!("{name}({})", self.path(&chan.segs)))
    }

    /// `c?[1,_]`.
    pub(super) fn poll(&mut self) -> Option<String> {
        if !self.profile.polls {
            return None;
        }
        let plain = |sig: &Sig| !sig.rendezvous && sig.fields.iter().all(|f| matches!(f, Field::Scalar(_)));
        let chan = self.channel(plain)?;
        let random = self.chance(40);
        self.mark(if random { F::PollRandom } else { F::Poll });
        let mut args = Vec::new();
        for field in self.sigs[chan.sig].fields.clone() {
            args.push(self.pattern(field));
        }
        let op = if random { "??" } else { "?" };
        Some(format!("{}{op}[{}]", self.path(&chan.segs), args.join(",")))
    }

    /// A pattern that stores nothing.
    fn pattern(&mut self, field: Field) -> String {
        let Field::Scalar(ty) = field else { return "_".to_string() };
        match self.rng.below(5) {
            0..=1 => {
                self.mark(F::ReceiveAny);
                "_".to_string()
            }
            2 => {
                self.mark(F::Eval);
                format!("eval({})", self.value_of(ty))
            }
            _ => {
                self.mark(F::ReceiveConst);
                self.constant_of(ty)
            }
        }
    }

    /// A constant of this type.
    pub(super) fn constant_of(&mut self, ty: Ty) -> String {
        match ty {
            Ty::Mtype(set) => {
                let members = self.mtypes[set].members.clone();
                self.rng.pick(&members).clone()
            }
            Ty::Bit | Ty::Bool => self.rng.below(2).to_string(),
            _ => self.rng.below(3).to_string(),
        }
    }

    /// A send; `buffered_only` keeps rendezvous channels out.
    pub(super) fn send(&mut self, at: At, buffered_only: bool) -> Option<String> {
        let allowed = self.proc.sends.clone();
        let chan = self.channel_in(&allowed, buffered_only)?;
        let sig = self.sigs[chan.sig].clone();
        let mut args = Vec::new();
        for field in &sig.fields {
            args.push(match *field {
                Field::Scalar(ty) => self.message_value(ty),
                Field::Struct(def) => {
                    self.mark(F::ChanStructField);
                    self.struct_of(def)?
                }
                Field::Chan(inner) => {
                    self.mark(F::ChanOfChan);
                    // A local channel can die with its process while its number is still under way.
                    let local = self.profile.local_chans;
                    if local { self.global_channel_of(inner)? } else { self.channel_of(inner)? }
                }
            });
        }
        if at.atomic && sig.rendezvous {
            self.mark(F::AtomicRendezvous);
        }
        let sorted = !sig.rendezvous && self.chance(20);
        self.mark(if sorted { F::SendSorted } else { F::Send });
        let op = if sorted { "!!" } else { "!" };
        Some(format!("{}{op}{}", self.path(&chan.segs), self.arguments(args)))
    }

    /// A value for a field. A field of one bit is a whole byte in SPIN and keeps what is sent, so unless the
    /// model is about that, only 0 and 1 are sent on it.
    fn message_value(&mut self, ty: Ty) -> String {
        if !matches!(ty, Ty::Bit | Ty::Bool) || self.profile.wide_bits {
            return self.value_of(ty);
        }
        match self.rng.below(5) {
            0 => if self.chance(50) { "true" } else { "false" }.to_string(),
            1 => self.rng.below(2).to_string(),
            2 => format!("!({})", self.cond(1)),
            3 => {
                self.mark(F::OpBits);
                format!("({}) & 1", self.expr(1))
            }
            _ => self.small_comparison(),
        }
    }

    /// `a,b,c` or `a(b,c)`.
    fn arguments(&mut self, args: Vec<String>) -> String {
        let simple = args.first().is_some_and(|a| a.chars().all(|c| c.is_alphanumeric() || c == '_'));
        if args.len() > 1 && simple && self.chance(15) {
            self.mark(F::SendParen);
            return format!("{}({})", args[0], args[1..].join(","));
        }
        args.join(",")
    }

    /// `xs` or `xr` for the one process that uses the exclusive channel's end.
    pub(super) fn exclusive_claim(&mut self, plan: usize) -> Option<Vec<String>> {
        let (sender, receiver) = self.exclusive?;
        let word = if plan == sender {
            "xs"
        } else if plan == receiver {
            "xr"
        } else {
            return None;
        };
        self.mark(F::XrXs);
        Some(vec![format!("{word} only")])
    }

    /// A use of the exclusive channel by the process being written, if it has one of its ends.
    pub(super) fn exclusive_use(&mut self) -> Option<String> {
        let (sender, receiver) = self.exclusive?;
        if self.proc.plan == sender && self.chance(30) {
            return Some(format!("only!{}", self.rng.below(3)));
        }
        if self.proc.plan == receiver && self.chance(30) {
            return Some("only?_".to_string());
        }
        None
    }

    /// A structure variable of this typedef.
    fn struct_of(&mut self, def: usize) -> Option<String> {
        let structs: Vec<_> = self.scope.structs().into_iter().filter(|s| s.def == def).collect();
        let found = self.rng.pick_any(&structs)?.clone();
        Some(self.const_path(&found.segs))
    }

    /// A receive in one of its forms.
    pub(super) fn receive(&mut self, at: At, buffered_only: bool) -> Option<String> {
        let allowed = self.proc.receives.clone();
        let chan = self.channel_in(&allowed, buffered_only)?;
        let sig = self.sigs[chan.sig].clone();
        let take = if sig.rendezvous {
            Take::Head
        } else if self.in_dstep {
            // SPIN writes C that does not compile for a copying receive at the start of a d_step.
            self.rng.weighted(&[(70, Take::Head), (30, Take::Any)])
        } else {
            self.rng.weighted(&[(60, Take::Head), (18, Take::Any), (12, Take::CopyHead), (10, Take::CopyAny)])
        };
        let mut stored: Vec<String> = Vec::new();
        let mut args = Vec::new();
        for field in &sig.fields {
            let copies = matches!(take, Take::CopyHead | Take::CopyAny);
            args.push(self.receive_argument(*field, copies, &mut stored)?);
        }
        // Like the channel's name, an eval may not depend on what the same receive stores.
        for arg in args.iter_mut().filter(|arg| arg.starts_with("eval(")) {
            if stored.iter().any(|name| arg.contains(name.as_str())) {
                *arg = "_".to_string();
            }
        }
        if at.atomic && sig.rendezvous {
            self.mark(F::AtomicRendezvous);
        }
        let (op, close, feature) = match take {
            Take::Head => ("?", "", F::Receive),
            Take::Any => ("??", "", F::ReceiveRandom),
            Take::CopyHead => ("?<", ">", F::ReceiveCopy),
            Take::CopyAny => ("??<", ">", F::ReceiveRandomCopy),
        };
        self.mark(feature);
        let args = self.arguments(args);
        let path = self.unaffected_path(&chan, &stored)?;
        Some(format!("{path}{op}{args}{close}"))
    }

    /// The channel of a receive, named by nothing that the receive stores into: pan takes a step back by
    /// evaluating the name again, and would take the message back into another channel.
    fn unaffected_path(&mut self, chan: &ChanName, stored: &[String]) -> Option<String> {
        if chan.variable && stored.contains(&chan.segs[0].name) {
            return None;
        }
        let path = self.path(&chan.segs);
        let affected = stored.iter().any(|name| path.contains(name.as_str()));
        Some(if affected { self.const_path(&chan.segs) } else { path })
    }

    fn receive_argument(&mut self, field: Field, copies: bool, stored: &mut Vec<String>) -> Option<String> {
        match field {
            Field::Scalar(ty) if self.chance(70) => {
                let target = self.receive_target(ty, copies, stored);
                Some(target.unwrap_or_else(|| self.pattern(field)))
            }
            Field::Scalar(_) => Some(self.pattern(field)),
            Field::Struct(def) => {
                let text = self.struct_of(def)?;
                let base = text.split(['[', '.']).next().unwrap_or_default().to_string();
                if stored.contains(&base) {
                    return None;
                }
                stored.push(base);
                self.mark(F::ChanStructField);
                Some(text)
            }
            Field::Chan(sig) => {
                self.mark(F::ChanOfChan);
                let chans: Vec<ChanName> =
                    self.scope.chans().into_iter().filter(|c| c.sig == sig && c.variable).collect();
                match self.rng.pick_any(&chans).cloned() {
                    Some(chan) if !stored.contains(&chan.segs[0].name) => {
                        stored.push(chan.segs[0].name.clone());
                        Some(chan.segs[0].name.clone())
                    }
                    _ => {
                        self.mark(F::ReceiveAny);
                        Some("_".to_string())
                    }
                }
            }
        }
    }

    /// A variable to receive into, not yet used in this receive. It holds every value of the field, unless
    /// the message stays in the channel: pan takes a step back by putting the variable's value into the
    /// channel again, which changes the message if the variable cut it off.
    fn receive_target(&mut self, ty: Ty, copies: bool, stored: &mut Vec<String>) -> Option<String> {
        let wide = self.profile.wide_bits && matches!(ty, Ty::Bit | Ty::Bool);
        let ty = if wide { Ty::Byte } else { ty };
        let fits = |p: &Place| match (ty, p.ty) {
            (Ty::Mtype(a), Ty::Mtype(b)) => a == b,
            (Ty::Mtype(_), _) | (_, Ty::Mtype(_)) => false,
            (_, Ty::Pid) => false,
            (field, place) => copies || place.holds(field),
        };
        let places: Vec<Place> = self
            .scope
            .places()
            .into_iter()
            .filter(|p| p.writable && fits(p) && !stored.contains(&p.segs[0].name))
            .collect();
        let place = self.rng.pick_any(&places)?.clone();
        stored.push(place.segs[0].name.clone());
        Some(self.const_path(&place.segs))
    }
}
