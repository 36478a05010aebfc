//! The names that models give to operations and fields.

use serde_json::Value;

use super::op_fields::OpFields;
use hashline_text::WrittenAnchor;

/// Names under which a list of operations is found.
pub(crate) const LISTS: [&str; 6] = ["patch", "ops", "edits", "operations", "changes", "input"];

/// Names under which an operation says what it is.
pub(super) const NAMES: [&str; 6] = ["op", "type", "action", "kind", "operation", "command"];

/// Names under which a file is given.
pub(super) const PATHS: [&str; 9] = [
    "path", "file_path", "file", "filename", "file_name", "from", "from_path", "old_path", "source",
];

/// Names under which the new name of a file is given.
pub(super) const TO: [&str; 7] =
    ["to", "to_path", "new_path", "destination", "target", "rename", "move"];

/// Names under which one line is given.
pub(super) const ANCHORS: [&str; 5] = ["anchor", "pos", "line", "line_number", "at"];

/// Names under which the first line of a range is given.
pub(super) const STARTS: [&str; 5] = ["start_anchor", "start", "start_line", "from", "first"];

/// Names under which the last line of a range is given.
pub(super) const ENDS: [&str; 5] = ["end_anchor", "end", "end_line", "to", "last"];

/// Names under which new text is found.
pub(super) const TEXTS: [&str; 9] = [
    "text", "new_text", "content", "lines", "new_content", "new_lines", "new_string", "new_str",
    "replacement",
];

/// Names under which the text to be replaced is found.
pub(super) const OLD: [&str; 5] = ["old_text", "old_string", "old_str", "old", "search"];

/// Names under which the text that replaces it is found.
pub(super) const NEW: [&str; 6] =
    ["new_text", "new_string", "new_str", "new", "replacement", "text"];

/// Our name of an operation that other tools call by another; other names are left as they are.
pub(super) fn ours(name: &str) -> &str {
    match name {
        "replace_line" | "edit_line" | "update_line" => "set_line",
        "replace_lines" | "set_lines" | "set_range" | "edit_range" => "replace_range",
        "delete_line" | "delete_lines" | "delete_range" | "remove_line" | "remove_lines" => {
            "delete"
        }
        "str_replace" | "replace_text" | "search_replace" | "substitute" => "replace",
        "create" | "create_file" | "write" | "write_file" | "new_file" => "add_file",
        "rename" | "rename_file" | "move" => "move_file",
        "remove_file" => "delete_file",
        name => name,
    }
}

/// The operation that the fields name, for one that does not say what it is or says it in words
/// that is unknown.
pub(super) fn by_fields(fields: &OpFields<'_>) -> Option<&'static str> {
    let has = |names: &[&str]| fields.given(names);
    let lines = has(&["range"]) || starts_with_a_line(fields);
    let text = fields.given_text(&TEXTS);
    if fields.given_text(&OLD) && !lines && !has(&ANCHORS[..1]) {
        return fields.given_text(&NEW).then_some("replace");
    }
    if fields.is_on(&["delete", "delete_file"]) {
        return (!has(&ANCHORS) && !has(&STARTS)).then_some("delete_file");
    }
    match (lines, has(&ANCHORS), text) {
        (true, _, true) => Some("replace_range"),
        (false, true, true) => Some("set_line"),
        (false, false, true) => Some("add_file"),
        (false, false, false) if has(&TO) => Some("move_file"),
        _ => None,
    }
}

/// Whether the start of a range is there; `from` may be a file as well.
pub(super) fn starts_with_a_line(fields: &OpFields<'_>) -> bool {
    let other = STARTS.iter().any(|name| *name != "from" && fields.given(&[name]));
    other || matches!(fields.peek(&["from"]), Some(from) if is_line(from))
}

/// Whether a value names a line and not a file.
pub(super) fn is_line(value: &Value) -> bool {
    match value {
        Value::Number(_) => true,
        Value::String(text) => {
            text.parse::<WrittenAnchor>().is_ok_and(|written| written.numbered.is_some())
        }
        _ => false,
    }
}
