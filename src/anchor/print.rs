//! Printing a whole text with its tags, fast.
//!
//! [`super::Listing`] serves everything that needs the tags themselves. This module serves the one
//! case where only the printed text is wanted, as a drop-in module's `formatHashLines` does: every
//! line is hashed and written in one pass, and a large text by all processors at once.

#![expect(unsafe_code, reason = "one check for ten lines saves several for each")]

use std::mem;

use crate::text::line_hashes::{Folding, HashedLines, each_block, each_wide_block};
use crate::text::vectors::{Kernel, Vectors, chosen};
use crate::text::{buffers, newlines, parallel};

/// Texts from this size on are worth more than one thread.
const PARALLEL_FROM: usize = 1 << 19;
/// Lines are copied in strides of this many characters.
const STRIDE: usize = 64;
/// As many digits before the last as one register holds: more than the numbers of most texts have.
const FEW_TENS: usize = 8;
/// What follows them: the last digit, `:`, the tag and `|`.
const ENDING: usize = 5;
/// The longest prefix of few tens, and a newline.
const LONGEST_FEW: usize = FEW_TENS + ENDING + 1;
/// With as much room behind it, a group of lines can be printed in strides.
const SLACK: usize = 10 * FEW_TENS + STRIDE;

/// Prints each line of `text`, as `split("\n")` gives them, as `LINE:HASH|content` with the tag of
/// two hexadecimal digits, joined by newlines. The first line has the number `first`.
pub(crate) fn print_hex(text: &[u8], first: u64, folding: Folding) -> Vec<u8> {
    let mut out;
    if text.len() < PARALLEL_FROM {
        out = print_unmeasured(text, first, folding);
    } else {
        let layout = Layout::of(text, first);
        out = buffers::of_len(layout.len());
        layout.print(folding, &mut out);
    }
    out.truncate(out.len() - 1);
    out
}

/// Prints every line of a text and its newline, without counting them beforehand, which costs more than to
/// make room again where lines are far shorter than those of most texts.
fn print_unmeasured(text: &[u8], first: u64, folding: Folding) -> Vec<u8> {
    let mut out = buffers::of_len(text.len() + text.len() / 3 + SLACK);
    let mut prefix = Prefix::new(first);
    let (mut number, mut printed) = (first, 0);
    each_block(text, folding, |lines| {
        let count = lines.ends.len() as u64;
        let end = *lines.ends.last().expect("a block has a line");
        let needed = printed + printed_len(end as usize, number, count);
        if out.len() < needed + SLACK {
            out.resize((needed + SLACK).max(2 * out.len()), 0);
        }
        let print = PrintBlock { lines: &lines, next: &mut prefix, out: &mut out[printed..] };
        printed += chosen().run(print);
        debug_assert_eq!(printed, needed, "the length was worked out beforehand");
        number += count;
    });
    out.truncate(printed);
    out
}

/// As [`print_hex`], of UTF-16, and as units or as bytes: those need every unit to be below 256.
pub(crate) fn print_wide<D: Printed + buffers::BufferItem>(units: &[u16], first: u64) -> Vec<D>
where
    u16: PrintAs<D>,
{
    let measured = Measured::of_wide(units, first);
    let mut out = buffers::of_len(measured.len);
    measured.print_wide(units, &mut out);
    out.truncate(out.len() - 1);
    out
}

/// A character in print: a byte, or a UTF-16 unit.
pub(crate) trait Printed: Copy + From<u8> {
    /// What ends a line.
    const LINE_END: Self;
    /// Prints some ASCII.
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
pub(crate) trait PrintAs<D>: Copy {
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

/// How long a text is in print.
#[derive(Clone, Copy)]
pub(crate) struct Measured {
    first: u64,
    /// How many lines there are.
    pub lines: u64,
    /// The length in print, a newline after the last line included.
    pub len: usize,
}

impl Measured {
    /// Measures the listing of `text`, whose first line has the number `first`.
    pub(crate) fn of(text: &[u8], first: u64) -> Self {
        let lines = newlines::count(text) as u64 + 1;
        Self { first, lines, len: printed_len(text.len(), first, lines) }
    }

    /// As [`Measured::of`], of UTF-16: the length is in units.
    pub(crate) fn of_wide(units: &[u16], first: u64) -> Self {
        let lines = newlines::count_wide(units) as u64 + 1;
        Self { first, lines, len: printed_len(units.len(), first, lines) }
    }

    /// As [`Measured::print`], of UTF-16.
    pub(crate) fn print_wide<D: Printed>(self, units: &[u16], out: &mut [D])
    where
        u16: PrintAs<D>,
    {
        let mut printer = Printer { prefix: Prefix::new(self.first), rest: out };
        each_wide_block(units, |lines| printer.print(&lines));
        debug_assert!(printer.rest.is_empty(), "the length was worked out beforehand");
    }

