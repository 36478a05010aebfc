//! What is left to do when a commit can be reported.
//!
//! The files are new and nothing of ours lies beside them any more. What remains concerns only the
//! directory of the journals: old files and old receipts are removed, and a journal becomes a receipt. On
//! some file systems a removal takes longer than all the rest of a commit, so that a caller who has
//! somebody waiting answers first. A process that dies in between leaves it to the next writer.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::journal::{Journal, JournalRecord};
use super::ledger::Ledger;
use super::recover::{DoneJournal, Recovery};
use super::roll_back::{directories, discard, finish};
use super::undo::file_away;
use super::{CommitFault, Durability};
use crate::fs::{Disk, Lock};

/// The lock of a workspace, and what is to be done before it is given back.
///
/// It is done when this is dropped. Until then no other writer can begin.
#[derive(Debug)]
pub struct Chores {
    pub(super) ledger: Ledger,
    pub(super) directory: PathBuf,
    pub(super) durability: Durability,
    /// Whether there is a journal that is to be made a receipt.
    done: AtomicBool,
    /// The journal of the patch before, until it is made a receipt.
    deferred: Mutex<Option<DoneJournal>>,
    /// The last commit, until its journal is a receipt.
    made: Mutex<Option<MadeCommit>>,
    _locks: Vec<Lock>,
}

/// A commit whose files are new and on the medium.
#[derive(Debug)]
pub(super) struct MadeCommit {
    /// What was done.
    pub record: Arc<JournalRecord>,
    /// Its journal, which says so.
    pub journal: Journal,
    /// Its old files, in the directory of the journals.
    pub old_files: Vec<PathBuf>,
}

impl Drop for Chores {
    fn drop(&mut self) {
        // What fails is done by the next writer.
        let _ = self.file_deferred();
        let _ = self.end_commit();
        // Directories that stay open keep their file system from being unmounted.
        self.disk().close_directories();
    }
}

impl Chores {
    /// Those of a writer who has done nothing yet, after what was recovered.
    pub(super) fn new(
        ledger: Ledger,
        directory: PathBuf,
        durability: Durability,
        recovery: &mut Recovery,
        locks: Vec<Lock>,
    ) -> Self {
        Self {
            ledger,
            directory,
            durability,
            done: AtomicBool::new(recovery.unfiled),
            deferred: Mutex::new(recovery.deferred.take()),
            made: Mutex::new(None),
            _locks: locks,
        }
    }

    /// Notes that a journal was left that is to be made a receipt.
    pub(super) fn note_done(&self) {
        self.done.store(true, Ordering::Relaxed);
    }

    /// Leaves the rest of a commit for later.
    pub(super) fn end_later(&self, made: MadeCommit) {
        *held(&self.made) = Some(made);
    }

    /// Makes what this writer has left, or could not file yet, a receipt. Until that is done, another
    /// commit would seem to be the last one.
    pub(super) fn file_done(&self) -> Result<(), CommitFault> {
        // If this fails, it is tried again below.
        let _ = self.file_deferred();
        self.end_commit().map_err(|source| self.no_state(source))?;
        if !self.done.load(Ordering::Relaxed) {
            return Ok(());
        }
        let names = self.disk().names(&self.directory).map_err(|source| self.no_state(source))?;
        let recovering = self.ledger.recovering(self.durability, false);
        recovering
            .file_done(&self.directory, &names, &mut Recovery::default())
            .map_err(|source| self.no_state(source))?;
        self.done.store(false, Ordering::Relaxed);
        Ok(())
    }

    /// Notes that the directories of the patch before were synced since it was made.
    pub(super) fn note_synced(&self) {
        if let Some(done) = held(&self.deferred).as_mut() {
            done.synced = true;
        }
    }

    /// Whether nothing is to be made a receipt before a record whose directories are going to be synced
    /// anyway.
    pub(super) fn can_defer_to(&self, record: &JournalRecord) -> bool {
        !self.done.load(Ordering::Relaxed)
            && held(&self.made).is_none()
            && held(&self.deferred)
                .as_ref()
                .is_none_or(|done| directories(&done.record).is_subset(&directories(record)))
    }

    /// Makes the journal of the patch before a receipt, unless that was done.
    fn file_deferred(&self) -> io::Result<()> {
        let Some(done) = held(&self.deferred).take() else { return Ok(()) };
        let filed = self.ledger.recovering(self.durability, false).file_deferred(&done);
        if filed.is_err() {
            self.note_done();
        }
        filed
    }

    /// Removes what the last commit has left, and makes its journal a receipt.
    fn end_commit(&self) -> io::Result<()> {
        let Some(MadeCommit { record, mut journal, old_files }) = held(&self.made).take() else {
            return Ok(());
        };
        let (disk, sync) = (self.disk(), self.durability.sync());
        if let Some((_, error)) = finish(disk, &record, sync).into_iter().next() {
            return Err(error);
        }
        for path in old_files {
            let _ = discard(disk, &path);
        }
        if self.done.load(Ordering::Relaxed) {
            // An earlier one has to be made a receipt first.
            return journal.leave_done(disk);
        }
        file_away(disk, &self.directory, &record, &journal.path, sync)
    }

    pub(super) fn no_state(&self, source: io::Error) -> CommitFault {
        CommitFault::StateDirectory { path: self.directory.clone(), source: source.into() }
    }

    fn disk(&self) -> &dyn Disk {
        self.ledger.disk()
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
