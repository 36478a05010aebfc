//! Copying and moving lines, within their file or to another.
//!
//! [`find`] reads the lines before any file is edited. Then each of the two files gets ordinary
//! changes: lines are removed here and inserted there. Their text is not repaired, since no model
//! has written it.

use std::collections::BTreeMap;

use super::build::FileEditor;
use super::order::PlacedChange;
use super::repair::{indent, is_blank};
use super::warn::{Warning, WarningCode};
use super::{Plan, Refusal, RefusalCode};
use crate::patch::{Change, Spot};
use crate::show::count;
use crate::snapshot::Sight;
use hashline_text::{Document, Span, Unwritable, WrittenAnchor};

/// The lines that each operation copies or moves.
pub(super) type Transfers = BTreeMap<usize, Transferred>;

/// Copied or moved lines, as they were before the call.
pub(super) struct Transferred {
    /// Where the lines are in the file that they come from.
    span: Span,
    lines: Vec<String>,
    /// The lines as text, with their line endings.
    text: String,
    /// The zero-based indices of lines whose present text the reader has not seen.
    unseen: Vec<usize>,
}

/// Finds all lines that are copied or moved.
pub(super) fn find(
    editors: &BTreeMap<usize, FileEditor<'_>>,
    left_out: &[bool],
    plan: &mut Plan,
    refusals: &mut Vec<Refusal>,
) -> Transfers {
    let mut transfers = Transfers::new();
    for editor in editors.values() {
        for (index, op) in editor.ops.iter().enumerate() {
            if let Change::Transfer { start, end, keep, .. } = &op.change
                && editor.targets[index].file == editor.file
                && !left_out[index]
            {
                let ends = [start, end.as_ref().unwrap_or(start)];
                match editor.transferred_lines(index, ends, *keep, plan) {
                    Ok(lines) => drop(transfers.insert(index, lines)),
                    Err(refusal) => refusals.push(*refusal),
                }
            }
        }
    }
    transfers
}

impl FileEditor<'_> {
    fn transferred_lines(
        &self,
        index: usize,
        ends: [&WrittenAnchor; 2],
        keep: bool,
        plan: &mut Plan,
    ) -> Result<Transferred, Box<Refusal>> {
        let ([start, end], found) = self.located(index, ends, plan)?;
        let sights = self.finder.sights([&start, &end], &found);
        if !keep {
            self.check_sight(index, [&start, &end], &found, plan)?;
        } else if let changed @ 1.. = sights.iter().filter(|one| **one == Sight::Changed).count() {
            plan.warnings.push(Warning {
                code: WarningCode::UnseenLines,
                op: Some(index),
                file: self.file,
                line: None,
                text: format!(
                    "{} that patch[{index}] copied had changed since the file was shown",
                    count(changed, "line")
                ),
            });
        }
        // The tags of the ends fit: whoever gave them has seen these lines.
        let is_end = |at: usize| at == 0 || at + 1 == sights.len();
        let is_unseen = |at: &usize| match sights[*at] {
            Sight::Seen => false,
            Sight::Changed => true,
            Sight::Never => !is_end(*at),
        };
        let unseen = (0..sights.len()).filter(is_unseen).collect();
        let span = found.span();
        let lines = (span.start()..span.end()).map(|at| self.now.content(at).to_owned()).collect();
        let text = String::from_utf8_lossy(self.now.document.span_text(span)).into_owned();
        Ok(Transferred { span, lines, text, unseen })
    }

    /// What an operation that copies or moves lines changes in this file.
    pub(super) fn transfer(
        &self,
        index: usize,
        transfers: &Transfers,
        plan: &mut Plan,
    ) -> Result<Vec<PlacedChange>, Box<Refusal>> {
        let Change::Transfer { at, keep, reindent, .. } = &self.ops[index].change else {
            return Ok(Vec::new());
        };
        // If its lines were not found, the operation has been refused already.
        let Some(Transferred { span, lines, unseen, .. }) = transfers.get(&index) else {
            return Ok(Vec::new());
        };
        let mut changes = Vec::new();
        let is_removed_here = !keep && self.targets[index].file == self.file;
        if is_removed_here {
            let removed = PlacedChange::plain(index, *span, Vec::new());
            changes.push(PlacedChange { transferred: Some(Vec::new()), ..removed });
        }
        if self.targets[index].to == Some(self.file) {
            let place = self.place(index, at, plan)?.at;
            let is_inside = (span.start() + 1..=span.end()).contains(&place);
            if is_removed_here && is_inside && matches!(at, Spot::After(_)) {
                return Err(self.refuse_inside_target(index, *span));
            }
            let lines = if *reindent { self.reindented(lines, place) } else { lines.clone() };
            let inserted = PlacedChange::plain(index, Span::after(place), lines);
            changes.push(PlacedChange { transferred: Some(unseen.clone()), ..inserted });
        }
        Ok(changes)
    }

    fn refuse_inside_target(&self, index: usize, span: Span) -> Box<Refusal> {
        let path = &self.before.path;
        let lines = match span.len() {
            1 => format!("line {}", span.end()),
            _ => format!("lines {} to {}", span.start() + 1, span.end()),
        };
        let reason = format!(
            "{lines} of `{path}` cannot be put after one of their own: choose another `to_anchor`"
        );
        Box::new(Refusal::new(index, RefusalCode::Overlap, path, reason))
    }

    /// The lines, indented like the nearest line above a place that is not blank, or else like the
    /// nearest such line below.
    fn reindented(&self, lines: &[String], place: usize) -> Vec<String> {
        let content = |at: &usize| self.now.content(*at);
        let (above, below) = ((0..place).rev(), place..self.now.document.len());
        let beside = above.chain(below).find(|at| !is_blank(content(at)));
        let Some(target) = beside.as_ref().map(|at| indent(content(at))) else {
            return lines.to_vec();
        };
        let margins = lines.iter().filter(|line| !is_blank(line)).map(|line| indent(line));
        let common = margins.reduce(|one, other| {
            let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
            &one[..same]
        });
        let shifted = |line: &String| match line.strip_prefix(common.unwrap_or_default()) {
            Some(rest) if !is_blank(line) => format!("{target}{rest}"),
            _ => line.clone(),
        };
        lines.iter().map(shifted).collect()
    }
}

/// An empty file with the lines copied or moved there: byte for byte, as it has no line endings
/// yet.
pub(super) fn in_empty(
    before: &Document,
    changes: &[PlacedChange],
    transfers: &Transfers,
) -> Option<Result<Document, Unwritable>> {
    if !before.is_empty() || changes.iter().any(|change| change.transferred.is_none()) {
        return None;
    }
    let mut text = before.text().to_owned();
    for change in changes {
        let lines = &transfers.get(&change.op)?.text;
        if !text.is_empty() && !text.ends_with(['\n', '\u{feff}']) {
            text.push('\n');
        }
        text.push_str(lines);
    }
    Some(Document::encoded(&text, before.encoding()))
}
