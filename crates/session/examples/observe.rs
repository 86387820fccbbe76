//! Counts how many steps each state has: `cargo run -p allways-session --example observe -- MODEL`.

use allways_search::{Config, Expanded, Observer, StateRef, Steps, search};
use allways_session::{Request, Session, Strategy};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;

/// The number of states with each number of steps.
#[derive(Default)]
struct Degrees(Mutex<BTreeMap<usize, u64>>);

impl Observer for Degrees {
    fn steps(&self, _: StateRef, steps: &Steps<'_>, _: Expanded) -> ControlFlow<()> {
        *self.0.lock().expect("no holder panics").entry(steps.len()).or_default() += 1;
        ControlFlow::Continue(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = std::env::args().nth(1).ok_or("name a model")?;
    let session = Session::open(Request::new(model))?;
    let degrees = Degrees::default();
    let outcome = session.with_model(|model| search(model, Strategy::Dfs, &degrees, &Config::new(1)));
    println!("{} states", outcome.stats.states);
    for (n_steps, n_states) in degrees.0.into_inner()? {
        println!("{n_states} with {n_steps} steps");
    }
    Ok(())
}
