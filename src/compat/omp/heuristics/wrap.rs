//! Belief: several new lines that are one old line but for white space were not meant to be split.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{canonical, with_pairs};
use crate::compat::omp::draft::Lines;
use crate::text::wtf8;

/// A span shorter than this, in UTF-16 units without white space, proves nothing.
const SHORTEST: usize = 6;
/// How many new lines may be one old line.
const LONGEST_SPAN: usize = 10;

/// New lines that may be one old line.
struct Span<'a> {
    start: usize,
    len: usize,
    old: &'a [u8],
}

/// Puts together again what was one line among the `old`.
///
/// The old line must be the only one of its kind, and only one span of new lines may fit it. Spans
/// may overlap: they are replaced from the last to the first, each in what the others left.
pub(in super::super) fn restore_wrapped<'a>(
    old: impl Iterator<Item = &'a [u8]>,
    new: Lines<'a>,
) -> Lines<'a> {
    if new.len() < 2 {
        return new;
    }
    let old = Unwrapped::new(old);
    let mut spans = old.spans(&new);
    spans.sort_by_key(|span| std::cmp::Reverse(span.start));
    let mut out = new;
    for span in spans {
        let end = out.len().min(span.start + span.len);
        out.splice(span.start.min(end)..end, [Cow::Borrowed(span.old)]);
    }
    out
}

/// Old lines by their text without white space.
struct Unwrapped<'a> {
    /// The first line with that text, and whether it is the only one.
    lines: HashMap<Vec<u8>, (&'a [u8], bool)>,
    /// The longest text, in bytes.
    longest: usize,
}

impl<'a> Unwrapped<'a> {
    fn new(old: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut lines = HashMap::new();
        let mut longest = 0;
        for line in old {
            let text = canonical(line);
            longest = longest.max(text.len());
            lines.entry(text).and_modify(|(_, only)| *only = false).or_insert((line, true));
        }
        Self { lines, longest }
    }

    /// The spans of `new` that are an old line, in order; none if two are the same old line.
    fn spans(&self, new: &Lines) -> Vec<Span<'a>> {
        let new: Vec<Vec<u8>> = new.iter().map(|line| canonical(line)).collect();
        let mut found: HashMap<Vec<u8>, Vec<Span>> = HashMap::new();
        let mut text = Vec::new();
        for start in 0..new.len() {
            text.clear();
            for (i, line) in new[start..].iter().take(LONGEST_SPAN).enumerate() {
                text.extend_from_slice(line);
                // Halves of a pair that meet lose two bytes, so leave room for that.
                if text.len() > self.longest + 2 * LONGEST_SPAN {
                    break;
                }
                let paired = with_pairs(&text);
                let joined = paired.as_ref().unwrap_or(&text);
                if let (true, Some(&(old, true))) = (i > 0, self.lines.get(joined))
                    && wtf8::utf16_len(joined) >= SHORTEST
                {
                    let len = i + 1;
                    let span = Span { start, len, old };
                    found.entry(joined.clone()).or_default().push(span);
                }
            }
        }
        let mut spans: Vec<Span> =
            found.into_values().filter(|same| same.len() == 1).flatten().collect();
        spans.sort_by_key(|span| (span.start, span.len));
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &[&str], new: &[&str], expected: &[&str]) {
        let lines = |lines: &[&str]| -> Vec<Vec<u8>> {
            lines.iter().map(|line| line.as_bytes().to_vec()).collect()
        };
        let new = lines(new).into_iter().map(Cow::Owned).collect();
        let found = restore_wrapped(old.iter().map(|line| line.as_bytes()), new);
        assert_eq!(found, lines(expected));
    }

    #[test]
    fn what_was_one_line_is_one_again() {
        check(&["\tcall(one, two)"], &["call(", "  one,", "", "  two)"], &["\tcall(one, two)"]);
    }

    #[test]
    fn short_lines_prove_nothing() {
        check(&["ab cde"], &["ab", "cde"], &["ab", "cde"]);
        check(&["abc def"], &["abc", "def"], &["abc def"]);
    }

    #[test]
    fn two_that_fit_are_none() {
        let twice = ["abc", "def", "abc", "def"];
        check(&["abcdef"], &twice, &twice);
        check(&["abcdef", "abc def"], &twice[..2], &twice[..2]);
    }
}
