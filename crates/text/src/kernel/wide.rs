//! Converting UTF-16 to WTF-8, many units at a time.
//!
//! A run of ASCII is narrowed to bytes. Sixteen other units become sixteen numbers of four bytes,
//! of which each character uses one, two or three; unused bytes are then dropped like white space.
//! Only surrogates are handled one by one.

#![expect(clippy::inline_always, reason = "kernels are compiled anew for each set of features")]

use crate::kernel::vectors::{BLOCK, Kernel, Kinds, LANES, Vectors};
use crate::kernel::wtf8;

/// A mask of the first byte of each of the sixteen numbers of a block.
const FIRST_BYTES: u64 = 0x1111_1111_1111_1111;

/// A block of units converted to WTF-8.
pub(super) struct EncodedUnits {
    /// The position of the first unit in the text.
    pub at: usize,
    /// Which bytes of the block are used; the others are zeros.
    pub present: u64,
    /// What kinds of bytes the block has.
    pub kinds: Kinds,
    /// How often to halve the index of a character's first byte to get the index of its unit.
    pub halvings: u32,
}

/// Calls `visit` with the units of a text as WTF-8, after replacing each by `replace`, which must
/// leave ASCII and surrogates unchanged. Returns whether there are lone halves of surrogate pairs.
#[inline(always)]
pub(super) fn each_block<V: Vectors>(
    v: V,
    units: &[u16],
    replace: impl Fn(u16) -> u16,
    mut visit: impl FnMut(&[u8; BLOCK], EncodedUnits),
) -> bool {
    let mut halves = false;
    let mut at = 0;
    while at < units.len() {
        let rest = &units[at..];
        let mut block;
        let (mut first, mut len, mut halvings) = (FIRST_BYTES, LANES, 2);
        if let Some(run) = rest.first_chunk::<BLOCK>()
            && run.iter().fold(0, |all, unit| all | unit) < 0x80
        {
            block = run.map(|unit| unit.to_le_bytes()[0]);
            (first, len, halvings) = (u64::MAX, BLOCK, 0);
        } else {
            let mut group = [0; LANES];
            if let Some(whole) = rest.first_chunk() {
                group = *whole;
            } else {
                len = rest.len();
                group[..len].copy_from_slice(rest);
                first = first_bytes(len);
            }
            block = encode(v, &group.map(&replace));
            let surrogates = group.iter().map(|unit| u16::from(unit & 0xf800 == 0xd800));
            if surrogates.sum::<u16>() != 0 {
                let lone;
                (first, len, lone) = encode_pairs(rest, &mut block);
                halves |= lone;
            }
        }
        // There is only one call of `visit`: with two, it would not be inlined, and so not compiled
        // for the vector instructions.
        let kinds = v.kinds(&block);
        let present = first | kinds.foreign;
        visit(&block, EncodedUnits { at, present, kinds, halvings });
        at += len;
    }
    halves
}

/// A mask of the first bytes of the first `count` of a block's sixteen numbers.
fn first_bytes(count: usize) -> u64 {
    FIRST_BYTES
        & 1_u64
            .checked_shl(4 * u32::try_from(count).expect("a block has at most 16 numbers"))
            .map_or(u64::MAX, |bit| bit - 1)
}

/// Writes the four bytes of each surrogate pair to `block` in place of its first unit. Returns a
/// mask of the first bytes of the characters, how many units the block covers, and whether it has
/// lone halves of pairs.
#[inline(never)]
fn encode_pairs(units: &[u16], block: &mut [u8; BLOCK]) -> (u64, usize, bool) {
    let mut len = units.len().min(LANES);
    // A pair that does not fit into this block begins the next one.
    if len < units.len() && matches!(units[len - 1], 0xd800..0xdc00) {
        len -= 1;
        block[4 * len..].fill(0);
    }
    let mut first = first_bytes(len);
    let mut lone = false;
    let mut at = 0;
    while at < len {
        let (character, taken) = wtf8::code_point(&units[at..len]);
        if taken == 2 {
            let bytes = &mut block[4 * at..4 * at + 8];
            bytes[..4].copy_from_slice(&wtf8::four_bytes(character));
            bytes[4..].fill(0);
            first &= !(1 << (4 * at + 4));
        }
        lone |= matches!(character, 0xd800..=0xdfff);
        at += taken;
    }
    (first, len, lone)
}

