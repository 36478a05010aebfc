//! The report of a patch that was applied.

use std::ops::Range;

use super::{
    AppliedReport, FileChange, FileFact, MOST_LINES, RelocationFact, RepairFact, ShownLines,
    WarningFact, content, push_line, see,
};
use crate::anchor::Scheme;
use crate::plan::{Before, End, FilePlan, Hunk, Plan, Repair};
use crate::show::{GAP, Mark, Page, Row, count, name, rows_left_out};
use crate::text::{Document, LineNumber};

/// Lines shown on each side of a change.
const CONTEXT: usize = 2;

/// The most new lines of one change that are shown, from its start and from its end.
const HEAD: usize = 40;
const TAIL: usize = 5;

/// The most lost lines of one change that are shown.
const LOST: usize = 6;

/// The most lines that a note names.
const NAMED: usize = 5;

/// The room kept for what stands below the diffs.
const NOTES: usize = 60;

/// Tells what `plan` has done to `files`.
pub fn applied(plan: &Plan, files: &[Before], scheme: Scheme) -> AppliedReport {
    let relocations = relocations(plan, files, scheme);
    let repairs = repairs(plan, files);
    let warnings = warnings(plan, files);
    let mut notes = Page::new(NOTES);
    for moved in &relocations {
        let proof = if moved.verified { "" } else { " (unverified: found by its tag alone)" };
        let path = name(&moved.path);
        notes.push(&format!("{} moved to line {} of {path}{proof}", moved.anchor, moved.to));
    }
    for made in &repairs {
        let (before, after) = first_difference(made);
        let (why, insist) = if made.name == Repair::FollowIndent.name() {
            (", reindented to follow the file", "")
        } else if made.name == Repair::InheritIndent.name() {
            // Whether the first column was meant cannot always be told.
            ("", "; to insist, give \"exact\": true")
        } else {
            ("", "")
        };
        notes.push(&format!(
            "Repaired patch[{}] at line {} of {} ({}{why}): {before:?} was written as {after:?}{insist}",
            made.op,
            made.line,
            name(&made.path),
            made.name
        ));
    }
    for warning in &warnings {
        notes.push(&format!("Warning: {}: {}", name(&warning.path), warning.text));
    }
    let notes = notes.finish();
    let mut page = Page::new(MOST_LINES - 2 - notes.len());
    let mut seen = Vec::new();
    page.push(&headline(plan, files));
    for file in &plan.files {
        show_file(file, files, scheme, &mut page, &mut seen);
    }
    let mut lines = page.finish();
    lines.extend(notes);
    AppliedReport {
        text: lines.join("\n"),
        files: plan.files.iter().map(|file| fact(file, files)).collect(),
        relocations,
        repairs,
        warnings,
        seen,
    }
}

fn headline(plan: &Plan, files: &[Before]) -> String {
    let changed = plan.files.iter().filter(|file| !matches!(file.end, End::Kept)).count();
    let line = format!("Applied {} to {}", count(plan.ops, "operation"), count(changed, "file"));
    if plan.is_noop() {
        let names: Vec<_> = plan.files.iter().map(|file| name(&files[file.file].path)).collect();
        format!("{line}: no change, {} already reads as asked", names.join(", "))
    } else {
        line
    }
}

