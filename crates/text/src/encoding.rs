//! The encodings of files, and the only module that uses `encoding_rs` and `chardetng`.
//!
//! A line is decoded by itself: none of these encodings keeps a state from one line to the next, and none has a
//! newline inside a character. What an encoding cannot decode becomes a character of a private area, one for each
//! byte or for half a pair of UTF-16. We use these characters for nothing else, and encode them as the original
//! bytes.

use std::fmt;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    EncoderResult, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};

use crate::kernel::{newlines, utf8};

/// How much of a file tells its encoding.
pub const HEAD: usize = 64 << 10;

/// Fewer bytes beyond ASCII say nothing about a language.
const FEW: usize = 16;

/// The private characters for bytes and for halves of pairs.
const BYTES: u32 = 0x10_ff00;
const HALVES: u32 = 0x10_0000;

/// How text is written as bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

/// No encoding has this label, or none that can be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownEncoding {
    /// The label.
    pub label: String,
    /// Why it cannot be used, if it is one.
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
    /// Nothing.
    #[default]
    Auto,
    /// What it is unless it is valid UTF-8.
    Otherwise(Encoding),
    /// What it is unless it has another byte order mark.
    Always(Encoding),
}

/// A line holds a character that its encoding does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unheld {
    /// The character.
    pub character: char,
    /// How many characters of the line are before it.
    pub before: usize,
}

/// What a private character replaces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undecodable {
    /// A byte.
    Byte(u8),
    /// Half of a pair of UTF-16.
    Half(u16),
}

impl Undecodable {
    /// What this character replaces, if it is a private one.
    pub fn of(c: char) -> Option<Self> {
        match u32::from(c) {
            code @ 0x10_ff00..=0x10_ffff => Some(Self::Byte(code.to_le_bytes()[0])),
            code @ 0x10_d800..=0x10_dfff => u16::try_from(code - HALVES).ok().map(Self::Half),
            _ => None,
        }
    }

    /// The private character that replaces it.
    pub fn character(self) -> char {
        let code = match self {
            Self::Byte(byte) => BYTES + u32::from(byte),
            Self::Half(half) => HALVES + u32::from(half),
        };
        char::from_u32(code).expect("both areas hold no surrogates")
    }
}

impl Encoding {
    /// What a text without any other sign is written in.
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

    /// Its name, in lower case.
    pub fn name(self) -> String {
        self.0.name().to_ascii_lowercase()
    }

    /// The encoding of a file that starts so.
    pub fn detect(head: &[u8], choice: EncodingChoice) -> Self {
        let head = &head[..head.len().min(HEAD)];
        match (Self::by_mark(head), choice) {
            (Some(marked), _) | (None, EncodingChoice::Always(marked)) => marked,
            _ if is_utf8_so_far(head) => Self::UTF_8,
            (None, EncodingChoice::Otherwise(other)) => other,
            (None, EncodingChoice::Auto) => Self::guessed(head),
        }
    }

    /// The encoding that a byte order mark names.
    fn by_mark(head: &[u8]) -> Option<Self> {
        // The mark of UTF-32 begins with the mark of UTF-16.
        let (found, _) = encoding_rs::Encoding::for_bom(head)?;
        (!head.starts_with(b"\xff\xfe\0\0")).then_some(Self(found))
    }

    /// Whether the bytes start with a mark of UTF-16.
    pub fn is_marked_utf16(head: &[u8]) -> bool {
        Self::by_mark(head).is_some_and(Self::is_utf16)
    }

    /// Whether a character takes two bytes or four.
    pub fn is_utf16(self) -> bool {
        self.0 == UTF_16LE || self.0 == UTF_16BE
    }

    fn guessed(head: &[u8]) -> Self {
        let (mut good, mut bad, mut rest) = (0, 0, head);
        while let Err(error) = str::from_utf8(rest) {
            let (valid, after) = rest.split_at(error.valid_up_to());
            good += sequences(valid);
            let len = error.error_len().unwrap_or(after.len());
            bad += len;
            rest = &after[len..];
        }
        good += str::from_utf8(rest).map_or(0, |rest| sequences(rest.as_bytes()));
        if good > bad {
            return Self::UTF_8;
        }
        if head.iter().filter(|byte| !byte.is_ascii()).count() < FEW {
            return Self(WINDOWS_1252);
        }
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(head, head.len() < HEAD);
        let guess = Self(detector.guess(None, Utf8Detection::Deny));
        // A character may be cut off at the end of what is looked at.
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

    /// The text, if all of it can be decoded and it holds no private character of ours.
    fn decode_clean(self, bytes: &[u8]) -> Option<String> {
        let text = self.0.decode_without_bom_handling_and_without_replacement(bytes)?;
        // The private characters are in the last plane, whose characters begin with this byte.
        let is_private =
            text.as_bytes().contains(&0xf4) && text.chars().any(|c| Undecodable::of(c).is_some());
        (!is_private).then(|| text.into_owned())
    }

    /// What cannot be decoded at the start of these bytes, and its length.
    fn undecodable(self, bytes: &[u8]) -> (Undecodable, usize) {
        match bytes {
            [one, two, ..] if self.is_utf16() => {
                let from = if self.0 == UTF_16LE { u16::from_le_bytes } else { u16::from_be_bytes };
                (Undecodable::Half(from([*one, *two])), 2)
            }
            _ => (Undecodable::Byte(bytes[0]), 1),
        }
    }

    /// The bytes of one line's text, which decode to the same text.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, Unheld> {
        let mut bytes = Vec::with_capacity(text.len());
        for (before, character) in text.chars().enumerate() {
            match Undecodable::of(character) {
                Some(Undecodable::Byte(byte)) => bytes.push(byte),
                Some(Undecodable::Half(half)) if self.is_utf16() => self.put_unit(half, &mut bytes),
                _ => self.put(character, &mut bytes).ok_or(Unheld { character, before })?,
            }
        }
        // Some characters have bytes that are read as others.
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

    /// Where each line of a file starts after its byte order mark, and, last, where the bytes end.
    pub(crate) fn starts(self, bytes: &[u8], mark: usize) -> Vec<usize> {
        let mut starts = vec![mark];
        if self.is_utf16() {
            let newline = self.encode("\n").expect("it has every character");
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

/// Whether bytes are UTF-8; a character that is cut off with what is looked at does not count.
fn is_utf8_so_far(head: &[u8]) -> bool {
    let is_cut = |error: std::str::Utf8Error| head.len() == HEAD && error.error_len().is_none();
    utf8::text(head).is_ok() || str::from_utf8(head).is_err_and(is_cut)
}

/// How many characters beyond ASCII there are in UTF-8.
fn sequences(valid: &[u8]) -> usize {
    valid.iter().filter(|byte| **byte >= 0xc0).count()
}

#[cfg(test)]
mod tests;
