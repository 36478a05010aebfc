//! Whether bytes are UTF-8; the only module that uses `simdutf8`.

/// The bytes as text, or the offset of the first byte that is not UTF-8.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, usize> {
    if cfg!(miri) {
        // `simdutf8` 0.1.5 prefetches from addresses past the end, and computes them with `add`,
        // which Miri rejects. Their pull request 120, not released yet, uses `wrapping_add`.
        return str::from_utf8(bytes).map_err(|error| error.valid_up_to());
    }
    simdutf8::basic::from_utf8(bytes).map_err(|_| match str::from_utf8(bytes) {
        Err(error) => error.valid_up_to(),
        Ok(_) => unreachable!("both define UTF-8 alike"),
    })
}

/// The bytes as text in the same memory, or the offset of the first byte that is not UTF-8, and the
/// bytes.
pub fn into_text(bytes: Vec<u8>) -> Result<String, (usize, Vec<u8>)> {
    if let Err(offset) = text(&bytes) {
        return Err((offset, bytes));
    }
    #[expect(unsafe_code, reason = "the standard library's check takes several times as long")]
    // SAFETY: the bytes were found to be UTF-8.
    Ok(unsafe { String::from_utf8_unchecked(bytes) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_first_byte_that_cannot_be_read_is_named() {
        assert_eq!(text("né".as_bytes()), Ok("né"));
        assert_eq!(text(b"n\xe9"), Err(1));
    }

    proptest! {
        #[test]
        fn utf8_is_recognised_as_by_the_standard_library(
            parts in prop::collection::vec(prop_oneof![
                8 => ".{0,40}".prop_map(String::into_bytes),
                1 => prop::collection::vec(0x80..=0xff_u8, 1..4),
            ], 0..8),
        ) {
            let bytes = parts.concat();
            let expected = String::from_utf8(bytes.clone()).map_err(|e| e.utf8_error().valid_up_to());
            prop_assert_eq!(text(&bytes).map(str::to_owned), expected.clone());
            prop_assert_eq!(into_text(bytes.clone()), expected.map_err(|offset| (offset, bytes)));
        }
    }
}
