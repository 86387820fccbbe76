//! Numbers what processes can share, one bit for each resource; and sets of resources with their uses.
//!
//! A global is one bit; an array has one bit for each element that is distinguished anywhere. A channel has
//! four bits, in four words with a bit for each channel: its tail (used by senders), its head (used by
//! receivers), and the claims of either end by `xs` or `xr`. Channels from the 64th on share a bit. Two sets
//! conflict if one writes what the other writes or reads.
//!
//! A send to a buffered channel writes the tail and a receive writes the head, so the two do not conflict:
//! where both are possible, they commute. That a send *waits* until a full channel is received from (and a
//! receive until an empty one is sent to) is a read of the other end, added only where it matters. A
//! rendezvous writes both ends.
//!
//! In a model with objects, each part of a shared site (`points_to`) that is distinguished anywhere is a bit,
//! the same one in all objects of the site and in all elements of an array. Each channel of a site has two
//! bits, its tail and its head. The parts of a site that is not shared have no bits. `delete` and the end of
//! a scope write all bits of their sites, so they depend on every access to what they end. `new` touches only
//! the pointer that it sets: no process can touch an object that does not exist yet, and states do not record
//! the order in which objects were made.

use super::access::{self, Access, Output, bodies};
use super::points_to::PointsTo;
use super::shared::SharedFacts;
use crate::ir::Pc;
use crate::lower::Lowered;

/// Means that there is no bit.
pub(super) const NONE: u16 = u16::MAX;
/// An array with more elements than this is one bit.
const MAX_ELEMENTS: u32 = 128;
/// With more parts of sites than this, each site is one part.
const MAX_PARTS: usize = 1024;

/// How a channel is used: bits of a byte.
pub(super) mod channel {
    pub(crate) const WRITE_TAIL: u8 = 1;
    pub(crate) const WRITE_HEAD: u8 = 1 << 1;
    pub(crate) const WRITE_SENDER: u8 = 1 << 2;
    pub(crate) const WRITE_RECEIVER: u8 = 1 << 3;
    pub(crate) const READ_TAIL: u8 = 1 << 4;
    pub(crate) const READ_HEAD: u8 = 1 << 5;
    pub(crate) const READ_SENDER: u8 = 1 << 6;
    pub(crate) const READ_RECEIVER: u8 = 1 << 7;
    /// How a use of a rendezvous channel counts.
    pub(crate) const MEETING: u8 = WRITE_TAIL | WRITE_HEAD;
    /// The number of words of a set that are about channels.
    pub(crate) const N_WORDS: usize = 4;
}

/// The bit of each resource.
#[derive(Debug)]
pub(super) struct Resources {
    /// The bit of each byte of the globals.
    pub(super) bit_of: Vec<u16>,
    remote: Vec<(usize, u32, u32, u16)>,
    watched: Vec<(usize, Pc, u16)>,
    /// The bit for the number of processes, and for which exist.
    pub(super) processes: u16,
    /// The state of an event trace.
    pub(super) trace: u16,
    /// The bit for the labels at which processes are, as far as an observer sees them.
    pub(super) labels: u16,
    /// The bits of each site; empty for one that is not shared.
    sites: Vec<SiteBits>,
    /// The number of words of a set before those about channels.
    pub(super) n_plain_words: usize,
}

/// The bits of a site.
#[derive(Debug, Default)]
struct SiteBits {
    /// The bit of each byte of an element.
    bit_of: Vec<u16>,
    /// The bits of the tail and the head of each channel of an element.
    channels: Vec<(u16, u16)>,
}

