//! Applying a patch: the files are gathered, the patch is planned, the plan is committed, and what
//! the report shows is remembered.

use std::fmt;
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
use crate::transaction::{self, DiskChange, FaultCode, Transaction, Writer};
use crate::{fs, show};

/// What the report of a patch says if the abort came while it was written.
const LATE_ABORT: &str = "\nnote: the patch was finished before the abort took effect; \
                          to undo it: /hashline undo or hashline undo";

/// What an apply says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ApplyOutcome {
    /// The patch was applied; the receipt is missing if nothing had to be written.
    Applied(AppliedReport, Option<transaction::Receipt>),
    /// Nothing was written.
    Refused(RefusedReport),
}

/// Whether a patch is carried out or only tried.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ApplyMode {
    /// It is written.
    #[default]
    Write,
    /// Nothing is written; the lines that a refusal shows count as seen, as its reader may be the model.
    DryRun,
    /// Nothing is written or remembered: a person looks at it, not the model.
    Preview,
}

/// Why an apply has no outcome.
#[derive(Debug)]
pub enum ApplyFault {
    /// It was asked to end before anything was written.
    Cancelled(Cancelled),
    /// The disk got in the way.
    Disk(transaction::CommitFault),
}

impl ApplyFault {
    /// The stable name of this error.
    pub fn code(&self) -> FaultCode {
        match self {
            Self::Cancelled(_) => FaultCode::Aborted,
            Self::Disk(fault) => fault.code(),
        }
    }
}

