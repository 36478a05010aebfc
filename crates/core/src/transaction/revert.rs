//! Rolling back one step.
//!
//! A step can be rolled back at any time after it may have begun, even by another process that
//! knows only the journal: [`revert`] looks at the disk to see how far the step got. It judges a
//! file by its content, never by which temporary files exist, because another program may have
//! removed those. It never overwrites anything that another program has written in the meantime.

use std::io;
use std::path::{Path, PathBuf};

use super::journal::{Fingerprint, JournalRecord, PastChange, TEMPORARY};
use super::roll_back::discard;
use super::step::{DiskStep, old_file_path};
use crate::fs::{Disk, Facts, FileKind, Like, unreachable_path, unsupported};

/// How rolling back a step ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Reverted {
    /// The file has its old content.
    Restored,
    /// The file was left alone, for this reason; the path is the file that holds the old content,
    /// if one does.
    LeftAlone(LeftAloneReason, Option<PathBuf>),
}

/// Why a file was not restored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::Display)]
pub enum LeftAloneReason {
    /// Another program has changed the file since.
    #[strum(to_string = "it has changed since the interruption")]
    Changed,
    /// A directory above the file was removed or replaced.
    #[strum(to_string = "its directory was replaced since the interruption")]
    Unreachable,
    /// The old content of the file is lost.
    #[strum(
        to_string = "its old content was too large for the journal, and the copy beside it is gone"
    )]
    OldContentLost,
    /// The disk did not allow restoring the file, and the journal was set aside on request.
    #[strum(to_string = "the disk refused to restore it")]
    Failed,
}

/// What is at a path: the content from before the change, from after it, or another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Present {
    /// There is no file, and perhaps no directory: an earlier attempt may have removed it already.
    Nothing,
    Old(Facts),
    New(Facts),
    Other(Facts),
    /// The path leads through a link or a file.
    Unreachable,
}

/// Rolls back as much of a step as was done, which may be nothing.
///
/// Temporary files stay; [`DiskStep::temporary`] and [`spare_name`] name them.
pub(super) fn revert(
    disk: &dyn Disk,
    record: &JournalRecord,
    change: usize,
    step: &DiskStep,
    sync: bool,
) -> io::Result<Reverted> {
    let undo = Undo { disk, id: &record.id, past: &record.changes[change], sync };
    let reverted = match step {
        DiskStep::Replace { path, staged, inode } => undo.replace(path, staged, *inode),
        DiskStep::Create { path, staged } => undo.create(path, staged),
        DiskStep::Remove { path, kept } => undo.remove(path, kept),
        DiskStep::Move { from, to, through } => undo.rename(from, to, through.as_deref()),
        DiskStep::Rewrite { path, new } => undo.rewrite(path, new),
    };
    match reverted {
        // A directory disappeared after we looked.
        Err(error) if unreachable_path(&error) => Ok(UNREACHABLE),
        reverted => reverted,
    }
}

const UNREACHABLE: Reverted = Reverted::LeftAlone(LeftAloneReason::Unreachable, None);

/// The name of the temporary file that restoring the file at `path` from the journal goes through.
///
/// The files that a transaction stages are numbered from 1.
pub(super) fn spare_name(path: &Path, id: &str) -> PathBuf {
    path.with_file_name(format!("{TEMPORARY}{id}-0.old"))
}

struct Undo<'a> {
    disk: &'a dyn Disk,
    id: &'a str,
    past: &'a PastChange,
    sync: bool,
}

