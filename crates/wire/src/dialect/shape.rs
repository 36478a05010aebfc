//! The right shape for what was tried, filled with the caller's own values.

use serde_json::{Map, Value, json};

use super::names::{ANCHORS, ENDS, NEW, OLD, PATHS, STARTS, TEXTS, TO, TO_ANCHOR, TO_FILE};
use crate::fields::Fields;

/// A text longer than this is not repeated: the caller has it.
const MAX_CHARS: usize = 300;

/// Names under which the line of an insert is given.
const INSERT_AT: [&str; 9] =
    ["anchor", "pos", "line", "line_number", "at", "after", "before", "start_anchor", "start"];

/// A field of an operation: its name, the names under which the caller may have given it, and what
/// is shown if it was not given.
type Slot = (&'static str, &'static [&'static str], &'static str);

const PATH: Slot = ("path", &PATHS, "path/to/file");
const ANCHOR: Slot = ("anchor", &INSERT_AT, "LINE:HASH");
const START: Slot = ("start_anchor", &STARTS, "LINE:HASH");
const END: Slot = ("end_anchor", &ENDS, "LINE:HASH");
const TEXT: Slot = ("text", &TEXTS, "new lines");
const TO_FILE_SLOT: Slot = ("to_path", &TO_FILE, "path/to/other");
const TO_PLACE: Slot = ("to_anchor", &TO_ANCHOR, "LINE:HASH");

/// The shape of an operation, or of `set_line` if it is not known which operation was meant.
///
/// `wrong` is the field that is wrong: its value is not shown again.
pub(super) fn of(
    op: Option<&str>,
    given: &Map<String, Value>,
    path: Option<&str>,
    wrong: &str,
) -> String {
    let op = op.unwrap_or("set_line");
    let fields = Fields::of(given);
    let slots: &[Slot] = match op {
        "replace_range" => &[PATH, START, END, TEXT],
        "delete" if fields.has(&STARTS) => &[PATH, START, END],
        "delete" => &[PATH, ANCHOR],
        "move_lines" | "copy_lines" => match (fields.has(&ANCHORS), fields.has(&TO_FILE)) {
            (true, true) => &[PATH, ANCHOR, TO_FILE_SLOT, TO_PLACE],
            (true, false) => &[PATH, ANCHOR, TO_PLACE],
            (false, true) => &[PATH, START, END, TO_FILE_SLOT, TO_PLACE],
            (false, false) => &[PATH, START, END, TO_PLACE],
        },
        "replace" => &[PATH, ("old_text", &OLD, "exact text"), ("new_text", &NEW, "other text")],
        "add_file" => &[PATH, ("content", &TEXTS, "whole text\n")],
        "move_file" => &[("from", &PATHS, PATH.2), ("to", &TO, "path/to/new")],
        "delete_file" => &[PATH],
        // set_line, insert_after and insert_before
        _ => &[PATH, ANCHOR, TEXT],
    };
    let mut shape = vec![format!("\"op\": {}", json!(op))];
    for (name, names, usual) in slots {
        let value = match fields.peek(names).and_then(Value::as_str) {
            _ if *name == wrong || names.contains(&wrong) => usual,
            Some(text) if text.chars().count() > MAX_CHARS => "(as you sent it)",
            Some(text) if !text.is_empty() => text,
            _ if *name == PATH.0 => path.unwrap_or(usual),
            _ => usual,
        };
        shape.push(format!("\"{name}\": {}", json!(value)));
    }
    let text = format!("{{{}}}", shape.join(", "));
    let place = slots.iter().find(|slot| match slot.0 {
        "anchor" => op.starts_with("insert"),
        name => name == TO_PLACE.0,
    });
    match place {
        Some((field, _, _)) => format!("{text} (`{field}` may be \"start\" or \"end\")"),
        None => text,
    }
}

/// The shape of a whole request.
pub(crate) const REQUEST: &str = r#"{"patch": [{"op": "set_line", "path": "path/to/file", "anchor": "LINE:HASH", "text": "new line"}]}"#;
