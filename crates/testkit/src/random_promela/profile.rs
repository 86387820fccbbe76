//! What one model may contain: a random subset of the language and a size.
//!
//! Drawing a subset first gives models in which few features meet in many ways, which finds more mistakes
//! than a little of everything does (swarm testing: Groce et al., ISSTA 2012). The profile also keeps
//! features apart that SPIN refuses together: priorities and `enabled` never meet rendezvous channels.

use super::Mode;
use super::rng::Rng;

/// How large a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Size {
    Tiny,
    Small,
    Medium,
    Large,
}

/// The features that are switched on, and the weights of the statements.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    pub size: Size,
    pub hostile: bool,
    pub buffered: bool,
    pub rendezvous: bool,
    pub chan_of_chan: bool,
    pub chan_arrays: bool,
    pub local_chans: bool,
    pub typedefs: bool,
    pub mtypes: bool,
    pub arrays: bool,
    pub wide_types: bool,
    pub hidden: bool,
    pub macros: bool,
    pub inlines: bool,
    pub init: bool,
    pub dynamic: bool,
    pub provided: bool,
    pub priorities: bool,
    pub enabled: bool,
    pub remote: bool,
    pub last: bool,
    pub timeout: bool,
    pub trace: bool,
    pub claim: bool,
    pub reused_names: bool,
    pub inner_decls: bool,
    pub failing_asserts: bool,
    pub labels: bool,
    pub polls: bool,
    /// Fields of one bit are sent larger values.
    pub wide_bits: bool,
    pub exclusive: bool,
    /// Weight of each kind of compound statement.
    pub w_if: u32,
    pub w_do: u32,
    pub w_for: u32,
    pub w_goto: u32,
    pub w_atomic: u32,
    pub w_dstep: u32,
    pub w_unless: u32,
    pub w_io: u32,
}

impl Profile {
    /// Draws a profile.
    pub(super) fn draw(rng: &mut Rng, mode: Mode) -> Self {
        let size = rng.weighted(&[(9, Size::Tiny), (30, Size::Small), (35, Size::Medium), (20, Size::Large)]);
        let rendezvous = rng.chance(40);
        let mut weight = |often: u32| if rng.chance(often) { rng.range(2, 12) } else { 0 };
        let (w_if, w_do, w_for, w_goto) = (weight(75), weight(70), weight(45), weight(45));
        let (w_atomic, w_dstep, w_unless, w_io) = (weight(55), weight(45), weight(40), weight(85) * 2);
        Profile {
            size,
            hostile: mode == Mode::Hostile,
            buffered: !rendezvous || rng.chance(60),
            rendezvous,
            chan_of_chan: rng.chance(25),
            chan_arrays: rng.chance(30),
            local_chans: rng.chance(20),
            typedefs: rng.chance(45),
            mtypes: rng.chance(50),
            arrays: rng.chance(55),
            wide_types: rng.chance(40),
            hidden: rng.chance(20),
            macros: rng.chance(45),
            inlines: rng.chance(45),
            init: rng.chance(50),
            dynamic: rng.chance(40),
            provided: rng.chance(25),
            priorities: !rendezvous && rng.chance(25),
            enabled: !rendezvous && rng.chance(25),
            remote: rng.chance(30),
            last: rng.chance(15),
            timeout: rng.chance(40),
            trace: rng.chance(25),
            claim: rng.chance(8),
            reused_names: rng.chance(50),
            inner_decls: rng.chance(55),
            failing_asserts: rng.chance(35),
            labels: rng.chance(60),
            polls: rng.chance(60),
            wide_bits: rng.chance(15),
            exclusive: rng.chance(8),
            w_if,
            w_do,
            w_for,
            w_goto,
            w_atomic,
            w_dstep,
            w_unless,
            w_io,
        }
    }

    /// Whether processes only ever have one way to go on.
    pub(super) fn without_choices(&self) -> bool {
        self.w_if + self.w_do + self.w_for + self.w_unless == 0
    }

    /// Whether the model has any channels.
    pub(super) fn channels(&self) -> bool {
        self.w_io > 0 && (self.buffered || self.rendezvous)
    }
}