impl Undo<'_> {
    fn replace(&self, path: &Path, staged: &Path, inode: u64) -> io::Result<Reverted> {
        let now = self.present(path)?;
        if matches!(now, Present::Old(_)) {
            return Ok(Reverted::Restored);
        }
        let kept = old_file_path(staged);
        let spare = self.old_file([&kept, staged], inode)?;
        match now {
            Present::Unreachable => Ok(UNREACHABLE),
            Present::Other(_) => {
                Ok(Reverted::LeftAlone(LeftAloneReason::Changed, spare.map(Path::to_owned)))
            }
            _ => match spare {
                Some(spare) => {
                    self.put_in_place(spare, path, now)?;
                    Ok(Reverted::Restored)
                }
                None => self.restore_from_journal(path),
            },
        }
    }

    /// Finds which of the temporary names holds the old file: by its inode, because another program
    /// may have written to it at the last moment, or else by its content.
    fn old_file<'p>(&self, names: [&'p Path; 2], inode: u64) -> io::Result<Option<&'p Path>> {
        for name in names {
            let old = match self.present(name)? {
                Present::Old(_) => true,
                Present::New(facts) | Present::Other(facts) => {
                    facts.kind == FileKind::File && inode != 0 && facts.inode == inode
                }
                Present::Nothing | Present::Unreachable => false,
            };
            if old {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    fn create(&self, path: &Path, staged: &Path) -> io::Result<Reverted> {
        match (self.present(path)?, self.look(staged)?) {
            (Present::Nothing, _) => Ok(Reverted::Restored),
            (Present::Unreachable, _) => Ok(UNREACHABLE),
            (Present::Old(now) | Present::New(now) | Present::Other(now), Some(other)) => {
                // The file was linked to the path, but its staged name is not removed yet. Any
                // other file at the path is not ours.
                if other.same_file(&now) {
                    self.disk.remove(path)?;
                }
                Ok(Reverted::Restored)
            }
            (Present::New(_), None) => {
                self.disk.rename(path, staged)?;
                Ok(Reverted::Restored)
            }
            // A file that is copied to another file system has the same content before and after.
            (Present::Old(_), None) if self.past.old_print() == self.past.new => {
                self.disk.rename(path, staged)?;
                Ok(Reverted::Restored)
            }
            (Present::Old(_) | Present::Other(_), None) => {
                Ok(Reverted::LeftAlone(LeftAloneReason::Changed, None))
            }
        }
    }

    fn remove(&self, path: &Path, kept: &Path) -> io::Result<Reverted> {
        let now = self.present(path)?;
        match (self.look(kept)?, now) {
            (_, Present::Unreachable) => Ok(UNREACHABLE),
            // The file was not removed yet, or it was restored.
            (_, Present::Old(_)) | (None, Present::New(_) | Present::Other(_)) => {
                Ok(Reverted::Restored)
            }
            (Some(_), _) => self.rename_back(kept, path),
            (None, Present::Nothing) => self.restore_from_journal(path),
        }
    }

    fn rename(&self, from: &Path, to: &Path, through: Option<&Path>) -> io::Result<Reverted> {
        if let Some(through) = through {
            if self.look(through)?.is_some() {
                return self.rename_back(through, from);
            }
            // The file system treats both names as one, so a lookup cannot tell them apart.
            if self.look(to)?.is_some() {
                self.disk.rename(to, through)?;
                return self.rename_back(through, from);
            }
        }
        let before = self.present(from)?;
        match (before, self.look(to)?) {
            (Present::Unreachable, there) => {
                Ok(Reverted::LeftAlone(LeftAloneReason::Unreachable, there.map(|_| to.to_owned())))
            }
            (Present::Nothing, Some(_)) => self.rename_back(to, from),
            (Present::Nothing, None) if self.is_unreachable(to)? => Ok(UNREACHABLE),
            (Present::Nothing, None) => self.restore_from_journal(from),
            (Present::Old(one) | Present::New(one) | Present::Other(one), Some(other)) => {
                if one.same_file(&other) {
                    self.disk.remove(to)?;
                }
                Ok(Reverted::Restored)
            }
            (_, None) => Ok(Reverted::Restored),
        }
    }

    fn rewrite(&self, path: &Path, new: &[u8]) -> io::Result<Reverted> {
        if let Some(before) = self.past.before.as_deref().filter(|before| *before != path) {
            let not_moved = match (self.look(before)?, self.look(path)?) {
                (_, None) => true,
                (Some(before), Some(now)) => before.inode != 0 && !before.same_file(&now),
                (None, Some(_)) => false,
            };
            if not_moved {
                // The file was not moved yet, and so it was not overwritten either.
                return Ok(Reverted::Restored);
            }
        }
        match self.present(path)? {
            Present::Unreachable => Ok(UNREACHABLE),
            Present::Old(_) => Ok(Reverted::Restored),
            Present::Nothing => self.restore_from_journal(path),
            Present::New(facts) | Present::Other(facts) => {
                let left = |reason| Ok(Reverted::LeftAlone(reason, None));
                let Some(old) = self.past.old_bytes() else {
                    return left(LeftAloneReason::OldContentLost);
                };
                let half = facts.kind == FileKind::File
                    && is_half_written(&self.disk.read(path)?, old, new);
                if !half {
                    return left(LeftAloneReason::Changed);
                }
                self.disk.overwrite(path, old, self.sync)?;
                Ok(Reverted::Restored)
            }
        }
    }

    /// Gives the old file its name again. The new file, if there is one, gets the temporary name:
    /// if it were removed at once, then after a loss of power its name could lead to another
    /// program's file, on a file system without a journal.
    fn put_in_place(&self, spare: &Path, path: &Path, now: Present) -> io::Result<()> {
        if matches!(now, Present::New(_)) {
            match self.disk.exchange(spare, path) {
                Err(error) if unsupported(&error) => {}
                exchanged => return exchanged,
            }
        }
        self.disk.rename(spare, path)
    }

    /// Gives a file its old name again, unless another file has that name.
    fn rename_back(&self, from: &Path, to: &Path) -> io::Result<Reverted> {
        match self.disk.rename_new(from, to) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Ok(Reverted::LeftAlone(LeftAloneReason::Changed, Some(from.to_owned())))
            }
            renamed => renamed.map(|()| Reverted::Restored),
        }
    }

    /// Writes the old content, which the journal holds, to a temporary file and renames that.
    fn restore_from_journal(&self, path: &Path) -> io::Result<Reverted> {
        let Some(old) = self.past.old_bytes() else {
            return Ok(Reverted::LeftAlone(LeftAloneReason::OldContentLost, None));
        };
        let spare = spare_name(path, self.id);
        // An interrupted attempt may have left this file.
        discard(self.disk, &spare)?;
        let like = match self.look(path)? {
            Some(_) => Like::File { path: path.to_owned(), times: false },
            None => Like::Was(self.past.mode, self.past.belongings.clone()),
        };
        let file = self.disk.create(&spare, old, &like)?;
        if self.sync {
            self.disk.sync(&file)?;
        }
        self.disk.rename(&spare, path)?;
        Ok(Reverted::Restored)
    }

    fn present(&self, path: &Path) -> io::Result<Present> {
        let facts = match self.disk.look(path) {
            Err(error) if unreachable_path(&error) => return Ok(Present::Unreachable),
            looked => looked?,
        };
        let Some(facts) = facts else { return Ok(Present::Nothing) };
        if facts.kind != FileKind::File {
            return Ok(Present::Other(facts));
        }
        let print = Some(Fingerprint::of(&self.disk.read(path)?));
        Ok(if print == self.past.old_print() {
            Present::Old(facts)
        } else if print == self.past.new {
            Present::New(facts)
        } else {
            Present::Other(facts)
        })
    }

    /// Facts about the file at a path; `None` if the path leads nowhere.
    fn look(&self, path: &Path) -> io::Result<Option<Facts>> {
        match self.disk.look(path) {
            Err(error) if unreachable_path(&error) => Ok(None),
            looked => looked,
        }
    }

    fn is_unreachable(&self, path: &Path) -> io::Result<bool> {
        Ok(self.present(path)? == Present::Unreachable)
    }
}

