//! Finding newlines, and the lines between them.
//!
//! [`iter()`] and [`split`] search for one newline after another, which suits a few lines, or
//! searches that may stop early. But it mispredicts a branch at every line, because the processor
//! cannot guess where the next newline is. [`positions`] and `each` therefore turn 64 bytes at a
//! time into one bit each, and read the positions from the bits.

use crate::kernel::search;
use crate::kernel::vectors::{BLOCK, Kernel, Vectors, chosen};

/// [`each`] searches this many bytes at a time. Miri is too slow for texts of several large chunks.
const CHUNK: usize = if cfg!(miri) { 64 } else { 64 * 1024 };
/// How many positions are always written for a block; if it has fewer newlines, the extra ones are
/// overwritten later.
const ALWAYS_WRITTEN: usize = 4;

/// Appends the position of every newline of `text`, which is shorter than 4 GiB, to `out`.
///
/// # Panics
///
/// If `text` is too long for the positions to fit into 32 bits.
pub fn positions(text: &[u8], out: &mut Vec<u32>) {
    assert!(u32::try_from(text.len()).is_ok(), "the caller keeps texts below 4 GiB");
    chosen().run(Positions { text, out });
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

/// The position of every newline of `text`, in order; each is searched for on demand.
pub fn iter(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    search::find_all_bytes(b'\n', text)
}

/// How many newlines there are.
pub fn count(text: &[u8]) -> usize {
    iter(text).count()
}

/// How many newlines there are in UTF-16.
pub(crate) fn count_wide(units: &[u16]) -> usize {
    chosen().run(CountWide(units))
}

/// The lines of `text` as JavaScript's `split("\n")` returns them: a final newline is followed by
/// an empty line, and an empty text is one empty line.
pub fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> + '_ {
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

struct Positions<'a> {
    text: &'a [u8],
    out: &'a mut Vec<u32>,
}

impl Kernel for Positions<'_> {
    type Output = ();

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled anew for each set of features")]
    fn run<V: Vectors>(self, vectors: V) {
        let Self { text, out } = self;
        let mut end = out.len();
        let mut base = 0;
        let (blocks, rest) = text.as_chunks::<BLOCK>();
        for block in blocks {
            end = write_bits(vectors.newlines(block), base, end, out);
            base += u64::BITS;
        }
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        end = write_bits(vectors.newlines(&last), base, end, out);
        out.truncate(end);
    }
}

struct CountWide<'a>(&'a [u16]);

impl Kernel for CountWide<'_> {
    type Output = usize;

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled anew for each set of features")]
    fn run<V: Vectors>(self, _: V) -> usize {
        // The count of a chunk fits into 16 bits, so that one register counts for as many units as
        // it holds.
        let chunks = self.0.chunks(1 << 15);
        let newline = u16::from(b'\n');
        let count =
            |chunk: &[u16]| chunk.iter().map(|unit| u16::from(*unit == newline)).sum::<u16>();
        chunks.map(|chunk| usize::from(count(chunk))).sum()
    }
}

/// Writes the position of every set bit to `out` from `end` on and returns the new end. Items after
/// that are meaningless.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled anew for each set of processor features")]
fn write_bits(mut bits: u64, base: u32, end: usize, out: &mut Vec<u32>) -> usize {
    let count = bits.count_ones() as usize;
    if out.len() < end + BLOCK {
        out.resize((end + BLOCK) * 2, 0);
    }
    let room = &mut out[end..end + BLOCK];
    for place in &mut room[..ALWAYS_WRITTEN] {
        *place = base + bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
    }
    if count > ALWAYS_WRITTEN {
        for place in &mut room[ALWAYS_WRITTEN..count] {
            *place = base + bits.trailing_zeros();
            bits &= bits.wrapping_sub(1);
        }
    }
    end + count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::vectors::on_every_cpu;
    use hashline_testing::size;
    use proptest::prelude::*;

    fn check(text: &[u8]) {
        let mut found = vec![7];
        positions(text, &mut found);
        let expected = iter(text).map(|at| u32::try_from(at).unwrap());
        let expected: Vec<u32> = [7].into_iter().chain(expected).collect();
        assert_eq!(found, expected);
        on_every_cpu(|cpu| {
            let mut found = vec![7];
            cpu.run(Positions { text, out: &mut found });
            assert_eq!(found, expected);
        });
        let units: Vec<u16> = text.iter().map(|byte| u16::from(*byte)).collect();
        on_every_cpu(|cpu| assert_eq!(cpu.run(CountWide(&units)), expected.len() - 1));
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
    fn newlines_are_counted_beyond_what_sixteen_bits_hold() {
        let len = size(70_000, 70);
        on_every_cpu(|cpu| assert_eq!(cpu.run(CountWide(&vec![10; len])), len));
        assert_eq!(count_wide(&[10, 0x0a0a, 0x0a00, 10]), 2);
    }

    #[test]
    fn every_position_in_a_block_is_found() {
        for len in [0, 1, 63, 64, 65, 128, 200] {
            check(&vec![b'\n'; len]);
            check(&vec![b'x'; len]);
            for at in (0..len).step_by(size(1, 13)) {
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
