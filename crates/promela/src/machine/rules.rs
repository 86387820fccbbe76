//! The rules that a Promela model can break, with their messages.

use allways_model::ViolationKind::{Assertion, Claim, Deadlock, EventTrace, RuntimeError};
use allways_model::{Fact, Rule, ViolationKind};

pub(crate) static ASSERTION: Rule =
    Rule::new(Assertion, "assertion-failed", "assertion violated: {condition}");
pub(crate) static CLAIM_ENDED: Rule =
    Rule::new(Claim, "claim-ended", "the never claim came to its end: the run does what it describes");
pub(crate) static INVALID_END_STATE: Rule = Rule::composed(Deadlock, "invalid-end-state", invalid_end_state);
pub(crate) static TRACE_NOT_COMPLETED: Rule =
    Rule::new(Deadlock, "event-trace-not-completed", "invalid end state: the event trace is not completed");
pub(crate) static EVENT_NOT_ALLOWED: Rule =
    Rule::new(EventTrace, "event-not-allowed", "the event trace does not allow this event");
pub(crate) static NOTRACE_COMPLETED: Rule =
    Rule::new(EventTrace, "notrace-completed", "all events of the notrace have happened");
pub(crate) static TRACE_HAS_CHOICE: Rule =
    Rule::new(RuntimeError, "event-trace-choice", "the event trace is not deterministic here");

pub(crate) static DIVISION_BY_ZERO: Rule = Rule::new(RuntimeError, "division-by-zero", "division by zero");
pub(crate) static INDEX: Rule =
    Rule::new(RuntimeError, "index-out-of-range", "array index {index} is out of range (0 to {last})");
pub(crate) static NO_CHANNEL_YET: Rule =
    Rule::new(RuntimeError, "channel-not-initialised", "the channel is not initialised");
pub(crate) static NO_SUCH_CHANNEL: Rule =
    Rule::new(RuntimeError, "no-such-channel", "there is no channel {channel} (any more)");
pub(crate) static FIELDS_SENT: Rule = Rule::new(
    RuntimeError,
    "wrong-number-of-fields-sent",
    "a message with {comparison} fields ({given}) than the channel has ({expected})",
);
pub(crate) static FIELDS_RECEIVED: Rule = Rule::new(
    RuntimeError,
    "too-few-fields-received",
    "a receive of {given} fields from a channel that has {expected}",
);
pub(crate) static MESSAGE_TOO_SHORT: Rule =
    Rule::new(RuntimeError, "message-too-short", "the message has fewer fields than are received");
pub(crate) static MESSAGE_TOO_SHORT_FOR_POLL: Rule =
    Rule::new(RuntimeError, "message-too-short-for-poll", "the message has fewer fields than are polled");
pub(crate) static POLL_OF_RENDEZVOUS: Rule =
    Rule::new(RuntimeError, "poll-of-rendezvous", "a rendezvous channel cannot be polled");
pub(crate) static RENDEZVOUS_IN_D_STEP: Rule =
    Rule::new(RuntimeError, "rendezvous-in-d-step", "a rendezvous cannot be offered inside a d_step");
pub(crate) static ENDLESS_D_STEP: Rule = Rule::new(RuntimeError, "endless-d-step", "this d_step never ends");
pub(crate) static LONG_D_STEP: Rule =
    Rule::new(RuntimeError, "long-d-step", "a d_step of more than {steps} steps");
/// Not an error of the model: the search is to stop, in the middle of a `d_step`.
pub(crate) static STOPPED: Rule = Rule::new(RuntimeError, "stopped", "the search was stopped");
pub(crate) static BLOCKED_D_STEP: Rule =
    Rule::new(RuntimeError, "blocked-d-step", "a d_step blocks after its first statement");
pub(crate) static PRIORITY: Rule =
    Rule::new(RuntimeError, "priority-out-of-range", "priority {priority} is not between 1 and 255");
pub(crate) static TOO_MANY_PROCESSES: Rule =
    Rule::new(RuntimeError, "too-many-processes", "too many processes: at most 255 can be alive");
pub(crate) static TOO_MANY_CHANNELS: Rule =
    Rule::new(RuntimeError, "too-many-channels", "too many channels: at most 255 can exist");
