//! The JSON object of `check`, for machines, documented field by field in `docs/json.md`.
//!
//! Stability: a field is never renamed, never changes its type and never disappears within one `schema`
//! number; new fields may be added. A field without a value is `null`, never absent. The object is a struct
//! of its own, so that renaming internal types cannot change what scripts rely on.

use crate::cache::{CacheJson, CacheReport};
use crate::check::{Check, ErrorReport, Limit};
use crate::coverage::{CoverageJson, CoverageReport};
use crate::speed::SpeedJson;
use crate::walks::{WalkReport, WalksJson};
use allways_model::{Location, Point};
use serde::Serialize;

/// The version of all JSON objects.
pub(crate) const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct CheckJson<'a> {
    schema: u32,
    tool: &'static str,
    model: &'a str,
    digest: Option<String>,
    spec_digest: Option<String>,
    property: &'a str,
    properties: Vec<PropertyJson<'a>>,
    verdict: &'static str,
    exhausted: bool,
    states: u64,
    matched: u64,
    transitions: u64,
    depth: u64,
    n_errors: u64,
    errors: Vec<ErrorJson<'a>>,
    elapsed_s: f64,
    states_per_s: f64,
    memory_bytes: u64,
    bytes_per_state: f64,
    search: &'a str,
    store: &'a str,
    reduction: &'a str,
    workers: usize,
    limits: Vec<LimitJson>,
    unreached: Option<Vec<PointJson<'a>>>,
    unsupported: Vec<UnsupportedJson<'a>>,
    ignored_claims: &'a [String],
    warnings: &'a [String],
    speed: Option<SpeedJson<'a>>,
    walks: Option<WalksJson>,
    cache: Option<CacheJson<'a>>,
    coverage: Option<CoverageJson>,
    counts_vary: Option<&'a str>,
}

#[derive(Serialize)]
struct PropertyJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    property: &'a str,
    verdict: &'static str,
    states: u64,
    elapsed_s: f64,
}

#[derive(Serialize)]
pub(crate) struct ErrorJson<'a> {
    kind: &'a str,
    message: &'a str,
    location: Option<LocationJson<'a>>,
    trace: Option<String>,
    steps: Option<u64>,
    cycle: Option<u64>,
    n_states: Option<u64>,
}

#[derive(Serialize)]
pub(crate) struct LocationJson<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct LimitJson {
    limit: &'static str,
    value: serde_json::Value,
}

#[derive(Serialize)]
struct PointJson<'a> {
    owner: &'a str,
    state: u32,
    statement: &'a str,
    location: Option<LocationJson<'a>>,
}

#[derive(Serialize)]
struct UnsupportedJson<'a> {
    message: &'a str,
    location: Option<LocationJson<'a>>,
}

pub(crate) fn location(at: Option<&Location>) -> Option<LocationJson<'_>> {
    at.map(|at| LocationJson { file: &at.file, line: at.line, column: at.column })
}

pub(crate) fn error(error: &ErrorReport) -> ErrorJson<'_> {
    ErrorJson {
        kind: &error.kind,
        message: &error.message,
        location: location(error.location.as_ref()),
        trace: error.trace.as_ref().map(|path| path.to_string_lossy().into_owned()),
        steps: error.steps,
        cycle: error.cycle,
        n_states: error.n_states,
    }
}

fn point(point: &Point) -> PointJson<'_> {
    PointJson {
        owner: &point.owner,
        state: point.state,
        statement: &point.text,
        location: location(point.location.as_ref()),
    }
}

fn limit(limit: &Limit) -> LimitJson {
    let value = match limit {
        Limit::Time(time) => time.as_secs_f64().into(),
        Limit::Memory(n) | Limit::Depth(n) | Limit::States(n) | Limit::Walks(n) => (*n).into(),
        Limit::Interrupt => serde_json::Value::Null,
        Limit::OfModel(_, what) => what.as_str().into(),
        Limit::Lossy(text) | Limit::Stack(text) | Limit::Redundancy(text) => text.as_str().into(),
    };
    LimitJson { limit: limit.name(), value }
}

/// A number of seconds or bytes with no more digits than were measured.
pub(crate) fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}

