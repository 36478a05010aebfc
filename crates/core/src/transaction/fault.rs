//! Why a transaction was not made.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::recover::UnfinishedJournal;
use super::roll_back::LeftAlone;
use crate::fs::{self, LockHolder, StateDirError};
use crate::show;

/// Why a transaction was not made.
#[derive(Debug)]
pub enum CommitFault {
    /// A file is not what it was when it was planned on. Nothing was changed.
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A file may not be written to. Nothing was changed.
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The disk got in the way.
    Disk {
        /// The operation.
        doing: &'static str,
        /// To which file.
        path: PathBuf,
        /// How many files the transaction names.
        files: usize,
        /// Files that could not be restored, and will be when the disk allows it.
        left: Vec<PathBuf>,
        /// Files that were not restored, because another program changed them at the same time.
        left_alone: Vec<LeftAlone>,
        /// Why.
        source: io::Error,
    },
    /// Another writer is writing in the workspace.
    Locked {
        /// The workspace.
        root: PathBuf,
        /// Who it is, if that can be told.
        holder: Option<LockHolder>,
        /// How long was waited.
        waited: Duration,
    },
    /// The directory for journals cannot be used.
    StateDirectory {
        /// The directory, or the file in it.
        path: PathBuf,
        /// Why.
        source: StateDirError,
    },
    /// An earlier transaction is half done, and the disk does not let it be rolled back.
    Unfinished(UnfinishedJournal),
    /// The workspace no longer exists.
    RootGone {
        /// The workspace.
        root: PathBuf,
    },
    /// The work was asked to stop before anything was changed.
    Cancelled,
}

/// The stable names of what can get in the way of a commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultCode {
    /// Somebody else changed a file.
    FileChanged,
    /// A file is read-only.
    ReadOnly,
    /// The disk refused; nothing is changed.
    WriteFailed,
    /// The disk refused, and what was changed already could not be undone.
    UndoFailed,
    /// Another writer holds the workspace.
    Locked,
    /// The directory for journals cannot be used.
    StateDirectory,
    /// The workspace is gone.
    BadRoot,
    /// The work was asked to stop before anything was changed.
    Aborted,
}

impl FaultCode {
    /// The name in errors.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FileChanged => "file_changed",
            Self::ReadOnly => "read_only",
            Self::WriteFailed => "write_failed",
            Self::UndoFailed => "undo_failed",
            Self::Locked => "locked",
            Self::StateDirectory => "state_directory",
            Self::BadRoot => "bad_root",
            Self::Aborted => "aborted",
        }
    }
}

impl CommitFault {
    /// The stable name of this error.
    pub fn code(&self) -> FaultCode {
        match self {
            Self::Changed { .. } => FaultCode::FileChanged,
            Self::ReadOnly { .. } => FaultCode::ReadOnly,
            Self::Disk { left, left_alone, .. } if left.is_empty() && left_alone.is_empty() => {
                FaultCode::WriteFailed
            }
            Self::Disk { .. } => FaultCode::UndoFailed,
            Self::Locked { .. } => FaultCode::Locked,
            Self::StateDirectory { .. } | Self::Unfinished(_) => FaultCode::StateDirectory,
            Self::RootGone { .. } => FaultCode::BadRoot,
            Self::Cancelled => FaultCode::Aborted,
        }
    }

    /// Whether the next writer has something to roll back or finish.
    pub fn is_unfinished(&self) -> bool {
        matches!(self, Self::Disk { left, .. } if !left.is_empty())
    }
}

impl fmt::Display for CommitFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed { path } => {
                let path = shown(path);
                write!(f, "`{path}` changed on disk since it was read; read it again")
            }
            Self::ReadOnly { path } => {
                write!(f, "`{}` is read-only; make it writable first", shown(path))
            }
            Self::Disk { doing, path, files, left, left_alone, source } => {
                write!(f, "cannot {doing} `{}`: {source}", shown(path))?;
                if fs::protected(source) {
                    f.write_str(
                        " (the file or its directory is immutable, append-only or sticky)",
                    )?;
                }
                if left.is_empty() && left_alone.is_empty() {
                    let files = if *files == 1 { "the file was not" } else { "no file was" };
                    return write!(f, "; {files} changed");
                }
                if !left.is_empty() {
                    let left: Vec<_> = left.iter().map(|path| shown(path)).collect();
                    write!(f, "; not restored yet: {}; recover() tries again", left.join(", "))?;
                }
                for one in left_alone {
                    write!(f, "; not restored: `{}`: {}", shown(&one.path), one.reason.as_str())?;
                    if let Some(kept) = &one.kept {
                        write!(f, "; its content from before is in `{}`", shown(kept))?;
                    }
                }
                Ok(())
            }
            Self::Locked { root, holder, waited } => {
                write!(f, "cannot write in `{}`: another process holds its lock", shown(root))?;
                if let Some(holder) = holder {
                    write!(f, " ({holder})")?;
                }
                write!(f, "; waited {} s, nothing was changed", waited.as_secs())
            }
            Self::StateDirectory { path, source } => {
                write!(f, "cannot keep a journal in `{}`: {source}", shown(path))
            }
            Self::Unfinished(journal) => journal.fmt(f),
            Self::RootGone { root } => {
                write!(f, "the workspace `{}` no longer exists", shown(root))
            }
            Self::Cancelled => f.write_str("the operation was aborted; nothing was written"),
        }
    }
}

impl std::error::Error for CommitFault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Disk { source, .. } => Some(source),
            Self::StateDirectory { source, .. } => Some(source),
            Self::Unfinished(journal) => Some(&journal.source),
            _ => None,
        }
    }
}

/// A path as every text prints it.
pub(super) fn shown(path: &Path) -> String {
    show::name(&path.to_string_lossy()).into_owned()
}
