//! Staging the new files of a transaction, then publishing them.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::at_once::at_once;
use super::journal::{Journal, JournalRecord};
use super::ledger::Writer;
use super::roll_back::{
    LeftAlone, end_journal, remove_leftovers, roll_back, sync_directories, unnamed_directories,
};
use super::schedule::{Schedule, StagedFile};
use super::step::{DiskStep, StepError};
use super::{CommitFault, DiskChange, Receipt, Transaction, undo};
use crate::fs::{Disk, Facts};

/// How many staged files may be open, and are synced, at once.
const BATCH: usize = 64;

/// A transaction that is staged, checked and written down; none of its files is touched yet.
///
/// Dropping this removes all that was staged.
#[derive(Debug)]
pub struct Prepared<'w> {
    writer: &'w Writer<'w>,
    record: JournalRecord,
    journal: Journal,
    /// Changed files that have other hard links; all links show the change.
    linked: Vec<PathBuf>,
    /// For each step, facts about the old file from when its content was checked.
    was: Vec<Option<Facts>>,
    /// Whether a file may have been published.
    begun: bool,
    /// Whether the journal on the disk may be marked as done.
    marked_done: bool,
    is_ended: bool,
}

/// An error, the operation that failed, and its file.
#[derive(Debug)]
pub(super) struct StepFailure {
    pub doing: &'static str,
    pub path: PathBuf,
    pub error: StepError,
}

impl StepFailure {
    pub(super) fn new(doing: &'static str, path: &Path, error: impl Into<StepError>) -> Self {
        Self { doing, path: path.to_owned(), error: error.into() }
    }
}

impl<'w> Prepared<'w> {
    /// Stages a transaction. With `copies`, files are moved by copying, never by renaming.
    pub(super) fn new(
        writer: &'w Writer<'w>,
        transaction: &Transaction,
        copies: bool,
    ) -> Result<Self, CommitFault> {
        let items = &transaction.changes;
        let fault = |failure: StepFailure| failure.into_fault(items.len());
        let Schedule { record, stages, linked } =
            Schedule::new(writer, transaction, copies).map_err(fault)?;
        // If a journal cannot become a receipt now, that is tried again later; a patch does not
        // wait for it.
        let _ = writer.file_receipts();
        let journal = Journal::create(writer.disk(), writer.directory(), &record, writer.sync())
            .map_err(|error| fault(journal_failure(&record, error)))?;
        // From here on, dropping `prepared` cleans up.
        let mut prepared = Self {
            writer,
            record,
            journal,
            linked,
            was: Vec::new(),
            begun: false,
            marked_done: false,
            is_ended: false,
        };
        let staged = prepared.stage(items, &stages).and_then(|()| prepared.compare(items));
        match staged {
            Ok(was) => {
                prepared.was = was;
                Ok(prepared)
            }
            Err(failure) => Err(prepared.fail(failure)),
        }
    }

    /// Makes every change, or none.
    pub fn publish(mut self) -> Result<Receipt, CommitFault> {
        match self.publish_all() {
            Ok(()) => {
                self.is_ended = true;
                Ok(self.receipt())
            }
            Err(trouble) => Err(self.fail(trouble)),
        }
    }

    fn publish_all(&mut self) -> Result<(), StepFailure> {
        let (disk, sync) = (self.writer.disk(), self.writer.sync());
        self.begun = true;
        for ((change, step), was) in self.record.steps.iter().zip(&self.was) {
            step.perform(disk, &self.record.changes[*change], was.as_ref(), sync)
                .map_err(|error| StepFailure::new(step.doing(), step.path(), error))?;
        }
        if sync {
            sync_directories(disk, &self.record)
                .map_err(|(path, error)| StepFailure::new("sync", &path, error))?;
        }
        self.check_old_files()?;
        self.marked_done = true;
        self.journal
            .mark(disk, true, sync)
            .map_err(|error| journal_failure(&self.record, error))?;
        if !(remove_leftovers(disk, &self.record, sync).is_empty() && self.make_receipt()) {
            // The patch is applied. Whoever next asks for receipts, or the next writer, does the
            // rest.
            self.writer.note_unfiled();
        }
        Ok(())
    }

