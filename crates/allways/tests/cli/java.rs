//! The Java programs that tests of the command line run, and what it takes to compile and run them. The tests
//! are in the files `java_*.rs`, by what they are about.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::{Run, Sandbox};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Where the choices for programs are.
pub(crate) const API: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../java/api/src/allways/Choose.java");
/// Where the examples' source is.
pub(crate) const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/java");

/// Programs that are not among the examples.
const PROGRAMS: [(&str, &str); 14] = [
    (
        "Abandoned.java",
        "public class Abandoned {
    static final java.util.concurrent.locks.ReentrantLock LOCK = new java.util.concurrent.locks.ReentrantLock();
    static volatile int beat;

    public static void main(String[] args) {
        new Thread(() -> LOCK.lock(), \"careless\").start();
        new Thread(() -> { LOCK.lock(); LOCK.unlock(); }, \"next\").start();
        while (true) beat = 1 - beat;
    }
}
",
    ),
    (
        "Racer.java",
        "public class Racer {
    static int plain;
    static volatile int atomic;
    static final java.util.concurrent.locks.Lock LOCK = new java.util.concurrent.locks.ReentrantLock();

    static void act(String mode, boolean first) {
        switch (mode) {
            case \"plain\" -> plain = plain + 1;
            case \"atomic\" -> atomic = atomic + 1;
            case \"monitor\" -> { synchronized (Racer.class) { plain++; } }
            case \"half\" -> { if (first) plain++; else synchronized (Racer.class) { plain++; } }
            case \"lock\" -> { LOCK.lock(); try { plain++; } finally { LOCK.unlock(); } }
            case \"single\" -> { if (first) plain++; }
            case \"handed\" -> {
                if (first) { plain = 1; atomic = 1; } else if (atomic == 1) plain = 2;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> act(args[0], true));
        other.start();
        act(args[0], false);
        other.join();
        plain = 0;
    }
}
",
    ),
    (
        "Thrower.java",
        "public class Thrower {
    public static void main(String[] args) throws Exception {
        Thread worker = new Thread(() -> {
            int[] none = new int[0];
            none[3] = 1;
        }, \"worker\");
        worker.start();
        worker.join();
    }
}
",
    ),
    (
        "Greeter.java",
        "public class Greeter {
    public static void main(String[] args) {
        new Thread(() -> System.out.println(\"left\")).start();
        new Thread(() -> System.out.println(\"right\")).start();
    }
}
",
    ),
    (
        "Leaver.java",
        "public class Leaver {
    public static void main(String[] args) {
        System.out.println(args.length + \" \" + String.join(\",\", args));
        System.exit(args.length);
    }
}
",
    ),
    (
        "shop/Till.java",
        "package shop;

public class Till {
    static int total;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> total += 5, \"a\");
        a.start();
        total += 7;
        a.join();
        assert total == 12 : total;
    }
}
",
    ),
    ("NoMain.java", "public class NoMain {}\n"),
    ("HiddenMain.java", "class HiddenMain {\n    static void main(String[] args) {}\n}\n"),
    (
        "Reader.java",
        "public class Reader {
    public static void main(String[] args) throws Exception {
        try (java.io.FileInputStream in = new java.io.FileInputStream(\"/proc/self/status\")) {
            System.out.println(in.read());
        } catch (java.io.IOException e) {
            System.out.println(\"not there\");
        }
    }
}
",
    ),
    (
        "Caller.java",
        "public class Caller {
    public static void main(String[] args) throws Exception {
        try {
            new java.net.DatagramSocket(9).close();
        } catch (Exception e) {
            System.out.println(\"nobody there\");
        }
    }
}
",
    ),
    (
        "Chooser.java",
        "import allways.Choose;

public class Chooser {
    public static void main(String[] args) {
        int n = Choose.range(1, 3);
        Choose.assume(n != 2);
        System.out.println(n + \" \" + Choose.of(\"a\", \"b\"));
    }
}
",
    ),
    (
        "Patient.java",
        "public class Patient {
    public static void main(String[] args) throws Exception {
        Object bell = new Object();
        Thread ringer = new Thread(() -> {
            synchronized (bell) {
                bell.notify();
            }
        });
        synchronized (bell) {
            ringer.start();
            bell.wait(Long.MAX_VALUE);
        }
        ringer.join();
    }
}
",
    ),
    (
        "Poller.java",
        "public class Poller {
    static boolean done;

    public static void main(String[] args) throws Exception {
        new Thread(() -> done = true).start();
        while (!done) {
            Thread.sleep(1);
        }
    }
}
",
    ),
    (
        "Dice.java",
        "import java.util.Random;

public class Dice {
    public static void main(String[] args) {
        System.out.println(new Random(1).nextInt(3));
    }
}
",
    ),
];

/// The directory with the classes of all programs; compiled once.
pub(crate) fn classes() -> &'static str {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    let directory = CLASSES.get_or_init(|| {
        let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("java");
        let _ = std::fs::remove_dir_all(&root);
        let (source, classes) = (root.join("src"), root.join("classes"));
        std::fs::create_dir_all(source.join("shop")).unwrap();
        std::fs::create_dir_all(&classes).unwrap();
        let mut files: Vec<PathBuf> = std::fs::read_dir(EXAMPLES)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "java"))
            .collect();
        files.push(API.into());
        for (name, text) in PROGRAMS {
            std::fs::write(source.join(name), text).unwrap();
            files.push(source.join(name));
        }
        jdk("javac", |command| command.arg("-nowarn").arg("-d").arg(&classes).args(&files));
        classes
    });
    directory.to_str().unwrap()
}

/// Runs a tool of the JDK.
pub(crate) fn jdk(tool: &str, with: impl FnOnce(&mut Command) -> &mut Command) {
    let mut command = Command::new(tool);
    let output = with(&mut command).output().unwrap_or_else(|error| {
        panic!("{tool} cannot be run ({error}): these tests need a JDK, which cargo xtask test installs")
    });
    assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A command on the compiled programs; `args` after the main class.
pub(crate) fn run(sandbox: &Sandbox, command: &str, main: &str, args: &[&str]) -> Run {
    sandbox.run(&[&[command, "-cp", classes(), main], args].concat())
}

pub(crate) fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

pub(crate) fn refused(sandbox: &Sandbox, args: &[&str], says: &str) {
    let run = sandbox.run(args);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?} {run:?}");
    assert!(run.err.contains(says), "{args:?}: {says}\n{}", run.err);
    assert!(!run.err.contains("panicked"), "{}", run.err);
}

/// Copies a class out of the compiled ones.
pub(crate) fn copy_class(sandbox: &Sandbox, class: &str, to: &str) {
    sandbox.write(to, std::fs::read(Path::new(classes()).join(class)).unwrap());
}

/// Compiles a program of one class and gives the directory.
pub(crate) fn compiled(sandbox: &Sandbox, name: &str, text: &str) -> String {
    let file = sandbox.0.join(format!("{name}.java"));
    std::fs::write(&file, text).expect("it can be written");
    let directory = sandbox.0.join("compiled");
    jdk("javac", |command| command.arg("-d").arg(&directory).arg(&file));
    directory.to_string_lossy().into_owned()
}
