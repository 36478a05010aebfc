//! The only module that touches the disk.
//!
//! Every file and directory is read and written through it, so that three promises are kept in one
//! place: opening never blocks (a FIFO or a device is refused before it is opened), no file is
//! mapped into memory (another program may cut it short), and long reads end soon after they are
//! cancelled. What the bytes mean is decided elsewhere.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this is the module that may touch the disk"
)]

mod disk;
mod lock;
mod log;
#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod platform;
mod real_disk;
mod state_dir;

pub(crate) use disk::nanoseconds;
pub use disk::{Belongings, Disk, Facts, Like};
pub(crate) use lock::{Lock, LockError, LockHolder};
pub(crate) use log::{CONTENT, Log, LogError, OpenLog};
pub(crate) use platform::SiblingOpener;
pub use real_disk::RealDisk;
pub(crate) use real_disk::{protected, unreachable_path, unsupported};
pub(crate) use state_dir::{
    StateDirError, drop_orphans, existing_private_directory, is_own_directory, path_bytes,
    path_from_bytes, process_lives,
};
pub use state_dir::{private_directory, state_homes};

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// The kind of file at a path, after following symbolic links.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::Display)]
pub enum FileKind {
    /// A regular file.
    #[strum(to_string = "a file")]
    File,
    /// A directory.
    #[strum(to_string = "a directory")]
    Directory,
    /// Something that cannot be read like a file, with its name: "a FIFO".
    #[strum(to_string = "{0}")]
    Special(&'static str),
}

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The path leads to something other than a regular file.
    #[error("{0}")]
    NotAFile(FileKind),
    /// The file has more bytes than the caller allows.
    #[error("it is too large")]
    TooLarge,
    /// The work was cancelled.
    #[error("the operation was aborted")]
    Cancelled,
    /// The disk got in the way.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl ReadError {
    /// Whether the user may not read the file.
    pub fn is_denied(&self) -> bool {
        matches!(self, Self::Io(source) if source.kind() == io::ErrorKind::PermissionDenied)
    }
}

/// For callers that only print a [`ReadError`].
impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Io(source) => source,
            other => Self::other(other),
        }
    }
}

/// What the system knows about a file without reading it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stat {
    /// What kind of file it is.
    pub kind: FileKind,
    /// The size of the file in bytes.
    pub size: u64,
    /// When it was last changed, in nanoseconds.
    pub modified: u128,
}

impl Stat {
    /// The file's size and time as bytes, to tell its versions apart.
    pub(crate) fn stamp(self) -> [u8; 24] {
        let mut stamp = [0; 24];
        stamp[..8].copy_from_slice(&self.size.to_le_bytes());
        stamp[8..].copy_from_slice(&self.modified.to_le_bytes());
        stamp
    }

    /// How long until the file has not been written to for [`AT_REST`].
    fn until_at_rest(&self) -> Option<Duration> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        // A time far in the future says nothing, and no patch should have to wait for it.
        if self.modified > (now + LONGEST_WAIT).as_nanos() {
            return None;
        }
        let left = (self.modified + AT_REST.as_nanos()).checked_sub(now.as_nanos())?;
        Some(Duration::from_nanos(u64::try_from(left).ok()?).min(AT_REST))
    }

    fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok();
        let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        Self {
            kind: kind_of(metadata.file_type()),
            size: metadata.len(),
            modified: since.map_or(0, |since| since.as_nanos()),
        }
    }
}

/// The metadata of the file at a path, without opening it.
pub(crate) fn stat(path: &Path) -> io::Result<Stat> {
    path.metadata().map(|metadata| Stat::of(&metadata))
}

/// Whether anything is at the path, even a dangling symbolic link.
pub fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// The path with every symbolic link followed.
pub fn canonical(path: &Path) -> io::Result<PathBuf> {
    Ok(without_prefix(path.canonicalize()?))
}

/// A path without the `\\?\` that Windows puts in front of a canonical path: people and other
/// programs do not write it. The standard library adds it again if a path is too long to work
/// without it.
fn without_prefix(path: PathBuf) -> PathBuf {
    match path.to_str().and_then(strip_verbatim) {
        Some(plain) if cfg!(windows) => PathBuf::from(plain.into_owned()),
        _ => path,
    }
}

/// `C:\a` for `\\?\C:\a`, `\\host\share` for `\\?\UNC\host\share`; `None` for any other path.
fn strip_verbatim(path: &str) -> Option<Cow<'_, str>> {
    let rest = path.strip_prefix(r"\\?\")?;
    if let Some(share) = rest.strip_prefix(r"UNC\") {
        return Some(Cow::Owned(format!(r"\\{share}")));
    }
    (rest.as_bytes().get(1) == Some(&b':')).then_some(Cow::Borrowed(rest))
}

