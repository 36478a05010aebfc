//! The hash functions, and the only module that knows the crate behind them.
//!
//! [`xxh32`] makes tags (what the model sees), [`Digest`] remembers lines (what we compare). A tag
//! is short and collides by design; a digest is 64 bits and is trusted as identity within one file.

use xxhash_rust::xxh3::xxh3_64;
use xxhash_rust::xxh32;

/// xxHash32 of `bytes`.
///
/// ```
/// assert_eq!(hashline::text::hash::xxh32(b"", 0), 0x02cc_5d05);
/// ```
#[inline]
pub fn xxh32(bytes: &[u8], seed: u32) -> u32 {
    xxh32::xxh32(bytes, seed)
}

/// FNV-1a, 32 bits.
///
/// ```
/// assert_eq!(hashline::text::hash::fnv1a(b"a"), 0xe40c_292c);
/// ```
pub fn fnv1a(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}

/// 64 bits that stand for one line's exact content.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Digest(pub u64);

impl Digest {
    /// The digest of a line's content, its ending left out.
    pub fn of(content: &[u8]) -> Self {
        Self(xxh3_64(content))
    }
}