/// Whether `now` can result from overwriting `old` with `new` and being interrupted, perhaps again
/// while rolling back: then each byte equals the byte of `old` or `new` at the same offset.
///
/// After a loss of power there may be zeros where only the longer one has bytes: a file system
/// clears the end of the last block before it records that the file is shorter, and may record that
/// it is longer before the bytes are there.
fn is_half_written(now: &[u8], old: &[u8], new: &[u8]) -> bool {
    let both = old.len().min(new.len());
    let fits = |(at, byte): (usize, &u8)| {
        old.get(at) == Some(byte) || new.get(at) == Some(byte) || (at >= both && *byte == 0)
    };
    (both..=old.len().max(new.len())).contains(&now.len()) && now.iter().enumerate().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_write_is_distinguished_from_others() {
        let check = |now: &str, half: bool| {
            let found = is_half_written(now.as_bytes(), b"old text", b"NEW TEXT, longer");
            assert_eq!(found, half, "{now}");
        };
        check("old text", true);
        check("NEW text", true);
        check("NEW TEXT", true);
        check("NEW TEXT, lo", true);
        check("NEW TEXT, longer", true);
        check("NEW", false);
        check("other text", false);
        check("NEW text!", false);
        check("old TEXT, longer", true);
        check("NEW TEXT\0\0\0\0", true);
        check("NEW\0TEXT", false);
        assert!(is_half_written(b"new text", b"old text", b"new"), "not yet cut");
        assert!(is_half_written(b"new\0\0\0xt", b"old text", b"new"), "cleared, but not cut");
    }
}
