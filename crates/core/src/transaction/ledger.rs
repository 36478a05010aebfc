//! Where a workspace's journals and receipts are kept, and which writer may write.
//!
//! The directory belongs to the user and is outside the workspace, so that nothing is left in the
//! workspace; its name depends only on the root, so that every writer of a workspace finds the same
//! lock.

use std::collections::HashSet;
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
use crate::workspace::Workspace;
use hashline_text::Digest;

/// How long a writer waits for another one to finish.
pub(super) const LOCK_TIMEOUT: Duration = Duration::from_mins(1);

/// The name of the file that says which workspace a directory is for.
const ROOT: &str = "root";
const LOCK: &str = "lock";

/// The journals and receipts of one root of a workspace.
#[derive(Debug)]
pub struct Ledger {
    root: PathBuf,
    workspace: Workspace,
    /// Directories that may contain this workspace's directory, best first.
    homes: Vec<PathBuf>,
    /// Whether journals and receipts may name files outside the root.
    allow_outside: bool,
    /// Whether finished commits leave receipts, so that they can be undone.
    keeps_receipts: bool,
    disk: Arc<dyn Disk>,
    known: Mutex<KnownDirectories>,
}

/// The state directories of a root that existed when we last looked: when the ledger was created,
/// or when we last wrote.
#[derive(Debug)]
struct KnownDirectories {
    paths: Vec<PathBuf>,
    /// The index of the home that contains the first directory, once we checked that no other user
    /// can write there.
    checked: Option<usize>,
}

impl Ledger {
    /// The ledger of the first root of a workspace.
    ///
    /// Its directory is in the first usable one of `homes`, and is not created yet.
    pub(crate) fn of_workspace(
        workspace: Workspace,
        homes: Vec<PathBuf>,
        disk: Arc<dyn Disk>,
    ) -> Self {
        let root = workspace.root().to_owned();
        let known = Mutex::new(KnownDirectories::find(&root, &homes));
        Self { root, workspace, homes, allow_outside: false, keeps_receipts: true, disk, known }
    }

    /// Sets whether journals and receipts may name files outside the root.
    #[must_use]
    pub fn allow_outside(self, allow_outside: bool) -> Self {
        Self { allow_outside, ..self }
    }

    /// Sets whether finished commits leave receipts, so that they can be undone.
    #[must_use]
    pub fn keep_receipts(self, keeps_receipts: bool) -> Self {
        Self { keeps_receipts, ..self }
    }

    /// Whether finished commits leave receipts, so that they can be undone.
    pub fn keeps_receipts(&self) -> bool {
        self.keeps_receipts
    }

