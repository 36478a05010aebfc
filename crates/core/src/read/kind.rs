//! What a file's first bytes say it is.

use crate::grep::HEAD;

/// What a file holds, as far as its first bytes tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ContentKind {
    /// Text, unless a later byte is not UTF-8.
    Text,
    /// An image that a host can show, by its media type.
    Image(&'static str),
    /// Text in 16-bit units; `true` if the low byte comes first.
    Utf16 {
        /// Whether the low byte comes first.
        little_endian: bool,
    },
    /// Bytes that are no text, by their name if they are known.
    Binary(Option<&'static str>),
}

/// Tells what a file is by how it starts.
pub(crate) fn sniff(bytes: &[u8]) -> ContentKind {
    let head = &bytes[..bytes.len().min(HEAD)];
    let has_nul = head.contains(&0);
    if !has_nul && !is_damaged(head) {
        return ContentKind::Text;
    }
    if let Some(image) = image(head) {
        return ContentKind::Image(image);
    }
    match head {
        [0xff, 0xfe, rest @ ..] if !rest.starts_with(&[0, 0]) => {
            return ContentKind::Utf16 { little_endian: true };
        }
        [0xfe, 0xff, ..] => {
            return ContentKind::Utf16 { little_endian: false };
        }
        _ => {}
    }
    if let Some((_, name)) = SIGNATURES.iter().find(|(start, _)| head.starts_with(start)) {
        return ContentKind::Binary(Some(name));
    }
    if has_nul {
        return bare_utf16(head).unwrap_or(ContentKind::Binary(None));
    }
    ContentKind::Text
}

/// Whether a byte is not UTF-8; a character cut off at the end does not count.
fn is_damaged(head: &[u8]) -> bool {
    str::from_utf8(head).is_err_and(|error| error.error_len().is_some())
}

/// How files begin that are no text.
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

/// UTF-16 without a mark: Latin text has a zero in every second byte, on one side only.
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
    fn utf16_is_known_with_and_without_a_mark() {
        let little: Vec<u8> =
            "\u{feff}hello world".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> =
            "\u{feff}hello world".encode_utf16().flat_map(u16::to_be_bytes).collect();
        for from in [0, 2] {
            assert_eq!(sniff(&little[from..]), ContentKind::Utf16 { little_endian: true });
            assert_eq!(sniff(&big[from..]), ContentKind::Utf16 { little_endian: false });
        }
    }

    #[test]
    fn text_is_text() {
        for text in ["", "BM", "GIF", "#!/bin/sh", "\u{feff}x", "7z", "RIFF", "ID", "MZ"] {
            assert_eq!(sniff(text.as_bytes()), ContentKind::Text, "{text}");
        }
    }
}