/// The object of `allways check --json`, with a newline at its end: what the decisive check found, and the
/// verdicts of `all`.
#[must_use]
pub fn check_json(check: &Check, all: &[Check]) -> String {
    let figures = &check.figures;
    // Each test of a class is a separate model.
    let are_tests = all.iter().any(|one| one.model.contains('#'));
    to_text(&CheckJson {
        schema: SCHEMA,
        tool: concat!("allways ", env!("CARGO_PKG_VERSION")),
        model: &check.model,
        digest: check.digest.map(|digest| digest.to_string()),
        spec_digest: check.spec_digest.map(|digest| digest.to_string()),
        property: &check.property,
        properties: (all.iter())
            .map(|one| PropertyJson {
                model: are_tests.then_some(&*one.model),
                property: &one.property,
                verdict: one.verdict.name(),
                states: one.figures.states,
                elapsed_s: rounded(one.figures.elapsed.as_secs_f64(), 6),
            })
            .collect(),
        verdict: check.verdict.name(),
        exhausted: check.exhausted,
        states: figures.states,
        matched: figures.matched,
        transitions: figures.transitions,
        depth: figures.depth,
        n_errors: check.n_errors,
        errors: check.errors.iter().map(error).collect(),
        elapsed_s: rounded(figures.elapsed.as_secs_f64(), 6),
        states_per_s: rounded(figures.states_per_second(), 1),
        memory_bytes: figures.memory_bytes,
        bytes_per_state: rounded(figures.bytes_per_state(), 2),
        search: &check.setup.search,
        store: &check.setup.store,
        reduction: &check.setup.reduction,
        workers: check.setup.workers,
        limits: check.limits.iter().map(limit).collect(),
        unreached: check.unreached.as_ref().map(|points| points.iter().map(point).collect()),
        unsupported: check
            .unsupported
            .iter()
            .map(|what| UnsupportedJson {
                message: &what.message,
                location: location(what.location.as_ref()),
            })
            .collect(),
        ignored_claims: &check.ignored_claims,
        warnings: &check.warnings,
        speed: check.speed.as_ref().map(|speed| speed.json(check)),
        walks: check.walks.as_ref().map(WalkReport::json),
        cache: check.cache.as_ref().map(CacheReport::json),
        coverage: check.coverage.as_ref().map(CoverageReport::json),
        counts_vary: figures.varies.as_deref(),
    })
}

fn to_text(object: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(object).expect("plain structs always serialise");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;
    use crate::text::tests::sample;
    use serde_json::{Value, json};

    fn value(check: &Check) -> Value {
        serde_json::from_str(&check_json(check, std::slice::from_ref(check))).unwrap()
    }

    #[test]
    fn the_fields_come_in_the_documented_order() {
        let text = check_json(&sample(Verdict::Violated), &[]);
        let order = [
            "schema",
            "model",
            "property",
            "verdict",
            "states",
            "errors\"",
            "elapsed_s",
            "workers",
            "warnings",
        ];
        let places: Vec<_> = order.iter().map(|name| text.find(&format!("\"{name}")).unwrap()).collect();
        assert!(places.is_sorted(), "{text}");
    }

    #[test]
    fn an_error_has_its_place_and_trace() {
        let object = value(&sample(Verdict::Violated));
        assert_eq!(
            object["errors"],
            json!([{
                "kind": "assertion",
                "message": "assertion violated: x == 1",
                "location": {"file": "x.pml", "line": 3, "column": 5},
                "trace": "x.pml.trace",
                "steps": 12,
                "cycle": null,
                "n_states": null,
            }])
        );
        assert_eq!(object["unreached"], Value::Null);
        assert_eq!(object["bytes_per_state"], json!(24.0));
    }

    #[test]
    fn every_verdict_has_every_field() {
        let names = |verdict| {
            let Value::Object(map) = value(&sample(verdict)) else { panic!("not an object") };
            map.keys().cloned().collect::<Vec<_>>()
        };
        let all = names(Verdict::Holds);
        for verdict in [Verdict::Violated, Verdict::Bounded, Verdict::Unsupported] {
            assert_eq!(names(verdict), all);
        }
        let bounded = value(&sample(Verdict::Bounded));
        assert_eq!(
            bounded["limits"],
            json!([{"limit": "depth", "value": 17}, {"limit": "time", "value": 10.0}])
        );
    }
}
