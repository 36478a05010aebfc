//! Hashing every line of a text without its white space, fast.
//!
//! Several schemes hash a line with all white space removed, and a listing does that for every line
//! of a file. Stripping line by line wastes most of its time at the ends of short lines, so
//! [`each_block`] strips blocks of many lines at once but keeps their newlines, and finds the lines
//! again in the stripped text. A property test compares each hash with that of a simple
//! implementation.

use std::cell::Cell;

pub use crate::kernel::folding::Folding;
use crate::kernel::hash::{xxh32, xxh32_within};
use crate::kernel::side_by_side::{HashEach, SLACK};
use crate::kernel::squeeze::{PADDING, StripAsciiLine, StripLine, StripLines, StripWideLines};
use crate::kernel::vectors::{self, Cpu, chosen};
use crate::kernel::{newlines, search, wtf8};

/// Lines are stripped in blocks of about this many bytes, so that a block stays in the cache. Miri
/// is too slow for texts of several large blocks.
const BLOCK: usize = if cfg!(miri) { 64 } else { 32 * 1024 };

/// xxHash32 of `line` without its white space. `scratch` is working memory.
pub fn line_hash(line: &[u8], folding: Folding, scratch: &mut Vec<u8>) -> u32 {
    make_room(scratch, line.len());
    let squeezed = chosen().run(StripLine { text: line, folding, bytes: scratch });
    if squeezed.surrogates {
        return xxh32(wtf8::to_utf8(&scratch[..squeezed.len]).as_bytes(), 0);
    }
    xxh32_within(scratch, 0..squeezed.len)
}

/// A buffer for a line of UTF-16 units, usually ASCII, and memory to hash it.
pub struct LineUnits {
    /// The units; those left by earlier lines are always ASCII.
    units: [u16; Self::MAX_LEN],
    bytes: [u8; Self::MAX_LEN + PADDING],
}

impl LineUnits {
    /// How many units fit. A line that reaches the last one may have been cut, and is not hashed.
    const MAX_LEN: usize = 512;

    /// A buffer without a line.
    pub const EMPTY: Self = Self { units: [0; Self::MAX_LEN], bytes: [0; Self::MAX_LEN + PADDING] };

    /// The memory to which the units of a line are written.
    pub fn room(&mut self) -> &mut [u16] {
        &mut self.units
    }

    /// The [`line_hash`] of the line in the first `len` units. `None` if it is not ASCII, or if it
    /// fills the buffer up to the last unit: then it may have been cut.
    pub fn hash(&mut self, len: usize) -> Option<u32> {
        let hash = if len + 1 < Self::MAX_LEN { self.ascii_hash(len) } else { None };
        if hash.is_none() {
            self.units = [0; Self::MAX_LEN];
        }
        hash
    }

    fn ascii_hash(&mut self, len: usize) -> Option<u32> {
        let Self { units, bytes } = self;
        let blocks = &units[..len.next_multiple_of(vectors::BLOCK)];
        let kept = chosen().run(StripAsciiLine { units: blocks, len, bytes })?;
        Some(xxh32_within(bytes, 0..kept))
    }
}

/// Consecutive lines and their hashes.
pub struct HashedLines<'a, 's, T = u8> {
    /// The text from the first of the lines to the end of the whole text, so that lines can be
    /// copied in strides.
    pub from: &'a [T],
    /// Where each line ends in `from`; the next line begins one item later.
    pub ends: &'s [u32],
    /// The [`line_hash`] of each line.
    pub hashes: &'s [u32],
}

/// Calls `visit` with the hash of every line of `text.split("\n")`.
pub fn each_hash(text: &[u8], folding: Folding, mut visit: impl FnMut(u32)) {
    each_block(text, folding, |lines| lines.hashes.iter().for_each(|hash| visit(*hash)));
}

/// Calls `visit` with the lines of `text.split("\n")`, a block at a time.
pub fn each_block<'a>(text: &'a [u8], folding: Folding, visit: impl FnMut(HashedLines<'a, '_>)) {
    each_block_of(text, |scratch, block| scratch.hash_lines(chosen(), block, folding), visit);
}

/// Like [`each_block`], for UTF-16; the hashes are those of its WTF-8.
pub(crate) fn each_wide_block<'a>(units: &'a [u16], visit: impl FnMut(HashedLines<'a, '_, u16>)) {
    each_block_of(units, |scratch, block| scratch.hash_wide_lines(chosen(), block), visit);
}

