//! AVX2: registers of 32 bytes.

#![expect(unsafe_code, reason = "the functions need processor features; `Avx2` proves them")]

use std::arch::is_x86_feature_detected;
use std::arch::x86_64::{
    __m128i, __m256i, _mm_setr_epi8, _mm_shuffle_epi8, _mm256_add_epi32, _mm256_and_si256,
    _mm256_blendv_epi8, _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8, _mm256_cmpgt_epi32,
    _mm256_movemask_epi8, _mm256_mullo_epi32, _mm256_or_si256, _mm256_set_m128i, _mm256_set1_epi8,
    _mm256_set1_epi32, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_shuffle_epi32,
    _mm256_sll_epi32, _mm256_srl_epi32, _mm256_srli_epi32, _mm256_unpackhi_epi32,
    _mm256_unpackhi_epi64, _mm256_unpacklo_epi32, _mm256_unpacklo_epi64, _mm256_xor_si256,
};
use std::mem::transmute;

use super::{BLOCK, KEPT_INDEXES, Kernel, Kinds, LANES, Vectors};

/// Proof that this processor has AVX2, BMI1, BMI2 and POPCNT: only [`Avx2::detect`] makes one.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Asks the processor whether it has these features.
    pub(super) fn detect() -> Option<Self> {
        let is_available = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        is_available.then_some(Self(()))
    }
}

/// Calls the same instruction for both registers that hold sixteen numbers.
macro_rules! two {
    ($instruction:path, $($operand:expr),+) => {
        [$instruction($($operand[0]),+), $instruction($($operand[1]),+)]
    };
}

#[inline(always)]
fn registers(block: &[u8; BLOCK]) -> [__m256i; 2] {
    // SAFETY: both are 64 bytes without meaning of their own.
    unsafe { transmute::<[u8; BLOCK], [__m256i; 2]>(*block) }
}

/// Entry `n` is the white space character whose low half is `n`. If there is none, the entry has
/// another low half, so that no byte that is looked up there equals it.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
#[inline]
fn white_space() -> __m128i {
    _mm_setr_epi8(32, 0, 0, 0, 0, 0, 0, 0, 0, 9, 10, 11, 12, 13, 0, 0)
}

/// Two tables, indexed by the upper and by the lower half of a byte. An entry's bit 0 stands for
/// the upper half `c`, its bit 1 for `e`: a byte is a suspect if its two entries have a common bit.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
#[inline]
fn suspect_halves() -> [__m128i; 2] {
    [
        _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0),
        _mm_setr_epi8(0, 2, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2),
    ]
}

