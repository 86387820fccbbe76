//! The arguments of every command, and the words of `--help`.

use crate::options::ModelArgs;
use allways_promela::Reductions;
use allways_report::Picture;
use allways_search::{Policy, StoreKind, Strategy};
use allways_session::PROCESSES;
use allways_session::Property;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  allways check peterson.pml                  decide: is every run free of errors?
  allways check -D N=4 --json leader.pml      the same for machines, with a macro defined
  allways check --search bfs --no-reduce abp.pml   the shortest counterexample
  allways check -cp classes Main -- 3 fast    a Java program, in every interleaving of its threads
  allways check -cp classes --process server=Server --process 'client*2=Client' --after server
  allways outcomes -cp classes Main           everything that a Java program can print
  allways certify abp.cert abp.pml            is the evidence of an earlier check true?
  allways replay abp.pml.trace --msc          what happened, as a message sequence chart
  allways simulate abp.pml --seed 7           one random run
  allways simulate abp.pml --interactive      choose every step

Exit codes: 0 holds, 1 violated, 2 bad input or usage, 3 unsupported, 4 bounded (a limit ended the search),
5 a certificate is not accepted.";

/// Runs a concurrent program in all the ways it can run.
#[derive(Parser)]
#[command(name = "allways", version, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Colour; auto is for terminals, unless NO_COLOR is set
    #[arg(long, value_enum, default_value_t = Colour::Auto, global = true,
        value_name = "auto|always|never", hide_possible_values = true)]
    pub(crate) color: Colour,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Search all states of a model for violations
    Check(Box<CheckArgs>),
    /// List every possible end of a Java program
    Outcomes(OutcomesArgs),
    /// Check the certificate of a result against your own copy of the program
    Certify(Box<CertifyArgs>),
    /// Show a counterexample again
    Replay(ReplayArgs),
    /// Run a model once: at random, by hand, or along a trace
    Simulate(SimulateArgs),
    /// Draw the states and steps of a small model (Graphviz DOT)
    Graph(GraphArgs),
    /// Translate a formula of temporal logic to an automaton
    Automaton(AutomatonArgs),
    /// Write what Java programs may call to choose values: a jar file, and its source
    JavaApi(JavaApiArgs),
}

impl Command {
    /// The model of a command that may have processes in its place.
    pub(crate) fn subject(&mut self) -> Option<(&mut PathBuf, &mut ModelArgs)> {
        match self {
            Self::Check(args) => Some((&mut args.model, &mut args.options)),
            Self::Outcomes(args) => Some((&mut args.model, &mut args.options)),
            Self::Simulate(args) if args.trace.is_none() => {
                Some((args.model.get_or_insert_with(|| PROCESSES.into()), &mut args.options))
            }
            Self::Graph(args) => Some((&mut args.model, &mut args.options)),
            _ => None,
        }
    }
}

#[derive(Args)]
pub(crate) struct JavaApiArgs {
    /// The directory to write to
    #[arg(default_value = ".", value_name = "DIR")]
    pub(crate) directory: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

/// What is checked.
#[derive(Args)]
#[group(multiple = true)]
pub(crate) struct PropertyArgs {
    /// Assertions, end states, event traces and run-time errors alone
    #[arg(long, help_heading = "Property", group = "wanted")]
    pub(crate) safety: bool,
    /// A never claim or ltl formula of the model
    #[arg(long, value_name = "NAME", help_heading = "Property", group = "wanted")]
    pub(crate) claim: Option<String>,
    /// A formula that every run must satisfy, as in an ltl block
    #[arg(
        long,
        value_name = "FORMULA",
        help_heading = "Property",
        group = "wanted",
        allow_hyphen_values = true
    )]
    pub(crate) ltl: Option<String>,
    /// An automaton for wrong runs, in the HOA format; its propositions are expressions of the model
    #[arg(long, value_name = "FILE", help_heading = "Property", group = "wanted")]
    pub(crate) automaton: Option<PathBuf>,
    /// No run goes on for ever without passing a progress label
    #[arg(long, help_heading = "Property", group = "wanted")]
    pub(crate) progress: bool,
    /// No run passes accept labels again and again
    #[arg(long, help_heading = "Property", group = "wanted")]
    pub(crate) acceptance: bool,
    /// Count only runs in which every process that can always move does
    #[arg(long, help_heading = "Property", conflicts_with = "safety")]
    pub(crate) fair: bool,
}

