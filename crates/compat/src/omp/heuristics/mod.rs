//! What the original believes a model meant but did not write.
//!
//! None of these asks the model, and upstream later removed most of them; they are here because the
//! drop-in module must give the same results. Each file implements one belief.

pub(super) mod echo;
pub(super) mod hyphen;
pub(super) mod indent;
pub(super) mod merge;
pub(super) mod wrap;

use hashline_text::kernel::{search, whitespace, wtf8};

/// A line without white space: reformatting does not change it.
pub(super) fn canonical(line: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(line.len());
    whitespace::strip_into(line, &mut out);
    with_pairs(&out).unwrap_or(out)
}

/// Joins surrogate halves into pairs where the white space between them was removed; `None` if the
/// text has no halves.
fn with_pairs(text: &[u8]) -> Option<Vec<u8>> {
    has_surrogate(text).then(|| wtf8::from_utf16(&wtf8::to_utf16(text)))
}

/// Whether two lines differ at most in white space.
pub(super) fn same_but_for_space(a: &[u8], b: &[u8]) -> bool {
    a == b || canonical(a) == canonical(b)
}

/// Whether `text` holds both, and `first` occurs before `second`.
fn come_in_order(text: &[u8], first: &[u8], second: &[u8]) -> bool {
    let found = |needle: &[u8]| {
        if has_surrogate(needle) {
            // Half a pair also matches inside a pair, which only UTF-16 shows.
            find_units(text, needle)
        } else {
            search::find(needle, text)
        }
    };
    matches!((found(first), found(second)), (Some(a), Some(b)) if a < b)
}

/// The byte position where `needle` is found in `text`, both compared as UTF-16.
fn find_units(text: &[u8], needle: &[u8]) -> Option<usize> {
    let units = wtf8::to_utf16(text);
    let needle = wtf8::to_utf16(needle);
    let at = units.windows(needle.len()).position(|part| part == needle)?;
    // A position inside a pair counts as after the pair's start.
    Some(wtf8::from_utf16(&units[..at]).len())
}

fn has_surrogate(text: &[u8]) -> bool {
    text.windows(2).any(|pair| pair[0] == 0xed && pair[1] >= 0xa0)
}