impl fmt::Display for ApplyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled(cancelled) => write!(f, "{cancelled}; nothing was written"),
            Self::Disk(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for ApplyFault {}

impl From<Cancelled> for ApplyFault {
    fn from(cancelled: Cancelled) -> Self {
        Self::Cancelled(cancelled)
    }
}

impl From<transaction::CommitFault> for ApplyFault {
    fn from(fault: transaction::CommitFault) -> Self {
        match fault {
            transaction::CommitFault::Cancelled => Self::Cancelled(Cancelled),
            fault => Self::Disk(fault),
        }
    }
}

impl Session {
    /// The file that a patch without a path is for: the one that was shown, if it is only one.
    pub fn only_file_shown(&self) -> Option<String> {
        self.remembered.only_path().map(|path| self.workspace.show(&path))
    }

    /// Applies a patch: all of it, or none.
    ///
    /// A cancellation is heard until the first file is published: then nothing was written. Later
    /// it changes nothing but a note in the report.
    pub fn apply(&self, patch: &Patch, cancel: &Cancel) -> Result<ApplyOutcome, ApplyFault> {
        self.run(patch, ApplyMode::Write, cancel).map(|run| run.outcome)
    }

    /// Applies a patch or tries it, and gives back the files too.
    pub fn apply_as(
        &self,
        patch: &Patch,
        mode: ApplyMode,
        cancel: &Cancel,
    ) -> Result<ApplyDone, ApplyFault> {
        let run = self.run(patch, mode, cancel)?;
        let files = match (run.plan, &run.outcome) {
            (Some(plan), _) => touched::changed(plan, run.targets),
            (None, ApplyOutcome::Refused(report)) => {
                touched::refused(&run.refusals, &report.seen, run.targets)
            }
            (None, ApplyOutcome::Applied(..)) => Vec::new(),
        };
        Ok(ApplyDone { outcome: run.outcome, files })
    }

    fn run(&self, patch: &Patch, mode: ApplyMode, cancel: &Cancel) -> Result<ApplyRun, ApplyFault> {
        let run = self.plan_and_write(patch, mode, cancel)?;
        if mode == ApplyMode::Write {
            self.count(run.counted(patch.ops.len()));
        }
        Ok(run)
    }

    fn plan_and_write(
        &self,
        patch: &Patch,
        mode: ApplyMode,
        cancel: &Cancel,
    ) -> Result<ApplyRun, ApplyFault> {
        // One patch at a time: between looking at a file and writing it no other writer may write.
        let _turn = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let filled = match self.with_kept_texts(patch) {
            Ok(filled) => filled,
            Err(refusals) => return Ok(self.refuse(refusals, patch, Targets::default(), mode)),
        };
        let patch = filled.as_ref().unwrap_or(patch);
        // The same across sessions and processes, in each root that a file is in.
        let mut roots = Vec::new();
        let (writer, targets, mut refusals) = loop {
            let writer = self.writer_in(&roots, cancel)?;
            let (targets, refusals) = self.gather(patch, cancel)?;
            let needed = self.other_roots_of(&targets.paths);
            if needed.iter().all(|root| roots.contains(root)) {
                break (writer, targets, refusals);
            }
            roots = needed;
        };
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
        let refusals = self.malformed(&plan, &targets);
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
            return Ok(ApplyRun::applied(report, None, plan, targets));
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
        plan.warnings.extend(receipt.iter().flat_map(|receipt| linked(receipt, &targets)));
        let receipt = receipt.filter(|_| self.ledger.keeps_receipts());
        let mut report =
            report::applied(&plan, &targets.files, self.options.scheme, self.options.report);
        report.patch = unified;
        self.remember_applied(&plan, &targets, &report.seen);
        if cancel.is_requested() && receipt.is_some() {
            report.text.push_str(LATE_ABORT);
        }
        Ok(ApplyRun::applied(report, receipt, plan, targets))
    }

    /// Why files may not become what is planned.
    fn malformed(&self, plan: &Plan, targets: &Targets) -> Vec<Refusal> {
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

    /// The state in which the last patch left a file.
    pub(super) fn written(&self, path: &Path) -> Option<fs::Stat> {
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
    ) -> ApplyRun {
        let refused =
            report::refused(&refusals, patch.ops.len(), &targets.files, self.options.scheme);
        if mode != ApplyMode::Preview {
            self.remember_refused(&refusals, &targets, &refused.seen);
        }
        ApplyRun { outcome: ApplyOutcome::Refused(refused), plan: None, refusals, targets }
    }
}

/// An apply that has come to its end, with all that it was made from.
struct ApplyRun {
    outcome: ApplyOutcome,
    /// What was done; `None` if the patch was refused.
    plan: Option<Plan>,
    refusals: Vec<Refusal>,
    targets: Targets,
}

impl ApplyRun {
    fn applied(
        report: AppliedReport,
        receipt: Option<transaction::Receipt>,
        plan: Plan,
        targets: Targets,
    ) -> Self {
        let outcome = ApplyOutcome::Applied(report, receipt);
        Self { outcome, plan: Some(plan), refusals: Vec::new(), targets }
    }

    fn counted(&self, edits: usize) -> CountedAnswer {
        let counted = match &self.outcome {
            ApplyOutcome::Applied(report, _) => CountedAnswer::new(&[
                (Count::Patches, 1),
                (Count::Edits, edits),
                (Count::Followed, report.relocations.len()),
                (Count::Repaired, report.repairs.len()),
                (Count::Bytes, report.text.len()),
            ]),
            ApplyOutcome::Refused(report) => {
                CountedAnswer::new(&[(Count::Refused, 1), (Count::Bytes, report.text.len())])
            }
        };
        counted.about(&self.targets.paths)
    }
}

/// Writes what was planned; there is no receipt if that is nothing.
fn commit(
    writer: &Writer<'_>,
    changes: Vec<DiskChange>,
) -> Result<Option<transaction::Receipt>, transaction::CommitFault> {
    if changes.is_empty() {
        return Ok(None);
    }
    writer.commit(&Transaction::new(changes)).map(Some)
}

/// Warns of files with several names: the others changed, too, and may be outside the workspace.
fn linked(receipt: &transaction::Receipt, targets: &Targets) -> Vec<Warning> {
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

/// A file that another program changed or that may not be written is a refusal; any other disk
/// error is not.
fn refusal_of(fault: transaction::CommitFault, targets: &Targets) -> Result<Refusal, ApplyFault> {
    let (transaction::CommitFault::Changed { path } | transaction::CommitFault::ReadOnly { path }) =
        &fault
    else {
        return Err(fault.into());
    };
    let at = targets.paths.iter().position(|known| known == path);
    let spelled =
        at.map_or_else(|| path.display().to_string(), |at| targets.files[at].path.clone());
    let printed = show::name(&spelled);
    let (code, reason) = match &fault {
        transaction::CommitFault::ReadOnly { .. } => {
            (RefusalCode::ReadOnly, format!("`{printed}` is read-only"))
        }
        _ => (
            RefusalCode::FileChanged,
            format!("`{printed}` changed on disk since it was read; read it again"),
        ),
    };
    Ok(Refusal { op: None, ..Refusal::new(0, code, &spelled, reason) })
}
