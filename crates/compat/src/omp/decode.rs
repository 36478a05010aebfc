//! UTF-8 that arrives in pieces.

/// Decodes like the web's `TextDecoder`: each maximal part of a broken character becomes one
/// U+FFFD, and a byte order mark at the very start is dropped.
#[derive(Default)]
pub(super) struct StreamDecoder {
    /// The start of a character whose rest has not come yet: at most three bytes.
    partial: Vec<u8>,
    /// Whether something other than a byte order mark has been decoded.
    started: bool,
}

const BYTE_ORDER_MARK: &str = "\u{feff}";

impl StreamDecoder {
    /// Decodes a piece and emits its complete characters.
    pub(super) fn push(&mut self, bytes: &[u8], mut emit: impl FnMut(&str)) {
        if self.partial.is_empty() {
            self.decode(bytes, &mut emit);
        } else {
            // Complete the character first, so that the bulk of the piece is not copied.
            let mut head = std::mem::take(&mut self.partial);
            let (few, rest) = bytes.split_at(bytes.len().min(3));
            head.extend_from_slice(few);
            let used = self.decode(&head, &mut emit);
            if !rest.is_empty() {
                // The bytes not decoded, three at most, are the end of `few`.
                let left_over = head.len() - used;
                self.partial.clear();
                self.decode(&bytes[few.len() - left_over..], &mut emit);
            }
        }
    }

    /// Ends the text: a character that was never completed becomes U+FFFD.
    pub(super) fn finish(&mut self, mut emit: impl FnMut(&str)) {
        if !self.partial.is_empty() {
            self.partial.clear();
            self.emit("\u{fffd}", &mut emit);
        }
    }

    /// Decodes up to an incomplete character, keeps that for later, and returns where it starts.
    fn decode(&mut self, bytes: &[u8], emit: &mut impl FnMut(&str)) -> usize {
        let mut at = 0;
        loop {
            match str::from_utf8(&bytes[at..]) {
                Ok(text) => {
                    self.emit(text, emit);
                    return bytes.len();
                }
                Err(error) => {
                    let end = at + error.valid_up_to();
                    let valid = str::from_utf8(&bytes[at..end]).expect("valid up to here");
                    self.emit(valid, emit);
                    let Some(broken) = error.error_len() else {
                        self.partial = bytes[end..].to_vec();
                        return end;
                    };
                    self.emit("\u{fffd}", emit);
                    at = end + broken;
                }
            }
        }
    }

    fn emit(&mut self, text: &str, emit: &mut impl FnMut(&str)) {
        if text.is_empty() {
            return;
        }
        let started = std::mem::replace(&mut self.started, true);
        let text = if started { text } else { text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text) };
        if !text.is_empty() {
            emit(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StreamDecoder;
    use proptest::prelude::*;

    fn decode<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> String {
        let mut out = String::new();
        let mut decoder = StreamDecoder::default();
        for piece in pieces {
            decoder.push(piece, |text| out.push_str(text));
        }
        decoder.finish(|text| out.push_str(text));
        out
    }

    /// Bytes that are often the start, the middle or the end of a character.
    fn byte() -> impl Strategy<Value = u8> {
        prop::sample::select(vec![
            b'a', b'\n', 0x80, 0x9f, 0xa0, 0xbb, 0xbf, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xff,
        ])
    }

    proptest! {
        #[test]
        fn pieces_decode_as_the_whole_does(bytes in prop::collection::vec(byte(), 0..24), size in 1..6_usize) {
            let whole = String::from_utf8_lossy(&bytes).into_owned();
            let expected = whole.strip_prefix('\u{feff}').unwrap_or(&whole);
            prop_assert_eq!(decode(bytes.chunks(size)), expected);
            prop_assert_eq!(decode([&bytes[..]]), expected);
        }
    }

    #[test]
    fn only_the_first_byte_order_mark_is_dropped() {
        assert_eq!(decode(["\u{feff}\u{feff}a".as_bytes()]), "\u{feff}a");
    }
}
