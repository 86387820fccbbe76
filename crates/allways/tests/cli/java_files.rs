//! Files that Java programs read: as they were at first, recorded in traces.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{assert_has, compiled};

const SOURCE: &str = "import java.io.*;
import java.util.*;

public class Config {
    static int n;

    public static void main(String[] args) throws Exception {
        File file = new File(\"app.properties\");
        if (!file.exists() || !file.isFile() || !file.canRead() || new File(\"none\").exists()) throw new IllegalStateException();
        Properties properties = new Properties();
        try (Reader in = new FileReader(file)) {
            properties.load(in);
        }
        String text;
        try (BufferedReader in = new BufferedReader(new FileReader(\"dir/data.txt\"))) {
            text = in.readLine();
        }
        try {
            new FileInputStream(\"none\");
        } catch (FileNotFoundException e) {
            text += e.getMessage();
        }
        try {
            new FileInputStream(\"dir\");
        } catch (FileNotFoundException e) {
            text += e.getMessage();
        }
        int most = Integer.parseInt(properties.getProperty(\"most\"));
        Thread other = new Thread(() -> n++);
        other.start();
        n++;
        other.join();
        System.out.println(text + \" \" + file.length() + \" \" + new File(\"dir\").isDirectory());
        assert n >= most : n;
    }
}
";

fn sandbox() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    let path = compiled(&sandbox, "Config", SOURCE);
    sandbox.write("app.properties", "most=2\n");
    sandbox.write("dir/data.txt", "first\nsecond\n");
    (sandbox, path)
}

#[test]
fn files_are_read() {
    let (sandbox, path) = sandbox();
    sandbox.write("app.properties", "most=1\n");
    let outcomes = sandbox.run(&["outcomes", "-cp", &path, "Config"]);
    assert_has(
        &outcomes.out,
        &["| firstnone (No such file or directory)dir (Is a directory) 7 true", "1 outcome;"],
    );
    let held = sandbox.run(&["check", "-q", "-cp", &path, "Config"]);
    assert_eq!(held.code, 0, "{held:?}");
}

#[test]
fn a_file_that_has_changed_stops_a_replay_by_its_name() {
    let (sandbox, path) = sandbox();
    let check = || sandbox.run(&["check", "-q", "-cp", &path, "Config"]);
    assert_eq!(check().code, 1);
    let replay = || sandbox.run(&["replay", "Config.trace"]);
    assert_eq!(replay().code, 0, "{:?}", replay());
    sandbox.write("app.properties", "most=1\n");
    let refused = replay();
    assert!(
        refused.code == 2 && refused.err.contains("app.properties, which the program reads, has changed"),
        "{refused:?}"
    );
    assert_eq!(check().code, 0);
    sandbox.write("app.properties", "most=2\n");
    assert_eq!(replay().code, 0);
    // One that was missing counts, too.
    sandbox.write("none", "");
    let refused = replay();
    assert!(
        refused.code == 2 && refused.err.contains("none, which the program reads, has changed"),
        "{refused:?}"
    );
}
