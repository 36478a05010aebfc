//! A disk that records the operations of a transaction, and a model of the medium after them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use hashline_core::testing::fs::{Disk, Facts, Like, RealDisk};
use hashline_testing::make_private;

/// One operation, which may or may not have reached the medium.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    MakeDirectory(PathBuf),
    RemoveDirectory(PathBuf),
    /// Creates a file with this content; the bytes may be lost until the file is synced.
    Create(PathBuf, Vec<u8>),
    /// Replaces the bytes of a file.
    Overwrite(PathBuf, Vec<u8>),
    Exchange(PathBuf, PathBuf),
    Link(PathBuf, PathBuf),
    Rename(PathBuf, PathBuf),
    Remove(PathBuf),
    /// Puts the bytes of the file on the medium.
    SyncFile(PathBuf),
    /// Puts the names in the directory on the medium.
    SyncDirectory(PathBuf),
    /// Reports the transaction as made.
    Acknowledged,
}

/// The real disk, which records the calls.
#[derive(Debug, Default)]
pub(crate) struct RecordingDisk {
    pub(crate) inner: RealDisk,
    pub(crate) operations: Mutex<Vec<Operation>>,
    /// The path at which each file was created, by its inode.
    pub(crate) created: Mutex<HashMap<u64, PathBuf>>,
}

/// The kind of file system, which decides what can become of operations that were not synced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Kind {
    /// A file system with a journal.
    #[default]
    Journalling,
    /// One without a journal. Before a removal is on the medium, the blocks of the removed file may
    /// already belong to another.
    Plain,
}

impl RecordingDisk {
    pub(crate) fn note(&self, operation: Operation) {
        self.operations.lock().unwrap_or_else(PoisonError::into_inner).push(operation);
    }

    pub(crate) fn taken(&self) -> Vec<Operation> {
        self.operations.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Disk for RecordingDisk {
    fn close_directories(&self) {
        self.inner.close_directories();
    }

    fn look(&self, path: &Path) -> io::Result<Option<Facts>> {
        self.inner.look(path)
    }

    fn writable(&self, path: &Path, facts: &Facts) -> io::Result<bool> {
        self.inner.writable(path, facts)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.inner.read(path)
    }

    fn names(&self, directory: &Path) -> io::Result<Vec<OsString>> {
        self.inner.names(directory)
    }

    fn make_directory(&self, path: &Path) -> io::Result<()> {
        self.inner.make_directory(path)?;
        self.note(Operation::MakeDirectory(path.to_owned()));
        Ok(())
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        self.inner.remove_directory(path)?;
        self.note(Operation::RemoveDirectory(path.to_owned()));
        Ok(())
    }

    fn create(&self, path: &Path, content: &[u8], like: &Like) -> io::Result<File> {
        let file = self.inner.create(path, content, like)?;
        let number = file.metadata()?.ino();
        let mut created = self.created.lock().unwrap_or_else(PoisonError::into_inner);
        created.insert(number, path.to_owned());
        self.note(Operation::Create(path.to_owned(), content.to_vec()));
        Ok(file)
    }

    fn write_at(&self, path: &Path, offset: u64, bytes: &[u8], sync: bool) -> io::Result<()> {
        self.inner.write_at(path, offset, bytes, false)?;
        self.note(Operation::Overwrite(path.to_owned(), self.inner.read(path)?));
        if sync {
            self.note(Operation::SyncFile(path.to_owned()));
        }
        Ok(())
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        let number = file.metadata()?.ino();
        let created = self.created.lock().unwrap_or_else(PoisonError::into_inner);
        let path = created.get(&number).expect("only new files are synced by their handle");
        self.note(Operation::SyncFile(path.clone()));
        Ok(())
    }

    fn overwrite(&self, path: &Path, content: &[u8], sync: bool) -> io::Result<()> {
        self.inner.overwrite(path, content, false)?;
        self.note(Operation::Overwrite(path.to_owned(), content.to_vec()));
        if sync {
            self.note(Operation::SyncFile(path.to_owned()));
        }
        Ok(())
    }

    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        self.inner.exchange(one, other)?;
        self.note(Operation::Exchange(one.to_owned(), other.to_owned()));
        Ok(())
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.inner.link(from, to)?;
        self.note(Operation::Link(from.to_owned(), to.to_owned()));
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.inner.rename(from, to)?;
        self.note(Operation::Rename(from.to_owned(), to.to_owned()));
        Ok(())
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.inner.rename_new(from, to)?;
        self.note(Operation::Rename(from.to_owned(), to.to_owned()));
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.inner.remove(path)?;
        self.note(Operation::Remove(path.to_owned()));
        Ok(())
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.note(Operation::SyncDirectory(path.to_owned()));
        Ok(())
    }
}

/// A file system as a value: names and the files behind them.
#[derive(Clone, Default)]
pub(crate) struct Medium {
    pub(crate) names: BTreeMap<PathBuf, Option<usize>>,
    pub(crate) files: Vec<Vec<u8>>,
}

impl Medium {
    /// The present content of a directory.
    pub(crate) fn of(directory: &Path) -> Self {
        let mut medium = Self::default();
        let mut known = HashMap::new();
        medium.take(directory, &mut known);
        medium
    }

