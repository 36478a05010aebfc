//! The tools' schemas: what they say, and that the documented calls fit them.

use serde_json::{Value, json};

use hashline_wire::schema;

/// Compares a schema with its file in `__test__/fixtures/schemas`, byte for byte: the order of keys
/// counts.
///
/// After a deliberate change, run the test with `UPDATE_SNAPSHOTS=1` and read the difference.
fn check(name: &str, schema: &Value) {
    let path =
        format!("{}/../../__test__/fixtures/schemas/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let actual = format!("{}\n", serde_json::to_string_pretty(schema).unwrap());
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &actual).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    // A checkout on Windows may have given the file other endings.
    assert_eq!(actual, expected.replace("\r\n", "\n"), "{path}");
}

#[test]
fn the_schemas_are_the_recorded_ones() {
    check("read", &schema::read());
    check("grep", &schema::grep());
    check("apply", &schema::apply());
}

/// What is wrong with a value, as far as our schemas can say it. Unknown fields are a fault too.
fn faults(schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let fits = match schema["type"].as_str().unwrap() {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the test does not know the type {other}"),
    };
    if !fits {
        return vec![format!("{at} is no {}", schema["type"])];
    }
    let mut found = Vec::new();
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        found.push(format!("{at} is none of {allowed:?}"));
    }
    if let (Some(least), Some(number)) = (schema["minimum"].as_i64(), value.as_i64())
        && number < least
    {
        found.push(format!("{at} is below {least}"));
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        found.extend(faults(&schema["items"], item, &format!("{at}[{index}]")));
    }
    for (key, field) in value.as_object().into_iter().flatten() {
        match schema["properties"].get(key) {
            Some(schema) => found.extend(faults(schema, field, &format!("{at}.{key}"))),
            None => found.push(format!("{at}.{key} is unknown")),
        }
    }
    for key in schema["required"].as_array().into_iter().flatten() {
        if value.get(key.as_str().unwrap()).is_none() {
            found.push(format!("{at}.{key} is missing"));
        }
    }
    found
}

#[test]
fn every_documented_operation_fits() {
    let patch = json!([
        { "op": "set_line", "path": "a.rs", "anchor": "12:a3", "text": "let x = 1;" },
        { "op": "replace_range", "path": "a.rs", "start_anchor": "1:a3", "end_anchor": "2:b4", "text": "" },
        { "op": "insert_after", "path": "a.rs", "anchor": "end", "text": "x" },
        { "op": "insert_before", "path": "a.rs", "anchor": "start", "text": "\n" },
        { "op": "delete", "path": "a.rs", "anchor": "3:c5" },
        { "op": "delete", "path": "a.rs", "start_anchor": "3:c5", "end_anchor": "4:d6", "exact": true },
        { "op": "replace", "path": "a.rs", "old_text": "a", "new_text": "b" },
        { "op": "replace", "path": "a.rs", "old_text": "a", "new_text": "b", "all": true },
        { "op": "move_lines", "path": "a.rs", "start_anchor": "3:c5", "end_anchor": "4:d6", "to_path": "b.rs", "to_anchor": "end", "indent": "target" },
        { "op": "copy_lines", "path": "a.rs", "anchor": "3:c5", "to_anchor": "9:e7" },
        { "op": "add_file", "path": "b.rs", "content": "" },
        { "op": "add_file", "path": "b.rs", "content": "x\n", "overwrite": true },
        { "op": "move_file", "from": "a.rs", "to": "c.rs" },
        { "op": "delete_file", "path": "b.rs" },
    ]);
    let schema = schema::apply();
    assert_eq!(faults(&schema, &json!({ "patch": patch }), "call"), [""; 0]);
    for op in schema["properties"]["patch"]["items"]["properties"]["op"]["enum"].as_array().unwrap()
    {
        assert!(patch.as_array().unwrap().iter().any(|example| example["op"] == *op), "{op}");
    }
}

#[test]
fn documented_reads_and_searches_fit() {
    let reads = [
        json!({ "path": "a.rs", "offset": 1, "limit": 20 }),
        json!({ "paths": ["a.rs", "b.rs"], "search": "fn", "regex": false, "caseSensitive": true, "contextBefore": 0, "contextAfter": 2 }),
    ];
    for read in reads {
        assert_eq!(faults(&schema::read(), &read, "read"), [""; 0]);
    }
    let grep = json!({
        "pattern": "fn \\w+", "path": "src", "paths": ["src"], "glob": "*.rs", "type": "rust", "literal": false,
        "caseSensitive": true, "multiline": false, "contextBefore": 1, "contextAfter": 1, "limit": 50,
        "filesOnly": false, "count": false,
    });
    assert_eq!(faults(&schema::grep(), &grep, "grep"), [""; 0]);
}

#[test]
fn wrong_calls_do_not_fit() {
    let wrong = [
        json!({}),
        json!({ "patch": {} }),
        json!({ "patch": [{}] }),
        json!({ "patch": [{ "op": "append" }] }),
        json!({ "patch": [{ "op": "set_line", "anchor": 5 }] }),
    ];
    for call in wrong {
        assert_ne!(faults(&schema::apply(), &call, "call"), [""; 0], "{call}");
    }
    assert_ne!(faults(&schema::read(), &json!({ "offset": 0 }), "read"), [""; 0]);
    assert_ne!(faults(&schema::grep(), &json!({}), "grep"), [""; 0]);
}

/// Every keyword in a schema, at any depth.
fn keywords(schema: &Value, found: &mut Vec<String>) {
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        found.push(keyword.clone());
        match keyword.as_str() {
            "properties" => value.as_object().unwrap().values().for_each(|it| keywords(it, found)),
            "items" => keywords(value, found),
            _ => {}
        }
    }
}

#[test]
fn the_schemas_use_only_keywords_that_every_provider_accepts() {
    let plain = ["type", "description", "properties", "required", "items", "enum", "minimum"];
    for schema in [schema::read(), schema::grep(), schema::apply()] {
        let mut found = Vec::new();
        keywords(&schema, &mut found);
        assert!(found.iter().all(|keyword| plain.contains(&keyword.as_str())), "{found:?}");
    }
}

#[test]
fn every_description_is_short() {
    fn longest(schema: &Value) -> usize {
        let own = schema["description"].as_str().map_or(0, str::len);
        let fields = schema["properties"].as_object().into_iter().flatten();
        let items = schema.get("items").map_or(0, longest);
        fields.map(|(_, field)| longest(field)).chain([own, items]).max().unwrap_or(0)
    }
    for schema in [schema::read(), schema::grep(), schema::apply()] {
        assert!(longest(&schema) <= 100, "{}", longest(&schema));
    }
}