    /// Prints every line of the text that was measured, and its newline, into `out`, which has just
    /// the length for it.
    pub(crate) fn print(self, text: &[u8], folding: Folding, out: &mut [u8]) {
        self.print_seeing(text, folding, out, |_| ());
    }
}

impl Measured {
    /// As [`Measured::print`], and has the lines looked at on the way, some at a time.
    fn print_seeing(
        self,
        text: &[u8],
        folding: Folding,
        out: &mut [u8],
        mut see: impl FnMut(&HashedLines<'_, '_>),
    ) {
        let mut printer = Printer { prefix: Prefix::new(self.first), rest: out };
        each_block(text, folding, |lines| {
            see(&lines);
            printer.print(&lines);
        });
        debug_assert!(printer.rest.is_empty(), "the length was worked out beforehand");
    }
}

/// Prints one block of lines after the other.
struct Printer<'a, D> {
    prefix: Prefix,
    /// What has not been printed to yet.
    rest: &'a mut [D],
}

impl<D: Printed> Printer<'_, D> {
    fn print<S: PrintAs<D>>(&mut self, lines: &HashedLines<'_, '_, S>) {
        let print = PrintBlock { lines, next: &mut self.prefix, out: &mut *self.rest };
        let printed = chosen().run(print);
        self.rest = &mut mem::take(&mut self.rest)[printed..];
    }
}

/// A text whose listing has been measured but not yet printed, in as many parts as it is worth.
pub(crate) struct Layout<'a> {
    parts: Vec<(&'a [u8], Measured)>,
}

impl<'a> Layout<'a> {
    /// Measures the listing of `text`, whose first line has the number `first`.
    pub(crate) fn of(text: &'a [u8], first: u64) -> Self {
        let parts =
            if text.len() < PARALLEL_FROM { vec![text] } else { parallel::split_at_lines(text) };
        let counts = parallel::map(&parts, |part| newlines::count(part) as u64 + 1);
        let mut next = first;
        let measured = parts.into_iter().zip(counts).map(|(part, lines)| {
            let measured =
                Measured { first: next, lines, len: printed_len(part.len(), next, lines) };
            next += lines;
            (part, measured)
        });
        Self { parts: measured.collect() }
    }

    /// The length in print, a newline after the last line included.
    pub(crate) fn len(&self) -> usize {
        self.parts.iter().map(|(_, measured)| measured.len).sum()
    }

    /// Prints every line and its newline into `out`, which has the length of the layout.
    pub(crate) fn print(&self, folding: Folding, out: &mut [u8]) {
        self.print_seeing(folding, out, |_, _| Some(()), |(), _| ());
    }

    /// As [`Layout::print`], and has the lines looked at on the way, while they are at hand.
    ///
    /// The text is printed in parts, by several processors at once. `begin` is given a part and how
    /// many lines it has, and makes what `see` notes about them; if it gives nothing, the part is not
    /// printed. The answer is what was noted of each part, in order.
    pub(crate) fn print_seeing<T: Send>(
        &self,
        folding: Folding,
        out: &mut [u8],
        begin: impl Fn(&[u8], u64) -> Option<T> + Sync + Send,
        see: impl Fn(&mut T, &HashedLines<'_, '_>) + Sync + Send,
    ) -> Vec<Option<T>> {
        let mut rest = out;
        let mut work = Vec::with_capacity(self.parts.len());
        for (part, measured) in &self.parts {
            let (room, others) = rest.split_at_mut(measured.len);
            work.push((*part, *measured, room));
            rest = others;
        }
        parallel::map_into(work, |(part, measured, room)| {
            let mut noted = begin(part, measured.lines)?;
            measured.print_seeing(part, folding, room, |lines| see(&mut noted, lines));
            Some(noted)
        })
    }
}

/// How long `count` lines from number `first` on are in print, each with its newline, if their
/// content and the newlines between them take `len` bytes.
fn printed_len(len: usize, first: u64, count: u64) -> usize {
    let (mut number, end) = (first, first + count);
    let mut digits = 0;
    while number < end {
        let width = number.max(1).ilog10() + 1;
        let wider = 10_u64.checked_pow(width).map_or(end, |wider| wider.min(end));
        digits += u64::from(width) * (wider - number);
        number = wider;
    }
    let tags = usize::try_from(digits + 4 * count).expect("the lines are in memory");
    len + 1 + tags
}

/// Prints some lines to the start of `out`; the output is how long they are in print.
struct PrintBlock<'a, 'l, 's, S, D> {
    lines: &'a HashedLines<'l, 's, S>,
    next: &'a mut Prefix,
    out: &'a mut [D],
}

