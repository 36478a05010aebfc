//! Belief: a line at the edge of the new text that equals the line beyond it was copied along.

use std::ops::Range;

use super::same_but_for_space;
use crate::compat::omp::index::LineIndex;

/// New text for the lines `replaced`, without an echo of the line before or after them.
///
/// Only text that grew is looked at. What remains may be nothing.
pub(in super::super) fn without_boundary_echo<'s, 'a>(
    original: &LineIndex,
    replaced: &Range<usize>,
    mut new: &'s [&'a [u8]],
) -> &'s [&'a [u8]] {
    if new.len() <= 1 || new.len() <= replaced.len() {
        return new;
    }
    if let (Some(before), [first, rest @ ..]) = (replaced.start.checked_sub(1), new)
        && same_but_for_space(first, original.line(before))
    {
        new = rest;
    }
    if let (true, [rest @ .., last]) = (replaced.end < original.len(), new)
        && same_but_for_space(last, original.line(replaced.end))
    {
        new = rest;
    }
    new
}

/// Lines to insert after `anchor`, without an echo of it.
pub(in super::super) fn without_anchor_echo<'s, 'a>(
    anchor: &[u8],
    new: &'s [&'a [u8]],
) -> &'s [&'a [u8]] {
    match new {
        [first, rest @ ..] if !rest.is_empty() && same_but_for_space(first, anchor) => rest,
        _ => new,
    }
}