pub(crate) static EXCLUSIVE_CHANNEL: Rule = Rule::new(
    RuntimeError,
    "exclusive-channel",
    "the channel is claimed by {owner} ({process}) with {claim}, and used here",
);
pub(crate) static OTHER_TYPE: Rule =
    Rule::new(RuntimeError, "process-of-other-type", "process {process} is not a {type}");
pub(crate) static ENABLED_IN_A_CIRCLE: Rule =
    Rule::new(RuntimeError, "enabled-in-a-circle", "enabled() asks about processes in a circle");
pub(crate) static CHOICE_IN_D_PROCTYPE: Rule =
    Rule::new(RuntimeError, "choice-in-d-proctype", "a D_proctype has a choice here");

pub(crate) static NULL: Rule = Rule::new(RuntimeError, "null-pointer", "null pointer `{pointer}` is used");
pub(crate) static NULL_CALL: Rule =
    Rule::new(RuntimeError, "null-call", "call through `{name}`, which is null");
pub(crate) static DANGLING: Rule = Rule::composed(RuntimeError, "dangling-pointer", dangling);
pub(crate) static DELETE_NULL: Rule =
    Rule::new(RuntimeError, "delete-of-null", "delete of null: `{pointer}` refers to nothing");
pub(crate) static DELETED_TWICE: Rule = Rule::composed(RuntimeError, "deleted-twice", deleted_twice);
pub(crate) static NOT_ALLOCATED: Rule = Rule::composed(RuntimeError, "delete-of-variable", not_allocated);
pub(crate) static INTERIOR: Rule = Rule::composed(RuntimeError, "delete-of-part", interior);
pub(crate) static NUMBER_OF_OBJECTS: Rule = Rule::new(
    RuntimeError,
    "number-of-objects",
    "`new {type}[n]` with n = {count}: 1 to 65535 objects can be made at once, in at most 32 KiB",
);
pub(crate) static ARGUMENTS: Rule = Rule::new(
    RuntimeError,
    "wrong-arguments",
    "`{name}` is {signature}, and is called with other arguments ({reason})",
);
pub(crate) static RESULT: Rule = Rule::new(
    RuntimeError,
    "wrong-result",
    "`{name}` is {signature}, and its result cannot go where it should",
);
pub(crate) static NO_VALUE: Rule =
    Rule::new(RuntimeError, "ended-without-value", "`{function}` ended without a value");
pub(crate) static CALL_CYCLE: Rule =
    Rule::new(RuntimeError, "call-cycle", "`{function}` calls itself without a statement");
pub(crate) static KIND: Rule =
    Rule::new(RuntimeError, "wrong-kind", "{what} is {is}, and the channel has {wanted} there");
pub(crate) static KIND_TAKEN: Rule =
    Rule::new(RuntimeError, "wrong-kind-taken", "what is received is {is}, and it goes into {wanted}");
pub(crate) static SORTED_REFERENCES: Rule =
    Rule::new(RuntimeError, "sorted-references", "a sorted send of references, which have no order");
pub(crate) static LOST_TARGET: Rule = Rule::composed(RuntimeError, "dangling-result", lost_target);
pub(crate) static LEAK: Rule = Rule::composed(ViolationKind::Leak, "leaked-object", leaked);
pub(crate) static FAR_POINTER: Rule =
    Rule::new(RuntimeError, "far-pointer", "a reference to a part that is more than 32 KiB from the start");
pub(crate) static REUSE_IN_D_STEP: Rule = Rule::new(
    RuntimeError,
    "reuse-in-d-step",
    "with --reuse-addresses, this new in a d_step could give the address of a deleted {object}: use atomic",
);
pub(crate) static TOO_MANY_FRAMES: Rule = Rule::new(
    RuntimeError,
    "too-many-frames",
    "calls of `{function}` nest deeper than {limit} (--max-frames changes it)",
);
pub(crate) static TOO_MANY_OBJECTS: Rule = Rule::new(
    RuntimeError,
    "too-many-objects",
    "there are more than {limit} objects after this new {object} (--max-objects changes it)",
);

