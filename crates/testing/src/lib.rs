//! What tests share, the library's own and the integration tests: directories, sizes, and tests that
//! are skipped.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests look at the disk themselves"
)]

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A fresh directory that removes itself.
pub struct Workdir(PathBuf);

impl Workdir {
    /// Makes a directory with `name` in its name.
    pub fn new(name: &str) -> Self {
        Self::below(&std::env::temp_dir(), name).unwrap()
    }

    /// Makes it in memory, where the system has such a place: for tests that write a lot.
    pub fn in_memory(name: &str) -> Self {
        Self::below(Path::new("/dev/shm"), name).unwrap_or_else(|_| Self::new(name))
    }

    fn below(parent: &Path, name: &str) -> io::Result<Self> {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let made = MADE.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("hashline-{name}-{}-{made}", std::process::id()));
        make_private(&path)?;
        Ok(Self(path.canonicalize()?))
    }

    /// Makes a directory and those above it, which nobody else may write to.
    pub fn make(&self, name: &str) -> PathBuf {
        let path = self.0.join(name);
        make_private(&path).unwrap();
        path
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file and the directories above it.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// The text of a file, if there is one.
    pub fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.0.join(name)).ok()
    }
}

/// Makes a directory and those above it that are missing, private whatever the umask: only such ones keep journals.
pub fn make_private(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

impl Drop for Workdir {
    fn drop(&mut self) {
        // A thread or a process that a test has left may still be saving, which puts files into
        // what is being removed.
        for _ in 0..100 {
            match fs::remove_dir_all(&self.0) {
                Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                _ => return,
            }
        }
    }
}

/// How large an input is, or how far apart cases are: `usual`, but `in_miri` in Miri, which takes a
/// thousand times as long.
pub const fn size(usual: usize, in_miri: usize) -> usize {
    if cfg!(miri) { in_miri } else { usual }
}

/// Reports that the test which calls this cannot run here, and why. The caller then returns.
///
/// Rust's test runner knows no skipped tests and counts this one as passed; `scripts/test.mjs` reads
/// the line and corrects the count. Not `eprintln!`, which the runner swallows.
pub fn skipped(reason: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    writeln!(io::stderr(), "skipped: {test} # {reason}").expect("stderr can be written to");
}
