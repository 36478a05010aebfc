//! Text that is only partly known.
//!
//! The guard reads a command without running it, so a word such as `/tmp/out_$i.txt` has a known
//! beginning, an unknown middle and a known end. Such text is an ordinary `String` in which one
//! private character stands for each unknown part. It survives being joined, cut, parsed again
//! as a script or scanned as inline code, which a richer type would not. [`cleaned`] removes the
//! private characters from text that callers pass in.

use std::borrow::Cow;

/// Text that the command does not show: a variable, a file that a glob matches, a line of input.
pub(crate) const HOLE: char = '\u{10FFF0}';
/// The output of a program in the same command.
pub(crate) const ANSWER: char = '\u{10FFF1}';
/// The output of a download: `curl`, `wget`.
pub(crate) const DOWNLOAD: char = '\u{10FFF2}';

/// [`HOLE`] as a text.
pub(crate) const HOLE_TEXT: &str = "\u{10FFF0}";

/// The first and the last character for the text of a protected file: one for each read's number.
const FILE_TEXT: (u32, u32) = (0x10_FF00, 0x10_FFEF);

/// How many reads have a character of their own.
pub(crate) const MAX_FILE_TEXTS: usize = 0xF0;

/// The first private character.
const FIRST_PRIVATE: u32 = 0x10_0000;

/// The first byte of every private character in UTF-8.
const FIRST_BYTE: u8 = 0xF4;

/// Whether a character stands for unknown text.
pub(crate) fn is_unknown(c: char) -> bool {
    matches!(c, HOLE | ANSWER | DOWNLOAD) || read_of(c).is_some()
}

/// Whether all of a text is known.
pub(crate) fn is_known(text: &str) -> bool {
    !may_hold_private(text) || !text.contains(is_unknown)
}

/// Whether a text may hold a private character; a quick test, which rules out most texts.
fn may_hold_private(text: &str) -> bool {
    text.as_bytes().contains(&FIRST_BYTE)
}

/// The text with its unknown parts printed as `…`, for people.
pub(crate) fn shown(text: &str) -> String {
    text.chars().map(|c| if is_unknown(c) { '…' } else { c }).collect()
}

/// The character for the text that the read with this number prints.
pub(crate) fn file_text(number: usize) -> char {
    let number = u32::try_from(number.min(MAX_FILE_TEXTS - 1)).unwrap_or(0);
    char::from_u32(FILE_TEXT.0 + number).unwrap_or(HOLE)
}

/// The number of the read whose text a character stands for.
pub(crate) fn read_of(c: char) -> Option<usize> {
    let code = u32::from(c);
    (FILE_TEXT.0..=FILE_TEXT.1).contains(&code).then(|| (code - FILE_TEXT.0) as usize)
}

/// The numbers of the reads whose text a text holds.
pub(crate) fn reads_of(text: &str) -> impl Iterator<Item = usize> {
    let text = if may_hold_private(text) { text } else { "" };
    text.chars().filter_map(read_of)
}

/// The characters in a text that stand for text of protected files.
pub(crate) fn file_texts(text: &str) -> String {
    let mut out = String::new();
    if !may_hold_private(text) {
        return out;
    }
    for c in text.chars().filter(|c| read_of(*c).is_some()) {
        if !out.contains(c) {
            out.push(c);
        }
    }
    out
}

/// The character, or a replacement if it could be taken for a private one.
pub(crate) fn cleaned_char(c: char) -> char {
    if u32::from(c) >= FIRST_PRIVATE { char::REPLACEMENT_CHARACTER } else { c }
}

/// A text that holds none of our private characters.
pub(crate) fn cleaned(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte < FIRST_BYTE) {
        return Cow::Borrowed(text);
    }
    text.chars().map(cleaned_char).collect()
}
