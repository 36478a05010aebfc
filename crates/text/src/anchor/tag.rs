//! The short hash that identifies a line's content.

use std::fmt;

/// Up to four ASCII letters or digits computed from a line's content.
///
/// Tags that differ only in case are equal: a model that writes `A3` means `a3`. No scheme has two
/// tags that differ only in case.
#[derive(Clone, Copy, PartialOrd, Ord)]
pub struct Tag {
    len: u8,
    text: [u8; 4],
}

impl Tag {
    /// The tag with this text; `None` unless it has one to four ASCII letters or digits.
    ///
    /// ```
    /// use hashline_text::Tag;
    /// assert_eq!(Tag::new("a3"), Tag::new("A3"));
    /// assert_eq!(Tag::new("a-3"), None);
    /// ```
    pub fn new(text: &str) -> Option<Self> {
        Self::from_bytes(text.as_bytes())
    }

    /// Like [`Tag::new`], for bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.is_empty() || bytes.len() > 4 || !bytes.iter().all(u8::is_ascii_alphanumeric) {
            return None;
        }
        let mut tag = Self { len: u8::try_from(bytes.len()).ok()?, text: [0; 4] };
        tag.text[..bytes.len()].copy_from_slice(bytes);
        Some(tag)
    }

    /// The text of the tag.
    pub fn as_str(&self) -> &str {
        str::from_utf8(self.as_bytes()).expect("a tag is made of ASCII")
    }

    /// The text of the tag as bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.text[..usize::from(self.len)]
    }

    /// Two hexadecimal digits for a byte.
    pub(super) fn hex(byte: u8) -> Self {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        Self::pair(DIGITS, byte)
    }

    /// Two letters of an alphabet of sixteen, one for each half of the byte, the high half first.
    pub(super) fn pair(alphabet: &[u8; 16], byte: u8) -> Self {
        let [high, low] = [byte >> 4, byte & 15].map(|half| alphabet[usize::from(half)]);
        Self { len: 2, text: [high, low, 0, 0] }
    }

    /// `N` lower-case letters, most significant first. `value` must be below 26 to the power of
    /// `N`.
    pub(super) fn letters<const N: usize>(mut value: u32) -> Self {
        let mut tag = Self { len: u8::try_from(N).expect("a tag is short"), text: [0; 4] };
        for place in tag.text[..N].iter_mut().rev() {
            *place = b'a' + u8::try_from(value % 26).expect("a remainder of 26 fits");
            value /= 26;
        }
        tag
    }
}

impl PartialEq for Tag {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes().eq_ignore_ascii_case(other.as_bytes())
    }
}

impl Eq for Tag {}

impl std::hash::Hash for Tag {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text.to_ascii_lowercase().hash(state);
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}
