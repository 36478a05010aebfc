//! One hash for a run of lines.
//!
//! The hash of a run is a polynomial over the digests of its lines modulo the prime 2^61 - 1, as in
//! Rabin and Karp's search: it does not depend on where the run is in a file. Equal hashes are a
//! strong hint, not a proof: compare the lines before acting on one.

use hashline_text::Digest;

/// A Mersenne prime: remainders are cheap, and products fit into 128 bits.
const PRIME: u64 = (1 << 61) - 1;

/// The point the polynomial is evaluated at; any large number that is not special will do.
const BASE: u64 = 0x0bf5_8476_d1ce_4e5b;

/// The hash of a run of lines. It depends on how many they are, their order and their exact text.
///
/// ```
/// use hashline_compat::cowboy::rolling::rolling_hash;
/// assert_eq!(rolling_hash(["a", "b"]), rolling_hash(["a", "b"]));
/// assert_ne!(rolling_hash(["a", "b"]), rolling_hash(["b", "a"]));
/// assert_ne!(rolling_hash(["a"]), rolling_hash(["a", ""]));
/// ```
pub fn rolling_hash(lines: impl IntoIterator<Item = impl AsRef<[u8]>>) -> u64 {
    hash_of(lines.into_iter().map(|line| Digest::of(line.as_ref())))
}

/// The polynomial's highest coefficient is 1, the others are the digests. Without the 1, leading
/// lines with the digest 0 would not change the hash.
fn hash_of(digests: impl IntoIterator<Item = Digest>) -> u64 {
    digests.into_iter().fold(1, |hash, digest| add(multiply(hash, BASE), digest.0 % PRIME))
}

/// The sum of two remainders.
fn add(a: u64, b: u64) -> u64 {
    (a + b) % PRIME
}

fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let [low, high] = [product & u128::from(PRIME), product >> 61];
    #[expect(clippy::cast_possible_truncation, reason = "both are below 2^61")]
    let (low, high) = (low as u64, high as u64);
    add(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hashes_never_change() {
        assert_eq!(rolling_hash([""; 0]), 1);
        assert_eq!(rolling_hash(["a", "b"]), 0x10d7_573b_666c_2c34);
    }

    #[test]
    fn lines_with_the_digest_zero_change_the_hash() {
        let zeros = |count| hash_of(vec![Digest(0); count]);
        assert_ne!(zeros(1), zeros(2));
        assert_eq!(zeros(0), rolling_hash([""; 0]));
    }

    proptest! {
        #[test]
        fn different_runs_differ(a in prop::collection::vec("[ab]{0,2}", 0..5), b in prop::collection::vec("[ab]{0,2}", 0..5)) {
            prop_assert_eq!(rolling_hash(&a) == rolling_hash(&b), a == b);
        }
    }
}
