//! Stripping 64 bytes and hashing 16 lines at a time, where the processor has AVX-512.
//!
//! Tests compare the results with those of [`super::strip_ascii`] and [`super::hash`].
//! [`super::line_hashes`] chooses between the two.

use std::arch::is_x86_feature_detected;
use std::arch::x86_64::{
    __m128i, __m512i, _bzhi_u64, _mm512_add_epi32, _mm512_and_si512, _mm512_broadcast_i32x4,
    _mm512_castsi128_si512, _mm512_cmpeq_epi8_mask, _mm512_cmpeq_epi32_mask,
    _mm512_cmpgt_epu32_mask, _mm512_cmple_epu8_mask, _mm512_inserti32x4, _mm512_mask_mov_epi32,
    _mm512_maskz_compress_epi8, _mm512_mullo_epi32, _mm512_permutexvar_epi32, _mm512_rol_epi32,
    _mm512_rolv_epi32, _mm512_set1_epi8, _mm512_set1_epi32, _mm512_setzero_si512,
    _mm512_shuffle_epi32, _mm512_srli_epi32, _mm512_sub_epi8, _mm512_sub_epi32,
    _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64,
    _mm512_xor_si512,
};
use std::mem::transmute;

use super::hash::{P1, P2, P3, P4, P5, xxh32_within};

/// How many places past the end of the results may be overwritten.
pub(super) const PADDING: usize = BLOCK;

/// How many bytes are stripped at a time.
const BLOCK: usize = 64;
/// How many lines are hashed at a time.
const BATCH: usize = 16;
/// How many line ends are always written for a block; if it has fewer, the rest is overwritten later.
const AT_ONCE: usize = 4;

/// Proof that this processor has the features used here: only [`Avx512::detect`] makes one.
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

impl Avx512 {
    /// Asks the processor.
    #[inline]
    pub(super) fn detect() -> Option<Self> {
        let is_available = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        is_available.then_some(Self(()))
    }

    /// Writes `text` without ASCII white space, but with its newlines, to the start of `out`. The
    /// positions of the newlines in `text` go to the start of `ends`, those in `out` to the start of
    /// `stripped_ends`. Returns the stripped length and the number of newlines.
    ///
    /// # Panics
    ///
    /// If `out` is not [`PADDING`] bytes longer than `text`, if a list does not have [`PADDING`] more
    /// places than there are newlines, or if `text` has 4 GiB or more.
    #[expect(clippy::unused_self, reason = "it is the proof")]
    pub(super) fn strip_lines(
        self,
        text: &[u8],
        out: &mut [u8],
        ends: &mut [u32],
        stripped_ends: &mut [u32],
    ) -> (usize, usize) {
        assert!(u32::try_from(text.len()).is_ok(), "texts are below 4 GiB");
        #[expect(unsafe_code, reason = "the function needs processor features")]
        // SAFETY: `self` proves that the processor has them.
        unsafe {
            strip_with_features(text, out, ends, stripped_ends)
        }
    }

