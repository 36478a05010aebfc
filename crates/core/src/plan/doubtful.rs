//! Signs that a change is not what was meant, though it was made as asked.
//!
//! Nothing here stops or alters a change: what is a slip in one text may be wanted in another.
//! Repairs act where the evidence is clear; these warnings name the rest. An `exact` operation is
//! never doubted.

use super::order::PlacedChange;
use super::repair::{indent, is_blank};
use super::warn::WarningCode;
use super::{Hunk, content};
use hashline_text::Document;

/// How many lines around a change show how its place is indented.
const AROUND: usize = 20;

/// Something that looks like a slip: its code, the line in the new file, and what was seen.
pub(super) struct Doubt {
    pub(super) code: WarningCode,
    pub(super) line: usize,
    pub(super) text: String,
}

/// What the first column of a file means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FirstColumn {
    Code,
    Yaml,
    /// Prose and markup: the first column means nothing there, and no indentation is repaired.
    Free,
}

/// Collects the doubts about one change. `anchored`: whether the model named its lines by number.
pub(super) fn doubts(
    before: &Document,
    change: &PlacedChange,
    hunk: &Hunk,
    anchored: bool,
    kind: FirstColumn,
) -> Vec<Doubt> {
    let place = DoubtedChange { before, change };
    let line = hunk.after.start();
    let slip = if anchored { place.equal_neighbours() } else { None };
    // Where indentation is repaired, an insert in the first column is meant to be there; but at the
    // end of YAML it may be a key of the mapping above or of the whole file.
    let is_doubtful = !change.span.is_empty()
        || if place.below().is_some() {
            kind == FirstColumn::Free
        } else {
            anchored && kind == FirstColumn::Yaml
        };
    let lost = if is_doubtful { place.lost_indentation() } else { None };
    [
        slip.map(|text| (WarningCode::EqualNeighbour, text)),
        lost.map(|text| (WarningCode::LostIndentation, text)),
        place.other_white_space().map(|text| (WarningCode::TabsAndSpaces, text)),
    ]
    .into_iter()
    .flatten()
    .map(|(code, text)| Doubt { code, line, text })
    .collect()
}

/// A change and the file that it is made to.
struct DoubtedChange<'a> {
    before: &'a Document,
    change: &'a PlacedChange,
}

impl<'a> DoubtedChange<'a> {
    /// Equal lines side by side have equal tags, so an anchor does not show that its number slipped
    /// from one to the other.
    fn equal_neighbours(&self) -> Option<String> {
        let (start, end) = (self.change.span.start(), self.change.span.end());
        if self.change.lines.is_empty() || self.old().eq(&self.change.lines) {
            return None;
        }
        let equal = |one: usize, other: usize| {
            other < self.before.len()
                && !is_blank(content(self.before, one))
                && content(self.before, one) == content(self.before, other)
        };
        if self.change.span.is_empty() {
            let above = start.checked_sub(1).filter(|above| equal(*above, start))?;
            return Some(format!(
                "the new lines are between two equal lines, {} and {} before: check that they belong \
                 there, and not beside another of them",
                above + 1,
                start + 1
            ));
        }
        let above =
            start.checked_sub(1).filter(|above| equal(*above, start)).map(|above| (start, above));
        let (line, neighbour) = above.or_else(|| equal(end - 1, end).then_some((end - 1, end)))?;
        Some(format!(
            "line {} said the same as line {} beside it: check that the right one was changed",
            line + 1,
            neighbour + 1
        ))
    }

    /// Doubts a text without indentation in a place where every line is indented.
    fn lost_indentation(&self) -> Option<String> {
        let place: Vec<&str> = if self.change.span.is_empty() {
            [self.above()?].into_iter().chain(self.below()).collect()
        } else {
            self.old().filter(|line| !is_blank(line)).collect()
        };
        let new: Vec<&str> = self.written().collect();
        let is_lost = !new.is_empty()
            && !place.is_empty()
            && place.iter().all(|line| !indent(line).is_empty())
            && new.iter().all(|line| indent(line).is_empty() && !closes_an_element(line))
            // A text that only takes the indentation off the old lines is meant so.
            && !new.iter().map(|line| line.trim()).eq(place.iter().map(|line| line.trim()));
        let what =
            if self.change.span.is_empty() { "the lines around are" } else { "what was there was" };
        is_lost.then(|| {
            format!("{what} indented, and the new text is not: write it again with its indentation if that was lost")
        })
    }

    /// Doubts a text indented by spaces in a place that is indented by tabs, or the reverse.
    fn other_white_space(&self) -> Option<String> {
        let from = self.change.span.start().saturating_sub(AROUND);
        let to = (self.change.span.end() + AROUND).min(self.before.len());
        let around = (from..to).map(|at| content(self.before, at)).filter(|line| !is_blank(line));
        let theirs = kind(around)?;
        let ours = kind(self.written())?;
        (ours != theirs).then(|| {
            format!("the new text is indented by {ours}, and the lines around it by {theirs}: write it again if that was not meant")
        })
    }

    /// The lines that are replaced; none for an insert.
    fn old(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let (before, span) = (self.before, self.change.span);
        (span.start()..span.end()).map(move |at| content(before, at))
    }

    /// The lines of the new text that are not blank.
    fn written(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.change.lines.iter().map(String::as_str).filter(|line| !is_blank(line))
    }

