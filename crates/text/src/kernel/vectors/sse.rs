//! SSE4.2 and SSSE3: registers of 16 bytes.

#![expect(unsafe_code, reason = "the functions need processor features; `Sse` proves them")]

use std::arch::is_x86_feature_detected;
use std::arch::x86_64::{
    __m128i, _mm_add_epi32, _mm_and_si128, _mm_blendv_epi8, _mm_cmpeq_epi8, _mm_cmpgt_epi32,
    _mm_movemask_epi8, _mm_mullo_epi32, _mm_or_si128, _mm_set1_epi8, _mm_set1_epi32, _mm_setr_epi8,
    _mm_setzero_si128, _mm_shuffle_epi8, _mm_shuffle_epi32, _mm_sll_epi32, _mm_srl_epi32,
    _mm_srli_epi32, _mm_unpackhi_epi32, _mm_unpackhi_epi64, _mm_unpacklo_epi32, _mm_unpacklo_epi64,
    _mm_xor_si128,
};
use std::mem::transmute;

use super::{BLOCK, Kernel, Kinds, LANES, PLACES, Vectors};

/// Proof that this processor has SSSE3, SSE4.2 and POPCNT: only [`Sse::detect`] makes one.
#[derive(Clone, Copy)]
pub(crate) struct Sse(());

impl Sse {
    /// Asks the processor.
    pub(super) fn detect() -> Option<Self> {
        let is_available = is_x86_feature_detected!("ssse3")
            && is_x86_feature_detected!("sse4.2")
            && is_x86_feature_detected!("popcnt");
        is_available.then_some(Self(()))
    }
}

#[inline(always)]
pub(super) fn registers(block: &[u8; BLOCK]) -> [__m128i; 4] {
    // SAFETY: both are 64 bytes without meaning of their own.
    unsafe { transmute::<[u8; BLOCK], [__m128i; 4]>(*block) }
}

/// Entry `n` is the white space character whose low half is `n`. The other entries are bytes with
/// another low half, which no character looked up there can equal.
#[target_feature(enable = "ssse3,sse4.2,popcnt")]
#[inline]
pub(super) fn white_space() -> __m128i {
    _mm_setr_epi8(32, 0, 0, 0, 0, 0, 0, 0, 0, 9, 10, 11, 12, 13, 0, 0)
}

/// By the upper half of a byte, and by the lower: a bit for each of the two upper halves that a suspect
/// has. Both of a suspect's entries have the same bit.
#[target_feature(enable = "ssse3,sse4.2,popcnt")]
#[inline]
pub(super) fn suspect_halves() -> [__m128i; 2] {
    [
        _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0),
        _mm_setr_epi8(0, 2, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2),
    ]
}

/// How far to shift, as the instructions want it.
#[inline(always)]
pub(super) fn count(bits: u32) -> __m128i {
    // SAFETY: both are 16 bytes without meaning of their own.
    unsafe { transmute::<[u32; 4], __m128i>([bits, 0, 0, 0]) }
}

#[target_feature(enable = "ssse3,sse4.2,popcnt")]
#[inline]
fn newlines(block: &[u8; BLOCK]) -> u64 {
    let newline = [_mm_set1_epi8(10); 4];
    bits(four!(_mm_cmpeq_epi8, registers(block), newline))
}

#[target_feature(enable = "ssse3,sse4.2,popcnt")]
#[inline]
fn kinds(block: &[u8; BLOCK]) -> Kinds {
    let bytes = registers(block);
    let table = [white_space(); 4];
    let spaces = four!(_mm_cmpeq_epi8, four!(_mm_shuffle_epi8, table, bytes), bytes);
    Kinds { newlines: newlines(block), spaces: bits(spaces), foreign: bits(bytes) }
}

#[target_feature(enable = "ssse3,sse4.2,popcnt")]
#[inline]
fn suspects(block: &[u8; BLOCK]) -> u64 {
    let [upper, lower] = suspect_halves();
    let half = [_mm_set1_epi8(15); 4];
    let bytes = registers(block);
    let lower_half = four!(_mm_and_si128, bytes, half);
    let upper_half = four!(_mm_and_si128, four!(_mm_srli_epi32::<4>, bytes), half);
    let by_lower = four!(_mm_shuffle_epi8, [lower; 4], lower_half);
    let by_upper = four!(_mm_shuffle_epi8, [upper; 4], upper_half);
    let both = four!(_mm_and_si128, by_lower, by_upper);
    !bits(four!(_mm_cmpeq_epi8, both, [_mm_setzero_si128(); 4]))
}

/// The top bits of all bytes.
#[target_feature(enable = "ssse3,sse4.2,popcnt")]
#[inline]
fn bits(bytes: [__m128i; 4]) -> u64 {
    let bits = four!(_mm_movemask_epi8, bytes);
    let [a, b, c, d] = bits.map(|bits| u64::from(bits.cast_unsigned()));
    a | b << 16 | c << 32 | d << 48
}

