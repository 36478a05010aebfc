//! Hashing sixteen lines side by side.
//!
//! A line of code has two or three dozen bytes without its white space. Hashing such lines one by
//! one, the processor mostly waits for products and mispredicted branches. Here each step is done
//! for sixteen lines at once, and results that a line does not need are dropped.

#![expect(unsafe_code, reason = "one check for sixteen lines saves one for each load")]
#![expect(clippy::inline_always, reason = "kernels are compiled anew for each set of features")]

use crate::kernel::hash::{P1, P2, P3, P4, P5, xxh32_within};
use crate::kernel::vectors::{Kernel, LANES, Vectors};

/// Lines with at least this many stripes of 16 bytes are hashed one by one: the others would wait
/// for them.
const MAX_STRIPES: u32 = 32;

/// How many bytes past the end of the last line may be read.
pub(super) const SLACK: usize = 16 * (MAX_STRIPES as usize + 1);

/// Appends the xxHash32 of every line of a buffer to a list.
pub(super) struct HashEach<'a> {
    /// Reaches at least [`SLACK`] bytes past the end of the last line.
    pub buffer: &'a [u8],
    /// The end of each line, after `u32::MAX` as the end of a line before the buffer; the next line
    /// begins one byte after an end.
    pub ends: &'a [u32],
    /// The list to which the hashes are appended.
    pub hashes: &'a mut Vec<u32>,
}

impl Kernel for HashEach<'_> {
    type Output = ();

    /// # Panics
    ///
    /// If the buffer does not reach [`SLACK`] bytes past the start of the last line.
    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) {
        let Self { buffer, ends, hashes } = self;
        let mut rest = ends;
        while V::SIDE_BY_SIDE
            && let Some(bounds) = rest.first_chunk()
        {
            match sixteen(vectors, buffer, bounds) {
                Some(batch) => hashes.extend_from_slice(&batch),
                None => one_by_one(buffer, bounds, hashes),
            }
            rest = &rest[LANES..];
        }
        one_by_one(buffer, rest, hashes);
    }
}

fn one_by_one(buffer: &[u8], ends: &[u32], hashes: &mut Vec<u32>) {
    for bounds in ends.windows(2) {
        let [start, end] = [bounds[0].wrapping_add(1), bounds[1]];
        hashes.push(xxh32_within(buffer, start as usize..end as usize));
    }
}

/// The hashes of the lines between 17 ends; `None` if one of the lines is long.
///
/// In the loop over stripes, a vector holds the four sums of each of four lines: first of lines 1,
/// 5, 9 and 13, then of lines 2, 6, 10 and 14, and so on. After transposing, one vector holds the
/// first sums of all sixteen lines in order.
#[inline(always)]
fn sixteen<V: Vectors>(v: V, buffer: &[u8], bounds: &[u32; LANES + 1]) -> Option<[u32; LANES]> {
    let batch = Batch::new(buffer, bounds)?;
    let lens = v.words(batch.lens);
    let stripes = v.shift_right::<4>(lens);
    let counts = v.spread(stripes);
    let mut sums = [v.words(SUMS); 4];
    for group in 0..4 {
        for step in 0..batch.max_stripes(group) {
            // SAFETY: each line of a batch has fewer stripes than `MAX_STRIPES`.
            let stripe = unsafe { batch.stripe(v, group, |_| step) };
            let next = v.add(sums[group], v.mul(stripe, v.splat(P2)));
            let next = v.mul(v.rotate_left::<13>(next), v.splat(P1));
            sums[group] = v.select(v.is_greater(counts[group], v.splat(step)), next, sums[group]);
        }
    }
    let sums = v.transpose(sums);
    let first = v.add(v.rotate_left::<1>(sums[0]), v.rotate_left::<7>(sums[1]));
    let second = v.add(v.rotate_left::<12>(sums[2]), v.rotate_left::<18>(sums[3]));
    let hash = v.select(v.is_greater(stripes, v.splat(0)), v.add(first, second), v.splat(P5));
    let done = v.numbers(stripes);
    // SAFETY: as in the loop, each line has fewer stripes than `MAX_STRIPES`.
    let tails = unsafe {
        [
            batch.stripe(v, 0, |line| done[line]),
            batch.stripe(v, 1, |line| done[line]),
            batch.stripe(v, 2, |line| done[line]),
            batch.stripe(v, 3, |line| done[line]),
        ]
    };
    Some(v.numbers(finish(v, v.add(hash, lens), lens, v.transpose(tails))))
}

/// The initial sums of four lines.
const SUMS: [u32; LANES] = {
    const OF_ONE: [u32; 4] = [P1.wrapping_add(P2), P2, 0, P1.wrapping_neg()];
    let mut sums = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        sums[lane] = OF_ONE[lane % 4];
        lane += 1;
    }
    sums
};

/// Sixteen lines, each with fewer stripes than `MAX_STRIPES`; the buffer has [`SLACK`] bytes from
/// the start of each.
struct Batch<'a> {
    buffer: &'a [u8],
    starts: [u32; LANES],
    lens: [u32; LANES],
}

impl<'a> Batch<'a> {
    /// The lines between 17 ends; `None` if one of them is long.
    #[inline(always)]
    fn new(buffer: &'a [u8], bounds: &[u32; LANES + 1]) -> Option<Self> {
        let (mut starts, mut lens) = ([0; LANES], [0; LANES]);
        let (mut last, mut longest) = (0, 0);
        for line in 0..LANES {
            starts[line] = bounds[line].wrapping_add(1);
            lens[line] = bounds[line + 1].wrapping_sub(starts[line]);
            last = last.max(starts[line]);
            longest = longest.max(lens[line]);
        }
        assert!(last as usize + SLACK <= buffer.len(), "the caller left some slack");
        (longest < 16 * MAX_STRIPES).then_some(Self { buffer, starts, lens })
    }

