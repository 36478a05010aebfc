//! The full report of a change: the removed lines, the new lines, and the lines around them.

use std::ops::Range;

use super::applied::heading;
use super::{ShownLines, content, push_line, see};
use crate::plan::{Before, End, FilePlan, Hunk};
use crate::show::{GAP, Mark, Page, Row, is_escaped, rows_left_out};
use hashline_text::{Document, LineNumber, Scheme};

/// Lines shown on each side of a change.
const CONTEXT: usize = 2;

/// The most new lines of one change that are shown, from its start and from its end.
const HEAD: usize = 40;
const TAIL: usize = 5;

/// The most removed lines of one change that are shown.
const MAX_REMOVED: usize = 6;

/// The most lines that the note about control characters names.
const MAX_NAMED: usize = 5;

/// Shows what happened to a file, row by row.
pub(super) fn show_file(
    plan: &FilePlan,
    files: &[Before],
    scheme: Scheme,
    page: &mut Page,
    seen: &mut Vec<ShownLines>,
) {
    page.push(&heading(plan, files));
    match &plan.end {
        End::Kept | End::Deleted | End::Moved { after: None, .. } => {}
        End::Created(after) => show_new(plan, after, 0..after.len(), scheme, page, seen),
        End::Changed(after) | End::Moved { after: Some(after), .. } => {
            show_hunks(plan, &files[plan.file], after, scheme, page, seen);
        }
    }
}

fn show_hunks(
    plan: &FilePlan,
    before: &Before,
    after: &Document,
    scheme: Scheme,
    page: &mut Page,
    seen: &mut Vec<ShownLines>,
) {
    let Some(old) = before.document() else { return };
    // How far the new file has been shown, so that contexts that touch are printed once.
    let mut shown = 0;
    for (at, hunk) in plan.hunks.iter().enumerate() {
        let from = hunk.after.start().saturating_sub(CONTEXT).max(shown);
        if from > shown {
            page.push(GAP);
        }
        for index in from..hunk.after.start() {
            show_line(plan, Mark::Kept, after, index, scheme, page, seen);
        }
        show_removed(hunk, old, scheme, page);
        show_new(plan, after, hunk.after.start()..hunk.after.end(), scheme, page, seen);
        let next = plan.hunks.get(at + 1).map_or(after.len(), |next| next.after.start());
        shown = (hunk.after.end() + CONTEXT).min(next);
        for index in hunk.after.end()..shown {
            show_line(plan, Mark::Kept, after, index, scheme, page, seen);
        }
    }
    note_controls(plan, after, page);
}

/// Notes which new lines hold control characters: as escapes they look like ordinary letters.
pub(super) fn note_controls(plan: &FilePlan, after: &Document, page: &mut Page) {
    let odd = |index: &usize| content(after, *index).contains(is_escaped);
    let lines = plan.hunks.iter().flat_map(|hunk| hunk.after.start()..hunk.after.end());
    let numbers: Vec<String> = lines.filter(odd).map(|index| (index + 1).to_string()).collect();
    let noun = if numbers.len() == 1 { "line" } else { "lines" };
    let named = numbers[..numbers.len().min(MAX_NAMED)].join(", ");
    if !numbers.is_empty() {
        page.push(&format!("[control characters, shown as escapes, in new {noun} {named}]"));
    }
}

/// Shows a line of the new text: an old line without a tag if its anchor already means another
/// line, an added line always with a tag, because the model may want to change it again.
fn show_line(
    plan: &FilePlan,
    mark: Mark,
    after: &Document,
    index: usize,
    scheme: Scheme,
    page: &mut Page,
    seen: &mut Vec<ShownLines>,
) {
    if mark == Mark::Kept && plan.twins.binary_search(&index).is_ok() {
        let number = LineNumber::at(index);
        page.push_row(&Row { mark, number, tag: None, content: content(after, index) }, scheme);
    } else if push_line(page, mark, after, index, scheme) {
        see(seen, plan.file, index);
    }
}

/// Shows removed lines: without a tag, because no anchor can point at them any more.
fn show_removed(hunk: &Hunk, old: &Document, scheme: Scheme, page: &mut Page) {
    let span = hunk.before;
    let most = if span.len() > MAX_REMOVED { MAX_REMOVED - 2 } else { MAX_REMOVED };
    let row = |index| Row {
        mark: Mark::Removed,
        number: LineNumber::at(index),
        tag: None,
        content: content(old, index),
    };
    for index in (span.start()..span.end()).take(most) {
        page.push_row(&row(index), scheme);
    }
    if span.len() > MAX_REMOVED {
        page.push(&rows_left_out(Mark::Removed, span.len() - most - 1));
        page.push_row(&row(span.end() - 1), scheme);
    }
}

fn show_new(
    plan: &FilePlan,
    after: &Document,
    rows: Range<usize>,
    scheme: Scheme,
    page: &mut Page,
    seen: &mut Vec<ShownLines>,
) {
    let Range { start, end } = rows;
    let long = end - start > HEAD + TAIL;
    for index in start..end {
        if long && index == start + HEAD {
            page.push(&rows_left_out(Mark::Added, end - start - HEAD - TAIL));
        }
        let skipped = long && index >= start + HEAD && index < end - TAIL;
        if !skipped {
            show_line(plan, Mark::Added, after, index, scheme, page, seen);
        }
    }
}