/// A unit of text: a byte of WTF-8, or a UTF-16 unit.
trait LineUnit: Copy {
    fn find_newline(text: &[Self]) -> Option<usize>;
    fn find_last_newline(text: &[Self]) -> Option<usize>;
}

impl LineUnit for u8 {
    fn find_newline(text: &[u8]) -> Option<usize> {
        search::find_byte(b'\n', text)
    }

    fn find_last_newline(text: &[u8]) -> Option<usize> {
        search::find_last_byte(b'\n', text)
    }
}

impl LineUnit for u16 {
    fn find_newline(text: &[u16]) -> Option<usize> {
        text.iter().position(|unit| *unit == u16::from(b'\n'))
    }

    fn find_last_newline(text: &[u16]) -> Option<usize> {
        text.iter().rposition(|unit| *unit == u16::from(b'\n'))
    }
}

fn each_block_of<'a, T: LineUnit>(
    text: &'a [T],
    hash: impl Fn(&mut HashScratch, &[T]),
    mut visit: impl FnMut(HashedLines<'a, '_, T>),
) {
    // The memory is kept from call to call: for a short text, allocating it would cost as much as
    // hashing.
    let mut scratch = SCRATCH.take();
    let mut rest = text;
    loop {
        let block_end = match T::find_last_newline(&rest[..rest.len().min(BLOCK)]) {
            Some(at) if rest.len() > BLOCK => at,
            // A line that is longer than a block.
            _ if rest.len() > BLOCK => T::find_newline(rest).unwrap_or(rest.len()),
            _ => rest.len(),
        };
        let block = &rest[..block_end];
        hash(&mut scratch, block);
        let hashes = &scratch.hashes[..];
        visit(HashedLines { from: rest, ends: &scratch.ends[1..=hashes.len()], hashes });
        match rest.get(block_end + 1..) {
            Some(next) => rest = next,
            None => break,
        }
    }
    if scratch.bytes.len() <= 4 * BLOCK {
        SCRATCH.set(scratch);
    }
}

/// The working memory and results of [`each_block`].
#[derive(Default)]
struct HashScratch {
    bytes: Vec<u8>,
    /// [`BEFORE`], then where each line ends in the block.
    ends: Vec<u32>,
    /// [`BEFORE`], then where each line ends in the text without white space.
    squeezed_ends: Vec<u32>,
    hashes: Vec<u32>,
}

/// The end of an imaginary line before the first: one position later, the block begins.
const BEFORE: u32 = u32::MAX;

impl HashScratch {
    const EMPTY: Self =
        Self { bytes: Vec::new(), ends: Vec::new(), squeezed_ends: Vec::new(), hashes: Vec::new() };

    /// Finds and hashes the lines of a block.
    fn hash_lines(&mut self, cpu: Cpu, block: &[u8], folding: Folding) {
        self.make_room(block.len(), block.len());
        let (squeezed, count) = cpu.run(StripLines {
            text: block,
            folding,
            bytes: &mut self.bytes,
            ends: &mut self.ends[1..],
            squeezed_ends: &mut self.squeezed_ends[1..],
        });
        if squeezed.surrogates {
            return self.hash_each(block, folding);
        }
        self.hash_squeezed(cpu, count, position(block.len()), position(squeezed.len));
    }

    /// Finds and hashes the lines of a block of UTF-16.
    fn hash_wide_lines(&mut self, cpu: Cpu, block: &[u16]) {
        self.make_room(block.len(), 3 * block.len());
        let (squeezed, count) = cpu.run(StripWideLines {
            units: block,
            bytes: &mut self.bytes,
            ends: &mut self.ends[1..],
            squeezed_ends: &mut self.squeezed_ends[1..],
        });
        if squeezed.surrogates {
            return self.hash_each_wide(block);
        }
        self.hash_squeezed(cpu, count, position(block.len()), position(squeezed.len));
    }

    /// Makes room for the lines of a block of `len` units that has at most `bytes` bytes without
    /// white space.
    fn make_room(&mut self, len: usize, bytes: usize) {
        make_room(&mut self.bytes, bytes);
        // A block longer than [`BLOCK`] is a single line.
        let room = 2 + len.min(BLOCK) + PADDING;
        for ends in [&mut self.ends, &mut self.squeezed_ends] {
            if ends.is_empty() {
                // Allocated as zeros: `resize` would write to every page, and few lines need few
                // pages.
                *ends = vec![0; room];
            } else if ends.len() < room {
                ends.resize(room, 0);
            }
            ends[0] = BEFORE;
        }
    }