    /// Turns the journal into a receipt, and says whether that worked.
    fn make_receipt(&self) -> bool {
        // The newest receipt counts as the last patch, so receipts must be made in order.
        !self.writer.has_unfiled()
            && undo::keep(self.writer, &self.record, &self.journal.path).is_ok()
    }

    /// Checks every old file once more: a program that was saving one may have written more since
    /// the file was replaced.
    fn check_old_files(&self) -> Result<(), StepFailure> {
        let disk = self.writer.disk();
        let steps = &self.record.steps;
        for (at, ((change, step), was)) in steps.iter().zip(&self.was).enumerate() {
            // We changed this file ourselves: it was moved, then overwritten.
            if steps.get(at + 1).is_some_and(|(next, _)| next == change) {
                continue;
            }
            step.check_old_file(disk, &self.record.changes[*change], was.as_ref())
                .map_err(|error| StepFailure::new(step.doing(), step.path(), error))?;
        }
        Ok(())
    }

    /// Stages every new content, and renames the journal to say that the work has begun: both reach
    /// the medium together.
    fn stage(&mut self, items: &[DiskChange], stages: &[StagedFile]) -> Result<(), StepFailure> {
        let (disk, sync) = (self.writer.disk(), self.writer.sync());
        make_directories(disk, &self.record, sync)?;
        // All files are written before the first is synced, so that the system can write them to
        // the medium together.
        let sync_all = |files: &[(usize, File)]| {
            let synced = if sync { sync_all(disk, files) } else { Ok(()) };
            synced.map_err(|(item, error)| StepFailure::new("write", &items[item].path, error))
        };
        let mut files = Vec::new();
        for stage in stages {
            if files.len() == BATCH {
                sync_all(&std::mem::take(&mut files))?;
            }
            let file = disk
                .create(&stage.path, &stage.content, &stage.like)
                .map_err(|error| StepFailure::new("write", &items[stage.item].path, error))?;
            if sync {
                disk.begin_sync(&file);
            }
            files.push((stage.item, file));
        }
        let failure = |error| journal_failure(&self.record, error);
        self.journal.begin(disk).map_err(failure)?;
        sync_all(&files)?;
        if sync { disk.sync_directory(self.writer.directory()).map_err(failure) } else { Ok(()) }
    }

    /// Checks that every path has its expected content, and returns the old file's facts for each
    /// step.
    fn compare(&self, items: &[DiskChange]) -> Result<Vec<Option<Facts>>, StepFailure> {
        let disk = self.writer.disk();
        let mut found = Vec::with_capacity(items.len());
        for item in items {
            let failure = |error| StepFailure::new("read", &item.path, error);
            let facts = disk.look(&item.path).map_err(failure)?;
            let same = match (&item.expected, &facts) {
                (None, None) => true,
                (Some(expected), Some(facts)) if facts.size == expected.len() as u64 => {
                    disk.read(&item.path).map_err(failure)? == **expected
                }
                _ => false,
            };
            if !same {
                return Err(StepFailure::new("read", &item.path, StepError::Changed));
            }
            found.push(facts);
        }
        let first = |change: usize, at: usize| {
            // For a file that is moved and then overwritten, only the move is checked: we change it
            // ourselves.
            at == 0 || self.record.steps[at - 1].0 != change
        };
        let steps = self.record.steps.iter().enumerate();
        let of_step = steps.map(|(at, (change, step))| match step {
            DiskStep::Replace { .. } | DiskStep::Remove { .. } => found[*change],
            DiskStep::Move { .. } if first(*change, at) => found[*change],
            _ => None,
        });
        Ok(of_step.collect())
    }

    /// Rolls everything back and returns the fault to report.
    fn fail(mut self, failure: StepFailure) -> CommitFault {
        let Unrestored { left, left_alone } = self.roll_back();
        let files = self.record.changes.len();
        if left.is_empty() && left_alone.is_empty() {
            return failure.into_fault(files);
        }
        // Files that are not restored matter more than why the patch failed.
        let StepFailure { doing, path, error } = failure;
        let source = match error {
            StepError::Io(source) => source,
            other => io::Error::other(other.to_string()),
        };
        CommitFault::Disk { doing, path, files, left, left_alone, source }
    }