    /// The ledger of another root of the same workspace.
    fn of(&self, root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            workspace: self.workspace.clone(),
            homes: self.homes.clone(),
            disk: Arc::clone(&self.disk),
            known: Mutex::new(KnownDirectories::find(root, &self.homes)),
            ..*self
        }
    }

    /// Whether there is a journal: a writer is working, or was interrupted. Looks only into known
    /// directories; those that other processes have created since are found when we write.
    pub fn pending(&self) -> bool {
        self.known().paths.iter().any(|directory| {
            let mut entries = fs::entries(directory).into_iter().flatten();
            entries.any(|entry| entry.name.to_string_lossy().ends_with(ENDING))
        })
    }

    fn known(&self) -> MutexGuard<'_, KnownDirectories> {
        // Whatever a panic left there, the next writer looks again.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no other writer is working in this root, in `others`, or in any root with an
    /// interrupted patch, which may concern us; then rolls back or finishes interrupted patches.
    ///
    /// If the disk does not let us roll a journal back, that is a fault; a damaged or foreign
    /// journal is not.
    pub fn write_in<'l>(
        &'l self,
        others: &[PathBuf],
        durability: Durability,
        cancel: &'l AtomicBool,
    ) -> Result<Writer<'l>, CommitFault> {
        let roots = self.workspace.roots();
        let beside = roots.iter().filter(|root| **root != self.root).map(|root| self.of(root));
        let concerned = |ledger: &Self| others.contains(&ledger.root) || ledger.pending();
        let others: Vec<Self> = beside.filter(concerned).collect();
        let mut writer =
            self.lock_and_recover(roots, &others, durability, LOCK_TIMEOUT, false, cancel)?;
        if writer.recovery.failed.is_empty() {
            Ok(writer)
        } else {
            Err(CommitFault::Unfinished(writer.recovery.failed.swap_remove(0)))
        }
    }

    /// Waits at most `timeout` until no other writer is working, and rolls back or finishes
    /// interrupted patches. Once `cancel` is set, the writer publishes nothing more.
    pub fn lock<'l>(
        &'l self,
        durability: Durability,
        timeout: Duration,
        cancel: &'l AtomicBool,
    ) -> Result<Writer<'l>, CommitFault> {
        let roots = self.workspace.roots();
        self.lock_and_recover(roots, &[], durability, timeout, false, cancel)
    }

    /// Like [`Ledger::lock`], but sets aside journals that cannot be followed, so that work can go
    /// on.
    pub fn set_aside<'l>(
        &'l self,
        durability: Durability,
        cancel: &'l AtomicBool,
    ) -> Result<Writer<'l>, CommitFault> {
        let roots = self.workspace.roots();
        self.lock_and_recover(roots, &[], durability, LOCK_TIMEOUT, true, cancel)
    }

    fn lock_and_recover<'l>(
        &'l self,
        roots: Vec<PathBuf>,
        others: &[Self],
        durability: Durability,
        timeout: Duration,
        set_aside: bool,
        cancel: &'l AtomicBool,
    ) -> Result<Writer<'l>, CommitFault> {
        let began = Instant::now();
        let (mut locks, mut own) = (Vec::new(), Vec::new());
        let mut ledgers: Vec<&Self> = others.iter().chain([self]).collect();
        // All writers take the locks in one order, or two of them could wait for each other.
        ledgers.sort_by(|one, other| one.root.cmp(&other.root));
        let mut held = Vec::with_capacity(ledgers.len());
        for ledger in ledgers {
            // A writer that could not use the best directory holds the lock in another one.
            let directories = ledger.directories()?;
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
            let recovering = ledger.recovering(&roots, durability, set_aside);
            for directory in &directories {
                recovering.directory(directory, &mut recovery);
            }
        }
        Ok(Writer {
            ledger: self,
            directories: own,
            roots,
            durability,
            cancel,
            done: AtomicBool::new(recovery.leaves_journals()),
            recovery,
            _locks: locks,
        })
    }

    fn recovering<'a>(
        &'a self,
        roots: &'a [PathBuf],
        durability: Durability,
        set_aside: bool,
    ) -> Recovering<'a> {
        let (disk, bounds, sync) = (&*self.disk, self.bounds(roots), durability.sync());
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

    fn bounds<'a>(&'a self, roots: &'a [PathBuf]) -> Bounds<'a> {
        Bounds { root: &self.root, roots, outside: self.allow_outside }
    }

    /// The directory that we write to, which is created if it is missing, and any others that exist
    /// for the same root.
    fn directories(&self) -> Result<Vec<PathBuf>, CommitFault> {
        let mut known = self.known();
        // If no other user could change it when it was checked, none has changed it since.
        let checked = known.checked.filter(|_| fs::is_own_directory(&known.paths[0]));
        let (at, first) = match checked {
            Some(at) => (at, known.paths.swap_remove(0)),
            None => self.first_directory()?,
        };
        let name = directory_name(&self.root);
        let others = self.homes[at + 1..]
            .iter()
            .filter_map(|home| fs::existing_private_directory(home, &name, &self.root))
            .filter(|other| *other != first);
        known.paths = std::iter::once(first.clone()).chain(others).collect();
        known.checked = Some(at);
        Ok(known.paths.clone())
    }

    /// The index of the best usable home, and the state directory in it.
    fn first_directory(&self) -> Result<(usize, PathBuf), CommitFault> {
        let name = directory_name(&self.root);
        let mut refused = None;
        for (at, home) in self.homes.iter().enumerate() {
            let path = home.join(&name);
            let is_new = !fs::exists(&path);
            match fs::private_directory(home, &name, &self.root) {
                Ok(directory) => {
                    if is_new {
                        self.label_directory(home, &directory);
                    }
                    return Ok((at, directory));
                }
                Err(source) => {
                    refused.get_or_insert(CommitFault::StateDirectory { path, source });
                }
            }
        }
        Err(refused.unwrap_or(CommitFault::Cancelled))
    }

    /// Writes down which workspace the directory is for, and removes directories whose workspaces
    /// are gone.
    fn label_directory(&self, home: &Path, directory: &Path) {
        if let Some(bytes) = fs::path_bytes(&self.root) {
            let _ = self.disk.create(&directory.join(ROOT), bytes, &fs::Like::Private);
        }
        fs::drop_orphans(home, ROOT, LOCK);
    }
}

