//! Showing files.
//!
//! `load` reads what is wanted of one path from the disk, or returns the `ReadRefusal` that says
//! why it cannot be shown; `assemble` makes one text of several paths within a budget, and says
//! what was shown, so that the session can remember it. One bad path does not stop the others.

mod assemble;
mod body;
mod changes;
mod host;
mod load;
mod notebook;
mod refusal;
mod stream;
mod window;

pub use assemble::ShownFile;
pub(crate) use assemble::assemble;
pub use host::HostKind;
pub(crate) use load::{LARGE, load};
pub use notebook::LeftOut;
pub use refusal::{ReadRefusal, ReadRefusalCode};
pub use stream::{PrintedRows, RowsWanted, StreamFault, StreamSource, StreamedLine, print_rows};

pub use crate::workspace::{LineRange, Location, Missing};

use std::ops::Range;

use crate::grep::{ContextLines, Reading};

/// Which paths to read, and what is wanted of them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ReadRequest {
    /// The paths, in the order of the answer.
    pub files: Vec<FileRequest>,
    /// The kinds of content that the host shows itself: refusing them is no error.
    pub host_reads: Vec<HostKind>,
}

/// What is wanted of one path.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FileRequest {
    /// The path as the caller spelled it.
    pub path: String,
    /// Which lines to show, or where a search starts.
    pub wanted: LinesWanted,
    /// What to search for; without it, all lines are shown.
    pub search: Option<Lookup>,
    /// Whether only what changed since the file was shown is wanted.
    pub changes: bool,
}

/// What a read says about an earlier look at the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SinceShown {
    /// The lines have not changed since they were shown.
    Unchanged,
    /// Changes were asked for, and are shown.
    Changed,
    /// Changes were asked for, but nothing was shown before, or the file is too large to compare.
    Unknown,
}

impl SinceShown {
    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Changed => "changed",
            Self::Unknown => "unknown",
        }
    }
}

/// A search inside the files that are read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lookup {
    /// The pattern.
    pub pattern: String,
    /// How to read the pattern.
    pub reading: Reading,
    /// How many lines are shown around each match.
    pub around: ContextLines,
}

impl Lookup {
    /// A search for literal text.
    pub fn literal(text: &str) -> Self {
        let reading = Reading { literal: true, ..Reading::default() };
        let around = ContextLines { before: 0, after: 0 };
        Self { pattern: text.to_owned(), reading, around }
    }
}

/// Which lines are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LinesWanted {
    /// The first line, counted from 1; if negative, counted from the end.
    pub offset: Option<i64>,
    /// The most lines, or with a search the most matches.
    pub limit: Option<usize>,
    /// The first column of over-long lines that is shown, counted from 1.
    pub column: Option<usize>,
}

impl LinesWanted {
    /// The lines as a range of a zero-based list of `total` lines.
    ///
    /// ```
    /// use hashline_core::read::LinesWanted;
    /// let wanted = |offset, limit| LinesWanted { offset, limit, column: None }.resolve(10);
    /// assert_eq!(wanted(None, None), 0..10);
    /// assert_eq!(wanted(Some(3), Some(2)), 2..4);
    /// assert_eq!(wanted(Some(-3), None), 7..10);
    /// assert_eq!(wanted(Some(-30), Some(2)), 0..2);
    /// assert_eq!(wanted(Some(30), None), 10..10);
    /// ```
    pub fn resolve(self, total: usize) -> Range<usize> {
        let magnitude = |offset: i64| usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
        let start = match self.offset {
            None | Some(0) => 0,
            Some(offset) if offset < 0 => total.saturating_sub(magnitude(offset)),
            Some(offset) => (magnitude(offset) - 1).min(total),
        };
        let limit = self.limit.unwrap_or(usize::MAX);
        start..start.saturating_add(limit).min(total)
    }

    /// The first line that was asked for, if it is past the end.
    fn past_end(self, total: usize) -> Option<usize> {
        let offset = usize::try_from(self.offset?).ok()?;
        (offset > total && offset > 1).then_some(offset)
    }
}
