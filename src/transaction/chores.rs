//! What is left to do when a commit can be reported.
//!
//! The files are new and nothing of ours lies beside them any more. What remains concerns only the
//! directory of the journals: old files and old receipts are removed, and a journal becomes a receipt. On
//! some file systems a removal takes longer than all the rest of a commit, so that a caller who has
//! somebody waiting answers first. A process that dies in between leaves it to the next writer.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::journal::JournalRecord;
use super::ledger::Ledger;
use super::recover::{DoneJournal, Recovery};
use super::roll_back::directories;
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
    _locks: Vec<Lock>,
}

impl Drop for Chores {
    fn drop(&mut self) {
        // Nothing was written that would have brought it to the medium.
        let _ = self.file_deferred(false);
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
            _locks: locks,
        }
    }

    /// Notes that a journal was left that is to be made a receipt.
    pub(super) fn note_done(&self) {
        self.done.store(true, Ordering::Relaxed);
    }

    /// Makes what this writer has left, or could not file yet, a receipt. Until that is done, another
    /// commit would seem to be the last one.
    pub(super) fn file_done(&self) -> Result<(), CommitFault> {
        // If this fails, it is tried again below.
        let _ = self.file_deferred(false);
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

    /// Makes the journal of the patch before a receipt, unless that was done. `synced` says that the
    /// directories of its files were synced by this writer.
    pub(super) fn file_deferred(&self, synced: bool) -> io::Result<()> {
        let mut deferred = self.deferred.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(done) = deferred.take() else { return Ok(()) };
        let filed = self.ledger.recovering(self.durability, false).file_deferred(&done, synced);
        if filed.is_err() {
            self.note_done();
        }
        filed
    }

    /// Whether nothing is to be made a receipt before a record whose directories are going to be synced
    /// anyway.
    pub(super) fn can_defer_to(&self, record: &JournalRecord) -> bool {
        let deferred = self.deferred.lock().unwrap_or_else(PoisonError::into_inner);
        !self.done.load(Ordering::Relaxed)
            && deferred
                .as_ref()
                .is_none_or(|done| directories(&done.record).is_subset(&directories(record)))
    }
    pub(super) fn no_state(&self, source: io::Error) -> CommitFault {
        CommitFault::StateDirectory { path: self.directory.clone(), source: source.into() }
    }

    fn disk(&self) -> &dyn Disk {
        self.ledger.disk()
    }
}
