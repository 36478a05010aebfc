//! Where the newlines are, and the lines between them.
//!
//! [`iter()`] and [`split`] search for one newline after the other: right for a few lines, or where
//! the search may stop early. That mispredicts a branch at every line, because the processor cannot
//! guess where the next newline is. [`positions`] and [`each`] therefore look at 64 bytes at a time,
//! turn them into one bit each, and read the positions off the bits.
//!
//! AVX-512 would do that in fewer steps, but a processor that has not used it for a while is slow at
//! first, and this work is done before it has warmed up.

use super::search;

/// How many bytes become one word of bits.
const BLOCK: usize = 64;
/// [`each`] searches this many bytes at a time. Miri is too slow for texts of several such chunks.
const CHUNK: usize = if cfg!(miri) { 64 } else { 64 * 1024 };
/// How many positions are always written for a block; if it has fewer, the rest is overwritten later.
const AT_ONCE: usize = 4;

/// Appends the position of every newline of `text`, which is shorter than 4 GiB, to `out`.
///
/// # Panics
///
/// If `text` is too long for the positions to fit into 32 bits.
pub(crate) fn positions(text: &[u8], out: &mut Vec<u32>) {
    assert!(u32::try_from(text.len()).is_ok(), "the caller keeps texts below 4 GiB");
    #[cfg(target_arch = "x86_64")]
    if let Some(processor) = avx2::Avx2::detect() {
        return processor.positions(text, out);
    }
    positions_by(newline_bits, text, out);
}

/// Calls `visit` with the position of every newline of `text`, however long it is.
pub(crate) fn each(text: &[u8], mut visit: impl FnMut(usize)) {
    let mut found = Vec::new();
    for (at, chunk) in text.chunks(CHUNK).enumerate() {
        found.clear();
        positions(chunk, &mut found);
        for place in &found {
            visit(at * CHUNK + *place as usize);
        }
    }
}

/// The position of every newline of `text`, in order, each searched for when it is asked for.
pub(crate) fn iter(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    search::find_all_bytes(b'\n', text)
}

/// How many newlines there are.
pub(crate) fn count(text: &[u8]) -> usize {
    iter(text).count()
}

/// The lines of `text` as JavaScript's `split("\n")` gives them: a final newline is followed by an
/// empty line, and no text at all is one empty line.
pub(crate) fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> + '_ {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        match search::find_byte(b'\n', text) {
            Some(at) => {
                rest = Some(&text[at + 1..]);
                Some(&text[..at])
            }
            None => rest.take(),
        }
    })
}

/// Finds the positions by a function that finds the newlines of one block.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled anew for each set of processor features")]
fn positions_by(bits_of: impl Fn(&[u8; BLOCK]) -> u64, text: &[u8], out: &mut Vec<u32>) {
    let mut end = out.len();
    let mut base = 0;
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    for block in blocks {
        end = write_bits(bits_of(block), base, end, out);
        base += u64::BITS;
    }
    let mut last = [0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    end = write_bits(bits_of(&last), base, end, out);
    out.truncate(end);
}

/// A bit for each byte of the block, set where it is a newline; the first byte has the lowest bit.
#[inline]
fn newline_bits(block: &[u8; BLOCK]) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    const NEWLINES: u64 = 0x0a0a_0a0a_0a0a_0a0a;
    // Moves the top bits of eight bytes into the top byte.
    const GATHER: u64 = 0x0002_0408_1020_4081;
    let mut bits = 0;
    for (index, word) in block.as_chunks::<8>().0.iter().enumerate() {
        let other = u64::from_le_bytes(*word) ^ NEWLINES;
        let newline = !(((other & LOW) + LOW) | other | LOW);
        bits |= (newline.wrapping_mul(GATHER) >> 56) << (8 * index);
    }
    bits
}