    /// How many stripes the longest of the four lines of a group has.
    #[inline(always)]
    fn max_stripes(&self, group: usize) -> u32 {
        let len = |quarter: usize| self.lens[4 * quarter + group];
        len(0).max(len(1)).max(len(2)).max(len(3)) / 16
    }

    /// The next sixteen bytes of each of the four lines of a group, after the stripes that are
    /// `done`.
    ///
    /// # Safety
    ///
    /// `done`, called with the index of a line, must return less than `MAX_STRIPES`.
    #[inline(always)]
    unsafe fn stripe<V: Vectors>(
        &self,
        v: V,
        group: usize,
        done: impl Fn(usize) -> u32,
    ) -> V::Words {
        let from = |quarter: usize| {
            let line = 4 * quarter + group;
            let at = self.starts[line] as usize + 16 * done(line) as usize;
            self.buffer.as_ptr().wrapping_add(at).cast::<[u8; 16]>()
        };
        // SAFETY: `at` is less than `SLACK - 16` bytes after the start of a line, and `SLACK` bytes
        // from there on are in the buffer; an array of bytes can be anywhere.
        unsafe { v.quarters([&*from(0), &*from(1), &*from(2), &*from(3)]) }
    }
}

/// Mixes the rest of each line after its stripes into its hash, then mixes the bits of the hash.
#[inline(always)]
fn finish<V: Vectors>(v: V, mut hash: V::Words, lens: V::Words, tail: [V::Words; 4]) -> V::Words {
    let whole = v.and(v.shift_right::<2>(lens), v.splat(3));
    let mut last = tail[0];
    let (p3, p4) = (v.splat(P3), v.splat(P4));
    for index in 0..3 {
        let mixed = v.add(hash, v.mul(tail[index], p3));
        let next = v.mul(v.rotate_left::<17>(mixed), p4);
        let is_whole = v.is_greater(whole, v.splat([0, 1, 2][index]));
        hash = v.select(is_whole, next, hash);
        last = v.select(is_whole, tail[index + 1], last);
    }
    let odd = v.and(lens, v.splat(3));
    let (p1, p5) = (v.splat(P1), v.splat(P5));
    for index in 0..3 {
        let byte = v.and(last, v.splat(0xff));
        last = v.shift_right::<8>(last);
        let next = v.mul(v.rotate_left::<11>(v.add(hash, v.mul(byte, p5))), p1);
        hash = v.select(v.is_greater(odd, v.splat(index)), next, hash);
    }
    hash = v.mul(v.xor(hash, v.shift_right::<15>(hash)), v.splat(P2));
    hash = v.mul(v.xor(hash, v.shift_right::<13>(hash)), v.splat(P3));
    v.xor(hash, v.shift_right::<16>(hash))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::hash::xxh32;
    use crate::kernel::vectors::{Portable, on_every_cpu};
    use hashline_testing::size;
    use proptest::prelude::*;

    fn line(len: usize) -> Vec<u8> {
        (0..=255).cycle().skip(len).take(len).collect()
    }

    /// Compares with the library, line by line.
    fn check(lines: &[Vec<u8>]) {
        let mut buffer = lines.join(&b'\n');
        let mut ends = vec![u32::MAX];
        let mut end = 0;
        for line in lines {
            end += line.len();
            ends.push(u32::try_from(end).unwrap());
            end += 1;
        }
        buffer.resize(buffer.len() + SLACK, 7);
        let expected: Vec<u32> = lines.iter().map(|line| xxh32(line, 0)).collect();
        on_every_cpu(|cpu| {
            let mut hashes = Vec::new();
            cpu.run(HashEach { buffer: &buffer, ends: &ends, hashes: &mut hashes });
            assert_eq!(hashes, expected);
        });
        // Portable code usually hashes lines one by one; here it hashes sixteen at once, so that
        // Miri checks the loads.
        for (bounds, expected) in
            ends.windows(LANES + 1).zip(expected.windows(LANES)).step_by(LANES)
        {
            let batch = sixteen(Portable, &buffer, bounds.try_into().unwrap());
            assert!(batch.is_none_or(|hashes| hashes == expected));
        }
    }

    #[test]
    fn lines_of_every_length_have_the_hashes_of_the_library() {
        let most = size(600, 40);
        check(&(0..most).map(line).collect::<Vec<_>>());
        check(&(0..most).rev().map(line).collect::<Vec<_>>());
        check(&(0..most).map(|n| line(n * 37 % 101)).collect::<Vec<_>>());
        for count in 0..size(70, 5) {
            check(&vec![line(count); count]);
        }
    }

    proptest! {
        #[test]
        fn any_lines_have_the_hashes_of_the_library(
            lines in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..120), 0..50),
        ) {
            check(&lines);
        }
    }

    #[test]
    #[should_panic(expected = "the caller left some slack")]
    fn a_buffer_without_slack_is_refused_by_those_that_would_read_past_it() {
        let ends: Vec<u32> = std::iter::once(u32::MAX).chain(0..16).collect();
        let buffer = [b'x'; 16 + crate::kernel::hash::SLACK];
        on_every_cpu(|cpu| {
            cpu.run(HashEach { buffer: &buffer, ends: &ends, hashes: &mut Vec::new() });
        });
        panic!("no processor here reads past it, and the caller left some slack");
    }
}
