//! Applying a patch: read its files, plan it, commit the plan, and remember the lines that the
//! report shows.

use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use super::Session;
use super::changes::changes;
use super::stats::{Count, CountedAnswer};
use super::targets::Targets;
use super::touched::{self, ApplyDone};
use super::unified::{unified, utf8};
use crate::cancel::{Cancel, Cancelled};
use crate::patch::Patch;
use crate::plan::{self, End, FilePlan, Plan, Refusal, RefusalCode, Warning, WarningCode};
use crate::report::{self, AppliedReport, RefusedReport, ReportStyle};
use crate::transaction::{CommitFault, DiskChange, Receipt, Transaction, Writer};
use crate::{fs, show};

/// Added to the report of a patch if the abort came while its files were being written.
const LATE_ABORT_NOTE: &str = "\nnote: the patch was finished before the abort took effect; \
                          to undo it: /hashline undo or hashline undo";

/// The result of applying a patch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ApplyOutcome {
    /// The patch was applied; the receipt is missing if nothing had to be written.
    Applied(Box<AppliedReport>, Option<Receipt>),
    /// The patch was refused; nothing was written.
    Refused(RefusedReport),
}

/// Whether a patch is applied or only tried.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ApplyMode {
    /// The patch is applied.
    #[default]
    Write,
    /// Nothing is written; lines shown in a refusal count as seen, because the model may read it.
    DryRun,
    /// Nothing is written or remembered, because a person reads the outcome, not the model.
    Preview,
}

impl From<Cancelled> for CommitFault {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl Session {
    /// The file that a patch without a path changes: the only one that was shown, if there is only
    /// one.
    pub fn only_file_shown(&self) -> Option<String> {
        self.remembered.only_path().map(|path| self.workspace.show(&path))
    }

    /// Applies a patch: all of it, or none.
    ///
    /// If it is cancelled before the first file is published, nothing is written. Later, cancelling
    /// only adds a note to the report.
    pub fn apply(&self, patch: &Patch, cancel: &Cancel) -> Result<ApplyOutcome, CommitFault> {
        self.apply_as(patch, ApplyMode::Write, cancel).map(|done| done.outcome)
    }

    /// Applies a patch or only tries it, and also returns its files.
    pub fn apply_as(
        &self,
        patch: &Patch,
        mode: ApplyMode,
        cancel: &Cancel,
    ) -> Result<ApplyDone, CommitFault> {
        // One patch at a time: nobody else may write between reading a file and writing it.
        let _turn = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let filled = match self.with_kept_texts(patch) {
            Ok(filled) => filled,
            Err(refusals) => return Ok(self.refuse(refusals, patch, Targets::default(), mode)),
        };
        let patch = filled.as_ref().unwrap_or(patch);
        // Other sessions and processes wait too, for each root that contains one of the files.
        let (writer, (targets, mut refusals)) = self.writer_for(cancel, |_| {
            let (targets, refusals) = self.gather(patch, cancel)?;
            let paths = targets.paths.clone();
            Ok(((targets, refusals), paths))
        })?;
        let settings = plan::Settings {
            scheme: self.options.scheme,
            relocation: self.options.relocation,
            repairs: self.options.repairs,
            unseen: self.options.unseen,
            shifts_reported: self.options.report == ReportStyle::Short,
        };
        let mut plan = match plan::plan(patch, &targets.of_ops, &targets.files, settings) {
            Ok(plan) if refusals.is_empty() => plan,
            planned => {
                refusals.extend(planned.err().into_iter().flatten());
                return Ok(self.refuse(Refusal::one_per_op(refusals), patch, targets, mode));
            }
        };
        let refusals = self.check_contents(&plan, &targets);
        if !refusals.is_empty() {
            return Ok(self.refuse(refusals, patch, targets, mode));
        }
        let changes = changes(&plan, &targets);
        let unified = unified(&changes, |path| self.workspace.show(path), &utf8);
        if mode != ApplyMode::Write {
            let mut report =
                report::applied(&plan, &targets.files, self.options.scheme, self.options.report);
            report.text = report.text.replacen("Applied", "Would apply", 1);
            report.patch = unified;
            let outcome = ApplyOutcome::Applied(Box::new(report), None);
            return Ok(ApplyDone { outcome, files: touched::changed_files(plan, targets) });
        }
        if let Some(refusal) = self.repeats_noop(patch, &plan) {
            return Ok(self.refuse(vec![refusal], patch, targets, mode));
        }
        cancel.check()?;
        let receipt = match commit(&writer, changes) {
            Ok(receipt) => receipt,
            Err(fault) => {
                let refusal = refusal_of(fault, &targets)?;
                return Ok(self.refuse(vec![refusal], patch, targets, mode));
            }
        };
        self.remember_written(&targets, &plan);
        drop(writer);
        plan.warnings.extend(receipt.iter().flat_map(|receipt| link_warnings(receipt, &targets)));
        let receipt = receipt.filter(|_| self.ledger.keeps_receipts());
        let mut report =
            report::applied(&plan, &targets.files, self.options.scheme, self.options.report);
        report.patch = unified;
        self.remember_applied(&plan, &targets, &report.seen);
        if cancel.is_requested() && receipt.is_some() {
            report.text.push_str(LATE_ABORT_NOTE);
        }
        let counts = [
            (Count::Patches, 1),
            (Count::Edits, patch.ops.len()),
            (Count::Followed, report.relocations.len()),
            (Count::Repaired, report.repairs.len()),
            (Count::Bytes, report.text.len()),
        ];
        self.count(CountedAnswer::new(&counts).for_files(&targets.paths));
        let outcome = ApplyOutcome::Applied(Box::new(report), receipt);
        Ok(ApplyDone { outcome, files: touched::changed_files(plan, targets) })
    }

