//! Writing planned changes to the disk: all files or none.
//!
//! A [`Transaction`] lists the changes to make. [`Writer::prepare`] writes them down in a journal
//! and stages every new content beside its target; only the `Prepared` that it returns can be
//! published, and only publishing returns a [`Receipt`]. Even if the disk fails or the process is
//! killed, the files end up wholly old or wholly new: at once, or when the next [`Writer`] finds
//! the journal. docs/transactions.md describes the steps and the limits.

mod at_once;
mod codec;
mod fault;
mod journal;
mod ledger;
mod prepare;
mod recover;
mod revert;
mod roll_back;
mod schedule;
mod step;
mod sweep;
mod undo;

use std::path::PathBuf;

pub use fault::{CommitFault, FaultCode};
#[cfg(feature = "testing")]
pub use journal::JournalError;
pub use ledger::{Ledger, Writer};
pub(crate) use prepare::Prepared;
pub use recover::Recovery;
#[cfg(feature = "testing")]
pub use undo::Undone;
pub(crate) use undo::listed;
pub use undo::{Difference, NotUndone, PastPatch, RestoredKind, Review};

use crate::fs::Belongings;
use hashline_text::SharedBytes;

/// Why recovery would reject the journal or receipt in `bytes`, for the workspace at `root` and
/// without permission to write outside it; `None` if it would accept it.
#[cfg(feature = "testing")]
pub fn journal_problem(bytes: &[u8], root: &std::path::Path) -> Option<JournalError> {
    journal::JournalRecord::read(bytes, journal::Bounds { root, roots: &[], outside: false }).err()
}

/// What a commit survives once it is reported.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Durability {
    /// The commit survives a loss of power.
    #[default]
    Full,
    /// The commit survives the death of the process; the system chooses when to write it to the
    /// medium.
    Fast,
}

impl Durability {
    /// The name used in settings.
    pub fn name(self) -> &'static str {
        self.into()
    }

    fn sync(self) -> bool {
        self == Self::Full
    }
}

/// One change to the disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiskChange {
    /// The file: absolute, symbolic links followed.
    pub path: PathBuf,
    /// What the path must hold before the change: these bytes, or no file if `None`.
    pub expected: Option<SharedBytes>,
    /// What is done to the file.
    pub then: FileAction,
    /// The permissions and other metadata of a file that the change creates; `None` for those of
    /// any new file.
    pub like: Option<(u32, Belongings)>,
}

/// What is done to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileAction {
    /// The file gets this content, and is created if it is missing.
    Put(SharedBytes),
    /// The file is removed.
    Remove,
    /// The file gets a new name, which must be free, and perhaps new content.
    MoveTo {
        /// The new path of the file.
        to: PathBuf,
        /// The new content, if it changes.
        content: Option<SharedBytes>,
    },
}

/// Changes that are made together. No two of them concern the same path.
#[derive(Clone, Debug)]
pub struct Transaction {
    changes: Vec<DiskChange>,
    /// Directories to remove afterwards if they are empty.
    removed_dirs: Vec<PathBuf>,
    /// The name of the receipt that this undoes or redoes, if it does.
    undoes: Option<String>,
}

impl Transaction {
    /// A transaction of these changes.
    pub fn new(changes: Vec<DiskChange>) -> Self {
        Self { changes, removed_dirs: Vec::new(), undoes: None }
    }
}

/// Facts about a finished commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt {
    /// The name of the commit.
    pub id: String,
    /// The files that were written, moved or removed.
    pub paths: Vec<PathBuf>,
    /// The changed files that have other hard links, perhaps outside the workspace; all links show
    /// the change.
    pub linked: Vec<PathBuf>,
}