impl PropertyArgs {
    /// The property that was asked for by name, if one was.
    pub(crate) fn wanted(&self) -> Option<Property> {
        if let Some(name) = &self.claim {
            return Some(Property::Claim(name.clone()));
        }
        if let Some(formula) = &self.ltl {
            return Some(Property::Formula(formula.clone()));
        }
        if let Some(file) = &self.automaton {
            return Some(Property::Automaton(file.to_string_lossy().into_owned()));
        }
        let flags = [
            (self.safety, Property::Safety),
            (self.acceptance, Property::Acceptance),
            (self.progress, Property::Progress),
        ];
        flags.into_iter().find_map(|(wanted, property)| wanted.then_some(property))
    }
}

#[derive(Args)]
#[command(after_help = "\
By default, the model is checked for safety (assertions, invalid end states, event traces, run-time errors) and
then for each of its never claims and ltl formulas, until one is violated. --time is for all of these searches
together, the other limits are for each.

Searches: dfs is the default. With --no-reduce, a counterexample by bfs has the fewest steps of all, by switches the
fewest switches between processes, and by preemptions the fewest that interrupt one which could go on. walk and pct
go at random, prove nothing, and are for what is too large. For cycles scc is the default with one thread, else map.

A counterexample is replayed, printed, and written to MODEL.trace in the current directory. Ctrl-C ends the search
with what it has found so far; a second Ctrl-C ends the process.")]
pub(crate) struct CheckArgs {
    /// The model to check: a Promela file (- is standard input), a class or jar file, or with -cp a main
    /// class
    #[arg(default_value = PROCESSES, hide_default_value = true)]
    pub(crate) model: PathBuf,
    /// The model is a test class (JUnit, TestNG), or one of its methods: Class#method
    #[arg(long, help_heading = "Java")]
    pub(crate) junit_class: bool,
    #[command(flatten)]
    pub(crate) options: ModelArgs,
    #[command(flatten)]
    pub(crate) property: PropertyArgs,

