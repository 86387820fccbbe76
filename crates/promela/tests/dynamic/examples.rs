//! The product's examples of the extension: each with its verdict, also the broken variants.

use super::harness::{explore, figures_of, messages_of};
use allways_promela::options::{Collect, Dynamics};
use allways_promela::{FileInput, PreprocessOptions, Program, load};
use allways_search::Strategy;
use std::path::PathBuf;

fn example(file: &str, defines: &[&str]) -> Program {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela").join(file);
    let options = defines.iter().fold(PreprocessOptions::default(), |options, one| options.define(*one));
    let loaded = load(&FileInput::Path(path), &options);
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    loaded.program.unwrap_or_else(|| panic!("{file}: {messages:?}"))
}

#[test]
fn correct_variants_hold() {
    let cases: [(&str, &[&str], u64); 11] = [
        ("btree.dpml", &[], 1_940),
        ("btree.dpml", &["K=4"], 5_158),
        ("garbage_temporaries.dpml", &["N=5"], 757),
        ("garbage_none.dpml", &["N=4"], 1_991),
        ("garbage_cycles.dpml", &["STEPS=20"], 3_787),
        ("list.dpml", &[], 4_446),
        ("treiber.dpml", &[], 259),
        ("handover.dpml", &[], 852),
        ("shapes.dpml", &[], 26),
        ("mergesort.dpml", &[], 906),
        ("refcount.dpml", &[], 50),
    ];
    for (file, defines, states) in cases {
        let (n, _, errors) = figures_of(&example(file, defines));
        assert_eq!(errors, 0, "{file} {defines:?}");
        assert!(n == states || states == 0, "{file} {defines:?} has {n} states");
    }
}

#[test]
fn broken_variants_are_found() {
    let leaks = Dynamics { leaks: true, ..Dynamics::default() };
    let reuse = Dynamics { reuse_addresses: true, ..Dynamics::default() };
    let cases: [(&str, &[&str], Dynamics, &str); 9] = [
        ("btree.dpml", &["BROKEN"], Dynamics::default(), "n == root && anchored"),
        ("list.dpml", &["BROKEN"], Dynamics::default(), "dangling pointer"),
        ("treiber.dpml", &[], reuse, "dangling pointer `top`"),
        ("treiber.dpml", &["POOL=1"], Dynamics::default(), "top.value > 0"),
        ("handover.dpml", &["BROKEN"], Dynamics::default(), "dangling pointer `job`"),
        ("shapes.dpml", &["BROKEN"], Dynamics::default(), "which is null"),
        ("mergesort.dpml", &["BROKEN"], Dynamics::default(), "i == 3"),
        ("refcount.dpml", &["BROKEN"], leaks, "the Resource is leaked"),
        ("refcount.dpml", &["LATE"], Dynamics::default(), "dangling pointer `r`"),
    ];
    for (file, defines, options, text) in cases {
        let messages = messages_of(&example(file, defines).with_dynamics(options));
        assert!(messages.iter().any(|message| message.contains(text)), "{file} {defines:?}: {messages:?}");
    }
}

/// The effects of Table 2 of "Java PathFinder - second generation": many temporary objects make many more
/// states without collection; a list that only grows makes no difference; lists that are lost make no more
/// states, and larger ones, unless they are swept: counting does not find them.
#[test]
fn collection_has_the_effects_of_the_paper() {
    let figures = |file: &str, defines: &[&str], collect| {
        let program = example(file, defines).with_dynamics(Dynamics { collect, ..Dynamics::default() });
        let stats = explore(&program, Strategy::Dfs, 1).stats;
        (stats.states, stats.store_bytes)
    };
    let all = |file: &str, defines: &[&str]| {
        [Collect::Sweep, Collect::Count, Collect::None].map(|collect| figures(file, defines, collect))
    };
    let [sweep, count, none] = all("garbage_temporaries.dpml", &[]);
    assert_eq!(sweep.0, count.0);
    assert!(none.0 > 200 * sweep.0, "{} and {}", none.0, sweep.0);
    let [sweep, count, none] = all("garbage_none.dpml", &["N=5"]);
    assert!(sweep == count && count == none, "{sweep:?} {count:?} {none:?}");
    let [sweep, count, none] = all("garbage_cycles.dpml", &[]);
    assert!(sweep.0 == count.0 && count.0 == none.0, "{sweep:?} {count:?} {none:?}");
    assert!(2 * sweep.1 < none.1 && count.1 == none.1, "{sweep:?} {count:?} {none:?}");
}

#[test]
fn collection_changes_no_verdict() {
    for file in ["list.dpml", "handover.dpml", "mergesort.dpml", "refcount.dpml"] {
        for collect in [Collect::Count, Collect::None] {
            let program = example(file, &[]).with_dynamics(Dynamics { collect, ..Dynamics::default() });
            assert!(messages_of(&program).is_empty(), "{file} {collect:?}");
        }
    }
}
