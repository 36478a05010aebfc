//! The part of a listing that is shown: some lines and the lines around them.

use std::fmt;
use std::ops::Range;

use super::frame::GAP;
use super::row::Row;
use hashline_text::{LineNumber, Listing};

/// Lines of a listing and their neighbours, in the order of the file.
pub struct Excerpt<'a> {
    listing: &'a Listing<'a>,
    /// Sorted ranges inside the file that do not touch: `new()` ensures it.
    groups: Vec<Range<usize>>,
}

impl<'a> Excerpt<'a> {
    /// Shows the lines from the first to the last of each range, both counted from 1 and included,
    /// with `before` lines above and `after` lines below.
    ///
    /// What lies outside the file is left out; ranges that meet become one. A range that ends
    /// before it starts has no lines.
    ///
    /// ```
    /// use hashline_core::show::Excerpt;
    /// use hashline_text::{Document, Listing, Scheme};
    /// let document = Document::from_text("a\nb\nc\nd\ne\n");
    /// let listing = Listing::new(&document, Scheme::Hex2);
    /// let excerpt = Excerpt::new(&listing, &[(1, 1), (4, 4)], 0, 1);
    /// assert_eq!(excerpt.to_string(), "1:56|a\n2:bf|b\n...\n4:90|d\n5:c7|e\n");
    /// ```
    pub fn new(
        listing: &'a Listing<'a>,
        ranges: &[(usize, usize)],
        before: usize,
        after: usize,
    ) -> Self {
        let total = listing.document().len();
        let mut wanted: Vec<Range<usize>> = ranges
            .iter()
            .filter(|(first, last)| first <= last && *first <= total && *last > 0)
            .map(|(first, last)| {
                let start = first.saturating_sub(1).saturating_sub(before);
                start..last.saturating_add(after).min(total)
            })
            .collect();
        wanted.sort_unstable_by_key(|range| range.start);
        let mut groups: Vec<Range<usize>> = Vec::new();
        for range in wanted {
            match groups.last_mut() {
                Some(group) if range.start <= group.end => group.end = group.end.max(range.end),
                _ => groups.push(range),
            }
        }
        Self { listing, groups }
    }

    /// The numbers of the lines that are shown.
    pub fn lines(&self) -> impl Iterator<Item = LineNumber> + '_ {
        self.groups.iter().cloned().flatten().map(LineNumber::at)
    }

    /// Whether nothing is shown.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }
}

/// Prints every line as `LINE:HASH|content`, whole and without escapes, each followed by a newline,
/// and a gap where lines are left out between two shown lines.
impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = String::new();
        for (index, group) in self.groups.iter().enumerate() {
            if index > 0 {
                writeln!(f, "{GAP}")?;
            }
            for number in group.clone().map(LineNumber::at) {
                row.clear();
                push_listed(&mut row, self.listing, number);
                f.write_str(&row)?;
            }
        }
        Ok(())
    }
}

fn push_listed(out: &mut String, listing: &Listing<'_>, number: LineNumber) {
    let content = listing.document().content(number).unwrap_or_default();
    Row::new(number, listing.tags()[number.index()], content).push_raw(out, listing.scheme());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_text::{Document, Scheme};
    use proptest::prelude::*;

    /// The numbers shown, `0` for a gap.
    fn shown(total: usize, ranges: &[(usize, usize)], before: usize, after: usize) -> Vec<usize> {
        let document = Document::from_text("x\n".repeat(total));
        let listing = Listing::new(&document, Scheme::Hex2);
        let excerpt = Excerpt::new(&listing, ranges, before, after);
        let printed = excerpt.to_string();
        let number = |line: &str| line.split(':').next().unwrap().parse().unwrap_or(0);
        printed.lines().map(number).collect()
    }

    #[test]
    fn context_lines_surround_the_range() {
        assert_eq!(shown(9, &[(4, 5)], 1, 2), [3, 4, 5, 6, 7]);
    }

    #[test]
    fn the_ends_of_the_file_cut_the_excerpt() {
        assert_eq!(shown(3, &[(0, 9)], 5, 5), [1, 2, 3]);
        assert_eq!(shown(3, &[(1, usize::MAX)], usize::MAX, usize::MAX), [1, 2, 3]);
        assert!(shown(3, &[(4, 9)], 1, 1).is_empty());
        assert!(shown(3, &[(0, 0)], 1, 1).is_empty());
        assert!(shown(3, &[(3, 2)], 1, 1).is_empty());
        assert!(shown(0, &[(1, 1)], 1, 1).is_empty());
    }

    #[test]
    fn ranges_that_meet_become_one() {
        assert_eq!(shown(9, &[(4, 5), (1, 2), (6, 6)], 0, 0), [1, 2, 0, 4, 5, 6]);
        assert_eq!(shown(9, &[(2, 7), (3, 4)], 0, 0), [2, 3, 4, 5, 6, 7]);
        assert_eq!(shown(9, &[(2, 2), (5, 5)], 1, 1), [1, 2, 3, 4, 5, 6]);
    }

    proptest! {
        #[test]
        fn exactly_the_lines_near_a_range_are_shown(
            total in 0..30_usize,
            ranges in prop::collection::vec((0..35_usize, 0..35_usize), 0..4),
            before in 0..4_usize,
            after in 0..4_usize,
        ) {
            let expected: Vec<usize> = (1..=total)
                .filter(|line| ranges.iter().any(|(first, last)| {
                    first <= last && *first <= total && *last > 0
                        && line + before >= *first && *line <= last + after
                }))
                .collect();
            let mut printed = shown(total, &ranges, before, after);
            printed.retain(|line| *line != 0);
            prop_assert_eq!(printed, expected);
        }
    }
}
