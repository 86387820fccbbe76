//! The collapse store: lossless; parts of vectors are kept once, and a state is the list of its parts.
//!
//! A vector is cut into parts where the model says (a process, a channel, the globals). Each distinct part
//! has a number in an exact store of parts. The numbers of a vector's parts, each in as few bytes as the
//! largest of them needs, form a short vector, which represents the state in a second exact store. This is
//! SPIN's COLLAPSE (Holzmann, "State compression in SPIN", SPIN 1997), and how Java PathFinder stored states
//! in 2001 (Lerda and Visser, "Addressing dynamic issues of program model checking", SPIN 2001).
//!
//! It is incremental: parts in which a successor equals its source state are not looked up.
//!
//! Invariant: a vector is always cut in the same way, so equal states have equal lists. The parts of a list,
//! concatenated, are the vector, so unequal states have unequal lists.

use crate::{Budget, Exact, ExactWriter, Full, Holding, Recall, Seen, StateRef, Store, Writer};
use allways_model::{Batch, Partition, StepKey};

/// A lossless, concurrent set of vectors that share whole parts.
pub struct Collapse<'m> {
    parts: Exact,
    states: Exact,
    partition: Box<dyn Fn() -> Partition<'m> + Sync + 'm>,
}

impl<'m> Collapse<'m> {
    /// An empty store that charges `budget`, for up to `workers` concurrent writers. `partition` is called
    /// once for each writer.
    ///
    /// # Panics
    /// If there is no worker.
    #[must_use]
    pub fn new(budget: &Budget, workers: usize, partition: impl Fn() -> Partition<'m> + Sync + 'm) -> Self {
        let partition = Box::new(partition);
        Self { parts: Exact::new(budget, workers), states: Exact::new(budget, workers), partition }
    }
}

/// Assembles a state from its parts.
fn put_together(stores: (&Exact, &Exact), state: StateRef, out: &mut Whole) {
    let (parts, states) = stores;
    let (list, mut none) = (states.fetch(state, &mut out.buffer), Vec::new());
    out.vector.clear();
    out.ends.clear();
    out.numbers.clear();
    for number in numbers(list) {
        let part = StateRef::from_raw(number).expect("no number is zero");
        out.vector.extend_from_slice(parts.fetch(part, &mut none));
        out.ends.push(out.vector.len());
        out.numbers.push(number);
    }
}

/// Appends a list of numbers, none of which is zero, to `out`: first the width of a number in bytes, last
/// zeros as padding.
fn write_list(list: &[u32], out: &mut Vec<u8>) {
    let largest = list.iter().copied().max().unwrap_or(0);
    let width = (4 - largest.leading_zeros() / 8).max(1) as usize;
    out.push(width as u8);
    for number in list {
        out.extend_from_slice(&number.to_le_bytes()[..width]);
    }
    out.resize(out.len().next_multiple_of(4), 0);
}

/// The numbers of a list that [`write_list`] has written.
fn numbers(list: &[u8]) -> impl Iterator<Item = u32> {
    let (width, numbers) = (usize::from(list[0]), &list[1..]);
    let read = move |bytes: &[u8]| {
        let mut number = [0; 4];
        number[..width].copy_from_slice(bytes);
        u32::from_le_bytes(number)
    };
    numbers.chunks_exact(width).map(read).take_while(|&number| number != 0)
}

impl Store for Collapse<'_> {
    type Writer<'s>
        = CollapseWriter<'s>
    where
        Self: 's;

    fn writer(&self) -> CollapseWriter<'_> {
        let (parts, states) = (self.parts.writer(), self.states.writer());
        let stores = (&self.parts, &self.states);
        CollapseWriter { stores, parts, states, partition: (self.partition)(), scratch: Scratch::default() }
    }

    fn n_states(&self) -> u64 {
        self.states.n_states()
    }

    fn bytes(&self) -> u64 {
        self.parts.bytes() + self.states.bytes()
    }

    fn holdings(&self) -> Vec<Holding> {
        let names = ["table of parts", "parts", "table of states", "states"];
        let holdings = self.parts.holdings().into_iter().chain(self.states.holdings());
        holdings.zip(names).map(|(holding, name)| Holding { name, ..holding }).collect()
    }

    fn budget(&self) -> &Budget {
        self.states.budget()
    }
}

impl Recall for Collapse<'_> {
    fn fetch<'a>(&'a self, state: StateRef, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        let mut whole = Whole::default();
        put_together((&self.parts, &self.states), state, &mut whole);
        *buffer = whole.vector;
        buffer
    }

    fn prefetch(&self, state: StateRef) {
        self.states.prefetch(state);
    }
}

