//! How one line of a file is printed.

use std::fmt;

use super::cut::{Part, cut, push_note};
use super::escape::push_escaped;
use super::frame::GAP;
use super::words::push_number;
use hashline_text::{LineNumber, Scheme, Tag};

/// What is printed in front of a row.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Mark {
    /// Nothing: the row of a read or a search.
    #[default]
    None,
    /// A space: an unchanged line.
    Kept,
    /// `+`: a line that a change added.
    Added,
    /// `-`: a line that a change removed.
    Removed,
    /// `>` or `>>>`: a line that is pointed at. We print none; other tools do, and models copy
    /// them.
    Pointed,
}

impl Mark {
    /// The text that is printed for the mark.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Kept => " ",
            Self::Added => "+",
            Self::Removed => "-",
            Self::Pointed => ">",
        }
    }
}

/// One line of a file, with what is printed beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row<'a> {
    /// The mark printed in front of the row.
    pub mark: Mark,
    /// The line's number.
    pub number: LineNumber,
    /// The line's tag; a removed line has none, because no anchor can point at it.
    pub tag: Option<Tag>,
    /// The line's text, without its ending.
    pub content: &'a str,
}

impl<'a> Row<'a> {
    /// A row of a read or a search.
    pub fn new(number: LineNumber, tag: Tag, content: &'a str) -> Self {
        Self { mark: Mark::None, number, tag: Some(tag), content }
    }

    /// Appends the row, without a newline after it: an over-long line cut, control characters
    /// escaped.
    ///
    /// ```
    /// use hashline_core::show::Row;
    /// use hashline_text::{LineNumber, Scheme, Tag};
    /// let mut out = String::new();
    /// Row::new(LineNumber::FIRST, Tag::new("a3").unwrap(), "x\u{1b}[0m").push(&mut out, Scheme::Hex2);
    /// assert_eq!(out, "1:a3|x\\x1b[0m");
    /// ```
    pub fn push(&self, out: &mut String, scheme: Scheme) {
        self.push_part(out, scheme, Part::Start);
    }

    /// Like [`Row::push`]; if the line is cut, this part of it is shown.
    pub fn push_part(&self, out: &mut String, scheme: Scheme, part: Part) {
        self.push_prefix(out, scheme);
        push_content(out, self.content, part);
    }

    /// Appends the row with control characters escaped, cut to this many columns. A note follows
    /// the dots of a cut, because a line may itself end in dots.
    pub fn push_within(&self, out: &mut String, scheme: Scheme, columns: usize) {
        let start = out.len();
        self.push_prefix(out, scheme);
        let prefix = out.len() - start;
        push_escaped(out, self.content);
        if out[start..].char_indices().nth(columns).is_none() {
            return;
        }
        let mut note = GAP.to_owned();
        push_note(&mut note, self.content.chars().count(), None);
        let room = columns.saturating_sub(prefix + note.len());
        let content = start + prefix;
        let end = out[content..].char_indices().nth(room).map_or(out.len(), |(at, _)| content + at);
        out.truncate(end);
        out.push_str(&note);
    }

    /// Like [`Row::push`], but shows all of the line, however long it is.
    pub fn push_whole(&self, out: &mut String, scheme: Scheme) {
        self.push_prefix(out, scheme);
        push_escaped(out, self.content);
    }

    /// Appends the row with the whole line, neither cut nor escaped.
    pub fn push_raw(&self, out: &mut String, scheme: Scheme) {
        self.push_prefix(out, scheme);
        out.push_str(self.content);
    }

    fn push_prefix(&self, out: &mut String, scheme: Scheme) {
        out.push_str(self.mark.as_str());
        push_number(out, self.number.get());
        if let Some(tag) = self.tag {
            out.push_str(scheme.separator());
            out.push_str(tag.as_str());
        }
        out.push('|');
    }
}

/// What a row shows of a line: an over-long line is cut, control characters are escaped.
pub(crate) fn content(line: &str) -> String {
    let mut out = String::new();
    push_content(&mut out, line, Part::Start);
    out
}

fn push_content(out: &mut String, line: &str, part: Part) {
    let Some(cut) = cut(line, part) else {
        return push_escaped(out, line);
    };
    if cut.before {
        out.push_str(GAP);
    }
    push_escaped(out, cut.part);
    if cut.next.is_some() {
        out.push_str(GAP);
    }
    push_note(out, cut.characters, cut.next);
}

