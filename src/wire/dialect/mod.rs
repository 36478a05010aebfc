//! Every accepted spelling of a patch, read into one.
//!
//! Models mix up the tools they were trained on, so the spellings of oh-my-pi, oh-my-opencode and
//! cowboy are understood beside our own. Each has its file and its own idea of what an empty text
//! means. What cannot be understood for certain is refused with the right shape; nothing is guessed.
//!
//! | file | spelling |
//! |---|---|
//! | `ours` | `{"op": "set_line", "path", "anchor", "text"}` |
//! | `oh_my_pi` | `{"set_line": {"anchor", "new_text"}}` |
//! | `oh_my_opencode` | `{"op": "replace" \| "append" \| "prepend", "pos", "end", "lines"}` |
//! | `cowboy` | `{"op": "replace" \| "insert_after" \| ..., "start", "end", "content"}` |

mod cowboy;
mod oh_my_opencode;
mod oh_my_pi;
mod op_fields;
mod ours;

use serde_json::{Map, Value};

use super::fields::{FieldError, Fields};
use crate::patch::{Change, Op, Patch};
use crate::plan::RefusalCode;
use crate::wire::BadPatch;
use op_fields::OpFields;
pub(super) use op_fields::SHAPE;

/// Names under which a list of operations is found.
pub(super) const LISTS: [&str; 4] = ["patch", "ops", "edits", "operations"];

/// Names under which an operation says what it is.
const NAMES: [&str; 5] = ["op", "type", "action", "kind", "operation"];

/// Names under which a file is given.
const PATHS: [&str; 5] = ["path", "file", "file_path", "filename", "from"];

/// Reads a request in any accepted spelling.
pub(super) fn read(request: &Value) -> Result<Patch, BadPatch> {
    let mut ops = Vec::new();
    gather(&mut ops, request, None)?;
    if ops.is_empty() {
        return Err(whole("there is no operation in it"));
    }
    Ok(Patch { ops })
}

/// Adds the operations found in `value`. `path` is the file named further out.
fn gather(ops: &mut Vec<Op>, value: &Value, path: Option<&str>) -> Result<(), BadPatch> {
    match value {
        Value::Array(items) => items.iter().try_for_each(|item| gather(ops, item, path)),
        Value::Object(object) => {
            if Fields::of(object).has(&LISTS) {
                envelope(ops, object, path)
            } else {
                let op = operation(OpFields::of(ops.len(), object, path))?;
                ops.push(op);
                Ok(())
            }
        }
        other => {
            let error = FieldError::wrong("", "a list of operations", other);
            Err(whole(&op_fields::reason_of(error.problem)))
        }
    }
}

/// An object around operations: it may name the file for them, and delete or rename it.
fn envelope(
    ops: &mut Vec<Op>,
    object: &Map<String, Value>,
    path: Option<&str>,
) -> Result<(), BadPatch> {
    let mut fields = Fields::of(object).filter(|key, _| !op_fields::is_remark(key));
    let list = fields.take(&LISTS);
    let path = fields.text(&PATHS).map_err(misplaced)?.or(path);
    let missing = || misplaced(FieldError::other("path", "it is missing"));
    let mut after = Vec::new();
    let mut file_op = |change| {
        let path = path.ok_or_else(missing)?.to_owned();
        after.push(Op { path, exact: false, change });
        Ok(())
    };
    if let Some(Value::String(to)) = fields.take(&["rename", "move"]) {
        file_op(Change::MoveFile { to: to.clone() })?;
    }
    if fields.take(&["delete"]) == Some(&Value::Bool(true)) {
        file_op(Change::DeleteFile)?;
    }
    if let Some(unknown) = fields.unknown() {
        let reason = "there is no such field beside the list of operations";
        return Err(misplaced(FieldError::other(unknown, reason)));
    }
    match list {
        None | Some(Value::Null) => {}
        Some(list) => gather(ops, list, path)?,
    }
    ops.extend(after);
    Ok(())
}

fn operation(mut fields: OpFields<'_>) -> Result<Op, BadPatch> {
    if let Some((name, inner)) = oh_my_pi::find(&fields) {
        return oh_my_pi::read(name, inner, fields);
    }
    let name = fields.name()?;
    match name.as_str() {
        "append" | "prepend" => oh_my_opencode::read(&name, fields),
        "replace" if fields.has(&["pos", "lines"]) => oh_my_opencode::read(&name, fields),
        "replace" | "insert_after" | "insert_before" | "delete" if fields.has(&["start"]) => {
            cowboy::read(&name, fields)
        }
        _ => ours::read(&name, fields),
    }
}

/// The request as a whole is no patch.
pub(super) fn whole(reason: &str) -> BadPatch {
    BadPatch {
        op: None,
        field: None,
        reason: reason.to_owned(),
        shape: SHAPE,
        code: RefusalCode::BadPatch,
    }
}

fn misplaced(error: FieldError) -> BadPatch {
    let reason = op_fields::reason_of(error.problem);
    BadPatch { field: Some(error.field), ..whole(&reason) }
}
