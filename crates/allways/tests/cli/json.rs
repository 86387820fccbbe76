//! The JSON objects, field by field, as `docs/json.md` promises them.

use crate::Sandbox;
use crate::models::{CLAIMS, EMBEDDED_C, ENDLESS, RACE, TALK, TWO_ERRORS};
use serde_json::Value;

/// The fields of the object of `check`, with the types they may have.
const CHECK: [(&str, &str); 33] = [
    ("schema", "integer"),
    ("tool", "string"),
    ("model", "string"),
    ("digest", "string|null"),
    ("spec_digest", "string|null"),
    ("property", "string"),
    ("properties", "array"),
    ("verdict", "string"),
    ("exhausted", "boolean"),
    ("states", "integer"),
    ("matched", "integer"),
    ("transitions", "integer"),
    ("depth", "integer"),
    ("n_errors", "integer"),
    ("errors", "array"),
    ("elapsed_s", "number"),
    ("states_per_s", "number"),
    ("memory_bytes", "integer"),
    ("bytes_per_state", "number"),
    ("search", "string"),
    ("store", "string"),
    ("reduction", "string"),
    ("workers", "integer"),
    ("limits", "array"),
    ("unreached", "array|null"),
    ("unsupported", "array"),
    ("ignored_claims", "array"),
    ("warnings", "array"),
    ("speed", "object|null"),
    ("walks", "object|null"),
    ("cache", "object|null"),
    ("coverage", "object|null"),
    ("counts_vary", "string|null"),
];
const SPEED: [(&str, &str); 20] = [
    ("loading_s", "number"),
    ("search_s", "number"),
    ("expanding_s", "number"),
    ("storing_s", "number"),
    ("other_s", "number"),
    ("n_samples", "integer"),
    ("transitions_per_s", "number"),
    ("successors_per_state", "number"),
    ("most_successors", "integer"),
    ("matched_per_transition", "number"),
    ("n_batches", "integer"),
    ("largest_batch", "integer"),
    ("vector", "object"),
    ("n_expanded", "integer"),
    ("n_partial", "integer"),
    ("store", "array"),
    ("beside_bytes", "integer"),
    ("counters", "array"),
    ("hints", "array"),
    ("notes", "array"),
];
const ERROR: [(&str, &str); 7] = [
    ("kind", "string"),
    ("message", "string"),
    ("location", "object|null"),
    ("trace", "string|null"),
    ("steps", "integer|null"),
    ("cycle", "integer|null"),
    ("n_states", "integer|null"),
];
const LOCATION: [(&str, &str); 3] = [("file", "string"), ("line", "integer"), ("column", "integer")];
const UNREACHED: [(&str, &str); 4] =
    [("owner", "string"), ("state", "integer"), ("statement", "string"), ("location", "object|null")];
const RUN: [(&str, &str); 10] = [
    ("schema", "integer"),
    ("tool", "string"),
    ("model", "string"),
    ("digest", "string"),
    ("error", "object|null"),
    ("steps", "array"),
    ("cycle", "integer|null"),
    ("processes", "array"),
    ("variables", "array"),
    ("warnings", "array"),
];
const MOVE: [(&str, &str); 9] = [
    ("process", "integer|null"),
    ("name", "string"),
    ("location", "object|null"),
    ("statement", "string"),
    ("output", "string"),
    ("message", "object|null"),
    ("reads", "array"),
    ("changes", "array"),
    ("started", "object|null"),
];

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn assert_fields(value: &Value, fields: &[(&str, &str)]) {
    let object = value.as_object().unwrap_or_else(|| panic!("not an object: {value}"));
    let names: Vec<&str> = object.keys().map(String::as_str).collect();
    let mut expected: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    expected.sort_unstable();
    assert_eq!(names, expected);
    for (name, types) in fields {
        let found = kind(&value[*name]);
        assert!(types.split('|').any(|t| t == found), "{name} is {found}, not {types}");
    }
}

fn check(model: &str, args: &[&str]) -> (i32, Value) {
    let sandbox = Sandbox::with(model);
    let run = sandbox.run(&[&["check", "--json", "x.pml"], args].concat());
    let object: Value = serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {run:?}"));
    assert_fields(&object, &CHECK);
    for error in object["errors"].as_array().unwrap() {
        assert_fields(error, &ERROR);
        if !error["location"].is_null() {
            assert_fields(&error["location"], &LOCATION);
        }
    }
    for limit in object["limits"].as_array().unwrap() {
        assert_fields(limit, &[("limit", "string"), ("value", "integer|number|null")]);
    }
    for point in object["unreached"].as_array().into_iter().flatten() {
        assert_fields(point, &UNREACHED);
    }
    for what in object["unsupported"].as_array().unwrap() {
        assert_fields(what, &[("message", "string"), ("location", "object|null")]);
    }
    (run.code, object)
}

#[test]
fn holds() {
    let (code, object) = check(TALK, &["--workers", "2"]);
    assert_eq!((code, &object["verdict"], &object["exhausted"]), (0, &"holds".into(), &true.into()));
    assert_eq!(object["model"], "x.pml");
    assert_eq!(object["property"], "safety");
    assert_eq!((&object["search"], &object["store"]), (&"dfs".into(), &"exact".into()));
    assert_eq!((&object["reduction"], &object["workers"]), (&"dead+merge+order".into(), &2.into()));
    let number = |name: &str| object[name].as_u64().unwrap();
    assert!(number("states") > 0 && number("memory_bytes") > 0 && number("depth") > 0);
    assert_eq!(number("transitions"), number("states") + number("matched"));
    assert_eq!(object["errors"], Value::Array(Vec::new()));
}