/// Converts each unit to its one to three bytes of WTF-8, padded with zeros to four.
#[inline(always)]
fn encode<V: Vectors>(v: V, units: &[u16; LANES]) -> [u8; BLOCK] {
    let units = v.words(units.map(u32::from));
    let six = v.splat(0x3f);
    let low = v.and(units, six);
    let upper = v.shift_right::<6>(units);
    let middle = v.shift_left::<8>(v.and(upper, six));
    let two = v.xor(v.xor(upper, v.shift_left::<8>(low)), v.splat(0x80c0));
    let three = v.xor(v.shift_right::<12>(units), v.xor(middle, v.shift_left::<16>(low)));
    let three = v.xor(three, v.splat(0x80_80e0));
    let short = v.select(v.is_greater(units, v.splat(0x7f)), two, units);
    let words = v.numbers(v.select(v.is_greater(units, v.splat(0x7ff)), three, short));
    let mut block = [0; BLOCK];
    for (bytes, word) in block.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    block
}

/// Appends UTF-16 units as WTF-8.
pub(super) struct Encode<'a> {
    /// The UTF-16 units.
    pub units: &'a [u16],
    /// The buffer to which the bytes are appended.
    pub out: &'a mut Vec<u8>,
}

/// How many bytes are collected before they are appended.
const MAX_GATHERED: usize = 16 * BLOCK;

impl Kernel for Encode<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self, v: V) {
        let Self { units, out } = self;
        let mut gathered = [0; MAX_GATHERED];
        let mut len = 0;
        each_block(
            v,
            units,
            |unit| unit,
            |block, EncodedUnits { present, .. }| {
                if len > MAX_GATHERED - BLOCK {
                    out.extend_from_slice(&gathered[..len]);
                    len = 0;
                }
                let room =
                    gathered[len..].first_chunk_mut().expect("a full buffer was emptied above");
                if present == u64::MAX {
                    *room = *block;
                    len += BLOCK;
                } else {
                    len += v.compress(block, present, room);
                }
            },
        );
        out.extend_from_slice(&gathered[..len]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::vectors::on_every_cpu;
    use hashline_testing::size;
    use proptest::prelude::*;

    /// Compares every set of instructions with the standard library, except for lone halves of
    /// pairs.
    fn check(units: &[u16]) {
        let mut expected = Vec::new();
        for decoded in char::decode_utf16(units.iter().copied()) {
            match decoded {
                Ok(character) => {
                    expected.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                Err(half) => {
                    let [high, low] = half.unpaired_surrogate().to_be_bytes();
                    expected.extend([0xed, 0x80 | (high & 0xf) << 2 | low >> 6, 0x80 | low & 0x3f]);
                }
            }
        }
        on_every_cpu(|cpu| {
            let mut out = b"before".to_vec();
            cpu.run(Encode { units, out: &mut out });
            assert_eq!(out.strip_prefix(b"before"), Some(&expected[..]));
        });
    }

    #[test]
    fn characters_of_every_size_are_encoded_at_every_place() {
        let step = size(1, 37);
        for character in
            ["\0", "\x7f", "\u{80}", "\u{7ff}", "\u{800}", "\u{d7ff}", "\u{e000}", "😀"]
        {
            for before in (0..2 * BLOCK).step_by(step) {
                let text = format!("{}{character}{}", "x".repeat(before), "y".repeat(70));
                check(&text.encode_utf16().collect::<Vec<_>>());
            }
        }
        for lone in [0xd800, 0xdbff, 0xdc00, 0xdfff] {
            check(&[lone]);
            for before in (0..20).step_by(step) {
                check(&[vec![0x4e00; before], vec![lone, 0xd83d, 0xde00, lone]].concat());
            }
        }
    }

    proptest! {
        #[test]
        fn any_units_are_encoded(units: Vec<u16>) {
            check(&units);
        }

        #[test]
        fn any_text_is_encoded(text in "([ -~]{0,90}|[\n\u{80}-\u{7ff}]{0,30}|[中-龥。]{0,30}|😀){0,12}") {
            check(&text.encode_utf16().collect::<Vec<_>>());
        }
    }
}
