//! One session between the engine and people: models are named, loaded, searched, refined and shown here.
//!
//! A [`Request`] says what to check; [`Session::open`] loads it. A session has an identity, its
//! [`Spec`](allways_model::Spec): what is checked, complete, as data with a cryptographic digest.
//! [`Session::check`] searches by a [`Plan`] and gives a [`Checked`] result, whose counterexamples were
//! replayed; a [`Watch`] has observers of the search. [`Session::replay`] and [`Session::successors`]
//! follow runs, with the values that the program really has.
//!
//! This is the only crate that joins front ends, products, searches, stores and limits. It knows no terminal
//! and no exit codes, and writes no files.
//!
//! ```
//! use allways_session::{Plan, Request, Session, Verdict, Watch};
//!
//! let file = std::env::temp_dir().join("mutual-exclusion-doc.pml");
//! std::fs::write(&file, "
//!     bit lock; byte inside;
//!     active [2] proctype user() {
//!         atomic { lock == 0; lock = 1 }
//!         inside++; assert(inside == 1); inside--;
//!         lock = 0
//!     }").unwrap();
//! let session = Session::open(Request::new(&file)).unwrap();
//! let checked = session.check(&Plan::default(), &Watch::default()).unwrap();
//! assert_eq!(checked.check.verdict, Verdict::Holds);
//! assert!(session.spec().unwrap().to_text().contains("file mutual-exclusion-doc.pml "));
//! ```

mod automaton;
mod certificate;
mod check;
mod error;
mod graph;
mod identity;
mod java;
mod memory;
mod outcomes;
mod places;
mod plan;
mod progress;
mod promela;
mod property;
mod recognise;
mod remarks;
mod request;
mod rounds;
mod run;
mod session;
mod shown;
mod sightings;
mod speed;
mod stores;
mod symmetry;
mod topology_file;
mod verify;
mod walker;

pub use allways_java::test_class::TestMethod;
pub use allways_report::{Check, Outcomes, Remarks, TraceFile, Verdict};
pub use allways_search::{
    At, Expanded, Finding, Limits, Observer, Sample, StateRef, Steps, StoreKind, Strategy,
};
pub use certificate::{Recorder, Written};
pub use check::{Checked, coverage_of_walks, empty_check, given_up};
pub use error::{Diagnostics, Error};
pub use java::{PROCESSES, settle_model, test_methods};
pub use memory::resident;
pub use plan::{Plan, Watch};
pub use progress::progress_line;
pub use property::Property;
pub use request::{Interleaving, Language, Request, STDIN, parse_reductions};
pub use run::{Run, Step, Successor};
pub use session::Session;
pub use walker::{Choices, Taken, Walker};
