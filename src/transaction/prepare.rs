//! From a transaction to files that are staged, and from there to files that are new.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::journal::{CONFLICT, Journal, JournalRecord, JournalState, PastChange};
use super::ledger::Writer;
use super::roll_back::{finish, roll_back, sync_directories};
use super::schedule::{Schedule, StagedContent, StagedFile};
use super::step::{DiskStep, changed};
use super::{CommitFault, Receipt, Transaction, TransactionItem, undo};
use crate::fs::{Disk, Facts};

/// How many staged files are open at once.
const BATCH: usize = 64;

/// More than this is not kept for `undo`.
const MOST_KEPT: usize = 32 << 20;

/// Everything staged, compared and written down; no file is touched yet.
///
/// Dropping it leaves no trace.
#[derive(Debug)]
pub struct Prepared<'w> {
    writer: &'w Writer<'w>,
    record: JournalRecord,
    journal: Journal,
    was: Vec<Option<Facts>>,
    state: JournalState,
    over: bool,
}

/// An error and where it happened.
pub type StepFailure = (&'static str, PathBuf, io::Error);

impl<'w> Prepared<'w> {
    /// Stages a transaction. With `copies`, a file is never moved by its name alone.
    pub(super) fn new(
        writer: &'w Writer<'w>,
        transaction: &Transaction,
        copies: bool,
    ) -> Result<Self, CommitFault> {
        let items = &transaction.items;
        let fault = |(doing, path, source): StepFailure| fault(doing, path, source, items.len());
        let draft = Schedule::new(writer, transaction, copies).map_err(fault)?;
        let Schedule { record, stages } = draft;
        let kept: usize =
            items.iter().filter_map(|item| item.expected.as_ref()).map(|old| old.len()).sum();
        let rewrites =
            record.steps.iter().any(|(_, step)| matches!(step, DiskStep::Rewrite { .. }));
        let disk = writer.disk();
        let journal =
            Journal::create(disk, writer.directory(), &record, kept <= MOST_KEPT || rewrites)
                .map_err(|error| fault(("write the journal of", record.root.clone(), error)))?;
        // From here on, dropping it cleans up.
        let mut prepared = Self {
            writer,
            record,
            journal,
            was: Vec::new(),
            state: JournalState::Staging,
            over: false,
        };
        let staged = prepared.stage(items, &stages).and_then(|()| prepared.compare(items));
        match staged {
            Ok(was) => {
                prepared.was = was;
                Ok(prepared)
            }
            Err(trouble) => Err(prepared.fail(trouble)),
        }
    }

    /// Makes every change, or none.
    pub fn publish(mut self) -> Result<Receipt, CommitFault> {
        match self.publish_all() {
            Ok(()) => {
                self.over = true;
                Ok(self.receipt())
            }
            Err(trouble) => Err(self.fail(trouble)),
        }
    }

    fn publish_all(&mut self) -> Result<(), StepFailure> {
        let (disk, sync) = (self.writer.disk(), self.writer.sync());
        let journal = |error| ("write the journal of", self.record.root.clone(), error);
        // Set before it is written: if the disk fails here, what it holds is not known.
        self.state = JournalState::Publishing;
        self.journal.mark(disk, JournalState::Publishing, sync).map_err(journal)?;
        if sync {
            disk.sync_directory(self.writer.directory()).map_err(journal)?;
        }
        for ((_, step), was) in self.record.steps.iter().zip(&self.was) {
            step.perform(disk, was.as_ref(), sync)
                .map_err(|error| (step.doing(), step.path().to_owned(), error))?;
        }
        if sync {
            sync_directories(disk, &self.record).map_err(|(path, error)| ("sync", path, error))?;
        }
        self.state = JournalState::Done;
        self.journal.mark(disk, JournalState::Done, sync).map_err(journal)?;
        if finish(disk, &self.record).is_empty() {
            // What fails here is tidied up by the next writer.
            let _ = undo::keep(self.writer, &self.record, &self.journal.path);
        }
        Ok(())
    }

    fn stage(&self, items: &[TransactionItem], stages: &[StagedFile]) -> Result<(), StepFailure> {
        let disk = self.writer.disk();
        for path in &self.record.made {
            match disk.make_directory(path) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(("make the directory", path.clone(), error));
                }
                _ => {}
            }
        }
        for batch in stages.chunks(BATCH) {
            let mut files = Vec::with_capacity(batch.len());
            for stage in batch {
                let (StagedContent::New(item) | StagedContent::Old(item)) = stage.content;
                let trouble = |error| ("write", items[item].path.clone(), error);
                let content = stage.content.bytes(items);
                let file = disk.create(&stage.path, content, &stage.like).map_err(trouble)?;
                files.push((item, file));
            }
            // All are written before the first is synced, so that the system can take them together.
            if self.writer.sync()
                && let Err((item, error)) = sync_all(disk, &files)
            {
                return Err(("write", items[item].path.clone(), error));
            }
        }
        Ok(())
    }

    /// Compares every place with what was expected of it, and gives the file of each step.
    fn compare(&self, items: &[TransactionItem]) -> Result<Vec<Option<Facts>>, StepFailure> {
        let disk = self.writer.disk();
        let mut found = Vec::with_capacity(items.len());
        for item in items {
            let trouble = |error| ("read", item.path.clone(), error);
            let facts = disk.look(&item.path).map_err(trouble)?;
            let same = match (&item.expected, &facts) {
                (None, None) => true,
                (Some(expected), Some(facts)) if facts.size == expected.len() as u64 => {
                    disk.read(&item.path).map_err(trouble)? == **expected
                }
                _ => false,
            };
            if !same {
                return Err(trouble(changed()));
            }
            found.push(facts);
        }
        let first = |change: usize, at: usize| {
            // A file that is moved and then written over has changed by our own hand.
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

    /// Takes everything back and says what happened.
    fn fail(mut self, (doing, path, source): StepFailure) -> CommitFault {
        let left = self.roll_back();
        match fault(doing, path, source, self.record.changes.len()) {
            CommitFault::Disk { doing, path, files, source, .. } => {
                CommitFault::Disk { doing, path, files, left, source }
            }
            // What was changed by somebody else matters less than what we could not put back.
            other if left.is_empty() => other,
            other => CommitFault::Disk {
                doing,
                path: self.record.root.clone(),
                files: self.record.changes.len(),
                left,
                source: io::Error::other(other.to_string()),
            },
        }
    }

    /// Gives the paths that could not be put back.
    fn roll_back(&mut self) -> Vec<PathBuf> {
        self.over = true;
        let (disk, sync) = (self.writer.disk(), self.writer.sync());
        let all = || {
            self.record.changes.iter().filter_map(PastChange::place).map(Path::to_owned).collect()
        };
        if self.state == JournalState::Done {
            // The disk may hold that all is done. Unless that can be taken back, both ways are open
            // and the next writer decides.
            if self.journal.mark(disk, JournalState::Publishing, sync).is_err() {
                return all();
            }
            self.state = JournalState::Publishing;
        }
        let taken = roll_back(disk, &self.record, self.state, sync);
        let path = &self.journal.path;
        if taken.is_clean() {
            if disk.remove(path).is_err() {
                // Nothing is left to undo, so that nobody may try it again later.
                let _ = self.journal.mark(disk, JournalState::Staging, sync);
            }
        } else if taken.failed.is_empty() && taken.foreign.is_empty() {
            let _ = self.journal.mark(disk, JournalState::Staging, sync);
        } else if taken.failed.is_empty() {
            // It holds the old bytes of what was left alone.
            let _ = disk.rename(path, &path.with_extension(&CONFLICT[1..]));
        }
        let failed = taken.failed.into_iter().map(|(path, _)| path);
        failed.chain(taken.foreign.into_iter().map(|foreign| foreign.path)).collect()
    }

    fn receipt(&self) -> Receipt {
        let places = self.record.changes.iter().filter_map(PastChange::place);
        Receipt { id: self.record.id.clone(), paths: places.map(Path::to_owned).collect() }
    }
}

impl Drop for Prepared<'_> {
    fn drop(&mut self) {
        if !self.over {
            self.roll_back();
        }
    }
}

