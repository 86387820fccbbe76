//! Dynamic features that make steps depend on each other in ways that the reductions do not follow.
//!
//! Two steps that touch different things lead to the same state in both orders only if the state does not
//! record which came first. Objects are numbered in the order in which they are reached, so the state does
//! not record which process allocated first, and lost objects are not part of it. This fails in the following
//! cases:
//! - `--without symmetry`: objects keep the numbers of their allocation.
//! - `--collect none` and `count`: lost objects stay in the order in which they were allocated or lost.
//! - `--reuse-addresses`: `new` has one outcome more for each tombstone, so it depends on what other
//!   processes delete, and on which pointers to it they keep.
//!
//! With `--leaks`, a step that drops the last path to an object is an error. So it depends on everything that
//! other processes do with references to the object, and on which of two steps is the last one.
//!
//! The remaining features are followed for plain models only.

use super::super::access::bodies;
use crate::ir::{Expr, Init};
use crate::lower::Lowered;
use crate::options::Collect;

/// Why the order of steps in different processes always counts in a dynamic model, if it does.
pub(super) fn irreducible(lowered: &Lowered) -> Option<&'static str> {
    let dynamic = lowered.dynamic.as_ref()?;
    let options = dynamic.options;
    if options.leaks {
        return Some("with --leaks, which step loses an object depends on the order of steps");
    }
    if options.reuse_addresses {
        return Some("with --reuse-addresses, what new gives depends on what others have deleted");
    }
    if options.collect != Collect::Sweep {
        return Some(
            "without --collect sweep, the order in which objects are allocated and lost is part of a state",
        );
    }
    if !options.symmetry {
        return Some("without symmetry, the order in which objects are allocated is part of a state");
    }
    if dynamic.escapes && !dynamic.functions.is_empty() {
        return Some(
            "it has both unless and functions, and a function can be left at each of its statements",
        );
    }
    if lowered.features.priority {
        return Some("its processes have priorities");
    }
    if lowered.fair {
        return Some("fairness is followed only where there are no objects and functions");
    }
    if !dynamic.functions.is_empty() && lowered.proctypes.iter().any(|proctype| proctype.provided.is_some()) {
        return Some("it has both provided clauses and functions");
    }
    let channels = dynamic.objects.iter().flat_map(|object| &object.channels);
    if channels.into_iter().any(|ty| lowered.channel_types[usize::from(ty.0)].capacity == 0) {
        return Some("its objects have rendezvous channels");
    }
    let mut inits = dynamic.objects.iter().flat_map(|object| &object.init);
    if inits.any(|init| matches!(init, Init::Value(_, _, value) if !matches!(value, Expr::Const(_)))) {
        return Some("the first values of its objects depend on variables");
    }
    let is_deterministic = bodies(lowered).any(|body| body.deterministic);
    is_deterministic.then_some("it has a D_proctype beside objects or functions")
}
