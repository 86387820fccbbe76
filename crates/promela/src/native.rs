//! Native code: transitions compiled with Cranelift to functions over state vectors.
//!
//! There is one function for each control state of each process type. It tries the ways out of the control
//! state in order, builds every successor at the end of the batch, and goes on inside atomic sequences, so
//! that a call gives all that a process can do. The interpreter in `machine` stays the reference, and does
//! everything unusual: compiled code knows only the way on which nothing goes wrong, and as soon as it meets
//! anything else (a failing assertion, an index out of range, a state in which nothing can happen) it gives
//! the process up, and the interpreter does what that can do from the start. So native code never reports a
//! violation and never decides that there is none.
//!
//! In models with objects, what makes or ends one, and calls and returns, are done by helpers, which run the
//! interpreter's code for them; accesses through pointers are compiled. [`objects`] says how states with
//! objects are built.
//!
//! Compilation runs on a thread of its own and starts when a model turns out not to be tiny; until it is done
//! the interpreter works alone. A test holds the two equal on random models and on every example.

mod channel;
mod channels;
mod code;
mod context;
mod d_step;
mod expression;
mod generator;
mod helpers;
mod linker;
mod objects;
mod runtime;
mod transition;

pub(crate) use runtime::Runtime;

use crate::lower::Lowered;
use code::Code;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The compiled form of a program, once there is one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Native {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    requested: AtomicBool,
    /// The code, if the program can be compiled, and how long that took.
    code: OnceLock<(Option<Arc<Code>>, Duration)>,
}

impl Native {
    /// Has the program compiled by another thread, unless that was done before.
    #[cold]
    pub(crate) fn request(&self, program: &Arc<Lowered>) {
        if !self.shared.requested.swap(true, Ordering::Relaxed) {
            let (native, program) = (self.clone(), Arc::clone(program));
            let compile = move || native.compile(&program);
            // Without another thread the interpreter goes on alone.
            let _ = std::thread::Builder::new().name("compiler".into()).spawn(compile);
        }
    }

    /// Compiles the program now; gives how long it took, if it can be compiled.
    pub(crate) fn compile(&self, program: &Arc<Lowered>) -> Option<Duration> {
        self.shared.requested.store(true, Ordering::Relaxed);
        let (code, took) = self.shared.code.get_or_init(|| {
            let start = Instant::now();
            (Code::new(program).map(Arc::new), start.elapsed())
        });
        code.as_ref().map(|_| *took)
    }

    /// A worker's side of the code, if it is ready.
    #[inline]
    pub(crate) fn runtime(&self) -> Option<Box<Runtime>> {
        let (code, _) = self.shared.code.get()?;
        code.as_ref().map(Runtime::new)
    }
}
