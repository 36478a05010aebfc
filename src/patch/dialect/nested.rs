//! oh-my-pi's spelling: the operation is a key, its fields are inside.
//!
//! `{"set_line": {"anchor", "new_text"}}`, `{"replace_lines": {"start_anchor", "end_anchor",
//! "new_text"}}`, `{"insert_after": {"anchor", "text"}}`, `{"replace": {"old_text", "new_text"}}`,
//! with the file named outside. `new_text` that is missing or `null` deletes, and a range without
//! an end is one line.

use super::super::value::Value;
use super::super::{BadPatch, Change, Op};
use super::fields::{Fields, TEXTS};
use super::flat;

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

/// The operation's name and the object under it.
fn find<'a>(fields: &Fields<'a>) -> Option<(&'static str, &'a Value)> {
    KEYS.into_iter().find_map(|key| match fields.peek(key)? {
        value @ Value::Object(_) => Some((key, value)),
        _ => None,
    })
}

pub fn is_nested(fields: &Fields<'_>) -> bool {
    find(fields).is_some()
}

pub fn read(mut fields: Fields<'_>) -> Result<Op, BadPatch> {
    let Some((name, value)) = find(&fields) else {
        return Err(fields.error("op", "it is missing"));
    };
    fields.take(&[name]);
    let mut fields = fields.inner(value);
    match name {
        "set_line" => {
            fields.expect(flat::SET_LINE);
            let anchor = fields.anchor(&["anchor"])?;
            let lines = new_lines(&mut fields)?;
            fields.finish(Change::SetLine { anchor, lines })
        }
        "replace_lines" => {
            fields.expect(flat::REPLACE_RANGE);
            let start = fields.anchor(&["start_anchor"])?;
            let end = fields.maybe_anchor(&["end_anchor"])?;
            let lines = new_lines(&mut fields)?;
            fields.finish(match end {
                Some(end) => Change::ReplaceRange { start, end, lines },
                None => Change::SetLine { anchor: start, lines },
            })
        }
        _ => flat::read(name, fields),
    }
}

fn new_lines(fields: &mut Fields<'_>) -> Result<Vec<String>, BadPatch> {
    let gone =
        TEXTS.iter().find_map(|name| fields.peek(name)).is_none_or(|value| *value == Value::Null);
    if gone {
        fields.take(&TEXTS);
        return Ok(Vec::new());
    }
    fields.lines(&TEXTS)
}
