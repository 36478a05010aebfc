//! The line digests of a file that was read whole.

use std::sync::Arc;

use hashline_text::{Digest, LineDigest};

/// The digests of all lines of one version of a file. Clones share them.
#[derive(Clone, Debug)]
pub struct FileLines {
    /// The digest of the file's bytes, if it was computed.
    content: Option<Digest>,
    stamp: u64,
    digests: Arc<[LineDigest]>,
}

impl FileLines {
    /// The lines of a file whose bytes have this digest.
    pub fn of(content: Digest, digests: Vec<LineDigest>) -> Self {
        Self { content: Some(content), ..Self::from(digests) }
    }

    /// The digest of the file's bytes, if it is known.
    pub fn content(&self) -> Option<Digest> {
        self.content
    }

    /// A number that tells this version from others.
    pub fn stamp(&self) -> u64 {
        self.stamp
    }

    /// The digest of every line.
    pub fn digests(&self) -> &[LineDigest] {
        &self.digests
    }
}

impl From<Vec<LineDigest>> for FileLines {
    fn from(digests: Vec<LineDigest>) -> Self {
        Self { content: None, stamp: stamp_of(&digests), digests: digests.into() }
    }
}

impl PartialEq for FileLines {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.digests, &other.digests)
            || self.stamp == other.stamp && self.digests == other.digests
    }
}

impl Eq for FileLines {}

/// The stamp of a version that has these lines.
pub(crate) fn stamp_of(lines: &[LineDigest]) -> u64 {
    let bytes: Vec<[u8; 8]> = lines.iter().map(|line| line.0.to_le_bytes()).collect();
    Digest::of(bytes.as_flattened()).0
}