    /// Refusals for files whose planned content the check rejects.
    fn check_contents(&self, plan: &Plan, targets: &Targets) -> Vec<Refusal> {
        let Some(check) = self.options.check else { return Vec::new() };
        let refusal = |file: &FilePlan| {
            let (End::Changed(after) | End::Created(after) | End::Moved { after: Some(after), .. }) =
                &file.end
            else {
                return None;
            };
            let before = &targets.files[file.file];
            let reason = check(&before.path, before.document()?.text(), after.text())?;
            let op = targets.of_ops.iter().position(|target| target.file == file.file);
            let refusal = Refusal::new(0, RefusalCode::Malformed, &before.path, reason);
            Some(Refusal { op, ..refusal })
        };
        plan.files.iter().filter_map(refusal).collect()
    }

    /// The metadata of a file after the last patch, if that wrote it.
    pub(super) fn stat_after_write(&self, path: &Path) -> Option<fs::Stat> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).get(path).copied()
    }

    /// Remembers the files that were written, so that the next patch need not wait for another
    /// program that may be saving them.
    fn remember_written(&self, targets: &Targets, plan: &Plan) {
        let stat = |path: &PathBuf| Some((path.clone(), fs::stat(path).ok()?));
        let written = if plan.is_noop() { Vec::new() } else { targets.paths.clone() };
        *self.written.lock().unwrap_or_else(PoisonError::into_inner) =
            written.iter().filter_map(stat).collect();
    }

    fn repeats_noop(&self, patch: &Patch, plan: &Plan) -> Option<Refusal> {
        self.noops.lock().unwrap_or_else(PoisonError::into_inner).check(patch, plan)
    }

    fn refuse(
        &self,
        refusals: Vec<Refusal>,
        patch: &Patch,
        targets: Targets,
        mode: ApplyMode,
    ) -> ApplyDone {
        let refused =
            report::refused(refusals, patch.ops.len(), &targets.files, self.options.scheme);
        if mode != ApplyMode::Preview {
            self.remember_refused(&refused, &targets);
        }
        if mode == ApplyMode::Write {
            let counts = [(Count::Refused, 1), (Count::Bytes, refused.text.len())];
            self.count(CountedAnswer::new(&counts).for_files(&targets.paths));
        }
        let files = touched::refused(&refused, targets);
        ApplyDone { outcome: ApplyOutcome::Refused(refused), files }
    }
}

/// Commits changes; there is no receipt if there are none.
fn commit(writer: &Writer<'_>, changes: Vec<DiskChange>) -> Result<Option<Receipt>, CommitFault> {
    if changes.is_empty() {
        return Ok(None);
    }
    writer.commit(&Transaction::new(changes)).map(Some)
}

/// Warns of files with several hard links: all of them changed, and some may be outside the
/// workspace.
fn link_warnings(receipt: &Receipt, targets: &Targets) -> Vec<Warning> {
    let position = |path| targets.paths.iter().position(|known| known == path);
    let warning = |file| Warning {
        code: WarningCode::HardLink,
        op: None,
        file,
        line: None,
        text: "has several names (hard links), perhaps outside the workspace; all of them changed"
            .to_owned(),
    };
    receipt.linked.iter().filter_map(position).map(warning).collect()
}

/// A file that another program changed or that is read-only leads to a refusal; any other disk
/// error stays a fault.
fn refusal_of(fault: CommitFault, targets: &Targets) -> Result<Refusal, CommitFault> {
    let (CommitFault::Changed { path } | CommitFault::ReadOnly { path }) = &fault else {
        return Err(fault);
    };
    let at = targets.paths.iter().position(|known| known == path);
    let spelled =
        at.map_or_else(|| path.display().to_string(), |at| targets.files[at].path.clone());
    let printed = show::name(&spelled);
    let (code, what) = match &fault {
        CommitFault::ReadOnly { .. } => (RefusalCode::ReadOnly, "is read-only"),
        _ => (RefusalCode::FileChanged, "changed on disk since it was read; read it again"),
    };
    let refusal = Refusal::new(0, code, &spelled, format!("`{printed}` {what}"));
    Ok(Refusal { op: None, ..refusal })
}
