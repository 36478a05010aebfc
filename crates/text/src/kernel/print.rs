//! Printing a whole text with its tags, fast.
//!
//! `Listing` is for code that needs the tags themselves. This module is for code that needs only
//! the printed text, such as `formatHashLines` of a drop-in module: it hashes and prints every line
//! in one pass, and a large text on all processors.

mod block;

use std::mem;

use block::{Prefix, PrintBlock, SLACK};

use crate::kernel::line_hashes::{Folding, HashedLines, each_block, each_wide_block};
use crate::kernel::vectors::chosen;
use crate::kernel::{buffers, newlines, parallel};
pub use block::{PrintAs, Printed};

/// Texts of at least this many bytes are printed by several threads.
const PARALLEL_FROM: usize = 1 << 19;
/// Prints each line of `text.split("\n")` as `LINE:HASH|content`, with a tag of two hexadecimal
/// digits, joined by newlines. The first line has the number `first`.
pub fn print_hex(text: &[u8], first: u64, folding: Folding) -> Vec<u8> {
    let mut out;
    if text.len() < PARALLEL_FROM {
        out = print_unmeasured(text, first, folding);
    } else {
        let layout = Layout::of(text, first);
        out = buffers::of_len(layout.printed_len());
        layout.print(folding, &mut out);
    }
    out.truncate(out.len() - 1);
    out
}

/// Prints every line of a text and its newline without counting the lines first: counting costs
/// more than growing the buffer in the rare case of very short lines.
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
        debug_assert_eq!(printed, needed, "the measured length is exact");
        number += count;
    });
    out.truncate(printed);
    out
}

/// Like [`print_hex`], for UTF-16. It prints units, or bytes if every unit is below 256.
pub fn print_wide<D: Printed + buffers::BufferItem>(units: &[u16], first: u64) -> Vec<D>
where
    u16: PrintAs<D>,
{
    let measured = Measured::of_wide(units, first);
    let mut out = buffers::of_len(measured.len);
    measured.print_wide(units, &mut out);
    out.truncate(out.len() - 1);
    out
}

/// How long the listing of a text is.
#[derive(Clone, Copy)]
pub struct Measured {
    first: u64,
    /// How many lines there are.
    pub lines: u64,
    /// The length of the listing, with a newline after the last line.
    pub len: usize,
}

impl Measured {
    /// Measures the listing of `text`, whose first line has the number `first`.
    pub fn of(text: &[u8], first: u64) -> Self {
        let lines = newlines::count(text) as u64 + 1;
        Self { first, lines, len: printed_len(text.len(), first, lines) }
    }

    /// Like [`Measured::of`], for UTF-16: the length is in units.
    pub fn of_wide(units: &[u16], first: u64) -> Self {
        let lines = newlines::count_wide(units) as u64 + 1;
        Self { first, lines, len: printed_len(units.len(), first, lines) }
    }

    /// Like [`Measured::print`], for UTF-16.
    pub fn print_wide<D: Printed>(self, units: &[u16], out: &mut [D])
    where
        u16: PrintAs<D>,
    {
        let mut printer = Printer { prefix: Prefix::new(self.first), rest: out };
        each_wide_block(units, |lines| printer.print(&lines));
        debug_assert!(printer.rest.is_empty(), "the measured length is exact");
    }

    /// Prints every line of the measured text and its newline into `out`, which must have exactly
    /// the measured length.
    pub fn print(self, text: &[u8], folding: Folding, out: &mut [u8]) {
        self.print_seeing(text, folding, out, |_| ());
    }
}

impl Measured {
    /// Like [`Measured::print`], and calls `see` with each block of lines.
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
        debug_assert!(printer.rest.is_empty(), "the measured length is exact");
    }
}

/// Prints blocks of lines one after another.
struct Printer<'a, D> {
    prefix: Prefix,
    /// The part of the output that is still free.
    rest: &'a mut [D],
}

impl<D: Printed> Printer<'_, D> {
    fn print<S: PrintAs<D>>(&mut self, lines: &HashedLines<'_, '_, S>) {
        let print = PrintBlock { lines, next: &mut self.prefix, out: &mut *self.rest };
        let printed = chosen().run(print);
        self.rest = &mut mem::take(&mut self.rest)[printed..];
    }
}

/// A text whose listing has been measured but not printed yet, in one part or, if it is large, in
/// one part for each thread.
pub struct Layout<'a> {
    parts: Vec<(&'a [u8], Measured)>,
}

impl<'a> Layout<'a> {
    /// Measures the listing of `text`, whose first line has the number `first`.
    pub fn of(text: &'a [u8], first: u64) -> Self {
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

    /// The length of the listing, with a newline after the last line.
    pub fn printed_len(&self) -> usize {
        self.parts.iter().map(|(_, measured)| measured.len).sum()
    }

    /// Prints every line and its newline into `out`, which must have the length of the listing.
    pub(crate) fn print(&self, folding: Folding, out: &mut [u8]) {
        self.print_seeing(folding, out, |_, _| Some(()), |(), _| ());
    }

    /// Like `Layout::print`, and calls `see` with the lines while they are in the cache.
    ///
    /// The text is printed in parts, by several processors at once. `begin` gets a part and the
    /// number of its lines, and returns a value in which `see` notes facts about them; if it
    /// returns `None`, the part is not printed. The result is the value of each part, in order.
    pub fn print_seeing<T: Send>(
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

/// The printed length of `count` lines from number `first` on, each with its newline, if their
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

#[cfg(test)]
mod tests {
    use super::block::STRIDE;
    use super::*;
    use crate::kernel::line_hashes::line_hash;
    use hashline_testing::size;
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
    fn a_large_text_is_printed_in_parts_as_if_in_one() {
        check(&"    let total = items.iter().sum();\n\n}\n".repeat(size(60_000, 20)), 1);
        check(&"é".repeat(size(PARALLEL_FROM, 100)), 7);
        check(&"\n".repeat(size(PARALLEL_FROM + 5, 100)), 1);
    }

    proptest! {
        #[test]
        fn the_fast_printer_equals_the_plain_one(
            text in "([a-c]{0,40}|[ \t\r]{1,20}|\n|\u{a0}|é){0,60}|([a-c]{0,40}|[ \t\r]{1,20}|\n|\u{a0}|中|😀){0,60}",
            first in 0..u64::from(u32::MAX),
        ) {
            check(&text, first);
        }
    }
}
