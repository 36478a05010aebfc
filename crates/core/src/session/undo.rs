//! Undoing and redoing patches, and recovering from a crash.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use super::Session;
use super::unified::unified;
use crate::cancel::Cancel;
use crate::content::Texts;
use crate::show;
use crate::transaction::{
    CommitFault, DiskChange, NotUndone, PastPatch, Recovery, RestoredKind, Review, Writer, listed,
};
use hashline_text::Document;

/// The result of an undo.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UndoOutcome {
    /// The last patch was undone.
    Undone {
        /// The text for the model.
        text: String,
        /// The name in the receipt of the patch that was undone.
        receipt: String,
        /// What became of each file.
        files: Vec<UndoneFile>,
    },
    /// The undo was refused; nothing was changed.
    Refused {
        /// The text for the model.
        text: String,
        /// The stable name of the reason.
        code: UndoRefusalCode,
        /// The files that have changed since the patch.
        paths: Vec<String>,
    },
}

/// Which patch is undone, and how.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct UndoRequest<'a> {
    /// The name in its receipt; the last patch if left out.
    pub receipt: Option<&'a str>,
    /// Whether to skip files that have changed since; otherwise one of them prevents the undo.
    pub others: bool,
}

/// An applied patch compared with the present files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReviewOutcome {
    /// The result of the comparison.
    Reviewed(Review),
    /// There is no such patch, or its receipt cannot be read: always [`UndoOutcome::Refused`].
    Refused(UndoOutcome),
}

/// The stable names of the reasons why a patch is not undone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum UndoRefusalCode {
    /// There is no patch to undo.
    NothingToUndo,
    /// A file has changed since the patch.
    FileChanged,
    /// The old content was too large to keep.
    TooLarge,
    /// A file is read-only.
    ReadOnly,
    /// The receipt of the patch cannot be read.
    ReceiptUnreadable,
}

impl UndoRefusalCode {
    /// The name in outcomes.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The result of a redo.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RedoOutcome {
    /// The patch that was undone last was redone.
    Redone {
        /// The text for the model.
        text: String,
        /// The name in its new receipt.
        receipt: String,
        /// The files that it changed.
        files: Vec<String>,
    },
    /// The redo was refused; nothing was changed.
    Refused {
        /// The text for the model.
        text: String,
    },
}

/// What became of one file when a patch was undone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndoneFile {
    /// The path of the file.
    pub path: String,
    /// How the change to it was undone.
    pub kind: RestoredKind,
    /// For a file that was moved back, the path that it was moved from.
    pub from: Option<String>,
}

/// How much a recovery does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecoverRequest {
    /// Whether to look for abandoned temporary files in the whole workspace, which is slow if it is
    /// large.
    pub sweep: bool,
    /// Whether to set aside journals that cannot be rolled back or read, so that work can go on.
    pub set_aside: bool,
}

impl Default for RecoverRequest {
    fn default() -> Self {
        Self { sweep: true, set_aside: false }
    }
}

/// The result of a recovery.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecoverOutcome {
    /// The text for the model.
    pub text: String,
    /// Patches that were complete; only leftovers were removed.
    pub finished: Vec<String>,
    /// Patches that were rolled back.
    pub undone: Vec<String>,
    /// Files that were not restored, mostly because another program has changed them since.
    pub left_alone: Vec<String>,
    /// Journals that were left alone because they are damaged or not ours.
    pub unreadable: Vec<String>,
    /// Journals that were set aside, under their new names.
    pub set_aside: Vec<String>,
    /// Temporary files of dead processes that were removed.
    pub swept: Vec<String>,
}

impl RecoverOutcome {
    /// Whether there was nothing to do.
    pub fn is_clean(&self) -> bool {
        let lists = [
            &self.finished, &self.undone, &self.left_alone, &self.unreadable, &self.set_aside,
            &self.swept,
        ];
        lists.iter().all(|list| list.is_empty())
    }
}

/// Which notices the user has seen, and which are waiting to be shown.
#[derive(Debug, Default)]
pub(super) struct Notices {
    shown: HashSet<String>,
    pending: Vec<String>,
}

