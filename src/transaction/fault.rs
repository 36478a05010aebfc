//! Why a transaction was not made.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::fs::{self, LockHolder};

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
        /// What was being done.
        doing: &'static str,
        /// To which file.
        path: PathBuf,
        /// How many files the transaction names.
        files: usize,
        /// Files that could not be put back as they were, and will be when the disk allows it.
        left: Vec<PathBuf>,
        /// Why.
        source: io::Error,
    },
    /// Another writer is at work in the workspace.
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
        /// The directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The work was asked to stop before anything was changed.
    Cancelled,
}

impl CommitFault {
    /// The stable name of this error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Changed { .. } => "file_changed",
            Self::ReadOnly { .. } => "read_only",
            Self::Disk { left, .. } if left.is_empty() => "write_failed",
            Self::Disk { .. } => "undo_failed",
            Self::Locked { .. } => "locked",
            Self::StateDirectory { .. } => "state_directory",
            Self::Cancelled => "aborted",
        }
    }

    /// Whether the next writer has something to settle.
    pub fn unsettled(&self) -> bool {
        matches!(self, Self::Disk { left, .. } if !left.is_empty())
    }
}

impl fmt::Display for CommitFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed { path } => {
                let path = path.display();
                write!(f, "`{path}` was changed by somebody else in the meantime; read it again")
            }
            Self::ReadOnly { path } => {
                write!(f, "`{}` is read-only; make it writable first", path.display())
            }
            Self::Disk { doing, path, files, left, source } => {
                write!(f, "cannot {doing} `{}`: {source}", path.display())?;
                if fs::protected(source) {
                    f.write_str(
                        " (the file or its directory is immutable, append-only or sticky)",
                    )?;
                }
                if left.is_empty() {
                    let files = if *files == 1 { "the file was not" } else { "no file was" };
                    return write!(f, "; {files} changed");
                }
                let left: Vec<_> = left.iter().map(|path| path.display().to_string()).collect();
                write!(f, "; not put back yet: {}; recover() tries again", left.join(", "))
            }
            Self::Locked { root, holder, waited } => {
                write!(f, "cannot write in `{}`: another writer is at work there", root.display())?;
                if let Some(holder) = holder {
                    write!(f, " ({holder})")?;
                }
                write!(f, "; waited {} s, nothing was changed", waited.as_secs())
            }
            Self::StateDirectory { path, source } => {
                write!(f, "cannot keep a journal in `{}`: {source}", path.display())
            }
            Self::Cancelled => f.write_str("the operation was aborted"),
        }
    }
}

impl std::error::Error for CommitFault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Disk { source, .. } | Self::StateDirectory { source, .. } => Some(source),
            _ => None,
        }
    }
}
