//! What a native method may do to what other threads can see: declared in its table entry, and kept by the
//! type of what it gets.
//!
//! Forgetting to say what an operation accesses is the worst mistake there is: a search then says `holds`
//! although it has left runs out. So a native method does not get the machine. It gets a view of it, by its
//! effect:
//!
//! - [`Effect::Pure`]: a [`PureView`]. It reads its arguments, classes, and what of objects never changes.
//!   Nothing that it can read depends on when it runs.
//! - [`Effect::Own`]: an [`OwnView`]. It may also make objects, and use what only the running thread can
//!   have: the objects it has just made, the frames, the choices of the step.
//! - [`Effect::Shared`]: a [`SharedView`]. It may also read and write what other threads can reach; each way
//!   of doing so says so by `Machine::access` or `Machine::also` itself.
//! - [`Effect::Ranges`]: a first part that says which ranges of arrays are read and written, with a
//!   [`PureView`], and a second one that reads and writes these ranges and nothing else, with a
//!   [`RangesView`]. A third one takes the operation apart (see [`Apart`]).
//!
//! The machine is a private field of the views, so no table can get at it.
//!
//! So this is a type error, since a method that is declared as pure has no way to read a field:
//!
//! ```compile_fail,E0599
//! use allways_java::native::{Answer, Effect};
//!
//! const READS: Effect = Effect::Pure(|m, args| Ok(Answer::Word(m.read(args[0] as u32, 0)?)));
//! ```
//!
//! and this is not, since reading a field of what may be shared is an access:
//!
//! ```
//! use allways_java::native::{Answer, Effect};
//!
//! const READS: Effect = Effect::Shared(|m, args| Ok(Answer::Word(m.read(args[0] as u32, 0)?)));
//! assert_eq!(READS.name(), "shared");
//! ```
//!
//! A native method is one operation: it may be begun again from the start, so it says what it accesses before
//! it changes anything, all of it at once. One on ranges is that only as long as no other thread can notice:
//! where its context is in view of others and it accesses more than one element that they can reach, it does
//! nothing itself, and code that goes from element to element takes its place. What it accesses as a whole
//! out of view is in conflict as soon as any of its elements would be, so that context comes into view in
//! time. A [`Effect::Shared`] method that reads the elements of an array is begun again with a copy of the
//! array where another thread could notice: the copy is made element by element.

mod blocks;
mod failures;
mod fixed;
mod loaders;
mod net;
mod own;
mod pure;
mod ranges;
mod shared;
mod threads;
mod told;
mod variable;

pub use super::apart::Apart;
pub(crate) use failures::failure_in_words;
pub use fixed::Fixed;
pub(crate) use net::SOCKET;
pub use own::{Fresh, OwnView};
pub use pure::PureView;
pub use ranges::{Plan, Range, Ranges, RangesView};
pub use shared::{FieldValue, SharedView, Trace, Value};
pub use threads::Stack;
pub use variable::{Variable, VariableMode};

use super::{Answer, apart};
use crate::class::Method;
use crate::vm::machine::{Exec, Machine, Trap};
use std::fmt;

/// What a native method does, and with what view of the machine.
#[derive(Clone, Copy)]
pub enum Effect {
    /// It depends on its arguments and on what never changes.
    Pure(fn(&mut PureView<'_, '_>, &[u64]) -> Exec<Answer>),
    /// It also makes objects, or depends on the running thread.
    Own(fn(&mut OwnView<'_, '_>, &[u64]) -> Exec<Answer>),
    /// It reads or writes what other threads can reach.
    Shared(fn(&mut SharedView<'_, '_>, &[u64]) -> Exec<Answer>),
    /// It reads and writes ranges of arrays, which it names first. What is never taken apart reads only what
    /// no thread can write any more.
    Ranges(
        fn(&mut PureView<'_, '_>, &[u64]) -> Exec<Plan>,
        fn(&mut RangesView<'_, '_>, &[u64]) -> Exec<Answer>,
        Option<Apart>,
    ),
}

impl Effect {
    /// The effect in a word, for people.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Pure(_) => "pure",
            Self::Own(_) => "own",
            Self::Shared(_) => "shared",
            Self::Ranges(..) => "ranges",
        }
    }

    /// Executes the native method: its arguments are slots, the receiver first; values of two slots are
    /// followed by a slot without meaning.
    #[inline]
    pub(crate) fn execute(self, machine: &mut Machine<'_>, method: &Method, args: &[u64]) -> Exec<Answer> {
        match self {
            Self::Pure(body) => body(&mut PureView::new(machine), args),
            Self::Own(body) => body(&mut OwnView::new(machine), args),
            Self::Shared(body) => {
                #[cfg(debug_assertions)]
                let before = machine.step.accesses.len();
                let done = body(&mut SharedView::new(machine), args);
                #[cfg(debug_assertions)]
                super::several::check(&machine.step.accesses[before..], || {
                    machine.vm.classes.method_name(method)
                });
                match done {
                    Err(Trap::Apart(array, order)) => {
                        apart::copy_first(&mut OwnView::new(machine), method, (array, order), args)
                    }
                    done => done,
                }
            }
            Self::Ranges(plan, body, apart) => match plan(&mut PureView::new(machine), args)? {
                Plan::Answer(answer) => Ok(answer),
                Plan::Ranges(ranges) => match apart {
                    Some(apart) if ranges.are_taken_apart(machine) => {
                        machine.begin_parts()?;
                        apart(&mut OwnView::new(machine), args)
                    }
                    _ => body(&mut RangesView::begin(machine, ranges)?, args),
                },
            },
        }
    }
}

impl fmt::Debug for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
