//! A lock with one holder at a time, across processes and within one.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// A lock file, held until this is dropped.
///
/// The system ties the lock to the open file, so that it is released however the process ends. The
/// file itself stays; its content only tells others whom they are waiting for.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

/// Who holds a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LockHolder {
    /// The number of the process that holds it.
    pub process: u32,
    /// For how long it has held the lock.
    pub since: Duration,
}

/// Why a lock was not taken.
#[derive(Debug)]
pub(crate) enum LockError {
    /// Another process held the lock all the time; who it is, if known.
    Busy(Option<LockHolder>),
    /// The wait for the lock was cancelled.
    Cancelled,
    /// The lock file cannot be used.
    Io(io::Error),
}

impl Lock {
    /// Takes the lock at `path`, waiting at most `limit` for it.
    pub(crate) fn take(
        path: &Path,
        limit: Duration,
        cancel: &AtomicBool,
    ) -> Result<Self, LockError> {
        const FIRST_PAUSE: Duration = Duration::from_millis(2);
        const MAX_PAUSE: Duration = Duration::from_millis(25);
        let mut file = open(path).map_err(LockError::Io)?;
        let began = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::Error(error)) => return Err(LockError::Io(error)),
                Err(TryLockError::WouldBlock) => {}
            }
            if cancel.load(Ordering::Relaxed) {
                return Err(LockError::Cancelled);
            }
            let left = limit.saturating_sub(began.elapsed());
            if left.is_zero() {
                return Err(LockError::Busy(holder(&mut file)));
            }
            std::thread::sleep(pause.min(left));
            pause = (pause * 2).min(MAX_PAUSE);
        }
        // The note has a fixed width, so that a new one overwrites all of an old one.
        let note = format!("{:>10} {:>20}\n", std::process::id(), now());
        // The note is only a courtesy, so errors in writing it do not matter.
        let _ = file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(note.as_bytes()));
        Ok(Self { _file: file })
    }
}

impl fmt::Display for LockHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {}, for {} s", self.process, self.since.as_secs())
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn holder(file: &mut File) -> Option<LockHolder> {
    let mut note = String::new();
    file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_string(&mut note)).ok()?;
    let mut words = note.split_whitespace();
    let process = words.next()?.parse().ok()?;
    let since: u64 = words.next()?.parse().ok()?;
    Some(LockHolder { process, since: Duration::from_secs(now().saturating_sub(since)) })
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
