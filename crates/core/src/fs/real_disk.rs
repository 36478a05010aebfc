//! The [`Disk`] of this machine.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{File, FileTimes};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::disk::{Belongings, Disk, Facts, Like};
use super::platform::{self, OpenDirectory};
use super::{FileKind, Stat};

/// How many directories may be open at once.
const MAX_OPEN: usize = 64;

/// The disk of this machine.
///
/// Directories stay open from one step to the next, which saves looking up their paths again and
/// keeps every step of a transaction in the same directory.
#[derive(Debug, Default)]
pub struct RealDisk {
    open: Mutex<HashMap<PathBuf, Arc<OpenDirectory>>>,
}

impl OpenDirectory {
    /// Renames a file if the new name is free, on systems without a call for that.
    pub(super) fn link_and_remove(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        match self.link(name, to, new) {
            Ok(()) => self.remove(name),
            // A file system without hard links: the best we can do is to look first.
            Err(error) if unsupported(&error) || protected(&error) => {
                if to.look(new)?.is_some() {
                    return Err(io::ErrorKind::AlreadyExists.into());
                }
                self.rename(name, to, new)
            }
            Err(error) => Err(error),
        }
    }
}

/// Whether an error says that the file system does not support the operation at all.
pub(crate) fn unsupported(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        let code = error.raw_os_error();
        let codes = [libc::EINVAL, libc::ENOSYS, libc::ENOTSUP, libc::EOPNOTSUPP, libc::ENOTTY];
        if code.is_some_and(|code| codes.contains(&code)) {
            return true;
        }
    }
    #[cfg(windows)]
    {
        // FAT has no hard links; linking fails with this error.
        const ERROR_INVALID_FUNCTION: i32 = 1;
        const ERROR_NOT_SUPPORTED: i32 = 50;
        let codes = [ERROR_INVALID_FUNCTION, ERROR_NOT_SUPPORTED];
        if error.raw_os_error().is_some_and(|code| codes.contains(&code)) {
            return true;
        }
    }
    error.kind() == io::ErrorKind::Unsupported
}

/// Whether an error says that a path no longer leads anywhere: a directory in it is gone, or now a
/// file or a link.
pub(crate) fn unreachable_path(error: &io::Error) -> bool {
    #[cfg(unix)]
    if error.raw_os_error() == Some(libc::ELOOP) {
        return true;
    }
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Whether an error says that the file or its directory is protected, whatever its permissions.
pub(crate) fn protected(error: &io::Error) -> bool {
    #[cfg(unix)]
    return matches!(error.raw_os_error(), Some(libc::EPERM | libc::EMLINK));
    #[cfg(not(unix))]
    return error.kind() == io::ErrorKind::PermissionDenied;
}

impl RealDisk {
    fn directory(&self, path: &Path) -> io::Result<Arc<OpenDirectory>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(directory) = open.get(path) {
            return Ok(Arc::clone(directory));
        }
        let directory = Arc::new(OpenDirectory::open(path)?);
        if open.len() >= MAX_OPEN {
            open.clear();
        }
        open.insert(path.to_owned(), Arc::clone(&directory));
        Ok(directory)
    }

    fn parent<'a>(&self, path: &'a Path) -> io::Result<(Arc<OpenDirectory>, &'a OsStr)> {
        match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) if path.is_absolute() => Ok((self.directory(parent)?, name)),
            _ => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    /// Gives a new file its content, permissions, owner and attributes.
    fn fill(&self, mut file: &File, content: &[u8], like: &Like) -> io::Result<()> {
        file.write_all(content)?;
        match like {
            Like::New | Like::Private => {}
            Like::Was(mode, belongings) => {
                platform::set_belongings(file, belongings);
                platform::set_mode(file, *mode)?;
            }
            Like::File { path, times } => {
                let (directory, name) = self.parent(path)?;
                let other = directory.open_file(name)?;
                platform::copy_metadata(file, &other)?;
                if *times {
                    let metadata = other.metadata()?;
                    let modified = FileTimes::new().set_modified(metadata.modified()?);
                    file.set_times(modified)?;
                }
            }
        }
        Ok(())
    }
}