/// How far to shift, in a register, as the instructions require.
#[inline(always)]
fn count(bits: u32) -> __m128i {
    // SAFETY: both are 16 bytes without meaning of their own.
    unsafe { transmute::<[u32; 4], __m128i>([bits, 0, 0, 0]) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
#[inline]
fn newlines(block: &[u8; BLOCK]) -> u64 {
    let newline = [_mm256_set1_epi8(10); 2];
    bits(two!(_mm256_cmpeq_epi8, registers(block), newline))
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
#[inline]
fn kinds(block: &[u8; BLOCK]) -> Kinds {
    let bytes = registers(block);
    let table = [_mm256_broadcastsi128_si256(white_space()); 2];
    let spaces = two!(_mm256_cmpeq_epi8, two!(_mm256_shuffle_epi8, table, bytes), bytes);
    Kinds { newlines: newlines(block), spaces: bits(spaces), foreign: bits(bytes) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
#[inline]
fn suspects(block: &[u8; BLOCK]) -> u64 {
    let [upper, lower] = suspect_halves();
    let upper = [_mm256_broadcastsi128_si256(upper); 2];
    let lower = [_mm256_broadcastsi128_si256(lower); 2];
    let half = [_mm256_set1_epi8(15); 2];
    let bytes = registers(block);
    let lower_half = two!(_mm256_and_si256, bytes, half);
    let upper_half = two!(_mm256_and_si256, two!(_mm256_srli_epi32::<4>, bytes), half);
    let by_lower = two!(_mm256_shuffle_epi8, lower, lower_half);
    let by_upper = two!(_mm256_shuffle_epi8, upper, upper_half);
    let both = two!(_mm256_and_si256, by_lower, by_upper);
    !bits(two!(_mm256_cmpeq_epi8, both, [_mm256_setzero_si256(); 2]))
}

/// A mask of the top bits of all bytes.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
#[inline]
fn bits(bytes: [__m256i; 2]) -> u64 {
    let [a, b] = two!(_mm256_movemask_epi8, bytes);
    u64::from(a.cast_unsigned()) | u64::from(b.cast_unsigned()) << 32
}

/// Implements [`Vectors::compress`]: a table moves the kept ones of eight bytes together.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
#[inline]
fn compress(block: &[u8; BLOCK], kept: u64, out: &mut [u8; BLOCK]) -> usize {
    // SAFETY: both are 64 bytes without meaning of their own.
    let bytes = unsafe { transmute::<[u8; BLOCK], [__m128i; 4]>(*block) };
    let mut end = 0;
    for (bytes, [low, high]) in bytes.into_iter().zip(kept.to_le_bytes().as_chunks().0) {
        let [low_places, high_places] = &KEPT_INDEXES;
        let places = [low_places[usize::from(*low)], high_places[usize::from(*high)]];
        // SAFETY: both are 16 bytes without meaning of their own.
        let places = unsafe { transmute::<[u64; 2], __m128i>(places) };
        let moved = _mm_shuffle_epi8(bytes, places);
        // SAFETY: both are 16 bytes without meaning of their own.
        let halves = unsafe { transmute::<__m128i, [[u8; 8]; 2]>(moved) };
        for (half, kept) in halves.into_iter().zip([low, high]) {
            out[end..end + 8].copy_from_slice(&half);
            end += kept.count_ones() as usize;
        }
    }
    end
}

impl Vectors for Avx2 {
    type Words = [__m256i; 2];
    type Mask = [__m256i; 2];

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
    fn words(self, numbers: [u32; LANES]) -> [__m256i; 2] {
        // SAFETY: both are 64 bytes without meaning of their own.
        unsafe { transmute::<[u32; LANES], [__m256i; 2]>(numbers) }
    }

    #[inline(always)]
    fn numbers(self, words: [__m256i; 2]) -> [u32; LANES] {
        // SAFETY: both are 64 bytes without meaning of their own.
        unsafe { transmute::<[__m256i; 2], [u32; LANES]>(words) }
    }

    #[inline(always)]
    fn splat(self, number: u32) -> [__m256i; 2] {
        [proven!(_mm256_set1_epi32(number.cast_signed())); 2]
    }

    #[inline(always)]
    fn quarters(self, from: [&[u8; 16]; 4]) -> [__m256i; 2] {
        // SAFETY: both are 16 bytes without meaning of their own.
        let [a, b, c, d] = from.map(|bytes| unsafe { transmute::<[u8; 16], __m128i>(*bytes) });
        proven!([_mm256_set_m128i(b, a), _mm256_set_m128i(d, c)])
    }

    #[inline(always)]
    fn spread(self, words: [__m256i; 2]) -> [[__m256i; 2]; 4] {
        proven!([
            two!(_mm256_shuffle_epi32::<0b00_00_00_00>, words),
            two!(_mm256_shuffle_epi32::<0b01_01_01_01>, words),
            two!(_mm256_shuffle_epi32::<0b10_10_10_10>, words),
            two!(_mm256_shuffle_epi32::<0b11_11_11_11>, words),
        ])
    }

    #[inline(always)]
    fn transpose(self, [a, b, c, d]: [[__m256i; 2]; 4]) -> [[__m256i; 2]; 4] {
        proven!({
            let low = [two!(_mm256_unpacklo_epi32, a, b), two!(_mm256_unpacklo_epi32, c, d)];
            let high = [two!(_mm256_unpackhi_epi32, a, b), two!(_mm256_unpackhi_epi32, c, d)];
            [
                two!(_mm256_unpacklo_epi64, low[0], low[1]),
                two!(_mm256_unpackhi_epi64, low[0], low[1]),
                two!(_mm256_unpacklo_epi64, high[0], high[1]),
                two!(_mm256_unpackhi_epi64, high[0], high[1]),
            ]
        })
    }

    #[inline(always)]
    fn add(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        proven!(two!(_mm256_add_epi32, a, b))
    }

    #[inline(always)]
    fn mul(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        proven!(two!(_mm256_mullo_epi32, a, b))
    }

    #[inline(always)]
    fn xor(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        proven!(two!(_mm256_xor_si256, a, b))
    }

    #[inline(always)]
    fn and(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        proven!(two!(_mm256_and_si256, a, b))
    }

    #[inline(always)]
    fn shift_left<const BITS: u32>(self, words: [__m256i; 2]) -> [__m256i; 2] {
        let bits = [count(BITS); 2];
        proven!(two!(_mm256_sll_epi32, words, bits))
    }

    #[inline(always)]
    fn shift_right<const BITS: u32>(self, words: [__m256i; 2]) -> [__m256i; 2] {
        let bits = [count(BITS); 2];
        proven!(two!(_mm256_srl_epi32, words, bits))
    }

    #[inline(always)]
    fn rotate_left<const BITS: u32>(self, words: [__m256i; 2]) -> [__m256i; 2] {
        let (up, down) = ([count(BITS); 2], [count(32 - BITS); 2]);
        proven!({
            let high = two!(_mm256_sll_epi32, words, up);
            let low = two!(_mm256_srl_epi32, words, down);
            two!(_mm256_or_si256, high, low)
        })
    }

    #[inline(always)]
    fn is_greater(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        proven!(two!(_mm256_cmpgt_epi32, a, b))
    }

    #[inline(always)]
    fn select(self, mask: [__m256i; 2], yes: [__m256i; 2], no: [__m256i; 2]) -> [__m256i; 2] {
        proven!(two!(_mm256_blendv_epi8, no, yes, mask))
    }

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
        fn compiled<K: Kernel>(avx2: Avx2, kernel: K) -> K::Output {
            kernel.run(avx2)
        }
        // SAFETY: `self` proves that the processor has the features.
        unsafe { compiled(self, kernel) }
    }
}
