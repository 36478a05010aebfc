//! Bringing a transaction to an end: rolled back, or finished.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::at_once::at_once;
use super::journal::{BEFORE, CONFLICT, JournalRecord, TEMPORARY, UNFINISHED, retire};
use super::revert::{LeftAloneReason, Reverted, revert, spare_name};
use crate::fs::{Disk, FileKind, Like, unreachable_path};

/// How many removals make up for starting a thread.
const REMOVALS_PER_THREAD: usize = 16;

/// How many threads remove files at once.
const MAX_REMOVING: usize = 8;

/// What became of a record that was rolled back.
#[derive(Debug, Default)]
pub(super) struct RolledBack {
    /// Files that were left alone, each with the change it belongs to.
    pub left_alone: Vec<(usize, LeftAlone)>,
    /// Files that the disk would not give back; it must be tried again.
    pub failed: Vec<FailedStep>,
    /// Temporary files and new directories that the disk would not remove.
    pub litter: Vec<(PathBuf, io::Error)>,
}

/// A file that the disk would not give back.
#[derive(Debug)]
pub(super) struct FailedStep {
    /// The change it belongs to, if it is about one file.
    pub change: Option<usize>,
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

/// A file that was not restored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftAlone {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub reason: LeftAloneReason,
    /// The file that holds what was there before the transaction, if any does.
    pub kept: Option<PathBuf>,
}

/// Rolls back whatever was done of a record; may be called again if something failed. Unless it had begun, only
/// temporary files and new directories are there.
pub(super) fn roll_back(
    disk: &dyn Disk,
    record: &JournalRecord,
    begun: bool,
    sync: bool,
) -> RolledBack {
    let mut rolled = RolledBack::default();
    if begun {
        for (change, step) in record.steps.iter().rev() {
            let path = step.path().to_owned();
            match revert(disk, record, *change, step, sync) {
                Ok(Reverted::Restored) => {}
                Ok(Reverted::LeftAlone(reason, kept)) => {
                    rolled.left_alone.push((*change, LeftAlone { path, reason, kept }));
                }
                Err(source) => {
                    rolled.failed.push(FailedStep { change: Some(*change), path, source });
                }
            }
        }
        if sync && let Err((path, source)) = sync_directories(disk, record) {
            rolled.failed.push(FailedStep { change: None, path, source });
        }
    }
    if !rolled.failed.is_empty() {
        // The temporary files may be needed when it is tried again.
        return rolled;
    }
    let spared: Vec<&Path> =
        rolled.left_alone.iter().filter_map(|(_, one)| one.kept.as_deref()).collect();
    let mut litter = remove_temporary(disk, record, &spared);
    litter.extend(remove_unnamed(disk, record));
    litter.extend(remove_empty(disk, record.made.iter().rev()));
    litter.extend(sync_removals(disk, record, sync));
    rolled.litter = litter;
    rolled
}

/// Ends the journal of a record that was rolled back, and gives the files that were left alone.
pub(super) fn end(
    disk: &dyn Disk,
    journal: &Path,
    record: &JournalRecord,
    rolled: RolledBack,
    sync: bool,
) -> io::Result<Vec<LeftAlone>> {
    if !rolled.left_alone.is_empty() {
        return set_aside(disk, journal, record, rolled.left_alone);
    }
    let ended = if rolled.litter.is_empty() {
        retire(disk, &[journal], sync)
    } else {
        // No file of the user is to be rolled back again; the next writer removes what is left over.
        disk.rename(journal, &journal.with_extension(&UNFINISHED[1..]))
    };
    ended.map(|()| Vec::new())
}

