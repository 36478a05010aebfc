//! Making receipts of journals whose files are new.
//!
//! The writer of a patch does that itself, unless the disk is in the way or it can wait. A journal that
//! waits is called `.done`. Receipts are made in the order of the patches: `undo` begins with the last.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::fault::shown;
use super::journal::{Bounds, DONE, ENDING, Journal, JournalError, JournalRecord, SINGLE};
use super::recover::{Recovering, Recovery};
use super::roll_back::{FailedStep, discard, finish, sync_directories};
use super::undo::file_away;

/// A journal of a single step whose files are new and whose temporary files are removed. It becomes a
/// receipt when the removal is on the medium.
#[derive(Debug)]
pub(super) struct DoneJournal {
    path: PathBuf,
    pub record: JournalRecord,
}

impl Recovering<'_> {
    /// Makes receipts of all journals in `directory` whose files are new. The caller has none under way.
    pub(super) fn file_all(self, directory: &Path) -> io::Result<()> {
        let mut recovery = Recovery::default();
        self.journals(directory, &self.disk.names(directory)?, &mut recovery);
        match recovery.failed.into_iter().next() {
            Some(unfinished) => Err(unfinished.source),
            None => self.file_done(directory, &mut Recovery::default()),
        }
    }

    /// The journal that the last patch left, if nothing else is left: a patch that syncs the same directory
    /// saves a sync if the journal becomes a receipt only then.
    pub(super) fn defer(self, directory: &Path, names: &[OsString]) -> Option<DoneJournal> {
        let ends = |endings: &[&str]| {
            let names = names.iter().filter_map(|name| name.to_str());
            let ending = |name: &&str| endings.iter().any(|ending| name.ends_with(ending));
            names.filter(ending).collect::<Vec<_>>()
        };
        let [name] = ends(&[DONE, ENDING, SINGLE])[..] else { return None };
        if !self.sync || self.set_aside || !name.ends_with(DONE) {
            return None;
        }
        let path = directory.join(name);
        let bytes = self.read(&path).ok()?.ok()?;
        let (_, record) = JournalRecord::read(&bytes, self.bounds).ok()?;
        let finished = record.is_single() && finish(self.disk, &record, false).is_empty();
        finished.then_some(DoneJournal { path, record })
    }

    /// Makes a journal that was left until now a receipt. `synced` says that the directories of its files
    /// were synced since.
    pub(super) fn file_deferred(self, done: &DoneJournal, synced: bool) -> io::Result<()> {
        let DoneJournal { path, record } = done;
        let directory = path.parent().ok_or(io::ErrorKind::NotFound)?;
        if !synced {
            sync_directories(self.disk, record).map_err(|(_, error)| error)?;
            // The receipt of the patch before that one may not be on the medium yet.
            self.disk.sync_directory(directory)?;
        }
        self.file_away(directory, path, record)
    }

    /// Makes journals whose files are new receipts, in the order in which they were written. It ends with
    /// the first that the disk refuses: a later one must not become a receipt before an earlier one.
    pub(super) fn file_done(self, directory: &Path, recovery: &mut Recovery) -> io::Result<()> {
        let names = self.disk.names(directory)?;
        let names = names.iter().filter_map(|name| name.to_str());
        let mut done: Vec<&str> = names.filter(|name| name.ends_with(DONE)).collect();
        // The second part of the name is the time.
        done.sort_unstable_by_key(|name| name.split_once('-').map(|(_, time)| time));
        for (at, name) in done.into_iter().enumerate() {
            if at > 0 {
                // Otherwise the receipt of the later one might reach the medium first.
                self.disk.sync_directory(directory)?;
            }
            let path = directory.join(name);
            match self.done(directory, &path, recovery) {
                Err(source) if self.set_aside => {
                    let failed = vec![FailedStep::of_journal(&path, source)];
                    self.failed(&path, None, failed, recovery);
                }
                filed => filed?,
            }
        }
        Ok(())
    }

    fn done(self, directory: &Path, path: &Path, recovery: &mut Recovery) -> io::Result<()> {
        let bytes = match self.read(path)? {
            Ok(bytes) => bytes,
            Err(unreadable) => {
                self.unreadable(path, unreadable, recovery);
                return Ok(());
            }
        };
        let read = |outside| {
            let bounds = Bounds { outside, ..self.bounds };
            JournalRecord::read(&bytes, bounds).map(|(_, record)| record)
        };
        match read(self.bounds.outside) {
            Ok(record) => {
                // The one who left it did wait for the medium, whether this writer does or not.
                let litter = finish(self.disk, &record, true);
                match litter.into_iter().next() {
                    // Who sets things aside can do without knowing of a leftover.
                    Some((leftover, source)) if !self.set_aside => {
                        Err(in_the_way(&leftover, &source))
                    }
                    _ => self.file_away(directory, path, &record),
                }
            }
            // A receipt is made without touching a file that it names.
            Err(JournalError::Outside) => match read(true) {
                Ok(record) => match self.leftover(&record) {
                    Some(leftover) if !self.set_aside => {
                        Err(in_the_way(leftover, &JournalError::Outside))
                    }
                    _ => file_away(self.disk, directory, &record, path, true),
                },
                Err(_) => Ok(()),
            },
            Err(unreadable) => {
                self.unreadable(path, unreadable, recovery);
                Ok(())
            }
        }
    }

    /// A temporary file of a record that is still there.
    fn leftover(self, record: &JournalRecord) -> Option<&Path> {
        let mut temporary = record.steps.iter().flat_map(|(_, step)| step.temporary());
        temporary.find(|path| !matches!(self.disk.look(path), Ok(None)))
    }

    /// Ends a journal whose files are new and whose temporary files are gone.
    fn file_away(self, directory: &Path, path: &Path, record: &JournalRecord) -> io::Result<()> {
        if record.is_single() {
            // No name leads to it any more, so that its place may be given to another file.
            let _ = discard(self.disk, &Journal { path: path.to_owned() }.old_file());
        }
        file_away(self.disk, directory, record, path, true)
    }
}

/// Why a journal whose files are new is not made a receipt yet.
fn in_the_way(leftover: &Path, why: &dyn fmt::Display) -> io::Error {
    io::Error::other(format!(
        "what an earlier patch left at `{}` cannot be removed: {why}; make that possible, or leave it there \
         with recover({{ setAside: true }}), `hashline recover --set-aside`",
        shown(leftover)
    ))
}
