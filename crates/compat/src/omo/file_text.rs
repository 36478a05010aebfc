//! Converting a file's text to LF endings for the engine, and back.

use hashline_text::kernel::{newlines, search};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// A file's text with LF endings only, and the facts needed to restore the original form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Envelope {
    /// The text; every CRLF and every lone carriage return has become a newline.
    pub content: Vec<u8>,
    /// Whether the file started with a byte order mark.
    pub had_bom: bool,
    /// Whether the first line ended in CRLF.
    pub is_crlf: bool,
}

/// Removes the byte order mark and turns every line ending into a newline.
///
/// This loses mixed endings: [`restore`] gives every line the ending that the first one had.
pub fn canonicalize(text: &[u8]) -> Envelope {
    let (had_bom, text) = match text.strip_prefix(BOM) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let first = search::find_byte(b'\n', text).unwrap_or(0);
    let is_crlf = text[..first].ends_with(b"\r");
    let mut content = Vec::with_capacity(text.len());
    for (index, byte) in text.iter().enumerate() {
        match byte {
            b'\r' if text.get(index + 1) == Some(&b'\n') => {}
            b'\r' => content.push(b'\n'),
            _ => content.push(*byte),
        }
    }
    Envelope { content, had_bom, is_crlf }
}

/// Gives text the byte order mark and the line endings that a file had.
///
/// A line that already ends in CRLF keeps it.
pub fn restore(content: &[u8], had_bom: bool, is_crlf: bool) -> Vec<u8> {
    let mut text = Vec::with_capacity(content.len() + 3);
    if had_bom {
        text.extend(BOM);
    }
    if !is_crlf {
        text.extend(content);
        return text;
    }
    for (index, line) in newlines::split(content).enumerate() {
        if index > 0 {
            text.extend(if text.ends_with(b"\r") { &b"\n"[..] } else { b"\r\n" });
        }
        text.extend(line);
    }
    text
}
