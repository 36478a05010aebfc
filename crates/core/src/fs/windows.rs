//! Files by name in a directory, on Windows, where the standard library knows a directory only as a path.
//!
//! Before each use the path is compared with what it leads to, so that a directory that has become
//! a link is noticed. The directory is also held open meanwhile, without leave for others to rename
//! or remove it, so that it stays what it was when it was compared. One gap is left: an *empty*
//! directory can be made a junction where it is, between the comparison and the use. From the first
//! staged file on, no directory of a transaction is empty.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::disk::{Belongings, Facts};
use super::{StateDirError, kind_of};

/// Opens what is at a path, a link or a directory included: `FILE_FLAG_OPEN_REPARSE_POINT` and
/// `FILE_FLAG_BACKUP_SEMANTICS`.
const ITSELF: u32 = 0x0020_0000 | 0x0200_0000;

/// Opens files that a walk finds, one directory after the other.
#[derive(Default, Debug)]
pub struct SiblingOpener;

impl SiblingOpener {
    /// Opens a file that a walk has just found to be regular, as [`super::open_walked`] does.
    #[expect(clippy::unused_self, reason = "elsewhere the directory is remembered")]
    pub fn open(&mut self, path: &Path) -> io::Result<File> {
        super::open_walked(path)
    }
}

/// A directory by its path.
#[derive(Debug)]
pub(super) struct OpenDirectory {
    path: PathBuf,
    _held: File,
}

/// Opens a directory so that neither it nor one above it can be renamed or removed until this is closed.
fn hold(path: &Path) -> io::Result<File> {
    const SHARE_READ_AND_WRITE: u32 = 1 | 2;
    let mut options = OpenOptions::new();
    options.read(true).share_mode(SHARE_READ_AND_WRITE).custom_flags(ITSELF).open(path)
}

impl OpenDirectory {
    /// Opens a directory by its absolute path.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        // Held first and compared then: it cannot become another in between.
        let directory = Self { _held: hold(path)?, path: path.to_owned() };
        directory.check()?;
        Ok(directory)
    }

    fn check(&self) -> io::Result<()> {
        if super::canonical(&self.path)? == self.path {
            return Ok(());
        }
        Err(io::Error::new(io::ErrorKind::NotADirectory, "the directory has become a link"))
    }

    fn path_of(&self, name: &OsStr) -> io::Result<PathBuf> {
        self.check()?;
        Ok(self.path.join(name))
    }

    /// The file at a name.
    pub(super) fn look(&self, name: &OsStr) -> io::Result<Option<Facts>> {
        let path = self.path_of(name)?;
        match path.symlink_metadata() {
            Ok(metadata) => Ok(Some(facts(&path, &metadata))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether this process may write to what is at a name.
    pub(super) fn writable(&self, name: &OsStr) -> bool {
        self.look(name).is_ok_and(|facts| facts.is_none_or(|facts| !facts.read_only))
    }

    /// Whether this process may make files here.
    pub(super) fn own_writable(&self) -> bool {
        true
    }

    /// Opens a file for reading.
    pub(super) fn open_file(&self, name: &OsStr) -> io::Result<File> {
        File::open(self.path_of(name)?)
    }

    /// Opens a file for writing and keeps its content.
    pub(super) fn open_to_write(&self, name: &OsStr) -> io::Result<File> {
        OpenOptions::new().write(true).open(self.path_of(name)?)
    }

    /// Makes a file that was not there.
    pub(super) fn create(&self, name: &OsStr, _mode: u32) -> io::Result<File> {
        File::create_new(self.path_of(name)?)
    }

    /// Makes a directory.
    pub(super) fn make_directory(&self, name: &OsStr) -> io::Result<()> {
        fs::create_dir(self.path_of(name)?)
    }

    /// Removes an empty directory.
    pub(super) fn remove_directory(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_dir(self.path_of(name)?)
    }

    /// Removes a file.
    pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.path_of(name)?)
    }

    /// Gives a file a second name.
    pub(super) fn link(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        fs::hard_link(self.path_of(name)?, to.path_of(new)?)
    }

    /// Gives a file another name.
    pub(super) fn rename(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        fs::rename(self.path_of(name)?, to.path_of(new)?)
    }

    /// Swapping the names of two files cannot be done here.
    pub(super) fn exchange(&self, _name: &OsStr, _to: &Self, _other: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Gives a file a name that no file has.
    pub(super) fn rename_new(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        self.link_and_remove(name, to, new)
    }

    /// The names in this directory.
    pub(super) fn names(&self) -> io::Result<Vec<OsString>> {
        self.path.read_dir()?.map(|entry| entry.map(|entry| entry.file_name())).collect()
    }

    /// Directories cannot be synced here.
    pub(super) fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Gives `file` the permissions of `other`.
pub(super) fn copy_metadata(file: &File, other: &File) -> io::Result<()> {
    file.set_permissions(other.metadata()?.permissions())
}

/// There is no such hint.
pub(super) fn begin_writing(_file: &File) {}

/// Unknown here.
pub(super) fn belongings(_file: &File) -> io::Result<Belongings> {
    Ok(Belongings::default())
}

/// There is nothing to give.
pub(super) fn set_belongings(_file: &File, _wanted: &Belongings) {}

/// There are no such permissions here.
pub(super) fn set_mode(_file: &File, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// Unknown here: better to keep a leftover than to remove another process's file.
pub fn process_lives(_id: u32) -> bool {
    true
}

/// A word for this user that no other user has.
pub(super) fn user_name() -> String {
    let home = super::home().unwrap_or_default();
    home.to_string_lossy().chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Access control lists guard the user's directories here.
pub(super) fn check_above(_directory: &Path) -> Result<(), StateDirError> {
    Ok(())
}

/// Access control lists guard the user's directories here.
pub(super) fn check_own(_directory: &Path, _metadata: &Metadata) -> Result<(), StateDirError> {
    Ok(())
}

fn facts(path: &Path, metadata: &Metadata) -> Facts {
    let modified = metadata.modified().ok();
    let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let (inode, device, links) = identity(path).unwrap_or((0, 0, 1));
    Facts {
        kind: kind_of(metadata.file_type()),
        size: metadata.len(),
        modified: since.map_or(0, |since| i128::try_from(since.as_nanos()).unwrap_or(0)),
        inode,
        device,
        links,
        mode: 0,
        ours: true,
        read_only: metadata.permissions().readonly(),
    }
}

/// The number of a file, its device's, and how many names it has.
fn identity(path: &Path) -> io::Result<(u64, u64, u64)> {
    // No access is asked for: a file that another program has open can be looked at all the same.
    let mut options = OpenOptions::new();
    let file = options.access_mode(0).custom_flags(ITSELF).open(path)?;
    let found = winapi_util::file::information(&file)?;
    Ok((found.file_index(), found.volume_serial_number(), found.number_of_links()))
}
