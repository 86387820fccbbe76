//! Translates formulas.
//!
//! `cargo run -p allways-ltl --example translate -- '[] (p -> <> q)'` prints what `spin -f` would; with
//! `--hoa` in front, the same in the Hanoi Omega-Automata format.

use allways_ltl::{Named, parse, translate};

fn main() {
    let mut hoa = false;
    for text in std::env::args().skip(1) {
        if text == "--hoa" {
            hoa = true;
            continue;
        }
        let result = parse(&text).and_then(|(formula, names)| Ok((translate(&formula)?, names)));
        match result {
            Ok((automaton, names)) if hoa => print!("{}", Named { automaton, names, title: text }.to_hoa()),
            Ok((automaton, names)) => {
                print!("/* {text} */\n{}", automaton.to_never_claim(|atom| names[atom as usize].clone()));
            }
            Err(error) => {
                eprintln!("{text}: {error}");
                std::process::exit(1);
            }
        }
    }
}
