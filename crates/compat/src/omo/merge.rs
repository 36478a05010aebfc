//! Splitting a line into which a model merged a whole range.
//!
//! [`expand`] looks for the old lines, one after the other, inside the new one; each resulting line
//! starts where an old one was found. Operators may differ: `a ||` is found in `a ?? b`.

use std::borrow::Cow;

use hashline_text::kernel::{search, whitespace};

/// Splits `merged`, the only new line of a range, into the lines it should be; `None` leaves it.
pub(super) fn expand<'a>(old: &[Cow<'_, [u8]>], merged: &'a [u8]) -> Option<Vec<Cow<'a, [u8]>>> {
    let parts: Vec<&[u8]> = old.iter().map(|line| whitespace::trim(line)).collect();
    if parts.len() <= 1 || parts.iter().any(|part| part.is_empty()) {
        return None;
    }
    let merged = whitespace::trim(merged);
    at_parts(&parts, merged).or_else(|| at_semicolons(parts.len(), merged))
}

/// Cuts where the parts start. The text before the first part is lost.
fn at_parts<'a>(parts: &[&[u8]], merged: &'a [u8]) -> Option<Vec<Cow<'a, [u8]>>> {
    let mut starts = Vec::with_capacity(parts.len() + 1);
    let mut done = 0;
    for part in parts {
        let (start, len) = find(part, &merged[done..])?;
        starts.push(done + start);
        done += start + len;
    }
    starts.push(merged.len());
    let pieces = starts.windows(2).map(|ends| whitespace::trim(&merged[ends[0]..ends[1]]));
    pieces.map(|piece| (!piece.is_empty()).then_some(Cow::Borrowed(piece))).collect()
}

/// Cuts after every `;` that white space follows, if that gives as many lines as there were.
fn at_semicolons(count: usize, merged: &[u8]) -> Option<Vec<Cow<'_, [u8]>>> {
    let mut pieces = Vec::new();
    let mut rest = merged;
    let mut at = 0;
    while let Some(semicolon) = search::find_byte(b';', &rest[at..]) {
        let end = at + semicolon;
        let tail = whitespace::trim_start(&rest[end + 1..]);
        if tail.len() == rest.len() - end - 1 {
            at = end + 1;
            continue;
        }
        let piece = &rest[..end];
        // Of two semicolons, as in `a;; b`, one is dropped.
        pieces.push(Cow::Borrowed(if piece.ends_with(b";") { piece } else { &rest[..=end] }));
        (rest, at) = (tail, 0);
    }
    pieces.push(Cow::Borrowed(rest));
    (pieces.len() == count).then_some(pieces)
}

/// Where `part` occurs in `text`, and how long the match is: literally, or without the operator
/// that `part` ends in, or with other operators.
fn find(part: &[u8], text: &[u8]) -> Option<(usize, usize)> {
    let exact = |part: &[u8]| Some((find_bytes(part, text)?, part.len()));
    exact(part)
        .or_else(|| exact(without_continuation(part)?))
        .or_else(|| find_but_for_operators(part, text))
}

fn find_bytes(needle: &[u8], text: &[u8]) -> Option<usize> {
    search::find(needle, text)
}

/// `part` without the operator at its end, which makes it continue on the next line.
fn without_continuation(part: &[u8]) -> Option<&[u8]> {
    const TOKENS: [&[u8]; 12] =
        [b"&&", b"||", b"??", b"?", b":", b"=", b",", b"+", b"-", b"*", b"/", b"."];
    let rest = TOKENS.iter().find_map(|token| part.strip_suffix(*token));
    rest.or(part.strip_suffix(b"(")).map(whitespace::trim_end)
}

/// Where `part` occurs in `text` if `|`, `&` and `?` are ignored in both.
fn find_but_for_operators(part: &[u8], text: &[u8]) -> Option<(usize, usize)> {
    let counts = |byte: &u8| !matches!(byte, b'|' | b'&' | b'?');
    let part: Vec<u8> = part.iter().copied().filter(counts).collect();
    let places: Vec<usize> = (0..text.len()).filter(|at| counts(&text[*at])).collect();
    let plain: Vec<u8> = places.iter().map(|at| text[*at]).collect();
    let found = find_bytes(&part, &plain)?;
    let start = *places.get(found)?;
    let last = *places.get((found + part.len()).checked_sub(1)?)?;
    (start <= last).then(|| (start, last + 1 - start))
}
