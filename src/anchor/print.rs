//! Printing a whole text with its tags, fast.
//!
//! [`super::Listing`] serves everything that needs the tags themselves. This module serves the one
//! case where only the printed text is wanted, as a drop-in module's `formatHashLines` does: every
//! line is hashed and written in one pass, and a large text by all processors at once.

use crate::text::stripped::{Folding, HashedLine, each_line};
use crate::text::{newlines, parallel};

/// Texts from this size on are worth more than one thread.
const PARALLEL_FROM: usize = 1 << 19;
/// Lines are copied in strides of this many bytes.
const STRIDE: usize = 64;
/// The widest prefix: 20 digits, colon, tag, bar; rounded up so that it is copied at one go.
const PREFIX: usize = 32;

/// Prints each line of `text`, as `split("\n")` gives them, as `LINE:HASH|content` with the tag of
/// two hexadecimal digits, joined by newlines. The first line has the number `first`.
///
/// ```
/// use hashline::anchor::print::print_hex;
/// use hashline::text::stripped::Folding;
/// assert_eq!(print_hex(b"let a = 1;\n", 9, Folding::None), b"9:f1|let a = 1;\n10:05|");
/// ```
pub fn print_hex(text: &[u8], first: u64, folding: Folding) -> Vec<u8> {
    let layout = Layout::of(text, first);
    let mut out = vec![0; layout.len()];
    layout.print(folding, &mut out);
    out.truncate(out.len() - 1);
    out
}

/// A text whose listing has been measured but not yet printed.
pub struct Layout<'a> {
    parts: Vec<Part<'a>>,
}

/// A run of lines.
struct Part<'a> {
    text: &'a [u8],
    /// The number of the first line.
    first: u64,
    lines: usize,
    /// How long they are in print.
    printed: usize,
}

impl<'a> Layout<'a> {
    /// Measures the listing of `text`, whose first line has the number `first`.
    pub fn of(text: &'a [u8], first: u64) -> Self {
        let parts =
            if text.len() < PARALLEL_FROM { vec![text] } else { parallel::split_at_lines(text) };
        let counts = parallel::map(&parts, |part| newlines::count(part) + 1);
        let mut next = first;
        let measured = parts.iter().zip(counts).map(|(text, lines)| {
            let first = next;
            next += lines as u64;
            Part { text, first, lines, printed: printed_len(text.len(), first, lines as u64) }
        });
        Self { parts: measured.collect() }
    }

    /// The length in print, a newline after the last line included.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.printed).sum()
    }

    /// Never: no text is one empty line, and that has a tag.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// How many lines there are.
    pub fn lines(&self) -> u64 {
        self.parts.iter().map(|part| part.lines as u64).sum()
    }

    /// Prints every line and its newline into `out`, which has the length of the layout.
    pub fn print(&self, folding: Folding, out: &mut [u8]) {
        self.print_seeing(folding, out, |_, _| Some(()), |(), _| ());
    }

    /// As [`Layout::print`], and has each line looked at on the way, while it is at hand.
    ///
    /// The text is printed in parts, by several processors at once. `begin` is given a part and how
    /// many lines it has, and makes what `see` notes about them; if it gives nothing, the part is not
    /// printed. The answer is what was noted of each part, in order.
    pub fn print_seeing<T: Send>(
        &self,
        folding: Folding,
        out: &mut [u8],
        begin: impl Fn(&[u8], usize) -> Option<T> + Sync + Send,
        see: impl Fn(&mut T, &HashedLine<'_>) + Sync + Send,
    ) -> Vec<Option<T>> {
        let mut rest = out;
        let mut work = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let (room, others) = rest.split_at_mut(part.printed);
            work.push((part, room));
            rest = others;
        }
        parallel::map_into(work, |(part, room)| {
            let mut noted = begin(part.text, part.lines)?;
            print_part(part.text, part.first, folding, room, |line| see(&mut noted, line));
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

/// Prints into `out`, which has exactly the length that is needed.
fn print_part(
    text: &[u8],
    first: u64,
    folding: Folding,
    out: &mut [u8],
    mut see: impl FnMut(&HashedLine<'_>),
) {
    let mut prefix = Prefix::new(first);
    let mut end = 0;
    each_line(text, folding, |line| {
        see(&line);
        end += prefix.write(line.hash.to_le_bytes()[0], &mut out[end..]);
        end += copy_line(&line, &mut out[end..]);
        out[end] = b'\n';
        end += 1;
        prefix.advance();
    });
    debug_assert_eq!(end, out.len(), "the length was worked out beforehand");
}

/// Copies a line, and whatever follows it up to a full stride, and returns the line's length.
#[inline]
fn copy_line(line: &HashedLine<'_>, out: &mut [u8]) -> usize {
    let mut done = 0;
    while done < line.len {
        let stride = line.from[done..].first_chunk::<STRIDE>();
        let (Some(from), Some(to)) = (stride, out[done..].first_chunk_mut()) else {
            out[done..line.len].copy_from_slice(&line.from[done..line.len]);
            break;
        };
        *to = *from;
        done += STRIDE;
    }
    line.len
}

/// `LINE:HASH|` for one line after the other.
struct Prefix {
    /// The digits of the number, then `:..|`.
    text: [u8; PREFIX],
    digits: usize,
}

impl Prefix {
    fn new(number: u64) -> Self {
        let digits = number.to_string();
        let mut prefix = Self { text: [0; PREFIX], digits: digits.len() };
        prefix.text[..digits.len()].copy_from_slice(digits.as_bytes());
        prefix.punctuate();
        prefix
    }

    fn punctuate(&mut self) {
        self.text[self.digits] = b':';
        self.text[self.digits + 3] = b'|';
    }

    #[inline]
    fn write(&mut self, tag: u8, out: &mut [u8]) -> usize {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        self.text[self.digits + 1] = DIGITS[usize::from(tag >> 4)];
        self.text[self.digits + 2] = DIGITS[usize::from(tag & 15)];
        let len = self.digits + 4;
        match out.first_chunk_mut() {
            Some(room) => *room = self.text,
            None => out[..len].copy_from_slice(&self.text[..len]),
        }
        len
    }

    /// Counts up in place: nine times out of ten that is one digit.
    #[inline]
    fn advance(&mut self) {
        for digit in self.text[..self.digits].iter_mut().rev() {
            if *digit < b'9' {
                *digit += 1;
                return;
            }
            *digit = b'0';
        }
        self.text[..=self.digits].rotate_right(1);
        self.text[0] = b'1';
        self.digits += 1;
        self.punctuate();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::stripped::line_hash;
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
        assert_eq!(String::from_utf8(printed).unwrap(), plainly(text, first));
    }

    #[test]
    fn numbers_grow_by_a_digit_where_they_should() {
        check(&"x\n".repeat(1100), 1);
        check("a\nb\nc", 99_999_999_999_999_998);
        check("a\nb", 0);
    }

    #[test]
    fn a_large_text_printed_in_parts_is_printed_as_one() {
        check(&"    let total = items.iter().sum();\n\n}\n".repeat(60_000), 1);
        check(&"é".repeat(PARALLEL_FROM), 7);
        check(&"\n".repeat(PARALLEL_FROM + 5), 1);
    }

    proptest! {
        #[test]
        fn the_fast_way_prints_what_the_plain_way_prints(
            text in "([a-c]{0,40}|[ \t\r]{1,20}|\n|\u{a0}|😀){0,60}",
            first in 0..u64::from(u32::MAX),
        ) {
            check(&text, first);
        }
    }
}
