//! The Promela front end: everything that SPIN 6 accepts, except embedded C.
//!
//! [`load`] turns the text of a model into a [`Program`], which the engine searches through the traits of
//! `allways-model`. The stages are the syntax tree (`syntax`), control flow numbered as SPIN numbers it
//! (`flow`), the intermediate form (`ir`, made by `lower`), and its interpreter (`machine`).
//!
//! ## From text to steps
//!
//! 1. `syntax`: our own C preprocessor with spans through macros, lexer, recursive-descent parser with
//!    recovery, diagnostics. Inline calls are expanded here, as SPIN does, on tokens. The tree (`ast`) keeps
//!    declarations in place and braces as scopes.
//! 2. `flow`: control flow as SPIN builds it. An element is numbered when it is appended, compound statements
//!    after their parts; `table` turns elements into transitions (options flattened, escapes in front, jumps
//!    passed over unless that would leave an atomic sequence), `d_step` bodies into small graphs.
//! 3. `lower`: names resolved, layout fixed, statements into the intermediate form `ir`: typed expressions
//!    and effects over a packed layout. It is target-neutral (no pointers, bounded work, offsets known when
//!    the model is compiled) because the interpreter, native code and later other targets read the same form.
//!    The dynamic extension (`docs/dspin.md`) adds to each phase: `syntax/parser/dynamic`, `ir/dynamic`, and
//!    in `lower` what a model uses (`dynamic`), the two values of a pointer (`pointer`), functions and
//!    scopes. A model that uses none of it is lowered as before; `Lowered::dynamic` is then empty.
//! 4. `machine`: the interpreter, the reference for native code and all later targets. It notices values that
//!    do not fit (`truncation`). `driver` owns persistent sets, timeouts and deadlocks; a `StepTarget`
//!    (interpreter, native code) computes steps, and the interpreter does what another target leaves to it.
//!    `layout` derives every offset from the types of the processes alive; `attempt` tries one statement;
//!    `expand` enumerates successors and explores what SPIN does not store (inside atomic sequences, between
//!    the halves of a rendezvous) on a stack of frames, without recursion. In models with dynamic features
//!    objects follow the processes in a vector: `object` has their layout, `heap` `new` and `delete`, `call`
//!    frames, `scope` entry and exit, `frames` the steps (a call is joined to the statement that follows).
//!    `normal` brings a state into normal form before it is given away, with the numbering of crate `heap`;
//!    `shape` knows where references are. A step that moves no object and stores no reference needs none of
//!    that.
//! 5. `native`: transitions compiled with Cranelift, one function for each control state, filling the batch
//!    in place. It knows only the way on which nothing goes wrong; anything else (a failing assertion, a bad
//!    index) leaves the process to the interpreter. Compilation runs beside the search and starts when a
//!    model turns out not to be tiny. In models with objects a vector has a table of where they start;
//!    `objects` has the code for pointers, scopes and calls. `cursor` joins the two; tests hold them equal on
//!    examples, corpus and random models.
//! 6. `reduce`: `dead` (variables that are not read again become zero) and `merge` (steps invisible to other
//!    processes are merged with the step before) change the program before it runs, and so its digest.
//!    `footprint` says what a control state touches now and ever after; `choose` finds in each state a set of
//!    processes that no other can interfere with, a function of the vector alone; where priorities still
//!    matter (`machine/rank`), there is no choice. In models with objects and functions `points_to` says what
//!    pointers may refer to and which objects several processes may ever know, `owners` who can reach which
//!    objects in a state, and `footprint/chains` follows calls and returns through a step; `dead` clears
//!    variables of frames and pointers too, and `faint` is off. `observed` says what an observer of the
//!    states of a run can tell, and why each reduction leaves that as it is. `forgotten` is what `dead`
//!    resets: runs are shown in the program that keeps it, with the same keys.
//! 7. `symmetry`: `detect` types process numbers as a scalar set, `permute` brings states into a normal form,
//!    `Symmetric` is the model of normal forms; `concrete` turns its paths into runs of the program.
//! 8. `explain`: moves, variables and processes in words. `names` calls objects by the way to them, `listing`
//!    lists variables, `change` says what a move did to them; `past` takes a run again to find where objects
//!    were made and ended, which no state holds; `picture` makes the boxes of `replay --heap`.

mod cursor;
mod explain;
mod flow;
mod fold;
mod ir;
mod lower;
mod machine;
mod native;
mod observe;
pub mod options;
mod printf;
mod program;
mod property;
mod reduce;
mod symmetry;
pub mod syntax;
mod truncation;
mod walk;

pub use observe::Unobserved;
pub use program::Program;
pub use property::{Property, Watch, Watched};
pub use reduce::Reductions;
pub use symmetry::Symmetric;
pub use syntax::{Diagnostic, FileInput, PreprocessOptions, Severity, SourceMap};

use syntax::{DiskLoader, Loader, MemoryLoader, Parsed, parse_with};

/// The outcome of loading a model.
#[derive(Debug)]
pub struct Loaded {
    /// The model; `None` if a diagnostic says that it cannot be run.
    pub program: Option<Program>,
    /// The source files, for showing diagnostics.
    pub sources: SourceMap,
    /// Errors, warnings and notes about the model.
    pub diagnostics: Vec<Diagnostic>,
}

/// Loads a model from a file or a text, with what it includes.
#[must_use]
pub fn load(input: &FileInput, options: &PreprocessOptions) -> Loaded {
    load_with(input, options, &DiskLoader)
}

/// Loads a model from a text that includes nothing.
#[must_use]
pub fn load_text(name: &str, text: &str) -> Loaded {
    let input = FileInput::Text { name: name.into(), text: text.into() };
    load_with(&input, &PreprocessOptions::default(), &MemoryLoader::default())
}

/// Loads a model, reading files through `loader`.
#[must_use]
pub fn load_with(input: &FileInput, options: &PreprocessOptions, loader: &dyn Loader) -> Loaded {
    let Parsed { ast, sources, mut diagnostics } = parse_with(input, options, loader);
    let stops = |list: &[Diagnostic]| list.iter().any(|d| d.severity != Severity::Warning);
    if stops(&diagnostics) {
        return Loaded { program: None, sources, diagnostics };
    }
    let (lowered, more) = lower::lower(&ast, start_of(input, &sources));
    diagnostics.extend(more);
    diagnostics.extend(truncation::constants(&lowered, &ast));
    let program = (!stops(&diagnostics)).then(|| Program::new(lowered, sources.clone()));
    Loaded { program, sources, diagnostics }
}

/// The beginning of the model's own file, for diagnostics that concern all of it.
fn start_of(input: &FileInput, sources: &SourceMap) -> syntax::ast::Span {
    let name = match input {
        FileInput::Path(path) => path.display().to_string(),
        FileInput::Text { name, .. } => name.clone(),
    };
    let file = (0..sources.n_files() as u32).find(|&file| sources.name(file) == name).unwrap_or(0);
    syntax::ast::Span { file, start: 0, end: 0 }
}
