//! How our patch turned one version of a file into the next.

use std::ops::Range;

use hashline_text::Span;

/// Which lines of a version our patch replaced, so that the others can be followed without a diff.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OwnEdit {
    /// The stamp of the version that the patch made.
    pub(super) to: u64,
    /// The ranges of lines that were replaced, each with the range that replaced it, in order.
    pub(super) hunks: Vec<(Range<usize>, Range<usize>)>,
}

impl OwnEdit {
    /// A patch that replaced the first span of each pair by the second. The pairs must be in order.
    pub(crate) fn new(to: u64, hunks: &[(Span, Span)]) -> Self {
        let range = |span: Span| span.start()..span.end();
        let hunks = hunks.iter().map(|(old, new)| (range(*old), range(*new))).collect();
        Self { to, hunks }
    }

    /// The number that line `first` has after the patch; `None` if the patch changed any of the
    /// lines `first..=last` or added others between them.
    pub(crate) fn carry(&self, first: usize, last: usize) -> Option<usize> {
        let above = self.hunks.partition_point(|(old, _)| old.end <= first);
        if self.hunks.get(above).is_some_and(|(old, _)| old.start <= last) {
            return None;
        }
        // Lines after a hunk have moved as far as the end of the hunk.
        Some(match self.hunks[..above].last() {
            Some((old, new)) => new.end + (first - old.end),
            None => first,
        })
    }

    /// The number before the patch of the line that is line `at` after it; `None` if the patch
    /// added it.
    pub(crate) fn source(&self, at: usize) -> Option<usize> {
        let above = self.hunks.partition_point(|(_, new)| new.end <= at);
        if self.hunks.get(above).is_some_and(|(_, new)| new.start <= at) {
            return None;
        }
        Some(match self.hunks[..above].last() {
            Some((old, new)) => old.end + (at - new.end),
            None => at,
        })
    }

    /// How many bytes of memory it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.hunks.len() * size_of::<(Range<usize>, Range<usize>)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A patch that replaced lines 2 and 3 by one, and put two lines before line 6 (all
    /// zero-based).
    fn edit() -> OwnEdit {
        OwnEdit { to: 0, hunks: vec![(2..4, 2..3), (6..6, 5..7)] }
    }

    #[test]
    fn unchanged_lines_move_by_the_lines_that_a_patch_added() {
        let check = |first, last, target| {
            assert_eq!(edit().carry(first, last), target, "{first}..={last}");
        };
        check(0, 1, Some(0));
        check(4, 5, Some(3));
        check(6, 9, Some(7));
        check(1, 2, None);
        check(3, 3, None);
        check(1, 4, None);
        check(5, 6, None);
    }

    #[test]
    fn lines_are_carried_to_where_the_patch_has_put_them() {
        let edit = OwnEdit {
            to: 0,
            hunks: vec![
                (0..0, 0..2),
                (3..5, 5..5),
                (5..6, 5..8),
                (9..9, 11..12),
                (9..9, 12..13),
                (12..20, 16..17),
            ],
        };
        let mut after: Vec<Option<usize>> = (0..30).map(Some).collect();
        for (old, new) in edit.hunks.iter().rev() {
            after.splice(old.clone(), new.clone().map(|_| None));
        }
        for at in 0..30 {
            let place = after.iter().position(|line| *line == Some(at));
            assert_eq!(edit.carry(at, at), place, "line {at}");
        }
        for (at, line) in after.iter().enumerate() {
            assert_eq!(edit.source(at), *line, "line {at} after the patch");
        }
    }

    #[test]
    fn source_is_the_inverse_of_carry() {
        for (from, to) in [(0, 0), (1, 1), (4, 3), (5, 4), (6, 7), (9, 10)] {
            assert_eq!(edit().carry(from, from), Some(to));
            assert_eq!(edit().source(to), Some(from));
        }
        assert_eq!([2, 5, 6].map(|brought| edit().source(brought)), [None; 3]);
    }
}
