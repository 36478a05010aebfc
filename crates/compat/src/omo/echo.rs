//! Removing lines of the file that models repeat around their new text.

use super::wrap::stripped;

/// New text for a range, without a first line equal to the line before the range and a last line
/// equal to the line after it.
///
/// Only text with more lines than the range can hold an echo, and the echo must be exact: a line
/// that differs in white space may be intended.
pub(super) fn strip_range_echo<'n, 'a>(
    new: &'n [&'a [u8]],
    replaced: usize,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> &'n [&'a [u8]] {
    if new.len() <= 1 || new.len() <= replaced {
        return new;
    }
    let new = match new {
        [first, rest @ ..] if Some(*first) == before => rest,
        _ => new,
    };
    match new {
        [rest @ .., last] if Some(*last) == after => rest,
        _ => new,
    }
}

/// Text to insert after `anchor`, without a first line that repeats it.
pub(super) fn strip_append_echo<'n, 'a>(new: &'n [&'a [u8]], anchor: &[u8]) -> &'n [&'a [u8]] {
    match new {
        [first, rest @ ..] if stripped(first) == stripped(anchor) => rest,
        _ => new,
    }
}

/// Text to insert before `anchor`, without a last line that repeats it. Unlike an append, a prepend
/// may consist of the anchor's line alone.
pub(super) fn strip_prepend_echo<'n, 'a>(new: &'n [&'a [u8]], anchor: &[u8]) -> &'n [&'a [u8]] {
    match new {
        [rest @ .., last] if !rest.is_empty() && stripped(last) == stripped(anchor) => rest,
        _ => new,
    }
}
