//! Java programs as models: bytecode is interpreted here, on the class library of the user's own JDK, and
//! every interleaving of a program's threads is a run of the model. There is no Java machine underneath.
//!
//! - [`source`] finds class files; [`class`] turns them into classes, methods and operations.
//! - [`vm`] executes them: objects, threads, monitors, exceptions, initialisation.
//! - [`native`] is what the class library leaves to the machine.
//! - [`state`] writes a machine down as a vector, [`model`] makes a [`Program`] a model of the engine,
//!   [`explain`] tells people.
//!
//! ## From class files to steps
//!
//! 1. `source`: where bytes come from: the JDK (`lib/modules`), directories, jar files; `files` has what
//!    programs read, as it was at first; source text for people.
//! 2. `class`: class files (`file` reads them, `source` finds them in directories, jar files and the JDK's
//!    image) become classes, methods and operations (`code`, fewer than JVMS has instructions, decoded when a
//!    method first runs). `registry` is shared by all workers and only grows (`frozen`). Loading is a
//!    function of the class path and not an event of the program; initialisation is one. `maps` says by data
//!    flow what each slot of a frame holds before each operation: a reference, a value, or nothing that will
//!    be read. `subroutine` copies old subroutines to their callers; `verify` refuses code of the program
//!    that the interpreter could not trust.
//! 3. `world`, `vm`: a `World` is a process and the network as it sees it. Each process has its `Machine`,
//!    which executes steps of its threads and knows no other process. What a machine holds is split by how
//!    long it lives: `Process` (objects, threads, clock, output, how it ended: what a state keeps), `Step`
//!    (accesses, events, choices: one step), `Knowledge` (known conflicts, what properties read: one search),
//!    `Caches` (of no consequence). What all workers share is in `Vm`. Beside them: `heap`, `thread`,
//!    `monitor`, `initialize`, `throw`, `invoke`, `call`, `fast` for operations that concern only the frame,
//!    and `execute` for what that loop leaves. `reads` records what a step reads, only while it is explained.
//!    An operation that others can notice says so by `access(Resource, Mode)` before it changes anything;
//!    then the step may end before it. `also` adds what else a visible operation accesses. Everything that is
//!    not determined goes through `Machine::choose`. `clock` is time, as far as a program can see it;
//!    `spurious` lets waits end without a reason. `dynamic` makes methods for call sites (lambdas,
//!    concatenation, records, switches), the same for every thread that links them.
//! 4. `native`: tables of what the class library leaves to the machine, or what is replaced because its own
//!    way leaves traces in states (caches, generated classes). Each entry declares its `Effect`, and gets a
//!    view of the machine that can do no more (`native::effect`): *pure* reads what never changes, *own* also
//!    makes objects, *shared* uses what other threads can reach by methods that say what they access,
//!    *ranges* names ranges of arrays first, and has code that takes its place and goes element by element
//!    once it is seen in conflict (`native::apart`). The machine itself is a private field of the views, so a
//!    native method cannot forget an access. `docs/java-natives.md` is written from the tables. A native
//!    method without an entry is unsupported, by name. `simple` has classes of our own that take the place of
//!    the library's unless `--jdk-locks` is given (`crates/java/library`), with sections that are one
//!    operation (`vm::section`): to acquire a lock is to other threads what entering a monitor is, and a
//!    thread that cannot leaves no trace. `simple::POOL` does the same for the pools that `Executors` makes;
//!    what it cannot do teaches the search to begin again with the library's. `vm::loaders` lets loaders of
//!    the program find classes: which classes a loader gives is part of the state, what a class is like is a
//!    function of its full name (`class::space`), which the registry shares between states. `vm::constraints`
//!    has the loading constraints.
//! 5. `boot`, `program`: the class library is started, the program run once to see which library classes it
//!    uses, and all that is frozen as the **base image**. A `Program` is what differs from there on.
//! 6. `state`: a machine as a vector and back. `reach` describes the heap to `allways_heap`, which numbers
//!    objects in the order in which they are first reached, so that the order of allocation and garbage are
//!    not part of a state, and says which several threads can reach; `incremental` writes down the state
//!    after a step that made no object and stored no reference, most of it copied from the state before.
//!    `parts` cuts vectors for `Collapse`; `form` says what of all this is turned off, for comparison.
//! 7. `model`: `Program` is a `Model`. A step is taken in place and rolled back. Keys are thread and choice.
//! 8. `vm::view` and `conflict`: the reduction, dynamic and by restart. `view` says where a step ends:
//!    operations are out of view, and merged, until they are known to be in conflict, by their place in the
//!    code; `conflict` looks for conflicts between the steps of a state (two additions whose results are
//!    dropped are none: `vm::dropped`). A cursor that finds one ends the expansion with `Halt::Refine`, and
//!    `search::refine` repeats the search with the lesson. The headers of both have the argument why no
//!    conflict is missed. `sleep`: of two orders of steps that commute one is followed. The contract and the
//!    argument that no state is lost are `allways_model::asleep`, for any front end; `Config::sleep` turns it
//!    on, for searches that visit states and look for no cycles.
//! 9. `property`: conditions over fields that people name, as invariants and as propositions of formulas;
//!    what they read is observed, so that a write to it ends a step. `deadlock` finds threads that wait for
//!    each other in a circle, also while others go on, `lock_order` opposite orders of monitors and locks.
//!    `test_class` makes a `main` for a test method of JUnit or TestNG, found by its annotations; `vm::left`
//!    ends the process with `main`.
//! 10. `network` is TCP as a plain value: sockets by process and descriptor, backlog, bytes, resets.
//!     `native::effect::net` has its operations as those of a thread, which end a step; one that takes what
//!     is there for good is an *acquire* and joins the next operation's step. `processes` composes programs:
//!     a `System` is a topology and a `Program` for each process, its vector is `[counts] network process*`,
//!     and its cursor has a `JavaCursor` for each, which works on the vector of its process with the network
//!     behind it. The header of `processes::cursor` has the argument for its reduction. What may fail is a
//!     choice of the operation that notices it (`network::failures`, `native::effect::failures`), or a step
//!     that kills a process (`processes::crash`); such a step is a *last resort*, which lets no thread count
//!     as able to go on. `session/topology_file` reads files that describe processes. `testkit::random_net`
//!     has a reference with a network of its own.
//! 11. `explain`, `end`: moves, variables and threads in words, objects named by the way that leads to them,
//!     through collections and captured variables; how a run ended. `operations` takes a step apart into the
//!     operations that the program takes without reductions, for the tests that compare the two. `inputs`
//!     notes what a program asks its surroundings for, where not every answer is looked at, so that a verdict
//!     can say so.

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
