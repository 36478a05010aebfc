//! Refusing ranges that share a line.

use super::edit::{OmoEdit, OmoOp};
use super::reference::OmoLineRef;
use super::refusal::OmoRefusal;

/// Refuses two ranges that share a line. A single-line edit counts only if it is written as a
/// range. The refusal numbers edits by their position in `edits`.
pub(super) fn check(edits: &[&OmoEdit]) -> Result<(), OmoRefusal> {
    let mut ranges = Vec::new();
    for (index, edit) in edits.iter().enumerate() {
        if let (OmoOp::Replace, Some(pos), Some(end)) = (edit.op, &edit.pos, &edit.end) {
            ranges.push((OmoLineRef::parse(pos)?.line, OmoLineRef::parse(end)?.line, index + 1));
        }
    }
    ranges.sort_by_key(|(start, end, _)| (*start, *end));
    match ranges.windows(2).find(|pair| pair[1].0 <= pair[0].1) {
        Some(pair) => {
            let [first, second] = [pair[0], pair[1]].map(|(start, end, edit)| (edit, start, end));
            Err(OmoRefusal::Overlap { first, second })
        }
        None => Ok(()),
    }
}
