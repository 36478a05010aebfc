//! The changes on disk that carry out a plan.

use super::targets::Targets;
use crate::plan::{End, FileState, Plan};
use crate::transaction::{DiskChange, FileAction};

/// The changes on disk that carry out a plan.
pub(super) fn changes(plan: &Plan, targets: &Targets) -> Vec<DiskChange> {
    let move_targets: Vec<usize> = plan
        .files
        .iter()
        .filter_map(|file| match file.end {
            End::Moved { to, .. } => Some(to),
            _ => None,
        })
        .collect();
    let change = |file: usize, then| DiskChange {
        path: targets.paths[file].clone(),
        expected: targets.files[file].bytes(),
        then,
        like: None,
    };
    let mut changes = Vec::new();
    for plan in &plan.files {
        let file = plan.file;
        match &plan.end {
            End::Kept => {}
            End::Changed(after) | End::Created(after) => {
                changes.push(change(file, FileAction::Put(after.shared_bytes())));
            }
            // If another file moves to its path, the file is overwritten, not removed.
            End::Deleted if move_targets.contains(&file) => {}
            End::Deleted => changes.push(change(file, FileAction::Remove)),
            End::Moved { to, after } => {
                let content = after.as_ref().map(hashline_text::Document::shared_bytes);
                let free = matches!(targets.files[*to].state, FileState::Missing);
                if free && !move_targets.contains(&file) {
                    let to = targets.paths[*to].clone();
                    changes.push(change(file, FileAction::MoveTo { to, content }));
                } else {
                    let content = content.or_else(|| targets.files[file].bytes());
                    let content = content.expect("a file that is moved has bytes");
                    changes.push(change(*to, FileAction::Put(content)));
                    if !move_targets.contains(&file) {
                        changes.push(change(file, FileAction::Remove));
                    }
                }
            }
        }
    }
    changes
}
