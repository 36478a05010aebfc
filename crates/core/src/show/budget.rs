//! How much is shown, and who gets how much of it.

/// How much one result may show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// The most lines of all files together.
    pub lines: usize,
    /// The most bytes of file content; the anchors that `read` puts before the lines do not count.
    pub bytes: usize,
    /// The most bytes of the text, anchors included. A host that shortens longer texts by itself
    /// sets its limit here, so that what counts as shown was shown.
    pub printed: usize,
}

impl Budget {
    /// The budget of a text whose anchors count as bytes, as in a search.
    #[must_use]
    pub fn counting_anchors(self) -> Self {
        Self { bytes: self.bytes.min(self.printed), ..self }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self { lines: 2000, bytes: 50 * 1024, printed: usize::MAX }
    }
}

/// Shares out `total` evenly: no share is larger than wanted, and what one part does not need goes
/// to the others. The first parts in the list get the remainder.
pub(crate) fn shares(total: usize, wanted: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|place| wanted[*place]);
    let mut shares = vec![0; wanted.len()];
    let mut left = total;
    for (done, &place) in order.iter().enumerate() {
        let even = left / (order.len() - done);
        if wanted[place] <= even {
            shares[place] = wanted[place];
            left -= wanted[place];
            continue;
        }
        // All remaining parts want more than an even share.
        let mut rest: Vec<usize> = order[done..].to_vec();
        rest.sort_unstable();
        let mut surplus = left - even * rest.len();
        for place in rest {
            let extra = surplus.min(1);
            surplus -= extra;
            shares[place] = (even + extra).min(wanted[place]);
        }
        break;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_others_share_what_one_part_does_not_need() {
        assert_eq!(shares(10, &[1, 100, 4, 100]), [1, 3, 3, 3]);
        assert_eq!(shares(2, &[5, 5, 5]), [1, 1, 0]);
        assert_eq!(shares(50, &[5, 6]), [5, 6]);
    }

    proptest! {
        #[test]
        fn all_is_shared_out_and_evenly(total in 0..200_usize, wanted in proptest::collection::vec(0..60_usize, 0..12)) {
            let shares = shares(total, &wanted);
            prop_assert_eq!(shares.iter().sum::<usize>(), total.min(wanted.iter().sum()));
            for (mine, wish) in shares.iter().zip(&wanted) {
                prop_assert!(mine <= wish);
                if mine < wish {
                    prop_assert!(shares.iter().all(|other| *other <= mine + 1));
                }
            }
        }
    }
}
