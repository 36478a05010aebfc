//! Belief: one new line that holds two lines of the file was meant to replace both.
//!
//! A line that ends in an operator, a comma or an opening parenthesis continues on the next; a
//! model that writes both as one line names only one of them.

use super::{canonical, come_in_order, with_pairs};
use hashline_text::kernel::{whitespace, wtf8};

/// What a continued line may end in. Of two that match, the longer comes first.
const CONTINUATIONS: [&str; 13] =
    ["&&", "||", "??", "?", ":", "=", ",", "+", "-", "*", "/", ".", "("];

/// How much longer than both lines together a merged line may be, in UTF-16 units.
const SLACK: usize = 32;

/// The current lines around the one that is replaced. A neighbour that another edit touches is left
/// out.
pub(in super::super) struct Neighbourhood<'a> {
    pub(in super::super) previous: Option<&'a [u8]>,
    pub(in super::super) line: &'a [u8],
    pub(in super::super) next: Option<&'a [u8]>,
}

/// Which neighbour a new line has absorbed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Absorbed {
    Previous,
    Next,
}

/// Finds the neighbour that the new line holds besides the line it replaces.
pub(in super::super) fn absorbed(around: &Neighbourhood, new: &[u8]) -> Option<Absorbed> {
    // Few lines continue on the next, and the rest is expensive.
    let previous = around.previous.filter(|previous| may_continue(previous));
    let next = around.next.filter(|_| may_continue(around.line));
    if previous.is_none() && next.is_none() {
        return None;
    }
    let new = canonical(new);
    let line = canonical(around.line);
    if new.is_empty() || line.is_empty() {
        return None;
    }
    let fits = |other: &[u8]| {
        wtf8::utf16_len(&new) <= wtf8::utf16_len(&line) + wtf8::utf16_len(other) + SLACK
    };
    if let Some(next) = next
        && let Some(start) = without_continuation(&line)
    {
        let next = canonical(next);
        if come_in_order(&new, start, &next) && fits(&next) {
            return Some(Absorbed::Next);
        }
    }
    if let Some(previous) = previous {
        let previous = canonical(previous);
        let start = without_operators(without_continuation(&previous)?);
        if come_in_order(&without_operators(&new), &start, &without_operators(&line))
            && fits(&previous)
        {
            return Some(Absorbed::Previous);
        }
    }
    None
}

/// Whether the line's last character, white space aside, can end a continuation token.
fn may_continue(line: &[u8]) -> bool {
    let last = whitespace::trim_end(line).last();
    last.is_some_and(|last| CONTINUATIONS.iter().any(|token| token.as_bytes().last() == Some(last)))
}

/// The line without its last continuation token, if it ends in one.
fn without_continuation(line: &[u8]) -> Option<&[u8]> {
    CONTINUATIONS.iter().find_map(|token| line.strip_suffix(token.as_bytes()))
}

/// The line without the characters of logical operators, which models swap when they merge.
fn without_operators(line: &[u8]) -> Vec<u8> {
    let is_operator = |byte: &u8| matches!(byte, b'|' | b'&' | b'?');
    let rest: Vec<u8> = line.iter().copied().filter(|b| !is_operator(b)).collect();
    with_pairs(&rest).unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: [&str; 3], new: &str, expected: Option<Absorbed>) {
        let [previous, line, next] = lines.map(str::as_bytes);
        let around = Neighbourhood { previous: Some(previous), line, next: Some(next) };
        assert_eq!(absorbed(&around, new.as_bytes()), expected, "{new:?}");
    }

    #[test]
    fn a_continued_line_absorbs_the_next() {
        check(["", "foo(", "bar)"], "foo(bar)", Some(Absorbed::Next));
        check(["", "foo &&", "bar"], "foo || bar", Some(Absorbed::Next));
        check(["", "foo", "bar"], "foo bar", None);
    }

    #[test]
    fn a_line_absorbs_the_continued_line_before_it() {
        check(["a ||", "b", ""], "a ?? b", Some(Absorbed::Previous));
        check(["a", "b", ""], "a b", None);
    }

    #[test]
    fn only_one_continuation_token_may_be_missing() {
        check(["", "a ===", "b"], "a== b", Some(Absorbed::Next));
        check(["", "a ===", "b"], "a b", None);
    }

    #[test]
    fn a_blank_next_line_is_never_absorbed() {
        check(["", "foo(", "  "], "foo()", None);
    }

    #[test]
    fn a_line_much_longer_than_both_is_not_a_merge() {
        let fits = format!("foo({}bar", "x".repeat(SLACK));
        check(["", "foo(", "bar"], &fits, Some(Absorbed::Next));
        check(["", "foo(", "bar"], &format!("{fits}x"), None);
    }
}
