//! How a line's content becomes a tag.
//!
//! There are seven schemes; some come from other programs, which are named. They differ in what
//! they remove before hashing and in how they print the hash; `__test__/vectors/schemes` holds the
//! expected values.

use std::fmt;
use std::str::FromStr;

use super::tag::Tag;
use crate::kernel::line_hashes::{self, Folding};
use crate::kernel::{hash, whitespace, wtf8};
use crate::{LineNumber, category};

/// The letters of `Cid` tags, one for each value of half a byte.
pub const CID_LETTERS: &[u8; 16] = b"ZPMQVRWSNKTXJBYH";

/// A way to make tags. One session uses one scheme.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Scheme {
    /// Canonical punctuation, no white space, xxHash32 mod 256, two hexadecimal digits.
    #[default]
    Hex2,
    /// Like `Hex2`, but mod 456,976, four letters.
    Base26,
    /// The line and both its neighbours without trailing white space, xxHash32 mod 17,576, three
    /// letters.
    Context,
    /// No white space, xxHash32 mod 256, two hexadecimal digits: oh-my-pi of February 2026.
    Omp,
    /// Trailing white space trimmed, xxHash32 mod 256, two letters; a line without letters or
    /// digits is seeded with its number: oh-my-opencode.
    Cid,
    /// FNV-1a of the raw line, low byte, two hexadecimal digits: cowboy.
    Fnv1a,
    /// Like `Hex2`, but mod 676, two letters right after the line number: fewer tokens.
    Compact,
}

/// The input from which a scheme makes a tag: a line, its number and its neighbours.
#[derive(Clone, Copy, Debug)]
pub struct TagInput<'a> {
    /// The line's number.
    pub number: LineNumber,
    /// The line before, empty if there is none.
    pub before: &'a [u8],
    /// The line itself.
    pub content: &'a [u8],
    /// The line after, empty if there is none.
    pub after: &'a [u8],
}

impl<'a> TagInput<'a> {
    /// The input for a line without neighbours.
    pub fn alone(number: LineNumber, content: &'a [u8]) -> Self {
        Self { number, before: b"", content, after: b"" }
    }
}

impl Scheme {
    /// Every scheme, the default first.
    pub const ALL: [Self; 7] =
        [Self::Hex2, Self::Base26, Self::Context, Self::Omp, Self::Cid, Self::Fnv1a, Self::Compact];

    /// The name used in settings.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The separator between line number and tag.
    pub fn separator(self) -> &'static str {
        match self {
            Self::Cid => "#",
            Self::Compact => "",
            _ => ":",
        }
    }

    /// How many characters a tag has.
    pub fn width(self) -> usize {
        match self {
            Self::Hex2 | Self::Omp | Self::Cid | Self::Fnv1a | Self::Compact => 2,
            Self::Context => 3,
            Self::Base26 => 4,
        }
    }

    /// Whether a tag could be one of this scheme.
    pub fn has_form(self, tag: Tag) -> bool {
        let text = tag.as_bytes();
        text.len() == self.width()
            && match self {
                Self::Hex2 | Self::Omp | Self::Fnv1a => text.iter().all(u8::is_ascii_hexdigit),
                Self::Base26 | Self::Context | Self::Cid | Self::Compact => {
                    text.iter().all(u8::is_ascii_alphabetic)
                }
            }
    }

    /// Whether a line's tag depends on more than its own content.
    pub fn is_positional(self) -> bool {
        matches!(self, Self::Context | Self::Cid)
    }

    /// Tags one line. Lines are WTF-8, so that any JavaScript string can be tagged.
    ///
    /// ```
    /// use hashline_text::{LineNumber, Scheme, TagInput};
    /// let input = TagInput::alone(LineNumber::FIRST, b"let total = 0;");
    /// assert_eq!(Scheme::Hex2.tag(input).as_str(), "e0");
    /// ```
    pub fn tag(self, input: TagInput<'_>) -> Tag {
        let mut scratch = Vec::with_capacity(input.content.len());
        self.tag_with(input, &mut scratch)
    }

    /// Which characters count as equal, for the schemes that hash a line without its white space.
    pub fn stripped_folding(self) -> Option<Folding> {
        match self {
            Self::Hex2 | Self::Base26 | Self::Compact => Some(Folding::Punctuation),
            Self::Omp => Some(Folding::None),
            Self::Context | Self::Cid | Self::Fnv1a => None,
        }
    }

    /// Which characters count as equal, for the schemes that `print::print_hex` can print.
    pub fn hex_folding(self) -> Option<Folding> {
        self.stripped_folding().filter(|_| matches!(self, Self::Hex2 | Self::Omp))
    }

    /// The tag for the hash of a line without its white space.
    pub fn stripped_tag(self, hash: u32) -> Tag {
        match self {
            Self::Base26 => Tag::letters::<4>(hash % 456_976),
            Self::Compact => Tag::letters::<2>(hash % 676),
            _ => Tag::hex(low_byte(hash)),
        }
    }

    /// Tags one line, using `scratch` as working memory.
    pub fn tag_with(self, input: TagInput<'_>, scratch: &mut Vec<u8>) -> Tag {
        if let Some(folding) = self.stripped_folding() {
            return self.stripped_tag(line_hashes::line_hash(input.content, folding, scratch));
        }
        scratch.clear();
        match self {
            Self::Hex2 | Self::Base26 | Self::Omp | Self::Compact => {
                unreachable!("`stripped_folding` names these")
            }
            Self::Fnv1a => Tag::hex(low_byte(hash::fnv1a(wtf8::to_utf8(input.content).as_bytes()))),
            Self::Context => {
                scratch.extend(whitespace::trim_end(input.before));
                scratch.push(0);
                scratch.extend(whitespace::trim_end(input.content));
                scratch.push(0);
                scratch.extend(whitespace::trim_end(input.after));
                Tag::letters::<3>(hash::xxh32(wtf8::to_utf8(scratch).as_bytes(), 0) % 17_576)
            }
            Self::Cid => {
                scratch.extend(input.content.iter().filter(|byte| **byte != b'\r'));
                let kept = whitespace::trim_end(scratch).len();
                scratch.truncate(kept);
                cid_tag(scratch, input.number)
            }
        }
    }
}

/// The `Cid` tag of a text whose trailing white space is already trimmed.
pub fn cid_tag(trimmed: &[u8], number: LineNumber) -> Tag {
    let text = wtf8::to_utf8(trimmed);
    let significant = text.chars().any(category::is_letter_or_number);
    let seed = if significant { 0 } else { u32::try_from(number.get()).unwrap_or(u32::MAX) };
    Tag::pair(CID_LETTERS, low_byte(hash::xxh32(text.as_bytes(), seed)))
}

fn low_byte(hash: u32) -> u8 {
    hash.to_le_bytes()[0]
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error that there is no scheme of this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
// A caller may have mistaken a whole text for a name.
#[error("unknown scheme `{:.100}`: choose one of `{}`", .0, Scheme::ALL.map(Scheme::name).join("`, `"))]
pub struct UnknownScheme(pub String);

impl UnknownScheme {
    /// The stable name of this error.
    pub fn code(&self) -> &'static str {
        "unknown_scheme"
    }
}

impl FromStr for Scheme {
    type Err = UnknownScheme;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|scheme| scheme.name() == name);
        known.ok_or_else(|| UnknownScheme(name.to_owned()))
    }
}
