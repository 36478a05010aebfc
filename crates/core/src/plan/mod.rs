//! A patch resolved against real lines; nothing is written yet.
//!
//! [`plan`] finds the line each anchor means ([`resolve`]), corrects the text where that is certain
//! ([`repair`]), refuses changes that overlap ([`order`]) and makes the new documents in memory. It
//! is pure: the session gives it the files as they are and what was shown of them, and the
//! transaction writes the result. Any refusal refuses the whole patch.

mod build;
mod doubtful;
mod files;
mod follow;
mod ground;
mod history;
mod hunk;
mod order;
mod refusal;
mod repair;
mod repeated;
mod replace;
mod resolve;
mod sight;
mod slip;
mod stale;
mod substring;
mod transfer;
mod twins;
mod warn;
mod written;

use std::str::FromStr;
use std::sync::Arc;

use crate::show::brief;
use crate::snapshot::{Snapshot, View};
use hashline_text::{
    Anchor, Document, Encoding, LineDigest, LineNumber, Scheme, SharedBytes, Span, Tag, TagInput,
};

pub use build::plan;
pub use refusal::{Refusal, RefusalCode};
pub use repair::Repaired;
pub use repair::{Repair, Repairs};
pub(crate) use twins::twins_now;
pub use warn::{Warning, WarningCode};

/// What a plan may do beyond the letter of the patch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// The scheme of the tags.
    pub scheme: Scheme,
    /// What to do about anchors that no longer fit their line.
    pub relocation: Relocation,
    /// Which corrections of the text are allowed.
    pub repairs: Repairs,
    /// What to do about lines that were never shown.
    pub unseen: Unseen,
    /// Whether our reports say how far lines have moved, so that a reader may use their new
    /// numbers.
    pub shifts_reported: bool,
}

/// What to do about a change that removes lines that were never shown, in a file of which other
/// lines were. Removing lines that have changed since they were shown is always refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Unseen {
    /// Refuse the change, and show the lines.
    #[default]
    Refuse,
    /// Make the change, and warn.
    Warn,
}

impl Unseen {
    /// Every setting, the default first.
    pub const ALL: [Self; 2] = [Self::Refuse, Self::Warn];

    /// The name used in settings.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What to do about an anchor that no longer fits its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Relocation {
    /// Follow what was shown; for a file of which nothing was shown, look for the tag nearby.
    #[default]
    Auto,
    /// Follow what was shown; where that proves nothing, look for the tag nearby.
    Nearby,
    /// Follow what was shown; never look for a tag.
    Verified,
    /// Refuse every line that has moved.
    Off,
}

impl Relocation {
    /// Every setting, the default first.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Nearby, Self::Verified, Self::Off];

    /// An older name for `Nearby`, still understood.
    const NEARBY_OLD_NAME: &str = "prd";

    /// The name used in settings.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// There is no relocation setting of this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown relocation `{}`: choose one of `{}`", brief(.0), Relocation::ALL.map(Relocation::name).join("`, `"))]
pub struct UnknownRelocation(pub String);

impl UnknownRelocation {
    /// The stable name of this error.
    pub fn code(&self) -> &'static str {
        "unknown_relocation"
    }
}

impl FromStr for Relocation {
    type Err = UnknownRelocation;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        if name == Self::NEARBY_OLD_NAME {
            return Ok(Self::Nearby);
        }
        let known = Self::ALL.into_iter().find(|setting| setting.name() == name);
        known.ok_or_else(|| UnknownRelocation(name.to_owned()))
    }
}

/// A file before the call.
pub struct Before {
    /// The file's path, as the caller spelled it.
    pub path: String,
    /// The text, other content or nothing that the path leads to.
    pub state: FileState,
    /// The versions of the file that were shown, newest first.
    pub versions: Vec<Arc<Snapshot>>,
    /// Whether some versions may have been shown to another reader.
    pub shared: bool,
    /// What was certainly shown to this reader.
    pub view: Option<Arc<View>>,
    /// If the file is missing: existing paths that are spelled much like its own.
    pub near: Vec<String>,
    /// The encoding in which a new text is written there.
    pub encoding: Encoding,
}

/// What is at the path of a file.
pub enum FileState {
    /// Nothing.
    Missing,
    /// A text file.
    Text(Document),
    /// A file whose lines cannot be edited, why, and its bytes.
    Opaque(String, SharedBytes),
}

impl Before {
    /// A file of which this reader alone was shown something.
    pub fn new(path: impl Into<String>, state: FileState, versions: Vec<Arc<Snapshot>>) -> Self {
        let path = path.into();
        let encoding = match &state {
            FileState::Text(document) => document.encoding(),
            _ => Encoding::UTF_8,
        };
        Self { path, state, versions, shared: false, view: None, near: Vec::new(), encoding }
    }

