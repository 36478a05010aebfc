//! Where a workspace's journals and receipts are kept, and who may write.
//!
//! The directory belongs to the user, not to the workspace, so that nothing is left lying there; its
//! name follows from the root alone, so that every writer of a workspace finds the same lock.

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::journal::{Bounds, ENDING};
use super::recover::{Recovering, Recovery};
use super::sweep::sweep;
use super::{CommitFault, Durability, Prepared, Receipt, Transaction};
use crate::fs::{self, Disk, Lock, LockError};
use hashline_text::Digest;

/// How long a writer waits for another.
pub(super) const LOCK_TIMEOUT: Duration = Duration::from_mins(1);

/// How long a reader takes a home for one without a directory of the workspace.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// The file that says which workspace a directory is for.
const ROOT: &str = "root";
const LOCK: &str = "lock";

/// Knows the roots that belong to a workspace beside one of them, as they are now.
pub trait RootsBeside: fmt::Debug + Send + Sync {
    /// Those roots.
    fn roots_beside(&self, root: &Path) -> Vec<PathBuf>;
}

/// A workspace of one root.
impl RootsBeside for () {
    fn roots_beside(&self, _: &Path) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// A workspace's journals and receipts.
#[derive(Debug)]
pub struct Ledger {
    root: PathBuf,
    /// Directories in which this workspace's directory may be, best first.
    homes: Vec<PathBuf>,
    /// Whether journals and receipts may name files outside the root.
    allow_outside: bool,
    /// Whether a commit that is done can be undone.
    keeps_receipts: bool,
    others: Arc<dyn RootsBeside>,
    disk: Arc<dyn Disk>,
    /// For each home, when it was seen last that it has no directory of this workspace.
    missing: Mutex<Vec<Option<Instant>>>,
}

impl Ledger {
    /// The ledger of the workspace at `root`, whose path has no symbolic links.
    ///
    /// It is kept below `home`, or where this user's state is. Nothing is made yet.
    pub fn with_disk(root: &Path, home: Option<PathBuf>, disk: Arc<dyn Disk>) -> Self {
        Self::with_homes(root, home.map_or_else(fs::state_homes, |home| vec![home]), disk)
    }

    /// The same with several directories in which it may be, best first.
    pub fn with_homes(root: &Path, homes: Vec<PathBuf>, disk: Arc<dyn Disk>) -> Self {
        let missing = Mutex::new(vec![None; homes.len()]);
        let (root, allow_outside, keeps_receipts) = (root.to_owned(), false, true);
        let others = Arc::new(());
        Self { root, homes, allow_outside, keeps_receipts, others, disk, missing }
    }

    /// The same ledger, whose journals and receipts may name files outside the root or not.
    #[must_use]
    pub fn allow_outside(self, allow_outside: bool) -> Self {
        Self { allow_outside, ..self }
    }

    /// The same ledger, which keeps what a commit has replaced, or not.
    #[must_use]
    pub fn keep_receipts(self, keeps_receipts: bool) -> Self {
        Self { keeps_receipts, ..self }
    }

    /// Whether it keeps what a commit has replaced.
    pub fn keeps_receipts(&self) -> bool {
        self.keeps_receipts
    }

    /// The same ledger, whose journals may name files in the roots beside its own, too.
    #[must_use]
    pub fn with_others(self, others: Arc<dyn RootsBeside>) -> Self {
        Self { others, ..self }
    }

    /// The ledger of another root of the same workspace.
    fn of(&self, root: &Path) -> Self {
        let (homes, missing) = (self.homes.clone(), Mutex::new(vec![None; self.homes.len()]));
        let (others, disk) = (Arc::clone(&self.others), Arc::clone(&self.disk));
        let (allow_outside, keeps_receipts) = (self.allow_outside, self.keeps_receipts);
        Self { root: root.to_owned(), homes, allow_outside, keeps_receipts, others, disk, missing }
    }

    /// Whether there is a journal: a writer is working, or was interrupted. A home that had no directory of
    /// this workspace is asked again after a second.
    pub fn pending(&self) -> bool {
        let name = self.name();
        let mut missing = self.missing();
        self.homes.iter().zip(&mut *missing).any(|(home, missing)| {
            if missing.is_some_and(|seen| seen.elapsed() < ASK_AGAIN) {
                return false;
            }
            let entries = fs::entries(&home.join(&name));
            *missing = entries.is_err().then(Instant::now);
            let mut entries = entries.into_iter().flatten();
            entries.any(|entry| entry.name.to_string_lossy().ends_with(ENDING))
        })
    }

