//! One hash for a run of lines.
//!
//! The hash of a run can be moved along a file, one line in and one line out, at the same price for
//! every step; so all places where a run of lines occurs are found in one pass. It is a polynomial
//! over the lines' digests modulo the prime 2^61 - 1. Equal hashes are a strong hint, not a proof:
//! compare the lines before acting on one.

use std::collections::VecDeque;

use crate::text::Digest;

/// A Mersenne prime: remainders are cheap, and products fit into 128 bits.
const PRIME: u64 = (1 << 61) - 1;

/// The point the polynomial is evaluated at; any large number that is not special will do.
const BASE: u64 = 0x0bf5_8476_d1ce_4e5b;

/// What undoes a multiplication by [`BASE`].
const BASE_INVERSE: u64 = power(BASE, PRIME - 2);

/// The hash of a run of lines: their number, their order and their exact text count.
///
/// ```
/// use hashline::anchor::rolling::rolling_hash;
/// assert_eq!(rolling_hash(["a", "b"]), rolling_hash(["a", "b"]));
/// assert_ne!(rolling_hash(["a", "b"]), rolling_hash(["b", "a"]));
/// assert_ne!(rolling_hash(["a"]), rolling_hash(["a", ""]));
/// ```
pub fn rolling_hash(lines: impl IntoIterator<Item = impl AsRef<[u8]>>) -> u64 {
    let digests = lines.into_iter().map(|line| Digest::of(line.as_ref()));
    digests.collect::<Rolling>().hash()
}

/// The hashes of every `width` neighbouring lines, from the first to the last.
///
/// ```
/// use hashline::anchor::rolling::{rolling_hash, windows};
/// use hashline::text::Digest;
/// let file = ["x", "a", "b"].map(|line| Digest::of(line.as_bytes()));
/// let wanted = rolling_hash(["a", "b"]);
/// assert_eq!(windows(&file, 2).position(|hash| hash == wanted), Some(1));
/// ```
pub fn windows(digests: &[Digest], width: usize) -> impl Iterator<Item = u64> + '_ {
    let start = if width == 0 { digests.len() } else { width - 1 };
    let mut run: Rolling = digests.iter().take(start).copied().collect();
    digests.iter().skip(start).map(move |digest| {
        run.push(*digest);
        let hash = run.hash();
        run.pop_front();
        hash
    })
}

/// A run of lines that grows at the end and shrinks at the front, and its hash.
#[derive(Clone, Debug)]
pub struct Rolling {
    run: VecDeque<Digest>,
    /// The sum of each digest times [`BASE`] to the number of lines after it.
    sum: u64,
    /// [`BASE`] to the number of lines.
    scale: u64,
}

impl Rolling {
    /// A run without lines.
    pub fn new() -> Self {
        Self { run: VecDeque::new(), sum: 0, scale: 1 }
    }

    /// Adds a line at the end.
    pub fn push(&mut self, digest: Digest) {
        self.sum = add(multiply(self.sum, BASE), digest.0 % PRIME);
        self.scale = multiply(self.scale, BASE);
        self.run.push_back(digest);
    }

    /// Takes the first line off.
    pub fn pop_front(&mut self) -> Option<Digest> {
        let digest = self.run.pop_front()?;
        self.scale = multiply(self.scale, BASE_INVERSE);
        let share = multiply(digest.0 % PRIME, self.scale);
        self.sum = add(self.sum, PRIME - share);
        Some(digest)
    }

    /// The hash of the lines that are in the run now.
    pub fn hash(&self) -> u64 {
        // Without the scale, lines of digest 0 at the front would not count.
        add(self.sum, self.scale)
    }

    /// How many lines are in the run.
    pub fn len(&self) -> usize {
        self.run.len()
    }

    /// Whether there is no line in the run.
    pub fn is_empty(&self) -> bool {
        self.run.is_empty()
    }
}

impl Default for Rolling {
    fn default() -> Self {
        Self::new()
    }
}

impl FromIterator<Digest> for Rolling {
    fn from_iter<T: IntoIterator<Item = Digest>>(digests: T) -> Self {
        let mut run = Self::new();
        digests.into_iter().for_each(|digest| run.push(digest));
        run
    }
}

/// The sum of two remainders; the second may be [`PRIME`] itself.
const fn add(a: u64, b: u64) -> u64 {
    (a + b) % PRIME
}

const fn multiply(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    let [low, high] = [product & PRIME as u128, product >> 61];
    // Both are below 2^61, so neither cast loses a bit.
    #[expect(clippy::cast_possible_truncation, reason = "both are below 2^61")]
    let (low, high) = (low as u64, high as u64);
    add(low, high)
}

const fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base);
        }
        base = multiply(base, base);
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_inverse_undoes_the_base() {
        assert_eq!(multiply(BASE, BASE_INVERSE), 1);
    }

    #[test]
    fn lines_of_digest_zero_count() {
        let zeros = |count| vec![Digest(0); count].into_iter().collect::<Rolling>().hash();
        assert_ne!(zeros(1), zeros(2));
        assert_eq!(zeros(0), rolling_hash([""; 0]));
    }

    #[test]
    fn no_window_is_wider_than_the_file() {
        let digests = [Digest(1), Digest(2)];
        assert_eq!(windows(&digests, 3).count(), 0);
        assert_eq!(windows(&digests, 2).count(), 1);
        assert_eq!(windows(&digests, 0).count(), 0);
        assert_eq!(windows(&[], 1).count(), 0);
    }

    proptest! {
        #[test]
        fn rolling_equals_hashing_from_scratch(
            digests in prop::collection::vec(any::<u64>(), 0..40),
            width in 1..6_usize,
        ) {
            let digests: Vec<Digest> = digests.into_iter().map(Digest).collect();
            let rolled: Vec<u64> = windows(&digests, width).collect();
            let scratch: Vec<u64> = digests
                .windows(width)
                .map(|run| run.iter().copied().collect::<Rolling>().hash())
                .collect();
            prop_assert_eq!(rolled, scratch);
        }

        #[test]
        fn any_pushes_and_pops_equal_the_lines_left(steps in prop::collection::vec(any::<Option<u64>>(), 0..60)) {
            let mut run = Rolling::new();
            let mut left: VecDeque<Digest> = VecDeque::new();
            for step in steps {
                if let Some(digest) = step {
                    run.push(Digest(digest));
                    left.push_back(Digest(digest));
                } else {
                    prop_assert_eq!(run.pop_front(), left.pop_front());
                }
                prop_assert_eq!(run.len(), left.len());
                prop_assert_eq!(run.hash(), left.iter().copied().collect::<Rolling>().hash());
            }
        }

        #[test]
        fn different_runs_differ(a in prop::collection::vec("[ab]{0,2}", 0..5), b in prop::collection::vec("[ab]{0,2}", 0..5)) {
            prop_assert_eq!(rolling_hash(&a) == rolling_hash(&b), a == b);
        }
    }
}
