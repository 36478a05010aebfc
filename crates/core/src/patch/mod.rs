//! What was asked for.
//!
//! A [`Patch`] is a list of operations in one form; `wire` reads every accepted spelling into it.
//! Nothing here has looked at a file: which line an anchor means, and whether it still fits, is the
//! question of `plan`.

mod text;

use hashline_text::WrittenAnchor;
pub use text::lines_of;
pub(crate) use text::plain_newlines;

/// All operations of one call, to be done together or not at all.
#[derive(Clone, PartialEq, Debug)]
pub struct Patch {
    /// The operations in the order given.
    pub ops: Vec<Op>,
    /// The file that was taken for operations that name none.
    pub assumed_path: Option<String>,
    /// Fields that were left out because they say nothing about the change.
    pub ignored: Vec<String>,
    /// Operations that did not say what they are, and were read by their fields.
    pub unnamed: Vec<usize>,
}

impl Patch {
    /// A patch whose operations all name their file.
    pub fn new(ops: Vec<Op>) -> Self {
        Self { ops, assumed_path: None, ignored: Vec::new(), unnamed: Vec::new() }
    }
}

/// One operation on one file.
#[derive(Clone, PartialEq, Debug)]
pub struct Op {
    /// The file, as the caller spelled it.
    pub path: String,
    /// Whether the text is to be taken letter by letter, without repairs.
    pub exact: bool,
    /// Whether its text ends without a newline. Lines have one all the same, but in an empty file.
    pub open: bool,
    /// What to do.
    pub change: Change,
}

/// What an operation does to its file.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// Puts lines in the place of one line; no lines delete it.
    SetLine {
        /// The line.
        anchor: WrittenAnchor,
        /// The new text.
        lines: Vec<String>,
    },
    /// Puts lines in the place of several; no lines delete them.
    ReplaceRange {
        /// The first line replaced.
        start: WrittenAnchor,
        /// The last line replaced.
        end: WrittenAnchor,
        /// The new text.
        lines: Vec<String>,
    },
    /// Puts lines between others.
    Insert {
        /// Where.
        at: Spot,
        /// The new lines, at least one.
        lines: Vec<String>,
    },
    /// Takes lines out.
    Delete {
        /// The first line deleted.
        start: WrittenAnchor,
        /// The last line deleted, if it is not the first.
        end: Option<WrittenAnchor>,
    },
    /// Puts lines in the place of lines that are named by their text, which must occur once.
    Hunk {
        /// The lines that must be there, side by side.
        old: Vec<String>,
        /// The new text.
        new: Vec<String>,
    },
    /// Replaces text by text.
    Replace {
        /// The text that must be there.
        old: String,
        /// The text that takes its place.
        new: String,
        /// Whether several places are meant.
        all: bool,
        /// The first and the last of the lines in which it must be.
        within: Option<(WrittenAnchor, WrittenAnchor)>,
    },
    /// Puts lines that are there elsewhere, in this file or another.
    Transfer {
        /// The first of the lines.
        start: WrittenAnchor,
        /// The last of them, if it is not the first.
        end: Option<WrittenAnchor>,
        /// The file that gets them, as the caller spelled it; the same one if there is none.
        to: Option<String>,
        /// Where in that file.
        at: Spot,
        /// Whether they stay where they are, too.
        keep: bool,
        /// Whether they are indented as the line is beside which they are put.
        reindent: bool,
    },
    /// Makes a file.
    AddFile {
        /// All of its text.
        content: String,
        /// Whether a file that exists may be replaced.
        overwrite: bool,
    },
    /// Gives a file another name.
    MoveFile {
        /// The new name, as the caller spelled it.
        to: String,
    },
    /// Removes a file.
    DeleteFile,
}

/// A place between two lines.
#[derive(Clone, PartialEq, Debug)]
pub enum Spot {
    /// Before a line.
    Before(WrittenAnchor),
    /// After a line.
    After(WrittenAnchor),
    /// Before the first line.
    Start,
    /// After the last line.
    End,
}

impl Change {
    /// The name of the operation.
    pub fn name(&self) -> &'static str {
        match self {
            Self::SetLine { .. } => "set_line",
            Self::ReplaceRange { .. } => "replace_range",
            Self::Insert { at: Spot::Before(_) | Spot::Start, .. } => "insert_before",
            Self::Insert { .. } => "insert_after",
            Self::Delete { .. } => "delete",
            Self::Hunk { .. } => "hunk",
            Self::Replace { .. } => "replace",
            Self::Transfer { keep: false, .. } => "move_lines",
            Self::Transfer { .. } => "copy_lines",
            Self::AddFile { .. } => "add_file",
            Self::MoveFile { .. } => "move_file",
            Self::DeleteFile => "delete_file",
        }
    }
}
