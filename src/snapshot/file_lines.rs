//! What is known of a file that was read whole.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::text::{Digest, LineDigest, document};

/// Up to this size a file is kept as its text until somebody asks for the digests of its lines.
pub const MOST_HELD: usize = 1 << 20;

/// The digests of all lines of one version of a file. Copies share them.
///
/// Most files that are shown do not change afterwards, and nobody asks what their lines were. So a
/// file can be kept as its text, which costs next to no time, until somebody does or room is short:
/// the digests take about a quarter of it.
#[derive(Clone)]
pub struct FileLines {
    /// The digest of the file's bytes, if they were at hand.
    content: Option<Digest>,
    lines: Arc<LazyLines>,
}

struct LazyLines {
    /// The file, until its lines are digested.
    text: Mutex<Option<Box<str>>>,
    digests: OnceLock<Vec<LineDigest>>,
    stamp: OnceLock<u64>,
}

impl FileLines {
    /// The lines of a file that has these bytes.
    pub fn of(content: Digest, digests: Vec<LineDigest>) -> Self {
        Self { content: Some(content), ..Self::from(digests) }
    }

    /// The lines of a file that has this text, to be digested when somebody asks for them. A long
    /// text is digested at once.
    ///
    /// ```
    /// use hashline::snapshot::FileLines;
    /// use hashline::{Digest, Document};
    /// let lines = FileLines::held(Digest::of(b"a\nb"), "a\nb");
    /// assert_eq!(lines.len(), 2);
    /// assert_eq!(lines.digests(), Document::from_text("a\nb").digests());
    /// ```
    pub fn held(content: Digest, text: &str) -> Self {
        if text.len() > MOST_HELD {
            return Self::of(content, document::digests(text));
        }
        let text = Mutex::new(Some(text.into()));
        let (digests, stamp) = (OnceLock::new(), OnceLock::new());
        Self { content: Some(content), lines: Arc::new(LazyLines { text, digests, stamp }) }
    }

    /// The digest of the file's bytes, if it is known.
    pub fn content(&self) -> Option<Digest> {
        self.content
    }

    /// What tells this version from others.
    pub fn stamp(&self) -> u64 {
        *self.lines.stamp.get_or_init(|| stamp_of(self.digests()))
    }

    /// The digest of every line.
    pub fn digests(&self) -> &[LineDigest] {
        self.lines.digests.get_or_init(|| {
            // Nothing is kept of the text: whoever asks once will ask again.
            let text = self.text().take().unwrap_or_default();
            document::digests(&text)
        })
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        if self.lines.digests.get().is_none()
            && let Some(text) = &*self.text()
        {
            return document::line_count(text);
        }
        self.digests().len()
    }

    /// Whether there is no line at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        if self.lines.digests.get().is_none()
            && let Some(text) = &*self.text()
        {
            return text.len();
        }
        size_of_val(self.digests())
    }

    fn text(&self) -> MutexGuard<'_, Option<Box<str>>> {
        self.lines.text.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<Vec<LineDigest>> for FileLines {
    fn from(digests: Vec<LineDigest>) -> Self {
        let (text, stamp) = (Mutex::new(None), OnceLock::new());
        Self { content: None, lines: Arc::new(LazyLines { text, digests: digests.into(), stamp }) }
    }
}

impl PartialEq for FileLines {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.lines, &other.lines)
            || self.content.is_some() && self.content == other.content
            // Files that differ in their line endings have the same lines.
            || self.stamp() == other.stamp() && self.digests() == other.digests()
    }
}

impl Eq for FileLines {}

impl fmt::Debug for FileLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.digests()).finish()
    }
}

/// The stamp of the version that has these lines.
pub fn stamp_of(lines: &[LineDigest]) -> u64 {
    let bytes: Vec<[u8; 8]> = lines.iter().map(|line| line.0.to_le_bytes()).collect();
    Digest::of(bytes.as_flattened()).0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(text: &str) -> FileLines {
        FileLines::held(Digest::of(text.as_bytes()), text)
    }

    #[test]
    fn a_text_is_held_until_its_digests_are_asked_for() {
        let text = "a line of some length\n".repeat(10);
        let (lines, digested) = (held(&text), FileLines::from(document::digests(&text)));
        assert_eq!((lines.len(), lines.bytes()), (10, text.len()));
        let copy = lines.clone();
        assert_eq!((lines.digests(), lines.stamp()), (digested.digests(), digested.stamp()));
        for lines in [copy, digested] {
            assert_eq!((lines.len(), lines.bytes()), (10, 80));
        }
    }

    #[test]
    fn the_same_bytes_are_the_same_lines_and_nothing_is_digested_to_know_it() {
        let (one, other) = (held("a\nb\n"), held("a\nb\n"));
        assert_eq!(one, other);
        assert_eq!([&one, &other].map(FileLines::bytes), [4, 4], "both are texts still");
        assert_eq!(one, held("a\r\nb"));
        assert_ne!(one, held("a\nc\n"));
    }

    #[test]
    fn a_long_text_is_digested_at_once() {
        let text = "0123456\n".repeat(MOST_HELD / 8);
        assert_eq!(held(&text).bytes(), MOST_HELD);
        assert_eq!(held(&(text + "x")).bytes(), MOST_HELD + 8, "a digest for each line");
    }
}
