//! Applying a patch: from the request to the report.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::Session;
use crate::cancel::{Cancel, Cancelled};
use crate::fs;
use crate::patch::{BadPatch, Change, Patch};
use crate::plan::{self, Before, End, FileState, OpTarget, Plan, Refusal};
use crate::report::{self, AppliedReport, RefusedReport, ShownLines};
use crate::snapshot::Snapshot;
use crate::text::{Digest, Document, LineNumber};
use crate::transaction::{self, FileAction, Transaction};

/// A file larger than this is not edited by line.
const MOST_BYTES: usize = 1 << 30;

/// So many times in a row the same patch may change nothing.
const MOST_NOOPS: usize = 2;

/// What an apply says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ApplyOutcome {
    /// The patch was applied; what the disk was told, if anything.
    Applied(AppliedReport, Option<transaction::Receipt>),
    /// Nothing was written.
    Refused(RefusedReport),
}

/// Why an apply has no outcome.
#[derive(Debug)]
pub enum ApplyFault {
    /// It was asked to stop before anything was written.
    Cancelled(Cancelled),
    /// The disk got in the way.
    Disk(transaction::CommitFault),
}

impl ApplyFault {
    /// The stable name of this error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Cancelled(cancelled) => cancelled.code(),
            Self::Disk(fault) => fault.code(),
        }
    }
}

