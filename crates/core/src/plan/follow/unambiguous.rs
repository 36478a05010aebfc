//! Which pairs of equal lines are in every longest common subsequence of two short texts.
//!
//! A diff picks one of the shortest ways from the old text to the new. Where equal lines are close
//! together there are several, and which one it picks is chance:
//!
//! ```text
//! a b | a b     one `a b` was added; a diff may say the second,
//! a b a b |     but the first is as good: nothing is known of either
//! ```
//!
//! A pair that every shortest way has in common does not depend on chance.

/// For each old line its partner in every longest common subsequence, if it has one.
///
/// Time and memory grow with [`cells`].
pub(super) fn unambiguous_pairs(old: &[u32], new: &[u32]) -> Vec<Option<usize>> {
    if old == new {
        return (0..old.len()).map(Some).collect();
    }
    let width = new.len() + 1;
    let before = lengths(old.iter(), &new.iter(), width);
    let mut after = lengths(old.iter().rev(), &new.iter().rev(), width);
    after.reverse();
    let longest = usize::from(before[before.len() - 1]);
    // For each n, the pairs that can be the n-th of a longest common subsequence: the last one
    // seen, and how many there are.
    let mut nth = vec![(0, 0, 0_u32); longest];
    for (at, line) in old.iter().enumerate() {
        let above = &before[at * width..];
        let below = &after[(at + 1) * width..];
        for to in (0..new.len()).filter(|to| new[*to] == *line) {
            let rank = usize::from(above[to]);
            if rank + 1 + usize::from(below[to + 1]) == longest {
                nth[rank] = (at, to, nth[rank].2 + 1);
            }
        }
    }
    let mut pairs = vec![None; old.len()];
    for (at, to, _) in nth.into_iter().filter(|(_, _, ways)| *ways == 1) {
        pairs[at] = Some(to);
    }
    pairs
}

/// How many comparisons [`unambiguous_pairs`] needs; `None` if the texts are too long for them.
pub(super) fn cells(old: usize, new: usize) -> Option<usize> {
    u16::try_from(old.min(new)).ok()?;
    (old + 1).checked_mul(new + 1)
}

/// The lengths of the longest common subsequences of all pairs of prefixes, row by row.
fn lengths<'a>(
    old: impl Iterator<Item = &'a u32>,
    new: &(impl Iterator<Item = &'a u32> + Clone),
    width: usize,
) -> Vec<u16> {
    let mut rows = vec![0_u16; width];
    for line in old {
        let above = rows.len() - width;
        let mut left = 0;
        rows.push(left);
        for (column, other) in new.clone().enumerate() {
            left = if line == other {
                rows[above + column] + 1
            } else {
                rows[above + column + 1].max(left)
            };
            rows.push(left);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pairs(old: &str, new: &str) -> Vec<Option<usize>> {
        let [old, new] = [old, new].map(|text| text.bytes().map(u32::from).collect::<Vec<_>>());
        unambiguous_pairs(&old, &new)
    }

    #[test]
    fn lines_are_paired_through_an_insertion_and_a_deletion() {
        assert_eq!(pairs("ab", "xab"), [Some(1), Some(2)]);
        assert_eq!(pairs("abc", "ac"), [Some(0), None, Some(1)]);
    }

    #[test]
    fn a_doubled_block_has_no_certain_partner() {
        assert_eq!(pairs("xaby", "xababy"), [Some(0), None, None, Some(5)]);
        assert_eq!(pairs("xababy", "xaby"), [Some(0), None, None, None, None, Some(3)]);
    }

    #[test]
    fn the_lines_between_equal_lines_distinguish_them() {
        assert_eq!(pairs("}x}y}", "}x}z}y}"), [Some(0), Some(1), None, Some(5), Some(6)]);
    }

    proptest! {
        #[test]
        fn a_pair_has_equal_lines_and_pairs_keep_their_order(
            old in "[a-d]{0,20}",
            new in "[a-d]{0,20}",
        ) {
            let mut last = None;
            for (at, target) in pairs(&old, &new).into_iter().enumerate() {
                if let Some(target) = target {
                    prop_assert_eq!(old.as_bytes()[at], new.as_bytes()[target]);
                    prop_assert!(last < Some(target));
                    last = Some(target);
                }
            }
        }
    }
}
