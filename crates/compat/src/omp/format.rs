//! Lines as a model is shown them: `LINE:HASH|content`.

use super::number::{js_number, whole};
use hashline_text::kernel::line_hashes::{self, Folding};
use hashline_text::kernel::print::{print_hex, print_wide};
use hashline_text::kernel::{newlines, wtf8};

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Counting up from a whole number below this, one for each line of any text, stays exact.
const EXACT: f64 = 4_503_599_627_370_496.0;

/// The hash of a line: all white space removed, xxHash32, the low byte.
///
/// ```
/// use hashline_compat::omp::format::line_hash;
/// assert_eq!(line_hash(b"a"), 0x56);
/// assert_eq!(line_hash(b" \ta\r"), 0x56);
/// ```
pub fn line_hash(line: &[u8]) -> u8 {
    let mut bare = Vec::with_capacity(line.len());
    hash_with(line, &mut bare)
}

/// The two hexadecimal digits of a hash.
pub fn hex(hash: u8) -> [u8; 2] {
    [HEX[usize::from(hash >> 4)], HEX[usize::from(hash & 15)]]
}

/// Every line of `content` with its number and hash, the first numbered `start_line`.
///
/// The number may be any JavaScript number; it prints as JavaScript would print it.
///
/// ```
/// use hashline_compat::omp::format::format_hash_lines;
/// assert_eq!(format_hash_lines(b"a\n", 1.0), b"1:56|a\n2:05|");
/// ```
pub fn format_hash_lines(content: &[u8], start_line: f64) -> Vec<u8> {
    if let Some(first) = exact(start_line) {
        return print_hex(content, first, Folding::None);
    }
    let mut out = Vec::with_capacity(content.len() + content.len() / 4 + 16);
    let mut bare = Vec::new();
    for (i, line) in newlines::split(content).enumerate() {
        if i > 0 {
            out.push(b'\n');
        }
        push_prefix(start_line + whole(i), hash_with(line, &mut bare), &mut out);
        out.extend_from_slice(line);
    }
    out
}

/// A listing of UTF-16 text, in the smaller of two forms.
#[derive(PartialEq, Eq, Debug)]
pub enum FormattedWide {
    /// One byte for each character; all are below U+0100.
    Latin1(Vec<u8>),
    /// UTF-16 units.
    Utf16(Vec<u16>),
}

/// Like [`format_hash_lines`], but for UTF-16 text.
pub fn format_wide(units: &[u16], start_line: f64) -> FormattedWide {
    let is_latin1 = wtf8::are_latin1(units);
    match exact(start_line) {
        Some(first) if is_latin1 => FormattedWide::Latin1(print_wide(units, first)),
        Some(first) => FormattedWide::Utf16(print_wide(units, first)),
        None => {
            let listed = format_hash_lines(&wtf8::from_utf16(units), start_line);
            FormattedWide::Utf16(wtf8::to_utf16(&listed))
        }
    }
}

/// Appends `LINE:HASH|`.
pub(super) fn push_prefix(number: f64, hash: u8, out: &mut Vec<u8>) {
    push_number(number, out);
    let [high, low] = hex(hash);
    out.extend_from_slice(&[b':', high, low, b'|']);
}

/// The hash of a line; `bare` is a buffer for the line without white space.
pub(super) fn hash_with(line: &[u8], bare: &mut Vec<u8>) -> u8 {
    line_hashes::line_hash(line, Folding::None, bare).to_le_bytes()[0]
}

fn push_number(number: f64, out: &mut Vec<u8>) {
    match exact(number) {
        Some(number) => push_digits(number, out),
        None => out.extend_from_slice(js_number(number).as_bytes()),
    }
}

fn push_digits(mut number: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10).to_le_bytes()[0];
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[start..]);
}

/// The number as an integer, if counting up from it for all lines of a text stays exact.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "the range is checked, and the comparison rejects a number that the casts change"
)]
fn exact(number: f64) -> Option<u64> {
    // Without `fract`, which calls the C library in builds for processors without SSE4.1.
    ((0.0..EXACT).contains(&number) && number as u64 as f64 == number).then_some(number as u64)
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
        check("a\nb", EXACT - 1.0, "4503599627370495:56|a\n4503599627370496:bf|b");
        check("a\nb", 2.0 * EXACT, "9007199254740992:56|a\n9007199254740992:bf|b");
        check("a", -0.0, "0:56|a");
    }

    #[test]
    fn utf16_is_listed_in_the_smaller_form() {
        let list = |text: &str, start| {
            let listed = format_wide(&text.encode_utf16().collect::<Vec<_>>(), start);
            match listed {
                FormattedWide::Latin1(bytes) => {
                    ("latin1", bytes.into_iter().map(char::from).collect())
                }
                FormattedWide::Utf16(units) => ("utf16", String::from_utf16(&units).unwrap()),
            }
        };
        for (text, form) in [("é\nb", "latin1"), ("中\nb", "utf16"), ("😀", "utf16")] {
            let listed = String::from_utf8(format_hash_lines(text.as_bytes(), 9.0)).unwrap();
            assert_eq!(list(text, 9.0), (form, listed));
        }
        let listed = String::from_utf8(format_hash_lines("é\nb".as_bytes(), 0.5)).unwrap();
        assert_eq!(list("é\nb", 0.5), ("utf16", listed));
    }

    #[test]
    fn no_text_is_one_empty_line() {
        check("", 1.0, "1:05|");
    }
}
