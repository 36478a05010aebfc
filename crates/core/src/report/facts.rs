//! What an applied patch did, as facts.

use super::{FileChange, FileFact, RelocationFact, RepairFact, WarningFact};
use crate::plan::{Before, End, FilePlan, Plan};
use hashline_text::{Document, LineNumber, Scheme};

/// What became of one file.
pub(super) fn fact(plan: &FilePlan, files: &[Before]) -> FileFact {
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

/// The anchors that were followed.
pub(super) fn relocations(plan: &Plan, files: &[Before], scheme: Scheme) -> Vec<RelocationFact> {
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

/// The corrections that were made.
pub(super) fn repairs(plan: &Plan, files: &[Before]) -> Vec<RepairFact> {
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

/// What to look at.
pub(super) fn warnings(plan: &Plan, files: &[Before]) -> Vec<WarningFact> {
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
pub(super) fn first_difference(made: &RepairFact) -> (&str, &str) {
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
