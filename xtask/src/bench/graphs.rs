//! Models of both front ends, small enough to be searched many times: what `cache` and `coverage` measure.

use super::java::Classes;
use super::own;
use allways_java::Form;
use allways_model::{Lessons, Model};
use allways_search::{Config, End, StoreKind, Strategy, refine, search};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A model of a list: a Promela file with macros, or a Java class with arguments.
#[derive(Clone, Copy)]
pub(crate) struct Listed {
    pub(crate) name: &'static str,
    pub(crate) source: Source,
}

/// Where it comes from.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    /// One of the product's own examples.
    Example(&'static str, &'static [&'static str]),
    /// A class in `examples/java` with its arguments.
    Java,
}

/// A model that is loaded, and what a search of it has to know.
pub(crate) struct Graph {
    pub(crate) name: &'static str,
    pub(crate) model: Box<dyn Model>,
    pub(crate) lessons: Lessons,
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    /// Processor time of a depth-first search with the exact store, in seconds.
    pub(crate) seconds: f64,
}

/// The classes of the examples, compiled if there are any in a list.
pub(crate) struct Loader {
    classes: Option<Result<Classes, String>>,
}

impl Loader {
    pub(crate) fn new(list: &[Listed]) -> Self {
        let has_java = list.iter().any(|one| matches!(one.source, Source::Java));
        Self { classes: has_java.then(|| Classes::compile(Path::new("examples/java"))) }
    }

    /// Loads a model without reductions (Java: with the conflicts that it has), and searches all of it.
    pub(crate) fn load(&self, listed: Listed) -> Result<Graph, String> {
        let promela = |file: PathBuf, defines: &[&str]| {
            let defines: Vec<String> = defines.iter().map(ToString::to_string).collect();
            let program = own::program(&file, &defines)?.without_exclusive_checks();
            program.compile();
            Ok::<Box<dyn Model>, String>(Box::new(program))
        };
        let model = match listed.source {
            Source::Example(file, defines) => promela(Path::new("examples/promela").join(file), defines)?,
            Source::Java => {
                let classes = self.classes.as_ref().expect("there is a Java program in the list");
                let classes = classes.as_ref().map_err(Clone::clone)?;
                Box::new(classes.program(listed.name, Form::default(), false)?)
            }
        };
        let mut lessons = Lessons::new();
        let plain = Config { all_errors: true, ..Config::new(1) };
        let dfs = |config: &Config<'_>| search(&*model, Strategy::Dfs, &(), config);
        let mut seconds = 0.0;
        let outcome = refine(&plain, Instant::now(), &mut lessons, &(), |config| {
            let begun = processor_time();
            let outcome = dfs(config);
            seconds = processor_time() - begun;
            outcome
        });
        match outcome.end {
            End::Exhausted => {}
            end => return Err(format!("the search ended with {end:?}")),
        }
        let (states, transitions) = (outcome.stats.states, outcome.stats.transitions);
        Ok(Graph { name: listed.name, model, lessons, states, transitions, seconds })
    }
}

impl Graph {
    /// A search of it by one worker.
    pub(crate) fn config(&self, store: StoreKind) -> Config<'_> {
        Config { store, all_errors: true, lessons: &self.lessons, ..Config::new(1) }
    }
}

/// The time that this thread has run, in seconds.
pub(crate) fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}
