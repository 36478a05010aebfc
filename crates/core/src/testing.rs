//! The parts behind a session, for tests that put a failing disk below them, plan without files or read
//! what was saved.

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

    /// What was shown so far.
    pub fn remembered(&self) -> &SessionMemory {
        &self.remembered
    }
}

impl transaction::Ledger {
    /// The ledger of a workspace on the real disk.
    pub fn new(root: &Path, home: Option<PathBuf>) -> Self {
        Self::with_disk(root, home, Arc::new(fs::RealDisk::default()))
    }

    /// The ledger of the workspace at `root`, whose path has no symbolic links.
    pub fn with_disk(root: &Path, home: Option<PathBuf>, disk: Arc<dyn fs::Disk>) -> Self {
        Self::with_homes(root, home.map_or_else(state_homes, |home| vec![home]), disk)
    }

    /// The same with several directories in which it may be, best first.
    pub fn with_homes(root: &Path, homes: Vec<PathBuf>, disk: Arc<dyn fs::Disk>) -> Self {
        Self::of_workspace(Workspace::at(root.to_owned()), homes, disk)
    }

    /// The right to write in this root.
    pub fn write<'l>(
        &'l self,
        durability: Durability,
        cancel: &'l AtomicBool,
    ) -> Result<transaction::Writer<'l>, CommitFault> {
        self.write_in(&[], durability, cancel)
    }
}

/// The disk below a transaction.
pub mod fs {
    pub use crate::fs::{Belongings, Disk, Facts, Like, RealDisk};
}

/// Patches without a disk.
pub mod plan {
    pub use crate::plan::{
        Before, End, FilePlan, FileState, Hunk, Made, Now, OpTarget, Plan, Relocated, Settings,
        Warning, plan,
    };
}

/// The texts about a patch.
pub mod report {
    pub use crate::report::applied::applied;
}

/// The words around rows.
pub mod show {
    pub use crate::show::frame::read_on;

    /// The header of a file that was not shown before.
    pub fn lines_header(path: &str, start: usize, shown: usize, total: usize) -> String {
        crate::show::frame::noting_header(
            path,
            start,
            shown,
            total,
            hashline_text::Encoding::UTF_8,
            None,
        )
    }
}

/// What was shown, as it is kept and saved.
pub mod snapshot {
    pub use crate::snapshot::{
        Event, Index, Looks, Memory, Note, Sight, Snapshot, compact, encode, replay,
    };
}

/// All files or none, without a session.
pub mod transaction {
    pub use crate::transaction::{
        CommitFault, DiskChange, FileAction, JournalError, Ledger, NotUndone, Receipt, Recovery,
        Transaction, Undone, Writer, journal_problem,
    };
}
