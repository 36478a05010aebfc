//! Bringing what was begun to an end: all of it taken back, or all of it kept.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::journal::{JournalRecord, JournalState};
use super::step::Reverted;
use crate::fs::Disk;

/// What became of a record that was taken back.
#[derive(Debug, Default)]
pub struct RolledBack {
    /// Places that somebody else has written to since; they were left alone.
    pub foreign: Vec<LeftAlone>,
    /// Places that the disk would not give back; it must be tried again.
    pub failed: Vec<(PathBuf, io::Error)>,
    /// Temporary files and new directories that the disk would not remove.
    pub litter: Vec<(PathBuf, io::Error)>,
}

impl RolledBack {
    /// Whether nothing remains to be done or told.
    pub fn is_clean(&self) -> bool {
        self.foreign.is_empty() && self.failed.is_empty() && self.litter.is_empty()
    }
}

/// A place that was left alone because somebody else has written to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftAlone {
    /// The place.
    pub path: PathBuf,
    /// The file that holds what was there before the transaction.
    pub kept: Option<PathBuf>,
}

/// Takes back whatever was done of a record; may be called again if something failed.
pub fn roll_back(
    disk: &dyn Disk,
    record: &JournalRecord,
    state: JournalState,
    sync: bool,
) -> RolledBack {
    let mut taken = RolledBack::default();
    if state == JournalState::Publishing {
        for (change, step) in record.steps.iter().rev() {
            match step.revert(disk, &record.changes[*change], sync) {
                Ok(Reverted::Restored) => {}
                Ok(Reverted::ChangedSince(kept)) => {
                    taken.foreign.push(LeftAlone { path: step.path().to_owned(), kept });
                }
                Err(error) => taken.failed.push((step.path().to_owned(), error)),
            }
        }
        if sync && let Err(failed) = sync_directories(disk, record) {
            taken.failed.push(failed);
        }
    }
    if !taken.failed.is_empty() {
        // What is left may be needed when it is tried again.
        return taken;
    }
    let spared: Vec<&Path> = taken.foreign.iter().filter_map(|one| one.kept.as_deref()).collect();
    let mut litter = remove_leftovers(disk, record, &spared);
    for path in record.made.iter().rev() {
        match disk.remove_directory(path) {
            Ok(()) => {}
            Err(error) if gone(&error) || error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            Err(error) => litter.push((path.clone(), error)),
        }
    }
    taken.litter = litter;
    taken
}

/// Removes what a record that is done has left beside its places.
pub fn finish(disk: &dyn Disk, record: &JournalRecord) -> Vec<(PathBuf, io::Error)> {
    let failed = remove_leftovers(disk, record, &[]);
    for path in &record.unmade {
        // A directory that is still of use stays.
        let _ = disk.remove_directory(path);
    }
    failed
}

/// Waits until every name that a record changes is on the medium.
pub fn sync_directories(
    disk: &dyn Disk,
    record: &JournalRecord,
) -> Result<(), (PathBuf, io::Error)> {
    let places = record.steps.iter().flat_map(|(_, step)| step.places());
    let made = record.made.iter().map(PathBuf::as_path);
    let directories: BTreeSet<&Path> = places.chain(made).filter_map(Path::parent).collect();
    for directory in directories {
        match disk.sync_directory(directory) {
            Err(error) if !gone(&error) => return Err((directory.to_owned(), error)),
            _ => {}
        }
    }
    Ok(())
}

fn remove_leftovers(
    disk: &dyn Disk,
    record: &JournalRecord,
    spared: &[&Path],
) -> Vec<(PathBuf, io::Error)> {
    let mut failed = Vec::new();
    for path in record.steps.iter().flat_map(|(_, step)| step.leftovers()) {
        if spared.contains(&path) {
            continue;
        }
        match disk.remove(path) {
            Err(error) if !gone(&error) => failed.push((path.to_owned(), error)),
            _ => {}
        }
    }
    failed
}

/// Whether nothing is there, or nothing could be because its directory is gone.
fn gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
