//! NEON: registers of 16 bytes.

#![expect(unsafe_code, reason = "the functions need processor features; `Neon` proves them")]

use std::arch::aarch64::{
    uint8x16_t, uint32x4_t, vaddq_u32, vandq_u8, vandq_u32, vbslq_u32, vceqq_u8, vcgtq_u32,
    vcltzq_s8, vdupq_laneq_u32, vdupq_n_s32, vdupq_n_u32, veorq_u32, vgetq_lane_u64, vmulq_u32,
    vorrq_u32, vpaddq_u8, vqtbl1q_u8, vreinterpretq_s8_u8, vreinterpretq_u32_u64,
    vreinterpretq_u64_u8, vreinterpretq_u64_u32, vshlq_u32, vshrq_n_u8, vtrn1q_u32, vtrn1q_u64,
    vtrn2q_u32, vtrn2q_u64, vtstq_u8,
};
use std::arch::is_aarch64_feature_detected;
use std::mem::transmute;

use super::{BLOCK, KEPT_INDEXES, Kernel, Kinds, LANES, Vectors};

/// Proof that this processor has NEON: only [`Neon::detect`] makes one.
#[derive(Clone, Copy)]
pub(crate) struct Neon(());

impl Neon {
    /// Asks the processor whether it has NEON.
    pub(super) fn detect() -> Option<Self> {
        is_aarch64_feature_detected!("neon").then_some(Self(()))
    }
}

/// For every mask of eight bytes, how many are kept: counting bits takes NEON several steps.
const COUNTS: [u8; 256] = {
    let mut counts = [0; 256];
    let mut kept = 0;
    while kept < 256_usize {
        counts[kept] = kept.count_ones().to_le_bytes()[0];
        kept += 1;
    }
    counts
};

/// The same table as in [`super::avx2::white_space`].
const WHITE_SPACE: [u8; 16] = [32, 0, 0, 0, 0, 0, 0, 0, 0, 9, 10, 11, 12, 13, 0, 0];
/// The same tables as in [`super::avx2::suspect_halves`].
const SUSPECT_UPPER: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0];
const SUSPECT_LOWER: [u8; 16] = [0, 2, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2];

/// For each byte, its bit in the mask byte that eight bytes become.
const BIT: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

#[inline(always)]
fn register(bytes: [u8; 16]) -> uint8x16_t {
    // SAFETY: both are 16 bytes without meaning of their own.
    unsafe { transmute::<[u8; 16], uint8x16_t>(bytes) }
}

#[inline(always)]
fn registers(block: &[u8; BLOCK]) -> [uint8x16_t; 4] {
    // SAFETY: both are 64 bytes without meaning of their own.
    unsafe { transmute::<[u8; BLOCK], [uint8x16_t; 4]>(*block) }
}

/// A mask of the bytes whose bits are all set; all bits of the others must be clear.
#[target_feature(enable = "neon")]
#[inline]
fn bits(bytes: [uint8x16_t; 4]) -> u64 {
    let [a, b, c, d] = four!(vandq_u8, bytes, [register(BIT); 4]);
    let sums = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
    vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)))
}

#[target_feature(enable = "neon")]
#[inline]
fn newlines(block: &[u8; BLOCK]) -> u64 {
    bits(four!(vceqq_u8, registers(block), [register([b'\n'; 16]); 4]))
}