/// Opens a regular file for reading.
pub(crate) fn open(path: &Path) -> Result<(File, Stat), ReadError> {
    require_regular(stat(path)?)?;
    open_known(path)
}

/// Opens a file that [`stat`] has just shown to be regular.
pub(crate) fn open_known(path: &Path) -> Result<(File, Stat), ReadError> {
    let file = open_walked(path)?;
    // Another program may have replaced it in between.
    let stat = stat_open(&file)?;
    require_regular(stat)?;
    Ok((file, stat))
}

/// Opens a file that a walk has just found to be regular.
///
/// Another program may have replaced it since, so it is opened without blocking; whatever is there
/// now, reading it never waits.
pub(crate) fn open_walked(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        libc::O_NONBLOCK | libc::O_NOCTTY | libc::O_CLOEXEC,
    );
    options.open(path)
}

/// How reading a file into a buffer ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Filled {
    /// The buffer starts with all bytes of the file; this is their number.
    Whole(usize),
    /// The file has more bytes than the caller allows.
    TooLarge,
    /// The caller rejected the file after seeing its first bytes.
    Unwanted,
}

/// All bytes of a regular file, if there are at most `most`.
pub fn contents(path: &Path, most: usize, cancel: &AtomicBool) -> Result<Vec<u8>, ReadError> {
    contents_and_stat(path, most, cancel).map(|(bytes, _)| bytes)
}

/// Like [`contents`], with the file's metadata from before it was read.
fn contents_and_stat(
    path: &Path,
    most: usize,
    cancel: &AtomicBool,
) -> Result<(Vec<u8>, Stat), ReadError> {
    let (mut file, stat) = open(path)?;
    // One byte more than the size, so that the end is seen without growing the buffer.
    let mut bytes = vec![0; usize::try_from(stat.size).unwrap_or(0).min(most) + 1];
    match read_whole(&mut file, most, &mut bytes, |_| true, cancel)? {
        Filled::Whole(len) => bytes.truncate(len),
        Filled::TooLarge | Filled::Unwanted => return Err(ReadError::TooLarge),
    }
    Ok((bytes, stat))
}

/// A file counts as at rest when nobody has written to it for this long: longer than a tick of any
/// file system's clock (10 ms at most, except for FAT), and so longer than the pauses of a program
/// that saves a file piece by piece.
const AT_REST: Duration = Duration::from_millis(16);

/// How long we wait for a file to come to rest.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// All bytes of a regular file that no program seems to be writing at the moment.
///
/// A program that saves a file in several pieces leaves half of it there for a moment. So a file
/// that was changed just now is read again until it stays the same, unless its metadata is `known`:
/// this program itself wrote it then. After [`LONGEST_WAIT`], the last bytes read are returned.
pub(crate) fn contents_at_rest(
    path: &Path,
    most: usize,
    known: Option<Stat>,
    cancel: &AtomicBool,
) -> Result<Vec<u8>, ReadError> {
    let began = Instant::now();
    loop {
        let (bytes, before) = contents_and_stat(path, most, cancel)?;
        let wait = if known == Some(before) { None } else { before.until_at_rest() };
        if (wait.is_none() && stat(path)? == before) || began.elapsed() > LONGEST_WAIT {
            return Ok(bytes);
        }
        if cancel.load(Ordering::Relaxed) {
            return Err(ReadError::Cancelled);
        }
        std::thread::sleep(wait.unwrap_or_default());
    }
}

