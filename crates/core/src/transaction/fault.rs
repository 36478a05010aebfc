//! Why a transaction was not committed.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::recover::UnfinishedJournal;
use super::roll_back::LeftAlone;
use crate::fs::{self, LockHolder, StateDirError};
use crate::show;

/// Why a transaction was not committed.
#[derive(Debug, thiserror::Error)]
pub enum CommitFault {
    /// A file has changed since the patch was planned. Nothing was written.
    #[error("`{}` changed on disk since it was read; read it again", shown(path))]
    Changed {
        /// The file that changed.
        path: PathBuf,
    },
    /// A file may not be written to. Nothing was written.
    #[error("`{}` is read-only; make it writable first", shown(path))]
    ReadOnly {
        /// The file that is read-only.
        path: PathBuf,
    },
    /// The disk got in the way.
    #[error(
        "cannot {doing} `{}`: {source}{}{}",
        shown(path), protection_hint(source), describe_files(*files, left, left_alone)
    )]
    Disk {
        /// The operation that failed.
        doing: &'static str,
        /// The file that it was to change.
        path: PathBuf,
        /// How many files the transaction changes.
        files: usize,
        /// Files that could not be restored yet; recovery tries again.
        left: Vec<PathBuf>,
        /// Files that were not restored, each with the reason.
        left_alone: Vec<LeftAlone>,
        /// Why the operation failed.
        source: io::Error,
    },
    /// Another writer is writing in the workspace.
    #[error(
        "cannot write in `{}`: another process holds its lock{}; waited {} s, nothing was changed",
        shown(root), holder.map_or_else(String::new, |holder| format!(" ({holder})")), waited.as_secs()
    )]
    Locked {
        /// The root of the workspace.
        root: PathBuf,
        /// Who holds the lock, if known.
        holder: Option<LockHolder>,
        /// How long we waited.
        waited: Duration,
    },
    /// The directory for journals cannot be used.
    #[error("cannot keep a journal in `{}`: {source}", shown(path))]
    StateDirectory {
        /// The directory, or the file in it.
        path: PathBuf,
        /// Why the directory cannot be used.
        source: StateDirError,
    },
    /// An earlier transaction is half done, and the disk does not let us roll it back.
    #[error("{0}")]
    Unfinished(#[source] UnfinishedJournal),
    /// The workspace no longer exists.
    #[error("the workspace `{}` no longer exists", shown(root))]
    RootGone {
        /// The root that no longer exists.
        root: PathBuf,
    },
    /// The work was asked to stop before anything was changed.
    #[error("the operation was aborted; nothing was written")]
    Cancelled,
}

/// The stable names of the reasons why a commit fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum FaultCode {
    /// Another program changed a file.
    FileChanged,
    /// A file is read-only.
    ReadOnly,
    /// The disk refused; no file is changed.
    WriteFailed,
    /// The disk refused, and some changed files could not be restored.
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
        self.into()
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
}

/// A hint for an error that occurs whatever the permissions are.
fn protection_hint(source: &io::Error) -> &'static str {
    let hint = " (the file or its directory is immutable, append-only or sticky)";
    if fs::protected(source) { hint } else { "" }
}

/// Says which files are changed after a failure.
fn describe_files(files: usize, left: &[PathBuf], left_alone: &[LeftAlone]) -> String {
    if left.is_empty() && left_alone.is_empty() {
        let files = if files == 1 { "the file was not" } else { "no file was" };
        return format!("; {files} changed");
    }
    let mut text = String::new();
    if !left.is_empty() {
        let left: Vec<_> = left.iter().map(|path| shown(path)).collect();
        text = format!("; not restored yet: {}; recover() tries again", left.join(", "));
    }
    for one in left_alone {
        show::say(
            &mut text,
            format_args!("; not restored: `{}`: {}", shown(&one.path), one.reason),
        );
        if let Some(kept) = &one.kept {
            show::say(&mut text, format_args!("; its content from before is in `{}`", shown(kept)));
        }
    }
    text
}

/// A path as messages print it.
pub(super) fn shown(path: &Path) -> String {
    show::name(&path.to_string_lossy()).into_owned()
}
