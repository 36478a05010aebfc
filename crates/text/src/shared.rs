//! A file's bytes, shared by all parts of a call that need them.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Bytes with several owners; cloning does not copy them.
///
/// ```
/// use hashline_text::{Document, SharedBytes};
/// let document = Document::from_text("roses\n");
/// let bytes = document.shared_bytes();
/// assert_eq!(*bytes, *b"roses\n");
/// assert_eq!(bytes, SharedBytes::from(b"roses\n".to_vec()));
/// ```
#[derive(Clone)]
pub struct SharedBytes(Held);

/// Bytes, or text that is already known to be UTF-8; neither is copied.
#[derive(Clone)]
enum Held {
    Bytes(Arc<Vec<u8>>),
    Text(Arc<String>),
}

impl Deref for SharedBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Held::Bytes(bytes) => bytes,
            Held::Text(text) => text.as_bytes(),
        }
    }
}

impl From<Vec<u8>> for SharedBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Arc::new(bytes).into()
    }
}

impl From<Arc<Vec<u8>>> for SharedBytes {
    fn from(bytes: Arc<Vec<u8>>) -> Self {
        Self(Held::Bytes(bytes))
    }
}

impl From<String> for SharedBytes {
    fn from(text: String) -> Self {
        Arc::new(text).into()
    }
}

impl From<Arc<String>> for SharedBytes {
    fn from(text: Arc<String>) -> Self {
        Self(Held::Text(text))
    }
}

impl PartialEq for SharedBytes {
    fn eq(&self, other: &Self) -> bool {
        let (a, b): (&[u8], &[u8]) = (self, other);
        std::ptr::eq(a, b) || a == b
    }
}

impl Eq for SharedBytes {}

impl fmt::Debug for SharedBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.escape_ascii())
    }
}
