//! The patch that a model asks for.
//!
//! A [`Patch`] is a list of operations in one form; `wire` reads every accepted spelling into it.
//! Nothing here reads a file: `plan` finds out which line an anchor means, and whether it still
//! fits.

mod text;

use hashline_text::WrittenAnchor;
pub use text::lines_of;
pub(crate) use text::plain_newlines;

/// All operations of one call, to be done together or not at all.
#[derive(Clone, PartialEq, Debug)]
pub struct Patch {
    /// The operations in the order given.
    pub ops: Vec<Op>,
    /// The file that is assumed for operations that name no file.
    pub assumed_path: Option<String>,
    /// The fields that were ignored because they say nothing about the change.
    pub ignored: Vec<String>,
    /// The indexes of operations without an `op`, whose kind was inferred from their fields.
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
    /// Whether the text must be taken letter by letter, without repairs.
    pub exact: bool,
    /// Whether its text ends without a newline: this counts in an empty file only.
    pub open: bool,
    /// What the operation does to the file.
    pub change: Change,
}

/// What an operation does to its file.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// Replaces one line; without new lines, deletes it.
    SetLine {
        /// The line.
        anchor: WrittenAnchor,
        /// The new text.
        lines: Vec<String>,
    },
    /// Replaces several lines; without new lines, deletes them.
    ReplaceRange {
        /// The first line replaced.
        start: WrittenAnchor,
        /// The last line replaced.
        end: WrittenAnchor,
        /// The new text.
        lines: Vec<String>,
    },
    /// Inserts lines between others.
    Insert {
        /// The place where the lines are inserted.
        at: Spot,
        /// The new lines, at least one.
        lines: Vec<String>,
    },
    /// Deletes lines.
    Delete {
        /// The first line deleted.
        start: WrittenAnchor,
        /// The last line deleted, if it is not the first.
        end: Option<WrittenAnchor>,
    },
    /// Replaces lines that are named by their text, which must occur once.
    Hunk {
        /// The old lines, which must follow each other in the file.
        old: Vec<String>,
        /// The new text.
        new: Vec<String>,
    },
    /// Replaces text by text.
    Replace {
        /// The old text, which must occur.
        old: String,
        /// The text that replaces the old text.
        new: String,
        /// Whether every occurrence is replaced.
        all: bool,
        /// The first and the last of the lines in which the old text must occur.
        within: Option<(WrittenAnchor, WrittenAnchor)>,
    },
    /// Copies or moves lines, within this file or to another.
    Transfer {
        /// The first of the lines.
        start: WrittenAnchor,
        /// The last of the lines, if it is not the first.
        end: Option<WrittenAnchor>,
        /// The file that gets the lines, as the caller spelled it; `None` for the same file.
        to: Option<String>,
        /// The place in that file.
        at: Spot,
        /// Whether the lines also stay where they are.
        keep: bool,
        /// Whether the lines are indented like the line beside which they are put.
        reindent: bool,
    },
    /// Creates a file.
    AddFile {
        /// The whole text of the file.
        content: String,
        /// Whether an existing file may be replaced.
        overwrite: bool,
    },
    /// Gives a file another name.
    MoveFile {
        /// The new name, as the caller spelled it.
        to: String,
    },
    /// Deletes a file.
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
