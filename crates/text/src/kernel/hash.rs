//! The hash functions; the only module that uses the crate `xxhash-rust`.
//!
//! `xxh32()` makes tags, which the model sees; [`Digest`] identifies contents, which we compare. A
//! tag is short and collides by design; a digest has 64 bits, and equal digests count as equal
//! contents. `line_digest` makes the digests that are remembered of lines.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;
use xxhash_rust::xxh32;

/// xxHash32 of `bytes`.
#[inline]
pub(crate) fn xxh32(bytes: &[u8], seed: u32) -> u32 {
    xxh32::xxh32(bytes, seed)
}

/// The primes of xxHash32.
pub(super) const P1: u32 = 0x9e37_79b1;
pub(super) const P2: u32 = 0x85eb_ca77;
pub(super) const P3: u32 = 0xc2b2_ae3d;
pub(super) const P4: u32 = 0x27d4_eb2f;
pub(super) const P5: u32 = 0x1656_67b1;

/// How many bytes [`xxh32_within`] may read past the end of what it hashes.
pub(crate) const SLACK: usize = 16;

/// xxHash32, seed 0, of a short part of a longer buffer, without a branch that depends on the last
/// few bytes.
///
/// Lines are short, and a loop over the last 0 to 15 bytes costs more in mispredicted branches than
/// in hashing. So 16 bytes are always hashed, and the results of the steps past the end are
/// dropped.
///
/// # Panics
///
/// If `buffer` does not reach [`SLACK`] bytes past the end of `range`.
#[inline]
pub(crate) fn xxh32_within(buffer: &[u8], range: Range<usize>) -> u32 {
    let len = range.len();
    let text = &buffer[range.start..range.end + SLACK];
    let stripes = len / 16;
    let mut hash = if stripes == 0 {
        P5
    } else {
        let mut lanes = [P1.wrapping_add(P2), P2, 0, P1.wrapping_neg()];
        for stripe in &text.as_chunks::<16>().0[..stripes] {
            for (lane, word) in lanes.iter_mut().zip(stripe.as_chunks::<4>().0) {
                let mixed = u32::from_le_bytes(*word).wrapping_mul(P2);
                *lane = lane.wrapping_add(mixed).rotate_left(13).wrapping_mul(P1);
            }
        }
        let [a, b, c, d] = lanes;
        a.rotate_left(1)
            .wrapping_add(b.rotate_left(7))
            .wrapping_add(c.rotate_left(12))
            .wrapping_add(d.rotate_left(18))
    };
    #[expect(clippy::cast_possible_truncation, reason = "xxHash32 takes the length modulo 2^32")]
    {
        hash = hash.wrapping_add(len as u32);
    }
    let (tail, _) = text[stripes * 16..].as_chunks::<4>();
    let words = len % 16 / 4;
    for (index, word) in tail[..3].iter().enumerate() {
        let mixed = u32::from_le_bytes(*word).wrapping_mul(P3);
        let next = hash.wrapping_add(mixed).rotate_left(17).wrapping_mul(P4);
        hash = if index < words { next } else { hash };
    }
    let last = tail[words];
    for (index, byte) in last[..3].iter().enumerate() {
        let mixed = u32::from(*byte).wrapping_mul(P5);
        let next = hash.wrapping_add(mixed).rotate_left(11).wrapping_mul(P1);
        hash = if index < len % 4 { next } else { hash };
    }
    hash = (hash ^ hash >> 15).wrapping_mul(P2);
    hash = (hash ^ hash >> 13).wrapping_mul(P3);
    hash ^ hash >> 16
}

/// FNV-1a, 32 bits.
pub(crate) fn fnv1a(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// A 64-bit hash of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Digest(pub u64);

impl Digest {
    /// The digest of `content`.
    pub fn of(content: &[u8]) -> Self {
        Self(xxh3_64(content))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_testing::size;

    #[test]
    fn the_hashes_equal_published_values() {
        assert_eq!(xxh32(b"", 0), 0x02cc_5d05);
        assert_eq!(fnv1a(b"a"), 0xe40c_292c);
    }

    #[test]
    fn the_branch_free_hash_equals_the_library_for_every_length() {
        let buffer: Vec<u8> = (0..=255).cycle().take(400).collect();
        for len in 0..size(300, 70) {
            for start in [0, 1, 7] {
                let expected = xxh32(&buffer[start..start + len], 0);
                assert_eq!(xxh32_within(&buffer, start..start + len), expected, "length {len}");
            }
        }
    }
}
