//! Files by name in an open directory; the only module that uses the crate `rustix` for that.
//!
//! An [`OpenDirectory`] is opened without following a symbolic link in any part of its path, and it
//! remains the same directory whatever happens to the path. So nobody can redirect a path between
//! its check and its use.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{self as sys, Access, AtFlags, Gid, Mode, OFlags, Stat, Uid};

use super::disk::{Belongings, Facts};
use super::{FileKind, StateDirError};

const OPEN_DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Opens the files that a walk finds, directory by directory.
///
/// The system looks a path up part by part, and files of one directory share all parts but the
/// last; a name in an open directory needs a single step.
#[derive(Default, Debug)]
pub(crate) struct SiblingOpener {
    parent: PathBuf,
    /// The open parent, once a second file in it was asked for.
    directory: Option<OwnedFd>,
}

impl SiblingOpener {
    /// Opens a file that a walk has just found to be regular, as [`super::open_walked`] does.
    pub(crate) fn open(&mut self, path: &Path) -> io::Result<File> {
        // If we may not open the directory, or it was replaced, the path decides.
        self.open_beside(path).map_or_else(|| super::open_walked(path), Ok)
    }

    /// Opens a file if it is in the same directory as the file before.
    fn open_beside(&mut self, path: &Path) -> Option<File> {
        let (parent, name) = (path.parent()?, path.file_name()?);
        if self.parent.as_os_str() != parent.as_os_str() {
            parent.clone_into(&mut self.parent);
            self.directory = None;
            return None;
        }
        if self.directory.is_none() {
            self.directory = sys::open(parent, OPEN_DIRECTORY, Mode::empty()).ok();
        }
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        sys::openat(self.directory.as_ref()?, name, flags, Mode::empty()).ok().map(File::from)
    }
}

/// An open directory.
#[derive(Debug)]
pub(super) struct OpenDirectory(OwnedFd);

