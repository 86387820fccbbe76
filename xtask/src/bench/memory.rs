//! Bytes a state of a compressing store against `pan -DCOLLAPSE` on the same graphs.

use super::own;
use super::pan::Pan;
use super::speed::MIN_STATES;
use super::table::{Table, held, widest};
use super::{Options, Part};
use crate::cases::{Case, corpus};

/// What we want: bytes a state on average, and the part of what COLLAPSE takes.
const TARGET: (f64, f64) = (16.0, 0.25);

/// Bytes a state.
struct Bytes {
    /// Everything of our store.
    own: f64,
    /// Store, side tables and stacks at their largest.
    own_peak: f64,
    /// pan's own figure for states, without its hash table.
    pan_states: f64,
    /// With it.
    pan: f64,
}

pub(crate) fn run(options: &Options) -> Part {
    let store = options.store.as_deref().unwrap_or("tree");
    let mut cases = corpus();
    cases.retain(|case| case.stored > MIN_STATES && options.wants(&case.name, case.stored));
    cases.sort_by_key(|case| case.stored);
    let first = widest(cases.iter().map(|case| case.name.as_str()));
    let mut table = Table::new(
        first,
        &["model", "states", "pan st B", "pan all B", "own B", "own peak B", "own/st", "own/all"],
    );
    let mut all = Vec::new();
    let mut ok = true;
    for case in &cases {
        match measure(case, store, options) {
            Ok(bytes) => {
                table.row(&[
                    case.name.clone(),
                    case.stored.to_string(),
                    format!("{:.1}", bytes.pan_states),
                    format!("{:.1}", bytes.pan),
                    format!("{:.1}", bytes.own),
                    format!("{:.1}", bytes.own_peak),
                    format!("{:.2}", bytes.own / bytes.pan_states),
                    format!("{:.2}", bytes.own / bytes.pan),
                ]);
                all.push(bytes);
            }
            Err(why) => {
                ok = false;
                table.line(&format!("{:first$} {why}", case.name));
            }
        }
    }
    let mut summary = Vec::new();
    if !all.is_empty() {
        let mean = |value: fn(&Bytes) -> f64| all.iter().map(value).sum::<f64>() / all.len() as f64;
        let (own, states, pan) = (mean(|b| b.own), mean(|b| b.pan_states), mean(|b| b.pan));
        let met = own <= TARGET.0 && own / pan <= TARGET.1;
        summary.push(format!(
            "{} corpus models: {own:.1} bytes a state on average, {:.2} of COLLAPSE's {pan:.1} with its hash table and \
             {:.2} of its {states:.1} without (wanted {:.0} bytes and {:.2}: {})",
            all.len(),
            own / pan,
            own / states,
            TARGET.0,
            TARGET.1,
            held(met)
        ));
    }
    let how = format!(
        "Allways with one worker and the `{store}` store: table, nodes and everything else that the store allocated; the \
         peak also holds side tables and the stack. `pan` with `-DCOLLAPSE` on the same graph: its `actual memory usage \
         for states` (st), and that with its hash table of one slot a state (all)."
    );
    Part { title: "Memory", how, table: table.into_text(), summary, ok }
}

fn measure(case: &Case, store: &str, options: &Options) -> Result<Bytes, String> {
    let ours = own::run(case, own::How { store, ..options.how(1) })?;
    let theirs = Pan::build(case, &["-DCOLLAPSE"])?.run()?;
    let per_state = |bytes: f64| bytes / case.stored as f64;
    Ok(Bytes {
        own: per_state(ours.stats.store_bytes as f64),
        own_peak: per_state(ours.stats.total_bytes as f64),
        pan_states: per_state(theirs.states_bytes),
        pan: per_state(theirs.states_bytes + theirs.table_bytes),
    })
}
