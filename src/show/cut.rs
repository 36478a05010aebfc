//! Over-long lines: which part is shown, and how the cut is marked.

use super::frame::GAP;
use super::words::push_number;

/// The most characters of a line that are shown.
pub const MOST_CHARACTERS: usize = 2000;

/// How the note behind a cut line begins and ends; the length of the line is between.
const NOTE_START: &str = " [cut: the line has ";
const NOTE_END: &str = " characters]";

/// The part of an over-long line that is shown, and how long the line is.
pub(super) struct CutLine<'a> {
    /// Whether something is left out before it.
    pub before: bool,
    /// The part.
    pub part: &'a str,
    /// How many characters the line has.
    pub characters: usize,
}

/// Cuts a line that is too long to be shown, around `focus`, a place in bytes; `None` if it fits.
pub(super) fn cut(content: &str, focus: Option<usize>) -> Option<CutLine<'_>> {
    // No text of so few bytes has more characters.
    if content.len() <= MOST_CHARACTERS {
        return None;
    }
    let characters = content.chars().count();
    if characters <= MOST_CHARACTERS {
        return None;
    }
    let (before, part) = window(content, focus.unwrap_or_default());
    Some(CutLine { before, part, characters })
}

/// Appends the note that says how long a cut line is.
pub(super) fn push_note(out: &mut String, characters: usize) {
    out.push_str(GAP);
    out.push_str(NOTE_START);
    push_number(out, characters);
    out.push_str(NOTE_END);
}

/// The text of a shown line without the note that follows a cut; the dots stay, and stand for the
/// rest of the line.
///
/// ```
/// use hashline::show::without_cut_note;
/// assert_eq!(without_cut_note("abc... [cut: the line has 9000 characters]"), "abc...");
/// assert_eq!(without_cut_note("abc"), "abc");
/// ```
pub fn without_cut_note(text: &str) -> &str {
    match note_at(text) {
        Some(at) => &text[..at + GAP.len()],
        None => text,
    }
}

/// Where the dots and the note of a cut line begin, also if only the start of the note was copied.
pub(super) fn note_at(text: &str) -> Option<usize> {
    let note = &NOTE_START[..NOTE_START.find(':')? + 2];
    let at = text.rfind(note)?;
    text[..at].ends_with(GAP).then(|| at - GAP.len())
}

/// The part of an over-long line that is shown: around `focus`, a place in bytes, or its start.
fn window(content: &str, focus: usize) -> (bool, &str) {
    const LEAD: usize = MOST_CHARACTERS / 4;
    let up_to_focus = content.get(..focus).unwrap_or_default();
    let skipped = match up_to_focus.char_indices().rev().nth(LEAD) {
        Some((at, _)) if up_to_focus.chars().count() > MOST_CHARACTERS - LEAD => at,
        _ => 0,
    };
    let rest = &content[skipped..];
    let end = rest.char_indices().nth(MOST_CHARACTERS);
    (skipped > 0, end.map_or(rest, |(at, _)| &rest[..at]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_cut_breaks_a_character(content in "(a|é|中|😀){1900,2100}", focus in 0..9000_usize) {
            let characters = content.chars().count();
            let cut = cut(&content, Some(focus));
            prop_assert_eq!(cut.is_some(), characters > MOST_CHARACTERS);
            if let Some(cut) = cut {
                prop_assert!(cut.part.chars().count() <= MOST_CHARACTERS);
                prop_assert_eq!(cut.characters, characters);
            }
        }
    }
}
