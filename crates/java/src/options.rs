//! The options of Java programs.

use crate::network::failures::Kind;
use crate::processes::topology::check_process;
use crate::state::form::Form;
use allways_model::options::{OptionSpec, Takes, anything};

const fn option(name: &'static str, takes: Takes, help: &'static str) -> OptionSpec {
    OptionSpec { name, short: None, takes, help, check: anything }
}

/// All options.
pub const OPTIONS: &[OptionSpec] = &[
    option(
        "class-path",
        Takes::SearchPath("PATH"),
        "Where the classes of a Java program are: directories and jar files (also -cp)",
    ),
    option(
        "jdk",
        Takes::Place("DIR"),
        "The JDK to run on [default: JAVA_HOME, or that of the java on the PATH]",
    ),
    option("source", Takes::Places("DIR"), "Look for source text in this directory too"),
    option("random", Takes::Nothing, "Let java.util.Random give every possible value, not one"),
    option(
        "end-with-main",
        Takes::Nothing,
        "End a Java program when its main has ended, whatever other threads do",
    ),
    option(
        "jdk-locks",
        Takes::Nothing,
        "Run the locks of java.util.concurrent on the JDK's own class, which has many more steps",
    ),
    option("simple-locks", Takes::Nothing, "Accepted and ignored: what it did is the default"),
    OptionSpec {
        check: wake_ups,
        ..option(
            "spurious",
            Takes::One("N"),
            "How many waits of a Java program may end spuriously in a run, 0 to 100 [default: 0]",
        )
    },
    OptionSpec {
        check: processors,
        ..option(
            "processors",
            Takes::One("N"),
            "The number of processors that a Java program sees, 1 to 1024 [default: 2]",
        )
    },
    OptionSpec {
        check: exit_status,
        ..option(
            "allow-exit",
            Takes::List("LIST"),
            "Exit statuses of a Java program beside 0 that are not violations, such as 1,2",
        )
    },
    OptionSpec {
        check: timeouts,
        ..option(
            "timeouts",
            Takes::One("WHEN"),
            "Timed waits end at any time, punctual, or idle: if no thread can go on [default: any]",
        )
    },
    option("races", Takes::Nothing, "Take data races of a Java program for violations"),
    OptionSpec {
        check: form_part,
        ..option(
            "without",
            Takes::List("LIST"),
            "Search without these, to compare: symmetry, dead-locals, caches, undo, sleep, pools, acquires, order",
        )
    },
    OptionSpec {
        check: collector,
        ..option(
            "collect",
            Takes::One("HOW"),
            "Find garbage by sweep, count (of references) or none [default: sweep]",
        )
    },
    OptionSpec {
        check: check_process,
        ..option(
            "process",
            Takes::Many("NAME=MAIN"),
            "Check several programs in one search, not MODEL: 'NAME=MAIN ARGS', or 'NAME*N=...' for N",
        )
    },
    option("after", Takes::Many("NAME"), "Start all other processes when this one has listened or ended"),
    option(
        "service",
        Takes::Many("NAME"),
        "This process may wait for requests without end when all others have ended",
    ),
    OptionSpec {
        check: buffer,
        ..option(
            "socket-buffer",
            Takes::One("BYTES"),
            "A write to a socket waits when this many bytes are unread, 1 to 16777216 [default: 65536]",
        )
    },
    OptionSpec {
        check: wake_ups,
        ..option(
            "failures",
            Takes::One("N"),
            "How many failures of network and processes a run may have, 0 to 100 [default: 0]",
        )
    },
    OptionSpec {
        check: failure_kind,
        ..option(
            "failure-kinds",
            Takes::List("LIST"),
            "reset [default], refuse, timeout, accept, silence, crash, terminate; short-reads, delay",
        )
    },
    option(
        "invariant",
        Takes::Many("CONDITION"),
        "A condition for every state, such as 'Buffer.count >= 0' (certify: Promela too)",
    ),
    option(
        "observe",
        Takes::Many("NAME"),
        "Keep a global variable (Java: a field, Buffer.count) for certify --invariant later",
    ),
];

/// The ways to find garbage.
pub const COLLECTORS: [&str; 3] = ["sweep", "count", "none"];

fn wake_ups(value: &str) -> Result<(), String> {
    match value.parse() {
        Ok(0..=100_u32) => Ok(()),
        _ => Err("a number from 0 to 100 is needed".into()),
    }
}

fn exit_status(value: &str) -> Result<(), String> {
    match value.parse() {
        Ok(1..=255_u8) => Ok(()),
        _ => Err("a number from 1 to 255 is needed".into()),
    }
}

fn processors(value: &str) -> Result<(), String> {
    match value.parse() {
        Ok(1..=1024_u32) => Ok(()),
        _ => Err("a number from 1 to 1024 is needed".into()),
    }
}

fn buffer(value: &str) -> Result<(), String> {
    match value.parse() {
        Ok(1..=0x100_0000_u32) => Ok(()),
        _ => Err("a number from 1 to 16777216 is needed".into()),
    }
}

fn timeouts(value: &str) -> Result<(), String> {
    one_of(value, &["any", "punctual", "idle"])
}

fn form_part(value: &str) -> Result<(), String> {
    one_of(value, &Form::PARTS)
}

fn collector(value: &str) -> Result<(), String> {
    one_of(value, &COLLECTORS)
}

fn failure_kind(value: &str) -> Result<(), String> {
    Kind::of(value).map(|_| ())
}

fn one_of(value: &str, known: &[&str]) -> Result<(), String> {
    if known.contains(&value) { Ok(()) } else { Err(format!("there are {}", known.join(", "))) }
}
