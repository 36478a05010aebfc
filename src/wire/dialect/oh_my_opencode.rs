//! oh-my-opencode's spelling: `replace`, `append` and `prepend` with `pos`, `end` and `lines`.
//!
//! Here `""` is one blank line; `[]` and `null` delete. Without `pos`, `append` means the end of
//! the file and `prepend` its start.

use serde_json::Value;

use super::op_fields::{OpFields, TEXTS};
use crate::patch::{Change, Op, Spot};
use crate::wire::BadPatch;

const REPLACE: &str = r#"{"op": "replace", "path": "src/a.ts", "pos": "12#VK", "end": "15#QB", "lines": ["new line"]}"#;
const INSERT: &str =
    r#"{"op": "append", "path": "src/a.ts", "pos": "12#VK", "lines": ["new line"]}"#;

pub(super) fn read(name: &str, mut fields: OpFields<'_>) -> Result<Op, BadPatch> {
    if name == "replace" {
        fields.expect(REPLACE);
        let pos = fields.maybe_anchor(&["pos"])?;
        let end = fields.maybe_anchor(&["end"])?;
        let lines = match fields.peek(&TEXTS) {
            Some(Value::Null) => {
                fields.take(&TEXTS);
                Vec::new()
            }
            Some(Value::Array(items)) if items.is_empty() => {
                fields.take(&TEXTS);
                Vec::new()
            }
            _ => fields.lines_to_insert(&TEXTS)?,
        };
        let change = match (pos, end) {
            (Some(start), Some(end)) => Change::ReplaceRange { start, end, lines },
            (Some(anchor), None) | (None, Some(anchor)) => Change::SetLine { anchor, lines },
            (None, None) => return Err(fields.error("pos", "it is missing")),
        };
        return fields.finish(change);
    }
    fields.expect(INSERT);
    // With both ends given, an append goes after the last of them and a prepend before the first.
    let (first, last) = (fields.maybe_anchor(&["pos"])?, fields.maybe_anchor(&["end"])?);
    let at = if name == "append" {
        last.or(first).map_or(Spot::End, Spot::After)
    } else {
        first.or(last).map_or(Spot::Start, Spot::Before)
    };
    let lines = fields.lines_to_insert(&TEXTS)?;
    fields.finish(Change::Insert { at, lines })
}
