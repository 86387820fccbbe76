//! The dynamic extension of Promela on the programs of two papers.
//!
//! The B-tree of dSPIN's Table 2 in all its sizes, and the three programs of JPF's table on garbage
//! collection. Counts differ from the papers', whose models are not public; docs/dspin.md says why.

use super::table::Table;
use super::{Options, Part, machine};
use crate::cases::options as macros;
use allways_promela::options::{Collect, Dynamics};
use allways_promela::{FileInput, Program, Reductions, load};
use allways_search::{Config, End, Stats, Strategy, search};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// No row takes longer than this or more memory: it is then bounded.
const MOST_TIME: Duration = Duration::from_secs(600);
const MOST_MEMORY: u64 = 6 << 30;

/// A row of Table 2: order, depth, updaters; the paper's states, megabytes, seconds and compression.
type Row = ([u32; 3], f64, f64, f64, &'static str);

const BTREE: [Row; 10] = [
    ([2, 2, 2], 9_215.0, 3.022, 2.0, "collapse"),
    ([2, 2, 3], 300_577.0, 9.886, 104.2, "collapse"),
    ([2, 2, 4], 2.879_37e6, 66.417, 1_407.6, "collapse"),
    ([2, 3, 2], 719_925.0, 40.330, 183.5, "collapse"),
    ([2, 3, 3], 1.152e6, 3.150, 354.9, "bitstate"),
    ([4, 2, 2], 13_019.0, 3.283, 2.8, "collapse"),
    ([4, 2, 3], 691_256.0, 19.060, 243.2, "collapse"),
    ([4, 2, 4], 1.543_03e6, 2.824, 511.9, "bitstate"),
    ([4, 3, 2], 651_896.0, 4.009, 147.3, "bitstate"),
    ([4, 3, 3], 1.267_46e6, 4.018, 405.1, "bitstate"),
];

/// The programs about garbage, with the paper's states without collection and with it.
const GARBAGE: [(&str, u64, u64); 3] = [
    ("garbage_temporaries.dpml", 609_173, 2_923),
    ("garbage_none.dpml", 833_766, 833_766),
    ("garbage_cycles.dpml", 124_503, 124_503),
];

pub(crate) fn run(options: &Options) -> Part {
    let mut ok = true;
    let mut table = Table::new(
        22,
        &[
            "K,D,P",
            "reduction",
            "states",
            "transitions",
            "MB",
            "s",
            "cpu s",
            "states/cpu s",
            "paper",
            "MB",
            "s",
            "paper with",
        ],
    );
    for (sizes, states, memory, seconds, with) in BTREE {
        let [k, d, p] = sizes;
        let name = format!("btree {k},{d},{p}");
        if !options.wants(&name, states as u64) {
            continue;
        }
        let defines = [format!("K={k}"), format!("D={d}"), format!("P={p}")];
        for reductions in [Reductions::NONE, Reductions::ALL] {
            let run = measure("btree.dpml", &defines, reductions, Dynamics::default(), options);
            let paper = [states.to_string(), memory.to_string(), seconds.to_string(), with.to_owned()];
            ok &= add(&mut table, &name, reductions, &run, &paper);
        }
    }
    let mut summary = Vec::new();
    for (file, without, with) in GARBAGE {
        if !options.wants(file, without) {
            continue;
        }
        let mut all = Vec::new();
        for collect in [Collect::None, Collect::Sweep, Collect::Count] {
            let dynamics = Dynamics { collect, ..Dynamics::default() };
            let run = measure(file, &[], Reductions::NONE, dynamics, options);
            let paper = if collect == Collect::None { without } else { with }.to_string();
            let name = format!("{} {}", &file[8..file.len() - 5], collect_name(collect));
            ok &= add(&mut table, &name, Reductions::NONE, &run, &[paper]);
            all.extend(run.ok().map(|run| (run.stats.states as f64, run.stats.store_bytes as f64)));
        }
        if let [none, sweep, count] = all[..] {
            summary.push(format!(
                "{file}: {:.1} times the states without collection and {:.2} times the memory; counting references \
                 {:.1} and {:.2} times",
                none.0 / sweep.0,
                none.1 / sweep.1,
                count.0 / sweep.0,
                count.1 / sweep.1
            ));
        }
    }
    let how = "One worker, depth first, the exact store unless --store names another; MB is everything that the search \
               allocated, s the wall time of the search, cpu s the processor time (user and system, with what compiles the \
               model beside the search). Rows that do not end in ten minutes or 6 GiB are bounded (+). \
               The papers' figures are of machines of their time."
        .into();
    Part { title: "Dynamic Promela", how, table: table.into_text(), summary, ok }
}

fn collect_name(collect: Collect) -> &'static str {
    match collect {
        Collect::Sweep => "sweep",
        Collect::Count => "count",
        Collect::None => "none",
    }
}

/// What one run took.
struct Run {
    stats: Stats,
    seconds: f64,
    /// Processor time, or the same as `seconds` where the system does not say.
    cpu: f64,
    exhausted: bool,
}

fn measure(
    file: &str,
    defines: &[String],
    reductions: Reductions,
    dynamics: Dynamics,
    options: &Options,
) -> Result<Run, String> {
    let path = PathBuf::from("examples/promela").join(file);
    let loaded = load(&FileInput::Path(path), &macros(defines));
    let program: Program = loaded.program.ok_or("the model does not load")?;
    let program = program.with_dynamics(dynamics).with_reductions(reductions);
    let mut config = Config::new(1);
    config.limits.time = Some(MOST_TIME);
    config.limits.memory = Some(MOST_MEMORY);
    config.reduce = program.reductions() != Reductions::NONE;
    let store = super::STORES.iter().find(|(name, _)| Some(*name) == options.store.as_deref());
    config.store = store.unwrap_or(&super::STORES[0]).1;
    let (start, cpu_before) = (Instant::now(), machine::processor_time());
    let outcome = search(&program, Strategy::Dfs, &(), &config);
    let seconds = start.elapsed().as_secs_f64();
    let cpu = machine::processor_time().zip(cpu_before).map_or(seconds, |(after, before)| after - before);
    if outcome.stats.errors > 0 {
        return Err("a violation where there is none".into());
    }
    match outcome.end {
        End::Exhausted => Ok(Run { stats: outcome.stats, seconds, cpu, exhausted: true }),
        End::Bounded(_) => Ok(Run { stats: outcome.stats, seconds, cpu, exhausted: false }),
        end => Err(format!("the search ended with {end:?}")),
    }
}

/// Adds a row; false if there is none.
fn add(
    table: &mut Table,
    name: &str,
    reductions: Reductions,
    run: &Result<Run, String>,
    paper: &[String],
) -> bool {
    let reduction = if reductions == Reductions::NONE { "none" } else { "default" };
    match run {
        Err(why) => {
            table.line(&format!("{name} {reduction}: {why}"));
            false
        }
        Ok(Run { stats, seconds, cpu, exhausted }) => {
            let mut cells = vec![
                name.to_owned(),
                reduction.to_owned(),
                format!("{}{}", stats.states, if *exhausted { "" } else { "+" }),
                stats.transitions.to_string(),
                format!("{:.1}", stats.total_bytes as f64 / 1e6),
                format!("{seconds:.2}"),
                format!("{cpu:.2}"),
                format!("{:.0}", stats.states as f64 / cpu.max(0.01)),
            ];
            cells.extend(paper.iter().cloned());
            table.row(&cells);
            true
        }
    }
}
