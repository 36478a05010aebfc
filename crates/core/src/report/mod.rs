//! The reports for the model and the user.
//!
//! A report is a text and the facts behind it. Its first line says whether anything was written.
//! The lines it shows carry fresh tags and are listed in `seen`, so that the session can remember
//! them and the next edit needs no read before it. A report is never longer than `MAX_LINES` nor
//! wider than `MAX_COLUMNS`.

pub(crate) mod applied;
mod diff;
mod refused;
mod short;

use crate::plan::{Made, Refusal, Relocated, Warning, tag_at};
use crate::show::{Mark, Page, Row};
use hashline_text::{Document, Encoding, LineNumber, Scheme, Span};

pub(crate) use crate::show::MAX_LINES;

pub(crate) use applied::applied;
pub use refused::refused;

/// How much the report of an applied patch shows.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ReportStyle {
    /// The anchors of the new lines, and how far the other lines moved.
    Short,
    /// A diff with tags.
    #[default]
    Full,
}

impl ReportStyle {
    /// Every style, the default last.
    pub const ALL: [Self; 2] = [Self::Short, Self::Full];

    /// The name used in settings.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The report of a patch that was applied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AppliedReport {
    /// What the model reads.
    pub text: String,
    /// The diffs of the files, for a person, whatever the style.
    pub diff: String,
    /// The whole change as a unified diff, unless it is too long.
    pub patch: Option<String>,
    /// What happened to each file.
    pub files: Vec<FileFact>,
    /// The paths as the caller spelled them; the facts below refer to them by index.
    pub paths: Vec<String>,
    /// The scheme of the anchors.
    pub scheme: Scheme,
    /// Anchors that were followed.
    pub relocations: Vec<Relocated>,
    /// Corrections that were made.
    pub repairs: Vec<Made>,
    /// What the reader should check.
    pub warnings: Vec<Warning>,
    /// Which lines of the new files the text shows.
    pub seen: Vec<ShownLines>,
}

/// The report of a patch that was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedReport {
    /// What the model reads.
    pub text: String,
    /// One reason for each operation that failed.
    pub refusals: Vec<Refusal>,
    /// The scheme of the anchors.
    pub scheme: Scheme,
    /// Which lines of the unchanged files the text shows.
    pub seen: Vec<ShownLines>,
}

/// What happened to one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFact {
    /// The file, as the caller spelled it.
    pub path: String,
    /// What happened to the file.
    pub kind: FileChange,
    /// Its new name, if it was moved.
    pub to: Option<String>,
    /// How many lines were added.
    pub added: usize,
    /// How many lines were removed.
    pub removed: usize,
    /// The first line that has changed.
    pub first_changed_line: Option<usize>,
    /// The encoding of its bytes; of a deleted file, the encoding it had.
    pub encoding: Encoding,
}

/// What a patch did to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum FileChange {
    /// The file's text changed.
    Changed,
    /// The file was created, or replaced as a whole.
    Created,
    /// The file was deleted.
    Deleted,
    /// The file was renamed, and its text perhaps changed.
    Moved,
    /// The file did not change.
    Unchanged,
}

impl FileChange {
    /// The name in outcomes.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Lines of one file that a report shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownLines {
    /// The file, as an index into the list of files.
    pub file: usize,
    /// The lines.
    pub lines: Vec<Span>,
}

/// Notes that one more line was shown.
fn see(seen: &mut Vec<ShownLines>, file: usize, index: usize) {
    let line = Span::line(LineNumber::at(index));
    match seen.iter_mut().find(|seen| seen.file == file) {
        Some(seen) => seen.lines.push(line),
        None => seen.push(ShownLines { file, lines: vec![line] }),
    }
}

fn content(document: &Document, index: usize) -> &str {
    document.content(LineNumber::at(index)).unwrap_or_default()
}

/// Adds a line of a document with its fresh tag if there is room; returns whether there was.
fn push_line(
    page: &mut Page,
    mark: Mark,
    document: &Document,
    index: usize,
    scheme: Scheme,
) -> bool {
    let tag = Some(tag_at(document, index, scheme));
    let row = Row { mark, number: LineNumber::at(index), tag, content: content(document, index) };
    page.push_row(&row, scheme)
}