impl OpenDirectory {
    /// Opens a directory by its absolute path.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            use rustix::io::Errno;
            let resolve = sys::ResolveFlags::NO_SYMLINKS;
            match sys::openat2(sys::CWD, path, OPEN_DIRECTORY, Mode::empty(), resolve) {
                // The kernel or a sandbox does not know the call.
                Err(Errno::NOSYS | Errno::PERM | Errno::INVAL) => {}
                opened => return Ok(Self(opened?)),
            }
        }
        Self::walk(path)
    }

    /// Opens a directory by opening each directory of its path in turn.
    fn walk(path: &Path) -> io::Result<Self> {
        let mut directory = sys::open("/", OPEN_DIRECTORY, Mode::empty())?;
        for part in path.components() {
            match part {
                Component::RootDir | Component::CurDir => {}
                Component::Normal(name) => {
                    let flags = OPEN_DIRECTORY | OFlags::NOFOLLOW;
                    directory = sys::openat(&directory, name, flags, Mode::empty())?;
                }
                Component::ParentDir | Component::Prefix(_) => {
                    return Err(io::ErrorKind::InvalidInput.into());
                }
            }
        }
        Ok(Self(directory))
    }

    /// Facts about the file with this name; `None` if there is no file.
    pub(super) fn look(&self, name: &OsStr) -> io::Result<Option<Facts>> {
        match sys::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(facts(&stat, self.could_give(&stat)))),
            Err(rustix::io::Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether a file that this process creates here can have the same owner and group as `other`.
    fn could_give(&self, other: &Stat) -> bool {
        const SETGID: u32 = 0o2000;
        let user = rustix::process::geteuid();
        if user.is_root() {
            return true;
        }
        let group = Gid::from_raw(other.st_gid);
        user.as_raw() == other.st_uid
            && (rustix::process::getegid() == group
                || rustix::process::getgroups().is_ok_and(|groups| groups.contains(&group))
                || sys::fstat(&self.0).is_ok_and(|here| {
                    let has_setgid = mode_bits(&here) & SETGID != 0;
                    // Only Linux needs the bit; elsewhere new files always get the directory's
                    // group.
                    here.st_gid == other.st_gid && (has_setgid || !cfg!(target_os = "linux"))
                }))
    }

    /// Whether this process may write to the file with this name.
    pub(super) fn writable(&self, name: &OsStr) -> bool {
        use rustix::io::Errno;
        // Android lacks this flag, and runs no program with another user's rights.
        #[cfg(target_os = "android")]
        let effective = AtFlags::empty();
        #[cfg(not(target_os = "android"))]
        let effective = AtFlags::EACCESS;
        let access = sys::accessat(&self.0, name, Access::WRITE_OK, effective);
        !matches!(access, Err(Errno::ACCESS | Errno::ROFS | Errno::PERM))
    }

    /// Whether this process may make files here.
    pub(super) fn own_writable(&self) -> bool {
        self.writable(OsStr::new("."))
    }

    /// Opens a file for reading; never blocks, never follows a link.
    pub(super) fn open_file(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
        self.open_with(name, flags, 0)
    }

    /// Opens a file for writing and keeps its content.
    pub(super) fn open_to_write(&self, name: &OsStr) -> io::Result<File> {
        self.open_with(name, OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY, 0)
    }

    /// Creates a new file.
    pub(super) fn create(&self, name: &OsStr, mode: u32) -> io::Result<File> {
        self.open_with(name, OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL, mode)
    }

    fn open_with(&self, name: &OsStr, flags: OFlags, mode: u32) -> io::Result<File> {
        let flags = flags | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let file = sys::openat(&self.0, name, flags, Mode::from_raw_mode(mode as _))?;
        Ok(File::from(file))
    }

    /// Makes a directory.
    pub(super) fn make_directory(&self, name: &OsStr) -> io::Result<()> {
        Ok(sys::mkdirat(&self.0, name, Mode::from_raw_mode(0o777))?)
    }

    /// Removes an empty directory.
    pub(super) fn remove_directory(&self, name: &OsStr) -> io::Result<()> {
        Ok(sys::unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }

    /// Removes a file.
    pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(sys::unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// Gives a file a second name.
    pub(super) fn link(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        Ok(sys::linkat(&self.0, name, &to.0, new, AtFlags::empty())?)
    }

    /// Renames a file.
    pub(super) fn rename(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        Ok(sys::renameat(&self.0, name, &to.0, new)?)
    }

    /// Swaps the names of two files.
    pub(super) fn exchange(&self, name: &OsStr, to: &Self, other: &OsStr) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        {
            let flags = sys::RenameFlags::EXCHANGE;
            Ok(sys::renameat_with(&self.0, name, &to.0, other, flags)?)
        }
        #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
        {
            let _ = (name, to, other);
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    /// Renames a file; fails if the new name is taken.
    pub(super) fn rename_new(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        {
            let flags = sys::RenameFlags::NOREPLACE;
            match sys::renameat_with(&self.0, name, &to.0, new, flags).map_err(io::Error::from) {
                Err(error) if super::unsupported(&error) => {}
                renamed => return renamed,
            }
        }
        self.link_and_remove(name, to, new)
    }

    /// The names in this directory.
    pub(super) fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in sys::Dir::read_from(&self.0)? {
            let name = entry?.file_name().to_bytes().to_vec();
            if name != b"." && name != b".." {
                names.push(OsString::from_vec(name));
            }
        }
        Ok(names)
    }

    /// Waits until the names in this directory are on the medium.
    pub(super) fn sync(&self) -> io::Result<()> {
        // On Apple systems, plain `fsync` may leave them in the disk's own cache.
        #[cfg(target_vendor = "apple")]
        if sys::fcntl_fullfsync(&self.0).is_ok() {
            return Ok(());
        }
        match sys::fsync(&self.0) {
            // Some network file systems cannot sync directories.
            Err(rustix::io::Errno::INVAL) => Ok(()),
            synced => Ok(synced?),
        }
    }
}

/// Gives `file` the permissions, the owner and the extended attributes of `other`.
///
/// If the owner or the attributes may not be copied, that is ignored; for the permissions it is an
/// error.
pub(super) fn copy_metadata(file: &File, other: &File) -> io::Result<()> {
    let mode = sys::fstat(other)?.st_mode;
    set_belongings(file, &belongings(other)?);
    Ok(sys::fchmod(file, Mode::from_raw_mode(mode))?)
}

/// The owner and the extended attributes of a file.
pub(super) fn belongings(file: &File) -> io::Result<Belongings> {
    let stat = sys::fstat(file)?;
    Ok(Belongings { owner: Some((stat.st_uid, stat.st_gid)), attributes: attribute_values(file) })
}

/// Gives a new file an owner and extended attributes, as far as the system allows.
pub(super) fn set_belongings(file: &File, wanted: &Belongings) {
    let Ok(is) = belongings(file) else { return };
    if let Some((user, group)) = wanted.owner.filter(|_| is.owner != wanted.owner) {
        let (user, group) = (Some(Uid::from_raw(user)), Some(Gid::from_raw(group)));
        if sys::fchown(file, user, group).is_err() {
            let _ = sys::fchown(file, None, group);
        }
    }
    set_attributes(file, &wanted.attributes);
}

/// Sets the permissions of a file.
pub(super) fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    Ok(sys::fchmod(file, Mode::from_raw_mode(mode as _))?)
}

/// Asks the system to begin writing a file to the medium, without waiting.
pub(super) fn start_writeback(file: &File) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        // This hint makes Linux write the pages, then drop them. It may fail.
        let _ = sys::fadvise(file, 0, None, sys::Advice::DontNeed);
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = file;
}

