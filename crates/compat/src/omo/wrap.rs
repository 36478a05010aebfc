//! Rejoining a line that a model broke into several.

use std::borrow::Cow;
use std::collections::HashMap;

use hashline_text::kernel::{whitespace, wtf8};

/// How many new lines may together be one old line.
const SPANS: std::ops::RangeInclusive<usize> = 2..=10;

/// The minimum length of a broken line without its white space, in UTF-16 units.
const MIN_LEN: usize = 6;

/// Replaces neighbouring new lines that together are one old line, white space aside, by that line.
///
/// The old line must be unique, only one run of new lines may match it, and no line of that run may
/// be blank.
pub(super) fn restore<'a>(old: &[Cow<'a, [u8]>], new: Vec<Cow<'a, [u8]>>) -> Vec<Cow<'a, [u8]>> {
    if new.len() < *SPANS.start() {
        return new;
    }
    let mut originals: HashMap<Vec<u8>, Option<&Cow<'a, [u8]>>> = HashMap::new();
    for line in old {
        originals
            .entry(stripped(line))
            .and_modify(|original| *original = None)
            .or_insert(Some(line));
    }
    let mut places: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut found = Vec::new();
    for start in 0..new.len() {
        let mut joined = Vec::new();
        for (index, line) in new[start..].iter().take(*SPANS.end()).enumerate() {
            let before = joined.len();
            whitespace::strip_into(line, &mut joined);
            if joined.len() == before {
                break;
            }
            let len = index + 1;
            if SPANS.contains(&len)
                && let Some(Some(original)) = originals.get(&joined)
                && wtf8::utf16_len(&joined) >= MIN_LEN
            {
                *places.entry(joined.clone()).or_default() += 1;
                found.push((start, len, joined.clone(), (*original).clone()));
            }
        }
    }
    let mut out = new;
    // From the last to the first, so that earlier positions stay valid.
    found.sort_by_key(|(start, ..)| std::cmp::Reverse(*start));
    for (start, len, joined, original) in found {
        if places[&joined] == 1 {
            let end = out.len().min(start + len);
            out.splice(start.min(end)..end, [original]);
        }
    }
    out
}

/// The line without any white space.
pub(super) fn stripped(line: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(line.len());
    whitespace::strip_into(line, &mut out);
    out
}
