//! Applying edits to a text.
//!
//! [`apply`] first checks every reference against the unedited text. It then applies the edits from
//! the last line to the first, by the old line numbers. Where several edits meet at one line, an
//! old number may by then name another line; the original behaves the same way.

use std::borrow::Cow;

use super::edit::{OmoEdit, OmoOp};
use super::reference::OmoLineRef;
use super::refusal::OmoRefusal;
use super::{dedup, echo, indent, merge, overlap, validate, wrap};
use hashline_text::kernel::newlines;

/// The text after the edits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OmoApplied {
    /// The new text.
    pub content: Vec<u8>,
    /// How many edits changed nothing.
    pub noop_edits: usize,
    /// How many edits were dropped because they repeat another.
    pub deduplicated_edits: usize,
}

/// Applies all edits or refuses.
///
/// ```
/// use hashline_compat::omo::{NewText, OmoEdit, OmoOp, apply};
/// let edit = OmoEdit {
///     op: OmoOp::Replace,
///     pos: Some(b"2#XH".to_vec()),
///     end: None,
///     lines: NewText::Text(b"c".to_vec()),
/// };
/// assert_eq!(apply(b"a\nb\n", &[edit]).unwrap().content, b"a\nc\n");
/// ```
pub fn apply(content: &[u8], edits: &[OmoEdit]) -> Result<OmoApplied, OmoRefusal> {
    if let Some(edit) =
        edits.iter().position(|edit| edit.op == OmoOp::Replace && edit.pos.is_none())
    {
        return Err(OmoRefusal::NoAnchor { edit });
    }
    let unique = dedup::unique(edits);
    let deduplicated_edits = edits.len() - unique.len();
    let sorted = sort(unique)?;
    let mut text: Vec<Cow<'_, [u8]>> = match content {
        b"" => Vec::new(),
        _ => newlines::split(content).map(Cow::Borrowed).collect(),
    };
    let references: Vec<&[u8]> = sorted
        .iter()
        .flat_map(|edit| [edit.pos.as_deref(), edit.end.as_deref()])
        .flatten()
        .collect();
    validate(&text, &references)?;
    overlap::check(&sorted)?;
    let mut noop_edits = 0;
    for edit in sorted {
        if !apply_one(edit, &mut text)? {
            noop_edits += 1;
        }
    }
    Ok(OmoApplied { content: text.join(&b'\n'), noop_edits, deduplicated_edits })
}

/// Orders edits: the last line first; at one line, replacements, then appends, then prepends; then
/// in the order given. Edits of the whole file come last.
///
/// A single edit needs no sorting and is not parsed here, so a bad reference in it is reported by
/// [`validate()`], which knows the file and may have a hint.
fn sort(mut edits: Vec<&OmoEdit>) -> Result<Vec<&OmoEdit>, OmoRefusal> {
    if edits.len() < 2 {
        return Ok(edits);
    }
    let mut keyed = Vec::with_capacity(edits.len());
    for edit in edits.drain(..) {
        let line = edit.last().map(OmoLineRef::parse).transpose()?;
        keyed.push((line.map(|reference| reference.line), edit));
    }
    keyed.sort_by_key(|(line, edit)| (std::cmp::Reverse(*line), edit.op));
    edits.extend(keyed.into_iter().map(|(_, edit)| edit));
    Ok(edits)
}

/// Applies one edit and returns whether it changed anything.
fn apply_one<'a>(edit: &'a OmoEdit, text: &mut Vec<Cow<'a, [u8]>>) -> Result<bool, OmoRefusal> {
    match (edit.op, edit.pos.as_deref()) {
        (OmoOp::Replace, pos) => {
            let pos = pos.expect("apply() refused a replacement without an anchor");
            replace(edit, pos, text)
        }
        (OmoOp::Append | OmoOp::Prepend, Some(pos)) => insert_at(edit, pos, text),
        (OmoOp::Append | OmoOp::Prepend, None) => insert_in_file(edit, text),
    }
}

fn replace<'a>(
    edit: &'a OmoEdit,
    pos: &[u8],
    text: &mut Vec<Cow<'a, [u8]>>,
) -> Result<bool, OmoRefusal> {
    let start = OmoLineRef::parse(pos)?.line;
    let end = edit.end.as_deref().map(OmoLineRef::parse).transpose()?;
    let (last, is_range) = end.map_or((start, false), |end| (end.line, true));
    if start > last {
        return Err(OmoRefusal::InvertedRange { start, end: last });
    }
    // Edits below may have shortened the text.
    let from = (start - 1).min(text.len());
    let to = last.min(text.len());
    let old = &text[from..to];
    let new = edit.new_lines();
    let new = if is_range {
        let before = start.checked_sub(2).and_then(|index| text.get(index));
        let [before, after] = [before, text.get(last)].map(|line| line.map(Cow::as_ref));
        let new = echo::strip_range_echo(&new, last - start + 1, before, after);
        match new {
            [merged] => merge::expand(old, merged),
            _ => None,
        }
        .unwrap_or_else(|| borrowed(new))
    } else {
        borrowed(&new)
    };
    let new = indent::restore(old, wrap::restore(old, new));
    let is_changed = old != new;
    text.splice(from..to, new);
    Ok(is_changed)
}

fn insert_at<'a>(
    edit: &'a OmoEdit,
    pos: &[u8],
    text: &mut Vec<Cow<'a, [u8]>>,
) -> Result<bool, OmoRefusal> {
    let line = OmoLineRef::parse(pos)?.line;
    let Some(anchor) = text.get(line - 1) else {
        let (op, pos) = (edit.op, pos.to_vec());
        return Err(OmoRefusal::AnchorGone { op, pos });
    };
    let new = edit.new_lines();
    let (new, at) = match edit.op {
        OmoOp::Prepend => (echo::strip_prepend_echo(&new, anchor), line - 1),
        _ => (echo::strip_append_echo(&new, anchor), line),
    };
    if new.is_empty() {
        let (op, pos) = (edit.op, Some(pos.to_vec()));
        return Err(OmoRefusal::EmptyInsertion { op, pos });
    }
    text.splice(at..at, borrowed(new));
    Ok(true)
}

/// Inserts at the start or end of the file; a file of one empty line counts as empty.
fn insert_in_file<'a>(
    edit: &'a OmoEdit,
    text: &mut Vec<Cow<'a, [u8]>>,
) -> Result<bool, OmoRefusal> {
    let new = borrowed(&edit.new_lines());
    if new.is_empty() {
        let (op, pos) = (edit.op, None);
        return Err(OmoRefusal::EmptyInsertion { op, pos });
    }
    if matches!(&text[..], [only] if only.is_empty()) {
        let is_changed = *text != new;
        *text = new;
        return Ok(is_changed);
    }
    let at = if edit.op == OmoOp::Prepend { 0 } else { text.len() };
    text.splice(at..at, new);
    Ok(true)
}

fn borrowed<'a>(lines: &[&'a [u8]]) -> Vec<Cow<'a, [u8]>> {
    lines.iter().copied().map(Cow::Borrowed).collect()
}