/// The names and values of a file's extended attributes.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn attribute_values(file: &File) -> Vec<(Vec<u8>, Vec<u8>)> {
    let list = attribute_names(file).unwrap_or_default();
    let value = |name: &[u8]| {
        let mut value = vec![0; MAX_ATTRIBUTES];
        let len = sys::fgetxattr(file, name, &mut value[..]).ok()?;
        value.truncate(len);
        Some((name.to_vec(), value))
    };
    names(&list).filter_map(value).collect()
}

/// Sets a file's extended attributes, and removes all others.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn set_attributes(file: &File, wanted: &[(Vec<u8>, Vec<u8>)]) {
    // New files may inherit attributes from their directory.
    let inherited = attribute_names(file).unwrap_or_default();
    for name in names(&inherited).filter(|name| !wanted.iter().any(|(other, _)| other == name)) {
        let _ = sys::fremovexattr(file, name);
    }
    for (name, value) in wanted {
        // Only the system may set some attributes; those are left alone.
        let _ = sys::fsetxattr(file, name.as_slice(), value, sys::XattrFlags::empty());
    }
}

/// Linux's limit for the bytes of one attribute, and of all names together.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
const MAX_ATTRIBUTES: usize = 64 * 1024;

/// The names of a file's extended attributes, each followed by a zero byte.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn attribute_names(file: &File) -> Option<Vec<u8>> {
    let mut few = [0; 1024];
    match sys::flistxattr(file, &mut few[..]) {
        Ok(len) => Some(few[..len].to_vec()),
        Err(rustix::io::Errno::RANGE) => {
            let mut many = vec![0; MAX_ATTRIBUTES];
            let len = sys::flistxattr(file, &mut many[..]).ok()?;
            many.truncate(len);
            Some(many)
        }
        Err(_) => None,
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn names(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    list.split(|byte| *byte == 0).filter(|name| !name.is_empty())
}

/// The crate has no extended attributes for this platform.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn attribute_values(_file: &File) -> Vec<(Vec<u8>, Vec<u8>)> {
    Vec::new()
}

/// The crate has no extended attributes for this platform.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn set_attributes(_file: &File, _wanted: &[(Vec<u8>, Vec<u8>)]) {}

