//! A disk that fails, or dies, at a chosen step.

#![allow(dead_code, reason = "no test that shares this module uses all of it")]

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use hashline_core::cancel::Cancel;
use hashline_core::testing::fs::{Disk, Facts, Like, RealDisk};

/// The trouble at the chosen step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Trouble {
    /// The step fails with this error number.
    Once(i32),
    /// The step and all later ones fail with this error number.
    Onward(i32),
    /// The process is killed, as if from outside.
    Death,
    /// The step works, but the caller asks for an abort.
    Abort,
}

/// The real disk, except for the chosen step. It never syncs, which makes no difference to a
/// process that is killed.
#[derive(Debug)]
pub(crate) struct FaultyDisk {
    inner: RealDisk,
    at: usize,
    trouble: Trouble,
    steps: AtomicUsize,
    cancel: Cancel,
    without_exchange: bool,
}

impl FaultyDisk {
    /// A disk with trouble at step `at`, counted from 0.
    pub(crate) fn new(at: usize, trouble: Trouble) -> Self {
        Self {
            inner: RealDisk::default(),
            at,
            trouble,
            steps: AtomicUsize::new(0),
            cancel: Cancel::default(),
            without_exchange: false,
        }
    }

    /// The same disk with a file system that cannot exchange two names.
    pub(crate) fn without_exchange(self) -> Self {
        Self { without_exchange: true, ..self }
    }

    /// A disk that requests an abort of the work during step `at`.
    pub(crate) fn aborting(at: usize, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..Self::new(at, Trouble::Abort) }
    }

    /// How many steps were made.
    pub(crate) fn steps(&self) -> usize {
        self.steps.load(Ordering::Relaxed)
    }

    fn step(&self) -> io::Result<()> {
        let step = self.steps.fetch_add(1, Ordering::Relaxed);
        match self.trouble {
            Trouble::Once(code) if step == self.at => Err(io::Error::from_raw_os_error(code)),
            Trouble::Onward(code) if step >= self.at => Err(io::Error::from_raw_os_error(code)),
            Trouble::Death if step == self.at => kill(),
            Trouble::Abort if step == self.at => {
                self.cancel.request();
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Dies without a chance to clean up.
pub(crate) fn kill() -> ! {
    let _ =
        std::process::Command::new("kill").args(["-9", &std::process::id().to_string()]).status();
    std::process::abort()
}

impl Disk for FaultyDisk {
    fn close_directories(&self) {
        self.inner.close_directories();
    }

    fn look(&self, path: &Path) -> io::Result<Option<Facts>> {
        self.step()?;
        self.inner.look(path)
    }

    fn writable(&self, path: &Path, facts: &Facts) -> io::Result<bool> {
        self.step()?;
        self.inner.writable(path, facts)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.step()?;
        self.inner.read(path)
    }

    fn names(&self, directory: &Path) -> io::Result<Vec<OsString>> {
        self.step()?;
        self.inner.names(directory)
    }

    fn make_directory(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        self.inner.make_directory(path)
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        self.inner.remove_directory(path)
    }

    fn create(&self, path: &Path, content: &[u8], like: &Like) -> io::Result<File> {
        self.step()?;
        // When a disk is full, part of the file has been written.
        self.inner.create(path, &content[..content.len() / 2], like)?;
        self.step()?;
        self.inner.remove(path)?;
        self.inner.create(path, content, like)
    }

    fn write_at(&self, path: &Path, offset: u64, bytes: &[u8], sync: bool) -> io::Result<()> {
        self.step()?;
        self.inner.write_at(path, offset, bytes, false)?;
        // The bytes are written, but the sync may fail.
        if sync { self.step() } else { Ok(()) }
    }

    fn sync(&self, _file: &File) -> io::Result<()> {
        self.step()
    }

    fn overwrite(&self, path: &Path, content: &[u8], _sync: bool) -> io::Result<()> {
        self.step()?;
        let mut half = self.inner.read(path)?;
        let written = content.len() / 2;
        half.resize(half.len().max(written), 0);
        half[..written].copy_from_slice(&content[..written]);
        self.inner.overwrite(path, &half, false)?;
        self.step()?;
        self.inner.overwrite(path, content, false)
    }

    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        self.step()?;
        if self.without_exchange {
            return Err(io::ErrorKind::Unsupported.into());
        }
        self.inner.exchange(one, other)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        self.inner.link(from, to)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        self.inner.rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        self.inner.rename_new(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        self.inner.remove(path)
    }

    fn sync_directory(&self, _path: &Path) -> io::Result<()> {
        self.step()
    }
}