    /// How states are visited.
    #[arg(
        long,
        help = search_names(),
        value_parser = searches(),
        value_name = "NAME",
        hide_possible_values = true,
        help_heading = "Search"
    )]
    pub(crate) search: Option<Strategy>,
    /// How states are kept.
    #[arg(
        long = "store",
        help = format!(
            "{}; cache; lossy: {} [default: exact, for Java collapse]",
            store_names(StoreKind::keeps_states),
            store_names(StoreKind::is_lossy)
        ),
        value_parser = stores(),
        value_name = "NAME",
        hide_possible_values = true,
        help_heading = "Search"
    )]
    pub(crate) chosen_store: Option<StoreKind>,
    /// For bitstate: 2^N bits in all [default: half of the memory, at most 2^31]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(6..=44), help_heading = "Search")]
    pub(crate) bits: Option<u32>,
    /// For bitstate: so many bits for each state [default: 3]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=32), help_heading = "Search")]
    pub(crate) hashes: Option<u32>,
    /// For bitstate: each thread searches alone, with other hashes and another order
    #[arg(long, help_heading = "Search")]
    pub(crate) swarm: bool,
    /// For cache: strata (default), aged, cost, random, age, hits, hits:most, stratified:K,M, depth
    #[arg(long, value_name = "NAME", value_parser = policy, help_heading = "Search")]
    pub(crate) policy: Option<Policy>,
    /// For cache: hold at most N states, however much memory there is
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Search")]
    pub(crate) cache_states: Option<u32>,
    /// For cache: stop when states were visited N times on average [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..), help_heading = "Limits")]
    pub(crate) redundancy: Option<u32>,
    /// Another number gives another swarm, and other random walks [default: 0]
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub(crate) seed: Option<u64>,
    /// For pct: look for errors that need so many steps before certain others [default: 3]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=64), help_heading = "Search")]
    pub(crate) bug_depth: Option<u32>,
    /// The number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_workers, help_heading = "Search")]
    pub(crate) workers: Option<NonZeroUsize>,
    /// What to leave out: order, merge, dead (with commas; Promela), all, none
    #[arg(long, value_name = "LIST", value_parser = allways_session::parse_reductions, default_value = "all", help_heading = "Search")]
    pub(crate) reduce: Reductions,
    /// Take every step and keep every state (Java: at every access); do not check xr and xs claims
    #[arg(long, conflicts_with = "reduce", help_heading = "Search")]
    pub(crate) no_reduce: bool,
    /// Do not tell interchangeable processes apart
    #[arg(long, help_heading = "Search")]
    pub(crate) symmetry: bool,
    /// Shorten the counterexample of a run that never ends
    #[arg(long, help_heading = "Search")]
    pub(crate) shortest: bool,
    /// Go on after an error, through all states
    #[arg(long, help_heading = "Search")]
    pub(crate) all_errors: bool,

    /// Stop after this many seconds, whatever is checked
    #[arg(long, value_name = "SECONDS", value_parser = allways_report::parse_seconds, allow_negative_numbers = true, help_heading = "Limits")]
    pub(crate) time: Option<Duration>,
    /// Use at most so much memory, such as 512M or 4G [default: nine tenths of what is free]
    #[arg(long, value_name = "SIZE", value_parser = allways_report::parse_size, help_heading = "Limits")]
    pub(crate) memory: Option<u64>,
    /// Follow no path further than so many steps [default for random walks: 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub(crate) depth: Option<u64>,
    /// Stop after so many states
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub(crate) states: Option<u64>,
    /// For survey: search behind N states in turn [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096), help_heading = "Search")]
    pub(crate) round_robin: Option<u32>,
    /// Part of the limits for the estimate [default: 10%], or for survey's first phase [60%]
    #[arg(long, value_name = "P%", value_parser = allways_report::parse_share, help_heading = "Limits")]
    pub(crate) share: Option<u32>,
    /// Stop after so many random walks [default: 1000, unless --time or --states are given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub(crate) walks: Option<u64>,

    /// Write the counterexample to this file [default: MODEL.trace]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,
    /// Write evidence of the result to this file, for `allways certify`
    #[arg(long, value_name = "FILE", help_heading = "Evidence")]
    pub(crate) certificate: Option<PathBuf>,
    /// Put the keys of steps to new states into the certificate, for fast `certify --trustful`
    #[arg(long, requires = "certificate", help_heading = "Evidence")]
    pub(crate) keys: bool,
    /// Sign the certificate with this Ed25519 key, beside it as FILE.intoto.json
    #[arg(long, value_name = "KEY", requires = "certificate", help_heading = "Evidence")]
    pub(crate) sign: Option<PathBuf>,
    /// One JSON object instead of text (documented in docs/json.md)
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Write the result to this file too, as JUnit XML for build servers (documented in docs/junit.md)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) junit: Option<PathBuf>,
    /// The verdict only
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
    /// Show progress every N seconds, a line each [default: 30; on a terminal, a line that changes]
    #[arg(long, value_name = "N", value_parser = allways_report::parse_seconds, allow_negative_numbers = true, help_heading = "Output")]
    pub(crate) every: Option<Duration>,
    /// Leave nothing out of long lists
    #[arg(long, help_heading = "Output")]
    pub(crate) full: bool,
    /// Tell where time and memory went
    #[arg(long, help_heading = "Output")]
    pub(crate) explain_speed: bool,
}

