//! What a line of text that looks like ours stood for.
//!
//! Models copy what they were shown into the text they send. This module reads the form only: it
//! says what such a line would be if we had printed it. Whether we did, and what to make of it,
//! `plan::repair` decides, which knows the file.

use super::cut::note_at;
use super::escape::holds_escape;
use super::frame;
use super::row::Mark;
use hashline_text::{LineNumber, Tag, bare_anchors, compact_tag};

/// What kind of line was printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Printed<'a> {
    /// A line of a file.
    Row(PrintedRow<'a>),
    /// `...`, or `+... 3 more`: lines that were left out.
    Gap,
    /// The line above the rows of a file.
    Header,
    /// A note in brackets below the rows.
    Footer,
    /// A line of a report about no particular file.
    Report,
    /// Anchors alone: a row without its text, or a list of anchors.
    Anchors,
}

/// A row, or some of its parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrintedRow<'a> {
    /// The mark in front of the row.
    pub mark: Mark,
    /// The line's number, if the row has one.
    pub number: Option<LineNumber>,
    /// The line's tag, if the row has one.
    pub tag: Option<Tag>,
    /// The rest of the row, as printed.
    pub content: &'a str,
    /// Whether the content ends where we cut it.
    pub cut: bool,
    /// Whether the content holds an escape such as we print for a control character.
    pub escaped: bool,
}

/// What a line would be if we had printed it; `None` if we print no such lines.
///
/// ```
/// use hashline_core::show::{Mark, Printed, read_back};
/// let Some(Printed::Row(row)) = read_back("+12:a3|let x = 1;") else { panic!() };
/// assert_eq!((row.mark, row.content), (Mark::Added, "let x = 1;"));
/// assert_eq!(row.number.map(|number| number.get()), Some(12));
/// assert_eq!(read_back("..."), Some(Printed::Gap));
/// assert_eq!(read_back("src/a.rs (lines 1-3 of 9)"), Some(Printed::Header));
/// assert_eq!(read_back("[6 more lines: read again with offset 4]"), Some(Printed::Footer));
/// assert_eq!(read_back("let x = 1;"), None);
/// ```
pub fn read_back(line: &str) -> Option<Printed<'_>> {
    if frame::is_gap(line) {
        Some(Printed::Gap)
    } else if frame::is_footer(line) {
        Some(Printed::Footer)
    } else if frame::is_report_line(line) {
        Some(Printed::Report)
    } else if frame::is_header(line) {
        Some(Printed::Header)
    } else if bare_anchors(line).is_some() {
        Some(Printed::Anchors)
    } else {
        readings(line).into_iter().next().map(Printed::Row)
    }
}

/// All rows that a line may be, the most complete first: `2:bb|x` is line 2 with the tag `bb`, or
/// else line 2 without a tag and the text `bb|x`. A complete row may be indented, like the rows
/// around those that a mismatch points at.
pub fn readings(line: &str) -> Vec<PrintedRow<'_>> {
    let (mark, marked) = split_mark(line);
    let rest = marked.trim_start_matches(' ');
    let is_indented = rest.len() < marked.len();
    let row = |number, tag, content| PrintedRow {
        mark,
        number,
        tag,
        content,
        cut: note_at(content).is_some(),
        escaped: holds_escape(content),
    };
    let mut rows: Vec<PrintedRow<'_>> = Vec::new();
    let (digits, after) = split_while(rest, |c| c.is_ascii_digit());
    let number = digits.parse().ok().and_then(LineNumber::new);
    if let Some(number) = number {
        if let Some((tag, content)) = after.strip_prefix([':', '#']).and_then(split_tag) {
            rows.push(row(Some(number), Some(tag), content));
        }
        if let Some((tag, rest)) = compact_tag(after)
            && let Some(content) = rest.strip_prefix('|')
        {
            rows.push(row(Some(number), Some(tag), content));
        }
        if let Some(content) = after.strip_prefix(['|', ':']) {
            rows.push(row(Some(number), None, content));
        }
    }
    if let Some((tag, content)) = split_tag(rest) {
        rows.push(row(None, Some(tag), content));
    }
    rows.retain(|row| !is_indented || row.number.and(row.tag).is_some());
    rows
}

