//! Bringing a transaction to an end: rolled back, or finished.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::at_once::at_once;
use super::journal::{BEFORE, CONFLICT, JournalRecord, TEMPORARY, UNFINISHED, retire};
use super::revert::{LeftAloneReason, Reverted, revert, spare_name};
use crate::fs::{Disk, FileKind, Like, unreachable_path};

/// From this many removals on, starting a thread pays off.
const REMOVALS_PER_THREAD: usize = 16;

/// At most so many threads remove files at once.
const MAX_REMOVING: usize = 8;

/// What became of a transaction that was rolled back.
#[derive(Debug, Default)]
pub(super) struct RolledBack {
    /// Files that were left alone, each with the index of its change.
    pub left_alone: Vec<(usize, LeftAlone)>,
    /// Files that the disk did not let us restore; the rollback must be tried again.
    pub failed: Vec<FailedStep>,
    /// Temporary files and new directories that the disk did not let us remove.
    pub leftovers: Vec<(PathBuf, io::Error)>,
}

/// A file that the disk did not let us restore.
#[derive(Debug)]
pub(super) struct FailedStep {
    /// The index of the change, if the failure concerns a single one.
    pub change: Option<usize>,
    /// The path of the file.
    pub path: PathBuf,
    /// Why the disk refused.
    pub source: io::Error,
}

/// A file that was not restored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftAlone {
    /// The path of the file.
    pub path: PathBuf,
    /// Why it was not restored.
    pub reason: LeftAloneReason,
    /// The file that holds the content from before the transaction, if any does.
    pub kept: Option<PathBuf>,
}

/// Rolls back whatever was done of a transaction; may be called again if something failed. Unless
/// `begun`, only temporary files and new directories can exist.
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
        // The next attempt may need the temporary files.
        return rolled;
    }
    let spared: Vec<&Path> =
        rolled.left_alone.iter().filter_map(|(_, one)| one.kept.as_deref()).collect();
    let mut leftovers = remove_temporary(disk, record, &spared);
    leftovers.extend(remove_unnamed(disk, record));
    leftovers.extend(remove_empty(disk, record.new_dirs.iter().rev()));
    leftovers.extend(sync_removals(disk, record, sync));
    rolled.leftovers = leftovers;
    rolled
}

/// Ends the journal of a transaction that was rolled back, and returns the files that were left
/// alone.
pub(super) fn end_journal(
    disk: &dyn Disk,
    journal: &Path,
    record: &JournalRecord,
    rolled: RolledBack,
    sync: bool,
) -> io::Result<Vec<LeftAlone>> {
    if !rolled.left_alone.is_empty() {
        return set_aside(disk, journal, record, rolled.left_alone);
    }
    let ended = if rolled.leftovers.is_empty() {
        retire(disk, &[journal], sync)
    } else {
        // No file of the user must be rolled back again; the next writer removes the leftovers.
        disk.rename(journal, &journal.with_extension(&UNFINISHED[1..]))
    };
    ended.map(|()| Vec::new())
}

/// Ends a journal that cannot be followed to its end: saves the old content of each file beside the
/// journal, and gives the journal a name under which nobody follows it.
///
/// Returns the files that were left alone, each with the file that holds its old content.
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
                // Another step of the same change, or an earlier attempt, has saved the content
                // already.
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

/// Removes the leftovers of a finished transaction, and returns those that could not be removed.
pub(super) fn remove_leftovers(
    disk: &dyn Disk,
    record: &JournalRecord,
    sync: bool,
) -> Vec<(PathBuf, io::Error)> {
    let mut leftovers = remove_temporary(disk, record, &[]);
    leftovers.extend(remove_empty(disk, &record.removed_dirs));
    leftovers.extend(sync_removals(disk, record, sync));
    leftovers
}

/// Waits until the removals are on the medium: otherwise, after a loss of power, the journal may be
/// gone while the temporary files are back.
fn sync_removals(
    disk: &dyn Disk,
    record: &JournalRecord,
    sync: bool,
) -> Option<(PathBuf, io::Error)> {
    if sync { sync_directories(disk, record).err() } else { None }
}

/// The temporary name of each new directory, which it has until it is on the medium.
pub(super) fn unnamed_directories(record: &JournalRecord) -> impl Iterator<Item = PathBuf> {
    record
        .new_dirs
        .iter()
        .enumerate()
        .map(|(at, path)| path.with_file_name(format!("{TEMPORARY}{}-d{at}.tmp", record.id)))
}

/// Removes new directories that still have their temporary names.
fn remove_unnamed(disk: &dyn Disk, record: &JournalRecord) -> Vec<(PathBuf, io::Error)> {
    let discarded = unnamed_directories(record).map(|path| (discard(disk, &path), path));
    discarded.filter_map(|(discarded, path)| Some((path, discarded.err()?))).collect()
}

/// Removes whatever has this temporary name of ours: a file, or a directory.
///
/// After a loss of power such a name can lead to a file or directory that was removed before: a
/// file system without a journal may have written the name but not yet the new file, which reuses
/// the inode number of the removed one. From such a directory only temporary files are removed. Any
/// other file in it may be the last copy of a file that the user has moved.
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

/// Removes those directories that are empty, and returns those that the disk did not let us remove.
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

/// Waits until every name that a transaction changes is on the medium.
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

/// The directories in which a transaction changes names.
pub(super) fn directories(record: &JournalRecord) -> BTreeSet<&Path> {
    let changed_paths = record.steps.iter().flat_map(|(_, step)| step.changed_paths());
    let made = record.new_dirs.iter().chain(&record.removed_dirs).map(PathBuf::as_path);
    changed_paths.chain(made).filter_map(Path::parent).collect()
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
