//! Java programs as models: bytecode is interpreted here, on the class library of the user's own JDK, and
//! every interleaving of a program's threads is a run of the model. There is no Java machine underneath.
//!
//! - [`source`] finds class files; [`class`] turns them into classes, methods and operations.
//! - [`vm`] executes them: objects, threads, monitors, exceptions, initialisation.
//! - [`native`] is what the class library leaves to the machine.
//! - [`state`] writes a machine down as a vector, [`model`] makes a [`Program`] a model of the engine, [`explain`] tells people.

pub mod api;
pub mod boot;
pub mod class;
pub(crate) mod conflict;
mod deadlock;
pub mod end;
pub mod error;
pub mod explain;
pub mod frozen;
pub mod gap;
pub mod inputs;
mod lock_order;
pub mod model;
pub mod native;
mod network;
pub mod numbered;
pub mod options;
pub mod processes;
pub mod program;
mod property;
pub mod race;
mod rules;
pub mod simple;
mod sleep;
pub mod source;
pub mod state;
pub mod test_class;
pub mod vm;
mod world;

pub use allways_heap::Collect;
pub use error::Error;
pub use network::failures::{Failures, Kind as FailureKind};
pub use processes::topology::{Topology, TopologyError};
pub use program::{Program, Setup};
pub use property::PropertyError;
pub use source::path::ClassPath;
pub use state::form::Form;
pub use vm::spurious::UnguardedWait;
pub use vm::{Options, Statuses};