    /// Appends the xxHash32 of every line of `buffer` to `hashes`. A line begins one byte after each
    /// of `ends` but the last, and ends at the next; the first of `ends` is `u32::MAX`, one before
    /// the buffer.
    ///
    /// # Panics
    ///
    /// If `buffer` does not reach [`super::hash::SLACK`] bytes past the last end.
    #[expect(clippy::unused_self, reason = "it is the proof")]
    pub(super) fn xxh32_each(self, buffer: &[u8], ends: &[u32], hashes: &mut Vec<u32>) {
        #[expect(unsafe_code, reason = "the function needs processor features")]
        // SAFETY: `self` proves that the processor has them.
        unsafe {
            hash_with_features(buffer, ends, hashes);
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi1,bmi2,popcnt")]
fn strip_with_features(
    text: &[u8],
    out: &mut [u8],
    ends: &mut [u32],
    stripped_ends: &mut [u32],
) -> (usize, usize) {
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    let mut last = [0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    let (mut len, mut count, mut base) = (0, 0, 0);
    for index in 0..=blocks.len() {
        let (block, valid) = match blocks.get(index) {
            Some(block) => (block, u64::MAX),
            None => (&last, (1 << rest.len()) - 1),
        };
        let (stripped, kept, newlines) = strip_block(block, valid);
        out[len..len + BLOCK].copy_from_slice(&stripped);
        // What is written past `count` is overwritten by the next block.
        let places = &mut ends[count..count + BLOCK];
        let stripped_places = &mut stripped_ends[count..count + BLOCK];
        #[expect(clippy::cast_possible_truncation, reason = "the text is below 4 GiB")]
        let stripped_base = len as u32;
        let mut left = newlines;
        let mut write = |index: usize| {
            let at = left.trailing_zeros();
            places[index] = base + at;
            stripped_places[index] = stripped_base + _bzhi_u64(kept, at).count_ones();
            left &= left.wrapping_sub(1);
        };
        for index in 0..AT_ONCE {
            write(index);
        }
        let found = newlines.count_ones() as usize;
        if found > AT_ONCE {
            for index in AT_ONCE..found {
                write(index);
            }
        }
        count += found;
        len += kept.count_ones() as usize;
        base = base.wrapping_add(u64::BITS);
    }
    (len, count)
}

/// Strips the bytes of a block that are `valid`. Returns the bytes that are kept, and two masks of the
/// block: which bytes those are, and which are newlines.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn strip_block(block: &[u8; BLOCK], valid: u64) -> ([u8; BLOCK], u64, u64) {
    let bytes = vector(*block);
    let is = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte.cast_signed()));
    let newlines = is(b'\n') & valid;
    let from_tab = _mm512_sub_epi8(bytes, _mm512_set1_epi8(b'\t'.cast_signed()));
    let controls = _mm512_cmple_epu8_mask(from_tab, _mm512_set1_epi8(4));
    let kept = (!(controls | is(b' ')) | newlines) & valid;
    (array(_mm512_maskz_compress_epi8(kept, bytes)), kept, newlines)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi1,bmi2,popcnt")]
fn hash_with_features(buffer: &[u8], ends: &[u32], hashes: &mut Vec<u32>) {
    let mut rest = ends;
    while let Some(bounds) = rest.first_chunk() {
        hashes.extend_from_slice(&hash_batch(buffer, bounds));
        rest = &rest[BATCH..];
    }
    for bounds in rest.windows(2) {
        let [start, end] = [bounds[0].wrapping_add(1), bounds[1]];
        hashes.push(xxh32_within(buffer, start as usize..end as usize));
    }
}

/// The hashes of the lines between 17 ends.
///
/// The stripes of four lines are mixed together, each line in its own quarter of a vector. What
/// comes after them is done for all sixteen together, group by group in the first to fourth word of
/// each quarter.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi1,bmi2,popcnt")]
fn hash_batch(buffer: &[u8], bounds: &[u32; BATCH + 1]) -> [u32; BATCH] {
    // Lines in their order to groups in words, and back.
    const TRANSPOSED: [u32; BATCH] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];
    const GROUPS: [[u32; BATCH]; 4] = {
        let mut groups = [[0; BATCH]; 4];
        let mut line = 0;
        while line < 16_u32 {
            let (group, quarter) = (line as usize / 4, line as usize % 4 * 4);
            let mut place = quarter;
            while place < quarter + 4 {
                groups[group][place] = line;
                place += 1;
            }
            line += 1;
        }
        groups
    };
    let (before, after) = (bounds.first_chunk::<BATCH>(), bounds.last_chunk::<BATCH>());
    let [before, after] = [before, after].map(|ends| *ends.expect("there are 17 of them"));
    let lens = _mm512_sub_epi32(words(after), _mm512_add_epi32(words(before), all(1)));
    let stripes = _mm512_srli_epi32::<4>(lens);

    let mut tails = [_mm512_setzero_si512(); 4];
    let mut hash = all(P5);
    for group in 0..4 {
        let mut at = [0, 1, 2, 3].map(|line| before[4 * group + line].wrapping_add(1) as usize);
        let count = _mm512_permutexvar_epi32(words(GROUPS[group]), stripes);
        let some = _mm512_cmpgt_epu32_mask(count, all(0));
        let mut lanes = quarters([P1.wrapping_add(P2), P2, 0, P1.wrapping_neg()]);
        let mut done = all(0);
        let mut active = some;
        while active != 0 {
            let input = _mm512_mullo_epi32(four_stripes(buffer, at), all(P2));
            let mixed = _mm512_rol_epi32::<13>(_mm512_add_epi32(lanes, input));
            lanes = _mm512_mask_mov_epi32(lanes, active, _mm512_mullo_epi32(mixed, all(P1)));
            // A line that has no more stripes stays where it is: its tail begins there.
            for (line, at) in at.iter_mut().enumerate() {
                *at += usize::from(active >> (4 * line) & 1) * 16;
            }
            done = _mm512_add_epi32(done, all(1));
            active = _mm512_cmpgt_epu32_mask(count, done);
        }
        let turned = _mm512_rolv_epi32(lanes, quarters([1, 7, 12, 18]));
        let pairs = _mm512_add_epi32(turned, _mm512_shuffle_epi32::<0b01_00_11_10>(turned));
        let sum = _mm512_add_epi32(pairs, _mm512_shuffle_epi32::<0b10_11_00_01>(pairs));
        hash = _mm512_mask_mov_epi32(hash, some & (0x1111 << group), sum);
        tails[group] = four_stripes(buffer, at);
    }

    let [a, b, c, d] = tails;
    let low = [_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d)];
    let high = [_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d)];
    let tail = [
        _mm512_unpacklo_epi64(low[0], low[1]),
        _mm512_unpackhi_epi64(low[0], low[1]),
        _mm512_unpacklo_epi64(high[0], high[1]),
        _mm512_unpackhi_epi64(high[0], high[1]),
    ];
    let lens = _mm512_permutexvar_epi32(words(TRANSPOSED), lens);
    hash = _mm512_add_epi32(hash, lens);
    let whole = _mm512_and_si512(_mm512_srli_epi32::<2>(lens), all(3));
    let mut last = tail[0];
    for (index, number) in (0..3).zip(0..) {
        let mixed = _mm512_add_epi32(hash, _mm512_mullo_epi32(tail[index], all(P3)));
        let next = _mm512_mullo_epi32(_mm512_rol_epi32::<17>(mixed), all(P4));
        hash = _mm512_mask_mov_epi32(hash, _mm512_cmpgt_epu32_mask(whole, all(number)), next);
        let ends_here = _mm512_cmpeq_epi32_mask(whole, all(number + 1));
        last = _mm512_mask_mov_epi32(last, ends_here, tail[index + 1]);
    }
    let odd = _mm512_and_si512(lens, all(3));
    for index in 0..3 {
        let byte = _mm512_and_si512(last, all(0xff));
        last = _mm512_srli_epi32::<8>(last);
        let mixed = _mm512_add_epi32(hash, _mm512_mullo_epi32(byte, all(P5)));
        let next = _mm512_mullo_epi32(_mm512_rol_epi32::<11>(mixed), all(P1));
        hash = _mm512_mask_mov_epi32(hash, _mm512_cmpgt_epu32_mask(odd, all(index)), next);
    }
    hash = _mm512_mullo_epi32(_mm512_xor_si512(hash, _mm512_srli_epi32::<15>(hash)), all(P2));
    hash = _mm512_mullo_epi32(_mm512_xor_si512(hash, _mm512_srli_epi32::<13>(hash)), all(P3));
    hash = _mm512_xor_si512(hash, _mm512_srli_epi32::<16>(hash));
    numbers(_mm512_permutexvar_epi32(words(TRANSPOSED), hash))
}

