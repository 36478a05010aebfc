//! The encodings of files; the only module that uses `encoding_rs` and `chardetng`.
//!
//! Each line is decoded by itself: none of these encodings keeps state from one line to the next,
//! and none has a newline byte inside a character. An undecodable byte, or half of a surrogate
//! pair, becomes a character of a private area. We use these characters for nothing else, and
//! encode them as the original bytes.

use std::fmt;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    EncoderResult, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};

use crate::kernel::{newlines, utf8};

/// How many bytes at the start of a file are examined to detect its encoding.
pub const HEAD: usize = 64 << 10;

/// Fewer non-ASCII bytes than this are not enough to guess a language.
const MIN_FOREIGN_BYTES: usize = 16;

/// The first private characters for bytes and for halves of surrogate pairs.
const FIRST_BYTE: u32 = 0x10_ff00;
const FIRST_HALF: u32 = 0x10_0000;

/// How text is written as bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

/// The error that no usable encoding has this label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownEncoding {
    /// The label that was given.
    pub label: String,
    /// Why the encoding cannot be used, if there is one with this label.
    why: Option<&'static str>,
}

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.why {
            Some(why) => write!(f, "encoding `{}` cannot be used: {why}", self.label),
            None => write!(
                f,
                "unknown encoding `{}`: give `auto` or a label of the Encoding Standard, such as `windows-1252`",
                self.label
            ),
        }
    }
}

impl std::error::Error for UnknownEncoding {}

/// What we know about a file's encoding before looking at its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum EncodingChoice {
    /// We know nothing.
    #[default]
    Auto,
    /// The file has this encoding unless it is valid UTF-8 or has a byte order mark.
    Otherwise(Encoding),
    /// The file has this encoding unless it has another byte order mark.
    Always(Encoding),
}

/// The error that a line contains a character that its encoding cannot express.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unheld {
    /// The character that cannot be expressed.
    pub character: char,
    /// How many characters of the line come before it.
    pub before: usize,
}

/// The undecodable bytes that a private character replaces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undecodable {
    /// An undecodable byte.
    Byte(u8),
    /// Half of a surrogate pair of UTF-16.
    Half(u16),
}

impl Undecodable {
    /// The undecodable bytes that this character replaces, if it is private.
    pub fn of(c: char) -> Option<Self> {
        match u32::from(c) {
            code @ 0x10_ff00..=0x10_ffff => Some(Self::Byte(code.to_le_bytes()[0])),
            code @ 0x10_d800..=0x10_dfff => u16::try_from(code - FIRST_HALF).ok().map(Self::Half),
            _ => None,
        }
    }

    /// The private character that replaces these bytes.
    pub fn character(self) -> char {
        let code = match self {
            Self::Byte(byte) => FIRST_BYTE + u32::from(byte),
            Self::Half(half) => FIRST_HALF + u32::from(half),
        };
        char::from_u32(code).expect("neither private area has surrogates")
    }
}

impl Encoding {
    /// The encoding assumed by default.
    pub const UTF_8: Self = Self(&encoding_rs::UTF_8_INIT);

    /// The encoding with a label of the Encoding Standard.
    pub fn named(label: &str) -> Result<Self, UnknownEncoding> {
        let unknown = |why| UnknownEncoding { label: label.to_owned(), why };
        match encoding_rs::Encoding::for_label(label.as_bytes()) {
            Some(found) if found == ISO_2022_JP || found == REPLACEMENT => {
                Err(unknown(Some("what a byte means depends on lines before it")))
            }
            Some(found) => Ok(Self(found)),
            None => Err(unknown(None)),
        }
    }

    /// The name of the encoding, in lower case.
    pub fn name(self) -> String {
        self.0.name().to_ascii_lowercase()
    }