#[derive(Args)]
#[command(after_help = "\
An end is what the program printed to standard output and how it ended: by itself or by System.exit (exit), with threads
that wait for ever (deadlock), or after an exception or failed assertion that nobody caught. Each is shown with a
shortest schedule: which thread takes the next step, and how often in a row.")]
pub(crate) struct OutcomesArgs {
    /// The program: a class or jar file, or with -cp a main class
    #[arg(default_value = PROCESSES, hide_default_value = true)]
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) options: ModelArgs,
    /// How states are kept.
    #[arg(long, help = format!("How states are kept: {}", store_names(StoreKind::keeps_states)), value_parser = stores(),
        default_value = "collapse", value_name = "NAME", hide_possible_values = true, help_heading = "Search")]
    pub(crate) store: StoreKind,
    /// The number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_workers, help_heading = "Search")]
    pub(crate) workers: Option<NonZeroUsize>,
    /// Interleave threads at every access
    #[arg(long, help_heading = "Search")]
    pub(crate) no_reduce: bool,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = allways_report::parse_seconds, allow_negative_numbers = true, help_heading = "Limits")]
    pub(crate) time: Option<Duration>,
    /// Use at most so much memory, such as 512M or 4G [default: nine tenths of what is free]
    #[arg(long, value_name = "SIZE", value_parser = allways_report::parse_size, help_heading = "Limits")]
    pub(crate) memory: Option<u64>,
    /// Stop after so many states
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub(crate) states: Option<u64>,
    /// One JSON object instead of text (documented in docs/json.md)
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Show progress every N seconds, a line each [default: 30; on a terminal, a line that changes]
    #[arg(long, value_name = "N", value_parser = allways_report::parse_seconds, allow_negative_numbers = true, help_heading = "Output")]
    pub(crate) every: Option<Duration>,
    /// Show no progress
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// The searches by their names.
fn searches() -> impl TypedValueParser<Value = Strategy> {
    let named = |name: String| Strategy::named(&name).expect("clap takes no other names");
    PossibleValuesParser::new(Strategy::ALL.map(Strategy::name)).map(named)
}

/// The names of the searches, those for cycles last.
fn search_names() -> String {
    let names = |cycles| {
        let some = Strategy::ALL.into_iter().filter(move |one| one.finds_cycles() == cycles);
        some.map(Strategy::name).collect::<Vec<_>>().join(", ")
    };
    format!("{}; cycles: {}", names(false), names(true))
}

/// The stores by their names.
fn stores() -> impl TypedValueParser<Value = StoreKind> {
    let named = |name: String| StoreKind::named(&name).expect("clap takes no other names");
    PossibleValuesParser::new(StoreKind::ALL.map(StoreKind::name)).map(named)
}

/// A policy by its name.
fn policy(text: &str) -> Result<Policy, String> {
    Policy::named(text).ok_or_else(|| {
        let names = Policy::ALL.map(Policy::name).join(", ");
        format!("there is no such policy; there are {names}, hits:most, and stratified:K,M with K below M")
    })
}

/// The names of the stores of a kind.
fn store_names(kind: impl Fn(StoreKind) -> bool) -> String {
    let some = StoreKind::ALL.into_iter().filter(|one| kind(*one));
    some.map(StoreKind::name).collect::<Vec<_>>().join(", ")
}

/// How a run is drawn.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Msc {
    /// With characters; `@7` at a received message is the step that sent it
    Text,
    /// As a picture for a browser
    Svg,
    /// As the name of the output file tells
    #[value(hide = true)]
    ByName,
}

/// How the objects of a state are drawn.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HeapForm {
    /// With characters
    Text,
    /// As a picture for a browser
    Svg,
    /// As a graph for Graphviz
    Dot,
    /// As the name of the output file tells
    #[value(hide = true)]
    ByName,
}

/// A chart instead of a list of steps.
#[derive(Args, Clone, Default)]
pub(crate) struct ChartArgs {
    /// Draw a message sequence chart instead of listing the steps
    #[arg(long, value_enum, value_name = "text|svg", hide_possible_values = true, num_args = 0..=1,
        default_missing_value = "by-name")]
    pub(crate) msc: Option<Msc>,
    /// Write the picture to a file; its name may tell the form
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl ChartArgs {
    /// The form of the chart, if one is wanted.
    pub(crate) fn form(&self) -> Option<Picture> {
        let is_wanted = self.msc.is_some() || self.output.is_some();
        is_wanted.then(|| self.named(self.msc.unwrap_or(Msc::ByName)))
    }

    /// A form, or the one that the name of the output file tells.
    pub(crate) fn named(&self, form: Msc) -> Picture {
        let is_svg = |file: &PathBuf| file.extension().is_some_and(|e| e.eq_ignore_ascii_case("svg"));
        match form {
            Msc::Svg => Picture::Svg,
            Msc::ByName if self.output.as_ref().is_some_and(is_svg) => Picture::Svg,
            Msc::Text | Msc::ByName => Picture::Text,
        }
    }
}