/// Sixteen bytes from each of four places.
#[inline]
#[target_feature(enable = "avx512f")]
fn four_stripes(buffer: &[u8], at: [usize; 4]) -> __m512i {
    let [a, b, c, d] = at.map(|at| {
        let stripe: &[u8; 16] = buffer[at..].first_chunk().expect("the caller left some slack");
        #[expect(unsafe_code, reason = "the vector types have no safe conversion")]
        // SAFETY: both are 16 bytes without meaning of their own.
        unsafe {
            transmute::<[u8; 16], __m128i>(*stripe)
        }
    });
    let first = _mm512_inserti32x4::<1>(_mm512_castsi128_si512(a), b);
    _mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(first, c), d)
}

/// A number in all sixteen places.
#[inline]
#[target_feature(enable = "avx512f")]
fn all(number: u32) -> __m512i {
    _mm512_set1_epi32(number.cast_signed())
}

/// Four numbers in each quarter.
#[inline]
#[target_feature(enable = "avx512f")]
fn quarters(numbers: [u32; 4]) -> __m512i {
    #[expect(unsafe_code, reason = "the vector types have no safe conversion")]
    // SAFETY: both are 16 bytes without meaning of their own.
    let quarter = unsafe { transmute::<[u32; 4], __m128i>(numbers) };
    _mm512_broadcast_i32x4(quarter)
}

