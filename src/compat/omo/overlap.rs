//! Refusing ranges that share a line.

use super::edit::{Edit, Op};
use super::reference::LineRef;
use super::refusal::Refusal;

/// Refuses two ranges that share a line. Edits of one line take part only if they are written as a
/// range; they are numbered in the order given here.
pub fn check(edits: &[&Edit]) -> Result<(), Refusal> {
    let mut ranges = Vec::new();
    for (index, edit) in edits.iter().enumerate() {
        if let (Op::Replace, Some(pos), Some(end)) = (edit.op, &edit.pos, &edit.end) {
            ranges.push((LineRef::parse(pos)?.line, LineRef::parse(end)?.line, index + 1));
        }
    }
    ranges.sort_by_key(|(start, end, _)| (*start, *end));
    match ranges.windows(2).find(|pair| pair[1].0 <= pair[0].1) {
        Some(pair) => {
            let [first, second] = [pair[0], pair[1]].map(|(start, end, edit)| (edit, start, end));
            Err(Refusal::Overlap { first, second })
        }
        None => Ok(()),
    }
}