/// As [`Vectors::compress`]: each half of a register is moved together by a table.
#[target_feature(enable = "ssse3,sse4.2,popcnt")]
#[inline]
pub(super) fn compress(bytes: [__m128i; 4], kept: u64, out: &mut [u8; BLOCK]) -> usize {
    let mut end = 0;
    for (bytes, [low, high]) in bytes.into_iter().zip(kept.to_le_bytes().as_chunks().0) {
        let [low_places, high_places] = &PLACES;
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

impl Vectors for Sse {
    type Words = [__m128i; 4];
    type Mask = [__m128i; 4];

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
        proven!(compress(registers(block), kept, out))
    }

    #[inline(always)]
    fn words(self, numbers: [u32; LANES]) -> [__m128i; 4] {
        // SAFETY: both are 64 bytes without meaning of their own.
        unsafe { transmute::<[u32; LANES], [__m128i; 4]>(numbers) }
    }

    #[inline(always)]
    fn numbers(self, words: [__m128i; 4]) -> [u32; LANES] {
        // SAFETY: both are 64 bytes without meaning of their own.
        unsafe { transmute::<[__m128i; 4], [u32; LANES]>(words) }
    }

    #[inline(always)]
    fn splat(self, number: u32) -> [__m128i; 4] {
        [proven!(_mm_set1_epi32(number.cast_signed())); 4]
    }

    #[inline(always)]
    fn quarters(self, from: [&[u8; 16]; 4]) -> [__m128i; 4] {
        // SAFETY: both are 16 bytes without meaning of their own.
        from.map(|bytes| unsafe { transmute::<[u8; 16], __m128i>(*bytes) })
    }

    #[inline(always)]
    fn spread(self, words: [__m128i; 4]) -> [[__m128i; 4]; 4] {
        proven!([
            four!(_mm_shuffle_epi32::<0b00_00_00_00>, words),
            four!(_mm_shuffle_epi32::<0b01_01_01_01>, words),
            four!(_mm_shuffle_epi32::<0b10_10_10_10>, words),
            four!(_mm_shuffle_epi32::<0b11_11_11_11>, words),
        ])
    }

    #[inline(always)]
    fn transpose(self, [a, b, c, d]: [[__m128i; 4]; 4]) -> [[__m128i; 4]; 4] {
        proven!({
            let low = [four!(_mm_unpacklo_epi32, a, b), four!(_mm_unpacklo_epi32, c, d)];
            let high = [four!(_mm_unpackhi_epi32, a, b), four!(_mm_unpackhi_epi32, c, d)];
            [
                four!(_mm_unpacklo_epi64, low[0], low[1]),
                four!(_mm_unpackhi_epi64, low[0], low[1]),
                four!(_mm_unpacklo_epi64, high[0], high[1]),
                four!(_mm_unpackhi_epi64, high[0], high[1]),
            ]
        })
    }

    #[inline(always)]
    fn add(self, a: [__m128i; 4], b: [__m128i; 4]) -> [__m128i; 4] {
        proven!(four!(_mm_add_epi32, a, b))
    }

    #[inline(always)]
    fn mul(self, a: [__m128i; 4], b: [__m128i; 4]) -> [__m128i; 4] {
        proven!(four!(_mm_mullo_epi32, a, b))
    }

    #[inline(always)]
    fn xor(self, a: [__m128i; 4], b: [__m128i; 4]) -> [__m128i; 4] {
        proven!(four!(_mm_xor_si128, a, b))
    }

    #[inline(always)]
    fn and(self, a: [__m128i; 4], b: [__m128i; 4]) -> [__m128i; 4] {
        proven!(four!(_mm_and_si128, a, b))
    }

    #[inline(always)]
    fn shift_left<const BITS: u32>(self, words: [__m128i; 4]) -> [__m128i; 4] {
        let bits = [count(BITS); 4];
        proven!(four!(_mm_sll_epi32, words, bits))
    }

    #[inline(always)]
    fn shift_right<const BITS: u32>(self, words: [__m128i; 4]) -> [__m128i; 4] {
        let bits = [count(BITS); 4];
        proven!(four!(_mm_srl_epi32, words, bits))
    }

    #[inline(always)]
    fn rotate_left<const BITS: u32>(self, words: [__m128i; 4]) -> [__m128i; 4] {
        let (up, down) = ([count(BITS); 4], [count(32 - BITS); 4]);
        proven!({
            let high = four!(_mm_sll_epi32, words, up);
            let low = four!(_mm_srl_epi32, words, down);
            four!(_mm_or_si128, high, low)
        })
    }

    #[inline(always)]
    fn is_greater(self, a: [__m128i; 4], b: [__m128i; 4]) -> [__m128i; 4] {
        proven!(four!(_mm_cmpgt_epi32, a, b))
    }

    #[inline(always)]
    fn select(self, mask: [__m128i; 4], yes: [__m128i; 4], no: [__m128i; 4]) -> [__m128i; 4] {
        proven!(four!(_mm_blendv_epi8, no, yes, mask))
    }

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "ssse3,sse4.2,popcnt")]
        fn compiled<K: Kernel>(sse: Sse, kernel: K) -> K::Output {
            kernel.run(sse)
        }
        // SAFETY: `self` proves that the processor has the features.
        unsafe { compiled(self, kernel) }
    }
}
