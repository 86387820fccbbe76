//! Native methods say what they access: where two threads use the same thing and one of them by a native
//! method, all outcomes are found.
//!
//! Each program has two operations in a row whose result in between can be seen, so that an access that is
//! not listed loses an outcome.

use crate::compile;
use crate::contracts::{cases, differences};
use allways_java::Options;

#[test]
fn native_methods_list_what_they_access() {
    let (cases, files) = cases("accesses");
    let classes = compile::directory("accesses");
    compile::javac(&files, &classes);
    let wrong = differences(&cases, &classes, "", 20_000, Options::default());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
