//! Plain models that are admitted to the extension: the same states, and its words as names.

use super::harness::{figures_of, loaded};
use allways_model::Model;
use allways_promela::{FileInput, PreprocessOptions, load, load_text};
use std::path::Path;

#[test]
fn words_of_the_extension_are_names_elsewhere() {
    let source = "int new, delete, null, ftype; mtype = { function };
        typedef T { int new; int ftype };
        inline return_it(x) { new = x }
        active proctype P() {
            T t; int x;
            new = 1; delete = new + 1; null = delete; x = null; ftype = 3; x = new; x = function;
            t.new = 4; t.ftype = t.new; return_it(2);
            new: delete: if :: new == 2 -> skip fi; goto new2; new2: assert(x == 1)
        }";
    let source = source.replace("new: delete: if", "if");
    let program = loaded(&source).program.expect("the model is plain");
    assert!(!program.is_dynamic());
    let plain = load_text("model.pml", &source).program.expect("it is plain Promela");
    assert_eq!(plain.digest(), program.digest());
    assert_eq!(figures_of(&plain), figures_of(&program));
}

#[test]
fn plain_models_keep_their_digests_and_figures() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/semantics/models");
    let mut n = 0;
    for entry in std::fs::read_dir(dir).expect("the models are part of the tests") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|ending| ending != "pml") {
            continue;
        }
        let input = || FileInput::Path(path.clone());
        let plain = load(&input(), &PreprocessOptions::default()).program.expect("it loads");
        let options = PreprocessOptions { dynamic: true, ..PreprocessOptions::default() };
        let dynamic = load(&input(), &options).program.expect("it loads with the extension too");
        assert!(!dynamic.is_dynamic(), "{path:?}");
        assert_eq!(plain.digest(), dynamic.digest(), "{path:?}");
        n += 1;
    }
    assert!(n > 20);
}

#[test]
fn the_extension_is_refused_in_plain_models() {
    for source in [
        "int &p; active proctype P() { skip }",
        "function f() { skip } active proctype P() { f() }",
        "int p; active proctype P() { delete(p) }",
    ] {
        assert!(load_text("model.pml", source).program.is_none(), "{source}");
    }
}
