//! Belief: several new lines that are one old line but for white space were not meant to be split.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{canonical, with_pairs};
use crate::omp::draft::NewLines;
use hashline_text::kernel::{whitespace, wtf8};

/// A span shorter than this, in UTF-16 units without white space, proves nothing.
const SHORTEST: usize = 6;
/// How many new lines may be one old line.
const LONGEST_SPAN: usize = 10;
/// What half of a surrogate pair starts with; white space gone, it may be the start of a pair.
const SURROGATE: u8 = 0xed;

/// Puts together again what was one line among the `old`.
///
/// The old line must be the only one of its kind, and only one span of new lines may fit it. Spans
/// may overlap: they are replaced from the last to the first, each in what the others left.
pub(in super::super) fn restore_wrapped<'a>(
    old: impl Iterator<Item = &'a [u8]> + Clone,
    new: NewLines<'a>,
) -> NewLines<'a> {
    if new.len() < 2 {
        return new;
    }
    let mut joined = Joined::of(&new, old.clone().map(<[u8]>::len).max().unwrap_or(0));
    joined.look_for(old);
    let mut out = new;
    for (start, len, old) in joined.spans() {
        let end = out.len().min(start + len);
        out.splice(start.min(end)..end, [Cow::Borrowed(old)]);
    }
    out
}

/// Spans of new lines by their text without white space.
struct Joined<'a> {
    spans: HashMap<Vec<u8>, JoinedRun<'a>>,
    /// The length of the shortest text.
    shortest: usize,
    /// Which bytes a text starts with.
    first: [bool; 256],
}

/// New lines that may be one old line.
struct JoinedRun<'a> {
    start: usize,
    len: usize,
    /// Whether no other span has the same text.
    only: bool,
    /// The first old line with the text, and whether it is the only one.
    old: Option<(&'a [u8], bool)>,
}

impl<'a> Joined<'a> {
    /// All spans of `new` that could be a line of at most `longest` bytes.
    fn of(new: &NewLines, longest: usize) -> Self {
        let new: Vec<Vec<u8>> = new.iter().map(|line| canonical(line)).collect();
        let mut joined = Self { spans: HashMap::new(), shortest: usize::MAX, first: [false; 256] };
        let mut text = Vec::new();
        for start in 0..new.len() {
            text.clear();
            for (i, line) in new[start..].iter().take(LONGEST_SPAN).enumerate() {
                text.extend_from_slice(line);
                // Halves of a pair that meet lose two bytes, so leave room for that.
                if text.len() > longest + 2 * LONGEST_SPAN {
                    break;
                }
                if i > 0 {
                    joined.add(start, i + 1, with_pairs(&text).as_ref().unwrap_or(&text));
                }
            }
        }
        joined
    }

    fn add(&mut self, start: usize, len: usize, text: &[u8]) {
        if wtf8::utf16_len(text) < SHORTEST {
            return;
        }
        self.shortest = self.shortest.min(text.len());
        self.first[usize::from(text[0])] = true;
        let span = JoinedRun { start, len, only: true, old: None };
        self.spans.entry(text.to_vec()).and_modify(|span| span.only = false).or_insert(span);
    }

    /// Finds the old line that each span is equal to. Most lines are ruled out by their first byte.
    fn look_for(&mut self, old: impl Iterator<Item = &'a [u8]>) {
        if self.spans.is_empty() {
            return;
        }
        let mut text = Vec::new();
        for line in old.filter(|line| line.len() >= self.shortest) {
            let may_start = |byte: &u8| self.first[usize::from(*byte)] || *byte == SURROGATE;
            if !whitespace::trim_start(line).first().is_some_and(may_start) {
                continue;
            }
            text.clear();
            whitespace::strip_into(line, &mut text);
            let paired = with_pairs(&text);
            if let Some(span) = self.spans.get_mut(paired.as_ref().unwrap_or(&text)) {
                span.old = Some(span.old.map_or((line, true), |(first, _)| (first, false)));
            }
        }
    }

    /// The spans that are an old line, with that line, from the last to the first.
    fn spans(self) -> Vec<(usize, usize, &'a [u8])> {
        let found = self.spans.into_values().filter_map(|span| match span {
            JoinedRun { start, len, only: true, old: Some((old, true)) } => Some((start, len, old)),
            _ => None,
        });
        let mut found: Vec<_> = found.collect();
        found.sort_by_key(|&(start, len, _)| (std::cmp::Reverse(start), len));
        found
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

    #[test]
    fn halves_that_meet_are_a_pair() {
        let old = b"\xed\xa0\xbd \xed\xb8\x80 = call".to_vec();
        let new = ["\u{1f600} =", "call"].map(|line| Cow::Owned(line.as_bytes().to_vec())).to_vec();
        let found = restore_wrapped([&old[..]].into_iter(), new.into_iter().collect());
        assert_eq!(found, [Cow::Borrowed(&old[..])]);
    }

    #[test]
    fn a_new_text_that_can_be_no_old_line_costs_no_search() {
        let mut looked =
            Joined::of(&["a", "b"].map(|line| Cow::Borrowed(line.as_bytes())).into(), 9);
        looked.look_for(std::iter::from_fn(|| -> Option<&[u8]> { panic!("no line is looked at") }));
        assert!(looked.spans().is_empty());
    }
}
