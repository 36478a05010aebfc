//! Undoing and redoing commits.
//!
//! The journal of a commit remains as its receipt, with the old bytes in it. [`Writer::undo`]
//! reverses the newest receipt and commits that, if every file is still as the commit left it. The
//! journal of this undo remains too, until another patch is applied: [`Writer::redo`] reverses it
//! in turn.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::fault::shown;
use super::journal::{
    Fingerprint, Journal, JournalError, JournalRecord, PastChange, RECEIPT, REDO, retire,
};
use super::ledger::Writer;
use super::prepare::StepFailure;
use super::{CommitFault, DiskChange, FileAction, Receipt, Transaction};
use crate::fs::{Disk, unreachable_path};
use crate::show;
use hashline_text::SharedBytes;

/// How many commits can be undone.
pub(crate) const MAX_RECEIPTS: usize = 20;

/// How many bytes all receipts may have together.
const MAX_BYTES: u64 = 64 << 20;

/// A receipt of at most this many bytes is kept without adding up the sizes of all.
const SMALL: u64 = 64 << 10;

/// A commit that was undone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undone {
    /// The name of the commit.
    pub id: String,
    /// What became of each file.
    pub files: Vec<Restored>,
    /// The files that were left alone, because another program has changed them since.
    pub left: Vec<Difference>,
}

/// An applied patch compared with the present files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Review {
    /// The name in its receipt.
    pub receipt: String,
    /// The files that it changed.
    pub files: Vec<String>,
    /// The files that have changed since it was applied.
    pub changed: Vec<Difference>,
    /// What an undo would change in the other files, as a unified diff; `None` if it is too long.
    pub undo: Option<String>,
    /// All changes from before the patch until now, as a unified diff; `None` if it is too long.
    pub since: Option<String>,
}

/// A patch that is kept for undo.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PastPatch {
    /// The name in its receipt.
    pub receipt: String,
    /// When it was applied, in milliseconds since 1970.
    pub time: u64,
    /// The files that it changed.
    pub files: Vec<String>,
    /// The size of its receipt, in bytes.
    pub size: u64,
    /// Whether the patch can be undone: its files are unchanged since, and the old content is kept.
    pub restorable: bool,
}

/// What became of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Restored {
    /// Which metadata it did not get back, such as its owner, because this process may not set it.
    pub lost: Vec<&'static str>,
    /// The path of the file.
    pub path: PathBuf,
    /// How the change to it was undone.
    pub kind: RestoredKind,
    /// For a file that was moved back, the path that it was moved from.
    pub from: Option<PathBuf>,
}

/// How a change to a file was undone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum RestoredKind {
    /// The file has its old content again.
    Restored,
    /// The file was new, and is removed.
    Removed,
    /// The file has its old name again.
    Moved,
}

impl RestoredKind {
    /// The name in outcomes.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Why nothing was undone.
#[derive(Debug, thiserror::Error)]
pub enum NotUndone {
    /// There is no commit to undo.
    #[error("there is no patch to undo")]
    Nothing,
    /// Files have changed since the commit.
    #[error("the last patch cannot be undone, because files have changed since:{}", listed(.0))]
    Differs(Vec<Difference>),
    /// The old content was too large to keep.
    #[error("the last patch was too large to be kept for undo")]
    TooLarge,
    /// The receipt cannot be read.
    #[error("the receipt `{}` cannot be used: {}", shown(.0), .1)]
    Unreadable(PathBuf, JournalError),
    /// The commit that was to undo it failed.
    #[error(transparent)]
    Fault(#[from] CommitFault),
}

/// A file that is not as the commit left it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The path of the file, as outcomes print it.
    pub path: String,
    /// How the file differs, such as `is gone`.
    pub what: &'static str,
}

/// Lists files that differ, one per line.
pub(crate) fn listed(differences: &[Difference]) -> String {
    let line = |one: &Difference| format!("\n  `{}` {}", show::name(&one.path), one.what);
    differences.iter().map(line).collect()
}

impl Writer<'_> {
    /// The commits that have receipts, newest first; unreadable receipts are left out.
    pub fn history(&self) -> Result<Vec<PastPatch>, CommitFault> {
        self.file_receipts()?;
        let disk = self.disk();
        let names = self.receipt_names(RECEIPT)?;
        let past = |(_, name): &(u64, String)| {
            let path = self.directory().join(name);
            let facts = disk.look(&path).ok()??;
            let (_, record) = JournalRecord::read(&disk.read(&path).ok()?, self.bounds()).ok()?;
            let mut differences = Vec::new();
            let mut changes = record.changes.iter();
            Some(PastPatch {
                restorable: changes.all(|past| self.reversed(past, &mut differences).is_some()),
                files: self.shown(&record.files()),
                receipt: record.id,
                time: u64::try_from(facts.modified / 1_000_000).unwrap_or_default(),
                size: facts.size,
            })
        };
        Ok(names.iter().rev().filter_map(past).collect())
    }