/// A vector with its parts.
#[derive(Default)]
struct Whole {
    vector: Vec<u8>,
    ends: Vec<usize>,
    numbers: Vec<u32>,
    buffer: Vec<u8>,
}

/// The reused buffers of a writer.
#[derive(Default)]
struct Scratch {
    /// The states opened since the last insertion. Further elements are left from earlier insertions and
    /// reused.
    opened: Vec<Whole>,
    /// For each state opened since the last insertion: the index of its first entry.
    starts: Vec<usize>,
    ends: Vec<usize>,
    /// The numbers of the parts of all entries; zero for parts that must be looked up.
    numbers: Vec<u32>,
    /// For each entry: the end of its numbers in `numbers`, and of its parts in `part_batch`.
    entries: Vec<(usize, usize)>,
    part_batch: Batch,
    part_seen: Vec<Seen>,
    list: Vec<u8>,
    state_batch: Batch,
}

/// One worker's access to a [`Collapse`] store.
pub struct CollapseWriter<'s> {
    /// The store of parts, and that of states.
    stores: (&'s Exact, &'s Exact),
    parts: ExactWriter<'s>,
    states: ExactWriter<'s>,
    partition: Partition<'s>,
    scratch: Scratch,
}

impl CollapseWriter<'_> {
    /// Cuts the vectors of a batch into parts. Puts the parts that an entry does not share with its source
    /// state into `part_batch`, to be looked up.
    fn cut(&mut self, batch: &Batch) {
        let Scratch { opened, starts, ends, numbers, entries, part_batch, .. } = &mut self.scratch;
        numbers.clear();
        entries.clear();
        part_batch.clear();
        let mut n_sources = 0;
        for idx in 0..batch.len() {
            while starts.get(n_sources).is_some_and(|&start| start <= idx) {
                n_sources += 1;
            }
            let source = n_sources.checked_sub(1).map(|source| &opened[source]);
            let vector = batch.vector(idx);
            ends.clear();
            (self.partition)(vector, ends);
            let mut start = 0;
            for (place, &end) in ends.iter().enumerate() {
                let part = &vector[start..end];
                let known = source.filter(|source| {
                    let source_start = place.checked_sub(1).map_or(Some(0), |p| source.ends.get(p).copied());
                    source_start == Some(start)
                        && source.ends.get(place) == Some(&end)
                        && source.vector[start..end] == *part
                });
                if known.is_none() {
                    part_batch.push(StepKey(0), part);
                }
                numbers.push(known.map_or(0, |source| source.numbers[place]));
                start = end;
            }
            entries.push((numbers.len(), part_batch.len()));
        }
        starts.clear();
    }
}

impl Writer for CollapseWriter<'_> {
    fn open(&mut self, state: StateRef, n_entries: usize) -> &[u8] {
        let Scratch { opened, starts, .. } = &mut self.scratch;
        let place = starts.len();
        if opened.len() <= place {
            opened.push(Whole::default());
        }
        starts.push(n_entries);
        put_together(self.stores, state, &mut opened[place]);
        &opened[place].vector
    }

    fn insert(&mut self, batch: &mut Batch, seen: &mut Vec<Seen>) -> Result<(), Full> {
        seen.clear();
        self.cut(batch);
        let Scratch { numbers, entries, part_batch, part_seen, list, state_batch, .. } = &mut self.scratch;
        let parts_stored = self.parts.insert(part_batch, part_seen);
        let mut found = part_seen.iter().map(|seen| seen.state.raw());
        state_batch.clear();
        let mut start = 0;
        for &(end, n_parts) in entries.iter() {
            if n_parts > part_seen.len() {
                // Memory ran out before all its parts were inserted.
                break;
            }
            for number in numbers[start..end].iter_mut().filter(|number| **number == 0) {
                *number = found.next().expect("every part that was looked up has an answer");
            }
            list.clear();
            write_list(&numbers[start..end], list);
            state_batch.push(StepKey(0), list);
            start = end;
        }
        self.states.insert(state_batch, seen)?;
        parts_stored
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_numbers_read_back() {
        for largest in [1, 255, 256, 65_535, 65_536, 1 << 24, u32::MAX] {
            for len in 0..9 {
                let list: Vec<u32> = (0..len).map(|idx| if idx % 3 == 0 { largest } else { idx }).collect();
                let mut bytes = Vec::new();
                write_list(&list, &mut bytes);
                assert_eq!(bytes.len() % 4, 0);
                assert_eq!(numbers(&bytes).collect::<Vec<_>>(), list);
            }
        }
    }
}
