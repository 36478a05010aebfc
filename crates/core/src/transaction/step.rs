//! One step on the disk, and how it is performed; [`super::revert`] rolls it back.

use std::io;
use std::path::{Path, PathBuf};

use super::fault::shown;
use super::journal::{Fingerprint, PastChange};
use crate::fs::{self, Disk, Facts, FileKind};
use hashline_text::SharedBytes;

/// One step on the disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum DiskStep {
    /// The staged file takes the place of another.
    Replace {
        /// The file that is replaced.
        path: PathBuf,
        /// The staged file, whose name the old file has after an exchange. If names cannot be
        /// exchanged, the old file goes to [`old_file_path`].
        staged: PathBuf,
        /// The inode number of the old file.
        inode: u64,
    },
    /// The staged file gets a name that no file has.
    Create {
        /// The new file.
        path: PathBuf,
        /// The staged file.
        staged: PathBuf,
    },
    /// A file is removed; until the transaction ends it is kept under another name.
    Remove {
        /// The file to remove.
        path: PathBuf,
        /// The name under which it is kept.
        kept: PathBuf,
    },
    /// A file gets another name.
    Move {
        /// The old path of the file.
        from: PathBuf,
        /// The new path of the file.
        to: PathBuf,
        /// A name in between, if the file system treats the two as one.
        through: Option<PathBuf>,
    },
    /// A file is overwritten in place, because it has other hard links or another owner.
    Rewrite {
        /// The file to overwrite.
        path: PathBuf,
        /// The new content.
        new: SharedBytes,
    },
}

/// Why a step cannot be performed.
#[derive(Debug, thiserror::Error)]
pub(super) enum StepError {
    /// Another program changed the file in the meantime.
    #[error("it has changed on disk since it was read")]
    Changed,
    /// The file may not be written to.
    #[error("it is read-only")]
    ReadOnly,
    /// The path holds something other than a regular file.
    #[error("it is {}", if *.0 == FileKind::Directory { "a directory" } else { "no regular file" })]
    NotAFile(FileKind),
    /// This part of the path is not a directory.
    #[error("`{}` is not a directory", shown(.0))]
    NotADirectory(PathBuf),
    /// The workspace no longer exists.
    #[error("the workspace no longer exists")]
    RootGone,
    /// The disk got in the way.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<io::ErrorKind> for StepError {
    fn from(kind: io::ErrorKind) -> Self {
        Self::Io(kind.into())
    }
}

/// Where the old file goes while a staged one takes its place, if names cannot be exchanged.
pub(super) fn old_file_path(staged: &Path) -> PathBuf {
    staged.with_extension("old")
}

impl DiskStep {
    /// The file that the step changes, under its old name.
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Replace { path, .. }
            | Self::Create { path, .. }
            | Self::Remove { path, .. }
            | Self::Rewrite { path, .. } => path,
            Self::Move { from, .. } => from,
        }
    }

    /// The file whose directory holds the step's temporary files.
    pub(super) fn target(&self) -> &Path {
        match self {
            Self::Move { to, .. } => to,
            _ => self.path(),
        }
    }

    /// A verb for the step in error messages.
    pub(super) fn doing(&self) -> &'static str {
        match self {
            Self::Replace { .. } | Self::Rewrite { .. } => "write",
            Self::Create { .. } => "create",
            Self::Remove { .. } => "remove",
            Self::Move { .. } => "move",
        }
    }

    /// The temporary files of the step.
    pub(super) fn temporary(&self) -> Vec<PathBuf> {
        match self {
            Self::Replace { staged, .. } => vec![staged.clone(), old_file_path(staged)],
            Self::Create { staged: one, .. }
            | Self::Remove { kept: one, .. }
            | Self::Move { through: Some(one), .. } => vec![one.clone()],
            Self::Move { through: None, .. } | Self::Rewrite { .. } => Vec::new(),
        }
    }

    /// The paths that the step changes, without temporary ones.
    pub(super) fn changed_paths(&self) -> impl Iterator<Item = &Path> {
        let to = match self {
            Self::Move { to, .. } => Some(to.as_path()),
            _ => None,
        };
        std::iter::once(self.path()).chain(to)
    }

    /// Performs the step. `was` are the facts about the old file from when its content was checked.
    pub(super) fn perform(
        &self,
        disk: &dyn Disk,
        past: &PastChange,
        was: Option<&Facts>,
        sync: bool,
    ) -> Result<(), StepError> {
        match self {
            Self::Replace { path, staged, .. } => match disk.exchange(staged, path) {
                Ok(()) => {}
                Err(error) if fs::unsupported(&error) => {
                    let kept = old_file_path(staged);
                    match disk.link(path, &kept) {
                        // Without hard links, there is no file at the path for a moment.
                        Err(error) if fs::unsupported(&error) || fs::protected(&error) => {
                            disk.rename(path, &kept)?;
                        }
                        linked => linked?,
                    }
                    self.check_old_file(disk, past, was)?;
                    return Ok(disk.rename(staged, path)?);
                }
                Err(error) => return Err(error.into()),
            },
            Self::Create { path, staged } => disk.rename_new(staged, path)?,
            Self::Remove { path, kept } => disk.rename(path, kept)?,
            Self::Move { from, to, through: None } => disk.rename_new(from, to)?,
            Self::Move { from, to, through: Some(through) } => {
                disk.rename(from, through)?;
                disk.rename_new(through, to)?;
            }
            Self::Rewrite { path, new } => disk.overwrite(path, new, sync)?,
        }
        self.check_old_file(disk, past, was)
    }

    /// Checks that the old file, which has another name by now, is unchanged.
    ///
    /// A program that had the file open may have written to it at the last moment.
    pub(super) fn check_old_file(
        &self,
        disk: &dyn Disk,
        past: &PastChange,
        was: Option<&Facts>,
    ) -> Result<(), StepError> {
        let Some(was) = was else { return Ok(()) };
        let names = match self {
            // After an exchange the old file has the staged name. Platforms without inode numbers
            // to tell the two files apart cannot exchange names.
            Self::Replace { staged, .. } if was.inode == 0 => {
                vec![old_file_path(staged), staged.clone()]
            }
            Self::Replace { .. } | Self::Remove { .. } => self.temporary(),
            Self::Move { to, .. } => vec![to.clone()],
            Self::Create { .. } | Self::Rewrite { .. } => return Ok(()),
        };
        let found = names.iter().find_map(|name| match disk.look(name) {
            Ok(Some(now)) if now.inode == was.inode => Some(Ok((name, now))),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        });
        let Some((name, now)) = found.transpose()? else { return Err(StepError::Changed) };
        // A write within the same tick of the file system's clock does not change the time.
        let same = now.unchanged(was)
            && (!now.just_modified()
                || past.old_print() == Some(Fingerprint::of(&disk.read(name)?)));
        if same { Ok(()) } else { Err(StepError::Changed) }
    }
}
