//! What unit tests and integration tests share: directories, input sizes, and reports of skipped
//! tests.

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

/// A new directory, removed when this is dropped.
pub struct Workdir(PathBuf);

impl Workdir {
    /// Makes a directory with `name` in its name.
    pub fn new(name: &str) -> Self {
        Self::below(&std::env::temp_dir(), name).unwrap()
    }

    /// Makes the directory in memory if the system can: for tests that write a lot.
    pub fn in_memory(name: &str) -> Self {
        Self::below(Path::new("/dev/shm"), name).unwrap_or_else(|_| Self::new(name))
    }

    fn below(parent: &Path, name: &str) -> io::Result<Self> {
        static DIRECTORIES_MADE: AtomicUsize = AtomicUsize::new(0);
        let made = DIRECTORIES_MADE.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("hashline-{name}-{}-{made}", std::process::id()));
        make_private(&path)?;
        Ok(Self(path.canonicalize()?))
    }

    /// Makes a subdirectory and its missing parents, private to this user.
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

/// Makes a directory and its missing parents, private whatever the umask: only private directories
/// may hold journals.
pub fn make_private(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

impl Drop for Workdir {
    fn drop(&mut self) {
        // A thread or process that a test left running may still be saving files into the
        // directory.
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

/// The size of an input, or the step between cases: `usual`, but `in_miri` in Miri, which takes a
/// thousand times as long.
pub const fn size(usual: usize, in_miri: usize) -> usize {
    if cfg!(miri) { in_miri } else { usual }
}

/// Reports that the test which calls this cannot run here, and why. The caller then returns.
///
/// Rust's test runner knows no skipped tests and counts this one as passed; `scripts/test.mjs`
/// reads the line and corrects the count. Not `eprintln!`, which the runner swallows.
pub fn skipped(reason: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    writeln!(io::stderr(), "skipped: {test} # {reason}").expect("stderr can be written to");
}
