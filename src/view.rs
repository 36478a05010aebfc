//! How lines are shown to the model.
//!
//! One form for read and grep, so that an anchor can be copied from either: `LINE:HASH|content`,
//! over-long lines cut, control characters escaped. Which lines are shown is decided by the callers
//! within a [`Budget`]; nothing here knows a file.

mod block;
mod budget;
mod kind;

pub use block::{Block, block};
pub use budget::{Budget, shares};
pub use kind::{HEAD, Kind, sniff};

use std::fmt::{self, Write};

use crate::anchor::{Scheme, Tag};
use crate::text::LineNumber;

/// The most characters of a line that are shown.
pub const MOST_CHARACTERS: usize = 2000;

/// What stands for lines left out between two that are shown.
pub const GAP: &str = "...";

/// Appends one tagged line, without a newline after it.
///
/// ```
/// use hashline::{LineNumber, Scheme, Tag, view};
/// let mut out = String::new();
/// let tag = Tag::new("a3").unwrap();
/// view::push_line(&mut out, Scheme::Hex2, LineNumber::FIRST, tag, "x\u{1b}[0m", None);
/// assert_eq!(out, "1:a3|x\\x1b[0m");
/// ```
pub fn push_line(
    out: &mut String,
    scheme: Scheme,
    number: LineNumber,
    tag: Tag,
    content: &str,
    focus: Option<usize>,
) {
    push_number(out, number.get());
    out.push(scheme.separator());
    out.push_str(tag.as_str());
    out.push('|');
    // No text of so few bytes has more characters.
    if content.len() <= MOST_CHARACTERS {
        return push_escaped(out, content);
    }
    let count = content.chars().count();
    if count <= MOST_CHARACTERS {
        return push_escaped(out, content);
    }
    let (before, cut) = window(content, focus.unwrap_or_default());
    if before {
        out.push_str(GAP);
    }
    push_escaped(out, cut);
    out.push_str(GAP);
    out.push_str(" [cut: the line has ");
    push_number(out, count);
    out.push_str(" characters]");
}

/// Appends what `format_args!` makes.
pub fn say(out: &mut String, words: fmt::Arguments<'_>) {
    out.write_fmt(words).expect("a string takes whatever is written to it");
}

/// `1 line`, `2 lines`.
pub fn count(number: usize, one: &str) -> String {
    let plural = match one {
        _ if number == 1 => one.to_owned(),
        _ if one.ends_with("ch") => format!("{one}es"),
        _ => match one.strip_suffix('y') {
            Some(stem) => format!("{stem}ies"),
            None => format!("{one}s"),
        },
    };
    format!("{number} {plural}")
}

/// A size in bytes as people say it.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 1024 {
        return count(usize::try_from(bytes).unwrap_or_default(), "byte");
    }
    let mut unit = 0;
    let mut rest = bytes;
    while rest >= 1024 * 1024 && unit + 1 < UNITS.len() {
        rest /= 1024;
        unit += 1;
    }
    format!("{}.{} {}", rest / 1024, rest % 1024 * 10 / 1024, UNITS[unit])
}

/// Appends a number in decimal.
pub fn push_number(out: &mut String, mut number: usize) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + u8::try_from(number % 10).expect("a digit fits");
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.push_str(str::from_utf8(&digits[at..]).expect("digits are ASCII"));
}

/// Appends text with its control characters escaped; a tab stays a tab.
fn push_escaped(out: &mut String, text: &str) {
    if !has_control(text.as_bytes()) {
        return out.push_str(text);
    }
    for c in text.chars() {
        match c {
            '\t' => out.push(c),
            '\r' => out.push_str("\\r"),
            '\0' => out.push_str("\\0"),
            _ if c.is_control() => say(out, format_args!("\\x{:02x}", u32::from(c))),
            _ => out.push(c),
        }
    }
}

fn has_control(text: &[u8]) -> bool {
    // Branch-free over the bytes; a C1 control is rare enough to be looked for only near one.
    let odd = |byte: &u8| (*byte < 0x20 && *byte != b'\t') || *byte == 0x7f || *byte == 0xc2;
    text.iter().fold(false, |any, byte| any | odd(byte))
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

    fn shown(content: &str, focus: Option<usize>) -> String {
        let mut out = String::new();
        let number = LineNumber::new(12).unwrap();
        push_line(&mut out, Scheme::Cid, number, Tag::new("VK").unwrap(), content, focus);
        out
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(shown("a\tb\r\u{7}\0\u{7f}\u{9b}é", None), "12#VK|a\tb\\r\\x07\\0\\x7f\\x9bé");
    }

    #[test]
    fn an_over_long_line_keeps_its_anchor_and_says_its_length() {
        let long = "é".repeat(MOST_CHARACTERS + 1);
        let text = shown(&long, None);
        assert!(text.starts_with("12#VK|éé"));
        assert!(text.ends_with("é... [cut: the line has 2001 characters]"));
        let just = "é".repeat(MOST_CHARACTERS);
        assert_eq!(shown(&just, None), format!("12#VK|{just}"));
    }

    #[test]
    fn a_match_far_into_a_line_is_in_view() {
        let long = format!("{}NEEDLE{}", "a".repeat(10_000), "b".repeat(10_000));
        let text = shown(&long, Some(10_000));
        assert!(text.starts_with("12#VK|...aaa") && text.contains("NEEDLEbbb"), "{text}");
        assert!(text.ends_with("[cut: the line has 20006 characters]"));
    }

    #[test]
    fn sizes_and_counts_read_well() {
        assert_eq!(size(1), "1 byte");
        assert_eq!(size(1023), "1023 bytes");
        assert_eq!(size(1536), "1.5 KB");
        assert_eq!(size(1 << 30), "1.0 GB");
        assert_eq!(count(1, "match"), "1 match");
        assert_eq!(count(0, "match"), "0 matches");
        assert_eq!(count(2, "entry"), "2 entries");
    }

    proptest! {
        #[test]
        fn numbers_print_as_always(number: usize) {
            let mut out = String::new();
            push_number(&mut out, number);
            prop_assert_eq!(out, number.to_string());
        }

        #[test]
        fn no_cut_breaks_a_character(content in "(a|é|中|😀){1900,2100}", focus in 0..9000_usize) {
            shown(&content, Some(focus));
        }
    }
}
