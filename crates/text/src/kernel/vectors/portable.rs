//! Without vector instructions: words of 64 bits, and loops that the compiler may vectorise.

use std::array;

use super::{BLOCK, Kernel, Kinds, LANES, Vectors, is_suspect};

/// Instructions that every processor has.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

/// The low seven bits of each of eight bytes.
const LOW_BITS: u64 = every(0x7f);

/// The same byte eight times.
const fn every(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Gathers the top bits of eight bytes into one byte.
const fn gather(tops: u64) -> u64 {
    (tops & !LOW_BITS).wrapping_mul(0x0002_0408_1020_4081) >> 56
}

/// Sets the top bit of each byte of `word` that equals `byte`.
const fn equal_bytes(word: u64, byte: u8) -> u64 {
    let other = word ^ every(byte);
    !(((other & LOW_BITS) + LOW_BITS) | other | LOW_BITS)
}

/// Sets the top bit of each byte of `word` that is from 9 to 13.
const fn is_control_space(word: u64) -> u64 {
    let low = word & LOW_BITS;
    (low + every(0x80 - 9)) & !(low + every(0x80 - 14)) & !word
}

/// A mask of the bytes of a block for which `tops` sets the top bit; it gets eight bytes at a time.
#[inline(always)]
fn bits(block: &[u8; BLOCK], tops: impl Fn(u64) -> u64) -> u64 {
    let words = block.as_chunks::<8>().0.iter().enumerate();
    words.fold(0, |bits, (index, word)| {
        bits | gather(tops(u64::from_le_bytes(*word))) << (8 * index)
    })
}

#[inline(always)]
fn each_lane(a: [u32; LANES], b: [u32; LANES], make: impl Fn(u32, u32) -> u32) -> [u32; LANES] {
    array::from_fn(|lane| make(a[lane], b[lane]))
}

impl Vectors for Portable {
    type Words = [u32; LANES];
    type Mask = [bool; LANES];

    const SIDE_BY_SIDE: bool = false;

    #[inline(always)]
    fn newlines(self, block: &[u8; BLOCK]) -> u64 {
        bits(block, |word| equal_bytes(word, b'\n'))
    }

    #[inline(always)]
    fn kinds(self, block: &[u8; BLOCK]) -> Kinds {
        Kinds {
            newlines: self.newlines(block),
            spaces: bits(block, |word| is_control_space(word) | equal_bytes(word, b' ')),
            foreign: bits(block, |word| word),
        }
    }

    #[inline(always)]
    fn suspects(self, block: &[u8; BLOCK]) -> u64 {
        let bytes = block.iter().enumerate();
        bytes.fold(0, |bits, (index, byte)| bits | u64::from(is_suspect(*byte)) << index)
    }

    #[inline(always)]
    fn compress(self, block: &[u8; BLOCK], kept: u64, out: &mut [u8; BLOCK]) -> usize {
        let mut end = 0;
        for (index, byte) in block.iter().enumerate() {
            out[end % BLOCK] = *byte;
            end += (kept >> index & 1) as usize;
        }
        end
    }

    #[inline(always)]
    fn words(self, numbers: [u32; LANES]) -> [u32; LANES] {
        numbers
    }

    #[inline(always)]
    fn numbers(self, words: [u32; LANES]) -> [u32; LANES] {
        words
    }

    #[inline(always)]
    fn splat(self, number: u32) -> [u32; LANES] {
        [number; LANES]
    }

    #[inline(always)]
    fn quarters(self, from: [&[u8; 16]; 4]) -> [u32; LANES] {
        array::from_fn(|lane| u32::from_le_bytes(from[lane / 4].as_chunks().0[lane % 4]))
    }

    #[inline(always)]
    fn spread(self, words: [u32; LANES]) -> [[u32; LANES]; 4] {
        array::from_fn(|place| array::from_fn(|lane| words[lane / 4 * 4 + place]))
    }

    #[inline(always)]
    fn transpose(self, rows: [[u32; LANES]; 4]) -> [[u32; LANES]; 4] {
        array::from_fn(|row| array::from_fn(|lane| rows[lane % 4][lane / 4 * 4 + row]))
    }

    #[inline(always)]
    fn add(self, a: [u32; LANES], b: [u32; LANES]) -> [u32; LANES] {
        each_lane(a, b, u32::wrapping_add)
    }

    #[inline(always)]
    fn mul(self, a: [u32; LANES], b: [u32; LANES]) -> [u32; LANES] {
        each_lane(a, b, u32::wrapping_mul)
    }

    #[inline(always)]
    fn xor(self, a: [u32; LANES], b: [u32; LANES]) -> [u32; LANES] {
        each_lane(a, b, |a, b| a ^ b)
    }

    #[inline(always)]
    fn and(self, a: [u32; LANES], b: [u32; LANES]) -> [u32; LANES] {
        each_lane(a, b, |a, b| a & b)
    }

    #[inline(always)]
    fn shift_left<const BITS: u32>(self, words: [u32; LANES]) -> [u32; LANES] {
        words.map(|word| word << BITS)
    }

    #[inline(always)]
    fn shift_right<const BITS: u32>(self, words: [u32; LANES]) -> [u32; LANES] {
        words.map(|word| word >> BITS)
    }

    #[inline(always)]
    fn rotate_left<const BITS: u32>(self, words: [u32; LANES]) -> [u32; LANES] {
        words.map(|word| word.rotate_left(BITS))
    }

    #[inline(always)]
    fn is_greater(self, a: [u32; LANES], b: [u32; LANES]) -> [bool; LANES] {
        array::from_fn(|lane| a[lane] > b[lane])
    }

    #[inline(always)]
    fn select(self, mask: [bool; LANES], yes: [u32; LANES], no: [u32; LANES]) -> [u32; LANES] {
        array::from_fn(|lane| if mask[lane] { yes[lane] } else { no[lane] })
    }

    #[inline]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}