#[target_feature(enable = "neon")]
#[inline]
fn kinds(block: &[u8; BLOCK]) -> Kinds {
    let bytes = registers(block);
    let same = four!(vqtbl1q_u8, [register(WHITE_SPACE); 4], low_halves(bytes));
    let signed = four!(vreinterpretq_s8_u8, bytes);
    Kinds {
        newlines: newlines(block),
        spaces: bits(four!(vceqq_u8, same, bytes)),
        foreign: bits(four!(vcltzq_s8, signed)),
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn suspects(block: &[u8; BLOCK]) -> u64 {
    let bytes = registers(block);
    let low_halves = low_halves(bytes);
    let by_lower = four!(vqtbl1q_u8, [register(SUSPECT_LOWER); 4], low_halves);
    let upper = four!(vshrq_n_u8::<4>, bytes);
    let by_upper = four!(vqtbl1q_u8, [register(SUSPECT_UPPER); 4], upper);
    bits(four!(vtstq_u8, by_upper, by_lower))
}

/// The low half of each byte.
#[target_feature(enable = "neon")]
#[inline]
fn low_halves(bytes: [uint8x16_t; 4]) -> [uint8x16_t; 4] {
    four!(vandq_u8, bytes, [register([15; 16]); 4])
}

/// Implements [`Vectors::compress`]: a table moves the kept bytes of each half of a register
/// together.
#[target_feature(enable = "neon")]
#[inline]
fn compress(block: &[u8; BLOCK], kept: u64, out: &mut [u8; BLOCK]) -> usize {
    let kept = kept.to_le_bytes().map(usize::from);
    let mut end = 0;
    for (bytes, kept) in registers(block).into_iter().zip(kept.as_chunks::<2>().0) {
        let places = [KEPT_INDEXES[0][kept[0]], KEPT_INDEXES[1][kept[1]]];
        // SAFETY: both are 16 bytes without meaning of their own.
        let places = unsafe { transmute::<[u64; 2], uint8x16_t>(places) };
        let moved = vqtbl1q_u8(bytes, places);
        // SAFETY: both are 16 bytes without meaning of their own.
        let halves = unsafe { transmute::<uint8x16_t, [[u8; 8]; 2]>(moved) };
        for (half, kept) in halves.into_iter().zip(kept) {
            out[end..end + 8].copy_from_slice(&half);
            end += usize::from(COUNTS[*kept]);
        }
    }
    end
}

/// Shifts left by a number of bits, or right if it is negative.
#[target_feature(enable = "neon")]
#[inline]
fn shift(words: [uint32x4_t; 4], bits: i32) -> [uint32x4_t; 4] {
    four!(vshlq_u32, words, [vdupq_n_s32(bits); 4])
}

#[target_feature(enable = "neon")]
#[inline]
fn transpose([a, b, c, d]: [[uint32x4_t; 4]; 4]) -> [[uint32x4_t; 4]; 4] {
    let even = [four!(vtrn1q_u32, a, b), four!(vtrn1q_u32, c, d)];
    let odd = [four!(vtrn2q_u32, a, b), four!(vtrn2q_u32, c, d)];
    let [first, third] = pairs(even);
    let [second, fourth] = pairs(odd);
    [first, second, third, fourth]
}

/// The first halves of both vectors side by side, and the second halves.
#[target_feature(enable = "neon")]
#[inline]
fn pairs([a, b]: [[uint32x4_t; 4]; 2]) -> [[uint32x4_t; 4]; 2] {
    let [a, b] = [four!(vreinterpretq_u64_u32, a), four!(vreinterpretq_u64_u32, b)];
    let [first, second] = [four!(vtrn1q_u64, a, b), four!(vtrn2q_u64, a, b)];
    [four!(vreinterpretq_u32_u64, first), four!(vreinterpretq_u32_u64, second)]
}

impl Vectors for Neon {
    type Words = [uint32x4_t; 4];
    type Mask = [uint32x4_t; 4];

    #[inline(always)]
    fn newlines(self, block: &[u8; BLOCK]) -> u64 {
        proven!(newlines(block))
    }

    #[inline(always)]
    fn kinds(self, block: &[u8; BLOCK]) -> Kinds {
        proven!(kinds(block))
    }

    #[inline(always)]
    fn suspects(self, block: &[u8; BLOCK]) -> u64 {
        proven!(suspects(block))
    }

    #[inline(always)]
    fn compress(self, block: &[u8; BLOCK], kept: u64, out: &mut [u8; BLOCK]) -> usize {
        proven!(compress(block, kept, out))
    }

    #[inline(always)]
    fn words(self, numbers: [u32; LANES]) -> [uint32x4_t; 4] {
        // SAFETY: both are 64 bytes without meaning of their own.
        unsafe { transmute::<[u32; LANES], [uint32x4_t; 4]>(numbers) }
    }

    #[inline(always)]
    fn numbers(self, words: [uint32x4_t; 4]) -> [u32; LANES] {
        // SAFETY: both are 64 bytes without meaning of their own.
        unsafe { transmute::<[uint32x4_t; 4], [u32; LANES]>(words) }
    }

    #[inline(always)]
    fn splat(self, number: u32) -> [uint32x4_t; 4] {
        [proven!(vdupq_n_u32(number)); 4]
    }

    #[inline(always)]
    fn quarters(self, from: [&[u8; 16]; 4]) -> [uint32x4_t; 4] {
        // SAFETY: both are 16 bytes without meaning of their own.
        from.map(|bytes| unsafe { transmute::<[u8; 16], uint32x4_t>(*bytes) })
    }

    #[inline(always)]
    fn spread(self, words: [uint32x4_t; 4]) -> [[uint32x4_t; 4]; 4] {
        proven!([
            four!(vdupq_laneq_u32::<0>, words),
            four!(vdupq_laneq_u32::<1>, words),
            four!(vdupq_laneq_u32::<2>, words),
            four!(vdupq_laneq_u32::<3>, words),
        ])
    }

    #[inline(always)]
    fn transpose(self, rows: [[uint32x4_t; 4]; 4]) -> [[uint32x4_t; 4]; 4] {
        proven!(transpose(rows))
    }

    #[inline(always)]
    fn add(self, a: [uint32x4_t; 4], b: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
        proven!(four!(vaddq_u32, a, b))
    }

    #[inline(always)]
    fn mul(self, a: [uint32x4_t; 4], b: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
        proven!(four!(vmulq_u32, a, b))
    }

    #[inline(always)]
    fn xor(self, a: [uint32x4_t; 4], b: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
        proven!(four!(veorq_u32, a, b))
    }

    #[inline(always)]
    fn and(self, a: [uint32x4_t; 4], b: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
        proven!(four!(vandq_u32, a, b))
    }

    #[inline(always)]
    fn shift_left<const BITS: u32>(self, words: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
        proven!(shift(words, BITS.cast_signed()))
    }

    #[inline(always)]
    fn shift_right<const BITS: u32>(self, words: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
        proven!(shift(words, -BITS.cast_signed()))
    }

    #[inline(always)]
    fn rotate_left<const BITS: u32>(self, words: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
        proven!({
            let high = shift(words, BITS.cast_signed());
            let low = shift(words, BITS.cast_signed() - 32);
            four!(vorrq_u32, high, low)
        })
    }

    #[inline(always)]
    fn is_greater(self, a: [uint32x4_t; 4], b: [uint32x4_t; 4]) -> [uint32x4_t; 4] {
        proven!(four!(vcgtq_u32, a, b))
    }

    #[inline(always)]
    fn select(
        self,
        mask: [uint32x4_t; 4],
        yes: [uint32x4_t; 4],
        no: [uint32x4_t; 4],
    ) -> [uint32x4_t; 4] {
        proven!(four!(vbslq_u32, mask, yes, no))
    }

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "neon")]
        fn compiled<K: Kernel>(neon: Neon, kernel: K) -> K::Output {
            kernel.run(neon)
        }
        // SAFETY: `self` proves that the processor has the feature.
        unsafe { compiled(self, kernel) }
    }
}
