//! One move on the disk, how it is made, and how it is taken back.
//!
//! A step can be taken back at any time after it may have begun, also by another process that knows
//! nothing but the step: [`DiskStep::revert`] looks at the disk to see how far it got. What somebody else
//! has written in the meantime is never overwritten.

use std::io;
use std::path::{Path, PathBuf};

use super::journal::{Fingerprint, PastChange};
use crate::fs::{self, Disk, Facts};
use crate::text::SharedBytes;

/// One move on the disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DiskStep {
    /// The staged file takes the place of another.
    Replace {
        /// The place.
        path: PathBuf,
        /// The staged file; after an exchange, the old one.
        staged: PathBuf,
        /// The old file, where names cannot be exchanged.
        kept: PathBuf,
        /// The old file's number.
        inode: u64,
    },
    /// The staged file goes where no file is.
    Create {
        /// The place.
        path: PathBuf,
        /// The staged file.
        staged: PathBuf,
    },
    /// A file goes; until the end it is kept under another name.
    Remove {
        /// Its place.
        path: PathBuf,
        /// The other name.
        kept: PathBuf,
    },
    /// A file gets another name.
    Move {
        /// The name it has.
        from: PathBuf,
        /// The name it gets.
        to: PathBuf,
        /// A name in between, if the file system takes the two for the same.
        through: Option<PathBuf>,
    },
    /// A file is written over where it is, because it has other names or another owner.
    Rewrite {
        /// Its place.
        path: PathBuf,
        /// What is written.
        new: SharedBytes,
    },
}

/// How a step was taken back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reverted {
    /// The place is as it was.
    Restored,
    /// Somebody wrote to the place since; it was left alone, and this file holds what was there
    /// before, if any does.
    ChangedSince(Option<PathBuf>),
}

/// The error of a file that is not what it was when it was planned on.
pub fn changed() -> io::Error {
    io::Error::new(io::ErrorKind::ResourceBusy, "it was changed by somebody else in the meantime")
}

impl DiskStep {
    /// The place that the step is about.
    pub fn path(&self) -> &Path {
        match self {
            Self::Replace { path, .. }
            | Self::Create { path, .. }
            | Self::Remove { path, .. }
            | Self::Rewrite { path, .. } => path,
            Self::Move { from, .. } => from,
        }
    }

