//! Every accepted spelling of a patch, read into one.
//!
//! Models mix up the tools they were trained on, so an operation is read by its fields, whatever
//! they are called, and by the spellings of other systems beside our own. What cannot be understood
//! for certain is refused with the right shape for what was tried; nothing is guessed.
//!
//! | file | spelling |
//! |---|---|
//! | `ours` | `{"op": "set_line", "path", "anchor", "text"}`, cowboy's `start`, `end` and `content`, and operations without `op` |
//! | `oh_my_pi` | `{"set_line": {"anchor", "new_text"}}` |
//! | `oh_my_opencode` | `{"op": "replace" \| "append" \| "prepend", "pos", "end", "lines"}` |
//! | `begin_patch` | `*** Begin Patch` |

mod begin_patch;
mod names;
mod oh_my_opencode;
mod oh_my_pi;
mod op_fields;
mod ours;
mod shape;

use serde_json::{Map, Value};

use super::fields::{FieldError, Fields};
use crate::BadPatch;
pub(super) use begin_patch::is_begin_patch;
use hashline_core::patch::{Change, Op, Patch};
use hashline_core::plan::RefusalCode;
pub(super) use names::LISTS;
use names::{PATHS, TO};
use op_fields::{OpFields, is_nothing};
pub(super) use ours::OPERATIONS;

/// Reads a request in any accepted spelling. Operations without a path are for `assumed`.
pub(super) fn read(request: &Value, assumed: Option<&str>) -> Result<Patch, BadPatch> {
    let mut reader = PatchReader { ops: Vec::new(), assumed, assumed_path: None };
    reader.gather(request, None)?;
    if reader.ops.is_empty() {
        return Err(whole("there is no operation in it"));
    }
    Ok(Patch { ops: reader.ops, assumed_path: reader.assumed_path })
}

struct PatchReader<'a> {
    ops: Vec<Op>,
    assumed: Option<&'a str>,
    assumed_path: Option<String>,
}

impl PatchReader<'_> {
    /// Adds the operations found in `value`. `path` is the file named further out.
    fn gather(&mut self, value: &Value, path: Option<&str>) -> Result<(), BadPatch> {
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.gather(item, path)),
            Value::String(text) if is_begin_patch(text) => {
                self.ops.extend(begin_patch::read(text, self.ops.len())?);
                Ok(())
            }
            Value::Object(object) => match Fields::of(object).peek(&LISTS) {
                Some(list) if !list.is_null() => self.envelope(object, path),
                _ => self.operation(object, path),
            },
            other => {
                let error = FieldError::wrong("", "a list of operations", other);
                Err(whole(&op_fields::reason_of(error.problem)))
            }
        }
    }

    fn operation(
        &mut self,
        object: &Map<String, Value>,
        path: Option<&str>,
    ) -> Result<(), BadPatch> {
        let index = self.ops.len();
        let read = operation(OpFields::of(index, object, path));
        let op = match (read, path, self.assumed) {
            (Err(bad), None, Some(assumed)) if bad.field.as_deref() == Some("path") => {
                let op = operation(OpFields::of(index, object, Some(assumed)))?;
                self.assumed_path = Some(assumed.to_owned());
                op
            }
            (read, ..) => read?,
        };
        self.ops.push(op);
        Ok(())
    }

    /// An object around operations: it may name the file for them, and delete or rename it.
    fn envelope(
        &mut self,
        object: &Map<String, Value>,
        path: Option<&str>,
    ) -> Result<(), BadPatch> {
        let mut fields = Fields::of(object)
            .filter(|key, value| !op_fields::is_remark(key) && !is_nothing(value));
        let list = Fields::of(object).take(&LISTS);
        fields.take(&LISTS);
        let path = fields.text(&PATHS).map_err(misplaced)?.or(path);
        let missing = || misplaced(FieldError::other("path", "it is missing"));
        let mut after = Vec::new();
        let mut file_op = |change| {
            let path = path.ok_or_else(missing)?.to_owned();
            after.push(Op { path, exact: false, change });
            Ok(())
        };
        if let Some(Value::String(to)) = fields.take(&TO[5..]) {
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
            Some(list) => self.gather(list, path)?,
        }
        self.ops.extend(after);
        Ok(())
    }
}

fn operation(mut fields: OpFields<'_>) -> Result<Op, BadPatch> {
    if let Some((name, inner)) = oh_my_pi::find(&fields) {
        return oh_my_pi::read(name, inner, fields);
    }
    match fields.name()? {
        Some(name) if oh_my_opencode::is_spelled_so(&name, &fields) => {
            oh_my_opencode::read(&name, fields)
        }
        None if fields.given(&["pos"]) => oh_my_opencode::read("replace", fields),
        name => ours::read(name.as_deref(), fields),
    }
}

/// The request as a whole is no patch.
pub(super) fn whole(reason: &str) -> BadPatch {
    BadPatch {
        op: None,
        field: None,
        reason: reason.to_owned(),
        shape: shape::REQUEST.to_owned(),
        code: RefusalCode::BadPatch,
    }
}

fn misplaced(error: FieldError) -> BadPatch {
    let reason = op_fields::reason_of(error.problem);
    BadPatch { field: Some(error.field), ..whole(&reason) }
}
