//! What was asked: an edit as a model sends it, and what it means.
//!
//! [`RawEdit`] is as loose as the JSON it came from; reading it in the original's order decides
//! which of several faults is reported.

use super::prefix;
use super::reference::{LineRef, parse_line_ref};
use super::refusal::Refusal;

/// One edit, with the operations it names. The first one named counts, in this order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RawEdit {
    /// Replaces one line.
    pub set_line: Option<Fields>,
    /// Replaces a range of lines, or one.
    pub replace_lines: Option<Fields>,
    /// Whether a text replacement is named, which is not done here.
    pub replace: bool,
    /// Adds lines after one.
    pub insert_after: Option<Fields>,
}

/// The fields of an operation; one that has none, because it is not an object, has all absent.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Fields {
    /// `anchor` of `set_line` and `insert_after`.
    pub anchor: Field,
    /// `start_anchor` of `replace_lines`.
    pub start_anchor: Field,
    /// `end_anchor` of `replace_lines`.
    pub end_anchor: Field,
    /// `new_text` of `set_line` and `replace_lines`.
    pub new_text: Field,
    /// `text` of `insert_after`.
    pub text: Field,
    /// What some models call the `text` of `insert_after`.
    pub content: Field,
}

/// A value where text is wanted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Field {
    /// Missing, `null` or `undefined`.
    #[default]
    Absent,
    /// A string, as WTF-8.
    Text(Vec<u8>),
    /// Anything else, by the name of its kind.
    Other(&'static str),
    /// `false` or zero, which the original takes for a missing `end_anchor`.
    Falsy(&'static str),
}

/// Which lines an edit is about.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Target {
    Line(LineRef),
    Range(LineRef, LineRef),
    After(LineRef),
}

/// An edit that can be read.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Request<'a> {
    pub(super) target: Target,
    pub(super) lines: Vec<&'a [u8]>,
}

impl RawEdit {
    /// Reads the edit; `at` is its place in the list, for messages.
    pub(super) fn read(&self, at: usize) -> Result<Request<'_>, Refusal> {
        let (target, text) = if let Some(fields) = &self.set_line {
            let place = |field| format!("edits[{at}].set_line.{field}");
            let target = Target::Line(fields.anchor.reference(|| place("anchor"))?);
            (target, fields.new_text.text(|| place("new_text"))?)
        } else if let Some(fields) = &self.replace_lines {
            let place = |field| format!("edits[{at}].replace_lines.{field}");
            let start = fields.start_anchor.reference(|| place("start_anchor"))?;
            let target = match fields.end_anchor.if_given() {
                None => Target::Line(start),
                Some(end) => match end.reference(|| place("end_anchor"))? {
                    end if same_number(start.line, end.line) => Target::Line(start),
                    end => Target::Range(start, end),
                },
            };
            (target, fields.new_text.text_or_nothing(|| place("new_text"))?)
        } else if self.replace {
            return Err(Refusal::error(
                "replace edits are applied separately; do not pass them to applyHashlineEdits",
            ));
        } else if let Some(fields) = &self.insert_after {
            let place = |field| format!("edits[{at}].insert_after.{field}");
            let target = Target::After(fields.anchor.reference(|| place("anchor"))?);
            let text = match &fields.text {
                Field::Absent => fields.content.text_or_nothing(|| place("content"))?,
                text => text.text(|| place("text"))?,
            };
            (target, text)
        } else {
            return Err(Refusal::Type(format!(
                "edits[{at}] must be an object with `set_line`, `replace_lines` or `insert_after`"
            )));
        };
        let lines = prefix::new_lines(text);
        Ok(Request { target, lines })
    }
}

impl Field {
    fn reference(&self, place: impl Fn() -> String) -> Result<LineRef, Refusal> {
        parse_line_ref(self.text(place)?)
    }

    fn text(&self, place: impl Fn() -> String) -> Result<&[u8], Refusal> {
        let found = match self {
            Self::Text(text) => return Ok(text),
            Self::Absent => "missing",
            Self::Other(kind) | Self::Falsy(kind) => kind,
        };
        Err(Refusal::Type(format!("`{}` must be a string, but it is {found}", place())))
    }

    fn text_or_nothing(&self, place: impl Fn() -> String) -> Result<&[u8], Refusal> {
        match self {
            Self::Absent => Ok(b""),
            given => given.text(place),
        }
    }

    /// The field, unless the original would take it for one that was not given.
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
