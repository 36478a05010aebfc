//! The JSON Schemas of the three tools, as a host shows them to a model.
//!
//! They are flat on purpose: one object, plain types, no `oneOf` and no references, because weak
//! models lose their way in those and some providers refuse them. They describe the one spelling
//! that we teach; the reader of a call decides what else is accepted. Every request pays for their
//! length, so a field is described only where its name does not say enough. Keys keep their order,
//! so that the same schema is the same bytes and stays in a provider's cache.

use serde_json::{Map, Value, json};

use super::dialect::OPERATIONS;

/// The schema of `read`.
///
/// ```
/// let schema = hashline_wire::schema::read();
/// assert_eq!(schema["properties"]["path"]["type"], "string");
/// ```
pub fn read() -> Value {
    object(
        &[
            ("path", string("")),
            ("paths", strings()),
            ("offset", at_least_1("")),
            ("limit", number("")),
            ("changes", flag("Only since shown.")),
            ("columns", number("First column.")),
            ("search", string("Only matching lines.")),
            ("regex", flag("")),
            ("caseSensitive", flag("")),
            ("contextBefore", number("")),
            ("contextAfter", number("")),
        ],
        &[],
    )
}

/// The schema of `grep`.
pub fn grep() -> Value {
    object(
        &[
            ("pattern", string("Regular expression.")),
            ("path", string("File or directory.")),
            ("paths", strings()),
            ("glob", string("As *.ts.")),
            ("type", string("As rust.")),
            ("literal", flag("Plain text.")),
            ("caseSensitive", flag("")),
            ("multiline", flag("")),
            ("contextBefore", number("")),
            ("contextAfter", number("")),
            ("limit", number("")),
            ("filesOnly", flag("")),
            ("count", flag("")),
        ],
        &["pattern"],
    )
}

/// The schema of `apply_hash`: the flat `{"patch": [op, ...]}` and nothing else.
pub fn apply() -> Value {
    let op = object(
        &[
            ("op", json!({ "type": "string", "enum": OPERATIONS })),
            ("path", string("")),
            ("anchor", string("LINE:HASH; inserts and to_anchor also take start or end.")),
            ("start_anchor", string("")),
            ("end_anchor", string("")),
            ("text", string("New lines, no anchors.")),
            ("old_text", string("")),
            ("new_text", string("")),
            ("all", flag("Every old_text.")),
            ("content", string("")),
            ("overwrite", flag("")),
            ("from", string("")),
            ("to", string("")),
            ("to_path", string("")),
            ("to_anchor", string("")),
            ("indent", json!({ "type": "string", "enum": ["target"] })),
            ("exact", flag("Repair nothing.")),
        ],
        &["op"],
    );
    object(&[("patch", json!({ "type": "array", "items": op }))], &["patch"])
}

fn object(fields: &[(&str, Value)], required: &[&str]) -> Value {
    let properties: Map<String, Value> =
        fields.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    // JSON Schema before 2020-12 does not allow an empty list.
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn string(description: &str) -> Value {
    described("string", description)
}

fn strings() -> Value {
    json!({ "type": "array", "items": { "type": "string" } })
}

fn flag(description: &str) -> Value {
    described("boolean", description)
}

fn number(description: &str) -> Value {
    described("integer", description)
}

fn at_least_1(description: &str) -> Value {
    let mut schema = number(description);
    schema["minimum"] = json!(1);
    schema
}

/// A field of a type; an empty description is left out, as the name says enough.
fn described(of_type: &str, description: &str) -> Value {
    let mut schema = json!({ "type": of_type });
    if !description.is_empty() {
        schema["description"] = json!(description);
    }
    schema
}
