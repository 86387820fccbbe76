//! The options of Promela models.

use allways_model::options::{OptionSpec, Settings, Takes, anything};

/// The directories to search for included files.
pub const INCLUDE: &str = "include";
/// Whether pointers, `new` and functions are enabled.
pub const DYNAMIC: &str = "dynamic";
/// The optimisations to switch off, to measure what they save.
pub const WITHOUT: &str = "without";

/// Which variables the reductions keep for conditions that are asked about later.
pub const OBSERVE: &str = "observe";

/// All options.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "define",
        short: Some('D'),
        takes: Takes::Many("NAME[=VALUE]"),
        help: "Define a macro for the preprocessor",
        check: anything,
    },
    OptionSpec {
        name: "undefine",
        short: Some('U'),
        takes: Takes::Many("NAME"),
        help: "Forget a macro, also one of -D",
        check: anything,
    },
    OptionSpec {
        name: INCLUDE,
        short: Some('I'),
        takes: Takes::Places("DIR"),
        help: "Look for included files in this directory too",
        check: anything,
    },
    OptionSpec {
        name: "no-assertions",
        short: None,
        takes: Takes::Nothing,
        help: "Let assertions fail without being reported, as pan -A",
        check: anything,
    },
    OptionSpec {
        name: "no-end-states",
        short: None,
        takes: Takes::Nothing,
        help: "Let processes stop anywhere: invalid end states are not reported, as pan -E",
        check: anything,
    },
    OptionSpec {
        name: DYNAMIC,
        short: None,
        takes: Takes::Nothing,
        help: "Admit pointers, new, delete, functions and scopes, as the name .dpml does",
        check: anything,
    },
    OptionSpec {
        name: "collect",
        short: None,
        takes: Takes::One("HOW"),
        help: "Drop lost objects by sweep (default), by count of references, or none of them",
        check: collection,
    },
    OptionSpec {
        name: "reuse-addresses",
        short: None,
        takes: Takes::Nothing,
        help: "Let new also give the address of any deleted object of the same type",
        check: anything,
    },
    OptionSpec {
        name: WITHOUT,
        short: None,
        takes: Takes::List("LIST"),
        help: "Without symmetry (Java: dead-locals, caches, undo, sleep, pools, acquires, order)",
        check: left_out,
    },
    OptionSpec {
        name: "leaks",
        short: None,
        takes: Takes::Nothing,
        help: "Report objects that are lost without being deleted",
        check: anything,
    },
    OptionSpec {
        name: "max-frames",
        short: None,
        takes: Takes::One("N"),
        help: "How deep calls of a process may nest (default 1000)",
        check: frames,
    },
    OptionSpec {
        name: "max-objects",
        short: None,
        takes: Takes::One("N"),
        help: "How many objects there may be (default 1000)",
        check: objects,
    },
    OptionSpec {
        name: OBSERVE,
        short: None,
        takes: Takes::Many("NAME"),
        help: "Keep a global variable (Java: a field, Buffer.count) for certify --invariant later",
        check: anything,
    },
];

/// The largest `--max-objects`: object numbers have sixteen bits.
pub(crate) const MOST_OBJECTS: u32 = 65_000;

/// How objects that are no longer referred to are treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Collect {
    /// They are not part of the state.
    #[default]
    Sweep,
    /// They are not part of the state once no reference to them exists at all: cycles stay.
    Count,
    /// They stay part of the state.
    None,
}

/// Settings of the dynamic features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dynamics {
    /// How objects that are no longer referred to are treated.
    pub collect: Collect,
    /// Whether `new` may give the address of a deleted object.
    pub reuse_addresses: bool,
    /// Whether objects are numbered in the order in which they are reached, instead of the order of their
    /// allocation.
    pub symmetry: bool,
    /// Whether lost objects are violations.
    pub leaks: bool,
    /// The maximal depth of calls.
    pub max_frames: u32,
    /// The maximal number of objects.
    pub max_objects: u32,
}

impl Default for Dynamics {
    fn default() -> Self {
        Self {
            collect: Collect::Sweep,
            reuse_addresses: false,
            symmetry: true,
            leaks: false,
            max_frames: 1_000,
            max_objects: 1_000,
        }
    }
}

impl Dynamics {
    /// Reads the settings from the options.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        let default = Self::default();
        let number = |name: &str, default: u32| {
            settings.value(name).and_then(|value| value.parse().ok()).unwrap_or(default)
        };
        Self {
            collect: match settings.value("collect") {
                Some("count") => Collect::Count,
                Some("none") => Collect::None,
                _ => Collect::Sweep,
            },
            reuse_addresses: settings.is_on("reuse-addresses"),
            symmetry: !settings.values(WITHOUT).any(|part| part == "symmetry"),
            leaks: settings.is_on("leaks"),
            max_frames: number("max-frames", default.max_frames),
            max_objects: number("max-objects", default.max_objects),
        }
    }
}

fn collection(value: &str) -> Result<(), String> {
    match value {
        "sweep" | "count" | "none" => Ok(()),
        _ => Err("there are sweep, count and none".into()),
    }
}

fn left_out(value: &str) -> Result<(), String> {
    match value {
        "symmetry" => Ok(()),
        _ => Err("only symmetry can be switched off in Promela models".into()),
    }
}

fn frames(value: &str) -> Result<(), String> {
    within(value, 32_000)
}

fn objects(value: &str) -> Result<(), String> {
    within(value, MOST_OBJECTS)
}

fn within(value: &str, most: u32) -> Result<(), String> {
    match value.parse::<u32>() {
        Ok(n) if (1..=most).contains(&n) => Ok(()),
        _ => Err(format!("a number from 1 to {most} is needed")),
    }
}