impl Disk for RealDisk {
    fn close_directories(&self) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn look(&self, path: &Path) -> io::Result<Option<Facts>> {
        if path.parent().is_none() {
            return self.directory(path)?.look(OsStr::new("."));
        }
        match self.parent(path) {
            Ok((directory, name)) => directory.look(name),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn belongings(&self, path: &Path) -> io::Result<Belongings> {
        let (directory, name) = self.parent(path)?;
        platform::belongings(&directory.open_file(name)?)
    }

    fn writable(&self, path: &Path, facts: &Facts) -> io::Result<bool> {
        if facts.kind == FileKind::Directory {
            return Ok(self.directory(path)?.own_writable());
        }
        let (directory, name) = self.parent(path)?;
        Ok(directory.writable(name))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let (directory, name) = self.parent(path)?;
        let file = directory.open_file(name)?;
        let stat = Stat::of(&file.metadata()?);
        super::require_regular(stat)?;
        let mut bytes = Vec::with_capacity(usize::try_from(stat.size).unwrap_or(0) + 1);
        // `take` keeps the standard library from asking for the file's length again.
        file.take(u64::MAX).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn names(&self, directory: &Path) -> io::Result<Vec<OsString>> {
        self.directory(directory)?.names()
    }

    fn make_directory(&self, path: &Path) -> io::Result<()> {
        let (directory, name) = self.parent(path)?;
        directory.make_directory(name)
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        let (directory, name) = self.parent(path)?;
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
        directory.remove_directory(name)
    }

    fn create(&self, path: &Path, content: &[u8], like: &Like) -> io::Result<File> {
        let (directory, name) = self.parent(path)?;
        // The system applies the user's umask. Permissions are widened only when the content is
        // complete.
        let mode = if *like == Like::New { 0o666 } else { 0o600 };
        let file = directory.create(name, mode)?;
        self.fill(&file, content, like)?;
        Ok(file)
    }

    fn write_at(&self, path: &Path, offset: u64, bytes: &[u8], sync: bool) -> io::Result<()> {
        use std::io::{Seek, SeekFrom};
        let (directory, name) = self.parent(path)?;
        let mut file = directory.open_to_write(name)?;
        super::require_regular(Stat::of(&file.metadata()?))?;
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(bytes)?;
        // The length does not change, so syncing the data is enough.
        if sync { file.sync_data() } else { Ok(()) }
    }

    fn begin_sync(&self, file: &File) {
        platform::start_writeback(file);
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn overwrite(&self, path: &Path, content: &[u8], sync: bool) -> io::Result<()> {
        let (directory, name) = self.parent(path)?;
        let mut file = directory.open_to_write(name)?;
        let metadata = file.metadata()?;
        super::require_regular(Stat::of(&metadata))?;
        file.write_all(content)?;
        if metadata.len() > content.len() as u64 {
            file.set_len(content.len() as u64)?;
        }
        if sync { file.sync_all() } else { Ok(()) }
    }

    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        let (from, name) = self.parent(one)?;
        let (to, new) = self.parent(other)?;
        from.exchange(name, &to, new)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (from, name) = self.parent(from)?;
        let (to, new) = self.parent(to)?;
        from.link(name, &to, new)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (from, name) = self.parent(from)?;
        let (to, new) = self.parent(to)?;
        from.rename(name, &to, new)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        // If it is a directory, the kept handle no longer belongs to this name.
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(from);
        let (from, name) = self.parent(from)?;
        let (to, new) = self.parent(to)?;
        from.rename_new(name, &to, new)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let (directory, name) = self.parent(path)?;
        directory.remove(name)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.directory(path)?.sync()
    }
}