fn show_file(
    plan: &FilePlan,
    files: &[Before],
    scheme: Scheme,
    page: &mut Page,
    seen: &mut Vec<ShownLines>,
) {
    let before = &files[plan.file];
    let fact = fact(plan, files);
    let path = name(&before.path);
    let sizes = format!("+{} -{}", fact.added, fact.removed);
    match &plan.end {
        End::Kept => {
            page.push(&format!("{path}: no change"));
        }
        End::Deleted => {
            page.push(&format!("{path}: deleted"));
        }
        End::Created(text) => {
            let after = Document::from_text(text.clone());
            page.push(&format!("{path}: created, {}", count(after.len(), "line")));
            show_new(plan, &after, 0..after.len(), scheme, page, seen);
        }
        End::Changed(after) => {
            page.push(&format!("{path}: {sizes}"));
            show_hunks(plan, before, after, scheme, page, seen);
        }
        End::Moved { to, after } => {
            let target = name(&files[*to].path);
            page.push(&match after {
                Some(_) => format!("{path} moved to {target}: {sizes}"),
                None => format!("{path} moved to {target}"),
            });
            if let Some(after) = after {
                show_hunks(plan, before, after, scheme, page, seen);
            }
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
    // Up to where the new file has been shown, so that contexts that meet are printed once.
    let mut shown = 0;
    for (at, hunk) in plan.hunks.iter().enumerate() {
        let from = hunk.after.start().saturating_sub(CONTEXT).max(shown);
        if from > shown {
            page.push(GAP);
        }
        for index in from..hunk.after.start() {
            show_line(plan, Mark::Kept, after, index, scheme, page, seen);
        }
        show_lost(hunk, old, scheme, page);
        show_new(plan, after, hunk.after.start()..hunk.after.end(), scheme, page, seen);
        let next = plan.hunks.get(at + 1).map_or(after.len(), |next| next.after.start());
        shown = (hunk.after.end() + CONTEXT).min(next);
        for index in hunk.after.end()..shown {
            show_line(plan, Mark::Kept, after, index, scheme, page, seen);
        }
    }
    note_controls(plan, after, page);
}

/// Says which of the new lines hold control characters: in print their escapes look like letters.
fn note_controls(plan: &FilePlan, after: &Document, page: &mut Page) {
    let odd =
        |index: &usize| content(after, *index).contains(|c: char| c.is_control() && c != '\t');
    let lines = plan.hunks.iter().flat_map(|hunk| hunk.after.start()..hunk.after.end());
    let numbers: Vec<String> = lines.filter(odd).map(|index| (index + 1).to_string()).collect();
    let noun = if numbers.len() == 1 { "line" } else { "lines" };
    let named = numbers[..numbers.len().min(NAMED)].join(", ");
    if !numbers.is_empty() {
        page.push(&format!("[control characters, shown as escapes, in new {noun} {named}]"));
    }
}

/// A line of the new text; without a tag if its anchor already means another line. A line that the
/// patch brought has one all the same: its writer may want to change it again.
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

/// Lines that are gone: without a tag, because they can no longer be pointed at.
fn show_lost(hunk: &Hunk, old: &Document, scheme: Scheme, page: &mut Page) {
    let span = hunk.before;
    let most = if span.len() > LOST { LOST - 2 } else { LOST };
    let row = |index| Row {
        mark: Mark::Removed,
        number: LineNumber::at(index),
        tag: None,
        content: content(old, index),
    };
    for index in (span.start()..span.end()).take(most) {
        page.push_row(&row(index), scheme);
    }
    if span.len() > LOST {
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

fn fact(plan: &FilePlan, files: &[Before]) -> FileFact {
    let before = &files[plan.file];
    let old_len = before.document().map_or(0, Document::len);
    let mut fact = FileFact {
        path: before.path.clone(),
        kind: FileChange::Unchanged,
        to: None,
        added: plan.hunks.iter().map(|hunk| hunk.after.len()).sum(),
        removed: plan.hunks.iter().map(|hunk| hunk.before.len()).sum(),
        first_changed_line: plan.hunks.first().map(|hunk| hunk.after.start() + 1),
    };
    match &plan.end {
        End::Kept => {
            (fact.added, fact.removed, fact.first_changed_line) = (0, 0, None);
        }
        End::Changed(_) => fact.kind = FileChange::Changed,
        End::Created(text) => {
            fact.kind = FileChange::Created;
            (fact.added, fact.removed) = (Document::from_text(text.clone()).len(), old_len);
            fact.first_changed_line = Some(1);
        }
        End::Deleted => {
            fact.kind = FileChange::Deleted;
            fact.removed = old_len;
        }
        End::Moved { to, .. } => {
            fact.kind = FileChange::Moved;
            fact.to = Some(files[*to].path.clone());
        }
    }
    fact
}

fn relocations(plan: &Plan, files: &[Before], scheme: Scheme) -> Vec<RelocationFact> {
    plan.relocated
        .iter()
        .map(|moved| RelocationFact {
            op: moved.op,
            path: files[moved.file].path.clone(),
            anchor: moved.anchor.print(scheme),
            from: moved.anchor.line.get(),
            to: moved.to.get(),
            verified: moved.verified,
        })
        .collect()
}

fn repairs(plan: &Plan, files: &[Before]) -> Vec<RepairFact> {
    plan.repaired
        .iter()
        .map(|made| RepairFact {
            op: made.op,
            path: files[made.file].path.clone(),
            name: made.what.repair.name(),
            line: made.line.get(),
            before: made.what.before.join("\n"),
            after: made.what.after.join("\n"),
        })
        .collect()
}

fn warnings(plan: &Plan, files: &[Before]) -> Vec<WarningFact> {
    plan.warnings
        .iter()
        .map(|warning| WarningFact {
            op: warning.op,
            code: warning.code,
            path: files[warning.file].path.clone(),
            line: warning.line.map(LineNumber::get),
            text: warning.text.clone(),
        })
        .collect()
}

/// The first line that a repair changed, before and after.
fn first_difference(made: &RepairFact) -> (&str, &str) {
    let mut before = made.before.split('\n');
    let mut after = made.after.split('\n');
    loop {
        match (before.next(), after.next()) {
            (Some(a), Some(b)) if a == b => {}
            (a, b) => return (a.unwrap_or_default(), b.unwrap_or_default()),
        }
        if before.clone().next().is_none() && after.clone().next().is_none() {
            return ("", "");
        }
    }
}
