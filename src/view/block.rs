//! Many lines printed at one go.

use super::MOST_CHARACTERS;
use crate::anchor::print::print_hex;
use crate::anchor::{Scheme, Tag};
use crate::text::{LineNumber, lines, newlines};

/// The widest anchor with its bar.
const WIDEST_PREFIX: usize = 16;

/// Printed lines.
pub struct Block {
    /// The lines, joined by newlines.
    pub text: String,
    /// Where in the text each line ends.
    pub ends: Vec<usize>,
    /// The tag of each line.
    pub tags: Vec<Tag>,
}

/// Prints whole lines, of which the first has the number `first`, as [`super::push_line`] would.
///
/// `None` if one of them needs more than copying, or if the scheme has no quick way: then each line
/// has to be printed by itself.
pub fn block(scheme: Scheme, first: LineNumber, text: &[u8]) -> Option<Block> {
    let folding = scheme.hex_folding()?;
    if text.is_empty() || !is_plain(text) {
        return None;
    }
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let printed = print_hex(text, first.get() as u64, folding);
    let mut found = Vec::with_capacity(printed.len() / 32);
    newlines::positions(&printed, &mut found);
    let mut ends = Vec::with_capacity(found.len() + 1);
    ends.extend(found.iter().map(|end| *end as usize));
    ends.push(printed.len());
    let mut tags = Vec::with_capacity(ends.len());
    let mut start = 0;
    let mut digits = digits(first.get());
    let mut wider = 10_usize.pow(u32::try_from(digits).ok()?);
    for (number, end) in (first.get()..).zip(&ends) {
        if number == wider {
            digits += 1;
            wider *= 10;
        }
        if end - start > MOST_CHARACTERS + WIDEST_PREFIX {
            return None;
        }
        tags.push(Tag::from_bytes(&printed[start + digits + 1..start + digits + 3])?);
        start = end + 1;
    }
    Some(Block { text: String::from_utf8(printed).ok()?, ends, tags })
}

fn digits(number: usize) -> usize {
    number.checked_ilog10().map_or(1, |power| power as usize + 1)
}

/// Whether no character has to be escaped.
fn is_plain(text: &[u8]) -> bool {
    let odd = |byte: u8| (byte < 0x20 && byte != b'\t' && byte != b'\n') || byte == 0x7f;
    // Without a branch, so that many bytes are looked at together.
    if text.iter().fold(false, |any, byte| any | odd(*byte)) {
        return false;
    }
    let is_control = |at: usize| matches!(text.get(at + 1), Some(0x80..=0x9f));
    text.is_ascii() || !lines::find_all(b"\xc2", text).any(is_control)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::push_line;
    use crate::{Document, Listing};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_block_is_its_lines_one_by_one(
            text in "([a-z]{0,9}|[ \t]|é|°|\u{9b}|\u{7}|中|\n|\n|\r\n){1,40}",
            first in prop_oneof![1..20_usize, 990..1010_usize],
        ) {
            let document = Document::from_text(text);
            let number = LineNumber::new(first).unwrap();
            for scheme in Scheme::ALL {
                let Some(block) = block(scheme, number, document.bytes()) else { continue };
                let listing = Listing::new(&document, scheme);
                prop_assert_eq!(&block.tags, listing.tags());
                let mut out = String::new();
                let mut ends = Vec::new();
                for (at, (line, tag)) in document.lines().zip(listing.tags()).enumerate() {
                    if at > 0 {
                        out.push('\n');
                    }
                    push_line(&mut out, scheme, LineNumber::at(first - 1 + at), *tag, line.content, None);
                    ends.push(out.len());
                }
                prop_assert_eq!(block.text, out);
                prop_assert_eq!(block.ends, ends);
            }
        }
    }

    #[test]
    fn what_needs_more_than_copying_is_left_to_others() {
        let long = "x".repeat(3000);
        for text in ["a\x07", "a\r\nb", "a\u{85}", long.as_str(), ""] {
            assert!(block(Scheme::Hex2, LineNumber::FIRST, text.as_bytes()).is_none());
        }
        assert!(block(Scheme::Cid, LineNumber::FIRST, b"a").is_none());
        assert!(block(Scheme::Omp, LineNumber::FIRST, b"a").is_some());
    }
}
