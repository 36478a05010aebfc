//! Shortening and escaping text for answers.

use std::borrow::Cow;

/// The most characters of a path that an answer shows.
const LONGEST_PATH: usize = 120;

/// A path on one line, cut if too long.
pub(crate) fn on_one_line(path: &str) -> String {
    clipped(path, LONGEST_PATH)
}

/// Text on one line, cut after this many characters.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len().min(4 * most));
    for c in cut(text, most).chars() {
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// A JSON string.
pub(crate) fn json(text: &str) -> String {
    use std::fmt::Write;
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if u32::from(c) < 0x20 => {
                write!(out, "\\u{:04x}", u32::from(c)).expect("writing to a string cannot fail");
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
