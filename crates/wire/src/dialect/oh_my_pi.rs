//! oh-my-pi's spelling: the operation is a key, its fields are inside.
//!
//! `{"set_line": {"anchor", "new_text"}}`, `{"replace_lines": {"start_anchor", "end_anchor",
//! "new_text"}}`, `{"insert_after": {"anchor", "text"}}`, `{"replace": {"old_text", "new_text"}}`,
//! with the file named outside. `new_text` that is missing or `null` deletes.

use serde_json::{Map, Value};

use super::names::TEXTS;
use super::op_fields::OpFields;
use super::ours;
use crate::BadPatch;
use hashline_core::patch::Op;

const KEYS: [&str; 10] = [
    "set_line", "replace_lines", "replace_range", "replace", "insert_after", "insert_before",
    "delete", "add_file", "move_file", "delete_file",
];

/// The operation's name and the object under it, if it is spelled like this.
pub(super) fn find<'a>(fields: &OpFields<'a>) -> Option<(&'static str, &'a Map<String, Value>)> {
    KEYS.into_iter().find_map(|key| Some((key, fields.peek(&[key])?.as_object()?)))
}

pub(super) fn read<'a>(
    name: &'static str,
    inner: &'a Map<String, Value>,
    mut fields: OpFields<'a>,
) -> Result<Op, BadPatch> {
    fields.take(&[name]);
    let mut fields = fields.inner(inner);
    let deletes = TEXTS.iter().all(|text| fields.peek(&[text]).is_none_or(Value::is_null));
    match name {
        "set_line" | "replace_lines" if deletes => {
            fields.expect(if name == "set_line" { "set_line" } else { "replace_range" });
            let (start, end) = fields.lines_meant()?;
            fields.finish(ours::replaced(start, end, Vec::new()))
        }
        _ => ours::read(Some(name), fields),
    }
}
