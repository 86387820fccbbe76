//! Checks a model and prints its outcome: `cargo run -p allways-session --example check -- MODEL`.

use allways_session::{Plan, Request, Session, Watch};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = std::env::args().nth(1).ok_or("name a model")?;
    let session = Session::open(Request::new(model))?;
    println!("specification {}", session.spec()?.digest());
    let checked = session.check(&Plan::default(), &Watch::default())?;
    println!("{}: {} states", checked.check.verdict.name(), checked.check.figures.states);
    for finding in &checked.findings {
        println!("{}", finding.violation.message());
        for step in session.replay(&finding.path)?.steps {
            for one in step.moves {
                println!("  {}: {}", one.process_name, one.text);
            }
        }
    }
    Ok(())
}
