//! What to do with journals that an interrupted writer left.
//!
//! Whatever is found, recovery ends: a journal is finished, rolled back, or set aside with what the
//! files were before. Only a disk that refuses keeps a journal pending, and that can be set aside on
//! request.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::codec::is_another_file;
use super::fault::shown;
use super::filing::DoneJournal;
use super::journal::{
    Bounds, CONFLICT, DONE, ENDING, Journal, JournalError, JournalRecord, JournalState, OLD,
    SINGLE, UNFINISHED, retire,
};
use super::revert::{LeftAloneReason, Progress, progress};
use super::roll_back::{FailedStep, LeftAlone, discard, finish, roll_back, set_aside};
use crate::fs::{Disk, FileKind, OwnBytes};

/// A journal that begins with this many zeros has lost its bytes. No part of the medium that is
/// written at once is smaller.
const MOST_ZEROS: usize = 512;

/// What was found, and what became of it.
#[derive(Debug, Default)]
pub struct Recovery {
    /// Transactions whose files were all new already; only leftovers were removed.
    pub finished: Vec<String>,
    /// Transactions that were rolled back.
    pub undone: Vec<String>,
    /// Files that were not put back as they were.
    pub left_alone: Vec<LeftAlone>,
    /// Journals that are not followed, and why.
    pub unreadable: Vec<(PathBuf, JournalError)>,
    /// Journals that the disk did not let us roll back.
    pub failed: Vec<UnfinishedJournal>,
    /// Journals that were set aside on request, under their new names.
    pub set_aside: Vec<PathBuf>,
    /// Whether the disk did not let us make a receipt of a journal whose files are new.
    pub(super) unfiled: bool,
    /// A journal whose files are new, and which is made a receipt later.
    pub(super) deferred: Option<DoneJournal>,
}

