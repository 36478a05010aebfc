//! New rows that a reader would mistake for old ones.
//!
//! Lines shift, so that a report may print `240:18|}` for another brace than the one a reader saw
//! as `240:18` before and has not edited yet. Such a row must carry no tag: an anchor that was
//! shown for a line that is still there goes on meaning that line.

use super::resolve::Finder;
use super::{Before, Hunk, Now, Relocation, tag_at};
use crate::snapshot::OwnEdit;
use hashline_text::{Anchor, Document, LineNumber, Scheme};

/// How many rows a report may print around a change, and of a long change from either end.
const REACH: usize = 64;

/// The lines of `after`, zero-based, whose anchors lead to other lines. `finder` knows the file
/// before the change.
pub(super) fn twins(
    finder: &Finder<'_>,
    after: &Document,
    hunks: &[Hunk],
    scheme: Scheme,
) -> Vec<usize> {
    let spans: Vec<_> = hunks.iter().map(|hunk| (hunk.before, hunk.after)).collect();
    let edit = OwnEdit::new(0, &spans);
    let mut ends: Vec<usize> =
        hunks.iter().flat_map(|hunk| [hunk.after.start(), hunk.after.end()]).collect();
    ends.sort_unstable();
    // Where two ends are close to each other, no row is checked twice.
    let mut next = 0;
    let rows = ends.into_iter().flat_map(|end| {
        let rows = next.max(end.saturating_sub(REACH))..(end + REACH).min(after.len());
        next = next.max(rows.end);
        rows
    });
    let is_twin = |row: &usize| {
        let anchor = Anchor::new(LineNumber::at(*row), tag_at(after, *row, scheme));
        finder.places(&anchor).any(|place| edit.carry(place, place).is_some_and(|to| to != *row))
    };
    rows.filter(is_twin).collect()
}

/// The `rows` of the present file whose anchors were shown for other lines that are still there.
pub(crate) fn twins_now(
    before: &Before,
    document: &Document,
    rows: impl Iterator<Item = usize>,
    scheme: Scheme,
) -> Vec<usize> {
    let now = Now::new(document, scheme);
    let finder = Finder::new(&now, &before.versions, Relocation::Auto);
    let is_twin = |row: &usize| {
        let anchor = Anchor::new(LineNumber::at(*row), finder.tag(*row));
        finder.places(&anchor).any(|place| place != *row)
    };
    rows.filter(is_twin).collect()
}