impl Resources {
    pub(super) fn new(lowered: &Lowered, shared: &SharedFacts, points: Option<&PointsTo<'_>>) -> Self {
        let size = lowered.globals_size as usize;
        let mut cut = vec![false; size + 1];
        let mut used = vec![false; size];
        let mut remote = Vec::new();
        let mut watched = Vec::new();
        let mut note = |access: Access<'_>| match access {
            Access::Global { start, end, place, .. } if !shared.is_scratch(start, end) => {
                cut[start as usize] = true;
                cut[end as usize] = true;
                used[start as usize..end as usize].fill(true);
                if let Some(place) = place {
                    cut_elements(place, &mut cut);
                }
            }
            Access::Remote { proctype, start, end } => {
                remote.push((usize::from(proctype.0), start, end, NONE))
            }
            Access::RemotePc { proctype, state } => watched.push((usize::from(proctype.0), state, NONE)),
            _ => {}
        };
        for proctype in bodies(lowered) {
            for idx in 0..proctype.statements.len() {
                access::statement(proctype, idx as u32, &mut note, Output::DoesNotCount);
            }
            proctype.provided.iter().for_each(|e| access::expr(e, &mut note));
            for step in proctype.setup.iter().chain(proctype.scopes.iter().flat_map(|scope| &scope.setup)) {
                if let crate::ir::Setup::Assign(_, e) = step {
                    access::expr(e, &mut note);
                }
            }
        }
        lowered.propositions.iter().for_each(|e| access::expr(e, &mut note));
        let parts = points.map_or_else(PointerParts::default, |points| PointerParts::of(lowered, points));
        for &(start, end) in &parts.globals {
            cut[start as usize] = true;
            cut[end as usize] = true;
            used[start as usize..end as usize].fill(true);
        }
        let mut n_bits = 0;
        let mut next = || {
            n_bits += 1;
            n_bits - 1
        };
        let (processes, trace) = (next(), next());
        let mut bit_of = vec![NONE; size];
        let mut bit = NONE;
        for at in 0..size {
            if cut[at] {
                bit = NONE;
            }
            if used[at] && bit == NONE {
                bit = next();
            }
            bit_of[at] = if used[at] { bit } else { NONE };
        }
        remote.iter_mut().for_each(|(.., bit)| *bit = next());
        watched.iter_mut().for_each(|(.., bit)| *bit = next());
        // Only an observer reads this bit, so it need not distinguish labels.
        let labels = next();
        watched.extend(shared.labels.iter().map(|&(ty, pc)| (ty, pc, labels)));
        let sites = parts.number(&mut next);
        let n_plain_words = usize::from(n_bits).div_ceil(64);
        Self { bit_of, remote, watched, processes, trace, labels, sites, n_plain_words }
    }

    /// Calls `found` with every bit of a part of a site's elements.
    pub(super) fn part(&self, site: u16, start: u32, end: u32, mut found: impl FnMut(u16)) {
        let bits = &self.sites[usize::from(site)].bit_of;
        let end = bits.len().min(end as usize);
        let mut last = NONE;
        for &bit in &bits[(start as usize).min(end)..end] {
            if bit != NONE && bit != last {
                found(bit);
                last = bit;
            }
        }
    }

    /// Calls `found` with every bit of a site.
    pub(super) fn whole_site(&self, site: u16, mut found: impl FnMut(u16)) {
        self.part(site, 0, u32::MAX, &mut found);
        self.sites[usize::from(site)].channels.iter().flat_map(|&(tail, head)| [tail, head]).for_each(found);
    }

    /// The bits of the tail and the head of a channel of a site, if it is shared.
    pub(super) fn site_channel(&self, site: u16, ordinal: u16) -> Option<(u16, u16)> {
        self.sites[usize::from(site)].channels.get(usize::from(ordinal)).copied()
    }

    /// Calls `found` with every bit of a range of the globals.
    pub(super) fn globals(&self, start: u32, end: u32, mut found: impl FnMut(u16)) {
        let mut last = NONE;
        for &bit in &self.bit_of[start as usize..end as usize] {
            if bit != NONE && bit != last {
                found(bit);
                last = bit;
            }
        }
    }

    /// Calls `found` with every bit that represents any of these bytes of a record.
    pub(super) fn remote(&self, proctype: usize, start: u32, end: u32, mut found: impl FnMut(u16)) {
        for &(ty, from, to, bit) in &self.remote {
            if ty == proctype && from < end && start < to {
                found(bit);
            }
        }
    }

    /// Calls `found` with every bit that represents being in a control state.
    pub(super) fn watched(&self, proctype: usize, pc: Pc, mut found: impl FnMut(u16)) {
        for &(ty, state, bit) in &self.watched {
            if ty == proctype && state == pc {
                found(bit);
            }
        }
    }
}

/// The parts that are touched through pointers.
#[derive(Debug, Default)]
struct PointerParts {
    globals: Vec<(u32, u32)>,
    /// For each site, where parts begin or end, and the number of channels of its elements; `None` if it is
    /// not shared.
    sites: Vec<Option<(Vec<bool>, usize)>>,
}

