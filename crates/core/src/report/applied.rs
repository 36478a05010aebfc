//! The report of a patch that was applied.

use super::{AppliedReport, FileChange, FileFact, MAX_LINES, ReportStyle, diff, short};
use crate::plan::{Before, End, FilePlan, Made, Plan, Repair};
use crate::show::{Page, count, name};
use hashline_text::{Document, Scheme};

/// The most notes below the files.
const MAX_NOTES: usize = 60;

/// Reports what `plan` has done to `files`.
pub fn applied(plan: &Plan, files: &[Before], scheme: Scheme, style: ReportStyle) -> AppliedReport {
    let mut notes = Page::new(MAX_NOTES);
    let path = |file: usize| name(&files[file].path);
    for moved in &plan.relocated {
        let proof = if moved.verified { "" } else { " (unverified: found by its tag alone)" };
        let anchor = moved.anchor.print(scheme);
        notes.push(&format!("{anchor} moved to line {} of {}{proof}", moved.to, path(moved.file)));
    }
    for made in &plan.repaired {
        notes.push(&repair_note(made, &path(made.file)));
    }
    for warning in &plan.warnings {
        notes.push(&format!("Warning: {}: {}", path(warning.file), warning.text));
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
        paths: files.iter().map(|file| file.path.clone()).collect(),
        scheme,
        relocations: plan.relocated.clone(),
        repairs: plan.repaired.clone(),
        warnings: plan.warnings.clone(),
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

/// The line that says what happened to a file.
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

fn repair_note(made: &Made, path: &str) -> String {
    let (why, insist) = match made.what.repair {
        Repair::FollowIndent => (", reindented to follow the file", ""),
        // The text may really belong in the first column, so say how to insist.
        Repair::InheritIndent => ("", "; to insist, give \"exact\": true"),
        _ => ("", ""),
    };
    let (before, after) = first_difference(&made.what.before, &made.what.after);
    format!(
        "Repaired patch[{}] at line {} of {path} ({}{why}): {before:?} was written as {after:?}{insist}",
        made.op,
        made.line,
        made.what.repair.name()
    )
}

/// The first line that a repair changed, before and after.
fn first_difference<'a>(before: &'a [String], after: &'a [String]) -> (&'a str, &'a str) {
    let line = |of: &'a [String], at: usize| of.get(at).map_or("", String::as_str);
    let longer = before.len().max(after.len());
    let at = (0..longer).find(|&at| before.get(at) != after.get(at));
    at.map_or(("", ""), |at| (line(before, at), line(after, at)))
}

/// What happened to one file.
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
        encoding: before.encoding,
    };
    match &plan.end {
        End::Kept => {
            (fact.added, fact.removed, fact.first_changed_line) = (0, 0, None);
        }
        End::Changed(_) => fact.kind = FileChange::Changed,
        End::Created(after) => {
            fact.kind = FileChange::Created;
            (fact.added, fact.removed) = (after.len(), old_len);
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
