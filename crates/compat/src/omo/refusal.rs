//! Why an edit was refused, in the words of the original.

use std::collections::HashSet;

use super::edit::OmoOp;
use super::reference::OmoLineRef;
use super::tag::line_tag;
use hashline_text::LineNumber;

/// A reference whose tag differs from its line's tag.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OmoMismatch {
    /// The line that the reference names; it exists.
    pub line: LineNumber,
    /// The tag in the reference.
    pub expected: String,
    /// The tag of the line.
    pub actual: String,
}

/// Why nothing was changed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the message of each variant says what its fields are")]
pub enum OmoRefusal {
    /// There is neither a line number nor a tag.
    NotAReference { given: Vec<u8>, hint: Option<String> },
    /// There is a tag, but a word instead of a line number.
    NotALineNumber { given: Vec<u8>, word: Vec<u8>, hint: Option<String> },
    /// There is no such line.
    OutOfBounds { line: String, lines: usize },
    /// Lines have changed since they were read; `shown` holds them and their neighbours.
    Stale { mismatches: Vec<OmoMismatch>, shown: Vec<(LineNumber, Vec<u8>)> },
    /// A range ends before it starts.
    InvertedRange { start: usize, end: usize },
    /// Two ranges share a line. Each: position in application order, first line, last line.
    Overlap { first: (usize, usize, usize), second: (usize, usize, usize) },
    /// An insertion inserts nothing.
    EmptyInsertion { op: OmoOp, pos: Option<Vec<u8>> },
    /// The line of an insertion was removed by another edit of the same call.
    AnchorGone { op: OmoOp, pos: Vec<u8> },
    /// A replacement that does not say what it replaces.
    NoAnchor { edit: usize },
    /// There is no such operation.
    UnknownOp { edit: usize, given: Vec<u8> },
    /// An edit without text.
    NoLines { edit: usize, op: OmoOp },
}

/// The kinds of [`OmoRefusal`], by the names that JavaScript sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum OmoRefusalCode {
    /// A reference cannot be read.
    BadAnchor,
    /// A reference names a line that does not exist.
    OutOfBounds,
    /// A line has changed since it was read.
    StaleAnchor,
    /// A range ends before it starts.
    InvertedRange,
    /// Two ranges share a line.
    Overlap,
    /// An insertion has no text.
    EmptyInsertion,
    /// Another edit removed the line of an insertion.
    AnchorGone,
    /// A replacement has no reference.
    MissingAnchor,
    /// There is no such operation.
    UnknownOp,
    /// An edit has no `lines`.
    MissingLines,
}

impl OmoRefusalCode {
    /// Every code.
    pub const ALL: [Self; 10] = [
        Self::BadAnchor,
        Self::OutOfBounds,
        Self::StaleAnchor,
        Self::InvertedRange,
        Self::Overlap,
        Self::EmptyInsertion,
        Self::AnchorGone,
        Self::MissingAnchor,
        Self::UnknownOp,
        Self::MissingLines,
    ];

    /// The stable name.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl OmoRefusal {
    /// What kind of refusal this is.
    pub fn code(&self) -> OmoRefusalCode {
        match self {
            Self::NotAReference { .. } | Self::NotALineNumber { .. } => OmoRefusalCode::BadAnchor,
            Self::OutOfBounds { .. } => OmoRefusalCode::OutOfBounds,
            Self::Stale { .. } => OmoRefusalCode::StaleAnchor,
            Self::InvertedRange { .. } => OmoRefusalCode::InvertedRange,
            Self::Overlap { .. } => OmoRefusalCode::Overlap,
            Self::EmptyInsertion { .. } => OmoRefusalCode::EmptyInsertion,
            Self::AnchorGone { .. } => OmoRefusalCode::AnchorGone,
            Self::NoAnchor { .. } => OmoRefusalCode::MissingAnchor,
            Self::UnknownOp { .. } => OmoRefusalCode::UnknownOp,
            Self::NoLines { .. } => OmoRefusalCode::MissingLines,
        }
    }

    /// The changed lines, if they are the reason.
    pub fn mismatches(&self) -> &[OmoMismatch] {
        match self {
            Self::Stale { mismatches, .. } => mismatches,
            _ => &[],
        }
    }

