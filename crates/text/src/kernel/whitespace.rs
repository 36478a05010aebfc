//! White space as JavaScript defines it.
//!
//! JavaScript's `\s` and `trim()` differ from Rust's `char::is_whitespace`: U+FEFF is white space
//! in JavaScript, and U+0085 is not. Every scheme that removes white space was defined by a
//! JavaScript program, so one wrong character here makes a wrong tag. Input is WTF-8 (see
//! [`super::wtf8`]), which includes UTF-8.

/// Whether JavaScript's `\s` matches the code point.
pub(crate) const fn is_whitespace(code_point: u32) -> bool {
    matches!(
        code_point,
        0x09..=0x0d
            | 0x20
            | 0xa0
            | 0x1680
            | 0x2000..=0x200a
            | 0x2028
            | 0x2029
            | 0x202f
            | 0x205f
            | 0x3000
            | 0xfeff
    )
}

/// Whether a UTF-16 unit is non-ASCII white space. It has no branch, so that the compiler can check
/// many units at once.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled anew for each set of features")]
#[expect(clippy::needless_bitwise_bool, reason = "a lazy operator would be a branch")]
pub(crate) const fn is_foreign_space(unit: u16) -> bool {
    (unit == 0xa0)
        | (unit == 0x1680)
        | (unit.wrapping_sub(0x2000) <= 0x0a)
        | (unit & 0xfffe == 0x2028)
        | (unit == 0x202f)
        | (unit == 0x205f)
        | (unit == 0x3000)
        | (unit == 0xfeff)
}

/// How many bytes the white space character at the start of `bytes` takes; 0 if there is none.
pub fn whitespace_len(bytes: &[u8]) -> usize {
    match *bytes {
        [0x09..=0x0d | 0x20, ..] => 1,
        [0xc2, 0xa0, ..] => 2,
        [0xe1, 0x9a, 0x80, ..]
        | [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, ..]
        | [0xe2, 0x81, 0x9f, ..]
        | [0xe3, 0x80, 0x80, ..]
        | [0xef, 0xbb, 0xbf, ..] => 3,
        _ => 0,
    }
}

/// `trimStart()`.
pub fn trim_start(mut text: &[u8]) -> &[u8] {
    loop {
        match whitespace_len(text) {
            0 => return text,
            n => text = &text[n..],
        }
    }
}

/// `trimEnd()`.
pub fn trim_end(mut text: &[u8]) -> &[u8] {
    loop {
        let n = text.len();
        let cut = match *text {
            [.., 0x09..=0x0d | 0x20] => 1,
            [.., 0xc2, 0xa0] => 2,
            [.., a, b, c] if whitespace_len(&[a, b, c]) == 3 => 3,
            _ => return text,
        };
        text = &text[..n - cut];
    }
}

/// `trim()`.
pub fn trim(text: &[u8]) -> &[u8] {
    trim_end(trim_start(text))
}

/// The white space a line begins with.
pub fn leading(text: &[u8]) -> &[u8] {
    &text[..text.len() - trim_start(text).len()]
}

/// Appends `text` without its white space to `out`: `replace(/\s+/g, "")`.
pub fn strip_into(text: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + text.len(), 0);
    let room = &mut out[start..];
    let (mut end, mut at) = (0, 0);
    while let Some(byte) = text.get(at) {
        // For nearly all bytes this table is enough.
        let space =
            if STARTS_WHITESPACE[usize::from(*byte)] { whitespace_len(&text[at..]) } else { 0 };
        if space == 0 {
            room[end] = *byte;
            end += 1;
            at += 1;
        } else {
            at += space;
        }
    }
    out.truncate(start + end);
}

/// The bytes that a white space character can start with.
const STARTS_WHITESPACE: [bool; 256] = {
    let mut starts = [false; 256];
    let mut code_point = 0;
    while code_point < 0x1_0000 {
        if is_whitespace(code_point) {
            starts[first_byte(code_point)] = true;
        }
        code_point += 1;
    }
    starts
};

/// The byte that a code point below U+10000 starts with in UTF-8.
const fn first_byte(code_point: u32) -> usize {
    (match code_point {
        0..0x80 => code_point,
        0x80..0x800 => 0xc0 | code_point >> 6,
        _ => 0xe0 | code_point >> 12,
    }) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_testing::size;
    use proptest::prelude::*;

    fn by_chars(text: &str) -> Vec<u8> {
        text.chars().filter(|c| !is_whitespace(*c as u32)).collect::<String>().into_bytes()
    }

    /// Text with much unusual white space.
    fn text_with_spaces() -> impl Strategy<Value = String> {
        let characters = "([a-z]|[ \t\r\u{b}\u{c}]|[\u{85}\u{a0}\u{1680}\u{2000}-\u{200b}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}\u{180e}]|é|中|😀)";
        proptest::string::string_regex(&format!("{characters}{{0,{}}}", size(80, 20)))
            .expect("the pattern is valid")
    }

    proptest! {
        #[test]
        fn stripping_bytes_equals_filtering_characters(text in text_with_spaces()) {
            let mut out = Vec::new();
            strip_into(text.as_bytes(), &mut out);
            prop_assert_eq!(out, by_chars(&text));
        }

        #[test]
        fn trimming_leaves_no_space_at_either_end(text in text_with_spaces()) {
            let expected = text.trim_matches(|c| is_whitespace(c as u32));
            prop_assert_eq!(trim(text.as_bytes()), expected.as_bytes());
        }
    }

    #[test]
    fn white_space_is_defined_as_in_javascript() {
        assert!(is_whitespace('\u{feff}' as u32) && !'\u{feff}'.is_whitespace());
        assert!(!is_whitespace('\u{85}' as u32) && '\u{85}'.is_whitespace());
        assert_eq!(trim("\u{feff} x\u{3000}\r".as_bytes()), b"x");
        let mut out = Vec::new();
        strip_into("\tlet a = 1;\u{a0}".as_bytes(), &mut out);
        assert_eq!(out, b"leta=1;");
    }

    #[test]
    fn characters_and_their_bytes_agree_about_white_space() {
        for c in ('\0'..=char::MAX).step_by(size(1, 997)) {
            let mut buffer = [0; 4];
            let bytes = c.encode_utf8(&mut buffer).as_bytes();
            let expected = if is_whitespace(c as u32) { c.len_utf8() } else { 0 };
            assert_eq!(whitespace_len(bytes), expected, "U+{:04X}", c as u32);
        }
    }
}