impl std::fmt::Display for ApplyFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cancelled(cancelled) => cancelled.fmt(f),
            Self::Disk(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for ApplyFault {}

/// The last patch that changed nothing, and how often it came in a row.
#[derive(Debug, Default)]
pub struct Noops {
    patch: Option<Digest>,
    times: usize,
}

impl Noops {
    /// A model that sends what is there already, again and again, is told to stop.
    fn check(&mut self, patch: &Patch, plan: &Plan) -> Option<Refusal> {
        if !plan.is_noop() {
            *self = Noops::default();
            return None;
        }
        let digest = Digest::of(format!("{patch:?}").as_bytes());
        if self.patch != Some(digest) {
            *self = Noops { patch: Some(digest), times: 0 };
        }
        self.times += 1;
        (self.times > MOST_NOOPS).then(|| Refusal {
            op: None,
            ..Refusal::new(
                0,
                "repeated_noop",
                patch.ops.first().map_or("", |op| &op.path),
                format!(
                    "this patch has changed nothing {} times in a row: the file already reads as asked; \
                     read it again and send another change, or go on with the next step",
                    self.times
                ),
            )
        })
    }
}

/// A file that the patch names, and where it is.
struct Named {
    path: PathBuf,
    bytes: Option<Vec<u8>>,
}

impl Session {
    /// Applies a patch: all of it, or none.
    ///
    /// `patch` is what was read of the request; a request that could not be read is refused like
    /// any other.
    pub fn apply(
        &self,
        patch: Result<Patch, BadPatch>,
        cancel: &Cancel,
    ) -> Result<ApplyOutcome, ApplyFault> {
        let patch = match patch {
            Ok(patch) => patch,
            Err(bad) => return Ok(ApplyOutcome::Refused(self.refuse_request(&bad))),
        };
        // One patch at a time: between looking at a file and writing it nobody else may write.
        let mut noops = self.noops.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // The same across sessions and processes.
        let writer = self.writer(cancel)?;
        let (named, files, targets) =
            match self.gather(&patch, cancel).map_err(ApplyFault::Cancelled)? {
                Ok(gathered) => gathered,
                Err(refusals) => return Ok(self.refuse(&refusals, &patch, &[], &[])),
            };
        let settings = plan::Settings {
            scheme: self.scheme,
            relocation: self.relocation,
            repairs: self.repairs,
        };
        let plan = match plan::plan(&patch, &targets, &files, settings) {
            Ok(plan) => plan,
            Err(refusals) => return Ok(self.refuse(&refusals, &patch, &files, &named)),
        };
        if let Some(refusal) = noops.check(&patch, &plan) {
            return Ok(self.refuse(&[refusal], &patch, &files, &named));
        }
        cancel.check().map_err(ApplyFault::Cancelled)?;
        let changes = changes(&plan, &files, &named);
        let receipt = if changes.is_empty() {
            None
        } else {
            match writer.commit(&Transaction::new(changes)) {
                Ok(receipt) => Some(receipt),
                Err(fault) => {
                    let refusal = refused_by_disk(fault, &named, &files)?;
                    return Ok(self.refuse(&[refusal], &patch, &files, &named));
                }
            }
        };
        drop(writer);
        let report = report::applied(&plan, &files, self.scheme);
        self.remember_after(&plan, &files, &named, &report.seen);
        Ok(ApplyOutcome::Applied(report, receipt))
    }

    /// Reads every file that the patch names, once.
    #[expect(clippy::type_complexity, reason = "three lists that belong together for one call")]
    fn gather(
        &self,
        patch: &Patch,
        cancel: &Cancel,
    ) -> Result<Result<(Vec<Named>, Vec<Before>, Vec<OpTarget>), Vec<Refusal>>, Cancelled> {
        let mut known: HashMap<PathBuf, usize> = HashMap::new();
        let mut named: Vec<Named> = Vec::new();
        let mut files: Vec<Before> = Vec::new();
        let mut refusals = Vec::new();
        let mut find = |op: usize, spelled: &str| -> Result<usize, Box<Refusal>> {
            let (real, near) = self.locate(op, spelled)?;
            if let Some(at) = known.get(&real) {
                return Ok(*at);
            }
            let (state, bytes) = look(op, spelled, &real, cancel)?;
            known.insert(real.clone(), named.len());
            files.push(Before {
                path: spelled.to_owned(),
                state,
                versions: self.remembered.versions(&real),
                near,
            });
            named.push(Named { path: real, bytes });
            Ok(named.len() - 1)
        };
        let mut targets = Vec::with_capacity(patch.ops.len());
        for (index, op) in patch.ops.iter().enumerate() {
            cancel.check()?;
            let to = match &op.change {
                Change::MoveFile { to } => Some(find(index, to)),
                _ => None,
            };
            match (find(index, &op.path), to.transpose()) {
                (Ok(file), Ok(to)) => targets.push(OpTarget { file, to }),
                (file, to) => refusals
                    .extend([file.err(), to.err()].into_iter().flatten().map(|refusal| *refusal)),
            }
        }
        cancel.check()?;
        Ok(if refusals.is_empty() { Ok((named, files, targets)) } else { Err(refusals) })
    }

    /// The file that a path means, symbolic links followed, if it may be written to; and if it is
    /// missing, names that come near.
    fn locate(&self, op: usize, spelled: &str) -> Result<(PathBuf, Vec<String>), Box<Refusal>> {
        let refuse = |code, reason: String| Err(Box::new(Refusal::new(op, code, spelled, reason)));
        if let Some(why) = self.workspace.no_file_name(spelled) {
            return refuse("bad_path", format!("`{}` {why}", spelled.escape_debug()));
        }
        let (path, near) = self.workspace.find(spelled).map_or_else(
            |missing| {
                let bare = spelled.trim_matches(['\n', '\r']);
                let path = self.workspace.absolute(bare.strip_prefix('@').unwrap_or(bare));
                (path, missing.near)
            },
            |place| (place.path, Vec::new()),
        );
        let path = follow(&path);
        if !self.allow_outside && !path.starts_with(self.workspace.root()) {
            let root = self.workspace.root().display();
            return refuse(
                "outside_root",
                format!(
                    "`{spelled}` lies outside the workspace `{root}`, where nothing is written"
                ),
            );
        }
        Ok((path, near))
    }

    fn refuse_request(&self, bad: &BadPatch) -> RefusedReport {
        let refusal = Refusal { op: bad.op, ..Refusal::new(0, bad.code, "", bad.to_string()) };
        // The text names the operation already.
        let mut refused =
            report::refused(&[Refusal { op: None, ..refusal.clone() }], 0, &[], self.scheme);
        for fact in &mut refused.refusals {
            fact.op = bad.op;
        }
        refused
    }

    fn refuse(
        &self,
        refusals: &[Refusal],
        patch: &Patch,
        files: &[Before],
        named: &[Named],
    ) -> ApplyOutcome {
        let refused = report::refused(refusals, patch.ops.len(), files, self.scheme);
        for seen in &refused.seen {
            if let Some(document) = files[seen.file].document() {
                self.remember_lines(&named[seen.file].path, document, seen);
            }
        }
        ApplyOutcome::Refused(refused)
    }

    fn remember_after(&self, plan: &Plan, files: &[Before], named: &[Named], seen: &[ShownLines]) {
        for file in &plan.files {
            let path = &named[file.file].path;
            let created;
            let (path, document) = match &file.end {
                End::Kept => continue,
                End::Deleted => {
                    self.remembered.forget(path);
                    continue;
                }
                End::Created(text) => {
                    created = Document::from_text(text.clone());
                    (path, Some(&created))
                }
                End::Changed(document) => (path, Some(document)),
                End::Moved { to, after } => {
                    self.remembered.rename(path, &named[*to].path);
                    (&named[*to].path, after.as_ref().or(files[file.file].document()))
                }
            };
            let lines = seen.iter().find(|seen| seen.file == file.file);
            if let (Some(document), Some(lines)) = (document, lines) {
                self.remember_lines(path, document, lines);
            }
        }
    }

    fn remember_lines(&self, path: &Path, document: &Document, seen: &ShownLines) {
        let mut snapshot = Snapshot::whole(self.scheme, document.digests());
        for span in &seen.lines {
            for index in span.start()..span.end() {
                let tag = plan::tag_at(document, index, self.scheme);
                snapshot.show(LineNumber::at(index), &[tag]);
            }
        }
        self.remembered.remember(path, snapshot);
    }
}

/// What somebody else did to a file, or forbade, is a refusal; anything else the disk does is not.
fn refused_by_disk(
    fault: transaction::CommitFault,
    named: &[Named],
    files: &[Before],
) -> Result<Refusal, ApplyFault> {
    let (transaction::CommitFault::Changed { path } | transaction::CommitFault::ReadOnly { path }) =
        &fault
    else {
        return Err(ApplyFault::Disk(fault));
    };
    let at = named.iter().position(|named| named.path == *path);
    let spelled = at.map_or_else(|| path.display().to_string(), |at| files[at].path.clone());
    let reason = match &fault {
        transaction::CommitFault::ReadOnly { .. } => format!("`{spelled}` is read-only"),
        _ => format!("`{spelled}` was changed by somebody else in the meantime; read it again"),
    };
    Ok(Refusal { op: None, ..Refusal::new(0, fault.code(), &spelled, reason) })
}

/// The path with symbolic links followed as far as it exists.
fn follow(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonical(path) {
        return real;
    }
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => follow(parent).join(name),
        _ => path.to_owned(),
    }
}