    pub(crate) fn take(&mut self, directory: &Path, known: &mut HashMap<u64, usize>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let metadata = path.symlink_metadata().unwrap();
            if metadata.is_dir() {
                self.names.insert(path.clone(), None);
                self.take(&path, known);
                continue;
            }
            let file = *known.entry(metadata.ino()).or_insert_with(|| {
                self.files.push(fs::read(&path).unwrap());
                self.files.len() - 1
            });
            self.names.insert(path, Some(file));
        }
    }

    /// Performs an operation, if the files and directories that it needs exist.
    pub(crate) fn perform(&mut self, operation: &Operation) {
        match operation {
            Operation::MakeDirectory(path) => {
                if path.parent().is_some_and(|parent| self.has_directory(parent)) {
                    self.names.entry(path.clone()).or_insert(None);
                }
            }
            Operation::RemoveDirectory(path) => {
                let empty = !self.names.keys().any(|name| name != path && name.starts_with(path));
                if empty {
                    self.names.remove(path);
                }
            }
            Operation::Create(path, content) => {
                if path.parent().is_some_and(|parent| self.has_directory(parent)) {
                    self.files.push(content.clone());
                    self.names.insert(path.clone(), Some(self.files.len() - 1));
                }
            }
            Operation::Overwrite(path, content) => {
                if let Some(Some(file)) = self.names.get(path) {
                    self.files[*file].clone_from(content);
                }
            }
            Operation::Exchange(one, other) => {
                if let (Some(first), Some(second)) = (self.file(one), self.file(other)) {
                    self.names.insert(one.clone(), Some(second));
                    self.names.insert(other.clone(), Some(first));
                }
            }
            Operation::Link(from, to) => {
                if let Some(file) = self.file(from) {
                    self.names.insert(to.clone(), Some(file));
                }
            }
            Operation::Rename(from, to) => {
                let fits = to.parent().is_some_and(|parent| self.has_directory(parent));
                if let Some(what) = self.names.get(from).copied().filter(|_| fits) {
                    let below = |name: &PathBuf| name != from && name.starts_with(from);
                    // Not modelled: we rename only empty directories.
                    assert!(!self.names.keys().any(below), "{} is not empty", from.display());
                    self.names.remove(from);
                    self.names.insert(to.clone(), what);
                }
            }
            Operation::Remove(path) => {
                if self.file(path).is_some() {
                    self.names.remove(path);
                }
            }
            Operation::SyncFile(_) | Operation::SyncDirectory(_) | Operation::Acknowledged => {}
        }
    }

