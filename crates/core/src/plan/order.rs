//! Putting the changes of one file in order, and refusing changes that overlap.
//!
//! All changes use the line numbers of the file before the call, so their order in the patch does
//! not matter, except that several inserts beside one line stay in the order given.

use super::repair::Repaired;
use hashline_text::{Span, Splice};

/// A change together with the lines of the file that it replaces.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PlacedChange {
    /// The operation it came from.
    pub op: usize,
    /// The lines that are replaced; for an insert, an empty span.
    pub span: Span,
    /// The new text.
    pub lines: Vec<String>,
    /// What was corrected in the new text.
    pub repaired: Vec<Repaired>,
    /// New lines that look like something we printed, but are written unchanged.
    pub doubts: Vec<String>,
    /// For copied or moved lines: which of the new lines the reader does not know, zero-based.
    pub transferred: Option<Vec<usize>>,
}

impl PlacedChange {
    /// A change without repairs or doubts.
    pub(super) fn plain(op: usize, span: Span, lines: Vec<String>) -> Self {
        Self { op, span, lines, repaired: Vec::new(), doubts: Vec::new(), transferred: None }
    }
}

/// Two operations that change the same lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Overlap {
    /// The operation that comes first in the patch.
    pub earlier: usize,
    /// The operation that comes later.
    pub later: usize,
    /// The zero-based line where they overlap.
    pub at: usize,
}

/// Sorts the changes by place. `is_before` says whether an operation inserts before a line: between
/// two lines, an insert after the upper line comes before an insert before the lower one.
pub(super) fn sort(
    drafts: &mut [PlacedChange],
    is_before: impl Fn(usize) -> bool,
) -> Result<(), Overlap> {
    // Stable, so inserts beside one line keep their order; an insert comes before a change that
    // begins where it points.
    drafts.sort_by_key(|draft| (draft.span.start(), draft.span.end(), is_before(draft.op)));
    for pair in drafts.windows(2) {
        let [a, b] = pair else { continue };
        if b.span.start() < a.span.end() {
            return Err(Overlap {
                earlier: a.op.min(b.op),
                later: a.op.max(b.op),
                at: b.span.start(),
            });
        }
    }
    Ok(())
}

/// The splices of sorted changes.
pub(super) fn splices(drafts: &[PlacedChange]) -> Vec<Splice> {
    drafts.iter().map(|draft| Splice { span: draft.span, lines: draft.lines.clone() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_text::LineNumber;

    fn draft(op: usize, span: Span) -> PlacedChange {
        PlacedChange::plain(op, span, vec![op.to_string()])
    }

    fn lines(first: usize, last: usize) -> Span {
        Span::lines(LineNumber::new(first).unwrap(), LineNumber::new(last).unwrap()).unwrap()
    }

    fn check(spans: &[Span], expected: Result<&[usize], (usize, usize)>) {
        let mut drafts: Vec<_> =
            spans.iter().enumerate().map(|(op, span)| draft(op, *span)).collect();
        let sorted = sort(&mut drafts, |_| false)
            .map(|()| drafts.iter().map(|draft| draft.op).collect::<Vec<_>>());
        assert_eq!(
            sorted.map_err(|overlap| (overlap.earlier, overlap.later)),
            expected.map(<[usize]>::to_vec),
            "{spans:?}"
        );
    }

    #[test]
    fn the_order_given_does_not_matter() {
        check(&[lines(5, 6), lines(1, 2), lines(3, 4)], Ok(&[1, 2, 0]));
    }

    #[test]
    fn inserts_at_one_place_keep_their_order() {
        check(&[Span::after(2), Span::after(2), Span::after(0)], Ok(&[2, 0, 1]));
    }

    #[test]
    fn of_two_inserts_between_two_lines_the_one_after_the_upper_line_is_first() {
        let mut drafts =
            [draft(0, Span::after(2)), draft(1, Span::after(2)), draft(2, lines(3, 3))];
        sort(&mut drafts, |op| op == 0).unwrap();
        assert_eq!(drafts.map(|draft| draft.op), [1, 0, 2]);
    }

    #[test]
    fn an_insert_may_touch_a_change_on_either_side() {
        check(&[lines(2, 2), Span::after(1), Span::after(2)], Ok(&[1, 0, 2]));
    }

    #[test]
    fn changes_that_share_a_line_are_refused() {
        check(&[lines(1, 3), lines(3, 4)], Err((0, 1)));
        check(&[lines(2, 2), lines(2, 2)], Err((0, 1)));
        check(&[lines(3, 4), Span::after(3)], Err((0, 1)));
        check(&[Span::after(2), lines(1, 9)], Err((0, 1)));
    }
}