    /// The paths that the files of a commit, or of the last one, had before and after it; empty if
    /// its receipt cannot be read.
    pub fn paths_of(&self, id: Option<&str>) -> Vec<PathBuf> {
        paths_in(self.find(RECEIPT, id))
    }

    /// The paths of the files that a redo would change.
    pub fn paths_to_redo(&self) -> Vec<PathBuf> {
        paths_in(self.find(REDO, None))
    }

    fn receipt_names(&self, ending: &str) -> Result<Vec<(u64, String)>, CommitFault> {
        let names = self.disk().names(self.directory());
        Ok(numbered(names.map_err(|source| self.state_fault(source))?, ending))
    }

    /// The receipt of a commit, or of the last one: its file name and its record.
    fn find(&self, ending: &str, id: Option<&str>) -> Result<(String, JournalRecord), NotUndone> {
        self.file_receipts()?;
        let disk = self.disk();
        for (_, name) in self.receipt_names(ending)?.into_iter().rev() {
            let path = self.directory().join(&name);
            let bytes = disk.read(&path).map_err(|source| self.state_fault(source))?;
            match JournalRecord::read(&bytes, self.bounds()) {
                Ok((_, record)) if id.is_none_or(|id| record.id == id) => {
                    return Ok((name, record));
                }
                Err(why) if id.is_none() => return Err(NotUndone::Unreadable(path, why)),
                _ => {}
            }
        }
        Err(NotUndone::Nothing)
    }

    /// Compares a commit, or the last one, with the present files. `diff` renders changes.
    pub fn review(
        &self,
        id: Option<&str>,
        diff: impl Fn(&[DiskChange]) -> Option<String>,
    ) -> Result<Review, NotUndone> {
        let (_, record) = self.find(RECEIPT, id)?;
        let (past, mut changed) = (&record.changes, Vec::new());
        let back: Vec<_> =
            past.iter().filter_map(|past| self.reversed(past, &mut changed)).collect();
        let since: Vec<_> = past.iter().filter_map(|past| since(self.disk(), past)).collect();
        let (undo, since, files) = (diff(&back), diff(&since), self.shown(&record.files()));
        Ok(Review { receipt: record.id, files, changed, undo, since })
    }

    fn shown(&self, paths: &[PathBuf]) -> Vec<String> {
        paths.iter().map(|path| self.show(path)).collect()
    }

    /// Treats later changes by other programs as part of a commit, so that undoing it undoes them
    /// too. Returns the files with such changes.
    pub fn adopt(&self, id: &str) -> Result<Vec<PathBuf>, NotUndone> {
        let disk = self.disk();
        let (name, mut record) = self.find(RECEIPT, Some(id))?;
        let mut changed = Vec::new();
        for past in &mut record.changes {
            let Some(after) = &past.after else { continue };
            let now = match disk.read(after) {
                Ok(bytes) => Some(Fingerprint::of(&bytes)),
                // The undo will report that the file is gone.
                Err(error) if unreachable_path(&error) => continue,
                Err(error) => {
                    return Err(StepFailure::new("read", after, error).into_fault(1).into());
                }
            };
            if past.new != now {
                past.new = now;
                changed.push(after.clone());
            }
        }
        if !changed.is_empty() {
            Journal::replace(disk, &self.directory().join(name), &record, self.sync())
                .map_err(|source| self.state_fault(source))?;
        }
        Ok(changed)
    }

    /// Undoes a commit, or the last one: all of it or nothing, or, with `others`, all files but
    /// those that another program has changed since.
    pub fn undo(&self, id: Option<&str>, others: bool) -> Result<Undone, NotUndone> {
        let (name, record) = self.find(RECEIPT, id)?;
        let (_, left) = self.commit_reverse(name, &record, others)?;
        let is_left = |path: &PathBuf| left.iter().any(|one| one.path == self.show(path));
        let done = |past: &&PastChange| !past.before.iter().chain(&past.after).any(is_left);
        let restored = |past: &PastChange| {
            Some(Restored { lost: lost(self.disk(), past), ..Restored::of(past)? })
        };
        let files = record.changes.iter().filter(done).filter_map(restored).collect();
        Ok(Undone { id: record.id, files, left })
    }

