//! Belief: a first or last new line that equals its neighbour in the file was copied by mistake.

use std::ops::Range;

use super::same_but_for_space;
use crate::omp::index::LineIndex;

/// New text for the lines `replaced`, without an echo of the line before or after them.
///
/// Only text with more lines than `replaced` can hold an echo. The result may be empty.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(replaced: Range<usize>, new: &[&'static str], expected: &[&'static str]) {
        let original = LineIndex::new(b"before\nold\nafter").unwrap();
        let bytes = |lines: &[&'static str]| -> Vec<&'static [u8]> {
            lines.iter().map(|line| line.as_bytes()).collect()
        };
        let new = bytes(new);
        let kept = without_boundary_echo(&original, &replaced, &new);
        assert_eq!(kept, bytes(expected));
    }

    #[test]
    fn an_echo_is_removed_from_text_that_grew() {
        check(1..2, &["before", "new"], &["new"]);
        check(1..2, &["new", " after "], &["new"]);
        check(1..3, &["before", "new"], &["before", "new"]);
    }

    #[test]
    fn two_echoes_leave_nothing() {
        check(1..2, &["before", "after"], &[]);
    }

    #[test]
    fn an_insertion_keeps_at_least_one_line() {
        let anchor: &[u8] = b"anchor";
        assert_eq!(without_anchor_echo(anchor, &[b" anchor", b"x"]), [b"x"]);
        assert_eq!(without_anchor_echo(anchor, &[anchor]), [anchor]);
    }
}