impl KnownDirectories {
    fn find(root: &Path, homes: &[PathBuf]) -> Self {
        let name = directory_name(root);
        let there = homes.iter().map(|home| home.join(&name)).filter(|path| fs::exists(path));
        Self { paths: there.collect(), checked: None }
    }
}

/// The name of a root's state directory: readable, and different for different roots.
fn directory_name(root: &Path) -> String {
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let plain = |c: &char| c.is_ascii_alphanumeric() || ['-', '_'].contains(c);
    let name: String = name.chars().filter(plain).take(40).collect();
    format!("{name}-{:016x}", Digest::of(root.as_os_str().as_encoded_bytes()).0)
}

/// The right to write in a workspace, held until this is dropped.
#[derive(Debug)]
pub struct Writer<'l> {
    ledger: &'l Ledger,
    /// The directory that we write to, then any others that exist for the same root.
    directories: Vec<PathBuf>,
    /// The roots that journals may name files in.
    roots: Vec<PathBuf>,
    durability: Durability,
    recovery: Recovery,
    cancel: &'l AtomicBool,
    /// Whether there is a finished journal that must still become a receipt.
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
    /// What interrupted writers had left behind, and what became of it.
    pub fn recovery(&self) -> &Recovery {
        &self.recovery
    }

    /// Removes abandoned temporary files from the workspace, and returns their paths.
    pub fn sweep(&self) -> Vec<PathBuf> {
        let mut journals = HashSet::new();
        for directory in &self.directories {
            let Ok(names) = self.disk().names(directory) else { return Vec::new() };
            // The ending does not matter: a journal that is damaged or set aside still needs its
            // files.
            let names = names.iter().filter_map(|name| name.to_str()?.split('.').next());
            journals.extend(names.map(str::to_owned));
        }
        sweep(self.disk(), self.root(), &journals)
    }

    /// Stages a transaction and writes down what it is going to do. Prepare only one at a time:
    /// publish or drop the earlier one first.
    pub fn prepare(&self, transaction: &Transaction) -> Result<Prepared<'_>, CommitFault> {
        Prepared::new(self, transaction, false)
    }

    /// Makes all changes of a transaction, or none.
    ///
    /// It can be cancelled until the first file is about to be published. After that the
    /// transaction is always finished, so that the outcome says what is on the disk.
    pub fn commit(&self, transaction: &Transaction) -> Result<Receipt, CommitFault> {
        match self.publish(self.prepare(transaction)?) {
            // The same device can be mounted twice; then files cannot be renamed and are copied.
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

    /// Notes that a finished journal must still become a receipt.
    pub(super) fn note_unfiled(&self) {
        self.done.store(true, Ordering::Relaxed);
    }

    /// Whether there is a finished journal that must still become a receipt.
    pub(super) fn has_unfiled(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }

    /// Turns every finished journal into a receipt. Until then, an earlier commit would seem to be
    /// the last one. May be called only while this writer has no transaction under way.
    pub(super) fn file_receipts(&self) -> Result<(), CommitFault> {
        if !self.has_unfiled() {
            return Ok(());
        }
        let recovering = self.ledger.recovering(&self.roots, self.durability, false);
        recovering.file_all(self.directory()).map_err(|source| self.state_fault(source))?;
        self.done.store(false, Ordering::Relaxed);
        Ok(())
    }

    pub(super) fn state_fault(&self, source: io::Error) -> CommitFault {
        CommitFault::StateDirectory { path: self.directory().to_owned(), source: source.into() }
    }

    pub(super) fn ledger(&self) -> &Ledger {
        self.ledger
    }

    pub(super) fn disk(&self) -> &dyn Disk {
        &*self.ledger.disk
    }

    /// A path as outcomes print it.
    pub(super) fn show(&self, path: &Path) -> String {
        self.ledger.workspace.show(path)
    }

    pub(super) fn root(&self) -> &Path {
        &self.ledger.root
    }

    pub(super) fn bounds(&self) -> Bounds<'_> {
        self.ledger.bounds(&self.roots)
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directories[0]
    }

    pub(super) fn sync(&self) -> bool {
        self.durability.sync()
    }
}

/// A unique name for a transaction; it begins with the number of this process.
pub(super) fn next_id() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let time = since.map_or(0, |since| since.as_micros());
    // The time has a fixed number of digits, so that it can be read from the name.
    format!("{:x}-{time:013x}{count:x}", std::process::id())
}
