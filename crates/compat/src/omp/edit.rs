//! An edit as a model sends it, and what it means.
//!
//! [`OmpEdit`] is as loose as the JSON it came from. `OmpEdit::read` checks the fields in the
//! original's order, which decides which of several faults is reported.

use std::borrow::Cow;

use super::prefix;
use super::reference::{OmpLineRef, parse_line_ref};
use super::refusal::OmpRefusal;

/// One edit. If it names several operations, the first in this order counts.
#[derive(Clone, PartialEq, Debug)]
pub enum OmpEdit<'a> {
    /// `set_line`: replaces one line.
    SetLine {
        /// Which line.
        anchor: EditField<'a>,
        /// The new text.
        new_text: EditField<'a>,
    },
    /// `replace_lines`: replaces a range of lines, or one.
    ReplaceLines {
        /// The first line.
        start_anchor: EditField<'a>,
        /// The last one.
        end_anchor: EditField<'a>,
        /// The new text.
        new_text: EditField<'a>,
    },
    /// `replace`: replaces text; this engine refuses it.
    Replace,
    /// `insert_after`: adds lines after one.
    InsertAfter {
        /// Which line.
        anchor: EditField<'a>,
        /// The new lines.
        text: EditField<'a>,
        /// The `text`, under another name that some models use.
        content: EditField<'a>,
    },
    /// No operation.
    Nothing,
}

/// A value where text is expected. If an operation is not an object, all its fields are absent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EditField<'a> {
    /// Missing, `null` or `undefined`.
    Absent,
    /// A string, as WTF-8.
    Text(Cow<'a, [u8]>),
    /// Anything else, by the name of its kind.
    Other(&'static str),
    /// `false` or zero, which the original treats as a missing `end_anchor`.
    Falsy(&'static str),
}

impl<'a, T: Into<Cow<'a, [u8]>>> From<T> for EditField<'a> {
    fn from(text: T) -> Self {
        Self::Text(text.into())
    }
}

/// Which lines an edit is about.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum EditTarget<'a> {
    Line(OmpLineRef<'a>),
    Range(OmpLineRef<'a>, OmpLineRef<'a>),
    After(OmpLineRef<'a>),
}

/// An edit whose fields could all be read.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ParsedEdit<'a> {
    pub(super) target: EditTarget<'a>,
    pub(super) lines: Vec<&'a [u8]>,
}

impl OmpEdit<'_> {
    /// Reads the edit; `at` is its index in the list, for messages.
    pub(super) fn read(&self, at: usize) -> Result<ParsedEdit<'_>, OmpRefusal> {
        let (target, text) = match self {
            Self::SetLine { anchor, new_text } => {
                let place = |field| format!("edits[{at}].set_line.{field}");
                let target = EditTarget::Line(anchor.reference(|| place("anchor"))?);
                (target, new_text.text(|| place("new_text"))?)
            }
            Self::ReplaceLines { start_anchor, end_anchor, new_text } => {
                let place = |field| format!("edits[{at}].replace_lines.{field}");
                let start = start_anchor.reference(|| place("start_anchor"))?;
                let target = match end_anchor.if_given() {
                    None => EditTarget::Line(start),
                    Some(end) => match end.reference(|| place("end_anchor"))? {
                        end if same_number(start.line, end.line) => EditTarget::Line(start),
                        end => EditTarget::Range(start, end),
                    },
                };
                (target, new_text.text_or_nothing(|| place("new_text"))?)
            }
            Self::Replace => {
                return Err(OmpRefusal::error(
                    "replace edits are applied separately; do not pass them to applyHashlineEdits",
                ));
            }
            Self::InsertAfter { anchor, text, content } => {
                let place = |field| format!("edits[{at}].insert_after.{field}");
                let target = EditTarget::After(anchor.reference(|| place("anchor"))?);
                let text = match text {
                    EditField::Absent => content.text_or_nothing(|| place("content"))?,
                    text => text.text(|| place("text"))?,
                };
                (target, text)
            }
            Self::Nothing => {
                return Err(OmpRefusal::Type(format!(
                    "edits[{at}] must be an object with `set_line`, `replace_lines` or `insert_after`"
                )));
            }
        };
        let lines = prefix::new_lines(text);
        Ok(ParsedEdit { target, lines })
    }
}

impl EditField<'_> {
    fn reference(&self, place: impl Fn() -> String) -> Result<OmpLineRef<'_>, OmpRefusal> {
        parse_line_ref(self.text(place)?)
    }

    fn text(&self, place: impl Fn() -> String) -> Result<&[u8], OmpRefusal> {
        let found = match self {
            Self::Text(text) => return Ok(text),
            Self::Absent => "missing",
            Self::Other(kind) | Self::Falsy(kind) => kind,
        };
        Err(OmpRefusal::Type(format!("`{}` must be a string, but it is {found}", place())))
    }

    fn text_or_nothing(&self, place: impl Fn() -> String) -> Result<&[u8], OmpRefusal> {
        match self {
            Self::Absent => Ok(b""),
            given => given.text(place),
        }
    }

    /// The field, unless the original would treat it as missing.
    fn if_given(&self) -> Option<&Self> {
        match self {
            Self::Absent | Self::Falsy(_) => None,
            Self::Text(text) if text.is_empty() => None,
            given => Some(given),
        }
    }
}

/// Whether two line numbers are the same JavaScript number.
#[expect(
    clippy::float_cmp,
    reason = "numbers that rounded to the same value are the same line, as in the original"
)]
fn same_number(a: f64, b: f64) -> bool {
    a == b
}
