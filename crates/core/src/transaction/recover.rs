//! Rolling back or finishing journals that an interrupted writer left.
//!
//! Recovery always comes to an end: each journal is finished, rolled back, or set aside with the
//! old content of its files. A journal stays pending only if the disk refuses, and such a journal
//! can be set aside on request.

use std::io;
use std::path::{Path, PathBuf};

use super::fault::shown;
use super::journal::{Bounds, CONFLICT, ENDING, Journal, JournalError, JournalRecord, UNFINISHED};
use super::revert::LeftAloneReason;
use super::roll_back::{
    FailedStep, LeftAlone, discard, end_journal, remove_leftovers, roll_back, set_aside,
};
use super::undo::file_away;
use crate::fs::{Disk, FileKind};

/// A journal that begins with this many zeros has lost its bytes: a medium never writes a smaller
/// part at once.
const MAX_ZEROS: usize = 512;

/// Which journals were found, and what became of them.
#[derive(Debug, Default)]
pub struct Recovery {
    /// Transactions whose files were all new already; only leftovers were removed.
    pub finished: Vec<String>,
    /// Transactions that were rolled back.
    pub undone: Vec<String>,
    /// Files that were not restored, each with the reason.
    pub left_alone: Vec<LeftAlone>,
    /// Journals that were not followed, and why.
    pub unreadable: Vec<(PathBuf, JournalError)>,
    /// Journals that the disk did not let us roll back.
    pub failed: Vec<UnfinishedJournal>,
    /// Journals that were set aside on request, under their new names.
    pub set_aside: Vec<PathBuf>,
    /// Why a journal whose files are new could not be made a receipt.
    pub(super) unfiled: Option<io::Error>,
}

/// A journal that the disk did not let us roll back.
#[derive(Debug, thiserror::Error)]
#[error("{}", unfinished_message(*is_read, &shown(path), source))]
pub struct UnfinishedJournal {
    /// Whether the journal was read: otherwise nobody knows whether anything is half done.
    pub is_read: bool,
    /// The file that could not be restored, or the journal or directory that could not be read.
    pub path: PathBuf,
    /// Why that failed.
    pub source: io::Error,
}

fn unfinished_message(is_read: bool, path: &str, source: &io::Error) -> String {
    if !is_read {
        return format!(
            "cannot look into `{path}` for what an earlier patch left: {source}; nothing was changed"
        );
    }
    format!(
        "an interrupted patch cannot be rolled back at `{path}`: {source}; \
         make that possible, or give it up with recover({{ setAside: true }}), \
         `hashline recover --set-aside`"
    )
}

impl Recovery {
    /// Whether there is nothing to report.
    pub fn is_empty(&self) -> bool {
        self.finished.is_empty()
            && self.undone.is_empty()
            && self.left_alone.is_empty()
            && self.unreadable.is_empty()
            && self.failed.is_empty()
            && self.set_aside.is_empty()
    }

    /// Whether a journal may remain that must become a receipt later.
    pub(super) fn leaves_journals(&self) -> bool {
        self.unfiled.is_some() || !self.failed.is_empty()
    }
}

/// How journals are recovered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recovering<'a> {
    pub disk: &'a dyn Disk,
    /// Which files a journal may name.
    pub bounds: Bounds<'a>,
    /// Whether to wait for the medium.
    pub sync: bool,
    /// Whether journals that cannot be followed are set aside.
    pub set_aside: bool,
}

