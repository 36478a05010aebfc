//! Joins a line that the model has split: where several new lines together differ from one old line
//! in white space only, the old line is put back.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{canonical, with_pairs};
use crate::omp::draft::NewLines;
use hashline_text::kernel::{whitespace, wtf8};

/// A span shorter than this, in UTF-16 units without white space, proves nothing.
const MIN_LEN: usize = 6;
/// How many new lines may together be one old line.
const MAX_SPAN: usize = 10;
/// The first byte of half a surrogate pair; without white space, it may start a whole pair.
const SURROGATE: u8 = 0xed;

/// Rejoins new lines that were one of the `old` lines.
///
/// The old line must be unique, and only one span of new lines may match it. Spans may overlap:
/// they are replaced from the last to the first, each in the result of the others.
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

/// Spans of new lines, found by their text without white space.
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
            for (i, line) in new[start..].iter().take(MAX_SPAN).enumerate() {
                text.extend_from_slice(line);
                // Two halves that meet become a pair, which is two bytes shorter: leave room.
                if text.len() > longest + 2 * MAX_SPAN {
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
        if wtf8::utf16_len(text) < MIN_LEN {
            return;
        }
        self.shortest = self.shortest.min(text.len());
        self.first[usize::from(text[0])] = true;
        let span = JoinedRun { start, len, only: true, old: None };
        self.spans.entry(text.to_vec()).and_modify(|span| span.only = false).or_insert(span);
    }

    /// Finds the old line that each span equals. The first byte rules out most lines.
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

    /// The spans that equal an old line, with that line, from the last to the first.
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
    fn a_split_line_is_rejoined() {
        check(&["\tcall(one, two)"], &["call(", "  one,", "", "  two)"], &["\tcall(one, two)"]);
    }

    #[test]
    fn short_lines_prove_nothing() {
        check(&["ab cde"], &["ab", "cde"], &["ab", "cde"]);
        check(&["abc def"], &["abc", "def"], &["abc def"]);
    }

    #[test]
    fn an_ambiguous_match_is_not_rejoined() {
        let twice = ["abc", "def", "abc", "def"];
        check(&["abcdef"], &twice, &twice);
        check(&["abcdef", "abc def"], &twice[..2], &twice[..2]);
    }

    #[test]
    fn surrogate_halves_that_meet_form_a_pair() {
        let old = b"\xed\xa0\xbd \xed\xb8\x80 = call".to_vec();
        let new = ["\u{1f600} =", "call"].map(|line| Cow::Owned(line.as_bytes().to_vec())).to_vec();
        let found = restore_wrapped([&old[..]].into_iter(), new.into_iter().collect());
        assert_eq!(found, [Cow::Borrowed(&old[..])]);
    }

    #[test]
    fn new_lines_too_short_to_match_cost_no_search() {
        let mut joined =
            Joined::of(&["a", "b"].map(|line| Cow::Borrowed(line.as_bytes())).into(), 9);
        joined.look_for(std::iter::from_fn(|| -> Option<&[u8]> { panic!("no line is read") }));
        assert!(joined.spans().is_empty());
    }
}
