//! Stripping white space from text, 64 bytes at a time.
//!
//! About one fifth of code is white space, in runs too short for `memchr` and too irregular for
//! branch prediction. So each byte of a block becomes one bit, the bytes to keep are moved
//! together, and the positions of newlines are read from the bits. Non-ASCII white space is rare: a
//! block that may have some is checked character by character.

#![expect(clippy::inline_always, reason = "kernels are compiled anew for each set of features")]

use crate::kernel::folding::{Folding, plain_punctuation};
use crate::kernel::vectors::{BLOCK, Kernel, Kinds, Vectors};
use crate::kernel::whitespace::{is_foreign_space, whitespace_len};
use crate::kernel::wide::{self, EncodedUnits};

/// How many items past the end of the results may be overwritten.
pub(super) const PADDING: usize = BLOCK;

/// How many line ends are always written for a block; if it has fewer, the extra ones are
/// overwritten later.
const ALWAYS_WRITTEN: usize = 3;

/// Facts about a text whose white space was stripped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Squeezed {
    /// How many bytes are left.
    pub len: usize,
    /// Whether there are halves of surrogate pairs. What they mean depends on their neighbours
    /// after the white space is stripped.
    pub surrogates: bool,
}

/// Strips white space from a text, but keeps its newlines.
pub(super) struct StripLines<'a> {
    /// The text, which must be shorter than 4 GiB.
    pub text: &'a [u8],
    /// Which characters are replaced by plain ones.
    pub folding: Folding,
    /// Memory for the stripped text: at least [`PADDING`] bytes longer than the text.
    pub bytes: &'a mut [u8],
    /// Memory for the positions of newlines in the text: room for all of them and [`PADDING`] more.
    pub ends: &'a mut [u32],
    /// Memory for the positions of newlines in the stripped text: the same room.
    pub squeezed_ends: &'a mut [u32],
}

impl Kernel for StripLines<'_> {
    /// Facts about the stripped text, and the number of newlines.
    type Output = (Squeezed, usize);

    /// # Panics
    ///
    /// If there is less room than the fields require, or if the text is too long.
    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) -> (Squeezed, usize) {
        let Self { text, folding, bytes, ends, squeezed_ends } = self;
        assert!(u32::try_from(text.len()).is_ok(), "texts are below 4 GiB");
        let mut out = SqueezedLines { bytes, ends, squeezed_ends, len: 0, count: 0 };
        let mut base = 0;
        let surrogates =
            each_block(vectors, text, folding, |block, Kinds { newlines, spaces, .. }| {
                out.push(vectors, block, newlines, !spaces | newlines, [base, 0]);
                base = base.wrapping_add(u64::BITS);
            });
        (Squeezed { len: out.len, surrogates }, out.count)
    }
}

/// Like [`StripLines`], for UTF-16: the stripped text is WTF-8, and positions in the text are
/// counted in units.
pub(super) struct StripWideLines<'a> {
    /// The text, which must be shorter than 4 GiB.
    pub units: &'a [u16],
    /// Memory for the stripped text: three bytes for each unit, and [`PADDING`] more.
    pub bytes: &'a mut [u8],
    /// Memory like that of the same name in [`StripLines`].
    pub ends: &'a mut [u32],
    /// Memory like that of the same name in [`StripLines`].
    pub squeezed_ends: &'a mut [u32],
}

impl Kernel for StripWideLines<'_> {
    /// Facts about the stripped text, and the number of newlines.
    type Output = (Squeezed, usize);

    /// # Panics
    ///
    /// If there is less room than the fields require, or if the text is too long.
    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) -> (Squeezed, usize) {
        let Self { units, bytes, ends, squeezed_ends } = self;
        assert!(u32::try_from(units.len()).is_ok(), "texts are below 4 GiB");
        let mut out = SqueezedLines { bytes, ends, squeezed_ends, len: 0, count: 0 };
        let plain = |unit| if is_foreign_space(unit) { u16::from(b' ') } else { unit };
        let surrogates = wide::each_block(vectors, units, plain, |block, encoded| {
            let EncodedUnits { at, present, kinds: Kinds { newlines, spaces, .. }, halvings } =
                encoded;
            let kept = present & (!spaces | newlines);
            out.push(vectors, block, newlines, kept, [position(at), halvings]);
        });
        (Squeezed { len: out.len, surrogates }, out.count)
    }
}

/// The stripped bytes of some lines, and where the lines end.
struct SqueezedLines<'a> {
    bytes: &'a mut [u8],
    ends: &'a mut [u32],
    squeezed_ends: &'a mut [u32],
    len: usize,
    count: usize,
}