    fn missing(&self) -> MutexGuard<'_, Vec<Option<Instant>>> {
        // At worst a home is asked once more.
        self.missing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no other writer is working, and rolls back or finishes what others have left.
    ///
    /// A journal that the disk does not let us roll back is a fault; one that is damaged or foreign
    /// is not.
    pub fn write<'l>(
        &'l self,
        durability: Durability,
        cancel: &'l AtomicBool,
    ) -> Result<Writer<'l>, CommitFault> {
        self.write_in(&[], durability, cancel)
    }

    /// The same for other roots, too, and for those in which a patch was interrupted that may concern us.
    pub fn write_in<'l>(
        &'l self,
        others: &[PathBuf],
        durability: Durability,
        cancel: &'l AtomicBool,
    ) -> Result<Writer<'l>, CommitFault> {
        let pending = self.beside().into_iter().filter(|root| !others.contains(root));
        let pending = pending.map(|root| self.of(&root)).filter(Self::pending);
        let others: Vec<Self> = others.iter().map(|root| self.of(root)).chain(pending).collect();
        let mut writer = self.lock_and_recover(&others, durability, LOCK_TIMEOUT, false, cancel)?;
        if writer.recovery.failed.is_empty() {
            Ok(writer)
        } else {
            Err(CommitFault::Unfinished(writer.recovery.failed.swap_remove(0)))
        }
    }

    /// Waits at most `timeout` until no other writer is working, and rolls back or finishes what
    /// others have left. Once `cancel` is set, the writer publishes nothing more.
    pub fn lock<'l>(
        &'l self,
        durability: Durability,
        timeout: Duration,
        cancel: &'l AtomicBool,
    ) -> Result<Writer<'l>, CommitFault> {
        self.lock_and_recover(&[], durability, timeout, false, cancel)
    }

    /// As [`Ledger::lock`], but journals that cannot be followed are set aside, so that work can go
    /// on.
    pub fn set_aside<'l>(
        &'l self,
        durability: Durability,
        cancel: &'l AtomicBool,
    ) -> Result<Writer<'l>, CommitFault> {
        self.lock_and_recover(&[], durability, LOCK_TIMEOUT, true, cancel)
    }

    fn lock_and_recover<'l>(
        &'l self,
        others: &[Self],
        durability: Durability,
        timeout: Duration,
        set_aside: bool,
        cancel: &'l AtomicBool,
    ) -> Result<Writer<'l>, CommitFault> {
        let began = Instant::now();
        let (mut locks, mut own) = (Vec::new(), Vec::new());
        let mut ledgers: Vec<&Self> = others.iter().chain([self]).collect();
        // All take them in one order, or two writers would wait for each other.
        ledgers.sort_by(|one, other| one.root.cmp(&other.root));
        let mut held = Vec::with_capacity(ledgers.len());
        for ledger in ledgers {
            let (directory, more) = ledger.directories()?;
            ledger.missing().fill(None);
            // A writer who could not use the best directory holds the lock of another one.
            let directories: Vec<PathBuf> = std::iter::once(directory).chain(more).collect();
            for directory in &directories {
                let left = timeout.saturating_sub(began.elapsed());
                locks.push(ledger.take_lock(directory, left, timeout, cancel)?);
            }
            if ledger.root == self.root {
                own.clone_from(&directories);
            }
            held.push((ledger, directories));
        }
        self.disk.close_directories();
        let mut recovery = Recovery::default();
        for (ledger, directories) in held {
            let beside = ledger.beside();
            let recovering = ledger.recovering(&beside, durability, set_aside);
            for directory in &directories {
                recovering.directory(directory, &mut recovery);
            }
        }
        let directory = own.remove(0);
        Ok(Writer {
            ledger: self,
            directory,
            others: own,
            beside: self.beside(),
            durability,
            cancel,
            done: AtomicBool::new(recovery.leaves_journals()),
            recovery,
            _locks: locks,
        })
    }

    /// The other roots of the workspace, as they are now.
    fn beside(&self) -> Vec<PathBuf> {
        self.others.roots_beside(&self.root)
    }

    fn recovering<'a>(
        &'a self,
        beside: &'a [PathBuf],
        durability: Durability,
        set_aside: bool,
    ) -> Recovering<'a> {
        let (disk, bounds, sync) = (&*self.disk, self.bounds(beside), durability.sync());
        Recovering { disk, bounds, sync, set_aside }
    }

    fn take_lock(
        &self,
        directory: &Path,
        left: Duration,
        timeout: Duration,
        cancel: &AtomicBool,
    ) -> Result<Lock, CommitFault> {
        Lock::take(&directory.join(LOCK), left, cancel).map_err(|error| match error {
            LockError::Busy(holder) => {
                CommitFault::Locked { root: self.root.clone(), holder, waited: timeout }
            }
            LockError::Cancelled => CommitFault::Cancelled,
            LockError::Io(source) => {
                CommitFault::StateDirectory { path: directory.to_owned(), source: source.into() }
            }
        })
    }

    fn bounds<'a>(&'a self, others: &'a [PathBuf]) -> Bounds<'a> {
        Bounds { root: &self.root, others, outside: self.allow_outside }
    }

    /// The directory, which is made if need be, and others that exist for the same workspace.
    fn directories(&self) -> Result<(PathBuf, Vec<PathBuf>), CommitFault> {
        let name = self.name();
        let mut refused = None;
        for (at, home) in self.homes.iter().enumerate() {
            let path = home.join(&name);
            let known = fs::exists(&path);
            match fs::private_directory(home, &name, &self.root) {
                Ok(directory) => {
                    if !known {
                        self.introduce(home, &directory);
                    }
                    let others = self.homes[at + 1..]
                        .iter()
                        .filter_map(|home| fs::existing_private_directory(home, &name, &self.root));
                    let others: Vec<PathBuf> = others.filter(|other| *other != directory).collect();
                    return Ok((directory, others));
                }
                Err(source) => {
                    refused.get_or_insert(CommitFault::StateDirectory { path, source });
                }
            }
        }
        Err(refused.unwrap_or(CommitFault::Cancelled))
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
    /// Other directories that exist for the same workspace.
    others: Vec<PathBuf>,
    /// The other roots that journals may name files in.
    beside: Vec<PathBuf>,
    durability: Durability,
    recovery: Recovery,
    cancel: &'l AtomicBool,
    /// Whether there is a journal that is to be made a receipt.
    done: AtomicBool,
    _locks: Vec<Lock>,
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        // Directories that stay open keep their file system from being unmounted.
        self.disk().close_directories();
    }
}

