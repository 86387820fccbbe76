//! What a run found, as plain data, and how it is shown to people and machines.
//!
//! Everything here is a pure function from data to text: no engine, no clock, no terminal, no file. So that
//! what a user sees can be tested without a search, and the web page and the command line say the same thing.
//!
//! - [`Check`] is the result of one run; [`check_json`], [`CheckText`] and [`junit_xml`] render it.
//! - [`RunView`] shows a run in one of its forms. [`StepTable`] and [`StateView`] are its text: what
//!   happened, and where it ended.
//! - [`TraceFile`] is the counterexample on disk.
//! - [`HeapPicture`] is the objects of a state, as text, SVG or DOT.
//! - [`Waits`] is a deadlock: who waits for whom, as text or SVG.
//! - [`Chart`] is its message sequence chart, as text or SVG.

mod cache;
mod chart;
mod check;
mod coverage;
mod elements;
mod figures;
mod graph;
mod heap;
mod json;
mod junit;
mod outcomes;
mod paint;
mod recent;
mod remarks;
mod run_json;
mod run_view;
mod speed;
mod state;
mod steps;
mod text;
mod trace;
mod variables;
mod verdict;
mod verdict_line;
mod waits;
mod walks;
mod xml;

pub use cache::CacheReport;
pub use chart::{Chart, ChartStyle};
pub use check::{Check, ErrorReport, Figures, Limit, Setup, Unsupported};
pub use coverage::{CoverageReport, PhasesReport};
pub use figures::{bytes, count, duration, parse_seconds, parse_share, parse_size, plural, rate};
pub use graph::{GraphState, StateGraph};
pub use heap::HeapPicture;
pub use json::check_json;
pub use junit::{junit_problem, junit_xml};
pub use outcomes::{Ending, Outcomes, ProcessEnding, outcomes_json, outcomes_text};
pub use paint::{Paint, visible};
pub use recent::Recent;
pub use remarks::Remarks;
pub use run_json::{RunReport, StepReport};
pub use run_view::{Picture, RunEnd, RunView};
pub use speed::{MemoryPart, Speed};
pub use state::StateView;
pub use steps::{StepTable, process_label};
pub use text::CheckText;
pub use trace::{TraceError, TraceFile};
pub use verdict::{ExitCode, Verdict};
pub use waits::Waits;
pub use walks::{Chance, WalkReport};
