//! Writing what was planned: all files or none.
//!
//! A [`Transaction`] is what is to happen. [`Writer::prepare`] writes a journal of what is going to
//! be done and stages every new content beside its target; only the `Prepared` that it gives can be
//! published, and only publishing gives a [`Receipt`]. Whatever fails on the way, an error of the
//! disk or the death of the process, the files end up wholly old or wholly new: at once, or when the
//! next [`Writer`] finds the journal. docs/transactions.md describes the steps and the limits.

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

/// Why the journal or receipt in `bytes` would not be followed in the workspace at `root`, where
/// nothing outside may be written; `None` if it would.
#[cfg(feature = "testing")]
pub fn journal_problem(bytes: &[u8], root: &std::path::Path) -> Option<JournalError> {
    journal::JournalRecord::read(bytes, journal::Bounds { root, roots: &[], outside: false }).err()
}

/// How sure a commit is when it is reported.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Durability {
    /// It survives a loss of power.
    #[default]
    Full,
    /// It survives the death of the process; the system writes it to the medium when it likes.
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
    /// What must be there before: its bytes, or `None` for no file.
    pub expected: Option<SharedBytes>,
    /// What is to happen.
    pub then: FileAction,
    /// The permissions of a file that is made, and what else it had; `None` for those of new files.
    pub like: Option<(u32, Belongings)>,
}

/// What is to happen to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileAction {
    /// It gets this content, and is made if it is not there.
    Put(SharedBytes),
    /// It goes.
    Remove,
    /// It gets another name, where no file is, and perhaps another content.
    MoveTo {
        /// The new name.
        to: PathBuf,
        /// The new content, if it changes.
        content: Option<SharedBytes>,
    },
}

/// Changes that are made together. No two of them are about the same path.
#[derive(Clone, Debug)]
pub struct Transaction {
    changes: Vec<DiskChange>,
    /// Directories that go afterwards if they are empty.
    unmade: Vec<PathBuf>,
    /// The receipt that is undone.
    takes_back: Option<String>,
}

impl Transaction {
    /// Gathers changes.
    pub fn new(changes: Vec<DiskChange>) -> Self {
        Self { changes, unmade: Vec::new(), takes_back: None }
    }
}

/// The facts of what landed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt {
    /// The name of the commit.
    pub id: String,
    /// The files that were written, moved or removed.
    pub paths: Vec<PathBuf>,
    /// Those of them that have other names, perhaps outside the workspace; all names show the change.
    pub linked: Vec<PathBuf>,
}
