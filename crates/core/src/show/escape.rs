//! Escapes for control characters and undecodable bytes, and the way back.
//!
//! A control character is shown as `\x1b` or, beyond ASCII, `\u009b`; a byte that is no character
//! of the file's encoding as `\xE9`, half a surrogate pair as `\uD83D`. An escape in text that
//! comes back may also be meant literally: the caller says which characters are `meant`.

use super::words::say;
use hashline_text::Undecodable;

/// Appends text with its control characters escaped; a tab stays a tab.
pub(super) fn push_escaped(out: &mut String, text: &str) {
    if !may_need_escape(text.as_bytes()) {
        return out.push_str(text);
    }
    out.push_str(&with_escapes(text, is_escaped));
}

/// Text with these characters escaped.
pub(crate) fn with_escapes(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_escaped(c) { push_escape(&mut out, c) } else { out.push(c) }
    }
    out
}

/// Whether a character stands for what its file's encoding cannot decode.
pub(crate) fn is_undecodable(c: char) -> bool {
    Undecodable::of(c).is_some()
}

/// Whether a character is shown as an escape.
pub(crate) fn is_escaped(c: char) -> bool {
    (c.is_control() && c != '\t') || is_undecodable(c)
}

/// Appends the escape of one character.
pub(super) fn push_escape(out: &mut String, c: char) {
    match (c, Undecodable::of(c)) {
        (_, Some(Undecodable::Byte(byte))) => say(out, format_args!("\\x{byte:02X}")),
        (_, Some(Undecodable::Half(half))) => say(out, format_args!("\\u{half:04X}")),
        ('\r', _) => out.push_str("\\r"),
        ('\n', _) => out.push_str("\\n"),
        ('\t', _) => out.push_str("\\t"),
        ('\0', _) => out.push_str("\\0"),
        _ if c.is_ascii() => say(out, format_args!("\\x{:02x}", u32::from(c))),
        _ => say(out, format_args!("\\u{:04x}", u32::from(c))),
    }
}

/// Whether the text may contain a character that is shown as an escape.
fn may_need_escape(text: &[u8]) -> bool {
    // Branch-free over the bytes. 0xc2 may begin a C1 control, 0xf4 the character for an
    // undecodable byte: rare enough to look closer then.
    let odd = |byte: &u8| (*byte < 0x20 && *byte != b'\t') || matches!(*byte, 0x7f | 0xc2 | 0xf4);
    text.iter().fold(false, |any, byte| any | odd(byte))
}

/// Whether the text holds what may be an escape of ours; `\x41`, for a decodable byte, is none.
pub(super) fn holds_escape(text: &str) -> bool {
    let common = |c: &char| matches!(Undecodable::of(*c), Some(Undecodable::Byte(0..0x80)));
    text.match_indices('\\').any(|(at, _)| candidates(&text[at..]).any(|(c, _)| !common(&c)))
}

/// All characters that the escapes in a text may stand for.
pub(crate) fn escapes(text: &str) -> Vec<char> {
    text.match_indices('\\').flat_map(|(at, _)| candidates(&text[at..])).map(|(c, _)| c).collect()
}

/// Turns the escapes of `meant` characters back into those characters.
pub(crate) fn unescape(text: &str, meant: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (c, len) = candidates(rest).find(|(c, _)| meant(*c)).unwrap_or(('\\', 1));
        out.push(c);
        rest = &rest[len..];
    }
    out.push_str(rest);
    out
}

/// The control character of an escape at the start of `text`, and the escape's length.
pub(super) fn control_at(text: &str) -> Option<(char, usize)> {
    candidates(text).find(|(c, _)| c.is_control())
}

/// The characters that an escape at the start of `text` may stand for, each with its length.
fn candidates(text: &str) -> impl Iterator<Item = (char, usize)> {
    let hex = |digits: std::ops::Range<usize>| {
        let digits =
            text.get(digits).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        digits.and_then(|digits| u16::from_str_radix(digits, 16).ok())
    };
    let (code, lost, len) = match text.as_bytes() {
        [b'\\', b'r', ..] => (Some(u16::from(b'\r')), None, 2),
        [b'\\', b'0', ..] => (Some(0), None, 2),
        [b'\\', b'x', ..] => {
            let code = hex(2..4);
            (
                code.filter(|code| *code < 0x80),
                code.and_then(|code| u8::try_from(code).ok()).map(Undecodable::Byte),
                4,
            )
        }
        [b'\\', b'u', ..] => {
            let code = hex(2..6);
            let half = code.filter(|code| (0xd800..0xe000).contains(code));
            (code.filter(|code| *code >= 0x80), half.map(Undecodable::Half), 6)
        }
        _ => (None, None, 0),
    };
    let control = code
        .and_then(|code| char::from_u32(code.into()))
        .filter(|c| c.is_control() && (len == 2 || !matches!(c, '\t' | '\n' | '\r' | '\0')));
    control.into_iter().chain(lost.map(Undecodable::character)).map(move |c| (c, len))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escapes_are_named_by_their_characters() {
        assert_eq!(escapes(r"a\x1b[0m\r"), ['\u{1b}', '\u{10ff1b}', '\r']);
    }

    #[test]
    fn only_escapes_that_are_meant_become_characters() {
        assert_eq!(unescape(r"a\x1b[0m\r", |c| c == '\r'), "a\\x1b[0m\r");
    }

    fn escaped(text: &str) -> String {
        let mut out = String::new();
        push_escaped(&mut out, text);
        out
    }

    #[test]
    fn control_characters_are_escaped_and_tabs_are_not() {
        assert_eq!(escaped("a\tb\r\u{7}\0\u{7f}\u{9b}é"), "a\tb\\r\\x07\\0\\x7f\\u009bé");
    }

    proptest! {
        #[test]
        fn every_escape_is_read_back(c in prop::char::ranges(vec!['\0'..='\u{8}', '\u{b}'..='\u{1f}', '\u{7f}'..='\u{9f}'].into())) {
            let text = escaped(&c.to_string());
            prop_assert!(candidates(&text).any(|read| read == (c, text.len())));
            prop_assert_eq!(unescape(&text, |one| one == c), c.to_string());
            let inside = format!("a{text}b");
            prop_assert!(holds_escape(&inside));
        }

        #[test]
        fn undecodable_bytes_are_shown_and_read_back(lost in prop_oneof![
            any::<u8>().prop_map(Undecodable::Byte),
            (0xd800..=0xdfff_u16).prop_map(Undecodable::Half),
        ]) {
            let text = escaped(&lost.character().to_string());
            prop_assert_eq!(unescape(&text, |c| c == lost.character()), lost.character().to_string());
            prop_assert_eq!(unescape(&text, |_| false), text);
        }

        #[test]
        fn no_text_makes_reading_panic(text: String) {
            let _ = (candidates(&text).count(), holds_escape(&text));
        }
    }
}