/// A tag and what follows its `|`.
fn split_tag(text: &str) -> Option<(Tag, &str)> {
    let (tag, rest) = split_while(text, |c| c.is_ascii_alphanumeric());
    Some((Tag::new(tag)?, rest.strip_prefix('|')?))
}

/// The mark in front of a row, and the row.
fn split_mark(line: &str) -> (Mark, &str) {
    let (pointers, rest) = split_while(line, |c| c == '>');
    if !pointers.is_empty() {
        return (Mark::Pointed, rest.strip_prefix(' ').unwrap_or(rest));
    }
    for mark in [Mark::Added, Mark::Removed, Mark::Kept] {
        if let Some(rest) = line.strip_prefix(mark.as_str()) {
            return (mark, rest);
        }
    }
    (Mark::None, line)
}

fn split_while(text: &str, wanted: impl Fn(char) -> bool) -> (&str, &str) {
    let end = text.find(|c| !wanted(c)).unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::super::{
        HeaderNote, Row, changes_header, lines_gone, lines_header, matches_footer, matches_header,
        read_on, search_header,
    };
    use super::*;
    use hashline_text::{Encoding, Scheme, TagInput};
    use proptest::prelude::*;

    /// All readings of a line as `mark/number/tag/content`.
    fn forms(line: &str) -> Vec<String> {
        let form = |row: PrintedRow<'_>| {
            let number = row.number.map_or(String::new(), |number| number.to_string());
            let tag = row.tag.map_or(String::new(), |tag| tag.to_string());
            format!("{}/{number}/{tag}/{}", row.mark, row.content)
        };
        readings(line).into_iter().map(form).collect()
    }

    #[test]
    fn rows_are_read_back_with_and_without_their_parts() {
        assert_eq!(forms("2:bb|x"), ["/2/bb/x", "/2//bb|x"]);
        assert_eq!(forms("2#VK|x"), ["/2/VK/x"]);
        assert_eq!(forms("2vk|x"), ["/2/vk/x", "//2vk/x"]);
        assert_eq!(forms("2|x"), ["/2//x", "//2/x"]);
        assert_eq!(forms("2:x"), ["/2//x"]);
        assert_eq!(forms("bb|x"), ["//bb/x"]);
        assert_eq!(forms("+2:bb|x"), ["+/2/bb/x", "+/2//bb|x"]);
        assert_eq!(forms("-2|x"), ["-/2//x", "-//2/x"]);
        assert_eq!(forms(" 2:bb|x"), [" /2/bb/x", " /2//bb|x"]);
        assert_eq!(forms(">>> 2:bb|x"), [">/2/bb/x", ">/2//bb|x"]);
        assert_eq!(forms("    2:bb|x"), [" /2/bb/x"]);
        assert_eq!(forms("    2#VK|  x"), [" /2/VK/  x"]);
        assert!(forms("    2|x").is_empty() && forms("    bb|x").is_empty());
        assert_eq!(forms(">2:bb|"), [">/2/bb/", ">/2//bb|"]);
        assert!(forms("let x = 1;").is_empty() && forms("").is_empty() && forms("0|x").len() == 1);
    }

    #[test]
    fn headers_footers_and_gaps_are_distinguished_from_text() {
        const UTF_8: Encoding = Encoding::UTF_8;
        let latin = Encoding::named("latin1").unwrap();
        for header in [
            lines_header("a (b).rs", 0, 3, 9, UTF_8, None),
            lines_header("a", 0, 0, 0, UTF_8, None),
            lines_header("a", 0, 0, 7, UTF_8, None),
            lines_header("a", 0, 3, 9, UTF_8, Some(HeaderNote::Unchanged)),
            lines_header("a", 0, 0, 0, UTF_8, Some(HeaderNote::NotShown)),
            lines_header("a", 4, 3, 9, UTF_8, Some(HeaderNote::TooLarge)),
            lines_header("a", 4, 3, 9, latin, None),
            lines_header("a", 4, 3, 9, latin, Some(HeaderNote::Unchanged)),
            changes_header("a", 9, latin, 2, 0),
            changes_header("a", 1, UTF_8, 0, 0),
            search_header("a", "x (y)", 2, Some(9), UTF_8),
            search_header("a", "x (y)", 2, Some(9), latin),
            search_header("a", "x", 0, None, latin),
            matches_header("a", 1, 1, UTF_8),
            matches_header("a", 1, 7, latin),
        ] {
            assert_eq!(read_back(&header), Some(Printed::Header), "{header}");
        }
        for footer in [read_on(1, "line", 3), matches_footer((1, 9), (1, 2))] {
            assert_eq!(read_back(&footer), Some(Printed::Footer), "{footer}");
        }
        for line in read_on(900, "line", 3).lines().chain([frame::CHANGES]) {
            assert_eq!(read_back(line), Some(Printed::Footer), "{line}");
        }
        for report in [
            "Applied 2 operations to 1 file",
            "Applied 1 operation to 0 files: no change, a.rs already reads as asked",
            "REJECTED: nothing was written (1 of 2 operations failed)",
            "The text of 3:ab is also at 9:ab: use that if you mean that line.",
            "Actual state:",
            "hashline: nothing was written",
            "1 line has changed since last read. Use the updated LINE:HASH references shown below (>>> marks changed lines).",
            "2 lines have changed since last read. Use updated {line_number}#{hash_id} references below (>>> marks changed lines).",
            "Hash mismatch at 3:ab.",
            "3:ab moved to line 6 of a.rs",
            "Repaired patch[0] at line 2 of a.rs (strip_prefix): \"2:ab|x\" was written as \"x\"",
            "tags: 3:ab",
            "tags: 3:ab 4:0c 120#VK",
            "lines after 14 moved by +3; their tags are unchanged",
            "lines after 0 moved by -12, after 40 by 0, after 51 by +1; their old anchors still work",
        ] {
            assert_eq!(read_back(report), Some(Printed::Report), "{report}");
        }
        for anchors in ["3:ab", "3:ab 4:0c", "3#VK"] {
            assert_eq!(read_back(anchors), Some(Printed::Anchors), "{anchors}");
        }
        for header in [
            "src/a.rs: +1 -12", "src/a.rs: created, 3 lines", "Warning: a.rs: look", "patch[0]: no",
        ] {
            assert_eq!(read_back(header), Some(Printed::Header), "{header}");
        }
        for gap in ["...", "+... 3 more", "-... 12 more", &lines_gone(3)] {
            assert_eq!(read_back(gap), Some(Printed::Gap), "{gap}");
        }
        for text in ["foo(bar)", "call (x)", "[1, 2]", "....", "... more", "a (1 match case)", "]"]
        {
            assert_eq!(read_back(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_printed_row_is_read_back(
            content in "[a-z |:\\\\\u{1b}\r]{0,20}",
            line in 1..9999_usize,
            mark in prop::sample::select(vec![Mark::None, Mark::Kept, Mark::Added]),
        ) {
            for scheme in Scheme::ALL {
                let number = LineNumber::new(line).unwrap();
                let tag = scheme.tag(TagInput::alone(number, content.as_bytes()));
                let mut out = String::new();
                Row { mark, ..Row::new(number, tag, &content) }.push(&mut out, scheme);
                let Some(Printed::Row(row)) = read_back(&out) else { panic!("{out}") };
                prop_assert_eq!((row.mark, row.number, row.tag), (mark, Some(number), Some(tag)));
                prop_assert!(!row.cut && row.content.len() >= content.len());
                let odd = content.contains(['\u{1b}', '\r']);
                prop_assert!(!odd || row.escaped);
            }
        }

        #[test]
        fn no_text_makes_reading_back_panic(text: String) {
            let _ = read_back(&text);
        }
    }
}