    /// Hashes stripped lines. All their ends are known but those of the last line, which are `end`
    /// and `squeezed_end`.
    fn hash_squeezed(&mut self, cpu: Cpu, count: usize, end: u32, squeezed_end: u32) {
        let Self { bytes, ends, squeezed_ends, hashes } = self;
        ends[1 + count] = end;
        squeezed_ends[1 + count] = squeezed_end;
        hashes.clear();
        cpu.run(HashEach { buffer: bytes, ends: &squeezed_ends[..count + 2], hashes });
    }

    /// Finds the line ends of a block.
    fn find_ends(&mut self, block: &[u8]) {
        self.ends.clear();
        self.ends.push(BEFORE);
        newlines::positions(block, &mut self.ends);
        self.ends.push(position(block.len()));
    }

    /// Like [`Self::hash_lines`], one line at a time, for a block with halves of surrogate pairs.
    #[cold]
    fn hash_each(&mut self, block: &[u8], folding: Folding) {
        let Self { bytes, hashes, .. } = self;
        hashes.clear();
        hashes.extend(newlines::split(block).map(|line| line_hash(line, folding, bytes)));
        self.find_ends(block);
    }

    /// Like [`Self::hash_each`], for a block of UTF-16.
    #[cold]
    fn hash_each_wide(&mut self, block: &[u16]) {
        let Self { bytes, ends, hashes, .. } = self;
        hashes.clear();
        let mut end = 0;
        for (index, line) in block.split(|unit| *unit == u16::from(b'\n')).enumerate() {
            hashes.push(line_hash(&wtf8::from_utf16(line), Folding::None, bytes));
            end += line.len();
            ends[1 + index] = position(end);
            end += 1;
        }
    }
}

fn position(at: usize) -> u32 {
    u32::try_from(at).expect("positions in a block fit into 32 bits")
}

thread_local! {
    static SCRATCH: Cell<HashScratch> = const { Cell::new(HashScratch::EMPTY) };
}