    /// The encoding of a file that starts with these bytes.
    pub fn detect(head: &[u8], choice: EncodingChoice) -> Self {
        let head = &head[..head.len().min(HEAD)];
        match (Self::from_byte_order_mark(head), choice) {
            (Some(marked), _) | (None, EncodingChoice::Always(marked)) => marked,
            _ if is_utf8_so_far(head) => Self::UTF_8,
            (None, EncodingChoice::Otherwise(other)) => other,
            (None, EncodingChoice::Auto) => Self::guess_encoding(head),
        }
    }

    /// The encoding that a byte order mark names.
    fn from_byte_order_mark(head: &[u8]) -> Option<Self> {
        // The byte order mark of UTF-32 begins with that of UTF-16.
        let (found, _) = encoding_rs::Encoding::for_bom(head)?;
        (!head.starts_with(b"\xff\xfe\0\0")).then_some(Self(found))
    }

    /// Whether the bytes start with a byte order mark of UTF-16.
    pub fn is_marked_utf16(head: &[u8]) -> bool {
        Self::from_byte_order_mark(head).is_some_and(Self::is_utf16)
    }

    /// Whether this is UTF-16, in which a character takes two or four bytes.
    pub fn is_utf16(self) -> bool {
        self.0 == UTF_16LE || self.0 == UTF_16BE
    }

    fn guess_encoding(head: &[u8]) -> Self {
        let (mut good, mut bad, mut rest) = (0, 0, head);
        while let Err(error) = str::from_utf8(rest) {
            let (valid, after) = rest.split_at(error.valid_up_to());
            good += count_foreign(valid);
            let len = error.error_len().unwrap_or(after.len());
            bad += len;
            rest = &after[len..];
        }
        good += str::from_utf8(rest).map_or(0, |rest| count_foreign(rest.as_bytes()));
        if good > bad {
            return Self::UTF_8;
        }
        if head.iter().filter(|byte| !byte.is_ascii()).count() < MIN_FOREIGN_BYTES {
            return Self(WINDOWS_1252);
        }
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(head, head.len() < HEAD);
        let guess = Self(detector.guess(None, Utf8Detection::Deny));
        // The examined bytes may end within a character.
        let whole = |cut| guess.decode_clean(&head[..head.len() - cut]).is_some();
        let max_cut = if head.len() < HEAD { 0 } else { 3 };
        if (0..=max_cut).any(whole) { guess } else { Self(WINDOWS_1252) }
    }

    /// The text that the bytes encode.
    pub fn decode(self, bytes: &[u8]) -> String {
        if let Some(text) = self.decode_clean(bytes) {
            return text;
        }
        let mut text = String::with_capacity(bytes.len());
        let is_end = |byte: &u8| *byte == b'\n' && !self.is_utf16();
        for line in bytes.split_inclusive(is_end) {
            match self.decode_clean(line) {
                Some(clean) => text.push_str(&clean),
                None => self.decode_by_character(line, &mut text),
            }
        }
        text
    }

    fn decode_by_character(self, mut bytes: &[u8], text: &mut String) {
        let unit = if self.is_utf16() { 2 } else { 1 };
        while !bytes.is_empty() {
            let whole = |len| Some((self.decode_clean(bytes.get(..len)?)?, len));
            let len = if let Some((clean, len)) = (unit..=4).step_by(unit).find_map(whole) {
                text.push_str(&clean);
                len
            } else {
                let (lost, len) = self.undecodable(bytes);
                text.push(lost.character());
                len
            };
            bytes = &bytes[len..];
        }
    }

    /// The decoded text, unless something cannot be decoded or would become one of our private
    /// characters.
    fn decode_clean(self, bytes: &[u8]) -> Option<String> {
        let text = self.0.decode_without_bom_handling_and_without_replacement(bytes)?;
        // In UTF-8, our private characters begin with this byte.
        let is_private =
            text.as_bytes().contains(&0xf4) && text.chars().any(|c| Undecodable::of(c).is_some());
        (!is_private).then(|| text.into_owned())
    }

