//! Where the lines of an old version are in a new one, and the only module that knows `imara-diff`.
//!
//! One diff gives an answer for every line, and for repeated lines it is often the wrong one: which
//! of two equal blocks was deleted is a matter of taste. Three diffs with different tastes seldom
//! make the same mistake, so [`LineMap`] keeps only what they agree on, and of that only what is
//! the only possible pair ([`unambiguous`]).

use std::collections::HashMap;

use imara_diff::{Algorithm, Diff, Token};

use super::unambiguous::unambiguous;
use crate::text::LineDigest;

/// Which new line each old line became, as far as that is certain.
pub struct LineMap {
    to: Vec<Option<usize>>,
    from: HashMap<usize, usize>,
}

impl LineMap {
    /// Compares two versions by the digests of their lines.
    ///
    /// ```
    /// use hashline::{Document, plan::LineMap};
    /// let [old, new] = ["a\nb\n", "x\na\nb\n"].map(|text| Document::from_text(text).digests());
    /// assert_eq!(LineMap::between(&old, &new).get(1), Some(2));
    /// ```
    pub fn between(old: &[LineDigest], new: &[LineDigest]) -> Self {
        let mut names = HashMap::new();
        let mut tokens = |digests: &[LineDigest]| -> Vec<Token> {
            let name = |digest| {
                let next = u32::try_from(names.len()).expect("a file has fewer than 2^32 lines");
                Token(*names.entry(digest).or_insert(next))
            };
            digests.iter().copied().map(name).collect()
        };
        let (mut old, mut new) = (tokens(old), tokens(new));
        let count = u32::try_from(names.len()).expect("a file has fewer than 2^32 lines");
        let forward = pairs(Algorithm::Myers, &old, &new, count);
        let histogram = pairs(Algorithm::Histogram, &old, &new, count);
        old.reverse();
        new.reverse();
        let mut backward = pairs(Algorithm::Myers, &old, &new, count);
        backward.reverse();
        for target in backward.iter_mut().flatten() {
            *target = new.len() - 1 - *target;
        }
        old.reverse();
        new.reverse();
        let agreed = |((a, b), c)| if a == b && b == c { a } else { None };
        let mut to: Vec<_> = forward.into_iter().zip(backward).zip(histogram).map(agreed).collect();
        let [old, new] =
            [old, new].map(|tokens| tokens.iter().map(|token| token.0).collect::<Vec<_>>());
        let certain = unambiguous(&old, &new, &to);
        for (target, certain) in to.iter_mut().zip(certain) {
            *target = target.filter(|_| certain);
        }
        let from = to.iter().enumerate().filter_map(|(old, new)| Some(((*new)?, old))).collect();
        Self { to, from }
    }

    /// The old index of the line that became this new one.
    pub fn source(&self, new: usize) -> Option<usize> {
        self.from.get(&new).copied()
    }

    /// The new index of the line with this old index.
    pub fn get(&self, old: usize) -> Option<usize> {
        self.to.get(old).copied().flatten()
    }
}

/// For each old line the new one that a diff pairs it with.
fn pairs(algorithm: Algorithm, old: &[Token], new: &[Token], count: u32) -> Vec<Option<usize>> {
    let mut diff = Diff::default();
    diff.compute_with(algorithm, old, new, count);
    let mut kept = (0..new.len()).filter(|at| !diff.is_added(index(*at)));
    (0..old.len()).map(|at| if diff.is_removed(index(at)) { None } else { kept.next() }).collect()
}

fn index(at: usize) -> u32 {
    u32::try_from(at).expect("a file has fewer than 2^32 lines")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn map(old: &str, new: &str) -> Vec<Option<usize>> {
        let [a, b] = [old, new]
            .map(|text| text.bytes().map(|byte| LineDigest::of(&[byte])).collect::<Vec<_>>());
        LineMap::between(&a, &b).to
    }

    #[test]
    fn lines_are_followed_through_an_insertion() {
        assert_eq!(map("ab", "xab"), [Some(1), Some(2)]);
        assert_eq!(map("abc", "ac"), [Some(0), None, Some(1)]);
    }

    #[test]
    fn no_opinion_on_which_of_two_equal_blocks_was_deleted() {
        assert_eq!(map("xababy", "xaby")[1..5], [None; 4]);
    }

    proptest! {
        #[test]
        fn a_mapped_line_keeps_its_text_and_its_order(old in "[a-d]{0,20}", new in "[a-d]{0,20}") {
            let map = map(&old, &new);
            let mut last = None;
            for (at, target) in map.iter().enumerate() {
                if let Some(target) = target {
                    prop_assert_eq!(old.as_bytes()[at], new.as_bytes()[*target]);
                    prop_assert!(last < Some(*target));
                    last = Some(*target);
                }
            }
        }

        #[test]
        fn an_unchanged_file_maps_to_itself(text in "[a-d]{0,20}") {
            let all: Vec<_> = (0..text.len()).map(Some).collect();
            prop_assert_eq!(map(&text, &text), all);
        }
    }
}
