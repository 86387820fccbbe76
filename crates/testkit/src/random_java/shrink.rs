//! Makes a litmus program that shows a mistake small: drops threads and statements while the mistake stays.

use super::ast::{Program, Stmt};

/// The smallest program found that still `fails`: nothing in it can be dropped or replaced by its own body.
pub fn shrink(program: &Program, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    loop {
        let Some(smaller) = candidates(&smallest).into_iter().find(|candidate| fails(candidate)) else {
            return smallest;
        };
        smallest = smaller;
    }
}

/// Programs that are one step smaller, those that lose most first.
fn candidates(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    // Statements may name threads by their numbers.
    let n_free = if program.names_threads() { 0 } else { program.threads.len() };
    for idx in 0..n_free {
        let mut smaller = program.clone();
        smaller.threads.remove(idx);
        found.push(smaller);
    }
    for body in 0..program.threads.len() + 2 {
        let mut n_edits = 0;
        // The edits of a block are numbered; each candidate is the program after one of them.
        loop {
            let mut smaller = program.clone();
            let n_threads = program.threads.len();
            let block = match body.checked_sub(n_threads) {
                None => &mut smaller.threads[body].body,
                Some(0) => &mut smaller.main.beside,
                Some(_) => &mut smaller.main.after,
            };
            let mut left = n_edits;
            if !edit(block, &mut left) {
                break;
            }
            found.push(smaller);
            n_edits += 1;
        }
    }
    found
}

/// Does edit number `left` of the block; false, with `left` less the number of its edits, if it has fewer.
fn edit(block: &mut Vec<Stmt>, left: &mut usize) -> bool {
    for idx in 0..block.len() {
        if *left == 0 {
            block.remove(idx);
            return true;
        }
        *left -= 1;
        let inner = block[idx].blocks().len();
        if *left < inner {
            let body = std::mem::take(block[idx].blocks_mut()[*left]);
            block.splice(idx..=idx, body);
            return true;
        }
        *left -= inner;
        for inner in block[idx].blocks_mut() {
            if edit(inner, left) {
                return true;
            }
        }
    }
    false
}