#[test]
fn speed_is_explained_when_asked_for() {
    let (_, object) = check(TALK, &[]);
    assert!(object["speed"].is_null());
    for store in ["exact", "tree"] {
        let (_, object) = check(TALK, &["--explain-speed", "--workers", "1", "--store", store]);
        let speed = &object["speed"];
        assert_fields(speed, &SPEED);
        assert_fields(
            &speed["vector"],
            &[("shortest", "integer"), ("bytes_per_state", "number"), ("longest", "integer")],
        );
        assert_eq!(speed["n_expanded"], object["states"]);
        let parts = speed["store"].as_array().unwrap();
        for part in parts {
            assert_fields(part, &[("name", "string"), ("bytes", "integer"), ("fill", "number|null")]);
        }
        let bytes = |value: &Value| value.as_u64().unwrap();
        let held =
            parts.iter().map(|part| bytes(&part["bytes"])).sum::<u64>() + bytes(&speed["beside_bytes"]);
        assert_eq!(held, bytes(&object["memory_bytes"]));
    }
}

#[test]
fn violated() {
    let (code, object) = check(RACE, &[]);
    assert_eq!((code, &object["verdict"], &object["n_errors"]), (1, &"violated".into(), &1.into()));
    let error = &object["errors"][0];
    assert_eq!((&error["kind"], &error["trace"]), (&"assertion".into(), &"x.pml.trace".into()));
    assert_eq!((&error["location"]["file"], &error["location"]["line"]), (&"x.pml".into(), &15.into()));
    assert!(object["unreached"].is_null());
    let (_, object) = check(TWO_ERRORS, &["--all-errors"]);
    assert_eq!(object["errors"].as_array().unwrap().len(), 2);
    assert_eq!(object["exhausted"], true);
    assert!(object["unreached"].as_array().unwrap().iter().any(|point| point["owner"] == "p"));
}

#[test]
fn bounded() {
    let (code, object) = check(ENDLESS, &["--states", "1000"]);
    assert_eq!((code, &object["verdict"], &object["exhausted"]), (4, &"bounded".into(), &false.into()));
    assert_eq!(object["limits"], serde_json::json!([{"limit": "states", "value": 1000}]));
}

#[test]
fn unsupported() {
    let (code, object) = check(EMBEDDED_C, &[]);
    assert_eq!((code, &object["verdict"]), (3, &"unsupported".into()));
    assert_eq!(object["unsupported"][0]["location"]["line"], 3);
}

#[test]
fn claims() {
    let (code, object) = check(CLAIMS, &["--safety"]);
    assert_eq!((code, &object["ignored_claims"]), (0, &serde_json::json!(["small"])));
    let (code, object) = check(CLAIMS, &[]);
    assert_eq!((code, &object["ignored_claims"]), (0, &serde_json::json!([])));
    let names: Vec<&Value> =
        object["properties"].as_array().unwrap().iter().map(|one| &one["property"]).collect();
    assert_eq!(names, ["safety", "claim small"]);
    for one in object["properties"].as_array().unwrap() {
        let fields =
            [("property", "string"), ("verdict", "string"), ("states", "integer"), ("elapsed_s", "number")];
        assert_fields(one, &fields);
    }
}

#[test]
fn a_replay() {
    let sandbox = Sandbox::with(RACE);
    assert_eq!(sandbox.run(&["check", "-q", "x.pml"]).code, 1);
    let run = sandbox.run(&["replay", "x.pml.trace", "--json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let object: Value = serde_json::from_str(&run.out).unwrap();
    assert_fields(&object, &RUN);
    assert_fields(&object["error"], &ERROR);
    let steps = object["steps"].as_array().unwrap();
    assert_eq!(object["error"]["steps"].as_u64().unwrap(), steps.len() as u64);
    for (idx, step) in steps.iter().enumerate() {
        assert_fields(step, &[("step", "integer"), ("key", "integer"), ("moves", "array")]);
        assert_eq!(step["step"], idx as u64 + 1);
        for one in step["moves"].as_array().unwrap() {
            assert_fields(one, &MOVE);
            for read in one["reads"].as_array().unwrap() {
                assert_fields(read, &[("name", "string"), ("value", "string")]);
            }
            for change in one["changes"].as_array().unwrap() {
                assert_fields(change, &[("name", "string"), ("from", "string|null"), ("to", "string|null")]);
            }
        }
    }
    assert!(object["variables"].as_array().unwrap().iter().any(|v| v["name"] == "n" && v["value"] == "1"));
    let run = sandbox.run(&["simulate", "x.pml", "--json", "--seed", "1"]);
    assert_fields(&serde_json::from_str(&run.out).unwrap(), &RUN);
}

#[test]
fn every_field_is_documented() {
    let docs = include_str!("../../../../docs/json.md");
    for (name, types) in CHECK {
        let row = docs.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("{name} is not documented"));
        let kind = types.split('|').next().unwrap();
        assert!(row.contains(&format!("| {kind}")), "{name} is documented with another type: {row}");
    }
    for (name, _) in ERROR {
        assert!(docs.contains(&format!("| `errors[].{name}` |")), "{name}");
    }
    for (name, _) in UNREACHED {
        assert!(docs.contains(&format!("| `unreached[].{name}` |")), "{name}");
    }
    for (name, _) in RUN.iter().chain(&MOVE) {
        assert!(docs.contains(&format!("`{name}`")) || docs.contains(&format!(".{name}`")), "{name}");
    }
}