impl PastChange {
    /// The place a person would name.
    pub(super) fn place(&self) -> Option<&Path> {
        self.before.as_deref().or(self.after.as_deref())
    }
}

/// Waits until all files are on the medium.
///
/// Several wait at once: a journalling file system then commits them together instead of one after
/// the other.
fn sync_all(disk: &dyn Disk, files: &[(usize, File)]) -> Result<(), (usize, io::Error)> {
    const WAITING: usize = 8;
    let sync = |files: &[(usize, File)]| {
        files.iter().try_for_each(|(item, file)| disk.sync(file).map_err(|error| (*item, error)))
    };
    if files.len() <= 2 {
        return sync(files);
    }
    std::thread::scope(|scope| {
        let parts = files.chunks(files.len().div_ceil(WAITING));
        let waiting: Vec<_> = parts
            .map(|part| {
                let thread = std::thread::Builder::new().spawn_scoped(scope, move || sync(part));
                // Without another thread, this one does it.
                thread.map_err(|_| sync(part))
            })
            .collect();
        let lost = |_| Err((files[0].0, io::Error::other("a thread was lost")));
        let ended = waiting.into_iter().map(|thread| match thread {
            Ok(thread) => thread.join().unwrap_or_else(lost),
            Err(synced) => synced,
        });
        // All are waited for before the first error is told.
        ended.collect::<Vec<_>>().into_iter().collect()
    })
}

fn fault(doing: &'static str, path: PathBuf, source: io::Error, files: usize) -> CommitFault {
    match source.kind() {
        io::ErrorKind::ResourceBusy if source.raw_os_error().is_none() => {
            CommitFault::Changed { path }
        }
        io::ErrorKind::ReadOnlyFilesystem if source.raw_os_error().is_none() => {
            CommitFault::ReadOnly { path }
        }
        _ => CommitFault::Disk { doing, path, files, left: Vec::new(), source },
    }
}
