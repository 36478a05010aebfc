//! The JSON Schemas of the three tools, as a host shows them to a model.
//!
//! They are flat on purpose: one object, plain types, no `oneOf` and no references, because weak
//! models lose their way in those and some providers refuse them. They describe the one spelling
//! that we teach; what else is accepted is decided where a call is read. Keys keep their order, so
//! that the same schema is the same bytes and stays in a provider's cache.

use serde_json::{Map, Value, json};

/// The schema of `read`.
///
/// ```
/// let schema = hashline::wire::schema::read();
/// assert_eq!(schema["properties"]["path"]["type"], "string");
/// ```
pub fn read() -> Value {
    object(
        "Read files. Every line comes as LINE:HASH|text; LINE:HASH is its anchor for apply_hash.",
        &[
            ("path", string("File or directory to read.")),
            ("paths", strings("Several files instead of path.")),
            ("offset", count(1, "First line to show, counted from 1.")),
            ("limit", count(1, "How many lines to show.")),
            ("columns", count(1, "First column to show of a line that is cut.")),
            ("search", string("Show only lines that contain this, with context.")),
            ("regex", flag("search is a regular expression.")),
            ("caseSensitive", flag("Whether search minds upper and lower case.")),
            ("contextBefore", count(0, "Lines to show before each match.")),
            ("contextAfter", count(0, "Lines to show after each match.")),
        ],
        &[],
    )
}

/// The schema of `grep`.
pub fn grep() -> Value {
    object(
        "Search files. Every line comes as LINE:HASH|text; LINE:HASH is its anchor for apply_hash.",
        &[
            ("pattern", string("Regular expression to search for.")),
            ("path", string("File or directory to search; default: the workspace.")),
            ("paths", strings("Several files or directories instead of path.")),
            ("glob", string("Only files that match, for example *.ts.")),
            ("type", string("Only files of this type, for example rust.")),
            ("literal", flag("pattern is plain text.")),
            ("caseSensitive", flag("Whether pattern minds upper and lower case.")),
            ("multiline", flag("pattern may match across lines.")),
            ("contextBefore", count(0, "Lines to show before each match.")),
            ("contextAfter", count(0, "Lines to show after each match.")),
            ("limit", count(1, "How many matches to show.")),
            ("filesOnly", flag("Only list the files that match.")),
            ("count", flag("Only count the matches in each file.")),
        ],
        &["pattern"],
    )
}

/// The schema of `apply_hash`: the flat `{"patch": [op, ...]}` and nothing else.
pub fn apply() -> Value {
    let op = object(
        "One operation.",
        &[
            ("op", choice(&OPS, "What to do.")),
            ("path", string("File. All ops except move_file.")),
            (
                "anchor",
                string(
                    "LINE:HASH. set_line, insert_after, insert_before, delete. Inserts also take start or end.",
                ),
            ),
            ("start_anchor", string("First line, LINE:HASH. replace_range, delete.")),
            ("end_anchor", string("Last line, LINE:HASH. replace_range, delete.")),
            (
                "text",
                string(
                    "New lines without anchors. set_line, replace_range, insert_after, insert_before.",
                ),
            ),
            ("old_text", string("Exact text to find. replace.")),
            ("new_text", string("Text to put there. replace.")),
            ("all", flag("Replace every occurrence. replace.")),
            ("content", string("Text of the new file. add_file.")),
            ("overwrite", flag("Allow an existing file. add_file.")),
            ("from", string("Old path. move_file.")),
            ("to", string("New path. move_file.")),
            ("exact", flag("Take text as it is, repair nothing. All line ops.")),
        ],
        &["op"],
    );
    let patch = json!({
        "type": "array",
        "description": "The operations. All anchors are those of the files before this call.",
        "items": op,
    });
    object(
        "Change files, all or nothing. Copy anchors from read or grep.",
        &[("patch", patch)],
        &["patch"],
    )
}

/// The operations of a patch.
const OPS: [&str; 9] = [
    "set_line",
    "replace_range",
    "insert_after",
    "insert_before",
    "delete",
    "replace",
    "add_file",
    "move_file",
    "delete_file",
];

fn object(description: &str, fields: &[(&str, Value)], required: &[&str]) -> Value {
    let properties: Map<String, Value> =
        fields.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    let mut schema = json!({
        "type": "object",
        "description": description,
        "properties": properties,
    });
    // Before 2020-12 an empty list was not allowed.
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn string(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn strings(description: &str) -> Value {
    json!({ "type": "array", "description": description, "items": { "type": "string" } })
}

fn flag(description: &str) -> Value {
    json!({ "type": "boolean", "description": description })
}

fn count(least: u32, description: &str) -> Value {
    json!({ "type": "integer", "description": description, "minimum": least })
}

fn choice(values: &[&str], description: &str) -> Value {
    json!({ "type": "string", "description": description, "enum": values })
}
