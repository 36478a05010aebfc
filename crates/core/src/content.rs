//! What kind of content a file has: whether it is text, and in which encoding.

use std::path::Path;
use std::sync::Arc;

use crate::snapshot::{Snapshot, stamp_of};
use hashline_text::{Document, Encoding, EncodingChoice};

/// How many bytes of a file are examined to tell whether it is text.
pub(crate) const SNIFFED_BYTES: usize = 8192;

/// What kind of file it is, as far as its first bytes tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ContentKind {
    /// Text, in whichever encoding.
    Text,
    /// An image that a host can show, with its media type.
    Image(&'static str),
    /// Text in 16-bit units without a byte order mark.
    Utf16 {
        /// Whether the low byte comes first.
        little_endian: bool,
    },
    /// Bytes that are not text, with the name of their format if it is known.
    Binary(Option<&'static str>),
}

/// How the files of a workspace become text.
pub(crate) trait Texts: Sync {
    /// What the settings say about a file's encoding.
    fn choice(&self, path: &Path) -> EncodingChoice;

    /// The newest version of a file that was shown. Versions that other processes showed count too
    /// if the file is not UTF-8.
    fn newest(&self, path: &Path, utf8: bool) -> Option<Arc<Snapshot>>;

    /// The kind of a file that starts with `head`.
    fn kind(&self, path: &Path, head: &[u8]) -> ContentKind {
        match self.choice_for(path, head) {
            EncodingChoice::Always(encoding) if encoding.is_utf16() => ContentKind::Text,
            _ => sniff(head),
        }
    }

    /// The encoding of a file that starts with `head`.
    fn encoding(&self, path: &Path, head: &[u8]) -> Encoding {
        Encoding::detect(head, self.choice_for(path, head))
    }

    /// Decodes a file: in the encoding in which it was shown, if that still gives the text shown.
    fn document(&self, path: &Path, bytes: Vec<u8>) -> Document {
        let choice = self.choice_for(path, &bytes);
        let document = Document::decode(bytes, choice);
        if matches!(choice, EncodingChoice::Always(_)) {
            return document;
        }
        let newest = self.newest(path, document.is_utf8());
        let Some(shown) = newest.filter(|shown| shown.encoding() != document.encoding()) else {
            return document;
        };
        let again = Document::decode_as(document.bytes().to_vec(), shown.encoding());
        if stamp_of(&again.digests()) == shown.stamp() { again } else { document }
    }

    /// How to choose the encoding of a file, from the settings and from `head`, the file's start.
    fn choice_for(&self, path: &Path, head: &[u8]) -> EncodingChoice {
        match self.choice(path) {
            // UTF-16 without a byte order mark may be valid UTF-8, with zeros in it.
            EncodingChoice::Otherwise(encoding)
                if encoding.is_utf16() && matches!(sniff(head), ContentKind::Utf16 { .. }) =>
            {
                EncodingChoice::Always(encoding)
            }
            choice => choice,
        }
    }
}

/// Tells the kind of a file by its first bytes.
pub(crate) fn sniff(bytes: &[u8]) -> ContentKind {
    let head = &bytes[..bytes.len().min(SNIFFED_BYTES)];
    let has_nul = head.contains(&0);
    if Encoding::is_marked_utf16(head) || !has_nul && !is_damaged(head) {
        return ContentKind::Text;
    }
    if let Some(image) = image(head) {
        return ContentKind::Image(image);
    }
    // Text in another encoding may happen to begin with the letters of a signature.
    let is_odd = |byte: &u8| *byte < 0x20 && !b"\t\n\x0c\r\x1b".contains(byte);
    let by_letters = |start: &[u8]| start.iter().all(u8::is_ascii_alphanumeric);
    let is = |(start, _): &&(&[u8], _)| {
        head.starts_with(start) && (!by_letters(start) || head.iter().any(is_odd))
    };
    if let Some((_, name)) = SIGNATURES.iter().find(is) {
        return ContentKind::Binary(Some(name));
    }
    if has_nul {
        return bare_utf16(head).unwrap_or(ContentKind::Binary(None));
    }
    ContentKind::Text
}

/// Whether the bytes are not UTF-8; a character cut off at the end does not count.
fn is_damaged(head: &[u8]) -> bool {
    str::from_utf8(head).is_err_and(|error| error.error_len().is_some())
}

/// The first bytes of files that are not text, and the names of their formats.
const SIGNATURES: [(&[u8], &str); 16] = [
    (b"\x7fELF", "an ELF program"),
    (b"MZ", "a Windows program"),
    (b"\xcf\xfa\xed\xfe", "a Mach-O program"),
    (b"\xca\xfe\xba\xbe", "a Java class or Mach-O program"),
    (b"\x00asm", "a WebAssembly module"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\x00", "xz data"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"OggS", "Ogg media"),
    (b"ID3", "MP3 audio"),
    (b"%PDF-", "a PDF document"),
    (b"\x00\x00\x01\x00", "an icon"),
];

fn image(head: &[u8]) -> Option<&'static str> {
    match head {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [b'B', b'M', _, _, _, _, 0, 0, 0, 0, ..] => Some("image/bmp"),
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f', ..] => Some("image/avif"),
        _ => None,
    }
}

/// UTF-16 without a byte order mark: in Latin text every second byte is zero, the other ones never.
fn bare_utf16(head: &[u8]) -> Option<ContentKind> {
    let (pairs, _) = head.as_chunks::<2>();
    if pairs.len() < 4 {
        return None;
    }
    let zeros = |side: usize| pairs.iter().filter(|pair| pair[side] == 0).count();
    match (zeros(0), zeros(1)) {
        (0, low) if low * 10 >= pairs.len() * 7 => Some(ContentKind::Utf16 { little_endian: true }),
        (high, 0) if high * 10 >= pairs.len() * 7 => {
            Some(ContentKind::Utf16 { little_endian: false })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell_the_kind() {
        assert_eq!(sniff(b"fn main() {}"), ContentKind::Text);
        assert_eq!(sniff(b"\x89PNG\r\n\x1a\n"), ContentKind::Image("image/png"));
        assert_eq!(sniff(b"\x7fELF\x02\x01\x01\x00"), ContentKind::Binary(Some("an ELF program")));
        assert_eq!(sniff(b"a\x00b"), ContentKind::Binary(None));
    }

    #[test]
    fn utf16_is_text_with_a_byte_order_mark_and_recognised_without() {
        let units = || "\u{feff}hello world".encode_utf16();
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        assert_eq!((sniff(&little), sniff(&big)), (ContentKind::Text, ContentKind::Text));
        assert_eq!(sniff(&little[2..]), ContentKind::Utf16 { little_endian: true });
        assert_eq!(sniff(&big[2..]), ContentKind::Utf16 { little_endian: false });
    }

    #[test]
    fn short_text_that_begins_like_a_signature_is_text() {
        for text in ["", "BM", "GIF", "#!/bin/sh", "\u{feff}x", "7z", "RIFF", "ID", "MZ"] {
            assert_eq!(sniff(text.as_bytes()), ContentKind::Text, "{text}");
        }
    }
}