impl Session {
    /// Undoes the last patch, if its files have not changed since.
    ///
    /// Called again, it undoes the patch before that one, and so on.
    pub fn undo(&self, cancel: &Cancel) -> Result<UndoOutcome, CommitFault> {
        self.undo_patch(UndoRequest::default(), cancel)
    }

    /// Undoes a patch.
    pub fn undo_patch(
        &self,
        UndoRequest { receipt, others }: UndoRequest<'_>,
        cancel: &Cancel,
    ) -> Result<UndoOutcome, CommitFault> {
        let (writer, ()) = self.writer_for(cancel, |writer| Ok(((), writer.paths_of(receipt))))?;
        let undone = match writer.undo(receipt, others) {
            Ok(undone) => undone,
            Err(reason) => return refused_outcome(reason),
        };
        let count = show::count(undone.files.len(), "file");
        let which = receipt.map_or_else(|| "the last patch".to_owned(), |id| format!("patch {id}"));
        let mut lines = vec![format!("Undid {which}: {count}")];
        let mut files = Vec::with_capacity(undone.files.len());
        for file in undone.files {
            match &file.from {
                Some(from) => self.remembered.rename(from, &file.path),
                None if file.kind == RestoredKind::Removed => self.remembered.forget(&file.path),
                None => {}
            }
            let path = self.workspace.show(&file.path);
            let from = file.from.map(|from| self.workspace.show(&from));
            let printed = show::name(&path);
            lines.push(match &from {
                Some(from) => format!("  moved `{}` back to `{printed}`", show::name(from)),
                None if !file.lost.is_empty() => {
                    let lost = file.lost.join(", ");
                    format!("  {} `{printed}`, but not its {lost}", file.kind.as_str())
                }
                None => format!("  {} `{printed}`", file.kind.as_str()),
            });
            files.push(UndoneFile { path, kind: file.kind, from });
        }
        for one in undone.left {
            lines.push(format!("  left `{}` as it is: it {}", show::name(&one.path), one.what));
        }
        lines
            .push("Anchors that the patch's report showed are stale; read again first.".to_owned());
        if cancel.is_requested() {
            lines.push("note: this was finished before the abort took effect".to_owned());
        }
        Ok(UndoOutcome::Undone { text: lines.join("\n"), receipt: undone.id, files })
    }

    /// Compares an applied patch with the present files; changes nothing.
    pub fn review(
        &self,
        receipt: Option<&str>,
        cancel: &Cancel,
    ) -> Result<ReviewOutcome, CommitFault> {
        // For people: whatever a read shows as text is shown as text here too.
        let as_text = |path: &Path, bytes: &[u8]| {
            let document = Document::decode(bytes.to_vec(), self.choice(path));
            let is_binary = document.text().contains('\0');
            (!is_binary).then(|| show::with_escapes(document.text(), show::is_undecodable))
        };
        let diff =
            |changes: &[DiskChange]| unified(changes, |path| self.workspace.show(path), &as_text);
        match self.writer(cancel)?.review(receipt, diff) {
            Ok(review) => Ok(ReviewOutcome::Reviewed(review)),
            Err(reason) => refused_outcome(reason).map(ReviewOutcome::Refused),
        }
    }

    /// Adds later changes by other programs to a patch, so that an undo undoes both. Returns the
    /// files with such changes.
    pub fn adopt(&self, receipt: &str, cancel: &Cancel) -> Result<Vec<String>, CommitFault> {
        match self.writer(cancel)?.adopt(receipt) {
            Ok(paths) => Ok(paths.iter().map(|path| self.workspace.show(path)).collect()),
            Err(NotUndone::Fault(fault)) => Err(fault),
            // A receipt that is no longer kept cannot be undone, so there is nothing to adopt.
            Err(_) => Ok(Vec::new()),
        }
    }

