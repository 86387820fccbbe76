//! What a program wants that the machine cannot do is told in words for people, not only by the name of an
//! internal method.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{assert_has, compiled};

const WANTING: &str = "import java.net.*;
import java.nio.file.*;
public class Wanting {
    static native void own();

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case \"files\" -> Files.writeString(Path.of(\"x\"), \"\");
            case \"network\" -> new DatagramSocket(0);
            case \"processes\" -> new ProcessBuilder(\"true\").start();
            default -> own();
        }
    }
}
";

#[test]
fn what_is_unsupported_is_told_by_its_subject() {
    let sandbox = Sandbox::new();
    let path = compiled(&sandbox, "Wanting", WANTING);
    for (what, line, told) in [
        ("files", 8, "unsupported: Wanting: safety, files ("),
        ("network", 9, "unsupported: Wanting: safety, the network ("),
        ("processes", 10, "unsupported: Wanting: safety, other processes ("),
        (
            "own",
            11,
            "unsupported: Wanting: safety, Wanting.own()V (called from Wanting.main(Wanting.java:11))",
        ),
    ] {
        let run = sandbox.run(&["check", "-q", "-cp", &path, "Wanting", "--", what]);
        assert_eq!(run.code, 3, "{run:?}");
        assert_has(&run.out, &[told, &format!("Wanting.java:{line}")]);
    }
}
