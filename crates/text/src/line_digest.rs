//! A line's fingerprint: enough to recognise the line again after a formatter.
//!
//! A line that a formatter has changed has other bytes but says the same. So the 64 bits of a
//! [`LineDigest`] consist of parts: a hash of the text that ignores white space, quotes and the
//! last comma; its style; its indentation; the kind of line; and a hash of the exact bytes. Two
//! digests are equal only if the lines are; the parts help to recognise a line whose text is no
//! longer at hand.

use crate::kernel::hash::Digest;
use crate::kernel::line_hashes::{Folding, line_hash};
use crate::kernel::whitespace;
use crate::style;

/// A line with fewer letters and digits than this is too common to be recognised.
const MIN_LETTERS: usize = 4;

/// How many bits the hash of a line's text has.
const SAID_BITS: u32 = 24;

/// How many bits of the number of words are kept.
const WORDS_BITS: u32 = 3;

/// The number of bits that record a line's quotes and its last comma or semicolon.
const STYLE_BITS: u32 = 5;

/// How many bits the hash of the exact bytes has.
const EXACT_BITS: u32 = 17;

/// How many bits a [`LineKind`] has.
const KIND_BITS: u32 = 2;

/// How many bits an [`Indent`] has.
const INDENT_BITS: u32 = 12;

/// A 64-bit digest of one line's content.
///
/// ```
/// use hashline_text::{Indent, LineDigest, LineKind};
/// let [old, new] = [b"    run( 'a' )".as_slice(), b"\trun(\"a\");"].map(LineDigest::of);
/// assert!(old != new && old.canonical() == new.canonical());
/// assert_eq!(new.indent(), Some(Indent { tabs: 1, spaces: 0 }));
/// assert_eq!(new.kind(), LineKind::Telling);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LineDigest(pub u64);

/// What kind of line it is, judged by its letters and brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineKind {
    /// The line is empty or only white space.
    Blank,
    /// The line closes something above it: `}`, `);`, `end`.
    Closing,
    /// Any other line with few letters and digits: `{`, `/**`, `---`.
    Terse,
    /// The line has enough letters and digits to be recognised.
    Telling,
}

/// The white space a line begins with: tabs, then spaces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Indent {
    /// How many tabs the line begins with.
    pub tabs: u8,
    /// How many spaces follow the tabs.
    pub spaces: u8,
}

impl LineDigest {
    /// The digest of a line's content, without its ending.
    pub fn of(content: &[u8]) -> Self {
        Self::of_many(content, &mut Vec::new())
    }

    /// Like [`LineDigest::of`], for calls in a loop. `scratch` is working memory.
    pub fn of_many(content: &[u8], scratch: &mut Vec<u8>) -> Self {
        Self::with_hash(content, line_hash(content, Folding::Punctuation, scratch))
    }

    /// The digest of a line whose [`line_hash`] with folded punctuation is known.
    pub fn with_hash(content: &[u8], hash: u32) -> Self {
        let (indent, rest) = Indent::split(content);
        let kind = LineKind::of(rest);
        let said = if kind == LineKind::Telling { style::neutral_hash(rest, hash) } else { hash };
        let parts = [
            (SAID_BITS, said.into()),
            (WORDS_BITS, style::words(rest)),
            (STYLE_BITS, hash.into()),
            (INDENT_BITS, Indent::code(indent).into()),
            (1, opens(rest, kind).into()),
            (KIND_BITS, kind as u64),
            (EXACT_BITS, Digest::of(content).0),
        ];
        let append =
            |digest: u64, (bits, part): (u32, u64)| digest << bits | part & ((1 << bits) - 1);
        Self(parts.into_iter().fold(0, append))
    }

    /// A hash of the line's text that ignores white space, except between two words, the kind of
    /// quotes around strings, and a `,` or `;` at the end.
    pub fn canonical(self) -> u32 {
        let said = self.0 >> (STYLE_BITS + INDENT_BITS + 1 + KIND_BITS + EXACT_BITS);
        u32::try_from(said).expect("a hash of 27 bits fits")
    }

