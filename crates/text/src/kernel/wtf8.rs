//! JavaScript strings as bytes.
//!
//! A JavaScript string may contain half of a surrogate pair, which UTF-8 cannot express. WTF-8 is
//! UTF-8 plus three-byte forms for such halves, so any string can go to Rust and come back
//! unchanged. Valid UTF-8 is also valid WTF-8.

use std::borrow::Cow;

use crate::kernel::vectors::chosen;
use crate::kernel::{search, utf8, wide};

/// U+FFFD, which replaces a lone surrogate in encodings that cannot express it.
pub const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();

/// ASCII is converted in runs of this length.
const RUN: usize = 16;

/// The WTF-8 form of UTF-16 code units.
///
/// ```
/// use hashline_text::kernel::wtf8;
/// let lone = [0x61, 0xd800, 0x62];
/// assert_eq!(wtf8::to_utf16(&wtf8::from_utf16(&lone)), lone);
/// ```
pub fn from_utf16(units: &[u16]) -> Vec<u8> {
    let mut out = Vec::with_capacity(units.len() + units.len() / 8);
    from_utf16_into(units, &mut out);
    out
}

/// Like [`from_utf16`], but appends to `out`.
pub fn from_utf16_into(units: &[u16], out: &mut Vec<u8>) {
    chosen().run(wide::Encode { units, out });
}

/// The code point at the start of non-empty UTF-16, and how many units it takes. A lone half of a
/// pair counts as a code point.
pub(super) fn code_point(units: &[u16]) -> (u32, usize) {
    match *units {
        [high @ 0xd800..0xdc00, low @ 0xdc00..0xe000, ..] => {
            (0x1_0000 + ((u32::from(high) - 0xd800) << 10) + (u32::from(low) - 0xdc00), 2)
        }
        [unit, ..] => (u32::from(unit), 1),
        [] => (0, 0),
    }
}

/// The UTF-16 code units of WTF-8 text.
pub fn to_utf16(text: &[u8]) -> Vec<u16> {
    let mut out = Vec::with_capacity(text.len());
    to_utf16_into(text, &mut out);
    out
}

/// Like [`to_utf16`], but appends to `out`.
pub fn to_utf16_into(text: &[u8], out: &mut Vec<u16>) {
    let mut at = 0;
    while at < text.len() {
        if let Some(run) = text[at..].first_chunk::<RUN>()
            && run.is_ascii()
        {
            out.extend(run.map(u16::from));
            at += RUN;
            continue;
        }
        let (c, n) = decode(&text[at..]);
        at += n;
        match u16::try_from(c) {
            Ok(unit) => out.push(unit),
            Err(_) => out.extend(surrogates(c)),
        }
    }
}

/// The `.length` that WTF-8 text has as a JavaScript string.
pub fn utf16_len(text: &[u8]) -> usize {
    text.iter().map(|b| usize::from(!is_continuation(*b)) + usize::from(*b >= 0xf0)).sum()
}

/// How many bytes the first `units` UTF-16 units of `text` take; `None` if it has fewer, or if they
/// end inside a pair.
pub fn len_of_units(text: &[u8], units: usize) -> Option<usize> {
    let mut left = units;
    let mut at = 0;
    while left > 0 {
        let (c, n) = text.get(at..).filter(|rest| !rest.is_empty()).map(decode)?;
        left = left.checked_sub(if c > 0xffff { 2 } else { 1 })?;
        at += n;
    }
    Some(at)
}

/// Whether every character fits into one byte of Latin-1.
pub fn is_latin1(text: &[u8]) -> bool {
    text.iter().all(|b| *b < 0xc4)
}

/// Whether every unit fits into one byte of Latin-1.
pub fn are_latin1(units: &[u16]) -> bool {
    // In chunks, so that the search can stop early and still check many units at once.
    units.chunks(1024).all(|chunk| chunk.iter().fold(0, |all, unit| all | unit) < 0x100)
}

/// The Latin-1 form of text for which [`is_latin1`] holds.
pub fn to_latin1(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut high = 0;
    for byte in text {
        match byte {
            0xc0.. => high = (byte & 3) << 6,
            0x80.. => out.push(high | (byte & 0x3f)),
            _ => out.push(*byte),
        }
    }
    out
}

/// Converts text to UTF-8: every lone surrogate becomes U+FFFD.
///
/// Two halves that became neighbours because the text between them was removed are a pair, as in
/// JavaScript.
pub fn to_utf8(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = utf8::text(text) {
        return Cow::Borrowed(text);
    }
    let units = to_utf16(text);
    Cow::Owned(String::from_utf16_lossy(&units))
}

