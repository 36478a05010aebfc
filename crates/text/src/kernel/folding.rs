//! Which characters count as equal before a line is hashed.

/// Which characters count as equal before hashing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Folding {
    /// No two different characters.
    None,
    /// Typographic dashes and quotes, and their plain forms.
    Punctuation,
}

/// The plain form of the typographic dash or quote that `text` starts with. Each takes three bytes.
pub(super) fn plain_punctuation(text: &[u8]) -> Option<u8> {
    match *text {
        [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => Some(b'-'),
        [0xe2, 0x80, 0x98..=0x9b, ..] => Some(b'\''),
        [0xe2, 0x80, 0x9c..=0x9f, ..] => Some(b'"'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_and_quotes_have_plain_forms_and_others_have_none() {
        let plain: Vec<_> = "“”–‘’−—é中😀\u{2016}\u{2213}"
            .chars()
            .map(|c| plain_punctuation(c.to_string().as_bytes()).map(char::from))
            .collect();
        let dashes =
            [Some('"'), Some('"'), Some('-'), Some('\''), Some('\''), Some('-'), Some('-')];
        assert_eq!(plain, [&dashes[..], &[None; 5]].concat());
    }
}
