//! One edit: as a model sends it, and as the engine applies it.

use std::fmt;

use super::prefix;
use super::refusal::OmoRefusal;
use hashline_text::kernel::{newlines, whitespace};

/// What an edit does, in the order in which edits of one line are applied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum OmoOp {
    /// Replaces a line or a range by `lines`.
    Replace,
    /// Inserts after a line, or at the end of the file.
    Append,
    /// Inserts before a line, or at the start of the file.
    Prepend,
}

impl OmoOp {
    /// The operation of this name; names are lower case.
    pub fn named(name: &[u8]) -> Option<Self> {
        [Self::Replace, Self::Append, Self::Prepend]
            .into_iter()
            .find(|op| op.name().as_bytes() == name)
    }

    /// The name in an edit's `op`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for OmoOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// New text: one string with newlines in it, or a list of lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NewText {
    /// Split at newlines; the empty text is one empty line.
    Text(Vec<u8>),
    /// Used unchanged; an empty list means no lines.
    List(Vec<Vec<u8>>),
}

/// One edit, checked: it has the fields that its operation needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OmoEdit {
    /// What to do.
    pub op: OmoOp,
    /// The line, or the first of a range. Only an insertion may lack it.
    pub pos: Option<Vec<u8>>,
    /// The last line of a range. Only a replacement has one.
    pub end: Option<Vec<u8>>,
    /// The new text.
    pub lines: NewText,
}

impl OmoEdit {
    /// The new lines, without the prefixes that models copy from listings and diffs.
    pub(super) fn new_lines(&self) -> Vec<&[u8]> {
        prefix::strip(match &self.lines {
            NewText::Text(text) => newlines::split(text).collect(),
            NewText::List(list) => list.iter().map(Vec::as_slice).collect(),
        })
    }

    /// The reference to the last line the edit concerns.
    pub(super) fn last(&self) -> Option<&[u8]> {
        self.end.as_deref().or(self.pos.as_deref())
    }
}

/// An edit as the model sent it, not yet checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawOmoEdit {
    /// The operation; for an unknown one, `op` as JavaScript's `String()` prints it.
    pub op: Result<OmoOp, Vec<u8>>,
    /// `pos`, if it is a string.
    pub pos: Option<Vec<u8>>,
    /// `end`, if it is a string.
    pub end: Option<Vec<u8>>,
    /// `lines`, if given; `null` is the empty list.
    pub lines: Option<NewText>,
}

/// Checks edits as a model sent them and gives each the anchors it needs.
///
/// A blank anchor counts as missing. A replacement with only an `end` replaces that line; an
/// insertion with only an `end` inserts there.
pub fn normalize(raw: Vec<RawOmoEdit>) -> Result<Vec<OmoEdit>, OmoRefusal> {
    let edits = raw.into_iter().enumerate();
    edits.map(|(edit, raw)| normalize_one(edit, raw)).collect()
}

fn normalize_one(edit: usize, raw: RawOmoEdit) -> Result<OmoEdit, OmoRefusal> {
    let op = raw.op.map_err(|given| OmoRefusal::UnknownOp { edit, given })?;
    let [pos, end] = [raw.pos, raw.end].map(|anchor| anchor.as_deref().and_then(non_blank));
    let anchor = pos.or_else(|| end.clone());
    if op == OmoOp::Replace && anchor.is_none() {
        return Err(OmoRefusal::NoAnchor { edit });
    }
    Ok(OmoEdit {
        op,
        pos: anchor,
        end: end.filter(|_| op == OmoOp::Replace),
        lines: raw.lines.ok_or(OmoRefusal::NoLines { edit, op })?,
    })
}

fn non_blank(anchor: &[u8]) -> Option<Vec<u8>> {
    let anchor = whitespace::trim(anchor);
    (!anchor.is_empty()).then(|| anchor.to_vec())
}