/// Puts the lone surrogates of `text` back into a copy that was made of its [`to_utf8`] form.
///
/// The copy may have other text in between, and the first `skipped` replacements may be missing
/// from it; the others must be in it, in order.
///
/// ```
/// use hashline_text::kernel::wtf8::{restore_surrogates, to_utf8};
/// let text = b"\xed\xa0\x80|b\xed\xa0\x81";
/// let copy = to_utf8(&text[4..]).into_owned();
/// assert_eq!(restore_surrogates(copy, text, 1), b"b\xed\xa0\x81");
/// ```
pub fn restore_surrogates(copy: String, text: &[u8], skipped: usize) -> Vec<u8> {
    let mut copy = copy.into_bytes();
    if utf8::text(text).is_ok() {
        return copy;
    }
    let places: Vec<usize> = search::find_all(REPLACEMENT, &copy).collect();
    let is_replaced = |at: usize| matches!(text[at..], [0xed, 0xa0..=0xbf, _, ..]);
    let replaced =
        (0..text.len()).filter(|&at| is_replaced(at) || text[at..].starts_with(REPLACEMENT));
    for (place, at) in places.into_iter().zip(replaced.skip(skipped)) {
        copy[place..place + REPLACEMENT.len()].copy_from_slice(&text[at..at + REPLACEMENT.len()]);
    }
    copy
}

/// How many characters of a text are U+FFFD.
pub fn count_replacements(text: &str) -> usize {
    search::find_all(REPLACEMENT, text.as_bytes()).count()
}

/// Reads the code point at the start of non-empty WTF-8, and its length in bytes.
///
/// Bytes that are not WTF-8 are read as one byte each, so that no input makes this loop or panic.
pub fn decode(text: &[u8]) -> (u32, usize) {
    let bits = |byte: u8, mask: u8, shift: u32| u32::from(byte & mask) << shift;
    match *text {
        [a @ 0xc2..=0xdf, b, ..] => (bits(a, 0x1f, 6) | bits(b, 0x3f, 0), 2),
        [a @ 0xe0..=0xef, b, c, ..] => (bits(a, 0xf, 12) | bits(b, 0x3f, 6) | bits(c, 0x3f, 0), 3),
        [a @ 0xf0..=0xf4, b, c, d, ..] => {
            (bits(a, 7, 18) | bits(b, 0x3f, 12) | bits(c, 0x3f, 6) | bits(d, 0x3f, 0), 4)
        }
        [a, ..] => (u32::from(a), 1),
        [] => (0, 0),
    }
}

/// The bytes of a code point that has a surrogate pair.
#[expect(clippy::cast_possible_truncation, reason = "3 of 21 bits remain after shifting")]
pub(super) fn four_bytes(c: u32) -> [u8; 4] {
    let low = |shift: u32| 0x80 | ((c >> shift) & 0x3f) as u8;
    [0xf0 | (c >> 18) as u8, low(12), low(6), low(0)]
}

#[expect(clippy::cast_possible_truncation, reason = "20 bits remain, ten for each surrogate")]
fn surrogates(c: u32) -> [u16; 2] {
    let c = c - 0x1_0000;
    [0xd800 + (c >> 10) as u16, 0xdc00 + (c & 0x3ff) as u16]
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_utf16_comes_back_unchanged(units: Vec<u16>) {
            let text = from_utf16(&units);
            prop_assert_eq!(utf16_len(&text), units.len());
            prop_assert_eq!(to_utf16(&text), units);
        }

        #[test]
        fn valid_text_is_its_own_wtf8(text: String) {
            let units: Vec<u16> = text.encode_utf16().collect();
            prop_assert_eq!(from_utf16(&units), text.as_bytes());
            prop_assert_eq!(to_utf16(text.as_bytes()), units);
        }

        #[test]
        fn latin1_has_one_byte_per_character(bytes: Vec<u8>) {
            let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
            prop_assert!(is_latin1(text.as_bytes()));
            prop_assert!(are_latin1(&to_utf16(text.as_bytes())));
            let wider = text.clone() + "\u{100}";
            prop_assert!(!are_latin1(&to_utf16(wider.as_bytes())));
            prop_assert_eq!(to_latin1(text.as_bytes()), bytes);
        }

        #[test]
        fn lone_halves_become_replacement_characters(units: Vec<u16>) {
            let text = from_utf16(&units);
            prop_assert_eq!(to_utf8(&text), String::from_utf16_lossy(&units));
        }
    }

    #[test]
    fn halves_that_meet_are_a_pair() {
        let mut text = from_utf16(&[0xd83d]);
        text.extend(from_utf16(&[0xde00]));
        assert_eq!(to_utf8(&text), "😀");
    }
}