/// Reads the file to its end into `buffer`, unless `wants` rejects its first bytes or it has more
/// than `most` bytes.
///
/// The buffer may be longer than the file and grows if it is shorter, so that one buffer can serve
/// many files; the bytes after the file's own are leftovers.
pub(crate) fn read_whole(
    file: &mut File,
    most: usize,
    buffer: &mut Vec<u8>,
    wants: impl Fn(&[u8]) -> bool,
    cancel: &AtomicBool,
) -> Result<Filled, ReadError> {
    const FIRST_READ: usize = 64 << 10;
    const LATER_READ: usize = 1 << 20;
    let mut filled = 0;
    loop {
        if cancel.load(Ordering::Relaxed) {
            return Err(ReadError::Cancelled);
        }
        if filled == buffer.len() {
            grow(buffer, FIRST_READ.max(2 * filled));
        }
        let max_now = if filled == 0 { FIRST_READ } else { LATER_READ };
        let end = buffer.len().min(filled + max_now);
        match file.read(&mut buffer[filled..end]) {
            Ok(0) => return Ok(Filled::Whole(filled)),
            Ok(count) => {
                if filled == 0 && !wants(&buffer[..count]) {
                    return Ok(Filled::Unwanted);
                }
                filled += count;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
        if filled > most {
            return Ok(Filled::TooLarge);
        }
    }
}

fn grow(buffer: &mut Vec<u8>, len: usize) {
    if buffer.is_empty() {
        // The system zeroes the memory page by page on first use.
        *buffer = vec![0; len];
    } else if buffer.len() < len {
        buffer.resize(len, 0);
    }
}

/// Reads `buffer.len()` bytes at `offset`, or fewer at the end of the file.
pub(crate) fn read_at(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match read_some_at(file, offset + filled as u64, &mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The present metadata of an open file.
pub(crate) fn stat_open(file: &File) -> io::Result<Stat> {
    file.metadata().map(|metadata| Stat::of(&metadata))
}

/// An entry of a directory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct DirectoryEntry {
    /// The entry's name.
    pub name: OsString,
    /// Whether it is a directory, or a symbolic link to one.
    pub directory: bool,
}

/// The entries of a directory, in no particular order.
pub(crate) fn entries(directory: &Path) -> io::Result<Vec<DirectoryEntry>> {
    let mut entries = Vec::new();
    for entry in directory.read_dir()? {
        let entry = entry?;
        let directory = match entry.file_type() {
            Ok(kind) if kind.is_symlink() => entry.path().is_dir(),
            Ok(kind) => kind.is_dir(),
            Err(_) => false,
        };
        entries.push(DirectoryEntry { name: entry.file_name(), directory });
    }
    Ok(entries)
}

/// The value of an environment variable.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The working directory of this process.
pub fn current_directory() -> io::Result<PathBuf> {
    std::env::current_dir()
}

/// The current time, in milliseconds since 1970.
pub fn now_millis() -> u64 {
    let since = SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// The directory of this user's settings.
pub fn config_home() -> Option<PathBuf> {
    let named = std::env::var_os(if cfg!(windows) { "APPDATA" } else { "XDG_CONFIG_HOME" });
    let named = named.map(PathBuf::from).filter(|path| path.is_absolute());
    named.or_else(|| home().map(|home| home.join(".config")))
}

/// Opens a file descriptor that this process was started with.
pub fn descriptor(number: u32) -> io::Result<File> {
    if cfg!(unix) {
        // Opening this path leaves the descriptor itself open.
        File::open(format!("/dev/fd/{number}"))
    } else {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Opens a file or a pipe that is read once, from its start to its end, and waits for the pipe's
/// writer.
pub fn open_once(path: &Path) -> Result<File, ReadError> {
    match stat(path)?.kind {
        kind @ (FileKind::Directory | FileKind::Special("a device")) => {
            Err(ReadError::NotAFile(kind))
        }
        _ => Ok(File::open(path)?),
    }
}

/// Appends bytes to a file outside any workspace.
pub fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    io::Write::write_all(&mut OpenOptions::new().append(true).create(true).open(path)?, bytes)
}

/// Writes a file outside any workspace, such as a build product.
pub fn write_plain(path: &Path, bytes: &[u8]) -> io::Result<()> {
    std::fs::write(path, bytes)
}

/// Removes an empty directory; fails if it is not empty.
pub fn remove_empty_directory(path: &Path) -> io::Result<()> {
    std::fs::remove_dir(path)
}

/// The home directory of the user.
pub(crate) fn home() -> Option<PathBuf> {
    std::env::home_dir().filter(|home| !home.as_os_str().is_empty())
}

/// The directory for temporary files.
pub(crate) fn scratch_directory() -> PathBuf {
    std::env::temp_dir()
}

fn require_regular(stat: Stat) -> Result<(), ReadError> {
    if stat.kind == FileKind::File { Ok(()) } else { Err(ReadError::NotAFile(stat.kind)) }
}

#[cfg(unix)]
fn kind_of(kind: std::fs::FileType) -> FileKind {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        _ if kind.is_file() => FileKind::File,
        _ if kind.is_dir() => FileKind::Directory,
        _ if kind.is_fifo() => FileKind::Special("a FIFO"),
        _ if kind.is_socket() => FileKind::Special("a socket"),
        _ if kind.is_char_device() || kind.is_block_device() => FileKind::Special("a device"),
        _ => FileKind::Special("no regular file"),
    }
}

#[cfg(windows)]
fn kind_of(kind: std::fs::FileType) -> FileKind {
    match kind {
        _ if kind.is_file() => FileKind::File,
        _ if kind.is_dir() => FileKind::Directory,
        _ => FileKind::Special("no regular file"),
    }
}

#[cfg(unix)]
fn read_some_at(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_some_at(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_canonical_windows_path_is_shown_as_people_write_it() {
        for (canonical, wanted) in [
            (r"\\?\C:\a\b", Some(r"C:\a\b")),
            (r"\\?\UNC\host\share\a", Some(r"\\host\share\a")),
            (r"\\?\Volume{1}\a", None),
            (r"C:\a", None),
            ("/a", None),
        ] {
            assert_eq!(strip_verbatim(canonical).as_deref(), wanted, "{canonical}");
        }
    }
}
