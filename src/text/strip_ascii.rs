//! Taking ASCII white space out of text, many bytes at a time.
//!
//! Code is one fifth white space, in runs too short for `memchr` and too irregular for a branch
//! predictor. On x86-64 with SSSE3, sixteen bytes are stripped by one table-driven shuffle; elsewhere
//! a loop without branches does the same byte by byte.

/// How many bytes past the end of the stripped text may be overwritten.
pub(super) const PADDING: usize = 64;

/// Which white space is removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Newlines {
    /// All of it.
    Drop,
    /// All but newlines, so that the lines stay separate.
    Keep,
}

/// Writes `text` without its ASCII white space to the start of `out` and returns the new length.
///
/// # Panics
///
/// If `out` is not at least [`PADDING`] bytes longer than `text`.
pub(super) fn strip(text: &[u8], newlines: Newlines, out: &mut [u8]) -> usize {
    assert!(out.len() >= text.len() + PADDING, "the caller made room for the padding");
    #[cfg(target_arch = "x86_64")]
    if let Some(processor) = ssse3::Ssse3::detect() {
        return processor.strip(text, newlines, out);
    }
    by_bytes(text, newlines, out)
}

fn by_bytes(text: &[u8], newlines: Newlines, out: &mut [u8]) -> usize {
    let mut end = 0;
    for byte in text {
        out[end] = *byte;
        let kept = match byte {
            b'\n' => newlines == Newlines::Keep,
            0x09..=0x0d | 0x20 => false,
            _ => true,
        };
        end += usize::from(kept);
    }
    end
}

#[cfg(target_arch = "x86_64")]
mod ssse3 {
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_cvtsi128_si64, _mm_movemask_epi8, _mm_set_epi64x,
        _mm_setr_epi8, _mm_shuffle_epi8, _mm_unpackhi_epi64,
    };

    use super::{Newlines, by_bytes};

    /// For every set of bytes to drop from eight, the positions of those that are kept.
    const KEPT: [u64; 256] = {
        let mut table = [0; 256];
        let mut dropped = 0;
        while dropped < 256 {
            let (mut from, mut to) = (0, 0);
            while from < 8 {
                if dropped >> from & 1 == 0 {
                    table[dropped] |= from << (8 * to);
                    to += 1;
                }
                from += 1;
            }
            dropped += 1;
        }
        table
    };
    /// Added to eight positions to mean the upper half of a vector.
    const UPPER: u64 = 0x0808_0808_0808_0808;

    /// Proof that this processor has the features used here: only [`Ssse3::detect`] makes one.
    #[derive(Clone, Copy)]
    pub(super) struct Ssse3(());

    impl Ssse3 {
        /// Asks the processor.
        #[inline]
        pub(super) fn detect() -> Option<Self> {
            use std::arch::is_x86_feature_detected;
            let is_available =
                is_x86_feature_detected!("ssse3") && is_x86_feature_detected!("popcnt");
            is_available.then_some(Self(()))
        }

        #[inline]
        #[expect(clippy::unused_self, reason = "it is the proof")]
        pub(super) fn strip(self, text: &[u8], newlines: Newlines, out: &mut [u8]) -> usize {
            let (blocks, rest) = text.as_chunks::<16>();
            #[expect(unsafe_code, reason = "the function needs processor features")]
            // SAFETY: `self` proves that the processor has them.
            let end = unsafe { strip_blocks(blocks, newlines, out) };
            end + by_bytes(rest, newlines, &mut out[end..])
        }
    }

    #[target_feature(enable = "ssse3,popcnt")]
    fn strip_blocks(blocks: &[[u8; 16]], newlines: Newlines, out: &mut [u8]) -> usize {
        // Entry n is the white space character whose low half is n. The other entries are bytes with
        // another low half, which no character looked up there can equal.
        let newline = if newlines == Newlines::Drop { 10 } else { 1 };
        let spaces = _mm_setr_epi8(32, 0, 0, 0, 0, 0, 0, 0, 0, 9, newline, 11, 12, 13, 0, 0);
        let mut end = 0;
        for block in blocks {
            let bytes = load(block);
            let space = _mm_cmpeq_epi8(_mm_shuffle_epi8(spaces, bytes), bytes);
            let dropped = _mm_movemask_epi8(space).cast_unsigned();
            let (low, high) = ((dropped & 0xff) as usize, (dropped >> 8 & 0xff) as usize);
            let places =
                _mm_set_epi64x((KEPT[high] | UPPER).cast_signed(), KEPT[low].cast_signed());
            let kept = _mm_shuffle_epi8(bytes, places);
            store(kept, &mut out[end..]);
            end += 8 - (dropped & 0xff).count_ones() as usize;
            store(_mm_unpackhi_epi64(kept, kept), &mut out[end..]);
            end += 8 - (dropped >> 8).count_ones() as usize;
        }
        end
    }

    #[target_feature(enable = "ssse3,popcnt")]
    fn load(block: &[u8; 16]) -> __m128i {
        let (halves, _) = block.as_chunks::<8>();
        let [low, high] = [halves[0], halves[1]].map(i64::from_le_bytes);
        _mm_set_epi64x(high, low)
    }

    #[target_feature(enable = "ssse3,popcnt")]
    fn store(low: __m128i, out: &mut [u8]) {
        out[..8].copy_from_slice(&_mm_cvtsi128_si64(low).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_ascii_character_is_kept_or_dropped_by_both_methods_alike() {
        for newlines in [Newlines::Drop, Newlines::Keep] {
            let text: Vec<u8> = (0..128).collect();
            let mut out = vec![0; text.len() + PADDING];
            let len = strip(&text, newlines, &mut out);
            let expected: Vec<u8> = (0..128)
                .filter(|byte| {
                    !super::super::whitespace::is_whitespace(u32::from(*byte))
                        || *byte == b'\n' && newlines == Newlines::Keep
                })
                .collect();
            assert_eq!(out[..len], expected);
        }
    }

    proptest! {
        #[test]
        fn the_fast_way_equals_the_plain_way(text in "[a-d \t\r\n\u{0}\u{1}]{0,200}") {
            for newlines in [Newlines::Drop, Newlines::Keep] {
                let mut fast = vec![0; text.len() + PADDING];
                let mut plain = fast.clone();
                let len = strip(text.as_bytes(), newlines, &mut fast);
                prop_assert_eq!(by_bytes(text.as_bytes(), newlines, &mut plain), len);
                prop_assert_eq!(&fast[..len], &plain[..len]);
            }
        }
    }
}