impl<S: PrintAs<D>, D: Printed> Kernel for PrintBlock<'_, '_, '_, S, D> {
    type Output = usize;

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled anew for each set of features")]
    fn run<V: Vectors>(self, _: V) -> usize {
        let Self { lines, next, out } = self;
        let HashedLines { from, ends, hashes } = *lines;
        let lines = ends.len().min(hashes.len());
        // The last lines have no stride of text behind them.
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
                // SAFETY: the last line of the group has a stride of text behind it, and there is room for all
                // lines, their prefixes and a stride.
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

/// Whether a line that ends there has a stride of text behind it.
fn has_stride<S>(from: &[S], end: u32) -> bool {
    end as usize + STRIDE <= from.len()
}

/// `LINE:HASH|` for one line after the other.
#[derive(Clone, Copy)]
struct Prefix {
    number: u64,
    /// The number without its last digit, which changes from line to line, in print: its first digit in the
    /// lowest byte. Meaningless if there are more than [`FEW_TENS`].
    tens: u64,
    /// How many digits those are.
    len: usize,
    /// The last digit.
    last: u64,
}

/// What follows the tens: the last digit, `:`, the tag, `|`, and what the line will overwrite.
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
    fn new(number: u64) -> Self {
        let (mut tens, mut len) = (0, 0);
        let mut left = number / 10;
        while left > 0 {
            tens = tens << 8 | (u64::from(b'0') + left % 10);
            left /= 10;
            len += 1;
        }
        Self { number, tens, len, last: number % 10 }
    }

    /// How many lines have these tens, from this line on.
    fn until_next_tens(&self) -> usize {
        10 - usize::from(self.last.to_le_bytes()[0])
    }

    /// Prints a group of lines with the same few tens, each with its newline, in strides: what is wrong behind
    /// a line is printed over by the next. The first of them begins at `start`, and `ends` says where they end.
    /// Returns how long they are in print.
    ///
    /// # Safety
    ///
    /// There is a [`STRIDE`] of text behind the last line, and `out` has room for all lines with prefixes of
    /// [`LONGEST_FEW`], and for a stride.
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
            // SAFETY: the lines are in order, so that all of them end before the last one does, and their
            // lengths add up to its end. For that much there is text and room, and for a stride more.
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

    /// Prints a line and its newline, and nothing behind that.
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

    /// Goes on by some lines, but not past the next tens.
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

/// What follows the tens of a line's number, and some zeros.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled anew for each set of features")]
fn ending(last: u64, hash: u32) -> [u8; 8] {
    (ENDINGS[usize::from(hash.to_le_bytes()[0])] + last).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::size;
    use crate::text::line_hashes::line_hash;
    use proptest::prelude::*;

    fn plainly(text: &str, first: u64) -> String {
        let mut scratch = Vec::new();
        let line = |(index, line): (usize, &str)| {
            let hash = line_hash(line.as_bytes(), Folding::None, &mut scratch) & 0xff;
            format!("{}:{hash:02x}|{line}", first + index as u64)
        };
        text.split('\n').enumerate().map(line).collect::<Vec<_>>().join("\n")
    }

    fn check(text: &str, first: u64) {
        let printed = print_hex(text.as_bytes(), first, Folding::None);
        let expected = plainly(text, first);
        assert_eq!(String::from_utf8(printed).unwrap(), expected);
        let units: Vec<u16> = text.encode_utf16().collect();
        assert_eq!(String::from_utf16(&print_wide(&units, first)).unwrap(), expected);
        if units.iter().all(|unit| *unit < 0x100) {
            let narrow: Vec<u8> = print_wide(&units, first);
            assert_eq!(narrow.into_iter().map(char::from).collect::<String>(), expected);
        }
    }

    #[test]
    fn numbers_grow_by_a_digit_where_they_should() {
        check(&"x\n".repeat(size(1100, 130)), 1);
        check("a\nb\nc", 99_999_998);
        check("a\nb\nc", 99_999_999_999_999_998);
        check("a\nb", 0);
    }

    #[test]
    fn lines_of_every_length_are_printed_wherever_the_text_ends() {
        for len in (0..3 * STRIDE).step_by(size(1, 31)) {
            let line = "x".repeat(len);
            for after in [0, 1, 12] {
                check(&format!("{line}\n{line}{}", "\ny".repeat(after)), 7);
            }
        }
    }

    #[test]
    fn a_large_text_printed_in_parts_is_printed_as_one() {
        check(&"    let total = items.iter().sum();\n\n}\n".repeat(size(60_000, 20)), 1);
        check(&"é".repeat(size(PARALLEL_FROM, 100)), 7);
        check(&"\n".repeat(size(PARALLEL_FROM + 5, 100)), 1);
    }

    proptest! {
        #[test]
        fn the_fast_way_prints_what_the_plain_way_prints(
            text in "([a-c]{0,40}|[ \t\r]{1,20}|\n|\u{a0}|é){0,60}|([a-c]{0,40}|[ \t\r]{1,20}|\n|\u{a0}|中|😀){0,60}",
            first in 0..u64::from(u32::MAX),
        ) {
            check(&text, first);
        }
    }
}
