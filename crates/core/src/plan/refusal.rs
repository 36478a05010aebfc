//! Why a patch is refused, for the caller who has to ask again.

use std::fmt;

use hashline_text::{Anchor, Span};

/// One reason why nothing may be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The operation, counted from 0; `None` if the patch as a whole is meant.
    pub op: Option<usize>,
    /// The stable name of the reason.
    pub code: RefusalCode,
    /// The file, as the caller spelled it; empty if no file is concerned.
    pub path: String,
    /// The anchor that does not fit.
    pub anchor: Option<Anchor>,
    /// What we saw, and what to do next.
    pub reason: String,
    /// Lines of the file that the reader should see now.
    pub look_at: Vec<Span>,
    /// Zero-based lines that may be the one that was meant, the likeliest first.
    pub moved_to: Vec<usize>,
    /// Zero-based lines that older looks showed with other text, and their numbers in those looks:
    /// once the refusal has shown the lines, those looks no longer count for them.
    pub settles: Vec<(usize, usize)>,
}

/// The stable names of the reasons why a patch is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum RefusalCode {
    /// The request is not a patch.
    BadPatch,
    /// An anchor cannot be read.
    BadAnchor,
    /// A path cannot be the name of a file.
    BadPath,
    /// The file is outside the workspace.
    OutsideRoot,
    /// The file belongs to Git itself, which runs programs that it names.
    GitDirectory,
    /// The path is a directory or a device.
    NotAFile,
    /// The file is too large to be edited.
    TooLarge,
    /// The file cannot be read.
    Unreadable,
    /// The file is not text.
    NotText,
    /// The file does not exist.
    FileMissing,
    /// The file exists already.
    FileExists,
    /// Another program changed the file in the meantime.
    FileChanged,
    /// The file is read-only.
    ReadOnly,
    /// Two operations on files exclude each other.
    Conflict,
    /// Two operations change the same lines.
    Overlap,
    /// The line that an anchor was shown for is no longer there.
    StaleAnchor,
    /// A line inside a range is not what was shown.
    StaleRange,
    /// Lines that would be removed were never shown.
    UnseenLines,
    /// A range ends before it starts.
    ReversedRange,
    /// The text to replace does not occur.
    NotFound,
    /// The text to replace occurs several times.
    NotUnique,
    /// A text holds a character that the file's encoding does not have.
    Unencodable,
    /// The file would no longer have the format that its name promises.
    Malformed,
    /// A text holds something that we printed, and cannot be taken for file text.
    PrintedText,
    /// The same patch has changed nothing several times in a row.
    RepeatedNoop,
}

impl RefusalCode {
    /// The name in outcomes.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl RefusalCode {
    /// Whether a line is not what was shown, or was not shown at all, so that the call can be sent
    /// again with fresh anchors.
    pub fn is_stale(self) -> bool {
        matches!(self, Self::StaleAnchor | Self::StaleRange | Self::UnseenLines)
    }
}

impl Refusal {
    /// A refusal that concerns no line.
    pub fn new(op: usize, code: RefusalCode, path: &str, reason: impl Into<String>) -> Self {
        Self {
            op: Some(op),
            code,
            path: path.to_owned(),
            anchor: None,
            reason: reason.into(),
            look_at: Vec::new(),
            moved_to: Vec::new(),
            settles: Vec::new(),
        }
    }

    /// The refusals in the order of the patch, only the first one for each operation.
    pub(crate) fn one_per_op(mut refusals: Vec<Self>) -> Vec<Self> {
        refusals.sort_by_key(|refusal| refusal.op);
        refusals.dedup_by(|later, first| later.op.is_some() && later.op == first.op);
        refusals
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}