/// A journal that the disk did not let us roll back.
#[derive(Debug)]
pub struct UnfinishedJournal {
    /// The journal.
    pub journal: PathBuf,
    /// The file at which it failed.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

impl fmt::Display for UnfinishedJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, source, .. } = self;
        write!(
            f,
            "an earlier patch is half done and cannot be undone at `{}`: {source}; \
             make that possible, or give it up with recover({{ setAside: true }}), \
             `hashline recover --set-aside`",
            shown(path)
        )
    }
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
    /// Brings every journal in `directory` to an end. The caller holds the lock, so that no other
    /// writer is at work on one.
    pub(super) fn directory(self, directory: &Path, recovery: &mut Recovery) {
        let names = match self.disk.names(directory) {
            Ok(names) => names,
            Err(source) => {
                let (journal, path) = (directory.to_owned(), directory.to_owned());
                recovery.failed.push(UnfinishedJournal { journal, path, source });
                return;
            }
        };
        match self.defer(directory, &names) {
            Some(done) if recovery.deferred.is_none() => recovery.deferred = Some(done),
            _ if !names.iter().any(|name| is_unfiled(name)) => {}
            _ => {
                let before = recovery.failed.len();
                self.journals(directory, &names, recovery);
                // What is not a receipt yet does no harm. It is tried again before a receipt is read.
                recovery.unfiled |=
                    recovery.failed.len() > before || self.file_done(directory, recovery).is_err();
            }
        }
        self.remove_leftovers(directory, &names);
    }

    /// Rolls back what was interrupted, and marks what was made as done.
    pub(super) fn journals(self, directory: &Path, names: &[OsString], recovery: &mut Recovery) {
        for name in names {
            let path = directory.join(name);
            let name = name.to_string_lossy();
            if name.ends_with(ENDING) {
                self.journal(directory, &path, recovery);
            } else if name.ends_with(SINGLE) {
                self.single(directory, &path, recovery);
            }
        }
    }

    /// Removes what is in nobody's way.
    fn remove_leftovers(self, directory: &Path, names: &[OsString]) {
        for name in names {
            let path = directory.join(name);
            let name = name.to_string_lossy();
            if name.ends_with(UNFINISHED) {
                // No file had been touched when this was being written.
                let _ = discard(self.disk, &path);
            } else if let Some(id) = name.strip_suffix(OLD) {
                // Its journal is a receipt by now.
                let of_same = |other: &OsString| {
                    let other = other.to_str().and_then(|other| other.strip_prefix(id));
                    other.is_some_and(|ending| ending.starts_with('.') && ending != OLD)
                };
                if !names.iter().any(of_same) {
                    let _ = discard(self.disk, &path);
                }
            }
        }
    }

    fn journal(self, directory: &Path, path: &Path, recovery: &mut Recovery) {
        let Some(bytes) = self.bytes(path, recovery) else { return };
        let (state, record) = match JournalRecord::read(&bytes, self.bounds) {
            Ok(read) => read,
            Err(unreadable) => return self.unreadable(path, unreadable, recovery),
        };
        drop(bytes);
        if state == JournalState::Done {
            self.made(directory, path, &record, recovery);
        } else {
            self.roll_back(path, state, record, recovery);
        }
    }

    /// A journal whose only step was made or not; nothing in between has to be taken back.
    fn single(self, directory: &Path, path: &Path, recovery: &mut Recovery) {
        if let Ok(Some(facts)) = self.disk.look(path)
            && facts.kind == FileKind::Directory
        {
            // The name leads to a directory that was removed before: no file was touched.
            let _ = discard(self.disk, path);
            return;
        }
        let Some(bytes) = self.bytes(path, recovery) else { return };
        let id = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
        let record = match JournalRecord::read(&bytes, self.bounds) {
            // It was still being written, hence no file was touched.
            Err(JournalError::Damaged) => {
                let _ = self.disk.remove(path);
                return;
            }
            // The same; the name leads to a file that was removed before, and whose number it got.
            _ if is_another_file(&bytes, id) => {
                let _ = self.disk.remove(path);
                return;
            }
            Ok((_, record)) if record.is_single() => record,
            Ok(_) => return self.unreadable(path, JournalError::Forged, recovery),
            Err(unreadable) => return self.unreadable(path, unreadable, recovery),
        };
        drop(bytes);
        match progress(self.disk, &record) {
            Ok(Progress::Made) => self.made(directory, path, &record, recovery),
            // The old file came there after the exchange.
            Ok(Progress::Unknown) if self.has_old_file(path) => {
                self.made(directory, path, &record, recovery);
            }
            Ok(Progress::Begun) => {
                self.roll_back(path, JournalState::Publishing, record, recovery);
            }
            Ok(Progress::NotBegun) => {
                self.roll_back(path, JournalState::Staging, record, recovery);
            }
            Ok(Progress::Unknown) => self.leave_alone(path, &record, recovery),
            Err(source) => {
                let place = record.steps[0].1.path().to_owned();
                let failed = vec![FailedStep { change: Some(0), path: place, source }];
                self.failed(path, Some(&record), failed, recovery);
            }
        }
    }

    /// Whether the old file waits beside a journal.
    fn has_old_file(self, path: &Path) -> bool {
        let old_file = Journal { path: path.to_owned() }.old_file();
        matches!(self.disk.look(&old_file), Ok(Some(facts)) if facts.kind == FileKind::File)
    }

    /// Marks a journal whose files are all new as done. It becomes a receipt together with others that are, in
    /// the order of their patches.
    ///
    /// Before the old file of a single step is removed, the mark is on the medium: if the power goes, the name of the
    /// removed file can come back and lead to a file of another program, which a journal that is
    /// still followed would take for the old file and put into its place.
    fn made(self, directory: &Path, path: &Path, record: &JournalRecord, recovery: &mut Recovery) {
        let mut journal = Journal { path: path.to_owned() };
        let marked =
            journal.leave_done(self.disk).and_then(|()| self.disk.sync_directory(directory));
        match marked {
            Ok(()) => recovery.finished.push(record.id.clone()),
            Err(source) => {
                let failed = vec![FailedStep::of_journal(path, source)];
                self.failed(&journal.path, Some(record), failed, recovery);
            }
        }
    }

    /// Sets the journal of a single step aside, with the old text that is in it.
    fn leave_alone(self, path: &Path, record: &JournalRecord, recovery: &mut Recovery) {
        // While the journal has its name, this is done again after an interruption.
        let _ = finish(self.disk, record, self.sync);
        let left_alone = record.steps.iter().map(|(change, step)| {
            let (path, reason) = (step.path().to_owned(), LeftAloneReason::Changed);
            (*change, LeftAlone { path, reason, kept: None })
        });
        match set_aside(self.disk, path, record, left_alone.collect()) {
            Ok(left_alone) => recovery.left_alone.extend(left_alone),
            Err(source) => {
                let failed = vec![FailedStep::of_journal(path, source)];
                self.failed(path, Some(record), failed, recovery);
            }
        }
    }

    /// The bytes of a journal that has any.
    fn bytes(self, path: &Path, recovery: &mut Recovery) -> Option<OwnBytes> {
        match self.read(path) {
            Ok(Ok(bytes)) if bytes.iter().take(MOST_ZEROS).all(|byte| *byte == 0) => {
                // Power was lost before the journal was on the medium, hence before any file was
                // touched.
                let _ = self.disk.remove(path);
                None
            }
            Ok(Ok(bytes)) => Some(bytes),
            Ok(Err(unreadable)) => {
                self.unreadable(path, unreadable, recovery);
                None
            }
            Err(source) => {
                self.failed(path, None, vec![FailedStep::of_journal(path, source)], recovery);
                None
            }
        }
    }

    pub(super) fn read(self, path: &Path) -> io::Result<Result<OwnBytes, JournalError>> {
        match self.disk.look(path)? {
            Some(facts) if facts.kind == FileKind::File => self.disk.read_own(path).map(Ok),
            _ => Ok(Err(JournalError::Foreign)),
        }
    }

    fn roll_back(
        self,
        path: &Path,
        state: JournalState,
        record: JournalRecord,
        recovery: &mut Recovery,
    ) {
        let rolled = roll_back(self.disk, &record, state, self.sync);
        if !rolled.failed.is_empty() {
            return self.failed(path, Some(&record), rolled.failed, recovery);
        }
        let journal = Journal { path: path.to_owned() };
        // What could not be removed the last time, and cannot now, was reported then. And where every
        // file was left alone, nothing was taken back.
        let news = (state == JournalState::Publishing || rolled.litter.is_empty())
            && rolled.left_alone.len() < record.steps.len();
        let ended = if !rolled.left_alone.is_empty() {
            set_aside(self.disk, path, &record, rolled.left_alone)
                .map(|left_alone| recovery.left_alone.extend(left_alone))
        } else if rolled.litter.is_empty() {
            retire(self.disk, &[path], self.sync)
        } else {
            // Only temporary files remain, so that nothing is rolled back again later.
            journal.mark(self.disk, JournalState::Staging, self.sync)
        };
        match ended {
            Ok(()) if news => recovery.undone.push(record.id),
            Ok(()) => {}
            Err(source) => {
                let failed = vec![FailedStep::of_journal(path, source)];
                self.failed(path, Some(&record), failed, recovery);
            }
        }
    }

    /// A journal that is not followed: it stays, unless it is to be set aside.
    pub(super) fn unreadable(self, path: &Path, why: JournalError, recovery: &mut Recovery) {
        if self.set_aside {
            let aside = path.with_extension(&CONFLICT[1..]);
            match self.disk.rename(path, &aside) {
                Ok(()) => recovery.set_aside.push(aside),
                Err(source) => recovery.failed.push(UnfinishedJournal {
                    journal: path.to_owned(),
                    path: path.to_owned(),
                    source,
                }),
            }
        } else {
            recovery.unreadable.push((path.to_owned(), why));
        }
    }

    /// A journal that the disk did not let us follow: it stays, unless it is to be set aside.
    pub(super) fn failed(
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
            let journal = journal.to_owned();
            recovery.failed.push(UnfinishedJournal { journal, path, source });
        }
    }
}

/// Whether a name is that of a journal that is no receipt yet.
fn is_unfiled(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    [ENDING, SINGLE, DONE].iter().any(|ending| name.ends_with(ending))
}

impl FailedStep {
    pub(super) fn of_journal(path: &Path, source: io::Error) -> Self {
        Self { change: None, path: path.to_owned(), source }
    }
}
