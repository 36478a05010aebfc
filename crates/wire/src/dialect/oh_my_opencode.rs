//! oh-my-opencode's spelling: `replace`, `append` and `prepend` with `pos`, `end` and `lines`.
//!
//! Here `""` is one blank line; `[]` and `null` delete. Without `pos`, `append` means the end of
//! the file and `prepend` its start.

use serde_json::Value;

use super::names::TEXTS;
use super::op_fields::{OpFields, is_nothing};
use super::ours;
use crate::BadPatch;
use hashline_core::patch::{Change, Op, Spot};

pub(super) fn read(name: &str, mut fields: OpFields<'_>) -> Result<Op, BadPatch> {
    let (first, last) = (fields.maybe_anchor(&["pos"])?, fields.maybe_anchor(&["end"])?);
    if name == "replace" {
        fields.expect("replace_range");
        let deletes = matches!(fields.peek(&TEXTS), Some(it) if !it.is_string() && is_nothing(it));
        let lines = if deletes {
            fields.take(&TEXTS);
            Vec::new()
        } else {
            fields.lines_to_insert()?
        };
        let (start, end) = match (first, last) {
            (Some(start), end) => (start, end),
            (None, Some(end)) => (end, None),
            (None, None) => return Err(fields.error("pos", "it is missing")),
        };
        return fields.finish(ours::replaced(start, end, lines));
    }
    // With both ends given, an append goes after the last of them and a prepend before the first.
    let at = if name == "append" {
        fields.expect("insert_after");
        last.or(first).map_or(Spot::End, Spot::After)
    } else {
        fields.expect("insert_before");
        first.or(last).map_or(Spot::Start, Spot::Before)
    };
    let lines = fields.lines_to_insert()?;
    fields.finish(Change::Insert { at, lines })
}

/// Whether an operation is spelled like this.
pub(super) fn is_spelled_so(name: &str, fields: &OpFields<'_>) -> bool {
    let lines =
        matches!(fields.peek(&["lines"]), Some(Value::Array(_) | Value::String(_) | Value::Null));
    match name {
        "append" | "prepend" => true,
        "replace" => fields.has(&["pos"]) || lines,
        _ => false,
    }
}
