//! Our own spelling: one flat object for each operation.

use super::op_fields::{OpFields, TEXTS};
use crate::patch::{Change, Op};
use crate::wire::BadPatch;

pub(super) const SET_LINE: &str =
    r#"{"op": "set_line", "path": "src/a.ts", "anchor": "12:a3", "text": "new line"}"#;
pub(super) const REPLACE_RANGE: &str = r#"{"op": "replace_range", "path": "src/a.ts", "start_anchor": "12:a3", "end_anchor": "15:b1", "text": "new lines"}"#;
pub(super) const INSERT: &str = r#"{"op": "insert_after", "path": "src/a.ts", "anchor": "12:a3", "text": "new lines"} (`anchor` may be "start" or "end")"#;
pub(super) const DELETE: &str = r#"{"op": "delete", "path": "src/a.ts", "anchor": "12:a3"}, or with "start_anchor" and "end_anchor""#;
pub(super) const REPLACE: &str =
    r#"{"op": "replace", "path": "src/a.ts", "old_text": "exact text", "new_text": "other text"}"#;
const ADD_FILE: &str = r#"{"op": "add_file", "path": "src/a.ts", "content": "whole text\n"}"#;
const MOVE_FILE: &str = r#"{"op": "move_file", "from": "src/a.ts", "to": "src/b.ts"}"#;
const DELETE_FILE: &str = r#"{"op": "delete_file", "path": "src/a.ts"}"#;

const OLD: [&str; 3] = ["old_text", "old_string", "old"];
const NEW: [&str; 3] = ["new_text", "new_string", "new"];

pub(super) fn read(name: &str, mut fields: OpFields<'_>) -> Result<Op, BadPatch> {
    let change = match name {
        "set_line" => {
            fields.expect(SET_LINE);
            Change::SetLine { anchor: fields.anchor(&["anchor"])?, lines: fields.lines(&TEXTS)? }
        }
        "replace_range" | "replace_lines" => {
            fields.expect(REPLACE_RANGE);
            Change::ReplaceRange {
                start: fields.anchor(&["start_anchor"])?,
                end: fields.anchor(&["end_anchor"])?,
                lines: fields.lines(&TEXTS)?,
            }
        }
        "insert_after" | "insert_before" => {
            fields.expect(INSERT);
            Change::Insert {
                at: fields.spot(&["anchor"], name == "insert_before")?,
                lines: fields.lines_to_insert(&TEXTS)?,
            }
        }
        "delete" => {
            fields.expect(DELETE);
            delete(&mut fields)?
        }
        "replace" => {
            fields.expect(REPLACE);
            let old = fields.string(&OLD)?;
            if old.is_empty() {
                return Err(fields.error("old_text", "it is empty"));
            }
            Change::Replace {
                old,
                new: fields.string(&NEW)?,
                all: fields.switch(&["all", "replace_all"])?,
            }
        }
        "add_file" => {
            fields.expect(ADD_FILE);
            Change::AddFile {
                content: fields.string(&["content", "text"])?,
                overwrite: fields.switch(&["overwrite"])?,
            }
        }
        "move_file" => {
            fields.expect(MOVE_FILE);
            let to = fields.string(&["to"])?;
            if to.is_empty() {
                return Err(fields.error("to", "it is empty"));
            }
            Change::MoveFile { to }
        }
        "delete_file" => {
            fields.expect(DELETE_FILE);
            Change::DeleteFile
        }
        _ => {
            let reason = format!(
                "there is no operation `{name}`; there are set_line, replace_range, insert_after, \
                 insert_before, delete, replace, add_file, move_file and delete_file"
            );
            return Err(fields.error("op", &reason));
        }
    };
    fields.finish(change)
}

/// One line by `anchor`, or several by `start_anchor` and `end_anchor`.
pub(super) fn delete(fields: &mut OpFields<'_>) -> Result<Change, BadPatch> {
    if fields.has(&["anchor"]) {
        let start = fields.anchor(&["anchor"])?;
        return Ok(Change::Delete { start, end: None });
    }
    let start = fields.anchor(&["start_anchor"])?;
    let end = fields.anchor(&["end_anchor"])?;
    Ok(Change::Delete { start, end: Some(end) })
}
