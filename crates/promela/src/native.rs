//! Native code: transitions compiled with Cranelift to functions over state vectors.
//!
//! There is one function for each control state of each process type. It tries the transitions in order,
//! builds every successor at the end of the batch, and continues inside atomic sequences, so that one call
//! gives all steps of a process. The interpreter in `machine` remains the reference and handles every unusual
//! case: compiled code knows only the path on which nothing goes wrong. As soon as it meets anything else (a
//! failing assertion, an index out of range, a state in which no step is possible), it gives the process up,
//! and the interpreter executes that process from the start. So native code never reports a violation and
//! never decides that there is none.
//!
//! In models with objects, statements that make or end an object, calls and returns are executed by helpers,
//! which run the interpreter's code for them; accesses through pointers are compiled. [`objects`] describes
//! how states with objects are built.
//!
//! Compilation runs on its own thread and starts when a model turns out not to be tiny; until it is finished,
//! the interpreter works alone. A test compares the two on random models and on every example.

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
    shared: Arc<CodeCell>,
}

#[derive(Debug, Default)]
struct CodeCell {
    requested: AtomicBool,
    /// The code, if the program can be compiled, and how long that took.
    code: OnceLock<(Option<Arc<Code>>, Duration)>,
}

impl Native {
    /// Compiles the program on another thread, unless that was started before.
    #[cold]
    pub(crate) fn request(&self, program: &Arc<Lowered>) {
        if !self.shared.requested.swap(true, Ordering::Relaxed) {
            let (native, program) = (self.clone(), Arc::clone(program));
            let compile = move || native.compile(&program);
            // If no thread can be started, the interpreter continues alone.
            let _ = std::thread::Builder::new().name("compiler".into()).spawn(compile);
        }
    }

    /// Compiles the program now. Returns how long it took, if the program can be compiled.
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
