//! cowboy's spelling: `replace`, `insert_before`, `insert_after` and `delete` with `start`, `end` and
//! `content` or `new_text`.

use super::op_fields::{OpFields, TEXTS};
use super::ours;
use crate::patch::{Change, Op, Spot};
use crate::wire::BadPatch;

pub(super) fn read(name: &str, mut fields: OpFields<'_>) -> Result<Op, BadPatch> {
    let change = match name {
        "replace" => {
            fields.expect(ours::REPLACE_RANGE);
            let start = fields.anchor(&["start"])?;
            let end = fields.maybe_anchor(&["end"])?;
            let lines = fields.lines(&TEXTS)?;
            match end {
                Some(end) => Change::ReplaceRange { start, end, lines },
                None => Change::SetLine { anchor: start, lines },
            }
        }
        "delete" => {
            fields.expect(ours::DELETE);
            Change::Delete {
                start: fields.anchor(&["start"])?,
                end: fields.maybe_anchor(&["end"])?,
            }
        }
        _ => {
            fields.expect(ours::INSERT);
            let before = name == "insert_before";
            let at = fields.spot(&["start"], before)?;
            // After a range means after its last line.
            let at = match (at, fields.maybe_anchor(&["end"])?) {
                (Spot::After(_), Some(end)) => Spot::After(end),
                (at, _) => at,
            };
            Change::Insert { at, lines: fields.lines_to_insert(&TEXTS)? }
        }
    };
    fields.finish(change)
}
