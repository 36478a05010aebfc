//! The real disk with deliberate faults: skipped syncs, and slow changes.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use hashline_core::testing::fs::{Disk, Facts, Like, RealDisk};

/// The faults of a [`FlawedDisk`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flaws {
    /// The number of the sync that is skipped, counted from 1.
    pub dropped_sync: Option<usize>,
    /// Whether every sync is skipped.
    pub no_syncs: bool,
    /// Whether every change waits first, so that the kernel writes back earlier ones.
    pub slow: bool,
}

/// The real disk with flaws.
#[derive(Debug, Default)]
pub struct FlawedDisk {
    inner: RealDisk,
    flaws: Flaws,
    syncs: AtomicUsize,
}

impl FlawedDisk {
    pub fn new(flaws: Flaws) -> Self {
        Self { flaws, ..Self::default() }
    }

    /// How many syncs were requested.
    pub fn syncs(&self) -> usize {
        self.syncs.load(Ordering::Relaxed)
    }

    fn syncs_now(&self) -> bool {
        let count = self.syncs.fetch_add(1, Ordering::Relaxed) + 1;
        !self.flaws.no_syncs && self.flaws.dropped_sync != Some(count)
    }

    fn wait(&self) {
        if self.flaws.slow {
            thread::sleep(Duration::from_millis(15));
        }
    }
}

impl Disk for FlawedDisk {
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
        self.wait();
        self.inner.make_directory(path)
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        self.wait();
        self.inner.remove_directory(path)
    }

    fn create(&self, path: &Path, content: &[u8], like: &Like) -> io::Result<File> {
        self.wait();
        self.inner.create(path, content, like)
    }

    fn write_at(&self, path: &Path, offset: u64, bytes: &[u8], sync: bool) -> io::Result<()> {
        self.wait();
        self.inner.write_at(path, offset, bytes, sync && self.syncs_now())
    }

    fn begin_sync(&self, file: &File) {
        self.inner.begin_sync(file);
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        if self.syncs_now() { self.inner.sync(file) } else { Ok(()) }
    }

    fn overwrite(&self, path: &Path, content: &[u8], sync: bool) -> io::Result<()> {
        self.wait();
        self.inner.overwrite(path, content, sync && self.syncs_now())
    }

    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        self.wait();
        self.inner.exchange(one, other)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.wait();
        self.inner.link(from, to)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.wait();
        self.inner.rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.wait();
        self.inner.rename_new(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.wait();
        self.inner.remove(path)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        if self.syncs_now() { self.inner.sync_directory(path) } else { Ok(()) }
    }
}