    /// The undecodable byte or half at the start of these bytes, and its length.
    fn undecodable(self, bytes: &[u8]) -> (Undecodable, usize) {
        match bytes {
            [one, two, ..] if self.is_utf16() => {
                let from = if self.0 == UTF_16LE { u16::from_le_bytes } else { u16::from_be_bytes };
                (Undecodable::Half(from([*one, *two])), 2)
            }
            _ => (Undecodable::Byte(bytes[0]), 1),
        }
    }

    /// Encodes the text of one line, so that decoding the bytes gives the same text again.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, Unheld> {
        let mut bytes = Vec::with_capacity(text.len());
        for (before, character) in text.chars().enumerate() {
            match Undecodable::of(character) {
                Some(Undecodable::Byte(byte)) => bytes.push(byte),
                Some(Undecodable::Half(half)) if self.is_utf16() => self.put_unit(half, &mut bytes),
                _ => self.put(character, &mut bytes).ok_or(Unheld { character, before })?,
            }
        }
        // The bytes of some characters are decoded as other characters.
        let read = self.decode(&bytes);
        if read == text {
            return Ok(bytes);
        }
        let same = text.chars().zip(read.chars()).take_while(|(a, b)| a == b).count();
        let before = same.min(text.chars().count().saturating_sub(1));
        Err(Unheld { character: text.chars().nth(before).unwrap_or_default(), before })
    }

    fn put(self, character: char, bytes: &mut Vec<u8>) -> Option<()> {
        let mut utf8 = [0; 4];
        let text = &*character.encode_utf8(&mut utf8);
        if self.0 == UTF_8 {
            bytes.extend(text.as_bytes());
        } else if self.is_utf16() {
            let mut units = [0; 2];
            character.encode_utf16(&mut units).iter().for_each(|unit| self.put_unit(*unit, bytes));
        } else {
            let mut room = [0; 16];
            let mut encoder = self.0.new_encoder();
            let (result, _, written) =
                encoder.encode_from_utf8_without_replacement(text, &mut room, true);
            if !matches!(result, EncoderResult::InputEmpty) {
                return None;
            }
            bytes.extend(&room[..written]);
        }
        Some(())
    }

    fn put_unit(self, unit: u16, bytes: &mut Vec<u8>) {
        bytes.extend(if self.0 == UTF_16LE { unit.to_le_bytes() } else { unit.to_be_bytes() });
    }

    /// The offset of each line of a file after its byte order mark of `mark` bytes, then the length
    /// of the file.
    pub(crate) fn line_starts(self, bytes: &[u8], mark: usize) -> Vec<usize> {
        let mut starts = vec![mark];
        if self.is_utf16() {
            let newline = self.encode("\n").expect("UTF-16 has every character");
            let (units, _) = bytes.as_chunks::<2>();
            let ends = units.iter().enumerate().filter(|(_, unit)| unit[..] == newline[..]);
            starts.extend(ends.map(|(at, _)| 2 * at + 2));
        } else {
            newlines::each(bytes, |newline| starts.push(newline + 1));
        }
        if starts.last() != Some(&bytes.len()) {
            starts.push(bytes.len());
        }
        starts
    }
}

impl Default for Encoding {
    fn default() -> Self {
        Self::UTF_8
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// Whether bytes are UTF-8; a character that is cut off after [`HEAD`] bytes is ignored.
fn is_utf8_so_far(head: &[u8]) -> bool {
    let is_cut = |error: std::str::Utf8Error| head.len() == HEAD && error.error_len().is_none();
    utf8::text(head).is_ok() || str::from_utf8(head).is_err_and(is_cut)
}

/// How many non-ASCII characters valid UTF-8 has.
fn count_foreign(valid: &[u8]) -> usize {
    valid.iter().filter(|byte| **byte >= 0xc0).count()
}

#[cfg(test)]
mod tests;
