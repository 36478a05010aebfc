//! Hashing every line of a text without its white space, fast.
//!
//! Three of the six schemes hash a line with all white space removed, and a listing does that for
//! every line of a file. Removing white space line by line spends most of its time at the ends of
//! short lines, so [`each_line`] squeezes blocks of many lines at once, newlines kept, and finds the
//! lines again in the squeezed text. The result is that of [`super::space::strip_into`] and
//! [`super::hash::xxh32`], line for line; a property test holds it to that.

use std::cell::Cell;

use super::hash::{xxh32, xxh32_within};
use super::squeeze::{Newlines, PADDING, squeeze};
use super::{hash, lines, newlines, space, wtf8};

/// Lines are squeezed in blocks of about this size, so that a block stays in the cache.
const BLOCK: usize = 16 * 1024;

/// Which characters count as equal before hashing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Folding {
    /// Every character for itself.
    None,
    /// Typographic dashes and quotes as their plain forms.
    Punctuation,
}

/// xxHash32 of `line` without its white space. `scratch` is working memory.
pub fn line_hash(line: &[u8], folding: Folding, scratch: &mut Vec<u8>) -> u32 {
    if line.is_ascii() {
        make_room(scratch, line.len());
        let len = squeeze(line, Newlines::Drop, scratch);
        return xxh32_within(scratch, 0..len);
    }
    scratch.clear();
    match folding {
        Folding::None => space::strip_into(line, scratch),
        Folding::Punctuation => {
            let mut folded = Vec::with_capacity(line.len());
            fold_into(line, &mut folded);
            space::strip_into(&folded, scratch);
        }
    }
    xxh32(wtf8::to_utf8(scratch).as_bytes(), 0)
}

/// A line and its hash, with the text around it.
pub struct HashedLine<'a> {
    /// The line and what follows it, so that it can be copied in strides.
    pub from: &'a [u8],
    /// How much of `from` is the line.
    pub len: usize,
    /// Its [`line_hash`].
    pub hash: u32,
}

/// Calls `visit` with every line of `text`, as `split("\n")` gives them.
///
/// ```
/// use hashline::text::stripped::{Folding, each_line};
/// let mut hashes = Vec::new();
/// each_line(b"a b\nab", Folding::None, |line| hashes.push(line.hash));
/// assert_eq!(hashes[0], hashes[1]);
/// ```
pub fn each_line<'a>(text: &'a [u8], folding: Folding, mut visit: impl FnMut(HashedLine<'a>)) {
    // Kept from call to call: for a short text, making room would cost as much as hashing it.
    let Scratch { bytes: mut scratch, mut ends, mut squeezed_ends } = SCRATCH.take();
    let mut rest = text;
    loop {
        let block_end = match lines::find_last_byte(b'\n', &rest[..rest.len().min(BLOCK)]) {
            Some(at) if rest.len() > BLOCK => at,
            // A line longer than a block, or the last block.
            _ if rest.len() > BLOCK => lines::find_byte(b'\n', rest).unwrap_or(rest.len()),
            _ => rest.len(),
        };
        let block = &rest[..block_end];
        if block.is_ascii() {
            make_room(&mut scratch, block.len());
            let len = squeeze(block, Newlines::Keep, &mut scratch);
            find_ends(block, &mut ends);
            find_ends(&scratch[..len], &mut squeezed_ends);
            let (mut start, mut squeezed_start) = (0, 0);
            for (end, squeezed_end) in ends.iter().zip(&squeezed_ends) {
                let (end, squeezed_end) = (*end as usize, *squeezed_end as usize);
                let hash = xxh32_within(&scratch, squeezed_start..squeezed_end);
                visit(HashedLine { from: &rest[start..], len: end - start, hash });
                (start, squeezed_start) = (end + 1, squeezed_end + 1);
            }
        } else {
            let mut start = 0;
            for line in lines::split(block) {
                let hash = line_hash(line, folding, &mut scratch);
                visit(HashedLine { from: &rest[start..], len: line.len(), hash });
                start += line.len() + 1;
            }
        }
        match rest.get(block_end + 1..) {
            Some(next) => rest = next,
            None => break,
        }
    }
    if scratch.len() <= 2 * BLOCK {
        SCRATCH.set(Scratch { bytes: scratch, ends, squeezed_ends });
    }
}

/// Working memory of [`each_line`].
#[derive(Default)]
struct Scratch {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    squeezed_ends: Vec<u32>,
}

thread_local! {
    static SCRATCH: Cell<Scratch> = const {
        Cell::new(Scratch { bytes: Vec::new(), ends: Vec::new(), squeezed_ends: Vec::new() })
    };
}

/// Where the lines of a block end.
fn find_ends(block: &[u8], ends: &mut Vec<u32>) {
    ends.clear();
    newlines::positions(block, ends);
    ends.push(u32::try_from(block.len()).expect("`positions` has checked the length"));
}

/// Makes `scratch` long enough to squeeze `len` bytes into it and to hash any part of them.
fn make_room(scratch: &mut Vec<u8>, len: usize) {
    let wanted = len + PADDING.max(hash::SLACK);
    if scratch.len() < wanted {
        scratch.resize(wanted, 0);
    }
}

/// Appends `content` with typographic dashes and quotes written plainly.
fn fold_into(content: &[u8], out: &mut Vec<u8>) {
    let mut rest = content;
    while let [byte, tail @ ..] = rest {
        let plain = match *rest {
            [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => Some(b'-'),
            [0xe2, 0x80, 0x98..=0x9b, ..] => Some(b'\''),
            [0xe2, 0x80, 0x9c..=0x9f, ..] => Some(b'"'),
            _ => None,
        };
        out.push(plain.unwrap_or(*byte));
        rest = if plain.is_some() { &rest[3..] } else { tail };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plainly(line: &[u8], folding: Folding) -> u32 {
        let mut stripped = Vec::new();
        let mut folded = line.to_vec();
        if folding == Folding::Punctuation {
            folded.clear();
            fold_into(line, &mut folded);
        }
        space::strip_into(&folded, &mut stripped);
        xxh32(wtf8::to_utf8(&stripped).as_bytes(), 0)
    }

    fn check(text: &[u8]) {
        for folding in [Folding::None, Folding::Punctuation] {
            let mut expected = lines::split(text);
            let mut scratch = Vec::new();
            each_line(text, folding, |HashedLine { from, len, hash }| {
                let line = &from[..len];
                assert_eq!(Some(line), expected.next());
                assert_eq!(hash, plainly(line, folding), "{:?}", String::from_utf8_lossy(line));
                assert_eq!(hash, line_hash(line, folding, &mut scratch));
            });
            assert_eq!(expected.next(), None, "every line was visited");
        }
    }

    #[test]
    fn blocks_end_where_lines_end() {
        for len in [BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            check(&vec![b'x'; len]);
            check(&vec![b' '; len]);
            check(&vec![b'\n'; len]);
            check(&[vec![b'x'; len], b"\ny\n".to_vec(), vec![b'z'; len]].concat());
            check(&b"let a = 1;\n".repeat(len / 11));
            check(&"é – 1\n".as_bytes().repeat(len / 9));
        }
    }

    proptest! {
        #[test]
        fn every_line_has_the_hash_of_the_plain_way(
            text in "([a-c]{0,20}|[ \t\r]{1,20}|\n|\u{a0}|\u{2014}|\u{201c}|é|😀){0,60}",
        ) {
            check(text.as_bytes());
        }
    }
}