    /// The message of the original, as WTF-8: references are quoted as they were given.
    pub fn message(&self) -> Vec<u8> {
        match self {
            Self::NotAReference { given, hint } => [
                b"Invalid line reference format: \"",
                &given[..],
                b"\". Expected format: \"{line_number}#{hash_id}\"",
                did_you_mean(hint.as_ref()).as_bytes(),
            ]
            .concat(),
            Self::NotALineNumber { given, word, hint } => [
                b"Invalid line reference: \"",
                &given[..],
                b"\". \"",
                word,
                b"\" is not a line number. Use the actual line number from the read output.",
                did_you_mean(hint.as_ref()).as_bytes(),
            ]
            .concat(),
            Self::OutOfBounds { line, lines } => {
                format!("Line number {line} out of bounds (file has {lines} lines)").into_bytes()
            }
            Self::Stale { mismatches, shown } => stale(mismatches, shown),
            Self::InvertedRange { start, end } => {
                format!("Invalid range: start line {start} cannot be greater than end line {end}")
                    .into_bytes()
            }
            Self::Overlap { first, second } => {
                let [first, second] = [first, second]
                    .map(|(edit, start, end)| format!("edit {edit} (lines {start}-{end})"));
                format!(
                    "Overlapping range edits detected: {first} overlaps with {second}. \
                     Use pos-only replace for single-line edits."
                )
                .into_bytes()
            }
            Self::EmptyInsertion { op, pos: None } => {
                format!("{op} requires non-empty text").into_bytes()
            }
            Self::EmptyInsertion { op, pos: Some(pos) } => {
                let start = format!("{op} (anchored) requires non-empty text for ");
                [start.as_bytes(), pos].concat()
            }
            Self::AnchorGone { op, pos } => [
                format!("{op} cannot find the line of ").as_bytes(),
                pos,
                b": another edit of the same call removed it. Merge the two edits into one.",
            ]
            .concat(),
            Self::NoAnchor { edit } => format!(
                "Edit {edit}: replace requires at least one anchor line reference (pos or end)"
            )
            .into_bytes(),
            Self::UnknownOp { edit, given } => [
                format!("Edit {edit}: unsupported op \"").as_bytes(),
                given,
                b"\". Legacy format was removed; use op/pos/end/lines.",
            ]
            .concat(),
            Self::NoLines { edit, op } => {
                format!("Edit {edit}: lines is required for {op}").into_bytes()
            }
        }
    }

    /// Adds a reference that the model may have meant.
    pub(super) fn with_hint(mut self, found: Option<String>) -> Self {
        if let Self::NotAReference { hint, .. } | Self::NotALineNumber { hint, .. } = &mut self {
            *hint = found;
        }
        self
    }

    pub(super) fn out_of_bounds(reference: &OmoLineRef, lines: usize) -> Self {
        Self::OutOfBounds { line: reference.shown(), lines }
    }
}

fn did_you_mean(hint: Option<&String>) -> String {
    hint.map_or(String::new(), |hint| format!(" Did you mean \"{hint}\"?"))
}

fn stale(mismatches: &[OmoMismatch], shown: &[(LineNumber, Vec<u8>)]) -> Vec<u8> {
    let changed = match mismatches.len() {
        1 => "1 line has".to_owned(),
        count => format!("{count} lines have"),
    };
    let mut out = format!(
        "{changed} changed since last read. Use updated {{line_number}}#{{hash_id}} references \
         below (>>> marks changed lines).\n"
    )
    .into_bytes();
    let lines: HashSet<LineNumber> = mismatches.iter().map(|mismatch| mismatch.line).collect();
    let mut previous = None;
    for (number, line) in shown {
        if previous.is_some_and(|previous| previous + 1 < number.get()) {
            out.extend(b"\n    ...");
        }
        previous = Some(number.get());
        let mark = if lines.contains(number) { ">>>" } else { "   " };
        out.extend(format!("\n{mark} {number}#{}|", line_tag(*number, line)).bytes());
        out.extend(line);
    }
    out
}