    /// The text, if there is one.
    pub fn document(&self) -> Option<&Document> {
        match &self.state {
            FileState::Text(document) => Some(document),
            _ => None,
        }
    }

    /// The bytes, if there is a file.
    pub fn bytes(&self) -> Option<SharedBytes> {
        match &self.state {
            FileState::Missing => None,
            FileState::Text(document) => Some(document.shared_bytes()),
            FileState::Opaque(_, bytes) => Some(bytes.clone()),
        }
    }
}

/// Which files an operation means, as indexes into the list of files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpTarget {
    /// The file that the operation changes.
    pub file: usize,
    /// The file that it moves that file to, or that gets its lines.
    pub to: Option<usize>,
}

/// What a patch will do, file by file.
#[derive(Debug, Default)]
pub struct Plan {
    /// The files that the patch names, in its order.
    pub files: Vec<FilePlan>,
    /// Anchors that were followed to another line.
    pub relocated: Vec<Relocated>,
    /// Corrections that were made.
    pub repaired: Vec<Made>,
    /// What the reader should check.
    pub warnings: Vec<Warning>,
    /// The number of operations.
    pub ops: usize,
}

impl Plan {
    /// Whether it changes nothing at all.
    pub fn is_noop(&self) -> bool {
        self.files.iter().all(|file| matches!(file.end, End::Kept))
    }
}

/// What a patch will do to one file.
#[derive(Debug)]
pub struct FilePlan {
    /// The file, as an index into the list of files.
    pub file: usize,
    /// What becomes of the file.
    pub end: End,
    /// The lines that change, in order.
    pub hunks: Vec<Hunk>,
    /// The copied and moved lines among the new lines, in order.
    pub brought: Vec<Brought>,
    /// Lines of the new text, zero-based and near the changes, whose anchors were shown for other
    /// lines that are still there; they must not be shown with a tag.
    pub twins: Vec<usize>,
}

/// Copied or moved lines: before the call they were in this file or another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Brought {
    /// The lines.
    pub lines: Span,
    /// The zero-based lines among them that the reader has not seen as they are now.
    pub unseen: Vec<usize>,
}

/// What becomes of a file.
#[derive(Debug)]
pub enum End {
    /// The file stays as it was: it already reads as asked.
    Kept,
    /// The file's text changes.
    Changed(Document),
    /// The file is created, or replaced as a whole.
    Created(Document),
    /// The file is deleted.
    Deleted,
    /// The file is renamed, and its text perhaps changed.
    Moved {
        /// The new path, as an index into the list of files.
        to: usize,
        /// The new text, if it changes.
        after: Option<Document>,
    },
}

/// Lines that change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hunk {
    /// The lines as they were.
    pub before: Span,
    /// The new lines.
    pub after: Span,
}

/// An anchor that was followed to another line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relocated {
    /// The operation.
    pub op: usize,
    /// The file, as a place in the list of files.
    pub file: usize,
    /// The anchor as the model gave it.
    pub anchor: Anchor,
    /// The line it was followed to.
    pub to: LineNumber,
    /// Whether what was shown proves it; otherwise only the tag does.
    pub verified: bool,
}

/// A correction that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// The operation.
    pub op: usize,
    /// The file, as a place in the list of files.
    pub file: usize,
    /// The line where the change begins, in the file before the call.
    pub line: LineNumber,
    /// What was corrected, and how.
    pub what: Repaired,
}

/// A text file as it is now, with the digests that anchors are compared to.
pub struct Now<'a> {
    /// The file's text.
    pub document: &'a Document,
    /// The digest of each line.
    pub digests: Vec<LineDigest>,
    scheme: Scheme,
}

impl<'a> Now<'a> {
    /// Computes the digests of a document.
    pub fn new(document: &'a Document, scheme: Scheme) -> Self {
        Self { document, digests: document.digests(), scheme }
    }

    /// The text of the line with this index; empty past the end.
    pub fn content(&self, index: usize) -> &'a str {
        content(self.document, index)
    }

    /// The tag of the line with this index.
    pub fn tag(&self, index: usize) -> Tag {
        tag_at(self.document, index, self.scheme)
    }
}

/// The tag of one line of a document.
pub(crate) fn tag_at(document: &Document, index: usize, scheme: Scheme) -> Tag {
    let at = |index| content(document, index).as_bytes();
    scheme.tag(TagInput {
        number: LineNumber::at(index),
        before: index.checked_sub(1).map_or(&[][..], at),
        content: at(index),
        after: at(index + 1),
    })
}

fn content(document: &Document, index: usize) -> &str {
    document.content(LineNumber::at(index)).unwrap_or_default()
}