    /// A hash that is equal for lines with the same text, the same quotes and the same `,` or `;`
    /// at the end.
    pub fn style(self) -> u32 {
        let style = self.0 >> (INDENT_BITS + 1 + KIND_BITS + EXACT_BITS);
        u32::try_from(style).expect("a hash of 32 bits fits")
    }

    /// What kind of line it is.
    pub fn kind(self) -> LineKind {
        match self.0 >> EXACT_BITS & ((1 << KIND_BITS) - 1) {
            0 => LineKind::Blank,
            1 => LineKind::Closing,
            2 => LineKind::Terse,
            _ => LineKind::Telling,
        }
    }

    /// Whether the line opens an entry, like `{`, `/**` or `- key: 1`.
    pub fn opens(self) -> bool {
        self.0 >> (KIND_BITS + EXACT_BITS) & 1 == 1
    }

    /// The line's indentation; `None` if it is not tabs followed by spaces, or too deep to be
    /// stored.
    pub fn indent(self) -> Option<Indent> {
        Indent::from_code(self.0 >> (1 + KIND_BITS + EXACT_BITS) & ((1 << INDENT_BITS) - 1))
    }

    /// Whether the line has enough letters and digits to be recognised.
    pub fn is_telling(self) -> bool {
        self.kind() == LineKind::Telling
    }
}

impl LineKind {
    fn of(content: &[u8]) -> Self {
        if is_telling(content) {
            return Self::Telling;
        }
        let trimmed = whitespace::trim(content);
        if trimmed.is_empty() {
            Self::Blank
        } else if matches!(trimmed[0], b'}' | b')' | b']')
            || matches!(trimmed, b"end" | b"fi" | b"*/")
        {
            Self::Closing
        } else {
            Self::Terse
        }
    }
}

/// Whether a line opens an entry whose lines follow: `{`, `/**`, `- key: 1`. Its indentation must
/// be removed.
fn opens(line: &[u8], kind: LineKind) -> bool {
    line.starts_with(b"- ")
        || kind == LineKind::Terse
            && (line.starts_with(b"/*")
                || matches!(whitespace::trim_end(line), [.., b'{' | b'(' | b'[']))
}

/// Whether a line has enough letters and digits to be recognised: `}` and `);` do not.
pub fn is_telling(content: &[u8]) -> bool {
    // For most lines, the first eight bytes are enough.
    if content.first_chunk().is_some_and(|first| count_letters(*first) >= MIN_LETTERS)
        || content.iter().filter(|byte| byte.is_ascii_alphanumeric()).nth(MIN_LETTERS - 1).is_some()
    {
        return true;
    }
    if content.is_ascii() {
        return false;
    }
    let text = crate::kernel::wtf8::to_utf8(content);
    text.chars().filter(|c| c.is_alphanumeric()).nth(MIN_LETTERS - 1).is_some()
}

/// How many of eight bytes are ASCII letters and digits.
fn count_letters(bytes: [u8; 8]) -> usize {
    const HIGH: u64 = each(0x80);
    /// Adding a byte below 128 to this sets its high bit if the byte is at least `least`.
    const fn from(least: u8) -> u64 {
        each(0x80 - least)
    }
    const fn each(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }
    let bytes = u64::from_ne_bytes(bytes);
    let ascii = bytes & !HIGH;
    let lower = ascii | each(0x20);
    let digits = (ascii + from(b'0')) & !(ascii + from(b'9' + 1));
    let letters = (lower + from(b'a')) & !(lower + from(b'z' + 1));
    ((digits | letters) & HIGH & !bytes).count_ones() as usize
}