impl SqueezedLines<'_> {
    /// Adds the bytes of a block that are kept. The block begins at `base` in the text; an index in
    /// the block is halved `halvings` times to get a position in the text.
    #[inline(always)]
    fn push<V: Vectors>(
        &mut self,
        vectors: V,
        block: &[u8; BLOCK],
        newlines: u64,
        kept: u64,
        [base, halvings]: [u32; 2],
    ) {
        let room = self.bytes[self.len..].first_chunk_mut();
        let added =
            vectors.compress(block, kept, room.expect("the caller made room for the padding"));
        let places = self.ends[self.count..].first_chunk_mut::<BLOCK>().expect("as above");
        let squeezed = self.squeezed_ends[self.count..].first_chunk_mut().expect("as above");
        let from = Bases { base, halvings, squeezed_base: position(self.len) };
        write_ends(newlines, kept, from, [places, squeezed]);
        self.count += newlines.count_ones() as usize;
        self.len += added;
    }
}

/// Where a block begins in the text, and in the stripped text.
#[derive(Clone, Copy)]
struct Bases {
    base: u32,
    halvings: u32,
    squeezed_base: u32,
}

/// Writes where the newlines of a block are in the text and in the stripped text. Items after them
/// are meaningless.
#[inline(always)]
fn write_ends(newlines: u64, kept: u64, bases: Bases, out: [&mut [u32; BLOCK]; 2]) {
    let [places, squeezed_places] = out;
    let mut left = newlines;
    for index in 0..ALWAYS_WRITTEN {
        (places[index], squeezed_places[index]) = first_end(left, kept, bases);
        left &= left.wrapping_sub(1);
    }
    if left != 0 {
        for index in ALWAYS_WRITTEN..newlines.count_ones() as usize {
            (places[index], squeezed_places[index]) = first_end(left, kept, bases);
            left &= left.wrapping_sub(1);
        }
    }
}

/// Where the first of these newlines is in the text and in the stripped text; any numbers if there
/// is none.
#[inline(always)]
fn first_end(newlines: u64, kept: u64, bases: Bases) -> (u32, u32) {
    let at = newlines.trailing_zeros();
    let before = (kept & !newlines & newlines.wrapping_sub(1)).count_ones();
    (bases.base.wrapping_add(at >> bases.halvings), bases.squeezed_base.wrapping_add(before))
}

#[expect(clippy::cast_possible_truncation, reason = "the text is below 4 GiB")]
fn position(at: usize) -> u32 {
    at as u32
}

/// Strips white space, including newlines, from one line.
pub(super) struct StripLine<'a> {
    /// The text of the line.
    pub text: &'a [u8],
    /// Which characters are replaced by plain ones.
    pub folding: Folding,
    /// Memory for the stripped line: at least [`PADDING`] bytes longer than the line.
    pub bytes: &'a mut [u8],
}

impl Kernel for StripLine<'_> {
    type Output = Squeezed;

    /// # Panics
    ///
    /// If there is less room than the field requires.
    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) -> Squeezed {
        let Self { text, folding, bytes } = self;
        let mut len = 0;
        let surrogates = each_block(vectors, text, folding, |block, kinds| {
            let room =
                bytes[len..].first_chunk_mut().expect("the caller made room for the padding");
            len += vectors.compress(block, !kinds.spaces, room);
        });
        Squeezed { len, surrogates }
    }
}

/// Like [`StripLine`], for UTF-16 units that are all ASCII.
pub(super) struct StripAsciiLine<'a> {
    /// The line, and any units after it up to the end of a block.
    pub units: &'a [u16],
    /// How many units the line has.
    pub len: usize,
    /// Memory for the stripped line, as in [`StripLine`].
    pub bytes: &'a mut [u8],
}

impl Kernel for StripAsciiLine<'_> {
    /// How many bytes are left; `None` if some units are not ASCII.
    type Output = Option<usize>;

    /// # Panics
    ///
    /// If there is less room than the field requires.
    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) -> Option<usize> {
        let Self { units, len, bytes } = self;
        let mut kept = 0;
        for (index, units) in units.as_chunks::<BLOCK>().0.iter().enumerate() {
            if units.iter().fold(0, |all, unit| all | unit) >= 0x80 {
                return None;
            }
            let block = units.map(|unit| unit.to_le_bytes()[0]);
            let in_line = bits_below(position(len.saturating_sub(index * BLOCK)));
            let room =
                bytes[kept..].first_chunk_mut().expect("the caller made room for the padding");
            kept += vectors.compress(&block, in_line & !vectors.kinds(&block).spaces, room);
        }
        Some(kept)
    }
}