    /// Redoes the patch that was undone last, by any process, if no other commit was made since.
    pub fn redo(&self) -> Result<Receipt, NotUndone> {
        let (name, record) = self.find(REDO, None)?;
        self.commit_reverse(name, &record, false).map(|(receipt, _)| receipt)
    }

    /// Commits the reverse of a record. The journal of the reverse replaces the file `name`, from
    /// which the record was read.
    fn commit_reverse(
        &self,
        name: String,
        record: &JournalRecord,
        others: bool,
    ) -> Result<(Receipt, Vec<Difference>), NotUndone> {
        let mut differences = Vec::new();
        let mut changes = Vec::with_capacity(record.changes.len());
        for past in &record.changes {
            match self.reversed(past, &mut differences) {
                Some(change) => changes.push(change),
                None if differences.is_empty() => return Err(NotUndone::TooLarge),
                None => {}
            }
        }
        if !differences.is_empty() && (!others || changes.is_empty()) {
            return Err(NotUndone::Differs(differences));
        }
        let removed_dirs = record.new_dirs.iter().rev().cloned().collect();
        let receipt = self.commit(&Transaction { changes, removed_dirs, undoes: Some(name) })?;
        Ok((receipt, differences))
    }

    /// The change that undoes `past`; `None` if there is none. If the files differ, adds that to
    /// `differences`.
    fn reversed(&self, past: &PastChange, differences: &mut Vec<Difference>) -> Option<DiskChange> {
        let disk = self.disk();
        let mut differs = |path: &Path, what| {
            differences.push(Difference { path: self.show(path), what });
        };
        // The file must still be as the commit left it.
        let expected = match &past.after {
            None => None,
            Some(after) => match disk.read(after) {
                Ok(bytes) if past.new == Some(Fingerprint::of(&bytes)) => Some(bytes.into()),
                Ok(_) => {
                    differs(after, "has other content now");
                    return None;
                }
                Err(error) => {
                    let gone = error.kind() == io::ErrorKind::NotFound;
                    differs(after, if gone { "is gone" } else { "cannot be read" });
                    return None;
                }
            },
        };
        if let Some(before) = &past.before
            && past.after.as_ref() != Some(before)
            && !matches!(disk.look(before), Ok(None))
            && !same_file(disk, before, past.after.as_deref())
        {
            differs(before, "is there again");
            return None;
        }
        let old = past.old.as_ref();
        let bytes = old.and_then(|old| old.bytes.clone());
        let (path, then) = match (&past.before, &past.after) {
            (Some(before), Some(after)) if before != after => {
                let content =
                    if old.map(|old| old.print) == past.new { None } else { Some(bytes?) };
                (after, FileAction::MoveTo { to: before.clone(), content })
            }
            (Some(before), _) => (before, FileAction::Put(bytes?)),
            (None, Some(after)) => (after, FileAction::Remove),
            (None, None) => return None,
        };
        let like = Some((past.mode, past.belongings.clone()));
        Some(DiskChange { path: path.clone(), expected, then, like })
    }
}

fn paths_in(kept: Result<(String, JournalRecord), NotUndone>) -> Vec<PathBuf> {
    let changes = kept.map_or_else(|_| Vec::new(), |(_, record)| record.changes);
    changes.into_iter().flat_map(|past| [past.before, past.after]).flatten().collect()
}

impl Restored {
    fn of(past: &PastChange) -> Option<Self> {
        let (path, kind, from) = match (&past.before, &past.after) {
            (Some(before), Some(after)) if before != after => {
                (before, RestoredKind::Moved, Some(after.clone()))
            }
            (Some(before), _) => (before, RestoredKind::Restored, None),
            (None, Some(after)) => (after, RestoredKind::Removed, None),
            (None, None) => return None,
        };
        Some(Self { path: path.clone(), kind, from, lost: Vec::new() })
    }
}

/// Which metadata a restored file did not get back.
fn lost(disk: &dyn Disk, past: &PastChange) -> Vec<&'static str> {
    let (Some(path), None) = (&past.before, &past.after) else { return Vec::new() };
    let (was, is) = (&past.belongings, disk.belongings(path).unwrap_or_default());
    let (had, has) = (was.owner.unzip(), is.owner.unzip());
    let owner = had.0 != has.0;
    let group = had.1 != has.1;
    let attributes = was.attributes != is.attributes;
    let parts = [(owner, "owner"), (group, "group"), (attributes, "access list and attributes")];
    let known = was.owner.is_some();
    parts.into_iter().filter(|(differs, _)| known && *differs).map(|(_, name)| name).collect()
}