    /// The bytes of a random file, which may have been removed.
    pub(crate) fn another(&self, seed: &mut u64) -> Vec<u8> {
        self.files[roll(seed, self.files.len())].clone()
    }

    /// Gives the file the bytes of another, as if its blocks were reused, if it has no other name.
    pub(crate) fn reuse(&mut self, path: &Path, seed: &mut u64) {
        let Some(file) = self.file(path) else { return };
        if self.names.values().filter(|other| **other == Some(file)).count() == 1 {
            self.files[file] = self.another(seed);
        }
    }

    pub(crate) fn file(&self, path: &Path) -> Option<usize> {
        self.names.get(path).copied().flatten()
    }

    pub(crate) fn has_directory(&self, path: &Path) -> bool {
        if let Some(file) = self.names.get(path) {
            return file.is_none();
        }
        // The directories above the workspace always exist.
        !self.names.keys().next().is_some_and(|first| path.starts_with(first.parent().unwrap()))
            || self.names.keys().any(|name| name.parent() == Some(path))
    }

    /// Replaces the content of a directory by this one.
    pub(crate) fn lay_out(&self, directory: &Path) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
        }
        let mut first = HashMap::new();
        for (path, file) in &self.names {
            let Some(file) = file else {
                make_private(path).unwrap();
                continue;
            };
            if let Some(known) = first.get(file) {
                fs::hard_link(known, path).unwrap();
            } else {
                fs::write(path, &self.files[*file]).unwrap();
                first.insert(*file, path.clone());
            }
        }
    }
}

/// The indexes of the operations that are on the medium for sure. With `names`, syncing a new file
/// also puts its name there.
pub(crate) fn synced(operations: &[Operation], names: bool) -> BTreeSet<usize> {
    let mut sure = BTreeSet::new();
    for (at, operation) in operations.iter().enumerate() {
        let before = operations[..at].iter().enumerate();
        match operation {
            Operation::SyncDirectory(directory) => {
                let is_here = |path: &PathBuf| path.parent() == Some(directory);
                sure.extend(before.filter_map(|(at, other)| {
                    let here = match other {
                        Operation::MakeDirectory(path)
                        | Operation::RemoveDirectory(path)
                        | Operation::Create(path, _)
                        | Operation::Remove(path) => is_here(path),
                        Operation::Exchange(one, other)
                        | Operation::Link(one, other)
                        | Operation::Rename(one, other) => is_here(one) || is_here(other),
                        _ => false,
                    };
                    here.then_some(at)
                }));
            }
            Operation::SyncFile(synced) => {
                sure.extend(before.filter_map(|(at, other)| {
                    let here = match other {
                        Operation::Overwrite(path, _) => path == synced,
                        Operation::Create(path, _) => names && path == synced,
                        _ => false,
                    };
                    here.then_some(at)
                }));
            }
            _ => {}
        }
    }
    sure
}

/// The indexes of the operations that made a file whose bytes are on the medium, or a directory
/// that is itself there.
pub(crate) fn with_bytes(operations: &[Operation]) -> BTreeSet<usize> {
    let mut whole = BTreeSet::new();
    for (at, operation) in operations.iter().enumerate() {
        let made = match operation {
            Operation::SyncFile(synced) => operations[..at]
                .iter()
                .rposition(|other| matches!(other, Operation::Create(path, _) if path == synced)),
            Operation::SyncDirectory(synced) => operations[..at].iter().rposition(
                |other| matches!(other, Operation::MakeDirectory(path) if path == synced),
            ),
            _ => None,
        };
        whole.extend(made);
    }
    whole
}

/// A random choice, the same in every run.
pub(crate) fn dice(seed: &mut u64) -> bool {
    roll(seed, 2) == 1
}

/// A random number below `sides`, the same in every run.
pub(crate) fn roll(seed: &mut u64, sides: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*seed >> 33).unwrap() % sides
}
