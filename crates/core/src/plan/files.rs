//! Which operations can be in one patch together.
//!
//! Order inside a patch does not matter, so two operations whose order would matter are refused: a
//! file cannot be edited and deleted, created and moved, or be the target of two moves.

use std::collections::BTreeMap;

use super::{Before, FileState, OpTarget, Refusal, RefusalCode};
use crate::patch::{Change, Op, Spot};

/// The operations that concern one file.
#[derive(Default)]
pub(super) struct OnFile {
    /// Operations on the file's lines, in the order given.
    pub lines: Vec<usize>,
    /// The operation that creates, moves or deletes the file.
    pub whole: Option<usize>,
}

/// Sorts the operations by file, in the order in which the files are first named, and refuses those
/// that cannot be done. Operations marked in `left_out` repeat others and are skipped.
pub(super) fn sort_by_file(
    ops: &[Op],
    left_out: &[bool],
    targets: &[OpTarget],
    files: &[Before],
) -> (Vec<(usize, OnFile)>, Vec<Refusal>) {
    let mut refusals = Vec::new();
    let mut order: Vec<usize> = Vec::new();
    let mut found: BTreeMap<usize, OnFile> = BTreeMap::new();
    let numbered = || {
        let all = ops.iter().zip(targets).enumerate();
        all.filter(|(index, _)| !left_out[*index])
    };
    for (index, (op, target)) in numbered() {
        for file in files_of(op, target) {
            let entry = found.entry(file).or_insert_with(|| {
                order.push(file);
                OnFile::default()
            });
            if !is_whole(&op.change) {
                entry.lines.push(index);
            } else if let Some(other) = entry.whole.replace(index) {
                let why = format!("patch[{other}] already makes, moves or deletes it");
                refusals.push(conflict(index, op, &why));
            }
        }
    }
    for (file, on_file) in &found {
        if let (Some(whole), Some(line)) = (on_file.whole, on_file.lines.first())
            && !matches!(ops[whole].change, Change::MoveFile { .. })
        {
            let name = ops[whole].change.name();
            let why = format!("patch[{whole}] is {name} of `{}`", files[*file].path);
            refusals.push(conflict(*line, &ops[*line], &why));
        }
    }
    let mut move_targets: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, (op, target)) in numbered() {
        refusals.extend(check_state(index, op, &files[target.file]));
        if let (Change::Transfer { at, .. }, Some(to)) = (&op.change, target.to) {
            let makes = matches!(at, Spot::Start | Spot::End);
            if !makes || !matches!(files[to].state, FileState::Missing) {
                let next = r#"with `to_anchor` "start" or "end" it is made"#;
                refusals.extend(check_lines(index, &files[to], next));
            }
        } else if let Some(to) = target.to {
            let leaves = |whole: usize| {
                matches!(ops[whole].change, Change::DeleteFile | Change::MoveFile { .. })
            };
            let at_target = found.get(&to);
            let vacated = at_target.is_some_and(|on_target| on_target.whole.is_some_and(leaves));
            if let Some(other) = move_targets.insert(to, index) {
                refusals.push(conflict(
                    index,
                    op,
                    &format!("patch[{other}] moves another file to `{}`", files[to].path),
                ));
            } else if to == target.file {
                refusals.push(conflict(index, op, "it has that name already"));
            } else if at_target.is_some() && !vacated {
                refusals.push(conflict(
                    index,
                    op,
                    &format!("another operation changes `{}`", files[to].path),
                ));
            } else if !matches!(files[to].state, FileState::Missing) && !vacated {
                let reason = format!(
                    "`{}` exists already: delete or move it in the same patch",
                    files[to].path
                );
                refusals.push(Refusal::new(index, RefusalCode::FileExists, &op.path, reason));
            }
        }
    }
    let pick = |file| Some((file, found.remove(&file)?));
    (order.into_iter().filter_map(pick).collect(), refusals)
}

/// The files that an operation changes. A file that lines are only copied from is not one of them.
fn files_of(op: &Op, target: &OpTarget) -> impl Iterator<Item = usize> {
    let (from, to) = match op.change {
        Change::Transfer { keep: true, .. } => (None, target.to),
        Change::Transfer { .. } => (Some(target.file), target.to),
        _ => (Some(target.file), None),
    };
    from.into_iter().chain(to.filter(move |to| Some(*to) != from))
}

fn is_whole(change: &Change) -> bool {
    matches!(change, Change::AddFile { .. } | Change::MoveFile { .. } | Change::DeleteFile)
}

fn conflict(index: usize, op: &Op, why: &str) -> Refusal {
    let reason = format!("{} of `{}` cannot be done: {why}", op.change.name(), op.path);
    Refusal::new(index, RefusalCode::Conflict, &op.path, reason)
}

fn check_state(index: usize, op: &Op, file: &Before) -> Option<Refusal> {
    let refuse = |code, reason: String| Some(Refusal::new(index, code, &op.path, reason));
    match (&op.change, &file.state) {
        (Change::AddFile { overwrite: false, .. }, FileState::Text(_) | FileState::Opaque(..)) => {
            refuse(
                RefusalCode::FileExists,
                format!(
                    "`{}` exists already: edit its lines; `overwrite` would replace all of it",
                    op.path
                ),
            )
        }
        (
            Change::AddFile { .. } | Change::MoveFile { .. } | Change::DeleteFile,
            FileState::Text(_) | FileState::Opaque(..),
        )
        | (Change::AddFile { .. }, FileState::Missing)
        | (_, FileState::Text(_)) => None,
        (Change::Transfer { .. }, _) => check_lines(index, file, "it has no lines to copy or move"),
        (Change::MoveFile { .. } | Change::DeleteFile, _) => check_lines(index, file, ""),
        _ => check_lines(index, file, "add_file makes a new one"),
    }
}

/// Refuses a file that is missing or not text; `next` says what to do if it is missing.
fn check_lines(index: usize, file: &Before, next: &str) -> Option<Refusal> {
    let path = &file.path;
    let refuse = |code, reason: String| Some(Refusal::new(index, code, path, reason));
    match &file.state {
        FileState::Text(_) => None,
        FileState::Missing => {
            let near = match &file.near[..] {
                [] => String::new(),
                near => format!("did you mean `{}`?", near.join("` or `")),
            };
            let hints: Vec<&str> =
                [&near, next].into_iter().filter(|hint| !hint.is_empty()).collect();
            let gap = if hints.is_empty() { "" } else { ": " };
            let reason = format!("`{path}` does not exist{gap}{}", hints.join(" "));
            refuse(RefusalCode::FileMissing, reason)
        }
        FileState::Opaque(why, _) => {
            refuse(RefusalCode::NotText, format!("`{path}` cannot be edited by line: {why}"))
        }
    }
}
