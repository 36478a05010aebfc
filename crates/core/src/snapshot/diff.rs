//! Which lines two versions of a file have in common, for showing what changed.
//!
//! Equal lines are paired, and pairs never cross, so that the unpaired lines describe the change
//! correctly, if not always in the shortest way. Whether an anchor may follow its line is a harder
//! question, which `plan` answers more carefully.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

/// A range without unique lines is compared line by line only if it has at most so many pairs of
/// lines.
const MAX_CELLS: usize = 1 << 20;

/// A range of lines that was replaced, and the range that replaced it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ChangedLines {
    /// The zero-based lines in the old version.
    pub old: Range<usize>,
    /// The zero-based lines in the new version.
    pub new: Range<usize>,
}

/// The ranges of lines that differ between two versions, in order.
pub(crate) fn changed_lines<L: Eq + Hash>(old: &[L], new: &[L]) -> Vec<ChangedLines> {
    let mut changes = Vec::new();
    let mut done = (0, 0);
    // A pair after the last lines closes the last change.
    for (from, to) in pairs(old, new).into_iter().chain([(old.len(), new.len())]) {
        if (from, to) != done {
            changes.push(ChangedLines { old: done.0..from, new: done.1..to });
        }
        done = (from + 1, to + 1);
    }
    changes
}

/// Pairs of equal lines, as indexes into both versions.
fn pairs<L: Eq + Hash>(old: &[L], new: &[L]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    pair_between(old, new, (0, 0), true, &mut pairs);
    pairs
}

/// Pairs equal lines of a range that begins at the indexes `at`. With `landmarks`, unique lines are
/// paired first.
fn pair_between<L: Eq + Hash>(
    old: &[L],
    new: &[L],
    at: (usize, usize),
    landmarks: bool,
    pairs: &mut Vec<(usize, usize)>,
) {
    let same = |(old, new): &(&L, &L)| old == new;
    let head = old.iter().zip(new).take_while(same).count();
    let (old, new) = (&old[head..], &new[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    let (inner_old, inner_new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    pairs.extend((0..head).map(|place| (at.0 + place, at.1 + place)));
    let at = (at.0 + head, at.1 + head);
    if landmarks {
        let mut done = (0, 0);
        for (from, to) in unique_pairs(inner_old, inner_new) {
            let start = (at.0 + done.0, at.1 + done.1);
            pair_between(&inner_old[done.0..from], &inner_new[done.1..to], start, false, pairs);
            pairs.push((at.0 + from, at.1 + to));
            done = (from + 1, to + 1);
        }
        let start = (at.0 + done.0, at.1 + done.1);
        pair_between(&inner_old[done.0..], &inner_new[done.1..], start, false, pairs);
    } else {
        let common = longest_common(inner_old, inner_new).into_iter();
        pairs.extend(common.map(|(from, to)| (at.0 + from, at.1 + to)));
    }
    let start = (at.0 + inner_old.len(), at.1 + inner_new.len());
    pairs.extend((0..tail).map(|place| (start.0 + place, start.1 + place)));
}

/// As many lines as possible that occur once in each version and are in the same order.
fn unique_pairs<L: Eq + Hash>(old: &[L], new: &[L]) -> Vec<(usize, usize)> {
    fn places<L: Eq + Hash>(lines: &[L]) -> HashMap<&L, Option<usize>> {
        let mut places: HashMap<&L, Option<usize>> = HashMap::with_capacity(lines.len());
        for (place, line) in lines.iter().enumerate() {
            places.entry(line).and_modify(|known| *known = None).or_insert(Some(place));
        }
        places
    }
    if old.is_empty() || new.is_empty() {
        return Vec::new();
    }
    let (in_old, in_new) = (places(old), places(new));
    let both = old.iter().enumerate().filter_map(|(from, line)| {
        in_old[line]?;
        Some((from, in_new.get(line).copied().flatten()?))
    });
    longest_rising(&both.collect::<Vec<_>>())
}

/// Given pairs sorted by their first index, the longest selection whose second indexes rise too.
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the pair with the lowest second index that a rising list can end with.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < pair.1);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut list = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(at) = next {
        list.push(pairs[at]);
        next = before[at];
    }
    list.reverse();
    list
}

/// The longest common subsequence of lines; nothing if that would take too long.
fn longest_common<L: Eq + Hash>(old: &[L], new: &[L]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    if old.is_empty() || new.is_empty() || (old.len() + 1).saturating_mul(width) > MAX_CELLS {
        return Vec::new();
    }
    // How many lines can be kept from each pair of indexes on.
    let mut kept = vec![0_u32; (old.len() + 1) * width];
    for from in (0..old.len()).rev() {
        for to in (0..new.len()).rev() {
            let cell = from * width + to;
            kept[cell] = if old[from] == new[to] {
                kept[cell + width + 1] + 1
            } else {
                kept[cell + width].max(kept[cell + 1])
            };
        }
    }
    let mut pairs = Vec::new();
    let (mut from, mut to) = (0, 0);
    while from < old.len() && to < new.len() {
        let cell = from * width + to;
        if old[from] == new[to] {
            pairs.push((from, to));
            (from, to) = (from + 1, to + 1);
        } else if kept[cell + width] >= kept[cell + 1] {
            from += 1;
        } else {
            to += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_text::LineDigest;
    use proptest::prelude::*;

    fn digests(lines: &[impl AsRef<[u8]>]) -> Vec<LineDigest> {
        lines.iter().map(|line| LineDigest::of(line.as_ref())).collect()
    }

    fn check(old: &str, new: &str, expected: &[(Range<usize>, Range<usize>)]) {
        let of = |text: &str| digests(&text.chars().map(String::from).collect::<Vec<_>>());
        let changes = changed_lines(&of(old), &of(new));
        let found: Vec<_> = changes.into_iter().map(|change| (change.old, change.new)).collect();
        assert_eq!(found, expected, "{old} to {new}");
    }

    #[test]
    fn changes_are_as_small_as_possible() {
        check("abc", "abc", &[]);
        check("", "ab", &[(0..0, 0..2)]);
        check("abc", "", &[(0..3, 0..0)]);
        check("abc", "aXc", &[(1..2, 1..2)]);
        check("abcdef", "abXdeYZ", &[(2..3, 2..3), (5..6, 5..7)]);
        check("aaaa", "aaa", &[(3..4, 3..3)]);
        check("a}b}c}", "a}X}c}", &[(2..3, 2..3)]);
        check("xaya", "aXay", &[(0..1, 0..2), (3..4, 4..4)]);
    }

    #[test]
    fn a_long_run_of_lines_that_read_alike_is_one_change() {
        let old = digests(&["x", "y"].repeat(2000));
        let new = digests(&["y", "y", "x"].repeat(2000));
        let changes = changed_lines(&old, &new);
        assert_eq!(changes.len(), 1);
    }

    proptest! {
        #[test]
        fn unchanged_lines_are_equal_in_both_versions(
            old in "[a-f]{0,30}",
            new in "[a-f]{0,30}",
        ) {
            let split = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
            let (old, new) = (digests(&split(&old)), digests(&split(&new)));
            let mut rebuilt: Vec<LineDigest> = Vec::new();
            let mut done = 0;
            for change in changed_lines(&old, &new) {
                prop_assert!(!change.old.is_empty() || !change.new.is_empty());
                rebuilt.extend(&old[done..change.old.start]);
                rebuilt.extend(&new[change.new]);
                done = change.old.end;
            }
            rebuilt.extend(&old[done..]);
            prop_assert_eq!(rebuilt, new);
        }
    }
}
