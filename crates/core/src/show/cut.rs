//! Over-long lines: which part is shown, and how the cut is marked.

use super::frame::GAP;
use super::words::push_number;

/// The most characters of a line that are shown.
pub(crate) const MAX_CHARACTERS: usize = 2000;

/// The texts in the note behind a cut line, before and after the line's length.
const NOTE_START: &str = " [cut: the line has ";
const NOTE_END: &str = " characters";

/// The text in the note before the column from which to read on.
const READ_ON: &str = ": read it with columns ";

/// Which part of an over-long line is shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Part {
    /// The line's start.
    #[default]
    Start,
    /// The part around this byte offset.
    Around(usize),
    /// The part from this column on, counted in characters from 1.
    FromColumn(usize),
}

/// The part of an over-long line that is shown, and how long the line is.
pub(super) struct CutLine<'a> {
    /// Whether something is left out before the part.
    pub before: bool,
    /// The part that is shown.
    pub part: &'a str,
    /// How many characters the line has.
    pub characters: usize,
    /// The first column after the part, if the line goes on.
    pub next: Option<usize>,
}

/// Cuts a line that is too long to be shown; `None` if it fits.
pub(super) fn cut(content: &str, part: Part) -> Option<CutLine<'_>> {
    // A text has at most as many characters as bytes.
    if content.len() <= MAX_CHARACTERS {
        return None;
    }
    let characters = content.chars().count();
    if characters <= MAX_CHARACTERS {
        return None;
    }
    let (skipped, part) = match part {
        Part::Start => window(content, 0),
        Part::Around(focus) => window(content, focus),
        Part::FromColumn(column) => from_column(content, column),
    };
    let end = content[..skipped].chars().count() + part.chars().count();
    let next = (end < characters).then_some(end + 1);
    Some(CutLine { before: skipped > 0, part, characters, next })
}

/// Appends the note that says how long a cut line is, and how to see what follows. Dots in front of
/// it stand for the rest of the line.
pub(super) fn push_note(out: &mut String, characters: usize, next: Option<usize>) {
    out.push_str(NOTE_START);
    push_number(out, characters);
    out.push_str(NOTE_END);
    if let Some(next) = next {
        out.push_str(READ_ON);
        push_number(out, next);
    }
    out.push(']');
}

/// The text of a shown line without the note that follows a cut; the dots stay, and stand for the
/// rest of the line.
pub(crate) fn without_cut_note(text: &str) -> &str {
    note_at(text).map_or(text, |at| &text[..at])
}

/// Where the note of a cut line begins, even if only the note's start was copied. Dots must stand
/// right before the note or at the start of `text`.
pub(super) fn note_at(text: &str) -> Option<usize> {
    let note = &NOTE_START[..NOTE_START.find(':')? + 2];
    let at = text.rfind(note)?;
    (text[..at].ends_with(GAP) || text.starts_with(GAP)).then_some(at)
}

/// How many characters a line has, as the note behind its shown part says.
pub(crate) fn cut_length(text: &str) -> Option<usize> {
    let note = &text[note_at(text)?..];
    note.strip_prefix(NOTE_START)?.split(' ').next()?.parse().ok()
}

/// Where the shown part of an over-long line around the byte offset `focus` begins, and that part.
fn window(content: &str, focus: usize) -> (usize, &str) {
    const LEAD: usize = MAX_CHARACTERS / 4;
    let up_to_focus = content.get(..focus).unwrap_or_default();
    let skipped = match up_to_focus.char_indices().rev().nth(LEAD) {
        Some((at, _)) if up_to_focus.chars().count() > MAX_CHARACTERS - LEAD => at,
        _ => 0,
    };
    let rest = &content[skipped..];
    let end = rest.char_indices().nth(MAX_CHARACTERS);
    (skipped, end.map_or(rest, |(at, _)| &rest[..at]))
}

/// Where the shown part of an over-long line from a column on begins, and that part; the line's
/// last part if it has no such column.
fn from_column(content: &str, column: usize) -> (usize, &str) {
    let start = content.char_indices().nth(column.saturating_sub(1)).map(|(at, _)| at);
    let last = || content.char_indices().rev().nth(MAX_CHARACTERS - 1).map_or(0, |(at, _)| at);
    let start = start.unwrap_or_else(last);
    let rest = &content[start..];
    let end = rest.char_indices().nth(MAX_CHARACTERS);
    (start, end.map_or(rest, |(at, _)| &rest[..at]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_note_of_a_cut_line_is_left_out() {
        assert_eq!(without_cut_note("abc... [cut: the line has 9000 characters]"), "abc...");
        assert_eq!(without_cut_note("abc"), "abc");
    }

    #[test]
    fn a_cut_line_says_its_length() {
        assert_eq!(cut_length("abc... [cut: the line has 9000 characters]"), Some(9000));
    }

    #[test]
    fn all_of_a_line_can_be_seen_column_by_column() {
        let content: String = (b'a'..=b'z').cycle().take(5000).map(char::from).collect();
        let mut seen = String::new();
        let mut column = Some(1);
        while let Some(from) = column {
            let cut = cut(&content, Part::FromColumn(from)).unwrap();
            seen.push_str(cut.part);
            column = cut.next;
        }
        assert_eq!(seen, content);
        assert_eq!(cut(&content, Part::FromColumn(9999)).unwrap().part, &content[3000..]);
    }

    #[test]
    fn a_note_is_found_behind_the_dots_or_behind_the_end_of_the_line() {
        for (text, length) in [
            ("abc... [cut: the line has 9000 characters]", Some(9000)),
            ("...abc [cut: the line has 9000 characters]", Some(9000)),
            ("abc [cut: the line has 9000 characters]", None),
        ] {
            assert_eq!(cut_length(text), length, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_cut_breaks_a_character(content in "(a|é|中|😀){1900,2100}", focus in 0..9000_usize) {
            let characters = content.chars().count();
            let cut = cut(&content, Part::Around(focus));
            prop_assert_eq!(cut.is_some(), characters > MAX_CHARACTERS);
            if let Some(cut) = cut {
                prop_assert!(cut.part.chars().count() <= MAX_CHARACTERS);
                prop_assert_eq!(cut.characters, characters);
            }
        }
    }
}