impl PointerParts {
    fn of(lowered: &Lowered, points: &PointsTo<'_>) -> Self {
        let Some(dynamic) = &lowered.dynamic else { return Self::default() };
        let cuts = |site: &super::points_to::Site| {
            let object = dynamic.object(site.object);
            site.shared.then(|| (vec![false; object.size as usize + 1], object.channels.len()))
        };
        let mut parts = Self { globals: Vec::new(), sites: points.sites.iter().map(cuts).collect() };
        let mut note = |code: usize, access: &Access<'_>| {
            let Access::Object { place, through, .. } = access else { return };
            let touched = points.touched(code, place, through);
            parts.globals.extend(touched.globals);
            for (site, start, end) in touched.parts {
                if let Some((cuts, _)) = &mut parts.sites[usize::from(site)] {
                    (cuts[start as usize], cuts[end as usize]) = (true, true);
                }
            }
        };
        for (code, body) in bodies(lowered).enumerate() {
            let mut note = |access: Access<'_>| note(code, &access);
            for idx in 0..body.statements.len() {
                access::statement(body, idx as u32, &mut note, Output::DoesNotCount);
            }
            body.provided.iter().for_each(|e| access::expr(e, &mut note));
            access::setup(&body.setup, &mut note);
            body.scopes.iter().for_each(|scope| access::setup(&scope.setup, &mut note));
        }
        lowered.propositions.iter().for_each(|e| access::expr(e, &mut |access| note(0, &access)));
        parts
    }

    /// Gives each part a bit.
    fn number(self, next: &mut impl FnMut() -> u16) -> Vec<SiteBits> {
        let cuts = self.sites.iter().flatten().flat_map(|(cuts, _)| cuts);
        let is_fine = cuts.filter(|&&cut| cut).count() <= MAX_PARTS;
        let number_one = |site: Option<(Vec<bool>, usize)>| {
            let Some((cuts, n_channels)) = site else { return SiteBits::default() };
            let mut bit = next();
            let mut bit_of = Vec::new();
            for (at, &cut) in cuts[..cuts.len() - 1].iter().enumerate() {
                if at > 0 && cut && is_fine {
                    bit = next();
                }
                bit_of.push(bit);
            }
            SiteBits { bit_of, channels: (0..n_channels).map(|_| (next(), next())).collect() }
        };
        self.sites.into_iter().map(number_one).collect()
    }
}

/// Distinguishes the elements of an array.
fn cut_elements(place: &crate::ir::ScalarPlace, cut: &mut [bool]) {
    let n_elements = place.indices.iter().fold(1u32, |n, index| n.saturating_mul(index.bound));
    if n_elements > MAX_ELEMENTS {
        return;
    }
    for mut element in 0..n_elements {
        let mut at = place.offset;
        for index in place.indices.iter().rev() {
            at += element % index.bound * index.stride;
            element /= index.bound;
        }
        cut[at as usize] = true;
        cut[(at + place.scalar.size()) as usize] = true;
    }
}

/// How each resource is used: the words of those written, then those of all that are touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Set(pub(super) Vec<u64>);

impl Set {
    pub(super) fn new(n_words: usize) -> Self {
        Self(vec![0; 2 * n_words])
    }

    pub(super) fn add(&mut self, bit: u16, write: bool) {
        add(&mut self.0, bit, write);
    }

    pub(super) fn add_channels(&mut self, first_word: usize, mask: u64, how: u8) {
        add_channels(&mut self.0, first_word, mask, how);
    }

    pub(super) fn extend(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            changed |= more & !*word != 0;
            *word |= more;
        }
        changed
    }
}

/// Adds one resource to a set.
#[inline]
pub(super) fn add(set: &mut [u64], bit: u16, write: bool) {
    let half = set.len() / 2;
    let (word, bit) = (usize::from(bit) / 64, 1 << (bit % 64));
    set[half + word] |= bit;
    if write {
        set[word] |= bit;
    }
}

/// Adds channels to a set.
#[inline]
pub(super) fn add_channels(set: &mut [u64], first_word: usize, mask: u64, how: u8) {
    let half = set.len() / 2;
    let touched = how | how >> 4;
    for end in 0..channel::N_WORDS {
        if touched >> end & 1 == 1 {
            set[half + first_word + end] |= mask;
        }
        if how >> end & 1 == 1 {
            set[first_word + end] |= mask;
        }
    }
}

/// Whether one set writes what the other touches.
#[inline]
pub(super) fn conflict(a: &[u64], b: &[u64]) -> bool {
    let (a_writes, a_touches) = a.split_at(a.len() / 2);
    let (b_writes, b_touches) = b.split_at(b.len() / 2);
    let mut met = 0;
    for word in 0..a_writes.len() {
        met |= a_writes[word] & b_touches[word] | a_touches[word] & b_writes[word];
    }
    met != 0
}
