//! Shrinks a dynamic model that shows a mistake: drops statements, one after the other, while the mistake
//! remains.

use super::ast::{Model, Stmt};
use super::flow::is_well_formed;

/// The smallest model found that still `fails`: no statement of it can be dropped or replaced by what it
/// contains.
#[must_use]
pub fn shrink(model: &Model, mut fails: impl FnMut(&Model) -> bool) -> Model {
    let mut smallest = model.clone();
    let mut at = 0;
    loop {
        let mut smaller = smallest.clone();
        let mut left = at;
        let bodies = smaller.processes.iter_mut().chain(&mut smaller.functions);
        let mut has_edit = false;
        for body in bodies {
            if edit(&mut body.stmts, &mut left) {
                if body.stmts.is_empty() {
                    body.stmts.push(Stmt::Skip);
                }
                has_edit = true;
                break;
            }
        }
        if !has_edit {
            return smallest;
        }
        let bodies = || smaller.processes.iter().chain(&smaller.functions);
        if bodies().all(is_well_formed) && fails(&smaller) {
            smallest = smaller;
            at = 0;
        } else {
            at += 1;
        }
    }
}

/// Makes the edit with this number, if there are enough edits: each statement can be dropped, or replaced by
/// its parts. Otherwise subtracts the number of edits from it.
fn edit(stmts: &mut Vec<Stmt>, left: &mut usize) -> bool {
    for idx in 0..stmts.len() {
        if *left == 0 && !(stmts.len() == 1 && matches!(stmts[0], Stmt::Skip)) {
            stmts.remove(idx);
            return true;
        }
        *left = left.saturating_sub(1);
        let inner: Vec<&mut Vec<Stmt>> = match &mut stmts[idx] {
            Stmt::If(options, otherwise) => {
                if *left == 0 && options.len() + usize::from(otherwise.is_some()) > 1 && options.len() > 1 {
                    options.pop();
                    return true;
                }
                *left = left.saturating_sub(1);
                options.iter_mut().chain(otherwise).collect()
            }
            Stmt::Repeat(_, _, body) | Stmt::Scope(_, body) => vec![body],
            Stmt::Atomic(body) => {
                if *left == 0 {
                    let body = std::mem::take(body);
                    stmts.splice(idx..=idx, body);
                    return true;
                }
                *left -= 1;
                vec![body]
            }
            _ => Vec::new(),
        };
        for block in inner {
            if edit(block, left) {
                if block.is_empty() {
                    block.push(Stmt::Skip);
                }
                return true;
            }
        }
    }
    false
}
