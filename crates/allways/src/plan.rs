//! From the arguments of `check` to a plan of the search: what belongs together, and what does not.

use crate::cli::CheckArgs;
use crate::failure::Failure;
use allways_search::{Bits, CachePlan, StoreKind, Strategy, WalkPlan};
use allways_session::{Limits, Plan};

/// This many walks are run if nothing else ends them.
const DEFAULT_WALKS: u64 = 1000;

/// The plan that the arguments ask for.
pub(crate) fn plan(args: &CheckArgs) -> Result<Plan, Failure> {
    let defaults = Plan { search: args.search, ..Plan::default() };
    Ok(Plan {
        store: store(args)?,
        workers: args.workers.map_or(defaults.workers, usize::from),
        all_errors: args.all_errors,
        symmetry: args.symmetry,
        shortest: args.shortest,
        limits: Limits {
            time: args.time,
            memory: args.memory.or(defaults.limits.memory),
            depth: args.depth,
            states: args.states,
        },
        share: args.share,
        walks: walks(args, &defaults)?,
        profile: args.explain_speed,
        every_step: args.certificate.is_some(),
        keys: args.keys,
        ..defaults
    })
}

/// The store that the arguments ask for.
fn store(args: &CheckArgs) -> Result<Option<StoreKind>, Failure> {
    if !matches!(args.chosen_store, Some(StoreKind::Bitstate(_))) {
        let given =
            [("--swarm", args.swarm), ("--bits", args.bits.is_some()), ("--hashes", args.hashes.is_some())];
        if let Some((flag, _)) = given.iter().find(|(_, given)| *given) {
            return Err(Failure::Input(format!("{flag} is for --store bitstate")));
        }
    }
    if !matches!(args.chosen_store, Some(StoreKind::Cache(_))) {
        let given = [
            ("--policy", args.policy.is_some()),
            ("--cache-states", args.cache_states.is_some()),
            ("--redundancy", args.redundancy.is_some()),
        ];
        if let Some((flag, _)) = given.iter().find(|(_, given)| *given) {
            return Err(Failure::Input(format!("{flag} is for --store cache")));
        }
    }
    let bits = Bits {
        n_bits: args.bits.map(|log| 1 << log),
        n_hashes: args.hashes.unwrap_or(Bits::default().n_hashes),
    };
    let kind = args.chosen_store.map(|store| match store {
        StoreKind::Bitstate(_) if args.swarm => StoreKind::Swarm(bits, args.seed.unwrap_or(0)),
        StoreKind::Bitstate(_) => StoreKind::Bitstate(bits),
        StoreKind::Cache(usual) => StoreKind::Cache(CachePlan {
            policy: args.policy.unwrap_or(usual.policy),
            states: args.cache_states,
            redundancy: args.redundancy.unwrap_or(usual.redundancy),
            seed: args.seed.unwrap_or(usual.seed),
        }),
        other => other,
    });
    if let Some(kind) = kind.filter(|kind| kind.is_lossy())
        && matches!(args.search, Some(Strategy::Bfs | Strategy::Switches | Strategy::Preemptions))
    {
        return Err(Failure::Input(format!(
            "--store {} keeps no states, so that only --search dfs can use it",
            kind.name()
        )));
    }
    Ok(kind)
}

/// What the arguments say about random walks, if all of them belong together.
fn walks(args: &CheckArgs, plan: &Plan) -> Result<WalkPlan, Failure> {
    let (is_walk, is_pct) = (plan.is_walk(), matches!(args.search, Some(Strategy::Pct)));
    let is_survey = args.search.is_some_and(Strategy::is_survey);
    let is_cache = matches!(args.chosen_store, Some(StoreKind::Cache(_)));
    let has_seed = is_walk || args.swarm || is_cache || is_survey;
    let wrong = [
        (
            is_walk && args.chosen_store.is_some(),
            "random walks keep no states, so that --store is not for --search walk and --search pct",
        ),
        (is_walk && args.share.is_some(), "--share is not for random walks: their estimate takes nothing"),
        (args.walks.is_some() && !is_walk, "--walks is for --search walk and --search pct"),
        (args.bug_depth.is_some() && !is_pct, "--bug-depth is for --search pct"),
        (args.round_robin.is_some() && !is_survey, "--round-robin is for --search survey and survey-dfs"),
        (
            args.seed.is_some() && !has_seed,
            "--seed is for --search walk, --search pct, --search survey, --swarm and --store cache",
        ),
    ];
    if let Some((_, message)) = wrong.into_iter().find(|(is_wrong, _)| *is_wrong) {
        return Err(Failure::Input(message.into()));
    }
    let is_limited = args.time.is_some() || args.states.is_some();
    Ok(WalkPlan {
        seed: args.seed.unwrap_or(0),
        most: args.walks.or((!is_limited).then_some(DEFAULT_WALKS)),
        bug_depth: args.bug_depth.unwrap_or(plan.walks.bug_depth),
        round_robin: args.round_robin.unwrap_or(1),
    })
}
