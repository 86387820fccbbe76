//! Searches at random as the command line names them: what belongs to them, what does not, and what they have seen.

use crate::cli::{CheckArgs, Search};
use crate::failure::Failure;
use allways_report::{Chance, WalkReport};
use allways_search::{Outcome, WalkPlan};

/// So many walks are walked if nothing else ends them.
const DEFAULT_WALKS: u64 = 1000;

/// Whether the search goes at random.
pub(crate) fn is_walk(args: &CheckArgs) -> bool {
    matches!(args.search, Some(Search::Walk | Search::Pct))
}

/// What the arguments say about walks, if all of them belong together.
pub(crate) fn plan(args: &CheckArgs) -> Result<WalkPlan, Failure> {
    let is_pct = matches!(args.search, Some(Search::Pct));
    let input = |message: &str| Err(Failure::Input(message.into()));
    if is_walk(args) && args.chosen_store.is_some() {
        return input(
            "random walks keep no states, so that --store is not for --search walk and --search pct",
        );
    }
    if args.walks.is_some() && !is_walk(args) {
        return input("--walks is for --search walk and --search pct");
    }
    if args.bug_depth.is_some() && !is_pct {
        return input("--bug-depth is for --search pct");
    }
    if args.seed.is_some() && !is_walk(args) && !args.swarm {
        return input("--seed is for --search walk, --search pct and --swarm");
    }
    let is_limited = args.time.is_some() || args.states.is_some();
    let plan = WalkPlan { seed: args.seed.unwrap_or(0), ..WalkPlan::default() };
    Ok(WalkPlan {
        most: args.walks.or((!is_limited).then_some(DEFAULT_WALKS)),
        bug_depth: args.bug_depth.unwrap_or(plan.bug_depth),
        ..plan
    })
}

/// What walks have seen, if the search was made of them.
pub(crate) fn report(plan: WalkPlan, outcome: &Outcome) -> Option<WalkReport> {
    let walks = outcome.walks?;
    Some(WalkReport {
        seed: plan.seed,
        n_walks: walks.n_walks,
        n_steps: walks.n_steps,
        cut: (walks.n_cut > 0).then_some((walks.n_cut, walks.max_steps)),
        expected_new: walks.expected_new(),
        unseen: walks.unseen(),
        chance: walks.guarantee.map(|guarantee| Chance {
            bug_depth: guarantee.bug_depth,
            n_processes: guarantee.n_actors,
            n_steps: guarantee.n_steps,
            n_walks: guarantee.n_walks,
            of_one: guarantee.of_one(),
            of_all: guarantee.of_all(),
        }),
    })
}
