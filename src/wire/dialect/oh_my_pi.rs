//! oh-my-pi's spelling: the operation is a key, its fields are inside.
//!
//! `{"set_line": {"anchor", "new_text"}}`, `{"replace_lines": {"start_anchor", "end_anchor",
//! "new_text"}}`, `{"insert_after": {"anchor", "text"}}`, `{"replace": {"old_text", "new_text"}}`,
//! with the file named outside. `new_text` that is missing or `null` deletes, and a range without
//! an end is one line.

use serde_json::{Map, Value};

use super::op_fields::{OpFields, TEXTS};
use super::ours;
use crate::patch::{Change, Op};
use crate::wire::BadPatch;

const KEYS: [&str; 9] = [
    "set_line",
    "replace_lines",
    "replace_range",
    "replace",
    "insert_after",
    "insert_before",
    "delete",
    "add_file",
    "move_file",
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
    match name {
        "set_line" => {
            fields.expect(ours::SET_LINE);
            let anchor = fields.anchor(&["anchor"])?;
            let lines = new_lines(&mut fields)?;
            fields.finish(Change::SetLine { anchor, lines })
        }
        "replace_lines" => {
            fields.expect(ours::REPLACE_RANGE);
            let start = fields.anchor(&["start_anchor"])?;
            let end = fields.maybe_anchor(&["end_anchor"])?;
            let lines = new_lines(&mut fields)?;
            fields.finish(match end {
                Some(end) => Change::ReplaceRange { start, end, lines },
                None => Change::SetLine { anchor: start, lines },
            })
        }
        _ => ours::read(name, fields),
    }
}

fn new_lines(fields: &mut OpFields<'_>) -> Result<Vec<String>, BadPatch> {
    match fields.peek(&TEXTS) {
        None | Some(Value::Null) => {
            fields.take(&TEXTS);
            Ok(Vec::new())
        }
        Some(_) => fields.lines(&TEXTS),
    }
}
