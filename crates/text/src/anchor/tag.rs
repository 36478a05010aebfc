//! The short name of a line's content.

use std::fmt;

/// Up to four ASCII letters or digits computed from a line's content.
///
/// Two tags are equal if they differ in case only: a model that shouts `A3` means `a3`. No scheme
/// has two tags that differ in case only.
#[derive(Clone, Copy, PartialOrd, Ord)]
pub struct Tag {
    len: u8,
    text: [u8; 4],
}

impl Tag {
    /// `None` if `text` is empty, longer than four characters, or more than letters and digits.
    ///
    /// ```
    /// use hashline_text::Tag;
    /// assert_eq!(Tag::new("a3"), Tag::new("A3"));
    /// assert_eq!(Tag::new("a-3"), None);
    /// ```
    pub fn new(text: &str) -> Option<Self> {
        Self::from_bytes(text.as_bytes())
    }

    /// As [`Tag::new`], for text that is still bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.is_empty() || bytes.len() > 4 || !bytes.iter().all(u8::is_ascii_alphanumeric) {
            return None;
        }
        let mut tag = Self { len: u8::try_from(bytes.len()).ok()?, text: [0; 4] };
        tag.text[..bytes.len()].copy_from_slice(bytes);
        Some(tag)
    }

    /// The printed tag.
    pub fn as_str(&self) -> &str {
        str::from_utf8(self.as_bytes()).expect("a tag is made of ASCII")
    }

    /// The bytes of the printed tag.
    pub fn as_bytes(&self) -> &[u8] {
        &self.text[..usize::from(self.len)]
    }

    /// Two hexadecimal digits for a byte.
    pub(super) fn hex(byte: u8) -> Self {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        Self::pair(DIGITS, byte)
    }

    /// Two letters of an alphabet of sixteen, high half first.
    pub(super) fn pair(alphabet: &[u8; 16], byte: u8) -> Self {
        let [high, low] = [byte >> 4, byte & 15].map(|half| alphabet[usize::from(half)]);
        Self { len: 2, text: [high, low, 0, 0] }
    }

    /// `N` lower-case letters, most significant first. `value` is below 26 to the power of `N`.
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