/// Prints the mark as a row shows it.
impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::super::MAX_CHARACTERS;
    use super::*;
    use hashline_text::{Document, Learn, Listing, block};
    use proptest::prelude::*;

    fn shown(content: &str, part: Part) -> String {
        let mut out = String::new();
        let number = LineNumber::new(12).unwrap();
        let row = Row::new(number, Tag::new("VK").unwrap(), content);
        row.push_part(&mut out, Scheme::Cid, part);
        out
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(shown("a\tb\r\u{7}", Part::Start), "12#VK|a\tb\\r\\x07");
    }

    #[test]
    fn an_over_long_line_keeps_its_anchor_and_says_its_length() {
        let long = "é".repeat(MAX_CHARACTERS + 1);
        let text = shown(&long, Part::Start);
        assert!(text.starts_with("12#VK|éé"));
        assert!(
            text.ends_with("é... [cut: the line has 2001 characters: read it with columns 2001]")
        );
        let just = "é".repeat(MAX_CHARACTERS);
        assert_eq!(shown(&just, Part::Start), format!("12#VK|{just}"));
    }

    #[test]
    fn a_match_far_into_a_line_is_in_view() {
        let long = format!("{}NEEDLE{}", "a".repeat(10_000), "b".repeat(10_000));
        let text = shown(&long, Part::Around(10_000));
        assert!(text.starts_with("12#VK|...aaa") && text.contains("NEEDLEbbb"), "{text}");
        assert!(text.ends_with("[cut: the line has 20006 characters: read it with columns 11500]"));
    }

    #[test]
    fn dots_stand_for_what_is_left_out_and_for_nothing_else() {
        let long = format!("{}END", "a".repeat(5000));
        let text = shown(&long, Part::FromColumn(4990));
        assert_eq!(text, "12#VK|...aaaaaaaaaaaEND [cut: the line has 5003 characters]");
    }

    #[test]
    fn a_row_of_bounded_width_says_that_it_is_cut() {
        let long = "é".repeat(500);
        let row = Row::new(LineNumber::FIRST, Tag::new("a3").unwrap(), &long);
        let mut out = String::new();
        row.push_within(&mut out, Scheme::Hex2, 400);
        assert_eq!(out.chars().count(), 400);
        assert!(out.ends_with("é... [cut: the line has 500 characters]"), "{out}");
    }

    #[test]
    fn a_removed_line_has_no_tag() {
        let mut out = String::new();
        let row = Row { mark: Mark::Removed, number: LineNumber::FIRST, tag: None, content: "a" };
        row.push(&mut out, Scheme::Hex2);
        assert_eq!(out, "-1|a");
    }

    proptest! {
        #[test]
        fn a_block_is_its_lines_one_by_one(
            text in "([a-z]{0,9}|[ \t]|é|°|\u{9b}|\u{7}|中|\n|\n|\r\n){1,40}",
            first in prop_oneof![1..20_usize, 990..1010_usize],
        ) {
            let document = Document::from_text(text);
            let number = LineNumber::new(first).unwrap();
            for scheme in Scheme::ALL {
                let block = |learn| block(scheme, number, document.bytes(), MAX_CHARACTERS, learn);
                let (Some(block), Some(brief)) = (block(Learn::Digests), block(Learn::Tags)) else {
                    continue;
                };
                let listing = Listing::new(&document, scheme);
                prop_assert_eq!(&block.tags, listing.tags());
                prop_assert_eq!(block.digests, Some(document.digests()));
                prop_assert_eq!((&brief.text, brief.tags, brief.digests), (&block.text, block.tags, None));
                let mut out = String::new();
                for (at, (line, tag)) in document.lines().zip(listing.tags()).enumerate() {
                    out.push('\n');
                    Row::new(LineNumber::at(first - 1 + at), *tag, line.content).push(&mut out, scheme);
                }
                prop_assert_eq!(block.text, out);
            }
        }
    }

    #[test]
    fn a_text_that_cannot_be_copied_is_not_printed_as_a_block() {
        let long = "x".repeat(3000);
        let print = |scheme, text: &[u8]| {
            block(scheme, LineNumber::FIRST, text, MAX_CHARACTERS, Learn::Digests)
        };
        for text in ["a\x07", "a\r\nb", "a\u{85}", long.as_str(), ""] {
            assert!(print(Scheme::Hex2, text.as_bytes()).is_none());
        }
        assert!(print(Scheme::Cid, b"a").is_none());
        assert!(print(Scheme::Omp, b"a").is_some());
    }
}
