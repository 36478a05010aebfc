//! A directory of small files that other processes read too.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use super::disk::OwnBytes;
use super::mapped::own_bytes;
use super::state_dir::make_private;

/// How many files a store holds before the oldest go.
const MOST_FILES: usize = 4096;

/// A directory of small files, each written whole or not at all.
///
/// A file is written under another name and renamed, so that a reader, or a crash, sees the old bytes
/// or the new ones. Nothing is synced: what is kept here can be lost, not torn.
#[derive(Debug)]
pub(crate) struct Store {
    directory: PathBuf,
}

/// A store could not be used.
#[derive(Debug)]
pub(crate) struct StoreError {
    /// What was being done.
    pub doing: &'static str,
    /// Where.
    pub path: PathBuf,
    /// Why not.
    pub source: io::Error,
}

impl fmt::Display for StoreError {
    #[expect(clippy::unnecessary_debug_formatting, reason = "it escapes what a name may hold")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { doing, path, source } = self;
        write!(f, "cannot {doing} {path:?}: {source}")
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

impl Store {
    /// Opens the store at `directory`, making it if need be, and drops the oldest of too many files.
    pub(crate) fn open(directory: PathBuf) -> Result<Self, StoreError> {
        let store = Self { directory };
        let opened = make_private(&store.directory).and_then(|()| store.prune(MOST_FILES));
        match opened {
            Ok(()) => Ok(store),
            Err(source) => Err(store.error("open", source)),
        }
    }

    /// The bytes of a file; `None` if there is none of this name.
    pub(crate) fn load(&self, name: &Path) -> Result<Option<OwnBytes>, StoreError> {
        let path = self.directory.join(name);
        match super::open(&path)
            .map_err(io::Error::from)
            .and_then(|(mut file, _)| own_bytes(&mut file))
        {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.error("read", error)),
        }
    }

    /// Writes a file, or leaves what was there.
    pub(crate) fn save(&self, name: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        static SAVES: AtomicU64 = AtomicU64::new(0);
        let save = SAVES.fetch_add(1, Ordering::Relaxed);
        let beside = self.directory.join(format!("{}-{save}.tmp", std::process::id()));
        let written = File::create_new(&beside)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| fs::rename(&beside, self.directory.join(name)));
        written.map_err(|error| {
            let _ = fs::remove_file(&beside);
            self.error("write", error)
        })
    }

    /// Makes a file count as written now, so that it stays longer, and says whether that was possible.
    pub(crate) fn touch(&self, name: &Path) -> bool {
        let file = File::options().write(true).open(self.directory.join(name));
        file.and_then(|file| file.set_modified(SystemTime::now())).is_ok()
    }

    /// Removes a file; there may be none.
    pub(crate) fn remove(&self, name: &Path) -> Result<(), StoreError> {
        match fs::remove_file(self.directory.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(self.error("remove from", error))
            }
            _ => Ok(()),
        }
    }

    /// Keeps the newest `most` files. Temporary files that a crash left behind age like the others.
    fn prune(&self, most: usize) -> io::Result<()> {
        let mut files: Vec<(SystemTime, PathBuf)> = Vec::new();
        for entry in self.directory.read_dir()? {
            let entry = entry?;
            // Another process may be pruning too.
            if let Ok(modified) = entry.metadata().and_then(|metadata| metadata.modified()) {
                files.push((modified, entry.path()));
            }
        }
        if files.len() > most {
            let surplus = files.len() - most;
            files.select_nth_unstable(surplus);
            for (_, path) in &files[..surplus] {
                let _ = fs::remove_file(path);
            }
        }
        Ok(())
    }

    fn error(&self, doing: &'static str, source: io::Error) -> StoreError {
        StoreError { doing, path: self.directory.clone(), source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_testing::Workdir;

    #[test]
    fn a_store_gives_back_what_was_saved() {
        let directory = Workdir::new("store");
        let store = Store::open(directory.path().join("a/b")).unwrap();
        let name = Path::new("x");
        assert!(store.load(name).unwrap().is_none());
        store.save(name, b"one").unwrap();
        store.save(name, b"two").unwrap();
        assert_eq!(store.load(name).unwrap().as_deref(), Some(&b"two"[..]));
        store.remove(name).unwrap();
        store.remove(name).unwrap();
        assert!(store.load(name).unwrap().is_none());
        assert_eq!(directory.path().join("a/b").read_dir().unwrap().count(), 0);
    }

    #[test]
    fn a_file_that_was_touched_stays() {
        let directory = Workdir::new("store");
        let store = Store::open(directory.path().to_owned()).unwrap();
        for name in ["1", "2"] {
            store.save(Path::new(name), b"").unwrap();
            let file = File::options().write(true).open(directory.path().join(name)).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        assert!(store.touch(Path::new("1")));
        assert!(!store.touch(Path::new("3")), "there is none");
        store.prune(1).unwrap();
        assert!(store.load(Path::new("1")).unwrap().is_some());
    }

    #[test]
    fn the_newest_files_stay() {
        let directory = Workdir::new("store");
        let store = Store::open(directory.path().to_owned()).unwrap();
        for name in ["1", "2", "3"] {
            store.save(Path::new(name), b"").unwrap();
            let age = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(name.len() as u64);
            if name != "3" {
                File::open(directory.path().join(name)).unwrap().set_modified(age).unwrap();
            }
        }
        store.prune(1).unwrap();
        assert!(store.load(Path::new("3")).unwrap().is_some());
        assert_eq!(directory.path().read_dir().unwrap().count(), 1);
    }
}
