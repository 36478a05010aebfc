//! The same operation twice in one patch.
//!
//! A model that sets, replaces or deletes the same lines twice means it once. A model that inserts
//! the same lines twice mostly wants both.

use std::collections::HashMap;

use super::{OpTarget, Warning, WarningCode};
use crate::patch::{Change, Patch, Spot};

/// Which operations repeat an earlier one and are left out, and the warnings about them.
pub(super) fn find(patch: &Patch, targets: &[OpTarget]) -> (Vec<bool>, Vec<Warning>) {
    let mut left_out = vec![false; patch.ops.len()];
    let mut warnings = Vec::new();
    // Operations that may be the same, so that each is compared with few others.
    let mut alike: HashMap<_, Vec<usize>> = HashMap::new();
    for (later, op) in patch.ops.iter().enumerate() {
        let same = |earlier: &usize| {
            let other = &patch.ops[*earlier];
            targets[*earlier] == targets[later]
                && (&other.change, other.exact) == (&op.change, op.exact)
        };
        let alike = alike.entry((targets[later].file, comparison_key(&op.change))).or_default();
        let Some(earlier) = alike.iter().copied().find(same) else {
            alike.push(later);
            continue;
        };
        left_out[later] =
            !matches!(op.change, Change::Insert { .. } | Change::Transfer { keep: true, .. });
        let what = if left_out[later] {
            "it was done once"
        } else {
            "both were done; delete the second lines if they were not meant twice"
        };
        warnings.push(Warning {
            code: WarningCode::RepeatedOperation,
            op: Some(later),
            file: targets[later].file,
            line: None,
            text: format!("patch[{later}] is the same as patch[{earlier}]: {what}"),
        });
    }
    (left_out, warnings)
}

/// A key that is equal for equal operations, and different for most others.
fn comparison_key(change: &Change) -> (&'static str, &str, &str) {
    let (where_to, what) = match change {
        Change::SetLine { anchor, lines } => (anchor.given.as_str(), first_of(lines)),
        Change::ReplaceRange { start, lines, .. } => (start.given.as_str(), first_of(lines)),
        Change::Insert { at: Spot::Before(anchor) | Spot::After(anchor), lines } => {
            (anchor.given.as_str(), first_of(lines))
        }
        Change::Insert { lines, .. } => ("", first_of(lines)),
        Change::Delete { start, .. } | Change::Transfer { start, .. } => (start.given.as_str(), ""),
        Change::Hunk { old, new } => (first_of(old), first_of(new)),
        Change::Replace { old, new, .. } => (old.as_str(), new.as_str()),
        Change::MoveFile { to } => (to.as_str(), ""),
        Change::AddFile { .. } | Change::DeleteFile => ("", ""),
    };
    (change.name(), where_to, what)
}

fn first_of(lines: &[String]) -> &str {
    lines.first().map_or("", String::as_str)
}
