//! Decoding patches that are given in base64.

use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

/// The bytes of a text in base64, with or without its padding and line breaks.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let config =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let plain: String = text.split_whitespace().collect();
    let standard = GeneralPurpose::new(&base64::alphabet::STANDARD, config);
    let url_safe = GeneralPurpose::new(&base64::alphabet::URL_SAFE, config);
    standard.decode(&plain).or_else(|_| url_safe.decode(&plain)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded_in_every_form_that_tools_write() {
        for text in ["eyJhIjoxfQ==", "eyJhIjoxfQ", "eyJh\nIjoxfQ==\n"] {
            assert_eq!(from_base64(text).as_deref(), Some(&br#"{"a":1}"#[..]), "{text}");
        }
        assert_eq!(from_base64("-_8").as_deref(), Some(&[0xfb, 0xff][..]));
        assert_eq!(from_base64("not base64!"), None);
    }
}
