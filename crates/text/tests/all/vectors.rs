//! Reads the recorded cases in `__test__/vectors`.

use serde_json::Value;

/// The cases of one file; never none, so that a lost file cannot pass for a green test.
pub(crate) fn load(set: &str, name: &str) -> Vec<Value> {
    let path = format!("{}/../../__test__/vectors/{set}/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let file: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let cases = file["cases"].as_array().expect("a vector file has cases").clone();
    assert_eq!(cases.len() as u64, file["count"].as_u64().unwrap(), "{path} is complete");
    assert!(!cases.is_empty(), "{path} has cases");
    cases
}
