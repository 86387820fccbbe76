//! The options of Promela models.

use allways_model::options::{OptionSpec, Takes, anything};

/// Where included files are found.
pub const INCLUDE: &str = "include";

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
];