impl Writer<'_> {
    /// What others had left behind, and what became of it.
    pub fn recovery(&self) -> &Recovery {
        &self.recovery
    }

    /// Removes temporary files that are no longer needed from the workspace.
    pub fn sweep(&self) -> Vec<PathBuf> {
        let mut journals = HashSet::new();
        for directory in std::iter::once(&self.directory).chain(&self.others) {
            let Ok(names) = self.disk().names(directory) else { return Vec::new() };
            // Whatever the ending: a journal that is damaged or set aside still needs its files.
            let names = names.iter().filter_map(|name| name.to_str()?.split('.').next());
            journals.extend(names.map(str::to_owned));
        }
        sweep(self.disk(), self.root(), &journals)
    }

    /// Stages a transaction and writes down what it is going to do. One at a time: what was prepared before is
    /// published or dropped.
    pub fn prepare(&self, transaction: &Transaction) -> Result<Prepared<'_>, CommitFault> {
        Prepared::new(self, transaction, false)
    }

    /// Makes all changes of a transaction, or none.
    ///
    /// A cancellation is heard until the first file is about to be published. From there on the
    /// transaction is finished, so that the outcome always says what is on the disk.
    pub fn commit(&self, transaction: &Transaction) -> Result<Receipt, CommitFault> {
        match self.publish(self.prepare(transaction)?) {
            // One device can still be two mounts; then the files are copied.
            Err(CommitFault::Disk { source, left, left_alone, .. })
                if left.is_empty()
                    && left_alone.is_empty()
                    && source.kind() == io::ErrorKind::CrossesDevices =>
            {
                self.publish(Prepared::new(self, transaction, true)?)
            }
            published => published,
        }
    }

    fn publish(&self, prepared: Prepared<'_>) -> Result<Receipt, CommitFault> {
        if self.cancel.load(Ordering::Relaxed) {
            // Dropping what was prepared leaves no trace.
            return Err(CommitFault::Cancelled);
        }
        prepared.publish()
    }

    /// Notes that a journal was left that is to be made a receipt.
    pub(super) fn note_done(&self) {
        self.done.store(true, Ordering::Relaxed);
    }

    /// Whether there is a journal that is to be made a receipt.
    pub(super) fn has_done(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }

    /// Makes what this writer has left, or could not file yet, receipts. Until that is done, another
    /// commit would seem to be the last one. No journal of this writer is under way.
    pub(super) fn file_done(&self) -> Result<(), CommitFault> {
        if !self.has_done() {
            return Ok(());
        }
        let recovering = self.ledger.recovering(&self.beside, self.durability, false);
        recovering.file_all(&self.directory).map_err(|source| self.no_state(source))?;
        self.done.store(false, Ordering::Relaxed);
        Ok(())
    }

    pub(super) fn no_state(&self, source: io::Error) -> CommitFault {
        CommitFault::StateDirectory { path: self.directory().to_owned(), source: source.into() }
    }

    pub(super) fn ledger(&self) -> &Ledger {
        self.ledger
    }

    pub(super) fn disk(&self) -> &dyn Disk {
        &*self.ledger.disk
    }

    pub(super) fn root(&self) -> &Path {
        &self.ledger.root
    }

    pub(super) fn bounds(&self) -> Bounds<'_> {
        self.ledger.bounds(&self.beside)
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
    // The time has a fixed number of digits, so that it can be read from the name.
    format!("{:x}-{time:013x}{count:x}", std::process::id())
}