/// Calls `visit` with each block of a text, after folding its characters, and with the kinds of its
/// bytes, including all white space. Bytes past the end of the text count as white space. Returns
/// whether there are halves of surrogate pairs.
#[inline(always)]
fn each_block<V: Vectors>(
    vectors: V,
    text: &[u8],
    folding: Folding,
    mut visit: impl FnMut(&[u8; BLOCK], Kinds),
) -> bool {
    let mut foreign = ForeignSpaces { text, folding, dropped: 0, surrogates: false };
    let mut rest = text;
    let mut last = [b' '; BLOCK];
    let mut changed;
    while !rest.is_empty() {
        let mut block;
        if let Some((whole, others)) = rest.split_first_chunk() {
            (block, rest) = (whole, others);
        } else {
            last[..rest.len()].copy_from_slice(rest);
            (block, rest) = (&last, &[]);
        }
        let mut kinds = vectors.kinds(block);
        if kinds.foreign != 0 || foreign.dropped != 0 {
            let at = (text.len() - rest.len() - 1) / BLOCK * BLOCK;
            changed = *block;
            kinds.spaces |= foreign.of(at, vectors.suspects(block), &mut changed);
            block = &changed;
        }
        visit(block, kinds);
    }
    foreign.surrogates
}

/// Finds non-ASCII white space, block by block.
struct ForeignSpaces<'a> {
    text: &'a [u8],
    folding: Folding,
    /// How many bytes of the next block belong to a dropped character that began in this one.
    dropped: u32,
    /// Whether there were halves of surrogate pairs.
    surrogates: bool,
}

impl ForeignSpaces<'_> {
    /// Folds the characters of the block that begins `at` this offset, and returns a mask of the
    /// bytes to drop: white space, and the rest of folded characters.
    fn of(&mut self, at: usize, mut suspects: u64, block: &mut [u8; BLOCK]) -> u64 {
        let mut spaces = bits_below(self.dropped);
        self.dropped = 0;
        while suspects != 0 {
            let index = suspects.trailing_zeros();
            suspects &= suspects - 1;
            let character = &self.text[at + index as usize..];
            let folded =
                plain_punctuation(character).filter(|_| self.folding == Folding::Punctuation);
            let (from, len) = match folded {
                Some(plain) => {
                    block[index as usize] = plain;
                    (index + 1, 2)
                }
                None => (index, whitespace_len(character)),
            };
            self.surrogates |= matches!(character, [0xed, 0xa0..=0xbf, ..]);
            let end = from + u32::try_from(len).expect("a character has four bytes at most");
            spaces |= bits_below(end) & !bits_below(from);
            self.dropped = end.saturating_sub(u64::BITS);
        }
        spaces
    }
}

