//! Every accepted spelling of a patch, read into one.
//!
//! Models mix up the tools they were trained on, so an operation is read by its fields, whatever
//! they are called, and by the spellings of other systems beside our own. What cannot be understood
//! for certain is refused with the right shape for what was tried; nothing is guessed.
//!
//! | file | spelling |
//! |---|---|
//! | `ours` | `{"op": "set_line", "path", "anchor", "text"}`, and operations without `op` |
//! | `ours` | cowboy's: `start`, `end` and `content` |
//! | `ours` | oh-my-pi's: `{"set_line": {"anchor", "new_text"}}` |
//! | `ours` | oh-my-opencode's: `{"op": "replace" \| "append" \| "prepend", "pos", "end", "lines"}` |
//! | `begin_patch` | `*** Begin Patch` |

mod begin_patch;
mod names;
mod op_fields;
mod ours;
mod shape;

use serde_json::{Map, Value};

use super::fields::{FieldError, Fields, described};
use crate::BadPatch;
pub(super) use begin_patch::is_begin_patch;
use hashline_core::RefusalCode;
use hashline_core::patch::{Change, Op, Patch};
pub(super) use names::LISTS;
use names::{PATHS, TO};
pub(super) use op_fields::list_in;
use op_fields::{OpFields, is_nothing};
pub(super) use ours::OPERATIONS;

/// Reads a request in any accepted spelling. Operations without a path are for `assumed`.
pub(super) fn read(request: &Value, assumed: Option<&str>) -> Result<Patch, BadPatch> {
    let patch = Patch::new(Vec::new());
    let mut reader = PatchReader { patch, assumed };
    reader.gather(request, None)?;
    if reader.patch.ops.is_empty() {
        return Err(bad_request("there is no operation in it"));
    }
    reader.patch.ignored.sort_unstable();
    reader.patch.ignored.dedup();
    Ok(reader.patch)
}

struct PatchReader<'a> {
    patch: Patch,
    assumed: Option<&'a str>,
}

impl PatchReader<'_> {
    /// Adds the operations found in `value`. `path` is the file that an enclosing object names.
    fn gather(&mut self, value: &Value, path: Option<&str>) -> Result<(), BadPatch> {
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.gather(item, path)),
            Value::String(text) if is_begin_patch(text) => {
                self.patch.ops.extend(begin_patch::read(text, self.patch.ops.len())?);
                Ok(())
            }
            Value::Object(object) => {
                let remarks = object.keys().filter(|key| op_fields::is_named_remark(key));
                self.patch.ignored.extend(remarks.cloned());
                match Fields::of(object).peek(&LISTS) {
                    Some(list) if !list.is_null() => self.envelope(object, path),
                    _ => self.operation(object, path),
                }
            }
            other => {
                let given = described(other);
                Err(bad_request(&format!("a list of operations was expected, {given} was given")))
            }
        }
    }

    fn operation(
        &mut self,
        object: &Map<String, Value>,
        path: Option<&str>,
    ) -> Result<(), BadPatch> {
        let nested = names::nested(object);
        if nested.is_empty() {
            return self.add(|index, path| OpFields::of(index, object, path), path);
        }
        nested.into_iter().try_for_each(|(key, inner)| {
            self.add(|index, path| OpFields::nested(index, (&key, inner), object, path), path)
        })
    }

    /// Adds an operation; one that names no file is for the only file that was shown.
    fn add<'a>(
        &mut self,
        fields: impl Fn(usize, Option<&'a str>) -> OpFields<'a>,
        path: Option<&'a str>,
    ) -> Result<(), BadPatch>
    where
        Self: 'a,
    {
        let index = self.patch.ops.len();
        let op = match (ours::read(fields(index, path)), path, self.assumed) {
            (Err(bad), None, Some(assumed)) if bad.field.as_deref() == Some("path") => {
                let op = ours::read(fields(index, Some(assumed)))?;
                self.patch.assumed_path = Some(assumed.to_owned());
                op
            }
            (read, ..) => read?,
        };
        if fields(index, path).is_unnamed() {
            self.patch.unnamed.push(index);
        }
        self.patch.ops.push(op);
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
        let path = fields.text(&PATHS).map_err(bad_value)?.or(path);
        // What `call` noted when it brought a patch into one shape.
        self.patch.ignored.extend(fields.texts("ignored").map_err(bad_value)?);
        let unnamed = fields.list(&["unnamed"]);
        let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
        self.patch.unnamed.extend(unnamed.iter().filter_map(number));
        let assumed = fields.text(&["assumed_path"]).map_err(bad_value)?;
        self.patch.assumed_path = assumed.map(str::to_owned).or(self.patch.assumed_path.take());
        let missing = || bad_field("path", "it is missing");
        let mut after = Vec::new();
        let mut file_op = |change| {
            let path = path.ok_or_else(missing)?.to_owned();
            after.push(Op { path, exact: false, open: false, change });
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
            return Err(bad_field(unknown, reason));
        }
        match list {
            None | Some(Value::Null) => {}
            Some(list) => self.gather(list, path)?,
        }
        self.patch.ops.extend(after);
        Ok(())
    }
}

/// The request as a whole is not a patch.
pub(super) fn bad_request(reason: &str) -> BadPatch {
    BadPatch {
        op: None,
        field: None,
        reason: reason.to_owned(),
        shape: shape::REQUEST.to_owned(),
        code: RefusalCode::BadPatch,
    }
}

fn bad_field(field: &str, reason: &str) -> BadPatch {
    BadPatch { field: Some(field.to_owned()), ..bad_request(reason) }
}

fn bad_value(FieldError { field, reason }: FieldError) -> BadPatch {
    bad_field(&field, &format!("it {reason}"))
}
