//! A file that several processes append to.
//!
//! A writer holds a lock, writes after the `end` that the header gives, and then updates `end`. So
//! everything before `end` is complete, and readers need no lock; anything that a killed writer
//! left after `end` is overwritten. Nothing is synced: content can be lost, but never torn. A log
//! becomes shorter only when another one, with a generation of its own, is renamed over it.

use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::state_dir::make_private;
use super::{Lock, LockError};

/// The first bytes of a log; they change whenever the format of its content does.
const MAGIC: &[u8; 8] = b"hashl\0s6";

/// The offset at which the content of a log begins.
pub(crate) const CONTENT: u64 = HEADER as u64;

const HEADER: usize = 32;

/// A log with more bytes than this is not read.
const MAX_LEN: u64 = 256 << 20;

/// A log is compacted only if it has more than twice as many bytes as this.
const MIN_CONTENT: u64 = 256 << 10;

/// How long we wait for another process to finish appending.
const TIMEOUT: Duration = Duration::from_secs(5);

/// A directory with a log.
#[derive(Debug)]
pub(crate) struct Log {
    directory: PathBuf,
}

/// An open log, with the offsets that were found on opening.
#[derive(Debug)]
pub(crate) struct OpenLog {
    file: File,
    /// A number that tells this log from one that replaces it.
    pub generation: u64,
    /// The offset at which its content ends.
    pub end: u64,
    /// The offset at which its content ended after it was last compacted.
    compacted: u64,
}

/// Why a log cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LogError {
    /// The disk got in the way.
    #[error("cannot {doing} {path:?}: {source}")]
    Disk {
        /// The operation that failed.
        doing: &'static str,
        /// The directory of the log.
        path: PathBuf,
        /// Why the operation failed.
        source: io::Error,
    },
    /// The log is damaged; this says how.
    #[error("{0}")]
    Damaged(&'static str),
}

impl Log {
    /// The log in a directory, which is created if it is missing.
    pub(crate) fn new(directory: &Path) -> Result<Self, LogError> {
        make_private(directory)
            .and_then(|()| super::canonical(directory))
            .map(|directory| Self { directory })
            .map_err(|source| LogError::Disk { doing: "open", path: directory.to_owned(), source })
    }

    /// The canonical path of its directory.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Opens the log for reading; `None` if nothing was appended yet.
    pub(crate) fn open(&self) -> Result<Option<OpenLog>, LogError> {
        match super::open(&self.path()).map_err(io::Error::from) {
            Ok((file, _)) => OpenLog::new(file).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(_) if self.is_not_a_file() => Err(LogError::Damaged("it is no file")),
            Err(source) => Err(self.error("read", source)),
        }
    }

    /// Appends bytes, and lets `compact` shorten the content once it has doubled since the last
    /// compaction. A damaged log is replaced by a new one, and still reported as an error.
    pub(crate) fn append(
        &self,
        bytes: &[u8],
        compact: &dyn Fn(&[u8]) -> Vec<u8>,
    ) -> Result<(), LogError> {
        let _lock = self.lock()?;
        let (mut log, damage) = match self.open() {
            Ok(Some(mut log)) => {
                let file = File::options().read(true).write(true).open(self.path());
                log.file = file.map_err(|source| self.error("write to", source))?;
                (log, None)
            }
            Ok(None) => (self.replace(&[])?, None),
            Err(LogError::Damaged(reason)) => (self.replace(&[])?, Some(reason)),
            Err(error) => return Err(error),
        };
        log.append(bytes).map_err(|source| self.error("write to", source))?;
        if log.end > 2 * log.compacted.max(MIN_CONTENT) {
            self.rewrite(&mut log, compact)?;
        }
        damage.map_or(Ok(()), |reason| Err(LogError::Damaged(reason)))
    }

    /// Replaces the content by what `compact` returns for it.
    pub(crate) fn compact(&self, compact: &dyn Fn(&[u8]) -> Vec<u8>) -> Result<(), LogError> {
        let _lock = self.lock()?;
        match self.open() {
            Ok(Some(mut log)) => self.rewrite(&mut log, compact),
            Ok(None) => Ok(()),
            Err(LogError::Damaged(_)) => self.replace(&[]).map(drop),
            Err(error) => Err(error),
        }
    }

    fn rewrite(
        &self,
        log: &mut OpenLog,
        compact: &dyn Fn(&[u8]) -> Vec<u8>,
    ) -> Result<(), LogError> {
        let content = log.read(CONTENT..log.end).map_err(|source| self.error("read", source))?;
        self.replace(&compact(&content)).map(drop)
    }

    /// Replaces the log by a new one with this content.
    fn replace(&self, content: &[u8]) -> Result<OpenLog, LogError> {
        let new = self.directory.join("log.new");
        let _ = fs::remove_file(&new);
        let end = CONTENT + content.len() as u64;
        let generation = RandomState::new().hash_one(end);
        let written =
            File::options().read(true).write(true).create_new(true).open(&new).and_then(|file| {
                let mut log = OpenLog { file, generation, end: CONTENT, compacted: end };
                log.append(content)?;
                fs::rename(&new, self.path())?;
                Ok(log)
            });
        written.map_err(|error| {
            let _ = fs::remove_file(&new);
            self.error("write to", error)
        })
    }

    fn lock(&self) -> Result<Lock, LogError> {
        Lock::take(&self.directory.join("lock"), TIMEOUT, &AtomicBool::new(false)).map_err(
            |error| {
                let source = match error {
                    LockError::Io(source) => source,
                    LockError::Busy(_) | LockError::Cancelled => io::ErrorKind::TimedOut.into(),
                };
                self.error("lock", source)
            },
        )
    }