/// Ends a journal that cannot be followed to its end: what the files were before goes to files of
/// their own beside it, and the journal gets a name under which it is not followed any more.
///
/// Gives the files that were left alone, each with the file that holds its old content.
pub(super) fn set_aside(
    disk: &dyn Disk,
    journal: &Path,
    record: &JournalRecord,
    left_alone: Vec<(usize, LeftAlone)>,
) -> io::Result<Vec<LeftAlone>> {
    let mut saved = Vec::with_capacity(left_alone.len());
    for (change, mut one) in left_alone {
        if one.kept.is_none()
            && let Some(old) = record.changes[change].old_bytes()
        {
            let path = journal.with_file_name(format!("{}-{change}{BEFORE}", record.id));
            match disk.create(&path, old, &Like::Private) {
                Ok(_) => {}
                // Two steps of one change, or an earlier attempt.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            one.kept = Some(path);
        }
        saved.push(one);
    }
    disk.rename(journal, &journal.with_extension(&CONFLICT[1..]))?;
    Ok(saved)
}

/// Removes what a record that is done has left behind, and gives what could not be removed.
pub(super) fn finish(
    disk: &dyn Disk,
    record: &JournalRecord,
    sync: bool,
) -> Vec<(PathBuf, io::Error)> {
    let mut litter = remove_temporary(disk, record, &[]);
    litter.extend(remove_empty(disk, &record.unmade));
    litter.extend(sync_removals(disk, record, sync));
    litter
}

/// Waits until what was removed is gone on the medium, too: a file system may remember later that the
/// journal is gone, and forget that the temporary files are.
fn sync_removals(
    disk: &dyn Disk,
    record: &JournalRecord,
    sync: bool,
) -> Option<(PathBuf, io::Error)> {
    if sync { sync_directories(disk, record).err() } else { None }
}

/// The name that each new directory of a record has until it is on the medium.
pub(super) fn unnamed_directories(record: &JournalRecord) -> impl Iterator<Item = PathBuf> {
    record
        .made
        .iter()
        .enumerate()
        .map(|(at, path)| path.with_file_name(format!("{TEMPORARY}{}-d{at}.tmp", record.id)))
}

/// Removes new directories that have not got their names yet.
fn remove_unnamed(disk: &dyn Disk, record: &JournalRecord) -> Vec<(PathBuf, io::Error)> {
    let discarded = unnamed_directories(record).map(|path| (discard(disk, &path), path));
    discarded.filter_map(|(discarded, path)| Some((path, discarded.err()?))).collect()
}

/// Removes what has a temporary name of ours, whatever it is.
///
/// After a loss of power such a name can lead to a file or a directory that was removed before: without a
/// journal of its own, a file system may have written the name and not yet the new file, which has the
/// number of the removed one. Of such a directory only temporary files are removed. Anything else in it
/// may be the last that there is of a file that the user has moved.
pub(super) fn discard(disk: &dyn Disk, path: &Path) -> io::Result<()> {
    let error = match disk.remove(path) {
        Err(error) if !unreachable_path(&error) => error,
        _ => return Ok(()),
    };
    match disk.look(path) {
        Ok(Some(facts)) if facts.kind == FileKind::Directory => {}
        _ => return Err(error),
    }
    for name in disk.names(path)? {
        if name.as_encoded_bytes().starts_with(TEMPORARY.as_bytes()) {
            disk.remove(&path.join(name))?;
        }
    }
    disk.remove_directory(path)
}

/// Removes directories that are empty; others are in use, and stay.
fn remove_empty<'p>(
    disk: &dyn Disk,
    directories: impl IntoIterator<Item = &'p PathBuf>,
) -> Vec<(PathBuf, io::Error)> {
    let mut failed = Vec::new();
    for path in directories {
        match disk.remove_directory(path) {
            Err(error)
                if !unreachable_path(&error)
                    && error.kind() != io::ErrorKind::DirectoryNotEmpty =>
            {
                failed.push((path.clone(), error));
            }
            _ => {}
        }
    }
    failed
}

/// Waits until every name that a record changes is on the medium.
pub(super) fn sync_directories(
    disk: &dyn Disk,
    record: &JournalRecord,
) -> Result<(), (PathBuf, io::Error)> {
    for directory in directories(record) {
        match disk.sync_directory(directory) {
            Err(error) if !unreachable_path(&error) => return Err((directory.to_owned(), error)),
            _ => {}
        }
    }
    Ok(())
}

/// The directories whose names a record changes.
pub(super) fn directories(record: &JournalRecord) -> BTreeSet<&Path> {
    let places = record.steps.iter().flat_map(|(_, step)| step.places());
    let made = record.made.iter().chain(&record.unmade).map(PathBuf::as_path);
    places.chain(made).filter_map(Path::parent).collect()
}

fn remove_temporary(
    disk: &dyn Disk,
    record: &JournalRecord,
    spared: &[&Path],
) -> Vec<(PathBuf, io::Error)> {
    let staged = record.steps.iter().flat_map(|(_, step)| step.temporary());
    let spare = directories(record).into_iter().map(|path| spare_name(&path.join("x"), &record.id));
    let removable = |path: &PathBuf| !spared.contains(&path.as_path());
    let paths: Vec<PathBuf> = staged.chain(spare).filter(removable).collect();
    let threads = paths.len().div_ceil(REMOVALS_PER_THREAD).min(MAX_REMOVING);
    let discarded = at_once(&paths, threads, |path| discard(disk, path));
    let failed = |(path, discarded): (PathBuf, io::Result<()>)| Some((path, discarded.err()?));
    paths.into_iter().zip(discarded).filter_map(failed).collect()
}