/// The change from a file before a commit to the present file; `None` if its old bytes were not
/// kept.
fn since(disk: &dyn Disk, past: &PastChange) -> Option<DiskChange> {
    let expected = match &past.old {
        Some(old) => Some(old.bytes.clone()?),
        None => None,
    };
    let now = past.after.as_ref().or(past.before.as_ref())?;
    let bytes = disk.read(now).ok().map(SharedBytes::from);
    let (path, then) = match (&past.before, &past.after, bytes) {
        (Some(before), Some(after), Some(bytes)) if before != after => {
            (before, FileAction::MoveTo { to: after.clone(), content: Some(bytes) })
        }
        (_, _, Some(bytes)) => (now, FileAction::Put(bytes)),
        (_, _, None) => (now, FileAction::Remove),
    };
    Some(DiskChange { path: path.clone(), expected, then, like: None })
}

fn same_file(disk: &dyn Disk, one: &Path, other: Option<&Path>) -> bool {
    let look = |path| disk.look(path).ok().flatten();
    match (look(one), other.and_then(look)) {
        (Some(one), Some(other)) => one.same_file(&other),
        _ => false,
    }
}

/// Ends the journal of a finished commit: it becomes a receipt, or is removed if receipts are not
/// kept.
pub(super) fn keep(writer: &Writer<'_>, record: &JournalRecord, journal: &Path) -> io::Result<()> {
    if !writer.ledger().keeps_receipts() && record.undoes.is_none() {
        return retire(writer.disk(), &[journal], writer.sync());
    }
    file_away(writer.disk(), writer.directory(), record, journal, writer.sync())
}

/// Ends a finished journal: the one of a commit or a redo becomes a receipt for undo, the one of an
/// undo a receipt for redo.
pub(super) fn file_away(
    disk: &dyn Disk,
    directory: &Path,
    record: &JournalRecord,
    journal: &Path,
    sync: bool,
) -> io::Result<()> {
    let taken_back = record.undoes.as_ref().map(|name| directory.join(name));
    if let Some(path) = &taken_back {
        retire(disk, &[path], sync)?;
    }
    let undoes =
        taken_back.is_some_and(|path| path.extension().is_some_and(|it| it == &RECEIPT[1..]));
    let ending = if undoes { REDO } else { RECEIPT };
    let names = disk.names(directory)?;
    if record.undoes.is_none() {
        for (_, name) in numbered(names.clone(), REDO) {
            // If this fails, no harm is done: a later redo compares the files.
            let _ = disk.remove(&directory.join(name));
        }
    }
    let kept = numbered(names, ending);
    let next = kept.last().map_or(1, |(number, _)| number + 1);
    disk.rename(journal, &directory.join(format!("{next:08}{ending}")))?;
    prune(disk, directory, &kept);
    Ok(())
}

/// Removes the oldest receipts if there are too many or they are too large; the newest always
/// stays.
fn prune(disk: &dyn Disk, directory: &Path, older: &[(u64, String)]) {
    // Sizes are added up only after a large receipt, when the next one is filed. Only small ones
    // follow until then, and for those this much is kept free. If adding up is interrupted, the
    // next large receipt makes up for it.
    const ROOM: u64 = MAX_RECEIPTS as u64 * SMALL;
    let size = |(_, name): &(u64, String)| {
        disk.look(&directory.join(name)).ok().flatten().map_or(0, |facts| facts.size)
    };
    let crowded = older.last().is_some_and(|last| size(last) > SMALL);
    let mut bytes = 0;
    for (at, receipt) in older.iter().rev().enumerate() {
        if crowded {
            bytes += size(receipt);
        }
        if at + 1 >= MAX_RECEIPTS || bytes > MAX_BYTES - ROOM {
            // If this fails, one receipt too many does no harm.
            let _ = disk.remove(&directory.join(&receipt.1));
        }
    }
}

/// The names with this ending and their numbers, oldest first.
fn numbered(names: Vec<OsString>, ending: &str) -> Vec<(u64, String)> {
    let mut numbered: Vec<(u64, String)> = names
        .into_iter()
        .filter_map(|name| name.into_string().ok())
        .filter_map(|name| Some((name.strip_suffix(ending)?.parse().ok()?, name)))
        .collect();
    numbered.sort_unstable();
    numbered
}