impl Recovering<'_> {
    /// Finishes, rolls back or sets aside every journal in `directory`. The caller holds the lock,
    /// so that no other writer is using one.
    pub(super) fn directory(self, directory: &Path, recovery: &mut Recovery) {
        let names = match self.disk.names(directory) {
            Ok(names) => names,
            Err(source) => {
                let path = directory.to_owned();
                recovery.failed.push(UnfinishedJournal { is_read: false, path, source });
                return;
            }
        };
        let names = || names.iter().filter_map(|name| name.to_str());
        let mut journals: Vec<&str> = names().filter(|name| name.ends_with(ENDING)).collect();
        // The second part of the name is the time: receipts must be made in the order of the
        // patches.
        journals.sort_unstable_by_key(|name| name.split_once('-').map(|(_, time)| time));
        for name in journals {
            self.journal(directory, &directory.join(name), recovery);
        }
        for name in names().filter(|name| name.ends_with(UNFINISHED)) {
            self.discard_unbegun(&directory.join(name));
        }
    }

    /// Removes a journal that has not begun, and its staged files. If it was not completely
    /// written, no file was staged.
    fn discard_unbegun(self, path: &Path) {
        let is_over = match self.read(path) {
            Err(_) => false,
            Ok(Err(_)) => true,
            Ok(Ok(bytes)) => match JournalRecord::read(&bytes, self.bounds) {
                Ok((false, record)) => {
                    roll_back(self.disk, &record, false, self.sync).leftovers.is_empty()
                }
                // A session that may write to those files removes the journal.
                Err(JournalError::Outside) => false,
                _ => true,
            },
        };
        if is_over {
            let _ = discard(self.disk, path);
        }
    }

    /// Like [`Self::directory`], for a writer without a transaction under way; fails if a journal
    /// remains that may become a receipt.
    pub(super) fn file_all(self, directory: &Path) -> io::Result<()> {
        let mut recovery = Recovery::default();
        self.directory(directory, &mut recovery);
        let failed = recovery.failed.into_iter().next().map(|unfinished| unfinished.source);
        failed.or(recovery.unfiled).map_or(Ok(()), Err)
    }

    fn journal(self, directory: &Path, path: &Path, recovery: &mut Recovery) {
        let Some(bytes) = self.bytes_or_report(path, recovery) else { return };
        let (is_done, record) = match JournalRecord::read(&bytes, self.bounds) {
            Ok(read) => read,
            Err(why) => {
                let anywhere = Bounds { outside: true, ..self.bounds };
                let read = JournalRecord::read(&bytes, anywhere);
                if !self.set_aside && matches!(read, Ok((true, _))) {
                    // A session that may follow the journal turns it into a receipt.
                    let why = format!("the journal `{}` cannot be used: {why}", shown(path));
                    recovery.unfiled.get_or_insert(io::Error::other(why));
                }
                return self.report_unreadable(path, why, recovery);
            }
        };
        drop(bytes);
        if !is_done {
            self.roll_back(path, record, recovery);
        } else if !recovery.leaves_journals() {
            // Otherwise this journal waits, because receipts out of order would make `undo` pick
            // the wrong patch.
            match self.finish(directory, path, &record) {
                Ok(()) => recovery.finished.push(record.id),
                Err(source) if self.set_aside => {
                    let failed = vec![FailedStep::of_journal(path, source)];
                    self.fail(path, Some(&record), failed, recovery);
                }
                Err(source) => recovery.unfiled = Some(source),
            }
        }
    }

    /// Finishes a journal whose files are all new, and turns it into a receipt.
    fn finish(self, directory: &Path, path: &Path, record: &JournalRecord) -> io::Result<()> {
        // The mark must be on the medium before any old file is removed, and the interrupted writer
        // may not have synced it. On a file system without a journal, a loss of power can bring
        // back the old file's name, leading to another program's file; rolling the journal back
        // would take that for the old file.
        Journal { path: path.to_owned() }.mark(self.disk, true, true)?;
        let leftovers = remove_leftovers(self.disk, record, true);
        // Whoever asked to set journals aside accepts a leftover.
        if let Some((leftover, source)) = leftovers.first()
            && !self.set_aside
        {
            return Err(leftover_error(leftover, source));
        }
        // Without this, the receipt might reach the medium before the receipt of an earlier patch.
        self.disk.sync_directory(directory)?;
        file_away(self.disk, directory, record, path, true)
    }

    /// The bytes of a journal; `None` if it has none or cannot be read, which is then reported.
    fn bytes_or_report(self, path: &Path, recovery: &mut Recovery) -> Option<Vec<u8>> {
        match self.read(path) {
            Ok(Ok(bytes)) if bytes.iter().take(MAX_ZEROS).all(|byte| *byte == 0) => {
                // Power was lost before the journal was on the medium, and so before any file was
                // touched.
                let _ = self.disk.remove(path);
                None
            }
            Ok(Ok(bytes)) => Some(bytes),
            Ok(Err(unreadable)) => {
                self.report_unreadable(path, unreadable, recovery);
                None
            }
            Err(source) => {
                self.fail(path, None, vec![FailedStep::of_journal(path, source)], recovery);
                None
            }
        }
    }

    fn read(self, path: &Path) -> io::Result<Result<Vec<u8>, JournalError>> {
        match self.disk.look(path)? {
            Some(facts) if facts.kind == FileKind::File => self.disk.read(path).map(Ok),
            _ => Ok(Err(JournalError::Foreign)),
        }
    }

    fn roll_back(self, path: &Path, record: JournalRecord, recovery: &mut Recovery) {
        let rolled = roll_back(self.disk, &record, true, self.sync);
        if !rolled.failed.is_empty() {
            return self.fail(path, Some(&record), rolled.failed, recovery);
        }
        // If every file was left alone, nothing was rolled back.
        let is_undone = rolled.left_alone.len() < record.steps.len();
        match end_journal(self.disk, path, &record, rolled, self.sync) {
            Ok(left_alone) => {
                recovery.left_alone.extend(left_alone);
                recovery.undone.extend(is_undone.then_some(record.id));
            }
            Err(source) => {
                let failed = vec![FailedStep::of_journal(path, source)];
                self.fail(path, Some(&record), failed, recovery);
            }
        }
    }

    /// Reports a journal that must not be followed, or sets it aside if that was requested.
    fn report_unreadable(self, path: &Path, why: JournalError, recovery: &mut Recovery) {
        if self.set_aside {
            let aside = path.with_extension(&CONFLICT[1..]);
            match self.disk.rename(path, &aside) {
                Ok(()) => recovery.set_aside.push(aside),
                Err(source) => {
                    let path = path.to_owned();
                    recovery.failed.push(UnfinishedJournal { is_read: true, path, source });
                }
            }
        } else {
            recovery.unreadable.push((path.to_owned(), why));
        }
    }

    /// Reports a journal that the disk did not let us follow, or sets it aside if that was
    /// requested.
    fn fail(
        self,
        journal: &Path,
        record: Option<&JournalRecord>,
        failed: Vec<FailedStep>,
        recovery: &mut Recovery,
    ) {
        if self.set_aside {
            let left_alone = failed.iter().filter_map(|one| {
                let (path, reason) = (one.path.clone(), LeftAloneReason::Failed);
                Some((one.change?, LeftAlone { path, reason, kept: None }))
            });
            let aside = journal.with_extension(&CONFLICT[1..]);
            let ended = match record {
                Some(record) => set_aside(self.disk, journal, record, left_alone.collect()),
                None => self.disk.rename(journal, &aside).map(|()| Vec::new()),
            };
            if let Ok(left_alone) = ended {
                recovery.left_alone.extend(left_alone);
                recovery.set_aside.push(aside);
                return;
            }
        }
        if let Some(FailedStep { path, source, .. }) = failed.into_iter().next() {
            let is_read = record.is_some();
            recovery.failed.push(UnfinishedJournal { is_read, path, source });
        }
    }
}

impl FailedStep {
    fn of_journal(path: &Path, source: io::Error) -> Self {
        Self { change: None, path: path.to_owned(), source }
    }
}

/// The error for a finished journal that cannot become a receipt because of a leftover file.
fn leftover_error(leftover: &Path, why: &io::Error) -> io::Error {
    io::Error::other(format!(
        "what an earlier patch left at `{}` cannot be removed: {why}; make that possible, or leave it there \
         with recover({{ setAside: true }}), `hashline recover --set-aside`",
        shown(leftover)
    ))
}
