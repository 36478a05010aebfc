//! What to do with journals that somebody left.

use std::fmt;
use std::path::{Path, PathBuf};

use super::journal::{CONFLICT, ENDING, JournalError, JournalState, UNFINISHED, decode};
use super::roll_back::{LeftAlone, finish, roll_back};
use super::undo::file_away;
use crate::fs::{Disk, FileKind, process_lives};

/// What was found, and what became of it.
#[derive(Debug, Default)]
pub struct Recovery {
    /// Transactions whose files were all new already; only leftovers were removed.
    pub finished: Vec<String>,
    /// Transactions that were taken back.
    pub undone: Vec<String>,
    /// Files that somebody has changed since the crash; they were left alone.
    pub foreign: Vec<LeftAlone>,
    /// Journals that are damaged or not ours; they were left alone.
    pub unreadable: Vec<(PathBuf, JournalError)>,
    /// Journals that the disk did not let us settle.
    pub failed: Vec<UnfinishedJournal>,
}

/// A journal that the disk did not let us settle.
#[derive(Debug)]
pub struct UnfinishedJournal {
    /// The journal.
    pub journal: PathBuf,
    /// The file at which it failed.
    pub path: PathBuf,
    /// Why.
    pub source: std::io::Error,
}

impl fmt::Display for UnfinishedJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        write!(f, "an earlier patch is half done and cannot be undone at `{path}`: {}", self.source)
    }
}

impl Recovery {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.finished.is_empty()
            && self.undone.is_empty()
            && self.foreign.is_empty()
            && self.unreadable.is_empty()
            && self.failed.is_empty()
    }
}

/// Settles every journal in `directory`. The caller holds the lock, so that nobody is at work on one.
pub fn recover(disk: &dyn Disk, root: &Path, directory: &Path, sync: bool) -> Recovery {
    let mut recovery = Recovery::default();
    let names = match disk.names(directory) {
        Ok(names) => names,
        Err(source) => {
            let (journal, path) = (directory.to_owned(), directory.to_owned());
            recovery.failed.push(UnfinishedJournal { journal, path, source });
            return recovery;
        }
    };
    for name in names {
        let path = directory.join(&name);
        let name = name.to_string_lossy();
        if name.ends_with(UNFINISHED) {
            // Nothing was done yet when this was being written.
            let _ = disk.remove(&path);
        } else if name.ends_with(ENDING) {
            settle(disk, root, directory, &path, sync, &mut recovery);
        }
    }
    recovery
}

fn settle(
    disk: &dyn Disk,
    root: &Path,
    directory: &Path,
    journal: &Path,
    sync: bool,
    recovery: &mut Recovery,
) {
    let mut failed = |path: &Path, source| {
        let (journal, path) = (journal.to_owned(), path.to_owned());
        recovery.failed.push(UnfinishedJournal { journal, path, source });
    };
    let bytes = match disk.read(journal) {
        Ok(bytes) => bytes,
        Err(error) => return failed(journal, error),
    };
    if bytes.is_empty() {
        // Power was lost before the journal was on the medium, hence before any file was touched.
        let _ = disk.remove(journal);
        return;
    }
    let (state, record) = match decode(&bytes, root) {
        Ok(read) => read,
        Err(unreadable) => {
            recovery.unreadable.push((journal.to_owned(), unreadable));
            return;
        }
    };
    if state == JournalState::Done {
        let litter = finish(disk, &record);
        if litter.is_empty()
            && let Err(error) = file_away(disk, directory, &record, journal)
        {
            return failed(journal, error);
        }
        // All files are new; leftovers that cannot be removed now keep nobody from working.
        recovery.finished.push(record.id);
        return;
    }
    let taken = roll_back(disk, &record, state, sync);
    if let Some((path, error)) = taken.failed.into_iter().next() {
        return failed(&path, error);
    }
    let ended = if taken.foreign.is_empty() && taken.litter.is_empty() {
        disk.remove(journal)
    } else if taken.foreign.is_empty() {
        Ok(())
    } else {
        disk.rename(journal, &journal.with_extension(&CONFLICT[1..]))
    };
    if let Err(error) = ended {
        return failed(journal, error);
    }
    recovery.undone.push(record.id);
    recovery.foreign.extend(taken.foreign);
}

/// Removes staged files of processes that are no more, wherever they are below `root`.
///
/// They are left behind only if the journal was lost too, as with the power. A file that was kept
/// for undoing has another ending and stays, because it may be the only copy.
pub fn sweep(disk: &dyn Disk, root: &Path) -> Vec<PathBuf> {
    const MOST: usize = 100_000;
    let mut swept = Vec::new();
    let mut ahead = vec![root.to_owned()];
    let mut seen = 0;
    while let Some(directory) = ahead.pop() {
        for name in disk.names(&directory).unwrap_or_default() {
            seen += 1;
            if seen > MOST {
                return swept;
            }
            let path = directory.join(&name);
            if let Some(owner) = name.to_str().and_then(owner_of) {
                let file = disk
                    .look(&path)
                    .is_ok_and(|facts| facts.is_some_and(|facts| facts.kind == FileKind::File));
                if file && !process_lives(owner) && disk.remove(&path).is_ok() {
                    swept.push(path);
                }
            } else if name != ".git"
                && name != "node_modules"
                && matches!(disk.look(&path), Ok(Some(facts)) if facts.kind == FileKind::Directory)
            {
                ahead.push(path);
            }
        }
    }
    swept
}

/// The process that staged a file, read off its name.
fn owner_of(name: &str) -> Option<u32> {
    let id = name.strip_prefix(".hashline-")?.strip_suffix(".tmp")?;
    let mut parts = id.split('-');
    let (process, time, count) = (parts.next()?, parts.next()?, parts.next()?);
    let hex = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let ours =
        parts.next().is_none() && hex(process) && hex(time) && count.parse::<usize>().is_ok();
    if ours { u32::from_str_radix(process, 16).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owner_of_a_staged_file_is_in_its_name() {
        assert_eq!(owner_of(".hashline-1f-5a0-3.tmp"), Some(31));
        for other in [".hashline-1f-5a0-3.old", ".hashline-x-1-1.tmp", "a.tmp", ".hashline-1.tmp"] {
            assert_eq!(owner_of(other), None, "{other}");
        }
    }
}
