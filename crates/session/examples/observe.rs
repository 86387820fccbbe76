//! Counts how many steps each state has: `cargo run -p allways-session --example observe -- MODEL`.

use allways_session::{Expanded, Observer, Plan, Request, Session, StateRef, Steps, Watch};
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
    let watch = Watch { observers: &[&degrees], ..Watch::default() };
    let checked = session.check(&Plan { workers: 1, ..Plan::default() }, &watch)?;
    println!("{}: {} states", checked.check.verdict.name(), checked.check.figures.states);
    for (n_steps, n_states) in degrees.0.into_inner()? {
        println!("{n_states} with {n_steps} steps");
    }
    Ok(())
}
