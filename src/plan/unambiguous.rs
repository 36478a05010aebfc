//! Which pairs of a diff are the only ones possible.
//!
//! A diff picks one of the shortest ways from the old file to the new. Where equal lines stand close
//! together there are several, and which one it picks is chance:
//!
//! ```text
//! a b | a b     one `a b` was added; a diff may say the second,
//! a b a b |     but the first is as good: nothing is known of either
//! ```
//!
//! A pair is unambiguous if every shortest way has it. Lines that occur once in each version divide the
//! files into stretches, and each stretch is small enough to try all ways.

use std::collections::HashMap;

/// The most comparisons for one stretch; in a larger one no pair counts as unambiguous.
const MOST_CELLS: usize = 4_000_000;

/// For each old line, whether its partner in `pairs` is the only one possible.
///
/// `pairs` rise from left to right. Lines are given as numbers, equal for equal text.
pub(super) fn unambiguous(old: &[u32], new: &[u32], pairs: &[Option<usize>]) -> Vec<bool> {
    let (old_counts, new_counts) = (counts(old), counts(new));
    let single = |line: u32| old_counts[&line] == 1 && new_counts.get(&line) == Some(&1);
    let mut out = vec![false; old.len()];
    let (mut old_from, mut new_from) = (0, 0);
    for at in 0..=old.len() {
        // The end of both files closes the last stretch.
        let closing = match pairs.get(at) {
            None => Some(new.len()),
            Some(Some(target)) if single(old[at]) => Some(*target),
            Some(_) => None,
        };
        if let Some(target) = closing {
            let stretch = stretch(&old[old_from..at], &new[new_from..target]);
            out[old_from..at].copy_from_slice(&stretch);
            if let Some(here) = out.get_mut(at) {
                *here = true;
            }
            (old_from, new_from) = (at + 1, target + 1);
        }
    }
    out
}

fn counts(lines: &[u32]) -> HashMap<u32, usize> {
    let mut counts = HashMap::new();
    for line in lines {
        *counts.entry(*line).or_default() += 1;
    }
    counts
}

/// The lines of `old` that have the same partner in every longest common subsequence.
fn stretch(old: &[u32], new: &[u32]) -> Vec<bool> {
    if old == new {
        return vec![true; old.len()];
    }
    let width = new.len() + 1;
    if (old.len() + 1).saturating_mul(width) > MOST_CELLS {
        return vec![false; old.len()];
    }
    let before = lengths(old.iter(), &new.iter(), width);
    let mut after = lengths(old.iter().rev(), &new.iter().rev(), width);
    after.reverse();
    let longest = before[before.len() - 1];
    let row = |at: usize| at * width..(at + 1) * width;
    old.iter()
        .enumerate()
        .map(|(at, line)| {
            let (above, below) = (&before[row(at)], &after[row(at + 1)]);
            let skipped = above.iter().zip(below).any(|(a, b)| a + b == longest);
            let ways = (0..new.len())
                .filter(|to| new[*to] == *line && above[*to] + 1 + below[*to + 1] == longest)
                .take(2)
                .count();
            !skipped && ways == 1
        })
        .collect()
}

/// The length of the longest common subsequence of every pair of beginnings, row by row.
fn lengths<'a>(
    old: impl Iterator<Item = &'a u32>,
    new: &(impl Iterator<Item = &'a u32> + Clone),
    width: usize,
) -> Vec<u32> {
    let mut rows = vec![0; width];
    for line in old {
        let above = rows.len() - width;
        rows.push(0);
        for (column, other) in new.clone().enumerate() {
            let length = if line == other {
                rows[above + column] + 1
            } else {
                rows[above + column + 1].max(rows[above + width + column])
            };
            rows.push(length);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, pairs: &[Option<usize>], expected: &str) {
        let [a, b] = [old, new].map(|text| text.bytes().map(u32::from).collect::<Vec<_>>());
        let found: String =
            unambiguous(&a, &b, pairs).iter().map(|only| if *only { '!' } else { '?' }).collect();
        assert_eq!(found, expected, "{old} to {new}");
    }

    #[test]
    fn a_line_that_occurs_once_is_unambiguous() {
        check("abc", "xabc", &[Some(1), Some(2), Some(3)], "!!!");
    }

    #[test]
    fn a_doubled_block_is_not() {
        check("xaby", "xababy", &[Some(0), Some(3), Some(4), Some(5)], "!??!");
        check("xababy", "xaby", &[Some(0), None, None, Some(1), Some(2), Some(3)], "!????!");
    }

    #[test]
    fn equal_lines_in_their_places_are_unambiguous() {
        check("aaa", "aaa", &[Some(0), Some(1), Some(2)], "!!!");
        check("}x}y}", "}x}y}", &[Some(0), Some(1), Some(2), Some(3), Some(4)], "!!!!!");
    }

    #[test]
    fn equal_lines_apart_are_told_by_the_lines_between_them() {
        check("}x}y}", "}x}z}y}", &[Some(0), Some(1), Some(2), Some(5), Some(6)], "!!?!!");
    }
}