/// What stands at a path.
fn look(
    op: usize,
    spelled: &str,
    path: &Path,
    cancel: &Cancel,
) -> Result<(FileState, Option<Vec<u8>>), Box<Refusal>> {
    let refuse = |code, reason: String| Err(Box::new(Refusal::new(op, code, spelled, reason)));
    if !fs::exists(path) {
        return Ok((FileState::Missing, None));
    }
    let bytes = match fs::contents(path, MOST_BYTES, cancel.flag()) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => {
            return refuse("not_a_file", format!("`{spelled}` is {error}, not a file"));
        }
        Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
            return refuse("too_large", format!("`{spelled}` is larger than 1 GB"));
        }
        Err(error) => return refuse("unreadable", format!("`{spelled}` cannot be read: {error}")),
    };
    Ok(match Document::from_bytes(bytes.clone()) {
        Ok(document) => (FileState::Text(document), Some(bytes)),
        Err(error) => (FileState::Opaque(error.to_string()), Some(bytes)),
    })
}

/// What the disk is to be told.
fn changes(plan: &Plan, files: &[Before], named: &[Named]) -> Vec<transaction::FileChange> {
    let goals: Vec<usize> = plan
        .files
        .iter()
        .filter_map(|file| match file.end {
            End::Moved { to, .. } => Some(to),
            _ => None,
        })
        .collect();
    let change = |file: usize, then| transaction::FileChange {
        path: named[file].path.clone(),
        expected: named[file].bytes.clone(),
        then,
    };
    let mut changes = Vec::new();
    for plan in &plan.files {
        let file = plan.file;
        match &plan.end {
            End::Kept => {}
            End::Changed(after) => {
                changes.push(change(file, FileAction::Put(after.bytes().to_vec())))
            }
            End::Created(text) => {
                changes.push(change(file, FileAction::Put(text.clone().into_bytes())))
            }
            // A file whose place is taken by another is written over, not removed.
            End::Deleted if goals.contains(&file) => {}
            End::Deleted => changes.push(change(file, FileAction::Remove)),
            End::Moved { to, after } => {
                let content = after.as_ref().map(|after| after.bytes().to_vec());
                if matches!(files[*to].state, FileState::Missing) && !goals.contains(&file) {
                    let to = named[*to].path.clone();
                    changes.push(change(file, FileAction::MoveTo { to, content }));
                } else {
                    let content = content.or_else(|| named[file].bytes.clone()).unwrap_or_default();
                    changes.push(change(*to, FileAction::Put(content)));
                    if !goals.contains(&file) {
                        changes.push(change(file, FileAction::Remove));
                    }
                }
            }
        }
    }
    changes
}