    fn path(&self) -> PathBuf {
        self.directory.join("log")
    }

    fn is_not_a_file(&self) -> bool {
        self.path().symlink_metadata().is_ok_and(|metadata| !metadata.is_file())
    }

    fn error(&self, doing: &'static str, source: io::Error) -> LogError {
        LogError::Disk { doing, path: self.directory.clone(), source }
    }
}

impl OpenLog {
    fn new(mut file: File) -> Result<Self, LogError> {
        let mut header = [0; HEADER];
        let read = file
            .metadata()
            .and_then(|metadata| Ok((metadata.len(), file.read_exact(&mut header)?)));
        let Ok((len, ())) = read else { return Err(LogError::Damaged("it is cut short")) };
        let numbers = header.as_chunks::<8>().0;
        let [magic, generation, end, compacted] = numbers else {
            unreachable!("four times 8 bytes are 32")
        };
        let [generation, end, compacted] =
            [generation, end, compacted].map(|n| u64::from_le_bytes(*n));
        if magic != MAGIC {
            return Err(LogError::Damaged("it was written by another version of hashline"));
        }
        if len > MAX_LEN {
            return Err(LogError::Damaged("it is longer than any that hashline writes"));
        }
        if !(CONTENT..=len).contains(&end) {
            return Err(LogError::Damaged("it is cut short"));
        }
        Ok(Self { file, generation, end, compacted })
    }

    /// Reads a part of the log, which must end at [`OpenLog::end`] or before.
    pub(crate) fn read(&mut self, part: std::ops::Range<u64>) -> io::Result<Vec<u8>> {
        let len = usize::try_from(part.end.saturating_sub(part.start)).unwrap_or_default();
        let mut bytes = vec![0; len];
        self.file.seek(SeekFrom::Start(part.start))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(bytes)?;
        self.end += bytes.len() as u64;
        // Only now do readers see the new bytes.
        let numbers = [self.generation, self.end, self.compacted].map(u64::to_le_bytes);
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&[MAGIC.as_slice(), numbers.as_flattened()].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_testing::Workdir;

    fn content(log: &Log) -> Vec<u8> {
        let mut log = log.open().unwrap().unwrap();
        log.read(CONTENT..log.end).unwrap()
    }

    fn keep(bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }

    #[test]
    fn appended_bytes_are_read_in_order_by_every_log_of_the_directory() {
        let directory = Workdir::new("log");
        let [one, other] = [(); 2].map(|()| Log::new(&directory.path().join("a/b")).unwrap());
        assert!(one.open().unwrap().is_none());
        one.append(b"one ", &keep).unwrap();
        other.append(b"two ", &keep).unwrap();
        one.append(b"three", &keep).unwrap();
        assert_eq!(content(&other), b"one two three");
        one.compact(&|content| content[4..].to_vec()).unwrap();
        other.append(b"!", &keep).unwrap();
        assert_eq!(content(&one), b"two three!");
    }

    #[test]
    fn a_log_is_compacted_when_its_content_has_doubled() {
        let directory = Workdir::new("log-compacted");
        let log = Log::new(directory.path()).unwrap();
        let newest = |content: &[u8]| content[content.len() - (300 << 10)..].to_vec();
        let lens = (0..50).map(|_| {
            log.append(&vec![1; 64 << 10], &newest).unwrap();
            content(&log).len()
        });
        let lens: Vec<usize> = lens.collect();
        assert!(lens.contains(&(300 << 10)), "{lens:?}");
        assert!(lens.iter().all(|len| *len <= 600 << 10), "{lens:?}");
    }

    #[test]
    fn bytes_left_by_a_killed_writer_are_overwritten() {
        let directory = Workdir::new("log-killed");
        let log = Log::new(directory.path()).unwrap();
        log.append(b"whole", &keep).unwrap();
        let mut bytes = fs::read(log.path()).unwrap();
        bytes.extend(b"a part of what was to come");
        fs::write(log.path(), bytes).unwrap();
        assert_eq!(content(&log), b"whole");
        log.append(b" again", &keep).unwrap();
        assert_eq!(content(&log), b"whole again");
    }

    #[test]
    fn a_damaged_log_is_reported_once_and_replaced() {
        let directory = Workdir::new("log-damaged");
        let log = Log::new(directory.path()).unwrap();
        let set_len = |len| {
            let file = File::options().write(true).open(log.path()).unwrap();
            file.set_len(len).unwrap();
        };
        let spoil: [(&str, &dyn Fn()); 5] = [
            ("empty", &|| fs::write(log.path(), b"").unwrap()),
            ("foreign", &|| fs::write(log.path(), [b'x'; 99]).unwrap()),
            ("cut", &|| set_len(33)),
            ("3 GB", &|| set_len(3 << 30)),
            #[cfg(unix)]
            ("a device", &|| {
                fs::remove_file(log.path()).unwrap();
                std::os::unix::fs::symlink("/dev/zero", log.path()).unwrap();
            }),
            #[cfg(not(unix))]
            ("empty", &|| fs::write(log.path(), b"").unwrap()),
        ];
        for (name, spoil) in spoil {
            log.append(b"before", &keep).unwrap();
            spoil();
            assert!(matches!(log.open(), Err(LogError::Damaged(_))), "{name}");
            assert!(matches!(log.append(b"after", &keep), Err(LogError::Damaged(_))), "{name}");
            assert_eq!(content(&log), b"after", "{name}");
            log.compact(&|_| Vec::new()).unwrap();
        }
    }
}