    /// Redoes the patch that was undone last, if its files have not changed since.
    ///
    /// A patch can be redone only if no other patch was applied since its undo, by this session or
    /// another one.
    pub fn redo(&self, cancel: &Cancel) -> Result<RedoOutcome, CommitFault> {
        let (writer, ()) = self.writer_for(cancel, |writer| Ok(((), writer.paths_to_redo())))?;
        let reason = match writer.redo() {
            Ok(receipt) => {
                let files: Vec<String> =
                    receipt.paths.iter().map(|path| self.workspace.show(path)).collect();
                let mut lines = vec!["Redid the patch:".to_owned()];
                lines.extend(files.iter().map(|path| format!("  `{}`", show::name(path))));
                lines.push("Read the files again first: anchors may be stale.".to_owned());
                if cancel.is_requested() {
                    lines.push("note: this was finished before the abort took effect".to_owned());
                }
                let text = lines.join("\n");
                return Ok(RedoOutcome::Redone { text, receipt: receipt.id, files });
            }
            Err(NotUndone::Nothing) => "there is no patch to redo".to_owned(),
            Err(NotUndone::Differs(differences)) => {
                let files = listed(&differences);
                format!("it cannot be redone, because files have changed since:{files}")
            }
            Err(NotUndone::Fault(fault))
                if !matches!(fault, CommitFault::Changed { .. } | CommitFault::ReadOnly { .. }) =>
            {
                return Err(fault);
            }
            Err(reason) => reason.to_string(),
        };
        Ok(RedoOutcome::Refused { text: format!("REJECTED: nothing was written\n{reason}") })
    }

    /// The patches that are kept for undo, newest first.
    pub fn history(&self, cancel: &Cancel) -> Result<Vec<PastPatch>, CommitFault> {
        self.writer(cancel)?.history()
    }

    /// Completes or rolls back patches that a crash interrupted; with `sweep` it also removes
    /// abandoned temporary files.
    pub fn recover(
        &self,
        request: RecoverRequest,
        cancel: &Cancel,
    ) -> Result<RecoverOutcome, CommitFault> {
        let writer = if request.set_aside {
            self.note_recovery(self.ledger.set_aside(self.options.durability, cancel.flag()))?
        } else {
            self.writer(cancel)?
        };
        // No other process may recover meanwhile: after an interruption a temporary file can be the
        // only copy of the old text.
        let swept = if request.sweep { writer.sweep() } else { Vec::new() };
        let recovery = writer.recovery();
        let show = |paths: &mut dyn Iterator<Item = &Path>| -> Vec<String> {
            paths.map(|path| self.workspace.show(path)).collect()
        };
        let mut lines = self.describe_recovery(recovery);
        if !swept.is_empty() {
            let files = show::count(swept.len(), "temporary file");
            lines.push(format!("removed {files} of dead processes"));
        }
        if lines.is_empty() {
            lines.push("nothing to recover".to_owned());
        }
        Ok(RecoverOutcome {
            text: lines.join("\n"),
            finished: recovery.finished.clone(),
            undone: recovery.undone.clone(),
            left_alone: show(&mut recovery.left_alone.iter().map(|one| one.path.as_path())),
            unreadable: show(&mut recovery.unreadable.iter().map(|(path, _)| path.as_path())),
            set_aside: show(&mut recovery.set_aside.iter().map(PathBuf::as_path)),
            swept: show(&mut swept.iter().map(PathBuf::as_path)),
        })
    }

    /// The right to write; anything that was recovered on the way is reported with the next
    /// outcome.
    fn writer<'a>(&'a self, cancel: &'a Cancel) -> Result<Writer<'a>, CommitFault> {
        self.writer_in(&[], cancel)
    }

    /// The right to write in each root that some work concerns, and the result of `look`. If `look`
    /// names paths in a root that is not locked yet, all these roots are locked and it is called
    /// again.
    pub(super) fn writer_for<'a, T>(
        &'a self,
        cancel: &'a Cancel,
        look: impl Fn(&Writer<'a>) -> Result<(T, Vec<PathBuf>), CommitFault>,
    ) -> Result<(Writer<'a>, T), CommitFault> {
        let mut roots = Vec::new();
        loop {
            let writer = self.writer_in(&roots, cancel)?;
            let (found, paths) = look(&writer)?;
            let needed = self.other_roots_of(&paths);
            if needed.iter().all(|root| roots.contains(root)) {
                return Ok((writer, found));
            }
            roots = needed;
        }
    }

