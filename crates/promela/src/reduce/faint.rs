//! Omits writes to globals that are never read, such as counters kept for people.
//!
//! A global is *faint* if the only statements that read it update that variable itself (`n++`): nothing else
//! depends on its value. Assignments to it are dropped, and it keeps its initial value. Their operands are
//! still evaluated, so an error in them is still reported; an assignment under an index that could be out of
//! range is kept unless the value contains the same element. Printing counts as reading, and so does
//! everything an observer reads. Models with claims are left unchanged, because a claim may read any global.
//! So are models with dynamic features, because a pointer may.

use super::access::{self, Access, Output};
use crate::ir::{Action, Base, Expr, Field, Notation, ScalarPlace, Setup, Target, Type};
use crate::lower::Lowered;

/// A range of the globals: start and end.
pub(super) type Extent = (u32, u32);

/// Drops assignments to faint globals. Returns the faint globals.
pub(super) fn forget(lowered: &mut Lowered) -> Vec<Extent> {
    // What pointers read is not known here.
    if !lowered.claims.is_empty() || lowered.trace.is_some() || lowered.dynamic.is_some() {
        return Vec::new();
    }
    let mut faint = candidates(lowered);
    for extent in reads(lowered) {
        faint.retain(|candidate| !overlap(*candidate, extent));
    }
    if faint.is_empty() {
        return faint;
    }
    let is_faint = |target: &Target| match target {
        Target::Place(place) if place.base == Base::Global => {
            let (start, end, _) = access::range(place);
            faint.iter().any(|candidate| overlap(*candidate, (start, end)))
        }
        _ => false,
    };
    for statement in lowered.proctypes.iter_mut().flat_map(|proctype| &mut proctype.statements) {
        match &mut statement.action {
            Action::Assign(target, value) if is_faint(target) => *target = forgotten(target, Some(value)),
            Action::Receive(receive) => {
                for field in &mut receive.fields {
                    if let Field::Store(target) = field
                        && is_faint(target)
                    {
                        *target = forgotten(target, None);
                    }
                }
            }
            _ => {}
        }
    }
    faint
}

/// The target that replaces a faint variable in an assignment of `value`, or in a receive. A value that may
/// not fit the variable is still noticed. For an update the value is not known, because the variable keeps
/// its initial value.
fn forgotten(target: &Target, value: Option<&Expr>) -> Target {
    let Target::Place(place) = target else { return Target::Discard };
    let is_update = |value: &Expr| !update(place, value).1.iter().any(|rest| std::ptr::eq(*rest, value));
    match value {
        Some(value) if is_update(value) || place.scalar.fits(value.range()) => Target::Discard,
        _ => Target::Forgotten(place.scalar),
    }
}

fn overlap(a: Extent, b: Extent) -> bool {
    a.0 < b.1 && b.0 < a.1
}

/// The global variables that can be faint.
fn candidates(lowered: &Lowered) -> Vec<Extent> {
    let plain = lowered.globals.iter().filter_map(|variable| match &variable.ty {
        Type::Scalar(scalar, notation) if *notation != Notation::Chan => {
            // The elements of bit arrays are bytes.
            let size = scalar.size() * variable.array.unwrap_or(1);
            Some((variable.offset, variable.offset + size))
        }
        _ => None,
    });
    plain.collect()
}

/// The parts of the globals that are read for more than an update of themselves, or that must be written.
fn reads(lowered: &Lowered) -> Vec<Extent> {
    let mut reads = Vec::new();
    let mut note = |access: Access<'_>| {
        if let Access::Global { start, end, write: false, .. } = access {
            reads.push((start, end));
        }
    };
    let mut kept = Vec::new();
    let mut note_target = |target: &Target, value: Option<&ScalarPlace>| {
        if let Target::Place(place) = target
            && place.base == Base::Global
            && !access::range(place).2
            && value != Some(place)
        {
            let (start, end, _) = access::range(place);
            kept.push((start, end));
        }
    };
    for proctype in &lowered.proctypes {
        for (idx, statement) in proctype.statements.iter().enumerate() {
            match &statement.action {
                // The statements inside are listed separately.
                Action::DStep(_) => {}
                Action::Assign(target @ Target::Place(place), value) if !statement.has_run => {
                    let (updated, rest) = update(place, value);
                    note_target(target, updated);
                    rest.iter().for_each(|e| access::expr(e, &mut note));
                    place.indices.iter().for_each(|index| access::expr(&index.value, &mut note));
                }
                action => {
                    match action {
                        Action::Assign(target, _) => note_target(target, None),
                        Action::Receive(receive) => {
                            for field in &receive.fields {
                                if let Field::Store(target) = field {
                                    note_target(target, None);
                                }
                            }
                        }
                        _ => {}
                    }
                    access::statement(proctype, idx as u32, &mut note, Output::Counts);
                }
            }
        }
        proctype.provided.iter().for_each(|e| access::expr(e, &mut note));
        proctype.exclusive.iter().for_each(|claim| access::expr(&claim.channel, &mut note));
        set_up(&proctype.setup, &mut note);
    }
    set_up(&lowered.setup, &mut note);
    lowered.propositions.iter().for_each(|e| access::expr(e, &mut note));
    reads.extend(kept);
    reads
}

fn set_up(setup: &[Setup], note: &mut impl FnMut(Access<'_>)) {
    for step in setup {
        if let Setup::Assign(_, value) = step {
            access::expr(value, note);
        }
    }
}

/// If `value` combines `place` itself with something else, the place, and the other operands.
fn update<'a>(place: &ScalarPlace, value: &'a Expr) -> (Option<&'a ScalarPlace>, Vec<&'a Expr>) {
    let is_self = |e: &Expr| match e {
        Expr::Load(read) => read == place,
        Expr::LoadByte(base, offset) => {
            place.indices.is_empty() && *base == place.base && *offset == place.offset
        }
        _ => false,
    };
    let read = |e: &'a Expr| match e {
        Expr::Load(read) => Some(read),
        _ => None,
    };
    match value {
        Expr::WithConst(op, a, _) if !op.divides() && is_self(a) => (read(a), Vec::new()),
        Expr::Binary(op, a, b, _) if !op.divides() && is_self(a) => (read(a), vec![&**b]),
        Expr::Binary(op, a, b, _) if !op.divides() && is_self(b) => (read(b), vec![&**a]),
        e if is_self(e) => (read(e), Vec::new()),
        e => (None, vec![e]),
    }
}
