//! What an observer of the model reads, and so what a visible step writes.

use super::super::access::{self, Access};
use super::super::resources::{Set, channel};
use super::Analysis;

impl<'a> Analysis<'a> {
    /// What an observer reads, and so what a visible step writes.
    pub(super) fn observed(&mut self) -> Set {
        let lowered = self.lowered;
        let mut set = Set::new(self.n_words);
        let mut accesses = Vec::new();
        lowered.propositions.iter().for_each(|e| access::expr(e, &mut |access| accesses.push(access)));
        if lowered.fair {
            // Starts and deaths decide which processes can die.
            set.add(self.resources.processes, false);
        }
        set.add(self.resources.labels, false);
        for access in accesses {
            match access {
                Access::Global { start, end, .. } => {
                    self.resources.globals(start, end, |bit| set.add(bit, false));
                }
                Access::Channel(e, _) => {
                    use channel::{READ_HEAD, READ_RECEIVER, READ_SENDER, READ_TAIL};
                    let all = READ_TAIL | READ_HEAD | READ_SENDER | READ_RECEIVER;
                    let channels = self.points.map(|points| points.channels(0, e));
                    if channels.as_ref().is_none_or(|channels| channels.may_be_static) {
                        let mask = self.known_channels(e);
                        set.add_channels(self.resources.n_plain_words, mask, all);
                    }
                    for (site, ordinal) in channels.unwrap_or_default().parts {
                        let bits = self.resources.site_channel(site, ordinal);
                        bits.iter()
                            .flat_map(|&(tail, head)| [tail, head])
                            .for_each(|bit| set.add(bit, false));
                    }
                }
                Access::Object { place, through, .. } => {
                    let touched = self.points.map(|points| points.touched(0, place, through));
                    let touched = touched.unwrap_or_default();
                    for (start, end) in touched.globals {
                        self.resources.globals(start, end, |bit| set.add(bit, false));
                    }
                    for (site, start, end) in touched.parts {
                        self.resources.part(site, start, end, |bit| set.add(bit, false));
                    }
                }
                Access::Remote { proctype, start, end } => {
                    self.resources.remote(usize::from(proctype.0), start, end, |bit| set.add(bit, false));
                }
                Access::RemotePc { proctype, state } => {
                    self.resources.watched(usize::from(proctype.0), state, |bit| set.add(bit, false));
                }
                Access::Processes => set.add(self.resources.processes, false),
                // The other accesses make every step visible, so no steps are chosen.
                _ => {}
            }
        }
        set
    }
}