/// Makes `scratch` long enough to strip `len` bytes into it and to hash any part of them.
fn make_room(scratch: &mut Vec<u8>, len: usize) {
    let wanted = len + PADDING + SLACK;
    if scratch.len() < wanted {
        scratch.resize(wanted, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::vectors::on_every_cpu;
    use crate::kernel::whitespace;
    use hashline_testing::size;
    use proptest::prelude::*;

    fn plainly(line: &[u8], folding: Folding) -> u32 {
        let folded = |c: char| match c {
            '\u{2010}'..='\u{2015}' | '\u{2212}' if folding == Folding::Punctuation => '-',
            '\u{2018}'..='\u{201b}' if folding == Folding::Punctuation => '\'',
            '\u{201c}'..='\u{201f}' if folding == Folding::Punctuation => '"',
            _ => c,
        };
        let line = str::from_utf8(line).expect("only whole characters are generated");
        let kept = line.chars().filter(|c| !whitespace::is_whitespace(*c as u32));
        xxh32(kept.map(folded).collect::<String>().as_bytes(), 0)
    }

    fn check(text: &[u8]) {
        for folding in [Folding::None, Folding::Punctuation] {
            let mut expected = newlines::split(text);
            let mut scratch = Vec::new();
            each_block(text, folding, |HashedLines { from, ends, hashes }| {
                assert_eq!(ends.len(), hashes.len());
                let mut start = 0;
                for (end, hash) in ends.iter().zip(hashes) {
                    let line = &from[start..*end as usize];
                    assert_eq!(Some(line), expected.next());
                    let said = String::from_utf8_lossy(line);
                    assert_eq!(*hash, plainly(line, folding), "{said:?}");
                    assert_eq!(*hash, line_hash(line, folding, &mut scratch), "{said:?}");
                    start = *end as usize + 1;
                }
            });
            assert_eq!(expected.next(), None, "every line was visited");
        }
    }

    #[test]
    fn lines_that_differ_in_white_space_have_one_hash() {
        let mut hashes = Vec::new();
        each_hash(b"a b\nab\nac", Folding::None, |hash| hashes.push(hash));
        assert_eq!(hashes[0], hashes[1]);
        assert_ne!(hashes[0], hashes[2]);
    }

    #[test]
    fn the_hash_of_units_does_not_depend_on_earlier_lines() {
        let mut line_units = LineUnits::EMPTY;
        let mut check = |line: &str, expected: Option<u32>| {
            let units: Vec<u16> = line.encode_utf16().collect();
            line_units.room()[..units.len()].copy_from_slice(&units);
            assert_eq!(line_units.hash(units.len()), expected, "{line:?}");
        };
        for len in (0..LineUnits::MAX_LEN).step_by(size(1, 61)) {
            let line = "a b\t=\u{b}c;".repeat(len).get(..len).unwrap_or_default().to_owned();
            let hash = line_hash(line.as_bytes(), Folding::None, &mut Vec::new());
            check(&line, (len + 1 < LineUnits::MAX_LEN).then_some(hash));
        }
        check(&format!("{}é", "x".repeat(70)), None);
        check("x", Some(line_hash(b"x", Folding::None, &mut Vec::new())));
        check(&"中".repeat(LineUnits::MAX_LEN - 1), None);
        check("", Some(xxh32(b"", 0)));
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

    #[test]
    fn halves_that_meet_when_white_space_goes_are_a_pair() {
        let text = b"a\n\xed\xa0\xbd \xed\xb8\x80\n\xed\xa0\xbd\xe2\x80\x94";
        let mut hashes = Vec::new();
        each_hash(text, Folding::Punctuation, |hash| hashes.push(hash));
        assert_eq!(hashes, ["a", "\u{1f600}", "\u{fffd}-"].map(|line| xxh32(line.as_bytes(), 0)));
    }

    /// Compares the lines of UTF-16 with the lines of its WTF-8.
    fn check_wide(units: &[u16]) {
        let text = wtf8::from_utf16(units);
        let mut expected = Vec::new();
        each_hash(&text, Folding::None, |hash| expected.push(hash));
        let mut lines = units.split(|unit| *unit == 10);
        let mut found = Vec::new();
        each_wide_block(units, |HashedLines { from, ends, hashes }| {
            assert_eq!(ends.len(), hashes.len());
            let mut start = 0;
            for end in ends {
                assert_eq!(Some(&from[start..*end as usize]), lines.next());
                start = *end as usize + 1;
            }
            found.extend_from_slice(hashes);
        });
        assert_eq!(lines.next(), None, "every line was visited");
        assert_eq!(found, expected);
    }

    #[test]
    fn lines_of_utf16_have_the_hashes_of_their_wtf8() {
        let lens = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK];
        let lines = ["中", " ", "\n", "x", "x\n", "é – 中\u{3000}1\n", "let a = 1;\n"];
        // Even every fifth combination covers all six lengths and all seven lines.
        for pair in (0..lens.len() * lines.len()).step_by(size(1, 5)) {
            let (len, line) = (lens[pair / lines.len()], lines[pair % lines.len()]);
            let repeated = line.encode_utf16().collect::<Vec<_>>().repeat(len / line.len() + 1);
            check_wide(&repeated);
            check_wide(&[&repeated, &[0xd83d, 0x20, 0xde00, 0x0a, 0xdc00][..], &repeated].concat());
        }
    }

    proptest! {
        #[test]
        fn any_lines_of_utf16_have_the_hashes_of_their_wtf8(
            units in prop::collection::vec(
                prop_oneof![Just(0x0a), Just(0x20), 0x20..0x7f_u16, 0x80..0x900_u16, 0xd7f0..=0xe010_u16],
                0..size(300, 80),
            ),
        ) {
            check_wide(&units);
        }

        #[test]
        fn every_processor_finds_the_same(text in "([a-c]{0,20}|[ \t\r]{1,20}|\n|\u{a0}|é){0,90}") {
            let found = |hash: &dyn Fn(&mut HashScratch)| {
                let mut scratch = HashScratch::EMPTY;
                hash(&mut scratch);
                let lines = scratch.hashes.len();
                (scratch.hashes, scratch.ends[..=lines].to_vec())
            };
            let text = text.as_bytes();
            let expected = found(&|scratch| scratch.hash_each(text, Folding::None));
            on_every_cpu(|cpu| {
                let hashed = found(&|scratch| scratch.hash_lines(cpu, text, Folding::None));
                assert_eq!(hashed, expected);
            });
        }

        #[test]
        fn every_line_has_the_hash_of_the_plain_implementation(
            text in "([a-c]{0,20}|[ \t\r]{1,20}|\n|[\u{a0}\u{1680}\u{2003}\u{2028}\u{3000}\u{feff}]|[\u{2010}-\u{201f}\u{2212}]|[é©中・│😀]){0,60}",
        ) {
            check(text.as_bytes());
        }
    }
}
