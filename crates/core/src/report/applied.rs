//! The report of a patch that was applied.

use super::facts::{fact, first_difference, relocations, repairs, warnings};
use super::{AppliedReport, FileChange, MAX_LINES, RepairFact, ReportStyle, diff, short};
use crate::plan::{Before, End, FilePlan, Plan, Repair};
use crate::show::{Page, count, name};
use hashline_text::Scheme;

/// The room kept for what stands below the files.
const NOTES: usize = 60;

/// Tells what `plan` has done to `files`.
pub fn applied(plan: &Plan, files: &[Before], scheme: Scheme, style: ReportStyle) -> AppliedReport {
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
        notes.push(&repair_note(made));
    }
    for warning in &warnings {
        notes.push(&format!("Warning: {}: {}", name(&warning.path), warning.text));
    }
    let notes = notes.finish();
    let room = MAX_LINES - 3 - notes.len();
    let (mut full, mut full_seen) = (Page::new(room), Vec::new());
    for file in &plan.files {
        diff::show_file(file, files, scheme, &mut full, &mut full_seen);
    }
    let full = full.finish();
    let (shown, seen) = match style {
        ReportStyle::Full => (full.clone(), full_seen),
        ReportStyle::Short => {
            let (mut page, mut seen) = (Page::new(room), Vec::new());
            short::show_files(plan, files, scheme, &mut page, &mut seen);
            (page.finish(), seen)
        }
    };
    let mut head = Page::new(1);
    head.push(&headline(plan, files));
    let lines: Vec<String> = head.finish().into_iter().chain(shown).chain(notes).collect();
    AppliedReport {
        text: lines.join("\n"),
        diff: full.join("\n"),
        patch: None,
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

/// The line that says what became of a file.
pub(super) fn heading(plan: &FilePlan, files: &[Before]) -> String {
    let fact = fact(plan, files);
    let path = name(&fact.path);
    let sizes = format!("+{} -{}", fact.added, fact.removed);
    let moved = fact.to.as_deref().map(name).unwrap_or_default();
    match fact.kind {
        FileChange::Unchanged => format!("{path}: no change"),
        FileChange::Deleted => format!("{path}: deleted"),
        FileChange::Created => format!("{path}: created, {}", count(fact.added, "line")),
        FileChange::Changed => format!("{path}: {sizes}"),
        FileChange::Moved if plan.hunks.is_empty() => format!("{path} moved to {moved}"),
        FileChange::Moved => format!("{path} moved to {moved}: {sizes}"),
    }
}

fn repair_note(made: &RepairFact) -> String {
    let (before, after) = first_difference(made);
    let (why, insist) = if made.name == Repair::FollowIndent.name() {
        (", reindented to follow the file", "")
    } else if made.name == Repair::InheritIndent.name() {
        // The text may really belong in the first column, so say how to insist.
        ("", "; to insist, give \"exact\": true")
    } else {
        ("", "")
    };
    format!(
        "Repaired patch[{}] at line {} of {} ({}{why}): {before:?} was written as {after:?}{insist}",
        made.op,
        made.line,
        name(&made.path),
        made.name
    )
}