#[derive(Args)]
#[command(after_help = "\
Model, options and property say what you want to know; the certificate must answer exactly that, so give the
options that were given to `allways check`. Without an option for the property, it must be about safety.

Nothing of the certificate is believed: every state is expanded again, and every property is evaluated again. It
is not accepted if it leaves out a state or a step.

With --trustful it is believed to leave out nothing: every state is reached again, and what can be seen in a state
(invariants, deadlocks) or in a step to a new one is evaluated. docs/certificates.md documents the deviations and
the file.

Exit codes: 0 accepted and the property holds, 1 accepted and violated, 4 accepted and partial, 5 not accepted.")]
pub(crate) struct CertifyArgs {
    /// The certificate, as written by `allways check --certificate`
    pub(crate) certificate: PathBuf,
    /// Your copy of the program: a Promela file, a class or jar file, or with -cp a main class
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) options: ModelArgs,
    #[command(flatten)]
    pub(crate) property: PropertyArgs,
    /// The certificate must be of a check with --no-reduce
    #[arg(long)]
    pub(crate) no_reduce: bool,
    /// Keep whole states, not fingerprints: no probability of error, and more memory
    #[arg(long)]
    pub(crate) exact: bool,
    /// The number of threads that expand states
    #[arg(long, value_name = "N", value_parser = parse_workers, default_value = "1")]
    pub(crate) workers: NonZeroUsize,
    /// Run a Promela model by the interpreter, so that native code need not be trusted
    #[arg(long)]
    pub(crate) reference: bool,
    /// Go through each state once, and trust the producer that nothing is left out
    #[arg(long, conflicts_with_all = ["exact", "counts", "workers"])]
    pub(crate) trustful: bool,
    /// Write the part that --trustful needs to this file, and certify nothing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["trustful", "exact", "counts", "workers", "reference"])]
    pub(crate) cut: Option<PathBuf>,
    /// Share the work between N tasks: show them, and write their secret
    #[arg(long, value_name = "N", requires = "secret", group = "part", help_heading = "Several machines")]
    pub(crate) partition: Option<u16>,
    /// Do one of the tasks, such as 3/10, and write its result
    #[arg(long, value_name = "I/N", requires_all = ["secret", "result"], group = "part", value_parser = parse_task,
        help_heading = "Several machines")]
    pub(crate) task: Option<(u16, u16)>,
    /// Join the results of all tasks to a verdict
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "secret", group = "part",
        help_heading = "Several machines")]
    pub(crate) merge: Vec<PathBuf>,
    /// The secret of all tasks (--partition writes it); keep it from the producer
    #[arg(long, value_name = "FILE", requires = "part", conflicts_with_all = ["exact", "counts", "workers", "cut"],
        help_heading = "Several machines")]
    pub(crate) secret: Option<PathBuf>,
    /// The result of a task
    #[arg(long, value_name = "FILE", requires = "task", help_heading = "Several machines")]
    pub(crate) result: Option<PathBuf>,
    /// Accept the certificate only if this Ed25519 public key has signed it
    #[arg(long, value_name = "KEY", conflicts_with = "cut", help_heading = "Signatures")]
    pub(crate) key: Option<PathBuf>,
    /// Sign what was found with this Ed25519 key, as an in-toto attestation
    #[arg(long, value_name = "KEY", requires = "attest", conflicts_with_all = ["cut", "partition", "task"],
        help_heading = "Signatures")]
    pub(crate) sign: Option<PathBuf>,
    /// The file of the attestation
    #[arg(long, value_name = "FILE", requires = "sign", help_heading = "Signatures")]
    pub(crate) attest: Option<PathBuf>,
    /// Certify too that no state has two numbers, so that the count of states is exact
    #[arg(long)]
    pub(crate) counts: bool,
    /// The verdict only
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Args)]
#[command(after_help = "\
The model is the one that the trace names, as seen from the current directory or from that of the trace, and must be
the one that the trace was made of. Exit code 0 means that the trace was replayed.")]
pub(crate) struct ReplayArgs {
    /// The trace file, as written by `allways check`
    pub(crate) trace: PathBuf,
    /// The model, if it is not where the trace says; - is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) chart: ChartArgs,
    /// Show who waits for whom at a deadlock of a Java program, instead of the steps
    #[arg(long, value_enum, value_name = "text|svg", hide_possible_values = true, num_args = 0..=1,
        default_missing_value = "by-name", conflicts_with = "msc")]
    pub(crate) waits: Option<Msc>,
    /// Draw the objects of the last state (Java programs, models with pointers)
    #[arg(long, value_enum, value_name = "text|svg|dot", hide_possible_values = true, num_args = 0..=1,
        default_missing_value = "by-name", conflicts_with_all = ["msc", "waits"])]
    pub(crate) heap: Option<HeapForm>,
    /// One JSON object instead of text (documented in docs/json.md)
    #[arg(long, conflicts_with_all = ["msc", "output", "waits", "heap"])]
    pub(crate) json: bool,
    /// Leave nothing out of a long chart
    #[arg(long)]
    pub(crate) full: bool,
}