/// The value of the fact with this name.
fn fact<'f>(facts: &'f [Fact], name: &str) -> Option<&'f str> {
    facts.iter().find(|fact| fact.name == name).map(|fact| &*fact.value)
}

/// Describes an object that has ended: where it was made and where it ended, if the run to it is known.
fn gone(facts: &[Fact]) -> Option<String> {
    let at = |word: &str, name| fact(facts, name).map_or(String::new(), |at| format!(" {word} {at}"));
    let ended = fact(facts, "ended")?;
    match (fact(facts, "allocated"), fact(facts, "variables")) {
        (Some(ty), _) => Some(format!("the {ty}{} was deleted at {ended}", at("allocated at", "made"))),
        (None, Some(variables)) => Some(match fact(facts, "made") {
            Some(made) => format!("{variables}, set up at {made}, ended at {ended}"),
            // The variables exist from the start.
            None => format!("{variables} ended at {ended}"),
        }),
        (None, None) => None,
    }
}

fn dangling(facts: &[Fact]) -> String {
    let pointer = fact(facts, "pointer").unwrap_or_default();
    let what = gone(facts).unwrap_or_else(|| {
        format!("{} was deleted or has ended", fact(facts, "what").unwrap_or("what it refers to"))
    });
    format!("dangling pointer `{pointer}` is used: {what}")
}

fn deleted_twice(facts: &[Fact]) -> String {
    let pointer = fact(facts, "pointer").unwrap_or_default();
    let what = gone(facts).unwrap_or_else(|| "what it refers to was deleted before, or has ended".into());
    format!("`{pointer}` is deleted twice: {what}")
}

fn not_allocated(facts: &[Fact]) -> String {
    let pointer = fact(facts, "pointer").unwrap_or_default();
    let what = fact(facts, "variables").unwrap_or("a variable");
    format!("`{pointer}` refers to {what}, which was not allocated by new")
}

fn interior(facts: &[Fact]) -> String {
    let (pointer, object) = (fact(facts, "pointer"), fact(facts, "object"));
    let object = object.unwrap_or_default();
    let what = match fact(facts, "made") {
        Some(made) => format!("the {object} allocated at {made}"),
        None => format!("an object ({object})"),
    };
    format!("`{}` refers to an interior part of {what}", pointer.unwrap_or_default())
}

fn lost_target(facts: &[Fact]) -> String {
    let function = fact(facts, "function").unwrap_or_default();
    let what = gone(facts).unwrap_or_else(|| "its object was deleted".into());
    format!("dangling result: what `{function}` returns has no place to go, because {what}")
}

fn leaked(facts: &[Fact]) -> String {
    let object = fact(facts, "object").unwrap_or_default();
    let made = fact(facts, "made").map_or(String::new(), |at| format!(" allocated at {at}"));
    format!("the {object}{made} is leaked: nothing refers to it any more")
}

fn invalid_end_state(facts: &[Fact]) -> String {
    let stuck: Vec<&str> = facts.iter().map(|fact| fact.value.as_str()).collect();
    match stuck.as_slice() {
        [] => "invalid end state".into(),
        [one] => format!("invalid end state: {one} waits indefinitely"),
        [one, two] => format!("invalid end state: {one} and {two} wait indefinitely"),
        [one, two, more @ ..] => {
            format!("invalid end state: {one}, {two} and {} more wait indefinitely", more.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_were_there_from_the_start_have_no_place_where_they_were_set_up() {
        let message = |facts: &[(&'static str, &str)]| {
            let facts: Vec<Fact> = facts.iter().map(|(name, value)| Fact::new(name, value)).collect();
            dangling(&facts)
        };
        let known = [("pointer", "p"), ("variables", "`v`"), ("ended", "m.dpml:3 (step 3)")];
        assert_eq!(message(&known), "dangling pointer `p` is used: `v` ended at m.dpml:3 (step 3)");
        let made = [&known[..], &[("made", "m.dpml:2 (step 1)")]].concat();
        assert_eq!(
            message(&made),
            "dangling pointer `p` is used: `v`, set up at m.dpml:2 (step 1), ended at m.dpml:3 (step 3)"
        );
    }
}
