//! Files by name in a directory, on Windows, where the standard library can use a directory only by
//! its path.
//!
//! Before each use, the path is compared with its canonical form, so that a directory that has
//! become a link is noticed. The directory also stays open, and Windows lets nobody rename or
//! remove it meanwhile, so that the comparison remains true. One gap is left: an *empty* directory
//! can be turned into a junction between the comparison and the use. Once the first file is staged,
//! no directory of a transaction is empty.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::disk::{Belongings, Facts};
use super::{StateDirError, kind_of};

/// Opens a link itself instead of its target, and directories too: `FILE_FLAG_OPEN_REPARSE_POINT`
/// and `FILE_FLAG_BACKUP_SEMANTICS`.
const OPEN_LINK_ITSELF: u32 = 0x0020_0000 | 0x0200_0000;

/// Opens the files that a walk finds, directory by directory.
#[derive(Default, Debug)]
pub struct SiblingOpener;

impl SiblingOpener {
    /// Opens a file that a walk has just found to be regular, as [`super::open_walked`] does.
    #[expect(clippy::unused_self, reason = "on Unix the directory is kept open")]
    pub fn open(&mut self, path: &Path) -> io::Result<File> {
        super::open_walked(path)
    }
}

/// An open directory, used by its path.
#[derive(Debug)]
pub(super) struct OpenDirectory {
    path: PathBuf,
    _held: File,
}

/// Opens a directory so that neither it nor one above it can be renamed or removed until this is
/// closed.
fn hold(path: &Path) -> io::Result<File> {
    const SHARE_READ_AND_WRITE: u32 = 1 | 2;
    let mut options = OpenOptions::new();
    options.read(true).share_mode(SHARE_READ_AND_WRITE).custom_flags(OPEN_LINK_ITSELF).open(path)
}

impl OpenDirectory {
    /// Opens a directory by its absolute path.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        // Open it first and compare then: nobody can replace it in between.
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

    /// Facts about the file with this name; `None` if there is no file.
    pub(super) fn look(&self, name: &OsStr) -> io::Result<Option<Facts>> {
        let path = self.path_of(name)?;
        match path.symlink_metadata() {
            Ok(metadata) => Ok(Some(facts(&path, &metadata))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether this process may write to the file with this name.
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

    /// Creates a new file.
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

    /// Renames a file.
    pub(super) fn rename(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        fs::rename(self.path_of(name)?, to.path_of(new)?)
    }

    /// Always fails: Windows cannot swap the names of two files.
    pub(super) fn exchange(&self, _name: &OsStr, _to: &Self, _other: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Renames a file; fails if the new name is taken.
    pub(super) fn rename_new(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        self.link_and_remove(name, to, new)
    }

    /// The names in this directory.
    pub(super) fn names(&self) -> io::Result<Vec<OsString>> {
        self.path.read_dir()?.map(|entry| entry.map(|entry| entry.file_name())).collect()
    }

    /// Does nothing: Windows cannot sync directories.
    pub(super) fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Gives `file` the permissions of `other`.
pub(super) fn copy_metadata(file: &File, other: &File) -> io::Result<()> {
    file.set_permissions(other.metadata()?.permissions())
}

/// Windows has no call for this.
pub(super) fn start_writeback(_file: &File) {}

/// Not read on Windows.
pub(super) fn belongings(_file: &File) -> io::Result<Belongings> {
    Ok(Belongings::default())
}

/// Does nothing: [`belongings`] reads none on Windows.
pub(super) fn set_belongings(_file: &File, _wanted: &Belongings) {}

/// Does nothing: Windows has no such permissions.
pub(super) fn set_mode(_file: &File, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// Always true: it is better to keep a leftover than to remove another process's file.
pub fn process_lives(_id: u32) -> bool {
    true
}

/// A word that stands for this user only.
pub(super) fn user_name() -> String {
    let home = super::home().unwrap_or_default();
    home.to_string_lossy().chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Always fine: access control lists guard the user's directories.
pub(super) fn check_above(_directory: &Path) -> Result<(), StateDirError> {
    Ok(())
}

/// Always fine: access control lists guard the user's directories.
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

/// The number of a file, the number of its device, and how many names it has.
fn identity(path: &Path) -> io::Result<(u64, u64, u64)> {
    // Without asking for access, this works even for a file that another program has open.
    let mut options = OpenOptions::new();
    let file = options.access_mode(0).custom_flags(OPEN_LINK_ITSELF).open(path)?;
    let found = winapi_util::file::information(&file)?;
    Ok((found.file_index(), found.volume_serial_number(), found.number_of_links()))
}