/// A mask of the lowest `count` bits, or of all if there are not that many.
fn bits_below(count: u32) -> u64 {
    1_u64.checked_shl(count).map_or(u64::MAX, |bit| bit - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::vectors::on_every_cpu;
    use crate::kernel::{whitespace, wtf8};
    use hashline_testing::size;
    use proptest::prelude::*;

    /// Strips white space character by character.
    fn plainly(text: &[u8], folding: Folding, keep_newlines: bool) -> Vec<u8> {
        let mut out = Vec::new();
        let mut rest = text;
        while let [byte, tail @ ..] = rest {
            let plain = plain_punctuation(rest).filter(|_| folding == Folding::Punctuation);
            let space = whitespace_len(rest);
            rest = match (plain, space) {
                (Some(plain), _) => {
                    out.push(plain);
                    &rest[3..]
                }
                (None, 1..) if !(keep_newlines && *byte == b'\n') => &rest[space..],
                _ => {
                    out.push(*byte);
                    tail
                }
            };
        }
        out
    }

    fn newlines(text: &[u8]) -> Vec<u32> {
        let at = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        at.map(|(at, _)| u32::try_from(at).unwrap()).collect()
    }

    /// Compares the results of every set of instructions with those of `plainly`.
    fn check(text: &[u8]) {
        let surrogates = has_halves(text);
        for folding in [Folding::None, Folding::Punctuation] {
            let (line, lines) = (plainly(text, folding, false), plainly(text, folding, true));
            on_every_cpu(|cpu| {
                let mut bytes = vec![7; text.len() + PADDING];
                let squeezed = cpu.run(StripLine { text, folding, bytes: &mut bytes });
                assert_eq!(bytes[..squeezed.len], line);
                assert_eq!(squeezed.surrogates, surrogates);
                let mut ends = [(); 2].map(|()| vec![7; text.len() + PADDING]);
                let [before, after] = &mut ends;
                let (squeezed, count) = cpu.run(StripLines {
                    text,
                    folding,
                    bytes: &mut bytes,
                    ends: before,
                    squeezed_ends: after,
                });
                assert_eq!(bytes[..squeezed.len], lines);
                assert_eq!(squeezed.surrogates, surrogates);
                assert_eq!(ends[0][..count], newlines(text));
                assert_eq!(ends[1][..count], newlines(&lines));
            });
        }
    }

    /// Compares UTF-16 with the same text as WTF-8.
    fn check_wide(units: &[u16]) {
        let text = wtf8::from_utf16(units);
        let squeezed_text = plainly(&text, Folding::None, true);
        let ends_in_units: Vec<u32> =
            (0..).zip(units).filter(|(_, unit)| **unit == 10).map(|(at, _)| at).collect();
        on_every_cpu(|cpu| {
            let mut bytes = vec![7; 3 * units.len() + PADDING];
            let mut ends = [(); 2].map(|()| vec![7; units.len() + PADDING]);
            let [before, after] = &mut ends;
            let lines =
                StripWideLines { units, bytes: &mut bytes, ends: before, squeezed_ends: after };
            let (squeezed, count) = cpu.run(lines);
            assert_eq!(bytes[..squeezed.len], squeezed_text);
            assert_eq!(squeezed.surrogates, has_halves(&text));
            assert_eq!(ends[0][..count], ends_in_units);
            assert_eq!(ends[1][..count], newlines(&squeezed_text));
        });
    }

    fn has_halves(text: &[u8]) -> bool {
        text.windows(2).any(|two| matches!(two, [0xed, 0xa0..=0xbf]))
    }

    #[test]
    fn every_unit_is_kept_or_dropped_as_in_javascript() {
        for unit in (0..=u16::MAX).step_by(size(1, 5)) {
            let is_space = whitespace::is_whitespace(u32::from(unit));
            assert_eq!(is_foreign_space(unit), is_space && unit > 0x7f, "{unit:x}");
        }
        let all: Vec<u16> = (0..u16::MAX).take(size(usize::from(u16::MAX), 0x100)).collect();
        check_wide(&all);
    }

    #[test]
    fn every_ascii_character_is_kept_or_dropped_as_in_javascript() {
        let all: Vec<u8> = (0..128).collect();
        let kept = |byte: &u8| !whitespace::is_whitespace(u32::from(*byte));
        let expected: Vec<u8> = all.iter().copied().filter(kept).collect();
        assert_eq!(plainly(&all, Folding::None, false), expected);
        check(&all);
    }

    #[test]
    fn white_space_and_dashes_are_found_wherever_a_block_ends() {
        let most = size(2 * BLOCK, 3);
        for before in 0..most {
            for character in [
                "\u{a0}", "\u{2028}", "\u{3000}", "\u{feff}", "–", "”", "中", "é", "\u{d7ff}", "\n",
            ] {
                check(format!("{}{character}{character}z", "x".repeat(before)).as_bytes());
            }
        }
    }

    #[test]
    fn texts_of_every_length_and_place_in_memory_are_squeezed_alike() {
        let text: Vec<u8> = "if (a) {\n\tb = “ü – 中”;\r\n}\n".bytes().cycle().take(300).collect();
        for start in 0..size(70, 2) {
            for len in (0..200).step_by(size(1, 67)) {
                check(&text[start..start + len]);
            }
        }
        for len in [63, 64, 65, 300] {
            for byte in [b'\n', b' ', b'x', 0xe2, 0xed] {
                check(&vec![byte; len]);
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_squeezed_alike(text: Vec<u8>) {
            check(&text);
        }

        #[test]
        fn any_units_are_squeezed_alike(units: Vec<u16>) {
            check_wide(&units);
        }

        #[test]
        fn any_text_is_squeezed_alike(
            text in "([a-z(){};=.]{0,30}|[ \t\r\u{b}\u{c}]{1,9}|\n|[\u{a0}\u{2000}-\u{2030}\u{2212}]|é|中|😀){0,60}",
        ) {
            check(text.as_bytes());
            check_wide(&text.encode_utf16().collect::<Vec<_>>());
        }
    }
}
