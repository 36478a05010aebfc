//! Line references as models write them: `5:ab`, `>>> 5:ab|text`, `5:ab  text`.

use super::refusal::OmpRefusal;
use hashline_text::kernel::{search, whitespace};

/// How many characters of a hash are kept when more than a hash follows the colon.
const HASH_LEN: usize = 2;
/// The longest run of letters and digits that is kept whole as a hash.
const MAX_HASH_LEN: usize = 16;

/// A line number and the hash the line is expected to have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OmpLineRef<'a> {
    /// The number; huge digits round, as in JavaScript, up to infinity.
    pub line: f64,
    /// The hash as typed. Case is ignored when it is compared.
    pub hash: &'a [u8],
}

impl OmpLineRef<'_> {
    /// `LINE:HASH`, with the hash as typed.
    pub(super) fn print(line: f64, hash: &[u8]) -> Vec<u8> {
        let mut out = super::js_number(line).into_bytes();
        out.push(b':');
        out.extend_from_slice(hash);
        out
    }
}

/// Reads a line reference and ignores what a listing prints around it.
///
/// ```
/// use hashline_compat::omp::reference::parse_line_ref;
/// let found = parse_line_ref(b">>> 12:A3|let x = 1;").unwrap();
/// assert_eq!((found.line, found.hash), (12.0, &b"A3"[..]));
/// ```
pub fn parse_line_ref(text: &[u8]) -> Result<OmpLineRef<'_>, OmpRefusal> {
    let (digits, hash) = split(undecorate(text)).ok_or_else(|| {
        let expected = "\". Expected format \"LINE:HASH\" (e.g. \"5:aa\").";
        quoting("Invalid line reference \"", text, expected)
    })?;
    let line = number(digits);
    if line < 1.0 {
        return Err(quoting("Line number must be >= 1, got 0 in \"", text, "\"."));
    }
    Ok(OmpLineRef { line, hash })
}

/// The value of ASCII digits, rounded as JavaScript does.
fn number(digits: &[u8]) -> f64 {
    // A number of this many digits is exact.
    if digits.len() < 9 {
        return digits.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0')).into();
    }
    let parsed = str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
    parsed.expect("one or more ASCII digits are a number")
}

/// Removes the text that a listing puts after a reference, the markers before it, and white space.
fn undecorate(text: &[u8]) -> &[u8] {
    let text = cut_tail(text, b"|");
    let text = cut_tail(text, b"  ");
    let unmarked = match text.iter().position(|byte| *byte != b'>') {
        Some(0) => text,
        Some(markers) => whitespace::trim_start(&text[markers..]),
        None => b"",
    };
    whitespace::trim(unmarked)
}

/// Cuts at the first `mark` of the last line: `.` in the original's pattern stops at every line
/// terminator, including U+2028 and U+2029.
fn cut_tail<'a>(text: &'a [u8], mark: &[u8]) -> &'a [u8] {
    let last_line = (0..text.len())
        .rev()
        .find_map(|at| match text[at..] {
            [b'\n' | b'\r', ..] => Some(at + 1),
            [0xe2, 0x80, 0xa8 | 0xa9, ..] => Some(at + 3),
            _ => None,
        })
        .unwrap_or(0);
    match search::find(mark, &text[last_line..]) {
        Some(at) => &text[..last_line + at],
        None => text,
    }
}

/// Digits and hash around the first colon, which may have white space on both sides.
fn split(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = search::find_byte(b':', text)?;
    let digits = whitespace::trim_end(&text[..colon]);
    let rest = whitespace::trim_start(&text[colon + 1..]);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let run = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    if run == rest.len() && (1..=MAX_HASH_LEN).contains(&run) {
        Some((digits, rest))
    } else if run >= HASH_LEN {
        Some((digits, &rest[..HASH_LEN]))
    } else {
        None
    }
}

fn quoting(before: &str, quoted: &[u8], after: &str) -> OmpRefusal {
    OmpRefusal::Error([before.as_bytes(), quoted, after.as_bytes()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(f64, &str)>) {
        let found = parse_line_ref(text.as_bytes()).ok();
        let expected = expected.map(|(line, hash)| OmpLineRef { line, hash: hash.as_bytes() });
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn a_long_hash_is_cut_to_two_characters() {
        check("5:abcd", Some((5.0, "abcd")));
        check("5:ab-cd", Some((5.0, "ab")));
        check("5:0123456789abcdef", Some((5.0, "0123456789abcdef")));
        check("5:0123456789abcdef0", Some((5.0, "01")));
        check("5:a-", None);
    }

    #[test]
    fn only_the_last_line_loses_its_tail() {
        check("5:ab|x\ny", Some((5.0, "ab")));
        check("5:a|x\ny", None);
        check("5:a|x", Some((5.0, "a")));
        check("  5:ab", None);
        check(" 5:ab", Some((5.0, "ab")));
        check(" >5:ab", None);
        check(">> 5 :\u{3000}ab", Some((5.0, "ab")));
    }

    #[test]
    fn the_message_quotes_the_given_text() {
        let lone = [b'x', 0xed, 0xa0, 0x80];
        let Err(OmpRefusal::Error(message)) = parse_line_ref(&lone) else {
            panic!("not a reference");
        };
        assert_eq!(message[23..29], [b'"', b'x', 0xed, 0xa0, 0x80, b'"']);
    }
}
