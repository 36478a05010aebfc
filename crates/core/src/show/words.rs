//! Numbers, counts and sizes as people write them.

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::frame::GAP;

/// Appends formatted text.
pub fn say(out: &mut String, words: fmt::Arguments<'_>) {
    out.write_fmt(words).expect("writing to a `String` cannot fail");
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

/// A caller's text, short enough to repeat it in a message: only its start if it is long.
///
/// ```
/// use hashline_core::show::brief;
/// assert_eq!(brief("total("), "total(");
/// assert_eq!(brief(&"x".repeat(1000)).len(), 203);
/// ```
pub fn brief(text: &str) -> Cow<'_, str> {
    const MAX_REPEATED: usize = 200;
    match text.char_indices().nth(MAX_REPEATED) {
        Some((end, _)) => Cow::Owned(format!("{}{GAP}", &text[..end])),
        None => Cow::Borrowed(text),
    }
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
pub(crate) fn push_number(out: &mut String, mut number: usize) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
        fn numbers_print_like_to_string(number: usize) {
            let mut out = String::new();
            push_number(&mut out, number);
            prop_assert_eq!(out, number.to_string());
        }
    }
}