#[inline]
fn words(numbers: [u32; BATCH]) -> __m512i {
    #[expect(unsafe_code, reason = "the vector types have no safe conversion")]
    // SAFETY: both are 64 bytes without meaning of their own.
    unsafe {
        transmute::<[u32; BATCH], __m512i>(numbers)
    }
}

#[inline]
fn numbers(words: __m512i) -> [u32; BATCH] {
    #[expect(unsafe_code, reason = "the vector types have no safe conversion")]
    // SAFETY: both are 64 bytes without meaning of their own.
    unsafe {
        transmute::<__m512i, [u32; BATCH]>(words)
    }
}

#[inline]
fn vector(bytes: [u8; BLOCK]) -> __m512i {
    #[expect(unsafe_code, reason = "the vector types have no safe conversion")]
    // SAFETY: both are 64 bytes without meaning of their own.
    unsafe {
        transmute::<[u8; BLOCK], __m512i>(bytes)
    }
}

#[inline]
fn array(vector: __m512i) -> [u8; BLOCK] {
    #[expect(unsafe_code, reason = "the vector types have no safe conversion")]
    // SAFETY: both are 64 bytes without meaning of their own.
    unsafe {
        transmute::<__m512i, [u8; BLOCK]>(vector)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::hash::SLACK;
    use crate::text::newlines;
    use crate::text::strip_ascii::{self, Newlines};
    use proptest::prelude::*;

    /// The processor, or nothing, which is reported: the test that asked is skipped.
    fn processor() -> Option<Avx512> {
        let processor = Avx512::detect();
        if processor.is_none() {
            crate::testing::skipped("this processor has no AVX-512 with VBMI2");
        }
        processor
    }

    /// Compares with the functions that run everywhere.
    fn check(processor: Avx512, text: &[u8]) {
        let mut out = vec![0; text.len() + PADDING + SLACK];
        let mut plain = vec![0; text.len() + strip_ascii::PADDING];
        let mut ends = vec![0; text.len() + 1 + PADDING];
        let mut stripped_ends = vec![0; text.len() + 1 + PADDING];
        let (len, count) = processor.strip_lines(text, &mut out, &mut ends, &mut stripped_ends);
        let expected = strip_ascii::strip(text, Newlines::Keep, &mut plain);
        assert_eq!(out[..len], plain[..expected]);
        let positions = |text: &[u8]| {
            let mut found = Vec::new();
            newlines::positions(text, &mut found);
            found
        };
        assert_eq!(ends[..count], positions(text));
        assert_eq!(stripped_ends[..count], positions(&plain[..expected]));

        let mut bounds = vec![u32::MAX];
        bounds.extend(&stripped_ends[..count]);
        bounds.push(u32::try_from(len).unwrap());
        let mut hashes = Vec::new();
        processor.xxh32_each(&out, &bounds, &mut hashes);
        let lines = plain[..expected].split(|byte| *byte == b'\n');
        let expected: Vec<u32> = lines.map(|line| super::super::hash::xxh32(line, 0)).collect();
        assert_eq!(hashes, expected);
    }

    #[test]
    fn lines_of_every_length_are_hashed_side_by_side() {
        let Some(processor) = processor() else { return };
        let check = |text: &[u8]| check(processor, text);
        let line = |len: usize| (b'!'..=b'z').cycle().take(len).collect::<Vec<_>>();
        check(&(0..200).map(line).collect::<Vec<_>>().join(&b'\n'));
        check(&(0..200).map(|n| line(n * 37 % 101)).collect::<Vec<_>>().join(&b'\n'));
        check(&(0..128).collect::<Vec<u8>>());
        for len in [63, 64, 65, 1000] {
            check(&vec![b'\n'; len]);
            check(&vec![b' '; len]);
            check(&vec![b'x'; len]);
        }
    }

    #[test]
    fn any_ascii_is_stripped_and_hashed_as_elsewhere() {
        let Some(processor) = processor() else { return };
        let text = "([a-z(){};=.]{0,30}|[ \t\r\u{b}\u{c}]{1,9}|\n|\u{0}|\u{1f}|\u{7f}){0,200}";
        proptest!(|(text in text)| check(processor, text.as_bytes()));
    }
}
