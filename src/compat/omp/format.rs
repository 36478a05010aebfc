//! Lines as a model is shown them: `LINE:HASH|content`.

use super::number::{js_number, whole};
use crate::text::{hash, lines, space, wtf8};

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Numbers up to here are whole and exact, so they can be counted as integers.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The hash of a line: all white space removed, xxHash32, the low byte.
///
/// ```
/// use hashline::compat::omp::format::line_hash;
/// assert_eq!(line_hash(b"a"), 0x56);
/// assert_eq!(line_hash(b" \ta\r"), 0x56);
/// ```
pub fn line_hash(line: &[u8]) -> u8 {
    let mut bare = Vec::with_capacity(line.len());
    hash_with(line, &mut bare)
}

/// The two digits that stand for a hash.
pub fn hex(hash: u8) -> [u8; 2] {
    [HEX[usize::from(hash >> 4)], HEX[usize::from(hash & 15)]]
}

/// Every line of `content` with its number and hash, the first numbered `start_line`.
///
/// The number may be any that JavaScript has: it prints as it would there.
///
/// ```
/// use hashline::compat::omp::format::format_hash_lines;
/// assert_eq!(format_hash_lines(b"a\n", 1.0), b"1:56|a\n2:05|");
/// ```
pub fn format_hash_lines(content: &[u8], start_line: f64) -> Vec<u8> {
    let mut out = Vec::with_capacity(content.len() + content.len() / 4 + 16);
    let mut bare = Vec::new();
    for (i, line) in lines::split(content).enumerate() {
        if i > 0 {
            out.push(b'\n');
        }
        push_prefix(start_line + whole(i), hash_with(line, &mut bare), &mut out);
        out.extend_from_slice(line);
    }
    out
}

/// Appends `LINE:HASH|`.
pub(super) fn push_prefix(number: f64, hash: u8, out: &mut Vec<u8>) {
    push_number(number, out);
    out.push(b':');
    out.extend(hex(hash));
    out.push(b'|');
}

/// The hash of a line, `bare` being room for the line without white space.
pub(super) fn hash_with(line: &[u8], bare: &mut Vec<u8>) -> u8 {
    bare.clear();
    space::strip_into(line, bare);
    let hash = match str::from_utf8(bare) {
        Ok(text) => hash::xxh32(text.as_bytes(), 0),
        Err(_) => hash::xxh32(wtf8::to_utf8(bare).as_bytes(), 0),
    };
    hash.to_le_bytes()[0]
}

fn push_number(number: f64, out: &mut Vec<u8>) {
    if !(0.0..EXACT).contains(&number) || number.fract() != 0.0 {
        out.extend_from_slice(js_number(number).as_bytes());
        return;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number from 0 to 2^53"
    )]
    let mut rest = number as u64;
    let mut digits = [0; 16];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10).to_le_bytes()[0];
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &str, start: f64, expected: &str) {
        let out = format_hash_lines(content.as_bytes(), start);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn any_number_may_come_first() {
        check("a\nb", -1.0, "-1:56|a\n0:bf|b");
        check("a\nb", 0.5, "0.5:56|a\n1.5:bf|b");
        check("a\nb", f64::NAN, "NaN:56|a\nNaN:bf|b");
        check("a", EXACT - 1.0, "9007199254740991:56|a");
        check(
            "a\nb",
            EXACT,
            "9007199254740992:56|a\n9007199254740992:bf|b",
        );
    }

    #[test]
    fn no_text_is_one_empty_line() {
        check("", 1.0, "1:05|");
    }
}