/// Writes the position of every set bit to `out` from `end` on and returns the new end. What is after
/// that is meaningless.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled anew for each set of processor features")]
fn write_bits(mut bits: u64, base: u32, end: usize, out: &mut Vec<u32>) -> usize {
    let count = bits.count_ones() as usize;
    if out.len() < end + BLOCK {
        out.resize((end + BLOCK) * 2, 0);
    }
    let room = &mut out[end..end + BLOCK];
    for place in &mut room[..AT_ONCE] {
        *place = base + bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
    }
    if count > AT_ONCE {
        for place in &mut room[AT_ONCE..count] {
            *place = base + bits.trailing_zeros();
            bits &= bits.wrapping_sub(1);
        }
    }
    end + count
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        _mm256_cmpeq_epi8, _mm256_movemask_epi8, _mm256_set_epi64x, _mm256_set1_epi8,
    };

    use super::BLOCK;

    /// Proof that this processor has the features used here: only [`Avx2::detect`] makes one.
    #[derive(Clone, Copy)]
    pub(super) struct Avx2(());

    impl Avx2 {
        /// Asks the processor.
        #[inline]
        pub(super) fn detect() -> Option<Self> {
            use std::arch::is_x86_feature_detected;
            let is_available = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("popcnt");
            is_available.then_some(Self(()))
        }

        #[inline]
        #[expect(clippy::unused_self, reason = "it is the proof")]
        pub(super) fn positions(self, text: &[u8], out: &mut Vec<u32>) {
            #[expect(unsafe_code, reason = "the function needs processor features")]
            // SAFETY: `self` proves that the processor has them.
            unsafe {
                positions_with_features(text, out);
            }
        }
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn positions_with_features(text: &[u8], out: &mut Vec<u32>) {
        super::positions_by(|block| newline_bits(block), text, out);
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn newline_bits(block: &[u8; BLOCK]) -> u64 {
        let newline = _mm256_set1_epi8(b'\n'.cast_signed());
        let half = |words: &[[u8; 8]]| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|index| i64::from_le_bytes(words[index]));
            let equal = _mm256_cmpeq_epi8(_mm256_set_epi64x(d, c, b, a), newline);
            u64::from(_mm256_movemask_epi8(equal).cast_unsigned())
        };
        let (words, _) = block.as_chunks::<8>();
        half(&words[..4]) | half(&words[4..]) << 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &[u8]) {
        let mut found = vec![7];
        positions(text, &mut found);
        let expected = iter(text).map(|at| u32::try_from(at).unwrap());
        let expected: Vec<u32> = [7].into_iter().chain(expected).collect();
        assert_eq!(found, expected);
        let mut portable = vec![7];
        positions_by(newline_bits, text, &mut portable);
        assert_eq!(portable, expected);
        let mut told = Vec::new();
        each(text, |at| told.push(u32::try_from(at).unwrap()));
        assert_eq!(told, expected[1..]);
    }

    #[test]
    fn a_final_newline_is_followed_by_an_empty_line() {
        assert_eq!(split(b"a\nb\n").collect::<Vec<_>>(), [&b"a"[..], b"b", b""]);
        assert_eq!(split(b"").collect::<Vec<_>>(), [b""]);
    }

    #[test]
    fn long_texts_are_visited_in_chunks() {
        let mut text = vec![b'x'; 2 * CHUNK + 3];
        for at in [0, CHUNK - 1, CHUNK, 2 * CHUNK - 1, 2 * CHUNK + 2] {
            text[at] = b'\n';
        }
        check(&text);
    }

    #[test]
    fn every_position_in_a_block_is_found() {
        for len in [0, 1, 63, 64, 65, 128, 200] {
            check(&vec![b'\n'; len]);
            check(&vec![b'x'; len]);
            for at in 0..len {
                let mut text = vec![0x8a; len];
                text[at] = b'\n';
                check(&text);
            }
        }
    }

    proptest! {
        #[test]
        fn no_byte_is_taken_for_a_newline(text: Vec<u8>) {
            check(&text);
        }

        #[test]
        fn dense_and_sparse_newlines_are_found(text in "[\n\u{0b}a]{0,300}") {
            check(text.as_bytes());
        }
    }
}