    /// What a person would call the step.
    pub fn doing(&self) -> &'static str {
        match self {
            Self::Replace { .. } | Self::Rewrite { .. } => "write",
            Self::Create { .. } => "create",
            Self::Remove { .. } => "remove",
            Self::Move { .. } => "move",
        }
    }

    /// Makes the move. `was` is the file as it was compared with what was expected.
    pub fn perform(&self, disk: &dyn Disk, was: Option<&Facts>, sync: bool) -> io::Result<()> {
        match self {
            Self::Replace { path, staged, kept, .. } => match disk.exchange(staged, path) {
                Ok(()) => still(disk, staged, was),
                Err(error) if fs::unsupported(&error) => {
                    match disk.link(path, kept) {
                        // Without links there is a moment without the file.
                        Err(error) if fs::unsupported(&error) || fs::protected(&error) => {
                            disk.rename(path, kept)?;
                        }
                        linked => linked?,
                    }
                    still(disk, kept, was)?;
                    disk.rename(staged, path)
                }
                Err(error) => Err(error),
            },
            Self::Create { path, staged } => disk.place(staged, path),
            Self::Remove { path, kept } => {
                disk.rename(path, kept)?;
                still(disk, kept, was)
            }
            Self::Move { from, to, through: None } => {
                disk.place(from, to)?;
                still(disk, to, was)
            }
            Self::Move { from, to, through: Some(through) } => {
                disk.rename(from, through)?;
                disk.place(through, to)
            }
            Self::Rewrite { path, new } => disk.overwrite(path, new, sync),
        }
    }

    /// Takes the move back as far as it got, perhaps not at all.
    ///
    /// `past` is what the change is about. Staged files stay; [`DiskStep::leftovers`] names them.
    pub fn revert(&self, disk: &dyn Disk, past: &PastChange, sync: bool) -> io::Result<Reverted> {
        match self {
            Self::Replace { path, staged, kept, inode } => {
                let now = disk.look(path)?;
                if let Some(old) = disk.look(kept)? {
                    if now.is_some_and(|now| now.same_file(&old)) {
                        return Ok(Reverted::Restored);
                    }
                    return put_back(disk, path, kept, past);
                }
                match disk.look(staged)? {
                    Some(old) if *inode != 0 && old.inode == *inode => {
                        put_back(disk, path, staged, past)
                    }
                    _ => Ok(Reverted::Restored),
                }
            }
            Self::Create { path, staged } => {
                let Some(now) = disk.look(path)? else { return Ok(Reverted::Restored) };
                match disk.look(staged)? {
                    // The place was linked to, but the other name is not gone yet.
                    Some(file) if file.same_file(&now) => {}
                    Some(_) => return Ok(Reverted::Restored),
                    None if !holds(disk, path, past.new)? => {
                        return Ok(Reverted::ChangedSince(None));
                    }
                    None => {}
                }
                disk.remove(path)?;
                Ok(Reverted::Restored)
            }
            Self::Remove { path, kept } => {
                if disk.look(kept)?.is_none() {
                    return Ok(Reverted::Restored);
                }
                back(disk, kept, path)
            }
            Self::Move { from, to, through: None } => match (disk.look(from)?, disk.look(to)?) {
                (None, Some(_)) => back(disk, to, from),
                (Some(one), Some(other)) if one.same_file(&other) => {
                    disk.remove(to)?;
                    Ok(Reverted::Restored)
                }
                _ => Ok(Reverted::Restored),
            },
            Self::Move { from, to, through: Some(through) } => {
                if disk.look(through)?.is_none() {
                    disk.rename(to, through)?;
                }
                back(disk, through, from)
            }
            Self::Rewrite { path, new } => {
                let old = past.old.as_ref().and_then(|old| old.bytes.as_ref());
                let Some(old) = old else { return Ok(Reverted::ChangedSince(None)) };
                let now = disk.read(path)?;
                if now == **old {
                    return Ok(Reverted::Restored);
                }
                if !half_written(&now, old, new) {
                    return Ok(Reverted::ChangedSince(None));
                }
                disk.overwrite(path, old, sync)?;
                Ok(Reverted::Restored)
            }
        }
    }

    /// The files that may be left beside the place when the step is made or taken back.
    pub fn leftovers(&self) -> impl Iterator<Item = &Path> {
        let (one, other) = match self {
            Self::Replace { staged, kept, .. } => (Some(staged), Some(kept)),
            Self::Create { staged, .. } => (Some(staged), None),
            Self::Remove { kept, .. } => (Some(kept), None),
            Self::Move { .. } | Self::Rewrite { .. } => (None, None),
        };
        one.into_iter().chain(other).map(PathBuf::as_path)
    }

    /// The places whose directories change.
    pub fn places(&self) -> impl Iterator<Item = &Path> {
        let to = match self {
            Self::Move { to, .. } => Some(to.as_path()),
            _ => None,
        };
        std::iter::once(self.path()).chain(to)
    }
}

/// An error unless the file, which has another name now, is as it was.
fn still(disk: &dyn Disk, path: &Path, was: Option<&Facts>) -> io::Result<()> {
    let Some(was) = was else { return Ok(()) };
    match disk.look(path)? {
        Some(now) if now.unchanged(was) => Ok(()),
        _ => Err(changed()),
    }
}

/// Puts the old file back in its place, unless that holds something that is not ours.
fn put_back(disk: &dyn Disk, path: &Path, old: &Path, past: &PastChange) -> io::Result<Reverted> {
    if disk.look(path)?.is_some() {
        if holds(disk, path, past.old.as_ref().map(|old| old.print))? {
            return Ok(Reverted::Restored);
        }
        if !holds(disk, path, past.new)? {
            return Ok(Reverted::ChangedSince(Some(old.to_owned())));
        }
    }
    disk.rename(old, path)?;
    Ok(Reverted::Restored)
}

/// Gives a file its old name again, unless a new file has it.
fn back(disk: &dyn Disk, from: &Path, to: &Path) -> io::Result<Reverted> {
    match disk.place(from, to) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Ok(Reverted::ChangedSince(Some(from.to_owned())))
        }
        placed => placed.map(|()| Reverted::Restored),
    }
}

fn holds(disk: &dyn Disk, path: &Path, content: Option<Fingerprint>) -> io::Result<bool> {
    match disk.read(path) {
        Ok(bytes) => Ok(content == Some(Fingerprint::of(&bytes))),
        // A directory or a link now.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether writing one content over the other, broken off somewhere, or taken back and broken off
/// again, can leave `now`: then every byte is from one of them, at its place.
fn half_written(now: &[u8], old: &[u8], new: &[u8]) -> bool {
    let lengths = old.len().min(new.len())..=old.len().max(new.len());
    let from_either =
        |(at, byte): (usize, &u8)| old.get(at) == Some(byte) || new.get(at) == Some(byte);
    lengths.contains(&now.len()) && now.iter().enumerate().all(from_either)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_off_write_is_told_from_another_one() {
        let check = |now: &str, half: bool| {
            let found = half_written(now.as_bytes(), b"old text", b"NEW TEXT, longer");
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
        assert!(half_written(b"new text", b"old text", b"new"), "not yet cut");
    }
}
