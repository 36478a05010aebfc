//! Printed lines, and how many of them fit into a budget.

use crate::show::GAP;
use hashline_text::kernel::newlines;

/// Printed lines, each with a newline before it.
#[derive(Default)]
pub(super) struct Body {
    /// The text of the lines.
    pub(super) text: String,
    /// How many lines the body has.
    pub(super) lines: usize,
    /// Where each line ends; `None` for a block, where that is seldom needed.
    pub(super) ends: Option<Vec<usize>>,
    /// The anchors before the lines, if their bytes do not count as content: `None` for a
    /// directory, which has no anchors, and for a search, where they count.
    pub(super) anchors: Option<Anchors>,
}

/// The anchors of consecutive lines.
#[derive(Clone, Copy)]
pub(super) struct Anchors {
    /// The number of the first line.
    pub(super) first: usize,
    /// How many characters a tag has.
    pub(super) tag: usize,
}

impl Anchors {
    /// How many bytes the first `count` anchors take, with the marks around the tag.
    fn bytes(self, count: usize) -> usize {
        let end = self.first + count;
        let marks = count * (self.tag + 2);
        // Every line number has one digit, from 10 on a second, and so on.
        let mut digits = 0;
        let mut least = 1;
        while least < end {
            digits += end - least.max(self.first);
            least = least.saturating_mul(10);
        }
        marks + digits
    }
}

impl Body {
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Adds a line that `print` writes.
    pub(super) fn line(&mut self, print: impl FnOnce(&mut String)) {
        self.text.push('\n');
        print(&mut self.text);
        self.end_line();
    }

    /// Marks a gap before the next line, unless that is the first line.
    pub(super) fn gap(&mut self) {
        if self.lines > 0 {
            self.text.push('\n');
            self.text.push_str(GAP);
        }
    }

    /// Notes that a line ends here.
    fn end_line(&mut self) {
        let end = self.len();
        self.ends.get_or_insert_default().push(end);
        self.lines += 1;
    }

    fn ends(&mut self) -> &[usize] {
        let text = self.text.as_bytes();
        // In a block every newline but the first ends a line.
        let find = || newlines::iter(text).skip(1).chain([text.len()]).collect();
        self.ends.get_or_insert_with(find)
    }

    /// How many bytes the lines take, without their anchors.
    pub(super) fn cost(&self) -> usize {
        self.cost_of(self.lines, self.len())
    }

    fn cost_of(&self, lines: usize, end: usize) -> usize {
        end - self.anchors.map_or(0, |anchors| anchors.bytes(lines))
    }

    /// How many of the lines take at most `bytes`.
    pub(super) fn fitting(&mut self, bytes: usize) -> usize {
        if self.cost() <= bytes {
            return self.lines;
        }
        let ends = self.ends().to_vec();
        let (mut fits, mut too_many) = (0, ends.len());
        while fits < too_many {
            let middle = fits + (too_many - fits) / 2;
            if self.cost_of(middle + 1, ends[middle]) <= bytes {
                fits = middle + 1;
            } else {
                too_many = middle;
            }
        }
        fits
    }

    /// How many of the lines take at most `bytes`, anchors included.
    pub(super) fn printed_within(&mut self, bytes: usize) -> usize {
        if self.len() <= bytes {
            return self.lines;
        }
        let lines = self.lines;
        self.ends()[..lines].partition_point(|end| *end <= bytes)
    }

    /// Keeps the first `count` lines.
    pub(super) fn truncate(&mut self, count: usize) {
        if count < self.lines {
            let end = count.checked_sub(1).map_or(0, |last| self.ends()[last]);
            self.text.truncate(end);
            self.lines = count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Anchors;

    #[test]
    fn anchors_count_as_many_bytes_as_are_printed() {
        for (first, count) in [(1, 0), (1, 9), (1, 10), (8, 5), (95, 910), (1, 2000)] {
            let printed: usize =
                (first..first + count).map(|line| format!("{line}:a3|").len()).sum();
            assert_eq!(Anchors { first, tag: 2 }.bytes(count), printed, "{first}, {count}");
        }
    }
}
