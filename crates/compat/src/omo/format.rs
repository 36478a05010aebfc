//! Printing a text with its tags: `12#VK|content`.

use super::tag::line_tag;
use hashline_text::LineNumber;
use hashline_text::kernel::newlines;

/// Every line with its number and tag; an empty text gives an empty result.
///
/// ```
/// use hashline_compat::omo::format_lines;
/// assert_eq!(format_lines(b"a\nb"), b"1#RW|a\n2#XH|b");
/// assert_eq!(format_lines(b""), b"");
/// ```
pub fn format_lines(content: &[u8]) -> Vec<u8> {
    if content.is_empty() {
        return Vec::new();
    }
    let mut out = Vec::new();
    push_lines(content, &mut out);
    out
}

/// Like [`format_lines`], but a final newline stays a newline and starts no line.
///
/// ```
/// use hashline_compat::omo::to_content;
/// assert_eq!(to_content(b"a\n"), b"1#RW|a\n");
/// ```
pub fn to_content(content: &[u8]) -> Vec<u8> {
    let Some(rest) = content.strip_suffix(b"\n") else {
        return format_lines(content);
    };
    let mut out = Vec::new();
    push_lines(rest, &mut out);
    out.push(b'\n');
    out
}

fn push_lines(content: &[u8], out: &mut Vec<u8>) {
    out.reserve(content.len() + content.len() / 4);
    for (index, line) in newlines::split(content).enumerate() {
        if index > 0 {
            out.push(b'\n');
        }
        let number = LineNumber::at(index);
        out.extend(format!("{number}#{}|", line_tag(number, line)).bytes());
        out.extend(line);
    }
}