    /// Rolls everything back and returns the files that could not be restored.
    fn roll_back(&mut self) -> Unrestored {
        self.is_ended = true;
        let (disk, sync) = (self.writer.disk(), self.writer.sync());
        // The journal on the disk may be marked as done. If that mark cannot be removed, the next
        // writer decides whether to roll back or to finish.
        if self.marked_done && self.journal.mark(disk, false, sync).is_err() {
            return Unrestored { left: self.record.files(), left_alone: Vec::new() };
        }
        let rolled = roll_back(disk, &self.record, self.begun, sync);
        if !rolled.failed.is_empty() {
            let left = rolled.failed.into_iter().map(|one| one.path).collect();
            return Unrestored { left, left_alone: Vec::new() };
        }
        let left_alone = rolled.left_alone.iter().map(|(_, one)| one.clone()).collect();
        let ended = end_journal(disk, &self.journal.path, &self.record, rolled, sync);
        Unrestored { left: Vec::new(), left_alone: ended.unwrap_or(left_alone) }
    }

    fn receipt(&self) -> Receipt {
        let (id, paths) = (self.record.id.clone(), self.record.files());
        Receipt { id, paths, linked: self.linked.clone() }
    }
}

/// The files that could not be restored.
struct Unrestored {
    /// Files that will be restored when the disk allows it.
    left: Vec<PathBuf>,
    /// Files that will not be restored.
    left_alone: Vec<LeftAlone>,
}

impl Drop for Prepared<'_> {
    fn drop(&mut self) {
        if !self.is_ended {
            self.roll_back();
        }
    }
}

/// Makes the directories that a record needs.
///
/// With `sync`, each is created under a temporary name and renamed once it is on the medium. A file
/// system without a journal may write a name before the directory that it leads to. After a loss of
/// power the name then leads to an older file with the same inode number, and nothing would tell
/// that file from one of the user's.
fn make_directories(
    disk: &dyn Disk,
    record: &JournalRecord,
    sync: bool,
) -> Result<(), StepFailure> {
    for (path, unnamed) in record.new_dirs.iter().zip(unnamed_directories(record)) {
        let made = if sync && disk.syncs_directories() {
            make_lasting_directory(disk, path, &unnamed)
        } else {
            disk.make_directory(path)
        };
        match made {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(StepFailure::new("make the directory", path, error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Makes a directory that is on the medium as soon as it has its name.
fn make_lasting_directory(disk: &dyn Disk, path: &Path, unnamed: &Path) -> io::Result<()> {
    disk.make_directory(unnamed)?;
    disk.sync_directory(unnamed)?;
    if let Err(error) = disk.rename_new(unnamed, path) {
        // Another program may have created a directory of that name.
        let _ = disk.remove_directory(unnamed);
        return Err(error);
    }
    // Otherwise, after a loss of power, the temporary name could lead to the directory when it is
    // no longer empty.
    match path.parent() {
        Some(parent) => disk.sync_directory(parent),
        None => Ok(()),
    }
}

/// Waits until all files are on the medium.
///
/// Each file gets its own thread: a file system commits together all files that are waited for at
/// the same time. Unless mounted with `ssd`, Btrfs even delays each such commit by up to a few
/// system clock ticks, so that more files can join.
fn sync_all(disk: &dyn Disk, files: &[(usize, File)]) -> Result<(), (usize, io::Error)> {
    // For two files, starting a thread takes longer than waiting for them in turn.
    let threads = if files.len() <= 2 { 1 } else { files.len() };
    let sync = |(item, file): &(usize, File)| disk.sync(file).map_err(|error| (*item, error));
    // All files are waited for before the first error is reported.
    at_once(files, threads, sync).into_iter().collect()
}

fn journal_failure(record: &JournalRecord, error: io::Error) -> StepFailure {
    StepFailure::new("write the journal of", &record.root, error)
}

impl StepFailure {
    /// The fault of a transaction of `files` files that failed and left nothing behind.
    pub(super) fn into_fault(self, files: usize) -> CommitFault {
        let Self { doing, path, error } = self;
        let source = match error {
            StepError::Changed => return CommitFault::Changed { path },
            StepError::ReadOnly => return CommitFault::ReadOnly { path },
            StepError::RootGone => return CommitFault::RootGone { root: path },
            StepError::Io(source) => source,
            other => io::Error::other(other.to_string()),
        };
        CommitFault::Disk { doing, path, files, left: Vec::new(), left_alone: Vec::new(), source }
    }
}