#[derive(Args)]
#[command(after_help = "\
A run ends when nothing can happen any more, at a violation (exit code 1), or after --steps. With --interactive every
step is chosen by its number; ? lists what else can be typed. With --trace the run follows the trace to its end, and
goes on from there if it is interactive.")]
pub(crate) struct SimulateArgs {
    /// The model to run
    #[arg(required_unless_present_any = ["trace", "process"])]
    pub(crate) model: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) options: ModelArgs,
    /// The run to take, out of 2^64 [default: another one every time]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Stop after so many steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) steps: u64,
    /// Choose every step by hand
    #[arg(short, long)]
    pub(crate) interactive: bool,
    /// Follow the run of this trace file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["define", "undefine", "include", "seed"])]
    pub(crate) trace: Option<PathBuf>,
    /// Write the run to a trace file
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) chart: ChartArgs,
    /// One JSON object instead of text (documented in docs/json.md)
    #[arg(long, conflicts_with_all = ["msc", "output", "interactive", "quiet"])]
    pub(crate) json: bool,
    /// Only what the program prints
    #[arg(short, long, conflicts_with = "interactive")]
    pub(crate) quiet: bool,
    /// Leave nothing out of a long chart or state
    #[arg(long)]
    pub(crate) full: bool,
}

#[derive(Args)]
#[command(after_help = "Example: allways graph peterson.pml | dot -Tsvg > peterson.svg")]
pub(crate) struct GraphArgs {
    /// The model to draw
    #[arg(default_value = PROCESSES, hide_default_value = true)]
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) options: ModelArgs,
    /// Draw at most so many states
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub(crate) states: usize,
    /// Draw every operation of a Java program's threads as a step
    #[arg(long)]
    pub(crate) no_reduce: bool,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Args)]
#[command(after_help = "\
The formula has names for its propositions: allways automaton '[] (request -> <> granted)'")]
pub(crate) struct AutomatonArgs {
    /// The formula, with [] <> U W V X ! && || -> <-> or words
    #[arg(allow_hyphen_values = true)]
    pub(crate) formula: String,
    /// The runs that violate the formula, not those that satisfy it
    #[arg(long)]
    pub(crate) violations: bool,
    /// The Hanoi Omega-Automata format, or a never claim
    #[arg(long, value_enum, default_value_t = AutomatonFormat::Hoa, value_name = "hoa|never", hide_possible_values = true)]
    pub(crate) format: AutomatonFormat,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum AutomatonFormat {
    Hoa,
    Never,
}

/// More threads than this are a slip of the finger.
const MAX_WORKERS: usize = 1024;

/// A task and how many there are.
fn parse_task(text: &str) -> Result<(u16, u16), String> {
    let parts = text.split_once('/').and_then(|(task, n)| Some((task.parse().ok()?, n.parse().ok()?)));
    parts.filter(|(task, n)| (1..=*n).contains(task)).ok_or_else(|| "not a task such as 3/10".into())
}

fn parse_workers(text: &str) -> Result<NonZeroUsize, String> {
    let n: NonZeroUsize = text.parse().map_err(|_| "a number from 1 to 1024 is needed".to_owned())?;
    if n.get() > MAX_WORKERS { Err(format!("at most {MAX_WORKERS} are possible")) } else { Ok(n) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
