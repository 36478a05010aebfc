//! Printing the lines of a block as `LINE:HASH|content`, ten lines at a time if there is room.
//!
//! [`super`] finds the lines and computes how long they are when printed.

#![expect(unsafe_code, reason = "one check for ten lines saves several for each")]

use crate::kernel::line_hashes::HashedLines;
use crate::kernel::vectors::{Kernel, Vectors};

/// Lines are copied in strides of this many characters.
pub(super) const STRIDE: usize = 64;
/// The maximum number of digits before the last one that one register holds: more than most texts
/// need.
const FEW_TENS: usize = 8;
/// The length of what follows them: the last digit, `:`, the tag and `|`.
const ENDING: usize = 5;
/// The length of the longest prefix with so few digits, and a newline.
const LONGEST_FEW: usize = FEW_TENS + ENDING + 1;
/// With this much room after it, a group of lines can be printed in strides.
pub(super) const SLACK: usize = 10 * FEW_TENS + STRIDE;

/// A printed character: a byte, or a UTF-16 unit.
pub trait Printed: Copy + From<u8> {
    /// The newline.
    const LINE_END: Self;
    /// Prints eight ASCII characters.
    fn print_ascii(bytes: [u8; 8], out: &mut [Self; 8]);
}

impl Printed for u8 {
    const LINE_END: u8 = b'\n';

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled anew for each set of features")]
    fn print_ascii(bytes: [u8; 8], out: &mut [u8; 8]) {
        *out = bytes;
    }
}

impl Printed for u16 {
    const LINE_END: u16 = b'\n' as u16;

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled anew for each set of features")]
    fn print_ascii(bytes: [u8; 8], out: &mut [u16; 8]) {
        for (byte, unit) in bytes.into_iter().zip(out) {
            *unit = u16::from(byte);
        }
    }
}

/// A character of a text that can be printed as `D`.
pub trait PrintAs<D>: Copy {
    /// Prints a stride of characters.
    fn print(characters: &[Self; STRIDE], out: &mut [D; STRIDE]);
    /// Prints any number of characters.
    fn print_all(characters: &[Self], out: &mut [D]);
}

impl<T: Printed> PrintAs<T> for T {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled anew for each set of features")]
    fn print(characters: &[T; STRIDE], out: &mut [T; STRIDE]) {
        *out = *characters;
    }

    fn print_all(characters: &[T], out: &mut [T]) {
        out.copy_from_slice(characters);
    }
}

impl PrintAs<u8> for u16 {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled anew for each set of features")]
    fn print(characters: &[u16; STRIDE], out: &mut [u8; STRIDE]) {
        *out = characters.map(|unit| unit.to_le_bytes()[0]);
    }

    fn print_all(characters: &[u16], out: &mut [u8]) {
        for (unit, byte) in characters.iter().zip(out) {
            *byte = unit.to_le_bytes()[0];
        }
    }
}

/// Prints some lines to the start of `out`; the result is their printed length.
pub(super) struct PrintBlock<'a, 'l, 's, S, D> {
    /// The lines to print.
    pub lines: &'a HashedLines<'l, 's, S>,
    /// The prefix of the first line; afterwards, the prefix of the line after the last one.
    pub next: &'a mut Prefix,
    /// Where the lines are printed.
    pub out: &'a mut [D],
}

impl<S: PrintAs<D>, D: Printed> Kernel for PrintBlock<'_, '_, '_, S, D> {
    type Output = usize;

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled anew for each set of features")]
    fn run<V: Vectors>(self, _: V) -> usize {
        let Self { lines, next, out } = self;
        let HashedLines { from, ends, hashes } = *lines;
        let lines = ends.len().min(hashes.len());
        // The last lines of a text do not have a whole stride of text after them.
        let near_the_end = ends[..lines].iter().rev().take_while(|end| !has_stride(from, **end));
        let roomy = lines - near_the_end.count();
        let (mut prefix, mut start, mut printed, mut index) = (*next, 0, 0, 0);
        while index < lines {
            let count = roomy.saturating_sub(index).min(prefix.until_next_tens());
            let room = &mut out[printed..];
            let group = &ends[index..index + count];
            if let Some(end) = group.last()
                && has_stride(from, *end)
                && prefix.len <= FEW_TENS
                && room.len() + start >= *end as usize + count * LONGEST_FEW + STRIDE
            {
                // SAFETY: the last line of the group has a stride of text behind it, and there is
                // room for all lines, their prefixes and a stride.
                printed +=
                    unsafe { prefix.write_group(from, start, group, &hashes[index..], room) };
                prefix.advance(count);
                index += count;
            } else {
                let line = &from[start..ends[index] as usize];
                printed += prefix.write_line(hashes[index], line, room);
                prefix.advance(1);
                index += 1;
            }
            start = ends[index - 1] as usize + 1;
        }
        *next = prefix;
        printed
    }
}

/// Whether a line that ends there has a whole stride of text after it.
fn has_stride<S>(from: &[S], end: u32) -> bool {
    end as usize + STRIDE <= from.len()
}

