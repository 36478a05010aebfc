//! Control characters made visible, and visible escapes made control characters again.

use super::words::say;

/// Appends text with its control characters escaped; a tab stays a tab.
pub(super) fn push_escaped(out: &mut String, text: &str) {
    if !may_hold_control(text.as_bytes()) {
        return out.push_str(text);
    }
    for c in text.chars() {
        match c {
            '\t' => out.push(c),
            _ if c.is_control() => push_escape(out, c),
            _ => out.push(c),
        }
    }
}

/// Appends the escape of one control character.
pub(super) fn push_escape(out: &mut String, c: char) {
    match c {
        '\r' => out.push_str("\\r"),
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        '\0' => out.push_str("\\0"),
        _ => say(out, format_args!("\\x{:02x}", u32::from(c))),
    }
}

/// Whether a control character other than a tab may be in the text.
fn may_hold_control(text: &[u8]) -> bool {
    // Branch-free over the bytes; a C1 control is rare enough to be looked for only near one.
    let odd = |byte: &u8| (*byte < 0x20 && *byte != b'\t') || *byte == 0x7f || *byte == 0xc2;
    text.iter().fold(false, |any, byte| any | odd(byte))
}

/// Whether the text holds what [`push_escaped`] writes for a control character.
pub(super) fn holds_escape(text: &str) -> bool {
    text.match_indices('\\').any(|(at, _)| escape_at(&text[at..]).is_some())
}

/// The control characters that the escapes in a text stand for.
pub(crate) fn escapes(text: &str) -> Vec<char> {
    text.match_indices('\\').filter_map(|(at, _)| Some(escape_at(&text[at..])?.0)).collect()
}

/// A text in which the escapes of control characters that are `meant` are those characters again.
pub(crate) fn unescape(text: &str, meant: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let len = if let Some((c, len)) = escape_at(rest).filter(|(c, _)| meant(*c)) {
            out.push(c);
            len
        } else {
            out.push('\\');
            1
        };
        rest = &rest[len..];
    }
    out.push_str(rest);
    out
}

/// The control character that an escape at the start of `text` stands for, and its length.
pub(super) fn escape_at(text: &str) -> Option<(char, usize)> {
    let rest = text.strip_prefix('\\')?;
    match rest.as_bytes() {
        [b'r', ..] => Some(('\r', 2)),
        [b'0', ..] => Some(('\0', 2)),
        [b'x', high, low, ..] if is_lower_hex(*high) && is_lower_hex(*low) => {
            let code = u8::from_str_radix(rest.get(1..3)?, 16).ok()?;
            let c = char::from(code);
            (c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\0')).then_some((c, 4))
        }
        _ => None,
    }
}

fn is_lower_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escapes_are_named_by_their_characters() {
        assert_eq!(escapes(r"a\x1b[0m\r"), ['\u{1b}', '\r']);
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
        assert_eq!(escaped("a\tb\r\u{7}\0\u{7f}\u{9b}é"), "a\tb\\r\\x07\\0\\x7f\\x9bé");
    }

    proptest! {
        #[test]
        fn every_escape_is_read_back(c in prop::char::ranges(vec!['\0'..='\u{8}', '\u{b}'..='\u{1f}', '\u{7f}'..='\u{9f}'].into())) {
            let text = escaped(&c.to_string());
            prop_assert_eq!(escape_at(&text), Some((c, text.len())));
            let inside = format!("a{text}b");
            prop_assert!(holds_escape(&inside));
        }

        #[test]
        fn no_text_makes_reading_panic(text: String) {
            let _ = (escape_at(&text), holds_escape(&text));
        }
    }
}
