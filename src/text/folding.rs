//! Replacing white space and punctuation that are not ASCII by their ASCII forms.
//!
//! Removing white space is fast only where all of it is one byte long. So before a text that is not
//! ASCII is stripped, every wider white space character becomes a space, and typographic dashes and
//! quotes become plain ones where a scheme takes them for equal. Most texts that are not ASCII have
//! nothing to replace: they are only looked through.

use super::whitespace::whitespace_len;

/// Which characters count as equal before hashing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Folding {
    /// Only equal characters.
    None,
    /// Typographic dashes and quotes as their plain forms.
    Punctuation,
}

/// What [`fold`] found.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Folded {
    /// Whether something had to be replaced. If not, nothing was written: all white space is ASCII.
    pub replaced: bool,
    /// Whether there are halves of surrogate pairs. What they stand for depends on what is next to
    /// them after the white space is removed.
    pub surrogates: bool,
}

/// Looks for what must be replaced in `text`, and writes the text with its replacements to `out` if
/// there is something.
pub(super) fn fold(text: &[u8], folding: Folding, out: &mut Vec<u8>) -> Folded {
    out.clear();
    let mut found = Folded::default();
    if text.is_ascii() {
        return found;
    }
    let (mut at, mut copied) = (0, 0);
    while let Some(byte) = text.get(at) {
        if byte.is_ascii() {
            at += ascii_len(&text[at..]);
        } else if !STARTS_REPLACED[usize::from(*byte)] {
            at += 1;
        } else if let Some((replacement, len)) = replacement(&text[at..], folding) {
            out.extend_from_slice(&text[copied..at]);
            out.push(replacement);
            at += len;
            copied = at;
            found.replaced = true;
        } else {
            found.surrogates |= matches!(text[at..], [0xed, 0xa0..=0xbf, ..]);
            at += 1;
        }
    }
    if found.replaced {
        out.extend_from_slice(&text[copied..]);
    }
    found
}

/// What the character at the start of `text` is replaced by, and how many bytes it takes.
fn replacement(text: &[u8], folding: Folding) -> Option<(u8, usize)> {
    match whitespace_len(text) {
        0 if folding == Folding::Punctuation => plain_punctuation(text).map(|plain| (plain, 3)),
        0 => None,
        len => Some((b' ', len)),
    }
}

/// The plain form of a typographic dash or quote, all of which take three bytes.
fn plain_punctuation(text: &[u8]) -> Option<u8> {
    match *text {
        [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => Some(b'-'),
        [0xe2, 0x80, 0x98..=0x9b, ..] => Some(b'\''),
        [0xe2, 0x80, 0x9c..=0x9f, ..] => Some(b'"'),
        _ => None,
    }
}

/// The first bytes of all characters that are not ASCII and may be replaced, and of surrogates.
const STARTS_REPLACED: [bool; 256] = {
    let mut starts = [false; 256];
    let first_bytes = [0xc2, 0xe1, 0xe2, 0xe3, 0xed, 0xef];
    let mut index = 0;
    while index < first_bytes.len() {
        starts[first_bytes[index]] = true;
        index += 1;
    }
    starts
};

/// How many ASCII bytes `text` starts with.
fn ascii_len(text: &[u8]) -> usize {
    const HIGH_BITS: u128 = u128::from_ne_bytes([0x80; 16]);
    let (chunks, _) = text.as_chunks::<16>();
    let whole = chunks.iter().take_while(|chunk| u128::from_ne_bytes(**chunk) & HIGH_BITS == 0);
    let start = 16 * whole.count();
    start + text[start..].iter().take_while(|byte| byte.is_ascii()).count()
}

#[cfg(test)]
mod tests {
    use super::super::whitespace::is_whitespace;
    use super::*;

    fn folded(text: &str, folding: Folding) -> String {
        let mut out = Vec::new();
        if fold(text.as_bytes(), folding, &mut out).replaced {
            String::from_utf8(out).expect("whole characters are replaced")
        } else {
            text.into()
        }
    }

    #[test]
    fn dashes_and_quotes_become_plain_ones_if_asked_for() {
        let text = "“a” – ‘b’ − c — é 中 😀";
        assert_eq!(folded(text, Folding::Punctuation), "\"a\" - 'b' - c - é 中 😀");
        assert_eq!(folded(text, Folding::None), text);
    }

    #[test]
    #[cfg_attr(miri, ignore = "a million characters take Miri too long")]
    fn every_white_space_character_and_no_other_becomes_a_space() {
        for c in '\u{80}'..=char::MAX {
            let text = format!("0123456789abcdef{c}x");
            let expected =
                if is_whitespace(c as u32) { text.replace(c, " ") } else { text.clone() };
            assert_eq!(folded(&text, Folding::None), expected, "U+{:04X}", c as u32);
        }
    }

    #[test]
    fn halves_of_pairs_are_found_and_left() {
        let mut out = Vec::new();
        let found = fold(b"\xe2\x80\x94\xed\xa0\x80", Folding::Punctuation, &mut out);
        assert_eq!(found, Folded { replaced: true, surrogates: true });
        assert_eq!(out, b"-\xed\xa0\x80");
        assert!(!fold("\u{d7ff}".as_bytes(), Folding::None, &mut out).surrogates);
    }
}