/// The prefix `LINE:HASH|` of a line, which is advanced from line to line.
#[derive(Clone, Copy)]
pub(super) struct Prefix {
    number: u64,
    /// The printed digits of the number without the last one, which changes from line to line; the
    /// first digit is in the lowest byte. Meaningless if there are more than [`FEW_TENS`].
    tens: u64,
    /// How many digits there are before the last one.
    len: usize,
    /// The last digit of the number.
    last: u64,
}

/// For each tag, what follows the tens: the digit `0`, `:`, the tag, `|`, and zeros that the line
/// overwrites.
const ENDINGS: [u64; 256] = {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut endings = [0; 256];
    let mut tag = 0;
    while tag < 256 {
        let (high, low) = (DIGITS[tag >> 4], DIGITS[tag & 15]);
        endings[tag] = u64::from_le_bytes([b'0', b':', high, low, b'|', 0, 0, 0]);
        tag += 1;
    }
    endings
};

impl Prefix {
    /// The prefix `NUMBER:` of a line.
    pub(super) fn new(number: u64) -> Self {
        let (mut tens, mut len) = (0, 0);
        let mut left = number / 10;
        while left > 0 {
            tens = tens << 8 | (u64::from(b'0') + left % 10);
            left /= 10;
            len += 1;
        }
        Self { number, tens, len, last: number % 10 }
    }

    /// How many lines, from this one on, have the same tens.
    fn until_next_tens(&self) -> usize {
        10 - usize::from(self.last.to_le_bytes()[0])
    }

    /// Prints a group of lines with the same few tens, each with its newline, in strides: wrong
    /// characters after a line are overwritten by the next line. The first line begins at `start`,
    /// and `ends` says where the lines end. Returns their printed length.
    ///
    /// # Safety
    ///
    /// There must be a [`STRIDE`] of text after the last line, and `out` must have room for all
    /// lines with prefixes of [`LONGEST_FEW`], and for a stride.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled anew for each set of features")]
    unsafe fn write_group<S: PrintAs<D>, D: Printed>(
        &self,
        from: &[S],
        start: usize,
        ends: &[u32],
        hashes: &[u32],
        out: &mut [D],
    ) -> usize {
        let (mut at, mut last) = (start, self.last);
        let last_end = ends.last().map_or(0, |end| *end as usize);
        let mut to = out.as_mut_ptr();
        for (end, hash) in ends.iter().zip(hashes) {
            let end = *end as usize;
            assert!(at <= end && end <= last_end, "lines are in order");
            let len = end - at;
            // SAFETY: the lines are in order, so that all of them end before the last one does, and
            // their lengths add up to at most its end. There is that much text and room, and a
            // stride more.
            unsafe {
                D::print_ascii(self.tens.to_le_bytes(), &mut *to.cast());
                to = to.add(self.len);
                D::print_ascii(ending(last, *hash), &mut *to.cast());
                to = to.add(ENDING);
                let from = from.as_ptr().add(at);
                let mut done = 0;
                while done <= len {
                    S::print(&*from.add(done).cast(), &mut *to.add(done).cast());
                    done += STRIDE;
                }
                to = to.add(len + 1);
            }
            at = end + 1;
            last += 1;
        }
        // SAFETY: both are in `out`, or at its end.
        unsafe { to.offset_from_unsigned(out.as_mut_ptr()) }
    }

    /// Prints a line and its newline, and writes nothing after that.
    #[inline(never)]
    fn write_line<S: PrintAs<D>, D: Printed>(&self, hash: u32, line: &[S], out: &mut [D]) -> usize {
        let few = self.tens.to_le_bytes();
        let many;
        let tens = if let Some(few) = few.get(..self.len) {
            few
        } else {
            many = (self.number / 10).to_string();
            many.as_bytes()
        };
        let ending = ending(self.last, hash);
        let mut printed = 0;
        for byte in tens.iter().chain(&ending[..ENDING]) {
            out[printed] = D::from(*byte);
            printed += 1;
        }
        S::print_all(line, &mut out[printed..printed + line.len()]);
        printed += line.len();
        out[printed] = D::LINE_END;
        printed + 1
    }

    /// Advances by some lines, but not past the next tens.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled anew for each set of features")]
    fn advance(&mut self, lines: usize) {
        self.number += lines as u64;
        self.last += lines as u64;
        if self.last == 10 {
            self.advance_tens();
        }
    }

    fn advance_tens(&mut self) {
        let few = self.tens.to_le_bytes();
        match self.len.checked_sub(1).and_then(|lowest| few.get(lowest)) {
            Some(digit) if *digit < b'9' => {
                self.tens += 1 << (8 * (self.len - 1));
                self.last = 0;
            }
            _ => *self = Self::new(self.number),
        }
    }
}

/// What follows the tens of a line's number, padded with zeros.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled anew for each set of features")]
fn ending(last: u64, hash: u32) -> [u8; 8] {
    (ENDINGS[usize::from(hash.to_le_bytes()[0])] + last).to_le_bytes()
}