    fn above(&self) -> Option<&'a str> {
        let before = self.before;
        (0..self.change.span.start())
            .rev()
            .map(|at| content(before, at))
            .find(|line| !is_blank(line))
    }

    fn below(&self) -> Option<&'a str> {
        let before = self.before;
        (self.change.span.end()..before.len())
            .map(|at| content(before, at))
            .find(|line| !is_blank(line))
    }
}

/// What all indented lines are indented by, `tabs` or `spaces`; `None` if by both, or if no line is
/// indented. One space is no indentation: it stands before the `*` of a comment.
fn kind<'a>(lines: impl Iterator<Item = &'a str>) -> Option<&'static str> {
    let mut found = None;
    for own in lines.map(indent).filter(|own| !own.is_empty()) {
        let kind = if own.bytes().all(|byte| byte == b'\t') {
            "tabs"
        } else if own.len() > 1 && own.bytes().all(|byte| byte == b' ') {
            "spaces"
        } else {
            return None;
        };
        if found.is_some_and(|found| found != kind) {
            return None;
        }
        found = Some(kind);
    }
    found
}

fn closes_an_element(line: &str) -> bool {
    line.trim_start().starts_with("</")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_text::{LineNumber, Span};

    /// The codes of the doubts when `text` replaces the lines `first..=last`, or is inserted after
    /// line `last` if that is the smaller number.
    fn codes(
        before: &str,
        first: usize,
        last: usize,
        text: &str,
        kind: FirstColumn,
    ) -> Vec<&'static str> {
        let document = Document::from_text(before);
        let span = match LineNumber::new(first).filter(|_| first <= last) {
            Some(first) => Span::lines(first, LineNumber::new(last).unwrap()).unwrap(),
            None => Span::after(last),
        };
        let lines = crate::patch::lines_of(text);
        let change = PlacedChange::plain(0, span, lines);
        let hunk = Hunk { before: span, after: span };
        let doubts = doubts(&document, &change, &hunk, true, kind);
        doubts.iter().map(|doubt| doubt.code.as_str()).collect()
    }

    #[track_caller]
    fn check(before: &str, first: usize, last: usize, text: &str, expected: &[&str]) {
        assert_eq!(codes(before, first, last, text, FirstColumn::Free), expected, "{text:?}");
    }

    #[test]
    fn a_line_with_an_equal_one_beside_it_is_doubted() {
        check("a\nsame\nsame\nb\n", 2, 2, "new\n", &["equal_neighbour"]);
        check("a\nsame\nsame\nb\n", 3, 3, "new\n", &["equal_neighbour"]);
        check("a\nsame\nsame\nb\n", 1, 2, "new\n", &["equal_neighbour"]);
        check("a\nsame\nsame\nb\n", 3, 2, "new\n", &["equal_neighbour"]);
    }

    #[test]
    fn a_change_that_is_the_same_wherever_it_is_made_is_not_doubted() {
        check("a\nsame\nsame\nb\n", 2, 2, "", &[]);
        check("a\nsame\nsame\nb\n", 2, 2, "same\n", &[]);
        check("a\nsame\nsame\nb\n", 2, 3, "new\n", &[]);
        check("a\n\n\nb\n", 2, 2, "new\n", &[]);
        check("a\nsame\nsame\nb\n", 4, 3, "new\n", &[]);
    }

    #[test]
    fn prose_that_loses_its_indentation_is_doubted() {
        check("a\n  b\n  c\n", 2, 2, "new\n", &["lost_indentation"]);
        check("a\n  b\n  c\n", 2, 3, "new\n\nmore\n", &["lost_indentation"]);
        check("a\n  b\n  c\n", 3, 2, "new\n", &["lost_indentation"]);
    }

    #[test]
    fn the_first_column_is_not_doubted_where_it_may_be_meant() {
        check("a\n  b\n  c\n", 2, 2, "b\n", &[]);
        check("a\n  b\nc\n", 1, 2, "new\n", &[]);
        check("a\n  b\nc\n", 3, 2, "new\n", &[]);
        check("<div>\n  <p>\n</div>\n", 2, 2, "</div>\n<div>\n", &[]);
        // In code, an insert beside an anchor is meant to be in the first column.
        assert!(codes("a:\n  b: 1\n  c: 2\n", 3, 2, "d: 2\n", FirstColumn::Code).is_empty());
    }

    #[test]
    fn at_the_end_of_yaml_a_key_may_be_one_of_the_mapping_above() {
        let yaml = |before, after, text| codes(before, after + 1, after, text, FirstColumn::Yaml);
        assert_eq!(yaml("a:\n  b: 1\n", 2, "c: 2\n"), ["lost_indentation"]);
        assert!(yaml("a:\n  b: 1\n", 2, "  c: 2\n").is_empty());
        assert!(yaml("a:\n  b: 1\nd: 3\n", 2, "c: 2\n").is_empty());
        assert!(yaml("a: 1\n", 1, "c: 2\n").is_empty());
    }

    #[test]
    fn other_white_space_than_around_is_doubted() {
        check("a\n\tb\n\tc\n", 2, 2, "    new\n", &["tabs_and_spaces"]);
        check("a\n    b\n    c\n", 2, 2, "\tnew\n", &["tabs_and_spaces"]);
        check("a\n\tb\n\tc\n", 2, 2, "\tnew\n", &[]);
        check("a\n\tb\n    c\n", 2, 2, "    new\n", &[]);
        check("/**\n * b\n */\n\tc\n", 2, 2, " * new\n", &[]);
        check("a\n\tb\n", 2, 2, "\t  new\n", &[]);
    }
}
