//! Data races of Java programs: a note behind the verdict, and violations with `--races`.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{assert_has, classes, compiled, refused, run};

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
    assert_has(
        &shown.out,
        &["violated: Racer: safety, data race on Racer.plain", "holding no lock\n    at Racer."],
    );
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

#[test]
fn races_through_methods_of_the_class_library_are_the_programs_own() {
    let sandbox = Sandbox::new();
    let source = "import java.util.Arrays;
public class Through {
    static final int[] ROW = {1, 2}, OTHER = {1, 2};
    static final char[] LETTERS = {'a', 'b'};
    static final StringBuilder TEXT = new StringBuilder();

    static void use(String how, boolean first) {
        switch (how) {
            case \"equals\" -> { if (first) ROW[1] = 4; else Arrays.equals(ROW, OTHER); }
            case \"valueOf\" -> { if (first) LETTERS[0] = 'x'; else String.valueOf(LETTERS); }
            case \"append\" -> TEXT.append('x');
            case \"hash\" -> \"a long text\".concat(how).hashCode();
            case \"both\" -> { Arrays.equals(ROW, OTHER); String.valueOf(LETTERS); }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> use(args[0], true));
        other.start();
        use(args[0], false);
        other.join();
    }
}
";
    let path = compiled(&sandbox, "Through", source);
    let code = |how: &str| sandbox.run(&["check", "-q", "--races", "-cp", &path, "Through", "--", how]).code;
    for how in ["equals", "valueOf", "append"] {
        assert_eq!(code(how), 1, "{how}");
    }
    for how in ["hash", "both"] {
        assert_eq!(code(how), 0, "{how}");
    }
}

#[test]
fn outcomes_beyond_sequential_consistency_are_mentioned_only_with_a_race() {
    let sandbox = Sandbox::new();
    let racy = run(&sandbox, "outcomes", "Racer", &["--", "plain"]);
    assert_eq!(racy.code, 0, "{racy:?}");
    assert_has(&racy.err, &["data race on Racer.plain: ", "sequentially consistent runs"]);
    for mode in ["atomic", "monitor", "lock", "handed", "single"] {
        for command in ["outcomes", "check"] {
            let calm = run(&sandbox, command, "Racer", &["--", mode]);
            let said = format!("{}{}", calm.out, calm.err);
            assert!(
                calm.code == 0 && !said.contains("consistent") && !said.contains("race"),
                "{mode}: {calm:?}"
            );
        }
    }
}
