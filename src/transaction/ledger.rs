//! Where a workspace's journals and receipts are kept, and who may write.
//!
//! The directory belongs to the user, not to the workspace, so that nothing is littered; its name
//! follows from the root alone, so that every writer of a workspace meets the others there.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use super::journal::ENDING;
use super::recover::{Recovery, recover, sweep};
use super::{CommitFault, Durability, Prepared, Receipt, Transaction};
use crate::fs::{self, Disk, Lock, LockError, RealDisk};
use crate::text::Digest;

/// How long a writer waits for another.
pub const PATIENCE: Duration = Duration::from_secs(15);

/// The file that says which workspace a directory is for.
const ROOT: &str = "root";
const LOCK: &str = "lock";

/// A workspace's journals and receipts.
#[derive(Debug)]
pub struct Ledger {
    root: PathBuf,
    /// Directories in which that of this workspace may be, best first.
    homes: Vec<PathBuf>,
    disk: Arc<dyn Disk>,
}

impl Ledger {
    /// The ledger of the workspace at `root`, whose path has no symbolic links.
    ///
    /// It is kept below `home`, or where this user's state is. Nothing is made yet.
    pub fn new(root: &Path, home: Option<PathBuf>) -> Self {
        Self::with_disk(root, home, Arc::new(RealDisk::default()))
    }

    /// The same with another disk.
    pub fn with_disk(root: &Path, home: Option<PathBuf>, disk: Arc<dyn Disk>) -> Self {
        let homes = home.map_or_else(fs::state_homes, |home| vec![home]);
        Self { root: root.to_owned(), homes, disk }
    }

    /// Whether there is a journal: somebody is writing, or was and did not come to an end.
    pub fn pending(&self) -> bool {
        let names = self.homes.iter().filter_map(|home| fs::entries(&home.join(self.name())).ok());
        names.flatten().any(|entry| entry.name.to_string_lossy().ends_with(ENDING))
    }

    /// Waits until nobody else writes, and settles what others have left.
    ///
    /// A journal that cannot be settled now is a fault; one that is damaged or foreign is not.
    pub fn write(
        &self,
        durability: Durability,
        cancel: &AtomicBool,
    ) -> Result<Writer<'_>, CommitFault> {
        let writer = self.lock(durability, PATIENCE, cancel)?;
        match writer.recovery.failed.first() {
            None => Ok(writer),
            Some(unsettled) => Err(CommitFault::StateDirectory {
                path: unsettled.journal.clone(),
                source: io::Error::other(unsettled.to_string()),
            }),
        }
    }

    /// Waits at most `patience` until nobody else writes, and settles what others have left.
    pub fn lock(
        &self,
        durability: Durability,
        patience: Duration,
        cancel: &AtomicBool,
    ) -> Result<Writer<'_>, CommitFault> {
        let directory = self.directory()?;
        let lock =
            Lock::take(&directory.join(LOCK), patience, cancel).map_err(|error| match error {
                LockError::Busy(holder) => {
                    CommitFault::Locked { root: self.root.clone(), holder, waited: patience }
                }
                LockError::Cancelled => CommitFault::Cancelled,
                LockError::Io(source) => {
                    CommitFault::StateDirectory { path: directory.clone(), source }
                }
            })?;
        self.disk.begin();
        let recovery = recover(&*self.disk, &self.root, &directory, durability.sync());
        Ok(Writer { ledger: self, directory, durability, recovery, _lock: lock })
    }

    /// The directory, which is made if need be.
    fn directory(&self) -> Result<PathBuf, CommitFault> {
        let name = self.name();
        let mut first = None;
        for home in &self.homes {
            let path = home.join(&name);
            let known = fs::exists(&path);
            match fs::private_directory(&path) {
                Ok(directory) => {
                    if !known {
                        self.introduce(home, &directory);
                    }
                    return Ok(directory);
                }
                Err(source) => {
                    first.get_or_insert(CommitFault::StateDirectory { path, source });
                }
            }
        }
        Err(first.unwrap_or(CommitFault::Cancelled))
    }

    /// The name of the directory: readable, and different for different roots.
    fn name(&self) -> String {
        let bytes = self.root.as_os_str().as_encoded_bytes();
        let name = self.root.file_name().unwrap_or_default().to_string_lossy();
        let plain = |c: &char| c.is_ascii_alphanumeric() || ['-', '_'].contains(c);
        let name: String = name.chars().filter(plain).take(40).collect();
        format!("{name}-{:016x}", Digest::of(bytes).0)
    }

    /// Writes down whose the directory is, and drops those of workspaces that are gone.
    fn introduce(&self, home: &Path, directory: &Path) {
        if let Some(bytes) = fs::path_bytes(&self.root) {
            let _ = self.disk.create(&directory.join(ROOT), bytes, &fs::Like::Private);
        }
        fs::drop_orphans(home, ROOT, LOCK);
    }
}

/// The right to write in a workspace, held until this is dropped.
#[derive(Debug)]
pub struct Writer<'l> {
    ledger: &'l Ledger,
    directory: PathBuf,
    durability: Durability,
    recovery: Recovery,
    _lock: Lock,
}

impl Writer<'_> {
    /// What others had left, and what became of it.
    pub fn recovery(&self) -> &Recovery {
        &self.recovery
    }

    /// Removes temporary files of dead processes from the workspace.
    pub fn sweep(&self) -> Vec<PathBuf> {
        sweep(self.disk(), self.root())
    }

    /// Stages a transaction and writes down what it is going to do.
    pub fn prepare(&self, transaction: &Transaction) -> Result<Prepared<'_>, CommitFault> {
        Prepared::new(self, transaction, false)
    }

    /// Makes all changes of a transaction, or none.
    pub fn commit(&self, transaction: &Transaction) -> Result<Receipt, CommitFault> {
        match self.prepare(transaction)?.publish() {
            // One device can still be two mounts; then the files are copied.
            Err(CommitFault::Disk { source, left, .. })
                if left.is_empty() && source.kind() == io::ErrorKind::CrossesDevices =>
            {
                Prepared::new(self, transaction, true)?.publish()
            }
            published => published,
        }
    }

    pub(super) fn disk(&self) -> &dyn Disk {
        &*self.ledger.disk
    }

    pub(super) fn root(&self) -> &Path {
        &self.ledger.root
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    pub(super) fn sync(&self) -> bool {
        self.durability.sync()
    }
}

/// A name that no other transaction has; it begins with the number of this process.
pub(super) fn next_id() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let time = since.map_or(0, |since| since.as_micros());
    format!("{:x}-{time:x}{count:x}", std::process::id())
}
