//! The parts behind a session, for tests that use a failing disk, plan without files, or read saved
//! notes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::fs::state_homes;
use crate::session::{CommitFault, Durability, Options, Session, SessionFault, SessionMemory};
use crate::workspace::Workspace;

impl Session {
    /// Opens a session that writes to another disk.
    pub fn with_disk(options: Options, disk: Arc<dyn fs::Disk>) -> Result<Self, SessionFault> {
        Self::on_disk(options, disk)
    }

    /// The record of lines shown so far.
    pub fn remembered(&self) -> &SessionMemory {
        &self.remembered
    }
}

impl transaction::Ledger {
    /// The ledger of a workspace on the real disk.
    pub fn new(root: &Path, home: Option<PathBuf>) -> Self {
        Self::with_disk(root, home, Arc::new(fs::RealDisk::default()))
    }

    /// The ledger of the workspace at `root`, a path without symbolic links.
    pub fn with_disk(root: &Path, home: Option<PathBuf>, disk: Arc<dyn fs::Disk>) -> Self {
        Self::with_homes(root, home.map_or_else(state_homes, |home| vec![home]), disk)
    }

    /// Like [`Self::with_disk`], with several directories that may contain the ledger, best first.
    pub fn with_homes(root: &Path, homes: Vec<PathBuf>, disk: Arc<dyn fs::Disk>) -> Self {
        Self::of_workspace(Workspace::at(root.to_owned()), homes, disk)
    }

    /// Waits for the right to write in this root.
    pub fn write<'l>(
        &'l self,
        durability: Durability,
        cancel: &'l AtomicBool,
    ) -> Result<transaction::Writer<'l>, CommitFault> {
        self.write_in(&[], durability, cancel)
    }
}

/// The disk that transactions use.
pub mod fs {
    pub use crate::fs::{Belongings, Disk, Facts, Like, RealDisk};
}

/// Planning patches without a disk.
pub mod plan {
    pub use crate::plan::{
        Before, End, FilePlan, FileState, Hunk, Made, Now, OpTarget, Plan, Relocated, Settings,
        Warning, plan,
    };
}

/// The reports of patches.
pub mod report {
    pub use crate::report::applied::applied;
}

/// The texts around rows of lines.
pub mod show {
    pub use crate::show::frame::read_on;

    /// The header of a file that was not shown before.
    pub fn lines_header(path: &str, start: usize, shown: usize, total: usize) -> String {
        crate::show::frame::lines_header(
            path,
            start,
            shown,
            total,
            hashline_text::Encoding::UTF_8,
            None,
        )
    }
}

/// The record of shown lines, as it is kept and saved.
pub mod snapshot {
    pub use crate::snapshot::{
        Event, Index, Looks, Memory, Note, Sight, Snapshot, compact, encode, replay,
    };
}

/// Atomic writes to several files, without a session.
pub mod transaction {
    pub use crate::transaction::{
        CommitFault, DiskChange, FileAction, JournalError, Ledger, NotUndone, Receipt, Recovery,
        Transaction, Undone, Writer, journal_problem,
    };
}