    /// The right to write in the first root and in these others.
    fn writer_in<'a>(
        &'a self,
        others: &[PathBuf],
        cancel: &'a Cancel,
    ) -> Result<Writer<'a>, CommitFault> {
        self.note_recovery(self.ledger.write_in(others, self.options.durability, cancel.flag()))
    }

    fn note_recovery<'s>(
        &'s self,
        writer: Result<Writer<'s>, CommitFault>,
    ) -> Result<Writer<'s>, CommitFault> {
        writer.inspect(|writer| self.notice(writer.recovery()))
    }

    /// Recovers from a crash before files are read. It does not wait for another writer.
    pub(super) fn try_recover(&self) {
        if !self.ledger.pending() {
            return;
        }
        let never = Cancel::default();
        if let Ok(writer) = self.ledger.lock(self.options.durability, Duration::ZERO, never.flag())
        {
            self.notice(writer.recovery());
        }
    }

    /// Warnings for the person at the machine that were not returned before.
    pub(super) fn take_warnings(&self) -> Vec<String> {
        let mut warnings = self.remembered.take_warnings();
        warnings.append(&mut self.notices().pending);
        warnings
    }

    fn notice(&self, recovery: &Recovery) {
        if recovery.is_empty() {
            return;
        }
        let mut notices = self.notices();
        for line in self.describe_recovery(recovery) {
            if notices.shown.insert(line.clone()) {
                notices.pending.push(line);
            }
        }
    }

    fn notices(&self) -> MutexGuard<'_, Notices> {
        // At worst a notice is reported twice.
        self.notices.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A path as messages print it.
    fn print_path(&self, path: &Path) -> String {
        show::name(&self.workspace.show(path)).into_owned()
    }

    fn describe_recovery(&self, recovery: &Recovery) -> Vec<String> {
        let finished = recovery.finished.iter();
        let mut lines: Vec<String> = finished
            .map(|id| format!("completed interrupted patch {id}: its files were already written"))
            .collect();
        lines.extend(recovery.undone.iter().map(|id| {
            format!("rolled back interrupted patch {id}: not all its files were written")
        }));
        for one in &recovery.left_alone {
            let before = one.kept.as_ref().map(|kept| self.print_path(kept));
            let before = before.map(|kept| format!("; its content from before is in `{kept}`"));
            lines.push(format!(
                "left `{}` alone: {}{}",
                self.print_path(&one.path),
                one.reason,
                before.unwrap_or_default()
            ));
        }
        for (path, why) in &recovery.unreadable {
            lines.push(format!("left the journal `{}` alone: {why}", self.print_path(path)));
        }
        let set_aside = recovery.set_aside.iter();
        lines.extend(
            set_aside.map(|path| format!("set the journal `{}` aside", self.print_path(path))),
        );
        lines.extend(recovery.failed.iter().map(ToString::to_string));
        lines
    }
}

/// A file that another program changed or that is read-only leads to a refusal; any other disk
/// error stays a fault.
fn refused_outcome(reason: NotUndone) -> Result<UndoOutcome, CommitFault> {
    let text = format!("REJECTED: nothing was written\n{reason}");
    let paths = match &reason {
        NotUndone::Differs(differences) => differences.iter().map(|one| one.path.clone()).collect(),
        _ => Vec::new(),
    };
    let code = match reason {
        NotUndone::Nothing => UndoRefusalCode::NothingToUndo,
        NotUndone::Differs(_) | NotUndone::Fault(CommitFault::Changed { .. }) => {
            UndoRefusalCode::FileChanged
        }
        NotUndone::TooLarge => UndoRefusalCode::TooLarge,
        NotUndone::Unreadable(..) => UndoRefusalCode::ReceiptUnreadable,
        NotUndone::Fault(CommitFault::ReadOnly { .. }) => UndoRefusalCode::ReadOnly,
        NotUndone::Fault(fault) => return Err(fault),
    };
    Ok(UndoOutcome::Refused { text, code, paths })
}
