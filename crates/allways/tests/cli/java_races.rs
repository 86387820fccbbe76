//! Data races of Java programs: a note behind the verdict, and violations with `--races`.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{assert_has, classes, refused, run};

#[test]
fn data_races_are_told_and_shown_on_request() {
    let sandbox = Sandbox::new();
    let told = run(&sandbox, "check", "Racer", &["--", "plain"]);
    assert_eq!(told.code, 0, "{told:?}");
    assert_has(
        &told.out,
        &["data race on Racer.plain: ", " at Racer.java:8", "sequentially\nconsistent runs"],
    );
    let shown = run(&sandbox, "check", "Racer", &["--races", "--", "plain"]);
    assert_eq!(shown.code, 1, "{shown:?}");
    assert_has(&shown.out, &["violated: Racer, data race on Racer.plain", "holding no lock\n    at Racer."]);
    let replay = sandbox.run(&["replay", "Racer.trace"]);
    assert!(replay.code == 0 && replay.out.contains("data race on Racer.plain"), "{replay:?}");
    let json = run(&sandbox, "check", "Racer", &["--json", "--races", "--", "plain"]);
    assert!(json.out.contains("\"kind\": \"race\""), "{json:?}");
    let half = run(&sandbox, "check", "Racer", &["--races", "--", "half"]);
    assert_eq!(half.code, 1, "{half:?}");
    assert_has(&half.out, &["holding Racer.class", "holding no lock"]);
    for mode in ["atomic", "monitor", "lock", "handed", "single"] {
        let calm = run(&sandbox, "check", "Racer", &["--races", "--", mode]);
        assert!(calm.code == 0 && !calm.out.contains("data race"), "{mode}: {calm:?}");
    }
    let args = ["check", "--races", "--no-reduce", "-cp", classes(), "Racer", "--", "plain"];
    refused(&sandbox, &args, "--races needs the reduction");
}