/// A word that stands for this user only.
pub(super) fn user_name() -> String {
    rustix::process::geteuid().as_raw().to_string()
}

/// Checks that no other user can replace a directory inside this one.
pub(super) fn check_above(directory: &Path) -> Result<(), StateDirError> {
    const STICKY: u32 = 0o1000;
    let stat = sys::stat(directory).map_err(io::Error::from)?;
    let user = rustix::process::geteuid().as_raw();
    // The owner of the root directory can do anything anyway. In a container, that may be another
    // user than 0.
    let system = sys::stat("/").map_or(0, |root| root.st_uid);
    if ![user, 0, system].contains(&stat.st_uid) {
        return Err(StateDirError::NotOurs(directory.to_owned()));
    }
    let mode = mode_bits(&stat);
    // Many systems give each user a private group with the same number, and let that group write to
    // the user's files.
    let own_group = stat.st_gid == user && stat.st_uid == user;
    let others = if own_group { 0o002 } else { 0o022 };
    if mode & others != 0 && mode & STICKY == 0 {
        return Err(StateDirError::WritableByOthers(directory.to_owned()));
    }
    Ok(())
}

/// Checks that a directory belongs to this user and that nobody else may write to it.
pub(super) fn check_own(directory: &Path, metadata: &Metadata) -> Result<(), StateDirError> {
    use std::os::unix::fs::MetadataExt;
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(StateDirError::NotOurs(directory.to_owned()));
    }
    if metadata.mode() & 0o022 != 0 {
        return Err(StateDirError::WritableByOthers(directory.to_owned()));
    }
    Ok(())
}

/// Whether a process with this number is running.
pub(crate) fn process_lives(id: u32) -> bool {
    let id = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw);
    // If we are not permitted to ask, such a process exists.
    id.is_some_and(|id| rustix::process::test_kill_process(id) != Err(rustix::io::Errno::SRCH))
}

#[allow(clippy::unnecessary_cast, reason = "the field has another type on other platforms")]
fn mode_bits(stat: &Stat) -> u32 {
    stat.st_mode as u32
}

#[allow(
    clippy::unnecessary_cast,
    clippy::cast_sign_loss,
    clippy::cast_lossless,
    clippy::useless_conversion,
    reason = "the fields have other types on other platforms"
)]
fn facts(stat: &Stat, ours: bool) -> Facts {
    use sys::FileType;
    let mode = mode_bits(stat);
    Facts {
        kind: match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => FileKind::File,
            FileType::Directory => FileKind::Directory,
            FileType::Symlink => FileKind::Special("a symbolic link"),
            FileType::Fifo => FileKind::Special("a FIFO"),
            FileType::Socket => FileKind::Special("a socket"),
            _ => FileKind::Special("a device"),
        },
        size: stat.st_size as u64,
        modified: i128::from(stat.st_mtime) * 1_000_000_000 + i128::from(stat.st_mtime_nsec),
        inode: stat.st_ino as u64,
        device: stat.st_dev as u64,
        links: stat.st_nlink as u64,
        mode: mode & 0o7777,
        ours,
        read_only: mode & 0o222 == 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_testing::Workdir;
    use std::fs;
    use std::io::Read;

    #[test]
    fn a_replaced_directory_is_looked_up_again() {
        let home = Workdir::new("neighbours");
        let (here, there) = (home.path().join("here"), home.path().join("there"));
        fs::create_dir(&here).unwrap();
        let mut files = SiblingOpener::default();
        let mut read = |name: &str| {
            let mut text = String::new();
            files.open(&here.join(name)).unwrap().read_to_string(&mut text).unwrap();
            text
        };
        for name in ["a", "b", "c"] {
            fs::write(here.join(name), name).unwrap();
            assert_eq!(read(name), name);
        }
        fs::rename(&here, &there).unwrap();
        fs::create_dir(&here).unwrap();
        fs::write(here.join("d"), "d").unwrap();
        assert_eq!(read("d"), "d", "it is not in the directory that was open");
    }
}