/// How many times `byte` is at the start of `text`.
fn count_leading(byte: u8, text: &[u8]) -> usize {
    let (words, rest) = text.as_chunks();
    let mut count = 0;
    for word in words {
        let other = u64::from_le_bytes(*word) ^ u64::from_le_bytes([byte; 8]);
        if other != 0 {
            return count + other.trailing_zeros() as usize / 8;
        }
        count += 8;
    }
    count + rest.iter().take_while(|other| **other == byte).count()
}

impl Indent {
    /// No indentation.
    pub const NONE: Self = Self { tabs: 0, spaces: 0 };

    /// The most tabs and spaces that can be stored; one more of each means unknown.
    const MAX: (u8, u8) = (30, 126);

    /// The indentation of a line; `None` if it is not tabs followed by spaces, or too deep to be
    /// stored.
    ///
    /// ```
    /// use hashline_text::Indent;
    /// assert_eq!(Indent::of(b"\t  x"), Some(Indent { tabs: 1, spaces: 2 }));
    /// assert_eq!(Indent::of(b"  \tx"), None);
    /// ```
    pub fn of(content: &[u8]) -> Option<Self> {
        Self::split(content).0
    }

    /// The indentation of a line, and the rest of the line after its tabs and spaces.
    fn split(content: &[u8]) -> (Option<Self>, &[u8]) {
        let tabs = count_leading(b'\t', content);
        let spaces = count_leading(b' ', &content[tabs..]);
        let rest = &content[tabs + spaces..];
        let known = whitespace::whitespace_len(rest) == 0;
        let (tabs, spaces) = (u8::try_from(tabs), u8::try_from(spaces));
        let indent = match (tabs, spaces) {
            (Ok(tabs), Ok(spaces)) if tabs <= Self::MAX.0 && spaces <= Self::MAX.1 => {
                known.then_some(Self { tabs, spaces })
            }
            _ => None,
        };
        (indent, rest)
    }

    fn code(indent: Option<Self>) -> u16 {
        indent.map_or((1 << INDENT_BITS) - 1, |indent| {
            u16::from(indent.tabs) << 7 | u16::from(indent.spaces)
        })
    }

    fn from_code(code: u64) -> Option<Self> {
        let [tabs, spaces] = [code >> 7, code & 127].map(u8::try_from);
        let indent = Self { tabs: tabs.ok()?, spaces: spaces.ok()? };
        (indent.tabs <= Self::MAX.0).then_some(indent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_are_classified_by_their_letters_and_brackets() {
        for (kind, lines) in [
            (LineKind::Blank, &["", "  ", "\t", "\r"][..]),
            (LineKind::Closing, &["}", "  });", "]", "end", "*/", "),"]),
            (LineKind::Terse, &["{", "/**", "---", "x = 1", "- a"]),
            (LineKind::Telling, &["} else {", "return", "öäüß", "a1b2"]),
        ] {
            for line in lines {
                assert_eq!(LineDigest::of(line.as_bytes()).kind(), kind, "{line:?}");
            }
        }
    }

    #[test]
    fn an_indentation_that_cannot_be_stored_is_unknown() {
        for line in
            [format!("{}x", " ".repeat(127)), format!("{}x", "\t".repeat(31)), " \tx".into()]
        {
            assert_eq!(LineDigest::of(line.as_bytes()).indent(), None, "{line:?}");
        }
    }

    proptest! {
        #[test]
        fn the_parts_can_be_read_from_a_digest(white in "\t{0,3} {0,9}", text in "[a-z{}“–]{0,9}") {
            let line = format!("{white}{text}");
            let digest = LineDigest::of(line.as_bytes());
            prop_assert_eq!(digest.canonical(), LineDigest::of(text.as_bytes()).canonical());
            prop_assert_eq!(digest.style(), LineDigest::of(text.as_bytes()).style());
            prop_assert_eq!(digest.indent(), Indent::of(line.as_bytes()));
            prop_assert_eq!(digest.kind(), LineKind::of(line.as_bytes()));
        }
    }
}
