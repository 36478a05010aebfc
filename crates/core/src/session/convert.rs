//! Making the changes that a blocked command would have made: when the model asks for its text by
//! name, or at once.

use std::sync::PoisonError;

use super::Session;
use super::apply::ApplyOutcome;
use crate::cancel::Cancel;
use crate::content::{ContentKind, Texts};
use crate::fs;
use crate::patch::{Change, Op, Patch, Spot, lines_of};
use crate::plan::{Refusal, RefusalCode};
use hashline_guard::{Conversion, Memory, TextChange, Times};

/// How many bytes a file may have for us to check what a change would do to it.
const MAX_BYTES: usize = 16 << 20;

impl Session {
    /// Replaces the names of blocked commands' texts in a patch by those texts; `None` if it has no
    /// such name.
    ///
    /// If the text is no longer kept, the patch is refused, so that the name is never written to a
    /// file.
    pub(super) fn with_kept_texts(&self, patch: &Patch) -> Result<Option<Patch>, Vec<Refusal>> {
        let named = |op: &Op| match &op.change {
            Change::AddFile { content, .. } => Memory::is_name(content.trim_end()),
            Change::Insert { lines, .. } => {
                matches!(lines.as_slice(), [one] if Memory::is_name(one))
            }
            _ => false,
        };
        if !patch.ops.iter().any(named) {
            return Ok(None);
        }
        let memory = self.guard_memory.lock().unwrap_or_else(PoisonError::into_inner);
        let mut filled = patch.clone();
        let mut refusals = Vec::new();
        for (number, op) in filled.ops.iter_mut().enumerate().filter(|(_, op)| named(op)) {
            let found = match &mut op.change {
                Change::AddFile { content, .. } => {
                    memory.text(content.trim_end()).map(|text| text.clone_into(content))
                }
                Change::Insert { lines, .. } => {
                    memory.text(&lines[0]).map(|text| *lines = lines_of(text))
                }
                _ => Some(()),
            };
            if found.is_none() {
                let reason = "the text of that blocked command is no longer kept\nhint: send the text itself";
                refusals.push(Refusal::new(number, RefusalCode::BadPatch, &op.path, reason));
            }
        }
        if refusals.is_empty() { Ok(Some(filled)) } else { Err(refusals) }
    }

    /// Makes the changes of a blocked command and returns the report; `None` if they were refused.
    pub(super) fn convert(&self, conversion: &Conversion, cancel: &Cancel) -> Option<String> {
        let ops = conversion.changes.iter().map(|change| self.to_op(change)).collect();
        let report = match self.apply(&Patch::new(ops), cancel).ok()? {
            ApplyOutcome::Applied(report, _) => report.text,
            ApplyOutcome::Refused(_) => return None,
        };
        Some(match &conversion.rest {
            Some(rest) => format!("{report}\n\nThe rest was not run; send it alone: `{rest}`"),
            None => report,
        })
    }

    /// The change that does to the present file exactly what a blocked command would have done;
    /// `None` if there is none.
    pub(super) fn exact_change(&self, change: &TextChange, cancel: &Cancel) -> Option<TextChange> {
        let file = self.workspace.absolute(change.path());
        let now = if fs::exists(&file) {
            let bytes = fs::contents(&file, MAX_BYTES, cancel.flag()).ok()?;
            (self.kind(&file, &bytes) == ContentKind::Text).then_some(())?;
            Some(self.document(&file, bytes).text().to_owned())
        } else {
            None
        };
        match change {
            TextChange::Whole { .. } => Some(change.clone()),
            TextChange::Append { path, text } => match now.as_deref() {
                None | Some("") => {
                    Some(TextChange::Whole { path: path.clone(), text: text.clone() })
                }
                // Whole lines are appended after a complete line; the patch would end them like the
                // file's others.
                Some(now) => {
                    let line = text.ends_with('\n') && !text.ends_with("\n\n") && text != "\n";
                    let plain = now.ends_with('\n') && !now.contains("\r\n");
                    (line && plain).then(|| change.clone())
                }
            },
            TextChange::Replace { path, old, new, times } => {
                let now = now?;
                let single = now.lines().all(|line| line.matches(old).count() < 2);
                let times = match (times, now.matches(old).count()) {
                    (_, 0) => return None,
                    (_, 1) => *times,
                    (Times::Each, _) => Times::Each,
                    (Times::FirstOfLine, _) if single => Times::Each,
                    _ => return None,
                };
                let (path, old, new) = (path.clone(), old.clone(), new.clone());
                Some(TextChange::Replace { path, old, new, times })
            }
        }
    }

    fn to_op(&self, change: &TextChange) -> Op {
        let appended = match change {
            TextChange::Append { text, .. } => Some(text),
            _ => None,
        };
        let (path, change) = match change {
            TextChange::Whole { path, text } => {
                (path, Change::AddFile { content: text.clone(), overwrite: true })
            }
            TextChange::Append { path, text } if fs::exists(&self.workspace.absolute(path)) => {
                (path, Change::Insert { at: Spot::End, lines: lines_of(text) })
            }
            TextChange::Append { path, text } => {
                (path, Change::AddFile { content: text.clone(), overwrite: false })
            }
            TextChange::Replace { path, old, new, times } => {
                let all = *times == Times::Each;
                (path, Change::Replace { old: old.clone(), new: new.clone(), all, within: None })
            }
        };
        let open = matches!(&appended, Some(text) if !text.ends_with('\n'));
        Op { path: path.clone(), exact: true, open, change }
    }
}
