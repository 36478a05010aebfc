//! Every accepted spelling of a patch, read into one.
//!
//! Models mix up the tools they were trained on, so the spellings of oh-my-pi, oh-my-opencode and
//! cowboy are understood beside our own. Each has its file and its own idea of what an empty text
//! means. What cannot be understood for certain is refused with the right shape; nothing is guessed.
//!
//! | file | spelling |
//! |---|---|
//! | `flat` | `{"op": "set_line", "path", "anchor", "text"}`: our own |
//! | `nested` | `{"set_line": {"anchor", "new_text"}}`: oh-my-pi |
//! | `three` | `{"op": "replace" \| "append" \| "prepend", "pos", "end", "lines"}`: oh-my-opencode |
//! | `bounded` | `{"op": "replace" \| "insert_after" \| ..., "start", "end", "content"}`: cowboy |

mod bounded;
mod fields;
mod flat;
mod nested;
mod three;

use super::value::{Value, snake};
use super::{BadPatch, Change, Op, Patch};
use fields::Fields;
pub use fields::SHAPE;

/// Names under which a list of operations is found.
const LISTS: [&str; 4] = ["patch", "ops", "edits", "operations"];

/// Names under which an operation says what it is.
const NAMES: [&str; 5] = ["op", "type", "action", "kind", "operation"];

/// Names under which a file is given.
const PATHS: [&str; 5] = ["path", "file", "file_path", "filename", "from"];

/// Reads a request in any accepted spelling.
///
/// ```
/// use hashline::patch::{Value, dialect};
/// let text = |text: &str| Value::Text(text.to_owned());
/// let op = Value::Object(vec![
///     ("op".into(), text("delete")),
///     ("path".into(), text("poem.txt")),
///     ("anchor".into(), text("2:a3")),
/// ]);
/// assert_eq!(dialect::read(&op)?.ops[0].path, "poem.txt");
/// # Ok::<(), hashline::patch::BadPatch>(())
/// ```
pub fn read(request: &Value) -> Result<Patch, BadPatch> {
    let mut reader = Reader { ops: Vec::new() };
    reader.gather(request, None)?;
    if reader.ops.is_empty() {
        return Err(whole("there is no operation in it".to_owned()));
    }
    Ok(Patch { ops: reader.ops })
}

struct Reader {
    ops: Vec<Op>,
}

impl Reader {
    /// Adds the operations found in `value`. `path` is the file named further out.
    fn gather(&mut self, value: &Value, path: Option<&str>) -> Result<(), BadPatch> {
        match value {
            Value::List(items) => items.iter().try_for_each(|item| self.gather(item, path)),
            Value::Object(_) => match LISTS.iter().find_map(|name| value.get(name)) {
                Some(list) => self.envelope(value, list, path),
                None => self.operation(value, path),
            },
            other => {
                let reason =
                    format!("a list of operations was expected, {} was given", other.kind());
                Err(whole(reason))
            }
        }
    }

    /// An object around operations: it may name the file for them, and delete or rename it.
    fn envelope(
        &mut self,
        value: &Value,
        list: &Value,
        path: Option<&str>,
    ) -> Result<(), BadPatch> {
        let own = PATHS.iter().find_map(|name| value.get(name));
        let path = match own {
            Some(Value::Text(own)) => Some(own.as_str()),
            Some(other) => {
                let reason = format!("a string was expected, {} was given", other.kind());
                return Err(misplaced("path", reason));
            }
            None => path,
        };
        let file_op = |change| match path {
            Some(path) => Ok(Op { path: path.to_owned(), exact: false, change }),
            None => Err(misplaced("path", "it is missing".to_owned())),
        };
        let mut after = Vec::new();
        if let Some(Value::Text(to)) = ["rename", "move"].iter().find_map(|name| value.get(name)) {
            after.push(file_op(Change::MoveFile { to: to.clone() })?);
        }
        if value.get("delete") == Some(&Value::Bool(true)) {
            after.push(file_op(Change::DeleteFile)?);
        }
        if let Value::Object(entries) = value {
            let known = |key: &str| {
                LISTS.contains(&key)
                    || PATHS.contains(&key)
                    || fields::is_remark(key)
                    || ["rename", "move", "delete"].contains(&key)
            };
            if let Some((key, _)) = entries.iter().find(|(key, _)| !known(&snake(key))) {
                return Err(misplaced(
                    key,
                    "there is no such field beside the list of operations".to_owned(),
                ));
            }
        }
        if *list != Value::Null {
            self.gather(list, path)?;
        }
        self.ops.extend(after);
        Ok(())
    }

    fn operation(&mut self, value: &Value, path: Option<&str>) -> Result<(), BadPatch> {
        let mut fields = Fields::of(self.ops.len(), value, path);
        let op = if nested::is_nested(&fields) {
            nested::read(fields)?
        } else {
            let name = fields.name()?;
            match name.as_str() {
                "append" | "prepend" => three::read(&name, fields)?,
                "replace" if fields.has(&["pos", "lines"]) => three::read(&name, fields)?,
                "replace" | "insert_after" | "insert_before" | "delete"
                    if fields.has(&["start"]) =>
                {
                    bounded::read(&name, fields)?
                }
                _ => flat::read(&name, fields)?,
            }
        };
        self.ops.push(op);
        Ok(())
    }
}

fn whole(reason: String) -> BadPatch {
    BadPatch { op: None, field: None, reason, shape: SHAPE, code: "bad_patch" }
}

fn misplaced(field: &str, reason: String) -> BadPatch {
    BadPatch { field: Some(field.to_owned()), ..whole(reason) }
}
