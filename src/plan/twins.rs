//! New rows that would be mistaken for old ones.
//!
//! A patch shifts lines, so that a report may print `240:18|}` for another brace than the one a reader
//! saw as `240:18` before and has not edited yet. Such a row must carry no tag: an anchor that was
//! shown for a line that is still there goes on meaning that line.

use super::resolve::Finder;
use super::{Hunk, tag_at};
use crate::anchor::{Anchor, Scheme};
use crate::snapshot::OwnEdit;
use crate::text::{Document, LineNumber};

/// How many rows around a change, and of a long one from either end, a report may print.
const REACH: usize = 64;

/// The lines of `after`, zero-based, whose anchors lead to other lines. `finder` knows the file before.
pub(super) fn twins(
    finder: &Finder<'_>,
    after: &Document,
    hunks: &[Hunk],
    scheme: Scheme,
) -> Vec<usize> {
    let spans: Vec<_> = hunks.iter().map(|hunk| (hunk.before, hunk.after)).collect();
    let edit = OwnEdit::new(0, &spans);
    let mut rows: Vec<usize> = hunks
        .iter()
        .flat_map(|hunk| {
            let (start, end) = (hunk.after.start(), hunk.after.end());
            (start.saturating_sub(REACH)..start + REACH)
                .chain(end.saturating_sub(REACH)..end + REACH)
        })
        .filter(|row| *row < after.len())
        .collect();
    rows.sort_unstable();
    rows.dedup();
    rows.retain(|row| {
        let anchor = Anchor::new(LineNumber::at(*row), tag_at(after, *row, scheme));
        finder.places(&anchor).any(|place| edit.carry(place, place).is_some_and(|to| to != *row))
    });
    rows
}
